//! Pass `vector-versions` (GPUs): versions of a kernel for short and for long inner loops.
//!
//! Rows over gangs and workers, the elements of a row over vector lanes: how many lanes are best depends on the length of
//! the rows, which the launch knows. A worker of one warp (the default) leaves lanes idle on rows of 4, waits for one load
//! per row on rows of 32, and keeps too few loads under way where there are few rows of 100000. So a kernel whose clauses
//! say neither `num_workers` nor `vector_length` gets two copies, and the runtime chooses by the number of iterations.
//!
//! ```text
//! gang worker / vector        accrue_k0_0          8 workers of 32 lanes
//!                        →    accrue_k0_0_short    32 workers of 8 lanes
//!                             accrue_k0_0_long     1 worker of 256 lanes
//! ```
//! Only where the number of iterations can be computed from the arguments ([`crate::analysis::gang_trip`]), and where all levels are
//! in the kernel itself: a function with loops of its own is made once, for all kernels that call it.

use accrue_abi::launch::{LONG_ROW, LONG_VECTOR, SHORT_ROW, SHORT_VECTOR};
use accrue_dialects::{
    core::Call,
    par::{Fork, Level},
};
use accrue_image::{ClauseSize, InnerLoops, SiteKernel};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    identifier::Identifier,
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
};
use std::collections::HashMap;

use crate::{State, emit::Emitter};

const NAME: &str = "vector-versions";

/// Adds the versions to the kernels of all sites.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.gangs.most_lanes < LONG_VECTOR {
        return;
    }
    let functions: HashMap<String, FuncOp> = walk::nested::<FuncOp>(ctx, module.get_operation())
        .into_iter()
        .map(|f| (f.get_symbol_name(ctx).to_string(), f))
        .collect();
    let mut sites = std::mem::take(&mut state.sites);
    for site in &mut sites {
        for kernel in &mut site.kernels {
            let Some(program) = state.gang_trips.of_inner(&kernel.function, &site.vars) else {
                continue;
            };
            let Some(function) = functions.get(&kernel.function) else {
                continue;
            };
            if !is_open(kernel) || !has_inner_loops(ctx, *function, &functions) {
                continue;
            }
            let copies = ["short", "long"].map(|which| copy(ctx, *function, which));
            if let [Some(short), Some(long)] = copies {
                kernel.inner = Some(InnerLoops {
                    program,
                    short,
                    long,
                });
                let message = format!(
                    "two more versions of the kernel: workers of {SHORT_VECTOR} lanes for inner loops of up to {SHORT_ROW} \
                     iterations, one worker of {LONG_VECTOR} lanes for few ones of {LONG_ROW} and more"
                );
                state.remark(ctx, function.get_operation(), NAME, message);
            }
        }
    }
    state.sites = sites;
}

/// The clauses leave the shape of blocks open, and the runtime can tell how many rows there are.
fn is_open(kernel: &SiteKernel) -> bool {
    let rows = kernel.trip.as_ref().is_some_and(|t| t.workers && !t.vector);
    let clauses = (kernel.num_workers, kernel.vector_length);
    rows && clauses == (ClauseSize::Absent, ClauseSize::Absent)
}

/// Vector loops beside worker loops, and no calls of functions that may have loops.
fn has_inner_loops(ctx: &Context, function: FuncOp, functions: &HashMap<String, FuncOp>) -> bool {
    let forks = walk::nested::<Fork>(ctx, function.get_operation());
    let has = |level| forks.iter().any(|f| f.level(ctx) == level);
    let calls = walk::nested::<Call>(ctx, function.get_operation());
    let no_calls = calls
        .iter()
        .all(|c| !functions.contains_key(&c.callee(ctx)));
    has(Level::Worker) && has(Level::Vector) && no_calls
}

/// A copy of the function behind it; its name.
fn copy(ctx: &mut Context, function: FuncOp, which: &str) -> Option<String> {
    let name = format!("{}_{which}", function.get_symbol_name(ctx));
    let symbol = Identifier::try_from(name.as_str()).ok()?;
    let mut e = Emitter::before(ctx, function.get_operation());
    let copy = e.copy(function.get_operation(), &mut IrMapping::default());
    let copy = Operation::get_op::<FuncOp>(copy, e.ctx)?;
    copy.set_symbol_name(e.ctx, symbol);
    Some(name)
}
