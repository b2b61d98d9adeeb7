//! The data-structure routine of reductions: the one place that knows what is reduced (seed: OpenMP reductions on GPUs in
//! LLVM, "Introduction to Decoupling": `ReduceData`, `shuffleReduceFn`, `interWarpCopyFn`).
//!
//! All variables of a loop are one record. Algorithms ([`super::subgroup`], [`super::block`], [`super::gang_slots`]) move whole
//! records between threads and combine them element by element, and so share their barriers; they know neither types nor
//! operators:
//!
//! ```text
//! reduction(+:s) reduction(max:m) reduction(&&:b)       record { + double, max int, && _Bool }
//! shuffle       s' = shfl s   m' = shfl m   b' = shfl b
//! combine       s = s + s'    m = max m m'  b = b & b'
//! slots         s at 0, m at 8 * slots, b behind: an array of slots for each variable
//! ```
//! | type | in shuffles | in slots |
//! | --- | --- | --- |
//! | `_Bool` | 0 or 1 in a word | a byte |
//! | 8 and 16 bits | in a word | as they are |
//! | 64 bits, `double` | two words | as they are |
//! | complex | word by word | both parts together |
//!
//! Operators on bool are C's: `+` is "or", `*` is "and". Integer sums and products wrap. A complex product is taken of whole
//! numbers; of a complex sum each part is a sum of its own, which atomic updates make use of ([`super::one_slot`]).
//!
//! `max` and `min` of floating point numbers are those of IEEE 754-2008 (`maxNum`, C's `fmax` and `fmin`): a NaN gives way to
//! any number, and the result is NaN only if no value was a number; -infinity (`max`) or infinity (`min`), the identity,
//! takes part, so that this is never seen in a result that was no NaN before. -0.0 counts as less than +0.0 (PTX ISA, `max`;
//! C leaves it open, and CPU cores give either). So the result does not depend on the order. A sum of floating point numbers does: its error is that of a tree, at most
//! (n / threads + log2 threads) rounding errors deep; the sum of negative zeros only is +0.0, since the identity +0.0 takes
//! part.

use super::super::{
    at::{Emitter, GpuAt},
    unit::{Unit, register},
};
use crate::{
    diagnostic::{Diagnostic, Result},
    dialect::{Shuffle, ShuffleMode},
};
use accrue_dialects::par::ReductionInfo;
use accrue_dialects::par::{declared, operators};
use pliron::{irbuild::inserter::Inserter, r#type::TypeHandle, value::Value};
use std::ops::Range;

/// One reduced variable.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub info: ReductionInfo,
    pub ty: TypeHandle,
}

/// The variables that are reduced together. Values of a record are one value per field.
#[derive(Clone, Debug, Default)]
pub struct Record(pub Vec<Field>);

impl Record {
    /// Those of the fields.
    pub fn part(&self, fields: &[usize]) -> Record {
        Record(fields.iter().map(|f| self.0[*f]).collect())
    }

    pub fn types(&self) -> Vec<TypeHandle> {
        self.0.iter().map(|f| f.ty).collect()
    }

    /// What changes nothing. Declared reductions make it of the objects that are reduced, whose numbers are at `results`.
    pub fn identity(&self, at: &mut Emitter, results: &[Value]) -> Result<Vec<Value>> {
        let mut values = vec![];
        while let Some(field) = self.0.get(values.len()) {
            match declared::number_of(field.info.operator) {
                None => values.push(operators::identity(at, field.info, field.ty)?),
                Some(number) => {
                    let object = self.object(at, values.len())?;
                    let places = self.0[object.clone()].iter().zip(&results[object]);
                    let places: Vec<_> = places.map(|(f, at_)| at.pointer_to(*at_, f.ty)).collect();
                    let original = load(at, &places);
                    values.extend(declared::begin(at, number, &original)?);
                }
            }
        }
        Ok(values)
    }

    /// `a OP b`, field by field, or object by object.
    pub fn combine(&self, at: &mut Emitter, a: &[Value], b: &[Value]) -> Result<Vec<Value>> {
        let mut values: Vec<Value> = vec![];
        while let Some(field) = self.0.get(values.len()) {
            let first = values.len();
            match declared::number_of(field.info.operator) {
                None => values.push(operators::combine(at, field.info, a[first], b[first])?),
                Some(number) => {
                    let object = self.object(at, first)?;
                    values.extend(declared::combine(
                        at,
                        number,
                        &a[object.clone()],
                        &b[object],
                    )?);
                }
            }
        }
        Ok(values)
    }

    /// What is combined at once, of the field `first` on: that field, or the object of a declared reduction that begins with it.
    pub fn together(&self, at: &Emitter, first: usize) -> Result<Range<usize>> {
        match declared::number_of(self.0[first].info.operator) {
            None => Ok(first..first + 1),
            Some(_) => self.object(at, first),
        }
    }

    /// The fields of the object of a declared reduction that begins with the field `first`.
    fn object(&self, at: &Emitter, first: usize) -> Result<Range<usize>> {
        let block = at.inserter.get_insertion_block(at.ctx);
        let near = block.and_then(|block| block.deref(at.ctx).get_parent_op(at.ctx));
        let length = match near {
            Some(near) => declared::together(at.ctx, near, self.0[first].info.operator)?,
            None => 1,
        };
        match first + length <= self.0.len() && length > 0 {
            true => Ok(first..first + length),
            false => Err(Diagnostic::error(
                "an object of a declared reduction is not complete",
            )),
        }
    }

    /// `*into = *into OP value`, field by field.
    pub fn combine_into(&self, at: &mut Emitter, into: &[Value], values: &[Value]) -> Result<()> {
        let old = load(at, into);
        let new = self.combine(at, &old, values)?;
        store(at, &new, into);
        Ok(())
    }

    /// New registers of each thread, one per field.
    pub fn registers(&self, at: &mut Emitter, unit: &mut Unit) -> Vec<Value> {
        let types = self.types().into_iter();
        types.map(|ty| register(at, unit, ty)).collect()
    }
}

/// The record of another lane; `lanes` of the sub-group take part.
pub fn shuffle(
    at: &mut Emitter,
    mode: ShuffleMode,
    values: &[Value],
    lane: Value,
    lanes: u32,
) -> Vec<Value> {
    let one = |v: &Value| at.make(|c| Shuffle::new(c, mode, *v, lane, lanes));
    values.iter().map(one).collect()
}

/// `cond ? yes : no`, field by field.
pub fn select(at: &mut Emitter, cond: Value, yes: &[Value], no: &[Value]) -> Vec<Value> {
    let pairs = yes.iter().zip(no);
    pairs.map(|(y, n)| at.select(cond, *y, *n)).collect()
}

/// The record whose fields are at `places`.
pub fn load(at: &mut Emitter, places: &[Value]) -> Vec<Value> {
    places.iter().map(|p| at.load(*p)).collect()
}

/// Stores a record.
pub fn store(at: &mut Emitter, values: &[Value], places: &[Value]) {
    for (value, place) in values.iter().zip(places) {
        at.store(*value, *place);
    }
}

/// Element `index` of the array of each field.
pub fn elements(at: &mut Emitter, arrays: &[Value], index: Value) -> Vec<Value> {
    arrays.iter().map(|a| at.ptr_add(*a, index)).collect()
}
