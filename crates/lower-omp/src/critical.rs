//! What the threads of a team share beside what the program declares so: locks of `critical`, and variables of single constructs.
//!
//! ```text
//! omp.critical %word, "name" { s }     →      %lock = core.alloca i32;  core.store 0, %lock       once in each team
//!                                             …
//!                                             s, while %lock is held ([`crate::locks`])
//! ```
//! The regions of a name exclude each other among the threads of a team (OpenMP 5.2, section 15.2: the binding thread set is that of the
//! contention group). Programs count on more, and other compilers give it: where one of them writes what need not be the team's, and
//! there may be several teams, all regions of the name take the word in the device's memory as their lock.
//!
//! | what the regions of a name write | teams | lock |
//! | --- | --- | --- |
//! | variables of the team | any | the team's |
//! | anything | one | the team's; none if it has one thread |
//! | anything else | several | the device's |

use crate::locks::while_held;
use crate::pure::{Pure, root_of_object};
use crate::structure::teams_of;
use crate::teams::forget;
use accrue_dialects::{
    acc::{Group, given},
    core::{emit::Emitter, fold::constant_expression, int},
    omp::{Critical, LoopNest, Parallel, Share, Target, TeamVariable, Yield},
};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk,
};
use accrue_opt::analysis::variables::Root;
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{OneRegionInterface, OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::BTreeMap;

/// Lowers what is in a region.
pub fn lower(ctx: &mut Context, target: Target, pure: &Pure) {
    let block = match teams_of(ctx, target) {
        Some(teams) => teams.get_body(ctx, 0),
        None => target.get_body(ctx, 0),
    };
    variables(ctx, target.get_operation(), Some(block));
    let mut by_name: BTreeMap<String, Vec<Critical>> = BTreeMap::new();
    for critical in walk::nested::<Critical>(ctx, target.get_operation()) {
        let name = String::from(critical.name(ctx));
        by_name.entry(name).or_default().push(critical);
    }
    let several = has_several_teams(ctx, target);
    for criticals in by_name.into_values() {
        let of_device = several
            && criticals
                .iter()
                .any(|it| is_for_all(ctx, target, *it, pure));
        let mut own = None;
        for critical in criticals {
            let op = critical.get_operation();
            let word = critical.get_operand_lock(ctx);
            if of_device {
                expand(ctx, critical, word);
            } else if has_threads(ctx, op) {
                let lock = *own.get_or_insert_with(|| lock_of(ctx, block, op));
                expand(ctx, critical, lock);
            } else {
                dissolve(ctx, critical);
            }
        }
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

/// Whether there may be more than one team.
fn has_several_teams(ctx: &Context, target: Target) -> bool {
    let Some(teams) = teams_of(ctx, target) else {
        return false;
    };
    let mut said = given(&target, ctx, Group::NumTeams);
    said.extend(given(&teams, ctx, Group::NumTeams));
    let one = said
        .first()
        .is_some_and(|it| constant_expression(ctx, it.value) == Some(1));
    !one
}

/// Whether a region writes what need not be the team's.
fn is_for_all(ctx: &Context, target: Target, critical: Critical, pure: &Pure) -> bool {
    let is_of_team = |address: Value| match root_of_object(ctx, address) {
        Some(Root::Local(variable)) => variable
            .defining_op()
            .is_some_and(|op| walk::is_inside(ctx, op, target.get_region(ctx))),
        Some(_) | None => false,
    };
    let all = walk::nested_ops(ctx, critical.get_operation());
    all.into_iter().any(|op| {
        let is_harmless = pure.is_call(ctx, op);
        let effects = effects_of(ctx, op);
        let others = effects.expected().iter().any(|effect| match effect {
            Effect::Write(to) | Effect::Free(to) => !to.is_some_and(is_of_team),
            Effect::Read(_) | Effect::Alloc | Effect::Structure | Effect::Convergent => false,
        });
        others && !is_harmless
    })
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
    let mut inside = walk::ops_of_block(ctx, critical.get_body(ctx, 0));
    inside.retain(|inner| !Operation::is_op::<Yield>(*inner, ctx));
    while_held(ctx, op, lock, inside, Some(lock));
    erase(ctx, critical);
}

fn dissolve(ctx: &mut Context, critical: Critical) {
    for op in walk::ops_of_block(ctx, critical.get_body(ctx, 0)) {
        if !Operation::is_op::<Yield>(op, ctx) {
            op.unlink(ctx);
            op.insert_before(ctx, critical.get_operation());
        }
    }
    erase(ctx, critical);
}

/// Takes the construct away, and the device's word if nothing else names it.
fn erase(ctx: &mut Context, critical: Critical) {
    let word = critical.get_operand_lock(ctx);
    Operation::erase(critical.get_operation(), ctx);
    forget(ctx, word);
}
