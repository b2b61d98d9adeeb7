//! Scalars that a partitioned region uses as temporaries.
//!
//! `int j;` in front of a region is one variable per gang (OpenACC 3.4, section 2.5.12), yet programs use it as the
//! counter of a sequential loop inside a vector loop, or for values that each iteration computes anew. Nobody can tell
//! such a variable from one per thread when
//!
//! 1. in every partitioned region that uses it, each read follows a write in the same iteration,
//! 2. the region writes it in one mode only, and
//! 3. outside of those regions it is only written, and
//! 4. nothing accesses it atomically: that is for others to see.
//!
//! ```text
//! int j;                                  // a register of each thread
//! #pragma acc loop vector
//! for (i = 0; i < n; i++) {
//!   for (j = 0; j < m; j++) s += a[i][j]; // j is written before it is read
//! ```

use super::modes::Mode;
use accrue_dialects::{
    core::{Alloca, Atomic, For, Load, Store},
    flow::Flow,
};
use accrue_ir::walk::{is_inside, ops_of_block, regions_of};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    operation::Operation,
    value::Value,
};
use std::collections::HashMap;

/// Whether the scalar `alloca` of a single mode is only a temporary of regions that are partitioned further.
pub fn is_temporary(
    ctx: &Context,
    alloca: Alloca,
    mode: Mode,
    modes: &HashMap<Ptr<Operation>, Mode>,
) -> bool {
    let variable = alloca.get_result(ctx);
    let users = variable.uses(ctx).into_iter().map(|u| u.user_op());
    if users.clone().any(|op| Atomic::of(ctx, op).is_some()) {
        return false;
    }
    let deeper = |op: &Ptr<Operation>| modes.get(op).is_some_and(|m| m.is_inside(mode));
    let (inside, outside): (Vec<_>, Vec<_>) = users.partition(deeper);
    if outside.iter().any(|op| Operation::is_op::<Load>(*op, ctx)) {
        return false;
    }
    // The partitioned loops around the uses, each looked at once.
    let mut loops: Vec<Ptr<Operation>> = vec![];
    for op in inside {
        match outermost_loop(ctx, op, &deeper) {
            Some(found) if !loops.contains(&found) => loops.push(found),
            Some(_) => {}
            None => return false,
        }
    }
    loops.into_iter().all(|op| {
        let Some(body) = body_of(ctx, op) else {
            return false;
        };
        let own = ops_of_block(ctx, body).first().and_then(|o| modes.get(o));
        let stores = variable.uses(ctx).into_iter().map(|u| u.user_op());
        let mut stores = stores.filter(|o| {
            Operation::is_op::<Store>(*o, ctx) && is_inside(ctx, *o, op.deref(ctx).get_region(0))
        });
        stores.all(|s| modes.get(&s) == own) && !reads_first(ctx, body, variable, &mut false)
    })
}

fn body_of(ctx: &Context, op: Ptr<Operation>) -> Option<Ptr<BasicBlock>> {
    let region = regions_of(ctx, op).first().copied()?;
    region.deref(ctx).get_entry_block()
}

/// The outermost `core.for` around `op` that is in the partitioned region.
fn outermost_loop(
    ctx: &Context,
    op: Ptr<Operation>,
    deeper: &dyn Fn(&Ptr<Operation>) -> bool,
) -> Option<Ptr<Operation>> {
    let mut found = None;
    let mut at = op.deref(ctx).get_parent_op(ctx);
    while let Some(parent) = at.filter(|p| deeper(p)) {
        if Operation::is_op::<For>(parent, ctx) {
            found = Some(parent);
        }
        at = parent.deref(ctx).get_parent_op(ctx);
    }
    found
}

/// Whether code of `block` may read `variable` before it has written it. `written`: whether it certainly has been, before
/// and after the block.
fn reads_first(ctx: &Context, block: Ptr<BasicBlock>, variable: Value, written: &mut bool) -> bool {
    for op in ops_of_block(ctx, block) {
        if *written {
            return false;
        }
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            if load.get_operand_address(ctx) == variable {
                return true;
            }
        } else if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            *written = store.get_operand_address(ctx) == variable;
        } else if Flow::of(ctx, op).is_jump() {
            return false;
        } else if inner_reads_first(ctx, op, variable, written) {
            return true;
        }
    }
    false
}

/// The same for an operation with regions. Only a branch certainly runs one of them to its end.
fn inner_reads_first(
    ctx: &Context,
    op: Ptr<Operation>,
    variable: Value,
    written: &mut bool,
) -> bool {
    let blocks: Vec<_> = regions_of(ctx, op)
        .into_iter()
        .filter_map(|r| r.deref(ctx).get_entry_block())
        .collect();
    let mut certain = vec![];
    for block in &blocks {
        let mut here = false;
        if reads_first(ctx, *block, variable, &mut here) {
            return true;
        }
        certain.push(here);
    }
    let runs_one = match Flow::of(ctx, op) {
        Flow::If(_) => true,
        Flow::Switch(_) | Flow::Loop(_) | Flow::For(_) | Flow::Shared => false,
        Flow::Once | Flow::Next => false,
        Flow::Yield | Flow::Break | Flow::Continue | Flow::Return => false,
    };
    *written |= runs_one && certain.iter().all(|c| *c);
    false
}
