//! Variables that a compute construct needs for the result of a reduction only.
//!
//! Inside a reduction a variable means the thread's own LOCAL, so that often nothing but the reduction touches the variable
//! itself: one thread reads it and writes it, once. Such a scalar need not be on the device; the runtime can keep it in
//! memory that host and device share (the flag `result`).
//!
//! ```text
//! #pragma acc parallel loop reduction(+:s)                       s: a result
//! #pragma acc parallel loop reduction(+:s) … a[i] = s …          s: a result (inside the loop s is LOCAL)
//! #pragma acc parallel      …  if (s > 0) … loop reduction(+:s)  s: read by the construct too
//! ```

use accrue_dialects::{
    core::{is_scalar, pointee},
    par::{Kernel, ReductionOp},
};
use accrue_hostcall::{Action, SiteVar};
use pliron::{
    builtin::ops::FuncOp, context::Context, op::op_cast, operation::Operation, value::Value,
};

/// Whether parameter `index` of the kernels of a construct, which is `var`, is a result.
pub fn is_result(ctx: &Context, kernels: &[(Kernel, FuncOp)], index: usize, var: &SiteVar) -> bool {
    let flags = var.flags;
    let plain = var.action == Action::Copy && var.dims.is_empty();
    let modified = flags.zero || flags.always_in || flags.always_out || flags.capture;
    if !plain || modified || flags.attach {
        return false;
    }
    let mut used = false;
    for (_, func) in kernels {
        let parameter = func.get_entry_block(ctx).deref(ctx).get_argument(index);
        used |= !parameter.uses(ctx).is_empty();
        let scalar = pointee(ctx, parameter).is_some_and(|ty| is_scalar(ctx, ty));
        if !scalar || !only_reduced(ctx, *func, parameter) {
            return false;
        }
    }
    used
}

/// Whether all uses of a parameter are reductions into it that the kernel executes once.
fn only_reduced(ctx: &Context, func: FuncOp, parameter: Value) -> bool {
    let entry = Some(func.get_entry_block(ctx));
    parameter.uses(ctx).into_iter().all(|used| {
        let op = used.user_op();
        let object = Operation::get_op_dyn(op, ctx);
        let result = op_cast::<dyn ReductionOp>(&*object).and_then(|r| r.result_ref(ctx));
        result == Some(parameter) && op.deref(ctx).get_parent_block() == entry
    })
}
