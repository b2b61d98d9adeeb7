//! Two versions of a nest in a `kernels` construct: one for where a test holds, whose iterations are independent then, and one that
//! runs in order where it does not.
//!
//! ```text
//! kernels {                                 kernels {
//!   for (i = 0; i < n; i++)                   test = …;                                      kernel 0, all gangs
//!     p[i] = q[i];                  →         for (i = 0; i < (test ? n : 0); i++)  p[i] = q[i];
//! }                                           test = …;                                      kernel 1, one thread
//!                                             for (once = 0; once < (test ? 0 : 1); once++)
//!                                               for (i = 0; i < n; i++)  p[i] = q[i];
//!                                           }
//! ```
//! Each is a loop over gangs directly in the construct, so that each has a kernel of its own, on every target. That is why memory may be asked:
//! what the test reads is apart from what the nest writes if the test holds, and if it does not, the first kernel writes nothing. So both kernels
//! get the same answer, and all gangs of each.
//!
//! Cost: that of the test, and a copy of the nest.

use accrue_dialects::{
    acc::{ClauseOp, Group, Kernels, Loop, LoopClauses, Reduction, Yield},
    core::{BinKind, emit::Emitter, fold::constant, int_width},
    par::{Levels, LoopDim, LoopTest},
};
use accrue_ir::walk;
use accrue_opt::{State, analysis::slice::recompute, diagnostic::COPY};
use pliron::{
    builtin::attributes::BoolAttr,
    context::{Context, Ptr},
    irbuild::{cloning::IrMapping, inserter::OpInsertionPoint},
    linked_list::LinkedList,
    location::Location,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use super::{NAME, code::emit, test::Test};
use crate::attributes::TEST;

/// Whether a nest may have two versions.
pub(super) fn may_have(ctx: &Context, lp: Loop) -> bool {
    let op = lp.get_operation();
    let around = op.deref(ctx).get_parent_op(ctx);
    let directly = around.is_some_and(|op| Operation::is_op::<Kernels>(op, ctx));
    let asks = |lp: Loop| {
        [
            Group::GangNum,
            Group::GangDim,
            Group::GangStatic,
            Group::WorkerNum,
            Group::VectorLength,
            Group::Tile,
            Group::Private,
        ]
        .into_iter()
        .any(|group| !lp.clause(ctx, group).is_empty())
    };
    let mut nest = walk::nested::<Loop>(ctx, op);
    nest.push(lp);
    directly && !nest.into_iter().any(asks)
}

/// Makes both.
pub(super) fn make(ctx: &mut Context, lp: Loop, test: &Test, state: &mut State) {
    let op = lp.get_operation();
    let point = before_reductions(ctx, op);
    let before = point.deref(ctx).get_prev();
    let bounds = bounds_again(ctx, op, lp.dims(ctx).len(), point);
    let of_bounds = between(ctx, before, point);
    let mut copies = IrMapping::new();
    let once = copy_in_order(ctx, lp, &of_bounds, &mut copies);
    let holds = emit(ctx, op, test, (&bounds, IrMapping::new()));
    let mut e = Emitter::before(ctx, op);
    // The first dimension has no iteration where its bounds are those of a loop without one.
    let Some((lower, upper, _)) = lp.bounds(e.ctx).first().copied() else {
        return;
    };
    let width = int_width(e.ctx, lower.get_type(e.ctx)).unwrap_or(32);
    let (zero, one) = (e.int(width, 0), e.int(width, 1));
    let (first, end) = match lp.dims(e.ctx).first().map(|dim| dim.test) {
        Some(LoopTest::Lt | LoopTest::Gt | LoopTest::Ne) | None => (zero, zero),
        Some(LoopTest::Le) => (one, zero),
        Some(LoopTest::Ge) => (zero, one),
    };
    let mut unless_it_holds = |bound: Value, other: Value| {
        let number = constant(e.ctx, bound);
        match number.is_some() && number == constant(e.ctx, other) {
            true => bound,
            false => e.select(holds, bound, other),
        }
    };
    let lower = unless_it_holds(lower, first);
    let upper = unless_it_holds(upper, end);
    let dims = lp.dims(ctx).len();
    Operation::replace_operand(op, ctx, 0, lower);
    Operation::replace_operand(op, ctx, dims, upper);
    mark(ctx, before, op);

    let holds = emit(ctx, once, test, (&bounds, copies));
    let mut e = Emitter::before(ctx, once);
    let (zero, one, bit) = (e.i32(0), e.i32(1), e.int(1, 1));
    // The number of iterations is the first value at most, to who does not know the test.
    let fails = e.bin(BinKind::Xor, holds, bit);
    let times = e.select(fails, one, zero);
    Operation::replace_operand(once, ctx, 1, times);
    mark(ctx, Some(op), once);
    let message = "where the test fails, another kernel runs the loop in order".to_string();
    state.remark(ctx, op, NAME, message);
}

/// The first of the reductions right before a loop, or the loop.
fn before_reductions(ctx: &Context, op: Ptr<Operation>) -> Ptr<Operation> {
    let mut first = op;
    let mut at = op.deref(ctx).get_prev();
    while let Some(op) = at.filter(|op| Operation::is_op::<Reduction>(*op, ctx)) {
        first = op;
        at = op.deref(ctx).get_prev();
    }
    first
}

/// Computes the bounds of a loop once more at a point before it, if that is possible, so that they belong to it: which value stands for which.
fn bounds_again(
    ctx: &mut Context,
    op: Ptr<Operation>,
    dims: usize,
    point: Ptr<Operation>,
) -> IrMapping {
    let mut copies = IrMapping::new();
    let operands = walk::operands_of(ctx, op).into_iter().take(3 * dims);
    for (index, bound) in operands.enumerate() {
        let at = OpInsertionPoint::BeforeOperation(point);
        if let Ok(new) = recompute(ctx, bound, at, point, &mut copies) {
            Operation::replace_operand(op, ctx, index, new);
        }
    }
    copies
}

/// A loop of one iteration behind the nest, around a copy of it, which nothing says to be independent, with copies of what computes its bounds.
fn copy_in_order(
    ctx: &mut Context,
    lp: Loop,
    of_bounds: &[Ptr<Operation>],
    copies: &mut IrMapping,
) -> Ptr<Operation> {
    let op = lp.get_operation();
    let offered = LoopClauses {
        implicit: true,
        ..LoopClauses::default()
    };
    let dim = LoopDim {
        test: LoopTest::Lt,
        unsigned: false,
    };
    let mut e = Emitter::after(ctx, op);
    for bound in of_bounds {
        e.copy(*bound, copies);
    }
    for reduction in lp.clause(e.ctx, Group::Reduction) {
        if let Some(reduction) = reduction.defining_op() {
            e.copy(reduction, copies);
        }
    }
    let (zero, one) = (e.i32(0), e.i32(1));
    let (once, body) = Loop::new(e.ctx, vec![(zero, one, one)], vec![dim], offered.clone());
    e.push(once);
    let independent = Levels {
        independent: true,
        ..Levels::default()
    };
    once.set_levels(ctx, independent);
    let mut e = Emitter::at_end_of(ctx, body, op);
    let copy = e.copy(op, copies);
    let end = Yield::new(e.ctx);
    e.push(end);
    for inside in walk::nested_ops(ctx, copy).into_iter().chain([copy]) {
        if let Some(lp) = Operation::get_op::<Loop>(inside, ctx) {
            lp.set_clauses(ctx, offered.clone());
            lp.set_levels(ctx, Levels::default());
        }
    }
    let once = once.get_operation();
    for inside in walk::nested_ops(ctx, once).into_iter().chain([once]) {
        let location = Location::Named {
            name: COPY.to_string(),
            child_loc: Box::new(inside.deref(ctx).loc().clone()),
        };
        inside.deref_mut(ctx).set_loc(location);
    }
    once
}

/// The operations between another one and a nest, in order.
fn between(
    ctx: &Context,
    after: Option<Ptr<Operation>>,
    nest: Ptr<Operation>,
) -> Vec<Ptr<Operation>> {
    let mut found = vec![];
    let mut at = nest.deref(ctx).get_prev();
    while let Some(op) = at.filter(|_| at != after) {
        found.push(op);
        at = op.deref(ctx).get_prev();
    }
    found.reverse();
    found
}

/// Lets what stands between another operation and a nest belong to the nest.
fn mark(ctx: &Context, after: Option<Ptr<Operation>>, nest: Ptr<Operation>) {
    for op in between(ctx, after, nest) {
        let is_reduction = Operation::is_op::<Reduction>(op, ctx);
        if !is_reduction {
            TEST.set(ctx, op, BoolAttr::new(true));
        }
    }
}
