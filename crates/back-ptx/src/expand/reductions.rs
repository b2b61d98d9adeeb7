//! The reduction builtins on the GPU (seed: OpenACC reductions in GCC, section "PTX Implementation").
//!
//! | | vector, worker ([`super::reduce_group`]) | gang ([`super::reduce_gang`]) |
//! | --- | --- | --- |
//! | SETUP | V = LOCAL | V = LOCAL |
//! | INIT | first thread: V = LOCAL, others: the operator's identity | V = identity |
//! | FINI | V = LOCAL | contribution = contribution OP LOCAL; V = LOCAL |
//! | TEARDOWN | V = the LOCALs of all lanes or workers combined | V = LOCAL |
//! | end of kernel | | RESULT = RESULT OP contributions of all gangs |
//!
//! LOCALs are combined at TEARDOWN, where the threads have come together again and barriers are allowed. The order of
//! combination depends on the numbers of gangs, workers and lanes only, and every thread gets the same bits.
//!
//! A gang reduction without RESULT does nothing. In a kernel that has one gang, RESULT is used directly: SETUP reads it,
//! TEARDOWN writes it, so that the code behind the loop sees it.

use super::{
    at::{At, GpuAt},
    modes::{Mode, operations},
    reduce_gang::{self, Contribution},
    reduce_group,
    unit::Unit,
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_back::operators::{combine, identity};
use accrue_dialects::{
    core::{Copy, array_parts, is_scalar, pointee},
    par::{Level, RedFini, RedInit, RedSetup, RedTeardown, ReductionInfo, ReductionOp},
};
use accrue_ir::walk::results_of;
use pliron::{
    context::{Context, Ptr},
    op::op_cast,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// Which builtin an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    Setup,
    Init,
    Fini,
    Teardown,
}

/// A reduction builtin. Its operands are read when they are needed: expanding one builtin replaces operands of others.
#[derive(Clone, Copy)]
pub struct Reduction {
    pub op: Ptr<Operation>,
    pub builtin: Builtin,
    pub info: ReductionInfo,
    pub mode: Mode,
    pub has_result: bool,
}

impl Reduction {
    pub fn local(&self, ctx: &Context) -> Value {
        self.op.deref(ctx).get_operand(0)
    }

    pub fn result(&self, ctx: &Context) -> Option<Value> {
        self.has_result.then(|| self.op.deref(ctx).get_operand(1))
    }
}

/// What is reduced: one scalar, or an array of them that is passed by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    pub ty: TypeHandle,
    pub scalar: TypeHandle,
    pub count: u64,
    pub by_address: bool,
}

impl Object {
    /// What the LOCAL `local` is.
    pub fn of(ctx: &Context, local: Value) -> Self {
        let array = pointee(ctx, local).filter(|t| array_parts(ctx, *t).is_some());
        let ty = array.unwrap_or_else(|| local.get_type(ctx));
        let (mut scalar, mut count) = (ty, 1u64);
        while let Some((length, of)) = array_parts(ctx, scalar) {
            (scalar, count) = (of, count.saturating_mul(length));
        }
        Object {
            ty,
            scalar,
            count,
            by_address: array.is_some(),
        }
    }
}

/// Expands all reductions of the function.
pub fn expand(ctx: &mut Context, unit: &mut Unit) -> Result<()> {
    let all = reductions(ctx, unit);
    for reduction in &all {
        let object = Object::of(ctx, reduction.local(ctx));
        if !is_scalar(ctx, object.scalar) {
            let message = "a reduction of this type is not supported on NVIDIA GPUs";
            return Err(Diagnostic::at(ctx, reduction.op, message));
        }
    }
    let mut contributions = reduce_gang::contributions(ctx, unit, &all)?;
    for reduction in &all {
        let value = value(ctx, unit, reduction, &mut contributions)
            .map_err(|d| d.or_at(ctx, reduction.op))?;
        if let Some(old) = results_of(ctx, reduction.op).first() {
            old.replace_all_uses_with(ctx, &value);
        }
        Operation::erase(reduction.op, ctx);
    }
    reduce_gang::finish(ctx, unit, &contributions)
}

/// The builtins of a function in order.
fn reductions(ctx: &Context, unit: &Unit) -> Vec<Reduction> {
    let reduction = |(op, mode): (Ptr<Operation>, Mode)| {
        let object = Operation::get_op_dyn(op, ctx);
        let reduction = op_cast::<dyn ReductionOp>(&*object)?;
        let builtin = if Operation::is_op::<RedSetup>(op, ctx) {
            Builtin::Setup
        } else if Operation::is_op::<RedInit>(op, ctx) {
            Builtin::Init
        } else if Operation::is_op::<RedFini>(op, ctx) {
            Builtin::Fini
        } else if Operation::is_op::<RedTeardown>(op, ctx) {
            Builtin::Teardown
        } else {
            return None;
        };
        let (info, has_result) = (reduction.info(ctx), reduction.result_ref(ctx).is_some());
        Some(Reduction {
            op,
            builtin,
            info,
            mode,
            has_result,
        })
    };
    let all = operations(ctx, unit.function, unit.base, &|_| false);
    all.into_iter().filter_map(reduction).collect()
}

/// The builtin's value: V.
fn value(
    ctx: &mut Context,
    unit: &mut Unit,
    reduction: &Reduction,
    contributions: &mut [Contribution],
) -> Result<Value> {
    let (local, info) = (reduction.local(ctx), reduction.info);
    let result = reduction.result(ctx);
    let known = contributions.iter().position(|c| c.info.id == info.id);
    let mut at = At::before(ctx, reduction.op);
    match (info.level, reduction.builtin) {
        (Level::Worker | Level::Vector, Builtin::Setup | Builtin::Fini) => Ok(local),
        (Level::Worker | Level::Vector, Builtin::Init) => {
            reduce_group::start(&mut at, unit, info, local)
        }
        (Level::Worker | Level::Vector, Builtin::Teardown) => {
            reduce_group::combine_local(&mut at, unit, reduction.mode, info, local)
        }
        (Level::Gang, builtin) => match (result, known, builtin) {
            (None, _, _) => Ok(local),
            (Some(result), None, Builtin::Setup) => Ok(read_result(&mut at, local, result)),
            (Some(result), None, Builtin::Teardown) => {
                write_result(&mut at, local, result);
                Ok(local)
            }
            (Some(_), None, Builtin::Init | Builtin::Fini) => Ok(local),
            (Some(_), Some(_), Builtin::Setup | Builtin::Teardown) => Ok(local),
            (Some(_), Some(_), Builtin::Init) => all_identity(&mut at, info, local),
            (Some(_), Some(index), Builtin::Fini) => {
                contributions[index].add(&mut at, local)?;
                Ok(local)
            }
        },
    }
}

/// LOCAL of a kernel with one gang: what RESULT holds.
fn read_result(at: &mut At, local: Value, result: Value) -> Value {
    let object = Object::of(at.ctx, local);
    let result = at.pointer_to(result, object.ty);
    if object.by_address {
        at.op(|c| Copy::new(c, local, result));
        return local;
    }
    at.load(result)
}

fn write_result(at: &mut At, local: Value, result: Value) {
    let object = Object::of(at.ctx, local);
    let result = at.pointer_to(result, object.ty);
    if object.by_address {
        at.op(|c| Copy::new(c, result, local));
    } else {
        at.store(local, result);
    }
}

/// LOCAL as the operator's identity.
fn all_identity(at: &mut At, info: ReductionInfo, local: Value) -> Result<Value> {
    let object = Object::of(at.ctx, local);
    if object.by_address {
        fill(at, info, object, local)?;
        return Ok(local);
    }
    identity(at, info, object.scalar)
}

/// Gives all elements of the object at `address` the operator's identity.
pub fn fill(at: &mut At, info: ReductionInfo, object: Object, address: Value) -> Result<()> {
    for_each(at, object.count, |at, index| {
        let first = at.pointer_to(address, object.scalar);
        let value = identity(at, info, object.scalar)?;
        let element = at.element(first, index);
        at.store(value, element);
        Ok(())
    })
}

/// `*into = *into OP value`.
pub fn combine_into(at: &mut At, info: ReductionInfo, into: Value, value: Value) -> Result<()> {
    let old = at.load(into);
    let new = combine(at, info, old, value)?;
    at.store(new, into);
    Ok(())
}

/// A counted loop over `0..count`; a single element needs none.
pub fn for_each(
    at: &mut At,
    count: u64,
    body: impl FnOnce(&mut At, Value) -> Result<()>,
) -> Result<()> {
    let lower = at.i64(0);
    if count == 1 {
        return body(at, lower);
    }
    let (upper, step) = (at.i64(i128::from(count)), at.i64(1));
    at.counted(lower, upper, step, body)?;
    Ok(())
}
