//! What a group of a lane's iterations does in the version of a loop whose rows are kept.

use accrue_dialects::core::{Alloca, If, Load, Store, emit::Emitter, pointee};
use accrue_ir::walk::{is_inside, nested_ops, operands_of, results_of};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::Ptr,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

use super::{Copy, Version};
use crate::{
    analysis::variables::is_in_variable,
    gpu::{
        interleave,
        kept_rows::{
            accesses::is_harmless,
            chains::{Role, Slot},
        },
    },
};

impl Version<'_> {
    /// The loads that are kept, of all iterations of a group.
    pub(super) fn load_ahead(&self, e: &mut Emitter, copies: &mut [Copy]) {
        for op in interleave::body_of(e.ctx, self.member.lp) {
            let Some(Role::Ahead(slot)) = self.member.roles.get(&op) else {
                continue;
            };
            let Some(load) = Operation::get_op::<Load>(op, e.ctx) else {
                continue;
            };
            let address = load.get_operand_address(e.ctx);
            let mut addresses = vec![];
            for copy in copies.iter_mut() {
                addresses.push(self.address(e, address, copy));
            }
            for (copy, address) in copies.iter().zip(addresses) {
                let ty = load.get_result(e.ctx).get_type(e.ctx);
                let register = self.register(*slot, copy);
                let zero = e.zero(ty);
                e.store(zero, register);
                if_exists(e, copy.exists, &[], |e| {
                    let loaded = e.load(address);
                    e.store(loaded, register);
                    vec![]
                });
            }
        }
    }

    fn register(&self, slot: Slot, copy: &Copy) -> Value {
        self.registers[slot.0][copy.number]
    }

    /// What the loop computes without memory, in one of its iterations.
    fn address(&self, e: &mut Emitter, value: Value, copy: &mut Copy) -> Value {
        if let Some(known) = copy.mapping.lookup_value(value) {
            return known;
        }
        let region = self.member.lp.get_operation().deref(e.ctx).get_region(0);
        let inside = value
            .defining_op()
            .filter(|op| is_inside(e.ctx, *op, region));
        let Some(op) = inside else {
            return value;
        };
        if let Some((first, stride)) = self.even.get(&op) {
            let distance = self.distance(e, copy.number, *stride);
            let here = e.ptr_add(*first, distance);
            copy.mapping.map_value(value, here);
            return here;
        }
        for operand in operands_of(e.ctx, op) {
            let there = self.address(e, operand, copy);
            copy.mapping.map_value(operand, there);
        }
        e.copy(op, &mut copy.mapping);
        copy.mapping.lookup_value_or_default(value)
    }

    /// What a group of iterations does, operation by operation as far as it need not keep its order.
    pub(super) fn compute(&self, e: &mut Emitter, copies: &mut [Copy]) {
        let ops = interleave::body_of(e.ctx, self.member.lp);
        // What was kept before, read before anything else is.
        for op in &ops {
            for inner in std::iter::once(*op).chain(nested_ops(e.ctx, *op)) {
                let role = self.member.roles.get(&inner);
                let Some(Role::Ahead(slot) | Role::Kept(slot)) = role else {
                    continue;
                };
                for copy in copies.iter_mut() {
                    let value = e.load(self.register(*slot, copy));
                    for result in results_of(e.ctx, inner) {
                        copy.mapping.map_value(result, value);
                    }
                }
            }
        }
        for op in ops.iter().filter(|op| !self.member.late.contains(op)) {
            for copy in copies.iter_mut() {
                self.early(e, *op, copy);
            }
        }
        for copy in copies.iter_mut() {
            let late: Vec<_> = ops
                .iter()
                .filter(|op| self.member.late.contains(op))
                .collect();
            if late.is_empty() {
                continue;
            }
            for op in &late {
                if let Some(Role::Keeps(slot)) = self.member.roles.get(*op) {
                    let register = self.register(*slot, copy);
                    if let Some(ty) = pointee(e.ctx, register) {
                        let zero = e.zero(ty);
                        e.store(zero, register);
                    }
                }
            }
            if_exists(e, copy.exists, &[], |e| {
                for op in late {
                    self.keep(e, *op, copy);
                    if !self.member.overwritten.contains(op) {
                        self.operation(e, *op, copy);
                    }
                }
                vec![]
            });
        }
    }

    /// An operation that need not keep its order; of an iteration that the row does not have, too, if that is harmless.
    fn early(&self, e: &mut Emitter, op: Ptr<Operation>, copy: &mut Copy) {
        if self.is_replaced(op) {
            self.operation(e, op, copy);
            return;
        }
        self.keep(e, op, copy);
        if self.member.overwritten.contains(&op) {
            return;
        }
        if let Some((first, stride)) = self.even.get(&op) {
            let distance = self.distance(e, copy.number, *stride);
            let here = e.ptr_add(*first, distance);
            for result in results_of(e.ctx, op) {
                copy.mapping.map_value(result, here);
            }
            return;
        }
        let own = |address: Value| is_in_variable(e.ctx, address);
        let of_variable = Operation::get_op::<Load>(op, e.ctx)
            .map(|load| load.get_operand_address(e.ctx))
            .or_else(|| Operation::get_op::<Store>(op, e.ctx).map(|s| s.get_operand_address(e.ctx)))
            .is_some_and(own);
        let always = is_harmless(e.ctx, op)
            || of_variable
            || Operation::is_op::<Alloca>(op, e.ctx)
            || self.pure.is_called(e.ctx, op);
        if always {
            self.operation(e, op, copy);
            self.keep_result(e, op, copy);
            return;
        }
        let results = results_of(e.ctx, op);
        let types: Vec<_> = results.iter().map(|r| r.get_type(e.ctx)).collect();
        let given = if_exists(e, copy.exists, &types, |e| {
            self.operation(e, op, copy);
            let given = results.iter();
            given
                .map(|r| copy.mapping.lookup_value_or_default(*r))
                .collect()
        });
        for (result, given) in results.iter().zip(given) {
            copy.mapping.map_value(*result, given);
        }
        self.keep_result(e, op, copy);
    }

    /// Whether a load is not made because its value is at hand.
    fn is_replaced(&self, op: Ptr<Operation>) -> bool {
        match self.member.roles.get(&op) {
            Some(Role::Ahead(_) | Role::Kept(_) | Role::Stored(_)) => true,
            Some(Role::Keeps(_)) | None => false,
        }
    }

    /// Keeps what a store stores, if that is wanted.
    fn keep(&self, e: &mut Emitter, op: Ptr<Operation>, copy: &Copy) {
        let store = Operation::get_op::<Store>(op, e.ctx);
        if let (Some(Role::Keeps(slot)), Some(store)) = (self.member.roles.get(&op), store) {
            let value = store.get_operand_value(e.ctx);
            let value = copy.mapping.lookup_value_or_default(value);
            e.store(value, self.register(*slot, copy));
        }
    }

    /// Keeps what an operation gives, if that is wanted.
    fn keep_result(&self, e: &mut Emitter, op: Ptr<Operation>, copy: &Copy) {
        if let Some(Role::Keeps(slot)) = self.member.roles.get(&op) {
            for result in results_of(e.ctx, op) {
                let value = copy.mapping.lookup_value_or_default(result);
                e.store(value, self.register(*slot, copy));
            }
        }
    }

    /// An operation of an iteration.
    fn operation(&self, e: &mut Emitter, op: Ptr<Operation>, copy: &mut Copy) {
        match self.member.roles.get(&op) {
            Some(Role::Ahead(_) | Role::Kept(_)) => return,
            Some(Role::Stored(store)) => {
                let value = copy
                    .mapping
                    .lookup_value_or_default(store.get_operand_value(e.ctx));
                for result in results_of(e.ctx, op) {
                    copy.mapping.map_value(result, value);
                }
                return;
            }
            Some(Role::Keeps(_)) | None => {}
        }
        // What loads inside it have at hand.
        let inside = nested_ops(e.ctx, op);
        let known: Vec<Option<Value>> = inside
            .iter()
            .map(|inner| {
                let result = results_of(e.ctx, *inner).first().copied()?;
                match self.member.roles.get(inner)? {
                    Role::Ahead(_) | Role::Kept(_) => copy.mapping.lookup_value(result),
                    Role::Stored(store) => {
                        let value = store.get_operand_value(e.ctx);
                        Some(copy.mapping.lookup_value_or_default(value))
                    }
                    Role::Keeps(_) => None,
                }
            })
            .collect();
        let clone = e.copy(op, &mut copy.mapping);
        for (inner, known) in nested_ops(e.ctx, clone).into_iter().zip(known) {
            let results = results_of(e.ctx, inner);
            if let (Some(known), Some(result)) = (known, results.first()) {
                result.replace_all_uses_with(e.ctx, &known);
                Operation::erase(inner, e.ctx);
            }
        }
    }
}

/// Does something in iterations that the row has; others get zeros.
///
/// The zeros are there before: an assembler that makes both arms conditional would wait for what is loaded before it could write a
/// zero to the same register.
fn if_exists(
    e: &mut Emitter,
    exists: Value,
    types: &[TypeHandle],
    body: impl FnOnce(&mut Emitter) -> Vec<Value>,
) -> Vec<Value> {
    let variables: Vec<Value> = types.iter().map(|ty| e.alloca(*ty, None)).collect();
    for (ty, variable) in types.iter().zip(&variables) {
        let zero = e.zero(*ty);
        e.store(zero, *variable);
    }
    let (branch, yes, no) = If::new(e.ctx, exists, vec![]);
    e.push(branch);
    e.at_end(yes);
    let values = body(e);
    for (value, variable) in values.into_iter().zip(&variables) {
        e.store(value, *variable);
    }
    e.finish(vec![]);
    e.at_end(no);
    e.finish(vec![]);
    e.go_after(branch.get_operation());
    variables
        .into_iter()
        .map(|variable| e.load(variable))
        .collect()
}
