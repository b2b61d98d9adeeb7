//! Returns inside loops and switches move behind them.
//!
//! ```text
//!                                            core.store false, %returned          once, where the function begins
//! core.loop { …                              core.loop { …
//!   core.if %c { core.return %a }              core.if %c { core.store %a, %r   core.store true, %returned   core.break }
//! … }                                   →    … }
//!                                            core.if (core.load %returned) { core.return (core.load %r) }
//! core.return %b                             core.return %b
//! ```
//! What returns inside of several moves out of one after the other. A condition or step of a loop that returns, as a statement
//! expression may, stays, and so does what is in any other operation.
//!
//! Cost: linear in the size of the function, times the depth of its loops.

use accrue_dialects::core::{Break, If, Loop, Return, Switch, emit::Emitter};
use accrue_ir::walk::{nested, operands_of, ops_of_block};
use pliron::{
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// Where a function notes that it has returned, and what.
struct Notes {
    returned: Value,
    value: Option<Value>,
}

/// Moves the returns out of the loops and switches of a function, as far as they can be.
pub(super) fn move_behind(ctx: &mut Context, func: FuncOp) {
    let all = nested::<Return>(ctx, func.get_operation());
    let inside = |it: &Return| left_by(ctx, it.get_operation()).is_some();
    if !all.iter().any(inside) {
        return;
    }
    let notes = notes(ctx, func, &all);
    // Each move may put one into the next loop.
    while let Some((ret, around)) = next(ctx, func) {
        move_one(ctx, ret, around, &notes);
    }
}

/// A return inside of a loop or switch, and the innermost one around it.
fn next(ctx: &Context, func: FuncOp) -> Option<(Ptr<Operation>, Ptr<Operation>)> {
    let all = nested::<Return>(ctx, func.get_operation());
    let left = |it: &Return| Some((it.get_operation(), left_by(ctx, it.get_operation())?));
    all.iter().find_map(left)
}

/// The loop or switch that a `core.break` in the place of `op` leaves.
fn left_by(ctx: &Context, op: Ptr<Operation>) -> Option<Ptr<Operation>> {
    let block = op.deref(ctx).get_parent_block()?;
    let around = block.deref(ctx).get_parent_op(ctx)?;
    if Operation::is_op::<If>(around, ctx) {
        return left_by(ctx, around);
    }
    if let Some(lp) = Operation::get_op::<Loop>(around, ctx) {
        return (lp.get_operation().deref(ctx).get_region(1)
            == block.deref(ctx).get_parent_region()?)
        .then_some(around);
    }
    Operation::is_op::<Switch>(around, ctx).then_some(around)
}

fn notes(ctx: &mut Context, func: FuncOp, all: &[Return]) -> Notes {
    let given = |it: &Return| operands_of(ctx, it.get_operation()).first().copied();
    let ty = all.iter().find_map(given).map(|value| value.get_type(ctx));
    let first = ops_of_block(ctx, func.get_entry_block(ctx))[0];
    let mut e = Emitter::before(ctx, first);
    let no = e.int(1, 0);
    let returned = e.alloca(no.get_type(e.ctx), None);
    e.store(no, returned);
    let value = ty.map(|ty| e.alloca(ty, None));
    Notes { returned, value }
}

/// The return becomes one behind `around`, where others may have moved before.
fn move_one(ctx: &mut Context, ret: Ptr<Operation>, around: Ptr<Operation>, notes: &Notes) {
    let given = operands_of(ctx, ret).first().copied();
    let mut e = Emitter::before(ctx, ret);
    if let (Some(given), Some(value)) = (given, notes.value) {
        e.store(given, value);
    }
    let yes = e.int(1, 1);
    e.store(yes, notes.returned);
    let leave = Break::new(e.ctx);
    e.push(leave);
    Operation::erase(ret, ctx);
    if returns_behind(ctx, around, notes) {
        return;
    }
    let mut e = Emitter::after(ctx, around);
    let returned = e.load(notes.returned);
    let (branch, then, otherwise) = If::new(e.ctx, returned, vec![]);
    e.push(branch);
    e.at_end(then);
    let value = notes.value.map(|value| e.load(value));
    let ret = Return::new(e.ctx, value);
    e.push(ret);
    e.at_end(otherwise);
    e.finish(vec![]);
}

/// Whether a return that has moved behind `around` stands there already.
fn returns_behind(ctx: &Context, around: Ptr<Operation>, notes: &Notes) -> bool {
    let Some(block) = around.deref(ctx).get_parent_block() else {
        return false;
    };
    let mut behind = ops_of_block(ctx, block)
        .into_iter()
        .skip_while(|op| *op != around);
    // The load of what is noted.
    let asked = behind.nth(1);
    asked.is_some_and(|op| operands_of(ctx, op).first() == Some(&notes.returned))
}
