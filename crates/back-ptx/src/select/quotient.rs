//! Floating-point numbers divided by constants: a multiplication and a fused one.
//!
//! ```text
//! div.rn.f64 %q, %x, 0d4008000000000000 (3.0)    →    mul.rn.f64 %t, %x, LOW;    fma.rn.f64 %q, %x, HIGH, %t
//! ```
//! `HIGH` is the reciprocal of the divisor, cut off, and `LOW` what is missing, rounded: together they have some 2p bits, p being those of
//! the type (N. Brisebarre, J.-M. Muller and S. K. Raina, "Accelerating Correctly Rounded Floating-Point Division when the Divisor Is Known
//! in Advance", IEEE Transactions on Computers, 2004). Cut off instead of rounded, both parts have one sign: infinities and zeros come out
//! as of a division. A division is ten instructions on GPUs, and a call where exponents are far apart.
//!
//! **When the result has the same bits.** Sum and quotient are apart by less than 2^(2-2p) of the quotient. They are rounded differently
//! only if a number halfway between two of the type lies between them. Let x = X·2^a and the divisor Y·2^b, with integers of p bits and
//! Y odd and above 1. No quotient is halfway itself: for such a number N of p + 1 bits, N odd, X·2^j - N·Y is an even number without an odd
//! one. So the two are apart by d / Y, d odd, which is above 2^(2-2p) of the quotient unless |d| < Y·2^(3-p):
//!
//! - never, if Y has less than p - 3 bits: 3, 10, 255, 0.75 …;
//! - else |d| is 7 at most, and each d leaves a few X with X·2^j ≡ d (mod Y). These are tried, here. Divisors for which one of them fails
//!   stay divisions: one in thirteen of those with long significands.
//!
//! Quotients so small that `LOW`·x loses bits (below 2^-75 of `float`, 2^-900 of `double`) may be off by one unit.
//!
//! Not done: powers of two (the middle end has multiplications for them), divisors of extreme size. Cost: constant, some hundred
//! divisions at most.

use super::{function::Selector, types::Class};

/// Formats in which numbers are divided.
trait Format: Copy + PartialEq {
    /// p: of a significand, with the one that is not stored.
    const BITS: u32;
    /// Divisors are of this size at most, and of its reciprocal at least.
    fn largest_divisor() -> Self;

    /// The significand of a number that is not zero, without the zeros at its end.
    fn odd_significand(self) -> u64;
    fn from_integer(integer: u64) -> Self;
    fn size(self) -> Self;
    fn is_between(self, low: Self, high: Self) -> bool;
    fn towards_zero(self) -> Self;
    fn is_negative(self) -> bool;
    fn product(self, other: Self) -> Self;
    fn quotient(self, other: Self) -> Self;
    fn fused(self, factor: Self, addend: Self) -> Self;
    fn opposite(self) -> Self;
    fn one() -> Self;
}

macro_rules! format_of {
    ($float:ident, $bits:literal, $most:literal) => {
        impl Format for $float {
            const BITS: u32 = $bits;

            fn largest_divisor() -> Self {
                $float::powi(2.0, $most)
            }
            fn odd_significand(self) -> u64 {
                let stored = u64::from(self.to_bits()) & ((1 << ($bits - 1)) - 1);
                let whole = stored | 1 << ($bits - 1);
                whole >> whole.trailing_zeros()
            }
            fn from_integer(integer: u64) -> Self {
                integer as $float
            }
            fn size(self) -> Self {
                self.abs()
            }
            fn is_between(self, low: Self, high: Self) -> bool {
                low <= self && self <= high
            }
            fn towards_zero(self) -> Self {
                $float::from_bits(self.to_bits() - 1)
            }
            fn is_negative(self) -> bool {
                self < 0.0
            }
            fn product(self, other: Self) -> Self {
                self * other
            }
            fn quotient(self, other: Self) -> Self {
                self / other
            }
            fn fused(self, factor: Self, addend: Self) -> Self {
                self.mul_add(factor, addend)
            }
            fn opposite(self) -> Self {
                -self
            }
            fn one() -> Self {
                1.0
            }
        }
    };
}

format_of!(f32, 24, 60);
format_of!(f64, 53, 900);

/// The reciprocal of a divisor.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Reciprocal<F> {
    high: F,
    low: F,
}

impl<F: Format> Reciprocal<F> {
    /// `None` if the quotients have to be computed otherwise.
    fn of(divisor: F) -> Option<Reciprocal<F>> {
        let least = F::one().quotient(F::largest_divisor());
        if !divisor.size().is_between(least, F::largest_divisor()) || divisor.odd_significand() == 1
        {
            return None;
        }
        // What a rounded reciprocal leaves of 1 is a number of the format, as is what its neighbour leaves.
        let left = |high: F| high.opposite().fused(divisor, F::one());
        let rounded = F::one().quotient(divisor);
        let high = match left(rounded).is_negative() {
            true => rounded.towards_zero(),
            false => rounded,
        };
        let reciprocal = Reciprocal {
            high,
            low: left(high).quotient(divisor),
        };
        let same = |x: u64| {
            let x = F::from_integer(x);
            reciprocal.times(x) == x.quotient(divisor)
        };
        doubtful(F::BITS, divisor.odd_significand())
            .into_iter()
            .all(same)
            .then_some(reciprocal)
    }

    fn times(self, x: F) -> F {
        x.fused(self.high, x.product(self.low))
    }
}

/// The significands X of `bits` bits whose quotient by the odd number Y may be so close to the middle between two numbers that it is
/// rounded the other way.
fn doubtful(bits: u32, y: u64) -> Vec<u64> {
    let y = u128::from(y);
    let length = u128::BITS - y.leading_zeros();
    let least = 1u128 << (bits - 1);
    let mut found = vec![];
    // The quotient X·2^j / Y has bits + 1 bits for one of these j.
    for j in [length, length + 1] {
        let half = y.div_ceil(2);
        let power = (0..j).fold(1, |power, _| power * half % y);
        for d in (1..8).step_by(2).filter(|d| d << bits < y << 3) {
            for d in [d, y - d] {
                let first = d * power % y;
                let skipped = least.saturating_sub(first).div_ceil(y);
                let all = (first + skipped * y..2 * least).step_by(y as usize);
                found.extend(all.map(|x| x as u64));
            }
        }
    }
    found
}

impl Selector<'_> {
    /// The number in `x` divided by `by`; `None` unless that is a constant for which it is no division.
    pub(super) fn divide_by_constant(&mut self, class: Class, x: &str, by: &str) -> Option<String> {
        if self.unit.options.plain_math || !x.starts_with('%') {
            return None;
        }
        let (low, high) = match class {
            Class::F32 => {
                let bits = u32::from_str_radix(by.strip_prefix("0f")?, 16).ok()?;
                let Reciprocal { low, high } = Reciprocal::of(f32::from_bits(bits))?;
                let text = |part: f32| format!("0f{:08X}", part.to_bits());
                (text(low), text(high))
            }
            Class::F64 => {
                let bits = u64::from_str_radix(by.strip_prefix("0d")?, 16).ok()?;
                let Reciprocal { low, high } = Reciprocal::of(f64::from_bits(bits))?;
                let text = |part: f64| format!("0d{:016X}", part.to_bits());
                (text(low), text(high))
            }
            Class::Pred | Class::B16 | Class::B32 | Class::B64 => return None,
        };
        let opcode = format!("mul.rn.{}", class.name());
        let missing = self.compute(class, &opcode, &[x, &low]);
        Some(self.fma(class, x, &high, &missing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random.
    fn noise(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    /// A number with a random significand, between 1 and 2.
    fn float(state: &mut u64) -> f32 {
        f32::from_bits(0x3F80_0000 | (noise(state) >> 41) as u32)
    }

    #[test]
    fn short_divisors_are_never_doubtful() {
        for divisor in [3.0, 5.0, 6.0, 7.0, 9.0, 10.0, 100.0, 255.0, 1000.0, 0.75] {
            assert!(Reciprocal::<f32>::of(divisor as f32).is_some());
            assert!(Reciprocal::<f64>::of(-divisor).is_some());
        }
    }

    #[test]
    fn powers_of_two_and_extremes_are_left_out() {
        for divisor in [1.0, -2.0, 0.25, 0.0, f32::NAN, f32::INFINITY, 3e-38, 3e38] {
            assert_eq!(Reciprocal::of(divisor), None);
        }
    }

    /// All significands of some divisors.
    #[test]
    fn all_floats_have_the_same_bits() {
        let divisors = [3.0, 0.1, 255.0, -3.142_857, 1.0e-3, 16_777_215.0, 1.1];
        for divisor in divisors {
            let Some(reciprocal) = Reciprocal::<f32>::of(divisor) else {
                continue;
            };
            for significand in 1 << 23..1 << 24 {
                let x = significand as f32;
                assert_eq!(reciprocal.times(x), x / divisor, "{x} / {divisor}");
            }
        }
    }

    /// Many divisors; most of them have a reciprocal.
    #[test]
    fn random_numbers_have_the_same_bits() {
        let mut state = 88_172_645_463_325_252;
        let mut done = 0;
        for _ in 0..2000 {
            let divisor = float(&mut state) * 1.0e3;
            let Some(reciprocal) = Reciprocal::<f32>::of(divisor) else {
                continue;
            };
            done += 1;
            for _ in 0..200 {
                let x = float(&mut state);
                assert_eq!(reciprocal.times(x), x / divisor, "{x} / {divisor}");
            }
        }
        assert!(done > 1500, "{done}");
        let mut done = 0;
        for _ in 0..2000 {
            let divisor = f64::from_bits(0x4000_0000_0000_0000 | noise(&mut state) >> 12);
            let Some(reciprocal) = Reciprocal::<f64>::of(divisor) else {
                continue;
            };
            done += 1;
            for _ in 0..200 {
                let x = f64::from_bits(0x3FF0_0000_0000_0000 | noise(&mut state) >> 12);
                assert_eq!(reciprocal.times(x), x / divisor, "{x} / {divisor}");
            }
        }
        assert!(done > 1500, "{done}");
    }

    #[test]
    fn special_numbers_are_divided_as_usual() {
        for divisor in [3.0, -10.0, 0.1] {
            let Some(reciprocal) = Reciprocal::<f64>::of(divisor) else {
                continue;
            };
            for x in [
                0.0,
                -0.0,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::MAX,
                5e-324,
            ] {
                let (got, expected) = (reciprocal.times(x), x / divisor);
                let near = (got.to_bits() as i64 - expected.to_bits() as i64).abs() <= 1;
                assert!(near, "{x} / {divisor}");
                assert!(x.abs() == 5e-324 || got.to_bits() == expected.to_bits());
            }
            assert!(reciprocal.times(f64::NAN).is_nan());
        }
    }
}
