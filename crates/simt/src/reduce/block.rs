//! Records of the sub-groups or workers of a block become one, through shared memory and without atomic updates (seed: OpenMP
//! reductions on GPUs in LLVM, "block reduce": `gpu_irregular_block_reduce`, `InterWarpCpyFn`).
//!
//! ```text
//! slots                                        first-warp
//! first lane of each: slot[own] = v            first lane of each: slot[own] = v
//! barrier                                      barrier
//! all: v = slot[0]                             first sub-group: v = slot[lane], contiguous partial sub-group reduction,
//!      for k in 1..n: v = v OP slot[k]                     its first lane: result = v
//!                                              barrier
//!                                              all: v = result
//! ```
//! Many slots are a tree ([`super::tree`]). The slots of all variables are stored before the one barrier. All threads end with the same bits, since each combines the
//! slots in the same order, or gets the one result. The barriers are put in by [`super::super::barriers`].
//!
//! | team | who has a slot |
//! | --- | --- |
//! | sub-groups of a worker | each sub-group; every worker has slots of its own |
//! | sub-groups of the first worker | each sub-group of the first worker; all threads get the result |
//! | workers | each worker |
//! | block | each sub-group: `worker vector` loops in one pass, gangs' results, workers that share sub-groups |

use super::{
    super::{
        at::{Emitter, GpuAt},
        unit::{Guard, Unit},
    },
    buffer::{self, Slots, Taken, Which},
    policy::Algorithm,
    record::{Record, load, store},
    subgroup,
    tree::{self, Leaves},
};
use crate::{
    diagnostic::{Diagnostic, Result},
    dialect::Quantity,
};
use accrue_abi::launch::BLOCK;
use accrue_dialects::core::{BinKind, CmpKind};
use pliron::value::Value;

/// Who combines records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Team {
    SubgroupsOfWorker,
    SubgroupsOfFirstWorker,
    Workers,
    Block,
}

impl Team {
    /// The slots it needs.
    pub fn slots(self, unit: &Unit, record: &Record, algorithm: Algorithm) -> Slots {
        let (workers, own) = (unit.limits.max_workers, self.most(unit));
        let results = match (algorithm, self) {
            (Algorithm::FirstWarp, Team::SubgroupsOfWorker) => workers,
            (Algorithm::FirstWarp, _) => 1,
            _ => 0,
        };
        Slots {
            which: match self {
                Team::SubgroupsOfWorker => Which::OfWorkers,
                Team::SubgroupsOfFirstWorker | Team::Workers | Team::Block => Which::OfBlock,
            },
            types: record.types(),
            count: own + results,
        }
    }

    /// The slots of one worker, or of the block, as the leaves of a tree.
    fn leaves(self, at: &mut Emitter, unit: &Unit, place: &Place) -> Leaves {
        let (workers, lanes) = (unit.limits.max_workers, unit.limits.max_vector);
        let most = match self {
            Team::Workers => workers,
            Team::SubgroupsOfWorker | Team::SubgroupsOfFirstWorker => {
                lanes.div_ceil(unit.target.subgroup)
            }
            Team::Block => unit.slots_of_block(),
        };
        let (first, end) = place.slots;
        // Where there is one worker, there are as many slots as lanes, or sub-groups of lanes.
        let exact = unit.exact_lanes().filter(|_| workers == 1);
        Leaves {
            stores: place.stores,
            number: at.bin(BinKind::Sub, place.own, first),
            first,
            count: at.bin(BinKind::Sub, end, first),
            most: exact.map_or(most, |lanes| lanes.div_ceil(unit.target.subgroup)),
            exact: exact.is_some(),
        }
    }

    /// Slots that are stored to, at most.
    fn most(self, unit: &Unit) -> u32 {
        match self {
            Team::Workers => unit.limits.max_workers,
            Team::SubgroupsOfWorker | Team::SubgroupsOfFirstWorker | Team::Block => {
                match unit.target.has_subgroups() {
                    true => BLOCK / unit.target.subgroup,
                    // The group's memory may be as small as 32 KiB where every thread has a slot.
                    false => unit.limits.max_workers * unit.limits.max_vector,
                }
            }
        }
    }
}

/// What a thread knows of its place in a team.
struct Place {
    /// This thread stores.
    stores: Value,
    /// Its slot.
    own: Value,
    /// The slots that its team combines: the first, and the one behind the last.
    slots: (Value, Value),
}

/// The records of the team, combined: all of its threads get the result.
pub fn combine(
    at: &mut Emitter,
    unit: &mut Unit,
    record: &Record,
    values: &[Value],
    team: Team,
    algorithm: Algorithm,
) -> Result<Vec<Value>> {
    let wanted = team.slots(unit, record, algorithm);
    let slots = buffer::take(at, unit, &wanted);
    let place = place(at, unit, team);
    let guard = at.when(place.stores, |at| {
        let own = slots.slot(at, place.own);
        store(at, values, &own);
        Ok::<(), Diagnostic>(())
    })?;
    unit.guards.insert(guard, Guard::Some);
    match algorithm {
        Algorithm::FirstWarp => first_subgroup(at, unit, record, &slots, team, &place),
        Algorithm::Tree => {
            let leaves = team.leaves(at, unit, &place);
            tree::combine(at, unit, record, &slots, &leaves)
        }
        Algorithm::Shuffle
        | Algorithm::Contiguous
        | Algorithm::Dispersed
        | Algorithm::Redux
        | Algorithm::Slots
        | Algorithm::Lock
        | Algorithm::Atomic
        | Algorithm::Launches => in_order(at, unit, record, &slots, &place),
    }
}

/// Every thread combines the slots in order.
fn in_order(
    at: &mut Emitter,
    unit: &mut Unit,
    record: &Record,
    slots: &Taken,
    place: &Place,
) -> Result<Vec<Value>> {
    let sums = record.registers(at, unit);
    let first = slots.slot(at, place.slots.0);
    let first = load(at, &first);
    store(at, &first, &sums);
    let one = at.i32(1);
    let second = at.bin(BinKind::Add, place.slots.0, one);
    at.counted(second, place.slots.1, one, |at, index| {
        let others = slots.slot(at, index);
        let others = load(at, &others);
        record.combine_into(at, &sums, &others)
    })?;
    Ok(load(at, &sums))
}

/// The first sub-group of the team combines the slots as a tree.
fn first_subgroup(
    at: &mut Emitter,
    unit: &mut Unit,
    record: &Record,
    slots: &Taken,
    team: Team,
    place: &Place,
) -> Result<Vec<Value>> {
    let result = at.i32(i128::from(team.most(unit)));
    let result = match team {
        Team::SubgroupsOfWorker => {
            let worker = at.query(Quantity::Worker);
            at.bin(BinKind::Add, result, worker)
        }
        Team::SubgroupsOfFirstWorker | Team::Workers | Team::Block => result,
    };
    let subgroup = unit.target.subgroup;
    let size_of_one = at.i32(i128::from(subgroup));
    let lane = at.query(Quantity::Lane);
    let mut first = at.cmp(CmpKind::LtU, lane, size_of_one);
    if team != Team::SubgroupsOfWorker {
        let worker = at.is_zero(Quantity::Worker);
        first = at.bin(BinKind::And, first, worker);
    }
    let guard = at.when(first, |at| {
        let lane = at.query(Quantity::SubgroupLane);
        let one = at.i32(1);
        let size = at.bin(BinKind::Sub, place.slots.1, place.slots.0);
        // Lanes without a slot load the last one, which is not used.
        let last = at.bin(BinKind::Sub, size, one);
        let which = at.bin(BinKind::MinU, lane, last);
        let which = at.bin(BinKind::Add, place.slots.0, which);
        let from = slots.slot(at, which);
        let values = load(at, &from);
        let all = subgroup::contiguous(at, record, &values, (lane, size), (subgroup, subgroup))?;
        let leads = at.is_zero(Quantity::SubgroupLane);
        at.when(leads, |at| {
            let into = slots.slot(at, result);
            store(at, &all, &into);
            Ok::<(), Diagnostic>(())
        })?;
        Ok::<(), Diagnostic>(())
    })?;
    unit.guards.insert(guard, Guard::Some);
    let from = slots.slot(at, result);
    Ok(load(at, &from))
}

fn place(at: &mut Emitter, unit: &Unit, team: Team) -> Place {
    let zero = at.i32(0);
    match team {
        Team::Workers => Place {
            stores: at.is_zero(Quantity::Lane),
            own: at.query(Quantity::Worker),
            slots: (zero, at.query(Quantity::Workers)),
        },
        Team::Block => {
            let (own, subgroups) = subgroup_in_group(at, unit);
            Place {
                stores: unit.leads_subgroup(at),
                own,
                slots: (zero, subgroups),
            }
        }
        Team::SubgroupsOfFirstWorker => {
            let (own, subgroups) = subgroup_in_worker(at, unit);
            let mut stores = unit.leads_subgroup(at);
            if unit.limits.max_workers > 1 {
                let worker = at.is_zero(Quantity::Worker);
                stores = at.bin(BinKind::And, stores, worker);
            }
            Place {
                stores,
                own,
                slots: (zero, subgroups),
            }
        }
        Team::SubgroupsOfWorker => {
            let (own, subgroups) = subgroup_in_worker(at, unit);
            let worker = at.query(Quantity::Worker);
            let first = at.bin(BinKind::Mul, worker, subgroups);
            Place {
                stores: unit.leads_subgroup(at),
                own: at.bin(BinKind::Add, first, own),
                slots: (first, at.bin(BinKind::Add, first, subgroups)),
            }
        }
    }
}

/// The number of this thread's sub-group in the block, and how many there are.
fn subgroup_in_group(at: &mut Emitter, unit: &Unit) -> (Value, Value) {
    let worker = at.query(Quantity::Worker);
    let workers = at.query(Quantity::Workers);
    let subgroup = unit.target.subgroup;
    if unit.limits.max_vector < subgroup {
        let workers_of_one = subgroup / unit.limits.max_vector;
        let shift = at.i32(i128::from(workers_of_one.ilog2()));
        return (
            at.bin(BinKind::ShrU, worker, shift),
            at.bin(BinKind::ShrU, workers, shift),
        );
    }
    let (own, subgroups) = subgroup_in_worker(at, unit);
    let before = at.bin(BinKind::Mul, worker, subgroups);
    (
        at.bin(BinKind::Add, before, own),
        at.bin(BinKind::Mul, workers, subgroups),
    )
}

/// The number of this thread's sub-group in its worker, and how many there are; a worker of less than a sub-group counts as one.
fn subgroup_in_worker(at: &mut Emitter, unit: &Unit) -> (Value, Value) {
    if unit.limits.max_vector < unit.target.subgroup {
        return (at.i32(0), at.i32(1));
    }
    if !unit.target.has_subgroups() {
        return (at.query(Quantity::Lane), at.query(Quantity::Lanes));
    }
    let shift = at.i32(i128::from(unit.target.subgroup.ilog2()));
    let (lane, lanes) = (at.query(Quantity::Lane), at.query(Quantity::Lanes));
    (
        at.bin(BinKind::ShrU, lane, shift),
        at.bin(BinKind::ShrU, lanes, shift),
    )
}
