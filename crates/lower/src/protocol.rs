//! The rules of the reduction protocol, checked after the passes that could break them (seed: OpenACC reductions in GCC,
//! sections "Fork/Join" and "Early Builtins"):
//!
//! - every `par.fork` has one `par.join` of the same level and loop, later in the same block, and the reverse;
//! - the four builtins of one reduction (level, loop, reduction) exist once each: `par.red_fini` is never cloned;
//! - SETUP stands before INIT, INIT before FINI, FINI before TEARDOWN;
//! - every FINI stands between `par.lock` and `par.unlock` of its level and loop;
//! - with a fork: SETUP before it, INIT and FINI inside, TEARDOWN behind the join.

use accrue_dialects::par::{
    Fork, Join, Level, Lock, RedFini, RedInit, RedSetup, RedTeardown, ReductionOp, Unlock,
    kernel_of,
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    op::{Op, op_cast},
    operation::Operation,
};
use std::collections::BTreeMap;

/// What is wrong in the kernels of `module` after the pass `after`, if anything.
pub fn check(ctx: &Context, module: ModuleOp, after: &str) -> Option<String> {
    let functions = walk::nested::<FuncOp>(ctx, module.get_operation());
    let kernels = functions
        .into_iter()
        .filter(|f| kernel_of(ctx, f).is_some());
    let mut problems = kernels.filter_map(|f| {
        let problem = check_kernel(ctx, f)?;
        Some(format!(
            "{}: {problem} (after {after})",
            f.get_symbol_name(ctx)
        ))
    });
    problems.next()
}

type Key = (Level, u32);
type ReductionKey = (Level, u32, u32);

/// Positions of protocol operations, counted in the order of the text.
#[derive(Default)]
struct Positions {
    forks: BTreeMap<Key, Vec<usize>>,
    joins: BTreeMap<Key, Vec<usize>>,
    locks: BTreeMap<Key, Vec<usize>>,
    unlocks: BTreeMap<Key, Vec<usize>>,
    setups: BTreeMap<ReductionKey, Vec<usize>>,
    inits: BTreeMap<ReductionKey, Vec<usize>>,
    finis: BTreeMap<ReductionKey, Vec<usize>>,
    teardowns: BTreeMap<ReductionKey, Vec<usize>>,
}

/// What is wrong in one kernel, if anything.
pub fn check_kernel(ctx: &Context, kernel: FuncOp) -> Option<String> {
    let found = positions(ctx, kernel);
    for (key, forks) in &found.forks {
        let pair = (forks.as_slice(), found.joins.get(key).map(Vec::as_slice));
        match pair {
            ([fork], Some([join])) if fork < join => {}
            _ => {
                return Some(format!(
                    "par.fork {key:?} has no par.join of its own behind it"
                ));
            }
        }
    }
    if let Some(key) = found.joins.keys().find(|k| !found.forks.contains_key(k)) {
        return Some(format!("par.join {key:?} has no par.fork"));
    }
    let mut keys: Vec<_> = [&found.setups, &found.inits, &found.finis, &found.teardowns]
        .into_iter()
        .flat_map(|m| m.keys().copied())
        .collect();
    keys.sort();
    keys.dedup();
    keys.into_iter()
        .find_map(|key| check_reduction(&found, key))
}

fn check_reduction(found: &Positions, key: ReductionKey) -> Option<String> {
    let once = |map: &BTreeMap<ReductionKey, Vec<usize>>| match map.get(&key).map(Vec::as_slice) {
        Some([one]) => Some(*one),
        _ => None,
    };
    let four = (
        once(&found.setups),
        once(&found.inits),
        once(&found.finis),
        once(&found.teardowns),
    );
    let (Some(setup), Some(init), Some(fini), Some(teardown)) = four else {
        return Some(format!(
            "the four builtins of reduction {key:?} must exist exactly once each"
        ));
    };
    if !(setup < init && init < fini && fini < teardown) {
        return Some(format!(
            "the builtins of reduction {key:?} are out of order"
        ));
    }
    let level_loop = (key.0, key.1);
    let at =
        |map: &BTreeMap<Key, Vec<usize>>| map.get(&level_loop).and_then(|v| v.first().copied());
    match (at(&found.locks), at(&found.unlocks)) {
        (Some(lock), Some(unlock)) if lock < fini && fini < unlock => {}
        _ => {
            return Some(format!(
                "par.red_fini of {key:?} is not between par.lock and par.unlock"
            ));
        }
    }
    if let (Some(fork), Some(join)) = (at(&found.forks), at(&found.joins)) {
        let around = setup < fork && fork < init && fini < join && join < teardown;
        if !around {
            return Some(format!(
                "the builtins of reduction {key:?} do not enclose their partitioned region"
            ));
        }
    }
    None
}

fn positions(ctx: &Context, kernel: FuncOp) -> Positions {
    let mut found = Positions::default();
    for (at, op) in walk::nested_ops(ctx, kernel.get_operation())
        .into_iter()
        .enumerate()
    {
        let object = Operation::get_op_dyn(op, ctx);
        if let Some(reduction) = op_cast::<dyn ReductionOp>(&*object) {
            let info = reduction.info(ctx);
            let key = (info.level, info.id.loop_id, info.id.reduction_id);
            let lists = [
                (
                    Operation::get_op::<RedSetup>(op, ctx).is_some(),
                    &mut found.setups,
                ),
                (
                    Operation::get_op::<RedInit>(op, ctx).is_some(),
                    &mut found.inits,
                ),
                (
                    Operation::get_op::<RedFini>(op, ctx).is_some(),
                    &mut found.finis,
                ),
                (
                    Operation::get_op::<RedTeardown>(op, ctx).is_some(),
                    &mut found.teardowns,
                ),
            ];
            for (_, list) in lists.into_iter().filter(|(is, _)| *is) {
                list.entry(key).or_default().push(at);
            }
        } else if let Some(op) = Operation::get_op::<Fork>(op, ctx) {
            found
                .forks
                .entry((op.level(ctx), op.loop_id(ctx)))
                .or_default()
                .push(at);
        } else if let Some(op) = Operation::get_op::<Join>(op, ctx) {
            found
                .joins
                .entry((op.level(ctx), op.loop_id(ctx)))
                .or_default()
                .push(at);
        } else if let Some(op) = Operation::get_op::<Lock>(op, ctx) {
            found
                .locks
                .entry((op.level(ctx), op.loop_id(ctx)))
                .or_default()
                .push(at);
        } else if let Some(op) = Operation::get_op::<Unlock>(op, ctx) {
            found
                .unlocks
                .entry((op.level(ctx), op.loop_id(ctx)))
                .or_default()
                .push(at);
        }
    }
    found
}
