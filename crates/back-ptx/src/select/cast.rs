//! Conversions with C's meaning.

use super::{function::Selector, operand::Part, types::Class};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{AddressSpace, Cast, CastKind, complex_part, float_width, int_width};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

impl Selector<'_> {
    pub(super) fn cast(&mut self, op: &Cast) -> Result<()> {
        let (value, result) = (op.get_operand_value(self.ctx), op.get_result(self.ctx));
        let to = result.get_type(self.ctx);
        let parts = match op.kind(self.ctx) {
            CastKind::Trunc
                if self.width(value)? == 32
                    && !self.part(value)?.is_literal()
                    && self.is_only_stored(result) =>
            {
                return self.alias(result, value);
            }
            CastKind::Trunc => {
                let parts = self.parts(value)?;
                self.truncate(self.width(value)?, &parts, self.width(result)?)?
            }
            CastKind::SExt | CastKind::ZExt => {
                let signed = op.kind(self.ctx) == CastKind::SExt;
                let part = self.parts(value)?;
                let from = self.width_in_register(value)?;
                self.extend(from, &part, self.width(result)?, signed)?
            }
            CastKind::SToF => vec![self.integer_to_float(value, to, true)?],
            CastKind::UToF => vec![self.integer_to_float(value, to, false)?],
            CastKind::FToS => self.float_to_integer(value, to, true)?,
            CastKind::FToU => self.float_to_integer(value, to, false)?,
            CastKind::FCast => {
                let part = self.part(value)?;
                vec![self.float_to_float(&part, to)?]
            }
            CastKind::IntToPtr => {
                let parts = self.parts(value)?;
                let width = self.width(value)?;
                let address = match width {
                    64 => parts,
                    1..64 => self.extend(width, &parts, 64, true)?,
                    _ => self.truncate(width, &parts, 64)?,
                };
                self.bind_scalar(result, address, AddressSpace::Generic);
                return Ok(());
            }
            CastKind::PtrToInt => {
                let parts = self.generic_parts(value)?;
                match self.width(result)? {
                    64 => parts,
                    width @ 1..64 => self.truncate(64, &parts, width)?,
                    width => self.extend(64, &parts, width, false)?,
                }
            }
            CastKind::PtrCast => return self.alias(result, value),
            CastKind::ToBool => {
                let predicate = self.truth(value)?;
                vec![Part::new(Class::Pred, predicate)]
            }
            CastKind::RealToComplex => {
                let part = self.part(value)?;
                let zero = self.float_zero(part.class);
                vec![part, zero]
            }
            CastKind::ComplexCast => {
                let part = complex_part(self.ctx, to)
                    .ok_or_else(|| Diagnostic::error("a complex number was expected"))?;
                let mut parts = vec![];
                for from in self.parts(value)? {
                    parts.push(self.float_to_float(&from, part)?);
                }
                parts
            }
        };
        self.bind(result, parts);
        Ok(())
    }

    fn float_zero(&self, class: Class) -> Part {
        let text = match class {
            Class::F64 => "0d0000000000000000",
            Class::F32 => "0f00000000",
            Class::B16 | Class::B32 | Class::B64 | Class::Pred => "0",
        };
        Part::new(class, text)
    }

    /// The low `to` bits of an integer of `from` bits; `to` is larger than 1.
    fn truncate(&mut self, from: u32, parts: &[Part], to: u32) -> Result<Vec<Part>> {
        let low = parts
            .first()
            .ok_or_else(|| Diagnostic::error("an integer was expected"))?
            .clone();
        if to == 64 || from == to {
            return Ok(vec![low]);
        }
        let low = match from {
            64 | 128 => {
                let low = self.settle(&low);
                self.compute(Class::B32, "cvt.u32.u64", &[&low])
            }
            _ => low.text,
        };
        let narrow = self.sign_extend(to, &low);
        Ok(vec![Part::new(Class::B32, narrow)])
    }

    /// An integer of `from` bits as one of `to`.
    fn extend(&mut self, from: u32, parts: &[Part], to: u32, signed: bool) -> Result<Vec<Part>> {
        let part = parts
            .first()
            .ok_or_else(|| Diagnostic::error("an integer was expected"))?
            .clone();
        if from == to {
            return Ok(parts.to_vec());
        }
        // The number in 32 bits, unless it has more.
        let small = match part.class {
            Class::Pred => {
                let yes = if signed { "-1" } else { "1" };
                match part.literal() {
                    Some(0) => "0".to_string(),
                    Some(_) => yes.to_string(),
                    None => self.compute(Class::B32, "selp.b32", &[yes, "0", &part.text]),
                }
            }
            _ if signed => part.text,
            _ => self.zero_extend(from, &part.text),
        };
        if to <= 32 {
            return Ok(vec![Part::new(Class::B32, small)]);
        }
        let low = match (from, small.parse::<i64>()) {
            (64, _) => small,
            (_, Ok(literal)) if signed => literal.to_string(),
            (_, Ok(literal)) => (literal as u32).to_string(),
            (_, Err(_)) => {
                let ty = if signed { "s" } else { "u" };
                self.compute(Class::B64, &format!("cvt.{ty}64.{ty}32"), &[&small])
            }
        };
        if to == 64 {
            return Ok(vec![Part::new(Class::B64, low)]);
        }
        let high = match signed {
            true => self.compute(Class::B64, "shr.s64", &[&low, "63"]),
            false => "0".to_string(),
        };
        Ok(vec![
            Part::new(Class::B64, low),
            Part::new(Class::B64, high),
        ])
    }

    fn integer_to_float(&mut self, value: Value, to: TypeHandle, signed: bool) -> Result<Part> {
        let (width, parts) = (self.width_in_register(value)?, self.parts(value)?);
        let float = float_width(self.ctx, to)
            .ok_or_else(|| Diagnostic::error("a floating point number was expected"))?;
        let class = float_class(float)?;
        if let Some(condition) = self.condition_behind(value) {
            // 0 or 1 at once: NVIDIA's assembler (12.9, 13.0 and the driver's, from -O2 on) sometimes loses the conversion of a
            // selected integer to a floating-point number, where comparisons with zero are all that it sees of it but for a store.
            let (one, zero) = match float {
                16 => ("0x3C00", "0x0000"),
                32 => ("0f3F800000", "0f00000000"),
                _ => ("0d3FF0000000000000", "0d0000000000000000"),
            };
            let bits = if float == 16 {
                "b16".to_string()
            } else {
                format!("f{float}")
            };
            let condition = self.truth(condition)?;
            let number = self.compute(class, &format!("selp.{bits}"), &[one, zero, &condition]);
            return Ok(Part::new(class, number));
        }
        if width == 128 {
            let pair = self.pair(value)?;
            let text = self.wide_to_float(&pair, float, signed);
            return Ok(Part::new(class, text));
        }
        let number = match width {
            32 | 64 => parts,
            _ => self.extend(width, &parts, 32, signed && width > 1)?,
        };
        let number = number.first().map(|n| self.settle(n)).unwrap_or_default();
        let sign = if signed && width > 1 { "s" } else { "u" };
        let bits = if width == 64 { 64 } else { 32 };
        let opcode = format!("cvt.rn.f{float}.{sign}{bits}");
        Ok(Part::new(class, self.compute(class, &opcode, &[&number])))
    }

    /// The condition that an integer is: itself of one bit, or such a one with zeros in front.
    fn condition_behind(&self, value: Value) -> Option<Value> {
        if int_width(self.ctx, value.get_type(self.ctx)) == Some(1) {
            return Some(value);
        }
        let cast = Operation::get_op::<Cast>(value.defining_op()?, self.ctx)?;
        match cast.kind(self.ctx) {
            CastKind::ZExt => self.condition_behind(cast.get_operand_value(self.ctx)),
            _ => None,
        }
    }

    fn float_to_integer(
        &mut self,
        value: Value,
        to: TypeHandle,
        signed: bool,
    ) -> Result<Vec<Part>> {
        let width =
            int_width(self.ctx, to).ok_or_else(|| Diagnostic::error("an integer was expected"))?;
        let from = float_width(self.ctx, value.get_type(self.ctx))
            .ok_or_else(|| Diagnostic::error("a floating point number was expected"))?;
        let register = self.in_register(value)?;
        let sign = if signed { "s" } else { "u" };
        Ok(match width {
            1 => {
                let predicate = self.truth(value)?;
                vec![Part::new(Class::Pred, predicate)]
            }
            128 => self.float_to_wide(&register, from, signed),
            64 => {
                let opcode = format!("cvt.rzi.{sign}64.f{from}");
                vec![Part::new(
                    Class::B64,
                    self.compute(Class::B64, &opcode, &[&register]),
                )]
            }
            _ => {
                let opcode = format!("cvt.rzi.{sign}32.f{from}");
                let number = self.compute(Class::B32, &opcode, &[&register]);
                vec![Part::new(Class::B32, self.sign_extend(width, &number))]
            }
        })
    }

    fn float_to_float(&mut self, from: &Part, to: TypeHandle) -> Result<Part> {
        let width = float_width(self.ctx, to)
            .ok_or_else(|| Diagnostic::error("a floating point number was expected"))?;
        let class = float_class(width)?;
        if class == from.class {
            return Ok(from.clone());
        }
        let old = match from.class {
            Class::B16 => 16,
            Class::F32 => 32,
            _ => 64,
        };
        let rounding = if width < old { ".rn" } else { "" };
        let register = self.settle(from);
        let opcode = format!("cvt{rounding}.f{width}.f{old}");
        Ok(Part::new(class, self.compute(class, &opcode, &[&register])))
    }
}

fn float_class(width: u32) -> Result<Class> {
    match width {
        16 => Ok(Class::B16),
        32 => Ok(Class::F32),
        64 => Ok(Class::F64),
        _ => Err(Diagnostic::error(
            "a GPU has no floating point numbers of more than 64 bits (`long double`, `__float128`); use `double`",
        )),
    }
}
