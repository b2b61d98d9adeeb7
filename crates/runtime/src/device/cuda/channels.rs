//! Fewer hardware queues for programs that do not use them.
//!
//! The driver makes eight queues to the GPU for each context, which takes half of the time that a context takes: on an
//! H200 95 ms with eight, 59 ms with two, 46 ms with one. They let kernels of several streams start independently of each
//! other. A program none of whose directives has an `async` clause has one stream per thread, in which nothing waits for a
//! kernel but the thread itself; it does with one. Copies have queues of their own.
//!
//! The driver takes the number from the environment when it starts. The variable is there only for that time, and only
//! while the process has one thread, since other threads may read the environment. What the user has set counts.

use std::env;
use std::fs;

const VARIABLE: &str = "CUDA_DEVICE_MAX_CONNECTIONS";
const ENOUGH: &str = "1";

/// Does `start`, which starts the driver, so that contexts get as many hardware queues as the program needs.
pub fn as_needed<T>(start: impl FnOnce() -> T) -> T {
    if crate::image::uses_queues() || env::var_os(VARIABLE).is_some() || !only_thread() {
        return start();
    }
    // SAFETY: no other thread is there that could read the environment.
    unsafe { env::set_var(VARIABLE, ENOUGH) };
    let started = start();
    // SAFETY: the only other threads are the driver's own, which wait for work.
    unsafe { env::remove_var(VARIABLE) };
    started
}

/// Whether the calling thread is the process's only one.
fn only_thread() -> bool {
    fs::read_dir("/proc/self/task").is_ok_and(|tasks| tasks.count() == 1)
}
