//! Calls about memory of the current context: allocation, copies, clearing.

use super::{Driver, Result, Side, Stream, check};
use cudarc::driver::sys;
use std::ffi::{c_uint, c_void};

impl Driver {
    /// Free and all bytes.
    pub fn memory_info(&self) -> Result<(usize, usize)> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: the results have these types.
        check(unsafe { (self.functions.cuMemGetInfo_v2)(&mut free, &mut total) })?;
        Ok((free, total))
    }

    /// How much memory the heap of kernels has, from the first kernel on that uses it.
    pub fn set_heap(&self, bytes: usize) -> Result<()> {
        let limit = sys::CUlimit::CU_LIMIT_MALLOC_HEAP_SIZE;
        // SAFETY: any size may be asked for.
        check(unsafe { (self.functions.cuCtxSetLimit)(limit, bytes) })
    }

    pub fn alloc(&self, bytes: usize) -> Result<usize> {
        let mut address = 0;
        // SAFETY: the result has this type.
        check(unsafe { (self.functions.cuMemAlloc_v2)(&mut address, bytes) })?;
        Ok(address as usize)
    }

    /// # Safety
    /// The address came from [`Driver::alloc`], and nothing uses it any more.
    pub unsafe fn free(&self, address: usize) -> Result<()> {
        // SAFETY: passed on to the caller.
        check(unsafe { (self.functions.cuMemFree_v2)(address as u64) })
    }

    /// Pinned host memory, for all GPUs. Kernels reach it at the same address (unified addressing, which every 64-bit
    /// system has).
    pub fn alloc_pinned(&self, bytes: usize) -> Result<usize> {
        const PORTABLE: c_uint = 1;
        const DEVICEMAP: c_uint = 2;
        let mut memory = std::ptr::null_mut();
        // SAFETY: the result has this type.
        check(unsafe {
            (self.functions.cuMemHostAlloc)(&mut memory, bytes, PORTABLE | DEVICEMAP)
        })?;
        Ok(memory as usize)
    }

    /// # Safety
    /// Both ranges are valid until the copy is complete.
    pub unsafe fn copy_in(
        &self,
        device: usize,
        host: usize,
        bytes: usize,
        stream: Stream,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        check(unsafe {
            (self.functions.cuMemcpyHtoDAsync_v2)(
                device as u64,
                host as *const c_void,
                bytes,
                stream.0,
            )
        })
    }

    /// # Safety
    /// Both ranges are valid until the copy is complete.
    pub unsafe fn copy_out(
        &self,
        host: usize,
        device: usize,
        bytes: usize,
        stream: Stream,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        check(unsafe {
            (self.functions.cuMemcpyDtoHAsync_v2)(
                host as *mut c_void,
                device as u64,
                bytes,
                stream.0,
            )
        })
    }

    /// Copies between device memories, also those of two GPUs.
    ///
    /// # Safety
    /// Both ranges are valid until the copy is complete.
    pub unsafe fn copy_within(
        &self,
        to: usize,
        from: usize,
        bytes: usize,
        stream: Stream,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        check(unsafe { (self.functions.cuMemcpyAsync)(to as u64, from as u64, bytes, stream.0) })
    }

    /// Copies `height` rows of `width` bytes.
    ///
    /// # Safety
    /// All rows on both sides are valid until the copy is complete.
    pub unsafe fn copy_rows(
        &self,
        to: Side,
        from: Side,
        width: usize,
        height: usize,
        stream: Stream,
    ) -> Result<()> {
        use sys::CUmemorytype::{CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST};
        let mut copy = sys::CUDA_MEMCPY2D {
            srcXInBytes: 0,
            srcY: 0,
            srcMemoryType: CU_MEMORYTYPE_HOST,
            srcHost: std::ptr::null(),
            srcDevice: 0,
            srcArray: std::ptr::null_mut(),
            srcPitch: 0,
            dstXInBytes: 0,
            dstY: 0,
            dstMemoryType: CU_MEMORYTYPE_HOST,
            dstHost: std::ptr::null_mut(),
            dstDevice: 0,
            dstArray: std::ptr::null_mut(),
            dstPitch: 0,
            WidthInBytes: width,
            Height: height,
        };
        match from {
            Side::Host { address, pitch } => {
                copy.srcHost = address as *const c_void;
                copy.srcPitch = pitch;
            }
            Side::Device { address, pitch } => {
                copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
                copy.srcDevice = address as u64;
                copy.srcPitch = pitch;
            }
        }
        match to {
            Side::Host { address, pitch } => {
                copy.dstHost = address as *mut c_void;
                copy.dstPitch = pitch;
            }
            Side::Device { address, pitch } => {
                copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
                copy.dstDevice = address as u64;
                copy.dstPitch = pitch;
            }
        }
        // SAFETY: passed on to the caller; the description is only read during the call.
        check(unsafe { (self.functions.cuMemcpy2DAsync_v2)(&copy, stream.0) })
    }

    /// # Safety
    /// The range is valid until the operation is complete.
    pub unsafe fn zero(&self, device: usize, bytes: usize, stream: Stream) -> Result<()> {
        // SAFETY: passed on to the caller.
        check(unsafe { (self.functions.cuMemsetD8Async)(device as u64, 0, bytes, stream.0) })
    }
}
