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
//! loads, stores, reductions and calls of functions that do not keep it; no path through the loop's body to a load that does
//! not pass a store first; no path from the loop's end to a load that does not. Then the uses in the body are those of a new
//! variable there.
//!
//! Cost: the size of the function for each loop and scalar.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    core::{Alloca, Call, Store, is_scalar, pointee},
    par::Loop,
};
use accrue_ir::walk;
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};

use crate::{
    State,
    analysis::first_use::Path,
    analysis::read_only::{Functions, functions},
    analysis::records::Records,
    analysis::variables::{Root, defined_inside, describe, root_of, uses_in},
    transform::private_structs::give_structs_to_iterations,
};

const NAME: &str = "private-scalars";

/// Gives iterations their own scalars in all loops over workers or lanes.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let functions = functions(ctx, module.get_operation());
    let records = Records::of_module(ctx, module);
    for func in walk::directly_in::<FuncOp>(ctx, module.get_operation()) {
        for lp in walk::nested::<Loop>(ctx, func.get_operation()) {
            let levels = lp.levels(ctx);
            if levels.worker || levels.vector {
                give_to_iterations(ctx, lp.get_operation(), &functions, state);
                give_structs_to_iterations(ctx, lp.get_operation(), &functions, &records, state);
            }
        }
    }
}

/// Gives each iteration of the loop `lp` (of the source dialect or of `par`) its own of all scalars for which that is no difference.
pub fn give_to_iterations(
    ctx: &mut Context,
    lp: Ptr<Operation>,
    functions: &Functions,
    state: &mut State,
) {
    for (root, variable) in assigned(ctx, lp, functions) {
        let path = Path::new(ctx, functions, root.clone(), body_of(ctx, lp));
        if matches!(root, Root::Local(_))
            && path.may_belong_to_iterations(lp)
            && path.wanted_behind(lp).is_none()
        {
            let message = format!(
                "`{}` is private to each iteration: all assign it before they use it, and nothing behind the loop does",
                describe(ctx, variable).name
            );
            replace(ctx, lp, &root, variable, message, state);
            drop_if_never_read(ctx, variable);
        }
    }
}

/// The scalars from outside of the loop that it may assign, each with its address.
pub fn assigned(ctx: &Context, lp: Ptr<Operation>, functions: &Functions) -> Vec<(Root, Value)> {
    let body = body_of(ctx, lp);
    let mut found: Vec<(Root, Value)> = vec![];
    for u in uses_in(ctx, body, |ctx, value| root_of(ctx, value).is_some()) {
        // What is stored may be the address: a function that was inlined assigns through it.
        let stored = Operation::is_op::<Store>(u.op, ctx);
        let passed = Operation::get_op::<Call>(u.op, ctx)
            .is_some_and(|call| functions.contains_key(&call.callee(ctx)));
        let single = u
            .value
            .defining_op()
            .and_then(|op| Operation::get_op::<Alloca>(op, ctx))
            .is_none_or(|alloca| alloca.count(ctx).is_none());
        let scalar = pointee(ctx, u.value).is_some_and(|ty| is_scalar(ctx, ty));
        if let Some(root) = root_of(ctx, u.value)
            && (stored || passed)
            && single
            && scalar
            && !is_inside(ctx, &root, body)
            && !found.iter().any(|(r, _)| *r == root)
        {
            found.push((root, u.value));
        }
    }
    found
}

fn body_of(ctx: &Context, lp: Ptr<Operation>) -> Ptr<Region> {
    lp.deref(ctx).get_region(0)
}

fn is_inside(ctx: &Context, root: &Root, body: Ptr<Region>) -> bool {
    match root {
        Root::Local(variable) => defined_inside(ctx, *variable, body),
        Root::Global(_) => false,
    }
}

/// Lets the body use a variable of its own, which is given back.
pub fn replace(
    ctx: &mut Context,
    lp: Ptr<Operation>,
    root: &Root,
    variable: Value,
    message: String,
    state: &mut State,
) -> Option<Value> {
    let body = body_of(ctx, lp);
    let start = body.deref(ctx).get_entry_block()?.deref(ctx).get_head()?;
    let ty = pointee(ctx, variable)?;
    let user = describe(ctx, variable);
    let named = !user.name.is_empty();
    let uses = uses_in(ctx, body, |ctx, value| {
        root_of(ctx, value).as_ref() == Some(root)
    });
    let own = Emitter::before(ctx, start).alloca(ty, Some(user));
    for used in uses {
        Operation::replace_operand(used.op, ctx, used.index, own);
    }
    if named {
        state.remark(ctx, lp, NAME, message);
    }
    Some(own)
}

/// A variable that is only stored to is not needed.
fn drop_if_never_read(ctx: &mut Context, variable: Value) {
    let users: Vec<_> = variable.uses(ctx).iter().map(|u| u.user_op()).collect();
    let stored = |op: &Ptr<Operation>| {
        Operation::get_op::<Store>(*op, ctx)
            .is_some_and(|store| store.get_operand_value(ctx) != variable)
    };
    if users.iter().all(stored) {
        for op in users {
            Operation::erase(op, ctx);
        }
        if let Some(alloca) = variable.defining_op() {
            Operation::erase(alloca, ctx);
        }
    }
}
