//! Lets the parts of a `kernels` construct use values of their own, and memory that all of them share, only.
//!
//! ```text
//! one gang      double m = a[0], h = 0.5;               m in memory that all kernels of the launch share
//!               int last = n - 1;                 →
//! all gangs     … a[last - i] * m + h …                 last = n - 1 again, h = 0.5 again
//! ```
//! In this order of preference: addresses of globals are taken again; a variable that gets its only value where it is declared is copied, if
//! that value can be computed again; other variables become shared memory; values are computed again, or else stored where they are known
//! and loaded where they are used. From the code in front of rounds ([`crate::rounds`]) to theirs nothing is computed again that memory
//! may have changed.
//!
//! Cost: for each operand from another part the length of its computation.

use accrue_dialects::acc::Kernels;
use accrue_dialects::core::{
    AddressOf, Alloca, CastKind, CmpKind, Load, Store, emit::Emitter, int, int_width,
};
use accrue_ir::walk;
use pliron::{
    builtin::op_interfaces::OneResultInterface,
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
use std::collections::HashMap;

use crate::{
    attributes::ROUNDS,
    own_memory::{add_value, share},
    rounds::KnownAtLaunch,
};
use accrue_opt::analysis::slice::recompute;

/// A construct whose operations have groups: numbers of phases, with gaps.
pub(super) struct Splitting {
    pub kernels: Kernels,
    pub known: KnownAtLaunch,
    pub groups: HashMap<Ptr<Operation>, u32>,
}

impl Splitting {
    /// Lets `op` and what is inside it use values of its own group, and memory that all groups share, only.
    pub fn localize(
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
                // It has become memory that all share.
                if !self.groups.contains_key(&definition) {
                    continue;
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
                || Operation::is_op::<Alloca>(at, ctx) && self.groups.contains_key(&at)
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
