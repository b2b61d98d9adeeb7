//! The behaviour of data clauses on the simulated GPU. The kernels of these tests have no GPU code, so that
//! this also tests regions that run on the host with the device's data.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "kernels written by hand, called with the arguments made for them"
)]

#[path = "behaviour/clauses.rs"]
mod clauses;
mod support;

use std::sync::Once;

/// Chooses the device. True: it has memory of its own.
pub fn discrete() -> bool {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: other threads of the test program wait here before they read the environment.
        unsafe { std::env::set_var("ACC_DEVICE_TYPE", "sim") };
    });
    true
}

/// True when the test itself can read and write the device's memory.
pub fn reachable() -> bool {
    false
}
