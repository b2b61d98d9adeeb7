//! Pass `full-unroll`: short loops with known bounds become straight code, on GPUs.
//!
//! The elements of an array that a loop walks through can be registers only if each access names its element
//! ([`crate::gpu::scalar_replacement`]), and a nest of a few constant iterations costs more in counting than in work.
//!
//! ```text
//! core.for %k = 0 to 3 step 1 {             core.store %x, %v[0]
//!   core.store %x, %v[%k]            →      core.store %x, %v[1]
//! }                                         core.store %x, %v[2]
//! ```
//!
//! Inner loops come first, so that a nest is unrolled as a whole if it is small enough: to [`MOST`] operations ([`MOST_DECIDED`]), or to
//! [`MOST_WITH_ARRAYS`] where the counter is an index into an array of the thread. A single loop of straight code without such an
//! array is left to the pass `unroll`, which puts loads ahead, unless it is in another loop and only reads, or the counter decides about branches or divides. What the counter is part of is folded afterwards.
//!
//! Loops that store what others load again are unrolled likewise ([`kept_elements`]).
//!
//! Loops that count from a constant and may end earlier become conditions inside each other ([`tested`]).
//!
//! Bounds may be counters of outer loops, as in a factorisation: the outer loop is unrolled first then, and its copies of the inner
//! one in the next round. Between rounds, what is stored into local variables is forwarded to their loads ([`super::forward`]), and
//! branches whose conditions are known go away ([`super::known_branches`]).
//!
//! Cost: linear in the size of what comes out, which the limits bound, per loop and round.

mod kept_elements;
mod tested;

use accrue_dialects::{
    core::fold::fold,
    core::{
        Alloca, AtomicUpdate, Bin, Copy, Decay, For, If, Load, Loop, Opaque, PtrAdd, Store, Yield,
        Zero, int_width, is_scalar,
    },
    core::{emit::Emitter, fold::constant},
    flow::{Flow, loop_around},
    par::{ParOp, kernels::KNOWN},
};
use accrue_ir::walk::{is_inside, nested, nested_ops, operands_of, ops_of_block};
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, OneResultInterface, SingleBlockRegionInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashSet;
use tested::Tested;

use crate::{
    State,
    analysis::{
        straight::{PureFunctions, is_straight},
        variables::is_local_scalar,
    },
    gpu::{forward::forward, known_branches::replace_known},
    transform::inline::device_functions,
};

const NAME: &str = "full-unroll";

/// Operations that a loop may become.
const MOST: i128 = 512;
/// The same where constants in the place of the counter save more than counting.
const MOST_DECIDED: i128 = 1024;
/// The same where an array may become registers by it.
const MOST_WITH_ARRAYS: i128 = 4096;
/// The same for all of a function, where loops have got constant bounds by unrolling others.
const MOST_IN_FUNCTION: usize = 8192;
/// How deep a nest may be whose bounds depend on the loops around.
const MOST_ROUNDS: u32 = 4;
/// Iterations that a loop may have.
const MOST_ITERATIONS: i128 = 64;

/// Unrolls in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.unrolls {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in device_functions(ctx, module) {
        let function = func.get_operation();
        let tables = tables(ctx, func);
        simplify(ctx, function);
        for round in 0..MOST_ROUNDS {
            if !unroll_in(ctx, function, round == 0, (&pure, &tables), state) {
                break;
            }
            simplify(ctx, function);
        }
    }
}

/// The parameters that lead to numbers that are known ([`super::known_elements`]).
fn tables(ctx: &Context, func: FuncOp) -> HashSet<Value> {
    let parameters: Vec<Value> = func.get_entry_block(ctx).deref(ctx).arguments().collect();
    let known = KNOWN.get(ctx, func.get_operation()).unwrap_or_default();
    let numbers = known.0.into_iter().map(|element| element.parameter);
    let indices = numbers.filter_map(|number| usize::try_from(number).ok());
    indices
        .filter_map(|index| parameters.get(index).copied())
        .collect()
}

/// Draws the conclusions from what is constant.
fn simplify(ctx: &mut Context, function: Ptr<Operation>) {
    for _ in 0..MOST_ROUNDS {
        fold(ctx, function);
        forward(ctx, function);
        fold(ctx, function);
        if !replace_known(ctx, function) {
            break;
        }
    }
}

/// Unrolls what can be unrolled now; whether there was anything. Inner loops whose bounds were counters of outer ones have
/// constant bounds in the next round, as long as all of the function stays below a limit.
fn unroll_in(
    ctx: &mut Context,
    function: Ptr<Operation>,
    first: bool,
    (pure, tables): (&PureFunctions, &HashSet<Value>),
    state: &mut State,
) -> bool {
    let mut loops = nested::<For>(ctx, function);
    loops.reverse();
    let mut size = nested_ops(ctx, function).len();
    let mut changed = false;
    let short: Vec<For> = loops
        .iter()
        .copied()
        .filter(|lp| known_iterations(ctx, *lp).is_some())
        .collect();
    let sharing = match first {
        true => kept_elements::sharing(ctx, &short),
        false => HashSet::new(),
    };
    for lp in loops {
        let shares = sharing.contains(&lp.get_operation());
        let Some(iterations) =
            known_iterations(ctx, lp).filter(|i| pays(ctx, lp, i, shares, (pure, tables)))
        else {
            continue;
        };
        let count = iterations.len();
        let more = nested_ops(ctx, lp.get_operation()).len() * count;
        if !first && size + more > MOST_IN_FUNCTION {
            continue;
        }
        size += more;
        if first {
            let message = format!("is unrolled: its {count} iterations become straight code");
            state.remark(ctx, lp.get_operation(), NAME, message);
        }
        unroll(ctx, lp, &iterations);
        changed = true;
    }
    let mut loops = nested::<Loop>(ctx, function);
    loops.reverse();
    for lp in loops {
        let Some(tested) = tested::tested(ctx, lp).filter(|it| pays_tested(ctx, lp, it, tables))
        else {
            continue;
        };
        let more = nested_ops(ctx, lp.get_operation()).len() * tested.most;
        if size + more > MOST_IN_FUNCTION {
            continue;
        }
        size += more;
        if first {
            let message = format!(
                "is unrolled: it has {} iterations at most, which become conditions inside each other",
                tested.most
            );
            state.remark(ctx, lp.get_operation(), NAME, message);
        }
        tested::unroll(ctx, lp, tested.most);
        changed = true;
    }
    changed
}

/// Whether the counter is part of an index into an array of the thread, and what comes out is not too long.
fn pays_tested(ctx: &Context, lp: Loop, tested: &Tested, tables: &HashSet<Value>) -> bool {
    let inside = nested_ops(ctx, lp.get_operation());
    let indexes = inside
        .iter()
        .filter_map(|op| Operation::get_op::<PtrAdd>(*op, ctx))
        .filter(|add| is_local_array(ctx, add.get_operand_base(ctx), tables))
        .any(|add| {
            held_apart_from_constants(ctx, add.get_operand_index(ctx)) == Some(tested.counter)
        });
    let size = i128::try_from(inside.len() * tested.most).unwrap_or(i128::MAX);
    indexes && size <= MOST_WITH_ARRAYS && inside.iter().all(|op| may_be_copied(ctx, *op))
}

/// The values of the counter, if they are known and few.
fn known_iterations(ctx: &Context, lp: For) -> Option<Vec<i128>> {
    let lower = constant(ctx, lp.get_operand_lower(ctx))?;
    let upper = constant(ctx, lp.get_operand_upper(ctx))?;
    let step = constant(ctx, lp.get_operand_step(ctx))?;
    // As signed and as unsigned numbers the bounds are in the same order.
    let in_range = |v: i128| v.abs() < 1 << 30 && (v >= 0 || !lp.info(ctx).unsigned);
    if step == 0 || ![lower, upper, step.abs()].into_iter().all(in_range) {
        return None;
    }
    let distance = if step > 0 {
        upper - lower
    } else {
        lower - upper
    };
    let count =
        distance.max(0).div_euclid(step.abs()) + i128::from(distance.max(0) % step.abs() != 0);
    (count <= MOST_ITERATIONS).then(|| (0..count).map(|i| lower + i * step).collect())
}

fn pays(
    ctx: &Context,
    lp: For,
    iterations: &[i128],
    shares: bool,
    (pure, tables): (&PureFunctions, &HashSet<Value>),
) -> bool {
    let inside = nested_ops(ctx, lp.get_operation());
    if !inside.iter().all(|op| may_be_copied(ctx, *op)) || has_continue(ctx, lp, &inside) {
        return false;
    }
    let size = i128::try_from(pure.size(ctx, &inside) * iterations.len()).unwrap_or(i128::MAX);
    let straight = inside.iter().all(|op| is_straight(ctx, *op, pure));
    match shares || indexes_arrays(ctx, lp, &inside, tables) {
        true => size <= MOST_WITH_ARRAYS,
        false => {
            let copied = !straight || is_read_again(ctx, lp, &inside, (pure, tables));
            copied && size <= MOST || size <= MOST_DECIDED && decides(ctx, lp, &inside)
        }
    }
}

/// Whether the counter decides about branches: with constants, conditions are known, or the same as elsewhere; and what is in branches
/// cannot be put ahead by the pass `unroll`. Or whether something is divided by what the counter gives: divisions by constants are short.
fn decides(ctx: &Context, lp: For, inside: &[Ptr<Operation>]) -> bool {
    let iv = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    inside.iter().any(|op| {
        let branch = Operation::get_op::<If>(*op, ctx);
        let division = Operation::get_op::<Bin>(*op, ctx).filter(|bin| bin.kind(ctx).divides());
        branch.is_some_and(|branch| comes_from(ctx, branch.get_operand_cond(ctx), iv))
            || division.is_some_and(|bin| comes_from(ctx, bin.get_operand_rhs(ctx), iv))
    })
}

/// Whether the loop is in another one, and only reads memory: its loads may be the same in all iterations of that, or for all lanes,
/// which shows when each has its own place.
fn is_read_again(
    ctx: &Context,
    lp: For,
    inside: &[Ptr<Operation>],
    (pure, tables): (&PureFunctions, &HashSet<Value>),
) -> bool {
    let around = lp.get_operation().deref(ctx).get_parent_op(ctx);
    let around = around.and_then(|op| Operation::get_op::<For>(op, ctx));
    // One that is unrolled itself comes first.
    let nested = around.is_some_and(|around| {
        let whole = known_iterations(ctx, around);
        constant(ctx, around.get_operand_step(ctx)) == Some(1)
            && !whole.is_some_and(|whole| pays(ctx, around, &whole, false, (pure, tables)))
    });
    let reads = |op: &Ptr<Operation>| {
        let store = Operation::get_op::<Store>(*op, ctx);
        store.is_none_or(|store| is_local_scalar(ctx, store.get_operand_address(ctx)))
            && !Operation::is_op::<Copy>(*op, ctx)
            && !Operation::is_op::<Zero>(*op, ctx)
    };
    nested && inside.iter().all(reads)
}

/// Whether several copies of `op` may stand in a function.
pub(super) fn may_be_copied(ctx: &Context, op: Ptr<Operation>) -> bool {
    let parallel = match ParOp::of(ctx, op) {
        Some(ParOp::Fork(_) | ParOp::Join(_) | ParOp::Lock(_) | ParOp::Unlock(_)) => true,
        Some(ParOp::RedSetup(_) | ParOp::RedInit(_)) => true,
        Some(ParOp::RedFini(_) | ParOp::RedTeardown(_)) => true,
        Some(ParOp::Loop(_) | ParOp::Reduce(_)) => true,
        Some(ParOp::Barrier(_) | ParOp::DimPos(_) | ParOp::DimSize(_)) | None => false,
    };
    let variable_length =
        Operation::get_op::<Alloca>(op, ctx).is_some_and(|a| a.count(ctx).is_some());
    !(parallel || variable_length || Operation::is_op::<Opaque>(op, ctx))
}

/// Whether a `continue` goes on with the next iteration of `lp` itself.
pub(super) fn has_continue(ctx: &Context, lp: For, inside: &[Ptr<Operation>]) -> bool {
    let own = Some(lp.get_operation());
    inside
        .iter()
        .any(|op| Flow::of(ctx, *op) == Flow::Continue && loop_around(ctx, *op) == own)
}

/// Whether the counter is part of an index into an array of the thread, or into one that is known; or what each iteration counts by hand
/// (`v[k++] = …`), which is as constant behind unrolling.
fn indexes_arrays(
    ctx: &Context,
    lp: For,
    inside: &[Ptr<Operation>],
    tables: &HashSet<Value>,
) -> bool {
    let iv = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    inside
        .iter()
        .filter_map(|op| Operation::get_op::<PtrAdd>(*op, ctx))
        .filter(|add| !is_updated_atomically(ctx, add.get_result(ctx)))
        .any(|add| {
            is_local_array(ctx, add.get_operand_base(ctx), tables)
                && (comes_from(ctx, add.get_operand_index(ctx), iv)
                    || is_counted_by_hand(ctx, lp, add.get_operand_index(ctx)))
        })
}

/// Whether an index is what a local variable holds, or so much more, to which one store, that every iteration comes to, adds a constant.
fn is_counted_by_hand(ctx: &Context, lp: For, index: Value) -> bool {
    let Some(variable) = held_apart_from_constants(ctx, index) else {
        return false;
    };
    let users = variable.uses(ctx).into_iter().map(|using| using.user_op());
    let region = lp.get_operation().deref(ctx).get_region(0);
    let inside: Vec<Store> = users
        .filter_map(|op| Operation::get_op::<Store>(op, ctx))
        .filter(|store| is_inside(ctx, store.get_operation(), region))
        .collect();
    let [store] = inside.as_slice() else {
        return false;
    };
    let mut around = store.get_operation();
    while around != lp.get_operation() {
        match around.deref(ctx).get_parent_op(ctx) {
            Some(op) if Operation::is_op::<For>(op, ctx) => around = op,
            Some(_) | None => return false,
        }
    }
    let counts = held_apart_from_constants(ctx, store.get_operand_value(ctx)) == Some(variable);
    counts && is_local_scalar(ctx, variable)
}

/// The variable whose value, and constants, this is made of.
fn held_apart_from_constants(ctx: &Context, value: Value) -> Option<Value> {
    let mut at = value;
    loop {
        let op = at.defining_op()?;
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            return Some(load.get_operand_address(ctx));
        }
        let sum = Operation::get_op::<Bin>(op, ctx)?;
        sum.kind(ctx).ring()?;
        constant(ctx, sum.get_operand_rhs(ctx))?;
        at = sum.get_operand_lhs(ctx);
    }
}

/// Whether several threads work on what is at `address`: it cannot be in registers.
fn is_updated_atomically(ctx: &Context, address: Value) -> bool {
    let uses = address.uses(ctx);
    uses.into_iter()
        .any(|u| Operation::is_op::<AtomicUpdate>(u.user_op(), ctx))
}

/// Whether `address` is in an array that a local variable is or contains, or in a known one.
pub(super) fn is_local_array(ctx: &Context, address: Value, tables: &HashSet<Value>) -> bool {
    let mut at = address;
    while let Some(op) = at.defining_op() {
        if let Some(alloca) = Operation::get_op::<Alloca>(op, ctx) {
            return alloca.count(ctx).is_none() && !is_scalar(ctx, alloca.var_type(ctx));
        }
        if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            at = decay.get_operand(ctx);
        } else if let Some(add) = Operation::get_op::<PtrAdd>(op, ctx) {
            at = add.get_operand_base(ctx);
        } else if let Some(member) = Operation::get_op::<accrue_dialects::core::Member>(op, ctx) {
            at = member.get_operand(ctx);
        } else {
            return false;
        }
    }
    tables.contains(&at)
}

/// Whether `value` is computed from `iv`, by arithmetic alone.
pub(super) fn comes_from(ctx: &Context, value: Value, iv: Value) -> bool {
    let (mut seen, mut open) = (HashSet::from([value]), vec![value]);
    while let Some(value) = open.pop() {
        if value == iv {
            return true;
        }
        let op = value
            .defining_op()
            .filter(|op| op.deref(ctx).num_regions() == 0);
        let operands = op.map(|op| operands_of(ctx, op)).into_iter().flatten();
        open.extend(operands.filter(|operand| seen.insert(*operand)));
    }
    false
}

/// Puts the iterations in the place of the loop.
fn unroll(ctx: &mut Context, lp: For, iterations: &[i128]) {
    let width = int_width(ctx, lp.get_operand_lower(ctx).get_type(ctx)).unwrap_or(64);
    let body = lp.get_body(ctx, 0);
    let iv = body.deref(ctx).get_argument(0);
    let mut ops = ops_of_block(ctx, body);
    ops.retain(|op| !Operation::is_op::<Yield>(*op, ctx));
    let mut e = Emitter::before(ctx, lp.get_operation());
    for at in iterations {
        let mut mapping = IrMapping::new();
        mapping.map_value(iv, e.int(width, *at));
        for op in &ops {
            e.copy(*op, &mut mapping);
        }
    }
    Operation::erase(lp.get_operation(), ctx);
}
