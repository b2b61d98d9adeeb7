//! Named barriers of a block, and `.sync` instructions that lanes of several fragments come to.
//!
//! Barriers count warps: when all live lanes of a warp have come to a barrier, the warp has arrived.

use super::{
    Machine,
    block::{Block, BlockResult},
    races::join,
    warp::{State, Warp},
};
use crate::{
    FaultKind,
    alu::ZERO_ROW,
    program::{Barrier, Op, Vote},
};

#[derive(Default)]
pub struct Barriers {
    /// By number; grows as they are used.
    states: Vec<Arrivals>,
}

#[derive(Clone, Default)]
struct Arrivals {
    warps: u32,
    /// Warps that must arrive; `None`: all that live.
    expected: Option<u32>,
    /// For reductions: lanes whose predicate holds, lanes in all.
    holds: u32,
    lanes: u32,
    /// What the warps that have arrived know, for the race checker.
    clock: Vec<u32>,
}

/// Barriers that a block has.
const BARRIERS: u32 = 16;

fn barrier_at<'p>(machine: &Machine<'p>, pc: u32) -> Option<&'p Barrier> {
    match machine.program.code.get(pc as usize).map(|i| &i.op) {
        Some(Op::Barrier(barrier)) => Some(barrier),
        _ => None,
    }
}

impl Block {
    /// Tells the block of the barriers that all lanes of a warp have come to.
    pub fn barrier_arrivals(&mut self, machine: &Machine, w: usize) -> BlockResult<()> {
        let warp = &self.warps[w];
        let mut complete = None;
        for f in &warp.fragments {
            if let State::Barrier { id, arrived: false } = f.state {
                let here = |g: &&super::warp::Fragment| g.state == f.state;
                let lanes = warp
                    .fragments
                    .iter()
                    .filter(here)
                    .fold(0, |all, g| all | g.mask);
                if lanes == warp.live {
                    let same = warp.fragments.iter().filter(here).all(|g| g.pc == f.pc);
                    complete = Some((id, f.pc, same));
                    break;
                }
            }
        }
        let Some((id, pc, same)) = complete else {
            return Ok(());
        };
        if id >= BARRIERS {
            let reason = format!("there is no barrier {id}; blocks have {BARRIERS}");
            return Err(self.fault(machine, FaultKind::Launch { reason }, None, Some(pc)));
        }
        let aligned = barrier_at(machine, pc).is_some_and(|b| b.aligned);
        if !same && aligned && machine.options.checks.convergence {
            let waiting = self.waiting_of(machine, w);
            return Err(self.fault(
                machine,
                FaultKind::DivergentBarrier {
                    barrier: id,
                    waiting,
                },
                None,
                Some(pc),
            ));
        }
        self.force_arrival(machine, w, id);
        Ok(())
    }

    /// The warp arrives at a barrier with the lanes that are there.
    pub fn force_arrival(&mut self, machine: &Machine, w: usize, id: u32) {
        let index = (id % BARRIERS) as usize;
        if self.barriers.states.len() <= index {
            self.barriers
                .states
                .resize(BARRIERS as usize, Arrivals::default());
        }
        let arrivals = &mut self.barriers.states[index];
        arrivals.warps += 1;
        let warp = &mut self.warps[w];
        join(&mut arrivals.clock, &warp.clock);
        warp.tick();
        let mut passed = false;
        for n in 0..warp.fragments.len() {
            let f = warp.fragments[n];
            if f.state != (State::Barrier { id, arrived: false }) {
                continue;
            }
            let Some(barrier) = barrier_at(machine, f.pc) else {
                continue;
            };
            (warp.registers.base, warp.registers.pred_base) =
                (f.frame.base as usize, f.frame.pred_base as usize);
            if let Some(threads) = barrier.threads {
                let threads = warp.registers.src(threads)[f.mask.trailing_zeros() as usize] as u32;
                arrivals.expected.get_or_insert(threads.div_ceil(32));
            }
            if let Some((_, _, source)) = barrier.reduce {
                arrivals.holds += (warp.registers.pred(source) & f.mask).count_ones();
                arrivals.lanes += f.mask.count_ones();
            }
            let f = &mut warp.fragments[n];
            if barrier.wait {
                f.state = State::Barrier { id, arrived: true };
            } else {
                f.state = State::Run;
                f.pc += 1;
                passed = true;
            }
        }
        if passed {
            resettle(warp);
        }
        self.complete_barriers(machine);
    }

    /// Lets warps go on whose barriers are complete.
    pub fn complete_barriers(&mut self, machine: &Machine) {
        let living = self.warps.iter().filter(|w| w.live != 0).count() as u32;
        for id in 0..self.barriers.states.len() {
            let arrivals = &self.barriers.states[id];
            if arrivals.warps == 0 || arrivals.warps < arrivals.expected.unwrap_or(living) {
                continue;
            }
            let arrivals = std::mem::take(&mut self.barriers.states[id]);
            for warp in &mut self.warps {
                release(machine, warp, id as u32, &arrivals);
            }
        }
    }
}

fn release(machine: &Machine, warp: &mut Warp, id: u32, arrivals: &Arrivals) {
    let Arrivals {
        holds,
        lanes,
        clock,
        ..
    } = arrivals;
    let mut any = false;
    for n in 0..warp.fragments.len() {
        let f = warp.fragments[n];
        if f.state != (State::Barrier { id, arrived: true }) {
            continue;
        }
        any = true;
        (warp.registers.base, warp.registers.pred_base) =
            (f.frame.base as usize, f.frame.pred_base as usize);
        if let Some(Barrier {
            reduce: Some((vote, d, _)),
            ..
        }) = barrier_at(machine, f.pc)
        {
            match vote {
                Vote::Popc => {
                    let mut row = ZERO_ROW;
                    row.fill(u64::from(*holds));
                    warp.registers.put(*d, f.mask, &row);
                }
                Vote::And => {
                    warp.registers
                        .put_pred(*d, f.mask, if holds == lanes { u32::MAX } else { 0 })
                }
                Vote::Or => {
                    warp.registers
                        .put_pred(*d, f.mask, if *holds != 0 { u32::MAX } else { 0 })
                }
            }
        }
        warp.fragments[n].state = State::Run;
        warp.fragments[n].pc += 1;
    }
    if any {
        join(&mut warp.clock, clock);
        resettle(warp);
    }
}

/// Fragments have gone one instruction further: some may be at their joins, some at the same place.
pub fn resettle(warp: &mut Warp) {
    let mut n = 0;
    while n < warp.fragments.len() {
        let f = warp.fragments[n];
        if f.state == State::Run && f.pc == warp.stop_of(f.join) {
            warp.fragments.swap_remove(n);
            warp.arrive(f.join, f.mask);
        } else {
            n += 1;
        }
    }
    warp.merge();
}
