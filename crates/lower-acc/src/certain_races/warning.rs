//! What the user is told about a race: the place as the program spells it.

use super::{Names, Write};
use accrue_dialects::{
    acc::Loop,
    core::{Decay, Load, Member, PtrAdd, fold::constant, pointee, record_tag},
};
use accrue_ir::walk;
use accrue_opt::{
    State,
    analysis::{
        accesses::{Base, root_name},
        variables::root_of,
    },
};
use pliron::{context::Context, op::Op, operation::Operation, value::Value};

pub(super) fn warn(
    ctx: &Context,
    lp: Loop,
    write: &Write,
    updates: bool,
    names: &Names,
    state: &mut State,
) {
    let (name, pointer) = spelled(ctx, write.address, names);
    let name = match (write.bits, pointer) {
        (Some(field), _) => format!(
            "{name}{}",
            field_name(ctx, write.address, field, pointer, names)
        ),
        (None, true) => format!("*{name}"),
        (None, false) => name,
    };
    let variable = match &write.place.base {
        Base::Variable(root) => Some(root_name(ctx, root)),
        Base::Pointee(_) | Base::Loaded(_) | Base::Inside | Base::Unknown => None,
    };
    let (message, label, help) = match updates {
        true => (
            format!(
                "iterations of this loop update `{name}` at the same time, so that updates are lost"
            ),
            "all iterations update it",
            "add `#pragma acc atomic update` in front of the statement, or sum up in a scalar with a `reduction` clause and assign it behind the loop; `#pragma acc loop seq` runs the iterations in order".to_owned(),
        ),
        false => (
            format!(
                "iterations of this loop assign different values to `{name}` at the same time, which they share"
            ),
            "all iterations assign it",
            match variable {
                Some(variable) => format!(
                    "declare `{variable}` inside the loop, or add `private({variable})` if its value is not used behind it"
                ),
                None => "use a variable that is declared inside the loop".to_owned(),
            },
        ),
    };
    state.race(
        ctx,
        (write.op, label),
        (lp.get_operation(), "its iterations run at the same time"),
        message,
        "2.9.6",
        &help,
    );
}

/// How the user writes what `address` is the address of; or, with `true`, a pointer to it.
fn spelled(ctx: &Context, address: Value, names: &Names) -> (String, bool) {
    if let Some(root) = root_of(ctx, address) {
        return (root_name(ctx, &root), false);
    }
    let unknown = ("memory".to_owned(), false);
    let Some(op) = address.defining_op() else {
        return unknown;
    };
    if let Some(member) = Operation::get_op::<Member>(op, ctx) {
        let record = member.get_operand_record(ctx);
        let (around, pointer) = spelled(ctx, record, names);
        let field = field_name(ctx, record, member.field(ctx), pointer, names);
        return (around + &field, false);
    }
    if Operation::is_op::<Load>(op, ctx) || Operation::is_op::<Decay>(op, ctx) {
        let inner = walk::operands_of(ctx, op);
        return inner.first().map_or(unknown, |inner| {
            let (text, pointer) = spelled(ctx, *inner, names);
            (if pointer { format!("(*{text})") } else { text }, true)
        });
    }
    let Some(sum) = Operation::get_op::<PtrAdd>(op, ctx) else {
        return unknown;
    };
    let (around, _) = spelled(ctx, sum.get_operand_base(ctx), names);
    match constant(ctx, sum.get_operand_index(ctx)) {
        Some(index) => (format!("{around}[{index}]"), false),
        None => (format!("{around}[…]"), false),
    }
}

/// `.x` or `->x`; nothing for a member without a name.
fn field_name(ctx: &Context, record: Value, field: u32, pointer: bool, names: &Names) -> String {
    let tag = pointee(ctx, record).and_then(|ty| record_tag(ctx, ty));
    let fields = tag.and_then(|tag| names.get(&tag));
    let name = fields
        .zip(usize::try_from(field).ok())
        .and_then(|(f, i)| f.get(i));
    match (name.map_or("", String::as_str), pointer) {
        ("", _) => String::new(),
        (name, true) => format!("->{name}"),
        (name, false) => format!(".{name}"),
    }
}
