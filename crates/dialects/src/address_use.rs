//! What operations do with the addresses that they get: the one answer that alias, escape and read-only analyses build on.
//!
//! ```text
//! core.load %p                 Read           core.member %p[1]        Derive
//! core.store %v, %p            Write          core.call f(%p)          Pass
//! core.store %p, %q            Keep           acc.copyin %p            Clause
//! ```
//! Each operation of each dialect is listed; a new one does not compile until it has an answer.

use crate::{
    View,
    core::{Cast, CastKind, CoreOp, Decay, Member, PtrAdd},
    par::ParOp,
    simt::SimtOp,
};
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
    value::Value,
};

/// What an operation does with an address that is one of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UseKind {
    /// Reads what it points to.
    Read { volatile: bool },
    /// Writes what it points to, without reading it.
    Write { volatile: bool },
    /// Reads and writes what it points to.
    Update { volatile: bool },
    /// Has an address in the same object as its result.
    Derive,
    /// Gives it to a function.
    Pass,
    /// Names the variable for a directive: what that does with it is said there.
    Clause,
    /// Looks at the address or the shape of the object, not at what is in it.
    Look,
    /// Puts the address where it cannot be followed.
    Keep,
}

/// What `op` does with its operand `index`, an address.
pub fn use_of(ctx: &Context, op: Ptr<Operation>, index: usize) -> UseKind {
    match View::of(ctx, op) {
        View::Core(op) => in_core(ctx, op, index),
        View::Par(op) => in_par(op),
        View::Simt(op) => in_simt(op),
        View::Source(op) => match op.role(ctx).is_about_variable() {
            true => UseKind::Clause,
            false => UseKind::Keep,
        },
        View::Other => UseKind::Keep,
    }
}

fn in_core(ctx: &Context, op: CoreOp, index: usize) -> UseKind {
    let plain = false;
    match op {
        CoreOp::Load(op) => UseKind::Read {
            volatile: op.is_volatile(ctx),
        },
        CoreOp::Store(op) if index == 1 => UseKind::Write {
            volatile: op.is_volatile(ctx),
        },
        CoreOp::AtomicStore(_) if index == 1 => UseKind::Write { volatile: plain },
        CoreOp::StoreBits(_) if index == 1 => UseKind::Update { volatile: plain },
        CoreOp::Store(_) | CoreOp::AtomicStore(_) | CoreOp::StoreBits(_) => UseKind::Keep,
        CoreOp::LoadBits(_) | CoreOp::AtomicLoad(_) => UseKind::Read { volatile: plain },
        CoreOp::AtomicUpdate(_) => UseKind::Update { volatile: plain },
        CoreOp::Copy(_) if index == 1 => UseKind::Read { volatile: plain },
        CoreOp::Copy(_) | CoreOp::Zero(_) => UseKind::Write { volatile: plain },
        CoreOp::Decay(_) | CoreOp::Member(_) => UseKind::Derive,
        CoreOp::PtrAdd(_) | CoreOp::Select(_) => UseKind::Derive,
        CoreOp::Cast(op) => of_cast(op.kind(ctx)),
        CoreOp::Cmp(_) | CoreOp::PtrDiff(_) | CoreOp::Extent(_) => UseKind::Look,
        CoreOp::Call(_) => UseKind::Pass,
        CoreOp::Yield(_) | CoreOp::Return(_) | CoreOp::Opaque(_) => UseKind::Keep,
        // These have no operands, or none that are addresses.
        CoreOp::Const(_)
        | CoreOp::FConst(_)
        | CoreOp::Null(_)
        | CoreOp::Bin(_)
        | CoreOp::Un(_)
        | CoreOp::ComplexMake(_)
        | CoreOp::Real(_)
        | CoreOp::Imag(_)
        | CoreOp::Alloca(_)
        | CoreOp::AddressOf(_)
        | CoreOp::StringConst(_)
        | CoreOp::Break(_)
        | CoreOp::Continue(_)
        | CoreOp::If(_)
        | CoreOp::Loop(_)
        | CoreOp::Switch(_)
        | CoreOp::For(_)
        | CoreOp::ExternFunc(_)
        | CoreOp::RecordDef(_) => UseKind::Keep,
    }
}

fn of_cast(kind: CastKind) -> UseKind {
    match kind {
        CastKind::PtrCast => UseKind::Derive,
        CastKind::ToBool => UseKind::Look,
        CastKind::PtrToInt
        | CastKind::Trunc
        | CastKind::SExt
        | CastKind::ZExt
        | CastKind::SToF
        | CastKind::UToF
        | CastKind::FToS
        | CastKind::FToU
        | CastKind::FCast
        | CastKind::IntToPtr
        | CastKind::RealToComplex
        | CastKind::ComplexCast => UseKind::Keep,
    }
}

fn in_par(op: ParOp) -> UseKind {
    match op {
        ParOp::Reduce(_) => UseKind::Clause,
        ParOp::RedSetup(_) | ParOp::RedInit(_) | ParOp::RedFini(_) | ParOp::RedTeardown(_) => {
            UseKind::Update { volatile: false }
        }
        ParOp::Loop(_)
        | ParOp::Fork(_)
        | ParOp::Join(_)
        | ParOp::Lock(_)
        | ParOp::Unlock(_)
        | ParOp::Barrier(_)
        | ParOp::DimPos(_)
        | ParOp::DimSize(_) => UseKind::Keep,
    }
}

fn in_simt(op: SimtOp) -> UseKind {
    match op {
        SimtOp::Contribute(_) => UseKind::Read { volatile: false },
        SimtOp::Locked(_) => UseKind::Update { volatile: false },
        SimtOp::Query(_)
        | SimtOp::Barrier(_)
        | SimtOp::Fence(_)
        | SimtOp::Shuffle(_)
        | SimtOp::Reduce(_)
        | SimtOp::Ballot(_)
        | SimtOp::Mask(_)
        | SimtOp::ModuleLock(_)
        | SimtOp::Shared(_)
        | SimtOp::DynamicShared(_)
        | SimtOp::Scratch(_) => UseKind::Keep,
    }
}

/// The address that `address` is computed from, in the same object: of the record, of the array, before a conversion.
pub fn derived_from(ctx: &Context, address: Value) -> Option<Value> {
    let op = address.defining_op()?;
    if let Some(member) = Operation::get_op::<Member>(op, ctx) {
        return Some(member.get_operand_record(ctx));
    }
    if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
        return Some(decay.get_operand_array(ctx));
    }
    if let Some(element) = Operation::get_op::<PtrAdd>(op, ctx) {
        return Some(element.get_operand_base(ctx));
    }
    let cast = Operation::get_op::<Cast>(op, ctx)?;
    (cast.kind(ctx) == CastKind::PtrCast).then(|| cast.get_operand_value(ctx))
}

/// The address of the object that `address` is in, as far as it can be followed.
pub fn object_of(ctx: &Context, address: Value) -> Value {
    let mut at = address;
    while let Some(from) = derived_from(ctx, at) {
        at = from;
    }
    at
}
