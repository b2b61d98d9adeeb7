//! What a kernel did wrong, in the terms of OpenACC.
//!
//! ```text
//! race: read of 4 bytes at byte 128 of 'a' (4000 bytes), element 32
//!   by gang 0, worker 0, lane 32
//!   not ordered with: write by gang 0, worker 0, lane 31 at sum.c:9
//! ```
//! The line of the access goes in front of the whole message, see [`crate::report::fault`].

use super::texts::{Accessed, At, Bytes, Other, Thread, Waits, lines_of, verb};
use crate::device::Fault;
use crate::device::absent::Window;
use accrue_abi::symbols::shown;
use accrue_ptx_sim::{Access, FaultKind, Place, Single, Space};
use std::fmt::Write;

/// Most calls that are named.
const CALLERS: usize = 4;

/// A fault in the terms of OpenACC.
pub fn report(fault: &accrue_ptx_sim::Fault) -> Fault {
    let fault = &with_names_of_the_program(fault.clone());
    let mut message = headline(&fault.kind);
    if let Some(thread) = &fault.thread {
        let _ = write!(message, "\n  by {}", Thread(thread));
    }
    // The library's functions have no lines: then it is that of the call.
    let mut places = fault.place.iter().chain(&fault.callers);
    let mut source = places.find_map(|place| place.source.clone());
    let worth_naming = |place: &&Place| needs_naming(place, &fault.kernel);
    match &fault.kind {
        // The failing instruction is in the library, the assertion knows the line.
        FaultKind::Assert { file, line, .. } => source = Some((file.clone(), *line)),
        FaultKind::Launch { .. }
        | FaultKind::OutOfBounds(_)
        | FaultKind::UseAfterFree(_)
        | FaultKind::Generic(_)
        | FaultKind::Misaligned(_)
        | FaultKind::ReadOnly(_)
        | FaultKind::Uninitialised(_)
        | FaultKind::Stale(_)
        | FaultKind::Race { .. }
        | FaultKind::Unsilenced { .. }
        | FaultKind::NotReadOnly { .. }
        | FaultKind::DivergentBarrier { .. }
        | FaultKind::InactiveLane { .. }
        | FaultKind::NotInMask { .. }
        | FaultKind::Deadlock { .. }
        | FaultKind::BadFree { .. }
        | FaultKind::BadCall { .. }
        | FaultKind::StackOverflow
        | FaultKind::Trap
        | FaultKind::InstructionLimit { .. } => {
            if let Some(place) = fault.place.as_ref().filter(worth_naming) {
                let _ = write!(message, "\n  at {}", At(place));
                for (file, line) in lines_of(&fault.callers).take(CALLERS) {
                    let _ = write!(message, "\n  called at {file}:{line}");
                }
            }
        }
    }
    if let FaultKind::Race { other, .. } = &fault.kind {
        let _ = write!(message, "\n  not ordered with: {}", Other(other));
    }
    if let FaultKind::NotReadOnly { other, .. } = &fault.kind {
        let _ = write!(message, "\n  in the same kernel: {}", Other(other));
    }
    if let FaultKind::DivergentBarrier { waiting, .. } | FaultKind::Deadlock { waiting } =
        &fault.kind
    {
        for waiting in waiting {
            let _ = write!(message, "\n  {}", Waits(waiting));
        }
    }
    Fault {
        message,
        source,
        address: accessed(&fault.kind).map(|access| access.address as usize),
        aborted: matches!(fault.kind, FaultKind::Assert { .. } | FaultKind::Trap),
    }
}

/// Gives functions and gang-private variables the names they have in the program: the GPU code says `user_f` for `f`, and
/// `accrue_k0_0_1_sum` for `sum` in kernel `accrue_k0_0`.
fn with_names_of_the_program(mut fault: accrue_ptx_sim::Fault) -> accrue_ptx_sim::Fault {
    let mut functions = vec![fault.kernel.clone()];
    functions.extend(fault.place.iter().map(|place| place.function.clone()));
    let access = match &mut fault.kind {
        FaultKind::Race { access, other } | FaultKind::NotReadOnly { access, other } => {
            shorten_function(&mut other.place);
            Some(access)
        }
        FaultKind::OutOfBounds(access)
        | FaultKind::UseAfterFree(access)
        | FaultKind::Generic(access)
        | FaultKind::Misaligned(access)
        | FaultKind::ReadOnly(access)
        | FaultKind::Uninitialised(access)
        | FaultKind::Stale(access) => Some(access),
        FaultKind::Unsilenced { access, .. } => access.as_mut(),
        FaultKind::DivergentBarrier { waiting, .. } | FaultKind::Deadlock { waiting } => {
            waiting
                .iter_mut()
                .for_each(|waiting| shorten_function(&mut waiting.place));
            None
        }
        FaultKind::Launch { .. }
        | FaultKind::InactiveLane { .. }
        | FaultKind::NotInMask { .. }
        | FaultKind::BadFree { .. }
        | FaultKind::BadCall { .. }
        | FaultKind::StackOverflow
        | FaultKind::Trap
        | FaultKind::Assert { .. }
        | FaultKind::InstructionLimit { .. } => None,
    };
    let label = access
        .filter(|access| access.space == Space::Shared)
        .and_then(|access| access.nearest.as_mut()?.label.as_mut());
    if let Some(label) = label {
        let own = functions.iter().find_map(|function| {
            let numbered = label.strip_prefix(function.as_str())?.strip_prefix('_')?;
            let (number, own) = numbered.split_once('_')?;
            number.parse::<u32>().is_ok().then(|| own.to_owned())
        });
        *label = own.unwrap_or_else(|| label.clone());
    }
    let places = fault.place.iter_mut().chain(&mut fault.callers);
    places.for_each(shorten_function);
    fault.kernel = shown(&fault.kernel);
    fault
}

fn shorten_function(place: &mut Place) {
    let name = shown(&place.function);
    let prefixes = ["user_", "__accrue_"];
    let own = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix));
    place.function = own.unwrap_or(&name).to_owned();
}

/// Whether the place says more than the line in front of the message: the kernel is that of the named construct.
fn needs_naming(place: &Place, kernel: &str) -> bool {
    place.source.is_none() || place.function != kernel
}

fn headline(kind: &FaultKind) -> String {
    match kind {
        FaultKind::OutOfBounds(access) if is_foreign(access) => foreign(access),
        FaultKind::OutOfBounds(access) => format!("out of bounds: {}", Accessed(access)),
        FaultKind::UseAfterFree(access) => format!(
            "use of freed memory: {}, which is no longer on the device",
            Accessed(access)
        ),
        FaultKind::Generic(access) => format!(
            "wrong kind of address: {}, where an address in this memory belongs; this is a mistake of the compiler",
            Accessed(access)
        ),
        FaultKind::Misaligned(access) => format!(
            "misaligned address: {}; a GPU needs a multiple of the size",
            Accessed(access)
        ),
        FaultKind::ReadOnly(access) => format!("write to read-only memory: {}", Accessed(access)),
        FaultKind::Uninitialised(access) => format!(
            "uninitialised: {}, where nothing has been written",
            Accessed(access)
        ),
        FaultKind::Stale(access) => format!(
            "stale: {}; the host has written there since the last transfer: is an `update device` missing?",
            Accessed(access)
        ),
        FaultKind::Race { access, .. } => format!("race: {}", Accessed(access)),
        FaultKind::NotReadOnly { access, .. } => format!(
            "not read-only: {}; what the kernel writes may not be read as data that does not change: is a `restrict` wrong?",
            Accessed(access)
        ),
        FaultKind::Unsilenced { single, access } => unsilenced(*single, access.as_ref()),
        FaultKind::DivergentBarrier { .. } => {
            "divergent barrier: some lanes of a warp wait for others that do not come".to_owned()
        }
        FaultKind::Deadlock { .. } => "deadlock: no thread of the gang can go on".to_owned(),
        FaultKind::StackOverflow => {
            "stack overflow: calls are nested too deep, or their variables are too large".to_owned()
        }
        FaultKind::Launch { .. }
        | FaultKind::InactiveLane { .. }
        | FaultKind::NotInMask { .. }
        | FaultKind::BadFree { .. }
        | FaultKind::BadCall { .. }
        | FaultKind::Trap
        | FaultKind::InstructionLimit { .. } => kind.to_string(),
        FaultKind::Assert {
            message, function, ..
        } => format!("assertion `{message}` failed in function `{function}`"),
    }
}

/// An effect of a thread that only runs along.
fn unsilenced(single: Single, access: Option<&Access>) -> String {
    let what = access.map_or("call".to_owned(), |access| Accessed(access).to_string());
    let group = match single {
        Single::No => "thread",
        Single::Worker => "worker",
        Single::Block => "gang",
    };
    format!(
        "not silenced: {what}, which one lane of the {group} is to do alone: this is a mistake of the compiler"
    )
}

/// Whether the address is that of no memory the kernel can have.
fn is_foreign(access: &Access) -> bool {
    let anywhere = match access.space {
        Space::Global | Space::Generic => true,
        Space::Shared | Space::Local | Space::Const | Space::Param => false,
    };
    anywhere && access.nearest.is_none()
}

/// An access to what is no device memory at all.
fn foreign(access: &Access) -> String {
    let (verb, bytes, address) = (
        verb(access.write, access.atomic),
        Bytes(access.bytes.into()),
        access.address,
    );
    if address < 4096 {
        return format!("null pointer: {verb} of {bytes} at address {address:#x}");
    }
    // Of these the runtime knows the variable.
    if Window::NOWHERE.find(address as usize).is_some() {
        return format!("{verb} of {bytes} at address {address:#x}");
    }
    format!(
        "not device memory: {verb} of {bytes} at address {address:#x}; is it a pointer of the host's that was \
         copied with its struct or array, but not attached?"
    )
}

/// The access that failed, for faults that have one.
fn accessed(kind: &FaultKind) -> Option<&Access> {
    match kind {
        FaultKind::OutOfBounds(access)
        | FaultKind::UseAfterFree(access)
        | FaultKind::Generic(access)
        | FaultKind::Misaligned(access)
        | FaultKind::ReadOnly(access)
        | FaultKind::Uninitialised(access)
        | FaultKind::Stale(access)
        | FaultKind::NotReadOnly { access, .. }
        | FaultKind::Race { access, .. } => Some(access),
        FaultKind::Unsilenced { access, .. } => access.as_ref(),
        FaultKind::Launch { .. }
        | FaultKind::DivergentBarrier { .. }
        | FaultKind::InactiveLane { .. }
        | FaultKind::NotInMask { .. }
        | FaultKind::Deadlock { .. }
        | FaultKind::BadFree { .. }
        | FaultKind::BadCall { .. }
        | FaultKind::StackOverflow
        | FaultKind::Trap
        | FaultKind::Assert { .. }
        | FaultKind::InstructionLimit { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ptx_sim::{Nearest, OtherAccess, ThreadId};

    fn access(offset: i64, nearest: bool) -> Access {
        let base: u64 = 0x0ac0_0001_0000_0000;
        Access {
            space: Space::Global,
            address: base.wrapping_add_signed(offset),
            bytes: 4,
            write: false,
            atomic: false,
            nearest: nearest.then(|| Nearest {
                base,
                bytes: 400,
                label: Some("a".to_owned()),
                offset,
            }),
        }
    }

    fn thread(lane: u32) -> ThreadId {
        ThreadId {
            block: [2, 0, 0],
            thread: [lane, 1, 0],
        }
    }

    fn place(line: u32) -> Place {
        Place {
            function: "accrue_k0_0".to_owned(),
            source: Some(("x.c".to_owned(), line)),
            ptx_line: 1,
        }
    }

    fn said(kind: FaultKind) -> String {
        let fault = accrue_ptx_sim::Fault {
            kind,
            kernel: "accrue_k0_0".to_owned(),
            thread: Some(thread(5)),
            place: Some(place(9)),
            callers: vec![],
        };
        report(&fault).message
    }

    #[test]
    fn bounds() {
        let said = |offset| said(FaultKind::OutOfBounds(access(offset, true)));
        assert_eq!(
            said(400),
            "out of bounds: read of 4 bytes just past the end of 'a' (400 bytes), element 100\n  \
             by gang 2, worker 1, lane 5"
        );
        assert!(said(-4).contains("4 bytes before 'a' (400 bytes), element -1"));
    }

    #[test]
    fn no_device_memory() {
        let at = |address| {
            said(FaultKind::OutOfBounds(Access {
                address,
                ..access(0, false)
            }))
        };
        assert!(at(8).starts_with("null pointer: read of 4 bytes at address 0x8"));
        assert!(at(0x7ffd_0000_1000).starts_with("not device memory: read of 4 bytes"));
    }

    #[test]
    fn both_sides_of_a_race() {
        let other = OtherAccess {
            thread: thread(4),
            place: place(8),
            write: true,
            atomic: false,
        };
        assert_eq!(
            said(FaultKind::Race {
                access: access(20, true),
                other: Box::new(other)
            }),
            "race: read of 4 bytes at byte 20 of 'a' (400 bytes), element 5\n  by gang 2, worker 1, lane 5\n  \
             not ordered with: write by gang 2, worker 1, lane 4 at x.c:8"
        );
    }
}
