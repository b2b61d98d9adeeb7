//! Dead-code elimination: operations whose results nobody uses, and variables that are only written.
//!
//! ```text
//! %x = core.alloca : f64                     (nothing)
//! core.store %v, %x
//! %y = core.bin FAdd %v, %v : f64
//! ```
//! Erase bottom up, users before what they use, until nothing is found. What an operation may do says its [effect]; volatile
//! accesses stay.
//!
//! Cost: linear in the size of the region for each round; a second round finds variables whose loads the first one erased.
//!
//! [effect]: mod@accrue_ir::effects

use super::{Alloca, Load, Store};
use accrue_ir::{effects::is_pure, walk};
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
    region::Region,
    value::Value,
};

/// Erases dead operations inside `op`.
pub fn erase_dead(ctx: &mut Context, op: Ptr<Operation>) {
    for region in walk::regions_of(ctx, op) {
        erase_dead_in(ctx, region);
    }
}

/// Erases dead operations inside `region`.
pub fn erase_dead_in(ctx: &mut Context, region: Ptr<Region>) {
    let mut changed = true;
    while changed {
        changed = false;
        let mut ops = vec![];
        walk::nested_in_region(ctx, region, &mut ops);
        for op in ops.into_iter().rev() {
            if is_dead(ctx, op) {
                Operation::erase(op, ctx);
                changed = true;
            }
        }
    }
}

fn is_dead(ctx: &Context, op: Ptr<Operation>) -> bool {
    if op.deref(ctx).num_regions() > 0 {
        return false;
    }
    let unused = !op.deref(ctx).has_use();
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        return unused && !load.is_volatile(ctx);
    }
    if Operation::get_op::<Alloca>(op, ctx).is_some() {
        return unused;
    }
    if let Some(store) = Operation::get_op::<Store>(op, ctx) {
        let address = store.get_operand_address(ctx);
        let local = address
            .defining_op()
            .is_some_and(|d| Operation::get_op::<Alloca>(d, ctx).is_some());
        return local && !store.is_volatile(ctx) && only_written(ctx, address);
    }
    unused && op.deref(ctx).get_num_results() > 0 && is_pure(ctx, op)
}

/// Whether all uses of a variable are stores into it.
fn only_written(ctx: &Context, address: Value) -> bool {
    address.uses(ctx).into_iter().all(|u| {
        let store = Operation::get_op::<Store>(u.user_op(), ctx);
        store.is_some_and(|s| {
            s.get_operand_address(ctx) == address && s.get_operand_value(ctx) != address
        })
    })
}
