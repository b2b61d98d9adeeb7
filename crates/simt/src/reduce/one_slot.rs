//! One slot that every worker adds to, under a lock or atomically (seed: OpenACC reductions in GCC, "Worker Level", "Worker
//! Locking", "Atomics Optimization").
//!
//! | | |
//! | --- | --- |
//! | SETUP | leader of the block: slot = LOCAL, lock = 0; V = LOCAL |
//! | INIT | V = identity |
//! | FINI | leader of each worker: slot = slot OP LOCAL; V = LOCAL |
//! | TEARDOWN | V = slot |
//!
//! ```text
//! FINI   simt.locked %lock {                         core.atomic_update %s { %new = OP %old, LOCAL }
//!          %a = OP (load %s), LOCAL   store %a
//!          %b = OP (load %m), LOCAL   store %b      with `atomic`
//!        }                            with `lock`
//! ```
//! All FINIs of a loop are in one locked region, those that are atomic in front of it; if all are atomic there is no lock.
//! The slots and the lock are in the buffer of the block ([`super::buffer`]); the lock is the same word for all loops of a
//! kernel unless their records differ, since no two loops run at a time. The region's fences and the barriers at fork and
//! join make the slots visible. Where `worker vector` is one loop of workers of several sub-groups, it is each sub-group that adds.
//!
//! A complex sum is two atomic updates, one for each part.

use super::{
    super::{
        at::{Emitter, GpuAt},
        unit::{Guard, Unit},
    },
    buffer::{self, Slots, Which},
    policy::Algorithm,
    record::{Record, load, store},
};
use crate::{
    diagnostic::{Diagnostic, Result},
    dialect::Locked,
};
use accrue_dialects::par::operators;
use accrue_dialects::{
    core::{AtomicUpdate, Imag, Real, Yield, complex_part, int},
    par::ReductionInfo,
};
use pliron::{
    builtin::op_interfaces::OneResultInterface, context::Context, op::Op, r#type::Typed,
    value::Value,
};

/// The slots of a record, and of its lock behind them.
pub fn slots(ctx: &Context, record: &Record) -> Slots {
    let mut types = record.types();
    types.push(int(ctx, 32));
    Slots {
        which: Which::OfBlock,
        types,
        count: 1,
    }
}

/// SETUP.
pub fn setup(
    at: &mut Emitter,
    unit: &mut Unit,
    record: &Record,
    locals: &[Value],
    leader: Value,
) -> Result<()> {
    let slots = slots(at.ctx, record);
    let places = buffer::take(at, unit, &slots).only();
    let guard = at.when(leader, |at| {
        let mut values = locals.to_vec();
        values.push(at.i32(0));
        store(at, &values, &places);
        Ok::<(), Diagnostic>(())
    })?;
    unit.guards.insert(guard, Guard::Leader);
    Ok(())
}

/// FINI. `algorithms`: one per field; `adds`: whether this thread adds what its worker or sub-group has.
pub fn fini(
    at: &mut Emitter,
    unit: &mut Unit,
    record: &Record,
    locals: &[Value],
    algorithms: &[Algorithm],
    (adds, guard): (Value, Guard),
) -> Result<()> {
    let slots = slots(at.ctx, record);
    let mut places = buffer::current(at, unit, &slots).only();
    let Some(lock) = places.pop() else {
        return Ok(());
    };
    let condition = at.when(adds, |at| {
        add(at, record, locals, &places, algorithms, |_| lock)
    })?;
    unit.guards.insert(condition, guard);
    Ok(())
}

/// TEARDOWN: the record that all workers have added to.
pub fn result(at: &mut Emitter, unit: &mut Unit, record: &Record) -> Vec<Value> {
    let slots = slots(at.ctx, record);
    let mut places = buffer::current(at, unit, &slots).only();
    places.truncate(record.0.len());
    load(at, &places)
}

/// Adds `values` to the objects at `places`: those that can be atomically, the others together under the lock.
pub fn add(
    at: &mut Emitter,
    record: &Record,
    values: &[Value],
    places: &[Value],
    algorithms: &[Algorithm],
    lock: impl FnOnce(&mut Emitter) -> Value,
) -> Result<()> {
    let mut locked = vec![];
    for (field, algorithm) in algorithms.iter().enumerate() {
        match algorithm {
            Algorithm::Atomic => {
                atomic(at, record.0[field].info, places[field], values[field])?;
            }
            Algorithm::Shuffle
            | Algorithm::Contiguous
            | Algorithm::Dispersed
            | Algorithm::Redux
            | Algorithm::Slots
            | Algorithm::FirstWarp
            | Algorithm::Tree
            | Algorithm::Launches
            | Algorithm::Lock => locked.push(field),
        }
    }
    if locked.is_empty() {
        return Ok(());
    }
    let lock = lock(at);
    let part = record.part(&locked);
    let pick = |all: &[Value]| -> Vec<Value> { locked.iter().map(|f| all[*f]).collect() };
    let (values, places) = (pick(values), pick(places));
    under(at, lock, |at| part.combine_into(at, &places, &values))
}

/// A region that one thread runs at a time.
pub fn under(
    at: &mut Emitter,
    lock: Value,
    body: impl FnOnce(&mut Emitter) -> Result<()>,
) -> Result<()> {
    let (region, block) = Locked::new(at.ctx, lock);
    at.op(|_| region);
    let mut inside = Emitter::at_end_of(at.ctx, block, region.get_operation());
    body(&mut inside)?;
    inside.op(|c| Yield::new(c, vec![]));
    Ok(())
}

/// `*address = *address OP value`, in one piece; a complex number part by part.
pub fn atomic(at: &mut Emitter, info: ReductionInfo, address: Value, value: Value) -> Result<()> {
    let ty = value.get_type(at.ctx);
    if let Some(part) = complex_part(at.ctx, ty) {
        let missing = || Diagnostic::error("a complex number was expected");
        let real = Real::new(at.ctx, value).ok_or_else(missing)?;
        let real = at.op(|_| real).get_result(at.ctx);
        let imaginary = Imag::new(at.ctx, value).ok_or_else(missing)?;
        let imaginary = at.op(|_| imaginary).get_result(at.ctx);
        let first = at.pointer_to(address, part);
        atomic(at, info, first, real)?;
        let one = at.i64(1);
        let second = at.ptr_add(first, one);
        return atomic(at, info, second, imaginary);
    }
    let (update, block) = AtomicUpdate::new(at.ctx, address);
    at.op(|_| update);
    let old = block.deref(at.ctx).get_argument(0);
    let mut inside = Emitter::at_end_of(at.ctx, block, update.get_operation());
    let new = operators::combine(&mut inside, info, old, value)?;
    inside.op(|c| Yield::new(c, vec![new]));
    Ok(())
}
