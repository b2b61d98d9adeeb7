//! Structs whose fields become variables of their own, where not all of them can become scalars.
//!
//! ```text
//! struct { unsigned word[19]; size_t now; } t;          unsigned word[19];  size_t now;
//! x = t.word[t.now];                               →    x = word[now];
//! t.now = (t.now + 1) % 19;                             now = (now + 1) % 19;
//! ```
//! The state of a random number generator is an array and a place in it. The array stays in memory, since nobody knows the place; the place
//! need not, and what is known of it then makes the remainder a comparison.
//!
//! What is done: structs that are used by their fields, zeroed and copied as a whole, with fields from which no address goes anywhere
//! else, or on to other fields. Cost: linear in the uses.

use crate::analysis::records::Records;
use accrue_dialects::{
    address_use::{UseKind, use_of},
    core::{Alloca, Copy, Decay, Member, PtrAdd, Zero, emit::Emitter, is_scalar},
};
use pliron::{
    builtin::op_interfaces::OneResultInterface, context::Context, op::Op, operation::Operation,
    r#type::TypeHandle, value::Value,
};

/// Fields of a struct that is taken apart.
const MOST_FIELDS: usize = 16;

/// Takes the variable apart, if it is such a struct; whether it was.
pub(super) fn take_apart(ctx: &mut Context, records: &Records, alloca: Alloca) -> bool {
    let ty = alloca.var_type(ctx);
    let Some(types) = records.fields_of(ctx, ty).map(<[TypeHandle]>::to_vec) else {
        return false;
    };
    let can = alloca.count(ctx).is_none()
        && (2..=MOST_FIELDS).contains(&types.len())
        && records.elements_of(ctx, ty).is_none();
    let Some(uses) = can.then(|| Uses::of(ctx, alloca, &types)).flatten() else {
        return false;
    };
    let of_thread = alloca.is_of_thread(ctx);
    let mut e = Emitter::before(ctx, alloca.get_operation());
    let own = types.iter().map(|ty| {
        let field = Alloca::new(e.ctx, *ty, None);
        if of_thread {
            field.set_of_thread(e.ctx);
        }
        e.value(field)
    });
    let own: Vec<Value> = own.collect();
    for member in uses.members {
        let field = own[member.field(ctx) as usize];
        member.get_result(ctx).replace_all_uses_with(ctx, &field);
        Operation::erase(member.get_operation(), ctx);
    }
    for zero in uses.zeros {
        let mut e = Emitter::before(ctx, zero.get_operation());
        for (ty, field) in types.iter().zip(&own) {
            if is_scalar(e.ctx, *ty) {
                let zero = e.zero(*ty);
                e.store(zero, *field);
            } else {
                let zero = Zero::new(e.ctx, *field);
                e.push(zero);
            }
        }
        Operation::erase(zero.get_operation(), ctx);
    }
    for copy in uses.copies {
        copy_fields(ctx, copy, alloca.get_result(ctx), &types, &own);
    }
    Operation::erase(alloca.get_operation(), ctx);
    true
}

/// How a struct is used.
struct Uses {
    members: Vec<Member>,
    zeros: Vec<Zero>,
    copies: Vec<Copy>,
}

impl Uses {
    fn of(ctx: &Context, alloca: Alloca, types: &[TypeHandle]) -> Option<Uses> {
        let mut found = Uses {
            members: vec![],
            zeros: vec![],
            copies: vec![],
        };
        let mut gains = false;
        let address = alloca.get_result(ctx);
        for using in address.uses(ctx) {
            let op = using.user_op();
            if let Some(member) = Operation::get_op::<Member>(op, ctx) {
                let ty = *types.get(member.field(ctx) as usize)?;
                gains |= is_scalar(ctx, ty);
                stays_in_field(ctx, member.get_result(ctx), false)?;
                found.members.push(member);
            } else if let Some(zero) = Operation::get_op::<Zero>(op, ctx) {
                // Pointers have no zero of their own in the IR.
                types
                    .iter()
                    .all(|ty| super::parts::has_zero(ctx, *ty))
                    .then_some(())?;
                found.zeros.push(zero);
            } else {
                let copy = Operation::get_op::<Copy>(op, ctx)?;
                let itself = copy.get_operand_to(ctx) == copy.get_operand_from(ctx);
                (!itself && !super::parts::is_reduction_copy(ctx, op, address)).then_some(())?;
                found.copies.push(copy);
            }
        }
        gains.then_some(found)
    }
}

/// `Some` if an address in a field leads to nothing but accesses there. `element`: it is that of an element of an array, so that what is
/// added to it leads to other elements, and not to other fields.
fn stays_in_field(ctx: &Context, address: Value, element: bool) -> Option<()> {
    for using in address.uses(ctx) {
        let op = using.user_op();
        match use_of(ctx, op, using.find_index(ctx)) {
            UseKind::Read { .. } | UseKind::Write { .. } | UseKind::Update { .. } => continue,
            UseKind::Derive => {}
            UseKind::Pass | UseKind::Clause | UseKind::Look | UseKind::Keep => return None,
        }
        if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            stays_in_field(ctx, decay.get_result(ctx), true)?;
        } else if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            stays_in_field(ctx, member.get_result(ctx), false)?;
        } else {
            let add = Operation::get_op::<PtrAdd>(op, ctx)
                .filter(|add| element && add.get_operand_base(ctx) == address)?;
            stays_in_field(ctx, add.get_result(ctx), true)?;
        }
    }
    Some(())
}

/// Copies field by field between the variables and what is on the other side.
fn copy_fields(ctx: &mut Context, copy: Copy, whole: Value, types: &[TypeHandle], own: &[Value]) {
    let (to, from) = (copy.get_operand_to(ctx), copy.get_operand_from(ctx));
    let into = to == whole;
    let mut e = Emitter::before(ctx, copy.get_operation());
    for ((field, ty), own) in (0..).zip(types).zip(own) {
        let member = Member::new(e.ctx, if into { from } else { to }, field, *ty);
        let other = e.value(member);
        let (source, target) = if into { (other, *own) } else { (*own, other) };
        if is_scalar(e.ctx, *ty) {
            let value = e.load(source);
            e.store(value, target);
        } else {
            let copy = Copy::new(e.ctx, target, source);
            e.push(copy);
        }
    }
    Operation::erase(copy.get_operation(), ctx);
}
