//! Handles of OpenCL, for programs that use it beside OpenACC: what `acc_get_cuda_stream` and its kin are for CUDA.
//!
//! | function | in OpenACC 2.0, A.2.3 | gives |
//! | --- | --- | --- |
//! | `accrue_get_opencl_device`, `…_context` | `acc_get_current_opencl_device`, `…_context` | `cl_device_id` and `cl_context` of the current device |
//! | `accrue_get_opencl_queue` | `acc_get_opencl_queue` | the `cl_command_queue` of a queue |
//! | `accrue_set_opencl_queue` | `acc_set_opencl_queue` | makes a `cl_command_queue` of the program a queue |
//! | `accrue_opencl_report` | | a text about all devices of OpenCL, used or not |
//!
//! The first ones are null, or 0, where the current device is none of OpenCL's. What `acc_deviceptr`, `acc_malloc` and `host_data` give are
//! pointers to shared virtual memory: arguments of `clSetKernelArgSVMPointer` and `clEnqueueSVMMemcpy`; on devices without it, addresses that
//! only kernels know.

use super::OpenClDevice;
use super::discovery;
use super::driver::CommandQueue;
use crate::api::{call, queue_of};
use crate::device::Queue;
use crate::fatal::fatal;
use crate::runtime;
use std::ffi::{CString, c_char, c_void};
use std::ptr::null_mut;

/// The `cl_device_id` of the current device.
#[unsafe(no_mangle)]
pub extern "C" fn accrue_get_opencl_device() -> *mut c_void {
    current().map_or(null_mut(), |device| device.facts.id.0)
}

/// The `cl_context` of the current device.
#[unsafe(no_mangle)]
pub extern "C" fn accrue_get_opencl_context() -> *mut c_void {
    current().map_or(null_mut(), |device| device.active().context.0)
}

/// The `cl_command_queue` of a queue. The program may put commands into it.
#[unsafe(no_mangle)]
pub extern "C" fn accrue_get_opencl_queue(async_value: i32) -> *mut c_void {
    queue(async_value, "accrue_get_opencl_queue")
}

fn queue(async_value: i32, routine: &'static str) -> *mut c_void {
    let queue = queue_of(async_value, call(routine));
    current().map_or(null_mut(), |device| device.active().stream(queue).lend().0)
}

/// Makes an in-order `cl_command_queue` of the program, of the device's context, the queue with this number.
///
/// # Safety
/// The handle is null or one of a command queue.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accrue_set_opencl_queue(async_value: i32, handle: *mut c_void) -> i32 {
    // SAFETY: passed on to the caller.
    unsafe { set_queue(async_value, handle, "accrue_set_opencl_queue") }
}

/// # Safety
/// The handle is null or one of a command queue.
unsafe fn set_queue(async_value: i32, handle: *mut c_void, routine: &'static str) -> i32 {
    let place = call(routine);
    let Some(device) = current() else {
        return 0;
    };
    let number = match queue_of(async_value, place) {
        Queue::Async(number) if !handle.is_null() => number,
        Queue::Async(_) => fatal(place, "the command queue is null"),
        Queue::Sync => fatal(place, "acc_async_sync is not a queue"),
    };
    let active = device.active();
    // SAFETY: passed on to the caller.
    if let Err(status) = unsafe { active.opencl.retain_queue(CommandQueue(handle)) } {
        active.failed(status, "taking a queue of the program");
    }
    let known = active.stream(Queue::Async(number));
    // What is in the queue so far belongs to it as well.
    active.synchronize(known);
    known.replace(CommandQueue(handle));
    1
}

/// Appendix A.2.3 of OpenACC 2.0: [`accrue_get_opencl_device`].
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_current_opencl_device() -> *mut c_void {
    accrue_get_opencl_device()
}

/// Appendix A.2.3 of OpenACC 2.0: [`accrue_get_opencl_context`].
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_current_opencl_context() -> *mut c_void {
    accrue_get_opencl_context()
}

/// Appendix A.2.3 of OpenACC 2.0: [`accrue_get_opencl_queue`].
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_opencl_queue(async_value: i32) -> *mut c_void {
    queue(async_value, "acc_get_opencl_queue")
}

/// Appendix A.2.3 of OpenACC 2.0: [`accrue_set_opencl_queue`].
///
/// # Safety
/// The handle is null or one of a command queue.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acc_set_opencl_queue(async_value: i32, handle: *mut c_void) {
    // SAFETY: passed on to the caller.
    unsafe { set_queue(async_value, handle, "acc_set_opencl_queue") };
}

/// A line for each device that OpenCL offers: what it is, or why it is not used. The text is the program's, to be given to `free`
/// or kept.
#[unsafe(no_mangle)]
pub extern "C" fn accrue_opencl_report() -> *mut c_char {
    let text = discovery::report().join("\n").replace('\0', " ");
    let text = CString::new(text).unwrap_or_default();
    // SAFETY: the text is NUL-terminated; the copy is of the C library.
    unsafe { libc::strdup(text.as_ptr()) }
}

impl OpenClDevice {
    /// Its `cl_device_id` and `cl_context`.
    pub fn handles(&self) -> [usize; 2] {
        [self.facts.id.0, self.active().context.0].map(|handle| handle as usize)
    }
}

/// The current device, if it is one of OpenCL's.
fn current() -> Option<&'static OpenClDevice> {
    runtime::current().device.opencl()
}
