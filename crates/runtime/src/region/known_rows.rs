//! Rows of pointers that a construct finds as an earlier one has found them.
//!
//! `present(a[0:n][0:m])` names n rows. Finding, counting and attaching each of them takes longer than the kernel does: for twice 2048
//! rows 0.3 ms, where the kernel takes 20 µs. Most launches find what the last one has found:
//!
//! ```text
//! a ──▶ [ a[0] | a[1] | … ]     same address, same dimensions, same pointers, the same mappings and attachments
//!          │       └──▶ row 1    ⇒ the same device address, and nothing to copy, make or write
//!          └─────────▶ row 0
//! ```
//!
//! What was found is kept with the present table ([`Tables`]), as long as neither mappings nor attachments change. A construct that finds
//! it again compares the pointers, and counts all rows at once ([`PresentTable::hold_group`]): the counters of the rows
//! themselves change only if somebody gives up data while the construct is open.
//!
//! Only constructs that find everything present, with all pointers attached already (by `enter data` or an outer `data`), are
//! remembered. Cost: one comparison of memory for each table of pointers.

use super::{Held, Region};
use crate::abi::Dim;
use crate::data::{Actions, Counter, Entry, Exit, POINTER};
use crate::present::groups::{Group, Row};
use crate::present::table::{MappingId, Presence};
use crate::section::{Operand, Piece};
use std::sync::Arc;

/// Found operands that a present table remembers at most.
const MOST: usize = 16;

/// What the sections of an operand depend on, but for the pointers in memory.
#[derive(PartialEq)]
struct Key {
    base: usize,
    pointer: usize,
    element: u64,
    pointer_dims: u16,
    attach: bool,
    dims: Vec<(u64, u64, i64)>,
}

impl Key {
    fn of(operand: &Operand<'_>, attach: bool) -> Key {
        let dim = |dim: &Dim| (dim.lower, dim.length, dim.stride);
        Key {
            base: operand.base,
            pointer: if attach { operand.pointer } else { 0 },
            element: operand.var.elem_size,
            pointer_dims: operand.var.pointer_dims,
            attach,
            dims: operand.dims.iter().map(dim).collect(),
        }
    }
}

/// Host memory and what it held.
struct Pointers {
    piece: Piece,
    held: Box<[u8]>,
}

impl Pointers {
    fn read(piece: Piece) -> Pointers {
        Pointers {
            piece,
            held: bytes_of(&piece).into(),
        }
    }

    fn are_the_same(&self) -> bool {
        *self.held == *bytes_of(&self.piece)
    }
}

fn bytes_of(piece: &Piece) -> &[u8] {
    // SAFETY: the user's section says that pointers are here. Tables come before what they lead to: this is memory of the program as
    // long as those before it hold the same.
    unsafe { std::slice::from_raw_parts(piece.start as *const u8, piece.bytes) }
}

/// An operand that was found present.
struct Known {
    key: Key,
    /// The pointers that its sections were found by, tables before rows.
    pointers: Vec<Pointers>,
    /// What corresponds to its base.
    address: usize,
    group: Arc<Group>,
}

/// What is known about the rows in a present table.
#[derive(Default)]
pub struct Tables {
    /// The states of mappings and attachments for which it holds.
    state: (u64, u64),
    known: Vec<Known>,
    /// The next to be replaced.
    next: usize,
}

impl Tables {
    fn find(&self, state: (u64, u64), key: &Key) -> Option<&Known> {
        let mut known = self.known.iter().filter(|_| self.state == state);
        known.find(|known| known.key == *key && known.pointers.iter().all(Pointers::are_the_same))
    }

    fn remember(&mut self, state: (u64, u64), known: Known) {
        if self.state != state {
            self.known.clear();
            self.state = state;
        }
        let old = self.known.iter().position(|old| old.key == known.key);
        match old {
            Some(old) => self.known[old] = known,
            None if self.known.len() < MOST => self.known.push(known),
            None => {
                self.next = (self.next + 1) % MOST;
                self.known[self.next] = known;
            }
        }
    }
}

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
        let known = table
            .rows
            .find((table.state(), table.attached()), &Key::of(operand, attach))?;
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
        let known = Known {
            key: Key::of(operand, attach),
            pointers: self.tables.drain(..).map(Pointers::read).collect(),
            address,
            group: Arc::new(Group { rows, pointers }),
        };
        let table = &mut *actions.table;
        let state = (table.state(), table.attached());
        table.rows.remember(state, known);
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
