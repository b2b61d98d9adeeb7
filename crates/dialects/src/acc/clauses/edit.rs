//! Operands come into groups and leave them; what is known of each operand, an attribute with a list, goes with it.

use super::{
    ClauseOp, DEVICE_TYPES, DeviceType, DeviceTypes, EXPRESSIONS, Expression, Expressions, Group,
    place,
};
use pliron::{context::Context, value::Value};

/// Where the group's operands are, as a segment. For changing them: only of groups that the operation has.
fn segment(op: &dyn ClauseOp, group: Group) -> usize {
    place(op.groups(), group)
        .unwrap_or_else(|| panic!("{} has no {} operands", op.get_opid(), group.name()))
}

/// Appends `value` to a group of `op` that it has, for device type `device`.
pub fn push(op: &dyn ClauseOp, ctx: &mut Context, group: Group, value: Value, device: DeviceType) {
    push_expression(op, ctx, group, value, device, Expression::Unwritten);
}

/// The same for a value that was written as `expression`.
pub fn push_expression(
    op: &dyn ClauseOp,
    ctx: &mut Context,
    group: Group,
    value: Value,
    device: DeviceType,
    expression: Expression,
) {
    let at = op.clause(ctx, group).len();
    insert(op, ctx, group, at, value, (device, expression));
}

/// Puts `value` before the operands of a group of `op` that it has.
pub fn push_front(op: &dyn ClauseOp, ctx: &mut Context, group: Group, value: Value) {
    insert(
        op,
        ctx,
        group,
        0,
        value,
        (DeviceType::None, Expression::Unwritten),
    );
}

fn insert(
    op: &dyn ClauseOp,
    ctx: &mut Context,
    group: Group,
    at: usize,
    value: Value,
    (device, expression): (DeviceType, Expression),
) {
    let index = segment(op, group);
    let place = op.segment_range(ctx, index).start + at;
    let (mut devices, mut expressions) = (op.device_types(ctx), op.expressions(ctx));
    devices.insert(place, device);
    expressions.insert(place, expression);
    op.insert_into_segment(ctx, index, at, value);
    set_device_types(op, ctx, devices);
    set_expressions(op, ctx, expressions);
}

/// Takes all operands of the group away from `op`, and gives them.
pub fn take(op: &dyn ClauseOp, ctx: &mut Context, group: Group) -> Vec<Value> {
    let values = op.clause(ctx, group);
    if values.is_empty() {
        return values;
    }
    let index = segment(op, group);
    let (mut devices, mut expressions) = (op.device_types(ctx), op.expressions(ctx));
    devices.drain(op.segment_range(ctx, index));
    expressions.drain(op.segment_range(ctx, index));
    // The last ones go first: only then is none in use any more.
    for _ in &values {
        op.pop_from_segment(ctx, index);
    }
    set_device_types(op, ctx, devices);
    set_expressions(op, ctx, expressions);
    values
}

/// The attribute is there where it says something.
fn set_device_types(op: &dyn ClauseOp, ctx: &Context, devices: Vec<DeviceType>) {
    let attributes = &mut op.get_operation().deref_mut(ctx).attributes;
    if devices.iter().any(|d| *d != DeviceType::None) {
        attributes.set(DEVICE_TYPES.clone(), DeviceTypes(devices));
    } else {
        attributes.0.remove(&DEVICE_TYPES);
    }
}

/// The attribute is there where it says something.
fn set_expressions(op: &dyn ClauseOp, ctx: &Context, expressions: Vec<Expression>) {
    let attributes = &mut op.get_operation().deref_mut(ctx).attributes;
    if expressions.iter().any(|e| *e != Expression::Unwritten) {
        attributes.set(EXPRESSIONS.clone(), Expressions(expressions));
    } else {
        attributes.0.remove(&EXPRESSIONS);
    }
}
