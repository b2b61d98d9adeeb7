//! Workers for loops over gangs whose inner loops are as long as the data say.
//!
//! ```text
//! #pragma acc parallel loop gang                     128 lanes for a row of, say, 20 elements:
//! for (int i = 0; i < n; i++) {                      most have nothing to do, and all wait at the end
//!     double s = 0;
//!     #pragma acc loop vector reduction(+ : s)
//!     for (int k = start[i]; k < start[i + 1]; k++)
//!         s += value[k] * x[column[k]];          →   gang worker: a warp for each row, several rows to a block
//!     y[i] = s;
//! }
//! ```
//! Where the length of rows can be computed at the launch, the number of lanes follows it, and versions of the kernel are for short and
//! long ones. Where it stands in memory, at a place that depends on the row, nobody knows it; rows of sparse matrices, graphs
//! and particles are short. A warp takes them without waiting for others, and many warps are under way. A product with rows of 8 to 64
//! entries took 2.5 times as long with 128 lanes.
//!
//! So it is with rows of a few constant elements: two warps for 64 would wait for each other in each row.
//!
//! It is done where neither `num_workers` nor `vector_length` is said, nothing in the loop is over workers, and nothing that gangs
//! have for themselves is written ([`crate::idle_lanes`]).
//!
//! Cost: linear in the size of the loop.

use accrue_dialects::acc::{ClauseOp, Group, Kernels, Loop, Parallel};
use accrue_dialects::core::{Alloca, Load, Store, layout::Records};
use accrue_dialects::par::Level;
use accrue_ir::walk::{self, is_inside, nested, operands_of};
use accrue_opt::{State, analysis::uneven::depends_on};
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, OneRegionInterface},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};
use std::collections::HashSet;

use crate::{
    assign_levels::asked, device_types::argument, idle_lanes, sequential_work::constant_iterations,
};

/// Elements of rows that a warp has done as soon as several would have waited for each other.
const SHORT: u64 = 64;
/// Rows from which on there are warps enough.
const FEWEST: u64 = 1024;

/// Whether the loop over gangs `lp`, in which loops over lanes are, gets workers, too.
pub fn want_workers(ctx: &Context, lp: Loop, records: &Records, state: &State) -> bool {
    let op = lp.get_operation();
    if let Some(parallel) = walk::enclosing::<Parallel>(ctx, op) {
        return want_workers_in(ctx, &parallel, lp, records, state);
    }
    let kernels = walk::enclosing::<Kernels>(ctx, op);
    kernels.is_some_and(|kernels| want_workers_in(ctx, &kernels, lp, records, state))
}

fn want_workers_in<C: ClauseOp + OneRegionInterface>(
    ctx: &Context,
    construct: &C,
    lp: Loop,
    records: &Records,
    state: &State,
) -> bool {
    let says = |size| argument(ctx, construct, size, state.target).is_some();
    let rows: Vec<Loop> = nested::<Loop>(ctx, lp.get_operation())
        .into_iter()
        .filter(|inner| inner.get_operation() != lp.get_operation())
        .collect();
    // What is between rows and their elements could take the workers itself.
    let lanes_only = rows
        .iter()
        .all(|inner| asked(&inner.clauses(ctx)) == [Level::Vector]);
    let region = lp.get_region(ctx);
    let of_data = rows.iter().any(|inner| are_bounds(ctx, *inner, region));
    let short = |inner: &Loop| constant_iterations(ctx, *inner).is_some_and(|n| n <= SHORT);
    let of_few =
        rows.iter().all(short) && constant_iterations(ctx, lp).is_none_or(|rows| rows >= FEWEST);
    let loops = || rows.iter().chain([&lp]);
    let says_on_loop = |size| loops().any(|own| argument(ctx, own, size, state.target).is_some());
    !says(Group::NumWorkers)
        && !says(Group::VectorLength)
        && !says_on_loop(Group::VectorLength)
        && lanes_only
        && (of_data || of_few)
        && idle_lanes::may_be_used_in(ctx, construct, lp, records)
}

/// Whether the loop's bounds stand in memory, at places that depend on what is in `region`.
pub fn are_bounds(ctx: &Context, lp: Loop, region: Ptr<Region>) -> bool {
    operands_of(ctx, lp.get_operation())
        .into_iter()
        .any(|bound| is_element(ctx, bound, region, &mut HashSet::new()))
}

/// Whether `value` is computed from an element of memory whose place depends on what is in `region`.
fn is_element(ctx: &Context, value: Value, region: Ptr<Region>, seen: &mut HashSet<Value>) -> bool {
    if !seen.insert(value) {
        return false;
    }
    let Some(op) = value.defining_op() else {
        return false;
    };
    let Some(load) = Operation::get_op::<Load>(op, ctx) else {
        let operands = operands_of(ctx, op);
        return operands
            .into_iter()
            .any(|operand| is_element(ctx, operand, region, seen));
    };
    let address = load.get_operand(ctx);
    let variable = address
        .defining_op()
        .filter(|op| Operation::is_op::<Alloca>(*op, ctx));
    if variable.is_none() {
        return depends_on(ctx, address, region);
    }
    let stores = address
        .uses(ctx)
        .into_iter()
        .filter_map(|using| Operation::get_op::<Store>(using.user_op(), ctx))
        .filter(|store| is_inside(ctx, store.get_operation(), region));
    stores
        .map(|store| store.get_operand_value(ctx))
        .any(|stored| is_element(ctx, stored, region, seen))
}
