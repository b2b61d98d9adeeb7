//! Streams with what belongs to them: scratch memory, and which launches they have been given.

use super::driver::{self, Driver, Status};
use super::late::{Cell, Late};
use crate::device::RESULT_CELL;
use crate::device::launches::Launches;
use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU64,
    Ordering::{AcqRel, Acquire, Release},
};
use std::sync::{Mutex, OnceLock};

/// Cells for results that a stream has.
pub const CELLS: usize = 64;

/// Scratch memory of a stream's kernels, which run one after another and so may share it.
#[derive(Default)]
pub struct Scratch {
    pub address: usize,
    pub bytes: usize,
}

/// One stream.
pub struct Stream {
    handle: AtomicPtr<cudarc::driver::sys::CUstream_st>,
    /// Pieces of work put into it, and how many of them somebody has waited for.
    enqueued: AtomicU64,
    awaited: AtomicU64,
    /// The program knows the handle and may have put work into the stream.
    foreign: AtomicBool,
    /// Its launches, for messages.
    pub launches: Launches,
    pub scratch: Mutex<Scratch>,
    /// Where the host's part of transfers runs, so that it overlaps with the GPU's.
    helper: OnceLock<driver::Stream>,
    /// Pinned memory with [`CELLS`] cells for results of the kernels in the stream.
    cells: OnceLock<usize>,
    /// Where a queue's cells are used.
    pub late: Late,
}

impl Stream {
    pub fn new(handle: driver::Stream) -> Stream {
        Stream {
            handle: AtomicPtr::new(handle.0),
            enqueued: AtomicU64::new(0),
            awaited: AtomicU64::new(0),
            foreign: AtomicBool::new(false),
            launches: Launches::default(),
            scratch: Mutex::default(),
            helper: OnceLock::new(),
            cells: OnceLock::new(),
            late: Late::default(),
        }
    }

    /// Puts work into it. Counted afterwards: who waits on the same thread then waits for it, and a wait of another
    /// thread in between does not count it as done.
    pub fn put<R>(&self, work: impl FnOnce(driver::Stream) -> R) -> R {
        let result = work(self.handle());
        self.enqueued.fetch_add(1, Release);
        result
    }

    pub fn handle(&self) -> driver::Stream {
        driver::Stream(self.handle.load(Acquire))
    }

    /// The handle for the program, which may put work into the stream at any time.
    pub fn lend(&self) -> driver::Stream {
        self.foreign.store(true, Release);
        self.handle()
    }

    /// Takes a stream of the program instead.
    pub fn replace(&self, handle: driver::Stream) {
        self.foreign.store(true, Release);
        self.handle.store(handle.0, Release);
    }

    /// True when there may be work in it that nobody has waited for.
    pub fn may_be_busy(&self) -> bool {
        self.awaited.load(Acquire) < self.enqueued.load(Acquire) || self.foreign.load(Acquire)
    }

    pub fn helper(&self, driver: &Driver) -> Result<driver::Stream, Status> {
        if let Some(helper) = self.helper.get() {
            return Ok(*helper);
        }
        let new = driver.new_stream()?;
        Ok(*self.helper.get_or_init(|| new))
    }

    /// Address of the first of [`CELLS`] cells, on the host and on the GPU, if they were made.
    pub fn known_cells(&self) -> Option<usize> {
        self.cells.get().copied()
    }

    /// The same; made at first use.
    pub fn cells(&self, driver: &Driver) -> Result<usize, Status> {
        if let Some(first) = self.known_cells() {
            return Ok(first);
        }
        let new = driver.alloc_pinned(CELLS * RESULT_CELL)?;
        Ok(*self.cells.get_or_init(|| new))
    }

    /// Waits for everything in it.
    pub fn synchronize(&self, driver: &Driver) -> Result<(), Status> {
        let (enqueued, launched) = (self.enqueued.load(Acquire), self.launches.count());
        driver.synchronize(self.handle())?;
        // Before others see that there is nothing to wait for.
        self.late.deliver(enqueued);
        self.awaited.fetch_max(enqueued, AcqRel);
        self.launches.ended(launched);
        Ok(())
    }

    pub fn is_idle(&self, driver: &Driver) -> Result<bool, Status> {
        let mut done = self.awaited.load(Acquire);
        if self.may_be_busy() {
            let enqueued = self.enqueued.load(Acquire);
            if !driver.is_idle(self.handle())? {
                return Ok(false);
            }
            done = enqueued;
        }
        self.late.deliver(done);
        Ok(true)
    }

    /// Somebody has waited for everything in it: results that a thread has left meanwhile are there.
    pub fn deliver_awaited(&self) {
        self.late.deliver(self.awaited.load(Acquire));
    }

    /// A cell for so many bytes at `variable`, for work that is now put into the stream of a queue; [`Stream::follow`]
    /// comes behind it. None when the variable is to be copied otherwise.
    pub fn late_cell(
        &self,
        driver: &Driver,
        variable: usize,
        bytes: usize,
    ) -> Result<Option<Cell>, Status> {
        if self.is_foreign() || bytes > RESULT_CELL {
            return Ok(None);
        }
        Ok(self.late.cell(variable, bytes, self.cells(driver)?))
    }

    /// The same, with the value of the variable.
    ///
    /// # Safety
    /// The variable is valid until somebody has waited for the work.
    pub unsafe fn filled_cell(
        &self,
        driver: &Driver,
        variable: usize,
        bytes: usize,
    ) -> Result<Option<usize>, Status> {
        let Some(cell) = self.late_cell(driver, variable, bytes)? else {
            return Ok(None);
        };
        if !cell.filled {
            // SAFETY: the variable is valid, and the cell is as large and nobody else's.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    variable as *const u8,
                    cell.address as *mut u8,
                    bytes,
                );
            }
        }
        Ok(Some(cell.address))
    }

    /// The variable gets its value from the cell when what is in the stream now is done.
    pub fn follow(&self, variable: usize, bytes: usize, cell: usize) {
        let position = self.enqueued.load(Acquire);
        self.late.follow(variable, bytes, cell, position);
    }

    /// The program may wait for the stream by itself.
    pub fn is_foreign(&self) -> bool {
        self.foreign.load(Acquire)
    }
}
