//! Parking on a 32-bit word.

use std::sync::atomic::AtomicU32;

/// Sleeps while `word` is `expected`; may return early.
pub fn wait(word: &AtomicU32, expected: u32) {
    // SAFETY: the word outlives the call; the kernel only reads it.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
            expected,
            std::ptr::null::<libc::timespec>(),
        );
    }
}

/// Wakes at most `count` threads that sleep on `word`.
pub fn wake(word: &AtomicU32, count: u32) {
    // SAFETY: the address only identifies the sleepers.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
            count.min(i32::MAX as u32),
        );
    }
}
