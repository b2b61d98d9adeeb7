//! What local variables of the host hold in every region: those that are given constants where they are declared, and nothing else
//! afterwards.
//!
//! Whether a table of coefficients, or a rate, is a constant for a kernel should not depend on whether it is written as a macro, an
//! `enum` or a variable:
//!
//! ```text
//! const float sigma = 0.3f;
//! int kernel[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
//! #pragma acc parallel loop … copyin(kernel)          →  sigma is stored as 0.3 in the kernel, kernel[i][j] are known elements
//! ```
//! 1. The variable is a number or an array of at most [`MOST_ELEMENTS`]. All uses of its address are followed.
//! 2. Its stores are of constants, at constant places, in the block of its declaration, in front of all that uses it otherwise.
//! 3. Otherwise it is only loaded from, and named by clauses that give devices its value or take back what nobody has changed.
//!
//! Cost: linear in the operations and the uses of the variables.

use accrue_dialects::acc::{DataClause, DataOp};
use accrue_dialects::address_use::{UseKind, use_of};
use accrue_dialects::core::{
    Alloca, Cast, CastKind, Decay, FConst, PtrAdd, Store, Un, UnKind, array_parts, float_width,
    fold::{constant, constant_expression},
    int_width,
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
use std::collections::{BTreeMap, HashMap};

/// Elements of an array.
const MOST_ELEMENTS: u64 = 64;

/// A constant, as an operation has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    Int(i128),
    /// As text.
    Float(String),
}

/// What variables hold, by their addresses: the constants by the numbers of their elements.
pub type KnownValues = HashMap<Value, BTreeMap<u64, Known>>;

/// Looks at all local variables of the host. To be asked before regions are moved away.
pub fn known_values(ctx: &Context, module: ModuleOp) -> KnownValues {
    let mut known = KnownValues::new();
    let mut order = Order::default();
    for alloca in nested::<Alloca>(ctx, module.get_operation()) {
        if let Some(values) = values_of(ctx, alloca, &mut order) {
            known.insert(alloca.get_result(ctx), values);
        }
    }
    known
}

/// The number of numbers in a type, if it is a number or an array of them.
fn elements(ctx: &Context, ty: TypeHandle) -> Option<u64> {
    match array_parts(ctx, ty) {
        Some((length, of)) => elements(ctx, of)?.checked_mul(length),
        None => {
            let int = int_width(ctx, ty).is_some_and(|width| width <= 64);
            let float = matches!(float_width(ctx, ty), Some(32 | 64));
            (int || float).then_some(1)
        }
    }
}

/// An address in the variable: how many numbers from its start, if that is constant, and how many one element has.
#[derive(Clone, Copy)]
struct Place {
    address: Value,
    at: Option<u64>,
    ty: TypeHandle,
}

fn values_of(ctx: &Context, alloca: Alloca, order: &mut Order) -> Option<BTreeMap<u64, Known>> {
    let ty = alloca.var_type(ctx);
    let all = elements(ctx, ty).filter(|all| (1..=MOST_ELEMENTS).contains(all))?;
    if alloca.count(ctx).is_some() || alloca.variable(ctx).is_none() {
        return None;
    }
    let block = alloca.get_operation().deref(ctx).get_parent_block()?;
    let mut position = |op| order.place(ctx, block, op);
    let mut values = BTreeMap::new();
    let (mut last_store, mut first_use) = (0, usize::MAX);
    let mut places = vec![Place {
        address: alloca.get_result(ctx),
        at: Some(0),
        ty,
    }];
    while let Some(place) = places.pop() {
        for using in place.address.uses(ctx) {
            let op = using.user_op();
            match use_of(ctx, op, using.find_index(ctx)) {
                UseKind::Read { volatile: false } => first_use = first_use.min(position(op)?),
                UseKind::Write { volatile: false } => {
                    let store = Operation::get_op::<Store>(op, ctx)?;
                    if op.deref(ctx).get_parent_block() != Some(block) {
                        return None;
                    }
                    let value = constant_of(ctx, store.get_operand_value(ctx))?;
                    let number = place.at.filter(|number| *number < all)?;
                    if values.insert(number, value).is_some() {
                        return None;
                    }
                    last_store = last_store.max(position(op)?);
                }
                UseKind::Derive => places.push(derived(ctx, place, op)?),
                UseKind::Clause if only_gives(ctx, op) => first_use = first_use.min(position(op)?),
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

/// The address in the same variable that `op` computes from another.
fn derived(ctx: &Context, from: Place, op: Ptr<Operation>) -> Option<Place> {
    if let Some(step) = Operation::get_op::<PtrAdd>(op, ctx) {
        let size = elements(ctx, from.ty)?;
        let index = constant(ctx, step.get_operand_index(ctx));
        let further = index
            .and_then(|index| u64::try_from(index).ok())
            .and_then(|index| index.checked_mul(size));
        let at = from.at.zip(further).map(|(at, further)| at + further);
        return Some(Place {
            address: step.get_result(ctx),
            at,
            ty: from.ty,
        });
    }
    let decay = Operation::get_op::<Decay>(op, ctx)?;
    Some(Place {
        address: decay.get_result(ctx),
        ty: array_parts(ctx, from.ty)?.1,
        ..from
    })
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
        CastKind::SToF | CastKind::UToF => {
            let number = constant_expression(ctx, from)?;
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
