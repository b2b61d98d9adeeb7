//! Elements that a variable index chooses: accesses become ones to all elements, by constants.
//!
//! ```text
//! %x = core.load %row[%pivot]            %x = %pivot == 1 ? (load %row[1]) : load %row[0]
//! core.store %y, %row[%pivot]      →     core.store (%pivot == 0 ? %y : load %row[0]), %row[0]        the same for 1
//! ```
//! An array of a thread that is in registers but for a few accesses by variable indices, as the pivot of an elimination or the place in
//! a small table, would be in local memory as a whole. Choosing among few registers costs less than one load from there.
//!
//! Only what a thread has for itself: where the array is that of a gang, of a worker or of a team's threads, and an access is in a
//! fork inside, other threads write other elements at the same time.
//!
//! Where a constant is added to the address behind the index (`p = row + pivot; … p[2]`), the index chooses the element so many places
//! before: each element of the array is compared with where the access leads.
//!
//! What is done: indices that name up to [`MOST_ELEMENTS`] elements of an array, and [`MOST_ELEMENTS_OF_MATRIX`] of an array of arrays where
//! the index may lead into another row, as long as all of them together take no more than
//! [`MOST_CHOICES`] choices. An index outside of the array, which C leaves undefined, reaches one of its elements.
//!
//! Cost: linear in the accesses, times the elements and the size of the blocks around.

use super::values::Values;
use crate::analysis::variables::is_of_same_threads;
use accrue_dialects::core::{
    Bin, BinKind, Cast, CastKind, CmpKind, Decay, Load, Member, PtrAdd, Store, emit::Emitter,
    fold::constant, int_width,
};
use accrue_ir::walk::results_of;
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, OneResultInterface},
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// Elements of an array that an index may choose from.
pub(super) const MOST_ELEMENTS: u64 = 8;
/// The same where all elements of an array of arrays are within its reach.
pub(super) const MOST_ELEMENTS_OF_MATRIX: u64 = 16;
/// Choices in all accesses of a variable.
const MOST_CHOICES: u64 = 256;

/// An index that is no constant: its address, and the elements that it chooses from.
#[derive(Clone, Copy)]
pub(super) struct Indexed {
    pub(super) add: PtrAdd,
    /// The lowest number that leads to an element, as an index.
    pub(super) first: i128,
    /// How many do.
    pub(super) length: u64,
    /// Those that the index can be.
    pub(super) values: Values,
    /// An access to something else than these elements is undefined.
    pub(super) has_end: bool,
}

impl Indexed {
    /// Whether an access so many elements behind what the index names may be to something else than the elements.
    fn leads_out(&self, behind: i128) -> bool {
        let range = self.values.range;
        let end = self.first + i128::from(self.length);
        !self.has_end && (range.min + behind < self.first || range.max + behind >= end)
    }

    /// The values of the index with which an access so many elements behind what it names reaches an element: at least one.
    fn numbers(&self, behind: i128) -> Vec<i128> {
        let first = self.first - behind;
        let mut numbers: Vec<i128> = self.values.among(first, self.length).collect();
        if numbers.is_empty() {
            numbers.push(first);
        }
        numbers
    }
}

/// An access by such an index, and the operations between its address and the access's.
struct Access {
    op: Ptr<Operation>,
    chain: Vec<Ptr<Operation>>,
}

/// Makes accesses by constants of those by `indexed` in the variable `alloca`; false, and nothing is changed, if they are too many,
/// of other threads than the variable, or others than loads and stores.
pub(super) fn choose(ctx: &mut Context, alloca: Ptr<Operation>, indexed: &[Indexed]) -> bool {
    let mut all = vec![];
    let mut choices = 0;
    for it in indexed {
        let mut accesses = vec![];
        let known = accesses_by(ctx, it.add.get_result(ctx), &mut vec![], &mut accesses);
        choices += accesses
            .iter()
            .map(|access| it.numbers(elements_behind(ctx, access)).len() as u64)
            .sum::<u64>();
        let is_own = |access: &Access| {
            is_of_same_threads(ctx, alloca, access.op)
                && !it.leads_out(elements_behind(ctx, access))
        };
        if known.is_none() || choices > MOST_CHOICES || !accesses.iter().all(is_own) {
            return false;
        }
        all.push((*it, accesses));
    }
    for (it, accesses) in all {
        for access in accesses {
            by_constants(ctx, it, &access);
        }
        erase_addresses(ctx, it.add.get_operation());
    }
    true
}

/// Erases an address that nothing accesses any more, and what is computed from it.
fn erase_addresses(ctx: &mut Context, address: Ptr<Operation>) {
    let result = address.deref(ctx).get_result(0);
    let users: Vec<_> = result
        .uses(ctx)
        .iter()
        .map(|using| using.user_op())
        .collect();
    for user in users {
        erase_addresses(ctx, user);
    }
    Operation::erase(address, ctx);
}

/// Collects the loads and stores of what is at `address`, or in it.
fn accesses_by(
    ctx: &Context,
    address: Value,
    chain: &mut Vec<Ptr<Operation>>,
    accesses: &mut Vec<Access>,
) -> Option<()> {
    for using in address.uses(ctx) {
        let op = using.user_op();
        let leads_on = Operation::is_op::<Member>(op, ctx)
            || Operation::is_op::<Decay>(op, ctx)
            || Operation::get_op::<Cast>(op, ctx)
                .is_some_and(|cast| cast.kind(ctx) == CastKind::PtrCast)
            || Operation::get_op::<PtrAdd>(op, ctx)
                .is_some_and(|add| constant(ctx, add.get_operand_index(ctx)).is_some());
        if leads_on {
            chain.push(op);
            accesses_by(ctx, op.deref(ctx).get_result(0), chain, accesses)?;
            chain.pop();
            continue;
        }
        let store = Operation::get_op::<Store>(op, ctx);
        if !Operation::is_op::<Load>(op, ctx)
            && store.is_none_or(|store| store.get_operand_value(ctx) == address)
        {
            return None;
        }
        accesses.push(Access {
            op,
            chain: chain.clone(),
        });
    }
    Some(())
}

/// How many elements behind the one that the index names an access is: what is added to the address before it leads into an
/// element.
fn elements_behind(ctx: &Context, access: &Access) -> i128 {
    let adds = access.chain.iter();
    let adds = adds.map_while(|op| Operation::get_op::<PtrAdd>(*op, ctx));
    adds.filter_map(|add| constant(ctx, add.get_operand_index(ctx)))
        .sum()
}

/// Replaces one access by accesses to all elements.
fn by_constants(ctx: &mut Context, it: Indexed, access: &Access) {
    let (base, index) = (it.add.get_operand_base(ctx), it.add.get_operand_index(ctx));
    let Some(width) = int_width(ctx, index.get_type(ctx)) else {
        return;
    };
    let behind = elements_behind(ctx, access);
    let load = Operation::get_op::<Load>(access.op, ctx);
    let store = Operation::get_op::<Store>(access.op, ctx);
    let mut e = Emitter::before(ctx, access.op);
    let mut chosen: Option<Value> = None;
    for number in it.numbers(behind) {
        let is_it = equals(&mut e, index, number);
        let number = e.int(width, number);
        let mut address = e.ptr_add(base, number);
        let mut last = it.add.get_operation();
        for op in &access.chain {
            let mut mapping = IrMapping::new();
            let [from] = results_of(e.ctx, last)[..] else {
                return;
            };
            mapping.map_value(from, address);
            let copy = e.copy(*op, &mut mapping);
            address = copy.deref(e.ctx).get_result(0);
            last = *op;
        }
        let old = e.load(address);
        match (load, store) {
            (Some(_), _) => {
                chosen = Some(match chosen {
                    Some(before) => e.select(is_it, old, before),
                    None => old,
                });
            }
            (None, Some(store)) => {
                let new = store.get_operand_value(e.ctx);
                let new = e.select(is_it, new, old);
                e.store(new, address);
            }
            (None, None) => {}
        }
    }
    if let (Some(load), Some(chosen)) = (load, chosen) {
        load.get_result(ctx).replace_all_uses_with(ctx, &chosen);
    }
    Operation::erase(access.op, ctx);
}

/// Whether an index is `number`: what is added to it and its extension are taken off first, so that accesses side by side compare the same.
fn equals(e: &mut Emitter, index: Value, number: i128) -> Value {
    let (mut value, mut number) = (index, number);
    while let Some(op) = value.defining_op() {
        let cast = Operation::get_op::<Cast>(op, e.ctx);
        let bin = Operation::get_op::<Bin>(op, e.ctx);
        if let Some(cast) = cast.filter(|cast| cast.kind(e.ctx) == CastKind::SExt) {
            let inner = cast.get_operand(e.ctx);
            let width = int_width(e.ctx, inner.get_type(e.ctx)).unwrap_or(64);
            let half = 1i128 << (width - 1);
            if !(-half..half).contains(&number) {
                break;
            }
            value = inner;
        } else if let Some(bin) = bin.filter(|bin| bin.kind(e.ctx) == BinKind::AddS)
            && let Some(added) = constant(e.ctx, bin.get_operand_rhs(e.ctx))
        {
            value = bin.get_operand_lhs(e.ctx);
            number -= added;
        } else {
            break;
        }
    }
    let width = int_width(e.ctx, value.get_type(e.ctx)).unwrap_or(64);
    let number = e.int(width, number);
    e.cmp(CmpKind::Eq, value, number)
}
