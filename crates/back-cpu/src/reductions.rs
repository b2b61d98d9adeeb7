//! The reduction builtins on the CPU.
//!
//! A gang is one thread, so worker and vector reductions leave LOCAL as it is (seed: OpenACC reductions in GCC, "Host
//! Implementation"); so do gang reductions without RESULT. With RESULT each gang has a slot, a record of
//!
//! | field | holds |
//! | --- | --- |
//! | `value_k` | what this gang contributes to reduction k |
//! | `result_k` | address of RESULT, null if this gang never came by |
//!
//! | builtin | expands to |
//! | --- | --- |
//! | kernel start | `value_k` = identity, `result_k` = null |
//! | SETUP | `result_k` = RESULT; V = LOCAL |
//! | INIT | V = identity |
//! | FINI | `value_k` = `value_k` OP LOCAL; V = LOCAL |
//! | TEARDOWN | V = LOCAL |
//! | finish function | for each gang in order: `*result_k` = `*result_k` OP `value_k` |
//!
//! The order is fixed: the same number of gangs gives the same bits in every run. A kernel that always has one gang
//! needs no slot: SETUP reads RESULT, TEARDOWN writes it. Where the kernel also uses RESULT outside of its reductions, a gang
//! that turns out to be the only one works on RESULT itself: FINI is `*result_k = *result_k OP LOCAL`, and `result_k` = null.

use crate::{
    diagnostic::{Diagnostic, Result, error_at, or_at},
    dialect::{Gang, Gangs, Slot},
    expand::Finish,
    layout::{Records, natural},
};
use accrue_dialects::{
    core::{
        BinKind, Cast, CastKind, CmpKind, Copy, Field, For, Loop, Member, RecordDef, RecordLayout,
        RecordType, Return, array_parts, emit::Emitter, float_width, is_scalar, pointee,
        pointee_of, pointer,
    },
    par::{
        Builtin, CONSTRUCT, Level, RedInit, ReductionInfo, ReductionOp, ReductionOperator,
        kernel_of,
        operators::{combine, identity},
    },
};
use accrue_ir::{
    build::Inserter,
    walk::{nested_ops, results_of},
};
use pliron::{
    builtin::{
        op_interfaces::SingleBlockRegionInterface,
        ops::{FuncOp, ModuleOp},
        types::FunctionType,
    },
    context::{Context, Ptr},
    identifier::Identifier,
    op::{Op, op_cast},
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashMap;

/// A reduction builtin in a kernel. Its operands are read when they are needed: expanding one builtin replaces operands
/// of others.
#[derive(Clone, Copy)]
struct Reduction {
    op: Ptr<Operation>,
    builtin: Builtin,
    info: ReductionInfo,
    has_result: bool,
    /// The kernel uses RESULT outside of the reductions too.
    in_use: bool,
}

impl Reduction {
    fn local(&self, ctx: &Context) -> Value {
        self.op.deref(ctx).get_operand(0)
    }

    fn result(&self, ctx: &Context) -> Option<Value> {
        self.has_result.then(|| self.op.deref(ctx).get_operand(1))
    }
}

/// A gang reduction with RESULT: its fields in the slot.
struct Entry {
    info: ReductionInfo,
    /// Type of the reduced object.
    ty: TypeHandle,
    /// Type of the RESULT reference.
    reference: TypeHandle,
}

impl Entry {
    /// Index of the field with the contribution of the `k`-th entry.
    fn value_field(k: usize) -> u32 {
        2 * k as u32
    }

    /// Index of the field with the address of RESULT.
    fn result_field(k: usize) -> u32 {
        2 * k as u32 + 1
    }
}

/// Expands the reductions of a function that is no kernel: none has a RESULT.
pub fn expand_function(ctx: &mut Context, function: FuncOp) -> Result<()> {
    let all = reductions(ctx, function);
    expand_private(ctx, &all, false)
}

/// Expands the reductions of a kernel; if it needs slots, adds their record and the finish function to the module.
/// `records` are those of the program.
pub fn expand_kernel(
    ctx: &mut Context,
    module: ModuleOp,
    name: &str,
    function: FuncOp,
    records: &Records,
) -> Result<Option<Finish>> {
    let all = reductions(ctx, function);
    let single = kernel_of(ctx, &function).is_some_and(|k| k.single_gang);
    let (gang, others): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|r| r.info.level == Level::Gang && r.has_result);
    expand_private(ctx, &others, single)?;
    if gang.is_empty() {
        return Ok(None);
    }
    if single {
        for reduction in gang {
            expand_single(ctx, &reduction).map_err(|d| or_at(d, ctx, reduction.op))?;
        }
        return Ok(None);
    }
    let entries = entries(ctx, &gang)?;
    let (slot_type, slot_bytes) = define_slot(ctx, module, name, &entries, records)?;
    let slot = start_slot(ctx, function, slot_type, &entries)?;
    for reduction in gang {
        let index = entries.iter().position(|e| e.info.id == reduction.info.id);
        let index =
            index.ok_or_else(|| error_at(ctx, reduction.op, "a reduction without identifier"))?;
        expand_in_slot(ctx, &reduction, slot, index, &entries[index])
            .map_err(|d| or_at(d, ctx, reduction.op))?;
    }
    let finish_name = format!("{name}_finish");
    let finish = finish_function(ctx, module, &finish_name, slot_type, &entries)?;
    Ok(Some(Finish {
        name: finish_name,
        function: finish,
        slot_bytes,
    }))
}

/// The builtins of a function in order.
fn reductions(ctx: &Context, function: FuncOp) -> Vec<Reduction> {
    let reduction = |op: Ptr<Operation>| {
        let object = Operation::get_op_dyn(op, ctx);
        let reduction = op_cast::<dyn ReductionOp>(&*object)?;
        let builtin = Builtin::of(ctx, op)?;
        let (info, has_result) = (reduction.info(ctx), reduction.result_ref(ctx).is_some());
        Some(Reduction {
            op,
            builtin,
            info,
            has_result,
            in_use: reduction.result_in_use(ctx),
        })
    };
    nested_ops(ctx, function.get_operation())
        .into_iter()
        .filter_map(reduction)
        .collect()
}

/// Expands reductions without RESULT. V = LOCAL, but for the extremum of a vector loop. `single`: the kernel has one gang,
/// whose INIT gives what RESULT holds instead of the identity.
fn expand_private(ctx: &mut Context, all: &[Reduction], single: bool) -> Result<()> {
    let mut starts = HashMap::new();
    for reduction in all {
        let local = reduction.local(ctx);
        let key = (reduction.info.level, reduction.info.id);
        let is_setup = reduction.builtin == Builtin::Setup;
        let from_init = local
            .defining_op()
            .is_some_and(|op| Operation::is_op::<RedInit>(op, ctx));
        let identity = from_init && !single;
        if is_setup && !identity && is_vector_extremum(ctx, reduction) {
            starts.insert(key, local);
        }
        match starts.get(&key) {
            Some(start) => {
                expand_extremum(ctx, reduction, *start).map_err(|d| or_at(d, ctx, reduction.op))?
            }
            None => keep_local(ctx, reduction),
        }
    }
    Ok(())
}

/// Whether the C compiler combines the lanes of a `simd` loop, in which it need not care for NaN: a floating-point
/// `max` or `min`.
fn is_vector_extremum(ctx: &Context, reduction: &Reduction) -> bool {
    let extremum = matches!(
        reduction.info.operator,
        ReductionOperator::Max | ReductionOperator::Min
    );
    let is_float = float_width(ctx, reduction.local(ctx).get_type(ctx)).is_some();
    extremum && is_float && reduction.info.level == Level::Vector
}

/// The lanes start from the identity, which is a number; what the variable held before joins in at TEARDOWN, with +0 for
/// -0 like the LOCALs.
fn expand_extremum(ctx: &mut Context, reduction: &Reduction, start: Value) -> Result<()> {
    let (local, info) = (reduction.local(ctx), reduction.info);
    let ty = local.get_type(ctx);
    let mut at = Emitter::before(ctx, reduction.op);
    let value = match reduction.builtin {
        Builtin::Setup | Builtin::Fini => local,
        Builtin::Init => identity(&mut at, info, ty)?,
        Builtin::Teardown => {
            let zero = at.zero(ty);
            let start = at.bin(BinKind::FAdd, start, zero);
            combine(&mut at, info, start, local)?
        }
    };
    finish_op(ctx, reduction.op, value);
    Ok(())
}

/// V = LOCAL.
fn keep_local(ctx: &mut Context, reduction: &Reduction) {
    let local = reduction.local(ctx);
    finish_op(ctx, reduction.op, local);
}

/// V = `value`, and the builtin is gone.
fn finish_op(ctx: &mut Context, op: Ptr<Operation>, value: Value) {
    if let Some(old) = results_of(ctx, op).first() {
        old.replace_all_uses_with(ctx, &value);
    }
    Operation::erase(op, ctx);
}

/// A kernel that always has one gang works on RESULT itself.
fn expand_single(ctx: &mut Context, reduction: &Reduction) -> Result<()> {
    let local = reduction.local(ctx);
    let Some(result) = reduction.result(ctx) else {
        keep_local(ctx, reduction);
        return Ok(());
    };
    let mut at = Emitter::before(ctx, reduction.op);
    let by_address = by_address(at.ctx, local);
    if reduction.info.id.loop_id == CONSTRUCT {
        return expand_construct(&mut at, reduction, result);
    }
    let value = match (reduction.builtin, by_address) {
        (Builtin::Setup, None) => at.load(result),
        (Builtin::Setup, Some(array)) => {
            let from = as_pointer_to(&mut at, result, array);
            at.op(|c| Copy::new(c, local, from));
            local
        }
        (Builtin::Init | Builtin::Fini, _) => local,
        (Builtin::Teardown, None) => {
            at.store(local, result);
            local
        }
        (Builtin::Teardown, Some(array)) => {
            let to = as_pointer_to(&mut at, result, array);
            at.op(|c| Copy::new(c, to, local));
            local
        }
    };
    finish_op(ctx, reduction.op, value);
    Ok(())
}

/// The reduction of the construct in a kernel with one gang: the region may read LOCAL, which starts from the identity.
fn expand_construct(at: &mut Emitter, reduction: &Reduction, result: Value) -> Result<()> {
    let (local, info) = (reduction.local(at.ctx), reduction.info);
    let array = by_address(at.ctx, local);
    let ty = array.unwrap_or_else(|| local.get_type(at.ctx));
    let value = match (reduction.builtin, array) {
        (Builtin::Setup | Builtin::Fini, _) => local,
        (Builtin::Init, None) => identity(at, info, ty)?,
        (Builtin::Init, Some(_)) => {
            fill(at, info, local)?;
            local
        }
        (Builtin::Teardown, _) => {
            combine_object(at, info, ty, result, local)?;
            local
        }
    };
    finish_op(at.ctx, reduction.op, value);
    Ok(())
}

/// The array type, if LOCAL is the address of an array.
fn by_address(ctx: &Context, local: Value) -> Option<TypeHandle> {
    pointee(ctx, local).filter(|t| array_parts(ctx, *t).is_some())
}

fn as_pointer_to(at: &mut Emitter, address: Value, to: TypeHandle) -> Value {
    let ty = pointer(at.ctx, to);
    match address.get_type(at.ctx) == ty {
        true => address,
        false => at.make(|c| Cast::new(c, CastKind::PtrCast, address, ty)),
    }
}

/// The gang reductions of a kernel, each once.
fn entries(ctx: &Context, gang: &[Reduction]) -> Result<Vec<Entry>> {
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
        if Operation::is_op::<For>(o, ctx) || Operation::is_op::<Loop>(o, ctx) {
            let message = "the result of a gang reduction that changes from iteration to iteration of an outer loop is not \
                           supported on the CPU device";
            return Err(error_at(ctx, op, message));
        }
        at = o.deref(ctx).get_parent_op(ctx);
    }
    Ok(())
}

/// Number and type of the scalars of an object.
fn elements(ctx: &Context, ty: TypeHandle) -> (u64, TypeHandle) {
    match array_parts(ctx, ty) {
        None => (1, ty),
        Some((length, of)) => {
            let (count, scalar) = elements(ctx, of);
            (length.saturating_mul(count), scalar)
        }
    }
}

/// The record of a slot and its size.
fn define_slot(
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
fn start_slot(
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
        let value = at.make(|c| Member::new(c, slot, Entry::value_field(k), entry.ty));
        fill(&mut at, entry.info, value)?;
        let null = at.zero(entry.reference);
        let result = at.make(|c| Member::new(c, slot, Entry::result_field(k), entry.reference));
        at.store(null, result);
    }
    Ok(slot)
}

fn expand_in_slot(
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
fn combine_object(
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
fn fill(at: &mut Emitter, info: ReductionInfo, address: Value) -> Result<()> {
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
        | ReductionOperator::Neqv => combine(at, info, old, value)?,
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
fn finish_function(
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
        (0..entries.len()).try_for_each(|k| finish_entry(at, slot, k, &entries[k]))
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
