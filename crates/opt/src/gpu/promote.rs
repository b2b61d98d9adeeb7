//! Pass `promote`: local variables that are written once become the value they hold, on GPUs.
//!
//! The importer makes a variable of every parameter and every declaration of the source. What is loaded from one could be
//! anything, until somebody looks for the stores; so a constant behind a name stays hidden from whoever wants to unroll, and
//! the address of a variable that was passed to an inlined function seems to escape.
//!
//! ```text
//! %p = core.alloca
//! core.store %x, %p                 →
//! … core.load %p …                       … %x …
//! ```
//!
//! The store must come before every load, in its own block or in a region inside it, and on the same side of a `par.join`:
//! what lanes compute is not the value of the code behind them. Replacing one variable may free another, whose address it
//! held, so that the pass repeats itself until nothing changes. Distances between pointers that are known then become numbers
//! ([`super::pointer_distances`]).
//!
//! Cost: linear in the uses of local variables, times the depth of regions, for each round; there are as many rounds as
//! addresses are passed on.

use accrue_dialects::{
    core::{Alloca, Load, Store},
    par::{Edge, ReductionOp},
};
use accrue_ir::walk::{nested, ops_of_block};
use pliron::{
    basic_block::BasicBlock,
    builtin::{op_interfaces::OneResultInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    value::Value,
};
use std::collections::HashMap;

use super::pointer_distances::replace_known;
use crate::{State, analysis::variables::is_local_scalar, transform::inline::device_functions};

/// Promotes in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.promotes_memory {
        return;
    }
    for func in device_functions(ctx, module) {
        promote_all(ctx, func.get_operation());
    }
}

/// Promotes what can be promoted inside `op`.
pub fn promote_all(ctx: &mut Context, op: Ptr<Operation>) {
    let mut scopes = Scopes::default();
    let mut changed = true;
    while changed {
        changed = false;
        for alloca in nested::<Alloca>(ctx, op) {
            if let Some(once) = written_once(ctx, alloca, &mut scopes) {
                replace(ctx, alloca, once);
                changed = true;
            }
        }
    }
    replace_known(ctx, op);
}

/// A variable that is written once, before it is read.
struct WrittenOnce {
    store: Store,
    loads: Vec<Load>,
}

fn written_once(ctx: &Context, alloca: Alloca, scopes: &mut Scopes) -> Option<WrittenOnce> {
    let address = alloca.get_result(ctx);
    if !is_local_scalar(ctx, address) {
        return None;
    }
    let (mut store, mut loads) = (None, vec![]);
    for using in address.uses(ctx) {
        let user = using.user_op();
        match Operation::get_op::<Load>(user, ctx) {
            Some(load) => loads.push(load),
            None if store.is_some() => return None,
            None => store = Some(Operation::get_op::<Store>(user, ctx)?),
        }
    }
    let store = store?;
    if is_local_of_reduction(ctx, store, &loads) {
        return None;
    }
    loads
        .iter()
        .all(|load| scopes.precedes(ctx, store.get_operation(), load.get_operation()))
        .then_some(WrittenOnce { store, loads })
}

/// Whether the variable is the LOCAL of a reduction, or what one starts from or ends in: these stay variables.
fn is_local_of_reduction(ctx: &Context, store: Store, loads: &[Load]) -> bool {
    let reduces =
        |op: Ptr<Operation>| op_cast::<dyn ReductionOp>(&*Operation::get_op_dyn(op, ctx)).is_some();
    let from = store.get_operand_value(ctx).defining_op();
    let results = loads.iter().flat_map(|load| load.get_result(ctx).uses(ctx));
    from.is_some_and(reduces) || results.into_iter().any(|using| reduces(using.user_op()))
}

/// What stands where: for each operation of some blocks its number, and that of the `par.join` that ends what it is in.
///
/// The pass only takes operations away, so that what is known of a block stays true.
#[derive(Default)]
struct Scopes(HashMap<Ptr<BasicBlock>, Places>);

type Places = HashMap<Ptr<Operation>, (usize, usize)>;

impl Scopes {
    /// Whether `store` has run, by the same threads, whenever `load` runs.
    fn precedes(&mut self, ctx: &Context, store: Ptr<Operation>, load: Ptr<Operation>) -> bool {
        let Some(block) = store.deref(ctx).get_parent_block() else {
            return false;
        };
        let mut at = load;
        while at.deref(ctx).get_parent_block() != Some(block) {
            match at.deref(ctx).get_parent_op(ctx) {
                Some(around) => at = around,
                None => return false,
            }
        }
        let places = self.0.entry(block).or_insert_with(|| places(ctx, block));
        let places = [store, at].map(|op| places.get(&op));
        let [Some((store, end)), Some((load, _))] = places else {
            return false;
        };
        store < load && load <= end
    }
}

fn places(ctx: &Context, block: Ptr<BasicBlock>) -> Places {
    let ops = ops_of_block(ctx, block);
    let mut ends = vec![];
    let mut found = HashMap::new();
    for (number, op) in ops.into_iter().enumerate().rev() {
        let edge = Edge::of(ctx, op);
        match edge {
            Some(Edge::Fork(_)) => _ = ends.pop(),
            Some(Edge::Join(_)) | None => {}
        }
        found.insert(op, (number, ends.last().copied().unwrap_or(usize::MAX)));
        match edge {
            Some(Edge::Join(_)) => ends.push(number),
            Some(Edge::Fork(_)) | None => {}
        }
    }
    found
}

fn replace(ctx: &mut Context, alloca: Alloca, once: WrittenOnce) {
    let value: Value = once.store.get_operand_value(ctx);
    for load in once.loads {
        load.get_result(ctx).replace_all_uses_with(ctx, &value);
        Operation::erase(load.get_operation(), ctx);
    }
    Operation::erase(once.store.get_operation(), ctx);
    Operation::erase(alloca.get_operation(), ctx);
}
