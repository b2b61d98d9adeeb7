//! The CPU device: gangs on a thread pool, memory shared with the host or its own.
//!
//! By default a mapping is the host memory itself. With `ACCRUE_CPU_MEMORY=discrete` the device
//! has memory of its own, data is really copied, and what was not mapped cannot be reached (see
//! `own_faults`).

mod futex;
mod memory;
pub mod pool;
mod queues;

use super::device_type::DeviceType;
use super::own_faults::{self, Holder};
use super::registry::{ByDefault, Driver, Found, Problem};
use super::simt::trip_count;
use super::sizes::{self, Size};
use super::{Device, Fault, Launch, OutOfMemory, Properties, Queue, form, gang_text};
use crate::abi::{CpuKernel, CpuLaunch, FormKind, KERNEL_GANG_DIMS, Kernel, launch};
use crate::fatal;
use crate::notify::{self, Event};
use crate::site::SiteState;
use crate::thread_end;
use crate::tools;
use memory::Memory;
use pool::Pool;
use queues::{Queues, Task};
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Transfers up to this size are done by the caller when the queue is idle: cheaper than waking
/// the queue's thread.
const INLINE_COPY: usize = 64 << 10;
/// Slots are rounded up to this, so that gangs do not share cache lines.
const SLOT_ALIGNMENT: usize = 128;

thread_local! {
    /// Scratch memory for slots, kept from launch to launch.
    static SLOTS: Cell<ManuallyDrop<Vec<SlotLine>>> = const { Cell::new(ManuallyDrop::new(Vec::new())) };
}

/// The calling thread keeps no slots any more.
fn forget() {
    ManuallyDrop::into_inner(SLOTS.take());
}

#[repr(align(128))]
#[derive(Clone, Copy)]
struct SlotLine(
    #[allow(dead_code, reason = "only provides size and alignment")] [u8; SLOT_ALIGNMENT],
);

/// The host's cores.
pub const DRIVER: Driver = Driver {
    name: "CPU",
    forms: &[FormKind::Cpu],
    types: &[DeviceType::Host, DeviceType::Cpu],
    by_default: ByDefault::Yes,
    always_there: true,
    find,
    forget_thread: forget,
};

/// The one device. With memory of its own it is of the type `cpu`, and `host` still selects it: no other runs on the host.
fn find() -> Result<Vec<Found>, Problem> {
    let device = CpuDevice::from_environment();
    let types: &[DeviceType] = match device.discrete {
        true => &[DeviceType::Cpu, DeviceType::Host],
        false => &[DeviceType::Host],
    };
    let device = Box::new(device);
    Ok(vec![Found {
        device,
        types,
        by_default: true,
    }])
}

/// The kernel as functions of the program.
fn code(kernel: &Kernel) -> Option<&'static CpuKernel> {
    // SAFETY: the compiler's static data of the program; code of this kind is of this type.
    unsafe { form(kernel, FormKind::Cpu)?.cast::<CpuKernel>().as_ref() }
}

/// Iterations of a round up to which one core is done with them before the others have begun.
const FEW_ITERATIONS: u64 = 256;

/// Whether the launch is a round of few iterations.
fn does_little(launch: &Launch<'_>) -> bool {
    let trip = match code(launch.kernel) {
        Some(code) if launch.is_round && launch.gangs == [0; 3] => code.trip,
        Some(_) | None => return false,
    };
    // SAFETY: the program is one of a valid kernel, or null.
    let count = unsafe { trip_count(trip, launch.args) };
    count.is_some_and(|count| count <= FEW_ITERATIONS)
}

/// The device.
pub struct CpuDevice {
    discrete: bool,
    memory: Arc<Memory>,
    queues: Queues,
    /// Null until the first launch with several gangs, and again in a forked child.
    pool: AtomicPtr<Pool>,
    pool_start: Mutex<()>,
}

impl CpuDevice {
    /// The device as the environment wants it.
    pub fn from_environment() -> CpuDevice {
        let discrete = match std::env::var("ACCRUE_CPU_MEMORY").as_deref() {
            Err(_) | Ok("" | "shared") => false,
            Ok("discrete") => true,
            Ok(other) => fatal::fatal_text(&format!(
                "ACCRUE_CPU_MEMORY={other}: expected 'shared' or 'discrete'"
            )),
        };
        if discrete {
            own_faults::reserve();
        }
        own_faults::install();
        CpuDevice {
            discrete,
            memory: Arc::new(Memory::new(discrete)),
            queues: Queues::default(),
            pool: AtomicPtr::new(std::ptr::null_mut()),
            pool_start: Mutex::new(()),
        }
    }

    fn pool(&self) -> &'static Pool {
        let pool = self.pool.load(Ordering::Acquire);
        if !pool.is_null() {
            // SAFETY: only leaked pools are stored.
            return unsafe { &*pool };
        }
        let _starting = self
            .pool_start
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let pool = self.pool.load(Ordering::Acquire);
        if !pool.is_null() {
            // SAFETY: as above.
            return unsafe { &*pool };
        }
        let pool = Pool::start(pool::allowed_cores());
        self.pool
            .store(std::ptr::from_ref(pool).cast_mut(), Ordering::Release);
        pool
    }

    /// Gang counts of a launch: what the directive says, else by the kernel's kind.
    fn gangs(&self, kernel: &Kernel, site: &SiteState, asked: [u64; 3]) -> [u64; 3] {
        let cores = || self.pool().threads() as u64;
        let gangs = launch::on_cores(site.kind, kernel.flags, asked, cores);
        let asked = asked.map(|gangs| gangs.max(1));
        if asked != gangs && asked != [1, 1, 1] && !launch::has_one_gang(site.kind, kernel.flags) {
            let [asked, used] = [asked, gangs].map(|gangs| gang_text(gangs, [false; 3]));
            sizes::tell(site, self.name(), Size::Gangs, asked, used);
        }
        gangs
    }

    /// Runs small work at once when the queue is idle, so that no thread has to be woken.
    fn in_queue(&self, queue: Queue, bytes: usize, task: impl FnOnce() + Send + 'static) {
        match queue {
            Queue::Sync => task(),
            Queue::Async(number) if bytes <= INLINE_COPY && self.queues.is_idle(number) => task(),
            Queue::Async(number) => self.queues.push(number, Box::new(task)),
        }
    }

    fn copy(&self, to: usize, from: usize, bytes: usize, queue: Queue) {
        if to == from {
            return;
        }
        self.in_queue(queue, bytes, move || {
            // SAFETY: callers of the copy operations promise that both ranges stay valid; the
            // ranges may overlap.
            unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
        });
    }
}

/// Everything of a launch that has to live until the kernel has run.
struct Execution {
    site: &'static SiteState,
    kernel: &'static Kernel,
    gangs: [u64; 3],
    workers: u64,
    vector: u64,
}

impl Execution {
    fn run(&self, pool: Option<&Pool>, args: &[u64]) {
        let code = code(self.kernel);
        let Some(body) = code.and_then(|code| code.gang) else {
            fatal::fatal(
                self.site.place(),
                "this region has no code for the cpu device; compile it with the cpu target",
            );
        };
        let total = self
            .gangs
            .iter()
            .try_fold(1u64, |total, &gangs| total.checked_mul(gangs));
        let Some(total) = total else {
            fatal::fatal(self.site.place(), "the number of gangs is too large");
        };
        let slot_bytes = code.map_or(0, |code| code.slot_bytes);
        let stride = (slot_bytes as usize).next_multiple_of(SLOT_ALIGNMENT);
        let lines = (total as usize).checked_mul(stride / SLOT_ALIGNMENT);
        let mut slots = ManuallyDrop::into_inner(SLOTS.take());
        match lines {
            Some(lines) if lines > slots.capacity() => {
                thread_end::watch();
                slots = Vec::new();
                if slots.try_reserve_exact(lines).is_err() {
                    self.too_many_gangs(total, stride);
                }
            }
            Some(_) => {}
            None => self.too_many_gangs(total, stride),
        }
        let launch = CpuLaunch {
            args: args.as_ptr(),
            gangs: self.gangs,
            workers: self.workers.max(1),
            vector: self.vector.max(1),
            slots: if stride == 0 {
                std::ptr::null_mut()
            } else {
                slots.as_mut_ptr().cast()
            },
            slot_stride: stride as u64,
        };
        let launch = Shared(&launch);
        // SAFETY: the kernel was compiled for these arguments; gangs are independent.
        let gang = |g: u64| unsafe { body(launch.get(), g) };
        match pool {
            Some(pool) => pool.run(Some(self.site), total, &gang),
            None => pool::run_alone(Some(self.site), total, &gang),
        }
        if let Some(finish) = code.and_then(|code| code.finish) {
            // SAFETY: all gangs have run, so all slots are initialised.
            unsafe { finish(launch.get()) };
        }
        ManuallyDrop::into_inner(SLOTS.replace(ManuallyDrop::new(slots)));
    }

    #[cold]
    fn too_many_gangs(&self, total: u64, stride: usize) -> ! {
        fatal::fatal_as(
            fatal::Error::OutOfMemory,
            self.site.place(),
            format_args!("out of memory: {total} gangs need {stride} bytes of scratch memory each"),
        )
    }
}

/// A launch descriptor that gangs on other threads read.
#[derive(Clone, Copy)]
struct Shared<'a>(&'a CpuLaunch);

// SAFETY: gangs only read the descriptor; what its pointers lead to is shared between gangs by
// the rules of the kernel itself.
unsafe impl Send for Shared<'_> {}
// SAFETY: as above.
unsafe impl Sync for Shared<'_> {}

impl Shared<'_> {
    fn get(&self) -> *const CpuLaunch {
        std::ptr::from_ref(self.0)
    }
}

impl Device for CpuDevice {
    fn name(&self) -> &str {
        "cpu:0"
    }

    fn properties(&self) -> Properties {
        Properties {
            total_memory: self.memory.total(),
            free_memory: self.memory.total().saturating_sub(self.memory.in_use()),
            name: if self.discrete {
                "CPU with memory of its own"
            } else {
                "CPU"
            },
            vendor: std::env::consts::ARCH,
            driver: concat!("accrue ", env!("CARGO_PKG_VERSION")),
        }
    }

    fn shares_host_memory(&self) -> bool {
        !self.discrete
    }

    fn init(&self) {
        self.pool();
    }

    fn alloc(&self, bytes: usize) -> Result<usize, OutOfMemory> {
        self.memory.alloc(bytes)
    }

    unsafe fn free(&self, address: usize, queue: Queue) {
        match queue {
            Queue::Async(number) if !self.queues.is_idle(number) => {
                let memory = self.memory.clone();
                let task: Task = Box::new(move || {
                    memory.free(address);
                });
                self.queues.push(number, task);
            }
            Queue::Sync | Queue::Async(_) => {
                self.memory.free(address);
            }
        }
    }

    fn has_code(&self, _kernel: &Kernel) -> bool {
        // Every kernel has code for the host; one without is reported when it runs.
        true
    }

    fn allocation(&self, address: usize) -> Option<(usize, usize)> {
        self.memory.allocation(address)
    }

    unsafe fn copy_in(&self, device: usize, host: usize, bytes: usize, queue: Queue) {
        self.copy(device, host, bytes, queue);
    }

    unsafe fn copy_out(&self, host: usize, device: usize, bytes: usize, queue: Queue) {
        self.copy(host, device, bytes, queue);
    }

    unsafe fn copy_within(&self, to: usize, from: usize, bytes: usize, queue: Queue) {
        self.copy(to, from, bytes, queue);
    }

    unsafe fn write_pointer(&self, device: usize, value: usize, queue: Queue) {
        self.in_queue(queue, size_of::<usize>(), move || {
            // SAFETY: the caller promises a valid address; user pointers may be unaligned in
            // packed structures.
            unsafe { (device as *mut usize).write_unaligned(value) };
        });
    }

    unsafe fn zero(&self, device: usize, bytes: usize, queue: Queue) {
        self.in_queue(queue, bytes, move || {
            // SAFETY: the caller promises a valid range.
            unsafe { (device as *mut u8).write_bytes(0, bytes) };
        });
    }

    unsafe fn launch(&self, launch: &Launch<'_>, queue: Queue) -> Result<(), Fault> {
        let execution = Execution {
            site: launch.site,
            kernel: launch.kernel,
            gangs: match does_little(launch) {
                true => [1, 1, 1],
                false => self.gangs(launch.kernel, launch.site, launch.gangs),
            },
            workers: launch.workers,
            vector: launch.vector,
        };
        if notify::wants(Event::Launch) {
            // SAFETY: a kernel's name is NUL-terminated or null.
            let kernel = unsafe { crate::words::text(launch.kernel.name) };
            let told_apart = KERNEL_GANG_DIMS.map(|bit| launch.kernel.flags & bit != 0);
            notify::line(format_args!(
                "launch file={} function={} line={} device={} queue={queue} kernel={kernel} \
                 gangs={} workers={} vector={}",
                launch.site.file,
                launch.site.function,
                launch.site.line,
                self.name(),
                gang_text(execution.gangs, told_apart),
                launch.workers.max(1),
                launch.vector.max(1),
            ));
        }
        let lanes = [launch.workers.max(1), launch.vector.max(1)];
        // SAFETY: the name is a C string of the program, or null.
        let _launch =
            unsafe { tools::launching(launch.kernel.name, queue, execution.gangs, lanes) };
        let pool = (execution.gangs != [1, 1, 1]).then(|| self.pool());
        match queue {
            Queue::Sync => execution.run(pool, launch.args),
            Queue::Async(number) => {
                let args: Box<[u64]> = launch.args.into();
                let task: Task = Box::new(move || execution.run(pool, &args));
                self.queues.push(number, task);
            }
        }
        Ok(())
    }

    fn absent_pointer(&self, host: usize, site: &'static SiteState, var: usize) -> usize {
        if !self.discrete || host == 0 || self.owns(host) {
            host
        } else {
            own_faults::absent_address(host, site, var, Holder::Cpu)
        }
    }

    fn wait(&self, queue: i32) {
        self.queues.wait(queue);
    }

    fn wait_all(&self) {
        self.queues.wait_all();
    }

    fn wait_in_queue(&self, queue: i32, other: i32) {
        self.queues.wait_in_queue(queue, other);
    }

    fn wait_all_in_queue(&self, queue: i32) {
        self.queues.wait_all_in_queue(queue);
    }

    fn is_idle(&self, queue: i32) -> bool {
        self.queues.is_idle(queue)
    }

    fn all_idle(&self) -> bool {
        self.queues.all_idle()
    }

    fn freeze(&'static self) -> Box<dyn FnOnce(bool)> {
        let starting = self
            .pool_start
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let queues = self.queues.freeze();
        let memory = self.memory.freeze();
        Box::new(move |in_child| {
            drop((starting, queues, memory));
            if in_child {
                self.pool.store(std::ptr::null_mut(), Ordering::Release);
                self.queues.forget();
            }
        })
    }
}
