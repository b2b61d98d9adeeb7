//! What local variables of the host hold in every region: those that are given constants where they are declared, and nothing else
//! afterwards; and what constant variables of the file hold, which the front end says.
//!
//! Whether a table of coefficients, or a rate, is a constant for a kernel should not depend on whether it is written as a macro, an
//! `enum` or a variable:
//!
//! ```text
//! const float sigma = 0.3f;
//! int kernel[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
//! #pragma acc parallel loop … copyin(kernel)          →  sigma is stored as 0.3 in the kernel, kernel[i][j] are known elements
//! ```
//! 1. The variable is a number, or an array or struct of at most [`MOST_ELEMENTS`]. All uses of its address are followed.
//! 2. Its stores are at constant places, once each, in the block of its declaration, in front of all that uses it otherwise. What is
//!    stored there and is no constant is not known, the rest is: `struct grid g = {n, 4};` has a known second member.
//! 3. Otherwise it is only loaded from, and named by clauses that give devices its value or take back what nobody has changed.
//!
//! Cost: linear in the operations and the uses of the variables.

use accrue_dialects::acc::{DataClause, DataOp};
use accrue_dialects::address_use::{UseKind, use_of};
use accrue_dialects::core::{
    AddressOf, Alloca, Cast, CastKind, Decay, FConst, INITIAL_VALUES, InitialValue, InitialValues,
    Member, PtrAdd, Store, Un, UnKind, array_parts, float_width,
    fold::{constant, constant_expression},
    int_width, is_scalar,
    layout::{Records, records},
    pointee, record_tag,
};
use accrue_ir::{order::Order, walk::nested};
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, OneResultInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Numbers in an object.
const MOST_ELEMENTS: u64 = 256;

/// A constant, as an operation has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    Int(i128),
    /// As text.
    Float(String),
}

/// What variables hold, by their addresses: the constants by the numbers of their elements; those of a struct are its scalars, in
/// order, as [`crate::pieces`] has them.
pub type KnownValues = HashMap<Value, BTreeMap<u64, Known>>;

/// Looks at all local variables of the host. To be asked before regions are moved away.
pub fn known_values(ctx: &Context, module: ModuleOp) -> KnownValues {
    let mut finder = Finder {
        ctx,
        records: records(ctx, module),
        order: Order::default(),
    };
    let allocas = nested::<Alloca>(ctx, module.get_operation()).into_iter();
    let of_locals =
        allocas.filter_map(|alloca| Some((alloca.get_result(ctx), finder.values_of(alloca)?)));
    let mut known: KnownValues = of_locals.collect();
    for address in nested::<AddressOf>(ctx, module.get_operation()) {
        let address = (address.get_operation(), address.get_result(ctx));
        known.extend(initial_values(ctx, address).map(|values| (address.1, values)));
    }
    known
}

/// What the front end knows of the constant variable of the program at an address.
fn initial_values(
    ctx: &Context,
    (op, address): (Ptr<Operation>, Value),
) -> Option<BTreeMap<u64, Known>> {
    let InitialValues(values) = INITIAL_VALUES.get(ctx, op)?;
    let mut ty = pointee(ctx, address)?;
    while let Some((_, of)) = array_parts(ctx, ty) {
        ty = of;
    }
    let is_float = float_width(ctx, ty).is_some();
    let known = values.into_iter().map(|InitialValue { number, value }| {
        let value = match is_float {
            true => Known::Float(value),
            false => Known::Int(value.parse().ok()?),
        };
        Some((number, value))
    });
    known.collect()
}

struct Finder<'a> {
    ctx: &'a Context,
    records: Records,
    order: Order,
}

/// An address in the variable: how many numbers from its start, if that is constant, and how many one element has.
#[derive(Clone, Copy)]
struct Place {
    address: Value,
    at: Option<u64>,
    ty: TypeHandle,
}

impl Finder<'_> {
    fn values_of(&mut self, alloca: Alloca) -> Option<BTreeMap<u64, Known>> {
        let ctx = self.ctx;
        let ty = alloca.var_type(ctx);
        let all = self.elements(ty);
        let all = all.filter(|all| (1..=MOST_ELEMENTS).contains(all))?;
        if alloca.count(ctx).is_some() || alloca.variable(ctx).is_none() {
            return None;
        }
        let block = alloca.get_operation().deref(ctx).get_parent_block()?;
        let (mut values, mut stored) = (BTreeMap::new(), BTreeSet::new());
        let (mut last_store, mut first_use) = (0, usize::MAX);
        let mut places = vec![Place {
            address: alloca.get_result(ctx),
            at: Some(0),
            ty,
        }];
        while let Some(place) = places.pop() {
            for using in place.address.uses(ctx) {
                let op = using.user_op();
                let mut position = || self.order.place(ctx, block, op);
                match use_of(ctx, op, using.find_index(ctx)) {
                    UseKind::Read { volatile: false } => first_use = first_use.min(position()?),
                    UseKind::Write { volatile: false } => {
                        let store = Operation::get_op::<Store>(op, ctx)?;
                        if op.deref(ctx).get_parent_block() != Some(block) {
                            return None;
                        }
                        let number = place.at.filter(|number| *number < all)?;
                        if !stored.insert(number) {
                            return None;
                        }
                        if let Some(value) = constant_of(ctx, store.get_operand_value(ctx)) {
                            values.insert(number, value);
                        }
                        last_store = last_store.max(position()?);
                    }
                    UseKind::Derive => places.push(self.derived(place, op)?),
                    UseKind::Clause if only_gives(ctx, op) => {
                        first_use = first_use.min(position()?);
                    }
                    UseKind::Read { .. }
                    | UseKind::Write { .. }
                    | UseKind::Update { .. }
                    | UseKind::Pass
                    | UseKind::Clause
                    | UseKind::Look
                    | UseKind::Keep => return None,
                }
            }
        }
        (!values.is_empty() && last_store < first_use).then_some(values)
    }

    /// The number of scalars in a type.
    fn elements(&self, ty: TypeHandle) -> Option<u64> {
        if let Some((length, of)) = array_parts(self.ctx, ty) {
            return self.elements(of)?.checked_mul(length);
        }
        match record_tag(self.ctx, ty) {
            Some(tag) => {
                let fields = self.records.get(&tag)?.fields.len();
                self.members_before(ty, u32::try_from(fields).ok()?)
            }
            None => is_scalar(self.ctx, ty).then_some(1),
        }
    }

    /// The number of scalars in the first `fields` members of a struct.
    fn members_before(&self, ty: TypeHandle, fields: u32) -> Option<u64> {
        let record = self.records.get(&record_tag(self.ctx, ty)?)?;
        if record.layout.union_ || record.fields.iter().any(|field| field.bits != 0) {
            return None;
        }
        let before = record.fields.iter().zip(0..fields);
        let mut all = 0u64;
        for (field, _) in before {
            all = all.checked_add(self.elements(field.ty)?)?;
        }
        Some(all)
    }

    /// The address in the same variable that `op` computes from another.
    fn derived(&self, from: Place, op: Ptr<Operation>) -> Option<Place> {
        let ctx = self.ctx;
        let further = |distance: Option<u64>| {
            let sum = from.at.zip(distance);
            sum.and_then(|(at, distance)| at.checked_add(distance))
        };
        if let Some(step) = Operation::get_op::<PtrAdd>(op, ctx) {
            let size = self.elements(from.ty)?;
            let index = constant(ctx, step.get_operand_index(ctx));
            let index = index.and_then(|index| u64::try_from(index).ok());
            return Some(Place {
                address: step.get_result(ctx),
                at: further(index.and_then(|index| index.checked_mul(size))),
                ty: from.ty,
            });
        }
        if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            let address = member.get_result(ctx);
            return Some(Place {
                address,
                at: further(Some(self.members_before(from.ty, member.field(ctx))?)),
                ty: pointee(ctx, address)?,
            });
        }
        let decay = Operation::get_op::<Decay>(op, ctx)?;
        Some(Place {
            address: decay.get_result(ctx),
            ty: array_parts(ctx, from.ty)?.1,
            ..from
        })
    }
}

fn constant_of(ctx: &Context, value: Value) -> Option<Known> {
    match float_width(ctx, value.get_type(ctx)) {
        Some(width) => float_of(ctx, value, width).map(Known::Float),
        None => constant_expression(ctx, value).map(Known::Int),
    }
}

/// The literal of a constant of `width` bits: `-1.5`, or what C makes of an integer or of a number of another type, as in
/// `float w[3] = {1, 2.5, -1}`.
fn float_of(ctx: &Context, value: Value, width: u32) -> Option<String> {
    let op = value.defining_op()?;
    if let Some(float) = Operation::get_op::<FConst>(op, ctx) {
        return Some(float.text(ctx));
    }
    if let Some(un) = Operation::get_op::<Un>(op, ctx) {
        let text = float_of(ctx, un.get_operand(ctx), width)?;
        let negative = text.strip_prefix('-').map(str::to_string);
        let negates = un.kind(ctx) == UnKind::FNeg;
        return negates.then(|| negative.unwrap_or_else(|| format!("-{text}")));
    }
    let cast = Operation::get_op::<Cast>(op, ctx)?;
    let from = cast.get_operand(ctx);
    match cast.kind(ctx) {
        kind @ (CastKind::SToF | CastKind::UToF) => {
            let signed = constant_expression(ctx, from)?;
            let number = match (kind, int_width(ctx, from.get_type(ctx))?) {
                (CastKind::UToF, bits @ 0..128) => signed & ((1 << bits) - 1),
                _ => signed,
            };
            let exact = 1i128 << if width == 32 { 24 } else { 53 };
            let fits = (-exact..=exact).contains(&number) && matches!(width, 32 | 64);
            fits.then(|| format!("{number}.0"))
        }
        CastKind::FCast => {
            let from_width = float_width(ctx, from.get_type(ctx))?;
            let text = float_of(ctx, from, from_width)?;
            let number = match from_width {
                32 => f64::from(text.parse::<f32>().ok()?),
                64 => text.parse::<f64>().ok()?,
                _ => return None,
            };
            let rounded = number as f32;
            match width {
                32 if rounded.is_finite() => Some(format!("{rounded:?}")),
                64 if number.is_finite() => Some(format!("{number:?}")),
                _ => None,
            }
        }
        CastKind::Trunc
        | CastKind::SExt
        | CastKind::ZExt
        | CastKind::FToS
        | CastKind::FToU
        | CastKind::PtrCast
        | CastKind::PtrToInt
        | CastKind::IntToPtr
        | CastKind::ToBool
        | CastKind::RealToComplex
        | CastKind::ComplexCast => None,
    }
}

/// Whether a clause gives devices the variable's value, and at most takes back what they have.
fn only_gives(ctx: &Context, op: Ptr<Operation>) -> bool {
    let object = Operation::get_op_dyn(op, ctx);
    let Some(data) = op_cast::<dyn DataOp>(&*object) else {
        return false;
    };
    match data.info(ctx).clause {
        DataClause::Copy | DataClause::Copyin | DataClause::Present | DataClause::Firstprivate => {
            true
        }
        DataClause::Copyout
        | DataClause::Create
        | DataClause::NoCreate
        | DataClause::Deviceptr
        | DataClause::Attach
        | DataClause::Detach
        | DataClause::Delete
        | DataClause::UseDevice
        | DataClause::UpdateSelf
        | DataClause::UpdateDevice
        | DataClause::Private
        | DataClause::DeviceResident
        | DataClause::Link
        | DataClause::Reduction
        | DataClause::Pointer => false,
    }
}
