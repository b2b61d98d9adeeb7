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
    par::{
        Fork, Level,
        kernels::{
            INNER_ITERATIONS, ITERATIONS, Iterations, OPEN_SHAPE, VersionKind, is_kernel_itself,
        },
    },
};
use accrue_ir::{attributes::Key, walk};
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    op::Op,
};
use std::collections::HashSet;

use crate::{State, gpu::versions};

const NAME: &str = "vector-versions";

/// Makes the versions of all kernels that can have them.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.gangs.most_lanes < LONG_VECTOR {
        return;
    }
    let functions = walk::directly_in::<FuncOp>(ctx, module.get_operation());
    let names: HashSet<String> = functions
        .iter()
        .map(|f| f.get_symbol_name(ctx).to_string())
        .collect();
    for function in functions {
        if !is_open(ctx, function) || !has_inner_loops(ctx, function, &names) {
            continue;
        }
        let kinds = [VersionKind::ShortRows, VersionKind::LongRows];
        if let [Some(_), Some(_)] = kinds.map(|kind| versions::before(ctx, function, kind)) {
            let message = format!(
                "two more versions of the kernel: workers of {SHORT_VECTOR} lanes for inner loops of up to {SHORT_ROW} \
                 iterations, one worker of {LONG_VECTOR} lanes for few ones of {LONG_ROW} and more"
            );
            state.remark(ctx, function.get_operation(), NAME, message);
        }
    }
}

/// The clauses leave the shape of blocks open, and the runtime can tell how many rows there are and how long they are.
fn is_open(ctx: &Context, function: FuncOp) -> bool {
    let kernel = function.get_operation();
    let known = |key: &Key<Iterations>| key.get(ctx, kernel).and_then(Iterations::known);
    let rows = known(&ITERATIONS).is_some_and(|count| count.workers && !count.vector);
    is_kernel_itself(ctx, function)
        && OPEN_SHAPE.is_on(ctx, kernel)
        && rows
        && known(&INNER_ITERATIONS).is_some()
}

/// Vector loops beside worker loops, and no calls of functions that may have loops.
fn has_inner_loops(ctx: &Context, function: FuncOp, names: &HashSet<String>) -> bool {
    let forks = walk::nested::<Fork>(ctx, function.get_operation());
    let has = |level| forks.iter().any(|f| f.level(ctx) == level);
    let calls = walk::nested::<Call>(ctx, function.get_operation());
    let no_calls = calls.iter().all(|c| !names.contains(&c.callee(ctx)));
    has(Level::Worker) && has(Level::Vector) && no_calls
}
