//! Pass `jammed-sums` (GPUs): four iterations of a sequential loop together, each of which only adds up what the lanes of the gang go along.
//!
//! The mean of a channel goes along the image of each sample: a lane has a few elements of an image, waits for them, and comes to the next image
//! then. Four images at a time, it waits for the elements of all of them together.
//!
//! ```text
//! core.for i = 0 to n {                               core.for i = 0 to n & ~3 step 4 {
//!   core.for p = lane to m step lanes {                 core.for p = lane to m step lanes {
//!     s += load x[i][p] } }                      →        x0 = load x[i][p];  x1 = load x[i + 1][p]; …
//!                                                         s += x0;  s += x1; … } }
//!                                                     core.for i = n & ~3 to n { as before }
//! ```
//!
//! 1. The loop around has one loop over lanes in it, with the same bounds in all iterations, and computes or loads beside that.
//! 2. The loop over lanes writes nothing but the lane's parts of reductions. What finds the first of several places with the largest element, for
//!    example, stays as it is.
//! 3. Four bodies, or two, are small enough to be worked on several at a time ([`super::interleave`]).
//!
//! A reduction's order is not defined (OpenACC 3.4, section 2.9.11): sums of floating-point numbers may be rounded otherwise than with `-gpu=nointerleave`.
//! (A batch normalisation of 256 channels of 64 images of 784 floats took 112 µs, and takes 71.)
//!
//! The pass `full-unroll` leaves such loops alone.
//!
//! Cost: linear in the size of the loops.

use accrue_dialects::{
    core::{
        Alloca, BinKind, For, If, Load, Store, Yield, emit::Emitter, fold::constant, int_width,
    },
    par::RedInit,
};
use accrue_ir::{
    effects::is_pure,
    walk::{directly_in, is_inside, nested, nested_ops},
};
use pliron::{
    builtin::{
        op_interfaces::SingleBlockRegionInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashSet;

use super::{
    interleave::{
        MAX_BODY, body_of, carried_variables, is_vector_loop, late_operations, of_a_gang,
    },
    rows::jam::is_array_load,
    unroll::end_of_groups,
};
use crate::{
    State, Switch,
    analysis::{
        same::Same,
        straight::{PureFunctions, is_straight},
    },
};

const NAME: &str = "jammed-sums";

/// Iterations at a time, if their bodies are small enough; else half of them.
pub const WIDTH: usize = 4;

/// Jams the loops of all kernels that gain.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if !state.target.gangs.handed_out || state.off.is_off(Switch::Interleave) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in directly_in::<FuncOp>(ctx, module.get_operation()) {
        // None of them is inside of another; one that is written may go away, with its loop over lanes.
        let loops = nested::<For>(ctx, func.get_operation()).into_iter();
        let plans: Vec<_> = loops
            .filter_map(|lp| Some((lp, plan(ctx, lp, &pure)?)))
            .collect();
        for (lp, plan) in plans {
            let message = format!(
                "{} iterations at a time, whose loops over lanes become one",
                plan.width
            );
            state.remark(ctx, lp.get_operation(), NAME, message);
            write(ctx, lp, &plan);
        }
    }
}

/// How a loop is jammed.
struct Plan {
    /// The loop over lanes in it.
    lanes: For,
    /// Operations of that which follow iteration by iteration.
    late: HashSet<Ptr<Operation>>,
    /// Iterations at a time.
    width: usize,
}

fn plan(ctx: &Context, lp: For, pure: &PureFunctions) -> Option<Plan> {
    let (lanes, carried) = sums_around_lanes(ctx, lp, pure)?;
    let inside = nested_ops(ctx, lanes.get_operation());
    let fits = |width: &usize| pure.size(ctx, &inside) * width <= MAX_BODY;
    let width = [WIDTH, WIDTH / 2].into_iter().find(fits)?;
    let mut varying = vec![lp.get_body(ctx, 0).deref(ctx).get_argument(0)];
    varying.extend(&carried);
    let all = nested_ops(ctx, lp.get_operation());
    let same = Same::of(ctx, &all, (&varying, None), pure);
    same.has_same_bounds(ctx, lanes).then(|| Plan {
        lanes,
        late: late_operations(ctx, lanes, &carried, pure),
        width,
    })
}

/// The loop over lanes in a loop that does nothing else with memory, and the variables that it adds up in.
pub(super) fn sums_around_lanes(
    ctx: &Context,
    lp: For,
    pure: &PureFunctions,
) -> Option<(For, HashSet<Value>)> {
    let mut inner = body_of(ctx, lp)
        .into_iter()
        .filter_map(|op| Operation::get_op::<For>(op, ctx));
    let (lanes, None) = (inner.next()?, inner.next()) else {
        return None;
    };
    let of_lanes = is_vector_loop(ctx, lanes) && of_a_gang(ctx, lanes.get_operand_step(ctx));
    if !of_lanes || constant(ctx, lp.get_operand_step(ctx)) != Some(1) {
        return None;
    }
    let beside = body_of(ctx, lp)
        .into_iter()
        .filter(|op| *op != lanes.get_operation());
    let computes = |op: Ptr<Operation>| {
        is_pure(ctx, op) && op.deref(ctx).num_regions() == 0 || is_array_load(ctx, op)
    };
    let inside = nested_ops(ctx, lanes.get_operation());
    if !beside.clone().all(computes)
        || !inside.iter().all(|op| is_straight(ctx, *op, pure))
        || !inside.iter().any(|op| is_array_load(ctx, *op))
    {
        return None;
    }
    let carried = carried_variables(ctx, lanes)?;
    let adds = !carried.is_empty() && adds_up(ctx, lanes, &carried, pure);
    adds.then_some((lanes, carried))
}

/// Whether the loop over lanes writes nothing but the variables, each of them the lane's part of a reduction.
fn adds_up(ctx: &Context, lanes: For, variables: &HashSet<Value>, pure: &PureFunctions) -> bool {
    let body = lanes.get_operation().deref(ctx).get_region(0);
    let harmless = |op: &Ptr<Operation>| {
        let own = |address: Value| {
            let variable = address.defining_op();
            variables.contains(&address)
                || variable.is_some_and(|op| {
                    Operation::is_op::<Alloca>(op, ctx) && is_inside(ctx, op, body)
                })
        };
        match Operation::get_op::<Store>(*op, ctx) {
            Some(store) => own(store.get_operand_address(ctx)),
            None => {
                is_pure(ctx, *op)
                    || pure.is_called(ctx, *op)
                    || Operation::is_op::<Load>(*op, ctx)
                    || Operation::is_op::<Alloca>(*op, ctx)
                    || Operation::is_op::<If>(*op, ctx)
                    || Operation::is_op::<Yield>(*op, ctx)
            }
        }
    };
    variables.iter().all(|variable| is_reduced(ctx, *variable))
        && nested_ops(ctx, lanes.get_operation()).iter().all(harmless)
}

/// Whether a variable starts as the identity of a reduction: who updates it asks for no order.
fn is_reduced(ctx: &Context, variable: Value) -> bool {
    let users = variable.uses(ctx).into_iter().map(|u| u.user_op());
    let mut stores = users.filter_map(|op| Operation::get_op::<Store>(op, ctx));
    stores.any(|store| {
        let value = store.get_operand_value(ctx).defining_op();
        value.is_some_and(|op| Operation::is_op::<RedInit>(op, ctx))
    })
}

/// Puts the loop over groups of iterations before `lp`, which is left with the rest.
fn write(ctx: &mut Context, lp: For, plan: &Plan) {
    let (lower, upper) = (lp.get_operand_lower(ctx), lp.get_operand_upper(ctx));
    let info = lp.info(ctx);
    let counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    let ops = body_of(ctx, lp);
    let mut e = Emitter::before(ctx, lp.get_operation());
    let end = end_of_groups(&mut e, lower, upper, info, plan.width as i128);
    let width = int_width(e.ctx, lower.get_type(e.ctx)).unwrap_or(64);
    let step = e.int(width, plan.width as i128);
    let (groups, body) = For::new(e.ctx, lower, end, step, info);
    e.push(groups);
    e.at_end(body);
    let first = body.deref(e.ctx).get_argument(0);
    let mut copies: Vec<_> = (0..plan.width)
        .map(|copy| {
            let distance = e.int(width, copy as i128);
            let here = e.bin(BinKind::Add, first, distance);
            let mut mapping = IrMapping::new();
            mapping.map_value(counter, here);
            mapping
        })
        .collect();
    for op in ops {
        match op == plan.lanes.get_operation() {
            true => together(&mut e, plan, &mut copies),
            false => copy_each(&mut e, op, &mut copies),
        }
    }
    e.finish(vec![]);
    Operation::replace_operand(lp.get_operation(), e.ctx, 0, end);
    if constant(e.ctx, end).is_some() && constant(e.ctx, end) == constant(e.ctx, upper) {
        Operation::erase(lp.get_operation(), e.ctx);
    }
}

/// Writes one loop over lanes for all iterations of a group.
fn together(e: &mut Emitter, plan: &Plan, copies: &mut [IrMapping]) {
    let lanes = plan.lanes;
    let bounds = [
        lanes.get_operand_lower(e.ctx),
        lanes.get_operand_upper(e.ctx),
        lanes.get_operand_step(e.ctx),
    ];
    let [lower, upper, step] = bounds.map(|bound| copies[0].lookup_value_or_default(bound));
    let (lp, body) = For::new(e.ctx, lower, upper, step, lanes.info(e.ctx));
    e.push(lp);
    e.at_end(body);
    let own = lanes.get_body(e.ctx, 0).deref(e.ctx).get_argument(0);
    let here = body.deref(e.ctx).get_argument(0);
    for mapping in copies.iter_mut() {
        mapping.map_value(own, here);
    }
    let (late, early): (Vec<_>, Vec<_>) = body_of(e.ctx, lanes)
        .into_iter()
        .partition(|op| plan.late.contains(op));
    for op in early {
        copy_each(e, op, copies);
    }
    for mapping in copies.iter_mut() {
        for op in &late {
            e.copy(*op, mapping);
        }
    }
    e.finish(vec![]);
    e.go_after(lp.get_operation());
}

fn copy_each(e: &mut Emitter, op: Ptr<Operation>, copies: &mut [IrMapping]) {
    for mapping in copies.iter_mut() {
        e.copy(op, mapping);
    }
}
