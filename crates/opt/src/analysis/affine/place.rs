//! Addresses: the object that a chain of indices and members starts from, and how many elements further it is.
//!
//! ```text
//! &in[i][j + 1]            in,  i·n + j + 1                   (rows of n elements)
//! &p[i].points[k]          member `points` of (p, i),  k
//! ```

use accrue_dialects::core::{Bin, Cast, Decay, Member, PtrAdd, array_parts, pointee};
use pliron::{
    builtin::op_interfaces::OneOpdInterface,
    context::Context,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

use accrue_ir::walk::operands_of;
use std::collections::HashSet;

use super::{Affine, Atom, AtomId, Reading, Sum};

/// The number of an origin in its [`Affine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OriginId(u32);

/// What elements are counted from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    Value(Value),
    Member { record: Place, field: u32 },
}

/// What an address is: where it starts, the type of the elements that are counted, and how many of them further it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub origin: OriginId,
    pub element: TypeHandle,
    pub distance: Sum,
}

impl Place {
    /// Whether two places are a known number of elements from each other.
    pub fn is_apart_from(&self, other: &Place) -> bool {
        let distance = self.distance.minus(&other.distance).as_number();
        self.origin == other.origin
            && self.element == other.element
            && distance.is_some_and(|elements| elements != 0)
    }
}

impl Affine {
    /// What an address is made of. Equal places are equal addresses.
    pub fn place(&mut self, ctx: &Context, address: Value) -> Place {
        let known = self.places_in_scope.get(&address);
        if let Some(known) = known.or(self.places.get(&address)) {
            return known.clone();
        }
        let place = self.follow(ctx, address);
        let short = place.filter(|place| place.distance.is_short());
        let place = short.unwrap_or_else(|| self.at_start(ctx, Origin::Value(address), address));
        match self.scope.is_some() {
            true => self.places_in_scope.insert(address, place.clone()),
            false => self.places.insert(address, place.clone()),
        };
        place
    }

    pub fn origin(&self, id: OriginId) -> &Origin {
        &self.origins[id.0 as usize]
    }

    /// A value from which the address is computed, and which is the atom, extended as that is.
    pub fn spelled_in(&self, ctx: &Context, address: Value, atom: AtomId) -> Option<Value> {
        if let Atom::Value { value, .. } = self.atom(atom).0 {
            return Some(*value);
        }
        let reading = Reading::of(self.is_signed(atom));
        let (mut seen, mut open) = (HashSet::from([address]), vec![address]);
        while let Some(value) = open.pop() {
            let sum = self.everywhere.get(&(value, reading));
            if sum.and_then(Sum::as_atom) == Some((atom, 1)) {
                return Some(value);
            }
            let Some(op) = value.defining_op() else {
                continue;
            };
            let goes_on = Operation::is_op::<PtrAdd>(op, ctx)
                || Operation::is_op::<Decay>(op, ctx)
                || Operation::is_op::<Bin>(op, ctx)
                || Operation::is_op::<Cast>(op, ctx);
            if goes_on {
                let operands = operands_of(ctx, op).into_iter();
                open.extend(operands.filter(|operand| seen.insert(*operand)));
            }
        }
        None
    }

    fn follow(&mut self, ctx: &Context, address: Value) -> Option<Place> {
        let op = address.defining_op()?;
        let element = pointee(ctx, address)?;
        if let Some(step) = Operation::get_op::<PtrAdd>(op, ctx) {
            let index = self.sum(ctx, step.get_operand_index(ctx));
            let before = self.place(ctx, step.get_operand_base(ctx));
            return Some(Place {
                distance: before.distance.plus(&index, 1),
                element,
                ..before
            });
        }
        if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            let array = decay.get_operand(ctx);
            let (length, _) = array_parts(ctx, pointee(ctx, array)?)?;
            let rows = self.place(ctx, array);
            let length = i64::try_from(length).ok()?;
            return Some(Place {
                distance: Sum::default().plus(&rows.distance, length),
                element,
                ..rows
            });
        }
        let member = Operation::get_op::<Member>(op, ctx)?;
        let record = self.place(ctx, member.get_operand(ctx));
        let field = member.field(ctx);
        Some(self.at_start(ctx, Origin::Member { record, field }, address))
    }

    fn at_start(&mut self, ctx: &Context, origin: Origin, address: Value) -> Place {
        let next = OriginId(self.origins.len() as u32);
        let id = *self.origin_ids.entry(origin.clone()).or_insert(next);
        if id == next {
            self.origins.push(origin);
        }
        Place {
            origin: id,
            element: pointee(ctx, address).unwrap_or_else(|| address.get_type(ctx)),
            distance: Sum::default(),
        }
    }
}
