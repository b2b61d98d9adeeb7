//! Loops all of whose updates are of elements that have a copy: one question before the loop instead of one for each update, so that
//! the host's compiler can make SIMD code of what is left.
//!
//! ```text
//!                                          if (0 < dims) {
//! for d = 0 to dims                          if (dims <= 512 && 16 * c < 512 && 16 * c + dims - 1 < 512)
//!   k = 16 * c + d                             for d = 0 to dims: copy[16 * c + d] += x[d]
//!   if (k < 512) copy[k] += x[d]      →      else
//!   else atomic sums[k] += x[d]                for d = 0 to dims: …, as it was
//!                                          }
//! ```
//! 1. Looked at are innermost loops with step 1 that write local variables and nothing else where all elements have copies. What they
//!    load from memory by an address that does not change is the same in all iterations then.
//! 2. So are those asked that access something by another pointer, which is expected to be elsewhere.
//! 3. Each question must be about a number that changes by the same constant in every iteration. It is between the first and the
//!    last one, which are computed before the loop; with no more iterations than the copy has elements, nothing in between wraps.
//!
//! Cost: linear in the size of the loops; one that gains is there twice.

use accrue_dialects::core::{
    BinKind, Call, CmpKind, For, If, emit::Emitter, fold::constant, int_width,
};
use accrue_ir::{
    effects::{Effect, Effects, effects_of},
    walk::{is_inside, nested_ops, ops_of_block},
};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::analysis::{
    affine::motion::Iterations,
    straight::{PureFunctions, is_straight},
    variables::is_in_variable,
};

/// Larger steps could come around to the same elements.
const LARGEST_STEP: u64 = 1 << 16;

/// The question whether an access is of an element that has a copy.
pub(super) struct Guard {
    /// The arm behind it is for elements that have, the other one for those that have none.
    pub choice: If,
    /// The number of the element, or of its byte,
    pub index: Value,
    /// and how many of them have copies.
    pub size: u64,
    pub usual: Usual,
}

/// What is expected of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Usual {
    /// An update, of an element that has a copy.
    Inside,
    /// An access by another pointer, of anything else ([`super::seen`]): what it gives if it gives anything is what was there.
    Outside { old: Option<Value> },
}

impl Usual {
    /// The arm of a [`Guard`] that is not expected.
    fn other_arm(self) -> usize {
        match self {
            Usual::Inside => 1,
            Usual::Outside { .. } => 0,
        }
    }
}

/// Asks before loops, where that can be.
pub(super) fn ask_once(ctx: &mut Context, guards: &[Guard], pure: &PureFunctions) {
    let mut loops: Vec<For> = vec![];
    for guard in guards {
        let around = guard.choice.get_operation().deref(ctx).get_parent_op(ctx);
        if let Some(lp) = around.and_then(|op| Operation::get_op::<For>(op, ctx))
            && loops
                .iter()
                .all(|l| l.get_operation() != lp.get_operation())
        {
            loops.push(lp);
        }
    }
    for lp in loops {
        let region = lp.get_operation().deref(ctx).get_region(0);
        let inside = |g: &&Guard| is_inside(ctx, g.choice.get_operation(), region);
        let of_loop: Vec<&Guard> = guards.iter().filter(inside).collect();
        if is_suitable(ctx, lp, &of_loop, pure) {
            make_versions(ctx, lp, &of_loop);
        }
    }
}

fn is_suitable(ctx: &Context, lp: For, guards: &[&Guard], pure: &PureFunctions) -> bool {
    let mut iterations = Iterations::of_steady(ctx, lp);
    let known = |guard: &&Guard| {
        let step = iterations.constant_stride(ctx, guard.index);
        step.is_some_and(|step| step.unsigned_abs() <= LARGEST_STEP)
    };
    let otherwise: Vec<_> = guards
        .iter()
        .map(|g| {
            let arm = g.usual.other_arm();
            g.choice.get_operation().deref(ctx).get_region(arm)
        })
        .collect();
    let mut ops = nested_ops(ctx, lp.get_operation()).into_iter();
    constant(ctx, lp.get_operand_step(ctx)) == Some(1)
        && guards.iter().all(known)
        && ops.all(|op| {
            otherwise.iter().any(|region| is_inside(ctx, op, *region))
                || is_straight(ctx, op, pure) && writes_only_variables(ctx, op)
        })
}

/// Whether all that `op` by itself writes is in local variables.
fn writes_only_variables(ctx: &Context, op: Ptr<Operation>) -> bool {
    match effects_of(ctx, op) {
        Effects::None => true,
        Effects::Known(effects) => effects.into_iter().all(|effect| match effect {
            Effect::Read(_) | Effect::Alloc | Effect::Structure => true,
            Effect::Write(address) => address.is_some_and(|a| is_in_variable(ctx, a)),
            Effect::Free(_) | Effect::Convergent => false,
        }),
        // A function that nothing but the result tells of: what else there may be is not straight.
        Effects::Unknown => Operation::is_op::<Call>(op, ctx),
    }
}

fn make_versions(ctx: &mut Context, lp: For, guards: &[&Guard]) {
    let mut iterations = Iterations::of_steady(ctx, lp);
    let [lower, upper, step] = [
        lp.get_operand_lower(ctx),
        lp.get_operand_upper(ctx),
        lp.get_operand_step(ctx),
    ];
    let info = lp.info(ctx);
    let width = int_width(ctx, lower.get_type(ctx)).unwrap_or(64);
    let mut e = Emitter::before(ctx, lp.get_operation());
    let some = e.cmp(info.less(), lower, upper);
    let (runs, yes, no) = If::new(e.ctx, some, vec![]);
    e.push(runs);
    e.at_end(no);
    e.finish(vec![]);
    e.at_end(yes);
    let one = e.int(width, 1);
    let last = e.bin(BinKind::Sub, upper, one);
    let (from, to) = (e.widen(lower, info.unsigned), e.widen(upper, info.unsigned));
    let many = e.bin(BinKind::Sub, to, from);
    let (mut good, never) = (e.int(1, 1), e.int(1, 0));
    for guard in guards {
        let size = e.i64(i128::from(guard.size));
        let few = e.cmp(CmpKind::LeU, many, size);
        good = e.select(few, good, never);
        let ends = [lower, last].map(|iv| iterations.at(&mut e, guard.index, iv));
        for index in ends {
            let as_usual = match guard.usual {
                Usual::Inside => e.cmp(CmpKind::LtU, index, size),
                Usual::Outside { .. } => e.cmp(CmpKind::GeU, index, size),
            };
            good = e.select(as_usual, good, never);
        }
        // Both in front of what has copies, or both behind it.
        if let (Usual::Outside { .. }, [first, last]) = (guard.usual, ends) {
            let zero = e.i64(0);
            let [first, last] = [first, last].map(|index| e.cmp(CmpKind::LtS, index, zero));
            let same = e.cmp(CmpKind::Eq, first, last);
            good = e.select(same, good, never);
        }
    }
    let (choice, fast, slow) = If::new(e.ctx, good, vec![]);
    e.push(choice);
    e.finish(vec![]);
    e.at_end(fast);
    let (new, block) = For::new(e.ctx, lower, upper, step, info);
    e.push(new);
    e.at_end(block);
    let (old, counter) = (lp.get_body(e.ctx, 0), block.deref(e.ctx).get_argument(0));
    let mut mapping = IrMapping::new();
    mapping.map_value(old.deref(e.ctx).get_argument(0), counter);
    for op in ops_of_block(e.ctx, old) {
        let guard = guards.iter().find(|g| g.choice.get_operation() == op);
        let Some(guard) = guard else {
            e.copy(op, &mut mapping);
            continue;
        };
        if let Usual::Outside { old } = guard.usual {
            if let Some(old) = old {
                let seen = op.deref(e.ctx).get_result(0);
                let old = mapping.lookup_value_or_default(old);
                mapping.map_value(seen, old);
            }
            continue;
        }
        let ops = ops_of_block(e.ctx, guard.choice.get_body(e.ctx, 0));
        for op in ops.split_last().map_or(&[][..], |(_, before)| before) {
            e.copy(*op, &mut mapping);
        }
    }
    e.at_end(fast);
    e.finish(vec![]);
    e.at_end(slow);
    lp.get_operation().unlink(e.ctx);
    e.push_operation(lp.get_operation());
    e.finish(vec![]);
}
