//! The shared memory of a function's reductions (seed: OpenACC reductions in GCC, "Worker Level": one buffer of the largest
//! size that any loop needs, apart from the slots that hand results of single modes to other threads).
//!
//! There are two buffers, since workers come to their vector loops independently of each other:
//!
//! | buffer | for reductions |
//! | --- | --- |
//! | of the block | that all threads of the block come to together: workers, gangs, vector loops outside of worker loops |
//! | of the workers | over the sub-groups of a worker, inside a worker loop: each worker has slots of its own in it |
//!
//! ```text
//! loop 1: + double, max int, 8 slots     [ 8 x double | 8 x int ]            96 bytes
//! loop 2: + float, 8 slots               [ 8 x float ]                       32 bytes
//! the buffer                             96 bytes; twice that if a loop runs again
//! ```
//! In the buffer of the workers whole records stand one after another, all as far apart as the largest needs: while one worker
//! is at one loop, another may be at a loop with other variables, and its slots must be in the same place for both.
//! ```text
//! loop 1: + double, max int     worker 0, sub-group 0 [ double, int ]   sub-group 1 [ double, int ]   worker 1, sub-group 0 [ …
//! loop 2: + float               worker 0, sub-group 0 [ float       ]   sub-group 1 [ float       ]   worker 1, sub-group 0 [ …
//! ```
//!
//! A loop that runs again uses the two halves of the buffer in turns: who stores for the next time cannot disturb those who
//! still load, because there is a barrier in between; so one barrier per loop is enough ([`super::super::barriers`]). Every
//! use of such a buffer takes its turn. The turn is in a register, the same in all threads that use the buffer together.

use super::super::{
    at::{Emitter, GpuAt},
    unit::{Unit, register},
};
use super::record::elements;
use crate::{
    dialect::{Shared, SharedVariable},
    layout::{Records, extent},
};
use accrue_dialects::core::{BinKind, int, pointee};
use pliron::{context::Context, r#type::TypeHandle, value::Value};

/// Objects in the buffers are aligned to this at most.
const ALIGN: u64 = 16;

/// Which buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    OfBlock,
    OfWorkers,
}

/// Slots of a record: so many of each of these types.
#[derive(Clone, Debug)]
pub struct Slots {
    pub which: Which,
    pub types: Vec<TypeHandle>,
    pub count: u32,
}

/// The buffers of a function.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    of_block: Buffer,
    of_workers: Buffer,
}

#[derive(Clone, Debug, Default)]
struct Buffer {
    /// Bytes of the largest use.
    bytes: u64,
    /// Bytes of the largest record, and the most slots of a use.
    record: u64,
    slots: u64,
    /// There are two halves.
    turns: bool,
    made: Option<Made>,
}

#[derive(Clone, Copy, Debug)]
struct Made {
    start: Value,
    turn: Option<Value>,
}

impl Buffers {
    /// Notes a use before any is expanded. `again`: it may run more than once.
    pub fn note(&mut self, ctx: &Context, slots: &Slots, again: bool) {
        let (which, count) = (slots.which, u64::from(slots.count));
        let buffer = self.buffer(which);
        match which {
            Which::OfBlock => buffer.bytes = buffer.bytes.max(places(ctx, slots, count).1),
            Which::OfWorkers => {
                buffer.record = buffer.record.max(places(ctx, slots, 1).1);
                buffer.slots = buffer.slots.max(count);
                buffer.bytes = buffer.record * buffer.slots;
            }
        }
        buffer.turns |= again;
    }

    fn buffer(&mut self, which: Which) -> &mut Buffer {
        match which {
            Which::OfBlock => &mut self.of_block,
            Which::OfWorkers => &mut self.of_workers,
        }
    }
}

/// The slots of a use: the first one of each type, and how to find the others.
pub struct Taken {
    firsts: Vec<Value>,
    /// Bytes from one slot to the next; none where those of a type follow each other.
    stride: Option<u64>,
}

impl Taken {
    /// The only slot of each type.
    pub fn only(self) -> Vec<Value> {
        self.firsts
    }

    /// Slot `index` of each type.
    pub fn slot(&self, at: &mut Emitter, index: Value) -> Vec<Value> {
        let Some(stride) = self.stride else {
            return elements(at, &self.firsts, index);
        };
        let stride = at.i32(i128::from(stride));
        let offset = at.bin(BinKind::Mul, index, stride);
        let byte = int(at.ctx, 8);
        let place = |at: &mut Emitter, first: &Value| {
            let ty = pointee(at.ctx, *first).unwrap_or(byte);
            let bytes = at.pointer_to(*first, byte);
            let place = at.ptr_add(bytes, offset);
            at.pointer_to(place, ty)
        };
        self.firsts.iter().map(|first| place(at, first)).collect()
    }
}

/// Starts a use.
pub fn take(at: &mut Emitter, unit: &mut Unit, slots: &Slots) -> Taken {
    let made = made(at, unit, slots.which);
    if let Some(turn) = made.turn {
        let bytes = unit.reduce.buffers.buffer(slots.which).bytes;
        let (last, other) = (at.load(turn), at.i32(i128::from(bytes)));
        let now = at.bin(BinKind::Xor, last, other);
        at.store(now, turn);
    }
    current(at, unit, slots)
}

/// The slots of the use that was started last.
pub fn current(at: &mut Emitter, unit: &mut Unit, slots: &Slots) -> Taken {
    let made = made(at, unit, slots.which);
    let mut start = made.start;
    if let Some(turn) = made.turn {
        let turn = at.load(turn);
        start = at.ptr_add(start, turn);
    }
    let (count, stride) = match slots.which {
        Which::OfBlock => (u64::from(slots.count), None),
        Which::OfWorkers => (1, Some(unit.reduce.buffers.of_workers.record)),
    };
    let (offsets, _) = places(at.ctx, slots, count);
    let slot = |(offset, ty): (u64, &TypeHandle)| {
        let place = match offset {
            0 => start,
            _ => {
                let offset = at.i64(i128::from(offset));
                at.ptr_add(start, offset)
            }
        };
        at.pointer_to(place, *ty)
    };
    Taken {
        firsts: offsets.into_iter().zip(&slots.types).map(slot).collect(),
        stride,
    }
}

/// The buffer, made at the start of the function when it is needed first.
fn made(at: &mut Emitter, unit: &mut Unit, which: Which) -> Made {
    let buffer = unit.reduce.buffers.buffer(which).clone();
    if let Some(made) = buffer.made {
        return made;
    }
    let purpose = match which {
        Which::OfBlock => "reduce",
        Which::OfWorkers => "reduce_lanes",
    };
    let variable = SharedVariable {
        name: format!("{}_{purpose}", unit.name),
        bytes: buffer.bytes * if buffer.turns { 2 } else { 1 },
        align: ALIGN,
    };
    unit.shared_bytes = unit.shared_bytes.next_multiple_of(ALIGN) + variable.bytes;
    let mut at = unit.at_start(at.ctx);
    let byte = int(at.ctx, 8);
    let start = at.make(|c| Shared::new(c, byte, variable));
    let turn = buffer.turns.then(|| {
        unit.alternating.extend(start.defining_op());
        let i32 = int(at.ctx, 32);
        let turn = register(&mut at, unit, i32);
        // The first use is of the first half.
        let second = at.i32(i128::from(buffer.bytes));
        at.store(second, turn);
        turn
    });
    let made = Made { start, turn };
    unit.reduce.buffers.buffer(which).made = Some(made);
    made
}

/// Where `count` slots of each type start, and the bytes of all.
fn places(ctx: &Context, slots: &Slots, count: u64) -> (Vec<u64>, u64) {
    let mut end = 0;
    let mut offsets = vec![];
    for ty in &slots.types {
        let (size, align) = extent(ctx, &Records::default(), *ty)
            .map_or((ALIGN, ALIGN), |e| (e.size, e.align.clamp(1, ALIGN)));
        let offset = u64::next_multiple_of(end, align);
        offsets.push(offset);
        end = offset + size * count;
    }
    (offsets, end.next_multiple_of(ALIGN))
}
