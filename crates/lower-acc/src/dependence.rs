//! Pass `dependence`: finds out which loops have no dependences between iterations (OpenACC 3.4, section 2.9.9).
//!
//! Asked are `auto` loops, loops of `kernels` and `serial` that are not `independent`, plain loops in `kernels`, and in loops of `parallel`
//! over gangs alone or without levels. A loop is independent when, for its induction variables:
//!
//! 1. what the functions that it calls do with memory is known ([`accrue_opt::analysis::call_effects`]), and nothing in it is volatile;
//! 2. every scalar of outside that it writes is a reduction variable of it, or is written before it is read in every
//!    iteration and not used afterwards: such a scalar becomes private;
//! 3. two accesses of which one writes never meet in different iterations: they are to different objects ([`meet`]), or some
//!    subscript differs ([`digits`], [`ranges`]).
//!
//! Atomic updates that commute may meet ([`accrue_opt::analysis::atomics`]); other atomic accesses are like plain ones.
//!
//! Different declared variables are different objects; what pointers point to may overlap, unless both come straight from
//! functions that allocate, or the front end says that they lead apart. What is not proven runs sequentially; a remark says why.
//!
//! Where nothing but pointers that may lead to the same memory is in the way of loops, a device that can tell at the
//! launch ([`accrue_opt::Target::tells_apart`]) runs those in `kernels` in parallel, and leaves the construct to the host where the memory overlaps;
//! of `parallel` it takes the kernel without [`crate::each_gang`] then. That is for constructs of one nest, whose kernels are the same on the host, where it is known of what all accesses are, and for loops
//! that make nothing private.
//!
//! Where nothing but sums in memory is in the way of a loop in another one, that is noted for [`crate::each_gang`]
//! ([`crate::inferred_reductions::in_memory`]).
//!
//! Other nests of `kernels` that would be independent if pointers led apart, also those in structs, and if products of unsigned numbers did
//! not wrap, get a test of that, which the device makes, and a version that runs in order where it fails ([`test`], [`versions`]).

mod code;
mod digits;
mod meet;
mod nests;
mod ranges;
mod simple;
mod sources;
mod test;
mod versions;

use self::{
    meet::compare,
    nests::tested_nests,
    ranges::{Range, Ranges},
    simple::loops_of_simple_constructs,
};
use accrue_abi::symbols::shown;
use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{ClauseOp, DataOp, Group, Loop, Reduction},
    core::{Aliasing, Call, Opaque, is_scalar, pointee},
    par::Levels,
};
use accrue_ir::walk;
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        attributes::BoolAttr,
        op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::{
    assign_levels::is_asserted,
    attributes::{APART, NotedSums, SUMS, TESTED},
    device_types::applies,
    inferred_reductions::{elements::Updated, in_memory::Sums},
    members::Unions,
};
use accrue_dialects::{
    View,
    address_use::{UseKind, use_of},
    source::Role,
};
use accrue_ir::effects::{Effect, effects_of};
use accrue_opt::{
    State,
    analysis::accesses::{Base, Place, Reader, root_name},
    analysis::affine::Affine,
    analysis::atomics::{Commuting, atomic_access},
    analysis::call_effects::{CallEffects, Target},
    analysis::first_use::Path,
    analysis::read_only::{Functions, functions},
    analysis::variables::{Root, defined_inside, describe, root_of, uses_of},
    diagnostic::position,
};

const NAME: &str = "dependence";

/// Analyses all loops that need it.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let known = Known {
        functions: functions(ctx, module.get_operation()),
        calls: CallEffects::default(),
        aliasing: Aliasing::of_module(ctx, module.get_operation()),
        unions: Unions::of_module(ctx, module),
    };
    let sums = Sums::of_module(ctx, module);
    let simple = loops_of_simple_constructs(ctx, module, &known);
    let (ranges, mut affine) = Ranges::of_constructs(ctx, module, Affine::of_subscripts());
    let mut doubtful = vec![];
    let mut all = vec![];
    for lp in walk::nested::<Loop>(ctx, module.get_operation()) {
        if !needs_proof(ctx, lp) {
            continue;
        }
        let reader = Reader::again(ctx, lp.get_region(ctx), affine);
        let found = analyse(&reader, lp, (&known, &ranges), Overlap::Possible);
        let if_apart = found.is_err()
            && simple.contains(&lp.get_operation())
            && analyse(&reader, lp, (&known, &ranges), Overlap::ToldAtLaunch)
                .is_ok_and(|private| private.is_empty());
        if found.is_err() && !if_apart {
            note_sums(&reader, lp, (&known, &ranges), &sums);
        }
        affine = reader.done();
        if found.is_err() && !if_apart && versions::may_have(ctx, lp) {
            doubtful.push(lp);
        }
        all.push((lp, found, if_apart));
    }
    let nests = tested_nests(ctx, module, &known, doubtful);
    let if_tested: HashSet<_> = nests.iter().flat_map(|nest| &nest.loops).copied().collect();
    for (lp, found, if_apart) in all {
        let told = state.target.tells_apart;
        let tested = if_tested.contains(&lp.get_operation());
        let message = match found {
            Ok(private) => {
                for root in private {
                    make_private(ctx, lp, &root, state);
                }
                "iterations are independent: no dependence is possible".to_string()
            }
            Err(why) if tested => {
                TESTED.set(ctx, lp.get_operation(), BoolAttr::new(true));
                format!("iterations are independent where a test in the kernel says so: {why}")
            }
            Err(why) if if_apart && told && is_asserted(ctx, lp) => {
                APART.set(ctx, lp.get_operation(), BoolAttr::new(true));
                let message = format!("iterations are not known to be independent: {why}");
                state.remark(ctx, lp.get_operation(), NAME, message);
                continue;
            }
            // The parts of a construct are the same for all devices: where nothing tells, the pass `phases` puts the loop in order.
            Err(why) if if_apart && !is_asserted(ctx, lp) => {
                APART.set(ctx, lp.get_operation(), BoolAttr::new(true));
                match told {
                    true => {
                        format!("iterations are independent where memory does not overlap: {why}")
                    }
                    false => format!("loop is not parallel: {why}"),
                }
            }
            Err(why) => {
                let message = format!("loop is not parallel: {why}");
                state.remark(ctx, lp.get_operation(), NAME, message);
                continue;
            }
        };
        lp.set_levels(
            ctx,
            Levels {
                independent: true,
                ..Levels::default()
            },
        );
        state.remark(ctx, lp.get_operation(), NAME, message);
    }
    for nest in nests {
        versions::make(ctx, nest.outer, &nest.test, state);
    }
}

/// Whether the loop runs in parallel only if this is proven.
pub fn needs_proof(ctx: &Context, lp: Loop) -> bool {
    let clauses = lp.clauses(ctx);
    if applies(&clauses.seq) || applies(&clauses.independent) {
        return false;
    }
    !is_asserted(ctx, lp) || applies(&clauses.auto) || clauses.implicit
}

/// What is known of the module.
struct Known {
    functions: Functions,
    calls: CallEffects,
    aliasing: Aliasing,
    unions: Unions,
}

/// What to make of pointers that may lead to the same memory.
#[derive(Clone, Copy)]
enum Overlap<'a> {
    Possible,
    /// Kernels run only where it does not happen.
    ToldAtLaunch,
    /// Kernels test it: these have to be apart.
    Tested(&'a RefCell<Vec<(Base, Base)>>),
}

/// An access of the loop body.
struct Access {
    op: Ptr<Operation>,
    /// Not of a global that a function accesses.
    address: Option<Value>,
    place: Place,
    /// The loops around it.
    loops: Rc<[Range]>,
    write: bool,
    /// Type of the object.
    ty: TypeHandle,
    /// An atomic update that commutes with others of its kind.
    commuting: Option<Commuting>,
}

/// What a loop accesses.
struct Gathered {
    accesses: Vec<Access>,
    /// The scalars that it writes.
    scalars: Vec<Root>,
}

/// The scalars to make private, or why the loop is not independent.
fn analyse(
    reader: &Reader,
    lp: Loop,
    (known, ranges): (&Known, &Ranges),
    overlap: Overlap<'_>,
) -> Result<Vec<Root>, String> {
    let gathered = gather(reader, lp, (known, ranges))?;
    check(reader, lp, known, (&gathered, &[]), overlap)?;
    Ok(gathered.scalars)
}

/// Notes that an inner loop would be independent if it did not keep sums in memory.
fn note_sums(reader: &Reader, lp: Loop, (known, ranges): (&Known, &Ranges), sums: &Sums) {
    let ctx = reader.ctx;
    let inner = walk::enclosing::<Loop>(ctx, lp.get_operation()).is_some();
    let sums = if inner { sums.of(ctx, lp) } else { vec![] };
    if sums.is_empty() {
        return;
    }
    let Ok(gathered) = gather(reader, lp, (known, ranges)) else {
        return;
    };
    // The launch does not see where globals are that functions access.
    let seen = gathered.accesses.iter().all(|it| it.address.is_some());
    let independent =
        |overlap| seen && check(reader, lp, known, (&gathered, &sums), overlap).is_ok();
    let apart = !independent(Overlap::Possible);
    let noted = gathered.scalars.is_empty() && (!apart || independent(Overlap::ToldAtLaunch));
    if let Some(many) = u32::try_from(sums.len()).ok().filter(|_| noted) {
        SUMS.set(ctx, lp.get_operation(), NotedSums { many, apart });
    }
}

/// All accesses of the loop's body, or what is in the way of knowing them.
fn gather(
    reader: &Reader,
    lp: Loop,
    (known, ranges): (&Known, &Ranges),
) -> Result<Gathered, String> {
    let ctx = reader.ctx;
    let region = lp.get_region(ctx);
    let reduced: Vec<Root> = lp
        .clause(ctx, Group::Reduction)
        .into_iter()
        .filter_map(|v| Operation::get_op::<Reduction>(v.defining_op()?, ctx))
        .filter_map(|r| root_of(ctx, r.var(ctx)?))
        .collect();
    let mut accesses = vec![];
    let mut loops: HashMap<Option<Ptr<BasicBlock>>, Rc<[Range]>> = HashMap::new();
    let mut scalars: Vec<Root> = vec![];
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    for op in ops {
        let atomic = atomic_access(ctx, op);
        let commuting = atomic.and_then(|(_, _, commuting)| commuting);
        let touches = match atomic {
            Some((address, write, _)) => vec![(Accessed::At(address), write)],
            None => touched(ctx, op, known).map_err(|why| why + &at_line(ctx, op))?,
        };
        for (accessed, write) in touches {
            let mut around = || {
                let around = loops.entry(op.deref(ctx).get_parent_block());
                let around_it = || ranges.around(reader, op, lp).into();
                around.or_insert_with(around_it).clone()
            };
            let address = match accessed {
                Accessed::At(address) => address,
                Accessed::Global(name, ty) => {
                    let base = Base::Variable(Root::Global(name));
                    accesses.push(Access {
                        op,
                        address: None,
                        loops: around(),
                        place: Place { base, path: vec![] },
                        write,
                        ty,
                        commuting: None,
                    });
                    continue;
                }
            };
            let scalar = root_of(ctx, address)
                .filter(|_| pointee(ctx, address).is_some_and(|t| is_scalar(ctx, t)));
            match scalar {
                Some(Root::Local(alloca)) if defined_inside(ctx, alloca, region) => {}
                Some(root) if reduced.contains(&root) => {}
                Some(root) if reader.is_written(&root) && commuting.is_none() => {
                    if !scalars.contains(&root) {
                        scalars.push(root);
                    }
                }
                // An element or member of it.
                None if matches!(reader.base(address), Base::Variable(root) if reduced.contains(&root)) =>
                    {}
                Some(_) | None => {
                    let ty = pointee(ctx, address).unwrap_or_else(|| address.get_type(ctx));
                    let mut place = reader.subscripts(address);
                    if Operation::is_op::<Call>(op, ctx) {
                        // The function may access anything that the address leads to.
                        place.path.clear();
                    }
                    accesses.push(Access {
                        op,
                        address: Some(address),
                        loops: around(),
                        place,
                        write,
                        ty,
                        commuting,
                    });
                }
            }
        }
    }
    Ok(Gathered { accesses, scalars })
}

/// Whether scalars may belong to iterations, and no two accesses meet in different ones, but those of one of the `sums`.
fn check(
    reader: &Reader,
    lp: Loop,
    known: &Known,
    (gathered, sums): (&Gathered, &[Updated]),
    overlap: Overlap<'_>,
) -> Result<(), String> {
    let ctx = reader.ctx;
    for root in &gathered.scalars {
        may_be_private(ctx, lp, root, &known.functions)?;
    }
    let accesses = &gathered.accesses;
    let ivs: Vec<_> = lp.get_body(ctx, 0).deref(ctx).arguments().collect();
    for (index, first) in accesses.iter().enumerate() {
        for second in &accesses[index..] {
            let commute = first.commuting.is_some() && first.commuting == second.commuting;
            let of_sum =
                |sum: &Updated| sum.ops.contains(&first.op) && sum.ops.contains(&second.op);
            if (first.write || second.write) && !commute && !sums.iter().any(of_sum) {
                compare(reader, (known, overlap), (first, second), &ivs)
                    .map_err(|why| why + &where_met(ctx, first, second))?;
            }
        }
    }
    Ok(())
}

/// ` (line 7)`, if it is known.
fn at_line(ctx: &Context, op: Ptr<Operation>) -> String {
    match position(ctx, op) {
        (0, _) => String::new(),
        (line, _) => format!(" (line {line})"),
    }
}

/// ` (written in line 7, read in line 8)`, if it is known.
fn where_met(ctx: &Context, first: &Access, second: &Access) -> String {
    let (write, other) = match first.write {
        true => (first, second),
        false => (second, first),
    };
    match (position(ctx, write.op).0, position(ctx, other.op).0) {
        (0, _) | (_, 0) => String::new(),
        (line, again) if line == again && other.write => format!(" (written in line {line})"),
        (line, again) if line == again => format!(" (written and read in line {line})"),
        (line, again) if other.write => format!(" (written in lines {line} and {again})"),
        (line, again) => format!(" (written in line {line}, read in line {again})"),
    }
}

/// What an operation accesses.
enum Accessed {
    At(Value),
    /// A global that a function accesses by its name, and the type of that.
    Global(String, TypeHandle),
}

/// What `op` accesses directly, and whether it writes there; an error for operations that end the analysis.
fn touched(
    ctx: &Context,
    op: Ptr<Operation>,
    known: &Known,
) -> Result<Vec<(Accessed, bool)>, String> {
    if let Some(call) = Operation::get_op::<Call>(op, ctx) {
        let arguments = walk::operands_of(ctx, op);
        let effects = known.calls.of(ctx, &known.functions, call);
        let effects = effects.ok_or_else(|| format!("it calls `{}`", shown(&call.callee(ctx))))?;
        let accessed = effects.into_iter().map(|effect| match effect.target {
            Target::Parameter(index) => (Accessed::At(arguments[index]), effect.write),
            Target::Global(name, ty) => (Accessed::Global(name, ty), effect.write),
        });
        return Ok(accessed.collect());
    }
    if Operation::is_op::<Opaque>(op, ctx) {
        return Err("it contains a statement that is not understood".to_string());
    }
    if View::role(ctx, op).is_some_and(Role::is_about_variable) {
        return Ok(vec![]);
    }
    for (index, _) in walk::operands_of(ctx, op).iter().enumerate() {
        match use_of(ctx, op, index) {
            UseKind::Read { volatile: true } => {
                return Err("it reads a volatile object".to_string());
            }
            UseKind::Write { volatile: true } | UseKind::Update { volatile: true } => {
                return Err("it writes a volatile object".to_string());
            }
            UseKind::Read { volatile: false }
            | UseKind::Write { volatile: false }
            | UseKind::Update { volatile: false } => {}
            UseKind::Derive | UseKind::Pass | UseKind::Clause | UseKind::Look | UseKind::Keep => {}
        }
    }
    let unknown = || format!("it contains `{}`", Operation::get_opid(op, ctx));
    let mut touched = vec![];
    for effect in effects_of(ctx, op).expected() {
        match effect {
            Effect::Read(Some(address)) => touched.push((Accessed::At(*address), false)),
            Effect::Write(Some(address)) => touched.push((Accessed::At(*address), true)),
            Effect::Alloc | Effect::Structure => {}
            Effect::Read(None) | Effect::Write(None) => return Err(unknown()),
            Effect::Free(_) | Effect::Convergent => return Err(unknown()),
        }
    }
    Ok(touched)
}

/// Checks rule 2 for a scalar that the body writes.
fn may_be_private(
    ctx: &Context,
    lp: Loop,
    root: &Root,
    functions: &Functions,
) -> Result<(), String> {
    let name = root_name(ctx, root);
    let region = lp.get_region(ctx);
    let path = Path::new(ctx, functions, root.clone(), region);
    if !matches!(root, Root::Local(_)) {
        return Err(format!("it writes the global scalar `{name}`"));
    }
    if !path.may_belong_to_iterations(lp.get_operation()) {
        let first = path.first_use_in(region);
        return Err(format!(
            "the value of `{name}` may come from an earlier iteration{}",
            first.map_or_else(String::new, |op| at_line(ctx, op))
        ));
    }
    match path.wanted_behind(lp.get_operation()) {
        Some(_) => Err(format!(
            "the last value of `{name}` may be used after the loop"
        )),
        None => Ok(()),
    }
}

/// Lets the body use a variable of its own.
fn make_private(ctx: &mut Context, lp: Loop, root: &Root, state: &mut State) {
    let Root::Local(alloca) = root else { return };
    let region = lp.get_region(ctx);
    let body = lp.get_body(ctx, 0);
    let Some(ty) = pointee(ctx, *alloca) else {
        return;
    };
    let variable = describe(ctx, *alloca);
    state.remark(
        ctx,
        lp.get_operation(),
        NAME,
        format!(
            "`{}` is private: it is assigned before it is used",
            variable.name
        ),
    );
    let mut e = Emitter::new(
        ctx,
        OpInsertionPoint::AtBlockStart(body),
        lp.get_operation(),
    );
    let new = e.alloca(ty, Some(variable));
    for u in uses_of(ctx, region, &Root::Local(*alloca)) {
        Operation::replace_operand(u.op, ctx, u.index, new);
    }
}
