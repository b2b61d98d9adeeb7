//! Arrays that no clause of a construct names, and of which only a part is present.
//!
//! Programs that share an array out among devices bring each device its rows, and name the array nowhere else:
//!
//! ```c
//! #pragma acc enter data copyin(a[lo:n][0:m])
//! #pragma acc parallel loop
//! for (int i = lo; i < lo + n; i++) …                      // a[i][j]
//! ```
//! The construct's implicit clause is `copy(a)` (OpenACC 3.4, 2.6.2), of which a part is present; what it can mean is that part. It
//! is the construct's address of the array. Of several parts it is that which the loops access, if they show that (`choice.rs`). A
//! clause that the program has written says what it needs, and is a mistake then (2.7.4).

use super::Region;
use crate::abi::{Action, VAR_ALWAYS_IN, VAR_ALWAYS_OUT, VAR_ATTACH, VAR_IMPLICIT};
use crate::data::{Actions, Exit};
use crate::present::table::{Mapping, MappingId, Presence};
use crate::section::{Operand, Piece, Section};

impl Region {
    /// The part of an operand without a clause that is present, if it is the only one, or the first of those that [`Region::choose_parts`]
    /// chooses from. What the construct itself has brought has clauses, which are joined.
    pub(super) fn only_part(
        &mut self,
        actions: &Actions<'_>,
        operand: &Operand<'_>,
    ) -> Option<MappingId> {
        const OTHERWISE: u32 = VAR_ATTACH | VAR_ALWAYS_IN | VAR_ALWAYS_OUT;
        let flags = operand.var.flags;
        let implied = flags & VAR_IMPLICIT != 0
            && flags & OTHERWISE == 0
            && operand.var.pointer_dims == 0
            && matches!(operand.action, Action::Copy | Action::Copyin);
        if !implied {
            return None;
        }
        let section = Section {
            base: operand.base,
            element: operand.var.elem_size as usize,
            dims: operand.dims,
        };
        let hull = section.only_run()?;
        let Presence::Partial(id) = actions.table.find(hull.start, hull.bytes) else {
            return None;
        };
        let others = has_other_parts(actions, id, hull);
        let own = match others {
            true => operand.var.reach.is_null() || !self.made.is_empty(),
            false => self.made.iter().any(|made| made.is(id)),
        };
        self.parted |= others && !own;
        (!own).then_some(id)
    }

    /// Holds all of the mapping; returns the device address of the operand as far as the mapping goes.
    pub(super) fn hold_part(
        &mut self,
        actions: &mut Actions<'_>,
        id: MappingId,
        operand: &Operand<'_>,
        exit: Exit,
    ) -> usize {
        self.hold_target(actions, id, operand, exit);
        let mapping = actions.table.get(id);
        let address = mapping.map_or(operand.base, |mapping| mapping.translate(operand.base));
        self.observed |= address == operand.base;
        address
    }
}

/// Whether a mapping other than that of the first part has some of the bytes.
pub(super) fn has_other_parts(actions: &Actions<'_>, first: MappingId, hull: Piece) -> bool {
    let part = actions.table.get(first).map(Mapping::piece);
    part.is_some_and(|part| {
        let behind = hull.end().saturating_sub(part.end());
        behind > 0 && actions.table.find(part.end(), behind) != Presence::Absent
    })
}
