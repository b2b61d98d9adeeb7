//! Pointers that a compute construct only compares with others, and takes differences of: the ends of loops over pointers.
//!
//! ```text
//! const int *end = a + n;                                        end: a limit; on a device it is where the device's a ends
//! #pragma acc parallel loop copyin(a[0:n])
//! for (const int *p = a; p < end; p++) … *p …
//! ```
//! One past the end of data is in no data, or where other data begin. C compares pointers into one object only, so that such a pointer
//! means a place in, or the end of, what it is compared with: the runtime translates it by that (the flag `limit`).
//!
//! A pointer that is only looked at, and leads to nothing that is present, keeps its value (the flag `value`): nothing can be done with it
//! that a device cannot do.

use accrue_dialects::core::{Alloca, Cast, Cmp, Decay, Load, PointerType, PtrAdd, PtrDiff, Store};
use accrue_dialects::par::Kernel;
use accrue_hostcall::{Action, SiteVar};
use accrue_ir::walk::operands_of;
use accrue_opt::analysis::variables::is_parameter;
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::{Context, Ptr},
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashSet;

/// The parameter that parameter `index` of the kernels of a construct, which is `var`, is compared with, if it is a limit.
pub fn limited(
    ctx: &Context,
    kernels: &[(Kernel, FuncOp)],
    index: usize,
    var: &SiteVar,
) -> Option<usize> {
    if var.action != Action::Pointer {
        return None;
    }
    let mut partners = vec![];
    for (_, func) in kernels {
        let entry = func.get_entry_block(ctx);
        let parameter = entry.deref(ctx).get_argument(index);
        only_compared(ctx, parameter, &mut partners)?;
    }
    let first = partners.first().copied()?;
    let same = partners.iter().all(|partner| *partner == first);
    (same && first != index).then_some(first)
}

/// Whether the kernels of a construct look at the pointer in parameter `index`, which is `var`, and not at what it leads to.
pub fn is_only_a_value(
    ctx: &Context,
    kernels: &[(Kernel, FuncOp)],
    index: usize,
    var: &SiteVar,
) -> bool {
    var.action == Action::Pointer
        && kernels.iter().all(|(_, func)| {
            let entry = func.get_entry_block(ctx);
            let parameter = entry.deref(ctx).get_argument(index);
            is_looked_at(ctx, parameter)
        })
}

/// Whether that is all that is done with `value`, and with what is computed from it or stored with it in a local variable.
fn is_looked_at(ctx: &Context, value: Value) -> bool {
    let (mut pending, mut seen) = (vec![value], HashSet::from([value]));
    while let Some(value) = pending.pop() {
        for used in value.uses(ctx) {
            let op = used.user_op();
            if Operation::is_op::<Cmp>(op, ctx) || Operation::is_op::<PtrDiff>(op, ctx) {
                continue;
            }
            let mut found = Vec::new();
            if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
                let result = cast.get_result(ctx);
                found.extend(is_pointer(ctx, result).then_some(result));
            } else if let Some(add) = Operation::get_op::<PtrAdd>(op, ctx) {
                found.push(add.get_result(ctx));
            } else {
                match held(ctx, op, value) {
                    Some(loads) => found.extend(loads),
                    None => return false,
                }
            }
            pending.extend(found.into_iter().filter(|it| seen.insert(*it)));
        }
    }
    true
}

/// What is loaded from the local variable that `op` stores `value` in, which is only stored to and loaded.
fn held(ctx: &Context, op: Ptr<Operation>, value: Value) -> Option<Vec<Value>> {
    let store = Operation::get_op::<Store>(op, ctx)?;
    let address = store.get_operand_address(ctx);
    Operation::get_op::<Alloca>(address.defining_op()?, ctx)?;
    if store.get_operand_value(ctx) != value {
        return None;
    }
    let mut loads = Vec::new();
    for used in address.uses(ctx) {
        let op = used.user_op();
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            loads.push(load.get_result(ctx));
            continue;
        }
        let store = Operation::get_op::<Store>(op, ctx)?;
        if store.get_operand_address(ctx) != address {
            return None;
        }
    }
    Some(loads)
}

fn is_pointer(ctx: &Context, value: Value) -> bool {
    value.get_type(ctx).deref(ctx).is::<PointerType>()
}

/// Adds the parameters that the pointer `value`, and what is computed from it, are compared with. `None`: it has other uses, or is
/// compared with something else.
fn only_compared(ctx: &Context, value: Value, partners: &mut Vec<usize>) -> Option<()> {
    for used in value.uses(ctx) {
        let op = used.user_op();
        if Operation::is_op::<Cmp>(op, ctx) || Operation::is_op::<PtrDiff>(op, ctx) {
            let other = operands_of(ctx, op)
                .into_iter()
                .find(|other| *other != value)?;
            partners.push(parameter_behind(ctx, other)?);
        } else if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
            only_compared(ctx, cast.get_result(ctx), partners)?;
        } else if let Some(add) = Operation::get_op::<PtrAdd>(op, ctx) {
            only_compared(ctx, add.get_result(ctx), partners)?;
        } else {
            let store = Operation::get_op::<Store>(op, ctx)?;
            let address = store.get_operand_address(ctx);
            if store.get_operand_value(ctx) != value || only_store(ctx, address)? != value {
                return None;
            }
            for used in address.uses(ctx) {
                if let Some(load) = Operation::get_op::<Load>(used.user_op(), ctx) {
                    only_compared(ctx, load.get_result(ctx), partners)?;
                }
            }
        }
    }
    Some(())
}

/// The parameter that the pointer `value` is, or is computed from.
fn parameter_behind(ctx: &Context, value: Value) -> Option<usize> {
    let Some(op) = value.defining_op() else {
        let index = value.try_find_index(ctx).ok();
        return index.filter(|_| is_parameter(ctx, value));
    };
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        return parameter_behind(ctx, only_store(ctx, load.get_operand_address(ctx))?);
    }
    let is_computed = Operation::is_op::<Cast>(op, ctx)
        || Operation::is_op::<PtrAdd>(op, ctx)
        || Operation::is_op::<Decay>(op, ctx);
    let base = operands_of(ctx, op).first().copied();
    parameter_behind(ctx, base.filter(|_| is_computed)?)
}

/// What a local variable holds that is stored once and else only loaded.
fn only_store(ctx: &Context, address: Value) -> Option<Value> {
    let alloca = address.defining_op()?;
    Operation::get_op::<Alloca>(alloca, ctx)?;
    let mut stored = None;
    for used in address.uses(ctx) {
        let op = used.user_op();
        if Operation::is_op::<Load>(op, ctx) {
            continue;
        }
        let store = Operation::get_op::<Store>(op, ctx)?;
        if stored.is_some() || store.get_operand_address(ctx) != address {
            return None;
        }
        stored = Some(store.get_operand_value(ctx));
    }
    stored
}
