//! Positions and sizes of the levels.
//!
//! | level | position | size |
//! | --- | --- | --- |
//! | gang | `ctaid.x` | `nctaid.x` |
//! | worker | `tid.y` | `ntid.y` |
//! | vector | `tid.x` | `ntid.x` |
//!
//! A size that all launches have is a constant: what there is only one of, with position 0, and the lanes of workers that
//! share a warp. Forks, joins, locks and unlocks are gone
//! afterwards.

use super::{
    at::{At, GpuAt},
    limits::WARP,
    unit::Unit,
};
use crate::dialect::Register;
use accrue_dialects::par::{DimPos, DimSize, Fork, Join, Level, Lock, Unlock};
use accrue_ir::walk::nested_ops;
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};

/// Replaces what is left of the par dialect in the function.
pub fn expand(ctx: &mut Context, unit: &Unit) {
    for op in nested_ops(ctx, unit.function.get_operation()) {
        if let Some(position) = Operation::get_op::<DimPos>(op, ctx) {
            let (old, level) = (position.get_result(ctx), position.level(ctx));
            let register = match level {
                Level::Gang => Register::CtaidX,
                Level::Worker => Register::TidY,
                Level::Vector => Register::TidX,
            };
            let constant = (only(unit, level) == Some(1)).then_some(0);
            replace(ctx, op, old, register, constant);
        } else if let Some(size) = Operation::get_op::<DimSize>(op, ctx) {
            let (old, level) = (size.get_result(ctx), size.level(ctx));
            let register = match level {
                Level::Gang => Register::NctaidX,
                Level::Worker => Register::NtidY,
                Level::Vector => Register::NtidX,
            };
            replace(ctx, op, old, register, only(unit, level));
        } else if Operation::is_op::<Fork>(op, ctx)
            || Operation::is_op::<Join>(op, ctx)
            || Operation::is_op::<Lock>(op, ctx)
            || Operation::is_op::<Unlock>(op, ctx)
        {
            Operation::erase(op, ctx);
        }
    }
}

/// The only size that a launch can have.
fn only(unit: &Unit, level: Level) -> Option<i128> {
    let lanes = unit.limits.max_vector;
    let single_gang = unit.kernel.as_ref().is_some_and(|k| k.single_gang);
    match level {
        Level::Gang => single_gang.then_some(1),
        Level::Worker => (unit.limits.max_workers == 1).then_some(1),
        Level::Vector => (lanes < WARP).then_some(i128::from(lanes)),
    }
}

fn replace(
    ctx: &mut Context,
    op: Ptr<Operation>,
    old: Value,
    register: Register,
    constant: Option<i128>,
) {
    let mut at = At::before(ctx, op);
    let new = match constant {
        Some(constant) => at.i64(constant),
        None => at.special_wide(register),
    };
    old.replace_all_uses_with(ctx, &new);
    Operation::erase(op, ctx);
}
