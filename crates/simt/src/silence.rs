//! In a single mode only the leader of a group has effects.
//!
//! ```text
//! core.store %v, %p                    core.if %leader () then { core.store %v, %p }
//! %x = core.call @malloc(%n)    →      core.if %leader () then { %y = core.call @malloc(%n)   core.store %y, %slot }
//!                                      %x = core.load %slot
//! ```
//! The other threads get the results: in a sub-group by a shuffle, else through a slot in shared memory. Barriers come later
//! ([`super::barriers`]).
//!
//! A vector routine that is called in block mode is called by the first worker only; what it gives reaches the others in
//! the same way.

use super::{
    at::{Emitter, GpuAt},
    calls::{Calls, Kind},
    modes::{Mode, operations},
    roots::{Root, root},
    storage::is_private,
    unit::{Guard, Unit},
};
use crate::{
    diagnostic::{Diagnostic, Result, error_at},
    dialect::{Quantity, Scope, Shuffle, ShuffleMode},
};
use accrue_dialects::core::{AtomicLoad, Call, If, Yield};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk::results_of,
};
use pliron::{
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// Puts everything with effects that is in a single mode under the leader's condition.
pub fn silence(ctx: &mut Context, unit: &mut Unit, calls: &Calls) -> Result<()> {
    let guards = unit.guards.clone();
    let all = operations(ctx, unit.function, unit.base, &|op| {
        guards.contains_key(&op)
    });
    for (op, mode) in all {
        if guards.contains_key(&op) {
            continue;
        }
        match actor(ctx, unit, calls, op, mode)? {
            Actor::All => {}
            Actor::Leader => {
                let leader = unit.leader(ctx, mode);
                only(ctx, unit, op, mode, leader, Guard::Leader)?;
            }
            Actor::FirstWorker => {
                let first = Emitter::before(ctx, op).is_zero(Quantity::Worker);
                only(ctx, unit, op, mode, first, Guard::Some)?;
            }
        }
    }
    Ok(())
}

/// Who runs an operation.
enum Actor {
    All,
    Leader,
    FirstWorker,
}

fn actor(
    ctx: &Context,
    unit: &Unit,
    calls: &Calls,
    op: Ptr<Operation>,
    mode: Mode,
) -> Result<Actor> {
    if let Some(call) = Operation::get_op::<Call>(op, ctx) {
        return caller(ctx, unit, calls, &call, mode);
    }
    if unit.is_alone(mode) {
        return Ok(Actor::All);
    }
    // Another gang may write in between, and all threads have to see the same.
    let racing = Operation::is_op::<AtomicLoad>(op, ctx);
    let writes = effects_of(ctx, op).expected().iter().any(|e| match *e {
        Effect::Write(address) | Effect::Free(address) => address
            .is_none_or(|a| !matches!(root(ctx, a), Root::Variable(v) if is_private(unit, v))),
        Effect::Read(_) | Effect::Alloc | Effect::Structure | Effect::Convergent => false,
    });
    Ok(match racing || writes {
        true => Actor::Leader,
        false => Actor::All,
    })
}

fn caller(ctx: &Context, unit: &Unit, calls: &Calls, call: &Call, mode: Mode) -> Result<Actor> {
    let name = call.callee(ctx);
    let wrong = |level: &str, place: &str| {
        let message = format!(
            "`{name}` has {level} loops and is called in {place}; call it outside of that loop (OpenACC 3.4, 2.15.1)"
        );
        Err(error_at(ctx, call.get_operation(), message))
    };
    match calls.kind(&name) {
        Kind::Seq if unit.is_alone(mode) || !calls.touches(&name).writes => Ok(Actor::All),
        Kind::Seq => Ok(Actor::Leader),
        Kind::Vector if mode.vector => wrong("vector", "a vector loop or a sequential routine"),
        Kind::Vector if unit.has_idle_workers(mode) => Ok(Actor::FirstWorker),
        Kind::Vector => Ok(Actor::All),
        Kind::Block if mode == Mode::BLOCK => Ok(Actor::All),
        Kind::Block => wrong("gang or worker", "a worker or vector loop"),
    }
}

/// Lets only the threads for which `cond` is true run `op`, and gives the results to the others.
fn only(
    ctx: &mut Context,
    unit: &mut Unit,
    op: Ptr<Operation>,
    mode: Mode,
    cond: Value,
    guard: Guard,
) -> Result<()> {
    let results: Vec<_> = results_of(ctx, op)
        .into_iter()
        .filter(|r| r.is_used(ctx))
        .collect();
    let condition = match unit.scope(mode) {
        Scope::Subgroup if unit.target.has_subgroups() => {
            by_shuffle(ctx, op, cond, unit.lanes(mode), &results)
        }
        Scope::Subgroup | Scope::Worker | Scope::Group | Scope::Device | Scope::System => {
            by_slots(ctx, unit, op, mode, (cond, guard), &results)?
        }
    };
    unit.guards.insert(condition, guard);
    Ok(())
}

/// `core.if` gives the results, or zeros; then all lanes of the group take those of its first lane.
fn by_shuffle(
    ctx: &mut Context,
    op: Ptr<Operation>,
    cond: Value,
    lanes: u32,
    results: &[Value],
) -> Ptr<Operation> {
    let types = results.iter().map(|r| r.get_type(ctx)).collect();
    let mut at = Emitter::before(ctx, op);
    let (branch, yes, no) = If::new(at.ctx, cond, types);
    let branch = at.op(|_| branch).get_operation();
    let mut first_lane = vec![];
    if !results.is_empty() {
        let lane = at.i32(0);
        for (index, _) in results.iter().enumerate() {
            let value = branch.deref(at.ctx).get_result(index);
            let mode = ShuffleMode::Index;
            first_lane.push(at.make(|c| Shuffle::new(c, mode, value, lane, lanes)));
        }
    }
    for (old, new) in results.iter().zip(&first_lane) {
        old.replace_all_uses_with(ctx, new);
    }
    op.unlink(ctx);
    op.insert_at_back(yes, ctx);
    let end = Yield::new(ctx, results.to_vec());
    end.get_operation().insert_at_back(yes, ctx);
    let mut zeros = Emitter::at_end_of(ctx, no, op);
    let types: Vec<_> = results.iter().map(|r| r.get_type(zeros.ctx)).collect();
    let values = types.into_iter().map(|ty| zeros.zero(ty)).collect();
    zeros.op(|c| Yield::new(c, values));
    branch
}

/// The thread that has the results stores them, then all load them.
fn by_slots(
    ctx: &mut Context,
    unit: &mut Unit,
    op: Ptr<Operation>,
    mode: Mode,
    (cond, guard): (Value, Guard),
    results: &[Value],
) -> Result<Ptr<Operation>> {
    let mut at = Emitter::before(ctx, op);
    let mut slots = vec![];
    for result in results {
        let ty = result.get_type(at.ctx);
        let first = unit.slots(
            &mut at,
            ty,
            if mode.worker {
                unit.limits.max_workers
            } else {
                1
            },
        );
        let slot = match mode.worker {
            true => {
                let worker = at.query(Quantity::Worker);
                at.ptr_add(first, worker)
            }
            false => first,
        };
        slots.push(slot);
    }
    let branch = at.when::<Diagnostic>(cond, |_| Ok(()))?;
    for (old, slot) in results.iter().zip(&slots) {
        let new = at.load(*slot);
        old.replace_all_uses_with(at.ctx, &new);
    }
    let yes = branch.deref(ctx).get_region(0);
    let end = accrue_ir::walk::ops_of_region(ctx, yes);
    let Some(end) = end.first().copied() else {
        return Ok(branch);
    };
    op.unlink(ctx);
    op.insert_before(ctx, end);
    if results.is_empty() {
        return Ok(branch);
    }
    let store = |at: &mut Emitter| {
        for (result, slot) in results.iter().zip(slots) {
            at.store(*result, slot);
        }
    };
    match guard {
        Guard::Leader => store(&mut Emitter::before(ctx, end)),
        Guard::Some => {
            // All lanes of the first worker have the results, one stores them.
            let lane = unit.leader(ctx, Mode::WORKER);
            Emitter::before(ctx, end).when::<Diagnostic>(lane, |at| {
                store(at);
                Ok(())
            })?;
        }
    }
    Ok(branch)
}
