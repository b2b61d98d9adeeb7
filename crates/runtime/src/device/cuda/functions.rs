//! The functions of `libcuda.so.1` and how they are found.
//!
//! The types come from `cudarc`, which has them from NVIDIA's header, and every signature below is compared with
//! cudarc's by the compiler. The functions are loaded here: a missing library or function must become a message, not a
//! panic, and a newer driver may give error numbers that no enumeration knows.

use crate::device::library::symbol;
use cudarc::driver::sys;
use std::ffi::{c_char, c_int, c_uint, c_void};

macro_rules! functions {
    ($( $name:ident($($argument:ident: $type:ty),*) )*) => {
        /// The functions of the driver that are used here.
        #[allow(non_snake_case, reason = "the driver's own names")]
        pub struct Functions {
            $( pub $name: unsafe extern "C" fn($($type),*) -> c_uint, )*
            pub cuGetErrorName: unsafe extern "C" fn(c_uint, *mut *const c_char) -> c_uint,
        }

        // The same signatures as in NVIDIA's header.
        const _: () = {
            $( let _: unsafe fn($($type),*) -> sys::CUresult = sys::$name; )*
        };

        impl Functions {
            /// Finds all functions; or gives the name of one that is missing.
            ///
            /// # Safety
            /// The library is NVIDIA's driver.
            pub unsafe fn load(library: *mut c_void) -> Result<Functions, &'static str> {
                Ok(Functions {
                    // SAFETY: these functions of the driver have these signatures.
                    $( $name: unsafe {
                        std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($type),*) -> c_uint>(
                            symbol(library, stringify!($name), concat!(stringify!($name), "\0"))?,
                        )
                    }, )*
                    // SAFETY: as above; the enumeration in its signature is passed as its number.
                    cuGetErrorName: unsafe {
                        std::mem::transmute::<
                            *mut c_void,
                            unsafe extern "C" fn(c_uint, *mut *const c_char) -> c_uint,
                        >(symbol(library, "cuGetErrorName", "cuGetErrorName\0")?)
                    },
                })
            }
        }
    };
}

functions! {
    cuInit(flags: c_uint)
    cuDriverGetVersion(version: *mut c_int)
    cuDeviceGetCount(count: *mut c_int)
    cuDeviceGet(device: *mut sys::CUdevice, ordinal: c_int)
    cuDeviceGetName(name: *mut c_char, len: c_int, device: sys::CUdevice)
    cuDeviceGetAttribute(value: *mut c_int, attribute: sys::CUdevice_attribute, device: sys::CUdevice)
    cuDeviceTotalMem_v2(bytes: *mut usize, device: sys::CUdevice)
    cuDevicePrimaryCtxSetFlags_v2(device: sys::CUdevice, flags: c_uint)
    cuDevicePrimaryCtxGetState(device: sys::CUdevice, flags: *mut c_uint, active: *mut c_int)
    cuDevicePrimaryCtxRetain(context: *mut sys::CUcontext, device: sys::CUdevice)
    cuCtxGetCurrent(context: *mut sys::CUcontext)
    cuCtxSetCurrent(context: sys::CUcontext)
    cuCtxSetLimit(limit: sys::CUlimit, value: usize)
    cuMemGetInfo_v2(free: *mut usize, total: *mut usize)
    cuMemAlloc_v2(address: *mut sys::CUdeviceptr, bytes: usize)
    cuMemFree_v2(address: sys::CUdeviceptr)
    cuMemGetAddressRange_v2(base: *mut sys::CUdeviceptr, bytes: *mut usize, address: sys::CUdeviceptr)
    cuMemHostAlloc(memory: *mut *mut c_void, bytes: usize, flags: c_uint)
    cuPointerGetAttribute(data: *mut c_void, attribute: sys::CUpointer_attribute, address: sys::CUdeviceptr)
    cuMemcpyAsync(to: sys::CUdeviceptr, from: sys::CUdeviceptr, bytes: usize, stream: sys::CUstream)
    cuMemcpyHtoDAsync_v2(to: sys::CUdeviceptr, from: *const c_void, bytes: usize, stream: sys::CUstream)
    cuMemcpyDtoHAsync_v2(to: *mut c_void, from: sys::CUdeviceptr, bytes: usize, stream: sys::CUstream)
    cuMemcpy2DAsync_v2(copy: *const sys::CUDA_MEMCPY2D, stream: sys::CUstream)
    cuMemsetD8Async(to: sys::CUdeviceptr, byte: u8, bytes: usize, stream: sys::CUstream)
    cuStreamCreate(stream: *mut sys::CUstream, flags: c_uint)
    cuStreamSynchronize(stream: sys::CUstream)
    cuStreamQuery(stream: sys::CUstream)
    cuStreamWaitEvent(stream: sys::CUstream, event: sys::CUevent, flags: c_uint)
    cuEventCreate(event: *mut sys::CUevent, flags: c_uint)
    cuEventRecord(event: sys::CUevent, stream: sys::CUstream)
    cuEventQuery(event: sys::CUevent)
    cuEventSynchronize(event: sys::CUevent)
    cuLaunchHostFunc(stream: sys::CUstream, function: sys::CUhostFn, data: *mut c_void)
    cuModuleLoadDataEx(module: *mut sys::CUmodule, image: *const c_void, count: c_uint, options: *mut sys::CUjit_option, values: *mut *mut c_void)
    cuModuleGetFunction(function: *mut sys::CUfunction, module: sys::CUmodule, name: *const c_char)
    cuModuleGetGlobal_v2(address: *mut sys::CUdeviceptr, bytes: *mut usize, module: sys::CUmodule, name: *const c_char)
    cuFuncGetAttribute(value: *mut c_int, attribute: sys::CUfunction_attribute, function: sys::CUfunction)
    cuFuncSetAttribute(function: sys::CUfunction, attribute: sys::CUfunction_attribute, value: c_int)
    cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks: *mut c_int, function: sys::CUfunction, threads: c_int, shared: usize)
    cuLaunchKernel(function: sys::CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint, shared: c_uint, stream: sys::CUstream, parameters: *mut *mut c_void, extra: *mut *mut c_void)
}
