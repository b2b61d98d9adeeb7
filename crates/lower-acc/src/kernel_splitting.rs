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

use accrue_dialects::core::dead_code::erase_dead_in;
use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{self, Kernels, Loop, Reduction},
    core::{AddressOf, Alloca, CastKind, CmpKind, Load, Store, int, int_width},
    par::Levels,
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
    r#type::Typed,
    value::Value,
};
use std::collections::{HashMap, HashSet};

use crate::{
    attributes::{APART, PHASE, Phase, ROUNDS, TEST},
    own_memory::{add_value, share},
    rounds::KnownAtLaunch,
};
use accrue_opt::{State, Subject, analysis::slice::recompute, diagnostic::is_copy};

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

/// A construct whose operations have groups.
struct Splitting {
    kernels: Kernels,
    known: KnownAtLaunch,
    groups: HashMap<Ptr<Operation>, u32>,
}

impl Splitting {
    /// Lets `op` and what is inside it use values of its own group, and memory that all groups share, only.
    fn localize(
        &mut self,
        ctx: &mut Context,
        op: Ptr<Operation>,
        group: u32,
    ) -> Result<(), String> {
        let mut users = vec![op];
        users.extend(walk::nested_ops(ctx, op));
        let mut mapping = IrMapping::new();
        for user in users {
            for (index, value) in walk::operands_of(ctx, user).into_iter().enumerate() {
                let Some(definition) = value.defining_op() else {
                    continue;
                };
                if self.groups.get(&definition).is_none_or(|g| *g == group) {
                    continue;
                }
                for variable in variables_behind(ctx, value, group, &self.groups) {
                    match variable {
                        Behind::Local(local) => self.local(ctx, local, op, &mut mapping)?,
                        Behind::Global(address) => {
                            take_again(ctx, address, op, &mut mapping);
                        }
                    }
                }
                let point = OpInsertionPoint::BeforeOperation(op);
                let again = match self.is_the_same(ctx, definition, op) {
                    true => recompute(ctx, value, point, op, &mut mapping).ok(),
                    false => None,
                };
                let new = match again {
                    Some(new) => new,
                    None => self.through_memory(ctx, value, definition, op, &mut mapping),
                };
                Operation::replace_operand(user, ctx, index, new);
                self.claim_before(ctx, op, group);
            }
        }
        Ok(())
    }

    /// A local variable of another group is one that `op` may use: a copy, if it is constant, or it becomes memory that all share.
    fn local(
        &mut self,
        ctx: &mut Context,
        local: Alloca,
        op: Ptr<Operation>,
        mapping: &mut IrMapping,
    ) -> Result<(), String> {
        if !self.groups.contains_key(&local.get_operation()) {
            return Ok(());
        }
        let same = self.is_the_same(ctx, local.get_operation(), op);
        if same && copy_constant(ctx, local, op, mapping).is_some() {
            return Ok(());
        }
        if local.count(ctx).is_some() {
            return Err(used_in_several_parts(ctx, local));
        }
        self.groups.remove(&local.get_operation());
        share(ctx, self.kernels, local);
        Ok(())
    }

    /// Whether what `definition` computes, which stands before `op`, can be computed from the same at `op`: memory that a round reads may
    /// have been written by the round before.
    fn is_the_same(&self, ctx: &Context, definition: Ptr<Operation>, op: Ptr<Operation>) -> bool {
        if ROUNDS.get(ctx, definition) == ROUNDS.get(ctx, op) {
            return true;
        }
        let mut open = vec![definition];
        while let Some(at) = open.pop() {
            let loaded = Operation::get_op::<Load>(at, ctx);
            let loaded = loaded.map(|load| load.get_operand_address(ctx));
            if at.deref(ctx).num_regions() > 0
                || Operation::is_op::<Alloca>(at, ctx)
                || loaded.is_some_and(|address| !self.known.has(ctx, address))
            {
                return false;
            }
            if loaded.is_none() {
                let operands = walk::operands_of(ctx, at).into_iter();
                open.extend(operands.filter_map(|value| value.defining_op()));
            }
        }
        true
    }

    /// The value, stored where it is computed, in memory that all groups share, and loaded before `op`.
    fn through_memory(
        &mut self,
        ctx: &mut Context,
        value: Value,
        definition: Ptr<Operation>,
        op: Ptr<Operation>,
        mapping: &mut IrMapping,
    ) -> Value {
        let ty = value.get_type(ctx);
        let is_condition = int_width(ctx, ty) == Some(1);
        let stored = match is_condition {
            true => int(ctx, 32),
            false => ty,
        };
        let address = add_value(ctx, self.kernels, stored);
        let group = self.groups[&definition];
        let mut e = Emitter::after(ctx, definition);
        let kept = match is_condition {
            true => e.int_cast(CastKind::ZExt, value, stored),
            false => value,
        };
        e.store(kept, address);
        let mut at = definition.deref(ctx).get_next();
        while let Some(new) = at.filter(|new| !self.groups.contains_key(new)) {
            self.groups.insert(new, group);
            if let Some(rounds) = ROUNDS.get(ctx, definition) {
                ROUNDS.set(ctx, new, rounds);
            }
            at = new.deref(ctx).get_next();
        }
        let mut e = Emitter::before(ctx, op);
        let mut new = e.load(address);
        if is_condition {
            let zero = e.i32(0);
            new = e.cmp(CmpKind::Ne, new, zero);
        }
        mapping.map_value(value, new);
        new
    }

    /// Puts the new operations directly before `op` into its group.
    fn claim_before(&mut self, ctx: &Context, op: Ptr<Operation>, group: u32) {
        let mut at = op.deref(ctx).get_prev();
        while let Some(new) = at.filter(|o| !self.groups.contains_key(o)) {
            self.groups.insert(new, group);
            if let Some(rounds) = ROUNDS.get(ctx, op) {
                ROUNDS.set(ctx, new, rounds);
            }
            at = new.deref(ctx).get_prev();
        }
    }
}

fn used_in_several_parts(ctx: &Context, local: Alloca) -> String {
    let what = match local.variable(ctx) {
        Some(variable) => format!("the array `{}` of variable length", variable.name),
        None => "an array of variable length".to_string(),
    };
    format!("{what} is used in several parts of the construct")
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
            // A copy for the operation that gives it its value would be all that gets it.
            let is_own = store.get_operation() == op;
            if stored.is_some() || !declared || is_own || store.get_operand_value(ctx) == variable {
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
