//! A kernel ready to run: instructions with resolved operands, and what goes with them.

use crate::{
    Place, Space,
    alu::{Alu, PredSrc, Row, Src},
    ast::{Single, Ty},
};
use std::sync::Arc;

/// A kernel with all functions that it can call, in one array of instructions.
pub struct Program {
    pub code: Vec<Inst>,
    /// Per instruction, an index into `places`.
    pub place_of: Vec<u32>,
    /// Per instruction, the single mode that the compiler says it is in.
    pub single_of: Vec<Single>,
    pub places: Vec<Place>,
    pub constants: Arc<[Row]>,
    /// The first is the kernel.
    pub functions: Vec<Function>,
    pub static_shared: u32,
    pub shared_variables: Vec<SharedVariable>,
    /// How many memory instructions there are; each has a number of its own for caches.
    pub slots: u32,
}

pub struct SharedVariable {
    pub name: String,
    pub offset: u32,
    pub bytes: u32,
}

pub struct Function {
    pub name: String,
    /// What a pointer to the function holds.
    pub address: u64,
    pub entry: u32,
    pub registers: u32,
    pub preds: u32,
    /// Bytes of local memory: parameters, results, `.local` variables, arguments of calls.
    pub frame: u32,
    /// Where parameters and results are.
    pub params: Vec<Home>,
    pub results: Vec<Home>,
}

/// Where a function has a parameter or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// Offset in the frame, bytes.
    Frame(u32, u32),
    Register(u32),
    Pred(u32),
}

pub const NO_GUARD: PredSrc = PredSrc::TRUE;
/// No reconvergence point: lanes meet where the function returns.
pub const NO_PC: u32 = u32::MAX;

pub struct Inst {
    pub guard: PredSrc,
    pub op: Op,
}

pub enum Op {
    Alu(Alu),
    Load(Access),
    Store(Access),
    Atomic(Atomic),
    AtomicWide(Box<AtomicWide>),
    AsyncCopy(Box<AsyncCopy>),
    AsyncCommit,
    /// Until at most so many groups are under way; `None`: until no copy is.
    AsyncWait {
        groups: Option<u32>,
    },
    /// Address of a variable in the frame, in generic space or (`false`) in local space.
    FrameAddress {
        d: u32,
        offset: u32,
    },
    Branch {
        target: u32,
        join: u32,
    },
    BranchTable {
        index: Src,
        targets: Box<[u32]>,
        join: u32,
    },
    Call(Box<Call>),
    Return,
    Exit,
    Trap,
    Fence,
    /// By the end of the kernel, the block adds to so many bytes at the address.
    Contribute {
        address: Src,
        bytes: u32,
    },
    /// Nothing that a simulator has to do: `nanosleep`, prefetches.
    Nothing,
    Clock {
        d: u32,
        clock: Clock,
    },
    ActiveMask {
        d: u32,
    },
    Barrier(Barrier),
    Sync(Sync),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    Cycles32,
    Cycles64,
    CyclesHigh,
    Nanoseconds,
    NanosecondsLow,
    NanosecondsHigh,
}

/// `ld`, `st`.
pub struct Access {
    pub space: Space,
    pub address: Src,
    /// The address is relative to the frame.
    pub frame: bool,
    pub offset: i64,
    pub ty: Ty,
    /// Elements, and the registers they go to or come from.
    pub count: u32,
    pub to: [u32; 8],
    pub from: [Src; 8],
    /// Width of the destination registers.
    pub width: u32,
    /// `volatile`, `relaxed`, `acquire`, `release`: may be waiting for another thread, and does not race.
    pub strong: bool,
    /// `.nc`: nobody writes the bytes during the launch.
    pub read_only: bool,
    pub slot: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareAndSwap,
    Increment,
    Decrement,
}

/// `atom`, `red`.
pub struct Atomic {
    pub op: AtomicOp,
    pub ty: Ty,
    pub space: Space,
    pub address: Src,
    pub frame: bool,
    pub offset: i64,
    pub d: u32,
    pub b: Src,
    pub c: Src,
    pub slot: u32,
}

/// `atom` with 128 bits: exchange, or compare and swap. Low half first.
pub struct AtomicWide {
    pub at: Pointer,
    pub d: [u32; 2],
    pub b: [Src; 2],
    /// The new value, of compare and swap.
    pub c: [Src; 2],
    pub compares: bool,
}

/// An address operand.
#[derive(Clone, Copy)]
pub struct Pointer {
    pub space: Space,
    pub address: Src,
    /// The address is relative to the frame.
    pub frame: bool,
    pub offset: i64,
    pub slot: u32,
}

/// `cp.async` from global to shared memory.
pub struct AsyncCopy {
    pub to: Pointer,
    pub from: Pointer,
    pub bytes: u32,
    /// How many of the bytes are read; the others are zero.
    pub source_bytes: Option<Src>,
}

/// What a call gives or takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actual {
    /// Offset in the caller's frame, bytes.
    Frame(u32, u32),
    Value(Src, u32),
    Pred(PredSrc),
    Register(u32),
    PredRegister(u32),
    Nowhere,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    Function(u32),
    Indirect(Src),
    Builtin(Builtin),
}

/// Functions that the system provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    Printf,
    Malloc,
    Free,
    AssertFail,
}

impl Builtin {
    pub fn named(name: &str) -> Option<Builtin> {
        Some(match name {
            "vprintf" => Builtin::Printf,
            "malloc" => Builtin::Malloc,
            "free" => Builtin::Free,
            "__assertfail" => Builtin::AssertFail,
            _ => return None,
        })
    }
}

pub struct Call {
    pub callee: Callee,
    pub arguments: Vec<Actual>,
    pub results: Vec<Actual>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vote {
    Popc,
    And,
    Or,
}

/// `bar`, `barrier`.
pub struct Barrier {
    pub id: Src,
    pub threads: Option<Src>,
    /// `arrive` does not wait.
    pub wait: bool,
    pub aligned: bool,
    /// `red`: operation, destination, source.
    pub reduce: Option<(Vote, u32, PredSrc)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShuffleMode {
    Up,
    Down,
    Butterfly,
    Index,
}

/// `.sync` instructions of a warp.
pub struct Sync {
    pub mask: Src,
    pub op: SyncOp,
}

pub enum SyncOp {
    /// `bar.warp.sync`
    Warp,
    Shuffle {
        mode: ShuffleMode,
        d: u32,
        p: u32,
        a: Src,
        b: Src,
        c: Src,
    },
    /// Destination is a predicate, for ballot a register.
    VoteAll {
        d: u32,
        p: PredSrc,
    },
    VoteAny {
        d: u32,
        p: PredSrc,
    },
    VoteUniform {
        d: u32,
        p: PredSrc,
    },
    Ballot {
        d: u32,
        p: PredSrc,
    },
    MatchAny {
        d: u32,
        a: Src,
    },
    MatchAll {
        d: u32,
        p: u32,
        a: Src,
    },
    Reduce {
        op: AtomicOp,
        ty: Ty,
        d: u32,
        a: Src,
    },
    Elect {
        d: u32,
        p: u32,
    },
}

/// Special registers that do not change while a warp runs, by their row in `Registers::special`.
pub const SPECIAL: [&str; 27] = [
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%dynamic_smem_size",
    "%total_smem_size",
    "WARP_SZ",
    "%reserved_smem_offset_begin",
];

/// Where static shared memory starts: what is below belongs to the system, as on real GPUs.
pub const SHARED_START: u32 = 1024;
/// Where local memory starts.
pub const LOCAL_START: u32 = 256;

impl Program {
    /// The single mode of an instruction.
    pub fn single(&self, pc: u32) -> Single {
        self.single_of.get(pc as usize).copied().unwrap_or_default()
    }

    /// The source position of an instruction.
    pub fn place(&self, pc: u32) -> Option<&Place> {
        self.places.get(*self.place_of.get(pc as usize)? as usize)
    }
}
