//! The race checker: two accesses to the same bytes, one of them a write, and nothing orders them.
//!
//! Every 4 bytes that are accessed have a slot with the last write and two reads. What orders accesses:
//!
//! - within a thread, the program;
//! - within a block, barriers and atomic (or `volatile`, `relaxed`, `acquire`, `release`) accesses to one place: vector clocks
//!   of the warps (Flanagan, Freund: "FastTrack"), a warp's own clock going on with every such event;
//! - within a warp, `.sync` instructions; also, reads are before writes of lanes that run together with the reader;
//! - between blocks, an atomic access by the first block after its access and one by the second before its own. Which place
//!   they go to is not looked at, so that some races between blocks are missed.
//!
//! Slots of global memory are in a table of fixed size; a slot that is needed for another address forgets what it had.
//! Races can be missed so, but none is invented.
//!
//! A block that adds to a variable by the end of the kernel (a note of the compiler) writes it, as far as other blocks are
//! concerned: their reads may find it with or without that. For the block itself nothing happens there.
//!
//! A load with `.nc` promises that nobody writes its bytes during the launch: no order makes a write of them right.

pub use super::past_access::Kind;
use super::past_access::{CLOCK_AT, PC_AT, PC_MASK, Record, THREAD_AT};
use super::{Failed, Worker, call::lanes, fail, warp::Warp};
use crate::{Access, FaultKind, OtherAccess, alu::Row};
use std::sync::{Mutex, PoisonError, atomic::Ordering::Relaxed};

/// What is known of 4 bytes.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub struct Slot {
    /// The place and the launch.
    key: u64,
    write: Record,
    first_read: Record,
    last_read: Record,
}

const SHARDS: usize = 1024;
/// 128-byte lines per shard.
const LINES: u64 = 32;

/// Slots of global memory.
pub struct Table {
    shards: Vec<Mutex<Vec<Slot>>>,
}

impl Default for Table {
    fn default() -> Self {
        Table {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }
}

/// What a block knows of the order of accesses.
#[derive(Default)]
pub struct Order {
    pub linear: u64,
    /// Clocks that atomic accesses hand over, by a hash of their place.
    handed: Vec<Vec<u32>>,
    /// How many atomic accesses all blocks had made after this block's last one.
    acquired: u32,
    /// There was an atomic access since `acquired` was set.
    acquires: bool,
    /// How many all blocks had made before this block's last one.
    released: u32,
    /// Slots of shared memory.
    slots: Vec<Slot>,
}

impl Order {
    pub fn new(linear: u64) -> Order {
        Order {
            linear,
            ..Order::default()
        }
    }
}

const HANDOVERS: usize = 256;

/// The accesses of a warp's lanes by one instruction.
pub struct Accesses<'a> {
    /// Addresses; the same bytes have the same everywhere.
    pub addresses: &'a Row,
    pub lanes: u32,
    pub bytes: u32,
    pub kind: Kind,
    pub shared: bool,
    /// Values of a store, to see whether lanes store different ones to one place.
    pub values: Option<&'a Row>,
}

/// Takes over what another clock knows.
pub fn join(clock: &mut Vec<u32>, other: &[u32]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}

impl Warp {
    fn number(&self) -> usize {
        (self.first_thread / 32) as usize
    }

    /// What the warp did so far is before what it does from now on, for those who learn of it.
    pub fn tick(&mut self) {
        let number = self.number();
        if let Some(own) = self.clock.get_mut(number) {
            *own += 1;
        }
    }
}

impl Worker<'_> {
    /// A strong access: takes over what others left at the place, and leaves what the warp knows.
    pub fn hand_over(&mut self, warp: &mut Warp, order: &mut Order, addresses: &Row, active: u32) {
        if order.handed.is_empty() {
            order.handed.resize(HANDOVERS, Vec::new());
        }
        let mut last = None;
        for lane in lanes(active) {
            if last == Some(addresses[lane]) {
                continue;
            }
            last = Some(addresses[lane]);
            let place = &mut order.handed[(addresses[lane] / 4) as usize % HANDOVERS];
            join(&mut warp.clock, place);
            join(place, &warp.clock);
        }
        warp.tick();
        // The access itself comes after this: who sees what it does finds its number.
        order.released = self.machine.all_atomics.fetch_add(1, Relaxed);
        let linear = order.linear as usize % self.machine.block_atomics.len();
        self.machine.block_atomics[linear].fetch_max(order.released + 1, Relaxed);
    }

    /// Checks the accesses and remembers them.
    pub fn check_races(
        &mut self,
        warp: &Warp,
        order: &mut Order,
        x: &Accesses,
    ) -> Result<(), Failed> {
        let kind = match x.kind {
            Kind::Read => 0,
            Kind::Write => 1,
            Kind::StrongRead => 2,
            Kind::StrongWrite => 3,
            Kind::ReadOnly => 4,
            Kind::Contribution => 5,
        };
        // What an atomic access has seen is counted after it, here at the block's next access.
        if order.acquires {
            order.acquired = self.machine.all_atomics.load(Relaxed);
        }
        order.acquires = x.kind.orders();
        let clock = warp.clock.get(warp.number()).copied().unwrap_or(0);
        let now = Now {
            record: Record {
                what: u64::from(clock) << CLOCK_AT | u64::from(self.pc & PC_MASK) << PC_AT | kind,
                block: order.linear as u32,
                atomics: match x.kind.orders() {
                    true => order.released,
                    false => self.machine.all_atomics.load(Relaxed),
                },
            },
            kind: x.kind,
            clock: &warp.clock,
            warp: warp.number() as u32,
            together: self.fragment_mask,
            acquired: order.acquired,
        };
        if x.kind == Kind::Write {
            self.same_instruction(warp, order, x)?;
        }
        let launch = self.machine.number << 46;
        let table = self.machine.races;
        // Held for a whole line of 128 bytes, which neighbours share.
        let mut held: Option<(usize, std::sync::MutexGuard<Vec<Slot>>)> = None;
        for lane in lanes(x.lanes) {
            let start = x.addresses[lane];
            let end = start + u64::from(x.bytes);
            let thread = warp.first_thread + lane as u32;
            for place in start / 4..end.div_ceil(4) {
                let slot = if x.shared {
                    let index = (place & 0x3fff_ffff) as usize;
                    if order.slots.len() <= index {
                        order.slots.resize(index + 1, Slot::default());
                    }
                    &mut order.slots[index]
                } else {
                    let hash = (place / 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
                    let shard = hash as usize % SHARDS;
                    if held.as_ref().is_none_or(|(s, _)| *s != shard) {
                        drop(held.take());
                        let mut slots = table.shards[shard]
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner);
                        if slots.is_empty() {
                            slots.resize(LINES as usize * 32, Slot::default());
                        }
                        held = Some((shard, slots));
                    }
                    let line = hash / SHARDS as u64 % LINES;
                    match &mut held {
                        Some((_, slots)) => &mut slots[(line * 32 + place % 32) as usize],
                        None => break,
                    }
                };
                let low = start.max(place * 4) - place * 4;
                let high = end.min(place * 4 + 4) - place * 4;
                let record = now.record.of(thread, (1 << high) - (1 << low));
                let key = launch | place & ((1 << 46) - 1);
                if slot.key != key {
                    // Another place, or another launch: nothing is known.
                    *slot = Slot {
                        key,
                        ..Slot::default()
                    };
                }
                match self.touch(slot, record, &now) {
                    Verdict::Fine => {}
                    Verdict::Race(other) => {
                        drop(held);
                        let other = Box::new(self.other(order, other));
                        let access = self.accessed(x, lane);
                        return fail(FaultKind::Race { access, other }, Some(lane as u32));
                    }
                    Verdict::NotReadOnly(other) => {
                        drop(held);
                        let other = Box::new(self.other(order, other));
                        let access = self.accessed(x, lane);
                        return fail(FaultKind::NotReadOnly { access, other }, Some(lane as u32));
                    }
                }
            }
        }
        Ok(())
    }

    /// Lanes that store different values to one place at once.
    fn same_instruction(&self, warp: &Warp, order: &Order, x: &Accesses) -> Result<(), Failed> {
        let Some(values) = x.values else {
            return Ok(());
        };
        let mut previous: Option<usize> = None;
        let ascending = lanes(x.lanes).all(|lane| {
            let above = previous.is_none_or(|p| x.addresses[p] < x.addresses[lane]);
            previous = Some(lane);
            above
        });
        if ascending {
            return Ok(());
        }
        for lane in lanes(x.lanes) {
            let earlier = lanes(x.lanes & ((1 << lane) - 1))
                .find(|l| x.addresses[*l] == x.addresses[lane] && values[*l] != values[lane]);
            if let Some(earlier) = earlier {
                let thread = warp.first_thread + earlier as u32;
                let what =
                    u64::from(self.pc & PC_MASK) << PC_AT | u64::from(thread) << THREAD_AT | 1;
                let other = Record {
                    what,
                    block: order.linear as u32,
                    atomics: 0,
                };
                let other = Box::new(self.other(order, other));
                let access = self.accessed(x, lane);
                return fail(FaultKind::Race { access, other }, Some(lane as u32));
            }
        }
        Ok(())
    }

    /// Notes an access in a slot, and compares it with earlier ones.
    fn touch(&self, slot: &mut Slot, record: Record, now: &Now) -> Verdict {
        // An order between the two is of no use here: the load may give an old value all the same.
        let meets = |other: &Record| other.bytes() & record.bytes() != 0;
        let belied = match now.kind {
            Kind::Read | Kind::StrongRead => None,
            Kind::ReadOnly => Some(slot.write),
            Kind::Write | Kind::StrongWrite | Kind::Contribution => {
                [slot.first_read, slot.last_read]
                    .into_iter()
                    .find(|other| other.kind() == Kind::ReadOnly)
            }
        };
        if let Some(other) = belied.filter(meets) {
            return Verdict::NotReadOnly(other);
        }
        let races = |other: Record| {
            let kind = other.kind();
            other.bytes() & record.bytes() != 0
                && (kind.writes() || now.kind.writes())
                && !(kind.strong() && now.kind.strong())
                && !self.ordered(other, record, now)
        };
        if races(slot.write) {
            return Verdict::Race(slot.write);
        }
        // The last read may be a second block's contribution.
        if races(slot.last_read) {
            return Verdict::Race(slot.last_read);
        }
        if now.kind.writes() && races(slot.first_read) {
            return Verdict::Race(slot.first_read);
        }
        if now.kind == Kind::Contribution {
            contribute(slot, record);
        } else if now.kind.writes() {
            // What is ordered before this write need not be remembered.
            *slot = Slot {
                write: record,
                first_read: Record::NONE,
                last_read: Record::NONE,
                ..*slot
            };
        } else if slot.first_read.kind() != Kind::ReadOnly
            && (slot.first_read == Record::NONE
                || slot.first_read.same_thread(record)
                || now.kind == Kind::ReadOnly)
        {
            slot.first_read = record;
        } else {
            slot.last_read = record;
        }
        Verdict::Fine
    }

    fn ordered(&self, other: Record, record: Record, now: &Now) -> bool {
        let contributes = Kind::Contribution;
        if other.block == record.block && (other.kind() == contributes || now.kind == contributes) {
            return true;
        }
        if other.block != record.block {
            let atomics = &self.machine.block_atomics;
            let last = atomics[other.block as usize % atomics.len()].load(Relaxed);
            return last > other.atomics && now.acquired > other.atomics;
        }
        let thread = other.thread();
        if thread == record.thread() {
            return true;
        }
        if thread / 32 != now.warp {
            return now.clock.get((thread / 32) as usize).copied().unwrap_or(0) >= other.clock();
        }
        // Lanes of one instruction are compared by their values.
        if other.clock() < record.clock() || other.pc() == record.pc() {
            return true;
        }
        !other.kind().writes() && now.together >> (thread % 32) & 1 != 0
    }

    fn accessed(&self, x: &Accesses, lane: usize) -> Access {
        let request = super::access::Request {
            space: if x.shared {
                crate::Space::Shared
            } else {
                crate::Space::Global
            },
            bytes: x.bytes,
            write: x.kind.writes(),
            atomic: x.kind == Kind::StrongWrite,
            slot: 0,
        };
        self.report(&request, x.addresses[lane], lane)
    }

    pub(super) fn other(&self, order: &Order, other: Record) -> OtherAccess {
        let machine = self.machine;
        let block = if other.block == order.linear as u32 {
            order.linear
        } else {
            u64::from(other.block)
        };
        let block = super::Machine::coordinates(block, machine.grid);
        OtherAccess {
            thread: machine.thread(block, other.thread()),
            place: machine
                .program
                .place(other.pc())
                .cloned()
                .unwrap_or_else(|| crate::Place {
                    function: machine.program.functions[0].name.clone(),
                    source: None,
                    ptx_line: 0,
                }),
            write: other.kind().writes(),
            atomic: other.kind() == Kind::StrongWrite,
        }
    }
}

/// Notes that a block adds to the bytes. Of several blocks two are remembered, so that there is another one for each. A
/// block's own write says more.
fn contribute(slot: &mut Slot, record: Record) {
    let own = slot.write.block == record.block;
    match slot.write.kind() {
        Kind::Write | Kind::StrongWrite | Kind::Contribution if own => {}
        Kind::Contribution => slot.last_read = record,
        Kind::Write | Kind::StrongWrite | Kind::Read | Kind::StrongRead | Kind::ReadOnly => {
            slot.write = record
        }
    }
}

enum Verdict {
    Fine,
    Race(Record),
    /// One of the two accesses says that there is no write.
    NotReadOnly(Record),
}

struct Now<'a> {
    record: Record,
    kind: Kind,
    clock: &'a [u32],
    warp: u32,
    /// Lanes of the running fragment.
    together: u32,
    acquired: u32,
}
