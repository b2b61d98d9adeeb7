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
//! Inner loops come first, so that a nest is unrolled as a whole if it is small enough: to [`profit::MOST`] operations ([`profit::MOST_DECIDED`]), or to
//! [`profit::MOST_WITH_ARRAYS`] where the counter is an index into an array of the thread that has room in registers. A single loop of straight code without such an
//! array is left to the pass `unroll`, which puts loads ahead, unless it is in another loop and only reads, or the counter decides about branches or divides. What the counter is part of is folded afterwards, and does not count ([`left_over`]).
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

mod by_hand;
mod kept_elements;
mod left_over;
pub(super) mod profit;
mod tested;

use accrue_dialects::{
    core::{
        Alloca, For, Loop, Opaque, Yield, emit::Emitter, fold::fold, int_width, layout::records,
    },
    flow::{Flow, loop_around},
    par::ParOp,
};
use accrue_ir::walk::{nested, nested_ops, ops_of_block};
use pliron::{
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::ModuleOp},
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
};
use profit::{Facts, known_iterations, pays, pays_tested, tables};
use std::collections::HashSet;

use crate::{
    State,
    analysis::straight::PureFunctions,
    gpu::{forward::forward, known_branches::replace_known},
    transform::inline::device_functions,
};

const NAME: &str = "full-unroll";

/// Operations that all of a function may become, where loops have got constant bounds by unrolling others.
const MOST_IN_FUNCTION: usize = 8192;
/// How deep a nest may be whose bounds depend on the loops around.
const MOST_ROUNDS: u32 = 4;

/// Unrolls in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.unrolls {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    let records = records(ctx, module);
    for func in device_functions(ctx, module) {
        let function = func.get_operation();
        let facts = Facts {
            pure: &pure,
            records: &records,
            tables: tables(ctx, func),
        };
        simplify(ctx, function);
        for round in 0..MOST_ROUNDS {
            if !unroll_in(ctx, function, round == 0, &facts, state) {
                break;
            }
            simplify(ctx, function);
        }
    }
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
    facts: &Facts,
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
        let Some(iterations) =
            known_iterations(ctx, lp).filter(|i| pays(ctx, lp, i, &sharing, facts))
        else {
            continue;
        };
        let count = iterations.len();
        let whole = nested_ops(ctx, lp.get_operation()).len();
        let more = whole.saturating_sub(left_over::gone(ctx, lp)) * count;
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
        let Some(tested) = tested::tested(ctx, lp).filter(|it| pays_tested(ctx, lp, it, facts))
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
