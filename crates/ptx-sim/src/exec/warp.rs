//! A warp: 32 lanes, their registers, and where they are.
//!
//! Lanes at one place form a fragment. A branch at which lanes part makes a join: the place where they meet again, with the
//! lanes that are expected. A fragment that gets there waits; when all expected lanes that still live have arrived, they go
//! on as one fragment. A call makes a join as well: the place behind it. Joins form a tree, so that fragments can run in any
//! order, as on GPUs with independent thread scheduling.
//!
//! ```text
//!         @%p bra $else          fragment {all}           → join {at $end, expects all}, fragments {p} and {not p}
//!         …                      fragment {not p} waits at $end
//! $else:  …                      fragment {p} runs
//! $end:   …                      both arrived: fragment {all}
//! ```

use super::{async_copy::Copies, unknown::Load};
use crate::{
    Checks, Single,
    alu::{Registers, Row, ZERO_ROW, flow::Unknown},
    memory::marks::OwnMarks,
    program::{NO_PC, Program},
};
use std::rc::Rc;

/// Index of a join; the outermost fragments have none.
pub const NO_JOIN: u32 = u32::MAX;

/// A running function's part of the registers and of local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub function: u32,
    pub base: u32,
    pub pred_base: u32,
    /// First byte of the frame in local memory, and the byte behind it.
    pub local: u32,
    pub end: u32,
    pub depth: u32,
    /// The single mode in which the function was called.
    pub single: Single,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Run,
    /// Waits at the barrier of its instruction; `arrived`: the block knows.
    Barrier {
        id: u32,
        arrived: bool,
    },
    /// Waits at a `.sync` instruction for the lanes in the mask.
    Sync {
        mask: u32,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct Fragment {
    pub pc: u32,
    pub mask: u32,
    pub join: u32,
    pub frame: Frame,
    pub state: State,
}

#[derive(Clone, Copy, Debug)]
pub struct Join {
    /// Where the lanes go on.
    pub pc: u32,
    /// A call's join is not reached by running to `pc`, but by returning.
    pub call: bool,
    pub expected: u32,
    pub arrived: u32,
    pub parent: u32,
    pub frame: Frame,
    /// Counters of the warp when the first lanes arrived.
    instructions: u64,
    strong: u64,
}

pub struct Warp {
    pub registers: Registers,
    /// Lanes that have not exited.
    pub live: u32,
    pub fragments: Vec<Fragment>,
    pub joins: Vec<Join>,
    free_joins: Vec<u32>,
    /// Which fragment runs next.
    pub turn: usize,
    /// Local memory, one lane after the other.
    pub local: Vec<u8>,
    /// Bytes of local memory per lane.
    pub stride: u32,
    /// Number of lane 0 in the block.
    pub first_thread: u32,
    pub instructions: u64,
    /// Accesses that may be waiting for another thread.
    pub strong: u64,
    /// What the warp knows of the clocks of the block's warps, itself included (see `races`).
    pub clock: Vec<u32>,
    /// Which bytes of local memory have been written, by lane; empty when that is not checked.
    pub written: Vec<OwnMarks>,
    /// Register bits that nobody has written.
    pub unknown: Unknown<Rc<Load>>,
    /// By lane; empty until the first `cp.async`.
    pub copies: Vec<Copies>,
}

/// Waiting lanes may be what others spin for: after so many instructions and atomic accesses they go on alone.
const PATIENCE: (u64, u64) = (4_000, 100);

fn own_clock(warp: usize, checked: bool) -> Vec<u32> {
    let mut clock = vec![0; if checked { warp + 1 } else { 0 }];
    if let Some(own) = clock.last_mut() {
        *own = 1;
    }
    clock
}

impl Warp {
    /// A warp at the start of the kernel.
    pub fn new(
        program: &Program,
        first_thread: u32,
        lanes: u32,
        special: Box<[Row]>,
        checks: Checks,
    ) -> Warp {
        let kernel = &program.functions[0];
        let live = if lanes >= 32 {
            u32::MAX
        } else {
            (1 << lanes) - 1
        };
        let frame = Frame {
            function: 0,
            base: 0,
            pred_base: 0,
            local: 0,
            end: kernel.frame,
            depth: 0,
            single: Single::No,
        };
        Warp {
            registers: Registers {
                rows: vec![ZERO_ROW; kernel.registers as usize],
                preds: vec![0; kernel.preds as usize],
                base: 0,
                pred_base: 0,
                special,
                constants: program.constants.clone(),
                carry: 0,
            },
            live,
            fragments: vec![Fragment {
                pc: kernel.entry,
                mask: live,
                join: NO_JOIN,
                frame,
                state: State::Run,
            }],
            joins: Vec::new(),
            free_joins: Vec::new(),
            turn: 0,
            local: vec![0; kernel.frame as usize * 32],
            stride: kernel.frame,
            first_thread,
            instructions: 0,
            strong: 0,
            clock: own_clock((first_thread / 32) as usize, checks.races),
            written: (0..if checks.uninitialised { 32 } else { 0 })
                .map(|_| OwnMarks::new(kernel.frame as usize))
                .collect(),
            unknown: Unknown::default(),
            copies: Vec::new(),
        }
    }

    pub fn runnable(&self) -> bool {
        self.fragments.iter().any(|f| f.state == State::Run)
    }

    /// Makes room for a frame.
    pub fn reserve(&mut self, frame: &Frame, registers: u32, preds: u32) {
        let rows = (frame.base + registers) as usize;
        if self.registers.rows.len() < rows {
            self.registers.rows.resize(rows, ZERO_ROW);
        }
        let preds = (frame.pred_base + preds) as usize;
        if self.registers.preds.len() < preds {
            self.registers.preds.resize(preds, 0);
        }
        if frame.end > self.stride {
            let stride = frame.end.max(self.stride * 2);
            let mut local = vec![0; stride as usize * 32];
            for lane in 0..32 {
                let old = &self.local[lane * self.stride as usize..][..self.stride as usize];
                local[lane * stride as usize..][..old.len()].copy_from_slice(old);
            }
            self.local = local;
            self.written
                .iter_mut()
                .for_each(|marks| marks.grow(stride as usize));
            self.stride = stride;
        }
    }

    /// Where a fragment has to stop for its join.
    pub fn stop_of(&self, join: u32) -> u32 {
        match self.joins.get(join as usize) {
            Some(j) if !j.call => j.pc,
            _ => NO_PC,
        }
    }

    pub fn add_join(
        &mut self,
        pc: u32,
        call: bool,
        expected: u32,
        parent: u32,
        frame: Frame,
    ) -> u32 {
        let join = Join {
            pc,
            call,
            expected,
            arrived: 0,
            parent,
            frame,
            instructions: 0,
            strong: 0,
        };
        match self.free_joins.pop() {
            Some(index) => {
                self.joins[index as usize] = join;
                index
            }
            None => {
                self.joins.push(join);
                self.joins.len() as u32 - 1
            }
        }
    }

    /// Lanes of a fragment (already taken out of the list) part; `paths` are disjoint.
    pub fn diverge(&mut self, from: Fragment, paths: &[(u32, u32)], join_pc: u32) {
        let mut join = from.join;
        if join_pc != NO_PC && self.stop_of(join) != join_pc {
            join = self.add_join(join_pc, false, from.mask, from.join, from.frame);
        }
        for (pc, mask) in paths.iter().copied().filter(|(_, mask)| *mask != 0) {
            self.place(Fragment {
                pc,
                mask,
                join,
                frame: from.frame,
                state: State::Run,
            });
        }
    }

    /// Puts a fragment where it belongs: into the list, or to its join if it is there already.
    pub fn place(&mut self, fragment: Fragment) {
        if fragment.pc == self.stop_of(fragment.join) {
            self.arrive(fragment.join, fragment.mask);
        } else {
            self.fragments.push(fragment);
        }
    }

    /// Lanes get to a join.
    pub fn arrive(&mut self, join: u32, lanes: u32) {
        let (instructions, strong) = (self.instructions, self.strong);
        let j = &mut self.joins[join as usize];
        if j.arrived == 0 {
            (j.instructions, j.strong) = (instructions, strong);
        }
        j.arrived |= lanes;
        self.release_if_complete(join);
    }

    fn release_if_complete(&mut self, join: u32) {
        let j = self.joins[join as usize];
        if j.arrived != j.expected {
            return;
        }
        self.free_joins.push(join);
        if j.arrived != 0 {
            self.place(Fragment {
                pc: j.pc,
                mask: j.arrived,
                join: j.parent,
                frame: j.frame,
                state: State::Run,
            });
        }
    }

    /// The innermost call that a fragment is in.
    pub fn call_of(&self, join: u32) -> u32 {
        let mut at = join;
        while let Some(j) = self.joins.get(at as usize) {
            if j.call {
                return at;
            }
            at = j.parent;
        }
        NO_JOIN
    }

    /// Lanes will not come to the joins from `join` up to, not including, `end`.
    pub fn leave(&mut self, join: u32, end: u32, lanes: u32) {
        let mut at = join;
        while at != end && at != NO_JOIN {
            let parent = self.joins[at as usize].parent;
            self.joins[at as usize].expected &= !lanes;
            self.release_if_complete(at);
            at = parent;
        }
    }

    /// Lanes end.
    pub fn exit(&mut self, join: u32, lanes: u32) {
        self.live &= !lanes;
        self.leave(join, NO_JOIN, lanes);
    }

    /// Joins in which lanes wait, without those in the free list.
    pub fn waiting_joins(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.joins.len() as u32)
            .filter(|j| self.joins[*j as usize].arrived != 0 && !self.free_joins.contains(j))
    }

    /// Lets the lanes that wait at a join go on without the others.
    pub fn break_join(&mut self, join: u32) {
        let j = &mut self.joins[join as usize];
        let (lanes, parent, pc, frame) = (j.arrived, j.parent, j.pc, j.frame);
        j.expected &= !lanes;
        j.arrived = 0;
        self.place(Fragment {
            pc,
            mask: lanes,
            join: parent,
            frame,
            state: State::Run,
        });
    }

    /// Breaks joins whose lanes have waited long for lanes that seem to spin.
    pub fn break_impatient(&mut self) {
        if self.joins.len() == self.free_joins.len() {
            return;
        }
        let impatient = self.waiting_joins().find(|j| {
            let j = &self.joins[*j as usize];
            self.instructions - j.instructions > PATIENCE.0 && self.strong - j.strong > PATIENCE.1
        });
        if let Some(join) = impatient {
            self.break_join(join);
        }
    }

    /// Makes one of fragments that are at the same place.
    pub fn merge(&mut self) {
        let mut at = 0;
        while at < self.fragments.len() {
            let f = self.fragments[at];
            let twin = self.fragments[..at].iter().position(|g| {
                (g.pc, g.join, g.frame, g.state) == (f.pc, f.join, f.frame, f.state)
                    && f.state == State::Run
            });
            match twin {
                Some(twin) => {
                    self.fragments[twin].mask |= f.mask;
                    self.fragments.swap_remove(at);
                }
                None => at += 1,
            }
        }
    }
}
