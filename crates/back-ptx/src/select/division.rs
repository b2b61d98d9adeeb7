//! Division by constants: multiplications, shifts and additions, since `ptxas` makes a division of every `div` and `rem`.
//!
//! ```text
//! div.u32 %q, %x, 10                mul.hi.u32 %t, %x, 3435973837;    shr.u32 %q, %t, 3
//! rem.u32 %r, %x, 16777216    →     and.b32 %r, %x, 16777215
//! div.s64 %q, %x, 4                 shr.s64 %s, %x, 63;    shr.u64 %b, %s, 62;    add %t, %x, %b;    shr.s64 %q, %t, 2
//! ```
//! A division of 32 bits is some twenty instructions on GPUs, one of 64 bits a call of a hundred. For a divisor d and numbers of N bits
//! there is a factor m, so that the upper half of m·x, shifted, is the quotient for every x (T. Granlund and P. L. Montgomery,
//! "Division by Invariant Integers using Multiplication", PLDI 1994). A remainder is what the quotient leaves.
//!
//! Divisors that a variable holds, zero, and the least signed number are left to `div` and `rem`. Where these are of 64 bits, the numbers
//! mostly have 32 all the same, as indices of arrays do, without a sign: then the shorter division does (as LLVM's `bypassSlowDivision`
//! has it).
//!
//! ```text
//! div.s64 %q, %x, %n     →     if ((x | n) >> 32 == 0) div.u32 …, extended;  else div.s64 %q, %x, %n
//! ```
//! Cost: constant.

use super::{function::Selector, operand::Part, types::Class};
use accrue_dialects::core::IntBin;

/// How a number is divided by a constant that is no power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Factor {
    /// Of N bits.
    factor: u64,
    shift: u32,
    /// The factor has a bit more than N: the number itself is added.
    adds: bool,
}

impl Factor {
    /// The quotient of x without sign is `(factor * x >> bits) >> shift`; if it adds, `((x - high) / 2 + high) >> shift`.
    fn unsigned(bits: u32, divisor: u64) -> Factor {
        let d = u128::from(divisor);
        let most = bits_above(d - 1);
        for shift in 0..most {
            let power = 1u128 << (bits + shift);
            let factor = power.div_ceil(d);
            if factor >> bits == 0 && factor * d - power <= 1 << shift {
                return Factor {
                    factor: factor as u64,
                    shift,
                    adds: false,
                };
            }
        }
        let factor = (((1u128 << most) - d) << bits) / d + 1;
        Factor {
            factor: factor as u64,
            shift: most - 1,
            adds: true,
        }
    }

    /// The quotient of x with sign is `(factor * x >> bits) >> shift`, plus 1 if x is negative; if it adds, x is added before the
    /// shift.
    fn signed(bits: u32, divisor: u64) -> Factor {
        let d = u128::from(divisor);
        let most = bits_above(d - 1);
        let of = |shift: u32| {
            let power = 1u128 << (bits + shift);
            (power, power / d + 1)
        };
        let fits = |shift: &u32| {
            let (power, factor) = of(*shift);
            factor * d - power <= 2 << shift
        };
        let shift = (0..most).find(fits).unwrap_or(most - 1);
        let factor = of(shift).1;
        Factor {
            factor: factor as u64,
            shift,
            adds: factor >> (bits - 1) != 0,
        }
    }
}

/// How many bits a number has.
fn bits_above(number: u128) -> u32 {
    u128::BITS - number.leading_zeros()
}

/// Whether a division has a sign, and whether the quotient is asked for, not the remainder; `None` for other operations.
fn division(kind: IntBin) -> Option<(bool, bool)> {
    match kind {
        IntBin::DivS => Some((true, true)),
        IntBin::RemS => Some((true, false)),
        IntBin::DivU => Some((false, true)),
        IntBin::RemU => Some((false, false)),
        IntBin::Add
        | IntBin::AddS
        | IntBin::Sub
        | IntBin::SubS
        | IntBin::Mul
        | IntBin::MulS
        | IntBin::Shl
        | IntBin::ShrS
        | IntBin::ShrU
        | IntBin::And
        | IntBin::Or
        | IntBin::Xor
        | IntBin::MinS
        | IntBin::MaxS
        | IntBin::MinU
        | IntBin::MaxU => None,
    }
}

impl Selector<'_> {
    /// The quotient or the remainder of the number in register `x`, of 32 or 64 bits, and a constant; `None` if that is another
    /// operation, or has to be a division.
    pub(super) fn divide_by(
        &mut self,
        kind: IntBin,
        bits: u32,
        x: &str,
        by: &str,
    ) -> Option<String> {
        let divisor: i64 = by.parse().ok().filter(|_| x.starts_with('%'))?;
        let (signed, quotient) = division(kind)?;
        let mut divide = Divide {
            class: match bits {
                64 => Class::B64,
                _ => Class::B32,
            },
            bits,
            selector: self,
        };
        if !signed {
            let divisor = match bits {
                64 => divisor as u64,
                _ => u64::from(divisor as u32),
            };
            return (divisor > 0).then(|| divide.unsigned(x, divisor, quotient));
        }
        let least = -1i64 << (bits - 1);
        let usual = divisor != 0 && divisor != least;
        usual.then(|| divide.signed(x, divisor, quotient))
    }

    /// The quotient or the remainder of two numbers of 64 bits, by a division of 32 where both have no more; `None` if that is another
    /// operation.
    pub(super) fn divide_short(&mut self, kind: IntBin, x: &str, y: &str) -> Option<String> {
        let (signed, quotient) = division(kind)?;
        let name = if quotient { "div" } else { "rem" };
        let [x, y] = [x, y].map(|it| self.settle(&Part::new(Class::B64, it)));
        let both = self.compute(Class::B64, "or.b64", &[&x, &y]);
        let high = self.compute(Class::B64, "shr.u64", &[&both, "32"]);
        let high = self.compute(Class::B32, "cvt.u32.u64", &[&high]);
        let short = self.compute(Class::Pred, "setp.eq.s32", &[&high, "0"]);
        let (long, end) = (self.code.new_label(), self.code.new_label());
        self.code.branch_unless(&short, &long);
        let [low_x, low_y] =
            [&x, &y].map(|it| self.compute(Class::B32, "cvt.u32.u64", &[it.as_str()]));
        let low = self.compute(Class::B32, &format!("{name}.u32"), &[&low_x, &low_y]);
        let result = self.compute(Class::B64, "cvt.u64.u32", &[&low]);
        self.code.branch(&end);
        self.code.label(&long);
        let opcode = format!("{name}.{}64", if signed { "s" } else { "u" });
        self.code.write(&[&result], &opcode, &[&x, &y]);
        self.code.label(&end);
        Some(result)
    }
}

/// A division that is being printed.
struct Divide<'a, 'b> {
    class: Class,
    bits: u32,
    selector: &'a mut Selector<'b>,
}

impl Divide<'_, '_> {
    fn unsigned(&mut self, x: &str, divisor: u64, quotient: bool) -> String {
        if divisor.is_power_of_two() {
            return match quotient {
                true => self.op("shr.u", x, &divisor.trailing_zeros().to_string()),
                false => self.op("and.b", x, &(divisor - 1).to_string()),
            };
        }
        let Factor {
            factor,
            shift,
            adds,
        } = Factor::unsigned(self.bits, divisor);
        let mut high = self.op("mul.hi.u", x, &factor.to_string());
        if adds {
            let rest = self.op("sub.s", x, &high);
            let half = self.op("shr.u", &rest, "1");
            high = self.op("add.s", &half, &high);
        }
        let whole = self.op("shr.u", &high, &shift.to_string());
        self.finish(x, whole, &divisor.to_string(), quotient)
    }

    fn signed(&mut self, x: &str, divisor: i64, quotient: bool) -> String {
        let size = divisor.unsigned_abs();
        if size == 1 {
            return match (quotient, divisor < 0) {
                (true, true) => self.op("sub.s", "0", x),
                (true, false) => x.to_string(),
                (false, _) => self.op("and.b", x, "0"),
            };
        }
        let sign = self.op("shr.s", x, &(self.bits - 1).to_string());
        if size.is_power_of_two() {
            let places = size.trailing_zeros();
            let bias = self.op("shr.u", &sign, &(self.bits - places).to_string());
            let biased = self.op("add.s", x, &bias);
            if !quotient {
                let whole = self.op("and.b", &biased, &(-1i64 << places).to_string());
                return self.op("sub.s", x, &whole);
            }
            let whole = self.op("shr.s", &biased, &places.to_string());
            return match divisor < 0 {
                true => self.op("sub.s", "0", &whole),
                false => whole,
            };
        }
        let Factor {
            factor,
            shift,
            adds,
        } = Factor::signed(self.bits, size);
        let factor = match self.bits {
            64 => factor as i64,
            _ => i64::from(factor as i32),
        };
        let mut high = self.op("mul.hi.s", x, &factor.to_string());
        if adds {
            high = self.op("add.s", &high, x);
        }
        let shifted = self.op("shr.s", &high, &shift.to_string());
        let whole = match divisor < 0 {
            true => self.op("sub.s", &sign, &shifted),
            false => self.op("sub.s", &shifted, &sign),
        };
        self.finish(x, whole, &divisor.to_string(), quotient)
    }

    /// The quotient, or what it leaves of x.
    fn finish(&mut self, x: &str, whole: String, divisor: &str, quotient: bool) -> String {
        if quotient {
            return whole;
        }
        let product = self.op("mul.lo.s", &whole, divisor);
        self.op("sub.s", x, &product)
    }

    fn op(&mut self, name: &str, a: &str, b: &str) -> String {
        let opcode = format!("{name}{}", self.bits);
        self.selector.compute(self.class, &opcode, &[a, b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unsigned_quotient(bits: u32, x: u64, f: Factor) -> u64 {
        let mask = u64::MAX >> (64 - bits);
        let high = ((u128::from(x) * u128::from(f.factor)) >> bits) as u64;
        let high = match f.adds {
            true => ((x.wrapping_sub(high) & mask) / 2 + high) & mask,
            false => high,
        };
        high >> f.shift
    }

    fn signed_quotient(bits: u32, x: i64, f: Factor) -> i64 {
        let unused = 64 - bits;
        let narrow = |n: i64| (n << unused) >> unused;
        let factor = narrow(f.factor as i64);
        let high = ((i128::from(x) * i128::from(factor)) >> bits) as i64;
        let high = match f.adds {
            true => narrow(high.wrapping_add(x)),
            false => high,
        };
        (high >> f.shift) - (x >> 63)
    }

    #[test]
    fn all_of_eight_bits() {
        for divisor in (3..256u64).filter(|d| !d.is_power_of_two()) {
            let factor = Factor::unsigned(8, divisor);
            for x in 0..256 {
                assert_eq!(
                    unsigned_quotient(8, x, factor),
                    x / divisor,
                    "{x} / {divisor}"
                );
            }
        }
        for divisor in (3..128u64).filter(|d| !d.is_power_of_two()) {
            let factor = Factor::signed(8, divisor);
            for x in -128..128 {
                let expected = x / divisor as i64;
                assert_eq!(signed_quotient(8, x, factor), expected, "{x} / {divisor}");
            }
        }
    }

    #[test]
    fn ends_of_wide_numbers() {
        let divisors = [
            3,
            5,
            6,
            7,
            10,
            11,
            100,
            641,
            1000,
            65_537,
            6_700_417,
            2_147_483_647,
        ];
        let wide = [
            4_294_967_297,
            1_000_000_007,
            274_177,
            4_611_686_018_427_387_905,
        ];
        for bits in [32, 64] {
            let wide = wide.iter().filter(|_| bits == 64);
            for divisor in divisors.iter().chain(wide).copied() {
                let (unsigned, signed) = (
                    Factor::unsigned(bits, divisor),
                    Factor::signed(bits, divisor),
                );
                let most = u64::MAX >> (64 - bits);
                for near in [0, most / divisor, most / 2 / divisor, 12_345] {
                    for offset in 0..5 {
                        let x = near
                            .wrapping_mul(divisor)
                            .wrapping_add(offset)
                            .wrapping_sub(2)
                            & most;
                        assert_eq!(unsigned_quotient(bits, x, unsigned), x / divisor);
                        let x = ((x << (64 - bits)) as i64) >> (64 - bits);
                        assert_eq!(signed_quotient(bits, x, signed), x / divisor as i64);
                    }
                }
            }
        }
    }
}
