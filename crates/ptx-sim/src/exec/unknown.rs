//! Values of which some bits were never written: they may be copied, but nothing may depend on them.
//!
//! Structs are copied with their padding, and arrays with elements that nobody uses. Such values travel in registers (see
//! [`crate::alu::flow`]), from lane to lane and back to memory, and only where one is computed with, compared, or an
//! address, the load is reported.

use super::{
    Failed, Worker,
    access::{Request, Target},
    call::lanes,
    checks::Shared,
    fail,
    warp::Warp,
};
use crate::{
    FaultKind,
    alu::{Alu, Row, SINK, Src, ZERO_ROW, flow::spread},
    program::{Access, Actual, Op, SyncOp},
};
use std::rc::Rc;

/// The load that unknown bits come from.
#[derive(Clone)]
pub struct Load {
    pc: u32,
    request: Request,
    addresses: Row,
}

/// An operand depends on unknown bits.
type Misuse = (Rc<Load>, usize);

impl Worker<'_> {
    /// Before an instruction, in a warp with unknown bits: whether it depends on some, and which bits of its results are.
    pub fn follow_unknown(&mut self, warp: &mut Warp, op: &Op, active: u32) -> Result<(), Failed> {
        let misuse = match op {
            Op::Alu(alu) => follow_alu(warp, alu, active),
            Op::Load(x) => {
                let misuse = depends(warp, &[x.address], active);
                x.to.iter().for_each(|d| known(warp, *d, active));
                misuse
            }
            Op::Store(x) => depends(warp, &[x.address], active),
            Op::Atomic(x) => {
                let misuse = depends(warp, &[x.address, x.b, x.c], active);
                known(warp, x.d, active);
                misuse
            }
            Op::AtomicWide(x) => {
                let [b, c] = [x.b, x.c];
                let misuse = depends(warp, &[x.at.address, b[0], b[1], c[0], c[1]], active);
                x.d.iter().for_each(|d| known(warp, *d, active));
                misuse
            }
            Op::AsyncCopy(x) => depends(warp, &[x.to.address, x.from.address], active),
            Op::BranchTable { index, .. } => depends(warp, &[*index], active),
            Op::FrameAddress { d, .. } | Op::Clock { d, .. } | Op::ActiveMask { d } => {
                known(warp, *d, active);
                None
            }
            Op::Sync(sync) => {
                let (misuse, d) = match sync.op {
                    SyncOp::Warp | SyncOp::VoteAll { .. } | SyncOp::VoteAny { .. } => (None, SINK),
                    SyncOp::VoteUniform { .. } => (None, SINK),
                    // Lanes get them with the values, see `hand_over`.
                    SyncOp::Shuffle { .. } => (None, SINK),
                    SyncOp::Ballot { d, .. } | SyncOp::Elect { d, .. } => (None, d),
                    SyncOp::MatchAny { d, a }
                    | SyncOp::MatchAll { d, a, .. }
                    | SyncOp::Reduce { d, a, .. } => (depends(warp, &[a], active), d),
                };
                known(warp, d, active);
                misuse
            }
            Op::Barrier(barrier) => {
                if let Some((_, d, _)) = barrier.reduce {
                    known(warp, d, active);
                }
                None
            }
            // What functions take and give goes through memory, or else must be known.
            Op::Call(call) => {
                let values = call.arguments.iter().filter_map(|argument| match argument {
                    Actual::Value(source, _) => Some(*source),
                    Actual::Frame(..)
                    | Actual::Pred(_)
                    | Actual::Register(_)
                    | Actual::PredRegister(_)
                    | Actual::Nowhere => None,
                });
                depends(warp, &values.collect::<Vec<_>>(), active)
            }
            Op::Branch { .. }
            | Op::Return
            | Op::Exit
            | Op::Trap
            | Op::Fence
            | Op::Contribute { .. }
            | Op::Nothing
            | Op::AsyncCommit
            | Op::AsyncWait { .. } => None,
        };
        let Some((load, lane)) = misuse else {
            return Ok(());
        };
        // Of the two places, the load's is the one that names the variable.
        let program = self.machine.program;
        let function = |pc| program.place(pc).map(|place| &place.function);
        if function(load.pc) == function(self.pc) {
            self.pc = load.pc;
        }
        let report = self.report(&load.request, load.addresses[lane], lane);
        fail(FaultKind::Uninitialised(report), Some(lane as u32))
    }

    /// Which of the bits that lanes are about to load were never written, per element. Of a word that several threads
    /// change, some must have been: an atomic update of 8 or 16 bits exchanges the word, and its neighbours keep their values.
    pub fn unknown_bits(
        &self,
        x: &Access,
        target: &Target,
        written: impl Fn(usize, u64) -> bool,
        lanes_here: u32,
    ) -> Vec<Row> {
        let (Target::Allocation(_, offsets) | Target::Shared(offsets) | Target::Local(offsets)) =
            target
        else {
            return Vec::new();
        };
        let size = x.ty.bytes();
        let mut bits = vec![ZERO_ROW; x.count as usize];
        for lane in lanes(lanes_here) {
            for (n, row) in bits.iter_mut().enumerate() {
                for byte in 0..size {
                    let at = offsets[lane] + u64::from(n as u32 * size + byte);
                    if !written(lane, at) {
                        row[lane] |= 0xff << (8 * byte);
                    }
                }
                if x.strong && row[lane] != u64::MAX >> (64 - 8 * size) {
                    row[lane] = 0;
                }
                if x.ty.signed() && row[lane] >> (x.ty.bits() - 1) & 1 != 0 {
                    row[lane] |= u64::MAX << (x.ty.bits() - 1);
                }
            }
        }
        bits
    }

    /// The load has been made.
    pub fn note_unknown(
        &self,
        warp: &mut Warp,
        x: &Access,
        request: &Request,
        addresses: &Row,
        lanes_here: u32,
        bits: &[Row],
    ) {
        let load = Rc::new(Load {
            pc: self.pc,
            request: *request,
            addresses: *addresses,
        });
        let base = warp.registers.base;
        for (d, bits) in x.to.iter().zip(bits).filter(|(d, _)| **d != SINK) {
            let row = base + *d as usize;
            let before = warp.unknown.get(row).map(|(_, load)| load.addresses);
            let load = match before {
                None => load.clone(),
                // Other lanes have theirs from an earlier load.
                Some(before) => Rc::new(Load {
                    addresses: std::array::from_fn(|lane| match lanes_here >> lane & 1 {
                        0 => before[lane],
                        _ => addresses[lane],
                    }),
                    ..*load
                }),
            };
            warp.unknown.set(row, lanes_here, bits, load);
        }
    }

    /// Bytes whose stored bits are all unknown count as never written.
    pub fn store_unknown(
        &self,
        warp: &mut Warp,
        shared: &mut Shared,
        x: &Access,
        target: &Target,
        lanes_here: u32,
    ) {
        let size = x.ty.bytes();
        for n in 0..x.count {
            let Some(bits) = row_of(warp, x.from[n as usize])
                .and_then(|row| warp.unknown.get(row))
                .map(|(bits, _)| *bits)
            else {
                continue;
            };
            for lane in lanes(lanes_here) {
                for byte in (0..size).filter(|byte| bits[lane] >> (8 * byte) & 0xff == 0xff) {
                    let skip = u64::from(n * size + byte);
                    match target {
                        Target::Allocation(allocation, offsets) => {
                            if let Some(marks) = &allocation.written {
                                marks.clear_range(offsets[lane] + skip, 1);
                            }
                        }
                        Target::Shared(offsets) => {
                            shared.written.clear((offsets[lane] + skip) as usize, 1);
                        }
                        Target::Local(offsets) => {
                            warp.written[lane].clear((offsets[lane] + skip) as usize, 1);
                        }
                        Target::Param(_) => {}
                    }
                }
            }
        }
    }
}

fn row_of(warp: &Warp, source: Src) -> Option<usize> {
    Some(warp.registers.base + source.as_register()? as usize)
}

/// The unknown bits of a value that lanes exchange, and the load that each lane's come from.
pub struct UnknownBits {
    bits: Row,
    load: Load,
}

/// Adds the unknown bits that these lanes bring to an exchange.
pub fn gather(warp: &Warp, source: Src, lanes_here: u32, all: &mut Option<UnknownBits>) {
    let Some((bits, load)) = row_of(warp, source).and_then(|row| warp.unknown.get(row)) else {
        return;
    };
    let all = all.get_or_insert_with(|| UnknownBits {
        bits: ZERO_ROW,
        load: Load::clone(load),
    });
    for lane in lanes(lanes_here) {
        all.bits[lane] = bits[lane];
        all.load.addresses[lane] = load.addresses[lane];
    }
}

/// The lanes have got the values of these sources in their register `d`.
pub fn hand_over(
    warp: &mut Warp,
    d: u32,
    lanes_here: u32,
    sources: &[usize; 32],
    brought: Option<&UnknownBits>,
) {
    let Some(UnknownBits { bits, load }) = brought else {
        if !warp.unknown.is_empty() {
            known(warp, d, lanes_here);
        }
        return;
    };
    let load = Load {
        addresses: sources.map(|from| load.addresses[from]),
        ..*load
    };
    if d != SINK {
        let row = warp.registers.base + d as usize;
        let bits = sources.map(|from| bits[from]);
        warp.unknown.set(row, lanes_here, &bits, Rc::new(load));
    }
}

/// The first lane with unknown bits in one of the operands.
fn depends(warp: &Warp, sources: &[Src], active: u32) -> Option<Misuse> {
    sources.iter().find_map(|source| {
        let (bits, load) = warp.unknown.get(row_of(warp, *source)?)?;
        let lane = lanes(active).find(|l| bits[*l] != 0)?;
        Some((load.clone(), lane))
    })
}

/// The register gets a value of which all bits are known.
fn known(warp: &mut Warp, d: u32, active: u32) {
    if d != SINK {
        let row = warp.registers.base + d as usize;
        warp.unknown.clear(row, active);
    }
}

fn follow_alu(warp: &mut Warp, alu: &Alu, active: u32) -> Option<Misuse> {
    let mut unknown = [ZERO_ROW; 4];
    let mut origin = None;
    for (row, source) in unknown.iter_mut().zip([alu.a, alu.b, alu.c, alu.x]) {
        if let Some((bits, load)) = row_of(warp, source).and_then(|r| warp.unknown.get(r)) {
            *row = *bits;
            origin.get_or_insert_with(|| load.clone());
        }
    }
    let Some(load) = origin else {
        if !alu.to_pred {
            known(warp, alu.d, active);
        }
        return None;
    };
    let bits = spread(&warp.registers, alu, &unknown);
    if let Some(lane) = lanes(active).find(|l| bits[*l].is_none()) {
        return Some((load, lane));
    }
    if !alu.to_pred && alu.d != SINK {
        let row = warp.registers.base + alu.d as usize;
        let bits = bits.map(|bits| bits.unwrap_or(0));
        warp.unknown.set(row, active, &bits, load);
    }
    None
}
