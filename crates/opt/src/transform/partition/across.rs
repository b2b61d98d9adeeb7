//! Nests that cores run in tiles, because arrays are accessed along their columns.
//!
//! Row after row, each element of a column is in another line of the cache, and the line is gone before the next row wants
//! what stands beside it. A tile is over before.
//!
//! ```text
//!                                                  for r = first row to last row step 32
//! for row = first row to last row                    for c = 0 to columns step 16
//!   for j = begin(row) to end(row)             →       for row = r to min(r + 32, last row)
//!     b[i * n + j] = a[j * n + i]                        for j = max(begin(row), c) to min(end(row), c + 16)
//!                                                          b[i * n + j] = a[j * n + i]
//! ```
//! 1. A loop over gangs that has nothing but one other loop in it, whose bounds do not change, becomes a nest of two dimensions
//!    with it ([`merge_nests`]), if the two are to run in tiles: it does not matter how the nest is spelled.
//! 2. Nests whose iterations are independent, without a `tile` clause, without loops in them and without reductions, run in tiles if the elements of an
//!    array that successive iterations access are far apart, and those of successive rows stand next to each other.
//!
//! Gangs have the same iterations as without tiles. A transposition of 2048² doubles took a core 78 ms by rows and 16 ms in tiles.
//!
//! Cost: linear in the size of the kernel.

use accrue_dialects::core::{Alloca, Atomic, Bin, Cast, Const, Load, Store, emit::Emitter};
use accrue_dialects::par::{Levels, Loop};
use accrue_ir::{
    effects::is_pure,
    walk::{is_inside, nested, nested_ops, operands_of, ops_of_block, results_of},
};
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, SingleBlockRegionInterface},
        ops::FuncOp,
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    value::Value,
};

use super::{has_loops, is_reduced, patch};
use crate::analysis::variables::is_local_scalar;

/// Lines of the cache that stay until they are used up, and rows that use up what stands in one.
pub(super) const COLUMNS: i128 = 16;
pub(super) const ROWS: i128 = 32;

/// Whether the nest runs in tiles.
pub(super) fn are_wanted(ctx: &Context, func: FuncOp, lp: Loop) -> bool {
    let body = lp.get_body(ctx, 0);
    let counters: Vec<Value> = body.deref(ctx).arguments().collect();
    let [.., row, column] = counters.as_slice() else {
        return false;
    };
    let levels = lp.levels(ctx);
    !levels.is_sequential()
        && levels.independent
        && !has_loops(ctx, lp.get_operation())
        && !is_reduced(ctx, func, lp)
        && is_across(ctx, lp, *row, *column)
}

fn is_across(ctx: &Context, lp: Loop, row: Value, column: Value) -> bool {
    let inside = nested_ops(ctx, lp.get_operation());
    !inside.iter().any(|op| Atomic::of(ctx, *op).is_some())
        && patch::goes_down(ctx, &inside, row, column)
}

/// Makes one loop of two dimensions of every two that are to run in tiles.
pub(super) fn merge_nests(ctx: &mut Context, func: FuncOp) {
    // Inner loops first: they are gone when an outer one has been merged.
    for outer in nested::<Loop>(ctx, func.get_operation()).into_iter().rev() {
        if let Some(inner) = only_loop_in(ctx, outer)
            && !is_reduced(ctx, func, outer)
            && !is_reduced(ctx, func, inner)
        {
            let [row, column] =
                [outer, inner].map(|l| l.get_body(ctx, 0).deref(ctx).get_argument(0));
            if !has_loops(ctx, inner.get_operation()) && is_across(ctx, inner, row, column) {
                merge(ctx, outer, inner);
            }
        }
    }
}

/// The loop of one dimension that is all there is in a loop of one dimension over gangs.
fn only_loop_in(ctx: &Context, outer: Loop) -> Option<Loop> {
    let block = outer.get_body(ctx, 0);
    let ops = ops_of_block(ctx, block);
    let (_, before) = ops.split_last()?;
    let mut inner = None;
    for op in before {
        if let Some(lp) = Operation::get_op::<Loop>(*op, ctx) {
            if inner.replace(lp).is_some() {
                return None;
            }
        } else if !is_of_iteration(ctx, *op) {
            return None;
        }
    }
    let inner = inner?;
    let one = |lp: Loop| lp.dims(ctx).len() == 1;
    let (of_rows, of_columns) = (outer.levels(ctx), inner.levels(ctx));
    let free = of_rows.independent && of_columns.independent;
    // Gangs of two dimensions share out each of the loops among their own.
    let spread = of_rows.gang && !of_columns.gang && !of_columns.is_sequential() && free;
    let tiles = outer.tile(ctx).is_some() || inner.tile(ctx).is_some();
    let bounds = operands_of(ctx, inner.get_operation());
    let steady = bounds.into_iter().all(|v| is_steady(ctx, outer, v));
    (one(outer) && one(inner) && spread && !tiles && steady).then_some(inner)
}

/// Whether `op` only computes, or sets a variable of the iteration that nobody else changes.
fn is_of_iteration(ctx: &Context, op: Ptr<Operation>) -> bool {
    let block = op.deref(ctx).get_parent_block();
    let own = |address: Value| {
        let users = address.uses(ctx).into_iter();
        let mut stores = users.filter_map(|u| Operation::get_op::<Store>(u.user_op(), ctx));
        is_local_scalar(ctx, address)
            && address
                .defining_op()
                .is_some_and(|a| a.deref(ctx).get_parent_block() == block)
            && stores.all(|s| s.get_operation().deref(ctx).get_parent_block() == block)
    };
    if Operation::is_op::<Alloca>(op, ctx) {
        return results_of(ctx, op).into_iter().all(own);
    }
    if let Some(store) = Operation::get_op::<Store>(op, ctx) {
        return own(store.get_operand_address(ctx));
    }
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        return is_local_scalar(ctx, load.get_operand(ctx));
    }
    is_pure(ctx, op) && op.deref(ctx).num_regions() == 0
}

/// Whether `value` is the same in all iterations of `outer`, and can be computed before.
fn is_steady(ctx: &Context, outer: Loop, value: Value) -> bool {
    let region = outer.get_operation().deref(ctx).get_region(0);
    let Some(op) = value.defining_op() else {
        return value.get_parent_region(ctx) != Some(region);
    };
    if !is_inside(ctx, op, region) {
        return true;
    }
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        let address = load.get_operand(ctx);
        let mut users = address.uses(ctx).into_iter().map(|u| u.user_op());
        return is_steady(ctx, outer, address)
            && is_local_scalar(ctx, address)
            && !users.any(|u| Operation::is_op::<Store>(u, ctx) && is_inside(ctx, u, region));
    }
    let computed = Operation::is_op::<Const>(op, ctx)
        || Operation::is_op::<Cast>(op, ctx)
        || Operation::get_op::<Bin>(op, ctx).is_some_and(|bin| bin.kind(ctx).ring().is_some());
    let operands = operands_of(ctx, op);
    computed && operands.into_iter().all(|v| is_steady(ctx, outer, v))
}

/// The value before the loop `outer`.
fn before(e: &mut Emitter, outer: Loop, value: Value) -> Value {
    let region = outer.get_operation().deref(e.ctx).get_region(0);
    let Some(op) = value
        .defining_op()
        .filter(|op| is_inside(e.ctx, *op, region))
    else {
        return value;
    };
    let mut mapping = IrMapping::new();
    for operand in operands_of(e.ctx, op) {
        let there = before(e, outer, operand);
        mapping.map_value(operand, there);
    }
    let copy = e.copy(op, &mut mapping);
    results_of(e.ctx, copy).first().copied().unwrap_or(value)
}

fn merge(ctx: &mut Context, outer: Loop, inner: Loop) {
    let (rows, columns) = (outer.dims(ctx), inner.dims(ctx));
    let ([(row_bounds, row)], [((lower, upper, step), column)]) =
        (rows.as_slice(), columns.as_slice())
    else {
        return;
    };
    let (of_rows, of_columns) = (outer.levels(ctx), inner.levels(ctx));
    let levels = Levels {
        gang: of_rows.gang || of_columns.gang,
        worker: of_rows.worker || of_columns.worker,
        vector: of_rows.vector || of_columns.vector,
        independent: of_rows.independent && of_columns.independent,
    };
    let mut e = Emitter::before(ctx, outer.get_operation());
    let bounds = [*lower, *upper, *step].map(|v| before(&mut e, outer, v));
    let dims = [
        (*row_bounds, *row),
        ((bounds[0], bounds[1], bounds[2]), *column),
    ];
    let (id, dim) = (outer.id(e.ctx), outer.gang_dim(e.ctx));
    let (new, body) = Loop::new(e.ctx, id, levels, dim, &dims);
    e.push(new);
    let counters: Vec<Value> = body.deref(ctx).arguments().collect();
    let blocks = [outer, inner].map(|lp| lp.get_body(ctx, 0));
    for (block, counter) in blocks.into_iter().zip(&counters) {
        let old = block.deref(ctx).get_argument(0);
        old.replace_all_uses_with(ctx, counter);
    }
    let [around, inside] = blocks.map(|block| ops_of_block(ctx, block));
    let of_rows = around.iter().filter(|op| **op != inner.get_operation());
    let of_rows: Vec<_> = of_rows.copied().collect();
    for op in of_rows.split_last().map_or(&[][..], |(_, before)| before) {
        op.unlink(ctx);
        op.insert_at_back(body, ctx);
    }
    for op in inside {
        op.unlink(ctx);
        op.insert_at_back(body, ctx);
    }
    Operation::erase(outer.get_operation(), ctx);
}
