//! Loops that count by a pointer get a counter beside it.
//!
//! ```text
//! for (p = a; p != a + n; p++) { … *p … }        →      k = 0;
//!                                                       for (p = a; k < n; p++, k++) { … *p … }
//! ```
//! The pass then sees a loop that counts, and the pointer becomes a function of the counter (pass `inductions`).
//!
//! A pointer that `<` compares leads to the same array as the bound (C17, 6.5.8p5). One that `!=` compares and that each iteration moves
//! on by one object comes to the bound, or the loop does not end.

use super::{
    end_of, has_continue, is_fixed, is_loaded_in, leaves, only_computes, only_store, swapped,
    writes,
};
use crate::analysis::{affine::Affine, variables::is_local_scalar_of_source};
use accrue_dialects::core::{
    BinKind, Cmp, CmpKind, Load, Loop, PtrAdd, PtrDiff, Store, emit::Emitter, fold::constant, int,
    pointee_of,
};
use accrue_ir::walk::{nested_ops, operands_of, ops_of_block};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// A loop whose pointer moves on by `step` objects until it comes to `bound`.
struct Moving {
    test: Cmp,
    variable: Value,
    store: Store,
    step: i128,
    bound: Value,
    upto: bool,
}

/// Gives the loop a counter, if it counts by a pointer.
pub(super) fn count_beside_pointer(ctx: &mut Context, lp: Loop) {
    let Some(it) = moving(ctx, lp) else {
        return;
    };
    let mut e = Emitter::before(ctx, lp.get_operation());
    let ty = int(e.ctx, 64);
    let counter = e.alloca(ty, None);
    let zero = e.i64(0);
    e.store(zero, counter);
    let start = e.load(it.variable);
    let known = known_distance(ctx, lp, &it);
    let mut e = Emitter::before(ctx, it.test.get_operation());
    let (end, start) = match it.step > 0 {
        true => (it.bound, start),
        false => (start, it.bound),
    };
    let count = match known {
        Some(distance) => e.i64(distance),
        None => e.make(|ctx| PtrDiff::new(ctx, end, start)),
    };
    let reached = e.load(counter);
    let kind = match it.upto {
        true => CmpKind::LeS,
        false => CmpKind::LtS,
    };
    let goes_on = e.cmp(kind, reached, count);
    let old = it.test.get_result(ctx);
    old.replace_all_uses_with(ctx, &goes_on);
    Operation::erase(it.test.get_operation(), ctx);
    let mut e = Emitter::after(ctx, it.store.get_operation());
    let reached = e.load(counter);
    let step = e.i64(it.step.abs());
    let next = e.bin(BinKind::AddS, reached, step);
    e.store(next, counter);
}

/// How many objects there are from where the pointer starts to the bound, in the direction of its steps, if that is a constant.
fn known_distance(ctx: &Context, lp: Loop, it: &Moving) -> Option<i128> {
    let start = stored_before(ctx, lp.get_operation(), it.variable)?;
    let mut affine = Affine::default();
    let (start, end) = (affine.place(ctx, start), affine.place(ctx, it.bound));
    if start.origin != end.origin || start.element != end.element {
        return None;
    }
    let distance = i128::from(end.distance.minus(&start.distance).as_number()?);
    Some(distance * it.step.signum())
}

/// What the variable was set to last in front of `op`, in the same block.
pub(in crate::gpu) fn stored_before(
    ctx: &Context,
    op: Ptr<Operation>,
    variable: Value,
) -> Option<Value> {
    let block = op.deref(ctx).get_parent_block()?;
    let before = ops_of_block(ctx, block)
        .into_iter()
        .take_while(|o| *o != op);
    let mut found = None;
    for op in before {
        let stores = |op: &Ptr<Operation>| {
            let store = Operation::get_op::<Store>(*op, ctx)?;
            (store.get_operand_address(ctx) == variable).then(|| store.get_operand_value(ctx))
        };
        match stores(&op) {
            Some(value) => found = Some(value),
            None if nested_ops(ctx, op).iter().any(|op| stores(op).is_some()) => found = None,
            None => {}
        }
    }
    found
}

fn moving(ctx: &Context, lp: Loop) -> Option<Moving> {
    let op = lp.get_operation();
    let [cond, body] = [0, 1].map(|i| op.deref(ctx).get_region(i));
    if lp.tests_last(ctx) || leaves(ctx, lp) || has_continue(ctx, body) || !only_computes(ctx, cond)
    {
        return None;
    }
    let test = operands_of(ctx, end_of(ctx, cond)?)
        .first()?
        .defining_op()?;
    let test = Operation::get_op::<Cmp>(test, ctx)?;
    let only_here = test.get_result(ctx).num_uses(ctx) == 1;
    let writes = writes(ctx, op);
    let pointer = |value: Value| {
        let load = Operation::get_op::<Load>(value.defining_op()?, ctx)?;
        let address = load.get_operand_address(ctx);
        let is_moved = writes.locals.contains(&address) && is_local_scalar_of_source(ctx, address);
        (is_moved && pointee_of(ctx, value.get_type(ctx)).is_some()).then_some(address)
    };
    let (lhs, rhs) = (test.get_operand_lhs(ctx), test.get_operand_rhs(ctx));
    let (variable, bound, kind) = match pointer(lhs) {
        Some(variable) => (variable, rhs, test.kind(ctx)),
        None => (pointer(rhs)?, lhs, swapped(test.kind(ctx))?),
    };
    let store = only_store(ctx, lp, variable)?;
    let sum = store.get_operand_value(ctx).defining_op()?;
    let sum = Operation::get_op::<PtrAdd>(sum, ctx)?;
    if !is_loaded_in(ctx, lp, sum.get_operand_base(ctx), variable) {
        return None;
    }
    let step = constant(ctx, sum.get_operand_index(ctx))?;
    let upto = match kind {
        CmpKind::Ne if step.abs() == 1 => false,
        CmpKind::LtU if step > 0 => false,
        CmpKind::GtU if step < 0 => false,
        CmpKind::LeU if step > 0 => true,
        CmpKind::GeU if step < 0 => true,
        CmpKind::Ne | CmpKind::LtU | CmpKind::GtU | CmpKind::LeU | CmpKind::GeU => return None,
        CmpKind::Eq | CmpKind::LtS | CmpKind::GtS | CmpKind::LeS | CmpKind::GeS => return None,
        CmpKind::FEq | CmpKind::FNe | CmpKind::FLt | CmpKind::FLe | CmpKind::FGt | CmpKind::FGe => {
            return None;
        }
    };
    let is_fixed = is_fixed(ctx, bound, op, &writes, &|_| false);
    (only_here && is_fixed && step.unsigned_abs() < 1 << 30).then_some(Moving {
        test,
        variable,
        store,
        step,
        bound,
        upto,
    })
}
