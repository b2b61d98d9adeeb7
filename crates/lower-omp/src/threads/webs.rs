//! A variable that a thread uses for several things becomes several variables, so that what one of them does says nothing about another.
//!
//! ```text
//! int i;                                               int i, i1;
//! for (i = 1; i < n; i *= 2) { …; barrier; }     →     for (i1 = 1; i1 < n; i1 *= 2) { …; barrier; }
//! for (i = t; i < n; i += 4) …                         for (i = t; i < n; i += 4) …
//! ```
//! The first loop's counter is the same for all threads then, and the team has it.
//!
//! Steps: what stands between two stores to the variable in one block, or behind the last one, gets a variable of its own, if the value
//! is lost at its end. What may read is taken to read: a jump, an address that is more than accessed.
//!
//! Cost: linear in the region for each store.

use super::Team;
use accrue_dialects::{
    core::{Alloca, Break, Continue, If, Load, Loop, Return, Store, emit::Emitter},
    omp::LoopNest,
};
use accrue_ir::walk;
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    operation::Operation,
    value::Value,
};

/// What happens first to the value of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// Something may read it.
    Read,
    /// It is lost.
    Written,
    /// Nothing for sure.
    Kept,
}

impl Team<'_> {
    /// Splits a variable of the threads.
    pub(super) fn split_variable(&self, ctx: &mut Context, variable: Value) {
        let region = self.parallel.get_region(ctx);
        let alloca = variable
            .defining_op()
            .and_then(|op| Operation::get_op::<Alloca>(op, ctx));
        let entry = region.deref(ctx).get_entry_block();
        let (Some(alloca), Some(entry)) = (alloca, entry) else {
            return;
        };
        let users = variable.uses(ctx).into_iter();
        let users: Vec<_> = users.map(|using| using.user_op()).collect();
        let accessed = users.iter().all(|op| {
            let store = Operation::get_op::<Store>(*op, ctx);
            let load = Operation::get_op::<Load>(*op, ctx);
            store.is_some_and(|it| !it.is_volatile(ctx) && it.get_operand_value(ctx) != variable)
                || load.is_some_and(|it| !it.is_volatile(ctx))
        });
        if alloca.count(ctx).is_some() || !accessed {
            return;
        }
        let home = alloca.get_operation().deref(ctx).get_parent_block();
        let mut stores = users;
        stores.retain(|op| Operation::is_op::<Store>(*op, ctx));
        // What is inside of something with a further store first.
        stores.sort_by_key(|op| std::cmp::Reverse(depth(ctx, *op)));
        for store in stores {
            let Some(segment) = segment(ctx, store, variable, home) else {
                continue;
            };
            let uses: Vec<_> = variable
                .uses(ctx)
                .into_iter()
                .filter(|using| segment.iter().any(|op| is_in(ctx, using.user_op(), *op)))
                .collect();
            if uses.len() == variable.num_uses(ctx) {
                continue;
            }
            let ty = alloca.var_type(ctx);
            let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockStart(entry), store);
            let own = e.alloca(ty, None);
            for using in uses {
                let index = using.find_index(ctx);
                Operation::replace_operand(using.user_op(), ctx, index, own);
            }
        }
    }
}

/// How many operations are around one.
fn depth(ctx: &Context, op: Ptr<Operation>) -> usize {
    let around = op.deref(ctx).get_parent_op(ctx);
    around.map_or(0, |around| 1 + depth(ctx, around))
}

/// Whether an operation is another one or inside of it.
fn is_in(ctx: &Context, op: Ptr<Operation>, other: Ptr<Operation>) -> bool {
    let mut regions = walk::regions_of(ctx, other).into_iter();
    op == other || regions.any(|region| walk::is_inside(ctx, op, region))
}

/// A store and the operations of its block in which the variable may have the stored value, if nothing else sees that.
fn segment(
    ctx: &Context,
    store: Ptr<Operation>,
    variable: Value,
    home: Option<Ptr<BasicBlock>>,
) -> Option<Vec<Ptr<Operation>>> {
    let block = store.deref(ctx).get_parent_block()?;
    let mut segment = vec![store];
    for op in walk::ops_of_block(ctx, block)
        .into_iter()
        .skip_while(|op| *op != store)
        .skip(1)
    {
        if first(ctx, op, variable) == First::Written && Operation::is_op::<Store>(op, ctx) {
            return Some(segment);
        }
        if jumps_out(ctx, op) {
            return None;
        }
        segment.push(op);
    }
    let last = segment.last().copied().unwrap_or(store);
    (!is_read_behind(ctx, last, variable, home)).then_some(segment)
}

/// Whether an operation may leave the block that it is in.
fn jumps_out(ctx: &Context, op: Ptr<Operation>) -> bool {
    let is_jump = |op| {
        Operation::is_op::<Break>(op, ctx)
            || Operation::is_op::<Continue>(op, ctx)
            || Operation::is_op::<Return>(op, ctx)
    };
    match Operation::is_op::<Loop>(op, ctx) {
        true => walk::nested_ops(ctx, op)
            .into_iter()
            .any(|op| Operation::is_op::<Return>(op, ctx)),
        false => {
            is_jump(op)
                || walk::regions_of(ctx, op).into_iter().any(|region| {
                    walk::ops_of_region(ctx, region)
                        .into_iter()
                        .any(|inner| jumps_out(ctx, inner))
                })
        }
    }
}

/// Whether something behind an operation may read the value that the variable has there.
fn is_read_behind(
    ctx: &Context,
    op: Ptr<Operation>,
    variable: Value,
    home: Option<Ptr<BasicBlock>>,
) -> bool {
    let Some(block) = op.deref(ctx).get_parent_block() else {
        return true;
    };
    let ops = walk::ops_of_block(ctx, block);
    for next in ops.into_iter().skip_while(|it| *it != op).skip(1) {
        match first(ctx, next, variable) {
            First::Read => return true,
            First::Written => return false,
            First::Kept => {}
        }
    }
    if Some(block) == home {
        return false;
    }
    let Some(around) = block.deref(ctx).get_parent_op(ctx) else {
        return true;
    };
    let is_loop =
        Operation::is_op::<Loop>(around, ctx) || Operation::is_op::<LoopNest>(around, ctx);
    let again = is_loop && first(ctx, around, variable) == First::Read;
    let is_known = is_loop || Operation::is_op::<If>(around, ctx);
    !is_known || again || is_read_behind(ctx, around, variable, home)
}

fn first(ctx: &Context, op: Ptr<Operation>, variable: Value) -> First {
    if let Some(store) = Operation::get_op::<Store>(op, ctx) {
        return match store.get_operand_address(ctx) == variable {
            true => First::Written,
            false => First::Kept,
        };
    }
    if Operation::is_op::<Break>(op, ctx)
        || Operation::is_op::<Continue>(op, ctx)
        || Operation::is_op::<Return>(op, ctx)
        || walk::operands_of(ctx, op).contains(&variable)
    {
        return First::Read;
    }
    if let Some(branch) = Operation::get_op::<If>(op, ctx) {
        let sides = [0, 1].map(|side| first_of(ctx, branch.get_body(ctx, side), variable));
        return match sides {
            [First::Read, _] | [_, First::Read] => First::Read,
            [First::Written, First::Written] => First::Written,
            _ => First::Kept,
        };
    }
    let parts: Vec<First> = walk::regions_of(ctx, op)
        .into_iter()
        .filter_map(|region| region.deref(ctx).get_entry_block())
        .map(|block| first_of(ctx, block, variable))
        .collect();
    let is_loop = Operation::is_op::<Loop>(op, ctx) || Operation::is_op::<LoopNest>(op, ctx);
    match parts.contains(&First::Read) || !is_loop && parts.contains(&First::Written) {
        true => First::Read,
        // It may run no iteration.
        false => First::Kept,
    }
}

fn first_of(ctx: &Context, block: Ptr<BasicBlock>, variable: Value) -> First {
    walk::ops_of_block(ctx, block)
        .into_iter()
        .map(|op| first(ctx, op, variable))
        .find(|it| *it != First::Kept)
        .unwrap_or(First::Kept)
}
