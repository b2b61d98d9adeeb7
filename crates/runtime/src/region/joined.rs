//! Clauses of one directive whose sections overlap.
//!
//! Two variables may be the same memory at run time, and a part of it may come before the whole. Which one comes first
//! must not matter, but mapped one after the other the second would be "partially present":
//!
//! ```text
//! step(p + 8, p, 100):    data create(part[0:4]) copyout(all[0:100])
//!
//!     p ├──────────────────── all ────────────────────┤        one mapping: 0..100
//!               ├─ part ─┤                                     counted twice; `all` is copied out
//! ```
//!
//! So all sections of the directive that are absent and overlap become one mapping, even where none of them holds the
//! others (`copyin(a[0:6]) copyout(b[3:6])` with `b == a` maps `a[0:9]`): they are parts of one object, and a clause
//! does to its own elements what it says. OpenACC 3.4 forbids neither; the libraries of other compilers stop, unless the
//! whole comes first.
//!
//! A directive finds out when a section does not fit ([`Region::enter`]): then all it did is undone, the joined
//! mappings are made first, and its clauses find them present. Directives without such clauses, which are nearly all,
//! pay one test; one that had them makes its joined mappings at once the next time.

use super::{Region, entry_and_exit, is_shared_pointer};
use crate::abi::{Site, VAR_ATTACH};
use crate::data::{Actions, Counter, Entry, Exit, IfAbsent};
use crate::present::table::{Hint, Mapping, MappingId, Presence};
use crate::section::Piece;
use crate::site::SiteState;
use crate::words::Words;
use std::sync::atomic::Ordering::Relaxed;

/// What a construct did not find and has done without.
pub enum Ignored {
    /// A section of `no_create`.
    Section(Piece),
    /// What a pointer leads to.
    Pointer(usize),
}

/// A mapping that the construct has made.
pub struct Made {
    id: MappingId,
    /// When: later ones have greater numbers.
    born: u64,
    /// Its device memory was set to zero.
    zero: bool,
    /// It has device memory of its own even where the device shares the host's.
    capture: bool,
    /// All of its bytes were copied in.
    filled: bool,
}

impl Made {
    pub fn new(actions: &Actions<'_>, id: MappingId, entry: Entry, filled: bool) -> Made {
        Made {
            id,
            born: actions.table.born(id),
            zero: entry.zero,
            capture: entry.capture,
            filled,
        }
    }
}

/// A section that a clause of the directive makes present.
struct Wanted {
    var: usize,
    base: usize,
    hull: Piece,
    /// To be set to zero.
    zero: bool,
    /// Device memory of its own where memory is shared.
    own: bool,
}

/// Overlapping sections, which become one mapping.
struct Joined {
    hull: Piece,
    parts: Vec<Wanted>,
}

impl Region {
    /// Enters a construct: maps its variables with `map`, which maps all of them, and attaches pointers afterwards.
    #[inline]
    pub fn enter(
        &mut self,
        actions: &mut Actions<'_>,
        site: &'static Site,
        state: &'static SiteState,
        words: Words<'_>,
        mut map: impl FnMut(&mut Region, &mut Actions<'_>),
    ) {
        if state.overlaps.load(Relaxed) {
            self.join(actions, site, state, words);
        }
        loop {
            map(self, actions);
            if !self.unfit && (self.ignored.is_empty() || !self.ignored_in_vain(actions)) {
                break;
            }
            self.start_over(actions, site, state, words);
        }
        self.attach(actions);
    }

    /// Some sections overlap: undoes everything, and makes the joined mappings.
    #[cold]
    fn start_over(
        &mut self,
        actions: &mut Actions<'_>,
        site: &'static Site,
        state: &'static SiteState,
        words: Words<'_>,
    ) {
        self.undo(actions);
        state.overlaps.store(true, Relaxed);
        self.join(actions, site, state, words);
    }

    /// What was not found and done without was mapped by a later clause.
    fn ignored_in_vain(&self, actions: &Actions<'_>) -> bool {
        let (table, hint) = (&actions.table, Hint::default());
        !self.joined
            && !self.made.is_empty()
            && self.ignored.iter().any(|ignored| match *ignored {
                Ignored::Section(piece) => table.find(piece.start, piece.bytes) != Presence::Absent,
                Ignored::Pointer(value) => table.of_pointer(value, &hint).is_some(),
            })
    }

    /// As if no variable had been mapped.
    fn undo(&mut self, actions: &mut Actions<'_>) {
        for held in self.held.drain(..) {
            let exit = Exit {
                copy_out: false,
                always_out: false,
                ..held.exit
            };
            actions.release(held.id, &[], exit);
        }
        for made in self.made.drain(..) {
            actions.remove(made.id);
        }
        for copy in self.temporaries.drain(..) {
            // SAFETY: allocated by `first_private`; no kernel has seen it.
            unsafe { actions.device.free(copy, actions.queue) };
        }
        self.to_attach.clear();
        self.ignored.clear();
        self.unfit = false;
        actions.free_released();
    }

    /// Makes the mappings of all sections that are to be made present, those that overlap together. From now on what
    /// does not fit is an error.
    fn join(
        &mut self,
        actions: &mut Actions<'_>,
        site: &'static Site,
        state: &'static SiteState,
        words: Words<'_>,
    ) {
        self.joined = true;
        for Joined { hull, mut parts } in joined(wanted(actions, site, state, words)) {
            parts.sort_by_key(|part| part.var);
            let entry = Entry {
                counter: Counter::Structured,
                if_absent: IfAbsent::Create,
                copy_in: false,
                always_in: false,
                zero: false,
                in_place: false,
                capture: parts.iter().any(|part| part.own),
                part_suffices: false,
            };
            let first = &parts[0];
            let id = actions.create(hull, first.base, &[], entry, &state.vars[first.var]);
            for part in parts.iter().filter(|part| part.zero) {
                actions.zero(id, part.hull);
            }
            self.made.push(Made::new(actions, id, entry, false));
        }
    }
}

/// The absent sections that the directive's clauses make present.
fn wanted(
    actions: &Actions<'_>,
    site: &'static Site,
    state: &'static SiteState,
    words: Words<'_>,
) -> Vec<Wanted> {
    let mut all = Vec::new();
    words.for_each_operand(site, state, &mut |var, operand| {
        let flags = operand.var.flags;
        let entry = match entry_and_exit(operand.action, flags, Counter::Structured) {
            Some((entry, _)) if entry.if_absent == IfAbsent::Create && operand.base != 0 => entry,
            Some(_) | None => return,
        };
        // SAFETY: the user's section describes row tables in host memory.
        let _ = unsafe {
            operand.for_each_section(flags & VAR_ATTACH != 0, &mut |node| {
                let hull = node.hull;
                if hull.bytes == 0 || actions.table.find(hull.start, hull.bytes) != Presence::Absent
                {
                    return;
                }
                let in_place = entry.zero && is_shared_pointer(actions, node.pointer);
                all.push(Wanted {
                    var,
                    base: node.section.base,
                    hull,
                    zero: entry.zero,
                    own: entry.capture || entry.zero && !in_place,
                });
            })
        };
    });
    all
}

/// Brings together what overlaps. What only touches stays apart: adjacent arrays are two objects.
fn joined(mut wanted: Vec<Wanted>) -> Vec<Joined> {
    wanted.sort_by_key(|part| part.hull.start);
    let mut all: Vec<Joined> = Vec::new();
    for part in wanted {
        match all.last_mut() {
            Some(last) if part.hull.start < last.hull.end() => {
                let end = last.hull.end().max(part.hull.end());
                last.hull.bytes = end - last.hull.start;
                last.parts.push(part);
            }
            Some(_) | None => all.push(Joined {
                hull: part.hull,
                parts: vec![part],
            }),
        }
    }
    all
}

/// Two variables of a construct may be the same memory. If one of them has made the mapping without values, another one
/// brings them in. False: the mapping is not what this one asks for.
pub fn brought_in(
    made: &mut [Made],
    joined: bool,
    actions: &mut Actions<'_>,
    id: MappingId,
    entry: Entry,
    runs: &[Piece],
) -> bool {
    let born = actions.table.born(id);
    let Ok(index) = made.binary_search_by_key(&born, |made| made.born) else {
        return true;
    };
    let made = &mut made[index];
    if entry.copy_in && !entry.always_in && !made.filled {
        actions.copy_in(id, runs);
        let whole = actions.table.get(id).map(Mapping::piece);
        made.filled = matches!(runs, [run] if Some(*run) == whole);
    }
    joined || made.zero >= entry.zero && made.capture >= entry.capture
}
