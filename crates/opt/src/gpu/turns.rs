//! Sine and cosine of the same angle: what of a turn it is, is found once, on GPUs.
//!
//! Both functions begin by taking away multiples of π/2, with an out-of-line call for huge angles. Two such calls stay two for
//! NVIDIA's assembler; what comes behind them it shares by itself.
//!
//! ```text
//! %s = core.call @sinf(%x)              %t = core.call @turnf(%x)           the rest in [-π/4, π/4], and the quarter
//! %c = core.call @cosf(%x)      →       %s = core.call @turn_sinf(%t)
//!                                       %c = core.call @turn_cosf(%t)
//! ```
//! The results are the same bits. Only functions of `float`: the rest of a `double` takes two numbers. The names begin with
//! `__builtin_`: a unit may have functions of its own that are called so.
//!
//! Cost: linear in the number of calls, times the depth of regions.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::core::{Call, float, int};
use accrue_ir::{
    order::Order,
    walk::{nested, operands_of},
};
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};

use crate::{analysis::straight::PureFunctions, gpu::sincos::library_call_as};

/// Joins the calls in `func`; gives the new ones that find what the angles are of a turn, for remarks.
pub fn join(
    ctx: &mut Context,
    module: ModuleOp,
    func: FuncOp,
    pure: &PureFunctions,
) -> Vec<Ptr<Operation>> {
    let mut joined = vec![];
    let mut left: Vec<(Ptr<Operation>, Value, bool)> = nested::<Call>(ctx, func.get_operation())
        .into_iter()
        .filter(|call| pure.is_called(ctx, call.get_operation()))
        .filter_map(|call| {
            let name = call.callee(ctx);
            let sine = match name.strip_prefix("__builtin_").unwrap_or(&name) {
                "sinf" => true,
                "cosf" => false,
                _ => return None,
            };
            let op = call.get_operation();
            Some((op, *operands_of(ctx, op).first()?, sine))
        })
        .collect();
    while let Some((first, angle, sine)) = left.first().copied() {
        let mut order = Order::default();
        let mut same = |(op, of, _): &(Ptr<Operation>, Value, bool)| {
            *of == angle && order.comes_before(ctx, first, *op)
        };
        let (mine, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|call| same(call));
        left = others;
        if mine.iter().any(|(.., other)| *other != sine) {
            joined.extend(replace(ctx, module, angle, &mine));
        }
    }
    joined
}

fn replace(
    ctx: &mut Context,
    module: ModuleOp,
    angle: Value,
    calls: &[(Ptr<Operation>, Value, bool)],
) -> Option<Ptr<Operation>> {
    let (first, ..) = calls.first()?;
    let (word, single) = (int(ctx, 64), float(ctx, 32));
    let mut e = Emitter::before(ctx, *first);
    let turn = library_call_as(&mut e, module, "__builtin_turnf", angle, word);
    for (op, _, sine) in calls {
        let name = match sine {
            true => "__builtin_turn_sinf",
            false => "__builtin_turn_cosf",
        };
        let mut e = Emitter::before(ctx, *op);
        let new = library_call_as(&mut e, module, name, turn, single);
        let old = op.deref(ctx).get_result(0);
        old.replace_all_uses_with(ctx, &new);
        Operation::erase(*op, ctx);
    }
    turn.defining_op()
}
