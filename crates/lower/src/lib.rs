//! From the source level (`acc` + `core`) to the par level: every compute construct becomes kernel functions, every
//! directive a site.
//!
//! ```text
//! acc.parallel dataOperands(%x, %n) {       →   builtin.func @accrue_k0_0 : (ptr f64, i32) {  par.kernel …
//!   acc.loop … { x[i] = 2 * x[i] }                par.fork gang 1
//! }                                               core.for … share of par.dim_pos gang … { x[i] = 2 * x[i] }
//!                                                 par.join gang 1 }
//! ```
//!
//! [`PASSES`] is the whole of it, in order; each pass has a file of its own that says what it does. Any of them can be run
//! by name, and the IR can be looked at after each.

pub mod acc;
pub mod analysis;
pub mod attributes;
pub mod diagnostic;
pub mod emit;
mod gpu;
pub mod reductions;
pub mod transform;

pub use acc::assign_levels::name as level_name;
use accrue_diag::Diagnostic;
use accrue_image::Site;
use accrue_ir::{place, verify::verify, walk::enclosing};
use attributes::{COVERS, Covers};
pub use diagnostic::{Region, Remark, Subject};
use diagnostic::{file_of, position, region_of, subject_of};
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    printable::Printable,
};
use std::collections::{HashMap, HashSet};

/// One step of the way down.
pub struct Pass {
    /// Name on the command line (`accrue ir --after=NAME`).
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// Changes the module; reports mistakes to the state.
    pub run: fn(&mut Context, ModuleOp, &mut State),
}

/// All passes, in order.
pub const PASSES: &[Pass] = &[
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
        name: "dependence",
        summary: "which loops are free of dependences",
        run: analysis::dependence::run,
    },
    Pass {
        name: "assign-levels",
        summary: "loops get gang, worker and vector levels",
        run: acc::assign_levels::run,
    },
    Pass {
        name: "implied-reductions",
        summary: "loops inside a reduction reduce the variable too",
        run: acc::implied_reductions::run,
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
        name: "par-loops",
        summary: "loops of directives become loops of the par dialect",
        run: acc::par_loops::run,
    },
    Pass {
        name: "inline",
        summary: "short functions become part of what calls them, on GPUs",
        run: transform::inline::run,
    },
    Pass {
        name: "private-scalars",
        summary: "scalars that iterations assign first become their own",
        run: transform::private_scalars::run,
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
        name: "histogram",
        summary: "small arrays that gangs update atomically get a copy per gang",
        run: transform::privatized_atomics::run,
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
        name: "counted-loops",
        summary: "loops that count become counted loops, on GPUs",
        run: gpu::counted_loops::run,
    },
    Pass {
        name: "full-unroll",
        summary: "short loops with known bounds become straight code, on GPUs",
        run: gpu::full_unroll::run,
    },
    Pass {
        name: "scalar-replacement",
        summary: "structs and small arrays become scalars, on GPUs",
        run: gpu::scalar_replacement::run,
    },
    Pass {
        name: "simplify-math",
        summary: "roots, powers and divisions with constants become cheaper, on GPUs",
        run: gpu::simplify_math::run,
    },
    Pass {
        name: "select-arms",
        summary: "branches between cheap values become selections, on GPUs",
        run: gpu::select_arms::run,
    },
    Pass {
        name: "interleave",
        summary: "vector loops on GPUs work on several iterations at once",
        run: gpu::interleave::run,
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
        name: "sites",
        summary: "one site per directive",
        run: acc::sites::run,
    },
    Pass {
        name: "vector-versions",
        summary: "versions of kernels for short and long inner loops",
        run: gpu::vector_versions::run,
    },
    Pass {
        name: "drop-host",
        summary: "functions that no kernel calls go away",
        run: acc::drop_host::run,
    },
];

/// What kernels are made for. It decides which clauses hold and how a loop's iterations are shared out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// CPU cores: each thread takes a contiguous chunk.
    #[default]
    Cpu,
    /// GPUs: consecutive threads take consecutive iterations, so that their accesses to memory are consecutive too.
    Gpu,
}

/// How to lower.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub target: Target,
    /// Mathematical operations stay as they are written where anything else would change bits of results.
    pub plain_math: bool,
    /// Stop after the pass of this name.
    pub stop_after: Option<String>,
    /// No versions of kernels for grids that cover a loop.
    pub strided_only: bool,
}

/// What lowering gives beside the changed module.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// One site per directive that calls the runtime, by directive number.
    pub sites: Vec<Site>,
    pub remarks: Vec<Remark>,
    pub warnings: Vec<Diagnostic>,
}

/// What the passes share.
#[derive(Default)]
pub struct State {
    pub target: Target,
    /// See [`Options::plain_math`].
    pub plain_math: bool,
    /// As in [`Options`].
    pub strided_only: bool,
    /// For the pass `sites`, from `partition`.
    pub gang_trips: analysis::gang_trip::GangTrips,
    /// Loops that passes have added to kernels: they are not the user's, and nothing is remarked on them.
    pub added_loops: HashSet<Ptr<Operation>>,
    /// The variables behind the parameters of kernels, by directive, for remarks.
    pub parameter_names: HashMap<u32, Vec<String>>,
    pub sites: Vec<Site>,
    pub remarks: Vec<Remark>,
    pub warnings: Vec<Diagnostic>,
    /// The remarks made so far, so that none is made twice.
    pub remarked: HashSet<Remark>,
    pub diagnostics: Vec<Diagnostic>,
}

/// The warning of a value that is computed and lost.
const LOST_VALUE: &str = "openacc-lost-value";

impl State {
    /// Reports a mistake at `op`, once: what a clause becomes at entry and at exit has the same mistakes.
    pub fn error(
        &mut self,
        ctx: &Context,
        op: Ptr<Operation>,
        message: String,
        section: &'static str,
        help: &str,
    ) {
        let mut diagnostic = place::error_at(ctx, op, message);
        diagnostic.details.section = Some(section).filter(|section| !section.is_empty());
        diagnostic.details.help = Some(help.to_string()).filter(|help| !help.is_empty());
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Warns, once, that a value is lost between the first place and the second; each comes with what happens there.
    pub fn lost_value(
        &mut self,
        ctx: &Context,
        (write, label): (Ptr<Operation>, &str),
        (read, related): (Ptr<Operation>, &str),
        message: String,
        section: &'static str,
        help: &str,
    ) {
        let warning = place::or_at(Diagnostic::warning(message), ctx, write)
            .option(LOST_VALUE)
            .label(label)
            .section(section)
            .help(help);
        let warning = match place::place(ctx, read) {
            Some(place) => warning.related(place, related),
            None => warning,
        };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Remarks what became of something at `op`.
    pub fn remark(
        &mut self,
        ctx: &Context,
        op: Ptr<Operation>,
        pass: &'static str,
        message: String,
    ) {
        self.remark_on(ctx, op, subject_of(ctx, op), pass, message);
    }

    /// Remarks what became of `subject` at `op`, once.
    pub fn remark_on(
        &mut self,
        ctx: &Context,
        op: Ptr<Operation>,
        subject: Subject,
        pass: &'static str,
        message: String,
    ) {
        let function = enclosing::<FuncOp>(ctx, op).map_or(op, |f| f.get_operation());
        let in_version = attributes::get::<Covers>(ctx, function, &COVERS).is_some();
        if self.added_loops.contains(&op) || in_version {
            return;
        }
        let (line, column) = position(ctx, op);
        let remark = Remark {
            message,
            file: file_of(ctx, op),
            line,
            column,
            pass,
            region: region_of(ctx, op),
            subject,
        };
        if line == 0 || self.remarked.insert(remark.clone()) {
            self.remarks.push(remark);
        }
    }
}

/// Lowers `module` through all passes, or up to `options.stop_after`. With errors the module is left half lowered.
pub fn lower(
    ctx: &mut Context,
    module: ModuleOp,
    options: &Options,
) -> Result<Lowered, Vec<Diagnostic>> {
    let mut state = State {
        target: options.target,
        plain_math: options.plain_math,
        strided_only: options.strided_only,
        ..State::default()
    };
    for pass in PASSES {
        run_pass(ctx, module, pass, &mut state)?;
        if options.stop_after.as_deref() == Some(pass.name) {
            break;
        }
    }
    Ok(Lowered {
        sites: state.sites,
        remarks: state.remarks,
        warnings: state.warnings,
    })
}

/// Runs one pass; in debug builds the result is verified.
pub fn run_pass(
    ctx: &mut Context,
    module: ModuleOp,
    pass: &Pass,
    state: &mut State,
) -> Result<(), Vec<Diagnostic>> {
    (pass.run)(ctx, module, state);
    if !state.diagnostics.is_empty() {
        return Err(std::mem::take(&mut state.diagnostics));
    }
    if cfg!(debug_assertions) {
        let failure = verify(module.get_operation(), ctx)
            .err()
            .map(|e| e.disp(ctx).to_string());
        if let Some(failure) =
            failure.or_else(|| reductions::verifier::check(ctx, module, pass.name))
        {
            let message = format!("the IR is wrong after the pass {}: {failure}", pass.name);
            let help = "this is a mistake in accrue; please report it with the source file";
            return Err(vec![Diagnostic::error(message).help(help)]);
        }
    }
    Ok(())
}
