//! Whether most of what an iteration of a loop does runs one after the other, so that lanes are better spent on the iterations.
//!
//! ```text
//! for (int p = 0; p < n; p++) {                   kernels, nobody says which loop has the lanes
//!     int row[M + 1];
//!     for (int j = 0; j <= M; j++)                independent:        M
//!         row[j] = j;
//!     for (int i = 0; i < M; i++)                 not independent:    M * M
//!         for (int j = 0; j < M; j++)             not independent
//!             row[j + 1] = …;
//! }
//! ```
//! With the lanes, the first inner loop would leave all but one lane of each gang idle for M times as long as it takes (edit distances of
//! 16384 pairs of words took 140 times CUDA's time). So loops that nobody asked anything of leave the lanes to a loop around them where
//! what is left between them is more than [`TIMES`] as much as they have: in iterations, of which a loop whose number is not
//! constant counts for [`UNKNOWN`], and one that ends by another condition for [`FEW`].
//!
//! In `parallel`, where a loop over gangs alone has loops without directive, these get the lanes only where they are nearly all of its work.
//!
//! What an iteration has to itself must fit a lane ([`idle_lanes`]). Cost: linear in the size of the loop, for each loop inside.

use accrue_dialects::core::{
    Decay, Load, PtrAdd, PtrDiff,
    fold::{constant_expression, known_expression},
    layout::Records,
};
use accrue_dialects::{
    acc::{Kernels, Loop, Parallel},
    flow::Flow,
};
use accrue_ir::walk::{self, ops_of_block, regions_of};
use pliron::{
    builtin::op_interfaces::OneOpdInterface,
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    value::Value,
};

use crate::{
    assign_levels::is_independent, device_types::applies, idle_lanes, lanes_outside::is_open,
};

/// Iterations of a loop whose number is not known.
const UNKNOWN: u64 = 128;
/// Iterations of a loop that ends by something else than a count.
const FEW: u64 = 16;
/// So many times the work of the loops that may have the lanes.
const TIMES: u64 = 4;

/// Whether the loops in `lp` leave the lanes to it.
pub fn outweighs(ctx: &Context, lp: Loop, records: &Records) -> bool {
    let work = inside(ctx, lp.get_operation());
    if !work.open {
        return false;
    }
    let op = lp.get_operation();
    if let Some(kernels) = walk::enclosing::<Kernels>(ctx, op) {
        return work.in_order / TIMES > work.shared
            && idle_lanes::may_be_used_in(ctx, &kernels, lp, records);
    }
    let parallel = walk::enclosing::<Parallel>(ctx, op);
    parallel.is_some_and(|parallel| {
        work.in_order.saturating_mul(TIMES) > work.shared
            && idle_lanes::may_be_used_in(ctx, &parallel, lp, records)
    })
}

/// What there is to do.
#[derive(Clone, Copy)]
struct Work {
    /// One after the other.
    in_order: u64,
    /// In loops that may have the lanes.
    shared: u64,
    /// Nobody asked for these loops, or says that they are independent.
    open: bool,
}

/// The work of one passage through the regions of `op`.
fn inside(ctx: &Context, op: Ptr<Operation>) -> Work {
    let mut all = Work {
        in_order: 1,
        shared: 0,
        open: true,
    };
    for region in regions_of(ctx, op) {
        for block in region.deref(ctx).iter(ctx) {
            for op in ops_of_block(ctx, block) {
                let work = work(ctx, op);
                all.in_order = all.in_order.saturating_add(work.in_order);
                all.shared = all.shared.saturating_add(work.shared);
                all.open &= work.open;
            }
        }
    }
    all
}

fn work(ctx: &Context, op: Ptr<Operation>) -> Work {
    let times = match Flow::of(ctx, op) {
        Flow::Loop(_) => FEW,
        Flow::For(_) => UNKNOWN,
        Flow::Shared => {
            Operation::get_op::<Loop>(op, ctx).map_or(UNKNOWN, |lp| iterations(ctx, lp))
        }
        Flow::If(_) | Flow::Switch(_) | Flow::Once => 1,
        Flow::Next | Flow::Yield | Flow::Break | Flow::Continue | Flow::Return => {
            return Work {
                in_order: 0,
                shared: 0,
                open: true,
            };
        }
    };
    let Work {
        in_order,
        shared,
        open,
    } = inside(ctx, op);
    let (in_order, shared) = (times.saturating_mul(in_order), times.saturating_mul(shared));
    let parallel = Operation::get_op::<Loop>(op, ctx)
        .filter(|lp| is_independent(ctx, *lp) && !applies(&lp.clauses(ctx).seq));
    match parallel {
        Some(lp) => Work {
            in_order: 0,
            shared: in_order.saturating_add(shared),
            open: is_open(ctx, lp),
        },
        None => Work {
            in_order,
            shared,
            open,
        },
    }
}

/// The number of iterations of a nest, as far as it is known.
fn iterations(ctx: &Context, lp: Loop) -> u64 {
    let bounds = lp.bounds(ctx).into_iter();
    let each = bounds.map(|bounds| count(ctx, bounds).unwrap_or(UNKNOWN));
    each.fold(1, u64::saturating_mul)
}

/// The iterations of the last dimension of a loop of several, if they are constant.
pub fn constant_columns(ctx: &Context, lp: Loop) -> Option<u64> {
    match lp.bounds(ctx).as_slice() {
        [_, .., last] => count(ctx, *last),
        [] | [_] => None,
    }
}

/// The number of iterations of a nest, if it is constant.
pub fn constant_iterations(ctx: &Context, lp: Loop) -> Option<u64> {
    let bounds = lp.bounds(ctx).into_iter();
    let each: Option<Vec<u64>> = bounds.map(|bounds| count(ctx, bounds)).collect();
    Some(each?.into_iter().fold(1, u64::saturating_mul))
}

fn count(ctx: &Context, (lower, upper, step): (Value, Value, Value)) -> Option<u64> {
    let known = |value: Value| known_expression(ctx, value, &|value| elements_between(ctx, value));
    let (lower, upper, step) = (known(lower)?, known(upper)?, known(step)?);
    let count = (upper - lower).unsigned_abs() / step.unsigned_abs().max(1);
    Some(u64::try_from(count).unwrap_or(u64::MAX))
}

/// How many elements a loop goes through whose counter is a pointer: `end - start`, where both begin at what one variable holds.
fn elements_between(ctx: &Context, value: Value) -> Option<i128> {
    let distance = Operation::get_op::<PtrDiff>(value.defining_op()?, ctx)?;
    let [end, start] = [
        distance.get_operand_end(ctx),
        distance.get_operand_start(ctx),
    ];
    let [(end, behind), (start, before)] = [place(ctx, end)?, place(ctx, start)?];
    (end == start).then_some(behind - before)
}

/// What an address is counted from, the variable that holds that if there is one, and the constant that has been added.
fn place(ctx: &Context, address: Value) -> Option<(Value, i128)> {
    let (mut at, mut elements) = (address, 0);
    while let Some(op) = at.defining_op() {
        if let Some(add) = Operation::get_op::<PtrAdd>(op, ctx) {
            elements += constant_expression(ctx, add.get_operand_index(ctx))?;
            at = add.get_operand_base(ctx);
        } else if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            return Some((load.get_operand_address(ctx), elements));
        } else if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            at = decay.get_operand(ctx);
        } else {
            break;
        }
    }
    Some((at, elements))
}
