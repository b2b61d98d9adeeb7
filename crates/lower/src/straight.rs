//! Loop bodies of which several copies may stand one after the other: what `interleave` and `unroll` look for.
//!
//! A call of a mathematical function is an operation like others, only larger.

use accrue_dialects::{
    core::{
        Alloca, Break, Call, Continue, ExternFunc, For, Load, Loop, Opaque, Return, Store, Switch,
        is_scalar,
    },
    par::{Fork, Join, Lock, ReductionOp, Unlock},
};
use accrue_ir::walk::nested;
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
};
use std::collections::HashSet;

/// How many operations a call of a mathematical function counts as.
const SIZE_OF_CALL: usize = 12;

/// The functions from outside whose result depends on their arguments only.
pub struct PureFunctions(HashSet<String>);

impl PureFunctions {
    /// Those that are declared in a module.
    pub fn of(ctx: &Context, module: ModuleOp) -> Self {
        let externs = nested::<ExternFunc>(ctx, module.get_operation());
        let pure = externs.into_iter().filter(|f| f.traits(ctx).pure);
        Self(pure.map(|f| f.get_symbol_name(ctx).to_string()).collect())
    }

    /// Whether `op` calls one of them.
    pub fn is_called(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        Operation::get_op::<Call>(op, ctx).is_some_and(|call| self.0.contains(&call.callee(ctx)))
    }

    pub fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// How many operations these are.
    pub fn size(&self, ctx: &Context, ops: &[Ptr<Operation>]) -> usize {
        let calls = ops.iter().filter(|op| self.is_called(ctx, **op)).count();
        ops.len() + calls * (SIZE_OF_CALL - 1)
    }
}

/// Whether several copies of `op` may stand in one iteration: no loop, no call but of a pure function, no jump, nothing of the
/// par dialect, no array of its own.
pub fn is_straight(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
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
    let unknown = Operation::is_op::<Call>(op, ctx) && !pure.is_called(ctx, op)
        || Operation::is_op::<Opaque>(op, ctx);
    let volatile = Operation::get_op::<Load>(op, ctx).is_some_and(|l| l.is_volatile(ctx))
        || Operation::get_op::<Store>(op, ctx).is_some_and(|s| s.is_volatile(ctx));
    let array = Operation::get_op::<Alloca>(op, ctx)
        .is_some_and(|a| a.count(ctx).is_some() || !is_scalar(ctx, a.var_type(ctx)));
    !(jumps || nests || parallel || unknown || volatile || array)
}
