//! Rows of pointers that a construct finds as an earlier one has found them.
//!
//! `present(a[0:n][0:m])` names n rows. Finding, counting and attaching each of them takes longer than the kernel does: for twice 2048
//! rows a launch on an H200 took 85 times as long as its kernel. Most launches find what the last one has found:
//!
//! ```text
//! a ──▶ [ a[0] | a[1] | … ]     same address, same dimensions, same pointers, the same mappings and attachments
//!          │       └──▶ row 1    ⇒ the same device address, and nothing to copy, make or write
//!          └─────────▶ row 0
//! ```
//!
//! What was found is kept with the present table ([`crate::present::rows`]), as long as neither mappings nor attachments change. A construct that finds
//! it again compares the pointers, and counts all rows at once ([`PresentTable::hold_group`]): the counters of the rows
//! themselves change only if somebody gives up data while the construct is open.
//!
//! Only constructs that find everything present, with all pointers attached already (by `enter data` or an outer `data`), are
//! remembered. Cost: one comparison of memory for each table of pointers.

use super::{Held, Region};
use crate::data::{Actions, Counter, Entry, Exit, POINTER};
use crate::present::groups::{Group, Row};
use crate::present::rows::Known;
use crate::present::table::{MappingId, Presence};
use crate::section::{Operand, Piece};

/// Where the records of the construct were before an operand was mapped.
pub struct Before {
    held: usize,
    made: usize,
    ignored: usize,
    to_attach: usize,
}

/// Whether an operand's rows may be remembered: the construct does nothing with them but use them.
pub fn are_worth_it(operand: &Operand<'_>, attach: bool, entry: Entry, exit: Exit) -> bool {
    let pointers = operand.var.pointer_dims != 0 || attach && operand.pointer != 0;
    pointers && entry.counter == Counter::Structured && !entry.always_in && !exit.always_out
}

/// The pointer that leads to the operand's base, if it is to be attached.
fn pointer(operand: &Operand<'_>, attach: bool) -> usize {
    if attach { operand.pointer } else { 0 }
}

impl Region {
    /// The device address of an operand whose rows are all known.
    pub(super) fn hold_known_rows(
        &mut self,
        actions: &mut Actions<'_>,
        operand: &Operand<'_>,
        attach: bool,
        exit: Exit,
    ) -> Option<usize> {
        if !self.made.is_empty() {
            return None;
        }
        let table = &mut *actions.table;
        let state = (table.state(), table.attached());
        let known = table.rows.find(state, operand, pointer(operand, attach))?;
        let (address, group) = (known.address, known.group.clone());
        let token = table.hold_group(group.clone());
        self.groups.push((token, group, exit));
        self.observed |= address == operand.base;
        Some(address)
    }

    pub(super) fn before_rows(&mut self) -> Before {
        self.tables.clear();
        Before {
            held: self.held.len(),
            made: self.made.len(),
            ignored: self.ignored.len(),
            to_attach: self.to_attach.len(),
        }
    }

    /// Remembers the rows of an operand that has been mapped since.
    pub(super) fn remember_rows(
        &mut self,
        actions: &mut Actions<'_>,
        operand: &Operand<'_>,
        attach: bool,
        address: usize,
        before: &Before,
    ) {
        let found = !self.unfit
            && self.made.len() == before.made
            && self.ignored.len() == before.ignored
            && self.held.len() > before.held;
        if !found {
            return;
        }
        let Some(pointers) = attached_already(actions, &self.to_attach[before.to_attach..]) else {
            return;
        };
        let held = &self.held[before.held..];
        if held.iter().any(|held| held.runs.is_some()) {
            return;
        }
        if pointers.first() == Some(&operand.pointer) {
            self.tables.push(Piece {
                start: operand.pointer,
                bytes: POINTER,
            });
        }
        let row = |held: &Held| Row {
            id: held.id,
            hull: held.hull,
        };
        let rows = held.iter().map(row).collect();
        let known = Known::new(
            operand,
            pointer(operand, attach),
            self.tables.drain(..),
            address,
            Group { rows, pointers },
        );
        let table = &mut *actions.table;
        let state = (table.state(), table.attached());
        table.rows.remember(state, operand, known);
    }

    /// Gives up what is held together. What somebody had to count one by one is given up like that.
    pub(super) fn let_groups_go(&mut self, actions: &mut Actions<'_>) {
        for (token, group, exit) in self.groups.drain(..) {
            if actions.table.let_go(token) {
                continue;
            }
            self.attached.extend(&group.pointers);
            self.held.extend(group.rows.iter().map(|row| Held {
                id: row.id,
                hull: row.hull,
                runs: None,
                exit,
            }));
        }
    }
}

/// The pointers of `to_attach` that are part of mappings, if attaching changes nothing but their counters.
fn attached_already(
    actions: &Actions<'_>,
    to_attach: &[(usize, Option<MappingId>)],
) -> Option<Vec<usize>> {
    let mut pointers = vec![];
    for (pointer, target) in to_attach {
        let id = match actions.table.find(*pointer, POINTER) {
            Presence::Present(id) => id,
            Presence::Absent | Presence::Partial(_) => continue,
        };
        // SAFETY: the pointer is part of a mapping, so the user has vouched for its memory.
        let value = unsafe { (*pointer as *const usize).read_unaligned() };
        let target = actions.table.get((*target)?)?.translate(value);
        let attachment = actions.table.get(id)?.attachment(*pointer)?;
        if attachment.target != target {
            return None;
        }
        pointers.push(*pointer);
    }
    Some(pointers)
}
