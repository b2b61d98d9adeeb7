//! Elements of memory that one short loop stores and another one loads: with both loops unrolled, what is stored is known where it is
//! loaded.
//!
//! ```text
//! for k < 16: own[k] = f(k)                       own[0] = v0 = f(0);  own[1] = v1 = f(1); …
//! for k < 16: sum += own[k] = exp(own[k])    →    own[0] = w0 = exp(v0); …
//! for k < 16: own[k] /= sum                       own[0] = w0 / sum; …
//! ```
//! A row of the result is often used as a table of the iteration's own, and no other array stands between the loops. Which elements are
//! the same is a matter of sums ([`crate::analysis::affine`]); the pass `common-values` takes the loads away. Cost: linear in the size of
//! the loops, times the length of a sum.

use accrue_dialects::core::{For, Load, Store};
use accrue_ir::walk::nested_ops;
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::{HashMap, HashSet};

use crate::analysis::affine::{Affine, OriginId, Sum};

/// Where an access is, but for the counter of its loop.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Row {
    around: Option<Ptr<BasicBlock>>,
    origin: OriginId,
    distance: Sum,
    /// How many elements an iteration is behind the one before.
    stride: i64,
}

/// Of these loops, those that store elements which others in the same block load or store, or the other way round.
pub(super) fn sharing(ctx: &Context, loops: &[For]) -> HashSet<Ptr<Operation>> {
    let mut affine = Affine::default();
    let mut stored: HashMap<Row, Vec<Ptr<Operation>>> = HashMap::new();
    let mut accessed = stored.clone();
    for lp in loops {
        let op = lp.get_operation();
        let iv = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
        let around = op.deref(ctx).get_parent_block();
        for inside in nested_ops(ctx, op) {
            let load = Operation::get_op::<Load>(inside, ctx);
            let store = Operation::get_op::<Store>(inside, ctx);
            let address = match (load, store) {
                (Some(load), _) => load.get_operand_address(ctx),
                (None, Some(store)) => store.get_operand_address(ctx),
                (None, None) => continue,
            };
            let Some(row) = row(ctx, &mut affine, address, iv, around) else {
                continue;
            };
            if store.is_some() {
                stored.entry(row.clone()).or_default().push(op);
            }
            accessed.entry(row).or_default().push(op);
        }
    }
    let mut found = HashSet::new();
    for (row, stores) in stored {
        let all = accessed.get(&row).into_iter().flatten();
        let all: HashSet<_> = all.copied().collect();
        if stores.iter().any(|store| all.iter().any(|op| op != store)) {
            found.extend(all);
        }
    }
    found
}

fn row(
    ctx: &Context,
    affine: &mut Affine,
    address: Value,
    iv: Value,
    around: Option<Ptr<BasicBlock>>,
) -> Option<Row> {
    let place = affine.place(ctx, address);
    let own = |atoms: &[_]| match atoms {
        [atom] => affine.atom(*atom).1 == iv,
        _ => false,
    };
    let (_, stride) = place.distance.terms().find(|(atoms, _)| own(atoms))?;
    let counter = affine.sum(ctx, iv);
    Some(Row {
        around,
        origin: place.origin,
        distance: place.distance.plus(&counter, stride.wrapping_neg()),
        stride,
    })
}
