//! Constants, arithmetic, comparisons and conversions.

mod kinds;
pub use self::kinds::{Arithmetic, BinKind, FloatBin, IntBin, Ring};
use super::types::{boolean, complex_part, float_width, int_width};
use accrue_ir::{attributes, build::build, effects};
use pliron::{
    builtin::{
        attributes::{IntegerAttr, StringAttr},
        op_interfaces::{
            NOpdsInterface, OneOpdInterface, OneResultInterface, SameOperandsAndResultType,
            SameOperandsType, SameResultsType,
        },
        types::{IntegerType, Signedness},
    },
    common_traits::Verify,
    context::Context,
    derive::{pliron_attr, pliron_op},
    op::Op,
    printable::Printable,
    result::Result,
    r#type::{TypeHandle, Typed},
    utils::apint::APInt,
    value::Value,
    verify_err,
};
use std::num::NonZeroUsize;

/// An integer constant. The attribute holds the bits; its width is that of the result.
#[pliron_op(
    name = "core.const",
    format = "attr($core_int_value, $IntegerAttr) ` : ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct Const;

attributes! { Const:
    /// The value, as wide as the result.
    required core_int_value: IntegerAttr = bits, set_bits;
}

impl Const {
    /// The constant `value` of type `iN`, N = `width`; higher bits of `value` are cut off.
    pub fn new(ctx: &mut Context, width: u32, value: i128) -> Self {
        let ty = IntegerType::get(ctx, width, Signedness::Signless);
        let op: Self = build(ctx, vec![ty.into()], vec![], 0);
        let bits = NonZeroUsize::new(width as usize).unwrap_or(NonZeroUsize::MIN);
        op.set_bits(ctx, IntegerAttr::new(ty, APInt::from_i128(value, bits)));
        op
    }

    /// The value, sign-extended (`i1`: 0 or 1).
    pub fn value(&self, ctx: &Context) -> i128 {
        let bits = self.bits(ctx).value();
        match int_width(ctx, self.result_type(ctx)) {
            Some(1) => i128::from(!bits.is_zero()),
            Some(_) | None => bits.to_i128(),
        }
    }
}

/// A float constant: a C literal without suffix (decimal or hexadecimal), or `inf`, `-inf`, `nan`.
#[pliron_op(
    name = "core.fconst",
    format = "attr($core_float_text, $StringAttr) ` : ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct FConst;

attributes! { FConst:
    required core_float_text: StringAttr = literal, set_literal;
}

impl FConst {
    pub fn new(ctx: &mut Context, ty: TypeHandle, text: &str) -> Self {
        let op: Self = build(ctx, vec![ty], vec![], 0);
        op.set_literal(ctx, StringAttr::new(text.to_string()));
        op
    }

    /// The literal.
    pub fn text(&self, ctx: &Context) -> String {
        self.literal(ctx).into()
    }
}

/// The null pointer of the result's type.
#[pliron_op(
    name = "core.null",
    format = "`: ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct Null;

impl Null {
    pub fn new(ctx: &mut Context, ty: TypeHandle) -> Self {
        build(ctx, vec![ty], vec![], 0)
    }
}

/// `$0 kind $1`.
#[pliron_op(
    name = "core.bin",
    format = "attr($core_bin_kind, $BinKind) ` ` $0 `, ` $1 ` : ` type($0)",
    interfaces = [
        NOpdsInterface<2>, OneResultInterface,
        SameOperandsType, SameResultsType, SameOperandsAndResultType
    ],
    operands = (lhs, rhs)
)]
pub struct Bin;

attributes! { Bin:
    /// Which operation.
    required core_bin_kind: BinKind = kind, set_kind;
}

impl Bin {
    pub fn new(ctx: &mut Context, kind: BinKind, lhs: Value, rhs: Value) -> Self {
        let ty = lhs.get_type(ctx);
        let op: Self = build(ctx, vec![ty], vec![lhs, rhs], 0);
        op.set_kind(ctx, kind);
        op
    }
}

impl Verify for Bin {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let ty = self.result_type(ctx);
        let fits = match self.kind(ctx).arithmetic() {
            Arithmetic::Float(FloatBin::Min | FloatBin::Max) => float_width(ctx, ty).is_some(),
            Arithmetic::Float(_) => {
                float_width(ctx, ty).is_some() || complex_part(ctx, ty).is_some()
            }
            Arithmetic::Int(_) => int_width(ctx, ty).is_some(),
        };
        if !fits {
            return verify_err!(
                self.loc(ctx),
                "{} is not defined for this type",
                self.kind(ctx).disp(ctx)
            );
        }
        Ok(())
    }
}

/// One-operand operations.
#[pliron_attr(name = "core.un_kind", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum UnKind {
    /// Integer negation, wraps.
    Neg,
    /// Signed negation; overflow is undefined.
    NegS,
    /// Float or complex negation.
    FNeg,
    /// Bitwise complement.
    Not,
    /// Complex conjugate.
    Conj,
}

/// `kind $0`.
#[pliron_op(
    name = "core.un",
    format = "attr($core_un_kind, $UnKind) ` ` $0 ` : ` type($0)",
    interfaces = [
        NOpdsInterface<1>, OneOpdInterface, OneResultInterface,
        SameOperandsType, SameResultsType, SameOperandsAndResultType
    ],
    operands = (value),
    verifier = "succ"
)]
pub struct Un;

attributes! { Un:
    /// Which operation.
    required core_un_kind: UnKind = kind, set_kind;
}

impl Un {
    pub fn new(ctx: &mut Context, kind: UnKind, value: Value) -> Self {
        let ty = value.get_type(ctx);
        let op: Self = build(ctx, vec![ty], vec![value], 0);
        op.set_kind(ctx, kind);
        op
    }
}

/// Comparisons. S: signed integers, U: unsigned integers and pointers, F: floats (false if a side is NaN, but `FNe`).
#[pliron_attr(name = "core.cmp_kind", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum CmpKind {
    /// Integers of either sign, pointers.
    Eq,
    Ne,
    LtS,
    LeS,
    GtS,
    GeS,
    LtU,
    LeU,
    GtU,
    GeU,
    /// Floats; `FEq` and `FNe` also complex numbers.
    FEq,
    FNe,
    FLt,
    FLe,
    FGt,
    FGe,
}

/// `$0 kind $1` as `i1`.
#[pliron_op(
    name = "core.cmp",
    format = "attr($core_cmp_kind, $CmpKind) ` ` $0 `, ` $1 ` : ` type($0)",
    interfaces = [NOpdsInterface<2>, OneResultInterface, SameOperandsType],
    operands = (lhs, rhs)
)]
pub struct Cmp;

attributes! { Cmp:
    /// Which comparison.
    required core_cmp_kind: CmpKind = kind, set_kind;
}

impl Cmp {
    pub fn new(ctx: &mut Context, kind: CmpKind, lhs: Value, rhs: Value) -> Self {
        let ty = boolean(ctx);
        let op: Self = build(ctx, vec![ty], vec![lhs, rhs], 0);
        op.set_kind(ctx, kind);
        op
    }
}

impl Verify for Cmp {
    fn verify(&self, ctx: &Context) -> Result<()> {
        if self.result_type(ctx) != boolean(ctx) {
            return verify_err!(self.loc(ctx), "the result of a comparison is i1");
        }
        Ok(())
    }
}

/// Conversions between scalar types.
#[pliron_attr(name = "core.cast_kind", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum CastKind {
    /// Integer to a narrower integer (not to `i1`: see `ToBool`).
    Trunc,
    /// Integer to a wider one, with the sign.
    SExt,
    /// Integer (also `i1`) to a wider one, with zeros.
    ZExt,
    /// Signed integer to float.
    SToF,
    /// Unsigned integer (also `i1`) to float.
    UToF,
    /// Float to signed integer, towards zero.
    FToS,
    /// Float to unsigned integer, towards zero.
    FToU,
    /// Float to float.
    FCast,
    /// Integer to pointer.
    IntToPtr,
    /// Pointer to integer.
    PtrToInt,
    /// Pointer to a pointer of another type.
    PtrCast,
    /// Any scalar to `i1`: whether it is not zero.
    ToBool,
    /// Real float to complex of the same part.
    RealToComplex,
    /// Complex to complex of other parts.
    ComplexCast,
}

/// `$0` as the type of the result.
#[pliron_op(
    name = "core.cast",
    format = "attr($core_cast_kind, $CastKind) ` ` $0 ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface],
    operands = (value),
    verifier = "succ"
)]
pub struct Cast;

attributes! { Cast:
    /// Which conversion.
    required core_cast_kind: CastKind = kind, set_kind;
}

impl Cast {
    pub fn new(ctx: &mut Context, kind: CastKind, value: Value, to: TypeHandle) -> Self {
        let op: Self = build(ctx, vec![to], vec![value], 0);
        op.set_kind(ctx, kind);
        op
    }
}

/// A complex number from its parts.
#[pliron_op(
    name = "core.complex_make",
    format = "$0 `, ` $1 ` : ` type($0)",
    interfaces = [NOpdsInterface<2>, OneResultInterface, SameOperandsType],
    operands = (real, imaginary),
    verifier = "succ"
)]
pub struct ComplexMake;

impl ComplexMake {
    pub fn new(ctx: &mut Context, ty: TypeHandle, real: Value, imaginary: Value) -> Self {
        build(ctx, vec![ty], vec![real, imaginary], 0)
    }
}

/// The real part of a complex number.
#[pliron_op(
    name = "core.real",
    format = "$0 ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface],
    operands = (value),
    verifier = "succ"
)]
pub struct Real;

/// The imaginary part of a complex number.
#[pliron_op(
    name = "core.imag",
    format = "$0 ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface],
    operands = (value),
    verifier = "succ"
)]
pub struct Imag;

impl Real {
    /// `value` must be complex; `None` otherwise.
    pub fn new(ctx: &mut Context, value: Value) -> Option<Self> {
        let ty = complex_part(ctx, value.get_type(ctx))?;
        Some(build(ctx, vec![ty], vec![value], 0))
    }
}

impl Imag {
    /// `value` must be complex; `None` otherwise.
    pub fn new(ctx: &mut Context, value: Value) -> Option<Self> {
        let ty = complex_part(ctx, value.get_type(ctx))?;
        Some(build(ctx, vec![ty], vec![value], 0))
    }
}

/// `$0 ? $1 : $2`, all operands evaluated.
#[pliron_op(
    name = "core.select",
    format = "$0 ` ? ` $1 `, ` $2 ` : ` type($0)",
    interfaces = [NOpdsInterface<3>, OneResultInterface],
    operands = (cond, yes, no),
    verifier = "succ"
)]
pub struct Select;

impl Select {
    pub fn new(ctx: &mut Context, cond: Value, yes: Value, no: Value) -> Self {
        let ty = yes.get_type(ctx);
        build(ctx, vec![ty], vec![cond, yes, no], 0)
    }
}

effects!(
    none: Const,
    FConst,
    Null,
    Bin,
    Un,
    Cmp,
    Cast,
    ComplexMake,
    Real,
    Imag,
    Select
);
