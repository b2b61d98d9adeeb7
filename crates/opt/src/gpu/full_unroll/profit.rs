//! Which loops [`super`] unrolls: those whose iterations become cheaper by it, and what comes out is not too long.

use super::by_hand::{held_apart_from_constants, is_counted_by_hand, is_known_by_hand};
use super::{has_continue, left_over, may_be_copied, tested::Tested};
use crate::analysis::{
    straight::{PureFunctions, is_straight},
    variables::is_local_scalar,
};
use crate::gpu::jammed_sums;
use accrue_dialects::{
    core::{
        Alloca, AtomicUpdate, Bin, Copy, Decay, For, If, Loop, Member, PtrAdd, Store, Zero,
        fold::constant,
        is_scalar,
        layout::{Records, size_of},
    },
    par::kernels::KNOWN,
};
use accrue_ir::walk::{nested_ops, operands_of, ops_of_region, regions_of};
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, OneResultInterface, SingleBlockRegionInterface},
        ops::FuncOp,
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashSet;

/// Operations that a loop may become.
pub(super) const MOST: i128 = 512;
/// The same for a body without loops whose loads are the same in others.
const MOST_STRAIGHT: i128 = 1024;
/// The same where constants in the place of the counter save more than counting.
pub(super) const MOST_DECIDED: i128 = 1024;
/// The same where an array may become registers by it.
pub(super) const MOST_WITH_ARRAYS: i128 = 4096;
/// Bytes of the arrays that may become registers by it: half of those that a thread can have. More is spilled, and few threads have room.
const MOST_BYTES_OF_ARRAYS: u64 = 512;
/// How many times as long as what is left of it something may be before it folds.
const MOST_FOLDED: i128 = 4;
/// Iterations that a loop may have.
const MOST_ITERATIONS: i128 = 64;

/// What is known when a function's loops are looked at.
pub(super) struct Facts<'a> {
    pub(super) pure: &'a PureFunctions,
    pub(super) records: &'a Records,
    /// The parameters that lead to numbers that are known.
    pub(super) tables: HashSet<Value>,
}

/// The parameters that lead to numbers that are known ([`crate::gpu::known_elements`]).
pub(super) fn tables(ctx: &Context, func: FuncOp) -> HashSet<Value> {
    let parameters: Vec<Value> = func.get_entry_block(ctx).deref(ctx).arguments().collect();
    let known = KNOWN.get(ctx, func.get_operation()).unwrap_or_default();
    let numbers = known.0.into_iter().map(|element| element.parameter);
    let indices = numbers.filter_map(|number| usize::try_from(number).ok());
    indices
        .filter_map(|index| parameters.get(index).copied())
        .collect()
}

/// Whether the counter is part of an index into an array of the thread, and what comes out is not too long.
pub(super) fn pays_tested(ctx: &Context, lp: Loop, tested: &Tested, facts: &Facts) -> bool {
    let inside = nested_ops(ctx, lp.get_operation());
    let indexes = inside
        .iter()
        .filter_map(|op| Operation::get_op::<PtrAdd>(*op, ctx))
        .filter(|add| local_array(ctx, add.get_operand_base(ctx), &facts.tables).is_some())
        .any(|add| {
            held_apart_from_constants(ctx, add.get_operand_index(ctx)) == Some(tested.counter)
        });
    let size = i128::try_from(inside.len() * tested.most).unwrap_or(i128::MAX);
    indexes && size <= MOST_WITH_ARRAYS && inside.iter().all(|op| may_be_copied(ctx, *op))
}

/// The values of the counter, if they are known and few.
pub(super) fn known_iterations(ctx: &Context, lp: For) -> Option<Vec<i128>> {
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

/// `sharing`: the loops that store what others load again ([`super::kept_elements`]).
pub(super) fn pays(
    ctx: &Context,
    lp: For,
    iterations: &[i128],
    sharing: &HashSet<Ptr<Operation>>,
    facts: &Facts,
) -> bool {
    let shares = sharing.contains(&lp.get_operation());
    let inside = nested_ops(ctx, lp.get_operation());
    if !inside.iter().all(|op| may_be_copied(ctx, *op)) || has_continue(ctx, lp, &inside) {
        return false;
    }
    // Loops over lanes become one then, which they do not side by side.
    if iterations.len() >= jammed_sums::WIDTH
        && jammed_sums::sums_around_lanes(ctx, lp, facts.pure).is_some()
    {
        return false;
    }
    let count = i128::try_from(iterations.len()).unwrap_or(i128::MAX);
    let of_one = i128::try_from(facts.pure.size(ctx, &inside)).unwrap_or(i128::MAX);
    let size = count.saturating_mul(of_one);
    // Asked only where it decides: it walks through the loop.
    let is_left = |most: i128| {
        size <= most
            || size <= most * MOST_FOLDED && {
                let gone = i128::try_from(left_over::gone(ctx, lp)).unwrap_or(i128::MAX);
                count.saturating_mul(of_one.saturating_sub(gone)) <= most
            }
    };
    let straight = inside.iter().all(|op| is_straight(ctx, *op, facts.pure));
    match have_room(ctx, lp, &inside, facts).unwrap_or(shares) {
        true => is_left(MOST_WITH_ARRAYS),
        false => {
            let copied = !straight || is_read_again(ctx, lp, &inside, (sharing, size), facts);
            let most = if straight { MOST_STRAIGHT } else { MOST };
            copied && size <= most || is_left(MOST_DECIDED) && decides(ctx, lp, &inside)
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
/// which shows when each has its own place. `size`: of what it becomes.
fn is_read_again(
    ctx: &Context,
    lp: For,
    inside: &[Ptr<Operation>],
    (sharing, size): (&HashSet<Ptr<Operation>>, i128),
    facts: &Facts,
) -> bool {
    let around = lp.get_operation().deref(ctx).get_parent_op(ctx);
    let around = around.and_then(|op| Operation::get_op::<For>(op, ctx));
    // One that is unrolled itself comes first, unless it is for what it stores: then there is room for both.
    let none = HashSet::new();
    let nested = around.is_some_and(|around| {
        let stays = |whole: Vec<i128>| match sharing.contains(&around.get_operation()) {
            true => size.saturating_mul(whole.len() as i128) <= MOST_WITH_ARRAYS,
            false => !pays(ctx, around, &whole, &none, facts),
        };
        constant(ctx, around.get_operand_step(ctx)) == Some(1)
            && known_iterations(ctx, around).is_none_or(stays)
    });
    let reads = |op: &Ptr<Operation>| {
        let store = Operation::get_op::<Store>(*op, ctx);
        store.is_none_or(|store| is_local_scalar(ctx, store.get_operand_address(ctx)))
            && !Operation::is_op::<Copy>(*op, ctx)
            && !Operation::is_op::<Zero>(*op, ctx)
    };
    nested && inside.iter().all(reads)
}

/// Whether the thread's arrays that the loop goes along have room in registers: the counter is part of an index into them, or into one that is
/// known; or what each iteration counts by hand (`v[k++] = …`), which is as constant behind unrolling. None if there are no such arrays.
fn have_room(ctx: &Context, lp: For, inside: &[Ptr<Operation>], facts: &Facts) -> Option<bool> {
    let iv = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    let indexed: HashSet<Value> = inside
        .iter()
        .filter_map(|op| Operation::get_op::<PtrAdd>(*op, ctx))
        .filter(|add| !is_updated_atomically(ctx, add.get_result(ctx)))
        .filter_map(|add| {
            let array = local_array(ctx, add.get_operand_base(ctx), &facts.tables)?;
            let index = add.get_operand_index(ctx);
            let counts = comes_from(ctx, index, iv)
                || is_counted_by_hand(ctx, lp, index)
                || is_known_by_hand(ctx, lp, index);
            counts.then_some(array)
        })
        .collect();
    let bytes = |array: &Value| {
        let alloca = Operation::get_op::<Alloca>(array.defining_op()?, ctx)?;
        size_of(ctx, facts.records, alloca.var_type(ctx))
    };
    let all: u64 = indexed.iter().filter_map(bytes).sum();
    (!indexed.is_empty()).then_some(all <= MOST_BYTES_OF_ARRAYS)
}

/// Whether several threads work on what is at `address`: it cannot be in registers.
fn is_updated_atomically(ctx: &Context, address: Value) -> bool {
    let uses = address.uses(ctx);
    uses.into_iter()
        .any(|u| Operation::is_op::<AtomicUpdate>(u.user_op(), ctx))
}

/// The local variable that is or contains the array that `address` is in, or the parameter that leads to a known one.
pub(in crate::gpu) fn local_array(
    ctx: &Context,
    address: Value,
    tables: &HashSet<Value>,
) -> Option<Value> {
    let mut at = address;
    while let Some(op) = at.defining_op() {
        if let Some(alloca) = Operation::get_op::<Alloca>(op, ctx) {
            let array = alloca.count(ctx).is_none() && !is_scalar(ctx, alloca.var_type(ctx));
            return array.then_some(at);
        }
        if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            at = decay.get_operand(ctx);
        } else if let Some(add) = Operation::get_op::<PtrAdd>(op, ctx) {
            at = add.get_operand_base(ctx);
        } else if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            at = member.get_operand(ctx);
        } else {
            return None;
        }
    }
    tables.contains(&at).then_some(at)
}

/// Whether `value` is computed from `iv`, by arithmetic and by choices between what is computed.
pub(in crate::gpu) fn comes_from(ctx: &Context, value: Value, iv: Value) -> bool {
    let (mut seen, mut open) = (HashSet::from([value]), vec![value]);
    while let Some(value) = open.pop() {
        if value == iv {
            return true;
        }
        let Some(op) = value.defining_op() else {
            continue;
        };
        let chosen = match Operation::is_op::<If>(op, ctx) {
            true => yielded(ctx, op),
            false if op.deref(ctx).num_regions() == 0 => vec![],
            false => continue,
        };
        let made_of = operands_of(ctx, op).into_iter().chain(chosen);
        open.extend(made_of.filter(|part| seen.insert(*part)));
    }
    false
}

/// What the arms of a branch give.
pub(super) fn yielded(ctx: &Context, branch: Ptr<Operation>) -> Vec<Value> {
    let arms = regions_of(ctx, branch).into_iter();
    let ends = arms.filter_map(|arm| ops_of_region(ctx, arm).last().copied());
    ends.flat_map(|end| operands_of(ctx, end)).collect()
}
