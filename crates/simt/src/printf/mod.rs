//! Calls of `printf` in the words that a target has for them ([`Words`]).
//!
//! A format that is a literal is rewritten ([`mod@format`]), and each argument becomes what its conversion takes: CUDA's `vprintf`
//! finds arguments by the sizes that the format says.
//!
//! ```text
//! %f = core.string "%hhd %zu %.*f"                    %g = core.string "%d %llu %.2f"
//! core.call @printf(%f, %i, %n, 2, %x)         →      %c = core.cast Trunc %i : i8   %d = core.cast SExt %c : i32
//!                                                     core.call @printf(%g, %d, %n, %x)
//! ```
//! Any other format is passed on as it is.

mod format;

use crate::diagnostic::{Result, error_at};
use accrue_dialects::core::{
    Call, Cast, CastKind, Externs, Known, StringConst, float, float_width, int, int_width,
    pointee_of,
};
use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_ir::walk::{nested, operands_of, results_of};
use format::Takes;
pub use format::Words;
use pliron::{
    context::{Context, Ptr},
    identifier::Identifier,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// Rewrites the calls in `function`.
pub fn expand(
    ctx: &mut Context,
    function: Ptr<Operation>,
    externs: &Externs,
    words: Words,
) -> Result<()> {
    for call in nested::<Call>(ctx, function) {
        if externs.known(&call.callee(ctx)) == Some(Known::Print) {
            let op = call.get_operation();
            rewrite(ctx, &call, words).map_err(|message| error_at(ctx, op, message))?;
        }
    }
    Ok(())
}

fn rewrite(ctx: &mut Context, call: &Call, words: Words) -> std::result::Result<(), String> {
    let op = call.get_operation();
    let operands = operands_of(ctx, op);
    let Some((format, arguments)) = operands.split_first() else {
        return Ok(());
    };
    let literal = format.defining_op();
    let Some(literal) = literal.and_then(|d| Operation::get_op::<StringConst>(d, ctx)) else {
        return Ok(());
    };
    let bytes = literal.bytes(ctx);
    let constants: Vec<_> = arguments.iter().map(|a| constant(ctx, *a)).collect();
    let made = format::rewrite(&bytes, &constants, words)?;
    let mut at = Emitter::before(ctx, op);
    let mut passed = vec![match made.format == bytes {
        true => *format,
        false => at.make(|c| StringConst::new(c, &made.format)),
    }];
    for argument in &made.arguments {
        let given = arguments.get(argument.index).copied();
        let value = given.and_then(|v| converted(&mut at, v, argument.takes));
        passed.push(value.ok_or_else(|| {
            format!(
                "argument {} of `printf` is not what `{}` takes; convert it",
                argument.index + 2,
                argument.conversion
            )
        })?);
    }
    if passed == operands {
        return Ok(());
    }
    let callee = Identifier::from(call.callee_attribute(at.ctx));
    let old = results_of(at.ctx, op).first().copied();
    let ty = old.map(|r| r.get_type(at.ctx));
    let new = at.op(|c| Call::new(c, callee, passed, ty));
    let results = results_of(at.ctx, new.get_operation());
    if let (Some(old), Some(new)) = (old, results.first()) {
        old.replace_all_uses_with(at.ctx, new);
    }
    Operation::erase(op, at.ctx);
    Ok(())
}

/// The value as a conversion takes it. C leaves open what happens to integers of another size; they become what their
/// lowest bits are, as on the usual hosts.
fn converted(at: &mut Emitter, value: Value, takes: Takes) -> Option<Value> {
    let ty = value.get_type(at.ctx);
    let width = int_width(at.ctx, ty).filter(|w| *w <= 64);
    let is_pointer = pointee_of(at.ctx, ty).is_some();
    match takes {
        Takes::Pointer => (is_pointer || width == Some(64)).then_some(value),
        Takes::Float => match float_width(at.ctx, ty)? {
            64 => Some(value),
            narrow if narrow < 64 => {
                let double = float(at.ctx, 64);
                Some(cast(at, CastKind::FCast, value, double))
            }
            _ => None,
        },
        Takes::Int { bits, signed } => {
            let integer = match (width, is_pointer) {
                (Some(_), _) => value,
                (None, true) => {
                    let wide = int(at.ctx, 64);
                    cast(at, CastKind::PtrToInt, value, wide)
                }
                (None, false) => return None,
            };
            let cut = at.resized(integer, bits, signed);
            Some(at.resized(cut, bits.max(32), signed))
        }
    }
}

fn cast(at: &mut Emitter, kind: CastKind, value: Value, to: TypeHandle) -> Value {
    at.make(|c| Cast::new(c, kind, value, to))
}
