//! Floating-point instructions against the definition of rounding.
//!
//! A result is rounded right when the exact value lies where the rounding mode says between the result and its neighbours.
//! The exact value is a sum of doubles (products are split into two), whose sign is found without error by Shewchuk's
//! expansions. The simulator computes directed rounding in integers: another way.

mod instruction;
#[path = "instruction/random.rs"]
mod random;

use instruction::run;
use random::Random;
use std::cmp::Ordering;

const COUNT: usize = 2048;

/// `a + b` and its error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// Sign of the exact sum.
fn sign(terms: &[f64]) -> Ordering {
    let mut expansion: Vec<f64> = Vec::new();
    for term in terms {
        let mut carry = *term;
        for part in &mut expansion {
            (carry, *part) = two_sum(carry, *part);
        }
        expansion.push(carry);
    }
    let largest = expansion
        .iter()
        .rev()
        .find(|p| **p != 0.0)
        .copied()
        .unwrap_or(0.0);
    largest.partial_cmp(&0.0).unwrap()
}

fn product(a: f64, b: f64) -> [f64; 2] {
    [a * b, a.mul_add(b, -(a * b))]
}

/// A floating-point format, as the tests see it.
struct Format {
    name: &'static str,
    bits: u32,
    to_f64: fn(u64) -> f64,
    /// Exponent field of random operands, so that exact sums of doubles do not underflow.
    fields: std::ops::Range<u64>,
    fraction: u32,
}

const FORMATS: [Format; 3] = [
    Format {
        name: "f16",
        bits: 16,
        to_f64: half,
        fields: 0..31,
        fraction: 10,
    },
    Format {
        name: "f32",
        bits: 32,
        to_f64: |b| f64::from(f32::from_bits(b as u32)),
        fields: 0..255,
        fraction: 23,
    },
    Format {
        name: "f64",
        bits: 64,
        to_f64: f64::from_bits,
        fields: 900..1150,
        fraction: 52,
    },
];

fn half(bits: u64) -> f64 {
    let (field, fraction) = (bits >> 10 & 31, (bits & 1023) as f64);
    let magnitude = match field {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(field as i32 - 25),
    };
    if bits >> 15 & 1 != 0 {
        -magnitude
    } else {
        magnitude
    }
}

impl Format {
    fn operand(&self, random: &mut Random, other: u64) -> u64 {
        let fraction = random.next() & ((1 << self.fraction) - 1);
        let fraction = match random.next() % 4 {
            0 => fraction & !((1 << (self.fraction / 2)) - 1),
            _ => fraction,
        };
        let spread = self.fields.end - self.fields.start;
        let middle = (other >> self.fraction) & (self.fields.end.next_power_of_two() - 1);
        // Often near the other operand's exponent, so that the rounding is not always the same.
        let field = match random.next() % 2 {
            0 => self.fields.start + random.next() % spread,
            _ => (middle + random.next() % 8).clamp(self.fields.start, self.fields.end - 1),
        };
        (random.next() & 1) << (self.bits - 1) | field << self.fraction | fraction
    }

    /// The neighbour of a finite value in direction of plus or minus infinity; infinity beyond the largest.
    fn next(&self, bits: u64, up: bool) -> u64 {
        let sign = 1 << (self.bits - 1);
        let negative = bits & sign != 0;
        match (bits & !sign == 0, negative == up) {
            (true, _) => {
                if up {
                    1
                } else {
                    sign | 1
                }
            }
            (false, true) => bits - 1,
            (false, false) => bits + 1,
        }
    }
}

/// Whether `r` is right, when `compare(x)` gives how the exact value stands to `x`.
fn rounded(format: &Format, mode: &str, r: u64, compare: &dyn Fn(&[f64]) -> Ordering) -> bool {
    let value = |bits| (format.to_f64)(bits);
    let x = value(r);
    if !x.is_finite() {
        // Overflow: tested where the exact value is compared with the largest number.
        return true;
    }
    let (down, up) = (value(format.next(r, false)), value(format.next(r, true)));
    let below = || {
        compare(&[x]) != Ordering::Less && (up.is_infinite() || compare(&[up]) == Ordering::Less)
    };
    let above = || {
        compare(&[x]) != Ordering::Greater
            && (down.is_infinite() || compare(&[down]) == Ordering::Greater)
    };
    match mode {
        "rm" => below(),
        "rp" => above(),
        "rz" if compare(&[0.0]) == Ordering::Less => above(),
        "rz" => below(),
        _ => {
            // Half way to the neighbours is a tie, which goes to the even one.
            let even = r & 1 == 0;
            let to_up = if up.is_infinite() {
                Ordering::Less
            } else {
                compare(&[x / 2.0, up / 2.0])
            };
            let to_down = if down.is_infinite() {
                Ordering::Greater
            } else {
                compare(&[x / 2.0, down / 2.0])
            };
            (to_up == Ordering::Less || to_up == Ordering::Equal && even)
                && (to_down == Ordering::Greater || to_down == Ordering::Equal && even)
        }
    }
}

#[test]
fn rounding() {
    let mut random = Random(7);
    for format in &FORMATS {
        let modes: &[&str] = if format.bits == 16 {
            &["rn"]
        } else {
            &["rn", "rz", "rm", "rp"]
        };
        let names: &[&str] = if format.bits == 16 {
            &["add", "sub", "mul", "fma"]
        } else {
            &["add", "sub", "mul", "fma", "div", "sqrt", "rcp"]
        };
        for name in names {
            for mode in modes {
                let arity = match *name {
                    "fma" => 3,
                    "sqrt" | "rcp" => 1,
                    _ => 2,
                };
                let operands: Vec<[u64; 3]> = (0..COUNT)
                    .map(|_| {
                        let a = format.operand(&mut random, 0);
                        let b = format.operand(&mut random, a);
                        [
                            if *name == "sqrt" {
                                a & !(1 << (format.bits - 1))
                            } else {
                                a
                            },
                            b,
                            format.operand(&mut random, a),
                        ]
                    })
                    .collect();
                let ty = format.name;
                let list = ["%d, %a;", "%d, %a, %b;", "%d, %a, %b, %c;"][arity - 1];
                let instruction = format!("{name}.{mode}.{ty} {list}");
                let out = run(&instruction, ty, &[ty, ty, ty][..arity], &operands);
                for (x, r) in operands.iter().zip(out) {
                    let [a, b, c] = x.map(|v| (format.to_f64)(v));
                    let compare = |y: &[f64]| {
                        // The sign of the exact result minus the sum of `y`; a quotient and a root are multiplied out.
                        let minus = |terms: &[f64]| {
                            let mut all = terms.to_vec();
                            all.extend(y.iter().map(|v| -v));
                            sign(&all)
                        };
                        match *name {
                            "add" => minus(&[a, b]),
                            "sub" => minus(&[a, -b]),
                            "mul" => minus(&product(a, b)),
                            "fma" => minus(&[product(a, b)[0], product(a, b)[1], c]),
                            "sqrt" => {
                                let total: f64 = y.iter().sum();
                                if total < 0.0 {
                                    return Ordering::Greater;
                                }
                                let squares: Vec<f64> = y
                                    .iter()
                                    .flat_map(|u| y.iter().flat_map(|v| product(*u, *v)))
                                    .collect();
                                let mut all = vec![a];
                                all.extend(squares.iter().map(|v| -v));
                                sign(&all)
                            }
                            _ => {
                                let (n, d) = if *name == "rcp" { (1.0, a) } else { (a, b) };
                                let mut all = vec![n];
                                all.extend(y.iter().flat_map(|v| product(*v, d)).map(|v| -v));
                                let s = sign(&all);
                                if d < 0.0 { s.reverse() } else { s }
                            }
                        }
                    };
                    let divisor = match *name {
                        "rcp" => a,
                        "div" => b,
                        _ => 1.0,
                    };
                    if divisor == 0.0 {
                        continue;
                    }
                    assert!(
                        rounded(format, mode, r, &compare),
                        "{instruction} of {x:x?} gave {r:x}"
                    );
                }
            }
        }
    }
}
