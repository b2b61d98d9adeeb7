//! Pinned buffers of two sizes, kept for reuse.

use super::super::driver::Status;
use super::super::gpu::Gpu;
use super::{BUFFER, SMALL_BUFFER};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

/// Pinned buffers, kept for reuse.
#[derive(Default)]
pub struct Buffers {
    small: Mutex<Vec<usize>>,
    large: Mutex<Vec<usize>>,
    /// Copies to the user's memory that are in queues and not done.
    pub(super) unpacking: AtomicUsize,
}

/// A pinned buffer; it goes back to the others when dropped, on whatever thread.
pub(super) struct Buffer {
    home: &'static Buffers,
    pub(super) address: usize,
    small: bool,
}

impl Buffers {
    /// True while copies to the user's memory are in queues and not done.
    pub fn are_unpacking(&self) -> bool {
        self.unpacking.load(SeqCst) != 0
    }

    fn kept(&self, small: bool) -> &Mutex<Vec<usize>> {
        if small { &self.small } else { &self.large }
    }

    pub(super) fn take(&'static self, gpu: &Gpu, bytes: usize) -> Result<Buffer, Status> {
        let small = bytes <= SMALL_BUFFER;
        let known = self
            .kept(small)
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let address = match known {
            Some(address) => address,
            None => {
                let size = if small { SMALL_BUFFER } else { BUFFER };
                gpu.driver.alloc_pinned(size)?
            }
        };
        Ok(Buffer {
            home: self,
            address,
            small,
        })
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.home
            .kept(self.small)
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(self.address);
    }
}
