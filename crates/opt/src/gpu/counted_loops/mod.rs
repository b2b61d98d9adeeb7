//! Pass `counted-loops`: loops of the source that count become `core.for`, on GPUs.
//!
//! A C loop is a test, a body and a step. Whoever wants to add up its addresses, unroll it or run its iterations side by
//! side needs to know where it starts and ends. Loops with a `loop` directive are counted by the rules of OpenACC (section
//! 2.9); any other loop in device code is counted if this pass can see it, so that `loop seq` makes no difference.
//!
//! ```text
//! core.loop cond { load i < load n }           %lo = load i;  %up = load n
//!   body { … load i … }                   →    core.for %k = %lo to %up step 1 { … %k … }
//!   step { store (load i) + 1, i }             store %lo < %up ? %up : %lo, i      (if `i` is read outside of the loop)
//! ```
//!
//! What must hold:
//! - the test compares one local variable, extended or not, with something that no iteration changes; or its sum with a constant
//!   (`i + 1 < n`), which is what the loop then counts: the sum goes round where it does in C;
//! - the variable is an integer of 32 or 64 bits whose address goes nowhere; each iteration writes it once, at its end or in
//!   the step, adding a constant;
//! - the test writes nothing;
//! - no `break` or `return` leaves the loop; a `continue` only if the step does nothing but count.
//!
//! Signed variables do not overflow (C17, 6.5p5). An unsigned one that wrapped would make the loop endless: a loop that
//! reads and writes nothing but ordinary memory may be taken to end (C17, 6.8.5p6), any other is left alone.
//!
//! A condition that counts (`while (n-- > 0)`) first gives up its step to the start of the body, and to what follows the loop,
//! since the last test counts, too; or to what is in front of the loop, and the end of each iteration (`while (--n > 0)`).
//!
//! A loop that counts by a pointer first gets a counter beside it ([`pointers`]).
//!
//! A loop that counts down by ones becomes one over the number of the iteration, from 0 upwards. Counters with constant bounds are
//! narrowed ([`narrow`]).
//!
//! The test may be written in many ways: either side, `<`, `<=`, `>`, `>=` or `!=`, `while` or `for`, a bound of another type.
//! A bound of more bits than the variable is cut to what the variable can reach, so that the counter stays narrow.
//!
//! Cost: linear in the size of the loops, times their depth.

mod in_condition;
mod narrow;
mod pointers;
mod rewrite;
mod test;

use in_condition::{compare_with_zero, count_in_body, count_in_step};
use narrow::narrow_counters;
use pointers::count_beside_pointer;
pub(super) use pointers::stored_before;
use rewrite::convert;
use test::{Counter, Order, Shift, Test, counter, ordered, swapped};

use accrue_dialects::{
    core::fold::constant,
    core::{Alloca, Bin, BinKind, Call, Cmp, Load, Loop, Opaque, Store, Yield, int_width},
    flow::{Flow, left_by_break, loop_around},
};
use accrue_ir::{
    effects::{Effect, effects_of, is_pure},
    walk::{is_inside, nested, nested_in_region, nested_ops, operands_of, ops_of_region},
};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    builtin::ops::{FuncOp, ModuleOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};
use std::collections::HashSet;

use crate::{
    State,
    analysis::variables::{defined_inside, is_local_scalar_of_source, is_wanted_behind},
    gpu::promote::promote_all,
    transform::inline::device_functions,
};

/// Converts the loops of kernels and of the functions they call, inner ones first.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.unrolls {
        return;
    }
    for func in device_functions(ctx, module) {
        convert_all(ctx, func);
        narrow_counters(ctx, func);
    }
}

/// Converts the loops of a function.
pub(crate) fn convert_all(ctx: &mut Context, func: FuncOp) {
    let mut loops = nested::<Loop>(ctx, func.get_operation());
    loops.reverse();
    for lp in loops {
        compare_with_zero(ctx, lp);
        count_in_body(ctx, lp);
        count_in_step(ctx, lp);
        count_beside_pointer(ctx, lp);
        if let Some(counted) = counted(ctx, lp, &|_| false) {
            convert(ctx, lp, &counted);
        }
    }
    // Where a loop starts is often the only thing that is still stored to its variable.
    promote_all(ctx, func.get_operation());
}

/// How a loop counts that is left as it is.
#[derive(Clone, Debug)]
pub struct Counting {
    /// The address of the variable.
    pub variable: Value,
    /// What moves it on, at the end of each iteration.
    pub store: Ptr<Operation>,
    pub step: i128,
    /// What it is compared with, in the condition.
    pub bound: Value,
    /// The bound is one of the values.
    pub upto: bool,
}

/// How a loop of the source counts, if this pass would convert it as it stands. `is_constant`: the variable at the address keeps its
/// value, as the caller knows.
pub fn counting(ctx: &Context, lp: Loop, is_constant: &dyn Fn(Value) -> bool) -> Option<Counting> {
    let counted = counted(ctx, lp, is_constant).filter(|counted| counted.shift.is_none())?;
    Some(Counting {
        variable: counted.variable,
        store: counted.store.get_operation(),
        step: counted.step,
        bound: counted.bound,
        upto: counted.test.order == Order::UpTo,
    })
}

/// A loop that counts.
struct Counted {
    /// The address of the variable, and its bits.
    variable: Value,
    width: u32,
    /// What writes it, once in each iteration.
    store: Store,
    step: i128,
    test: Test,
    /// What it is compared with, computed in the condition.
    bound: Value,
    /// What the test adds to the variable.
    shift: Option<Shift>,
    /// The variable is read by something outside of the loop, or by the loop when it comes to it again.
    read_outside: bool,
}

/// What the iterations of a loop do to memory.
struct Writes {
    /// The local scalars they store to by name.
    locals: HashSet<Value>,
    /// They may write something else.
    others: bool,
    /// They only read and write ordinary memory.
    plain: bool,
}

fn counted(ctx: &Context, lp: Loop, is_constant: &dyn Fn(Value) -> bool) -> Option<Counted> {
    if lp.tests_last(ctx) {
        return None;
    }
    let op = lp.get_operation();
    let [cond, body, step] = [0, 1, 2].map(|i| op.deref(ctx).get_region(i));
    let (body_end, step_end) = (end_of(ctx, body)?, end_of(ctx, step)?);
    if leaves(ctx, lp) || !is_yield(ctx, body_end) || !is_yield(ctx, step_end) {
        return None;
    }
    if !only_computes(ctx, cond) {
        return None;
    }
    let test = operands_of(ctx, end_of(ctx, cond)?)
        .first()?
        .defining_op()?;
    let cmp = Operation::get_op::<Cmp>(test, ctx)?;
    let writes = writes(ctx, op);
    let (lhs, rhs) = (cmp.get_operand_lhs(ctx), cmp.get_operand_rhs(ctx));
    let on_the_left = counter(ctx, lhs, &writes).map(|c| (c, rhs, cmp.kind(ctx)));
    let (counter, bound, kind) = on_the_left.or_else(|| {
        let found = counter(ctx, rhs, &writes)?;
        Some((found, lhs, swapped(cmp.kind(ctx))?))
    })?;
    let Counter {
        variable,
        extended,
        shift,
    } = counter;
    let width = int_width(
        ctx,
        Operation::get_op::<Alloca>(variable.defining_op()?, ctx)?.var_type(ctx),
    )?;
    if !matches!(width, 32 | 64) || !is_fixed(ctx, bound, op, &writes, is_constant) {
        return None;
    }
    let (store, step, wraps) = advance(ctx, lp, variable)?;
    if has_continue(ctx, body) && !(only_counts(ctx, step_region(ctx, lp), store)) {
        return None;
    }
    let test = ordered(ctx, kind, extended, step, wraps, bound, &writes)?;
    let read_outside = is_wanted_behind(ctx, variable, op);
    // What the variable holds behind the loop would take a division.
    if read_outside && step.abs() != 1 {
        return None;
    }
    Some(Counted {
        variable,
        width,
        store,
        step,
        test,
        bound,
        shift,
        read_outside,
    })
}

/// Whether a condition may be asked once more, or once less: it writes nothing (`(t = i) < n`), and calls nobody.
pub(super) fn only_computes(ctx: &Context, cond: Ptr<Region>) -> bool {
    let mut inside = vec![];
    nested_in_region(ctx, cond, &mut inside);
    inside.into_iter().all(|op| {
        let load = Operation::get_op::<Load>(op, ctx);
        is_pure(ctx, op) || is_control(ctx, op) || load.is_some_and(|load| !load.is_volatile(ctx))
    })
}

fn end_of(ctx: &Context, region: Ptr<Region>) -> Option<Ptr<Operation>> {
    ops_of_region(ctx, region).last().copied()
}

fn is_yield(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::is_op::<Yield>(op, ctx)
}

fn step_region(ctx: &Context, lp: Loop) -> Ptr<Region> {
    lp.get_operation().deref(ctx).get_region(2)
}

fn is_within(ctx: &Context, op: Ptr<Operation>, outer: Ptr<Operation>) -> bool {
    outer.deref(ctx).regions().any(|r| is_inside(ctx, op, r))
}

/// Whether a `break` or `return` may end the loop.
fn leaves(ctx: &Context, lp: Loop) -> bool {
    let lp = lp.get_operation();
    nested_ops(ctx, lp)
        .into_iter()
        .any(|op| match Flow::of(ctx, op) {
            Flow::Return => true,
            Flow::Break => left_by_break(ctx, op) == Some(lp),
            Flow::Continue | Flow::Yield | Flow::Next | Flow::Once => false,
            Flow::If(_) | Flow::Switch(_) | Flow::Loop(_) | Flow::For(_) | Flow::Shared => false,
        })
}

/// Whether a `continue` of this loop stands in its body.
fn has_continue(ctx: &Context, body: Ptr<Region>) -> bool {
    let lp = body.deref(ctx).get_parent_op();
    let mut ops = vec![];
    nested_in_region(ctx, body, &mut ops);
    ops.into_iter()
        .any(|op| Flow::of(ctx, op) == Flow::Continue && loop_around(ctx, op) == Some(lp))
}

fn writes(ctx: &Context, lp: Ptr<Operation>) -> Writes {
    let mut found = Writes {
        locals: HashSet::new(),
        others: false,
        plain: true,
    };
    for op in nested_ops(ctx, lp) {
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            let address = store.get_operand_address(ctx);
            match is_local_scalar_of_source(ctx, address) {
                true => _ = found.locals.insert(address),
                false => found.others = true,
            }
            found.plain &= !store.is_volatile(ctx);
        } else if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            found.plain &= !load.is_volatile(ctx);
            found.others |= load.is_volatile(ctx);
        } else if !is_control(ctx, op) {
            let effects = effects_of(ctx, op);
            let quiet = effects.expected().iter().all(|effect| match effect {
                Effect::Read(_) | Effect::Alloc => true,
                Effect::Write(_) | Effect::Free(_) => false,
                Effect::Structure | Effect::Convergent => false,
            });
            found.others |= !quiet;
            found.plain &=
                quiet && !Operation::is_op::<Call>(op, ctx) && !Operation::is_op::<Opaque>(op, ctx);
        }
    }
    found
}

/// Operations that are nothing but what their regions do, and the ends of regions.
fn is_control(ctx: &Context, op: Ptr<Operation>) -> bool {
    match Flow::of(ctx, op) {
        Flow::If(_) | Flow::Switch(_) | Flow::Loop(_) | Flow::For(_) => true,
        Flow::Yield | Flow::Break | Flow::Continue => true,
        Flow::Return | Flow::Shared | Flow::Once | Flow::Next => false,
    }
}

/// Whether `value` is the same before each iteration, and can be computed before the loop.
fn is_fixed(
    ctx: &Context,
    value: Value,
    lp: Ptr<Operation>,
    writes: &Writes,
    is_constant: &dyn Fn(Value) -> bool,
) -> bool {
    let Some(op) = value.defining_op().filter(|op| is_within(ctx, *op, lp)) else {
        return !lp
            .deref(ctx)
            .regions()
            .any(|r| defined_inside(ctx, value, r));
    };
    let repeats = match Operation::get_op::<Load>(op, ctx) {
        Some(load) => {
            let address = load.get_operand_address(ctx);
            !load.is_volatile(ctx)
                && match is_local_scalar_of_source(ctx, address) {
                    true => !writes.locals.contains(&address),
                    false => !writes.others || is_constant(address),
                }
        }
        None => is_pure(ctx, op) && op.deref(ctx).num_regions() == 0,
    };
    repeats
        && operands_of(ctx, op)
            .into_iter()
            .all(|v| is_fixed(ctx, v, lp, writes, is_constant))
}

/// The only store to the variable in the loop, by how much it changes there, and whether it may wrap.
fn advance(ctx: &Context, lp: Loop, variable: Value) -> Option<(Store, i128, bool)> {
    let store = only_store(ctx, lp, variable)?;
    let bin = Operation::get_op::<Bin>(store.get_operand_value(ctx).defining_op()?, ctx)?;
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    let is_counter = |value| is_loaded_in(ctx, lp, value, variable);
    let (step, wraps) = match bin.kind(ctx) {
        BinKind::AddS if is_counter(lhs) => (constant(ctx, rhs)?, false),
        BinKind::AddS if is_counter(rhs) => (constant(ctx, lhs)?, false),
        BinKind::SubS if is_counter(lhs) => (-constant(ctx, rhs)?, false),
        BinKind::Add if is_counter(lhs) => (constant(ctx, rhs)?, true),
        BinKind::Add if is_counter(rhs) => (constant(ctx, lhs)?, true),
        BinKind::Sub if is_counter(lhs) => (-constant(ctx, rhs)?, true),
        _ => return None,
    };
    // The load that the sum uses must come before the store in the same iteration, as all that see the old value.
    (step != 0 && step.unsigned_abs() < 1 << 30).then_some((store, step, wraps))
}

/// The only store to the variable in the loop, if each iteration comes to it once.
fn only_store(ctx: &Context, lp: Loop, variable: Value) -> Option<Store> {
    let op = lp.get_operation();
    let mut stores = variable
        .uses(ctx)
        .into_iter()
        .filter(|u| is_within(ctx, u.user_op(), op))
        .filter_map(|u| Operation::get_op::<Store>(u.user_op(), ctx));
    let (store, None) = (stores.next()?, stores.next()) else {
        return None;
    };
    let block = store.get_operation().deref(ctx).get_parent_block()?;
    let (body, step) = (lp.get_body(ctx, 1), lp.get_body(ctx, 2));
    let body_region = op.deref(ctx).get_region(1);
    (block == step || block == body && !has_continue(ctx, body_region)).then_some(store)
}

/// Whether `value` is what the variable holds in an iteration.
fn is_loaded_in(ctx: &Context, lp: Loop, value: Value, variable: Value) -> bool {
    let load = value
        .defining_op()
        .and_then(|op| Operation::get_op::<Load>(op, ctx));
    load.is_some_and(|load| {
        load.get_operand_address(ctx) == variable
            && is_within(ctx, load.get_operation(), lp.get_operation())
    })
}

/// Whether the step does nothing that a `continue` must not skip, beside counting.
fn only_counts(ctx: &Context, step: Ptr<Region>, store: Store) -> bool {
    ops_of_region(ctx, step).into_iter().all(|op| {
        op == store.get_operation()
            || is_yield(ctx, op)
            || Operation::is_op::<Load>(op, ctx)
            || is_pure(ctx, op) && op.deref(ctx).num_regions() == 0
    })
}
