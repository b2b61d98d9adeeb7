//! What decides whether, and for which iterations, an operation of a region is executed: the loops and branches around it.
//!
//! ```text
//! for (i = 0; i < n; i++) if (i > 0 && ok[i]) … here …          0 <= i <= n - 1,  i - 1 >= 0,  and something that is not known
//! ```

use super::polynomial::{Hosts, Polynomial, Range, Symbol};
use crate::written_end::written_end;
use accrue_dialects::{
    acc,
    core::{
        Bin, BinKind, Cast, CastKind, Cmp, CmpKind, If, Load, Loop, Store, Yield, fold::constant,
        int_width,
    },
    flow::{Flow, left_by_break, loop_around},
    par::LoopTest,
};
use accrue_hostcall::{Arithmetic, Operator};
use accrue_ir::walk::{nested_ops, operands_of, ops_of_block, ops_of_region, regions_of};
use accrue_opt::{
    analysis::{
        accesses::Reader,
        affine::{Atom, AtomId, Sum},
        variables::{Root, describe, root_of},
    },
    gpu::counted_loops::{Counting, counting},
};
use pliron::{
    builtin::op_interfaces::OneOpdInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    r#type::Typed,
    value::Value,
};
use std::collections::HashMap;

/// The counters and numbers of a region.
pub struct Surroundings<'a> {
    reader: &'a Reader<'a>,
    region: Ptr<Region>,
    /// Variables that a kernel gets by value: what they hold is what the host has.
    by_value: &'a dyn Fn(&Root) -> bool,
    pub hosts: Hosts,
    /// Each counter by its loop: that of a directive has several.
    counters: HashMap<(Ptr<Operation>, usize), usize>,
    counting: HashMap<Ptr<Operation>, Option<Counting>>,
}

/// What is around an operation.
#[derive(Default)]
pub struct Around {
    /// The outermost first.
    pub loops: Vec<Range>,
    /// The loops have iterations only where none of them is negative.
    pub iterations: Vec<Polynomial>,
    /// Branches lead there only where none of them is negative.
    pub branches: Vec<Polynomial>,
    /// Executed only if something holds that is not known.
    pub uncertain: bool,
}

impl<'a> Surroundings<'a> {
    pub fn new(
        reader: &'a Reader<'a>,
        region: Ptr<Region>,
        by_value: &'a dyn Fn(&Root) -> bool,
    ) -> Self {
        Surroundings {
            reader,
            region,
            by_value,
            hosts: Hosts::default(),
            counters: HashMap::new(),
            counting: HashMap::new(),
        }
    }

    pub fn reader(&self) -> &'a Reader<'a> {
        self.reader
    }

    /// What is around `op`. A loop whose iterations the host does not know has a counter without a range, and perhaps no iteration.
    pub fn around(&mut self, op: Ptr<Operation>) -> Option<Around> {
        let ctx = self.reader.ctx;
        let mut around = Around::default();
        let mut inner = vec![];
        let mut at = op;
        loop {
            let region = at.deref(ctx).get_parent_region(ctx)?;
            if region == self.region {
                break;
            }
            let parent = region.deref(ctx).get_parent_op();
            if let Some(lp) = Operation::get_op::<acc::Loop>(parent, ctx) {
                around.uncertain |= may_be_cut(self.reader, parent);
                for at in (0..lp.dims(ctx).len()).rev() {
                    match self.of_directive(lp, at, &mut around.iterations) {
                        Some(range) => inner.push(range),
                        None => around.uncertain = true,
                    }
                }
            } else if let Some(lp) = Operation::get_op::<Loop>(parent, ctx) {
                let is_condition = regions_of(ctx, parent).first() == Some(&region);
                if !is_condition {
                    around.uncertain |= may_be_cut(self.reader, parent);
                    match self.counted(lp) {
                        Some(counting) => {
                            match self.of_loop(lp, &counting, &mut around.iterations) {
                                Some(range) => inner.push(range),
                                None => around.uncertain = true,
                            }
                        }
                        // The body runs once at least.
                        None => around.uncertain |= !lp.tests_last(ctx),
                    }
                }
            } else if let Some(branch) = Operation::get_op::<If>(parent, ctx) {
                let is_then = regions_of(ctx, parent).first() == Some(&region);
                let condition = branch.get_operand(ctx);
                match self.when(condition, is_then) {
                    Some(conditions) => around.branches.extend(conditions),
                    None => around.uncertain = true,
                }
            } else {
                around.uncertain = true;
            }
            at = parent;
        }
        inner.reverse();
        around.loops = inner;
        Some(around)
    }

    /// A sum that is made of counters and of what the host knows.
    pub fn polynomial(&mut self, sum: &Sum) -> Option<Polynomial> {
        let mut all = Polynomial::default();
        for (atoms, factor) in sum.terms() {
            let mut product = Polynomial::number(factor);
            for atom in atoms {
                product = product.times(&self.symbol(*atom)?);
            }
            all = all.plus(&product, 1);
        }
        Some(all)
    }

    fn number(&mut self, value: Value) -> Option<Polynomial> {
        let sum = self.reader.sum(value);
        self.polynomial(&sum)
    }

    fn symbol(&mut self, atom: AtomId) -> Option<Polynomial> {
        let (atom, value) = self.reader.atom(atom);
        match atom {
            Atom::Variable { root, .. } => {
                let ctx = self.reader.ctx;
                let load = Operation::get_op::<Load>(value.defining_op()?, ctx)?;
                let name = describe(ctx, load.get_operand(ctx)).name;
                let known = (self.by_value)(&root) && !name.is_empty();
                known.then(|| self.hosts.symbol(Arithmetic::Variable(name)))
            }
            Atom::Value { value, .. } => {
                if let Some(quotient) = self.quotient(value) {
                    return Some(quotient);
                }
                let counter = self.counter_of(value)?;
                Some(Polynomial::product(vec![Symbol::Counter(counter)], 1))
            }
            Atom::Wrapped { .. } => None,
        }
    }

    /// A number of the host divided by a constant, as in `i < n / 2`: C rounds alike in both places.
    fn quotient(&mut self, value: Value) -> Option<Polynomial> {
        let ctx = self.reader.ctx;
        let bin = Operation::get_op::<Bin>(value.defining_op()?, ctx)?;
        let divides = matches!(bin.kind(ctx), BinKind::DivS | BinKind::DivU);
        let divisor = i64::try_from(constant(ctx, bin.get_operand_rhs(ctx))?).ok()?;
        (divides && divisor > 0).then_some(())?;
        let dividend = self.number(bin.get_operand_lhs(ctx))?;
        let host = dividend.of_host(self.hosts.numbers())?;
        let divided = Arithmetic::binary(Operator::Divide, host, Arithmetic::Constant(divisor));
        Some(self.hosts.symbol(divided))
    }

    /// The counter that the value is.
    fn counter_of(&mut self, value: Value) -> Option<usize> {
        let ctx = self.reader.ctx;
        let Some(op) = value.defining_op() else {
            let lp = value.defining_block()?.deref(ctx).get_parent_op(ctx)?;
            Operation::get_op::<acc::Loop>(lp, ctx)?;
            return Some(self.counter((lp, value.try_find_index(ctx).ok()?)));
        };
        let load = Operation::get_op::<Load>(op, ctx)?;
        let variable = load.get_operand(ctx);
        let mut at = op;
        loop {
            let region = at.deref(ctx).get_parent_region(ctx)?;
            if region == self.region {
                return None;
            }
            let parent = region.deref(ctx).get_parent_op();
            if let Some(lp) = Operation::get_op::<Loop>(parent, ctx)
                && let Some(counting) = self.counted(lp)
                && counting.variable == variable
            {
                let body = regions_of(ctx, parent).get(1).copied()?;
                let before = region == body && !comes_behind(self.reader, at, &counting);
                return before.then(|| self.counter((parent, 0)));
            }
            at = parent;
        }
    }

    fn counter(&mut self, key: (Ptr<Operation>, usize)) -> usize {
        let next = self.counters.len();
        *self.counters.entry(key).or_insert(next)
    }

    fn counted(&mut self, lp: Loop) -> Option<Counting> {
        let ctx = self.reader.ctx;
        let op = lp.get_operation();
        let is_constant = |address| {
            let root = root_of(ctx, address);
            root.is_some_and(|root| (self.by_value)(&root) && !self.reader.is_written(&root))
        };
        let known = self.counting.entry(op);
        known
            .or_insert_with(|| counting(ctx, lp, &is_constant))
            .clone()
    }

    fn of_directive(
        &mut self,
        lp: acc::Loop,
        at: usize,
        conditions: &mut Vec<Polynomial>,
    ) -> Option<Range> {
        let ctx = self.reader.ctx;
        let (lower, upper, step) = lp.bounds(ctx).get(at).copied()?;
        let step = i64::try_from(constant(ctx, step)?).ok()?;
        let upto = match (lp.dims(ctx).get(at)?.test, step) {
            (LoopTest::Lt, 1..) | (LoopTest::Gt, ..=-1) => false,
            (LoopTest::Le, 1..) | (LoopTest::Ge, ..=-1) => true,
            (LoopTest::Ne, 1 | -1) => false,
            _ => return None,
        };
        let counter = self.counter((lp.get_operation(), at));
        let bound = |value| untruncated(ctx, value);
        let upper = bound(written_end(ctx, upper));
        let (lower, upper) = (self.number(bound(lower))?, self.number(upper)?);
        self.range(counter, (lower, upper), step, upto, conditions)
    }

    fn of_loop(
        &mut self,
        lp: Loop,
        counting: &Counting,
        conditions: &mut Vec<Polynomial>,
    ) -> Option<Range> {
        let ctx = self.reader.ctx;
        let op = lp.get_operation();
        let block = op.deref(ctx).get_parent_block()?;
        let before = ops_of_block(ctx, block).into_iter();
        let before: Vec<_> = before.take_while(|other| *other != op).collect();
        // The last that touches the variable before the loop sets it.
        let set = before.into_iter().rev().find(|other| {
            nested_ops(ctx, *other)
                .into_iter()
                .chain([*other])
                .any(|op| {
                    Operation::get_op::<Store>(op, ctx)
                        .is_some_and(|store| store.get_operand_address(ctx) == counting.variable)
                })
        });
        let start = Operation::get_op::<Store>(set?, ctx)?.get_operand_value(ctx);
        let counter = self.counter((op, 0));
        let (lower, upper) = (self.number(start)?, self.number(counting.bound)?);
        let step = i64::try_from(counting.step).ok()?;
        self.range(counter, (lower, upper), step, counting.upto, conditions)
    }

    /// Of a counter that goes from a first number up, or down, to another one, or as far as before it.
    fn range(
        &mut self,
        counter: usize,
        (first, end): (Polynomial, Polynomial),
        step: i64,
        upto: bool,
        conditions: &mut Vec<Polynomial>,
    ) -> Option<Range> {
        let (sign, stride) = (step.signum(), i64::try_from(step.unsigned_abs()).ok()?);
        // How far it is to the last one, if every number counts.
        let distance = match sign {
            1 => end.minus(&first),
            _ => first.minus(&end),
        };
        let distance = distance.plus(&Polynomial::number(i64::from(!upto)), -1);
        conditions.push(distance.clone());
        let distance = match stride {
            1 => distance,
            _ => {
                let rounds = Arithmetic::binary(
                    Operator::Divide,
                    distance.of_host(self.hosts.numbers())?,
                    Arithmetic::Constant(stride),
                );
                let rounds = match rounds {
                    Arithmetic::Constant(rounds) => Polynomial::number(rounds),
                    rounds => self.hosts.symbol(rounds),
                };
                Polynomial::default().plus(&rounds, stride)
            }
        };
        let last = first.clone().plus(&distance, sign);
        let (low, high) = match sign {
            1 => (first, last),
            _ => (last, first),
        };
        Some(Range {
            counter,
            low,
            high,
            every: stride == 1,
        })
    }

    /// What is not negative where `condition` is true, or false.
    fn when(&mut self, condition: Value, is_true: bool) -> Option<Vec<Polynomial>> {
        let ctx = self.reader.ctx;
        let op = condition.defining_op()?;
        if Operation::is_op::<If>(op, ctx) {
            // `a && b` is `a ? b : 0`, and not true for one of two reasons; `a || b` is `a ? 1 : b`.
            let [then, other] = <[_; 2]>::try_from(regions_of(ctx, op)).ok()?;
            let (yes, no) = (yielded(self.reader, then)?, yielded(self.reader, other)?);
            let first = operands_of(ctx, op).first().copied()?;
            let second = match (is_true, constant(ctx, yes), constant(ctx, no)) {
                (true, None, Some(0)) => yes,
                (false, Some(1), None) => no,
                _ => return None,
            };
            let mut both = self.when(first, is_true)?;
            both.extend(self.when(second, is_true)?);
            return Some(both);
        }
        let cmp = Operation::get_op::<Cmp>(op, ctx)?;
        let (lhs, rhs) = (cmp.get_operand_lhs(ctx), cmp.get_operand_rhs(ctx));
        int_width(ctx, lhs.get_type(ctx)).filter(|width| *width <= 64)?;
        let (lhs, rhs) = (self.number(lhs)?, self.number(rhs)?);
        let plain = lhs.is_plain() && rhs.is_plain();
        let (order, signed) = ordered(cmp.kind(ctx), is_true)?;
        if !signed && !plain {
            return None;
        }
        let less =
            |a: &Polynomial, b: &Polynomial| vec![b.minus(a).plus(&Polynomial::number(1), -1)];
        Some(match order {
            Order::Less => less(&lhs, &rhs),
            Order::Greater => less(&rhs, &lhs),
            Order::LessOrEqual => vec![rhs.minus(&lhs)],
            Order::GreaterOrEqual => vec![lhs.minus(&rhs)],
            Order::Equal => vec![rhs.minus(&lhs), lhs.minus(&rhs)],
        })
    }
}

#[derive(Clone, Copy)]
enum Order {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
}

/// What a comparison says if it is true, or false, and whether it compares signed numbers.
fn ordered(kind: CmpKind, is_true: bool) -> Option<(Order, bool)> {
    let (order, signed) = match kind {
        CmpKind::LtS => (Order::Less, true),
        CmpKind::LeS => (Order::LessOrEqual, true),
        CmpKind::GtS => (Order::Greater, true),
        CmpKind::GeS => (Order::GreaterOrEqual, true),
        CmpKind::LtU => (Order::Less, false),
        CmpKind::LeU => (Order::LessOrEqual, false),
        CmpKind::GtU => (Order::Greater, false),
        CmpKind::GeU => (Order::GreaterOrEqual, false),
        CmpKind::Eq if is_true => return Some((Order::Equal, true)),
        CmpKind::Ne if !is_true => return Some((Order::Equal, true)),
        CmpKind::Eq | CmpKind::Ne => return None,
        CmpKind::FEq | CmpKind::FNe | CmpKind::FLt | CmpKind::FLe | CmpKind::FGt | CmpKind::FGe => {
            return None;
        }
    };
    let order = match (order, is_true) {
        (order, true) => order,
        (Order::Less, false) => Order::GreaterOrEqual,
        (Order::LessOrEqual, false) => Order::Greater,
        (Order::Greater, false) => Order::LessOrEqual,
        (Order::GreaterOrEqual, false) => Order::Less,
        (Order::Equal, false) => return None,
    };
    Some((order, signed))
}

/// A bound as it was before it got the counter's type: a counter that had to go beyond that would overflow.
fn untruncated(ctx: &Context, bound: Value) -> Value {
    let cast = bound
        .defining_op()
        .and_then(|op| Operation::get_op::<Cast>(op, ctx))
        .filter(|cast| cast.kind(ctx) == CastKind::Trunc);
    cast.map_or(bound, |cast| cast.get_operand_value(ctx))
}

/// The one value that a region gives.
fn yielded(reader: &Reader, region: Ptr<Region>) -> Option<Value> {
    let end = ops_of_region(reader.ctx, region).last().copied()?;
    let end = Operation::get_op::<Yield>(end, reader.ctx)?;
    operands_of(reader.ctx, end.get_operation())
        .first()
        .copied()
}

/// Whether an iteration of the loop may end before its end.
fn may_be_cut(reader: &Reader, lp: Ptr<Operation>) -> bool {
    let ctx = reader.ctx;
    nested_ops(ctx, lp)
        .into_iter()
        .any(|op| match Flow::of(ctx, op) {
            Flow::Break => left_by_break(ctx, op) == Some(lp),
            Flow::Return => true,
            Flow::Continue => loop_around(ctx, op) == Some(lp),
            Flow::Yield | Flow::Next | Flow::Once | Flow::Shared => false,
            Flow::If(_) | Flow::Switch(_) | Flow::Loop(_) | Flow::For(_) => false,
        })
}

/// Whether `op`, of the body, comes behind what moves the variable on.
fn comes_behind(reader: &Reader, op: Ptr<Operation>, counting: &Counting) -> bool {
    let ctx = reader.ctx;
    let block = op.deref(ctx).get_parent_block();
    let moved = counting.store.deref(ctx).get_parent_block();
    let Some(block) = block.filter(|_| block == moved) else {
        return false;
    };
    let mut ops = ops_of_block(ctx, block).into_iter();
    ops.find(|other| *other == op || *other == counting.store) != Some(op)
}
