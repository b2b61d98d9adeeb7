//! Complex numbers in a language that has none: structures, and functions of the dialect's.
//!
//! ```text
//! core.bin FMul %x, %y        accrue_c64_mul(x, y)
//! core.real %z                z.re
//! core.cast RealToComplex %r  accrue_c64_make(r, 0)
//! ```

use super::{
    dialect::Scalar,
    expr::{Expr, Prec},
    function::FunctionPrinter,
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{Cast, CastKind, CmpKind, FloatBin, UnKind, complex_part, float_width};
use pliron::{
    op::Op,
    r#type::{TypeHandle, Typed},
    value::Value,
};

impl FunctionPrinter<'_> {
    /// The structure that stands for complex numbers of type `ty`, if they are structures.
    fn structure(&self, ty: TypeHandle) -> Option<Result<&'static str>> {
        let part = complex_part(self.ctx, ty)?;
        let dialect = self.unit.dialect;
        if dialect.has_complex() {
            return None;
        }
        let width = float_width(self.ctx, part);
        let name = width.and_then(|width| dialect.scalar(Scalar::Complex(width)));
        Some(name.ok_or_else(|| {
            Diagnostic::error(format!(
                "a complex number of this precision has no C type on {}",
                dialect.devices()
            ))
        }))
    }

    /// Whether objects of type `ty` are such structures.
    pub(super) fn is_structure(&self, ty: TypeHandle) -> bool {
        self.structure(ty).is_some()
    }

    fn function_of(&mut self, name: &str, operands: &[Value]) -> Result<Expr> {
        let taken = operands.iter().map(|v| self.take(*v));
        let taken = taken.collect::<Result<Vec<_>>>()?;
        let text: Vec<_> = taken.iter().map(Expr::whole).collect();
        let parts: Vec<_> = taken.iter().collect();
        let call = format!("{name}({})", text.join(", "));
        Ok(Expr::of(call, Prec::Primary, &parts))
    }

    pub(super) fn complex_bin(
        &mut self,
        kind: FloatBin,
        operands: [Value; 2],
    ) -> Option<Result<Expr>> {
        let name = self.structure(operands[0].get_type(self.ctx))?;
        let function = match kind {
            FloatBin::Add => "add",
            FloatBin::Sub => "sub",
            FloatBin::Mul => "mul",
            FloatBin::Div => "div",
            FloatBin::Min | FloatBin::Max => {
                return Some(Err(Diagnostic::error("complex numbers have no order")));
            }
        };
        Some(name.and_then(|name| self.function_of(&format!("{name}_{function}"), &operands)))
    }

    pub(super) fn complex_un(&mut self, kind: UnKind, value: Value) -> Option<Result<Expr>> {
        let name = self.structure(value.get_type(self.ctx))?;
        let function = match kind {
            UnKind::FNeg => "neg",
            UnKind::Conj => "conj",
            UnKind::Neg | UnKind::NegS | UnKind::Not => return None,
        };
        Some(name.and_then(|name| self.function_of(&format!("{name}_{function}"), &[value])))
    }

    pub(super) fn complex_cmp(
        &mut self,
        kind: CmpKind,
        operands: [Value; 2],
    ) -> Option<Result<Expr>> {
        let name = self.structure(operands[0].get_type(self.ctx))?;
        let equal = name.and_then(|name| self.function_of(&format!("{name}_eq"), &operands));
        Some(equal.map(|equal| match kind == CmpKind::FNe {
            true => Expr::of(format!("!{}", equal.text), Prec::Unary, &[&equal]),
            false => equal,
        }))
    }

    pub(super) fn complex_cast(&mut self, op: &Cast) -> Option<Result<Expr>> {
        let value = op.get_operand_value(self.ctx);
        let to = op.get_operation().deref(self.ctx).get_type(0);
        let from = value.get_type(self.ctx);
        match op.kind(self.ctx) {
            CastKind::RealToComplex => {
                let name = self.structure(to)?;
                Some(name.and_then(|name| {
                    let real = self.take(value)?;
                    let text = format!("{name}_make({}, 0)", real.whole());
                    Ok(Expr::of(text, Prec::Primary, &[&real]))
                }))
            }
            CastKind::ComplexCast => {
                let name = self.structure(to)?;
                Some(name.and_then(|name| {
                    let part = complex_part(self.ctx, to)
                        .ok_or_else(|| Diagnostic::error("a complex number was expected"))?;
                    let part = self.type_name(part)?;
                    let z = self.take_fixed(value)?;
                    let text = format!("{name}_make(({part}){0}.re, ({part}){0}.im)", z.text);
                    Ok(Expr::of(text, Prec::Primary, &[&z]))
                }))
            }
            CastKind::ToBool => {
                let name = self.structure(from)?;
                Some(name.and_then(|name| {
                    let z = self.take(value)?;
                    let text = format!("!{name}_eq({}, {name}_make(0, 0))", z.whole());
                    Ok(Expr::of(text, Prec::Unary, &[&z]))
                }))
            }
            CastKind::Trunc
            | CastKind::SExt
            | CastKind::ZExt
            | CastKind::SToF
            | CastKind::UToF
            | CastKind::FToS
            | CastKind::FToU
            | CastKind::FCast
            | CastKind::IntToPtr
            | CastKind::PtrToInt
            | CastKind::PtrCast => None,
        }
    }

    /// One of the parts, `re` or `im`.
    pub(super) fn complex_half(&mut self, member: &str, value: Value) -> Option<Result<Expr>> {
        let name = self.structure(value.get_type(self.ctx))?;
        Some(name.and_then(|_| {
            let z = self.take(value)?;
            let text = format!("{}.{member}", z.at(Prec::Primary));
            Ok(Expr::of(text, Prec::Primary, &[&z]))
        }))
    }

    pub(super) fn complex_make(
        &mut self,
        ty: TypeHandle,
        parts: [Value; 2],
    ) -> Option<Result<Expr>> {
        let name = self.structure(ty)?;
        Some(name.and_then(|name| self.function_of(&format!("{name}_make"), &parts)))
    }
}
