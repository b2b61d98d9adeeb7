//! Vector loops that go along the same rows, and what they have in common.

use accrue_dialects::{
    core::{For, Store, is_scalar},
    par::{DimPos, DimSize, Level},
};
use accrue_ir::{
    effects::is_pure,
    walk::{nested, nested_ops, operands_of, results_of},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::{HashMap, HashSet};

use super::rows::Rows;
use crate::{
    analysis::straight::{PureFunctions, is_straight},
    gpu::{
        common_values::is_same_operation,
        interleave::{self, Late},
    },
};

/// Iterations that go operation by operation.
pub const GROUP: usize = 4;

/// What is kept: the number of its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot(pub usize);

/// What becomes of an access in a version.
#[derive(Clone, Copy)]
pub enum Role {
    /// A load that is made ahead of all others and kept.
    Ahead(Slot),
    /// A store whose value is kept as well, or an operation whose result is.
    Keeps(Slot),
    /// A load of what was kept before the iteration, or is kept ahead of it; an operation whose result was kept.
    Kept(Slot),
    /// A load of what this store of the same iteration stores.
    Stored(Store),
}

/// Loops over the same rows, in their order.
pub struct Chain {
    pub loops: Vec<Member>,
    /// The type of what each slot keeps.
    pub slots: Vec<TypeHandle>,
    /// Iterations that a lane has at most in the versions.
    pub iterations: usize,
    pub block: Ptr<BasicBlock>,
}

/// A loop of a chain.
pub struct Member {
    pub lp: For,
    pub roles: HashMap<Ptr<Operation>, Role>,
    /// Stores to places that a loop behind it stores to, before anybody reads them.
    pub overwritten: HashSet<Ptr<Operation>>,
    /// What keeps its order, iteration by iteration.
    pub late: Late,
}

impl Chain {
    /// What is done, by loop.
    pub fn describe(&self) -> Vec<(For, String)> {
        let messages = self.loops.iter().map(|member| {
            let mut kept: Vec<Slot> = vec![];
            let mut taken: Vec<Slot> = vec![];
            for role in member.roles.values() {
                match role {
                    Role::Ahead(slot) | Role::Keeps(slot) => kept.push(*slot),
                    Role::Kept(slot) => taken.push(*slot),
                    Role::Stored(_) => {}
                }
            }
            taken.retain(|slot| !kept.contains(slot) || self.has_two(member, *slot));
            let count = |slots: &mut Vec<Slot>| {
                slots.sort_by_key(|slot| slot.0);
                slots.dedup();
                match slots.len() {
                    1 => "1 array".to_string(),
                    number => format!("{number} arrays"),
                }
            };
            let what = match (kept.is_empty(), taken.is_empty()) {
                (false, true) => format!("keeps what it has of {} in registers for loops behind it", count(&mut kept)),
                (true, false) => format!("has the elements of {} from a loop before it, in registers", count(&mut taken)),
                _ => format!(
                    "has the elements of {} from a loop before it, in registers, and keeps what it has of {}",
                    count(&mut taken),
                    count(&mut kept)
                ),
            };
            let most = self.iterations;
            (member.lp, format!("{what}, in rows of up to {most} elements for each lane"))
        });
        messages.collect()
    }

    /// Whether the loop takes what the slot keeps from before, and keeps something else there.
    fn has_two(&self, member: &Member, slot: Slot) -> bool {
        let mut roles = member.roles.values();
        !roles.any(|role| matches!(role, Role::Ahead(own) if *own == slot))
    }
}

/// What [`find`] gives.
pub struct Found {
    pub chains: Vec<Chain>,
    /// Loops that load again what another has loaded, and why.
    pub refused: Vec<(For, &'static str)>,
}

/// The chains of a function.
pub fn find(ctx: &Context, func: FuncOp, pure: &PureFunctions) -> Found {
    let mut found = Found {
        chains: vec![],
        refused: vec![],
    };
    let mut blocks: Vec<Ptr<BasicBlock>> = vec![];
    let mut loops: Vec<For> = nested::<For>(ctx, func.get_operation());
    loops.retain(|lp| interleave::is_vector_loop(ctx, *lp) && is_of_a_gang(ctx, *lp));
    for lp in &loops {
        if let Some(block) = lp.get_operation().deref(ctx).get_parent_block()
            && !blocks.contains(&block)
        {
            blocks.push(block);
        }
    }
    for block in blocks {
        let in_block = |lp: &&For| lp.get_operation().deref(ctx).get_parent_block() == Some(block);
        let mut open: Vec<For> = loops.iter().filter(in_block).copied().collect();
        open.retain(|lp| is_suitable(ctx, *lp, pure));
        while !open.is_empty() {
            let first = open[0];
            let (alike, others): (Vec<For>, Vec<For>) = open
                .into_iter()
                .partition(|lp| has_same_bounds(ctx, first, *lp));
            open = others;
            if alike.len() > 1 {
                let rows = Rows::new(ctx, block, alike, pure);
                rows.chain(&mut found);
            }
        }
    }
    found
}

/// Whether the lanes of one gang share the iterations, so that the row is theirs.
fn is_of_a_gang(ctx: &Context, lp: For) -> bool {
    let mut open = vec![lp.get_operand_step(ctx)];
    while let Some(value) = open.pop() {
        let Some(op) = value.defining_op() else {
            return false;
        };
        match Operation::get_op::<DimSize>(op, ctx) {
            Some(size) if size.level(ctx) == Level::Gang => return false,
            Some(_) => {}
            None => open.extend(operands_of(ctx, op)),
        }
    }
    true
}

/// Whether versions of the loop can be written.
fn is_suitable(ctx: &Context, lp: For, pure: &PureFunctions) -> bool {
    let inside = nested_ops(ctx, lp.get_operation());
    let scalar = |op: &Ptr<Operation>| {
        let mut results = results_of(ctx, *op).into_iter();
        is_pure(ctx, *op) || results.all(|r| is_scalar(ctx, r.get_type(ctx)))
    };
    inside
        .iter()
        .all(|op| is_straight(ctx, *op, pure) && scalar(op))
        && pure.size(ctx, &inside) <= interleave::MAX_BODY
        && interleave::carried_variables(ctx, lp).is_some()
}

fn has_same_bounds(ctx: &Context, one: For, other: For) -> bool {
    let bounds = |lp: For| operands_of(ctx, lp.get_operation()).into_iter();
    one.info(ctx) == other.info(ctx)
        && bounds(one)
            .zip(bounds(other))
            .all(|(a, b)| is_same(ctx, a, b))
}

/// Whether two values are computed alike from the same, without memory.
fn is_same(ctx: &Context, a: Value, b: Value) -> bool {
    if a == b {
        return true;
    }
    let (Some(x), Some(y)) = (a.defining_op(), b.defining_op()) else {
        return false;
    };
    let fixed = |op| {
        is_pure(ctx, op)
            || Operation::is_op::<DimPos>(op, ctx)
            || Operation::is_op::<DimSize>(op, ctx)
    };
    let operands = operands_of(ctx, x).into_iter();
    fixed(x)
        && is_same_operation(ctx, x, y)
        && operands
            .zip(operands_of(ctx, y))
            .all(|(a, b)| is_same(ctx, a, b))
}
