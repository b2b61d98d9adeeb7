//! What reductions need beside shuffles: votes and reductions of a warp, and the locked region.
//!
//! ```text
//! %s = simt.reduce Add %x          redux.sync.add.s32 %r2, %r1, 0xffffffff;
//! %m = simt.ballot %b             vote.sync.ballot.b32 %r3, %p1, 0xffffffff;
//! %n = simt.mask Count %m         popc.b32 %r4, %r3;
//! %f = simt.mask First %m         brev.b32 %r5, %r3;  clz.b32 %r6, %r5;
//! simt.locked %lock { … }         L1: atom.shared.cas.b32 %r7, [lock], 0, 1;   …   (see [`super::atomic`])
//! ```

use super::{function::Selector, types::Class};
use crate::{
    diagnostic::Result,
    dialect::{Ballot, Locked, Mask, MaskKind, ModuleLock, Reduce, ReduceKind},
};
use pliron::builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface};

impl Selector<'_> {
    pub(super) fn redux(&mut self, op: &Reduce) -> Result<()> {
        let operation = match op.kind(self.ctx) {
            ReduceKind::Add => "add.s32",
            ReduceKind::MinS => "min.s32",
            ReduceKind::MaxS => "max.s32",
            ReduceKind::MinU => "min.u32",
            ReduceKind::MaxU => "max.u32",
            ReduceKind::And => "and.b32",
            ReduceKind::Or => "or.b32",
            ReduceKind::Xor => "xor.b32",
        };
        let value = self.in_register(op.get_operand_value(self.ctx))?;
        let members = self.members(op.lanes(self.ctx))?;
        let opcode = format!("redux.sync.{operation}");
        let register = self.compute(Class::B32, &opcode, &[&value, &members]);
        self.define(op.get_result(self.ctx), Class::B32, [register]);
        Ok(())
    }

    pub(super) fn ballot(&mut self, op: &Ballot) -> Result<()> {
        let condition = self.in_register(op.get_operand_condition(self.ctx))?;
        let members = self.members(op.lanes(self.ctx))?;
        let operands = [condition.as_str(), &members];
        let register = self.compute(Class::B32, "vote.sync.ballot.b32", &operands);
        self.define(op.get_result(self.ctx), Class::B32, [register]);
        Ok(())
    }

    pub(super) fn mask(&mut self, op: &Mask) -> Result<()> {
        let mask = self.in_register(op.get_operand_mask(self.ctx))?;
        let register = match op.kind(self.ctx) {
            MaskKind::Count => self.compute(Class::B32, "popc.b32", &[&mask]),
            MaskKind::First => {
                let reversed = self.compute(Class::B32, "brev.b32", &[&mask]);
                self.compute(Class::B32, "clz.b32", &[&reversed])
            }
        };
        self.define(op.get_result(self.ctx), Class::B32, [register]);
        Ok(())
    }

    pub(super) fn locked_region(&mut self, op: &Locked) -> Result<()> {
        let lock = self.address(op.get_operand_lock(self.ctx))?;
        let body = op.get_body(self.ctx, 0);
        self.locked_with(&lock, |p| p.block(body).map(drop))
    }

    pub(super) fn module_lock(&mut self, op: &ModuleLock) -> Result<()> {
        let lock = self.lock();
        self.bind_address(op.get_result(self.ctx), lock);
        Ok(())
    }
}
