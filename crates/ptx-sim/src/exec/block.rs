//! A block: its warps in turn, its shared memory, its barriers.

use super::{
    Failed, Machine, Worker,
    barrier::Barriers,
    checks::Shared,
    races::Order,
    run::Ran,
    warp::{State, Warp},
};
use crate::{
    Fault, FaultKind, Place, ThreadId, Waiting,
    alu::Row,
    memory::marks::OwnMarks,
    program::{SHARED_START, SPECIAL},
};

pub struct Block {
    pub linear: u64,
    pub index: [u32; 3],
    pub warps: Vec<Warp>,
    pub shared: Shared,
    pub barriers: Barriers,
    /// Instructions and strong accesses at the start of this turn.
    seen: (u64, u64),
}

pub enum Progress {
    Done,
    Busy,
    /// Busy, and with atomic accesses all the time: perhaps waiting for another block.
    Spinning,
}

/// Instructions that a warp executes at a time.
const SLICE: u64 = 2000;
/// Instructions of warps until another block of the same thread gets its turn.
const TURN: u64 = 1 << 14;
/// One strong access in so many instructions looks like waiting.
const SPINNING: u64 = 16;

impl Block {
    pub fn new(machine: &Machine, linear: u64) -> Block {
        let index = Machine::coordinates(linear, machine.grid);
        let threads: u32 = machine.block.iter().product();
        let warps = (0..threads.div_ceil(32)).map(|w| {
            let special = special_rows(machine, index, linear, w, threads);
            Warp::new(
                machine.program,
                32 * w,
                threads - 32 * w,
                special,
                machine.options.checks,
            )
        });
        let shared = SHARED_START + machine.program.static_shared + machine.dynamic_shared;
        let bytes = (shared as usize).next_multiple_of(16);
        let marks = if machine.options.checks.uninitialised {
            bytes
        } else {
            0
        };
        Block {
            linear,
            index,
            warps: warps.collect(),
            shared: Shared {
                bytes: vec![0; bytes],
                written: OwnMarks::new(marks),
                order: Order::new(linear),
            },
            barriers: Barriers::default(),
            seen: (0, 0),
        }
    }

    /// Runs the block for a turn.
    pub fn run(&mut self, worker: &mut Worker) -> Result<Progress, Box<Fault>> {
        let seeded = worker.machine.options.seed != 0;
        let turn = if seeded {
            1 + worker.random.next() % (1 << 12)
        } else {
            TURN
        };
        loop {
            let mut any = false;
            let count = self.warps.len();
            let first = if seeded {
                worker.random.next() as usize % count
            } else {
                0
            };
            for n in 0..count {
                let w = (first + n) % count;
                if !self.warps[w].runnable() {
                    continue;
                }
                any = true;
                let slice = if seeded {
                    1 + worker.random.next() % 200
                } else {
                    SLICE
                };
                self.run_warp(worker, w, slice)?;
            }
            if self.warps.iter().all(|w| w.live == 0) {
                return Ok(Progress::Done);
            }
            if !any {
                return Err(self.fault(
                    worker.machine,
                    FaultKind::Deadlock {
                        waiting: self.waiting(worker.machine),
                    },
                    None,
                    None,
                ));
            }
            let (instructions, strong) = self
                .warps
                .iter()
                .fold((0, 0), |(i, s), w| (i + w.instructions, s + w.strong));
            if instructions - self.seen.0 >= turn {
                let spinning = (strong - self.seen.1) * SPINNING >= instructions - self.seen.0;
                self.seen = (instructions, strong);
                return Ok(if spinning {
                    Progress::Spinning
                } else {
                    Progress::Busy
                });
            }
        }
    }

    /// Runs the fragments of a warp in turn until the slice is used up or none can go on.
    fn run_warp(&mut self, worker: &mut Worker, w: usize, slice: u64) -> Result<(), Box<Fault>> {
        let end = self.warps[w].instructions + slice;
        while self.warps[w].instructions < end {
            let warp = &mut self.warps[w];
            let count = warp.fragments.len();
            let Some(next) = (0..count)
                .map(|n| (warp.turn + n) % count)
                .find(|n| warp.fragments[*n].state == State::Run)
            else {
                break;
            };
            warp.turn = next;
            let pc_of = |warp: &Warp| warp.fragments.get(next).map(|f| f.pc);
            let before = pc_of(warp);
            match worker.run(warp, &mut self.shared, next, end) {
                Ok(Ran::Slice) => {}
                Ok(Ran::Changed) => self.after_change(worker.machine, w)?,
                Err(failure) => return Err(self.failed(worker.machine, w, *failure, before)),
            }
            if let Some(limit) = worker.machine.options.instruction_limit
                && self.warps[w].instructions > limit
            {
                let pc = pc_of(&self.warps[w]).or(before);
                return Err(self.fault(
                    worker.machine,
                    FaultKind::InstructionLimit { limit },
                    None,
                    pc,
                ));
            }
        }
        // Fragments that change all the time must not keep the others from running.
        self.warps[w].turn += 1;
        self.warps[w].break_impatient();
        if !self.warps[w].runnable() && self.warps[w].live != 0 {
            self.stuck(worker.machine, w)?;
        }
        Ok(())
    }

    fn after_change(&mut self, machine: &Machine, w: usize) -> Result<(), Box<Fault>> {
        self.complete_syncs(machine, w)?;
        self.barrier_arrivals(machine, w)?;
        if self.warps[w].live == 0 {
            self.complete_barriers(machine);
        }
        Ok(())
    }

    /// No fragment of the warp can go on: either it waits at a barrier for other warps, or its lanes wait for each other.
    fn stuck(&mut self, machine: &Machine, w: usize) -> Result<(), Box<Fault>> {
        let warp = &self.warps[w];
        let waits_for_others = warp
            .fragments
            .iter()
            .any(|f| matches!(f.state, State::Barrier { arrived: true, .. }));
        if waits_for_others {
            return Ok(());
        }
        let divergent = warp.fragments.iter().find_map(|f| match f.state {
            State::Barrier { id, .. } => Some((id, f.pc)),
            State::Run | State::Sync { .. } => None,
        });
        if machine.options.checks.convergence {
            let waiting = self.waiting_of(machine, w);
            let kind = match divergent {
                Some((barrier, _)) => FaultKind::DivergentBarrier { barrier, waiting },
                None => FaultKind::Deadlock { waiting },
            };
            let first = self.warps[w]
                .fragments
                .first()
                .map(|f| (f.mask.trailing_zeros(), f.pc));
            let lane = first.map(|(lane, _)| self.thread(machine, w, lane));
            return Err(self.fault(machine, kind, lane, first.map(|(_, pc)| pc)));
        }
        let warp = &mut self.warps[w];
        let join = warp.waiting_joins().next();
        match (join, divergent) {
            (Some(join), _) => warp.break_join(join),
            (None, Some((id, _))) => self.force_arrival(machine, w, id),
            (None, None) => {}
        }
        Ok(())
    }

    fn thread(&self, machine: &Machine, w: usize, lane: u32) -> ThreadId {
        machine.thread(self.index, self.warps[w].first_thread + lane)
    }

    fn failed(
        &self,
        machine: &Machine,
        w: usize,
        failure: super::Failure,
        before: Option<u32>,
    ) -> Box<Fault> {
        // `run` leaves the failing instruction in the fragment.
        let warp = &self.warps[w];
        let pc = warp.fragments.get(warp.turn).map(|f| f.pc).or(before);
        let thread = failure.lane.map(|lane| self.thread(machine, w, lane));
        let mut fault = self.fault(machine, failure.kind, thread, pc);
        let join = warp.fragments.get(warp.turn).map(|f| f.join);
        fault.callers = callers(machine, warp, join);
        fault
    }

    pub fn fault(
        &self,
        machine: &Machine,
        kind: FaultKind,
        thread: Option<ThreadId>,
        pc: Option<u32>,
    ) -> Box<Fault> {
        Box::new(Fault {
            kind,
            kernel: machine.program.functions[0].name.clone(),
            thread,
            place: pc.and_then(|pc| machine.program.place(pc)).cloned(),
            callers: Vec::new(),
        })
    }

    /// Who waits where, in the whole block.
    fn waiting(&self, machine: &Machine) -> Vec<Waiting> {
        (0..self.warps.len())
            .flat_map(|w| self.waiting_of(machine, w))
            .collect()
    }

    pub fn waiting_of(&self, machine: &Machine, w: usize) -> Vec<Waiting> {
        let warp = &self.warps[w];
        let mut out = Vec::new();
        let mut add = |mask: u32, pc: u32, reason: String| {
            if let Some(place) = machine.program.place(pc)
                && mask != 0
            {
                let thread = self.thread(machine, w, mask.trailing_zeros());
                out.push(Waiting {
                    thread,
                    threads: mask.count_ones(),
                    place: place.clone(),
                    reason,
                });
            }
        };
        for f in &warp.fragments {
            match f.state {
                State::Run => add(f.mask, f.pc, "could go on".to_string()),
                State::Barrier { id, .. } => add(f.mask, f.pc, format!("waits at barrier {id}")),
                State::Sync { mask } => {
                    let missing = mask & warp.live & !f.mask;
                    add(
                        f.mask,
                        f.pc,
                        format!("waits for the lanes {missing:#010x} of its warp"),
                    );
                }
            }
        }
        for join in warp.waiting_joins() {
            let j = &warp.joins[join as usize];
            add(
                j.arrived,
                j.pc,
                format!(
                    "waits for the lanes {:#010x} of its warp to come here",
                    j.expected & !j.arrived
                ),
            );
        }
        out
    }
}

/// The constant special registers of a warp, in the order of `SPECIAL`.
fn special_rows(
    machine: &Machine,
    index: [u32; 3],
    linear: u64,
    w: u32,
    threads: u32,
) -> Box<[Row]> {
    let [nx, ny, _] = machine.block.map(u64::from);
    let sms = u64::from(machine.options.model.sms);
    let same = |value: u32| [u64::from(value); 32];
    let lanes = |f: &dyn Fn(u64) -> u64| std::array::from_fn(|lane| f(lane as u64));
    let thread = |lane: u64| u64::from(w) * 32 + lane;
    let low = |bits: u64| bits & 0xffff_ffff;
    SPECIAL
        .iter()
        .map(|name| match *name {
            "%tid.x" => lanes(&|l| thread(l) % nx),
            "%tid.y" => lanes(&|l| thread(l) / nx % ny),
            "%tid.z" => lanes(&|l| thread(l) / nx / ny),
            "%ntid.x" => same(machine.block[0]),
            "%ntid.y" => same(machine.block[1]),
            "%ntid.z" => same(machine.block[2]),
            "%ctaid.x" => same(index[0]),
            "%ctaid.y" => same(index[1]),
            "%ctaid.z" => same(index[2]),
            "%nctaid.x" => same(machine.grid[0]),
            "%nctaid.y" => same(machine.grid[1]),
            "%nctaid.z" => same(machine.grid[2]),
            "%laneid" => lanes(&|l| l),
            "%warpid" => same(w),
            "%nwarpid" => same(threads.div_ceil(32)),
            "%smid" => same((linear % sms) as u32),
            "%nsmid" => same(machine.options.model.sms),
            "%gridid" => [machine.number; 32],
            "%lanemask_eq" => lanes(&|l| 1 << l),
            "%lanemask_le" => lanes(&|l| (2 << l) - 1),
            "%lanemask_lt" => lanes(&|l| (1 << l) - 1),
            "%lanemask_ge" => lanes(&|l| low(u64::MAX << l)),
            "%lanemask_gt" => lanes(&|l| low(u64::MAX << 1 << l)),
            "%dynamic_smem_size" => same(machine.dynamic_shared),
            "%total_smem_size" => same(machine.program.static_shared + machine.dynamic_shared),
            "WARP_SZ" => same(32),
            _ => same(0),
        })
        .collect()
}

/// Where the function was called whose lanes go on at the join, and its callers.
fn callers(machine: &Machine, warp: &Warp, join: Option<u32>) -> Vec<Place> {
    let mut places = Vec::new();
    let mut at = join;
    while let Some(join) = at.and_then(|at| warp.joins.get(at as usize)) {
        if join.call {
            // The lanes go on behind the call.
            places.extend(machine.program.place(join.pc.saturating_sub(1)).cloned());
        }
        at = Some(join.parent);
    }
    places
}

/// A failure that concerns a warp as a whole.
pub type BlockResult<T> = Result<T, Box<Fault>>;

impl Block {
    /// Turns a failure of a warp into a fault.
    pub fn raise<T>(
        &self,
        machine: &Machine,
        w: usize,
        result: Result<T, Failed>,
        pc: u32,
    ) -> BlockResult<T> {
        result.map_err(|failure| {
            let thread = failure.lane.map(|lane| self.thread(machine, w, lane));
            self.fault(machine, failure.kind, thread, Some(pc))
        })
    }
}
