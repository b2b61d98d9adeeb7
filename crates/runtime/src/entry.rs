//! The functions that compiled programs call; see [`crate::abi::functions`].

use crate::abi::{Image, Site, functions};
use crate::{declared, directives, launch, runtime, unobserved, version};
use std::ffi::c_void;

// What the compiler declares.
const _: functions::Launch = __accrue_launch;
const _: functions::DataBegin = __accrue_data_begin;
const _: functions::DataNext = __accrue_data_next;
const _: functions::DeviceAddress = __accrue_device_address;
const _: functions::Exec = __accrue_exec;
const _: functions::DeclareLeave = __accrue_declare_leave;
const _: functions::DeclareGlobal = __accrue_declare_global;
const _: functions::Unobserved = __accrue_unobserved;
const _: functions::Requires = __accrue_requires;
const _: functions::TargetIs = __accrue_target_is;
const _: functions::MappedPointer = __accrue_mapped_pointer;
const _: functions::DeviceIs = __accrue_device_is;
const _: functions::RegisterImage = __accrue_register_image;
const _: functions::UnregisterImage = __accrue_unregister_image;

/// Executes a compute construct: 1 when a device has done (or will do) it, 0 when the host has
/// to execute the user's statement.
///
/// # Safety
/// `site` and `words` are what the compiler made for each other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __accrue_launch(site: *const Site, words: *const u64) -> i32 {
    // SAFETY: passed on to the caller; sites are static data.
    unsafe { i32::from(launch::launch(&*site, words)) }
}

/// Opens a `data` or `host_data` region.
///
/// # Safety
/// As for [`__accrue_launch`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __accrue_data_begin(site: *const Site, words: *const u64) {
    // SAFETY: passed on to the caller; sites are static data.
    unsafe { directives::data_begin(&*site, words) }
}

/// 1 the first time after [`__accrue_data_begin`]; then leaves the region and gives 0.
///
/// # Safety
/// `site` is the site the region was opened with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __accrue_data_next(site: *const Site) -> i32 {
    i32::from(directives::data_next(site))
}

/// The address that variable `var` of a `use_device` clause (counted from 0 among the site's variables) has in the
/// `host_data` region the thread has just entered: the device's, or the host's when the `if` condition is false or
/// `if_present` is given and it is not present (OpenACC 3.4, 2.8).
///
/// # Safety
/// `site` is the site of the innermost open region of this thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __accrue_device_address(site: *const Site, var: u32) -> *mut c_void {
    // SAFETY: passed on to the caller; sites are static data.
    unsafe { directives::device_address(&*site, var) as *mut c_void }
}

/// Leaves the scope of a `declare` directive, which was opened by [`__accrue_data_begin`].
///
/// # Safety
/// `variable` points to the address of the site that the scope was opened with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __accrue_declare_leave(variable: *const *const Site) {
    // SAFETY: valid by the contract.
    directives::leave_scope(unsafe { *variable });
}

/// Declares data of the program when it is loaded. Touches no device.
///
/// # Safety
/// As for [`__accrue_launch`]; the variables are there until the site's image is unregistered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __accrue_declare_global(site: *const Site, words: *const u64) {
    crate::fork::install();
    // SAFETY: passed on to the caller; sites are static data.
    unsafe { declared::register(&*site, words) }
}

/// Says when the program is loaded what OpenMP's `requires` directives of a unit ask of devices. Touches no device.
#[unsafe(no_mangle)]
pub extern "C" fn __accrue_requires(flags: i32) {
    crate::openmp::requires::note(flags as u32);
}

/// Not 0 when the OpenMP device of this number, or the default device, is of a kind in the mask of `TARGET_*` bits.
#[unsafe(no_mangle)]
pub extern "C" fn __accrue_target_is(number: i32, mask: u32) -> i32 {
    i32::from(crate::openmp::kind_of(number) & mask != 0)
}

/// Where the default device has what a pointer of the host leads to; the pointer itself if it does not.
#[unsafe(no_mangle)]
pub extern "C" fn __accrue_mapped_pointer(pointer: *const c_void) -> *mut c_void {
    let number = crate::openmp::default_device();
    let mapped = crate::api::omp::mapping::get_mapped_ptr(pointer, number);
    match mapped.is_null() {
        true => pointer.cast_mut(),
        false => mapped,
    }
}

/// Executes a standalone directive.
///
/// # Safety
/// As for [`__accrue_launch`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __accrue_exec(site: *const Site, words: *const u64) {
    // SAFETY: passed on to the caller; sites are static data.
    unsafe { directives::exec(&*site, words) }
}

/// A stretch of the host's code begins (1) or ends (0) in which nothing can tell whether a synchronous construct is complete, or
/// comes to something that can (2). Gives 0.
#[unsafe(no_mangle)]
pub extern "C" fn __accrue_unobserved(what: i32) -> i32 {
    match what {
        0 => unobserved::end(),
        1 => unobserved::begin(),
        _ => unobserved::settle(),
    }
    0
}

/// Not 0 when the current device's type is in the mask of `DEVICE_*` bits.
#[unsafe(no_mangle)]
pub extern "C" fn __accrue_device_is(mask: u32) -> i32 {
    i32::from(runtime::current().device_type.mask() & mask != 0)
}

/// Called when an executable or shared library with device code is loaded. Touches no device.
///
/// # Safety
/// `image` is a valid image.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __accrue_register_image(image: *mut Image) {
    // SAFETY: valid by the contract.
    let image = unsafe { &*image };
    // SAFETY: an image's source is a string or null in all versions.
    let source = || unsafe { crate::words::text(image.source) };
    version::check(image.abi, source, std::ptr::from_ref(image).cast());
    crate::fork::install();
    // SAFETY: valid by the contract.
    unsafe { crate::image::register(image) };
}

/// Called before such an object is unloaded: work in queues may still use its kernels.
///
/// # Safety
/// `image` was registered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __accrue_unregister_image(image: *mut Image) {
    runtime::finish_pending_work();
    // SAFETY: valid by the contract.
    unsafe { declared::unregister(&*image) };
}
