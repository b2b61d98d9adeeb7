//! Notes for whoever checks the GPU code: which operations are in a single mode, so that one thread has their effects.
//!
//! ```text
//! core.store %v, %p      in block mode     →     //@ accrue single block
//!                                                @%leader st.global.u32 …
//!                                                //@ accrue single end
//! ```
//! The notes come from the forks around an operation, the condition from [`super::silence`]: where one of the two is
//! wrong, the simulator finds a thread too many.

use super::{
    calls::{Calls, Kind},
    modes::{Mode, operations},
    unit::Unit,
};
use crate::expanded::Single;
use accrue_dialects::core::Call;
use accrue_ir::effects::effects_of;
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
};

/// Notes the operations of the function that have effects in single modes.
pub fn note(ctx: &Context, unit: &mut Unit, calls: &Calls) {
    let guards = &unit.guards;
    let all = operations(ctx, unit.function, unit.base, &|op| {
        guards.contains_key(&op)
    });
    let found = all.into_iter().filter_map(|(op, mode)| {
        let noted = !unit.guards.contains_key(&op) && has_effects(ctx, calls, op);
        Some((op, single(mode).filter(|_| noted)?))
    });
    unit.single = found.collect();
}

fn single(mode: Mode) -> Option<Single> {
    match (mode.worker, mode.vector) {
        (_, true) => None,
        (true, false) => Some(Single::Worker),
        (false, false) => Some(Single::Block),
    }
}

/// Whether the operation itself, not those inside it, writes memory or calls a function that one thread runs.
fn has_effects(ctx: &Context, calls: &Calls, op: Ptr<Operation>) -> bool {
    if let Some(call) = Operation::get_op::<Call>(op, ctx) {
        return match calls.kind(&call.callee(ctx)) {
            Kind::Seq => true,
            Kind::Vector | Kind::Block => false,
        };
    }
    effects_of(ctx, op).may_write()
}
