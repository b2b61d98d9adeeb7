//! Powers with small exponents, by products and roots instead of `pow`, which is a hundred operations long.
//!
//! A product's rounding error is another number of the same type, which a fused product and sum gives. So powers are computed with numbers
//! of two parts, `high + low`, and rounded once at the end:
//!
//! ```text
//! pow(x, 6):   h = x·x,  l = fma(x, x, -h)                      x² = h + l
//!              c = h·x,  d = fma(l, x, fma(h, x, -c))           x³ = c + d
//!              p = c·c,  e = fma(c, d, fma(c, d, fma(c, c, -p)))
//!              |e| < |p| ? p + e : p                            of zeros, infinities and NaN the first part says what they are
//! ```
//!
//! A negative exponent starts at the reciprocal, with what its rounding leaves: nothing overflows that the power does not. Errors are below 1.5
//! units in the last place for integers and 1.85 for halves, in both precisions (10^6 random numbers for each of 18 exponents beside the power with
//! 113 bits, and special values), with results that are subnormal.
//!
//! Cost: five operations per product.

use accrue_dialects::core::{BinKind, CmpKind, Known, Un, UnKind, emit::Emitter};
use pliron::{builtin::ops::ModuleOp, r#type::Typed, value::Value};

use super::{float, plus_zero, unless_minus_infinity};
use crate::gpu::sincos::{library_call, library_call_as};

/// Products that an integer power may need: with more, `pow` is as short.
const MOST_PRODUCTS: u32 = 6;

/// Whether `exponent` is an integer whose power takes few products.
pub(super) fn is_short(exponent: f64) -> bool {
    let size = exponent.abs();
    size.fract() == 0.0 && (2.0..=64.0).contains(&size) && products(size as u32) <= MOST_PRODUCTS
}

fn products(exponent: u32) -> u32 {
    exponent.ilog2() + exponent.count_ones() - 1
}

/// `x` to the power of an integer that [`is_short`].
pub(super) fn integer(e: &mut Emitter, module: ModuleOp, x: Value, exponent: f64) -> Value {
    let mut powers = Powers { e, module };
    let base = match exponent < 0.0 {
        true => powers.reciprocal(x),
        false => Parts { high: x, low: None },
    };
    let exponent = exponent.abs() as u32;
    let mut power = base;
    for bit in (0..exponent.ilog2()).rev() {
        power = powers.product(power, power);
        if exponent >> bit & 1 == 1 {
            power = powers.product(power, base);
        }
    }
    powers.whole(power)
}

/// `x` to the power of 2.5.
pub(super) fn square_and_root(e: &mut Emitter, module: ModuleOp, x: Value) -> Value {
    let positive = plus_zero(e, x);
    let mut powers = Powers { e, module };
    let (high, low) = (x, None);
    let square = powers.product(Parts { high, low }, Parts { high, low });
    let high = library_call(powers.e, module, Known::Sqrt, positive);
    let power = powers.product(square, Parts { high, low });
    let whole = powers.whole(power);
    unless_minus_infinity(e, x, whole, f64::INFINITY)
}

/// `x` to the power of -1.5.
pub(super) fn reciprocal_root_cubed(e: &mut Emitter, module: ModuleOp, x: Value) -> Value {
    let mut powers = Powers { e, module };
    let root = library_call(powers.e, module, Known::Sqrt, x);
    let (of_root, of_number) = (powers.reciprocal(root), powers.reciprocal(x));
    let power = powers.product(of_number, of_root);
    let whole = powers.whole(power);
    unless_minus_infinity(e, x, whole, 0.0)
}

/// A number and what is left of it when it is rounded, if anything.
#[derive(Clone, Copy)]
struct Parts {
    high: Value,
    low: Option<Value>,
}

struct Powers<'e, 'c> {
    e: &'e mut Emitter<'c>,
    module: ModuleOp,
}

impl Powers<'_, '_> {
    fn product(&mut self, x: Parts, y: Parts) -> Parts {
        let high = self.e.bin(BinKind::FMul, x.high, y.high);
        let minus = self.negative(high);
        let mut low = self.fma(x.high, y.high, minus);
        for (whole, part) in [(x.high, y.low), (y.high, x.low)] {
            if let Some(part) = part {
                low = self.fma(whole, part, low);
            }
        }
        Parts {
            high,
            low: Some(low),
        }
    }

    fn reciprocal(&mut self, x: Value) -> Parts {
        let ty = x.get_type(self.e.ctx);
        let one = float(self.e, ty, 1.0);
        let high = self.e.bin(BinKind::FDiv, one, x);
        let minus = self.negative(high);
        let left = self.fma(minus, x, one);
        let low = self.e.bin(BinKind::FMul, left, high);
        Parts {
            high,
            low: Some(low),
        }
    }

    /// Both parts as one number. Where the first one is zero or no number, the other part is none of its.
    fn whole(&mut self, Parts { high, low }: Parts) -> Value {
        let Some(low) = low else { return high };
        let [size, rest] =
            [high, low].map(|part| library_call(self.e, self.module, Known::Abs, part));
        let is_part = self.e.cmp(CmpKind::FLt, rest, size);
        let sum = self.e.bin(BinKind::FAdd, high, low);
        self.e.select(is_part, sum, high)
    }

    fn fma(&mut self, x: Value, y: Value, z: Value) -> Value {
        let ty = x.get_type(self.e.ctx);
        library_call_as(self.e, self.module, Known::Fma, &[x, y, z], ty)
    }

    fn negative(&mut self, x: Value) -> Value {
        self.e.make(|c| Un::new(c, UnKind::FNeg, x))
    }
}
