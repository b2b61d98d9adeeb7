//! Which variable an address leads into, and what is done with a variable's address.
//!
//! Addresses are followed through subscripts, members and conversions, and through a pointer variable that gets its value
//! in one place only (`double *p = tmp;`).

use crate::dialect::Shared;
use accrue_dialects::{
    address_use::{UseKind, derived_from, use_of},
    core::{Alloca, Atomic, Load, Store},
    par::{Builtin, kernels::is_variable},
};
use accrue_ir::walk;
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
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
        at = match derived_from(ctx, at).or_else(|| only_value(ctx, op)) {
            Some(base) => base,
            None => return Root::Other,
        };
    }
    Root::Other
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
    let access = match use_of(ctx, op, index) {
        UseKind::Read { volatile } => {
            let plain = whole && !volatile && Operation::is_op::<Load>(op, ctx);
            if plain { Access::Load } else { Access::Read }
        }
        UseKind::Write { volatile } => {
            let plain = whole && !volatile && Operation::is_op::<Store>(op, ctx);
            let atomic = whole && Atomic::of(ctx, op).is_some();
            match (plain, atomic) {
                (true, _) => Access::Store,
                (false, true) => Access::Atomic,
                (false, false) => Access::Write,
            }
        }
        UseKind::Update { .. } => match (Builtin::of(ctx, op), Atomic::of(ctx, op)) {
            (Some(_), _) if index == 0 => Access::Reduction,
            (Some(_), _) => Access::Escape,
            (None, Some(_)) if whole => Access::Atomic,
            (None, _) => Access::Write,
        },
        // What has an address is in memory.
        UseKind::Look => Access::Read,
        UseKind::Derive => {
            let results = walk::results_of(ctx, op);
            let followed = |address: &Value| derived_from(ctx, *address).is_some();
            match results.iter().all(followed) {
                true => return Step::Addresses(results),
                false => Access::Escape,
            }
        }
        UseKind::Keep => {
            let kept = Operation::get_op::<Store>(op, ctx);
            let pointer = kept.and_then(|store| store.get_operand_address(ctx).defining_op());
            match pointer.filter(|p| only_store(ctx, *p).is_some()) {
                Some(pointer) => return Step::Addresses(loads_of(ctx, pointer)),
                None => Access::Escape,
            }
        }
        UseKind::Pass | UseKind::Clause => Access::Escape,
    };
    Step::Access(access)
}

/// The values loaded from a variable that is only loaded from and stored to.
fn loads_of(ctx: &Context, variable: Ptr<Operation>) -> Vec<Value> {
    let uses: Vec<_> = variable.deref(ctx).uses().map(|u| u.user_op()).collect();
    uses.into_iter()
        .filter_map(|op| Operation::get_op::<Load>(op, ctx))
        .map(|load| load.get_result(ctx))
        .collect()
}
