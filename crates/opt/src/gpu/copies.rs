//! Copies of small structs become loads and stores of their members, which can be followed.
//!
//! ```text
//! core.copy %to <- %from        →        %x = core.load %from.x;    %y = core.load %from.y
//!                                        core.store %x, %to.x;      core.store %y, %to.y
//! ```
//! A stack of structs in local memory, whose top is copied and then changed, is read and written once instead of three times. Adjacent
//! members are moved together in the end, as a copy is.
//!
//! Structs of up to [`MOST_MEMBERS`] scalars, without unions and bit-fields; what reductions combine stays as it is. Cost: linear.

use accrue_dialects::{
    address_use::object_of,
    core::{Copy, Member, emit::Emitter, is_scalar, pointee},
    par::ReductionOp,
};
use accrue_ir::walk::nested;
use pliron::{
    builtin::ops::FuncOp, context::Context, op::Op, op::op_cast, operation::Operation, value::Value,
};

use crate::analysis::{
    records::{Leaf, Records},
    variables::is_in_variable,
};

/// Larger structs are moved as a whole.
const MOST_MEMBERS: usize = 8;

/// Takes apart the copies in a function.
pub(super) fn expand(ctx: &mut Context, func: FuncOp, records: &Records) {
    expand_some(ctx, func, records, |_, _, _| true);
}

/// Takes apart those from one part of a variable to another one, as in a list that is kept in order: `best[k] = best[k - 1]`.
pub(super) fn expand_within(ctx: &mut Context, func: FuncOp, records: &Records) {
    expand_some(ctx, func, records, |ctx, to, from| {
        is_in_variable(ctx, to) && object_of(ctx, to) == object_of(ctx, from)
    });
}

fn expand_some(
    ctx: &mut Context,
    func: FuncOp,
    records: &Records,
    is_wanted: impl Fn(&Context, Value, Value) -> bool,
) {
    for copy in nested::<Copy>(ctx, func.get_operation()) {
        let (to, from) = (copy.get_operand_to(ctx), copy.get_operand_from(ctx));
        if !is_wanted(ctx, to, from) {
            continue;
        }
        let leaves = pointee(ctx, to).and_then(|ty| records.leaves(ctx, ty, MOST_MEMBERS));
        let Some(leaves) = leaves.filter(|l| l.iter().all(|leaf| is_scalar(ctx, leaf.ty))) else {
            continue;
        };
        if is_reduced(ctx, to) || is_reduced(ctx, from) {
            continue;
        }
        let mut e = Emitter::before(ctx, copy.get_operation());
        let mut values = vec![];
        for leaf in &leaves {
            let address = member(&mut e, from, leaf, records);
            values.push(e.load(address));
        }
        for (leaf, value) in leaves.iter().zip(values) {
            let address = member(&mut e, to, leaf, records);
            e.store(value, address);
        }
        Operation::erase(copy.get_operation(), ctx);
    }
}

/// The address of a member of the struct at `address`.
fn member(e: &mut Emitter, address: Value, leaf: &Leaf, records: &Records) -> Value {
    let mut at = address;
    for field in &leaf.fields {
        let record = pointee(e.ctx, at);
        let fields = record.and_then(|record| records.fields_of(e.ctx, record));
        let Some(ty) = fields.and_then(|fields| fields.get(*field as usize).copied()) else {
            return at;
        };
        let op = Member::new(e.ctx, at, *field, ty);
        at = e.value(op);
    }
    at
}

/// Whether a reduction has the object.
fn is_reduced(ctx: &Context, address: Value) -> bool {
    object_of(ctx, address).uses(ctx).into_iter().any(|using| {
        let op = Operation::get_op_dyn(using.user_op(), ctx);
        op_cast::<dyn ReductionOp>(&*op).is_some()
    })
}
