//! The operations of such a loop, each for all iterations that run at a time.

use super::{lanes, no_form, operand, set_truth_bits, truth, truth_bits, vector_type};
use crate::{c::OpenClC, diagnostic::Result, library::of_floats};
use accrue_dialects::{
    core::{
        Arithmetic, Bin, Call, Cast, CastKind, Cmp, CmpKind, CoreOp, FloatBin, IntBin, Select, Un,
        UnKind, int_width,
    },
    par::vectors::number_bits,
};
use accrue_emit_c::{Dialect, FunctionPrinter};
use accrue_ir::walk::operands_of;
use pliron::{builtin::op_interfaces::OneResultInterface, op::Op, r#type::Typed};

/// The text of an operation whose result is another number in each iteration.
pub fn text(dialect: &OpenClC, p: &mut FunctionPrinter<'_>, op: &CoreOp) -> Result<String> {
    match op {
        CoreOp::Bin(bin) => bin_text(dialect, p, bin),
        CoreOp::Un(un) => un_text(dialect, p, un),
        CoreOp::Cmp(cmp) => cmp_text(dialect, p, cmp),
        CoreOp::Select(select) => select_text(dialect, p, select),
        CoreOp::Cast(cast) => cast_text(dialect, p, cast),
        CoreOp::Call(call) => call_text(dialect, p, call),
        _ => Err(no_form()),
    }
}

/// `a sign b` of the unsigned numbers, as signed ones.
fn of_unsigned(own: &str, a: &str, sign: &str, b: &str) -> String {
    format!("as_{own}(as_u{own}({a}) {sign} as_u{own}({b}))")
}

fn bin_text(dialect: &OpenClC, p: &mut FunctionPrinter<'_>, op: &Bin) -> Result<String> {
    let ctx = p.ctx;
    let (lhs, rhs) = (op.get_operand_lhs(ctx), op.get_operand_rhs(ctx));
    let ty = lhs.get_type(ctx);
    let kind = op.kind(ctx).arithmetic();
    if int_width(ctx, ty) == Some(1) {
        let bits = [lhs, rhs].map(|value| truth_bits(dialect, value).unwrap_or(0));
        let bits = bits.into_iter().max().filter(|bits| *bits > 0);
        let bits = bits.ok_or_else(no_form)?;
        set_truth_bits(dialect, op.get_result(ctx), bits)?;
        let (a, b) = (truth(dialect, p, lhs, bits)?, truth(dialect, p, rhs, bits)?);
        return match kind {
            Arithmetic::Int(IntBin::And) => Ok(format!("{a} & {b}")),
            Arithmetic::Int(IntBin::Or) => Ok(format!("{a} | {b}")),
            Arithmetic::Int(IntBin::Xor) => Ok(format!("{a} ^ {b}")),
            _ => Err(no_form()),
        };
    }
    let own = vector_type(ctx, ty, lanes(dialect)?)?;
    let (a, b) = (operand(dialect, p, lhs)?, operand(dialect, p, rhs)?);
    Ok(match kind {
        Arithmetic::Float(FloatBin::Add) => format!("{a} + {b}"),
        Arithmetic::Float(FloatBin::Sub) => format!("{a} - {b}"),
        Arithmetic::Float(FloatBin::Mul) => format!("{a} * {b}"),
        Arithmetic::Float(FloatBin::Div) => format!("{a} / {b}"),
        Arithmetic::Float(FloatBin::Min) => dialect.extremum("<", &a, &b),
        Arithmetic::Float(FloatBin::Max) => dialect.extremum(">", &a, &b),
        Arithmetic::Int(IntBin::Add) => of_unsigned(&own, &a, "+", &b),
        Arithmetic::Int(IntBin::Sub) => of_unsigned(&own, &a, "-", &b),
        Arithmetic::Int(IntBin::Mul) => of_unsigned(&own, &a, "*", &b),
        Arithmetic::Int(IntBin::AddS) => format!("{a} + {b}"),
        Arithmetic::Int(IntBin::SubS) => format!("{a} - {b}"),
        Arithmetic::Int(IntBin::MulS) => format!("{a} * {b}"),
        Arithmetic::Int(IntBin::DivS) => format!("{a} / {b}"),
        Arithmetic::Int(IntBin::RemS) => format!("{a} % {b}"),
        Arithmetic::Int(IntBin::DivU) => of_unsigned(&own, &a, "/", &b),
        Arithmetic::Int(IntBin::RemU) => of_unsigned(&own, &a, "%", &b),
        Arithmetic::Int(IntBin::Shl) => of_unsigned(&own, &a, "<<", &b),
        Arithmetic::Int(IntBin::ShrU) => of_unsigned(&own, &a, ">>", &b),
        Arithmetic::Int(IntBin::ShrS) => format!("{a} >> {b}"),
        Arithmetic::Int(IntBin::And) => format!("{a} & {b}"),
        Arithmetic::Int(IntBin::Or) => format!("{a} | {b}"),
        Arithmetic::Int(IntBin::Xor) => format!("{a} ^ {b}"),
        Arithmetic::Int(IntBin::MinS) => format!("min({a}, {b})"),
        Arithmetic::Int(IntBin::MaxS) => format!("max({a}, {b})"),
        Arithmetic::Int(IntBin::MinU) => format!("as_{own}(min(as_u{own}({a}), as_u{own}({b})))"),
        Arithmetic::Int(IntBin::MaxU) => format!("as_{own}(max(as_u{own}({a}), as_u{own}({b})))"),
    })
}

fn un_text(dialect: &OpenClC, p: &mut FunctionPrinter<'_>, op: &Un) -> Result<String> {
    let ctx = p.ctx;
    let value = op.get_operand_value(ctx);
    let ty = value.get_type(ctx);
    if int_width(ctx, ty) == Some(1) {
        let bits = truth_bits(dialect, value)?;
        set_truth_bits(dialect, op.get_result(ctx), bits)?;
        return Ok(format!("~{}", truth(dialect, p, value, bits)?));
    }
    let own = vector_type(ctx, ty, lanes(dialect)?)?;
    let x = operand(dialect, p, value)?;
    Ok(match op.kind(ctx) {
        UnKind::FNeg | UnKind::NegS => format!("-{x}"),
        UnKind::Neg => format!("as_{own}(-as_u{own}({x}))"),
        UnKind::Not => format!("~{x}"),
        UnKind::Conj => return Err(no_form()),
    })
}

fn cmp_text(dialect: &OpenClC, p: &mut FunctionPrinter<'_>, op: &Cmp) -> Result<String> {
    let ctx = p.ctx;
    let (lhs, rhs) = (op.get_operand_lhs(ctx), op.get_operand_rhs(ctx));
    let ty = lhs.get_type(ctx);
    let bits = number_bits(ctx, ty).ok_or_else(no_form)?;
    set_truth_bits(dialect, op.get_result(ctx), bits)?;
    let own = vector_type(ctx, ty, lanes(dialect)?)?;
    let (a, b) = (operand(dialect, p, lhs)?, operand(dialect, p, rhs)?);
    let unsigned = |sign| format!("as_u{own}({a}) {sign} as_u{own}({b})");
    Ok(match op.kind(ctx) {
        CmpKind::Eq | CmpKind::FEq => format!("{a} == {b}"),
        CmpKind::Ne | CmpKind::FNe => format!("{a} != {b}"),
        CmpKind::LtS | CmpKind::FLt => format!("{a} < {b}"),
        CmpKind::LeS | CmpKind::FLe => format!("{a} <= {b}"),
        CmpKind::GtS | CmpKind::FGt => format!("{a} > {b}"),
        CmpKind::GeS | CmpKind::FGe => format!("{a} >= {b}"),
        CmpKind::LtU => unsigned("<"),
        CmpKind::LeU => unsigned("<="),
        CmpKind::GtU => unsigned(">"),
        CmpKind::GeU => unsigned(">="),
    })
}

fn select_text(dialect: &OpenClC, p: &mut FunctionPrinter<'_>, op: &Select) -> Result<String> {
    let ctx = p.ctx;
    let (yes, no) = (op.get_operand_yes(ctx), op.get_operand_no(ctx));
    let bits = number_bits(ctx, yes.get_type(ctx)).ok_or_else(no_form)?;
    let cond = truth(dialect, p, op.get_operand_cond(ctx), bits)?;
    let (yes, no) = (operand(dialect, p, yes)?, operand(dialect, p, no)?);
    Ok(format!("{cond} ? {yes} : {no}"))
}

fn cast_text(dialect: &OpenClC, p: &mut FunctionPrinter<'_>, op: &Cast) -> Result<String> {
    let ctx = p.ctx;
    let value = op.get_operand_value(ctx);
    let (from, to) = (value.get_type(ctx), op.get_result(ctx).get_type(ctx));
    let lanes = lanes(dialect)?;
    if op.kind(ctx) == CastKind::ToBool {
        let bits = number_bits(ctx, from).ok_or_else(no_form)?;
        set_truth_bits(dialect, op.get_result(ctx), bits)?;
        let of = vector_type(ctx, from, lanes)?;
        return Ok(format!("{} != ({of})(0)", operand(dialect, p, value)?));
    }
    let to_type = vector_type(ctx, to, lanes)?;
    if int_width(ctx, from) == Some(1) {
        let bits = truth_bits(dialect, value)?;
        let x = truth(dialect, p, value, bits)?;
        return match op.kind(ctx) {
            CastKind::ZExt | CastKind::UToF => Ok(format!("convert_{to_type}(-{x})")),
            _ => Err(no_form()),
        };
    }
    let from_type = vector_type(ctx, from, lanes)?;
    let x = operand(dialect, p, value)?;
    Ok(match op.kind(ctx) {
        CastKind::Trunc | CastKind::SExt | CastKind::SToF | CastKind::FToS | CastKind::FCast => {
            format!("convert_{to_type}({x})")
        }
        CastKind::ZExt => {
            format!("as_{to_type}(convert_u{to_type}(as_u{from_type}({x})))")
        }
        CastKind::UToF => format!("convert_{to_type}(as_u{from_type}({x}))"),
        CastKind::FToU => format!("as_{to_type}(convert_u{to_type}({x}))"),
        CastKind::ToBool
        | CastKind::IntToPtr
        | CastKind::PtrToInt
        | CastKind::PtrCast
        | CastKind::RealToComplex
        | CastKind::ComplexCast => return Err(no_form()),
    })
}

fn call_text(dialect: &OpenClC, p: &mut FunctionPrinter<'_>, op: &Call) -> Result<String> {
    let ctx = p.ctx;
    let known = dialect.expanded.externs.known(&op.callee(ctx));
    let function = known.and_then(of_floats).ok_or_else(no_form)?;
    let operands = operands_of(ctx, op.get_operation());
    let operands: Result<Vec<_>> = operands
        .into_iter()
        .map(|value| operand(dialect, p, value))
        .collect();
    Ok(format!("{function}({})", operands?.join(", ")))
}
