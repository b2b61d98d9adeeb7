//! From the par level to C text for CPU cores.
//!
//! Gangs are threads, vector loops are SIMD code by the user's own C compiler, workers do not exist (there is one per
//! gang). Two steps:
//!
//! 1. [`expand`] turns the par dialect into `core` and what the CPU has ([`dialect`]); all decisions are here.
//! 2. [`accrue_emit_c`] walks over the result and writes C, in the dialect of the user's compiler ([`c`]); [`kernel`] writes
//!    the heads of kernels, [`atomic`] atomic accesses.
//!
//! ```text
//! par.dim_pos Gang                       const long gang = (long)position;
//! core.for %lo to %hi step %1 {   ──▶    for (long i = lo; i < hi; ++i) {
//!   … core.store %v, %p                      a[i] = x * b[i];
//! }                                      }
//! ```
//! The text needs the declaration of `struct accrue_cpu_launch` before it, no header and no preprocessor. Its loops carry
//! `#pragma omp simd`, so it is to be compiled with `-fopenmp-simd`.

mod atomic;
mod c;
pub mod dialect;
pub mod expand;
mod fold;
mod kernel;
mod print;
pub mod reductions;
pub mod simd;

pub use accrue_dialects::core::layout;
pub use accrue_ir::diagnostic::{self, Diagnostic};

use accrue_abi::symbols::shown;
use accrue_hostcall::Site;
use pliron::{builtin::ops::ModuleOp, context::Context};

/// The C names of one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuKernel {
    /// The kernel's function in the IR, as [`accrue_hostcall::SiteKernel::function`] names it.
    pub function: String,
    /// C function for one gang; the text is one unit's, and its functions are `static`.
    pub entry: String,
    /// C function to call after the last gang.
    pub finish: Option<String>,
    /// Bytes of a gang's slot; 0 for none.
    pub slot_bytes: u64,
}

/// A loop of which the C compiler is told that its iterations are independent, so that it can make SIMD code of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SimdLoop {
    /// Line and column in the user's file.
    pub position: (u32, u32),
    /// It may reorder the loop's reductions as well.
    pub reductions: bool,
}

/// The C text of the kernels of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuText {
    pub text: String,
    /// In the order of sites and their kernels.
    pub kernels: Vec<CpuKernel>,
    /// By position.
    pub simd_loops: Vec<SimdLoop>,
}

/// Turns the kernels of `sites` and the functions they call into C. Changes `module`: its par operations are gone
/// afterwards. With `places` the text has line markers, which lead debuggers and sanitizers to the user's files.
pub fn emit(
    ctx: &mut Context,
    module: ModuleOp,
    sites: &[Site],
    places: bool,
) -> Result<CpuText, Vec<Diagnostic>> {
    let expanded = expand::expand(ctx, module, sites)?;
    let text = print::unit(ctx, &expanded, sites, places)?;
    let kernel = |k: &expand::ExpandedKernel| CpuKernel {
        function: k.name.clone(),
        entry: shown(&k.name),
        finish: k.finish.as_ref().map(|f| shown(&f.name)),
        slot_bytes: k.finish.as_ref().map_or(0, |f| f.slot_bytes),
    };
    Ok(CpuText {
        text,
        kernels: expanded.kernels.iter().map(kernel).collect(),
        simd_loops: simd::loops(ctx, &expanded.hints),
    })
}
