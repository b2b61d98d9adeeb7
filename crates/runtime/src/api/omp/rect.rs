//! A part of an array of any number of dimensions, as blocks of rows (OpenMP 5.2, 18.8.6).
//!
//! ```text
//! volume 2 × 3, at (1, 0) of a target of 4 × 8 and at (0, 5) of a source of 2 × 8, elements of 4 bytes
//!     one block: 2 rows of 12 bytes, 32 bytes apart, from byte 32 of the target and byte 20 of the source
//! the same, from a source of 2 × 10
//!     two blocks of one row: the distances of rows differ
//! ```

use crate::device::Rows;

/// Rows at the same distances in target and source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Bytes from the start of the target.
    pub to: usize,
    /// Bytes from the start of the source.
    pub from: usize,
    pub rows: Rows,
}

impl Block {
    /// `bytes` bytes from two offsets on, as the blocks that they are: none without a byte.
    pub fn bytes(bytes: usize, [to, from]: [usize; 2]) -> Option<Block> {
        let rows = Rows::single(bytes);
        (bytes > 0).then_some(Block { to, from, rows })
    }
}

/// The blocks of a part of two arrays, target and source; nothing if sizes are more than memory has.
pub fn blocks(
    element_bytes: usize,
    volume: &[usize],
    offsets: [&[usize]; 2],
    dimensions: [&[usize]; 2],
) -> Option<Vec<Block>> {
    let strides = dimensions.map(|dimensions| strides(element_bytes, dimensions));
    let [Some(to_strides), Some(from_strides)] = strides else {
        return None;
    };
    let mut starts = [0; 2];
    for (side, strides) in [&to_strides, &from_strides].into_iter().enumerate() {
        starts[side] = distance(offsets[side], strides)?;
        // The end of the part.
        distance(volume, strides)?.checked_add(starts[side])?;
    }
    let (&columns, outer) = volume.split_last()?;
    if element_bytes == 0 || volume.contains(&0) {
        return Some(Vec::new());
    }
    let width = columns.checked_mul(element_bytes)?;
    let mut rows = Rows::single(width);
    let mut looped = outer;
    if let Some((&height, others)) = outer.split_last()
        && to_strides[others.len()] == from_strides[others.len()]
    {
        let pitch = to_strides[others.len()];
        (rows, looped) = (
            Rows {
                width,
                height,
                pitch,
            },
            others,
        );
    }
    let mut blocks = vec![Block {
        to: starts[0],
        from: starts[1],
        rows,
    }];
    for (dimension, &count) in looped.iter().enumerate() {
        let steps = (to_strides[dimension], from_strides[dimension]);
        let before = std::mem::take(&mut blocks);
        for block in before {
            blocks.extend((0..count).map(|index| Block {
                to: block.to + index * steps.0,
                from: block.from + index * steps.1,
                rows,
            }));
        }
    }
    Some(blocks)
}

/// Bytes from one index to the next, of each dimension.
fn strides(element_bytes: usize, dimensions: &[usize]) -> Option<Vec<usize>> {
    let mut strides = vec![element_bytes; dimensions.len()];
    for at in (1..dimensions.len()).rev() {
        strides[at - 1] = strides[at].checked_mul(dimensions[at])?;
    }
    Some(strides)
}

fn distance(indices: &[usize], strides: &[usize]) -> Option<usize> {
    let mut all = indices.iter().zip(strides);
    all.try_fold(0usize, |sum, (&index, &stride)| {
        sum.checked_add(index.checked_mul(stride)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(to: usize, from: usize, width: usize, height: usize, pitch: usize) -> Block {
        let rows = Rows {
            width,
            height,
            pitch,
        };
        Block { to, from, rows }
    }

    #[test]
    fn rows_at_equal_distances_are_one_block() {
        let found = blocks(4, &[2, 3], [&[1, 0], &[0, 5]], [&[4, 8], &[2, 8]]);
        assert_eq!(found, Some(vec![block(32, 20, 12, 2, 32)]));
        let found = blocks(4, &[2, 3], [&[1, 0], &[0, 5]], [&[4, 8], &[2, 10]]);
        let rows = [block(32, 20, 12, 1, 12), block(64, 60, 12, 1, 12)];
        assert_eq!(found, Some(rows.to_vec()));
        let planes = blocks(1, &[2, 2, 2], [&[0, 1, 1]; 2], [&[2, 3, 4]; 2]);
        let expected = [block(5, 5, 2, 2, 4), block(17, 17, 2, 2, 4)];
        assert_eq!(planes, Some(expected.to_vec()));
        assert_eq!(
            blocks(8, &[5], [&[1], &[2]], [&[9], &[9]]),
            Some(vec![block(8, 16, 40, 1, 40)])
        );
    }

    #[test]
    fn nothing_and_too_much() {
        let empty = blocks(8, &[3, 0], [&[0, 0]; 2], [&[3, 3]; 2]);
        assert_eq!(empty, Some(vec![]));
        let huge = usize::MAX / 4;
        assert_eq!(blocks(8, &[1, 1], [&[0, 0]; 2], [&[3, huge]; 2]), None);
        assert_eq!(blocks(8, &[huge], [&[0]; 2], [&[3]; 2]), None);
        assert_eq!(blocks(1, &[8], [&[usize::MAX], &[0]], [&[9]; 2]), None);
    }
}
