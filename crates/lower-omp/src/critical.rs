//! What the threads of a team share beside what the program declares so: locks of `critical`, and variables of single constructs.
//!
//! ```text
//! omp.critical "name" { s }     →      %lock = core.alloca i32;  core.store 0, %lock       once in each team
//!                                      …
//!                                      core.loop cond { %done == 0 } body {
//!                                        %old, _ = core.atomic_update %lock { 0 becomes 1 }
//!                                        core.if %old == 0 { s;  core.atomic_store 0, %lock;  %done = 1 } }
//! ```
//! A thread gives the lock back in the same step of its loop, so that the others of its warp, which wait for the end of that step, are not
//! waited for. The regions of a name exclude each other among the threads of a team (OpenMP 5.2, section 15.2: the binding thread set is
//! that of the contention group); so what such a region writes must be the team's, or there must be one team.

use crate::structure::{report, teams_of};
use accrue_dialects::{
    View,
    acc::{Group, given},
    core::{
        AtomicStore, AtomicUpdate, CmpKind, CoreOp, If, Loop, Select, emit::Emitter,
        fold::constant_expression, int,
    },
    omp::{Critical, LoopNest, Parallel, Share, Target, TeamVariable, Yield},
};
use accrue_ir::walk;
use accrue_opt::{
    State,
    analysis::variables::{Root, describe, root_of},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{OneRegionInterface, OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashMap;

/// Lowers what is in a region.
pub fn lower(ctx: &mut Context, target: Target, state: &mut State) {
    let block = match teams_of(ctx, target) {
        Some(teams) => teams.get_body(ctx, 0),
        None => target.get_body(ctx, 0),
    };
    variables(ctx, target.get_operation(), Some(block));
    let mut locks: HashMap<String, Value> = HashMap::new();
    for critical in walk::nested::<Critical>(ctx, target.get_operation()) {
        if !has_threads(ctx, critical.get_operation()) {
            dissolve(ctx, critical);
            continue;
        }
        check(ctx, target, critical, state);
        let name = String::from(critical.name(ctx));
        let lock = *locks
            .entry(name)
            .or_insert_with(|| lock_of(ctx, block, critical.get_operation()));
        expand(ctx, critical, lock);
    }
}

/// The same for a function that one thread runs.
pub fn alone(ctx: &mut Context, around: Ptr<Operation>) {
    variables(ctx, around, None);
    for critical in walk::nested::<Critical>(ctx, around) {
        dissolve(ctx, critical);
    }
}

/// Makes the variables in `block`, or where they stand.
fn variables(ctx: &mut Context, around: Ptr<Operation>, block: Option<Ptr<BasicBlock>>) {
    for variable in walk::nested::<TeamVariable>(ctx, around) {
        let op = variable.get_operation();
        let result = variable.get_result(ctx);
        let Some(ty) = accrue_dialects::core::pointee(ctx, result) else {
            continue;
        };
        let place = match block {
            Some(block) => OpInsertionPoint::AtBlockStart(block),
            None => OpInsertionPoint::BeforeOperation(op),
        };
        let own = Emitter::new(ctx, place, op).alloca(ty, None);
        result.replace_all_uses_with(ctx, &own);
        Operation::erase(op, ctx);
    }
}

/// Whether several threads may come to an operation.
fn has_threads(ctx: &Context, op: Ptr<Operation>) -> bool {
    let mut nest = walk::enclosing::<LoopNest>(ctx, op);
    while let Some(around) = nest {
        if around.is_shared_by(ctx, Share::Parallel) {
            return true;
        }
        nest = walk::enclosing::<LoopNest>(ctx, around.get_operation());
    }
    walk::enclosing::<Parallel>(ctx, op).is_some()
}

/// Reports what several teams might write at once.
fn check(ctx: &Context, target: Target, critical: Critical, state: &mut State) {
    let Some(teams) = teams_of(ctx, target) else {
        return;
    };
    let mut said = given(&target, ctx, Group::NumTeams);
    said.extend(given(&teams, ctx, Group::NumTeams));
    let one = said
        .first()
        .is_some_and(|it| constant_expression(ctx, it.value) == Some(1));
    if one {
        return;
    }
    for op in walk::nested_ops(ctx, critical.get_operation()) {
        let address = match View::of(ctx, op) {
            View::Core(CoreOp::Store(op)) => op.get_operand_address(ctx),
            View::Core(CoreOp::StoreBits(_) | CoreOp::Copy(_) | CoreOp::Zero(_)) => {
                op.deref(ctx).get_operand(0)
            }
            View::Core(_) | View::Source(_) | View::Par(_) | View::Simt(_) | View::Other => {
                continue;
            }
        };
        let of_team = match root_of(ctx, address) {
            Some(Root::Local(variable)) => variable
                .defining_op()
                .is_some_and(|op| walk::is_inside(ctx, op, target.get_region(ctx))),
            Some(_) | None => false,
        };
        if !of_team {
            let name = describe(ctx, address).name;
            let what = match name.is_empty() {
                true => "what it writes".to_string(),
                false => format!("`{name}`"),
            };
            let message = format!(
                "`critical` excludes the threads of one team, and {what} is not the team's"
            );
            let help = "use `atomic` or `reduction`, or write `num_teams(1)`";
            return report(ctx, state, op, &message, "15.2", help);
        }
    }
}

/// A lock at the beginning of the team's code.
fn lock_of(ctx: &mut Context, block: Ptr<BasicBlock>, model: Ptr<Operation>) -> Value {
    let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockStart(block), model);
    let ty = int(e.ctx, 32);
    let lock = e.alloca(ty, None);
    let free = e.i32(0);
    e.store(free, lock);
    lock
}

fn expand(ctx: &mut Context, critical: Critical, lock: Value) {
    let op = critical.get_operation();
    let mut e = Emitter::before(ctx, op);
    let word = int(e.ctx, 32);
    let done = e.alloca(word, None);
    let zero = e.i32(0);
    e.store(zero, done);
    let (turns, blocks) = Loop::new(e.ctx, false);
    e.push(turns);
    let mut e = Emitter::at_end_of(ctx, blocks.cond, op);
    let value = e.load(done);
    let zero = e.i32(0);
    let waits = e.cmp(CmpKind::Eq, value, zero);
    e.finish(vec![waits]);
    Emitter::at_end_of(ctx, blocks.step, op).finish(vec![]);
    let mut e = Emitter::at_end_of(ctx, blocks.body, op);
    let (update, swap) = AtomicUpdate::new(e.ctx, lock);
    e.push(update);
    let old = update.old(e.ctx);
    let zero = e.i32(0);
    let is_free = e.cmp(CmpKind::Eq, old, zero);
    let (holds, yes, no) = If::new(e.ctx, is_free, vec![]);
    e.push(holds);
    e.finish(vec![]);
    let found = swap.deref(ctx).get_argument(0);
    let mut e = Emitter::at_end_of(ctx, swap, op);
    let (zero, one) = (e.i32(0), e.i32(1));
    let was_free = e.cmp(CmpKind::Eq, found, zero);
    let new = e.make(|c| Select::new(c, was_free, one, found));
    e.finish(vec![new]);
    Emitter::at_end_of(ctx, no, op).finish(vec![]);
    for inner in walk::ops_of_block(ctx, critical.get_body(ctx, 0)) {
        match Operation::is_op::<Yield>(inner, ctx) {
            true => Operation::erase(inner, ctx),
            false => {
                inner.unlink(ctx);
                inner.insert_at_back(yes, ctx);
            }
        }
    }
    let mut e = Emitter::at_end_of(ctx, yes, op);
    let (zero, one) = (e.i32(0), e.i32(1));
    e.op(|c| AtomicStore::new(c, zero, lock));
    e.store(one, done);
    e.finish(vec![]);
    Operation::erase(op, ctx);
}

fn dissolve(ctx: &mut Context, critical: Critical) {
    crate::regions::dissolve(ctx, critical.get_operation(), critical.get_body(ctx, 0));
}
