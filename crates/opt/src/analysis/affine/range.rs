//! Between which numbers a value is, as far as its own operations say: whether a sum wraps, and whether an extension matters.
//!
//! ```text
//! for (unsigned i = 0; i < n; i++) … i + 1 …        at most 2^32 - 1: the sum does not wrap
//! 16 * (x & 7) + 3                                  3 … 115: its extensions by the sign and by zeros are the same
//! at = 0; while (…) at = (at + 1) % 19              0 … 18, wherever the variable is read
//! ```
//! A variable that nothing but loads and stores know holds what is stored to it, and before that anything, which C leaves undefined.
//!
//! Cost: each value once, and for a variable what is stored to it.

use accrue_dialects::{
    core::{
        Alloca, Bin, BinKind, Cast, CastKind, For, If, Load, Ring, Select, Store, fold::constant,
        int_width,
    },
    par::{DimPos, DimSize},
};
use accrue_ir::walk::{operands_of, ops_of_block, results_of};
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, SingleBlockRegionInterface},
    context::Context,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashMap;

/// Numbers from `min` to `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub min: i128,
    pub max: i128,
}

impl Range {
    fn of(numbers: &[i128]) -> Range {
        Range {
            min: numbers.iter().copied().min().unwrap_or(0),
            max: numbers.iter().copied().max().unwrap_or(0),
        }
    }

    /// Numbers that are not negative, and below a limit.
    pub fn below(limit: i128) -> Range {
        Range {
            min: 0,
            max: limit - 1,
        }
    }

    /// All numbers of so many bits.
    fn all(width: u32, signed: bool) -> Range {
        match signed {
            true => Range {
                min: -(1 << (width - 1)),
                max: (1 << (width - 1)) - 1,
            },
            false => Range {
                min: 0,
                max: (1 << width) - 1,
            },
        }
    }

    fn is_within(self, other: Range) -> bool {
        other.min <= self.min && self.max <= other.max
    }

    fn or(self, other: Range) -> Range {
        Range::of(&[self.min, self.max, other.min, other.max])
    }

    fn cut(self, other: Range) -> Range {
        Range {
            min: self.min.max(other.min),
            max: self.max.min(other.max),
        }
    }
}

/// A value, and whether it is read with its sign.
type Key = (Value, bool);

/// The ranges of values that somebody has asked about.
#[derive(Default)]
pub(super) struct Ranges(HashMap<Key, Range>);

impl Ranges {
    /// The caller knows that the value is between two numbers that are not negative.
    pub fn assume(&mut self, value: Value, range: Range) {
        for signed in [true, false] {
            self.0.insert((value, signed), range);
        }
    }

    /// The same of a number that is read with its sign.
    pub fn assume_signed(&mut self, value: Value, range: Range) {
        self.0.insert((value, true), range);
    }

    /// Of a number of `width` bits, at most 64, that is read with its sign or without.
    pub fn of(&mut self, ctx: &Context, value: Value, width: u32, signed: bool) -> Range {
        if let Some(known) = self.0.get(&(value, signed)) {
            return *known;
        }
        let all = Range::all(width, signed);
        let exact = self.compute(ctx, value, width, signed);
        // What is read in the other way is the same number if it is in both ranges.
        let range = exact.filter(|range| range.is_within(all)).unwrap_or(all);
        self.0.insert((value, signed), range);
        range
    }

    /// Whether reading with the sign and without is the same.
    pub fn is_natural(&mut self, ctx: &Context, value: Value, width: u32) -> bool {
        let natural = Range::below(1 << (width - 1));
        [true, false]
            .into_iter()
            .any(|signed| self.of(ctx, value, width, signed).is_within(natural))
    }

    /// Whether a number is the same when it is cut to so many bits, and extended again by its sign or by zeros.
    pub fn is_whole(
        &mut self,
        ctx: &Context,
        value: Value,
        width: u32,
        (to, signed): (u32, bool),
    ) -> bool {
        let range = self.of(ctx, value, width, signed);
        range.is_within(Range::all(to, signed))
    }

    /// Whether the operands' numbers give the result's number without wrapping.
    pub fn is_exact(&mut self, ctx: &Context, bin: &Bin, width: u32, signed: bool) -> bool {
        let result = self.arithmetic(ctx, bin, width, signed);
        result.is_some_and(|range| range.is_within(Range::all(width, signed)))
    }

    fn compute(&mut self, ctx: &Context, value: Value, width: u32, signed: bool) -> Option<Range> {
        if let Some(number) = constant(ctx, value) {
            let bits = number & ((1 << width) - 1);
            let negative = signed && bits >> (width - 1) != 0;
            let number = if negative { bits - (1 << width) } else { bits };
            return Some(Range::of(&[number]));
        }
        let Some(op) = value.defining_op() else {
            return self.counter(ctx, value, width, signed);
        };
        if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
            let inner = cast.get_operand(ctx);
            let from = int_width(ctx, inner.get_type(ctx)).filter(|width| *width <= 64)?;
            return match cast.kind(ctx) {
                CastKind::SExt => Some(self.of(ctx, inner, from, true)),
                CastKind::ZExt => Some(self.of(ctx, inner, from, false)),
                CastKind::Trunc => Some(self.of(ctx, inner, from, signed)),
                _ => None,
            };
        }
        if let Some(select) = Operation::get_op::<Select>(op, ctx) {
            let yes = self.of(ctx, select.get_operand_yes(ctx), width, signed);
            let no = self.of(ctx, select.get_operand_no(ctx), width, signed);
            return Some(yes.or(no));
        }
        if let Some(branch) = Operation::get_op::<If>(op, ctx) {
            let number = results_of(ctx, op).iter().position(|it| *it == value)?;
            let given = |region| {
                let end = ops_of_block(ctx, branch.get_body(ctx, region)).pop()?;
                operands_of(ctx, end).get(number).copied()
            };
            let yes = self.of(ctx, given(0)?, width, signed);
            let no = self.of(ctx, given(1)?, width, signed);
            return Some(yes.or(no));
        }
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            return self.variable(ctx, load.get_operand(ctx), width, signed);
        }
        // No more threads than a grid may have in a direction.
        if Operation::is_op::<DimPos>(op, ctx) || Operation::is_op::<DimSize>(op, ctx) {
            return Some(Range::below(1 << 31));
        }
        let bin = Operation::get_op::<Bin>(op, ctx)?;
        let rhs = bin.get_operand_rhs(ctx);
        let number = constant(ctx, rhs).filter(|number| *number > 0);
        match bin.kind(ctx) {
            BinKind::Add | BinKind::Sub | BinKind::Mul | BinKind::Shl => {
                // The bits are the same, however the operands are read.
                let readings = [signed, !signed].map(|by| self.arithmetic(ctx, &bin, width, by));
                let all = Range::all(width, signed);
                readings
                    .into_iter()
                    .flatten()
                    .find(|range| range.is_within(all))
            }
            // These do not overflow where they are signed; what is read without sign is known if it has none.
            BinKind::AddS | BinKind::SubS | BinKind::MulS => {
                let range = self.arithmetic(ctx, &bin, width, true)?;
                Some(range.cut(Range::all(width, true)))
            }
            BinKind::And => number.map(|mask| Range::of(&[0, mask])),
            // Bits that neither operand has, the result has not either.
            BinKind::Or | BinKind::Xor => {
                let a = self.of(ctx, bin.get_operand_lhs(ctx), width, signed);
                let b = self.of(ctx, rhs, width, signed);
                let bits = 128 - a.max.max(b.max).leading_zeros();
                (a.min >= 0 && b.min >= 0).then(|| Range::below(1 << bits))
            }
            BinKind::RemU => number.map(|divisor| Range::of(&[0, divisor - 1])),
            BinKind::RemS => number.map(|divisor| Range::of(&[1 - divisor, divisor - 1])),
            BinKind::DivU => {
                let range = self.of(ctx, bin.get_operand_lhs(ctx), width, false);
                number.map(|divisor| Range::of(&[range.min / divisor, range.max / divisor]))
            }
            BinKind::DivS => {
                let range = self.of(ctx, bin.get_operand_lhs(ctx), width, true);
                number.map(|divisor| Range::of(&[range.min / divisor, range.max / divisor]))
            }
            BinKind::ShrU => {
                let range = self.of(ctx, bin.get_operand_lhs(ctx), width, false);
                let count = number.filter(|count| *count < i128::from(width))?;
                Some(Range::of(&[range.min >> count, range.max >> count]))
            }
            _ => None,
        }
    }

    /// The sum, difference, product or shift of the operands' numbers, wherever that leads.
    fn arithmetic(&mut self, ctx: &Context, bin: &Bin, width: u32, signed: bool) -> Option<Range> {
        let [lhs, rhs] = [bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx)];
        let a = self.of(ctx, lhs, width, signed);
        if bin.kind(ctx) == BinKind::Shl {
            let count =
                constant(ctx, rhs).filter(|count| (0..i128::from(width)).contains(count))?;
            return Some(Range::of(&[a.min << count, a.max << count]));
        }
        let b = self.of(ctx, rhs, width, signed);
        Some(match bin.kind(ctx).ring()? {
            Ring::Sum => Range::of(&[a.min + b.min, a.max + b.max]),
            Ring::Difference => Range::of(&[a.min - b.max, a.max - b.min]),
            Ring::Product => {
                let ends = [
                    (a.min, b.min),
                    (a.min, b.max),
                    (a.max, b.min),
                    (a.max, b.max),
                ];
                let products = ends.map(|(a, b)| a.checked_mul(b));
                let products: Option<Vec<i128>> = products.into_iter().collect();
                Range::of(&products?)
            }
        })
    }

    /// Of a local variable: what its stores give it. What depends on the variable itself is anything meanwhile.
    fn variable(
        &mut self,
        ctx: &Context,
        address: Value,
        width: u32,
        signed: bool,
    ) -> Option<Range> {
        if let Some(known) = self.0.get(&(address, signed)) {
            return Some(*known);
        }
        let alloca = Operation::get_op::<Alloca>(address.defining_op()?, ctx)?;
        if int_width(ctx, alloca.var_type(ctx)) != Some(width) || alloca.count(ctx).is_some() {
            return None;
        }
        let mut stored = vec![];
        for using in address.uses(ctx) {
            let op = using.user_op();
            match Operation::get_op::<Store>(op, ctx) {
                Some(store) if !store.is_volatile(ctx) => {
                    let value = store.get_operand_value(ctx);
                    (value != address).then(|| stored.push(value))?;
                }
                Some(_) => return None,
                None if Operation::is_op::<Load>(op, ctx) => {}
                None => return None,
            }
        }
        self.0.insert((address, signed), Range::all(width, signed));
        let ranges = stored.into_iter();
        let ranges = ranges.map(|value| self.of(ctx, value, width, signed));
        let all = ranges.reduce(Range::or)?;
        self.0.insert((address, signed), all);
        Some(all)
    }

    /// Of the counter of a loop that counts up.
    fn counter(&mut self, ctx: &Context, value: Value, width: u32, signed: bool) -> Option<Range> {
        let around = value.defining_block()?.deref(ctx).get_parent_op(ctx)?;
        let lp = Operation::get_op::<For>(around, ctx)?;
        // What is no constant is greater than zero.
        let rises = constant(ctx, lp.get_operand_step(ctx)).is_none_or(|step| step > 0);
        if !rises {
            return None;
        }
        let unsigned = lp.info(ctx).unsigned;
        let lower = self.of(ctx, lp.get_operand_lower(ctx), width, !unsigned);
        let upper = self.of(ctx, lp.get_operand_upper(ctx), width, !unsigned);
        let range = Range {
            min: lower.min,
            max: upper.max - 1,
        };
        let same = signed != unsigned || range.is_within(Range::all(width, true)) && range.min >= 0;
        (same && range.min <= range.max).then_some(range)
    }
}
