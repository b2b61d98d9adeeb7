//! Which of two loops in a `kernels` construct has the lanes, where nobody says so.
//!
//! ```text
//! for (int j = 0; j < m; j++) {                   for (int i = 0; i < n; i++) {
//!     double s = 0;                                   double s = 0;
//!     for (int i = 0; i < n; i++)                     for (int j = 0; j < m; j++)
//!         s += data[i * m + j];                           s += data[i * m + j] * x[j];
//!     mean[j] = s / n;                                y[i] = s;
//! }                                               }
//! gang vector / sequential                        gang / vector
//! ```
//! 1. On the left, lanes of the inner loop would each come to another line of the cache, and have to add up their sums; lanes of the loop
//!    around it stand next to each other. So the inner loop leaves them to that if its iterations are far apart in some array, and those of the
//!    loop around it in none. On the right it is the other way round, and a product of matrices is as on the left.
//! 2. An inner loop, or a nest, of few iterations would leave most lanes idle, and cost a sum over lanes where it reduces something:
//!
//! ```text
//! for (int k = 0; k < n; k++) {                   gang vector
//!     float s = 0;
//!     for (int d = 0; d < 3; d++)                 sequential
//!         s += (p[3 * k + d] - q[d]) * (p[3 * k + d] - q[d]);
//!     distance[k] = s;
//! }
//! ```
//! So a nest of at most [`FEW`] iterations, of [`FEW_REDUCED`] if its innermost loop reduces something and has no loops in it, leaves the
//! lanes to a loop around it that has more, as far as is known. A likelihood that sums 49 pixels for each of 100000 particles took 6 times CUDA's time with a gang
//! for each particle.
//!
//! 3. Where the user says of two loops, one in the other, that they are independent, these are the two that are meant, and loops of which
//!    nobody says anything leave the lanes to them, unless only they go along rows: a column of layers is a short loop in `i` and `j`.
//!
//! 4. Where the user says that the outermost loop is independent, loops inside leave the lanes to it if all they write is what each of its
//!    iterations has to itself, and their lanes would not go along rows, as lanes of the outermost loop do not:
//!
//! ```text
//! #pragma acc loop independent                    gang vector
//! for (int p = 0; p < n; p++) {
//!     double f[M], s = 0;
//!     for (int i = 0; i < M; i++)                 sequential
//!         for (int j = i; j < M; j++)             sequential
//!             s += c[i][j] * f[i] * f[j];
//!     density[p] = s;
//! }
//! ```
//!    A gang for each point, which brings its lanes' sums together, took 43 times CUDA's time. Rows whose length and place only the data say
//!    have lanes ([`rows_of_data`]), unless a step leads from line to line, or neighbouring iterations share a row. Where iterations of the outermost loop turn out to be few,
//!    another version gives the lanes to the others all the same ([`crate::each_gang`]).
//!
//! That is for loops that no clause asks anything of, and that are proven to be independent. Cost: linear in the size of the inner loop,
//! times the size of an index.

use accrue_dialects::{
    acc::{ClauseOp, Group, Kernels, Loop},
    core::{Load, Store, fold::constant, layout::Records},
    flow::Flow,
};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk,
};
use accrue_opt::analysis::{
    accesses::{Base, Reader},
    affine::Affine,
    strides::{Stride, stride},
};
use pliron::{
    builtin::op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
    context::Context,
    op::Op,
    operation::Operation,
    value::Value,
};

use crate::{
    assign_levels::{asked, is_asserted, is_independent},
    device_types::applies,
    idle_lanes, rows_of_data, sequential_work,
};

/// Iterations that are not worth lanes of their own, …
const FEW: u64 = 16;
/// … and that are not where the lanes would have to bring together what they reduce.
const FEW_REDUCED: u64 = 64;

/// Iterations of the last dimension of a collapsed loop whose lanes access whole lines.
const COLUMNS: u64 = 32;

/// Whether `inner`, somewhere in `outer`, leaves the lanes to it.
pub fn leaves_lanes(ctx: &Context, outer: Loop, inner: Loop) -> bool {
    is_outside(ctx, outer, inner) || has_few_iterations(ctx, outer, inner)
}

/// Whether `inner` leaves the lanes to `outer`, or to a loop between them, which then speaks for both.
pub fn leaves_lanes_within(ctx: &Context, outer: Loop, inner: Loop) -> bool {
    let mut around = walk::enclosing::<Loop>(ctx, inner.get_operation());
    while let Some(lp) = around {
        let last = lp.get_operation() == outer.get_operation();
        if (last || is_independent(ctx, lp)) && leaves_lanes(ctx, lp, inner) {
            return true;
        }
        around = walk::enclosing::<Loop>(ctx, lp.get_operation()).filter(|_| !last);
    }
    false
}

/// Whether `inner` leaves the lanes to `outer`, which is the inner one of two loops in `kernels` that are independent by the user's word.
pub fn leaves_lanes_to_nest(ctx: &Context, outer: Loop, inner: Loop) -> bool {
    let mut around = walk::enclosing::<Loop>(ctx, outer.get_operation());
    let mut nested = false;
    while let Some(lp) = around {
        nested |= is_said(ctx, lp);
        around = walk::enclosing::<Loop>(ctx, lp.get_operation());
    }
    nested
        && is_said(ctx, outer)
        && is_open(ctx, inner)
        && walk::enclosing::<Kernels>(ctx, outer.get_operation()).is_some()
        && accesses(ctx, outer, inner) != Accesses::Rows
}

/// Whether `inner` leaves the lanes to `outer`, an outermost loop in `kernels` that is independent by the user's word, for whose iterations
/// it does what concerns nobody else.
pub fn leaves_lanes_to_owner(ctx: &Context, outer: Loop, inner: Loop, records: &Records) -> bool {
    let op = outer.get_operation();
    let may_own = is_said(ctx, outer)
        && asked(&outer.clauses(ctx)).is_empty()
        && walk::enclosing::<Loop>(ctx, op).is_none();
    let Some(kernels) = walk::enclosing::<Kernels>(ctx, op).filter(|_| may_own) else {
        return false;
    };
    let goes_along_rows = || {
        !steps_over_lines(ctx, inner)
            && (goes_along_some_row(ctx, outer, inner)
                || rows_of_data::are_bounds(ctx, inner, outer.get_region(ctx))
                    && !rows_of_data::are_shared(ctx, inner, outer.get_region(ctx)))
    };
    is_open(ctx, inner)
        && writes_own_only(ctx, outer, inner)
        && !goes_along_rows()
        && idle_lanes::may_be_used_in(ctx, &kernels, outer, records)
}

/// Whether the elements of neighbouring iterations are apart by the loop's step.
fn steps_over_lines(ctx: &Context, lp: Loop) -> bool {
    let bounds = lp.bounds(ctx);
    let steps = bounds.last().and_then(|(_, _, step)| constant(ctx, *step));
    steps.is_some_and(|step| step.unsigned_abs() >= u128::from(FEW))
}

/// Whether all that `inner` writes is variables that each iteration of `outer` has to itself.
fn writes_own_only(ctx: &Context, outer: Loop, inner: Loop) -> bool {
    let reader = Reader::new(ctx, outer.get_region(ctx));
    let mut ops = walk::nested_ops(ctx, inner.get_operation()).into_iter();
    ops.all(|op| {
        effects_of(ctx, op)
            .expected()
            .iter()
            .all(|effect| match effect {
                Effect::Write(to) | Effect::Free(to) => {
                    to.is_some_and(|to| reader.base(to) == Base::Inside)
                }
                Effect::Convergent => false,
                Effect::Read(_) | Effect::Alloc | Effect::Structure => true,
            })
    })
}

/// Whether `inner` leaves the lanes to `outer` since it and what may be shared out between them have few iterations.
pub fn has_few_iterations(ctx: &Context, outer: Loop, inner: Loop) -> bool {
    let inside = walk::nested_ops(ctx, inner.get_operation()).into_iter();
    let long = inside.map(|op| Flow::of(ctx, op)).any(Flow::is_any_loop);
    let reduces = !inner.clause(ctx, Group::Reduction).is_empty() && !long;
    let (mut count, mut at) = (1u64, inner);
    while at.get_operation() != outer.get_operation() {
        // What runs in order between them has no use for lanes.
        if is_independent(ctx, at) {
            let own = sequential_work::constant_iterations(ctx, at).filter(|_| is_open(ctx, at));
            let Some(own) = own else {
                return false;
            };
            count = count.saturating_mul(own);
        }
        let Some(around) = walk::enclosing::<Loop>(ctx, at.get_operation()) else {
            return false;
        };
        at = around;
    }
    let (few, least) = match reduces {
        true => (FEW_REDUCED, count),
        false => (FEW, count + 1),
    };
    let outside = sequential_work::constant_iterations(ctx, outer);
    count <= few && outside.is_none_or(|outside| outside >= least)
}

/// Whether the user says that the loop is independent.
fn is_said(ctx: &Context, lp: Loop) -> bool {
    let clauses = lp.clauses(ctx);
    applies(&clauses.independent) && !clauses.implicit
}

/// Whether nobody asks anything of the loop, or says that it is independent.
pub fn is_open(ctx: &Context, lp: Loop) -> bool {
    let clauses = lp.clauses(ctx);
    (!is_asserted(ctx, lp) || clauses.implicit)
        && asked(&clauses).is_empty()
        && !applies(&clauses.independent)
}

/// How lanes would access arrays if they had one of two loops.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Accesses {
    /// Adjacent elements if they had the inner one, and elements far apart if they had the outer one.
    Rows,
    /// Neither way is better.
    Other,
    /// The other way round.
    Columns,
}

/// How lanes would access what `inner`, somewhere in `outer`, accesses.
pub fn accesses(ctx: &Context, outer: Loop, inner: Loop) -> Accesses {
    let (Some(row), Some(column)) = (innermost(ctx, inner), innermost(ctx, outer)) else {
        return Accesses::Other;
    };
    let mut all = Accesses::Other;
    for access in each_access(ctx, inner, (row, column)) {
        match access {
            Accesses::Columns => return Accesses::Columns,
            Accesses::Rows => all = Accesses::Rows,
            Accesses::Other => {}
        }
    }
    all
}

/// Whether lanes would access adjacent elements of some array if they had the inner loop, and elements far apart if they had the outer one.
fn goes_along_some_row(ctx: &Context, outer: Loop, inner: Loop) -> bool {
    let (Some(row), Some(column)) = (innermost(ctx, inner), innermost(ctx, outer)) else {
        return true;
    };
    each_access(ctx, inner, (row, column)).any(|access| access == Accesses::Rows)
}

/// How lanes would access each of the elements that `lp` accesses, by the counter of either loop.
fn each_access(
    ctx: &Context,
    lp: Loop,
    (row, column): (Value, Value),
) -> impl Iterator<Item = Accesses> {
    let mut affine = Affine::of_subscripts();
    addresses(ctx, lp).into_iter().map(move |address| {
        let by_inner = stride(ctx, &mut affine, address, row);
        match (by_inner, stride(ctx, &mut affine, address, column)) {
            (Stride::Far | Stride::Elsewhere, Stride::Next) => Accesses::Columns,
            (Stride::Next, Stride::Far | Stride::Elsewhere) => Accesses::Rows,
            (Stride::Same | Stride::Next | Stride::Far | Stride::Elsewhere, _) => Accesses::Other,
        }
    })
}

/// The counter of the last dimension of a loop.
fn innermost(ctx: &Context, lp: Loop) -> Option<Value> {
    lp.get_body(ctx, 0).deref(ctx).arguments().last()
}

/// Where the operations in a loop load from and store to.
fn addresses(ctx: &Context, lp: Loop) -> Vec<Value> {
    let ops = walk::nested_ops(ctx, lp.get_operation()).into_iter();
    let address = |op| {
        let load = Operation::get_op::<Load>(op, ctx).map(|l| l.get_operand_address(ctx));
        let store = Operation::get_op::<Store>(op, ctx).map(|s| s.get_operand_address(ctx));
        load.or(store)
    };
    ops.filter_map(address).collect()
}

/// Whether `inner` leaves the lanes to `outer`, which is directly around it, since they would access elements far apart.
fn is_outside(ctx: &Context, outer: Loop, inner: Loop) -> bool {
    let around = walk::enclosing::<Loop>(ctx, inner.get_operation());
    if around.map(|lp| lp.get_operation()) != Some(outer.get_operation()) || !is_open(ctx, inner) {
        return false;
    }
    let (Some(row), Some(column)) = (counter(ctx, inner), innermost(ctx, outer)) else {
        return false;
    };
    // Lanes of a collapsed loop stand next to each other as long as its last dimension goes.
    if sequential_work::constant_columns(ctx, outer).is_some_and(|columns| columns < COLUMNS) {
        return false;
    }
    let mut affine = Affine::of_subscripts();
    let (mut down, mut along) = (false, false);
    for address in addresses(ctx, inner) {
        let by_inner = stride(ctx, &mut affine, address, row);
        match (by_inner, stride(ctx, &mut affine, address, column)) {
            (_, Stride::Far | Stride::Elsewhere) => return false,
            (Stride::Far | Stride::Elsewhere, Stride::Next) => (down, along) = (true, true),
            (Stride::Far | Stride::Elsewhere, Stride::Same) => down = true,
            (Stride::Same | Stride::Next, Stride::Next) => along = true,
            (Stride::Same | Stride::Next, Stride::Same) => {}
        }
    }
    down && along
}

/// The counter of a loop that is not collapsed.
fn counter(ctx: &Context, lp: Loop) -> Option<Value> {
    let body = lp.get_body(ctx, 0);
    let counters: Vec<Value> = body.deref(ctx).arguments().collect();
    match counters.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}
