//! Versions of loops whose rows are kept.

mod iterations;

use accrue_dialects::core::{
    Alloca, BinKind, CmpKind, If, PtrAdd, dead_code::erase_dead_in, emit::Emitter, int, pointee,
};
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    value::Value,
};
use std::{collections::HashMap, ops::Range};

use super::chains::{Chain, GROUP, Member, Role, Slot};
use crate::{
    analysis::{affine::motion::Iterations, straight::PureFunctions},
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
}
