//! Whether two subscripts may be equal in different iterations of a loop, where they are sums of products.
//!
//! ```text
//! p[i * m + j]                       0 <= j < m                               i is a digit, and j another
//! p[i * ny * nz + j * nz + k]        0 <= k < nz, 0 <= j < ny                 three digits
//! p[j * lda + i]                     0 <= i < n, and no more is known         perhaps
//! ```
//! A sum `s·d + r` with `0 <= r < s` has one digit `d` and one rest `r`, as a number in a system with base s. So two such sums are equal
//! only if their digits are and their rests are:
//!
//! 1. What both have in common and the loop does not change is left out.
//! 2. They differ if they move together with the loop's variable, and nothing else changes in them, or if one is always greater.
//! 3. The stride of some induction variable is taken for s. What is a product of s and something belongs to the digit. If the digits differ,
//!    so do the sums; if the loop's variable is in no digit, the question is the same for the rests.
//!
//! That a rest is in its limits follows from the loops around the access ([`super::ranges`]).
//!
//! Cost: for each pair of accesses the square of the number of their loops, times the length of a sum.

use accrue_dialects::{acc::Loop, core::fold::constant};
use accrue_opt::analysis::{accesses::Reader, affine::Sum};
use pliron::{operation::Operation, value::Value};

use super::ranges::{End, Range, bound, is_natural};

/// A subscript, and the loops around the access.
#[derive(Clone, Copy)]
pub(super) struct Subscript<'a> {
    pub sum: &'a Sum,
    pub loops: &'a [Range],
}

impl<'a> Subscript<'a> {
    /// Another sum in the same loops.
    fn with(self, sum: &'a Sum) -> Subscript<'a> {
        Subscript { sum, ..self }
    }
}

/// Whether the subscripts are never equal in iterations that differ in `iv`, while `fixed` are the same in both.
pub(super) fn differ(
    reader: &Reader,
    x: Subscript<'_>,
    y: Subscript<'_>,
    iv: Value,
    fixed: &[Value],
) -> bool {
    if [x, y].iter().any(|of| goes_round(reader, of.sum, iv)) {
        return false;
    }
    let common = common(reader, x.sum, y.sum, fixed);
    let [x_sum, y_sum] = [x.sum.minus(&common), y.sum.minus(&common)];
    let (x, y) = (x.with(&x_sum), y.with(&y_sum));
    if are_unequal(reader, x, y, iv, fixed) {
        return true;
    }
    let mut strides: Vec<Sum> = vec![];
    for of in [x, y] {
        for range in of.loops {
            let stride = reader.stride(of.sum, range.variable);
            let stride = stride.map(|(stride, _)| stride);
            strides.extend(stride.filter(|s| !s.is_zero() && !strides.contains(s)));
        }
    }
    strides.retain(|stride| reader.is_invariant(stride, fixed));
    strides.iter().any(|stride| {
        let [x_parts, y_parts] = [x, y].map(|of| of.sum.divide(stride));
        let is_digit =
            |(_, rest): &(Sum, Sum), of: Subscript<'_>| is_in(reader, rest, stride, of.loops);
        if !is_digit(&x_parts, x) || !is_digit(&y_parts, y) {
            return false;
        }
        let [x_digit, y_digit] = [x.with(&x_parts.0), y.with(&y_parts.0)];
        let [x_rest, y_rest] = [x.with(&x_parts.1), y.with(&y_parts.1)];
        let shrink = !x_digit.sum.is_zero() && !y_digit.sum.is_zero();
        let changes = |sum: &Sum| {
            let found = reader.stride(sum, iv);
            found.is_none_or(|(stride, _)| !stride.is_zero())
        };
        are_unequal(reader, x_digit, y_digit, iv, fixed)
            || shrink
                && !changes(x_digit.sum)
                && !changes(y_digit.sum)
                && differ(reader, x_rest, y_rest, iv, fixed)
    })
}

/// The terms of both that are no numbers and do not change.
fn common(reader: &Reader, x: &Sum, y: &Sum, fixed: &[Value]) -> Sum {
    let (x, y) = (x.each_term(), y.each_term());
    let same = x.into_iter().filter(|term| {
        term.as_number().is_none() && reader.is_invariant(term, fixed) && y.contains(term)
    });
    same.fold(Sum::default(), |all, term| all.plus(&term, 1))
}

/// Whether the sums are never equal in iterations that differ in `iv`: nothing else changes in them, or one is always greater.
fn are_unequal(
    reader: &Reader,
    x: Subscript<'_>,
    y: Subscript<'_>,
    iv: Value,
    fixed: &[Value],
) -> bool {
    move_together(reader, x.sum, y.sum, iv, fixed)
        || is_greater(reader, x, y, fixed)
        || is_greater(reader, y, x, fixed)
}

fn move_together(reader: &Reader, x: &Sum, y: &Sum, iv: Value, fixed: &[Value]) -> bool {
    let (Some((stride, x_rest)), Some((other, y_rest))) =
        (reader.stride(x, iv), reader.stride(y, iv))
    else {
        return false;
    };
    let rests = [&x_rest, &y_rest];
    let alone = rests.iter().all(|rest| reader.is_invariant(rest, fixed));
    let Some(number) = stride.as_number().filter(|number| *number != 0) else {
        return false;
    };
    alone
        && stride == other
        && match x_rest.minus(&y_rest).as_number() {
            Some(0) => true,
            Some(distance) => distance.wrapping_rem(number) != 0,
            None => false,
        }
}

/// Whether the next iteration of the loop may be at the same place after all, since subscripts without sign go round the end of their type:
/// `a[i * (1UL << 63)]` with `i += 2`.
fn goes_round(reader: &Reader, sum: &Sum, iv: Value) -> bool {
    /// What a stride is multiplied by where the step is only known when the program runs.
    const LONG_STEP: i128 = 1 << 31;
    let stride = reader.stride(sum, iv);
    let Some(stride) = stride.and_then(|(stride, _)| stride.as_number()) else {
        return false;
    };
    let step = loop_of(reader, iv).and_then(|(lp, number)| {
        let (_, _, step) = lp.bounds(reader.ctx)[number];
        constant(reader.ctx, step)
    });
    let distance = i128::from(stride).saturating_mul(step.unwrap_or(LONG_STEP));
    i64::try_from(distance).is_err()
}

/// The loop whose counter `iv` is, and the number of its dimension.
fn loop_of(reader: &Reader, iv: Value) -> Option<(Loop, usize)> {
    let block = iv.defining_block()?;
    let op = block.deref(reader.ctx).get_parent_op(reader.ctx)?;
    let number = block
        .deref(reader.ctx)
        .arguments()
        .position(|argument| argument == iv)?;
    Some((Operation::get_op::<Loop>(op, reader.ctx)?, number))
}

/// Whether x is greater than y in all iterations, of which `fixed` are the same in both.
fn is_greater(reader: &Reader, x: Subscript<'_>, y: Subscript<'_>, fixed: &[Value]) -> bool {
    let changes = |range: &Range| !reader.is_invariant(&reader.sum(range.variable), fixed);
    let least = bound(reader, x.sum, x.loops, End::First, changes);
    let greatest = bound(reader, y.sum, y.loops, End::Last, changes);
    let (Some(least), Some(greatest)) = (least, greatest) else {
        return false;
    };
    let more = least.minus(&greatest).plus(&Sum::number(-1), 1);
    reader.is_invariant(&more, fixed) && is_natural(reader, &more, x.loops)
}

/// Whether 0 <= `rest` < `stride`, in the loops around the access.
fn is_in(reader: &Reader, rest: &Sum, stride: &Sum, loops: &[Range]) -> bool {
    let room = stride.minus(rest).plus(&Sum::number(-1), 1);
    is_natural(reader, &room, loops) && is_natural(reader, rest, loops)
}
