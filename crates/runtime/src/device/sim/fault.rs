//! What a kernel did wrong, in the terms of OpenACC.

use crate::device::Fault;
use accrue_ptx_sim::{Access, FaultKind};
use std::fmt::Write;

/// A fault in the terms of OpenACC.
pub fn report(fault: &accrue_ptx_sim::Fault) -> Fault {
    let mut message = fault.kind.to_string();
    if let Some(thread) = &fault.thread {
        let ([gang, ..], [lane, worker, _]) = (thread.block, thread.thread);
        let _ = write!(
            message,
            "\n  by gang {gang}, worker {worker}, lane {lane} of kernel {}",
            fault.kernel
        );
    }
    if let Some(place) = &fault.place {
        let _ = write!(message, ", at {place}");
    }
    Fault {
        message,
        source: fault.place.as_ref().and_then(|place| place.source.clone()),
        address: accessed(&fault.kind).map(|access| access.address as usize),
    }
}

/// The access that failed, for faults that have one.
fn accessed(kind: &FaultKind) -> Option<&Access> {
    match kind {
        FaultKind::OutOfBounds(access)
        | FaultKind::UseAfterFree(access)
        | FaultKind::Misaligned(access)
        | FaultKind::ReadOnly(access)
        | FaultKind::Uninitialised(access)
        | FaultKind::Race { access, .. } => Some(access),
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
