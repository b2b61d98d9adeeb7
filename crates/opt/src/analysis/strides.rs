//! How far apart neighbouring iterations of a loop access an array: at the same element, at the next one, or elsewhere.
//!
//! ```text
//! b[i * n + j]     by j: next     by i: far     by k: same
//! ```
//! Cost: linear in the size of an index.

use accrue_dialects::core::Load;
use accrue_ir::walk::operands_of;
use pliron::{context::Context, operation::Operation, value::Value};
use std::collections::HashSet;

use crate::analysis::affine::{Affine, Atom, AtomId, Origin, Sum};

/// How far the elements of neighbours are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    Same,
    Next,
    /// By a multiple of something that is more than an element, or not known.
    Far,
    /// By what is no multiple: the counter goes into it through divisions, choices or tables.
    Elsewhere,
}

impl Stride {
    fn plus(self, other: Stride) -> Stride {
        match (self, other) {
            (Stride::Same, stride) | (stride, Stride::Same) => stride,
            (Stride::Elsewhere, _) | (_, Stride::Elsewhere) => Stride::Elsewhere,
            (Stride::Next | Stride::Far, Stride::Next | Stride::Far) => Stride::Far,
        }
    }
}

/// How an address changes with `counter`.
pub fn stride(ctx: &Context, affine: &mut Affine, address: Value, counter: Value) -> Stride {
    let mut place = affine.place(ctx, address);
    let mut whole = Stride::Same;
    loop {
        whole = whole.plus(stride_of(ctx, affine, &place.distance, counter));
        match affine.origin(place.origin).clone() {
            Origin::Member { record, .. } => place = record,
            Origin::Value(start) if is_made_from(ctx, start, counter) => return Stride::Elsewhere,
            Origin::Value(_) => return whole,
        }
    }
}

fn stride_of(ctx: &Context, affine: &Affine, sum: &Sum, counter: Value) -> Stride {
    let is_counter = |atom: AtomId| match affine.atom(atom).0 {
        Atom::Value { value, .. } => *value == counter,
        Atom::Variable { .. } | Atom::Wrapped { .. } => false,
    };
    let mut whole = Stride::Same;
    for atom in sum.atoms() {
        let here = match is_counter(atom) {
            true => match sum.stride(atom).and_then(|stride| stride.as_number()) {
                Some(1 | -1) => Stride::Next,
                Some(_) | None => Stride::Far,
            },
            false if is_made_from(ctx, affine.atom(atom).1, counter) => Stride::Elsewhere,
            false => Stride::Same,
        };
        whole = whole.plus(here);
    }
    whole
}

/// Whether `counter` goes into a value otherwise than by way of memory.
fn is_made_from(ctx: &Context, value: Value, counter: Value) -> bool {
    let (mut seen, mut open) = (HashSet::from([value]), vec![value]);
    while let Some(value) = open.pop() {
        if value == counter {
            return true;
        }
        let op = value
            .defining_op()
            .filter(|op| !Operation::is_op::<Load>(*op, ctx));
        let operands = op.map(|op| operands_of(ctx, op)).into_iter().flatten();
        open.extend(operands.filter(|operand| seen.insert(*operand)));
    }
    false
}
