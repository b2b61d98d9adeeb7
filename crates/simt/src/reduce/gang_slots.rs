//! Gang reductions through a record per gang; the gang that finishes last combines them.
//!
//! ```text
//! several gangs leader: record[gang] = contribution;  fence;  arrived = atomic head[0]++;  if last: fence
//!               last gang to arrive (arrived = gangs - 1):
//!                 v = identity;  for g = thread; g < gangs; g += threads: v = v OP record[g]
//!                 v of all threads combined;  leader: RESULT = RESULT OP v;  head[0] = 0
//! ```
//! The leader's fences put its gang's record before its arrival, and the arrivals before the loads of the last gang; the
//! barrier around the leader's condition does the same for the other threads of the gang. The records are in the gangs'
//! scratch memory. The variables of a record are loaded together, and combined within the block as one record. An element of
//! an array is combined by one thread, gang after gang.
//!
//! Seed: OpenMP reductions on GPUs in LLVM, "Efficient Cross Block Reduce": a slot for each block that can be resident at a
//! time, named by its multiprocessor and its number there, and a final stage of one thread. Here a slot is the launched
//! gang's own: the runtime launches no more gangs than are resident, so there are as many slots, and no instance numbers
//! have to be handed out. With a slot per resident block a later block would add to what an earlier one has left, so that
//! the order of a sum, and its bits, would depend on which multiprocessor is free first. The final stage is the last gang,
//! all threads of it, instead of a kernel of its own.

use super::{
    super::{
        at::{Emitter, GpuAt},
        unit::{Guard, Unit, register},
    },
    combine_into,
    gang::{Contribution, into_results, record_of},
    group, in_use,
    record::{load, select, store},
};
use crate::{
    diagnostic::{Diagnostic, Result},
    dialect::{Fence, Quantity, Scope, Scratch},
};
use accrue_dialects::core::{
    AtomicUpdate, BinKind, Cast, CastKind, CmpKind, Select, Yield, boolean, int,
};
use accrue_dialects::par::operators::{combine, identity};
use pliron::{
    builtin::op_interfaces::OneResultInterface, op::Op, r#type::TypeHandle, value::Value,
};

/// Loads of records that are under way at a time in a thread: they come from far away.
const AT_ONCE: usize = 8;
/// Records of one variable that a thread of the last gang loads before it combines them.
const MOST_AT_ONCE: usize = 4;
/// Bytes of the head of the scratch memory.
const HEAD: i128 = accrue_abi::launch::SCRATCH_HEAD as i128;

/// At the end of the kernel.
pub fn finish(
    at: &mut Emitter,
    unit: &mut Unit,
    leader: Value,
    all: &[&Contribution],
) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    in_use::finish(at, unit, leader, all, |at, unit| {
        together(at, unit, leader, all)
    })
}

/// Several gangs: each leaves its record, the last one combines them.
fn together(at: &mut Emitter, unit: &mut Unit, leader: Value, all: &[&Contribution]) -> Result<()> {
    let gang = unit.gang(at);
    let gang_bytes = unit.scratch.gang_bytes;
    leave_arrays(at, unit, gang, all)?;
    let bool_ = boolean(at.ctx);
    let slot = unit.slots(at, bool_, 1);
    let guard = at.when(leader, |at| {
        leave_scalars(at, gang_bytes, gang, all);
        at.op(|c| Fence::new(c, Scope::Device));
        let last = arrive(at, unit);
        at.when::<Diagnostic>(last, |at| {
            at.op(|c| Fence::new(c, Scope::Device));
            Ok(())
        })?;
        at.store(last, slot);
        Ok::<(), Diagnostic>(())
    })?;
    unit.guards.insert(guard, Guard::Leader);
    let last = at.load(slot);
    at.when(last, |at| results(at, unit, leader, all))?;
    Ok(())
}

/// All threads of a gang store their share of its arrays into its record.
pub fn leave_arrays(
    at: &mut Emitter,
    unit: &mut Unit,
    gang: Value,
    all: &[&Contribution],
) -> Result<()> {
    for c in all.iter().filter(|c| c.object.by_address) {
        let from = at.pointer_to(c.variable, c.object.scalar);
        let into = record(at, unit.scratch.gang_bytes, c, gang);
        strided(at, unit, c.object.count, |at, index| {
            let (from, into) = (at.ptr_add(from, index), at.ptr_add(into, index));
            let value = at.load(from);
            at.store(value, into);
            Ok(())
        })?;
    }
    Ok(())
}

/// The leader of a gang stores its scalars into its record.
pub fn leave_scalars(at: &mut Emitter, gang_bytes: u64, gang: Value, all: &[&Contribution]) {
    for c in all.iter().filter(|c| !c.object.by_address) {
        let value = at.load(c.variable);
        let into = record(at, gang_bytes, c, gang);
        at.store(value, into);
    }
}

/// Counts this gang; gives whether all others have been here before.
fn arrive(at: &mut Emitter, unit: &Unit) -> Value {
    let counter = counter(at);
    let (update, block) = AtomicUpdate::new(at.ctx, counter);
    at.op(|_| update);
    let before = block.deref(at.ctx).get_argument(0);
    let mut inside = Emitter::at_end_of(at.ctx, block, update.get_operation());
    let one = inside.i32(1);
    let after = inside.bin(BinKind::Add, before, one);
    inside.op(|c| Yield::new(c, vec![after]));
    let before = update.old(at.ctx);
    let gangs = number_of_gangs(at, unit);
    let one = at.i32(1);
    let others = at.bin(BinKind::Sub, gangs, one);
    at.cmp(CmpKind::Eq, before, others)
}

/// As `i32`.
pub fn number_of_gangs(at: &mut Emitter, unit: &Unit) -> Value {
    if !unit.has_gang_dims {
        return at.query(Quantity::GroupsX);
    }
    let (gangs, narrow) = (unit.gangs(at), int(at.ctx, 32));
    at.make(|c| Cast::new(c, CastKind::Trunc, gangs, narrow))
}

fn counter(at: &mut Emitter) -> Value {
    let i32 = int(at.ctx, 32);
    at.make(|c| Scratch::new(c, i32))
}

/// Address of the record of `gang` for this contribution, as a pointer to its first scalar.
pub fn record(at: &mut Emitter, gang_bytes: u64, c: &Contribution, gang: Value) -> Value {
    place(at, gang_bytes, (c.offset, c.object.scalar), gang)
}

/// The object of this type, so many bytes from the start of the record of `gang`.
pub fn place(
    at: &mut Emitter,
    gang_bytes: u64,
    (offset, ty): (u64, TypeHandle),
    gang: Value,
) -> Value {
    let byte = int(at.ctx, 8);
    let start = at.make(|ctx| Scratch::new(ctx, byte));
    let size = at.i64(i128::from(gang_bytes.next_multiple_of(16)));
    let before = at.bin(BinKind::Mul, gang, size);
    let field = at.i64(HEAD + i128::from(offset));
    let offset = at.bin(BinKind::Add, before, field);
    let address = at.ptr_add(start, offset);
    at.pointer_to(address, ty)
}

/// In the last gang: all records into the results, and the counter is zero again.
fn results(at: &mut Emitter, unit: &mut Unit, leader: Value, all: &[&Contribution]) -> Result<()> {
    let gangs = unit.gangs(at);
    let (arrays, scalars): (Vec<&Contribution>, Vec<_>) =
        all.iter().partition(|c| c.object.by_address);
    for c in arrays {
        array(at, unit, c, gangs)?;
    }
    let values = match scalars.is_empty() {
        true => vec![],
        false => share(at, unit, &scalars, gangs)?,
    };
    let guard = at.when(leader, |at| {
        into_results(at, &scalars, &values)?;
        let counter = counter(at);
        let zero = at.i32(0);
        at.store(zero, counter);
        Ok::<(), Diagnostic>(())
    })?;
    unit.guards.insert(guard, Guard::Leader);
    Ok(())
}

/// The contributions of all gangs to scalars, combined.
fn share(
    at: &mut Emitter,
    unit: &mut Unit,
    scalars: &[&Contribution],
    gangs: Value,
) -> Result<Vec<Value>> {
    let record_ = record_of(scalars);
    let sums = record_.registers(at, unit);
    let results: Vec<Value> = scalars.iter().map(|c| c.result).collect();
    let nothing = record_.identity(at, &results)?;
    store(at, &nothing, &sums);
    let (first, step) = at.threads(true);
    let gang_bytes = unit.scratch.gang_bytes;
    let at_once = (AT_ONCE / scalars.len()).clamp(1, MOST_AT_ONCE);
    let all_at_once = at.i64(at_once as i128);
    let stride = at.bin(BinKind::Mul, step, all_at_once);
    let share = at.counted(first, gangs, stride, |at, gang| {
        let mut loaded = vec![];
        let mut one = gang;
        for _ in 0..at_once {
            // Beyond the last record the first one of the four is loaded again, and not used.
            let there = at.cmp(CmpKind::LtS, one, gangs);
            let which = at.op(|c| Select::new(c, there, one, gang));
            let which = which.get_result(at.ctx);
            let from: Vec<_> = scalars
                .iter()
                .map(|c| record(at, gang_bytes, c, which))
                .collect();
            loaded.push((there, load(at, &from)));
            one = at.bin(BinKind::Add, one, step);
        }
        for (there, values) in loaded {
            let values = select(at, there, &values, &nothing);
            record_.combine_into(at, &sums, &values)?;
        }
        Ok(())
    })?;
    unit.guards.insert(share, Guard::Some);
    let values = load(at, &sums);
    group::block(at, unit, &record_, &values)
}

/// An array: each thread combines its share of the elements, gang after gang.
fn array(at: &mut Emitter, unit: &mut Unit, c: &Contribution, gangs: Value) -> Result<()> {
    let into = at.pointer_to(c.result, c.object.scalar);
    let sum = register(at, unit, c.object.scalar);
    let (info, ty) = (c.info, c.object.scalar);
    let gang_bytes = unit.scratch.gang_bytes;
    strided(at, unit, c.object.count, |at, index| {
        let start = identity(at, info, ty)?;
        at.store(start, sum);
        let (zero, one) = (at.i64(0), at.i64(1));
        at.counted(zero, gangs, one, |at, gang| {
            let from = record(at, gang_bytes, c, gang);
            let from = at.ptr_add(from, index);
            let value = at.load(from);
            combine_into(at, info, sum, value)
        })?;
        let into = at.ptr_add(into, index);
        let (old, new) = (at.load(into), at.load(sum));
        let new = combine(at, info, old, new)?;
        at.store(new, into);
        Ok(())
    })
}

/// The threads of the block share `0..count`.
fn strided(
    at: &mut Emitter,
    unit: &mut Unit,
    count: u64,
    body: impl FnOnce(&mut Emitter, Value) -> Result<()>,
) -> Result<()> {
    let (first, step) = at.threads(true);
    let count = at.i64(i128::from(count));
    let share = at.counted(first, count, step, body)?;
    unit.guards.insert(share, Guard::Some);
    Ok(())
}
