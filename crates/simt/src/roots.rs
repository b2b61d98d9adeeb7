//! Which variable an address leads into, and what is done with a variable's address.
//!
//! Addresses are followed through subscripts, members and conversions, and through a pointer variable that gets its value
//! in one place only (`double *p = tmp;`).

use crate::dialect::{Locked, Shared};
use accrue_dialects::{
    core::{
        Alloca, AtomicLoad, AtomicStore, AtomicUpdate, Cast, CastKind, Cmp, Copy, Decay, Extent,
        Load, LoadBits, Member, PtrAdd, PtrDiff, Store, StoreBits, Zero,
    },
    par::{ReductionOp, kernels::PARAMETERS},
};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::op_cast,
    operation::Operation,
    value::Value,
};

/// Where an address points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// Into the variable of this `core.alloca`.
    Variable(Ptr<Operation>),
    /// Into the shared variable of this `simt.shared`.
    Shared(Ptr<Operation>),
    /// Into the variable of the user's program whose address is this argument of a kernel.
    Mapped(Value),
    /// Anywhere else.
    Other,
}

/// Addresses that are followed before giving up; a chain may be a circle.
const LONGEST_CHAIN: usize = 64;

/// Where `address` points.
pub fn root(ctx: &Context, address: Value) -> Root {
    let mut at = address;
    for _ in 0..LONGEST_CHAIN {
        let Some(op) = at.defining_op() else {
            return match is_variable(ctx, at) {
                true => Root::Mapped(at),
                false => Root::Other,
            };
        };
        if Operation::is_op::<Alloca>(op, ctx) {
            return Root::Variable(op);
        }
        if Operation::is_op::<Shared>(op, ctx) {
            return Root::Shared(op);
        }
        at = match base(ctx, op).or_else(|| only_value(ctx, op)) {
            Some(base) => base,
            None => return Root::Other,
        };
    }
    Root::Other
}

/// Whether an argument is the address of a mapped variable, not the value of a pointer, which may be that of another one,
/// too.
fn is_variable(ctx: &Context, argument: Value) -> bool {
    let Some(block) = argument.get_parent_block(ctx) else {
        return false;
    };
    let position = block
        .deref(ctx)
        .arguments()
        .position(|other| other == argument);
    let kernel = block.deref(ctx).get_parent_op(ctx);
    let described = kernel.and_then(|kernel| PARAMETERS.get(ctx, kernel));
    let parameter = position
        .zip(described)
        .and_then(|(index, all)| all.0.get(index).cloned());
    parameter.is_some_and(|parameter| parameter.variable)
}

/// What an address was made from.
fn base(ctx: &Context, op: Ptr<Operation>) -> Option<Value> {
    if let Some(op) = Operation::get_op::<PtrAdd>(op, ctx) {
        return Some(op.get_operand_base(ctx));
    }
    if let Some(op) = Operation::get_op::<Decay>(op, ctx) {
        return Some(op.get_operand_array(ctx));
    }
    if let Some(op) = Operation::get_op::<Member>(op, ctx) {
        return Some(op.get_operand_record(ctx));
    }
    let cast = Operation::get_op::<Cast>(op, ctx)?;
    (cast.kind(ctx) == CastKind::PtrCast).then(|| cast.get_operand_value(ctx))
}

/// What a load gives, if it reads a variable that is stored to in one place only.
fn only_value(ctx: &Context, op: Ptr<Operation>) -> Option<Value> {
    let load = Operation::get_op::<Load>(op, ctx)?;
    let variable = load.get_operand_address(ctx).defining_op()?;
    only_store(ctx, variable).map(|store| store.get_operand_value(ctx))
}

/// The only store to a variable that is otherwise loaded directly.
fn only_store(ctx: &Context, variable: Ptr<Operation>) -> Option<Store> {
    let variable = Operation::get_op::<Alloca>(variable, ctx)?;
    let mut only = None;
    for u in variable.get_result(ctx).uses(ctx) {
        let (user, index) = (u.user_op(), u.find_index(ctx));
        match Operation::get_op::<Store>(user, ctx) {
            Some(store) if index == 1 && only.is_none() => only = Some(store),
            Some(_) => return None,
            None if Operation::is_op::<Load>(user, ctx) => {}
            None => return None,
        }
    }
    only
}

/// What an operation does with the address of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Loads the whole variable.
    Load,
    /// Stores to the whole variable.
    Store,
    /// Reads in another way.
    Read,
    /// Writes in another way.
    Write,
    /// Accesses the whole variable atomically.
    Atomic,
    /// A reduction builtin, which works on each thread's own copy.
    Reduction,
    /// Lets the address out of sight.
    Escape,
}

/// The uses of the variable whose address is `variable`.
pub fn uses(ctx: &Context, variable: Value) -> Vec<(Ptr<Operation>, Access)> {
    let mut found = vec![];
    let mut open = vec![variable];
    let mut seen = vec![];
    while let Some(address) = open.pop() {
        if seen.contains(&address) {
            continue;
        }
        seen.push(address);
        for u in address.uses(ctx) {
            let (op, index) = (u.user_op(), u.find_index(ctx));
            let whole = address == variable;
            match follow(ctx, op, index, whole) {
                Step::Access(access) => found.push((op, access)),
                Step::Addresses(more) => open.extend(more),
            }
        }
    }
    found
}

enum Step {
    Access(Access),
    Addresses(Vec<Value>),
}

fn follow(ctx: &Context, op: Ptr<Operation>, index: usize, whole: bool) -> Step {
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        let plain = whole && !load.is_volatile(ctx);
        return Step::Access(if plain { Access::Load } else { Access::Read });
    }
    if let Some(store) = Operation::get_op::<Store>(op, ctx) {
        if index == 1 {
            let plain = whole && !store.is_volatile(ctx);
            return Step::Access(if plain { Access::Store } else { Access::Write });
        }
        let pointer = store.get_operand_address(ctx).defining_op();
        let pointer = pointer.filter(|p| only_store(ctx, *p).is_some());
        return match pointer {
            Some(pointer) => Step::Addresses(loads_of(ctx, pointer)),
            None => Step::Access(Access::Escape),
        };
    }
    if Operation::is_op::<Copy>(op, ctx) {
        return Step::Access(if index == 0 {
            Access::Write
        } else {
            Access::Read
        });
    }
    if Operation::is_op::<Zero>(op, ctx)
        || Operation::is_op::<StoreBits>(op, ctx)
        || Operation::is_op::<Locked>(op, ctx)
    {
        return Step::Access(Access::Write);
    }
    if Operation::is_op::<LoadBits>(op, ctx) || Operation::is_op::<AtomicLoad>(op, ctx) {
        return Step::Access(Access::Read);
    }
    if Operation::is_op::<AtomicUpdate>(op, ctx)
        || (Operation::is_op::<AtomicStore>(op, ctx) && index == 1)
    {
        return Step::Access(if whole { Access::Atomic } else { Access::Write });
    }
    if Operation::is_op::<PtrDiff>(op, ctx)
        || Operation::is_op::<Cmp>(op, ctx)
        || Operation::is_op::<Extent>(op, ctx)
    {
        return Step::Addresses(vec![]);
    }
    if base(ctx, op).is_some() {
        return Step::Addresses(op.deref(ctx).results().collect());
    }
    let object = Operation::get_op_dyn(op, ctx);
    match op_cast::<dyn ReductionOp>(&*object) {
        Some(_) if index == 0 => Step::Access(Access::Reduction),
        Some(_) | None => Step::Access(Access::Escape),
    }
}

/// The values loaded from a variable that is only loaded from and stored to.
fn loads_of(ctx: &Context, variable: Ptr<Operation>) -> Vec<Value> {
    let uses: Vec<_> = variable.deref(ctx).uses().map(|u| u.user_op()).collect();
    uses.into_iter()
        .filter_map(|op| Operation::get_op::<Load>(op, ctx))
        .map(|load| load.get_result(ctx))
        .collect()
}
