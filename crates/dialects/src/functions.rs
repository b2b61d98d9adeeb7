//! What holds in every function, whichever dialect its operations are of.

use crate::{
    View,
    core::CoreOp,
    ends::verify_end,
    par::{Builtin, Level, ReductionOp, kernels},
};
use accrue_ir::walk::nested_ops;
use pliron::{
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    derive::{op_interface, op_interface_impl},
    op::{Op, op_cast},
    operation::Operation,
    result::Result,
    verify_err,
};
use std::collections::HashSet;

/// A function of accrue's: it ends in `core.return`, and has each reduction builtin of a reduction once.
#[op_interface]
pub trait FunctionRules {
    fn verify(op: &dyn Op, ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        if op.get_operation().deref(ctx).num_regions() == 0 {
            return verify_err!(op.loc(ctx), "a function has a body");
        }
        let returns = |end: &View| matches!(end, View::Core(CoreOp::Return(_)));
        verify_end(ctx, op, 0, returns, "core.return")?;
        kernels::verify(ctx, op)?;
        let mut seen = HashSet::new();
        for inner in nested_ops(ctx, op.get_operation()) {
            if let Some((name, level, loop_id, id)) = builtin(ctx, inner)
                && !seen.insert((name, level, loop_id, id))
            {
                let loc = inner.deref(ctx).loc().clone();
                return verify_err!(
                    loc,
                    "`{name}` of the reduction ({loop_id},{id}) stands twice"
                );
            }
        }
        Ok(())
    }
}

#[op_interface_impl]
impl FunctionRules for FuncOp {}

/// Which builtin of which reduction `op` is.
fn builtin(ctx: &Context, op: Ptr<Operation>) -> Option<(&'static str, Level, u32, u32)> {
    let name = Builtin::of(ctx, op)?.name();
    let object = Operation::get_op_dyn(op, ctx);
    let info = op_cast::<dyn ReductionOp>(&*object)?.info(ctx);
    Some((name, info.level, info.id.loop_id, info.id.reduction_id))
}
