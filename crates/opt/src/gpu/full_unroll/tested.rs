//! Loops that count from a constant to a constant, and may end earlier by another condition.
//!
//! ```text
//! k = 2;                                         k = 2
//! core.loop cond { k > 0 && v[k - 1] > x }       if 2 > 0 && v[1] > x {  v[2] = v[1];  k = 1
//!   body { v[k] = v[k - 1];  k = k - 1 }    →      if 1 > 0 && v[0] > x {  v[1] = v[0];  k = 0  }
//!                                                }
//! ```
//! An insertion into a short list that is kept in order is one. It becomes conditions inside each other, as many as it has iterations at
//! most, in which the counter is constant; then the list can be in registers.
//!
//! What must hold: the counter is a local variable whose address goes nowhere. It is set to a constant in front of the loop, in the
//! same block, and each iteration adds a constant once, wherever else it goes. The condition does not hold where a comparison of the
//! counter with a constant does not, and writes nothing. Nothing else ends the loop or an iteration. Cost: linear in what comes out.

use accrue_dialects::core::{
    Bin, BinKind, Cmp, CmpKind, If, Load, Loop, Select, Store, Yield, emit::Emitter, fold::constant,
};
use accrue_dialects::flow::Flow;
use accrue_ir::walk::{nested_ops, operands_of, ops_of_block, ops_of_region};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    value::Value,
};

use crate::{
    analysis::variables::is_local_scalar,
    gpu::counted_loops::{only_computes, stored_before},
};

/// Conditions inside each other.
const MOST_ITERATIONS: usize = 16;

/// A loop that has a known number of iterations at most.
pub(super) struct Tested {
    pub counter: Value,
    pub most: usize,
}

/// What is known of `lp`, if it is such a loop.
pub(super) fn tested(ctx: &Context, lp: Loop) -> Option<Tested> {
    let op = lp.get_operation();
    let ends_early = nested_ops(ctx, op)
        .into_iter()
        .any(|op| match Flow::of(ctx, op) {
            Flow::Break | Flow::Continue | Flow::Return => true,
            Flow::Next | Flow::Once | Flow::If(_) | Flow::Switch(_) | Flow::Yield => false,
            Flow::Loop(_) | Flow::For(_) | Flow::Shared => false,
        });
    // The last time, nothing is asked any more.
    let asks_only = only_computes(ctx, op.deref(ctx).get_region(0));
    if lp.tests_last(ctx) || ends_early || !asks_only {
        return None;
    }
    let test = ops_of_region(ctx, op.deref(ctx).get_region(0))
        .last()
        .copied()?;
    let test = operands_of(ctx, test).first().copied()?;
    let Test {
        counter,
        kind,
        bound,
    } = test_of(ctx, test)?;
    if !is_local_scalar(ctx, counter) {
        return None;
    }
    let step = step_of(ctx, lp, counter)?;
    let mut at = constant(ctx, stored_before(ctx, op, counter)?)?;
    for most in 0..=MOST_ITERATIONS {
        if !holds(kind, at, bound)? {
            return Some(Tested { counter, most });
        }
        at += step;
    }
    None
}

/// The counter compared with a constant.
struct Test {
    counter: Value,
    kind: CmpKind,
    bound: i128,
}

/// A comparison without which the condition does not hold.
fn test_of(ctx: &Context, condition: Value) -> Option<Test> {
    let op = condition.defining_op()?;
    let no = |value: Value| constant(ctx, value) == Some(0);
    if let Some(both) = Operation::get_op::<Select>(op, ctx) {
        let sides = [both.get_operand_cond(ctx), both.get_operand_yes(ctx)];
        let found = sides.into_iter().find_map(|side| test_of(ctx, side));
        return found.filter(|_| no(both.get_operand_no(ctx)));
    }
    if let Some(both) = Operation::get_op::<If>(op, ctx) {
        let yields = |region| {
            let end = ops_of_block(ctx, both.get_body(ctx, region))
                .last()
                .copied()?;
            let end = Operation::get_op::<Yield>(end, ctx)?;
            operands_of(ctx, end.get_operation()).first().copied()
        };
        let (yes, otherwise) = (yields(0)?, yields(1)?);
        let sides = [both.get_operand_cond(ctx), yes];
        let found = sides.into_iter().find_map(|side| test_of(ctx, side));
        return found.filter(|_| no(otherwise));
    }
    let cmp = Operation::get_op::<Cmp>(op, ctx)?;
    let load = Operation::get_op::<Load>(cmp.get_operand_lhs(ctx).defining_op()?, ctx)?;
    Some(Test {
        counter: load.get_operand_address(ctx),
        kind: cmp.kind(ctx),
        bound: constant(ctx, cmp.get_operand_rhs(ctx))?,
    })
}

/// What each iteration adds to the counter.
fn step_of(ctx: &Context, lp: Loop, counter: Value) -> Option<i128> {
    let op = lp.get_operation();
    let mut stores = nested_ops(ctx, op)
        .into_iter()
        .filter_map(|op| Operation::get_op::<Store>(op, ctx))
        .filter(|store| store.get_operand_address(ctx) == counter);
    let (store, None) = (stores.next()?, stores.next()) else {
        return None;
    };
    let block = store.get_operation().deref(ctx).get_parent_block()?;
    if block != lp.get_body(ctx, 1) && block != lp.get_body(ctx, 2) {
        return None;
    }
    let bin = Operation::get_op::<Bin>(store.get_operand_value(ctx).defining_op()?, ctx)?;
    let load = Operation::get_op::<Load>(bin.get_operand_lhs(ctx).defining_op()?, ctx)?;
    let by = constant(ctx, bin.get_operand_rhs(ctx))?;
    let step = match bin.kind(ctx) {
        BinKind::Add | BinKind::AddS => by,
        BinKind::Sub | BinKind::SubS => -by,
        _ => return None,
    };
    let small = step != 0 && step.abs() < 1 << 20;
    (load.get_operand_address(ctx) == counter && small).then_some(step)
}

/// Whether a comparison of small numbers holds; `None` where it depends on how many bits they have, or is of other numbers.
fn holds(kind: CmpKind, a: i128, b: i128) -> Option<bool> {
    let small = |n: i128| n.abs() < 1 << 30;
    if !small(a) || !small(b) {
        return None;
    }
    let natural = a >= 0 && b >= 0;
    match kind {
        CmpKind::Eq => Some(a == b),
        CmpKind::Ne => Some(a != b),
        CmpKind::LtS => Some(a < b),
        CmpKind::LeS => Some(a <= b),
        CmpKind::GtS => Some(a > b),
        CmpKind::GeS => Some(a >= b),
        CmpKind::LtU => natural.then_some(a < b),
        CmpKind::LeU => natural.then_some(a <= b),
        CmpKind::GtU => natural.then_some(a > b),
        CmpKind::GeU => natural.then_some(a >= b),
        CmpKind::FEq | CmpKind::FNe | CmpKind::FLt | CmpKind::FLe | CmpKind::FGt | CmpKind::FGe => {
            None
        }
    }
}

/// Puts conditions inside each other in the place of the loop.
pub(super) fn unroll(ctx: &mut Context, lp: Loop, most: usize) {
    let op = lp.get_operation();
    let [cond, body, step] = [0, 1, 2].map(|region| {
        let mut ops = ops_of_block(ctx, lp.get_body(ctx, region));
        let end = ops.pop();
        (ops, end)
    });
    let test = cond
        .1
        .and_then(|end| operands_of(ctx, end).first().copied());
    let Some(test) = test else {
        return;
    };
    let mut at = op;
    for _ in 0..most {
        let mut mapping = IrMapping::new();
        let mut e = Emitter::before(ctx, at);
        copy(&mut e, &cond.0, &mut mapping);
        let holds = mapping.lookup_value_or_default(test);
        let (branch, yes, no) = If::new(e.ctx, holds, vec![]);
        e.push(branch);
        e.at_end(no);
        e.finish(vec![]);
        e.at_end(yes);
        copy(&mut e, &body.0, &mut mapping);
        copy(&mut e, &step.0, &mut mapping);
        let end = Yield::new(e.ctx, vec![]);
        at = e.push(end).get_operation();
    }
    Operation::erase(op, ctx);
}

fn copy(e: &mut Emitter, ops: &[Ptr<Operation>], mapping: &mut IrMapping) {
    for op in ops {
        e.copy(*op, mapping);
    }
}
