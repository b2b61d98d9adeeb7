//! Reductions over gangs.
//!
//! Gangs do not wait for each other, and RESULT has no defined value before the end of the construct (OpenACC 3.4, section
//! 2.9.11). So each thread keeps what its gang contributes in a variable of its own, and the end of the kernel brings the
//! contributions together:
//!
//! ```text
//! one gang      leader: RESULT = RESULT OP contribution
//! several       slots: a record per gang, the last gang combines them           ([`super::gang_slots`])
//!               atomic: leader of each gang: red RESULT, contribution           ([`super::one_slot`])
//!               launches: a record per gang, further launches combine them      ([`super::launches`])
//!               lock: leader of each gang, under the module's lock: RESULT = RESULT OP contribution
//! ```
//! (Seed: OpenACC reductions in GCC, "Gang Level", "Gang Locking", "Atomics Optimization".) The seed locks at FINI; since
//! contributions have been added up until the end of the kernel, each gang takes the lock once, for all loops together, and
//! not at all if all contributions are atomic. RESULT is read past the cache that the gangs of a multiprocessor share.

use super::{
    super::{
        at::{Emitter, GpuAt},
        modes::Mode,
        unit::{Guard, Unit, register},
    },
    Builtin, Object, Reduction, combine_into, fill, for_each, gang_slots,
    group::{self, Threads},
    in_use, launches, one_slot,
    policy::{Algorithm, Stage},
    record::{Field, Record, load, store},
};
use crate::{
    diagnostic::{Diagnostic, Result, error_at, or_at},
    dialect::ModuleLock,
    expanded::Storage,
    layout::{Records, extent},
};
use accrue_dialects::par::operators::{combine, identity};
use accrue_dialects::{
    core::{Alloca, Load, Store},
    par::{
        CONSTRUCT, Level, ReductionInfo,
        declared::{number_of, together},
    },
};
use accrue_ir::walk::ops_of_block;
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::{collections::HashSet, ops::Range};

/// A gang reduction with RESULT.
pub struct Contribution {
    pub info: ReductionInfo,
    pub object: Object,
    /// How it gets to RESULT when there are several gangs.
    pub algorithm: Algorithm,
    /// Address of RESULT.
    pub result: Value,
    /// Address of the thread's variable.
    pub variable: Value,
    /// Each worker contributes on its own.
    pub per_worker: bool,
    /// The kernel uses RESULT outside of the reductions too: a gang that is the only one has added to it at FINI.
    pub in_use: bool,
    /// Where it is in the gang's scratch memory.
    pub offset: u64,
    /// Where the address of RESULT is there, for further launches.
    pub address: u64,
    /// The FINI, gone when the contribution is used.
    pub op: Ptr<Operation>,
}

impl Contribution {
    pub fn field(&self) -> Field {
        Field {
            info: self.info,
            ty: self.object.scalar,
        }
    }

    /// Adds LOCAL to what the gang contributes.
    pub fn add(&self, at: &mut Emitter, local: Value) -> Result<()> {
        if !self.object.by_address {
            return combine_into(at, self.info, self.variable, local);
        }
        for_each(at, self.object.count, |at, index| {
            let from = at.pointer_to(local, self.object.scalar);
            let from = at.ptr_add(from, index);
            let value = at.load(from);
            let into = at.pointer_to(self.variable, self.object.scalar);
            let into = at.ptr_add(into, index);
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
            let message = format!(
                "a gang reduction in a function that is called from a compute construct is not supported on {}; write the \
                 loop in the construct itself, or make it a worker or vector loop",
                unit.target.devices
            );
            return Err(error_at(ctx, fini.op, message));
        };
        let construct = fini.info.id.loop_id == CONSTRUCT;
        if kernel.single_gang && fini.mode == Mode::BLOCK && !construct {
            continue;
        }
        if fini.mode.vector {
            let message = format!(
                "a reduction into a variable of the compute construct inside a vector loop is not supported on {}; reduce \
                 into a private variable",
                unit.target.devices
            );
            return Err(error_at(ctx, fini.op, message));
        }
        check_result(ctx, unit, fini.op, result)?;
        let object = Object::of(ctx, fini.local(ctx));
        let single = kernel.single_gang;
        let algorithm = group::algorithm(ctx, unit, Stage::Gangs, fini.info, object, true);
        let record =
            extent(ctx, &Records::default(), object.ty).map_or((16, 16), |e| (e.size, e.align));
        let pointer = (unit.target.pointer_bytes, unit.target.pointer_bytes);
        let (offset, address) = match algorithm {
            Algorithm::Slots if !single => (reserve(unit, record), 0),
            Algorithm::Launches if !single => (reserve(unit, record), reserve(unit, pointer)),
            _ => (0, 0),
        };
        let mut at = unit.at_start(ctx);
        let variable = match number_of(fini.info.operator) {
            Some(_) => register(&mut at, unit, object.scalar),
            None => start(&mut at, unit, fini.info, object).map_err(|d| or_at(d, ctx, fini.op))?,
        };
        found.push(Contribution {
            info: fini.info,
            object,
            algorithm,
            result,
            variable,
            per_worker: fini.mode.worker,
            in_use: fini.in_use && fini.mode == Mode::BLOCK,
            offset,
            address,
            op: fini.op,
        });
    }
    begin_objects(ctx, unit, &found)?;
    Ok(found)
}

/// What a gang contributes to objects of declared reductions begins with what the initializer gives, of what is in RESULT before all others
/// are done.
fn begin_objects(ctx: &mut Context, unit: &Unit, found: &[Contribution]) -> Result<()> {
    let mut at = 0;
    while let Some(first) = found.get(at) {
        let length = together(ctx, first.op, first.info.operator)?;
        if number_of(first.info.operator).is_none() {
            at += length;
            continue;
        }
        let all = object(found, at, length)?;
        at += length;
        // Each variable is put in front of those before it, all of them in front of what computes addresses of results.
        let mut made = all.0.iter().filter_map(|c| c.result.defining_op());
        let mut e = match made.next_back().or(first.variable.defining_op()) {
            Some(op) => Emitter::after(ctx, op),
            None => unit.at_start(ctx),
        };
        let (record, results) = (all.record(), all.results());
        let begun = record
            .identity(&mut e, &results)
            .map_err(|d| or_at(d, e.ctx, first.op))?;
        store(&mut e, &begun, &all.variables());
    }
    Ok(())
}

/// The contributions to one object of a declared reduction.
pub struct OneObject<'a>(pub &'a [Contribution]);

/// Those that begin with the one at `first`.
pub fn object(all: &[Contribution], first: usize, length: usize) -> Result<OneObject<'_>> {
    let found = all.get(first..first + length).filter(|it| !it.is_empty());
    found
        .map(OneObject)
        .ok_or_else(|| Diagnostic::error("an object of a declared reduction is not complete"))
}

impl OneObject<'_> {
    pub fn record(&self) -> Record {
        Record(self.0.iter().map(Contribution::field).collect())
    }

    pub fn results(&self) -> Vec<Value> {
        self.0.iter().map(|c| c.result).collect()
    }

    pub fn variables(&self) -> Vec<Value> {
        self.0.iter().map(|c| c.variable).collect()
    }
}

/// `RESULT = RESULT OP value` for scalars. What is in different variables is loaded at once, since each load comes from far away; otherwise one
/// comes after the other: several loops may reduce one variable.
pub fn into_results(at: &mut Emitter, all: &[&Contribution], values: &[Value]) -> Result<()> {
    let record = record_of(all);
    let mut objects: Vec<Range<usize>> = vec![];
    let mut next = 0;
    while next < all.len() {
        let object = record.together(at, next)?;
        next = object.end;
        objects.push(object);
    }
    let into: Vec<Value> = all
        .iter()
        .map(|c| at.pointer_to(c.result, c.object.scalar))
        .collect();
    let at_once = are_apart(all).then(|| load(at, &into));
    for part in objects {
        let own = Record(record.0[part.clone()].to_vec());
        let old = match &at_once {
            Some(old) => old[part.clone()].to_vec(),
            None => load(at, &into[part.clone()]),
        };
        let new = own.combine(at, &old, &values[part.clone()])?;
        store(at, &new, &into[part]);
    }
    Ok(())
}

/// Whether all results are variables of their own: parameters of the kernel, of which each stands for one.
fn are_apart(all: &[&Contribution]) -> bool {
    let mut known = HashSet::new();
    all.iter()
        .all(|c| c.result.defining_op().is_none() && known.insert(c.result))
}

/// The end of the kernel must see RESULT: it is computed at the kernel's top.
fn check_result(ctx: &Context, unit: &Unit, op: Ptr<Operation>, result: Value) -> Result<()> {
    let top = Some(unit.function.get_entry_block(ctx));
    if result.get_parent_block(ctx) == top {
        return Ok(());
    }
    let message = format!(
        "the result of a gang reduction that is chosen inside an outer loop or branch is not supported on {}",
        unit.target.devices
    );
    Err(error_at(ctx, op, message))
}

/// Room of so many bytes, aligned to so many, in the gang's scratch memory.
fn reserve(unit: &mut Unit, (bytes, align): (u64, u64)) -> u64 {
    let offset = unit.scratch.gang_bytes.next_multiple_of(align);
    unit.scratch.gang_bytes = offset + bytes;
    unit.scratch.used = true;
    offset
}

/// The thread's variable, with identities.
fn start(at: &mut Emitter, unit: &mut Unit, info: ReductionInfo, object: Object) -> Result<Value> {
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
    let at = &mut Emitter::before(ctx, end);
    combine_workers(at, unit, all)?;
    if unit.kernel.as_ref().is_some_and(|k| k.single_gang) {
        let all: Vec<_> = all.iter().collect();
        return alone(at, unit, leader, &all);
    }
    let (slots, others): (Vec<_>, Vec<_>) =
        all.iter().partition(|c| c.algorithm == Algorithm::Slots);
    let (launches, direct): (Vec<_>, Vec<_>) = others
        .into_iter()
        .partition(|c| c.algorithm == Algorithm::Launches);
    update(at, unit, leader, &direct)?;
    gang_slots::finish(at, unit, leader, &slots)?;
    launches::finish(at, unit, leader, &launches)
}

/// Contributions of several workers become one; those of scalars together.
fn combine_workers(at: &mut Emitter, unit: &mut Unit, all: &[Contribution]) -> Result<()> {
    let workers = all.iter().filter(|c| c.per_worker);
    let (arrays, scalars): (Vec<_>, Vec<_>) = workers.partition(|c| c.object.by_address);
    let record = record_of(&scalars);
    if !scalars.is_empty() {
        let values: Vec<_> = scalars.iter().map(|c| at.load(c.variable)).collect();
        let values = group::combine(at, unit, &record, &values, Threads::WORKERS)?;
        for (contribution, value) in scalars.iter().zip(values) {
            at.store(value, contribution.variable);
        }
    }
    for c in arrays {
        group::array(
            at,
            unit,
            c.field(),
            c.variable,
            c.object.count,
            Threads::WORKERS,
        )?;
    }
    Ok(())
}

/// The scalars of contributions as a record.
pub fn record_of(contributions: &[&Contribution]) -> Record {
    Record(contributions.iter().map(|c| c.field()).collect())
}

/// The only gang: the leader adds what it has to the results.
pub fn alone(
    at: &mut Emitter,
    unit: &mut Unit,
    leader: Value,
    all: &[&Contribution],
) -> Result<()> {
    let (arrays, scalars): (Vec<&Contribution>, Vec<_>) =
        all.iter().partition(|c| c.object.by_address);
    let guard = at.when(leader, |at| {
        let values: Vec<Value> = scalars.iter().map(|c| at.load(c.variable)).collect();
        into_results(at, &scalars, &values)?;
        arrays.iter().try_for_each(|c| {
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
pub fn element(at: &mut Emitter, c: &Contribution, address: Value, index: Value) -> Value {
    let first = at.pointer_to(address, c.object.scalar);
    match c.object.by_address {
        true => at.ptr_add(first, index),
        false => first,
    }
}

/// The leader of each gang updates the results, atomically or under the lock.
fn update(at: &mut Emitter, unit: &mut Unit, leader: Value, all: &[&Contribution]) -> Result<()> {
    let (in_use, others): (Vec<_>, Vec<_>) = all.iter().partition(|c| c.in_use);
    if !in_use.is_empty() {
        let several = in_use::several(at, unit);
        at.when(several, |at| update_now(at, unit, leader, &in_use))?;
    }
    update_now(at, unit, leader, &others)
}

fn update_now(
    at: &mut Emitter,
    unit: &mut Unit,
    leader: Value,
    all: &[&Contribution],
) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let (locked, atomic): (Vec<&Contribution>, Vec<_>) =
        all.iter().partition(|c| c.algorithm == Algorithm::Lock);
    let guard = at.when(leader, |at| {
        for c in atomic {
            for_each(at, c.object.count, |at, index| {
                let (from, into) = (
                    element(at, c, c.variable, index),
                    element(at, c, c.result, index),
                );
                let value = at.load(from);
                one_slot::atomic(at, c.info, into, value)
            })?;
        }
        if locked.is_empty() {
            return Ok(());
        }
        let lock = at.make(ModuleLock::new);
        one_slot::under(at, lock, |at| {
            locked.iter().try_for_each(|c| {
                for_each(at, c.object.count, |at, index| {
                    let (from, into) = (
                        element(at, c, c.variable, index),
                        element(at, c, c.result, index),
                    );
                    let value = at.load(from);
                    let old = at.op(|ctx| Load::new(ctx, into));
                    old.set_volatile(at.ctx);
                    let old = old.get_result(at.ctx);
                    let new = combine(at, c.info, old, value)?;
                    let store = at.op(|ctx| Store::new(ctx, new, into));
                    store.set_volatile(at.ctx);
                    Ok(())
                })
            })
        })
    })?;
    unit.guards.insert(guard, Guard::Leader);
    Ok(())
}
