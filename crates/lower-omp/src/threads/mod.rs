//! `parallel` regions with statements beside their loops: the threads become the iterations of loops, one loop between two barriers.
//!
//! ```text
//! omp.parallel {                                    %x = core.alloca [4]            one for each thread
//!   %x = core.alloca                                omp.loop_nest 0 to 4 [parallel, for] { ^(%thread)
//!   core.store (omp.query ThreadNum), %x              core.store %thread, %x + %thread }
//!   omp.barrier                               →     core.loop cond { … %k … } body {
//!   core.loop cond { … %k … } body {                  omp.loop_nest 0 to 4 [parallel, for] { ^(%thread)
//!     use %x                                            use %x + %thread } }
//!     omp.barrier } }
//! ```
//! A thread that waits for others ends its iteration; so barriers cost what the end of a loop costs on each device, and `num_threads` is
//! exactly what the program says, however many lanes or cores there are; at most 1024 where it is no constant.
//!
//! Steps:
//! 1. which variables control loops and conditions that have barriers inside: all threads have the same value of them, so that the team
//!    has one, and the control flow is the team's. What is not the same for sure is an error;
//! 2. the statements between two barriers go to a loop over the threads. A loop that is shared out (`for`) and does not ask who runs
//!    it is between two of these, and keeps all of the device's freedom; else each thread takes its iterations in turn;
//! 3. what one loop computes and a later one uses, `b[i++]` in `b[i++] = f()` around a barrier in `f`, is kept in a variable of the thread;
//! 4. a variable of a thread that is used between one pair of barriers stays there; others become arrays of as many as there are threads.
//!
//! Cost: linear in the region, times the depth of control flow with barriers.

mod common;
mod reductions;
mod variables;
mod webs;

use crate::pure::Pure;
use crate::share::{Deal, share_out};
use crate::structure::{is_passive, report, teams_of};
use crate::teams::{copied, forget, number, reduce_over, refuse_schedule, replace};
use crate::variables::own;
use accrue_dialects::{
    acc::{self, ClauseOp, DirectiveOp, Group, given},
    address_use::object_of,
    core::{
        Alloca, Break, CmpKind, Continue, Load, Loop, Select, Store, dead_code::erase_dead,
        emit::Emitter, fold::constant_expression,
    },
    omp::{Asked, Barrier, Binding, LoopNest, Parallel, Query, Share, Shares, Target, Yield},
    par::{LoopDim, LoopTest},
};
use accrue_ir::walk;
use accrue_opt::State;
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};

/// How many threads a team has if no clause says it.
pub const THREADS: i128 = 128;

/// How many a team has at most if the clause's value is no constant: what its threads keep across barriers has a fixed place.
const MOST_THREADS: i128 = 1024;

/// Lowers the `parallel` regions of a target whose threads are told apart.
pub fn lower(ctx: &mut Context, target: Target, pure: &Pure, state: &mut State) {
    for nest in walk::nested::<LoopNest>(ctx, target.get_operation()) {
        if nest.is_shared_by(ctx, Share::Parallel)
            && !nest.is_of_threads(ctx)
            && (asks(ctx, nest.get_operation()) || is_conditional(ctx, &nest))
        {
            part(ctx, nest);
        }
    }
    // The inner ones first: who asks in them asks for the number of their threads.
    for parallel in walk::nested::<Parallel>(ctx, target.get_operation())
        .into_iter()
        .rev()
    {
        if !has_threads(ctx, parallel) {
            continue;
        }
        let op = parallel.get_operation();
        let nested = walk::enclosing::<Parallel>(ctx, op).is_some() || in_threads(ctx, op);
        own(ctx, parallel, state);
        match nested {
            // Of threads that one thread starts there is one.
            true => alone(ctx, op),
            false => Team::new(ctx, target, parallel, pure).lower(ctx, state),
        }
    }
    // Outside of `parallel` there is one thread.
    alone(ctx, target.get_operation());
}

/// How many threads there are at most if `said` is how many there are.
fn most_threads(ctx: &Context, said: Value) -> i128 {
    let select = said.defining_op();
    let select = select.and_then(|op| Operation::get_op::<Select>(op, ctx));
    match (constant_expression(ctx, said), select) {
        (Some(constant), _) => constant,
        (None, Some(select)) => {
            let [yes, no] = [1, 2].map(|arm| select.get_operation().deref(ctx).get_operand(arm));
            most_threads(ctx, yes).max(most_threads(ctx, no))
        }
        (None, None) => MOST_THREADS,
    }
}

fn fewer(e: &mut Emitter, one: Value, other: Value) -> Value {
    let is_fewer = e.cmp(CmpKind::LtS, one, other);
    e.make(|c| Select::new(c, is_fewer, one, other))
}

/// What a clause says of the most threads that a team may have.
pub fn thread_limit(ctx: &Context, target: Target) -> Option<Value> {
    let of_target = given(&target, ctx, Group::ThreadLimit).into_iter().next();
    let of_teams = || {
        let teams = teams_of(ctx, target)?;
        given(&teams, ctx, Group::ThreadLimit).into_iter().next()
    };
    of_target.or_else(of_teams).map(|it| it.value)
}

/// Whether a region has more than loops that are shared out.
fn has_threads(ctx: &Context, parallel: Parallel) -> bool {
    let ops = walk::ops_of_block(ctx, parallel.get_body(ctx, 0));
    let only_loops = ops.iter().all(|op| {
        let local = Operation::is_op::<Alloca>(*op, ctx);
        let nest = Operation::get_op::<LoopNest>(*op, ctx);
        !local && is_passive(ctx, *op) || nest.is_some_and(|nest| is_of_team(ctx, nest))
    });
    is_conditional(ctx, &parallel) || !only_loops || asks(ctx, parallel.get_operation())
}

/// Whether the number of threads is one that the front end has made of an `if` clause: iterations of one thread run in order.
pub fn is_conditional(ctx: &Context, construct: &dyn ClauseOp) -> bool {
    given(construct, ctx, Group::NumThreads)
        .iter()
        .any(|threads| threads.expression == acc::Expression::Unwritten)
}

/// Whether the threads of the team share the loop out.
fn is_of_team(ctx: &Context, nest: LoopNest) -> bool {
    let shares = |share| nest.is_shared_by(ctx, share);
    let loop_of_team = shares(Share::Loop) && nest.binding(ctx) != Some(Binding::Thread);
    !shares(Share::Parallel) && (shares(Share::For) || loop_of_team)
}

/// Whether something in it asks for the number of a thread, or of threads.
fn asks(ctx: &Context, op: Ptr<Operation>) -> bool {
    !walk::nested::<Query>(ctx, op).is_empty()
}

fn in_threads(ctx: &Context, op: Ptr<Operation>) -> bool {
    let mut around = walk::enclosing::<LoopNest>(ctx, op);
    while let Some(nest) = around {
        if nest.is_shared_by(ctx, Share::For) {
            return true;
        }
        around = walk::enclosing::<LoopNest>(ctx, nest.get_operation());
    }
    false
}

/// `parallel for` as a `for` in a `parallel`.
fn part(ctx: &mut Context, nest: LoopNest) {
    let op = nest.get_operation();
    let (parallel, block) = Parallel::new(ctx, nest.directive(ctx).0);
    for threads in given(&nest, ctx, Group::NumThreads) {
        acc::push_expression(
            &parallel,
            ctx,
            Group::NumThreads,
            threads.value,
            threads.device,
            threads.expression,
        );
    }
    acc::take(&nest, ctx, Group::NumThreads);
    // Each thread has one.
    for clause in acc::take(&nest, ctx, Group::Firstprivate) {
        acc::push(
            &parallel,
            ctx,
            Group::Firstprivate,
            clause,
            acc::DeviceType::None,
        );
    }
    Emitter::before(ctx, op).push(parallel);
    op.unlink(ctx);
    op.insert_at_back(block, ctx);
    let end = Yield::new(ctx);
    Emitter::at_end_of(ctx, block, op).push(end);
    let mut shares = nest.shares(ctx).0;
    shares.retain(|share| *share != Share::Parallel);
    nest.set_shares(ctx, Shares(shares));
}

/// What one thread alone runs: it has number 0, and nobody to wait for.
pub fn alone(ctx: &mut Context, around: Ptr<Operation>) {
    for query in walk::nested::<Query>(ctx, around) {
        let value = match query.asked(ctx) {
            Asked::ThreadNum => 0,
            Asked::NumThreads => 1,
            Asked::TeamNum
            | Asked::NumTeams
            | Asked::InParallel
            | Asked::Level
            | Asked::MaxThreads
            | Asked::ThreadLimit => continue,
        };
        let value = Emitter::before(ctx, query.get_operation()).i32(value);
        replace(ctx, query, value);
    }
    for barrier in walk::nested::<Barrier>(ctx, around) {
        Operation::erase(barrier.get_operation(), ctx);
    }
}

/// The threads of one `parallel` region.
struct Team<'a> {
    /// Functions that conditions may call.
    pure: &'a Pure,
    parallel: Parallel,
    /// How many there are, an `i32` in front of the region.
    count: Value,
    /// How many there are at most.
    most: i128,
    /// There may be one, which runs its iterations in order.
    conditional: bool,
    /// Variables of threads that all of them have with the same value.
    common: Vec<Value>,
    /// Control flow that computes such variables.
    adopted: Vec<Ptr<Operation>>,
    /// The loops over the threads.
    phases: Vec<LoopNest>,
}

impl<'a> Team<'a> {
    fn new(ctx: &mut Context, target: Target, parallel: Parallel, pure: &'a Pure) -> Self {
        let first =
            |op: &dyn ClauseOp, ctx: &Context, group| given(op, ctx, group).into_iter().next();
        let threads = first(&parallel, ctx, Group::NumThreads)
            .or_else(|| first(&target, ctx, Group::NumThreads))
            .map(|it| it.value);
        let limit = thread_limit(ctx, target);
        let most_of = |it: Value| most_threads(ctx, it);
        let (constant, most) = match (threads, limit) {
            (None, None) => (Some(THREADS), THREADS),
            (Some(one), None) | (None, Some(one)) => (constant_expression(ctx, one), most_of(one)),
            (Some(threads), Some(limit)) => (
                constant_expression(ctx, threads)
                    .zip(constant_expression(ctx, limit))
                    .map(|(threads, limit)| threads.min(limit)),
                most_of(threads).min(most_of(limit)),
            ),
        };
        let conditional = is_conditional(ctx, &parallel);
        // What is no constant is not for the host: the loop knows it.
        if constant.is_none() {
            acc::take(&parallel, ctx, Group::NumThreads);
        }
        let mut e = Emitter::before(ctx, parallel.get_operation());
        let count = match (threads, limit, constant) {
            (Some(threads), Some(limit), None) => {
                let threads = number(&mut e, Some(threads), THREADS);
                let limit = number(&mut e, Some(limit), THREADS);
                fewer(&mut e, threads, limit)
            }
            (Some(_), Some(_), Some(constant)) => e.i32(constant),
            (threads, limit, _) => number(&mut e, threads.or(limit), THREADS),
        };
        let count = match constant {
            Some(_) => count,
            None => {
                let most = e.i32(most);
                fewer(&mut e, count, most)
            }
        };
        Team {
            pure,
            parallel,
            count,
            most,
            conditional,
            common: vec![],
            adopted: vec![],
            phases: vec![],
        }
    }

    fn lower(mut self, ctx: &mut Context, state: &mut State) {
        let before = state.diagnostics.len();
        erase_dead(ctx, self.parallel.get_operation());
        self.own_reductions(ctx);
        self.find_common(ctx, state);
        if state.diagnostics.len() > before {
            return alone(ctx, self.parallel.get_operation());
        }
        for query in walk::nested::<Query>(ctx, self.parallel.get_operation()) {
            if query.asked(ctx) == Asked::NumThreads {
                replace(ctx, query, self.count);
            }
        }
        let block = self.parallel.get_body(ctx, 0);
        self.split(ctx, block, state);
        for barrier in walk::nested::<Barrier>(ctx, self.parallel.get_operation()) {
            Operation::erase(barrier.get_operation(), ctx);
        }
        self.forget_clauses(ctx);
        self.carry_values(ctx);
        self.rename_private(ctx);
        self.spread_variables(ctx, state);
        self.check_reductions(ctx, state);
        alone(ctx, self.parallel.get_operation());
    }

    /// Cuts a block of the team's at barriers.
    fn split(&mut self, ctx: &mut Context, block: Ptr<BasicBlock>, state: &mut State) {
        let mut pending = vec![];
        for op in walk::ops_of_block(ctx, block) {
            let nest = Operation::get_op::<LoopNest>(op, ctx);
            if let Some(nest) = nest.filter(|nest| is_of_team(ctx, *nest)) {
                self.split_at_nest(ctx, nest, &mut pending, state);
                continue;
            }
            let common_store = Operation::get_op::<Store>(op, ctx)
                .is_some_and(|store| self.common.contains(&store.get_operand_address(ctx)));
            let common_variable = Operation::is_op::<Alloca>(op, ctx)
                && self.common.contains(&op.deref(ctx).get_result(0));
            let end = Operation::is_op::<Yield>(op, ctx)
                || Operation::is_op::<accrue_dialects::core::Yield>(op, ctx)
                || Operation::is_op::<Break>(op, ctx)
                || Operation::is_op::<Continue>(op, ctx);
            if !(common_store || common_variable || end || self.turns(ctx, op)) {
                if self.jumps(ctx, op) {
                    refuse(ctx, op, state);
                }
                pending.push(op);
                continue;
            }
            let chain = std::mem::take(&mut pending);
            if !common_variable {
                self.run(ctx, chain, op, None, state);
                self.bring_up(ctx, op);
            } else {
                pending = chain;
            }
            for region in walk::regions_of(ctx, op) {
                let is_body = match Operation::get_op::<Loop>(op, ctx) {
                    Some(lp) => region == op.deref(ctx).get_region(1) && lp.get_operation() == op,
                    None => true,
                };
                let inner = region.deref(ctx).get_entry_block().filter(|_| is_body);
                if let Some(inner) = inner {
                    self.split(ctx, inner, state);
                }
            }
        }
    }

    /// A loop that is shared out: between two phases, or in one.
    fn split_at_nest(
        &mut self,
        ctx: &mut Context,
        nest: LoopNest,
        pending: &mut Vec<Ptr<Operation>>,
        state: &mut State,
    ) {
        let op = nest.get_operation();
        let mut operands = walk::operands_of(ctx, op);
        let region = nest.get_region(ctx);
        operands.extend(walk::used_from_above(ctx, region));
        let anyone = !self.conditional
            && !asks(ctx, op)
            && !nest.is_nowait(ctx)
            && operands.into_iter().all(|value| {
                let mut wanted = vec![];
                let is_clause = value
                    .defining_op()
                    .is_some_and(|op| acc::as_data_info(ctx, op).is_some());
                let common = is_clause || self.is_common(ctx, value, &mut wanted);
                common && wanted.iter().all(|it| self.common.contains(it))
            });
        let chain = std::mem::take(pending);
        if anyone {
            self.run(ctx, chain, op, None, state);
            self.bring_up(ctx, op);
            return;
        }
        if nest.is_scheduled(ctx) {
            refuse_schedule(ctx, nest, state);
        }
        let reductions = acc::take(&nest, ctx, Group::Reduction);
        match reductions.is_empty() {
            true => {
                pending.extend(chain);
                pending.push(op);
            }
            false => {
                // What only makes operands of the loop goes with it.
                let first = chain
                    .iter()
                    .rposition(|op| !is_passive(ctx, *op) || Operation::is_op::<Alloca>(*op, ctx));
                let (front, rest) = chain.split_at(first.map_or(0, |at| at + 1));
                // Its clauses, too, which what computes its bounds may stand behind.
                let is_clause = |op: &Ptr<Operation>| acc::as_data_info(ctx, *op).is_some();
                let (mut with, front): (Vec<_>, Vec<_>) =
                    front.iter().copied().partition(is_clause);
                with.extend_from_slice(rest);
                let behind = with.first().copied().unwrap_or(op);
                self.run(ctx, front, behind, None, state);
                with.push(op);
                self.run_all(ctx, with, reductions, state);
                return;
            }
        }
        if !nest.is_nowait(ctx) {
            let chain = std::mem::take(pending);
            self.run_all(ctx, chain, vec![], state);
        }
    }

    fn run_all(
        &mut self,
        ctx: &mut Context,
        ops: Vec<Ptr<Operation>>,
        reductions: Vec<Value>,
        state: &mut State,
    ) {
        let Some(last) = ops.last().copied() else {
            return;
        };
        // A place behind them.
        let mark = Barrier::new(ctx);
        Emitter::after(ctx, last).push(mark);
        self.run(ctx, ops, mark.get_operation(), Some(reductions), state);
    }

    /// Puts operations into a loop over the threads in front of `before`, unless they do nothing by themselves.
    fn run(
        &mut self,
        ctx: &mut Context,
        ops: Vec<Ptr<Operation>>,
        before: Ptr<Operation>,
        reductions: Option<Vec<Value>>,
        state: &mut State,
    ) {
        if ops.iter().all(|op| is_passive(ctx, *op)) && !self.is_of_threads(ctx, &ops) {
            for op in ops {
                self.bring_up(ctx, op);
            }
            return;
        }
        let directive = self.parallel.directive(ctx).0;
        let mut e = Emitter::before(ctx, before);
        let (zero, one) = (e.i32(0), e.i32(1));
        let dims = vec![LoopDim {
            test: LoopTest::Lt,
            unsigned: false,
        }];
        let shares = Shares(vec![Share::Parallel, Share::For]);
        let (phase, block) = LoopNest::new(
            e.ctx,
            directive,
            vec![(zero, self.count, one)],
            dims,
            shares,
        );
        phase.set_of_threads(e.ctx);
        e.push(phase);
        let thread = block.deref(ctx).get_argument(0);
        let reduced: Vec<Value> = self
            .parallel
            .clause(ctx, Group::Reduction)
            .into_iter()
            .filter_map(|clause| {
                walk::operands_of(ctx, clause.defining_op()?)
                    .first()
                    .copied()
            })
            .collect();
        for op in ops {
            // What is the same for all stays where others find it, but for parts of what the loop reduces: it has its own there. That holds
            // for what the team's variables have, too: it is stored anew behind the phase, and used with what it was before.
            let of_reduced = walk::operands_of(ctx, op)
                .into_iter()
                .any(|value| reduced.contains(&object_of(ctx, value)));
            let shared = is_passive(ctx, op)
                && !of_reduced
                && !Operation::is_op::<Query>(op, ctx)
                && Operation::get_op::<Load>(op, ctx)
                    .is_none_or(|load| self.common.contains(&load.get_operand_address(ctx)))
                && !Operation::is_op::<Alloca>(op, ctx)
                && acc::as_data_info(ctx, op).is_none()
                && walk::operands_of(ctx, op).into_iter().all(|value| {
                    let inside = value.defining_op().is_some_and(|made_by| {
                        walk::is_inside(ctx, made_by, phase.get_region(ctx))
                    });
                    let mut wanted = vec![];
                    !inside
                        && self.is_common(ctx, value, &mut wanted)
                        && wanted.iter().all(|it| self.common.contains(it))
                });
            op.unlink(ctx);
            match shared {
                true => op.insert_before(ctx, phase.get_operation()),
                false => op.insert_at_back(block, ctx),
            }
        }
        let end = Yield::new(ctx);
        Emitter::at_end_of(ctx, block, before).push(end);
        for query in walk::nested::<Query>(ctx, phase.get_operation()) {
            if query.asked(ctx) == Asked::ThreadNum {
                replace(ctx, query, thread);
            }
        }
        for nest in walk::nested::<LoopNest>(ctx, phase.get_operation()) {
            let of_team =
                walk::enclosing::<Parallel>(ctx, nest.get_operation()) == Some(self.parallel);
            if nest != phase && of_team && is_of_team(ctx, nest) {
                let mut shares = nest.shares(ctx).0;
                shares.retain(|share| !matches!(share, Share::For | Share::Loop));
                let deal = Deal::of(ctx, nest, Group::Chunk);
                share_out(ctx, nest, (thread, self.count), shares, deal, state);
            }
        }
        for reduction in reductions.into_iter().flatten() {
            reduce_over(ctx, phase, reduction);
            forget(ctx, reduction);
        }
        self.phases.push(phase);
    }

    /// Whether operations compute a value of each thread that others use.
    fn is_of_threads(&self, ctx: &Context, ops: &[Ptr<Operation>]) -> bool {
        ops.iter().any(|op| {
            if acc::as_data_info(ctx, *op).is_some() || Operation::is_op::<Alloca>(*op, ctx) {
                return false;
            }
            let mut results = op.deref(ctx).results().collect::<Vec<_>>().into_iter();
            results.any(|value| {
                let mut uses = value.uses(ctx).into_iter();
                let mut wanted = vec![];
                uses.any(|using| !ops.contains(&using.user_op()))
                    && !(self.is_common(ctx, value, &mut wanted)
                        && wanted.iter().all(|it| self.common.contains(it)))
            })
        })
    }

    /// Takes clauses away whose loop is not in the phase that they are in: it has its own copies.
    fn forget_clauses(&self, ctx: &mut Context) {
        for phase in &self.phases {
            for op in walk::ops_of_block(ctx, phase.get_body(ctx, 0)) {
                if acc::as_data_info(ctx, op).is_some() {
                    let clause = op.deref(ctx).get_result(0);
                    forget(ctx, clause);
                }
            }
        }
    }

    /// Computes the operands of an operation of the team's in front of it, if a phase does so far.
    fn bring_up(&self, ctx: &mut Context, op: Ptr<Operation>) {
        for (index, value) in walk::operands_of(ctx, op).into_iter().enumerate() {
            let phase = value
                .defining_op()
                .and_then(|made_by| self.phase_of(ctx, made_by));
            if let Some(phase) = phase {
                let mut e = Emitter::before(ctx, op);
                let new = copied(
                    &mut e,
                    value,
                    phase.get_operation(),
                    &mut Default::default(),
                );
                Operation::replace_operand(op, ctx, index, new);
            }
        }
    }
}

/// Reports control flow that threads may take differently.
fn refuse(ctx: &Context, op: Ptr<Operation>, state: &mut State) {
    let message = "threads meet in control flow that need not be the same for all of them";
    let help = "let the condition depend on variables that are declared outside of the `parallel` region, or on counters that start and step alike";
    report(ctx, state, op, message, "15.3.1", help);
}
