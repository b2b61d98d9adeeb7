//! Sites and words built by hand, as the compiler would build them.

#![allow(dead_code, reason = "every test program uses a part of it")]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "all unsafety here is the one of calling compiled code with the words made for it"
)]

pub mod cases;

use accrue::abi::*;
use accrue::words::array;
use std::ffi::{CString, c_char, c_void};
use std::sync::atomic::AtomicPtr;

/// Leaks a C string.
pub fn text(text: &str) -> *const c_char {
    CString::new(text).unwrap().into_raw()
}

/// A directive under construction.
pub struct Builder {
    kind: SiteKind,
    line: u32,
    flags: u32,
    device_type: u32,
    vars: Vec<Var>,
    kernels: Vec<Kernel>,
    pub header: Header<u64>,
    waits: Vec<u64>,
    words: Vec<u64>,
}

/// The GPU code of a kernel.
pub struct Ptx {
    /// Compute capability (0: OpenCL C), version of the language (0: machine code), text.
    pub codes: &'static [(u32, u32, &'static str)],
    pub entry: &'static str,
    pub flags: u32,
    pub args_words: u32,
    pub max_vector: u32,
    pub shared_worker_bytes: u64,
    pub scratch_gang_bytes: u64,
    pub scratch_worker_bytes: u64,
    pub trip: &'static [i64],
}

impl Ptx {
    pub const NONE: Ptx = Ptx {
        codes: &[],
        entry: "",
        flags: 0,
        args_words: 0,
        max_vector: 1024,
        shared_worker_bytes: 0,
        scratch_gang_bytes: 0,
        scratch_worker_bytes: 0,
        trip: &[],
    };

    /// As the compiler would print it.
    pub fn table(&self) -> *const SimtKernel {
        let code = |&(sm, ptx, code): &(u32, u32, &str)| Code {
            kind: match (sm, ptx) {
                (0, _) => CodeKind::OpenCl as u32,
                (_, 0) => CodeKind::Machine as u32,
                (_, _) => CodeKind::Ptx as u32,
            },
            sm,
            ptx,
            pad: 0,
            bytes: code.len() as u64,
            text: text(code),
        };
        let codes: Vec<Code> = self.codes.iter().map(code).collect();
        let module = Box::leak(Box::new(Module {
            ncodes: codes.len() as u32,
            pad: 0,
            codes: codes.leak().as_ptr(),
            runtime: AtomicPtr::new(std::ptr::null_mut()),
        }));
        let trip = match self.trip {
            [] => std::ptr::null(),
            trip => trip.as_ptr(),
        };
        Box::leak(Box::new(SimtKernel {
            module,
            entry: text(self.entry),
            flags: self.flags,
            args_words: self.args_words,
            max_workers: 32,
            max_vector: self.max_vector,
            shared_worker_bytes: self.shared_worker_bytes,
            scratch_gang_bytes: self.scratch_gang_bytes,
            scratch_worker_bytes: self.scratch_worker_bytes,
            workers: 0,
            vector: 0,
            trip,
            runtime: AtomicPtr::new(std::ptr::null_mut()),
            apart: std::ptr::null(),
            disjoint: std::ptr::null(),
            inner: std::ptr::null(),
            each: std::ptr::null(),
            grid: std::ptr::null(),
        }))
    }
}

/// The kernels of `ptx/kernels.ptx`.
pub const KERNELS: &[(u32, u32, &str)] = &[(60, 70, include_str!("../ptx/kernels.ptx"))];

/// total_1(result): the sum over all gangs and workers of (worker + 1), through scratch and shared memory.
pub const TOTAL: Ptx = Ptx {
    codes: KERNELS,
    entry: "total_1",
    flags: SIMT_WORKERS | SIMT_SCRATCH,
    args_words: 1,
    shared_worker_bytes: 16,
    scratch_gang_bytes: 16,
    ..Ptx::NONE
};

/// A finished directive with its words.
pub struct Directive {
    pub site: &'static Site,
    pub words: Vec<u64>,
}

pub fn directive(kind: SiteKind, line: u32) -> Builder {
    Builder {
        kind,
        line,
        flags: 0,
        device_type: 0,
        vars: Vec::new(),
        kernels: Vec::new(),
        header: Header::PLAIN,
        waits: Vec::new(),
        words: Vec::new(),
    }
}

impl Builder {
    pub fn flags(mut self, flags: u32) -> Self {
        self.flags = flags;
        self
    }

    pub fn device_type(mut self, mask: u32) -> Self {
        self.device_type = mask;
        self
    }

    pub fn queue(mut self, value: i64) -> Self {
        self.header.queue = value as u64;
        self.flags |= SITE_ASYNC_GIVEN;
        self
    }

    pub fn waits(mut self, values: &[i64]) -> Self {
        self.waits = values.iter().map(|&value| value as u64).collect();
        self.header.wait_count = values.len() as u64;
        self
    }

    pub fn gangs(mut self, gangs: u64) -> Self {
        self.header.gangs[0] = gangs;
        self
    }

    fn var(
        &mut self,
        name: &str,
        action: Action,
        flags: u32,
        size: usize,
        dims: u16,
        pointers: u16,
    ) {
        self.vars.push(Var {
            name: text(name),
            action: action as u32,
            flags,
            elem_size: size as u64,
            ndims: dims,
            pointer_dims: pointers,
            line: self.line,
            column: 5,
            npointers: 0,
            pointers: std::ptr::null(),
            reach: std::ptr::null(),
        });
    }

    /// `name[lower:len]` of a pointer or one-dimensional array.
    pub fn slice<T>(
        self,
        action: Action,
        flags: u32,
        name: &str,
        data: *const T,
        lower: usize,
        len: usize,
    ) -> Self {
        self.slice_through::<T>(action, flags, name, data, 0, lower, len)
    }

    /// Like [`Builder::slice`], reached through the pointer variable at `pointer`.
    #[allow(clippy::too_many_arguments)]
    pub fn slice_through<T>(
        mut self,
        action: Action,
        flags: u32,
        name: &str,
        data: *const T,
        pointer: usize,
        lower: usize,
        len: usize,
    ) -> Self {
        self.var(name, action, flags, size_of::<T>(), 1, 0);
        self.words
            .extend([data as u64, pointer as u64, lower as u64, len as u64, 0]);
        self
    }

    /// A section with explicit dimensions (lower, length, stride).
    #[allow(clippy::too_many_arguments)]
    pub fn section(
        mut self,
        action: Action,
        flags: u32,
        name: &str,
        data: usize,
        size: usize,
        pointer_dims: u16,
        dims: &[[u64; 3]],
    ) -> Self {
        self.var(name, action, flags, size, dims.len() as u16, pointer_dims);
        self.words.extend([data as u64, 0]);
        self.words.extend(dims.iter().flatten());
        self
    }

    /// A whole object.
    pub fn object<T>(mut self, action: Action, flags: u32, name: &str, data: *const T) -> Self {
        self.var(name, action, flags, size_of::<T>(), 0, 0);
        self.words.extend([data as u64, 0]);
        self
    }

    /// A one-word variable: VALUE, POINTER or DEVICEPTR.
    pub fn word(mut self, action: Action, name: &str, word: u64) -> Self {
        self.var(name, action, 0, 8, 0, 0);
        self.words.push(word);
        self
    }

    pub fn kernel(self, flags: u32, body: CpuGang) -> Self {
        self.kernel_with_slots(flags, body, None, 0)
    }

    pub fn kernel_with_slots(
        mut self,
        flags: u32,
        body: CpuGang,
        finish: Option<CpuFinish>,
        slot_bytes: u64,
    ) -> Self {
        self.kernels.push(Kernel {
            name: text("kernel"),
            line: self.line,
            flags,
            nforms: 0,
            pad: 0,
            forms: std::ptr::null(),
        });
        let cpu = CpuKernel {
            gang: Some(body),
            finish,
            slot_bytes,
            trip: std::ptr::null(),
        };
        self.form(
            FormKind::Cpu,
            std::ptr::from_ref(Box::leak(Box::new(cpu))).cast(),
        )
    }

    /// Gives the last kernel GPU code.
    pub fn ptx(self, ptx: &Ptx) -> Self {
        self.code(FormKind::Ptx, ptx)
    }

    /// Gives the last kernel code for OpenCL.
    pub fn opencl(self, opencl: &Ptx) -> Self {
        self.code(FormKind::OpenCl, opencl)
    }

    /// Gives the last kernel code that is a kernel of a module.
    pub fn code(self, kind: FormKind, code: &Ptx) -> Self {
        self.form(kind, code.table().cast())
    }

    /// Gives the last kernel code in a form.
    fn form(mut self, kind: FormKind, code: *const c_void) -> Self {
        let kernel = self.kernels.last_mut().expect("no kernel");
        // SAFETY: the forms that this function has given it.
        let old = unsafe { array(kernel.forms, kernel.nforms) };
        let old = old.iter().map(|form| Form { ..*form });
        let new = Form {
            kind: kind as u32,
            pad: 0,
            code,
        };
        let forms: Vec<Form> = old.chain([new]).collect();
        kernel.nforms = forms.len() as u32;
        kernel.forms = forms.leak().as_ptr();
        self
    }

    pub fn build(self) -> Directive {
        let vars = self.vars.leak();
        let kernels = self.kernels.leak();
        let site = Box::leak(Box::new(Site {
            abi: ABI_VERSION,
            kind: self.kind as u32,
            file: text("test.c"),
            function: text("main"),
            text: text("acc"),
            line: self.line,
            column: 1,
            flags: self.flags,
            device_type: self.device_type,
            nvars: vars.len() as u32,
            nkernels: kernels.len() as u32,
            nglobals: 0,
            nrounds: 0,
            globals: std::ptr::null(),
            rounds: std::ptr::null(),
            vars: vars.as_ptr(),
            kernels: kernels.as_ptr(),
            runtime: AtomicPtr::new(std::ptr::null_mut()),
        }));
        let mut words = self.header.words().map(|word| *word).to_vec();
        words.extend(self.waits);
        words.extend(self.words);
        Directive { site, words }
    }

    pub fn launch(self) -> bool {
        self.build().launch()
    }

    pub fn exec(self) {
        let directive = self.build();
        unsafe { accrue::entry::__accrue_exec(directive.site, directive.words.as_ptr()) }
    }

    /// Runs `body` in the data region.
    pub fn region(self, body: impl FnOnce()) {
        let directive = self.build();
        let mut body = Some(body);
        unsafe {
            accrue::entry::__accrue_data_begin(directive.site, directive.words.as_ptr());
            while accrue::entry::__accrue_data_next(directive.site) != 0 {
                (body.take().expect("the body runs once"))();
            }
        }
        assert!(body.is_none(), "the body did not run");
    }
}

impl Directive {
    pub fn launch(&self) -> bool {
        unsafe { accrue::entry::__accrue_launch(self.site, self.words.as_ptr()) != 0 }
    }
}

/// The arguments of a kernel.
pub unsafe fn arg<T>(launch: *const CpuLaunch, index: usize) -> *mut T {
    unsafe { *(*launch).args.add(index) as *mut T }
}

/// Share of `n` iterations that gang `gang` executes.
pub unsafe fn share(launch: *const CpuLaunch, gang: u64, n: u64) -> std::ops::Range<usize> {
    let gangs = unsafe { (*launch).gangs };
    let gangs = gangs[0] * gangs[1] * gangs[2];
    (n * gang / gangs) as usize..(n * (gang + 1) / gangs) as usize
}
