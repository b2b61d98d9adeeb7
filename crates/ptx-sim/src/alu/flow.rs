//! Where bits that nobody has written go: which instructions only move them, and which depend on them.
//!
//! A copy of a struct copies its padding, and a bit-field is written by reading the bytes that it lies in. Neither uses what
//! nobody has written; an addition or comparison would.
//!
//! ```text
//! ld.u64   %rd1, [%rd9];          bits 32..63 were never written
//! and.b64  %rd2, %rd1, 255;       none of them is in the result
//! st.u64   [%rd8], %rd1;          the upper half there counts as never written
//! ```

use super::{Alu, Registers, Row, ZERO_ROW};
use crate::ast::Ty;

/// How the result's bits depend on those of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Any unknown bit of an operand makes the result worthless.
    Use,
    Copy,
    And,
    Or,
    Xor,
    /// By a number of bits that is known.
    ShiftLeft(Ty),
    ShiftRight(Ty),
    /// Between integers.
    Convert(Ty, Ty),
    Select,
    Pack,
    Unpack,
}

impl Flow {
    /// The flow of an instruction without modifiers.
    pub fn of(name: &str, types: &[Ty]) -> Flow {
        match (name, types) {
            (_, [Ty::Pred, ..]) => Flow::Use,
            ("mov" | "not", _) => Flow::Copy,
            ("and", _) => Flow::And,
            ("or", _) => Flow::Or,
            ("xor", _) => Flow::Xor,
            ("shl", [ty]) => Flow::ShiftLeft(*ty),
            ("shr", [ty]) => Flow::ShiftRight(*ty),
            ("selp", _) => Flow::Select,
            ("cvt", [to, from]) if !to.float() && !from.float() => Flow::Convert(*to, *from),
            _ => Flow::Use,
        }
    }
}

/// The lowest bits.
fn low(bits: u32) -> u64 {
    u64::MAX.checked_shr(64 - bits).unwrap_or(0)
}

/// The bits, the highest repeated upwards.
fn signed(x: u64, ty: Ty) -> i64 {
    let above = 64 - ty.bits().min(64);
    (x << above) as i64 >> above
}

/// The unknown bits of the result, from those of the operands `a`, `b`, `c`, `x`; `None` in lanes that depend on some.
pub fn spread(r: &Registers, i: &Alu, unknown: &[Row; 4]) -> [Option<u64>; 32] {
    let (a, b) = (r.src(i.a), r.src(i.b));
    let picks_a = r.pred(i.p);
    std::array::from_fn(|l| {
        let [ua, ub, uc, ux] = unknown.each_ref().map(|row| row[l]);
        if ua | ub | uc | ux == 0 {
            return Some(0);
        }
        let shift = b[l] as u32;
        match i.flow {
            Flow::Use => None,
            Flow::Copy => Some(ua),
            Flow::And => Some(ua & ub | ua & b[l] | ub & a[l]),
            Flow::Or => Some(ua & ub | ua & !b[l] | ub & !a[l]),
            Flow::Xor => Some(ua | ub),
            Flow::ShiftLeft(_) | Flow::ShiftRight(_) if ub != 0 => None,
            Flow::ShiftLeft(ty) => Some(ua.checked_shl(shift).unwrap_or(0) & low(ty.bits())),
            Flow::ShiftRight(ty) if ty.signed() => {
                Some((signed(ua, ty) >> shift.min(63)) as u64 & low(ty.bits()))
            }
            Flow::ShiftRight(_) => Some(ua.checked_shr(shift).unwrap_or(0)),
            Flow::Convert(to, from) => {
                let from_bits = ua & low(from.bits());
                let wide = if from.signed() {
                    signed(from_bits, from) as u64
                } else {
                    from_bits
                };
                Some(wide & low(to.bits()))
            }
            Flow::Select => Some(if picks_a >> l & 1 != 0 { ua } else { ub }),
            Flow::Pack => Some(ua & low(i.imm) | ub << i.imm),
            Flow::Unpack => Some(ua >> (i.imm & 0xff) & low(i.imm >> 8)),
        }
    })
}

/// The unknown bits of registers, by row. Hardly ever there are any.
pub struct Unknown<O> {
    rows: Vec<(usize, Box<Row>, O)>,
}

impl<O> Default for Unknown<O> {
    fn default() -> Self {
        Unknown { rows: Vec::new() }
    }
}

impl<O: Clone> Unknown<O> {
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The unknown bits of a row, and where they come from.
    pub fn get(&self, row: usize) -> Option<(&Row, &O)> {
        let (_, bits, origin) = self.rows.iter().find(|(r, ..)| *r == row)?;
        Some((bits, origin))
    }

    /// The lanes of a row have these unknown bits now.
    pub fn set(&mut self, row: usize, lanes: u32, bits: &Row, origin: O) {
        let at = self.rows.iter().position(|(r, ..)| *r == row);
        let mut all = at.map_or(ZERO_ROW, |at| *self.rows[at].1);
        for l in (0..32).filter(|l| lanes >> l & 1 != 0) {
            all[l] = bits[l];
        }
        match at {
            Some(at) if all == ZERO_ROW => {
                self.rows.swap_remove(at);
            }
            Some(at) => self.rows[at] = (row, Box::new(all), origin),
            None if all == ZERO_ROW => {}
            None => self.rows.push((row, Box::new(all), origin)),
        }
    }

    /// All bits of the lanes of a row are known now.
    pub fn clear(&mut self, row: usize, lanes: u32) {
        if let Some((_, _, origin)) = self.rows.iter().find(|(r, ..)| *r == row) {
            let origin = origin.clone();
            self.set(row, lanes, &ZERO_ROW, origin);
        }
    }

    /// Forgets rows from this one on: a function's registers begin there.
    pub fn forget_from(&mut self, row: usize) {
        self.rows.retain(|(r, ..)| *r < row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_say_how_bits_go() {
        assert_eq!(Flow::of("mov", &[Ty::B64]), Flow::Copy);
        assert_eq!(Flow::of("and", &[Ty::Pred]), Flow::Use);
        assert_eq!(Flow::of("add", &[Ty::U32]), Flow::Use);
        assert_eq!(Flow::of("cvt", &[Ty::F32, Ty::U32]), Flow::Use);
    }

    #[test]
    fn signs_are_repeated() {
        assert_eq!(signed(0x80, Ty::S8) as u64, 0xffff_ffff_ffff_ff80);
        assert_eq!((low(0), low(8), low(64)), (0, 255, u64::MAX));
    }

    #[test]
    fn rows_come_and_go() {
        let mut unknown = Unknown::default();
        unknown.set(3, 0b11, &[7; 32], ());
        unknown.clear(3, 0b01);
        assert_eq!(
            unknown.get(3).map(|(bits, ())| (bits[0], bits[1], bits[2])),
            Some((0, 7, 0))
        );
        unknown.clear(3, 0b10);
        assert!(unknown.is_empty());
    }
}
