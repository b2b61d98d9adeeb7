//! `.sync` instructions of a warp: shuffles, votes, matches, reductions.
//!
//! The lanes in the member mask exchange values when all of them that live have come. Usually one fragment has them all; else
//! fragments wait, and the last one completes the exchange for all. Lanes that name different members at the same
//! instruction are exchanges of their own.

use super::{
    Failed, Machine, Worker,
    barrier::resettle,
    block::{Block, BlockResult},
    fail,
    unknown::{self, UnknownBits},
    warp::{Fragment, State, Warp},
};
use crate::{
    FaultKind,
    alu::{Registers, Row, SINK, ZERO_ROW},
    ast::Ty,
    program::{AtomicOp, Op, ShuffleMode, Sync, SyncOp},
};

/// The values that the lanes bring, and which lanes there are.
struct Exchange {
    values: Row,
    unknown: Option<UnknownBits>,
    present: u32,
    checked: bool,
}

/// The lanes of a fragment by the members that they name: members, and who names them.
pub fn groups(masks: &Row, active: u32) -> impl Iterator<Item = (u32, u32)> {
    let mut rest = active;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let members = masks[rest.trailing_zeros() as usize] as u32;
        let same = |lane: &usize| rest >> lane & 1 != 0 && masks[*lane] as u32 == members;
        let lanes = (0..32).filter(same).fold(0, |all, lane| all | 1 << lane);
        rest &= !lanes;
        Some((members, lanes))
    })
}

impl Worker<'_> {
    /// All member lanes are in this fragment.
    pub fn sync_alone(
        &mut self,
        warp: &mut Warp,
        sync: &Sync,
        active: u32,
        members: u32,
    ) -> Result<(), Failed> {
        let checked = self.machine.options.checks.convergence;
        check_members(active, members, checked)?;
        let mut exchange = Exchange {
            values: ZERO_ROW,
            unknown: None,
            present: active & members,
            checked,
        };
        gather(warp, &sync.op, active, &mut exchange);
        warp.tick();
        apply(warp, &sync.op, active, &exchange)
    }
}

fn check_members(active: u32, members: u32, checked: bool) -> Result<(), Failed> {
    let outside = active & !members;
    if checked && outside != 0 {
        return fail(
            FaultKind::NotInMask { mask: members },
            Some(outside.trailing_zeros()),
        );
    }
    Ok(())
}

impl Block {
    /// Completes the `.sync` instructions that fragments of the warp wait at, where all lanes have come.
    pub fn complete_syncs(&mut self, machine: &Machine, w: usize) -> BlockResult<()> {
        loop {
            let warp = &self.warps[w];
            let ready = warp.fragments.iter().find_map(|f| match f.state {
                State::Sync { mask } if waiting(warp, f.state) & mask == mask & warp.live => {
                    Some((f.state, mask, f.pc))
                }
                State::Sync { .. } | State::Run | State::Barrier { .. } => None,
            });
            let Some((state, mask, pc)) = ready else {
                return Ok(());
            };
            let done = exchange(machine, &mut self.warps[w], state, mask);
            self.raise(machine, w, done, pc)?;
        }
    }
}

fn waiting(warp: &Warp, state: State) -> u32 {
    warp.fragments
        .iter()
        .filter(|f| f.state == state)
        .fold(0, |all, f| all | f.mask)
}

fn sync_at<'p>(machine: &Machine<'p>, f: &Fragment) -> Option<&'p Sync> {
    match machine.program.code.get(f.pc as usize).map(|i| &i.op) {
        Some(Op::Sync(sync)) => Some(sync),
        _ => None,
    }
}

fn exchange(machine: &Machine, warp: &mut Warp, state: State, members: u32) -> Result<(), Failed> {
    let checked = machine.options.checks.convergence;
    let present = waiting(warp, state) & members;
    let mut exchange = Exchange {
        values: ZERO_ROW,
        unknown: None,
        present,
        checked,
    };
    for f in warp.fragments.iter().filter(|f| f.state == state) {
        let Some(sync) = sync_at(machine, f) else {
            continue;
        };
        check_members(f.mask, members, checked)?;
        (warp.registers.base, warp.registers.pred_base) =
            (f.frame.base as usize, f.frame.pred_base as usize);
        gather(warp, &sync.op, f.mask, &mut exchange);
    }
    for n in 0..warp.fragments.len() {
        let f = warp.fragments[n];
        let Some(sync) = sync_at(machine, &f).filter(|_| f.state == state) else {
            continue;
        };
        (warp.registers.base, warp.registers.pred_base) =
            (f.frame.base as usize, f.frame.pred_base as usize);
        apply(warp, &sync.op, f.mask, &exchange)?;
        warp.fragments[n].state = State::Run;
        warp.fragments[n].pc += 1;
    }
    warp.tick();
    resettle(warp);
    Ok(())
}

/// What the lanes bring to the exchange.
fn gather(warp: &Warp, op: &SyncOp, lanes: u32, x: &mut Exchange) {
    let r = &warp.registers;
    let row = match op {
        SyncOp::Warp | SyncOp::Elect { .. } => return,
        SyncOp::Shuffle { a, .. } => {
            unknown::gather(warp, *a, lanes, &mut x.unknown);
            *r.src(*a)
        }
        SyncOp::MatchAny { a, .. } | SyncOp::MatchAll { a, .. } | SyncOp::Reduce { a, .. } => {
            *r.src(*a)
        }
        SyncOp::VoteAll { p, .. }
        | SyncOp::VoteAny { p, .. }
        | SyncOp::VoteUniform { p, .. }
        | SyncOp::Ballot { p, .. } => {
            let bits = r.pred(*p);
            std::array::from_fn(|lane| u64::from(bits >> lane & 1))
        }
    };
    for lane in (0..32).filter(|l| lanes >> l & 1 != 0) {
        x.values[lane] = row[lane];
    }
}

/// Gives the lanes of a fragment their results.
fn apply(warp: &mut Warp, op: &SyncOp, lanes: u32, x: &Exchange) -> Result<(), Failed> {
    let r = &mut warp.registers;
    let present = || (0..32usize).filter(|l| x.present >> l & 1 != 0);
    let holds = present().fold(0u32, |bits, l| bits | ((x.values[l] & 1) as u32) << l);
    let all = |yes: bool| if yes { u32::MAX } else { 0 };
    match op {
        SyncOp::Warp => {}
        SyncOp::Shuffle {
            mode, d, p, b, c, ..
        } => {
            let sources = shuffle(r, *mode, (*d, *p), (*r.src(*b), *r.src(*c)), lanes, x)?;
            unknown::hand_over(warp, *d, lanes, &sources, x.unknown.as_ref());
        }
        SyncOp::VoteAll { d, .. } => r.put_pred(*d, lanes, all(holds == x.present)),
        SyncOp::VoteAny { d, .. } => r.put_pred(*d, lanes, all(holds != 0)),
        SyncOp::VoteUniform { d, .. } => {
            r.put_pred(*d, lanes, all(holds == 0 || holds == x.present))
        }
        SyncOp::Ballot { d, .. } => r.put(*d, lanes, &[u64::from(holds); 32]),
        SyncOp::MatchAny { d, .. } => {
            let same = |lane: usize| {
                present()
                    .filter(|l| x.values[*l] == x.values[lane])
                    .fold(0u64, |m, l| m | 1 << l)
            };
            r.put(*d, lanes, &std::array::from_fn(same));
        }
        SyncOp::MatchAll { d, p, .. } => {
            let mut values = present().map(|l| x.values[l]);
            let first = values.next();
            let equal = values.all(|v| Some(v) == first);
            r.put(
                *d,
                lanes,
                &[if equal { u64::from(x.present) } else { 0 }; 32],
            );
            if *p != SINK {
                r.put_pred(*p, lanes, all(equal));
            }
        }
        SyncOp::Reduce { op, ty, d, .. } => {
            let result = present()
                .map(|l| x.values[l])
                .reduce(|a, b| reduce(*op, *ty, a, b))
                .unwrap_or(0);
            r.put(*d, lanes, &[result; 32]);
        }
        SyncOp::Elect { d, p } => {
            let leader = x.present.trailing_zeros();
            r.put(*d, lanes, &[u64::from(leader); 32]);
            if *p != SINK {
                r.put_pred(*p, lanes, 1 << (leader & 31));
            }
        }
    }
    Ok(())
}

fn reduce(op: AtomicOp, ty: Ty, a: u64, b: u64) -> u64 {
    let (a, b) = (a as u32, b as u32);
    u64::from(match (op, ty.signed()) {
        (AtomicOp::Min, true) => (a as i32).min(b as i32) as u32,
        (AtomicOp::Max, true) => (a as i32).max(b as i32) as u32,
        (AtomicOp::Min, false) => a.min(b),
        (AtomicOp::Max, false) => a.max(b),
        (AtomicOp::And, _) => a & b,
        (AtomicOp::Or, _) => a | b,
        (AtomicOp::Xor, _) => a ^ b,
        (
            AtomicOp::Add
            | AtomicOp::Exchange
            | AtomicOp::CompareAndSwap
            | AtomicOp::Increment
            | AtomicOp::Decrement,
            _,
        ) => a.wrapping_add(b),
    })
}

/// PTX ISA 9.7.9.6, with the segment mask and clamp in `c`. Gives the lane from which each has its value.
fn shuffle(
    r: &mut Registers,
    mode: ShuffleMode,
    (d, p): (u32, u32),
    (b, c): (Row, Row),
    lanes: u32,
    x: &Exchange,
) -> Result<[usize; 32], Failed> {
    let (mut out, mut inside, mut sources) = (ZERO_ROW, 0u32, [0; 32]);
    for lane in (0..32u64).filter(|l| lanes >> l & 1 != 0) {
        let (b, c) = (b[lane as usize] & 31, c[lane as usize]);
        let (clamp, segment) = (c & 31, c >> 8 & 31);
        let max = (lane & segment) | (clamp & !segment);
        let min = lane & segment;
        let (from, valid) = match mode {
            ShuffleMode::Up => (lane.wrapping_sub(b), lane as i64 - b as i64 >= max as i64),
            ShuffleMode::Down => (lane + b, lane + b <= max),
            ShuffleMode::Butterfly => (lane ^ b, lane ^ b <= max),
            ShuffleMode::Index => (min | (b & !segment), (min | (b & !segment)) <= max),
        };
        let from = if valid { from & 31 } else { lane };
        if x.checked && x.present >> from & 1 == 0 {
            return fail(
                FaultKind::InactiveLane { lane: from as u32 },
                Some(lane as u32),
            );
        }
        out[lane as usize] = x.values[from as usize] & 0xffff_ffff;
        sources[lane as usize] = from as usize;
        inside |= u32::from(valid) << lane;
    }
    r.put(d, lanes, &out);
    if p != SINK {
        r.put_pred(p, lanes, inside);
    }
    Ok(sources)
}
