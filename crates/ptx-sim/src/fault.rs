//! What can go wrong: texts that do not load, addresses of the host's that are wrong, kernels that fail.

use crate::Single;
use std::fmt;
use thiserror::Error;

/// PTX text that cannot be loaded: not PTX, or an instruction that the simulator does not know.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("PTX line {line}: {message}")]
pub struct LoadError {
    /// Line in the PTX text, from 1.
    pub line: u32,
    pub message: String,
}

impl LoadError {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> Self {
        LoadError {
            line,
            message: message.into(),
        }
    }
}

/// The host named device memory that is not there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("device address {address:#x}, {bytes} bytes: {}{}", if *.freed { "freed memory" } else { "not in any allocation" }, near(nearest))]
pub struct AddressError {
    pub address: u64,
    pub bytes: u64,
    /// The memory has been there.
    pub freed: bool,
    pub nearest: Option<Nearest>,
}

/// The allocation nearest to an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    pub base: u64,
    pub bytes: u64,
    /// Name of a variable of the module, or what was given to `Gpu::alloc_labelled`.
    pub label: Option<String>,
    /// The address minus `base`: negative before, >= `bytes` behind the allocation.
    pub offset: i64,
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self
            .label
            .as_deref()
            .map_or_else(String::new, |l| format!(" `{l}`"));
        let (bytes, base) = (self.bytes, self.base);
        if self.offset < 0 {
            write!(
                f,
                "{} bytes before the {bytes} bytes{name} at {base:#x}",
                self.offset.unsigned_abs()
            )
        } else if self.offset as u64 >= bytes {
            write!(
                f,
                "{} bytes behind the end of the {bytes} bytes{name} at {base:#x}",
                self.offset as u64 - bytes
            )
        } else {
            write!(
                f,
                "at byte {} of the {bytes} bytes{name} at {base:#x}",
                self.offset
            )
        }
    }
}

fn near(nearest: &Option<Nearest>) -> String {
    nearest
        .as_ref()
        .map_or_else(String::new, |n| format!(", {n}"))
}

/// State spaces of PTX that memory accesses go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    Global,
    Shared,
    Local,
    Const,
    Param,
    /// An address that is in none of the windows.
    Generic,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Const => "constant",
            Space::Param => "parameter",
            Space::Generic => "generic",
        })
    }
}

/// One access to memory by one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    pub space: Space,
    pub address: u64,
    pub bytes: u32,
    pub write: bool,
    pub atomic: bool,
    /// Global memory: the allocation it is in, or the nearest. Shared memory: the variable, where known.
    pub nearest: Option<Nearest>,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match (self.atomic, self.write) {
            (true, _) => "atomic operation on",
            (false, true) => "write of",
            (false, false) => "read of",
        };
        write!(
            f,
            "{what} {} bytes of {} memory at {:#x}{}",
            self.bytes,
            self.space,
            self.address,
            near(&self.nearest)
        )
    }
}

/// Coordinates of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ThreadId {
    pub block: [u32; 3],
    pub thread: [u32; 3],
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([bx, by, bz], [tx, ty, tz]) = (self.block, self.thread);
        write!(f, "block ({bx},{by},{bz}) thread ({tx},{ty},{tz})")
    }
}

/// A place in the source, from `.loc`; without `.loc`, the line in the PTX text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Function of the PTX text.
    pub function: String,
    /// Absent when there is no `.loc`.
    pub source: Option<(String, u32)>,
    pub ptx_line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some((file, line)) => write!(f, "{file}:{line}")?,
            None => write!(f, "PTX line {}", self.ptx_line)?,
        }
        write!(f, " in {}", self.function)
    }
}

/// Lanes of a warp that wait, for a report of a deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The first of the waiting threads.
    pub thread: ThreadId,
    /// How many threads of its warp wait with it.
    pub threads: u32,
    pub place: Place,
    /// For what, in words.
    pub reason: String,
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} (and {} more of its warp) at {}: {}",
            self.thread,
            self.threads.saturating_sub(1),
            self.place,
            self.reason
        )
    }
}

/// What went wrong in a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The launch cannot be: shape, shared memory or parameters are wrong.
    Launch {
        reason: String,
    },
    OutOfBounds(Access),
    UseAfterFree(Access),
    /// The instruction names shared or local memory, and the address is not an offset in it but a generic one.
    Generic(Access),
    /// The address is not a multiple of the access's size.
    Misaligned(Access),
    /// A write to constant memory or to a kernel's parameters.
    ReadOnly(Access),
    Uninitialised(Access),
    /// The host has newer values, says `Gpu::set_stale`.
    Stale(Access),
    /// `access` and the earlier `other` touch the same bytes, and nothing orders them.
    Race {
        access: Access,
        other: Box<OtherAccess>,
    },
    /// Not all lanes of the warp came to the same barrier.
    DivergentBarrier {
        barrier: u32,
        waiting: Vec<Waiting>,
    },
    /// A shuffle takes its value from a lane that does not take part in it.
    InactiveLane {
        lane: u32,
    },
    /// A lane executes a `.sync` instruction whose member mask does not name it.
    NotInMask {
        mask: u32,
    },
    Deadlock {
        waiting: Vec<Waiting>,
    },
    /// A lane other than the first has an effect (an access, or a call of the system) where the compiler says that the
    /// code is in a single mode.
    Unsilenced {
        single: Single,
        access: Option<Access>,
    },
    /// A load that says that nobody writes the bytes during the launch (`ld.global.nc`), and a write of them.
    NotReadOnly {
        access: Access,
        other: Box<OtherAccess>,
    },
    /// `free` of an address that `malloc` did not give.
    BadFree {
        address: u64,
    },
    /// An indirect call to something that is no function, or with other parameters.
    BadCall {
        address: u64,
    },
    /// Calls are nested too deep, or local memory is used up.
    StackOverflow,
    /// `trap` or `brkpt`.
    Trap,
    /// `__assertfail`.
    Assert {
        message: String,
        file: String,
        line: u32,
        function: String,
    },
    /// `Options::instruction_limit` is reached.
    InstructionLimit {
        limit: u64,
    },
}

/// The earlier of two accesses of a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherAccess {
    pub thread: ThreadId,
    pub place: Place,
    pub write: bool,
    pub atomic: bool,
}

impl OtherAccess {
    fn what(&self) -> &'static str {
        match (self.atomic, self.write) {
            (true, _) => "atomic operation",
            (false, true) => "write",
            (false, false) => "read",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::Launch { reason } => write!(f, "cannot launch: {reason}"),
            FaultKind::OutOfBounds(a) => write!(f, "{a}: out of bounds"),
            FaultKind::UseAfterFree(a) => write!(f, "{a}: the memory has been freed"),
            FaultKind::Generic(a) => {
                write!(
                    f,
                    "{a}: a generic address, where an offset in this memory belongs"
                )
            }
            FaultKind::Misaligned(a) => write!(f, "{a}: misaligned address"),
            FaultKind::ReadOnly(a) => write!(f, "{a}: the memory is read-only"),
            FaultKind::Uninitialised(a) => write!(f, "{a}: nothing has been written there"),
            FaultKind::Stale(a) => write!(f, "{a}: the host has newer values"),
            FaultKind::Race { access, other } => {
                write!(
                    f,
                    "{access}: race with the {} by {} at {}",
                    other.what(),
                    other.thread,
                    other.place
                )
            }
            FaultKind::DivergentBarrier { barrier, waiting } => {
                write!(
                    f,
                    "barrier {barrier} is not reached by all lanes of the warp"
                )?;
                waiting.iter().try_for_each(|w| write!(f, "\n  {w}"))
            }
            FaultKind::InactiveLane { lane } => {
                write!(f, "shuffle reads lane {lane}, which does not take part")
            }
            FaultKind::NotInMask { mask } => {
                write!(f, "the lane is not in the member mask {mask:#010x}")
            }
            FaultKind::Deadlock { waiting } => {
                write!(f, "deadlock: no thread of the block can go on")?;
                waiting.iter().try_for_each(|w| write!(f, "\n  {w}"))
            }
            FaultKind::Unsilenced { single, access } => {
                let group = match single {
                    Single::No => "thread",
                    Single::Worker => "worker",
                    Single::Block => "block",
                };
                match access {
                    Some(access) => write!(f, "{access}")?,
                    None => write!(f, "call of the system")?,
                }
                write!(f, ": only the first thread of the {group} is to do this")
            }
            FaultKind::NotReadOnly { access, other } => {
                let (what, load) = (
                    other.what(),
                    "a load with .nc says that nobody writes there",
                );
                write!(
                    f,
                    "{access}: {what} by {} at {}; {load}",
                    other.thread, other.place
                )
            }
            FaultKind::BadFree { address } => {
                write!(f, "free of {address:#x}, which malloc did not give")
            }
            FaultKind::BadCall { address } => {
                write!(f, "call of {address:#x}, which is no fitting function")
            }
            FaultKind::StackOverflow => write!(f, "calls are nested too deep"),
            FaultKind::Trap => write!(f, "trap"),
            FaultKind::Assert {
                message,
                file,
                line,
                function,
            } => {
                write!(f, "{file}:{line}: {function}: assertion `{message}` failed")
            }
            FaultKind::InstructionLimit { limit } => {
                write!(f, "no end after {limit} instructions of a warp")
            }
        }
    }
}

/// A kernel failed. The launch has ended; device memory is as the kernel left it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Fault {
    pub kind: FaultKind,
    pub kernel: String,
    /// Absent for faults of the whole launch or block.
    pub thread: Option<ThreadId>,
    pub place: Option<Place>,
    /// Where the function of `place` was called, and its caller, and so on to the kernel.
    pub callers: Vec<Place>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {}: {}", self.kernel, self.kind)?;
        if let Some(thread) = &self.thread {
            write!(f, "; {thread}")?;
        }
        if let Some(place) = &self.place {
            write!(f, "; at {place}")?;
        }
        Ok(())
    }
}
