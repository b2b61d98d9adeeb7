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
use accrue_dialects::core::{Alloca, Bin, BinKind, Load, Store, layout::Records};
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

/// Whether several iterations of the loop around share a row, that is, bounds in memory: its number is a quotient, as in a nest that
/// the program has made one loop.
///
/// ```text
/// for (t = 0; t < n * 64; t++)
///     for (k = start[t / 64]; k < start[t / 64 + 1]; k++)
/// ```
pub fn are_shared(ctx: &Context, lp: Loop, region: Ptr<Region>) -> bool {
    let (mut seen, mut open) = (HashSet::new(), operands_of(ctx, lp.get_operation()));
    while let Some(value) = open.pop() {
        let Some(op) = value.defining_op().filter(|_| seen.insert(value)) else {
            continue;
        };
        let bin = Operation::get_op::<Bin>(op, ctx);
        if bin.is_some_and(|bin| divides(bin.kind(ctx))) && depends_on(ctx, value, region) {
            return true;
        }
        open.extend(match stored(ctx, op, region) {
            Some(stored) => stored,
            None => operands_of(ctx, op),
        });
    }
    false
}

/// Whether several numbers have one result.
fn divides(kind: BinKind) -> bool {
    [BinKind::DivS, BinKind::DivU, BinKind::ShrS, BinKind::ShrU].contains(&kind)
}

/// Whether `value` is computed from an element of memory whose place depends on what is in `region`.
fn is_element(ctx: &Context, value: Value, region: Ptr<Region>, seen: &mut HashSet<Value>) -> bool {
    let Some(op) = value.defining_op().filter(|_| seen.insert(value)) else {
        return false;
    };
    let from = match (stored(ctx, op, region), Operation::get_op::<Load>(op, ctx)) {
        (Some(stored), _) => stored,
        (None, Some(load)) => return depends_on(ctx, load.get_operand(ctx), region),
        (None, None) => operands_of(ctx, op),
    };
    from.into_iter()
        .any(|value| is_element(ctx, value, region, seen))
}

/// What is stored in `region` to the local variable that the operation loads, if it does.
fn stored(ctx: &Context, op: Ptr<Operation>, region: Ptr<Region>) -> Option<Vec<Value>> {
    let variable = Operation::get_op::<Load>(op, ctx)?.get_operand(ctx);
    Operation::get_op::<Alloca>(variable.defining_op()?, ctx)?;
    let users = variable.uses(ctx).into_iter().map(|using| using.user_op());
    let stores = users
        .filter_map(|op| Operation::get_op::<Store>(op, ctx))
        .filter(|store| is_inside(ctx, store.get_operation(), region));
    Some(stores.map(|store| store.get_operand_value(ctx)).collect())
}
