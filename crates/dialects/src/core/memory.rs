//! Variables, loads and stores. Addresses that are computed are in [`super::addresses`].

use super::addresses::FieldIndex;
use super::types::{Shape, pointee, pointer};
use accrue_ir::pointers::PointerLike;
use accrue_ir::{
    attributes,
    build::build,
    effects,
    effects::{Effect, EffectOp, Effects},
};
use pliron::{
    builtin::{
        attributes::{BoolAttr, IdentifierAttr, StringAttr},
        op_interfaces::{
            AtMostNOpdsInterface, NOpdsInterface, NResultsInterface, OneOpdInterface,
            OneResultInterface, OperandNImplsTy,
        },
    },
    common_traits::Verify,
    context::Context,
    derive::{op_interface_impl, pliron_attr, pliron_op},
    identifier::Identifier,
    op::Op,
    result::Result,
    r#type::{TypeHandle, Typed},
    value::Value,
    verify_err,
};

/// A variable of the user's program: its name in the source, empty for temporaries, and its shape.
#[pliron_attr(name = "core.var", format = "$name ` ` $shape", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Variable {
    pub name: String,
    pub shape: Shape,
}

/// A new variable, uninitialised. With an operand: as many elements as the operand says (`i64`), the result pointing to
/// the first (variable-length arrays). The user's name is kept for messages and for the host's side.
#[pliron_op(
    name = "core.alloca",
    format = "operands(CharSpace(`,`)) ` ` opt_attr($core_alloca_var, $Variable) opt_attr($core_alloca_apart, $BoolAttr, label($apart), delimiters(`[`, `]`)) opt_attr($core_alloca_of_thread, $BoolAttr, label($own), delimiters(`[`, `]`)) opt_attr($core_alloca_constant, $BoolAttr, label($constant), delimiters(`[`, `]`)) ` : ` type($0)",
    interfaces = [OneResultInterface, AtMostNOpdsInterface<1>],
    verifier = "succ"
)]
pub struct Alloca;

attributes! { Alloca:
    /// The user's variable; absent for temporaries.
    optional core_alloca_var: Variable = variable, set_variable;
    /// Of a pointer: what it leads to, and anything writes to, is accessed in no other way while the variable exists. C's
    /// parameters with `restrict` are such, and Fortran's dummy arguments without `target`.
    flag core_alloca_apart = leads_apart, set_leads_apart;
    /// Each thread has one, wherever in the kernel it stands: what one of them stores is nothing to the others.
    flag core_alloca_of_thread = is_of_thread, set_of_thread;
    /// Its type is constant: nothing writes to it after it has got its value. It may be in memory that cannot be written.
    flag core_alloca_constant = is_constant, set_constant;
}

impl Alloca {
    /// A variable of type `ty`; its address is the result. `var` is absent for temporaries.
    pub fn new(ctx: &mut Context, ty: TypeHandle, var: Option<Variable>) -> Self {
        let ptr = pointer(ctx, ty);
        Self::build(ctx, ptr, vec![], var)
    }

    /// `count` elements of type `elem`; the address of the first is the result.
    pub fn dynamic(
        ctx: &mut Context,
        elem: TypeHandle,
        count: Value,
        var: Option<Variable>,
    ) -> Self {
        let ptr = pointer(ctx, elem);
        Self::build(ctx, ptr, vec![count], var)
    }

    pub(super) fn build(
        ctx: &mut Context,
        ptr: TypeHandle,
        operands: Vec<Value>,
        var: Option<Variable>,
    ) -> Self {
        let op: Self = build(ctx, vec![ptr], operands, 0);
        if let Some(var) = var {
            op.set_variable(ctx, var);
        }
        op
    }

    /// Type of the variable (of one element when dynamic).
    pub fn var_type(&self, ctx: &Context) -> TypeHandle {
        pointee(ctx, self.get_result(ctx)).unwrap_or_else(|| self.result_type(ctx))
    }

    /// Number of elements of a variable-length array.
    pub fn count(&self, ctx: &Context) -> Option<Value> {
        let op = self.get_operation().deref(ctx);
        (op.get_num_operands() > 0).then(|| op.get_operand(0))
    }
}

#[op_interface_impl]
impl EffectOp for Alloca {
    fn effects(&self, _: &Context) -> Effects {
        Effects::Known(vec![Effect::Alloc])
    }
}

/// The address of a global variable or function by its linkage name.
#[pliron_op(
    name = "core.address_of",
    format = "`@` attr($core_symbol, $IdentifierAttr) ` ` opt_attr($core_address_var, $Variable) opt_attr($core_address_constant, $BoolAttr, label($constant), delimiters(`[`, `]`)) ` : ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct AddressOf;

attributes! { AddressOf:
    required core_symbol: IdentifierAttr = symbol_attribute, set_symbol_attribute;
    /// The user's variable; absent for functions.
    optional core_address_var: Variable = variable, set_variable;
    /// The variable's type is constant: nothing writes to it, and it may be in memory that cannot be written.
    flag core_address_constant = is_constant, set_constant;
}

impl AddressOf {
    /// `ty` is the pointer type of the result; `var` is absent for functions.
    pub fn new(
        ctx: &mut Context,
        symbol: Identifier,
        ty: TypeHandle,
        var: Option<Variable>,
    ) -> Self {
        let op: Self = build(ctx, vec![ty], vec![], 0);
        op.set_symbol_attribute(ctx, IdentifierAttr::new(symbol));
        if let Some(var) = var {
            op.set_variable(ctx, var);
        }
        op
    }

    /// The name.
    pub fn symbol(&self, ctx: &Context) -> String {
        Identifier::from(self.symbol_attribute(ctx)).to_string()
    }
}

/// A constant string with its terminating zero; the result points to its first `i8`. The attribute holds the bytes as
/// text, each byte one character U+0000 to U+00FF.
#[pliron_op(
    name = "core.string",
    format = "attr($core_string_bytes, $StringAttr) ` : ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct StringConst;

attributes! { StringConst:
    required core_string_bytes: StringAttr = text, set_text;
}

impl StringConst {
    /// `bytes` without the terminating zero.
    pub fn new(ctx: &mut Context, bytes: &[u8]) -> Self {
        let i8 = super::types::int(ctx, 8);
        let ty = pointer(ctx, i8);
        let op: Self = build(ctx, vec![ty], vec![], 0);
        let text: String = bytes.iter().map(|b| char::from(*b)).collect();
        op.set_text(ctx, StringAttr::new(text));
        op
    }

    /// The bytes without the terminating zero.
    pub fn bytes(&self, ctx: &Context) -> Vec<u8> {
        String::from(self.text(ctx))
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
            .collect()
    }
}

/// Reads a scalar. `core_volatile` set: the access must happen.
#[pliron_op(
    name = "core.load",
    format = "$0 opt_attr($core_load_volatile, $BoolAttr, label($volatile), delimiters(`[`, `]`)) opt_attr($core_load_contiguous, $BoolAttr, label($contiguous), delimiters(`[`, `]`)) ` : ` type($0)",
    interfaces = [
        NOpdsInterface<1>, OneOpdInterface, OneResultInterface, OperandNImplsTy<0, dyn PointerLike>
    ],
    operands = (address)
)]
pub struct Load;

attributes! { Load:
    /// The access must happen.
    flag core_load_volatile = is_volatile, set_volatile;
    /// It moves on by one element in each iteration of the loop around it that is one of vectors ([`crate::par::vectors`]).
    flag core_load_contiguous = is_contiguous, set_contiguous;
}

impl Load {
    /// `address` must be a pointer to a scalar.
    pub fn new(ctx: &mut Context, address: Value) -> Self {
        let ty = pointee(ctx, address).unwrap_or_else(|| address.get_type(ctx));
        build(ctx, vec![ty], vec![address], 0)
    }
}

impl Verify for Load {
    fn verify(&self, ctx: &Context) -> Result<()> {
        if pointee(ctx, self.get_operand_address(ctx)) != Some(self.result_type(ctx)) {
            return verify_err!(
                self.loc(ctx),
                "the result of a load has the type pointed to"
            );
        }
        Ok(())
    }
}

#[op_interface_impl]
impl EffectOp for Load {
    fn effects(&self, ctx: &Context) -> Effects {
        let address = self.get_operand_address(ctx);
        match self.is_volatile(ctx) {
            true => Effects::Known(vec![Effect::Read(None), Effect::Write(None)]),
            false => Effects::Known(vec![Effect::Read(Some(address))]),
        }
    }
}

/// Writes the scalar `$0` to address `$1`.
#[pliron_op(
    name = "core.store",
    format = "$0 `, ` $1 opt_attr($core_store_volatile, $BoolAttr, label($volatile), delimiters(`[`, `]`)) opt_attr($core_store_contiguous, $BoolAttr, label($contiguous), delimiters(`[`, `]`))",
    interfaces = [NOpdsInterface<2>, NResultsInterface<0>, OperandNImplsTy<1, dyn PointerLike>],
    operands = (value, address)
)]
pub struct Store;

attributes! { Store:
    /// The access must happen.
    flag core_store_volatile = is_volatile, set_volatile;
    /// As of a load.
    flag core_store_contiguous = is_contiguous, set_contiguous;
}

impl Store {
    pub fn new(ctx: &mut Context, value: Value, address: Value) -> Self {
        build(ctx, vec![], vec![value, address], 0)
    }
}

impl Verify for Store {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let value = self.get_operand_value(ctx).get_type(ctx);
        if pointee(ctx, self.get_operand_address(ctx)) != Some(value) {
            return verify_err!(
                self.loc(ctx),
                "the value of a store has the type pointed to"
            );
        }
        Ok(())
    }
}

#[op_interface_impl]
impl EffectOp for Store {
    fn effects(&self, ctx: &Context) -> Effects {
        Effects::Known(vec![Effect::Write(Some(self.get_operand_address(ctx)))])
    }
}

/// Copies the whole object at `$1` to `$0`; both point to the same type. For arrays and records.
#[pliron_op(
    name = "core.copy",
    format = "$0 ` <- ` $1",
    interfaces = [
        NOpdsInterface<2>, NResultsInterface<0>,
        OperandNImplsTy<0, dyn PointerLike>, OperandNImplsTy<1, dyn PointerLike>
    ],
    operands = (to, from)
)]
pub struct Copy;

impl Copy {
    pub fn new(ctx: &mut Context, to: Value, from: Value) -> Self {
        build(ctx, vec![], vec![to, from], 0)
    }
}

impl Verify for Copy {
    fn verify(&self, ctx: &Context) -> Result<()> {
        if pointee(ctx, self.get_operand_to(ctx)) != pointee(ctx, self.get_operand_from(ctx)) {
            return verify_err!(self.loc(ctx), "a copy has the same type on both sides");
        }
        Ok(())
    }
}

#[op_interface_impl]
impl EffectOp for Copy {
    fn effects(&self, ctx: &Context) -> Effects {
        Effects::Known(vec![
            Effect::Read(Some(self.get_operand_from(ctx))),
            Effect::Write(Some(self.get_operand_to(ctx))),
        ])
    }
}

/// Sets every byte of the object at `$0` to zero.
#[pliron_op(
    name = "core.zero",
    format = "$0",
    interfaces = [NOpdsInterface<1>, NResultsInterface<0>, OperandNImplsTy<0, dyn PointerLike>],
    operands = (address),
    verifier = "succ"
)]
pub struct Zero;

impl Zero {
    pub fn new(ctx: &mut Context, address: Value) -> Self {
        build(ctx, vec![], vec![address], 0)
    }
}

#[op_interface_impl]
impl EffectOp for Zero {
    fn effects(&self, ctx: &Context) -> Effects {
        Effects::Known(vec![Effect::Write(Some(self.get_operand_address(ctx)))])
    }
}

/// Reads a bit-field of the record at `$0`; the result has the field's declared type.
#[pliron_op(
    name = "core.load_bits",
    format = "$0 `, ` attr($core_load_bits_field, $FieldIndex) ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface, OperandNImplsTy<0, dyn PointerLike>],
    operands = (record),
    verifier = "succ"
)]
pub struct LoadBits;

attributes! { LoadBits:
    required core_load_bits_field: FieldIndex = field_index, set_field_index;
}

impl LoadBits {
    pub fn new(ctx: &mut Context, record: Value, field: u32, ty: TypeHandle) -> Self {
        let op: Self = build(ctx, vec![ty], vec![record], 0);
        op.set_field_index(ctx, FieldIndex(field));
        op
    }

    pub fn field(&self, ctx: &Context) -> u32 {
        self.field_index(ctx).0
    }
}

#[op_interface_impl]
impl EffectOp for LoadBits {
    fn effects(&self, ctx: &Context) -> Effects {
        Effects::Known(vec![Effect::Read(Some(self.get_operand_record(ctx)))])
    }
}

/// Writes `$0` to a bit-field of the record at `$1`.
#[pliron_op(
    name = "core.store_bits",
    format = "$0 `, ` $1 `, ` attr($core_store_bits_field, $FieldIndex)",
    interfaces = [NOpdsInterface<2>, NResultsInterface<0>, OperandNImplsTy<1, dyn PointerLike>],
    operands = (value, record),
    verifier = "succ"
)]
pub struct StoreBits;

attributes! { StoreBits:
    required core_store_bits_field: FieldIndex = field_index, set_field_index;
}

impl StoreBits {
    pub fn new(ctx: &mut Context, value: Value, record: Value, field: u32) -> Self {
        let op: Self = build(ctx, vec![], vec![value, record], 0);
        op.set_field_index(ctx, FieldIndex(field));
        op
    }

    pub fn field(&self, ctx: &Context) -> u32 {
        self.field_index(ctx).0
    }
}

#[op_interface_impl]
impl EffectOp for StoreBits {
    fn effects(&self, ctx: &Context) -> Effects {
        Effects::Known(vec![Effect::Write(Some(self.get_operand_record(ctx)))])
    }
}

/// Extent of dimension `core_extent_dim` (from 0, outermost first) of the variable-length array variable at `$0`, as
/// `i64`. Lets code inside a region use an extent that was computed where the variable was declared; outlining turns it
/// into a kernel argument.
#[pliron_op(
    name = "core.extent",
    format = "$0 `, ` attr($core_extent_dim, $FieldIndex) ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface, OperandNImplsTy<0, dyn PointerLike>],
    operands = (variable),
    verifier = "succ"
)]
pub struct Extent;

attributes! { Extent:
    required core_extent_dim: FieldIndex = dim_index, set_dim_index;
}

impl Extent {
    pub fn new(ctx: &mut Context, variable: Value, dim: u32) -> Self {
        let ty = super::types::int(ctx, 64);
        let op: Self = build(ctx, vec![ty], vec![variable], 0);
        op.set_dim_index(ctx, FieldIndex(dim));
        op
    }

    pub fn dim(&self, ctx: &Context) -> u32 {
        self.dim_index(ctx).0
    }
}

effects!(
    none: AddressOf,
    StringConst,
    Extent
);
