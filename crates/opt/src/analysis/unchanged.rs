//! Whether a place in memory holds at one load what it holds at another: nothing on the way may write there.
//!
//! ```text
//! if (x[i] > m) m = x[i];                    nothing is between the two loads of x[i]
//! m = z[k++] > m ? z[k] : m;                 k is stored between its two loads
//! ```
//! What is on the way from one operation to another is everything between them in the block that has both, from the one to the other
//! in the regions that they are in: of a branch what is in front of it in its arm, of a loop all of its body, which may have run before.
//!
//! Counters and parameters, which are stored to at the start of their block only, need no look at the way.
//!
//! Cost: the operations on the way; of counters and parameters, their uses.

use accrue_dialects::{
    address_use::{UseKind, object_of, use_of},
    core::{Alloca, Call, Externs, If, Load, Store},
};
use accrue_ir::{
    effects::{Effect, effects_of, is_pure},
    walk::{nested_ops, ops_of_block},
};
use pliron::{
    basic_block::BasicBlock,
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    value::Value,
};

use std::iter::successors;

use crate::analysis::{
    accesses::is_unaliased,
    variables::{Root, root_of},
};

/// Whether two loads of addresses that are spelled alike find the same.
pub fn holds_the_same(ctx: &Context, externs: &Externs, first: Load, second: Load) -> bool {
    let address = first.get_operand_address(ctx);
    let volatile = first.is_volatile(ctx) || second.is_volatile(ctx);
    let ops = [first.get_operation(), second.get_operation()];
    if !volatile && is_set_at_start(ctx, address, ops) {
        return true;
    }
    let between = between(ctx, ops[0], ops[1]);
    !volatile
        && between.is_some_and(|ops| {
            let mut ops = ops.into_iter();
            !ops.any(|op| may_write(ctx, externs, op, address))
        })
}

/// Whether the address is that of a local variable which is only stored to at the start of a block that both operations are in, as counters of
/// loops and parameters are.
fn is_set_at_start(ctx: &Context, address: Value, ops: [Ptr<Operation>; 2]) -> bool {
    if root_of(ctx, address) != Some(Root::Local(address)) {
        return false;
    }
    let mut stores = vec![];
    let plain = address.uses(ctx).into_iter().all(|at| {
        let op = at.user_op();
        match use_of(ctx, op, at.find_index(ctx)) {
            UseKind::Write { volatile: false } => {
                stores.push(op);
                true
            }
            UseKind::Read { .. } | UseKind::Clause | UseKind::Look => true,
            UseKind::Write { .. }
            | UseKind::Update { .. }
            | UseKind::Derive
            | UseKind::Pass
            | UseKind::Keep => false,
        }
    });
    let [store] = stores[..] else {
        return false;
    };
    let in_front = successors(store.deref(ctx).get_prev(), |op| op.deref(ctx).get_prev());
    let reads_nothing = |op: Ptr<Operation>| {
        is_pure(ctx, op)
            || Operation::is_op::<Alloca>(op, ctx)
            || Operation::is_op::<Store>(op, ctx)
    };
    let block = store.deref(ctx).get_parent_block();
    let is_in = |op| {
        let mut blocks = ways_up(ctx, op).into_iter();
        blocks.any(|(around, _)| Some(around) == block)
    };
    plain && ops.into_iter().all(is_in) && in_front.into_iter().all(reads_nothing)
}

/// What is executed between two operations, at most; `None` if no block has both.
fn between(
    ctx: &Context,
    first: Ptr<Operation>,
    second: Ptr<Operation>,
) -> Option<Vec<Ptr<Operation>>> {
    let (up, down) = (ways_up(ctx, first), ways_up(ctx, second));
    let (i, j) = up.iter().enumerate().find_map(|(i, (block, _))| {
        let j = down.iter().position(|(other, _)| other == block)?;
        Some((i, j))
    })?;
    let ops = ops_of_block(ctx, up[i].0);
    let place = |op: Ptr<Operation>| ops.iter().position(|it| *it == op);
    let (at, other) = (place(up[i].1)?, place(down[j].1)?);
    let (from, to, into) = match at <= other {
        true => (at, other, &down[..j]),
        false => (other, at, &up[..i]),
    };
    if from == to {
        return Some(nested_ops(ctx, ops[from]));
    }
    let mut found = vec![];
    // From inside of the earlier one all of it, but for a load that is the operation itself.
    for op in &ops[from..to] {
        found.push(*op);
        found.extend(nested_ops(ctx, *op));
    }
    found.extend(before(ctx, ops[to], into));
    Some(found)
}

/// The blocks that an operation is in, from the inside out, each with the operation that it is or is in.
fn ways_up(ctx: &Context, op: Ptr<Operation>) -> Vec<(Ptr<BasicBlock>, Ptr<Operation>)> {
    let mut found = vec![];
    let mut at = Some(op);
    while let Some(op) = at {
        let Some(block) = op.deref(ctx).get_parent_block() else {
            break;
        };
        found.push((block, op));
        at = op.deref(ctx).get_parent_op(ctx);
    }
    found
}

/// What `around` may have executed before it comes to the innermost of the blocks `into`.
fn before(
    ctx: &Context,
    around: Ptr<Operation>,
    into: &[(Ptr<BasicBlock>, Ptr<Operation>)],
) -> Vec<Ptr<Operation>> {
    let Some(((block, next), inner)) = into.split_last() else {
        return vec![];
    };
    if !Operation::is_op::<If>(around, ctx) {
        return nested_ops(ctx, around);
    }
    let mut found = vec![];
    for op in ops_of_block(ctx, *block) {
        if op == *next {
            break;
        }
        found.push(op);
        found.extend(nested_ops(ctx, op));
    }
    found.extend(before(ctx, *next, inner));
    found
}

/// Whether the operation by itself may write where `address` leads.
fn may_write(ctx: &Context, externs: &Externs, op: Ptr<Operation>, address: Value) -> bool {
    let pure = Operation::get_op::<Call>(op, ctx)
        .is_some_and(|call| externs.traits(&call.callee(ctx)).pure);
    let effects = effects_of(ctx, op);
    !pure
        && effects.expected().iter().any(|effect| match effect {
            Effect::Write(Some(to)) | Effect::Free(Some(to)) => !are_apart(ctx, *to, address),
            Effect::Write(None) | Effect::Free(None) => true,
            Effect::Read(_) | Effect::Alloc | Effect::Structure | Effect::Convergent => false,
        })
}

/// Whether two addresses lead to different variables.
fn are_apart(ctx: &Context, a: Value, b: Value) -> bool {
    let (a, b) = (object_of(ctx, a), object_of(ctx, b));
    match (root_of(ctx, a), root_of(ctx, b)) {
        (Some(a), Some(b)) => a != b,
        (Some(one), None) | (None, Some(one)) => is_unaliased(ctx, &one),
        (None, None) => false,
    }
}
