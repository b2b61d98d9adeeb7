//! How many columns the blocks of a covering grid have, by the direction in which arrays are accessed.
//!
//! The lanes of a warp stand in a row, so that `b[i * n + j]` is one access to consecutive elements. With `a[j * n + i]` in the
//! same body, each lane of the row comes to another line of the cache: 32 accesses one after the other. A warp of 8 columns and
//! 4 rows comes to 8 lines and uses all of the sectors that it gets, in both arrays.
//!
//! ```text
//! for i: for j: b[i * n + j] = a[j * n + i]          8 columns
//! for i: for j: b[j * n + i] = 2 * a[j * n + i]      4 columns: nothing is accessed along the rows
//! ```
//!
//! Counted is what is in loops inside of the nest, if there are any, otherwise the body. Cost: linear in the size of the body,
//! times the size of an index.

use accrue_dialects::{
    core::{Load, Store},
    flow::Flow,
    par::Loop,
};
use accrue_ir::walk::nested_ops;
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};

use crate::analysis::{
    affine::Affine,
    strides::{Stride, stride},
};

/// Columns where arrays are accessed in both directions, as a logarithm, …
const LOG_OF_BOTH: u32 = 3;
/// … and along the columns only.
const LOG_OF_COLUMNS: u32 = 2;

/// The logarithm of the number of columns for a nest whose last dimensions are rows and columns; `None` for a whole warp.
pub fn log_columns(ctx: &Context, lp: Loop) -> Option<u32> {
    let body = lp.get_body(ctx, 0);
    let counters: Vec<Value> = body.deref(ctx).arguments().collect();
    let [.., row, column] = counters.as_slice() else {
        return None;
    };
    let mut inside = nested_ops(ctx, lp.get_operation());
    let in_loops: Vec<_> = inside
        .iter()
        .filter(|op| Flow::of(ctx, **op).is_loop())
        .flat_map(|op| nested_ops(ctx, *op))
        .collect();
    let sequential = nested_ops(ctx, lp.get_operation())
        .into_iter()
        .filter_map(|op| Operation::get_op::<Loop>(op, ctx))
        .flat_map(|inner| nested_ops(ctx, inner.get_operation()));
    let in_loops: Vec<_> = in_loops.into_iter().chain(sequential).collect();
    if !in_loops.is_empty() {
        inside = in_loops;
    }
    let found = directions(ctx, &inside, *row, *column);
    match (found.along_columns, found.along_rows) {
        (true, true) => Some(LOG_OF_BOTH),
        (true, false) => Some(LOG_OF_COLUMNS),
        (false, _) => None,
    }
}

/// How arrays are accessed.
pub(super) struct Directions {
    /// Successive columns are next to each other,
    along_rows: bool,
    /// or successive rows, and not columns.
    pub along_columns: bool,
}

/// The directions in which these operations access arrays.
pub(super) fn directions(
    ctx: &Context,
    ops: &[Ptr<Operation>],
    row: Value,
    column: Value,
) -> Directions {
    let mut found = Directions {
        along_rows: false,
        along_columns: false,
    };
    let mut affine = Affine::of_subscripts();
    for op in ops {
        let load = Operation::get_op::<Load>(*op, ctx).map(|l| l.get_operand_address(ctx));
        let store = Operation::get_op::<Store>(*op, ctx).map(|s| s.get_operand_address(ctx));
        let Some(address) = load.or(store) else {
            continue;
        };
        let strides = [row, column].map(|counter| stride(ctx, &mut affine, address, counter));
        match strides.into() {
            (_, Stride::Next) => found.along_rows = true,
            (Stride::Next, Stride::Far) => found.along_columns = true,
            (Stride::Same | Stride::Next | Stride::Far, Stride::Same | Stride::Far) => {}
        }
    }
    found
}
