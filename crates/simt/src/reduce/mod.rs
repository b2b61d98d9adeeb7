//! The reduction builtins among the threads of a group and among groups (seed: OpenACC reductions in GCC, the section on the GPU).
//!
//! | | vector, worker ([`group`]) | worker, one slot ([`one_slot`]) | gang ([`gang`]) |
//! | --- | --- | --- | --- |
//! | SETUP | V = LOCAL | slot = LOCAL; V = LOCAL | V = LOCAL |
//! | INIT | first thread: V = LOCAL, others: the operator's identity | V = identity | V = identity |
//! | FINI | V = LOCAL | slot = slot OP LOCAL; V = LOCAL | contribution = contribution OP LOCAL; V = LOCAL |
//! | TEARDOWN | V = the LOCALs of all lanes or workers combined | V = slot | V = LOCAL |
//! | end of kernel | | | RESULT = RESULT OP contributions of all gangs |
//!
//! LOCALs are combined at TEARDOWN, where the threads have come together again and barriers are allowed; with one slot at
//! FINI, as in the seed. Every thread gets the same bits. Which algorithm combines what is decided in one table
//! ([`choose`]), by what the user wants ([`policy`]), the operator, the type and the GPU. What is combined is a [`record`]
//! of all variables of a loop ([`mod@runs`]); algorithms ([`subgroup`], [`block`], [`tree`], [`one_slot`], [`gang_slots`], [`launches`]) do not look into
//! it. Slots are in [`buffer`]s.
//!
//! A gang reduction without RESULT does nothing. In a kernel that has one gang, RESULT is used directly: SETUP reads it,
//! TEARDOWN writes it, so that the code behind the loop sees it. Where the kernel uses RESULT outside of its reductions, a
//! gang that turns out to be the only one adds to RESULT at FINI ([`in_use`]).

mod block;
mod buffer;
pub mod choose;
mod gang;
mod gang_slots;
mod group;
mod in_use;
mod launches;
mod one_slot;
pub mod policy;
mod record;
pub mod report;
mod runs;
mod subgroup;
mod tree;

use super::{
    at::{Emitter, GpuAt},
    expanded::Storage,
    modes::{Mode, operations},
    recursion,
    roots::{Access, uses},
    unit::Unit,
};
use crate::diagnostic::{Diagnostic, Result, error_at, or_at};
use accrue_dialects::par::operators::{combine, identity};
use accrue_dialects::{
    core::{Alloca, Copy, array_parts, is_scalar, pointee},
    par::{
        Builtin, Level, ReductionInfo, ReductionOp,
        declared::{number_of, together},
    },
};
use accrue_ir::walk::{nested, results_of};
use buffer::Buffers;
use gang::Contribution;
use group::Threads;
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use policy::Policy;
use record::Record;
use report::Chosen;
use runs::{Run, runs};
use std::{cell::Cell, rc::Rc};

/// What the reductions of a function know and share.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub policy: Policy,
    /// Some newer device would have been given another algorithm. All functions of a unit share it.
    pub newer_differ: Rc<Cell<bool>>,
    /// What has been chosen.
    pub chosen: Vec<Chosen>,
    buffers: Buffers,
}

impl State {
    pub fn new(policy: Policy) -> Self {
        State {
            policy,
            ..State::default()
        }
    }
}

/// A reduction builtin. Its operands are read when they are needed: expanding one builtin replaces operands of others.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    pub op: Ptr<Operation>,
    pub builtin: Builtin,
    pub info: ReductionInfo,
    pub mode: Mode,
    pub has_result: bool,
    /// The kernel uses RESULT outside of the reductions too.
    pub in_use: bool,
}

impl Reduction {
    pub fn local(&self, ctx: &Context) -> Value {
        self.op.deref(ctx).get_operand(0)
    }

    pub fn result(&self, ctx: &Context) -> Option<Value> {
        self.has_result.then(|| self.op.deref(ctx).get_operand(1))
    }
}

/// What is reduced: one scalar, or an array of them that is passed by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    pub ty: TypeHandle,
    pub scalar: TypeHandle,
    pub count: u64,
    pub by_address: bool,
}

impl Object {
    /// What the LOCAL `local` is.
    pub fn of(ctx: &Context, local: Value) -> Self {
        let array = pointee(ctx, local).filter(|t| array_parts(ctx, *t).is_some());
        let ty = array.unwrap_or_else(|| local.get_type(ctx));
        let (mut scalar, mut count) = (ty, 1u64);
        while let Some((length, of)) = array_parts(ctx, scalar) {
            (scalar, count) = (of, count.saturating_mul(length));
        }
        Object {
            ty,
            scalar,
            count,
            by_address: array.is_some(),
        }
    }
}

/// Expands all reductions of the function.
pub fn expand(ctx: &mut Context, unit: &mut Unit) -> Result<()> {
    let all = reductions(ctx, unit);
    for reduction in &all {
        let object = Object::of(ctx, reduction.local(ctx));
        if !is_scalar(ctx, object.scalar) {
            let devices = unit.target.devices;
            let message = format!("a reduction of this type is not supported on {devices}");
            return Err(error_at(ctx, reduction.op, message));
        }
    }
    let mut contributions = gang::contributions(ctx, unit, &all)?;
    let runs = runs(ctx, unit, &all);
    plan(ctx, unit, &runs, &contributions)?;
    unit.reduce.chosen = report::chosen(ctx, unit, &runs, &contributions);
    for run in &runs {
        let Some(first) = run.members.first() else {
            continue;
        };
        let values =
            values(ctx, unit, run, &mut contributions).map_err(|d| or_at(d, ctx, first.op))?;
        for (reduction, value) in run.members.iter().zip(values) {
            if let Some(old) = results_of(ctx, reduction.op).first() {
                old.replace_all_uses_with(ctx, &value);
            }
            Operation::erase(reduction.op, ctx);
        }
    }
    gang::finish(ctx, unit, &contributions)?;
    give_storage(ctx, unit);
    Ok(())
}

/// The variables that copies of a declared reduction's functions have are the thread's own.
fn give_storage(ctx: &Context, unit: &mut Unit) {
    for alloca in nested::<Alloca>(ctx, unit.function.get_operation()) {
        let op = alloca.get_operation();
        let whole = is_scalar(ctx, alloca.var_type(ctx)) && alloca.count(ctx).is_none();
        let accesses = uses(ctx, alloca.get_result(ctx));
        let plain = |access: &Access| matches!(access, Access::Load | Access::Store);
        unit.storage.entry(op).or_insert(
            match whole && accesses.iter().all(|(_, access)| plain(access)) {
                true => Storage::Register,
                false => Storage::Local,
            },
        );
    }
}

/// Finds how much shared memory the slots need.
fn plan(
    ctx: &mut Context,
    unit: &mut Unit,
    runs: &[Run],
    contributions: &[Contribution],
) -> Result<()> {
    let mut uses = vec![];
    for run in runs.iter().filter(|r| r.level != Level::Gang) {
        let fields: Vec<_> = run
            .members
            .iter()
            .map(|r| (r.info, Object::of(ctx, r.local(ctx))))
            .collect();
        let again = run
            .members
            .first()
            .is_some_and(|r| Emitter::before(ctx, r.op).is_in_loop());
        let needed = needs(ctx, unit, &fields, Some(Threads::of(run)), again);
        if let Some(first) = run.members.first().filter(|_| !needed.is_empty()) {
            recursion::check_reduction(ctx, unit, first.op)?;
        }
        uses.extend(needed);
    }
    let of_gangs: Vec<_> = contributions.iter().map(|c| (c.info, c.object)).collect();
    let per_worker = contributions.iter().filter(|c| c.per_worker);
    let per_worker: Vec<_> = per_worker.map(|c| (c.info, c.object)).collect();
    uses.extend(needs(ctx, unit, &per_worker, Some(Threads::WORKERS), false));
    uses.extend(needs(ctx, unit, &of_gangs, None, false));
    for (slots, again) in uses {
        unit.reduce.buffers.note(ctx, &slots, again);
    }
    Ok(())
}

/// The slots for these variables, and whether they may be used more than once. `threads`: none for all of the block.
fn needs(
    ctx: &Context,
    unit: &Unit,
    fields: &[(ReductionInfo, Object)],
    threads: Option<Threads>,
    again: bool,
) -> Vec<(buffer::Slots, bool)> {
    let mut scalars = Record::default();
    let mut one_slot = Record::default();
    let mut found = vec![];
    let slots = |record: &Record| match threads {
        Some(threads) => threads.slots(ctx, unit, record),
        None => group::block_slots(ctx, unit, record),
    };
    for (info, object) in fields {
        let field = record::Field {
            info: *info,
            ty: object.scalar,
        };
        if object.by_address {
            let element = slots(&Record(vec![field])).filter(|_| threads.is_some());
            found.extend(element.map(|s| (s, again || object.count > 1)));
        } else if group::one_slot(ctx, unit, *info, *object).is_some() {
            one_slot.0.push(field);
        } else {
            scalars.0.push(field);
        }
    }
    if !scalars.0.is_empty() {
        found.extend(slots(&scalars).map(|s| (s, again)));
    }
    if !one_slot.0.is_empty() {
        found.push((one_slot::slots(ctx, &one_slot), again));
    }
    found
}

/// The builtins of a function in order.
fn reductions(ctx: &Context, unit: &Unit) -> Vec<Reduction> {
    let reduction = |(op, mode): (Ptr<Operation>, Mode)| {
        let object = Operation::get_op_dyn(op, ctx);
        let reduction = op_cast::<dyn ReductionOp>(&*object)?;
        let builtin = Builtin::of(ctx, op)?;
        let (info, has_result) = (reduction.info(ctx), reduction.result_ref(ctx).is_some());
        Some(Reduction {
            op,
            builtin,
            info,
            mode,
            has_result,
            in_use: reduction.result_in_use(ctx),
        })
    };
    let all = operations(ctx, unit.function, unit.base, &|_| false);
    all.into_iter().filter_map(reduction).collect()
}

/// The values of a run's builtins: V of each.
fn values(
    ctx: &mut Context,
    unit: &mut Unit,
    run: &Run,
    contributions: &mut [Contribution],
) -> Result<Vec<Value>> {
    let mut locals: Vec<_> = run.members.iter().map(|r| r.local(ctx)).collect();
    let Some(first) = run.members.first() else {
        return Ok(locals);
    };
    let mut at = Emitter::before(ctx, first.op);
    match (run.level, run.builtin) {
        (Level::Worker | Level::Vector, Builtin::Setup) => {
            group::setup(&mut at, unit, run)?;
            Ok(locals)
        }
        (Level::Worker | Level::Vector, Builtin::Fini) => {
            group::fini(&mut at, unit, run)?;
            Ok(locals)
        }
        (Level::Worker | Level::Vector, Builtin::Init) => {
            for (reduction, local) in run.members.iter().zip(&mut locals) {
                *local = group::start(&mut at, unit, reduction.info, *local)?;
            }
            Ok(locals)
        }
        (Level::Worker | Level::Vector, Builtin::Teardown) => group::teardown(&mut at, unit, run),
        (Level::Gang, _) => {
            let mut done = 0;
            while let Some(reduction) = run.members.get(done) {
                if number_of(reduction.info.operator).is_none() {
                    locals[done] = of_gang(&mut at, unit, reduction, contributions)?;
                    done += 1;
                    continue;
                }
                let length = together(at.ctx, reduction.op, reduction.info.operator)?;
                let object = done..done + length;
                let Some(members) = run.members.get(object.clone()).filter(|it| !it.is_empty())
                else {
                    return Err(Diagnostic::error(
                        "an object of a declared reduction is not complete",
                    ));
                };
                object_of_gang(&mut at, unit, members, &locals[object], contributions)?;
                done += length;
            }
            Ok(locals)
        }
    }
}

/// A gang builtin's V.
fn of_gang(
    at: &mut Emitter,
    unit: &mut Unit,
    reduction: &Reduction,
    contributions: &mut [Contribution],
) -> Result<Value> {
    let (local, info) = (reduction.local(at.ctx), reduction.info);
    let result = reduction.result(at.ctx);
    let known = contributions.iter().position(|c| c.info.id == info.id);
    match (result, known, reduction.builtin) {
        (None, _, _) => Ok(local),
        (Some(result), None, Builtin::Setup) => Ok(read_result(at, local, result)),
        (Some(result), None, Builtin::Teardown) => {
            write_result(at, local, result);
            Ok(local)
        }
        (Some(_), None, Builtin::Init | Builtin::Fini) => Ok(local),
        (Some(_), Some(_), Builtin::Setup | Builtin::Teardown) => Ok(local),
        (Some(_), Some(_), Builtin::Init) => all_identity(at, info, local),
        (Some(_), Some(index), Builtin::Fini) => {
            contributions[index].fini(at, unit, local)?;
            Ok(local)
        }
    }
}

/// The same for the members of an object of a declared reduction, each of which keeps its LOCAL: they begin before SETUP.
fn object_of_gang(
    at: &mut Emitter,
    unit: &mut Unit,
    members: &[Reduction],
    locals: &[Value],
    contributions: &[Contribution],
) -> Result<()> {
    let results: Option<Vec<Value>> = members.iter().map(|it| it.result(at.ctx)).collect();
    let (Some(results), Some(first)) = (results, members.first()) else {
        return Ok(());
    };
    let known = contributions
        .iter()
        .position(|c| c.info.id == first.info.id);
    match (known, first.builtin) {
        (Some(known), Builtin::Fini) => {
            gang::object(contributions, known, members.len())?.fini(at, unit, locals)
        }
        (None, Builtin::Teardown) => {
            let field = |(reduction, local): (&Reduction, &Value)| record::Field {
                info: reduction.info,
                ty: local.get_type(at.ctx),
            };
            let record = Record(members.iter().zip(locals).map(field).collect());
            let into: Vec<Value> = results
                .iter()
                .zip(record.types())
                .map(|(result, ty)| at.pointer_to(*result, ty))
                .collect();
            record.combine_into(at, &into, locals)
        }
        (_, Builtin::Setup | Builtin::Init | Builtin::Teardown | Builtin::Fini) => Ok(()),
    }
}

/// LOCAL of a kernel with one gang: what RESULT holds.
fn read_result(at: &mut Emitter, local: Value, result: Value) -> Value {
    let object = Object::of(at.ctx, local);
    let result = at.pointer_to(result, object.ty);
    if object.by_address {
        at.op(|c| Copy::new(c, local, result));
        return local;
    }
    at.load(result)
}

fn write_result(at: &mut Emitter, local: Value, result: Value) {
    let object = Object::of(at.ctx, local);
    let result = at.pointer_to(result, object.ty);
    if object.by_address {
        at.op(|c| Copy::new(c, result, local));
    } else {
        at.store(local, result);
    }
}

/// LOCAL as the operator's identity.
fn all_identity(at: &mut Emitter, info: ReductionInfo, local: Value) -> Result<Value> {
    let object = Object::of(at.ctx, local);
    if object.by_address {
        fill(at, info, object, local)?;
        return Ok(local);
    }
    identity(at, info, object.scalar)
}

/// Gives all elements of the object at `address` the operator's identity.
pub fn fill(at: &mut Emitter, info: ReductionInfo, object: Object, address: Value) -> Result<()> {
    for_each(at, object.count, |at, index| {
        let first = at.pointer_to(address, object.scalar);
        let value = identity(at, info, object.scalar)?;
        let element = at.ptr_add(first, index);
        at.store(value, element);
        Ok(())
    })
}

/// `*into = *into OP value`.
pub fn combine_into(
    at: &mut Emitter,
    info: ReductionInfo,
    into: Value,
    value: Value,
) -> Result<()> {
    let old = at.load(into);
    let new = combine(at, info, old, value)?;
    at.store(new, into);
    Ok(())
}

/// A counted loop over `0..count`; a single element needs none.
pub fn for_each(
    at: &mut Emitter,
    count: u64,
    body: impl FnOnce(&mut Emitter, Value) -> Result<()>,
) -> Result<()> {
    let lower = at.i64(0);
    if count == 1 {
        return body(at, lower);
    }
    let (upper, step) = (at.i64(i128::from(count)), at.i64(1));
    at.counted(lower, upper, step, body)?;
    Ok(())
}
