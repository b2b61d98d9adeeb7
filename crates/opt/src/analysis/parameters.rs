//! What a kernel does with the memory behind its parameters, while they are still in local variables.
//!
//! ```text
//! %a = core.alloca "a"; core.store %a_param, %a      a parameter, all the time, if nothing else is stored there
//! … core.load (core.load %a)[i] …                    behind it
//! … core.load (core.load (core.load %a)[i])[j] …     a pointer from memory: anywhere
//! ```
//! The launch can tell whether what is written is behind two parameters; it knows nothing of other memory.
//!
//! Cost: linear in the size of the function, times the local pointers on the way.

use accrue_dialects::{
    address_use::{UseKind, object_of, use_of},
    core::{Alloca, Load, Store, pointee},
    par::Reduce,
};
use accrue_ir::walk::{nested, nested_ops, operands_of};
use pliron::{builtin::ops::FuncOp, context::Context, op::Op, operation::Operation, value::Value};

use crate::analysis::variables::{is_local_scalar, is_parameter};

/// Whether all that a kernel stores is in its own variables, or behind other parameters than that in `variable`.
pub fn stores_elsewhere(ctx: &Context, kernel: FuncOp, variable: Value) -> bool {
    let stores = nested::<Store>(ctx, kernel.get_operation());
    stores.into_iter().all(|store| {
        let object = object_of(ctx, store.get_operand_address(ctx)).defining_op();
        object.is_some_and(|op| match Operation::get_op::<Load>(op, ctx) {
            Some(load) => {
                let other = load.get_operand_address(ctx);
                other != variable && is_kept_parameter(ctx, other)
            }
            None => Operation::is_op::<Alloca>(op, ctx),
        })
    })
}

/// Whether a local variable holds a parameter of the function all the time.
pub fn is_kept_parameter(ctx: &Context, variable: Value) -> bool {
    let users = variable.uses(ctx).into_iter().map(|using| using.user_op());
    let mut stores = users.filter_map(|op| Operation::get_op::<Store>(op, ctx));
    let (Some(store), None) = (stores.next(), stores.next()) else {
        return false;
    };
    is_local_scalar(ctx, variable) && is_parameter(ctx, store.get_operand_value(ctx))
}

/// Whether all memory that the function accesses is its own, or behind a parameter as far as can be seen.
pub fn is_behind_parameters(ctx: &Context, func: FuncOp) -> bool {
    nested_ops(ctx, func.get_operation()).into_iter().all(|op| {
        let operands = operands_of(ctx, op).into_iter().enumerate();
        let mut pointers = operands.filter(|(_, value)| pointee(ctx, *value).is_some());
        pointers.all(|(index, value)| match use_of(ctx, op, index) {
            UseKind::Derive | UseKind::Look => true,
            UseKind::Read { volatile } | UseKind::Write { volatile } => {
                !volatile && parameters_behind(ctx, value).is_some()
            }
            UseKind::Keep => Operation::is_op::<Store>(op, ctx),
            UseKind::Update { .. } | UseKind::Pass | UseKind::Clause => {
                Operation::is_op::<Reduce>(op, ctx)
            }
        })
    })
}

/// The parameters that an address may lead behind, none if it is that of a local variable; `None` if that cannot be seen.
pub fn parameters_behind(ctx: &Context, address: Value) -> Option<Vec<Value>> {
    follow(ctx, address, MOST_STEPS)
}

/// Local variables that a pointer is followed through.
const MOST_STEPS: usize = 8;

fn follow(ctx: &Context, address: Value, steps: usize) -> Option<Vec<Value>> {
    let object = object_of(ctx, address);
    let Some(op) = object.defining_op() else {
        return is_parameter(ctx, object).then(|| vec![object]);
    };
    if Operation::is_op::<Alloca>(op, ctx) {
        return Some(vec![]);
    }
    let variable = Operation::get_op::<Load>(op, ctx)?.get_operand_address(ctx);
    if steps == 0 || !is_local_scalar(ctx, variable) {
        return None;
    }
    let users = variable.uses(ctx).into_iter().map(|using| using.user_op());
    let stored = users
        .filter_map(|op| Operation::get_op::<Store>(op, ctx))
        .map(|store| store.get_operand_value(ctx));
    // A pointer that moves on leads where it has led before.
    let moves_on = |value: &Value| {
        let load = object_of(ctx, *value).defining_op();
        let load = load.and_then(|op| Operation::get_op::<Load>(op, ctx));
        load.is_some_and(|load| load.get_operand_address(ctx) == variable)
    };
    let started = stored.filter(|value| !moves_on(value));
    let all = started.map(|value| follow(ctx, value, steps - 1));
    all.collect::<Option<Vec<_>>>().map(|all| all.concat())
}
