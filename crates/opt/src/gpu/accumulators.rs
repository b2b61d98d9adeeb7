//! Pass `accumulators`: what a loop updates at one place in memory is kept in a variable, where the run shows that nothing else of
//! the loop is there, on GPUs.
//!
//! Without `restrict` any load of the loop may read what the store has written, so that each iteration waits for its store:
//!
//! ```text
//!                                             if (lo < hi && apart(&y[j], &a[lo * n + j] … &a[(hi - 1) * n + j])) {
//!                                               s = y[j]
//! for i = lo to hi {                            for i = lo to hi { s += a[i * n + j] * x[col[i]] }
//!   y[j] += a[i * n + j] * x[col[i]]     →      y[j] = s
//! }                                           } else for i = lo to hi { as it was }
//! ```
//! 1. In a loop without loops, calls, atomic accesses and copies, the stores at addresses that do not change are found, if each
//!    iteration reaches them or the thread has stored there before; all that is accessed there goes to a variable.
//! 2. Other accesses move by the same distance in each iteration ([`crate::analysis::affine::motion`]): the first and the last one
//!    say where all of them are, and are compared with the place before the loop.
//!    Where these are many comparisons, as for the elements of a block of rows and columns, places at constant distances from each other
//!    are compared as one, and so is all that is accessed of one array.
//! 3. A load from anywhere, of the same type, gets the variable's value where its address is the place's: both are multiples of
//!    their size, so that they are the same or apart. A store to anywhere leaves the loop as it is.
//!
//! Results are the same bits. Not for loops whose iterations lanes share. Cost: linear in the size of the loops; a loop that gains
//! is there twice.

use accrue_dialects::{
    address_use::object_of,
    address_use::{UseKind, use_of},
    core::{
        BinKind, Cast, CastKind, CmpKind, Decay, For, If, Load, Member, PtrAdd, Store, float_width,
        int, int_width, pointee, pointee_of,
    },
    core::{emit::Emitter, fold::constant},
};
use accrue_ir::walk::{nested, nested_ops, operands_of, ops_of_block};
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, OneResultInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

use crate::{
    State, Switch,
    analysis::{
        affine::{Affine, Place, motion::Iterations},
        straight::{PureFunctions, is_straight},
        variables::{is_in_variable, is_local_scalar},
    },
    transform::inline::device_functions,
};

const NAME: &str = "accumulators";

/// Places that a loop may keep in variables.
const MOST_PLACES: usize = 16;
/// Comparisons of places with what else is accessed.
const MOST_CHECKS: usize = 24;

/// Keeps what loops of kernels, and of the functions they call, update.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.promotes_memory || state.off.is_off(Switch::Accumulators) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in device_functions(ctx, module) {
        for lp in nested::<For>(ctx, func.get_operation()) {
            let Some(found) = found(ctx, lp, &pure) else {
                continue;
            };
            let message = "keeps what it updates in memory in a register, where the addresses of this run allow it";
            state.remark(ctx, lp.get_operation(), NAME, message.to_string());
            make_version(ctx, lp, &found);
        }
    }
}

/// What a loop does to memory.
struct Found {
    /// Addresses that are the same in all iterations, and that may be stored to in any case.
    places: Vec<Value>,
    /// Those that are compared with others as one: they are apart from each other.
    together: Vec<Vec<Value>>,
    /// Other addresses, which are the same or move by the same distance: those that are compared as one.
    moving: Vec<Vec<Value>>,
    /// Loads from anywhere.
    anywhere: Vec<Load>,
}

/// The addresses that are the same in all iterations of `lp` and that each of them stores to, if it is a loop whose other accesses may
/// be compared with them.
pub(super) fn updated_places(ctx: &Context, lp: For, pure: &PureFunctions) -> Vec<Value> {
    let inside = nested_ops(ctx, lp.get_operation());
    let suitable = |op: &Ptr<Operation>| is_straight(ctx, *op, pure) && !is_other_access(ctx, *op);
    if constant(ctx, lp.get_operand_step(ctx)) != Some(1) || !inside.iter().all(suitable) {
        return vec![];
    }
    let mut iterations = Iterations::of(ctx, lp);
    let mut places: Vec<Value> = vec![];
    for op in inside {
        let Some(store) = Operation::get_op::<Store>(op, ctx) else {
            continue;
        };
        let address = store.get_operand_address(ctx);
        let each = op.deref(ctx).get_parent_block() == Some(lp.get_body(ctx, 0));
        let always = each || is_written_before(ctx, lp, address);
        let fixed = always
            && !is_in_variable(ctx, address)
            && iterations.stays(ctx, address)
            && pointee(ctx, address).is_some_and(|ty| is_word(ctx, ty));
        if fixed && !places.contains(&address) {
            places.push(address);
        }
    }
    places
}

fn found(ctx: &Context, lp: For, pure: &PureFunctions) -> Option<Found> {
    let inside = nested_ops(ctx, lp.get_operation());
    let mut iterations = Iterations::of(ctx, lp);
    let mut found = Found {
        places: updated_places(ctx, lp, pure),
        together: vec![],
        moving: vec![],
        anywhere: vec![],
    };
    let mut moving: Vec<Value> = vec![];
    if found.places.is_empty() || found.places.len() > MOST_PLACES {
        return None;
    }
    let mut staged = false;
    for op in inside {
        let load = Operation::get_op::<Load>(op, ctx);
        let store = Operation::get_op::<Store>(op, ctx);
        let Some(address) = load
            .map(|l| l.get_operand_address(ctx))
            .or(store.map(|s| s.get_operand_address(ctx)))
        else {
            continue;
        };
        let known = found.places.contains(&address) || moving.contains(&address);
        if known || is_local_scalar(ctx, address) {
            continue;
        }
        let in_tile = is_in_tile(ctx, address);
        staged |= in_tile;
        if in_tile || is_in_variable(ctx, address) {
            let mut places = found.places.iter();
            match places.all(|place| is_behind_parameter(ctx, *place)) {
                true => continue,
                false => return None,
            }
        }
        if iterations.moves_evenly(ctx, address) {
            moving.push(address);
            continue;
        }
        let ty = address.get_type(ctx);
        let mut places = found.places.iter();
        match load.filter(|_| places.all(|place| place.get_type(ctx) == ty)) {
            Some(load) => found.anywhere.push(load),
            None => return None,
        }
    }
    // A loop that loads and stores at one place only has nothing that could wait for it.
    let places = found.places.len();
    let others = staged || places > 1 || !moving.is_empty() || !found.anywhere.is_empty();
    let checks = |places: usize, moving: usize| places * moving + places * (places - 1) / 2;
    if checks(places, moving.len()) <= MOST_CHECKS {
        found.together = found.places.iter().map(|place| vec![*place]).collect();
        found.moving = moving.into_iter().map(|address| vec![address]).collect();
    } else {
        found.together = at_constant_distances(ctx, &found.places)?;
        found.moving = of_one_object(ctx, &moving);
    }
    (others && checks(found.together.len(), found.moving.len()) <= MOST_CHECKS).then_some(found)
}

/// Groups of addresses whose distances are constants; `None` if two are the same.
fn at_constant_distances(ctx: &Context, addresses: &[Value]) -> Option<Vec<Vec<Value>>> {
    let mut affine = Affine::default();
    let mut groups: Vec<Vec<(Place, i64, Value)>> = vec![];
    for address in addresses {
        let mut place = affine.place(ctx, *address);
        let (sum, constant) = place.distance.split();
        place.distance = sum;
        let same = groups.iter_mut().find(|group| group[0].0 == place);
        match same {
            Some(group) if group.iter().any(|(_, other, _)| *other == constant) => return None,
            Some(group) => group.push((place, constant, *address)),
            None => groups.push(vec![(place, constant, *address)]),
        }
    }
    let addresses =
        |group: Vec<(Place, i64, Value)>| group.into_iter().map(|member| member.2).collect();
    Some(groups.into_iter().map(addresses).collect())
}

/// Groups of addresses that start from the same value.
pub(super) fn of_one_object(ctx: &Context, addresses: &[Value]) -> Vec<Vec<Value>> {
    let mut groups: Vec<(Value, Vec<Value>)> = vec![];
    for address in addresses {
        let object = object_of(ctx, *address);
        match groups.iter_mut().find(|(other, _)| *other == object) {
            Some((_, group)) => group.push(*address),
            None => groups.push((object, vec![*address])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Whether the thread has stored to the address right before the loop, so that it may do so again whatever the iterations do.
fn is_written_before(ctx: &Context, lp: For, address: Value) -> bool {
    let mut at = lp.get_operation().deref(ctx).get_prev();
    while let Some(op) = at {
        if op.deref(ctx).num_regions() > 0 {
            return false;
        }
        let store = Operation::get_op::<Store>(op, ctx);
        if store.is_some_and(|store| store.get_operand_address(ctx) == address) {
            return true;
        }
        at = op.deref(ctx).get_prev();
    }
    false
}

/// The loads and stores of a loop at `address`, with the operand that it is.
pub(super) fn accesses_at(ctx: &Context, lp: For, address: Value) -> Vec<(Ptr<Operation>, usize)> {
    let inside = nested_ops(ctx, lp.get_operation()).into_iter();
    let there = inside.filter_map(|op| {
        let load = Operation::get_op::<Load>(op, ctx).map(|l| (l.get_operand_address(ctx), 0));
        let store = Operation::get_op::<Store>(op, ctx).map(|s| (s.get_operand_address(ctx), 1));
        let (accessed, operand) = load.or(store)?;
        (accessed == address).then_some((op, operand))
    });
    there.collect()
}

/// Accesses that are not plain loads and stores of scalars.
pub(super) fn is_other_access(ctx: &Context, op: Ptr<Operation>) -> bool {
    let plain = Operation::is_op::<Load>(op, ctx) || Operation::is_op::<Store>(op, ctx);
    let operands = 0..operands_of(ctx, op).len();
    let mut uses = operands.map(|index| use_of(ctx, op, index));
    !plain
        && uses.any(|use_| match use_ {
            UseKind::Read { .. } | UseKind::Write { .. } | UseKind::Update { .. } => true,
            UseKind::Derive | UseKind::Look | UseKind::Pass | UseKind::Clause | UseKind::Keep => {
                false
            }
        })
}

/// Whether values of the type are in one register, and at multiples of their size.
pub(super) fn is_word(ctx: &Context, ty: TypeHandle) -> bool {
    let bits = int_width(ctx, ty).or_else(|| float_width(ctx, ty));
    matches!(bits, Some(8 | 16 | 32 | 64)) || pointee_of(ctx, ty).is_some()
}

/// Whether the address is in a variable that a pointer walks through, as through elements that are staged ([`super::staging`]).
fn is_in_tile(ctx: &Context, address: Value) -> bool {
    let from = object_of(ctx, address).defining_op();
    let Some(load) = from.and_then(|op| Operation::get_op::<Load>(op, ctx)) else {
        return false;
    };
    let pointer = load.get_operand_address(ctx);
    let stores = |op| Operation::get_op::<Store>(op, ctx);
    let users = pointer.uses(ctx).into_iter().map(|u| u.user_op());
    is_local_scalar(ctx, pointer)
        && users.filter_map(stores).all(|store| {
            let stored = store.get_operand_value(ctx);
            let goes_on = object_of(ctx, stored)
                .defining_op()
                .and_then(|op| Operation::get_op::<Load>(op, ctx))
                .is_some_and(|load| load.get_operand_address(ctx) == pointer);
            goes_on || is_in_variable(ctx, stored)
        })
}

/// Whether the address is that of memory behind a parameter, which no variable of the function is in.
pub(super) fn is_behind_parameter(ctx: &Context, address: Value) -> bool {
    let mut at = address;
    while let Some(op) = at.defining_op() {
        at = if let Some(element) = Operation::get_op::<PtrAdd>(op, ctx) {
            element.get_operand_base(ctx)
        } else if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            member.get_operand(ctx)
        } else if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            decay.get_operand(ctx)
        } else {
            return false;
        };
    }
    true
}

fn make_version(ctx: &mut Context, lp: For, found: &Found) {
    let (lower, upper) = (lp.get_operand_lower(ctx), lp.get_operand_upper(ctx));
    let mut iterations = Iterations::of(ctx, lp);
    let width = int_width(ctx, lower.get_type(ctx)).unwrap_or(64);
    let unsigned = lp.info(ctx).unsigned;
    let mut e = Emitter::before(ctx, lp.get_operation());
    let places: Vec<Value> = found
        .places
        .iter()
        .map(|place| iterations.at(&mut e, *place, lower))
        .collect();
    let one = e.int(width, 1);
    let last = e.bin(BinKind::Sub, upper, one);
    let before = if unsigned { CmpKind::LtU } else { CmpKind::LtS };
    let mut good = e.cmp(before, lower, upper);
    let of_places: Vec<Span> = found
        .together
        .iter()
        .map(|group| {
            let members = found.places.iter().zip(&places);
            let members = members.filter(|(place, _)| group.contains(place));
            let members: Vec<Value> = members.map(|(_, now)| *now).collect();
            span(&mut e, &members)
        })
        .collect();
    let of_others: Vec<Span> = found
        .moving
        .iter()
        .map(|group| {
            let ends = group
                .iter()
                .flat_map(|address| [(*address, lower), (*address, last)]);
            let ends: Vec<Value> = ends
                .map(|(address, iv)| iterations.at(&mut e, address, iv))
                .collect();
            span(&mut e, &ends)
        })
        .collect();
    for (number, place) in of_places.iter().enumerate() {
        for other in of_places[number + 1..].iter().chain(&of_others) {
            good = and_apart(&mut e, good, *place, *other);
        }
    }
    // From here on each place is one value.
    for (from, to) in found.places.iter().zip(&places) {
        if from != to {
            from.replace_all_uses_with(e.ctx, to);
        }
    }
    let (choice, fast, slow) = If::new(e.ctx, good, vec![]);
    e.push(choice);
    e.at_end(fast);
    let kept: Vec<(Value, Value)> = places
        .iter()
        .map(|place| {
            let value = e.load(*place);
            let ty = value.get_type(e.ctx);
            let variable = e.alloca(ty, None);
            e.store(value, variable);
            (*place, variable)
        })
        .collect();
    copy_loop(&mut e, lp, found, &kept);
    for (place, variable) in &kept {
        let value = e.load(*variable);
        e.store(value, *place);
    }
    e.finish(vec![]);
    e.at_end(slow);
    lp.get_operation().unlink(e.ctx);
    e.push_operation(lp.get_operation());
    e.finish(vec![]);
}

/// Where objects begin and end.
pub(super) type Span = [Value; 2];

/// `good`, and the two have nothing in common.
pub(super) fn and_apart(e: &mut Emitter, good: Value, one: Span, other: Span) -> Value {
    let below = e.cmp(CmpKind::LeU, one[1], other[0]);
    let above = e.cmp(CmpKind::LeU, other[1], one[0]);
    let (yes, no) = (e.int(1, 1), e.int(1, 0));
    let apart = e.select(below, yes, above);
    e.select(good, apart, no)
}

/// What holds the objects at all of these addresses, of which there is one at least.
pub(super) fn span(e: &mut Emitter, addresses: &[Value]) -> Span {
    let mut whole = around(e, addresses[0]);
    for address in &addresses[1..] {
        let [begin, end] = around(e, *address);
        whole = [
            e.bin(BinKind::MinU, whole[0], begin),
            e.bin(BinKind::MaxU, whole[1], end),
        ];
    }
    whole
}

/// Where the object at `address` begins and ends.
fn around(e: &mut Emitter, address: Value) -> Span {
    let one = e.i64(1);
    let end = e.ptr_add(address, one);
    [address, end].map(|pointer| number(e, pointer))
}

fn number(e: &mut Emitter, pointer: Value) -> Value {
    let word = int(e.ctx, 64);
    let cast = Cast::new(e.ctx, CastKind::PtrToInt, pointer, word);
    e.value(cast)
}

/// Writes the loop with the places' values in variables.
fn copy_loop(e: &mut Emitter, lp: For, found: &Found, kept: &[(Value, Value)]) {
    let bounds = [
        lp.get_operand_lower(e.ctx),
        lp.get_operand_upper(e.ctx),
        lp.get_operand_step(e.ctx),
    ];
    let [lower, upper, step] = bounds;
    let info = lp.info(e.ctx);
    let (new, block) = For::new(e.ctx, lower, upper, step, info);
    if lp.is_jammed(e.ctx) {
        new.set_jammed(e.ctx);
    }
    if lp.is_staged(e.ctx) {
        new.set_staged(e.ctx);
    }
    e.push(new);
    e.at_end(block);
    let (old, counter) = (lp.get_body(e.ctx, 0), block.deref(e.ctx).get_argument(0));
    let mut mapping = IrMapping::new();
    mapping.map_value(old.deref(e.ctx).get_argument(0), counter);
    for op in ops_of_block(e.ctx, old) {
        e.copy(op, &mut mapping);
    }
    for load in &found.anywhere {
        let loaded = mapping.lookup_value_or_default(load.get_result(e.ctx));
        if let Some(op) = loaded.defining_op() {
            choose(e.ctx, op, loaded, kept);
        }
    }
    for op in nested_ops(e.ctx, new.get_operation()) {
        for (place, variable) in kept {
            let from = Operation::get_op::<Load>(op, e.ctx).map(|l| l.get_operand_address(e.ctx));
            let to = Operation::get_op::<Store>(op, e.ctx).map(|s| s.get_operand_address(e.ctx));
            match (from == Some(*place), to == Some(*place)) {
                (true, _) => Operation::replace_operand(op, e.ctx, 0, *variable),
                (_, true) => Operation::replace_operand(op, e.ctx, 1, *variable),
                (false, false) => {}
            }
        }
    }
    e.go_after(new.get_operation());
}

/// What was loaded from anywhere is the variable's value where it was loaded from the place.
fn choose(ctx: &mut Context, load: Ptr<Operation>, loaded: Value, kept: &[(Value, Value)]) {
    let Some(address) = Operation::get_op::<Load>(load, ctx).map(|l| l.get_operand_address(ctx))
    else {
        return;
    };
    let uses = loaded.uses(ctx).into_iter();
    let users: Vec<_> = uses.map(|using| using.user_op()).collect();
    let mut e = Emitter::after(ctx, load);
    let here = number(&mut e, address);
    let mut value = loaded;
    for (place, variable) in kept {
        let there = number(&mut e, *place);
        let same = e.cmp(CmpKind::Eq, here, there);
        let held = e.load(*variable);
        value = e.select(same, held, value);
    }
    for user in users {
        for (index, operand) in operands_of(e.ctx, user).into_iter().enumerate() {
            if operand == loaded {
                Operation::replace_operand(user, e.ctx, index, value);
            }
        }
    }
}
