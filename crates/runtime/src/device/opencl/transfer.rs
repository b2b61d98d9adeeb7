//! Larger transfers of synchronous constructs, through pinned buffers.
//!
//! The copy engines of GPUs reach only pinned memory, and a driver that is given other memory copies it by one core first, or pins it for the
//! while: on an H200 1 GiB takes 139 ms to the device and 76 ms back by the driver, and 22 and 24 ms in this way. Pinned memory is
//! to be had as a buffer of `CL_MEM_ALLOC_HOST_PTR` that is mapped for good.
//!
//! ```text
//! to the device      program's memory ──copy threads──▶ pinned buffer ──clEnqueueSVMMemcpy──▶ device
//! from the device    device ──clEnqueueSVMMemcpy──▶ pinned buffer ──copy threads──▶ program's memory
//!                    chunk k is on one side of the buffers while chunk k+1 is on the other
//! ```
//! In numbered queues the driver does it all, since the program goes on at once; and so it does for devices whose memory is the host's. `ACCRUE_OPENCL_TRANSFERS`
//! says `pinned` or `direct` for all devices.

use super::OpenClDevice;
use super::active::Active;
use super::driver::{Event, Until};
use super::queue::Stream;
use super::status::Result;
use crate::device::Rows;
use crate::device::block::{Block, Direction};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The environment variable, and what it may be.
const METHOD: &str = "ACCRUE_OPENCL_TRANSFERS";
const PINNED: &str = "pinned";
const DIRECT: &str = "direct";

/// Transfers up to this size are left to the driver.
const SMALL: usize = 1 << 20;
/// Bytes of a pinned buffer.
const BUFFER: usize = 8 << 20;
/// Buffers that a transfer uses at the same time.
const RING: usize = 3;

/// The user's wish, if there is one.
pub fn wanted() -> Option<bool> {
    match std::env::var(METHOD).ok()?.as_str() {
        PINNED => Some(true),
        DIRECT => Some(false),
        _ => None,
    }
}

/// Addresses of pinned buffers that nobody uses now.
#[derive(Default)]
pub struct PinnedBuffers(Mutex<Vec<usize>>);

impl PinnedBuffers {
    /// One of them, or a new one; none if the driver gives no more.
    fn take(&self, active: &Active, stream: &Stream) -> Option<usize> {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.or_else(|| {
            let (opencl, queue) = (active.opencl, stream.handle());
            opencl.new_pinned(active.context, queue, BUFFER).ok()
        })
    }

    fn give_back(&self, address: usize) {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(address);
    }
}

/// A chunk between the device and a pinned buffer.
struct UnderWay {
    chunk: Block,
    buffer: usize,
    event: Event,
}

impl OpenClDevice {
    /// Copies a range of the host's memory to or from the device, in the stream's order, and waits for that; false if it is one for the driver
    /// alone.
    ///
    /// # Safety
    /// Both ranges are valid.
    pub(super) unsafe fn copy_pinned(
        &self,
        direction: Direction,
        [host, device]: [usize; 2],
        bytes: usize,
        stream: &'static Stream,
    ) -> bool {
        let active = self.active();
        if bytes <= SMALL || active.buffer.is_some() || !self.facts.wants_pinned {
            return false;
        }
        let mut free = vec![];
        while free.len() < RING.min(bytes.div_ceil(BUFFER))
            && let Some(buffer) = active.pinned.take(active, stream)
        {
            free.push(buffer);
        }
        if free.is_empty() {
            return false;
        }
        let rows = Rows {
            width: bytes,
            height: 1,
            pitch: bytes,
        };
        let block = Block { host, device, rows };
        // SAFETY: the buffers are nobody else's; the rest is passed on to the caller.
        if let Err(status) = unsafe { copy_chunks(active, stream, direction, block, &mut free) } {
            active.failed(status, format_args!("copying {bytes} bytes"));
        }
        free.into_iter()
            .for_each(|buffer| active.pinned.give_back(buffer));
        true
    }
}

/// Copies chunk by chunk through the buffers, all of which are free again then.
///
/// # Safety
/// Both sides of the block are valid, and nobody else uses the buffers.
unsafe fn copy_chunks(
    active: &Active,
    stream: &Stream,
    direction: Direction,
    block: Block,
    free: &mut Vec<usize>,
) -> Result<()> {
    let mut chunks = block.chunks(BUFFER).into_iter();
    let mut under_way: VecDeque<UnderWay> = VecDeque::new();
    loop {
        while let Some(buffer) = free.pop() {
            let Some(chunk) = chunks.next() else {
                free.push(buffer);
                break;
            };
            // SAFETY: the buffer is free; the caller vouches for both sides.
            let event = unsafe { send(active, stream, direction, chunk, buffer) }?;
            under_way.push_back(UnderWay {
                chunk,
                buffer,
                event,
            });
        }
        let Some(first) = under_way.pop_front() else {
            return Ok(());
        };
        active.opencl.wait(first.event)?;
        active.opencl.release(first.event);
        if direction == Direction::Out {
            // SAFETY: the bytes are in the buffer.
            unsafe { first.chunk.copy_on_host(direction, first.buffer) };
        }
        free.push(first.buffer);
    }
}

/// Sends a chunk on its way.
///
/// # Safety
/// As for [`copy_chunks`]; nobody uses the buffer before the event is complete.
unsafe fn send(
    active: &Active,
    stream: &Stream,
    direction: Direction,
    chunk: Block,
    buffer: usize,
) -> Result<Event> {
    let (to, from) = match direction {
        Direction::In => (chunk.device, buffer),
        Direction::Out => (buffer, chunk.device),
    };
    let (opencl, bytes) = (active.opencl, chunk.bytes());
    if direction == Direction::In {
        // SAFETY: passed on to the caller.
        unsafe { chunk.copy_on_host(direction, buffer) };
    }
    // SAFETY: as above.
    stream.put_ahead(opencl, |queue| unsafe {
        opencl.copy(queue, to, from, bytes, Until::Enqueued)
    })?;
    let event = opencl.marker(stream.handle())?;
    opencl.flush(stream.handle())?;
    Ok(event)
}
