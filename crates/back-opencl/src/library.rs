//! Functions of libraries: those of OpenCL C, which are overloaded, and the few that it does not have.
//!
//! ```text
//! sqrtf(x)                 sqrt(x)
//! nearbyint(x)             rint(x)
//! sincos(x, &s, &c)        *s = sin(x); *c = cos(x);
//! __builtin_parity(n)      popcount(n) & 1
//! sinf(x), cosf(x)         as_float2(t).x, as_float2(t).y   with   t = accrue_turn(x), which is `sincos`
//! lround(x)                (long)round(x)
//! printf("%zu", n)         printf("%lu", n)
//! ```

use crate::{
    diagnostic::{Diagnostic, Result},
    strings,
};
use accrue_abi::{ACC_DEVICE_NOT_HOST, ACC_DEVICE_OPENCL};
use accrue_dialects::core::{Call, Extern, Known, float_width, int_width, pointee_of};
use accrue_emit_c::{
    FunctionPrinter,
    dialect::Printed,
    expr::{Expr, Prec},
};
use accrue_ir::walk::{operands_of, results_of};
use pliron::{op::Op, r#type::Typed, value::Value};

/// What OpenCL C calls a function of floats that it has.
pub fn of_floats(function: Known) -> Option<&'static str> {
    Some(match function {
        Known::Nearbyint | Known::Rint | Known::RoundEven => "rint",
        Known::Acos
        | Known::Acosh
        | Known::Asin
        | Known::Asinh
        | Known::Atan
        | Known::Atan2
        | Known::Atanh
        | Known::Cbrt
        | Known::Ceil
        | Known::CopySign
        | Known::Cos
        | Known::Cosh
        | Known::Erf
        | Known::Erfc
        | Known::Exp
        | Known::Exp10
        | Known::Exp2
        | Known::Expm1
        | Known::Abs
        | Known::Dim
        | Known::Floor
        | Known::Fma
        | Known::Max
        | Known::Min
        | Known::Mod
        | Known::Hypot
        | Known::Ldexp
        | Known::Lgamma
        | Known::Log
        | Known::Log10
        | Known::Log1p
        | Known::Log2
        | Known::Nextafter
        | Known::Pow
        | Known::Remainder
        | Known::Round
        | Known::Rsqrt
        | Known::Sin
        | Known::Sinh
        | Known::Sqrt
        | Known::Tan
        | Known::Tanh
        | Known::Tgamma
        | Known::Trunc
        | Known::IsGreater
        | Known::IsGreaterEqual
        | Known::IsLess
        | Known::IsLessEqual
        | Known::IsLessGreater
        | Known::IsUnordered
        | Known::IsFinite
        | Known::IsInf
        | Known::IsNan
        | Known::IsNormal
        | Known::SignBit => function.stem(),
        Known::ComplexExp
        | Known::SinCos
        | Known::Turn
        | Known::TurnQuarter
        | Known::TurnSin
        | Known::TurnCos
        | Known::Print
        | Known::IsInfSign
        | Known::PopCount
        | Known::Parity
        | Known::LeadingZeros
        | Known::TrailingZeros
        | Known::FirstSet
        | Known::ByteSwap
        | Known::Trap
        | Known::Fence
        | Known::LevelPosition
        | Known::Reciprocal
        | Known::Quotient
        | Known::LevelSize => return None,
    })
}

/// A function that passes do not know: of complex numbers, or of the device.
fn by_name(p: &mut FunctionPrinter<'_>, op: &Call, operands: &[Value]) -> Result<Option<Printed>> {
    let name = &*op.callee(p.ctx);
    let one = |p: &mut FunctionPrinter<'_>, z: Value| p.take_fixed(z).map(|z| z.text);
    let text = match (name, operands) {
        // What is not the host, and devices behind OpenCL (OpenACC 3.4, section 3.2.20).
        ("acc_on_device", [kind]) => {
            let kind = one(p, *kind)?;
            format!("({kind} == {ACC_DEVICE_NOT_HOST} || {kind} == {ACC_DEVICE_OPENCL})")
        }
        // OpenMP 5.2, section 18.7.5.
        ("omp_is_initial_device", []) => "0".to_string(),
        // The runtime defines it (18.7.4).
        ("omp_get_device_num", []) => "ACCRUE_DEVICE_NUM".to_string(),
        ("creal" | "crealf", [z]) => format!("{}.re", one(p, *z)?),
        ("cimag" | "cimagf", [z]) => format!("{}.im", one(p, *z)?),
        ("cabs" | "cabsf", [z]) => {
            let z = one(p, *z)?;
            format!("hypot({z}.re, {z}.im)")
        }
        ("carg" | "cargf", [z]) => {
            let z = one(p, *z)?;
            format!("atan2({z}.im, {z}.re)")
        }
        ("conj" | "conjf", [z]) => {
            let ty = p.type_name(z.get_type(p.ctx))?;
            format!("{ty}_conj({})", one(p, *z)?)
        }
        ("cexp" | "cexpf" | "clog" | "clogf" | "csqrt" | "csqrtf", [z]) => {
            let function = name[1..].trim_end_matches('f');
            let ty = p.type_name(z.get_type(p.ctx))?;
            format!("{ty}_{function}({})", one(p, *z)?)
        }
        ("lround" | "lroundf" | "llround" | "llroundf", [x]) => {
            format!("(long)round({})", one(p, *x)?)
        }
        ("lrint" | "lrintf" | "llrint" | "llrintf", [x]) => format!("(long)rint({})", one(p, *x)?),
        ("logb" | "logbf", [x]) => format!("logb({})", one(p, *x)?),
        ("scalbn" | "scalbnf", [x, n]) => format!("ldexp({}, {})", one(p, *x)?, one(p, *n)?),
        ("frexp" | "frexpf", [x, to]) => format!("frexp({}, {})", one(p, *x)?, one(p, *to)?),
        ("modf" | "modff", [x, to]) => format!("modf({}, {})", one(p, *x)?, one(p, *to)?),
        _ => return Ok(None),
    };
    Ok(Some(Printed::Expr(Expr::of(text, Prec::Primary, &[]))))
}

/// A call of `printf`: OpenCL C takes literals only, as the format and for `%s`, and does not count what it prints.
fn print(
    p: &mut FunctionPrinter<'_>,
    op: &Call,
    format: Value,
    arguments: &[Value],
) -> Result<Printed> {
    let ctx = p.ctx;
    let results = results_of(ctx, op.get_operation());
    if results.iter().any(|result| result.is_used(ctx)) {
        return Err(Diagnostic::error(
            "`printf` does not give the number of characters on OpenCL devices; count on the host",
        ));
    }
    let literal = |p: &FunctionPrinter<'_>, value| {
        p.string_literal(value).ok_or_else(|| {
            Diagnostic::error(
                "`printf` takes literals only on OpenCL devices, as the format and for `%s`; use a call for each text",
            )
        })
    };
    let mut passed = vec![literal(p, format)?];
    for argument in arguments {
        let ty = argument.get_type(ctx);
        passed.push(match pointee_of(ctx, ty) {
            Some(to) if int_width(ctx, to) == Some(8) => literal(p, *argument)?,
            Some(_) | None => p.take(*argument)?.whole(),
        });
    }
    p.statement(format!("printf({});", passed.join(", ")))?;
    Ok(Printed::Done)
}

/// A call of a function from outside.
pub fn call(p: &mut FunctionPrinter<'_>, op: &Call, function: &Extern) -> Result<Printed> {
    let ctx = p.ctx;
    let unknown = || {
        Diagnostic::error(format!(
            "OpenCL devices have no function `{}`",
            op.callee(ctx)
        ))
    };
    let operands = operands_of(ctx, op.get_operation());
    let Some(known) = function.known else {
        for print in [
            strings::print,
            strings::print_of_memory,
            strings::print_text,
        ] {
            if let Some(printed) = print(p, op)? {
                return Ok(printed);
            }
        }
        let made = by_name(p, op, &operands)?;
        return made.ok_or_else(unknown);
    };
    match (known, operands.as_slice()) {
        (Known::Print, [format, arguments @ ..]) => return print(p, op, *format, arguments),
        (Known::ComplexExp, [_]) => return by_name(p, op, &operands)?.ok_or_else(unknown),
        (Known::Fence, []) => {
            p.statement("accrue_fence();".to_string())?;
            return Ok(Printed::Done);
        }
        (Known::SinCos, [angle, sine, cosine]) => {
            let angle = p.take_fixed(*angle)?.whole();
            for (function, to) in [("sin", sine), ("cos", cosine)] {
                let object = p.take(*to)?.object().text;
                p.statement(format!("{object} = {function}({angle});"))?;
            }
            return Ok(Printed::Done);
        }
        _ => {}
    }
    // Some are for all types, as `signbit` is.
    let first = operands.first().map(|value| value.get_type(ctx));
    let floats = function.float_width(ctx);
    let floats = floats.or_else(|| float_width(ctx, first?));
    let width = operands
        .first()
        .and_then(|v| int_width(ctx, v.get_type(ctx)));
    if let (Some(name), Some(32 | 64)) = (of_floats(known), floats) {
        let args = p.take_operands(op.get_operation())?;
        let text: Vec<String> = args.iter().map(Expr::whole).collect();
        let parts: Vec<&Expr> = args.iter().collect();
        let call = format!("{name}({})", text.join(", "));
        return Ok(Printed::Expr(Expr::of(call, Prec::Unary, &parts)));
    }
    let [value] = operands.as_slice() else {
        return Err(unknown());
    };
    let results = results_of(ctx, op.get_operation());
    let ty = match results.first() {
        Some(result) => p.type_name(result.get_type(ctx))?,
        None => return Ok(Printed::Done),
    };
    let takes_float = float_width(ctx, value.get_type(ctx)).is_some();
    let value = p.take_simple(*value)?;
    let x = value.whole();
    let text = match (known, width) {
        (Known::IsInfSign, None) if takes_float => {
            format!("(isinf({x}) ? (signbit({x}) ? -1 : 1) : 0)")
        }
        (Known::Turn, None) if takes_float => format!("({ty})accrue_turn({x})"),
        (Known::TurnSin, Some(64)) => format!("as_float2({x}).x"),
        (Known::TurnCos, Some(64)) => format!("as_float2({x}).y"),
        (Known::Abs, Some(32 | 64)) => format!("({ty})abs({x})"),
        (Known::PopCount, Some(32)) => format!("({ty})popcount((uint){})", value.at(Prec::Unary)),
        (Known::PopCount, Some(64)) => format!("({ty})popcount((ulong){})", value.at(Prec::Unary)),
        (Known::Parity, Some(32)) => {
            format!("({ty})(popcount((uint){}) & 1)", value.at(Prec::Unary))
        }
        (Known::Parity, Some(64)) => {
            format!("({ty})(popcount((ulong){}) & 1)", value.at(Prec::Unary))
        }
        (Known::LeadingZeros, Some(32)) => format!("({ty})clz((uint){})", value.at(Prec::Unary)),
        (Known::LeadingZeros, Some(64)) => format!("({ty})clz((ulong){})", value.at(Prec::Unary)),
        (Known::TrailingZeros, Some(bits @ (32 | 64))) => format!("({ty})accrue_ctz{bits}({x})"),
        (Known::FirstSet, Some(bits @ (32 | 64))) => {
            let some = value.at(Prec::Unary);
            format!("({some} != 0 ? ({ty})accrue_ctz{bits}({x}) + 1 : 0)")
        }
        (Known::ByteSwap, Some(16)) => {
            format!("({ty})rotate((ushort){}, (ushort)8)", value.at(Prec::Unary))
        }
        (Known::ByteSwap, Some(bits @ (32 | 64))) => format!("({ty})accrue_bswap{bits}({x})"),
        _ => return Err(unknown()),
    };
    Ok(Printed::Expr(Expr::of(text, Prec::Unary, &[&value])))
}
