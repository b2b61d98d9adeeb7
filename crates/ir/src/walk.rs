//! Collecting operations. A pass that changes the IR collects first and changes afterwards: a pliron borrow must not be
//! held across a change.

use crate::visits;
use pliron::{
    basic_block::BasicBlock,
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};

/// The operations of `block`, in order.
pub fn ops_of_block(ctx: &Context, block: Ptr<BasicBlock>) -> Vec<Ptr<Operation>> {
    let ops: Vec<_> = block.deref(ctx).iter(ctx).collect();
    visits::note(ops.len());
    ops
}

/// The operations directly in `region`, block after block.
pub fn ops_of_region(ctx: &Context, region: Ptr<Region>) -> Vec<Ptr<Operation>> {
    let mut found = vec![];
    for block in region.deref(ctx).iter(ctx) {
        found.extend(block.deref(ctx).iter(ctx));
    }
    visits::note(found.len());
    found
}

/// The regions of `op`.
pub fn regions_of(ctx: &Context, op: Ptr<Operation>) -> Vec<Ptr<Region>> {
    op.deref(ctx).regions().collect()
}

/// The operands of `op`.
pub fn operands_of(ctx: &Context, op: Ptr<Operation>) -> Vec<Value> {
    op.deref(ctx).operands().collect()
}

/// The results of `op`.
pub fn results_of(ctx: &Context, op: Ptr<Operation>) -> Vec<Value> {
    op.deref(ctx).results().collect()
}

/// All operations nested in `op` (without `op`), each before the ones inside it.
pub fn nested_ops(ctx: &Context, op: Ptr<Operation>) -> Vec<Ptr<Operation>> {
    let mut found = vec![];
    for region in op.deref(ctx).regions() {
        nested_in_region(ctx, region, &mut found);
    }
    found
}

/// Appends all operations inside `region` to `found`, each before the ones inside it.
pub fn nested_in_region(ctx: &Context, region: Ptr<Region>, found: &mut Vec<Ptr<Operation>>) {
    // The walk that every pass begins with: nothing is collected on the way.
    for block in region.deref(ctx).iter(ctx) {
        for op in block.deref(ctx).iter(ctx) {
            visits::note(1);
            found.push(op);
            for inner in op.deref(ctx).regions() {
                nested_in_region(ctx, inner, found);
            }
        }
    }
}

/// All operations of type `T` nested in `op`, outer before inner.
pub fn nested<T: Op>(ctx: &Context, op: Ptr<Operation>) -> Vec<T> {
    nested_ops(ctx, op)
        .into_iter()
        .filter_map(|o| Operation::get_op::<T>(o, ctx))
        .collect()
}

/// The operations of type `T` directly in `op`, as the functions of a module are: without a walk through all that is in those.
pub fn directly_in<T: Op>(ctx: &Context, op: Ptr<Operation>) -> Vec<T> {
    let regions = regions_of(ctx, op).into_iter();
    let inside = regions.flat_map(|region| ops_of_region(ctx, region));
    inside
        .filter_map(|o| Operation::get_op::<T>(o, ctx))
        .collect()
}

/// Whether `op` is inside `region`, at any depth.
pub fn is_inside(ctx: &Context, op: Ptr<Operation>, region: Ptr<Region>) -> bool {
    let mut at = op.deref(ctx).get_parent_region(ctx);
    while let Some(r) = at {
        visits::note(1);
        if r == region {
            return true;
        }
        at = r.deref(ctx).get_parent_region(ctx);
    }
    false
}

/// The nearest operation of type `T` around `op`.
pub fn enclosing<T: Op>(ctx: &Context, op: Ptr<Operation>) -> Option<T> {
    let mut at = op.deref(ctx).get_parent_op(ctx);
    while let Some(o) = at {
        visits::note(1);
        if let Some(found) = Operation::get_op::<T>(o, ctx) {
            return Some(found);
        }
        at = o.deref(ctx).get_parent_op(ctx);
    }
    None
}

/// Values used in `region` but defined outside it, in order of first use.
pub fn used_from_above(ctx: &Context, region: Ptr<Region>) -> Vec<Value> {
    let mut ops = vec![];
    nested_in_region(ctx, region, &mut ops);
    let mut found = vec![];
    for op in ops {
        for value in operands_of(ctx, op) {
            let inside = value
                .get_parent_region(ctx)
                .is_some_and(|r| r == region || is_region_inside(ctx, r, region));
            if !inside && !found.contains(&value) {
                found.push(value);
            }
        }
    }
    found
}

fn is_region_inside(ctx: &Context, inner: Ptr<Region>, outer: Ptr<Region>) -> bool {
    let owner = inner.deref(ctx).get_parent_op();
    is_inside(ctx, owner, outer)
}
