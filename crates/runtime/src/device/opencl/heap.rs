//! The heap of kernels (`accrue_heap_malloc` and its kin in their text): one for the device, from the first kernel on that has one.
//!
//! Kernels find its address in scratch memory. Blocks stay until a kernel gives them back.

use super::queue::Stream;
use super::{OpenClDevice, Used};
use crate::abi::launch::{HEAP, HEAP_HEAD};
use std::sync::atomic::Ordering::{Acquire, Release};

/// What a kernel's text has that uses the heap.
pub const FUNCTIONS: &str = "accrue_heap_";
/// The most memory that it gets, …
const MOST: usize = 1 << 30;
/// … and the least: where there is not as much, kernels get no memory.
const LEAST: usize = 1 << 20;

impl OpenClDevice {
    /// Notes where the heap is in the stream's scratch memory, for the next kernel in it.
    pub(super) fn tell_heap(&self, stream: &'static Stream, scratch: u64) {
        let scratch = usize::try_from(scratch).unwrap_or_default();
        if scratch == 0 || stream.heap_told.load(Acquire) == scratch {
            return;
        }
        let used = self.used();
        let heap = *used.heap.get_or_init(|| new(used, stream));
        write(used, stream, scratch + HEAP, heap);
        stream.heap_told.store(scratch, Release);
    }
}

/// A heap: a sixteenth of the device's memory, or what there is.
fn new(used: &Used, stream: &'static Stream) -> usize {
    let mut bytes = (used.active.total_memory / 16).min(MOST);
    let heap = loop {
        match used.memory.alloc(bytes) {
            Ok(heap) => break heap,
            Err(_) if bytes / 2 < LEAST => return 0,
            Err(_) => bytes /= 2,
        }
    };
    let opencl = used.active.opencl;
    // SAFETY: the memory is new, and larger.
    let cleared = stream.put(opencl, |queue| unsafe {
        used.active.fill(queue, heap, &[0], HEAP_HEAD)
    });
    if let Err(status) = cleared {
        used.active.failed(status, "clearing the heap of kernels");
    }
    write(used, stream, heap, HEAP_HEAD);
    write(used, stream, heap + size_of::<u64>(), bytes);
    // Kernels in other queues may come next.
    used.active.synchronize(stream);
    heap
}

/// Writes a number of 64 bits.
fn write(used: &Used, stream: &'static Stream, address: usize, number: usize) {
    let bytes = (number as u64).to_ne_bytes();
    // SAFETY: the address is one in the device's memory, at a multiple of 8.
    let written = stream.put(used.active.opencl, |queue| unsafe {
        used.active.fill(queue, address, &bytes, bytes.len())
    });
    if let Err(status) = written {
        used.active.failed(status, "making the heap of kernels");
    }
}
