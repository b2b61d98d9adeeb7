//! Folds integer arithmetic with constants: what sizes of 1 and positions of 0 leave behind.

use crate::at::At;
use accrue_dialects::core::{Bin, BinKind, Cast, CastKind, Const, int_width};
use accrue_ir::{effects::is_pure, walk::nested_ops};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// What an operation is worth.
enum Folded {
    Constant(u32, i128),
    Same(Value),
}

/// Folds all operations in `function` and drops those that nobody needs.
pub fn fold(ctx: &mut Context, function: Ptr<Operation>) {
    fold_with(ctx, function, |_, _| None);
    drop_unused(ctx, function);
}

/// Folds all operations in `function`. `further` gives the value of integer arithmetic that is known by more than its
/// constants.
pub fn fold_with(
    ctx: &mut Context,
    function: Ptr<Operation>,
    further: impl Fn(&Context, &Bin) -> Option<Value>,
) {
    for op in nested_ops(ctx, function) {
        let Some(folded) = fold_op(ctx, op, &further) else {
            continue;
        };
        let value = match folded {
            Folded::Same(value) => value,
            Folded::Constant(width, value) => {
                At::before(ctx, op).value(|c| Const::new(c, width, value))
            }
        };
        let old = op.deref(ctx).get_result(0);
        old.replace_all_uses_with(ctx, &value);
        Operation::erase(op, ctx);
    }
}

/// Erases operations without effects whose results nobody uses, users before what they use.
pub fn drop_unused(ctx: &mut Context, function: Ptr<Operation>) {
    for op in nested_ops(ctx, function).into_iter().rev() {
        let unused = !op.deref(ctx).has_use() && op.deref(ctx).num_regions() == 0;
        if unused && is_pure(ctx, op) {
            Operation::erase(op, ctx);
        }
    }
}

/// The number that a value is, if it is a constant.
pub fn constant(ctx: &Context, value: Value) -> Option<i128> {
    Operation::get_op::<Const>(value.defining_op()?, ctx).map(|c| c.value(ctx))
}

fn fold_op(
    ctx: &Context,
    op: Ptr<Operation>,
    further: &impl Fn(&Context, &Bin) -> Option<Value>,
) -> Option<Folded> {
    if let Some(bin) = Operation::get_op::<Bin>(op, ctx) {
        let lhs = bin.get_operand_lhs(ctx);
        let width = int_width(ctx, lhs.get_type(ctx)).filter(|w| *w > 1)?;
        return fold_bin(ctx, &bin, width).or_else(|| further(ctx, &bin).map(Folded::Same));
    }
    fold_cast(ctx, &Operation::get_op::<Cast>(op, ctx)?)
}

fn fold_cast(ctx: &Context, cast: &Cast) -> Option<Folded> {
    let from = cast.get_operand_value(ctx);
    let width = int_width(ctx, cast.get_result(ctx).get_type(ctx)).filter(|w| *w > 1)?;
    let value = constant(ctx, from)?;
    let is_bool = int_width(ctx, from.get_type(ctx)) == Some(1);
    let known = match cast.kind(ctx) {
        CastKind::SExt => !is_bool,
        CastKind::Trunc => true,
        CastKind::ZExt => value >= 0,
        CastKind::SToF
        | CastKind::UToF
        | CastKind::FToS
        | CastKind::FToU
        | CastKind::FCast
        | CastKind::IntToPtr
        | CastKind::PtrToInt
        | CastKind::PtrCast
        | CastKind::ToBool
        | CastKind::RealToComplex
        | CastKind::ComplexCast => false,
    };
    known.then_some(Folded::Constant(width, value))
}

fn fold_bin(ctx: &Context, bin: &Bin, width: u32) -> Option<Folded> {
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    let number = |value| Some(Folded::Constant(width, value));
    let same = |value| Some(Folded::Same(value));
    let kind = bin.kind(ctx);
    let (a, b) = (constant(ctx, lhs), constant(ctx, rhs));
    if matches!(kind, BinKind::Add | BinKind::AddS) {
        return match (a, b) {
            (Some(a), Some(b)) => number(a.wrapping_add(b)),
            (Some(0), None) => same(rhs),
            (None, Some(0)) => same(lhs),
            (Some(_) | None, _) => None,
        };
    }
    if matches!(kind, BinKind::Sub | BinKind::SubS) {
        return match (a, b) {
            (Some(a), Some(b)) => number(a.wrapping_sub(b)),
            (None, Some(0)) => same(lhs),
            (Some(_) | None, _) => None,
        };
    }
    if matches!(kind, BinKind::Mul | BinKind::MulS) {
        return match (a, b) {
            (Some(a), Some(b)) => number(a.wrapping_mul(b)),
            (Some(0), None) | (None, Some(0)) => number(0),
            (Some(1), None) => same(rhs),
            (None, Some(1)) => same(lhs),
            (Some(_) | None, _) => None,
        };
    }
    if matches!(kind, BinKind::DivS | BinKind::DivU) && b == Some(1) {
        return same(lhs);
    }
    if matches!(kind, BinKind::RemS | BinKind::RemU) && b == Some(1) {
        return number(0);
    }
    None
}
