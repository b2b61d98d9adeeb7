//! Whether a kernel takes pointers from memory that others reach, or puts them there.
//!
//! ```text
//! s[i].next->x = 1;                 yes: a pointer that somebody stored
//! s[i].next = &s[j];                yes: one that somebody will load
//! p = &a[i]; *p = 1; s[j] = s[i];   no: a variable of the kernel's, and bytes that are moved as they are
//! ```
//! Such a kernel has the pointers in memory translated where it runs on the host in place of a device, since its data is elsewhere
//! there. No other one does: a number that equals an address stays what it is.
//!
//! Cost: linear in the operations of the kernel and of the functions that it calls.

use super::read_only::Functions;
use accrue_dialects::core::{
    Alloca, AtomicLoad, AtomicStore, Call, Cast, CastKind, Load, Store, pointee_of,
};
use accrue_ir::walk::{nested_ops, operands_of};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashSet;

/// Whether `kernel`, or a function that it calls, does so, or a function without body here may.
pub fn pointers_in_memory(ctx: &Context, kernel: FuncOp, functions: &Functions) -> bool {
    let mut seen: HashSet<String> = HashSet::new();
    let mut waiting = vec![kernel];
    while let Some(func) = waiting.pop() {
        for op in nested_ops(ctx, func.get_operation()) {
            if moves_pointer(ctx, op) {
                return true;
            }
            let Some(call) = Operation::get_op::<Call>(op, ctx) else {
                continue;
            };
            let name = call.callee(ctx);
            match functions.get(&name) {
                Some(callee) if !seen.contains(&name) => {
                    waiting.push(*callee);
                    seen.insert(name);
                }
                Some(_) => {}
                None if functions.externs.known(&name).is_some() => {}
                None if operands_of(ctx, op).iter().any(|v| is_pointer(ctx, *v)) => return true,
                None => {}
            }
        }
    }
    false
}

fn moves_pointer(ctx: &Context, op: Ptr<Operation>) -> bool {
    let operand = |index: usize| operands_of(ctx, op).get(index).copied();
    let (value, address) = if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        (Some(load.get_result(ctx)), operand(0))
    } else if let Some(load) = Operation::get_op::<AtomicLoad>(op, ctx) {
        (Some(load.get_result(ctx)), operand(0))
    } else if Operation::get_op::<Store>(op, ctx).is_some()
        || Operation::get_op::<AtomicStore>(op, ctx).is_some()
    {
        (operand(0), operand(1))
    } else if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        return matches!(cast.kind(ctx), CastKind::PtrToInt | CastKind::IntToPtr);
    } else {
        return false;
    };
    let is_variable = |address: Value| {
        address
            .defining_op()
            .is_some_and(|op| Operation::get_op::<Alloca>(op, ctx).is_some())
    };
    value.is_some_and(|value| is_pointer(ctx, value)) && !address.is_some_and(is_variable)
}

fn is_pointer(ctx: &Context, value: Value) -> bool {
    pointee_of(ctx, value.get_type(ctx)).is_some()
}
