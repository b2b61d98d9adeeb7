//! What of a body is the same for neighbouring rows.
//!
//! ```text
//! for k { s += a[row * n + k] * b[k * n + column] }      same: k, b[…], the loop's bounds       not: a[…], s
//! ```
//! A value depends on the row if something does that it is made from: an operand, what was stored in the local variable that
//! it is loaded from, or the branch that the store is in. Memory counts as the same wherever the address does (see
//! [`crate::gpu::rows`]); what is written there is written by each row.
//!
//! One condition of the body may be the guard of what all rows do together where it holds for all: what is the same there is the same
//! for those rows.

use accrue_dialects::{
    core::{Alloca, For, If, Load, Store},
    flow::Flow,
};
use accrue_ir::{
    effects::is_pure,
    walk::{nested_ops, operands_of, ops_of_block, results_of},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashSet;

use crate::analysis::straight::PureFunctions;

/// The values that depend on the row, local variables by their address.
pub struct Same {
    varying: HashSet<Value>,
    pub guard: Option<Guard>,
}

/// A condition of a body, and the number of its side that all rows may be in together.
#[derive(Clone, Copy)]
pub struct Guard {
    pub branch: If,
    pub side: usize,
}

impl Same {
    /// Of the operations `inside` the body for `places`: a row, or a row and a column.
    pub fn of(
        ctx: &Context,
        inside: &[Ptr<Operation>],
        (places, guard): (&[Value], Option<Guard>),
        pure: &PureFunctions,
    ) -> Same {
        let mut same = Same {
            varying: places.iter().copied().collect(),
            guard,
        };
        same.settle(ctx, inside, None, pure);
        same
    }

    /// For one of the places of `whole`. What each body has for itself there, it has here: a loop is not written once for some and
    /// several times for others.
    pub fn of_one(
        ctx: &Context,
        inside: &[Ptr<Operation>],
        (place, whole): (Value, &Same),
        pure: &PureFunctions,
    ) -> Same {
        let mut same = Same {
            varying: HashSet::from([place]),
            guard: whole.guard,
        };
        same.settle(ctx, inside, Some(whole), pure);
        same
    }

    fn settle(
        &mut self,
        ctx: &Context,
        inside: &[Ptr<Operation>],
        whole: Option<&Same>,
        pure: &PureFunctions,
    ) {
        loop {
            let before = self.varying.len();
            for op in inside {
                self.visit(ctx, *op, whole, pure);
            }
            if self.varying.len() == before {
                return;
            }
        }
    }

    pub fn varies(&self, value: Value) -> bool {
        self.varying.contains(&value)
    }

    /// Whether one copy of `op` does for all rows.
    pub fn is_once(&self, ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
        let same = |value: Value| !self.varies(value);
        if !operands_of(ctx, op).into_iter().all(same) {
            return false;
        }
        if op.deref(ctx).num_regions() > 0 {
            return false;
        }
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            return variable(ctx, store.get_operand_address(ctx)).is_some();
        }
        if let Some(alloca) = Operation::get_op::<Alloca>(op, ctx) {
            return same(alloca.get_result(ctx));
        }
        is_pure(ctx, op) || Operation::is_op::<Load>(op, ctx) || pure.is_called(ctx, op)
    }

    fn visit(
        &mut self,
        ctx: &Context,
        op: Ptr<Operation>,
        whole: Option<&Same>,
        pure: &PureFunctions,
    ) {
        if let Some(lp) = Operation::get_op::<For>(op, ctx) {
            let together = whole.is_none_or(|whole| whole.has_same_bounds(ctx, lp));
            if !together || !self.has_same_bounds(ctx, lp) {
                let counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
                self.varying.insert(counter);
                self.all_inside(ctx, op);
            }
            return;
        }
        match Flow::of(ctx, op) {
            // Loops of levels, with bounds like others.
            Flow::Shared => {
                if operands_of(ctx, op).into_iter().any(|it| self.varies(it)) {
                    let body = op.deref(ctx).get_region(0).deref(ctx).get_head();
                    let counters = body.into_iter().flat_map(|it| arguments_of(ctx, it));
                    self.varying.extend(counters);
                    self.all_inside(ctx, op);
                }
                return;
            }
            Flow::Loop(_) | Flow::Switch(_) => {
                self.varying.extend(results_of(ctx, op));
                self.all_inside(ctx, op);
                return;
            }
            Flow::For(_) | Flow::If(_) | Flow::Next | Flow::Once => {}
            Flow::Yield | Flow::Break | Flow::Continue | Flow::Return => {}
        }
        if let Some(guard) = self.guard.filter(|it| it.branch.get_operation() == op) {
            // What all rows do together in it is no more than theirs behind it.
            self.varying.extend(written_of_outside(ctx, guard.branch));
            let other = ops_of_block(ctx, guard.branch.get_body(ctx, 1 - guard.side));
            for op in other {
                self.each_for_itself(ctx, op);
                self.all_inside(ctx, op);
            }
            return;
        }
        if Operation::is_op::<If>(op, ctx) {
            // Each row has its own branches.
            self.varying.extend(results_of(ctx, op));
            self.all_inside(ctx, op);
            return;
        }
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            let address = store.get_operand_address(ctx);
            if self.varies(store.get_operand_value(ctx)) && variable(ctx, address).is_some() {
                self.varying.insert(address);
            }
            return;
        }
        if !Operation::is_op::<Alloca>(op, ctx) && !self.is_once(ctx, op, pure) {
            self.varying.extend(results_of(ctx, op));
        }
    }

    /// What is inside `op` is done by each row for itself.
    fn all_inside(&mut self, ctx: &Context, op: Ptr<Operation>) {
        for op in nested_ops(ctx, op) {
            self.each_for_itself(ctx, op);
        }
    }

    fn each_for_itself(&mut self, ctx: &Context, op: Ptr<Operation>) {
        self.varying.extend(results_of(ctx, op));
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            self.varying
                .extend(variable(ctx, store.get_operand_address(ctx)));
        }
    }

    pub fn has_same_bounds(&self, ctx: &Context, lp: For) -> bool {
        let bounds = operands_of(ctx, lp.get_operation());
        !bounds.into_iter().any(|value| self.varies(value))
    }
}

fn arguments_of(ctx: &Context, block: Ptr<BasicBlock>) -> Vec<Value> {
    block.deref(ctx).arguments().collect()
}

/// The local variables from outside of it that a condition's operations write.
fn written_of_outside(ctx: &Context, branch: If) -> Vec<Value> {
    let inside = nested_ops(ctx, branch.get_operation());
    let all: HashSet<_> = inside.iter().copied().collect();
    let stores = inside
        .iter()
        .filter_map(|op| Operation::get_op::<Store>(*op, ctx));
    stores
        .filter_map(|store| variable(ctx, store.get_operand_address(ctx)))
        .filter(|variable| variable.defining_op().is_some_and(|op| !all.contains(&op)))
        .collect()
}

/// The local variable whose address this is.
pub fn variable(ctx: &Context, address: Value) -> Option<Value> {
    let op = address.defining_op()?;
    Operation::is_op::<Alloca>(op, ctx).then_some(address)
}

/// Whether something of `inside` writes a variable that is made outside of `nest`, or uses the address of a variable for
/// more than loads and stores.
pub fn writes_outside(ctx: &Context, nest: Ptr<Operation>, inside: &[Ptr<Operation>]) -> bool {
    let all: HashSet<_> = inside.iter().copied().chain([nest]).collect();
    inside.iter().any(|op| {
        let load = Operation::is_op::<Load>(*op, ctx);
        let store = Operation::get_op::<Store>(*op, ctx);
        operands_of(ctx, *op).into_iter().any(|value| {
            let Some(made) = variable(ctx, value).and_then(|v| v.defining_op()) else {
                return false;
            };
            let stored = store.is_some_and(|s| s.get_operand_value(ctx) == value);
            match store {
                Some(_) => stored || !all.contains(&made),
                None => !load,
            }
        })
    })
}
