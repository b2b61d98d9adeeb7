//! Answers of routines that the structure of a region gives (OpenMP 5.2, sections 18.2 and 18.4).
//!
//! ```text
//! omp_get_level()           how many `parallel` constructs are around
//! omp_in_parallel()         outside of them 0, in one whether it has more than one thread
//! omp_get_max_threads()     what a `parallel` without a clause would have here: inside of another one there is one
//! omp_get_thread_limit()    what the clause says; without one there is no limit
//! ```

use crate::structure::report;
use crate::teams::{number, replace};
use crate::threads::{THREADS, thread_limit};
use accrue_dialects::{
    core::{Cast, CastKind, Cmp, CmpKind, emit::Emitter, int},
    omp::{Asked, LoopNest, Parallel, Query, Share, Target},
};
use accrue_ir::walk;
use accrue_opt::State;
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};

/// Answers the questions in a region.
pub fn answer(ctx: &mut Context, target: Target, state: &mut State) {
    let limit = thread_limit(ctx, target);
    for query in walk::nested::<Query>(ctx, target.get_operation()) {
        let op = query.get_operation();
        let depth = depth(ctx, op);
        let asked = query.asked(ctx);
        let mut e = Emitter::before(ctx, op);
        let value = match (asked, depth) {
            (Asked::ThreadNum | Asked::NumThreads | Asked::TeamNum | Asked::NumTeams, _) => {
                continue;
            }
            (Asked::Level, _) => e.i32(depth),
            (Asked::InParallel, 0) => e.i32(0),
            (Asked::InParallel, 1) => {
                let threads = Query::new(e.ctx, Asked::NumThreads);
                e.push(threads);
                let threads = threads.get_result(e.ctx);
                let one = e.i32(1);
                let several = e.make(|c| Cmp::new(c, CmpKind::GtS, threads, one));
                let wide = int(e.ctx, 32);
                e.make(|c| Cast::new(c, CastKind::ZExt, several, wide))
            }
            (Asked::InParallel, _) => {
                let message = "`omp_in_parallel` in a `parallel` region inside of another one is not supported yet";
                let help = "ask in the outer region, and keep the answer in a variable";
                report(ctx, state, op, message, "18.2.6", help);
                continue;
            }
            (Asked::MaxThreads, 0) => number(&mut e, limit, THREADS),
            (Asked::MaxThreads, _) => e.i32(1),
            (Asked::ThreadLimit, _) => number(&mut e, limit, i128::from(i32::MAX)),
        };
        replace(ctx, query, value);
    }
}

/// How many `parallel` constructs are around an operation.
fn depth(ctx: &Context, op: Ptr<Operation>) -> i128 {
    let mut depth = 0;
    let mut at = op.deref(ctx).get_parent_op(ctx);
    while let Some(around) = at {
        let nest = Operation::get_op::<LoopNest>(around, ctx);
        let starts = nest.is_some_and(|nest| nest.is_shared_by(ctx, Share::Parallel));
        depth += i128::from(starts || Operation::is_op::<Parallel>(around, ctx));
        at = around.deref(ctx).get_parent_op(ctx);
    }
    depth
}
