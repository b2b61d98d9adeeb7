//! Vector loops outside of worker loops, in kernels that have worker loops elsewhere.
//!
//! There the block has several workers, and only one of them is to do the work: the lanes of the first worker run the
//! loop, the others wait at the next barrier.
//!
//! ```text
//! par.fork Vector 2                        par.fork Vector 2
//! %x = …                            →      %x = core.if %first () then { %x1 = … core.yield %x1 } else { core.yield 0 }
//! par.join Vector 2                        par.join Vector 2
//! ```
//! A reduction of the loop gives its result to all workers ([`super::reduce`]).

use super::{
    at::{Emitter, GpuAt},
    modes::{join_of, operations},
    unit::Unit,
};
use crate::dialect::Quantity;
use accrue_dialects::{
    core::{If, Yield},
    par::{Fork, Level},
};
use accrue_ir::walk::{ops_of_block, results_of};
use pliron::{
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// Lets only the first worker run such loops.
pub fn restrict(ctx: &mut Context, unit: &Unit) {
    for (op, mode) in operations(ctx, unit.function, unit.base, &|_| false) {
        let fork = Operation::get_op::<Fork>(op, ctx);
        if unit.has_idle_workers(mode) && fork.is_some_and(|f| f.level(ctx) == Level::Vector) {
            wrap(ctx, op);
        }
    }
}

fn wrap(ctx: &mut Context, fork: Ptr<Operation>) {
    let Some(block) = fork.deref(ctx).get_parent_block() else {
        return;
    };
    let ops = ops_of_block(ctx, block);
    let Some(start) = ops.iter().position(|o| *o == fork) else {
        return;
    };
    let Some(end) = join_of(ctx, &ops, start) else {
        return;
    };
    let region = &ops[start + 1..end];
    let results = used_outside(ctx, region);
    let types: Vec<_> = results.iter().map(|r| r.get_type(ctx)).collect();
    let mut at = Emitter::before(ctx, ops[end]);
    let first = at.is_zero(Quantity::Worker);
    let (branch, yes, no) = If::new(at.ctx, first, types.clone());
    let branch = at.op(|_| branch).get_operation();
    for op in region {
        op.unlink(ctx);
        op.insert_at_back(yes, ctx);
    }
    for (index, old) in results.iter().enumerate() {
        let new = branch.deref(ctx).get_result(index);
        old.replace_all_uses_with(ctx, &new);
    }
    // Uses inside the region stay what they were.
    for op in accrue_ir::walk::nested_ops(ctx, branch) {
        for (index, operand) in accrue_ir::walk::operands_of(ctx, op)
            .into_iter()
            .enumerate()
        {
            let place = results_of(ctx, branch).iter().position(|r| *r == operand);
            if let Some(place) = place {
                Operation::replace_operand(op, ctx, index, results[place]);
            }
        }
    }
    let end = Yield::new(ctx, results);
    end.get_operation().insert_at_back(yes, ctx);
    let mut zeros = Emitter::at_end_of(ctx, no, fork);
    let values = types.into_iter().map(|ty| zeros.zero(ty)).collect();
    zeros.op(|c| Yield::new(c, values));
}

/// Results of `region`'s operations that operations behind it use.
fn used_outside(ctx: &Context, region: &[Ptr<Operation>]) -> Vec<Value> {
    let inside = |mut op: Ptr<Operation>| loop {
        if region.contains(&op) {
            return true;
        }
        match op.deref(ctx).get_parent_op(ctx) {
            Some(parent) => op = parent,
            None => return false,
        }
    };
    let results = region.iter().flat_map(|op| results_of(ctx, *op));
    results
        .filter(|r| r.uses(ctx).iter().any(|u| !inside(u.user_op())))
        .collect()
}
