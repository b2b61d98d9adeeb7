//! How regions may end. The verifier of an operation with regions names the terminators that mean something in them.

use crate::{View, core::CoreOp};
use accrue_ir::walk::{operands_of, ops_of_block, ops_of_region};
use pliron::{
    basic_block::BasicBlock,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    result::Result,
    r#type::{TypeHandle, Typed},
    verify_err,
};

/// Refuses a region of `op` that does not end in a terminator that `allowed` takes; `what` names those.
pub fn verify_end(
    ctx: &Context,
    op: &dyn Op,
    region: usize,
    allowed: impl Fn(&View) -> bool,
    what: &str,
) -> Result<()> {
    let inside = ops_of_region(ctx, op.get_operation().deref(ctx).get_region(region));
    let fits = |end: &Ptr<Operation>| allowed(&View::of(ctx, *end));
    if !inside.last().is_some_and(fits) {
        return verify_err!(
            op.loc(ctx),
            "a region of `{}` ends in {what}",
            op.get_opid()
        );
    }
    Ok(())
}

/// Whether a body of statements may end so: it falls out at the end, or jumps.
pub fn is_statement_end(end: &View) -> bool {
    matches!(
        end,
        View::Core(CoreOp::Yield(_) | CoreOp::Break(_) | CoreOp::Continue(_) | CoreOp::Return(_))
    )
}

/// What [`is_statement_end`] takes.
pub const STATEMENT_ENDS: &str = "core.yield, core.break, core.continue or core.return";

/// Whether an iteration of a counted loop may end so.
pub fn is_iteration_end(end: &View) -> bool {
    matches!(end, View::Core(CoreOp::Yield(_) | CoreOp::Continue(_)))
}

/// Whether the end is a `core.yield`.
pub fn is_yield(end: &View) -> bool {
    matches!(end, View::Core(CoreOp::Yield(_)))
}

/// The types of what the `core.yield` at the end of `block` gives; `None` if the block ends otherwise.
pub fn yielded(ctx: &Context, block: Ptr<BasicBlock>) -> Option<Vec<TypeHandle>> {
    let end = ops_of_block(ctx, block).last().copied()?;
    let types = |end| operands_of(ctx, end).into_iter().map(|v| v.get_type(ctx));
    is_yield(&View::of(ctx, end)).then(|| types(end).collect())
}
