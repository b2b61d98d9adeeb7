//! What is transferred: rows of memory on both sides, cut into chunks, and the host's half of a transfer.

use super::Rows;
use super::cpu::pool::{self, Pool};
use std::sync::OnceLock;

/// Bytes that a copy thread takes at a time.
const PIECE: usize = 256 << 10;

/// Most copy threads; more do not make memory faster.
const THREADS: usize = 16;

/// Which way a transfer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
}

/// Rows of memory on both sides; one row for a contiguous transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub host: usize,
    pub device: usize,
    pub rows: Rows,
}

impl Block {
    pub fn bytes(&self) -> usize {
        self.rows.width * self.rows.height
    }

    /// Cuts the block into parts of at most `most` bytes.
    pub fn chunks(self, most: usize) -> Vec<Block> {
        let Rows {
            width,
            height,
            pitch,
        } = self.rows;
        let part = |row: usize, column: usize, width: usize, height: usize| {
            let offset = row * pitch + column;
            Block {
                host: self.host + offset,
                device: self.device + offset,
                rows: Rows {
                    width,
                    height,
                    pitch,
                },
            }
        };
        if width > most {
            let columns = || (0..width).step_by(most);
            return (0..height)
                .flat_map(|row| columns().map(move |column| (row, column)))
                .map(|(row, column)| part(row, column, most.min(width - column), 1))
                .collect();
        }
        let rows = most / width.max(1);
        (0..height)
            .step_by(rows)
            .map(|row| part(row, 0, width, rows.min(height - row)))
            .collect()
    }

    /// Copies between the user's memory and a buffer that has the rows without gaps.
    ///
    /// # Safety
    /// Both sides are valid.
    pub unsafe fn copy_on_host(self, direction: Direction, buffer: usize) {
        let Rows {
            width,
            height,
            pitch,
        } = self.rows;
        let copy = |host: usize, buffer: usize, bytes: usize| {
            let (to, from) = match direction {
                Direction::In => (buffer, host),
                Direction::Out => (host, buffer),
            };
            // SAFETY: valid by the contract; a pinned buffer is nobody else's memory.
            unsafe { std::ptr::copy_nonoverlapping(from as *const u8, to as *mut u8, bytes) };
        };
        if height == 1 {
            let piece = |index: u64| {
                let offset = index as usize * PIECE;
                copy(
                    self.host + offset,
                    buffer + offset,
                    PIECE.min(width - offset),
                );
            };
            spread(width.div_ceil(PIECE) as u64, &piece);
        } else {
            let rows = (PIECE / width.max(1)).max(1);
            let piece = |index: u64| {
                let first = index as usize * rows;
                for row in first..height.min(first + rows) {
                    copy(self.host + row * pitch, buffer + row * width, width);
                }
            };
            spread(height.div_ceil(rows) as u64, &piece);
        }
    }
}

/// Calls `piece` for all numbers below `pieces`, on several threads if that pays.
fn spread(pieces: u64, piece: &(dyn Fn(u64) + Sync)) {
    static COPIERS: OnceLock<&'static Pool> = OnceLock::new();
    if pieces <= 2 {
        (0..pieces).for_each(piece);
        return;
    }
    COPIERS
        .get_or_init(|| Pool::start(pool::allowed_cores().min(THREADS)))
        .run(None, pieces, piece);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(rows: (usize, usize, usize), most: usize) -> Vec<(usize, usize, usize)> {
        let (width, height, pitch) = rows;
        let block = Block {
            host: 0,
            device: 1000,
            rows: Rows {
                width,
                height,
                pitch,
            },
        };
        let chunks = block.chunks(most);
        assert!(chunks.iter().all(|chunk| chunk.device == chunk.host + 1000));
        chunks
            .iter()
            .map(|chunk| (chunk.host, chunk.rows.width, chunk.rows.height))
            .collect()
    }

    #[test]
    fn blocks_are_cut_by_bytes_or_by_rows() {
        assert_eq!(chunks((10, 1, 10), 16), [(0, 10, 1)]);
        assert_eq!(
            chunks((40, 1, 40), 16),
            [(0, 16, 1), (16, 16, 1), (32, 8, 1)]
        );
        assert_eq!(chunks((5, 5, 100), 16), [(0, 5, 3), (300, 5, 2)]);
        assert_eq!(
            chunks((20, 2, 100), 16),
            [(0, 16, 1), (16, 4, 1), (100, 16, 1), (116, 4, 1)]
        );
    }

    #[test]
    fn packing_and_unpacking_are_inverse() {
        for (width, height, pitch) in [
            (3 * PIECE + 5, 1, 3 * PIECE + 5),
            (7, 1000, 20),
            (PIECE, 5, PIECE + 3),
        ] {
            let rows = Rows {
                width,
                height,
                pitch,
            };
            let bytes = pitch * height;
            let user: Vec<u8> = (0..bytes).map(|i| (i * 7 % 251) as u8).collect();
            let mut packed = vec![0u8; width * height];
            let mut back = vec![0u8; bytes];
            let at = |host: usize| Block {
                host,
                device: 0,
                rows,
            };
            let buffer = packed.as_mut_ptr() as usize;
            // SAFETY: all three have the sizes that the rows need.
            unsafe {
                at(user.as_ptr() as usize).copy_on_host(Direction::In, buffer);
                at(back.as_mut_ptr() as usize).copy_on_host(Direction::Out, buffer);
            }
            for row in 0..height {
                let range = row * pitch..row * pitch + width;
                assert_eq!(user[range.clone()], packed[row * width..(row + 1) * width]);
                assert_eq!(user[range.clone()], back[range]);
            }
        }
    }
}
