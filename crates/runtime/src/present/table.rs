//! Mappings with their reference and attachment counters (OpenACC 3.4, 2.6.7 and 2.6.8).
//!
//! A mapping lives as long as its structured or its dynamic counter is not zero, or a loaded program declares it. The table knows
//! nothing of devices: who maps allocates, copies and frees.

use super::groups::Groups;
use super::ranges::{Entry, Found, Ranges};
use super::rows::Rows;
use crate::fatal::Place;
use crate::section::Piece;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes of a `double complex`.
const LONGEST_SCALAR: usize = 16;

/// Who provided the device memory of a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The host memory itself: the device shares it.
    Host,
    /// Allocated when the mapping was made, to be freed with it.
    Allocated,
    /// Given by the user with `acc_map_data`; never freed here.
    User,
}

/// Who made a mapping.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The variable, or empty for API routines.
    pub name: &'static str,
    pub place: Place,
}

impl Origin {
    /// The name without a section: `s[1].p` of `s[1].p[2:5]`.
    pub fn variable(&self) -> &'static str {
        let mut name = self.name;
        let mut open = 0;
        for (at, byte) in self.name.bytes().enumerate().rev() {
            match byte {
                b']' => open += 1,
                b'[' => open -= 1,
                _ if open == 0 => break,
                _ => continue,
            }
            if open == 0 {
                name = &self.name[..at];
            }
        }
        name
    }
}

/// A pointer inside a mapping whose device copy points to device memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Where in the mapping the pointer is.
    pub offset: usize,
    pub count: u32,
    /// The device address the pointer was set to; outside of the mapping when a section starts behind the pointer.
    pub target: usize,
    /// Where the device memory of the mapping starts that it leads to.
    pub leads_to: usize,
}

/// One piece of host memory with its device copy.
#[derive(Clone, Debug)]
pub struct Mapping {
    pub host: usize,
    /// The address of element 0 of the section that was mapped: the pointer's value in `p[5:50]`.
    pub base: usize,
    pub bytes: usize,
    pub device: usize,
    pub structured: u32,
    pub dynamic: u32,
    /// Loaded programs and libraries that declare it: no directive takes these references.
    pub declared: u32,
    pub memory: Memory,
    pub origin: &'static Origin,
    /// Made by a directive of OpenMP that names members of this struct, and not the struct.
    pub around: bool,
    /// In the order of their offsets.
    pub attachments: Vec<Attachment>,
}

impl Mapping {
    /// The device address of a host address inside or relative to this mapping.
    pub fn translate(&self, host: usize) -> usize {
        self.device.wrapping_add(host.wrapping_sub(self.host))
    }

    /// All of its host memory.
    pub fn piece(&self) -> Piece {
        Piece {
            start: self.host,
            bytes: self.bytes,
        }
    }

    /// True when these bytes of host memory are part of it.
    pub fn holds(&self, host: usize, bytes: usize) -> bool {
        let offset = host.wrapping_sub(self.host);
        offset < self.bytes && bytes <= self.bytes - offset
    }

    /// True when host and device use the same bytes: nothing is ever copied.
    pub fn is_shared(&self) -> bool {
        self.device == self.host
    }

    /// True when no region, no `enter data` and no declaration holds it any more.
    pub fn is_unused(&self) -> bool {
        self.structured == 0 && self.dynamic == 0 && self.declared == 0
    }

    /// Where the attachment of the pointer at this host address is among all, or would be.
    fn attachment_at(&self, pointer: usize) -> Result<usize, usize> {
        let offset = pointer.wrapping_sub(self.host);
        self.attachments.binary_search_by_key(&offset, |a| a.offset)
    }

    /// The attachment of the pointer at this host address.
    pub fn attachment(&self, pointer: usize) -> Option<&Attachment> {
        Some(&self.attachments[self.attachment_at(pointer).ok()?])
    }
}

/// Names a mapping; stays valid (but may name nothing) after the mapping is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MappingId {
    index: u32,
    generation: u32,
}

/// The mapping in which something was found last. It may be gone, or one of another table; what it says is checked.
#[derive(Debug, Default)]
pub struct Hint(AtomicU64);

impl Hint {
    fn get(&self) -> MappingId {
        let both = self.0.load(Relaxed);
        MappingId {
            index: both as u32,
            generation: (both >> 32) as u32,
        }
    }

    fn set(&self, id: MappingId) {
        let both = u64::from(id.generation) << 32 | u64::from(id.index);
        self.0.store(both, Relaxed);
    }
}

/// How a host range is present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    Absent,
    Present(MappingId),
    /// Overlaps this mapping without lying inside it.
    Partial(MappingId),
}

struct Slot {
    generation: u32,
    /// The table's state when the mapping was made.
    born: u64,
    /// Element 0 of further sections that lie in the mapping, where that is outside.
    bases: Vec<usize>,
    mapping: Option<Mapping>,
}

/// Numbers the states of all tables: no two have the same number, and none has 0.
struct State(u64);

impl Default for State {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        State(NEXT.fetch_add(1, Relaxed))
    }
}

/// All mappings of one device.
#[derive(Default)]
pub struct PresentTable {
    ranges: Ranges,
    /// The mappings that start elsewhere than at their base, or one of their bases: base, index, generation.
    sections: BTreeSet<(usize, u32, u32)>,
    /// Element 0 of sections that are in several mappings.
    pub(super) parted: BTreeSet<usize>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    user_mappings: usize,
    state: State,
    /// Of the attachments.
    attached: State,
    pub(super) groups: Groups,
    /// Rows that constructs have found.
    pub rows: Rows,
}

impl PresentTable {
    /// A number that stays the same as long as the mappings do, their counters apart. Never 0, and another one for each
    /// table.
    pub fn state(&self) -> u64 {
        self.state.0
    }

    /// Says that device memory has been freed: what was known of addresses in it no longer holds.
    pub fn note_freed(&mut self) {
        self.state = State::default();
    }

    /// A number that stays the same as long as no pointer is attached for the first time, to something else, or no longer.
    pub fn attached(&self) -> u64 {
        self.attached.0
    }

    /// Attaches the pointer at a host address, which is part of the mapping, or does so once more. Tells whether its device
    /// copy has to become `target`.
    pub fn attach(
        &mut self,
        id: MappingId,
        pointer: usize,
        target: usize,
        leads_to: usize,
    ) -> bool {
        let Some(mapping) = self.get_mut(id) else {
            return false;
        };
        let changed = match mapping.attachment_at(pointer) {
            Ok(at) => {
                let attachment = &mut mapping.attachments[at];
                attachment.count += 1;
                attachment.leads_to = leads_to;
                std::mem::replace(&mut attachment.target, target) != target
            }
            Err(at) => {
                let new = Attachment {
                    offset: pointer - mapping.host,
                    count: 1,
                    target,
                    leads_to,
                };
                mapping.attachments.insert(at, new);
                true
            }
        };
        if changed {
            self.attached = State::default();
        }
        changed
    }

    /// Takes one reference of an attached pointer away, or all of them. Tells whether it was the last one.
    pub fn detach(&mut self, id: MappingId, pointer: usize, all: bool) -> bool {
        self.settle();
        let Some(mapping) = self.get_mut(id) else {
            return false;
        };
        let Ok(at) = mapping.attachment_at(pointer) else {
            return false;
        };
        let attachment = &mut mapping.attachments[at];
        attachment.count -= 1;
        let last = attachment.count == 0 || all;
        if last {
            mapping.attachments.remove(at);
            self.attached = State::default();
        }
        last
    }

    /// The attachment of the pointer at a host address.
    pub(super) fn attachment_mut(&mut self, pointer: usize) -> Option<&mut Attachment> {
        let Presence::Present(id) = self.find(pointer, size_of::<usize>()) else {
            return None;
        };
        let mapping = self.get_mut(id)?;
        let at = mapping.attachment_at(pointer).ok()?;
        Some(&mut mapping.attachments[at])
    }

    /// Number of live mappings.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// True when nothing is mapped.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    fn id(entry: Entry) -> MappingId {
        MappingId {
            index: entry.id,
            generation: entry.generation,
        }
    }

    /// How `bytes` (at least 1) bytes from `host` are present.
    pub fn find(&self, host: usize, bytes: usize) -> Presence {
        match self.ranges.find(host, host.saturating_add(bytes)) {
            Found::Absent => Presence::Absent,
            Found::Inside(entry) => Presence::Present(Self::id(entry)),
            Found::Partial(entry) => Presence::Partial(Self::id(entry)),
        }
    }

    /// Like [`PresentTable::find`]; no search is needed when the range lies in the same mapping as the last time.
    pub fn find_again(&self, host: usize, bytes: usize, hint: &Hint) -> Presence {
        let known = hint.get();
        if let Some(mapping) = self.get(known)
            && mapping.holds(host, bytes)
        {
            return Presence::Present(known);
        }
        let found = self.find(host, bytes);
        if let Presence::Present(id) = found {
            hint.set(id);
        }
        found
    }

    /// The mapping that a pointer of this value leads to: the one that holds the address, or else the only one with a
    /// section that was given from the pointer on (`copy(p[5:50])`). The latter also where the address happens to be in data
    /// of another variable, in front of the section.
    pub fn of_pointer(&self, value: usize, hint: &Hint) -> Option<MappingId> {
        let section = match self.sections.is_empty() {
            true => None,
            false => self.section_of(value),
        };
        let holder = match self.find_again(value, 1, hint) {
            Presence::Present(id) => Some(id),
            Presence::Absent | Presence::Partial(_) => None,
        };
        let own = |id: &MappingId| {
            self.get(*id).is_some_and(|mapping| mapping.base == value)
                || self.slots[id.index as usize].bases.contains(&value)
        };
        holder.filter(own).or(section).or(holder)
    }

    /// The same; where there is none, the mapping of the array that the pointer is the end of: `p != end`, `end[-1]`. What is no longer than the
    /// longest scalar may be a variable that happens to be in front of what the pointer leads to.
    pub fn of_pointer_or_end(&self, value: usize, hint: &Hint) -> Option<MappingId> {
        let ended = || match self.find(value.checked_sub(1)?, 1) {
            Presence::Present(id) => self
                .get(id)
                .is_some_and(|mapping| mapping.bytes > LONGEST_SCALAR)
                .then_some(id),
            Presence::Absent | Presence::Partial(_) => None,
        };
        self.of_pointer(value, hint).or_else(ended)
    }

    /// All mappings with a section that was given from this address on, and that start elsewhere.
    pub(super) fn sections_of(&self, base: usize) -> Vec<MappingId> {
        let all = self
            .sections
            .range((base, 0, 0)..=(base, u32::MAX, u32::MAX));
        all.map(|&(_, index, generation)| MappingId { index, generation })
            .collect()
    }

    fn section_of(&self, base: usize) -> Option<MappingId> {
        let mut all = self
            .sections
            .range((base, 0, 0)..=(base, u32::MAX, u32::MAX));
        let (&(_, index, generation), None) = (all.next()?, all.next()) else {
            return None;
        };
        Some(MappingId { index, generation })
    }

    /// A number that is greater for mappings made later, and 0 for none.
    pub fn born(&self, id: MappingId) -> u64 {
        let slot = self.slots.get(id.index as usize);
        slot.map_or(0, |slot| slot.born)
    }

    /// The mapping of this name, unless it is gone.
    pub fn get(&self, id: MappingId) -> Option<&Mapping> {
        let slot = self.slots.get(id.index as usize)?;
        (slot.generation == id.generation)
            .then_some(slot.mapping.as_ref())
            .flatten()
    }

    /// The mapping of this name, unless it is gone.
    pub fn get_mut(&mut self, id: MappingId) -> Option<&mut Mapping> {
        let slot = self.slots.get_mut(id.index as usize)?;
        (slot.generation == id.generation)
            .then_some(slot.mapping.as_mut())
            .flatten()
    }

    /// Adds a mapping; its range must be absent.
    pub fn insert(&mut self, mapping: Mapping) -> MappingId {
        self.state = State::default();
        self.user_mappings += usize::from(mapping.memory == Memory::User);
        let (start, end) = (mapping.host, mapping.host.saturating_add(mapping.bytes));
        let base = mapping.base;
        let index = match self.free.pop() {
            Some(index) => {
                let slot = &mut self.slots[index as usize];
                (slot.mapping, slot.born) = (Some(mapping), self.state.0);
                index
            }
            None => {
                self.slots.push(Slot {
                    generation: 0,
                    born: self.state.0,
                    bases: Vec::new(),
                    mapping: Some(mapping),
                });
                (self.slots.len() - 1) as u32
            }
        };
        let entry = Entry {
            start,
            end,
            id: index,
            generation: self.slots[index as usize].generation,
        };
        self.ranges.insert(entry);
        if base != start {
            self.sections.insert((base, index, entry.generation));
        }
        if !self.sections.is_empty() {
            self.note_parts(base);
        }
        Self::id(entry)
    }

    /// Says that a section with this element 0 lies in a mapping: a pointer of that value leads there, too.
    pub fn note_base(&mut self, id: MappingId, base: usize) {
        let inside = |mapping: &Mapping| mapping.base == base || mapping.holds(base, 1);
        if self.get(id).is_none_or(inside) {
            return;
        }
        let slot = &mut self.slots[id.index as usize];
        if !slot.bases.contains(&base) {
            slot.bases.push(base);
            self.sections.insert((base, id.index, id.generation));
            self.note_parts(base);
            self.state = State::default();
        }
    }

    /// Takes a mapping out of the table.
    pub fn remove(&mut self, id: MappingId) -> Option<Mapping> {
        self.settle();
        let slot = self.slots.get_mut(id.index as usize)?;
        if slot.generation != id.generation {
            return None;
        }
        let mapping = slot.mapping.take()?;
        self.state = State::default();
        if mapping.base != mapping.host {
            self.sections
                .remove(&(mapping.base, id.index, id.generation));
        }
        let bases = std::mem::take(&mut slot.bases);
        for base in &bases {
            self.sections.remove(&(*base, id.index, id.generation));
        }
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.index);
        self.ranges.remove(mapping.host);
        if !self.parted.is_empty() {
            for base in bases.into_iter().chain([mapping.base]) {
                self.note_parts(base);
            }
        }
        self.user_mappings -= usize::from(mapping.memory == Memory::User);
        Some(mapping)
    }

    /// Takes all mappings out.
    pub fn drain(&mut self) -> Vec<Mapping> {
        let ids: Vec<MappingId> = self.ranges.iter().map(Self::id).collect();
        ids.into_iter().filter_map(|id| self.remove(id)).collect()
    }

    /// The mappings nearest below (or at) and above an address, for messages.
    pub fn neighbours(&self, host: usize) -> (Option<&Mapping>, Option<&Mapping>) {
        let mapping = |entry: Entry| self.slots[entry.id as usize].mapping.as_ref();
        (
            self.ranges.floor(host).and_then(mapping),
            self.ranges.above(host).and_then(mapping),
        )
    }

    /// All mappings in order of their host addresses.
    pub fn iter(&self) -> impl Iterator<Item = &Mapping> + '_ {
        self.ranges
            .iter()
            .filter_map(|entry| self.slots[entry.id as usize].mapping.as_ref())
    }

    /// The `acc_map_data` mapping whose device memory starts at this address.
    pub fn user_mapping_of(&self, device: usize) -> Option<&Mapping> {
        if self.user_mappings == 0 {
            return None;
        }
        self.iter()
            .find(|mapping| mapping.memory == Memory::User && mapping.device == device)
    }

    /// The mapping whose own device memory starts at this address. Searches the whole table.
    pub fn allocated_at(&self, device: usize) -> Option<&Mapping> {
        self.iter()
            .find(|mapping| mapping.memory == Memory::Allocated && mapping.device == device)
    }

    /// The host address that corresponds to a device address. Searches the whole table.
    pub fn host_of(&self, device: usize) -> Option<usize> {
        self.iter()
            .find(|mapping| device.wrapping_sub(mapping.device) < mapping.bytes)
            .map(|mapping| mapping.host + (device - mapping.device))
    }
}
