//! OpenMP's routines that `libaccrue` has in the place of the host's OpenMP library.
//!
//! Both define them, and a program needs both: devices are ours, threads are the host's. The order of libraries cannot decide:
//! in a static link the host's library brings its definitions along whatever was found before, and in a shared one ours would
//! answer other libraries, too, which the host's compiler has compiled for devices of its own. So the linker is told
//! (`--wrap`) that a reference to `omp_target_alloc` in what it links means [`symbol`]`("omp_target_alloc")`:
//!
//! ```text
//! heat.o      omp_target_alloc   ──▶ __wrap_omp_target_alloc    libaccrue
//!             omp_get_thread_num ──▶ omp_get_thread_num         libgomp, libomp
//! libother.so omp_target_alloc   ──▶ omp_target_alloc           libgomp, libomp
//! ```
//! `omp_set_default_device` is not among them: which device a task uses is inherited from task to task, and only the host's
//! library knows the tasks. Ours asks it.

/// The routines, as programs name them.
pub const ROUTINES: [&str; 18] = [
    "omp_get_default_device",
    "omp_get_device_num",
    "omp_get_initial_device",
    "omp_get_mapped_ptr",
    "omp_get_num_devices",
    "omp_is_initial_device",
    "omp_pause_resource",
    "omp_pause_resource_all",
    "omp_target_alloc",
    "omp_target_associate_ptr",
    "omp_target_disassociate_ptr",
    "omp_target_free",
    "omp_target_is_accessible",
    "omp_target_is_present",
    "omp_target_memcpy",
    "omp_target_memcpy_async",
    "omp_target_memcpy_rect",
    "omp_target_memcpy_rect_async",
];

/// What `libaccrue` calls one of them.
pub fn symbol(routine: &str) -> String {
    format!("__wrap_{routine}")
}

/// The option of a linker for one of them.
pub fn linker_option(routine: &str) -> String {
    format!("--wrap={routine}")
}
