//! Modules and kernels as loaded on each GPU.
//!
//! Machine code that was made for this GPU when the program was compiled is taken as it is. Else loading translates PTX
//! into the GPU's own code, which the driver keeps in a cache on disk; each kernel is translated when it is first launched,
//! as far as the text can be divided ([`ptx::of_kernel`]). What was loaded is found through the `runtime` members of the
//! unit's tables, so that a launch in the steady state reads two pointers.

use super::CudaDevice;
use super::driver::{Function, Module, Status};
use super::gpu::is_of_a_kernel;
use crate::abi::{self, SimtKernel, scheduling::scheduled};
use crate::device::ptx;
use crate::device::simt::{self, Block, per_device};
use crate::fatal::fatal;
use crate::openmp;
use crate::site::SiteState;
use crate::words;
use cudarc::driver::sys::CUfunction_attribute;
use std::ffi::{CString, c_char};
use std::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed},
};
use std::sync::{Mutex, PoisonError};

/// The most memory that the heap of kernels gets.
const MOST_HEAP: usize = 1 << 30;

/// Dynamic shared memory that every kernel may have without asking.
const DYNAMIC_SHARED: u32 = 48 << 10;

/// A kernel on one GPU.
pub struct Loaded {
    pub function: Function,
    pub max_threads: u32,
    pub registers: u32,
    /// Local memory per thread, in bytes.
    pub local: u32,
    pub static_shared: u32,
    /// Dynamic shared memory it may have.
    dynamic_shared: AtomicU32,
    /// The last answer about occupancy: threads, dynamic shared memory, and blocks per multiprocessor.
    occupancy: AtomicU64,
}

/// What was loaded: one kernel's part of the unit, or all kernels.
enum Translated {
    Kernel(Module),
    Unit(Module),
}

impl CudaDevice {
    /// True when the kernel was loaded or can be.
    pub(super) fn has_loaded(&self, ptx: &SimtKernel) -> bool {
        per_device::made::<Loaded>(&ptx.runtime, self.ordinal()).is_some()
    }

    /// The kernel on this GPU: the version that a launch has chosen.
    pub(super) fn loaded(
        &self,
        ptx: &'static SimtKernel,
        disjoint: bool,
        site: &'static SiteState,
    ) -> &'static Loaded {
        let version = simt::disjoint(ptx).filter(|_| disjoint);
        let runtime = version.map_or(&ptx.runtime, |version| &version.runtime);
        per_device::cells(runtime, self.driver().count as usize)[self.ordinal()]
            .get_or_init(|| self.load_kernel(ptx, simt::entry(ptx, disjoint), site))
    }

    #[cold]
    fn load_kernel(
        &self,
        ptx: &'static SimtKernel,
        entry: *const c_char,
        site: &'static SiteState,
    ) -> Loaded {
        let module = self.load_module(ptx, entry, site);
        // SAFETY: the compiler's name is NUL-terminated.
        let function = unsafe { self.driver().function(module, entry) }.unwrap_or_else(|status| {
            // SAFETY: as above.
            let entry = unsafe { words::text(entry) };
            self.gpu()
                .failed(status, format_args!("finding kernel '{entry}'"))
        });
        let attribute = |attribute| {
            self.driver()
                .function_attribute(function, attribute)
                .unwrap_or_else(|status| self.gpu().failed(status, "asking about a kernel"))
        };
        use CUfunction_attribute::*;
        Loaded {
            function,
            max_threads: attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
            registers: attribute(CU_FUNC_ATTRIBUTE_NUM_REGS),
            local: attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
            static_shared: attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
            dynamic_shared: AtomicU32::new(DYNAMIC_SHARED),
            occupancy: AtomicU64::new(0),
        }
    }

    /// A module that has the kernel: its own, or that of all kernels of the unit.
    fn load_module(
        &self,
        ptx: &'static SimtKernel,
        entry: *const c_char,
        site: &'static SiteState,
    ) -> Module {
        let Some(module) = simt::module(ptx) else {
            fatal(site.place(), "this kernel has no code");
        };
        let whole =
            &per_device::cells(&module.runtime, self.driver().count as usize)[self.ordinal()];
        static LOADING: Mutex<()> = Mutex::new(());
        let _one_at_a_time = LOADING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = whole.get() {
            return *known;
        }
        // SAFETY: the compiler's name is NUL-terminated.
        let entry = unsafe { words::text(entry) };
        let translated = self.translate(module, &entry, site);
        match translated {
            Translated::Kernel(module) => {
                self.tell_number(module);
                module
            }
            Translated::Unit(module) => *whole.get_or_init(|| {
                self.tell_number(module);
                module
            }),
        }
    }

    /// What `omp_get_device_num` answers in kernels.
    fn tell_number(&self, module: Module) {
        // The text says 0.
        let number = openmp::number_of(self);
        if number != 0
            && let Err(status) = self
                .driver()
                .set_variable(module, c"__accrue_device_num", number)
        {
            self.gpu().failed(status, "writing a variable of a module")
        }
    }

    /// Gives kernels with a heap, as their text says, more than the driver's 8 MB for it: a sixteenth of the device's memory, up to
    /// [`MOST_HEAP`].
    fn enlarge_heap(&self, text: &str) {
        if text.contains("malloc")
            && let Ok((_, total)) = self.driver().memory_info()
        {
            // Where such a kernel has run already, the heap stays as it is.
            let _ = self.driver().set_heap((total / 16).min(MOST_HEAP));
        }
    }

    /// Loads the best code that GPU and driver understand.
    fn translate(&self, module: &abi::Module, entry: &str, site: &'static SiteState) -> Translated {
        for code in ptx::machine_codes(module, self.sm) {
            if let Some(text) = ptx::codes(module, self.sm).into_iter().next() {
                // SAFETY: the compiler's text is NUL-terminated.
                self.enlarge_heap(&unsafe { words::text(text.text) });
            }
            // SAFETY: the compiler's image is whole.
            match unsafe { self.driver().load(code.text) } {
                Ok(loaded) => return Translated::Unit(loaded),
                Err((status, _)) if is_of_a_kernel(status) => self
                    .gpu()
                    .failed(status, format_args!("loading the code of {}", site.file)),
                // An assembler newer than the driver has made it; the driver's own does as well.
                Err(_) => {}
            }
        }
        let mut newest = 0;
        for code in ptx::codes(module, self.sm) {
            match self.load_text(code, entry) {
                Ok(loaded) => return loaded,
                Err((Status::UNSUPPORTED_PTX_VERSION, _)) => newest = newest.max(code.ptx),
                // An earlier kernel has failed, and this is the first call to be told.
                Err((status, _)) if is_of_a_kernel(status) => self
                    .gpu()
                    .failed(status, format_args!("loading the code of {}", site.file)),
                Err((status, log)) => fatal(
                    site.place(),
                    format_args!(
                        "the CUDA driver cannot translate the GPU code (sm_{}) of {} for {}: {} ({}){}{log}",
                        code.sm,
                        site.file,
                        self.label,
                        self.driver().error_name(status),
                        status.0,
                        if log.is_empty() { "" } else { "\n" },
                    ),
                ),
            }
        }
        fatal(
            site.place(),
            format_args!(
                "the NVIDIA driver (CUDA {}) is too old for PTX {}, which this program has for {}; install a newer \
                 driver, or compile for an older GPU as well (-gpu=cc60)",
                self.cuda_version(),
                ptx::version(newest),
                self.label,
            ),
        )
    }

    /// The kernel's part of the text, or all of it.
    fn load_text(&self, code: &abi::Code, entry: &str) -> Result<Translated, (Status, String)> {
        // SAFETY: the compiler's text is NUL-terminated.
        let text = unsafe { words::text(code.text) };
        let piece = simt::of_kernel(&text, entry);
        let made: fn(Module) -> Translated = match piece {
            Some(_) => Translated::Kernel,
            None => Translated::Unit,
        };
        let text = scheduled(piece.as_deref().unwrap_or(&text), self.sm);
        self.enlarge_heap(&text);
        let text = CString::new(text.as_bytes()).expect("it was NUL-terminated");
        // SAFETY: NUL-terminated.
        unsafe { self.driver().load(text.as_ptr()) }.map(made)
    }

    /// How many blocks a multiprocessor holds; 0 when not even one.
    pub(super) fn resident_blocks(
        &self,
        loaded: &Loaded,
        block: Block,
        site: &'static SiteState,
    ) -> u32 {
        // 11 bits for threads, 24 for shared memory, the rest for the answer plus 1.
        let key = u64::from(block.threads()) << 24 | u64::from(block.dynamic_shared.min(0xff_ffff));
        let known = loaded.occupancy.load(Relaxed);
        if known >> 16 == key && known & 0xffff != 0 {
            return (known & 0xffff) as u32 - 1;
        }
        if block.dynamic_shared > loaded.dynamic_shared.load(Acquire) {
            if let Err(status) = self
                .driver
                .allow_shared(loaded.function, block.dynamic_shared)
            {
                fatal(
                    site.place(),
                    format_args!(
                        "the kernel needs {} bytes of shared memory per gang, more than {} has: {}; use fewer workers",
                        block.dynamic_shared + loaded.static_shared,
                        self.label,
                        self.driver().error_name(status),
                    ),
                );
            }
            loaded
                .dynamic_shared
                .fetch_max(block.dynamic_shared, AcqRel);
        }
        let blocks = self
            .driver
            .resident_blocks(loaded.function, block.threads(), block.dynamic_shared)
            .unwrap_or_else(|status| self.gpu().failed(status, "calculating the occupancy"));
        let answer = u64::from(blocks.min(0xfffe)) + 1;
        loaded.occupancy.store(key << 16 | answer, Relaxed);
        blocks
    }
}
