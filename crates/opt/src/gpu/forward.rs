//! What was stored into a local variable is what is loaded from it, in straight code.
//!
//! A program counts by hand where a loop does not fit: `v[k++] = …`. When the loops around it are unrolled, each `k` is a
//! constant, behind a variable.
//!
//! ```text
//! core.store 0, %k                          core.store 0, %k
//! %a = core.load %k                 →       core.store %x, %v[0]
//! core.store %x, %v[%a]                     core.store 1, %k
//! core.store (core.bin Add %a, 1), %k       …
//! ```
//! Of two stores with no load between them only the second stays: of pointers that an unrolled loop moves, just the last sum.
//!
//! The operations of a block are walked through in their order, with what each variable holds. Regions inside begin with what is
//! known in front of them, without what they store themselves if they are loops; behind them, and behind a `par.join`, nothing is
//! known of what they store. Variables that nobody loads any more go away.
//!
//! Cost: linear in the number of operations, times the depth of regions.

use accrue_dialects::{
    core::{Alloca, If, Load, Store},
    par::{Join, ReductionOp},
};
use accrue_ir::walk::{nested, ops_of_block, regions_of};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::op_cast,
    operation::Operation,
    value::Value,
};
use std::collections::{HashMap, HashSet};

use crate::analysis::variables::is_local_scalar;

/// What variables hold, by address.
type Known = HashMap<Value, Value>;

/// Forwards stored values to loads inside `function`.
pub fn forward(ctx: &mut Context, function: Ptr<Operation>) {
    let variables: HashSet<Value> = nested::<Alloca>(ctx, function)
        .into_iter()
        .map(|alloca| alloca.get_result(ctx))
        .filter(|address| is_local_scalar(ctx, *address) && !reduces(ctx, *address))
        .collect();
    for block in blocks_of(ctx, function) {
        walk_block(ctx, block, &variables, Known::new());
    }
    for address in variables {
        drop_if_unread(ctx, address);
    }
}

fn walk_block(
    ctx: &mut Context,
    block: Ptr<BasicBlock>,
    variables: &HashSet<Value>,
    mut known: Known,
) {
    // Stores that nothing has read yet.
    let mut unread: HashMap<Value, Ptr<Operation>> = HashMap::new();
    for op in ops_of_block(ctx, block) {
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            let address = store.get_operand_address(ctx);
            if variables.contains(&address) {
                known.insert(address, store.get_operand_value(ctx));
                if let Some(before) = unread.insert(address, op) {
                    Operation::erase(before, ctx);
                }
            }
        } else if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            let loaded = load.get_result(ctx);
            if let Some(value) = known.get(&load.get_operand_address(ctx)).copied() {
                loaded.replace_all_uses_with(ctx, &value);
                let copies = known.values_mut().filter(|held| **held == loaded);
                copies.for_each(|held| *held = value);
                Operation::erase(op, ctx);
            } else {
                unread.remove(&load.get_operand_address(ctx));
            }
        } else if Operation::is_op::<Join>(op, ctx) {
            known.clear();
            unread.clear();
        } else if op.deref(ctx).num_regions() > 0 {
            unread.clear();
            let stored = stored_inside(ctx, op);
            let mut inside = known.clone();
            if !Operation::is_op::<If>(op, ctx) {
                inside.retain(|address, _| !stored.contains(address));
            }
            for block in blocks_of(ctx, op) {
                walk_block(ctx, block, variables, inside.clone());
            }
            known.retain(|address, _| !stored.contains(address));
        }
    }
}

/// The blocks of the regions of `op`.
fn blocks_of(ctx: &Context, op: Ptr<Operation>) -> Vec<Ptr<BasicBlock>> {
    regions_of(ctx, op)
        .into_iter()
        .flat_map(|region| region.deref(ctx).iter(ctx).collect::<Vec<_>>())
        .collect()
}

/// The addresses that are stored to inside `op`.
fn stored_inside(ctx: &Context, op: Ptr<Operation>) -> HashSet<Value> {
    nested::<Store>(ctx, op)
        .iter()
        .map(|store| store.get_operand_address(ctx))
        .collect()
}

/// Whether the variable is the LOCAL of a reduction, or what one starts from or ends in: these stay variables.
pub(super) fn reduces(ctx: &Context, address: Value) -> bool {
    let is_reduction =
        |op: Ptr<Operation>| op_cast::<dyn ReductionOp>(&*Operation::get_op_dyn(op, ctx)).is_some();
    address.uses(ctx).into_iter().any(|using| {
        let op = using.user_op();
        match Operation::get_op::<Store>(op, ctx) {
            Some(store) => store
                .get_operand_value(ctx)
                .defining_op()
                .is_some_and(is_reduction),
            None => Operation::get_op::<Load>(op, ctx).is_some_and(|load| {
                let uses = load.get_result(ctx).uses(ctx);
                uses.into_iter().any(|u| is_reduction(u.user_op()))
            }),
        }
    })
}

/// Erases a variable that is only stored to.
fn drop_if_unread(ctx: &mut Context, address: Value) {
    let users: Vec<_> = address.uses(ctx).into_iter().map(|u| u.user_op()).collect();
    if users.iter().all(|op| Operation::is_op::<Store>(*op, ctx)) {
        for store in users {
            Operation::erase(store, ctx);
        }
        if let Some(alloca) = address.defining_op() {
            Operation::erase(alloca, ctx);
        }
    }
}
