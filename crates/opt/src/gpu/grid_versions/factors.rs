//! Products of what does not change in a loop, taken apart: divisors of its counter, and its length ([`super::flat`]).
//!
//! ```text
//! n * (long)m * 12        12 · n · m        without n        12 · m
//! ```
//! Cost: linear in the number of factors.

use accrue_dialects::{
    core::{Bin, BinKind, Cast, CastKind, emit::Emitter, fold::constant},
    par::LoopDim,
};
use pliron::{
    builtin::op_interfaces::OneOpdInterface, context::Context, operation::Operation, value::Value,
};

/// A product of what does not change in a loop: a constant, and values that are no products.
#[derive(Clone, Debug)]
pub struct Factors {
    pub constant: i128,
    pub values: Vec<Value>,
    /// The program's own product may be another number: where it wraps, or a factor comes to more bits with a sign or without.
    pub may_differ: bool,
}

impl Factors {
    /// The factors of a value from outside of the loop.
    pub fn of(ctx: &Context, value: Value) -> Factors {
        let mut factors = Factors::of_constant(1);
        factors.add(ctx, value);
        factors
    }

    pub fn of_constant(constant: i128) -> Factors {
        Factors {
            constant,
            values: vec![],
            may_differ: false,
        }
    }

    fn add(&mut self, ctx: &Context, value: Value) {
        if let Some(number) = constant(ctx, value) {
            self.constant = self.constant.saturating_mul(number);
            return;
        }
        let op = value.defining_op();
        let bin = op.and_then(|op| Operation::get_op::<Bin>(op, ctx));
        if let Some(bin) = bin.filter(|bin| matches!(bin.kind(ctx), BinKind::Mul | BinKind::MulS)) {
            self.may_differ |= bin.kind(ctx) == BinKind::Mul;
            self.add(ctx, bin.get_operand_lhs(ctx));
            self.add(ctx, bin.get_operand_rhs(ctx));
            return;
        }
        let cast = op.and_then(|op| Operation::get_op::<Cast>(op, ctx));
        match cast.filter(|cast| matches!(cast.kind(ctx), CastKind::SExt | CastKind::ZExt)) {
            Some(cast) => {
                self.may_differ = true;
                self.add(ctx, cast.get_operand(ctx));
            }
            None => self.values.push(value),
        }
    }

    /// What is left of the product without these factors, if they are among its own.
    pub fn without(&self, part: &Factors) -> Option<Factors> {
        let mut rest = self.clone();
        if part.constant <= 0 || rest.constant % part.constant != 0 {
            return None;
        }
        rest.constant /= part.constant;
        for value in &part.values {
            let at = rest.values.iter().position(|other| other == value)?;
            rest.values.swap_remove(at);
        }
        Some(rest)
    }

    /// Computes the product in so many bits, of numbers as they are in the loop.
    pub fn write(&self, e: &mut Emitter, width: u32, what: LoopDim) -> Value {
        let mut product = match self.constant {
            1 => None,
            constant => Some(e.int(width, constant)),
        };
        for value in &self.values {
            let factor = e.resized(*value, width, !what.unsigned);
            product = Some(match product {
                Some(before) => e.bin(kinds(what)[0], before, factor),
                None => factor,
            });
        }
        product.unwrap_or_else(|| e.int(width, 1))
    }
}

/// Product, sum, quotient and remainder of numbers of the loop.
pub fn kinds(what: LoopDim) -> [BinKind; 4] {
    match what.unsigned {
        true => [BinKind::Mul, BinKind::Add, BinKind::DivU, BinKind::RemU],
        false => [BinKind::MulS, BinKind::AddS, BinKind::DivS, BinKind::RemS],
    }
}
