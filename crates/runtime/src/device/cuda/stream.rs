//! Streams with what belongs to them: scratch memory, and which launches they have been given.

use super::driver::{self, Driver, Status};
use super::late::{Cell, Late};
use crate::device::RESULT_CELL;
use crate::device::launches::Launches;
use crate::device::pending::Pending;
use crate::device::simt::scratch::Scratch;
use crate::device::streams::{Kept, Own};
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::sync::atomic::{
    AtomicPtr,
    Ordering::{Acquire, Release},
};
use std::sync::{Mutex, OnceLock};
use std::thread::LocalKey;

/// Cells for results that a stream has.
pub const CELLS: usize = 64;

/// One stream.
pub struct Stream {
    handle: AtomicPtr<cudarc::driver::sys::CUstream_st>,
    pending: Pending,
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

thread_local! {
    static OWN: Own<Stream> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

impl Kept for Stream {
    fn own() -> &'static LocalKey<Own<Stream>> {
        &OWN
    }
}

impl Stream {
    pub fn new(handle: driver::Stream) -> Stream {
        Stream {
            handle: AtomicPtr::new(handle.0),
            pending: Pending::default(),
            launches: Launches::default(),
            scratch: Mutex::default(),
            helper: OnceLock::new(),
            cells: OnceLock::new(),
            late: Late::default(),
        }
    }

    /// Puts work into it.
    pub fn put<R>(&self, work: impl FnOnce(driver::Stream) -> R) -> R {
        let result = work(self.handle());
        self.pending.add();
        result
    }

    pub fn handle(&self) -> driver::Stream {
        driver::Stream(self.handle.load(Acquire))
    }

    /// The handle for the program, which may put work into the stream at any time.
    pub fn lend(&self) -> driver::Stream {
        self.pending.lend();
        self.handle()
    }

    /// Takes a stream of the program instead.
    pub fn replace(&self, handle: driver::Stream) {
        self.pending.lend();
        self.handle.store(handle.0, Release);
    }

    /// True when there may be work in it that nobody has waited for.
    pub fn may_be_busy(&self) -> bool {
        self.pending.may_be_busy()
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
        let (enqueued, launched) = (self.pending.enqueued(), self.launches.count());
        driver.synchronize(self.handle())?;
        // Before others see that there is nothing to wait for.
        self.late.deliver(enqueued);
        self.pending.done(enqueued);
        self.launches.ended(launched);
        Ok(())
    }

    pub fn is_idle(&self, driver: &Driver) -> Result<bool, Status> {
        let mut done = self.pending.awaited();
        if self.may_be_busy() {
            let enqueued = self.pending.enqueued();
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
        self.late.deliver(self.pending.awaited());
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
        let position = self.pending.enqueued();
        self.late.follow(variable, bytes, cell, position);
    }

    /// The program may wait for the stream by itself.
    pub fn is_foreign(&self) -> bool {
        self.pending.is_foreign()
    }
}
