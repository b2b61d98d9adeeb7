//! The functions of `libOpenCL.so.1`, the loader of OpenCL drivers, and how they are found.
//!
//! Types and signatures come from `opencl-sys`, which has them from Khronos' headers; it links nothing without its feature
//! `static`. The functions are loaded here: a missing library or function must become a message.

use crate::device::library::symbol;
use opencl_sys::cl_function_types as signatures;
use std::ffi::c_void;

/// The function behind a nullable pointer to one.
pub trait Pointer {
    type Function;
}

impl<F> Pointer for Option<F> {
    type Function = F;
}

macro_rules! functions {
    ($($name:ident: $signature:ident,)*) => {
        /// The functions of OpenCL that are used here; those of version 2.0 and earlier.
        #[allow(non_snake_case, reason = "OpenCL's own names")]
        pub struct Functions {
            $(pub $name: <signatures::$signature as Pointer>::Function,)*
        }

        impl Functions {
            /// Finds all functions; or gives the name of one that is missing.
            ///
            /// # Safety
            /// The library is a loader of OpenCL drivers.
            pub unsafe fn load(library: *mut c_void) -> Result<Functions, &'static str> {
                Ok(Functions {
                    // SAFETY: these functions of OpenCL have these signatures.
                    $($name: unsafe {
                        std::mem::transmute::<*mut c_void, <signatures::$signature as Pointer>::Function>(
                            symbol(library, stringify!($name), concat!(stringify!($name), "\0"))?,
                        )
                    },)*
                })
            }
        }
    };
}

functions! {
    clGetPlatformIDs: clGetPlatformIDs_t,
    clGetPlatformInfo: clGetPlatformInfo_t,
    clGetDeviceIDs: clGetDeviceIDs_t,
    clGetDeviceInfo: clGetDeviceInfo_t,
    clCreateContext: clCreateContext_t,
    clCreateCommandQueueWithProperties: clCreateCommandQueueWithProperties_t,
    clCreateCommandQueue: clCreateCommandQueue_t,
    clRetainCommandQueue: clRetainCommandQueue_t,
    clFlush: clFlush_t,
    clFinish: clFinish_t,
    clCreateBuffer: clCreateBuffer_t,
    clReleaseMemObject: clReleaseMemObject_t,
    clEnqueueReadBuffer: clEnqueueReadBuffer_t,
    clEnqueueWriteBuffer: clEnqueueWriteBuffer_t,
    clEnqueueCopyBuffer: clEnqueueCopyBuffer_t,
    clEnqueueFillBuffer: clEnqueueFillBuffer_t,
    clEnqueueMapBuffer: clEnqueueMapBuffer_t,
    clSVMAlloc: clSVMAlloc_t,
    clSVMFree: clSVMFree_t,
    clEnqueueSVMMemcpy: clEnqueueSVMMemcpy_t,
    clEnqueueSVMMemFill: clEnqueueSVMMemFill_t,
    clEnqueueMarkerWithWaitList: clEnqueueMarkerWithWaitList_t,
    clEnqueueBarrierWithWaitList: clEnqueueBarrierWithWaitList_t,
    clGetEventInfo: clGetEventInfo_t,
    clGetEventProfilingInfo: clGetEventProfilingInfo_t,
    clWaitForEvents: clWaitForEvents_t,
    clReleaseEvent: clReleaseEvent_t,
    clCreateProgramWithSource: clCreateProgramWithSource_t,
    clCreateProgramWithBinary: clCreateProgramWithBinary_t,
    clBuildProgram: clBuildProgram_t,
    clGetProgramBuildInfo: clGetProgramBuildInfo_t,
    clGetProgramInfo: clGetProgramInfo_t,
    clReleaseProgram: clReleaseProgram_t,
    clCreateKernel: clCreateKernel_t,
    clGetKernelWorkGroupInfo: clGetKernelWorkGroupInfo_t,
    clSetKernelArg: clSetKernelArg_t,
    clSetKernelArgSVMPointer: clSetKernelArgSVMPointer_t,
    clSetKernelExecInfo: clSetKernelExecInfo_t,
    clEnqueueNDRangeKernel: clEnqueueNDRangeKernel_t,
}
