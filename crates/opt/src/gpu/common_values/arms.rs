//! What both arms of a branch compute or load is computed before it.
//!
//! ```text
//! core.if %c { %a = core.load %p                    %a = core.load %p
//!              even += %h * %a }               →    core.if %c { even += %h * %a }
//!     else   { %b = core.load %p                        else   { odd += %h * %a }
//!              odd += %h * %b }
//! ```
//! A load in an arm waits for the branch, and so does what NVIDIA's assembler would do meanwhile; arms without loads are a few
//! instructions under a predicate, and the loop around them can be unrolled.
//!
//! What is done: loads with nothing before them in their arm that may write there, and what their addresses are computed from, whose
//! operands are there before the branch or come out of it, too. Both arms run them anyway, so that nothing is computed or read in vain. Of an arm what stands
//! in front of the first branch or loop in it is looked at.
//!
//! Cost: linear in the size of the arms.

use accrue_dialects::core::{Alloca, If, Load, Store};
use accrue_ir::{
    effects::is_pure,
    walk::{nested, operands_of, ops_of_block, results_of},
};
use pliron::{
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::{HashMap, HashSet};

use super::{Computation, nameless};
use crate::analysis::{
    straight::PureFunctions,
    variables::{is_local_scalar, is_of_same_threads},
};

/// Takes shared operations out of the branches of `func`, inner ones first.
pub(super) fn take_out(ctx: &mut Context, func: FuncOp, pure: &PureFunctions) {
    let mut branches = nested::<If>(ctx, func.get_operation());
    branches.reverse();
    for branch in branches {
        let heads = [0, 1].map(|arm| head(ctx, branch, arm, pure));
        for (first, second) in for_loads(ctx, pairs(ctx, branch, &heads)) {
            first.unlink(ctx);
            first.insert_before(ctx, branch.get_operation());
            let results = results_of(ctx, second).into_iter();
            for (theirs, ours) in results.zip(results_of(ctx, first)) {
                theirs.replace_all_uses_with(ctx, &ours);
            }
            Operation::erase(second, ctx);
        }
    }
}

/// Of these pairs the loads, and what their addresses are computed from: other arithmetic is as well where it is, where a sum takes up a
/// product.
fn for_loads(ctx: &Context, pairs: Vec<Pair>) -> Vec<Pair> {
    let mut needed: HashSet<Value> = HashSet::new();
    let mut kept: Vec<Pair> = vec![];
    for (op, other) in pairs.into_iter().rev() {
        let results = results_of(ctx, op);
        let needs = results.iter().any(|result| needed.contains(result));
        if needs || Operation::is_op::<Load>(op, ctx) {
            needed.extend(operands_of(ctx, op));
            kept.push((op, other));
        }
    }
    kept.reverse();
    kept
}

/// An operation of the first arm, and the one of the second arm that does the same.
type Pair = (Ptr<Operation>, Ptr<Operation>);

/// The operations of an arm that may run before the branch, as far as the arm itself says.
fn head(ctx: &Context, branch: If, arm: usize, pure: &PureFunctions) -> Vec<Ptr<Operation>> {
    let mut found = vec![];
    let mut stored: Vec<Value> = vec![];
    let mut writes = false;
    for op in ops_of_block(ctx, branch.get_body(ctx, arm)) {
        if op.deref(ctx).num_regions() > 0 {
            break;
        }
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            let from = load.get_operand_address(ctx);
            let own = is_local_scalar(ctx, from);
            let changed = if own { stored.contains(&from) } else { writes };
            if !load.is_volatile(ctx) && !changed && (!own || is_of_threads(ctx, from, op)) {
                found.push(op);
            }
        } else if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            let to = store.get_operand_address(ctx);
            match is_local_scalar(ctx, to) {
                true => stored.push(to),
                false => writes = true,
            }
        } else if Operation::is_op::<Alloca>(op, ctx) {
            continue;
        } else if is_pure(ctx, op) || pure.is_called(ctx, op) {
            found.push(op);
        } else {
            break;
        }
    }
    found
}

/// Whether the threads that have the variable are those that run `op`: others may write to it meanwhile.
fn is_of_threads(ctx: &Context, variable: Value, op: Ptr<Operation>) -> bool {
    let alloca = variable.defining_op();
    alloca.is_some_and(|alloca| is_of_same_threads(ctx, alloca, op))
}

/// The operations of the first head that stand in the second one, too, with those, in their order: what each is computed from is there
/// before the branch, or comes from one before it here.
fn pairs(ctx: &Context, branch: If, [first, second]: &[Vec<Ptr<Operation>>; 2]) -> Vec<Pair> {
    let arm = branch.get_body(ctx, 0);
    let mut ours: HashMap<Computation, Ptr<Operation>> = HashMap::new();
    for op in first {
        ours.entry(computed(ctx, *op, &HashMap::new()))
            .or_insert(*op);
    }
    // What comes out of the second arm, as what it is of the first.
    let mut same: HashMap<Value, Value> = HashMap::new();
    let mut like: HashMap<Ptr<Operation>, Ptr<Operation>> = HashMap::new();
    for op in second {
        if let Some(own) = ours.remove(&computed(ctx, *op, &same)) {
            same.extend(results_of(ctx, *op).into_iter().zip(results_of(ctx, own)));
            like.insert(own, *op);
        }
    }
    let mut out: HashSet<Ptr<Operation>> = HashSet::new();
    let mut found = vec![];
    for op in first {
        let outside = |value: Value| {
            value.defining_op().is_none_or(|defined| {
                out.contains(&defined) || defined.deref(ctx).get_parent_block() != Some(arm)
            })
        };
        let comes_out = operands_of(ctx, *op).into_iter().all(outside);
        if let Some(other) = like.get(op).filter(|_| comes_out) {
            out.insert(*op);
            found.push((*op, *other));
        }
    }
    found
}

/// What `op` computes or loads, with some of its operands as others.
fn computed(ctx: &Context, op: Ptr<Operation>, same: &HashMap<Value, Value>) -> Computation {
    let operands = operands_of(ctx, op).into_iter();
    Computation {
        operation: Operation::get_opid(op, ctx),
        attributes: nameless(&op.deref(ctx).attributes),
        operands: operands
            .map(|v| same.get(&v).copied().unwrap_or(v))
            .collect(),
        results: results_of(ctx, op)
            .iter()
            .map(|r| r.get_type(ctx))
            .collect(),
    }
}
