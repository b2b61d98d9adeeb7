//! Folds integer arithmetic: what the positions and sizes of workers and lanes leave behind.
//!
//! The share of thread 0 of 1 is everything: `lo + 0 * chunk` becomes `lo`, `min(0, count)` becomes 0 where `count` is
//! known to be a count, and a loop over a whole range gets the range's own end back (see [`whole_range`]).

use accrue_dialects::core::fold::uncast;
use accrue_dialects::core::{Bin, BinKind, CastKind, Cmp, CmpKind, For, Select};
use accrue_dialects::core::{
    dead_code::erase_dead,
    fold::{constant, fold_with},
};
use accrue_ir::walk::nested;
use pliron::{
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// Folds all operations in `function`.
pub fn fold(ctx: &mut Context, function: Ptr<Operation>) {
    fold_with(ctx, function, known_value);
    for counted in nested::<For>(ctx, function) {
        if let Some(end) = whole_range(ctx, &counted) {
            Operation::replace_operand(counted.get_operation(), ctx, 1, end);
        }
    }
    erase_dead(ctx, function);
}

/// The value of arithmetic whose operands are positions and counts.
fn known_value(ctx: &Context, bin: &Bin) -> Option<Value> {
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    match (bin.kind(ctx), constant(ctx, lhs), constant(ctx, rhs)) {
        (BinKind::Add, None, None) => plus_difference(ctx, lhs, rhs),
        (BinKind::Sub, None, Some(b)) => minus_what_was_added(ctx, lhs, b),
        (BinKind::MinS, Some(0), None) if is_count(ctx, rhs) => Some(lhs),
        (BinKind::MinS, None, Some(0)) if is_count(ctx, lhs) => Some(rhs),
        (BinKind::MinS | BinKind::MaxS | BinKind::MinU | BinKind::MaxU, ..) if lhs == rhs => {
            Some(lhs)
        }
        _ => None,
    }
}

/// `x` if `sum` is `x + constant`.
fn minus_what_was_added(ctx: &Context, sum: Value, added: i128) -> Option<Value> {
    let add = bin(ctx, sum, BinKind::Add)?;
    (constant(ctx, add.get_operand_rhs(ctx)) == Some(added)).then(|| add.get_operand_lhs(ctx))
}

/// `end` if `difference` is `end - start`.
fn plus_difference(ctx: &Context, start: Value, difference: Value) -> Option<Value> {
    let sub = bin(ctx, difference, BinKind::Sub)?;
    (sub.get_operand_rhs(ctx) == start).then(|| sub.get_operand_lhs(ctx))
}

/// Whether `value` is known not to be negative.
fn is_count(ctx: &Context, value: Value) -> bool {
    if let Some(value) = constant(ctx, value) {
        return value >= 0;
    }
    let Some(op) = value.defining_op() else {
        return false;
    };
    if let Some(bin) = Operation::get_op::<Bin>(op, ctx) {
        let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
        return match bin.kind(ctx) {
            BinKind::MaxS => is_count(ctx, lhs) || is_count(ctx, rhs),
            BinKind::MinS => is_count(ctx, lhs) && is_count(ctx, rhs),
            BinKind::Sub => is_share(ctx, lhs, rhs),
            _ => false,
        };
    }
    let Some(select) = Operation::get_op::<Select>(op, ctx) else {
        return false;
    };
    is_count(ctx, select.get_operand_no(ctx)) && is_distance(ctx, &select)
}

/// Whether `end - start` is the length of a share of a count: `start = min(_, count)`, `end = min(start + chunk, count)`
/// where the chunk is a quotient of the count.
fn is_share(ctx: &Context, end: Value, start: Value) -> bool {
    let limit = |value| {
        bin(ctx, value, BinKind::MinS).map(|m| (m.get_operand_lhs(ctx), m.get_operand_rhs(ctx)))
    };
    let (Some((_, count)), Some((past, same_count))) = (limit(start), limit(end)) else {
        return false;
    };
    let chunk = bin(ctx, past, BinKind::Add).filter(|a| a.get_operand_lhs(ctx) == start);
    let is_chunk = |chunk| bin(ctx, chunk, BinKind::DivS).is_some();
    is_same_number(ctx, count, same_count)
        && is_count(ctx, count)
        && chunk.is_some_and(|a| is_chunk(a.get_operand_rhs(ctx)))
}

/// Whether the first choice of `low < high ? high - low : …` (or `high` for a `low` of at least 0) is what it says.
fn is_distance(ctx: &Context, select: &Select) -> bool {
    let cond = select
        .get_operand_cond(ctx)
        .defining_op()
        .and_then(|c| Operation::get_op::<Cmp>(c, ctx));
    let Some(cond) = cond.filter(|c| matches!(c.kind(ctx), CmpKind::LtS | CmpKind::LtU)) else {
        return false;
    };
    let (low, high) = (cond.get_operand_lhs(ctx), cond.get_operand_rhs(ctx));
    is_difference(ctx, select.get_operand_yes(ctx), high, low)
}

/// Whether `value` is `high - low`, as folding leaves it.
fn is_difference(ctx: &Context, value: Value, high: Value, low: Value) -> bool {
    if value == high {
        return constant(ctx, low) == Some(0);
    }
    bin(ctx, value, BinKind::Sub).is_some_and(|sub| {
        sub.get_operand_lhs(ctx) == high && is_same_number(ctx, sub.get_operand_rhs(ctx), low)
    })
}

/// A unit-step loop from `a` to `a + (a < b ? b - a : 0)` is a loop from `a` to `b`: gives `b`. The sum is computed in
/// the type of the induction variable, the rest in `i64`.
fn whole_range(ctx: &Context, counted: &For) -> Option<Value> {
    let (lower, upper) = (
        counted.get_operand_lower(ctx),
        counted.get_operand_upper(ctx),
    );
    if constant(ctx, counted.get_operand_step(ctx)) != Some(1) {
        return None;
    }
    let distance = match bin(ctx, upper, BinKind::Add) {
        Some(add) if is_same_number(ctx, add.get_operand_lhs(ctx), lower) => {
            add.get_operand_rhs(ctx)
        }
        Some(_) | None if constant(ctx, lower) == Some(0) => upper,
        Some(_) | None => return None,
    };
    let wide = uncast(ctx, distance, &[CastKind::Trunc]);
    let select = Operation::get_op::<Select>(wide.defining_op()?, ctx)?;
    if constant(ctx, select.get_operand_no(ctx)) != Some(0) || !is_distance(ctx, &select) {
        return None;
    }
    let cond = Operation::get_op::<Cmp>(select.get_operand_cond(ctx).defining_op()?, ctx)?;
    let (kind, widening) = match counted.info(ctx).unsigned {
        false => (CmpKind::LtS, CastKind::SExt),
        true => (CmpKind::LtU, CastKind::ZExt),
    };
    let (low, high) = (cond.get_operand_lhs(ctx), cond.get_operand_rhs(ctx));
    let starts_at_lower = is_same_number(ctx, uncast(ctx, low, &[widening]), lower);
    let end = uncast(ctx, high, &[widening]);
    (cond.kind(ctx) == kind && starts_at_lower && end.get_type(ctx) == lower.get_type(ctx))
        .then_some(end)
}

/// The same value, or constants of one value (their widths may differ).
fn is_same_number(ctx: &Context, a: Value, b: Value) -> bool {
    a == b || constant(ctx, a).is_some_and(|a| constant(ctx, b) == Some(a))
}

fn bin(ctx: &Context, value: Value, kind: BinKind) -> Option<Bin> {
    Operation::get_op::<Bin>(value.defining_op()?, ctx).filter(|b| b.kind(ctx) == kind)
}
