//! The code of a test ([`super::test`]): an `i1` in front of a nest.
//!
//! ```text
//! 0 <= (n - 1)·m + m - 1 <= 2^31 - 1;  [p, p + n·m) and [q, q + m) are apart
//! →   n < 2^31 & m < 2^31 & n·m < 2^38 & … & (p + 8·n·m <= q | q + 8·m <= p)
//! ```
//! Numbers are kept so small that no sum or address overflows: what is too large fails the test. What is read by way of pointers comes last, in a
//! branch where the nest reads it in any case.
//!
//! Cost: linear in the size of the test.

use accrue_dialects::core::{BinKind, Cast, CastKind, CmpKind, Extent, If, emit::Emitter, int};
use pliron::{
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    value::Value,
};

use super::{
    sources::{Had, Number, Source},
    test::{Elements, Stretch, Test},
};

/// Factors of products are below this, as what is a product of two is, before it is multiplied on.
const FACTOR: i128 = 1 << 31;
/// Products are below this.
const PRODUCT: i128 = 1 << 38;
/// The greatest number that a product is multiplied by.
const TIMES: u64 = 1 << 20;
/// More terms are not added.
const TERMS: usize = 12;
/// Places are counted up to here, in elements …
const PLACES: i128 = 1 << 42;
/// … of so many bytes.
const ELEMENT: u64 = 1 << 20;
/// The same for rows of a length that is computed.
const ROWS: i128 = 1 << 21;

/// Makes the test before `nest`; gives an `i1`. `bounds`: what stands for values of the bounds, and `copies` for those.
pub(super) fn emit(
    ctx: &mut Context,
    nest: Ptr<Operation>,
    test: &Test,
    (bounds, copies): (&IrMapping, IrMapping),
) -> Value {
    let mut maker = Maker {
        e: Emitter::before(ctx, nest),
        bounds,
        there: &copies,
        copies: IrMapping::new(),
        holds: None,
    };
    maker.steps(nest, test, &test.reached)
}

/// Makes a test.
struct Maker<'a> {
    e: Emitter<'a>,
    /// What stands for values that bounds are made of, …
    bounds: &'a IrMapping,
    /// … and for these.
    there: &'a IrMapping,
    /// What has been made again.
    copies: IrMapping,
    /// What has been tested.
    holds: Option<Value>,
}

impl Maker<'_> {
    /// The test, in branches where what is loaded by way of pointers may be loaded, each in the one before.
    fn steps(&mut self, nest: Ptr<Operation>, test: &Test, reached: &[Vec<Number>]) -> Value {
        let Some((first, others)) = reached.split_first() else {
            return self.all(test);
        };
        for gap in first {
            let number = self.number(gap);
            self.is_at_least(number, 0);
        }
        let so_far = self.done();
        let bit = int(self.e.ctx, 1);
        let (op, yes, no) = If::new(self.e.ctx, so_far, vec![bit]);
        self.e.push(op);
        let mut inside = Maker {
            e: Emitter::at_end_of(self.e.ctx, yes, nest),
            bounds: self.bounds,
            there: self.there,
            copies: std::mem::take(&mut self.copies),
            holds: None,
        };
        let holds = inside.steps(nest, test, others);
        inside.e.finish(vec![holds]);
        let mut e = Emitter::at_end_of(self.e.ctx, no, nest);
        let never = e.int(1, 0);
        e.finish(vec![never]);
        op.get_operation().deref(self.e.ctx).get_result(0)
    }

    fn all(&mut self, test: &Test) -> Value {
        for natural in &test.naturals {
            let number = self.number(natural);
            self.is_at_least(number, 0);
        }
        for word in &test.words {
            let number = self.number(word);
            self.is_at_most(number, i128::from(i32::MAX));
        }
        let mut made = vec![None; test.stretches.len()];
        for (a, b) in &test.apart {
            let (a, b) = (
                self.ends(test, *a, &mut made),
                self.ends(test, *b, &mut made),
            );
            let before = self.e.cmp(CmpKind::LeU, a.1, b.0);
            let behind = self.e.cmp(CmpKind::LeU, b.1, a.0);
            let apart = self.e.bin(BinKind::Or, before, behind);
            self.and(apart);
        }
        self.done()
    }

    fn done(&mut self) -> Value {
        match self.holds {
            Some(holds) => holds,
            None => self.e.int(1, 1),
        }
    }

    fn and(&mut self, holds: Value) {
        self.holds = Some(match self.holds {
            Some(before) => self.e.bin(BinKind::And, before, holds),
            None => holds,
        });
    }

    fn is_at_least(&mut self, number: Value, least: i128) {
        let least = self.e.i64(least);
        let holds = self.e.cmp(CmpKind::LeS, least, number);
        self.and(holds);
    }

    fn is_at_most(&mut self, number: Value, most: i128) {
        let most = self.e.i64(most);
        let holds = self.e.cmp(CmpKind::LeS, number, most);
        self.and(holds);
    }

    /// Tests 0 <= `number` < `limit`.
    fn is_below(&mut self, number: Value, limit: i128) {
        let limit = self.e.i64(limit);
        let holds = self.e.cmp(CmpKind::LtU, number, limit);
        self.and(holds);
    }

    /// A sum, which does not overflow if what is tested on the way holds.
    fn number(&mut self, number: &Number) -> Value {
        let mut sum = self.e.i64(0);
        let is_large = |(product, times): &(Vec<Source>, i64)| match product.is_empty() {
            true => i128::from(times.unsigned_abs()) > PRODUCT,
            false => times.unsigned_abs() > TIMES,
        };
        if number.0.len() > TERMS || number.0.iter().any(is_large) {
            let never = self.e.int(1, 0);
            self.and(never);
            return sum;
        }
        for (product, times) in &number.0 {
            let product = self.product(product);
            let times = self.e.i64(i128::from(*times));
            let term = self.e.bin(BinKind::Mul, product, times);
            sum = self.e.bin(BinKind::Add, sum, term);
        }
        sum
    }

    fn product(&mut self, factors: &[Source]) -> Value {
        let mut values = vec![];
        for Source { value, signed } in factors {
            let value = self.known(value);
            values.push(self.e.widen(value, !signed));
        }
        let Some((first, others)) = values.split_first() else {
            return self.e.i64(1);
        };
        let mut product = *first;
        if others.is_empty() {
            // It may be negative.
            let (middle, limit) = (self.e.i64(PRODUCT), 2 * PRODUCT);
            let moved = self.e.bin(BinKind::Add, product, middle);
            self.is_below(moved, limit);
        }
        for factor in others {
            self.is_below(product, FACTOR);
            self.is_below(*factor, FACTOR);
            product = self.e.bin(BinKind::Mul, product, *factor);
        }
        if !others.is_empty() {
            self.is_below(product, PRODUCT);
        }
        product
    }

    fn known(&mut self, known: &Had) -> Value {
        match known {
            Had::There(value) => {
                let value = self.bounds.lookup_value_or_default(*value);
                self.there.lookup_value_or_default(value)
            }
            Had::Held(variable) => self.e.load(*variable),
            Had::Again(ops) => {
                let mut last = None;
                for op in ops {
                    let old = op.deref(self.e.ctx).get_result(0);
                    let new = match self.copies.lookup_value(old) {
                        Some(new) => new,
                        None => {
                            let copy = self.e.copy(*op, &mut self.copies);
                            copy.deref(self.e.ctx).get_result(0)
                        }
                    };
                    last = Some(new);
                }
                match last {
                    Some(value) => value,
                    None => self.e.i64(0),
                }
            }
        }
    }

    /// The addresses of the first byte of a stretch, and of the one behind it.
    fn ends(
        &mut self,
        test: &Test,
        at: usize,
        made: &mut [Option<(Value, Value)>],
    ) -> (Value, Value) {
        if let Some(ends) = made[at] {
            return ends;
        }
        let Stretch { start, of } = &test.stretches[at];
        let start = self.known(start);
        let word = int(self.e.ctx, 64);
        let start = self
            .e
            .make(|c| Cast::new(c, CastKind::PtrToInt, start, word));
        let ends = match of {
            Elements::All(bytes) => {
                let bytes = self.e.i64(i128::from(*bytes));
                (start, self.e.bin(BinKind::Add, start, bytes))
            }
            Elements::Some {
                first,
                last,
                bytes,
                extents,
            } => {
                let first = self.most(first, BinKind::MinS);
                let last = self.most(last, BinKind::MaxS);
                let one = self.e.i64(1);
                let behind = self.e.bin(BinKind::Add, last, one);
                let mut size = self.e.i64(i128::from(*bytes));
                if *bytes > ELEMENT {
                    let never = self.e.int(1, 0);
                    self.and(never);
                }
                for (variable, dim) in extents {
                    let extent = self.e.make(|c| Extent::new(c, *variable, *dim));
                    self.is_below(extent, i128::from(ELEMENT));
                    size = self.e.bin(BinKind::Mul, size, extent);
                    self.is_below(size, PRODUCT);
                }
                let limit = match extents.is_empty() {
                    true => PLACES,
                    false => ROWS,
                };
                let mut place = |index| {
                    let middle = self.e.i64(limit);
                    let moved = self.e.bin(BinKind::Add, index, middle);
                    self.is_below(moved, 2 * limit);
                    let distance = self.e.bin(BinKind::Mul, index, size);
                    self.e.bin(BinKind::Add, start, distance)
                };
                (place(first), place(behind))
            }
        };
        made[at] = Some(ends);
        ends
    }

    fn most(&mut self, numbers: &[Number], kind: BinKind) -> Value {
        let mut most = None;
        for number in numbers {
            let number = self.number(number);
            most = Some(match most {
                Some(most) => self.e.bin(kind, most, number),
                None => number,
            });
        }
        match most {
            Some(most) => most,
            None => self.e.i64(0),
        }
    }
}
