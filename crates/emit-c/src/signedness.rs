//! Which variables are declared as unsigned.
//!
//! Integers of the IR have no signedness, and are C's signed types unless an operation wraps around or compares as unsigned. A
//! variable that changes by such operations would be cast to and fro wherever it is used:
//!
//! ```text
//! int s = 0;                                   unsigned s = 0;
//! if (a[i]) {                                  if (a[i]) {
//!     s = (int)((unsigned)s + (unsigned)a[i]);     s = s + (unsigned)a[i];
//! }                                            }
//! ```
//! C compilers do not see a sum in the left one, once it is under a condition, and make no SIMD code of it. So a variable
//! of 32 or 64 bits whose address goes nowhere is unsigned if something that wraps around is stored to it, and no result of
//! signed arithmetic.
//!
//! Cost: one look at the uses of a variable for each access that is printed.

use super::{
    expr::{Expr, Prec},
    function::FunctionPrinter,
};
use crate::{
    diagnostic::{Diagnostic, Result},
    dialect::Scalar,
};
use accrue_dialects::core::{Alloca, Bin, BinKind, Load, Store, int_width};
use pliron::{
    builtin::op_interfaces::OneResultInterface, context::Context, operation::Operation,
    r#type::TypeHandle, value::Value,
};

impl FunctionPrinter<'_> {
    /// Whether `address` is that of a variable that is declared as unsigned.
    pub(super) fn is_unsigned(&self, address: Value) -> bool {
        is_unsigned(self.ctx, address).unwrap_or(false)
    }

    /// Declares the variable with this address.
    pub(super) fn declare_variable(
        &self,
        address: Value,
        ty: TypeHandle,
        name: &str,
    ) -> Result<String> {
        match self.is_unsigned(address) {
            true => Ok(format!("{} {name}", self.spelled(ty, Scalar::Unsigned)?)),
            false => self.declare(ty, name),
        }
    }

    /// The value of an unsigned variable, as every integer is written.
    pub(super) fn as_signed(&self, ty: TypeHandle, variable: Expr) -> Result<Expr> {
        let signed = self.spelled(ty, Scalar::Signed)?;
        Ok(Expr {
            text: format!("({signed}){}", variable.at(Prec::Unary)),
            prec: Prec::Unary,
            unsigned: Some(Box::new(variable.clone())),
            ..variable
        })
    }

    fn spelled(&self, ty: TypeHandle, kind: fn(u32) -> Scalar) -> Result<&'static str> {
        int_width(self.ctx, ty)
            .and_then(|width| self.unit.dialect.scalar(kind(width)))
            .ok_or_else(|| Diagnostic::error("an integer was expected"))
    }
}

fn is_unsigned(ctx: &Context, address: Value) -> Option<bool> {
    let alloca = Operation::get_op::<Alloca>(address.defining_op()?, ctx)?;
    let wide = matches!(int_width(ctx, alloca.var_type(ctx)), Some(32 | 64));
    if !wide || alloca.count(ctx).is_some() {
        return Some(false);
    }
    let mut unsigned = false;
    for using in alloca.get_result(ctx).uses(ctx) {
        let user = using.user_op();
        if let Some(store) = Operation::get_op::<Store>(user, ctx) {
            let value = store.get_operand_value(ctx);
            if value == address || store.is_volatile(ctx) {
                return Some(false);
            }
            match arithmetic(ctx, value) {
                Arithmetic::Signed => return Some(false),
                Arithmetic::Unsigned => unsigned = true,
                Arithmetic::Either => {}
            }
        } else if Operation::get_op::<Load>(user, ctx).is_none_or(|load| load.is_volatile(ctx)) {
            return Some(false);
        }
    }
    Some(unsigned)
}

/// In which of C's types a value is computed.
enum Arithmetic {
    Signed,
    Unsigned,
    Either,
}

fn arithmetic(ctx: &Context, value: Value) -> Arithmetic {
    let bin = value
        .defining_op()
        .and_then(|op| Operation::get_op::<Bin>(op, ctx));
    match bin.map(|bin| bin.kind(ctx)) {
        Some(
            BinKind::Add
            | BinKind::Sub
            | BinKind::Mul
            | BinKind::DivU
            | BinKind::RemU
            | BinKind::ShrU
            | BinKind::MinU
            | BinKind::MaxU,
        ) => Arithmetic::Unsigned,
        Some(
            BinKind::AddS
            | BinKind::SubS
            | BinKind::MulS
            | BinKind::DivS
            | BinKind::RemS
            | BinKind::ShrS
            | BinKind::MinS
            | BinKind::MaxS,
        ) => Arithmetic::Signed,
        Some(
            BinKind::Shl
            | BinKind::And
            | BinKind::Or
            | BinKind::Xor
            | BinKind::FAdd
            | BinKind::FSub
            | BinKind::FMul
            | BinKind::FDiv
            | BinKind::FMin
            | BinKind::FMax,
        )
        | None => Arithmetic::Either,
    }
}
