//! Arithmetic of complex numbers.
//!
//! A product is computed as it is written. Where both parts come out as NaN, infinite operands may still make an infinite
//! result (C11, G.5.1), which the device library finds out:
//! ```text
//! fma.rn.f64 %re, %a, %c, %minus_bd;   fma.rn.f64 %im, %a, %d, %bc;
//! setp.nan.f64 %p, %re, %re;           setp.nan.and.f64 %p, %im, %im, %p;
//! @!%p bra L1;                         call (r), __accrue_muldc3, (a, b, c, d);  …
//! L1:
//! ```
//! Sums and products of a number whose parts are both NaN are such numbers, too: only what an expression of them gives is looked at, and
//! where it is one, all of it is computed once more, product by product (`s += a * b` asks once, about `s`).
//!
//! A quotient is (ac + bd + (bc - ad) i) / (c² + d²). With parts of 32 bits it is computed with 64, and the library is asked where both
//! parts come out as NaN. With parts of 64 bits the library is asked unless all four are between 2^-450 and 2^500, where nothing
//! overflows or loses bits, and neither part of the result is 0, whose sign is that of Smith's formula. The error is below 5 units in the last place
//! of the larger part (4.3 is the most of 6·10^7 random quotients).
//!
//! With [`Options::fast_math`](crate::Options) there are no infinities; then Smith's quotient is enough, with 64 bits for
//! parts of 32.

use super::{
    function::Selector,
    operand::Part,
    types::{Class, classes},
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{Bin, BinKind, FloatBin, complex_part, float_width};
use pliron::{context::Ptr, operation::Operation, r#type::Typed, value::Value};

type Number = [String; 2];

/// The upper halves of 2^-450 and 2^500, between which squares and products of 64 bits neither overflow nor lose bits.
const LEAST: &str = "600834048";
const END: &str = "1596981248";
const ZERO: &str = "0d0000000000000000";
const ONE: &str = "0d3FF0000000000000";

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
            FloatBin::Div if fast => self.complex_quotient(class, &x, &y)?,
            FloatBin::Div if class == Class::F32 => self.quotient_of_32_bits(&x, &y)?,
            FloatBin::Div => self.quotient_of_64_bits(&x, &y)?,
            _ => {
                let number = self.as_written(kind, class, &x, &y)?;
                let of_product = [lhs, rhs]
                    .iter()
                    .any(|it| self.unrecovered.contains_key(it));
                if !fast && (kind == FloatBin::Mul || of_product) {
                    self.unrecovered.insert(result, (kind, lhs, rhs));
                    if !self.goes_on(result) {
                        self.recover(class, result, &number)?;
                    }
                }
                number
            }
        };
        self.define(result, class, registers);
        Ok(())
    }

    fn as_written(
        &mut self,
        kind: FloatBin,
        class: Class,
        x: &Number,
        y: &Number,
    ) -> Result<Number> {
        match kind {
            FloatBin::Mul => self.complex_product(class, x, y),
            _ => Ok([
                self.float_op(kind, class, &x[0], &y[0])?,
                self.float_op(kind, class, &x[1], &y[1])?,
            ]),
        }
    }

    /// Whether all that becomes of the number is a part of a sum or a product, which is NaN if it is.
    fn goes_on(&self, number: Value) -> bool {
        let ctx = self.ctx;
        let block = |op: Ptr<Operation>| op.deref(ctx).get_parent_block();
        let [using] = number.uses(ctx)[..] else {
            return false;
        };
        let user = using.user_op();
        let sums_up = Operation::get_op::<Bin>(user, ctx).is_some_and(|bin| {
            let kind = bin.kind(ctx);
            [BinKind::FAdd, BinKind::FSub, BinKind::FMul].contains(&kind)
        });
        sums_up && number.defining_op().and_then(block) == block(user)
    }

    /// Where both parts of a number are NaN, it and the products it is made from are computed once more, with the library.
    fn recover(&mut self, class: Class, value: Value, number: &Number) -> Result<()> {
        let end = self.unless_nan(class, number);
        let found = self.recovered(class, value)?;
        self.overwrite(class, number, &found);
        self.code.label(&end);
        Ok(())
    }

    /// The number, each product of which the library is asked about.
    fn recovered(&mut self, class: Class, value: Value) -> Result<Number> {
        let Some((kind, lhs, rhs)) = self.unrecovered.remove(&value) else {
            return self.pair(value);
        };
        let (x, y) = (self.recovered(class, lhs)?, self.recovered(class, rhs)?);
        let number = self.as_written(kind, class, &x, &y)?;
        match kind {
            FloatBin::Mul => self.or_of_library(class, "mul", number, &x, &y),
            _ => Ok(number),
        }
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

    /// The number, or what the library's function makes of the operands if both of its parts are NaN.
    fn or_of_library(
        &mut self,
        class: Class,
        operation: &str,
        number: Number,
        x: &Number,
        y: &Number,
    ) -> Result<Number> {
        let end = self.unless_nan(class, &number);
        self.replace(class, operation, &number, x, y)?;
        self.code.label(&end);
        Ok(number)
    }

    /// Goes to the label unless both parts are NaN.
    fn unless_nan(&mut self, class: Class, [real, imaginary]: &Number) -> String {
        let ty = class.name();
        let nan = self.compute(Class::Pred, &format!("setp.nan.{ty}"), &[real, real]);
        let both = format!("setp.nan.and.{ty}");
        let both = self.compute(Class::Pred, &both, &[imaginary, imaginary, &nan]);
        let end = self.code.new_label();
        self.code.branch_unless(&both, &end);
        end
    }

    /// The number becomes what the library's function gives.
    fn replace(
        &mut self,
        class: Class,
        operation: &str,
        number: &Number,
        x: &Number,
        y: &Number,
    ) -> Result<()> {
        let suffix = match class {
            Class::F32 => "sc3",
            _ => "dc3",
        };
        let found = self.complex_call(class, &format!("{operation}{suffix}"), x, y)?;
        self.overwrite(class, number, &found);
        Ok(())
    }

    fn overwrite(&mut self, class: Class, to: &Number, from: &Number) {
        let [to, from] = [to, from].map(|it| it.clone().map(|part| Part::new(class, part)));
        self.assign(&to, &from);
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

    fn quotient_of_32_bits(&mut self, x: &Number, y: &Number) -> Result<Number> {
        let [wide_x, wide_y] = [self.widened(x), self.widened(y)];
        let quotient = self.simple_quotient(&wide_x, &wide_y)?;
        let quotient = quotient.map(|part| self.compute(Class::F32, "cvt.rn.f32.f64", &[&part]));
        self.or_of_library(Class::F32, "div", quotient, x, y)
    }

    fn quotient_of_64_bits(&mut self, x: &Number, y: &Number) -> Result<Number> {
        let [[a, b], [c, d]] = [x, y].map(|it| it.clone().map(|part| self.exponent(&part)));
        let [least, most] = ["min.u32", "max.u32"].map(|of| {
            let (x, y) = (
                self.compute(Class::B32, of, &[&a, &b]),
                self.compute(Class::B32, of, &[&c, &d]),
            );
            self.compute(Class::B32, of, &[&x, &y])
        });
        let quotient = self.simple_quotient(x, y)?;
        let mut simple = self.compute(Class::Pred, "setp.ge.u32", &[&least, LEAST]);
        simple = self.compute(Class::Pred, "setp.lt.and.u32", &[&most, END, &simple]);
        for part in &quotient {
            simple = self.compute(Class::Pred, "setp.neu.and.f64", &[part, ZERO, &simple]);
        }
        let end = self.code.new_label();
        self.code.branch_if(&simple, &end);
        self.replace(Class::F64, "div", &quotient, x, y)?;
        self.code.label(&end);
        Ok(quotient)
    }

    /// The upper half of a number of 64 bits, without its sign: greater for greater exponents.
    fn exponent(&mut self, part: &str) -> String {
        let part = self.settle(&Part::new(Class::F64, part));
        let bits = self.compute(Class::B64, "mov.b64", &[&part]);
        let high = self.compute(Class::B64, "shr.u64", &[&bits, "32"]);
        let high = self.compute(Class::B32, "cvt.u32.u64", &[&high]);
        self.compute(Class::B32, "and.b32", &[&high, "2147483647"])
    }

    /// `(a + bi)(c - di) / (c² + d²)`, in 64 bits.
    fn simple_quotient(&mut self, x: &Number, y: &Number) -> Result<Number> {
        let class = Class::F64;
        let ([a, b], [c, d]) = (x, y);
        let mut sum = |of: FloatBin, [p, q]: [&str; 2], [r, s]: [&str; 2]| -> Result<String> {
            let first = self.float_op(FloatBin::Mul, class, p, q)?;
            let second = self.float_op(FloatBin::Mul, class, r, s)?;
            self.float_op(of, class, &first, &second)
        };
        // Not contracted: what cancels is 0.
        let square = sum(FloatBin::Add, [c, c], [d, d])?;
        let real = sum(FloatBin::Add, [a, c], [b, d])?;
        let imaginary = sum(FloatBin::Sub, [b, c], [a, d])?;
        let inverse = self.float_op(FloatBin::Div, class, ONE, &square)?;
        Ok([
            self.float_op(FloatBin::Mul, class, &real, &inverse)?,
            self.float_op(FloatBin::Mul, class, &imaginary, &inverse)?,
        ])
    }

    fn complex_quotient(&mut self, class: Class, x: &Number, y: &Number) -> Result<Number> {
        if class != Class::F32 {
            return self.smith(x, y);
        }
        let [x, y] = [self.widened(x), self.widened(y)];
        let [real, imaginary] = self.smith(&x, &y)?;
        Ok([
            self.compute(Class::F32, "cvt.rn.f32.f64", &[&real]),
            self.compute(Class::F32, "cvt.rn.f32.f64", &[&imaginary]),
        ])
    }

    fn widened(&mut self, number: &Number) -> Number {
        number.clone().map(|part| {
            let part = self.settle(&Part::new(Class::F32, part));
            self.compute(Class::F64, "cvt.f64.f32", &[&part])
        })
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
