//! Levels of a gang that is one thread: there is one worker and one lane, and nobody to wait for.
//!
//! ```text
//! %v = par.red_setup %s (Vector)
//! par.fork Vector
//! %i = par.red_init %v                     core.store %s, %x
//! core.store %i, %x                   →    core.for %lo to %hi { %x = %x + … }
//! core.for … share of Vector { … }         %y = core.load %x
//! %y = core.load %x
//! %w = par.red_fini %y
//! par.join Vector
//! ```
//! Reductions over workers and lanes leave LOCAL as it is, positions are 0 and sizes 1 (seed: OpenACC reductions in GCC, "Host
//! Implementation"). What is left is of gangs. Only `max` and `min` of floating-point numbers end with the identity, as where other
//! lanes have it: a variable that is NaN, of a loop over nothing but NaN, is not NaN behind it on any device.
//!
//! Cost: linear in the size of the module.

use accrue_dialects::{
    core::{emit::Emitter, float_width},
    par::{
        Level, ParOp, ReductionInfo, ReductionOp, ReductionOperator,
        operators::{combine, identity},
    },
};
use accrue_ir::walk::{nested_ops, results_of};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// Takes workers and lanes out of all functions.
pub fn expand(ctx: &mut Context, module: ModuleOp) {
    for op in nested_ops(ctx, module.get_operation()) {
        expand_op(ctx, op);
    }
}

fn expand_op(ctx: &mut Context, op: Ptr<Operation>) {
    match ParOp::of(ctx, op) {
        Some(ParOp::DimPos(position)) if position.level(ctx) != Level::Gang => {
            let old = position.get_result(ctx);
            let zero = Emitter::before(ctx, op).i64(0);
            replace(ctx, op, old, zero);
        }
        Some(ParOp::DimSize(size)) if size.level(ctx) != Level::Gang => {
            let old = size.get_result(ctx);
            let one = Emitter::before(ctx, op).i64(1);
            replace(ctx, op, old, one);
        }
        Some(ParOp::Fork(fork)) if fork.level(ctx) != Level::Gang => Operation::erase(op, ctx),
        Some(ParOp::Join(join)) if join.level(ctx) != Level::Gang => Operation::erase(op, ctx),
        Some(ParOp::Lock(lock)) if lock.level(ctx) != Level::Gang => Operation::erase(op, ctx),
        Some(ParOp::Unlock(lock)) if lock.level(ctx) != Level::Gang => Operation::erase(op, ctx),
        Some(ParOp::Barrier(_)) => Operation::erase(op, ctx),
        Some(
            ParOp::RedSetup(_) | ParOp::RedInit(_) | ParOp::RedFini(_) | ParOp::RedTeardown(_),
        ) => keep_local(ctx, op),
        Some(
            ParOp::DimPos(_)
            | ParOp::DimSize(_)
            | ParOp::Fork(_)
            | ParOp::Join(_)
            | ParOp::Lock(_)
            | ParOp::Unlock(_)
            | ParOp::Loop(_)
            | ParOp::Reduce(_),
        )
        | None => {}
    }
}

/// V = LOCAL, but for gangs.
fn keep_local(ctx: &mut Context, op: Ptr<Operation>) {
    let object = Operation::get_op_dyn(op, ctx);
    let info = op_cast::<dyn ReductionOp>(&*object).map(|reduction| reduction.info(ctx));
    let Some(info) = info.filter(|info| info.level != Level::Gang) else {
        return;
    };
    let local = op.deref(ctx).get_operand(0);
    // That of an array is its address, and there is no result.
    match results_of(ctx, op).first() {
        Some(old) => {
            let new = extremum(ctx, op, info, local).unwrap_or(local);
            replace(ctx, op, *old, new);
        }
        None => Operation::erase(op, ctx),
    }
}

/// What LOCAL becomes at the end of a reduction by `max` or `min` of floating-point numbers.
fn extremum(
    ctx: &mut Context,
    op: Ptr<Operation>,
    info: ReductionInfo,
    local: Value,
) -> Option<Value> {
    let ty = local.get_type(ctx);
    let extremes = [ReductionOperator::Max, ReductionOperator::Min];
    let ends = matches!(ParOp::of(ctx, op), Some(ParOp::RedFini(_)));
    if !ends || float_width(ctx, ty).is_none() || !extremes.contains(&info.operator) {
        return None;
    }
    let mut at = Emitter::before(ctx, op);
    let identity = identity(&mut at, info, ty).ok()?;
    combine(&mut at, info, local, identity).ok()
}

fn replace(ctx: &mut Context, op: Ptr<Operation>, old: Value, new: Value) {
    old.replace_all_uses_with(ctx, &new);
    Operation::erase(op, ctx);
}
