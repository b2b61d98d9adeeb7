//! What the sizes of a `tile` clause (OpenACC 3.4, section 2.9.8) are for.
//!
//! CPU cores take whole tiles: what the iterations of a tile share is in the core's cache.
//!
//! ```text
//! tile(64, 16)                            for tile = first to last of the core
//! for i in 0..n                             for i = its 16 rows
//!   for j in 0..m                   →         for j = its 64 columns
//!     b[j][i] = a[i][j]                         b[j][i] = a[i][j]
//! ```
//! On GPUs a block of a grid that covers the loop has as many columns as the tiles, from 4 to 32 (the clause begins with the
//! innermost loop), or fewer where arrays are accessed along the columns ([`super::patch`]). How many rows it has, the number of
//! lanes says, which stays what it is without the clause: blocks of 64 threads for `tile(8, 8)` made a transposition and a stencil
//! take twice the time on an H200, and 1024 for `tile(32, 32)` a sixth more.
//!
//! Loops that run in order keep their order. Cost: a loop for each dimension.

use accrue_dialects::core::{BinKind, ForInfo, emit::Emitter};
use accrue_dialects::par::{Levels, TileSizes};
use pliron::value::Value;

use super::covering::{LEAST_LOG_COLUMNS, LOG_COLUMNS};
use super::{Axis, Nest, Part, blocked::share, finish, loop_over, open_for};
use crate::analysis::trip::Dimension;

/// Iterations of a tile in a dimension where the clause says `*`: a transposition on cores takes half of the time of 16 x 64.
const STAR: u64 = 32;

/// The logarithm of the number of columns of blocks for tiles of these sizes; `None` where they say nothing of it.
pub fn log_columns(sizes: &TileSizes) -> Option<u32> {
    let (columns, rows) = sizes.0.split_last()?;
    let log = columns.checked_ilog2().filter(|_| !rows.is_empty())?;
    (log >= LEAST_LOG_COLUMNS).then_some(log.min(LOG_COLUMNS))
}

/// The sizes as they are used on cores.
pub fn sizes_on_cores(sizes: &TileSizes) -> Vec<u64> {
    let sizes = sizes.0.iter();
    sizes
        .map(|size| if *size == 0 { STAR } else { *size })
        .collect()
}

/// The loops over this core's tiles and the iterations of each.
pub(super) fn nest(
    e: &mut Emitter,
    dims: &[Dimension],
    sizes: &[u64],
    axes: &[Axis],
    levels: Levels,
) -> Nest {
    let (zero, one) = (e.i64(0), e.i64(1));
    let counts: Vec<Value> = dims.iter().map(|dim| dim.count(e)).collect();
    let sizes: Vec<Value> = sizes.iter().map(|size| e.i64(i128::from(*size))).collect();
    // Without overflow, whatever the size.
    let tiles: Vec<Value> = counts
        .iter()
        .zip(&sizes)
        .map(|(count, size)| {
            let whole = e.bin(BinKind::DivS, *count, *size);
            let covered = e.bin(BinKind::Mul, whole, *size);
            let left = e.bin(BinKind::Sub, *count, covered);
            let rest = e.bin(BinKind::MinS, left, one);
            e.bin(BinKind::Add, whole, rest)
        })
        .collect();
    let total = tiles[1..]
        .iter()
        .fold(tiles[0], |all, n| e.bin(BinKind::Mul, all, *n));
    let (first, last) = share(e, total, axes);
    let of_tiles = ForInfo {
        independent: levels.independent,
        unsigned: false,
    };
    let (op, body, tile) = open_for(e, first, last, one, of_tiles);
    let mut open = vec![(op, body)];
    let (mut places, mut rest) = (vec![], tile);
    for tiles in tiles.iter().skip(1).rev() {
        places.push(e.bin(BinKind::RemS, rest, *tiles));
        rest = e.bin(BinKind::DivS, rest, *tiles);
    }
    places.push(rest);
    places.reverse();
    let mut ivs = vec![];
    for (((dim, place), size), count) in dims.iter().zip(places).zip(sizes).zip(counts) {
        let first = e.bin(BinKind::Mul, place, size);
        let left = e.bin(BinKind::Sub, count, first);
        let own = e.bin(BinKind::MinS, left, size);
        let own = e.bin(BinKind::MaxS, own, zero);
        let last = e.bin(BinKind::Add, first, own);
        let part = Part { first, last, count };
        let (op, body, iv) = loop_over(e, dim, Some(part), levels);
        open.push((op, body));
        ivs.push(iv);
    }
    finish(e, open, ivs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_blocks() {
        let of = |sizes: &[u64]| log_columns(&TileSizes(sizes.to_vec()));
        assert_eq!(of(&[8, 32]), Some(5));
        assert_eq!(of(&[3, 12]), Some(3));
        assert_eq!(of(&[2, 4, 8]), Some(3));
        assert_eq!(of(&[0, 1000]), Some(5));
        for says_nothing in [&[64][..], &[32, 0], &[8, 3], &[]] {
            assert_eq!(of(says_nothing), None, "{says_nothing:?}");
        }
    }

    #[test]
    fn stars_on_cores() {
        let of = |sizes: &[u64]| sizes_on_cores(&TileSizes(sizes.to_vec()));
        assert_eq!(of(&[8, 0]), [8, 32]);
        assert_eq!(of(&[0]), [32]);
    }
}
