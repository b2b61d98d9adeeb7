//! Arithmetic, comparisons and conversions as C expressions with exactly the operation's meaning.
//!
//! C promotes narrow integers to `int`: an expression of type `i8` or `i16` may have C type `int`, but always a value
//! in range; an `i1` is 0 or 1. Unsigned meaning is written as a cast to the unsigned type of the same width and back.

use super::{
    dialect::{Dialect, Scalar},
    expr::{Expr, Prec},
    function::FunctionPrinter,
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{
    Arithmetic, Bin, Cast, CastKind, Cmp, CmpKind, FloatBin, IntBin, Select, Un, UnKind,
    float_width, int_width,
};
use pliron::{op::Op, r#type::Typed, value::Value};

/// An integer type, which C names it has.
#[derive(Clone, Copy)]
struct Int {
    width: u32,
    signed: &'static str,
    unsigned: &'static str,
}

impl Int {
    fn new(dialect: &dyn Dialect, width: u32) -> Result<Self> {
        let [signed, unsigned] =
            [Scalar::Signed(width), Scalar::Unsigned(width)].map(|ty| dialect.scalar(ty));
        match (signed, unsigned) {
            (Some(signed), Some(unsigned)) => Ok(Int {
                width,
                signed,
                unsigned,
            }),
            _ => Err(Diagnostic::error(format!(
                "an integer of {width} bits has no C type"
            ))),
        }
    }

    /// The operand as an unsigned number.
    fn as_unsigned(self, e: &Expr) -> Expr {
        match self.width {
            1 => e.clone(),
            _ => e
                .unsigned
                .as_deref()
                .cloned()
                .or_else(|| self.unsigned_literal(e))
                .unwrap_or_else(|| cast(self.unsigned, e)),
        }
    }

    /// A literal that is not negative, as an unsigned literal.
    fn unsigned_literal(self, e: &Expr) -> Option<Expr> {
        let digits = e.text.trim_end_matches('L');
        let number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
        let suffix = match self.width {
            32 => "U",
            64 => "UL",
            _ => return None,
        };
        number.then(|| Expr::atom(format!("{digits}{suffix}")))
    }

    /// The low bits of `e`, as the signed type.
    fn narrow(self, e: &Expr) -> Expr {
        match self.width {
            1 => Expr::of(format!("{} & 1", e.at(Prec::Unary)), Prec::Bits, &[e]),
            _ => cast(self.signed, e),
        }
    }

    /// `e`, computed in the unsigned type or one that it promotes to, as the signed type.
    fn back(self, e: Expr) -> Expr {
        match self.width {
            0..32 => self.narrow(&e),
            _ => Expr {
                unsigned: Some(Box::new(e.clone())),
                ..cast(self.signed, &e)
            },
        }
    }

    /// `e`, whose C type may be wider, back in a narrow type.
    fn settle(self, e: Expr) -> Expr {
        if self.width < 32 { self.narrow(&e) } else { e }
    }

    /// `a op b` in unsigned arithmetic of at least 32 bits, back as the signed type. Narrow types cannot overflow `int`.
    fn wrapping(self, prec: Prec, sign: &str, a: &Expr, b: &Expr) -> Expr {
        match self.width {
            0..32 => self.narrow(&infix(prec, sign, a, b)),
            _ => self.unsigned_op(prec, sign, a, b),
        }
    }

    /// `a sign b` of the unsigned values.
    fn unsigned_order(self, sign: &str, a: &Expr, b: &Expr) -> Expr {
        let (a, b) = (self.as_unsigned(a), self.as_unsigned(b));
        infix(Prec::Compare, sign, &a, &b)
    }

    /// `a op b` on the unsigned values, back as the signed type.
    fn unsigned_op(self, prec: Prec, sign: &str, a: &Expr, b: &Expr) -> Expr {
        self.back(infix(
            prec,
            sign,
            &self.as_unsigned(a),
            &self.as_unsigned(b),
        ))
    }
}

/// `(ty)e`.
pub fn cast(ty: &str, e: &Expr) -> Expr {
    Expr::of(format!("({ty}){}", e.at(Prec::Unary)), Prec::Unary, &[e])
}

/// `a sign b`; only sums and products may stand unparenthesised inside their own kind, on the left.
pub fn infix(prec: Prec, sign: &str, a: &Expr, b: &Expr) -> Expr {
    let (left, right) = match prec {
        Prec::Add => (Prec::Add, Prec::Mul),
        Prec::Mul => (Prec::Mul, Prec::Unary),
        Prec::Compare => (Prec::Add, Prec::Add),
        Prec::Conditional | Prec::Bits | Prec::Shift | Prec::Unary | Prec::Primary => {
            (Prec::Unary, Prec::Unary)
        }
    };
    Expr::of(
        format!("{} {sign} {}", a.at(left), b.at(right)),
        prec,
        &[a, b],
    )
}

/// `sign e`.
fn prefix(sign: &str, e: &Expr) -> Expr {
    let operand = match e.at(Prec::Unary) {
        text if text.starts_with(sign) => format!("({text})"),
        text => text,
    };
    Expr::of(format!("{sign}{operand}"), Prec::Unary, &[e])
}

/// `c ? a : b`.
fn choose(c: &Expr, a: &Expr, b: &Expr) -> Expr {
    let text = format!(
        "{} ? {} : {}",
        c.at(Prec::Compare),
        a.at(Prec::Shift),
        b.at(Prec::Shift)
    );
    Expr::of(text, Prec::Conditional, &[c, a, b])
}

impl FunctionPrinter<'_> {
    pub(super) fn bin(&mut self, op: &Bin) -> Result<Expr> {
        let kind = op.kind(self.ctx);
        let (lhs, rhs) = (op.get_operand_lhs(self.ctx), op.get_operand_rhs(self.ctx));
        let ty = lhs.get_type(self.ctx);
        match kind.arithmetic() {
            Arithmetic::Float(kind) => match self.complex_bin(kind, [lhs, rhs]) {
                Some(complex) => complex,
                None => self.float(kind, lhs, rhs),
            },
            Arithmetic::Int(kind) => {
                let int = self.int_of(ty)?;
                self.integer(kind, int, lhs, rhs)
            }
        }
    }

    fn float(&mut self, kind: FloatBin, lhs: Value, rhs: Value) -> Result<Expr> {
        let (prec, sign) = match kind {
            FloatBin::Add => (Prec::Add, "+"),
            FloatBin::Sub => (Prec::Add, "-"),
            FloatBin::Mul => (Prec::Mul, "*"),
            FloatBin::Div => (Prec::Mul, "/"),
            FloatBin::Min => return self.float_extremum("<", lhs, rhs),
            FloatBin::Max => return self.float_extremum(">", lhs, rhs),
        };
        let (a, b) = (self.take(lhs)?, self.take(rhs)?);
        Ok(infix(prec, sign, &a, &b))
    }

    fn integer(&mut self, kind: IntBin, int: Int, lhs: Value, rhs: Value) -> Result<Expr> {
        let (a, b) = match kind {
            // These write their operands twice.
            IntBin::MinS | IntBin::MaxS | IntBin::MinU | IntBin::MaxU => {
                (&self.take_simple(lhs)?, &self.take_simple(rhs)?)
            }
            _ => (&self.take(lhs)?, &self.take(rhs)?),
        };
        Ok(match kind {
            IntBin::Add => int.wrapping(Prec::Add, "+", a, b),
            IntBin::Sub => int.wrapping(Prec::Add, "-", a, b),
            IntBin::Mul => int.wrapping(Prec::Mul, "*", a, b),
            IntBin::AddS => int.settle(infix(Prec::Add, "+", a, b)),
            IntBin::SubS => int.settle(infix(Prec::Add, "-", a, b)),
            IntBin::MulS => int.settle(infix(Prec::Mul, "*", a, b)),
            IntBin::DivS => int.settle(infix(Prec::Mul, "/", a, b)),
            IntBin::RemS => int.settle(infix(Prec::Mul, "%", a, b)),
            IntBin::DivU => int.unsigned_op(Prec::Mul, "/", a, b),
            IntBin::RemU => int.unsigned_op(Prec::Mul, "%", a, b),
            IntBin::ShrU => int.back(infix(Prec::Shift, ">>", &int.as_unsigned(a), b)),
            IntBin::Shl => int.back(infix(Prec::Shift, "<<", &int.as_unsigned(a), b)),
            IntBin::ShrS => infix(Prec::Shift, ">>", a, b),
            IntBin::And => infix(Prec::Bits, "&", a, b),
            IntBin::Or => infix(Prec::Bits, "|", a, b),
            IntBin::Xor => infix(Prec::Bits, "^", a, b),
            IntBin::MinS => choose(&infix(Prec::Compare, "<", a, b), a, b),
            IntBin::MaxS => choose(&infix(Prec::Compare, ">", a, b), a, b),
            IntBin::MinU => choose(&int.unsigned_order("<", a, b), a, b),
            IntBin::MaxU => choose(&int.unsigned_order(">", a, b), a, b),
        })
    }

    /// C's `fmin`/`fmax` without a call, so that loops with it vectorise: `b` if `a` is a NaN (the comparison fails),
    /// `a` if `b` is one.
    fn float_extremum(&mut self, sign: &str, lhs: Value, rhs: Value) -> Result<Expr> {
        let (a, b) = (self.take_simple(lhs)?, self.take_simple(rhs)?);
        let (x, y) = (a.at(Prec::Unary), b.at(Prec::Unary));
        let text = self.unit.dialect.extremum(sign, &x, &y);
        Ok(Expr::of(text, Prec::Conditional, &[&a, &b]))
    }

    pub(super) fn un(&mut self, op: &Un) -> Result<Expr> {
        let value = op.get_operand_value(self.ctx);
        let ty = value.get_type(self.ctx);
        if let Some(complex) = self.complex_un(op.kind(self.ctx), value) {
            return complex;
        }
        let e = self.take(value)?;
        Ok(match op.kind(self.ctx) {
            UnKind::FNeg => prefix("-", &e),
            UnKind::Conj => prefix("~", &e),
            UnKind::NegS => self.int_of(ty)?.settle(prefix("-", &e)),
            UnKind::Neg => {
                let int = self.int_of(ty)?;
                match int.width {
                    0..32 => int.narrow(&prefix("-", &e)),
                    _ => int.back(prefix("-", &int.as_unsigned(&e))),
                }
            }
            UnKind::Not => match self.int_of(ty)?.width {
                1 => prefix("!", &e),
                _ => prefix("~", &e),
            },
        })
    }

    pub(super) fn cmp(&mut self, op: &Cmp) -> Result<Expr> {
        let (lhs, rhs) = (op.get_operand_lhs(self.ctx), op.get_operand_rhs(self.ctx));
        let ty = lhs.get_type(self.ctx);
        if let Some(complex) = self.complex_cmp(op.kind(self.ctx), [lhs, rhs]) {
            return complex;
        }
        let (mut a, mut b) = (self.take(lhs)?, self.take(rhs)?);
        let (sign, as_unsigned) = match op.kind(self.ctx) {
            CmpKind::Eq | CmpKind::FEq => ("==", false),
            CmpKind::Ne | CmpKind::FNe => ("!=", false),
            CmpKind::LtS | CmpKind::FLt => ("<", false),
            CmpKind::LeS | CmpKind::FLe => ("<=", false),
            CmpKind::GtS | CmpKind::FGt => (">", false),
            CmpKind::GeS | CmpKind::FGe => (">=", false),
            CmpKind::LtU => ("<", true),
            CmpKind::LeU => ("<=", true),
            CmpKind::GtU => (">", true),
            CmpKind::GeU => (">=", true),
        };
        if as_unsigned && let Some(width) = int_width(self.ctx, ty) {
            let int = Int::new(self.unit.dialect, width)?;
            (a, b) = (int.as_unsigned(&a), int.as_unsigned(&b));
        }
        Ok(infix(Prec::Compare, sign, &a, &b))
    }

    pub(super) fn select(&mut self, op: &Select) -> Result<Expr> {
        // Both sides are evaluated; a load inside `?:` would be done for one side only, which keeps loops from being
        // vectorised.
        let yes = self.take_evaluated(op.get_operand_yes(self.ctx))?;
        let no = self.take_evaluated(op.get_operand_no(self.ctx))?;
        let cond = self.take(op.get_operand_cond(self.ctx))?;
        Ok(choose(&cond, &yes, &no))
    }

    pub(super) fn cast(&mut self, op: &Cast) -> Result<Expr> {
        let value = op.get_operand_value(self.ctx);
        let from = value.get_type(self.ctx);
        let to = op.get_operation().deref(self.ctx).get_type(0);
        if let Some(complex) = self.complex_cast(op) {
            return complex;
        }
        let e = self.take(value)?;
        let target = self.type_name(to)?;
        Ok(match op.kind(self.ctx) {
            CastKind::Trunc => self.int_of(to)?.narrow(&e),
            CastKind::SExt => match self.int_of(from)?.width {
                1 => cast(&target, &prefix("-", &e)),
                _ => cast(&target, &e),
            },
            CastKind::ZExt | CastKind::UToF => cast(&target, &self.int_of(from)?.as_unsigned(&e)),
            CastKind::FToU => match self.int_of(to)? {
                Int {
                    width: 1, signed, ..
                } => cast(signed, &e),
                int => cast(int.signed, &cast(int.unsigned, &e)),
            },
            CastKind::ToBool => infix(Prec::Compare, "!=", &e, &Expr::atom("0")),
            CastKind::IntToPtr => match self.int_of(from)?.width {
                64 => cast(&target, &e),
                _ => cast(&target, &cast("long", &e)),
            },
            CastKind::PtrToInt => match self.int_of(to)?.width {
                64 => cast(&target, &e),
                _ => cast(&target, &cast("long", &e)),
            },
            CastKind::SToF
            | CastKind::FToS
            | CastKind::FCast
            | CastKind::PtrCast
            | CastKind::RealToComplex
            | CastKind::ComplexCast => cast(&target, &e),
        })
    }

    /// Real (`__real__`) or imaginary part.
    pub(super) fn part(&mut self, keyword: &str, value: Value) -> Result<Expr> {
        let member = if keyword == "__real__" { "re" } else { "im" };
        if let Some(half) = self.complex_half(member, value) {
            return half;
        }
        let e = self.take(value)?;
        Ok(Expr::of(
            format!("{keyword} {}", e.at(Prec::Unary)),
            Prec::Unary,
            &[&e],
        ))
    }

    pub(super) fn complex(&mut self, real: Value, imaginary: Value) -> Result<Expr> {
        let width = float_width(self.ctx, real.get_type(self.ctx));
        let dialect = self.unit.dialect;
        if width
            .and_then(|w| dialect.scalar(Scalar::Complex(w)))
            .is_none()
        {
            return Err(Diagnostic::error(format!(
                "a complex number of this precision has no C type on {}",
                dialect.devices()
            )));
        }
        let (a, b) = (self.take(real)?, self.take(imaginary)?);
        let text = dialect.complex(&a.whole(), &b.whole());
        Ok(Expr::of(text, Prec::Primary, &[&a, &b]))
    }

    fn int_of(&self, ty: pliron::r#type::TypeHandle) -> Result<Int> {
        let width =
            int_width(self.ctx, ty).ok_or_else(|| Diagnostic::error("an integer was expected"))?;
        Int::new(self.unit.dialect, width)
    }
}
