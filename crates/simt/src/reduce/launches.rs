//! Gang reductions whose records further launches bring together, until one is left (seed: OpenACC to OpenCL, section 2.6).
//!
//! ```text
//! several gangs  leader: record[gang] = contribution;  gang 0: the address of RESULT behind it
//! k_halve(n)     half = (n + 1) / 2;  i = number of the work item
//!                i + half < n:           record[i] = record[i] OP record[i + half]
//!                half = 1 and i = 0:     RESULT = RESULT OP record[0]
//! ```
//! The library launches the second kernel with n = gangs, then with half of them, and so on: log2(gangs) launches, which one
//! queue orders. No gang waits for others or counts them, and no fence is needed, since a launch sees what those before it stored.
//! Each launch costs as much as an empty kernel, so that this is slower than one launch ([`super::gang_slots`]) almost
//! everywhere. The seed takes all elements of an array through the launches; here the gangs have made one record each of them.
//! The order of a sum depends on the number of gangs only.

use super::{
    super::{
        at::{Emitter, GpuAt},
        unit::{Guard, Unit},
    },
    combine_into, for_each,
    gang::{Contribution, element},
    gang_slots::{leave_arrays, leave_scalars, place, record},
    in_use,
};
use crate::{
    diagnostic::{Diagnostic, Result},
    dialect::Quantity,
};
use accrue_abi::launch::HALVING;
use accrue_dialects::core::{BinKind, CmpKind, Return, int, pointer};
use pliron::{
    builtin::{
        op_interfaces::SingleBlockRegionInterface, ops::FuncOp, ops::ModuleOp, types::FunctionType,
    },
    context::Context,
    identifier::Identifier,
    op::Op,
    operation::Operation,
    value::Value,
};

/// At the end of the kernel.
pub fn finish(
    at: &mut Emitter,
    unit: &mut Unit,
    leader: Value,
    all: &[&Contribution],
) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    in_use::finish(at, unit, leader, all, |at, unit| {
        leave(at, unit, leader, all)
    })?;
    unit.halving = Some(halving(at.ctx, unit, all)?);
    Ok(())
}

/// Several gangs: each leaves its record, the first one the addresses of the results as well.
fn leave(at: &mut Emitter, unit: &mut Unit, leader: Value, all: &[&Contribution]) -> Result<()> {
    let gang = unit.gang(at);
    let gang_bytes = unit.scratch.gang_bytes;
    leave_arrays(at, unit, gang, all)?;
    let zero = at.i64(0);
    let first = at.cmp(CmpKind::Eq, gang, zero);
    let guard = at.when(leader, |at| {
        leave_scalars(at, gang_bytes, gang, all);
        at.when::<Diagnostic>(first, |at| {
            for c in all {
                let result = at.pointer_to(c.result, c.object.scalar);
                let into = address(at, gang_bytes, c, zero);
                at.store(result, into);
            }
            Ok(())
        })
        .map(|_| ())
    })?;
    unit.guards.insert(guard, Guard::Leader);
    Ok(())
}

/// Where the address of RESULT is in the record of `gang`.
fn address(at: &mut Emitter, gang_bytes: u64, c: &Contribution, gang: Value) -> Value {
    let ty = pointer(at.ctx, c.object.scalar);
    place(at, gang_bytes, (c.address, ty), gang)
}

/// The kernel that halves the number of records.
fn halving(ctx: &mut Context, unit: &Unit, all: &[&Contribution]) -> Result<FuncOp> {
    let kernel = unit.function.get_operation();
    let module = kernel.deref(ctx).get_parent_op(ctx);
    let module = module.and_then(|op| Operation::get_op::<ModuleOp>(op, ctx));
    let module = module.ok_or_else(|| Diagnostic::error("a kernel is in a module"))?;
    let name = format!("{}{HALVING}", unit.name);
    let identifier = Identifier::try_from(name.as_str())
        .map_err(|_| Diagnostic::error(format!("`{name}` is no identifier")))?;
    let number = int(ctx, 64);
    let ty = FunctionType::get(ctx, vec![number], vec![]);
    let function = FuncOp::new(ctx, identifier, ty);
    module.append_operation(ctx, function.get_operation(), 0);
    let entry = function.get_entry_block(ctx);
    let records = entry.deref(ctx).get_argument(0);
    let gang_bytes = unit.scratch.gang_bytes;

    let at = &mut Emitter::at_end_of(ctx, entry, kernel);
    let (zero, one) = (at.i64(0), at.i64(1));
    let more = at.bin(BinKind::Add, records, one);
    let half = at.bin(BinKind::ShrU, more, one);
    let (group, lanes) = (
        at.query_wide(Quantity::GroupX),
        at.query_wide(Quantity::Lanes),
    );
    let (before, lane) = (
        at.bin(BinKind::Mul, group, lanes),
        at.query_wide(Quantity::Lane),
    );
    let own = at.bin(BinKind::Add, before, lane);
    let other = at.bin(BinKind::Add, own, half);
    let has_other = at.cmp(CmpKind::LtS, other, records);
    at.when(has_other, |at| {
        all.iter().try_for_each(|c| {
            let (own, other) = (
                record(at, gang_bytes, c, own),
                record(at, gang_bytes, c, other),
            );
            add(at, c, own, other)
        })
    })?;
    let (is_last, is_first) = (
        at.cmp(CmpKind::Eq, half, one),
        at.cmp(CmpKind::Eq, own, zero),
    );
    let ends = at.bin(BinKind::And, is_last, is_first);
    at.when(ends, |at| {
        all.iter().try_for_each(|c| {
            let result = address(at, gang_bytes, c, zero);
            let result = at.load(result);
            let sum = record(at, gang_bytes, c, zero);
            add(at, c, result, sum)
        })
    })?;
    at.op(|c| Return::new(c, None));
    Ok(function)
}

/// `*into = *into OP *from`, element by element.
fn add(at: &mut Emitter, c: &Contribution, into: Value, from: Value) -> Result<()> {
    for_each(at, c.object.count, |at, index| {
        let (from, into) = (element(at, c, from, index), element(at, c, into, index));
        let value = at.load(from);
        combine_into(at, c.info, into, value)
    })
}
