//! The distribution of iterations over a grid that covers them: every thread has one, or none.
//!
//! For versions of kernels that the runtime launches with such a grid ([`crate::gpu::grid_versions`]). A block of n lanes has n
//! iterations of a loop of one dimension. Of more dimensions it has 32 columns, a warp in a row, so that its accesses are
//! consecutive, and n/32 rows, so that blocks are not long and narrow: what neighbours in a column share is in the cache. A nest
//! with a constant number of columns, of at most 16, has blocks of 16, 8 or 4 columns and as many more rows, so that lanes are not idle;
//! so has one that accesses arrays along its columns ([`super::patch`]), or has narrow tiles ([`super::tiles`]). Where few columns would
//! leave a block's lanes idle (3 of 4, 9 of 16), they are one dimension with the rows around them, and divisions by constants
//! find both: 3 colours of a row of pixels, 4 · 3 · 3 elements of the matrices at a site.
//!
//! ```text
//! acc.loop (i = a; i < b; i++; j = c; j < d; j++; k = e; k < f; k++)    →
//!     column = ctaid.x * 32 + tid.x % 32;  row = ctaid.y * (n/32) + tid.x / 32;  outer = ctaid.z
//!     if (column < f - e && row < d - c) {  i = a + outer;  j = c + row;  k = e + column  … }
//! ```
//!
//! Numbers have 32 bits: the runtime takes the version only where they fit. The dimensions outside of the rows are one for
//! the grid; where there are several, they are found by division, which is the same for all threads of a block.

use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_dialects::{
    core::{Bin, BinKind, Cast, Cmp, CmpKind, Continue, ForInfo, If, Select, int},
    par::{DimPos, DimSize, GangDim, Level, Levels, Loop},
};
use accrue_ir::walk::{nested, ops_of_block};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::Context,
    op::Op,
    operation::Operation,
    value::Value,
};

use super::{Nest, open_for};
use crate::analysis::trip::Dimension;

/// Columns of a block: the lanes of a warp, as the runtime counts them, …
pub(super) const LOG_COLUMNS: u32 = 5;
/// … or, in a nest of fewer columns, as many as they need, at least so many.
pub(super) const LEAST_LOG_COLUMNS: u32 = 2;

/// The logarithm of the number of columns of a block: fewer than a warp has lanes where there are known to be fewer.
fn log_columns(ctx: &Context, counts: &[Value]) -> u32 {
    let columns = counts.last().and_then(|count| constant(ctx, *count));
    let log = columns.map_or(LOG_COLUMNS, |n| {
        let n = u32::try_from(n.max(1)).unwrap_or(u32::MAX);
        n.checked_next_power_of_two()
            .map_or(LOG_COLUMNS, u32::trailing_zeros)
    });
    log.clamp(LEAST_LOG_COLUMNS, LOG_COLUMNS)
}

/// How many rows of a block the runtime is to take for one, because blocks have so many times fewer columns.
pub fn rows_as_one(log_columns: u32) -> i64 {
    1 << (LOG_COLUMNS - log_columns)
}

/// The place of the body of `lp`, a loop over `dims` (not empty), the number of iterations of each, and the logarithm of the number of
/// columns of a block, for which `patch` is a limit.
pub(super) fn nest(
    e: &mut Emitter,
    lp: Loop,
    dims: &[Dimension],
    levels: Levels,
    patch: Option<u32>,
) -> (Nest, Vec<Value>, u32) {
    let all: Vec<_> = dims.iter().map(|d| d.count(e)).collect();
    let joined = match patch {
        Some(_) => 1,
        None => joined(e.ctx, &all),
    };
    let (outer, inner) = all.split_at(all.len() - joined);
    let product = |e: &mut Emitter, counts: &[Value]| {
        let (first, rest) = counts.split_first()?;
        Some(rest.iter().fold(*first, |n, c| e.bin(BinKind::Mul, n, *c)))
    };
    let mut counts = outer.to_vec();
    counts.extend(product(e, inner));
    let word = int(e.ctx, 32);
    let words: Vec<_> = counts.iter().map(|c| e.narrow(*c, word)).collect();
    let known = log_columns(e.ctx, &words);
    let log = patch.map_or(known, |patch| patch.min(known));
    let (mut places, inside) = places(e, &words, log);
    if joined > 1
        && let Some(place) = places.pop()
    {
        let inner: Vec<_> = inner.iter().map(|c| e.narrow(*c, word)).collect();
        places.extend(apart(e, place, &inner));
    }
    let (op, mut body, otherwise) = If::new(e.ctx, inside, vec![]);
    e.push(op);
    e.at_end(otherwise);
    e.finish(vec![]);
    e.at_end(body);
    let ivs = dims.iter().zip(places);
    let ivs = ivs.map(|(dim, place)| dim.at_word(e, place)).collect();
    if !nested::<Continue>(e.ctx, lp.get_operation()).is_empty() {
        // What a `continue` can leave is a loop.
        let (zero, one) = (e.i64(0), e.i64(1));
        let info = ForInfo {
            independent: levels.independent,
            unsigned: false,
        };
        let (once, inner, _) = open_for(e, zero, one, one, info);
        e.go_after(once.get_operation());
        e.finish(vec![]);
        body = inner;
    }
    let nest = Nest {
        outermost: op.get_operation(),
        body,
        ivs,
    };
    (nest, counts, log)
}

/// How many of the innermost dimensions are one for the grid: more than one where few columns would leave lanes idle.
fn joined(ctx: &Context, counts: &[Value]) -> usize {
    let mut columns = 1_i128;
    let mut number = 0;
    for count in counts.iter().rev() {
        number += 1;
        let Some(count) = constant(ctx, *count).filter(|count| *count > 0) else {
            break;
        };
        columns = columns.saturating_mul(count);
        let width = match columns {
            ..=4 => 4,
            5..=8 => 8,
            9..=16 => 16,
            _ => (columns + 31) / 32 * 32,
        };
        // At least seven of eight lanes are busy, or columns are many to begin with.
        if 8 * columns >= 7 * width || number == 1 && columns >= 32 {
            break;
        }
    }
    number
}

/// The places in dimensions of these sizes, constants but for the first, of place `k` in all of them together.
fn apart(e: &mut Emitter, k: Value, counts: &[Value]) -> Vec<Value> {
    let (mut rest, mut places) = (k, vec![]);
    for count in counts.iter().skip(1).rev() {
        places.push(e.bin(BinKind::RemU, rest, *count));
        rest = e.bin(BinKind::DivU, rest, *count);
    }
    places.push(rest);
    places.reverse();
    places
}

/// The place of this thread in each dimension, and whether there is an iteration. `counts` and places are 32-bit words.
fn places(e: &mut Emitter, counts: &[Value], log: u32) -> (Vec<Value>, Value) {
    let lane = DimPos::new(e.ctx, Level::Vector);
    let lane = word(e, lane);
    let lanes = DimSize::new(e.ctx, Level::Vector);
    let lanes = word(e, lanes);
    let x = block(e, GangDim::One);
    let (outer, [rows, columns]) = match counts {
        [outer @ .., rows, columns] => (outer, [*rows, *columns]),
        _ => {
            let first = e.bin(BinKind::Mul, x, lanes);
            let place = e.bin(BinKind::Add, first, lane);
            let inside = e.cmp(CmpKind::LtU, place, counts[0]);
            return (vec![place], inside);
        }
    };
    let mask = e.int(32, (1 << log) - 1);
    let log = e.int(32, i128::from(log));
    let first = e.bin(BinKind::Shl, x, log);
    let column = e.bin(BinKind::And, lane, mask);
    let column = e.bin(BinKind::Add, first, column);
    let y = block(e, GangDim::Two);
    let height = e.bin(BinKind::ShrU, lanes, log);
    let first = e.bin(BinKind::Mul, y, height);
    let row = e.bin(BinKind::ShrU, lane, log);
    let row = e.bin(BinKind::Add, first, row);
    let mut places = vec![column, row];
    if let Some((_, inner)) = outer.split_first() {
        let mut rest = block(e, GangDim::Three);
        for count in inner.iter().rev() {
            places.push(e.bin(BinKind::RemU, rest, *count));
            rest = e.bin(BinKind::DivU, rest, *count);
        }
        places.push(rest);
    }
    places.reverse();
    let in_row = e.cmp(CmpKind::LtU, column, columns);
    let in_column = e.cmp(CmpKind::LtU, row, rows);
    let no = e.int(1, 0);
    (places, e.select(in_row, in_column, no))
}

/// A nest of rows and columns that a grid covers, as [`nest`] has made it.
pub struct Place {
    /// Holds the body.
    pub inside: If,
    /// The thread's row, how many there are, and how many a block has: 32-bit words.
    pub row: Value,
    pub rows: Value,
    pub height: Value,
    /// Whether the thread has a column.
    pub in_column: Value,
    /// The thread's column, how many there are, and the logarithm of how many a block has.
    pub column: Value,
    pub columns: Value,
    pub log_width: Value,
    /// The column in the block, and the block's place among those of its row.
    pub column_in_block: Value,
    pub block: Value,
}

/// The only nest of a version that has rows.
pub fn place_of(ctx: &Context, version: FuncOp) -> Option<Place> {
    let mut all = ops_of_block(ctx, version.get_entry_block(ctx)).into_iter();
    let inside = all.find_map(|op| Operation::get_op::<If>(op, ctx))?;
    let made = |value: Value| value.defining_op();
    let both = Operation::get_op::<Select>(made(inside.get_operand_cond(ctx))?, ctx)?;
    let in_row = Operation::get_op::<Cmp>(made(both.get_operand_yes(ctx))?, ctx)?;
    let row = in_row.get_operand_lhs(ctx);
    let first = Operation::get_op::<Bin>(made(row)?, ctx)?.get_operand_lhs(ctx);
    let first = Operation::get_op::<Bin>(made(first)?, ctx)?;
    let block = Operation::get_op::<Cast>(made(first.get_operand_lhs(ctx))?, ctx)?;
    let block = Operation::get_op::<DimPos>(made(block.get_operand_value(ctx))?, ctx)?;
    let has_column = Operation::get_op::<Cmp>(made(both.get_operand_cond(ctx))?, ctx)?;
    let column = Operation::get_op::<Bin>(made(has_column.get_operand_lhs(ctx))?, ctx)?;
    let start = Operation::get_op::<Bin>(made(column.get_operand_lhs(ctx))?, ctx)?;
    (block.gang_dim(ctx) == Some(GangDim::Two)).then(|| Place {
        inside,
        row,
        rows: in_row.get_operand_rhs(ctx),
        height: first.get_operand_rhs(ctx),
        in_column: both.get_operand_cond(ctx),
        column: has_column.get_operand_lhs(ctx),
        columns: has_column.get_operand_rhs(ctx),
        log_width: start.get_operand_rhs(ctx),
        column_in_block: column.get_operand_rhs(ctx),
        block: start.get_operand_lhs(ctx),
    })
}

/// Gives blocks as many columns as a warp has lanes; false if that cannot be, and nothing has changed.
pub fn widen(ctx: &mut Context, place: &mut Place) -> bool {
    // In places(): the block's first column, the column in it, the row in it, and the number of its rows.
    let bin = |value: Value| Operation::get_op::<Bin>(value.defining_op()?, ctx);
    let made = [
        bin(place.column).and_then(|sum| bin(sum.get_operand_lhs(ctx))),
        bin(place.column_in_block),
        bin(place.row).and_then(|sum| bin(sum.get_operand_rhs(ctx))),
        bin(place.height),
    ];
    let kinds = [BinKind::Shl, BinKind::And, BinKind::ShrU, BinKind::ShrU];
    let mut all = made.iter().zip(kinds);
    if !all.all(|(op, kind)| op.is_some_and(|op| op.kind(ctx) == kind)) {
        return false;
    }
    for op in made.into_iter().flatten() {
        let mask = op.kind(ctx) == BinKind::And;
        let mut e = Emitter::before(ctx, op.get_operation());
        let new = match mask {
            true => e.int(32, (1 << LOG_COLUMNS) - 1),
            false => e.int(32, i128::from(LOG_COLUMNS)),
        };
        Operation::replace_operand(op.get_operation(), e.ctx, 1, new);
        if op.kind(ctx) == BinKind::Shl {
            place.log_width = new;
        }
    }
    true
}

/// A loop of one dimension that a grid covers, as [`nest`] has made it: 32-bit words.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The thread's iteration: `block` times the number of lanes, and `lane`.
    pub place: Value,
    /// How many there are.
    pub places: Value,
    pub block: Value,
    pub lane: Value,
}

/// The only loop of a version that has one dimension.
pub fn line_of(ctx: &Context, version: FuncOp) -> Option<Line> {
    let mut all = ops_of_block(ctx, version.get_entry_block(ctx)).into_iter();
    let inside = all.find_map(|op| Operation::get_op::<If>(op, ctx))?;
    let made = |value: Value| value.defining_op();
    let has_place = Operation::get_op::<Cmp>(made(inside.get_operand_cond(ctx))?, ctx)?;
    let place = has_place.get_operand_lhs(ctx);
    let sum = Operation::get_op::<Bin>(made(place)?, ctx)?;
    let (first, lane) = (sum.get_operand_lhs(ctx), sum.get_operand_rhs(ctx));
    let first = Operation::get_op::<Bin>(made(first)?, ctx)?;
    let block = first.get_operand_lhs(ctx);
    let position = |value: Value| {
        let word = Operation::get_op::<Cast>(made(value)?, ctx)?;
        Operation::get_op::<DimPos>(made(word.get_operand_value(ctx))?, ctx)
    };
    let in_grid = position(block)?.gang_dim(ctx) == Some(GangDim::One);
    let in_block = position(lane)?.level(ctx) == Level::Vector;
    let adds = sum.kind(ctx) == BinKind::Add && first.kind(ctx) == BinKind::Mul;
    (in_grid && in_block && adds).then(|| Line {
        place,
        places: has_place.get_operand_rhs(ctx),
        block,
        lane,
    })
}

/// The number of this block in a dimension of the grid.
fn block(e: &mut Emitter, dim: GangDim) -> Value {
    let position = DimPos::of_gangs(e.ctx, Some(dim));
    word(e, position)
}

fn word(e: &mut Emitter, number: impl OneResultInterface) -> Value {
    let number = e.value(number);
    let to = int(e.ctx, 32);
    e.narrow(number, to)
}
