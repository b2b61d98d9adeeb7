//! Arithmetic of complex numbers.
//!
//! A product is computed as it is written. Where both parts come out as NaN, infinite operands may still make an infinite
//! result (C11, G.5.1), which the device library finds out; a quotient is the library's from the start:
//! ```text
//! fma.rn.f64 %re, %a, %c, %minus_bd;   fma.rn.f64 %im, %a, %d, %bc;
//! setp.nan.f64 %p, %re, %re;           setp.nan.and.f64 %p, %im, %im, %p;
//! @!%p bra L1;                         call (r), __accrue_muldc3, (a, b, c, d);  …
//! L1:
//! ```
//! With [`Options::fast_math`](crate::Options) there are no infinities; then Smith's quotient is enough, with 64 bits for
//! parts of 32.

use super::{
    function::Selector,
    operand::Part,
    types::{Class, classes},
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{FloatBin, complex_part, float_width};
use pliron::{r#type::Typed, value::Value};

type Number = [String; 2];

impl Selector<'_> {
    pub(super) fn complex_bin(
        &mut self,
        kind: FloatBin,
        lhs: Value,
        rhs: Value,
        result: Value,
    ) -> Result<()> {
        let ty = result.get_type(self.ctx);
        let classes = classes(self.ctx, ty)?;
        let class = classes.first().copied().unwrap_or(Class::F64);
        let width = complex_part(self.ctx, ty).and_then(|p| float_width(self.ctx, p));
        if width == Some(16) {
            return Err(Diagnostic::error(
                "arithmetic of complex numbers of 16-bit parts is not supported; use `float _Complex`",
            ));
        }
        let (x, y) = (self.pair(lhs)?, self.pair(rhs)?);
        let fast = self.unit.options.fast_math;
        let registers = match kind {
            FloatBin::Mul if fast => self.complex_product(class, &x, &y)?,
            FloatBin::Mul => {
                let product = self.complex_product(class, &x, &y)?;
                self.recovered(class, product, &x, &y)?
            }
            FloatBin::Div if fast => self.complex_quotient(class, &x, &y)?,
            FloatBin::Div => {
                let name = match class {
                    Class::F32 => "divsc3",
                    _ => "divdc3",
                };
                self.complex_call(class, name, &x, &y)?
            }
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
        [a, b]: &Number,
        [c, d]: &Number,
    ) -> Result<Number> {
        let bd = self.float_op(FloatBin::Mul, class, b, d)?;
        let bc = self.float_op(FloatBin::Mul, class, b, c)?;
        if self.unit.options.contract {
            let minus_bd = self.negated(&Part::new(class, bd)).text;
            return Ok([self.fma(class, a, c, &minus_bd), self.fma(class, a, d, &bc)]);
        }
        let ac = self.float_op(FloatBin::Mul, class, a, c)?;
        let ad = self.float_op(FloatBin::Mul, class, a, d)?;
        Ok([
            self.float_op(FloatBin::Sub, class, &ac, &bd)?,
            self.float_op(FloatBin::Add, class, &ad, &bc)?,
        ])
    }

    /// The product, or what the library makes of the factors if both of its parts are NaN.
    fn recovered(
        &mut self,
        class: Class,
        product: Number,
        x: &Number,
        y: &Number,
    ) -> Result<Number> {
        let (ty, name) = match class {
            Class::F32 => ("f32", "mulsc3"),
            _ => ("f64", "muldc3"),
        };
        let [real, imaginary] = &product;
        let nan = self.compute(Class::Pred, &format!("setp.nan.{ty}"), &[real, real]);
        let both = format!("setp.nan.and.{ty}");
        let both = self.compute(Class::Pred, &both, &[imaginary, imaginary, &nan]);
        let end = self.code.new_label();
        self.code.branch_unless(&both, &end);
        let found = self.complex_call(class, name, x, y)?;
        for (to, from) in product.iter().zip(&found) {
            self.code.write(&[to], &format!("mov.{ty}"), &[from]);
        }
        self.code.label(&end);
        Ok(product)
    }

    /// What the library's function `name` gives for the parts of two numbers.
    fn complex_call(&mut self, class: Class, name: &str, x: &Number, y: &Number) -> Result<Number> {
        let Some(function) = accrue_devlib::ptx_name(name) else {
            return Err(Diagnostic::error(format!(
                "`{name}` is not in the device library"
            )));
        };
        self.needs.library.insert(name.to_string());
        let (ty, bytes) = match class {
            Class::F32 => ("f32", 4),
            _ => ("f64", 8),
        };
        self.code.brace("{");
        for (index, part) in x.iter().chain(y).enumerate() {
            self.code
                .directive(format!(".param .b{} a{index}", 8 * bytes));
            self.code
                .emit(&format!("st.param.{ty}"), &[&format!("[a{index}]"), part]);
        }
        let result = format!(".param .align {bytes} .b8 r[{}]", 2 * bytes);
        self.code.directive(result);
        let arguments = ["(r)", function, "(a0, a1, a2, a3)"];
        self.code.emit("call", &arguments);
        let load = format!("ld.param.{ty}");
        let real = self.compute(class, &load, &["[r]"]);
        let imaginary = self.compute(class, &load, &[&format!("[r+{bytes}]")]);
        self.code.brace("}");
        Ok([real, imaginary])
    }

    fn complex_quotient(&mut self, class: Class, x: &Number, y: &Number) -> Result<Number> {
        if class != Class::F32 {
            return self.smith(x, y);
        }
        let mut wide = vec![];
        for part in x.iter().chain(y) {
            let part = self.settle(&Part::new(Class::F32, part));
            wide.push(self.compute(Class::F64, "cvt.f64.f32", &[&part]));
        }
        let [a, b, c, d] = wide.as_slice() else {
            return Err(Diagnostic::error("two complex numbers were expected"));
        };
        let [real, imaginary] = self.smith(&[a.clone(), b.clone()], &[c.clone(), d.clone()])?;
        Ok([
            self.compute(Class::F32, "cvt.rn.f32.f64", &[&real]),
            self.compute(Class::F32, "cvt.rn.f32.f64", &[&imaginary]),
        ])
    }

    /// `(a + bi) / (c + di)`: with u the larger and v the smaller part of the divisor and r = v / u, the divisor's
    /// square is u (u + v r), and nothing overflows that need not.
    fn smith(&mut self, [a, b]: &Number, [c, d]: &Number) -> Result<Number> {
        let class = Class::F64;
        let c = self.settle(&Part::new(class, c));
        let d = self.settle(&Part::new(class, d));
        let size_c = self.compute(class, "abs.f64", &[&c]);
        let size_d = self.compute(class, "abs.f64", &[&d]);
        let real_larger = self.compute(Class::Pred, "setp.ge.f64", &[&size_c, &size_d]);
        let larger = self.compute(class, "selp.f64", &[&c, &d, &real_larger]);
        let smaller = self.compute(class, "selp.f64", &[&d, &c, &real_larger]);
        let ratio = self.float_op(FloatBin::Div, class, &smaller, &larger)?;
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
            self.float_op(FloatBin::Div, class, &real, &divisor)?,
            self.float_op(FloatBin::Div, class, &imaginary, &divisor)?,
        ])
    }
}
