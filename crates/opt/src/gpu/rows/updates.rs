//! What each element of a nest updates in memory in a loop: kept in a variable.
//!
//! ```text
//! c[row][column] *= beta                               c[row][column] *= beta
//! for k:                                               t = c[row][column]
//!   c[row][column] += a[row][k] * b[k][column]   →     for k: t += a[row][k] * b[k][column]
//!                                                      c[row][column] = t
//! ```
//! 1. The loop writes at one address, which it does not change, and does so in each iteration.
//! 2. Whatever else it loads depends on the row or on the column, not on both, and is loaded in each iteration: all elements of a row, or
//!    of a column, load it. If one of them wrote it, it would be in the way of the others.
//!
//! That is so where there are several rows and several columns: launches with fewer take another version. So nothing needs to be compared, as
//! [`crate::gpu::accumulators`] does, which every column of a thread would have for itself. Results are the same bits.
//!
//! Cost: linear in the size of the nest.

use accrue_dialects::core::{For, Load, Store, emit::Emitter, pointee};
use accrue_ir::walk::{is_inside, nested, nested_ops, operands_of, ops_of_block};
use pliron::{
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};

use super::rows_as_one_of;
use crate::{
    analysis::{
        affine::motion::Iterations, gang_trip, records::bytes_of, same::Same,
        straight::PureFunctions, variables::is_in_variable,
    },
    gpu::accumulators::{accesses_at, is_other_access},
    transform::partition::covering::Place,
};

/// Keeps what the loops directly in the nest of `version` update.
pub fn keep(ctx: &mut Context, version: FuncOp, place: &Place, pure: &PureFunctions) {
    let ops = ops_of_block(ctx, place.inside.get_body(ctx, 0));
    let loops: Vec<For> = ops
        .iter()
        .filter_map(|op| Operation::get_op::<For>(*op, ctx))
        .collect();
    let inside = nested_ops(ctx, place.inside.get_operation());
    let of_row = Same::of(ctx, &inside, (&[place.row], None), pure);
    let of_column = Same::of(ctx, &inside, (&[place.column], None), pure);
    let found = loops.into_iter().filter_map(|lp| {
        let address = updated(ctx, lp, [&of_row, &of_column])?;
        Some((lp, address))
    });
    let found: Vec<(For, Value)> = found.collect();
    let only_several = |rows| gang_trip::only_several(ctx, version, rows);
    if found.is_empty() || !rows_as_one_of(ctx, place).is_some_and(only_several) {
        return;
    }
    for (lp, address) in found {
        to_variable(ctx, lp, address);
    }
}

/// The only address that `lp` writes, if it is such a loop.
fn updated(ctx: &Context, lp: For, same: [&Same; 2]) -> Option<Value> {
    let inside = nested_ops(ctx, lp.get_operation());
    let region = lp.get_operation().deref(ctx).get_region(0);
    let mut loops = nested::<For>(ctx, lp.get_operation());
    loops.push(lp);
    let in_each = |op: Ptr<Operation>| {
        let block = op.deref(ctx).get_parent_block();
        loops.iter().any(|lp| Some(lp.get_body(ctx, 0)) == block)
    };
    // All elements have the same iterations, and how many is known before them.
    let even = loops.iter().all(|inner| {
        let bounds = operands_of(ctx, inner.get_operation());
        let known = |value: &Value| {
            let made = value.defining_op();
            same.iter().all(|same| !same.varies(*value))
                && made.is_none_or(|op| !is_inside(ctx, op, region))
        };
        bounds.iter().all(known) && (*inner == lp || in_each(inner.get_operation()))
    });
    let mut iterations = Iterations::of(ctx, lp);
    let mut written = None;
    for op in &inside {
        let Some(store) = Operation::get_op::<Store>(*op, ctx) else {
            continue;
        };
        let address = store.get_operand_address(ctx);
        if is_in_variable(ctx, address) {
            continue;
        }
        let fixed = in_each(*op) && !store.is_volatile(ctx) && iterations.stays(ctx, address);
        let number = pointee(ctx, address).and_then(|ty| bytes_of(ctx, ty));
        if !fixed || number.is_none() || written.is_some_and(|other| other != address) {
            return None;
        }
        written = Some(address);
    }
    let shared = |op: &Ptr<Operation>| {
        let Some(load) = Operation::get_op::<Load>(*op, ctx) else {
            return true;
        };
        let address = load.get_operand_address(ctx);
        is_in_variable(ctx, address)
            || Some(address) == written
            || in_each(*op)
                && !load.is_volatile(ctx)
                && same.iter().any(|same| !same.varies(address))
    };
    let other = inside.iter().any(|op| is_other_access(ctx, *op));
    written.filter(|_| even && !other && inside.iter().all(shared))
}

fn to_variable(ctx: &mut Context, lp: For, address: Value) {
    let Some(ty) = pointee(ctx, address) else {
        return;
    };
    let accesses = accesses_at(ctx, lp, address);
    let mut iterations = Iterations::of(ctx, lp);
    let loops = nested::<For>(ctx, lp.get_operation());
    let mut e = Emitter::before(ctx, lp.get_operation());
    let variable = e.alloca(ty, None);
    let zero = e.zero(ty);
    e.store(zero, variable);
    let lower = lp.get_operand_lower(e.ctx);
    let there = iterations.at(&mut e, address, lower);
    let mut any = e.int(1, 1);
    let no = e.int(1, 0);
    for inner in loops.into_iter().chain([lp]) {
        let (lower, upper) = (
            inner.get_operand_lower(e.ctx),
            inner.get_operand_upper(e.ctx),
        );
        let some = e.cmp(inner.goes_on(e.ctx), lower, upper);
        any = e.select(any, some, no);
    }
    e.only_if(any, |e| {
        let value = e.load(there);
        e.store(value, variable);
    });
    e.go_after(lp.get_operation());
    e.only_if(any, |e| {
        let value = e.load(variable);
        e.store(value, there);
    });
    for (op, operand) in accesses {
        Operation::replace_operand(op, ctx, operand, variable);
    }
}
