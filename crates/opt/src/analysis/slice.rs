//! Computing a value again inside a region.
//!
//! A value that is computed before a construct from constants, extents and variables can be computed by the region itself,
//! as long as nothing wrote to the variables in between.

use accrue_dialects::{
    address_use::{UseKind, use_of},
    core::Load,
    flow::Flow,
};
use accrue_ir::{
    effects::{Effect, effects_of, is_pure},
    walk,
};
use pliron::{
    context::{Context, Ptr},
    irbuild::{
        cloning::{IrMapping, clone_operation},
        inserter::{Inserter, OpInsertionPoint},
        listener::DummyListener,
        rewriter::IRRewriter,
    },
    linked_list::LinkedList,
    operation::Operation,
    value::Value,
};

use crate::analysis::variables::{Root, root_of};

/// Clones the computation of `value` to `point` and gives the clone's result; addresses of variables stay as they are, but
/// for those that `mapping` has copies of.
/// `before`: the operation before which the value was good. `Err`: the operation that cannot be computed again.
pub fn recompute(
    ctx: &mut Context,
    value: Value,
    point: OpInsertionPoint,
    before: Ptr<Operation>,
    mapping: &mut IrMapping,
) -> Result<Value, Option<Ptr<Operation>>> {
    if let Some(done) = mapping.lookup_value(value) {
        return Ok(done);
    }
    if root_of(ctx, value).is_some() {
        return Ok(value);
    }
    let op = value.defining_op().ok_or(None)?;
    let loaded = Operation::get_op::<Load>(op, ctx).map(|l| l.get_operand_address(ctx));
    let from_copy = loaded.is_some_and(|address| mapping.lookup_value(address).is_some());
    if !from_copy && !is_repeatable(ctx, op, before) {
        return Err(Some(op));
    }
    let mut needed = walk::operands_of(ctx, op);
    for region in walk::regions_of(ctx, op) {
        needed.extend(walk::used_from_above(ctx, region));
    }
    for operand in needed {
        let new = recompute(ctx, operand, point, before, mapping)?;
        mapping.map_value(operand, new);
    }
    let mut rewriter = IRRewriter::<DummyListener>::default();
    let clone = clone_operation(op, ctx, &mut rewriter, mapping);
    rewriter.set_insertion_point(point);
    rewriter.insert_operation(ctx, clone);
    let index = value.try_find_index(ctx).map_err(|_| Some(op))?;
    let new = clone.deref(ctx).get_result(index);
    mapping.map_value(value, new);
    Ok(new)
}

/// Whether `op` gives the same again at `before`: it is pure, or a load with no write between it and `before`.
fn is_repeatable(ctx: &Context, op: Ptr<Operation>, before: Ptr<Operation>) -> bool {
    is_repeatable_at(ctx, op, op, before)
}

/// The same for an operation in `outermost`, or that itself.
fn is_repeatable_at(
    ctx: &Context,
    op: Ptr<Operation>,
    outermost: Ptr<Operation>,
    before: Ptr<Operation>,
) -> bool {
    match Flow::of(ctx, op) {
        // `c ? a : b`, `a && b`.
        Flow::If(_) => {
            return op.deref(ctx).get_num_results() > 0
                && walk::regions_of(ctx, op)
                    .into_iter()
                    .flat_map(|region| walk::ops_of_region(ctx, region))
                    .all(|inner| is_repeatable_at(ctx, inner, outermost, before));
        }
        Flow::Yield => return op != outermost,
        _ if op.deref(ctx).num_regions() > 0 => return false,
        _ if is_pure(ctx, op) => return true,
        _ => {}
    }
    match Operation::get_op::<Load>(op, ctx) {
        Some(load) => {
            !load.is_volatile(ctx)
                && (no_write_between(ctx, outermost, before)
                    || is_unwritten(ctx, outermost, load.get_operand_address(ctx)))
        }
        None => false,
    }
}

/// Whether memory may be other behind `op`: it writes, other threads do where it waits for them, or something inside it may.
pub fn may_write(ctx: &Context, op: Ptr<Operation>) -> bool {
    match Flow::of(ctx, op) {
        Flow::If(_) => {
            return walk::regions_of(ctx, op)
                .into_iter()
                .flat_map(|region| walk::ops_of_region(ctx, region))
                .any(|inner| Flow::of(ctx, inner) != Flow::Yield && may_write(ctx, inner));
        }
        _ if op.deref(ctx).num_regions() > 0 => return true,
        _ => {}
    }
    let effects = effects_of(ctx, op);
    effects.expected().iter().any(|effect| match effect {
        Effect::Write(_) | Effect::Free(_) | Effect::Convergent | Effect::Structure => true,
        Effect::Read(_) | Effect::Alloc => false,
    })
}

/// Whether `address` is a local variable that cannot change in the region that `load` is directly in: its address goes
/// nowhere, and all stores are outside.
fn is_unwritten(ctx: &Context, load: Ptr<Operation>, address: Value) -> bool {
    let Some(Root::Local(alloca)) = root_of(ctx, address) else {
        return false;
    };
    let Some(region) = load.deref(ctx).get_parent_region(ctx) else {
        return false;
    };
    alloca.uses(ctx).into_iter().all(|u| {
        let op = u.user_op();
        match use_of(ctx, op, u.find_index(ctx)) {
            UseKind::Write { .. } | UseKind::Update { .. } => !walk::is_inside(ctx, op, region),
            UseKind::Read { .. } | UseKind::Look | UseKind::Clause => true,
            UseKind::Derive | UseKind::Pass | UseKind::Keep => false,
        }
    })
}

/// Whether nothing writes between `op` and `before` in their common block, or in the blocks around `before` up to it.
fn no_write_between(ctx: &Context, op: Ptr<Operation>, before: Ptr<Operation>) -> bool {
    let block = op.deref(ctx).get_parent_block();
    let mut at = before;
    loop {
        let mut previous = at.deref(ctx).get_prev();
        while let Some(p) = previous {
            if p == op {
                return true;
            }
            if may_write(ctx, p) {
                return false;
            }
            previous = p.deref(ctx).get_prev();
        }
        if at.deref(ctx).get_parent_block() == block {
            return false;
        }
        match at.deref(ctx).get_parent_op(ctx) {
            Some(parent) => at = parent,
            None => return false,
        }
    }
}
