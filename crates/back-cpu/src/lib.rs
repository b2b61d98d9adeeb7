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
use accrue_hostcall::{CpuForm, Made, Site};
use pliron::{builtin::ops::ModuleOp, context::Context};

/// A loop of which the C compiler is told that its iterations are independent, so that it can make SIMD code of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SimdLoop {
    /// Line and column in the user's file.
    pub position: (u32, u32),
    /// It may reorder the loop's reductions as well.
    pub reductions: bool,
}

/// The C text of the kernels of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CpuText {
    pub text: String,
    pub forms: Made<CpuForm>,
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
    let form = |k: &expand::ExpandedKernel| {
        let form = CpuForm {
            entry: shown(&k.name),
            finish: k.finish.as_ref().map(|f| shown(&f.name)),
            slot_bytes: k.finish.as_ref().map_or(0, |f| f.slot_bytes),
        };
        (k.name.clone(), form)
    };
    Ok(CpuText {
        text,
        forms: expanded.kernels.iter().map(form).collect(),
        simd_loops: simd::loops(ctx, &expanded.hints),
    })
}
