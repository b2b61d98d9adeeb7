//! Which bytes have been written: one bit per byte.

use super::bytes::Bytes;

/// Marks of memory that host threads share.
pub struct Marks(Bytes);

/// The bits of `size` bytes from `at`, within a mark of 8 bytes.
fn bits(at: u64, size: u64) -> u64 {
    ((1 << size) - 1) << (at % 8)
}

impl Marks {
    pub fn new(bytes: u64) -> Option<Marks> {
        Bytes::new(bytes.div_ceil(8)).map(Marks)
    }

    /// Marks 1, 2, 4 or 8 aligned bytes.
    pub fn set(&self, at: u64, size: u32) {
        let wanted = bits(at, u64::from(size));
        if self.0.load(at / 8, 1) & wanted != wanted {
            self.0.update(at / 8, 1, |old| old | wanted);
        }
    }

    /// Takes the marks of 1, 2, 4 or 8 aligned bytes away.
    pub fn clear(&self, at: u64, size: u32) {
        let unwanted = bits(at, u64::from(size));
        if self.0.load(at / 8, 1) & unwanted != 0 {
            self.0.update(at / 8, 1, |old| old & !unwanted);
        }
    }

    /// Whether 1, 2, 4 or 8 aligned bytes are all marked.
    pub fn get(&self, at: u64, size: u32) -> bool {
        let wanted = bits(at, u64::from(size));
        self.0.load(at / 8, 1) & wanted == wanted
    }

    /// Whether one of the bytes, or of those around them up to a multiple of 8, is marked.
    pub fn any(&self, at: u64, size: u64) -> bool {
        (at / 8..(at + size).div_ceil(8)).any(|mark| self.0.load(mark, 1) != 0)
    }

    pub fn set_range(&self, at: u64, size: u64) {
        let end = at + size;
        let mut at = at;
        while at < end && !at.is_multiple_of(8) {
            self.set(at, 1);
            at += 1;
        }
        let whole = (end - at) / 8;
        self.0.fill(at / 8, 0xff, whole);
        (at + 8 * whole..end).for_each(|at| self.set(at, 1));
    }

    pub fn clear_range(&self, at: u64, size: u64) {
        let end = at + size;
        let mut at = at;
        while at < end {
            if at.is_multiple_of(8) && end - at >= 8 {
                self.0.store(at / 8, 1, 0);
                at += 8;
            } else {
                self.0.update(at / 8, 1, |old| old & !bits(at, 1));
                at += 1;
            }
        }
    }

    /// Takes over the marks of bytes that are copied here.
    pub fn copy(&self, at: u64, from: &Marks, from_at: u64, size: u64) {
        if (at | from_at | size).is_multiple_of(8) {
            // Whole marks; backwards when the target is above the source, as the bytes are copied.
            let (to, from_start, marks) = (at / 8, from_at / 8, size / 8);
            let copy = |n: u64| self.0.store(to + n, 1, from.0.load(from_start + n, 1));
            return if at > from_at {
                (0..marks).rev().for_each(copy)
            } else {
                (0..marks).for_each(copy)
            };
        }
        for n in 0..size {
            if from.get(from_at + n, 1) {
                self.set(at + n, 1);
            } else {
                self.0.update((at + n) / 8, 1, |old| old & !bits(at + n, 1));
            }
        }
    }
}

/// Marks of memory that one host thread has for itself.
#[derive(Default)]
pub struct OwnMarks(Vec<u8>);

impl OwnMarks {
    pub fn new(bytes: usize) -> OwnMarks {
        OwnMarks(vec![0; bytes.div_ceil(8)])
    }

    pub fn grow(&mut self, bytes: usize) {
        self.0.resize(bytes.div_ceil(8), 0);
    }

    pub fn set(&mut self, at: usize, size: u32) {
        (at..at + size as usize).for_each(|at| self.0[at / 8] |= 1 << (at % 8));
    }

    pub fn clear(&mut self, at: usize, size: u32) {
        (at..at + size as usize).for_each(|at| self.0[at / 8] &= !(1 << (at % 8)));
    }

    pub fn get(&self, at: usize, size: u32) -> bool {
        (at..at + size as usize).all(|at| self.0[at / 8] >> (at % 8) & 1 != 0)
    }

    pub fn copy(&mut self, from: usize, to: usize, size: u32) {
        for n in 0..size as usize {
            let mark = self.get(from + n, 1);
            if mark {
                self.set(to + n, 1)
            } else {
                self.clear(to + n, 1)
            }
        }
    }
}
