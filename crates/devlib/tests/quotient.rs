//! Quotients by means of a reciprocal are those of a division, bit by bit: of random numbers, of numbers whose quotients are next to the
//! middle between two numbers, and of what is left to a division.

mod support;

use support::{Call, Host};

/// Quotients of each kind.
const COUNT: u64 = 30_000;

const SIGNIFICAND: u64 = (1 << 52) - 1;

/// A sequence of numbers that look random (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Significands with all digits, with few, and next below 2.
    fn significand(&mut self) -> u64 {
        let digits = self.next() & SIGNIFICAND;
        match self.next() % 4 {
            0 => digits >> (self.next() % 52) << 1,
            1 => SIGNIFICAND - (digits >> (self.next() % 52)),
            _ => digits,
        }
    }

    fn number(&mut self, least: u64, most: u64) -> f64 {
        let exponent = least + self.next() % (most - least);
        let sign = self.next() << 63;
        f64::from_bits(sign | exponent << 52 | self.significand() & SIGNIFICAND)
    }
}

/// `(a, b)` with integers as significands so that `a * 2^54` is `m * b` but for a few: `a / b` is next to `m / 2^54`, of which
/// an odd `m` with 54 digits is in the middle between two numbers.
fn next_to_middle(b: u64, off: i64) -> Option<(f64, f64)> {
    // The inverse modulo 2^64 has twice as many digits right with each step.
    let inverse = (0..6).fold(b, |x, _| {
        x.wrapping_mul(2u64.wrapping_sub(b.wrapping_mul(x)))
    });
    let m = inverse.wrapping_mul(off as u64) & ((1 << 54) - 1);
    let a = (u128::from(m) * u128::from(b)).wrapping_sub(i128::from(off) as u128) >> 54;
    let suits = m >> 53 == 1 && a >> 51 != 0 && a >> 53 == 0;
    suits.then_some((a as f64, b as f64))
}

fn pairs() -> Vec<(f64, f64)> {
    let mut random = Random(1);
    let special = [
        0.0,
        1.0,
        3.0,
        1e-320,
        1e-300,
        1e300,
        1e-308,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
        5e-324,
        2.0f64.next_down(),
        1.0f64.next_down(),
        f64::from_bits(0x3fff_ffff_ffff_fe00),
        f64::from_bits(0x3fff_ffff_ffff_fdff),
    ];
    let mut pairs = vec![];
    for a in special {
        for b in special {
            pairs.extend([(a, b), (-a, b), (a, -b), (-a, -b)]);
        }
    }
    for _ in 0..COUNT {
        pairs.push((random.number(1, 2046), random.number(1, 2046)));
        pairs.push((random.number(1000, 1050), random.number(1000, 1050)));
        let b = random.significand() & SIGNIFICAND | 1 << 52 | 1;
        let off = random.next() % 8 * 2;
        pairs.extend(next_to_middle(b, off as i64 - 7));
    }
    pairs
}

#[test]
fn quotients_are_those_of_a_division() {
    let host = Host::build("quotient");
    let pairs = pairs();
    assert!(
        pairs.len() as u64 > 2 * COUNT + COUNT / 4,
        "few are next to the middle"
    );
    let call = |name: &str, numbers: &[f64]| Call {
        name: name.to_string(),
        arguments: numbers.iter().map(|x| x.to_bits()).collect(),
    };
    let reciprocals: Vec<Call> = pairs
        .iter()
        .map(|(_, b)| call("reciprocal", &[*b]))
        .collect();
    let reciprocals = host.run(&reciprocals);
    let reciprocals = reciprocals.iter().map(|words| f64::from_bits(words[0]));
    let known = reciprocals.clone().filter(|y| !y.is_nan()).count();
    assert!(known > pairs.len() / 2, "most are left to a division");
    let quotients: Vec<Call> = pairs
        .iter()
        .zip(reciprocals)
        .map(|((a, b), y)| call("quotient", &[*a, *b, y]))
        .collect();
    for ((a, b), words) in pairs.iter().zip(host.run(&quotients)) {
        let (got, wanted) = (f64::from_bits(words[0]), a / b);
        let same = got.to_bits() == wanted.to_bits() || got.is_nan() && wanted.is_nan();
        assert!(same, "{a:e} / {b:e} is {wanted:e}, not {got:e}");
    }
}
