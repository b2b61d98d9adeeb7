//! Programs and kernels.

use super::{CommandQueue, Context, DeviceId, Event, Kernel, OpenCl, Program, sized, text};
use crate::device::opencl::status::{Result, Status, check};
use opencl_sys as cl;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

/// Why there is no program.
pub struct NotBuilt {
    pub status: Status,
    /// What the driver's compiler says, if it came to that.
    pub log: String,
}

impl From<Status> for NotBuilt {
    fn from(status: Status) -> NotBuilt {
        NotBuilt {
            status,
            log: String::new(),
        }
    }
}

impl OpenCl {
    /// Compiles a text.
    pub fn build_text(
        &self,
        context: Context,
        device: DeviceId,
        source: &str,
        options: &CStr,
    ) -> std::result::Result<Program, NotBuilt> {
        let (mut start, bytes) = (source.as_ptr().cast(), source.len());
        let mut status = 0;
        // SAFETY: one text of so many bytes, which the call copies.
        let program = unsafe {
            (self.functions.clCreateProgramWithSource)(
                context.0,
                1,
                &raw mut start,
                &bytes,
                &mut status,
            )
        };
        check(status)?;
        self.build(Program(program), device, options)
    }

    /// Loads what [`OpenCl::binary`] has given for such a device and such a driver.
    pub fn build_binary(
        &self,
        context: Context,
        device: DeviceId,
        binary: &[u8],
        options: &CStr,
    ) -> std::result::Result<Program, NotBuilt> {
        let (mut start, bytes) = (binary.as_ptr(), binary.len());
        let (mut of_binary, mut status) = (0, 0);
        // SAFETY: one device with one binary of so many bytes, which the call copies.
        let program = unsafe {
            (self.functions.clCreateProgramWithBinary)(
                context.0,
                1,
                &device.0,
                &bytes,
                &raw mut start,
                &mut of_binary,
                &mut status,
            )
        };
        check(status)?;
        let program = Program(program);
        if let Err(status) = check(of_binary) {
            self.release_program(program);
            return Err(status.into());
        }
        self.build(program, device, options)
    }

    fn build(
        &self,
        program: Program,
        device: DeviceId,
        options: &CStr,
    ) -> std::result::Result<Program, NotBuilt> {
        // SAFETY: one device; the call waits for the end, as it gets no function for it.
        let built = check(unsafe {
            (self.functions.clBuildProgram)(
                program.0,
                1,
                &device.0,
                options.as_ptr(),
                None,
                null_mut(),
            )
        });
        built.map(|()| program).map_err(|status| {
            // SAFETY: `sized` has room for what it asks.
            let log = sized(|room, value, bytes| unsafe {
                (self.functions.clGetProgramBuildInfo)(
                    program.0,
                    device.0,
                    cl::CL_PROGRAM_BUILD_LOG,
                    room,
                    value,
                    bytes,
                )
            });
            let log = log.map(text).unwrap_or_default();
            self.release_program(program);
            NotBuilt { status, log }
        })
    }

    fn release_program(&self, program: Program) {
        // SAFETY: nobody else has the handle. A failure loses memory only.
        let _ = unsafe { (self.functions.clReleaseProgram)(program.0) };
    }

    /// What the driver has made of a program with one device.
    pub fn binary(&self, program: Program) -> Result<Vec<u8>> {
        let mut bytes = 0usize;
        // SAFETY: one device, hence one number of bytes.
        check(unsafe {
            (self.functions.clGetProgramInfo)(
                program.0,
                cl::CL_PROGRAM_BINARY_SIZES,
                size_of_val(&bytes),
                (&raw mut bytes).cast(),
                null_mut(),
            )
        })?;
        let mut binary = vec![0u8; bytes];
        let mut start = binary.as_mut_ptr();
        // SAFETY: one device, hence one address, where there is room for so many bytes.
        check(unsafe {
            (self.functions.clGetProgramInfo)(
                program.0,
                cl::CL_PROGRAM_BINARIES,
                size_of_val(&start),
                (&raw mut start).cast(),
                null_mut(),
            )
        })?;
        Ok(binary)
    }

    /// # Safety
    /// The name is NUL-terminated.
    pub unsafe fn kernel(&self, program: Program, name: &CStr) -> Result<Kernel> {
        let mut status = 0;
        // SAFETY: passed on to the caller.
        let kernel =
            unsafe { (self.functions.clCreateKernel)(program.0, name.as_ptr(), &mut status) };
        check(status).map(|()| Kernel(kernel))
    }

    /// A number about a kernel, of 8 bytes.
    pub fn kernel_number(
        &self,
        kernel: Kernel,
        device: DeviceId,
        name: cl::cl_kernel_work_group_info,
    ) -> Result<u64> {
        let mut value = 0u64;
        // SAFETY: all numbers of this function have 8 bytes on machines of 64 bits.
        check(unsafe {
            (self.functions.clGetKernelWorkGroupInfo)(
                kernel.0,
                device.0,
                name,
                size_of_val(&value),
                (&raw mut value).cast(),
                null_mut(),
            )
        })?;
        Ok(value)
    }

    /// Gives the kernel an argument of 64 bits.
    pub fn set_word(&self, kernel: Kernel, index: u32, word: u64) -> Result<()> {
        // SAFETY: the call copies the bytes; no other thread uses the kernel now.
        check(unsafe {
            (self.functions.clSetKernelArg)(
                kernel.0,
                index,
                size_of_val(&word),
                (&raw const word).cast(),
            )
        })
    }

    /// Gives the kernel a pointer as an argument: an address in memory of `svm_alloc`, or zero.
    pub fn set_pointer(&self, kernel: Kernel, index: u32, address: u64) -> Result<()> {
        if address == 0 {
            return self.set_null(kernel, index);
        }
        // SAFETY: no other thread uses the kernel now.
        check(unsafe {
            (self.functions.clSetKernelArgSVMPointer)(kernel.0, index, address as *const c_void)
        })
    }

    /// Gives the kernel a null pointer to global memory as an argument.
    pub fn set_null(&self, kernel: Kernel, index: u32) -> Result<()> {
        let bytes = size_of::<cl::cl_mem>();
        // SAFETY: instead of a memory object there is null, which is allowed.
        check(unsafe { (self.functions.clSetKernelArg)(kernel.0, index, bytes, null()) })
    }

    /// Tells which memory the kernel reaches through addresses that it computes or loads.
    pub fn set_reached(&self, kernel: Kernel, memory: &[usize]) -> Result<()> {
        // SAFETY: addresses of memory of `svm_alloc`.
        check(unsafe {
            (self.functions.clSetKernelExecInfo)(
                kernel.0,
                cl::CL_KERNEL_EXEC_INFO_SVM_PTRS,
                size_of_val(memory),
                memory.as_ptr().cast::<c_void>(),
            )
        })
    }

    /// Puts the kernel into the queue: `groups` of `local` work items. Gives its event if it is to be `timed`: one for each command
    /// costs time that short kernels do not take themselves.
    ///
    /// # Safety
    /// The arguments are those that the kernel was compiled for.
    pub unsafe fn launch(
        &self,
        queue: CommandQueue,
        kernel: Kernel,
        groups: [u32; 3],
        local: [u32; 3],
        timed: bool,
    ) -> Result<Option<Event>> {
        let local = local.map(|items| items as usize);
        let global = [0, 1, 2].map(|index| groups[index] as usize * local[index]);
        let mut event = null_mut();
        let wanted = match timed {
            true => &raw mut event,
            false => null_mut(),
        };
        // SAFETY: passed on to the caller.
        check(unsafe {
            (self.functions.clEnqueueNDRangeKernel)(
                queue.0,
                kernel.0,
                3,
                null(),
                global.as_ptr(),
                local.as_ptr(),
                0,
                null(),
                wanted,
            )
        })?;
        Ok(timed.then_some(Event(event)))
    }
}
