//! Whether iterations of a loop over gangs may take very different times.
//!
//! ```text
//! for i: for j = i …                              a triangle: bounds of a loop depend on the iteration
//! for i: if (c[i]) for …                          a loop under a condition
//! for i: { if (!c[i]) continue; for … }           the same
//! for i: while (k < 256 && x * x + y * y <= 4)    a loop that ends when the data say so
//! for i: s += a[i] * x[column[i]];                even
//! ```
//! Cores that take a chunk each would wait for the one with the longest iterations: half of a triangle is done in a quarter of
//! its rows. The launch deals such loops out in smaller pieces, which whoever is done takes from the others.
//!
//! A loop of the language is even if one comparison of integers ends it, between variables, constants and what does not change
//! in it; it may not be left otherwise. Functions of the unit that are called are looked into.
//!
//! Cost: linear in the operations of the kernel and of the functions that it calls.

use accrue_dialects::{
    core::{Alloca, Call, CastKind, Cmp, CmpKind, Const, Load, Loop, fold::uncast},
    flow::{Flow, left_by_break, loop_around},
    par,
};
use accrue_ir::walk::{is_inside, nested, nested_ops, operands_of, ops_of_region, regions_of};
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, OneRegionInterface},
        ops::FuncOp,
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};
use std::collections::{HashMap, HashSet};

/// Functions by name.
pub type Functions = HashMap<String, FuncOp>;

/// Whether a loop over gangs in `func` has uneven iterations.
pub fn has_uneven_iterations(ctx: &Context, func: FuncOp, functions: &Functions) -> bool {
    let loops = nested::<par::Loop>(ctx, func.get_operation()).into_iter();
    let mut over_gangs = loops.filter(|lp| lp.levels(ctx).gang);
    over_gangs.any(|lp| {
        let mut seen = HashSet::new();
        is_uneven(
            ctx,
            lp.get_operation(),
            lp.get_region(ctx),
            functions,
            &mut seen,
        )
    })
}

/// Whether what is in `around` takes different times; `iteration` is what differs.
fn is_uneven(
    ctx: &Context,
    around: Ptr<Operation>,
    iteration: Ptr<Region>,
    functions: &Functions,
    seen: &mut HashSet<String>,
) -> bool {
    nested_ops(ctx, around)
        .into_iter()
        .any(|op| match Flow::of(ctx, op) {
            Flow::Loop(lp) => !ends_by_count(ctx, &lp),
            Flow::For(_) | Flow::Shared => {
                let bounds = operands_of(ctx, op);
                bounds.iter().any(|v| depends_on(ctx, *v, iteration))
            }
            Flow::If(_) | Flow::Switch(_) => nested_ops(ctx, op)
                .into_iter()
                .any(|o| Flow::of(ctx, o).is_any_loop() || skips_loops(ctx, o)),
            Flow::Next => {
                let callee = Operation::get_op::<Call>(op, ctx).map(|call| call.callee(ctx));
                callee.is_some_and(|name| {
                    let body = functions.get(&name).map(|f| f.get_operation());
                    seen.insert(name)
                        && body.is_some_and(|f| is_uneven(ctx, f, iteration, functions, seen))
                })
            }
            Flow::Once | Flow::Yield | Flow::Break | Flow::Continue | Flow::Return => false,
        })
}

/// Whether `op` goes on with the next iteration of a loop that has others in it.
fn skips_loops(ctx: &Context, op: Ptr<Operation>) -> bool {
    let inside = match Flow::of(ctx, op) {
        Flow::Continue => loop_around(ctx, op).map(|lp| nested_ops(ctx, lp)),
        Flow::If(_) | Flow::Switch(_) | Flow::Loop(_) | Flow::For(_) | Flow::Shared => None,
        Flow::Next | Flow::Once | Flow::Yield | Flow::Break | Flow::Return => None,
    };
    let mut inside = inside.unwrap_or_default().into_iter();
    inside.any(|op| Flow::of(ctx, op).is_any_loop())
}

/// Whether one comparison of integers decides about the end of the loop.
fn ends_by_count(ctx: &Context, lp: &Loop) -> bool {
    let op = lp.get_operation();
    let leaves = nested_ops(ctx, op)
        .into_iter()
        .any(|o| match Flow::of(ctx, o) {
            Flow::Return => true,
            Flow::Break => left_by_break(ctx, o) == Some(op),
            Flow::Continue | Flow::Yield | Flow::Next | Flow::Once => false,
            Flow::If(_) | Flow::Switch(_) | Flow::Loop(_) | Flow::For(_) | Flow::Shared => false,
        });
    let condition = regions_of(ctx, op).first().copied();
    let last = condition.and_then(|region| ops_of_region(ctx, region).last().copied());
    let value = last.and_then(|end| operands_of(ctx, end).first().copied());
    let cmp = value
        .and_then(|v| v.defining_op())
        .and_then(|op| Operation::get_op::<Cmp>(op, ctx));
    !leaves
        && cmp.is_some_and(|cmp| {
            is_of_integers(cmp.kind(ctx))
                && operands_of(ctx, cmp.get_operation())
                    .into_iter()
                    .all(|side| is_plain(ctx, side, op))
        })
}

fn is_of_integers(kind: CmpKind) -> bool {
    match kind {
        CmpKind::Eq
        | CmpKind::Ne
        | CmpKind::LtS
        | CmpKind::LeS
        | CmpKind::GtS
        | CmpKind::GeS
        | CmpKind::LtU
        | CmpKind::LeU
        | CmpKind::GtU
        | CmpKind::GeU => true,
        CmpKind::FEq | CmpKind::FNe | CmpKind::FLt | CmpKind::FLe | CmpKind::FGt | CmpKind::FGe => {
            false
        }
    }
}

/// A constant, a variable, or a value from outside of the loop.
fn is_plain(ctx: &Context, value: Value, lp: Ptr<Operation>) -> bool {
    let value = uncast(
        ctx,
        value,
        &[CastKind::SExt, CastKind::ZExt, CastKind::Trunc],
    );
    let Some(op) = value.defining_op() else {
        return true;
    };
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        let address = load.get_operand(ctx).defining_op();
        return address.is_none_or(|a| Operation::is_op::<Alloca>(a, ctx));
    }
    let inside = regions_of(ctx, lp)
        .into_iter()
        .any(|r| is_inside(ctx, op, r));
    Operation::is_op::<Const>(op, ctx) || !inside
}

/// Whether `value` is computed from something in `region`: an induction variable, or one that was made there.
pub fn depends_on(ctx: &Context, value: Value, region: Ptr<Region>) -> bool {
    let mut seen = HashSet::new();
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        if !seen.insert(value) {
            continue;
        }
        match value.defining_op() {
            Some(op) if Operation::is_op::<Alloca>(op, ctx) => {
                if is_inside(ctx, op, region) {
                    return true;
                }
            }
            Some(op) => work.extend(operands_of(ctx, op)),
            None => {
                let block = value.get_parent_block(ctx);
                let parent = block.and_then(|b| b.deref(ctx).get_parent_region());
                if parent == Some(region) {
                    return true;
                }
            }
        }
    }
    false
}
