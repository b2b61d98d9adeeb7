//! Pass `phases`: splits `kernels` constructs into phases that run one after another (OpenACC 3.4, section 2.5.3).
//!
//! Gangs cannot wait for each other inside a kernel, so that a loop spread over gangs needs a kernel of its own, and what
//! stands between such loops becomes kernels with one gang:
//!
//! ```text
//! acc.kernels {                          phase 0: one gang
//!   s = 0;                        →      phase 1: all gangs
//!   acc.loop … gang …                    phase 2: all gangs
//!   acc.loop … gang …
//! }
//! ```
//!
//! Steps: every gang loop directly in the region is a group, the operations between two of them another; values that
//! cross groups are computed again where they are used. If that cannot be done, or a local variable is shared by groups, it is in
//! memory that all kernels of a launch share ([`crate::own_memory`]). A gang loop under control flow has no gangs, but for loops in order
//! that the launch repeats ([`crate::rounds`]): what memory holds in front of these is not what it holds in a later round.
//! An array of a length that is not constant has no such memory: where parts share one, the whole construct is one phase with one
//! gang, and a remark says why.

mod localize;
use self::localize::Splitting;
use accrue_dialects::core::dead_code::erase_dead_in;
use accrue_dialects::{
    acc::{self, Kernels, Loop, Reduction},
    core::Alloca,
    par::Levels,
};
use accrue_ir::walk;
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};
use std::collections::{HashMap, HashSet};

use crate::{
    attributes::{APART, PHASE, Phase, ROUNDS, TEST},
    rounds::KnownAtLaunch,
};
use accrue_opt::{State, Subject, diagnostic::is_copy};

const NAME: &str = "phases";

/// Splits all `kernels` constructs.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    for kernels in walk::nested::<Kernels>(ctx, module.get_operation()) {
        drop_inner_gangs(ctx, kernels, state);
        split(ctx, kernels, state);
        if !state.target.tells_apart {
            put_in_order(ctx, kernels, state);
        }
    }
}

/// Puts loops in order that are independent only where memory does not overlap, for a device that is not told. They are parts of the
/// construct as elsewhere.
fn put_in_order(ctx: &mut Context, kernels: Kernels, state: &mut State) {
    for lp in walk::nested::<Loop>(ctx, kernels.get_operation()) {
        if !APART.is_on(ctx, lp.get_operation()) {
            continue;
        }
        let levels = Levels::default();
        let subject = Subject::Levels {
            levels: levels.list(),
            by_user: false,
        };
        lp.set_levels(ctx, levels);
        let message = "loop is sequential: it is not known to be independent".to_string();
        state.remark_on(ctx, lp.get_operation(), subject, NAME, message);
    }
}

/// Whether `op` is a loop spread over gangs.
fn is_gang_loop(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::get_op::<Loop>(op, ctx)
        .and_then(|l| l.levels(ctx))
        .is_some_and(|l| l.gang)
}

/// Takes the gang level from loops that are not directly in the region.
fn drop_inner_gangs(ctx: &mut Context, kernels: Kernels, state: &mut State) {
    for op in walk::ops_of_region(ctx, kernels.get_region(ctx)) {
        for lp in walk::nested::<Loop>(ctx, op) {
            drop_gang(
                ctx,
                lp,
                "it is inside a sequential loop or a branch of a kernels construct",
                state,
            );
        }
    }
}

fn drop_gang(ctx: &mut Context, lp: Loop, why: &str, state: &mut State) {
    let Some(mut levels) = lp.levels(ctx).filter(|l| l.gang) else {
        return;
    };
    levels.gang = false;
    lp.set_levels(ctx, levels);
    state.remark_on(
        ctx,
        lp.get_operation(),
        Subject::Levels {
            levels: levels.list(),
            by_user: false,
        },
        NAME,
        format!("loop is not spread over gangs: {why}"),
    );
}

fn split(ctx: &mut Context, kernels: Kernels, state: &mut State) {
    let region = kernels.get_region(ctx);
    if !walk::ops_of_region(ctx, region)
        .into_iter()
        .any(|op| is_gang_loop(ctx, op))
    {
        return;
    }
    erase_dead_in(ctx, region);
    let groups = match group(ctx, kernels) {
        Ok(groups) => groups,
        Err(why) => {
            for op in walk::ops_of_region(ctx, region) {
                if let Some(lp) = Operation::get_op::<Loop>(op, ctx) {
                    drop_gang(ctx, lp, &why, state);
                }
            }
            return;
        }
    };
    // Numbers without gaps, in the order of the groups that have operations left.
    erase_dead_in(ctx, region);
    let left: Vec<_> = walk::ops_of_region(ctx, region)
        .into_iter()
        .filter(|op| groups.contains_key(op))
        .collect();
    let mut numbers: Vec<u32> = left.iter().map(|op| groups[op]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    // Of the versions of a nest only one has anything to do.
    let versions = left
        .iter()
        .filter(|op| is_copy(ctx, **op) && is_gang_loop(ctx, **op));
    if numbers.len() > 1 + versions.count() {
        let message = format!(
            "runs as {} kernels, one after another: gangs cannot wait for each other inside a kernel",
            numbers.len()
        );
        state.remark(ctx, kernels.get_operation(), NAME, message);
    }
    for op in left {
        let number = numbers.binary_search(&groups[&op]).unwrap_or(0);
        let rounds = ROUNDS.get(ctx, op).map_or(0, |id| id.0 + 1);
        ROUNDS.remove(ctx, op);
        let number = number as u32;
        PHASE.set(ctx, op, Phase { number, rounds });
    }
}

/// The group of each operation directly in the region; an error says why there are none.
fn group(ctx: &mut Context, kernels: Kernels) -> Result<HashMap<Ptr<Operation>, u32>, String> {
    let region = kernels.get_region(ctx);
    let ops = walk::ops_of_region(ctx, region);
    let tests = tests_of_gang_loops(ctx, &ops);
    let known = KnownAtLaunch::of(ctx, kernels);
    let mut groups = HashMap::new();
    let (mut current, mut rounds) = (0, None);
    for op in &ops {
        if Operation::get_op::<acc::Yield>(*op, ctx).is_some() {
            continue;
        }
        if ROUNDS.get(ctx, *op) != rounds {
            rounds = ROUNDS.get(ctx, *op);
            current += 1;
        }
        let gang_loop = is_gang_loop(ctx, *op);
        if tests.contains(op) {
            TEST.remove(ctx, *op);
            groups.insert(*op, current + 1);
            continue;
        }
        current += u32::from(gang_loop);
        groups.insert(*op, current);
        current += u32::from(gang_loop);
    }
    // Locals and reduction clauses go where they are used.
    for op in &ops {
        let movable = Operation::get_op::<Alloca>(*op, ctx).is_some()
            || Operation::get_op::<Reduction>(*op, ctx).is_some();
        if movable && let Some(only) = only_group(ctx, *op, &groups) {
            groups.insert(*op, only);
        }
    }
    let mut splitting = Splitting {
        kernels,
        known,
        groups,
    };
    for op in &ops {
        if let Some(group) = splitting.groups.get(op).copied() {
            splitting.localize(ctx, *op, group)?;
        }
    }
    Ok(splitting.groups)
}

/// The operations that are part of what a loop over gangs tests, which stands behind them.
fn tests_of_gang_loops(ctx: &Context, ops: &[Ptr<Operation>]) -> HashSet<Ptr<Operation>> {
    let mut found = HashSet::new();
    let mut of_gang_loop = false;
    for op in ops.iter().rev() {
        match TEST.is_on(ctx, *op) {
            true if of_gang_loop => {
                found.insert(*op);
            }
            true => {}
            // It goes where it is used.
            false if Operation::is_op::<Reduction>(*op, ctx) => {}
            false => of_gang_loop = is_gang_loop(ctx, *op),
        }
    }
    found
}

/// The group of all users of `op`, if it is one, and no round finds there what an earlier one has left.
fn only_group(
    ctx: &Context,
    op: Ptr<Operation>,
    groups: &HashMap<Ptr<Operation>, u32>,
) -> Option<u32> {
    let uses: Vec<_> = op.deref(ctx).uses().collect();
    let users = uses
        .into_iter()
        .filter_map(|u| member_around(ctx, u.user_op(), groups));
    let users: Vec<_> = users.collect();
    let mut found: Vec<_> = users.iter().map(|user| groups[user]).collect();
    found.sort_unstable();
    found.dedup();
    let rounds = ROUNDS.get(ctx, op);
    let is_local = Operation::is_op::<Alloca>(op, ctx);
    let same_round = users.iter().all(|user| ROUNDS.get(ctx, *user) == rounds);
    match found.as_slice() {
        [only] if same_round || !is_local => Some(*only),
        _ => None,
    }
}

/// The operation of the region, with a group, that `op` is in.
fn member_around(
    ctx: &Context,
    op: Ptr<Operation>,
    groups: &HashMap<Ptr<Operation>, u32>,
) -> Option<Ptr<Operation>> {
    let mut at = Some(op);
    while let Some(o) = at {
        if groups.contains_key(&o) {
            return Some(o);
        }
        at = o.deref(ctx).get_parent_op(ctx);
    }
    None
}
