//! Which accesses are of local variables by their names, and which load from arrays: what may change places in straight code.
//!
//! ```text
//! core.load %counter      Variable(%counter)
//! core.load %element      ArrayLoad
//! core.store …, %element  Other
//! ```
//! Cost: the uses of each variable, once.

use accrue_dialects::core::{Load, Store, is_scalar, pointee};
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
    value::Value,
};
use std::collections::HashMap;

use crate::analysis::variables::is_local_scalar;

/// What an operation accesses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// A local variable by its name: a scalar that is only loaded and stored.
    Variable(Value),
    /// Loads from anything else.
    ArrayLoad,
    /// Stores to anything else, or is no plain load or store.
    Other,
}

/// The accesses of a function.
#[derive(Default)]
pub struct PlainAccesses {
    /// Whether a local variable is a scalar that is only loaded and stored.
    plain: HashMap<Value, bool>,
}

impl PlainAccesses {
    pub fn of(&mut self, ctx: &Context, op: Ptr<Operation>) -> Access {
        let load = Operation::get_op::<Load>(op, ctx).filter(|load| !load.is_volatile(ctx));
        let store = Operation::get_op::<Store>(op, ctx).filter(|store| !store.is_volatile(ctx));
        let address = match (load, store) {
            (Some(load), _) => load.get_operand_address(ctx),
            (_, Some(store)) => store.get_operand_address(ctx),
            (None, None) => return Access::Other,
        };
        let plain = *self
            .plain
            .entry(address)
            .or_insert_with(|| is_local_scalar(ctx, address) && holds_scalar(ctx, address));
        match (plain, load) {
            (true, _) => Access::Variable(address),
            (false, Some(_)) => Access::ArrayLoad,
            (false, None) => Access::Other,
        }
    }
}

fn holds_scalar(ctx: &Context, address: Value) -> bool {
    pointee(ctx, address).is_some_and(|ty| is_scalar(ctx, ty))
}
