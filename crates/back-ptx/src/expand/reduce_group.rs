//! Reductions over the lanes of a worker and over the workers of a gang.
//!
//! ```text
//! vector, one warp                    vector, several warps                   worker
//! v = v OP shuffle xor v, 16          as for one warp, then                   lane 0: slot[tid.y] = v
//! v = v OP shuffle xor v, 8           lane 0: slot[warp] = v                  v = slot[0]
//! …                                   v = slot[0]                             for k in 1..ntid.y: v = v OP slot[k]
//! v = v OP shuffle xor v, 1           for k in 1..warps: v = v OP slot[k]
//! ```
//! All threads end with the same bits: two lanes that exchange values combine the same pair, and the operators commute.
//! Where several workers share a warp, their lanes exchange values over shorter distances, and the workers of a warp over
//! the longer ones before they use a slot per warp.
//!
//! The barrier between stores and loads of the slots is put in by [`super::barriers`]. A reduction that may run again has two
//! sets of slots, used in turns: who stores for the next time cannot disturb those who still load, because there is a
//! barrier in between; so one barrier per reduction is enough.
//!
//! An array is combined element by element.

use super::{
    at::{At, GpuAt},
    limits::WARP,
    modes::Mode,
    reductions::{Object, combine_into, for_each},
    unit::{Guard, Unit},
};
use crate::{
    diagnostic::Result,
    dialect::{Register, Shuffle, ShuffleMode},
    expanded::Storage,
};
use accrue_back::operators::{combine, identity};
use accrue_dialects::{
    core::{Alloca, BinKind, Select, int},
    par::{Level, ReductionInfo},
};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    op::Op,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// The first lane (worker) goes on with LOCAL, the others start with the identity.
pub fn start(at: &mut At, unit: &Unit, info: ReductionInfo, local: Value) -> Result<Value> {
    if info.level == Level::Vector && unit.limits.max_vector == 1 {
        return Ok(local);
    }
    let first = match info.level {
        Level::Vector => at.is_zero(Register::TidX),
        Level::Gang | Level::Worker => at.is_zero(Register::TidY),
    };
    let object = Object::of(at.ctx, local);
    if !object.by_address {
        let identity = identity(at, info, object.scalar)?;
        return Ok(at.value(|c| Select::new(c, first, local, identity)));
    }
    for_each(at, object.count, |at, index| {
        let array = at.pointer_to(local, object.scalar);
        let element = at.element(array, index);
        let old = at.load(element);
        let identity = identity(at, info, object.scalar)?;
        let new = at.value(|c| Select::new(c, first, old, identity));
        at.store(new, element);
        Ok(())
    })?;
    Ok(local)
}

/// LOCAL, a value or an array, with those of all lanes (workers). `mode`: behind the loop.
pub fn combine_local(
    at: &mut At,
    unit: &mut Unit,
    mode: Mode,
    info: ReductionInfo,
    local: Value,
) -> Result<Value> {
    let object = Object::of(at.ctx, local);
    if !object.by_address {
        return combine_value(at, unit, mode, info, local);
    }
    for_each(at, object.count, |at, index| {
        let array = at.pointer_to(local, object.scalar);
        let element = at.element(array, index);
        let value = at.load(element);
        let value = combine_value(at, unit, mode, info, value)?;
        at.store(value, element);
        Ok(())
    })?;
    Ok(local)
}

/// The values of all lanes (workers), combined.
fn combine_value(
    at: &mut At,
    unit: &mut Unit,
    mode: Mode,
    info: ReductionInfo,
    value: Value,
) -> Result<Value> {
    match info.level {
        Level::Vector => lanes(at, unit, mode, info, value),
        Level::Gang | Level::Worker => workers(at, unit, info, value),
    }
}

fn lanes(
    at: &mut At,
    unit: &mut Unit,
    mode: Mode,
    info: ReductionInfo,
    value: Value,
) -> Result<Value> {
    let lanes = unit.limits.max_vector.min(WARP);
    let value = exchange(at, info, value, lanes, 1)?;
    let idle = unit.has_idle_workers(mode);
    if unit.limits.max_vector <= WARP && !idle {
        return Ok(value);
    }
    let slots = alternating(at, unit, value.get_type(at.ctx), WARP);
    let (own, warps) = match lanes < WARP {
        true => (at.i32(0), at.i32(1)),
        false => (warp_in_worker(at), warps_of_worker(at)),
    };
    let mut stores = at.is_zero(Register::LaneId);
    let mut first = at.i32(0);
    if idle {
        let worker = at.is_zero(Register::TidY);
        stores = at.bin(BinKind::And, stores, worker);
    } else if mode.worker {
        let worker = at.special(Register::TidY);
        first = at.bin(BinKind::Mul, worker, warps);
    }
    let own = at.bin(BinKind::Add, first, own);
    let last = at.bin(BinKind::Add, first, warps);
    through_slots(at, unit, info, value, slots, stores, own, (first, last))
}

fn workers(at: &mut At, unit: &mut Unit, info: ReductionInfo, value: Value) -> Result<Value> {
    if unit.limits.max_workers == 1 {
        return Ok(value);
    }
    if unit.limits.max_vector < WARP {
        return short_workers(at, unit, info, value);
    }
    let count = unit.limits.max_workers;
    let slots = alternating(at, unit, value.get_type(at.ctx), count);
    let stores = at.is_zero(Register::TidX);
    let own = at.special(Register::TidY);
    let first = at.i32(0);
    let last = at.special(Register::NtidY);
    through_slots(at, unit, info, value, slots, stores, own, (first, last))
}

/// The values of all workers, of which several are in a warp: those of a warp combine theirs first.
fn short_workers(at: &mut At, unit: &mut Unit, info: ReductionInfo, value: Value) -> Result<Value> {
    let value = exchange(at, info, value, WARP, unit.limits.max_vector)?;
    if unit.limits.max_vector * unit.limits.max_workers <= WARP {
        return Ok(value);
    }
    let slots = alternating(at, unit, value.get_type(at.ctx), WARP);
    let stores = at.is_zero(Register::LaneId);
    let (own, last) = warp_in_block(at, unit);
    let first = at.i32(0);
    through_slots(at, unit, info, value, slots, stores, own, (first, last))
}

/// The values of all threads of the block, combined.
pub fn block(at: &mut At, unit: &mut Unit, info: ReductionInfo, value: Value) -> Result<Value> {
    let value = exchange(at, info, value, WARP, 1)?;
    if unit.limits.max_vector * unit.limits.max_workers <= WARP {
        return Ok(value);
    }
    let slots = unit.slots(at, value.get_type(at.ctx), WARP);
    let (own, last) = warp_in_block(at, unit);
    let stores = at.is_zero(Register::LaneId);
    let first = at.i32(0);
    through_slots(at, unit, info, value, slots, stores, own, (first, last))
}

/// The values of `lanes` neighbouring lanes of a warp, combined; groups of `equal` lanes have the same value.
fn exchange(
    at: &mut At,
    info: ReductionInfo,
    value: Value,
    lanes: u32,
    equal: u32,
) -> Result<Value> {
    let mut value = value;
    let mut distance = lanes / 2;
    while distance >= equal {
        let other = at.i32(i128::from(distance));
        let other = at.value(|c| Shuffle::new(c, ShuffleMode::Xor, value, other, lanes));
        value = combine(at, info, value, other)?;
        distance /= 2;
    }
    Ok(value)
}

/// The number of this thread's warp in the block, and how many there are.
fn warp_in_block(at: &mut At, unit: &Unit) -> (Value, Value) {
    let worker = at.special(Register::TidY);
    let workers = at.special(Register::NtidY);
    if unit.limits.max_vector < WARP {
        let workers_of_warp = WARP / unit.limits.max_vector;
        let shift = at.i32(i128::from(workers_of_warp.ilog2()));
        return (
            at.bin(BinKind::ShrU, worker, shift),
            at.bin(BinKind::ShrU, workers, shift),
        );
    }
    let warps = warps_of_worker(at);
    let own = warp_in_worker(at);
    let before = at.bin(BinKind::Mul, worker, warps);
    (
        at.bin(BinKind::Add, before, own),
        at.bin(BinKind::Mul, workers, warps),
    )
}

fn warps_of_worker(at: &mut At) -> Value {
    let lanes = at.special(Register::NtidX);
    let shift = at.i32(5);
    at.bin(BinKind::ShrU, lanes, shift)
}

fn warp_in_worker(at: &mut At) -> Value {
    let lane = at.special(Register::TidX);
    let shift = at.i32(5);
    at.bin(BinKind::ShrU, lane, shift)
}

/// Slots for a reduction; two sets in turns if it may run again.
fn alternating(at: &mut At, unit: &mut Unit, ty: TypeHandle, count: u32) -> Value {
    if !at.is_in_loop() {
        return unit.slots(at, ty, count);
    }
    let slots = unit.slots(at, ty, 2 * count);
    unit.alternating.extend(slots.defining_op());
    let turn = {
        let mut start = unit.at_start(at.ctx);
        let i32 = int(start.ctx, 32);
        let turn = register(&mut start, unit, i32);
        let zero = start.i32(0);
        start.store(zero, turn);
        turn
    };
    let now = at.load(turn);
    let all = at.i32(i128::from(count));
    let next = at.bin(BinKind::Xor, now, all);
    at.store(next, turn);
    at.element(slots, now)
}

/// The threads that `stores` names put `value` into their slots `own`; then all threads combine the slots of `range` in
/// order.
#[expect(
    clippy::too_many_arguments,
    reason = "one step of three callers, with nothing in common that has a name"
)]
fn through_slots(
    at: &mut At,
    unit: &mut Unit,
    info: ReductionInfo,
    value: Value,
    slots: Value,
    stores: Value,
    own: Value,
    range: (Value, Value),
) -> Result<Value> {
    let guard = at.when(stores, |at| {
        let slot = at.element(slots, own);
        at.store(value, slot);
        Ok::<(), crate::diagnostic::Diagnostic>(())
    })?;
    unit.guards.insert(guard, Guard::Some);
    let sum = register(at, unit, value.get_type(at.ctx));
    let slot = at.element(slots, range.0);
    let first = at.load(slot);
    at.store(first, sum);
    let one = at.i32(1);
    let second = at.bin(BinKind::Add, range.0, one);
    at.counted(second, range.1, one, |at, index| {
        let slot = at.element(slots, index);
        let other = at.load(slot);
        combine_into(at, info, sum, other)
    })?;
    Ok(at.load(sum))
}

/// A new register of each thread.
pub fn register(at: &mut At, unit: &mut Unit, ty: TypeHandle) -> Value {
    let variable = at.op(|c| Alloca::new(c, ty, None));
    unit.storage
        .insert(variable.get_operation(), Storage::Register);
    variable.get_result(at.ctx)
}
