//! Which version of a kernel a launch gets, and whether the device may run it.
//!
//! The compiler gives some kernels a second entry that assumes of its arguments what the runtime can see (see
//! [`SimtDisjoint`]): no memory behind an argument that the kernel only reads is behind one that it writes, and certain
//! addresses are multiples of 16. A version for few iterations may need more ([`SimtDisjoint::written_once`]). The memory behind an argument is
//!
//! | variable | memory |
//! | --- | --- |
//! | mapped, or a pointer to mapped data | the whole mapping: sections of one mapping are not told apart |
//! | `deviceptr`, or a pointer to device memory | the block of `acc_malloc` or of a mapping that it points into |
//! | the result of a reduction in a cell, a firstprivate copy | that alone |
//! | a null pointer | none |
//!
//! Of anything else nothing is known, above all of memory that the program has from a driver itself: then the safe version runs.
//!
//! Some kernels are right only where nothing that they write is behind another argument ([`SimtApart`]): loops that nothing but
//! pointers kept from running in parallel. Elsewhere the host runs them. For these, sections of one mapping are told apart, at each
//! launch, since a region accesses nothing else of a variable that has one (OpenACC 3.4, section 2.7.1).
//!
//! The answer depends on the addresses, on the present table and on blocks being freed, and is kept per kernel with the
//! addresses and the table's [state](crate::present::table::PresentTable::state). So a launch like the one before costs a
//! comparison per address. Two answers are kept, since programs that step from one array to another and back swap them at
//! each launch.

use crate::abi::{Action, Passed, SimtApart, SimtDisjoint, VAR_RESULT, Var};
use crate::data::Actions;
use crate::once::Once;
use crate::present::table::{Hint, MappingId, Presence};
use crate::section::Section;
use crate::words::Words;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{
    AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
    fence,
};

/// The last two answers for a kernel.
#[derive(Debug, Default)]
pub struct Verdict {
    answers: [Answer; 2],
    /// The lowest bit says which answer the next one replaces.
    next: AtomicUsize,
}

/// An answer for a kernel. The threads that ask hold the lock of a present table; those of other devices may ask at the
/// same time, so a reader looks at `key` before and after.
#[derive(Debug, Default)]
struct Answer {
    /// Twice the state of the table that the answer is for, plus the answer; 0: there is none.
    key: AtomicU64,
    /// The addresses that it is for.
    words: Once<Box<[AtomicU64]>>,
    writing: Mutex<()>,
}

/// A launch of a site, as far as it matters here.
pub struct Arguments<'a> {
    pub vars: &'static [Var],
    /// The words of the variables, from the program.
    pub words: Words<'a>,
    /// The words for the kernel.
    pub args: &'a [u64],
}

/// What is asked of a launch's arguments: nothing that is only read may be behind one that is written, …
#[derive(Clone, Copy, Debug)]
pub struct Question {
    read: u64,
    written: u64,
    /// … these are to be multiples of 16, …
    aligned: u64,
    /// … and what is written may not be behind two of them.
    written_once: bool,
}

impl From<&SimtDisjoint> for Question {
    fn from(version: &SimtDisjoint) -> Question {
        Question {
            read: version.read_words,
            written: version.written_words,
            aligned: version.aligned_words,
            written_once: version.written_once != 0,
        }
    }
}

impl From<&SimtApart> for Question {
    fn from(apart: &SimtApart) -> Question {
        Question {
            read: apart.read_words,
            written: apart.written_words,
            aligned: 0,
            written_once: true,
        }
    }
}

/// Whether it is so in this launch.
#[inline]
pub fn holds(
    actions: &Actions<'_>,
    question: Question,
    verdict: &Verdict,
    arguments: &Arguments<'_>,
) -> bool {
    let version = &question;
    let state = actions.table.state();
    let answer = verdict.last(state, version, arguments.args);
    let answer = answer.unwrap_or_else(|| {
        let answer = check(actions, version, arguments, false);
        verdict.remember(state, version, arguments.args, answer);
        answer
    });
    // Sections of one mapping may be longer the next time.
    answer || version.written_once && check(actions, version, arguments, true)
}

/// The words that an answer depends on.
fn relevant<'a>(version: &Question, args: &'a [u64]) -> impl Iterator<Item = u64> + use<'a> {
    let mask = version.read | version.written | version.aligned;
    bits(mask).filter_map(|word| args.get(word).copied())
}

fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lowest < 64).then_some(lowest as usize)
    })
}

impl Verdict {
    /// The answer for these words, if it was one of the last questions.
    #[inline]
    fn last(&self, state: u64, version: &Question, args: &[u64]) -> Option<bool> {
        let mut answers = self.answers.iter();
        answers.find_map(|answer| answer.of(state, version, args))
    }

    fn remember(&self, state: u64, version: &Question, args: &[u64], answer: bool) {
        let older = self.next.fetch_xor(1, Relaxed) & 1;
        self.answers[older].remember(state, version, args, answer);
    }
}

impl Answer {
    /// The answer, if it is for these words.
    #[inline]
    fn of(&self, state: u64, version: &Question, args: &[u64]) -> Option<bool> {
        let key = self.key.load(Acquire);
        if key >> 1 != state {
            return None;
        }
        let known = self.words.get()?.iter().map(|word| word.load(Relaxed));
        let same = relevant(version, args).eq(known);
        fence(Acquire);
        (same && self.key.load(Relaxed) == key).then_some(key & 1 != 0)
    }

    fn remember(&self, state: u64, version: &Question, args: &[u64], answer: bool) {
        // Who comes second has to ask again.
        let Ok(_alone) = self.writing.try_lock() else {
            return;
        };
        let words = self
            .words
            .get_or_init(|| relevant(version, args).map(|_| AtomicU64::new(0)).collect());
        self.key.store(0, Relaxed);
        fence(Release);
        for (known, word) in words.iter().zip(relevant(version, args)) {
            known.store(word, Relaxed);
        }
        self.key.store(state << 1 | u64::from(answer), Release);
    }
}

#[cold]
fn check(
    actions: &Actions<'_>,
    version: &Question,
    arguments: &Arguments<'_>,
    exact: bool,
) -> bool {
    let aligned = |word: usize| arguments.args.get(word).is_some_and(|a| a % 16 == 0);
    if !bits(version.aligned).all(aligned) {
        return false;
    }
    let mut words = arguments.words;
    let (mut word, mut read, mut written) = (0, vec![], vec![]);
    for var in arguments.vars {
        let Some(action) = Action::from_raw(var.action) else {
            return false;
        };
        let here = word;
        word += match action.passed() {
            Passed::Value => words.value(var).len(),
            Passed::Pointer | Passed::Object => 1,
        };
        let asked = |mask: u64| here < 64 && mask >> here & 1 != 0;
        let memory = match action.passed() {
            Passed::Value => continue,
            Passed::Pointer => {
                let pointer = words.pointer();
                pointer_memory(actions, action, pointer, arguments.args[here] as usize)
            }
            Passed::Object => {
                let operand = words.operand(var, action);
                if !asked(version.read | version.written) {
                    continue;
                }
                let section = Section {
                    base: operand.base,
                    element: var.elem_size as usize,
                    dims: operand.dims,
                };
                mapped_memory(
                    actions,
                    var,
                    action,
                    &section,
                    arguments.args[here] as usize,
                    exact,
                )
            }
        };
        let (asked_read, asked_written) = (asked(version.read), asked(version.written));
        match memory {
            _ if !asked_read && !asked_written => {}
            Memory::Unknown => return false,
            Memory::None => {}
            Memory::Range(range) if asked_read => read.push(range),
            Memory::Range(range) => written.push(range),
        }
    }
    let apart = |a: &Range<usize>, b: &Range<usize>| a.end <= b.start || b.end <= a.start;
    let once = || {
        let pairs = written.iter().enumerate();
        pairs
            .into_iter()
            .all(|(at, one)| written[..at].iter().all(|other| apart(one, other)))
    };
    read.iter().all(|r| written.iter().all(|w| apart(r, w))) && (!version.written_once || once())
}

/// The memory behind an argument.
enum Memory {
    Unknown,
    None,
    Range(Range<usize>),
}

/// The memory of a variable with an address and dimensions; `device` is its argument. `exact`: of its section, not of the mapping.
fn mapped_memory(
    actions: &Actions<'_>,
    var: &Var,
    action: Action,
    section: &Section<'_>,
    device: usize,
    exact: bool,
) -> Memory {
    if section.base == 0 || action == Action::Firstprivate {
        return Memory::None;
    }
    let Ok(hull) = section.hull() else {
        return Memory::Unknown;
    };
    if var.pointer_dims != 0 {
        return Memory::Unknown;
    }
    let start = match hull.bytes {
        0 => section.base,
        _ => hull.start,
    };
    match mapping(actions, start, hull.bytes.max(1)) {
        // Of a section without a length nobody knows what is accessed behind it.
        Some((host, range)) if exact && start >= host && hull.bytes > 0 => {
            let start = range.start + (start - host);
            Memory::Range(start..start.saturating_add(hull.bytes))
        }
        Some((_, range)) => Memory::Range(range),
        // A result that is not mapped is in a cell.
        None if var.flags & VAR_RESULT != 0 => {
            Memory::Range(device..device.saturating_add(var.elem_size as usize))
        }
        None => Memory::Unknown,
    }
}

fn pointer_memory(actions: &Actions<'_>, action: Action, pointer: usize, device: usize) -> Memory {
    if pointer == 0 {
        return Memory::None;
    }
    let mapped = match action {
        Action::Pointer if actions.table.has_parts(pointer) => parts_at(actions, pointer, device),
        Action::Pointer => actions
            .table
            .of_pointer_or_end(pointer, &Hint::default())
            .and_then(|id| device_range(actions, id)),
        _ => None,
    };
    let block = || {
        let own = actions.device.owns(device);
        let (start, bytes) = own.then(|| actions.device.allocation(device)).flatten()?;
        let range = start..start.saturating_add(bytes);
        range.contains(&device).then_some(range)
    };
    mapped.or_else(block).map_or(Memory::Unknown, Memory::Range)
}

/// The parts of what a pointer leads to of which `device` is the pointer's address.
fn parts_at(actions: &Actions<'_>, pointer: usize, device: usize) -> Option<Range<usize>> {
    let parts = actions.table.parts(pointer).into_iter();
    let of_address = |id: &MappingId| {
        let mapping = actions.table.get(*id);
        mapping.is_some_and(|mapping| mapping.translate(pointer) == device)
    };
    let ranges = parts.filter(of_address);
    let ranges = ranges.filter_map(|id| device_range(actions, id));
    ranges.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))
}

/// The mapping that these bytes of the host's are in, or some of them, where a part is enough ([`VAR_PART`](crate::abi::VAR_PART)): where it
/// starts on the host, and its device memory.
fn mapping(actions: &Actions<'_>, host: usize, bytes: usize) -> Option<(usize, Range<usize>)> {
    let id = match actions.table.find(host, bytes) {
        Presence::Present(id) => id,
        // Which of several parts is meant is not looked for here.
        Presence::Partial(id) => {
            let mut parts = actions.table.overlapping(host, host.saturating_add(bytes));
            parts.nth(1).is_none().then_some(id)?
        }
        Presence::Absent => return None,
    };
    Some((actions.table.get(id)?.host, device_range(actions, id)?))
}

fn device_range(actions: &Actions<'_>, id: MappingId) -> Option<Range<usize>> {
    let mapping = actions.table.get(id)?;
    Some(mapping.device..mapping.device.saturating_add(mapping.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(read: u64, written: u64, aligned: u64) -> Question {
        Question {
            read,
            written,
            aligned,
            written_once: false,
        }
    }

    #[test]
    fn an_answer_is_for_its_words_and_state() {
        let (verdict, version) = (Verdict::default(), version(0b1, 0b100, 0b100));
        assert_eq!(verdict.last(7, &version, &[1, 2, 3]), None);
        verdict.remember(7, &version, &[1, 2, 3], true);
        assert_eq!(verdict.last(7, &version, &[1, 2, 3]), Some(true));
        // The word between is no address.
        assert_eq!(verdict.last(7, &version, &[1, 9, 3]), Some(true));
        assert_eq!(verdict.last(7, &version, &[1, 2, 4]), None);
        assert_eq!(verdict.last(8, &version, &[1, 2, 3]), None);
        verdict.remember(8, &version, &[1, 2, 4], false);
        assert_eq!(verdict.last(8, &version, &[1, 2, 4]), Some(false));
    }

    #[test]
    fn two_answers_are_kept() {
        let (verdict, version) = (Verdict::default(), version(0b1, 0b10, 0));
        verdict.remember(7, &version, &[1, 2], true);
        verdict.remember(7, &version, &[2, 1], false);
        for _ in 0..2 {
            assert_eq!(verdict.last(7, &version, &[1, 2]), Some(true));
            assert_eq!(verdict.last(7, &version, &[2, 1]), Some(false));
        }
        verdict.remember(7, &version, &[2, 3], true);
        assert_eq!(verdict.last(7, &version, &[1, 2]), None);
        assert_eq!(verdict.last(7, &version, &[2, 1]), Some(false));
        assert_eq!(verdict.last(7, &version, &[2, 3]), Some(true));
    }

    #[test]
    fn bits_of_a_mask() {
        assert_eq!(bits(0).count(), 0);
        assert_eq!(bits(1 << 63 | 0b101).collect::<Vec<_>>(), [0, 2, 63]);
    }
}
