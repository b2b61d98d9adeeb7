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
//! Declared reductions combine whole objects ([`objects`]).

mod objects;
mod slots;
use self::slots::{
    combine_object, define_slot, entries, expand_in_slot, fill, finish_function, start_slot,
};
use crate::{
    diagnostic::{Result, error_at, or_at},
    expand::Finish,
    layout::Records,
};
use accrue_dialects::{
    core::{
        BinKind, Cast, CastKind, Copy, array_parts, emit::Emitter, float_width, pointee, pointer,
    },
    par::{
        Builtin, CONSTRUCT, Level, RedInit, ReductionInfo, ReductionOp, ReductionOperator,
        declared::number_of,
        kernel_of,
        operators::{combine, identity},
    },
};
use accrue_ir::walk::{nested_ops, results_of};
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::{Context, Ptr},
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
    let (objects, gang): (Vec<_>, Vec<_>) = gang
        .into_iter()
        .partition(|r| single && number_of(r.info.operator).is_some());
    objects::expand_single(ctx, &objects)?;
    if single {
        for reduction in gang {
            expand_single(ctx, &reduction).map_err(|d| or_at(d, ctx, reduction.op))?;
        }
        return Ok(None);
    }
    let entries = entries(ctx, &gang)?;
    let (slot_type, slot_bytes) = define_slot(ctx, module, name, &entries, records)?;
    let slot = start_slot(ctx, function, slot_type, &entries)?;
    let (objects, gang): (Vec<_>, Vec<_>) = gang
        .into_iter()
        .partition(|r| number_of(r.info.operator).is_some());
    objects::expand_in_slot(ctx, &objects, slot, &entries)?;
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
