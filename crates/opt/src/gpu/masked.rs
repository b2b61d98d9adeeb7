//! Iterations side by side that there may be or not, each one under a condition of its own: what is left over where a loop does several at a time.
//!
//! ```text
//! core.for k to n {                             k1 = k + 1;  more = k1 < n;  …
//!   x = load a[k]                               x0 = load a[k];  x1 = if more { load a[k1] } else { 0 };  …
//!   sum += f(x)                     →           sum += f(x0);  if more { sum += f(x1) }  …
//! }
//! ```
//! One after the other, each waits for its own loads; so they are under way together. What only computes is done in any case, and nobody
//! uses it where there is no iteration; what a division by zero gives on a GPU, and in OpenCL C (1.2, section 6.3), is some number. What touches memory, but for variables of the iteration's own, is asked for.
//!
//! Used by [`super::interleave`] and [`super::unroll`]. Cost: linear in what comes out.

use accrue_dialects::core::{Alloca, For, If, Load, Store, emit::Emitter};
use accrue_ir::{
    effects::is_pure,
    walk::{is_inside, results_of},
};
use pliron::{
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::analysis::straight::PureFunctions;

/// An iteration that is copied.
pub(super) struct Iteration {
    /// Whether there is one; none where that is certain.
    pub condition: Option<Value>,
    pub mapping: IrMapping,
}

impl Iteration {
    /// Copies an operation of `lp`'s body, under the condition if it needs that.
    pub fn copy(&mut self, e: &mut Emitter, op: Ptr<Operation>, lp: For, pure: &PureFunctions) {
        match asks(e.ctx, op, lp, pure) {
            true => self.copy_all(e, &[op]),
            false => {
                e.copy(op, &mut self.mapping);
            }
        }
    }

    /// Copies operations under the condition. What a single one gives is zero where it does not hold; what several give is used among them only.
    pub fn copy_all(&mut self, e: &mut Emitter, ops: &[Ptr<Operation>]) {
        let Some(condition) = self.condition.filter(|_| !ops.is_empty()) else {
            for op in ops {
                e.copy(*op, &mut self.mapping);
            }
            return;
        };
        let given = match ops {
            [op] => results_of(e.ctx, *op),
            _ => vec![],
        };
        let types: Vec<_> = given.iter().map(|value| value.get_type(e.ctx)).collect();
        let (choice, yes, no) = If::new(e.ctx, condition, types.clone());
        e.push(choice);
        e.at_end(yes);
        for op in ops {
            e.copy(*op, &mut self.mapping);
        }
        let copied = given
            .iter()
            .map(|value| self.mapping.lookup_value_or_default(*value));
        let copied = copied.collect();
        e.finish(copied);
        e.at_end(no);
        let zeros = types.into_iter().map(|ty| e.zero(ty)).collect();
        e.finish(zeros);
        e.go_after(choice.get_operation());
        for (value, result) in given.iter().zip(results_of(e.ctx, choice.get_operation())) {
            self.mapping.map_value(*value, result);
        }
    }
}

/// Whether an operation must not be done where there is no iteration.
fn asks(ctx: &Context, op: Ptr<Operation>, lp: For, pure: &PureFunctions) -> bool {
    let body = lp.get_operation().deref(ctx).get_region(0);
    let variable = |address: Value| {
        let op = address.defining_op();
        op.filter(|op| Operation::is_op::<Alloca>(*op, ctx))
    };
    let reads = Operation::get_op::<Load>(op, ctx)
        .is_some_and(|load| variable(load.get_operand_address(ctx)).is_some());
    let writes_own = Operation::get_op::<Store>(op, ctx).is_some_and(|store| {
        variable(store.get_operand_address(ctx)).is_some_and(|op| is_inside(ctx, op, body))
    });
    let computes = is_pure(ctx, op) && op.deref(ctx).num_regions() == 0 || pure.is_called(ctx, op);
    !(reads || writes_own || computes || Operation::is_op::<Alloca>(op, ctx))
}
