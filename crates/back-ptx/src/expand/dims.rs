//! Positions and sizes of the levels.
//!
//! | level | position | size |
//! | --- | --- | --- |
//! | gang | `ctaid.x` | `nctaid.x` |
//! | worker | `tid.y` | `ntid.y` |
//! | vector | `tid.x` | `ntid.x` |
//!
//! What a launch can only have one of is the constant 1, with position 0. Forks, joins, locks and unlocks are gone
//! afterwards.

use super::{at::At, unit::Unit};
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
            replace(ctx, unit, op, old, level, register, 0);
        } else if let Some(size) = Operation::get_op::<DimSize>(op, ctx) {
            let (old, level) = (size.get_result(ctx), size.level(ctx));
            let register = match level {
                Level::Gang => Register::NctaidX,
                Level::Worker => Register::NtidY,
                Level::Vector => Register::NtidX,
            };
            replace(ctx, unit, op, old, level, register, 1);
        } else if Operation::is_op::<Fork>(op, ctx)
            || Operation::is_op::<Join>(op, ctx)
            || Operation::is_op::<Lock>(op, ctx)
            || Operation::is_op::<Unlock>(op, ctx)
        {
            Operation::erase(op, ctx);
        }
    }
}

fn replace(
    ctx: &mut Context,
    unit: &Unit,
    op: Ptr<Operation>,
    old: Value,
    level: Level,
    register: Register,
    only: i128,
) {
    let single_gang = unit.kernel.as_ref().is_some_and(|k| k.single_gang);
    let constant = match level {
        Level::Gang => single_gang,
        Level::Worker => unit.limits.max_workers == 1,
        Level::Vector => false,
    };
    let mut at = At::before(ctx, op);
    let new = match constant {
        true => at.i64(only),
        false => at.special_wide(register),
    };
    old.replace_all_uses_with(ctx, &new);
    Operation::erase(op, ctx);
}
