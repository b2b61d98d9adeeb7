//! How far apart neighbouring iterations of a loop access an array: at the same element, at the next one, or elsewhere.
//!
//! ```text
//! b[i * n + j]     by j: next     by i: far     by k: same
//! p[i].x           by i: next
//! p[i].row[j]      by j: next     by i: far, if `row` has more than a few elements
//! ```
//! Cost: linear in the size of an index.

use accrue_dialects::{
    core::{Decay, Load, Member, PtrAdd, Store, array_parts, pointee},
    flow::Flow,
    par::Loop,
};
use accrue_ir::walk::{nested_ops, operands_of};
use pliron::{
    builtin::op_interfaces::OneOpdInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashSet;

use crate::analysis::affine::{Affine, Atom, AtomId, Origin, Sum};

/// Elements of a row in a struct behind which the next struct is near.
const FEW: u64 = 4;

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

/// What counts of a nest: what is in loops inside of it, if there are any, otherwise what is in its body.
pub fn innermost(ctx: &Context, nest: Loop) -> Vec<Ptr<Operation>> {
    let inside = nested_ops(ctx, nest.get_operation());
    let loops = inside.iter().filter(|op| Flow::of(ctx, **op).is_any_loop());
    let in_loops: Vec<_> = loops.flat_map(|op| nested_ops(ctx, *op)).collect();
    match in_loops.is_empty() {
        true => inside,
        false => in_loops,
    }
}

/// The address that a load or a store accesses.
pub fn accessed(ctx: &Context, op: Ptr<Operation>) -> Option<Value> {
    let load = Operation::get_op::<Load>(op, ctx).map(|it| it.get_operand_address(ctx));
    let store = || Operation::get_op::<Store>(op, ctx).map(|it| it.get_operand_address(ctx));
    load.or_else(store)
}

/// How an address changes with `counter`.
pub fn stride(ctx: &Context, affine: &mut Affine, address: Value, counter: Value) -> Stride {
    let mut place = affine.place(ctx, address);
    let mut whole = Stride::Same;
    let mut rows = long_rows(ctx, address).into_iter();
    let mut is_row = false;
    loop {
        let here = stride_of(ctx, affine, &place.distance, counter);
        whole = whole.plus(match here {
            Stride::Next if is_row => Stride::Far,
            Stride::Same | Stride::Next | Stride::Far | Stride::Elsewhere => here,
        });
        is_row |= rows.next().unwrap_or(false);
        match affine.origin(place.origin).clone() {
            Origin::Member { record, .. } => place = record,
            Origin::Value(start) if is_made_from(ctx, start, counter) => return Stride::Elsewhere,
            Origin::Value(_) => return whole,
        }
    }
}

/// Of each struct that an address is in, the innermost first, whether that is in a row of many elements of it.
fn long_rows(ctx: &Context, address: Value) -> Vec<bool> {
    let (mut at, mut is_row, mut found) = (address, false, vec![]);
    while let Some(op) = at.defining_op() {
        if let Some(add) = Operation::get_op::<PtrAdd>(op, ctx) {
            at = add.get_operand_base(ctx);
        } else if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            at = decay.get_operand(ctx);
            let parts = pointee(ctx, at).and_then(|ty| array_parts(ctx, ty));
            is_row |= parts.is_some_and(|(length, _)| length > FEW);
        } else if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            at = member.get_operand(ctx);
            found.push(std::mem::take(&mut is_row));
        } else {
            break;
        }
    }
    found
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
