//! Loop bodies of which several copies may stand one after the other: what `interleave` and `unroll` look for.

use accrue_dialects::{
    core::{
        Alloca, Break, Call, Continue, For, Load, Loop, Opaque, Return, Store, Switch, is_scalar,
    },
    par::{Fork, Join, Lock, ReductionOp, Unlock},
};
use pliron::{
    context::{Context, Ptr},
    op::op_cast,
    operation::Operation,
};

/// Whether several copies of `op` may stand in one iteration: no loop, no call, no jump, nothing of the par dialect, no
/// array of its own.
pub fn is_straight(ctx: &Context, op: Ptr<Operation>) -> bool {
    let jumps = Operation::is_op::<Break>(op, ctx)
        || Operation::is_op::<Continue>(op, ctx)
        || Operation::is_op::<Return>(op, ctx);
    let nests = Operation::is_op::<For>(op, ctx)
        || Operation::is_op::<Loop>(op, ctx)
        || Operation::is_op::<Switch>(op, ctx);
    let parallel = Operation::is_op::<Fork>(op, ctx)
        || Operation::is_op::<Join>(op, ctx)
        || Operation::is_op::<Lock>(op, ctx)
        || Operation::is_op::<Unlock>(op, ctx)
        || op_cast::<dyn ReductionOp>(&*Operation::get_op_dyn(op, ctx)).is_some();
    let unknown = Operation::is_op::<Call>(op, ctx) || Operation::is_op::<Opaque>(op, ctx);
    let volatile = Operation::get_op::<Load>(op, ctx).is_some_and(|l| l.is_volatile(ctx))
        || Operation::get_op::<Store>(op, ctx).is_some_and(|s| s.is_volatile(ctx));
    let array = Operation::get_op::<Alloca>(op, ctx)
        .is_some_and(|a| a.count(ctx).is_some() || !is_scalar(ctx, a.var_type(ctx)));
    !(jumps || nests || parallel || unknown || volatile || array)
}
