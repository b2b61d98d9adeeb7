//! Compute constructs of which the launch can tell whether memory overlaps, and whose kernels are the same on the host.
//!
//! ```text
//! #pragma acc kernels                       one nest, which accesses variables and what pointer variables lead to
//! for (i = 0; i < n; i++) p[i] = q[i];
//! ```
//! Cost: linear.

use accrue_dialects::{
    acc::{ClauseOp, Group, Kernels, Loop, Parallel},
    core::Load,
    flow::Flow,
};
use accrue_ir::{effects::is_pure, walk};
use accrue_opt::analysis::accesses::{Base, Reader};
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
};
use std::collections::HashSet;

use super::{Accessed, Known, touched};

/// The loops of the constructs [`is_simple`].
pub(super) fn loops_of_simple_constructs(
    ctx: &Context,
    module: ModuleOp,
    known: &Known,
) -> HashSet<Ptr<Operation>> {
    let all = |ctx, op| {
        let kernels = walk::nested::<Kernels>(ctx, op).into_iter();
        let kernels = kernels.map(|kernels| kernels.get_region(ctx));
        let parallel = walk::nested::<Parallel>(ctx, op).into_iter();
        kernels.chain(parallel.map(|parallel| parallel.get_region(ctx)))
    };
    let simple = all(ctx, module.get_operation()).filter(|region| is_simple(ctx, *region, known));
    let ops = simple.flat_map(|region| walk::ops_of_region(ctx, region));
    let loops = ops.flat_map(|op| walk::nested_ops(ctx, op).into_iter().chain([op]));
    loops
        .filter(|op| Operation::is_op::<Loop>(*op, ctx))
        .collect()
}

/// Whether one nest is all that a construct does, without a result of its own, and it is known what its accesses are based on.
fn is_simple(ctx: &Context, region: Ptr<Region>, known: &Known) -> bool {
    let mut nests = 0;
    for op in walk::ops_of_region(ctx, region) {
        if let Some(nest) = Operation::get_op::<Loop>(op, ctx) {
            nests += 1;
            if !nest.clause(ctx, Group::Reduction).is_empty() {
                return false;
            }
            continue;
        }
        let reads = Operation::is_op::<Load>(op, ctx);
        if !reads && !is_pure(ctx, op) && Flow::of(ctx, op) != Flow::Yield {
            return false;
        }
    }
    let reader = Reader::new(ctx, region);
    let is_known = |op: &Ptr<Operation>| {
        let touched = touched(ctx, *op, known);
        touched.is_ok_and(|all| {
            all.iter().all(|(accessed, _)| match accessed {
                Accessed::At(address) => reader.base(*address) != Base::Unknown,
                // The launch does not see where it is.
                Accessed::Global(..) => false,
            })
        })
    };
    nests == 1
        && walk::ops_of_region(ctx, region)
            .into_iter()
            .flat_map(|op| walk::nested_ops(ctx, op))
            .all(|op| is_known(&op))
}
