//! Arithmetic of halves (`f16`, `bf16`), one or two in a register: each half is taken out, worked on in integers and put back.

use super::float::{Mods, bits_of, saturate};
use crate::soft::{self, F32, Format, Round};

macro_rules! half_run {
    ($ty:expr, $run:ident) => {
        match $ty {
            Ty::F16 => $run::<false, false>,
            Ty::F16x2 => $run::<false, true>,
            Ty::Bf16 => $run::<true, false>,
            _ => $run::<true, true>,
        }
    };
}

pub(super) use half_run;

/// Applies `f` to the low half of each operand, and to the high halves.
#[inline(always)]
pub(super) fn halves<const PAIR: bool>(x: [u32; 3], f: impl Fn([u64; 3]) -> u64) -> u32 {
    let low = f(x.map(|v| u64::from(v & 0xffff))) as u32;
    if PAIR {
        low | (f(x.map(|v| u64::from(v >> 16))) as u32) << 16
    } else {
        low
    }
}

pub(super) fn half_enter(x: u64, format: Format, mods: Mods) -> u64 {
    if mods.ftz { soft::flush(x, format) } else { x }
}

pub(super) fn half_leave(x: u64, format: Format, mods: Mods) -> u64 {
    let x = half_enter(x, format, mods);
    if mods.sat {
        let value = saturate(soft::widen(x, format) as f32);
        return soft::convert(bits_of(value), F32, format, Round::Near);
    }
    x
}
