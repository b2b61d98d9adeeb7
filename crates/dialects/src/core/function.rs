//! Functions, calls and record definitions.

use super::library::{Extern, Known};
use accrue_ir::{attributes, build::build, effects};
use pliron::{
    builtin::{
        attributes::{IdentifierAttr, StringAttr, TypeAttr},
        op_interfaces::{NOpdsInterface, NRegionsInterface, NResultsInterface, SymbolOpInterface},
    },
    context::Context,
    derive::{pliron_attr, pliron_op},
    identifier::Identifier,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// Declares a function that is only called: `@name : type` (`builtin.function`).
#[pliron_op(
    name = "core.extern_func",
    format = "`@` attr($builtin_sym_name, $IdentifierAttr) opt_attr($core_extern_known, $Known, label($known), delimiters(`[`, `]`)) ` : ` attr($core_extern_type, $TypeAttr) ` ` attr($core_extern_traits, $ExternTraits)",
    interfaces = [SymbolOpInterface, NOpdsInterface<0>, NResultsInterface<0>, NRegionsInterface<0>],
    verifier = "succ"
)]
pub struct ExternFunc;

attributes! { ExternFunc:
    required core_extern_type: TypeAttr = type_attribute, set_type_attribute;
    /// What is known about the function.
    required core_extern_traits: ExternTraits = traits, set_traits;
    /// Which function it is, of those that passes and back ends know.
    optional core_extern_known: Known = known, set_known;
}

/// What is known about an external function. Front ends know it; whatever a function of a library is called, passes ask here.
#[pliron_attr(name = "core.extern_traits", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, Default)]
pub struct ExternTraits {
    /// Touches no memory: its result depends on its arguments only (mathematical functions, `errno` aside).
    pub pure: bool,
    /// Takes further arguments after the declared ones.
    pub variadic: bool,
    /// Its result is null or leads to new memory, which nothing else leads to.
    pub allocates: bool,
    /// Keeps no address that it gets.
    pub keeps_no_address: bool,
    /// Writes to nothing of the program's but what its arguments lead to.
    pub writes_arguments_only: bool,
}

impl ExternFunc {
    pub fn new(ctx: &mut Context, name: Identifier, declared: Extern) -> Self {
        let op: Self = build(ctx, vec![], vec![], 0);
        op.set_symbol_name(ctx, name);
        op.set_type_attribute(ctx, TypeAttr::new(declared.ty));
        op.set_traits(ctx, declared.traits);
        if let Some(known) = declared.known {
            op.set_known(ctx, known);
        }
        op
    }

    /// What it declares.
    pub fn declared(&self, ctx: &Context) -> Extern {
        Extern {
            ty: self.function_type(ctx),
            traits: self.traits(ctx),
            known: self.known(ctx),
        }
    }

    /// The function's type, a `builtin.function`.
    pub fn function_type(&self, ctx: &Context) -> TypeHandle {
        self.type_attribute(ctx).get_type(ctx)
    }
}

/// Calls the function of that name with scalar arguments; at most one result. Records are passed by pointer to a
/// temporary that the callee owns, and returned through a first pointer argument.
#[pliron_op(
    name = "core.call",
    format = "`@` attr($core_callee, $IdentifierAttr) `(` operands(CharSpace(`,`)) `)` ` : ` types(CharSpace(`,`))",
    verifier = "succ"
)]
pub struct Call;

attributes! { Call:
    required core_callee: IdentifierAttr = callee_attribute, set_callee_attribute;
}
effects!(unknown: Call);

impl Call {
    pub fn new(
        ctx: &mut Context,
        callee: Identifier,
        args: Vec<Value>,
        result: Option<TypeHandle>,
    ) -> Self {
        let op: Self = build(ctx, result.into_iter().collect(), args, 0);
        op.set_callee_attribute(ctx, IdentifierAttr::new(callee));
        op
    }

    /// The name of the function called.
    pub fn callee(&self, ctx: &Context) -> String {
        Identifier::from(self.callee_attribute(ctx)).to_string()
    }
}

/// One field of a record. `offset` is in bytes; for a bit-field `bits` is its width, `offset` the byte in which it starts
/// and `bit_offset` the bit in that byte. `signed`: an integer, or array of integers, with sign, which matters for
/// bit-fields and for reductions.
#[pliron::derive::format]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Field {
    pub name: String,
    pub ty: TypeHandle,
    pub offset: u64,
    pub bits: u32,
    pub bit_offset: u32,
    pub signed: bool,
}

/// The fields of a record in order.
#[pliron_attr(
    name = "core.fields",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Fields(pub Vec<Field>);

/// Size and alignment of a record in bytes; `union_` when all fields start at 0 by definition.
#[pliron_attr(name = "core.record_layout", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct RecordLayout {
    pub size: u64,
    pub align: u64,
    pub union_: bool,
}

/// Defines the record type with this tag. `bits` = 0: no bit-field.
#[pliron_op(
    name = "core.record_def",
    format = "attr($core_record_tag, $StringAttr) ` ` attr($core_record_layout, $RecordLayout) ` ` attr($core_record_fields, $Fields)",
    interfaces = [NOpdsInterface<0>, NResultsInterface<0>, NRegionsInterface<0>],
    verifier = "succ"
)]
pub struct RecordDef;

attributes! { RecordDef:
    required core_record_tag: StringAttr = tag_attribute, set_tag_attribute;
    required core_record_layout: RecordLayout = layout, set_layout;
    required core_record_fields: Fields = all_fields, set_all_fields;
}
effects!(structure: ExternFunc, RecordDef);

impl RecordDef {
    pub fn new(ctx: &mut Context, tag: &str, layout: RecordLayout, fields: Vec<Field>) -> Self {
        let op: Self = build(ctx, vec![], vec![], 0);
        op.set_tag_attribute(ctx, StringAttr::new(tag.to_string()));
        op.set_layout(ctx, layout);
        op.set_all_fields(ctx, Fields(fields));
        op
    }

    pub fn tag(&self, ctx: &Context) -> String {
        self.tag_attribute(ctx).into()
    }

    pub fn fields(&self, ctx: &Context) -> Vec<Field> {
        self.all_fields(ctx).0
    }
}
