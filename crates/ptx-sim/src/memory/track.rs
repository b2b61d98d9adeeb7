//! Which of two copies of data is the newer one: the device's or the host's.
//!
//! | per byte | set by | cleared by |
//! | --- | --- | --- |
//! | `same`: both have the value of the last transfer | a transfer | a write by a kernel or, here, by the host's runtime |
//! | `newer`: a kernel has written it since the last transfer | a write by a kernel | a transfer, a write by the host |
//! | `fresh`: the host has nothing newer | a write here, a transfer | a write by the host |
//!
//! A byte that is still the `same` and differs from the host's was written by the host. So nothing is kept but three bits.

use super::{Allocation, Memory, marks::Marks};
use crate::{AddressError, Place};
use std::sync::{Mutex, PoisonError, atomic::Ordering::Relaxed};

/// What is known of an allocation that has a copy on the host.
pub struct Tracking {
    pub fresh: Marks,
    pub newer: Marks,
    same: Marks,
    /// Where kernels have written, most recent last.
    writers: Mutex<Vec<Place>>,
}

/// Places of writes that are remembered per allocation.
const WRITERS: usize = 4;

impl Tracking {
    fn new(bytes: u64) -> Option<Tracking> {
        let fresh = Marks::new(bytes)?;
        fresh.set_range(0, bytes);
        Some(Tracking {
            fresh,
            newer: Marks::new(bytes)?,
            same: Marks::new(bytes)?,
            writers: Mutex::default(),
        })
    }

    /// A kernel writes aligned bytes.
    pub fn kernel_writes(&self, at: u64, bytes: u32) {
        self.fresh.set(at, bytes);
        self.newer.set(at, bytes);
        self.same.clear(at, bytes);
    }

    /// Notes where kernels write.
    pub fn note_writer(&self, place: &Place) {
        let mut writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = writers.iter().position(|p| p == place) {
            writers.remove(known);
        } else if writers.len() == WRITERS {
            writers.remove(0);
        }
        writers.push(place.clone());
    }

    /// The bytes get values that are not the host's.
    pub fn written_here(&self, at: u64, bytes: u64) {
        self.fresh.set_range(at, bytes);
        self.same.clear_range(at, bytes);
    }
}

/// A byte of which the host has an old value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Newer {
    /// The byte's address.
    pub address: u64,
    /// Where kernels have written the allocation.
    pub writers: Vec<Place>,
}

impl Allocation {
    /// What is known of the host's copy, if anything is to be.
    pub fn tracking(&self) -> Option<&Tracking> {
        self.tracking.get()?.as_ref()
    }
}

impl Memory {
    /// Begins to track the allocation that holds the address; without memory for that, nothing is found.
    pub fn track(&self, address: u64) -> Result<(), AddressError> {
        let allocation = self.checked(address, 1)?;
        allocation
            .tracking
            .get_or_init(|| Tracking::new(allocation.bytes));
        self.tracked.store(true, Relaxed);
        Ok(())
    }

    /// Whether anything is tracked.
    pub fn any_tracked(&self) -> bool {
        self.tracked.load(Relaxed)
    }

    /// Host and device have the same values of the bytes now.
    pub fn transferred(&self, address: u64, bytes: u64) -> Result<(), AddressError> {
        let allocation = self.checked(address, bytes)?;
        let at = address - allocation.base;
        if let Some(tracking) = allocation.tracking() {
            tracking.fresh.set_range(at, bytes);
            tracking.same.set_range(at, bytes);
            tracking.newer.clear_range(at, bytes);
        }
        Ok(())
    }

    /// The host writes its copy of the bytes: that is no old value any more.
    pub fn host_writes(&self, address: u64, bytes: u64) -> Result<(), AddressError> {
        let allocation = self.checked(address, bytes)?;
        if let Some(tracking) = allocation.tracking() {
            tracking.newer.clear_range(address - allocation.base, bytes);
        }
        Ok(())
    }

    /// Compares bytes that are the same on the host with the host's, to see which it has written.
    pub fn compare(&self, address: u64, host: &[u8]) -> Result<(), AddressError> {
        let allocation = self.checked(address, host.len() as u64)?;
        let Some(tracking) = allocation.tracking() else {
            return Ok(());
        };
        let start = address - allocation.base;
        if !tracking.same.any(start, host.len() as u64) {
            return Ok(());
        }
        let mut here = vec![0; host.len()];
        allocation.data.read(start, &mut here);
        if here == host {
            return Ok(());
        }
        for (at, (host, here)) in (start..).zip(host.iter().zip(&here)) {
            if host != here && tracking.same.get(at, 1) {
                tracking.fresh.clear(at, 1);
            }
        }
        Ok(())
    }

    /// The first of the bytes that a kernel has written since the last transfer.
    pub fn newer(&self, address: u64, bytes: u64) -> Option<Newer> {
        let allocation = self.find(address, bytes)?;
        let tracking = allocation.tracking()?;
        let at = address - allocation.base;
        let first = (at..at + bytes).find(|at| tracking.newer.get(*at, 1))?;
        let writers = tracking
            .writers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        Some(Newer {
            address: allocation.base + first,
            writers: writers.clone(),
        })
    }

    /// Notes whether the host has newer values of the bytes, until they are written here.
    pub fn set_stale(&self, address: u64, bytes: u64, stale: bool) -> Result<(), AddressError> {
        self.track(address)?;
        let allocation = self.checked(address, bytes)?;
        let at = address - allocation.base;
        match allocation.tracking() {
            Some(tracking) if stale => tracking.fresh.clear_range(at, bytes),
            Some(tracking) => tracking.fresh.set_range(at, bytes),
            None => {}
        }
        Ok(())
    }
}
