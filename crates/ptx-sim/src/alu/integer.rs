//! Integer arithmetic, logic and shifts (PTX ISA 9.7.1, 9.7.2, 9.7.8).

use super::{Alu, AluFn, Registers, ZERO_ROW, op};
use crate::{ast::Ty, memory::WINDOW};

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

/// One operation at the types of 16, 32, 64 bits.
macro_rules! bits {
    ($ty:expr, $method:ident, $f:expr) => {
        match $ty.bits() {
            16 => op!($method<u16, u16>, $f),
            32 => op!($method<u32, u32>, $f),
            64 => op!($method<u64, u64>, $f),
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

pub fn and(ty: Ty) -> Option<AluFn> {
    Some(bits!(ty, bin, |a, b| a & b))
}

pub fn or(ty: Ty) -> Option<AluFn> {
    Some(bits!(ty, bin, |a, b| a | b))
}

pub fn xor(ty: Ty) -> Option<AluFn> {
    Some(bits!(ty, bin, |a, b| a ^ b))
}

pub fn not(ty: Ty) -> Option<AluFn> {
    Some(bits!(ty, un, |a| !a))
}

pub fn cnot(ty: Ty) -> Option<AluFn> {
    Some(bits!(ty, un, |a| if a == 0 { 1 } else { 0 }))
}

pub fn mov(ty: Ty) -> Option<AluFn> {
    Some(bits!(ty, un, |a| a))
}

/// Shift amounts beyond the width count as the width.
pub fn shl(ty: Ty) -> Option<AluFn> {
    Some(match ty.bits() {
        16 => op!(shift<u16>, |a, n| if n > 15 { 0 } else { a << n }),
        32 => op!(shift<u32>, |a, n| if n > 31 { 0 } else { a << n }),
        64 => op!(shift<u64>, |a, n| if n > 63 { 0 } else { a << n }),
        _ => return None,
    })
}

pub fn shr(ty: Ty) -> Option<AluFn> {
    Some(match ty {
        Ty::U16 | Ty::B16 => op!(shift<u16>, |a, n| if n > 15 { 0 } else { a >> n }),
        Ty::U32 | Ty::B32 => op!(shift<u32>, |a, n| if n > 31 { 0 } else { a >> n }),
        Ty::U64 | Ty::B64 => op!(shift<u64>, |a, n| if n > 63 { 0 } else { a >> n }),
        Ty::S16 => op!(shift<i16>, |a, n| a >> n.min(15)),
        Ty::S32 => op!(shift<i32>, |a, n| a >> n.min(31)),
        Ty::S64 => op!(shift<i64>, |a, n| a >> n.min(63)),
        _ => return None,
    })
}

/// Funnel shift: part of `b:a` (`b` is the high word).
pub fn shf(left: bool, wrap: bool) -> AluFn {
    match (left, wrap) {
        (true, true) => op!(ter<u32, u32>, |a, b, c| funnel_left(a, b, c & 31)),
        (true, false) => op!(ter<u32, u32>, |a, b, c| funnel_left(a, b, c.min(32))),
        (false, true) => op!(ter<u32, u32>, |a, b, c| funnel_right(a, b, c & 31)),
        (false, false) => op!(ter<u32, u32>, |a, b, c| funnel_right(a, b, c.min(32))),
    }
}

fn funnel_left(a: u32, b: u32, n: u32) -> u32 {
    let pair = u64::from(b) << 32 | u64::from(a);
    ((pair << n) >> 32) as u32
}

fn funnel_right(a: u32, b: u32, n: u32) -> u32 {
    let pair = u64::from(b) << 32 | u64::from(a);
    (pair >> n) as u32
}

pub fn clz(ty: Ty) -> Option<AluFn> {
    Some(match ty {
        Ty::B32 => op!(un<u32, u32>, |a| a.leading_zeros()),
        Ty::B64 => op!(un<u64, u32>, |a| a.leading_zeros()),
        _ => return None,
    })
}

pub fn popc(ty: Ty) -> Option<AluFn> {
    Some(match ty {
        Ty::B32 => op!(un<u32, u32>, |a| a.count_ones()),
        Ty::B64 => op!(un<u64, u32>, |a| a.count_ones()),
        _ => return None,
    })
}

pub fn brev(ty: Ty) -> Option<AluFn> {
    Some(match ty {
        Ty::B32 => op!(un<u32, u32>, |a| a.reverse_bits()),
        Ty::B64 => op!(un<u64, u64>, |a| a.reverse_bits()),
        _ => return None,
    })
}

/// Position of the most significant bit that is not a copy of the sign, or the distance to it from the top.
pub fn bfind(ty: Ty, shift_amount: bool) -> Option<AluFn> {
    fn find(bits: u64, width: u32, shift_amount: bool) -> u32 {
        match bits {
            0 => u32::MAX,
            _ if shift_amount => bits.leading_zeros() - (64 - width),
            _ => 63 - bits.leading_zeros(),
        }
    }
    Some(match (ty, shift_amount) {
        (Ty::U32, false) => op!(un<u32, u32>, |a| find(u64::from(a), 32, false)),
        (Ty::U32, true) => op!(un<u32, u32>, |a| find(u64::from(a), 32, true)),
        (Ty::S32, false) => {
            op!(un<i32, u32>, |a| find(u64::from((a ^ (a >> 31)) as u32), 32, false))
        }
        (Ty::S32, true) => op!(un<i32, u32>, |a| find(u64::from((a ^ (a >> 31)) as u32), 32, true)),
        (Ty::U64, false) => op!(un<u64, u32>, |a| find(a, 64, false)),
        (Ty::U64, true) => op!(un<u64, u32>, |a| find(a, 64, true)),
        (Ty::S64, false) => op!(un<i64, u32>, |a| find((a ^ (a >> 63)) as u64, 64, false)),
        (Ty::S64, true) => op!(un<i64, u32>, |a| find((a ^ (a >> 63)) as u64, 64, true)),
        _ => return None,
    })
}

/// The part of a bit field's position or length that counts. The ISA allows 0 to 255 only. Beyond, as measured on an H200,
/// the low 8 bits count for fields of 32 bits (which the hardware has instructions for); for fields of 64 bits, which are made
/// of shifts, all 32 bits do.
fn reach(x: u64, width: u64) -> u64 {
    x & if width == 64 { 0xffff_ffff } else { 0xff }
}

/// Bits `[pos, pos+len)` of `a`; beyond the top comes the sign (of the field's top bit, when it is inside).
fn extract(a: u64, pos: u64, len: u64, width: u64, signed: bool) -> u64 {
    let (pos, len) = (reach(pos, width), reach(len, width));
    let sign = signed && len > 0 && a >> (pos + len - 1).min(width - 1) & 1 != 0;
    let mut out = 0;
    for i in 0..width {
        let bit = if i < len && pos + i < width {
            a >> (pos + i) & 1 != 0
        } else {
            sign
        };
        out |= u64::from(bit) << i;
    }
    out
}

pub fn bfe(ty: Ty) -> Option<AluFn> {
    Some(match ty {
        Ty::U32 => op!(ter<u64, u32>, |a, b, c| extract(a & 0xffff_ffff, b, c, 32, false) as u32),
        Ty::S32 => op!(ter<u64, u32>, |a, b, c| extract(a & 0xffff_ffff, b, c, 32, true) as u32),
        Ty::U64 => op!(ter<u64, u64>, |a, b, c| extract(a, b, c, 64, false)),
        Ty::S64 => op!(ter<u64, u64>, |a, b, c| extract(a, b, c, 64, true)),
        _ => return None,
    })
}

/// The mask of `len` bits from position `pos`, no further than `width`.
fn field(pos: u64, len: u64, width: u64) -> u64 {
    if pos >= width || len == 0 {
        return 0;
    }
    let ones = if len >= 64 { u64::MAX } else { (1 << len) - 1 };
    let all = if width == 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    };
    ones << pos & all
}

/// `bfi`: `b` with the low `len` bits of `a` at position `pos`.
fn insert(a: u64, b: u64, pos: u64, len: u64, width: u64) -> u64 {
    let (pos, len) = (reach(pos, width), reach(len, width));
    let mask = field(pos, len, width);
    let shifted = if pos >= 64 { 0 } else { a << pos };
    b & !mask | shifted & mask
}

pub fn bfi(ty: Ty) -> Option<AluFn> {
    fn run<const WIDTH: u64>(r: &mut Registers, i: &Alu, active: u32) {
        let (a, b, c, x) = (r.src(i.a), r.src(i.b), r.src(i.c), r.src(i.x));
        let mut out = ZERO_ROW;
        for l in 0..32 {
            out[l] = insert(a[l], b[l], c[l], x[l], WIDTH);
        }
        r.put(i.d, active, &out);
    }
    match ty {
        Ty::B32 => Some(run::<32>),
        Ty::B64 => Some(run::<64>),
        _ => None,
    }
}

/// Any function of three bits; `Alu::imm` is its table.
pub fn lop3() -> AluFn {
    fn run(r: &mut Registers, i: &Alu, active: u32) {
        let table = i.imm;
        r.ter::<u64, u64>(i, active, |a, b, c| lut(a, b, c, table));
    }
    run
}

/// `Alu::imm` is the mode: 0 the general one, then f4e, b4e, rc8, ecl, ecr, rc16.
pub fn prmt() -> AluFn {
    fn run(r: &mut Registers, i: &Alu, active: u32) {
        let mode = i.imm;
        r.ter::<u32, u32>(i, active, |a, b, c| permute(a, b, c, mode));
    }
    run
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

fn lut(a: u64, b: u64, c: u64, table: u32) -> u64 {
    let mut out = 0;
    for i in 0..8 {
        if table >> i & 1 != 0 {
            let pick = |x: u64, bit: u32| if i >> bit & 1 != 0 { x } else { !x };
            out |= pick(a, 2) & pick(b, 1) & pick(c, 0);
        }
    }
    out & 0xffff_ffff
}

/// Bytes of `b:a` by selector.
fn permute(a: u32, b: u32, selector: u32, mode: u32) -> u32 {
    let pair = u64::from(b) << 32 | u64::from(a);
    let byte = |n: u32| (pair >> (8 * (n & 7))) as u32 & 0xff;
    let n = selector & 3;
    let order: [u32; 4] = match mode {
        1 => [n, n + 1, n + 2, n + 3],
        2 => [n, n.wrapping_sub(1), n.wrapping_sub(2), n.wrapping_sub(3)],
        3 => [n; 4],
        4 => [n, n.max(1), n.max(2), 3],
        5 => [0, n.min(1), n.min(2), n],
        6 => [2 * (n & 1), 2 * (n & 1) + 1, 2 * (n & 1), 2 * (n & 1) + 1],
        _ => {
            let mut out = 0;
            for i in 0..4 {
                let code = selector >> (4 * i) & 0xf;
                let mut value = byte(code);
                if code & 8 != 0 {
                    value = if value & 0x80 != 0 { 0xff } else { 0 };
                }
                out |= value << (8 * i);
            }
            return out;
        }
    };
    (0..4).fold(0, |out, i| out | byte(order[i]) << (8 * i))
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

/// `a` and, above its `Alu::imm` bits, `b`.
pub fn pack() -> AluFn {
    fn run(r: &mut Registers, i: &Alu, active: u32) {
        let n = i.imm;
        r.bin::<u64, u64>(i, active, |a, b| a & ((1 << n) - 1) | b << n);
    }
    run
}

/// Element of a packed value: `Alu::imm` is its first bit and, from bit 8 on, its width.
pub fn unpack() -> AluFn {
    fn run(r: &mut Registers, i: &Alu, active: u32) {
        let (first, width) = (i.imm & 0xff, i.imm >> 8);
        r.un::<u64, u64>(i, active, |a| a >> first & ((1 << width) - 1));
    }
    run
}

/// `isspacep`: whether the address is in the window at `b`.
pub fn in_window(r: &mut Registers, i: &Alu, active: u32) {
    let (a, b) = (r.src(i.a), r.src(i.b));
    let mut bits = 0;
    for l in 0..32 {
        bits |= u32::from(a[l] & WINDOW == b[l]) << l;
    }
    r.put_pred(i.d, active, bits);
}
