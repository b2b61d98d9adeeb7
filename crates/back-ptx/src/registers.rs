//! How many registers a kernel may take for work side by side: the `.minnctapersm` of kernels that need fewer threads than fit on a
//! multiprocessor ([`accrue_simt::analysis::enough_threads`]).
//!
//! ```text
//! .maxntid 256, 1, 1                    at most 32 registers, so that 2048 threads fit
//! .maxntid 256, 1, 1                    at most 128
//! .minnctapersm 2
//! ```
//!
//! Where far more values are live at once than fit in 128 registers, as with many local arrays whose elements are registers, the rest would
//! come and go through memory all the time: such a kernel gets by with 256 threads, which may have 255 registers each.
//!
//! A short loop of constant length the assembler unrolls completely, and what it knows nobody to write (`ld.global.nc`) it loads for all
//! iterations first, whether there are registers for it or not: where these are too many, it is not told ([`loads_much`]).
//!
//! Cost: linear in the size of the kernel, times the number of its loops.

use crate::code::{Code, pressure::pressure};
use accrue_dialects::core::{float_width, int_width};
use accrue_ir::walk::nested_ops;
use accrue_simt::analysis::enough_threads::{enough_threads, loads};
use pliron::{
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    operation::Operation,
    r#type::Typed,
};

/// Threads of a multiprocessor that are enough where the values that are live at once take more than [`MANY_REGISTERS`].
const THREADS_OF_MANY: u32 = 256;
/// With half as many again as there are, the assembler still finds an order in which they fit.
const MANY_REGISTERS: u32 = 192;

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
