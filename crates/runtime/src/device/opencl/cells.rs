//! Cells for results of reductions ([`crate::results`]): in memory that host and device share where there is such memory, else in memory
//! of the device. Those of a thread are neighbours, so that one command brings their values and one copies them back.

use super::OpenClDevice;
use super::buffer::Direction;
use crate::device::{Cell, Queue, RESULT_CELL};
use crate::fatal::fatal_text;

/// Cells for results that a thread has.
const CELLS: usize = 64;

impl OpenClDevice {
    /// Address of a cell of the calling thread in memory that host and device share; none where there is no such memory.
    pub(super) fn shared_cell(&self, index: usize) -> Option<usize> {
        if index >= CELLS || !self.facts.has_fine_memory() {
            return None;
        }
        let active = self.active();
        let first = *active.stream(Queue::Sync).cells.get_or_init(|| {
            let bytes = CELLS * RESULT_CELL;
            let cells = active.opencl.svm_alloc(active.context, bytes, true)?;
            active.arena.reach(cells);
            Some(cells)
        });
        first.map(|first| first + index * RESULT_CELL)
    }

    /// Address of a cell of the calling thread in memory of the device.
    pub(super) fn cell(&self, index: usize) -> Option<usize> {
        (index < CELLS).then(|| self.own_cells() + index * RESULT_CELL)
    }

    /// Gives the first cells in memory of the device these values.
    ///
    /// # Safety
    /// The values stay where they are until [`OpenClDevice::fetch_cells`].
    pub(super) unsafe fn send_cells(&self, values: &[Cell]) {
        let (active, cells) = (self.active(), self.own_cells());
        let (host, bytes) = (values.as_ptr() as usize, size_of_val(values));
        let stream = active.stream(Queue::Sync);
        let sent = stream.put_ahead(active.opencl, |handle| {
            // SAFETY: the cells are the thread's own, and as large; the rest is passed on to the caller.
            unsafe { active.copy(handle, Direction::In, [cells, host], bytes) }
        });
        if let Err(status) = sent {
            active.failed(status, "sending what is reduced");
        }
    }

    /// Gives the values of these cells behind all that is in the queue, and waits for that.
    pub(super) fn fetch_cells(&self, values: &mut [Cell]) {
        let active = self.active();
        let stream = active.stream(Queue::Sync);
        let (host, bytes) = (values.as_mut_ptr() as usize, size_of_val(values));
        // SAFETY: the values are as large as so many cells of the thread.
        unsafe { active.fetch(stream, host, self.own_cells(), bytes) };
    }

    /// The first of them.
    fn own_cells(&self) -> usize {
        let stream = self.active().stream(Queue::Sync);
        *stream.own_cells.get_or_init(|| {
            let bytes = CELLS * RESULT_CELL;
            self.used().memory.alloc(bytes).unwrap_or_else(|error| {
                fatal_text(&format!(
                    "out of memory on device {}: {bytes} bytes for results of reductions, {} of {} bytes in use",
                    self.name, error.in_use, error.total
                ))
            })
        })
    }
}
