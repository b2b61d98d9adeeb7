//! What is left of a loop whose iterations go a group at a time: four by four, of which the last may be none ([`crate::gpu::masked`]).
//!
//! ```text
//!                                        while k < hi {
//! core.for k to hi step 1 {                x0 = load a[k];  x1 = if 1 < hi - k { load a[k + 1] } else { 0 };  …
//!   s += a[k]                       →      s += x0;  if 1 < hi - k { s += x1 };  …
//! }                                        k += min(4, hi - k) }
//! ```
//! A row of a sparse matrix with seven elements waits for its loads twice in place of four times. Cost: linear in the size of the loop.

use accrue_dialects::core::{BinKind, CmpKind, For, If, Loop, Yield, emit::Emitter, int_width};
use accrue_ir::walk::ops_of_block;
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashSet;

use super::LOADS_AHEAD;
use crate::{analysis::straight::PureFunctions, gpu::masked::Iteration};

/// Puts what is left of `lp`, fewer iterations than a group, in its place. `late`: what comes behind the loads.
pub(super) fn side_by_side(
    ctx: &mut Context,
    lp: For,
    group: i128,
    late: &HashSet<Ptr<Operation>>,
    pure: &PureFunctions,
) {
    let (lower, upper) = (lp.get_operand_lower(ctx), lp.get_operand_upper(ctx));
    let less = lp.info(ctx).less();
    let mut e = Emitter::before(ctx, lp.get_operation());
    if group <= LOADS_AHEAD as i128 {
        let any = e.cmp(less, lower, upper);
        let (once, block, otherwise) = If::new(e.ctx, any, vec![]);
        e.push(once);
        e.at_end(otherwise);
        e.finish(vec![]);
        e.at_end(block);
        write_masked(&mut e, lp, lower, group as usize - 1, late, pure);
        e.finish(vec![]);
        Operation::erase(lp.get_operation(), ctx);
        return;
    }
    let ty = lower.get_type(e.ctx);
    let width = int_width(e.ctx, ty).unwrap_or(64);
    let counter = e.alloca(ty, None);
    e.store(lower, counter);
    let (rest, blocks) = Loop::new(e.ctx, false);
    e.push(rest);
    e.at_end(blocks.cond);
    let at = e.load(counter);
    let more = e.cmp(less, at, upper);
    e.finish(vec![more]);
    e.at_end(blocks.body);
    let first = e.load(counter);
    write_masked(&mut e, lp, first, LOADS_AHEAD, late, pure);
    e.finish(vec![]);
    e.at_end(blocks.step);
    let at = e.load(counter);
    let left = e.bin(BinKind::Sub, upper, at);
    let most = e.int(width, LOADS_AHEAD as i128);
    let whole = e.cmp(CmpKind::LtU, most, left);
    let step = e.select(whole, most, left);
    let next = e.bin(BinKind::Add, at, step);
    e.store(next, counter);
    e.finish(vec![]);
    Operation::erase(lp.get_operation(), ctx);
}

/// Up to `count` iterations from `first` on, of which there is one at least.
fn write_masked(
    e: &mut Emitter,
    lp: For,
    first: Value,
    count: usize,
    late: &HashSet<Ptr<Operation>>,
    pure: &PureFunctions,
) {
    let body = lp.get_body(e.ctx, 0);
    let iv = body.deref(e.ctx).get_argument(0);
    let mut ops = ops_of_block(e.ctx, body);
    ops.retain(|op| !Operation::is_op::<Yield>(*op, e.ctx));
    let (late, early): (Vec<_>, Vec<_>) = ops.into_iter().partition(|op| late.contains(op));
    let width = int_width(e.ctx, first.get_type(e.ctx)).unwrap_or(64);
    let upper = lp.get_operand_upper(e.ctx);
    // The bounds differ by less than 2^width.
    let left = e.bin(BinKind::Sub, upper, first);
    let mut iterations = vec![];
    for copy in 0..count {
        let distance = e.int(width, copy as i128);
        let here = e.bin(BinKind::Add, first, distance);
        let condition = (copy > 0).then(|| e.cmp(CmpKind::LtU, distance, left));
        let mut mapping = IrMapping::new();
        mapping.map_value(iv, here);
        iterations.push(Iteration { condition, mapping });
    }
    for iteration in &mut iterations {
        early.iter().for_each(|op| iteration.copy(e, *op, lp, pure));
    }
    for iteration in &mut iterations {
        iteration.copy_all(e, &late);
    }
}
