//! Pass `continues` (GPUs): what a `continue` leaves out goes into a condition.
//!
//! ```text
//! core.if %c { core.continue }               core.if %c { } else {
//! …                                     →      …
//! core.yield                                 }
//!                                            core.yield
//! ```
//! A loop with jumps in it is not counted, unrolled, interleaved or shared by rows; one with conditions is.
//!
//! 1. In the body of a loop, and in what of it leads nowhere but to its end, the first operation with a `continue` of the loop is looked
//!    for.
//! 2. If that is an `if` one side of which ends so, what is behind it goes to the other side. An `if` at the end of the body needs nothing
//!    to be moved. Then its sides are looked through likewise.
//! 3. What else jumps stays as it is: each step by itself leaves the program the same. So does what is in front of operations in which
//!    threads meet; loops that levels share may be in conditions.
//!
//! Cost: linear in the size of a loop's body, times how deep its conditions are.

use accrue_dialects::{
    core::{If, Yield},
    flow::{Flow, loop_around},
    par::ParOp,
};
use accrue_ir::walk::{nested_ops, operands_of, ops_of_block, results_of};
use pliron::{
    basic_block::BasicBlock,
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::ModuleOp},
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
};

use crate::{State, transform::inline::device_functions};

/// Changes the loops of kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if !state.target.gangs.handed_out {
        return;
    }
    for func in device_functions(ctx, module) {
        let ops = nested_ops(ctx, func.get_operation()).into_iter();
        let loops: Vec<_> = ops.filter_map(|op| Some((op, body(ctx, op)?))).collect();
        for (lp, body) in loops {
            at_end_of(ctx, lp, body);
        }
    }
}

/// Where iterations of a loop begin.
fn body(ctx: &Context, op: Ptr<Operation>) -> Option<Ptr<BasicBlock>> {
    let region = match Flow::of(ctx, op) {
        Flow::Loop(_) => 1,
        Flow::For(_) | Flow::Shared => 0,
        Flow::If(_) | Flow::Switch(_) | Flow::Next | Flow::Once => return None,
        Flow::Yield | Flow::Break | Flow::Continue | Flow::Return => return None,
    };
    op.deref(ctx).get_region(region).deref(ctx).get_head()
}

/// In a block behind which nothing is done in an iteration of `lp`.
fn at_end_of(ctx: &mut Context, lp: Ptr<Operation>, block: Ptr<BasicBlock>) {
    let ops = ops_of_block(ctx, block);
    let Some((end, ops)) = ops.split_last() else {
        return;
    };
    if continues(ctx, *end, lp) {
        Operation::erase(*end, ctx);
        let end = Yield::new(ctx, vec![]);
        end.get_operation().insert_at_back(block, ctx);
    }
    let jumps = |op: &Ptr<Operation>| {
        let mut inside = nested_ops(ctx, *op).into_iter();
        inside.any(|inner| continues(ctx, inner, lp))
    };
    let Some(at) = ops.iter().position(jumps) else {
        return;
    };
    let branch = Operation::get_op::<If>(ops[at], ctx);
    let Some(branch) = branch.filter(|it| results_of(ctx, it.get_operation()).is_empty()) else {
        return;
    };
    let behind = &ops[at + 1..];
    let sides = [branch.get_body(ctx, 0), branch.get_body(ctx, 1)];
    if !behind.is_empty() {
        let open: Vec<_> = (sides.into_iter())
            .filter(|side| !ends_so(ctx, *side, lp))
            .collect();
        let ends = yields(ctx, block);
        match open[..] {
            [open] if ends && yields(ctx, open) && behind.iter().all(|op| may_move(ctx, *op)) => {
                move_to_end(ctx, behind, open);
            }
            _ => return,
        }
    }
    for side in sides {
        at_end_of(ctx, lp, side);
    }
}

fn continues(ctx: &Context, op: Ptr<Operation>, lp: Ptr<Operation>) -> bool {
    Flow::of(ctx, op) == Flow::Continue && loop_around(ctx, op) == Some(lp)
}

/// Whether the block ends in a `continue` of the loop.
fn ends_so(ctx: &Context, block: Ptr<BasicBlock>, lp: Ptr<Operation>) -> bool {
    let ops = ops_of_block(ctx, block);
    ops.last().is_some_and(|end| continues(ctx, *end, lp))
}

/// Whether no threads meet in the operation.
fn may_move(ctx: &Context, op: Ptr<Operation>) -> bool {
    let mut all = nested_ops(ctx, op).into_iter().chain([op]);
    all.all(|op| match ParOp::of(ctx, op) {
        None | Some(ParOp::DimPos(_) | ParOp::DimSize(_)) => true,
        Some(ParOp::Loop(_) | ParOp::Reduce(_)) => true,
        Some(ParOp::Fork(_) | ParOp::Join(_)) => false,
        Some(ParOp::Lock(_) | ParOp::Unlock(_) | ParOp::Barrier(_)) => false,
        Some(ParOp::RedSetup(_) | ParOp::RedInit(_)) => false,
        Some(ParOp::RedFini(_) | ParOp::RedTeardown(_)) => false,
    })
}

/// Whether the block leads to what is behind it, and gives nothing.
fn yields(ctx: &Context, block: Ptr<BasicBlock>) -> bool {
    ops_of_block(ctx, block)
        .last()
        .is_some_and(|end| Flow::of(ctx, *end) == Flow::Yield && operands_of(ctx, *end).is_empty())
}

/// Moves `ops` in front of what ends `block`.
fn move_to_end(ctx: &mut Context, ops: &[Ptr<Operation>], block: Ptr<BasicBlock>) {
    let Some(end) = ops_of_block(ctx, block).last().copied() else {
        return;
    };
    for op in ops {
        op.unlink(ctx);
        op.insert_before(ctx, end);
    }
}
