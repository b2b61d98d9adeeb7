//! Types of the `core` dialect.

use accrue_ir::pointers::PointerLike;
use pliron::{
    builtin::types::{IntegerType, Signedness},
    context::Context,
    derive::{format, pliron_attr, pliron_type, type_interface_impl},
    r#type::{TypeHandle, Typed, type_cast},
    value::Value,
};

/// A binary float of `width` bits: 16, 32, 64 (IEEE 754), 80 (x87 extended) or 128 (IEEE 754 quad).
#[pliron_type(
    name = "core.float",
    format = "`<` $width `>`",
    generate_get = true,
    verifier = "succ"
)]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FloatType {
    pub width: u32,
}

/// A complex number: real part, then imaginary part.
#[pliron_type(
    name = "core.complex",
    format = "`<` $part `>`",
    generate_get = true,
    verifier = "succ"
)]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ComplexType {
    pub part: TypeHandle,
}

/// Where a pointer points. Everything is `Generic` until a target's address spaces are inferred.
#[format]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressSpace {
    Generic,
    Global,
    Shared,
    Local,
    Constant,
}

/// An address of an object of type `to`.
#[pliron_type(
    name = "core.ptr",
    format = "`<` $to `, ` $space `>`",
    generate_get = true,
    verifier = "succ"
)]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PointerType {
    pub to: TypeHandle,
    pub space: AddressSpace,
}

#[type_interface_impl]
impl PointerLike for PointerType {
    fn pointee(&self) -> TypeHandle {
        self.to
    }
}

/// `length` objects of type `of`, one after another.
#[pliron_type(
    name = "core.array",
    format = "`<` $length ` x ` $of `>`",
    generate_get = true,
    verifier = "succ"
)]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ArrayType {
    pub length: u64,
    pub of: TypeHandle,
}

/// A struct or union; `tag` names its `core.record_def`.
#[pliron_type(
    name = "core.record",
    format = "`<` $tag `>`",
    generate_get = true,
    verifier = "succ"
)]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RecordType {
    pub tag: String,
}

/// Nothing: only as what a pointer points to.
#[pliron_type(name = "core.void", format, generate_get = true, verifier = "succ")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VoidType;

/// One step from a variable to its elements.
#[format]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShapeDim {
    /// Through a pointer, to as many elements as only the program knows.
    Pointer,
    /// An array dimension of this length.
    Fixed(u64),
    /// An array dimension whose length is computed at run time.
    Variable,
}

/// The shape of a variable as declared: its pointers and array dimensions from the outside in, and what they lead to.
/// `double (*a)[m]`: `[Pointer, Variable]` of `core.float<64>`. A scalar or record has no dimensions.
#[pliron_attr(
    name = "core.shape",
    format = "`[` vec($dims, CharSpace(`,`)) `]` ` of ` $elem",
    verifier = "succ"
)]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    pub dims: Vec<ShapeDim>,
    pub elem: TypeHandle,
}

/// The type `iN`.
pub fn int(ctx: &Context, width: u32) -> TypeHandle {
    IntegerType::get(ctx, width, Signedness::Signless).into()
}

/// `i1`, the type of conditions and of `_Bool`.
pub fn boolean(ctx: &Context) -> TypeHandle {
    int(ctx, 1)
}

/// A float of `width` bits.
pub fn float(ctx: &Context, width: u32) -> TypeHandle {
    FloatType::get(ctx, width).into()
}

/// A generic pointer to `to`.
pub fn pointer(ctx: &Context, to: TypeHandle) -> TypeHandle {
    PointerType::get(ctx, to, AddressSpace::Generic).into()
}

/// What a pointer-like value points to.
pub fn pointee(ctx: &Context, value: Value) -> Option<TypeHandle> {
    pointee_of(ctx, value.get_type(ctx))
}

/// What a pointer-like type points to.
pub fn pointee_of(ctx: &Context, ty: TypeHandle) -> Option<TypeHandle> {
    let ty = ty.deref(ctx);
    type_cast::<dyn PointerLike>(&*ty).map(|p| p.pointee())
}

/// Width of an integer type.
pub fn int_width(ctx: &Context, ty: TypeHandle) -> Option<u32> {
    ty.deref(ctx)
        .downcast_ref::<IntegerType>()
        .map(|t| t.width())
}

/// Width of a float type.
pub fn float_width(ctx: &Context, ty: TypeHandle) -> Option<u32> {
    ty.deref(ctx).downcast_ref::<FloatType>().map(|t| t.width)
}

/// The float type inside a complex type.
pub fn complex_part(ctx: &Context, ty: TypeHandle) -> Option<TypeHandle> {
    ty.deref(ctx).downcast_ref::<ComplexType>().map(|t| t.part)
}

/// Length and element type of an array type.
pub fn array_parts(ctx: &Context, ty: TypeHandle) -> Option<(u64, TypeHandle)> {
    ty.deref(ctx)
        .downcast_ref::<ArrayType>()
        .map(|t| (t.length, t.of))
}

/// Tag of a record type.
pub fn record_tag(ctx: &Context, ty: TypeHandle) -> Option<String> {
    ty.deref(ctx)
        .downcast_ref::<RecordType>()
        .map(|t| t.tag.clone())
}

/// Number and type of the scalars of an object.
pub fn elements(ctx: &Context, ty: TypeHandle) -> (u64, TypeHandle) {
    match array_parts(ctx, ty) {
        None => (1, ty),
        Some((length, of)) => {
            let (count, scalar) = elements(ctx, of);
            (length.saturating_mul(count), scalar)
        }
    }
}

/// Whether values of the type are scalars: integer, float, complex or pointer.
pub fn is_scalar(ctx: &Context, ty: TypeHandle) -> bool {
    int_width(ctx, ty).is_some()
        || float_width(ctx, ty).is_some()
        || complex_part(ctx, ty).is_some()
        || pointee_of(ctx, ty).is_some()
}
