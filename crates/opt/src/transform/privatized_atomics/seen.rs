//! What an iteration sees of its own updates: plain accesses by other pointers that may lead to the same elements.
//!
//! ```text
//! atomic h[i] += x                                 atomic c[i] += x                     c: the copy of h[0:n]
//! y = q[j]          q may be h, and j be i    →    y = q[j];  k = &q[j] - h;  if (k < n) y += c[k]
//! q[j] = z                                         k = &q[j] - h;  if (k < n) { h[k] += c[k];  c[k] = 0 };  q[j] = z
//! ```
//! Iterations that run at the same time may not access plainly what another one updates. What an iteration has updated itself it may look
//! at behind that: its element holds what it held before, and the copy what has been added, by nobody else. So an access that comes behind an
//! update, or around again in a loop with one, asks whether its element has a copy, unless it is known to be apart ([`Overlap`]). Where
//! that cannot be asked, there is no copy.
//!
//! Cost: the accesses behind the first update, times the updates.

use super::{
    Known, PerGang, between,
    elements::{element_of, is_some, original},
    in_range::{Guard, Usual},
    shape::{Element, Shape},
};
use crate::analysis::{atomics::atomic_access, overlap::Overlap, records::bytes_of};
use accrue_dialects::{
    address_use::object_of,
    core::{
        Alloca, Bin, BinKind, CastKind, CmpKind, For, If, Load, Loop, PtrAdd, Store, StringConst,
        emit::Emitter, int, int_width, pointee, pointer,
    },
    par::{Fork, kernels::ASKS_ALIAS},
};
use accrue_ir::{
    effects::{Effect, Effects, effects_of},
    walk::{is_inside, nested_ops, operands_of, regions_of, results_of},
};
use pliron::{
    builtin::{attributes::BoolAttr, op_interfaces::OneResultInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::{HashMap, HashSet};

/// What may see the updates.
pub(super) struct Seen {
    /// Plain accesses that have to ask for the copy.
    pub accesses: Vec<Ptr<Operation>>,
    /// How they find their elements.
    shape: Option<Shape>,
}

/// What may see the updates; `None` if something does that cannot ask.
pub(super) fn seen(
    ctx: &Context,
    func: FuncOp,
    copy: &PerGang,
    shared: bool,
    (overlap, known): (&mut Overlap, &Known),
) -> Option<Seen> {
    let pure = known.pure;
    let shape = Shape::of(ctx, known.layouts, copy.parameter.0, &copy.places);
    let mut accesses = vec![];
    for op in behind_updates(ctx, func, copy) {
        let mut apart = |address: Value| {
            let mut updates = copy.places.updates.iter();
            updates.all(|update| {
                atomic_access(ctx, update.op)
                    .is_some_and(|(updated, ..)| overlap.are_apart(ctx, address, updated))
            })
        };
        if copy.places.updates.iter().any(|update| update.op == op) || pure.is_called(ctx, op) {
            continue;
        }
        if let Some((address, _, kind)) = atomic_access(ctx, op) {
            if kind == copy.places.kind || apart(address) {
                continue;
            }
            return None;
        }
        let accessed = match effects_of(ctx, op) {
            Effects::None => continue,
            Effects::Known(effects) => effects,
            Effects::Unknown if knows_locals_only(ctx, op) => continue,
            Effects::Unknown => return None,
        };
        let mut addresses = vec![];
        for effect in accessed {
            match effect {
                Effect::Read(address) | Effect::Write(address) => addresses.push(address?),
                Effect::Alloc | Effect::Free(_) | Effect::Structure | Effect::Convergent => {}
            }
        }
        if addresses.into_iter().all(&mut apart) {
            continue;
        }
        if shape.is_none() || !can_ask(ctx, op, copy, shared) {
            return None;
        }
        accesses.push(op);
    }
    Some(Seen { accesses, shape })
}

/// What an iteration may do behind one of its updates.
fn behind_updates(ctx: &Context, func: FuncOp, copy: &PerGang) -> Vec<Ptr<Operation>> {
    let ops = nested_ops(ctx, func.get_operation());
    let order: HashMap<_, _> = ops.iter().copied().zip(0..).collect();
    let updates = || copy.places.updates.iter().map(|update| update.op);
    let first = updates().filter_map(|op| order.get(&op)).min().copied();
    let fork = Operation::get_op::<Fork>(copy.begin, ctx);
    let inside = fork.map_or(vec![], |fork| between(ctx, fork));
    let inside: HashSet<_> = inside.into_iter().collect();
    let in_loop = |op: Ptr<Operation>| {
        let mut around = Some(op);
        while let Some(op) = around.filter(|op| !inside.contains(op)) {
            around = op.deref(ctx).get_parent_op(ctx);
        }
        around.is_some()
    };
    let comes_again = |op: Ptr<Operation>| {
        let mut around = op.deref(ctx).get_parent_op(ctx);
        while let Some(lp) = around {
            let counted = Operation::get_op::<For>(lp, ctx);
            let in_order = counted.is_some_and(|lp| !lp.info(ctx).independent)
                || Operation::is_op::<Loop>(lp, ctx);
            let has_update = || {
                let mut regions = regions_of(ctx, lp).into_iter();
                regions.any(|region| updates().any(|update| is_inside(ctx, update, region)))
            };
            if in_order && has_update() {
                return true;
            }
            around = lp.deref(ctx).get_parent_op(ctx);
        }
        false
    };
    let is_behind = |op: &Ptr<Operation>| {
        let later = first.is_none_or(|first| order.get(op).is_some_and(|at| *at > first));
        in_loop(*op) && (later || comes_again(*op))
    };
    ops.iter().copied().filter(is_behind).collect()
}

/// Whether a function gets addresses of the thread's own variables and of literals only.
fn knows_locals_only(ctx: &Context, call: Ptr<Operation>) -> bool {
    let is_own = |value: Value| {
        let object = object_of(ctx, value).defining_op();
        object.is_some_and(|op| {
            Operation::is_op::<Alloca>(op, ctx) || Operation::is_op::<StringConst>(op, ctx)
        })
    };
    operands_of(ctx, call)
        .into_iter()
        .all(|value| pointee(ctx, value).is_none() || is_own(value))
}

/// Whether the access is of one element or a part of it.
fn can_ask(ctx: &Context, op: Ptr<Operation>, copy: &PerGang, shared: bool) -> bool {
    let places = &copy.places;
    let of_element = bytes_of(ctx, places.element);
    let in_element = |address: Value| {
        let ty = pointee(ctx, address);
        ty == Some(places.element)
            || ty
                .and_then(|ty| bytes_of(ctx, ty))
                .is_some_and(|bytes| Some(bytes) < of_element)
    };
    Access::of(ctx, op).is_some_and(|access| in_element(access.address(ctx)))
        && !copy.in_registers(shared)
}

/// A plain access.
#[derive(Clone, Copy)]
enum Access {
    Load(Load),
    Store(Store),
}

impl Access {
    fn of(ctx: &Context, op: Ptr<Operation>) -> Option<Access> {
        let load = Operation::get_op::<Load>(op, ctx).filter(|load| !load.is_volatile(ctx));
        let store = Operation::get_op::<Store>(op, ctx).filter(|store| !store.is_volatile(ctx));
        load.map(Access::Load).or(store.map(Access::Store))
    }

    fn address(self, ctx: &Context) -> Value {
        match self {
            Access::Load(load) => load.get_operand_address(ctx),
            Access::Store(store) => store.get_operand_address(ctx),
        }
    }
}

/// Lets an access see what `own`, the copy, has of its element. Several lanes may load it; who stores it is the only one.
/// Gives the question.
pub(super) fn ask(
    ctx: &mut Context,
    op: Ptr<Operation>,
    (copy, seen): (&PerGang, &Seen),
    own: Value,
) -> Option<Guard> {
    let access = Access::of(ctx, op)?;
    let shape = seen.shape.as_ref()?;
    let address = access.address(ctx);
    let (old, uses) = match access {
        Access::Load(load) => {
            let old = load.get_result(ctx);
            let uses = old.uses(ctx).into_iter();
            let uses = uses.map(|using| (using.user_op(), using.find_index(ctx)));
            (Some(old), uses.collect())
        }
        Access::Store(_) => (None, vec![]),
    };
    let mut e = match access {
        Access::Load(_) => Emitter::after(ctx, op),
        Access::Store(_) => Emitter::before(ctx, op),
    };
    let distance = distance(&mut e, copy, address);
    let end = e.i64(i128::from(shape.bytes()));
    let inside = e.cmp(CmpKind::LtU, distance, end);
    if let Some(asks) = inside.defining_op() {
        ASKS_ALIAS.set(e.ctx, asks, BoolAttr::new(true));
    }
    let results = || old.into_iter().collect::<Vec<_>>();
    let types: Vec<_> = results().iter().map(|old| old.get_type(e.ctx)).collect();
    let (choice, yes, no) = If::new(e.ctx, inside, types.clone());
    e.push(choice);
    e.at_end(no);
    e.finish(results());
    e.at_end(yes);
    let element = shape.element(&mut e, distance);
    let (found, one, none) = If::new(e.ctx, element.is_one, types);
    e.push(found);
    e.at_end(none);
    e.finish(results());
    e.at_end(one);
    match old {
        Some(old) => {
            let whole = with_part(&mut e, (copy, own), &element, old);
            e.finish(vec![whole]);
        }
        None => {
            bring(&mut e, copy, own, element.number);
            e.finish(vec![]);
        }
    }
    e.at_end(yes);
    let seen = results_of(e.ctx, found.get_operation());
    e.finish(seen);
    let new = results_of(e.ctx, choice.get_operation());
    for (user, index) in uses {
        Operation::replace_operand(user, e.ctx, index, *new.first()?);
    }
    Some(Guard {
        choice,
        index: distance,
        size: shape.bytes(),
        usual: Usual::Outside { old },
    })
}

/// How many bytes behind the first object an address is.
fn distance(e: &mut Emitter, copy: &PerGang, address: Value) -> Value {
    // Indices apart, so that it can be seen how it changes from iteration to iteration.
    let (mut base, mut steps) = (address, vec![]);
    while let Some(add) = base
        .defining_op()
        .and_then(|op| Operation::get_op::<PtrAdd>(op, e.ctx))
        && let Some(bytes) = pointee(e.ctx, base).and_then(|ty| bytes_of(e.ctx, ty))
    {
        steps.push((add.get_operand_index(e.ctx), bytes));
        base = add.get_operand_base(e.ctx);
    }
    let number = int(e.ctx, 64);
    let [base, start] =
        [base, copy.parameter.0].map(|address| e.int_cast(CastKind::PtrToInt, address, number));
    let mut distance = e.bin(BinKind::Sub, base, start);
    for (index, bytes) in steps {
        let index = e.widen(index, false);
        let bytes = e.i64(i128::from(bytes));
        let step = e.bin(BinKind::Mul, index, bytes);
        distance = e.bin(BinKind::Add, distance, step);
    }
    distance
}

/// What is in an element, or in a part of it, with what the copy has: `old` is what was loaded.
fn with_part(e: &mut Emitter, (copy, own): (&PerGang, Value), at: &Element, old: Value) -> Value {
    let k = at.number;
    let part = element_of(e, own, k);
    let added = e.load(part);
    let (element, ty) = (copy.places.element, old.get_type(e.ctx));
    if ty == element {
        let whole = Bin::new(e.ctx, copy.merge, old, added);
        return e.value(whole);
    }
    let place = original(e, copy, k);
    let whole = e.load(place);
    let whole = Bin::new(e.ctx, copy.merge, whole, added);
    let whole = e.value(whole);
    if int_width(e.ctx, element).is_some() && int_width(e.ctx, ty).is_some() {
        let eight = e.i64(8);
        let bits = e.bin(BinKind::Mul, at.byte, eight);
        let bits = e.narrow(bits, element);
        let low = e.bin(BinKind::ShrU, whole, bits);
        return e.narrow(low, ty);
    }
    let bits = e.alloca(element, None);
    e.store(whole, bits);
    let byte = int(e.ctx, 8);
    let byte = pointer(e.ctx, byte);
    let first = e.int_cast(CastKind::PtrCast, bits, byte);
    let at = e.ptr_add(first, at.byte);
    let of_part = pointer(e.ctx, ty);
    let at = e.int_cast(CastKind::PtrCast, at, of_part);
    e.load(at)
}

/// Adds what the copy has of element `k` to the element. Where it has nothing, it may be about what stands behind an array of which nobody
/// knows the length.
fn bring(e: &mut Emitter, copy: &PerGang, own: Value, k: Value) {
    let part = element_of(e, own, k);
    let added = e.load(part);
    let some = is_some(e, added);
    let (choice, yes, no) = If::new(e.ctx, some, vec![]);
    e.push(choice);
    e.at_end(no);
    e.finish(vec![]);
    e.at_end(yes);
    let element = original(e, copy, k);
    let old = e.load(element);
    let whole = Bin::new(e.ctx, copy.merge, old, added);
    let whole = e.value(whole);
    e.store(whole, element);
    let zero = e.zero(copy.places.element);
    e.store(zero, part);
    e.finish(vec![]);
    e.go_after(choice.get_operation());
}
