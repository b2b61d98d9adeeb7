//! Small results of a queue, which wait in pinned memory until somebody waits for the queue.
//!
//! What a kernel reduces, and a scalar that is copied out, may reach the program's variable when the program learns that
//! the queue got there, not before: until then it must not look. So nothing has to be called in the stream, which would
//! keep it from going on for tens of microseconds:
//!
//! ```text
//! #pragma acc parallel loop reduction(+:s) async     cell = s, launch
//! #pragma acc wait                                   wait, s = cell
//! ```
//!
//! | what comes first | what happens |
//! | --- | --- |
//! | a wait of the host for the queue, or a test of it | the variables get their values ([`Late::deliver`]) |
//! | another reduction of the variable in the queue | it goes on with the cell, which has the value by then |
//! | a copy from or to the variable in the queue; another queue that waits for this one; the program asks for the stream | the driver calls a function in the stream that writes the variables ([`Late::take_all`]), and the rest is as if it had been so from the start |
//!
//! Nobody but the program's own handle of a stream can wait for it behind our back, so that a queue whose stream the
//! program knows has no late results.

use super::stream::CELLS;
use crate::device::RESULT_CELL;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A variable whose value is in a cell.
struct Result {
    variable: usize,
    bytes: usize,
    cell: usize,
    /// It is there when so many pieces of work of the stream are done.
    position: u64,
}

impl Result {
    fn touches(&self, start: usize, bytes: usize) -> bool {
        self.variable < start + bytes && start < self.variable + self.bytes
    }

    /// Gives the variable its value.
    ///
    /// # Safety
    /// The variable is valid, and what writes the cell is complete.
    unsafe fn deliver(&self) {
        // SAFETY: a cell is as large as the largest result, and no part of the program's memory.
        unsafe {
            std::ptr::copy_nonoverlapping(
                self.cell as *const u8,
                self.variable as *mut u8,
                self.bytes,
            );
        }
    }
}

#[derive(Default)]
struct State {
    /// The first cell; 0 before there are any.
    first: usize,
    free: Vec<usize>,
    results: Vec<Result>,
}

/// The late results of a stream.
#[derive(Default)]
pub struct Late(Mutex<State>);

/// Results that were taken out, for a function in the stream.
pub struct Taken(Vec<Result>);

/// A cell for a variable, and whether it has the variable's value already.
pub struct Cell {
    pub address: usize,
    pub filled: bool,
}

impl Late {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A cell for so many bytes at `variable`, of the stream's cells, which start at `first`. None when there is no free
    /// one, or when another result is for a part of the variable.
    pub fn cell(&self, variable: usize, bytes: usize, first: usize) -> Option<Cell> {
        let mut state = self.lock();
        if state.first == 0 {
            state.first = first;
            state
                .free
                .extend((0..CELLS).rev().map(|index| first + index * RESULT_CELL));
        }
        let known = |result: &Result| result.touches(variable, bytes);
        if let Some(index) = state.results.iter().position(known) {
            let result = &state.results[index];
            if (result.variable, result.bytes) != (variable, bytes) {
                return None;
            }
            return Some(Cell {
                address: state.results.swap_remove(index).cell,
                filled: true,
            });
        }
        let address = state.free.pop()?;
        Some(Cell {
            address,
            filled: false,
        })
    }

    /// The cell has the variable's value when so many pieces of work are done.
    pub fn follow(&self, variable: usize, bytes: usize, cell: usize, position: u64) {
        self.lock().results.push(Result {
            variable,
            bytes,
            cell,
            position,
        });
    }

    /// So many pieces of work are done: variables get their values.
    pub fn deliver(&self, done: u64) {
        let mut state = self.lock();
        let State { free, results, .. } = &mut *state;
        results.retain(|result| {
            let there = result.position <= done;
            if there {
                // SAFETY: the program keeps the variable until it has waited for the queue.
                unsafe { result.deliver() };
                free.push(result.cell);
            }
            !there
        });
    }

    pub fn is_empty(&self) -> bool {
        self.lock().results.is_empty()
    }

    /// Whether a result is for one of these bytes.
    pub fn touches(&self, start: usize, bytes: usize) -> bool {
        let state = self.lock();
        state
            .results
            .iter()
            .any(|result| result.touches(start, bytes))
    }

    /// Takes all results out.
    pub fn take_all(&self) -> Taken {
        Taken(std::mem::take(&mut self.lock().results))
    }

    /// Gives the variables of results that were taken out their values.
    ///
    /// # Safety
    /// The work in the stream before the call of [`Late::take_all`] is complete.
    pub unsafe fn deliver_taken(&self, taken: &Taken) {
        let mut state = self.lock();
        for result in &taken.0 {
            // SAFETY: as for `deliver`.
            unsafe { result.deliver() };
            state.free.push(result.cell);
        }
    }
}

impl Taken {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_delivered_when_their_work_is_done() {
        let cells = [0u128; CELLS];
        let (first, mut a, b) = (cells.as_ptr() as usize, 1u64, 2u64);
        let (at_a, at_b) = (&raw mut a as usize, &raw const b as usize);
        let late = Late::default();
        let enter = |variable: usize, value: u64| {
            let cell = late.cell(variable, 8, first).expect("a cell is free");
            // SAFETY: a cell of the array above.
            unsafe { (cell.address as *mut u64).write(value) };
            late.follow(variable, 8, cell.address, value);
            cell.filled
        };
        assert!(!enter(at_a, 10));
        assert!(!enter(at_b, 20));
        assert!(enter(at_a, 11), "goes on with the same cell");
        assert!(late.cell(at_a + 4, 8, first).is_none(), "a part of it");
        assert!(late.touches(at_a + 7, 1) && !late.touches(at_a.min(at_b) + 16, 100));
        late.deliver(10);
        assert_eq!((a, b), (1, 2));
        late.deliver(11);
        assert_eq!((a, b), (11, 2));
        let taken = late.take_all();
        assert!(late.is_empty() && !taken.is_empty());
        // SAFETY: nothing runs.
        unsafe { late.deliver_taken(&taken) };
        assert_eq!(b, 20);
        let free = |late: &Late| std::iter::from_fn(|| late.cell(at_a + 64, 8, first)).count();
        assert_eq!(free(&late), CELLS);
    }
}
