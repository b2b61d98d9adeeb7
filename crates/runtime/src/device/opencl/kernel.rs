//! Programs and kernels as built: at the first launch of a kernel its part of the unit's text, if the text has marks for kernels,
//! or all of it. What the driver has made of a text is kept on disk ([`super::cache`]).
//!
//! ```text
//! launch of k3_0 ──▶ text of k3_0 ──▶ cache ──▶ binary ──▶ clCreateProgramWithBinary ──▶ kernel
//!                                       └─ no, or damaged ──▶ clBuildProgram ──▶ kernel, cache
//! ```

use super::OpenClDevice;
use super::assertions::{self, Assertion};
use super::cache::{self, Cache};
use super::driver::{Kernel, NotBuilt, Program};
use super::few_groups;
use super::heap;
use super::text;
use crate::abi::launch::HALVING;
use crate::abi::{SIMT_HALVING, SimtKernel};
use crate::device::simt::{self, per_device};
use crate::fatal::fatal;
use crate::openmp;
use crate::site::SiteState;
use crate::words;
use opencl_sys as cl;
use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Lines of the compiler's log that a message has.
const LOG_LINES: usize = 30;

/// A call of OpenCL C's function that prints.
const PRINT: &str = "printf(";

/// What the text calls the device's number for OpenMP.
const DEVICE_NUM: &str = "ACCRUE_DEVICE_NUM";

/// A kernel on one device.
pub struct Loaded {
    /// Its arguments belong to it: one thread at a time.
    kernel: Mutex<Armed>,
    /// The argument words that are pointers in its declaration: bit n of the mask for word n.
    pub pointers: u64,
    /// Most work items of a group.
    pub group: u32,
    /// Local memory of a group, in bytes.
    pub local: u64,
    /// Private memory of a work item, in bytes.
    pub private: u64,
    /// It may print: what the program has printed before must come first.
    pub prints: bool,
    /// It may take memory from the heap.
    pub has_heap: bool,
    /// What work items may fail in.
    pub assertions: Vec<Assertion>,
    /// The kernel of further launches, which bring together what the gangs of one leave.
    pub halving: Option<Box<Loaded>>,
}

/// A kernel and what it was told.
pub struct Armed {
    pub kernel: Kernel,
    /// Of memory, as [`super::arena::Reached`] counts.
    pub told: u64,
    /// Its arguments.
    pub words: Vec<u64>,
}

impl Loaded {
    /// The kernel, for a launch.
    pub fn kernel(&self) -> MutexGuard<'_, Armed> {
        self.kernel.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenClDevice {
    /// The kernel on this device: the version that a launch has chosen.
    pub(super) fn loaded(
        &self,
        code: &'static SimtKernel,
        disjoint: bool,
        site: &'static SiteState,
    ) -> &'static Loaded {
        let version = simt::disjoint(code).filter(|_| disjoint);
        let runtime = version.map_or(&code.runtime, |version| &version.runtime);
        per_device::cells(runtime, super::count())[self.ordinal]
            .get_or_init(|| self.load(code, disjoint, site))
    }

    #[cold]
    fn load(&self, code: &'static SimtKernel, disjoint: bool, site: &'static SiteState) -> Loaded {
        // SAFETY: the compiler's names are NUL-terminated.
        let named = |name| unsafe { CStr::from_ptr(name) };
        let version = simt::disjoint(code).filter(|_| disjoint);
        let entry = named(simt::entry(code, disjoint));
        // A kernel may be its own fast version, for the sake of other versions.
        let version = version.filter(|_| entry != named(code.entry));
        let pointers = version.map_or(0, |version| version.read_words);
        let loaded = self.load_entry(code, (entry, code.args_words), site);
        let halving = (code.flags & SIMT_HALVING != 0).then(|| {
            let name = [named(code.entry).to_bytes(), HALVING.as_bytes()].concat();
            let name = CString::new(name).unwrap_or_default();
            Box::new(self.load_entry(code, (&name, 1), site))
        });
        Loaded {
            pointers,
            halving,
            ..loaded
        }
    }

    /// One of the kernel's entries, with so many argument words, as if all were numbers.
    fn load_entry(
        &self,
        code: &'static SimtKernel,
        (entry, words): (&CStr, u32),
        site: &'static SiteState,
    ) -> Loaded {
        let active = self.active();
        let (program, text) = self.program(code, entry, site);
        let name = entry.to_string_lossy();
        // SAFETY: as above.
        let kernel = unsafe { active.opencl.kernel(program, entry) }.unwrap_or_else(|status| {
            active.failed(status, format_args!("finding kernel '{name}'"))
        });
        // The memory that the words are addresses in: shared memory is told of in another way.
        let told = match &active.buffer {
            Some(buffer) => active.opencl.set_buffer(kernel, words + 1, buffer.memory),
            None => active.opencl.set_null(kernel, words + 1),
        };
        if let Err(status) = told {
            active.failed(status, format_args!("setting up kernel '{name}'"));
        }
        let number = |name| {
            let number = active.opencl.kernel_number(kernel, active.device, name);
            number.unwrap_or_else(|status| active.failed(status, "asking about a kernel"))
        };
        Loaded {
            kernel: Mutex::new(Armed {
                kernel,
                told: 0,
                words: vec![],
            }),
            pointers: 0,
            group: u32::try_from(number(cl::CL_KERNEL_WORK_GROUP_SIZE)).unwrap_or(u32::MAX),
            local: number(cl::CL_KERNEL_LOCAL_MEM_SIZE),
            private: number(cl::CL_KERNEL_PRIVATE_MEM_SIZE),
            prints: text.contains(PRINT),
            has_heap: text.contains(heap::FUNCTIONS),
            assertions: assertions::of_text(&text),
            halving: None,
        }
    }

    /// A program that has the kernel: its own, or that of all kernels of the unit; and its text.
    fn program(
        &self,
        code: &'static SimtKernel,
        entry: &CStr,
        site: &'static SiteState,
    ) -> (Program, String) {
        let found = simt::module(code).and_then(|module| Some((module, text::of(module)?)));
        let Some((module, whole)) = found else {
            fatal(site.place(), "this kernel has no code");
        };
        let known = &per_device::cells(&module.runtime, super::count())[self.ordinal];
        static BUILDING: Mutex<()> = Mutex::new(());
        let _one_at_a_time = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the compiler's text is NUL-terminated.
        let whole = unsafe { words::text(whole.text) };
        let options = self.facts.options_of(code);
        match simt::of_kernel(&whole, &entry.to_string_lossy()) {
            Some(piece) => (self.build(&piece, &options, site), piece),
            None => {
                let program = known.get_or_init(|| self.build(&whole, &options, site));
                (*program, whole)
            }
        }
    }

    fn build(&self, text: &str, options: &CStr, site: &'static SiteState) -> Program {
        let text = &*match text.contains(DEVICE_NUM) {
            true => {
                let number = openmp::number_of(self);
                Cow::from(format!("#define {DEVICE_NUM} {number}\n{text}"))
            }
            false => Cow::from(text),
        };
        let active = self.active();
        let (opencl, context, device) = (active.opencl, active.context, active.device);
        static CACHE: OnceLock<Option<Cache>> = OnceLock::new();
        let cache = CACHE.get_or_init(Cache::of_user).as_ref();
        let key = || {
            let name = format!(
                "{} {} {}",
                self.facts.platform, self.facts.vendor, self.facts.name
            );
            cache::key(&name, &self.facts.version, &options.to_string_lossy(), text)
        };
        let key = cache.map(|cache| (cache, key()));
        let known = key.as_ref().and_then(|(cache, key)| cache.get(key));
        // A binary that the driver does not take any more is built anew.
        let loaded =
            known.and_then(|binary| opencl.build_binary(context, device, &binary, options).ok());
        if let Some(program) = loaded {
            return program;
        }
        let program = opencl
            .build_text(context, device, text, options)
            .unwrap_or_else(|error| self.not_built(&error, site));
        let Ok(binary) = opencl.binary(program) else {
            return program;
        };
        let wished = few_groups::with_wishes(text, &binary).and_then(|wished| {
            let program = opencl.build_binary(context, device, &wished, options);
            Some((program.ok()?, wished))
        });
        let (program, binary) = wished.unwrap_or((program, binary));
        if let Some((cache, key)) = key {
            cache.put(&key, &binary);
        }
        program
    }

    fn not_built(&self, error: &NotBuilt, site: &'static SiteState) -> ! {
        let (name, number) = (error.status.name(), error.status.0);
        let mut message = format!(
            "the OpenCL driver of {} cannot build the code of {}: {name} ({number})",
            self.facts.name, site.file
        );
        for line in error.log.lines().take(LOG_LINES) {
            message += "\n  ";
            message += line;
        }
        fatal(site.place(), message)
    }
}
