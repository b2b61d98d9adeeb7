//! Arithmetic of floats and complex numbers.
//!
//! Every instruction has its rounding in its name (`add.rn.f64`), so that the assembler merges none of them. With
//! [`Options::contract`](crate::Options) a product that is used by one sum only becomes part of it:
//! ```text
//! %m = core.bin FMul %a, %b          (nothing)
//! %s = core.bin FAdd %m, %c          fma.rn.f64 %fd3, %fd1, %fd2, %fd4;
//! ```
//! Numbers of 16 bits are computed in 32 and rounded: for the four basic operations that gives the correctly rounded
//! result. Division of complex numbers follows Smith, with 64 bits for parts of 32. Infinite parts are not recovered from
//! results that are not a number (C11, annex G.5.1), as with `-fcx-limited-range`.

use super::{
    function::FunctionPrinter,
    operand::{Operand, Part},
    types::{Class, classes},
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{Bin, BinKind, UnKind, complex_part, float_width};
use pliron::{operation::Operation, r#type::Typed, value::Value};

/// What to add to a product, and the signs of both.
struct Sum {
    product: Value,
    other: Value,
    negate_product: bool,
    negate_other: bool,
}

impl FunctionPrinter<'_> {
    pub(super) fn float_bin(
        &mut self,
        kind: BinKind,
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
        if kind == BinKind::FMul && self.is_part_of_sum(result, class) {
            self.bind_operand(result, Operand::Fused);
            return Ok(());
        }
        if let Some(sum) = self.sum_with_product(kind, lhs, rhs)? {
            let register = self.fused(class, &sum)?;
            self.define(result, class, [register]);
            return Ok(());
        }
        let (a, b) = (self.text(lhs)?, self.text(rhs)?);
        let register = self.float_op(kind, class, &a, &b)?;
        self.define(result, class, [register]);
        Ok(())
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
        if !matches!(bin.kind(self.ctx), BinKind::FAdd | BinKind::FSub)
            || user.deref(self.ctx).get_parent_block() != value.get_parent_block(self.ctx)
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
    fn sum_with_product(&self, kind: BinKind, lhs: Value, rhs: Value) -> Result<Option<Sum>> {
        let subtract = kind == BinKind::FSub;
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
            .ok_or_else(|| Diagnostic::plain("a product was expected"))?;
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
    fn negated(&mut self, part: &Part) -> Part {
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
        kind: BinKind,
        class: Class,
        a: &str,
        b: &str,
    ) -> Result<String> {
        if class == Class::B16 {
            let (x, y) = (self.widen_half(a), self.widen_half(b));
            let wide = self.float_op(kind, Class::F32, &x, &y)?;
            return Ok(self.narrow_half(&wide));
        }
        let fast = self.unit.options.fast_math && class == Class::F32;
        let (name, ty) = match kind {
            BinKind::FAdd => ("add.rn", class.name()),
            BinKind::FSub => ("sub.rn", class.name()),
            BinKind::FMul => ("mul.rn", class.name()),
            BinKind::FDiv if fast => ("div.full", class.name()),
            BinKind::FDiv => ("div.rn", class.name()),
            BinKind::FMin => ("min", class.name()),
            BinKind::FMax => ("max", class.name()),
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
                return Err(Diagnostic::plain(
                    "an operation of floating point numbers was expected",
                ));
            }
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

    fn complex_bin(&mut self, kind: BinKind, lhs: Value, rhs: Value, result: Value) -> Result<()> {
        let ty = result.get_type(self.ctx);
        let classes = classes(self.ctx, ty)?;
        let class = classes.first().copied().unwrap_or(Class::F64);
        let width = complex_part(self.ctx, ty).and_then(|p| float_width(self.ctx, p));
        if width == Some(16) {
            return Err(Diagnostic::plain(
                "arithmetic of complex numbers of 16-bit parts is not supported; use `float _Complex`",
            ));
        }
        let (x, y) = (self.pair(lhs)?, self.pair(rhs)?);
        let registers = match kind {
            BinKind::FMul => self.complex_product(class, &x, &y)?,
            BinKind::FDiv => self.complex_quotient(class, &x, &y)?,
            _ => [
                self.float_op(kind, class, &x[0], &y[0])?,
                self.float_op(kind, class, &x[1], &y[1])?,
            ],
        };
        self.define(result, class, registers);
        Ok(())
    }

    /// `(a + bi)(c + di)`.
    fn complex_product(
        &mut self,
        class: Class,
        [a, b]: &[String; 2],
        [c, d]: &[String; 2],
    ) -> Result<[String; 2]> {
        let bd = self.float_op(BinKind::FMul, class, b, d)?;
        let bc = self.float_op(BinKind::FMul, class, b, c)?;
        if self.unit.options.contract {
            let minus_bd = self.negated(&Part::new(class, bd)).text;
            return Ok([self.fma(class, a, c, &minus_bd), self.fma(class, a, d, &bc)]);
        }
        let ac = self.float_op(BinKind::FMul, class, a, c)?;
        let ad = self.float_op(BinKind::FMul, class, a, d)?;
        Ok([
            self.float_op(BinKind::FSub, class, &ac, &bd)?,
            self.float_op(BinKind::FAdd, class, &ad, &bc)?,
        ])
    }

    fn complex_quotient(
        &mut self,
        class: Class,
        x: &[String; 2],
        y: &[String; 2],
    ) -> Result<[String; 2]> {
        if class != Class::F32 {
            return self.smith(x, y);
        }
        let mut wide = vec![];
        for part in x.iter().chain(y) {
            let part = self.settle(&Part::new(Class::F32, part));
            wide.push(self.compute(Class::F64, "cvt.f64.f32", &[&part]));
        }
        let [a, b, c, d] = wide.as_slice() else {
            return Err(Diagnostic::plain("two complex numbers were expected"));
        };
        let [real, imaginary] = self.smith(&[a.clone(), b.clone()], &[c.clone(), d.clone()])?;
        Ok([
            self.compute(Class::F32, "cvt.rn.f32.f64", &[&real]),
            self.compute(Class::F32, "cvt.rn.f32.f64", &[&imaginary]),
        ])
    }

    /// `(a + bi) / (c + di)`: with u the larger and v the smaller part of the divisor and r = v / u, the divisor's
    /// square is u (u + v r), and nothing overflows that need not.
    fn smith(&mut self, [a, b]: &[String; 2], [c, d]: &[String; 2]) -> Result<[String; 2]> {
        let class = Class::F64;
        let c = self.settle(&Part::new(class, c));
        let d = self.settle(&Part::new(class, d));
        let size_c = self.compute(class, "abs.f64", &[&c]);
        let size_d = self.compute(class, "abs.f64", &[&d]);
        let real_larger = self.compute(Class::Pred, "setp.ge.f64", &[&size_c, &size_d]);
        let larger = self.compute(class, "selp.f64", &[&c, &d, &real_larger]);
        let smaller = self.compute(class, "selp.f64", &[&d, &c, &real_larger]);
        let ratio = self.float_op(BinKind::FDiv, class, &smaller, &larger)?;
        let divisor = self.fma(class, &smaller, &ratio, &larger);
        // With the larger part real: (a + b r, b - a r), else (a r + b, b r - a).
        let first = self.compute(class, "selp.f64", &[a, b, &real_larger]);
        let second = self.compute(class, "selp.f64", &[b, a, &real_larger]);
        let real = self.fma(class, &second, &ratio, &first);
        let minus_first = self.negated(&Part::new(class, first)).text;
        let difference = self.fma(class, &minus_first, &ratio, &second);
        let opposite = self.negated(&Part::new(class, difference.clone())).text;
        let imaginary = self.compute(class, "selp.f64", &[&difference, &opposite, &real_larger]);
        Ok([
            self.float_op(BinKind::FDiv, class, &real, &divisor)?,
            self.float_op(BinKind::FDiv, class, &imaginary, &divisor)?,
        ])
    }
}
