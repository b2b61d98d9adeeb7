//! Indices that a loop computes by hand, which are as constant as its counter behind unrolling.
//!
//! ```text
//! v[k++] = …                                                                  counted by hand
//! for (t = 0, x = 1, y = 0; t < 24; t++) { int d = (2 * x + 3 * y) % 5; … b[d][y] …; x = y; y = d; }      known by hand
//! ```

use crate::analysis::variables::is_local_scalar;
use accrue_dialects::core::{Bin, Cast, For, Load, Store, fold::constant};
use accrue_ir::walk::{is_inside, operands_of, regions_of};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashSet;

/// Whether an index is what a local variable holds, or so much more, to which one store, that every iteration comes to, adds a constant.
pub(super) fn is_counted_by_hand(ctx: &Context, lp: For, index: Value) -> bool {
    let Some(variable) = held_apart_from_constants(ctx, index) else {
        return false;
    };
    let users = variable.uses(ctx).into_iter().map(|using| using.user_op());
    let region = lp.get_operation().deref(ctx).get_region(0);
    let inside: Vec<Store> = users
        .filter_map(|op| Operation::get_op::<Store>(op, ctx))
        .filter(|store| is_inside(ctx, store.get_operation(), region))
        .collect();
    let [store] = inside.as_slice() else {
        return false;
    };
    let mut around = store.get_operation();
    while around != lp.get_operation() {
        match around.deref(ctx).get_parent_op(ctx) {
            Some(op) if Operation::is_op::<For>(op, ctx) => around = op,
            Some(_) | None => return false,
        }
    }
    let counts = held_apart_from_constants(ctx, store.get_operand_value(ctx)) == Some(variable);
    counts && is_local_scalar(ctx, variable)
}

/// Whether an index is computed from constants, the counter and local variables that hold, in each iteration, what is computed so.
pub(super) fn is_known_by_hand(ctx: &Context, lp: For, index: Value) -> bool {
    let operation = lp.get_operation();
    let region = operation.deref(ctx).get_region(0);
    let iv = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    let (mut variables, mut open, mut seen) = (HashSet::new(), vec![index], HashSet::new());
    while let Some(value) = open.pop() {
        if value == iv || constant(ctx, value).is_some() || !seen.insert(value) {
            continue;
        }
        let Some(op) = value.defining_op() else {
            return false;
        };
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            let variable = load.get_operand_address(ctx);
            if !is_local_scalar(ctx, variable) {
                return false;
            }
            if variables.insert(variable) {
                let Some(stored) = stored_in_all_iterations(ctx, lp, variable) else {
                    return false;
                };
                open.extend(stored);
            }
        } else if Operation::is_op::<Bin>(op, ctx) || Operation::is_op::<Cast>(op, ctx) {
            open.extend(operands_of(ctx, op));
        } else {
            return false;
        }
    }
    !variables.is_empty()
        && variables.into_iter().all(|variable| {
            let declared = variable.defining_op();
            declared.is_some_and(|op| is_inside(ctx, op, region))
                || begins_constant(ctx, operation, variable)
        })
}

/// What a loop stores into a local variable, if every iteration comes to all of these stores.
fn stored_in_all_iterations(ctx: &Context, lp: For, variable: Value) -> Option<Vec<Value>> {
    let region = lp.get_operation().deref(ctx).get_region(0);
    let body = Some(lp.get_body(ctx, 0));
    let mut stored = vec![];
    for using in variable.uses(ctx) {
        let op = using.user_op();
        if Operation::is_op::<Load>(op, ctx) || !is_inside(ctx, op, region) {
            continue;
        }
        let store = Operation::get_op::<Store>(op, ctx)?;
        if op.deref(ctx).get_parent_block() != body {
            return None;
        }
        stored.push(store.get_operand_value(ctx));
    }
    Some(stored)
}

/// Whether what a variable holds in front of a loop is a constant that is stored there.
fn begins_constant(ctx: &Context, lp: Ptr<Operation>, variable: Value) -> bool {
    let mut at = lp.deref(ctx).get_prev();
    while let Some(op) = at {
        if let Some(store) = Operation::get_op::<Store>(op, ctx)
            && store.get_operand_address(ctx) == variable
        {
            return constant(ctx, store.get_operand_value(ctx)).is_some();
        }
        if op.deref(ctx).num_regions() > 0
            && (variable.uses(ctx).into_iter()).any(|using| {
                regions_of(ctx, op)
                    .iter()
                    .any(|region| is_inside(ctx, using.user_op(), *region))
            })
        {
            return false;
        }
        at = op.deref(ctx).get_prev();
    }
    false
}

/// The variable whose value, and constants, this is made of.
pub(super) fn held_apart_from_constants(ctx: &Context, value: Value) -> Option<Value> {
    let mut at = value;
    loop {
        let op = at.defining_op()?;
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            return Some(load.get_operand_address(ctx));
        }
        let sum = Operation::get_op::<Bin>(op, ctx)?;
        sum.kind(ctx).ring()?;
        constant(ctx, sum.get_operand_rhs(ctx))?;
        at = sum.get_operand_lhs(ctx);
    }
}
