//! Pass `jammed-lanes` (GPUs): a lane does four iterations of its loop at a time where the loops in it load the same for all of them.
//!
//! The lanes of a gang share a loop, and in each of its iterations a loop goes along what all of them read: the taps of a filter, a row
//! of a matrix, the point whose neighbours are looked for. The cache serves that, but each load is an instruction in the queue of the
//! memory unit, and a sum waits for itself. Four iterations of a lane load it once, and have four sums.
//!
//! ```text
//! core.for k = lane to n step lanes {                     core.loop while k + 3 * lanes < n {
//!   s = 0                                                   s0 = 0;  s1 = 0;  s2 = 0;  s3 = 0
//!   core.for l = 0 to 64 {                          →       core.for l = 0 to 64 { t = load tap[l]
//!     s += (load tap[l]) * (load x[k + l]) }                  s0 += t * (load x[k + l]);  s1 += t * (load x[k + lanes + l]); … }
//!   store s, y[k];  sum += s                                store s0, y[k];  store s1, y[k + lanes]; …  sum += s0;  sum += s1; …
//! }                                                         k += 4 * lanes }
//!                                                         core.for k = k to n step lanes { as before }
//! ```
//!
//! 1. What of the body is the same for all iterations is found by following the counter, and the body is written once for all of them, as
//!    for the rows of a covering grid ([`super::rows`]).
//! 2. It is done in launches where a lane has eight iterations or more, if that saves loads enough ([`MOST_LOADS`]), and there is not more work for each load than hides it ([`MOST_WORK`]).
//! 3. What belongs to variables that live longer than an iteration, as the part that a lane has of a sum, follows behind, iteration by
//!    iteration; loops that such variables are in are left alone ([`super::interleave`]).
//!
//! The iterations are independent; sums are added up in the same order in each lane. Results are the same bits.
//!
//! Cost: linear in the size of the loops.

use accrue_dialects::{
    core::For,
    par::{DimSize, Level, kernels::VERSION},
};
use accrue_ir::walk::{directly_in, nested, nested_ops};
use pliron::{
    builtin::{
        op_interfaces::SingleBlockRegionInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashSet;

use super::{
    interleave::{
        body_of, carried_variables,
        groups::{Groups, side_by_side},
        is_vector_loop, late_operations,
    },
    rows::jam::{Jam, MANY, computes, is_array_load},
};
use crate::{
    State, Switch,
    analysis::{
        same::Same,
        straight::{PureFunctions, is_straight},
    },
};
use accrue_dialects::core::fold::{constant, fold};

const NAME: &str = "jammed-lanes";

/// Iterations of a lane at a time.
const WIDTH: usize = 4;
/// The loads that they may need at most, in percent of those of single ones.
const MOST_LOADS: u64 = 80;
/// Operations on floating-point numbers for each load, from which on an iteration computes longer than it loads.
const MOST_WORK: u64 = 4;
/// Operations of a body.
const MOST_OPERATIONS: usize = 128;
/// Operations that short loops in it may become.
const MOST_STRAIGHT: usize = 2048;
/// Places have 31 bits; and what is left over, up to three iterations one after the other, is little of what a lane has.
const GROUPS: Groups = Groups {
    last: i32::MAX as i64,
    fewest: 8,
};
/// Lanes that a loop has at least.
const WARP: i128 = 32;

/// Jams the loops of all kernels that gain.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if !state.target.gangs.handed_out || state.off.is_off(Switch::Rows) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in directly_in::<FuncOp>(ctx, module.get_operation()) {
        let version = VERSION.get(ctx, func.get_operation());
        let covers = version.is_some_and(|version| version.kind.is_grid());
        let mut changed = false;
        for lp in nested::<For>(ctx, func.get_operation()) {
            if covers || !is_of_lanes(ctx, lp) {
                continue;
            }
            let Some(plan) = plan(ctx, lp, &pure) else {
                continue;
            };
            let message = format!(
                "a lane does {WIDTH} iterations at a time, which need {} loads instead of {}",
                plan.together, plan.alone
            );
            state.remark(ctx, lp.get_operation(), NAME, message);
            write(ctx, lp, &plan, &pure);
            changed = true;
        }
        if changed {
            fold(ctx, func.get_operation());
        }
    }
}

/// Whether the lanes of a gang, and nobody else, share the loop, and loops are in it.
fn is_of_lanes(ctx: &Context, lp: For) -> bool {
    let step = lp.get_operand_step(ctx).defining_op();
    let size = step.and_then(|op| Operation::get_op::<DimSize>(op, ctx));
    size.is_some_and(|size| size.level(ctx) == Level::Vector)
        && is_vector_loop(ctx, lp)
        && !nested::<For>(ctx, lp.get_operation()).is_empty()
}

/// How a loop is jammed.
struct Plan {
    same: Same,
    /// Operations that follow iteration by iteration.
    late: HashSet<Ptr<Operation>>,
    /// Loads of all iterations, each for itself, and together.
    alone: u64,
    together: u64,
}

fn plan(ctx: &Context, lp: For, pure: &PureFunctions) -> Option<Plan> {
    let inside = nested_ops(ctx, lp.get_operation());
    let may_be =
        |op: &Ptr<Operation>| Operation::is_op::<For>(*op, ctx) || is_straight(ctx, *op, pure);
    let end = constant(ctx, lp.get_operand_upper(ctx));
    let few = end.is_some_and(|end| end < i128::from(GROUPS.fewest) * WARP);
    if few || inside.len() > MOST_OPERATIONS || !inside.iter().all(may_be) {
        return None;
    }
    let carried = carried_variables(ctx, lp)?;
    let late = late_operations(ctx, lp, &carried, pure);
    let has_loops = |op: &Ptr<Operation>| {
        Operation::is_op::<For>(*op, ctx) || !nested::<For>(ctx, *op).is_empty()
    };
    if late.iter().any(has_loops) {
        return None;
    }
    let mut varying = vec![lp.get_body(ctx, 0).deref(ctx).get_argument(0)];
    varying.extend(carried);
    let same = Same::of(ctx, &inside, (&varying, None), pure);
    let mut loads = Loads {
        same: &same,
        pure,
        once: 0,
        each: 0,
        work: 0,
    };
    loads.count(ctx, &body_of(ctx, lp), 1);
    let (alone, together) = (
        WIDTH as u64 * (loads.once + loads.each),
        loads.once + WIDTH as u64 * loads.each,
    );
    let gains =
        together * 100 <= alone * MOST_LOADS && loads.work <= (loads.once + loads.each) * MOST_WORK;
    gains.then_some(Plan {
        late,
        alone,
        together,
        same,
    })
}

/// Loads of an iteration; those in loops of unknown length count [`MANY`] times.
struct Loads<'a> {
    same: &'a Same,
    pure: &'a PureFunctions,
    /// That are the same for all iterations, if they are done together.
    once: u64,
    /// That each iteration has for itself.
    each: u64,
    /// Operations on floating-point numbers.
    work: u64,
}

impl Loads<'_> {
    fn count(&mut self, ctx: &Context, ops: &[Ptr<Operation>], times: u64) {
        for op in ops {
            let lp = Operation::get_op::<For>(*op, ctx);
            if let Some(lp) = lp.filter(|lp| self.same.has_same_bounds(ctx, *lp)) {
                let bounds = [lp.get_operand_lower(ctx), lp.get_operand_upper(ctx)];
                let known = match bounds.map(|bound| constant(ctx, bound)) {
                    [Some(lower), Some(upper)] => u64::try_from(upper - lower).ok(),
                    _ => None,
                };
                let times = times.saturating_mul(known.unwrap_or(MANY).min(MANY));
                self.count(ctx, &body_of(ctx, lp), times);
                continue;
            }
            // Iterations that have such a loop each for itself have it one after the other.
            let alone = Operation::is_op::<For>(*op, ctx) || !nested::<For>(ctx, *op).is_empty();
            let times = if alone {
                times.saturating_mul(MANY)
            } else {
                times
            };
            for op in nested_ops(ctx, *op).iter().chain([op]) {
                let computes = computes(ctx, *op, self.pure);
                self.work += times * u64::from(computes) * self.pure.size(ctx, &[*op]) as u64;
                if !is_array_load(ctx, *op) {
                    continue;
                }
                match self.same.is_once(ctx, *op, self.pure) {
                    true => self.once += times,
                    false => self.each += times,
                }
            }
        }
    }
}

fn write(ctx: &mut Context, lp: For, plan: &Plan, pure: &PureFunctions) {
    let ops = body_of(ctx, lp);
    let counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    side_by_side(ctx, lp, WIDTH, Some(GROUPS), |e, copies| {
        let numbers: Vec<Value> = copies
            .iter()
            .map(|mapping| mapping.lookup_value_or_default(counter))
            .collect();
        let early: Vec<Ptr<Operation>> = ops
            .iter()
            .copied()
            .filter(|op| !plan.late.contains(op))
            .collect();
        let mut jam = Jam::new(e.ctx, &plan.same, pure, &numbers, (1, None));
        jam.room = MOST_STRAIGHT;
        jam.block(e, &early, copies);
        for mapping in copies.iter_mut() {
            for op in ops.iter().filter(|op| plan.late.contains(op)) {
                e.copy(*op, mapping);
            }
        }
    });
}
