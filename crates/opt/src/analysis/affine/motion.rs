//! How numbers and addresses change from one iteration of a loop to the next.
//!
//! ```text
//! for k = lo to hi {
//!   b[k * n + j]          moves by n elements
//!   c[4 * (k + 1) - k]    by 3
//!   x[j]                  stays
//!   y[col[k]]             nobody knows
//! }
//! ```
//! A number moves evenly if its sum has the counter in no product with itself, and atoms that stay otherwise. The extension of a counter
//! by its own signedness counts by ones, since it does not wrap before its bound.
//!
//! Cost: linear in the size of the loop's body.

use accrue_dialects::core::{For, Load, emit::Emitter, int_width};
use accrue_ir::{
    effects::is_pure,
    walk::{is_inside, operands_of, results_of},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    region::Region,
    r#type::Typed,
    value::Value,
};
use std::collections::HashMap;

use super::{Affine, Atom, AtomId, Origin, Place, Scope, Sum};
use crate::analysis::variables::{Root, root_of};

/// How a value changes from iteration to iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Never,
    /// By the same difference each time.
    Evenly,
}

/// Whether two addresses of an iteration are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    Never,
    /// In all iterations or in none: they move by the same distance.
    AlwaysOrNever,
    Unknown,
}

/// The iterations of a loop with step 1, seen from its body.
pub struct Iterations {
    affine: Affine,
    region: Ptr<Region>,
    block: Ptr<BasicBlock>,
    counter: Value,
    /// The counter is unsigned.
    unsigned: bool,
    /// No iteration writes memory that one of them reads.
    steady: bool,
    stays: HashMap<Value, bool>,
}

impl Iterations {
    pub fn of(ctx: &Context, lp: For) -> Self {
        let block = lp.get_body(ctx, 0);
        let region = lp.get_operation().deref(ctx).get_region(0);
        Iterations {
            affine: Affine::within(Scope::closed(ctx, region)),
            region,
            block,
            counter: block.deref(ctx).get_argument(0),
            unsigned: lp.info(ctx).unsigned,
            steady: false,
            stays: HashMap::new(),
        }
    }

    /// Of a loop none of whose iterations writes memory that one of them reads.
    pub fn of_steady(ctx: &Context, lp: For) -> Self {
        Iterations {
            steady: true,
            ..Iterations::of(ctx, lp)
        }
    }

    /// How a number or the address of an element changes; `None` if it does in another way, or nobody knows.
    pub fn change(&mut self, ctx: &Context, value: Value) -> Option<Change> {
        if self.stays(ctx, value) {
            return Some(Change::Never);
        }
        let stride = self.stride(ctx, value)?;
        Some(match stride.is_zero() {
            true => Change::Never,
            false => Change::Evenly,
        })
    }

    /// By how much a number, or an address in elements, grows in each iteration: a sum of atoms that stay.
    pub fn stride(&mut self, ctx: &Context, value: Value) -> Option<Sum> {
        if self.stays(ctx, value) {
            return Some(Sum::default());
        }
        let sum = match int_width(ctx, value.get_type(ctx)) {
            Some(_) => self.affine.sum(ctx, value),
            None => {
                let place = self.affine.place(ctx, value);
                let Origin::Value(origin) = *self.affine.origin(place.origin) else {
                    return None;
                };
                if origin == value || !self.stays(ctx, origin) {
                    return None;
                }
                place.distance
            }
        };
        self.stride_of(ctx, &sum)
    }

    /// The same, if it is a number.
    pub fn constant_stride(&mut self, ctx: &Context, value: Value) -> Option<i64> {
        self.stride(ctx, value)?.as_number()
    }

    /// Whether an address moves by the same distance in each iteration, or stays, through members as well.
    pub fn moves_evenly(&mut self, ctx: &Context, address: Value) -> bool {
        if self.stays(ctx, address) {
            return true;
        }
        let place = self.affine.place(ctx, address);
        self.place_moves_evenly(ctx, address, &place)
    }

    /// Where an address starts that moves evenly from a value that stays: its sum is the address in every iteration that computes it.
    pub fn start(&mut self, ctx: &Context, address: Value) -> Option<Place> {
        let place = self.affine.place(ctx, address);
        let origin = self.origin(&place)?;
        let found = origin != address && self.stays(ctx, origin);
        (found && self.stride_of(ctx, &place.distance).is_some()).then_some(place)
    }

    /// What an address is made of, as one iteration sees it.
    pub fn place(&mut self, ctx: &Context, address: Value) -> Place {
        self.affine.place(ctx, address)
    }

    /// The value that a place is counted from; `None` if that is a member.
    pub fn origin(&self, place: &Place) -> Option<Value> {
        match self.affine.origin(place.origin) {
            Origin::Value(origin) => Some(*origin),
            Origin::Member { .. } => None,
        }
    }

    fn place_moves_evenly(&mut self, ctx: &Context, address: Value, place: &Place) -> bool {
        if self.stride_of(ctx, &place.distance).is_none() {
            return false;
        }
        match self.affine.origin(place.origin).clone() {
            Origin::Value(origin) => origin != address && self.stays(ctx, origin),
            Origin::Member { record, .. } => self.place_moves_evenly(ctx, address, &record),
        }
    }

    /// Whether an address is in each iteration where another one was in the iteration before: both move evenly from one value.
    pub fn is_next(&mut self, ctx: &Context, address: Value, other: Value) -> bool {
        let (Some(place), Some(before)) = (self.start(ctx, address), self.start(ctx, other)) else {
            return false;
        };
        let Some(stride) = self.stride_of(ctx, &place.distance) else {
            return false;
        };
        !stride.is_zero()
            && place.origin == before.origin
            && place.element == before.element
            && place.distance.plus(&stride, 1) == before.distance
    }

    /// Whether two addresses are the same in an iteration.
    pub fn meeting(&mut self, ctx: &Context, one: Value, other: Value) -> Meeting {
        let places = (self.start(ctx, one), self.start(ctx, other));
        let (Some(one), Some(other)) = places else {
            return Meeting::Unknown;
        };
        if one.element != other.element {
            return Meeting::Unknown;
        }
        let apart = one.distance.minus(&other.distance).as_number();
        if one.origin == other.origin && apart.is_some_and(|apart| apart != 0) {
            return Meeting::Never;
        }
        let one = self.stride_of(ctx, &one.distance);
        match one.is_some() && one == self.stride_of(ctx, &other.distance) {
            true => Meeting::AlwaysOrNever,
            false => Meeting::Unknown,
        }
    }

    /// Whether a value is the same in all iterations, and can be computed before them.
    pub fn stays(&mut self, ctx: &Context, value: Value) -> bool {
        if value == self.counter {
            return false;
        }
        let inside = value
            .defining_op()
            .filter(|op| is_inside(ctx, *op, self.region));
        let Some(op) = inside else {
            // The counter of a loop inside has no operation.
            return !self.affine.is_inside(ctx, value);
        };
        if let Some(known) = self.stays.get(&value) {
            return *known;
        }
        let stays = match Operation::get_op::<Load>(op, ctx) {
            Some(load) => self.load_stays(ctx, load),
            None => {
                let mut operands = operands_of(ctx, op).into_iter();
                is_pure(ctx, op)
                    && op.deref(ctx).num_regions() == 0
                    && operands.all(|operand| self.stays(ctx, operand))
            }
        };
        self.stays.insert(value, stays);
        stays
    }

    fn load_stays(&mut self, ctx: &Context, load: Load) -> bool {
        if let Some(held) = self.affine.held(ctx, load) {
            return self.stays(ctx, held);
        }
        let address = load.get_operand_address(ctx);
        if load.is_volatile(ctx) {
            return false;
        }
        if let Some(Root::Local(variable)) = root_of(ctx, address) {
            let written = self
                .affine
                .scope()
                .is_none_or(|scope| scope.writes(&Root::Local(variable)));
            return !written
                && !self.affine.is_inside(ctx, variable)
                && self.affine.is_plain(ctx, variable);
        }
        // Each iteration comes to it, and finds the same.
        self.steady
            && load.get_operation().deref(ctx).get_parent_block() == Some(self.block)
            && self.stays(ctx, address)
    }

    fn stride_of(&mut self, ctx: &Context, sum: &Sum) -> Option<Sum> {
        let mut stride = Sum::default();
        for signed in [true, false] {
            let Some(counter) = self.affine.known_atom(self.counter, signed) else {
                continue;
            };
            let by_one = sum.stride(counter)?;
            if !by_one.is_zero() && !self.counts_by_ones(ctx, signed) {
                return None;
            }
            stride = stride.plus(&by_one, 1);
        }
        // Two extensions of the counter in one product.
        let squared = stride.atoms().any(|atom| self.is_counter(atom));
        let others: Vec<AtomId> = sum.atoms().filter(|atom| !self.is_counter(*atom)).collect();
        let even = !squared && others.into_iter().all(|atom| self.atom_stays(ctx, atom));
        even.then_some(stride)
    }

    fn is_counter(&self, atom: AtomId) -> bool {
        match self.affine.atom(atom).0 {
            Atom::Value { value, .. } => *value == self.counter,
            Atom::Variable { .. } | Atom::Wrapped { .. } => false,
        }
    }

    /// Whether the counter, extended so, counts by ones as it does itself.
    fn counts_by_ones(&mut self, ctx: &Context, signed: bool) -> bool {
        let width = int_width(ctx, self.counter.get_type(ctx));
        match width {
            Some(64) => true,
            Some(width) => {
                signed != self.unsigned || self.affine.ranges.is_natural(ctx, self.counter, width)
            }
            None => false,
        }
    }

    fn atom_stays(&mut self, ctx: &Context, atom: AtomId) -> bool {
        match self.affine.atom(atom).0.clone() {
            Atom::Value { value, .. } => self.stays(ctx, value),
            // The scope is the loop's body.
            Atom::Variable { .. } => true,
            Atom::Wrapped { sum, .. } => {
                let atoms: Vec<AtomId> = sum.atoms().collect();
                atoms.into_iter().all(|atom| self.atom_stays(ctx, atom))
            }
        }
    }

    /// The value that a number or an address has in the iteration with this counter, computed before the loop.
    pub fn at(&mut self, e: &mut Emitter, value: Value, counter: Value) -> Value {
        if value == self.counter {
            return counter;
        }
        let inside = value
            .defining_op()
            .filter(|op| is_inside(e.ctx, *op, self.region));
        let Some(op) = inside else {
            return value;
        };
        let load = Operation::get_op::<Load>(op, e.ctx);
        if let Some(held) = load.and_then(|load| self.affine.held(e.ctx, load)) {
            return self.at(e, held, counter);
        }
        let mut mapping = IrMapping::new();
        for operand in operands_of(e.ctx, op) {
            let there = self.at(e, operand, counter);
            mapping.map_value(operand, there);
        }
        let clone = e.copy(op, &mut mapping);
        results_of(e.ctx, clone).first().copied().unwrap_or(value)
    }

    /// A sum of atoms that stay as a number of 64 bits before the loop, which starts at `lower`; or one of fewer that is its only, signed atom: an address
    /// extends it.
    pub fn number(&mut self, e: &mut Emitter, sum: &Sum, lower: Value) -> Value {
        if let Some(number) = sum.as_number() {
            return e.i64(i128::from(number));
        }
        if let Some((atom, 1)) = sum.as_atom()
            && self.affine.is_signed(atom)
        {
            let value = self.affine.atom(atom).1;
            return self.at(e, value, lower);
        }
        let terms = self.affine.terms(sum);
        terms.write(e, |e, value| self.at(e, value, lower))
    }
}
