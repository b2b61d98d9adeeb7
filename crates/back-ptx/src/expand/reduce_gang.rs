//! Reductions over gangs.
//!
//! Gangs do not wait for each other, and RESULT has no defined value before the end of the construct (OpenACC 3.4, section
//! 2.9.11). So each thread keeps what its gang contributes in a variable of its own, and the end of the kernel brings the
//! contributions together:
//!
//! ```text
//! one gang      leader: RESULT = RESULT OP contribution
//!
//! several       leader: record[gang] = contribution;  fence;  arrived = atomic head[0]++;  if last: fence
//!               last gang to arrive (arrived = gangs - 1):
//!                 v = identity;  for g = thread; g < gangs; g += threads: v = v OP record[g]
//!                 v of all threads combined;  leader: RESULT = RESULT OP v;  head[0] = 0
//! ```
//! The leader's fences put its gang's record before its arrival, and the arrivals before the loads of the last gang; the
//! barrier around the leader's condition does the same for the other threads of the gang. The records are in the gangs' scratch memory. An element of an array is combined by one thread, gang after gang.

use super::{
    at::{At, GpuAt},
    modes::Mode,
    reduce_group::{self, register},
    reductions::{Builtin, Object, Reduction, combine_into, fill, for_each},
    unit::{Guard, Unit},
};
use crate::{
    diagnostic::{Diagnostic, Result},
    dialect::{Fence, Register, Scope, Scratch},
    expanded::Storage,
    layout::{Records, extent},
};
use accrue_back::operators::{combine, identity};
use accrue_dialects::{
    core::{Alloca, AtomicUpdate, BinKind, CmpKind, Select, Yield, boolean, int},
    par::{Level, ReductionInfo},
};
use accrue_ir::walk::ops_of_block;
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};

/// Records that a thread of the last gang loads before it combines them: they come from far away.
const AT_ONCE: i128 = 4;
/// Bytes of the head of the scratch memory.
const HEAD: i128 = 4096;

/// A gang reduction with RESULT.
pub struct Contribution {
    pub info: ReductionInfo,
    object: Object,
    /// Address of RESULT.
    result: Value,
    /// Address of the thread's variable.
    variable: Value,
    /// Each worker contributes on its own.
    per_worker: bool,
    /// Where it is in the gang's scratch memory.
    offset: u64,
}

impl Contribution {
    /// Adds LOCAL to what the gang contributes.
    pub fn add(&self, at: &mut At, local: Value) -> Result<()> {
        if !self.object.by_address {
            return combine_into(at, self.info, self.variable, local);
        }
        for_each(at, self.object.count, |at, index| {
            let from = at.pointer_to(local, self.object.scalar);
            let from = at.element(from, index);
            let value = at.load(from);
            let into = at.pointer_to(self.variable, self.object.scalar);
            let into = at.element(into, index);
            combine_into(at, self.info, into, value)
        })
    }
}

/// The gang reductions of a kernel that need contributions, with identities in them at the start of the kernel. RESULT of
/// the others is used directly.
pub fn contributions(
    ctx: &mut Context,
    unit: &mut Unit,
    all: &[Reduction],
) -> Result<Vec<Contribution>> {
    let mut found = vec![];
    for fini in all {
        let Some(result) = fini.result(ctx).filter(|_| fini.info.level == Level::Gang) else {
            continue;
        };
        if fini.builtin != Builtin::Fini {
            continue;
        }
        let Some(kernel) = &unit.kernel else {
            let message = "a gang reduction in a function that is called from a compute construct is not supported on \
                           NVIDIA GPUs; write the loop in the construct itself, or make it a worker or vector loop";
            return Err(Diagnostic::at(ctx, fini.op, message));
        };
        if kernel.single_gang && fini.mode == Mode::BLOCK {
            continue;
        }
        if fini.mode.vector {
            let message = "a reduction into a variable of the compute construct inside a vector loop is not supported on \
                           NVIDIA GPUs; reduce into a private variable";
            return Err(Diagnostic::at(ctx, fini.op, message));
        }
        check_result(ctx, unit, fini.op, result)?;
        let object = Object::of(ctx, fini.local(ctx));
        let offset = if kernel.single_gang {
            0
        } else {
            reserve(ctx, unit, object)
        };
        let mut at = unit.at_start(ctx);
        let variable =
            start(&mut at, unit, fini.info, object).map_err(|d| d.or_at(ctx, fini.op))?;
        found.push(Contribution {
            info: fini.info,
            object,
            result,
            variable,
            per_worker: fini.mode.worker,
            offset,
        });
    }
    Ok(found)
}

/// The end of the kernel must see RESULT: it is computed at the kernel's top.
fn check_result(ctx: &Context, unit: &Unit, op: Ptr<Operation>, result: Value) -> Result<()> {
    let top = Some(unit.function.get_entry_block(ctx));
    if result.get_parent_block(ctx) == top {
        return Ok(());
    }
    let message = "the result of a gang reduction that is chosen inside an outer loop or branch is not supported on NVIDIA \
                   GPUs";
    Err(Diagnostic::at(ctx, op, message))
}

/// Room in the gang's scratch memory.
fn reserve(ctx: &Context, unit: &mut Unit, object: Object) -> u64 {
    let extent =
        extent(ctx, &Records::default(), object.ty).map_or((16, 16), |e| (e.size, e.align));
    let offset = unit.scratch.gang_bytes.next_multiple_of(extent.1);
    unit.scratch.gang_bytes = offset + extent.0;
    unit.scratch.used = true;
    offset
}

/// The thread's variable, with identities.
fn start(at: &mut At, unit: &mut Unit, info: ReductionInfo, object: Object) -> Result<Value> {
    if !object.by_address {
        let variable = register(at, unit, object.scalar);
        let value = identity(at, info, object.scalar)?;
        at.store(value, variable);
        return Ok(variable);
    }
    let alloca = at.op(|c| Alloca::new(c, object.ty, None));
    unit.storage.insert(alloca.get_operation(), Storage::Local);
    let variable = alloca.get_result(at.ctx);
    fill(at, info, object, variable)?;
    Ok(variable)
}

/// At the end of the kernel: combines what the gangs contribute into the results.
pub fn finish(ctx: &mut Context, unit: &mut Unit, all: &[Contribution]) -> Result<()> {
    let entry = unit.function.get_entry_block(ctx);
    let Some(end) = ops_of_block(ctx, entry).last().copied() else {
        return Ok(());
    };
    if all.is_empty() {
        return Ok(());
    }
    let leader = unit.leader(ctx, Mode::BLOCK);
    let at = &mut At::before(ctx, end);
    for contribution in all.iter().filter(|c| c.per_worker) {
        combine_workers(at, unit, contribution)?;
    }
    if unit.kernel.as_ref().is_some_and(|k| k.single_gang) {
        return alone(at, unit, leader, all);
    }
    let gangs = at.special(Register::NctaidX);
    let one = at.i32(1);
    let several = at.cmp(CmpKind::GtU, gangs, one);
    let unit = std::cell::RefCell::new(unit);
    at.either(
        several,
        |at| together(at, &mut unit.borrow_mut(), leader, all),
        |at| alone(at, &mut unit.borrow_mut(), leader, all),
    )?;
    Ok(())
}

/// Contributions of several workers become one.
fn combine_workers(at: &mut At, unit: &mut Unit, contribution: &Contribution) -> Result<()> {
    let info = ReductionInfo {
        level: Level::Worker,
        ..contribution.info
    };
    if contribution.object.by_address {
        reduce_group::combine_local(at, unit, Mode::BLOCK, info, contribution.variable)?;
        return Ok(());
    }
    let value = at.load(contribution.variable);
    let value = reduce_group::combine_local(at, unit, Mode::BLOCK, info, value)?;
    at.store(value, contribution.variable);
    Ok(())
}

/// The only gang: the leader adds what it has to the results.
fn alone(at: &mut At, unit: &mut Unit, leader: Value, all: &[Contribution]) -> Result<()> {
    let guard = at.when(leader, |at| {
        all.iter().try_for_each(|c| {
            for_each(at, c.object.count, |at, index| {
                let (from, into) = (
                    element(at, c, c.variable, index),
                    element(at, c, c.result, index),
                );
                let value = at.load(from);
                combine_into(at, c.info, into, value)
            })
        })
    })?;
    unit.guards.insert(guard, Guard::Leader);
    Ok(())
}

/// Element `index` of the object at `address`.
fn element(at: &mut At, c: &Contribution, address: Value, index: Value) -> Value {
    let first = at.pointer_to(address, c.object.scalar);
    match c.object.by_address {
        true => at.element(first, index),
        false => first,
    }
}

/// Several gangs: each leaves its record, the last one combines them.
fn together(at: &mut At, unit: &mut Unit, leader: Value, all: &[Contribution]) -> Result<()> {
    let gang = at.special_wide(Register::CtaidX);
    let gang_bytes = unit.scratch.gang_bytes;
    for c in all.iter().filter(|c| c.object.by_address) {
        let from = at.pointer_to(c.variable, c.object.scalar);
        let into = record(at, gang_bytes, c, gang);
        strided(at, unit, c.object.count, |at, index| {
            let (from, into) = (at.element(from, index), at.element(into, index));
            let value = at.load(from);
            at.store(value, into);
            Ok(())
        })?;
    }
    let bool_ = boolean(at.ctx);
    let slot = unit.slots(at, bool_, 1);
    let guard = at.when(leader, |at| {
        for c in all.iter().filter(|c| !c.object.by_address) {
            let value = at.load(c.variable);
            let into = record(at, gang_bytes, c, gang);
            at.store(value, into);
        }
        at.op(|c| Fence::new(c, Scope::Device));
        let last = arrive(at);
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

/// Counts this gang; gives whether all others have been here before.
fn arrive(at: &mut At) -> Value {
    let counter = counter(at);
    let (update, block) = AtomicUpdate::new(at.ctx, counter);
    at.op(|_| update);
    let before = block.deref(at.ctx).get_argument(0);
    let mut inside = At::at_end(at.ctx, block, update.get_operation());
    let one = inside.i32(1);
    let after = inside.bin(BinKind::Add, before, one);
    inside.op(|c| Yield::new(c, vec![after]));
    let before = update.old(at.ctx);
    let gangs = at.special(Register::NctaidX);
    let one = at.i32(1);
    let others = at.bin(BinKind::Sub, gangs, one);
    at.cmp(CmpKind::Eq, before, others)
}

fn counter(at: &mut At) -> Value {
    let i32 = int(at.ctx, 32);
    at.value(|c| Scratch::new(c, i32))
}

/// Address of the record of `gang` for this contribution, as a pointer to its first scalar.
fn record(at: &mut At, gang_bytes: u64, c: &Contribution, gang: Value) -> Value {
    let byte = int(at.ctx, 8);
    let start = at.value(|ctx| Scratch::new(ctx, byte));
    let size = at.i64(i128::from(gang_bytes.next_multiple_of(16)));
    let offset = at.bin(BinKind::Mul, gang, size);
    let field = at.i64(HEAD + i128::from(c.offset));
    let offset = at.bin(BinKind::Add, offset, field);
    let address = at.element(start, offset);
    at.pointer_to(address, c.object.scalar)
}

/// In the last gang: all records into the results, and the counter is zero again.
fn results(at: &mut At, unit: &mut Unit, leader: Value, all: &[Contribution]) -> Result<()> {
    let gangs = at.special_wide(Register::NctaidX);
    let mut values = vec![];
    for c in all {
        if c.object.by_address {
            array(at, unit, c, gangs)?;
        } else {
            let value = scalar(at, unit, c, gangs)?;
            values.push((c, value));
        }
    }
    let guard = at.when(leader, |at| {
        for (c, value) in values {
            let into = at.pointer_to(c.result, c.object.scalar);
            combine_into(at, c.info, into, value)?;
        }
        let counter = counter(at);
        let zero = at.i32(0);
        at.store(zero, counter);
        Ok::<(), Diagnostic>(())
    })?;
    unit.guards.insert(guard, Guard::Leader);
    Ok(())
}

/// The contributions of all gangs to a scalar, combined.
fn scalar(at: &mut At, unit: &mut Unit, c: &Contribution, gangs: Value) -> Result<Value> {
    let sum = register(at, unit, c.object.scalar);
    let start = identity(at, c.info, c.object.scalar)?;
    at.store(start, sum);
    let (first, step) = at.threads(true);
    let gang_bytes = unit.scratch.gang_bytes;
    let four = at.i64(AT_ONCE);
    let stride = at.bin(BinKind::Mul, step, four);
    let share = at.counted(first, gangs, stride, |at, gang| {
        let mut values = vec![];
        let mut one = gang;
        for _ in 0..AT_ONCE {
            // Beyond the last record the first one of the four is loaded again, and not used.
            let there = at.cmp(CmpKind::LtS, one, gangs);
            let which = at.op(|c| Select::new(c, there, one, gang));
            let which = which.get_result(at.ctx);
            let from = record(at, gang_bytes, c, which);
            values.push((there, at.load(from)));
            one = at.bin(BinKind::Add, one, step);
        }
        for (there, value) in values {
            let nothing = identity(at, c.info, c.object.scalar)?;
            let value = at.op(|c| Select::new(c, there, value, nothing));
            let value = value.get_result(at.ctx);
            combine_into(at, c.info, sum, value)?;
        }
        Ok(())
    })?;
    unit.guards.insert(share, Guard::Some);
    let value = at.load(sum);
    reduce_group::block(at, unit, c.info, value)
}

/// An array: each thread combines its share of the elements, gang after gang.
fn array(at: &mut At, unit: &mut Unit, c: &Contribution, gangs: Value) -> Result<()> {
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
            let from = at.element(from, index);
            let value = at.load(from);
            combine_into(at, info, sum, value)
        })?;
        let into = at.element(into, index);
        let (old, new) = (at.load(into), at.load(sum));
        let new = combine(at, info, old, new)?;
        at.store(new, into);
        Ok(())
    })
}

/// The threads of the block share `0..count`.
fn strided(
    at: &mut At,
    unit: &mut Unit,
    count: u64,
    body: impl FnOnce(&mut At, Value) -> Result<()>,
) -> Result<()> {
    let (first, step) = at.threads(true);
    let count = at.i64(i128::from(count));
    let share = at.counted(first, count, step, body)?;
    unit.guards.insert(share, Guard::Some);
    Ok(())
}
