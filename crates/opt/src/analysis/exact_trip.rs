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
//! Parameters are read as the runtime has them; everything else (memory, floating point) has no program.
//!
//! Cost: linear in the size of the expression, up to [`MOST_STEPS`].

use accrue_abi::trip::{MOST_STEPS, Step};
use accrue_dialects::core::fold::constant;
use accrue_dialects::core::{
    Bin, BinKind, Cast, CastKind, Cmp, CmpKind, If, Select, Un, UnKind, int_width,
};
use pliron::{
    builtin::{op_interfaces::OneOpdInterface, ops::FuncOp},
    context::Context,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::analysis::gang_trip::{parameter, set_once};

/// Of two numbers on the stack the larger, and the smaller one.
const LARGER: [Step; 4] = [Step::Again(1), Step::Sub, Step::NotNegative, Step::Add];
const SMALLER: [Step; 6] = [
    Step::Again(1),
    Step::Sub,
    Step::Again(0),
    Step::NotNegative,
    Step::Sub,
    Step::Add,
];

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
    if let Some(un) = Operation::get_op::<Un>(op, ctx) {
        // -a is 0 - a, and ~a is -1 - a.
        steps.push(Step::Constant(match un.kind(ctx) {
            UnKind::Neg | UnKind::NegS => 0,
            UnKind::Not => -1,
            UnKind::FNeg | UnKind::Conj => return None,
        }));
        append(ctx, func, (un.get_operand(ctx), when), steps)?;
        steps.push(Step::Sub);
        steps.extend((width == 32).then_some(Step::Signed32));
        return Some(());
    }
    let (runs, yes, no) = choice(ctx, value)?;
    // The number of iterations of a loop that may not run at all.
    if constant(ctx, no) == Some(0) {
        condition(ctx, func, runs, steps)?;
        append(ctx, func, (yes, Some(runs)), steps)?;
        steps.push(Step::Mul);
        return Some(());
    }
    // no + runs * (yes - no)
    append(ctx, func, (no, None), steps)?;
    condition(ctx, func, runs, steps)?;
    append(ctx, func, (yes, Some(runs)), steps)?;
    steps.extend([Step::Again(2), Step::Sub, Step::Mul, Step::Add]);
    Some(())
}

/// The condition that a value is chosen by, and what it is where that holds and where not.
fn choice(ctx: &Context, value: Value) -> Option<(Value, Value, Value)> {
    let op = value.defining_op()?;
    if let Some(branch) = Operation::get_op::<If>(op, ctx) {
        let index = value.find_index(ctx);
        let [yes, no] = [0, 1].map(|side| branch.given(ctx, side, index));
        return Some((branch.get_operand_cond(ctx), yes?, no?));
    }
    let select = Operation::get_op::<Select>(op, ctx)?;
    let (yes, no) = (select.get_operand_yes(ctx), select.get_operand_no(ctx));
    Some((select.get_operand_cond(ctx), yes, no))
}

/// Appends what an operation makes of two numbers of 32 or 64 bits.
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
    let (computed, unsigned): (&[Step], bool) = match kind {
        BinKind::Add | BinKind::AddS => (&[Step::Add], false),
        BinKind::Sub | BinKind::SubS => (&[Step::Sub], false),
        BinKind::Mul | BinKind::MulS => (&[Step::Mul], false),
        BinKind::DivS => (&[Step::Divide], false),
        BinKind::DivU => (&[Step::Divide], true),
        BinKind::RemS => (&[Step::Remainder], false),
        BinKind::RemU => (&[Step::Remainder], true),
        BinKind::And => (&[Step::And], false),
        BinKind::Or => (&[Step::Or], false),
        BinKind::Xor => (&[Step::Xor], false),
        BinKind::Shl => (&[Step::ShiftLeft], false),
        BinKind::ShrS => (&[Step::ShiftRight], false),
        BinKind::ShrU => (&[Step::ShiftRightUnsigned], true),
        // a + max(b - a, 0)
        BinKind::MaxS => (&LARGER, false),
        // a + ((b - a) - max(b - a, 0))
        BinKind::MinS => (&SMALLER, false),
        BinKind::MaxU if width == 32 => (&LARGER, true),
        BinKind::MinU if width == 32 => (&SMALLER, true),
        BinKind::MaxU
        | BinKind::MinU
        | BinKind::FAdd
        | BinKind::FSub
        | BinKind::FMul
        | BinKind::FDiv
        | BinKind::FMin
        | BinKind::FMax => return None,
    };
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    for (operand, is_dividend) in [(lhs, kind.divides()), (rhs, false)] {
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
    steps.extend(computed);
    if width == 32 {
        steps.push(Step::Signed32);
    }
    Some(())
}

/// Appends a comparison of numbers of 32 or 64 bits, as 1 or 0.
fn condition(ctx: &Context, func: FuncOp, value: Value, steps: &mut Vec<Step>) -> Option<()> {
    if let Some(known) = constant(ctx, value) {
        steps.push(Step::Constant(i64::from(known != 0)));
        return Some(());
    }
    let cmp = Operation::get_op::<Cmp>(value.defining_op()?, ctx)?;
    let (left, right) = (cmp.get_operand_lhs(ctx), cmp.get_operand_rhs(ctx));
    let width = int_width(ctx, left.get_type(ctx)).filter(|width| matches!(width, 32 | 64))?;
    // a <= b is 1 - (b < a).
    let (first, second, unsigned, negated) = match cmp.kind(ctx) {
        CmpKind::LtS => (left, right, false, false),
        CmpKind::GtS => (right, left, false, false),
        CmpKind::LtU => (left, right, true, false),
        CmpKind::GtU => (right, left, true, false),
        CmpKind::LeS => (right, left, false, true),
        CmpKind::GeS => (left, right, false, true),
        CmpKind::LeU => (right, left, true, true),
        CmpKind::GeU => (left, right, true, true),
        CmpKind::Eq | CmpKind::Ne => return is_equal(ctx, func, cmp, steps),
        CmpKind::FEq | CmpKind::FNe | CmpKind::FLt | CmpKind::FLe | CmpKind::FGt | CmpKind::FGe => {
            return None;
        }
    };
    if negated {
        steps.push(Step::Constant(1));
    }
    for operand in [first, second] {
        append(ctx, func, (operand, None), steps)?;
        if unsigned && width == 32 {
            steps.push(Step::Unsigned32);
        }
    }
    steps.push(match unsigned {
        true => Step::LessUnsigned,
        false => Step::Less,
    });
    if negated {
        steps.push(Step::Sub);
    }
    Some(())
}

/// Appends whether two numbers are, or are not, the same: `(a ^ b) < 1`, or `0 < (a ^ b)`, without signs.
fn is_equal(ctx: &Context, func: FuncOp, cmp: Cmp, steps: &mut Vec<Step>) -> Option<()> {
    let differ = cmp.kind(ctx) == CmpKind::Ne;
    if differ {
        steps.push(Step::Constant(0));
    }
    for operand in [cmp.get_operand_lhs(ctx), cmp.get_operand_rhs(ctx)] {
        append(ctx, func, (operand, None), steps)?;
    }
    steps.push(Step::Xor);
    if !differ {
        steps.push(Step::Constant(1));
    }
    steps.push(Step::LessUnsigned);
    Some(())
}
