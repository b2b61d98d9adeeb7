//! The null pointer, which is one of every memory.
//!
//! ```text
//! p == (char *)0                 p == 0
//! *(int *)0                      *(__global int *)0
//! ```
//! A type would say of which memory it is, and pointers of two are not compared; only where something needs the type it has one.

use crate::diagnostic::Result;
use accrue_dialects::core::{Cast, CastKind, CoreOp, Null, fold::uncast};
use accrue_emit_c::{FunctionPrinter, expr::Expr};
use pliron::{
    builtin::op_interfaces::OneResultInterface, context::Context, context::Ptr,
    operation::Operation, r#type::Typed, value::Value,
};

/// The text of a null pointer of type `ty`.
pub fn text(ctx: &Context, null: Value, ty: &str) -> String {
    let uses = null.uses(ctx);
    let counts = uses.iter().any(|u| match CoreOp::of(ctx, u.user_op()) {
        // Stored to, in code that is never reached.
        Some(CoreOp::Store(store)) => store.get_operand_address(ctx) == null,
        Some(
            CoreOp::PtrAdd(_)
            | CoreOp::PtrDiff(_)
            | CoreOp::Member(_)
            | CoreOp::Load(_)
            | CoreOp::Cast(_)
            | CoreOp::Decay(_),
        ) => true,
        _ => false,
    });
    match counts {
        true => format!("({ty})0"),
        false => "0".to_string(),
    }
}

/// Prints a null pointer that another type is given. False: the operation is something else.
pub fn prints(p: &mut FunctionPrinter<'_>, op: Ptr<Operation>) -> Result<bool> {
    let ctx = p.ctx;
    let Some(cast) = Operation::get_op::<Cast>(op, ctx) else {
        return Ok(false);
    };
    let from = uncast(ctx, cast.get_operand_value(ctx), &[CastKind::PtrCast]);
    let is_null = from
        .defining_op()
        .is_some_and(|from| Operation::is_op::<Null>(from, ctx));
    if cast.kind(ctx) != CastKind::PtrCast || !is_null {
        return Ok(false);
    }
    let result = cast.get_result(ctx);
    let ty = p.type_name(result.get_type(ctx))?;
    p.define(result, Expr::atom(text(ctx, result, &ty)))?;
    Ok(true)
}
