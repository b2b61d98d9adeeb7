//! The end of a loop as the program writes it, in the counter's type.
//!
//! C may compare a counter and its bound in a wider type, or without a sign; the front end then asks whether there is an iteration at all:
//!
//! ```text
//! i < (0 < n ? (int)n : 0)                    (int)n
//! i < s + (s < n ? (int)n - s : 0)            (int)n
//! i > s - (s > n ? s - (int)n : 0)            (int)n
//! ```
//! Who knows what follows from an iteration being there may take the bound itself. Cost: constant.

use accrue_dialects::core::{Bin, BinKind, Cast, Cmp, Select, fold::constant};
use pliron::{context::Context, operation::Operation, value::Value};

/// What ends the loop if it has an iteration.
pub fn written_end(ctx: &Context, end: Value) -> Value {
    asked(ctx, end).unwrap_or(end)
}

fn asked(ctx: &Context, end: Value) -> Option<Value> {
    let from = end
        .defining_op()
        .and_then(|op| Operation::get_op::<Bin>(op, ctx));
    let (distance, way) = match from {
        Some(sum) => (
            sum.get_operand_rhs(ctx),
            Some((sum.get_operand_lhs(ctx), sum.kind(ctx))),
        ),
        None => (end, None),
    };
    let select = Operation::get_op::<Select>(distance.defining_op()?, ctx)?;
    let any = Operation::get_op::<Cmp>(select.get_operand_cond(ctx).defining_op()?, ctx)?;
    let yes = select.get_operand_yes(ctx);
    let difference = || {
        let difference = Operation::get_op::<Bin>(yes.defining_op()?, ctx)?;
        let subtracts = difference.kind(ctx) == BinKind::Sub;
        let sides = (
            difference.get_operand_lhs(ctx),
            difference.get_operand_rhs(ctx),
        );
        subtracts.then_some(sides)
    };
    let bound = match way {
        None => yes,
        Some((first, BinKind::Add)) => {
            let (end, from) = difference()?;
            (from == first).then_some(end)?
        }
        Some((first, BinKind::Sub)) => {
            let (from, end) = difference()?;
            (from == first).then_some(end)?
        }
        Some(_) => return None,
    };
    let wide = bound
        .defining_op()
        .and_then(|op| Operation::get_op::<Cast>(op, ctx))
        .map_or(bound, |cast| cast.get_operand_value(ctx));
    let compared = any.get_operand_rhs(ctx);
    let none = constant(ctx, select.get_operand_no(ctx)) == Some(0);
    (none && (compared == wide || compared == bound)).then_some(bound)
}
