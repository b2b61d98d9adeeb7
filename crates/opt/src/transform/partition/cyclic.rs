//! The distribution of iterations on GPUs: iteration k goes to thread k mod the number of threads.
//!
//! Consecutive lanes then take consecutive iterations, and what they load from `a[i]` is one transaction of the memory.
//! The levels of one loop count as one: thread = (gang * workers + worker) * lanes + lane.
//!
//! ```text
//! par.loop … gang vector, (i = a; i < b; i++)
//!     →   core.for k = thread to b - a step threads {  i = a + k  … }
//! par.loop … (i = a; i < b; i++; j = c; j < d; j++)
//!     →   core.for k = thread to (b - a) * (d - c) step threads {  i = a + k / (d - c);  j = c + k mod (d - c)  … }
//! ```
//!
//! The last two dimensions of a collapsed loop are walked in tiles of 8 × 32 iterations where these fit without a rest:
//! threads that are close to each other then also share what they load from a column (`b[k][j]` in a matrix product).
//!
//! Where something is reduced over a nest, threads are few and have many iterations each; they count along its dimensions instead
//! of dividing ([`digits`]).
//!
//! The counter is `i64`: it cannot overflow past the end, whatever the type of the induction variable. A division of
//! 64-bit numbers takes a GPU tens of instructions, so numbers that fit are divided as 32-bit ones.

use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_dialects::{
    core::{self, BinKind, CmpKind, ForInfo, If, int},
    par::{Level, Levels},
};
use accrue_ir::walk;
use pliron::{op::Op, value::Value};

use super::{Axis, Nest, digits::Digits, open_for};
use crate::analysis::trip::Dimension;

/// Rows and columns of a tile; a warp of 32 lanes has one row of it, so that its accesses are consecutive.
const TILE_ROWS: i128 = 8;
const TILE_COLUMNS: i128 = 32;

/// The loops that replace a partitioned `par.loop` over `dims`, and how many iterations there are. `dims` is not empty. `reduced`:
/// something is reduced over it.
pub fn nest(
    e: &mut Emitter,
    dims: &[Dimension],
    axes: &[Axis],
    levels: Levels,
    reduced: bool,
) -> (Nest, Value) {
    let counts: Vec<_> = dims.iter().map(|d| d.count(e)).collect();
    let total = counts[1..]
        .iter()
        .fold(counts[0], |total, count| e.bin(BinKind::Mul, total, *count));
    let fits = fits_32_bits(e, total, dims.len() - 1);
    let of_lanes = axes.iter().any(|axis| axis.level == Level::Vector);
    let counted = reduced && of_lanes && dims.len() > 1;
    let tiled = (of_lanes && !counted)
        .then(|| fit_tiles(e, &counts, fits))
        .flatten();
    let (thread, threads) = place(e, axes);
    let info = ForInfo {
        independent: levels.independent,
        unsigned: false,
    };
    let digits = counted.then(|| digits_of(e, dims, &counts, (thread, threads), fits));
    let (op, body, k) = open_for(e, thread, total, threads, info);
    let ivs = match digits {
        Some(digits) => digits.next(e, dims),
        None => {
            let places = match tiled {
                None => in_order(e, k, &counts, fits),
                Some(tiled) => choose(
                    e,
                    tiled,
                    counts.len(),
                    |e| in_tiles(e, k, &counts),
                    |e| in_order(e, k, &counts, fits),
                ),
            };
            let ivs = dims.iter().zip(places);
            ivs.map(|(dim, place)| dim.at(e, place)).collect()
        }
    };
    let nest = Nest {
        outermost: op.get_operation(),
        body,
        ivs,
    };
    (nest, total)
}

/// The digits of this thread's first iteration.
fn digits_of(
    e: &mut Emitter,
    dims: &[Dimension],
    counts: &[Value],
    (thread, threads): (Value, Value),
    fits: Fits,
) -> Digits {
    let one = e.i64(1);
    // In front of a loop without iterations a count may be zero, by which nothing is divided.
    let counts: Vec<_> = counts
        .iter()
        .map(|count| e.bin(BinKind::MaxS, *count, one))
        .collect();
    let first = in_order(e, thread, &counts, fits);
    let distance = in_order(e, threads, &counts, fits);
    Digits::start(e, dims, &counts, &first, &distance)
}

/// The place of iteration `k` in each dimension, the last dimension changing fastest.
fn in_order(e: &mut Emitter, k: Value, counts: &[Value], fits: Fits) -> Vec<Value> {
    let mut rest = k;
    let mut places = vec![];
    for count in counts[1..].iter().rev() {
        let (quotient, remainder) = divide(e, rest, *count, fits);
        places.push(remainder);
        rest = quotient;
    }
    places.push(rest);
    places.reverse();
    places
}

/// Whether the last two dimensions can be walked tile by tile without a rest; `None` if there is only one.
fn fit_tiles(e: &mut Emitter, counts: &[Value], fits: Fits) -> Option<Value> {
    let [.., rows, columns] = counts else {
        return None;
    };
    let fits = match fits {
        Fits::Yes => e.int(1, 1),
        Fits::No => return None,
        Fits::If(condition) => condition,
    };
    let zero = e.i64(0);
    let whole = [(*rows, TILE_ROWS), (*columns, TILE_COLUMNS)].map(|(count, tile)| {
        let mask = e.i64(tile - 1);
        let rest = e.bin(BinKind::And, count, mask);
        e.cmp(CmpKind::Eq, rest, zero)
    });
    let no = e.int(1, 0);
    let columns_fit = e.select(whole[1], fits, no);
    Some(e.select(whole[0], columns_fit, no))
}

/// The place of iteration `k` in each dimension when the last two are walked in tiles.
fn in_tiles(e: &mut Emitter, k: Value, counts: &[Value]) -> Vec<Value> {
    let (tile_rows, tile_columns) = (e.i64(TILE_ROWS), e.i64(TILE_COLUMNS));
    let last = counts.len() - 1;
    let across = divide_32(e, counts[last], tile_columns).0;
    let (rest, column) = divide_32(e, k, tile_columns);
    let (tile, row) = divide_32(e, rest, tile_rows);
    let (mut rest, tile_column) = divide_32(e, tile, across);
    let first_column = e.bin(BinKind::Mul, tile_column, tile_columns);
    let mut places = vec![e.bin(BinKind::Add, first_column, column)];
    let mut tile_row = rest;
    if last > 1 {
        let down = divide_32(e, counts[last - 1], tile_rows).0;
        (rest, tile_row) = divide_32(e, rest, down);
    }
    let first_row = e.bin(BinKind::Mul, tile_row, tile_rows);
    places.push(e.bin(BinKind::Add, first_row, row));
    if last > 1 {
        for count in counts[1..last - 1].iter().rev() {
            let (quotient, remainder) = divide_32(e, rest, *count);
            places.push(remainder);
            rest = quotient;
        }
        places.push(rest);
    }
    places.reverse();
    places
}

/// `if (condition) yes else no`, both giving `results` numbers.
fn choose(
    e: &mut Emitter,
    condition: Value,
    results: usize,
    yes: impl FnOnce(&mut Emitter) -> Vec<Value>,
    no: impl FnOnce(&mut Emitter) -> Vec<Value>,
) -> Vec<Value> {
    let wide = int(e.ctx, 64);
    let (op, then, otherwise) = If::new(e.ctx, condition, vec![wide; results]);
    e.push(op);
    e.at_end(then);
    let values = yes(e);
    let end = core::Yield::new(e.ctx, values);
    e.push(end);
    e.at_end(otherwise);
    let values = no(e);
    let end = core::Yield::new(e.ctx, values);
    e.push(end);
    e.go_after(op.get_operation());
    walk::results_of(e.ctx, op.get_operation())
}

/// The number of this thread among those that share the loop, and how many they are.
fn place(e: &mut Emitter, axes: &[Axis]) -> (Value, Value) {
    let mut place: Option<(Value, Value)> = None;
    for axis in axes {
        let (position, size) = axis.place(e);
        place = Some(match place {
            None => (position, size),
            Some((thread, threads)) => {
                let first = e.bin(BinKind::Mul, thread, size);
                let thread = e.bin(BinKind::Add, first, position);
                (thread, e.bin(BinKind::Mul, threads, size))
            }
        });
    }
    place.unwrap_or_else(|| (e.i64(0), e.i64(1)))
}

/// Whether numbers below `total` may be divided as 32-bit numbers.
#[derive(Clone, Copy)]
enum Fits {
    Yes,
    No,
    /// If this `i1` is true.
    If(Value),
}

fn fits_32_bits(e: &mut Emitter, total: Value, divisions: usize) -> Fits {
    const LIMIT: i128 = 1 << 32;
    match constant(e.ctx, total) {
        _ if divisions == 0 => Fits::No,
        Some(total) if total <= LIMIT => Fits::Yes,
        Some(_) => Fits::No,
        None => {
            let limit = e.i64(LIMIT);
            Fits::If(e.cmp(CmpKind::LeS, total, limit))
        }
    }
}

/// `dividend / divisor` and `dividend mod divisor` of `i64` that are not negative.
fn divide(e: &mut Emitter, dividend: Value, divisor: Value, fits: Fits) -> (Value, Value) {
    let condition = match fits {
        Fits::Yes => return divide_32(e, dividend, divisor),
        Fits::No => return divide_64(e, dividend, divisor),
        Fits::If(condition) => condition,
    };
    let results = choose(
        e,
        condition,
        2,
        |e| <[Value; 2]>::from(divide_32(e, dividend, divisor)).to_vec(),
        |e| <[Value; 2]>::from(divide_64(e, dividend, divisor)).to_vec(),
    );
    (results[0], results[1])
}

fn divide_64(e: &mut Emitter, dividend: Value, divisor: Value) -> (Value, Value) {
    let quotient = e.bin(BinKind::DivS, dividend, divisor);
    let remainder = e.bin(BinKind::RemS, dividend, divisor);
    (quotient, remainder)
}

fn divide_32(e: &mut Emitter, dividend: Value, divisor: Value) -> (Value, Value) {
    let narrow = int(e.ctx, 32);
    let (dividend, divisor) = (e.narrow(dividend, narrow), e.narrow(divisor, narrow));
    let quotient = e.bin(BinKind::DivU, dividend, divisor);
    let remainder = e.bin(BinKind::RemU, dividend, divisor);
    (e.widen(quotient, true), e.widen(remainder, true))
}
