//! Large copies in a single mode are shared by the threads of the group.
//!
//! `firstprivate(a)` of an array copies it once per gang; one thread would take long.
//!
//! ```text
//! core.copy %to <- %from    →    core.for %thread to 4000 step %threads { core.store (core.load %from[i]), %to[i] }
//! ```

use super::{
    at::{Emitter, GpuAt},
    modes::operations,
    roots::{Root, root},
    storage::is_private,
    unit::{Guard, Unit},
};
use crate::{
    diagnostic::Result,
    layout::{Records, extent},
};
use accrue_dialects::core::{Copy, Zero, array_parts, is_scalar, pointee};
use pliron::{context::Context, operation::Operation, r#type::TypeHandle, value::Value};

/// Smaller objects are left to the leader.
const LARGE: u64 = 256;

/// Spreads the copies of the function.
pub fn expand(ctx: &mut Context, unit: &mut Unit, records: &Records) -> Result<()> {
    for (op, mode) in operations(ctx, unit.function, unit.base, &|_| false) {
        let (to, from) = if let Some(copy) = Operation::get_op::<Copy>(op, ctx) {
            (copy.get_operand_to(ctx), Some(copy.get_operand_from(ctx)))
        } else if let Some(zero) = Operation::get_op::<Zero>(op, ctx) {
            (zero.get_operand_address(ctx), None)
        } else {
            continue;
        };
        let own = matches!(root(ctx, to), Root::Variable(v) if is_private(unit, v));
        if unit.is_alone(mode) || own || unit.guards.contains_key(&op) {
            continue;
        }
        let Some((scalar, count)) = elements(ctx, records, to) else {
            continue;
        };
        let mut at = Emitter::before(ctx, op);
        let (thread, threads) = at.threads(!mode.worker);
        let count = at.i64(i128::from(count));
        let to = at.pointer_to(to, scalar);
        let from = from.map(|f| at.pointer_to(f, scalar));
        let spread = at.counted::<crate::Diagnostic>(thread, count, threads, |at, index| {
            let value = match from {
                Some(from) => {
                    let element = at.ptr_add(from, index);
                    at.load(element)
                }
                None => at.zero(scalar),
            };
            let element = at.ptr_add(to, index);
            at.store(value, element);
            Ok(())
        })?;
        unit.guards.insert(spread, Guard::Some);
        Operation::erase(op, ctx);
    }
    Ok(())
}

/// The scalars of the object at `address`, if it is a large array of them.
fn elements(ctx: &Context, records: &Records, address: Value) -> Option<(TypeHandle, u64)> {
    let object = pointee(ctx, address)?;
    let (mut scalar, mut count) = (object, 1u64);
    while let Some((length, of)) = array_parts(ctx, scalar) {
        (scalar, count) = (of, count.checked_mul(length)?);
    }
    let large = extent(ctx, records, object)?.size > LARGE;
    (large && is_scalar(ctx, scalar)).then_some((scalar, count))
}
