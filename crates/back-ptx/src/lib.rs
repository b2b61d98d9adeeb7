//! From the par level to PTX text for NVIDIA GPUs.
//!
//! A gang is a block, a worker the threads with the same `tid.y`, a vector lane a thread, a sub-group a warp. Three steps:
//!
//! 1. [`accrue_simt`] turns the par dialect into `core` and what groups of threads have; all decisions about threads are there.
//!    [`target`] tells it what NVIDIA's GPUs are like.
//! 2. [`select`] walks over the result and makes PTX instructions ([`code`]). Some kernels get a second, fast version for
//!    launches whose arguments do not overlap ([`accrue_hostcall::Disjoint`]).
//! 3. Passes over instructions ([`code::widen`]), then [`code::text`] prints them.
//!
//! ```text
//! %l = simt.query Lane                 mov.u32 %r1, %tid.x;
//! core.for %lo to %hi step %1 {   ──▶  L1: setp.ge.s32 %p1, %r2, %r3;  @%p1 bra L3;
//!   … core.store %v, %p                …  st.global.f64 [%rd4+8], %fd1;
//! }                                    L2: add.s32 %r2, %r2, 1;  bra L1;
//! ```
//! A kernel that a GPU cannot run (`long double`, variable-length arrays) is left out and reported as [`Skipped`]; the
//! runtime runs it on the host. Functions of the device library are called by their C name with `__accrue_` in front;
//! their text is part of the result.

pub mod code;
mod registers;
pub mod select;

pub use accrue_simt::{Algorithm, Chosen, Policy, Skipped, expanded};

pub use accrue_dialects::core::layout;
pub use accrue_ir::diagnostic::{self, Diagnostic};

use accrue_simt::{
    Target,
    analysis::{origins, residue, spaces, versions},
    dialect,
    printf::{self, Words},
    target::Has,
};

/// Threads of a warp.
pub const WARP: u32 = accrue_abi::launch::WARP;

use accrue_dialects::core::Externs;
use accrue_hostcall::{Made, SimtForm, Site};
use pliron::{
    builtin::ops::ModuleOp,
    context::{Context, Ptr},
    operation::Operation,
};
use std::collections::BTreeMap;

/// For which GPU and how the text is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Compute capability, 10 * major + minor: 60, 70, 80, 90, 100.
    pub sm: u32,
    /// Version of the PTX language.
    pub ptx: (u32, u32),
    /// Source lines for the debugger and the profiler (`.file`, `.loc`).
    pub debug: bool,
    /// `a * b + c` may be rounded once (`-ffp-contract=fast`, GCC's default for C).
    pub contract: bool,
    /// Division, square root and elementary functions of `float` may be approximate, and complex numbers are finite
    /// (`-ffast-math`).
    pub fast_math: bool,
    /// Divisions are divisions, also by constants (`-gpu=plainmath`).
    pub plain_math: bool,
    /// Short functions of the device library are inlined.
    pub inline_math: bool,
    /// What the user wants of reductions (`-freduction=`).
    pub reductions: Policy,
}

/// The PTX text of the kernels of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PtxText {
    pub text: String,
    /// Of those that could be made.
    pub forms: Made<SimtForm>,
    /// How the values of a kernel's reductions are combined, by its function. Launches do not depend on it.
    pub reductions: BTreeMap<String, Vec<Chosen>>,
    /// Functions of the device library that stay calls in a kernel, and in what it calls, by the kernel's function.
    pub library: BTreeMap<String, Vec<String>>,
    pub skipped: Vec<Skipped>,
    /// For some newer GPU the code would be another one than but for its head (version and target).
    pub newer_differ: bool,
}

/// What NVIDIA's GPUs are like. `sm`: the compute capability, times ten.
pub fn target(sm: u32) -> Target {
    Target {
        devices: "NVIDIA GPUs",
        pointer_bytes: 8,
        subgroup: WARP,
        subgroup_reduce: if sm >= 80 { Has::Yes } else { Has::Newer },
        partial_barriers: true,
        one_lane: false,
        further_launches: false,
        // The hardware has 48 KiB; reductions need some as well.
        shared_bytes: 40 * 1024,
        library,
    }
}

/// Library functions as CUDA's driver has them.
fn library(
    ctx: &mut Context,
    function: Ptr<Operation>,
    externs: &Externs,
) -> Result<(), Diagnostic> {
    let words = Words {
        devices: "a GPU",
        long: "ll",
        width_arguments: true,
    };
    printf::expand(ctx, function, externs, words)
}

/// Turns the kernels of `sites` and the functions they call into PTX. Changes `module`: its par operations are gone
/// afterwards.
pub fn emit(
    ctx: &mut Context,
    module: ModuleOp,
    sites: &[Site],
    options: &Options,
) -> Result<PtxText, Vec<Diagnostic>> {
    let target = target(options.sm);
    let expanded = accrue_simt::expand(ctx, module, sites, &target, options.reductions)?;
    select::unit(ctx, expanded, sites, options)
}
