//! Nests of `kernels` that are independent where a test says so, and their tests.
//!
//! ```text
//! for (i = 0; i < s->n; i++)                s->p and s->q may lead to the same memory: there is a test of that, for the outer loop,
//!     for (j = 0; j < m; j++)          →    and the inner one needs nothing else
//!         s->p[i * m + j] = s->q[j];
//! ```
//! Steps: the outer loop of a nest is analysed once more, with pointers followed through memory and products of unsigned numbers taken not to
//! wrap, where [`super::meet`] notes which pointers would have to lead apart; the test is made of that ([`super::test`]); the loops inside
//! are independent where the same is enough for them.
//!
//! Cost: that of the analysis, once more for the loops of such nests.

use accrue_dialects::{
    acc::{Kernels, Loop, Reduction},
    core::{Load, layout::records, pointee},
};
use accrue_ir::walk;
use accrue_opt::analysis::{accesses::Reader, affine::Affine, slice::may_write};
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::ModuleOp},
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::cell::RefCell;
use std::collections::HashSet;

use super::{
    Access, Known, Overlap, analyse, check, gather, needs_proof, ranges::Ranges, test::Test,
};

/// A nest of loops that are independent where a test says so.
pub(super) struct Nest {
    pub outer: Loop,
    /// Those of its loops, the outer one among them, that only the test says it of.
    pub loops: Vec<Ptr<Operation>>,
    pub test: Test,
}

/// The tests for those of the nests, by their outer loops, that can have one.
pub(super) fn tested_nests(
    ctx: &Context,
    module: ModuleOp,
    known: &Known,
    outer: Vec<Loop>,
) -> Vec<Nest> {
    if outer.is_empty() {
        return vec![];
    }
    let records = records(ctx, module);
    let mut affine = Affine::of_tested_subscripts();
    for lp in &outer {
        let reader = Reader::again(ctx, lp.get_region(ctx), affine).through_memory();
        let inside = walk::nested::<Load>(ctx, lp.get_operation());
        let near = unwritten_before(ctx, lp.get_operation());
        let before = loads_of_bounds(ctx, *lp).into_iter();
        let before = before.filter(|load| near.contains(&load.get_operation()));
        reader.keep_loaded(before.chain(inside));
        affine = reader.done();
    }
    let (ranges, mut affine) = Ranges::of_constructs(ctx, module, affine);
    let mut nests = vec![];
    for lp in outer {
        let reader = Reader::again(ctx, lp.get_region(ctx), affine).through_memory();
        let pairs = RefCell::new(vec![]);
        let found = gather(&reader, lp, (known, &ranges)).and_then(|mut gathered| {
            let loads = loads_of_bounds(ctx, lp).into_iter();
            gathered
                .accesses
                .extend(loads.map(|load| access(&reader, load)));
            check(
                &reader,
                lp,
                known,
                (&gathered, &[]),
                Overlap::Tested(&pairs),
            )?;
            Ok(gathered)
        });
        let pairs = pairs.into_inner();
        let test = found.ok().filter(|gathered| gathered.scalars.is_empty());
        let test = test.and_then(|gathered| {
            Test::new(&reader, lp, &ranges, &records, &gathered.accesses, &pairs)
        });
        affine = reader.done();
        let Some(test) = test else {
            continue;
        };
        let mut loops = vec![lp.get_operation()];
        for inner in walk::nested::<Loop>(ctx, lp.get_operation()) {
            if !needs_proof(ctx, inner) {
                continue;
            }
            let reader = Reader::again(ctx, inner.get_region(ctx), affine).through_memory();
            let own = RefCell::new(vec![]);
            let tested = Overlap::Tested(&own);
            let found = analyse(&reader, inner, (known, &ranges), tested);
            affine = reader.done();
            // What is tested is what the outer loop needs.
            let same = own.into_inner().iter().all(|pair| pairs.contains(pair));
            if same && found.is_ok_and(|private| private.is_empty()) {
                loops.push(inner.get_operation());
            }
        }
        nests.push(Nest {
            outer: lp,
            loops,
            test,
        });
    }
    nests
}

/// What the bounds of a loop are loaded from, in the construct.
fn loads_of_bounds(ctx: &Context, lp: Loop) -> Vec<Load> {
    let construct = walk::enclosing::<Kernels>(ctx, lp.get_operation());
    let Some(construct) = construct.map(|kernels| kernels.get_region(ctx)) else {
        return vec![];
    };
    let bounds = lp.bounds(ctx).into_iter();
    let mut open: Vec<Value> = bounds
        .flat_map(|(lower, upper, step)| [lower, upper, step])
        .collect();
    let (mut seen, mut found) = (HashSet::new(), vec![]);
    while let Some(value) = open.pop() {
        let op = value.defining_op();
        let op = op.filter(|op| walk::is_inside(ctx, *op, construct) && seen.insert(*op));
        if let Some(op) = op {
            open.extend(walk::operands_of(ctx, op));
            found.extend(Operation::get_op::<Load>(op, ctx));
        }
    }
    found
}

/// The operations before a loop behind which nothing writes until it starts.
fn unwritten_before(ctx: &Context, lp: Ptr<Operation>) -> HashSet<Ptr<Operation>> {
    let mut found = HashSet::new();
    let mut at = lp.deref(ctx).get_prev();
    while let Some(op) = at.filter(|op| {
        // A reduction is about the loop itself.
        Operation::is_op::<Reduction>(*op, ctx) || !may_write(ctx, *op)
    }) {
        found.insert(op);
        at = op.deref(ctx).get_prev();
    }
    found
}

/// What a load accesses, before the loop.
fn access(reader: &Reader, load: Load) -> Access {
    let ctx = reader.ctx;
    let address = load.get_operand_address(ctx);
    Access {
        op: load.get_operation(),
        address: Some(address),
        place: reader.subscripts(address),
        loops: [].into(),
        write: false,
        ty: pointee(ctx, address).unwrap_or_else(|| address.get_type(ctx)),
        commuting: None,
    }
}
