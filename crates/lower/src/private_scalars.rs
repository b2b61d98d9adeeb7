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
    acc::{Loop, Reduction},
    core::{self, Alloca, Break, Continue, If, Load, Return, Store, is_scalar},
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::{OneRegionInterface, OneResultInterface, SingleBlockRegionInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};

use crate::{
    State,
    emit::Emitter,
    variables::{defined_inside, describe, uses_in},
};

const NAME: &str = "private-scalars";

/// Gives iterations their own scalars in all loops over workers or lanes.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    for func in walk::nested::<FuncOp>(ctx, module.get_operation()) {
        for lp in walk::nested::<Loop>(ctx, func.get_operation()) {
            let levels = lp.levels(ctx).unwrap_or_default();
            if !levels.worker && !levels.vector {
                continue;
            }
            for variable in assigned(ctx, lp) {
                if belongs_to_iterations(ctx, lp, variable) {
                    replace(ctx, lp, variable, state);
                }
            }
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
    path.is_plain(lp.get_region(ctx))
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

/// What happens to a variable first on the paths through a piece of code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Some path reads it.
    Reads,
    /// Every path that gets to the end assigns it.
    Assigns,
    /// Some path does neither.
    Nothing,
}

/// The paths through a function, as one variable sees them.
struct Path<'a> {
    ctx: &'a Context,
    variable: Value,
}

impl Path<'_> {
    /// Whether the variable is only loaded and stored to, or reduced by a loop inside `body`. (A reduction by the loop itself, or
    /// around it, uses what iterations leave behind.)
    fn is_plain(&self, body: Ptr<Region>) -> bool {
        let ctx = self.ctx;
        self.variable.uses(ctx).iter().all(|used| {
            let op = used.user_op();
            if let Some(store) = Operation::get_op::<Store>(op, ctx) {
                return !store.is_volatile(ctx) && store.get_operand_value(ctx) != self.variable;
            }
            Operation::get_op::<Load>(op, ctx).is_some_and(|load| !load.is_volatile(ctx))
                || Operation::is_op::<Reduction>(op, ctx) && walk::is_inside(ctx, op, body)
        })
    }

    fn in_region(&self, region: Ptr<Region>) -> Effect {
        let ops = walk::ops_of_region(self.ctx, region);
        self.in_sequence(&ops)
    }

    fn in_sequence(&self, ops: &[Ptr<Operation>]) -> Effect {
        for op in ops {
            match self.of(*op) {
                Effect::Nothing => {}
                found => return found,
            }
        }
        Effect::Nothing
    }

    fn of(&self, op: Ptr<Operation>) -> Effect {
        let ctx = self.ctx;
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            return match store.get_operand_address(ctx) == self.variable {
                true => Effect::Assigns,
                false => Effect::Nothing,
            };
        }
        if walk::operands_of(ctx, op).contains(&self.variable) {
            return Effect::Reads;
        }
        if Operation::is_op::<Break>(op, ctx)
            || Operation::is_op::<Continue>(op, ctx)
            || Operation::is_op::<Return>(op, ctx)
        {
            // What follows in the text is not on this path.
            return Effect::Assigns;
        }
        let regions = walk::regions_of(ctx, op);
        if Operation::is_op::<If>(op, ctx) {
            let arms: Vec<_> = regions.iter().map(|r| self.in_region(*r)).collect();
            return match arms.as_slice() {
                arms if arms.contains(&Effect::Reads) => Effect::Reads,
                arms if arms.contains(&Effect::Nothing) => Effect::Nothing,
                _ => Effect::Assigns,
            };
        }
        if let Some(lp) = Operation::get_op::<core::Loop>(op, ctx) {
            return self.of_loop(lp, &regions);
        }
        // Loops that may not run, and the cases of a switch.
        match regions.iter().any(|r| self.in_region(*r) == Effect::Reads) {
            true => Effect::Reads,
            false => Effect::Nothing,
        }
    }

    /// A C loop: the condition comes first, or last; `continue` leads to the step, `break` behind the loop.
    fn of_loop(&self, lp: core::Loop, regions: &[Ptr<Region>]) -> Effect {
        let [cond, body, step] = regions else {
            return Effect::Reads;
        };
        let first = match lp.tests_last(self.ctx) {
            true if self.assigns_at_once(*body) => Effect::Assigns,
            true => Effect::Nothing,
            false => self.in_region(*cond),
        };
        if first != Effect::Nothing {
            return first;
        }
        let in_body = self.in_region(*body);
        let goes_on = in_body != Effect::Assigns || self.jumps(lp.get_operation());
        let reads = in_body == Effect::Reads
            || goes_on
                && [step, cond]
                    .map(|r| self.in_region(*r))
                    .contains(&Effect::Reads);
        match reads {
            true => Effect::Reads,
            false => Effect::Nothing,
        }
    }

    /// Whether the region assigns the variable before anything else could happen to it, jumps included.
    fn assigns_at_once(&self, region: Ptr<Region>) -> bool {
        let ops = walk::ops_of_region(self.ctx, region);
        let uneventful =
            |op: &&Ptr<Operation>| self.of(**op) == Effect::Nothing && !self.jumps(**op);
        let first = ops.iter().find(|op| !uneventful(op));
        first.is_some_and(|op| {
            Operation::is_op::<Store>(*op, self.ctx) && self.of(*op) == Effect::Assigns
        })
    }

    fn jumps(&self, op: Ptr<Operation>) -> bool {
        walk::nested_ops(self.ctx, op).into_iter().any(|inner| {
            Operation::is_op::<Break>(inner, self.ctx)
                || Operation::is_op::<Continue>(inner, self.ctx)
        })
    }

    /// Whether a path from the end of `op` leads to a use.
    fn is_used_behind(&self, op: Ptr<Operation>) -> bool {
        let ctx = self.ctx;
        let Some(around) = op.deref(ctx).get_parent_op(ctx) else {
            return false;
        };
        let function = Operation::is_op::<FuncOp>(around, ctx);
        let region = op.deref(ctx).get_parent_region(ctx);
        let ops = region.map_or_else(Vec::new, |r| walk::ops_of_region(ctx, r));
        let behind = ops.iter().position(|o| *o == op).map_or(0, |at| at + 1);
        match self.in_sequence(&ops[behind..]) {
            Effect::Reads => return true,
            // A jump may go round the assignment.
            Effect::Assigns if function || !self.jumps(around) => return false,
            Effect::Assigns | Effect::Nothing if function => return false,
            Effect::Assigns | Effect::Nothing => {}
        }
        // A loop runs again, and a case of a switch goes on in the next one.
        let regions = walk::regions_of(ctx, around);
        let again = !Operation::is_op::<If>(around, ctx);
        (again && regions.iter().any(|r| self.in_region(*r) == Effect::Reads))
            || self.is_used_behind(around)
    }
}
