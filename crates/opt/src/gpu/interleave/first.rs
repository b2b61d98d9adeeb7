//! What goes first when iterations run side by side: variables that each iteration moves on from what they hold and from nothing that
//! it loads.
//!
//! ```text
//! j = load column                                    j0 = load column;  store next(j0), column
//! store next(j), column                              j1 = load column;  store next(j1), column
//! x = load a[j]                               →      x0 = load a[j0];  x1 = load a[j1]
//! store (load sum) + x, sum                          store (load sum) + x0, sum;  store (load sum) + x1, sum
//! ```
//! The places of a thread in a collapsed loop are such variables, and so is an index that the source advances by hand. They keep
//! their order among each other, and what depends on them runs side by side.
//!
//! Cost: the number of such variables times the size of the loop.

use accrue_dialects::core::{For, Load, Store};
use accrue_ir::{
    effects::is_pure,
    walk::{is_inside, operands_of},
};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashSet;

use super::{alloca_of, body_of};

/// Operations of a body that go first, in their order.
#[derive(Default)]
pub(super) struct First {
    pub variables: HashSet<Value>,
    pub ops: HashSet<Ptr<Operation>>,
}

/// Those of `lp`, of whose variables `carried` live longer than an iteration.
pub(super) fn moved_on(ctx: &Context, lp: For, carried: &HashSet<Value>) -> First {
    let mut variables: HashSet<Value> = carried
        .iter()
        .copied()
        .filter(|variable| is_plain(ctx, lp, *variable))
        .collect();
    loop {
        let mut first = First {
            variables: variables.clone(),
            ops: HashSet::new(),
        };
        variables.retain(|variable| first.take(ctx, lp, *variable));
        if variables.len() == first.variables.len() {
            return first;
        }
    }
}

/// Whether the body itself, and nothing nested in it, loads and stores the variable.
fn is_plain(ctx: &Context, lp: For, variable: Value) -> bool {
    let body = lp.get_body(ctx, 0);
    let region = lp.get_operation().deref(ctx).get_region(0);
    let users = variable.uses(ctx).into_iter().map(|u| u.user_op());
    alloca_of(ctx, variable).is_some()
        && users
            .filter(|op| is_inside(ctx, *op, region))
            .all(|op| op.deref(ctx).get_parent_block() == Some(body))
}

impl First {
    /// Takes the operations that move `variable` on; `false` if they need something else than variables of `self`.
    fn take(&mut self, ctx: &Context, lp: For, variable: Value) -> bool {
        body_of(ctx, lp).into_iter().all(|op| {
            if let Some(store) = Operation::get_op::<Store>(op, ctx) {
                let stored = store.get_operand_address(ctx) == variable;
                return !stored || {
                    self.ops.insert(op);
                    self.take_value(ctx, lp, store.get_operand_value(ctx))
                };
            }
            let load = Operation::get_op::<Load>(op, ctx);
            if load.is_some_and(|load| load.get_operand_address(ctx) == variable) {
                self.ops.insert(op);
            }
            true
        })
    }

    /// Takes what computes `value`.
    fn take_value(&mut self, ctx: &Context, lp: For, value: Value) -> bool {
        let body = lp.get_body(ctx, 0);
        let made = value.defining_op();
        let Some(op) = made.filter(|op| op.deref(ctx).get_parent_block() == Some(body)) else {
            return true;
        };
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            return self.variables.contains(&load.get_operand_address(ctx));
        }
        let computes = is_pure(ctx, op) && op.deref(ctx).num_regions() == 0;
        computes
            && (!self.ops.insert(op)
                || operands_of(ctx, op)
                    .into_iter()
                    .all(|operand| self.take_value(ctx, lp, operand)))
    }
}
