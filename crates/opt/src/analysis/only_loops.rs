//! Whether gangs without iterations can be noticed: the runtime need not start them.
//!
//! ```text
//! parallel loop num_gangs(1000000)            10 iterations: 10 gangs do it
//! parallel num_gangs(1000000)                 each gang counts itself: all of them have to run
//! {  atomic: gangs += 1;  loop gang … }
//! ```
//!
//! What stands in the kernel outside of its gang loops may compute, read, and set the gang's own variables. It may write nothing
//! else, and call nothing. Nor may the kernel use the result of a gang loop elsewhere. A reduction on the construct adds up what
//! each gang has, which is nothing where gang loops alone use the variable:
//!
//! ```text
//! parallel num_gangs(1000000) reduction(+: s)      gangs without iterations add 0
//! {  loop gang reduction(+: s)  for (…) s += a[i];  }
//! ```
//!
//! Nor may the program ask how many gangs there are, or which one it is in, anywhere in the kernel or in what that calls.
//!
//! Cost: linear in the operations outside of gang loops, and in the functions that the kernel calls.

use crate::analysis::{uneven::Functions, variables::is_in_variable};
use crate::transform::level_queries::{Query, query};
use accrue_dialects::core::{Call, Externs};
use accrue_dialects::par::{CONSTRUCT, Level, Loop, Reduce};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk,
};
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};
use std::collections::HashSet;

/// Whether the kernel `func` leaves nothing to do for a gang that gets no iterations.
pub fn has_only_loops(
    ctx: &Context,
    func: FuncOp,
    functions: &Functions,
    externs: &Externs,
) -> bool {
    let kernel = func.get_operation();
    let loops = walk::nested::<Loop>(ctx, kernel).into_iter();
    let of_gangs: Vec<Loop> = loops.filter(|lp| lp.levels(ctx).gang).collect();
    are_unnoticed(ctx, kernel, &of_gangs) && !asks_for_gangs(ctx, func, functions, externs)
}

/// Whether the program asks for gangs in `func` or in what it calls.
fn asks_for_gangs(ctx: &Context, func: FuncOp, functions: &Functions, externs: &Externs) -> bool {
    let (mut open, mut seen) = (vec![func], HashSet::new());
    while let Some(func) = open.pop() {
        for call in walk::nested::<Call>(ctx, func.get_operation()) {
            match query(ctx, externs, call) {
                Some(Query::Position(Level::Gang) | Query::Size(Level::Gang)) => return true,
                Some(Query::Position(_) | Query::Size(_)) => {}
                None => {
                    let callee = call.callee(ctx);
                    if seen.insert(callee.clone()) {
                        open.extend(functions.get(&callee));
                    }
                }
            }
        }
    }
    false
}

/// Whether nobody can notice how often the operations in the regions of `parent` are carried out; `of_gangs` are the loops
/// over gangs.
fn are_unnoticed(ctx: &Context, parent: Ptr<Operation>, of_gangs: &[Loop]) -> bool {
    let regions = walk::regions_of(ctx, parent).into_iter();
    let mut ops = regions.flat_map(|region| walk::ops_of_region(ctx, region));
    ops.all(|op| {
        if of_gangs.iter().any(|lp| lp.get_operation() == op) {
            return true;
        }
        if let Some(reduction) = Operation::get_op::<Reduce>(op, ctx) {
            let id = reduction.reduced(ctx).loop_id;
            let own = of_gangs.iter().find(|lp| lp.id(ctx).0 == id);
            match own {
                Some(lp) => return !is_used_elsewhere(ctx, reduction, std::slice::from_ref(lp)),
                None if id == CONSTRUCT => return !is_used_elsewhere(ctx, reduction, of_gangs),
                None => {}
            }
        }
        let effects = effects_of(ctx, op);
        let quiet = effects.expected().iter().all(|effect| match effect {
            Effect::Read(_) | Effect::Alloc | Effect::Structure => true,
            Effect::Write(address) => address.is_some_and(|a| is_in_variable(ctx, a)),
            Effect::Free(_) | Effect::Convergent => false,
        });
        quiet && are_unnoticed(ctx, op, of_gangs)
    })
}

/// Whether the kernel uses a reduced variable outside of `loops` other than to reduce it once more for the construct: what a
/// gang finds there depends on how many have run.
fn is_used_elsewhere(ctx: &Context, reduction: Reduce, loops: &[Loop]) -> bool {
    let inside = |op| {
        let mut bodies = loops.iter().map(|lp| lp.get_region(ctx));
        bodies.any(|body| walk::is_inside(ctx, op, body))
    };
    let reduces = |op: Ptr<Operation>| {
        let found = Operation::get_op::<Reduce>(op, ctx);
        found.is_some_and(|other| {
            let of = other.reduced(ctx).loop_id;
            of == CONSTRUCT || loops.iter().any(|lp| lp.id(ctx).0 == of)
        })
    };
    let users = reduction.var(ctx).uses(ctx).into_iter();
    let mut users = users.map(|used| used.user_op());
    users.any(|op| !reduces(op) && !inside(op))
}
