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
//! The same stands between a loop without barriers and one that has some, anywhere: the work-items that are done with the first one first would go
//! on alone.
//!
//! What its optimiser makes of branches with barriers in loops can still be wrong, whatever barriers stand there: such kernels are named, and the runtime
//! has PoCL build them without it (`runtime/src/device/opencl/discovery.rs`).

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

/// Which functions and kernels have barriers.
#[derive(Default)]
pub struct Waiting {
    /// Those that have some, or call a function that has.
    pub anywhere: BTreeSet<String>,
    /// Those that have some in a branch in a loop. A function may be called in a loop.
    pub in_branches: BTreeSet<String>,
}

/// Inserts the barriers in all functions and kernels.
pub fn insert(ctx: &mut Context, expanded: &Expanded) -> Waiting {
    let kernels = expanded.kernels.iter().map(|kernel| kernel.function);
    let all: Vec<FuncOp> = expanded.functions.iter().copied().chain(kernels).collect();
    let waiting = waiting(ctx, &all);
    let (mut points, mut apart) = (vec![], vec![]);
    let in_branches = expanded.functions.iter().map(|f| (*f, true));
    let in_branches = in_branches.chain(expanded.kernels.iter().map(|k| (k.function, false)));
    let in_branches = in_branches
        .filter(|(f, looping)| waits_in_branches(ctx, f.get_operation(), *looping, &waiting))
        .map(|(f, _)| f.get_symbol_name(ctx).to_string())
        .collect();
    for function in all {
        for op in nested_ops(ctx, function.get_operation()) {
            let regions = regions_of(ctx, op);
            let is_arm = has_arms(ctx, op);
            let each = regions.iter();
            apart.extend(each.flat_map(|r| between(ctx, *r, is_arm, &waiting)));
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
    Waiting {
        anywhere: waiting,
        in_branches,
    }
}

/// Whether a branch inside the operation waits that is in a loop.
fn waits_in_branches(
    ctx: &Context,
    op: Ptr<Operation>,
    in_loop: bool,
    waiting: &BTreeSet<String>,
) -> bool {
    let inside = || nested_ops(ctx, op).into_iter();
    if in_loop && has_arms(ctx, op) && inside().any(|op| waits(ctx, op, waiting)) {
        return true;
    }
    let in_loop = in_loop || repeats(ctx, op);
    let regions = regions_of(ctx, op).into_iter();
    let mut ops = regions.flat_map(|region| ops_of_region(ctx, region));
    ops.any(|op| waits_in_branches(ctx, op, in_loop, waiting))
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

/// The branches in an arm with barriers, and loops with barriers anywhere, before which there is a branch and no barrier since.
fn between(
    ctx: &Context,
    region: Ptr<Region>,
    is_arm: bool,
    waiting: &BTreeSet<String>,
) -> Vec<Ptr<Operation>> {
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
            points.extend(Some(op).filter(|_| open && repeats(ctx, op)));
            open = false;
        } else if branches(ctx, op) {
            points.extend(Some(op).filter(|_| open && is_arm));
            open = true;
        }
    }
    points
}

/// Whether it is a loop.
fn repeats(ctx: &Context, op: Ptr<Operation>) -> bool {
    match Flow::of(ctx, op) {
        Flow::For(_) | Flow::Loop(_) | Flow::Shared => true,
        Flow::If(_)
        | Flow::Switch(_)
        | Flow::Next
        | Flow::Once
        | Flow::Yield
        | Flow::Break
        | Flow::Continue
        | Flow::Return => false,
    }
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
