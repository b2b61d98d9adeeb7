//! Which loops of a nest become the columns and the rows of its grid.
//!
//! A warp has neighbouring columns, and a block has some rows of them: those of the two innermost loops. Where arrays are accessed along others, each lane would
//! come to a line of the cache for itself, and use one element of it.
//!
//! ```text
//! for a: for b: for c: for d: for e: to[e][c][a][d][b] = from[a][b][c][d][e]         columns e, rows b instead of d
//! for j: for i: y[i][j] = 2 * x[i][j]                                                columns j, rows i
//! ```
//! 1. An array is accessed along a loop if its neighbouring iterations have neighbouring elements. What is in loops inside of the nest counts, if there are any,
//!    otherwise what is in its body.
//! 2. Where no array is accessed along the innermost loop, the one along which most are becomes that of the columns.
//! 3. Where arrays are read along it, and others are written along another one, that becomes the loop of the columns: what lanes far apart read, the cache
//!    has for the next ones, but each part of a line that they write goes to memory by itself. A transposition so took twice its time.
//! 4. The same as in 2 of the others for the rows: what [`crate::transform::partition`] makes of accesses along both are blocks of fewer columns.
//!
//! Loops with few iterations do not become either. All iterations of the nest are independent. Cost: linear in the size of the body, for each loop of the nest.

use accrue_dialects::{
    core::{Store, fold::constant},
    par::Loop,
};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    operation::Operation,
    value::Value,
};

use crate::analysis::{
    affine::Affine,
    strides::{Stride, accessed, innermost, stride},
    variables::is_in_variable,
};

use super::Dim;

/// Iterations of a loop for columns, if their number is a constant: a sector of the cache has 4 doubles, a warp does with 8 rows of 4.
const FEWEST: i128 = 4;

/// The order of the loops in the grid, outermost first, by their numbers in the nest; `None`: as they are.
pub fn order(ctx: &Context, whole: Loop, dims: &[Dim]) -> Option<Vec<usize>> {
    let accesses: Vec<_> = innermost(ctx, whole);
    let along_of = |keep: &dyn Fn(Ptr<Operation>) -> bool| {
        let kept = accesses.iter().copied().filter(|op| keep(*op));
        along(ctx, whole, kept.filter_map(|op| accessed(ctx, op)))
    };
    let along = along_of(&|_| true);
    let stored = along_of(&|op| Operation::is_op::<Store>(op, ctx));
    let mut order: Vec<usize> = (0..dims.len()).collect();
    let columns = dims.len().checked_sub(1)?;
    let may_be = |dim: &usize| stored[*dim] > 0 && has_several(ctx, &dims[*dim]);
    if along[columns] > 0
        && stored[columns] == 0
        && let Some(best) = (0..columns).rfind(may_be)
    {
        order.retain(|dim| *dim != best);
        order.push(best);
    }
    for place in (dims.len().checked_sub(2)?..dims.len()).rev() {
        let open = &order[..=place];
        if along[open[place]] > 0 {
            continue;
        }
        let may_be = |dim: &&usize| along[**dim] > 0 && has_several(ctx, &dims[**dim]);
        let best = open.iter().filter(may_be).max_by_key(|dim| along[**dim]);
        if let Some(best) = best.copied() {
            order.retain(|dim| *dim != best);
            order.insert(place, best);
        }
    }
    (!order.is_sorted()).then_some(order)
}

/// How many of these addresses go along each loop of the nest.
fn along(ctx: &Context, whole: Loop, addresses: impl Iterator<Item = Value>) -> Vec<usize> {
    let addresses: Vec<Value> = addresses
        .filter(|address| !is_in_variable(ctx, *address))
        .collect();
    // Any order is right, whether numbers wrap or not.
    let mut affine = Affine::of_tested_subscripts();
    let counters = whole
        .get_body(ctx, 0)
        .deref(ctx)
        .arguments()
        .collect::<Vec<Value>>();
    let mut count = |counter: Value| {
        let next = addresses
            .iter()
            .filter(|address| stride(ctx, &mut affine, **address, counter) == Stride::Next);
        next.count()
    };
    counters.into_iter().map(&mut count).collect()
}

fn has_several(ctx: &Context, ((lower, upper, _), _): &Dim) -> bool {
    let ends = constant(ctx, *lower).zip(constant(ctx, *upper));
    ends.is_none_or(|(lower, upper)| upper - lower >= FEWEST)
}
