//! Pass `invariants`: divisions and mathematical functions whose operands do not change in a loop are computed in front of it, on
//! GPUs.
//!
//! NVIDIA's assembler moves cheap operations out of loops, but not those with rare cases out of line:
//!
//! ```text
//! core.for %i = … {                             %h = core.bin FDiv %dt, 6.0
//!   %h = core.bin FDiv %dt, 6.0         →       core.for %i = … {
//!   … %h …                                        … %h …
//! }                                             }
//! ```
//! Inner loops come first, so that an operation leaves as many loops as it can. Only operations that each iteration reaches
//! are moved, not those in branches: a loop without iterations computes them in vain, which has no effect. Each takes a register
//! for as long as the loop runs, so a loop gives up [`MOST`] at most.
//!
//! Steps: find the loops; in each, the operations without effect whose operands are from outside, or are such operations
//! themselves; move the expensive ones, with what they need. Cost: linear in the number of operations, times the depth of loops.

use accrue_dialects::{
    core::{Bin, BinKind},
    flow::Flow,
};
use accrue_ir::{
    effects::is_pure,
    walk::{nested_ops, operands_of, ops_of_block, regions_of},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::ops::ModuleOp,
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
};
use std::collections::HashSet;

use crate::{State, analysis::straight::PureFunctions, transform::inline::device_functions};

/// Values that a loop may keep for this.
const MOST: usize = 8;

/// Moves operations in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.moves_invariants {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in device_functions(ctx, module) {
        let mut loops = nested_ops(ctx, func.get_operation());
        loops.retain(|op| Flow::of(ctx, *op).is_loop());
        for lp in loops.into_iter().rev() {
            move_out(ctx, lp, &pure);
        }
    }
}

/// Moves what is expensive and does not change in front of the loop.
fn move_out(ctx: &mut Context, lp: Ptr<Operation>, pure: &PureFunctions) {
    let blocks: Vec<Ptr<BasicBlock>> = regions_of(ctx, lp)
        .into_iter()
        .flat_map(|region| region.deref(ctx).iter(ctx).collect::<Vec<_>>())
        .collect();
    let inside: HashSet<Ptr<BasicBlock>> = blocks.iter().copied().collect();
    // In the order of the program, so that each has its operands in front of it.
    let mut invariant: Vec<Ptr<Operation>> = vec![];
    let mut known = HashSet::new();
    for op in blocks.iter().flat_map(|block| ops_of_block(ctx, *block)) {
        let moves = op.deref(ctx).num_regions() == 0
            && op.deref(ctx).get_num_results() == 1
            && (is_pure(ctx, op) || pure.is_called(ctx, op));
        if moves && depends_on_outside(ctx, op, &inside, &known) {
            invariant.push(op);
            known.insert(op);
        }
    }
    let mut needed = HashSet::new();
    let roots = invariant.iter().filter(|op| is_expensive(ctx, **op, pure));
    for root in roots.take(MOST) {
        need(ctx, *root, &known, &mut needed);
    }
    for op in invariant.into_iter().filter(|op| needed.contains(op)) {
        op.unlink(ctx);
        op.insert_before(ctx, lp);
    }
}

/// Whether all operands are from outside the loop, of which `inside` are the blocks, or are among `known`.
fn depends_on_outside(
    ctx: &Context,
    op: Ptr<Operation>,
    inside: &HashSet<Ptr<BasicBlock>>,
    known: &HashSet<Ptr<Operation>>,
) -> bool {
    operands_of(ctx, op)
        .into_iter()
        .all(|value| match value.defining_op() {
            Some(from) if known.contains(&from) => true,
            Some(from) => {
                let block = from.deref(ctx).get_parent_block();
                block.is_none_or(|block| !inside.contains(&block))
            }
            None => value
                .defining_block()
                .is_none_or(|block| !inside.contains(&block)),
        })
}

/// Adds `op` and what it needs of `known` to `needed`.
fn need(
    ctx: &Context,
    op: Ptr<Operation>,
    known: &HashSet<Ptr<Operation>>,
    needed: &mut HashSet<Ptr<Operation>>,
) {
    if !known.contains(&op) || !needed.insert(op) {
        return;
    }
    for from in operands_of(ctx, op)
        .iter()
        .filter_map(|value| value.defining_op())
    {
        need(ctx, from, known, needed);
    }
}

/// A division of floats, or a mathematical function. Integers are left alone: a division by zero that is never reached must not
/// be computed.
fn is_expensive(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
    let divides = |bin: Bin| bin.kind(ctx) == BinKind::FDiv;
    pure.is_called(ctx, op) || Operation::get_op::<Bin>(op, ctx).is_some_and(divides)
}
