//! Handles of CUDA, for programs that use it beside OpenACC (OpenACC 3.4, appendix A.2.1).

use super::{CudaDevice, driver};
use crate::api::{call, queue_of};
use crate::device::{Native, Queue};
use crate::fatal::fatal;
use crate::runtime;
use cudarc::driver::sys;
use std::ffi::c_void;

/// Address of the `CUdevice` of the current device; null when that is no CUDA device.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_current_cuda_device() -> *mut c_void {
    let native = runtime::current().device.native();
    native.map_or(std::ptr::null_mut(), |native| {
        native.device() as *mut c_void
    })
}

/// The `CUcontext` of the current device; null when that is no CUDA device.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_current_cuda_context() -> *mut c_void {
    let native = runtime::current().device.native();
    native.map_or(std::ptr::null_mut(), |native| {
        native.context() as *mut c_void
    })
}

/// The `CUstream` of a queue; null when the current device is no CUDA device.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_cuda_stream(async_value: i32) -> *mut c_void {
    let queue = queue_of(async_value, call("acc_get_cuda_stream"));
    let native = runtime::current().device.native();
    native.map_or(std::ptr::null_mut(), |native| {
        native.stream(queue) as *mut c_void
    })
}

/// Makes a `CUstream` of the program the queue with this number; 0 when the current device is no CUDA device.
#[unsafe(no_mangle)]
pub extern "C" fn acc_set_cuda_stream(async_value: i32, stream: *mut c_void) -> i32 {
    let place = call("acc_set_cuda_stream");
    let Some(native) = runtime::current().device.native() else {
        return 0;
    };
    match queue_of(async_value, place) {
        Queue::Async(queue) if !stream.is_null() => native.set_stream(queue, stream as usize),
        Queue::Async(_) => fatal(place, "the stream is null"),
        Queue::Sync => fatal(place, "acc_async_sync is not a queue"),
    }
    1
}

impl Native for CudaDevice {
    fn stream(&self, queue: Queue) -> usize {
        let gpu = self.gpu();
        let _entered = gpu.enter();
        let stream = gpu.stream(queue);
        let handle = stream.lend();
        self.settle(stream);
        handle.0 as usize
    }

    fn set_stream(&self, queue: i32, stream: usize) {
        let gpu = self.gpu();
        let _entered = gpu.enter();
        let known = gpu.stream(Queue::Async(queue));
        // What is in the stream so far belongs to the queue as well.
        gpu.synchronize(known);
        known.replace(driver::Stream(stream as sys::CUstream));
    }

    fn device(&self) -> usize {
        (&raw const self.handle) as usize
    }

    fn context(&self) -> usize {
        self.gpu().context.0 as usize
    }
}
