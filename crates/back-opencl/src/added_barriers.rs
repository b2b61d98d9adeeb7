//! Barriers that PoCL needs: at the end of each arm, case and loop body that has one inside, and between branches there.
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
//! Where several branches without barriers follow each other in an arm that has one, PoCL may let all work-items take the way of the first: stores
//! behind the end of a loop's iterations were done. Between two such branches there is `accrue_apart`, which is a barrier for PoCL and
//! nothing for other drivers:
//!
//! ```text
//! if (first < n) {              if (first < n) {
//!     if (i < n) …                  if (i < n) …
//!     if (i < n) …      ──▶         accrue_apart();
//!     barrier(…);                   if (i < n) …
//!                                   barrier(…);
//! ```

use crate::expanded::Expanded;
use accrue_dialects::{
    core::{Call, emit::Emitter},
    flow::Flow,
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
    let (mut points, mut apart) = (vec![], vec![]);
    for function in all {
        for op in nested_ops(ctx, function.get_operation()) {
            let regions = regions_of(ctx, op);
            if has_arms(ctx, op) {
                let each = regions.iter();
                apart.extend(each.flat_map(|r| between(ctx, *r, &waiting)));
            }
            points.extend(regions.into_iter().filter_map(|r| point(ctx, r, &waiting)));
        }
    }
    for point in points {
        Emitter::before(ctx, point).op(|c| Barrier::new(c, Scope::Group, 0));
    }
    // A sub-group is one work-item here: waiting for it is nothing.
    for point in apart {
        Emitter::before(ctx, point).op(|c| Barrier::new(c, Scope::Subgroup, 0));
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

/// The branches in an arm with barriers before which there is another one and no barrier since.
fn between(ctx: &Context, region: Ptr<Region>, waiting: &BTreeSet<String>) -> Vec<Ptr<Operation>> {
    let ops = ops_of_region(ctx, region);
    let has_barrier = |op: Ptr<Operation>| {
        let inside = nested_ops(ctx, op).into_iter().chain([op]);
        inside.into_iter().any(|op| waits(ctx, op, waiting))
    };
    if !ops.iter().any(|op| has_barrier(*op)) {
        return vec![];
    }
    let (mut open, mut points) = (false, vec![]);
    for op in ops {
        if has_barrier(op) {
            open = false;
        } else if branches(ctx, op) {
            points.extend(Some(op).filter(|_| open));
            open = true;
        }
    }
    points
}

/// Whether there are ways to choose from.
fn has_arms(ctx: &Context, op: Ptr<Operation>) -> bool {
    match Flow::of(ctx, op) {
        Flow::If(_) | Flow::Switch(_) => true,
        Flow::For(_)
        | Flow::Loop(_)
        | Flow::Shared
        | Flow::Next
        | Flow::Once
        | Flow::Yield
        | Flow::Break
        | Flow::Continue
        | Flow::Return => false,
    }
}

/// Whether work-items may go different ways in the operation.
fn branches(ctx: &Context, op: Ptr<Operation>) -> bool {
    match Flow::of(ctx, op) {
        Flow::If(_) | Flow::For(_) | Flow::Loop(_) | Flow::Switch(_) | Flow::Shared => true,
        Flow::Next | Flow::Once | Flow::Yield | Flow::Break | Flow::Continue | Flow::Return => {
            false
        }
    }
}
