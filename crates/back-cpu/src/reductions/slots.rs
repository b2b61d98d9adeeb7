//! Reductions over gangs: each gang has a slot, the slots are combined in the order of gangs.

use super::{Entry, Reduction, as_pointer_to, by_address, finish_op, objects};
use crate::{
    diagnostic::{Diagnostic, Result, error_at},
    dialect::{Gang, Gangs, Slot},
    layout::{Records, natural},
};
use accrue_dialects::{
    core::elements,
    core::{
        CmpKind, Field, Member, RecordDef, RecordLayout, RecordType, Return, array_parts,
        emit::Emitter, is_scalar, pointee, pointee_of, pointer,
    },
    flow::Flow,
    par::{
        Builtin, ReductionInfo, ReductionOperator,
        declared::{number_of, together},
        operators::{combine, identity},
    },
};
use accrue_ir::build::Inserter;
use pliron::{
    builtin::{
        op_interfaces::SingleBlockRegionInterface,
        ops::{FuncOp, ModuleOp},
        types::FunctionType,
    },
    context::{Context, Ptr},
    identifier::Identifier,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// The gang reductions of a kernel, each once.
pub(super) fn entries(ctx: &Context, gang: &[Reduction]) -> Result<Vec<Entry>> {
    let mut entries: Vec<Entry> = vec![];
    for reduction in gang {
        let Some(result) = reduction.result(ctx) else {
            continue;
        };
        check_result(ctx, reduction.op, result)?;
        if entries.iter().any(|e| e.info.id == reduction.info.id) {
            continue;
        }
        let local = reduction.local(ctx);
        let ty = by_address(ctx, local).unwrap_or_else(|| local.get_type(ctx));
        if !is_scalar(ctx, elements(ctx, ty).1) {
            return Err(error_at(
                ctx,
                reduction.op,
                "a reduction of this type is not supported on the CPU device",
            ));
        }
        entries.push(Entry {
            info: reduction.info,
            ty,
            reference: result.get_type(ctx),
        });
    }
    Ok(entries)
}

/// All executions of a reduction must have one RESULT: there is one slot.
fn check_result(ctx: &Context, op: Ptr<Operation>, result: Value) -> Result<()> {
    let mut at = result.defining_op();
    while let Some(o) = at {
        if Flow::of(ctx, o).is_loop() {
            let message = "the result of a gang reduction that changes from iteration to iteration of an outer loop is not \
                           supported on the CPU device";
            return Err(error_at(ctx, op, message));
        }
        at = o.deref(ctx).get_parent_op(ctx);
    }
    Ok(())
}

/// The record of a slot and its size.
pub(super) fn define_slot(
    ctx: &mut Context,
    module: ModuleOp,
    kernel: &str,
    entries: &[Entry],
    records: &Records,
) -> Result<(TypeHandle, u64)> {
    let field = |name: String, ty| Field {
        name,
        ty,
        offset: 0,
        bits: 0,
        bit_offset: 0,
        signed: true,
    };
    let fields = entries.iter().enumerate().flat_map(|(k, e)| {
        [
            field(format!("value_{k}"), e.ty),
            field(format!("result_{k}"), e.reference),
        ]
    });
    let mut fields: Vec<Field> = fields.collect();
    let (offsets, extent) = natural(ctx, records, &fields, false)
        .ok_or_else(|| Diagnostic::error("a reduction of a type without size"))?;
    for (field, bits) in fields.iter_mut().zip(offsets) {
        field.offset = bits / 8;
    }
    let tag = format!("{kernel}_slot");
    let layout = RecordLayout {
        size: extent.size,
        align: extent.align,
        union_: false,
    };
    let def = RecordDef::new(ctx, &tag, layout, fields);
    module.append_operation(ctx, def.get_operation(), 0);
    let record = RecordType::get(ctx, tag).into();
    Ok((pointer(ctx, record), extent.size))
}

/// At the start of the kernel: the slot of this gang, with identities.
pub(super) fn start_slot(
    ctx: &mut Context,
    function: FuncOp,
    slot_type: TypeHandle,
    entries: &[Entry],
) -> Result<Value> {
    let inserter = Inserter::new_at_block_start(function.get_entry_block(ctx));
    let mut at = Emitter { ctx, inserter };
    let gang = at.make(Gang::new);
    let slot = at.make(|c| Slot::new(c, gang, slot_type));
    for (k, entry) in entries.iter().enumerate() {
        // An object of a declared reduction has begun before SETUP.
        if number_of(entry.info.operator).is_none() {
            let value = at.make(|c| Member::new(c, slot, Entry::value_field(k), entry.ty));
            fill(&mut at, entry.info, value)?;
        }
        let null = at.zero(entry.reference);
        let result = at.make(|c| Member::new(c, slot, Entry::result_field(k), entry.reference));
        at.store(null, result);
    }
    Ok(slot)
}

pub(super) fn expand_in_slot(
    ctx: &mut Context,
    reduction: &Reduction,
    slot: Value,
    k: usize,
    entry: &Entry,
) -> Result<()> {
    let local = reduction.local(ctx);
    let mut at = Emitter::before(ctx, reduction.op);
    let array = by_address(at.ctx, local).is_some();
    let value = match (reduction.builtin, array) {
        (Builtin::Setup, _) => {
            if let Some(result) = reduction.result(at.ctx) {
                let field =
                    at.make(|c| Member::new(c, slot, Entry::result_field(k), entry.reference));
                at.store(result, field);
            }
            local
        }
        (Builtin::Init, false) => identity(&mut at, entry.info, entry.ty)?,
        (Builtin::Init, true) => {
            fill(&mut at, entry.info, local)?;
            local
        }
        (Builtin::Fini, _) => {
            contribute(&mut at, reduction, slot, k, entry)?;
            local
        }
        (Builtin::Teardown, _) => local,
    };
    finish_op(ctx, reduction.op, value);
    Ok(())
}

/// Adds LOCAL to the gang's contribution. Where the kernel uses RESULT itself, the only gang adds to that, and leaves nothing
/// for the finish function to do.
fn contribute(
    at: &mut Emitter,
    reduction: &Reduction,
    slot: Value,
    k: usize,
    entry: &Entry,
) -> Result<()> {
    let local = reduction.local(at.ctx);
    let result = reduction.result(at.ctx).filter(|_| reduction.in_use);
    let Some(result) = result else {
        return into_slot(at, local, slot, k, entry);
    };
    let (gangs, one) = (at.make(Gangs::new), at.i64(1));
    let alone = at.cmp(CmpKind::Eq, gangs, one);
    at.either(
        alone,
        |at| {
            combine_object(at, entry.info, entry.ty, result, local)?;
            let null = at.zero(entry.reference);
            let field = at.make(|c| Member::new(c, slot, Entry::result_field(k), entry.reference));
            at.store(null, field);
            Ok(())
        },
        |at| into_slot(at, local, slot, k, entry),
    )?;
    Ok(())
}

fn into_slot(at: &mut Emitter, local: Value, slot: Value, k: usize, entry: &Entry) -> Result<()> {
    let field = at.make(|c| Member::new(c, slot, Entry::value_field(k), entry.ty));
    combine_object(at, entry.info, entry.ty, field, local)
}

/// Combines LOCAL, a value or the address of an array, into the object of type `ty` at `into`.
pub(super) fn combine_object(
    at: &mut Emitter,
    info: ReductionInfo,
    ty: TypeHandle,
    into: Value,
    local: Value,
) -> Result<()> {
    if by_address(at.ctx, local).is_some() {
        return combine_arrays(at, info, ty, into, local);
    }
    let into = as_pointer_to(at, into, ty);
    combine_into(at, info, into, local)
}

/// Gives the object at `address` the operator's identity.
pub(super) fn fill(at: &mut Emitter, info: ReductionInfo, address: Value) -> Result<()> {
    let ty = pointee(at.ctx, address).unwrap_or_else(|| address.get_type(at.ctx));
    let (count, scalar) = elements(at.ctx, ty);
    if array_parts(at.ctx, ty).is_none() {
        let value = identity(at, info, ty)?;
        at.store(value, address);
        return Ok(());
    }
    let first = as_pointer_to(at, address, scalar);
    for_each(at, count, |at, index| {
        let value = identity(at, info, scalar)?;
        let element = at.ptr_add(first, index);
        at.store(value, element);
        Ok(())
    })
}

/// `*into = *into OP value`. GPUs take +0 for greater than -0. The zeros of `value` are +0, and of equal operands of `max`
/// and `min` C's text keeps the second one, so that it is the same here.
fn combine_into(at: &mut Emitter, info: ReductionInfo, into: Value, value: Value) -> Result<()> {
    let old = at.load(into);
    let new = match info.operator {
        ReductionOperator::Min => combine(at, info, value, old)?,
        ReductionOperator::Add
        | ReductionOperator::Mul
        | ReductionOperator::Max
        | ReductionOperator::BitAnd
        | ReductionOperator::BitOr
        | ReductionOperator::BitXor
        | ReductionOperator::LogicalAnd
        | ReductionOperator::LogicalOr
        | ReductionOperator::Eqv
        | ReductionOperator::Neqv
        | ReductionOperator::Declared(_) => combine(at, info, old, value)?,
    };
    at.store(new, into);
    Ok(())
}

/// Combines the array at `from` into the one at `into`, element by element.
fn combine_arrays(
    at: &mut Emitter,
    info: ReductionInfo,
    ty: TypeHandle,
    into: Value,
    from: Value,
) -> Result<()> {
    let (count, scalar) = elements(at.ctx, ty);
    let (into, from) = (
        as_pointer_to(at, into, scalar),
        as_pointer_to(at, from, scalar),
    );
    for_each(at, count, |at, index| {
        let from = at.ptr_add(from, index);
        let value = at.load(from);
        let into = at.ptr_add(into, index);
        combine_into(at, info, into, value)
    })
}

/// A counted loop over `0..count`.
fn for_each(
    at: &mut Emitter,
    count: u64,
    body: impl FnOnce(&mut Emitter, Value) -> Result<()>,
) -> Result<()> {
    let [lower, upper, step] = [0, i128::from(count), 1].map(|n| at.i64(n));
    at.counted(lower, upper, step, body).map(|_| ())
}

/// Combines the slots into the results, gang by gang.
pub(super) fn finish_function(
    ctx: &mut Context,
    module: ModuleOp,
    name: &str,
    slot_type: TypeHandle,
    entries: &[Entry],
) -> Result<FuncOp> {
    let identifier = Identifier::try_from(name)
        .map_err(|_| Diagnostic::error(format!("`{name}` is no identifier")))?;
    let ty = FunctionType::get(ctx, vec![], vec![]);
    let function = FuncOp::new(ctx, identifier, ty);
    module.append_operation(ctx, function.get_operation(), 0);
    let inserter = Inserter::new_at_block_end(function.get_entry_block(ctx));
    let mut at = Emitter { ctx, inserter };
    let [lower, step] = [0, 1].map(|n| at.i64(n));
    let gangs = at.make(Gangs::new);
    at.counted(lower, gangs, step, |at, gang| {
        let slot = at.make(|c| Slot::new(c, gang, slot_type));
        let mut k = 0;
        while let Some(entry) = entries.get(k) {
            let length = match number_of(entry.info.operator) {
                None => {
                    finish_entry(at, slot, k, entry)?;
                    1
                }
                Some(_) => {
                    let length = together(at.ctx, function.get_operation(), entry.info.operator)?;
                    objects::finish(at, slot, k, &entries[k..(k + length).min(entries.len())])?;
                    length
                }
            };
            k += length;
        }
        Ok::<(), Diagnostic>(())
    })?;
    at.op(|c| Return::new(c, None));
    Ok(function)
}

fn finish_entry(at: &mut Emitter, slot: Value, k: usize, entry: &Entry) -> Result<()> {
    let field = at.make(|c| Member::new(c, slot, Entry::result_field(k), entry.reference));
    let result = at.load(field);
    let null = at.zero(entry.reference);
    let came_by = at.cmp(CmpKind::Ne, result, null);
    at.when(came_by, |at| {
        let value = at.make(|c| Member::new(c, slot, Entry::value_field(k), entry.ty));
        if array_parts(at.ctx, entry.ty).is_some() {
            return combine_arrays(at, entry.info, entry.ty, result, value);
        }
        let into = match pointee_of(at.ctx, entry.reference) == Some(entry.ty) {
            true => result,
            false => as_pointer_to(at, result, entry.ty),
        };
        let value = at.load(value);
        combine_into(at, entry.info, into, value)
    })?;
    Ok(())
}
