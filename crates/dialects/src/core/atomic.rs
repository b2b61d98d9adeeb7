//! Atomic accesses (OpenACC 3.4, section 2.12).
//!
//! Three operations are enough for all forms of the `atomic` construct; what becomes of `v` in `v = x++` is an ordinary
//! store. They are relaxed: nothing is said about the order of accesses to other objects.
//!
//! ```text
//! v = x;         %1 = core.atomic_load %x                       core.store %1, %v
//! x = e;         core.atomic_store %e, %x
//! v = x += e;    %old, %new = core.atomic_update %x {           core.store %new, %v
//!                ^(%o): %s = core.bin AddS %o, %e   core.yield %s }
//! ```
//!
//! The region of an update computes the new value from the old one; it has no effects, because it may run several times.
//! What does not depend on the old value is computed before it.

use super::{
    CoreOp,
    types::{is_scalar, pointee},
};
use crate::ends::{is_yield, verify_end};
use accrue_ir::pointers::PointerLike;
use accrue_ir::{
    build::{build, entry},
    effects::{Effect, EffectOp, Effects},
    walk::{operands_of, ops_of_block},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{
        NOpdsInterface, NResultsInterface, OneOpdInterface, OneRegionInterface, OneResultInterface,
        OperandNImplsTy, SingleBlockRegionInterface,
    },
    common_traits::Verify,
    context::{Context, Ptr},
    derive::{op_interface_impl, pliron_op},
    op::Op,
    operation::Operation,
    result::Result,
    r#type::Typed,
    value::Value,
    verify_err,
};

/// An atomic access.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Atomic {
    Load(AtomicLoad),
    Store(AtomicStore),
    Update(AtomicUpdate),
}

impl Atomic {
    /// `None` for all that is no atomic access.
    pub fn of(ctx: &Context, op: Ptr<Operation>) -> Option<Self> {
        match CoreOp::of(ctx, op)? {
            CoreOp::AtomicLoad(op) => Some(Atomic::Load(op)),
            CoreOp::AtomicStore(op) => Some(Atomic::Store(op)),
            CoreOp::AtomicUpdate(op) => Some(Atomic::Update(op)),
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
            | CoreOp::Yield(_)
            | CoreOp::Break(_)
            | CoreOp::Continue(_)
            | CoreOp::Return(_)
            | CoreOp::If(_)
            | CoreOp::Loop(_)
            | CoreOp::Switch(_)
            | CoreOp::For(_)
            | CoreOp::Call(_)
            | CoreOp::ExternFunc(_)
            | CoreOp::RecordDef(_)
            | CoreOp::Opaque(_) => None,
        }
    }

    /// The object that it accesses.
    pub fn address(self, ctx: &Context) -> Value {
        match self {
            Atomic::Load(op) => op.get_operand_address(ctx),
            Atomic::Store(op) => op.get_operand_address(ctx),
            Atomic::Update(op) => op.get_operand_address(ctx),
        }
    }
}

/// Reads the scalar at `$0` in one piece.
#[pliron_op(
    name = "core.atomic_load",
    format = "$0 ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface, OperandNImplsTy<0, dyn PointerLike>],
    operands = (address)
)]
pub struct AtomicLoad;

impl AtomicLoad {
    /// `address` must be a pointer to a scalar.
    pub fn new(ctx: &mut Context, address: Value) -> Self {
        let ty = pointee(ctx, address).unwrap_or_else(|| address.get_type(ctx));
        build(ctx, vec![ty], vec![address], 0)
    }
}

impl Verify for AtomicLoad {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let object = pointee(ctx, self.get_operand_address(ctx));
        if object != Some(self.result_type(ctx)) || !is_scalar(ctx, self.result_type(ctx)) {
            return verify_err!(self.loc(ctx), "an atomic load reads the scalar pointed to");
        }
        Ok(())
    }
}

#[op_interface_impl]
impl EffectOp for AtomicLoad {
    fn effects(&self, ctx: &Context) -> Effects {
        Effects::Known(vec![Effect::Read(Some(self.get_operand_address(ctx)))])
    }
}

/// Writes the scalar `$0` to address `$1` in one piece.
#[pliron_op(
    name = "core.atomic_store",
    format = "$0 `, ` $1",
    interfaces = [NOpdsInterface<2>, NResultsInterface<0>, OperandNImplsTy<1, dyn PointerLike>],
    operands = (value, address)
)]
pub struct AtomicStore;

impl AtomicStore {
    pub fn new(ctx: &mut Context, value: Value, address: Value) -> Self {
        build(ctx, vec![], vec![value, address], 0)
    }
}

impl Verify for AtomicStore {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let ty = self.get_operand_value(ctx).get_type(ctx);
        if pointee(ctx, self.get_operand_address(ctx)) != Some(ty) || !is_scalar(ctx, ty) {
            return verify_err!(
                self.loc(ctx),
                "an atomic store writes a scalar of the type pointed to"
            );
        }
        Ok(())
    }
}

#[op_interface_impl]
impl EffectOp for AtomicStore {
    fn effects(&self, ctx: &Context) -> Effects {
        Effects::Known(vec![Effect::Write(Some(self.get_operand_address(ctx)))])
    }
}

/// Replaces the scalar at `$0` by what the region makes of it, in one piece. Results: the value before and after.
#[pliron_op(
    name = "core.atomic_update",
    format = "$0 ` (` types(CharSpace(`,`)) `) ` region($0)",
    interfaces = [
        NOpdsInterface<1>, OneOpdInterface, NResultsInterface<2>, OneRegionInterface, SingleBlockRegionInterface,
        OperandNImplsTy<0, dyn PointerLike>
    ],
    operands = (address)
)]
pub struct AtomicUpdate;

impl AtomicUpdate {
    /// Gives the operation and its block, which has the old value as argument and no terminator yet.
    pub fn new(ctx: &mut Context, address: Value) -> (Self, Ptr<BasicBlock>) {
        let ty = pointee(ctx, address).unwrap_or_else(|| address.get_type(ctx));
        let op: Self = build(ctx, vec![ty, ty], vec![address], 1);
        let block = entry(ctx, &op, 0, vec![ty]);
        (op, block)
    }

    /// The value before the update.
    pub fn old(&self, ctx: &Context) -> Value {
        self.get_operation().deref(ctx).get_result(0)
    }

    /// The value after the update.
    pub fn new_value(&self, ctx: &Context) -> Value {
        self.get_operation().deref(ctx).get_result(1)
    }

    /// The value that the region yields; `None` in an operation that is not finished.
    pub fn yielded(&self, ctx: &Context) -> Option<Value> {
        let end = ops_of_block(ctx, self.get_body(ctx, 0)).last().copied()?;
        operands_of(ctx, end).first().copied()
    }
}

impl Verify for AtomicUpdate {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let object = pointee(ctx, self.get_operand_address(ctx));
        let body = self.get_body(ctx, 0);
        let arguments: Vec<_> = body
            .deref(ctx)
            .arguments()
            .map(|a| a.get_type(ctx))
            .collect();
        let (old, new) = (
            self.old(ctx).get_type(ctx),
            self.new_value(ctx).get_type(ctx),
        );
        let yielded = self.yielded(ctx).map(|v| v.get_type(ctx));
        if object != Some(old)
            || old != new
            || arguments != [old]
            || yielded != Some(old)
            || !is_scalar(ctx, old)
        {
            return verify_err!(
                self.loc(ctx),
                "the region of an atomic update takes and yields the scalar pointed to, as do its results"
            );
        }
        verify_end(ctx, self, 0, is_yield, "core.yield")
    }
}

#[op_interface_impl]
impl EffectOp for AtomicUpdate {
    fn effects(&self, ctx: &Context) -> Effects {
        let address = self.get_operand_address(ctx);
        Effects::Known(vec![
            Effect::Read(Some(address)),
            Effect::Write(Some(address)),
        ])
    }
}
