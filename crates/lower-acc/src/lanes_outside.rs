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
//! On the left, lanes of the inner loop would each come to another line of the cache, and have to add up their sums; lanes of the loop
//! around it stand next to each other. So the inner loop leaves them to that if its iterations are far apart in some array, and those of the
//! loop around it in none. On the right it is the other way round, and a product of matrices is as on the left.
//!
//! That is for loops that no clause asks anything of, and that are proven to be independent. Cost: linear in the size of the inner loop,
//! times the size of an index.

use accrue_dialects::{
    acc::Loop,
    core::{Load, Store},
};
use accrue_ir::walk;
use accrue_opt::analysis::{
    affine::Affine,
    strides::{Stride, stride},
};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface, context::Context, op::Op,
    operation::Operation, value::Value,
};

use crate::{
    assign_levels::{asked, is_asserted},
    device_types::applies,
};

/// Whether `inner` leaves the lanes to `outer`, which is directly around it.
pub fn leaves_lanes(ctx: &Context, outer: Loop, inner: Loop) -> bool {
    let around = walk::enclosing::<Loop>(ctx, inner.get_operation());
    let clauses = inner.clauses(ctx);
    if around.map(|lp| lp.get_operation()) != Some(outer.get_operation())
        || is_asserted(ctx, inner)
        || !asked(&clauses).is_empty()
        || applies(&clauses.independent)
    {
        return false;
    }
    let (Some(row), Some(column)) = (counter(ctx, inner), counter(ctx, outer)) else {
        return false;
    };
    let mut affine = Affine::of_subscripts();
    let (mut down, mut along) = (false, false);
    for op in walk::nested_ops(ctx, inner.get_operation()) {
        let load = Operation::get_op::<Load>(op, ctx).map(|l| l.get_operand_address(ctx));
        let store = Operation::get_op::<Store>(op, ctx).map(|s| s.get_operand_address(ctx));
        let Some(address) = load.or(store) else {
            continue;
        };
        let by_inner = stride(ctx, &mut affine, address, row);
        match (by_inner, stride(ctx, &mut affine, address, column)) {
            (_, Stride::Far) => return false,
            (Stride::Far, Stride::Next) => (down, along) = (true, true),
            (Stride::Far, Stride::Same) => down = true,
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
