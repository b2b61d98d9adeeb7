//! Comparison, selection and predicates (PTX ISA 9.7.6, and the logic instructions on `.pred`).

use super::{Alu, AluFn, Lane, Registers, SINK, ZERO_ROW, float::flush};
use crate::{
    ast::Ty,
    soft::{self, BF16, F16},
};
use std::cmp::Ordering::{self, Equal, Greater, Less};

/// What `setp` and `set` do with the result of the comparison, in `Alu::imm`: bits 0-1 the Boolean operation with `p`, bits
/// 4-5 the kind of destination, bit 8 `.ftz`.
pub const WITH_AND: u32 = 1;
pub const WITH_OR: u32 = 2;
pub const WITH_XOR: u32 = 3;
/// `set` to all ones.
pub const TO_INTEGER: u32 = 1 << 4;
/// `set` to 1.0.
pub const TO_FLOAT: u32 = 2 << 4;
pub const FTZ: u32 = 1 << 8;

fn finish(r: &mut Registers, i: &Alu, active: u32, result: u32) {
    let with = |result: u32| match i.imm & 3 {
        0 => result,
        WITH_AND => result & r.pred(i.p),
        WITH_OR => result | r.pred(i.p),
        _ => result ^ r.pred(i.p),
    };
    let (yes, no) = (with(result), with(!result));
    let value: u64 = match i.imm & (3 << 4) {
        TO_INTEGER => 0xffff_ffff,
        TO_FLOAT => u64::from(1.0f32.to_bits()),
        _ => {
            r.put_pred(i.d, active, yes);
            if i.e != SINK {
                r.put_pred(i.e, active, no);
            }
            return;
        }
    };
    let mut out = ZERO_ROW;
    for (lane, out) in out.iter_mut().enumerate() {
        *out = if yes >> lane & 1 != 0 { value } else { 0 };
    }
    r.put(i.d, active, &out);
}

#[inline(always)]
fn compare<T: Lane>(r: &mut Registers, i: &Alu, active: u32, f: impl Fn(T, T) -> bool) {
    let (a, b) = (r.src(i.a), r.src(i.b));
    let mut result = 0;
    for l in 0..32 {
        result |= u32::from(f(T::get(a[l]), T::get(b[l]))) << l;
    }
    finish(r, i, active, result);
}

macro_rules! comparison {
    ($t:ty, $f:expr) => {{
        fn run(r: &mut Registers, i: &Alu, active: u32) {
            compare::<$t>(r, i, active, $f)
        }
        run as AluFn
    }};
}

macro_rules! comparisons {
    ($t:ty, $name:expr) => {
        match $name {
            "eq" => comparison!($t, |a, b| a == b),
            "ne" => comparison!($t, |a, b| a != b),
            "lt" | "lo" => comparison!($t, |a, b| a < b),
            "le" | "ls" => comparison!($t, |a, b| a <= b),
            "gt" | "hi" => comparison!($t, |a, b| a > b),
            "ge" | "hs" => comparison!($t, |a, b| a >= b),
            _ => return None,
        }
    };
}

/// A comparison of floating-point numbers by name: what it says of `partial_cmp`, `None` being unordered.
fn float_compare(name: &str) -> Option<fn(Option<Ordering>) -> bool> {
    Some(match name {
        "eq" => |o| o == Some(Equal),
        "ne" => |o| matches!(o, Some(Less | Greater)),
        "lt" => |o| o == Some(Less),
        "le" => |o| matches!(o, Some(Less | Equal)),
        "gt" => |o| o == Some(Greater),
        "ge" => |o| matches!(o, Some(Greater | Equal)),
        "equ" => |o| matches!(o, Some(Equal) | None),
        "neu" => |o| o != Some(Equal),
        "ltu" => |o| matches!(o, Some(Less) | None),
        "leu" => |o| o != Some(Greater),
        "gtu" => |o| matches!(o, Some(Greater) | None),
        "geu" => |o| o != Some(Less),
        "num" => |o| o.is_some(),
        "nan" => |o| o.is_none(),
        _ => return None,
    })
}

/// All the operators on one way to get at the operands as doubles.
macro_rules! float_comparisons {
    ($t:ty, $as_double:expr, $name:expr) => {{
        float_compare($name)?;
        macro_rules! one {
            ($text:literal) => {
                comparison!($t, |a, b| float_compare($text)
                    .is_some_and(|f| f($as_double(a).partial_cmp(&$as_double(b)))))
            };
        }
        match $name {
            "eq" => comparison!($t, |a, b| $as_double(a) == $as_double(b)),
            "lt" => comparison!($t, |a, b| $as_double(a) < $as_double(b)),
            "le" => comparison!($t, |a, b| $as_double(a) <= $as_double(b)),
            "gt" => comparison!($t, |a, b| $as_double(a) > $as_double(b)),
            "ge" => comparison!($t, |a, b| $as_double(a) >= $as_double(b)),
            "neu" => comparison!($t, |a, b| $as_double(a) != $as_double(b)),
            "ne" => one!("ne"),
            "equ" => one!("equ"),
            "ltu" => one!("ltu"),
            "leu" => one!("leu"),
            "gtu" => one!("gtu"),
            "geu" => one!("geu"),
            "num" => one!("num"),
            _ => one!("nan"),
        }
    }};
}

/// `setp` and `set`.
pub fn set(name: &str, ty: Ty, ftz: bool) -> Option<AluFn> {
    Some(match ty {
        Ty::B16 | Ty::B32 | Ty::B64 if !matches!(name, "eq" | "ne") => return None,
        Ty::U16 | Ty::B16 => comparisons!(u16, name),
        Ty::U32 | Ty::B32 => comparisons!(u32, name),
        Ty::U64 | Ty::B64 => comparisons!(u64, name),
        Ty::S16 => comparisons!(i16, name),
        Ty::S32 => comparisons!(i32, name),
        Ty::S64 => comparisons!(i64, name),
        Ty::F32 if ftz => float_comparisons!(f32, |x| f64::from(flush(x)), name),
        Ty::F32 => float_comparisons!(f32, f64::from, name),
        Ty::F64 => float_comparisons!(f64, f64::from, name),
        Ty::F16 if ftz => {
            float_comparisons!(
                u16,
                |x| soft::widen(soft::flush(u64::from(x), F16), F16),
                name
            )
        }
        Ty::F16 => float_comparisons!(u16, |x| soft::widen(u64::from(x), F16), name),
        Ty::Bf16 => float_comparisons!(u16, |x| soft::widen(u64::from(x), BF16), name),
        _ => return None,
    })
}

/// `selp`: `a` where the predicate holds.
pub fn select(r: &mut Registers, i: &Alu, active: u32) {
    let choose = r.pred(i.p);
    let (a, b) = (r.src(i.a), r.src(i.b));
    let mut out = ZERO_ROW;
    for l in 0..32 {
        out[l] = if choose >> l & 1 != 0 { a[l] } else { b[l] };
    }
    r.put(i.d, active, &out);
}

/// `slct`: `a` where `c` is not negative.
pub fn slct(control: Ty) -> Option<AluFn> {
    fn integer(r: &mut Registers, i: &Alu, active: u32) {
        r.ter::<u64, u64>(i, active, |a, b, c| if c as i32 >= 0 { a } else { b });
    }
    fn float(r: &mut Registers, i: &Alu, active: u32) {
        let ftz = i.imm & FTZ != 0;
        r.ter::<u64, u64>(i, active, |a, b, c| {
            let c = f32::from_bits(c as u32);
            if (if ftz { flush(c) } else { c }) >= 0.0 {
                a
            } else {
                b
            }
        });
    }
    match control {
        Ty::S32 => Some(integer),
        Ty::F32 => Some(float),
        _ => None,
    }
}

/// Logic on predicates: `d = p op q`; `not` and `mov` have `p` only.
pub fn logic(name: &str) -> Option<AluFn> {
    macro_rules! logic {
        ($f:expr) => {{
            fn run(r: &mut Registers, i: &Alu, active: u32) {
                let bits = $f(r.pred(i.p), r.pred(i.q));
                r.put_pred(i.d, active, bits);
            }
            run as AluFn
        }};
    }
    Some(match name {
        "and" => logic!(|p: u32, q: u32| p & q),
        "or" => logic!(|p: u32, q: u32| p | q),
        "xor" => logic!(|p: u32, q: u32| p ^ q),
        "not" => logic!(|p: u32, _| !p),
        "mov" => logic!(|p: u32, _| p),
        _ => return None,
    })
}

/// `testp`: a property of a number.
pub fn test(property: &str, ty: Ty) -> Option<AluFn> {
    macro_rules! test {
        ($t:ty, $f:expr) => {{
            fn run(r: &mut Registers, i: &Alu, active: u32) {
                compare::<$t>(r, i, active, |a, _| $f(a))
            }
            run as AluFn
        }};
    }
    macro_rules! tests {
        ($t:ty) => {
            match property {
                "finite" => test!($t, |a: $t| a.is_finite()),
                "infinite" => test!($t, |a: $t| a.is_infinite()),
                "number" => test!($t, |a: $t| !a.is_nan()),
                "notanumber" => test!($t, |a: $t| a.is_nan()),
                // Zeros count as normal.
                "normal" => test!($t, |a: $t| a.is_normal() || a == 0.0),
                "subnormal" => test!($t, |a: $t| a.is_subnormal()),
                _ => return None,
            }
        };
    }
    Some(match ty {
        Ty::F32 => tests!(f32),
        Ty::F64 => tests!(f64),
        _ => return None,
    })
}
