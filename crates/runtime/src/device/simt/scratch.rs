//! Scratch memory of kernels: partial results, private data of gangs. The kernels of one stream run one after another and share it;
//! it grows with the largest of them.

use crate::device::OutOfMemory;
use crate::fatal;
use crate::site::SiteState;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The scratch memory of a stream.
#[derive(Default)]
pub struct Scratch {
    /// Zero: there is none yet.
    address: usize,
    bytes: usize,
}

/// Scratch memory for one launch. To be kept until the kernel is in the stream, so that nobody else gives the memory back before it.
pub struct Held<'a>(Option<MutexGuard<'a, Scratch>>);

impl Held<'_> {
    /// Zero for kernels that need none.
    pub fn address(&self) -> u64 {
        self.0.as_ref().map_or(0, |scratch| scratch.address as u64)
    }
}

/// At least so many bytes. `renew` gives the old memory back, if its address is not zero, and takes new memory, whose first
/// [`super::SCRATCH_HEAD`] bytes are zero for the next kernel in the stream.
pub fn hold(
    scratch: &Mutex<Scratch>,
    bytes: usize,
    renew: impl FnOnce(usize) -> usize,
) -> Held<'_> {
    if bytes == 0 {
        return Held(None);
    }
    let mut held = scratch.lock().unwrap_or_else(PoisonError::into_inner);
    if held.bytes < bytes {
        let address = renew(held.address);
        *held = Scratch { address, bytes };
    }
    Held(Some(held))
}

/// Ends the program: a launch gets no scratch memory on `device`.
pub fn no_memory(device: &str, bytes: usize, error: OutOfMemory, site: &'static SiteState) -> ! {
    fatal::fatal_as(
        fatal::Error::OutOfMemory,
        site.place(),
        format_args!(
            "out of memory on device {device}: {bytes} bytes of scratch memory for this region's reductions and \
             private data, {} of {} bytes in use; use fewer gangs",
            error.in_use, error.total
        ),
    )
}
