//! How many registers a kernel may take for work side by side.
//!
//! NVIDIA's assembler orders instructions so that a kernel gets by with 32 registers, with which as many threads fit on a
//! multiprocessor as it can hold. That is right for code that streams through memory: many threads have many loads under
//! way. A sequential loop with loads in it is different: its iterations can overlap, and with 32 registers the assembler
//! puts one after the other, whatever order it was given.
//!
//! ```text
//! .maxntid 256, 1, 1                    four pair forces of n bodies, unrolled: one root after the other, 150 cycles
//! .maxntid 256, 1, 1                    four at a time, in 40 registers
//! .minnctapersm 2
//! ```
//!
//! Where lanes keep rows between vector loops (pass `kept-rows`), a gang waits several times for all of its lanes to add up, and only
//! other gangs have something to do meanwhile: such kernels ask for three quarters of the threads, which leaves 40 registers.
//!
//! Where far more values are live at once than fit in 128 registers, as with many local arrays whose elements are registers, the rest would
//! come and go through memory all the time: such a kernel gets by with 256 threads, which may have 255 registers each.
//!
//! So kernels with such loops, or with many loads in straight code, say that a quarter of the threads are enough. The
//! assembler takes then what it has a use for, of at most 128 registers.
//!
//! A short loop of constant length it unrolls completely, and what it knows nobody to write (`ld.global.nc`) it loads for all iterations
//! first, whether there are registers for it or not: where these are too many, it is not told ([`loads_much`]).
//!
//! Cost: linear in the size of the kernel, times the number of its loops.

use crate::code::{Code, pressure::pressure};
use crate::versions::{is_loop, is_sequential};
use accrue_dialects::{
    core::{Alloca, Load, float_width, int_width},
    simt::{Barrier, Scope},
};
use accrue_ir::walk::nested_ops;
use pliron::{
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
};
use std::collections::HashSet;

/// Threads of a multiprocessor that are enough where each has several loads under way.
const THREADS: u32 = 512;
/// The same where lanes keep rows.
const THREADS_OF_ROWS: u32 = 1536;
/// The same where the values that are live at once take more than [`MANY_REGISTERS`].
const THREADS_OF_MANY: u32 = 256;
/// With half as many again as there are, the assembler still finds an order in which they fit.
const MANY_REGISTERS: u32 = 192;
/// Straight code with more loads than this has its values side by side, too.
const MANY_LOADS: usize = 16;

/// Bytes that all iterations of a loop may load together: all of 128 registers.
const MOST_LOADED: i128 = 512;

/// Whether a loop of so many iterations loads more than there are registers for. A product of three matrices of 15 x 15 with vectors spilled
/// 480 bytes in each thread.
pub fn loads_much(ctx: &Context, lp: Ptr<Operation>, iterations: i128) -> bool {
    let inside = nested_ops(ctx, lp).into_iter();
    let bits = inside.filter(|op| loads(ctx, *op)).filter_map(|op| {
        let ty = op.deref(ctx).get_result(0).get_type(ctx);
        int_width(ctx, ty).or_else(|| float_width(ctx, ty))
    });
    let bytes: i128 = bits.map(|bits| i128::from(bits / 8)).sum();
    iterations.saturating_mul(bytes) > MOST_LOADED
}

/// The `.minnctapersm` of a kernel with blocks of up to `threads`; `None` if the assembler shall see to many threads.
pub fn fewest_blocks(ctx: &Context, function: FuncOp, code: &Code, threads: u32) -> Option<u32> {
    let fewest = enough_threads(ctx, function).map(|enough| (enough / threads.max(1)).max(1));
    match fewest {
        Some(_) if pressure(code) > MANY_REGISTERS => {
            Some((THREADS_OF_MANY / threads.max(1)).max(1))
        }
        other => other,
    }
}

/// The threads of a multiprocessor that are enough, if that is known.
fn enough_threads(ctx: &Context, function: FuncOp) -> Option<u32> {
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
fn loads(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::get_op::<Load>(op, ctx).is_some_and(|load| {
        let from = load.get_operand_address(ctx).defining_op();
        !from.is_some_and(|op| Operation::is_op::<Alloca>(op, ctx))
    })
}
