//! NVIDIA GPUs through the CUDA driver, which is loaded at run time: no toolkit, nothing to link.
//!
//! | file | job |
//! | --- | --- |
//! | [`functions`] | loading `libcuda.so.1` |
//! | [`driver`] | its functions, with errors as results |
//! | [`problem`] | why there is no GPU |
//! | [`discovery`] | which GPUs there are |
//! | [`gpu`] | a GPU's context and streams; messages about failures |
//! | [`stream`] | a stream with its scratch memory and its latest launches |
//! | [`late`] | small results of queues, in pinned memory until somebody waits |
//! | [`transfer`] | transfers of pageable memory through pinned buffers |
//! | [`allocator`] | where device memory comes from |
//! | [`launch`] | launches |
//! | [`kernel`] | modules and kernels as loaded |
//! | [`interop`] | its handles, for programs that use CUDA themselves |
//!
//! The driver is started when the program first asks for NVIDIA GPUs, a GPU's context when it is first used. A queue is
//! a stream; synchronous work is in a stream of the calling thread, and only the end of a directive waits for it:
//!
//! ```text
//! #pragma acc parallel loop copy(sum)      copy in ─▶ launch ─▶ copy out ─▶ wait      one wait, not three
//! ```

mod allocator;
mod channels;
mod discovery;
mod driver;
mod functions;
mod gpu;
pub mod interop;
mod kernel;
mod late;
mod launch;
mod problem;
mod stream;
mod transfer;

pub use discovery::DRIVER;

use super::absent::Window;
use super::block::{Block, Direction};
use super::memory::Memory;
use super::ptx;
use super::simt::{self};
use super::{Device, Fault, Launch, Native, OutOfMemory, Properties, Queue, RESULT_CELL, Rows};
use crate::abi::{Kernel, SimtApart, SimtDisjoint};
use crate::fatal::{self};
use crate::site::SiteState;
use allocator::{Allocator, StreamKey};
use cudarc::driver::sys::{self, CUdevice_attribute, CUmemorytype};
use driver::Driver;
use gpu::Gpu;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use stream::{CELLS, Stream};
use transfer::Buffers;

/// The greatest distance of rows that the driver copies with one call, on every GPU.
const MAX_PITCH: usize = i32::MAX as usize;

/// A GPU. It costs nothing until it is used.
pub struct CudaDevice {
    driver: &'static Driver,
    handle: sys::CUdevice,
    ordinal: usize,
    /// `nvidia:0`
    name: String,
    /// What NVIDIA calls it.
    label: &'static str,
    /// Compute capability, 10 * major + minor.
    sm: u32,
    multiprocessors: u32,
    threads_per_multiprocessor: u32,
    used: OnceLock<Used>,
    /// This process is a forked child, in which CUDA does not work.
    forked: AtomicBool,
}

/// What a GPU has from its first use on.
struct Used {
    gpu: &'static Gpu,
    memory: Memory<Allocator>,
    buffers: &'static Buffers,
}

impl CudaDevice {
    fn used(&self) -> &Used {
        self.used.get_or_init(|| {
            if self.forked.load(Relaxed) {
                fatal::fatal_text(&gpu::after_fork(&self.name));
            }
            let gpu = Gpu::start(self.driver, self.handle, &self.name);
            Used {
                gpu,
                memory: Memory::new(Allocator(gpu)),
                buffers: Box::leak(Box::default()),
            }
        })
    }

    /// The GPU, if there is anything on it to wait for.
    fn gpu_in_use(&self) -> Option<&'static Gpu> {
        let used = self.used.get()?;
        (!self.forked.load(Relaxed)).then_some(used.gpu)
    }

    fn gpu(&self) -> &'static Gpu {
        self.used().gpu
    }

    fn driver(&self) -> &'static Driver {
        self.driver
    }

    fn ordinal(&self) -> usize {
        self.ordinal
    }

    /// `12.8`
    fn cuda_version(&self) -> String {
        let version = self.driver.version;
        format!("{}.{}", version / 1000, version % 1000 / 10)
    }

    fn transfer(&self, direction: Direction, block: Block, queue: Queue) {
        let used = self.used();
        let _entered = used.gpu.enter();
        let stream = used.gpu.stream(queue);
        let asynchronous = queue != Queue::Sync;
        let rows = block.rows;
        let reach = rows.pitch * rows.height.saturating_sub(1) + rows.width;
        if stream.late.touches(block.host, reach) {
            self.settle(stream);
        }
        // SAFETY: callers of the copy operations promise that both sides stay valid.
        unsafe {
            transfer::transfer(
                used.gpu,
                used.buffers,
                direction,
                block,
                stream,
                asynchronous,
            );
        }
    }

    /// One call for all rows, or one for each where they are too far apart for that.
    fn transfer_rows(&self, direction: Direction, block: Block, queue: Queue) {
        if block.rows.pitch <= MAX_PITCH {
            return self.transfer(direction, block, queue);
        }
        for row in 0..block.rows.height {
            let offset = row * block.rows.pitch;
            let row = contiguous(block.host + offset, block.device + offset, block.rows.width);
            self.transfer(direction, row, queue);
        }
    }

    /// Lets the stream write late results by itself when it gets there.
    fn settle(&self, stream: &'static Stream) {
        let used = self.used();
        if let Err(status) = transfer::settle(used.gpu, used.buffers, stream) {
            used.gpu.failed(status, "copying results of a queue");
        }
    }
}

impl Device for CudaDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn properties(&self) -> Properties {
        let used = self.used();
        let _entered = used.gpu.enter();
        let memory = self
            .driver
            .total_memory(self.handle)
            .and_then(|total| Ok((self.driver.memory_info()?.0, total)));
        let (free, total) =
            memory.unwrap_or_else(|status| used.gpu.failed(status, "asking for the memory's size"));
        let pageable = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS;
        let unified = self.driver.attribute(pageable, self.handle).unwrap_or(0) != 0;
        static DRIVER: OnceLock<String> = OnceLock::new();
        let driver = DRIVER.get_or_init(|| {
            format!(
                "CUDA {}{}",
                self.cuda_version(),
                if unified {
                    ", can access pageable host memory"
                } else {
                    ""
                }
            )
        });
        Properties {
            total_memory: total,
            free_memory: free,
            name: self.label,
            vendor: "NVIDIA",
            driver,
        }
    }

    fn shares_host_memory(&self) -> bool {
        false
    }

    fn init(&self) {
        let used = self.used();
        let _entered = used.gpu.enter();
        used.gpu.stream(Queue::Sync);
    }

    fn has_code(&self, kernel: &Kernel) -> bool {
        let Some(ptx) = ptx::kernel(kernel) else {
            return false;
        };
        self.has_loaded(ptx)
            || simt::module(ptx).is_some_and(|module| !ptx::codes(module, self.sm).is_empty())
    }

    fn apart(&self, kernel: &Kernel) -> Option<&'static SimtApart> {
        ptx::kernel(kernel).and_then(simt::apart)
    }

    fn disjoint(&self, kernel: &Kernel) -> Option<&'static SimtDisjoint> {
        ptx::kernel(kernel).and_then(simt::disjoint)
    }

    fn complete(&self) {
        if let Some(gpu) = self.gpu_in_use()
            && let Some(stream) = gpu.streams.known_own()
        {
            gpu.synchronize(stream);
        }
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(self)
    }

    fn alloc(&self, bytes: usize) -> Result<usize, OutOfMemory> {
        let used = self.used();
        let _entered = used.gpu.enter();
        used.memory.alloc(bytes)
    }

    unsafe fn free(&self, address: usize, queue: Queue) {
        let used = self.used();
        let _entered = used.gpu.enter();
        let after = used
            .gpu
            .streams
            .known(queue)
            .filter(|stream| stream.may_be_busy())
            .map(|stream| StreamKey(stream.handle().0 as usize));
        used.memory.free(address, after);
    }

    fn allocation(&self, address: usize) -> Option<(usize, usize)> {
        let own = self.used.get()?.memory.allocation(address);
        own.or_else(|| self.driver.address_range(address))
    }

    fn owns(&self, address: usize) -> bool {
        let used = self.used.get();
        used.is_some_and(|used| used.memory.allocation(address).is_some())
    }

    fn result_cell(&self, index: usize) -> Option<usize> {
        let own = self.gpu_in_use().and_then(|gpu| gpu.streams.known_own());
        let first = own.and_then(Stream::known_cells).unwrap_or_else(|| {
            let gpu = self.gpu();
            let _entered = gpu.enter();
            gpu.stream(Queue::Sync)
                .cells(self.driver)
                .unwrap_or_else(|status| gpu.failed(status, "allocating pinned memory"))
        });
        (index < CELLS).then_some(first + index * RESULT_CELL)
    }

    unsafe fn late_cell(&self, queue: i32, variable: usize, bytes: usize) -> Option<usize> {
        let used = self.used();
        let _entered = used.gpu.enter();
        // A copy to the variable may be in a queue, which would have to come first.
        if used.buffers.are_unpacking() {
            return None;
        }
        // SAFETY: passed on to the caller.
        unsafe {
            used.gpu
                .stream(Queue::Async(queue))
                .filled_cell(self.driver, variable, bytes)
        }
        .unwrap_or_else(|status| used.gpu.failed(status, "allocating pinned memory"))
    }

    unsafe fn follow_late(&self, queue: i32, variable: usize, bytes: usize, cell: usize) {
        let gpu = self.gpu();
        let stream = gpu.stream(Queue::Async(queue));
        stream.follow(variable, bytes, cell);
        if stream.is_foreign() {
            let _entered = gpu.enter();
            self.settle(stream);
        }
    }

    unsafe fn copy_in(&self, device: usize, host: usize, bytes: usize, queue: Queue) {
        self.transfer(Direction::In, contiguous(host, device, bytes), queue);
    }

    unsafe fn copy_out(&self, host: usize, device: usize, bytes: usize, queue: Queue) {
        self.transfer(Direction::Out, contiguous(host, device, bytes), queue);
    }

    unsafe fn copy_rows_in(&self, device: usize, host: usize, rows: Rows, queue: Queue) {
        self.transfer_rows(Direction::In, Block { host, device, rows }, queue);
    }

    unsafe fn copy_rows_out(&self, host: usize, device: usize, rows: Rows, queue: Queue) {
        self.transfer_rows(Direction::Out, Block { host, device, rows }, queue);
    }

    unsafe fn copy_within(&self, to: usize, from: usize, bytes: usize, queue: Queue) {
        let gpu = self.gpu();
        let _entered = gpu.enter();
        let copied = gpu
            .stream(queue)
            // SAFETY: passed on to the caller.
            .put(|stream| unsafe { self.driver.copy_within(to, from, bytes, stream) });
        if let Err(status) = copied {
            gpu.failed(status, format_args!("copying {bytes} bytes on the device"));
        }
    }

    unsafe fn write_pointer(&self, device: usize, value: usize, queue: Queue) {
        let gpu = self.gpu();
        let _entered = gpu.enter();
        let written = gpu.stream(queue).put(|stream| {
            let host = (&raw const value) as usize;
            // SAFETY: the driver takes the bytes of pageable memory before it returns.
            unsafe {
                self.driver
                    .copy_in(device, host, size_of::<usize>(), stream)
            }
        });
        if let Err(status) = written {
            gpu.failed(status, "attaching a pointer");
        }
    }

    unsafe fn zero(&self, device: usize, bytes: usize, queue: Queue) {
        let gpu = self.gpu();
        let _entered = gpu.enter();
        let cleared = gpu
            .stream(queue)
            // SAFETY: passed on to the caller.
            .put(|stream| unsafe { self.driver.zero(device, bytes, stream) });
        if let Err(status) = cleared {
            gpu.failed(status, format_args!("clearing {bytes} bytes"));
        }
    }

    unsafe fn launch(&self, launch: &Launch<'_>, queue: Queue) -> Result<(), Fault> {
        // SAFETY: passed on to the caller.
        unsafe { self.launch_kernel(launch, queue) }
    }

    fn absent_pointer(&self, host: usize, site: &'static SiteState, var: usize) -> usize {
        if host == 0 || self.owns(host) {
            return host;
        }
        // Memory of the program's own from CUDA.
        match self.driver.memory_type(host) {
            Some(CUmemorytype::CU_MEMORYTYPE_DEVICE | CUmemorytype::CU_MEMORYTYPE_UNIFIED) => host,
            Some(CUmemorytype::CU_MEMORYTYPE_HOST | CUmemorytype::CU_MEMORYTYPE_ARRAY) | None => {
                Window::NOWHERE.address(host, site, var)
            }
        }
    }

    fn wait(&self, queue: i32) {
        if let Some(gpu) = self.gpu_in_use()
            && let Some(stream) = gpu.streams.known_queue(queue)
        {
            gpu.synchronize(stream);
        }
    }

    fn wait_all(&self) {
        self.complete();
        let Some(gpu) = self.gpu_in_use() else {
            return;
        };
        for stream in gpu.streams.of_queues() {
            gpu.synchronize(stream);
        }
    }

    fn wait_in_queue(&self, queue: i32, other: i32) {
        if queue == other {
            return;
        }
        if let Some(gpu) = self.gpu_in_use()
            && let Some(other) = gpu.streams.known_queue(other)
            && (other.may_be_busy() || !other.late.is_empty())
        {
            let _entered = gpu.enter();
            // Who waits for `queue` has waited for this one, too.
            self.settle(other);
            gpu.stream(Queue::Async(queue))
                .put(|stream| gpu.order(other.handle(), stream));
        }
    }

    fn wait_all_in_queue(&self, queue: i32) {
        let Some(gpu) = self.gpu_in_use() else {
            return;
        };
        for other in gpu.streams.queue_numbers() {
            self.wait_in_queue(queue, other);
        }
    }

    fn is_idle(&self, queue: i32) -> bool {
        let Some(gpu) = self.gpu_in_use() else {
            return true;
        };
        let Some(stream) = gpu.streams.known_queue(queue) else {
            return true;
        };
        let _entered = gpu.enter();
        stream
            .is_idle(self.driver)
            .unwrap_or_else(|status| gpu.failed(status, "asking whether a queue is idle"))
    }

    fn all_idle(&self) -> bool {
        let numbers = self.gpu_in_use().map(|gpu| gpu.streams.queue_numbers());
        numbers
            .unwrap_or_default()
            .into_iter()
            .all(|queue| self.is_idle(queue))
    }

    fn freeze(&'static self) -> Box<dyn FnOnce(bool)> {
        let locks = self
            .used
            .get()
            .map(|used| (used.gpu.freeze(), used.memory.freeze()));
        Box::new(move |in_child| {
            drop(locks);
            if in_child {
                self.forked.store(true, Relaxed);
                if let Some(used) = self.used.get() {
                    used.gpu.forked.store(true, Relaxed);
                }
            }
        })
    }
}

fn contiguous(host: usize, device: usize, bytes: usize) -> Block {
    Block {
        host,
        device,
        rows: Rows {
            width: bytes,
            height: 1,
            pitch: bytes,
        },
    }
}
