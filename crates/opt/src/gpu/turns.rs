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
//! The results are the same bits. Of 64 bits the rest is a word of its own, and the quarter a second number:
//!
//! ```text
//! %r = core.call @turn(%x)   %q = core.call @turn_quarter(%x)   %s = core.call @turn_sin(%r, %q)   %c = core.call @turn_cos(%r, %q)
//! ```
//!
//! Cost: linear in the number of calls, times the depth of regions.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::core::{Call, Known, float_width, int};
use accrue_ir::{
    order::Order,
    walk::{nested, operands_of},
};
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::{analysis::straight::PureFunctions, gpu::sincos::library_call_as};

/// Joins the calls in `func` for floats of one of the `widths`; gives the new ones that find what the angles are of a turn, for remarks.
pub fn join(
    ctx: &mut Context,
    module: ModuleOp,
    func: FuncOp,
    pure: &PureFunctions,
    widths: &[u32],
) -> Vec<Ptr<Operation>> {
    let mut joined = vec![];
    let mut left: Vec<(Ptr<Operation>, Value, bool)> = nested::<Call>(ctx, func.get_operation())
        .into_iter()
        .filter(|call| pure.is_called(ctx, call.get_operation()))
        .filter_map(|call| {
            let known = pure.known(ctx, call)?;
            let sine = match known {
                Known::Sin => true,
                Known::Cos => false,
                _ => return None,
            };
            let op = call.get_operation();
            let angle = *operands_of(ctx, op).first()?;
            let width = float_width(ctx, angle.get_type(ctx))?;
            widths.contains(&width).then_some((op, angle, sine))
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
    let ty = angle.get_type(ctx);
    let (word, quarter) = (int(ctx, 64), int(ctx, 32));
    let mut e = Emitter::before(ctx, *first);
    let turn = match float_width(e.ctx, ty) {
        Some(32) => vec![library_call_as(&mut e, module, Known::Turn, &[angle], word)],
        _ => vec![
            library_call_as(&mut e, module, Known::Turn, &[angle], ty),
            library_call_as(&mut e, module, Known::TurnQuarter, &[angle], quarter),
        ],
    };
    for (op, _, sine) in calls {
        let known = match sine {
            true => Known::TurnSin,
            false => Known::TurnCos,
        };
        let mut e = Emitter::before(ctx, *op);
        let new = library_call_as(&mut e, module, known, &turn, ty);
        let old = op.deref(ctx).get_result(0);
        old.replace_all_uses_with(ctx, &new);
        Operation::erase(*op, ctx);
    }
    turn[0].defining_op()
}
