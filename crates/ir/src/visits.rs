//! Counts what is looked at, so that tests can tell whether the work grows with the program or with its square.
//!
//! Times are no measure for that: machines differ, and a quadratic step with a small factor shows only in programs that nobody
//! waits for in a test. What walks through programs counts here: operations of the IR, nodes of the syntax tree, tokens.
//!
//! Cost: an addition per walk.

use std::cell::Cell;

thread_local! {
    static VISITS: Cell<u64> = const { Cell::new(0) };
}

/// Notes that some things were looked at.
pub fn note(count: usize) {
    VISITS.set(VISITS.get() + count as u64);
}

/// How many things this thread has looked at so far.
pub fn so_far() -> u64 {
    VISITS.get()
}
