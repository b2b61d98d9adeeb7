//! A function on its way through the steps of [`super`], and what is known about it.

use super::{
    at::{Emitter, GpuAt},
    limits::{Blocks, Limits, WARP},
    modes::Mode,
    reduce,
    target::Target,
};
use crate::{
    dialect::{Quantity, Scope, Shared, SharedVariable},
    expanded::{Single, Storage},
    layout::{Records, extent},
};
use accrue_dialects::{
    core::{Alloca, BinKind, CmpKind},
    par::Kernel,
};
use accrue_ir::walk::ops_of_block;
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Which threads run what is inside an operation that `expand` has added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The leader of the group.
    Leader,
    /// Several threads, each with work of its own.
    Some,
}

/// Scratch memory that a kernel asks for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scratch {
    pub gang_bytes: u64,
    pub worker_bytes: u64,
    pub used: bool,
}

/// A function and its state.
pub struct Unit {
    pub function: FuncOp,
    pub name: String,
    /// What a kernel says about itself; absent for functions that kernels call.
    pub kernel: Option<Kernel>,
    /// The mode in which the function starts.
    pub base: Mode,
    pub target: Target,
    pub limits: Limits,
    /// What is known about the blocks of every launch; absent for functions that kernels call.
    pub blocks: Option<Blocks>,
    /// Launches may have a grid of several dimensions.
    pub has_gang_dims: bool,
    /// The function calls itself, directly or through others.
    pub recursive: bool,
    /// By `core.alloca`; absent: memory of the thread.
    pub storage: HashMap<Ptr<Operation>, Storage>,
    pub guards: HashMap<Ptr<Operation>, Guard>,
    /// Operations with effects in single modes.
    pub single: HashMap<Ptr<Operation>, Single>,
    pub scratch: Scratch,
    /// `simt.shared` of slots of which two sets are used in turns.
    pub alternating: HashSet<Ptr<Operation>>,
    /// Static shared memory in bytes.
    pub shared_bytes: u64,
    /// The kernel of further launches, which end what a launch of this one began.
    pub halving: Option<FuncOp>,
    /// What its reductions share.
    pub reduce: reduce::State,
    leaders: BTreeMap<Mode, Value>,
    slots: u32,
}

impl Unit {
    /// `limits`: with whether launches may have a grid of several dimensions.
    pub fn new(
        function: FuncOp,
        name: &str,
        kernel: Option<Kernel>,
        base: Mode,
        target: Target,
        (limits, has_gang_dims): (Limits, bool),
        reduce: reduce::State,
    ) -> Self {
        Unit {
            function,
            name: name.to_string(),
            kernel,
            base,
            target,
            limits,
            blocks: None,
            has_gang_dims,
            recursive: false,
            storage: HashMap::new(),
            guards: HashMap::new(),
            single: HashMap::new(),
            scratch: Scratch::default(),
            alternating: HashSet::new(),
            shared_bytes: 0,
            halving: None,
            reduce,
            leaders: BTreeMap::new(),
            slots: 0,
        }
    }

    /// The lanes of every launch, if it is known.
    pub fn exact_lanes(&self) -> Option<u32> {
        let partial_results = self.scratch.gang_bytes > 0;
        match self.limits.max_vector {
            short if short < WARP => Some(short),
            _ => self.blocks?.lanes(self.limits, partial_results),
        }
    }

    /// The threads that do the same in `mode`: whom a barrier is for.
    pub fn scope(&self, mode: Mode) -> Scope {
        let lanes = self.limits.max_vector;
        let threads = if mode.worker {
            lanes
        } else {
            lanes * self.limits.max_workers
        };
        match (threads <= self.target.subgroup, mode.worker) {
            (true, _) => Scope::Subgroup,
            // There is one worker then, which is the group.
            (false, true) if !self.target.partial_barriers => Scope::Group,
            (false, true) => Scope::Worker,
            (false, false) => Scope::Group,
        }
    }

    /// How many lanes of a sub-group do the same in `mode`.
    pub fn lanes(&self, mode: Mode) -> u32 {
        match mode.worker {
            true => self.limits.max_vector.min(self.target.subgroup),
            false => self.target.subgroup,
        }
    }

    /// How many threads have a slot of their own at most: the first of each sub-group.
    pub fn slots_of_block(&self) -> u32 {
        let threads = self.limits.max_workers * self.limits.max_vector;
        threads.div_ceil(self.target.subgroup)
    }

    /// Whether this thread is the first of its sub-group.
    pub fn leads_subgroup(&self, at: &mut Emitter) -> Value {
        match self.target.has_subgroups() {
            true => at.is_zero(Quantity::SubgroupLane),
            false => at.int(1, 1),
        }
    }

    /// Whether each thread has work of its own in `mode`: in vector loops, and everywhere in a worker of one lane.
    pub fn is_alone(&self, mode: Mode) -> bool {
        mode.vector || (mode.worker && self.limits.max_vector == 1)
    }

    /// Whether only the first worker runs vector loops in `mode`.
    pub fn has_idle_workers(&self, mode: Mode) -> bool {
        !mode.worker && self.limits.max_workers > 1
    }

    /// Whether this thread is the leader of its group, computed once at the start of the function.
    pub fn leader(&mut self, ctx: &mut Context, mode: Mode) -> Value {
        let several = self.has_idle_workers(mode);
        let key = if several { Mode::BLOCK } else { Mode::WORKER };
        if let Some(known) = self.leaders.get(&key) {
            return *known;
        }
        let mut at = self.at_start(ctx);
        let leader = if several {
            let lane = at.query(Quantity::Lane);
            let worker = at.query(Quantity::Worker);
            let both = at.bin(BinKind::Or, lane, worker);
            let zero = at.i32(0);
            at.cmp(CmpKind::Eq, both, zero)
        } else {
            at.is_zero(Quantity::Lane)
        };
        self.leaders.insert(key, leader);
        leader
    }

    /// The number of this gang among those of all dimensions, as `i64`.
    pub fn gang(&self, at: &mut Emitter) -> Value {
        let x = at.query_wide(Quantity::GroupX);
        if !self.has_gang_dims {
            return x;
        }
        let (y, z) = (
            at.query_wide(Quantity::GroupY),
            at.query_wide(Quantity::GroupZ),
        );
        let sizes = (
            at.query_wide(Quantity::GroupsX),
            at.query_wide(Quantity::GroupsY),
        );
        let before = at.bin(BinKind::Mul, z, sizes.1);
        let row = at.bin(BinKind::Add, before, y);
        let before = at.bin(BinKind::Mul, row, sizes.0);
        at.bin(BinKind::Add, before, x)
    }

    /// The number of gangs, of all dimensions together, as `i64`.
    pub fn gangs(&self, at: &mut Emitter) -> Value {
        let x = at.query_wide(Quantity::GroupsX);
        if !self.has_gang_dims {
            return x;
        }
        let y = at.query_wide(Quantity::GroupsY);
        let z = at.query_wide(Quantity::GroupsZ);
        let rows = at.bin(BinKind::Mul, y, z);
        at.bin(BinKind::Mul, x, rows)
    }

    /// At the start of the function.
    pub fn at_start<'a>(&self, ctx: &'a mut Context) -> Emitter<'a> {
        let entry = self.function.get_entry_block(ctx);
        let first = ops_of_block(ctx, entry).first().copied();
        Emitter::before(ctx, first.unwrap_or(self.function.get_operation()))
    }

    /// A new shared variable of `count` objects of type `ty`; gives the address of the first.
    pub fn slots(&mut self, at: &mut Emitter, ty: TypeHandle, count: u32) -> Value {
        let size = extent(at.ctx, &Records::default(), ty).map_or((16, 16), |e| (e.size, e.align));
        let variable = SharedVariable {
            name: format!("{}_slot{}", self.name, self.slots),
            bytes: size.0 * u64::from(count),
            align: size.1,
        };
        self.slots += 1;
        self.shared_bytes += variable.bytes;
        at.make(|c| Shared::new(c, ty, variable))
    }
}

/// A new register of each thread.
pub fn register(at: &mut Emitter, unit: &mut Unit, ty: TypeHandle) -> Value {
    let variable = at.op(|c| Alloca::new(c, ty, None));
    unit.storage
        .insert(variable.get_operation(), Storage::Register);
    variable.get_result(at.ctx)
}
