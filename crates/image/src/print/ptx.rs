//! The tables of a unit's code for NVIDIA GPUs.
//!
//! PTX is text that the driver translates for the GPU it finds, so the companion carries it as a string, once per
//! architecture that it was made for. Machine code, where it was asked for, is a string as well: C compilers read a string
//! more than ten times as fast as an array of numbers, and unlike `.incbin` it survives `-S` and `-flto`.
//! ```c
//! static const char accrue_ptx_60[] = ".version 7.0\n" ".target sm_60\n" …;
//! static const char accrue_machine_90[] = "\177ELF\2\1…" …;
//! static const struct accrue_code accrue_codes[] = { { 0, 60, 70, 0, sizeof accrue_ptx_60 - 1, accrue_ptx_60 }, … };
//! static struct accrue_module accrue_module = { 2, 0, accrue_codes, 0 };
//! static struct accrue_simt_kernel accrue_ptx_0_0 = { &accrue_module, "accrue_k0_0", … };
//! ```
//! The runtime keeps what the driver made of a module in the module's and the kernels' last members.

use super::{CompanionSite, c_string};
use accrue_abi::launch::Code;
use accrue_abi::trip::{Step, encode};
use accrue_abi::{CodeKind, SimtFlags, initial};
use accrue_hostcall::{ClauseSize, GangTrip, SiteKernel};
use std::fmt::Write;

/// The unit's code for GPUs of one compute capability.
#[derive(Clone, Debug)]
pub struct CompanionCode<'a> {
    /// Compute capability, times ten (`.target sm_60`).
    pub sm: u32,
    pub form: CodeForm<'a>,
}

/// A form of the code.
#[derive(Clone, Copy, Debug)]
pub enum CodeForm<'a> {
    /// PTX: for all later GPUs too.
    Ptx {
        /// Version of the PTX language, times ten (`.version 7.0`).
        version: u32,
        text: &'a str,
    },
    /// A cubin: for the later GPUs of the same generation too.
    Machine(&'a [u8]),
}

/// Bytes of machine code in a line of the companion.
const LINE: usize = 64;

impl CompanionCode<'_> {
    fn kind(&self) -> CodeKind {
        match self.form {
            CodeForm::Ptx { .. } => CodeKind::Ptx,
            CodeForm::Machine(_) => CodeKind::Machine,
        }
    }

    fn symbol(&self) -> String {
        match self.form {
            CodeForm::Ptx { .. } => format!("accrue_ptx_{}", self.sm),
            CodeForm::Machine(_) => format!("accrue_machine_{}", self.sm),
        }
    }

    /// The definition of the symbol.
    fn data(&self) -> String {
        let pieces: Vec<&[u8]> = match self.form {
            CodeForm::Ptx { text, .. } => {
                text.as_bytes().split_inclusive(|b| *b == b'\n').collect()
            }
            CodeForm::Machine(image) => image.chunks(LINE).collect(),
        };
        // An image is read in place.
        let mut text = format!(
            "static const char {}[] __attribute__((aligned(8))) =\n",
            self.symbol()
        );
        for piece in pieces {
            let _ = writeln!(text, "    {}", c_string(piece));
        }
        text.push_str("    \"\";\n");
        text
    }
}

/// What the runtime must know to launch a kernel on a GPU.
#[derive(Clone, Debug)]
pub struct CompanionSimtKernel<'a> {
    pub entry: &'a str,
    pub worker_partitioned: bool,
    pub vector_partitioned: bool,
    /// Has a loop spread over gangs, when it runs on a GPU.
    pub gang_loop: bool,
    /// The gang dimensions, from 1 to 3, that its loops are spread over one by one when it runs on a GPU.
    pub gang_dims: [bool; 3],
    /// Uses the launch's scratch memory.
    pub needs_scratch: bool,
    pub args_words: u32,
    pub max_workers: u32,
    pub max_vector: u32,
    /// The lanes of every launch, if the code relies on it.
    pub exact_lanes: Option<u32>,
    pub shared_worker_bytes: u64,
    pub scratch_gang_bytes: u64,
    pub scratch_worker_bytes: u64,
    /// The fast version, if there is one.
    pub disjoint: Option<CompanionDisjoint<'a>>,
    /// The versions for short and for long inner loops, if there are any.
    pub inner: Option<Box<[CompanionSimtKernel<'a>; 2]>>,
    /// The version for a grid that covers its loop, if there is one.
    pub grid: Option<Box<CompanionSimtKernel<'a>>>,
}

/// The version of a kernel for launches in which certain memory does not overlap; bit n of a mask is argument word n.
#[derive(Clone, Debug)]
pub struct CompanionDisjoint<'a> {
    pub entry: &'a str,
    /// Addresses of memory that is only read, …
    pub read_words: u64,
    /// … and of memory that is written.
    pub written_words: u64,
    /// Addresses that must be multiples of 16.
    pub aligned_words: u64,
}

/// The unit's code and the module that holds it; nothing when there is no code.
pub fn module(codes: &[CompanionCode]) -> String {
    if codes.is_empty() {
        return String::new();
    }
    // The code is longer than what every C compiler promises to take; those that are supported have no limit.
    let mut text = String::from("\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n");
    text.extend(codes.iter().map(CompanionCode::data));
    text.push_str("static const struct accrue_code accrue_codes[] = {\n");
    for code in codes {
        let symbol = code.symbol();
        let version = match code.form {
            CodeForm::Ptx { version, .. } => version,
            CodeForm::Machine(_) => 0,
        };
        let initial = initial::Code {
            kind: &(code.kind() as u32),
            sm: &code.sm,
            ptx: &version,
            pad: &0,
            bytes: &format!("sizeof {symbol} - 1"),
            text: &symbol,
        };
        let _ = writeln!(text, "    {initial},");
    }
    let initial = initial::Module {
        ncodes: &codes.len(),
        pad: &0,
        codes: &"accrue_codes",
        runtime: &0,
    };
    let _ = writeln!(
        text,
        "}};\nstatic struct accrue_module accrue_module = {initial};"
    );
    text
}

/// The name of the description of phase `phase` of directive `directive`.
pub fn kernel_symbol(directive: u32, phase: usize) -> String {
    format!("accrue_ptx_kernel_{directive}_{phase}")
}

/// The descriptions of a site's kernels that are in the unit's code.
pub fn kernels(site: &CompanionSite) -> String {
    let mut text = String::new();
    let kernels = site.site.kernels.iter().zip(&site.kernels);
    for (phase, (kernel, described)) in kernels.enumerate() {
        let Some(ptx) = &described.ptx else { continue };
        let symbol = kernel_symbol(site.site.directive, phase);
        let trip = kernel.trip.as_ref().map(|trip| &trip.program);
        let trip = program(&mut text, &format!("{symbol}_trip"), trip);
        let inner = match (&kernel.inner, &ptx.inner) {
            (Some(loops), Some(versions)) => {
                let program = program(&mut text, &format!("{symbol}_length"), Some(&loops.program));
                for ((version, described), which) in kernel
                    .inner_versions()
                    .iter()
                    .zip(&**versions)
                    .zip(["short", "long"])
                {
                    let symbol = format!("{symbol}_{which}");
                    description(&mut text, &symbol, version, described, [&trip, "0", "0"]);
                }
                let initial = initial::SimtInner {
                    length: &program,
                    narrow: &format!("&{symbol}_short"),
                    wide: &format!("&{symbol}_long"),
                };
                let _ = writeln!(
                    text,
                    "static const struct accrue_simt_inner {symbol}_inner = {initial};"
                );
                format!("&{symbol}_inner")
            }
            _ => "0".to_string(),
        };
        let grid = grid(&mut text, &symbol, kernel, ptx, &trip);
        description(&mut text, &symbol, kernel, ptx, [&trip, &inner, &grid]);
    }
    text
}

/// Appends the version of the kernel `symbol` for a grid that covers its loop; gives what stands for it.
fn grid(
    text: &mut String,
    symbol: &str,
    kernel: &SiteKernel,
    ptx: &CompanionSimtKernel,
    trip: &str,
) -> String {
    let (Some(grid), Some(version), Some(described)) =
        (&kernel.grid, kernel.grid_version(), &ptx.grid)
    else {
        return "0".to_string();
    };
    let of = |which: &str| format!("{symbol}_{which}");
    let columns = program(text, &of("columns"), Some(&grid.columns));
    let rows = program(text, &of("rows"), grid.rows.as_ref());
    let outer = program(text, &of("outer"), grid.outer.as_ref());
    let version_symbol = of("covering");
    description(text, &version_symbol, &version, described, [trip, "0", "0"]);
    let initial = initial::SimtGrid {
        columns: &columns,
        rows: &rows,
        outer: &outer,
        kernel: &format!("&{version_symbol}"),
    };
    let table = of("grid");
    let _ = writeln!(
        text,
        "static const struct accrue_simt_grid {table} = {initial};"
    );
    format!("&{table}")
}

/// Appends the definition of a program, and gives what stands for it.
fn program(text: &mut String, symbol: &str, program: Option<&Vec<Step>>) -> String {
    let Some(program) = program else {
        return "0".to_string();
    };
    let words: Vec<_> = encode(program).iter().map(i64::to_string).collect();
    let _ = writeln!(
        text,
        "static const long long {symbol}[] = {{ {} }};",
        words.join(", ")
    );
    symbol.to_string()
}

/// Appends the description `symbol` of one kernel. `trip`, `inner` and `grid` stand for its tables.
fn description(
    text: &mut String,
    symbol: &str,
    kernel: &SiteKernel,
    ptx: &CompanionSimtKernel,
    [trip, inner, grid]: [&str; 3],
) {
    let disjoint = match &ptx.disjoint {
        Some(version) => {
            let initial = initial::SimtDisjoint {
                entry: &c_string(version.entry.as_bytes()),
                read_words: &format!("{:#x}", version.read_words),
                written_words: &format!("{:#x}", version.written_words),
                aligned_words: &format!("{:#x}", version.aligned_words),
                runtime: &0,
            };
            let _ = writeln!(
                text,
                "static struct accrue_simt_disjoint {symbol}_disjoint = {initial};"
            );
            format!("&{symbol}_disjoint")
        }
        None => "0".to_string(),
    };
    let code = ptx.code(kernel);
    let initial = initial::SimtKernel {
        module: &"&accrue_module",
        entry: &c_string(ptx.entry.as_bytes()),
        flags: &code.flags,
        args_words: &ptx.args_words,
        max_workers: &code.max_workers,
        max_vector: &code.max_vector,
        shared_worker_bytes: &code.shared_worker_bytes,
        scratch_gang_bytes: &code.scratch_gang_bytes,
        scratch_worker_bytes: &code.scratch_worker_bytes,
        workers: &code.workers,
        vector: &ptx.exact_lanes.unwrap_or(code.vector),
        trip: &trip,
        runtime: &0,
        disjoint: &disjoint,
        inner: &inner,
        grid: &grid,
    };
    let _ = writeln!(
        text,
        "static struct accrue_simt_kernel {symbol} = {initial};"
    );
}

impl CompanionSimtKernel<'_> {
    /// What decides about launches of the kernel, which is `kernel` of the site.
    pub fn code(&self, kernel: &SiteKernel) -> Code {
        let shared = |by: fn(&GangTrip) -> bool| kernel.trip.as_ref().is_some_and(by);
        let flags = SimtFlags {
            workers: self.worker_partitioned,
            vector: self.vector_partitioned,
            scratch: self.needs_scratch,
            gang_worker_loop: shared(|trip| trip.workers),
            gang_vector_loop: shared(|trip| trip.vector),
            no_gang_loop: kernel.gang_loop && !self.gang_loop,
            several: shared(|trip| trip.several),
            gang_cost: shared(|trip| trip.gang_cost),
            gang_dims: self.gang_dims,
            only_loops: shared(|trip| trip.only_loops),
        };
        Code {
            flags: flags.bits(),
            max_workers: self.max_workers,
            max_vector: self.max_vector,
            shared_worker_bytes: self.shared_worker_bytes,
            scratch_gang_bytes: self.scratch_gang_bytes,
            scratch_worker_bytes: self.scratch_worker_bytes,
            workers: constant(kernel.num_workers),
            vector: constant(kernel.vector_length),
        }
    }
}

/// 0 for a size that is not given or not constant.
fn constant(size: ClauseSize) -> u32 {
    match size {
        ClauseSize::Absent | ClauseSize::Runtime => 0,
        ClauseSize::Constant(size) => u32::try_from(size).unwrap_or(u32::MAX),
    }
}
