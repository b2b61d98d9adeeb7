//! Pass `scalar-promotion`: what the loops of a thread update at one place in memory is kept in a variable, in versions of kernels for
//! launches whose arguments lead to memory that does not overlap, on GPUs.
//!
//! Programs without `restrict` add up in memory what others add up in a variable:
//!
//! ```text
//! y[i] = 0                                      s = 0
//! for j = 0 to n {                       →      for j = 0 to n { s += a[i * n + j] * x[j] }
//!   y[i] += a[i * n + j] * x[j]                 y[i] = s
//! }
//! ```
//! Any load may read what such a store has written, unless the launch finds that it does not ([`super::grid_versions`] asks for that
//! where a kernel may gain). Then the loop is one like any other to all passes behind this one: it is unrolled, rows that its lanes walk
//! along are staged, threads do several rows. [`super::accumulators`] sees to what is left, where the run shows that addresses are apart.
//!
//! 1. The outermost loop is taken in which the address stays, however many loops and branches are in it, without calls, atomic accesses and
//!    returns.
//! 2. All else that the loop accesses is behind another parameter, in a variable of the thread, at the same place, at a constant distance from
//!    it, or apart as [`Overlap`] says.
//! 3. Each iteration comes to a store there, or the thread has stored there before: behind the loop it may do so again. A loop that may have no
//!    iterations is asked first, in the former case.
//!
//! Results are the same bits. Cost: the size of each loop, times its places.

use accrue_dialects::{
    core::{Alloca, For, If, Load, Store, emit::Emitter, fold::constant, pointee},
    flow::Flow,
    par::kernels::{APART, IF_APART},
};
use accrue_ir::{
    effects::is_pure,
    walk::{directly_in, nested, nested_ops},
};
use pliron::{
    builtin::{
        attributes::BoolAttr,
        op_interfaces::SingleBlockRegionInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use super::accumulators::{is_other_access, is_word};
use crate::{
    State,
    analysis::{
        affine::{Affine, Place, motion::Iterations},
        overlap::Overlap,
        parameters::parameters_behind,
        records::Records,
        straight::{PureFunctions, is_straight},
        variables::is_in_variable,
    },
};

/// Places that a loop may keep in variables.
const MOST_PLACES: usize = 8;

/// Promotes what the loops of versions that may be for arguments that are apart update. Versions that gain nothing stay for all launches.
pub fn run(ctx: &mut Context, module: ModuleOp, _: &mut State) {
    let pure = PureFunctions::of(ctx, module);
    let records = Records::of_module(ctx, module);
    for func in directly_in::<FuncOp>(ctx, module.get_operation()) {
        if !IF_APART.is_on(ctx, func.get_operation()) {
            continue;
        }
        for lp in nested::<For>(ctx, func.get_operation()) {
            let places = places(ctx, lp, &pure, &mut Overlap::new(ctx, module, &records));
            if places.is_empty() {
                continue;
            }
            promote(ctx, lp, places);
            APART.set(ctx, func.get_operation(), BoolAttr::new(true));
        }
    }
}

/// A place in memory that a loop updates, behind a parameter.
struct Kept {
    place: Place,
    parameter: Value,
    /// One of the addresses that the loop computes.
    address: Value,
    /// The loop's loads and stores there, with the operand that is the address.
    accesses: Vec<(Ptr<Operation>, usize)>,
    /// Each iteration comes to one of the stores.
    always: bool,
    /// What the thread has stored there before the loop.
    before: Option<Before>,
}

/// A store in front of a loop.
#[derive(Clone, Copy)]
struct Before {
    store: Store,
    /// Between it and the loop nothing is read, and nothing else written that may be there.
    is_last: bool,
}

/// The places that a variable may stand for in the loop.
fn places(ctx: &Context, lp: For, pure: &PureFunctions, overlap: &mut Overlap) -> Vec<Kept> {
    let inside = nested_ops(ctx, lp.get_operation());
    let step = constant(ctx, lp.get_operand_step(ctx));
    let counts = step.is_some_and(|step| step != 0);
    if !counts || !inside.iter().all(|op| may_be_inside(ctx, *op, pure)) {
        return vec![];
    }
    let jumps = |op: &Ptr<Operation>| matches!(Flow::of(ctx, *op), Flow::Break | Flow::Continue);
    let jumps = inside.iter().any(jumps);
    let mut iterations = Iterations::of(ctx, lp);
    let mut found: Vec<Kept> = vec![];
    for (op, address, operand) in accesses(ctx, &inside) {
        let stays = operand == STORED && iterations.stays(ctx, address);
        if !stays || !pointee(ctx, address).is_some_and(|ty| is_word(ctx, ty)) {
            continue;
        }
        let place = iterations.place(ctx, address);
        let always = !jumps && op.deref(ctx).get_parent_block() == Some(lp.get_body(ctx, 0));
        match found.iter_mut().find(|kept| kept.place == place) {
            Some(kept) => kept.always |= always,
            None => found.extend(only_parameter(ctx, address).map(|parameter| Kept {
                before: before(ctx, lp, address, parameter),
                place,
                parameter,
                address,
                accesses: vec![],
                always,
            })),
        }
    }
    found.retain(|kept| kept.always || kept.before.is_some());
    for (op, address, operand) in accesses(ctx, &inside) {
        let place = iterations.place(ctx, address);
        let parameters = parameters_behind(ctx, address);
        found.retain_mut(|kept| {
            if kept.place == place {
                kept.accesses.push((op, operand));
                return pointee(ctx, address) == pointee(ctx, kept.address);
            }
            let parameters = parameters.as_deref();
            parameters.is_some_and(|all| !all.contains(&kept.parameter))
                || kept.place.is_apart_from(&place)
                || overlap.are_apart(ctx, kept.address, address)
        });
    }
    found.truncate(MOST_PLACES);
    found
}

/// The operand of a load and of a store that is the address.
const LOADED: usize = 0;
const STORED: usize = 1;

/// The loads and stores that are not of the thread's own variables, with the address and which operand it is.
fn accesses(ctx: &Context, ops: &[Ptr<Operation>]) -> Vec<(Ptr<Operation>, Value, usize)> {
    let access = |op: &Ptr<Operation>| {
        let load = Operation::get_op::<Load>(*op, ctx);
        let store = Operation::get_op::<Store>(*op, ctx);
        let loaded = load.map(|load| (*op, load.get_operand_address(ctx), LOADED));
        loaded.or(store.map(|store| (*op, store.get_operand_address(ctx), STORED)))
    };
    let all = ops.iter().filter_map(access);
    all.filter(|(_, address, _)| !is_in_variable(ctx, *address))
        .collect()
}

/// Whether a loop may have the operation in it: it accesses memory by loads and stores only, and the thread goes on behind the loop.
fn may_be_inside(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
    let goes_on = match Flow::of(ctx, op) {
        Flow::For(_) | Flow::Loop(_) | Flow::Switch(_) | Flow::Break | Flow::Continue => true,
        Flow::Next | Flow::If(_) | Flow::Yield => is_straight(ctx, op, pure),
        Flow::Once | Flow::Shared | Flow::Return => false,
    };
    goes_on && !is_other_access(ctx, op)
}

fn only_parameter(ctx: &Context, address: Value) -> Option<Value> {
    match parameters_behind(ctx, address)?[..] {
        [parameter] => Some(parameter),
        _ => None,
    }
}

/// The store of the thread at a place right in front of the loop.
fn before(ctx: &Context, lp: For, address: Value, parameter: Value) -> Option<Before> {
    let mut affine = Affine::default();
    let place = affine.place(ctx, address);
    let mut is_last = true;
    let mut at = lp.get_operation().deref(ctx).get_prev();
    while let Some(op) = at {
        if op.deref(ctx).num_regions() > 0 {
            return None;
        }
        match Operation::get_op::<Store>(op, ctx) {
            Some(store) => {
                let address = store.get_operand_address(ctx);
                let there = affine.place(ctx, address);
                if there == place {
                    return Some(Before { store, is_last });
                }
                let elsewhere = is_in_variable(ctx, address)
                    || parameters_behind(ctx, address).is_some_and(|all| !all.contains(&parameter))
                    || there.is_apart_from(&place);
                is_last &= elsewhere;
            }
            None => is_last &= is_pure(ctx, op) || is_own_load(ctx, op),
        }
        at = op.deref(ctx).get_prev();
    }
    None
}

/// Whether the operation loads from one of the thread's own variables, or makes one.
fn is_own_load(ctx: &Context, op: Ptr<Operation>) -> bool {
    let load = Operation::get_op::<Load>(op, ctx);
    Operation::is_op::<Alloca>(op, ctx)
        || load.is_some_and(|load| is_in_variable(ctx, load.get_operand_address(ctx)))
}

/// Lets variables stand for the places.
fn promote(ctx: &mut Context, lp: For, places: Vec<Kept>) {
    let (lower, upper) = (lp.get_operand_lower(ctx), lp.get_operand_upper(ctx));
    let mut iterations = Iterations::of(ctx, lp);
    let mut e = Emitter::before(ctx, lp.get_operation());
    let addresses: Vec<Value> = places
        .iter()
        .map(|kept| iterations.at(&mut e, kept.address, lower))
        .collect();
    let goes_on = lp.goes_on(e.ctx);
    let any = e.cmp(goes_on, lower, upper);
    let is_certain = constant(e.ctx, any) == Some(1);
    let asks = |kept: &Kept| !is_certain && kept.before.is_none();
    let mut variables = vec![];
    for (kept, address) in places.iter().zip(&addresses) {
        let ty = pointee(e.ctx, *address).unwrap_or_else(|| address.get_type(e.ctx));
        let variable = e.alloca(ty, None);
        variables.push(variable);
        match kept.before {
            Some(before) if before.is_last => {
                let value = before.store.get_operand_value(e.ctx);
                e.store(value, variable);
            }
            None if asks(kept) => copy_if(&mut e, any, *address, variable),
            Some(_) | None => copy(&mut e, *address, variable),
        }
    }
    e.go_after(lp.get_operation());
    for ((kept, address), variable) in places.iter().zip(&addresses).zip(&variables) {
        match asks(kept) {
            true => copy_if(&mut e, any, *variable, *address),
            false => copy(&mut e, *variable, *address),
        }
    }
    for (kept, variable) in places.iter().zip(variables) {
        for (op, operand) in &kept.accesses {
            Operation::replace_operand(*op, ctx, *operand, variable);
        }
        if let Some(before) = kept.before.filter(|before| before.is_last) {
            Operation::erase(before.store.get_operation(), ctx);
        }
    }
}

fn copy(e: &mut Emitter, from: Value, to: Value) {
    let value = e.load(from);
    e.store(value, to);
}

/// The loop is not in the condition: what lanes do together in it they come to in any case.
fn copy_if(e: &mut Emitter, condition: Value, from: Value, to: Value) {
    let (choice, then, otherwise) = If::new(e.ctx, condition, vec![]);
    e.push(choice);
    e.at_end(then);
    copy(e, from, to);
    e.finish(vec![]);
    e.at_end(otherwise);
    e.finish(vec![]);
    e.go_after(choice.get_operation());
}
