//! The last group of a lane, which has fewer iterations than the others: side by side as well ([`crate::gpu::masked`]).
//!
//! A row of 1000 elements gives a lane of 128 seven or eight: one group of four, and three or four that it would wait for one after the
//! other. (Means and variances of rows of 784 by 256 lanes took 121 µs so, most of it for three or four elements of each row.)
//! Nothing is left for the loop.
//!
//! Where lanes of all gangs share a loop, and it reduces nothing, there are gangs for all groups of four, and registers that nobody needs would
//! only be in the way of some of them. Cost: linear in its size.

use accrue_dialects::core::{BinKind, CmpKind, For, If, emit::Emitter};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface, context::Context,
    irbuild::cloning::IrMapping, op::Op, operation::Operation,
};

use super::{Candidate, WIDTH, body_of};
use crate::{analysis::straight::PureFunctions, gpu::masked::Iteration};

/// Puts the last iterations of `lp`, which are fewer than [`WIDTH`], in its place.
pub(super) fn finish(ctx: &mut Context, lp: For, candidate: &Candidate, pure: &PureFunctions) {
    let iv = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    let (lower, upper, step) = (
        lp.get_operand_lower(ctx),
        lp.get_operand_upper(ctx),
        lp.get_operand_step(ctx),
    );
    let ops = body_of(ctx, lp);
    let mut e = Emitter::before(ctx, lp.get_operation());
    let any = e.cmp(CmpKind::LtS, lower, upper);
    let (group, block, otherwise) = If::new(e.ctx, any, vec![]);
    e.push(group);
    e.at_end(otherwise);
    e.finish(vec![]);
    e.at_end(block);
    let (mut at, mut iterations) = (lower, vec![]);
    for copy in 0..WIDTH - 1 {
        let mut condition = None;
        if copy > 0 {
            at = e.bin(BinKind::Add, at, step);
            condition = Some(e.cmp(CmpKind::LtS, at, upper));
        }
        let mut mapping = IrMapping::new();
        mapping.map_value(iv, at);
        iterations.push(Iteration { condition, mapping });
    }
    let (first, rest): (Vec<_>, Vec<_>) = ops
        .into_iter()
        .partition(|op| candidate.first.ops.contains(op));
    let (late, between): (Vec<_>, Vec<_>) =
        rest.into_iter().partition(|op| candidate.late.contains(op));
    for iteration in &mut iterations {
        first
            .iter()
            .for_each(|op| iteration.copy(&mut e, *op, lp, pure));
    }
    for op in between {
        for iteration in &mut iterations {
            iteration.copy(&mut e, op, lp, pure);
        }
    }
    for iteration in &mut iterations {
        iteration.copy_all(&mut e, &late);
    }
    e.finish(vec![]);
    Operation::erase(lp.get_operation(), ctx);
}
