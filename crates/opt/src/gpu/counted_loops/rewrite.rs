//! Writes a counted loop as `core.for`: bounds before it, the counter for the loads of its variable, the last value behind it.

use super::{
    Counted, is_yield,
    test::{Order, Shift},
};
use accrue_dialects::core::{
    BinKind, CastKind, CmpKind, For, ForInfo, Load, Loop, emit::Emitter, int_width,
};
use accrue_ir::walk::{nested_ops, ops_of_block};
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

pub(super) fn convert(ctx: &mut Context, lp: Loop, counted: &Counted) {
    let op = lp.get_operation();
    let test = hoist(ctx, lp);
    let mut e = Emitter::before(ctx, op);
    let mut lower = e.load(counted.variable);
    if let Some(shift) = counted.shift {
        lower = shifted(&mut e, lower, shift, counted.width);
    }
    let back = counted
        .shift
        .map(|Shift { by, signed }| Shift { by: -by, signed });
    let unsigned = match counted.test.extended {
        None => counted.test.unsigned,
        Some(kind) => kind == CastKind::ZExt,
    };
    let upper = upper(&mut e, counted, lower);
    // Whoever adds up addresses and unrolls looks for loops that count upwards by ones.
    let down = counted.step == -1;
    let (first, end) = match down {
        true => counted_upwards(&mut e, lower, upper, counted.width, unsigned),
        false => (lower, upper),
    };
    let step = e.int(counted.width, if down { 1 } else { counted.step });
    let info = ForInfo {
        independent: false,
        unsigned: unsigned || down,
    };
    let (new, block) = For::new(e.ctx, first, end, step, info);
    e.push(new);
    if counted.read_outside {
        let before = match (unsigned, counted.step > 0) {
            (false, true) => CmpKind::LtS,
            (false, false) => CmpKind::GtS,
            (true, true) => CmpKind::LtU,
            (true, false) => CmpKind::GtU,
        };
        let any = e.cmp(before, lower, upper);
        let mut last = e.select(any, upper, lower);
        if let Some(back) = back {
            last = shifted(&mut e, last, back, counted.width);
        }
        e.store(last, counted.variable);
    }
    let mut iv = block.deref(ctx).get_argument(0);
    if down {
        let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockEnd(block), op);
        let kind = if unsigned {
            BinKind::Sub
        } else {
            BinKind::SubS
        };
        iv = e.bin(kind, lower, iv);
    }
    if let Some(back) = back {
        let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockEnd(block), op);
        iv = shifted(&mut e, iv, back, counted.width);
    }
    replace_loads(ctx, lp, counted, iv);
    let sum = counted.store.get_operand_value(ctx);
    Operation::erase(counted.store.get_operation(), ctx);
    if sum.uses(ctx).is_empty()
        && let Some(sum) = sum.defining_op()
    {
        Operation::erase(sum, ctx);
    }
    let (body, step) = (lp.get_body(ctx, 1), lp.get_body(ctx, 2));
    for (block_of, last) in [(body, false), (step, true)] {
        for inner in ops_of_block(ctx, block_of) {
            if is_yield(ctx, inner) && !last {
                continue;
            }
            inner.unlink(ctx);
            inner.insert_at_back(block, ctx);
        }
    }
    Operation::erase(op, ctx);
    for op in test.into_iter().rev() {
        if !op.deref(ctx).has_use() {
            Operation::erase(op, ctx);
        }
    }
}

/// What the test compares for a value of the variable, or the other way around.
fn shifted(e: &mut Emitter, value: Value, Shift { by, signed }: Shift, width: u32) -> Value {
    let by = e.int(width, by);
    let kind = match signed {
        true => BinKind::AddS,
        false => BinKind::Add,
    };
    e.bin(kind, value, by)
}

/// The bounds of a loop that counts its iterations, instead of down from `lower` to above `upper`.
fn counted_upwards(
    e: &mut Emitter,
    lower: Value,
    upper: Value,
    width: u32,
    unsigned: bool,
) -> (Value, Value) {
    let above = if unsigned { CmpKind::GtU } else { CmpKind::GtS };
    let any = e.cmp(above, lower, upper);
    let count = e.bin(BinKind::Sub, lower, upper);
    let zero = e.int(width, 0);
    (zero, e.select(any, count, zero))
}

/// Moves what the condition computes in front of the loop: the bound, and what nobody needs when the loop is gone.
fn hoist(ctx: &mut Context, lp: Loop) -> Vec<Ptr<Operation>> {
    let cond = lp.get_body(ctx, 0);
    let mut ops = ops_of_block(ctx, cond);
    ops.retain(|op| !is_yield(ctx, *op));
    for op in &ops {
        op.unlink(ctx);
        op.insert_before(ctx, lp.get_operation());
    }
    ops
}

/// The first value that the counter does not take, in the type of the variable.
fn upper(e: &mut Emitter, counted: &Counted, lower: Value) -> Value {
    let test = &counted.test;
    let wide = int_width(e.ctx, counted.bound.get_type(e.ctx)).unwrap_or(64);
    let mut end = counted.bound;
    match (test.order, counted.step > 0) {
        (Order::Before, _) => {}
        (Order::UpTo, up) => {
            let one = e.int(wide, 1);
            end = e.bin(if up { BinKind::Add } else { BinKind::Sub }, end, one);
        }
    }
    let Some(kind) = test.extended else {
        return end;
    };
    let zeros = kind == CastKind::ZExt;
    let ty = lower.get_type(e.ctx);
    let (least, most) = match zeros {
        true => (0, (1i128 << counted.width) - 1),
        false => (
            -(1i128 << (counted.width - 1)),
            (1i128 << (counted.width - 1)) - 1,
        ),
    };
    let most = e.int(wide, most);
    if test.unsigned {
        let cut = e.bin(BinKind::MinU, end, most);
        let cut = e.narrow(cut, ty);
        if zeros {
            return cut;
        }
        // A negative variable is a large number in the comparison: no iteration.
        let zero = e.int(counted.width, 0);
        let negative = e.cmp(CmpKind::LtS, lower, zero);
        return e.select(negative, lower, cut);
    }
    let least = e.int(wide, least);
    let cut = e.bin(BinKind::MinS, end, most);
    let cut = e.bin(BinKind::MaxS, cut, least);
    e.narrow(cut, ty)
}

/// In the body, the variable is the induction variable until it is counted on, and the sum behind that.
fn replace_loads(ctx: &mut Context, lp: Loop, counted: &Counted, iv: Value) {
    let sum = counted.store.get_operand_value(ctx);
    let mut counted_on = false;
    for op in nested_ops(ctx, lp.get_operation()) {
        if op == counted.store.get_operation() {
            counted_on = true;
        }
        let Some(load) = Operation::get_op::<Load>(op, ctx) else {
            continue;
        };
        if load.get_operand_address(ctx) == counted.variable {
            let value = if counted_on { sum } else { iv };
            load.get_result(ctx).replace_all_uses_with(ctx, &value);
            Operation::erase(op, ctx);
        }
    }
}
