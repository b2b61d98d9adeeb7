//! Copies of `firstprivate` variables that are not passed by value: the construct has one, of which each gang makes its own.
//!
//! ```text
//! #pragma acc parallel loop firstprivate(jobs[0:n])         jobs[i].x leads to the device's copy of what it leads to, if there is one
//! for (…) … jobs[i].x[j] …
//! ```
//! By the letter the copy has the values of the host, with which a region can do nothing where the device has a memory of its own. So
//! pointers that the region follows, and that lead to present data, become the device's, as `attach` would make them in a mapping
//! (OpenACC 3.4, 2.6.8); others stay as they are.

use super::{Region, bad_section};
use crate::abi::Var;
use crate::data::{Actions, POINTER};
use crate::device::Queue;
use crate::present::table::Hint;
use crate::section::{Operand, Piece, Section};
use crate::site::SiteState;
use crate::tools::{self, Pair};
use crate::words::array;

impl Region {
    /// Memory for this launch alone, of a variable that the program does not have.
    pub fn own(
        &mut self,
        actions: &mut Actions<'_>,
        site: &'static SiteState,
        var: usize,
        bytes: usize,
    ) -> usize {
        let memory = actions.alloc(bytes, &site.vars[var]);
        self.temporaries.push(memory);
        memory
    }

    /// A copy of the variable for this launch alone; returns its address relative to word 0.
    pub fn first_private(
        &mut self,
        actions: &mut Actions<'_>,
        site: &'static SiteState,
        var: usize,
        operand: &Operand<'_>,
    ) -> usize {
        let section = Section {
            base: operand.base,
            element: operand.var.elem_size as usize,
            dims: operand.dims,
        };
        let hull = match section.hull() {
            Ok(hull) => hull,
            Err(error) => bad_section(site, var, error),
        };
        if operand.base == 0 || hull.bytes == 0 {
            return actions.device.absent_pointer(operand.base, site, var);
        }
        let copy = actions.alloc(hull.bytes, &site.vars[var]);
        let _upload = tools::transfer(Pair::Upload, &tools::memory_of(&site.vars[var], hull, copy));
        // SAFETY: the tables of the program say so, and the user has vouched for the section's memory.
        let translated = unsafe { translated(actions, operand.var, hull) };
        let bytes = translated
            .as_ref()
            .map_or(hull.start, |bytes| bytes.as_ptr() as usize);
        // SAFETY: the new memory has the hull's size; the copy is made now, even when the kernel
        // runs later, because the host may change the variable after an asynchronous launch.
        unsafe {
            actions.device.copy_in(copy, bytes, hull.bytes, Queue::Sync);
        }
        if actions.queue != Queue::Sync || translated.is_some() {
            actions.device.complete();
        }
        site.profile.add_bytes_in(hull.bytes);
        self.temporaries.push(copy);
        copy.wrapping_sub(hull.start.wrapping_sub(operand.base))
    }
}

/// The bytes, with the device's addresses in place of the pointers that the kernels follow. None if they stay as they are.
///
/// # Safety
/// The bytes are readable, and the variable has as many offsets as it says.
unsafe fn translated(actions: &Actions<'_>, var: &Var, hull: Piece) -> Option<Vec<u8>> {
    // SAFETY: by the contract.
    let pointers = unsafe { array(var.pointers, var.npointers) };
    let element = var.elem_size as usize;
    if pointers.is_empty() || element == 0 {
        return None;
    }
    let mut bytes = Vec::new();
    for start in (0..hull.bytes).step_by(element) {
        for at in (pointers.iter()).map(|pointer| start + pointer.offset as usize) {
            if at + POINTER > hull.bytes {
                continue;
            }
            // SAFETY: it is one of the readable bytes.
            let host = unsafe { ((hull.start + at) as *const usize).read_unaligned() };
            let id = actions.table.of_pointer_or_end(host, &Hint::default());
            let Some(mapping) = id.and_then(|id| actions.table.get(id)) else {
                continue;
            };
            if bytes.is_empty() {
                // SAFETY: by the contract.
                let all =
                    unsafe { std::slice::from_raw_parts(hull.start as *const u8, hull.bytes) };
                bytes = all.to_vec();
            }
            bytes[at..at + POINTER].copy_from_slice(&mapping.translate(host).to_ne_bytes());
        }
    }
    (!bytes.is_empty()).then_some(bytes)
}
