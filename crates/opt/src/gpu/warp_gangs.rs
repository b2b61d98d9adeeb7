//! Pass `warp-gangs` (GPUs): versions of kernels whose gangs are one warp each, for many gangs with short loops over lanes.
//!
//! ```text
//! #pragma acc parallel loop gang vector_length(128)      accrue_k0_0        4 warps for each system
//! for (int s = 0; s < systems; s++)                  →   accrue_k0_0_each   1 warp for each system, in launches of many
//!     for (int k = 0; k < 16; k++) {
//!         #pragma acc loop vector
//!         for (int i = k + 1; i < 16; i++) …
//!         #pragma acc loop vector collapse(2)
//!         for (int i = k + 1; i < 16; i++)
//!             for (int j = k + 1; j < 16; j++) …
//!     }
//! ```
//! Small systems of equations, elements with few nodes, states of few members: a gang has each, and goes from one short loop over lanes to
//! the next. All warps of the gang take part in every step, with lanes idle, and wait for each other behind it. Where there are enough
//! gangs to fill the GPU with a warp each, the others only cost: analyses of 16 members took 2.4 times as long on an H200 with 128 lanes as
//! with 32, factors of matrices of 32 × 32 numbers twice as long.
//!
//! 1. The kernel has loops over gangs, and inside of these over lanes, none over workers, and calls nothing that has any of them.
//! 2. What it asks for, or gets where it does not ask, is a known number of lanes, more than a warp.
//! 3. All its loops over lanes have a bound of their number of iterations that is known here ([`crate::analysis::affine`]).
//! 4. Instructions of a gang's warps are counted, with what each step costs a warp beside its iterations ([`STEP`]), and with what is between
//!    the steps, which all warps have or wait for: a warp alone must have [`WORTH`] of them at most. So long loops over lanes, whose warps
//!    are all at work, stay as they are.
//! 5. The memory of a gang lets enough of them run at once ([`MOST_BYTES`]).
//!
//! The version runs in launches of [`FEWEST`] iterations and more; sums over lanes have another order in it.
//!
//! Cost: linear in the size of the kernel.

use accrue_abi::launch::{VECTOR, WARP};
use accrue_dialects::{
    core::{
        Alloca, Bin, BinKind, Call, Externs, For,
        fold::constant,
        layout::{self, Records},
        pointee,
    },
    flow::Flow,
    par::{
        Fork, Join, Level, RedSetup,
        kernels::{
            ASKED_LANES, ITERATIONS, Iterations, OPEN_SHAPE, VERSION, VersionKind, is_kernel_itself,
        },
    },
};
use accrue_ir::walk::{self, ops_of_region};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};
use std::collections::HashSet;

use super::interleave::is_vector_loop;
use crate::{
    State, Switch,
    analysis::affine::{Affine, Range},
    gpu::versions,
    transform::level_queries::query,
};

/// Iterations of the loop over gangs that a launch has at least: so many warps keep a GPU busy, half as many as fill an H200.
const FEWEST: u64 = 2048;
/// … and at most: gangs that a grid can have.
const MOST: u64 = 1 << 24;
/// Bytes of variables that a gang may have for itself: 32 gangs are as many as a multiprocessor takes, and share some 220 KB.
const MOST_BYTES: u64 = 7 << 10;
/// Instructions that a loop over lanes costs a warp beside its iterations: its bounds, and barriers around it.
const STEP: u64 = 24;
/// … and a reduction over lanes: shuffles, and what warps leave for each other.
const REDUCTION: u64 = 60;
/// Of 100 instructions that all warps of a gang have, as many as a warp alone may have.
const WORTH: u64 = 70;
/// Iterations of a loop over lanes: those of longer ones are better under way together.
const MOST_ITERATIONS: u64 = 1024;
/// Iterations of a sequential loop of which nothing is known.
const UNKNOWN: u64 = 8;
/// Iterations of a loop of which more is known than its type says.
const MOST_ROUNDS: u64 = 1 << 20;

/// Makes the versions of all kernels that can have one.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let gangs = &state.target.gangs;
    let fits = gangs.handed_out && gangs.most_lanes > WARP;
    if !fits || state.off.is_off(Switch::EachGang) {
        return;
    }
    let (externs, records) = (
        Externs::of_module(ctx, module.get_operation()),
        layout::records(ctx, module),
    );
    let functions = walk::directly_in::<FuncOp>(ctx, module.get_operation());
    let with_levels: HashSet<String> = functions
        .iter()
        .filter(|f| !walk::nested::<Fork>(ctx, f.get_operation()).is_empty())
        .map(|f| f.get_symbol_name(ctx).to_string())
        .collect();
    let mut chosen = vec![];
    for function in functions.iter().copied() {
        if !is_kernel_itself(ctx, function) {
            continue;
        }
        let calls = walk::nested::<Call>(ctx, function.get_operation());
        let alone = calls.iter().all(|call| {
            !with_levels.contains(&call.callee(ctx)) && query(ctx, &externs, *call).is_none()
        });
        let others = versions_of(ctx, &functions, function);
        let covered = others.iter().any(|(kind, _)| match kind {
            VersionKind::Grid { .. }
            | VersionKind::Nest
            | VersionKind::SplitGangs { .. }
            | VersionKind::ShortRows
            | VersionKind::LongRows => true,
            VersionKind::EachGang { .. } => false,
        });
        if alone && !covered && wants_warps(ctx, function, &records) {
            chosen.push((function, others));
        }
    }
    for (function, others) in chosen {
        // They are for long loops over lanes.
        for (_, version) in others {
            Operation::erase(version.get_operation(), ctx);
        }
        let kind = VersionKind::EachGang {
            least: FEWEST,
            most: MOST,
            lanes: WARP,
        };
        versions::behind(ctx, function, kind);
    }
}

/// Whether gangs of one warp have enough less to do.
fn wants_warps(ctx: &Context, function: FuncOp, records: &Records) -> bool {
    let kernel = function.get_operation();
    let Some(lanes) = lanes(ctx, kernel).filter(|lanes| *lanes > WARP) else {
        return false;
    };
    let gang_loops = ITERATIONS.get(ctx, kernel).and_then(Iterations::known);
    let only_gangs = gang_loops.is_some_and(|count| !count.workers && !count.vector);
    let forks = walk::nested::<Fork>(ctx, kernel);
    let workers = forks.iter().any(|f| f.level(ctx) == Level::Worker);
    if !only_gangs || workers {
        return false;
    }
    let mut gang = Gang {
        ctx,
        affine: Affine::default(),
        records,
        steps: vec![],
        alone: 0,
        bytes: 0,
    };
    let region = kernel.deref(ctx).get_region(0);
    if gang.look(region, 1, false).is_none() || gang.steps.is_empty() || gang.bytes > MOST_BYTES {
        return false;
    }
    let instructions = |warps: u64| -> u64 {
        let of = |step: &Step| {
            let rounds = step.iterations.div_ceil(warps * u64::from(WARP));
            let each = rounds.saturating_mul(step.instructions) + STEP;
            each.saturating_mul(step.times).saturating_mul(warps)
        };
        let alone = gang.alone.saturating_mul(warps);
        gang.steps.iter().map(of).fold(alone, u64::saturating_add)
    };
    let all = instructions(u64::from(lanes.div_ceil(WARP)));
    instructions(1).saturating_mul(100) <= all.saturating_mul(WORTH)
}

/// The lanes of the kernel's gangs, if they are known.
fn lanes(ctx: &Context, kernel: Ptr<Operation>) -> Option<u32> {
    match ASKED_LANES.get(ctx, kernel) {
        Some(asked) => Some(asked.0),
        None => OPEN_SHAPE.is_on(ctx, kernel).then_some(VECTOR),
    }
}

/// The versions that the kernel has.
fn versions_of(ctx: &Context, functions: &[FuncOp], kernel: FuncOp) -> Vec<(VersionKind, FuncOp)> {
    let name = kernel.get_symbol_name(ctx).to_string();
    let kind = |function: &FuncOp| {
        let version = VERSION.get(ctx, function.get_operation());
        version.filter(|version| version.kernel == name)
    };
    let all = functions.iter().filter_map(|f| Some((kind(f)?.kind, *f)));
    all.collect()
}

/// A loop over lanes.
struct Step {
    /// How many it has at most.
    iterations: u64,
    /// Of an iteration.
    instructions: u64,
    /// How often a gang comes to it in one of its iterations.
    times: u64,
}

/// What a gang does.
struct Gang<'a> {
    ctx: &'a Context,
    affine: Affine,
    records: &'a Records,
    steps: Vec<Step>,
    /// Instructions outside of the steps, which all of its warps have, or wait for.
    alone: u64,
    /// Of its variables.
    bytes: u64,
}

impl Gang<'_> {
    /// Collects the steps and variables of `region`, to which a gang comes so often; `None` where a loop over lanes may have any number
    /// of iterations, or the size of a variable is not known. `of_lanes`: all lanes run the region.
    fn look(&mut self, region: Ptr<Region>, times: u64, of_lanes: bool) -> Option<()> {
        let mut of_lanes = of_lanes;
        for op in ops_of_region(self.ctx, region) {
            if let Some(fork) = Operation::get_op::<Fork>(op, self.ctx) {
                of_lanes |= fork.level(self.ctx) == Level::Vector;
            } else if let Some(join) = Operation::get_op::<Join>(op, self.ctx) {
                of_lanes &= join.level(self.ctx) != Level::Vector;
            }
            if let Some(variable) = Operation::get_op::<Alloca>(op, self.ctx) {
                let ty = pointee(self.ctx, variable.get_result(self.ctx))?;
                let size = layout::size_of(self.ctx, self.records, ty)?;
                self.bytes = self.bytes.saturating_add(size);
            }
            let lanes =
                Operation::get_op::<For>(op, self.ctx).filter(|lp| is_vector_loop(self.ctx, *lp));
            if let Some(lp) = lanes {
                let most = self.most(lp.get_operand_upper(self.ctx))?;
                let iterations = u64::try_from(most).ok();
                let iterations = iterations.filter(|count| *count <= MOST_ITERATIONS)?;
                let step = Step {
                    iterations,
                    instructions: self.instructions(lp.get_operation()),
                    times,
                };
                if step.iterations > u64::from(WARP) && self.waits(lp.get_operation()) {
                    return None;
                }
                self.steps.push(step);
                continue;
            }
            let instructions = match Operation::is_op::<RedSetup>(op, self.ctx) {
                true => REDUCTION,
                false => u64::from(!of_lanes),
            };
            self.alone = self
                .alone
                .saturating_add(instructions.saturating_mul(times));
            self.note_falling(op);
            let inside = times.saturating_mul(self.rounds(op));
            for region in walk::regions_of(self.ctx, op) {
                self.look(region, inside, of_lanes)?;
            }
        }
        Some(())
    }

    /// The largest number that a count can be.
    fn most(&mut self, count: Value) -> Option<i128> {
        let bin = count
            .defining_op()
            .and_then(|op| Operation::get_op::<Bin>(op, self.ctx));
        let Some(bin) = bin.filter(|bin| bin.kind(self.ctx) == BinKind::MaxS) else {
            return Some(self.affine.range(self.ctx, count)?.max.max(0));
        };
        let [a, b] = [bin.get_operand_lhs(self.ctx), bin.get_operand_rhs(self.ctx)];
        Some(self.most(a)?.max(self.most(b)?))
    }

    /// Notes the range of the counter of a loop that counts down.
    fn note_falling(&mut self, op: Ptr<Operation>) {
        let Some(lp) = Operation::get_op::<For>(op, self.ctx) else {
            return;
        };
        let falls = constant(self.ctx, lp.get_operand_step(self.ctx)).is_some_and(|by| by < 0);
        let lower = self.affine.range(self.ctx, lp.get_operand_lower(self.ctx));
        let upper = self.affine.range(self.ctx, lp.get_operand_upper(self.ctx));
        if let (true, Some(lower), Some(upper)) = (falls, lower, upper)
            && upper.min < lower.max
        {
            let counter = lp.get_body(self.ctx, 0).deref(self.ctx).get_argument(0);
            let range = Range {
                min: upper.min + 1,
                max: lower.max,
            };
            self.affine.assume_signed(counter, range);
        }
    }

    /// Whether there are loops in `op` of which nobody knows how long they run: each iteration should have a lane of its own then.
    fn waits(&self, op: Ptr<Operation>) -> bool {
        let mut all = walk::nested_ops(self.ctx, op).into_iter();
        all.any(|op| Flow::of(self.ctx, op).is_any_loop() && !Operation::is_op::<For>(op, self.ctx))
    }

    /// Instructions inside of `op`.
    fn instructions(&mut self, op: Ptr<Operation>) -> u64 {
        let regions = walk::regions_of(self.ctx, op).into_iter();
        let ops: Vec<_> = regions
            .flat_map(|region| ops_of_region(self.ctx, region))
            .collect();
        let each = ops.into_iter().map(|op| {
            let inside = self.instructions(op);
            1 + inside.saturating_mul(self.rounds(op))
        });
        each.fold(0, u64::saturating_add)
    }

    /// How often what is in `op` runs when it does.
    fn rounds(&mut self, op: Ptr<Operation>) -> u64 {
        if !Flow::of(self.ctx, op).is_any_loop() {
            return 1;
        }
        let counted = Operation::get_op::<For>(op, self.ctx);
        counted
            .and_then(|lp| self.iterations(lp))
            .unwrap_or(UNKNOWN)
    }

    /// How many iterations a sequential loop has at most.
    fn iterations(&mut self, lp: For) -> Option<u64> {
        let step = constant(self.ctx, lp.get_operand_step(self.ctx)).filter(|step| *step != 0)?;
        let lower = self
            .affine
            .range(self.ctx, lp.get_operand_lower(self.ctx))?;
        let upper = self
            .affine
            .range(self.ctx, lp.get_operand_upper(self.ctx))?;
        let most = match step > 0 {
            true => upper.max - lower.min,
            false => lower.max - upper.min,
        };
        let iterations =
            u64::try_from(most.max(0)).ok()? / u64::try_from(step.unsigned_abs()).ok()?;
        (iterations <= MOST_ROUNDS).then_some(iterations.max(1))
    }
}
