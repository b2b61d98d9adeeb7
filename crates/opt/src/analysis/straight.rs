//! Loop bodies of which several copies may stand one after the other: what `interleave` and `unroll` look for.
//!
//! A call of a mathematical function is an operation like others, only larger.

use accrue_dialects::{
    View,
    core::{Call, CoreOp, Externs, Known, is_scalar},
    par::ParOp,
};
use pliron::{
    builtin::ops::ModuleOp,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};

/// How many operations a call of a mathematical function counts as.
const SIZE_OF_CALL: usize = 12;

/// The functions from outside whose result depends on their arguments only.
pub struct PureFunctions(Externs);

impl PureFunctions {
    /// Those that are declared in a module.
    pub fn of(ctx: &Context, module: ModuleOp) -> Self {
        Self(Externs::of_module(ctx, module.get_operation()))
    }

    /// Whether `op` calls one of them.
    pub fn is_called(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        Operation::get_op::<Call>(op, ctx).is_some_and(|call| self.contains(&call.callee(ctx)))
    }

    /// Which known function `call` calls.
    pub fn known(&self, ctx: &Context, call: Call) -> Option<Known> {
        self.0.known(&call.callee(ctx))
    }

    pub fn contains(&self, name: &str) -> bool {
        self.0.traits(name).pure
    }

    /// How many operations these are.
    pub fn size(&self, ctx: &Context, ops: &[Ptr<Operation>]) -> usize {
        let calls = ops.iter().filter(|op| self.is_called(ctx, **op)).count();
        ops.len() + calls * (SIZE_OF_CALL - 1)
    }
}

/// Whether several copies of `op` may stand in one iteration: no loop, no call but of a pure function, no jump, nothing
/// that threads do together, no array of its own.
pub fn is_straight(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
    match View::of(ctx, op) {
        View::Core(op) => is_straight_core(ctx, &op, pure),
        View::Par(op) => match op {
            ParOp::DimPos(_) | ParOp::DimSize(_) => true,
            ParOp::Fork(_)
            | ParOp::Join(_)
            | ParOp::Lock(_)
            | ParOp::Unlock(_)
            | ParOp::Barrier(_)
            | ParOp::RedSetup(_)
            | ParOp::RedInit(_)
            | ParOp::RedFini(_)
            | ParOp::RedTeardown(_)
            | ParOp::Loop(_)
            | ParOp::Reduce(_) => false,
        },
        // In kernels there is nothing of `acc` any more, and nothing of the target's own yet.
        View::Source(_) | View::Simt(_) | View::Other => false,
    }
}

fn is_straight_core(ctx: &Context, op: &CoreOp, pure: &PureFunctions) -> bool {
    match op {
        CoreOp::Const(_)
        | CoreOp::FConst(_)
        | CoreOp::Null(_)
        | CoreOp::Bin(_)
        | CoreOp::Un(_)
        | CoreOp::Cmp(_)
        | CoreOp::Cast(_)
        | CoreOp::ComplexMake(_)
        | CoreOp::Real(_)
        | CoreOp::Imag(_)
        | CoreOp::Select(_)
        | CoreOp::AddressOf(_)
        | CoreOp::StringConst(_)
        | CoreOp::PtrAdd(_)
        | CoreOp::PtrDiff(_)
        | CoreOp::Decay(_)
        | CoreOp::Member(_)
        | CoreOp::Extent(_)
        | CoreOp::Copy(_)
        | CoreOp::Zero(_)
        | CoreOp::LoadBits(_)
        | CoreOp::StoreBits(_)
        | CoreOp::AtomicLoad(_)
        | CoreOp::AtomicStore(_)
        | CoreOp::AtomicUpdate(_)
        | CoreOp::If(_)
        | CoreOp::Yield(_) => true,
        CoreOp::Load(load) => !load.is_volatile(ctx),
        CoreOp::Store(store) => !store.is_volatile(ctx),
        CoreOp::Alloca(alloca) => {
            alloca.count(ctx).is_none() && is_scalar(ctx, alloca.var_type(ctx))
        }
        CoreOp::Break(_) | CoreOp::Continue(_) | CoreOp::Return(_) => false,
        CoreOp::For(_) | CoreOp::Loop(_) | CoreOp::Switch(_) => false,
        CoreOp::Call(call) => pure.contains(&call.callee(ctx)),
        CoreOp::Opaque(_) => false,
        CoreOp::ExternFunc(_) | CoreOp::RecordDef(_) => false,
    }
}
