//! Where each variable lives.
//!
//! Code in a single mode is run by all threads of its group, so a variable there can be a register of every thread, as
//! long as all threads do the same with it. It has to be memory of the group when
//!
//! - a region partitioned further writes it (one lane's store must be seen by the others), or
//! - its address gets out of sight, other than to a function that only reads (the leader alone makes calls with effects).
//!
//! ```text
//! double tmp[16];                        written in block mode, read by lanes:  memory of the thread, every thread writes it
//! #pragma acc loop vector                written by lanes, read in block mode:  memory of the block
//!   tmp[k] = …;
//! double t = 0;                          in a vector loop:                      a register
//! ```
//!
//! | mode of the variable | group memory |
//! | --- | --- |
//! | block | static shared memory, or scratch memory of the gang when it is large |
//! | worker | an element per worker of a static shared variable, or scratch memory of the worker |
//! | lane | none needed |
//!
//! The LOCAL of a reduction is always a thread's own, and so is what a pass has made for each thread. A scalar that a partitioned region writes before it reads it, and
//! that nobody reads afterwards, is too ([`super::liveness`]).

use super::{
    at::{Emitter, GpuAt},
    calls::{Calls, Kind},
    liveness::is_temporary,
    modes::{Mode, operations},
    recursion,
    roots::{Access, uses},
    unit::Unit,
};
use crate::{
    diagnostic::{Result, error_at},
    dialect::{Quantity, Shared, SharedVariable},
    expanded::Storage,
    layout::{Extent, Records, extent},
};
use accrue_dialects::{
    core::{
        Alloca, BinKind, Call, Cast, CastKind, Decay, Member, PtrAdd, Store, int, is_scalar,
        pointee_of, pointer,
    },
    par::RedInit,
};
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, OneResultInterface},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashMap;

/// Larger variables are not copied into every thread.
const MOST_COPIED: u64 = 256;

/// Decides for all variables of the function.
pub fn assign(ctx: &mut Context, unit: &mut Unit, calls: &Calls, records: &Records) -> Result<()> {
    let all = operations(ctx, unit.function, unit.base, &|_| false);
    let modes: HashMap<_, _> = all.iter().copied().collect();
    for (op, mode) in all {
        let Some(alloca) = Operation::get_op::<Alloca>(op, ctx) else {
            continue;
        };
        match place(ctx, unit, calls, alloca, mode, &modes, records) {
            Place::Register => {
                unit.storage.insert(op, Storage::Register);
            }
            Place::Thread => {
                unit.storage.insert(op, Storage::Local);
            }
            Place::Group => group(ctx, unit, alloca, mode, records)?,
        }
    }
    Ok(())
}

/// Whether the variable is the thread's own.
pub fn is_private(unit: &Unit, variable: Ptr<Operation>) -> bool {
    match unit.storage.get(&variable) {
        None | Some(Storage::Register | Storage::Local) => true,
        Some(
            Storage::Shared
            | Storage::SharedWorker { .. }
            | Storage::ScratchGang { .. }
            | Storage::ScratchWorker { .. },
        ) => false,
    }
}

/// What a variable takes in the memory of a group: whole words, since atomics on 8 and 16 bits exchange the word that the object
/// is in; for adjacent elements that are accessed at once, aligned to at least 16.
pub fn in_group(extent: Extent) -> Extent {
    Extent {
        size: extent.size.saturating_add(WORD - 1) / WORD * WORD,
        align: extent.align.max(if extent.size >= 16 { 16 } else { WORD }),
    }
}

/// The fewest bytes that devices exchange atomically.
const WORD: u64 = 4;

enum Place {
    Register,
    /// Memory of the thread.
    Thread,
    /// Memory of the group.
    Group,
}

fn place(
    ctx: &Context,
    unit: &Unit,
    calls: &Calls,
    alloca: Alloca,
    mode: Mode,
    modes: &HashMap<Ptr<Operation>, Mode>,
    records: &Records,
) -> Place {
    let uses = uses(ctx, alloca.get_result(ctx));
    let whole = uses
        .iter()
        .all(|(_, a)| matches!(a, Access::Load | Access::Store | Access::Atomic));
    let scalar = alloca.count(ctx).is_none() && is_scalar(ctx, alloca.var_type(ctx)) && whole;
    let own = if scalar {
        Place::Register
    } else {
        Place::Thread
    };
    if unit.is_alone(mode) || alloca.is_of_thread(ctx) || is_reduction_local(ctx, alloca, &uses) {
        return own;
    }
    let deeper = |op: &Ptr<Operation>| modes.get(op).is_some_and(|m| m.is_inside(mode));
    let shared = uses.iter().any(|(op, access)| match access {
        Access::Load | Access::Read | Access::Reduction => false,
        Access::Store | Access::Write | Access::Atomic => deeper(op),
        Access::Escape => !only_reads(ctx, calls, *op),
    });
    if scalar && shared && is_temporary(ctx, alloca, mode, modes) {
        return own;
    }
    let size = extent(ctx, records, alloca.var_type(ctx)).map_or(0, |e| e.size);
    let large = !scalar && size > MOST_COPIED && alloca.count(ctx).is_none();
    match shared || large {
        true => Place::Group,
        false => own,
    }
}

/// Whether `op` is a call of a function that changes no memory and gives no pointer: all threads make it.
fn only_reads(ctx: &Context, calls: &Calls, op: Ptr<Operation>) -> bool {
    let call = Operation::get_op::<Call>(op, ctx);
    let harmless = call.is_some_and(|c| {
        let name = c.callee(ctx);
        calls.kind(&name) == Kind::Seq && !calls.touches(&name).writes
    });
    let gives_pointer = op
        .deref(ctx)
        .result_types()
        .any(|t| pointee_of(ctx, t).is_some());
    harmless && !gives_pointer
}

/// Whether the variable is the LOCAL of a reduction: it gets what INIT gives, or the builtins change it in place.
fn is_reduction_local(ctx: &Context, alloca: Alloca, uses: &[(Ptr<Operation>, Access)]) -> bool {
    let from_init = |op: Ptr<Operation>| {
        let store = Operation::get_op::<Store>(op, ctx)?;
        let value = store.get_operand_value(ctx).defining_op()?;
        let own = whole(ctx, store.get_operand_address(ctx)) == alloca.get_result(ctx);
        Some(own && Operation::is_op::<RedInit>(value, ctx))
    };
    uses.iter()
        .any(|(op, access)| *access == Access::Reduction || from_init(*op) == Some(true))
}

/// The address of the object that the member or element at `address` belongs to, or `address` itself.
fn whole(ctx: &Context, address: Value) -> Value {
    let Some(op) = address.defining_op() else {
        return address;
    };
    let member = Operation::get_op::<Member>(op, ctx).map(|it| it.get_operand_record(ctx));
    let element = Operation::get_op::<PtrAdd>(op, ctx).map(|it| it.get_operand_base(ctx));
    let array = Operation::get_op::<Decay>(op, ctx).map(|it| it.get_operand(ctx));
    match member.or(element).or(array) {
        Some(outer) => whole(ctx, outer),
        None => address,
    }
}

/// Gives the variable memory of its group.
fn group(
    ctx: &mut Context,
    unit: &mut Unit,
    alloca: Alloca,
    mode: Mode,
    records: &Records,
) -> Result<()> {
    recursion::check_variable(ctx, unit, alloca)?;
    let op = alloca.get_operation();
    let extent = match alloca.count(ctx) {
        None => extent(ctx, records, alloca.var_type(ctx)),
        Some(_) => {
            let message = format!(
                "a variable-length array that several vector lanes or workers share is not supported on {}; give it a \
                 constant length",
                unit.target.devices
            );
            return Err(error_at(ctx, op, message));
        }
    };
    let extent = extent.ok_or_else(|| error_at(ctx, op, "a variable without size"))?;
    let copies = match mode.worker {
        true => u64::from(unit.limits.max_workers),
        false => 1,
    };
    let each = in_group(extent);
    let all = in_group(Extent {
        size: each.size.saturating_mul(copies),
        ..each
    });
    let start = unit.shared_bytes.next_multiple_of(all.align);
    let end = start.saturating_add(all.size);
    if end > unit.target.shared_bytes {
        return scratch(ctx, unit, alloca, mode, extent);
    }
    unit.shared_bytes = end;
    if mode.worker {
        per_worker(ctx, unit, alloca, all, each.size);
    } else {
        unit.storage.insert(op, Storage::Shared);
    }
    Ok(())
}

fn scratch(
    ctx: &Context,
    unit: &mut Unit,
    alloca: Alloca,
    mode: Mode,
    extent: Extent,
) -> Result<()> {
    let op = alloca.get_operation();
    if unit.kernel.is_none() {
        let message = format!(
            "the variables that the threads of this function share do not fit into the shared memory of {}; make them \
             smaller, or let the compute construct pass memory to the function",
            unit.target.devices
        );
        return Err(error_at(ctx, op, message));
    }
    unit.scratch.used = true;
    let end = match mode.worker {
        true => &mut unit.scratch.worker_bytes,
        false => &mut unit.scratch.gang_bytes,
    };
    let offset = end.next_multiple_of(extent.align.max(16));
    *end = offset + extent.size;
    let storage = match mode.worker {
        true => Storage::ScratchWorker { offset },
        false => Storage::ScratchGang { offset },
    };
    unit.storage.insert(op, storage);
    Ok(())
}

/// Replaces the variable by the worker's part of a shared variable: workers' parts are `stride` bytes apart.
fn per_worker(ctx: &mut Context, unit: &mut Unit, alloca: Alloca, all: Extent, stride: u64) {
    let op = alloca.get_operation();
    let (old, ty) = (alloca.get_result(ctx), alloca.var_type(ctx));
    let name = format!("{}_worker{}", unit.name, unit.shared_bytes);
    let variable = SharedVariable {
        name,
        bytes: all.size,
        align: all.align,
    };
    let mut at = Emitter::before(ctx, op);
    let first = at.make(|c| Shared::new(c, ty, variable));
    let new = match unit.limits.max_workers {
        1 => first,
        _ => {
            let (worker, stride) = (at.query(Quantity::Worker), at.i32(i128::from(stride)));
            let offset = at.bin(BinKind::Mul, worker, stride);
            let byte = int(at.ctx, 8);
            let bytes = at.pointer_to(first, byte);
            let part = at.ptr_add(bytes, offset);
            at.pointer_to(part, ty)
        }
    };
    let generic = pointer(at.ctx, ty);
    let new = at.make(|c| Cast::new(c, CastKind::PtrCast, new, generic));
    old.replace_all_uses_with(ctx, &new);
    Operation::erase(op, ctx);
}
