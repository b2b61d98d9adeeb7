//! Whether two accesses of a thread may reach the same memory.
//!
//! ```text
//! p[i].x   p[i].y             apart: fields of one struct
//! p[i].x   p[i + 1].x         apart: elements of one array, by an amount that is known
//! s[k].x   a[j]               apart: a local array whose address goes nowhere, and what a parameter leads to
//! n[i]     x[i]               apart: int and double, where objects have one type (C17, 6.5p7)
//! a[i]     b[i]               perhaps the same
//! v[1]     y.b                perhaps the same: `v = &y.a` goes on from a field that is no array to those behind it
//! ```
//! Distances come from [`crate::analysis::affine`], so that spellings of an index do not matter. Both addresses are values that are
//! known at the place where they are compared; an address inside a loop stands for one iteration.
//!
//! Cost: that of the sums, and once per local variable its uses.

use accrue_dialects::{
    address_use::{UseKind, derived_from, object_of, use_of},
    core::{Aliasing, Alloca, Member, array_parts, pointee},
    par::kernels::is_variable,
};
use pliron::{
    builtin::{op_interfaces::OneOpdInterface, ops::ModuleOp},
    context::Context,
    op::Op,
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};
use std::collections::HashMap;

use crate::analysis::{
    affine::{Affine, Origin, Place},
    records::Records,
};

/// What is known of the addresses in a function.
pub struct Overlap<'a> {
    records: &'a Records,
    aliasing: Aliasing,
    affine: Affine,
    /// Local variables, and whether their addresses go anywhere else than to accesses.
    escapes: HashMap<Value, bool>,
}

impl<'a> Overlap<'a> {
    pub fn new(ctx: &Context, module: ModuleOp, records: &'a Records) -> Self {
        Overlap {
            records,
            aliasing: Aliasing::of_module(ctx, module.get_operation()),
            affine: Affine::default(),
            escapes: HashMap::new(),
        }
    }

    /// Whether two accesses, each of one scalar of the type that its address leads to, cannot meet.
    pub fn are_apart(&mut self, ctx: &Context, a: Value, b: Value) -> bool {
        if a == b {
            return false;
        }
        let (in_a, in_b) = (object_of(ctx, a), object_of(ctx, b));
        if in_a != in_b && self.are_objects_apart(ctx, in_a, in_b) {
            return true;
        }
        let types = (pointee(ctx, a), pointee(ctx, b));
        if let (Some(of_a), Some(of_b)) = types
            && self.aliasing.tells_apart(ctx, of_a, of_b)
            && !self.is_in_union(ctx, a)
            && !self.is_in_union(ctx, b)
        {
            return true;
        }
        let (a, b) = (self.affine.place(ctx, a), self.affine.place(ctx, b));
        self.are_places_apart(ctx, &a, &b)
    }

    /// What an address is made of: the same for equal addresses, as far as that can be seen.
    pub fn place(&mut self, ctx: &Context, address: Value) -> Place {
        self.affine.place(ctx, address)
    }

    fn are_objects_apart(&mut self, ctx: &Context, a: Value, b: Value) -> bool {
        let alloca = |value: Value| {
            let op = value.defining_op();
            op.is_some_and(|op| Operation::is_op::<Alloca>(op, ctx))
        };
        match (alloca(a), alloca(b)) {
            (true, true) => true,
            (true, false) => !self.escapes(ctx, a),
            (false, true) => !self.escapes(ctx, b),
            (false, false) => is_variable(ctx, a) && is_variable(ctx, b),
        }
    }

    /// Whether the address of a local variable goes anywhere else than to accesses.
    fn escapes(&mut self, ctx: &Context, variable: Value) -> bool {
        if let Some(known) = self.escapes.get(&variable) {
            return *known;
        }
        let mut open = vec![variable];
        let mut escapes = false;
        while let Some(address) = open.pop() {
            for using in address.uses(ctx) {
                let op = using.user_op();
                match use_of(ctx, op, using.find_index(ctx)) {
                    UseKind::Read { .. } | UseKind::Write { .. } | UseKind::Update { .. } => {}
                    UseKind::Look => {}
                    UseKind::Derive => {
                        // A selection is an object of its own to who follows it back.
                        let inside = op.deref(ctx).get_result(0);
                        match derived_from(ctx, inside) {
                            Some(_) => open.push(inside),
                            None => escapes = true,
                        }
                    }
                    UseKind::Pass | UseKind::Clause | UseKind::Keep => escapes = true,
                }
            }
        }
        self.escapes.insert(variable, escapes);
        escapes
    }

    /// Whether the address leads through a member of a union, or of a struct with bit-fields.
    fn is_in_union(&self, ctx: &Context, address: Value) -> bool {
        let mut at = Some(address);
        while let Some(address) = at {
            let op = address.defining_op();
            let member = op.and_then(|op| Operation::get_op::<Member>(op, ctx));
            let record = member.and_then(|member| pointee(ctx, member.get_operand(ctx)));
            if record.is_some_and(|record| self.records.fields_of(ctx, record).is_none()) {
                return true;
            }
            at = derived_from(ctx, address);
        }
        false
    }

    fn are_places_apart(&self, ctx: &Context, a: &Place, b: &Place) -> bool {
        if a.origin == b.origin {
            return a.is_apart_from(b);
        }
        if self.leaves_field(ctx, a) || self.leaves_field(ctx, b) {
            return false;
        }
        let origins = (self.affine.origin(a.origin), self.affine.origin(b.origin));
        let (
            Origin::Member {
                record: in_a,
                field: of_a,
            },
            Origin::Member {
                record: in_b,
                field: of_b,
            },
        ) = origins
        else {
            return false;
        };
        if in_a != in_b {
            return self.are_places_apart(ctx, in_a, in_b);
        }
        of_a != of_b && self.records.fields_of(ctx, in_a.element).is_some()
    }
    /// Whether elements are counted from a field that is no array, or to a place that is outside of it for certain: what is not its first
    /// element is in another field.
    fn leaves_field(&self, ctx: &Context, place: &Place) -> bool {
        let mut place = place;
        while let Origin::Member { record, field } = self.affine.origin(place.origin) {
            let fields = self.records.fields_of(ctx, record.element);
            let ty = fields.and_then(|fields| fields.get(*field as usize));
            let length = ty.map_or(1, |ty| elements_in(ctx, *ty, place.element));
            let outside = match place.distance.as_number() {
                Some(number) => u64::try_from(number).map_or(true, |number| number >= length),
                None => length == 1,
            };
            if outside && !place.distance.is_zero() {
                return true;
            }
            place = record;
        }
        false
    }
}

/// How many elements of this type are in an object, as far as arrays in it tell.
fn elements_in(ctx: &Context, object: TypeHandle, element: TypeHandle) -> u64 {
    let (mut at, mut length) = (object, 1u64);
    while at != element
        && let Some((inner, of)) = array_parts(ctx, at)
    {
        (at, length) = (of, length.saturating_mul(inner));
    }
    length
}
