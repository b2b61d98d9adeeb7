//! What the condition of a loop compares: the variable, perhaps extended or with a constant added, and in which direction.

use super::Writes;
use accrue_dialects::core::{Bin, BinKind, Cast, CastKind, CmpKind, Load, fold::constant};
use pliron::{
    builtin::op_interfaces::OneOpdInterface, context::Context, operation::Operation, value::Value,
};

/// A constant that is added.
#[derive(Clone, Copy)]
pub(super) struct Shift {
    pub(super) by: i128,
    /// The sum does not overflow.
    pub(super) signed: bool,
}

/// The variable that a test compares.
pub(super) struct Counter {
    pub(super) variable: Value,
    pub(super) extended: Option<CastKind>,
    pub(super) shift: Option<Shift>,
}

/// How the variable is compared with the bound.
pub(super) struct Test {
    /// With the variable on the left-hand side.
    pub(super) order: Order,
    /// The comparison, and so the counter, is unsigned.
    pub(super) unsigned: bool,
    /// How the variable is extended to the bound's type.
    pub(super) extended: Option<CastKind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// `<` or, counting down, `>`.
    Before,
    /// `<=` or `>=`.
    UpTo,
}

/// The variable that `value` is, extended or not, if the iterations write it, with the constant that is added.
pub(super) fn counter(ctx: &Context, value: Value, writes: &Writes) -> Option<Counter> {
    let op = value.defining_op()?;
    let (inner, extended) = match Operation::get_op::<Cast>(op, ctx) {
        Some(cast) => {
            let kind = cast.kind(ctx);
            let extends = matches!(kind, CastKind::SExt | CastKind::ZExt);
            let inner = cast.get_operand(ctx).defining_op().filter(|_| extends)?;
            (inner, Some(kind))
        }
        None => (op, None),
    };
    let (inner, shift) = match Operation::get_op::<Bin>(inner, ctx) {
        Some(sum) => {
            let (lhs, rhs) = (sum.get_operand_lhs(ctx), sum.get_operand_rhs(ctx));
            let by = constant(ctx, rhs).filter(|by| by.unsigned_abs() < 1 << 30)?;
            let (by, signed) = match sum.kind(ctx) {
                BinKind::AddS => (by, true),
                BinKind::SubS => (-by, true),
                BinKind::Add => (by, false),
                BinKind::Sub => (-by, false),
                _ => return None,
            };
            (lhs.defining_op()?, Some(Shift { by, signed }))
        }
        None => (inner, None),
    };
    let variable = Operation::get_op::<Load>(inner, ctx)?.get_operand_address(ctx);
    writes.locals.contains(&variable).then_some(Counter {
        variable,
        extended,
        shift,
    })
}

/// The comparison with its sides exchanged; `None` for floats.
pub(super) fn swapped(kind: CmpKind) -> Option<CmpKind> {
    Some(match kind {
        CmpKind::Eq => CmpKind::Eq,
        CmpKind::Ne => CmpKind::Ne,
        CmpKind::LtS => CmpKind::GtS,
        CmpKind::LeS => CmpKind::GeS,
        CmpKind::GtS => CmpKind::LtS,
        CmpKind::GeS => CmpKind::LeS,
        CmpKind::LtU => CmpKind::GtU,
        CmpKind::LeU => CmpKind::GeU,
        CmpKind::GtU => CmpKind::LtU,
        CmpKind::GeU => CmpKind::LeU,
        CmpKind::FEq | CmpKind::FNe | CmpKind::FLt | CmpKind::FLe | CmpKind::FGt | CmpKind::FGe => {
            return None;
        }
    })
}

/// The comparison in the direction of the step, if the loop then ends exactly where C's does.
pub(super) fn ordered(
    ctx: &Context,
    kind: CmpKind,
    extended: Option<CastKind>,
    step: i128,
    wraps: bool,
    bound: Value,
    writes: &Writes,
) -> Option<Test> {
    let up = step > 0;
    let (order, unsigned) = match (kind, up) {
        (CmpKind::LtS, true) | (CmpKind::GtS, false) => (Order::Before, false),
        (CmpKind::LeS, true) | (CmpKind::GeS, false) => (Order::UpTo, false),
        (CmpKind::LtU, true) | (CmpKind::GtU, false) => (Order::Before, true),
        (CmpKind::LeU, true) | (CmpKind::GeU, false) => (Order::UpTo, true),
        // A variable that starts behind the bound would have to wrap around to meet it.
        (CmpKind::Ne, _) if step.abs() == 1 && !wraps && extended.is_none() => {
            (Order::Before, false)
        }
        // Counting down by ones, an unsigned variable meets 0 before it wraps.
        (CmpKind::Ne, false)
            if step == -1 && extended.is_none() && constant(ctx, bound) == Some(0) =>
        {
            (Order::Before, true)
        }
        _ => return None,
    };
    let exact = match order {
        Order::Before => step.abs() == 1 && extended.is_none(),
        Order::UpTo => false,
    };
    let may_wrap = wraps && !exact;
    let known = constant(ctx, bound).is_some_and(|b| b > 0 && b < 1 << 30) && up;
    if may_wrap && !known && !writes.plain {
        return None;
    }
    // A bound of 0 counting down to and including it, unsigned, is endless; the counter could not say so.
    if order == Order::UpTo && unsigned && !up && constant(ctx, bound).is_none_or(|b| b <= 0) {
        return None;
    }
    let sound = match extended {
        None => true,
        // A signed variable may be compared as unsigned; a wrapping one is extended by zeros.
        Some(CastKind::SExt) => !wraps && (up || !unsigned),
        Some(_) => wraps && up,
    };
    sound.then_some(Test {
        order,
        unsigned,
        extended,
    })
}
