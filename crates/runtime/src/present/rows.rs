//! What constructs have found behind pointers: rows that are present, as long as neither mappings nor attachments change. See
//! `region/known_rows.rs` for who asks.

use super::groups::Group;
use crate::abi::Dim;
use crate::section::{Operand, Piece};
use std::sync::Arc;

/// Operands that are remembered at most.
const MOST: usize = 16;

/// An operand that was found present, with all its rows.
pub struct Known {
    base: usize,
    /// The attached pointer that leads to its base, or 0.
    pointer: usize,
    element: u64,
    pointer_dims: u16,
    dims: Box<[Dim]>,
    /// The pointers that its sections were found by, tables before rows.
    pointers: Vec<Pointers>,
    /// What corresponds to its base.
    pub address: usize,
    pub group: Arc<Group>,
}

impl Known {
    /// `pointer` leads to the operand's base and is attached, or is 0; `tables` are the pieces of memory with the other pointers.
    pub fn new(
        operand: &Operand<'_>,
        pointer: usize,
        tables: impl Iterator<Item = Piece>,
        address: usize,
        group: Group,
    ) -> Known {
        Known {
            base: operand.base,
            pointer,
            element: operand.var.elem_size,
            pointer_dims: operand.var.pointer_dims,
            dims: operand.dims.into(),
            pointers: tables.map(Pointers::read).collect(),
            address,
            group: Arc::new(group),
        }
    }

    /// Whether it is about such sections, whatever pointers are in memory now.
    fn is_of(&self, operand: &Operand<'_>, pointer: usize) -> bool {
        let parts = |dim: &Dim| (dim.lower, dim.length, dim.stride);
        self.base == operand.base
            && self.pointer == pointer
            && self.element == operand.var.elem_size
            && self.pointer_dims == operand.var.pointer_dims
            && self
                .dims
                .iter()
                .map(parts)
                .eq(operand.dims.iter().map(parts))
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

/// All that is known about rows in a present table.
#[derive(Default)]
pub struct Rows {
    /// The states of mappings and attachments for which it holds.
    state: (u64, u64),
    known: Vec<Known>,
    /// The next to be replaced.
    next: usize,
}

impl Rows {
    /// What is known of an operand; `pointer` as in [`Known::new`].
    pub fn find(&self, state: (u64, u64), operand: &Operand<'_>, pointer: usize) -> Option<&Known> {
        if self.state != state {
            return None;
        }
        let mut known = self.known.iter();
        known.find(|known| {
            known.is_of(operand, pointer) && known.pointers.iter().all(Pointers::are_the_same)
        })
    }

    /// Remembers it, instead of what was known of the same operand.
    pub fn remember(&mut self, state: (u64, u64), operand: &Operand<'_>, new: Known) {
        if self.state != state {
            self.known.clear();
            self.state = state;
        }
        let pointer = new.pointer;
        let mut known = self.known.iter();
        match known.position(|old| old.is_of(operand, pointer)) {
            Some(old) => self.known[old] = new,
            None if self.known.len() < MOST => self.known.push(new),
            None => {
                self.next = (self.next + 1) % MOST;
                self.known[self.next] = new;
            }
        }
    }
}
