//! How many threads a kernel wants on a multiprocessor, so that each may have registers for work side by side.
//!
//! The assembler of NVIDIA's GPUs, and the driver that compiles OpenCL C for them, order instructions so that a kernel gets by with 32
//! registers, with which as many threads fit on a multiprocessor as it can hold. That is right for code that streams through memory: many threads have many loads under
//! way. A sequential loop with loads in it is different: its iterations can overlap, and with 32 registers the assembler
//! puts one after the other, whatever order it was given.
//!
//! ```text
//! four pair forces of n bodies, unrolled:     one root after the other, 150 cycles
//! the same where 512 threads are enough:      four at a time, in 40 registers
//! ```
//!
//! Where lanes keep rows between vector loops (pass `kept-rows`), a gang waits several times for all of its lanes to add up, and only
//! other gangs have something to do meanwhile: such kernels ask for three quarters of the threads, which leaves 40 registers.
//!
//! So kernels with such loops, or with many loads in straight code, say that a quarter of the threads are enough. The
//! assembler takes then what it has a use for, of at most 128 registers.
//!
//! Cost: linear in the size of the kernel, times the number of its loops.

use super::versions::{is_loop, is_sequential};
use accrue_dialects::{
    core::{Alloca, Load},
    simt::{Barrier, Scope},
};
use accrue_ir::walk::nested_ops;
use pliron::{
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};
use std::collections::HashSet;

/// Threads of a multiprocessor that are enough where each has several loads under way.
const THREADS: u32 = 512;
/// The same where lanes keep rows.
const THREADS_OF_ROWS: u32 = 1536;
/// Straight code with more loads than this has its values side by side, too.
const MANY_LOADS: usize = 16;

/// The threads of a multiprocessor that are enough; `None` if there should be as many as it can hold.
pub fn enough_threads(ctx: &Context, function: FuncOp) -> Option<u32> {
    let all = nested_ops(ctx, function.get_operation());
    let kept = |op: &Ptr<Operation>| {
        Operation::get_op::<Alloca>(*op, ctx).is_some_and(|variable| variable.is_of_thread(ctx))
    };
    let waits = |op: &Ptr<Operation>| {
        let barrier = Operation::get_op::<Barrier>(*op, ctx);
        barrier.is_some_and(|barrier| barrier.scope(ctx) == Scope::Group)
    };
    if all.iter().any(kept) && all.iter().any(waits) {
        return Some(THREADS_OF_ROWS);
    }
    let mut in_loops = HashSet::new();
    for lp in all.iter().filter(|op| is_loop(ctx, **op)) {
        let inside = nested_ops(ctx, *lp);
        let innermost = !inside.iter().any(|op| is_loop(ctx, *op));
        if innermost && is_sequential(ctx, *lp) && inside.iter().any(|op| loads(ctx, *op)) {
            return Some(THREADS);
        }
        in_loops.extend(inside);
    }
    let straight = |op: &&Ptr<Operation>| !in_loops.contains(*op) && loads(ctx, **op);
    let many = all.iter().filter(straight).count() > MANY_LOADS;
    many.then_some(THREADS)
}

/// Whether `op` loads from memory, other than from a variable by its name.
pub fn loads(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::get_op::<Load>(op, ctx).is_some_and(|load| {
        let from = load.get_operand_address(ctx).defining_op();
        !from.is_some_and(|op| Operation::is_op::<Alloca>(op, ctx))
    })
}
