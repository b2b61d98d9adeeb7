//! Loops whose condition counts: the step moves out of the test.
//!
//! ```text
//! while (n-- > 0) { … }        →    for (; n > 0;) { n--; … }  n--;
//! while (--n > 0) { … }        →    n--;  for (; n > 0; n--) { … }
//! ```

use super::{end_of, has_continue, is_yield, leaves};
use crate::analysis::variables::is_local_scalar;
use accrue_dialects::core::{
    Bin, BinKind, Cast, CastKind, CmpKind, Load, Loop, Store, emit::Emitter, fold::constant,
    int_width,
};
use accrue_ir::{
    effects::is_pure,
    walk::{operands_of, ops_of_region},
};
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, OneResultInterface},
    context::Context,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// `while (n)` is `while (n != 0)`.
pub(super) fn compare_with_zero(ctx: &mut Context, lp: Loop) {
    let cond = lp.get_operation().deref(ctx).get_region(0);
    let Some(test) = end_of(ctx, cond)
        .and_then(|end| operands_of(ctx, end).first()?.defining_op())
        .and_then(|op| Operation::get_op::<Cast>(op, ctx))
        .filter(|cast| cast.kind(ctx) == CastKind::ToBool)
    else {
        return;
    };
    let number = test.get_operand(ctx);
    let Some(width) = int_width(ctx, number.get_type(ctx)) else {
        return;
    };
    let mut e = Emitter::before(ctx, test.get_operation());
    let zero = e.int(width, 0);
    let differs = e.cmp(CmpKind::Ne, number, zero);
    test.get_result(ctx).replace_all_uses_with(ctx, &differs);
    Operation::erase(test.get_operation(), ctx);
}

/// A variable that a condition counts on, by its only store.
struct Counts {
    store: Store,
    sum: Bin,
    /// How many operations of the condition come up to the store.
    before: usize,
}

/// What the condition of a loop counts, if that is one local variable.
fn counts(ctx: &Context, lp: Loop) -> Option<Counts> {
    let ops = ops_of_region(ctx, lp.get_operation().deref(ctx).get_region(0));
    let stores = ops.iter().enumerate();
    let mut stores =
        stores.filter_map(|(at, op)| Some((at, Operation::get_op::<Store>(*op, ctx)?)));
    let (Some((at, store)), None) = (stores.next(), stores.next()) else {
        return None;
    };
    let address = store.get_operand_address(ctx);
    let sum = Operation::get_op::<Bin>(store.get_operand_value(ctx).defining_op()?, ctx)?;
    constant(ctx, sum.get_operand_rhs(ctx))?;
    int_width(ctx, sum.get_operand_lhs(ctx).get_type(ctx))?;
    let old = Operation::get_op::<Load>(sum.get_operand_lhs(ctx).defining_op()?, ctx)?;
    let counts = old.get_operand_address(ctx) == address && is_local_scalar(ctx, address);
    let inside = ops.iter().any(|op| *op == sum.get_operation());
    (counts && inside).then_some(Counts {
        store,
        sum,
        before: at + 1,
    })
}

/// Moves a step whose result the condition tests in front of the loop, and to the end of each iteration.
///
/// ```text
/// core.loop cond { %a = (load n) - 1; store %a, n; yield %a > 0 }     store (load n) - 1, n
///   body { … }                                                  →     core.loop cond { %a = load n; yield %a > 0 }
///                                                                       body { … }  step { …; store (load n) - 1, n }
/// ```
pub(super) fn count_in_step(ctx: &mut Context, lp: Loop) {
    let op = lp.get_operation();
    let Some(Counts { store, sum, before }) = counts(ctx, lp).filter(|_| !lp.tests_last(ctx))
    else {
        return;
    };
    let ops = ops_of_region(ctx, op.deref(ctx).get_region(0));
    let (old, new) = (sum.get_operand_lhs(ctx), sum.get_result(ctx));
    let only_new = old.num_uses(ctx) == 1 && new.num_uses(ctx) > 1;
    let quiet = ops.iter().enumerate().all(|(at, op)| {
        let known = *op == store.get_operation() || is_yield(ctx, *op);
        let load = Operation::get_op::<Load>(*op, ctx);
        let other = load.is_some_and(|load| {
            let address = store.get_operand_address(ctx);
            load.get_operand_address(ctx) != address || load.get_result(ctx) == old || at >= before
        });
        known || other || is_pure(ctx, *op) && op.deref(ctx).num_regions() == 0
    });
    let end = end_of(ctx, op.deref(ctx).get_region(2));
    let (Some(end), true, true) = (end, only_new, quiet) else {
        return;
    };
    let (address, kind) = (store.get_operand_address(ctx), sum.kind(ctx));
    let width = int_width(ctx, old.get_type(ctx)).unwrap_or(64);
    let step = constant(ctx, sum.get_operand_rhs(ctx)).unwrap_or(0);
    count(&mut Emitter::before(ctx, op), address, kind, width, step);
    count(&mut Emitter::before(ctx, end), address, kind, width, step);
    Operation::erase(store.get_operation(), ctx);
    new.replace_all_uses_with(ctx, &old);
    Operation::erase(sum.get_operation(), ctx);
}

/// Moves a step from the condition, which tests what the variable was before, to where the condition leads: into the body and
/// behind the loop.
///
/// ```text
/// core.loop cond { %a = load n; store %a - 1, n; yield %a > 0 }       core.loop cond { %a = load n; yield %a > 0 }
///   body { … }                                                  →       body { store (load n) - 1, n; … }
///                                                                     store (load n) - 1, n
/// ```
pub(super) fn count_in_body(ctx: &mut Context, lp: Loop) {
    let op = lp.get_operation();
    let [cond, body] = [0, 1].map(|i| op.deref(ctx).get_region(i));
    if lp.tests_last(ctx) || leaves(ctx, lp) || has_continue(ctx, body) {
        return;
    }
    let Some(Counts { store, sum, before }) = counts(ctx, lp) else {
        return;
    };
    let ops = ops_of_region(ctx, cond);
    let address = store.get_operand_address(ctx);
    let (lhs, rhs) = (sum.get_operand_lhs(ctx), sum.get_operand_rhs(ctx));
    let Some(step) = constant(ctx, rhs) else {
        return;
    };
    let only_here = sum.get_result(ctx).num_uses(ctx) == 1;
    // Nothing in the condition may see that the variable is another one.
    let quiet = ops[before..].iter().all(|op| {
        let loads = Operation::get_op::<Load>(*op, ctx);
        is_yield(ctx, *op)
            || is_pure(ctx, *op) && op.deref(ctx).num_regions() == 0
            || loads.is_some_and(|load| load.get_operand_address(ctx) != address)
    });
    if !only_here || !quiet {
        return;
    }
    let (kind, ty) = (sum.kind(ctx), lhs.get_type(ctx));
    let Some(width) = int_width(ctx, ty) else {
        return;
    };
    let Some(first) = ops_of_region(ctx, body).first().copied() else {
        return;
    };
    let mut e = Emitter::before(ctx, first);
    count(&mut e, address, kind, width, step);
    let mut e = Emitter::after(ctx, op);
    count(&mut e, address, kind, width, step);
    Operation::erase(store.get_operation(), ctx);
    Operation::erase(sum.get_operation(), ctx);
}

/// Counts the variable on.
fn count(e: &mut Emitter, address: Value, kind: BinKind, width: u32, step: i128) {
    let old = e.load(address);
    let step = e.int(width, step);
    let new = e.bin(kind, old, step);
    e.store(new, address);
}
