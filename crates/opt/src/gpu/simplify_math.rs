//! Pass `simplify-math`: mathematical functions and divisions with a constant become something cheaper, on GPUs.
//!
//! ```text
//! 1 / sqrt(x)     →   rsqrt(x), of the device library        one function instead of a root and a division
//! y / sqrt(x)     →   y * rsqrt(x)
//! pow(x, 2)       →   x * x                                  3, 1, -1, 1/2, 3/2, -1/2 and for float 4 likewise
//! pow(x, 6)       →   products, rounded once at the end      other integers, 5/2, -3/2 ([`powers`])
//! pow(2, x)       →   exp2(x)                                10 likewise
//! x / 4           →   x * 0.25                               powers of two: the same result
//! ldexp(x, -3)    →   x * 0.125                              the same result
//! (float)(long)i  →   (float)i                               the same result ([`conversions`])
//! 8.0 / 3         →   2.6666666666666665                     the same result
//! (double)4       →   4.0                                    the same result
//! cexp(I * x)     →   (cos(x), sin(x))                       the same results ([`phases`])
//! sinf(x), cosf(x) →  parts of both, of one reduction        the same results ([`turns`])
//! ```
//! Each replacement is within the error that `docs/math.md` states for what it replaces: for `1 / sqrt(x)` that of two
//! rounded operations. Zeros, infinities and NaN give what C says. The results may have other bits; with `-gpu=plainmath`
//! nothing but the last seven lines is done. Only functions from outside are meant: a unit may have a `pow` of its own.
//!
//! Steps: look at every call and division in kernels and in what they call; replace it by new operations in front of it; erase
//! calls that nothing needs any more. Cost: linear.

mod conversions;
mod phases;
mod powers;

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::core::fold::constant;
use accrue_dialects::core::{
    Bin, BinKind, Call, Cast, CastKind, Cmp, CmpKind, Const, FConst, Known, float_width,
};
use accrue_ir::walk::{nested, operands_of, results_of};
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, OneResultInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

use crate::{
    State,
    analysis::straight::PureFunctions,
    gpu::{sincos::library_call, turns},
    transform::inline::device_functions,
};

const NAME: &str = "simplify-math";

/// What takes the place of an operation, and why.
struct Replacement {
    kind: Kind,
    /// The operand that is left.
    value: Value,
    message: String,
}

/// In terms of the operand x.
#[derive(Clone, Copy)]
enum Kind {
    Constant(f64),
    /// `factor * x`
    Scaled(f64),
    /// `factor / sqrt(x)`
    OverRoot(Value),
    /// A function of the library.
    Function(Known),
    Same,
    Square,
    Cube,
    Fourth,
    Reciprocal,
    Root,
    RootCubed,
    ReciprocalRoot,
    ReciprocalRootCubed,
    SquareAndRoot,
    /// An integer power.
    Power(f64),
}

/// Replaces in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.knows_mathematics {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in device_functions(ctx, module) {
        for bin in nested::<Bin>(ctx, func.get_operation()) {
            let found = of_constants(ctx, bin).or_else(|| match bin.kind(ctx) {
                BinKind::FDiv => of_division(ctx, bin, &pure, state.plain_math),
                _ => None,
            });
            if let Some(found) = found {
                replace(ctx, module, bin.get_operation(), found, state);
            }
        }
        for cast in nested::<Cast>(ctx, func.get_operation()) {
            let result = cast.get_result(ctx);
            let ty = result.get_type(ctx);
            if let Some(value) = number(ctx, result).filter(|_| number_width(ctx, ty).is_some()) {
                let op = cast.get_operation();
                let constant = float(&mut Emitter::before(ctx, op), ty, value);
                result.replace_all_uses_with(ctx, &constant);
                Operation::erase(op, ctx);
            } else if conversions::shorten(ctx, module, cast) {
                Operation::erase(cast.get_operation(), ctx);
            }
        }
        for call in nested::<Call>(ctx, func.get_operation()) {
            let op = call.get_operation();
            if !pure.is_called(ctx, op) {
                continue;
            }
            let found = of_scaling(ctx, call, &pure).or_else(|| match state.plain_math {
                true => None,
                false => of_power(ctx, call, &pure),
            });
            if let Some(found) = found {
                replace(ctx, module, op, found, state);
            } else if pure.known(ctx, call) == Some(Known::ComplexExp)
                && phases::replace(ctx, module, call)
            {
                let message = "the exponential of an imaginary number is a cosine and a sine: the same results";
                state.remark(ctx, op, NAME, message.to_string());
                Operation::erase(op, ctx);
            }
        }
        for op in turns::join(ctx, module, func, &pure, state.target.shares_turns) {
            let message = "sine and cosine of the same angle share its reduction: the same results";
            state.remark(ctx, op, NAME, message.to_string());
        }
        drop_unused(ctx, func, &pure);
    }
}

/// Erases calls whose results nothing needs any more, such as that of `sqrt` in `1 / sqrt(x)`.
fn drop_unused(ctx: &mut Context, func: FuncOp, pure: &PureFunctions) {
    let calls = nested::<Call>(ctx, func.get_operation());
    for call in calls.into_iter().rev() {
        let op = call.get_operation();
        let results = results_of(ctx, op);
        if pure.is_called(ctx, op) && results.iter().all(|r| r.num_uses(ctx) == 0) {
            Operation::erase(op, ctx);
        }
    }
}

/// Arithmetic of two constants whose result is a number.
fn of_constants(ctx: &Context, bin: Bin) -> Option<Replacement> {
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    let width = number_width(ctx, lhs.get_type(ctx))?;
    let (a, b) = (number(ctx, lhs)?, number(ctx, rhs)?);
    let (single_a, single_b) = (a as f32, b as f32);
    let (double, single) = match bin.kind(ctx) {
        BinKind::FAdd => (a + b, single_a + single_b),
        BinKind::FSub => (a - b, single_a - single_b),
        BinKind::FMul => (a * b, single_a * single_b),
        BinKind::FDiv => (a / b, single_a / single_b),
        _ => return None,
    };
    let result = match width {
        32 => f64::from(single),
        _ => double,
    };
    result.is_finite().then(|| Replacement {
        kind: Kind::Constant(result),
        value: lhs,
        message: "arithmetic of constants is a constant: the same result".to_string(),
    })
}

fn of_division(
    ctx: &Context,
    division: Bin,
    pure: &PureFunctions,
    plain: bool,
) -> Option<Replacement> {
    let (above, below) = (division.get_operand_lhs(ctx), division.get_operand_rhs(ctx));
    let width = number_width(ctx, above.get_type(ctx))?;
    if let Some(divisor) = number(ctx, below) {
        let factor = 1.0 / divisor;
        // Both are normal powers of two: product and quotient are the same number before it is rounded.
        let exact = is_power_of_two(divisor) && is_power_of_two(factor);
        let in_range = width == 64 || (divisor as f32).is_normal() && (factor as f32).is_normal();
        return (exact && in_range).then(|| Replacement {
            kind: Kind::Scaled(factor),
            value: above,
            message: format!("a division by {divisor} is a multiplication: the same result"),
        });
    }
    if plain {
        return None;
    }
    let op = below.defining_op()?;
    let call = Operation::get_op::<Call>(op, ctx).filter(|_| pure.is_called(ctx, op))?;
    let [root_of] = operands_of(ctx, op)[..] else {
        return None;
    };
    let (kind, written) = match number(ctx, above) {
        Some(1.0) => (Kind::Function(Known::Rsqrt), "1 / sqrt(x) is one function"),
        Some(_) | None => (
            Kind::OverRoot(above),
            "y / sqrt(x) is one function and a multiplication",
        ),
    };
    (pure.known(ctx, call) == Some(Known::Sqrt)).then(|| Replacement {
        kind,
        value: root_of,
        message: format!("{written}: its error is that of the two operations at most"),
    })
}

/// A number times a power of two whose exponent is a constant.
fn of_scaling(ctx: &Context, call: Call, pure: &PureFunctions) -> Option<Replacement> {
    let [x, exponent] = operands_of(ctx, call.get_operation())[..] else {
        return None;
    };
    let width = number_width(ctx, x.get_type(ctx))?;
    if pure.known(ctx, call) != Some(Known::Ldexp) {
        return None;
    }
    let exponent = i32::try_from(constant(ctx, exponent)?).ok()?;
    // The factor is a normal number: the product is rounded where the scaled number is.
    let most = match width {
        32 => 127,
        _ => 1023,
    };
    (1 - most..=most).contains(&exponent).then(|| Replacement {
        kind: Kind::Scaled(f64::powi(2.0, exponent)),
        value: x,
        message: format!("scaling by 2^{exponent} is a multiplication: the same result"),
    })
}

/// A power whose exponent or base is a constant.
fn of_power(ctx: &Context, call: Call, pure: &PureFunctions) -> Option<Replacement> {
    let op = call.get_operation();
    let [base, exponent] = operands_of(ctx, op)[..] else {
        return None;
    };
    let width = number_width(ctx, base.get_type(ctx))?;
    if pure.known(ctx, call) != Some(Known::Pow) {
        return None;
    }
    if let Some(exponent) = number(ctx, exponent) {
        let kind = match exponent {
            1.0 => Kind::Same,
            2.0 => Kind::Square,
            3.0 => Kind::Cube,
            4.0 if width == 32 => Kind::Fourth,
            -1.0 => Kind::Reciprocal,
            0.5 => Kind::Root,
            1.5 => Kind::RootCubed,
            -0.5 => Kind::ReciprocalRoot,
            -1.5 => Kind::ReciprocalRootCubed,
            2.5 => Kind::SquareAndRoot,
            other if powers::is_short(other) => Kind::Power(other),
            _ => return None,
        };
        let message = format!("a power of {exponent} is computed without `pow`");
        return Some(Replacement {
            kind,
            value: base,
            message,
        });
    }
    let (base, known) = match number(ctx, base)? {
        2.0 => (2, Known::Exp2),
        10.0 => (10, Known::Exp10),
        _ => return None,
    };
    Some(Replacement {
        kind: Kind::Function(known),
        value: exponent,
        message: format!("a power of {base} is computed by `{}`", known.stem()),
    })
}

fn replace(
    ctx: &mut Context,
    module: ModuleOp,
    op: Ptr<Operation>,
    replacement: Replacement,
    state: &mut State,
) {
    let Replacement {
        kind,
        value: x,
        message,
    } = replacement;
    state.remark(ctx, op, NAME, message);
    let ty = x.get_type(ctx);
    let mut e = Emitter::before(ctx, op);
    let new = match kind {
        Kind::Constant(value) => float(&mut e, ty, value),
        Kind::OverRoot(factor) => {
            let reciprocal = library_call(&mut e, module, Known::Rsqrt, x);
            e.bin(BinKind::FMul, factor, reciprocal)
        }
        Kind::Scaled(factor) => {
            let factor = float(&mut e, ty, factor);
            e.bin(BinKind::FMul, x, factor)
        }
        Kind::Function(known) => library_call(&mut e, module, known, x),
        Kind::Same => x,
        Kind::Square => e.bin(BinKind::FMul, x, x),
        Kind::Cube => {
            let square = e.bin(BinKind::FMul, x, x);
            e.bin(BinKind::FMul, square, x)
        }
        Kind::Fourth => {
            let square = e.bin(BinKind::FMul, x, x);
            e.bin(BinKind::FMul, square, square)
        }
        Kind::Reciprocal => {
            let one = float(&mut e, ty, 1.0);
            e.bin(BinKind::FDiv, one, x)
        }
        Kind::Root => {
            // The power of -0 is +0.
            let root = library_call(&mut e, module, Known::Sqrt, x);
            let root = plus_zero(&mut e, root);
            unless_minus_infinity(&mut e, x, root, f64::INFINITY)
        }
        Kind::RootCubed => {
            let root = library_call(&mut e, module, Known::Sqrt, x);
            let cubed = e.bin(BinKind::FMul, x, root);
            unless_minus_infinity(&mut e, x, cubed, f64::INFINITY)
        }
        Kind::ReciprocalRoot => {
            let positive = plus_zero(&mut e, x);
            let root = library_call(&mut e, module, Known::Rsqrt, positive);
            unless_minus_infinity(&mut e, x, root, 0.0)
        }
        Kind::ReciprocalRootCubed => powers::reciprocal_root_cubed(&mut e, module, x),
        Kind::SquareAndRoot => powers::square_and_root(&mut e, module, x),
        Kind::Power(exponent) => powers::integer(&mut e, module, x, exponent),
    };
    let old = op.deref(ctx).get_result(0);
    old.replace_all_uses_with(ctx, &new);
    Operation::erase(op, ctx);
}

/// `x + 0`, which is +0 for -0.
fn plus_zero(e: &mut Emitter, x: Value) -> Value {
    let ty = x.get_type(e.ctx);
    let zero = float(e, ty, 0.0);
    e.bin(BinKind::FAdd, x, zero)
}

/// `value`, but `other` for x = -infinity, of which powers with fractions are no NaN.
fn unless_minus_infinity(e: &mut Emitter, x: Value, value: Value, other: f64) -> Value {
    let ty = x.get_type(e.ctx);
    let infinity = float(e, ty, f64::NEG_INFINITY);
    let op = Cmp::new(e.ctx, CmpKind::FEq, x, infinity);
    let is_infinite = e.value(op);
    let other = float(e, ty, other);
    e.select(is_infinite, other, value)
}

fn float(e: &mut Emitter, ty: TypeHandle, value: f64) -> Value {
    let text = match value {
        f64::INFINITY => "inf".to_string(),
        f64::NEG_INFINITY => "-inf".to_string(),
        _ => format!("{value:e}"),
    };
    let op = FConst::new(e.ctx, ty, &text);
    e.value(op)
}

/// 32 or 64 for `float` and `double`.
fn number_width(ctx: &Context, ty: TypeHandle) -> Option<u32> {
    float_width(ctx, ty).filter(|width| matches!(width, 32 | 64))
}

fn is_power_of_two(value: f64) -> bool {
    value.is_normal() && value.to_bits() << 12 == 0
}

/// The value of a constant that is a float, or is made one.
pub(super) fn number(ctx: &Context, value: Value) -> Option<f64> {
    let op = value.defining_op()?;
    if let Some(constant) = Operation::get_op::<FConst>(op, ctx) {
        let exact: f64 = constant.text(ctx).parse().ok()?;
        let narrow = float_width(ctx, value.get_type(ctx)) == Some(32);
        return Some(if narrow {
            f64::from(exact as f32)
        } else {
            exact
        });
    }
    let cast = Operation::get_op::<Cast>(op, ctx)?;
    let inner = cast.get_operand(ctx);
    match cast.kind(ctx) {
        CastKind::SToF | CastKind::UToF => {
            let integer = Operation::get_op::<Const>(inner.defining_op()?, ctx)?.value(ctx);
            let sign = cast.kind(ctx) == CastKind::SToF || integer >= 0;
            let exact = match float_width(ctx, value.get_type(ctx)) {
                Some(32) => (integer as f32) as i128 == integer,
                _ => (integer as f64) as i128 == integer,
            };
            (sign && exact).then_some(integer as f64)
        }
        CastKind::FCast => number(ctx, inner).filter(|v| f64::from(*v as f32) == *v),
        CastKind::Trunc
        | CastKind::SExt
        | CastKind::ZExt
        | CastKind::FToS
        | CastKind::FToU
        | CastKind::IntToPtr
        | CastKind::PtrToInt
        | CastKind::PtrCast
        | CastKind::ToBool
        | CastKind::RealToComplex
        | CastKind::ComplexCast => None,
    }
}
