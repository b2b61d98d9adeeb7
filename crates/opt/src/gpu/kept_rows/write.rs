//! Versions of loops whose rows are kept.

use accrue_dialects::core::{
    Alloca, BinKind, CmpKind, If, Load, PtrAdd, Store, dead_code::erase_dead_in, emit::Emitter,
    int, pointee,
};
use accrue_ir::walk::{is_inside, nested_ops, operands_of, results_of};
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::{collections::HashMap, ops::Range};

use super::{
    accesses::is_harmless,
    chains::{Chain, GROUP, Member, Role, Slot},
};
use crate::{
    analysis::{affine::motion::Iterations, straight::PureFunctions, variables::is_in_variable},
    gpu::interleave,
};

/// The registers of each slot, by iteration of the lane.
type Registers = Vec<Vec<Value>>;

/// Writes the versions of all loops of a chain.
pub fn write(ctx: &mut Context, chain: &Chain, pure: &PureFunctions) {
    let first = chain.block.deref(ctx).get_head();
    let Some(first) = first else {
        return;
    };
    let mut e = Emitter::before(ctx, first);
    let registers: Registers = chain
        .slots
        .iter()
        .map(|ty| {
            let own = (0..chain.iterations).map(|_| {
                let variable = e.op(|c| Alloca::new(c, *ty, None));
                variable.set_of_thread(e.ctx);
                variable.get_result(e.ctx)
            });
            own.collect()
        })
        .collect();
    let versions: Vec<If> = chain
        .loops
        .iter()
        .map(|member| version(ctx, member, chain.iterations, &registers, pure))
        .collect();
    // What a loop keeps is used when all are written.
    for version in versions {
        let region = version.get_operation().deref(ctx).get_region(0);
        erase_dead_in(ctx, region);
    }
}

/// A loop's version, and how far its lanes come in a row.
struct Version<'a> {
    member: &'a Member,
    registers: &'a Registers,
    pure: &'a PureFunctions,
    counter: Value,
    /// The lane's first element, and the distance of the next one.
    lower: Value,
    step: Value,
    /// The same distance, and how much of the row is left for the lane and for the first lane, in 32 bits.
    step32: Value,
    left: Value,
    all: Value,
    /// Addresses that are the same distance further in each iteration: of the first one, and that distance in elements.
    even: HashMap<Ptr<Operation>, (Value, i64)>,
}

/// Chooses between the loop and a version for rows in which some lane has more than one element, and none more than `iterations`.
fn version(
    ctx: &mut Context,
    member: &Member,
    iterations: usize,
    registers: &Registers,
    pure: &PureFunctions,
) -> If {
    let lp = member.lp;
    let (lower, upper, step) = (
        lp.get_operand_lower(ctx),
        lp.get_operand_upper(ctx),
        lp.get_operand_step(ctx),
    );
    let even = even_addresses(ctx, member);
    let mut e = Emitter::before(ctx, lp.get_operation());
    let zero = e.i64(0);
    let upper = e.bin(BinKind::MaxS, upper, zero);
    let number = e.i64(iterations as i128);
    let most = e.bin(BinKind::Mul, step, number);
    let short = e.cmp(CmpKind::LeS, upper, step);
    let fits = e.cmp(CmpKind::LeS, upper, most);
    let no = e.int(1, 0);
    let fits = e.select(short, no, fits);
    let (choice, fast, slow) = If::new(e.ctx, fits, vec![]);
    e.push(choice);
    e.at_end(fast);
    let left = e.bin(BinKind::Sub, upper, lower);
    let narrow = int(e.ctx, 32);
    let [step32, left, all] = [step, left, upper].map(|value| e.narrow(value, narrow));
    let mut motion = Iterations::of(e.ctx, lp);
    let even = even
        .into_iter()
        .map(|(op, address, stride)| (op, (motion.at(&mut e, address, lower), stride)))
        .collect();
    let version = Version {
        member,
        registers,
        pure,
        counter: lp.get_body(e.ctx, 0).deref(e.ctx).get_argument(0),
        lower,
        step,
        step32,
        left,
        all,
        even,
    };
    let loads = |role: &Role| match role {
        Role::Ahead(_) => true,
        Role::Keeps(_) | Role::Kept(_) | Role::Stored(_) => false,
    };
    if member.roles.values().any(loads) {
        for group in 0..iterations / GROUP {
            let kept = version.kept(true);
            version.in_row(&mut e, group, &kept, |e, copies| {
                version.load_ahead(e, copies)
            });
        }
    }
    for group in 0..iterations / GROUP {
        let kept = version.kept(false);
        version.in_row(&mut e, group, &kept, |e, copies| version.compute(e, copies));
    }
    e.finish(vec![]);
    e.at_end(slow);
    let kept = [version.kept(true), version.kept(false)].concat();
    version.clear(&mut e, &kept, 0..iterations);
    lp.get_operation().unlink(e.ctx);
    e.push_operation(lp.get_operation());
    e.finish(vec![]);
    choice
}

/// Addresses in the loop that are a constant number of elements further in each iteration.
fn even_addresses(ctx: &Context, member: &Member) -> Vec<(Ptr<Operation>, Value, i64)> {
    let mut motion = Iterations::of(ctx, member.lp);
    let mut found = vec![];
    for op in interleave::body_of(ctx, member.lp) {
        let address = Operation::get_op::<PtrAdd>(op, ctx).map(|p| p.get_result(ctx));
        let address = address.filter(|_| !member.late.contains(&op));
        let stride = address.and_then(|address| motion.constant_stride(ctx, address));
        if let (Some(address), Some(stride)) = (address, stride) {
            found.push((op, address, stride));
        }
    }
    found
}

/// One of a lane's iterations.
struct Copy {
    number: usize,
    /// Whether the row has it.
    exists: Value,
    mapping: IrMapping,
}

impl Version<'_> {
    /// Writes a group of iterations, if the row comes to them.
    fn in_row(
        &self,
        e: &mut Emitter,
        group: usize,
        kept: &[Slot],
        write: impl FnOnce(&mut Emitter, &mut [Copy]),
    ) {
        let first = group * GROUP;
        let start = self.distance32(e, first);
        let comes = e.cmp(CmpKind::LtS, start, self.all);
        let (branch, yes, no) = If::new(e.ctx, comes, vec![]);
        e.push(branch);
        e.at_end(no);
        self.clear(e, kept, first..first + GROUP);
        e.finish(vec![]);
        e.at_end(yes);
        let mut copies: Vec<Copy> = (first..first + GROUP)
            .map(|number| {
                let start = self.distance32(e, number);
                let exists = e.cmp(CmpKind::LtS, start, self.left);
                let distance = self.distance(e, number, 1);
                let mut mapping = IrMapping::new();
                mapping.map_value(self.counter, e.bin(BinKind::Add, self.lower, distance));
                Copy {
                    number,
                    exists,
                    mapping,
                }
            })
            .collect();
        write(e, &mut copies);
        e.finish(vec![]);
        e.go_after(branch.get_operation());
    }

    /// What the loop keeps: of what it loads ahead, or of what it computes.
    fn kept(&self, ahead: bool) -> Vec<Slot> {
        let slots = self.member.roles.values().filter_map(|role| match role {
            Role::Ahead(slot) => ahead.then_some(*slot),
            Role::Keeps(slot) => (!ahead).then_some(*slot),
            Role::Kept(_) | Role::Stored(_) => None,
        });
        let mut slots: Vec<Slot> = slots.collect();
        slots.sort_by_key(|slot| slot.0);
        slots.dedup();
        slots
    }

    /// Where nothing is kept there are zeros: an assembler that sees a register without a value on some way to its use takes it
    /// for used from the beginning.
    fn clear(&self, e: &mut Emitter, kept: &[Slot], iterations: Range<usize>) {
        for slot in kept {
            for register in &self.registers[slot.0][iterations.clone()] {
                if let Some(ty) = pointee(e.ctx, *register) {
                    let zero = e.zero(ty);
                    e.store(zero, *register);
                }
            }
        }
    }

    fn distance32(&self, e: &mut Emitter, iterations: usize) -> Value {
        let number = e.i32(iterations as i128);
        e.bin(BinKind::Mul, self.step32, number)
    }

    /// Elements between the lane's first iteration and this one, where one after the other is `stride` further.
    fn distance(&self, e: &mut Emitter, iterations: usize, stride: i64) -> Value {
        let number = e.i64(iterations as i128 * i128::from(stride));
        e.bin(BinKind::Mul, self.step, number)
    }

    /// The loads that are kept, of all iterations of a group.
    fn load_ahead(&self, e: &mut Emitter, copies: &mut [Copy]) {
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
    fn compute(&self, e: &mut Emitter, copies: &mut [Copy]) {
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
