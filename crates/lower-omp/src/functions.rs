//! Functions with constructs for the threads of a team, or with questions for their numbers: they become part of the regions that call them.
//!
//! ```text
//! void fill(double *a, int n) {                    omp.target { omp.parallel {
//!     #pragma omp for                                %a1 = core.alloca   core.store %a, %a1 …
//!     for (…) a[i] = omp_get_thread_num();     →     omp.loop_nest … [for] { … omp.query ThreadNum … } } }
//! }
//! #pragma omp target parallel
//! fill(a, n);
//! ```
//! Which threads share a loop out is only known where the function is called (OpenMP 5.2, section 1.3, "orphaned" constructs). A function
//! that calls such a function is one itself. Functions that call themselves, and those with such a construct in or behind a loop
//! that returns, cannot become part of another and are errors. A function that is only shared out among lanes stays one.
//!
//! What is left of such functions no region calls; one thread would run them. Where regions of other files call a file's functions, such
//! functions are errors.
//!
//! Cost: linear in the size of the regions that come out.

use crate::critical;
use crate::regions::{dissolve, loop_of};
use crate::scans;
use crate::structure::report;
use crate::teams::{forget, replace};
use crate::threads::alone;
use crate::variables::{own, own_in_iterations};
use accrue_dialects::{
    acc::{self, DeviceType, DeviceTypes, Group, LoopClauses},
    core::{Call, emit::Emitter},
    omp::{
        Asked, Barrier, Critical, FOR_OTHERS, LoopNest, Parallel, Query, Share, Target,
        TeamVariable, Teams,
    },
};
use accrue_ir::walk;
use accrue_opt::State;
use accrue_opt::transform::inline::{fits, has_one_exit, inline as inline_call};
use accrue_opt::transform::single_exit::make_single_exit_of_branches;
use pliron::{
    builtin::{
        op_interfaces::{SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};
use std::collections::{HashMap, HashSet};

/// Makes the functions part of the regions.
pub fn inline(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let functions = of_teams(ctx, module);
    if functions.is_empty() {
        return;
    }
    for target in walk::nested::<Target>(ctx, module.get_operation()) {
        loop {
            let calls = calls_of(ctx, target.get_operation(), &functions);
            if calls.is_empty() {
                break;
            }
            for (_, callee) in &calls {
                make_single_exit_of_branches(ctx, *callee, &|ctx, op| {
                    is_for_threads(ctx, op)
                        || Operation::get_op::<Call>(op, ctx)
                            .is_some_and(|call| functions.contains_key(&call.callee(ctx)))
                });
            }
            let reason = calls.iter().find_map(|(call, callee)| {
                let reason = match calls_itself(ctx, *callee, &functions) {
                    true => Some("calls itself"),
                    false => obstacle(ctx, *call, *callee),
                };
                Some((*call, *callee, reason?))
            });
            if let Some((call, callee, reason)) = reason {
                let at = construct_in(ctx, callee);
                let message = format!(
                    "this is for the threads of the region that calls the function, and the function {reason}"
                );
                let help = "put the directive and its statement into the region";
                report(
                    ctx,
                    state,
                    at.unwrap_or(call.get_operation()),
                    &message,
                    "13.8",
                    help,
                );
                break;
            }
            for (call, callee) in calls {
                inline_call(ctx, call, callee);
            }
        }
    }
}

/// Lets one thread run what is left in functions.
pub fn run_alone(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let for_others = FOR_OTHERS.get(ctx, module.get_operation()).is_some();
    for func in walk::directly_in::<FuncOp>(ctx, module.get_operation()) {
        let op = func.get_operation();
        if let Some(construct) = construct_in(ctx, func).filter(|_| for_others) {
            let message = "this is for the threads of the region that calls the function, and that is in another file";
            let help = "define the function in a header, as `static inline`";
            report(ctx, state, construct, message, "13.8", help);
            continue;
        }
        // Regions that are wrong stay as they are.
        if !walk::nested::<Target>(ctx, op).is_empty() {
            continue;
        }
        for query in walk::nested::<Query>(ctx, op) {
            let number = match query.asked(ctx) {
                Asked::TeamNum | Asked::ThreadNum | Asked::InParallel | Asked::Level => 0,
                Asked::NumTeams | Asked::NumThreads | Asked::MaxThreads | Asked::ThreadLimit => 1,
            };
            let value = Emitter::before(ctx, query.get_operation()).i32(number);
            replace(ctx, query, value);
        }
        alone(ctx, op);
        critical::alone(ctx, op);
        scans::forget(ctx, op);
        for nest in walk::nested::<LoopNest>(ctx, op).into_iter().rev() {
            own_in_iterations(ctx, nest, state);
            for reduction in acc::take(&nest, ctx, Group::Reduction) {
                forget(ctx, reduction);
            }
            let clauses = LoopClauses {
                seq: DeviceTypes(vec![DeviceType::None]),
                ..LoopClauses::default()
            };
            loop_of(ctx, nest, clauses);
        }
        for parallel in walk::nested::<Parallel>(ctx, op).into_iter().rev() {
            own(ctx, parallel, state);
            for group in [Group::Reduction, Group::NumThreads] {
                for value in acc::take(&parallel, ctx, group) {
                    if group == Group::Reduction {
                        forget(ctx, value);
                    }
                }
            }
            dissolve(ctx, parallel.get_operation(), parallel.get_body(ctx, 0));
        }
    }
}

/// The functions by name.
fn of_teams(ctx: &Context, module: ModuleOp) -> HashMap<String, FuncOp> {
    let all = walk::directly_in::<FuncOp>(ctx, module.get_operation());
    // Those with regions of their own are the host's.
    let on_device = all
        .into_iter()
        .filter(|func| walk::nested::<Target>(ctx, func.get_operation()).is_empty());
    let mut left: Vec<(String, FuncOp)> = on_device
        .map(|func| (func.get_symbol_name(ctx).to_string(), func))
        .collect();
    let mut found: HashMap<String, FuncOp> = HashMap::new();
    loop {
        let before = found.len();
        let is_one = |func: &FuncOp| {
            construct_in(ctx, *func).is_some()
                || !calls_of(ctx, func.get_operation(), &found).is_empty()
        };
        let (new, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(|(_, func)| is_one(func));
        found.extend(new);
        left = rest;
        if found.len() == before {
            return found;
        }
    }
}

/// What makes a function one for a team.
fn construct_in(ctx: &Context, func: FuncOp) -> Option<Ptr<Operation>> {
    walk::nested_ops(ctx, func.get_operation())
        .into_iter()
        .find(|op| Operation::is_op::<Query>(*op, ctx) || is_for_threads(ctx, *op))
}

/// Whether an operation is one that threads of a team do together, or share.
fn is_for_threads(ctx: &Context, op: Ptr<Operation>) -> bool {
    let nest = Operation::get_op::<LoopNest>(op, ctx);
    let shared = nest.is_some_and(|nest| {
        let shares = nest.shares(ctx).0;
        !shares
            .iter()
            .all(|share| matches!(share, Share::Simd | Share::Alone))
    });
    shared
        || Operation::is_op::<Barrier>(op, ctx)
        || Operation::is_op::<Critical>(op, ctx)
        || Operation::is_op::<TeamVariable>(op, ctx)
        || Operation::is_op::<Parallel>(op, ctx)
        || Operation::is_op::<Teams>(op, ctx)
}

fn calls_of(
    ctx: &Context,
    op: Ptr<Operation>,
    functions: &HashMap<String, FuncOp>,
) -> Vec<(Call, FuncOp)> {
    let calls = walk::nested::<Call>(ctx, op).into_iter();
    calls
        .filter_map(|call| Some((call, *functions.get(&call.callee(ctx))?)))
        .collect()
}

/// Whether a function calls itself, directly or through others of these.
fn calls_itself(ctx: &Context, func: FuncOp, functions: &HashMap<String, FuncOp>) -> bool {
    let (mut seen, mut left) = (HashSet::new(), vec![func]);
    while let Some(next) = left.pop() {
        for (_, callee) in calls_of(ctx, next.get_operation(), functions) {
            if callee.get_operation() == func.get_operation() {
                return true;
            }
            if seen.insert(callee.get_operation()) {
                left.push(callee);
            }
        }
    }
    false
}

/// Why a call cannot be replaced by the function.
fn obstacle(ctx: &Context, call: Call, callee: FuncOp) -> Option<&'static str> {
    if !has_one_exit(ctx, callee) {
        Some("returns in the middle of a loop")
    } else if !fits(ctx, call, callee) {
        Some("has other parameters than the call passes")
    } else {
        None
    }
}
