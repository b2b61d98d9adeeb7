//! Between which numbers sums of induction variables are, as far as the bounds of their loops say.
//!
//! ```text
//! for (k = 1; k < nz - 1; k++)         1 <= k <= nz - 2, and nz >= 3 wherever there is an iteration
//! for (i = k + 1; i < n; i++)          n >= k + 2, so that n >= 2 where k counts from 0
//! ```
//! A sum has no variable any more once each, from the inside out, is replaced by one end of its range: by the first if its factor is not
//! negative, for what the sum is at least. What is left is not negative if all its terms are, and what these are made of is.
//!
//! Cost: of a question the square of the number of loops, times the length of a sum.

use crate::written_end::written_end;
use accrue_dialects::{
    acc::{ComputeOp, Loop},
    address_use::{UseKind, use_of},
    core::{Bin, BinKind, Load, Store, fold::constant, int_width},
    par::{LoopDim, LoopTest},
};
use accrue_ir::walk;
use accrue_opt::analysis::{
    accesses::{Reader, is_unaliased},
    affine::{Affine, Atom, AtomId, Sum},
    variables::Root,
};
use pliron::{
    builtin::{
        op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    op::{Op, op_impls},
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashMap;

/// An induction variable and, as far as they are known, the least and the greatest number that it has.
#[derive(Clone)]
pub(super) struct Range {
    pub variable: Value,
    pub first: Option<Sum>,
    pub last: Option<Sum>,
    /// The variable has 32 bits without sign.
    pub is_word: bool,
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
    let ranges = dims.map(|((variable, bounds), dim)| range(reader, variable, bounds, dim));
    ranges.rev().collect()
}

fn range(
    reader: &Reader,
    variable: Value,
    (lower, upper, step): (Value, Value, Value),
    dim: LoopDim,
) -> Range {
    let (start, end) = (
        reader.sum(lower),
        reader.sum(written_end(reader.ctx, upper)),
    );
    let beside = |by| end.clone().plus(&Sum::number(by), 1);
    let last = match (dim.test, constant(reader.ctx, step)) {
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
    let width = int_width(reader.ctx, variable.get_type(reader.ctx));
    Range {
        variable,
        first,
        last,
        is_word: dim.unsigned && width == Some(32),
    }
}

/// Which end of what a sum may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// A sum without the variables of those loops that are `wanted`, which is never more than `sum`, or never less.
pub(super) fn bound(
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
pub(super) fn is_natural(reader: &Reader, sum: &Sum, loops: &[Range]) -> bool {
    if let Some(number) = sum.as_number() {
        return number >= 0;
    }
    let Some(mut least) = bound(reader, sum, loops, End::First, |_| true) else {
        return false;
    };
    // What is at least so much is that, and something that is not negative.
    let facts = facts(reader, loops, &least);
    for (atom, at_least) in facts.iter().rev() {
        let Some(stride) = least.stride(*atom) else {
            return false;
        };
        least = least.plus(&stride.times(at_least), 1);
    }
    let mut terms = least.terms();
    terms.all(|(atoms, factor)| factor >= 0 && atoms.iter().all(|atom| is_known(&facts, *atom)))
}

/// What some atoms are at least, in terms of those before them: counters of the program, and what follows from a loop having an iteration.
fn facts(reader: &Reader, loops: &[Range], sum: &Sum) -> Vec<(AtomId, Sum)> {
    let gaps = loops.iter().rev();
    let gaps: Vec<Sum> = gaps
        .filter_map(|range| Some(range.last.as_ref()?.minus(range.first.as_ref()?)))
        .collect();
    let mut facts: Vec<(AtomId, Sum)> = vec![];
    for atom in gaps.iter().flat_map(Sum::atoms).chain(sum.atoms()) {
        if !is_known(&facts, atom) && is_counter(reader, atom) {
            facts.push((atom, Sum::default()));
        }
    }
    for gap in &gaps {
        // Once, and in no product with others.
        let one = Some(Sum::number(1));
        for atom in gap.atoms().filter(|atom| gap.stride(*atom) == one) {
            let least = gap.without(atom).times(&Sum::number(-1));
            let mut terms = least.terms();
            let holds = terms
                .all(|(atoms, factor)| factor >= 0 && atoms.iter().all(|a| is_known(&facts, *a)));
            drop(terms);
            let known = facts.iter_mut().find(|(known, _)| *known == atom);
            match known.map(|(_, least)| (least.as_number(), least)) {
                None if holds => facts.push((atom, least)),
                Some((Some(before), known)) if least.as_number() > Some(before) => *known = least,
                Some(_) | None => {}
            }
        }
    }
    facts
}

fn is_known(facts: &[(AtomId, Sum)], atom: AtomId) -> bool {
    facts.iter().any(|(known, _)| *known == atom)
}

/// Whether the atom is what a signed variable holds that starts at numbers that are not negative and only ever grows by such.
fn is_counter(reader: &Reader, atom: AtomId) -> bool {
    let ctx = reader.ctx;
    let (Atom::Variable { root, signed: true }, _) = reader.atom(atom) else {
        return false;
    };
    let Root::Local(alloca) = &root else {
        return false;
    };
    let is_natural = |value| constant(ctx, value).is_some_and(|number| number >= 0);
    let is_own = |value: Value| {
        let load = value.defining_op();
        let load = load.and_then(|op| Operation::get_op::<Load>(op, ctx));
        load.is_some_and(|load| load.get_operand_address(ctx) == *alloca)
    };
    let grows = |value: Value| {
        let sum = value.defining_op();
        let sum = sum.and_then(|op| Operation::get_op::<Bin>(op, ctx));
        sum.filter(|sum| sum.kind(ctx) == BinKind::AddS)
            .is_some_and(|sum| {
                let (left, right) = (sum.get_operand_lhs(ctx), sum.get_operand_rhs(ctx));
                is_own(left) && is_natural(right) || is_natural(left) && is_own(right)
            })
    };
    is_unaliased(ctx, &root)
        && uses_of(ctx, alloca).all(|kind_and_op| match kind_and_op {
            (UseKind::Write { .. }, op) => {
                let store = Operation::get_op::<Store>(op, ctx);
                let value = store.map(|store| store.get_operand_value(ctx));
                value.is_some_and(|value| is_natural(value) || grows(value))
            }
            (UseKind::Read { .. } | UseKind::Clause | UseKind::Look, _) => true,
            (UseKind::Update { .. } | UseKind::Derive | UseKind::Pass | UseKind::Keep, _) => false,
        })
}

/// What is done with the address of a variable, and by what.
fn uses_of<'a>(
    ctx: &'a Context,
    alloca: &Value,
) -> impl Iterator<Item = (UseKind, Ptr<Operation>)> + 'a {
    let uses = alloca.uses(ctx).into_iter();
    uses.map(|used| {
        let op = used.user_op();
        (use_of(ctx, op, used.find_index(ctx)), op)
    })
}
