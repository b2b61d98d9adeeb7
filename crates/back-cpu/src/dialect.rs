//! The `cpu` dialect: what a kernel for CPU cores has beside `core`.
//!
//! The runtime calls a kernel once per gang. Workers and lanes do not exist: a gang is one thread, its vector loops are
//! SIMD code by the C compiler. A kernel with gang reductions has one *slot* per gang, and a function that combines the
//! slots after the last gang.

use accrue_dialects::par::GangDim;
use accrue_ir::{attributes, build::build, effects};
use pliron::{
    builtin::op_interfaces::{NOpdsInterface, OneOpdInterface, OneResultInterface},
    context::Context,
    derive::pliron_op,
    r#type::TypeHandle,
    value::Value,
};

/// Position of this gang, from 0, as `i64`.
#[pliron_op(
    name = "cpu.gang",
    format = "`: ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct Gang;

/// Number of gangs, as `i64`.
#[pliron_op(
    name = "cpu.gangs",
    format = "`: ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct Gangs;

/// Number of gangs in one dimension, as `i64`.
#[pliron_op(
    name = "cpu.gangs_in",
    format = "attr($cpu_gang_dim, $GangDim) ` : ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct GangsIn;

attributes! { GangsIn:
    required cpu_gang_dim: GangDim = dim, set_dim;
}

/// Address of the slot of gang `$0`.
#[pliron_op(
    name = "cpu.slot",
    format = "$0 ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface],
    operands = (gang),
    verifier = "succ"
)]
pub struct Slot;

impl Gang {
    pub fn new(ctx: &mut Context) -> Self {
        let ty = accrue_dialects::core::int(ctx, 64);
        build(ctx, vec![ty], vec![], 0)
    }
}

impl Gangs {
    pub fn new(ctx: &mut Context) -> Self {
        let ty = accrue_dialects::core::int(ctx, 64);
        build(ctx, vec![ty], vec![], 0)
    }
}

impl GangsIn {
    pub fn new(ctx: &mut Context, dim: GangDim) -> Self {
        let ty = accrue_dialects::core::int(ctx, 64);
        let op: Self = build(ctx, vec![ty], vec![], 0);
        op.set_dim(ctx, dim);
        op
    }
}

impl Slot {
    /// `ty` is the pointer type of the result.
    pub fn new(ctx: &mut Context, gang: Value, ty: TypeHandle) -> Self {
        build(ctx, vec![ty], vec![gang], 0)
    }
}

effects!(none: Gang, Gangs, GangsIn, Slot);

accrue_ir::view! {
    /// Every operation of the dialect.
    CpuOp of "cpu": Gang, Gangs, GangsIn, Slot,
}
