//! Which level of threads shares out each loop nest of a region.

use crate::structure::teams_of;
use accrue_dialects::{
    acc::{DeviceType, DeviceTypes, LoopClauses},
    omp::{Binding, LoopNest, Parallel, Share, Target},
};
use accrue_ir::walk;
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface, context::Context, op::Op,
    operation::Operation,
};

/// What the loops of a region want of the device.
pub struct Plan {
    /// There is a loop that is shared out, or may be.
    pub shared: bool,
    /// The only thing in the region is a loop shared out among threads, so that more than one team may do it.
    pub lone_loop: bool,
    /// Threads have lanes of their own.
    pub lanes: bool,
}

/// Looks at a region as a whole.
pub fn plan(ctx: &Context, target: Target) -> Plan {
    let nests = walk::nested::<LoopNest>(ctx, target.get_operation());
    let of_threads =
        |nest: &LoopNest| nest.is_shared_by(ctx, Share::For) || nest.is_shared_by(ctx, Share::Loop);
    let outermost = outermost(ctx, target);
    let lone_loop = teams_of(ctx, target).is_none()
        && outermost.is_some_and(|nest| {
            of_threads(&nest) && is_parallel(ctx, nest) && !nest.is_of_threads(ctx)
        });
    let lanes = nests
        .iter()
        .any(|nest| is_of_a_teams_threads(ctx, *nest) && has_simd_inside(ctx, *nest));
    Plan {
        shared: !nests.is_empty(),
        lone_loop,
        lanes,
    }
}

/// The loop nest that is all there is in the region, if there is one.
fn outermost(ctx: &Context, target: Target) -> Option<LoopNest> {
    let mut block = target.get_body(ctx, 0);
    loop {
        let ops = walk::ops_of_block(ctx, block);
        let mut found = ops.iter().filter_map(|op| {
            let nest = Operation::get_op::<LoopNest>(*op, ctx).map(Ok);
            nest.or_else(|| Operation::get_op::<Parallel>(*op, ctx).map(Err))
        });
        let only = found.next().filter(|_| found.next().is_none())?;
        let beside = ops.iter().any(|op| {
            let effects = accrue_ir::effects::effects_of(ctx, *op);
            let is_it = match only {
                Ok(nest) => nest.get_operation() == *op,
                Err(parallel) => parallel.get_operation() == *op,
            };
            !is_it && effects.may_write()
        });
        match only {
            _ if beside => return None,
            Ok(nest) => return Some(nest),
            Err(parallel) => block = parallel.get_body(ctx, 0),
        }
    }
}

/// Whether threads start at the loop nest or around it.
fn is_parallel(ctx: &Context, nest: LoopNest) -> bool {
    nest.is_shared_by(ctx, Share::Parallel)
        || walk::enclosing::<Parallel>(ctx, nest.get_operation()).is_some()
        || nest.binding(ctx) == Some(Binding::Parallel)
}

/// Whether threads of a team share out the loop nest's iterations: `for`, and `loop` in a `parallel`.
fn is_of_a_teams_threads(ctx: &Context, nest: LoopNest) -> bool {
    let is_loop = nest.is_shared_by(ctx, Share::Loop);
    nest.is_shared_by(ctx, Share::For) || is_loop && is_parallel(ctx, nest)
}

fn has_simd_inside(ctx: &Context, nest: LoopNest) -> bool {
    walk::nested::<LoopNest>(ctx, nest.get_operation())
        .into_iter()
        .any(|inner| inner != nest && inner.is_shared_by(ctx, Share::Simd))
}

/// Whether a loop nest around shares its iterations out among threads.
fn is_in_threads(ctx: &Context, nest: LoopNest) -> bool {
    let mut around = walk::enclosing::<LoopNest>(ctx, nest.get_operation());
    while let Some(outer) = around {
        if is_of_a_teams_threads(ctx, outer) {
            return true;
        }
        around = walk::enclosing::<LoopNest>(ctx, outer.get_operation());
    }
    false
}

/// Whether a loop nest around shares its iterations out among lanes.
fn is_in_lanes(ctx: &Context, nest: LoopNest) -> bool {
    let outer = walk::enclosing::<LoopNest>(ctx, nest.get_operation());
    outer.is_some_and(|outer| outer.is_shared_by(ctx, Share::Simd) || is_in_lanes(ctx, outer))
}

/// The levels of one loop nest, as clauses of the loop that it becomes.
pub fn of_loop(ctx: &Context, nest: LoopNest, plan: &Plan) -> LoopClauses {
    let mut clauses = LoopClauses::default();
    let on = || DeviceTypes(vec![DeviceType::None]);
    let outer = walk::enclosing::<LoopNest>(ctx, nest.get_operation());
    let shares = |share| nest.is_shared_by(ctx, share);
    if shares(Share::Distribute) || plan.lone_loop && outer.is_none() {
        clauses.gang = on();
    }
    if shares(Share::For) {
        match (is_in_threads(ctx, nest), has_simd_inside(ctx, nest)) {
            // Of threads that one thread starts there is one.
            (true, _) => {}
            (false, _) if !is_parallel(ctx, nest) => {}
            (false, true) => clauses.worker = on(),
            (false, false) => clauses.vector = on(),
        }
    }
    // In lanes there are no others: what is inside of `simd` runs in order.
    if shares(Share::Simd) && !is_in_lanes(ctx, nest) {
        clauses.vector = on();
    }
    if shares(Share::Loop) {
        match nest.binding(ctx) {
            Some(Binding::Teams) => clauses.gang = on(),
            Some(Binding::Parallel) => {}
            _ if is_in_threads(ctx, nest) || is_in_lanes(ctx, nest) => clauses.seq = on(),
            Some(Binding::Thread) | None => clauses.independent = on(),
        }
        if is_parallel(ctx, nest) && clauses.seq.0.is_empty() {
            match has_simd_inside(ctx, nest) {
                true => clauses.worker = on(),
                false => clauses.vector = on(),
            }
        }
        return clauses;
    }
    let levels = [&clauses.gang, &clauses.worker, &clauses.vector];
    if levels.iter().all(|level| level.0.is_empty()) {
        clauses.seq = on();
    }
    clauses
}
