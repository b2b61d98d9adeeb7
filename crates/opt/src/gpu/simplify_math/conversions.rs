//! Conversions of conversions that give what one gives.
//!
//! ```text
//! (double)(long)i             →   (double)i         i of fewer bits, with or without sign: the same number
//! (float)(int)x               →   trunc(x) + 0      x a float: what has no integer of that type, C leaves undefined
//! ```
//! Conversions between integers of 64 bits and floats take a GPU four times as long as those of 32 bits. The second form needs no
//! integer, or not for the float: both parts of `x - (int)x` and `(int)x` are under way at once. Zero is added because the integer of
//! -0.5 has no sign.

use accrue_dialects::core::{BinKind, Cast, CastKind, Known, emit::Emitter, int_width};
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, OneResultInterface},
        ops::ModuleOp,
    },
    context::Context,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::gpu::sincos::library_call;

/// What a conversion of an integer to a float converts.
enum Source {
    /// This integer, by this conversion.
    Integer(CastKind, Value),
    /// A float of the same type.
    Float(Value),
}

/// Replaces the conversion if there is a shorter one; the operation stays where it is, without uses.
pub(super) fn shorten(ctx: &mut Context, module: ModuleOp, cast: Cast) -> bool {
    let Some(source) = source(ctx, cast) else {
        return false;
    };
    let result = cast.get_result(ctx);
    let ty = result.get_type(ctx);
    let mut e = Emitter::before(ctx, cast.get_operation());
    let new = match source {
        Source::Integer(kind, integer) => e.make(|c| Cast::new(c, kind, integer, ty)),
        Source::Float(x) => {
            let whole = library_call(&mut e, module, Known::Trunc, x);
            let zero = super::float(&mut e, ty, 0.0);
            e.bin(BinKind::FAdd, whole, zero)
        }
    };
    result.replace_all_uses_with(ctx, &new);
    true
}

fn source(ctx: &Context, cast: Cast) -> Option<Source> {
    let signed = match cast.kind(ctx) {
        CastKind::SToF => true,
        CastKind::UToF => false,
        _ => return None,
    };
    let ty = cast.get_result(ctx).get_type(ctx);
    super::number_width(ctx, ty)?;
    let inner = Operation::get_op::<Cast>(cast.get_operand(ctx).defining_op()?, ctx)?;
    let from = inner.get_operand(ctx);
    let is_number = int_width(ctx, from.get_type(ctx)).is_some_and(|width| width >= 8);
    match inner.kind(ctx) {
        CastKind::SExt if signed && is_number => Some(Source::Integer(CastKind::SToF, from)),
        CastKind::ZExt if is_number => Some(Source::Integer(CastKind::UToF, from)),
        CastKind::FToS if signed && from.get_type(ctx) == ty => Some(Source::Float(from)),
        CastKind::FToU if !signed && from.get_type(ctx) == ty => Some(Source::Float(from)),
        _ => None,
    }
}
