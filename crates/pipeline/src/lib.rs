//! All passes in order, from the source level to what back ends expand: every compute construct becomes kernel functions,
//! every directive a site.
//!
//! ```text
//! acc.parallel dataOperands(%x, %n) {       →   builtin.func @accrue_k0_0 : (ptr f64, i32) {  par.kernel …
//!   acc.loop … { x[i] = 2 * x[i] }                par.fork gang 1
//! }                                               core.for … share of par.dim_pos gang … { x[i] = 2 * x[i] }
//!                                                 par.join gang 1 }
//! ```
//!
//! [`PASSES`] is the whole of it: that of `lower-omp` takes `omp` away, those of `lower-acc` take `acc` away, those of `opt` know `par` and `core` only. Each pass has a
//! file of its own that says what it does. Any of them can be run by name, and the IR can be looked at after each.

pub mod linked;

use accrue_diag::Diagnostic;
use accrue_hostcall::{Site, Stretches};
use accrue_ir::verify::verify;
use accrue_lower_acc as acc;
use accrue_lower_omp as omp;
use accrue_opt::{Pass, Remark, State, Switches, Target, gpu, reductions, transform};
use pliron::{builtin::ops::ModuleOp, context::Context, op::Op, printable::Printable};

/// All passes, in order.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "omp-regions",
        summary: "OpenMP's regions become compute constructs with loops of levels",
        run: omp::run,
    },
    Pass {
        name: "device-types",
        summary: "what clauses with device types say on the target",
        run: acc::device_types::run,
    },
    Pass {
        name: "check-clauses",
        summary: "restrictions on the variables of clauses",
        run: acc::check_clauses::run,
    },
    Pass {
        name: "helper-globals",
        summary: "functions on the device get globals as parameters",
        run: acc::helper_globals::run,
    },
    Pass {
        name: "privatize",
        summary: "private variables get storage of their own",
        run: acc::privatize::run,
    },
    Pass {
        name: "kernels-scalars",
        summary: "scalars that iterations in kernels assign first become their own",
        run: acc::kernels_scalars::run,
    },
    Pass {
        name: "inferred-reductions",
        summary: "loops reduce what they only update by an operator",
        run: acc::inferred_reductions::run,
    },
    Pass {
        name: "implicit-data",
        summary: "every variable of a region gets a data attribute",
        run: acc::implicit_data::run,
    },
    Pass {
        name: "lost-values",
        summary: "warnings of values that regions compute and nobody gets",
        run: acc::lost_values::run,
    },
    Pass {
        name: "unobserved-waits",
        summary: "loops of the host in which nothing can tell whether a construct is complete",
        run: acc::unobserved_waits::run,
    },
    Pass {
        name: "dependence",
        summary: "which loops are free of dependences",
        run: acc::dependence::run,
    },
    Pass {
        name: "assign-levels",
        summary: "loops get gang, worker and vector levels",
        run: acc::assign_levels::run,
    },
    Pass {
        name: "single-modes",
        summary: "questions for positions where nothing is spread over their level",
        run: acc::single_modes::run,
    },
    Pass {
        name: "implied-reductions",
        summary: "loops inside a reduction reduce the variable too",
        run: acc::implied_reductions::run,
    },
    Pass {
        name: "certain-races",
        summary: "warnings of places that all iterations write at the same time",
        run: acc::certain_races::run,
    },
    Pass {
        name: "rounds",
        summary: "loops in order around loops over gangs are left to launches",
        run: acc::rounds::run,
    },
    Pass {
        name: "phases",
        summary: "kernels constructs are split into phases",
        run: acc::kernel_splitting::run,
    },
    Pass {
        name: "outline",
        summary: "compute constructs become kernel functions",
        run: acc::outline::run,
    },
    Pass {
        name: "each-gang",
        summary: "versions of kernels with a gang for each of few iterations",
        run: acc::each_gang::run,
    },
    Pass {
        name: "par-loops",
        summary: "loops of directives become loops of the par dialect",
        run: acc::par_loops::run,
    },
    Pass {
        name: "declared-reductions",
        summary: "functions of declared reductions take and give numbers",
        run: reductions::declared_functions::run,
    },
    Pass {
        name: "heap-arrays",
        summary: "arrays whose length is known at run time get memory of the heap, on GPUs",
        run: gpu::heap_arrays::run,
    },
    Pass {
        name: "inline",
        summary: "short functions become part of what calls them, on GPUs",
        run: transform::inline::run,
    },
    Pass {
        name: "continues",
        summary: "what a `continue` leaves out goes into a condition, on GPUs",
        run: transform::continues::run,
    },
    Pass {
        name: "private-scalars",
        summary: "scalars that iterations assign first become their own",
        run: transform::private_scalars::run,
    },
    Pass {
        name: "interchange",
        summary: "loops in order around loops over lanes go into them, on GPUs",
        run: gpu::interchange::run,
    },
    Pass {
        name: "fused-lanes",
        summary: "neighbouring loops over lanes become one where lanes update the same elements, on GPUs",
        run: gpu::fused_lanes::run,
    },
    Pass {
        name: "grid-versions",
        summary: "versions of kernels whose grid has a thread for every iteration",
        run: gpu::grid_versions::run,
    },
    Pass {
        name: "partition",
        summary: "loops run over each thread's share",
        run: transform::partition::run,
    },
    Pass {
        name: "reductions",
        summary: "reductions become the par builtins",
        run: reductions::run,
    },
    Pass {
        name: "sincos",
        summary: "sincos becomes sin and cos, on GPUs",
        run: gpu::sincos::run,
    },
    Pass {
        name: "promote",
        summary: "variables that are written once become values, on GPUs",
        run: gpu::promote::run,
    },
    Pass {
        name: "scalar-fields",
        summary: "structs and arrays without variable indices become scalars, on GPUs",
        run: gpu::scalar_replacement::run_early,
    },
    Pass {
        name: "select-values",
        summary: "branches between cheap values become selections, also in bounds of loops, on GPUs",
        run: gpu::select_arms::run_early,
    },
    Pass {
        name: "histogram",
        summary: "small arrays that gangs update atomically get a copy per gang",
        run: transform::privatized_atomics::run,
    },
    Pass {
        name: "counted-loops",
        summary: "loops that count become counted loops, on GPUs",
        run: gpu::counted_loops::run,
    },
    Pass {
        name: "delayed-reductions",
        summary: "lanes bring together what they reduce behind the loops around, on GPUs",
        run: reductions::delayed::run,
    },
    Pass {
        name: "selections",
        summary: "what sequential loops load at an index they choose is kept with it, on GPUs",
        run: gpu::selections::run,
    },
    Pass {
        name: "usual-counts",
        summary: "loops whose bounds are cut at edges have a version of constant length, on GPUs",
        run: gpu::usual_counts::run,
    },
    Pass {
        name: "alternation",
        summary: "sequential loops that use rows of an array in turns run a round of them at a time, on GPUs",
        run: gpu::alternation::run,
    },
    Pass {
        name: "scalar-promotion",
        summary: "what loops update in memory is kept in variables, where the launch says that nothing else is there, on GPUs",
        run: gpu::scalar_promotion::run,
    },
    Pass {
        name: "full-unroll",
        summary: "short loops with known bounds become straight code, on GPUs",
        run: gpu::full_unroll::run,
    },
    Pass {
        name: "known-elements",
        summary: "what the host sets to constants is constant, on GPUs",
        run: gpu::known_elements::run,
    },
    Pass {
        name: "scalar-replacement",
        summary: "structs and small arrays become scalars, on GPUs",
        run: gpu::scalar_replacement::run,
    },
    Pass {
        name: "wide-locals",
        summary: "variables of 8 and 16 bits are kept extended to registers, on GPUs",
        run: gpu::wide_locals::run,
    },
    Pass {
        name: "remainders",
        summary: "remainders of what is a few times around at most become comparisons",
        run: gpu::remainders::run,
    },
    Pass {
        name: "inductions",
        summary: "what iterations move on by the same distance is computed from the counter, on GPUs",
        run: gpu::inductions::run,
    },
    Pass {
        name: "common-values",
        summary: "what is computed twice from the same is computed once, on GPUs",
        run: gpu::common_values::run,
    },
    Pass {
        name: "simplify-math",
        summary: "roots, powers and divisions with constants become cheaper, on GPUs",
        run: gpu::simplify_math::run,
    },
    Pass {
        name: "select-arms",
        summary: "the same for what has become cheap, on GPUs",
        run: gpu::select_arms::run,
    },
    Pass {
        name: "invariants",
        summary: "divisions and functions of what does not change leave loops, on GPUs",
        run: gpu::loop_invariants::run,
    },
    Pass {
        name: "recurrences",
        summary: "what sequential loops load and have stored one iteration earlier is kept in registers, on GPUs",
        run: gpu::recurrences::run,
    },
    Pass {
        name: "staging",
        summary: "what all lanes of a gang read is loaded once, into memory of the gang",
        run: gpu::staging::run,
    },
    Pass {
        name: "rows",
        summary: "threads of grids that cover a nest do several rows that load the same",
        run: gpu::rows::run,
    },
    Pass {
        name: "jammed-lanes",
        summary: "lanes do several iterations at a time whose loops load the same, on GPUs",
        run: gpu::jammed_lanes::run,
    },
    Pass {
        name: "jammed-sums",
        summary: "sequential loops whose lanes only add up do several iterations at a time, on GPUs",
        run: gpu::jammed_sums::run,
    },
    Pass {
        name: "accumulators",
        summary: "what sequential loops update in memory is kept in registers, where addresses allow it, on GPUs",
        run: gpu::accumulators::run,
    },
    Pass {
        name: "kept-rows",
        summary: "rows that several vector loops go along stay in registers, on GPUs",
        run: gpu::kept_rows::run,
    },
    Pass {
        name: "vector-versions",
        summary: "versions of kernels for short and long inner loops",
        run: gpu::vector_versions::run,
    },
    Pass {
        name: "warp-gangs",
        summary: "versions of kernels of many gangs with short loops over lanes, whose gangs are a warp, on GPUs",
        run: gpu::warp_gangs::run,
    },
    Pass {
        name: "interleave",
        summary: "vector loops on GPUs work on several iterations at once",
        run: gpu::interleave::run,
    },
    Pass {
        name: "quotients",
        summary: "remainders beside quotients of the same numbers are what those leave, on GPUs",
        run: gpu::quotients::run,
    },
    Pass {
        name: "addresses",
        summary: "addresses that differ by little start from each other, on GPUs",
        run: gpu::addresses::run,
    },
    Pass {
        name: "strength",
        summary: "sequential loops on GPUs add up addresses",
        run: gpu::strength_reduction::run,
    },
    Pass {
        name: "unroll",
        summary: "short sequential loops on GPUs run several iterations at a time",
        run: gpu::unroll::run,
    },
    Pass {
        name: "shared-divisors",
        summary: "quotients with a divisor in common share its reciprocal, on GPUs",
        run: gpu::shared_divisors::run,
    },
    Pass {
        name: "early-loads",
        summary: "loads on GPUs come before divisions and mathematical functions",
        run: gpu::early_loads::run,
    },
    Pass {
        name: "vector-types",
        summary: "loops of which several iterations run at a time, on cores behind OpenCL",
        run: gpu::vector_types::run,
    },
    Pass {
        name: "level-queries",
        summary: "questions for positions and sizes of levels get their answers",
        run: transform::level_queries::run,
    },
    Pass {
        name: "sites",
        summary: "one site per directive",
        run: acc::sites::run,
    },
    Pass {
        name: "drop-host",
        summary: "functions that no kernel calls go away",
        run: transform::drop_host::run,
    },
];

/// How to lower.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub target: Target,
    /// Mathematical operations stay as they are written where anything else would change bits of results.
    pub plain_math: bool,
    /// Mathematical functions may have other errors than the library's for one number.
    pub fast_math: bool,
    /// The pass of this name, and those before it, have been run.
    pub start_after: Option<&'static str>,
    /// Stop after the pass of this name.
    pub stop_after: Option<String>,
    /// What the user has switched off.
    pub off: Switches,
}

/// What lowering gives beside the changed module.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// One site per directive that calls the runtime, by directive number.
    pub sites: Vec<Site>,
    /// Where the host waits for synchronous constructs that it does not wait for one by one.
    pub stretches: Stretches,
    pub remarks: Vec<Remark>,
    pub warnings: Vec<Diagnostic>,
}

/// Lowers `module` through all passes, or those that the options name. With errors the module is left half lowered.
pub fn lower(
    ctx: &mut Context,
    module: ModuleOp,
    options: &Options,
) -> Result<Lowered, Vec<Diagnostic>> {
    let mut state = State {
        target: options.target,
        plain_math: options.plain_math,
        fast_math: options.fast_math,
        off: options.off,
        ..State::default()
    };
    let done = |name| PASSES.iter().position(|pass| pass.name == name);
    let first = options.start_after.and_then(done).map_or(0, |at| at + 1);
    for (at, pass) in PASSES.iter().enumerate().skip(first) {
        run_unverified(ctx, module, pass, &mut state)?;
        let last = at + 1 == PASSES.len() || options.stop_after.as_deref() == Some(pass.name);
        if cfg!(debug_assertions) && (last || at % VERIFIED_TOGETHER == 0) {
            verify_after(ctx, module, pass)?;
        }
        if last {
            break;
        }
    }
    Ok(Lowered {
        sites: state.sites,
        stretches: state.stretches,
        remarks: state.remarks,
        warnings: state.warnings,
    })
}

/// The verifier takes as long as several passes do: where all passes run, debug builds look at every one of so many. Which of those
/// is to blame, `accrue opt` says, pass by pass.
const VERIFIED_TOGETHER: usize = 10;

/// Runs one pass; in debug builds the result is verified.
pub fn run_pass(
    ctx: &mut Context,
    module: ModuleOp,
    pass: &Pass,
    state: &mut State,
) -> Result<(), Vec<Diagnostic>> {
    run_unverified(ctx, module, pass, state)?;
    if cfg!(debug_assertions) {
        verify_after(ctx, module, pass)?;
    }
    Ok(())
}

fn run_unverified(
    ctx: &mut Context,
    module: ModuleOp,
    pass: &Pass,
    state: &mut State,
) -> Result<(), Vec<Diagnostic>> {
    (pass.run)(ctx, module, state);
    if state.diagnostics.is_empty() {
        Ok(())
    } else {
        Err(std::mem::take(&mut state.diagnostics))
    }
}

fn verify_after(ctx: &Context, module: ModuleOp, pass: &Pass) -> Result<(), Vec<Diagnostic>> {
    let failure = verify(module.get_operation(), ctx)
        .err()
        .map(|e| e.disp(ctx).to_string());
    let failure = failure.or_else(|| reductions::verifier::check(ctx, module, pass.name));
    match failure {
        Some(failure) => {
            let message = format!("the IR is wrong after the pass {}: {failure}", pass.name);
            let help = "this is a mistake in accrue; please report it with the source file";
            Err(vec![Diagnostic::error(message).help(help)])
        }
        None => Ok(()),
    }
}
