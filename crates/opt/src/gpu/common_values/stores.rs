//! Of two stores to the same place with no read between them only the second stays.
//!
//! ```text
//! core.store %x, %p                        …
//! core.store %y, %q           →            core.store %y, %q
//! core.store %z, %p                        core.store %z, %p
//! ```
//! The operations of a block are walked through in their order, with the stores that nothing has read. A load keeps those that it may
//! reach ([`crate::analysis::overlap`]); whatever else may read or leave the block, and what several threads do together, keeps all. What a
//! reduction starts from and ends in stays as it is.
//! Cost: linear in the number of operations, times [`MOST_PENDING`].

use accrue_dialects::core::{Load, Store};
use accrue_ir::{
    effects::is_pure,
    walk::{ops_of_block, regions_of},
};
use pliron::{
    basic_block::BasicBlock,
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    r#type::Typed,
};

use crate::{
    analysis::{overlap::Overlap, straight::PureFunctions},
    gpu::forward::reduces,
};

/// Stores that are kept in mind.
const MOST_PENDING: usize = 32;

/// Drops dead stores in a block and the regions in it.
pub(super) fn drop_dead(
    ctx: &mut Context,
    block: Ptr<BasicBlock>,
    pure: &PureFunctions,
    overlap: &mut Overlap,
) {
    let mut pending: Vec<Store> = vec![];
    for op in ops_of_block(ctx, block) {
        for region in regions_of(ctx, op) {
            let blocks: Vec<_> = region.deref(ctx).iter(ctx).collect();
            for block in blocks {
                drop_dead(ctx, block, pure, overlap);
            }
        }
        if let Some(load) = Operation::get_op::<Load>(op, ctx).filter(|l| !l.is_volatile(ctx)) {
            let address = load.get_operand_address(ctx);
            pending.retain(|store| overlap.are_apart(ctx, store.get_operand_address(ctx), address));
            continue;
        }
        if let Some(store) = Operation::get_op::<Store>(op, ctx).filter(|s| !s.is_volatile(ctx)) {
            if reduces(ctx, store.get_operand_address(ctx)) {
                continue;
            }
            let dead = |ctx: &Context, overlap: &mut Overlap, before: &Store| {
                let address = |store: &Store| store.get_operand_address(ctx);
                let size = |store: &Store| store.get_operand_value(ctx).get_type(ctx);
                size(before) == size(&store)
                    && overlap.place(ctx, address(before)) == overlap.place(ctx, address(&store))
            };
            if let Some(at) = pending.iter().position(|before| dead(ctx, overlap, before)) {
                Operation::erase(pending.swap_remove(at).get_operation(), ctx);
            }
            pending.truncate(MOST_PENDING - 1);
            pending.push(store);
            continue;
        }
        if !is_pure(ctx, op) && !pure.is_called(ctx, op) {
            pending.clear();
        }
    }
}
