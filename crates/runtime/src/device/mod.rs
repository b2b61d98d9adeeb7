//! What the rest of the library needs of a device.
//!
//! A driver (the CPU here; others as siblings) provides memory, transfers, launches and in-order
//! queues. Everything above (the present table, data clauses, the `acc_*` routines) is the same
//! for all. Operations take a [`Queue`]: with `Sync` they run in the order of the calling thread and are complete when
//! [`Device::complete`] returns, with a number they run in that queue's order. All addresses of device memory are plain
//! numbers that only the driver may dereference.
//!
//! | driver | device |
//! | --- | --- |
//! | [`cpu`] | the host's cores |
//! | [`cuda`] | an NVIDIA GPU, through the CUDA driver |
//! | [`opencl`] | a device behind OpenCL |
//! | [`sim`] | a simulated GPU |
//!
//! The drivers, and the devices that they find, are in [`registry`]; [`device_type`] has their types. [`simt`] is what drivers
//! share that run blocks of work items, [`ptx`] what those of PTX share, [`sizes`] what is said of too large launches, [`absent`]
//! finds the variable behind an address that is not on a device, [`own_faults`] says so where kernels run in this process, [`memory`] keeps device memory for reuse, [`streams`] and
//! [`pending`] keep a driver's streams and what is awaited of them, [`launches`] names kernels
//! that may have failed, [`library`] opens drivers.

pub mod absent;
mod block;
pub mod cpu;
pub mod cuda;
pub mod device_type;
mod launches;
pub(crate) mod library;
mod memory;
pub mod opencl;
mod own_faults;
mod pending;
pub mod ptx;
pub mod registry;
pub mod sim;
pub mod simt;
pub mod sizes;
mod streams;

use crate::abi::{FormKind, Kernel, SimtApart, SimtDisjoint};
use crate::site::SiteState;
use crate::words::array;
use std::ffi::c_void;

/// Where an operation runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Queue {
    /// In the order of the calling thread, complete when [`Device::complete`] returns.
    Sync,
    /// In the in-order queue with this number (-1: the default queue).
    Async(i32),
}

impl std::fmt::Display for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Queue::Sync => f.write_str("sync"),
            Queue::Async(-1) => f.write_str("default"),
            Queue::Async(number) => write!(f, "{number}"),
        }
    }
}

/// The structure of a kernel's code in one form, if the program has it.
pub fn form(kernel: &Kernel, kind: FormKind) -> Option<*const c_void> {
    // SAFETY: a valid kernel has `nforms` forms.
    let forms = unsafe { array(kernel.forms, kernel.nforms) };
    let found = forms.iter().find(|form| form.kind == kind as u32);
    found.map(|form| form.code)
}

/// Bytes of a cell for the result of a reduction; enough for every scalar that GPUs know.
pub const RESULT_CELL: usize = 16;
/// What is in one.
pub type Cell = [u8; RESULT_CELL];

/// The device has no memory left.
#[derive(Clone, Copy, Debug)]
pub struct OutOfMemory {
    pub requested: usize,
    pub in_use: usize,
    pub total: usize,
}

/// What `acc_get_property` reports.
#[derive(Clone, Debug, Default)]
pub struct Properties {
    pub total_memory: usize,
    pub free_memory: usize,
    pub name: &'static str,
    pub vendor: &'static str,
    pub driver: &'static str,
}

/// A kernel ready to run.
pub struct Launch<'a> {
    pub site: &'static SiteState,
    pub kernel: &'static Kernel,
    pub args: &'a [u64],
    /// 0 where the directive did not say.
    pub gangs: [u64; 3],
    pub workers: u64,
    pub vector: u64,
    /// Most threads of a team of OpenMP, 0 where nothing limits them: lanes, or workers where threads have lanes.
    pub thread_limit: u64,
    /// The kernel's fast version may run, which it has.
    pub disjoint: bool,
    /// It is one of the rounds of a loop.
    pub is_round: bool,
}

/// The number of gangs of a launch in messages: `12`, or `4x3` where the loops of the kernel tell dimensions apart.
pub fn gang_text(gangs: [u64; 3], told_apart: [bool; 3]) -> String {
    let several = [0, 1, 2].map(|index| told_apart[index] || gangs[index] > 1);
    let last = several.iter().rposition(|several| *several).unwrap_or(0);
    if told_apart.contains(&true) {
        let shown: Vec<_> = gangs[..=last].iter().map(u64::to_string).collect();
        return shown.join("x");
    }
    let [x, y, z] = gangs;
    x.saturating_mul(y).saturating_mul(z).to_string()
}

/// A kernel has failed in a way that says where.
#[derive(Debug)]
pub struct Fault {
    /// What happened, on one line or several.
    pub message: String,
    /// Source file and line of the failing instruction, where they are known.
    pub source: Option<(String, u32)>,
    /// The address in device memory that was accessed, if that was the reason.
    pub address: Option<usize>,
    /// The program itself wanted the end, with `assert` or `abort`.
    pub aborted: bool,
}

/// A block of equally long rows at equal distances, the same on both sides of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Bytes of a row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Distance between the starts of neighbouring rows.
    pub pitch: usize,
}

impl Rows {
    /// So many bytes as one row.
    pub const fn single(bytes: usize) -> Rows {
        Rows {
            width: bytes,
            height: 1,
            pitch: bytes,
        }
    }

    /// Bytes from the start of the first row to the end of the last; there is a row.
    pub const fn extent(&self) -> usize {
        (self.height - 1) * self.pitch + self.width
    }
}

/// Handles of the driver below, for programs that use it beside OpenACC (OpenACC 3.4, appendix A).
pub trait Native {
    /// The driver's handle of a queue.
    fn stream(&self, queue: Queue) -> usize;
    /// Makes a stream of the program the queue with this number.
    fn set_stream(&self, queue: i32, stream: usize);
    /// Address of the driver's number of the device.
    fn device(&self) -> usize;
    /// The driver's context.
    fn context(&self) -> usize;
}

/// One device of some driver.
pub trait Device: Send + Sync {
    /// The name in messages and traces, with its number: `cpu:0`.
    fn name(&self) -> &str;

    /// The figures for `acc_get_property`, as of now.
    fn properties(&self) -> Properties;

    /// True when the device works on host memory directly.
    fn shares_host_memory(&self) -> bool;

    /// Prepares the device before first use, so that later calls do not pay for it.
    fn init(&self);

    /// True when the device has code for the kernel.
    fn has_code(&self, kernel: &Kernel) -> bool;

    /// What the device does not have that the kernel's code needs, where there is code: it `computes with …`.
    fn lacks(&self, _kernel: &Kernel) -> Option<String> {
        None
    }

    /// What must hold for the kernel of memory that does not overlap, or else the host runs it (see [`crate::disjoint`]).
    fn apart(&self, _kernel: &Kernel) -> Option<&'static SimtApart> {
        None
    }

    /// The version of the kernel, in the form that the device runs, for memory that does not overlap (see
    /// [`crate::disjoint`]).
    fn disjoint(&self, _kernel: &Kernel) -> Option<&'static SimtDisjoint> {
        None
    }

    /// Waits until the operations that the calling thread has started with [`Queue::Sync`] are complete.
    fn complete(&self) {}

    /// The driver's own handles, where there is a driver.
    fn native(&self) -> Option<&dyn Native> {
        None
    }

    /// The device, if it is one behind OpenCL.
    fn opencl(&self) -> Option<&opencl::OpenClDevice> {
        None
    }

    /// Device memory of at least one byte.
    fn alloc(&self, bytes: usize) -> Result<usize, OutOfMemory>;

    /// Names memory of [`Device::alloc`] in the device's messages.
    fn set_label(&self, _address: usize, _label: &str) {}

    /// Memory of [`Device::alloc`] has become the copy of host memory, until it is given back.
    fn mapped(&self, _host: usize, _address: usize, _bytes: usize) {}

    /// Gives memory of [`Device::alloc`] back, in queue order.
    ///
    /// # Safety
    /// `address` came from `alloc` and is not used after its place in the queue.
    unsafe fn free(&self, address: usize, queue: Queue);

    /// Start and bytes of the device memory in which, or just behind which, the address lies: that of
    /// [`Device::alloc`], or the program's own where the driver knows it.
    fn allocation(&self, address: usize) -> Option<(usize, usize)>;

    /// True when the address lies in, or just behind, memory of [`Device::alloc`].
    fn owns(&self, address: usize) -> bool {
        self.allocation(address).is_some()
    }

    /// Address of cell `index` of the calling thread: [`RESULT_CELL`] bytes of host memory that kernels reach at the same
    /// address. None when the device has no such memory or the thread no more cells. A cell keeps its value as long as
    /// the thread lives.
    fn result_cell(&self, _index: usize) -> Option<usize> {
        None
    }

    /// The same of a cell in memory of the device's own, for devices without cells that kernels and the host reach.
    fn own_cell(&self, _index: usize) -> Option<usize> {
        None
    }

    /// Gives the thread's first cells of [`Device::own_cell`] these values, ahead of what the thread starts with [`Queue::Sync`].
    ///
    /// # Safety
    /// The values stay where they are until [`Device::fetch_own_cells`].
    unsafe fn send_own_cells(&self, _values: &[Cell]) {}

    /// Gives the values of the same cells, and completes what [`Device::complete`] does.
    fn fetch_own_cells(&self, _values: &mut [Cell]) {}

    /// The same for a kernel in a queue, for its result of so many bytes at `variable`, whose value the cell gets, as of
    /// the kernel's turn. [`Device::follow_late`] comes behind the launch.
    ///
    /// # Safety
    /// The variable is valid until the kernel is complete and somebody has waited for it.
    unsafe fn late_cell(&self, _queue: i32, _variable: usize, _bytes: usize) -> Option<usize> {
        None
    }

    /// The kernel is in the queue: the variable has the value of the cell when somebody has waited for that.
    ///
    /// # Safety
    /// The arguments and the result of [`Device::late_cell`].
    unsafe fn follow_late(&self, _queue: i32, _variable: usize, _bytes: usize, _cell: usize) {}

    /// Copies from host to device.
    ///
    /// # Safety
    /// Both ranges are valid until the operation is complete.
    unsafe fn copy_in(&self, device: usize, host: usize, bytes: usize, queue: Queue);

    /// Copies from device to host.
    ///
    /// # Safety
    /// Both ranges are valid until the operation is complete.
    unsafe fn copy_out(&self, host: usize, device: usize, bytes: usize, queue: Queue);

    /// Copies rows from host to device.
    ///
    /// # Safety
    /// All rows on both sides are valid until the operation is complete.
    unsafe fn copy_rows_in(&self, device: usize, host: usize, rows: Rows, queue: Queue) {
        for row in 0..rows.height {
            let offset = row * rows.pitch;
            // SAFETY: passed on to the caller.
            unsafe { self.copy_in(device + offset, host + offset, rows.width, queue) };
        }
    }

    /// Copies rows from device to host.
    ///
    /// # Safety
    /// All rows on both sides are valid until the operation is complete.
    unsafe fn copy_rows_out(&self, host: usize, device: usize, rows: Rows, queue: Queue) {
        for row in 0..rows.height {
            let offset = row * rows.pitch;
            // SAFETY: passed on to the caller.
            unsafe { self.copy_out(host + offset, device + offset, rows.width, queue) };
        }
    }

    /// Copies within the device, or from another device of the driver.
    ///
    /// # Safety
    /// Both ranges are valid until the operation is complete.
    unsafe fn copy_within(&self, to: usize, from: usize, bytes: usize, queue: Queue);

    /// Writes one pointer-sized value.
    ///
    /// # Safety
    /// The address is valid until the operation is complete.
    unsafe fn write_pointer(&self, device: usize, value: usize, queue: Queue);

    /// Sets memory to zero.
    ///
    /// # Safety
    /// The range is valid until the operation is complete.
    unsafe fn zero(&self, device: usize, bytes: usize, queue: Queue);

    /// Runs a kernel.
    ///
    /// # Safety
    /// The arguments are what the kernel was compiled for.
    unsafe fn launch(&self, launch: &Launch<'_>, queue: Queue) -> Result<(), Fault>;

    /// What a kernel gets for a host pointer that is not present. It must not give access to
    /// host memory that the device does not share.
    fn absent_pointer(&self, host: usize, site: &'static SiteState, var: usize) -> usize;

    /// Waits until everything now in the queue is complete.
    fn wait(&self, queue: i32);

    /// Waits until everything now in any queue is complete.
    fn wait_all(&self);

    /// Lets everything later in `queue` wait for what is now in `other`.
    fn wait_in_queue(&self, queue: i32, other: i32);

    /// Lets everything later in `queue` wait for what is now in any other queue.
    fn wait_all_in_queue(&self, queue: i32);

    /// True when everything in the queue is complete.
    fn is_idle(&self, queue: i32) -> bool;

    /// True when everything in all queues is complete.
    fn all_idle(&self) -> bool;

    /// The program ends; all work is complete.
    fn finish(&self) {}

    /// Takes the locks of the device before a `fork`. The result is called after it, on both
    /// sides, with true in the child, where only the forking thread is left.
    fn freeze(&'static self) -> Box<dyn FnOnce(bool)>;
}
