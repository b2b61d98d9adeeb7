//! Pointers that kernels only compare with those into another variable, as the ends of loops over pointers.
//!
//! ```text
//! int a[8], b[8];  int *end = a + 8;         end is b's address, too
//! parallel loop copy(a, b)                   device: a at 0x100, b at 0x900
//! for (int *p = a; p < end; p++) …           end: 0x120, by a's mapping, not 0x900
//! ```
//! C compares pointers into one object, or to its end, so that the other variable says which mapping is meant.

use crate::abi::{Action, Passed, VAR_LIMIT, Var};
use crate::data::Actions;
use crate::site::SiteState;
use crate::words::Words;

/// Translates the limits among the variables, whose kernel arguments are `args`.
pub fn translate(
    actions: &Actions<'_>,
    state: &SiteState,
    vars: &'static [Var],
    mut words: Words<'_>,
    args: &mut [u64],
) {
    let mut places = Vec::with_capacity(vars.len());
    let mut at = 0;
    for var in vars {
        let Some(action) = Action::from_raw(var.action) else {
            return;
        };
        let (host, count) = match action.passed() {
            Passed::Value => (0, words.value(var).len()),
            Passed::Pointer => (words.pointer(), 1),
            Passed::Object => (words.operand(var, action).base, 1),
        };
        places.push((host, at));
        at += count;
    }
    for (var, (host, at)) in vars.iter().zip(&places) {
        if var.flags & VAR_LIMIT == 0 {
            continue;
        }
        let other = usize::from(var.pointer_dims);
        let (Some((base, word)), Some(hint)) = (places.get(other), state.hints.get(other)) else {
            continue;
        };
        let device = args.get(*word).map_or(0, |word| *word as usize);
        let id = actions.table.part_at(*base, device, hint);
        let mapping = id.and_then(|id| actions.table.get(id));
        let within = mapping.filter(|mapping| {
            let piece = mapping.piece();
            (piece.start..=piece.start + piece.bytes).contains(host)
        });
        if let (Some(mapping), Some(argument)) = (within, args.get_mut(*at)) {
            *argument = mapping.translate(*host) as u64;
        }
    }
}
