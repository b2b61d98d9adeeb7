//! The loop that executes a fragment.

use super::{
    Failed, Worker,
    async_copy::commit,
    checks::Shared,
    fail,
    sync::groups,
    warp::{Fragment, State, Warp},
};
use crate::{
    FaultKind,
    alu::Row,
    program::{Clock, Op},
};
use std::sync::atomic::{Ordering::SeqCst, fence};

/// Why a fragment stopped.
pub enum Ran {
    /// The slice is used up.
    Slice,
    /// The fragments of the warp are others now, or this one waits.
    Changed,
}

impl Worker<'_> {
    /// Runs fragment `which` until the warp has executed `end` instructions or its fragments change. A failing instruction
    /// is left in the fragment's `pc`.
    pub fn run(
        &mut self,
        warp: &mut Warp,
        shared: &mut Shared,
        which: usize,
        end: u64,
    ) -> Result<Ran, Failed> {
        let Fragment {
            mut pc,
            mask,
            join,
            frame,
            ..
        } = warp.fragments[which];
        let stop = warp.stop_of(join);
        self.fragment_mask = mask;
        warp.registers.base = frame.base as usize;
        warp.registers.pred_base = frame.pred_base as usize;
        let code = &self.machine.program.code;
        let started = warp.instructions;
        let mut lanes = 0;
        // Ends the loop; the counters are brought up to date in one place.
        let ran = loop {
            if pc == stop {
                let fragment = warp.fragments.swap_remove(which);
                warp.arrive(join, fragment.mask);
                break Ok(Ran::Changed);
            }
            if warp.instructions >= end {
                warp.fragments[which].pc = pc;
                break Ok(Ran::Slice);
            }
            let inst = &code[pc as usize];
            let active = mask & warp.registers.pred(inst.guard);
            warp.instructions += 1;
            lanes += u64::from(active.count_ones());
            if active == 0 {
                pc += 1;
                continue;
            }
            if !warp.unknown.is_empty() {
                self.pc = pc;
                if let Err(failure) = self.follow_unknown(warp, &inst.op, active) {
                    warp.fragments[which].pc = self.pc;
                    warp.turn = which;
                    break Err(failure);
                }
            }
            let done = match &inst.op {
                Op::Alu(alu) => {
                    (alu.run)(&mut warp.registers, alu, active);
                    Ok(())
                }
                Op::Load(access) => {
                    self.pc = pc;
                    self.load(warp, shared, access, &frame, active)
                }
                Op::Store(access) => {
                    self.pc = pc;
                    self.store(warp, shared, access, &frame, active)
                }
                Op::Atomic(atomic) => {
                    self.pc = pc;
                    self.atomic(warp, shared, atomic, &frame, active)
                }
                Op::AtomicWide(atomic) => {
                    self.pc = pc;
                    self.atomic_wide(warp, shared, atomic, &frame, active)
                }
                Op::AsyncCopy(copy) => {
                    self.pc = pc;
                    self.async_copy(warp, shared, copy, &frame, active)
                }
                Op::AsyncCommit => {
                    commit(warp, active);
                    Ok(())
                }
                Op::AsyncWait { groups } => {
                    self.pc = pc;
                    self.async_wait(warp, shared, *groups, &frame, active)
                }
                Op::FrameAddress { d, offset } => {
                    let address = u64::from(frame.local) + u64::from(*offset);
                    warp.registers.put(*d, active, &[address; 32]);
                    Ok(())
                }
                Op::Branch { target, .. } if active == mask => {
                    pc = *target;
                    continue;
                }
                Op::Branch { target, join } => {
                    self.stats.divergent_branches += 1;
                    let fragment = warp.fragments.swap_remove(which);
                    warp.diverge(
                        fragment,
                        &[(*target, active), (pc + 1, mask & !active)],
                        *join,
                    );
                    break Ok(Ran::Changed);
                }
                Op::BranchTable {
                    index,
                    targets,
                    join,
                } => {
                    let row = warp.registers.src(*index);
                    let mut paths: Vec<(u32, u32)> = Vec::new();
                    for lane in (0..32).filter(|l| active >> l & 1 != 0) {
                        let Some(target) = targets.get(row[lane] as u32 as usize) else {
                            warp.fragments[which].pc = pc;
                            break;
                        };
                        match paths.iter_mut().find(|(t, _)| t == target) {
                            Some((_, lanes)) => *lanes |= 1 << lane,
                            None => paths.push((*target, 1 << lane)),
                        }
                    }
                    if paths.iter().fold(0, |all, (_, lanes)| all | lanes) != active {
                        warp.fragments[which].pc = pc;
                        break fail(FaultKind::BadCall { address: 0 }, None);
                    }
                    paths.push((pc + 1, mask & !active));
                    self.stats.divergent_branches += u64::from(paths.len() > 2);
                    let fragment = warp.fragments.swap_remove(which);
                    warp.diverge(fragment, &paths, *join);
                    break Ok(Ran::Changed);
                }
                Op::Call(call) => {
                    warp.fragments[which].pc = pc;
                    match self.call(warp, which, call) {
                        Ok(true) => break Ok(Ran::Changed),
                        Ok(false) => Ok(()),
                        Err(failure) => Err(failure),
                    }
                }
                Op::Return | Op::Exit => {
                    let mut fragment = warp.fragments.swap_remove(which);
                    fragment.mask = active;
                    if mask != active {
                        let rest = Fragment {
                            pc: pc + 1,
                            mask: mask & !active,
                            ..fragment
                        };
                        warp.place(rest);
                    }
                    let call = warp.call_of(join);
                    if matches!(inst.op, Op::Exit) || call == super::warp::NO_JOIN {
                        warp.exit(join, active);
                    } else {
                        self.take_results(warp, &fragment, call);
                        warp.leave(join, call, active);
                        warp.arrive(call, active);
                    }
                    break Ok(Ran::Changed);
                }
                Op::Trap => fail(FaultKind::Trap, Some(active.trailing_zeros())),
                Op::Fence => {
                    fence(SeqCst);
                    Ok(())
                }
                Op::Contribute { address, bytes } => {
                    self.contribute(warp, shared, *address, *bytes, active)
                }
                Op::Nothing => Ok(()),
                Op::Clock { d, clock } => {
                    let value = self.clock(warp, *clock);
                    warp.registers.put(*d, active, &[value; 32]);
                    Ok(())
                }
                Op::ActiveMask { d } => {
                    warp.registers.put(*d, active, &[u64::from(active); 32]);
                    Ok(())
                }
                Op::Barrier(barrier) => {
                    let lane = active.trailing_zeros();
                    let id = warp.registers.src(barrier.id)[lane as usize] as u32;
                    self.park(
                        warp,
                        which,
                        pc,
                        active,
                        State::Barrier { id, arrived: false },
                    );
                    break Ok(Ran::Changed);
                }
                Op::Sync(sync) => {
                    let masks = *warp.registers.src(sync.mask);
                    let live = warp.live;
                    if groups(&masks, active).any(|(members, lanes)| members & live & !lanes != 0) {
                        park_groups(warp, which, pc, active, &masks);
                        break Ok(Ran::Changed);
                    }
                    groups(&masks, active).try_for_each(|(members, lanes)| {
                        self.sync_alone(warp, sync, lanes, members)
                    })
                }
            };
            if let Err(failure) = done {
                warp.fragments[which].pc = pc;
                warp.turn = which;
                break Err(failure);
            }
            pc += 1;
        };
        self.stats.warp_instructions += warp.instructions - started;
        self.stats.lane_instructions += lanes;
        ran
    }

    /// The active lanes of a fragment wait at its instruction; the others go on.
    fn park(&self, warp: &mut Warp, which: usize, pc: u32, active: u32, state: State) {
        let fragment = &mut warp.fragments[which];
        let rest = Fragment {
            pc: pc + 1,
            mask: fragment.mask & !active,
            ..*fragment
        };
        *fragment = Fragment {
            pc,
            mask: active,
            state,
            ..*fragment
        };
        if rest.mask != 0 {
            warp.place(rest);
        }
    }

    fn clock(&self, warp: &Warp, clock: Clock) -> u64 {
        let nanoseconds = || self.machine.started.elapsed().as_nanos() as u64;
        match clock {
            Clock::Cycles32 => warp.instructions & 0xffff_ffff,
            Clock::Cycles64 => warp.instructions,
            Clock::CyclesHigh => warp.instructions >> 32,
            Clock::Nanoseconds => nanoseconds(),
            Clock::NanosecondsLow => nanoseconds() & 0xffff_ffff,
            Clock::NanosecondsHigh => nanoseconds() >> 32,
        }
    }
}

/// The active lanes of a fragment wait at its `.sync` instruction, those with the same mask together; the others go on.
fn park_groups(warp: &mut Warp, which: usize, pc: u32, active: u32, masks: &Row) {
    let fragment = warp.fragments.swap_remove(which);
    for (members, lanes) in groups(masks, active) {
        warp.fragments.push(Fragment {
            pc,
            mask: lanes,
            state: State::Sync { mask: members },
            ..fragment
        });
    }
    let rest = fragment.mask & !active;
    if rest != 0 {
        warp.place(Fragment {
            pc: pc + 1,
            mask: rest,
            ..fragment
        });
    }
}
