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
//! Sections of one *variable* become one mapping also where they only touch (`copyin(p[0:5]) copyout(p[5:5])`), and those of
//! a construct with what is between them, as kernels have one address for `p`; that is not copied. `enter data` leaves them
//! apart: regions in other places name what they use. A compute construct that finds them in two mappings is an error.
//!
//! A directive finds out when a section does not fit ([`Region::enter`]): then all it did is undone, the joined
//! mappings are made first, and its clauses find them present. Directives without such clauses, which are nearly all,
//! pay one test; one that had them, or names a variable twice, makes its joined mappings at once.

use super::{Region, entry_and_exit, is_shared_pointer};
use crate::abi::{Site, SiteKind, VAR_ATTACH, VAR_RESULT};
use crate::data::{Actions, Counter, Entry, Exit, IfAbsent};
use crate::device::RESULT_CELL;
use crate::fatal::fatal;
use crate::present::table::{Hint, Mapping, MappingId, Presence};
use crate::section::{Piece, Section};
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
    pub fn is(&self, id: MappingId) -> bool {
        self.id == id
    }

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

/// Sections that become one mapping.
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
        if state.overlaps.load(Relaxed) && is_compute(state) {
            check_addresses(actions, site, state, words);
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

    /// Whether the construct has made the mapping, and the section of another variable is only in part there: a part is enough of
    /// what was present before.
    pub(super) fn leaves_own(&self, actions: &Actions<'_>, id: MappingId, hull: Piece) -> bool {
        let mapping = actions.table.get(id).map(Mapping::piece);
        let holds = mapping.is_none_or(|it| it.start <= hull.start && hull.end() <= it.end());
        !holds && !self.joined && self.made.iter().any(|made| made.id == id)
    }

    /// What was not found and done without was mapped by a later clause.
    fn ignored_in_vain(&self, actions: &Actions<'_>) -> bool {
        let (table, hint) = (&actions.table, Hint::default());
        !self.joined
            && !self.made.is_empty()
            && self.ignored.iter().any(|ignored| match *ignored {
                Ignored::Section(piece) => table.find(piece.start, piece.bytes) != Presence::Absent,
                Ignored::Pointer(value) => table.of_pointer_or_end(value, &hint).is_some(),
            })
    }

    /// As if no variable had been mapped.
    fn undo(&mut self, actions: &mut Actions<'_>) {
        self.let_groups_go(actions);
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
            unsafe { actions.free(copy) };
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
        let wanted = wanted(actions, site, state, words);
        let apart = |one: &Joined, other: &Wanted| {
            let gap = one.hull.with(other.hull);
            state.kind == SiteKind::EnterData
                || actions.table.find(gap.start, gap.bytes) != Presence::Absent
        };
        let all = joined(wanted, |var| state.vars[var].variable(), apart);
        for Joined { hull, mut parts } in all {
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
                around: false,
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

/// Whether the directive has a kernel, which has one address for a variable.
fn is_compute(state: &SiteState) -> bool {
    match state.kind {
        SiteKind::Parallel | SiteKind::Serial | SiteKind::Kernels => true,
        SiteKind::Data
        | SiteKind::HostData
        | SiteKind::Declare
        | SiteKind::DeclareGlobal
        | SiteKind::EnterData
        | SiteKind::ExitData
        | SiteKind::Update
        | SiteKind::Wait
        | SiteKind::Init
        | SiteKind::Shutdown
        | SiteKind::Set => false,
    }
}

/// Fails if sections of one variable are in several mappings.
fn check_addresses(
    actions: &Actions<'_>,
    site: &'static Site,
    state: &'static SiteState,
    words: Words<'_>,
) {
    let mut known: Vec<(usize, usize, usize)> = vec![];
    words.for_each_operand(site, state, &mut |var, operand| {
        let (flags, base) = (operand.var.flags, operand.base);
        let section = Section::outermost(&operand);
        let Some(hull) = section.hull().ok().filter(|hull| hull.bytes > 0) else {
            return;
        };
        if base == 0 || entry_and_exit(operand.action, flags, Counter::Structured).is_none() {
            return;
        }
        let Presence::Present(id) = actions.table.find(hull.start, 1) else {
            return;
        };
        let Some(address) = actions.table.get(id).map(|mapping| mapping.translate(base)) else {
            return;
        };
        let origin = &state.vars[var];
        let other = known.iter().find(|(other, at, _)| {
            *at == base && state.vars[*other].variable() == origin.variable()
        });
        if let Some((other, _, before)) = other
            && *before != address
        {
            fatal(
                origin.place,
                format_args!(
                    "the sections '{}' and '{}' are in two mappings on device {}, but a kernel has one address for \
                     '{}'; map both with one clause",
                    state.vars[*other].name,
                    origin.name,
                    actions.device.name(),
                    origin.variable()
                ),
            );
        }
        known.push((var, base, address));
    });
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
        if flags & VAR_RESULT != 0 && operand.var.elem_size as usize <= RESULT_CELL {
            // It is in a cell, unless it is part of what other clauses map.
            return;
        }
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

/// Brings together the sections of each variable, and what overlaps. What only touches stays apart: adjacent arrays are two
/// objects. `variable` names the variable of a clause; `apart` says that what is between two sections is not to be mapped.
fn joined(
    mut wanted: Vec<Wanted>,
    variable: impl Fn(usize) -> &'static str,
    apart: impl Fn(&Joined, &Wanted) -> bool,
) -> Vec<Joined> {
    // Sections with the same element 0: those of a table's rows have others.
    wanted.sort_by_key(|part| (part.base, variable(part.var), part.hull.start));
    let mut variables: Vec<Joined> = Vec::new();
    for part in wanted {
        let same = |known: &Joined| {
            let first = &known.parts[0];
            first.base == part.base
                && variable(first.var) == variable(part.var)
                && (part.hull.start <= known.hull.end() || !apart(known, &part))
        };
        match variables.last_mut().filter(|known| same(known)) {
            Some(known) => known.take(part.hull, vec![part]),
            None => variables.push(Joined {
                hull: part.hull,
                parts: vec![part],
            }),
        }
    }
    variables.sort_by_key(|joined| joined.hull.start);
    let mut all: Vec<Joined> = Vec::new();
    for next in variables {
        match all.last_mut() {
            Some(last) if next.hull.start < last.hull.end() => last.take(next.hull, next.parts),
            Some(_) | None => all.push(next),
        }
    }
    all
}

impl Joined {
    fn take(&mut self, hull: Piece, parts: Vec<Wanted>) {
        self.hull = self.hull.with(hull);
        self.parts.extend(parts);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Sections of 'a' (0), 'b' (1) … as variable, element 0, start and bytes.
    fn hulls(sections: &[(usize, usize, usize, usize)], apart: bool) -> Vec<(usize, usize, usize)> {
        let wanted = sections.iter().map(|&(var, base, start, bytes)| Wanted {
            var,
            base,
            hull: Piece { start, bytes },
            zero: false,
            own: false,
        });
        let names = ["a", "b", "c", "a"];
        let all = joined(wanted.collect(), |var| names[var], |_, _| apart);
        let hull = |one: &Joined| (one.hull.start, one.hull.bytes, one.parts.len());
        all.iter().map(hull).collect()
    }

    #[test]
    fn overlapping_sections_are_joined_and_neighbours_are_not() {
        let chain = [(0, 100, 100, 48), (1, 90, 120, 48), (2, 168, 168, 8)];
        assert_eq!(hulls(&chain, false), [(100, 68, 2), (168, 8, 1)]);
        let part_first = [(1, 120, 120, 8), (0, 100, 100, 80)];
        assert_eq!(hulls(&part_first, false), [(100, 80, 2)]);
        let bridge = [(0, 0, 0, 10), (1, 20, 20, 10), (2, 5, 5, 20)];
        assert_eq!(hulls(&bridge, false), [(0, 30, 3)]);
    }

    #[test]
    fn sections_of_a_variable_are_joined() {
        let touching = [(3, 100, 140, 40), (0, 100, 100, 40)];
        assert_eq!(hulls(&touching, true), [(100, 80, 2)]);
        let gap = [(3, 100, 160, 20), (0, 100, 100, 40), (1, 145, 145, 5)];
        assert_eq!(hulls(&gap, true), [(100, 40, 1), (145, 5, 1), (160, 20, 1)]);
        assert_eq!(hulls(&gap, false), [(100, 80, 3)]);
        // Rows of a table begin elsewhere.
        let rows = [(0, 100, 100, 8), (3, 200, 200, 8)];
        assert_eq!(hulls(&rows, false), [(100, 8, 1), (200, 8, 1)]);
    }

    #[test]
    fn the_name_of_a_clause_holds_its_variable() {
        let place = crate::fatal::Place {
            file: "",
            line: 0,
            what: "",
        };
        for (name, variable) in [
            ("p[0:n]", "p"),
            ("r[0:n][q[1]:2]", "r"),
            ("s[i].x[2:5]", "s[i].x"),
            ("s.x", "s.x"),
            ("", ""),
        ] {
            let origin = crate::present::table::Origin { name, place };
            assert_eq!(origin.variable(), variable);
        }
    }
}
