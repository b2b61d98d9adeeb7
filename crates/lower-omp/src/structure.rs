//! What a region may consist of so that it can be compiled.
//!
//! - `teams` is all that there is in its `target` (OpenMP 5.2, section 10.2), and no construct is between `distribute` and `teams` (11.6).
//! - The threads of a `scope` that reduces have an iteration of a loop each, in which they cannot share out another loop, nor wait for each
//!   other. (Where other constructs stand in each other so, the host's compiler reports it.)
//! - What a `target` has as its own is one object for all teams. A scalar without a clause is passed by value to each gang, so that
//!   atomic updates of it would be of different objects; nobody outside sees them, so that they can only be a mistake.

use accrue_dialects::{
    View,
    acc::{ClauseOp, DECLARE, DataOp, DirectiveOp, Group, MapBehavior, as_data_info},
    core::{AddressOf, AtomicUpdate, CoreOp, is_scalar, pointee},
    omp::{Barrier, LoopNest, OmpOp, Share, Target, Teams},
    source::SourceOp,
};
use accrue_ir::walk;
use accrue_opt::{
    State,
    analysis::variables::{Root, defined_inside, describe, root_of},
};
use pliron::{
    builtin::op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    value::Value,
};
use std::collections::HashSet;

/// Reports what is wrong with a region; whether nothing is.
pub fn check(ctx: &Context, target: Target, state: &mut State) -> bool {
    let before = state.diagnostics.len();
    let teams = teams_of(ctx, target);
    for op in walk::nested::<Teams>(ctx, target.get_operation()) {
        if Some(op) != teams {
            let help = "put it directly into the `target`, or write `target teams`";
            report(
                ctx,
                state,
                op.get_operation(),
                "`teams` stands in something else than a `target`",
                "10.2",
                help,
            );
        }
    }
    if let Some(teams) = teams {
        for op in walk::ops_of_block(ctx, target.get_body(ctx, 0)) {
            let is_its = || is_operand_of(ctx, op, teams.get_operation());
            if op != teams.get_operation() && !is_passive(ctx, op) && !is_its() {
                let help = "move it into the `teams` region, or in front of the `target`";
                report(
                    ctx,
                    state,
                    op,
                    "a statement stands beside `teams` in the `target`",
                    "10.2",
                    help,
                );
            }
        }
    }
    for nest in walk::nested::<LoopNest>(ctx, target.get_operation()) {
        let around = construct_around(ctx, nest.get_operation());
        let in_teams = teams.is_some_and(|teams| around == Some(teams.get_operation()));
        if nest.is_shared_by(ctx, Share::Distribute) && !in_teams {
            let help =
                "write `target teams distribute`, or put it into `teams` and no other construct";
            report(
                ctx,
                state,
                nest.get_operation(),
                "`teams` is not the next construct around `distribute`",
                "11.6",
                help,
            );
        }
    }
    check_scopes(ctx, target, state);
    check_shared_scalars(ctx, target, state);
    state.diagnostics.len() == before
}

/// Reports what all threads of the team would have to come to together, in a `scope` that reduces.
fn check_scopes(ctx: &Context, target: Target, state: &mut State) {
    let is_shared = |nest: LoopNest| {
        nest.is_shared_by(ctx, Share::For) && !nest.is_shared_by(ctx, Share::Parallel)
    };
    for op in walk::nested_ops(ctx, target.get_operation()) {
        let nest = Operation::get_op::<LoopNest>(op, ctx).is_some_and(is_shared);
        if !nest && !Operation::is_op::<Barrier>(op, ctx) {
            continue;
        }
        let around = construct_around(ctx, op);
        let around = around.and_then(|around| Operation::get_op::<LoopNest>(around, ctx));
        if around.is_some_and(is_shared) {
            let message = match nest {
                true => {
                    "a loop or another construct that the team shares stands in a `scope` with a reduction"
                }
                false => "threads wait for each other in a `scope` with a reduction",
            };
            let help =
                "put the `reduction` on what is in the `scope`, or on the `parallel` around it";
            report(ctx, state, op, message, "11.2", help);
        }
    }
}

/// The construct of OpenMP that is the next one around an operation.
pub fn construct_around(ctx: &Context, op: Ptr<Operation>) -> Option<Ptr<Operation>> {
    let around = op.deref(ctx).get_parent_op(ctx)?;
    match View::of(ctx, around) {
        View::Source(SourceOp::Omp(_)) => Some(around),
        View::Source(SourceOp::Acc(_))
        | View::Core(_)
        | View::Par(_)
        | View::Simt(_)
        | View::Other => construct_around(ctx, around),
    }
}

/// The `teams` of a `target`.
pub fn teams_of(ctx: &Context, target: Target) -> Option<Teams> {
    let ops = walk::ops_of_block(ctx, target.get_body(ctx, 0));
    ops.into_iter()
        .find_map(|op| Operation::get_op::<Teams>(op, ctx))
}

/// Whether an operation does nothing by itself: what clauses and bounds of loops are made of.
pub fn is_passive(ctx: &Context, op: Ptr<Operation>) -> bool {
    match View::of(ctx, op) {
        View::Core(op) => matches!(
            op,
            CoreOp::AddressOf(_)
                | CoreOp::Alloca(_)
                | CoreOp::Const(_)
                | CoreOp::FConst(_)
                | CoreOp::Null(_)
                | CoreOp::StringConst(_)
                | CoreOp::Load(_)
                | CoreOp::LoadBits(_)
                | CoreOp::Select(_)
                | CoreOp::ComplexMake(_)
                | CoreOp::Real(_)
                | CoreOp::Imag(_)
                | CoreOp::Decay(_)
                | CoreOp::PtrDiff(_)
                | CoreOp::Bin(_)
                | CoreOp::Un(_)
                | CoreOp::Cmp(_)
                | CoreOp::Cast(_)
                | CoreOp::Member(_)
                | CoreOp::PtrAdd(_)
                | CoreOp::Extent(_)
        ),
        View::Source(SourceOp::Omp(op)) => matches!(
            op,
            OmpOp::Yield(_) | OmpOp::Query(_) | OmpOp::TeamVariable(_)
        ),
        View::Source(SourceOp::Acc(_)) => as_data_info(ctx, op).is_some() || is_bounds(ctx, op),
        View::Par(_) | View::Simt(_) | View::Other => false,
    }
}

/// Whether an operation is there for the operands of `user` alone.
fn is_operand_of(ctx: &Context, op: Ptr<Operation>, user: Ptr<Operation>) -> bool {
    let results: Vec<_> = op.deref(ctx).results().collect();
    let uses = || results.iter().flat_map(|result| result.uses(ctx));
    uses().next().is_some()
        && uses().all(|using| {
            let by = using.user_op();
            by == user || is_operand_of(ctx, by, user)
        })
}

fn is_bounds(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::is_op::<accrue_dialects::acc::Bounds>(op, ctx)
}

/// Reports atomic updates, in regions with teams, of scalars that are the region's own without any clause saying so.
fn check_shared_scalars(ctx: &Context, target: Target, state: &mut State) {
    let scalars = target.defaultmap(ctx).scalar;
    let copied = matches!(scalars, MapBehavior::Default | MapBehavior::Firstprivate);
    if teams_of(ctx, target).is_none() || !copied {
        return;
    }
    let region = target.get_region(ctx);
    let named = named_by_clauses(ctx, target);
    for update in walk::nested::<AtomicUpdate>(ctx, target.get_operation()) {
        let address = update.get_operation().deref(ctx).get_operand(0);
        let scalar = pointee(ctx, address).is_some_and(|ty| is_scalar(ctx, ty));
        let is_variable = describe(ctx, address);
        if root_of(ctx, address).is_none_or(|root| named.contains(&root)) {
            continue;
        }
        let outside = match global(ctx, address) {
            Some(global) => DECLARE.get(ctx, global).is_none(),
            None => !defined_inside(ctx, address, region),
        };
        if scalar && outside && is_variable.shape.dims.is_empty() {
            let name = is_variable.name;
            let message = format!(
                "`{name}` is firstprivate in the `target`: what the region makes of it is lost"
            );
            let help = format!("write `map(tofrom: {name})`");
            report(ctx, state, update.get_operation(), &message, "5.8.1", &help);
        }
    }
}

/// The operation that names a variable from outside of all functions.
fn global(ctx: &Context, address: Value) -> Option<Ptr<Operation>> {
    let op = address.defining_op()?;
    Operation::is_op::<AddressOf>(op, ctx).then_some(op)
}

/// The variables that data clauses name, of the target or of a construct in its region.
fn named_by_clauses(ctx: &Context, target: Target) -> HashSet<Root> {
    let own = target.clause(ctx, Group::Data).into_iter();
    let own = own.filter_map(|value| value.defining_op());
    let inside = walk::nested_ops(ctx, target.get_operation());
    own.chain(inside)
        .filter_map(|op| {
            let object = Operation::get_op_dyn(op, ctx);
            let data = op_cast::<dyn DataOp>(&*object)?;
            root_of(ctx, data.var(ctx)?)
        })
        .collect()
}

/// Reports a mistake at `op`.
pub fn report(
    ctx: &Context,
    state: &mut State,
    op: Ptr<Operation>,
    message: &str,
    section: &'static str,
    help: &str,
) {
    let message = accrue_ir::diagnostic::error_at(ctx, op, message.to_string())
        .help(help)
        .openmp(section);
    if !state.diagnostics.contains(&message) {
        state.diagnostics.push(message);
    }
}
