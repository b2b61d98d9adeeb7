//! Pass `usual-counts` (GPUs): a loop whose bounds are cut at the edges of something has a version for the whole.
//!
//! A window around a point ends at the borders of the image, and the last block of a sequence where the sequence does. Such bounds are
//! chosen at run time; but for nearly all points the loop has as many iterations as the window is wide, and straight code needs neither
//! counter nor test, and has all loads under way together.
//!
//! ```text
//! for (q = max(x - 4, 0); q < min(x + 5, n); q++)            if (min(x + 5, n) - max(x - 4, 0) == 9)
//!   s += a[q]                                        →         for (t = 0; t < 9; t++) s += a[max(x - 4, 0) + t]
//!                                                            else for (q = …) as before
//! ```
//!
//! 1. Each bound has alternatives: what selections, branches, minima and maxima choose from and what is stored in a variable, and constants
//!    added to that. Where one of the lower bound and one of the upper bound are a constant apart ([`Affine`]), that is a usual count.
//! 2. Innermost loops of straight code get the version, if there is a count of at most [`MOST_ITERATIONS`]. It need not be right: it is asked
//!    for when the loop starts.
//! 3. The passes `full-unroll` and `unroll` make it straight code. The other version is left as short as it is.
//!
//! Cost: linear in the size of the loops and their bounds, times [`MOST_ALTERNATIVES`].

use accrue_dialects::core::{
    Bin, BinKind, Cast, CmpKind, For, If, IntBin, Load, Select, Store, emit::Emitter,
    fold::constant, int_width,
};
use accrue_ir::walk::{nested, nested_ops};
use pliron::{
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::ModuleOp},
    context::Context,
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use super::interleave::body_of;
use crate::{
    State, Switch,
    analysis::{
        affine::{Affine, Sum},
        straight::{PureFunctions, is_straight},
        variables::is_local_scalar,
    },
    transform::inline::device_functions,
};

const NAME: &str = "usual-counts";

/// Iterations of the version.
const MOST_ITERATIONS: i64 = 16;
/// Operations that it may become.
const MOST_OPERATIONS: usize = 256;
/// Of a bound.
const MOST_ALTERNATIVES: usize = 8;
/// Choices behind each other, and stores of a variable, that are looked at.
const MOST_DEPTH: usize = 8;
const MOST_STORES: usize = 3;

/// Gives the loops of kernels, and of the functions they call, their versions.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.unrolls || state.off.is_off(Switch::Unroll) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in device_functions(ctx, module) {
        for lp in nested::<For>(ctx, func.get_operation()) {
            let Some(count) = usual_count(ctx, lp, &pure) else {
                continue;
            };
            let message =
                format!("has {count} iterations but for the edges: a version is for them");
            state.remark(ctx, lp.get_operation(), NAME, message);
            write(ctx, lp, count);
        }
    }
}

/// How many iterations the loop has where its bounds are not cut.
fn usual_count(ctx: &Context, lp: For, pure: &PureFunctions) -> Option<i64> {
    let inside = nested_ops(ctx, lp.get_operation());
    let (lower, upper) = (lp.get_operand_lower(ctx), lp.get_operand_upper(ctx));
    if constant(ctx, lp.get_operand_step(ctx)) != Some(1)
        || !inside.iter().all(|op| is_straight(ctx, *op, pure))
    {
        return None;
    }
    let mut affine = Affine::of_subscripts();
    let [lower, upper] = [lower, upper].map(|bound| {
        let mut all = Alternatives(vec![]);
        all.add(ctx, &mut affine, bound, (0, MOST_DEPTH));
        all.0
    });
    // One of each is no choice.
    if lower.len() + upper.len() <= 2 {
        return None;
    }
    let pairs = lower
        .iter()
        .flat_map(|low| upper.iter().map(move |high| (low, high)));
    let counts = pairs.filter_map(|(low, high)| high.minus(low).as_number());
    let most = MOST_OPERATIONS / pure.size(ctx, &inside).max(1);
    let most = i64::try_from(most).unwrap_or(MOST_ITERATIONS);
    let fits = |count: &i64| (2..=MOST_ITERATIONS.min(most)).contains(count);
    counts.filter(fits).max()
}

/// What a bound is one of.
struct Alternatives(Vec<Sum>);

impl Alternatives {
    fn add(
        &mut self,
        ctx: &Context,
        affine: &mut Affine,
        value: Value,
        (plus, depth): (i64, usize),
    ) {
        if self.0.len() >= MOST_ALTERNATIVES {
            return;
        }
        let (from, plus) = choices(ctx, value)
            .filter(|_| depth > 0)
            .map_or_else(|| (vec![], plus), |(from, by)| (from, plus + by));
        if from.is_empty() {
            let sum = affine.sum(ctx, value).plus(&Sum::number(plus), 1);
            self.0.push(sum);
        }
        for value in from {
            self.add(ctx, affine, value, (plus, depth - 1));
        }
    }
}

/// What a value is chosen from, and what is added to that; `None` if it is not chosen.
fn choices(ctx: &Context, value: Value) -> Option<(Vec<Value>, i64)> {
    let op = value.defining_op()?;
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        let from = cast.get_operand_value(ctx);
        let wide = int_width(ctx, from.get_type(ctx)).is_some_and(|width| width > 1);
        return wide.then(|| (vec![from], 0));
    }
    if let Some(select) = Operation::get_op::<Select>(op, ctx) {
        let both = [select.get_operand_yes(ctx), select.get_operand_no(ctx)];
        return Some((both.to_vec(), 0));
    }
    if let Some(branch) = Operation::get_op::<If>(op, ctx) {
        let index = value.find_index(ctx);
        let given = (0..2).filter_map(|side| branch.given(ctx, side, index));
        return Some((given.collect(), 0));
    }
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        let variable = load.get_operand_address(ctx);
        let users = variable.uses(ctx).into_iter().map(|u| u.user_op());
        let stores = users.filter_map(|op| Operation::get_op::<Store>(op, ctx));
        let stored: Vec<Value> = stores.map(|store| store.get_operand_value(ctx)).collect();
        let few = is_local_scalar(ctx, variable) && (1..=MOST_STORES).contains(&stored.len());
        return few.then_some((stored, 0));
    }
    let bin = Operation::get_op::<Bin>(op, ctx)?;
    let (left, right) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    let by = constant(ctx, right).and_then(|by| i64::try_from(by).ok());
    match (bin.kind(ctx).integer()?, by) {
        (IntBin::Add | IntBin::AddS, Some(by)) => Some((vec![left], by)),
        (IntBin::Sub | IntBin::SubS, Some(by)) => Some((vec![left], -by)),
        (IntBin::MinS | IntBin::MaxS | IntBin::MinU | IntBin::MaxU, _) => {
            Some((vec![left, right], 0))
        }
        _ => None,
    }
}

/// Puts a choice of both versions in the place of the loop.
fn write(ctx: &mut Context, lp: For, count: i64) {
    let (lower, upper) = (lp.get_operand_lower(ctx), lp.get_operand_upper(ctx));
    let info = lp.info(ctx);
    let counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    let body = body_of(ctx, lp);
    let mut e = Emitter::before(ctx, lp.get_operation());
    let width = int_width(e.ctx, lower.get_type(e.ctx)).unwrap_or(64);
    let whole = e.int(width, count.into());
    let distance = e.bin(BinKind::Sub, upper, lower);
    let is_whole = e.cmp(CmpKind::Eq, distance, whole);
    // The difference is modulo 2^width.
    let some = e.cmp(info.less(), lower, upper);
    let none = e.int(1, 0);
    let is_whole = e.select(some, is_whole, none);
    let (choice, yes, no) = If::new(e.ctx, is_whole, vec![]);
    e.push(choice);
    e.at_end(yes);
    let [first, step] = [0, 1].map(|number| e.int(width, number));
    let (straight, block) = For::new(e.ctx, first, whole, step, info);
    e.push(straight);
    e.at_end(block);
    let at = block.deref(e.ctx).get_argument(0);
    let here = e.bin(BinKind::AddS, lower, at);
    let mut mapping = IrMapping::new();
    mapping.map_value(counter, here);
    for op in &body {
        e.copy(*op, &mut mapping);
    }
    e.finish(vec![]);
    e.at_end(yes);
    e.finish(vec![]);
    e.at_end(no);
    let rest = e.copy(lp.get_operation(), &mut IrMapping::new());
    if let Some(rest) = Operation::get_op::<For>(rest, e.ctx) {
        rest.set_short(e.ctx);
    }
    e.finish(vec![]);
    Operation::erase(lp.get_operation(), ctx);
}
