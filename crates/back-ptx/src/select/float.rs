//! Arithmetic of floats. Complex numbers are in [`super::complex`].
//!
//! Every instruction has its rounding in its name (`add.rn.f64`), so that the assembler merges none of them. With
//! [`Options::contract`](crate::Options) a product that is used by one sum only becomes part of it:
//! ```text
//! %m = core.bin FMul %a, %b          (nothing)
//! %s = core.bin FAdd %m, %c          fma.rn.f64 %fd3, %fd1, %fd2, %fd4;
//! ```
//! Numbers of 16 bits are computed in 32 and rounded: for the four basic operations that gives the correctly rounded
//! result.

use super::{
    function::Selector,
    operand::{Operand, Part},
    types::{Class, classes},
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{Bin, Call, FloatBin, Known, UnKind, complex_part};
use accrue_ir::walk::operands_of;
use pliron::{op::Op, operation::Operation, r#type::Typed, value::Value};

/// What to add to a product, and the signs of both.
struct Sum {
    product: Value,
    other: Value,
    negate_product: bool,
    negate_other: bool,
}

impl Selector<'_> {
    pub(super) fn float_bin(
        &mut self,
        kind: FloatBin,
        lhs: Value,
        rhs: Value,
        result: Value,
    ) -> Result<()> {
        let ty = result.get_type(self.ctx);
        if complex_part(self.ctx, ty).is_some() {
            return self.complex_bin(kind, lhs, rhs, result);
        }
        let classes = classes(self.ctx, ty)?;
        let class = classes.first().copied().unwrap_or(Class::F64);
        if kind == FloatBin::Mul && self.is_part_of_sum(result, class) {
            self.bind_operand(result, Operand::Fused);
            return Ok(());
        }
        if let Some(sum) = self.sum_with_product(kind, lhs, rhs)? {
            let register = self.fused(class, &sum)?;
            self.define(result, class, [register]);
            return Ok(());
        }
        let register = match self.fast_reciprocal(kind, class, lhs, rhs)? {
            Some(register) => register,
            None => {
                let (a, b) = (self.text(lhs)?, self.text(rhs)?);
                self.float_op(kind, class, &a, &b)?
            }
        };
        self.define(result, class, [register]);
        Ok(())
    }

    /// With approximations, `1 / x` and `1 / sqrtf(x)` are one instruction.
    fn fast_reciprocal(
        &mut self,
        kind: FloatBin,
        class: Class,
        lhs: Value,
        rhs: Value,
    ) -> Result<Option<String>> {
        let applies = self.unit.options.fast_math
            && (kind, class) == (FloatBin::Div, Class::F32)
            && self.text(lhs)? == "0f3F800000";
        if !applies {
            return Ok(None);
        }
        let call = rhs
            .defining_op()
            .and_then(|op| Operation::get_op::<Call>(op, self.ctx))
            .filter(|call| self.known(call) == Some(Known::Sqrt));
        let (opcode, operand) = match call {
            Some(call) => match operands_of(self.ctx, call.get_operation()).as_slice() {
                [root] => ("rsqrt.approx.f32", *root),
                _ => ("rcp.approx.f32", rhs),
            },
            None => ("rcp.approx.f32", rhs),
        };
        let operand = self.in_register(operand)?;
        Ok(Some(self.compute(class, opcode, &[&operand])))
    }

    /// Whether the product `value` is used by one sum in the same block and nothing else.
    fn is_part_of_sum(&self, value: Value, class: Class) -> bool {
        if !self.unit.options.contract || !matches!(class, Class::F32 | Class::F64) {
            return false;
        }
        let uses = value.uses(self.ctx);
        let [only] = uses.as_slice() else {
            return false;
        };
        let user = only.user_op();
        let Some(bin) = Operation::get_op::<Bin>(user, self.ctx) else {
            return false;
        };
        if !matches!(
            bin.kind(self.ctx).float(),
            Some(FloatBin::Add | FloatBin::Sub)
        ) || user.deref(self.ctx).get_parent_block() != value.get_parent_block(self.ctx)
        {
            return false;
        }
        // Of two products, the second is an operand like any other.
        let is_fused = |v| matches!(self.operand(v), Ok(Operand::Fused));
        let lhs = bin.get_operand_lhs(self.ctx);
        let rhs = bin.get_operand_rhs(self.ctx);
        lhs == value && !is_fused(rhs) || rhs == value && !is_fused(lhs)
    }

    /// The sum `lhs ± rhs`, if one of them is a product that was left to it.
    fn sum_with_product(&self, kind: FloatBin, lhs: Value, rhs: Value) -> Result<Option<Sum>> {
        let subtract = kind == FloatBin::Sub;
        if matches!(self.operand(lhs)?, Operand::Fused) {
            return Ok(Some(Sum {
                product: lhs,
                other: rhs,
                negate_product: false,
                negate_other: subtract,
            }));
        }
        if matches!(self.operand(rhs)?, Operand::Fused) {
            return Ok(Some(Sum {
                product: rhs,
                other: lhs,
                negate_product: subtract,
                negate_other: false,
            }));
        }
        Ok(None)
    }

    fn fused(&mut self, class: Class, sum: &Sum) -> Result<String> {
        let factors = sum
            .product
            .defining_op()
            .and_then(|op| Operation::get_op::<Bin>(op, self.ctx))
            .ok_or_else(|| Diagnostic::error("a product was expected"))?;
        let mut a = self.part(factors.get_operand_lhs(self.ctx))?;
        let b = self.text(factors.get_operand_rhs(self.ctx))?;
        let mut c = self.part(sum.other)?;
        if sum.negate_product {
            a = self.negated(&a);
        }
        if sum.negate_other {
            c = self.negated(&c);
        }
        Ok(self.fma(class, &a.text, &b, &c.text))
    }

    /// `a * b + c`, rounded once.
    pub(super) fn fma(&mut self, class: Class, a: &str, b: &str, c: &str) -> String {
        self.compute(class, &format!("fma.rn.{}", class.name()), &[a, b, c])
    }

    /// `-part`.
    pub(super) fn negated(&mut self, part: &Part) -> Part {
        if let Some(literal) = opposite(part) {
            return Part::new(part.class, literal);
        }
        let value = self.settle(part);
        let register = match part.class {
            Class::B16 => self.compute(Class::B16, "xor.b16", &[&value, "0x8000"]),
            class => self.compute(class, &format!("neg.{}", class.name()), &[&value]),
        };
        Part::new(part.class, register)
    }

    /// One operation on real numbers.
    pub(super) fn float_op(
        &mut self,
        kind: FloatBin,
        class: Class,
        a: &str,
        b: &str,
    ) -> Result<String> {
        if class == Class::B16 {
            let (x, y) = (self.widen_half(a), self.widen_half(b));
            let wide = self.float_op(kind, Class::F32, &x, &y)?;
            return Ok(self.narrow_half(&wide));
        }
        if kind == FloatBin::Div
            && let Some(quotient) = self.divide_by_constant(class, a, b)
        {
            return Ok(quotient);
        }
        let fast = self.unit.options.fast_math && class == Class::F32;
        let (name, ty) = match kind {
            FloatBin::Add => ("add.rn", class.name()),
            FloatBin::Sub => ("sub.rn", class.name()),
            FloatBin::Mul => ("mul.rn", class.name()),
            FloatBin::Div if fast => ("div.full", class.name()),
            FloatBin::Div => ("div.rn", class.name()),
            FloatBin::Min => ("min", class.name()),
            FloatBin::Max => ("max", class.name()),
        };
        Ok(self.compute(class, &format!("{name}.{ty}"), &[a, b]))
    }

    /// A number of 16 bits as one of 32.
    pub(super) fn widen_half(&mut self, value: &str) -> String {
        let value = self.settle(&Part::new(Class::B16, value));
        self.compute(Class::F32, "cvt.f32.f16", &[&value])
    }

    /// A number of 32 bits, rounded to 16.
    pub(super) fn narrow_half(&mut self, value: &str) -> String {
        let value = self.settle(&Part::new(Class::F32, value));
        self.compute(Class::B16, "cvt.rn.f16.f32", &[&value])
    }

    pub(super) fn float_un(&mut self, kind: UnKind, value: Value, result: Value) -> Result<()> {
        let mut parts = self.parts(value)?;
        let keep = usize::from(kind == UnKind::Conj);
        for part in parts.iter_mut().skip(keep) {
            *part = self.negated(part);
        }
        self.bind(result, parts);
        Ok(())
    }
}

/// The literal with the other sign.
fn opposite(part: &Part) -> Option<String> {
    match part.class {
        Class::F32 => {
            let bits = u32::from_str_radix(part.text.strip_prefix("0f")?, 16).ok()?;
            Some(format!("0f{:08X}", bits ^ 1 << 31))
        }
        Class::F64 => {
            let bits = u64::from_str_radix(part.text.strip_prefix("0d")?, 16).ok()?;
            Some(format!("0d{:016X}", bits ^ 1 << 63))
        }
        Class::Pred | Class::B16 | Class::B32 | Class::B64 => None,
    }
}
