//! Which parts of the body only lanes with an iteration may run, so that all of them reach the barriers.

use crate::{
    analysis::variables::is_local_scalar,
    gpu::staging::{read::Uniform, streams::Found},
};
use accrue_dialects::{
    core::{
        Alloca, Bin, BinKind, If, Load, Store, Yield, emit::Emitter, fold::constant, is_scalar,
    },
    par::{DimPos, Level},
};
use accrue_ir::{
    effects::is_pure,
    walk::{nested_ops, operands_of, ops_of_block, results_of},
};
use pliron::{
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::FuncOp},
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashSet;

/// The body, taken apart.
pub(super) struct Parts(pub(super) Vec<Part>);

pub(super) enum Part {
    /// For all lanes.
    Free(Ptr<Operation>),
    /// For lanes that have an iteration.
    Guarded(Vec<Ptr<Operation>>),
    /// A loop, by its number.
    Staged(usize),
}

impl Parts {
    pub(super) fn of(ctx: &Context, place: If, found: &Found) -> Result<Parts, &'static str> {
        let mut uniform = Uniform::default();
        let mut parts = vec![];
        let mut open: Vec<Ptr<Operation>> = vec![];
        let mut left = found.staged.len();
        for op in ops_of_block(ctx, place.get_body(ctx, 0)) {
            if Operation::is_op::<Yield>(op, ctx) {
                continue;
            }
            let staged = found
                .staged
                .iter()
                .position(|staged| staged.lp.get_operation() == op);
            let freely = is_free(ctx, op, &mut uniform);
            // Behind the last loop everything is for the same lanes.
            match (staged, freely) {
                (Some(number), _) => {
                    close(ctx, &mut open, &mut parts)?;
                    parts.push(Part::Staged(number));
                    left -= 1;
                }
                (None, Freely::Anywhere) if left > 0 && !uses(ctx, op, &open) => {
                    parts.push(Part::Free(op));
                }
                (None, Freely::Anywhere | Freely::InOrder) if left > 0 => {
                    close(ctx, &mut open, &mut parts)?;
                    parts.push(Part::Free(op));
                }
                (None, Freely::Anywhere | Freely::InOrder | Freely::No) => open.push(op),
            }
        }
        close(ctx, &mut open, &mut parts)?;
        Ok(Parts(parts))
    }
}

/// Ends a run of guarded operations, if they give nothing that cannot be replaced in the other lanes.
fn close(
    ctx: &Context,
    open: &mut Vec<Ptr<Operation>>,
    parts: &mut Vec<Part>,
) -> Result<(), &'static str> {
    if open.is_empty() {
        return Ok(());
    }
    let results = open.iter().flat_map(|op| results_of(ctx, *op));
    if !results.into_iter().all(|r| is_scalar(ctx, r.get_type(ctx))) {
        return Err("something in front of the loop cannot be left out in lanes beyond the end");
    }
    parts.push(Part::Guarded(std::mem::take(open)));
    Ok(())
}

/// How an operation may be done by lanes that have no iteration.
enum Freely {
    /// It only computes.
    Anywhere,
    /// It is about a variable of the lane.
    InOrder,
    No,
}

fn is_free(ctx: &Context, op: Ptr<Operation>, uniform: &mut Uniform) -> Freely {
    if Operation::is_op::<Alloca>(op, ctx) {
        return Freely::Anywhere;
    }
    let load = Operation::get_op::<Load>(op, ctx).map(|load| load.get_operand_address(ctx));
    let store = Operation::get_op::<Store>(op, ctx).map(|store| store.get_operand_address(ctx));
    if let Some(address) = load.or(store) {
        return match is_local_scalar(ctx, address) {
            true => Freely::InOrder,
            false => Freely::No,
        };
    }
    if !is_pure(ctx, op) || op.deref(ctx).num_regions() > 0 {
        return Freely::No;
    }
    let divides = Operation::get_op::<Bin>(op, ctx).is_some_and(|bin| {
        let divisor = constant(ctx, bin.get_operand_rhs(ctx));
        let division = matches!(
            bin.kind(ctx),
            BinKind::DivS | BinKind::DivU | BinKind::RemS | BinKind::RemU
        );
        division && divisor.is_none_or(|divisor| divisor <= 0)
    });
    let mut alike = || {
        results_of(ctx, op)
            .into_iter()
            .all(|r| uniform.holds(ctx, r))
    };
    match divides && !alike() {
        true => Freely::No,
        false => Freely::Anywhere,
    }
}

/// Whether `op`, or something in it, uses a result of one of `ops`.
fn uses(ctx: &Context, op: Ptr<Operation>, ops: &[Ptr<Operation>]) -> bool {
    operands_of(ctx, op)
        .into_iter()
        .any(|value| value.defining_op().is_some_and(|made| ops.contains(&made)))
}

/// Moves `ops` into a condition, whose results take the place of theirs behind it.
pub(super) fn guard(e: &mut Emitter, func: FuncOp, inside: Value, ops: &[Ptr<Operation>]) {
    let own: HashSet<Ptr<Operation>> = ops
        .iter()
        .flat_map(|op| nested_ops(e.ctx, *op).into_iter().chain([*op]))
        .collect();
    let users: Vec<_> = nested_ops(e.ctx, func.get_operation())
        .into_iter()
        .filter(|op| !own.contains(op))
        .collect();
    let mut results = vec![];
    for result in ops.iter().flat_map(|op| results_of(e.ctx, *op)) {
        if result
            .uses(e.ctx)
            .iter()
            .any(|u| !own.contains(&u.user_op()))
        {
            results.push(result);
        }
    }
    let types: Vec<TypeHandle> = results.iter().map(|r| r.get_type(e.ctx)).collect();
    let (branch, yes, no) = If::new(e.ctx, inside, types.clone());
    e.push(branch);
    let given = results_of(e.ctx, branch.get_operation());
    for user in users {
        for (index, operand) in operands_of(e.ctx, user).into_iter().enumerate() {
            if let Some(at) = results.iter().position(|result| *result == operand) {
                Operation::replace_operand(user, e.ctx, index, given[at]);
            }
        }
    }
    e.at_end(yes);
    for op in ops {
        op.unlink(e.ctx);
        e.push_operation(*op);
    }
    e.finish(results);
    e.at_end(no);
    let zeros = types.into_iter().map(|ty| e.zero(ty)).collect();
    e.finish(zeros);
    e.go_after(branch.get_operation());
}

/// A condition of this lane as that of the first lane: whether any has an iteration, since places grow with the lane.
pub fn of_first_lane(e: &mut Emitter, value: Value, done: &mut IrMapping) -> Value {
    if let Some(known) = done.lookup_value(value) {
        return known;
    }
    let Some(op) = value.defining_op() else {
        return value;
    };
    let position = Operation::get_op::<DimPos>(op, e.ctx);
    let new = match position {
        Some(position) if position.level(e.ctx) == Level::Vector => e.i64(0),
        Some(_) => value,
        None => {
            let operands = operands_of(e.ctx, op);
            let mut changed = false;
            let mut map = IrMapping::new();
            for operand in operands {
                let there = of_first_lane(e, operand, done);
                changed |= there != operand;
                map.map_value(operand, there);
            }
            match changed {
                true => {
                    let copy = e.copy(op, &mut map);
                    results_of(e.ctx, copy)[0]
                }
                false => value,
            }
        }
    };
    done.map_value(value, new);
    new
}
