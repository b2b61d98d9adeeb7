//! How many columns the blocks of a covering grid have, by the direction in which arrays are accessed.
//!
//! The lanes of a warp stand in a row, so that `b[i * n + j]` is one access to consecutive elements. With `a[j * n + i]` in the
//! same body, each lane of the row comes to another line of the cache: 32 accesses one after the other. A warp of 8 columns and
//! 4 rows comes to 8 lines and uses all of the sectors that it gets, in both arrays.
//!
//! ```text
//! for i: for j: b[i * n + j] = a[j * n + i]                         8 columns
//! for i: for j: b[j * n + i] = 2 * a[j * n + i]                     4 columns: nothing is accessed along the rows
//! for i: for j: for k: s += a[i * m + k] * b[j * m + k]             8 columns: 8 lines of b and 4 of a, instead of 32 and 1
//! for i: for j: for k: s += a[i * m + k] * b[k * n + j]             32 columns: a line of each
//! ```
//!
//! Counted are the lines that a warp comes to, for each number of columns, in what is in loops inside of the nest, if there are any,
//! otherwise in the body; the widest of the best is taken. Cost: linear in the size of the body, times the size of an index.

use accrue_dialects::par::Loop;
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    operation::Operation,
    value::Value,
};

use crate::analysis::{
    affine::Affine,
    strides::{Stride, accessed, innermost, stride},
};

/// Columns of a warp that are tried, as logarithms: fewer than four would leave most of a sector unused.
const LOGS: [u32; 4] = [5, 4, 3, 2];
/// The lanes of a warp.
const WARP: u32 = 32;

/// The logarithm of the number of columns for a nest whose last dimensions are rows and columns; `None` for a whole warp.
pub fn log_columns(ctx: &Context, lp: Loop) -> Option<u32> {
    let body = lp.get_body(ctx, 0);
    let counters: Vec<Value> = body.deref(ctx).arguments().collect();
    let [.., row, column] = counters.as_slice() else {
        return None;
    };
    let inside = innermost(ctx, lp);
    let accesses = strides(ctx, &inside, *row, *column);
    if !accesses.iter().any(|access| access.is_along_columns()) {
        return None;
    }
    let lines = |log: &u32| accesses.iter().map(|a| a.lines(1 << log)).sum::<u32>();
    let best = LOGS.into_iter().min_by_key(lines)?;
    (best < WARP.ilog2()).then_some(best)
}

/// Whether some of these operations access elements of successive rows next to each other, and not those of successive columns.
pub(super) fn goes_down(ctx: &Context, ops: &[Ptr<Operation>], row: Value, column: Value) -> bool {
    strides(ctx, ops, row, column).iter().any(|a| a.goes_down())
}

/// How far apart an access of neighbours is.
#[derive(Clone, Copy)]
struct Access {
    /// In successive rows,
    row: Stride,
    /// and in successive columns.
    column: Stride,
}

impl Access {
    /// Whether elements of successive rows are next to each other, and those of successive columns are not.
    fn goes_down(self) -> bool {
        self.row == Stride::Next && matches!(self.column, Stride::Far | Stride::Elsewhere)
    }

    /// Whether lanes of a row come to lines of their own, and those of a column do not.
    fn is_along_columns(self) -> bool {
        self.goes_down() || (self.row, self.column) == (Stride::Same, Stride::Far)
    }

    /// The lines of the cache that a warp of so many columns comes to. Where columns are elsewhere, nobody knows whether that is far.
    fn lines(self, columns: u32) -> u32 {
        let rows = WARP / columns;
        match (self.column, self.row) {
            (Stride::Same | Stride::Next, Stride::Same | Stride::Next) => 1,
            (Stride::Same | Stride::Next, Stride::Far | Stride::Elsewhere) => rows,
            (Stride::Far, Stride::Same) | (Stride::Far | Stride::Elsewhere, Stride::Next) => {
                columns
            }
            (Stride::Elsewhere, Stride::Same) => 1,
            (Stride::Far | Stride::Elsewhere, Stride::Far | Stride::Elsewhere) => WARP,
        }
    }
}

fn strides(ctx: &Context, ops: &[Ptr<Operation>], row: Value, column: Value) -> Vec<Access> {
    // Blocks of any shape are right, whether numbers wrap or not.
    let mut affine = Affine::of_tested_subscripts();
    let mut access = |op: &Ptr<Operation>| {
        let address = accessed(ctx, *op)?;
        let mut by = |counter| stride(ctx, &mut affine, address, counter);
        Some(Access {
            row: by(row),
            column: by(column),
        })
    };
    ops.iter().filter_map(&mut access).collect()
}
