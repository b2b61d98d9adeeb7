//! Calls of the CUDA driver, with errors as results.

mod memory;

use super::channels;
use super::functions::Functions;
use super::problem::Problem;
use crate::device::library;
use cudarc::driver::sys;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

/// An error number of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub c_uint);

impl Status {
    pub const OUT_OF_MEMORY: Status = Status(2);
    /// The driver has shut down because the process ends.
    pub const DEINITIALIZED: Status = Status(4);
    pub const NO_DEVICE: Status = Status(100);
    pub const UNSUPPORTED_PTX_VERSION: Status = Status(222);
    pub const NOT_READY: Status = Status(600);
    pub const LAUNCH_OUT_OF_RESOURCES: Status = Status(701);
    pub const ASSERT: Status = Status(710);
}

pub type Result<T> = std::result::Result<T, Status>;

/// The loaded driver.
pub struct Driver {
    functions: Functions,
    /// Version of CUDA that it supports: 12080 for 12.8.
    pub version: c_int,
    /// Number of GPUs, at least 1.
    pub count: c_int,
}

/// The driver, loaded and started at the first call.
pub fn get() -> std::result::Result<&'static Driver, Problem> {
    static DRIVER: OnceLock<std::result::Result<Driver, Problem>> = OnceLock::new();
    DRIVER.get_or_init(start).as_ref().map_err(Problem::clone)
}

fn start() -> std::result::Result<Driver, Problem> {
    let library = library::open(c"libcuda.so.1").map_err(Problem::NoLibrary)?;
    // SAFETY: `libcuda.so.1` is the name of NVIDIA's driver.
    let functions = unsafe { Functions::load(library) }.map_err(Problem::MissingFunction)?;
    let mut driver = Driver {
        functions,
        version: 0,
        count: 0,
    };
    let problem = |driver: &Driver, status| Problem::Start {
        status,
        name: driver.error_name(status),
    };
    // SAFETY: the flags must be 0.
    let started = channels::as_needed(|| unsafe { (driver.functions.cuInit)(0) });
    check(started).map_err(|status| problem(&driver, status))?;
    // SAFETY: the results have these types.
    let counted = unsafe {
        check((driver.functions.cuDriverGetVersion)(&mut driver.version))
            .and_then(|()| check((driver.functions.cuDeviceGetCount)(&mut driver.count)))
    };
    counted.map_err(|status| problem(&driver, status))?;
    if driver.count < 1 {
        return Err(Problem::NoDevice);
    }
    Ok(driver)
}

fn check(code: c_uint) -> Result<()> {
    match code {
        0 => Ok(()),
        code => Err(Status(code)),
    }
}

/// A handle of the driver's; the driver allows its use on every thread.
macro_rules! handle {
    ($(#[$attribute:meta])* $name:ident($type:ty)) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub $type);
        // SAFETY: handles of the driver are numbers to the program and valid on all threads.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}
    };
}

handle!(
    /// A context: what a process has on one GPU.
    Context(sys::CUcontext)
);
handle!(
    /// An in-order queue.
    Stream(sys::CUstream)
);
handle!(
    /// A point in a stream.
    Event(sys::CUevent)
);
handle!(
    /// Loaded code.
    Module(sys::CUmodule)
);
handle!(
    /// A kernel of a module.
    Function(sys::CUfunction)
);

/// One side of a copy of rows.
#[derive(Clone, Copy)]
pub enum Side {
    Host { address: usize, pitch: usize },
    Device { address: usize, pitch: usize },
}

/// The driver's own exit handler has run.
const CUDA_ERROR_DEINITIALIZED: u32 = 4;

/// Calls that need no current context.
impl Driver {
    /// `CUDA_ERROR_ILLEGAL_ADDRESS`.
    pub fn error_name(&self, status: Status) -> String {
        let mut name = std::ptr::null();
        // SAFETY: the text is constant data of the driver.
        unsafe {
            match (self.functions.cuGetErrorName)(status.0, &mut name) {
                0 if !name.is_null() => CStr::from_ptr(name).to_string_lossy().into_owned(),
                // A driver that has ended gives no names any more.
                _ if status.0 == CUDA_ERROR_DEINITIALIZED => "CUDA_ERROR_DEINITIALIZED: the program is ending, and the \
                    driver has ended before it, as exit handlers run in the reverse order; call `atexit` behind the \
                    first region or `#pragma acc init`, leave regions out of destructors, or run on the CPU \
                    (ACC_DEVICE_TYPE=host)"
                    .into(),
                _ => "unknown error".into(),
            }
        }
    }

    pub fn device(&self, ordinal: c_int) -> Result<sys::CUdevice> {
        let mut device = 0;
        // SAFETY: the result has this type.
        check(unsafe { (self.functions.cuDeviceGet)(&mut device, ordinal) })?;
        Ok(device)
    }

    pub fn device_name(&self, device: sys::CUdevice) -> Result<String> {
        let mut name = [0u8; 128];
        // SAFETY: the buffer has this length; the driver ends the text with NUL.
        check(unsafe {
            (self.functions.cuDeviceGetName)(name.as_mut_ptr().cast(), name.len() as c_int, device)
        })?;
        let text = CStr::from_bytes_until_nul(&name).unwrap_or_default();
        Ok(text.to_string_lossy().into_owned())
    }

    pub fn attribute(
        &self,
        attribute: sys::CUdevice_attribute,
        device: sys::CUdevice,
    ) -> Result<u32> {
        let mut value = 0;
        // SAFETY: the result has this type.
        check(unsafe { (self.functions.cuDeviceGetAttribute)(&mut value, attribute, device) })?;
        Ok(value.max(0) as u32)
    }

    pub fn total_memory(&self, device: sys::CUdevice) -> Result<usize> {
        let mut bytes = 0;
        // SAFETY: the result has this type.
        check(unsafe { (self.functions.cuDeviceTotalMem_v2)(&mut bytes, device) })?;
        Ok(bytes)
    }

    /// The context that the CUDA runtime uses as well, made if need be. Waiting threads spin, unless the program has
    /// decided otherwise before: that is what makes short synchronous regions fast.
    pub fn primary_context(&self, device: sys::CUdevice) -> Result<Context> {
        let (mut flags, mut active) = (0, 0);
        let mut context = std::ptr::null_mut();
        let spin = sys::CUctx_flags_enum::CU_CTX_SCHED_SPIN as c_uint;
        // SAFETY: the results have these types.
        unsafe {
            check((self.functions.cuDevicePrimaryCtxGetState)(
                device,
                &mut flags,
                &mut active,
            ))?;
            if active == 0 && flags == 0 {
                check((self.functions.cuDevicePrimaryCtxSetFlags_v2)(device, spin))?;
            }
            check((self.functions.cuDevicePrimaryCtxRetain)(
                &mut context,
                device,
            ))?;
        }
        Ok(Context(context))
    }

    /// The calling thread's context, perhaps null.
    pub fn current(&self) -> Result<Context> {
        let mut context = std::ptr::null_mut();
        // SAFETY: the result has this type.
        check(unsafe { (self.functions.cuCtxGetCurrent)(&mut context) })?;
        Ok(Context(context))
    }

    pub fn set_current(&self, context: Context) -> Result<()> {
        // SAFETY: a context of the driver's.
        check(unsafe { (self.functions.cuCtxSetCurrent)(context.0) })
    }

    /// Start and bytes of the memory, of this process and any GPU, that an address lies in.
    pub fn address_range(&self, address: usize) -> Option<(usize, usize)> {
        let (mut base, mut bytes) = (0, 0);
        // SAFETY: the results have these types; any address may be asked about.
        let found = check(unsafe {
            (self.functions.cuMemGetAddressRange_v2)(&mut base, &mut bytes, address as u64)
        });
        found.ok().map(|()| (base as usize, bytes))
    }

    /// What kind of memory an address lies in, if the driver knows it.
    pub fn memory_type(&self, address: usize) -> Option<sys::CUmemorytype> {
        let mut kind: c_uint = 0;
        let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
        // SAFETY: this attribute is an unsigned int; any address may be asked about.
        let found = check(unsafe {
            (self.functions.cuPointerGetAttribute)(
                (&raw mut kind).cast(),
                attribute,
                address as u64,
            )
        });
        let kinds = [
            sys::CUmemorytype::CU_MEMORYTYPE_HOST,
            sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
            sys::CUmemorytype::CU_MEMORYTYPE_UNIFIED,
        ];
        found.ok()?;
        kinds.into_iter().find(|&known| known as c_uint == kind)
    }
}

/// Calls in the current context.
impl Driver {
    /// A stream that does not wait for the legacy default stream.
    pub fn new_stream(&self) -> Result<Stream> {
        const NON_BLOCKING: c_uint = 1;
        let mut stream = std::ptr::null_mut();
        // SAFETY: the result has this type.
        check(unsafe { (self.functions.cuStreamCreate)(&mut stream, NON_BLOCKING) })?;
        Ok(Stream(stream))
    }

    pub fn synchronize(&self, stream: Stream) -> Result<()> {
        // SAFETY: a stream of the driver's.
        check(unsafe { (self.functions.cuStreamSynchronize)(stream.0) })
    }

    /// True when all work in the stream is complete.
    pub fn is_idle(&self, stream: Stream) -> Result<bool> {
        // SAFETY: a stream of the driver's.
        ready(unsafe { (self.functions.cuStreamQuery)(stream.0) })
    }

    /// Lets what comes later in the stream wait for the event as it was last recorded.
    pub fn wait_event(&self, stream: Stream, event: Event) -> Result<()> {
        // SAFETY: handles of the driver's; the flags must be 0.
        check(unsafe { (self.functions.cuStreamWaitEvent)(stream.0, event.0, 0) })
    }

    /// An event that takes no times, which makes it cheap.
    pub fn new_event(&self) -> Result<Event> {
        let flags = sys::CUevent_flags_enum::CU_EVENT_DISABLE_TIMING as c_uint;
        let mut event = std::ptr::null_mut();
        // SAFETY: the result has this type.
        check(unsafe { (self.functions.cuEventCreate)(&mut event, flags) })?;
        Ok(Event(event))
    }

    pub fn record(&self, event: Event, stream: Stream) -> Result<()> {
        // SAFETY: handles of the driver's.
        check(unsafe { (self.functions.cuEventRecord)(event.0, stream.0) })
    }

    pub fn is_done(&self, event: Event) -> Result<bool> {
        // SAFETY: an event of the driver's.
        ready(unsafe { (self.functions.cuEventQuery)(event.0) })
    }

    pub fn await_event(&self, event: Event) -> Result<()> {
        // SAFETY: an event of the driver's.
        check(unsafe { (self.functions.cuEventSynchronize)(event.0) })
    }

    /// Calls a function on a thread of the driver when the stream gets there.
    ///
    /// # Safety
    /// The function may be called with the data, once, at any later time, and makes no call of the driver.
    pub unsafe fn call_host(
        &self,
        stream: Stream,
        function: unsafe extern "C" fn(*mut c_void),
        data: *mut c_void,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        check(unsafe { (self.functions.cuLaunchHostFunc)(stream.0, Some(function), data) })
    }

    /// Translates and loads PTX text; with an error comes the translator's text.
    ///
    /// # Safety
    /// `text` is NUL-terminated.
    pub unsafe fn load(
        &self,
        text: *const c_char,
    ) -> std::result::Result<Module, (Status, String)> {
        use sys::CUjit_option::{
            CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_GENERATE_LINE_INFO,
        };
        let mut log = [0u8; 4096];
        // Lines are kept where the text has them (`-g`), for debuggers and profilers.
        let mut options = [
            CU_JIT_ERROR_LOG_BUFFER,
            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
            CU_JIT_GENERATE_LINE_INFO,
        ];
        let mut values = [
            log.as_mut_ptr().cast::<c_void>(),
            log.len() as *mut c_void,
            std::ptr::without_provenance_mut(1),
        ];
        let mut module = std::ptr::null_mut();
        // SAFETY: the options have values of the kinds that they need: a buffer, and its size in place of a pointer.
        let loaded = check(unsafe {
            (self.functions.cuModuleLoadDataEx)(
                &mut module,
                text.cast(),
                options.len() as c_uint,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        });
        match loaded {
            Ok(()) => Ok(Module(module)),
            Err(status) => {
                let log = CStr::from_bytes_until_nul(&log).unwrap_or_default();
                Err((status, log.to_string_lossy().trim().to_owned()))
            }
        }
    }

    /// # Safety
    /// `name` is NUL-terminated.
    pub unsafe fn function(&self, module: Module, name: *const c_char) -> Result<Function> {
        let mut function = std::ptr::null_mut();
        // SAFETY: the name is NUL-terminated by the contract.
        check(unsafe { (self.functions.cuModuleGetFunction)(&mut function, module.0, name) })?;
        Ok(Function(function))
    }

    /// Writes a variable of the module, if it has it.
    pub fn set_variable(&self, module: Module, name: &CStr, value: i32) -> Result<()> {
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: the name is NUL-terminated, the results have these types.
        let found = check(unsafe {
            (self.functions.cuModuleGetGlobal_v2)(&mut address, &mut bytes, module.0, name.as_ptr())
        });
        if found.is_err() || bytes != size_of::<i32>() {
            return Ok(());
        }
        let (from, stream) = ((&raw const value).cast(), std::ptr::null_mut());
        // SAFETY: the variable has that size; the value is there until the copy is done.
        check(unsafe {
            (self.functions.cuMemcpyHtoDAsync_v2)(address, from, size_of::<i32>(), stream)
        })?;
        // SAFETY: the stream that every context has.
        check(unsafe { (self.functions.cuStreamSynchronize)(stream) })
    }

    pub fn function_attribute(
        &self,
        function: Function,
        attribute: sys::CUfunction_attribute,
    ) -> Result<u32> {
        let mut value = 0;
        // SAFETY: the result has this type.
        check(unsafe { (self.functions.cuFuncGetAttribute)(&mut value, attribute, function.0) })?;
        Ok(value.max(0) as u32)
    }

    /// Allows the function that many bytes of dynamic shared memory per block.
    pub fn allow_shared(&self, function: Function, bytes: u32) -> Result<()> {
        let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: a function of the driver's.
        check(unsafe { (self.functions.cuFuncSetAttribute)(function.0, attribute, bytes as c_int) })
    }

    /// How many blocks of the function a multiprocessor holds at a time.
    pub fn resident_blocks(&self, function: Function, threads: u32, shared: u32) -> Result<u32> {
        let mut blocks = 0;
        // SAFETY: the result has this type.
        check(unsafe {
            (self.functions.cuOccupancyMaxActiveBlocksPerMultiprocessor)(
                &mut blocks,
                function.0,
                threads as c_int,
                shared as usize,
            )
        })?;
        Ok(blocks.max(0) as u32)
    }

    /// Starts a kernel with a grid of three dimensions and a block of two.
    ///
    /// # Safety
    /// Each parameter points to a value of the type and size of the kernel's parameter; the values are copied.
    pub unsafe fn launch(
        &self,
        function: Function,
        grid: [u32; 3],
        block: [u32; 2],
        shared: u32,
        stream: Stream,
        parameters: &mut [*mut c_void],
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        check(unsafe {
            (self.functions.cuLaunchKernel)(
                function.0,
                grid[0],
                grid[1],
                grid[2],
                block[0],
                block[1],
                1,
                shared,
                stream.0,
                parameters.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        })
    }
}

fn ready(code: c_uint) -> Result<bool> {
    match check(code) {
        Ok(()) => Ok(true),
        Err(Status::NOT_READY) => Ok(false),
        Err(status) => Err(status),
    }
}
