//! The slots of a team become one as a tree, for targets on which each thread has a slot of its own.
//!
//! Nothing is assumed of which threads run together: between two steps there is a barrier of all of them. A step leaves an eighth of the
//! slots, since a barrier costs as much as some additions; the last few are added by all threads, which are to know the result:
//!
//! ```text
//! 256 threads                                          barriers
//! slot[t] = v                                          |
//! t < 32: slot[t] += slot[t + 32] … slot[t + 224]      |
//! t < 4:  slot[t] += slot[t + 4] … slot[t + 28]        |
//! all:    v = slot[0] + slot[1] + slot[2] + slot[3]
//! ```
//! Threads next to each other read slots next to each other. The steps are those of the largest team that there can be; a smaller
//! one leaves out slots that it does not have. The order depends on the size of the team only, and so do the bits of a sum.
//! Cost: 7 combinations and a barrier for each factor of 8.

use super::{
    super::{
        at::Emitter,
        unit::{Guard, Unit},
    },
    buffer::Taken,
    record::{Record, load, select, store},
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{BinKind, CmpKind};
use pliron::value::Value;

/// Slots that a thread combines in a step.
const AT_ONCE: u32 = 8;

/// The slots of a team, as a thread sees them.
pub struct Leaves {
    /// This thread has stored one.
    pub stores: Value,
    /// Its number among those of the team.
    pub number: Value,
    /// The first slot of the team.
    pub first: Value,
    /// How many slots the team has.
    pub count: Value,
    /// How many it has at most.
    pub most: u32,
    /// It has as many in every launch.
    pub exact: bool,
}

/// The slots combined, which every thread gets.
pub fn combine(
    at: &mut Emitter,
    unit: &mut Unit,
    record: &Record,
    slots: &Taken,
    leaves: &Leaves,
) -> Result<Vec<Value>> {
    let mut left = leaves.most;
    while left > AT_ONCE {
        let next = left.div_ceil(AT_ONCE);
        let limit = at.i32(i128::from(next));
        let adds = at.cmp(CmpKind::LtU, leaves.number, limit);
        let adds = at.bin(BinKind::And, leaves.stores, adds);
        let guard = at.when(adds, |at| {
            let numbers = (leaves.number, next);
            let values = add(at, record, slots, leaves, numbers, left)?;
            let own = at.bin(BinKind::Add, leaves.first, leaves.number);
            let own = slots.slot(at, own);
            store(at, &values, &own);
            Ok::<(), Diagnostic>(())
        })?;
        unit.guards.insert(guard, Guard::Some);
        left = next;
    }
    let zero = at.i32(0);
    add(at, record, slots, leaves, (zero, 1), left)
}

/// The slots `start`, `start + step`, … of the first `left` that the team has. `start` is less than `step`, and the slot is there.
fn add(
    at: &mut Emitter,
    record: &Record,
    slots: &Taken,
    leaves: &Leaves,
    (start, step): (Value, u32),
    left: u32,
) -> Result<Vec<Value>> {
    let one = at.bin(BinKind::Add, leaves.first, start);
    let mut values = slot(at, slots, one);
    let mut distance = step;
    while distance < left {
        let further = at.i32(i128::from(distance));
        let number = at.bin(BinKind::Add, start, further);
        // The last one of the threads that add reaches furthest.
        let is_there = leaves.exact && distance + step <= left;
        let place = at.bin(BinKind::Add, leaves.first, number);
        values = match is_there {
            true => {
                let others = slot(at, slots, place);
                record.combine(at, &values, &others)?
            }
            false => {
                let there = at.cmp(CmpKind::LtU, number, leaves.count);
                let there = match distance + step <= left {
                    true => there,
                    false => {
                        let end = at.i32(i128::from(left));
                        let inside = at.cmp(CmpKind::LtU, number, end);
                        at.bin(BinKind::And, there, inside)
                    }
                };
                let place = at.select(there, place, one);
                let others = slot(at, slots, place);
                let both = record.combine(at, &values, &others)?;
                select(at, there, &both, &values)
            }
        };
        distance += step;
    }
    Ok(values)
}

fn slot(at: &mut Emitter, slots: &Taken, number: Value) -> Vec<Value> {
    let places = slots.slot(at, number);
    load(at, &places)
}
