//! The data environment of one construct: what it mapped and attached, so that leaving it
//! undoes exactly that (OpenACC 3.4, 2.6.5 to 2.6.8).
//!
//! Entering maps all variables first and attaches pointers afterwards; leaving detaches first.
//! So `copy(s, s.p[0:n])` and `copy(s.p[0:n], s)` mean the same. Clauses whose sections overlap: [`joined`].

mod as_it_is;
mod choice;
mod first_private;
mod joined;
mod known_rows;
mod parts;

use crate::abi::{
    Action, VAR_ALWAYS_IN, VAR_ALWAYS_OUT, VAR_AROUND, VAR_ATTACH, VAR_CAPTURE, VAR_IMPLICIT,
    VAR_ON_DEVICE, VAR_PART, VAR_POINTER, VAR_REQUIRED, VAR_ZERO,
};
use crate::data::{Actions, Counter, Entry, Exit, IfAbsent, Unfit};
use crate::fatal::{self, fatal};
use crate::present::groups::Group;
use crate::present::table::{Hint, Mapping, MappingId, Presence};
use crate::report;
use crate::section::{Node, Operand, Piece, Section, SectionError};
use crate::site::SiteState;
use as_it_is::{is_shared_pointer, needs_no_copy};
use joined::{Ignored, Made, brought_in};
use parts::has_other_parts;
use std::sync::Arc;

/// A reference held by an open construct.
struct Held {
    id: MappingId,
    hull: Piece,
    /// The runs where they are not just the hull.
    runs: Option<Box<[Piece]>>,
    exit: Exit,
}

impl Held {
    fn runs(&self) -> &[Piece] {
        let hull = std::slice::from_ref(&self.hull);
        self.runs.as_deref().unwrap_or(hull)
    }
}

/// What an open construct has to undo. Kept and reused by each thread.
#[derive(Default)]
pub struct Region {
    held: Vec<Held>,
    /// The mappings that the construct has made, the oldest first.
    made: Vec<Made>,
    /// What was absent and need not be present.
    ignored: Vec<Ignored>,
    /// A section did not fit to what is present.
    unfit: bool,
    /// Of a variable several parts are present, and its argument is the address of one of them, or nothing is and its argument means
    /// nothing: [`Region::choose_parts`].
    pub parted: bool,
    /// Overlapping sections of the construct have a mapping in common already.
    joined: bool,
    /// Host addresses of the pointers that were attached.
    attached: Vec<usize>,
    /// Pointers to attach once everything is mapped, with the mapping they lead to if known.
    to_attach: Vec<(usize, Option<MappingId>)>,
    /// The addresses that the variables of `use_device` have in the region, by index of the variable.
    used: Vec<(usize, usize)>,
    /// Device memory of firstprivate copies.
    temporaries: Vec<usize>,
    /// Rows of operands that are held together, with what [`PresentTable::let_go`] takes.
    groups: Vec<(u64, Arc<Group>, Exit)>,
    runs: Vec<Piece>,
    /// The pointers that lead to the sections of the operand that is being mapped.
    tables: Vec<Piece>,
    /// Something was copied, made or attached, or an argument is an address of the host's ([`Region::only_counts`]).
    observed: bool,
}

/// The two halves of a data clause on a construct or, with the dynamic counter, on `enter data`.
/// None for actions that are not of this form.
#[inline]
pub fn entry_and_exit(action: Action, flags: u32, counter: Counter) -> Option<(Entry, Exit)> {
    let (if_absent, copy_in, copy_out) = match action {
        Action::Copy => (IfAbsent::Create, true, true),
        Action::Copyin => (IfAbsent::Create, true, false),
        Action::Copyout => (IfAbsent::Create, false, true),
        Action::Create => (IfAbsent::Create, false, false),
        Action::NoCreate => (IfAbsent::Ignore, false, false),
        Action::Present => (IfAbsent::Fail, false, false),
        Action::Deviceptr
        | Action::Attach
        | Action::Detach
        | Action::Delete
        | Action::UpdateSelf
        | Action::UpdateDevice
        | Action::UseDevice
        | Action::Firstprivate
        | Action::Value
        | Action::Pointer => return None,
    };
    let required = flags & VAR_REQUIRED != 0;
    let entry = Entry {
        counter,
        if_absent: match required {
            true => IfAbsent::Fail,
            false => if_absent,
        },
        copy_in,
        always_in: flags & VAR_ALWAYS_IN != 0,
        zero: flags & VAR_ZERO != 0,
        in_place: false,
        capture: flags & VAR_CAPTURE != 0,
        part_suffices: action == Action::Present && flags & VAR_IMPLICIT != 0
            || flags & VAR_PART != 0,
        around: flags & VAR_AROUND != 0,
    };
    let exit = Exit {
        counter,
        copy_out,
        always_out: flags & VAR_ALWAYS_OUT != 0,
        finalize: false,
    };
    Some((entry, exit))
}

/// The address of the pointer variable that an `attach` or `detach` names.
pub fn pointer_variable(operand: &Operand<'_>) -> usize {
    if operand.pointer != 0 {
        operand.pointer
    } else {
        operand.base
    }
}

/// Whether data of an enclosing construct is meant that the launch can see whether the region accesses: the section there may have no
/// length ([`Region::choose_parts`]).
fn is_present_if_accessed(operand: &Operand<'_>) -> bool {
    let var = operand.var;
    let implicit = operand.action == Action::Present && var.flags & VAR_IMPLICIT != 0;
    implicit && !var.reach.is_null()
}

/// Reports a mistake in the section of variable `var`.
pub fn bad_section(site: &'static SiteState, var: usize, error: SectionError) -> ! {
    fatal::fatal_as(
        fatal::Error::InvalidDataSection,
        site.var_place(var),
        format_args!(
            "bad section of '{}' in a clause of this {}: {error}",
            site.vars[var].name,
            site.kind.name()
        ),
    )
}

impl Region {
    /// Maps variable `var`; returns the device address that corresponds to its word 0. That of a section which does not
    /// fit means nothing; [`Region::enter`] sees to it.
    pub fn map(
        &mut self,
        actions: &mut Actions<'_>,
        site: &'static SiteState,
        var: usize,
        operand: &Operand<'_>,
        (entry, exit): (Entry, Exit),
    ) -> usize {
        if operand.base == 0 || self.unfit {
            return 0;
        }
        if entry.if_absent == IfAbsent::Fail
            && let Some(id) = target(actions, operand)
        {
            return self.hold_target(actions, id, operand, exit);
        }
        if needs_no_copy(actions, site, var, operand) {
            return self.as_it_is(operand.base);
        }
        if let Some(id) = self.only_part(actions, operand) {
            return self.hold_part(actions, id, operand, exit);
        }
        self.observed |= entry.always_in;
        let attach = operand.var.flags & VAR_ATTACH != 0;
        let worth_it = known_rows::are_worth_it(operand, attach, entry, exit);
        if worth_it && let Some(address) = self.hold_known_rows(actions, operand, attach, exit) {
            return address;
        }
        let before = self.before_rows();
        let mut complete = worth_it;
        let mut address = None;
        let mut visit = |node: Node<'_>| {
            if self.unfit {
                return;
            }
            let base = node.section.base;
            let top = address.is_none();
            complete &= node.hull.bytes > 0;
            if node.hull.bytes == 0 {
                // Nothing to map; the kernel may still compute with the address.
                if top {
                    address = Some(self.pointer(actions, site, var, base, false));
                }
                // `s.p[:0]` attaches the member to what is present (OpenMP 5.2, section 5.8.6).
                if node.pointer != 0 {
                    self.to_attach.push((node.pointer, None));
                }
                return;
            }
            self.runs.clear();
            let runs = &mut self.runs;
            // `for_each_section` has computed the hull, so the section is sound.
            let _ = node.section.for_each_run(&mut |piece| runs.push(piece));
            if node.is_table {
                self.tables.extend_from_slice(&self.runs);
            }
            let entry = Entry {
                in_place: entry.zero && is_shared_pointer(actions, node.pointer),
                ..entry
            };
            let mappings = actions.table.len();
            let origin = &site.vars[var];
            let id = match actions.try_enter(node.hull, base, &self.runs, entry, origin) {
                Ok(Some(id)) => id,
                Ok(None) => {
                    self.ignored.push(Ignored::Section(node.hull));
                    if top {
                        address = Some(actions.device.absent_pointer(base, site, var));
                    }
                    return;
                }
                // Nobody has mapped it, but perhaps nothing of it is accessed.
                Err(Unfit::Absent) if top && is_present_if_accessed(operand) => {
                    self.parted = true;
                    self.ignored.push(Ignored::Section(node.hull));
                    address = Some(actions.device.absent_pointer(base, site, var));
                    return;
                }
                Err(unfit) if self.joined => {
                    let clause = operand.action.name();
                    actions.refuse(unfit, node.hull, origin, clause)
                }
                Err(_) => {
                    self.unfit = true;
                    return;
                }
            };
            actions.table.note_base(id, base);
            self.parted |= entry.part_suffices && has_other_parts(actions, id, node.hull);
            if top {
                address = actions.table.get(id).map(|mapping| mapping.translate(base));
            }
            self.held.push(Held {
                id,
                hull: node.hull,
                runs: (self.runs.len() > 1).then(|| self.runs.as_slice().into()),
                exit,
            });
            if actions.table.len() > mappings {
                let filled = entry.copy_in && self.runs == [node.hull];
                self.made.push(Made::new(actions, id, entry, filled));
            } else if !self.made.is_empty() {
                self.unfit |=
                    !brought_in(&mut self.made, self.joined, actions, id, entry, &self.runs)
                        || self.leaves_own(actions, id, node.hull);
            }
            if node.pointer != 0 {
                self.to_attach.push((node.pointer, Some(id)));
            }
        };
        // SAFETY: the user's section describes row tables in host memory.
        if let Err(error) = unsafe { operand.for_each_section(attach, &mut visit) } {
            bad_section(site, var, error);
        }
        let address = address.unwrap_or(0);
        if complete {
            self.remember_rows(actions, operand, attach, address, &before);
        }
        self.observed |= address == operand.base;
        address
    }

    /// The device address of a host address if that is present, else what the device gives to kernels for absent data.
    /// Required is what must be present (OpenACC 3.4, 2.7.6); a null pointer needs nothing to be.
    pub fn pointer(
        &mut self,
        actions: &Actions<'_>,
        site: &'static SiteState,
        var: usize,
        host: usize,
        required: bool,
    ) -> usize {
        if host == 0 {
            return 0;
        }
        let hint = &site.hints[var];
        let mut id = match required {
            true => actions.table.of_pointer(host, hint),
            false => actions.table.of_pointer_or_end(host, hint),
        };
        if actions.table.has_parts(host) {
            self.parted = true;
            id = id.or_else(|| actions.table.parts(host).first().copied());
        }
        if let Some(mapping) = id.and_then(|id| actions.table.get(id)) {
            let address = mapping.translate(host);
            self.observed |= address == host;
            return address;
        }
        if required && self.joined {
            let byte = Piece {
                start: host,
                bytes: 1,
            };
            actions.refuse(Unfit::Absent, byte, &site.vars[var], "present");
        }
        self.unfit |= required;
        self.ignored.push(Ignored::Pointer(host));
        actions.device.absent_pointer(host, site, var)
    }

    /// The same of a pointer that kernels only look at: where nothing is present, it is as it is.
    pub fn pointer_value(
        &mut self,
        actions: &Actions<'_>,
        site: &'static SiteState,
        var: usize,
        host: usize,
    ) -> usize {
        let id = actions.table.of_pointer_or_end(host, &site.hints[var]);
        let mapping = id.and_then(|id| actions.table.get(id));
        let address = mapping.map_or(host, |mapping| mapping.translate(host));
        if host != 0 && mapping.is_none() {
            self.ignored.push(Ignored::Pointer(host));
        }
        self.observed |= mapping.is_some() && address == host;
        address
    }

    /// `present(p)`: holds all of the mapping that the pointer leads to.
    fn hold_target(
        &mut self,
        actions: &mut Actions<'_>,
        id: MappingId,
        operand: &Operand<'_>,
        exit: Exit,
    ) -> usize {
        let Some(mapping) = actions.table.get_mut(id) else {
            return operand.base;
        };
        mapping.structured += 1;
        self.held.push(Held {
            id,
            hull: mapping.piece(),
            runs: None,
            exit,
        });
        operand.base
    }

    /// The short way for the most frequent variable of a construct: one contiguous piece that is present. None for all
    /// others, which [`Region::map`] is for.
    pub fn hold_present(
        &mut self,
        actions: &mut Actions<'_>,
        site: &'static SiteState,
        var: usize,
        operand: &Operand<'_>,
    ) -> Option<usize> {
        let flags = operand.var.flags;
        let made = !self.made.is_empty();
        if made || operand.var.pointer_dims != 0 || flags & (VAR_ATTACH | VAR_ALWAYS_IN) != 0 {
            return None;
        }
        let (_, exit) = entry_and_exit(operand.action, flags, Counter::Structured)?;
        let section = Section {
            base: operand.base,
            element: operand.var.elem_size as usize,
            dims: operand.dims,
        };
        let hull = section.only_run()?;
        let found = actions
            .table
            .find_again(hull.start, hull.bytes, &site.hints[var]);
        let Presence::Present(id) = found else {
            return None;
        };
        let mapping = actions.table.get_mut(id)?;
        mapping.structured += 1;
        let address = mapping.translate(operand.base);
        self.observed |= address == operand.base;
        self.held.push(Held {
            id,
            hull,
            runs: None,
            exit,
        });
        Some(address)
    }

    /// Remembers an `attach` clause.
    pub fn attach_later(&mut self, operand: &Operand<'_>) {
        self.to_attach.push((pointer_variable(operand), None));
    }

    /// Whether the construct has made the mapping that has the pointer variable at this address.
    pub fn has_made(&self, actions: &Actions<'_>, variable: usize) -> bool {
        !self.made.is_empty()
            && match actions.table.find(variable, size_of::<usize>()) {
                Presence::Present(id) => self.made.iter().any(|made| made.is(id)),
                Presence::Absent | Presence::Partial(_) => false,
            }
    }

    /// Attaches all pointers seen so far: everything is mapped.
    fn attach(&mut self, actions: &mut Actions<'_>) {
        self.observe();
        self.made.clear();
        self.ignored.clear();
        self.joined = false;
        for (pointer, target) in self.to_attach.drain(..) {
            if actions.attach(pointer, target) {
                self.attached.push(pointer);
            }
        }
    }

    /// Forgets all there is to undo: `enter data` leaves it to `exit data`.
    pub fn keep(&mut self) {
        debug_assert!(
            self.groups.is_empty(),
            "only structured references are held together"
        );
        self.held.clear();
        self.attached.clear();
    }

    /// `use_device` (OpenACC 3.4, 2.8.1): finds the address that the variable has in the region. A variable that is
    /// neither pointer nor array keeps the host's, which must then be the device's.
    pub fn use_device(
        &mut self,
        actions: &mut Actions<'_>,
        site: &'static SiteState,
        var: usize,
        operand: &Operand<'_>,
        if_present: bool,
    ) {
        let host = operand.base;
        self.used.push((var, host));
        if host == 0 {
            return;
        }
        let origin = &site.vars[var];
        let name = origin.name;
        let id = actions.table.of_pointer_or_end(host, &site.hints[var]);
        let mapping = id.and_then(|id| actions.table.get(id));
        let Some(device) = mapping.map(|mapping| mapping.translate(host)) else {
            if if_present {
                return;
            }
            let piece = Piece {
                start: host,
                bytes: 1,
            };
            let message =
                report::not_present(actions.device, actions.table, piece, name, "use_device");
            fatal::fatal_as(fatal::Error::NotPresent, origin.place, message);
        };
        let keeps_name = operand.dims.is_empty() && operand.var.flags & VAR_ON_DEVICE == 0;
        if keeps_name && device != host {
            fatal(
                origin.place,
                format_args!(
                    "use_device({name}): '{name}' is neither pointer nor array, so its address cannot be \
                     replaced on device {}; use acc_deviceptr(&{name})",
                    actions.device.name()
                ),
            );
        }
        if let Some(used) = self.used.last_mut() {
            used.1 = device;
        }
    }

    /// Remembers a variable of `use_device` whose address stays the host's, as the `if` condition is false.
    pub fn use_host(&mut self, var: usize, operand: &Operand<'_>) {
        self.used.push((var, operand.base));
    }

    /// The address that variable `var` of `use_device` has in the region.
    pub fn used_address(&self, var: usize) -> Option<usize> {
        let found = self.used.iter().find(|(index, _)| *index == var);
        found.map(|(_, address)| *address)
    }

    /// Undoes everything.
    pub fn leave(&mut self, actions: &mut Actions<'_>) {
        self.let_groups_go(actions);
        for pointer in self.attached.drain(..).rev() {
            actions.detach(pointer, false);
        }
        let mut some_end = false;
        for held in self.held.iter().rev() {
            some_end |= actions.release(held.id, held.runs(), held.exit);
        }
        if some_end {
            let all = self.held.iter().rev();
            end_all(actions, all.map(|held| (held.id, held.runs(), held.exit)));
        }
        self.held.clear();
        for copy in self.temporaries.drain(..) {
            // SAFETY: allocated by `first_private`; the kernel comes earlier in the queue.
            unsafe { actions.free(copy) };
        }
    }

    /// True when there is nothing to undo.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
            && self.groups.is_empty()
            && self.attached.is_empty()
            && self.temporaries.is_empty()
    }
}

/// Copies out of the mappings that nobody refers to any more, as the variables say, and ends them.
pub fn end_all<'r>(
    actions: &mut Actions<'_>,
    released: impl Iterator<Item = (MappingId, &'r [Piece], Exit)> + Clone,
) {
    for (id, runs, exit) in released.clone() {
        let ended = actions.table.get(id).is_some_and(Mapping::is_unused);
        if ended && exit.copy_out && !exit.always_out {
            actions.copy_out(id, runs);
        }
    }
    for (id, ..) in released {
        actions.end(id);
    }
}

/// The mapping that a pointer without a section leads to ([`VAR_POINTER`]). None where the pointer itself is what was
/// mapped.
fn target(actions: &Actions<'_>, operand: &Operand<'_>) -> Option<MappingId> {
    let value = pointer_to_target(actions, operand)?;
    actions.table.of_pointer(value, &Hint::default())
}

/// The same of all mappings with sections of the pointer.
pub fn targets(actions: &Actions<'_>, operand: &Operand<'_>) -> Vec<MappingId> {
    match pointer_to_target(actions, operand) {
        Some(value) if actions.table.has_parts(value) => actions.table.parts(value),
        Some(_) => target(actions, operand).into_iter().collect(),
        None => vec![],
    }
}

/// What the pointer holds, if that is not null and the pointer itself is not mapped alone.
fn pointer_to_target(actions: &Actions<'_>, operand: &Operand<'_>) -> Option<usize> {
    if operand.var.flags & VAR_POINTER == 0 || operand.base == 0 {
        return None;
    }
    if let Presence::Present(id) = actions.table.find(operand.base, size_of::<usize>())
        && let Some(mapping) = actions.table.get(id)
        && mapping.bytes == size_of::<usize>()
    {
        return None;
    }
    // SAFETY: the address is that of the user's pointer variable.
    let value = unsafe { (operand.base as *const usize).read_unaligned() };
    (value != 0).then_some(value)
}
