//! Which levels are partitioned around an operation.
//!
//! ```text
//! (block)                        every thread of the block does the same
//! par.fork Worker 1
//!   (worker)                     the lanes of a worker do the same
//!   par.fork Vector 2
//!     (lane)                     every thread has work of its own
//!   par.join Vector 2
//! par.join Worker 1
//! ```
//! `par.fork Gang` changes nothing inside a block. A vector loop outside of worker loops is run by the lanes of the first
//! worker; see [`super::first_worker`]. A function starts in the mode that its own forks ask for ([`super::calls::Kind`]).

use accrue_dialects::par::{Edge, Fork, Join, Level};
use accrue_ir::walk::{ops_of_block, regions_of};
use pliron::{
    basic_block::BasicBlock,
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    operation::Operation,
};

/// The levels, of those inside a block, that are partitioned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mode {
    pub worker: bool,
    pub vector: bool,
}

impl Mode {
    /// All threads of the block do the same.
    pub const BLOCK: Mode = Mode {
        worker: false,
        vector: false,
    };
    /// The lanes of a worker do the same.
    pub const WORKER: Mode = Mode {
        worker: true,
        vector: false,
    };
    /// Every thread on its own.
    pub const LANE: Mode = Mode {
        worker: true,
        vector: true,
    };

    /// The mode after `op`, if that is a fork or a join.
    pub fn after(self, ctx: &Context, op: Ptr<Operation>) -> Mode {
        match Edge::of(ctx, op) {
            Some(Edge::Fork(fork)) => self.with(fork.level(ctx), true),
            Some(Edge::Join(join)) => self.with(join.level(ctx), false),
            None => self,
        }
    }

    fn with(self, level: Level, partitioned: bool) -> Mode {
        match level {
            Level::Gang => self,
            Level::Worker => Mode {
                worker: partitioned,
                ..self
            },
            Level::Vector => Mode {
                vector: partitioned,
                ..self
            },
        }
    }

    /// Whether code in this mode is run by more threads on their own than code in `outer`.
    pub fn is_inside(self, outer: Mode) -> bool {
        (self.worker && !outer.worker) || (self.vector && !outer.vector)
    }
}

/// All operations of `function`, each before the ones inside it, with their modes. A join has the mode behind it. What is
/// inside operations that `skip` names is left out.
pub fn operations(
    ctx: &Context,
    function: FuncOp,
    base: Mode,
    skip: &dyn Fn(Ptr<Operation>) -> bool,
) -> Vec<(Ptr<Operation>, Mode)> {
    let mut found = vec![];
    walk(ctx, function.get_entry_block(ctx), base, skip, &mut found);
    found
}

fn walk(
    ctx: &Context,
    block: Ptr<BasicBlock>,
    base: Mode,
    skip: &dyn Fn(Ptr<Operation>) -> bool,
    found: &mut Vec<(Ptr<Operation>, Mode)>,
) {
    let mut mode = base;
    for op in ops_of_block(ctx, block) {
        let after = mode.after(ctx, op);
        let own = if Operation::is_op::<Join>(op, ctx) {
            after
        } else {
            mode
        };
        found.push((op, own));
        mode = after;
        if skip(op) {
            continue;
        }
        for region in regions_of(ctx, op) {
            let inner = region.deref(ctx).get_entry_block();
            if let Some(inner) = inner {
                walk(ctx, inner, mode, skip, found);
            }
        }
    }
}

/// The operations between the fork `ops[at]` and its join, which is in the same block: gives the join's place.
pub fn join_of(ctx: &Context, ops: &[Ptr<Operation>], at: usize) -> Option<usize> {
    let fork = Operation::get_op::<Fork>(ops[at], ctx)?;
    let (level, id) = (fork.level(ctx), fork.loop_id(ctx));
    let is_join = |op: &Ptr<Operation>| {
        Operation::get_op::<Join>(*op, ctx)
            .is_some_and(|j| j.level(ctx) == level && j.loop_id(ctx) == id)
    };
    ops[at..].iter().position(is_join).map(|n| at + n)
}
