//! What there is to say of the loops of a construct beside their levels.

use accrue_dialects::acc::{ClauseOp, DataOp, Group, Kernels, Loop, Reduction};
use accrue_ir::walk;
use pliron::{builtin::attributes::BoolAttr, context::Context, op::Op, operation::Operation};

use super::NAME;
use crate::{attributes::APART, device_types::applies, routines::is_orphaned};
use accrue_opt::State;

/// Notes that the construct around `lp` is right only where the memory behind pointers does not overlap, if the loop runs in parallel.
pub(super) fn note_apart(ctx: &Context, lp: Loop, in_parallel: bool, state: &mut State) {
    let kernels = walk::enclosing::<Kernels>(ctx, lp.get_operation());
    if let Some(kernels) = kernels.filter(|_| in_parallel) {
        APART.set(ctx, kernels.get_operation(), BoolAttr::new(true));
        let message =
            "the launch tells whether memory overlaps, and leaves the region to the host then";
        state.remark(ctx, lp.get_operation(), NAME, message.to_string());
    }
}

/// Says who answers for the independence of iterations, if it is not the dependence analysis, which has said so.
pub(super) fn remark_independence(ctx: &Context, lp: Loop, state: &mut State) {
    let why = if applies(&lp.clauses(ctx).independent) {
        "the user says so"
    } else if lp.levels(ctx).is_some_and(|l| l.independent) {
        return;
    } else if is_orphaned(ctx, lp.get_operation()) {
        "a loop in a routine is, unless it is auto or seq"
    } else {
        "a loop in a parallel construct is, unless it is auto or seq"
    };
    let message = format!("iterations are independent: {why}");
    state.remark(ctx, lp.get_operation(), NAME, message);
}

/// Says over what the variables in the loop's `reduction` clauses are reduced.
pub(super) fn remark_reductions(ctx: &Context, lp: Loop, levels: &[String], state: &mut State) {
    if levels.is_empty() {
        return;
    }
    for value in lp.clause(ctx, Group::Reduction) {
        let op = value.defining_op();
        let Some(reduction) = op.and_then(|op| Operation::get_op::<Reduction>(op, ctx)) else {
            continue;
        };
        let message = format!(
            "`{}` is reduced by {} over {}",
            reduction.info(ctx).name,
            reduction.operator(ctx).spelling(),
            levels.join(", ")
        );
        state.remark(ctx, lp.get_operation(), NAME, message);
    }
}
