//! Identity and combination of reduction operators (OpenACC 3.4, section 2.5.15) as `core` operations.

use super::{ReductionInfo, ReductionOperator};
use crate::core::{
    BinKind, Cast, CastKind, CmpKind, boolean, complex_part, emit::Emitter, float_width, int_width,
};
use accrue_ir::diagnostic::{Diagnostic, Result};
use pliron::{
    context::Context,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// Kind of a type for reductions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Int(u32),
    Float,
    Complex,
}

fn class(ctx: &Context, ty: TypeHandle) -> Option<Class> {
    int_width(ctx, ty)
        .map(Class::Int)
        .or_else(|| float_width(ctx, ty).map(|_| Class::Float))
        .or_else(|| complex_part(ctx, ty).map(|_| Class::Complex))
}

fn undefined(operator: ReductionOperator) -> Diagnostic {
    Diagnostic::error(format!(
        "the reduction operator `{}` is not defined for this type",
        operator.spelling()
    ))
    .section("2.5.15")
}

/// The value that changes nothing.
pub fn identity(at: &mut Emitter, info: ReductionInfo, ty: TypeHandle) -> Result<Value> {
    let operator = info.operator;
    let wrong = || undefined(operator);
    let class = class(at.ctx, ty).ok_or_else(wrong)?;
    let value = match (operator, class) {
        (ReductionOperator::Add | ReductionOperator::LogicalOr, _) => at.number(ty, 0, "0.0"),
        (ReductionOperator::Mul | ReductionOperator::LogicalAnd, _) => at.number(ty, 1, "1.0"),
        (
            ReductionOperator::BitOr | ReductionOperator::BitXor | ReductionOperator::Neqv,
            Class::Int(_),
        ) => at.number(ty, 0, ""),
        (ReductionOperator::BitAnd, Class::Int(_)) => at.number(ty, -1, ""),
        (ReductionOperator::Eqv, Class::Int(_)) => at.number(ty, 1, ""),
        (ReductionOperator::Max, Class::Float) => at.number(ty, 0, "-inf"),
        (ReductionOperator::Min, Class::Float) => at.number(ty, 0, "inf"),
        (ReductionOperator::Max, Class::Int(width)) => at.number(ty, least(width, info.signed), ""),
        (ReductionOperator::Min, Class::Int(width)) => {
            at.number(ty, !least(width, info.signed), "")
        }
        (ReductionOperator::Max | ReductionOperator::Min, Class::Complex)
        | (
            ReductionOperator::BitAnd
            | ReductionOperator::BitOr
            | ReductionOperator::BitXor
            | ReductionOperator::Eqv
            | ReductionOperator::Neqv,
            Class::Float | Class::Complex,
        )
        // Those of whole objects: see `declared`.
        | (ReductionOperator::Declared(_), _) => None,
    };
    value.ok_or_else(wrong)
}

/// The least integer; its complement is the greatest.
fn least(width: u32, signed: bool) -> i128 {
    match (signed && width > 1, width) {
        (false, _) => 0,
        (true, 128) => i128::MIN,
        (true, _) => -(1 << (width - 1)),
    }
}

/// `a operator b`.
pub fn combine(at: &mut Emitter, info: ReductionInfo, a: Value, b: Value) -> Result<Value> {
    let operator = info.operator;
    let ty = a.get_type(at.ctx);
    let class = class(at.ctx, ty).ok_or_else(|| undefined(operator))?;
    let signed = info.signed && class != Class::Int(1);
    let kind = match (operator, class) {
        (ReductionOperator::LogicalAnd, _) => return logical(at, Logical::And, ty, a, b),
        (ReductionOperator::LogicalOr, _) => return logical(at, Logical::Or, ty, a, b),
        (ReductionOperator::Eqv, Class::Int(_)) => return logical(at, Logical::Equal, ty, a, b),
        (ReductionOperator::Neqv, Class::Int(_)) => {
            return logical(at, Logical::Different, ty, a, b);
        }
        // Sums and products of `_Bool` are taken as C does: of `int`, then converted back.
        (ReductionOperator::Add, Class::Int(1)) => BinKind::Or,
        (ReductionOperator::Mul, Class::Int(1)) => BinKind::And,
        (ReductionOperator::Add, Class::Int(_)) => BinKind::Add,
        (ReductionOperator::Mul, Class::Int(_)) => BinKind::Mul,
        (ReductionOperator::Add, Class::Float | Class::Complex) => BinKind::FAdd,
        (ReductionOperator::Mul, Class::Float | Class::Complex) => BinKind::FMul,
        (ReductionOperator::BitAnd, Class::Int(_)) => BinKind::And,
        (ReductionOperator::BitOr, Class::Int(_)) => BinKind::Or,
        (ReductionOperator::BitXor, Class::Int(_)) => BinKind::Xor,
        (ReductionOperator::Max, Class::Float) => BinKind::FMax,
        (ReductionOperator::Min, Class::Float) => BinKind::FMin,
        (ReductionOperator::Max, Class::Int(_)) if signed => BinKind::MaxS,
        (ReductionOperator::Min, Class::Int(_)) if signed => BinKind::MinS,
        (ReductionOperator::Max, Class::Int(_)) => BinKind::MaxU,
        (ReductionOperator::Min, Class::Int(_)) => BinKind::MinU,
        (ReductionOperator::Max | ReductionOperator::Min, Class::Complex)
        | (
            ReductionOperator::BitAnd
            | ReductionOperator::BitOr
            | ReductionOperator::BitXor
            | ReductionOperator::Eqv
            | ReductionOperator::Neqv,
            Class::Float | Class::Complex,
        )
        | (ReductionOperator::Declared(_), _) => return Err(undefined(operator)),
    };
    Ok(at.bin(kind, a, b))
}

enum Logical {
    And,
    Or,
    Equal,
    Different,
}

/// The logical operators: on truth values, back as 0 or 1 of the type.
fn logical(
    at: &mut Emitter,
    logical: Logical,
    ty: TypeHandle,
    a: Value,
    b: Value,
) -> Result<Value> {
    let bool_ = boolean(at.ctx);
    let truth = |at: &mut Emitter, v: Value| match v.get_type(at.ctx) == bool_ {
        true => v,
        false => at.make(|c| Cast::new(c, CastKind::ToBool, v, bool_)),
    };
    let (a, b) = (truth(at, a), truth(at, b));
    let result = match logical {
        Logical::And => at.bin(BinKind::And, a, b),
        Logical::Or => at.bin(BinKind::Or, a, b),
        Logical::Equal => at.cmp(CmpKind::Eq, a, b),
        Logical::Different => at.cmp(CmpKind::Ne, a, b),
    };
    Ok(match class(at.ctx, ty) {
        Some(Class::Int(1)) | None => result,
        Some(Class::Int(_)) => at.make(|c| Cast::new(c, CastKind::ZExt, result, ty)),
        Some(Class::Float) => at.make(|c| Cast::new(c, CastKind::UToF, result, ty)),
        Some(Class::Complex) => {
            let part = complex_part(at.ctx, ty).unwrap_or(ty);
            let real = at.make(|c| Cast::new(c, CastKind::UToF, result, part));
            at.make(|c| Cast::new(c, CastKind::RealToComplex, real, ty))
        }
    })
}
