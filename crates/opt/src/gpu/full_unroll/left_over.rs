//! What iterations become when their counter is a constant: arithmetic of the counter and constants folds, and of a branch that it decides one
//! arm stays. A nest whose indices are computed (`AT(i, j)` of a triangle by rows, a position in a ring) is several times as long before as
//! behind.
//!
//! ```text
//! core.for %p = 0 to 5 step 1 {
//!   %before = core.cmp LtS %k, %p               folds, as %k is a constant
//!   %at = core.select %before, …, …             folds
//!   %x = core.load %a[%at]                      1
//!   core.if (core.cmp Eq %k, %p) { …3 } else { …9 }   9 at most
//! }
//! ```
//!
//! Cost: linear in the size of the loop.

use accrue_dialects::core::{Bin, Cast, Cmp, For, If, Select, Un, fold::constant, int_width};
use accrue_ir::walk::{nested_ops, operands_of, ops_of_region, regions_of, results_of};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashSet;

use super::profit::yielded;

/// How many of the operations in `lp` go away when its counter is constant.
pub(super) fn gone(ctx: &Context, lp: For) -> usize {
    let body = lp.get_body(ctx, 0);
    let mut known = Known(HashSet::from([body.deref(ctx).get_argument(0)]));
    known.gone_in(ctx, lp.get_operation())
}

/// Values that are constants when the counter is.
struct Known(HashSet<Value>);

impl Known {
    /// How many operations inside of `op` go away.
    fn gone_in(&mut self, ctx: &Context, op: Ptr<Operation>) -> usize {
        let regions = regions_of(ctx, op);
        let inside = regions
            .into_iter()
            .flat_map(|region| ops_of_region(ctx, region));
        inside.map(|op| self.gone_at(ctx, op)).sum()
    }

    /// How many operations `op` and what is in it lose.
    fn gone_at(&mut self, ctx: &Context, op: Ptr<Operation>) -> usize {
        if self.folds(ctx, op) {
            self.0.extend(results_of(ctx, op));
            return 1;
        }
        let branch = Operation::get_op::<If>(op, ctx);
        if branch.is_some_and(|branch| self.is_known(ctx, branch.get_operand_cond(ctx))) {
            // The longer arm stays, without what folds there.
            let whole = nested_ops(ctx, op).len();
            let arms = regions_of(ctx, op).into_iter().map(|region| {
                let ops = ops_of_region(ctx, region);
                let all: usize = ops.iter().map(|op| nested_ops(ctx, *op).len() + 1).sum();
                let gone: usize = ops.into_iter().map(|op| self.gone_at(ctx, op)).sum();
                all - gone
            });
            let left = arms.max().unwrap_or(0);
            if yielded(ctx, op)
                .iter()
                .all(|value| self.is_known(ctx, *value))
            {
                self.0.extend(results_of(ctx, op));
            }
            return (whole + 1).saturating_sub(left);
        }
        self.gone_in(ctx, op)
    }

    /// Whether `op` is arithmetic of integers that are known.
    fn folds(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        let arithmetic = Operation::is_op::<Bin>(op, ctx)
            || Operation::is_op::<Cmp>(op, ctx)
            || Operation::is_op::<Un>(op, ctx)
            || Operation::is_op::<Cast>(op, ctx)
            || Operation::is_op::<Select>(op, ctx);
        arithmetic
            && results_of(ctx, op)
                .iter()
                .all(|value| int_width(ctx, value.get_type(ctx)).is_some())
            && operands_of(ctx, op)
                .into_iter()
                .all(|value| self.is_known(ctx, value))
    }

    fn is_known(&self, ctx: &Context, value: Value) -> bool {
        self.0.contains(&value) || constant(ctx, value).is_some()
    }
}
