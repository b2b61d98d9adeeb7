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
//! The operations of a block are walked through in their order, with what memory is known to hold. A store changes what may be at its
//! place ([`crate::analysis::overlap`]), and that is known afterwards; whatever else may write, and what several threads do together, leaves
//! nothing known. Variables of the thread are memory like any other, but for what a reduction starts from and ends in. Arms of a branch begin
//! with what is known in front of them; so does what else has regions, but for what is written in it. Cost: linear in the number of
//! operations, times the depth of regions, times [`MOST_HELD`].

use accrue_dialects::{
    core::{If, Load, Store},
    flow::Flow,
};
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
use std::collections::{HashMap, HashSet};

use crate::{
    analysis::{
        affine::Place, overlap::Overlap, straight::PureFunctions, variables::is_local_scalar,
    },
    gpu::forward::reduces,
};

/// Addresses whose contents are kept in mind when something is stored.
const MOST_HELD: usize = 64;

/// What memory holds: by place, an address of it and the value that is there.
type Held = HashMap<Place, (Value, Value)>;

/// What may be other behind an operation.
enum Changes {
    Known {
        scalars: HashSet<Value>,
        /// Other addresses at which something is stored.
        places: Vec<Value>,
    },
    Anything,
}

/// Shares loads in a block and the regions in it.
pub(super) fn share(
    ctx: &mut Context,
    block: Ptr<BasicBlock>,
    pure: &PureFunctions,
    overlap: &mut Overlap,
    mut held: Held,
) {
    for op in ops_of_block(ctx, block) {
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            reload(ctx, load, overlap, &mut held);
            continue;
        }
        let regions = regions_of(ctx, op);
        let exclusive = Operation::is_op::<If>(op, ctx);
        // What is behind an `if` is not behind an arm that leaves.
        let changing: Vec<_> = match exclusive {
            true => stays_of(ctx, op),
            false => std::iter::once(op).chain(nested_ops(ctx, op)).collect(),
        };
        let changes = changes_of(ctx, changing, pure);
        let mut unchanged = held.clone();
        forget(ctx, &changes, overlap, &mut unchanged);
        for region in regions {
            let blocks: Vec<_> = region.deref(ctx).iter(ctx).collect();
            for block in blocks {
                let before = match exclusive {
                    true => held.clone(),
                    false => unchanged.clone(),
                };
                share(ctx, block, pure, overlap, before);
            }
        }
        held = unchanged;
        if let Some(store) = Operation::get_op::<Store>(op, ctx)
            && !store.is_volatile(ctx)
        {
            let address = store.get_operand_address(ctx);
            held.insert(
                overlap.place(ctx, address),
                (address, store.get_operand_value(ctx)),
            );
        }
    }
}

/// Drops what is not known any more.
fn forget(ctx: &Context, changes: &Changes, overlap: &mut Overlap, held: &mut Held) {
    let (scalars, places) = match changes {
        Changes::Known { scalars, places } => (scalars, places),
        Changes::Anything => return held.clear(),
    };
    let many = held.len() > MOST_HELD;
    held.retain(|_, (address, _)| {
        if scalars.contains(address) {
            return false;
        }
        let mut places = places.iter();
        match many {
            true => places.len() == 0 || is_local_scalar(ctx, *address),
            false => places.all(|place| overlap.are_apart(ctx, *place, *address)),
        }
    });
}

/// The operations in the arms of `op` that come to their end.
fn stays_of(ctx: &Context, op: Ptr<Operation>) -> Vec<Ptr<Operation>> {
    let mut found = vec![];
    for region in regions_of(ctx, op) {
        let leaves = |ops: &[Ptr<Operation>]| {
            let last = ops.last();
            last.is_some_and(|last| Flow::of(ctx, *last).is_jump())
        };
        for block in region.deref(ctx).iter(ctx) {
            let ops = ops_of_block(ctx, block);
            if !leaves(&ops) {
                found.extend(ops.iter().flat_map(|op| nested_ops(ctx, *op)));
                found.extend(ops);
            }
        }
    }
    found
}

/// What the operations may change.
fn changes_of(ctx: &Context, ops: Vec<Ptr<Operation>>, pure: &PureFunctions) -> Changes {
    let (mut scalars, mut places) = (HashSet::new(), vec![]);
    for op in ops {
        let store = Operation::get_op::<Store>(op, ctx);
        match store.filter(|store| !store.is_volatile(ctx)) {
            Some(store) => {
                let address = store.get_operand_address(ctx);
                match is_local_scalar(ctx, address) {
                    true => _ = scalars.insert(address),
                    false => places.push(address),
                }
            }
            None if changes_memory(ctx, op, pure) => return Changes::Anything,
            None => {}
        }
    }
    Changes::Known { scalars, places }
}

fn reload(ctx: &mut Context, load: Load, overlap: &mut Overlap, held: &mut Held) {
    let (address, result) = (load.get_operand_address(ctx), load.get_result(ctx));
    if load.is_volatile(ctx) || reduces(ctx, address) {
        return;
    }
    let place = overlap.place(ctx, address);
    match held.get(&place).copied() {
        Some((_, known)) if known.get_type(ctx) == result.get_type(ctx) => {
            result.replace_all_uses_with(ctx, &known);
            let copies = held.values_mut().filter(|(_, value)| *value == result);
            copies.for_each(|(_, value)| *value = known);
            Operation::erase(load.get_operation(), ctx);
        }
        Some(_) | None => _ = held.insert(place, (address, result)),
    }
}

/// Whether memory may be other behind `op` itself, which is no plain store.
fn changes_memory(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
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
