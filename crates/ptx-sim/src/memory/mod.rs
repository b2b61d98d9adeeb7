//! Device memory: allocations at addresses that the host does not have.
//!
//! Addresses lie beyond what processors can translate, so that a host pointer is never a device address and the reverse. They
//! are not given twice, and there is a gap behind every allocation: an address out of bounds or of freed memory is noticed.
//!
//! ```text
//! 0x0ac0_0000_0000_0000   global memory, `.const` variables
//! 0x0ac1_0000_4000_0000   the block's shared memory in generic space (`cvta.shared`)
//! 0x0ac2_0000_4000_0000   the thread's local memory
//! 0x0ac3_…                the kernel's parameters
//! 0x0ac4_…                functions
//! ```
//!
//! As on real GPUs, the windows of shared and local memory do not begin where the lower half of an address is 0. An access that names
//! its space takes an offset in the window and reads only the lower half of what it gets: a generic address is wrong there.

pub mod bytes;
pub mod marks;
pub mod track;

use crate::{AddressError, Nearest};
use bytes::Bytes;
use marks::Marks;
use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc, Mutex, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};
use track::Tracking;

pub const GLOBAL: u64 = 0x0ac0 << 48;
pub const SHARED: u64 = 0x0ac1 << 48 | 0x4000_0000;
pub const LOCAL: u64 = 0x0ac2 << 48 | 0x4000_0000;
pub const PARAM: u64 = 0x0ac3 << 48;
pub const CODE: u64 = 0x0ac4 << 48;
/// The part of an address that names the window.
const WINDOW: u64 = 0xffff << 48;

/// Whether the two addresses are in the same window.
pub fn same_window(a: u64, b: u64) -> bool {
    (a ^ b) & WINDOW == 0
}

const ALIGN: u64 = 512;
const GAP: u64 = 4096;
/// How many freed allocations are remembered for reports.
const REMEMBERED: usize = 4096;

/// Who made an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Host,
    /// `malloc` in a kernel.
    Heap,
    Variable,
    /// A `.const` variable: kernels cannot write it.
    Constant,
}

pub struct Allocation {
    pub base: u64,
    pub bytes: u64,
    pub origin: Origin,
    pub data: Bytes,
    /// Which bytes have been written; absent when that is not checked, or they all are.
    pub written: Option<Marks>,
    /// What is known of the host's copy; `None` inside when there is no memory for that.
    tracking: OnceLock<Option<Tracking>>,
    live: AtomicBool,
    label: Mutex<Option<String>>,
}

impl Allocation {
    #[inline(always)]
    pub fn holds(&self, address: u64, size: u64) -> bool {
        let offset = address.wrapping_sub(self.base);
        offset < self.bytes && size <= self.bytes - offset && self.live.load(Relaxed)
    }

    /// The host has written the bytes here: they have a value, and no newer one is elsewhere.
    fn note_write(&self, at: u64, bytes: u64) {
        if let Some(written) = &self.written {
            written.set_range(at, bytes);
        }
        if let Some(tracking) = self.tracking() {
            tracking.written_here(at, bytes);
        }
    }

    fn label(&self) -> Option<String> {
        self.label
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub fn nearest(&self, address: u64) -> Nearest {
        Nearest {
            base: self.base,
            bytes: self.bytes,
            label: self.label(),
            offset: address.wrapping_sub(self.base) as i64,
        }
    }
}

struct Freed {
    base: u64,
    bytes: u64,
    label: Option<String>,
}

struct Table {
    live: BTreeMap<u64, Arc<Allocation>>,
    freed: VecDeque<Freed>,
    next: u64,
    used: u64,
}

/// Where an address is that no live allocation holds.
pub struct Lost {
    pub freed: bool,
    pub nearest: Option<Nearest>,
}

pub struct Memory {
    limit: u64,
    /// Whether the first write of every byte is noted.
    marks: bool,
    tracked: AtomicBool,
    table: RwLock<Table>,
}

impl Memory {
    pub fn new(limit: u64, marks: bool) -> Memory {
        let table = Table {
            live: BTreeMap::new(),
            freed: VecDeque::new(),
            next: GLOBAL + (1 << 32),
            used: 0,
        };
        Memory {
            limit,
            marks,
            tracked: AtomicBool::new(false),
            table: RwLock::new(table),
        }
    }

    fn table(&self) -> std::sync::RwLockReadGuard<'_, Table> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn table_mut(&self) -> std::sync::RwLockWriteGuard<'_, Table> {
        self.table.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn alloc(
        &self,
        bytes: u64,
        origin: Origin,
        label: Option<&str>,
    ) -> Option<Arc<Allocation>> {
        let mut table = self.table_mut();
        if table.used.checked_add(bytes)? > self.limit {
            return None;
        }
        let data = Bytes::new(bytes)?;
        let marked = self.marks && matches!(origin, Origin::Host | Origin::Heap);
        let written = if marked {
            Some(Marks::new(bytes)?)
        } else {
            None
        };
        let base = table.next;
        let label = Mutex::new(label.map(str::to_string));
        let allocation = Arc::new(Allocation {
            base,
            bytes,
            origin,
            data,
            written,
            tracking: OnceLock::new(),
            live: AtomicBool::new(true),
            label,
        });
        table.next = (base + bytes + GAP).next_multiple_of(ALIGN);
        table.used += bytes;
        table.live.insert(base, allocation.clone());
        Some(allocation)
    }

    /// Frees what begins at the address, if its origin is this one.
    pub fn free(&self, address: u64, origin: Origin) -> Result<(), AddressError> {
        let mut table = self.table_mut();
        let Some(allocation) = table
            .live
            .get(&address)
            .filter(|a| a.origin == origin)
            .cloned()
        else {
            drop(table);
            return Err(self.error(address, 0));
        };
        table.live.remove(&address);
        table.used -= allocation.bytes;
        allocation.live.store(false, Relaxed);
        if table.freed.len() == REMEMBERED {
            table.freed.pop_front();
        }
        table.freed.push_back(Freed {
            base: address,
            bytes: allocation.bytes,
            label: allocation.label(),
        });
        Ok(())
    }

    /// Frees everything that kernels allocated or that belongs to a module being unloaded.
    pub fn free_quietly(&self, address: u64) {
        let mut table = self.table_mut();
        if let Some(allocation) = table.live.remove(&address) {
            table.used -= allocation.bytes;
            allocation.live.store(false, Relaxed);
        }
    }

    pub fn used(&self) -> u64 {
        self.table().used
    }

    pub fn set_label(&self, address: u64, label: Option<&str>) -> Result<(), AddressError> {
        let allocation = self
            .find(address, 0)
            .ok_or_else(|| self.error(address, 0))?;
        *allocation
            .label
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = label.map(str::to_string);
        Ok(())
    }

    /// The live allocation that holds all these bytes. Zero bytes may stand at its end.
    pub fn find(&self, address: u64, size: u64) -> Option<Arc<Allocation>> {
        let table = self.table();
        let (_, allocation) = table.live.range(..=address).next_back()?;
        let offset = address - allocation.base;
        (offset <= allocation.bytes && size <= allocation.bytes - offset)
            .then(|| allocation.clone())
    }

    /// What is to be said about an address that is in no live allocation.
    pub fn lost(&self, address: u64) -> Lost {
        let table = self.table();
        if let Some(f) = table
            .freed
            .iter()
            .rev()
            .find(|f| address.wrapping_sub(f.base) < f.bytes)
        {
            let offset = (address - f.base) as i64;
            let nearest = Nearest {
                base: f.base,
                bytes: f.bytes,
                label: f.label.clone(),
                offset,
            };
            return Lost {
                freed: true,
                nearest: Some(nearest),
            };
        }
        let before = table
            .live
            .range(..=address)
            .next_back()
            .map(|(_, a)| a.nearest(address));
        let behind = table
            .live
            .range(address..)
            .next()
            .map(|(_, a)| a.nearest(address));
        let distance = |n: &Nearest| {
            if n.offset < 0 {
                n.offset.unsigned_abs()
            } else {
                (n.offset as u64).saturating_sub(n.bytes)
            }
        };
        // Very far away is no help.
        let nearest = [before, behind]
            .into_iter()
            .flatten()
            .min_by_key(distance)
            .filter(|n| distance(n) < 1 << 30);
        Lost {
            freed: false,
            nearest,
        }
    }

    fn error(&self, address: u64, bytes: u64) -> AddressError {
        let Lost { freed, nearest } = self.lost(address);
        AddressError {
            address,
            bytes,
            freed,
            nearest,
        }
    }

    fn checked(&self, address: u64, bytes: u64) -> Result<Arc<Allocation>, AddressError> {
        self.find(address, bytes)
            .ok_or_else(|| self.error(address, bytes))
    }

    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), AddressError> {
        let allocation = self.checked(address, bytes.len() as u64)?;
        allocation.data.write(address - allocation.base, bytes);
        allocation.note_write(address - allocation.base, bytes.len() as u64);
        Ok(())
    }

    pub fn read(&self, address: u64, out: &mut [u8]) -> Result<(), AddressError> {
        let allocation = self.checked(address, out.len() as u64)?;
        allocation.data.read(address - allocation.base, out);
        Ok(())
    }

    pub fn fill(&self, address: u64, byte: u8, bytes: u64) -> Result<(), AddressError> {
        let allocation = self.checked(address, bytes)?;
        allocation.data.fill(address - allocation.base, byte, bytes);
        allocation.note_write(address - allocation.base, bytes);
        Ok(())
    }

    pub fn copy(&self, to: u64, from: u64, bytes: u64) -> Result<(), AddressError> {
        let target = self.checked(to, bytes)?;
        let source = self.checked(from, bytes)?;
        match (&target.written, &source.written) {
            (Some(to_marks), Some(from_marks)) => {
                to_marks.copy(to - target.base, from_marks, from - source.base, bytes);
            }
            (Some(marks), None) => marks.set_range(to - target.base, bytes),
            (None, _) => {}
        }
        if let Some(tracking) = target.tracking() {
            tracking.written_here(to - target.base, bytes);
            tracking.newer.set_range(to - target.base, bytes);
        }
        let mut buffer = vec![0; bytes.min(1 << 16) as usize];
        let mut done = 0;
        while done < bytes {
            let part = (bytes - done).min(1 << 16);
            // Backwards when the target is above the source, so that an overlap is not read after it was written.
            let at = if to > from { bytes - done - part } else { done };
            let buffer = &mut buffer[..part as usize];
            source.data.read(from - source.base + at, buffer);
            target.data.write(to - target.base + at, buffer);
            done += part;
        }
        Ok(())
    }
}
