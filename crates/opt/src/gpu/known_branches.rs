//! Comparisons whose outcome is known become constants, and branches and selections on constants what they lead to.
//!
//! Unrolled loops leave conditions on their counters behind, and what checks an index against a length need not check an index
//! that cannot be too large:
//!
//! ```text
//! core.if (core.cmp Eq 2, 0) { a } else { b }            →    b
//! core.if (core.cmp LtU (core.cast ZExt %byte), 256)     →    a
//!   { a } else { b }
//! ```
//!
//! What a value can be at most follows from constants, the widths of what it was extended from, masks, remainders, sums and
//! products of such values, and the bounds of counted loops.
//!
//! Cost: linear in the number of operations, times the depth of the expressions that are compared.

use accrue_dialects::core::{
    Bin, BinKind, Cast, CastKind, Cmp, CmpKind, For, If, Select, Yield, int_width,
};
use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_ir::walk::{nested, operands_of, ops_of_block, results_of};
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// How far back the operands of a comparison are followed.
const MOST_STEPS: u32 = 8;

/// Replaces inside `function`; whether anything was replaced.
pub fn replace_known(ctx: &mut Context, function: Ptr<Operation>) -> bool {
    let mut changed = false;
    for cmp in nested::<Cmp>(ctx, function) {
        if let Some(outcome) = outcome(ctx, cmp) {
            let op = cmp.get_operation();
            let value = Emitter::before(ctx, op).int(1, i128::from(outcome));
            cmp.get_result(ctx).replace_all_uses_with(ctx, &value);
            Operation::erase(op, ctx);
            changed = true;
        }
    }
    for select in nested::<Select>(ctx, function) {
        if let Some(condition) = constant(ctx, select.get_operand_cond(ctx)) {
            let chosen = match condition {
                0 => select.get_operand_no(ctx),
                _ => select.get_operand_yes(ctx),
            };
            select.get_result(ctx).replace_all_uses_with(ctx, &chosen);
            Operation::erase(select.get_operation(), ctx);
            changed = true;
        }
    }
    // Inner branches first: outer ones are copied.
    let mut branches = nested::<If>(ctx, function);
    branches.reverse();
    for branch in branches {
        changed |= take_known_arm(ctx, branch);
    }
    changed
}

/// Puts the arm that runs in the place of `branch`, if it is known and goes on behind the branch.
fn take_known_arm(ctx: &mut Context, branch: If) -> bool {
    let Some(condition) = constant(ctx, branch.get_operand_cond(ctx)) else {
        return false;
    };
    let mut ops = ops_of_block(ctx, branch.get_body(ctx, usize::from(condition == 0)));
    let Some(end) = ops.pop().filter(|end| Operation::is_op::<Yield>(*end, ctx)) else {
        return false;
    };
    let op = branch.get_operation();
    let mut e = Emitter::before(ctx, op);
    let mut mapping = IrMapping::new();
    for inner in ops {
        e.copy(inner, &mut mapping);
    }
    let values = operands_of(e.ctx, end);
    for (result, value) in results_of(e.ctx, op).into_iter().zip(values) {
        let value = mapping.lookup_value_or_default(value);
        result.replace_all_uses_with(e.ctx, &value);
    }
    Operation::erase(op, ctx);
    true
}

/// Whether the comparison holds, if that is known.
fn outcome(ctx: &Context, cmp: Cmp) -> Option<bool> {
    let (left, right) = (cmp.get_operand_lhs(ctx), cmp.get_operand_rhs(ctx));
    let width = int_width(ctx, left.get_type(ctx)).filter(|w| (2..=64).contains(w))?;
    let limit = constant(ctx, right)?;
    match constant(ctx, left) {
        Some(left) => of_constants(cmp.kind(ctx), left, limit, width),
        None => {
            let most = at_most(ctx, left, MOST_STEPS)?;
            of_range(cmp.kind(ctx), most, limit)
        }
    }
}

fn of_constants(kind: CmpKind, left: i128, right: i128, width: u32) -> Option<bool> {
    let unsigned = |v: i128| v & ((1 << width) - 1);
    let signed = |v: i128| (unsigned(v) << (128 - width)) >> (128 - width);
    let (u, s) = ([left, right].map(unsigned), [left, right].map(signed));
    match kind {
        CmpKind::Eq => Some(u[0] == u[1]),
        CmpKind::Ne => Some(u[0] != u[1]),
        CmpKind::LtS => Some(s[0] < s[1]),
        CmpKind::LeS => Some(s[0] <= s[1]),
        CmpKind::GtS => Some(s[0] > s[1]),
        CmpKind::GeS => Some(s[0] >= s[1]),
        CmpKind::LtU => Some(u[0] < u[1]),
        CmpKind::LeU => Some(u[0] <= u[1]),
        CmpKind::GtU => Some(u[0] > u[1]),
        CmpKind::GeU => Some(u[0] >= u[1]),
        CmpKind::FEq | CmpKind::FNe | CmpKind::FLt | CmpKind::FLe | CmpKind::FGt | CmpKind::FGe => {
            None
        }
    }
}

/// For a left side from 0 to `most`, and a limit that is not negative.
fn of_range(kind: CmpKind, most: i128, limit: i128) -> Option<bool> {
    if limit < 0 {
        return None;
    }
    match kind {
        CmpKind::LtS | CmpKind::LtU => (most < limit).then_some(true),
        CmpKind::LeS | CmpKind::LeU => (most <= limit).then_some(true),
        CmpKind::GtS | CmpKind::GtU => (most <= limit).then_some(false),
        CmpKind::GeS | CmpKind::GeU => (most < limit).then_some(false),
        CmpKind::Eq => (most < limit).then_some(false),
        CmpKind::Ne => (most < limit).then_some(true),
        CmpKind::FEq | CmpKind::FNe | CmpKind::FLt | CmpKind::FLe | CmpKind::FGt | CmpKind::FGe => {
            None
        }
    }
}

/// The largest that an integer can be, if it is known not to be negative either, as signed and as unsigned number.
fn at_most(ctx: &Context, value: Value, steps: u32) -> Option<i128> {
    let width = int_width(ctx, value.get_type(ctx)).filter(|w| (2..=64).contains(w))?;
    let positive = |v: &i128| (0..1 << (width - 1)).contains(v);
    if let Some(number) = constant(ctx, value) {
        return Some(number).filter(positive);
    }
    let steps = steps.checked_sub(1)?;
    let Some(op) = value.defining_op() else {
        return counter_at_most(ctx, value).filter(positive);
    };
    let most = if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        let from = cast.get_operand(ctx);
        let known = at_most(ctx, from, steps);
        match cast.kind(ctx) {
            CastKind::ZExt => {
                let from = int_width(ctx, from.get_type(ctx)).filter(|w| *w < 64)?;
                known.or(Some((1 << from) - 1))
            }
            CastKind::SExt | CastKind::Trunc => known,
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
            | CastKind::ComplexCast => None,
        }
    } else if let Some(select) = Operation::get_op::<Select>(op, ctx) {
        let yes = at_most(ctx, select.get_operand_yes(ctx), steps)?;
        let no = at_most(ctx, select.get_operand_no(ctx), steps)?;
        Some(yes.max(no))
    } else {
        bin_at_most(ctx, Operation::get_op::<Bin>(op, ctx)?, steps)
    };
    most.filter(positive)
}

fn bin_at_most(ctx: &Context, bin: Bin, steps: u32) -> Option<i128> {
    let left = at_most(ctx, bin.get_operand_lhs(ctx), steps);
    let right = at_most(ctx, bin.get_operand_rhs(ctx), steps);
    let divisor = constant(ctx, bin.get_operand_rhs(ctx)).filter(|d| *d > 0);
    match bin.kind(ctx) {
        BinKind::Add | BinKind::AddS => left?.checked_add(right?),
        BinKind::Mul | BinKind::MulS => left?.checked_mul(right?),
        BinKind::And | BinKind::MinU => match (left, right) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (known, None) | (None, known) => known,
        },
        BinKind::MinS => Some(left?.min(right?)),
        BinKind::MaxS | BinKind::MaxU => Some(left?.max(right?)),
        BinKind::RemU => Some(divisor? - 1),
        BinKind::RemS => left.and(Some(divisor? - 1)),
        BinKind::DivS | BinKind::DivU => Some(left? / divisor?),
        BinKind::ShrS | BinKind::ShrU => {
            let by = constant(ctx, bin.get_operand_rhs(ctx)).filter(|by| (0..64).contains(by))?;
            Some(left? >> by)
        }
        BinKind::Sub
        | BinKind::SubS
        | BinKind::Or
        | BinKind::Xor
        | BinKind::Shl
        | BinKind::FAdd
        | BinKind::FSub
        | BinKind::FMul
        | BinKind::FDiv
        | BinKind::FMin
        | BinKind::FMax => None,
    }
}

/// The same for the counter of a loop with constant bounds that counts up.
fn counter_at_most(ctx: &Context, value: Value) -> Option<i128> {
    let block = value.defining_block()?;
    let around = block.deref(ctx).get_parent_op(ctx)?;
    let lp = Operation::get_op::<For>(around, ctx)?;
    let number = |v| constant(ctx, v).filter(|v| *v >= 0);
    let lower = number(lp.get_operand_lower(ctx))?;
    let upper = number(lp.get_operand_upper(ctx))?;
    let step = number(lp.get_operand_step(ctx))?;
    let is_counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0) == value;
    (is_counter && step > 0 && lower < upper).then_some(upper - 1)
}
