//! Buffers, and queues as OpenCL 1.2 makes them: for devices without shared virtual memory.

use super::{CommandQueue, Context, DeviceId, Kernel, OpenCl, Until};
use crate::device::opencl::status::{Result, check};
use opencl_sys as cl;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// A memory object; all threads may use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryObject(pub *mut c_void);
// SAFETY: handles of OpenCL are numbers to the program and valid on all threads.
unsafe impl Send for MemoryObject {}
// SAFETY: as above.
unsafe impl Sync for MemoryObject {}

impl OpenCl {
    /// Memory of the device, of so many bytes.
    pub fn new_buffer(&self, context: Context, bytes: usize) -> Result<MemoryObject> {
        let mut status = 0;
        // SAFETY: the context is valid, and no memory of the host is named.
        let memory = unsafe {
            (self.functions.clCreateBuffer)(
                context.0,
                cl::CL_MEM_READ_WRITE,
                bytes,
                null_mut(),
                &mut status,
            )
        };
        check(status).map(|()| MemoryObject(memory))
    }

    /// Pinned memory of the host, of so many bytes, to stay until the process ends: a buffer that is mapped for good.
    pub fn new_pinned(&self, context: Context, queue: CommandQueue, bytes: usize) -> Result<usize> {
        let mut status = 0;
        let flags = cl::CL_MEM_READ_WRITE | cl::CL_MEM_ALLOC_HOST_PTR;
        // SAFETY: the context is valid, and no memory of the host is named.
        let memory = unsafe {
            (self.functions.clCreateBuffer)(context.0, flags, bytes, null_mut(), &mut status)
        };
        check(status)?;
        // SAFETY: the whole of the buffer; the call waits, and no events are named.
        let address = unsafe {
            (self.functions.clEnqueueMapBuffer)(
                queue.0,
                memory,
                cl::CL_TRUE,
                cl::CL_MAP_READ | cl::CL_MAP_WRITE,
                0,
                bytes,
                0,
                null(),
                null_mut(),
                &mut status,
            )
        };
        match check(status) {
            Ok(()) => Ok(address as usize),
            Err(status) => {
                self.release_buffer(MemoryObject(memory));
                Err(status)
            }
        }
    }

    /// Gives the memory back: who does so does not use it again.
    pub fn release_buffer(&self, memory: MemoryObject) {
        // SAFETY: the handle is valid, and its only user gives it back. A failure loses memory that was not to be had anyway.
        let _ = unsafe { (self.functions.clReleaseMemObject)(memory.0) };
    }

    /// An in-order queue, whose events tell times with `profiling`.
    pub fn new_plain_queue(
        &self,
        context: Context,
        device: DeviceId,
        profiling: bool,
    ) -> Result<CommandQueue> {
        let flags = match profiling {
            true => cl::CL_QUEUE_PROFILING_ENABLE,
            false => 0,
        };
        let mut status = 0;
        // SAFETY: the handles are valid.
        let queue = unsafe {
            (self.functions.clCreateCommandQueue)(context.0, device.0, flags, &mut status)
        };
        check(status).map(|()| CommandQueue(queue))
    }

    /// Gives the kernel a buffer as an argument.
    pub fn set_buffer(&self, kernel: Kernel, index: u32, memory: MemoryObject) -> Result<()> {
        let bytes = size_of_val(&memory.0);
        // SAFETY: the call copies the handle; no other thread uses the kernel now.
        check(unsafe {
            (self.functions.clSetKernelArg)(
                kernel.0,
                index,
                bytes,
                (&raw const memory.0).cast::<c_void>(),
            )
        })
    }

    /// Copies from the host into a buffer, in the queue's order.
    ///
    /// # Safety
    /// The host's range is valid until the command is complete.
    pub unsafe fn write_buffer(
        &self,
        queue: CommandQueue,
        (memory, offset): (MemoryObject, usize),
        host: usize,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: passed on to the caller; the driver checks the buffer's range.
        check(unsafe {
            (self.functions.clEnqueueWriteBuffer)(
                queue.0,
                memory.0,
                cl::CL_FALSE,
                offset,
                bytes,
                host as *const c_void,
                0,
                null(),
                null_mut(),
            )
        })
    }

    /// Copies from a buffer to the host, in the queue's order.
    ///
    /// # Safety
    /// The host's range is valid until the command is complete.
    pub unsafe fn read_buffer(
        &self,
        queue: CommandQueue,
        host: usize,
        (memory, offset): (MemoryObject, usize),
        bytes: usize,
        until: Until,
    ) -> Result<()> {
        // SAFETY: passed on to the caller; the driver checks the buffer's range.
        check(unsafe {
            (self.functions.clEnqueueReadBuffer)(
                queue.0,
                memory.0,
                until.blocking(),
                offset,
                bytes,
                host as *mut c_void,
                0,
                null(),
                null_mut(),
            )
        })
    }

    /// Copies within a buffer, in the queue's order.
    pub fn copy_buffer(
        &self,
        queue: CommandQueue,
        memory: MemoryObject,
        [to, from]: [usize; 2],
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: the handles are valid; the driver checks the ranges.
        check(unsafe {
            (self.functions.clEnqueueCopyBuffer)(
                queue.0,
                memory.0,
                memory.0,
                from,
                to,
                bytes,
                0,
                null(),
                null_mut(),
            )
        })
    }

    /// Fills a part of a buffer with a pattern, whose bytes the call keeps. The pattern has a power of two of bytes, of which offset
    /// and `bytes` are multiples.
    pub fn fill_buffer(
        &self,
        queue: CommandQueue,
        (memory, offset): (MemoryObject, usize),
        pattern: &[u8],
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: the handles are valid; the driver checks the range.
        check(unsafe {
            (self.functions.clEnqueueFillBuffer)(
                queue.0,
                memory.0,
                pattern.as_ptr().cast(),
                pattern.len(),
                offset,
                bytes,
                0,
                null(),
                null_mut(),
            )
        })
    }
}
