//! What a driver keeps of a kernel or a module for each of its devices: the `runtime` member of the program's tables leads to it.
//!
//! ```text
//! SimtKernel.runtime ──▶ [device 0: loaded, device 1: not yet, …]
//! ```
//! Each form of code has tables of its own, and one driver that uses the member.

use std::ffi::c_void;
use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicPtr,
    Ordering::{AcqRel, Acquire},
};

/// Something per device, behind a `runtime` member.
pub type PerDevice<T> = Box<[OnceLock<T>]>;

/// What a `runtime` member leads to, made at first use.
pub fn cells<T>(member: &AtomicPtr<c_void>, devices: usize) -> &'static PerDevice<T> {
    let known = member.load(Acquire);
    if !known.is_null() {
        // SAFETY: only the value below is stored, with the same type for the same kind of table.
        return unsafe { &*known.cast::<PerDevice<T>>() };
    }
    let made: PerDevice<T> = (0..devices).map(|_| OnceLock::new()).collect();
    let made = Box::into_raw(Box::new(made));
    match member.compare_exchange(std::ptr::null_mut(), made.cast(), AcqRel, Acquire) {
        // SAFETY: never freed from here on.
        Ok(_) => unsafe { &*made },
        Err(other) => {
            // SAFETY: nobody else has seen `made`; `other` is a value of the same type.
            unsafe {
                drop(Box::from_raw(made));
                &*other.cast::<PerDevice<T>>()
            }
        }
    }
}

/// What there is for one device, if it was made.
pub fn made<T>(member: &AtomicPtr<c_void>, device: usize) -> Option<&'static T> {
    let known = member.load(Acquire);
    if known.is_null() {
        return None;
    }
    // SAFETY: as in `cells`.
    let all = unsafe { &*known.cast::<PerDevice<T>>() };
    all[device].get()
}
