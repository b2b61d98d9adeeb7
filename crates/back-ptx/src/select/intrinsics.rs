//! Functions of the C library that are one instruction.

use super::{function::Selector, operand::Part, types::Class};
use crate::diagnostic::Result;
use accrue_dialects::core::{float_width, int_width};
use pliron::{r#type::Typed, value::Value};

/// The instruction for a function of one number, without the type.
fn unary(name: &str, fast: bool) -> Option<&'static str> {
    Some(match name {
        "sqrt" if fast => "sqrt.approx",
        "sqrt" => "sqrt.rn",
        "fabs" => "abs",
        "floor" => "cvt.rmi",
        "ceil" => "cvt.rpi",
        "trunc" => "cvt.rzi",
        "rint" | "nearbyint" | "roundeven" => "cvt.rni",
        _ => return None,
    })
}

impl Selector<'_> {
    /// Prints the call of the C function `name` if it is an instruction; tells whether it is.
    pub(super) fn intrinsic(
        &mut self,
        name: &str,
        arguments: &[Value],
        result: Option<Value>,
    ) -> Result<bool> {
        let Some(result) = result else {
            return Ok(false);
        };
        let ty = result.get_type(self.ctx);
        if let (Some(width @ (32 | 64)), "abs" | "labs" | "llabs", [value]) =
            (int_width(self.ctx, ty), name, arguments)
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
        let base = match class {
            Class::F32 => name.strip_suffix('f'),
            _ => Some(name),
        };
        let Some(base) = base else {
            return Ok(false);
        };
        let fast = self.unit.options.fast_math && class == Class::F32;
        let mut values = vec![];
        for argument in arguments {
            values.push(self.part(*argument)?);
        }
        let register = match (base, values.as_slice()) {
            (_, [value]) => {
                let Some(name) = unary(base, fast) else {
                    return Ok(false);
                };
                let value = self.settle(value);
                let opcode = match name.starts_with("cvt") {
                    true => format!("{name}.{suffix}.{suffix}"),
                    false => format!("{name}.{suffix}"),
                };
                self.compute(class, &opcode, &[&value])
            }
            ("fmin", [a, b]) => self.two(class, "min", a, b),
            ("fmax", [a, b]) => self.two(class, "max", a, b),
            // The instruction has the sign first.
            ("copysign", [a, b]) => self.two(class, "copysign", b, a),
            ("fma", [a, b, c]) => self.fma(class, &a.text, &b.text, &c.text),
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
