//! Folds integer constants: what the positions and sizes of workers and lanes leave behind.
//!
//! `lo + 0 * step` and `step * 1` become `lo` and `step`.

use accrue_dialects::core::{Bin, BinKind, Cast, CastKind, Const, int_width};
use accrue_ir::{build::Inserter, walk::nested_ops};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    irbuild::inserter::Inserter as _,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// What an operation is worth.
enum Folded {
    Constant(u32, i128),
    Same(Value),
}

/// Folds all operations in `function`.
pub fn fold(ctx: &mut Context, function: Ptr<Operation>) {
    for op in nested_ops(ctx, function) {
        let Some(folded) = fold_op(ctx, op) else { continue };
        let value = match folded {
            Folded::Same(value) => value,
            Folded::Constant(width, value) => {
                let constant = Const::new(ctx, width, value);
                Inserter::new_before_operation(op).insert_op(ctx, &constant);
                constant.get_result(ctx)
            }
        };
        let old = op.deref(ctx).get_result(0);
        old.replace_all_uses_with(ctx, &value);
        Operation::erase(op, ctx);
    }
}

fn fold_op(ctx: &Context, op: Ptr<Operation>) -> Option<Folded> {
    if let Some(bin) = Operation::get_op::<Bin>(op, ctx) {
        return fold_bin(ctx, &bin);
    }
    let cast = Operation::get_op::<Cast>(op, ctx)?;
    let from = cast.get_operand_value(ctx);
    let width = int_width(ctx, cast.get_result(ctx).get_type(ctx))?;
    let value = constant(ctx, from)?;
    match cast.kind(ctx) {
        CastKind::SExt if int_width(ctx, from.get_type(ctx))? > 1 => Some(Folded::Constant(width, value)),
        CastKind::Trunc if width > 1 => Some(Folded::Constant(width, value)),
        CastKind::ZExt if value >= 0 => Some(Folded::Constant(width, value)),
        CastKind::SExt | CastKind::Trunc | CastKind::ZExt | CastKind::SToF | CastKind::UToF | CastKind::FToS
        | CastKind::FToU | CastKind::FCast | CastKind::IntToPtr | CastKind::PtrToInt | CastKind::PtrCast
        | CastKind::ToBool | CastKind::RealToComplex | CastKind::ComplexCast => None,
    }
}

fn fold_bin(ctx: &Context, bin: &Bin) -> Option<Folded> {
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    let width = int_width(ctx, lhs.get_type(ctx)).filter(|w| *w > 1)?;
    match (bin.kind(ctx), constant(ctx, lhs), constant(ctx, rhs)) {
        (BinKind::Add | BinKind::AddS, Some(a), Some(b)) => Some(Folded::Constant(width, a.wrapping_add(b))),
        (BinKind::Sub | BinKind::SubS, Some(a), Some(b)) => Some(Folded::Constant(width, a.wrapping_sub(b))),
        (BinKind::Mul | BinKind::MulS, Some(a), Some(b)) => Some(Folded::Constant(width, a.wrapping_mul(b))),
        (BinKind::Add | BinKind::AddS, Some(0), None) => Some(Folded::Same(rhs)),
        (BinKind::Add | BinKind::AddS | BinKind::Sub | BinKind::SubS, None, Some(0)) => Some(Folded::Same(lhs)),
        (BinKind::Mul | BinKind::MulS, Some(1), None) => Some(Folded::Same(rhs)),
        (BinKind::Mul | BinKind::MulS | BinKind::DivS | BinKind::DivU, None, Some(1)) => Some(Folded::Same(lhs)),
        (BinKind::Mul | BinKind::MulS, Some(0), None) | (BinKind::Mul | BinKind::MulS, None, Some(0)) => {
            Some(Folded::Constant(width, 0))
        }
        (BinKind::RemS | BinKind::RemU, None, Some(1)) => Some(Folded::Constant(width, 0)),
        _ => None,
    }
}

fn constant(ctx: &Context, value: Value) -> Option<i128> {
    Operation::get_op::<Const>(value.defining_op()?, ctx).map(|c| c.value(ctx))
}
