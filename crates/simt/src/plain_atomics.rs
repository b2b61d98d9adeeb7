//! Atomic accesses to variables of one thread are plain ones: nobody else sees the variable, and the hardware has no atomic
//! instructions for such memory.
//!
//! ```text
//! %old, %new = core.atomic_update %x { ^(%o): %s = … core.yield %s }    →    %old = core.load %x   %s = …   core.store %s, %x
//! ```

use super::{
    at::Emitter,
    modes::operations,
    roots::{Root, root},
    storage::is_private,
    unit::Unit,
};
use accrue_dialects::core::{Atomic, AtomicUpdate, Yield};
use accrue_ir::walk::ops_of_block;
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    operation::Operation,
    value::Value,
};

/// Replaces them in the function.
pub fn expand(ctx: &mut Context, unit: &Unit) {
    let all = operations(ctx, unit.function, unit.base, &|op| {
        Operation::is_op::<AtomicUpdate>(op, ctx)
    });
    for (op, _) in all {
        let Some(access) = Atomic::of(ctx, op) else {
            continue;
        };
        let address = access.address(ctx);
        if !is_own(ctx, unit, address) {
            continue;
        }
        match access {
            Atomic::Load(load) => {
                let new = Emitter::before(ctx, op).load(address);
                load.get_result(ctx).replace_all_uses_with(ctx, &new);
                Operation::erase(op, ctx);
            }
            Atomic::Store(store) => {
                let value = store.get_operand_value(ctx);
                Emitter::before(ctx, op).store(value, address);
                Operation::erase(op, ctx);
            }
            Atomic::Update(update) => expand_update(ctx, op, update),
        }
    }
}

fn is_own(ctx: &Context, unit: &Unit, address: Value) -> bool {
    matches!(root(ctx, address), Root::Variable(v) if is_private(unit, v))
}

fn expand_update(ctx: &mut Context, op: Ptr<Operation>, update: AtomicUpdate) {
    let address = update.get_operand_address(ctx);
    let body = update.get_body(ctx, 0);
    let old = Emitter::before(ctx, op).load(address);
    let argument = body.deref(ctx).get_argument(0);
    argument.replace_all_uses_with(ctx, &old);
    let new = update.yielded(ctx).unwrap_or(old);
    for inner in ops_of_block(ctx, body) {
        if !Operation::is_op::<Yield>(inner, ctx) {
            inner.unlink(ctx);
            inner.insert_before(ctx, op);
        }
    }
    Emitter::before(ctx, op).store(new, address);
    update.old(ctx).replace_all_uses_with(ctx, &old);
    update.new_value(ctx).replace_all_uses_with(ctx, &new);
    Operation::erase(op, ctx);
}
