//! Kernels that share nothing out among the threads of a gang are run by one of them.
//!
//! All threads would do the same, with barriers before and after each store of the leader, for code that has no use for them:
//! what `serial` says, and gang loops with variables of the gang's own.
//!
//! ```text
//! core.store %x, %a                          core.if %leader () then {
//! %y = core.load %b                    →         core.store %x, %a;  %y = core.load %b;  core.store %y, %c
//! core.store %y, %c                          }
//! ```
//! The kernel starts in the mode of sequential functions then: variables are the thread's, in registers where they fit.
//!
//! Left as it is: a kernel with reductions, which threads share; with copies of objects ([`super::spread_copies`]); that calls what
//! needs the others; and one that returns from inside.
//!
//! Cost: linear in the size of the kernel.

use super::{
    calls::{Calls, Kind},
    modes::Mode,
    unit::Unit,
};
use accrue_dialects::{
    core::{Call, Copy, If, Return, Yield, Zero},
    par::ReductionOp,
};
use accrue_ir::walk::{nested_ops, ops_of_block};
use pliron::{
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
};

/// Leaves all of such a kernel to the leader.
pub fn restrict(ctx: &mut Context, unit: &mut Unit, calls: &Calls) {
    let levels = calls.get(&unit.name).map(|callee| callee.levels);
    let shares = levels.is_none_or(|levels| levels.worker || levels.vector);
    if unit.kernel.is_none() || shares {
        return;
    }
    let body = ops_of_block(ctx, unit.function.get_entry_block(ctx));
    let Some((end, ops)) = body.split_last() else {
        return;
    };
    let all = nested_ops(ctx, unit.function.get_operation());
    let needs_others = |op: &Ptr<Operation>| op != end && needs_others(ctx, calls, *op);
    if ops.is_empty() || all.iter().any(needs_others) {
        return;
    }
    let leader = unit.leader(ctx, Mode::BLOCK);
    let (branch, yes, no) = If::new(ctx, leader, vec![]);
    branch.get_operation().insert_before(ctx, *end);
    for op in ops {
        op.unlink(ctx);
        op.insert_at_back(yes, ctx);
    }
    for block in [yes, no] {
        let end = Yield::new(ctx, vec![]);
        end.get_operation().insert_at_back(block, ctx);
    }
    unit.base = Kind::Seq.mode();
}

fn needs_others(ctx: &Context, calls: &Calls, op: Ptr<Operation>) -> bool {
    let object = Operation::get_op_dyn(op, ctx);
    let reduces = op_cast::<dyn ReductionOp>(&*object).is_some();
    let copies = Operation::is_op::<Copy>(op, ctx) || Operation::is_op::<Zero>(op, ctx);
    let call = Operation::get_op::<Call>(op, ctx);
    let together = call.is_some_and(|call| calls.kind(&call.callee(ctx)) != Kind::Seq);
    reduces || copies || together || Operation::is_op::<Return>(op, ctx)
}
