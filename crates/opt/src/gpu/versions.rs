//! Copies of kernels that become other versions of them.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::par::kernels::{VERSION, Version, VersionKind};
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::FuncOp},
    context::Context,
    identifier::Identifier,
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
};

/// A copy of the kernel behind it, marked as its version.
pub fn behind(ctx: &mut Context, kernel: FuncOp, kind: VersionKind) -> Option<FuncOp> {
    copy(Emitter::after(ctx, kernel.get_operation()), kernel, kind)
}

/// The same, in front of the kernel.
pub fn before(ctx: &mut Context, kernel: FuncOp, kind: VersionKind) -> Option<FuncOp> {
    copy(Emitter::before(ctx, kernel.get_operation()), kernel, kind)
}

fn copy(mut e: Emitter, kernel: FuncOp, kind: VersionKind) -> Option<FuncOp> {
    let name = kernel.get_symbol_name(e.ctx).to_string();
    let symbol = Identifier::try_from(format!("{name}_{}", kind.suffix())).ok()?;
    let copy = e.copy(kernel.get_operation(), &mut IrMapping::default());
    let copy = Operation::get_op::<FuncOp>(copy, e.ctx)?;
    copy.set_symbol_name(e.ctx, symbol);
    let version = Version { kernel: name, kind };
    VERSION.set(e.ctx, copy.get_operation(), version);
    Some(copy)
}
