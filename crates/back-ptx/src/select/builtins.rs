//! Known functions that are a few instructions: comparisons and kinds of floats, bits of integers. Headers of C have them behind
//! macros such as `isnan`.

use super::{function::Selector, operand::Part, types::Class};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{Known, int_width};
use pliron::{r#type::Typed, value::Value};

/// The comparison that a function of two floats is.
fn ordering(function: Known) -> Option<&'static str> {
    Some(match function {
        Known::IsGreater => "gt",
        Known::IsGreaterEqual => "ge",
        Known::IsLess => "lt",
        Known::IsLessEqual => "le",
        Known::IsLessGreater => "ne",
        Known::IsUnordered => "nan",
        _ => return None,
    })
}

/// Literals of an infinity and of the smallest number that is not subnormal.
fn limits(class: Class) -> (&'static str, &'static str) {
    match class {
        Class::F32 => ("0f7F800000", "0f00800000"),
        _ => ("0d7FF0000000000000", "0d0010000000000000"),
    }
}

impl Selector<'_> {
    /// Prints the call of `function` if it is one of these; tells whether it is.
    pub(super) fn builtin(
        &mut self,
        function: Known,
        arguments: &[Value],
        result: Option<Value>,
    ) -> Result<bool> {
        match (function, arguments) {
            (Known::Trap, []) => {
                self.code.emit("trap", &[]);
                return Ok(true);
            }
            (Known::Fence, []) => {
                self.code.emit("membar.gl", &[]);
                return Ok(true);
            }
            _ => {}
        }
        let Some(result) = result else {
            return Ok(false);
        };
        let mut parts = vec![];
        for argument in arguments {
            parts.extend(self.generic_parts(*argument)?);
        }
        let part = match (parts.as_slice(), ordering(function)) {
            ([a, b], Some(order)) => self.float_order(order, a, b),
            ([value], None) if matches!(value.class, Class::F32 | Class::F64) => {
                self.classified(function, value)
            }
            ([value], None) if matches!(value.class, Class::B32 | Class::B64) => {
                let width = int_width(self.ctx, result.get_type(self.ctx));
                width.and_then(|width| self.of_bits(function, value, width))
            }
            _ => None,
        };
        let Some(part) = part else {
            return Ok(false);
        };
        let expected = super::types::classes(self.ctx, result.get_type(self.ctx))?;
        if expected != [part.class] {
            return Err(Diagnostic::error(format!(
                "`{}` has another result here than in the C compiler",
                function.stem()
            )));
        }
        self.bind(result, vec![part]);
        Ok(true)
    }

    fn truth_number(&mut self, predicate: &str) -> Part {
        let number = self.compute(Class::B32, "selp.b32", &["1", "0", predicate]);
        Part::new(Class::B32, number)
    }

    fn float_order(&mut self, order: &str, a: &Part, b: &Part) -> Option<Part> {
        if !matches!(a.class, Class::F32 | Class::F64) || a.class != b.class {
            return None;
        }
        let opcode = format!("setp.{order}.{}", a.class.name());
        let predicate = self.compute(Class::Pred, &opcode, &[&a.text, &b.text]);
        Some(self.truth_number(&predicate))
    }

    /// What kind of number a float is.
    fn classified(&mut self, function: Known, value: &Part) -> Option<Part> {
        let (class, ty) = (value.class, value.class.name());
        let (infinity, normal) = limits(class);
        let known = [
            Known::IsNan,
            Known::IsInf,
            Known::IsInfSign,
            Known::IsFinite,
            Known::IsNormal,
            Known::SignBit,
        ];
        if !known.contains(&function) {
            return None;
        }
        let register = self.settle(value);
        if function == Known::SignBit {
            let (bits, width) = match class {
                Class::F32 => (Class::B32, 32),
                _ => (Class::B64, 64),
            };
            let bits = self.compute(bits, &format!("mov.b{width}"), &[&register]);
            let negative = self.compute(Class::Pred, &format!("setp.lt.s{width}"), &[&bits, "0"]);
            return Some(self.truth_number(&negative));
        }
        if function == Known::IsNan {
            let part = Part::new(class, register);
            return self.float_order("nan", &part, &part);
        }
        let size = self.compute(class, &format!("abs.{ty}"), &[&register]);
        let test = |p: &mut Self, order: &str, than: &str| {
            p.compute(Class::Pred, &format!("setp.{order}.{ty}"), &[&size, than])
        };
        let predicate = match function {
            Known::IsFinite => test(self, "lt", infinity),
            Known::IsNormal => {
                let finite = test(self, "lt", infinity);
                let large = test(self, "ge", normal);
                self.compute(Class::Pred, "and.pred", &[&finite, &large])
            }
            _ => test(self, "eq", infinity),
        };
        let number = self.truth_number(&predicate);
        if function != Known::IsInfSign {
            return Some(number);
        }
        let zero = if class == Class::F32 {
            "0f00000000"
        } else {
            "0d0000000000000000"
        };
        let negative = self.compute(Class::Pred, &format!("setp.lt.{ty}"), &[&register, zero]);
        let opposite = self.compute(Class::B32, "neg.s32", &[&number.text]);
        let signed = self.compute(
            Class::B32,
            "selp.b32",
            &[&opposite, &number.text, &negative],
        );
        Some(Part::new(Class::B32, signed))
    }

    /// Counting and swapping bits; `width` is that of the result.
    fn of_bits(&mut self, function: Known, value: &Part, width: u32) -> Option<Part> {
        let bits = if value.class == Class::B64 { 64 } else { 32 };
        let register = self.settle(value);
        let count = |p: &mut Self, opcode: &str, of: &str| {
            p.compute(Class::B32, &format!("{opcode}.b{bits}"), &[of])
        };
        let number = match function {
            Known::PopCount => count(self, "popc", &register),
            Known::Parity => {
                let ones = count(self, "popc", &register);
                self.compute(Class::B32, "and.b32", &[&ones, "1"])
            }
            Known::LeadingZeros => count(self, "clz", &register),
            Known::TrailingZeros | Known::FirstSet => {
                let reversed = self.compute(value.class, &format!("brev.b{bits}"), &[&register]);
                let zeros = count(self, "clz", &reversed);
                if function == Known::TrailingZeros {
                    zeros
                } else {
                    let place = self.compute(Class::B32, "add.s32", &[&zeros, "1"]);
                    let some =
                        self.compute(Class::Pred, &format!("setp.ne.s{bits}"), &[&register, "0"]);
                    self.compute(Class::B32, "selp.b32", &[&place, "0", &some])
                }
            }
            Known::ByteSwap if width == 16 => {
                let swapped = self.compute(Class::B32, "prmt.b32", &[&register, "0", "0x4401"]);
                self.sign_extend(16, &swapped)
            }
            Known::ByteSwap if width == 32 => {
                self.compute(Class::B32, "prmt.b32", &[&register, "0", "0x0123"])
            }
            Known::ByteSwap => {
                let low = self.code.register(Class::B32);
                let high = self.code.register(Class::B32);
                self.code.write(&[&low, &high], "mov.b64", &[&register]);
                let first = self.compute(Class::B32, "prmt.b32", &[&high, "0", "0x0123"]);
                let second = self.compute(Class::B32, "prmt.b32", &[&low, "0", "0x0123"]);
                let whole = format!("{{{first}, {second}}}");
                let swapped = self.compute(Class::B64, "mov.b64", &[&whole]);
                return Some(Part::new(Class::B64, swapped));
            }
            _ => return None,
        };
        (width <= 32).then(|| Part::new(Class::B32, number))
    }
}
