//! Loops whose iterations run one after another (OpenMP 5.2, sections 4.4.4, 5.6 and 15.10): one thread runs them all.
//!
//! ```text
//! omp.loop_nest 0 to %n [for] [in order]        omp.loop_nest 0 to 1 [for] {
//!   { … }                                  →      omp.loop_nest 0 to %n [alone] { … } }
//! ```
//! What the clauses say of threads is then about that one; what they say of variables that are combined, too.

use accrue_dialects::{
    acc::{self, DirectiveOp, Group, given, push_expression},
    core::emit::Emitter,
    omp::{LoopNest, Share, Shares, Target, Yield},
    par::{LoopDim, LoopTest},
};
use accrue_ir::walk;
use pliron::{context::Context, op::Op};

/// Puts the loops of a region that need it in order.
pub fn put(ctx: &mut Context, target: Target) {
    for nest in walk::nested::<LoopNest>(ctx, target.get_operation()) {
        if nest.is_in_order(ctx) && nest.shares(ctx).0 != [Share::Alone] {
            wrap(ctx, nest);
        }
    }
}

/// Lets one thread, with what the clauses say of threads, run the loop.
pub fn wrap(ctx: &mut Context, nest: LoopNest) -> LoopNest {
    let old = nest.get_operation();
    let (directive, shares) = (nest.directive(ctx).0, nest.shares(ctx));
    let mut e = Emitter::before(ctx, old);
    let (zero, one) = (e.i32(0), e.i32(1));
    let dim = LoopDim {
        test: LoopTest::Lt,
        unsigned: false,
    };
    let (outer, block) = LoopNest::new(e.ctx, directive, vec![(zero, one, one)], vec![dim], shares);
    e.push(outer);
    if nest.is_nowait(ctx) {
        outer.set_nowait(ctx);
    }
    if let Some(binding) = nest.binding(ctx) {
        outer.set_binding(ctx, binding);
    }
    for group in [Group::NumThreads, Group::Reduction, Group::Firstprivate] {
        for it in given(&nest, ctx, group) {
            push_expression(&outer, ctx, group, it.value, it.device, it.expression);
        }
        acc::take(&nest, ctx, group);
    }
    nest.set_shares(ctx, Shares(vec![Share::Alone]));
    old.unlink(ctx);
    old.insert_at_back(block, ctx);
    let end = Yield::new(ctx);
    Emitter::at_end_of(ctx, block, old).push(end);
    outer
}
