//! Pass `check-clauses`: restrictions on the variables and sizes of a directive's clauses that need types and values
//! (OpenACC 3.4, sections 2.5.10 to 2.5.13, 2.7 and 2.7.1).
//!
//! - Clauses that exclude each other do not name the same variable ([`crate::exclusive_clauses`]).
//! - A section with constant bounds lies inside the array, its length is not negative, and its stride is not 0.
//! - A constant number of gangs, workers or lanes is positive. (The runtime looks at those that are not constant.)
//! - A section is contiguous, but for `update`: only the outermost dimension that has more than one element may be cut,
//!   and no elements are left out.
//!
//! A clause of a loop that changes nothing here is remarked: the specification allows to leave `gang(static:)` to the
//! compiler, and a size that the region computes comes too late ([`crate::loop_sizes`]).
//!
//! So are hints that became no operation ([`accrue_dialects::acc::hints`]).
//!
//! The pass changes nothing.

use accrue_dialects::{
    acc::{
        Bounds, ClauseOp, ComputeOp, DataClause, DataOp, Group, HINTS, Hint, HintKind, Kernels,
        Loop, Parallel, RegionOp,
    },
    core::{ShapeDim, fold::constant_expression},
};
use accrue_ir::walk::{self, enclosing};
use pliron::{
    builtin::ops::ModuleOp,
    context::Context,
    op::{Op, op_cast},
    operation::Operation,
};
use std::collections::HashSet;

use crate::{device_types::argument, exclusive_clauses, loop_sizes};
use accrue_opt::{
    State,
    analysis::variables::{Root, is_open_array, root_of},
};

const NAME: &str = "check-clauses";

/// Checks all clauses of the module.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let mut sections = HashSet::new();
    for op in walk::nested_ops(ctx, module.get_operation()) {
        let object = Operation::get_op_dyn(op, ctx);
        let of_construct = op_cast::<dyn ComputeOp>(&*object).is_some();
        for hint in HINTS.get(ctx, op).unwrap_or_default().0 {
            if let Some(message) = without_effect(hint, of_construct, state) {
                state.remark(ctx, op, NAME, message);
            }
        }
        if let Some(data) = op_cast::<dyn DataOp>(&*object) {
            // What stands for a clause at the end of its construct has the bounds of what stands for it at the start.
            let bounds: Vec<_> = data.bounds(ctx).iter().map(Op::get_operation).collect();
            if sections.insert(bounds) {
                check_section(ctx, data, state);
            }
        } else if let Some(construct) = op_cast::<dyn ClauseOp>(&*object) {
            exclusive_clauses::check(ctx, construct, state);
            check_sizes(ctx, construct, state);
            check_sizes_on_loop(ctx, construct, state);
            remark_without_effect(ctx, construct, state);
        }
    }
}

/// Why nothing is made of a hint. What groups with memory of their own make of `cache` says the pass `staging`.
fn without_effect(hint: Hint, of_construct: bool, state: &State) -> Option<String> {
    match hint.kind {
        HintKind::Cache if of_construct => Some(format!(
            "`cache` (line {}) has no effect: it stands in front of a loop, not in its body",
            hint.line
        )),
        HintKind::Cache if state.target.gangs.handed_out => None,
        HintKind::Cache => Some(format!(
            "`cache` (line {}) has no effect: the core's own caches have the data",
            hint.line
        )),
        HintKind::Nohost => Some(
            "`nohost` has no effect: the host's version is the function as it is written"
                .to_string(),
        ),
    }
}

fn remark_without_effect(ctx: &Context, op: &dyn ClauseOp, state: &mut State) {
    let Some(lp) = Operation::get_op::<Loop>(op.get_operation(), ctx) else {
        return;
    };
    if !op.clause(ctx, Group::GangStatic).is_empty() {
        let message = "`gang(static:)` has no effect: the device's own rule says which gang runs an iteration";
        state.remark(ctx, op.get_operation(), NAME, message.to_string());
    }
    for (group, clause, _) in &SIZE_GROUPS[3..] {
        if op.clause(ctx, *group).is_empty() {
            continue;
        }
        let message = match loop_sizes::comes_late(ctx, &lp, *group) {
            true => format!(
                "the number in `{clause}` has no effect: it is computed in the region, and the launch comes before"
            ),
            false => format!(
                "the loop's kernel is launched with the number in `{clause}`, evaluated where the construct stands"
            ),
        };
        state.remark(ctx, op.get_operation(), NAME, message);
    }
}

/// The groups of operands that are sizes: how users write them, and their sections, on compute constructs and on loops.
const SIZE_GROUPS: [(Group, &str, &str); 6] = [
    (Group::NumGangs, "num_gangs", "2.5.10"),
    (Group::NumWorkers, "num_workers", "2.5.11"),
    (Group::VectorLength, "vector_length", "2.5.12"),
    (Group::GangNum, "gang", "2.9.2"),
    (Group::WorkerNum, "worker", "2.9.3"),
    (Group::VectorLength, "vector", "2.9.4"),
];

fn check_sizes(ctx: &Context, construct: &dyn ClauseOp, state: &mut State) {
    let op = construct.get_operation();
    let is_loop = Operation::get_op::<Loop>(op, ctx).is_some();
    let (of_constructs, of_loops) = SIZE_GROUPS.split_at(3);
    let groups = if is_loop { of_loops } else { of_constructs };
    for (group, clause, section) in groups {
        for value in construct.clause(ctx, *group) {
            let Some(size) = constant_expression(ctx, value).filter(|size| *size < 1) else {
                continue;
            };
            let place = value.defining_op().unwrap_or(op);
            let message = format!("`{clause}` is {size}, and must be positive");
            state.error(
                ctx,
                place,
                message,
                section,
                "leave the clause out, or say how many",
            );
        }
    }
}

/// Only in `kernels` a loop says how many gangs, workers or lanes there are, and only where the construct does not. What a combined
/// construct says may be the number of its loop.
fn check_sizes_on_loop(ctx: &Context, directive: &dyn ClauseOp, state: &mut State) {
    let op = directive.get_operation();
    if !Operation::is_op::<Loop>(op, ctx) {
        return;
    }
    let (of_constructs, of_loops) = SIZE_GROUPS.split_at(3);
    if let Some(kernels) = enclosing::<Kernels>(ctx, op) {
        if kernels.is_combined(ctx) {
            return;
        }
        for ((own, clause, section), (group, size, _)) in of_loops.iter().zip(of_constructs) {
            let says = |of: &dyn ClauseOp, group| argument(ctx, of, group, state.target);
            if let Some(value) = says(directive, *own)
                && says(&kernels, *group).is_some()
            {
                let place = value.defining_op().unwrap_or(op);
                let message = format!("`{clause}` takes no size beside `{size}` of the construct");
                let help = format!("write `{clause}` without it, or leave `{size}` out");
                state.error(ctx, place, message, section, &help);
            }
        }
        return;
    }
    let parallel = enclosing::<Parallel>(ctx, op);
    for ((group, clause, section), (own, size, _)) in of_loops.iter().zip(of_constructs) {
        for value in directive.clause(ctx, *group) {
            let place = value.defining_op().unwrap_or(op);
            let message =
                format!("`{clause}` takes no size here: only loops in `kernels` have one");
            let Some(parallel) = &parallel else {
                let help = format!("write `{clause}` without it");
                state.error(ctx, place, message, section, &help);
                continue;
            };
            let late = Operation::get_op::<Loop>(op, ctx)
                .is_some_and(|lp| loop_sizes::comes_late(ctx, &lp, *group));
            let help = match late || !parallel.clause(ctx, *own).is_empty() {
                true => {
                    format!("it has no effect; a `{size}` clause of the construct has one")
                }
                false => format!(
                    "it is taken for that of a `{size}` clause of the construct, which is where it belongs"
                ),
            };
            state.misplaced(ctx, place, message, section, &help);
        }
    }
}

fn is_global(ctx: &Context, data: &dyn DataOp) -> bool {
    let root = data.var(ctx).and_then(|var| root_of(ctx, var));
    matches!(root, Some(Root::Global(_)))
}

fn check_section(ctx: &Context, data: &dyn DataOp, state: &mut State) {
    let info = data.info(ctx);
    let op = data.get_operation();
    let mut cut = false;
    for (index, bounds) in data.bounds(ctx).into_iter().enumerate() {
        let lower = constant(ctx, &bounds, Group::LowerBound).unwrap_or(0);
        let length = constant(ctx, &bounds, Group::Extent);
        if length.is_some_and(|length| length < 0) {
            let message = format!("the section `{}` has a negative length", info.name);
            state.error(ctx, op, message, "2.7.1", "write `[first:length]`");
            return;
        }
        let stride = stride(ctx, &bounds);
        if stride == Some(0) {
            let message = format!("the section `{}` has the stride 0", info.name);
            state.error(ctx, op, message, "2.7.1", "write a stride, or none");
            return;
        }
        if stride != Some(1) && length != Some(1) && !is_update(info.clause) {
            let message = format!("the section `{}` leaves elements out", info.name);
            let help =
                "only `update` takes such sections: name all elements from the first to the last";
            state.error(ctx, op, message, "2.7.1", help);
            return;
        }
        if index == 0 && is_open_array(&info.shape) && is_global(ctx, data) {
            if bounds.clause(ctx, Group::Extent).is_empty() {
                let message = format!(
                    "the length of the section `{}` is missing, and that of the array is not known here",
                    info.name
                );
                state.error(ctx, op, message, "2.7.1", "write `[first:length]`");
                return;
            }
            cut = length != Some(1);
            continue;
        }
        let extent = match info.shape.dims.get(index) {
            // A flexible array member: how long it is only the program knows.
            Some(ShapeDim::Fixed(0)) if index == 0 => {
                if makes_present(info.clause) {
                    let message = format!(
                        "the section `{}` is of a flexible array member, whose elements are not on the device where its struct is",
                        info.name
                    );
                    let help = "bring the struct and its elements as bytes: `char *b = (char *)s;` and \
                                `b[0:sizeof *s + n * sizeof s->x[0]]`";
                    state.error(ctx, op, message, "2.7.1", help);
                    return;
                }
                cut = length != Some(1);
                continue;
            }
            Some(ShapeDim::Fixed(extent)) => i128::from(*extent),
            Some(ShapeDim::Pointer | ShapeDim::Variable) | None => {
                cut = length != Some(1);
                continue;
            }
        };
        let known_lower = bounds.clause(ctx, Group::LowerBound).is_empty()
            || constant(ctx, &bounds, Group::LowerBound).is_some();
        // The first and the last place in memory, which are not those of the first and the last element if they come backwards.
        let reach = length
            .zip(stride)
            .map(|(length, stride)| (length - 1).max(0) * stride);
        let end = reach
            .zip(length)
            .map(|(reach, length)| lower + reach.max(0) + length.min(1));
        let lower = lower + reach.unwrap_or(0).min(0);
        // Without a known length: what is left of the array may be nothing, but not less.
        if known_lower && (lower < 0 || end.unwrap_or(lower) > extent) {
            let message = format!(
                "the section `{}` leaves the array, which has {extent} elements here",
                info.name
            );
            state.error(
                ctx,
                op,
                message,
                "2.7.1",
                "write `[first:length]`, not `[first:last]`",
            );
            return;
        }
        let part = known_lower && (lower > 0 || end.is_some_and(|end| end < extent));
        if cut && part && !is_update(info.clause) {
            let message = format!("the section `{}` is not contiguous in memory", info.name);
            state.error(
                ctx,
                op,
                message,
                "2.7.1",
                "take whole rows: only the first dimension may be cut",
            );
            return;
        }
        cut |= length != Some(1);
    }
}

/// From an element to the next; `None` if that is not known.
pub fn stride(ctx: &Context, bounds: &Bounds) -> Option<i128> {
    match bounds.clause(ctx, Group::Stride).is_empty() {
        true => Some(1),
        false => constant(ctx, bounds, Group::Stride),
    }
}

/// The value of an operand of `bounds` that is a constant.
pub fn constant(ctx: &Context, bounds: &Bounds, group: Group) -> Option<i128> {
    constant_expression(ctx, *bounds.clause(ctx, group).first()?)
}

/// Whether the clause may bring what it names to the device by itself.
fn makes_present(clause: DataClause) -> bool {
    match clause {
        DataClause::Copy
        | DataClause::Copyin
        | DataClause::Copyout
        | DataClause::Create
        | DataClause::DeviceResident
        | DataClause::Link
        | DataClause::Private
        | DataClause::Firstprivate
        | DataClause::Reduction => true,
        DataClause::NoCreate
        | DataClause::Present
        | DataClause::Deviceptr
        | DataClause::Attach
        | DataClause::Detach
        | DataClause::Delete
        | DataClause::UseDevice
        | DataClause::UpdateSelf
        | DataClause::UpdateDevice
        | DataClause::Pointer => false,
    }
}

fn is_update(clause: DataClause) -> bool {
    matches!(clause, DataClause::UpdateSelf | DataClause::UpdateDevice)
}
