//! Gang reductions into a variable that the kernel also uses outside of its reductions.
//!
//! With several gangs the variable is updated by the end of the construct, and undefined before (OpenACC 3.4, section 2.9.11).
//! Where the launch has one gang, the code behind the loop finds the result:
//!
//! ```text
//! FINI    one gang    leader: RESULT = RESULT OP LOCAL
//!         several     contribution = contribution OP LOCAL;  leader: note for the simulator that the gang adds to RESULT
//! ```
//! The note is no instruction. It lets the simulator report other gangs' accesses to RESULT as races.

use super::{
    super::{
        at::Emitter,
        unit::{Guard, Unit},
    },
    combine_into, for_each,
    gang::{Contribution, OneObject, alone, element, into_results},
    gang_slots::number_of_gangs,
};
use crate::{
    diagnostic::{Diagnostic, Result},
    dialect::Contribute,
    layout::{Records, extent},
    modes::Mode,
};
use accrue_dialects::core::CmpKind;
use pliron::value::Value;

/// Whether the launch has several gangs.
pub fn several(at: &mut Emitter, unit: &Unit) -> Value {
    let gangs = number_of_gangs(at, unit);
    let one = at.i32(1);
    at.cmp(CmpKind::GtU, gangs, one)
}

/// At the end of a kernel: several gangs bring their contributions `together`, one adds its own to the results.
pub fn finish(
    at: &mut Emitter,
    unit: &mut Unit,
    leader: Value,
    all: &[&Contribution],
    together: impl FnOnce(&mut Emitter, &mut Unit) -> Result<()>,
) -> Result<()> {
    let several = several(at, unit);
    let left: Vec<_> = all.iter().copied().filter(|c| !c.in_use).collect();
    let unit = std::cell::RefCell::new(unit);
    at.either(
        several,
        |at| together(at, &mut unit.borrow_mut()),
        |at| alone(at, &mut unit.borrow_mut(), leader, &left),
    )?;
    Ok(())
}

impl OneObject<'_> {
    /// FINI of an object of a declared reduction.
    pub fn fini(&self, at: &mut Emitter, unit: &mut Unit, locals: &[Value]) -> Result<()> {
        let record = self.record();
        if !self.0.iter().any(|c| c.in_use) {
            return record.combine_into(at, &self.variables(), locals);
        }
        let leader = unit.leader(at.ctx, Mode::BLOCK);
        let several = several(at, unit);
        let unit = std::cell::RefCell::new(unit);
        at.either(
            several,
            |at| {
                record.combine_into(at, &self.variables(), locals)?;
                let guard = at.when::<Diagnostic>(leader, |at| {
                    self.0.iter().for_each(|c| c.note(at));
                    Ok(())
                })?;
                unit.borrow_mut().guards.insert(guard, Guard::Leader);
                Ok(())
            },
            |at| {
                let all: Vec<&Contribution> = self.0.iter().collect();
                let guard = at.when(leader, |at| into_results(at, &all, locals))?;
                unit.borrow_mut().guards.insert(guard, Guard::Leader);
                Ok(())
            },
        )?;
        Ok(())
    }
}

impl Contribution {
    /// FINI of a gang reduction.
    pub fn fini(&self, at: &mut Emitter, unit: &mut Unit, local: Value) -> Result<()> {
        if !self.in_use {
            return self.add(at, local);
        }
        let leader = unit.leader(at.ctx, Mode::BLOCK);
        let several = several(at, unit);
        let unit = std::cell::RefCell::new(unit);
        at.either(
            several,
            |at| {
                self.add(at, local)?;
                let guard = at.when::<Diagnostic>(leader, |at| {
                    self.note(at);
                    Ok(())
                })?;
                unit.borrow_mut().guards.insert(guard, Guard::Leader);
                Ok(())
            },
            |at| self.add_to_result(at, &mut unit.borrow_mut(), leader, local),
        )?;
        Ok(())
    }

    /// The only gang: the leader adds LOCAL to RESULT.
    fn add_to_result(
        &self,
        at: &mut Emitter,
        unit: &mut Unit,
        leader: Value,
        local: Value,
    ) -> Result<()> {
        let guard = at.when(leader, |at| {
            for_each(at, self.object.count, |at, index| {
                let value = match self.object.by_address {
                    true => {
                        let from = element(at, self, local, index);
                        at.load(from)
                    }
                    false => local,
                };
                let into = element(at, self, self.result, index);
                combine_into(at, self.info, into, value)
            })
        })?;
        unit.guards.insert(guard, Guard::Leader);
        Ok(())
    }

    fn note(&self, at: &mut Emitter) {
        let extent = extent(at.ctx, &Records::default(), self.object.ty);
        let bytes = extent.map_or(1, |e| e.size);
        at.op(|c| Contribute::new(c, self.result, bytes));
    }
}
