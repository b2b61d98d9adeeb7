//! The loop over the iterations that are moved at a time: while the lanes compute with some, those that follow are under way.
//!
//! ```text
//! for (chunk = 0; chunk < (count - 1) / 128 + 1; chunk++)     none if there are no iterations
//!   first = chunk * 128;  the next one: first + 128, if that is below count
//!   from lower + first on, min(count - first, 128)
//! ```

use super::open;
use accrue_dialects::core::{BinKind, CmpKind, For, emit::Emitter, int};
use pliron::value::Value;

/// The iterations of a loop: the first one's counter, and how many there are, of `width` bits.
#[derive(Clone, Copy)]
pub(super) struct Iterations {
    pub(super) lower: Value,
    pub(super) count: Value,
    pub(super) width: u32,
}

/// Those that are moved at a time, in the loop over them.
pub(super) struct Chunk {
    pub(super) outer: For,
    all: Iterations,
    /// The number of the first one, and how many they are at most.
    first: Value,
    most: Value,
}

impl Chunk {
    /// Opens the loop over chunks of `at_a_time` iterations, a power of two. `some`: there are iterations.
    pub(super) fn open(
        e: &mut Emitter,
        all: Iterations,
        at_a_time: u64,
        (some, zero): (Value, Value),
    ) -> Chunk {
        let Iterations { count, width, .. } = all;
        let one = e.int(width, 1);
        let log = e.int(width, i128::from(at_a_time.trailing_zeros()));
        let most = e.int(width, i128::from(at_a_time));
        let last = e.bin(BinKind::Sub, count, one);
        let before_last = e.bin(BinKind::ShrU, last, log);
        let whole = e.bin(BinKind::Add, before_last, one);
        let chunks = e.select(some, whole, zero);
        let (outer, block) = open(e, zero, chunks, one);
        outer.set_added(e.ctx);
        let chunk = block.deref(e.ctx).get_argument(0);
        let first = e.bin(BinKind::Shl, chunk, log);
        Chunk {
            outer,
            all,
            first,
            most,
        }
    }

    /// Whether there are iterations behind these, and the number of the first one.
    pub(super) fn next(&self, e: &mut Emitter) -> (Value, Value) {
        let next = e.bin(BinKind::Add, self.first, self.most);
        let more = e.cmp(CmpKind::LtU, next, self.all.count);
        (more, next)
    }

    /// The counter of the first one, and how many there are: a 32-bit word.
    pub(super) fn extent(&self, e: &mut Emitter) -> (Value, Value) {
        let left = e.bin(BinKind::Sub, self.all.count, self.first);
        let size = e.bin(BinKind::MinU, left, self.most);
        let word = int(e.ctx, 32);
        let size = match self.all.width > 32 {
            true => e.narrow(size, word),
            false => size,
        };
        let base = e.bin(BinKind::Add, self.all.lower, self.first);
        (base, size)
    }
}
