//! Results of reductions that the kernel itself uses, outside of the reductions (part of the pass `reductions`).
//!
//! ```text
//! #pragma acc parallel num_gangs(n) copy(s)
//! {
//! #pragma acc loop vector reduction(+:s)
//!     for (…) s += a[i];
//!     b[0] = s;                       in use: where one gang runs, this is the sum
//! }
//! ```
//!
//! With several gangs the update of a variable that they share takes place by the end of the construct, and until then its
//! value is undefined (OpenACC 3.4, section 2.9.11). With one gang nothing is left to wait for. Back ends need not care
//! where nothing else in the kernel touches the variable, as is the rule; `par.red_fini` says where something does.

use accrue_dialects::{
    core::{Cast, Decay, Load, Member, PtrAdd, Store, pointee, pointee_of},
    par::{Level, RedFini, ReductionOp},
};
use accrue_ir::walk;
use pliron::{
    builtin::{op_interfaces::OneOpdInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::{Op, op_impls},
    operation::Operation,
    value::Value,
};

use std::collections::HashSet;

use crate::analysis::variables::is_parameter;

/// Marks the gang reductions of `func` whose RESULT is in use. `own`: loads of it that belong to reductions.
pub fn mark(ctx: &Context, func: FuncOp, own: &HashSet<Ptr<Operation>>) {
    for fini in walk::nested::<RedFini>(ctx, func.get_operation()) {
        let result = fini.result_ref(ctx);
        let Some(result) = result.filter(|_| fini.info(ctx).level == Level::Gang) else {
            continue;
        };
        if is_used(ctx, variable(ctx, result), own) {
            fini.set_result_in_use(ctx);
        }
    }
}

/// The variable that `address` leads into: a parameter, or the local copy of a pointer.
fn variable(ctx: &Context, address: Value) -> Value {
    let mut at = address;
    while let Some(from) = origin(ctx, at) {
        at = from;
    }
    at
}

fn origin(ctx: &Context, address: Value) -> Option<Value> {
    let op = address.defining_op()?;
    if let Some(member) = Operation::get_op::<Member>(op, ctx) {
        return Some(member.get_operand(ctx));
    }
    if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
        return Some(decay.get_operand(ctx));
    }
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        return Some(cast.get_operand_value(ctx));
    }
    if let Some(element) = Operation::get_op::<PtrAdd>(op, ctx) {
        return Some(element.get_operand_base(ctx));
    }
    let load = Operation::get_op::<Load>(op, ctx)?;
    Some(load.get_operand_address(ctx))
}

/// Whether something but reductions uses the memory that `address` leads to.
fn is_used(ctx: &Context, address: Value, own: &HashSet<Ptr<Operation>>) -> bool {
    let is_pointer = pointee(ctx, address).is_some_and(|t| pointee_of(ctx, t).is_some());
    address.uses(ctx).into_iter().any(|used| {
        let op = used.user_op();
        if own.contains(&op) || op_impls::<dyn ReductionOp>(&*Operation::get_op_dyn(op, ctx)) {
            return false;
        }
        if let Some(store) = Operation::get_op::<Store>(op, ctx).filter(|_| is_pointer) {
            // The local copy of a pointer gets its value at the kernel's start.
            return !is_parameter(ctx, store.get_operand_value(ctx));
        }
        let derived = Operation::is_op::<Member>(op, ctx)
            || Operation::is_op::<Decay>(op, ctx)
            || Operation::is_op::<Cast>(op, ctx)
            || Operation::is_op::<PtrAdd>(op, ctx)
            || is_pointer && Operation::is_op::<Load>(op, ctx);
        !derived || is_used(ctx, op.deref(ctx).get_result(0), own)
    })
}
