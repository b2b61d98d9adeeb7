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
//! That a rest is in its limits follows from the bounds of the loops around the access, from the inside out: a variable is at least where
//! its loop starts and at most where it ends. That its loop has an iteration says more: with `1 <= k < nz - 1` there are at least three.
//!
//! Cost: for each pair of accesses the square of the number of their loops, times the length of a sum.

use accrue_dialects::{
    acc::{ComputeOp, Loop},
    core::fold::constant,
    par::LoopTest,
};
use accrue_ir::walk;
use accrue_opt::analysis::{
    accesses::Reader,
    affine::{Affine, AtomId, Sum},
};
use pliron::{
    builtin::{
        op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    op::{Op, op_impls},
    operation::Operation,
    value::Value,
};
use std::collections::{BTreeMap, HashMap};

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

/// An induction variable and, as far as they are known, the least and the greatest number that it has.
#[derive(Clone)]
pub(super) struct Range {
    variable: Value,
    first: Option<Sum>,
    last: Option<Sum>,
}

/// The ranges of loops, from the innermost dimension on.
#[derive(Default)]
pub(super) struct Ranges(HashMap<Ptr<Operation>, Vec<Range>>);

impl Ranges {
    /// Of all loops of compute constructs, in each of which a variable that is not written has one value.
    pub fn of_constructs(ctx: &Context, module: ModuleOp, affine: Affine) -> (Ranges, Affine) {
        let (mut all, mut affine) = (HashMap::new(), affine);
        for op in walk::nested_ops(ctx, module.get_operation()) {
            let object = Operation::get_op_dyn(op, ctx);
            if !op_impls::<dyn ComputeOp>(&*object) {
                continue;
            }
            let region = op.deref(ctx).get_region(0);
            let reader = Reader::again(ctx, region, affine);
            let loops = walk::nested::<Loop>(ctx, op).into_iter();
            all.extend(loops.map(|lp| (lp.get_operation(), ranges(&reader, lp))));
            affine = reader.done();
        }
        (Ranges(all), affine)
    }

    /// Of the loops around `op`, from the inside out; `reader` is for the body of `lp`, one of these.
    pub fn around(&self, reader: &Reader, op: Ptr<Operation>, lp: Loop) -> Vec<Range> {
        let ctx = reader.ctx;
        let mut found = vec![];
        let mut around = walk::enclosing::<Loop>(ctx, op);
        while let Some(next) = around {
            let op = next.get_operation();
            let inside = walk::is_inside(ctx, op, lp.get_region(ctx));
            match self.0.get(&op).filter(|_| !inside) {
                Some(known) => found.extend(known.iter().cloned()),
                None => found.extend(ranges(reader, next)),
            }
            around = walk::enclosing::<Loop>(ctx, op);
        }
        found
    }
}

fn ranges(reader: &Reader, lp: Loop) -> Vec<Range> {
    let ctx = reader.ctx;
    let variables: Vec<Value> = lp.get_body(ctx, 0).deref(ctx).arguments().collect();
    let dims = variables.into_iter().zip(lp.bounds(ctx)).zip(lp.dims(ctx));
    let ranges = dims.map(|((variable, bounds), dim)| range(reader, variable, bounds, dim.test));
    ranges.rev().collect()
}

fn range(
    reader: &Reader,
    variable: Value,
    (lower, upper, step): (Value, Value, Value),
    test: LoopTest,
) -> Range {
    let (start, end) = (reader.sum(lower), reader.sum(upper));
    let beside = |by| end.clone().plus(&Sum::number(by), 1);
    let last = match (test, constant(reader.ctx, step)) {
        (LoopTest::Lt, Some(1..)) | (LoopTest::Ne, Some(1)) => Some(beside(-1)),
        (LoopTest::Gt, Some(..=-1)) | (LoopTest::Ne, Some(-1)) => Some(beside(1)),
        (LoopTest::Le, Some(1..)) | (LoopTest::Ge, Some(..=-1)) => Some(end.clone()),
        (LoopTest::Lt | LoopTest::Le | LoopTest::Gt | LoopTest::Ge | LoopTest::Ne, _) => None,
    };
    let rising = constant(reader.ctx, step).is_some_and(|step| step > 0);
    let (first, last) = match (last, rising) {
        (Some(last), true) => (Some(start), Some(last)),
        (Some(last), false) => (Some(last), Some(start)),
        (None, true) => (Some(start), None),
        (None, false) => (None, None),
    };
    Range {
        variable,
        first,
        last,
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
        let is_digit = |(_, rest): &(Sum, Sum), of: Subscript<'_>| {
            is_in(reader, rest, stride, of.loops)
        };
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

/// Which end of what a sum may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// A sum without the variables of those loops that are `wanted`, which is never more than `sum`, or never less.
fn bound(
    reader: &Reader,
    sum: &Sum,
    loops: &[Range],
    end: End,
    wanted: impl Fn(&Range) -> bool,
) -> Option<Sum> {
    let mut bound = sum.clone();
    for range in loops.iter().filter(|range| wanted(range)) {
        let (stride, rest) = reader.stride(&bound, range.variable)?;
        if stride.is_zero() {
            continue;
        }
        let rises = is_natural(reader, &stride, loops);
        if !rises && !is_natural(reader, &Sum::default().minus(&stride), loops) {
            return None;
        }
        let own = match (end, rises) {
            (End::First, true) | (End::Last, false) => &range.first,
            (End::First, false) | (End::Last, true) => &range.last,
        };
        bound = rest.plus(&stride.times(own.as_ref()?), 1);
    }
    Some(bound)
}

/// Whether the sum is not negative wherever all loops have an iteration.
fn is_natural(reader: &Reader, sum: &Sum, loops: &[Range]) -> bool {
    if let Some(number) = sum.as_number() {
        return number >= 0;
    }
    let Some(mut least) = bound(reader, sum, loops, End::First, |_| true) else {
        return false;
    };
    // Each number that is at least so much is that, and something that is not negative.
    let mut known: BTreeMap<AtomId, i64> = BTreeMap::new();
    for (atom, at_least) in loops.iter().filter_map(at_least) {
        let own = known.entry(atom).or_insert(at_least);
        *own = at_least.max(*own);
    }
    known.retain(|_, at_least| *at_least >= 0);
    for (atom, at_least) in &known {
        let Some(stride) = least.stride(*atom) else {
            return false;
        };
        least = least.plus(&stride, *at_least);
    }
    let mut terms = least.terms();
    terms.all(|(atoms, factor)| factor >= 0 && atoms.iter().all(|atom| known.contains_key(atom)))
}

/// What follows from the loop having an iteration, if that is a least value of something.
fn at_least(range: &Range) -> Option<(AtomId, i64)> {
    let (more, less) = range.last.as_ref()?.minus(range.first.as_ref()?).split();
    match more.as_atom()? {
        (atom, 1) => Some((atom, less.checked_neg()?)),
        _ => None,
    }
}
