//! What is loaded twice from the same address, or has just been stored there, is loaded once.
//!
//! ```text
//! %a = core.load %p                        %a = core.load %p
//! %x = core.call logf(%a)                  %x = core.call logf(%a)
//! %b = core.load %p                 →      core.store %x, %q
//! core.store %x, %q                        … %a, %x …
//! %c = core.load %q
//! … %b, %c …
//! ```
//! NVIDIA's assembler does the same, but not past a branch, which a rare case of a root or a division is, and not past a store.
//!
//! The operations of a block are walked through in their order, with what memory is known to hold. Whatever may write clears that, as does
//! what several threads do together; a store knows its own place afterwards. Variables of the thread do not matter: their loads are
//! left to `promote` and `forward`. Arms of a branch begin with what is known in front of them; so does what else has regions, if nothing
//! in it writes. Cost: linear in the number of operations, times the depth of regions.

use accrue_dialects::core::{If, Load, Store};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk::{nested_ops, ops_of_block, regions_of},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashMap;

use crate::analysis::{
    straight::PureFunctions,
    variables::{is_in_variable, is_local_scalar},
};

/// What memory holds, by address.
type Held = HashMap<Value, Value>;

/// Shares loads in a block and the regions in it.
pub(super) fn share(
    ctx: &mut Context,
    block: Ptr<BasicBlock>,
    pure: &PureFunctions,
    mut held: Held,
) {
    for op in ops_of_block(ctx, block) {
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            reload(ctx, load, &mut held);
            continue;
        }
        let regions = regions_of(ctx, op);
        let inside = nested_ops(ctx, op);
        let changes =
            changes_memory(ctx, op, pure) || inside.iter().any(|op| changes_memory(ctx, *op, pure));
        let exclusive = Operation::is_op::<If>(op, ctx);
        for region in regions {
            let blocks: Vec<_> = region.deref(ctx).iter(ctx).collect();
            for block in blocks {
                let before = match exclusive || !changes {
                    true => held.clone(),
                    false => Held::new(),
                };
                share(ctx, block, pure, before);
            }
        }
        if changes {
            held.clear();
        }
        if let Some(store) = Operation::get_op::<Store>(op, ctx)
            && !store.is_volatile(ctx)
        {
            let address = store.get_operand_address(ctx);
            if !is_in_variable(ctx, address) {
                held.insert(address, store.get_operand_value(ctx));
            }
        }
    }
}

fn reload(ctx: &mut Context, load: Load, held: &mut Held) {
    let (address, result) = (load.get_operand_address(ctx), load.get_result(ctx));
    if load.is_volatile(ctx) || is_in_variable(ctx, address) {
        return;
    }
    match held.get(&address).copied() {
        Some(known) if known.get_type(ctx) == result.get_type(ctx) => {
            result.replace_all_uses_with(ctx, &known);
            Operation::erase(load.get_operation(), ctx);
        }
        Some(_) | None => _ = held.insert(address, result),
    }
}

/// Whether memory outside of the thread's variables may be other behind `op` itself.
fn changes_memory(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
    if let Some(store) = Operation::get_op::<Store>(op, ctx) {
        return store.is_volatile(ctx) || !is_local_scalar(ctx, store.get_operand_address(ctx));
    }
    if pure.is_called(ctx, op) {
        return false;
    }
    effects_of(ctx, op)
        .expected()
        .iter()
        .any(|effect| match effect {
            Effect::Write(_) | Effect::Free(_) | Effect::Convergent => true,
            Effect::Read(_) | Effect::Alloc | Effect::Structure => false,
        })
}
