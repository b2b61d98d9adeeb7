//! The iterations of one dimension of a loop: how many there are, and the induction variable of each.
//!
//! Counts are `i64`. With `diff` = upper − lower (for falling loops lower − upper) and `s` = |step|:
//!
//! ```text
//! <   lower < upper  ? (diff − 1) / s + 1 : 0        <=  lower <= upper ? diff / s + 1 : 0        !=  diff / s
//! ```
//!
//! The division is unsigned, so that a difference of two signed numbers never overflows.
//!
//! A number without sign may be both a step up and a longer step down: of the test, the step leads up for `<` and `<=`, and down for
//! `>` and `>=`; with `!=` it is the shorter one, and the variable may go round the end of its type to its bound. Where a step is not
//! what its bits say with a sign, and where the variable may go round, iterations are counted: [`Dimension::constant_step`] is absent.

use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_dialects::{
    core::{BinKind, CmpKind, int_width},
    par::{LoopDim, LoopTest},
};
use pliron::{
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// One dimension, its bounds still in the type of the induction variable.
#[derive(Clone, Copy)]
pub struct Dimension {
    pub lower: Value,
    pub upper: Value,
    pub step: Value,
    pub dim: LoopDim,
    /// The step when it is a constant, and a loop from `lower` to `upper` by it visits what this one does.
    pub constant_step: Option<i128>,
    pub ty: TypeHandle,
}

/// Why a loop cannot be counted.
pub enum NotCounted {
    /// The induction variable is not an integer of at most 64 bits.
    Type,
    /// The step is zero or leads away from the bound.
    Step,
}

/// `step`, or 1 if it is zero: a loop that does not run may have any step, and the count is computed all the same.
fn not_zero(e: &mut Emitter, step: Value) -> Value {
    if constant(e.ctx, step).is_some() {
        return step;
    }
    let (zero, one) = (e.i64(0), e.i64(1));
    let is_zero = e.cmp(CmpKind::Eq, step, zero);
    e.select(is_zero, one, step)
}

/// The step that a constant is, by the direction in which a loop over numbers without sign counts.
fn directed(step: i128, width: u32, dim: LoopDim) -> i128 {
    let round = 1i128 << width;
    match (dim.unsigned, dim.test) {
        (true, LoopTest::Lt | LoopTest::Le) if step < 0 => step + round,
        (true, LoopTest::Gt | LoopTest::Ge) if step > 0 => step - round,
        (true | false, _) => step,
    }
}

/// Whether a variable without sign may go round the end of its type before it is the bound that `!=` names. `ends`: the bounds, as far
/// as they are constants.
fn may_go_round(ends: (Option<i128>, Option<i128>), step: i128, dim: LoopDim) -> bool {
    if !dim.unsigned || dim.test != LoopTest::Ne {
        return false;
    }
    match (step > 0, ends) {
        (true, (Some(0), _)) | (false, (_, Some(0))) => false,
        // Constants have a sign, and these have none.
        (true, (Some(lower), Some(upper))) if lower >= 0 && upper >= 0 => lower > upper,
        (false, (Some(lower), Some(upper))) if lower >= 0 && upper >= 0 => lower < upper,
        (_, _) => true,
    }
}

impl Dimension {
    pub fn new(
        ctx: &pliron::context::Context,
        (lower, upper, step): (Value, Value, Value),
        dim: LoopDim,
    ) -> Result<Self, NotCounted> {
        let ty = lower.get_type(ctx);
        let Some(width) = int_width(ctx, ty).filter(|width| *width <= 64) else {
            return Err(NotCounted::Type);
        };
        let written = constant(ctx, step);
        let directed = written.map(|step| directed(step, width, dim));
        let right_way = match (directed, dim.test) {
            (Some(0), _) => false,
            (Some(s), LoopTest::Lt | LoopTest::Le) => s > 0,
            (Some(s), LoopTest::Gt | LoopTest::Ge) => s < 0,
            (Some(_), LoopTest::Ne) | (None, _) => true,
        };
        let ends = (constant(ctx, lower), constant(ctx, upper));
        let constant_step =
            written.filter(|step| directed == written && !may_go_round(ends, *step, dim));
        match right_way {
            true => Ok(Dimension {
                lower,
                upper,
                step,
                dim,
                constant_step,
                ty,
            }),
            false => Err(NotCounted::Step),
        }
    }

    /// Number of iterations.
    pub fn count(&self, e: &mut Emitter) -> Value {
        let unsigned = self.dim.unsigned;
        let (lower, upper) = (e.widen(self.lower, unsigned), e.widen(self.upper, unsigned));
        let rising = match (self.dim.test, self.constant_step) {
            (LoopTest::Lt | LoopTest::Le, _) => true,
            (LoopTest::Gt | LoopTest::Ge, _) => false,
            (LoopTest::Ne, Some(step)) => step > 0,
            (LoopTest::Ne, None) if unsigned => return self.count_round(e),
            (LoopTest::Ne, None) => {
                let diff = e.bin(BinKind::Sub, upper, lower);
                let step = e.widen(self.step, false);
                let step = not_zero(e, step);
                return e.bin(BinKind::DivS, diff, step);
            }
        };
        let step = match self.constant_step {
            Some(step) => e.i64(step.abs()),
            None if rising => e.widen(self.step, unsigned),
            None if unsigned => {
                let back = self.negative(e, self.step);
                e.widen(back, true)
            }
            None => {
                let (zero, step) = (e.i64(0), e.widen(self.step, false));
                e.bin(BinKind::Sub, zero, step)
            }
        };
        let step = not_zero(e, step);
        let (low, high) = if rising {
            (lower, upper)
        } else {
            (upper, lower)
        };
        let diff = e.bin(BinKind::Sub, high, low);
        let one = e.i64(1);
        let unit = self.constant_step.is_some_and(|s| s.abs() == 1);
        let (strict, count) = match self.dim.test {
            LoopTest::Ne if unit => return diff,
            LoopTest::Ne => return e.bin(BinKind::DivU, diff, step),
            LoopTest::Lt | LoopTest::Gt if unit => (true, diff),
            LoopTest::Lt | LoopTest::Gt => {
                let less = e.bin(BinKind::Sub, diff, one);
                let whole = e.bin(BinKind::DivU, less, step);
                (true, e.bin(BinKind::Add, whole, one))
            }
            LoopTest::Le | LoopTest::Ge => {
                let whole = if unit {
                    diff
                } else {
                    e.bin(BinKind::DivU, diff, step)
                };
                (false, e.bin(BinKind::Add, whole, one))
            }
        };
        let kind = match (strict, unsigned) {
            (true, false) => CmpKind::LtS,
            (true, true) => CmpKind::LtU,
            (false, false) => CmpKind::LeS,
            (false, true) => CmpKind::LeU,
        };
        let runs = e.cmp(kind, low, high);
        let zero = e.i64(0);
        e.select(runs, count, zero)
    }

    /// Number of iterations up or down to the bound, where the variable may go round the end of its type.
    fn count_round(&self, e: &mut Emitter) -> Value {
        let step = e.widen(self.step, false);
        let step = not_zero(e, step);
        let zero = e.i64(0);
        let rising = e.cmp(CmpKind::LtS, zero, step);
        let back = e.bin(BinKind::Sub, zero, step);
        let up = e.bin(BinKind::Sub, self.upper, self.lower);
        let down = e.bin(BinKind::Sub, self.lower, self.upper);
        let (up, down) = (e.widen(up, true), e.widen(down, true));
        let distance = e.select(rising, up, down);
        let size = e.select(rising, step, back);
        e.bin(BinKind::DivU, distance, size)
    }

    /// The negative of a number of the induction variable's type.
    fn negative(&self, e: &mut Emitter, value: Value) -> Value {
        let zero = e.int(int_width(e.ctx, self.ty).unwrap_or(64), 0);
        e.bin(BinKind::Sub, zero, value)
    }

    /// The induction variable of iteration `index` (`i64`): lower + index × step, in its own type.
    pub fn at(&self, e: &mut Emitter, index: Value) -> Value {
        let index = e.narrow(index, self.ty);
        self.at_distance(e, index, (BinKind::Add, BinKind::Mul))
    }

    /// The same, for an index in the induction variable's type.
    fn at_distance(&self, e: &mut Emitter, index: Value, by: (BinKind, BinKind)) -> Value {
        let distance = match self.constant_step {
            Some(1) => index,
            Some(_) | None => e.bin(by.1, index, self.step),
        };
        e.bin(by.0, self.lower, distance)
    }

    /// The induction variable of iteration `place`, an unsigned `i32`. There is that iteration: where it starts from a number that is
    /// not negative, a signed variable comes to it without overflow.
    pub fn at_word(&self, e: &mut Emitter, place: Value) -> Value {
        let natural = |number: Option<i128>| number.is_some_and(|number| number >= 0);
        let rises = natural(constant(e.ctx, self.lower)) && natural(self.constant_step);
        let by = match rises && !self.dim.unsigned {
            true => (BinKind::AddS, BinKind::MulS),
            false => (BinKind::Add, BinKind::Mul),
        };
        match int_width(e.ctx, self.ty) {
            Some(32) => self.at_distance(e, place, by),
            Some(_) | None => {
                let index = e.widen(place, true);
                self.at(e, index)
            }
        }
    }

    /// The first value past the loop's end, in the induction variable's type, when the step is a constant.
    pub fn end(&self, e: &mut Emitter) -> Value {
        let Some(width) = int_width(e.ctx, self.ty) else {
            return self.upper;
        };
        match self.dim.test {
            LoopTest::Lt | LoopTest::Gt | LoopTest::Ne => self.upper,
            LoopTest::Le => {
                let one = e.int(width, 1);
                e.bin(BinKind::Add, self.upper, one)
            }
            LoopTest::Ge => {
                let one = e.int(width, 1);
                e.bin(BinKind::Sub, self.upper, one)
            }
        }
    }

    /// Bounds of a loop over the iterations from `first` up to `last` (not included) of `count`, for a constant step. With
    /// a step other than ±1 iteration `count` may be outside the type: the loop's end stands for it.
    pub fn range(
        &self,
        e: &mut Emitter,
        first: Value,
        last: Value,
        count: Value,
    ) -> (Value, Value) {
        if self.constant_step.is_some_and(|s| s.abs() == 1) {
            return (self.at(e, first), self.at(e, last));
        }
        let end = self.end(e);
        let mut bound = |index| {
            let is_end = e.cmp(CmpKind::Eq, index, count);
            let at = self.at(e, index);
            e.select(is_end, end, at)
        };
        (bound(first), bound(last))
    }
}
