//! An access of the past, as the race checker keeps it: who, where in the code, when, which bytes, in 16 bytes.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Read,
    Write,
    /// With `.nc`: nobody writes there during the launch, says the program.
    ReadOnly,
    /// `volatile` and the like.
    StrongRead,
    /// Also atomic operations.
    StrongWrite,
    /// The block adds to the bytes by the end of the kernel, in an order with the other blocks that do.
    Contribution,
}

impl Kind {
    pub(super) fn writes(self) -> bool {
        matches!(self, Kind::Write | Kind::StrongWrite | Kind::Contribution)
    }

    /// Whether it may meet others of these kinds.
    pub(super) fn strong(self) -> bool {
        self.orders() || self == Kind::Contribution
    }

    /// Whether it brings an order about.
    pub fn orders(self) -> bool {
        matches!(self, Kind::StrongRead | Kind::StrongWrite)
    }
}

/// An access of the past, in 16 bytes: there are many.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// From the top: the warp's own clock, the instruction, the thread, which of the 4 bytes, the kind. 0: no access.
    pub(super) what: u64,
    pub(super) block: u32,
    /// How many atomic accesses all blocks had made.
    pub(super) atomics: u32,
}

pub(super) const CLOCK_AT: u32 = 38;
pub(super) const PC_AT: u32 = 17;
pub(super) const PC_MASK: u32 = (1 << (CLOCK_AT - PC_AT)) - 1;
pub(super) const THREAD_AT: u32 = 7;
pub(super) const BYTES_AT: u32 = 3;

impl Record {
    pub(super) const NONE: Record = Record {
        what: 0,
        block: 0,
        atomics: 0,
    };

    pub(super) fn bytes(self) -> u64 {
        self.what >> BYTES_AT & 0xf
    }
    pub(super) fn thread(self) -> u32 {
        (self.what >> THREAD_AT) as u32 & 0x3ff
    }
    pub(super) fn pc(self) -> u32 {
        (self.what >> PC_AT) as u32 & PC_MASK
    }
    pub(super) fn clock(self) -> u32 {
        (self.what >> CLOCK_AT) as u32
    }
    pub(super) fn kind(self) -> Kind {
        match self.what & 7 {
            0 => Kind::Read,
            1 => Kind::Write,
            2 => Kind::StrongRead,
            3 => Kind::StrongWrite,
            4 => Kind::ReadOnly,
            _ => Kind::Contribution,
        }
    }
    pub(super) fn of(self, thread: u32, bytes: u64) -> Record {
        Record {
            what: self.what | u64::from(thread) << THREAD_AT | bytes << BYTES_AT,
            ..self
        }
    }
    /// The same thread, as far as `what` and `block` say.
    pub(super) fn same_thread(self, other: Record) -> bool {
        (self.block, self.thread()) == (other.block, other.thread())
    }
}
