//! Devices behind OpenCL: GPUs of all vendors, and CPUs by PoCL. The loader of OpenCL's drivers is loaded at run time: nothing to
//! link.
//!
//! | file | job |
//! | --- | --- |
//! | [`functions`] | loading `libOpenCL.so.1` |
//! | [`driver`] | its functions, with errors as results; `driver/programs.rs`: programs and kernels, `driver/buffers.rs`: buffers |
//! | [`status`] | error numbers and their names |
//! | [`discovery`] | which devices there are, and why some are not used |
//! | [`active`] | a device in use: its context and queues; messages about failures |
//! | [`queue`] | a queue with its scratch memory and its latest launches |
//! | [`arena`] | where device memory comes from: chunks of shared virtual memory |
//! | [`buffer`] | where there is no such memory: one buffer |
//! | [`launch`] | launches |
//! | [`kernel`] | programs and kernels as built; [`text`]: the texts that the program has |
//! | [`few_groups`] | registers for kernels that want few work items on a multiprocessor |
//! | [`cache`] | programs as built, kept on disk |
//! | [`transfer`] | larger transfers, through pinned buffers |
//! | [`cells`] | cells for results of reductions; [`heap`]: memory that kernels take and give back |
//! | [`interop`] | its handles, for programs that use OpenCL themselves |
//!
//! Drivers are looked for when the program first asks for such devices, a device's context is made when it is first used. A
//! numbered queue is an in-order command queue; synchronous work is in a queue of the calling thread, and only the end of a
//! directive waits for it:
//!
//! ```text
//! #pragma acc parallel loop copy(a[0:n])      clEnqueueSVMMemcpy ─▶ …NDRangeKernel ─▶ …SVMMemcpy ─▶ clFinish
//! ```

mod active;
mod arena;
mod assertions;
mod buffer;
mod cache;
mod cells;
mod discovery;
mod driver;
mod few_groups;
mod functions;
mod heap;
pub mod interop;
mod kernel;
mod lacks;
mod launch;
mod queue;
mod status;
mod text;
mod transfer;

pub use discovery::DRIVER;

use super::absent::Window;
use super::block;
use super::memory::Memory;
use super::own_faults::{self, Holder};
use super::simt;
use super::{Cell, Device, Fault, Launch, OutOfMemory, Properties, Queue};
use crate::abi::{Kernel, SimtApart, SimtDisjoint, SimtKernel};
use crate::fatal::fatal_text;
use crate::runtime;
use crate::site::SiteState;
use active::Active;
use arena::{Blocks, StreamKey};
use buffer::Direction;
use discovery::Facts;
use driver::{CommandQueue, OpenCl, Until};
use status::Result;
use std::fmt::Display;
use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

/// How many devices there are.
static DEVICES: AtomicUsize = AtomicUsize::new(0);

fn count() -> usize {
    DEVICES.load(Acquire)
}

/// A device. It costs nothing until it is used.
pub struct OpenClDevice {
    opencl: &'static OpenCl,
    facts: Facts,
    ordinal: usize,
    /// `opencl:0`
    name: String,
    used: OnceLock<Used>,
    /// This process is a forked child, in which the driver's threads do not exist.
    forked: AtomicBool,
}

/// What a device has from its first use on.
struct Used {
    active: &'static Active,
    memory: Memory<Blocks>,
    /// Where the heap of kernels is; zero if there is no memory for it.
    heap: OnceLock<usize>,
}

impl OpenClDevice {
    fn new(opencl: &'static OpenCl, ordinal: usize, facts: Facts) -> OpenClDevice {
        DEVICES.fetch_max(ordinal + 1, Release);
        OpenClDevice {
            opencl,
            facts,
            ordinal,
            name: format!("opencl:{ordinal}"),
            used: OnceLock::new(),
            forked: AtomicBool::new(false),
        }
    }

    /// The kernel in the form that this device runs.
    fn code(&self, kernel: &Kernel) -> Option<&'static SimtKernel> {
        text::kernel(kernel, self.facts.has_cores)
    }

    fn used(&self) -> &Used {
        let used = self.used.get_or_init(|| {
            if self.forked.load(Relaxed) {
                fatal_text(&active::after_fork(&self.name));
            }
            let memory = usize::try_from(self.facts.memory).unwrap_or(usize::MAX);
            let largest = match self.facts.is_gpu() {
                true => self.facts.largest,
                false => buffer::of_host(self.facts.largest),
            };
            let buffer = self.facts.needs_buffer().then_some(largest);
            let active = Active::start(self.opencl, self.facts.id, &self.name, memory, buffer);
            Used {
                active,
                memory: Memory::new(Blocks(active)),
                heap: OnceLock::new(),
            }
        });
        used.active.check_fork();
        used
    }

    fn active(&self) -> &'static Active {
        self.used().active
    }

    /// The device, if there is anything on it to wait for.
    fn in_use(&self) -> Option<&'static Active> {
        let used = self.used.get()?;
        (!self.forked.load(Relaxed)).then_some(used.active)
    }

    /// Puts work into a queue; a failure ends the program.
    fn put(
        &self,
        queue: Queue,
        doing: impl Display,
        work: impl FnOnce(&OpenCl, CommandQueue) -> Result<()>,
    ) {
        let active = self.active();
        let stream = active.stream(queue);
        let done = stream.put(active.opencl, |handle| work(active.opencl, handle));
        if let Err(status) = done {
            active.failed(status, doing);
        }
    }

    /// Copies in the queue's order.
    ///
    /// # Safety
    /// Both ranges are valid until the operation is complete.
    unsafe fn copy(
        &self,
        direction: Direction,
        to: usize,
        from: usize,
        bytes: usize,
        queue: Queue,
    ) {
        if bytes == 0 {
            return;
        }
        let active = self.active();
        match direction {
            Direction::In => active.settle(from..from + bytes),
            Direction::Out(_) | Direction::Within => {}
        }
        let sides = match direction {
            Direction::In => Some((block::Direction::In, [from, to])),
            Direction::Out(_) => Some((block::Direction::Out, [to, from])),
            Direction::Within => None,
        };
        if let (Some((way, sides)), Queue::Sync) = (sides, queue)
            // SAFETY: passed on to the caller.
            && unsafe { self.copy_pinned(way, sides, bytes, active.stream(queue)) }
        {
            return;
        }
        self.put(
            queue,
            format_args!("copying {bytes} bytes"),
            // SAFETY: passed on to the caller.
            |_, handle| unsafe { active.copy(handle, direction, [to, from], bytes) },
        );
        match direction {
            Direction::Out(_) => active.will_write(active.stream(queue), to..to + bytes),
            Direction::In | Direction::Within => {}
        }
    }

    /// Another device whose memory the address is in.
    fn owner(&self, address: usize) -> Option<&'static dyn Device> {
        let others = runtime::get().existing().map(|state| &*state.device);
        others
            .filter(|device| device.name() != self.name)
            .find(|device| device.owns(address))
    }
}

impl Device for OpenClDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn properties(&self) -> Properties {
        static TEXTS: OnceLock<Vec<OnceLock<[&'static str; 3]>>> = OnceLock::new();
        let all = TEXTS.get_or_init(|| (0..count()).map(|_| OnceLock::new()).collect());
        let [name, vendor, driver] = *all[self.ordinal].get_or_init(|| {
            let leak =
                |text: &str| -> &'static str { Box::leak(text.to_string().into_boxed_str()) };
            let facts = &self.facts;
            [leak(&facts.name), leak(&facts.vendor), leak(&facts.version)]
        });
        let used = self.used();
        Properties {
            total_memory: used.active.total_memory,
            // OpenCL does not say what other processes use.
            free_memory: used
                .active
                .total_memory
                .saturating_sub(used.memory.in_use()),
            name,
            vendor,
            driver,
        }
    }

    fn shares_host_memory(&self) -> bool {
        false
    }

    fn init(&self) {
        self.active().stream(Queue::Sync);
    }

    fn has_code(&self, kernel: &Kernel) -> bool {
        let Some(code) = self.code(kernel) else {
            return false;
        };
        self.facts.has.lacks(code).is_none()
            && simt::module(code).is_some_and(|module| text::of(module).is_some())
    }

    fn lacks(&self, kernel: &Kernel) -> Option<String> {
        let has = self.facts.has;
        let lack = has.lacks(self.code(kernel)?)?;
        Some(has.text(lack, &self.name))
    }

    fn apart(&self, kernel: &Kernel) -> Option<&'static SimtApart> {
        self.code(kernel).and_then(simt::apart)
    }

    fn disjoint(&self, kernel: &Kernel) -> Option<&'static SimtDisjoint> {
        // Parameters that are pointers would need shared virtual memory.
        let kernel = self.code(kernel).filter(|_| !self.facts.needs_buffer());
        kernel.and_then(simt::disjoint)
    }

    fn complete(&self) {
        if let Some(active) = self.in_use()
            && let Some(stream) = active.streams.known_own()
        {
            active.synchronize(stream);
        }
    }

    fn opencl(&self) -> Option<&OpenClDevice> {
        Some(self)
    }

    fn alloc(&self, bytes: usize) -> std::result::Result<usize, OutOfMemory> {
        self.used().memory.alloc(bytes)
    }

    unsafe fn free(&self, address: usize, queue: Queue) {
        let used = self.used();
        let after = used
            .active
            .streams
            .known(queue)
            .filter(|stream| stream.may_be_busy())
            .map(StreamKey);
        used.memory.free(address, after);
    }

    fn allocation(&self, address: usize) -> Option<(usize, usize)> {
        self.used.get()?.memory.allocation(address)
    }

    fn result_cell(&self, index: usize) -> Option<usize> {
        self.shared_cell(index)
    }

    fn own_cell(&self, index: usize) -> Option<usize> {
        self.cell(index)
    }

    unsafe fn send_own_cells(&self, values: &[Cell]) {
        // SAFETY: passed on to the caller.
        unsafe { self.send_cells(values) };
    }

    fn fetch_own_cells(&self, values: &mut [Cell]) {
        self.fetch_cells(values);
    }

    unsafe fn copy_in(&self, device: usize, host: usize, bytes: usize, queue: Queue) {
        // SAFETY: passed on to the caller.
        unsafe { self.copy(Direction::In, device, host, bytes, queue) };
    }

    unsafe fn copy_out(&self, host: usize, device: usize, bytes: usize, queue: Queue) {
        // SAFETY: passed on to the caller.
        unsafe { self.copy(Direction::Out(Until::Enqueued), host, device, bytes, queue) };
    }

    unsafe fn copy_within(&self, to: usize, from: usize, bytes: usize, queue: Queue) {
        if self.owns(to) && self.owns(from) {
            // SAFETY: passed on to the caller.
            return unsafe { self.copy(Direction::Within, to, from, bytes, queue) };
        }
        let (Some(target), true) = (self.owner(to), self.owns(from)) else {
            fatal_text(&format!(
                "device {}: a copy from {from:#x} to {to:#x}, which are not both in memory of OpenCL devices",
                self.name
            ));
        };
        // Devices of two drivers have no memory in common but the host's.
        let mut between = vec![0u8; bytes];
        let host = between.as_mut_ptr() as usize;
        let active = self.active();
        // SAFETY: the vector lives until both copies are complete; the rest is passed on to the caller.
        unsafe {
            self.copy(Direction::Out(Until::Enqueued), host, from, bytes, queue);
            active.synchronize(active.stream(queue));
            target.copy_in(to, host, bytes, Queue::Sync);
        }
        target.complete();
    }

    unsafe fn write_pointer(&self, device: usize, value: usize, queue: Queue) {
        let (active, bytes) = (self.active(), size_of::<usize>());
        // A fill keeps its pattern; packed structures have pointers at any address, which only bytes can be.
        if device.is_multiple_of(bytes) {
            self.put(queue, "attaching a pointer", |_, handle| {
                // SAFETY: passed on to the caller.
                unsafe { active.fill(handle, device, &value.to_ne_bytes(), bytes) }
            });
            return;
        }
        for (at, byte) in value.to_ne_bytes().into_iter().enumerate() {
            self.put(queue, "attaching a pointer", |_, handle| {
                // SAFETY: as above.
                unsafe { active.fill(handle, device + at, &[byte], 1) }
            });
        }
    }

    unsafe fn zero(&self, device: usize, bytes: usize, queue: Queue) {
        if bytes == 0 {
            return;
        }
        let active = self.active();
        self.put(
            queue,
            format_args!("clearing {bytes} bytes"),
            // SAFETY: passed on to the caller.
            |_, handle| unsafe { active.fill(handle, device, &[0], bytes) },
        );
    }

    unsafe fn launch(&self, launch: &Launch<'_>, queue: Queue) -> std::result::Result<(), Fault> {
        // SAFETY: passed on to the caller.
        unsafe { self.launch_kernel(launch, queue) }
    }

    fn absent_pointer(&self, host: usize, site: &'static SiteState, var: usize) -> usize {
        if host == 0 || self.owns(host) {
            return host;
        }
        // Kernels on cores of this machine run in this process, where an address is one that can be accessed, or a fault.
        if self.facts.is_cores() {
            own_faults::reserve();
            own_faults::install();
            let holder = Holder::OpenCl(self.ordinal);
            return own_faults::absent_address(host, site, var, holder);
        }
        Window::NOWHERE.address(host, site, var)
    }

    fn wait(&self, queue: i32) {
        if let Some(active) = self.in_use()
            && let Some(stream) = active.streams.known_queue(queue)
        {
            active.synchronize(stream);
        }
    }

    fn wait_all(&self) {
        self.complete();
        let Some(active) = self.in_use() else {
            return;
        };
        for stream in active.streams.of_queues() {
            active.synchronize(stream);
        }
    }

    fn wait_in_queue(&self, queue: i32, other: i32) {
        if queue == other {
            return;
        }
        if let Some(active) = self.in_use()
            && let Some(other) = active.streams.known_queue(other)
            && other.may_be_busy()
        {
            active.order(other, active.stream(Queue::Async(queue)));
        }
    }

    fn wait_all_in_queue(&self, queue: i32) {
        let Some(active) = self.in_use() else {
            return;
        };
        for other in active.streams.queue_numbers() {
            self.wait_in_queue(queue, other);
        }
    }

    fn is_idle(&self, queue: i32) -> bool {
        let Some(active) = self.in_use() else {
            return true;
        };
        let Some(stream) = active.streams.known_queue(queue) else {
            return true;
        };
        stream
            .is_idle(active.opencl)
            .unwrap_or_else(|status| active.failed(status, "asking whether a queue is idle"))
    }

    fn all_idle(&self) -> bool {
        let numbers = self.in_use().map(|active| active.streams.queue_numbers());
        numbers
            .unwrap_or_default()
            .into_iter()
            .all(|queue| self.is_idle(queue))
    }

    fn freeze(&'static self) -> Box<dyn FnOnce(bool)> {
        // Who has the memory's lock may want the others.
        let locks = self.used.get().map(|used| {
            let memory = used.memory.freeze();
            (used.active.freeze(), memory)
        });
        Box::new(move |in_child| {
            drop(locks);
            if in_child {
                self.forked.store(true, Relaxed);
                if let Some(used) = self.used.get() {
                    used.active.forked.store(true, Relaxed);
                }
            }
        })
    }
}
