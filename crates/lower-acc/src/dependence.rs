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

mod digits;
mod meet;
mod ranges;

use self::{
    meet::compare,
    ranges::{Range, Ranges},
};
use accrue_abi::symbols::shown;
use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{ClauseOp, DataOp, Group, Kernels, Loop, Parallel, Reduction},
    core::{Aliasing, Call, Load, Opaque, is_scalar, pointee},
    flow::Flow,
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
    region::Region,
    r#type::{TypeHandle, Typed},
    value::Value,
};

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::{assign_levels::is_asserted, attributes::APART, device_types::applies};
use accrue_dialects::{
    View,
    address_use::{UseKind, use_of},
    source::Role,
};
use accrue_ir::effects::{Effect, effects_of, is_pure};
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
        ranges: Ranges::default(),
    };
    let told_apart = match state.target.tells_apart {
        true => loops_of_simple_constructs(ctx, module, &known),
        false => HashSet::new(),
    };
    let (ranges, mut affine) = Ranges::of_constructs(ctx, module, Affine::of_subscripts());
    let known = Known { ranges, ..known };
    for lp in walk::nested::<Loop>(ctx, module.get_operation()) {
        if !needs_proof(ctx, lp) {
            continue;
        }
        let reader = Reader::again(ctx, lp.get_region(ctx), affine);
        let found = analyse(&reader, lp, &known, Overlap::Possible);
        let if_apart = found.is_err()
            && told_apart.contains(&lp.get_operation())
            && analyse(&reader, lp, &known, Overlap::ToldAtLaunch)
                .is_ok_and(|private| private.is_empty());
        affine = reader.done();
        let message = match (found, if_apart) {
            (Ok(private), _) => {
                for root in private {
                    make_private(ctx, lp, &root, state);
                }
                "iterations are independent: no dependence is possible".to_string()
            }
            (Err(why), true) if is_asserted(ctx, lp) => {
                APART.set(ctx, lp.get_operation(), BoolAttr::new(true));
                let message = format!("iterations are not known to be independent: {why}");
                state.remark(ctx, lp.get_operation(), NAME, message);
                continue;
            }
            (Err(why), true) => {
                APART.set(ctx, lp.get_operation(), BoolAttr::new(true));
                format!("iterations are independent where memory does not overlap: {why}")
            }
            (Err(why), false) => {
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
}

/// The loops of the constructs [`is_simple`].
fn loops_of_simple_constructs(
    ctx: &Context,
    module: ModuleOp,
    known: &Known,
) -> HashSet<Ptr<Operation>> {
    let all = |ctx, op| {
        let kernels = walk::nested::<Kernels>(ctx, op).into_iter();
        let kernels = kernels.map(|kernels| kernels.get_region(ctx));
        let parallel = walk::nested::<Parallel>(ctx, op).into_iter();
        kernels.chain(parallel.map(|parallel| parallel.get_region(ctx)))
    };
    let simple = all(ctx, module.get_operation()).filter(|region| is_simple(ctx, *region, known));
    let ops = simple.flat_map(|region| walk::ops_of_region(ctx, region));
    let loops = ops.flat_map(|op| walk::nested_ops(ctx, op).into_iter().chain([op]));
    loops
        .filter(|op| Operation::is_op::<Loop>(*op, ctx))
        .collect()
}

/// Whether one nest is all that a construct does, without a result of its own, and it is known what its accesses are based on.
fn is_simple(ctx: &Context, region: Ptr<Region>, known: &Known) -> bool {
    let mut nests = 0;
    for op in walk::ops_of_region(ctx, region) {
        if let Some(nest) = Operation::get_op::<Loop>(op, ctx) {
            nests += 1;
            if !nest.clause(ctx, Group::Reduction).is_empty() {
                return false;
            }
            continue;
        }
        let reads = Operation::is_op::<Load>(op, ctx);
        if !reads && !is_pure(ctx, op) && Flow::of(ctx, op) != Flow::Yield {
            return false;
        }
    }
    let reader = Reader::new(ctx, region);
    let is_known = |op: &Ptr<Operation>| {
        let touched = touched(ctx, *op, known);
        touched.is_ok_and(|all| {
            all.iter().all(|(accessed, _)| match accessed {
                Accessed::At(address) => reader.base(*address) != Base::Unknown,
                // The launch does not see where it is.
                Accessed::Global(..) => false,
            })
        })
    };
    nests == 1
        && walk::ops_of_region(ctx, region)
            .into_iter()
            .flat_map(|op| walk::nested_ops(ctx, op))
            .all(|op| is_known(&op))
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
    ranges: Ranges,
}

/// What to make of pointers that may lead to the same memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Possible,
    /// Kernels run only where it does not happen.
    ToldAtLaunch,
}

/// An access of the loop body.
struct Access {
    op: Ptr<Operation>,
    place: Place,
    /// The loops around it.
    loops: Rc<[Range]>,
    write: bool,
    /// Type of the object.
    ty: TypeHandle,
    /// An atomic update that commutes with others of its kind.
    commuting: Option<Commuting>,
}

/// The scalars to make private, or why the loop is not independent.
fn analyse(
    reader: &Reader,
    lp: Loop,
    known: &Known,
    overlap: Overlap,
) -> Result<Vec<Root>, String> {
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
                let ranges = || known.ranges.around(reader, op, lp).into();
                around.or_insert_with(ranges).clone()
            };
            let address = match accessed {
                Accessed::At(address) => address,
                Accessed::Global(name, ty) => {
                    let base = Base::Variable(Root::Global(name));
                    accesses.push(Access {
                        op,
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
    for root in &scalars {
        may_be_private(ctx, lp, root, &known.functions)?;
    }
    let ivs: Vec<_> = lp.get_body(ctx, 0).deref(ctx).arguments().collect();
    for (index, first) in accesses.iter().enumerate() {
        for second in &accesses[index..] {
            let commute = first.commuting.is_some() && first.commuting == second.commuting;
            if (first.write || second.write) && !commute {
                compare(reader, (known, overlap), (first, second), &ivs)
                    .map_err(|why| why + &where_met(ctx, first, second))?;
            }
        }
    }
    Ok(scalars)
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
