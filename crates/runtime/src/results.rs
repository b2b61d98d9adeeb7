//! Results of reductions, without transfers.
//!
//! A scalar that only receives the result of a reduction (`VAR_RESULT`) needs no device memory: the kernel reads and
//! writes it once, in a cell of host memory that the device reaches.
//!
//! ```text
//! #pragma acc parallel loop reduction(+:s)        as a mapping:  copy s in, launch, copy s out, wait
//!                                                 in a cell:     cell = s,  launch, wait,       s = cell
//! #pragma acc parallel loop reduction(+:s) async                 cell = s,  launch
//! #pragma acc wait                                                                  wait,       s = cell
//! ```
//!
//! That is for variables that are not present; a present one is reduced where it is on the device.
//!
//! A device whose kernels reach none of the host's memory has cells of its own. All of a construct get their values by one command,
//! and the copy that brings them back is what is waited for:
//!
//! ```text
//! reduction(+:s) reduction(max:m)                 copy s, m to cells;  launch;  copy cells and wait;  s = …, m = …
//! ```

use crate::device::{Cell, Device, Queue, RESULT_CELL};

/// A variable whose value is in a cell while the construct runs.
struct Placed {
    variable: usize,
    cell: usize,
    bytes: usize,
}

/// The results of one construct. Kept and reused by each thread.
#[derive(Default)]
pub struct Results {
    placed: Vec<Placed>,
    /// Values of the device's own cells, if that is where they are.
    own: Vec<Cell>,
}

impl Results {
    /// The cell that the variable has, if the construct has given it one: its variables may be mapped anew.
    pub fn cell_of(&self, variable: usize) -> Option<usize> {
        let placed = self
            .placed
            .iter()
            .find(|placed| placed.variable == variable);
        placed.map(|placed| placed.cell)
    }

    /// Puts the variable of so many bytes at `variable` into a cell, whose address it returns; none when the device has
    /// no cell for it.
    ///
    /// # Safety
    /// The variable is valid until [`Results::leave`], in a queue until somebody has waited for that.
    pub unsafe fn enter(
        &mut self,
        device: &dyn Device,
        queue: Queue,
        variable: usize,
        bytes: usize,
    ) -> Option<usize> {
        if bytes > RESULT_CELL {
            return None;
        }
        let cell = match queue {
            Queue::Sync => {
                let index = self.placed.len();
                let of_both = device.result_cell(index);
                let own = || device.own_cell(index);
                let cell = of_both.or_else(own)?;
                let value = match of_both {
                    Some(cell) => cell,
                    None => {
                        self.own.push([0; RESULT_CELL]);
                        self.own[index].as_mut_ptr() as usize
                    }
                };
                // SAFETY: the variable is valid, and the cell is as large and the calling thread's.
                unsafe { copy(variable, value, bytes) };
                cell
            }
            // SAFETY: passed on to the caller.
            Queue::Async(queue) => unsafe { device.late_cell(queue, variable, bytes) }?,
        };
        self.placed.push(Placed {
            variable,
            cell,
            bytes,
        });
        Some(cell)
    }

    /// Whether no variable gets one.
    pub fn is_empty(&self) -> bool {
        self.placed.is_empty()
    }

    /// The kernels come next.
    pub fn send(&self, device: &dyn Device) {
        if !self.own.is_empty() {
            // SAFETY: nothing changes the vector before `fetch`.
            unsafe { device.send_own_cells(&self.own) };
        }
    }

    /// Waits for all that the thread has started, if that is how the values come back.
    pub fn fetch(&mut self, device: &dyn Device) {
        if !self.own.is_empty() {
            device.fetch_own_cells(&mut self.own);
        }
    }

    /// Gives the variables their values, in a queue when somebody waits for it. The kernels are complete or in the queue.
    pub fn leave(&mut self, device: &dyn Device, queue: Queue) {
        for (index, placed) in self.placed.drain(..).enumerate() {
            let Placed {
                variable,
                cell,
                bytes,
            } = placed;
            let own = self.own.get(index).map(|value| value.as_ptr() as usize);
            // SAFETY: by the contract of `enter`.
            unsafe {
                match queue {
                    Queue::Sync => copy(own.unwrap_or(cell), variable, bytes),
                    Queue::Async(queue) => device.follow_late(queue, variable, bytes, cell),
                }
            }
        }
        self.own.clear();
    }
}

/// # Safety
/// Both sides are valid and do not overlap.
unsafe fn copy(from: usize, to: usize, bytes: usize) {
    // SAFETY: passed on to the caller.
    unsafe { std::ptr::copy_nonoverlapping(from as *const u8, to as *mut u8, bytes) };
}
