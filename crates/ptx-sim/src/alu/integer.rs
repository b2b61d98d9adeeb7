//! Integer arithmetic (PTX ISA 9.7.1, 9.7.2), moves.

use super::bits::bits;
use super::{Alu, AluFn, Registers, op};
use crate::{ast::Ty, memory::same_window};

/// One operation at the integer type that `$ty` names.
macro_rules! ints {
    ($ty:expr, $method:ident, $f:expr) => {
        match $ty {
            Ty::U16 | Ty::B16 => op!($method<u16, u16>, $f),
            Ty::S16 => op!($method<i16, i16>, $f),
            Ty::U32 | Ty::B32 => op!($method<u32, u32>, $f),
            Ty::S32 => op!($method<i32, i32>, $f),
            Ty::U64 | Ty::B64 => op!($method<u64, u64>, $f),
            Ty::S64 => op!($method<i64, i64>, $f),
            _ => return None,
        }
    };
}

pub fn add(ty: Ty) -> Option<AluFn> {
    Some(ints!(ty, bin, |a, b| a.wrapping_add(b)))
}

pub fn add_sat() -> AluFn {
    op!(bin<i32, i32>, |a, b| a.saturating_add(b))
}

pub fn sub(ty: Ty) -> Option<AluFn> {
    Some(ints!(ty, bin, |a, b| a.wrapping_sub(b)))
}

pub fn sub_sat() -> AluFn {
    op!(bin<i32, i32>, |a, b| a.saturating_sub(b))
}

pub fn mul_lo(ty: Ty) -> Option<AluFn> {
    Some(ints!(ty, bin, |a, b| a.wrapping_mul(b)))
}

pub fn mul_hi(ty: Ty) -> Option<AluFn> {
    Some(match ty {
        Ty::U16 => op!(bin<u16, u16>, |a, b| ((u32::from(a) * u32::from(b)) >> 16) as u16),
        Ty::S16 => op!(bin<i16, i16>, |a, b| ((i32::from(a) * i32::from(b)) >> 16) as i16),
        Ty::U32 => op!(bin<u32, u32>, |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32),
        Ty::S32 => op!(bin<i32, i32>, |a, b| ((i64::from(a) * i64::from(b)) >> 32) as i32),
        Ty::U64 => op!(bin<u64, u64>, |a, b| ((u128::from(a) * u128::from(b)) >> 64) as u64),
        Ty::S64 => op!(bin<i64, i64>, |a, b| ((i128::from(a) * i128::from(b)) >> 64) as i64),
        _ => return None,
    })
}

pub fn mul_wide(ty: Ty) -> Option<AluFn> {
    Some(match ty {
        Ty::U16 => op!(bin<u16, u32>, |a, b| u32::from(a) * u32::from(b)),
        Ty::S16 => op!(bin<i16, i32>, |a, b| i32::from(a) * i32::from(b)),
        Ty::U32 => op!(bin<u32, u64>, |a, b| u64::from(a) * u64::from(b)),
        Ty::S32 => op!(bin<i32, i64>, |a, b| i64::from(a) * i64::from(b)),
        _ => return None,
    })
}

pub fn mad_lo(ty: Ty) -> Option<AluFn> {
    Some(ints!(ty, ter, |a, b, c| a.wrapping_mul(b).wrapping_add(c)))
}

pub fn mad_hi(ty: Ty) -> Option<AluFn> {
    Some(match ty {
        Ty::U16 => {
            op!(ter<u16, u16>, |a, b, c| (((u32::from(a) * u32::from(b)) >> 16) as u16).wrapping_add(c))
        }
        Ty::S16 => {
            op!(ter<i16, i16>, |a, b, c| (((i32::from(a) * i32::from(b)) >> 16) as i16).wrapping_add(c))
        }
        Ty::U32 => {
            op!(ter<u32, u32>, |a, b, c| (((u64::from(a) * u64::from(b)) >> 32) as u32).wrapping_add(c))
        }
        Ty::S32 => {
            op!(ter<i32, i32>, |a, b, c| (((i64::from(a) * i64::from(b)) >> 32) as i32).wrapping_add(c))
        }
        Ty::U64 => {
            op!(ter<u64, u64>, |a, b, c| (((u128::from(a) * u128::from(b)) >> 64) as u64).wrapping_add(c))
        }
        Ty::S64 => {
            op!(ter<i64, i64>, |a, b, c| (((i128::from(a) * i128::from(b)) >> 64) as i64).wrapping_add(c))
        }
        _ => return None,
    })
}

pub fn mad_hi_sat() -> AluFn {
    op!(ter<i32, i32>, |a, b, c| (((i64::from(a) * i64::from(b)) >> 32) as i32).saturating_add(c))
}

pub fn mad_wide(ty: Ty) -> Option<AluFn> {
    Some(match ty {
        Ty::U16 => op!(wide<u16, u32>, |a, b, c| (u32::from(a) * u32::from(b)).wrapping_add(c)),
        Ty::S16 => op!(wide<i16, i32>, |a, b, c| (i32::from(a) * i32::from(b)).wrapping_add(c)),
        Ty::U32 => op!(wide<u32, u64>, |a, b, c| (u64::from(a) * u64::from(b)).wrapping_add(c)),
        Ty::S32 => op!(wide<i32, i64>, |a, b, c| (i64::from(a) * i64::from(b)).wrapping_add(c)),
        _ => return None,
    })
}

/// The low 24 bits as a signed number.
fn low24(x: i32) -> i64 {
    i64::from(x << 8 >> 8)
}

pub fn mul24(ty: Ty, high: bool) -> Option<AluFn> {
    Some(match (ty, high) {
        (Ty::U32, false) => op!(bin<u32, u32>, |a, b| (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff)),
        (Ty::U32, true) => {
            op!(bin<u32, u32>, |a, b| ((u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)) >> 16) as u32)
        }
        (Ty::S32, false) => op!(bin<i32, i32>, |a, b| (low24(a) * low24(b)) as i32),
        (Ty::S32, true) => op!(bin<i32, i32>, |a, b| ((low24(a) * low24(b)) >> 16) as i32),
        _ => return None,
    })
}

pub fn mad24(ty: Ty, high: bool) -> Option<AluFn> {
    Some(match (ty, high) {
        (Ty::U32, false) => {
            op!(ter<u32, u32>, |a, b, c| (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff).wrapping_add(c))
        }
        (Ty::U32, true) => op!(ter<u32, u32>, |a, b, c| {
            (((u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)) >> 16) as u32).wrapping_add(c)
        }),
        (Ty::S32, false) => {
            op!(ter<i32, i32>, |a, b, c| ((low24(a) * low24(b)) as i32).wrapping_add(c))
        }
        (Ty::S32, true) => {
            op!(ter<i32, i32>, |a, b, c| (((low24(a) * low24(b)) >> 16) as i32).wrapping_add(c))
        }
        _ => return None,
    })
}

/// Division by zero gives all ones, as NVIDIA's GPUs do (the ISA leaves it open).
pub fn div(ty: Ty) -> Option<AluFn> {
    Some(ints!(ty, bin, |a, b| if b == 0 {
        !0
    } else {
        a.wrapping_div(b)
    }))
}

/// The remainder of a division by zero is all ones too, as measured on an H200 (the ISA leaves it open).
pub fn rem(ty: Ty) -> Option<AluFn> {
    Some(ints!(ty, bin, |a, b| if b == 0 {
        !0
    } else {
        a.wrapping_rem(b)
    }))
}

pub fn min(ty: Ty) -> Option<AluFn> {
    Some(ints!(ty, bin, |a, b| a.min(b)))
}

pub fn max(ty: Ty) -> Option<AluFn> {
    Some(ints!(ty, bin, |a, b| a.max(b)))
}

pub fn sad(ty: Ty) -> Option<AluFn> {
    Some(ints!(ty, ter, |a, b, c| c.wrapping_add(if a < b {
        b.wrapping_sub(a)
    } else {
        a.wrapping_sub(b)
    })))
}

pub fn abs(ty: Ty) -> Option<AluFn> {
    Some(match ty {
        Ty::S16 => op!(un<i16, i16>, |a| a.wrapping_abs()),
        Ty::S32 => op!(un<i32, i32>, |a| a.wrapping_abs()),
        Ty::S64 => op!(un<i64, i64>, |a| a.wrapping_abs()),
        _ => return None,
    })
}

pub fn neg(ty: Ty) -> Option<AluFn> {
    Some(match ty {
        Ty::S16 => op!(un<i16, i16>, |a| a.wrapping_neg()),
        Ty::S32 => op!(un<i32, i32>, |a| a.wrapping_neg()),
        Ty::S64 => op!(un<i64, i64>, |a| a.wrapping_neg()),
        _ => return None,
    })
}

pub fn mov(ty: Ty) -> Option<AluFn> {
    Some(bits!(ty, un, |a| a))
}

/// Dot products of bytes: `dp4a`; `Alu::imm` bit 0: `a` is signed, bit 1: `b` is.
pub fn dp4a() -> AluFn {
    fn run(r: &mut Registers, i: &Alu, active: u32) {
        let (sa, sb) = (i.imm & 1 != 0, i.imm & 2 != 0);
        let part = |x: u32, n: u32, signed: bool| {
            let byte = (x >> (8 * n)) as u8;
            if signed {
                i64::from(byte as i8)
            } else {
                i64::from(byte)
            }
        };
        r.ter::<u32, u32>(i, active, |a, b, c| {
            (0..4).fold(c, |sum, n| {
                sum.wrapping_add((part(a, n, sa) * part(b, n, sb)) as u32)
            })
        });
    }
    run
}

pub fn addc(ty: Ty) -> Option<AluFn> {
    Some(match ty.bits() {
        32 => op!(carried<u32>, |a, b, c| {
            let (x, o1) = a.overflowing_add(b);
            let (x, o2) = x.overflowing_add(u32::from(c));
            (x, o1 | o2)
        }),
        64 => op!(carried<u64>, |a, b, c| {
            let (x, o1) = a.overflowing_add(b);
            let (x, o2) = x.overflowing_add(u64::from(c));
            (x, o1 | o2)
        }),
        _ => return None,
    })
}

/// Subtraction; the carry flag says that there was a borrow.
pub fn subc(ty: Ty) -> Option<AluFn> {
    Some(match ty.bits() {
        32 => op!(carried<u32>, |a, b, c| {
            let (x, o1) = a.overflowing_sub(b);
            let (x, o2) = x.overflowing_sub(u32::from(c));
            (x, o1 | o2)
        }),
        64 => op!(carried<u64>, |a, b, c| {
            let (x, o1) = a.overflowing_sub(b);
            let (x, o2) = x.overflowing_sub(u64::from(c));
            (x, o1 | o2)
        }),
        _ => return None,
    })
}

/// `isspacep`: whether the address is in the window of `b`.
pub fn in_window(r: &mut Registers, i: &Alu, active: u32) {
    let (a, b) = (r.src(i.a), r.src(i.b));
    let mut bits = 0;
    for l in 0..32 {
        bits |= u32::from(same_window(a[l], b[l])) << l;
    }
    r.put_pred(i.d, active, bits);
}
