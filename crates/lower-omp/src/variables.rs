//! Variables that a construct has as its own: an object where the construct begins, which its region uses in place of the one outside.
//!
//! ```text
//! omp.teams firstprivate(%p) {           omp.teams {
//!   … core.load %x …               →       %own = core.alloca;  core.store (core.load %x), %own
//! }                                        … core.load %own … }
//! ```
//! In a loop nest each iteration has its own `firstprivate` object. By the letter each thread has one, which starts with the value
//! outside; as nothing says which thread runs an iteration, a program cannot count on what another iteration has left in it.

use crate::structure::report;
use accrue_dialects::{
    acc::{self, ClauseOp, DataOp, Firstprivate, Group, Private, Reduction},
    core::{Copy, Extent, Load, emit::Emitter, is_scalar, pointee},
    omp::LoopNest,
};
use accrue_ir::walk;
use accrue_opt::{
    State,
    analysis::variables::{Root, describe, is_vla, root_of, uses_of},
    transform::variable_length::{copy_elements, element_count},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::inserter::OpInsertionPoint,
    op::{Op, op_cast},
    operation::Operation,
    region::Region,
    value::Value,
};

/// How an own variable starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Undefined,
    /// With the value outside.
    Copied,
}

/// Gives a construct its own variables, and drops the clauses.
pub fn own<T: ClauseOp + OneRegionInterface + SingleBlockRegionInterface>(
    ctx: &mut Context,
    construct: T,
    state: &mut State,
) {
    let (region, block) = (construct.get_region(ctx), construct.get_body(ctx, 0));
    for (group, start) in [
        (Group::Private, Start::Undefined),
        (Group::Firstprivate, Start::Copied),
    ] {
        for clause in acc::take(&construct, ctx, group) {
            make(ctx, clause, region, block, start, state);
        }
    }
}

/// The same for `firstprivate` of a loop nest. Its `private` variables stay a clause, which the loop will have.
pub fn own_in_iterations(ctx: &mut Context, nest: LoopNest, state: &mut State) {
    let (region, block) = (nest.get_region(ctx), nest.get_body(ctx, 0));
    for clause in acc::take(&nest, ctx, Group::Firstprivate) {
        make(ctx, clause, region, block, Start::Copied, state);
    }
}

/// Gives who comes to a loop nest a variable for each that is `firstprivate` there: one for all iterations.
pub fn own_in_front(ctx: &mut Context, nest: LoopNest, state: &mut State) {
    let (region, at) = (nest.get_region(ctx), nest.get_operation());
    for clause in acc::take(&nest, ctx, Group::Firstprivate) {
        let place = OpInsertionPoint::BeforeOperation(at);
        replace_at(ctx, clause, region, place, Start::Copied, state);
        erase(ctx, clause);
    }
}

/// The variables of a `parallel` region are those of the iterations of its loops.
pub fn own_in_loops<T: ClauseOp + OneRegionInterface>(
    ctx: &mut Context,
    parallel: T,
    state: &mut State,
) {
    let nests = walk::nested::<LoopNest>(ctx, parallel.get_operation());
    let outermost: Vec<LoopNest> = nests
        .into_iter()
        .filter(|nest| {
            let around = walk::enclosing::<LoopNest>(ctx, nest.get_operation());
            around.is_none_or(|around| {
                !walk::is_inside(ctx, around.get_operation(), parallel.get_region(ctx))
            })
        })
        .collect();
    for (group, start) in [
        (Group::Private, Start::Undefined),
        (Group::Firstprivate, Start::Copied),
    ] {
        for clause in acc::take(&parallel, ctx, group) {
            for nest in &outermost {
                let (region, block) = (nest.get_region(ctx), nest.get_body(ctx, 0));
                replace(ctx, clause, region, block, start, state);
            }
            erase(ctx, clause);
        }
    }
    for clause in acc::take(&parallel, ctx, Group::Reduction) {
        let reduction = clause.defining_op();
        let reduction = reduction.and_then(|op| Operation::get_op::<Reduction>(op, ctx));
        let root = reduction.and_then(|it| root_of(ctx, it.var(ctx)?));
        for nest in &outermost {
            let (Some(reduction), Some(root)) = (reduction, &root) else {
                continue;
            };
            if uses_of(ctx, nest.get_region(ctx), root).is_empty() {
                continue;
            }
            let mut mapping = Default::default();
            let mut e = Emitter::before(ctx, nest.get_operation());
            let copy = e.copy(reduction.get_operation(), &mut mapping);
            let value = copy.deref(ctx).get_result(0);
            acc::push(nest, ctx, Group::Reduction, value, acc::DeviceType::None);
        }
        erase(ctx, clause);
    }
}

fn make(
    ctx: &mut Context,
    clause: Value,
    region: Ptr<Region>,
    block: Ptr<BasicBlock>,
    start: Start,
    state: &mut State,
) {
    replace(ctx, clause, region, block, start, state);
    erase(ctx, clause);
}

/// Lets `region` use an object of its own for the variable of a clause.
fn replace(
    ctx: &mut Context,
    clause: Value,
    region: Ptr<Region>,
    block: Ptr<BasicBlock>,
    start: Start,
    state: &mut State,
) {
    let place = OpInsertionPoint::AtBlockStart(block);
    replace_at(ctx, clause, region, place, start, state);
}

/// The same with an object that is made elsewhere.
fn replace_at(
    ctx: &mut Context,
    clause: Value,
    region: Ptr<Region>,
    place: OpInsertionPoint,
    start: Start,
    state: &mut State,
) {
    let Some(op) = clause.defining_op() else {
        return;
    };
    let object = Operation::get_op_dyn(op, ctx);
    let Some(data) = op_cast::<dyn DataOp>(&*object) else {
        return;
    };
    let Some(var) = data.var(ctx) else { return };
    let (Some(root), Some(ty)) = (root_of(ctx, var), pointee(ctx, var)) else {
        let message = format!("`{}` is part of another variable", data.info(ctx).name);
        let help = "name the whole variable, or use one that is declared in the region";
        report(ctx, state, op, &message, "5.4", help);
        return;
    };
    let uses: Vec<_> = uses_of(ctx, region, &root)
        .into_iter()
        .filter(|u| !Operation::is_op::<Extent>(u.op, ctx) && u.op != op)
        .collect();
    let only_read = uses.iter().all(|u| Operation::is_op::<Load>(u.op, ctx));
    if uses.is_empty() || only_read && start == Start::Copied && is_stable(ctx, &root, region) {
        return;
    }
    let variable = describe(ctx, var);
    let mut e = Emitter::new(ctx, place, op);
    let length = match is_vla(&variable.shape) {
        true => Some(element_count(&mut e, var, &variable.shape)),
        false => None,
    };
    let own = match length {
        Some(length) => e.alloca_dynamic(ty, length, Some(variable)),
        None => e.alloca(ty, Some(variable)),
    };
    match (start, length) {
        (Start::Undefined, _) => {}
        (Start::Copied, Some(length)) => copy_elements(&mut e, own, var, length),
        (Start::Copied, None) if is_scalar(e.ctx, ty) => {
            let value = e.make(|c| Load::new(c, var));
            e.store(value, own);
        }
        (Start::Copied, None) => {
            e.op(|c| Copy::new(c, own, var));
        }
    }
    for u in uses {
        Operation::replace_operand(u.op, ctx, u.index, own);
    }
}

/// Whether nothing in the region but what `region` holds could write the variable meanwhile: a value that is only read need not be copied.
fn is_stable(ctx: &Context, root: &Root, region: Ptr<Region>) -> bool {
    let around = region.deref(ctx).get_parent_op();
    let target = walk::enclosing::<accrue_dialects::omp::Target>(ctx, around);
    target.is_some_and(|target| {
        let all = uses_of(ctx, target.get_region(ctx), root);
        all.iter()
            .all(|u| Operation::is_op::<Load>(u.op, ctx) || is_clause(ctx, u.op))
    })
}

fn is_clause(ctx: &Context, op: Ptr<Operation>) -> bool {
    acc::as_data_info(ctx, op).is_some()
}

/// Takes a clause away that says nothing more.
fn erase(ctx: &mut Context, clause: Value) {
    let Some(op) = clause.defining_op() else {
        return;
    };
    let known = Operation::is_op::<Private>(op, ctx)
        || Operation::is_op::<Firstprivate>(op, ctx)
        || Operation::is_op::<Reduction>(op, ctx);
    if known && !clause.is_used(ctx) {
        Operation::erase(op, ctx);
    }
}
