//! Gang dimensions: which loops are spread over a single one (OpenACC 3.4, sections 2.5.10 and 2.9.2).
//!
//! ```text
//! parallel num_gangs(4, 3)
//!   loop gang(dim:2)       over the 3 gangs of dimension 2; the 4 of dimension 1 do the same here
//!     loop gang(dim:1)     over the 4 gangs of dimension 1
//! ```
//!
//! Dimensions are told apart in constructs in which a loop has `dim:2` or `dim:3`. There a gang loop without `dim` is over
//! dimension 1. A loop without levels is over dimension 1 inside a gang loop, and over all gangs as one elsewhere.
//!
//! In all other constructs the gangs of all dimensions count as one, and also where something is reduced over gangs:
//! a reduction has one gang dimension only (sections 2.5.4 and 2.9.11), and each iteration must add to it once.
//! This is for the pass `assign-levels`, which stores what it decides in [`Loop::gang_dim`].

use accrue_dialects::core::fold::constant;
use accrue_dialects::{
    acc::{ClauseOp, ComputeOp, DataOp, Group, Loop, Parallel, Reduction},
    par::{GangDim, Level},
};
use accrue_ir::walk;
use pliron::{
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    value::Value,
};

use crate::{assign_levels::asked, device_types::argument, routines::is_orphaned};
use accrue_opt::{
    State, Target,
    analysis::variables::{Root, root_of},
};

const NAME: &str = "assign-levels";

/// The dimension of a loop that asks for gangs.
pub fn dim(ctx: &Context, lp: Loop, target: Target) -> GangDim {
    argument(ctx, &lp, Group::GangDim, target)
        .and_then(|value| constant(ctx, value))
        .and_then(GangDim::of_number)
        .unwrap_or(GangDim::One)
}

/// The compute construct around `op`.
pub fn compute_around(ctx: &Context, op: Ptr<Operation>) -> Option<Ptr<Operation>> {
    let mut at = op.deref(ctx).get_parent_op(ctx);
    while let Some(around) = at {
        if op_cast::<dyn ComputeOp>(&*Operation::get_op_dyn(around, ctx)).is_some() {
            return Some(around);
        }
        at = around.deref(ctx).get_parent_op(ctx);
    }
    None
}

/// The gang level with the dimension, as in a clause.
pub fn name(dim: GangDim) -> String {
    format!("gang(dim:{})", dim.number())
}

/// Checks the `dim` arguments of a loop's `gang` clauses.
pub fn check(ctx: &Context, lp: Loop, state: &mut State) {
    let dims = lp.clause(ctx, Group::GangDim);
    let wrong = |value: &Value| constant(ctx, *value).and_then(GangDim::of_number).is_none();
    let op = lp.get_operation();
    if dims.iter().any(wrong) {
        let message = "a gang dimension is the constant 1, 2 or 3".to_string();
        state.error(ctx, op, message, "2.9.2", "write a number after `dim:`");
    } else if !dims.is_empty()
        && !is_orphaned(ctx, op)
        && walk::enclosing::<Parallel>(ctx, op).is_none()
    {
        let message = "a gang dimension outside of a parallel construct".to_string();
        let help = "write `gang` without `dim`, or make the construct parallel";
        state.error(ctx, op, message, "2.9.2", help);
    }
    let reduces = !lp.clause(ctx, Group::Reduction).is_empty();
    if reduces && dim(ctx, lp, state.target) > GangDim::One {
        let message = "a reduction on a loop over gang dimension 2 or 3".to_string();
        let help = "reduce in a loop over dimension 1, workers or vector lanes";
        state.error(ctx, op, message, "2.9.11", help);
    }
}

/// Whether the gang dimensions of a compute construct are told apart.
pub fn are_used(ctx: &Context, construct: Ptr<Operation>, state: &mut State) -> bool {
    let loops = walk::nested::<Loop>(ctx, construct);
    let higher = |lp: &Loop| {
        asked(&lp.clauses(ctx)).contains(&Level::Gang) && dim(ctx, *lp, state.target) > GangDim::One
    };
    if Operation::get_op::<Parallel>(construct, ctx).is_none() || !loops.iter().any(higher) {
        return false;
    }
    let Some(reduced) = reduced_over_gangs(ctx, construct, &loops) else {
        return true;
    };
    let message = format!(
        "the gangs of all dimensions count as one: `{reduced}` is reduced over gangs, and a reduction has one gang dimension"
    );
    state.remark(ctx, construct, NAME, message);
    false
}

/// The name of a variable that is reduced over gangs, or may be.
fn reduced_over_gangs(ctx: &Context, construct: Ptr<Operation>, loops: &[Loop]) -> Option<String> {
    let object = Operation::get_op_dyn(construct, ctx);
    let construct = op_cast::<dyn ComputeOp>(&*object)?;
    if let Some(first) = reductions(ctx, construct.clause(ctx, Group::Reduction)).first() {
        return Some(first.info(ctx).name);
    }
    loops.iter().find_map(|lp| {
        let over_gangs = asked(&lp.clauses(ctx)).contains(&Level::Gang);
        let found = reductions(ctx, lp.clause(ctx, Group::Reduction));
        let found = found
            .iter()
            .find(|reduction| over_gangs || !is_inside_gang_loop(ctx, reduction));
        found.map(|reduction| reduction.info(ctx).name)
    })
}

/// Checks a loop that has lost its gangs to a loop around it, and has no other level: its updates of a variable of several
/// gangs are not combined.
pub fn check_lost_reductions(ctx: &Context, lp: Loop, state: &mut State) {
    for reduction in reductions(ctx, lp.clause(ctx, Group::Reduction)) {
        if is_inside_gang_loop(ctx, &reduction) {
            continue;
        }
        let message = format!(
            "`{}` is reduced over gangs inside a loop over another gang dimension",
            reduction.info(ctx).name
        );
        let help = "reduce into a variable of the outer loop's body, and add that atomically";
        state.error(ctx, reduction.get_operation(), message, "2.9.11", help);
    }
}

fn reductions(ctx: &Context, values: Vec<Value>) -> Vec<Reduction> {
    let values = values.into_iter();
    values
        .filter_map(|value| Operation::get_op::<Reduction>(value.defining_op()?, ctx))
        .collect()
}

/// Whether the variable is made in an iteration of a gang loop, so that each gang has its own.
fn is_inside_gang_loop(ctx: &Context, reduction: &Reduction) -> bool {
    let root = reduction.var(ctx).and_then(|var| root_of(ctx, var));
    let Some(Root::Local(variable)) = root else {
        return false;
    };
    let mut around = variable
        .defining_op()
        .and_then(|op| walk::enclosing::<Loop>(ctx, op));
    while let Some(lp) = around {
        if asked(&lp.clauses(ctx)).contains(&Level::Gang) {
            return true;
        }
        around = walk::enclosing::<Loop>(ctx, lp.get_operation());
    }
    false
}
