//! Arrays whose length turns out to be constant get an array type.
//!
//! ```text
//! %n = core.const 8   %p = core.alloca %n : ptr f64    →    %a = core.alloca : ptr [8 x f64]   %p = core.decay %a
//! ```
//! `private(p[0:8])` makes such arrays.

use super::at::Emitter;
use accrue_dialects::core::{Alloca, ArrayType, Const, Decay};
use accrue_ir::walk::nested;
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};

/// Replaces them in `function`.
pub fn expand(ctx: &mut Context, function: Ptr<Operation>) {
    for alloca in nested::<Alloca>(ctx, function) {
        let count = alloca.count(ctx).and_then(|c| c.defining_op());
        let count = count.and_then(|op| Operation::get_op::<Const>(op, ctx));
        let Some(length) = count.and_then(|c| u64::try_from(c.value(ctx)).ok()) else {
            continue;
        };
        let (element, variable) = (alloca.var_type(ctx), alloca.variable(ctx));
        let ty = ArrayType::get(ctx, length, element).into();
        let (op, old) = (alloca.get_operation(), alloca.get_result(ctx));
        let mut at = Emitter::before(ctx, op);
        let array = at.make(|c| Alloca::new(c, ty, variable));
        let Some(decay) = Decay::new(at.ctx, array) else {
            continue;
        };
        let new = at.make(|_| decay);
        old.replace_all_uses_with(ctx, &new);
        Operation::erase(op, ctx);
    }
}
