//! `cvt`: every number type to every other (PTX ISA 9.7.9.21).
//!
//! A conversion goes: number of the source type → (rounded to an integral value) → number of the destination type → extended
//! to the width of the register. The common ones have a loop of their own.

use super::{Alu, AluFn, Lane, Registers, float::Mods, float::flush, float::saturate, op};
use crate::{
    ast::Ty,
    soft::{self, BF16, F16, F32, F64, Format, Round},
};

/// A conversion, as the decoder describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    pub to: Ty,
    pub from: Ty,
    /// `.rni`, `.rzi`, `.rmi`, `.rpi`: rounding to an integral value.
    pub integral: Option<Round>,
    pub mods: Mods,
    /// Width of the destination register in bits.
    pub width: u32,
}

/// Numbers of the types in `Alu::imm`.
const TYPES: [Ty; 12] = [
    Ty::U8,
    Ty::U16,
    Ty::U32,
    Ty::U64,
    Ty::S8,
    Ty::S16,
    Ty::S32,
    Ty::S64,
    Ty::F16,
    Ty::Bf16,
    Ty::F32,
    Ty::F64,
];

impl Conversion {
    fn encode(self) -> Option<u32> {
        let index = |ty: Ty| TYPES.iter().position(|t| *t == ty).map(|i| i as u32);
        let integral = match self.integral {
            None => 0,
            Some(round) => {
                4 | Mods {
                    round,
                    ftz: false,
                    sat: false,
                    nan: false,
                }
                .encode()
            }
        };
        Some(
            index(self.to)?
                | index(self.from)? << 4
                | integral << 8
                | self.mods.encode() << 12
                | (self.width / 16 - 1) << 20,
        )
    }

    #[inline(always)]
    fn decode(imm: u32) -> Conversion {
        let integral = imm >> 8 & 7;
        Conversion {
            to: TYPES[(imm & 15).min(11) as usize],
            from: TYPES[(imm >> 4 & 15).min(11) as usize],
            integral: (integral & 4 != 0).then(|| Mods::decode(integral & 3).round),
            mods: Mods::decode(imm >> 12 & 31),
            width: ((imm >> 20 & 3) + 1) * 16,
        }
    }
}

/// The function for a conversion and its `Alu::imm`.
pub fn decode(c: Conversion) -> Option<(AluFn, u32)> {
    let imm = c.encode()?;
    let plain = Mods {
        round: Round::Near,
        ftz: false,
        sat: false,
        nan: false,
    };
    let toward_zero = c.integral == Some(Round::Zero) && c.mods == plain;
    let fast: AluFn = match (c.to, c.from, c.width) {
        (Ty::S64, Ty::S32, 64) if c.mods == plain => op!(un<i32, i64>, i64::from),
        (Ty::U64, Ty::U32, 64) if c.mods == plain => op!(un<u32, u64>, u64::from),
        (Ty::U32 | Ty::S32, Ty::U64 | Ty::S64, 32) if c.mods == plain => {
            op!(un<u64, u32>, |a| a as u32)
        }
        (Ty::F64, Ty::S32, 64) if c.mods == plain => op!(un<i32, f64>, f64::from),
        (Ty::F64, Ty::U32, 64) if c.mods == plain => op!(un<u32, f64>, f64::from),
        (Ty::F64, Ty::S64, 64) if c.mods == plain => op!(un<i64, f64>, |a| a as f64),
        (Ty::F32, Ty::S32, 32) if c.mods == plain => op!(un<i32, f32>, |a| a as f32),
        (Ty::F32, Ty::U32, 32) if c.mods == plain => op!(un<u32, f32>, |a| a as f32),
        (Ty::S32, Ty::F32, 32) if toward_zero => op!(un<f32, i32>, |a| a as i32),
        (Ty::S32, Ty::F64, 32) if toward_zero => {
            op!(un<f64, i32>, |a| if a.is_nan() { i32::MIN } else { a as i32 })
        }
        _ => {
            fn run(r: &mut Registers, i: &Alu, active: u32) {
                let c = Conversion::decode(i.imm);
                r.un::<u64, u64>(i, active, |a| convert(c, a));
            }
            run
        }
    };
    Some((fast, imm))
}

/// `cvt.f16x2.f32 d, a, b`: `a` goes to the high half.
pub fn pack_halves(bf: bool, round: Round) -> Option<AluFn> {
    fn run<const BF: bool, const ZERO: bool>(r: &mut Registers, i: &Alu, active: u32) {
        let format = if BF { BF16 } else { F16 };
        let mode = if ZERO { Round::Zero } else { Round::Near };
        r.bin::<u64, u64>(i, active, |a, b| {
            soft::convert(a & 0xffff_ffff, F32, format, mode) << 16
                | soft::convert(b & 0xffff_ffff, F32, format, mode)
        });
    }
    Some(match (bf, round) {
        (false, Round::Near) => run::<false, false>,
        (false, Round::Zero) => run::<false, true>,
        (true, Round::Near) => run::<true, false>,
        (true, Round::Zero) => run::<true, true>,
        (_, Round::Down | Round::Up) => return None,
    })
}

fn format(ty: Ty) -> Format {
    match ty {
        Ty::F16 => F16,
        Ty::Bf16 => BF16,
        Ty::F64 => F64,
        _ => F32,
    }
}

fn convert(c: Conversion, bits: u64) -> u64 {
    let out = match (c.from.float(), c.to.float()) {
        (false, false) => integer_to_integer(c, integer(c.from, bits)),
        (false, true) => {
            let value = integer(c.from, bits);
            let magnitude = value.unsigned_abs() as u64;
            leave_float(
                c,
                soft::from_integer(value < 0, magnitude, format(c.to), c.mods.round),
            )
        }
        (true, false) => float_to_integer(c, bits),
        (true, true) => float_to_float(c, bits),
    };
    extend(out, c.to, c.width)
}

/// The integer that the low bits of a register hold.
fn integer(ty: Ty, bits: u64) -> i128 {
    match ty {
        Ty::U8 => i128::from(bits as u8),
        Ty::U16 => i128::from(bits as u16),
        Ty::U32 => i128::from(bits as u32),
        Ty::S8 => i128::from(bits as i8),
        Ty::S16 => i128::from(bits as i16),
        Ty::S32 => i128::from(bits as i32),
        Ty::S64 => i128::from(bits as i64),
        _ => i128::from(bits),
    }
}

fn range(ty: Ty) -> (i128, i128) {
    let bits = ty.bits();
    if ty.signed() {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}

fn integer_to_integer(c: Conversion, value: i128) -> u64 {
    let (low, high) = range(c.to);
    (if c.mods.sat {
        value.clamp(low, high)
    } else {
        value
    }) as u64
}

/// A float out of range becomes the nearest integer of the type. A NaN becomes 0, but the top bit for 64-bit types.
fn float_to_integer(c: Conversion, bits: u64) -> u64 {
    let value = match c.from {
        Ty::F64 => f64::get(bits),
        Ty::F32 if c.mods.ftz => f64::from(flush(f32::get(bits))),
        Ty::F32 => f64::from(f32::get(bits)),
        ty => soft::widen(bits & 0xffff, format(ty)),
    };
    if value.is_nan() {
        let wide = c.from == Ty::F64 || c.to.bits() == 64;
        return if wide { 1 << (c.to.bits() - 1) } else { 0 };
    }
    let (low, high) = range(c.to);
    // The cast saturates; i128 holds every target type.
    (to_integral(value, c.integral.unwrap_or(Round::Zero)) as i128).clamp(low, high) as u64
}

fn to_integral(x: f64, mode: Round) -> f64 {
    match mode {
        Round::Near => x.round_ties_even(),
        Round::Zero => x.trunc(),
        Round::Down => x.floor(),
        Round::Up => x.ceil(),
    }
}

fn float_to_float(c: Conversion, bits: u64) -> u64 {
    let from = format(c.from);
    let mut bits = bits & (u64::MAX >> (64 - c.from.bits()));
    if soft::is_nan(bits, from) {
        return leave_float(c, converted_nan(c, bits));
    }
    if c.mods.ftz && c.from == Ty::F32 {
        bits = flush(f32::get(bits)).bits();
    }
    if let Some(mode) = c.integral {
        // Integral values of a format are in the format: no second rounding.
        bits = soft::convert(
            to_integral(soft::widen(bits, from), mode).to_bits(),
            F64,
            from,
            Round::Near,
        );
    }
    leave_float(c, soft::convert(bits, from, format(c.to), c.mods.round))
}

/// What becomes of a NaN, as measured on an H200; the ISA leaves it open. (Measured of conversions from double precision: the
/// positive NaNs. The sign is taken to be kept as it is to double precision.)
fn converted_nan(c: Conversion, bits: u64) -> u64 {
    let (from, to) = (format(c.from), format(c.to));
    let changes = c.integral.is_some() || c.mods.ftz || c.mods.sat;
    match (c.from, c.to) {
        // These are moves; the last one is of the upper half.
        (Ty::F32, Ty::F32) | (Ty::F64, Ty::F64) if !changes => bits,
        (Ty::Bf16, Ty::F32) if !changes => bits << 16,
        // Flushing comes first, and is an operation in single precision.
        (Ty::F32, Ty::F64) if c.mods.ftz => soft::carry_nan(from.nan(), from, to),
        (Ty::F64, _) | (_, Ty::F64) => soft::carry_nan(bits, from, to),
        _ => to.nan(),
    }
}

fn leave_float(c: Conversion, bits: u64) -> u64 {
    let mut bits = bits;
    if c.mods.ftz && c.to == Ty::F32 {
        bits = flush(f32::get(bits)).bits();
    }
    if c.mods.sat {
        bits = match c.to {
            Ty::F32 => saturate(f32::get(bits)).bits(),
            Ty::F64 => {
                let x = f64::get(bits);
                (if x > 0.0 { x.min(1.0) } else { 0.0 }).bits()
            }
            ty => {
                let x = saturate(soft::widen(bits, format(ty)) as f32);
                soft::convert(x.bits(), F32, format(ty), Round::Near)
            }
        };
    }
    bits
}

/// Sign- or zero-extends a value of a type to the width of its register.
pub fn extend(bits: u64, ty: Ty, width: u32) -> u64 {
    let mask = if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    };
    let value = match ty {
        Ty::S8 => bits as i8 as u64,
        Ty::S16 => bits as i16 as u64,
        Ty::S32 => bits as i32 as u64,
        _ if ty.bits() < 64 => bits & ((1 << ty.bits()) - 1),
        _ => bits,
    };
    value & mask
}
