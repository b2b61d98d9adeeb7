//! How many gangs, workers and lanes a launch has: the rules by which the library chooses, `explain` says what it will choose,
//! and the back ends know what their code has to be right for.
//!
//! On a GPU a gang is a block, a worker a row of its threads, a lane a column: `blockDim = (vector, workers, 1)` with a
//! multiple of 32 lanes, and all gang dimensions flattened into `gridDim.x`, unless the kernel tells them apart. Some kernels
//! are compiled for workers of 1, 2, 4, 8 or 16 lanes, of which several share a warp; their workers fill whole warps.
//!
//! ```text
//! parallel loop gang vector, n = 10000   →   40 gangs, 1 worker, 256 lanes      (40 * 256 threads cover n)
//! parallel loop gang, worker, vector     →   as many gangs as fit on the GPU at once or as the gang loop has
//!                                            iterations, 8 workers, 32 lanes
//! gang worker, vector; vector_length(8)  →   the same, 32 workers, 8 lanes
//! serial                                 →   1 gang, 1 worker, 32 lanes
//! ```
//! What chooses names its rule, so that `explain` can tell it.

mod gangs;
mod scratch;

pub use gangs::{
    DIM_GANGS, FEW_ROUNDS, GangRule, MOST_COSTLY_GANGS, MOST_GANGS, SEVERAL, Sharing, UNEVEN_GANGS,
    UNEVEN_ROUNDS, at_most, covering, has_one_gang, on_cores,
};
pub use scratch::{
    ASSERTION_MARK, FAILED_ASSERTION, HEAP, HEAP_HEAD, SCRATCH_ALIGNMENT, SCRATCH_HEAD,
};

use crate::{
    KERNEL_GANG_LOOP, Kernel, SIMT_GANG_DIMS, SIMT_GANG_VECTOR_LOOP, SIMT_NO_GANG_LOOP,
    SIMT_OPEN_LANES, SIMT_OWN_GANG_LOOP, SIMT_VECTOR, SIMT_WORKERS, SimtKernel, SiteKind,
};

/// What the name of the entry that halves the number of a kernel's records has behind the kernel's.
pub const HALVING: &str = "_halve";

/// A kernel of OpenCL C that gets by with few threads on a multiprocessor, for the sake of their registers, has a line with this before it,
/// its name, and the number of its groups that are enough.
pub const ENOUGH_GROUPS_MARK: &str = "//@enough_groups ";

/// Lanes of a warp.
pub const WARP: u32 = 32;
/// Most threads of a block on every GPU.
pub const BLOCK: u32 = 1024;
/// Most workers of more than one warp: each needs a barrier of its own, of which there are 16, and the block has the first.
pub const WIDE_WORKERS: u32 = 15;
/// Workers where the directive does not say.
pub const WORKERS: u32 = 8;
/// Lanes where the directive does not say.
pub const VECTOR: u32 = 128;
/// Lanes where a loop is spread over gangs and lanes at once, or where gangs leave partial results, which should be few.
pub const GANG_VECTOR: u32 = 256;
/// Threads of a block with several workers in a warp, where the directive does not say how many workers.
pub const SHARED_WARPS: u32 = 256;

/// Lanes of the version for short inner loops, whose workers share warps.
pub const SHORT_VECTOR: u32 = 8;
/// Iterations of an inner loop up to which it is short: a warp then has several rows to load.
pub const SHORT_ROW: u64 = 128;
/// Lanes of the version for few long inner loops, and its only worker.
pub const LONG_VECTOR: u32 = 256;
/// Lanes of the version for few gangs whose inner loops are very long: few gangs of fewer lanes would leave the GPU idle.
pub const WIDE_VECTOR: u32 = 512;
/// Iterations of an inner loop from which on it is long. Where rows are long but so few that a warp for each would leave the
/// GPU idle, each gets a gang.
pub const LONG_ROW: u64 = 1024;

/// What decides about a launch on a GPU.
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    pub site: SiteKind,
    /// `KERNEL_*` bits.
    pub kernel_flags: u32,
    pub code: Code,
    /// What the directive asks for; 0 where it does not say.
    pub gangs: [u64; 3],
    pub workers: u64,
    pub vector: u64,
    /// Iterations of the loop over gangs for each multiprocessor; 0 where that is not known.
    pub share: u64,
}

/// What of a kernel's code decides, as in [`SimtKernel`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Code {
    /// `PTX_*` bits.
    pub flags: u32,
    pub max_workers: u32,
    pub max_vector: u32,
    pub shared_worker_bytes: u64,
    pub scratch_gang_bytes: u64,
    pub scratch_worker_bytes: u64,
    pub workers: u32,
    pub vector: u32,
}

impl From<&SimtKernel> for Code {
    fn from(kernel: &SimtKernel) -> Code {
        Code {
            flags: kernel.flags,
            max_workers: kernel.max_workers,
            max_vector: kernel.max_vector,
            shared_worker_bytes: kernel.shared_worker_bytes,
            scratch_gang_bytes: kernel.scratch_gang_bytes,
            scratch_worker_bytes: kernel.scratch_worker_bytes,
            workers: kernel.workers,
            vector: kernel.vector,
        }
    }
}

impl Code {
    /// Whether the flag is set.
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    /// The lanes of every launch, where several workers share a warp.
    fn short(&self) -> Option<u32> {
        (1..WARP)
            .contains(&self.max_vector)
            .then_some(self.max_vector)
    }

    /// The gang dimensions that the kernel's loops are spread over one by one.
    pub fn gang_dims(&self) -> [bool; 3] {
        SIMT_GANG_DIMS.map(|bit| self.has(bit))
    }
}

/// Why a launch has its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneRule {
    /// The code is made for just as many.
    Made,
    /// The launch chooses ([`open_lanes`]).
    Open,
    /// Nothing is spread over lanes of other warps.
    Serial,
    /// The clause's number in whole warps.
    Clause,
    /// A loop is spread over gangs and lanes at once, and large gangs are few.
    GangVectorLoop,
    /// Each gang leaves a partial result, and large gangs are few.
    PartialResults,
    /// For a loop over lanes, without one over workers.
    VectorLoop,
    /// A warp for each of several workers.
    WarpPerWorker,
    /// No loop is spread over lanes.
    NoLoop,
}

/// Why a launch has its workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerRule {
    /// As many as the clause and the registers allow, in whole warps.
    FillWarps,
    /// Nothing is spread over workers.
    Serial,
    /// No loop is spread over workers.
    NoLoop,
    /// The clause's number.
    Clause,
    /// For a loop over workers.
    WorkerLoop,
}

/// Threads of a block, and the shared memory they ask for beside what the code declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub vector: u32,
    pub workers: u32,
    pub dynamic_shared: u32,
}

impl Block {
    pub fn threads(self) -> u32 {
        self.vector * self.workers
    }
}

/// The lanes where no clause says how many. Gangs are large if they should be few.
pub fn default_lanes(by_worker: bool, by_vector: bool, large_gangs: bool) -> u32 {
    match (by_vector, by_worker) {
        (true, false) if large_gangs => GANG_VECTOR,
        (true, false) => VECTOR,
        (true, true) | (false, _) => WARP,
    }
}

/// The lanes of a gang whose code takes any number of them up to `most`, where a multiprocessor has `share` iterations: a power of two
/// near to that, so that all multiprocessors have work. Iterations that are loops themselves wait for the memory and the units of
/// theirs: 4096 streams of random numbers take 2.5 times as long on 16 multiprocessors of an H200 as on 128.
pub fn open_lanes(share: u64, most: u32) -> u32 {
    let most = most / WARP * WARP;
    let mut lanes = WARP;
    while lanes * 2 <= most && (share == 0 || share * 2 >= u64::from(lanes) * 3) {
        lanes *= 2;
    }
    lanes
}

/// The most workers of a block of so many lanes.
pub fn most_workers(lanes: u32, max_threads: u32) -> u32 {
    let wide = if lanes > WARP { WIDE_WORKERS } else { BLOCK };
    (max_threads / lanes).min(wide).max(1)
}

/// A limit of the code; 0 stands for none.
fn limit(limit: u32) -> u32 {
    if limit == 0 { BLOCK } else { limit }
}

impl Launch {
    pub fn new(
        site: SiteKind,
        kernel: &Kernel,
        ptx: &SimtKernel,
        gangs: [u64; 3],
        [workers, vector]: [u64; 2],
    ) -> Launch {
        Launch {
            site,
            kernel_flags: kernel.flags,
            code: Code::from(ptx),
            gangs,
            workers,
            vector,
            share: 0,
        }
    }

    /// One gang, one worker, one lane have work.
    pub fn is_serial(&self) -> bool {
        let serial_phase = self.site == SiteKind::Kernels && self.code.has(SIMT_NO_GANG_LOOP);
        let elsewhere = has_one_gang(self.site, self.kernel_flags);
        serial_phase || elsewhere && !self.code.has(SIMT_OWN_GANG_LOOP)
    }

    /// A loop is spread over gangs.
    fn has_gang_loop(&self) -> bool {
        let elsewhere = self.kernel_flags & KERNEL_GANG_LOOP != 0;
        let own = self.code.has(SIMT_OWN_GANG_LOOP);
        own || elsewhere && !self.code.has(SIMT_NO_GANG_LOOP)
    }

    /// The lanes of a worker; `max_threads` is what the kernel's registers allow a block.
    pub fn lanes(&self, max_threads: u32) -> (u32, LaneRule) {
        if let Some(lanes) = self.code.short() {
            return (lanes, LaneRule::Made);
        }
        if self.code.has(SIMT_OPEN_LANES) && self.vector == 0 && !self.is_serial() {
            let most = limit(self.code.max_vector).min(max_threads.clamp(WARP, BLOCK));
            return (open_lanes(self.share, most), LaneRule::Open);
        }
        // The code may rely on what the compiler says.
        let asked = match self.code.vector {
            0 => self.vector,
            constant => u64::from(constant),
        };
        let by_vector = self.code.has(SIMT_VECTOR);
        let by_worker = self.code.has(SIMT_WORKERS);
        let combined = self.code.has(SIMT_GANG_VECTOR_LOOP);
        let partial = self.code.scratch_gang_bytes > 0;
        let default = default_lanes(by_worker, by_vector, combined || partial);
        let (lanes, rule) = match asked {
            _ if self.is_serial() => (WARP, LaneRule::Serial),
            0 if !by_vector => (default, LaneRule::NoLoop),
            0 if by_worker => (default, LaneRule::WarpPerWorker),
            0 if combined => (default, LaneRule::GangVectorLoop),
            0 if partial => (default, LaneRule::PartialResults),
            0 => (default, LaneRule::VectorLoop),
            asked => (asked.min(BLOCK.into()) as u32, LaneRule::Clause),
        };
        let most = limit(self.code.max_vector).min(max_threads.clamp(WARP, BLOCK)) / WARP * WARP;
        (lanes.next_multiple_of(WARP).min(most.max(WARP)), rule)
    }

    /// The workers of a gang.
    pub fn block_workers(&self, lanes: u32, max_threads: u32) -> (u32, WorkerRule) {
        let max_threads = max_threads.clamp(WARP, BLOCK);
        let asked = match self.workers {
            0 => self.code.workers,
            asked => u32::try_from(asked).unwrap_or(u32::MAX),
        };
        if let Some(lanes) = self.code.short() {
            let of_warp = WARP / lanes;
            let asked = match asked {
                _ if self.is_serial() => 1,
                0 => BLOCK,
                asked => asked,
            };
            let most = limit(self.code.max_workers).min(max_threads / lanes) / of_warp;
            let warps = asked.div_ceil(of_warp).min(most).max(1);
            return (warps * of_warp, WorkerRule::FillWarps);
        }
        let (workers, rule) = match asked {
            _ if self.is_serial() => (1, WorkerRule::Serial),
            _ if !self.code.has(SIMT_WORKERS) => (1, WorkerRule::NoLoop),
            0 => (WORKERS, WorkerRule::WorkerLoop),
            asked => (asked, WorkerRule::Clause),
        };
        let most = limit(self.code.max_workers).min(most_workers(lanes, max_threads));
        (workers.min(most), rule)
    }

    /// The shape of the blocks.
    pub fn block(&self, max_threads: u32) -> Block {
        let (vector, _) = self.lanes(max_threads);
        let (workers, _) = self.block_workers(vector, max_threads);
        let shared = self.code.shared_worker_bytes.saturating_mul(workers.into());
        Block {
            vector,
            workers,
            dynamic_shared: u32::try_from(shared).unwrap_or(u32::MAX),
        }
    }

    /// Which version runs of a kernel that has some for other lengths of inner loops; `threads` run at the same time on the
    /// GPU. `counts` gives the length of the inner loops and the number of rows.
    pub fn version(&self, threads: u64, counts: impl FnOnce() -> Option<[u64; 2]>) -> Version {
        if self.workers != 0 || self.vector != 0 || self.is_serial() {
            return Version::Plain;
        }
        let Some([length, rows]) = counts() else {
            return Version::Plain;
        };
        let few = self.gangs == [0; 3] && rows.saturating_mul(WARP.into()) < threads;
        match length {
            ..=SHORT_ROW => Version::Short,
            LONG_ROW.. if few => Version::Long,
            _ => Version::Plain,
        }
    }
}

/// Versions of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Workers of a warp.
    Plain,
    /// Workers of [`SHORT_VECTOR`] lanes.
    Short,
    /// One worker of [`LONG_VECTOR`] lanes.
    Long,
}
