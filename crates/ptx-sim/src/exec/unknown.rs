//! Values of which some bits were never written: they may be copied, but nothing may depend on them.
//!
//! A load of which nothing was written is a mistake as it stands. But a load of some bytes that were written and some that
//! were not is most often a struct with its padding, and pieces of a struct may be all padding: such values travel in
//! registers (see [`crate::alu::flow`]) and back to memory, and only where one is computed with, compared, or an address,
//! the load is reported.

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
    program::{Access, Op, SyncOp},
};
use std::rc::Rc;

/// The load that unknown bits come from.
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
                    // What other lanes get is taken to be known: they need not use it.
                    SyncOp::Shuffle { d, .. } => (None, d),
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
            // What functions take and give goes through memory.
            Op::Call(_)
            | Op::Branch { .. }
            | Op::Return
            | Op::Exit
            | Op::Trap
            | Op::Fence
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

    /// Which of the bits that lanes are about to load were never written, per element; the lanes that load nothing else, if
    /// that is a mistake, are an error.
    pub fn unknown_bits(
        &self,
        x: &Access,
        target: &Target,
        written: impl Fn(usize, u64) -> bool,
        lanes_here: u32,
    ) -> Result<Vec<Row>, usize> {
        let (Target::Allocation(_, offsets) | Target::Shared(offsets) | Target::Local(offsets)) =
            target
        else {
            return Ok(Vec::new());
        };
        let size = x.ty.bytes();
        // Pieces of a struct are loaded into registers of 64 bits, single bytes may be any object's.
        let piece = size == 1 || size < 8 && x.width == 64;
        let mut bits = vec![ZERO_ROW; x.count as usize];
        for lane in lanes(lanes_here) {
            let mut any = piece;
            for (n, row) in bits.iter_mut().enumerate() {
                for byte in 0..size {
                    let at = offsets[lane] + u64::from(n as u32 * size + byte);
                    if written(lane, at) {
                        any = true;
                    } else {
                        row[lane] |= 0xff << (8 * byte);
                    }
                }
                if x.ty.signed() && row[lane] >> (x.ty.bits() - 1) & 1 != 0 {
                    row[lane] |= u64::MAX << (x.ty.bits() - 1);
                }
            }
            if !any {
                return Err(lane);
            }
        }
        Ok(bits)
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
            warp.unknown.set(row, lanes_here, bits, load.clone());
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
