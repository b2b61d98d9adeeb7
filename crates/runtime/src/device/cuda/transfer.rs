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

use super::driver::{self, Side, Status};
use super::gpu::Gpu;
use super::late::Taken;
use super::stream::Stream;
use crate::device::Rows;
use crate::device::cpu::pool::{self, Pool};
use cudarc::driver::sys::CUmemorytype;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Transfers up to this size to the GPU are left to the driver, which takes the bytes before it returns.
const SMALL: usize = 64 << 10;
/// Synchronous transfers up to this size are left to the driver.
const DIRECT: usize = 1 << 20;
/// Bytes of the two kinds of pinned buffers.
const BUFFER: usize = 8 << 20;
const SMALL_BUFFER: usize = SMALL;
/// Buffers that a transfer uses at the same time.
const RING: usize = 3;
/// Bytes that a copy thread takes at a time.
const PIECE: usize = 256 << 10;
/// Most copy threads; more do not make memory faster.
const THREADS: usize = 16;

/// Which way a transfer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
}

/// Rows of memory on both sides; one row for a contiguous transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub host: usize,
    pub device: usize,
    pub rows: Rows,
}

impl Block {
    pub fn bytes(&self) -> usize {
        self.rows.width * self.rows.height
    }

    /// Cuts the block into parts of at most `most` bytes.
    fn chunks(self, most: usize) -> Vec<Block> {
        let Rows {
            width,
            height,
            pitch,
        } = self.rows;
        let part = |row: usize, column: usize, width: usize, height: usize| {
            let offset = row * pitch + column;
            Block {
                host: self.host + offset,
                device: self.device + offset,
                rows: Rows {
                    width,
                    height,
                    pitch,
                },
            }
        };
        if width > most {
            let columns = || (0..width).step_by(most);
            return (0..height)
                .flat_map(|row| columns().map(move |column| (row, column)))
                .map(|(row, column)| part(row, column, most.min(width - column), 1))
                .collect();
        }
        let rows = most / width.max(1);
        (0..height)
            .step_by(rows)
            .map(|row| part(row, 0, width, rows.min(height - row)))
            .collect()
    }

    /// Copies between the user's memory and a buffer that has the rows without gaps.
    ///
    /// # Safety
    /// Both sides are valid.
    unsafe fn copy_on_host(self, direction: Direction, buffer: usize) {
        let Rows {
            width,
            height,
            pitch,
        } = self.rows;
        let copy = |host: usize, buffer: usize, bytes: usize| {
            let (to, from) = match direction {
                Direction::In => (buffer, host),
                Direction::Out => (host, buffer),
            };
            // SAFETY: valid by the contract; a pinned buffer is nobody else's memory.
            unsafe { std::ptr::copy_nonoverlapping(from as *const u8, to as *mut u8, bytes) };
        };
        if height == 1 {
            let piece = |index: u64| {
                let offset = index as usize * PIECE;
                copy(
                    self.host + offset,
                    buffer + offset,
                    PIECE.min(width - offset),
                );
            };
            spread(width.div_ceil(PIECE) as u64, &piece);
        } else {
            let rows = (PIECE / width.max(1)).max(1);
            let piece = |index: u64| {
                let first = index as usize * rows;
                for row in first..height.min(first + rows) {
                    copy(self.host + row * pitch, buffer + row * width, width);
                }
            };
            spread(height.div_ceil(rows) as u64, &piece);
        }
    }
}

/// Calls `piece` for all numbers below `pieces`, on several threads if that pays.
fn spread(pieces: u64, piece: &(dyn Fn(u64) + Sync)) {
    static COPIERS: OnceLock<&'static Pool> = OnceLock::new();
    if pieces <= 2 {
        (0..pieces).for_each(piece);
        return;
    }
    COPIERS
        .get_or_init(|| Pool::start(pool::allowed_cores().min(THREADS)))
        .run(None, pieces, piece);
}

/// Pinned buffers, kept for reuse.
#[derive(Default)]
pub struct Buffers {
    small: Mutex<Vec<usize>>,
    large: Mutex<Vec<usize>>,
    /// Copies to the user's memory that are in queues and not done.
    unpacking: AtomicUsize,
}

/// A pinned buffer; it goes back to the others when dropped, on whatever thread.
struct Buffer {
    home: &'static Buffers,
    address: usize,
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

    fn take(&'static self, gpu: &Gpu, bytes: usize) -> Result<Buffer, Status> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(rows: (usize, usize, usize), most: usize) -> Vec<(usize, usize, usize)> {
        let (width, height, pitch) = rows;
        let block = Block {
            host: 0,
            device: 1000,
            rows: Rows {
                width,
                height,
                pitch,
            },
        };
        let chunks = block.chunks(most);
        assert!(chunks.iter().all(|chunk| chunk.device == chunk.host + 1000));
        chunks
            .iter()
            .map(|chunk| (chunk.host, chunk.rows.width, chunk.rows.height))
            .collect()
    }

    #[test]
    fn blocks_are_cut_by_bytes_or_by_rows() {
        assert_eq!(chunks((10, 1, 10), 16), [(0, 10, 1)]);
        assert_eq!(
            chunks((40, 1, 40), 16),
            [(0, 16, 1), (16, 16, 1), (32, 8, 1)]
        );
        assert_eq!(chunks((5, 5, 100), 16), [(0, 5, 3), (300, 5, 2)]);
        assert_eq!(
            chunks((20, 2, 100), 16),
            [(0, 16, 1), (16, 4, 1), (100, 16, 1), (116, 4, 1)]
        );
    }

    #[test]
    fn packing_and_unpacking_are_inverse() {
        for (width, height, pitch) in [
            (3 * PIECE + 5, 1, 3 * PIECE + 5),
            (7, 1000, 20),
            (PIECE, 5, PIECE + 3),
        ] {
            let rows = Rows {
                width,
                height,
                pitch,
            };
            let bytes = pitch * height;
            let user: Vec<u8> = (0..bytes).map(|i| (i * 7 % 251) as u8).collect();
            let mut packed = vec![0u8; width * height];
            let mut back = vec![0u8; bytes];
            let at = |host: usize| Block {
                host,
                device: 0,
                rows,
            };
            let buffer = packed.as_mut_ptr() as usize;
            // SAFETY: all three have the sizes that the rows need.
            unsafe {
                at(user.as_ptr() as usize).copy_on_host(Direction::In, buffer);
                at(back.as_mut_ptr() as usize).copy_on_host(Direction::Out, buffer);
            }
            for row in 0..height {
                let range = row * pitch..row * pitch + width;
                assert_eq!(user[range.clone()], packed[row * width..(row + 1) * width]);
                assert_eq!(user[range.clone()], back[range]);
            }
        }
    }
}
