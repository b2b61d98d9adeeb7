//! The part of a loop nest that one of several runs: a thread of a team, or a team of a league.
//!
//! ```text
//! omp.loop_nest %l to %u step %s [for]      →      omp.loop_nest %l + %k * %s to %u step %s * %count [alone]
//! ```
//! Iteration i goes to number i mod count, so that threads that run side by side come to neighbouring elements. The counter is 64 bits
//! wide, so that the step behind the last iteration stays in its range; the body gets it in its own type.

use accrue_dialects::{
    acc::{DirectiveOp, Group, given, push_expression},
    core::{BinKind, emit::Emitter, fold::constant, int, int_width},
    omp::{LoopNest, Share, Shares},
    par::LoopTest,
};
use accrue_ir::walk;
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface, context::Context, op::Op,
    operation::Operation, r#type::Typed, value::Value,
};

/// Gives iterations `number`, `number + count`, … of the outermost loop to whoever `number` is; `shares` are the constructs that are
/// left. Both numbers are `i32` and defined in front of the nest. The new nest, which takes the place of the old.
pub fn share_out(
    ctx: &mut Context,
    nest: LoopNest,
    (number, count): (Value, Value),
    shares: Vec<Share>,
) -> LoopNest {
    let old = nest.get_operation();
    let mut bounds = nest.bounds(ctx);
    let mut dims = nest.all_dims(ctx).0;
    let shares = match shares.is_empty() {
        true => vec![Share::Alone],
        false => shares,
    };
    let mut e = Emitter::before(ctx, old);
    if let (Some(bound), Some(dim)) = (bounds.first_mut(), dims.first_mut()) {
        let (lower, upper, step) = *bound;
        let was_narrow = int_width(e.ctx, lower.get_type(e.ctx)).is_some_and(|width| width < 64);
        let (lower, upper) = (e.widen(lower, dim.unsigned), e.widen(upper, dim.unsigned));
        let step = e.widen(step, false);
        let (number, count) = (e.widen(number, false), e.widen(count, false));
        let offset = e.bin(BinKind::Mul, number, step);
        let first = e.bin(BinKind::Add, lower, offset);
        let stride = e.bin(BinKind::Mul, step, count);
        *bound = (first, upper, stride);
        // An `i64` holds what smaller unsigned types do.
        dim.unsigned &= !was_narrow;
        // It is the test of a loop whose step is 1 or -1.
        if dim.test == LoopTest::Ne {
            let down = constant(e.ctx, step).is_some_and(|step| step < 0);
            dim.test = match down {
                true => LoopTest::Gt,
                false => LoopTest::Lt,
            };
        }
    }
    let directive = nest.directive(e.ctx).0;
    let (new, block) = LoopNest::new(e.ctx, directive, bounds, dims, Shares(shares));
    for group in [
        Group::NumThreads,
        Group::Reduction,
        Group::Private,
        Group::Firstprivate,
    ] {
        for operand in given(&nest, e.ctx, group) {
            push_expression(
                &new,
                e.ctx,
                group,
                operand.value,
                operand.device,
                operand.expression,
            );
        }
    }
    e.push(new);
    let body = nest.get_body(ctx, 0);
    let arguments: Vec<_> = body.deref(ctx).arguments().collect();
    let counters: Vec<_> = block.deref(ctx).arguments().collect();
    let mut e = Emitter::at_end_of(ctx, block, old);
    for (argument, counter) in arguments.into_iter().zip(counters) {
        let ty = argument.get_type(e.ctx);
        let own = match ty == int(e.ctx, 64) {
            true => counter,
            false => e.narrow(counter, ty),
        };
        argument.replace_all_uses_with(e.ctx, &own);
    }
    for op in walk::ops_of_block(ctx, body) {
        op.unlink(ctx);
        op.insert_at_back(block, ctx);
    }
    Operation::erase(old, ctx);
    new
}
