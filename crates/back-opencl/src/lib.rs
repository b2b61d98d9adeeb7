//! From the par level to OpenCL C text, for any device behind OpenCL.
//!
//! A gang is a work-group, a worker a row of work-items, a vector lane a work-item. Nothing relies on how many of them run
//! together: there are no sub-groups, and only whole groups wait. Three steps:
//!
//! 1. [`accrue_simt`] turns the par dialect into `core` and what groups of threads have; all decisions about threads are there.
//!    [`target`] tells it what OpenCL 1.2 promises of every device.
//! 2. [`spaces`] writes into the types of pointers which memory they lead to. OpenCL C 1.2 has no pointers to any memory.
//! 3. [`accrue_emit_c`] walks over the result and writes C, in the dialect of [`c`]; [`kernel`] writes the heads of kernels,
//!    [`atomic`] atomic accesses ([`float_sums`] those that add), [`assertions`] those that end the program, [`library`] calls of library functions, [`heap`] those that take memory, and [`prelude`] is the text before all of them;
//!    [`reserved`] has the words that are no names, [`vectors`] loops of which several iterations run at a time. Ahead of that, [`added_barriers`] adds barriers that PoCL needs.
//!
//! ```text
//! %l = simt.query Lane                 for (long i = (int)get_local_id(0); i < n; i += …)
//! core.for %lo to %hi step %1 {   ──▶      a[i] = x * b[i];
//!   … core.store %v, %p
//! }
//! ```
//! A kernel whose reductions further launches end ([`accrue_simt::reduce`]) has a second one for these beside it. [`doubles`] finds kernels that devices without `cl_khr_fp64` cannot run.
//!
//! A kernel that the text cannot say (a pointer that leads now to the thread's own memory, now to the device's) is left out and
//! reported as [`Skipped`]; the runtime runs it on the host.

mod added_barriers;
mod assertions;
mod atomic;
mod c;
mod doubles;
mod float_sums;
mod heap;
mod kernel;
mod library;
mod nulls;
mod prelude;
mod print;
mod reserved;
mod spaces;
mod strings;
mod vectors;
mod wide;

pub use accrue_dialects::core::layout;
pub use accrue_ir::diagnostic::{self, Diagnostic};
pub use accrue_simt::{Policy, Skipped, Target, expanded};

use accrue_dialects::core::Externs;
use accrue_hostcall::{Made, SimtForm, Site};
use accrue_simt::{
    printf::{self, Words},
    target::Has,
};
use added_barriers::Waiting;
use pliron::{
    builtin::ops::ModuleOp,
    context::{Context, Ptr},
    operation::Operation,
};

/// How the text is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `a * b + c` may be rounded once (`-ffp-contract=fast`, GCC's default for C).
    pub contract: bool,
    /// What the user wants of reductions (`-freduction=`).
    pub reductions: Policy,
    /// For CPU cores: a gang is one work item.
    pub cores: bool,
}

/// The OpenCL C text of the kernels of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenClText {
    pub text: String,
    /// Of those that could be made.
    pub forms: Made<SimtForm>,
    pub skipped: Vec<Skipped>,
}

/// What every device behind OpenCL 1.2 has.
pub fn target() -> Target {
    Target {
        devices: "OpenCL devices",
        pointer_bytes: 8,
        subgroup: 1,
        subgroup_reduce: Has::No,
        partial_barriers: false,
        one_lane: false,
        further_launches: true,
        // Devices have 32 KiB at least; reductions need some as well.
        shared_bytes: 24 * 1024,
        library,
    }
}

/// Library functions as OpenCL C has them.
fn library(
    ctx: &mut Context,
    function: Ptr<Operation>,
    externs: &Externs,
) -> Result<(), Diagnostic> {
    let words = Words {
        devices: "OpenCL devices",
        long: "l",
        width_arguments: false,
    };
    printf::expand(ctx, function, externs, words)
}

/// Turns the kernels of `sites` and the functions they call into OpenCL C. Changes `module`: its par operations are gone
/// afterwards.
pub fn emit(
    ctx: &mut Context,
    module: ModuleOp,
    sites: &[Site],
    options: &Options,
) -> Result<OpenClText, Vec<Diagnostic>> {
    let target = Target {
        one_lane: options.cores,
        ..target()
    };
    let expanded = accrue_simt::expand(ctx, module, sites, &target, options.reductions)?;
    let waiting = match options.cores {
        true => Waiting::default(),
        false => added_barriers::insert(ctx, &expanded),
    };
    Ok(print::unit(ctx, expanded, &waiting, sites, options))
}
