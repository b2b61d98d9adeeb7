//! Floating-point arithmetic (PTX ISA 9.7.3, 9.7.4).
//!
//! Rounding to nearest is the host's; the other modes are computed in integers (`soft`). `Alu::imm` holds the modifiers as
//! `Mods` encodes them; the plain case has a loop of its own without them.

use super::half::half_run;
use super::half::{half_enter, half_leave, halves};
use super::{Alu, AluFn, Registers, Row, ZERO_ROW, op};
use crate::{
    ast::Ty,
    soft::{self, BF16, F16, F32, F64, Format, Round},
};

/// Modifiers of a floating-point instruction, in `Alu::imm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mods {
    pub round: Round,
    pub ftz: bool,
    pub sat: bool,
    /// `.NaN` of `min` and `max`.
    pub nan: bool,
}

impl Mods {
    pub fn encode(self) -> u32 {
        let round = match self.round {
            Round::Near => 0,
            Round::Zero => 1,
            Round::Down => 2,
            Round::Up => 3,
        };
        round | u32::from(self.ftz) << 2 | u32::from(self.sat) << 3 | u32::from(self.nan) << 4
    }

    #[inline(always)]
    pub fn decode(imm: u32) -> Mods {
        let round = match imm & 3 {
            0 => Round::Near,
            1 => Round::Zero,
            2 => Round::Down,
            _ => Round::Up,
        };
        Mods {
            round,
            ftz: imm & 4 != 0,
            sat: imm & 8 != 0,
            nan: imm & 16 != 0,
        }
    }

    #[inline(always)]
    pub(super) fn enter(self, x: f32) -> f32 {
        if self.ftz { flush(x) } else { x }
    }

    #[inline(always)]
    pub(super) fn leave(self, x: f32) -> f32 {
        let x = if self.ftz { flush(x) } else { x };
        canonical(if self.sat { saturate(x) } else { x })
    }
}

/// A subnormal number becomes a zero of its sign.
#[inline(always)]
pub fn flush(x: f32) -> f32 {
    if x.abs() < f32::MIN_POSITIVE {
        f32::from_bits(x.to_bits() & 0x8000_0000)
    } else {
        x
    }
}

/// Into [0, 1]; NaN becomes 0.
pub fn saturate(x: f32) -> f32 {
    if x > 0.0 { x.min(1.0) } else { 0.0 }
}

/// Single-precision operations give one NaN only. The test is on the bits: which NaN a number is does not count for Rust, so
/// that `is_nan` could be optimised away.
#[inline(always)]
pub(super) fn canonical(x: f32) -> f32 {
    let bits = x.to_bits();
    let nan = bits & 0x7fff_ffff > f32::INFINITY.to_bits();
    f32::from_bits(if nan { 0x7fff_ffff } else { bits })
}

/// A double-precision operation on the host. A NaN is computed again by `soft`, which knows the one that GPUs give; that is
/// not in the first loop, which the compiler can then make of vector instructions.
#[inline(always)]
fn doubles<const N: usize>(
    r: &mut Registers,
    i: &Alu,
    active: u32,
    native: impl Fn([f64; N]) -> f64,
    soft: impl Fn([u64; N]) -> u64,
) {
    let sources = [i.a, i.b, i.c];
    let rows: [&Row; N] = std::array::from_fn(|n| r.src(sources[n]));
    let mut out = ZERO_ROW;
    let mut nan = false;
    for l in 0..32 {
        out[l] = native(rows.map(|row| f64::from_bits(row[l]))).to_bits();
        nan |= soft::is_nan(out[l], F64);
    }
    if nan {
        for l in 0..32 {
            if soft::is_nan(out[l], F64) {
                out[l] = soft(rows.map(|row| row[l]));
            }
        }
    }
    r.put(i.d, active, &out);
}

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

pub(super) fn bits_of(x: f32) -> u64 {
    u64::from(x.to_bits())
}

/// An operation on two values at `$ty`: `$native` rounds to nearest on the host's types, `$soft` in any mode.
macro_rules! binary {
    ($ty:expr, $imm:expr, $native:expr, $soft:path) => {
        match ($ty, $imm) {
            (Ty::F32, 0) => op!(bin<f32, f32>, |a, b| canonical($native(a, b))),
            (Ty::F32, _) => {
                fn run(r: &mut Registers, i: &Alu, active: u32) {
                    let mods = Mods::decode(i.imm);
                    r.bin::<f32, f32>(i, active, |a, b| {
                        let (a, b) = (mods.enter(a), mods.enter(b));
                        mods.leave(match mods.round {
                            Round::Near => $native(a, b),
                            mode => f32_of($soft(bits_of(a), bits_of(b), F32, mode)),
                        })
                    });
                }
                run
            }
            (Ty::F64, 0) => |r, i, active| {
                doubles(
                    r,
                    i,
                    active,
                    |[a, b]| $native(a, b),
                    |[a, b]| $soft(a, b, F64, Round::Near),
                )
            },
            (Ty::F64, _) => {
                fn run(r: &mut Registers, i: &Alu, active: u32) {
                    let mode = Mods::decode(i.imm).round;
                    r.bin::<u64, u64>(i, active, |a, b| $soft(a, b, F64, mode));
                }
                run
            }
            (Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2, _) => {
                fn run<const BF: bool, const PAIR: bool>(r: &mut Registers, i: &Alu, active: u32) {
                    let mods = Mods::decode(i.imm);
                    let format = if BF { BF16 } else { F16 };
                    r.bin::<u32, u32>(i, active, |a, b| {
                        halves::<PAIR>([a, b, 0], |x| {
                            let [a, b, _] = x.map(|v| half_enter(v, format, mods));
                            half_leave($soft(a, b, format, Round::Near), format, mods)
                        })
                    });
                }
                half_run!($ty, run)
            }
            _ => return None,
        }
    };
}

pub fn add(ty: Ty, imm: u32) -> Option<AluFn> {
    Some(binary!(ty, imm, |a, b| a + b, soft::add))
}

pub fn sub(ty: Ty, imm: u32) -> Option<AluFn> {
    fn soft_sub(a: u64, b: u64, format: Format, mode: Round) -> u64 {
        soft::sub(a, b, format, mode)
    }
    Some(binary!(ty, imm, |a, b| a - b, soft_sub))
}

pub fn mul(ty: Ty, imm: u32) -> Option<AluFn> {
    Some(binary!(ty, imm, |a, b| a * b, soft::mul))
}

pub fn div(ty: Ty, imm: u32) -> Option<AluFn> {
    if !matches!(ty, Ty::F32 | Ty::F64) {
        return None;
    }
    Some(binary!(ty, imm, |a, b| a / b, soft::div))
}

pub fn fma(ty: Ty, imm: u32) -> Option<AluFn> {
    Some(match (ty, imm) {
        (Ty::F32, 0) => op!(ter<f32, f32>, |a, b, c| canonical(a.mul_add(b, c))),
        (Ty::F32, _) => {
            fn run(r: &mut Registers, i: &Alu, active: u32) {
                let mods = Mods::decode(i.imm);
                r.ter::<f32, f32>(i, active, |a, b, c| {
                    let (a, b, c) = (mods.enter(a), mods.enter(b), mods.enter(c));
                    mods.leave(match mods.round {
                        Round::Near => a.mul_add(b, c),
                        mode => f32_of(soft::fma(bits_of(a), bits_of(b), bits_of(c), F32, mode)),
                    })
                });
            }
            run
        }
        (Ty::F64, 0) => |r, i, active| {
            doubles(
                r,
                i,
                active,
                |[a, b, c]| a.mul_add(b, c),
                |[a, b, c]| soft::fma(a, b, c, F64, Round::Near),
            )
        },
        (Ty::F64, _) => {
            fn run(r: &mut Registers, i: &Alu, active: u32) {
                let mode = Mods::decode(i.imm).round;
                r.ter::<u64, u64>(i, active, |a, b, c| soft::fma(a, b, c, F64, mode));
            }
            run
        }
        (Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2, _) => {
            fn run<const BF: bool, const PAIR: bool>(r: &mut Registers, i: &Alu, active: u32) {
                let mods = Mods::decode(i.imm);
                let format = if BF { BF16 } else { F16 };
                r.ter::<u32, u32>(i, active, |a, b, c| {
                    halves::<PAIR>([a, b, c], |x| {
                        let [a, b, c] = x.map(|v| half_enter(v, format, mods));
                        half_leave(soft::fma(a, b, c, format, Round::Near), format, mods)
                    })
                });
            }
            half_run!(ty, run)
        }
        _ => return None,
    })
}

/// An operation on one value.
macro_rules! unary {
    ($ty:expr, $imm:expr, $single:path, $double:path, $soft:expr) => {
        match ($ty, $imm) {
            (Ty::F32, 0) => op!(un<f32, f32>, |a| canonical($single(a))),
            (Ty::F32, _) => {
                fn run(r: &mut Registers, i: &Alu, active: u32) {
                    let mods = Mods::decode(i.imm);
                    r.un::<f32, f32>(i, active, |a| {
                        let a = mods.enter(a);
                        mods.leave(match mods.round {
                            Round::Near => $single(a),
                            mode => f32_of($soft(bits_of(a), F32, mode)),
                        })
                    });
                }
                run
            }
            (Ty::F64, 0) => |r, i, active| {
                doubles(r, i, active, |[a]| $double(a), |[a]| $soft(a, F64, Round::Near))
            },
            (Ty::F64, _) => {
                fn run(r: &mut Registers, i: &Alu, active: u32) {
                    let mode = Mods::decode(i.imm).round;
                    r.un::<u64, u64>(i, active, |a| $soft(a, F64, mode));
                }
                run
            }
            _ => return None,
        }
    };
}

pub fn sqrt(ty: Ty, imm: u32) -> Option<AluFn> {
    Some(unary!(ty, imm, f32::sqrt, f64::sqrt, soft::sqrt))
}

pub fn rcp(ty: Ty, imm: u32) -> Option<AluFn> {
    fn one_over(a: u64, format: Format, mode: Round) -> u64 {
        soft::div(
            soft::from_integer(false, 1, format, Round::Near),
            a,
            format,
            mode,
        )
    }
    Some(unary!(ty, imm, f32::recip, f64::recip, one_over))
}

/// `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`: the low word of argument and result is zero, of a NaN too.
pub fn coarse(f: fn(f64) -> f64) -> Option<AluFn> {
    fn cut(x: f64) -> f64 {
        f64::from_bits(x.to_bits() & !0xffff_ffff)
    }
    pub(super) fn flush(x: f64) -> f64 {
        f64::from_bits(soft::flush(x.to_bits(), F64))
    }
    pub(super) fn leave(x: f64) -> u64 {
        if x.is_nan() {
            0x7fff_ffff_0000_0000
        } else {
            flush(cut(x)).to_bits()
        }
    }
    fn reciprocal(r: &mut Registers, i: &Alu, active: u32) {
        r.un::<f64, u64>(i, active, |a| leave(1.0 / flush(cut(a))));
    }
    fn root(r: &mut Registers, i: &Alu, active: u32) {
        r.un::<f64, u64>(i, active, |a| leave(1.0 / flush(cut(a)).sqrt()));
    }
    Some(if f(4.0) == 0.25 { reciprocal } else { root })
}

/// The approximations of single precision. They are computed in double precision and rounded, so that they are closer than
/// the hardware's (2 ulp; absolute error 2^-20.5 for `sin`/`cos`, 2^-22.6 for `lg2`).
pub fn approximate(name: &str) -> Option<AluFn> {
    macro_rules! approximation {
        ($f:expr) => {{
            fn run(r: &mut Registers, i: &Alu, active: u32) {
                let mods = Mods::decode(i.imm);
                r.un::<f32, f32>(i, active, |a| {
                    mods.leave($f(f64::from(mods.enter(a))) as f32)
                });
            }
            run as AluFn
        }};
    }
    Some(match name {
        "rsqrt" => approximation!(|a: f64| 1.0 / a.sqrt()),
        "sin" => approximation!(|a: f64| a.sin()),
        "cos" => approximation!(|a: f64| a.cos()),
        "lg2" => approximation!(|a: f64| a.log2()),
        "ex2" => approximation!(|a: f64| a.exp2()),
        "tanh" => approximation!(|a: f64| a.tanh()),
        _ => return None,
    })
}

/// `rsqrt.approx.f64`.
pub fn rsqrt64() -> AluFn {
    op!(un<f64, f64>, |a| 1.0 / a.sqrt())
}

/// `ex2` and `tanh` of halves.
pub fn approximate_half(name: &str, ty: Ty) -> Option<AluFn> {
    fn ex2<const BF: bool, const PAIR: bool>(r: &mut Registers, i: &Alu, active: u32) {
        half_function::<BF, PAIR>(r, i, active, f64::exp2);
    }
    fn tanh<const BF: bool, const PAIR: bool>(r: &mut Registers, i: &Alu, active: u32) {
        half_function::<BF, PAIR>(r, i, active, f64::tanh);
    }
    Some(match name {
        "ex2" => half_run!(ty, ex2),
        "tanh" => half_run!(ty, tanh),
        _ => return None,
    })
}

fn half_function<const BF: bool, const PAIR: bool>(
    r: &mut Registers,
    i: &Alu,
    active: u32,
    f: fn(f64) -> f64,
) {
    let mods = Mods::decode(i.imm);
    let format = if BF { BF16 } else { F16 };
    r.un::<u32, u32>(i, active, |a| {
        halves::<PAIR>([a, 0, 0], |[a, _, _]| {
            let x = f(soft::widen(half_enter(a, format, mods), format));
            let rounded = soft::convert(x.to_bits(), F64, format, Round::Near);
            half_leave(rounded, format, mods)
        })
    });
}

/// `abs` and `neg` are additions to zero in the hardware: with them a NaN becomes what every operation makes of it, and keeps
/// its sign in double precision.
macro_rules! sign_change {
    ($ty:expr, $imm:expr, $single:expr, $bits:expr) => {
        match ($ty, $imm) {
            (Ty::F32, 0) => op!(un<f32, f32>, |a| canonical($single(a))),
            (Ty::F32, _) => op!(un<f32, f32>, |a| canonical($single(flush(a)))),
            (Ty::F64, _) => op!(un<u64, u64>, |a| change_sign(a, F64, $bits)),
            (Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2, _) => {
                fn run<const BF: bool, const PAIR: bool>(r: &mut Registers, i: &Alu, active: u32) {
                    let mods = Mods::decode(i.imm);
                    let format = if BF { BF16 } else { F16 };
                    r.un::<u32, u32>(i, active, |a| {
                        halves::<PAIR>([a, 0, 0], |[a, _, _]| {
                            change_sign(half_enter(a, format, mods), format, $bits)
                        })
                    });
                }
                half_run!($ty, run)
            }
            _ => return None,
        }
    };
}

/// `change` gets the bits and the sign's bit.
#[inline(always)]
fn change_sign(a: u64, format: Format, change: impl FnOnce(u64, u64) -> u64) -> u64 {
    if soft::is_nan(a, format) {
        soft::pass_nan([a], format)
    } else {
        change(a, format.sign(true))
    }
}

pub fn abs(ty: Ty, imm: u32) -> Option<AluFn> {
    Some(sign_change!(ty, imm, f32::abs, |a, sign| a & !sign))
}

pub fn neg(ty: Ty, imm: u32) -> Option<AluFn> {
    Some(sign_change!(ty, imm, |a: f32| -a, |a, sign| a ^ sign))
}

/// The sign of `a` on `b`.
pub fn copysign(ty: Ty) -> Option<AluFn> {
    Some(match ty {
        Ty::F32 => op!(bin<f32, f32>, |a, b| b.copysign(a)),
        Ty::F64 => op!(bin<f64, f64>, |a, b| b.copysign(a)),
        _ => return None,
    })
}
