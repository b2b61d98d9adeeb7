//! Quotients and remainders of integers of 32 bits by means of a reciprocal.
//!
//! ```text
//! m = (2^32 - 1) / d            once, without sign
//! q = n * m / 2^32              the quotient, or one less
//! r = n - q * d                 if that is d or more: q + 1, r - d
//! ```
//! With m = 2^32 / d - e, 0 <= e < 1 (1 for d = 1), the product is n / d - n e / 2^32, less than 1 below the quotient, so that q is at most
//! one off. Numbers with a sign are divided by their sizes.
//!
//! Cost: constant.

use accrue_dialects::core::{BinKind, CastKind, CmpKind, emit::Emitter, int};
use pliron::value::Value;

/// Whether integers have a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    Signed,
    Unsigned,
}

impl Sign {
    /// Of a division or what it leaves.
    pub fn of(kind: BinKind) -> Option<Sign> {
        match kind {
            BinKind::DivS | BinKind::RemS => Some(Sign::Signed),
            BinKind::DivU | BinKind::RemU => Some(Sign::Unsigned),
            _ => None,
        }
    }
}

/// m, also of a divisor that is zero, by which nobody divides.
pub fn reciprocal(e: &mut Emitter, divisor: Value, sign: Sign) -> Value {
    let (one, all) = (e.i32(1), e.i32(-1));
    let size = size(e, divisor, sign);
    let divisor = e.bin(BinKind::MaxU, size, one);
    e.bin(BinKind::DivU, all, divisor)
}

/// The result of `kind`, of dividend, divisor and its reciprocal.
pub fn divide(
    e: &mut Emitter,
    kind: BinKind,
    sign: Sign,
    [above, below, reciprocal]: [Value; 3],
) -> Value {
    let (n, d) = (size(e, above, sign), size(e, below, sign));
    let quotient = upper_half(e, n, reciprocal);
    let product = e.bin(BinKind::Mul, quotient, d);
    let rest = e.bin(BinKind::Sub, n, product);
    let one_more = e.cmp(CmpKind::GeU, rest, d);
    let (result, is_negative) = match kind {
        BinKind::DivS | BinKind::DivU => {
            let one = e.i32(1);
            let next = e.bin(BinKind::Add, quotient, one);
            let signs = e.bin(BinKind::Xor, above, below);
            (e.select(one_more, next, quotient), signs)
        }
        _ => {
            let less = e.bin(BinKind::Sub, rest, d);
            (e.select(one_more, less, rest), above)
        }
    };
    match sign {
        Sign::Unsigned => result,
        Sign::Signed => {
            let zero = e.i32(0);
            let negative = e.cmp(CmpKind::LtS, is_negative, zero);
            let turned = e.bin(BinKind::Sub, zero, result);
            e.select(negative, turned, result)
        }
    }
}

fn size(e: &mut Emitter, number: Value, sign: Sign) -> Value {
    match sign {
        Sign::Unsigned => number,
        Sign::Signed => {
            let zero = e.i32(0);
            let turned = e.bin(BinKind::Sub, zero, number);
            e.bin(BinKind::MaxS, number, turned)
        }
    }
}

/// The upper 32 of the 64 bits of a product.
fn upper_half(e: &mut Emitter, a: Value, b: Value) -> Value {
    let (wide, narrow) = (int(e.ctx, 64), int(e.ctx, 32));
    let [a, b] = [a, b].map(|number| e.int_cast(CastKind::ZExt, number, wide));
    let product = e.bin(BinKind::Mul, a, b);
    let half = e.int(64, 32);
    let upper = e.bin(BinKind::ShrU, product, half);
    e.int_cast(CastKind::Trunc, upper, narrow)
}
