//! Pass `private-scalars`: scalars that every iteration of a worker or vector loop assigns before it uses them become the
//! iteration's own, if nothing behind the loop uses what they hold.
//!
//! ```text
//! double t;
//! #pragma acc parallel loop gang vector             … gang vector private(t)
//! for (int i = 0; i < n; i++) {                 →
//!     t = x[i];
//!     y[i] = t * t;
//! }
//! ```
//!
//! By the letter of the specification `t` exists once per gang, and its lanes overwrite each other's values (OpenACC 3.4, section
//! 2.6.1). Programs leave the clause out all the same, since compilers add it, or keep a variable in the registers of each
//! thread. A program that is right without the clause cannot tell the difference.
//!
//! Steps, for the loops of a function from the outside in, and the scalars that each assigns: no use of the address but
//! loads, stores and reductions; no path through the loop's body to a load that does not pass a store first; no path from the
//! loop's end to a load that does not. Then the uses in the body are those of a new variable there.
//!
//! Cost: the size of the function for each loop and scalar.

use accrue_dialects::{
    acc::Loop,
    core::{Alloca, Store, is_scalar},
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::{OneRegionInterface, OneResultInterface, SingleBlockRegionInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    value::Value,
};

use crate::{
    State,
    emit::Emitter,
    first_use::{Effect, Path},
    variables::{defined_inside, describe, uses_in},
};

const NAME: &str = "private-scalars";

/// Gives iterations their own scalars in all loops over workers or lanes.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    for func in walk::nested::<FuncOp>(ctx, module.get_operation()) {
        for lp in walk::nested::<Loop>(ctx, func.get_operation()) {
            let levels = lp.levels(ctx).unwrap_or_default();
            if levels.worker || levels.vector {
                give_to_iterations(ctx, lp, state);
            }
        }
    }
}

/// Gives each iteration of `lp` its own of all scalars for which that is no difference.
pub fn give_to_iterations(ctx: &mut Context, lp: Loop, state: &mut State) {
    for variable in assigned(ctx, lp) {
        if belongs_to_iterations(ctx, lp, variable) {
            replace(ctx, lp, variable, state);
        }
    }
}

/// The scalars from outside of the loop that are assigned in it.
fn assigned(ctx: &Context, lp: Loop) -> Vec<Value> {
    let body = lp.get_region(ctx);
    let mut found = vec![];
    for store in walk::nested::<Store>(ctx, lp.get_operation()) {
        let address = store.get_operand_address(ctx);
        let alloca = address
            .defining_op()
            .and_then(|op| Operation::get_op::<Alloca>(op, ctx));
        let scalar =
            alloca.is_some_and(|a| a.count(ctx).is_none() && is_scalar(ctx, a.var_type(ctx)));
        if scalar && !found.contains(&address) && !defined_inside(ctx, address, body) {
            found.push(address);
        }
    }
    found
}

fn belongs_to_iterations(ctx: &Context, lp: Loop, variable: Value) -> bool {
    let path = Path { ctx, variable };
    path.is_plain(lp.get_operation())
        && path.in_region(lp.get_region(ctx)) != Effect::Reads
        && !path.is_used_behind(lp.get_operation())
}

fn replace(ctx: &mut Context, lp: Loop, variable: Value, state: &mut State) {
    let body = lp.get_region(ctx);
    let start = lp.get_body(ctx, 0).deref(ctx).get_head();
    let alloca = variable
        .defining_op()
        .and_then(|op| Operation::get_op::<Alloca>(op, ctx));
    let (Some(start), Some(alloca)) = (start, alloca) else {
        return;
    };
    let user = describe(ctx, variable);
    let name = user.name.clone();
    let ty = alloca.var_type(ctx);
    let own = Emitter::before(ctx, start).alloca(ty, Some(user));
    for used in uses_in(ctx, body, |_, value| value == variable) {
        Operation::replace_operand(used.op, ctx, used.index, own);
    }
    drop_if_never_read(ctx, alloca);
    if !name.is_empty() {
        let message = format!(
            "`{name}` is private to each iteration: all assign it before they use it, and nothing behind the loop does"
        );
        state.remark(ctx, lp.get_operation(), NAME, message);
    }
}

/// A variable that is only stored to is not needed.
fn drop_if_never_read(ctx: &mut Context, alloca: Alloca) {
    let variable = alloca.get_result(ctx);
    let users: Vec<_> = variable.uses(ctx).iter().map(|u| u.user_op()).collect();
    if users.iter().all(|op| Operation::is_op::<Store>(*op, ctx)) {
        for op in users {
            Operation::erase(op, ctx);
        }
        Operation::erase(alloca.get_operation(), ctx);
    }
}
