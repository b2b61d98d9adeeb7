//! Whether two values are computed alike: the same subscript or argument, written twice.
//!
//! ```text
//! if (fabs(a[i]) > m) m = fabs(a[i]);        the two calls are alike
//! ```
//!
//! Loads of alike addresses count as alike ([`alike`]): who asks knows that nothing is stored between them, or asks whether the two
//! values are the same ([`are_same`]). Cost: the size of the smaller of the two expressions, and for [`are_same`] what is between.

use accrue_dialects::core::{
    AddressOf, Bin, Call, Cast, Const, Decay, Extent, Externs, FConst, Imag, Load, Member, PtrAdd,
    Real, Un,
};
use accrue_ir::walk::operands_of;
use pliron::{context::Context, context::Ptr, operation::Operation, r#type::Typed, value::Value};

use crate::analysis::unchanged::holds_the_same;

/// Whether `a` and `b` are.
pub fn alike(ctx: &Context, externs: &Externs, a: Value, b: Value) -> bool {
    alike_where(ctx, externs, &|a, b| (a == b).then_some(true), a, b)
}

/// Whether `a` and `b` are, and whether each load finds what the one like it has found, so that the values are the same.
///
/// ```text
/// t = z[k++];  if (t > m) m = z[k];          alike, and not the same
/// ```
pub fn are_same(ctx: &Context, externs: &Externs, a: Value, b: Value) -> bool {
    let known = |a: Value, b: Value| {
        if a == b {
            return Some(true);
        }
        let load = |value: Value| Operation::get_op::<Load>(value.defining_op()?, ctx);
        let (first, second) = load(a).zip(load(b))?;
        (!holds_the_same(ctx, externs, first, second)).then_some(false)
    };
    // What is not even alike needs no look at what is between.
    alike(ctx, externs, a, b) && alike_where(ctx, externs, &known, a, b)
}

/// Whether `a` and `b` are, where `known` says it of some of the values that they are computed from.
pub fn alike_where(
    ctx: &Context,
    externs: &Externs,
    known: &dyn Fn(Value, Value) -> Option<bool>,
    a: Value,
    b: Value,
) -> bool {
    if let Some(alike) = known(a, b) {
        return alike;
    }
    let (Some(x), Some(y)) = (a.defining_op(), b.defining_op()) else {
        return false;
    };
    if a.get_type(ctx) != b.get_type(ctx) {
        return false;
    }
    /// Both operations, if they are of this kind.
    macro_rules! both {
        ($kind:ty) => {
            Operation::get_op::<$kind>(x, ctx).zip(Operation::get_op::<$kind>(y, ctx))
        };
    }
    let same_kind = if let Some((x, y)) = both!(Const) {
        x.value(ctx) == y.value(ctx)
    } else if let Some((x, y)) = both!(FConst) {
        x.text(ctx) == y.text(ctx)
    } else if let Some((x, y)) = both!(Member) {
        x.field(ctx) == y.field(ctx)
    } else if let Some((x, y)) = both!(Call) {
        x.callee(ctx) == y.callee(ctx) && externs.traits(&x.callee(ctx)).pure
    } else if let Some((x, y)) = both!(AddressOf) {
        x.symbol(ctx) == y.symbol(ctx)
    } else if let Some((x, y)) = both!(Extent) {
        x.dim(ctx) == y.dim(ctx)
    } else if is_same_arithmetic(ctx, x, y) {
        true
    } else {
        both!(Load).is_some()
            || both!(PtrAdd).is_some()
            || both!(Decay).is_some()
            || both!(Real).is_some()
            || both!(Imag).is_some()
    };
    let (xs, ys) = (operands_of(ctx, x), operands_of(ctx, y));
    same_kind
        && xs.len() == ys.len()
        && xs
            .into_iter()
            .zip(ys)
            .all(|(x, y)| alike_where(ctx, externs, known, x, y))
}

/// Whether both operations are the same arithmetic, whatever their operands are.
pub fn is_same_arithmetic(ctx: &Context, a: Ptr<Operation>, b: Ptr<Operation>) -> bool {
    /// Whether both are operations of this sort, and of one kind of it.
    macro_rules! same {
        ($sort:ty) => {
            Operation::get_op::<$sort>(a, ctx)
                .zip(Operation::get_op::<$sort>(b, ctx))
                .is_some_and(|(a, b)| a.kind(ctx) == b.kind(ctx))
        };
    }
    same!(Bin) || same!(Un) || same!(Cast)
}
