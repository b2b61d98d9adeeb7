//! Where an operation leads: the one answer that analyses of control flow, and printers of it, build on.
//!
//! ```text
//! core.bin      Next          core.if       If              core.return   Return
//! acc.data      Once          core.for      For             par.loop      Shared
//! ```
//! Each operation of each dialect is listed; a new one does not compile until it has an answer.

use crate::{
    View,
    core::{self, CoreOp, For, If, Switch},
    par::ParOp,
    simt::SimtOp,
    source::Role,
};
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
};

/// Where an operation leads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// To what stands behind it. Its regions, if it has any, are how it computes its results.
    Next,
    /// Through its region, once, to what stands behind it: a directive.
    Once,
    /// Through one of its regions, or none.
    If(If),
    /// Into one of its regions, and from there through those behind it.
    Switch(Switch),
    /// Through its regions again and again, as long as a condition holds.
    Loop(core::Loop),
    /// Through its region as often as it counts.
    For(For),
    /// Through its region for each iteration; gangs, workers or lanes may share these.
    Shared,
    /// To the end of its region, and with that to what the operation around goes on with.
    Yield,
    Break,
    Continue,
    Return,
}

impl Flow {
    /// Where `op` leads.
    pub fn of(ctx: &Context, op: Ptr<Operation>) -> Flow {
        match View::of(ctx, op) {
            View::Core(op) => Flow::of_core(op),
            View::Par(op) => Flow::of_par(op),
            View::Simt(op) => Flow::of_simt(op),
            View::Source(op) => match op.role(ctx) {
                Role::Construct { .. } | Role::Region => Flow::Once,
                Role::Loop => Flow::Shared,
                Role::End => Flow::Yield,
                Role::Standalone
                | Role::Variable
                | Role::Reduction
                | Role::Part
                | Role::Outside => Flow::Next,
            },
            View::Other => Flow::Next,
        }
    }

    fn of_core(op: CoreOp) -> Flow {
        match op {
            CoreOp::If(op) => Flow::If(op),
            CoreOp::Switch(op) => Flow::Switch(op),
            CoreOp::Loop(op) => Flow::Loop(op),
            CoreOp::For(op) => Flow::For(op),
            CoreOp::Yield(_) => Flow::Yield,
            CoreOp::Break(_) => Flow::Break,
            CoreOp::Continue(_) => Flow::Continue,
            CoreOp::Return(_) => Flow::Return,
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
            | CoreOp::Alloca(_)
            | CoreOp::AddressOf(_)
            | CoreOp::StringConst(_)
            | CoreOp::Load(_)
            | CoreOp::Store(_)
            | CoreOp::Copy(_)
            | CoreOp::Zero(_)
            | CoreOp::PtrAdd(_)
            | CoreOp::PtrDiff(_)
            | CoreOp::Decay(_)
            | CoreOp::Member(_)
            | CoreOp::LoadBits(_)
            | CoreOp::StoreBits(_)
            | CoreOp::Extent(_)
            | CoreOp::AtomicLoad(_)
            | CoreOp::AtomicStore(_)
            | CoreOp::AtomicUpdate(_)
            | CoreOp::Call(_)
            | CoreOp::ExternFunc(_)
            | CoreOp::RecordDef(_)
            // What it jumps to, if it does, nobody knows: who asks for more looks at its effects.
            | CoreOp::Opaque(_) => Flow::Next,
        }
    }

    fn of_par(op: ParOp) -> Flow {
        match op {
            ParOp::Loop(_) => Flow::Shared,
            ParOp::Reduce(_)
            | ParOp::Fork(_)
            | ParOp::Join(_)
            | ParOp::Lock(_)
            | ParOp::Unlock(_)
            | ParOp::Barrier(_)
            | ParOp::DimPos(_)
            | ParOp::DimSize(_)
            | ParOp::RedSetup(_)
            | ParOp::RedInit(_)
            | ParOp::RedFini(_)
            | ParOp::RedTeardown(_) => Flow::Next,
        }
    }

    fn of_simt(op: SimtOp) -> Flow {
        match op {
            SimtOp::Query(_)
            | SimtOp::Barrier(_)
            | SimtOp::Fence(_)
            | SimtOp::Contribute(_)
            | SimtOp::Shuffle(_)
            | SimtOp::Reduce(_)
            | SimtOp::Ballot(_)
            | SimtOp::Mask(_)
            | SimtOp::Locked(_)
            | SimtOp::ModuleLock(_)
            | SimtOp::Shared(_)
            | SimtOp::DynamicShared(_)
            | SimtOp::Scratch(_) => Flow::Next,
        }
    }

    /// Whether it leaves what is around it before that ends.
    pub fn is_jump(self) -> bool {
        match self {
            Flow::Break | Flow::Continue | Flow::Return => true,
            Flow::Next | Flow::Once | Flow::Yield => false,
            Flow::If(_) | Flow::Switch(_) | Flow::Loop(_) | Flow::For(_) | Flow::Shared => false,
        }
    }

    /// Whether it is a loop that each thread that comes to it runs by itself.
    pub fn is_loop(self) -> bool {
        match self {
            Flow::Loop(_) | Flow::For(_) => true,
            Flow::Shared | Flow::If(_) | Flow::Switch(_) | Flow::Once | Flow::Next => false,
            Flow::Yield | Flow::Break | Flow::Continue | Flow::Return => false,
        }
    }

    /// Whether it is a loop, shared or not.
    pub fn is_any_loop(self) -> bool {
        self.is_loop() || self == Flow::Shared
    }

    /// Whether it does nothing but choose what else is done.
    pub fn is_control(self) -> bool {
        match self {
            Flow::Next => false,
            Flow::Once | Flow::If(_) | Flow::Switch(_) => true,
            Flow::Loop(_) | Flow::For(_) | Flow::Shared => true,
            Flow::Yield | Flow::Break | Flow::Continue | Flow::Return => true,
        }
    }
}

/// The loop or `switch` that a `break` standing at `op` leaves.
pub fn left_by_break(ctx: &Context, op: Ptr<Operation>) -> Option<Ptr<Operation>> {
    around(ctx, op, |flow| match flow {
        Flow::Switch(_) => true,
        Flow::Loop(_) | Flow::For(_) | Flow::Shared => true,
        Flow::If(_) | Flow::Once | Flow::Next => false,
        Flow::Yield | Flow::Break | Flow::Continue | Flow::Return => false,
    })
}

/// The loop whose next iteration a `continue` standing at `op` leads to.
pub fn loop_around(ctx: &Context, op: Ptr<Operation>) -> Option<Ptr<Operation>> {
    around(ctx, op, Flow::is_any_loop)
}

/// The nearest operation around `op` that is `wanted`.
fn around(ctx: &Context, op: Ptr<Operation>, wanted: fn(Flow) -> bool) -> Option<Ptr<Operation>> {
    let mut at = op.deref(ctx).get_parent_op(ctx);
    while let Some(around) = at.filter(|around| !wanted(Flow::of(ctx, *around))) {
        at = around.deref(ctx).get_parent_op(ctx);
    }
    at
}
