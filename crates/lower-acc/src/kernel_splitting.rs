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
//! cross groups are computed again where they are used. If that cannot be done, or a local variable is shared by groups,
//! the whole construct is one phase with one gang, and a remark says why. A gang loop under control flow has no gangs.

use accrue_dialects::core::dead_code::erase_dead_in;
use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{self, Kernels, Loop, Reduction},
    core::{AddressOf, Alloca, Load, Store},
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::{OneRegionInterface, OneResultInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    irbuild::{
        cloning::{IrMapping, clone_operation},
        inserter::{Inserter, OpInsertionPoint},
        listener::DummyListener,
        rewriter::IRRewriter,
    },
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::{HashMap, HashSet};

use crate::attributes::{PHASE, Phase, TEST};
use accrue_opt::{State, Subject, analysis::slice::recompute, diagnostic::is_copy};

const NAME: &str = "phases";

/// Splits all `kernels` constructs.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    for kernels in walk::nested::<Kernels>(ctx, module.get_operation()) {
        drop_inner_gangs(ctx, kernels, state);
        split(ctx, kernels, state);
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
        PHASE.set(ctx, op, Phase(number as u32));
    }
}

/// The group of each operation directly in the region; an error says why there are none.
fn group(ctx: &mut Context, kernels: Kernels) -> Result<HashMap<Ptr<Operation>, u32>, String> {
    let region = kernels.get_region(ctx);
    let ops = walk::ops_of_region(ctx, region);
    let tests = tests_of_gang_loops(ctx, &ops);
    let mut groups = HashMap::new();
    let mut current = 0;
    for op in &ops {
        if Operation::get_op::<acc::Yield>(*op, ctx).is_some() {
            continue;
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
    for op in &ops {
        if let Some(group) = groups.get(op).copied() {
            localize(ctx, *op, group, &mut groups)?;
        }
    }
    Ok(groups)
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

/// The group of all users of `op`, if it is one.
fn only_group(
    ctx: &Context,
    op: Ptr<Operation>,
    groups: &HashMap<Ptr<Operation>, u32>,
) -> Option<u32> {
    let uses: Vec<_> = op.deref(ctx).uses().collect();
    let mut found: Vec<_> = uses
        .into_iter()
        .filter_map(|u| group_around(ctx, u.user_op(), groups))
        .collect();
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// The group of the operation of the region that `op` is in.
fn group_around(
    ctx: &Context,
    op: Ptr<Operation>,
    groups: &HashMap<Ptr<Operation>, u32>,
) -> Option<u32> {
    let mut at = Some(op);
    while let Some(o) = at {
        if let Some(group) = groups.get(&o) {
            return Some(*group);
        }
        at = o.deref(ctx).get_parent_op(ctx);
    }
    None
}

/// Lets `op` and what is inside it use values of its own group only.
fn localize(
    ctx: &mut Context,
    op: Ptr<Operation>,
    group: u32,
    groups: &mut HashMap<Ptr<Operation>, u32>,
) -> Result<(), String> {
    let mut users = vec![op];
    users.extend(walk::nested_ops(ctx, op));
    let mut mapping = IrMapping::new();
    for user in users {
        for (index, value) in walk::operands_of(ctx, user).into_iter().enumerate() {
            let Some(definition) = value.defining_op() else {
                continue;
            };
            if groups.get(&definition).is_none_or(|g| *g == group) {
                continue;
            }
            for variable in variables_behind(ctx, value, group, groups) {
                match variable {
                    Behind::Local(local) => copy_constant(ctx, local, op, &mut mapping)
                        .ok_or_else(|| used_in_several_parts(ctx, local))?,
                    Behind::Global(address) => take_again(ctx, address, op, &mut mapping),
                };
            }
            let point = OpInsertionPoint::BeforeOperation(op);
            let new = recompute(ctx, value, point, op, &mut mapping).map_err(|_| {
                "a value computed in one part of the construct is used in another".to_string()
            })?;
            Operation::replace_operand(user, ctx, index, new);
            claim_before(ctx, op, group, groups);
        }
    }
    Ok(())
}

fn used_in_several_parts(ctx: &Context, local: Alloca) -> String {
    let what = match local.variable(ctx) {
        Some(variable) => format!("the local variable `{}`", variable.name),
        None => "a local variable".to_string(),
    };
    format!("{what} of the construct is used in several of its parts")
}

/// What a value of another group comes from.
enum Behind {
    Local(Alloca),
    Global(AddressOf),
}

/// The locals and the globals' addresses of other groups that `value` is, or is computed from.
fn variables_behind(
    ctx: &Context,
    value: Value,
    group: u32,
    groups: &HashMap<Ptr<Operation>, u32>,
) -> Vec<Behind> {
    let Some(op) = value
        .defining_op()
        .filter(|op| groups.get(op).is_some_and(|g| *g != group))
    else {
        return vec![];
    };
    if let Some(alloca) = Operation::get_op::<Alloca>(op, ctx) {
        return vec![Behind::Local(alloca)];
    }
    if let Some(address) = Operation::get_op::<AddressOf>(op, ctx) {
        return vec![Behind::Global(address)];
    }
    walk::operands_of(ctx, op)
        .into_iter()
        .flat_map(|v| variables_behind(ctx, v, group, groups))
        .collect()
}

/// The address of a global, taken again before `op`.
fn take_again(
    ctx: &mut Context,
    address: AddressOf,
    op: Ptr<Operation>,
    mapping: &mut IrMapping,
) -> Value {
    let old = address.get_result(ctx);
    if let Some(new) = mapping.lookup_value(old) {
        return new;
    }
    let mut rewriter = IRRewriter::<DummyListener>::default();
    let clone = clone_operation(address.get_operation(), ctx, &mut rewriter, mapping);
    rewriter.set_insertion_point(OpInsertionPoint::BeforeOperation(op));
    rewriter.insert_operation(ctx, clone);
    let new = clone.deref(ctx).get_result(0);
    mapping.map_value(old, new);
    new
}

/// A copy, before `op`, of a scalar local that gets its only value where it is declared. `None`: it is no such local, or
/// its value cannot be computed again.
fn copy_constant(
    ctx: &mut Context,
    alloca: Alloca,
    op: Ptr<Operation>,
    mapping: &mut IrMapping,
) -> Option<Value> {
    let variable = alloca.get_result(ctx);
    if let Some(copy) = mapping.lookup_value(variable) {
        return Some(copy);
    }
    let block = alloca.get_operation().deref(ctx).get_parent_block();
    let mut stored = None;
    for u in variable.uses(ctx) {
        if let Some(store) = Operation::get_op::<Store>(u.user_op(), ctx) {
            let declared = store.get_operation().deref(ctx).get_parent_block() == block;
            if stored.is_some() || !declared || store.get_operand_value(ctx) == variable {
                return None;
            }
            stored = Some(store.get_operand_value(ctx));
        } else {
            Operation::get_op::<Load>(u.user_op(), ctx)?;
        }
    }
    let value = recompute(
        ctx,
        stored?,
        OpInsertionPoint::BeforeOperation(op),
        op,
        mapping,
    )
    .ok()?;
    let (ty, name) = (alloca.var_type(ctx), alloca.variable(ctx));
    let mut e = Emitter::before(ctx, op);
    let copy = e.alloca(ty, name);
    e.store(value, copy);
    mapping.map_value(variable, copy);
    Some(copy)
}

/// Puts the new operations directly before `op` into `group`.
fn claim_before(
    ctx: &Context,
    op: Ptr<Operation>,
    group: u32,
    groups: &mut HashMap<Ptr<Operation>, u32>,
) {
    let mut at = op.deref(ctx).get_prev();
    while let Some(new) = at.filter(|o| !groups.contains_key(o)) {
        groups.insert(new, group);
        at = new.deref(ctx).get_prev();
    }
}
