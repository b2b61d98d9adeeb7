//! Reductions over the lanes of a worker and over the workers of a gang: which of the algorithms work on which threads.
//!
//! | | stages of TEARDOWN |
//! | --- | --- |
//! | vector, worker of up to a sub-group | lanes ([`super::subgroup`]) |
//! | vector, worker of several sub-groups | lanes, then the sub-groups of the worker ([`super::block`]) |
//! | vector, outside of worker loops | the same by the first worker; all workers get the result |
//! | vector, no sub-groups | all lanes ([`super::tree`]) |
//! | worker | the workers ([`super::block`]), or the one slot that they have added to ([`super::one_slot`]) |
//! | worker, several in a sub-group | those of a sub-group by shuffles, then the sub-groups of the block |
//! | `worker vector` on one loop | lanes, then all sub-groups of the block in one pass |
//!
//! The last row is for workers of several sub-groups: nobody looks at what the sub-groups of a worker have together
//! ([`mod@super::runs`]).
//!
//! An array is combined element by element, each element as a record of its own.

use super::{
    super::{
        at::{Emitter, GpuAt},
        modes::Mode,
        unit::{Guard, Unit},
    },
    Object, Reduction,
    block::{self, Team},
    buffer::Slots,
    choose::{Question, Scalar, choose},
    for_each, one_slot,
    policy::{Algorithm, Stage},
    record::{Field, Record},
    runs::Run,
    subgroup,
};
use crate::{diagnostic::Result, dialect::Quantity, target::Has};
use accrue_dialects::par::operators::identity;
use accrue_dialects::par::{Level, ReductionInfo, declared::number_of};
use pliron::{context::Context, r#type::TypeHandle, value::Value};

/// Slots that all threads read in order, at most, if nobody wishes it: more are a tree.
const MOST_BROADCAST: u32 = 32;

/// The table's answer for a reduction.
pub fn algorithm(
    ctx: &Context,
    unit: &Unit,
    stage: Stage,
    info: ReductionInfo,
    object: Object,
    has_setup: bool,
) -> Algorithm {
    let question = Question {
        operator: info.operator,
        scalar: Scalar::of(ctx, object.scalar),
        is_array: object.by_address,
        whole_subgroups: unit.target.has_subgroups()
            && unit.limits.max_vector >= unit.target.subgroup,
        has_setup,
        many_slots: unit.slots_of_block() > MOST_BROADCAST,
        has_launches: unit.target.further_launches,
    };
    let (state, reduce) = (&unit.reduce, unit.target.subgroup_reduce);
    let chosen = choose(&question, stage, &state.policy, reduce == Has::Yes);
    if reduce == Has::Newer && chosen != choose(&question, stage, &state.policy, true) {
        state.newer_differ.set(true);
    }
    chosen
}

/// Whether the workers add to one slot, and how.
pub fn one_slot(
    ctx: &Context,
    unit: &Unit,
    info: ReductionInfo,
    object: Object,
) -> Option<Algorithm> {
    if info.level != Level::Worker || unit.limits.max_workers == 1 {
        return None;
    }
    match algorithm(ctx, unit, Stage::Workers, info, object, true) {
        one @ (Algorithm::Lock | Algorithm::Atomic) => Some(one),
        Algorithm::Shuffle
        | Algorithm::Contiguous
        | Algorithm::Dispersed
        | Algorithm::Redux
        | Algorithm::Slots
        | Algorithm::FirstWarp
        | Algorithm::Tree
        | Algorithm::Launches => None,
    }
}

/// INIT: the first lane (worker) goes on with LOCAL, the others start with the identity; all do where LOCAL is in the slot.
pub fn start(at: &mut Emitter, unit: &Unit, info: ReductionInfo, local: Value) -> Result<Value> {
    // An object of a declared reduction has begun before the loop, in all threads.
    let begun = number_of(info.operator).is_some();
    if begun || info.level == Level::Vector && unit.limits.max_vector == 1 {
        return Ok(local);
    }
    let object = Object::of(at.ctx, local);
    if one_slot(at.ctx, unit, info, object).is_some() {
        return identity(at, info, object.scalar);
    }
    let first = match info.level {
        Level::Vector => at.is_zero(Quantity::Lane),
        Level::Gang | Level::Worker => at.is_zero(Quantity::Worker),
    };
    if !object.by_address {
        let identity = identity(at, info, object.scalar)?;
        return Ok(at.select(first, local, identity));
    }
    for_each(at, object.count, |at, index| {
        let array = at.pointer_to(local, object.scalar);
        let element = at.ptr_add(array, index);
        let old = at.load(element);
        let identity = identity(at, info, object.scalar)?;
        let new = at.select(first, old, identity);
        at.store(new, element);
        Ok(())
    })?;
    Ok(local)
}

/// SETUP of workers' one slot, for those of the run that have one.
pub fn setup(at: &mut Emitter, unit: &mut Unit, run: &Run) -> Result<()> {
    let (record, locals, _) = with_one_slot(at, unit, run);
    if record.0.is_empty() {
        return Ok(());
    }
    let leader = unit.leader(at.ctx, Mode::BLOCK);
    one_slot::setup(at, unit, &record, &locals, leader)
}

/// FINI, the same.
pub fn fini(at: &mut Emitter, unit: &mut Unit, run: &Run) -> Result<()> {
    let (record, locals, algorithms) = with_one_slot(at, unit, run);
    if record.0.is_empty() {
        return Ok(());
    }
    let adds = match run.fused {
        true => (unit.leads_subgroup(at), Guard::Some),
        false => (unit.leader(at.ctx, Mode::WORKER), Guard::Leader),
    };
    one_slot::fini(at, unit, &record, &locals, &algorithms, adds)
}

/// The reductions of a run whose workers add to one slot: their record, LOCALs and algorithms.
fn with_one_slot(at: &mut Emitter, unit: &Unit, run: &Run) -> (Record, Vec<Value>, Vec<Algorithm>) {
    let (mut record, mut locals, mut algorithms) = (Record::default(), vec![], vec![]);
    for reduction in &run.members {
        let local = reduction.local(at.ctx);
        let object = Object::of(at.ctx, local);
        if let Some(algorithm) = one_slot(at.ctx, unit, reduction.info, object) {
            record.0.push(field(reduction, object));
            locals.push(local);
            algorithms.push(algorithm);
        }
    }
    (record, locals, algorithms)
}

fn field(reduction: &Reduction, object: Object) -> Field {
    Field {
        info: reduction.info,
        ty: object.scalar,
    }
}

/// TEARDOWN: the LOCALs of a run with those of all lanes (workers). Gives the values, or the address of an array.
pub fn teardown(at: &mut Emitter, unit: &mut Unit, run: &Run) -> Result<Vec<Value>> {
    let mut values: Vec<_> = run.members.iter().map(|r| r.local(at.ctx)).collect();
    let objects: Vec<_> = values.iter().map(|v| Object::of(at.ctx, *v)).collect();
    // What is in slots already has to be loaded before others use the buffer.
    let (record, _, _) = with_one_slot(at, unit, run);
    let mut loaded = match record.0.is_empty() {
        true => vec![],
        false => one_slot::result(at, unit, &record),
    }
    .into_iter();
    let (mut together, mut places) = (Record::default(), vec![]);
    for (index, reduction) in run.members.iter().enumerate() {
        let object = objects[index];
        if one_slot(at.ctx, unit, reduction.info, object).is_some() {
            values[index] = loaded.next().unwrap_or(values[index]);
        } else if !object.by_address {
            together.0.push(field(reduction, object));
            places.push(index);
        }
    }
    let threads = Threads::of(run);
    if !together.0.is_empty() {
        let own: Vec<_> = places.iter().map(|p| values[*p]).collect();
        let all = combine(at, unit, &together, &own, threads)?;
        for (place, value) in places.into_iter().zip(all) {
            values[place] = value;
        }
    }
    for (index, reduction) in run.members.iter().enumerate() {
        if objects[index].by_address {
            let field = field(reduction, objects[index]);
            array(
                at,
                unit,
                field,
                values[index],
                objects[index].count,
                threads,
            )?;
        }
    }
    Ok(values)
}

/// The array at `address` with those of all lanes (workers).
pub fn array(
    at: &mut Emitter,
    unit: &mut Unit,
    field: Field,
    address: Value,
    count: u64,
    threads: Threads,
) -> Result<()> {
    for_each(at, count, |at, index| {
        let array = at.pointer_to(address, field.ty);
        let element = at.ptr_add(array, index);
        let value = at.load(element);
        let record = Record(vec![field]);
        let value = combine(at, unit, &record, &[value], threads)?;
        at.store(value[0], element);
        Ok(())
    })
}

/// Whose values are combined.
#[derive(Clone, Copy, Debug)]
pub struct Threads {
    pub level: Level,
    /// Behind the loop.
    pub mode: Mode,
    /// `worker vector` in one pass.
    pub fused: bool,
}

impl Threads {
    pub fn of(run: &Run) -> Self {
        Threads {
            level: run.level,
            mode: run.mode,
            fused: run.fused,
        }
    }

    /// All workers of the block, in single mode.
    pub const WORKERS: Threads = Threads {
        level: Level::Worker,
        mode: Mode::BLOCK,
        fused: false,
    };

    /// Who has slots in shared memory, if anybody needs them.
    fn team(self, unit: &Unit) -> Option<(Team, Stage)> {
        let (workers, vector) = (unit.limits.max_workers, unit.limits.max_vector);
        let subgroup = unit.target.subgroup;
        match self.level {
            Level::Vector if self.fused => None,
            Level::Vector if vector <= subgroup && !unit.has_idle_workers(self.mode) => None,
            Level::Vector if self.mode.worker => Some((Team::SubgroupsOfWorker, Stage::Subgroups)),
            Level::Vector => Some((Team::SubgroupsOfFirstWorker, Stage::Subgroups)),
            Level::Gang | Level::Worker if workers == 1 => None,
            Level::Gang | Level::Worker if vector < subgroup => {
                (vector * workers > subgroup).then_some((Team::Block, Stage::Workers))
            }
            Level::Gang | Level::Worker if self.fused => Some((Team::Block, Stage::Workers)),
            Level::Gang | Level::Worker => Some((Team::Workers, Stage::Workers)),
        }
    }

    /// The slots that a record needs.
    pub fn slots(self, ctx: &Context, unit: &Unit, record: &Record) -> Option<Slots> {
        let (team, stage) = self.team(unit)?;
        let algorithm = of_team(ctx, unit, record, stage);
        Some(team.slots(unit, record, algorithm))
    }
}

/// The algorithm of a team. Slots and first sub-group suit all types, so that one answer serves the whole record.
fn of_team(ctx: &Context, unit: &Unit, record: &Record, stage: Stage) -> Algorithm {
    let first = record.0.first();
    let answer = first.map(|f| algorithm(ctx, unit, stage, f.info, scalar(f.ty), false));
    answer.unwrap_or(Algorithm::Slots)
}

/// A field as an object.
fn scalar(ty: TypeHandle) -> Object {
    Object {
        ty,
        scalar: ty,
        count: 1,
        by_address: false,
    }
}

/// The records of all lanes (workers), combined. At worker level the lanes of a worker have the same values.
pub fn combine(
    at: &mut Emitter,
    unit: &mut Unit,
    record: &Record,
    values: &[Value],
    threads: Threads,
) -> Result<Vec<Value>> {
    let subgroup = unit.target.subgroup;
    let lanes = unit.limits.max_vector.min(subgroup);
    let mut values = values.to_vec();
    match threads.level {
        Level::Vector => {
            values = within_subgroup(at, unit, record, &values, lanes)?;
        }
        Level::Gang | Level::Worker if lanes < subgroup && unit.limits.max_workers > 1 => {
            values = subgroup::tree(at, record, &values, subgroup, lanes)?;
        }
        Level::Gang | Level::Worker => {}
    }
    let Some((team, stage)) = threads.team(unit) else {
        return Ok(values);
    };
    let algorithm = of_team(at.ctx, unit, record, stage);
    block::combine(at, unit, record, &values, team, algorithm)
}

/// The records of `lanes` neighbouring lanes, each field in the way that the table says.
fn within_subgroup(
    at: &mut Emitter,
    unit: &Unit,
    record: &Record,
    values: &[Value],
    lanes: u32,
) -> Result<Vec<Value>> {
    let of = |f: &Field| algorithm(at.ctx, unit, Stage::Lanes, f.info, scalar(f.ty), false);
    let algorithms: Vec<_> = record.0.iter().map(of).collect();
    subgroup::combine(at, unit, record, values, &algorithms, lanes)
}

/// The records of all threads of the block, combined.
pub fn block(
    at: &mut Emitter,
    unit: &mut Unit,
    record: &Record,
    values: &[Value],
) -> Result<Vec<Value>> {
    let values = within_subgroup(at, unit, record, values, unit.target.subgroup)?;
    match block_slots(at.ctx, unit, record) {
        None => Ok(values),
        Some(_) => {
            let algorithm = of_team(at.ctx, unit, record, Stage::Subgroups);
            block::combine(at, unit, record, &values, Team::Block, algorithm)
        }
    }
}

/// The slots that [`fn@block`] needs.
pub fn block_slots(ctx: &Context, unit: &Unit, record: &Record) -> Option<Slots> {
    let threads = unit.limits.max_vector * unit.limits.max_workers;
    let algorithm = of_team(ctx, unit, record, Stage::Subgroups);
    (threads > unit.target.subgroup).then(|| Team::Block.slots(unit, record, algorithm))
}

/// The algorithms of a run's reduction, stage by stage, for reports.
pub fn stages(ctx: &Context, unit: &Unit, run: &Run, reduction: &Reduction) -> Vec<Algorithm> {
    let object = Object::of(ctx, reduction.local(ctx));
    if let Some(one) = one_slot(ctx, unit, reduction.info, object) {
        return vec![one];
    }
    let mut found = vec![];
    let threads = Threads::of(run);
    if run.level == Level::Vector && unit.limits.max_vector > 1 && unit.target.has_subgroups() {
        found.push(algorithm(
            ctx,
            unit,
            Stage::Lanes,
            reduction.info,
            object,
            false,
        ));
    }
    if let Some((_, stage)) = threads.team(unit) {
        found.push(algorithm(ctx, unit, stage, reduction.info, object, false));
    }
    found
}
