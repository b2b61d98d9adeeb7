//! Data actions: what data clauses do with the present table and with device memory
//! (OpenACC 3.4, 2.7).
//!
//! One [`Actions`] serves one directive or routine and holds the lock of the present table. The
//! table changes at once; transfers and frees go to the directive's queue, in order. So
//! `exit data copyout(a) async(1)` makes `a` absent immediately, and its bytes arrive when
//! queue 1 gets there.

mod transfers;

use crate::device::{Device, OutOfMemory, Queue};
use crate::fatal;
use crate::notify::{self, Event};
use crate::present::table::{Hint, Mapping, MappingId, Memory, Origin, Presence, PresentTable};
use crate::report;
use crate::runtime::DeviceState;
use crate::section::Piece;
use crate::site::SiteState;
use crate::tools;

/// Bytes of a pointer.
pub const POINTER: usize = size_of::<usize>();

/// Which reference counter an action changes (OpenACC 3.4, 2.6.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    Structured,
    Dynamic,
    /// That of declarations, which no directive changes.
    Declared,
    /// Both as if they were one, as in OpenMP: the dynamic one first.
    Both,
}

/// What entering does when the data is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfAbsent {
    Create,
    Ignore,
    Fail,
}

/// Why a section cannot be entered.
#[derive(Clone, Copy, Debug)]
pub enum Unfit {
    /// It has to be present.
    Absent,
    /// A part of it is in this mapping.
    Partial(MappingId),
}

/// The entry half of a data clause.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub counter: Counter,
    pub if_absent: IfAbsent,
    /// Copy to the device when the mapping is made.
    pub copy_in: bool,
    /// Copy to the device also when the data was present.
    pub always_in: bool,
    /// Set new device memory to zero.
    pub zero: bool,
    /// Set to zero where the device shares memory, the host's own: a pointer leads there that is the same on both sides.
    pub in_place: bool,
    /// Give the device its own copy even where it shares memory.
    pub capture: bool,
    /// A part may be present instead of all: the variable of an enclosing construct's section, used without a clause
    /// (2.6.2). The device address is that of the variable as far as the part goes.
    pub part_suffices: bool,
    /// It counts only where it makes the mapping, or another such one has ([`Mapping::around`]).
    pub around: bool,
}

/// The exit half of a data clause.
#[derive(Clone, Copy, Debug)]
pub struct Exit {
    pub counter: Counter,
    /// Copy to the host when the mapping ends.
    pub copy_out: bool,
    /// Copy to the host also when the mapping stays.
    pub always_out: bool,
    /// Set the dynamic counter to zero.
    pub finalize: bool,
}

/// Executes data actions; made by [`with_table`].
pub struct Actions<'a> {
    pub device: &'a dyn Device,
    pub table: &'a mut PresentTable,
    pub queue: Queue,
    /// For profiles; none for routines.
    pub site: Option<&'static SiteState>,
    /// Device memory to free once the table is unlocked.
    released: Vec<usize>,
}

/// To be called before a synchronous directive or routine that may end the lifetime of data.
///
/// The program may free the host memory next; kernels in queues that still use it must be done,
/// and what they computed should be part of what is copied out. So this waits for all queues.
pub fn before_lifetimes_end(state: &DeviceState, queue: Queue) {
    if queue == Queue::Sync {
        state.device.wait_all();
    }
}

/// Executes `body` with exclusive use of a device's present table; synchronous actions are complete on return.
///
/// Device memory that became free is given back after the table was unlocked and all queues are
/// done with it.
pub fn with_table<R>(
    state: &'static DeviceState,
    queue: Queue,
    site: Option<&'static SiteState>,
    body: impl FnOnce(&mut Actions<'_>) -> R,
) -> R {
    let result = with_table_ahead(state, queue, site, body);
    if queue == Queue::Sync {
        state.device.complete();
    }
    result
}

/// Like [`with_table`], but what was started synchronously may still run: the caller has more to do in the same order.
pub fn with_table_ahead<R>(
    state: &'static DeviceState,
    queue: Queue,
    site: Option<&'static SiteState>,
    body: impl FnOnce(&mut Actions<'_>) -> R,
) -> R {
    let device = &*state.device;
    let mut table = state.lock();
    let mut actions = Actions::new(device, &mut table, queue, site);
    let result = body(&mut actions);
    let mut released = actions.released;
    drop(table);
    free_all(device, &mut released);
    result
}

/// Frees device memory of mappings that are gone.
fn free_all(device: &dyn Device, released: &mut Vec<usize>) {
    if released.is_empty() {
        return;
    }
    device.wait_all();
    for address in released.drain(..) {
        // SAFETY: the mapping it belonged to is gone, and no queue has work.
        unsafe { device.free(address, Queue::Sync) };
    }
}

impl<'a> Actions<'a> {
    /// For a table that is locked. What is freed in the end is [`Actions::free_released`]'s.
    pub fn new(
        device: &'a dyn Device,
        table: &'a mut PresentTable,
        queue: Queue,
        site: Option<&'static SiteState>,
    ) -> Self {
        Actions {
            device,
            table,
            queue,
            site,
            released: Vec::new(),
        }
    }
}

impl Actions<'_> {
    /// Makes the piece present and counts the reference. `base` is where element 0 of the section is, `runs` are its bytes
    /// that matter. What does not fit to what is present is a fatal error.
    pub fn enter(
        &mut self,
        hull: Piece,
        base: usize,
        runs: &[Piece],
        entry: Entry,
        origin: &'static Origin,
        clause: &str,
    ) -> Option<MappingId> {
        match self.try_enter(hull, base, runs, entry, origin) {
            Ok(id) => id,
            Err(unfit) => self.refuse(unfit, hull, origin, clause),
        }
    }

    /// Says why a section does not fit to what is present.
    #[cold]
    pub fn refuse(&self, unfit: Unfit, hull: Piece, origin: &'static Origin, clause: &str) -> ! {
        let (device, table, name) = (self.device, &*self.table, origin.name);
        let (error, message) = match unfit {
            Unfit::Absent => (
                fatal::Error::NotPresent,
                report::not_present(device, table, hull, name, clause),
            ),
            Unfit::Partial(id) => (
                fatal::Error::PartlyPresent,
                report::partially_present(device, table, hull, id, name, clause),
            ),
        };
        fatal::fatal_as(error, origin.place, message)
    }

    /// Like [`Actions::enter`]; what does not fit changes nothing.
    pub fn try_enter(
        &mut self,
        hull: Piece,
        base: usize,
        runs: &[Piece],
        entry: Entry,
        origin: &'static Origin,
    ) -> Result<Option<MappingId>, Unfit> {
        let id = match self.table.find(hull.start, hull.bytes) {
            Presence::Present(id) => {
                if entry.always_in {
                    self.copy_in(id, runs);
                }
                id
            }
            Presence::Partial(id) if entry.part_suffices => id,
            Presence::Partial(id) => return Err(Unfit::Partial(id)),
            Presence::Absent => match entry.if_absent {
                IfAbsent::Ignore => return Ok(None),
                IfAbsent::Fail => return Err(Unfit::Absent),
                IfAbsent::Create => self.create(hull, base, runs, entry, origin),
            },
        };
        let counts = |mapping: &&mut Mapping| mapping.around || !entry.around;
        if let Some(mapping) = self.table.get_mut(id).filter(counts) {
            match entry.counter {
                Counter::Structured => mapping.structured += 1,
                Counter::Declared => mapping.declared += 1,
                Counter::Dynamic | Counter::Both if mapping.memory == Memory::User => {}
                Counter::Dynamic | Counter::Both => mapping.dynamic += 1,
            }
        }
        Ok(Some(id))
    }

    /// Makes a mapping of a piece that is absent, without a reference.
    pub fn create(
        &mut self,
        hull: Piece,
        base: usize,
        runs: &[Piece],
        entry: Entry,
        origin: &'static Origin,
    ) -> MappingId {
        let shares = self.device.shares_host_memory();
        let shared = shares && (!entry.zero || entry.in_place) && !entry.capture;
        let (device, memory) = if shared {
            (hull.start, Memory::Host)
        } else {
            (self.alloc(hull.bytes, origin), Memory::Allocated)
        };
        let id = self.table.insert(Mapping {
            host: hull.start,
            base,
            bytes: hull.bytes,
            device,
            structured: 0,
            dynamic: 0,
            declared: 0,
            memory,
            origin,
            around: entry.around,
            attachments: Vec::new(),
        });
        if !shared {
            self.device.mapped(hull.start, device, hull.bytes);
            tools::created(&tools::memory_of(origin, hull, device));
        }
        if entry.zero {
            self.zero(id, hull);
        }
        if entry.copy_in {
            self.copy_in(id, runs);
        }
        id
    }

    /// Sets a part of a mapping to zero.
    pub fn zero(&mut self, id: MappingId, piece: Piece) {
        if let Some(mapping) = self.table.get(id) {
            let address = mapping.translate(piece.start);
            // SAFETY: the piece lies in the mapping.
            unsafe { self.device.zero(address, piece.bytes, self.queue) };
        }
    }

    /// Device memory, or a fatal error with the sizes and what is mapped.
    pub fn alloc(&mut self, bytes: usize, origin: &'static Origin) -> usize {
        self.try_alloc(bytes, origin).unwrap_or_else(|error| {
            fatal::fatal_as(
                fatal::Error::OutOfMemory,
                origin.place,
                report::out_of_memory(self.device, self.table, error, origin.name),
            )
        })
    }

    /// Device memory, if there is as much.
    pub fn try_alloc(
        &mut self,
        bytes: usize,
        origin: &'static Origin,
    ) -> Result<usize, OutOfMemory> {
        let address = self.device.alloc(bytes).or_else(|_| {
            // Frees may be waiting in queues.
            self.device.wait_all();
            self.device.alloc(bytes)
        })?;
        let label = match origin.name {
            "" => origin.place.what,
            name => name,
        };
        self.device.set_label(address, label);
        if notify::wants(Event::Allocation) {
            notify::line(format_args!(
                "alloc device={} bytes={bytes} address={address:#x} name={}",
                self.device.name(),
                origin.name
            ));
        }
        tools::allocated(&tools::memory_of(
            origin,
            Piece { start: 0, bytes },
            address,
        ));
        Ok(address)
    }

    /// Frees memory that no mapping has.
    ///
    /// # Safety
    /// The address is one of [`Actions::alloc`], and what uses it comes earlier in the queue.
    pub unsafe fn free(&mut self, address: usize) {
        if tools::any() {
            tools::freed(&tools::Memory {
                name: "",
                bytes: self
                    .device
                    .allocation(address)
                    .map_or(0, |(_, bytes)| bytes),
                host: 0,
                device: address,
            });
        }
        // SAFETY: passed on to the caller.
        unsafe { self.device.free(address, self.queue) };
    }

    /// Frees at once what would be freed when the directive is done.
    pub fn free_released(&mut self) {
        free_all(self.device, &mut self.released);
    }

    /// Drops a reference to a mapping and ends it when it was the last one.
    pub fn exit(&mut self, id: MappingId, runs: &[Piece], exit: Exit) {
        if self.release(id, runs, exit) {
            if exit.copy_out && !exit.always_out {
                self.copy_out(id, runs);
            }
            self.remove(id);
        }
    }

    /// Drops a reference to a mapping; tells whether it was the last one. A directive that drops several references
    /// copies out and removes afterwards: two of its variables may be the same memory, and then what each of them asks
    /// for is to be done.
    pub fn release(&mut self, id: MappingId, runs: &[Piece], exit: Exit) -> bool {
        self.table.settle();
        let Some(mapping) = self.table.get_mut(id) else {
            return false;
        };
        match exit.counter {
            Counter::Structured => mapping.structured = mapping.structured.saturating_sub(1),
            Counter::Declared => mapping.declared = mapping.declared.saturating_sub(1),
            Counter::Dynamic if mapping.memory == Memory::User => {}
            Counter::Dynamic if exit.finalize => mapping.dynamic = 0,
            Counter::Dynamic => mapping.dynamic = mapping.dynamic.saturating_sub(1),
            Counter::Both if mapping.memory == Memory::User => {}
            Counter::Both if exit.finalize => (mapping.dynamic, mapping.structured) = (0, 0),
            Counter::Both if mapping.dynamic > 0 => mapping.dynamic -= 1,
            Counter::Both => mapping.structured = mapping.structured.saturating_sub(1),
        }
        let last = mapping.is_unused();
        if exit.always_out {
            self.copy_out(id, runs);
        }
        last
    }

    /// Ends a mapping that has no references any more.
    pub fn end(&mut self, id: MappingId) {
        if self.table.get(id).is_some_and(Mapping::is_unused) {
            self.remove(id);
        }
    }

    /// Ends a mapping whatever its counters say.
    pub fn remove(&mut self, id: MappingId) {
        let Some(mapping) = self.table.remove(id) else {
            return;
        };
        mapping.tell_end();
        if mapping.memory != Memory::Allocated {
            return;
        }
        if notify::wants(Event::Allocation) {
            notify::line(format_args!(
                "free device={} bytes={} address={:#x} name={}",
                self.device.name(),
                mapping.bytes,
                mapping.device,
                mapping.origin.name
            ));
        }
        match self.queue {
            Queue::Sync => self.released.push(mapping.device),
            // SAFETY: the mapping's memory came from `alloc`, and nothing names it any more.
            Queue::Async(_) => unsafe { self.device.free(mapping.device, self.queue) },
        }
    }

    /// The attach action for the host pointer at `pointer` (OpenACC 3.4, 2.7.2). `target` is the
    /// mapping of the section it leads to: the section may start behind the pointer's value.
    /// True when the attachment was counted.
    pub fn attach(&mut self, pointer: usize, target: Option<MappingId>) -> bool {
        let Presence::Present(id) = self.table.find(pointer, POINTER) else {
            return false;
        };
        // SAFETY: the pointer is part of a mapping, so the user has vouched for its memory.
        let host_target = unsafe { (pointer as *const usize).read_unaligned() };
        if host_target == 0 {
            return false;
        }
        // What is present may be a section that begins behind what the pointer holds.
        let target = target.or_else(|| self.table.of_pointer_or_end(host_target, &Hint::default()));
        let Some((target, leads_to)) = target
            .and_then(|id| self.table.get(id))
            .map(|mapping| (mapping.translate(host_target), mapping.device))
        else {
            return false;
        };
        let Some(mapping) = self.table.get(id) else {
            return false;
        };
        let (shared, device) = (mapping.is_shared(), mapping.translate(pointer));
        let changed = self.table.attach(id, pointer, target, leads_to);
        if changed && !shared {
            // SAFETY: the pointer lies in the mapping.
            unsafe { self.device.write_pointer(device, target, self.queue) };
        }
        true
    }

    /// The detach action for the host pointer at `pointer` (OpenACC 3.4, 2.7.2).
    pub fn detach(&mut self, pointer: usize, finalize: bool) {
        let Presence::Present(id) = self.table.find(pointer, POINTER) else {
            return;
        };
        if !self.table.detach(id, pointer, finalize) {
            return;
        }
        let Some(mapping) = self.table.get(id) else {
            return;
        };
        if !mapping.is_shared() {
            let device = mapping.translate(pointer);
            // SAFETY: the pointer is part of a mapping on both sides.
            unsafe {
                let host_target = (pointer as *const usize).read_unaligned();
                self.device.write_pointer(device, host_target, self.queue);
            }
        }
    }
}
