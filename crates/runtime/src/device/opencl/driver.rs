//! Calls of OpenCL, with errors as results.

mod buffers;
mod programs;

pub use buffers::MemoryObject;
pub use programs::NotBuilt;

use super::functions::Functions;
use super::status::{Result, Status, check};
use crate::device::library;
use opencl_sys as cl;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

/// The loader of OpenCL drivers, opened.
pub struct OpenCl {
    functions: Functions,
}

/// Why OpenCL cannot be called.
#[derive(Clone, Debug)]
pub enum Missing {
    /// The library cannot be opened; the loader's text.
    Library(String),
    Function(&'static str),
}

/// OpenCL, loaded at the first call.
pub fn get() -> std::result::Result<&'static OpenCl, Missing> {
    static OPENCL: OnceLock<std::result::Result<OpenCl, Missing>> = OnceLock::new();
    let loaded = OPENCL.get_or_init(|| {
        let library = library::open(c"libOpenCL.so.1").map_err(Missing::Library)?;
        // SAFETY: `libOpenCL.so.1` is the name of the loader of OpenCL drivers.
        let functions = unsafe { Functions::load(library) }.map_err(Missing::Function)?;
        Ok(OpenCl { functions })
    });
    loaded.as_ref().map_err(Missing::clone)
}

/// A handle of OpenCL's; all threads may use it.
macro_rules! handle {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub *mut c_void);
        // SAFETY: handles of OpenCL are numbers to the program and valid on all threads.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}
    };
}

handle!(
    /// A driver.
    Platform
);
handle!(
    /// A device of a driver.
    DeviceId
);
handle!(
    /// What a process has on a device.
    Context
);
handle!(
    /// An in-order command queue.
    CommandQueue
);
handle!(
    /// A command under way.
    Event
);
handle!(
    /// Code for a device.
    Program
);
handle!(
    /// A kernel of a program with its arguments: one thread at a time.
    Kernel
);

/// What a call that copies to the host waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// The command is in the queue.
    Enqueued,
    /// It is complete, and so is all before it.
    Complete,
}

impl Until {
    fn blocking(self) -> cl::cl_bool {
        match self {
            Until::Enqueued => cl::CL_FALSE,
            Until::Complete => cl::CL_TRUE,
        }
    }
}

/// Asks for a value of unknown length: first for the bytes that it has, then for it.
fn sized(ask: impl Fn(usize, *mut c_void, *mut usize) -> cl::cl_int) -> Result<Vec<u8>> {
    let mut bytes = 0;
    check(ask(0, null_mut(), &mut bytes))?;
    let mut value = vec![0u8; bytes];
    if bytes > 0 {
        check(ask(bytes, value.as_mut_ptr().cast(), null_mut()))?;
    }
    Ok(value)
}

/// A text of OpenCL's, without its NUL.
fn text(bytes: Vec<u8>) -> String {
    let end = bytes.iter().position(|&byte| byte == 0);
    String::from_utf8_lossy(&bytes[..end.unwrap_or(bytes.len())])
        .trim()
        .to_string()
}

/// What there is.
impl OpenCl {
    pub fn platforms(&self) -> Result<Vec<Platform>> {
        let mut count = 0;
        // SAFETY: the count has this type, and no handles are asked for.
        check(unsafe { (self.functions.clGetPlatformIDs)(0, null_mut(), &mut count) })?;
        let mut handles = vec![null_mut(); count as usize];
        // SAFETY: there is room for so many.
        check(unsafe {
            (self.functions.clGetPlatformIDs)(count, handles.as_mut_ptr(), null_mut())
        })?;
        Ok(handles.into_iter().map(Platform).collect())
    }

    pub fn platform_text(&self, platform: Platform, name: cl::cl_platform_info) -> Result<String> {
        // SAFETY: `sized` has room for what it asks.
        let value = sized(|room, value, bytes| unsafe {
            (self.functions.clGetPlatformInfo)(platform.0, name, room, value, bytes)
        })?;
        Ok(text(value))
    }

    /// The devices of a platform, of all types.
    pub fn devices(&self, platform: Platform) -> Result<Vec<DeviceId>> {
        let all = cl::CL_DEVICE_TYPE_ALL;
        let mut count = 0;
        // SAFETY: the count has this type, and no handles are asked for.
        let counted = check(unsafe {
            (self.functions.clGetDeviceIDs)(platform.0, all, 0, null_mut(), &mut count)
        });
        match counted {
            Err(Status::DEVICE_NOT_FOUND) => return Ok(vec![]),
            Err(_) | Ok(()) => counted?,
        }
        let mut handles = vec![null_mut(); count as usize];
        // SAFETY: there is room for so many.
        check(unsafe {
            (self.functions.clGetDeviceIDs)(
                platform.0,
                all,
                count,
                handles.as_mut_ptr(),
                null_mut(),
            )
        })?;
        Ok(handles.into_iter().map(DeviceId).collect())
    }

    pub fn device_text(&self, device: DeviceId, name: cl::cl_device_info) -> Result<String> {
        // SAFETY: `sized` has room for what it asks.
        let value = sized(|room, value, bytes| unsafe {
            (self.functions.clGetDeviceInfo)(device.0, name, room, value, bytes)
        })?;
        Ok(text(value))
    }

    /// A number, of 4 or 8 bytes.
    pub fn device_number(&self, device: DeviceId, name: cl::cl_device_info) -> Result<u64> {
        let mut value = [0u8; 8];
        // SAFETY: there is room for 8 bytes.
        check(unsafe {
            (self.functions.clGetDeviceInfo)(
                device.0,
                name,
                value.len(),
                value.as_mut_ptr().cast(),
                null_mut(),
            )
        })?;
        Ok(u64::from_le_bytes(value))
    }
}

/// Contexts, queues and events.
impl OpenCl {
    pub fn new_context(&self, device: DeviceId) -> Result<Context> {
        let mut status = 0;
        // SAFETY: one device, no properties and no function for errors.
        let context = unsafe {
            (self.functions.clCreateContext)(null(), 1, &device.0, None, null_mut(), &mut status)
        };
        check(status).map(|()| Context(context))
    }

    /// An in-order queue, whose events tell times with `profiling`.
    pub fn new_queue(
        &self,
        context: Context,
        device: DeviceId,
        profiling: bool,
    ) -> Result<CommandQueue> {
        let flags = if profiling {
            cl::CL_QUEUE_PROFILING_ENABLE
        } else {
            0
        };
        let properties = [u64::from(cl::CL_QUEUE_PROPERTIES), flags, 0];
        let mut status = 0;
        // SAFETY: the properties end with 0.
        let queue = unsafe {
            (self.functions.clCreateCommandQueueWithProperties)(
                context.0,
                device.0,
                properties.as_ptr().cast(),
                &mut status,
            )
        };
        check(status).map(|()| CommandQueue(queue))
    }

    /// Keeps a queue of the program, which may release its own handle.
    ///
    /// # Safety
    /// The handle is one of a command queue.
    pub unsafe fn retain_queue(&self, queue: CommandQueue) -> Result<()> {
        // SAFETY: passed on to the caller.
        check(unsafe { (self.functions.clRetainCommandQueue)(queue.0) })
    }

    pub fn flush(&self, queue: CommandQueue) -> Result<()> {
        // SAFETY: the handle is valid.
        check(unsafe { (self.functions.clFlush)(queue.0) })
    }

    pub fn finish(&self, queue: CommandQueue) -> Result<()> {
        // SAFETY: the handle is valid.
        check(unsafe { (self.functions.clFinish)(queue.0) })
    }

    /// An event that is complete when all that is now in the queue is.
    pub fn marker(&self, queue: CommandQueue) -> Result<Event> {
        let mut event = null_mut();
        // SAFETY: the marker waits for no other events.
        check(unsafe {
            (self.functions.clEnqueueMarkerWithWaitList)(queue.0, 0, null(), &mut event)
        })?;
        Ok(Event(event))
    }

    /// Lets what comes later in the queue wait for the event.
    pub fn barrier(&self, queue: CommandQueue, event: Event) -> Result<()> {
        // SAFETY: one event, which is valid.
        check(unsafe {
            (self.functions.clEnqueueBarrierWithWaitList)(queue.0, 1, &event.0, null_mut())
        })
    }

    pub fn is_done(&self, event: Event) -> Result<bool> {
        let mut state: cl::cl_int = 0;
        // SAFETY: the state has this type.
        check(unsafe {
            (self.functions.clGetEventInfo)(
                event.0,
                cl::CL_EVENT_COMMAND_EXECUTION_STATUS,
                size_of_val(&state),
                (&raw mut state).cast(),
                null_mut(),
            )
        })?;
        match state {
            cl::CL_COMPLETE => Ok(true),
            failed if failed < 0 => Err(Status(failed)),
            _ => Ok(false),
        }
    }

    pub fn wait(&self, event: Event) -> Result<()> {
        // SAFETY: one event, which is valid.
        check(unsafe { (self.functions.clWaitForEvents)(1, &event.0) })
    }

    /// Gives the handle back: who does so does not use it again.
    pub fn release(&self, event: Event) {
        // SAFETY: the handle is valid, and its last user gives it back. A failure loses a few bytes.
        let _ = unsafe { (self.functions.clReleaseEvent)(event.0) };
    }

    /// Nanoseconds that a complete command took, of a queue with profiling.
    pub fn duration(&self, event: Event) -> Result<u64> {
        let time = |which| {
            let mut time = 0u64;
            // SAFETY: the time has this type.
            check(unsafe {
                (self.functions.clGetEventProfilingInfo)(
                    event.0,
                    which,
                    size_of_val(&time),
                    (&raw mut time).cast(),
                    null_mut(),
                )
            })?;
            Ok(time)
        };
        let (start, end) = (
            time(cl::CL_PROFILING_COMMAND_START)?,
            time(cl::CL_PROFILING_COMMAND_END)?,
        );
        Ok(end.saturating_sub(start))
    }
}

/// Memory that has the same address for the program and for kernels.
impl OpenCl {
    /// Memory of the device, which the host must not touch but by copies; or, with `fine`, memory that both may use.
    pub fn svm_alloc(&self, context: Context, bytes: usize, fine: bool) -> Option<usize> {
        let mut flags = cl::CL_MEM_READ_WRITE;
        if fine {
            flags |= cl::CL_MEM_SVM_FINE_GRAIN_BUFFER;
        }
        // SAFETY: the context is valid; alignment 0 is that of the largest type.
        let memory = unsafe { (self.functions.clSVMAlloc)(context.0, flags, bytes, 0) };
        (!memory.is_null()).then_some(memory as usize)
    }

    /// # Safety
    /// The address came from [`OpenCl::svm_alloc`], and no command uses the memory.
    pub unsafe fn svm_free(&self, context: Context, address: usize) {
        // SAFETY: passed on to the caller.
        unsafe { (self.functions.clSVMFree)(context.0, address as *mut c_void) };
    }

    /// Copies in the queue's order, between memory of the device and of the host or within the device.
    ///
    /// # Safety
    /// Both ranges are valid until the command is complete.
    pub unsafe fn copy(
        &self,
        queue: CommandQueue,
        to: usize,
        from: usize,
        bytes: usize,
        until: Until,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        check(unsafe {
            (self.functions.clEnqueueSVMMemcpy)(
                queue.0,
                until.blocking(),
                to as *mut c_void,
                from as *const c_void,
                bytes,
                0,
                null(),
                null_mut(),
            )
        })
    }

    /// Fills memory of the device with a pattern, whose bytes the call keeps. The pattern has a power of two of bytes, of
    /// which address and `bytes` are multiples.
    ///
    /// # Safety
    /// The range is valid until the command is complete.
    pub unsafe fn fill(
        &self,
        queue: CommandQueue,
        address: usize,
        pattern: &[u8],
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        check(unsafe {
            (self.functions.clEnqueueSVMMemFill)(
                queue.0,
                address as *mut c_void,
                pattern.as_ptr().cast(),
                pattern.len(),
                bytes,
                0,
                null(),
                null_mut(),
            )
        })
    }
}
