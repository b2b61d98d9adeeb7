//! Logic, shifts, bit-fields (PTX ISA 9.7.1, 9.7.8).

use super::{Alu, AluFn, Registers, ZERO_ROW, op};
use crate::ast::Ty;

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
pub(super) use bits;

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

/// `fns`: the place of the n-th set bit of `a`, from bit `b` on, upwards or (`c` negative) downwards.
pub fn fns() -> AluFn {
    fn run(r: &mut Registers, i: &Alu, active: u32) {
        r.ter::<u32, u32>(i, active, |mask, base, offset| {
            nth_set(mask, base, offset as i32).unwrap_or(u32::MAX)
        });
    }
    run
}

fn nth_set(mask: u32, base: u32, offset: i32) -> Option<u32> {
    let set = |bit: &u32| mask >> bit & 1 != 0;
    let skip = (offset.unsigned_abs() as usize).saturating_sub(1);
    match offset.signum() {
        0 => Some(base).filter(|b| *b < 32).filter(set),
        1 => (base.min(32)..32).filter(set).nth(skip),
        _ if base < 32 => (0..=base).rev().filter(set).nth(skip),
        _ => None,
    }
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
