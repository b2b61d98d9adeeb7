//! How much of a stream's work somebody has waited for: who waits again needs no call of the driver.

use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{AcqRel, Acquire, Release},
};

/// The work of one stream.
#[derive(Default)]
pub struct Pending {
    /// Pieces of work put into it, and how many of them somebody has waited for.
    enqueued: AtomicU64,
    awaited: AtomicU64,
    /// The program knows the stream's handle and may have put work into it.
    foreign: AtomicBool,
}

impl Pending {
    /// A piece of work was put into the stream. To be called afterwards: who waits on the same thread then waits for it, and a wait
    /// of another thread in between does not count it as done.
    #[inline]
    pub fn add(&self) {
        self.enqueued.fetch_add(1, Release);
    }

    /// How many pieces there were so far.
    pub fn enqueued(&self) -> u64 {
        self.enqueued.load(Acquire)
    }

    /// How many of them somebody has waited for.
    pub fn awaited(&self) -> u64 {
        self.awaited.load(Acquire)
    }

    /// The first so many pieces are done.
    pub fn done(&self, pieces: u64) {
        self.awaited.fetch_max(pieces, AcqRel);
    }

    /// The program gets the handle, or the handle is its own: it may put work into the stream, and wait for it, at any time.
    pub fn lend(&self) {
        self.foreign.store(true, Release);
    }

    /// The program knows the handle.
    pub fn is_foreign(&self) -> bool {
        self.foreign.load(Acquire)
    }

    /// True when there may be work that nobody has waited for.
    pub fn may_be_busy(&self) -> bool {
        self.awaited() < self.enqueued() || self.is_foreign()
    }
}
