//! Effects of lanes that a single mode should have silenced.
//!
//! Code that is not in a worker or vector loop is run by all threads of its block, or of its worker, and its effects are the
//! first one's (`%tid.x` = 0, in blocks also `%tid.y` = 0). The compiler says in notes which instructions these are; the
//! condition on the first thread is made in another place of it. Where a condition is missing, an atomic addition happens
//! once per lane, and a store races with the other warps'.
//!
//! ```text
//! //@ accrue single block
//! @%leader red.global.add.u32 [%rd1], 1;       without @%leader: reported for lane 1
//! //@ accrue single end
//! ```
//! A function that is called there is in the caller's mode.

use super::{
    Failed, Worker, fail,
    warp::{Frame, Warp},
};
use crate::{Access, FaultKind, Single, alu::Row};

/// Rows of `program::SPECIAL`.
const TID_X: usize = 0;
const TID_Y: usize = 1;

impl Worker<'_> {
    /// The single mode of an instruction: its own, or that in which its function was called.
    pub fn single(&self, frame: &Frame, pc: u32) -> Single {
        frame.single.max(self.machine.program.single(pc))
    }

    /// Checks that only the first thread has an effect, where there is to be one. `access` describes a lane's.
    pub fn check_single(
        &self,
        warp: &Warp,
        frame: &Frame,
        lanes: u32,
        access: impl Fn(usize) -> Option<Access>,
    ) -> Result<(), Failed> {
        let single = self.single(frame, self.pc);
        if single == Single::No || !self.machine.options.checks.convergence {
            return Ok(());
        }
        let first = |row: usize| {
            let tid: &Row = &warp.registers.special[row];
            (0..32).fold(0u32, |lanes, l| lanes | u32::from(tid[l] == 0) << l)
        };
        let leaders = match single {
            Single::No => u32::MAX,
            Single::Worker => first(TID_X),
            Single::Block => first(TID_X) & first(TID_Y),
        };
        let others = lanes & !leaders;
        if others == 0 {
            return Ok(());
        }
        let lane = others.trailing_zeros();
        let access = access(lane as usize);
        fail(FaultKind::Unsilenced { single, access }, Some(lane))
    }
}
