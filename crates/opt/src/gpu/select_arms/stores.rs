//! Branches that only set variables of the thread become selections of what the variables hold.
//!
//! ```text
//! core.if %c { core.store %x, %best        %0 = core.load %best    core.store (core.select %c, %x, %0), %best
//!              core.store %i, %at }     →  %1 = core.load %at      core.store (core.select %c, %i, %1), %at
//! ```
//! Several iterations become straight code by it, whose loads can all be under way at once, and a choice of the smaller number is one
//! instruction. Only variables whose threads run the branch: another thread may write a variable of several in the meantime.
//!
//! What is done: branches without results, with few stores, each to another variable, of values that are there or cheap to
//! compute in vain.
//!
//! Cost: linear, times the depth.

use accrue_dialects::core::{If, Load, Store, Yield, emit::Emitter, int_width, pointee};
use accrue_ir::walk::{nested, ops_of_block, results_of};
use pliron::{
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::FuncOp},
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    value::Value,
};

use crate::analysis::variables::{is_local_scalar, is_of_same_threads};

/// Variables that both arms set.
const MOST_STORES: usize = 3;
/// Those of them that are floating-point numbers: exchanges of several are faster as moves under a predicate, by a fifth where a
/// network of them sorts.
const MOST_STORES_OF_FLOATS: usize = 1;
/// Other operations of both arms that are no constants.
const MOST_OTHERS: usize = 4;

/// Replaces in `func`, inner branches first.
pub(super) fn select_stores(ctx: &mut Context, func: FuncOp) {
    let mut branches = nested::<If>(ctx, func.get_operation());
    branches.reverse();
    for branch in branches {
        if let Some(variables) = set_by(ctx, branch) {
            replace(ctx, branch, &variables);
        }
    }
}

/// The variables that the branch sets, if that is all it does.
fn set_by(ctx: &Context, branch: If) -> Option<Vec<Value>> {
    if !results_of(ctx, branch.get_operation()).is_empty() {
        return None;
    }
    let mut variables: Vec<Value> = vec![];
    let mut others = 0;
    for region in 0..2 {
        let mut own: Vec<Value> = vec![];
        for op in ops_of_block(ctx, branch.get_body(ctx, region)) {
            let Some(store) = Operation::get_op::<Store>(op, ctx) else {
                // What is loaded behind a store in the same arm could be what that has stored.
                let late = Operation::is_op::<Load>(op, ctx) && !own.is_empty();
                if late || !super::may_be_in_vain(ctx, op) {
                    return None;
                }
                others += usize::from(!super::is_free(ctx, op));
                continue;
            };
            let variable = store.get_operand_address(ctx);
            if own.contains(&variable) || !is_own(ctx, variable, branch) {
                return None;
            }
            own.push(variable);
        }
        let new = own.into_iter().filter(|it| !variables.contains(it));
        let new: Vec<Value> = new.collect();
        variables.extend(new);
    }
    let is_float = |it: &&Value| pointee(ctx, **it).is_none_or(|ty| int_width(ctx, ty).is_none());
    let floats = variables.iter().filter(is_float).count();
    let few = (1..=MOST_STORES).contains(&variables.len())
        && floats <= MOST_STORES_OF_FLOATS
        && others <= MOST_OTHERS;
    few.then_some(variables)
}

fn is_own(ctx: &Context, variable: Value, branch: If) -> bool {
    is_local_scalar(ctx, variable)
        && variable
            .defining_op()
            .is_some_and(|op| is_of_same_threads(ctx, op, branch.get_operation()))
}

fn replace(ctx: &mut Context, branch: If, variables: &[Value]) {
    let op = branch.get_operation();
    let condition = branch.get_operand_cond(ctx);
    let arms = [0, 1].map(|region| ops_of_block(ctx, branch.get_body(ctx, region)));
    let mut e = Emitter::before(ctx, op);
    let old: Vec<Value> = variables.iter().map(|variable| e.load(*variable)).collect();
    let new = arms.map(|ops| arm(&mut e, ops, variables, &old));
    let [yes, no] = new;
    for ((variable, yes), no) in variables.iter().zip(yes).zip(no) {
        let chosen = e.select(condition, yes, no);
        e.store(chosen, *variable);
    }
    Operation::erase(op, ctx);
}

/// Computes what an arm computes; gives what the variables hold behind it.
fn arm(
    e: &mut Emitter,
    ops: Vec<Ptr<Operation>>,
    variables: &[Value],
    old: &[Value],
) -> Vec<Value> {
    let mut held = old.to_vec();
    let mut mapping = IrMapping::new();
    for op in ops {
        if Operation::is_op::<Yield>(op, e.ctx) {
            continue;
        }
        let Some(store) = Operation::get_op::<Store>(op, e.ctx) else {
            e.copy(op, &mut mapping);
            continue;
        };
        let [value, variable] = [
            store.get_operand_value(e.ctx),
            store.get_operand_address(e.ctx),
        ];
        for (held, it) in held.iter_mut().zip(variables) {
            if *it == variable {
                *held = mapping.lookup_value_or_default(value);
            }
        }
    }
    held
}
