//! Transfers between pageable host memory and the GPU.
//!
//! The GPU's copy engines reach only pinned memory. What the driver does by itself for pageable memory takes one core
//! and half of the time of the transfer, so that larger transfers go through pinned buffers here, chunk by chunk:
//!
//! ```text
//! to the GPU      user's memory ──copy threads──▶ pinned buffer ──copy engine──▶ GPU
//! from the GPU    GPU ──copy engine──▶ pinned buffer ──copy threads──▶ user's memory
//!                 chunk k is on one side of the buffers while chunk k+1 is on the other
//! ```
//!
//! Scalars that a queue copies to the user's memory arrive when somebody waits for the queue, see [`super::late`].
//!
//! A synchronous transfer is driven by the calling thread. In a queue the driver calls the host's half when its turn
//! comes, on a helper stream that the queue and events keep in step, so that the program goes on at once.
//!
//! Rows of a section (`a[0:n][0:m]` of a wider array) are packed into the buffers and take one call per chunk.

mod buffers;

pub use buffers::Buffers;

use super::driver::{self, Side, Status};
use super::gpu::Gpu;
use super::late::Taken;
use super::stream::Stream;
use crate::device::Rows;
use crate::device::block::{Block, Direction};
use buffers::Buffer;
use cudarc::driver::sys::CUmemorytype;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

/// Transfers up to this size to the GPU are left to the driver, which takes the bytes before it returns.
const SMALL: usize = 64 << 10;
/// Synchronous transfers up to this size are left to the driver.
const DIRECT: usize = 1 << 20;
/// Bytes of the two kinds of pinned buffers.
const BUFFER: usize = 8 << 20;
const SMALL_BUFFER: usize = SMALL;
/// Buffers that a transfer uses at the same time.
const RING: usize = 3;
/// The GPU's half: between a buffer and the GPU.
unsafe fn copy_on_gpu(
    gpu: &Gpu,
    direction: Direction,
    block: Block,
    buffer: usize,
    stream: driver::Stream,
) -> Result<(), Status> {
    let Rows {
        width,
        height,
        pitch,
    } = block.rows;
    // SAFETY: passed on to the caller.
    unsafe {
        match (direction, height) {
            (Direction::In, 1) => gpu.driver.copy_in(block.device, buffer, width, stream),
            (Direction::Out, 1) => gpu.driver.copy_out(buffer, block.device, width, stream),
            (Direction::In | Direction::Out, _) => {
                let host = Side::Host {
                    address: buffer,
                    pitch: width,
                };
                let device = Side::Device {
                    address: block.device,
                    pitch,
                };
                let (to, from) = match direction {
                    Direction::In => (device, host),
                    Direction::Out => (host, device),
                };
                gpu.driver.copy_rows(to, from, width, height, stream)
            }
        }
    }
}

/// Lets the driver do the whole transfer.
unsafe fn direct(
    gpu: &Gpu,
    direction: Direction,
    block: Block,
    stream: driver::Stream,
) -> Result<(), Status> {
    let Rows {
        width,
        height,
        pitch,
    } = block.rows;
    if height == 1 {
        // SAFETY: passed on to the caller.
        return unsafe { copy_on_gpu(gpu, direction, block, block.host, stream) };
    }
    let host = Side::Host {
        address: block.host,
        pitch,
    };
    let device = Side::Device {
        address: block.device,
        pitch,
    };
    let (to, from) = match direction {
        Direction::In => (device, host),
        Direction::Out => (host, device),
    };
    // SAFETY: as above.
    unsafe { gpu.driver.copy_rows(to, from, width, height, stream) }
}

/// Transfers a block in the order of the stream.
///
/// `asynchronous`: the caller goes on at once, and the stream is that of a queue. Otherwise the host's half is done on
/// return, except that small copies to the host are complete only when the stream is.
///
/// # Safety
/// Both sides are valid until the transfer is complete.
pub unsafe fn transfer(
    gpu: &'static Gpu,
    buffers: &'static Buffers,
    direction: Direction,
    block: Block,
    stream: &Stream,
    asynchronous: bool,
) {
    if block.bytes() == 0 {
        return;
    }
    let mut late = None;
    let result = stream.put(|handle| {
        if is_direct(gpu, buffers, direction, block, asynchronous) {
            // SAFETY: passed on to the caller.
            return unsafe { direct(gpu, direction, block, handle) };
        }
        if asynchronous && direction == Direction::Out && block.rows.height == 1 {
            let bytes = block.rows.width;
            if let Some(cell) = stream.late_cell(gpu.driver, block.host, bytes)? {
                late = Some(cell.address);
                // SAFETY: a cell that nobody else uses.
                return unsafe { copy_on_gpu(gpu, direction, block, cell.address, handle) };
            }
        }
        let chunks = block.chunks(BUFFER);
        // SAFETY: as above.
        unsafe {
            match (asynchronous, direction) {
                (true, _) => in_queue(gpu, buffers, direction, chunks, stream, handle),
                (false, Direction::In) => now_in(gpu, buffers, chunks, handle),
                (false, Direction::Out) => now_out(gpu, buffers, chunks, handle),
            }
        }
    });
    if let Some(cell) = late {
        stream.follow(block.host, block.rows.width, cell);
    }
    if let Err(status) = result {
        let (to, from) = match direction {
            Direction::In => ("device", "host"),
            Direction::Out => ("host", "device"),
        };
        gpu.failed(
            status,
            format_args!("copying {} bytes from {from} to {to} memory", block.bytes()),
        );
    }
}

/// True when the driver may do the transfer alone.
fn is_direct(
    gpu: &Gpu,
    buffers: &Buffers,
    direction: Direction,
    block: Block,
    asynchronous: bool,
) -> bool {
    let small = match (asynchronous, direction) {
        (false, _) => block.bytes() <= DIRECT,
        // The driver reads the bytes now. That is too early while a copy from the GPU to the host, perhaps of the same
        // bytes, is still in a queue.
        (true, Direction::In) => {
            block.bytes() <= SMALL && block.rows.height == 1 && !buffers.are_unpacking()
        }
        // The driver would wait.
        (true, Direction::Out) => false,
    };
    small || gpu.driver.memory_type(block.host) == Some(CUmemorytype::CU_MEMORYTYPE_HOST)
}

unsafe fn now_in(
    gpu: &'static Gpu,
    buffers: &'static Buffers,
    chunks: Vec<Block>,
    stream: driver::Stream,
) -> Result<(), Status> {
    let mut ring: VecDeque<(Buffer, driver::Event)> = VecDeque::new();
    for chunk in chunks {
        let buffer = if ring.len() < RING {
            buffers.take(gpu, BUFFER)?
        } else {
            await_first(gpu, &mut ring)?
        };
        // SAFETY: the buffer is free; the caller vouches for both sides.
        unsafe {
            chunk.copy_on_host(Direction::In, buffer.address);
            copy_on_gpu(gpu, Direction::In, chunk, buffer.address, stream)?;
        }
        ring.push_back((buffer, gpu.record(stream)));
    }
    while !ring.is_empty() {
        await_first(gpu, &mut ring)?;
    }
    Ok(())
}

/// Waits until the GPU is done with the oldest buffer.
fn await_first(gpu: &Gpu, ring: &mut VecDeque<(Buffer, driver::Event)>) -> Result<Buffer, Status> {
    let Some((buffer, event)) = ring.pop_front() else {
        // Only called with a buffer in the ring.
        return Err(Status::NOT_READY);
    };
    gpu.driver.await_event(event)?;
    gpu.recycle(event);
    Ok(buffer)
}

unsafe fn now_out(
    gpu: &'static Gpu,
    buffers: &'static Buffers,
    chunks: Vec<Block>,
    stream: driver::Stream,
) -> Result<(), Status> {
    let mut under_way: VecDeque<(Block, Buffer, driver::Event)> = VecDeque::new();
    let mut chunks = chunks.into_iter();
    loop {
        while under_way.len() < RING
            && let Some(chunk) = chunks.next()
        {
            let buffer = buffers.take(gpu, BUFFER)?;
            // SAFETY: the buffer is free; the caller vouches for both sides.
            unsafe { copy_on_gpu(gpu, Direction::Out, chunk, buffer.address, stream)? };
            let event = gpu.record(stream);
            under_way.push_back((chunk, buffer, event));
        }
        let Some((chunk, buffer, event)) = under_way.pop_front() else {
            return Ok(());
        };
        gpu.driver.await_event(event)?;
        gpu.recycle(event);
        // SAFETY: the bytes are in the buffer.
        unsafe { chunk.copy_on_host(Direction::Out, buffer.address) };
    }
}

/// The host's half of one chunk, called by the driver.
struct HostHalf {
    direction: Direction,
    chunk: Block,
    /// Kept until the last chunk is done with it.
    buffer: Arc<Buffer>,
    /// To be told that a copy to the user's memory is done, after the last chunk.
    last_of: Option<&'static Buffers>,
}

unsafe extern "C" fn host_half(data: *mut c_void) {
    // SAFETY: `data` is the box that was handed to the driver, which calls once.
    let half = unsafe { Box::from_raw(data.cast::<HostHalf>()) };
    // SAFETY: the transfer's sides are valid until it is complete; its turn has come.
    unsafe {
        half.chunk.copy_on_host(half.direction, half.buffer.address);
    }
    if let Some(buffers) = half.last_of {
        buffers.unpacking.fetch_sub(1, SeqCst);
    }
}

/// Late results of a stream on their way to their variables.
struct Settled {
    stream: &'static Stream,
    results: Taken,
    buffers: &'static Buffers,
}

unsafe extern "C" fn deliver(data: *mut c_void) {
    // SAFETY: `data` is the box that was handed to the driver, which calls once.
    let settled = unsafe { Box::from_raw(data.cast::<Settled>()) };
    // SAFETY: the stream has got here.
    unsafe { settled.stream.late.deliver_taken(&settled.results) };
    settled.buffers.unpacking.fetch_sub(1, SeqCst);
}

/// Lets the stream write its late results to their variables when it gets there.
pub fn settle(gpu: &Gpu, buffers: &'static Buffers, stream: &'static Stream) -> Result<(), Status> {
    let results = stream.late.take_all();
    if results.is_empty() {
        return Ok(());
    }
    buffers.unpacking.fetch_add(1, SeqCst);
    let settled = Box::into_raw(Box::new(Settled {
        stream,
        results,
        buffers,
    }));
    // SAFETY: the box is the callee's, which makes no call of the driver.
    stream.put(|handle| unsafe { gpu.driver.call_host(handle, deliver, settled.cast()) })
}

/// Both halves in queue order. With one chunk all is in the queue's stream; with several the host's halves are in the
/// helper stream:
///
/// ```text
/// queue    ─ GPU 0 ── GPU 1 ── GPU 2 ─┐ (waits for host 0: its buffer)  GPU 3 …       … waits for the last host half
///               ╲        ╲        ╲
/// helper          host 0 ── host 1 ── host 2 …                             (to the host; the other way round to the GPU)
/// ```
unsafe fn in_queue(
    gpu: &'static Gpu,
    buffers: &'static Buffers,
    direction: Direction,
    chunks: Vec<Block>,
    queue: &Stream,
    stream: driver::Stream,
) -> Result<(), Status> {
    let helper = if chunks.len() == 1 {
        stream
    } else {
        let helper = queue.helper(gpu.driver)?;
        gpu.order(stream, helper);
        helper
    };
    let (first, second) = match direction {
        Direction::In => (helper, stream),
        Direction::Out => (stream, helper),
    };
    if direction == Direction::Out {
        buffers.unpacking.fetch_add(1, SeqCst);
    }
    let mut ring: VecDeque<(Arc<Buffer>, driver::Event)> = VecDeque::new();
    let count = chunks.len();
    for (index, chunk) in chunks.into_iter().enumerate() {
        let buffer = if ring.len() < RING {
            Arc::new(buffers.take(gpu, chunk.bytes())?)
        } else {
            let Some((buffer, done)) = ring.pop_front() else {
                return Err(Status::NOT_READY);
            };
            gpu.driver.wait_event(first, done)?;
            gpu.recycle(done);
            buffer
        };
        let last = index + 1 == count && direction == Direction::Out;
        let half = Box::new(HostHalf {
            direction,
            chunk,
            buffer: buffer.clone(),
            last_of: last.then_some(buffers),
        });
        let half = Box::into_raw(half).cast();
        // SAFETY: the box is the callee's, which makes no call of the driver; the caller vouches for both sides.
        unsafe {
            match direction {
                Direction::In => {
                    gpu.driver.call_host(helper, host_half, half)?;
                    gpu.order(first, second);
                    copy_on_gpu(gpu, direction, chunk, buffer.address, stream)?;
                }
                Direction::Out => {
                    copy_on_gpu(gpu, direction, chunk, buffer.address, stream)?;
                    gpu.order(first, second);
                    gpu.driver.call_host(helper, host_half, half)?;
                }
            }
        }
        ring.push_back((buffer, gpu.record(second)));
    }
    if helper != stream {
        // The queue goes on when the last chunk is done.
        gpu.order(helper, stream);
    }
    if direction == Direction::In {
        release_after(gpu, stream, &mut ring)?;
    }
    for (_, event) in ring {
        gpu.recycle(event);
    }
    Ok(())
}

/// Keeps the buffers until the GPU has read them, which comes after the host's halves.
fn release_after(
    gpu: &Gpu,
    stream: driver::Stream,
    ring: &mut VecDeque<(Arc<Buffer>, driver::Event)>,
) -> Result<(), Status> {
    unsafe extern "C" fn release(data: *mut c_void) {
        // SAFETY: `data` is the box below, and the driver calls once.
        drop(unsafe { Box::from_raw(data.cast::<Vec<Arc<Buffer>>>()) });
    }
    let buffers: Vec<Arc<Buffer>> = ring.iter().map(|(buffer, _)| buffer.clone()).collect();
    let data = Box::into_raw(Box::new(buffers)).cast();
    // SAFETY: the box is the callee's, which makes no call of the driver.
    unsafe { gpu.driver.call_host(stream, release, data) }
}
