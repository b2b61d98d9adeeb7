//! Which numbers an index may be: a range, and of that every so many.
//!
//! ```text
//! sums[5 * group + 2], 0 <= group < 6          2, 7, 12, 17, 22, 27
//! ```
//! What the index is a sum of ([`crate::analysis::affine`]) tells the distance: all factors are multiples of it. That holds as long as
//! the sum of what the terms can be does not wrap.

use crate::analysis::affine::{Affine, Atom, AtomId, Range};
use accrue_dialects::core::int_width;
use pliron::{context::Context, r#type::Typed, value::Value};

/// Numbers in a range, with the same remainder by `distance`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
    pub(super) range: Range,
    distance: i128,
    remainder: i128,
}

impl Values {
    /// What the integer `index` may be, read with its sign; `None` for one of more than 64 bits.
    pub(super) fn of(ctx: &Context, affine: &mut Affine, index: Value) -> Option<Values> {
        let range = affine.range(ctx, index)?;
        let all = Values {
            range,
            distance: 1,
            remainder: 0,
        };
        Some(spaced(ctx, affine, index, range).unwrap_or(all))
    }

    /// Those from `first` on, up to `length` numbers further.
    pub(super) fn among(&self, first: i128, length: u64) -> impl Iterator<Item = i128> {
        let values = *self;
        let numbers = (0..i128::from(length)).map(move |element| first + element);
        numbers.filter(move |number| {
            (values.range.min..=values.range.max).contains(number)
                && number.rem_euclid(values.distance) == values.remainder
        })
    }
}

/// What a sum says of the index, if its terms are numbers of known ranges and cannot wrap.
fn spaced(ctx: &Context, affine: &mut Affine, index: Value, range: Range) -> Option<Values> {
    let (terms, constant) = affine.sum(ctx, index).split();
    let (mut min, mut max) = (i128::from(constant), i128::from(constant));
    let mut distance: i128 = 0;
    for (atoms, factor) in terms.terms() {
        let [atom] = atoms else {
            return None;
        };
        let of_atom = range_of(ctx, affine, *atom)?;
        let factor = i128::from(factor);
        let ends = [of_atom.min, of_atom.max].map(|end| end.checked_mul(factor));
        let [Some(one), Some(other)] = ends else {
            return None;
        };
        min = min.checked_add(one.min(other))?;
        max = max.checked_add(one.max(other))?;
        distance = greatest_common_divisor(distance, factor.abs());
    }
    let fits = i128::from(i64::MIN) <= min && max <= i128::from(i64::MAX);
    (fits && distance > 0).then(|| Values {
        range: Range {
            min: min.max(range.min),
            max: max.min(range.max),
        },
        distance,
        remainder: i128::from(constant).rem_euclid(distance),
    })
}

/// Between which numbers an atom is, extended as it is.
fn range_of(ctx: &Context, affine: &mut Affine, atom: AtomId) -> Option<Range> {
    let signed = affine.is_signed(atom);
    let (kind, value) = affine.atom(atom);
    if !matches!(kind, Atom::Value { .. }) {
        return None;
    }
    if signed || affine.is_natural(ctx, value) {
        return affine.range(ctx, value);
    }
    let width = int_width(ctx, value.get_type(ctx)).filter(|width| *width < 64)?;
    Some(Range::below(1 << width))
}

fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    match a {
        0 => b,
        _ => greatest_common_divisor(b % a, a),
    }
}
