//! What a device can use as the host has it.

use super::Region;
use crate::abi::{VAR_IMPLICIT, VAR_PART};
use crate::data::Actions;
use crate::present::table::{Mapping, Presence};
use crate::section::Operand;
use crate::site::SiteState;

/// Whether nothing is to be mapped for a variable that no clause of the construct names ([`VAR_PART`]), since the device can use the
/// address as it is: that of memory that both share, or of the device's own.
pub(super) fn needs_no_copy(
    actions: &Actions<'_>,
    site: &'static SiteState,
    var: usize,
    operand: &Operand<'_>,
) -> bool {
    const INFERRED: u32 = VAR_PART | VAR_IMPLICIT;
    operand.var.flags & INFERRED == INFERRED
        && actions
            .table
            .of_pointer(operand.base, &site.hints[var])
            .is_none()
        && actions.device.absent_pointer(operand.base, site, var) == operand.base
}

impl Region {
    /// Nothing has been mapped yet.
    pub fn begin(&mut self) {
        self.observed = false;
    }

    /// An address that the kernel gets as the program has it.
    pub fn as_it_is(&mut self, address: usize) -> usize {
        self.observed = true;
        address
    }

    /// Everything is mapped; pointers are not attached yet.
    pub(super) fn observe(&mut self) {
        self.observed |= !self.made.is_empty()
            || !self.ignored.is_empty()
            || !self.to_attach.is_empty()
            || !self.temporaries.is_empty()
            || self.held.iter().any(|held| held.exit.always_out);
    }

    /// Whether the construct found all its data present, and only counts that it uses it: the host cannot see what it does.
    pub fn only_counts(&self) -> bool {
        !self.observed
    }
}

/// Whether the device sees the host's own pointer: it is in shared memory.
pub(super) fn is_shared_pointer(actions: &Actions<'_>, pointer: usize) -> bool {
    pointer != 0
        && match actions.table.find(pointer, size_of::<usize>()) {
            Presence::Present(id) => actions.table.get(id).is_some_and(Mapping::is_shared),
            Presence::Absent | Presence::Partial(_) => true,
        }
}
