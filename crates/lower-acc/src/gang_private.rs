//! Loops that reduce, or fill, variables of which each gang has its own: declared in the construct, or in a `private` or `firstprivate`
//! clause of it.
//!
//! ```text
//! #pragma acc parallel copyout(y[0:2])
//! {
//!     int sum = 0;                                  each gang's own …
//!     #pragma acc loop reduction(+ : sum)
//!     for (int i = 0; i < n; i++)                   … so that each gang runs all iterations, on its workers or lanes
//!         sum += x[i];
//!     y[0] = sum;
//! }
//! ```
//!
//! Spread over gangs, the loop would leave each gang with a part of the sum: nothing brings them together, as gangs
//! do not wait for each other. (The variables of `kernels` constructs are not each gang's own.) So the pass `assign-levels`, which this file belongs to, gives such a loop no gangs, and a
//! program that asks for them is told (OpenACC 3.4, section 2.9.11).
//!
//! So it is with an array that a loop fills and the code behind it reads: each gang would have a part of it.

use accrue_dialects::{
    acc::{ClauseOp, DataOp, Firstprivate, Group, Loop, Parallel, Reduction},
    address_use::{UseKind, object_of, use_of},
    core::{is_scalar, pointee},
    par::Level,
};
use accrue_ir::walk;
use pliron::{
    builtin::op_interfaces::OneRegionInterface,
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    region::Region,
    value::Value,
};
use std::collections::HashSet;

use crate::{
    assign_levels::{asked, is_in_gang_loop},
    device_types::says_one_gang,
};
use accrue_opt::{
    State,
    analysis::variables::{Root, defined_inside, root_of, uses_in},
};

/// Reports reductions over gangs, asked for, into variables that each of several gangs has for itself.
pub fn check(ctx: &Context, lp: Loop, state: &mut State) {
    if !asked(&lp.clauses(ctx)).contains(&Level::Gang) {
        return;
    }
    for reduction in reductions(ctx, lp) {
        let name = reduction.info(ctx).name;
        let message =
            format!("each gang has a `{name}` of its own, which a loop over gangs cannot reduce");
        let help = format!(
            "declare `{name}` outside of the construct, or spread the loop over workers and vector lanes alone"
        );
        state.error(ctx, reduction.get_operation(), message, "2.9.11", &help);
    }
}

/// Whether the loop reduces a variable that each of several gangs has for itself.
pub fn are_reduced(ctx: &Context, lp: Loop) -> bool {
    !reductions(ctx, lp).is_empty()
}

/// Whether the loop writes an array or a struct that each of several gangs has for itself, and which is read outside of the loop. (A scalar that
/// iterations write is what an iteration computes with.)
pub fn are_filled(ctx: &Context, lp: Loop) -> bool {
    let Some(construct) = walk::enclosing::<Parallel>(ctx, lp.get_operation()) else {
        return false;
    };
    if says_one_gang(ctx, &construct, Group::NumGangs) {
        return false;
    }
    let (body, all) = (lp.get_region(ctx), construct.get_region(ctx));
    let own = |object: Value| {
        let is_scalar = pointee(ctx, object).is_none_or(|ty| is_scalar(ctx, ty));
        !is_scalar
            && !defined_inside(ctx, object, body)
            && is_of_gang(ctx, &construct, Root::Local(object))
            && !has_shared_members(ctx, &construct, object)
    };
    let uses = uses_in(ctx, body, |ctx, value| pointee(ctx, value).is_some());
    let filled = uses
        .iter()
        .filter(|using| match use_of(ctx, using.op, using.index) {
            UseKind::Write { .. } | UseKind::Update { .. } | UseKind::Pass | UseKind::Keep => true,
            UseKind::Read { .. } | UseKind::Derive | UseKind::Clause | UseKind::Look => false,
        });
    let filled: HashSet<Value> = filled.map(|using| object_of(ctx, using.value)).collect();
    filled
        .into_iter()
        .any(|object| own(object) && is_read_outside(ctx, object, (body, all)))
}

/// Whether something in `all` that is not in `body` reads what is in an object.
fn is_read_outside(ctx: &Context, object: Value, (body, all): (Ptr<Region>, Ptr<Region>)) -> bool {
    let mut open = vec![object];
    while let Some(address) = open.pop() {
        for using in address.uses(ctx) {
            let op = using.user_op();
            match use_of(ctx, op, using.find_index(ctx)) {
                UseKind::Derive => open.extend(walk::results_of(ctx, op)),
                UseKind::Read { .. } | UseKind::Update { .. } | UseKind::Pass | UseKind::Keep => {
                    if walk::is_inside(ctx, op, all) && !walk::is_inside(ctx, op, body) {
                        return true;
                    }
                }
                UseKind::Write { .. } | UseKind::Clause | UseKind::Look => {}
            }
        }
    }
    false
}

/// Whether a data clause names a member of the struct, which is not the gang's own then.
fn has_shared_members(ctx: &Context, construct: &dyn ClauseOp, variable: Value) -> bool {
    let clauses = construct.clause(ctx, Group::Data).into_iter();
    let mut named = clauses.filter_map(|value| {
        let object = Operation::get_op_dyn(value.defining_op()?, ctx);
        op_cast::<dyn DataOp>(&*object)?.var(ctx)
    });
    named.any(|var| var != variable && object_of(ctx, var) == variable)
}

/// The loop's reductions into variables of single gangs. A loop inside a gang loop has none: what it reduces belongs to an
/// iteration, and all gangs are taken.
fn reductions(ctx: &Context, lp: Loop) -> Vec<Reduction> {
    let Some(construct) = walk::enclosing::<Parallel>(ctx, lp.get_operation()) else {
        return vec![];
    };
    if says_one_gang(ctx, &construct, Group::NumGangs) || is_in_gang_loop(ctx, lp) {
        return vec![];
    }
    let values = lp.clause(ctx, Group::Reduction).into_iter();
    values
        .filter_map(|value| Operation::get_op::<Reduction>(value.defining_op()?, ctx))
        .filter(|reduction| is_private(ctx, construct, reduction))
        .collect()
}

/// Whether the variable is declared in the construct or is in its `firstprivate` clause. (Those in `private` clauses are
/// declared in it since the pass `privatize`; a variable that the construct reduces is another one.)
fn is_private(ctx: &Context, construct: Parallel, reduction: &Reduction) -> bool {
    let root = reduction.var(ctx).and_then(|var| root_of(ctx, var));
    root.is_some_and(|root| is_of_gang(ctx, &construct, root))
}

/// Whether each gang of the construct has the variable for itself.
pub fn is_of_gang<C: ClauseOp + OneRegionInterface>(
    ctx: &Context,
    construct: &C,
    root: Root,
) -> bool {
    let Root::Local(root) = root else {
        return false;
    };
    let body = construct.get_region(ctx);
    let declared_inside = root
        .defining_op()
        .is_some_and(|op| walk::is_inside(ctx, op, body));
    declared_inside || is_firstprivate(ctx, construct, Root::Local(root))
}

fn is_firstprivate(ctx: &Context, construct: &dyn ClauseOp, root: Root) -> bool {
    let mut copies = construct.clause(ctx, Group::Firstprivate).into_iter();
    copies.any(|value| {
        let op = value.defining_op();
        let copy = op.and_then(|op| Operation::get_op::<Firstprivate>(op, ctx));
        copy.and_then(|copy| root_of(ctx, copy.var(ctx)?)) == Some(root.clone())
    })
}
