//! The builtins of a loop stand next to each other, one for each variable: they are expanded together.
//!
//! ```text
//! %a = par.red_teardown (%x) Worker (2,0)      one run: one record, one barrier
//! %b = par.red_teardown (%y) Worker (2,1)
//! ```
//! Where a loop is spread over workers and lanes at once, its vector TEARDOWNs, worker FINIs and worker TEARDOWNs follow on
//! each other with nothing in between that would look at the values: they are fused, and the sub-groups of all workers are
//! combined in one pass. Only workers of several sub-groups gain by that.

use super::{
    super::{modes::Mode, unit::Unit},
    Builtin, Reduction,
};
use accrue_dialects::par::{Join, Level, Lock, Unlock};
use accrue_ir::walk::results_of;
use pliron::{
    context::{Context, Ptr},
    linked_list::LinkedList,
    operation::Operation,
};

/// Builtins of the same kind, loop and level, next to each other.
#[derive(Clone, Debug)]
pub struct Run {
    pub members: Vec<Reduction>,
    pub builtin: Builtin,
    pub level: Level,
    pub mode: Mode,
    /// Part of a loop over workers and lanes that is combined in one pass.
    pub fused: bool,
}

/// The runs of the function's builtins, in order.
pub fn runs(ctx: &Context, unit: &Unit, all: &[Reduction]) -> Vec<Run> {
    let mut runs: Vec<Run> = vec![];
    for reduction in all {
        let last = runs.last_mut();
        match last.filter(|run| goes_on(ctx, run, reduction)) {
            Some(run) => run.members.push(*reduction),
            None => runs.push(Run {
                members: vec![*reduction],
                builtin: reduction.builtin,
                level: reduction.info.level,
                mode: reduction.mode,
                fused: false,
            }),
        }
    }
    if unit.limits.max_vector > unit.target.subgroup && unit.limits.max_workers > 1 {
        fuse(ctx, &mut runs);
    }
    runs
}

fn goes_on(ctx: &Context, run: &Run, next: &Reduction) -> bool {
    let Some(last) = run.members.last() else {
        return false;
    };
    let follows = last.op.deref(ctx).get_next() == Some(next.op);
    follows
        && run.builtin == next.builtin
        && run.level == next.info.level
        && last.info.id.loop_id == next.info.id.loop_id
}

/// Marks loops over workers and lanes.
fn fuse(ctx: &Context, runs: &mut [Run]) {
    for first in 0..runs.len().saturating_sub(2) {
        let [lanes, fini, workers] = &runs[first..first + 3] else {
            continue;
        };
        if are_one_loop(ctx, lanes, fini, workers) {
            for run in &mut runs[first..first + 3] {
                run.fused = true;
            }
        }
    }
}

fn are_one_loop(ctx: &Context, lanes: &Run, fini: &Run, workers: &Run) -> bool {
    let kinds = [lanes, fini, workers].map(|r| (r.level, r.builtin));
    let wanted = [
        (Level::Vector, Builtin::Teardown),
        (Level::Worker, Builtin::Fini),
        (Level::Worker, Builtin::Teardown),
    ];
    let is_lock = |op| Operation::is_op::<Lock>(op, ctx);
    let is_end = |op| Operation::is_op::<Unlock>(op, ctx) || Operation::is_op::<Join>(op, ctx);
    kinds == wanted
        && hands_over(ctx, lanes, fini)
        && hands_over(ctx, fini, workers)
        && only_between(ctx, lanes, fini, &is_lock)
        && only_between(ctx, fini, workers, &is_end)
}

/// Whether what `from` gives goes to `to` and nowhere else.
fn hands_over(ctx: &Context, from: &Run, to: &Run) -> bool {
    let one = |(a, b): (&Reduction, &Reduction)| {
        let local = b.local(ctx);
        let given = match results_of(ctx, a.op).first() {
            Some(result) => *result == local && result.num_uses(ctx) == 1,
            None => a.local(ctx) == local,
        };
        a.info.id == b.info.id && given
    };
    from.members.len() == to.members.len() && from.members.iter().zip(&to.members).all(one)
}

/// Whether all operations between two runs are of a kind.
fn only_between(
    ctx: &Context,
    from: &Run,
    to: &Run,
    allowed: &dyn Fn(Ptr<Operation>) -> bool,
) -> bool {
    let (Some(last), Some(first)) = (from.members.last(), to.members.first()) else {
        return false;
    };
    let mut next = last.op.deref(ctx).get_next();
    while let Some(op) = next {
        if op == first.op {
            return true;
        }
        if !allowed(op) {
            return false;
        }
        next = op.deref(ctx).get_next();
    }
    false
}
