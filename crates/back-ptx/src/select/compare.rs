//! Comparisons: `setp`.
//!
//! Comparisons of floats are false if a side is a NaN, but for `FNe` (`setp.neu`).

use super::{function::Selector, operand::Part, types::Class};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::{
    core::{AddressSpace, Bin, BinKind, Cast, CastKind, Cmp, CmpKind, complex_part, int_width},
    par::kernels::ASKS_ALIAS,
};
use pliron::{
    builtin::op_interfaces::OneResultInterface, context::Context, op::Op, operation::Operation,
    r#type::Typed, value::Value,
};

/// The operator in the name of the instruction and whether it compares unsigned numbers.
fn operator(kind: CmpKind) -> (&'static str, bool) {
    match kind {
        CmpKind::Eq | CmpKind::FEq => ("eq", false),
        CmpKind::Ne => ("ne", false),
        CmpKind::FNe => ("neu", false),
        CmpKind::LtS | CmpKind::FLt => ("lt", false),
        CmpKind::LeS | CmpKind::FLe => ("le", false),
        CmpKind::GtS | CmpKind::FGt => ("gt", false),
        CmpKind::GeS | CmpKind::FGe => ("ge", false),
        CmpKind::LtU => ("lt", true),
        CmpKind::LeU => ("le", true),
        CmpKind::GtU => ("gt", true),
        CmpKind::GeU => ("ge", true),
    }
}

/// The addresses that are taken off in a sum, and those that are added.
fn addresses(ctx: &Context, sum: Value) -> (Vec<Value>, Vec<Value>) {
    let (mut from, mut to) = (vec![], vec![]);
    let mut open = vec![(sum, true)];
    while let Some((value, added)) = open.pop() {
        let Some(op) = value.defining_op() else {
            continue;
        };
        if let Some(bin) = Operation::get_op::<Bin>(op, ctx) {
            let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
            match bin.kind(ctx) {
                BinKind::Add | BinKind::AddS => open.extend([(lhs, added), (rhs, added)]),
                BinKind::Sub | BinKind::SubS => open.extend([(lhs, added), (rhs, !added)]),
                _ => {}
            }
        } else if let Some(cast) = Operation::get_op::<Cast>(op, ctx)
            && cast.kind(ctx) == CastKind::PtrToInt
        {
            match added {
                true => to.push(cast.get_operand_value(ctx)),
                false => from.push(cast.get_operand_value(ctx)),
            }
        }
    }
    (from, to)
}

impl Selector<'_> {
    pub(super) fn cmp(&mut self, op: &Cmp) -> Result<()> {
        let (lhs, rhs) = (op.get_operand_lhs(self.ctx), op.get_operand_rhs(self.ctx));
        let predicate = match ASKS_ALIAS.is_on(self.ctx, op.get_operation()) && self.is_apart(lhs) {
            true => self.compute(Class::Pred, "setp.ne.u32", &["0", "0"]),
            false => self.comparison(op.kind(self.ctx), lhs, rhs)?,
        };
        self.define(op.get_result(self.ctx), Class::Pred, [predicate]);
        Ok(())
    }

    /// Whether a distance is from memory that this version of the kernel writes to some that it only reads.
    fn is_apart(&self, distance: Value) -> bool {
        let Some(version) = self.version else {
            return false;
        };
        let origin = |address: Value| version.origins.of(address);
        let is_written = |address: Value| {
            let origin = origin(address);
            !origin.unknown && origin.parameters != 0 && origin.parameters & !version.written == 0
        };
        let (from, to) = addresses(self.ctx, distance);
        matches!((from.as_slice(), to.as_slice()), ([from], [to])
            if is_written(*from) && version.is_constant(origin(*to)))
    }

    fn comparison(&mut self, kind: CmpKind, lhs: Value, rhs: Value) -> Result<String> {
        let ty = lhs.get_type(self.ctx);
        let (name, unsigned) = operator(kind);
        if self.is_pointer(lhs) {
            // Addresses of one space compare as in the generic space, where the null pointer is not among them.
            let (a, b) = (self.spaces.of(lhs), self.spaces.of(rhs));
            let space = if a == b { a } else { AddressSpace::Generic };
            let (a, b) = (self.parts_in(lhs, space)?, self.parts_in(rhs, space)?);
            return self.set_predicate(&format!("setp.{name}.u64"), &a, &b);
        }
        if complex_part(self.ctx, ty).is_some() {
            return self.complex_comparison(kind, lhs, rhs);
        }
        match int_width(self.ctx, ty) {
            Some(1) => {
                let (a, b) = (self.part(lhs)?, self.part(rhs)?);
                let a = Part::new(Class::B32, self.predicate_as_integer(&a));
                let b = Part::new(Class::B32, self.predicate_as_integer(&b));
                self.set_predicate(&format!("setp.{name}.u32"), &[a], &[b])
            }
            Some(128) => {
                let (a, b) = (self.pair(lhs)?, self.pair(rhs)?);
                Ok(self.wide_comparison(name, unsigned, &a, &b))
            }
            Some(width) => {
                let sign = if unsigned { "u" } else { "s" };
                let bits = if width == 64 { 64 } else { 32 };
                let (a, b) = (self.parts(lhs)?, self.parts(rhs)?);
                self.set_predicate(&format!("setp.{name}.{sign}{bits}"), &a, &b)
            }
            None => {
                let (a, b) = (self.part(lhs)?, self.part(rhs)?);
                let (class, a, b) = match a.class {
                    Class::B16 => (
                        Class::F32,
                        self.widen_half(&a.text),
                        self.widen_half(&b.text),
                    ),
                    class => (class, a.text, b.text),
                };
                let opcode = format!("setp.{name}.{}", class.name());
                Ok(self.compute(Class::Pred, &opcode, &[&a, &b]))
            }
        }
    }

    fn set_predicate(&mut self, opcode: &str, a: &[Part], b: &[Part]) -> Result<String> {
        match (a, b) {
            ([a], [b]) => Ok(self.compute(Class::Pred, opcode, &[&a.text, &b.text])),
            _ => Err(Diagnostic::error("two scalars were expected")),
        }
    }

    fn complex_comparison(&mut self, kind: CmpKind, lhs: Value, rhs: Value) -> Result<String> {
        let (a, b) = (self.parts(lhs)?, self.parts(rhs)?);
        let class = a.first().map_or(Class::F64, |p| p.class);
        if class == Class::B16 {
            return Err(Diagnostic::error(
                "comparing complex numbers of 16-bit parts is not supported; use `float _Complex`",
            ));
        }
        let (name, join) = match kind {
            CmpKind::FNe => ("neu", "or.pred"),
            _ => ("eq", "and.pred"),
        };
        let opcode = format!("setp.{name}.{}", class.name());
        let ([a, c], [b, d]) = (a.as_slice(), b.as_slice()) else {
            return Err(Diagnostic::error("two complex numbers were expected"));
        };
        let real = self.compute(Class::Pred, &opcode, &[&a.text, &b.text]);
        let imaginary = self.compute(Class::Pred, &opcode, &[&c.text, &d.text]);
        Ok(self.compute(Class::Pred, join, &[&real, &imaginary]))
    }

    /// Whether a scalar is not zero.
    pub(super) fn truth(&mut self, value: Value) -> Result<String> {
        if self.is_pointer(value) {
            let parts = self.generic_parts(value)?;
            let zero = [Part::new(Class::B64, "0")];
            return self.set_predicate("setp.ne.u64", &parts, &zero);
        }
        let parts = self.parts(value)?;
        let mut predicates = vec![];
        for part in &parts {
            predicates.push(match part.class {
                Class::Pred => self.settle(part),
                Class::B32 => self.compute(Class::Pred, "setp.ne.s32", &[&part.text, "0"]),
                Class::B64 => self.compute(Class::Pred, "setp.ne.s64", &[&part.text, "0"]),
                Class::B16 => {
                    let wide = self.widen_half(&part.text);
                    self.compute(Class::Pred, "setp.neu.f32", &[&wide, "0f00000000"])
                }
                Class::F32 => {
                    self.compute(Class::Pred, "setp.neu.f32", &[&part.text, "0f00000000"])
                }
                Class::F64 => {
                    let zero = "0d0000000000000000";
                    self.compute(Class::Pred, "setp.neu.f64", &[&part.text, zero])
                }
            });
        }
        match predicates.as_slice() {
            [one] => Ok(one.clone()),
            [a, b] => Ok(self.compute(Class::Pred, "or.pred", &[a, b])),
            _ => Err(Diagnostic::error("a scalar was expected")),
        }
    }
}
