//! The OpenMP library of the host's compiler, as far as ours needs it.
//!
//! Programs may have libgomp, libomp or none, as a shared library or linked statically, so its routines are weak references:
//! null where there is none. A routine that ours stands for (see [`crate::abi::openmp`]) has two names. In a static link
//! with `--wrap` the host's is `__real_omp_…`, and the plain name is ours; a shared `libaccrue` was linked without that
//! option, and the plain name is the host's.

use std::arch::global_asm;
use std::ffi::c_int;

global_asm!(
    ".weak __real_omp_get_default_device",
    ".weak omp_get_default_device",
    ".weak __real_omp_pause_resource_all",
    ".weak omp_pause_resource_all",
    ".weak GOMP_taskwait",
    ".pushsection .data.rel.ro.accrue_host_openmp,\"aw\"",
    ".balign 8",
    ".hidden accrue_host_openmp",
    ".globl accrue_host_openmp",
    "accrue_host_openmp:",
    ".quad __real_omp_get_default_device",
    ".quad omp_get_default_device",
    ".quad __real_omp_pause_resource_all",
    ".quad omp_pause_resource_all",
    ".quad GOMP_taskwait",
    ".popsection",
);

/// What the linker and the loader have found.
#[repr(C)]
struct Found {
    default_device: [Option<GetDevice>; 2],
    pause_all: [Option<PauseAll>; 2],
    taskwait: Option<unsafe extern "C" fn()>,
}

type GetDevice = unsafe extern "C" fn() -> c_int;
type PauseAll = unsafe extern "C" fn(c_int) -> c_int;

unsafe extern "C" {
    #[link_name = "accrue_host_openmp"]
    safe static FOUND: Found;
}

/// The host's ICV *default-device-var* for the calling task.
pub fn default_device() -> Option<i32> {
    let [real, plain] = FOUND.default_device;
    let own: GetDevice = crate::api::omp::device::get_default_device;
    let plain = plain.filter(|&plain| !std::ptr::fn_addr_eq(plain, own));
    // SAFETY: the routine of the host's library, which has no arguments.
    real.or(plain).map(|routine| unsafe { routine() })
}

/// Lets the host's library give up what it holds; what it answers, or 0.
pub fn pause_all(kind: i32) -> i32 {
    let [real, plain] = FOUND.pause_all;
    let own: PauseAll = crate::api::omp::device::pause_resource_all;
    let plain = plain.filter(|&plain| !std::ptr::fn_addr_eq(plain, own));
    // SAFETY: the routine of the host's library, with the program's argument.
    real.or(plain).map_or(0, |routine| unsafe { routine(kind) })
}

/// Waits for the child tasks of the calling task; false without a library that has tasks.
pub fn taskwait() -> bool {
    // SAFETY: libgomp's entry for `taskwait`, which libomp has, too; it has no arguments.
    FOUND.taskwait.map(|routine| unsafe { routine() }).is_some()
}
