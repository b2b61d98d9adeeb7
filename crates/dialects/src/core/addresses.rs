//! Addresses that are computed from others: of elements and members, and how far apart they are.

use super::types::{array_parts, pointee, pointer, record_tag};
use accrue_ir::pointers::PointerLike;
use accrue_ir::{attributes, build::build, effects};
use pliron::{
    builtin::op_interfaces::{
        NOpdsInterface, OneOpdInterface, OneResultInterface, OperandNImplsTy,
    },
    common_traits::Verify,
    context::Context,
    derive::{pliron_attr, pliron_op},
    op::Op,
    result::Result,
    r#type::{TypeHandle, Typed},
    value::Value,
    verify_err,
};

/// The address `$1` objects after `$0` (`$1` is an integer of any width, signed).
#[pliron_op(
    name = "core.ptr_add",
    format = "$0 `, ` $1 ` : ` type($0)",
    interfaces = [NOpdsInterface<2>, OneResultInterface, OperandNImplsTy<0, dyn PointerLike>],
    operands = (base, index),
    verifier = "succ"
)]
pub struct PtrAdd;

impl PtrAdd {
    pub fn new(ctx: &mut Context, base: Value, index: Value) -> Self {
        let ty = base.get_type(ctx);
        build(ctx, vec![ty], vec![base, index], 0)
    }
}

/// Number of objects from `$1` to `$0`, as `i64`.
#[pliron_op(
    name = "core.ptr_diff",
    format = "$0 `, ` $1 ` : ` type($0)",
    interfaces = [NOpdsInterface<2>, OneResultInterface, OperandNImplsTy<0, dyn PointerLike>],
    operands = (end, start),
    verifier = "succ"
)]
pub struct PtrDiff;

impl PtrDiff {
    pub fn new(ctx: &mut Context, end: Value, start: Value) -> Self {
        let ty = super::types::int(ctx, 64);
        build(ctx, vec![ty], vec![end, start], 0)
    }
}

/// The address of the first element of the array at `$0`.
#[pliron_op(
    name = "core.decay",
    format = "$0 ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface, OperandNImplsTy<0, dyn PointerLike>],
    operands = (array)
)]
pub struct Decay;

impl Decay {
    /// `None` unless `array` points to an array.
    pub fn new(ctx: &mut Context, array: Value) -> Option<Self> {
        let (_, of) = array_parts(ctx, pointee(ctx, array)?)?;
        let ty = pointer(ctx, of);
        Some(build(ctx, vec![ty], vec![array], 0))
    }
}

impl Verify for Decay {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let array = pointee(ctx, self.get_operand_array(ctx)).and_then(|a| array_parts(ctx, a));
        if array.map(|(_, of)| of) != pointee(ctx, self.get_result(ctx)) {
            return verify_err!(
                self.loc(ctx),
                "decay gives a pointer to the array's elements"
            );
        }
        Ok(())
    }
}

/// Index of a field in its `core.record_def`.
#[pliron_attr(name = "core.field_index", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct FieldIndex(pub u32);

/// The address of a field (not a bit-field) of the record at `$0`.
#[pliron_op(
    name = "core.member",
    format = "$0 `, ` attr($core_member_field, $FieldIndex) ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface, OperandNImplsTy<0, dyn PointerLike>],
    operands = (record)
)]
pub struct Member;

attributes! { Member:
    required core_member_field: FieldIndex = field_index, set_field_index;
}

impl Member {
    /// `field` has type `ty` in the record that `record` points to.
    pub fn new(ctx: &mut Context, record: Value, field: u32, ty: TypeHandle) -> Self {
        let ptr = pointer(ctx, ty);
        let op: Self = build(ctx, vec![ptr], vec![record], 0);
        op.set_field_index(ctx, FieldIndex(field));
        op
    }

    pub fn field(&self, ctx: &Context) -> u32 {
        self.field_index(ctx).0
    }
}

impl Verify for Member {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let record = pointee(ctx, self.get_operand_record(ctx));
        if record.and_then(|r| record_tag(ctx, r)).is_none() {
            return verify_err!(self.loc(ctx), "member of something that is no record");
        }
        Ok(())
    }
}

effects!(
    none: PtrAdd,
    PtrDiff,
    Decay,
    Member
);
