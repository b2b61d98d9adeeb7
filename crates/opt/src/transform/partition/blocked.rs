//! Loops on cores: each thread takes a contiguous chunk of the iterations.
//!
//! A loop over one dimension keeps its own induction variable and a unit step, which the host's compiler vectorises best:
//!
//! ```text
//!                                            par.fork gang 1
//! par.loop … gang, (i = a; i < b; i++)  →    chunk = ceil((b - a) / dim_size);  lo = min(dim_pos * chunk, b - a);  hi = …
//!                                            core.for i = a + lo to a + hi step 1
//!                                            par.join gang 1
//! ```
//!
//! A loop over several dimensions (`collapse`) counts them as one. The outer dimensions come from a counter over *rows* of
//! the innermost dimension, with division; the innermost one stays a plain loop, cut off in the first and last row:
//!
//! ```text
//! core.for row = lo / m to ceil(hi / m)
//!   i = a + row;  core.for j = c + max(lo - row * m, 0) to c + min(hi - row * m, m)
//! ```
//!
//! The arithmetic of a chunk is done once per thread and loop.

use super::{Axis, Nest, Part, across, finish, loop_over, open_for, sequential};
use crate::analysis::trip::Dimension;
use accrue_dialects::{
    core::emit::Emitter,
    core::{BinKind, ForInfo},
    par::Levels,
};
use pliron::value::Value;

/// A loop over one dimension.
pub(super) fn one_dimension(
    e: &mut Emitter,
    dim: &Dimension,
    axes: &[Axis],
    levels: Levels,
) -> Nest {
    let count = dim.count(e);
    let (first, last) = share(e, count, axes);
    let (op, body, iv) = loop_over(e, dim, Some(Part { first, last, count }), levels);
    finish(e, vec![(op, body)], vec![iv])
}

/// A loop over several dimensions; `tiled`: in tiles, for arrays that are accessed along their columns ([`across`]).
pub(super) fn collapsed(
    e: &mut Emitter,
    dims: &[Dimension],
    axes: &[Axis],
    levels: Levels,
    tiled: bool,
) -> Nest {
    let counts: Vec<_> = dims.iter().map(|d| d.count(e)).collect();
    let (Some((inner, outer)), Some(inner_count)) = (dims.split_last(), counts.last().copied())
    else {
        return sequential(e, dims, levels);
    };
    let mut total = counts[0];
    for count in &counts[1..] {
        total = e.bin(BinKind::Mul, total, *count);
    }
    let (lo, hi) = share(e, total, axes);
    let (zero, one) = (e.i64(0), e.i64(1));
    // An empty row must not divide by zero; then lo = hi = 0.
    let row_length = e.bin(BinKind::MaxS, inner_count, one);
    let first_row = e.bin(BinKind::DivS, lo, row_length);
    let last = e.bin(BinKind::Add, hi, row_length);
    let last = e.bin(BinKind::Sub, last, one);
    let last_row = e.bin(BinKind::DivS, last, row_length);
    let row_info = ForInfo {
        independent: levels.independent,
        unsigned: false,
    };
    let mut open = vec![];
    let (mut first_row, mut last_row, mut columns) = (first_row, last_row, (zero, inner_count));
    if tiled {
        let mut over_tiles = |e: &mut Emitter, first, last, size| {
            let size = e.i64(size);
            let (tiles, body, start) = open_for(e, first, last, size, ForInfo::default());
            open.push((tiles, body));
            let end = e.bin(BinKind::Add, start, size);
            (start, e.bin(BinKind::MinS, end, last))
        };
        (first_row, last_row) = over_tiles(e, first_row, last_row, across::ROWS);
        columns = over_tiles(e, zero, inner_count, across::COLUMNS);
    }
    let (row_loop, row_body, row) = open_for(e, first_row, last_row, one, row_info);
    open.push((row_loop, row_body));
    let mut ivs = vec![];
    let mut rest = row;
    for (dim, count) in outer.iter().zip(&counts).skip(1).rev() {
        let index = e.bin(BinKind::RemS, rest, *count);
        rest = e.bin(BinKind::DivS, rest, *count);
        ivs.push(dim.at(e, index));
    }
    if let Some(outermost) = outer.first() {
        ivs.push(outermost.at(e, rest));
    }
    ivs.reverse();
    let start_of_row = e.bin(BinKind::Mul, row, inner_count);
    let (first, last) = (
        e.bin(BinKind::Sub, lo, start_of_row),
        e.bin(BinKind::Sub, hi, start_of_row),
    );
    let (first, last) = (
        e.bin(BinKind::MaxS, first, columns.0),
        e.bin(BinKind::MinS, last, columns.1),
    );
    // What is left of the first and of the last row need not come to a tile.
    let last = match tiled {
        true => e.bin(BinKind::MaxS, first, last),
        false => last,
    };
    let (op, body, iv) = loop_over(
        e,
        inner,
        Some(Part {
            first,
            last,
            count: inner_count,
        }),
        levels,
    );
    ivs.push(iv);
    open.push((op, body));
    finish(e, open, ivs)
}

/// This thread's share of `count` iterations: first and past the last.
pub(super) fn share(e: &mut Emitter, count: Value, axes: &[Axis]) -> (Value, Value) {
    let (mut first, mut length) = (e.i64(0), count);
    let one = e.i64(1);
    for axis in axes {
        let (position, size) = axis.place(e);
        let rounded = e.bin(BinKind::Add, length, size);
        let rounded = e.bin(BinKind::Sub, rounded, one);
        let chunk = e.bin(BinKind::DivS, rounded, size);
        let start = e.bin(BinKind::Mul, position, chunk);
        let start = e.bin(BinKind::MinS, start, length);
        let end = e.bin(BinKind::Add, start, chunk);
        let end = e.bin(BinKind::MinS, end, length);
        first = e.bin(BinKind::Add, first, start);
        length = e.bin(BinKind::Sub, end, start);
    }
    let last = e.bin(BinKind::Add, first, length);
    (first, last)
}
