//! Two loops that are nothing but a nest around others, of which nobody says which levels they have: they become one, over gangs and
//! workers.
//!
//! ```text
//! #pragma acc loop independent                    acc.loop (g, m) …      gang worker
//! for (int g = 0; g < 32; g++)                        acc.loop h seq
//!     #pragma acc loop independent            →           acc.loop c     vector
//!     for (int m = 0; m < 9; m++)
//!         for (int h = 0; h < 32; h++)            not: gang / worker / … / vector
//!             #pragma acc loop independent
//!             for (int c = 0; c < n; c++) …
//! ```
//! By their places, the outermost loop would have the gangs, the next one the workers, and the innermost one the lanes. That many gangs as
//! the outermost loop has iterations are few for a GPU, as batches, groups of energy and channels are: 32 gangs took six times as long as
//! 288. Nests in which nothing stands but the next loop, down to the innermost, stay as they are: a grid has a thread for each of their
//! iterations.
//!
//! Cost: linear in the number of loops, for each loop around.

use accrue_dialects::{
    acc::{ClauseOp, DeviceType, Group, Loop},
    core::{Alloca, Load, Store, emit::Emitter, layout::Records},
    flow::Flow,
    par::Levels,
};
use accrue_ir::{effects::is_pure, walk};
use accrue_opt::{
    State,
    analysis::{
        slice::recompute,
        variables::{Root, defined_inside, root_of, uses_of},
    },
};
use pliron::{
    builtin::{
        attributes::BoolAttr,
        op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
    },
    context::{Context, Ptr},
    irbuild::{cloning::IrMapping, inserter::OpInsertionPoint},
    op::Op,
    operation::Operation,
    value::Value,
};

use super::{NAME, asked, has_parallel_loop_inside, is_asserted, is_independent};
use crate::{
    attributes::{APART, JOINED},
    device_types::applies,
    routines::Routines,
    sequential_work,
};

/// Lower bound, upper bound and step.
type Bounds = (Value, Value, Value);

/// Joins the loops of such nests in a construct.
pub(super) fn join(
    ctx: &mut Context,
    construct: Ptr<Operation>,
    (routines, records): (&Routines, &Records),
    state: &mut State,
) {
    let mut outermost = walk::nested::<Loop>(ctx, construct);
    outermost.retain(|lp| walk::enclosing::<Loop>(ctx, lp.get_operation()).is_none());
    for outer in outermost {
        if !is_free(ctx, outer) {
            continue;
        }
        let Some(inner) = only_loop_in(ctx, outer).filter(|inner| is_free(ctx, *inner)) else {
            continue;
        };
        // Else the inner one has the lanes.
        let has_inner = has_parallel_loop_inside(ctx, inner, (routines, records))
            && !sequential_work::outweighs(ctx, inner, records);
        if !has_inner || !is_around_others(ctx, inner) || !loads_stay(ctx, outer) {
            continue;
        }
        if let Some(bounds) = bounds_in_front(ctx, outer, inner) {
            let message = "the loop inside and this one are one, so that there are more gangs";
            state.remark(ctx, outer.get_operation(), NAME, message.to_string());
            make_one(ctx, outer, inner, bounds);
        }
    }
}

/// Whether the loop is independent, and its clauses say nothing else.
fn is_free(ctx: &Context, lp: Loop) -> bool {
    let clauses = lp.clauses(ctx);
    let groups = [
        Group::GangNum,
        Group::GangDim,
        Group::GangStatic,
        Group::WorkerNum,
        Group::VectorLength,
        Group::Tile,
        Group::Reduction,
        Group::Private,
    ];
    let devices = lp.device_types(ctx);
    // In `parallel`, loops without directive are no part of a nest.
    let offered = clauses.implicit && is_asserted(ctx, lp);
    is_independent(ctx, lp)
        && !offered
        && !applies(&clauses.seq)
        && asked(&clauses).is_empty()
        && groups.iter().all(|group| lp.clause(ctx, *group).is_empty())
        && devices.iter().all(|device| *device == DeviceType::None)
        && !APART.is_on(ctx, lp.get_operation())
}

/// The loop in the body of `lp`, if nothing else is done there but for scalars of the iteration.
fn only_loop_in(ctx: &Context, lp: Loop) -> Option<Loop> {
    let mut found = None;
    for op in walk::ops_of_block(ctx, lp.get_body(ctx, 0)) {
        if let Some(inner) = Operation::get_op::<Loop>(op, ctx) {
            if found.replace(inner).is_some() {
                return None;
            }
            continue;
        }
        // A variable of the iteration, as the program's own counter is, may be set again in each iteration of the inner loop.
        let sets_own = Operation::get_op::<Store>(op, ctx).is_some_and(|store| {
            let variable = store.get_operand_address(ctx).defining_op();
            variable.is_some_and(|variable| {
                Operation::is_op::<Alloca>(variable, ctx)
                    && walk::is_inside(ctx, variable, lp.get_region(ctx))
            })
        });
        let harmless = sets_own
            || is_pure(ctx, op)
            || Operation::is_op::<Alloca>(op, ctx)
            || Operation::is_op::<Load>(op, ctx)
            || Flow::of(ctx, op) == Flow::Yield;
        if !harmless {
            return None;
        }
    }
    found
}

/// Whether a parallel loop stands somewhere in `lp` that is more than the next one of a nest of nothing but loops.
fn is_around_others(ctx: &Context, lp: Loop) -> bool {
    let inside = walk::nested::<Loop>(ctx, lp.get_operation());
    let parallel = |lp: &Loop| is_independent(ctx, *lp) && !applies(&lp.clauses(ctx).seq);
    let (mut at, mut depth) = (lp, 0);
    while let Some(next) = only_loop_in(ctx, at).filter(parallel) {
        (at, depth) = (next, depth + 1);
    }
    let nothing_but_loops = depth == inside.len();
    inside.iter().any(parallel) && !nothing_but_loops
}

/// Whether what `lp` loads in front of the loop inside is the same in each iteration of that: its own variables, and scalars that nothing in it
/// writes.
fn loads_stay(ctx: &Context, lp: Loop) -> bool {
    let region = lp.get_region(ctx);
    let loads = walk::ops_of_block(ctx, lp.get_body(ctx, 0)).into_iter();
    let mut loads = loads.filter_map(|op| Operation::get_op::<Load>(op, ctx));
    loads.all(|load| {
        let Some(root @ Root::Local(variable)) = root_of(ctx, load.get_operand_address(ctx)) else {
            return false;
        };
        defined_inside(ctx, variable, region)
            || uses_of(ctx, region, &root)
                .iter()
                .all(|used| Operation::is_op::<Load>(used.op, ctx))
    })
}

/// The inner loop's bounds, computed in front of the outer one; `None` if they depend on its counter.
fn bounds_in_front(ctx: &mut Context, outer: Loop, inner: Loop) -> Option<Vec<Bounds>> {
    let op = outer.get_operation();
    let bounds = inner.bounds(ctx);
    let mut mapping = IrMapping::new();
    let mut again = |bound| {
        let point = OpInsertionPoint::BeforeOperation(op);
        recompute(ctx, bound, point, op, &mut mapping).ok()
    };
    bounds
        .into_iter()
        .map(|(lower, upper, step)| Some((again(lower)?, again(upper)?, again(step)?)))
        .collect()
}

fn make_one(ctx: &mut Context, outer: Loop, inner: Loop, inner_bounds: Vec<Bounds>) {
    let op = outer.get_operation();
    let bounds = [outer.bounds(ctx), inner_bounds].concat();
    let dims = [outer.dims(ctx), inner.dims(ctx)].concat();
    let clauses = outer.clauses(ctx);
    let (joined, body) = Loop::new(ctx, bounds, dims, clauses);
    Emitter::before(ctx, op).push(joined);
    let location = op.deref(ctx).loc().clone();
    joined.get_operation().deref_mut(ctx).set_loc(location);
    let levels = Levels {
        independent: true,
        ..Levels::default()
    };
    joined.set_levels(ctx, levels);
    JOINED.set(ctx, joined.get_operation(), BoolAttr::new(true));
    let counters: Vec<Value> = body.deref(ctx).arguments().collect();
    let olds: Vec<Value> = [outer, inner]
        .into_iter()
        .flat_map(|lp| {
            let block = lp.get_body(ctx, 0);
            let arguments: Vec<Value> = block.deref(ctx).arguments().collect();
            arguments
        })
        .collect();
    for (old, new) in olds.into_iter().zip(counters) {
        old.replace_all_uses_with(ctx, &new);
    }
    let around = walk::ops_of_block(ctx, outer.get_body(ctx, 0)).into_iter();
    let around =
        around.filter(|op| *op != inner.get_operation() && Flow::of(ctx, *op) != Flow::Yield);
    let moved: Vec<_> = around
        .chain(walk::ops_of_block(ctx, inner.get_body(ctx, 0)))
        .collect();
    for op in moved {
        op.unlink(ctx);
        op.insert_at_back(body, ctx);
    }
    Operation::erase(op, ctx);
}
