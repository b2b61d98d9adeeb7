//! Pass `remainders`: what is at most a few times around is taken back by comparisons instead of a division, on GPUs.
//!
//! Programs with periodic boundaries find a neighbour by a remainder, whose divisor is a variable: some twenty instructions for 32
//! bits, a hundred for 64.
//!
//! ```text
//! core.for i = 0 to n { …                            … (i + d + n) % n, d from -1 to 1 …
//!   %a = core.bin AddS i, d;  %b = AddS %a, n            %r = core.select %a < 0 ? %a + n : %a
//!   %r = core.bin RemS %b, n                      →      %r = core.select %r >= n ? %r - n : %r
//! ```
//! 1. What is known where the remainder is computed: a counter is below the end of its loop, a thread's place below the number of places
//!    that its branch compares it with.
//! 2. The dividend is a sum ([`crate::analysis::affine`]), whatever its spelling: that number, some constant number of times the
//!    divisor, a constant, and counters of loops with constant bounds. The end is the divisor but for a constant.
//! 3. So the dividend, without the divisors in it, is below 0 or at least the divisor by so much at most: each comparison takes it one
//!    divisor back. Up to [`MOST_TURNS`] are cheaper than a division.
//!
//! A constant divisor is a multiplication by its reciprocal, which one comparison is still cheaper than: where the range of the dividend
//! ends below twice the divisor, as that of a place in a ring of constant length does.
//!
//! Quotients and remainders of a signed number that is not negative by a constant are those of numbers without sign, which need no
//! correction behind the multiplication, shift or mask; and so is a remainder by a power of two that is only compared with zero.
//!
//! A game of life with 16 remainders for each cell took 2.4 times as long as one that compares. Cost: the sums of each remainder,
//! times the depth of branches and loops around it.

use accrue_dialects::core::{
    Bin, BinKind, Cast, CastKind, Cmp, CmpKind, For, If, Select, emit::Emitter, fold::constant,
    int_width,
};
use accrue_dialects::par::kernels::VERSION;
use accrue_ir::walk::nested;
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, OneResultInterface, SingleBlockRegionInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::{State, analysis::affine::Affine, transform::inline::device_functions};

/// Comparisons that are cheaper than a division.
const MOST_TURNS: i64 = 4;

/// Replaces remainders in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.promotes_memory {
        return;
    }
    for func in device_functions(ctx, module) {
        let mut affine = Affine::default();
        for bin in nested::<Bin>(ctx, func.get_operation()) {
            if let Some(turns) = turns(ctx, func, bin, &mut affine) {
                replace(ctx, bin, turns);
            } else if let Some(kind) = without_sign(ctx, bin, &mut affine) {
                let [dividend, divisor] = [bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx)];
                let same = Emitter::before(ctx, bin.get_operation()).bin(kind, dividend, divisor);
                bin.get_result(ctx).replace_all_uses_with(ctx, &same);
                Operation::erase(bin.get_operation(), ctx);
            }
        }
    }
}

/// The division without sign that gives the same.
fn without_sign(ctx: &Context, bin: Bin, affine: &mut Affine) -> Option<BinKind> {
    let kind = match bin.kind(ctx) {
        BinKind::DivS => BinKind::DivU,
        BinKind::RemS => BinKind::RemU,
        _ => return None,
    };
    let divisor = constant(ctx, bin.get_operand_rhs(ctx)).filter(|divisor| *divisor > 0)?;
    let natural = affine.range(ctx, bin.get_operand_lhs(ctx))?.min >= 0;
    let is_zero = |value| constant(ctx, value) == Some(0);
    let uses = bin.get_result(ctx).uses(ctx);
    let mut uses = uses.into_iter();
    let compared = uses.all(|using| {
        Operation::get_op::<Cmp>(using.user_op(), ctx).is_some_and(|cmp| {
            matches!(cmp.kind(ctx), CmpKind::Eq | CmpKind::Ne)
                && (is_zero(cmp.get_operand_lhs(ctx)) || is_zero(cmp.get_operand_rhs(ctx)))
        })
    });
    let mask = kind == BinKind::RemU && divisor.count_ones() == 1 && compared;
    (natural || mask).then_some(kind)
}

/// How a dividend becomes the remainder.
struct Turns {
    /// The divisor is in it once, and is taken off first.
    holds_divisor: bool,
    /// How often it may have to be added then, and how often to be taken off.
    below: i64,
    above: i64,
}

fn turns(ctx: &Context, func: FuncOp, bin: Bin, affine: &mut Affine) -> Option<Turns> {
    match bin.kind(ctx) {
        BinKind::RemS | BinKind::RemU => {}
        _ => return None,
    }
    let [dividend, divisor] = [bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx)];
    let width = int_width(ctx, divisor.get_type(ctx)).filter(|width| matches!(width, 32 | 64))?;
    if let Some(divisor) = constant(ctx, divisor) {
        return turns_of_constant(ctx, dividend, divisor, affine);
    }
    // Sums of fewer bits without sign are unknown where they may wrap, and so may those of 64 bits only with divisors of 63.
    if bin.kind(ctx) == BinKind::RemU && width < 64 {
        return None;
    }
    limits(ctx, func, bin, affine)
        .into_iter()
        .find_map(|limit| turns_below(ctx, [dividend, divisor], limit, affine))
}

/// For a dividend that is not negative and below twice the divisor. A power of two is a mask.
fn turns_of_constant(
    ctx: &Context,
    dividend: Value,
    divisor: i128,
    affine: &mut Affine,
) -> Option<Turns> {
    let range = affine.range(ctx, dividend)?;
    let once = divisor > 2 && 0 <= range.min && range.max < 2 * divisor;
    let is_mask = divisor.count_ones() == 1;
    (once && (!is_mask || range.max < divisor)).then_some(Turns {
        holds_divisor: false,
        below: 0,
        above: i64::from(range.max >= divisor),
    })
}

/// A number that is not negative, and below an end that is greater than zero.
#[derive(Clone, Copy)]
struct Limit {
    number: Value,
    end: Value,
}

/// What is known where `bin` stands, from the inside out.
fn limits(ctx: &Context, func: FuncOp, bin: Bin, affine: &mut Affine) -> Vec<Limit> {
    let mut found = vec![];
    let version = VERSION.get(ctx, func.get_operation());
    let covered = version.is_some_and(|version| version.kind.is_grid());
    let entry = func.get_entry_block(ctx);
    let mut inside = bin.get_operation();
    while let Some(block) = inside.deref(ctx).get_parent_block() {
        let Some(around) = block.deref(ctx).get_parent_op(ctx) else {
            break;
        };
        // The branch that all is in is for threads that have an iteration: the launch has made sure that 32 bits hold their number.
        if let Some(branch) = Operation::get_op::<If>(around, ctx)
            && covered
            && around.deref(ctx).get_parent_block() == Some(entry)
            && branch.get_body(ctx, 0) == block
        {
            holds(ctx, branch.get_operand_cond(ctx), &mut found);
        }
        if let Some(lp) = Operation::get_op::<For>(around, ctx)
            && !lp.info(ctx).unsigned
            && affine.is_natural(ctx, lp.get_operand_lower(ctx))
        {
            found.push(Limit {
                number: block.deref(ctx).get_argument(0),
                end: less_zero(ctx, lp.get_operand_upper(ctx)),
            });
        }
        inside = around;
    }
    for limit in &found {
        affine.keep_whole(ctx, limit.number);
    }
    found
}

/// What a condition says that holds.
fn holds(ctx: &Context, condition: Value, found: &mut Vec<Limit>) {
    let Some(op) = condition.defining_op() else {
        return;
    };
    if let Some(both) = Operation::get_op::<Select>(op, ctx)
        && constant(ctx, both.get_operand_no(ctx)) == Some(0)
    {
        holds(ctx, both.get_operand_cond(ctx), found);
        holds(ctx, both.get_operand_yes(ctx), found);
    }
    if let Some(cmp) = Operation::get_op::<Cmp>(op, ctx)
        && cmp.kind(ctx) == CmpKind::LtU
        && let end = less_zero(ctx, cmp.get_operand_rhs(ctx))
        && end != cmp.get_operand_rhs(ctx)
    {
        found.push(Limit {
            number: cmp.get_operand_lhs(ctx),
            end,
        });
    }
}

/// `count`, where that is `runs ? count : 0`, the number of iterations of a loop, in whatever width; else the value itself.
fn less_zero(ctx: &Context, value: Value) -> Value {
    let mut at = value;
    while let Some(cast) = at
        .defining_op()
        .and_then(|op| Operation::get_op::<Cast>(op, ctx))
        && cast.kind(ctx) == CastKind::Trunc
    {
        at = cast.get_operand(ctx);
    }
    let select = at
        .defining_op()
        .and_then(|op| Operation::get_op::<Select>(op, ctx));
    match select {
        Some(select) if constant(ctx, select.get_operand_no(ctx)) == Some(0) => {
            select.get_operand_yes(ctx)
        }
        Some(_) | None => value,
    }
}

/// How the dividend becomes the remainder, if it is that number but for what is known.
fn turns_below(
    ctx: &Context,
    [dividend, divisor]: [Value; 2],
    limit: Limit,
    affine: &mut Affine,
) -> Option<Turns> {
    let [sum, by, end] = [dividend, divisor, limit.end].map(|value| affine.sum(ctx, value));
    // number <= divisor - 1 + over, and the divisor is at least 1 - over. If that may be zero or less, nothing is known: `i < n + 4`, `i % n`.
    let over = end.minus(&by).as_number()?;
    let least = 1i64.checked_sub(over).filter(|least| *least >= 1)?;
    [false, true].into_iter().find_map(|holds_divisor| {
        let times = i64::from(holds_divisor);
        let rest = sum.clone().plus(&by, -times);
        let (mut low, mut high, mut own) = (0i64, 0i64, false);
        for (atoms, factor) in rest.terms() {
            let [atom] = atoms else {
                if !atoms.is_empty() {
                    return None;
                }
                (low, high) = (low.checked_add(factor)?, high.checked_add(factor)?);
                continue;
            };
            let value = affine.atom(*atom).1;
            if value == limit.number && factor == 1 {
                own = true;
                continue;
            }
            let (first, last) = constant_counter(ctx, value)?;
            let ends = [first.checked_mul(factor)?, last.checked_mul(factor)?];
            low = low.checked_add(ends[0].min(ends[1]))?;
            high = high.checked_add(ends[0].max(ends[1]))?;
        }
        // A dividend below zero would give a remainder below zero, but for a divisor of 1.
        let natural = low.checked_add(times.checked_mul(least.max(2))?)? >= 0;
        let steps = |distance: i64| distance.max(0).checked_add(least - 1).map(|d| d / least);
        let (below, above) = (steps(low.checked_neg()?)?, steps(high.checked_add(over)?)?);
        (own && natural
            && below <= MOST_TURNS
            && above <= MOST_TURNS
            && below + above <= MOST_TURNS)
            .then_some(Turns {
                holds_divisor,
                below,
                above,
            })
    })
}

/// The first and the last value of the counter of a loop with constant bounds.
fn constant_counter(ctx: &Context, value: Value) -> Option<(i64, i64)> {
    let around = value.defining_block()?.deref(ctx).get_parent_op(ctx)?;
    let lp = Operation::get_op::<For>(around, ctx)?;
    let known = |value: Value| i64::try_from(constant(ctx, value)?).ok();
    let (lower, upper) = (
        known(lp.get_operand_lower(ctx))?,
        known(lp.get_operand_upper(ctx))?,
    );
    let rises = known(lp.get_operand_step(ctx))? > 0;
    (rises && lower < upper).then_some((lower, upper - 1))
}

fn replace(ctx: &mut Context, bin: Bin, turns: Turns) {
    let [dividend, divisor] = [bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx)];
    let other = without(ctx, dividend, divisor);
    let width = int_width(ctx, divisor.get_type(ctx)).unwrap_or(64);
    let mut e = Emitter::before(ctx, bin.get_operation());
    let mut rest = match (turns.holds_divisor, other) {
        (true, Some(other)) => other,
        (true, None) => e.bin(BinKind::Sub, dividend, divisor),
        (false, _) => dividend,
    };
    for _ in 0..turns.below {
        let zero = e.int(width, 0);
        let negative = e.cmp(CmpKind::LtS, rest, zero);
        let more = e.bin(BinKind::Add, rest, divisor);
        rest = e.select(negative, more, rest);
    }
    for _ in 0..turns.above {
        let over = e.cmp(CmpKind::LeS, divisor, rest);
        let less = e.bin(BinKind::Sub, rest, divisor);
        rest = e.select(over, less, rest);
    }
    bin.get_result(ctx).replace_all_uses_with(ctx, &rest);
    Operation::erase(bin.get_operation(), ctx);
}

/// What `part` has been added to.
fn without(ctx: &Context, sum: Value, part: Value) -> Option<Value> {
    let bin = Operation::get_op::<Bin>(sum.defining_op()?, ctx)?;
    match bin.kind(ctx) {
        BinKind::Add | BinKind::AddS => {}
        _ => return None,
    }
    match (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx)) {
        (other, added) if added == part => Some(other),
        (added, other) if added == part => Some(other),
        _ => None,
    }
}
