//! Arithmetic of a real and a complex number.
//!
//! The real number has no imaginary part, which is not the same as one that is zero (C11, G.5.1 and G.5.2): infinite parts
//! and signs of zeros stay what they are. GCC and clang compute so.
//! ```text
//! x * (a + b i)  →  x a + x b i           (a + b i) / x  →  a / x + b / x i
//! x - (a + b i)  →  (x - a) - b i         x / (a + b i)  →  (x + 0 i) / (a + b i)
//! ```

use super::functions::Module;
use super::state::Result;
use super::types::Scalar;
use crate::ast::node::{CastKind, Kind, NodeId, Operator};
use accrue_dialects::core::{self, BinKind, UnKind};
use pliron::r#type::Typed;
use pliron::value::Value;

/// Which operand of an operation is real.
#[derive(Clone, Copy)]
pub enum RealSide {
    Left,
    Right,
}

impl Module<'_> {
    /// The real operand, if the other one is complex.
    pub fn real_side(&mut self, left: NodeId, right: NodeId) -> Result<Option<RealSide>> {
        Ok(match (self.is_complex(left)?, self.is_complex(right)?) {
            (false, true) => Some(RealSide::Left),
            (true, false) => Some(RealSide::Right),
            (true, true) | (false, false) => None,
        })
    }

    /// Whether the user wrote something complex: clang makes some real operands complex.
    fn is_complex(&mut self, operand: NodeId) -> Result<bool> {
        let node = self.source.ast.node(operand);
        if node.kind == Kind::ImplicitCastExpr && node.cast == Some(CastKind::FloatingRealToComplex)
        {
            return Ok(false);
        }
        let ty = self.type_of(operand)?;
        Ok(matches!(self.scalar(ty), Some(Scalar::Complex(_))))
    }

    /// `left op right`, both converted to the complex type; `None` where the real operand is no exception.
    pub fn mixed(
        &mut self,
        op: Operator,
        side: RealSide,
        left: Value,
        right: Value,
    ) -> Option<Value> {
        let kind = match (op, side) {
            (Operator::Add, _) => BinKind::FAdd,
            (Operator::Sub, _) => BinKind::FSub,
            (Operator::Mul, _) => BinKind::FMul,
            (Operator::Div, RealSide::Right) => BinKind::FDiv,
            _ => return None,
        };
        let ty = left.get_type(self.ctx);
        let number = match side {
            RealSide::Left => right,
            RealSide::Right => left,
        };
        let (a, c) = (self.real_part(left)?, self.real_part(right)?);
        let imaginary = self.imaginary_part(number)?;
        let real = self.binary(kind, a, c);
        let imaginary = match (kind, side) {
            (BinKind::FMul, RealSide::Left) => self.binary(kind, a, imaginary),
            (BinKind::FMul | BinKind::FDiv, _) => self.binary(kind, imaginary, c),
            (BinKind::FSub, RealSide::Left) => {
                let negative = core::Un::new(self.ctx, UnKind::FNeg, imaginary);
                self.emit_value(negative)
            }
            _ => imaginary,
        };
        let result = core::ComplexMake::new(self.ctx, ty, real, imaginary);
        Some(self.emit_value(result))
    }

    pub(super) fn real_part(&mut self, number: Value) -> Option<Value> {
        let real = core::Real::new(self.ctx, number)?;
        Some(self.emit_value(real))
    }

    pub(super) fn imaginary_part(&mut self, number: Value) -> Option<Value> {
        let imaginary = core::Imag::new(self.ctx, number)?;
        Some(self.emit_value(imaginary))
    }
}
