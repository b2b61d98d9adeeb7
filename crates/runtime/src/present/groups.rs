//! References to many mappings at once.
//!
//! A construct that holds the thousand rows of a table need not count each of them, as long as nobody asks how many references
//! there are. Who takes references away asks first ([`PresentTable::settle`]): then all groups are counted one by one, and
//! their constructs give them up one by one.
//!
//! ```text
//! hold_group ── let_go                          one entry in a list
//! hold_group ── settle ── let_go = false        rows[k].structured += 1, attachments likewise; the construct releases them itself
//! ```

use super::table::{Mapping, MappingId, PresentTable};
use crate::section::Piece;
use std::sync::Arc;

/// A mapping that is held, and the part of it that is meant.
pub struct Row {
    pub id: MappingId,
    pub hull: Piece,
}

/// Mappings and attachments that are held together.
pub struct Group {
    pub rows: Vec<Row>,
    /// Host addresses of the pointers that are attached.
    pub pointers: Vec<usize>,
}

/// The groups that constructs hold now.
#[derive(Default)]
pub struct Groups {
    open: Vec<(u64, Arc<Group>)>,
    last: u64,
}

impl PresentTable {
    /// Holds a structured reference to each row, and attaches each pointer once more: all are attached already. Returns
    /// what [`PresentTable::let_go`] takes.
    pub fn hold_group(&mut self, group: Arc<Group>) -> u64 {
        self.groups.last += 1;
        self.groups.open.push((self.groups.last, group));
        self.groups.last
    }

    /// Gives up a group. False if its references have been counted one by one in the meantime: then they are still held.
    pub fn let_go(&mut self, token: u64) -> bool {
        let open = &mut self.groups.open;
        let at = open.iter().rposition(|(it, _)| *it == token);
        at.map(|at| open.swap_remove(at)).is_some()
    }

    /// How many structured references there are to a mapping: its own, one for data that is declared, and those of groups.
    /// Goes through all groups.
    pub fn references(&self, mapping: &Mapping) -> u32 {
        let rows = self.groups.open.iter().flat_map(|(_, group)| &group.rows);
        let held = rows.filter(|row| self.get(row.id).is_some_and(|it| std::ptr::eq(it, mapping)));
        mapping.structured + mapping.declared + held.count() as u32
    }

    /// Counts all references of groups where they belong. To be called before a reference is taken away.
    pub fn settle(&mut self) {
        for (_, group) in std::mem::take(&mut self.groups.open) {
            for row in &group.rows {
                if let Some(mapping) = self.get_mut(row.id) {
                    mapping.structured += 1;
                }
            }
            for pointer in &group.pointers {
                if let Some(attachment) = self.attachment_mut(*pointer) {
                    attachment.count += 1;
                }
            }
        }
    }
}
