//! Variables of which several parts are present, each mapped by itself, and which a construct uses without a section.
//!
//! ```c
//! #pragma acc enter data copyin(p[0:h])
//! #pragma acc enter data copyin(p[h:h])
//! #pragma acc parallel loop default(present)
//! for (int i = h; i < 2 * h; i++) p[i]++;                    // p[h:h] is meant
//! ```
//! A kernel has one address for a variable, and each part has another one. The part is that which has all that the loops access; the
//! compiler gives programs for that ([`Reach`](crate::abi::Reach)) where it can be said. In OpenMP a pointer is otherwise that of
//! the part with the address that it holds (5.2, 5.8.6). What is left is an error: a section in a clause says what is meant.
//!
//! Of data of an enclosing construct nothing is present where its section there has no length; that is well if the loops access nothing.
//!
//! Where the device shares the host's memory all parts have the same address, and there is nothing to choose.

use super::Region;
use crate::abi::{Action, Passed, Reach, VAR_IMPLICIT, VAR_LIMIT, VAR_REQUIRED, VAR_VALUE, Var};
use crate::data::{Actions, Unfit};
use crate::device::simt::trip::evaluate;
use crate::fatal;
use crate::present::table::{Hint, Mapping, Presence};
use crate::report;
use crate::section::{Piece, Section};
use crate::site::SiteState;
use crate::words::Words;

/// What is known of what a construct accesses of a variable.
enum Accessed {
    Unknown,
    Nothing,
    Bytes(Piece),
}

impl Region {
    /// Gives kernel arguments the addresses of the parts that are meant.
    #[cold]
    pub fn choose_parts(
        actions: &Actions<'_>,
        state: &'static SiteState,
        (vars, mut words): (&'static [Var], Words<'_>),
        is_openmp: bool,
        args: &mut [u64],
    ) {
        let mut at = 0;
        for (index, var) in vars.iter().enumerate() {
            let Some(action) = Action::from_raw(var.action) else {
                return;
            };
            let (base, whole, count) = match action.passed() {
                Passed::Value => (0, None, words.value(var).len()),
                Passed::Pointer => (words.pointer(), None, 1),
                Passed::Object => {
                    let operand = words.operand(var, action);
                    let section = Section {
                        base: operand.base,
                        element: var.elem_size as usize,
                        dims: operand.dims,
                    };
                    (operand.base, section.hull().ok(), 1)
                }
            };
            let word = at;
            at += count;
            let only_looked_at = var.flags & VAR_VALUE != 0 && var.flags & VAR_REQUIRED == 0;
            if base == 0 || var.flags & VAR_LIMIT != 0 || only_looked_at {
                continue;
            }
            let implicit = action == Action::Present && var.flags & VAR_IMPLICIT != 0;
            if let Some(whole) = whole.filter(|whole| implicit && is_absent(actions, *whole)) {
                // SAFETY: the tables of the program have complete programs.
                let accessed = unsafe { accessed(var.reach, base, args) };
                if !matches!(accessed, Accessed::Nothing) {
                    actions.refuse(Unfit::Absent, whole, &state.vars[index], action.name());
                }
                continue;
            }
            let parts = parts_of(actions, var, (action, base), whole);
            let same = |pair: &[&Mapping]| pair[0].translate(base) == pair[1].translate(base);
            if parts.windows(2).all(same) {
                continue;
            }
            // SAFETY: the tables of the program have complete programs.
            let accessed = match unsafe { accessed(var.reach, base, args) } {
                Accessed::Unknown => whole.map_or(Accessed::Unknown, Accessed::Bytes),
                known => known,
            };
            let piece = match accessed {
                Accessed::Nothing => continue,
                Accessed::Unknown if is_openmp && is_in_a_part(actions, base) => continue,
                Accessed::Unknown => None,
                Accessed::Bytes(piece) => Some(piece),
            };
            match piece.and_then(|piece| only_part_with(&parts, piece)) {
                Some(part) => args[word] = part.translate(base) as u64,
                // SAFETY: null or a table of the program, as above.
                None => refuse(
                    actions,
                    state,
                    index,
                    unsafe { used(var, base, piece) },
                    &parts,
                ),
            }
        }
    }
}

/// The mappings with sections of a variable: of a pointer, or of an object with these bytes. None if only one can be meant.
fn parts_of<'a>(
    actions: &'a Actions<'_>,
    var: &Var,
    (action, base): (Action, usize),
    whole: Option<Piece>,
) -> Vec<&'a Mapping> {
    let table = &actions.table;
    match (action, whole) {
        (Action::Pointer, _) if table.has_parts(base) => {
            let parts = table.parts(base).into_iter();
            parts.filter_map(|id| table.get(id)).collect()
        }
        (_, Some(whole)) if var.pointer_dims == 0 => {
            table.overlapping(whole.start, whole.end()).collect()
        }
        _ => vec![],
    }
}

fn is_absent(actions: &Actions<'_>, bytes: Piece) -> bool {
    bytes.bytes > 0 && actions.table.find(bytes.start, bytes.bytes) == Presence::Absent
}

/// Whether the address itself is in a part.
fn is_in_a_part(actions: &Actions<'_>, base: usize) -> bool {
    let id = actions.table.of_pointer(base, &Hint::default());
    let mapping = id.and_then(|id| actions.table.get(id));
    mapping.is_some_and(|mapping| mapping.holds(base, 1))
}

/// The first element of `piece`, and how many there are.
///
/// # Safety
/// The variable's reach is null or has complete programs.
unsafe fn used(var: &Var, base: usize, piece: Option<Piece>) -> Option<(i64, i64)> {
    // SAFETY: by the contract.
    let reach = unsafe { var.reach.as_ref() };
    let bytes = reach.map_or(var.elem_size, |reach| reach.element).max(1) as i64;
    piece.map(|piece| {
        let first = piece.start.wrapping_sub(base) as i64;
        (first / bytes, piece.bytes as i64 / bytes)
    })
}

/// The part that has all of the bytes, or else the only one that has some of them.
fn only_part_with<'a>(parts: &[&'a Mapping], bytes: Piece) -> Option<&'a Mapping> {
    let has_some = |part: &&&Mapping| part.host < bytes.end() && bytes.start < part.piece().end();
    let mut some = parts.iter().filter(has_some);
    match (some.next(), some.next()) {
        (Some(part), None) => Some(part),
        _ => None,
    }
}

/// # Safety
/// `reach` is null or has complete programs.
unsafe fn accessed(reach: *const Reach, base: usize, args: &[u64]) -> Accessed {
    // SAFETY: by the contract.
    let Some(reach) = (unsafe { reach.as_ref() }) else {
        return Accessed::Unknown;
    };
    // SAFETY: by the contract.
    let (lower, length) = unsafe { (evaluate(reach.lower, args), evaluate(reach.length, args)) };
    let (Some(lower), Some(length)) = (lower, length) else {
        return Accessed::Unknown;
    };
    if length <= 0 {
        return Accessed::Nothing;
    }
    let element = reach.element as i64;
    let start = lower.checked_mul(element).map(|bytes| bytes as isize);
    let bytes = length.checked_mul(element).map(|bytes| bytes as usize);
    match start.zip(bytes) {
        Some((offset, bytes)) => Accessed::Bytes(Piece {
            start: base.wrapping_add_signed(offset),
            bytes,
        }),
        None => Accessed::Unknown,
    }
}

/// Says which parts are present. `used` are the first element that the construct accesses and how many, if that is known.
fn refuse(
    actions: &Actions<'_>,
    state: &'static SiteState,
    var: usize,
    used: Option<(i64, i64)>,
    parts: &[&Mapping],
) -> ! {
    let origin = &state.vars[var];
    let mapped: String = parts
        .iter()
        .map(|part| format!("\n  present: {}", report::mapping(actions.table, part)))
        .collect();
    let (name, kind) = (origin.variable(), state.kind.name());
    let uses = match used {
        Some((lower, length)) => format!(
            "this {kind} construct uses '{name}[{lower}:{length}]', which none of them has by itself; map them with one \
             clause, or name the section that is meant in a clause of the construct"
        ),
        None => format!(
            "what this {kind} construct uses does not say which one is meant; name the section in a clause of the \
             construct, as in present({name}[lower:length])"
        ),
    };
    fatal::fatal_as(
        fatal::Error::PartlyPresent,
        origin.place,
        format_args!(
            "several sections of '{name}' are present on device {}, and a kernel has one address for it; {uses}{mapped}",
            actions.device.name()
        ),
    )
}
