//! A barrier at the end of each arm, case and loop body that has one inside.
//!
//! PoCL 3.1 runs the work-items of a group one after another, from barrier to barrier. Where control flow without a barrier and
//! control flow that has left one behind come together, it goes on with the work-items of one of the two only: results are
//! wrong, or the program crashes. All work-items of a group come to the end of what has a barrier, so that one more may stand there;
//! other drivers wait for some cycles.
//!
//! ```text
//! if (i != k) {                 if (i != k) {
//!     barrier(…);                   barrier(…);
//!     a[i] = b[0];      ──▶         a[i] = b[0];
//! }                                 barrier(…);
//!                               }
//! ```

use crate::expanded::Expanded;
use accrue_dialects::{
    core::{Call, emit::Emitter},
    simt::{Barrier, Scope},
};
use accrue_ir::walk::{nested_in_region, nested_ops, ops_of_region, regions_of};
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
};
use std::collections::BTreeSet;

/// Inserts the barriers in all functions and kernels. Gives those that have some, or call a function that has.
pub fn insert(ctx: &mut Context, expanded: &Expanded) -> BTreeSet<String> {
    let kernels = expanded.kernels.iter().map(|kernel| kernel.function);
    let all: Vec<FuncOp> = expanded.functions.iter().copied().chain(kernels).collect();
    let waiting = waiting(ctx, &all);
    let mut points = vec![];
    for function in all {
        for op in nested_ops(ctx, function.get_operation()) {
            let regions = regions_of(ctx, op);
            points.extend(regions.into_iter().filter_map(|r| point(ctx, r, &waiting)));
        }
    }
    for point in points {
        Emitter::before(ctx, point).op(|c| Barrier::new(c, Scope::Group, 0));
    }
    waiting
}

/// The functions that have a barrier, or call one that has.
fn waiting(ctx: &Context, all: &[FuncOp]) -> BTreeSet<String> {
    let mut waiting = BTreeSet::new();
    loop {
        let before = waiting.len();
        for function in all {
            let ops = nested_ops(ctx, function.get_operation());
            if ops.into_iter().any(|op| waits(ctx, op, &waiting)) {
                waiting.insert(function.get_symbol_name(ctx).to_string());
            }
        }
        if waiting.len() == before {
            return waiting;
        }
    }
}

fn waits(ctx: &Context, op: Ptr<Operation>, waiting: &BTreeSet<String>) -> bool {
    let calls = Operation::get_op::<Call>(op, ctx);
    Operation::get_op::<Barrier>(op, ctx).is_some()
        || calls.is_some_and(|call| waiting.contains(&call.callee(ctx)))
}

/// Where a region needs a barrier: before its terminator, if there is one inside, and none there.
fn point(ctx: &Context, region: Ptr<Region>, waiting: &BTreeSet<String>) -> Option<Ptr<Operation>> {
    let mut inside = vec![];
    nested_in_region(ctx, region, &mut inside);
    if !inside.into_iter().any(|op| waits(ctx, op, waiting)) {
        return None;
    }
    let ops = ops_of_region(ctx, region);
    let (terminator, before) = ops.split_last()?;
    let last = before.last();
    let is_barrier = last.is_some_and(|op| Operation::get_op::<Barrier>(*op, ctx).is_some());
    (!is_barrier).then_some(*terminator)
}
