//! Tests that run in both memory modes; where the modes differ by design, they say so.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "kernels written by hand, called with the arguments made for them"
)]

mod api;
mod attachment;
mod clauses;
mod execution;
mod queues;

use std::sync::Once;

/// Chooses the memory mode by the name of the test program. To be called first in every test.
pub fn discrete() -> bool {
    static ONCE: Once = Once::new();
    let discrete = env!("CARGO_CRATE_NAME") == "discrete";
    ONCE.call_once(|| {
        let mode = if discrete { "discrete" } else { "shared" };
        // SAFETY: other threads of the test program wait here before they read the environment.
        unsafe { std::env::set_var("ACCRUE_CPU_MEMORY", mode) };
    });
    discrete
}

/// True when the test itself can read and write the device's memory.
pub fn reachable() -> bool {
    true
}
