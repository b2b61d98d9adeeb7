//! The exponential of an imaginary number is a cosine and a sine.
//!
//! ```text
//! cexp(I * x)          →   (cos(x), sin(x))                       the real part is 0 times x: zero, or no number
//! cexp(-2 * M_PI * I * j * k / n)                                 likewise
//! ```
//! Of a zero or NaN z, e^z is 1 + z: the factor says for both what `cexp` gives, with the same bits. The call in memory, the exponential
//! and the questions about infinities of `cexp` are saved, and sine and cosine share their reduction ([`crate::gpu::turns`]).

use accrue_dialects::core::{
    Bin, BinKind, Call, Cast, CastKind, CmpKind, ComplexMake, Imag, Known, Real, Un, UnKind,
    emit::Emitter,
};
use accrue_ir::walk::operands_of;
use pliron::{
    builtin::{op_interfaces::OneOpdInterface, ops::ModuleOp},
    context::Context,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::gpu::sincos::library_call;

/// Replaces the call of `cexp` if the argument's real part vanishes; the operation stays where it is, without uses.
pub(super) fn replace(ctx: &mut Context, module: ModuleOp, call: Call) -> bool {
    let op = call.get_operation();
    let [z] = operands_of(ctx, op)[..] else {
        return false;
    };
    if !part_vanishes(ctx, z, Part::Real) {
        return false;
    }
    let ty = z.get_type(ctx);
    let mut e = Emitter::before(ctx, op);
    let parts = (Real::new(e.ctx, z), Imag::new(e.ctx, z));
    let (Some(real), Some(phase)) = parts else {
        return false;
    };
    let (real, phase) = (e.value(real), e.value(phase));
    let part = phase.get_type(e.ctx);
    let one = super::float(&mut e, part, 1.0);
    let factor = e.bin(BinKind::FAdd, one, real);
    let cosine = library_call(&mut e, module, Known::Cos, phase);
    let sine = library_call(&mut e, module, Known::Sin, phase);
    let [cosine, sine] = [cosine, sine].map(|of| e.bin(BinKind::FMul, of, factor));
    // Also of a real part that is no number.
    let zero = super::float(&mut e, part, 0.0);
    let none = e.cmp(CmpKind::FEq, phase, zero);
    let sine = e.select(none, phase, sine);
    let new = e.make(|c| ComplexMake::new(c, ty, cosine, sine));
    let old = op.deref(e.ctx).get_result(0);
    old.replace_all_uses_with(e.ctx, &new);
    true
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Real,
    Imaginary,
}

/// Whether a part of a complex number is zero or NaN.
fn part_vanishes(ctx: &Context, z: Value, part: Part) -> bool {
    let Some(op) = z.defining_op() else {
        return false;
    };
    if Operation::is_op::<ComplexMake>(op, ctx) {
        let parts = operands_of(ctx, op);
        return vanishes(ctx, parts[usize::from(part == Part::Imaginary)]);
    }
    if let Some(un) = Operation::get_op::<Un>(op, ctx) {
        return un.kind(ctx) == UnKind::FNeg && part_vanishes(ctx, un.get_operand(ctx), part);
    }
    if let Some(bin) = Operation::get_op::<Bin>(op, ctx) {
        let sides = [bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx)];
        let sum = matches!(bin.kind(ctx), BinKind::FAdd | BinKind::FSub);
        return sum && sides.iter().all(|side| part_vanishes(ctx, *side, part));
    }
    let Some(cast) = Operation::get_op::<Cast>(op, ctx) else {
        return false;
    };
    let from = cast.get_operand(ctx);
    match cast.kind(ctx) {
        CastKind::ComplexCast => part_vanishes(ctx, from, part),
        CastKind::RealToComplex => part == Part::Imaginary || vanishes(ctx, from),
        _ => false,
    }
}

/// Whether a number is zero or NaN.
fn vanishes(ctx: &Context, value: Value) -> bool {
    if let Some(number) = super::number(ctx, value) {
        return number == 0.0;
    }
    let Some(op) = value.defining_op() else {
        return false;
    };
    if Operation::is_op::<Real>(op, ctx) {
        return part_vanishes(ctx, operands_of(ctx, op)[0], Part::Real);
    }
    if Operation::is_op::<Imag>(op, ctx) {
        return part_vanishes(ctx, operands_of(ctx, op)[0], Part::Imaginary);
    }
    if let Some(un) = Operation::get_op::<Un>(op, ctx) {
        return un.kind(ctx) == UnKind::FNeg && vanishes(ctx, un.get_operand(ctx));
    }
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        return cast.kind(ctx) == CastKind::FCast && vanishes(ctx, cast.get_operand(ctx));
    }
    let Some(bin) = Operation::get_op::<Bin>(op, ctx) else {
        return false;
    };
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    match bin.kind(ctx) {
        BinKind::FMul => vanishes(ctx, lhs) || vanishes(ctx, rhs),
        BinKind::FDiv => vanishes(ctx, lhs),
        BinKind::FAdd | BinKind::FSub => vanishes(ctx, lhs) && vanishes(ctx, rhs),
        _ => false,
    }
}
