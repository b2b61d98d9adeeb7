//! Pass `dependence`: finds out which loops have no dependences between iterations (OpenACC 3.4, section 2.9.9).
//!
//! Asked are `auto` loops, loops of `kernels` and `serial` that are not `independent`, and plain loops in `kernels`. A loop
//! is independent when, for its induction variables:
//!
//! 1. it calls nothing but functions without side effects, and nothing in it is volatile;
//! 2. every scalar of outside that it writes is a reduction variable of it, or is written before it is read in every
//!    iteration and not used afterwards: such a scalar becomes private;
//! 3. two accesses of which one writes never meet in different iterations: they are to different objects, or some
//!    subscript is `c·i + r` in both with the same constant c and the same r (or an r that differs by no multiple of c);
//!    or `s·i + r` with the same s, where inner loops keep r within 0 … s - 1, as in `p[i * m + j]`.
//!
//! Atomic updates that commute may meet ([`accrue_opt::analysis::atomics`]); other atomic accesses are like plain ones.
//!
//! Different declared variables are different objects; what pointers point to may overlap, unless both come straight from
//! functions that allocate, or the front end says that they lead apart. What is not proven runs sequentially; a remark says why.

use accrue_abi::symbols::shown;
use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_dialects::{
    acc::{ClauseOp, DataOp, Group, Loop, Reduction},
    core::{
        Aliasing, Alloca, Call, Externs, Opaque, Store, float_width, int_width, is_scalar, pointee,
    },
    par::{Levels, LoopTest},
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, OneRegionInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

use crate::{assign_levels::is_asserted, device_types::applies};
use accrue_dialects::{
    View,
    address_use::{UseKind, use_of},
    source::Role,
};
use accrue_ir::effects::{Effect, effects_of};
use accrue_opt::{
    State,
    analysis::accesses::{Base, Place, Reader, Step, is_unaliased, root_name},
    analysis::affine::{Affine, Sum},
    analysis::atomics::{Commuting, atomic_access},
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
        aliasing: Aliasing::of_module(ctx, module.get_operation()),
    };
    let mut affine = Affine::of_subscripts();
    for lp in walk::nested::<Loop>(ctx, module.get_operation()) {
        if !needs_proof(ctx, lp) {
            continue;
        }
        let reader = Reader::again(ctx, lp.get_region(ctx), affine);
        let found = analyse(&reader, lp, &known);
        affine = reader.done();
        match found {
            Ok(private) => {
                for root in private {
                    make_private(ctx, lp, &root, state);
                }
                lp.set_levels(
                    ctx,
                    Levels {
                        independent: true,
                        ..Levels::default()
                    },
                );
                let message = "iterations are independent: no dependence is possible".to_string();
                state.remark(ctx, lp.get_operation(), NAME, message);
            }
            Err(why) => state.remark(
                ctx,
                lp.get_operation(),
                NAME,
                format!("loop is not parallel: {why}"),
            ),
        }
    }
}

/// Whether the loop runs in parallel only if this is proven.
fn needs_proof(ctx: &Context, lp: Loop) -> bool {
    let clauses = lp.clauses(ctx);
    if applies(&clauses.seq) || applies(&clauses.independent) {
        return false;
    }
    !is_asserted(ctx, lp) || applies(&clauses.auto) || clauses.implicit
}

/// What the front end says.
struct Known {
    functions: Functions,
    aliasing: Aliasing,
}

/// An access of the loop body.
struct Access {
    op: Ptr<Operation>,
    place: Place,
    write: bool,
    /// Type of the object.
    ty: TypeHandle,
    /// An atomic update that commutes with others of its kind.
    commuting: Option<Commuting>,
}

/// The scalars to make private, or why the loop is not independent.
fn analyse(reader: &Reader, lp: Loop, known: &Known) -> Result<Vec<Root>, String> {
    let ctx = reader.ctx;
    let region = lp.get_region(ctx);
    let reduced: Vec<Root> = lp
        .clause(ctx, Group::Reduction)
        .into_iter()
        .filter_map(|v| Operation::get_op::<Reduction>(v.defining_op()?, ctx))
        .filter_map(|r| root_of(ctx, r.var(ctx)?))
        .collect();
    let mut accesses = vec![];
    let mut scalars: Vec<Root> = vec![];
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    for op in ops {
        let atomic = atomic_access(ctx, op);
        let commuting = atomic.and_then(|(_, _, commuting)| commuting);
        let touches = match atomic {
            Some((address, write, _)) => vec![(address, write)],
            None => {
                touched(ctx, op, &known.functions.externs).map_err(|why| why + &at_line(ctx, op))?
            }
        };
        for (address, write) in touches {
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
                Some(_) | None => {
                    let ty = pointee(ctx, address).unwrap_or_else(|| address.get_type(ctx));
                    accesses.push(Access {
                        op,
                        place: reader.place(address),
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
                compare(reader, known, first, second, &ivs)
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

/// The addresses that `op` accesses directly, and whether it writes there; an error for operations that end the analysis.
fn touched(
    ctx: &Context,
    op: Ptr<Operation>,
    functions: &Externs,
) -> Result<Vec<(Value, bool)>, String> {
    if let Some(call) = Operation::get_op::<Call>(op, ctx) {
        let callee = call.callee(ctx);
        return match functions.traits(&callee).pure {
            true => Ok(vec![]),
            false => Err(format!("it calls `{}`", shown(&callee))),
        };
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
            Effect::Read(Some(address)) => touched.push((*address, false)),
            Effect::Write(Some(address)) => touched.push((*address, true)),
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

/// Checks rule 3 for two accesses.
fn compare(
    reader: &Reader,
    known: &Known,
    a: &Access,
    b: &Access,
    ivs: &[Value],
) -> Result<(), String> {
    let ctx = reader.ctx;
    let name = |base: &Base| match base {
        Base::Variable(root) => format!("`{}`", root_name(ctx, root)),
        Base::Pointee(root) => format!("what `{}` points to", root_name(ctx, root)),
        Base::Inside | Base::Unknown => "an object".to_string(),
    };
    match (&a.place.base, &b.place.base) {
        (Base::Inside, _) | (_, Base::Inside) => return Ok(()),
        (Base::Unknown, _) | (_, Base::Unknown) => {
            return Err("it accesses memory through a pointer that is not known".to_string());
        }
        (Base::Variable(x), Base::Variable(y)) if x != y => return Ok(()),
        (Base::Pointee(x), Base::Pointee(y)) if x != y => {
            let fresh = is_fresh(ctx, known, x) && is_fresh(ctx, known, y);
            if fresh || leads_apart(ctx, x) && leads_apart(ctx, y) {
                return Ok(());
            }
            let (x, y) = (root_name(ctx, x), root_name(ctx, y));
            return Err(format!("`{x}` and `{y}` may point to the same memory"));
        }
        (Base::Variable(variable), Base::Pointee(pointer))
        | (Base::Pointee(pointer), Base::Variable(variable)) => {
            if is_unaliased(ctx, variable)
                || is_fresh(ctx, known, pointer)
                || leads_apart(ctx, pointer)
                || are_unlike(ctx, known.aliasing, a.ty, b.ty)
            {
                return Ok(());
            }
            let (pointer, variable) = (root_name(ctx, pointer), root_name(ctx, variable));
            return Err(format!("`{pointer}` may point to `{variable}`"));
        }
        (Base::Variable(_), Base::Variable(_)) | (Base::Pointee(_), Base::Pointee(_)) => {}
    }
    // Iterations differ in a first induction variable; those of the dimensions around it are then equal.
    let apart = (0..ivs.len()).all(|k| path_keeps_apart(reader, a, b, ivs[k], &ivs[..k]));
    match apart {
        true => Ok(()),
        false => Err(format!(
            "iterations may access the same element of {}",
            name(&a.place.base)
        )),
    }
}

/// Whether some subscript keeps the places apart in iterations that differ in `iv`.
fn path_keeps_apart(reader: &Reader, a: &Access, b: &Access, iv: Value, fixed: &[Value]) -> bool {
    for (x, y) in a.place.path.iter().zip(&b.place.path) {
        match (x, y) {
            (Step::Index(x), Step::Index(y)) if keeps_apart(reader, x, y, iv, fixed) => {
                return true;
            }
            (Step::Index(_), Step::Index(_)) => {}
            (Step::Member(x), Step::Member(y)) if x == y => {}
            // Different members may overlap (unions); what follows is not comparable.
            (Step::Member(_) | Step::Index(_), Step::Member(_) | Step::Index(_)) => return false,
        }
    }
    false
}

/// Whether two subscripts are never equal in iterations that differ in `iv`.
fn keeps_apart(reader: &Reader, x: &Sum, y: &Sum, iv: Value, fixed: &[Value]) -> bool {
    let (Some((stride, x_rest)), Some((other, y_rest))) =
        (reader.stride(x, iv), reader.stride(y, iv))
    else {
        return false;
    };
    if stride.is_zero() || stride != other || !reader.is_invariant(&stride, fixed) {
        return false;
    }
    if let Some(number) = stride.as_number()
        && reader.is_invariant(&x_rest, fixed)
        && reader.is_invariant(&y_rest, fixed)
    {
        return match x_rest.minus(&y_rest).as_number() {
            Some(0) => true,
            Some(distance) => distance.wrapping_rem(number) != 0,
            None => false,
        };
    }
    is_below(reader, &x_rest, &stride) && is_below(reader, &y_rest, &stride)
}

/// Whether 0 <= `rest` < `limit`: `rest` is `t·j + rest'` with j of a loop from 0 (or more) to u, `t·u` = `limit`, and
/// `rest'` in turn is below t. A number more than that in the limit is room for as much in `rest'`: of `n + 2` elements in a row,
/// `j + 2` is one.
fn is_below(reader: &Reader, rest: &Sum, limit: &Sum) -> bool {
    match (rest.as_number(), limit.as_number()) {
        (Some(rest), Some(limit)) => return 0 <= rest && rest < limit,
        // The limit may be zero.
        (Some(_), None) => return false,
        (None, _) => {}
    }
    reader.inductions(rest).into_iter().any(|inner| {
        let (Some((stride, less)), Some(end)) = (reader.stride(rest, inner), end_of(reader, inner))
        else {
            return false;
        };
        // The largest j is end - 1, if t is not negative: what is below t says so, and t itself if it is a number.
        let room = limit.minus(&stride.times(&end));
        match (room.as_number(), stride.as_number()) {
            (Some(more), Some(1..)) if more >= 0 => is_below(reader, &less, &stride.plus(&room, 1)),
            (Some(more), None) if more >= 0 => is_below(reader, &less, &stride),
            (Some(_) | None, _) => false,
        }
    })
}

/// The bound of a loop that counts up to it from a constant that is not negative.
fn end_of(reader: &Reader, iv: Value) -> Option<Sum> {
    let block = iv.defining_block()?;
    let lp = Operation::get_op::<Loop>(
        block.deref(reader.ctx).get_parent_op(reader.ctx)?,
        reader.ctx,
    )?;
    let at = iv.try_find_index(reader.ctx).ok()?;
    let (lower, upper, step) = lp.bounds(reader.ctx).get(at).copied()?;
    let rising = constant(reader.ctx, lower).is_some_and(|l| l >= 0)
        && constant(reader.ctx, step).is_some_and(|s| s > 0);
    let below = lp
        .dims(reader.ctx)
        .get(at)
        .is_some_and(|d| d.test == LoopTest::Lt);
    (rising && below).then(|| reader.sum(upper))
}

/// Whether no object has both types: one is an integer wider than a character and the other a float, and types tell objects
/// apart.
fn are_unlike(ctx: &Context, aliasing: Aliasing, a: TypeHandle, b: TypeHandle) -> bool {
    match aliasing {
        Aliasing::Any => return false,
        Aliasing::EffectiveTypes => {}
    }
    let number = |t| int_width(ctx, t).is_some_and(|w| w > 8);
    let float = |t| float_width(ctx, t).is_some();
    (number(a) && float(b)) || (float(a) && number(b))
}

/// Whether the front end says that nothing else leads to what the pointer leads to.
fn leads_apart(ctx: &Context, pointer: &Root) -> bool {
    let Root::Local(alloca) = pointer else {
        return false;
    };
    let op = alloca.defining_op();
    let alloca = op.and_then(|op| Operation::get_op::<Alloca>(op, ctx));
    alloca.is_some_and(|alloca| alloca.leads_apart(ctx))
}

/// Whether every value of a local pointer comes straight from an allocation, and from no other pointer's.
fn is_fresh(ctx: &Context, known: &Known, pointer: &Root) -> bool {
    let Root::Local(alloca) = pointer else {
        return false;
    };
    alloca.uses(ctx).into_iter().all(|u| {
        let op = u.user_op();
        let stored = Operation::get_op::<Store>(op, ctx).map(|s| s.get_operand_value(ctx));
        match use_of(ctx, op, u.find_index(ctx)) {
            UseKind::Write { .. } => stored.is_some_and(|v| is_allocation(ctx, known, v)),
            UseKind::Read { .. } | UseKind::Clause | UseKind::Look => true,
            UseKind::Update { .. } | UseKind::Derive | UseKind::Pass | UseKind::Keep => false,
        }
    })
}

/// Whether `value` is the result of an allocation that nothing else keeps.
fn is_allocation(ctx: &Context, known: &Known, value: Value) -> bool {
    use accrue_dialects::core::{Cast, Null};
    let Some(op) = value.defining_op() else {
        return false;
    };
    if Operation::get_op::<Null>(op, ctx).is_some() {
        return true;
    }
    if value.num_uses(ctx) != 1 {
        return false;
    }
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        return is_allocation(ctx, known, cast.get_operand(ctx));
    }
    let call = Operation::get_op::<Call>(op, ctx);
    call.is_some_and(|c| known.functions.externs.traits(&c.callee(ctx)).allocates)
}
