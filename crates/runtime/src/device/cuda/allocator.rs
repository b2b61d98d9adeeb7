//! Where [`Memory`](crate::device::memory::Memory) gets device memory from: the driver, with events that say when a stream is done with what was freed.

use super::driver;
use super::driver::Status;
use super::gpu::Gpu;
use crate::device::memory::Source;
use cudarc::driver::sys;

/// A stream's handle, as a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StreamKey(pub usize);

/// Where [`Memory`](crate::device::memory::Memory) gets memory from. Its callers have entered the GPU's context.
pub(super) struct Allocator(pub &'static Gpu);

impl Source for Allocator {
    type Event = driver::Event;
    type Stream = StreamKey;

    fn alloc(&self, bytes: usize) -> Option<usize> {
        match self.0.driver.alloc(bytes) {
            Ok(address) => Some(address),
            Err(Status::OUT_OF_MEMORY) => None,
            Err(status) => self
                .0
                .failed(status, format_args!("allocating {bytes} bytes")),
        }
    }

    fn free(&self, address: usize) {
        // SAFETY: the allocator has no user of it left.
        if let Err(status) = unsafe { self.0.driver.free(address) } {
            self.0.failed(status, "freeing memory");
        }
    }

    fn record(&self, stream: StreamKey) -> driver::Event {
        self.0.record(driver::Stream(stream.0 as sys::CUstream))
    }

    fn is_done(&self, event: driver::Event) -> bool {
        self.0
            .driver
            .is_done(event)
            .unwrap_or_else(|status| self.0.failed(status, "asking about freed memory"))
    }

    fn wait(&self, event: driver::Event) {
        if let Err(status) = self.0.driver.await_event(event) {
            self.0.failed(status, "waiting for freed memory");
        }
    }

    fn recycle(&self, event: driver::Event) {
        self.0.recycle(event);
    }

    fn total(&self) -> usize {
        self.0.driver.memory_info().map_or(0, |(_, total)| total)
    }
}
