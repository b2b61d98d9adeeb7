//! A collapsed loop's iterations, told apart without a division in each.
//!
//! Iteration k of a nest is a number whose digits are its places in the dimensions, in a system whose bases are their counts. A
//! thread's next iteration is `threads` later, so it adds the digits of `threads`, with carries, as one adds by hand:
//!
//! ```text
//! core.for k = thread to n * m step threads     [i, j] = thread / m, thread mod m;  [p, q] = threads / m, threads mod m
//!   i = k / m;  j = k mod m                →    core.for k = thread to n * m step threads
//!   …                                             here = [i, j];  carry = j >= m - q;
//!                                                 j = carry ? j - (m - q) : j + q;  i = i + p + carry
//!                                                 … at `here`
//! ```
//! The variables move on before the body, whose ways out are many. No number here passes what holds a count: digits are compared with
//! what is left to the base, not added first. They have 32 bits where the induction variable has no more, or the count is known
//! to fit.
//!
//! A division of 32-bit numbers takes a GPU some twenty instructions, one of 64-bit numbers a hundred. Cost: a few operations per
//! dimension.

use accrue_dialects::core::{BinKind, CmpKind, emit::Emitter, fold::constant, int, int_width};
use pliron::value::Value;

use crate::analysis::trip::Dimension;

/// The place of a thread's iteration in a dimension.
#[derive(Clone, Copy)]
struct Digit {
    /// Holds it.
    variable: Value,
    /// The same digit of the distance to the thread's next iteration.
    distance: Value,
    /// The count less that, which a digit does not reach without a carry; the outermost dimension has none.
    limit: Option<Value>,
    /// Bits of these.
    width: u32,
}

/// The digits of a thread's iteration.
pub(super) struct Digits(Vec<Digit>);

impl Digits {
    /// In front of the loop: variables that start at the places `first`. `distance` are the places of iteration number `threads`.
    pub(super) fn start(
        e: &mut Emitter,
        dims: &[Dimension],
        counts: &[Value],
        first: &[Value],
        distance: &[Value],
    ) -> Self {
        let mut digits = vec![];
        for (index, dim) in dims.iter().enumerate() {
            let width = width(e, dim, counts[index]);
            let ty = int(e.ctx, width);
            let [count, first, distance] =
                [counts[index], first[index], distance[index]].map(|value| e.narrow(value, ty));
            let limit = (index > 0).then(|| e.bin(BinKind::Sub, count, distance));
            let variable = e.alloca(ty, None);
            e.store(first, variable);
            digits.push(Digit {
                variable,
                distance,
                limit,
                width,
            });
        }
        Self(digits)
    }

    /// At the start of the body: the induction variables of this iteration, and the digits of the thread's next.
    pub(super) fn next(&self, e: &mut Emitter, dims: &[Dimension]) -> Vec<Value> {
        let mut carry: Option<Value> = None;
        let mut ivs = vec![];
        for (digit, dim) in self.0.iter().zip(dims).rev() {
            let here = e.load(digit.variable);
            let carried = carry.map_or(here, |carry| {
                let [zero, one] = [0, 1].map(|n| e.int(digit.width, n));
                let more = e.select(carry, one, zero);
                e.bin(BinKind::Add, here, more)
            });
            let next = e.bin(BinKind::Add, carried, digit.distance);
            let next = match digit.limit {
                None => next,
                Some(limit) => {
                    let over = e.cmp(CmpKind::LeU, limit, carried);
                    let less = e.bin(BinKind::Sub, carried, limit);
                    carry = Some(over);
                    e.select(over, less, next)
                }
            };
            e.store(next, digit.variable);
            ivs.push(match digit.width {
                32 => dim.at_word(e, here),
                _ => dim.at(e, here),
            });
        }
        ivs.reverse();
        ivs
    }
}

/// Bits that hold every place in a dimension, and its count.
fn width(e: &Emitter, dim: &Dimension, count: Value) -> u32 {
    let known = constant(e.ctx, count).is_some_and(|count| u32::try_from(count).is_ok());
    let narrow = int_width(e.ctx, dim.ty).is_some_and(|width| width <= 32);
    if known || narrow { 32 } else { 64 }
}
