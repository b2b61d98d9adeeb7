//! An `omp.target` becomes an `acc.parallel` or, where one thread does everything, an `acc.serial`.
//!
//! Steps: variables of the constructs inside become the region's own; `teams` and `parallel` give way to their statements; loop nests
//! become loops with levels; the clauses of the `target` go to the new construct.

use crate::levels::{Plan, of_loop, plan};
use crate::pure::Pure;
use crate::structure::teams_of;
use crate::variables::{own, own_in_iterations, own_in_loops};
use crate::{critical, order, questions, scans, team_arrays, teams, threads};
use accrue_dialects::{
    acc::{
        self, ClauseOp, ComputeOp, DefaultMap, DeviceType, DirectiveOp, Given, Group,
        ImplicitRules, given,
    },
    core::{emit::Emitter, fold::constant_expression},
    omp::{LoopNest, Parallel, Target, Yield},
};
use accrue_ir::walk;
use accrue_opt::State;
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};

/// Lowers one region whose structure is known to be right.
pub fn convert(ctx: &mut Context, target: Target, pure: &Pure, state: &mut State) {
    critical::lower(ctx, target, pure);
    scans::lower(ctx, target, pure, state);
    order::put(ctx, target);
    questions::answer(ctx, target, state);
    teams::answer(ctx, target, state);
    threads::lower(ctx, target, pure, state);
    team_arrays::lower(ctx, target, state);
    let plan = plan(ctx, target);
    let sizes = sizes(ctx, target, &plan);
    let teams = teams_of(ctx, target);
    let parallels = walk::nested::<Parallel>(ctx, target.get_operation());
    let nests = walk::nested::<LoopNest>(ctx, target.get_operation());
    let levels: Vec<_> = nests
        .iter()
        .map(|nest| of_loop(ctx, *nest, &plan))
        .collect();
    for parallel in &parallels {
        own_in_loops(ctx, *parallel, state);
    }
    for nest in &nests {
        own_in_iterations(ctx, *nest, state);
    }
    let mut reductions = vec![];
    if let Some(teams) = teams {
        own(ctx, teams, state);
        reductions = acc::take(&teams, ctx, Group::Reduction);
    }
    // Inner loops first: their operations stay while those around are replaced.
    for (nest, clauses) in nests.into_iter().zip(levels).rev() {
        loop_of(ctx, nest, clauses);
    }
    for parallel in parallels.into_iter().rev() {
        dissolve(ctx, parallel.get_operation(), parallel.get_body(ctx, 0));
    }
    if let Some(teams) = teams {
        for reduction in &reductions {
            // The clause stands in front of the construct.
            if let Some(op) = reduction.defining_op() {
                hoist(ctx, op, target.get_operation());
            }
        }
        dissolve(ctx, teams.get_operation(), teams.get_body(ctx, 0));
    }
    let directive = target.directive(ctx).0;
    match plan.shared || teams.is_some() {
        true => {
            let (op, block) = acc::Parallel::new(ctx, directive);
            for (group, size) in sizes {
                push(ctx, &op, group, size);
            }
            for reduction in reductions {
                acc::push(&op, ctx, Group::Reduction, reduction, DeviceType::None);
            }
            replace(ctx, target, op, block);
        }
        false => {
            let (op, block) = acc::Serial::new(ctx, directive);
            replace(ctx, target, op, block);
        }
    }
}

/// Puts the new construct in the place of the `target`.
fn replace<T: ComputeOp + Copy>(ctx: &mut Context, target: Target, op: T, block: Ptr<BasicBlock>) {
    let old = target.get_operation();
    op.set_rules(ctx, ImplicitRules::OpenMp);
    let said = target.defaultmap(ctx);
    if said != DefaultMap::default() {
        op.set_defaultmap(ctx, said);
    }
    op.set_openmp(ctx);
    for (from, to) in [
        (Group::If, Group::If),
        (Group::DeviceNum, Group::Devnum),
        (Group::Private, Group::Private),
        (Group::Firstprivate, Group::Firstprivate),
        (Group::Data, Group::Data),
    ] {
        for operand in given(&target, ctx, from) {
            push(ctx, &op, to, operand);
        }
    }
    Emitter::before(ctx, old).push(op);
    move_all(ctx, target.get_body(ctx, 0), block);
    let end = acc::Yield::new(ctx);
    Emitter::at_end_of(ctx, block, old).push(end);
    Operation::erase(old, ctx);
}

fn push(ctx: &mut Context, op: &dyn ClauseOp, group: Group, operand: Given) {
    let Given {
        value,
        device,
        expression,
    } = operand;
    acc::push_expression(op, ctx, group, value, device, expression);
}

/// Moves the operations of a block, but for its end.
fn move_all(ctx: &mut Context, from: Ptr<BasicBlock>, to: Ptr<BasicBlock>) {
    for op in walk::ops_of_block(ctx, from) {
        if Operation::is_op::<Yield>(op, ctx) {
            Operation::erase(op, ctx);
        } else {
            op.unlink(ctx);
            op.insert_at_back(to, ctx);
        }
    }
}

/// The statements of a construct in its place.
pub fn dissolve(ctx: &mut Context, construct: Ptr<Operation>, block: Ptr<BasicBlock>) {
    for op in walk::ops_of_block(ctx, block) {
        if Operation::is_op::<Yield>(op, ctx) {
            Operation::erase(op, ctx);
        } else {
            op.unlink(ctx);
            op.insert_before(ctx, construct);
        }
    }
    Operation::erase(construct, ctx);
}

/// Moves an operation, and what its operands are made of there, out of the region of `construct`.
fn hoist(ctx: &mut Context, op: Ptr<Operation>, construct: Ptr<Operation>) {
    let region = construct.deref(ctx).get_region(0);
    if !walk::is_inside(ctx, op, region) {
        return;
    }
    for operand in walk::operands_of(ctx, op) {
        if let Some(made_by) = operand.defining_op() {
            hoist(ctx, made_by, construct);
        }
    }
    op.unlink(ctx);
    op.insert_before(ctx, construct);
}

/// A loop nest as a loop with levels.
pub fn loop_of(ctx: &mut Context, nest: LoopNest, clauses: acc::LoopClauses) {
    let old = nest.get_operation();
    let (bounds, dims) = (nest.bounds(ctx), nest.all_dims(ctx).0);
    let (op, block) = acc::Loop::new(ctx, bounds, dims, clauses);
    for group in [Group::Reduction, Group::Private] {
        for operand in given(&nest, ctx, group) {
            push(ctx, &op, group, operand);
        }
    }
    op.set_directive(ctx, nest.directive(ctx).0);
    Emitter::before(ctx, old).push(op);
    let body = nest.get_body(ctx, 0);
    let arguments: Vec<_> = body.deref(ctx).arguments().collect();
    let ivs: Vec<_> = block.deref(ctx).arguments().collect();
    for (argument, iv) in arguments.into_iter().zip(&ivs) {
        argument.replace_all_uses_with(ctx, iv);
    }
    let ends_by_itself = walk::ops_of_block(ctx, body)
        .last()
        .is_some_and(|end| !Operation::is_op::<Yield>(*end, ctx));
    move_all(ctx, body, block);
    if !ends_by_itself {
        let end = acc::Yield::new(ctx);
        Emitter::at_end_of(ctx, block, old).push(end);
    }
    Operation::erase(old, ctx);
}

/// How many gangs, workers and lanes the clauses ask for.
fn sizes(ctx: &mut Context, target: Target, plan: &Plan) -> Vec<(Group, Given)> {
    let mut sizes = vec![];
    match given(&target, ctx, Group::NumTeams).into_iter().next() {
        Some(teams) => sizes.push((Group::NumGangs, teams)),
        None => {
            let inner = teams_of(ctx, target);
            match inner {
                Some(teams) => {
                    let asked = inside(ctx, target, teams, Group::NumTeams);
                    sizes.extend(asked.map(|given| (Group::NumGangs, given)));
                }
                None if plan.lone_loop => {}
                None => sizes.push((Group::NumGangs, number(ctx, target, 1))),
            }
        }
    }
    let threads = match plan.lanes {
        true => Group::NumWorkers,
        false => Group::VectorLength,
    };
    let mut asked = [Group::NumThreads, Group::ThreadLimit]
        .into_iter()
        .find_map(|group| given(&target, ctx, group).into_iter().next());
    for parallel in walk::nested::<Parallel>(ctx, target.get_operation()) {
        asked = asked.or_else(|| inside(ctx, target, parallel, Group::NumThreads));
    }
    for nest in walk::nested::<LoopNest>(ctx, target.get_operation()) {
        asked = asked.or_else(|| inside(ctx, target, nest, Group::NumThreads));
    }
    if let Some(teams) = teams_of(ctx, target) {
        asked = asked.or_else(|| inside(ctx, target, teams, Group::ThreadLimit));
    }
    sizes.extend(asked.map(|given| (threads, given)));
    sizes
}

/// What a directive inside of the `target` asks for, if it is a constant. Other values are known too late: the launch has happened.
/// Where somebody could tell, loops over as many teams and threads have been made of them.
fn inside<T: ClauseOp>(
    ctx: &mut Context,
    target: Target,
    construct: T,
    group: Group,
) -> Option<Given> {
    let asked = given(&construct, ctx, group).into_iter().next()?;
    let value = constant_expression(ctx, asked.value)?;
    Some(number(ctx, target, value))
}

/// A constant in front of the `target`.
fn number(ctx: &mut Context, target: Target, value: i128) -> Given {
    let value = Emitter::before(ctx, target.get_operation()).i64(value);
    Given {
        value,
        device: DeviceType::None,
        expression: acc::Expression::Unwritten,
    }
}
