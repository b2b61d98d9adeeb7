//! Operands: registers, constants, addresses of variables, special registers.

use super::{
    function::{Entity, FunctionLowering},
    instruction,
};
use crate::{
    LoadError, Space,
    alu::{PredSrc, SINK, Src},
    ast::{Operand, Ty},
    program::{Clock, NO_GUARD, Op, SPECIAL},
};

type Lowered<T> = Result<T, LoadError>;

impl FunctionLowering<'_, '_> {
    /// A value operand as a source.
    pub fn value(&mut self, operand: &Operand, ty: Ty, line: u32) -> Lowered<Src> {
        let cut = |value: u64| {
            if ty.bits() >= 64 {
                value
            } else {
                value & ((1 << ty.bits()) - 1)
            }
        };
        Ok(match operand {
            Operand::Int(value) => match ty {
                Ty::F32 => self
                    .low
                    .constant(u64::from((*value as i64 as f32).to_bits())),
                Ty::F64 => self.low.constant((*value as i64 as f64).to_bits()),
                _ => self.low.constant(cut(*value)),
            },
            Operand::Single(bits) => match ty {
                Ty::F64 => self
                    .low
                    .constant(f64::from(f32::from_bits(*bits)).to_bits()),
                _ => self.low.constant(u64::from(*bits)),
            },
            Operand::Double(bits) => match ty {
                Ty::F32 | Ty::B32 => self
                    .low
                    .constant(u64::from((f64::from_bits(*bits) as f32).to_bits())),
                _ => self.low.constant(*bits),
            },
            Operand::Name(name) => return self.named_value(name, 0, ty, line),
            Operand::Offset(name, offset) => return self.named_value(name, *offset, ty, line),
            Operand::Not(_)
            | Operand::Pair(..)
            | Operand::Address(..)
            | Operand::Vector(_)
            | Operand::List(_) => {
                return self.error(line, "operand of a wrong kind");
            }
        })
    }

    fn named_value(&mut self, name: &str, offset: i64, ty: Ty, line: u32) -> Lowered<Src> {
        if let Some(index) = SPECIAL.iter().position(|s| *s == name) {
            return Ok(Src::special(index as u32));
        }
        if name.starts_with("%envreg") {
            return Ok(self.low.constant(0));
        }
        if let Some(clock) = clock(name) {
            let d = self.temporary(ty, line)?;
            self.emit(NO_GUARD, Op::Clock { d, clock }, line);
            return Ok(Src::register(d));
        }
        Ok(match self.entity(name, line)? {
            Entity::Register(slot, _) if offset == 0 => Src::register(slot),
            Entity::Symbol(address) => self.low.constant(address.wrapping_add(offset as u64)),
            Entity::KernelParam(at) => self
                .low
                .constant(crate::memory::PARAM + (u64::from(at)).wrapping_add(offset as u64)),
            Entity::Frame(at, _, space) => {
                let d = self.temporary(Ty::B64, line)?;
                self.emit(
                    NO_GUARD,
                    Op::FrameAddress {
                        d,
                        offset: at.wrapping_add(offset as u32),
                    },
                    line,
                );
                if space == Space::Local {
                    return Ok(Src::register(d));
                }
                // A parameter's address is the same in parameter and generic space.
                let base = self.low.constant(crate::memory::LOCAL);
                instruction::add(self, d, Src::register(d), base, line);
                Src::register(d)
            }
            Entity::Register(..) | Entity::Pred(_) | Entity::Targets(_) => {
                return self.error(line, format!("`{name}` cannot stand here"));
            }
        })
    }

    /// A predicate operand as a source.
    pub fn pred(&mut self, operand: &Operand, line: u32) -> Lowered<PredSrc> {
        match operand {
            Operand::Name(name) => Ok(PredSrc::new(self.pred_index(name, line)?, false)),
            Operand::Not(name) => Ok(PredSrc::new(self.pred_index(name, line)?, true)),
            Operand::Int(0) => Ok(PredSrc::FALSE),
            Operand::Int(_) => Ok(PredSrc::TRUE),
            _ => self.error(line, "expected a predicate"),
        }
    }

    pub fn pred_index(&mut self, name: &str, line: u32) -> Lowered<u32> {
        match self.entity(name, line)? {
            Entity::Pred(index) => Ok(index),
            _ => self.error(line, format!("`{name}` is not a predicate")),
        }
    }

    /// A destination register and its type; `_` throws the value away.
    pub fn dest(&mut self, operand: &Operand, line: u32) -> Lowered<(u32, Ty)> {
        match operand {
            Operand::Name(name) if name == "_" => Ok((SINK, Ty::B64)),
            Operand::Name(name) => match self.entity(name, line)? {
                Entity::Register(slot, ty) => Ok((slot, ty)),
                _ => self.error(line, format!("`{name}` is not a register")),
            },
            _ => self.error(line, "expected a register"),
        }
    }

    pub fn dest_pred(&mut self, name: &str, line: u32) -> Lowered<u32> {
        if name == "_" {
            Ok(SINK)
        } else {
            self.pred_index(name, line)
        }
    }
}

fn clock(name: &str) -> Option<Clock> {
    Some(match name {
        "%clock" => Clock::Cycles32,
        "%clock64" => Clock::Cycles64,
        "%clock_hi" => Clock::CyclesHigh,
        "%globaltimer" => Clock::Nanoseconds,
        "%globaltimer_lo" => Clock::NanosecondsLow,
        "%globaltimer_hi" => Clock::NanosecondsHigh,
        _ => return None,
    })
}
