//! What a loop over lanes stores, if that is elements which each iteration has to itself.
//!
//! ```text
//! lanes j = 0 to m {
//!   for k = 0 to n {
//!     if (k % 2)
//!       c[i * m + j] += a[i * n + k] * b[k * m + j] } }        its own, always: c[i * m + j]
//! ```
//! The iterations of the loop are independent. So where each of them stores in an element of its own whenever it accesses anything, no other one reads or writes that
//! element, whatever pointers lead to. Passes that change the order of iterations of several loops need no more than that.
//!
//! Always done is what all iterations of the loop over lanes do alike: in loops in order whose bounds do not depend on its counter, and in conditions that do not.
//!
//! Cost: linear in the size of the loop, times the depth of dependences in it.

use accrue_dialects::{
    address_use::object_of,
    core::{Alloca, If, Load, Store},
    flow::{Flow, loop_around},
    par::Loop,
};
use accrue_ir::{
    effects::is_pure,
    walk::{is_inside, nested, nested_ops, operands_of, ops_of_block},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    value::Value,
};

use crate::analysis::{
    accesses::{Base, Reader, Step},
    same::Same,
    straight::PureFunctions,
    variables::{Root, is_local_scalar},
};

/// A store to an element that an iteration has to itself.
pub struct OwnStore {
    pub store: Store,
    /// Each iteration stores there, if it accesses anything but scalars and variables of its own.
    pub always: bool,
}

/// The stores of `lanes` to what is not made in it. None if one of them may store elsewhere than in an element of its iteration, which is the same during all of
/// the region of `reader`, or if the loop does more than to compute, load and store; `around` are the loops that it may not go on with.
pub fn own_stores(
    reader: &Reader<'_>,
    lanes: Loop,
    around: &[Ptr<Operation>],
    pure: &PureFunctions,
) -> Option<Vec<OwnStore>> {
    let ctx = reader.ctx;
    let inside = nested_ops(ctx, lanes.get_operation());
    if !inside.iter().all(|op| is_plain(ctx, *op, around, pure)) {
        return None;
    }
    let stores: Vec<Store> = inside
        .iter()
        .filter_map(|op| Operation::get_op::<Store>(*op, ctx))
        .filter(|store| !is_made_in(ctx, store.get_operand_address(ctx), lanes))
        .collect();
    let is_own = |store: &Store| is_own(reader, lanes, store.get_operand_address(ctx));
    if !stores.iter().all(is_own) {
        return None;
    }
    let loads = loads_of_arrays(ctx, lanes).into_iter();
    let accesses: Vec<_> = loads
        .map(|load| load.get_operation())
        .chain(stores.iter().map(|store| store.get_operation()))
        .collect();
    let alike = done_alike(ctx, lanes, pure);
    let always = |store: &Store| {
        let op = store.get_operation().deref(ctx);
        let region = op.get_parent_region(ctx);
        op.get_parent_block()
            .is_some_and(|block| alike.contains(&block))
            && region.is_some_and(|region| accesses.iter().all(|op| is_inside(ctx, *op, region)))
    };
    let own = stores.iter().map(|store| OwnStore {
        store: *store,
        always: always(store),
    });
    Some(own.collect())
}

/// The loads of the loop from what its iterations may have stored: neither from scalars nor from what each of them makes. An array of the gang is one that its
/// lanes share.
pub fn loads_of_arrays(ctx: &Context, lanes: Loop) -> Vec<Load> {
    let loads = nested::<Load>(ctx, lanes.get_operation()).into_iter();
    let is_array = |load: &Load| {
        let address = load.get_operand_address(ctx);
        !is_local_scalar(ctx, address) && !is_made_in(ctx, address, lanes)
    };
    loads.filter(is_array).collect()
}

/// Whether the address is that of a variable which is made in the loop, or in one.
pub fn is_made_in(ctx: &Context, address: Value, lp: Loop) -> bool {
    let region = lp.get_operation().deref(ctx).get_region(0);
    let object = object_of(ctx, address).defining_op();
    object.is_some_and(|op| Operation::is_op::<Alloca>(op, ctx) && is_inside(ctx, op, region))
}

/// The blocks in the loop over lanes that all its iterations come to alike.
fn done_alike(ctx: &Context, lanes: Loop, pure: &PureFunctions) -> Vec<Ptr<BasicBlock>> {
    let body = lanes.get_body(ctx, 0);
    let counters: Vec<Value> = body.deref(ctx).arguments().collect();
    let inside = nested_ops(ctx, lanes.get_operation());
    let same = Same::of(ctx, &inside, (&counters, None), pure);
    let is_same = |op: Ptr<Operation>| !operands_of(ctx, op).into_iter().any(|it| same.varies(it));
    let mut blocks = vec![body];
    let mut at = 0;
    while let Some(block) = blocks.get(at) {
        for op in ops_of_block(ctx, *block) {
            let whole = Operation::is_op::<Loop>(op, ctx) && !has_jumps(ctx, op);
            if (whole || Operation::is_op::<If>(op, ctx)) && is_same(op) {
                let regions = op.deref(ctx).regions().collect::<Vec<_>>();
                blocks.extend(
                    regions
                        .iter()
                        .filter_map(|region| region.deref(ctx).get_head()),
                );
            }
        }
        at += 1;
    }
    blocks
}

/// Whether some iterations of a loop, or parts of them, may be left out.
fn has_jumps(ctx: &Context, lp: Ptr<Operation>) -> bool {
    nested_ops(ctx, lp).into_iter().any(|op| {
        let jumps = matches!(Flow::of(ctx, op), Flow::Break | Flow::Continue);
        jumps && loop_around(ctx, op) == Some(lp)
    })
}

/// Whether an address outside of the iteration depends on its place in the loop over lanes only.
fn is_own(reader: &Reader<'_>, lanes: Loop, address: Value) -> bool {
    let body = lanes.get_body(reader.ctx, 0);
    let counters: Vec<Value> = body.deref(reader.ctx).arguments().collect();
    let place = reader.place(address);
    let outside = match &place.base {
        // A scalar is no element: lanes share it.
        Base::Variable(root) => !matches!(root, Root::Local(variable) if *variable == address),
        Base::Pointee(_) => true,
        Base::Loaded(_) | Base::Inside | Base::Unknown => false,
    };
    outside
        && place.path.iter().all(|step| match step {
            Step::Index(sum) => reader.is_invariant(sum, &counters),
            Step::Member(_) => true,
        })
}

/// Whether an operation accesses memory by loads and stores only, and leads nowhere else than to the end of its iteration; `around` are the loops that it may not
/// go on with.
fn is_plain(
    ctx: &Context,
    op: Ptr<Operation>,
    around: &[Ptr<Operation>],
    pure: &PureFunctions,
) -> bool {
    match Flow::of(ctx, op) {
        Flow::Return => return false,
        Flow::Break | Flow::Continue => {
            return loop_around(ctx, op).is_some_and(|lp| !around.contains(&lp));
        }
        Flow::Loop(_) | Flow::For(_) | Flow::If(_) | Flow::Switch(_) | Flow::Yield => return true,
        Flow::Shared => return Operation::is_op::<Loop>(op, ctx),
        Flow::Next | Flow::Once => {}
    }
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        return !load.is_volatile(ctx);
    }
    if let Some(store) = Operation::get_op::<Store>(op, ctx) {
        return !store.is_volatile(ctx);
    }
    if let Some(alloca) = Operation::get_op::<Alloca>(op, ctx) {
        return alloca.count(ctx).is_none();
    }
    pure.is_called(ctx, op) || is_pure(ctx, op) && op.deref(ctx).num_regions() == 0
}
