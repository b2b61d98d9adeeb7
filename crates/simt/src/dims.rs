//! Positions and sizes of the levels.
//!
//! | level | position | size |
//! | --- | --- | --- |
//! | gang | `GroupX` | `GroupsX` |
//! | gang in dimension 1, 2, 3 | `GroupX`, `GroupY`, `GroupZ` | `GroupsX`, `GroupsY`, `GroupsZ` |
//! | worker | `Worker` | `Workers` |
//! | vector | `Lane` | `Lanes` |
//!
//! A size that all launches have is a constant: what there is only one of, with position 0, and the lanes of a block where no
//! clause is evaluated at run time, so that a loop over lanes has a constant stride. Where a kernel tells gang dimensions apart, its launches have a grid of up to three dimensions, and the
//! position among all gangs is x + nx * (y + ny * z), in the kernel and in the functions it calls. A barrier of the
//! lanes is one of the group where there is one worker, else of the worker. Forks, joins, locks and unlocks are gone afterwards.

use super::{
    at::{Emitter, GpuAt},
    modes::Mode,
    unit::Unit,
};
use crate::dialect::{self, Quantity, Query, Scope};
use accrue_dialects::par::{GangDim, Level, ParOp};
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
        if let Some(query) = Operation::get_op::<Query>(op, ctx) {
            if let Some(value) = known(unit, query.quantity(ctx)) {
                let new = Emitter::before(ctx, op).i32(value);
                query.get_result(ctx).replace_all_uses_with(ctx, &new);
                Operation::erase(op, ctx);
            }
            continue;
        }
        match ParOp::of(ctx, op) {
            Some(ParOp::DimPos(position)) => {
                let (old, level) = (position.get_result(ctx), position.level(ctx));
                let dim = position.gang_dim(ctx);
                let constant = (only(unit, level) == Some(1)).then_some(0);
                replace(ctx, op, old, constant, |at| match (level, dim) {
                    (Level::Gang, None) => unit.gang(at),
                    (Level::Gang, Some(GangDim::One)) => at.query_wide(Quantity::GroupX),
                    (Level::Gang, Some(GangDim::Two)) => at.query_wide(Quantity::GroupY),
                    (Level::Gang, Some(GangDim::Three)) => at.query_wide(Quantity::GroupZ),
                    (Level::Worker, _) => at.query_wide(Quantity::Worker),
                    (Level::Vector, _) => at.query_wide(Quantity::Lane),
                });
            }
            Some(ParOp::DimSize(size)) => {
                let (old, level) = (size.get_result(ctx), size.level(ctx));
                let dim = size.gang_dim(ctx);
                replace(ctx, op, old, only(unit, level), |at| match (level, dim) {
                    (Level::Gang, None) => unit.gangs(at),
                    (Level::Gang, Some(GangDim::One)) => at.query_wide(Quantity::GroupsX),
                    (Level::Gang, Some(GangDim::Two)) => at.query_wide(Quantity::GroupsY),
                    (Level::Gang, Some(GangDim::Three)) => at.query_wide(Quantity::GroupsZ),
                    (Level::Worker, _) => at.query_wide(Quantity::Workers),
                    (Level::Vector, _) => at.query_wide(Quantity::Lanes),
                });
            }
            Some(ParOp::Barrier(_)) => {
                barrier(ctx, unit, op);
                Operation::erase(op, ctx);
            }
            Some(ParOp::Fork(_) | ParOp::Join(_) | ParOp::Lock(_) | ParOp::Unlock(_)) => {
                Operation::erase(op, ctx);
            }
            // Other passes have replaced these before, or have said why they cannot.
            Some(ParOp::RedSetup(_) | ParOp::RedInit(_)) => {}
            Some(ParOp::RedFini(_) | ParOp::RedTeardown(_)) => {}
            Some(ParOp::Loop(_) | ParOp::Reduce(_)) => {}
            None => {}
        }
    }
}

/// Lets the lanes of a worker wait for each other.
fn barrier(ctx: &mut Context, unit: &Unit, op: Ptr<Operation>) {
    let whole_group = unit.limits.max_workers == 1;
    let mode = if whole_group {
        Mode::BLOCK
    } else {
        Mode::WORKER
    };
    let (scope, lanes) = (unit.scope(mode), unit.lanes(mode));
    if scope != Scope::Subgroup || unit.target.has_subgroups() {
        Emitter::before(ctx, op).op(|c| dialect::Barrier::new(c, scope, lanes));
    }
}

/// The value of a quantity that all launches have: reductions ask for numbers of lanes before it is known that these are constant.
fn known(unit: &Unit, quantity: Quantity) -> Option<i128> {
    match quantity {
        Quantity::Lanes => only(unit, Level::Vector),
        Quantity::Workers => only(unit, Level::Worker),
        Quantity::Worker => (only(unit, Level::Worker) == Some(1)).then_some(0),
        Quantity::Lane => (only(unit, Level::Vector) == Some(1)).then_some(0),
        Quantity::GroupX
        | Quantity::GroupY
        | Quantity::GroupZ
        | Quantity::GroupsX
        | Quantity::GroupsY
        | Quantity::GroupsZ
        | Quantity::SubgroupLane
        | Quantity::LanesBefore
        | Quantity::LanesAfter => None,
    }
}

/// The only size that a launch can have.
fn only(unit: &Unit, level: Level) -> Option<i128> {
    let single_gang = unit.kernel.as_ref().is_some_and(|k| k.single_gang);
    match level {
        Level::Gang => single_gang.then_some(1),
        Level::Worker => (unit.limits.max_workers == 1).then_some(1),
        Level::Vector => unit.exact_lanes().map(i128::from),
    }
}

fn replace(
    ctx: &mut Context,
    op: Ptr<Operation>,
    old: Value,
    constant: Option<i128>,
    otherwise: impl FnOnce(&mut Emitter) -> Value,
) {
    let mut at = Emitter::before(ctx, op);
    let new = match constant {
        Some(constant) => at.i64(constant),
        None => otherwise(&mut at),
    };
    old.replace_all_uses_with(ctx, &new);
    Operation::erase(op, ctx);
}
