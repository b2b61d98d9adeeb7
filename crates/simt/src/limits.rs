//! The largest block that a kernel's code has to be right for.
//!
//! The runtime launches no larger blocks, so that a kernel of 32 lanes needs no barriers of more than a warp. Without
//! clauses it takes at most 256 lanes, or 8 workers of 32 lanes.
//!
//! A worker has whole warps, unless the clauses ask for less: then several workers share a warp, and all launches have just
//! that many lanes.
//!
//! ```text
//! gang worker / vector, vector_length(8)                   32 workers of 8 lanes: a short inner loop keeps all lanes busy
//! gang worker / vector, num_workers(4) vector_length(16)   4 workers of 16 lanes
//! gang worker / vector, num_workers(3) vector_length(8)    3 workers of 32 lanes: 24 threads do not fill a warp
//! gang / vector, vector_length(8)                          1 worker of 32 lanes
//! gang / vector, all vector loops of 64 iterations         1 worker of 64 lanes: more would wait for them
//! ```
//!
//! Where a loop is spread over gangs and lanes at once, and its iterations are long, the code is right for any number of lanes up to that:
//! the launch takes as many as leave each multiprocessor some ([`Blocks::open`]).

use super::{
    analysis::versions::grid_covers,
    calls::{Calls, Kind, Levels},
    target::Target,
};
use accrue_abi::launch::{BLOCK, SHARED_WARPS, WORKERS, default_lanes, most_workers};
use accrue_dialects::{
    core::{For, Loop, fold::constant},
    flow::loop_around,
    par::{
        Barrier,
        kernels::{GRID, OPEN_SHAPE},
    },
};
use accrue_hostcall::{ClauseSize, Kernel, SiteKind};
use accrue_ir::walk::nested_ops;
use pliron::{
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};

pub use accrue_abi::launch::WARP;

/// Workers and lanes of a block at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub max_workers: u32,
    /// A multiple of 32; or the number of lanes of every launch, where several workers share a warp.
    pub max_vector: u32,
}

impl Limits {
    /// One warp.
    pub const LEAST: Limits = Limits {
        max_workers: 1,
        max_vector: WARP,
    };

    /// One thread.
    pub const ONE: Limits = Limits {
        max_workers: 1,
        max_vector: 1,
    };

    /// For a kernel; one warp if its function is unknown.
    pub fn of(calls: &Calls, kernel: &Kernel, target: &Target) -> Self {
        if target.one_lane {
            return Limits::ONE;
        }
        let Some(callee) = calls.get(&kernel.function) else {
            return Limits::LEAST;
        };
        let reached = calls.reached(&kernel.function);
        let parallel = reached.iter().any(|name| calls.kind(name) != Kind::Seq);
        Limits::new(
            kernel,
            callee.levels,
            callee.lane_iterations,
            parallel,
            target,
        )
    }

    /// For a kernel with loops of these levels, some of them in functions it calls if `calls_parallel`. Its own over lanes have
    /// `lane_iterations` at most.
    fn new(
        kernel: &Kernel,
        levels: Levels,
        lane_iterations: Option<u64>,
        calls_parallel: bool,
        target: &Target,
    ) -> Self {
        let shares = !calls_parallel && target.subgroup >= WARP && target.partial_barriers;
        let short = short_vectors(kernel, levels).filter(|_| shares);
        let known = lane_iterations.filter(|_| !calls_parallel);
        let limits = short.unwrap_or_else(|| Limits::whole_warps(kernel, levels, known));
        match target.partial_barriers {
            true => limits,
            // The lanes of a worker could not wait for each other while another worker is elsewhere.
            false => Limits {
                max_workers: 1,
                ..limits
            },
        }
    }

    fn whole_warps(kernel: &Kernel, levels: Levels, lane_iterations: Option<u64>) -> Self {
        let workers = match (levels.worker, kernel.num_workers) {
            (false, _) => 1,
            (true, ClauseSize::Constant(n)) => clamp(n, 1, BLOCK / WARP),
            (true, ClauseSize::Absent | ClauseSize::Runtime) => WORKERS,
        };
        let most = (BLOCK / workers / WARP).max(1) * WARP;
        let vector = match (levels.vector, levels.worker, kernel.vector_length) {
            (false, ..) => default_lanes(levels.worker, false, true),
            (true, _, ClauseSize::Constant(n)) => clamp(n, 1, BLOCK).next_multiple_of(WARP),
            (true, _, ClauseSize::Runtime) => most,
            (true, true, ClauseSize::Absent) => default_lanes(true, true, true),
            (true, false, ClauseSize::Absent) => {
                let default = default_lanes(false, true, true);
                lane_iterations.map_or(default, |count| {
                    // A power of two: results of lanes are combined in pairs.
                    clamp(count, WARP, default).next_power_of_two()
                })
            }
        };
        Limits {
            max_workers: workers.min(most_workers(vector, BLOCK)),
            max_vector: vector,
        }
    }

    /// For a function that is called with both.
    pub fn join(self, other: Limits) -> Self {
        Limits {
            max_workers: self.max_workers.max(other.max_workers),
            max_vector: self.max_vector.max(other.max_vector),
        }
    }
}

/// What decides how many lanes the blocks of a kernel's launches have.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    vector_length: ClauseSize,
    /// Has loops over workers.
    by_worker: bool,
    /// A loop is spread over gangs and lanes at once.
    gang_vector: bool,
    /// Each launch chooses its lanes.
    pub open: bool,
}

impl Blocks {
    /// `None` for what may be launched with a single gang of a warp.
    pub fn of(
        ctx: &Context,
        calls: &Calls,
        (kernel, site): (&Kernel, SiteKind),
        target: &Target,
    ) -> Option<Self> {
        let several = match site {
            SiteKind::Parallel => !kernel.single_gang,
            SiteKind::Kernels => !kernel.single_gang && kernel.gang_loop,
            _ => false,
        };
        let callee = calls.get(&kernel.function)?;
        let levels = callee.levels;
        let gang_vector = kernel.trip.as_ref().is_some_and(|trip| trip.vector);
        let function = callee.function.get_operation();
        // Where lanes are sub-groups, results of any number of them are combined in the same way.
        let any = target.subgroup >= WARP && target.partial_barriers;
        let free = any && gang_vector && !levels.worker && OPEN_SHAPE.is_on(ctx, function);
        (several && levels.vector).then(|| Blocks {
            vector_length: kernel.vector_length,
            by_worker: levels.worker,
            gang_vector,
            open: free && has_long_iterations(ctx, function) && !relies_on_lanes(ctx, function),
        })
    }

    /// The lanes of every launch, if no clause is evaluated at run time.
    pub fn lanes(self, limits: Limits, partial_results: bool) -> Option<u32> {
        match (self.vector_length, self.by_worker) {
            _ if self.open => None,
            (ClauseSize::Runtime, _) => None,
            (ClauseSize::Constant(_), _) | (ClauseSize::Absent, true) => Some(limits.max_vector),
            (ClauseSize::Absent, false) => {
                let large_gangs = self.gang_vector || partial_results;
                Some(default_lanes(false, true, large_gangs).min(limits.max_vector))
            }
        }
    }
}

/// Iterations of a loop inside another that make each of the other's long.
const MANY: i128 = 32;

/// Whether iterations of the kernel's loops are loops of their own, which take long.
fn has_long_iterations(ctx: &Context, function: Ptr<Operation>) -> bool {
    let is_long = |op: Ptr<Operation>| match Operation::get_op::<For>(op, ctx) {
        Some(lp) => {
            let bounds = [lp.get_operand_lower(ctx), lp.get_operand_upper(ctx)];
            let [lower, upper] = bounds.map(|bound| constant(ctx, bound));
            lower
                .zip(upper)
                .is_none_or(|(lower, upper)| (upper - lower).abs() >= MANY)
        }
        None => Operation::is_op::<Loop>(op, ctx),
    };
    let in_grid = grid_covers(ctx, function);
    nested_ops(ctx, function)
        .into_iter()
        .any(|op| is_long(op) && (in_grid || loop_around(ctx, op).is_some()))
}

/// Whether the code has been made for one number of lanes: in a grid that covers a loop, one of several dimensions, and what waits for
/// others, which has memory for just as many.
fn relies_on_lanes(ctx: &Context, function: Ptr<Operation>) -> bool {
    let waits = |op: Ptr<Operation>| Operation::is_op::<Barrier>(op, ctx);
    let line = GRID
        .get(ctx, function)
        .is_some_and(|grid| grid.0.len() == 1);
    let alone = line && !nested_ops(ctx, function).into_iter().any(waits);
    grid_covers(ctx, function) && !alone
}

/// Several workers in a warp, if the clauses ask for so few lanes and for workers that fill warps. Not for kernels that call
/// functions with loops of their own: such a function is made once, for all kernels that call it.
fn short_vectors(kernel: &Kernel, levels: Levels) -> Option<Limits> {
    let ClauseSize::Constant(lanes) = kernel.vector_length else {
        return None;
    };
    let lanes = u32::try_from(lanes).ok().filter(|n| *n < WARP)?;
    if !levels.worker || !lanes.is_power_of_two() {
        return None;
    }
    let workers = match kernel.num_workers {
        ClauseSize::Absent => SHARED_WARPS / lanes,
        ClauseSize::Constant(n) => u32::try_from(n).ok()?,
        ClauseSize::Runtime => return None,
    };
    let threads = workers.checked_mul(lanes)?;
    let fills_warps = threads > 0 && threads % WARP == 0 && threads <= BLOCK;
    fills_warps.then_some(Limits {
        max_workers: workers,
        max_vector: lanes,
    })
}

fn clamp(value: u64, least: u32, most: u32) -> u32 {
    u32::try_from(value).unwrap_or(most).clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::{Has, as_it_is};
    use ClauseSize::{Absent, Constant, Runtime};

    /// `levels_text`: w and v for loops, c for calls of functions that have some.
    fn limits(levels_text: &str, num_workers: ClauseSize, vector_length: ClauseSize) -> (u32, u32) {
        limits_on(&target(WARP), levels_text, num_workers, vector_length)
    }

    fn target(subgroup: u32) -> Target {
        Target {
            devices: "this device",
            pointer_bytes: 8,
            subgroup,
            subgroup_reduce: Has::No,
            partial_barriers: subgroup > 1,
            one_lane: false,
            further_launches: false,
            shared_bytes: 0,
            library: as_it_is,
        }
    }

    fn limits_on(
        target: &Target,
        levels_text: &str,
        num_workers: ClauseSize,
        vector_length: ClauseSize,
    ) -> (u32, u32) {
        let kernel = Kernel {
            function: String::new(),
            line: 1,
            gang_loop: true,
            single_gang: false,
            gang_dims: [false; 3],
            num_workers,
            vector_length,
            ..Kernel::default()
        };
        let levels = Levels {
            gang: true,
            worker: levels_text.contains('w'),
            vector: levels_text.contains('v'),
        };
        let limits = Limits::new(&kernel, levels, None, levels_text.contains('c'), target);
        (limits.max_workers, limits.max_vector)
    }

    #[test]
    fn blocks() {
        assert_eq!(limits("", Constant(4), Constant(64)), (1, 32));
        assert_eq!(limits("v", Absent, Absent), (1, 256));
        assert_eq!(limits("v", Absent, Constant(50)), (1, 64));
        assert_eq!(limits("v", Absent, Constant(5000)), (1, 1024));
        assert_eq!(limits("v", Absent, Runtime), (1, 1024));
        assert_eq!(limits("w", Absent, Constant(64)), (8, 32));
        assert_eq!(limits("wv", Absent, Absent), (8, 32));
        assert_eq!(limits("wv", Constant(64), Absent), (32, 32));
        assert_eq!(limits("wv", Constant(32), Constant(64)), (15, 64));
        assert_eq!(limits("wv", Constant(4), Constant(1024)), (1, 1024));
        assert_eq!(limits("wv", Constant(4), Runtime), (4, 256));
        assert_eq!(limits("wv", Runtime, Runtime), (8, 128));
    }

    #[test]
    fn short_loops_take_few_lanes() {
        let lanes = |count, vector_length, calls| {
            let kernel = Kernel {
                vector_length,
                ..Kernel::default()
            };
            let levels = Levels {
                gang: true,
                worker: false,
                vector: true,
            };
            Limits::new(&kernel, levels, count, calls, &target(WARP)).max_vector
        };
        assert_eq!(lanes(Some(64), Absent, false), 64);
        assert_eq!(lanes(Some(33), Absent, false), 64);
        assert_eq!(lanes(Some(0), Absent, false), 32);
        assert_eq!(lanes(Some(1 << 40), Absent, false), 256);
        assert_eq!(lanes(Some(64), Constant(128), false), 128);
        assert_eq!(lanes(Some(64), Absent, true), 256);
    }

    #[test]
    fn workers_that_share_a_warp() {
        assert_eq!(limits("wv", Absent, Constant(8)), (32, 8));
        assert_eq!(limits("wv", Absent, Constant(1)), (256, 1));
        assert_eq!(limits("w", Absent, Constant(16)), (16, 16));
        assert_eq!(limits("wv", Constant(4), Constant(16)), (4, 16));
        assert_eq!(limits("wv", Constant(1024), Constant(1)), (1024, 1));
        // Whole warps only.
        assert_eq!(limits("wv", Constant(3), Constant(8)), (3, 32));
        assert_eq!(limits("wv", Constant(2048), Constant(1)), (32, 32));
        assert_eq!(limits("wv", Runtime, Constant(8)), (8, 32));
        assert_eq!(limits("wv", Absent, Constant(12)), (8, 32));
        assert_eq!(limits("wv", Absent, Constant(0)), (8, 32));
        assert_eq!(limits("wvc", Absent, Constant(8)), (8, 32));
        assert_eq!(limits("v", Absent, Constant(8)), (1, 32));
    }

    #[test]
    fn without_barriers_of_a_part_there_is_one_worker() {
        let limits = |levels, vector| limits_on(&target(1), levels, Absent, vector);
        assert_eq!(limits("wv", Absent), (1, 32));
        assert_eq!(limits("wv", Constant(8)), (1, 32));
        assert_eq!(limits("w", Absent), (1, 32));
        assert_eq!(limits("v", Absent), (1, 256));
    }

    #[test]
    fn every_block_fits() {
        let sizes = [
            Absent,
            Runtime,
            Constant(0),
            Constant(1),
            Constant(4),
            Constant(8),
            Constant(33),
            Constant(1 << 40),
        ];
        for levels in ["", "v", "w", "wv"] {
            for workers in sizes {
                for vector in sizes {
                    let (workers, vector) = limits(levels, workers, vector);
                    assert!(workers >= 1 && workers * vector <= BLOCK);
                    let fills_warps = vector % WARP == 0 || workers * vector % WARP == 0;
                    assert!(fills_warps, "{workers} x {vector}");
                    assert!(vector <= WARP || workers <= accrue_abi::launch::WIDE_WORKERS);
                }
            }
        }
    }
}
