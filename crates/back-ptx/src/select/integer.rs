//! Integer arithmetic.
//!
//! Integers of 8 and 16 bits are sign-extended in registers of 32: every result is brought back to that form. Comparing
//! sign-extended numbers as unsigned ones gives the order of the narrow unsigned numbers; division and right shift of
//! unsigned narrow numbers extend them with zeros first. Truth values are predicates; 128 bits are in [`super::wide`].

use super::{function::Selector, operand::Part, types::Class};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{Bin, BinKind, Un, UnKind};
use pliron::{builtin::op_interfaces::OneResultInterface, value::Value};

/// Not an operation of integers.
fn float_kind() -> Diagnostic {
    Diagnostic::error("an integer operation was expected")
}

/// The instruction for a kind on registers of 32 or 64 bits.
fn opcode(kind: BinKind, bits: u32) -> Result<String> {
    let (name, ty) = match kind {
        BinKind::Add | BinKind::AddS => ("add", "s"),
        BinKind::Sub | BinKind::SubS => ("sub", "s"),
        BinKind::Mul | BinKind::MulS => ("mul.lo", "s"),
        BinKind::DivS => ("div", "s"),
        BinKind::DivU => ("div", "u"),
        BinKind::RemS => ("rem", "s"),
        BinKind::RemU => ("rem", "u"),
        BinKind::Shl => ("shl", "b"),
        BinKind::ShrS => ("shr", "s"),
        BinKind::ShrU => ("shr", "u"),
        BinKind::And => ("and", "b"),
        BinKind::Or => ("or", "b"),
        BinKind::Xor => ("xor", "b"),
        BinKind::MinS => ("min", "s"),
        BinKind::MaxS => ("max", "s"),
        BinKind::MinU => ("min", "u"),
        BinKind::MaxU => ("max", "u"),
        BinKind::FAdd
        | BinKind::FSub
        | BinKind::FMul
        | BinKind::FDiv
        | BinKind::FMin
        | BinKind::FMax => return Err(float_kind()),
    };
    Ok(format!("{name}.{ty}{bits}"))
}

/// Whether the result of the operation on sign-extended narrow numbers is sign-extended again.
fn stays_extended(kind: BinKind) -> bool {
    match kind {
        BinKind::And
        | BinKind::Or
        | BinKind::Xor
        | BinKind::MinS
        | BinKind::MaxS
        | BinKind::MinU
        | BinKind::MaxU
        | BinKind::ShrS
        | BinKind::RemS => true,
        BinKind::Add
        | BinKind::Sub
        | BinKind::Mul
        | BinKind::AddS
        | BinKind::SubS
        | BinKind::MulS
        | BinKind::DivS
        | BinKind::DivU
        | BinKind::RemU
        | BinKind::Shl
        | BinKind::ShrU
        | BinKind::FAdd
        | BinKind::FSub
        | BinKind::FMul
        | BinKind::FDiv
        | BinKind::FMin
        | BinKind::FMax => false,
    }
}

impl Selector<'_> {
    pub(super) fn bin(&mut self, op: &Bin) -> Result<()> {
        let (kind, result) = (op.kind(self.ctx), op.get_result(self.ctx));
        let (lhs, rhs) = (op.get_operand_lhs(self.ctx), op.get_operand_rhs(self.ctx));
        match kind {
            BinKind::FAdd
            | BinKind::FSub
            | BinKind::FMul
            | BinKind::FDiv
            | BinKind::FMin
            | BinKind::FMax => self.float_bin(kind, lhs, rhs, result),
            BinKind::Add
            | BinKind::Sub
            | BinKind::Mul
            | BinKind::AddS
            | BinKind::SubS
            | BinKind::MulS
            | BinKind::DivS
            | BinKind::DivU
            | BinKind::RemS
            | BinKind::RemU
            | BinKind::Shl
            | BinKind::ShrS
            | BinKind::ShrU
            | BinKind::And
            | BinKind::Or
            | BinKind::Xor
            | BinKind::MinS
            | BinKind::MaxS
            | BinKind::MinU
            | BinKind::MaxU => {
                let parts = match self.width(lhs)? {
                    1 => vec![self.truth_bin(kind, lhs, rhs)?],
                    128 => {
                        let (a, b) = (self.pair(lhs)?, self.pair(rhs)?);
                        self.wide_bin(kind, &a, &b)?
                    }
                    width => {
                        let (a, b) = (self.text(lhs)?, self.text(rhs)?);
                        vec![self.integer_bin(kind, width, &a, &b)?]
                    }
                };
                self.bind(result, parts);
                Ok(())
            }
        }
    }

    /// An operation on 8 to 64 bits.
    pub(super) fn integer_bin(
        &mut self,
        kind: BinKind,
        width: u32,
        a: &str,
        b: &str,
    ) -> Result<Part> {
        if width == 64 {
            let amount;
            let b = match kind {
                BinKind::Shl | BinKind::ShrS | BinKind::ShrU => {
                    amount = self.shift_amount(b);
                    &amount
                }
                _ => b,
            };
            let register = self.compute(Class::B64, &opcode(kind, 64)?, &[a, b]);
            return Ok(Part::new(Class::B64, register));
        }
        let (mut x, mut y) = (a.to_string(), b.to_string());
        if width < 32 {
            match kind {
                BinKind::DivU | BinKind::RemU => {
                    (x, y) = (self.zero_extend(width, a), self.zero_extend(width, b));
                }
                BinKind::ShrU => x = self.zero_extend(width, a),
                _ => {}
            }
        }
        let register = self.compute(Class::B32, &opcode(kind, 32)?, &[&x, &y]);
        let register = match width < 32 && !stays_extended(kind) {
            true => self.sign_extend(width, &register),
            false => register,
        };
        Ok(Part::new(Class::B32, register))
    }

    /// Shift amounts are numbers of 32 bits.
    pub(super) fn shift_amount(&mut self, amount: &str) -> String {
        match amount.starts_with('%') {
            true => self.compute(Class::B32, "cvt.u32.u64", &[amount]),
            false => amount.to_string(),
        }
    }

    /// The low `width` bits of a register of 32, extended with their sign.
    pub(super) fn sign_extend(&mut self, width: u32, value: &str) -> String {
        match width {
            8 | 16 => {
                let value = self.settle(&Part::new(Class::B32, value));
                self.compute(Class::B32, &format!("cvt.s32.s{width}"), &[&value])
            }
            _ => value.to_string(),
        }
    }

    /// The low `width` bits of a register of 32, extended with zeros.
    pub(super) fn zero_extend(&mut self, width: u32, value: &str) -> String {
        match (width, value.parse::<i64>()) {
            (8 | 16, Ok(literal)) => (literal & ((1 << width) - 1)).to_string(),
            (8 | 16, Err(_)) => {
                let mask = (1u32 << width) - 1;
                self.compute(Class::B32, "and.b32", &[value, &mask.to_string()])
            }
            _ => value.to_string(),
        }
    }

    /// An operation on truth values.
    fn truth_bin(&mut self, kind: BinKind, lhs: Value, rhs: Value) -> Result<Part> {
        let (a, b) = (self.part(lhs)?, self.part(rhs)?);
        let direct = match kind {
            BinKind::And | BinKind::Mul => Some("and.pred"),
            BinKind::Or | BinKind::MaxU => Some("or.pred"),
            BinKind::Xor | BinKind::Add | BinKind::Sub => Some("xor.pred"),
            BinKind::MinU => Some("and.pred"),
            _ => None,
        };
        if let Some(opcode) = direct {
            let (a, b) = (self.settle(&a), self.settle(&b));
            let register = self.compute(Class::Pred, opcode, &[&a, &b]);
            return Ok(Part::new(Class::Pred, register));
        }
        let (a, b) = (self.predicate_as_integer(&a), self.predicate_as_integer(&b));
        let number = self.compute(Class::B32, &opcode(kind, 32)?, &[&a, &b]);
        let bit = self.compute(Class::B32, "and.b32", &[&number, "1"]);
        let register = self.compute(Class::Pred, "setp.ne.s32", &[&bit, "0"]);
        Ok(Part::new(Class::Pred, register))
    }

    pub(super) fn un(&mut self, op: &Un) -> Result<()> {
        let (kind, result) = (op.kind(self.ctx), op.get_result(self.ctx));
        let value = op.get_operand_value(self.ctx);
        match kind {
            UnKind::FNeg | UnKind::Conj => return self.float_un(kind, value, result),
            UnKind::Neg | UnKind::NegS | UnKind::Not => {}
        }
        let width = self.width(value)?;
        let parts = match width {
            // The only number that is not its own negative has no place in one bit.
            1 => match kind {
                UnKind::Not => {
                    let register = self.in_register(value)?;
                    let not = self.compute(Class::Pred, "not.pred", &[&register]);
                    vec![Part::new(Class::Pred, not)]
                }
                UnKind::Neg | UnKind::NegS | UnKind::FNeg | UnKind::Conj => self.parts(value)?,
            },
            128 => {
                let pair = self.pair(value)?;
                self.wide_un(kind, &pair)?
            }
            _ => {
                let register = self.in_register(value)?;
                let (class, bits) = match width {
                    64 => (Class::B64, 64),
                    _ => (Class::B32, 32),
                };
                let opcode = match kind {
                    UnKind::Not => format!("not.b{bits}"),
                    UnKind::Neg | UnKind::NegS | UnKind::FNeg | UnKind::Conj => {
                        format!("neg.s{bits}")
                    }
                };
                let done = self.compute(class, &opcode, &[&register]);
                let done = match kind {
                    UnKind::Not => done,
                    _ => self.sign_extend(width, &done),
                };
                vec![Part::new(class, done)]
            }
        };
        self.bind(result, parts);
        Ok(())
    }
}
