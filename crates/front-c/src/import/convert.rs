//! Conversions between scalar types (C11 6.3).

use super::functions::Module;
use super::state::{Result, Stop};
use super::types::Scalar;
use crate::ast::describe::describe;
use crate::ast::node::NodeId;
use crate::ast::types::TypeId;
use accrue_dialects::core::{self, CastKind};
use pliron::r#type::Typed;
use pliron::value::Value;

impl Module<'_> {
    /// `value` of C type `from` as C type `to`. `at` is named when there is no such conversion.
    pub fn convert(&mut self, value: Value, from: TypeId, to: TypeId, at: NodeId) -> Result<Value> {
        let (Some(source), Some(target)) = (self.scalar(from), self.scalar(to)) else {
            let (from, to) = (describe(&self.types, from), describe(&self.types, to));
            return Err(Stop::at(
                at,
                format!("a conversion from `{from}` to `{to}` is not supported"),
            ));
        };
        self.convert_scalar(value, source, target, to, at)
    }

    fn convert_scalar(
        &mut self,
        value: Value,
        from: Scalar,
        to: Scalar,
        to_type: TypeId,
        at: NodeId,
    ) -> Result<Value> {
        let ty = self.ir_type(to_type, at)?;
        if value.get_type(self.ctx) == ty {
            return Ok(value);
        }
        let kind = match (from, to) {
            (_, Scalar::Bool) => CastKind::ToBool,
            (Scalar::Bool, Scalar::Int { .. }) => CastKind::ZExt,
            (Scalar::Int { bits: old, signed }, Scalar::Int { bits: new, .. }) => {
                match (old > new, signed) {
                    (true, _) => CastKind::Trunc,
                    (false, true) => CastKind::SExt,
                    (false, false) => CastKind::ZExt,
                }
            }
            (Scalar::Bool | Scalar::Int { signed: false, .. }, Scalar::Float(_)) => CastKind::UToF,
            (Scalar::Int { signed: true, .. }, Scalar::Float(_)) => CastKind::SToF,
            (Scalar::Float(_), Scalar::Int { signed: true, .. }) => CastKind::FToS,
            (Scalar::Float(_), Scalar::Int { signed: false, .. }) => CastKind::FToU,
            (Scalar::Float(_), Scalar::Float(_)) => CastKind::FCast,
            (Scalar::Complex(_), Scalar::Complex(_)) => CastKind::ComplexCast,
            (Scalar::Bool | Scalar::Int { .. } | Scalar::Float(_), Scalar::Complex(rank)) => {
                let part = self.float_type(rank);
                let real = self.float_of(value, from, part);
                return Ok(self.cast(CastKind::RealToComplex, real, ty));
            }
            (Scalar::Complex(_), Scalar::Int { .. } | Scalar::Float(_)) => {
                let Some(real) = core::Real::new(self.ctx, value) else {
                    return Err(Stop::at(at, "this complex value is not supported"));
                };
                let real = self.emit_value(real);
                if real.get_type(self.ctx) == ty {
                    return Ok(real);
                }
                let kind = match to {
                    Scalar::Int { signed: true, .. } => CastKind::FToS,
                    Scalar::Int { signed: false, .. } => CastKind::FToU,
                    Scalar::Bool | Scalar::Float(_) | Scalar::Complex(_) | Scalar::Pointer => {
                        CastKind::FCast
                    }
                };
                return Ok(self.cast(kind, real, ty));
            }
            (Scalar::Pointer, Scalar::Pointer) => CastKind::PtrCast,
            (Scalar::Bool | Scalar::Int { .. }, Scalar::Pointer) => {
                let signed = matches!(from, Scalar::Int { signed: true, .. });
                let wide = self.widened(value, !signed);
                return Ok(self.cast(CastKind::IntToPtr, wide, ty));
            }
            (Scalar::Pointer, Scalar::Int { .. }) => CastKind::PtrToInt,
            (Scalar::Pointer, Scalar::Float(_) | Scalar::Complex(_))
            | (Scalar::Float(_) | Scalar::Complex(_), Scalar::Pointer) => {
                return Err(Stop::at(
                    at,
                    "a pointer is not converted to or from a floating type",
                ));
            }
        };
        Ok(self.cast(kind, value, ty))
    }

    /// An integer of at most 64 bits with 64: those without a sign are not extended by one.
    pub fn widened(&mut self, value: Value, unsigned: bool) -> Value {
        let wide = core::int(self.ctx, 64);
        match core::int_width(self.ctx, value.get_type(self.ctx)) {
            Some(width) if width < 64 => {
                let kind = match unsigned {
                    true => CastKind::ZExt,
                    false => CastKind::SExt,
                };
                let op = core::Cast::new(self.ctx, kind, value, wide);
                self.emit_value(op)
            }
            Some(_) | None => value,
        }
    }

    /// An integer or real value as a float of type `ty`.
    fn float_of(&mut self, value: Value, from: Scalar, ty: pliron::r#type::TypeHandle) -> Value {
        let kind = match from {
            Scalar::Int { signed: true, .. } => CastKind::SToF,
            Scalar::Bool | Scalar::Int { signed: false, .. } => CastKind::UToF,
            Scalar::Float(_) | Scalar::Complex(_) | Scalar::Pointer => CastKind::FCast,
        };
        if value.get_type(self.ctx) == ty {
            return value;
        }
        self.cast(kind, value, ty)
    }

    /// `value` as `i1`: whether it is not zero.
    pub fn truth_of(&mut self, value: Value) -> Value {
        let ty = core::boolean(self.ctx);
        if value.get_type(self.ctx) == ty {
            return value;
        }
        self.cast(CastKind::ToBool, value, ty)
    }

    /// An integer value of C type `from` as `i64`, for indices and extents.
    pub fn widen_index(&mut self, value: Value, from: TypeId) -> Value {
        let ty = core::int(self.ctx, 64);
        if value.get_type(self.ctx) == ty {
            return value;
        }
        let kind = match self.scalar(from) {
            Some(Scalar::Int { bits, .. }) if bits > 64 => CastKind::Trunc,
            Some(Scalar::Int { signed: true, .. }) => CastKind::SExt,
            _ => CastKind::ZExt,
        };
        self.cast(kind, value, ty)
    }

    /// An index as `core.ptr_add` takes it: signed, of any width.
    pub fn index_of(&mut self, value: Value, from: TypeId) -> Value {
        match self.scalar(from) {
            Some(Scalar::Int { bits, signed }) if signed && bits <= 64 => value,
            _ => self.widen_index(value, from),
        }
    }
}
