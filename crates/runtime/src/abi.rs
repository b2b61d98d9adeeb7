//! The binary interface between compiled programs and this library, version 2.
//!
//! The compiler prints, per directive, one static [`Site`] into a companion object and one call
//! into the rewritten host text. For
//!
//! ```c
//! #pragma acc parallel loop copy(a[0:n]) num_gangs(8)
//! for (int i = 0; i < n; i++) a[i] += x;
//! ```
//!
//! the host text becomes (WORDS is an array of 64-bit words)
//!
//! ```c
//! if (__accrue_launch(&SITE, (const unsigned long long[]){
//!         1, 0, ACCRUE_SYNC, 8, 0, 0, 0, 0, ~0ull, 0,   // header, see `Header`
//!         (uintptr_t)a, 0, 0, n, 0,                      // a: address, pointer, one dimension
//!         n, x_bits })) {} else                          // n and x by value
//! for (int i = 0; i < n; i++) a[i] += x;
//! ```
//!
//! The words of a variable depend on its [`Action`]; see [`Action`] for each form. The kernel
//! gets an argument array with one word per variable (or the value's words for `VALUE`).

use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::AtomicPtr;

/// The version every site and image must carry.
pub const ABI_VERSION: u32 = 2;

/// Header word 2 when the directive has no `async` clause.
pub const SYNC: u64 = 0x8000_0000_0000_0000;

/// Header words that say "absent" (device number) or "all queues" (number of wait arguments).
pub const ABSENT: u64 = u64::MAX;

/// `async` without an argument (OpenACC 3.4, 2.16).
pub const ASYNC_NOVAL: i64 = -1;
/// The synchronous queue.
pub const ASYNC_SYNC: i64 = -2;
/// The initial value of the default queue.
pub const ASYNC_DEFAULT: i64 = -3;

/// Number of header words before the wait arguments.
pub const HEADER_WORDS: usize = 10;

/// One variable of a directive.
#[repr(C)]
pub struct Var {
    /// The variable as the user wrote it (`a`, `s.p`).
    pub name: *const c_char,
    /// An [`Action`].
    pub action: u32,
    /// `VAR_*` bits.
    pub flags: u32,
    /// Bytes of one element; of the whole object when `ndims` is 0.
    pub elem_size: u64,
    /// Number of dimensions with (lower, length, extent) words.
    pub ndims: u16,
    /// Bit k (k > 0) set: dimension k is reached through a pointer stored in memory.
    pub pointer_dims: u16,
    /// Position of the clause item.
    pub line: u32,
    pub column: u32,
}

/// The compiled body of one kernel for one gang.
pub type CpuKernel = unsafe extern "C" fn(*const CpuLaunch, u64);
/// Called once after the last gang; combines the slots.
pub type CpuFinish = unsafe extern "C" fn(*const CpuLaunch);

/// One kernel of a compute construct.
#[repr(C)]
pub struct Kernel {
    pub name: *const c_char,
    pub line: u32,
    /// `KERNEL_*` bits.
    pub flags: u32,
    pub cpu: Option<CpuKernel>,
    pub cpu_finish: Option<CpuFinish>,
    /// Bytes of scratch memory per gang, 0 for none.
    pub cpu_slot_bytes: u64,
    /// The code for NVIDIA GPUs, or null.
    pub ptx: *const PtxKernel,
    pub reserved: [*const c_void; 3],
}

/// PTX text: for GPUs of this compute capability and all later ones.
pub const CODE_PTX: u32 = 0;
/// Machine code (cubin): for GPUs of the same generation, of this compute capability or a later one.
pub const CODE_MACHINE: u32 = 1;

/// The code of one translation unit for one kind of GPU.
#[repr(C)]
pub struct Code {
    /// `CODE_*`.
    pub kind: u32,
    /// Least compute capability, as 10 * major + minor.
    pub sm: u32,
    /// Version of the PTX language, as 10 * major + minor; 0 for machine code.
    pub ptx: u32,
    pub pad: u32,
    /// Bytes of `text` without the NUL at its end.
    pub bytes: u64,
    /// The text, or the image of the machine code.
    pub text: *const c_char,
}

/// All GPU code of one translation unit.
#[repr(C)]
pub struct Module {
    pub ncodes: u32,
    pub pad: u32,
    pub codes: *const Code,
    /// Belongs to the library: the module as loaded on each device.
    pub runtime: AtomicPtr<c_void>,
}

/// One kernel as PTX. The entry takes the argument words by value (nothing when there are none) and the address of the
/// launch's scratch memory:
///
/// ```text
/// .visible .entry NAME(.param .align 8 .b8 NAME_args[8*N], .param .u64 NAME_scratch)
/// ```
#[repr(C)]
pub struct PtxKernel {
    pub module: *const Module,
    /// Name of the entry function.
    pub entry: *const c_char,
    /// `PTX_*` bits.
    pub flags: u32,
    /// Words in the argument block.
    pub args_words: u32,
    /// Most workers and lanes the code was made for; 0 for no limit of its own.
    pub max_workers: u32,
    /// Below 32: every launch has just as many lanes, and workers that fill whole warps.
    pub max_vector: u32,
    /// Dynamic shared memory per worker.
    pub shared_worker_bytes: u64,
    /// Scratch memory per gang and per worker.
    pub scratch_gang_bytes: u64,
    pub scratch_worker_bytes: u64,
    /// Constant values of `num_workers` and `vector_length`; 0 where they are not constant or not given.
    pub workers: u32,
    pub vector: u32,
    /// A program for the number of iterations of the gang-partitioned loop, see [`crate::device::ptx::trip_count`];
    /// null when unknown.
    pub trip: *const i64,
    /// Belongs to the library: the kernel as loaded on each device.
    pub runtime: AtomicPtr<c_void>,
    /// A second version, or null.
    pub disjoint: *const PtxDisjoint,
    /// Versions for other numbers of lanes, or null.
    pub inner: *const PtxInner,
}

/// Versions of a kernel for short and for few long vector loops inside worker loops.
#[repr(C)]
pub struct PtxInner {
    /// A program for the number of iterations of the inner loops.
    pub length: *const i64,
    /// Several workers share a warp.
    pub narrow: *const PtxKernel,
    /// One worker of several warps.
    pub wide: *const PtxKernel,
}

/// The version of a kernel for launches in which memory that it only reads is nowhere memory that it writes. Bit n of a
/// mask is argument word n.
#[repr(C)]
pub struct PtxDisjoint {
    /// Name of the entry function; its parameters are those of the other version.
    pub entry: *const c_char,
    /// Addresses of memory that is only read, and of memory that is written.
    pub read_words: u64,
    pub written_words: u64,
    /// Addresses that have to be multiples of 16.
    pub aligned_words: u64,
    /// Belongs to the library: the version as loaded on each device.
    pub runtime: AtomicPtr<c_void>,
}

/// The kernel has worker-partitioned loops.
pub const PTX_WORKERS: u32 = 1;
/// The kernel has vector-partitioned loops.
pub const PTX_VECTOR: u32 = 2;
/// The kernel uses scratch memory.
pub const PTX_SCRATCH: u32 = 4;
/// The gang-partitioned loop is also spread over workers.
pub const PTX_GANG_WORKER_LOOP: u32 = 8;
/// The gang-partitioned loop is also spread over lanes.
pub const PTX_GANG_VECTOR_LOOP: u32 = 16;
/// On a GPU no loop is spread over gangs, though one is elsewhere (`device_type` clauses).
pub const PTX_NO_GANG_LOOP: u32 = 32;
/// A lane works on four iterations of the gang-partitioned loop at a time if it has as many.
pub const PTX_SEVERAL: u32 = 64;
/// Each gang has work of its own beside its share of the gang-partitioned loop.
pub const PTX_GANG_COST: u32 = 128;
/// On a GPU loops are spread over single gang dimensions, and these are dimension 1, 2 and 3: the grid has them all.
pub const PTX_GANG_DIMS: [u32; 3] = [256, 512, 1024];

/// One directive.
#[repr(C)]
pub struct Site {
    pub abi: u32,
    /// A [`SiteKind`].
    pub kind: u32,
    pub file: *const c_char,
    pub function: *const c_char,
    /// The directive as the user wrote it.
    pub text: *const c_char,
    pub line: u32,
    pub column: u32,
    /// `SITE_*` bits.
    pub flags: u32,
    /// `DEVICE_*` bits of a `device_type` clause (init, shutdown, set), 0 for none.
    pub device_type: u32,
    pub nvars: u32,
    pub nkernels: u32,
    pub vars: *const Var,
    pub kernels: *const Kernel,
    /// Belongs to the library: its own record of this site.
    pub runtime: AtomicPtr<c_void>,
}

/// All sites of one companion object.
#[repr(C)]
pub struct Image {
    pub abi: u32,
    pub nsites: u32,
    pub sites: *const *const Site,
    /// The source file.
    pub source: *const c_char,
    pub runtime: *mut c_void,
}

/// What a CPU kernel gets.
#[repr(C)]
pub struct CpuLaunch {
    pub args: *const u64,
    pub gangs: [u64; 3],
    pub workers: u64,
    pub vector: u64,
    /// One slot per gang, uninitialised, 128-byte aligned.
    pub slots: *mut c_char,
    pub slot_stride: u64,
}

/// Kinds of directives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum SiteKind {
    Parallel = 1,
    Serial = 2,
    Kernels = 3,
    Data = 4,
    HostData = 5,
    EnterData = 6,
    ExitData = 7,
    Update = 8,
    Wait = 9,
    Init = 10,
    Shutdown = 11,
    Set = 12,
}

impl SiteKind {
    /// The kind with this number.
    pub fn from_raw(raw: u32) -> Option<SiteKind> {
        use SiteKind::*;
        const ALL: [SiteKind; 12] = [
            Parallel, Serial, Kernels, Data, HostData, EnterData, ExitData, Update, Wait, Init,
            Shutdown, Set,
        ];
        ALL.get((raw as usize).wrapping_sub(1)).copied()
    }

    /// The directive's name in messages.
    pub fn name(self) -> &'static str {
        match self {
            SiteKind::Parallel => "parallel",
            SiteKind::Serial => "serial",
            SiteKind::Kernels => "kernels",
            SiteKind::Data => "data",
            SiteKind::HostData => "host_data",
            SiteKind::EnterData => "enter data",
            SiteKind::ExitData => "exit data",
            SiteKind::Update => "update",
            SiteKind::Wait => "wait",
            SiteKind::Init => "init",
            SiteKind::Shutdown => "shutdown",
            SiteKind::Set => "set",
        }
    }
}

/// What a directive does with a variable, and which words describe it.
///
/// * `Value`: ⌈`elem_size`/8⌉ words, the value itself.
/// * `Pointer`, `DevicePtr`: 1 word, the pointer.
/// * all others: the data address, the address of the host pointer variable it was reached
///   through (or 0), then lower, length, extent of each dimension.
///
/// `Attach` and `Detach` act on the pointer variable that word 1 points to; where word 1 is 0,
/// word 0 is the address of that pointer variable. `UseDevice` has the address of the data (the
/// value of a pointer variable, which then has one dimension, of no elements); the program asks
/// for the device's address with `__accrue_device_address`. Without dimensions the program keeps
/// using the host's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Action {
    Copy = 1,
    CopyIn = 2,
    CopyOut = 3,
    Create = 4,
    NoCreate = 5,
    Present = 6,
    DevicePtr = 7,
    Attach = 8,
    Detach = 9,
    Delete = 10,
    UpdateSelf = 11,
    UpdateDevice = 12,
    UseDevice = 13,
    FirstPrivate = 14,
    Value = 15,
    Pointer = 16,
}

impl Action {
    /// The action with this number.
    pub fn from_raw(raw: u32) -> Option<Action> {
        use Action::*;
        const ALL: [Action; 16] = [
            Copy,
            CopyIn,
            CopyOut,
            Create,
            NoCreate,
            Present,
            DevicePtr,
            Attach,
            Detach,
            Delete,
            UpdateSelf,
            UpdateDevice,
            UseDevice,
            FirstPrivate,
            Value,
            Pointer,
        ];
        ALL.get((raw as usize).wrapping_sub(1)).copied()
    }

    /// The clause's name in messages.
    pub fn clause(self) -> &'static str {
        match self {
            Action::Copy => "copy",
            Action::CopyIn => "copyin",
            Action::CopyOut => "copyout",
            Action::Create => "create",
            Action::NoCreate => "no_create",
            Action::Present => "present",
            Action::DevicePtr => "deviceptr",
            Action::Attach => "attach",
            Action::Detach => "detach",
            Action::Delete => "delete",
            Action::UpdateSelf => "self",
            Action::UpdateDevice => "device",
            Action::UseDevice => "use_device",
            Action::FirstPrivate => "firstprivate",
            Action::Value | Action::Pointer => "implicit firstprivate",
        }
    }
}

/// The variable has no clause; its attribute is implicit (OpenACC 3.4, 2.6.2).
pub const VAR_IMPLICIT: u32 = 1;
pub const VAR_READONLY: u32 = 2;
pub const VAR_ZERO: u32 = 4;
pub const VAR_ALWAYS_IN: u32 = 8;
pub const VAR_ALWAYS_OUT: u32 = 16;
pub const VAR_CAPTURE: u32 = 32;
/// Word 1 is a pointer to be attached.
pub const VAR_ATTACH: u32 = 64;
/// With action POINTER: what the pointer points to must be present (`present(p)` without a section).
pub const VAR_REQUIRED: u32 = 128;
/// A scalar that kernels use for the result of a reduction only: one thread reads and writes it, once per kernel.
pub const VAR_RESULT: u32 = 256;
/// The variable is a pointer and is named without a section: of data that is present, what it points to is meant.
pub const VAR_POINTER: u32 = 512;

pub const SITE_FINALIZE: u32 = 1;
pub const SITE_IF_PRESENT: u32 = 2;
pub const SITE_ASYNC_GIVEN: u32 = 4;
pub const SITE_DEFAULT_PRESENT: u32 = 8;

/// The kernel has a gang-partitioned loop: its default gang count is the number of cores.
pub const KERNEL_GANG_LOOP: u32 = 1;
/// A serial phase of a `kernels` construct: always one gang.
pub const KERNEL_SINGLE_GANG: u32 = 2;
/// Loops are spread over single gang dimensions, and these are dimension 1, 2 and 3.
pub const KERNEL_GANG_DIMS: [u32; 3] = [4, 8, 16];

/// Bits of `device_type` masks.
pub const DEVICE_NONE: u32 = 1;
pub const DEVICE_HOST: u32 = 2;
pub const DEVICE_NVIDIA: u32 = 4;
pub const DEVICE_RADEON: u32 = 8;
pub const DEVICE_DEFAULT: u32 = 16;
pub const DEVICE_ANY: u32 = 32;
pub const DEVICE_SIM: u32 = 64;
pub const DEVICE_OPENCL: u32 = 128;

// SAFETY: descriptors are constant data of the program, except `Site::runtime`, which is atomic.
unsafe impl Sync for Var {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Site {}
// SAFETY: as above.
unsafe impl Sync for Code {}
// SAFETY: as above; `Module::runtime` is atomic.
unsafe impl Sync for Module {}
// SAFETY: as above; `PtxKernel::runtime` is atomic.
unsafe impl Sync for PtxKernel {}
// SAFETY: as above; `PtxDisjoint::runtime` is atomic.
unsafe impl Sync for PtxDisjoint {}

/// Lower bound, length and declared extent of one dimension, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Dim {
    pub lower: u64,
    pub length: u64,
    /// 0 when unknown (a dimension that is a pointer).
    pub extent: u64,
}

/// Reads a possibly null C string; bytes that are not UTF-8 are replaced.
///
/// # Safety
/// `text` is null or points to a NUL-terminated string.
pub unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: not null, so a NUL-terminated string by the contract.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
