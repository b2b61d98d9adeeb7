//! `min` and `max` of floating-point numbers (PTX ISA 9.7.3.11, 9.7.3.12).

use super::float::{Mods, canonical};
use super::half::half_run;
use super::half::{half_enter, halves};
use super::{Alu, AluFn, Registers};
use crate::{
    ast::Ty,
    soft::{self, BF16, F16},
};

/// The smaller of two; a NaN gives way to a number, -0 is below +0.
macro_rules! least {
    ($a:expr, $b:expr, $less:expr, $negative:expr) => {{
        let (a, b) = ($a, $b);
        if a.is_nan() {
            b
        } else if b.is_nan() {
            a
        } else if a == b {
            if a.is_sign_negative() == $negative {
                a
            } else {
                b
            }
        } else if $less(a, b) {
            a
        } else {
            b
        }
    }};
}

/// `min` or `max`.
pub fn extreme(ty: Ty, max: bool) -> Option<AluFn> {
    fn single<const MAX: bool>(r: &mut Registers, i: &Alu, active: u32) {
        let mods = Mods::decode(i.imm);
        r.bin::<f32, f32>(i, active, |a, b| {
            let (a, b) = (mods.enter(a), mods.enter(b));
            if mods.nan && (a.is_nan() || b.is_nan()) {
                return canonical(f32::NAN);
            }
            mods.leave(if MAX {
                least!(a, b, |a, b| a > b, false)
            } else {
                least!(a, b, |a, b| a < b, true)
            })
        });
    }
    fn double<const MAX: bool>(r: &mut Registers, i: &Alu, active: u32) {
        r.bin::<f64, f64>(i, active, |a, b| {
            if MAX {
                least!(a, b, |a, b| a > b, false)
            } else {
                least!(a, b, |a, b| a < b, true)
            }
        });
    }
    pub(super) fn half<const BF: bool, const PAIR: bool>(r: &mut Registers, i: &Alu, active: u32) {
        half_extreme::<BF, PAIR, false>(r, i, active);
    }
    fn half_max<const BF: bool, const PAIR: bool>(r: &mut Registers, i: &Alu, active: u32) {
        half_extreme::<BF, PAIR, true>(r, i, active);
    }
    Some(match (ty, max) {
        (Ty::F32, false) => single::<false>,
        (Ty::F32, true) => single::<true>,
        (Ty::F64, false) => double::<false>,
        (Ty::F64, true) => double::<true>,
        (Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2, false) => half_run!(ty, half),
        (Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2, true) => half_run!(ty, half_max),
        _ => return None,
    })
}

fn half_extreme<const BF: bool, const PAIR: bool, const MAX: bool>(
    r: &mut Registers,
    i: &Alu,
    active: u32,
) {
    let mods = Mods::decode(i.imm);
    let format = if BF { BF16 } else { F16 };
    r.bin::<u32, u32>(i, active, |a, b| {
        halves::<PAIR>([a, b, 0], |x| {
            let [a, b, _] = x.map(|v| half_enter(v, format, mods));
            let (x, y) = (soft::widen(a, format), soft::widen(b, format));
            if (mods.nan && (x.is_nan() || y.is_nan())) || (x.is_nan() && y.is_nan()) {
                return format.nan();
            }
            let least = if MAX {
                least!(x, y, |a, b| a > b, false)
            } else {
                least!(x, y, |a, b| a < b, true)
            };
            if least.to_bits() == x.to_bits() { a } else { b }
        })
    });
}
