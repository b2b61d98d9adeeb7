//! Whether an integer is known to fit in fewer bits, so that cutting and extending it again changes nothing.
//!
//! ```text
//! %x = core.bin Xor (zext %a : i8), (zext %b : i8) : i32
//! %y = core.cast Trunc %x : i8
//! %z = core.cast ZExt %y : i32            %x
//! ```
//! C computes with `int` whatever is narrower: a chain of operations on bytes is cut and extended after each of them.
//!
//! Cost: at most [`MOST`] operations are looked at.

use super::{Bin, Cast, CastKind, If, IntBin, Select, fold::constant, int_width};
use pliron::{context::Context, operation::Operation, r#type::Typed, value::Value};

/// Operations that are looked at.
const MOST: usize = 64;

/// Whether the extension of the low `bits` of `value`, with their sign or without, is `value`.
pub fn fits(ctx: &Context, value: Value, bits: u32, signed: bool) -> bool {
    let search = Search {
        ctx,
        bits,
        signed,
        left: MOST.into(),
    };
    search.fits(value)
}

struct Search<'a> {
    ctx: &'a Context,
    bits: u32,
    signed: bool,
    left: std::cell::Cell<usize>,
}

impl Search<'_> {
    fn fits(&self, value: Value) -> bool {
        let ctx = self.ctx;
        let Some(left) = self.left.get().checked_sub(1) else {
            return false;
        };
        self.left.set(left);
        if let Some(known) = constant(ctx, value) {
            return match self.signed {
                true => (-(1 << (self.bits - 1))..1 << (self.bits - 1)).contains(&known),
                false => (0..1 << self.bits).contains(&known),
            };
        }
        let Some(op) = value.defining_op() else {
            return false;
        };
        if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
            return self.cast(cast);
        }
        if let Some(select) = Operation::get_op::<Select>(op, ctx) {
            return self.fits(select.get_operand_yes(ctx)) && self.fits(select.get_operand_no(ctx));
        }
        if let Some(branch) = Operation::get_op::<If>(op, ctx) {
            let index = value.find_index(ctx);
            return (0..2).all(|side| {
                let given = branch.given(ctx, side, index);
                given.is_some_and(|given| self.fits(given))
            });
        }
        let bin = Operation::get_op::<Bin>(op, ctx);
        bin.is_some_and(|bin| self.bin(bin))
    }

    fn cast(&self, cast: Cast) -> bool {
        let from = cast.get_operand_value(self.ctx);
        let width = int_width(self.ctx, from.get_type(self.ctx));
        match (cast.kind(self.ctx), width) {
            (CastKind::ZExt, Some(width)) if self.signed => width < self.bits,
            (CastKind::ZExt, Some(width)) => width <= self.bits || self.fits(from),
            (CastKind::SExt, Some(width)) if self.signed => width <= self.bits || self.fits(from),
            // What is below half of the range of its own type is not negative.
            (CastKind::SExt, Some(width)) => width > self.bits && self.fits(from),
            (CastKind::ToBool, _) => !self.signed,
            _ => false,
        }
    }

    fn bin(&self, bin: Bin) -> bool {
        let (left, right) = (bin.get_operand_lhs(self.ctx), bin.get_operand_rhs(self.ctx));
        let both = || self.fits(left) && self.fits(right);
        match bin.kind(self.ctx).integer() {
            Some(IntBin::And) if !self.signed => self.fits(right) || self.fits(left),
            Some(IntBin::And | IntBin::Or | IntBin::Xor) => both(),
            Some(IntBin::MinS | IntBin::MaxS) => both(),
            Some(IntBin::MinU | IntBin::MaxU) => !self.signed && both(),
            Some(IntBin::ShrS) => self.fits(left),
            Some(IntBin::ShrU | IntBin::DivU | IntBin::RemU) => !self.signed && self.fits(left),
            Some(
                IntBin::Add
                | IntBin::AddS
                | IntBin::Sub
                | IntBin::SubS
                | IntBin::Mul
                | IntBin::MulS
                | IntBin::DivS
                | IntBin::RemS
                | IntBin::Shl,
            )
            | None => false,
        }
    }
}
