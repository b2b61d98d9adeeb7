//! Writes a loop that alternates as one over whole periods, and what is left behind it.
//!
//! ```text
//! for k in lower..upper: body        →      for k in lower..end step 2: { now = 0; body(k); now = 1; body(k + 1) }     now = 0
//!                                           if end < upper: body(end)
//! ```

use accrue_dialects::core::{BinKind, For, If, emit::Emitter, fold::constant, int_width, pointee};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use super::{Held, Turns};
use crate::gpu::{interleave::body_of, unroll::end_of_groups};

/// Puts the loop over whole periods in the place of `lp`, and what is left behind it.
pub(super) fn write(ctx: &mut Context, lp: For, turns: &Turns) {
    let (lower, upper) = (lp.get_operand_lower(ctx), lp.get_operand_upper(ctx));
    let info = lp.info(ctx);
    let body = body_of(ctx, lp);
    let period = turns.period as i128;
    let mut e = Emitter::before(ctx, lp.get_operation());
    let width = int_width(e.ctx, lower.get_type(e.ctx)).unwrap_or(64);
    let step = e.int(width, period);
    let known = constant(e.ctx, lower).zip(constant(e.ctx, upper));
    let left = known.map(|(low, high)| (high - low).max(0) % period);
    let end = end_of_groups(&mut e, lower, upper, info, period);
    let (whole, block) = For::new(e.ctx, lower, end, step, info);
    let periods = e.push(whole);
    let first = block.deref(e.ctx).get_argument(0);
    e.at_end(block);
    for at in 0..turns.period {
        copy(&mut e, lp, &body, (turns, at, first));
    }
    e.finish(vec![]);
    e.go_after(periods.get_operation());
    hold(&mut e, turns, 0);
    match left {
        Some(left) => {
            let left = left as usize;
            for at in 0..left {
                copy(&mut e, lp, &body, (turns, at, end));
            }
            hold(&mut e, turns, left);
        }
        None => rest(&mut e, lp, &body, (turns, 0, end)),
    }
    Operation::erase(lp.get_operation(), ctx);
}

/// What is left behind whole periods: iteration `at` if there is one, and those after it, each in the condition of the one before.
fn rest(
    e: &mut Emitter,
    lp: For,
    body: &[Ptr<Operation>],
    (turns, at, first): (&Turns, usize, Value),
) {
    if at + 1 == turns.period {
        return;
    }
    let width = int_width(e.ctx, first.get_type(e.ctx)).unwrap_or(64);
    let distance = e.int(width, at as i128);
    let here = e.bin(BinKind::Add, first, distance);
    let less = lp.info(e.ctx).less();
    let more = e.cmp(less, here, lp.get_operand_upper(e.ctx));
    let (branch, some, none) = If::new(e.ctx, more, vec![]);
    e.push(branch);
    e.at_end(none);
    e.finish(vec![]);
    e.at_end(some);
    copy(e, lp, body, (turns, at, first));
    rest(e, lp, body, (turns, at + 1, first));
    e.at_end(some);
    e.finish(vec![]);
}

/// The iteration with number `at` of a period that begins where the counter is `first`.
fn copy(
    e: &mut Emitter,
    lp: For,
    body: &[Ptr<Operation>],
    (turns, at, first): (&Turns, usize, Value),
) {
    hold(e, turns, at);
    let counter = lp.get_body(e.ctx, 0).deref(e.ctx).get_argument(0);
    let width = int_width(e.ctx, counter.get_type(e.ctx)).unwrap_or(64);
    let distance = e.int(width, at as i128);
    let here = e.bin(BinKind::AddS, first, distance);
    let mut mapping = IrMapping::new();
    mapping.map_value(counter, here);
    for op in body {
        e.copy(*op, &mut mapping);
    }
    for (op, numbers) in &turns.of_counter {
        let old = op.deref(e.ctx).get_result(0);
        let Some(new) = mapping.lookup_value(old) else {
            continue;
        };
        let Some(made) = new.defining_op() else {
            continue;
        };
        let width = int_width(e.ctx, new.get_type(e.ctx)).unwrap_or(64);
        let mut before = Emitter::before(e.ctx, made);
        let number = before.int(width, numbers[at]);
        new.replace_all_uses_with(before.ctx, &number);
    }
}

/// Stores what variables hold at the start of an iteration.
fn hold(e: &mut Emitter, turns: &Turns, at: usize) {
    for variable in &turns.variables {
        let value = match turns.each[at][variable] {
            Held::Value(value) => value,
            Held::Number(number) => {
                let width = pointee(e.ctx, *variable).and_then(|ty| int_width(e.ctx, ty));
                e.int(width.unwrap_or(32), number)
            }
        };
        e.store(value, *variable);
    }
}
