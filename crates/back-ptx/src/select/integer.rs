//! Integer arithmetic.
//!
//! Integers of 8 and 16 bits are sign-extended in registers of 32: every result is brought back to that form. Comparing
//! sign-extended numbers as unsigned ones gives the order of the narrow unsigned numbers; division and right shift of
//! unsigned narrow numbers extend them with zeros first. Truth values are predicates; 128 bits are in [`super::wide`].

use super::{function::Selector, operand::Part, types::Class};
use crate::diagnostic::Result;
use accrue_dialects::core::{Arithmetic, Bin, IntBin, Un, UnKind};
use pliron::{builtin::op_interfaces::OneResultInterface, operation::Operation, value::Value};

/// The kinds of `core.un` that are defined for integers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum IntUn {
    Neg,
    Not,
}

/// The instruction for a kind on registers of 32 or 64 bits.
fn opcode(kind: IntBin, bits: u32) -> String {
    let (name, ty) = match kind {
        IntBin::Add | IntBin::AddS => ("add", "s"),
        IntBin::Sub | IntBin::SubS => ("sub", "s"),
        IntBin::Mul | IntBin::MulS => ("mul.lo", "s"),
        IntBin::DivS => ("div", "s"),
        IntBin::DivU => ("div", "u"),
        IntBin::RemS => ("rem", "s"),
        IntBin::RemU => ("rem", "u"),
        IntBin::Shl => ("shl", "b"),
        IntBin::ShrS => ("shr", "s"),
        IntBin::ShrU => ("shr", "u"),
        IntBin::And => ("and", "b"),
        IntBin::Or => ("or", "b"),
        IntBin::Xor => ("xor", "b"),
        IntBin::MinS => ("min", "s"),
        IntBin::MaxS => ("max", "s"),
        IntBin::MinU => ("min", "u"),
        IntBin::MaxU => ("max", "u"),
    };
    format!("{name}.{ty}{bits}")
}

/// Whether the result of the operation on sign-extended narrow numbers is sign-extended again.
fn stays_extended(kind: IntBin) -> bool {
    match kind {
        IntBin::And
        | IntBin::Or
        | IntBin::Xor
        | IntBin::MinS
        | IntBin::MaxS
        | IntBin::MinU
        | IntBin::MaxU
        | IntBin::ShrS
        | IntBin::RemS => true,
        IntBin::Add
        | IntBin::Sub
        | IntBin::Mul
        | IntBin::AddS
        | IntBin::SubS
        | IntBin::MulS
        | IntBin::DivS
        | IntBin::DivU
        | IntBin::RemU
        | IntBin::Shl
        | IntBin::ShrU => false,
    }
}

impl Selector<'_> {
    pub(super) fn bin(&mut self, op: &Bin) -> Result<()> {
        let (kind, result) = (op.kind(self.ctx), op.get_result(self.ctx));
        let (lhs, rhs) = (op.get_operand_lhs(self.ctx), op.get_operand_rhs(self.ctx));
        let kind = match kind.arithmetic() {
            Arithmetic::Float(kind) => return self.float_bin(kind, lhs, rhs, result),
            Arithmetic::Int(kind) => kind,
        };
        let parts = match self.width(lhs)? {
            width @ (32 | 64) if kind == IntBin::MaxS && self.is_negative_of(rhs, lhs) => {
                let class = if width == 64 { Class::B64 } else { Class::B32 };
                let number = self.in_register(lhs)?;
                let size = self.compute(class, &format!("abs.s{width}"), &[&number]);
                vec![Part::new(class, size)]
            }
            1 => vec![self.truth_bin(kind, lhs, rhs)?],
            128 => {
                let (a, b) = (self.pair(lhs)?, self.pair(rhs)?);
                self.wide_bin(kind, &a, &b)
            }
            width => {
                let (a, b) = (self.text(lhs)?, self.text(rhs)?);
                vec![self.integer_bin(kind, width, &a, &b)]
            }
        };
        self.bind(result, parts);
        Ok(())
    }

    fn is_negative_of(&self, value: Value, number: Value) -> bool {
        let op = value.defining_op();
        let turned = op.and_then(|op| Operation::get_op::<Un>(op, self.ctx));
        turned.is_some_and(|turned| match turned.kind(self.ctx) {
            UnKind::Neg | UnKind::NegS => turned.get_operand_value(self.ctx) == number,
            UnKind::Not | UnKind::FNeg | UnKind::Conj => false,
        })
    }

    /// An operation on 8 to 64 bits.
    pub(super) fn integer_bin(&mut self, kind: IntBin, width: u32, a: &str, b: &str) -> Part {
        if width == 64 {
            let amount;
            let b = match kind {
                IntBin::Shl | IntBin::ShrS | IntBin::ShrU => {
                    amount = self.shift_amount(b);
                    &amount
                }
                _ => b,
            };
            let divided = self
                .divide_by(kind, 64, a, b)
                .or_else(|| self.divide_short(kind, a, b));
            let register =
                divided.unwrap_or_else(|| self.compute(Class::B64, &opcode(kind, 64), &[a, b]));
            return Part::new(Class::B64, register);
        }
        let (mut x, mut y) = (a.to_string(), b.to_string());
        if width < 32 {
            match kind {
                IntBin::DivU | IntBin::RemU => {
                    (x, y) = (self.zero_extend(width, a), self.zero_extend(width, b));
                }
                IntBin::ShrU => x = self.zero_extend(width, a),
                _ => {}
            }
        }
        let divided = self.divide_by(kind, 32, &x, &y);
        let register =
            divided.unwrap_or_else(|| self.compute(Class::B32, &opcode(kind, 32), &[&x, &y]));
        let register = match width < 32 && !stays_extended(kind) {
            true => self.sign_extend(width, &register),
            false => register,
        };
        Part::new(Class::B32, register)
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
    fn truth_bin(&mut self, kind: IntBin, lhs: Value, rhs: Value) -> Result<Part> {
        let (a, b) = (self.part(lhs)?, self.part(rhs)?);
        let direct = match kind {
            IntBin::And | IntBin::Mul => Some("and.pred"),
            IntBin::Or | IntBin::MaxU => Some("or.pred"),
            IntBin::Xor | IntBin::Add | IntBin::Sub => Some("xor.pred"),
            IntBin::MinU => Some("and.pred"),
            _ => None,
        };
        if let Some(opcode) = direct {
            let (a, b) = (self.settle(&a), self.settle(&b));
            let register = self.compute(Class::Pred, opcode, &[&a, &b]);
            return Ok(Part::new(Class::Pred, register));
        }
        let (a, b) = (self.predicate_as_integer(&a), self.predicate_as_integer(&b));
        let number = self.compute(Class::B32, &opcode(kind, 32), &[&a, &b]);
        let bit = self.compute(Class::B32, "and.b32", &[&number, "1"]);
        let register = self.compute(Class::Pred, "setp.ne.s32", &[&bit, "0"]);
        Ok(Part::new(Class::Pred, register))
    }

    pub(super) fn un(&mut self, op: &Un) -> Result<()> {
        let (kind, result) = (op.kind(self.ctx), op.get_result(self.ctx));
        let value = op.get_operand_value(self.ctx);
        let kind = match kind {
            UnKind::FNeg | UnKind::Conj => return self.float_un(kind, value, result),
            UnKind::Neg | UnKind::NegS => IntUn::Neg,
            UnKind::Not => IntUn::Not,
        };
        let width = self.width(value)?;
        let parts = match (width, kind) {
            // The only number that is not its own negative has no place in one bit.
            (1, IntUn::Neg) => self.parts(value)?,
            (1, IntUn::Not) => {
                let register = self.in_register(value)?;
                let not = self.compute(Class::Pred, "not.pred", &[&register]);
                vec![Part::new(Class::Pred, not)]
            }
            (128, _) => {
                let pair = self.pair(value)?;
                self.wide_un(kind, &pair)
            }
            (_, _) => {
                let register = self.in_register(value)?;
                let (class, bits) = match width {
                    64 => (Class::B64, 64),
                    _ => (Class::B32, 32),
                };
                let done = match kind {
                    IntUn::Not => self.compute(class, &format!("not.b{bits}"), &[&register]),
                    IntUn::Neg => {
                        let done = self.compute(class, &format!("neg.s{bits}"), &[&register]);
                        self.sign_extend(width, &done)
                    }
                };
                vec![Part::new(class, done)]
            }
        };
        self.bind(result, parts);
        Ok(())
    }
}
