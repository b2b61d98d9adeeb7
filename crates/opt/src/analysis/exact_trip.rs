//! A number of iterations as a program that is never wrong: it gives what the kernel computes, or nothing.
//!
//! [`crate::analysis::gang_trip`] may be wrong by as much as it likes, since any number of gangs is right. A grid that covers a loop
//! must not be too small. So numbers have their width here: an `i32` is on the stack as its signed value, and what wraps in
//! the kernel wraps in the program; what overflows 64 bits ends the runtime's computation without a result.
//!
//! ```text
//! unsigned n:  i < n - 2             ARG32 n,  CONST 2,  SUB,  SIGNED32,  UNSIGNED32  …
//! 0 < diff ? diff : 0                CONST 0,  diff,  LESS,  diff,  MUL
//! ```
//!
//! Parameters are read as the runtime has them; everything else (memory, floating point, rare operations) has no program.
//!
//! Cost: linear in the size of the expression, up to [`MOST_STEPS`].

use accrue_abi::trip::{MOST_STEPS, Step};
use accrue_dialects::core::fold::constant;
use accrue_dialects::core::{Bin, BinKind, Cast, CastKind, Cmp, CmpKind, Select, int_width};
use pliron::{
    builtin::{op_interfaces::OneOpdInterface, ops::FuncOp},
    context::Context,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::analysis::gang_trip::{parameter, set_once, step};

/// The steps that compute `value` in `func`, with numbers of parameters for argument words.
pub fn exact(ctx: &Context, func: FuncOp, value: Value) -> Option<Vec<Step>> {
    let mut steps = vec![];
    append(ctx, func, (value, None), &mut steps)?;
    Some(steps)
}

/// Appends a number, which is only needed where `when` holds, if there is such a condition.
fn append(
    ctx: &Context,
    func: FuncOp,
    (value, when): (Value, Option<Value>),
    steps: &mut Vec<Step>,
) -> Option<()> {
    if steps.len() >= MOST_STEPS {
        return None;
    }
    let width = int_width(ctx, value.get_type(ctx))?;
    let source = set_once(ctx, func, value).unwrap_or(value);
    if let Some(number) = constant(ctx, source) {
        steps.push(Step::Constant(match width {
            32 => i64::from(number as i32),
            64 => i64::try_from(number).ok()?,
            _ => return None,
        }));
        return Some(());
    }
    if let Some(number) = parameter(ctx, func, value) {
        steps.push(match width {
            64 => Step::Argument(number),
            32 => Step::Argument32(number),
            _ => return None,
        });
        return Some(());
    }
    let op = value.defining_op()?;
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        let from = cast.get_operand(ctx);
        append(ctx, func, (from, when), steps)?;
        let (step, widths) = match cast.kind(ctx) {
            CastKind::SExt => (None, (32, 64)),
            CastKind::ZExt => (Some(Step::Unsigned32), (32, 64)),
            CastKind::Trunc => (Some(Step::Signed32), (64, 32)),
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
            | CastKind::ComplexCast => return None,
        };
        steps.extend(step);
        return (widths == (int_width(ctx, from.get_type(ctx))?, width)).then_some(());
    }
    if let Some(bin) = Operation::get_op::<Bin>(op, ctx) {
        return arithmetic(ctx, func, (bin, width, when), steps);
    }
    // The number of iterations of a loop that may not run at all.
    let select = Operation::get_op::<Select>(op, ctx)?;
    if constant(ctx, select.get_operand_no(ctx)) != Some(0) {
        return None;
    }
    let runs = select.get_operand_cond(ctx);
    condition(ctx, func, runs, steps)?;
    append(ctx, func, (select.get_operand_yes(ctx), Some(runs)), steps)?;
    steps.push(Step::Mul);
    Some(())
}

/// Appends a sum, difference, product or quotient of numbers of 32 or 64 bits.
fn arithmetic(
    ctx: &Context,
    func: FuncOp,
    (bin, width, when): (Bin, u32, Option<Value>),
    steps: &mut Vec<Step>,
) -> Option<()> {
    if width != 32 && width != 64 {
        return None;
    }
    let kind = bin.kind(ctx);
    let step = match (kind.ring(), kind) {
        (Some(ring), _) => step(ring),
        (None, BinKind::DivS | BinKind::DivU) => Step::Divide,
        (None, _) => return None,
    };
    let unsigned = kind == BinKind::DivU;
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    for (operand, is_dividend) in [(lhs, true), (rhs, false)] {
        append(ctx, func, (operand, when), steps)?;
        if unsigned && width == 32 {
            steps.push(Step::Unsigned32);
        }
        // Of a loop that does not run it is negative: no dividend, though nothing needs the quotient.
        if unsigned
            && is_dividend
            && let Some(runs) = when
        {
            condition(ctx, func, runs, steps)?;
            steps.push(Step::Mul);
        }
    }
    steps.push(step);
    if width == 32 {
        steps.push(Step::Signed32);
    }
    Some(())
}

/// Appends a comparison of 64-bit numbers, as 1 or 0.
fn condition(ctx: &Context, func: FuncOp, value: Value, steps: &mut Vec<Step>) -> Option<()> {
    if let Some(known) = constant(ctx, value) {
        steps.push(Step::Constant(i64::from(known != 0)));
        return Some(());
    }
    let cmp = Operation::get_op::<Cmp>(value.defining_op()?, ctx)?;
    let (left, right) = (cmp.get_operand_lhs(ctx), cmp.get_operand_rhs(ctx));
    if int_width(ctx, left.get_type(ctx)) != Some(64) {
        return None;
    }
    // a <= b is 1 - (b < a).
    let (first, second, less, negated) = match cmp.kind(ctx) {
        CmpKind::LtS => (left, right, Step::Less, false),
        CmpKind::LtU => (left, right, Step::LessUnsigned, false),
        CmpKind::LeS => (right, left, Step::Less, true),
        CmpKind::LeU => (right, left, Step::LessUnsigned, true),
        CmpKind::Eq
        | CmpKind::Ne
        | CmpKind::GtS
        | CmpKind::GeS
        | CmpKind::GtU
        | CmpKind::GeU
        | CmpKind::FEq
        | CmpKind::FNe
        | CmpKind::FLt
        | CmpKind::FLe
        | CmpKind::FGt
        | CmpKind::FGe => return None,
    };
    if negated {
        steps.push(Step::Constant(1));
    }
    append(ctx, func, (first, None), steps)?;
    append(ctx, func, (second, None), steps)?;
    steps.push(less);
    if negated {
        steps.push(Step::Sub);
    }
    Some(())
}
