//! Nests of three loops and more in `parallel`, of which only the outermost has a directive.
//!
//! ```text
//! #pragma acc parallel loop            gang
//! for (int k = 0; k < nz; k++)
//!     for (int j = 0; j < ny; j++)     worker
//!         for (int i = 0; i < nx; i++) vector
//!             a[k][j][i] = …;
//! ```
//! Loops without directive mostly leave the lanes to the loop around, and have them in a version for launches of few iterations
//! ([`crate::each_gang`]). Here the outermost loop is one of three dimensions and has few iterations, and its lanes would walk along rows, each in
//! one of its own. So the loops have levels by their place, as in `kernels`, if the whole nest is independent and the lanes of its innermost
//! loop come to elements side by side.
//!
//! Cost: linear in the size of the nest, times the size of an index.

use accrue_dialects::{acc::Loop, flow::Flow};
use accrue_ir::walk;
use pliron::{
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
};
use std::iter::successors;

use super::{asked, is_independent};
use crate::{
    attributes::APART,
    device_types::applies,
    lanes_outside::{Accesses, accesses},
    sequential_work::constant_iterations,
};

/// Loops that make a nest deep.
const DEEP: usize = 3;

/// Iterations of the innermost loop that are not worth the lanes.
const FEW: u64 = 16;

/// Whether `lp` is in such a nest.
pub(super) fn is_in(ctx: &Context, lp: Loop) -> bool {
    if !is_bare(ctx, lp) || has_neighbour(ctx, lp) {
        return false;
    }
    let mut outermost = lp;
    while let Some(around) = walk::enclosing::<Loop>(ctx, outermost.get_operation()) {
        outermost = around;
    }
    let inside = walk::nested::<Loop>(ctx, outermost.get_operation());
    let Some(innermost) = inside.last().filter(|_| inside.len() + 1 >= DEEP) else {
        return false;
    };
    // Each stands in the one before: nothing else repeats anything.
    let mut around = outermost;
    let chain = inside.iter().all(|lp| {
        let outer = walk::enclosing::<Loop>(ctx, lp.get_operation());
        let next = outer.map(|lp| lp.get_operation()) == Some(around.get_operation());
        around = *lp;
        next && is_bare(ctx, *lp)
    });
    let ops = walk::nested_ops(ctx, outermost.get_operation()).into_iter();
    let loops = ops.filter(|op| Flow::of(ctx, *op).is_any_loop()).count();
    let rows = |outer: &Loop| accesses(ctx, *outer, *innermost) == Accesses::Rows;
    chain
        && loops == inside.len()
        && asked(&outermost.clauses(ctx)).is_empty()
        && constant_iterations(ctx, *innermost).is_none_or(|count| count > FEW)
        && rows(&outermost)
        && inside[..inside.len() - 1].iter().all(rows)
}

/// Whether another loop stands in front of it or behind it, as in a list of them, where a look at all that is around each would be one too many.
fn has_neighbour(ctx: &Context, lp: Loop) -> bool {
    let is_loop = |op: &Ptr<Operation>| Flow::of(ctx, *op).is_any_loop();
    let step = |op: &Ptr<Operation>| op.deref(ctx).get_next();
    let back = |op: &Ptr<Operation>| op.deref(ctx).get_prev();
    let op = lp.get_operation();
    successors(step(&op), step).any(|op| is_loop(&op))
        || successors(back(&op), back).any(|op| is_loop(&op))
}

/// Whether nobody asks anything of the loop, and it is proven that it may run in parallel, for any memory.
fn is_bare(ctx: &Context, lp: Loop) -> bool {
    let clauses = lp.clauses(ctx);
    clauses.implicit
        && is_independent(ctx, lp)
        && !applies(&clauses.seq)
        && !APART.is_on(ctx, lp.get_operation())
}
