//! Boxes around nests whose inner bounds depend on the loops around them.
//!
//! A triangle is no grid, but half of one: threads of a box around it that have no iteration end at once, which costs less than a gang
//! for each row, with rows of all lengths, and gets what only grids that cover a nest can have.
//!
//! ```text
//! for i = 0; i < n                           for i = 0; i < n
//!   for j = i + 1; j < m           →           for j = 0 + 1; j < m
//!     body                                       if (j >= i + 1) body
//! ```
//! 1. One of the two bounds of a dimension may depend on counters of loops around it whose own bounds do not. Where both do, by the
//!    same (`for (at = i * n; at < i * n + m; at++)`), the loop counts from 0 instead; another band is a small part of its box. A bound is a sum, or a product with a constant, of the counters and of what does not change.
//! 2. Its extreme over all of their iterations is that of its parts ([`Extremes`]): the first or the last number of a counter that
//!    counts by ones. Where the loops around have iterations, each extreme is a bound that the program computes itself, in one of them:
//!    what C says cannot overflow does not, and what may wrap is refused, but for one more than a counter below its limit.
//! 3. The body asks for the bound itself.
//!
//! Cost: linear in the size of the bounds.

use accrue_dialects::{
    core::{Bin, BinKind, Cast, CastKind, CmpKind, If, emit::Emitter, fold::constant, int_width},
    par::{Loop, LoopDim, LoopTest},
};
use accrue_ir::walk::ops_of_block;
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashMap;

use super::is_inside;
use crate::analysis::affine::Affine;

/// First number, limit and step of a dimension, and its test.
pub type Dim = ((Value, Value, Value), LoopDim);

/// The box around a nest, as far as it has been looked at.
pub struct Boxes {
    /// The outermost loop of the nest.
    nest: Ptr<Operation>,
    /// All dimensions of the box, outermost first.
    pub dims: Vec<Dim>,
    /// Those that depend on no loop, by their counters.
    fixed: HashMap<Value, Dim>,
    /// Comparisons that hold where there is an iteration.
    tests: Vec<(CmpKind, Value, Value)>,
}

impl Boxes {
    pub fn new(outermost: Loop) -> Self {
        Boxes {
            nest: outermost.get_operation(),
            dims: vec![],
            fixed: HashMap::new(),
            tests: vec![],
        }
    }

    /// Whether threads of the box may have no iteration.
    pub fn has_tests(&self) -> bool {
        !self.tests.is_empty()
    }

    /// Goes on with the next inner loop of the nest; computes extremes in front of the nest. `None` if there is no box.
    pub fn add(&mut self, ctx: &mut Context, lp: Loop) -> Option<()> {
        let counters: Vec<_> = lp.get_body(ctx, 0).deref(ctx).arguments().collect();
        let mut fixed = vec![];
        for (dim, counter) in lp.dims(ctx).into_iter().zip(counters) {
            let ((first, limit, step), what) = dim;
            let varies = |value| is_inside(ctx, value, self.nest);
            let whole = match (varies(first), varies(limit), varies(step)) {
                (false, false, false) => {
                    fixed.push((counter, dim));
                    dim
                }
                (true, false, false) => {
                    by_ones(ctx, &dim)?;
                    let (extreme, test) = match rises(what.test)? {
                        true => (Extreme::Least, LoopTest::Ge),
                        false => (Extreme::Greatest, LoopTest::Le),
                    };
                    let of_all = self.extreme(ctx, first, extreme, what.unsigned)?;
                    self.test(test, what.unsigned, counter, first)?;
                    ((of_all, limit, step), what)
                }
                (false, true, false) => {
                    let extreme = match rises(what.test)? {
                        true => Extreme::Greatest,
                        false => Extreme::Least,
                    };
                    let of_all = self.extreme(ctx, limit, extreme, what.unsigned)?;
                    self.test(what.test, what.unsigned, counter, limit)?;
                    ((first, of_all, step), what)
                }
                (true, true, false) => self.moved(ctx, lp, counter, &dim)?,
                (_, _, true) => return None,
            };
            self.dims.push(whole);
        }
        self.fixed.extend(fixed);
        Some(())
    }

    /// A dimension both of whose bounds move with the loops around, by the same: it counts from 0, and the body adds where it begins.
    fn moved(&self, ctx: &mut Context, lp: Loop, counter: Value, dim: &Dim) -> Option<Dim> {
        let ((first, limit, step), what) = *dim;
        by_ones(ctx, dim)?;
        let width = int_width(ctx, first.get_type(ctx))?;
        // Fewer bits may wrap.
        let fits = what.test == LoopTest::Lt && (width == 64 || !what.unsigned);
        let mut affine = Affine::default();
        let distance = affine.sum(ctx, limit).minus(&affine.sum(ctx, first));
        let distance = affine.terms(&distance);
        let fixed = distance.all(|value| !is_inside(ctx, value, self.nest));
        (fits && fixed).then_some(())?;
        let mut e = Emitter::before(ctx, self.nest);
        let count = distance.write(&mut e, |_, value| value);
        let ty = first.get_type(e.ctx);
        let count = e.narrow(count, ty);
        let zero = e.int(width, 0);
        let block = lp.get_body(e.ctx, 0);
        let body = ops_of_block(e.ctx, block);
        let mut e = Emitter::before(e.ctx, *body.first()?);
        let sum = match what.unsigned {
            true => BinKind::Add,
            false => BinKind::AddS,
        };
        let here = e.bin(sum, first, counter);
        let own = here.defining_op();
        counter.replace_some_uses_with(e.ctx, |_, using| Some(using.user_op()) != own, &here);
        let signed = LoopDim {
            unsigned: false,
            ..what
        };
        Some(((zero, count, step), signed))
    }

    fn test(&mut self, test: LoopTest, unsigned: bool, counter: Value, bound: Value) -> Option<()> {
        let kind = match (test, unsigned) {
            (LoopTest::Lt, false) => CmpKind::LtS,
            (LoopTest::Le, false) => CmpKind::LeS,
            (LoopTest::Gt, false) => CmpKind::GtS,
            (LoopTest::Ge, false) => CmpKind::GeS,
            (LoopTest::Lt, true) => CmpKind::LtU,
            (LoopTest::Le, true) => CmpKind::LeU,
            (LoopTest::Gt, true) => CmpKind::GtU,
            (LoopTest::Ge, true) => CmpKind::GeU,
            (LoopTest::Ne, _) => return None,
        };
        self.tests.push((kind, counter, bound));
        Some(())
    }

    fn extreme(
        &self,
        ctx: &mut Context,
        value: Value,
        extreme: Extreme,
        unsigned: bool,
    ) -> Option<Value> {
        let mut extremes = Extremes {
            boxes: self,
            e: Emitter::before(ctx, self.nest),
        };
        extremes.of(value, extreme, unsigned)
    }

    /// Lets the body of `innermost` ask whether there is an iteration.
    pub fn write_tests(&self, ctx: &mut Context, innermost: Loop) {
        let block = innermost.get_body(ctx, 0);
        let body = ops_of_block(ctx, block);
        let Some((end, body)) = body.split_last() else {
            return;
        };
        let mut e = Emitter::before(ctx, body.first().copied().unwrap_or(*end));
        let yes = e.int(1, 1);
        let no = e.int(1, 0);
        let mut all = yes;
        for (kind, counter, bound) in &self.tests {
            let holds = e.cmp(*kind, *counter, *bound);
            all = e.select(all, holds, no);
        }
        let (choice, inside, otherwise) = If::new(e.ctx, all, vec![]);
        e.push(choice);
        e.at_end(otherwise);
        e.finish(vec![]);
        e.at_end(inside);
        for op in body {
            op.unlink(e.ctx);
            e.push_operation(*op);
        }
        e.finish(vec![]);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extreme {
    Least,
    Greatest,
}

impl Extreme {
    fn opposite(self) -> Extreme {
        match self {
            Extreme::Least => Extreme::Greatest,
            Extreme::Greatest => Extreme::Least,
        }
    }
}

/// Writes the extremes of what is computed from counters.
struct Extremes<'a> {
    boxes: &'a Boxes,
    e: Emitter<'a>,
}

impl Extremes<'_> {
    /// The least or the greatest of what `value` is, read with its sign or without.
    fn of(&mut self, value: Value, extreme: Extreme, unsigned: bool) -> Option<Value> {
        if !is_inside(self.e.ctx, value, self.boxes.nest) {
            return Some(value);
        }
        if let Some(dim) = self.boxes.fixed.get(&value) {
            return self.of_counter(*dim, extreme, unsigned);
        }
        let op = value.defining_op()?;
        if let Some(cast) = Operation::get_op::<Cast>(op, self.e.ctx) {
            let inner = cast.get_operand(self.e.ctx);
            let kind = cast.kind(self.e.ctx);
            let signless = match widening(kind)? {
                Widening::Unsigned => true,
                Widening::Signed if unsigned => self.is_natural(inner).then_some(true)?,
                Widening::Signed => false,
            };
            let inner = self.of(inner, extreme, signless)?;
            let ty = value.get_type(self.e.ctx);
            return Some(self.e.make(|c| Cast::new(c, kind, inner, ty)));
        }
        let bin = Operation::get_op::<Bin>(op, self.e.ctx)?;
        let (kind, lhs) = (bin.kind(self.e.ctx), bin.get_operand_lhs(self.e.ctx));
        let rhs = bin.get_operand_rhs(self.e.ctx);
        let (of_lhs, of_rhs) = match kind {
            BinKind::AddS | BinKind::SubS | BinKind::MulS if unsigned => {
                // Numbers that are not negative are the same with the sign.
                self.is_natural(value).then_some(())?;
                return self.of(value, extreme, false);
            }
            BinKind::AddS => (extreme, extreme),
            BinKind::SubS => (extreme, extreme.opposite()),
            BinKind::MulS => is_small(constant(self.e.ctx, rhs)).then_some((extreme, extreme))?,
            BinKind::Add => {
                let below = self.boxes.fixed.get(&lhs);
                let below = below.is_some_and(|(_, what)| {
                    what.test == LoopTest::Lt && what.unsigned && unsigned
                });
                (below && constant(self.e.ctx, rhs) == Some(1)).then_some((extreme, extreme))?
            }
            BinKind::Sub
            | BinKind::Mul
            | BinKind::DivS
            | BinKind::DivU
            | BinKind::RemS
            | BinKind::RemU
            | BinKind::Shl
            | BinKind::ShrS
            | BinKind::ShrU
            | BinKind::And
            | BinKind::Or
            | BinKind::Xor
            | BinKind::MinS
            | BinKind::MaxS
            | BinKind::MinU
            | BinKind::MaxU
            | BinKind::FAdd
            | BinKind::FSub
            | BinKind::FMul
            | BinKind::FDiv
            | BinKind::FMin
            | BinKind::FMax => return None,
        };
        let lhs = self.of(lhs, of_lhs, unsigned)?;
        let rhs = self.of(rhs, of_rhs, unsigned)?;
        Some(self.e.bin(kind, lhs, rhs))
    }

    /// The least or the greatest number of a counter whose loop has iterations.
    fn of_counter(&mut self, dim: Dim, extreme: Extreme, unsigned: bool) -> Option<Value> {
        let ((first, limit, _), what) = dim;
        if unsigned != what.unsigned && !starts_natural(self.e.ctx, &dim) {
            return None;
        }
        let rising = rises(what.test)?;
        if rising == (extreme == Extreme::Least) {
            return Some(first);
        }
        by_ones(self.e.ctx, &dim)?;
        let width = int_width(self.e.ctx, limit.get_type(self.e.ctx))?;
        let one = self.e.int(width, 1);
        Some(match what.test {
            LoopTest::Lt => self.e.bin(BinKind::Sub, limit, one),
            LoopTest::Gt => self.e.bin(BinKind::Add, limit, one),
            LoopTest::Le | LoopTest::Ge => limit,
            LoopTest::Ne => return None,
        })
    }

    /// Whether a number is not negative when it is read with its sign.
    fn is_natural(&self, value: Value) -> bool {
        let ctx = &*self.e.ctx;
        if is_small(constant(ctx, value)) {
            return true;
        }
        if let Some(dim) = self.boxes.fixed.get(&value) {
            return starts_natural(ctx, dim);
        }
        let Some(op) = value.defining_op() else {
            return false;
        };
        if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
            let inner = cast.get_operand(ctx);
            return match widening(cast.kind(ctx)) {
                Some(Widening::Unsigned) => true,
                Some(Widening::Signed) => self.is_natural(inner),
                None => false,
            };
        }
        let sum = Operation::get_op::<Bin>(op, ctx);
        sum.is_some_and(|bin| {
            let grows = matches!(bin.kind(ctx), BinKind::AddS | BinKind::MulS);
            let operands = [bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx)];
            grows && operands.into_iter().all(|operand| self.is_natural(operand))
        })
    }
}

/// A conversion of an integer to a wider one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Widening {
    Signed,
    Unsigned,
}

fn widening(kind: CastKind) -> Option<Widening> {
    match kind {
        CastKind::ZExt => Some(Widening::Unsigned),
        CastKind::SExt => Some(Widening::Signed),
        CastKind::Trunc
        | CastKind::SToF
        | CastKind::UToF
        | CastKind::FToS
        | CastKind::FToU
        | CastKind::FCast
        | CastKind::IntToPtr
        | CastKind::PtrToInt
        | CastKind::PtrCast
        | CastKind::ToBool
        | CastKind::RealToComplex
        | CastKind::ComplexCast => None,
    }
}

/// Whether a loop with this test counts upwards.
fn rises(test: LoopTest) -> Option<bool> {
    match test {
        LoopTest::Lt | LoopTest::Le => Some(true),
        LoopTest::Gt | LoopTest::Ge => Some(false),
        LoopTest::Ne => None,
    }
}

/// Its numbers are all of those between the first and the limit.
fn by_ones(ctx: &Context, dim: &Dim) -> Option<()> {
    let ((_, _, step), what) = dim;
    let step = constant(ctx, *step)?;
    let ones = match rises(what.test)? {
        true => step == 1,
        false => step == -1,
    };
    ones.then_some(())
}

/// A counter with a sign that is never negative.
fn starts_natural(ctx: &Context, dim: &Dim) -> bool {
    let ((first, _, _), what) = dim;
    !what.unsigned && rises(what.test) == Some(true) && is_small(constant(ctx, *first))
}

/// A number that is not negative, whatever reads it.
fn is_small(number: Option<i128>) -> bool {
    number.is_some_and(|number| (0..=i128::from(i32::MAX)).contains(&number))
}
