//! Parts of messages about a simulated kernel: an access, a thread, a place.

use accrue_ptx_sim::{Access, Nearest, OtherAccess, Place, Space, ThreadId, Waiting};
use std::fmt::{Display, Formatter, Result};

/// What is done to memory.
pub fn verb(write: bool, atomic: bool) -> &'static str {
    match (write, atomic) {
        (_, true) => "atomic operation",
        (true, false) => "write",
        (false, false) => "read",
    }
}

/// `read of 4 bytes at byte 128 of 'a' (4000 bytes), element 32`
pub struct Accessed<'a>(pub &'a Access);

impl Display for Accessed<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let access = self.0;
        write!(
            f,
            "{} of {} ",
            verb(access.write, access.atomic),
            Bytes(access.bytes.into())
        )?;
        match &access.nearest {
            Some(nearest) => at(f, nearest, access.bytes),
            None => write!(f, "of {} at {:#x}", memory(access.space), access.address),
        }
    }
}

fn at(f: &mut Formatter<'_>, nearest: &Nearest, size: u32) -> Result {
    let whole = match &nearest.label {
        Some(label) => format!("'{label}' ({})", Bytes(nearest.bytes)),
        None => format!("{} of device memory", Bytes(nearest.bytes)),
    };
    let past = nearest.offset.checked_sub_unsigned(nearest.bytes);
    match past {
        _ if nearest.offset < 0 => {
            let before = nearest.offset.unsigned_abs();
            write!(f, "{} before {whole}", Bytes(before))?;
        }
        Some(0) => write!(f, "just past the end of {whole}")?,
        Some(past) if past > 0 => {
            write!(f, "{} past the end of {whole}", Bytes(past.unsigned_abs()))?;
        }
        Some(_) | None => write!(f, "at byte {} of {whole}", nearest.offset)?,
    }
    let size = i64::from(size);
    let is_an_element = size > 0 && size <= 8 && nearest.offset % size == 0;
    if is_an_element && nearest.bytes > size.unsigned_abs() {
        write!(f, ", element {}", nearest.offset / size)?;
    }
    Ok(())
}

/// `1 byte`, `4 bytes`
pub struct Bytes(pub u64);

impl Display for Bytes {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} byte{}", self.0, if self.0 == 1 { "" } else { "s" })
    }
}

/// What OpenACC calls the memory of a state space.
fn memory(space: Space) -> &'static str {
    match space {
        Space::Shared => "gang-private memory",
        Space::Local => "private memory",
        Space::Global | Space::Const | Space::Param | Space::Generic => "device memory",
    }
}

/// The lines of the source that places have.
pub fn lines_of(places: &[Place]) -> impl Iterator<Item = &(String, u32)> {
    places.iter().filter_map(|place| place.source.as_ref())
}

/// `gang 0, worker 0, lane 32`
pub struct Thread<'a>(pub &'a ThreadId);

impl Display for Thread<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let ([gang, ..], [lane, worker, _]) = (self.0.block, self.0.thread);
        write!(f, "gang {gang}, worker {worker}, lane {lane}")
    }
}

/// `x.c:9 in function f`
pub struct At<'a>(pub &'a Place);

impl Display for At<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match &self.0.source {
            Some((file, line)) => write!(f, "{file}:{line} in function {}", self.0.function),
            None => write!(
                f,
                "line {} of the GPU code, in function {}",
                self.0.ptx_line, self.0.function
            ),
        }
    }
}

/// `write by gang 0, worker 0, lane 31 at x.c:9`
pub struct Other<'a>(pub &'a OtherAccess);

impl Display for Other<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let other = self.0;
        let (verb, thread) = (verb(other.write, other.atomic), Thread(&other.thread));
        match &other.place.source {
            Some((file, line)) => write!(f, "{verb} by {thread} at {file}:{line}"),
            None => write!(f, "{verb} by {thread} at {}", At(&other.place)),
        }
    }
}

/// `gang 0, worker 0, lane 3 and 7 more lanes wait at x.c:9 in function f: …`
pub struct Waits<'a>(pub &'a Waiting);

impl Display for Waits<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Waiting {
            thread,
            threads,
            place,
            reason,
        } = self.0;
        let others = threads.saturating_sub(1);
        write!(
            f,
            "{} and {others} more lanes wait at {}: {reason}",
            Thread(thread),
            At(place)
        )
    }
}
