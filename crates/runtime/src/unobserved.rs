//! Stretches of the host's code that cannot tell whether a synchronous construct is complete (the compiler's pass
//! `unobserved-waits` says which).
//!
//! ```text
//! for (k = 0; k < n; k++) {                     launch, launch, launch, …
//!     #pragma acc parallel loop present(a)      each one waited for: 7 µs on an H200
//!     …                                         wait
//! }
//! ```
//! In such a stretch a construct that copies nothing and makes nothing is not waited for: the host could only see what it does in
//! device memory, by a directive or a call, and both wait first. At the end of the stretch the thread waits for all of them. What
//! copies does so in the same queue, and waits for itself. Where memory is shared, constructs are complete when they return.

use crate::profile;
use crate::runtime::DeviceState;
use std::cell::Cell;

thread_local! {
    /// Stretches that the thread is in.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The device that may still have work.
    static BEHIND: Cell<Option<&'static DeviceState>> = const { Cell::new(None) };
}

/// A stretch begins.
pub fn begin() {
    DEPTH.set(DEPTH.get() + 1);
}

/// It ends: everything is complete.
pub fn end() {
    let depth = DEPTH.get().saturating_sub(1);
    DEPTH.set(depth);
    if depth == 0
        && let Some(state) = BEHIND.take()
    {
        state.device.complete();
    }
}

/// What may tell comes next, while a stretch goes on: everything is complete.
#[inline]
pub fn settle() {
    if DEPTH.get() > 0
        && let Some(state) = BEHIND.take()
    {
        state.device.complete();
    }
}

/// Whether the wait for a construct on this device is put off. Not while directives are timed.
#[inline]
pub fn put_off(state: &'static DeviceState) -> bool {
    if DEPTH.get() == 0 || profile::enabled() {
        return false;
    }
    if let Some(other) = BEHIND.replace(Some(state))
        && !std::ptr::eq(other, state)
    {
        other.device.complete();
    }
    true
}
