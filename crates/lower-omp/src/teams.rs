//! Regions that can tell their teams apart: the teams become the iterations of a loop.
//!
//! ```text
//! omp.teams {                                 omp.teams { omp.loop_nest 0 to %teams [distribute] { ^(%team)
//!   omp.loop_nest 0 to %n [distribute] {  →     omp.loop_nest %team to %n step %teams [alone] {
//!     … omp.query TeamNum … } }                   … %team … } } }
//! ```
//! Which iteration a team runs is then in the code, and so is how many teams there are: as many as the clause says, [`TEAMS`] without one.
//! They are those that ask for the number of their team, and those whose number the region itself computes, if each of them does
//! something beside its part of shared loops:
//!
//! ```text
//! teams num_teams(t) { s; distribute … }      `s` is done t times
//! teams distribute num_teams(t)               the device chooses: nobody could tell
//! ```
//! So are those in which a shared loop reduces a variable of the team.

use crate::share::{Deal, share_out};
use crate::structure::{construct_around, is_passive, report, teams_of};
use crate::threads::is_conditional;
use crate::variables::own;
use accrue_dialects::{
    acc::{self, ClauseOp, DataOp, DirectiveOp, Group, given},
    core::{emit::Emitter, fold::constant_expression, int},
    omp::{Asked, Binding, LoopNest, Query, Share, Shares, Target, Teams, Yield},
    par::{LoopDim, LoopTest},
};
use accrue_ir::walk;
use accrue_opt::{
    State,
    analysis::variables::{Root, root_of},
};
use pliron::{
    builtin::op_interfaces::{OneRegionInterface, OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::{Op, op_cast},
    operation::Operation,
    value::Value,
};

/// How many teams there are if no clause says it and the region asks.
const TEAMS: i128 = 128;

/// Answers the questions for teams.
pub fn answer(ctx: &mut Context, target: Target, state: &mut State) {
    let asks = walk::nested::<Query>(ctx, target.get_operation());
    let asks: Vec<Query> = asks
        .into_iter()
        .filter(|query| matches!(query.asked(ctx), Asked::TeamNum | Asked::NumTeams))
        .collect();
    // A team's part of a loop is shared out among threads that are told apart.
    let told_apart = walk::nested::<LoopNest>(ctx, target.get_operation())
        .into_iter()
        .any(|nest| {
            let shares = |share| nest.is_shared_by(ctx, share);
            let both = shares(Share::Distribute) && shares(Share::Parallel);
            let asks = || !walk::nested::<Query>(ctx, nest.get_operation()).is_empty();
            both && (is_conditional(ctx, &nest) || asks())
        });
    let needed = teams_of(ctx, target)
        .is_some_and(|teams| is_counted(ctx, target, teams) || has_own_sum(ctx, teams));
    if asks.is_empty() && !told_apart && !needed {
        return;
    }
    let Some(teams) = teams_of(ctx, target) else {
        for query in asks {
            let number = i128::from(query.asked(ctx) == Asked::NumTeams);
            let value = Emitter::before(ctx, query.get_operation()).i32(number);
            replace(ctx, query, value);
        }
        return;
    };
    own(ctx, teams, state);
    let block = teams.get_body(ctx, 0);
    let ops = walk::ops_of_block(ctx, block);
    let Some(begin) = ops.first().copied() else {
        return;
    };
    let said = given(&target, ctx, Group::NumTeams).into_iter().next();
    let said = match said {
        Some(said) => Some(said),
        None => {
            let inner = given(&teams, ctx, Group::NumTeams).into_iter().next();
            // What is no constant is not for the host: the loop knows it.
            if inner.is_some_and(|it| constant_expression(ctx, it.value).is_none()) {
                acc::take(&teams, ctx, Group::NumTeams);
            }
            inner
        }
    };
    let mut e = Emitter::before(ctx, begin);
    let count = number(&mut e, said.map(|it| it.value), TEAMS);
    let (zero, one) = (e.i32(0), e.i32(1));
    let dims = vec![LoopDim {
        test: LoopTest::Lt,
        unsigned: false,
    }];
    let shares = Shares(vec![Share::Distribute]);
    let directive = target.directive(e.ctx).0;
    let (league, body) = LoopNest::new(e.ctx, directive, vec![(zero, count, one)], dims, shares);
    league.set_of_threads(e.ctx);
    e.push(league);
    for op in ops {
        if !Operation::is_op::<Yield>(op, ctx) {
            op.unlink(ctx);
            op.insert_at_back(body, ctx);
        }
    }
    let end = Yield::new(ctx);
    Emitter::at_end_of(ctx, body, league.get_operation()).push(end);
    let team = body.deref(ctx).get_argument(0);
    for reduction in acc::take(&teams, ctx, Group::Reduction) {
        reduce_over(ctx, league, reduction);
        forget(ctx, reduction);
    }
    for nest in walk::nested::<LoopNest>(ctx, league.get_operation()) {
        let around = construct_around(ctx, nest.get_operation());
        let direct = around == Some(league.get_operation());
        let of_teams = is_of_teams(ctx, nest, direct);
        if nest == league || !of_teams && !nest.is_shared_by(ctx, Share::Distribute) {
            continue;
        }
        if nest.is_scheduled(ctx) {
            refuse_schedule(ctx, nest, state);
        }
        let mut shares = nest.shares(ctx).0;
        shares.retain(|share| *share != Share::Distribute && !(of_teams && *share == Share::Loop));
        let alone = shares.is_empty();
        let deal = match Deal::of(ctx, nest, Group::TeamChunk) {
            // The threads find whole chunks, or neighbouring elements.
            Deal::InTurn => match Deal::of(ctx, nest, Group::Chunk) {
                Deal::InTurn if is_in_blocks(ctx, nest) => Deal::Blocks(None),
                Deal::InTurn => Deal::InTurn,
                Deal::Chunks(chunk) => Deal::Blocks(Some(chunk)),
                Deal::Blocks(of) => Deal::Blocks(of),
            },
            deal @ (Deal::Chunks(_) | Deal::Blocks(_)) => deal,
        };
        let shared = share_out(ctx, nest, (team, count), shares, deal, state);
        for reduction in shared.clause(ctx, Group::Reduction) {
            if !reduced_root(ctx, reduction).is_some_and(|root| is_inside(ctx, &root, league)) {
                reduce_over(ctx, league, reduction);
            }
        }
        if alone {
            for reduction in acc::take(&shared, ctx, Group::Reduction) {
                forget(ctx, reduction);
            }
        }
    }
    for query in asks {
        let answer = match query.asked(ctx) == Asked::NumTeams {
            true => count,
            false => team,
        };
        replace(ctx, query, answer);
    }
}

/// Whether a number that only the region knows says how often something is done.
fn is_counted(ctx: &Context, target: Target, teams: Teams) -> bool {
    let said = given(&teams, ctx, Group::NumTeams).into_iter().next();
    let is_late = said.is_some_and(|it| constant_expression(ctx, it.value).is_none());
    let of_target = given(&target, ctx, Group::NumTeams);
    let does_more = || {
        let ops = walk::ops_of_block(ctx, teams.get_body(ctx, 0));
        ops.into_iter().any(|op| {
            let nest = Operation::get_op::<LoopNest>(op, ctx);
            let shared = nest.is_some_and(|nest| {
                nest.is_shared_by(ctx, Share::Distribute) || is_of_teams(ctx, nest, true)
            });
            !shared && !is_passive(ctx, op)
        })
    };
    is_late && of_target.is_empty() && does_more()
}

/// Whether a loop that teams share out reduces a variable of each team: its part of the iterations, and no others.
fn has_own_sum(ctx: &Context, teams: Teams) -> bool {
    let own: Vec<Root> = [Group::Private, Group::Firstprivate]
        .into_iter()
        .flat_map(|group| teams.clause(ctx, group))
        .filter_map(|clause| reduced_root(ctx, clause))
        .collect();
    walk::nested::<LoopNest>(ctx, teams.get_operation())
        .into_iter()
        .filter(|nest| nest.is_shared_by(ctx, Share::Distribute))
        .flat_map(|nest| nest.clause(ctx, Group::Reduction))
        .filter_map(|clause| reduced_root(ctx, clause))
        .any(|root| own.contains(&root) || is_inside(ctx, &root, teams))
}

/// The variable of a clause.
fn reduced_root(ctx: &Context, clause: Value) -> Option<Root> {
    let object = Operation::get_op_dyn(clause.defining_op()?, ctx);
    let data = op_cast::<dyn DataOp>(&*object)?;
    root_of(ctx, data.var(ctx)?)
}

/// Whether a variable is made in a construct.
fn is_inside<T: OneRegionInterface>(ctx: &Context, root: &Root, construct: T) -> bool {
    match root {
        Root::Local(variable) => variable
            .defining_op()
            .is_some_and(|op| walk::is_inside(ctx, op, construct.get_region(ctx))),
        Root::Global(_) => false,
    }
}

/// Whether each team takes iterations that follow each other, so that its threads come to neighbouring elements.
fn is_in_blocks(ctx: &Context, nest: LoopNest) -> bool {
    let told = nest.clause(ctx, Group::TeamChunk);
    told.is_empty() && nest.is_shared_by(ctx, Share::For) && nest.bounds(ctx).len() == 1
}

/// Whether a `loop`, which may stand directly in `teams`, binds to them.
fn is_of_teams(ctx: &Context, nest: LoopNest, direct: bool) -> bool {
    let binds = match nest.binding(ctx) {
        Some(Binding::Teams) => true,
        Some(Binding::Parallel | Binding::Thread) => false,
        None => direct,
    };
    binds && nest.shares(ctx).0 == [Share::Loop]
}

/// Reports a schedule of a nest that has further loops in its body.
pub fn refuse_schedule(ctx: &Context, nest: LoopNest, state: &mut State) {
    let message = "a schedule of a nest whose inner bounds depend on outer loops is not supported yet where threads or teams are told apart";
    let help = "leave the clause out: the threads and teams take the iterations of the outer loops in turn";
    report(ctx, state, nest.get_operation(), message, "11.5.3", help);
}

/// The value that a clause gives as an `i32`, or `otherwise`.
pub fn number(e: &mut Emitter, said: Option<Value>, otherwise: i128) -> Value {
    match said {
        Some(value) => {
            let wide = e.widen(value, false);
            let narrow = int(e.ctx, 32);
            e.narrow(wide, narrow)
        }
        None => e.i32(otherwise),
    }
}

/// Lets the query have an answer.
pub fn replace(ctx: &mut Context, query: Query, answer: Value) {
    query.get_result(ctx).replace_all_uses_with(ctx, &answer);
    Operation::erase(query.get_operation(), ctx);
}

/// Adds a reduction clause, made of the same operation as `reduction`, to a loop.
pub fn reduce_over(ctx: &mut Context, nest: LoopNest, reduction: Value) {
    let mut e = Emitter::before(ctx, nest.get_operation());
    let value = copied(
        &mut e,
        reduction,
        nest.get_operation(),
        &mut Default::default(),
    );
    // The teams' own object is theirs, and a loop in them reduces into it.
    let earlier = nest.clause(ctx, Group::Reduction);
    if earlier.into_iter().any(|it| is_same(ctx, it, value)) {
        forget(ctx, value);
        return;
    }
    acc::push(&nest, ctx, Group::Reduction, value, acc::DeviceType::None);
}

/// Whether two clauses reduce the same object by the same operator.
fn is_same(ctx: &Context, one: Value, other: Value) -> bool {
    let read = |value: Value| {
        let op = value.defining_op()?;
        let reduction = Operation::get_op::<acc::Reduction>(op, ctx)?;
        Some((reduction.operator(ctx), walk::operands_of(ctx, op)))
    };
    read(one).is_some_and(|it| read(other) == Some(it))
}

/// Takes a clause away that no construct has any more.
pub fn forget(ctx: &mut Context, clause: Value) {
    if let Some(op) = clause.defining_op().filter(|_| !clause.is_used(ctx)) {
        Operation::erase(op, ctx);
    }
}

/// The value as it is computed here: what makes it inside of `around` is copied.
pub fn copied(
    e: &mut Emitter,
    value: Value,
    around: Ptr<Operation>,
    mapping: &mut IrMapping,
) -> Value {
    let region = around.deref(e.ctx).get_region(0);
    let made_by = value.defining_op();
    let Some(op) = made_by.filter(|op| walk::is_inside(e.ctx, *op, region)) else {
        return value;
    };
    for operand in walk::operands_of(e.ctx, op) {
        let new = copied(e, operand, around, mapping);
        mapping.map_value(operand, new);
    }
    let copy = e.copy(op, mapping);
    copy.deref(e.ctx).get_result(0)
}
