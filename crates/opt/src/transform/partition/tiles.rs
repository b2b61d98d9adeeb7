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
//! On GPUs a block of a grid that covers the loop is a tile: `tile(32, 8)` are 8 rows and 32 columns (the clause begins with
//! the innermost loop), `tile(64)` are 64 lanes; where arrays
//! are accessed along the columns, a block has as many threads in fewer columns ([`super::patch`]). A block has
//! whole warps and at most 1024 threads, and 4, 8, 16 or 32 columns: sizes that do not fit leave the shape to the compiler, and so does
//! `*`. A `vector_length` clause says how many lanes there are, whatever the tile.
//!
//! Loops that run in order keep their order. Cost: a loop for each dimension.

use accrue_abi::launch::{BLOCK, WARP};
use accrue_dialects::core::{BinKind, emit::Emitter};
use accrue_dialects::par::{Levels, TileSizes};
use pliron::value::Value;

use super::{Axis, Nest, Part, finish, loop_over, open_for, share};
use crate::analysis::trip::Dimension;
use accrue_dialects::core::ForInfo;

/// Iterations of a tile in a dimension where the clause says `*`: a transposition on cores takes half of the time of 16 x 64.
const STAR: u64 = 32;
/// Columns that a block may have, as logarithms.
const LOG_COLUMNS: std::ops::RangeInclusive<u32> = 2..=5;

/// What a block of a covering grid looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Of a nest: the logarithm of the number of columns.
    pub log_columns: Option<u32>,
    pub lanes: u32,
}

impl Block {
    /// Of these sizes, outermost first; `None` where there is none like that.
    pub fn of(sizes: &TileSizes) -> Option<Block> {
        let (columns, others) = sizes.0.split_last()?;
        let lanes = sizes
            .0
            .iter()
            .try_fold(1u64, |all, n| all.checked_mul(*n))?;
        let lanes = u32::try_from(lanes).ok()?;
        let whole = (WARP..=BLOCK).contains(&lanes) && lanes.is_multiple_of(WARP);
        let log = columns.checked_ilog2().filter(|log| 1 << log == *columns);
        let log_columns = match (others, log) {
            ([], _) => None,
            ([.., _], Some(log)) if LOG_COLUMNS.contains(&log) => Some(log),
            ([.., _], _) => return None,
        };
        whole.then_some(Block { log_columns, lanes })
    }

    /// For remarks, with the columns that it has: fewer than the clause says where arrays are accessed along them.
    pub fn describe(self, log: u32) -> String {
        match self.log_columns {
            Some(_) => format!(
                "blocks of the version for covering grids have {} rows and {} columns, for `tile`",
                self.lanes >> log,
                1 << log
            ),
            None => format!(
                "blocks of the version for covering grids have {} lanes, for `tile`",
                self.lanes
            ),
        }
    }
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
    fn blocks() {
        let of = |sizes: &[u64]| {
            let block = Block::of(&TileSizes(sizes.to_vec()))?;
            Some((block.log_columns, block.lanes))
        };
        assert_eq!(of(&[8, 32]), Some((Some(5), 256)));
        assert_eq!(of(&[16, 16]), Some((Some(4), 256)));
        assert_eq!(of(&[2, 4, 8]), Some((Some(3), 64)));
        assert_eq!(of(&[64]), Some((None, 64)));
        for unfit in [
            &[3, 5][..],
            &[64, 64],
            &[0, 32],
            &[2, 64],
            &[100],
            &[u64::MAX, 2],
            &[],
        ] {
            assert_eq!(of(unfit), None, "{unfit:?}");
        }
    }

    #[test]
    fn stars_on_cores() {
        let of = |sizes: &[u64]| sizes_on_cores(&TileSizes(sizes.to_vec()));
        assert_eq!(of(&[8, 0]), [8, 32]);
        assert_eq!(of(&[0]), [32]);
    }
}
