//! What [`expand`](crate::expand) hands to a back end: functions in `core` and the `simt` dialect, and where their variables live.

use crate::{diagnostic::Diagnostic, layout::Records, reduce::report::Chosen};
use accrue_dialects::core::Externs;
use accrue_hostcall::SimtForm;
use pliron::{builtin::ops::FuncOp, context::Ptr, operation::Operation};
use std::collections::HashMap;

/// Where the variable of a `core.alloca` lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// A scalar that is only loaded from and stored to directly (not volatile): registers that change their value.
    Register,
    /// Memory of the thread. Also what an alloca has that is not in the map.
    Local,
    /// Static shared memory of the block.
    Shared,
    /// Dynamic shared memory, at worker * `shared_worker_bytes` + offset.
    SharedWorker { offset: u64 },
    /// Scratch memory of the gang, `offset` bytes from its start. Only in kernels.
    ScratchGang { offset: u64 },
    /// Scratch memory of the worker, `offset` bytes from its start. Only in kernels.
    ScratchWorker { offset: u64 },
}

/// The group of threads that all run an operation, of which the first one has the effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Single {
    Worker,
    Block,
}

/// A kernel without code for the target, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The kernel's function in the IR.
    pub function: String,
    pub reason: Diagnostic,
}

/// A kernel ready to be printed.
#[derive(Clone)]
pub struct ExpandedKernel {
    /// Name of the function in the IR.
    pub name: String,
    pub function: FuncOp,
    /// Without a fast version, which is the back end's affair.
    pub form: SimtForm,
    /// The kernel whose launches this one ends ([`crate::reduce`]); it has no form of its own then.
    pub ends: Option<String>,
    /// The algorithms of its reductions and of those of the functions it calls.
    pub reductions: Vec<Chosen>,
}

/// Everything that is printed.
#[derive(Clone, Default)]
pub struct Expanded {
    pub records: Records,
    /// Functions that kernels call, directly or not.
    pub functions: Vec<FuncOp>,
    /// In the order of sites and their kernels, without those skipped.
    pub kernels: Vec<ExpandedKernel>,
    /// Kernels that the target cannot run.
    pub skipped: Vec<Skipped>,
    /// Functions from outside.
    pub externs: Externs,
    /// By `core.alloca`.
    pub storage: HashMap<Ptr<Operation>, Storage>,
    /// Operations with effects that one thread of a group is to have.
    pub single: HashMap<Ptr<Operation>, Single>,
    /// For some newer device other algorithms would have been chosen.
    pub newer_differ: bool,
}
