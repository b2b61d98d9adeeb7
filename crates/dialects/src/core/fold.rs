//! The constant folder: what integer arithmetic, comparisons and conversions of constants are worth.
//!
//! ```text
//! %a = core.const 0 : i64
//! %b = core.bin Mul %n, %a : i64          0
//! %c = core.bin Add %b, %m : i64          %m
//! ```
//! [`fold`] does it for all operations of a function, and [`Emitter`] for each operation when it is made. Overflow wraps, also
//! where it is undefined. Floats are not folded here: their results depend on modes of rounding and on contraction.

use super::{
    Alloca, Bin, BinKind, Cast, CastKind, Cmp, CmpKind, Const, Decay, IntBin, Member, Null, Select,
    Un, UnKind, dead_code::erase_dead, emit::Emitter, fits::fits, int_width,
};
use accrue_ir::walk::nested_ops;
use pliron::{
    builtin::op_interfaces::OneOpdInterface,
    context::{Context, Ptr},
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// What an operation is worth.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Folded {
    /// An integer of that many bits.
    Constant(u32, i128),
    Same(Value),
}

/// Folds all operations in `function` and erases those that are dead then.
pub fn fold(ctx: &mut Context, function: Ptr<Operation>) {
    fold_with(ctx, function, |_, _| None);
    erase_dead(ctx, function);
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
        let value = Emitter::before(ctx, op).folded(folded);
        let old = op.deref(ctx).get_result(0);
        old.replace_all_uses_with(ctx, &value);
        Operation::erase(op, ctx);
    }
}

fn fold_op(
    ctx: &Context,
    op: Ptr<Operation>,
    further: &impl Fn(&Context, &Bin) -> Option<Value>,
) -> Option<Folded> {
    if let Some(bin) = Operation::get_op::<Bin>(op, ctx) {
        let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
        return fold_bin(ctx, bin.kind(ctx), lhs, rhs)
            .or_else(|| further(ctx, &bin).map(Folded::Same));
    }
    if let Some(cmp) = Operation::get_op::<Cmp>(op, ctx) {
        let (lhs, rhs) = (cmp.get_operand_lhs(ctx), cmp.get_operand_rhs(ctx));
        let known = fold_cmp(ctx, cmp.kind(ctx), lhs, rhs)?;
        return Some(Folded::Constant(1, i128::from(known)));
    }
    if let Some(un) = Operation::get_op::<Un>(op, ctx) {
        let value = un.get_operand(ctx);
        let width = int_width(ctx, value.get_type(ctx)).filter(|w| *w > 1)?;
        let number = of_constant(un.kind(ctx), constant(ctx, value)?)?;
        return Some(Folded::Constant(width, wrapped(width, number)));
    }
    if let Some(select) = Operation::get_op::<Select>(op, ctx) {
        let (yes, no) = (select.get_operand_yes(ctx), select.get_operand_no(ctx));
        if yes == no {
            return Some(Folded::Same(yes));
        }
        let condition = constant(ctx, select.get_operand_cond(ctx))?;
        return Some(Folded::Same(if condition != 0 { yes } else { no }));
    }
    let cast = Operation::get_op::<Cast>(op, ctx)?;
    let to = op.deref(ctx).get_result(0).get_type(ctx);
    fold_cast(ctx, cast.kind(ctx), cast.get_operand_value(ctx), to)
}

/// The number that a value is, if it is a constant or the conversion of one; extended with its sign (`i1`: 0 or 1).
pub fn constant(ctx: &Context, value: Value) -> Option<i128> {
    let op = value.defining_op()?;
    if let Some(constant) = Operation::get_op::<Const>(op, ctx) {
        return Some(constant.value(ctx));
    }
    let cast = Operation::get_op::<Cast>(op, ctx)?;
    convert(
        ctx,
        cast.kind(ctx),
        cast.get_operand_value(ctx),
        value.get_type(ctx),
    )
}

/// What `value` was before conversions of these kinds.
pub fn uncast(ctx: &Context, value: Value, kinds: &[CastKind]) -> Value {
    let op = value.defining_op();
    match op.and_then(|op| Operation::get_op::<Cast>(op, ctx)) {
        Some(cast) if kinds.contains(&cast.kind(ctx)) => {
            uncast(ctx, cast.get_operand_value(ctx), kinds)
        }
        Some(_) | None => value,
    }
}

/// The number that a value is, if it is computed from constants alone, as `3 * BINS` in a clause.
pub fn constant_expression(ctx: &Context, value: Value) -> Option<i128> {
    known_expression(ctx, value, &|_| None)
}

/// The same of constants and values that are `known`.
pub fn known_expression(
    ctx: &Context,
    value: Value,
    known: &dyn Fn(Value) -> Option<i128>,
) -> Option<i128> {
    if let Some(known) = constant(ctx, value).or_else(|| known(value)) {
        return Some(known);
    }
    let op = value.defining_op()?;
    let width = int_width(ctx, value.get_type(ctx))?;
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        let from = cast.get_operand_value(ctx);
        let number = known_expression(ctx, from, known)?;
        return converted(
            cast.kind(ctx),
            int_width(ctx, from.get_type(ctx))?,
            width,
            number,
        );
    }
    if let Some(un) = Operation::get_op::<Un>(op, ctx) {
        let number = known_expression(ctx, un.get_operand(ctx), known)?;
        return of_constant(un.kind(ctx), number).map(|value| wrapped(width, value));
    }
    if let Some(cmp) = Operation::get_op::<Cmp>(op, ctx) {
        let left = known_expression(ctx, cmp.get_operand_lhs(ctx), known)?;
        let right = known_expression(ctx, cmp.get_operand_rhs(ctx), known)?;
        return compared(cmp.kind(ctx), left, right).map(i128::from);
    }
    if let Some(select) = Operation::get_op::<Select>(op, ctx) {
        let chosen = match known_expression(ctx, select.get_operand_cond(ctx), known)? {
            0 => select.get_operand_no(ctx),
            _ => select.get_operand_yes(ctx),
        };
        return known_expression(ctx, chosen, known);
    }
    let bin = Operation::get_op::<Bin>(op, ctx)?;
    let left = known_expression(ctx, bin.get_operand_lhs(ctx), known)?;
    let right = known_expression(ctx, bin.get_operand_rhs(ctx), known)?;
    of_constants(bin.kind(ctx).integer()?, left, right).map(|value| wrapped(width, value))
}

/// What `lhs kind rhs` is worth.
pub fn fold_bin(ctx: &Context, kind: BinKind, lhs: Value, rhs: Value) -> Option<Folded> {
    let width = int_width(ctx, lhs.get_type(ctx)).filter(|w| *w > 1)?;
    let kind = kind.integer()?;
    let number = |value| Some(Folded::Constant(width, wrapped(width, value)));
    let (a, b) = (constant(ctx, lhs), constant(ctx, rhs));
    if let (Some(a), Some(b)) = (a, b) {
        return number(of_constants(kind, a, b)?);
    }
    match (kind, a, b) {
        (IntBin::Add | IntBin::AddS, Some(0), _) => Some(Folded::Same(rhs)),
        (IntBin::Add | IntBin::AddS | IntBin::Sub | IntBin::SubS, _, Some(0)) => {
            Some(Folded::Same(lhs))
        }
        (IntBin::Mul | IntBin::MulS, Some(0), _) | (IntBin::Mul | IntBin::MulS, _, Some(0)) => {
            number(0)
        }
        (IntBin::Mul | IntBin::MulS, Some(1), _) => Some(Folded::Same(rhs)),
        (IntBin::Mul | IntBin::MulS | IntBin::DivS | IntBin::DivU, _, Some(1)) => {
            Some(Folded::Same(lhs))
        }
        (IntBin::RemS | IntBin::RemU, _, Some(1)) => number(0),
        (_, Some(_) | None, Some(_) | None) => None,
    }
}

/// Arithmetic of two constants, which are extended with their signs; `None` where it is not defined, or unsigned and one is negative.
fn of_constants(kind: IntBin, a: i128, b: i128) -> Option<i128> {
    let same_order = a >= 0 && b >= 0;
    match kind {
        IntBin::Add | IntBin::AddS => Some(a.wrapping_add(b)),
        IntBin::Sub | IntBin::SubS => Some(a.wrapping_sub(b)),
        IntBin::Mul | IntBin::MulS => Some(a.wrapping_mul(b)),
        IntBin::DivS => (b != 0).then(|| a.wrapping_div(b)),
        IntBin::RemS => (b != 0).then(|| a.wrapping_rem(b)),
        IntBin::DivU => (same_order && b > 0).then(|| a / b),
        IntBin::RemU => (same_order && b > 0).then(|| a % b),
        IntBin::And => Some(a & b),
        IntBin::Or => Some(a | b),
        IntBin::Xor => Some(a ^ b),
        IntBin::MinS => Some(a.min(b)),
        IntBin::MaxS => Some(a.max(b)),
        IntBin::MinU => same_order.then(|| a.min(b)),
        IntBin::MaxU => same_order.then(|| a.max(b)),
        IntBin::Shl => (0..64).contains(&b).then(|| a << b),
        IntBin::ShrS => (0..64).contains(&b).then(|| a >> b),
        IntBin::ShrU => (same_order && b < 64).then(|| a >> b),
    }
}

/// An operation on one constant integer.
fn of_constant(kind: UnKind, value: i128) -> Option<i128> {
    match kind {
        UnKind::Neg | UnKind::NegS => Some(value.wrapping_neg()),
        UnKind::Not => Some(!value),
        UnKind::FNeg | UnKind::Conj => None,
    }
}

/// What `lhs kind rhs` gives, if both are constants.
pub fn fold_cmp(ctx: &Context, kind: CmpKind, lhs: Value, rhs: Value) -> Option<bool> {
    let equality = matches!(kind, CmpKind::Eq | CmpKind::Ne);
    if let Some(same) = are_same_address(ctx, lhs, rhs).filter(|_| equality) {
        return Some(same == (kind == CmpKind::Eq));
    }
    let width = int_width(ctx, lhs.get_type(ctx))?;
    if width == 1 && !equality {
        return None;
    }
    compared(kind, constant(ctx, lhs)?, constant(ctx, rhs)?)
}

/// Whether two pointers are the same, where one is null, or both are addresses of local variables.
fn are_same_address(ctx: &Context, lhs: Value, rhs: Value) -> Option<bool> {
    match (leads_to_variable(ctx, lhs)?, leads_to_variable(ctx, rhs)?) {
        (true, true) if lhs == rhs => Some(true),
        // Parts of one may be the same.
        (true, true) => {
            let whole = |value: Value| {
                let op = uncast(ctx, value, &[CastKind::PtrCast]).defining_op()?;
                Operation::is_op::<Alloca>(op, ctx).then_some(op)
            };
            (whole(lhs)? != whole(rhs)?).then_some(false)
        }
        (true, false) | (false, true) => Some(false),
        (false, false) => Some(true),
    }
}

/// Whether a pointer leads to a local variable, or something in it, or else is null. None if it may be anything.
fn leads_to_variable(ctx: &Context, pointer: Value) -> Option<bool> {
    let op = uncast(ctx, pointer, &[CastKind::PtrCast]).defining_op()?;
    if Operation::is_op::<Alloca>(op, ctx) {
        return Some(true);
    }
    if Operation::is_op::<Null>(op, ctx) {
        return Some(false);
    }
    let inside = Operation::is_op::<Decay>(op, ctx) || Operation::is_op::<Member>(op, ctx);
    inside
        .then(|| op.deref(ctx).get_operand(0))
        .and_then(|object| leads_to_variable(ctx, object))
        .filter(|leads| *leads)
}

fn compared(kind: CmpKind, a: i128, b: i128) -> Option<bool> {
    // Extension with the sign keeps the order of unsigned numbers.
    let (ua, ub) = (a.cast_unsigned(), b.cast_unsigned());
    match kind {
        CmpKind::Eq => Some(a == b),
        CmpKind::Ne => Some(a != b),
        CmpKind::LtS => Some(a < b),
        CmpKind::LeS => Some(a <= b),
        CmpKind::GtS => Some(a > b),
        CmpKind::GeS => Some(a >= b),
        CmpKind::LtU => Some(ua < ub),
        CmpKind::LeU => Some(ua <= ub),
        CmpKind::GtU => Some(ua > ub),
        CmpKind::GeU => Some(ua >= ub),
        CmpKind::FEq | CmpKind::FNe | CmpKind::FLt | CmpKind::FLe | CmpKind::FGt | CmpKind::FGe => {
            None
        }
    }
}

/// What the conversion of `value` to `to` is worth.
pub fn fold_cast(ctx: &Context, kind: CastKind, value: Value, to: TypeHandle) -> Option<Folded> {
    if kind == CastKind::ToBool
        && let Some(leads) = leads_to_variable(ctx, value)
    {
        return Some(Folded::Constant(1, i128::from(leads)));
    }
    let width = int_width(ctx, to).filter(|w| *w > 1)?;
    match convert(ctx, kind, value, to) {
        Some(known) => Some(Folded::Constant(width, known)),
        None => cut_and_extended(ctx, kind, value, to).map(Folded::Same),
    }
}

/// What `value` is cut from, if its extension to `to` is that again.
fn cut_and_extended(ctx: &Context, kind: CastKind, value: Value, to: TypeHandle) -> Option<Value> {
    let signed = match kind {
        CastKind::SExt => true,
        CastKind::ZExt => false,
        _ => return None,
    };
    let cut = Operation::get_op::<Cast>(value.defining_op()?, ctx)?;
    let whole = cut.get_operand_value(ctx);
    let is_cut = cut.kind(ctx) == CastKind::Trunc && whole.get_type(ctx) == to;
    let bits = int_width(ctx, value.get_type(ctx)).filter(|bits| *bits > 1)?;
    (is_cut && fits(ctx, whole, bits, signed)).then_some(whole)
}

fn convert(ctx: &Context, kind: CastKind, value: Value, to: TypeHandle) -> Option<i128> {
    let known = constant(ctx, value)?;
    let from = int_width(ctx, value.get_type(ctx))?;
    converted(kind, from, int_width(ctx, to)?, known)
}

/// The integer `value` of `from` bits as one of `to` bits.
fn converted(kind: CastKind, from: u32, to: u32, value: i128) -> Option<i128> {
    match kind {
        CastKind::SExt if from == 1 => Some(-value),
        CastKind::SExt => Some(value),
        CastKind::ZExt if from < 128 => Some(value & ((1 << from) - 1)),
        CastKind::ZExt => Some(value),
        CastKind::Trunc => Some(wrapped(to, value)),
        CastKind::ToBool => Some(i128::from(value != 0)),
        CastKind::SToF
        | CastKind::UToF
        | CastKind::FToS
        | CastKind::FToU
        | CastKind::FCast
        | CastKind::IntToPtr
        | CastKind::PtrToInt
        | CastKind::PtrCast
        | CastKind::RealToComplex
        | CastKind::ComplexCast => None,
    }
}

/// The low `width` bits of `value`, extended with their sign (of one bit: 0 or 1).
fn wrapped(width: u32, value: i128) -> i128 {
    match width {
        0 | 1 => value & 1,
        2..128 => {
            let unused = 128 - width;
            (value << unused) >> unused
        }
        128.. => value,
    }
}
