//! Pass `recurrences`: what a sequential loop loads and has stored in the iteration before is kept in a variable, on GPUs.
//!
//! A thread that solves its own equations waits in each iteration for what it has just stored to come back from memory:
//!
//! ```text
//!                                               if (lo < hi)  kept = x[(lo - 1) * n + s]
//!                                               same = &c[lo * n + s] == &x[(lo - 1) * n + s]
//! for k = lo to hi {                            for k = lo to hi {
//!   c[k * n + s] = p                              c[k * n + s] = p;  kept = same ? p : kept
//!   x[k * n + s] -= p * x[(k - 1) * n + s]  →     kept = x[k * n + s] - p * kept;  x[k * n + s] = kept
//! }                                             }
//! ```
//! 1. In a loop without loops, calls, atomic accesses and copies whose iterations go one after the other, the loads are found that are at
//!    the address of a store one iteration earlier ([`crate::analysis::affine::motion`]), and stand before it in the body.
//! 2. Other stores between the two may be to the same place. They are of the same type, so that they are there or apart; and their
//!    addresses move by the same distance, so that one comparison in front of the loop says so for all iterations. Where that is not so,
//!    the load stays.
//! 3. The first iteration's value is loaded in front of the loop, if there is one: it would have been loaded anyway.
//!
//! Results are the same bits. Cost: linear in the size of the loop, times its loads.

use accrue_dialects::core::{CmpKind, For, Load, Store, emit::Emitter, fold::constant, pointee};
use accrue_ir::walk::{nested, nested_ops, ops_of_block};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
};

use super::accumulators::{is_behind_parameter, is_other_access, is_word};
use crate::{
    State, Switch,
    analysis::{
        affine::motion::{Iterations, Meeting},
        straight::{PureFunctions, is_straight},
        variables::{is_in_variable, is_local_scalar},
    },
    transform::inline::device_functions,
};

const NAME: &str = "recurrences";

/// Values that a loop may keep: each is a register or two.
const MOST_KEPT: usize = 8;
/// Stores that may be at the place of one of them.
const MOST_CHECKS: usize = 4;

/// Keeps what loops of kernels, and of the functions they call, have stored.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.promotes_memory || state.off.is_off(Switch::Recurrences) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in device_functions(ctx, module) {
        for lp in nested::<For>(ctx, func.get_operation()) {
            let (found, in_the_way) = found(ctx, lp, &pure);
            if in_the_way {
                let message = "loads again what it has stored in the iteration before: it may store something else there meanwhile";
                state.remark(ctx, lp.get_operation(), NAME, message.to_string());
            }
            if found.is_empty() {
                continue;
            }
            let what = match found.len() {
                1 => "1 value".to_string(),
                n => format!("{n} values"),
            };
            let message =
                format!("keeps {what} that it has stored in a register for the iteration behind");
            state.remark(ctx, lp.get_operation(), NAME, message);
            for kept in found {
                keep(ctx, lp, &kept);
            }
        }
    }
}

/// A load of what the iteration before has stored.
struct Kept {
    load: Load,
    store: Store,
    /// Stores behind `store`, in the iteration before, that may be at its place, …
    behind: Vec<Store>,
    /// … and in front of the load, that may be at the place of that.
    before: Vec<Store>,
}

/// What a load could get of the store of an iteration before.
enum Followed {
    Nothing,
    Kept(Kept),
    /// Other stores may be at the place, now and then.
    InTheWay,
}

/// What can be kept in a loop, and whether there are loads of what has been stored besides.
fn found(ctx: &Context, lp: For, pure: &PureFunctions) -> (Vec<Kept>, bool) {
    let inside = nested_ops(ctx, lp.get_operation());
    let suitable = |op: &Ptr<Operation>| is_straight(ctx, *op, pure) && !is_other_access(ctx, *op);
    let by_ones = constant(ctx, lp.get_operand_step(ctx)) == Some(1);
    if !by_ones || lp.info(ctx).independent || !inside.iter().all(suitable) {
        return (vec![], false);
    }
    let body = ops_of_block(ctx, lp.get_body(ctx, 0));
    let mut stores = vec![];
    for op in &inside {
        let Some(store) = Operation::get_op::<Store>(*op, ctx) else {
            continue;
        };
        if is_local_scalar(ctx, store.get_operand_address(ctx)) {
            continue;
        }
        // What only some iterations store is not followed.
        let Some(at) = body.iter().position(|other| other == op) else {
            return (vec![], false);
        };
        stores.push((at, store));
    }
    let mut iterations = Iterations::of(ctx, lp);
    let loads = body.iter().enumerate();
    let loads = loads.filter_map(|(at, op)| Some((at, Operation::get_op::<Load>(*op, ctx)?)));
    let (mut all, mut in_the_way) = (vec![], false);
    for load in loads {
        match follow(ctx, &mut iterations, load, &stores) {
            Followed::Nothing => {}
            Followed::Kept(kept) => all.push(kept),
            Followed::InTheWay => in_the_way = true,
        }
    }
    all.truncate(MOST_KEPT);
    (all, in_the_way)
}

/// The store whose value the load gets, and what may be written there in between.
fn follow(
    ctx: &Context,
    iterations: &mut Iterations,
    (at, load): (usize, Load),
    stores: &[(usize, Store)],
) -> Followed {
    let address = load.get_operand_address(ctx);
    let ty = pointee(ctx, address).filter(|ty| is_word(ctx, *ty));
    if ty.is_none() || is_in_variable(ctx, address) || !is_behind_parameter(ctx, address) {
        return Followed::Nothing;
    }
    let mut later = stores.iter().rev().filter(|(store, _)| *store > at);
    let next = later.find(|(_, store)| {
        let stored = store.get_operand_address(ctx);
        pointee(ctx, stored) == ty && iterations.is_next(ctx, address, stored)
    });
    let Some((from, store)) = next else {
        return Followed::Nothing;
    };
    let mut kept = Kept {
        load,
        store: *store,
        behind: vec![],
        before: vec![],
    };
    for (other_at, other) in stores {
        // What is stored between the load and the store is stored over.
        let (list, place) = match (other_at > from, *other_at < at) {
            (true, _) => (&mut kept.behind, store.get_operand_address(ctx)),
            (false, true) => (&mut kept.before, address),
            (false, false) => continue,
        };
        let there = other.get_operand_address(ctx);
        if is_in_variable(ctx, there) {
            continue;
        }
        match iterations.meeting(ctx, there, place) {
            Meeting::Never => {}
            Meeting::AlwaysOrNever if pointee(ctx, there) == ty => list.push(*other),
            Meeting::AlwaysOrNever | Meeting::Unknown => return Followed::InTheWay,
        }
    }
    match kept.behind.len() + kept.before.len() <= MOST_CHECKS {
        true => Followed::Kept(kept),
        false => Followed::InTheWay,
    }
}

fn keep(ctx: &mut Context, lp: For, kept: &Kept) {
    let (lower, upper) = (lp.get_operand_lower(ctx), lp.get_operand_upper(ctx));
    let unsigned = lp.info(ctx).unsigned;
    let mut iterations = Iterations::of(ctx, lp);
    let address = kept.load.get_operand_address(ctx);
    let stored = kept.store.get_operand_address(ctx);
    let mut e = Emitter::before(ctx, lp.get_operation());
    let loaded = kept.load.get_result(e.ctx);
    let ty = loaded.get_type(e.ctx);
    let variable = e.alloca(ty, None);
    let first = iterations.at(&mut e, address, lower);
    let checks = [(&kept.before, address), (&kept.behind, stored)];
    let mut same = vec![];
    for (others, place) in checks {
        let place = iterations.at(&mut e, place, lower);
        for other in others {
            let there = other.get_operand_address(e.ctx);
            let there = iterations.at(&mut e, there, lower);
            let is_same = e.cmp(CmpKind::Eq, there, place);
            same.push((*other, is_same));
        }
    }
    let before = if unsigned { CmpKind::LtU } else { CmpKind::LtS };
    let some = e.cmp(before, lower, upper);
    let begin = |e: &mut Emitter| -> Result<(), std::convert::Infallible> {
        let value = e.load(first);
        e.store(value, variable);
        Ok(())
    };
    match e.when(some, begin) {
        Ok(_) => {}
        Err(never) => match never {},
    }
    for (other, is_same) in same {
        let value = other.get_operand_value(e.ctx);
        let mut e = Emitter::after(e.ctx, other.get_operation());
        let held = e.load(variable);
        let value = e.select(is_same, value, held);
        e.store(value, variable);
    }
    let value = kept.store.get_operand_value(ctx);
    Emitter::after(ctx, kept.store.get_operation()).store(value, variable);
    let mut e = Emitter::before(ctx, kept.load.get_operation());
    let held = e.load(variable);
    loaded.replace_all_uses_with(e.ctx, &held);
    Operation::erase(kept.load.get_operation(), ctx);
}
