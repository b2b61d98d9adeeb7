//! Running a launch: blocks on host threads.
//!
//! Host threads take blocks one after another. A block that seems to wait for another block gets company on its thread, so
//! that blocks that depend on each other make progress, as they do on a GPU on which they are resident.

mod access;
mod async_copy;
mod atomics;
mod barrier;
mod block;
mod builtins;
mod call;
mod checks;
mod past_access;
mod printf;
pub mod races;
mod run;
mod silence;
mod sync;
mod unknown;
mod warp;

use crate::{
    Fault, FaultKind, Launch, Options, Stats, ThreadId,
    alu::Row,
    memory::{Allocation, Memory},
    program::Program,
};
use block::{Block, Progress};
use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};

/// What all host threads of a launch share.
pub struct Machine<'a> {
    pub program: &'a Program,
    pub memory: &'a Memory,
    pub options: &'a Options,
    pub params: &'a [u8],
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: u32,
    pub number: u64,
    pub started: Instant,
    pub races: &'a races::Table,
    /// How many atomic accesses all blocks have made: at each block's last one, and now.
    block_atomics: Vec<AtomicU32>,
    all_atomics: AtomicU32,
    next_block: AtomicU64,
    stop: AtomicBool,
    /// The fault of the lowest block.
    fault: Mutex<Option<(u64, Fault)>>,
}

/// An instruction failed, for one lane of the warp or for all.
pub struct Failure {
    pub kind: FaultKind,
    pub lane: Option<u32>,
}

pub type Failed = Box<Failure>;

pub fn fail<T>(kind: FaultKind, lane: Option<u32>) -> Result<T, Failed> {
    Err(Box::new(Failure { kind, lane }))
}

/// One host thread's things.
pub struct Worker<'a> {
    pub machine: &'a Machine<'a>,
    /// The allocation that each memory instruction used last.
    pub cache: Vec<Option<Arc<Allocation>>>,
    pub stats: Stats,
    pub random: Random,
    /// Whether there is something to check at accesses.
    checking: bool,
    /// The running instruction and the lanes of its fragment, for the checkers.
    pc: u32,
    fragment_mask: u32,
    /// Bits of the running load that were never written, per element.
    unknown: Vec<Row>,
    /// Instructions and tracked allocations that they have written.
    noted: HashSet<(u32, usize)>,
}

/// A small random number generator (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }
}

/// Blocks that a thread has begun at most at a time.
const RESIDENT: usize = 1024;

impl<'a> Machine<'a> {
    pub fn new(
        program: &'a Program,
        memory: &'a Memory,
        options: &'a Options,
        launch: &Launch<'a>,
        number: u64,
        races: &'a races::Table,
    ) -> Machine<'a> {
        let blocks: u64 = launch.grid.iter().map(|n| u64::from(*n)).product();
        let counted = if options.checks.races {
            blocks.clamp(1, 1 << 20)
        } else {
            1
        };
        Machine {
            program,
            memory,
            options,
            params: launch.params,
            grid: launch.grid,
            block: launch.block,
            dynamic_shared: launch.dynamic_shared,
            number,
            started: Instant::now(),
            races,
            block_atomics: (0..counted).map(|_| AtomicU32::new(0)).collect(),
            all_atomics: AtomicU32::new(0),
            next_block: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            fault: Mutex::new(None),
        }
    }

    fn blocks(&self) -> u64 {
        self.grid.iter().map(|n| u64::from(*n)).product()
    }

    /// Runs all blocks.
    #[expect(
        clippy::result_large_err,
        reason = "a fault is rare, and the end of the launch"
    )]
    pub fn run(&self) -> Result<Stats, Fault> {
        let cores = match self.options.cores {
            0 => std::thread::available_parallelism().map_or(1, |n| n.get()),
            n => n,
        };
        let threads = (cores as u64).min(self.blocks()).max(1);
        let mut stats = Stats::default();
        if threads == 1 {
            stats += self.work(0);
        } else {
            std::thread::scope(|scope| {
                let workers: Vec<_> = (0..threads)
                    .map(|n| scope.spawn(move || self.work(n)))
                    .collect();
                for worker in workers {
                    match worker.join() {
                        Ok(part) => stats += part,
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
            });
        }
        match self
            .fault
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
        {
            Some((_, fault)) => Err(fault),
            None => Ok(stats),
        }
    }

    /// One host thread.
    fn work(&self, thread: u64) -> Stats {
        let mut worker = Worker {
            machine: self,
            cache: vec![None; self.program.slots as usize],
            stats: Stats::default(),
            random: Random::new(self.options.seed.wrapping_add(thread << 32)),
            checking: self.options.checks.races
                || self.options.checks.convergence
                || self.options.checks.uninitialised
                || self.memory.any_tracked(),
            pc: 0,
            fragment_mask: 0,
            unknown: Vec::new(),
            noted: HashSet::new(),
        };
        let company = if self.options.seed == 0 {
            1
        } else {
            1 + (worker.random.next() % 4) as usize
        };
        let mut blocks: Vec<Block> = Vec::new();
        let mut wanted = company;
        let mut turn = 0;
        while !self.stop.load(Relaxed) {
            while blocks.len() < wanted {
                let Some(block) = self.take_block() else {
                    break;
                };
                blocks.push(block);
            }
            if blocks.is_empty() {
                break;
            }
            turn = (turn + 1) % blocks.len();
            match blocks[turn].run(&mut worker) {
                Ok(Progress::Done) => {
                    blocks.swap_remove(turn);
                    wanted = company.max(blocks.len());
                }
                Ok(Progress::Busy) => {}
                Ok(Progress::Spinning) => wanted = (blocks.len() + 1).min(RESIDENT),
                Err(fault) => self.fail(blocks[turn].linear, *fault),
            }
        }
        worker.stats
    }

    fn take_block(&self) -> Option<Block> {
        let n = self.next_block.fetch_add(1, Relaxed);
        let blocks = self.blocks();
        if n >= blocks {
            return None;
        }
        // With a seed, another order: a multiplication that is a permutation of the numbers.
        let linear = match self.options.seed {
            0 => n,
            seed => (n * coprime(seed, blocks) + seed) % blocks,
        };
        Some(Block::new(self, linear))
    }

    fn fail(&self, block: u64, fault: Fault) {
        let mut slot = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.as_ref().is_none_or(|(b, _)| block < *b) {
            *slot = Some((block, fault));
        }
        self.stop.store(true, Relaxed);
    }

    /// The coordinates of a block or thread from its number.
    pub fn coordinates(linear: u64, shape: [u32; 3]) -> [u32; 3] {
        let (x, y) = (u64::from(shape[0]), u64::from(shape[1]));
        [
            (linear % x) as u32,
            (linear / x % y) as u32,
            (linear / x / y) as u32,
        ]
    }

    pub fn thread(&self, block: [u32; 3], thread: u32) -> ThreadId {
        ThreadId {
            block,
            thread: Self::coordinates(u64::from(thread), self.block),
        }
    }
}

fn coprime(seed: u64, n: u64) -> u64 {
    let gcd = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    // Below 2^31 blocks, so that the product does not overflow.
    let mut candidate = seed.wrapping_mul(0x9e37_79b9) % n.max(2) + 1;
    while gcd(candidate, n) != 1 {
        candidate += 1;
    }
    candidate
}
