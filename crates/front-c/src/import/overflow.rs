//! `__builtin_add_overflow` and its kin (GCC): arithmetic in the types of the operands and of the result, which may be three.
//!
//! ```text
//! __builtin_mul_overflow(i, u, &c)      wide = sext(i) * zext(u);  c = trunc(wide);  zext(c) != wide
//! ```
//! They are no functions: what they do depends on whether their types are signed, which calls in the IR do not say. An operation in
//! twice the width of the widest type loses nothing: the product of two unsigned numbers is compared as an unsigned number, and no
//! sign-extended result looks like one.

use super::functions::Module;
use super::state::{Result, Stop};
use super::types::Scalar;
use crate::ast::node::NodeId;
use crate::ast::types::CType;
use accrue_dialects::core::{self, BinKind, CastKind, CmpKind};
use pliron::value::Value;

/// An integer type.
#[derive(Clone, Copy)]
struct Integer {
    bits: u32,
    signed: bool,
}

/// The operator of the builtin `name`, without `__builtin_`: of any types, or of those that the name says.
pub(super) fn operator(name: &str) -> Option<BinKind> {
    let name = name.strip_suffix("_overflow")?;
    let typed = ["", "l", "ll"].into_iter().find_map(|length| {
        let of_length = name.strip_suffix(length)?;
        let operator = of_length.strip_prefix(['s', 'u'])?;
        kind(operator)
    });
    kind(name).or(typed)
}

fn kind(operator: &str) -> Option<BinKind> {
    match operator {
        "add" => Some(BinKind::Add),
        "sub" => Some(BinKind::Sub),
        "mul" => Some(BinKind::Mul),
        _ => None,
    }
}

impl Module<'_> {
    /// Stores the result, and gives whether it is another number than the operation's.
    pub(super) fn overflow(&mut self, expression: NodeId, operator: BinKind) -> Result<Value> {
        let (left, right) = (self.child(expression, 1)?, self.child(expression, 2)?);
        let place = self.child(expression, 3)?;
        let pointer = self.type_of(place)?;
        let CType::Pointer(result) = self.types.get(pointer) else {
            return Err(self.unsupported(place));
        };
        let result = result.ty;
        let types = [self.type_of(left)?, self.type_of(right)?, result];
        let at = [left, right, place];
        let mut integers = [Integer {
            bits: 0,
            signed: false,
        }; 3];
        for ((integer, ty), at) in integers.iter_mut().zip(types).zip(at) {
            *integer = match self.scalar(ty) {
                Some(Scalar::Int { bits, signed }) if bits <= 64 => Integer { bits, signed },
                Some(Scalar::Bool) => Integer {
                    bits: 1,
                    signed: false,
                },
                Some(
                    Scalar::Int { .. } | Scalar::Float(_) | Scalar::Complex(_) | Scalar::Pointer,
                )
                | None => {
                    let message =
                        "arithmetic with overflow is supported for integers of up to 64 bits";
                    return Err(Stop::at(at, message));
                }
            };
        }
        let widest = integers.iter().map(|integer| integer.bits).max();
        let width = if widest <= Some(32) { 64 } else { 128 };
        let [of_left, of_right, of_result] = integers;
        let (left, right) = (self.value(left)?, self.value(right)?);
        let address = self.value(place)?;
        let (left, right) = (
            self.in_width(left, of_left, width),
            self.in_width(right, of_right, width),
        );
        let exact = self.binary(operator, left, right);
        let ty = self.ir_type(result, place)?;
        let stored = self.cast(CastKind::Trunc, exact, ty);
        self.store(stored, address, false);
        let back = self.in_width(stored, of_result, width);
        let differs = self.compare(CmpKind::Ne, back, exact);
        let ty = self.ir_type_of(expression)?;
        Ok(self.cast(CastKind::ZExt, differs, ty))
    }

    fn in_width(&mut self, value: Value, from: Integer, width: u32) -> Value {
        let kind = if from.signed {
            CastKind::SExt
        } else {
            CastKind::ZExt
        };
        let to = core::int(self.ctx, width);
        self.cast(kind, value, to)
    }
}
