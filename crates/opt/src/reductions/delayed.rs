//! Pass `delayed-reductions`: lanes bring their results together behind a loop, not in each of its iterations, on GPUs.
//!
//! A reduction over a whole nest is written on each of its loops. By the letter the lanes add up for every row, and their gang goes on
//! with the sum; a lane may as well keep what it has:
//!
//! ```text
//! for g (gang) {                                      %1 = par.red_setup vector (load %x)
//!   %1 = par.red_setup vector (load %x)               par.fork vector
//!   par.fork vector                                   store (par.red_init %1), %y
//!   store (par.red_init %1), %y                 →     for g (gang) {
//!   for h (vector) { … store (load %y) + …, %y }        for h (vector) { … store (load %y) + …, %y } }
//!   %2 = par.red_fini (load %y)                       %2 = par.red_fini (load %y)
//!   par.join vector                                   par.join vector
//!   store (par.red_teardown %2), %x }                 store (par.red_teardown %2), %x
//! ```
//! What must hold of the loop around, which all lanes run then:
//! - nothing else in it uses the outer variable;
//! - beside the one loop over lanes, it only computes, loads, and sets variables of its own, which the lanes only read;
//! - if the lanes write memory, its iterations are independent, and nothing beside the loop over lanes loads from memory: no lane waits
//!   for the others any more before it goes on.
//!
//! Sums of floating-point numbers are rounded in another order, as they are with another number of lanes. Inner loops come first. Cost:
//! linear in the size of the loops, times their depth.

use accrue_dialects::{
    address_use::object_of,
    core::{Alloca, Copy, For, Load, Return, Store},
    par::{
        Edge, Fork, Join, Level, Lock, RedFini, RedInit, RedSetup, RedTeardown, ReductionInfo,
        ReductionOp, Unlock,
    },
};
use accrue_ir::{
    effects::{Effect, Effects, effects_of},
    walk::{is_inside, nested, nested_ops, operands_of, ops_of_block, results_of},
};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    value::Value,
};

use crate::{
    State,
    analysis::{straight::PureFunctions, variables::is_local_scalar},
    transform::inline::device_functions,
};

const NAME: &str = "delayed-reductions";

/// Delays the reductions of kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.promotes_memory {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in device_functions(ctx, module) {
        let mut loops = nested::<For>(ctx, func.get_operation());
        loops.reverse();
        for lp in loops {
            if let Some(found) = found(ctx, lp, &pure) {
                let message = "the lanes bring together what they reduce behind the loop, not in each iteration";
                state.remark(ctx, lp.get_operation(), NAME, message.to_string());
                delay(ctx, lp, &found);
            }
        }
    }
}

/// What moves out of a loop, each in its order.
struct Found {
    /// In front of the loop: what the reductions start from, the fork, and what gives the lanes their parts.
    start: Vec<Ptr<Operation>>,
    /// Behind it: the lock, what brings the parts together, and the join.
    end: Vec<Ptr<Operation>>,
}

/// What can move out of `lp`: start and end of its only loop over lanes.
fn found(ctx: &Context, lp: For, pure: &PureFunctions) -> Option<Found> {
    let ops = ops_of_block(ctx, lp.get_body(ctx, 0));
    let is_edge = |op: &Ptr<Operation>| Edge::of(ctx, *op).is_some();
    let first = ops.iter().position(is_edge)?;
    let last = ops.iter().rposition(is_edge)?;
    let all = nested_ops(ctx, lp.get_operation());
    let fork = Operation::get_op::<Fork>(ops[first], ctx)?;
    let join = Operation::get_op::<Join>(ops[last], ctx)?;
    let of_lanes = fork.level(ctx) == Level::Vector && join.loop_id(ctx) == fork.loop_id(ctx);
    if !of_lanes || all.into_iter().filter(is_edge).count() != 2 {
        return None;
    }
    let mut start = vec![ops[first]];
    let mut end = vec![ops[last]];
    for op in &ops[first..last] {
        if Operation::is_op::<Lock>(*op, ctx) || Operation::is_op::<Unlock>(*op, ctx) {
            end.push(*op);
        }
    }
    let is_setup = |op: &&Ptr<Operation>| Operation::is_op::<RedSetup>(**op, ctx);
    let reduced: Vec<Reduced> = ops[..first]
        .iter()
        .filter(is_setup)
        .map(|setup| reduced(ctx, *setup, &ops))
        .collect::<Option<_>>()?;
    for it in &reduced {
        start.extend(&it.start);
        end.extend(&it.end);
    }
    let rest = |range: &[Ptr<Operation>]| -> Vec<Ptr<Operation>> {
        let stays = |op: &&Ptr<Operation>| !start.contains(op) && !end.contains(op);
        range.iter().filter(stays).copied().collect()
    };
    let (lanes, beside) = (
        rest(&ops[first..last]),
        rest(&[&ops[..first], &ops[last..]].concat()),
    );
    // The builtins of each reduction are all that is left of it.
    let others = lanes.iter().chain(&beside);
    let is_builtin = |op: &Ptr<Operation>| {
        op_cast::<dyn ReductionOp>(&*Operation::get_op_dyn(*op, ctx)).is_some()
    };
    let uses_outer = |op: &Ptr<Operation>| {
        let mut operands = with_nested(ctx, &[*op])
            .into_iter()
            .flat_map(|op| operands_of(ctx, op));
        operands.any(|value| reduced.iter().any(|it| it.outer == value))
    };
    if reduced.is_empty() || others.clone().any(is_builtin) || others.clone().any(uses_outer) {
        return None;
    }
    let reads = beside_lanes(ctx, &beside, &lanes, pure)?;
    if writes_memory(ctx, &lanes, &start, pure) && (reads || !lp.info(ctx).independent) {
        return None;
    }
    // What moves in front of the loop needs nothing that is computed in it.
    let comes_first = |value: Value| {
        let inside =
            |op: Ptr<Operation>| is_inside(ctx, op, lp.get_operation().deref(ctx).get_region(0));
        let made = value
            .defining_op()
            .is_none_or(|op| !inside(op) || start.contains(&op));
        made && value != lp.get_body(ctx, 0).deref(ctx).get_argument(0)
    };
    let operands = start.iter().flat_map(|op| operands_of(ctx, *op));
    if !operands.into_iter().all(comes_first) {
        return None;
    }
    let in_order = |moved: Vec<Ptr<Operation>>| {
        ops.iter()
            .filter(|op| moved.contains(op))
            .copied()
            .collect()
    };
    Some(Found {
        start: in_order(start),
        end: in_order(end),
    })
}

/// One reduction over the lanes.
struct Reduced {
    /// The variable of the loop around that gets the result.
    outer: Value,
    start: Vec<Ptr<Operation>>,
    end: Vec<Ptr<Operation>>,
}

/// The operations of the reduction that begins with `setup`, in the body `ops`.
fn reduced(ctx: &Context, setup: Ptr<Operation>, ops: &[Ptr<Operation>]) -> Option<Reduced> {
    let only_user = |value: Value| -> Option<Ptr<Operation>> {
        let uses = value.uses(ctx);
        let [using] = uses.as_slice() else {
            return None;
        };
        let op = using.user_op();
        ops.contains(&op).then_some(op)
    };
    let info = builtin_info(ctx, setup)?;
    let builtin = |is: fn(Ptr<Operation>, &Context) -> bool| {
        ops.iter()
            .copied()
            .find(|op| is(*op, ctx) && builtin_info(ctx, *op) == Some(info))
    };
    let init = builtin(Operation::is_op::<RedInit>)?;
    let fini = builtin(Operation::is_op::<RedFini>)?;
    let teardown = builtin(Operation::is_op::<RedTeardown>)?;
    let local = setup.deref(ctx).get_operand(0);
    if results_of(ctx, setup).is_empty() {
        // An object of the lanes, which is a copy of the outer one.
        let own = local.defining_op().filter(|op| ops.contains(op))?;
        let is_copy = |op: &Ptr<Operation>| Operation::get_op::<Copy>(*op, ctx);
        let mut copies = ops.iter().filter_map(is_copy).filter(|copy| {
            copy.get_operand_to(ctx) == local || copy.get_operand_from(ctx) == local
        });
        let (from, to) = (copies.next()?, copies.next()?);
        let outer = from.get_operand_from(ctx);
        let same = from.get_operand_to(ctx) == local && to.get_operand_to(ctx) == outer;
        return (same && copies.next().is_none()).then(|| Reduced {
            outer,
            start: vec![own, from.get_operation(), setup, init],
            end: vec![fini, teardown, to.get_operation()],
        });
    }
    let from = Operation::get_op::<Load>(local.defining_op()?, ctx)?;
    let given = Operation::get_op::<Store>(only_user(init.deref(ctx).get_result(0))?, ctx)?;
    let own = given.get_operand_address(ctx).defining_op()?;
    let part = Operation::get_op::<Load>(fini.deref(ctx).get_operand(0).defining_op()?, ctx)?;
    let to = Operation::get_op::<Store>(only_user(teardown.deref(ctx).get_result(0))?, ctx)?;
    let outer = from.get_operand_address(ctx);
    let same = to.get_operand_address(ctx) == outer
        && part.get_operand_address(ctx) == given.get_operand_address(ctx)
        && ops.contains(&own);
    let alone = [only_user(local)?, only_user(part.get_result(ctx))?] == [setup, fini];
    (same && alone).then(|| Reduced {
        outer,
        start: vec![
            own,
            from.get_operation(),
            setup,
            init,
            given.get_operation(),
        ],
        end: vec![part.get_operation(), fini, teardown, to.get_operation()],
    })
}

fn builtin_info(ctx: &Context, op: Ptr<Operation>) -> Option<ReductionInfo> {
    let op = Operation::get_op_dyn(op, ctx);
    Some(op_cast::<dyn ReductionOp>(&*op)?.info(ctx))
}

/// Whether what stands beside the loop over lanes, which all lanes will do, loads from memory; `None` if it does more than to compute
/// and to set variables of its own, or if the lanes set those.
fn beside_lanes(
    ctx: &Context,
    beside: &[Ptr<Operation>],
    lanes: &[Ptr<Operation>],
    pure: &PureFunctions,
) -> Option<bool> {
    let (beside, lanes) = (with_nested(ctx, beside), with_nested(ctx, lanes));
    let is_own = |address: Value| {
        let variable = address.defining_op().filter(|op| beside.contains(op));
        variable.is_some_and(|op| Operation::is_op::<Alloca>(op, ctx))
    };
    let mut reads = false;
    for op in &beside {
        if let Some(load) = Operation::get_op::<Load>(*op, ctx) {
            let address = load.get_operand_address(ctx);
            reads |= !is_local_scalar(ctx, address);
            if load.is_volatile(ctx) {
                return None;
            }
        } else if let Some(store) = Operation::get_op::<Store>(*op, ctx) {
            if !is_own(store.get_operand_address(ctx)) {
                return None;
            }
        } else if let Some(alloca) = Operation::get_op::<Alloca>(*op, ctx) {
            let variable = alloca.get_result(ctx);
            let set = |op: &Ptr<Operation>| {
                Operation::get_op::<Store>(*op, ctx)
                    .is_some_and(|store| store.get_operand_address(ctx) == variable)
            };
            if !is_local_scalar(ctx, variable) || lanes.iter().any(set) {
                return None;
            }
        } else if !pure.is_called(ctx, *op) && !is_quiet(ctx, *op) {
            return None;
        }
    }
    Some(reads)
}

/// Whether `op` by itself computes, or says in which order others run.
fn is_quiet(ctx: &Context, op: Ptr<Operation>) -> bool {
    let leaves = Operation::is_op::<Return>(op, ctx);
    match effects_of(ctx, op) {
        Effects::None => true,
        Effects::Known(effects) => !leaves && effects.iter().all(|it| *it == Effect::Structure),
        Effects::Unknown => false,
    }
}

/// Whether any of `lanes`, or what is in them, may write memory other than variables of the lane: its own, and those that start with the
/// reductions.
fn writes_memory(
    ctx: &Context,
    lanes: &[Ptr<Operation>],
    start: &[Ptr<Operation>],
    pure: &PureFunctions,
) -> bool {
    let all = with_nested(ctx, lanes);
    let is_own = |address: Value| {
        let variable = object_of(ctx, address).defining_op();
        variable.is_some_and(|op| all.contains(&op) || start.contains(&op))
    };
    all.iter().copied().any(|op| {
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            let address = store.get_operand_address(ctx);
            return !is_local_scalar(ctx, address) && !is_own(address);
        }
        let known = Operation::is_op::<Load>(op, ctx)
            || Operation::is_op::<Alloca>(op, ctx)
            || pure.is_called(ctx, op);
        !known && !is_quiet(ctx, op)
    })
}

/// Operations, and what is in them.
fn with_nested(ctx: &Context, ops: &[Ptr<Operation>]) -> Vec<Ptr<Operation>> {
    let whole = |op: &Ptr<Operation>| nested_ops(ctx, *op).into_iter().chain([*op]);
    ops.iter().flat_map(whole).collect()
}

fn delay(ctx: &mut Context, lp: For, found: &Found) {
    for op in &found.start {
        op.unlink(ctx);
        op.insert_before(ctx, lp.get_operation());
    }
    let mut last = lp.get_operation();
    for op in &found.end {
        op.unlink(ctx);
        op.insert_after(ctx, last);
        last = *op;
    }
}
