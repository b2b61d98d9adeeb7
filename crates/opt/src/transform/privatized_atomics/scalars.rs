//! Single numbers that lanes update atomically are added up in registers, and once for each loop over lanes.
//!
//! All threads of a device that update one number wait for each other; a copy in the gang's memory would only make that a gang's threads.
//! Each lane adds up what it has, and the lanes bring their sums together as a `reduction` clause would:
//!
//! ```text
//!                                                  store 0, %total    %0 = par.red_setup (load %total)
//! par.fork vector 1                                par.fork vector 1    %1 = par.red_init %0    store %1, %own
//!   for …: if (c) atomic r.sum += x          →       for …: if (c) store (load %own) + x, %own
//! par.join vector 1                                %2 = par.red_fini (load %own)    par.join vector 1
//!                                                  %3 = par.red_teardown %2    store %3, %total
//!                                                  if (load %total) != 0: atomic r.sum += load %total
//! ```
//!
//! Cost: linear in the updates and the loops over lanes.

use super::{PerGang, between, change, contains, elements::add_part};
use accrue_dialects::{
    core::{BinKind, emit::Emitter},
    par::{
        Fork, Level, Lock, RedFini, RedInit, RedSetup, RedTeardown, ReductionId, ReductionInfo,
        ReductionOp, ReductionOperator, Unlock,
    },
};
use accrue_ir::walk::{nested, nested_ops, ops_of_block};
use pliron::{
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
};

/// A loop over lanes, and the updates in it.
struct InLanes {
    fork: Fork,
    join: Ptr<Operation>,
    updates: Vec<Ptr<Operation>>,
}

/// Adds up what the lanes of `func` add to the number that `copy` is about.
pub(super) fn add_up(ctx: &mut Context, func: FuncOp, copy: &PerGang) {
    for lanes in loops_over_lanes(ctx, func, copy) {
        in_registers(ctx, func, copy, &lanes);
    }
}

/// The loops over lanes that the updates are in, each update in one.
fn loops_over_lanes(ctx: &Context, func: FuncOp, copy: &PerGang) -> Vec<InLanes> {
    let forks = nested::<Fork>(ctx, func.get_operation()).into_iter();
    let of_lanes = forks.filter(|fork| fork.level(ctx) == Level::Vector);
    let found = of_lanes.filter_map(|fork| {
        let inside = between(ctx, fork);
        let updates = copy.places.updates.iter().map(|update| update.op);
        let updates = updates.filter(|op| contains(&inside, ctx, *op).is_some());
        let updates: Vec<_> = updates.collect();
        // The join stands behind what is between.
        let last = inside.last().copied().unwrap_or(fork.get_operation());
        let block = ops_of_block(ctx, last.deref(ctx).get_parent_block()?);
        let join = *block.iter().skip_while(|op| **op != last).nth(1)?;
        (!updates.is_empty()).then_some(InLanes {
            fork,
            join,
            updates,
        })
    });
    found.collect()
}

fn in_registers(ctx: &mut Context, func: FuncOp, copy: &PerGang, lanes: &InLanes) {
    let id = lanes.fork.loop_id(ctx);
    let info = ReductionInfo {
        level: Level::Vector,
        operator: operator(copy.merge),
        signed: true,
        id: ReductionId {
            loop_id: id,
            reduction_id: unused(ctx, func, id),
        },
    };
    let mut e = Emitter::before(ctx, lanes.fork.get_operation());
    let zero = e.zero(copy.places.element);
    let total = e.alloca(copy.places.element, None);
    e.store(zero, total);
    let start = e.load(total);
    let local = e.op(|ctx| RedSetup::new(ctx, info, start, None));
    let local = local.get_operation().deref(e.ctx).get_result(0);
    e.go_after(lanes.fork.get_operation());
    let local = e.op(|ctx| RedInit::new(ctx, info, local, None));
    let local = local.get_operation().deref(e.ctx).get_result(0);
    let own = e.alloca(copy.places.element, None);
    e.store(local, own);
    for update in &lanes.updates {
        let mut e = Emitter::before(ctx, *update);
        change(&mut e, *update, own, false);
        Operation::erase(*update, e.ctx);
    }
    let (lock, unlock) = locked(ctx, lanes, id);
    let mut e = Emitter::before(ctx, lock);
    let local = e.load(own);
    let mut e = Emitter::before(ctx, unlock);
    let local = e.op(|ctx| RedFini::new(ctx, info, local, None));
    let local = local.get_operation().deref(e.ctx).get_result(0);
    e.go_after(lanes.join);
    let part = e.op(|ctx| RedTeardown::new(ctx, info, local, None));
    let part = part.get_operation().deref(e.ctx).get_result(0);
    e.store(part, total);
    let part = e.load(total);
    let first = e.i64(0);
    add_part(&mut e, copy, first, part);
}

/// Where the lanes of a loop bring together what they have, one after the other: all its reductions do it in one place.
fn locked(ctx: &mut Context, lanes: &InLanes, id: u32) -> (Ptr<Operation>, Ptr<Operation>) {
    let inside = between(ctx, lanes.fork).into_iter();
    let is_own = |level, loop_id| level == Level::Vector && loop_id == id;
    let (mut lock, mut unlock) = (None, None);
    for op in inside {
        let begins = Operation::get_op::<Lock>(op, ctx);
        let ends = Operation::get_op::<Unlock>(op, ctx);
        if begins.is_some_and(|it| is_own(it.level(ctx), it.loop_id(ctx))) {
            lock = Some(op);
        }
        if ends.is_some_and(|it| is_own(it.level(ctx), it.loop_id(ctx))) {
            unlock = Some(op);
        }
    }
    if let (Some(lock), Some(unlock)) = (lock, unlock) {
        return (lock, unlock);
    }
    let mut e = Emitter::before(ctx, lanes.join);
    let lock = e.op(|ctx| Lock::new(ctx, Level::Vector, id));
    let unlock = e.op(|ctx| Unlock::new(ctx, Level::Vector, id));
    (lock.get_operation(), unlock.get_operation())
}

fn operator(merge: BinKind) -> ReductionOperator {
    match merge {
        BinKind::Or => ReductionOperator::BitOr,
        BinKind::Xor => ReductionOperator::BitXor,
        _ => ReductionOperator::Add,
    }
}

/// A number that no reduction of the loop has.
fn unused(ctx: &Context, func: FuncOp, id: u32) -> u32 {
    let of_loop = |op: Ptr<Operation>| {
        let op = Operation::get_op_dyn(op, ctx);
        let reduction = op_cast::<dyn ReductionOp>(&*op)?.info(ctx).id;
        (reduction.loop_id == id).then_some(reduction.reduction_id + 1)
    };
    let all = nested_ops(ctx, func.get_operation()).into_iter();
    all.filter_map(of_loop).max().unwrap_or(0)
}
