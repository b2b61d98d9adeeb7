//! Arithmetic of complex numbers.
//!
//! A product is computed as it is written. Where both parts come out as NaN, infinite operands may still make an infinite
//! result (C11, G.5.1), which the device library finds out:
//! ```text
//! fma.rn.f64 %re, %a, %c, %minus_bd;   fma.rn.f64 %im, %a, %d, %bc;
//! setp.nan.f64 %p, %re, %re;           @!%p bra L1;
//! …                                    the same again; if %im is NaN, too: call (r), __accrue_muldc3, (a, b, c, d);  …
//! L1:
//! ```
//! Sums, products and conjugates of a number whose parts are both NaN are such numbers, too: only what an expression of them gives is looked
//! at, and where it is one, all of it is computed once more, product by product (`s += a * b` asks once, about `s`).
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
use accrue_dialects::core::{Bin, BinKind, FloatBin, Un, UnKind, complex_part, float_width};
use pliron::{
    builtin::op_interfaces::OneOpdInterface,
    context::{Context, Ptr},
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::{HashMap, HashSet};

type Number = [String; 2];

/// The upper halves of 2^-450 and 2^500, between which squares and products of 64 bits neither overflow nor lose bits.
const LEAST: &str = "600834048";
const END: &str = "1596981248";
/// Users of a number that are asked about for it, each with what it makes of it.
const MOST_USERS: usize = 4;
/// Products and sums that are computed again where a number is NaN.
const MOST_AGAIN: usize = 6;
const ZERO: &str = "0d0000000000000000";
const ONE: &str = "0d3FF0000000000000";

/// What `value` is the conjugate of.
fn conjugate_of(ctx: &Context, value: Value) -> Option<Value> {
    let turned = Operation::get_op::<Un>(value.defining_op()?, ctx)?;
    (turned.kind(ctx) == UnKind::Conj).then(|| turned.get_operand(ctx))
}

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
                    .into_iter()
                    .any(|it| self.made_of(it, &mut HashSet::new()) > 0);
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

    /// Whether all that becomes of the number is a part of sums and products, which are NaN if it is; and little has to be computed again
    /// for them.
    fn goes_on(&self, number: Value) -> bool {
        let few = self.made_of(number, &mut HashSet::new()) <= MOST_AGAIN;
        few && self.is_part(number)
    }

    fn is_part(&self, number: Value) -> bool {
        let ctx = self.ctx;
        let block = |op: Ptr<Operation>| op.deref(ctx).get_parent_block();
        let home = number.defining_op().and_then(block);
        let users = number.uses(ctx).into_iter().map(|using| using.user_op());
        let mut users: Vec<Ptr<Operation>> = users.collect();
        users.dedup();
        let sums_up = |user: &Ptr<Operation>| {
            let bin = Operation::get_op::<Bin>(*user, ctx).map(|bin| bin.kind(ctx));
            match bin {
                Some(kind) => [BinKind::FAdd, BinKind::FSub, BinKind::FMul].contains(&kind),
                None => conjugate_of(ctx, user.deref(ctx).get_result(0))
                    .is_some_and(|_| self.is_part(user.deref(ctx).get_result(0))),
            }
        };
        let has_result = |user: &Ptr<Operation>| user.deref(ctx).get_num_results() == 1;
        let here = |user: &Ptr<Operation>| block(*user) == home;
        (1..=MOST_USERS).contains(&users.len())
            && users
                .iter()
                .all(|user| has_result(user) && here(user) && sums_up(user))
    }

    /// The products and sums that the library has not been asked about, and that `number` is made of.
    fn made_of(&self, number: Value, seen: &mut HashSet<Value>) -> usize {
        if let Some(of) = conjugate_of(self.ctx, number) {
            return self.made_of(of, seen);
        }
        match self.unrecovered.get(&number) {
            Some((_, lhs, rhs)) if seen.insert(number) => {
                1 + self.made_of(*lhs, seen) + self.made_of(*rhs, seen)
            }
            Some(_) | None => 0,
        }
    }

    /// Where both parts of a number are NaN, it and the products it is made from are computed once more, with the library. Only the real
    /// part is asked about: where it alone is NaN, the same comes out again, and nothing needs the imaginary part of a number of which
    /// only the real part is used.
    fn recover(&mut self, class: Class, value: Value, number: &Number) -> Result<()> {
        let opcode = format!("setp.nan.{}", class.name());
        let nan = self.compute(Class::Pred, &opcode, &[&number[0], &number[0]]);
        let end = self.code.new_label();
        self.code.branch_unless(&nan, &end);
        let found = self.recovered(class, value, &mut HashMap::new())?;
        self.unrecovered.remove(&value);
        self.overwrite(class, number, &found);
        self.code.label(&end);
        Ok(())
    }

    /// The number, each product of which the library is asked about; `again` has those that have been computed once more.
    fn recovered(
        &mut self,
        class: Class,
        value: Value,
        again: &mut HashMap<Value, Number>,
    ) -> Result<Number> {
        if let Some(number) = again.get(&value) {
            return Ok(number.clone());
        }
        let number = if let Some((kind, lhs, rhs)) = self.unrecovered.get(&value).copied() {
            let x = self.recovered(class, lhs, again)?;
            let y = self.recovered(class, rhs, again)?;
            let number = self.as_written(kind, class, &x, &y)?;
            match kind {
                FloatBin::Mul => self.or_of_library(class, "mul", number, &x, &y)?,
                _ => number,
            }
        } else if let Some(of) = conjugate_of(self.ctx, value) {
            let [real, imaginary] = self.recovered(class, of, again)?;
            let imaginary = self.negated(&Part::new(class, imaginary)).text;
            [real, imaginary]
        } else {
            self.pair(value)?
        };
        again.insert(value, number.clone());
        Ok(number)
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
