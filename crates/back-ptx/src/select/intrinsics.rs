//! Known functions that are one instruction.

use super::{function::Selector, operand::Part, types::Class};
use crate::diagnostic::Result;
use accrue_dialects::core::{Known, float_width, int_width};
use pliron::{r#type::Typed, value::Value};

/// The instruction for a function of one number, without the type.
fn unary(function: Known, fast: bool) -> Option<&'static str> {
    Some(match function {
        Known::Sqrt if fast => "sqrt.approx",
        Known::Sqrt => "sqrt.rn",
        Known::Abs => "abs",
        Known::Floor => "cvt.rmi",
        Known::Ceil => "cvt.rpi",
        Known::Trunc => "cvt.rzi",
        Known::Rint | Known::Nearbyint | Known::RoundEven => "cvt.rni",
        _ => return None,
    })
}

impl Selector<'_> {
    /// Prints the call of `function` if it is an instruction; tells whether it is.
    pub(super) fn intrinsic(
        &mut self,
        function: Known,
        arguments: &[Value],
        result: Option<Value>,
    ) -> Result<bool> {
        let Some(result) = result else {
            return Ok(false);
        };
        let ty = result.get_type(self.ctx);
        if let (Some(width @ (32 | 64)), Known::Abs, [value]) =
            (int_width(self.ctx, ty), function, arguments)
        {
            let value = self.in_register(*value)?;
            let class = if width == 64 { Class::B64 } else { Class::B32 };
            let register = self.compute(class, &format!("abs.s{width}"), &[&value]);
            self.define(result, class, [register]);
            return Ok(true);
        }
        let (class, suffix) = match float_width(self.ctx, ty) {
            Some(32) => (Class::F32, "f32"),
            Some(64) => (Class::F64, "f64"),
            Some(_) | None => return Ok(false),
        };
        let of_type = |v: &Value| v.get_type(self.ctx) == ty;
        if !arguments.iter().all(of_type) {
            return Ok(false);
        }
        let fast = self.unit.options.fast_math && class == Class::F32;
        let mut values = vec![];
        for argument in arguments {
            values.push(self.part(*argument)?);
        }
        let register = match (function, values.as_slice()) {
            (_, [value]) => {
                let Some(name) = unary(function, fast) else {
                    return Ok(false);
                };
                let value = self.settle(value);
                let opcode = match name.starts_with("cvt") {
                    true => format!("{name}.{suffix}.{suffix}"),
                    false => format!("{name}.{suffix}"),
                };
                self.compute(class, &opcode, &[&value])
            }
            (Known::Min, [a, b]) => self.two(class, "min", a, b),
            (Known::Max, [a, b]) => self.two(class, "max", a, b),
            // The instruction has the sign first.
            (Known::CopySign, [a, b]) => self.two(class, "copysign", b, a),
            (Known::Fma, [a, b, c]) => self.fma(class, &a.text, &b.text, &c.text),
            _ => return Ok(false),
        };
        self.define(result, class, [register]);
        Ok(true)
    }

    fn two(&mut self, class: Class, name: &str, a: &Part, b: &Part) -> String {
        self.compute(
            class,
            &format!("{name}.{}", class.name()),
            &[&a.text, &b.text],
        )
    }
}
