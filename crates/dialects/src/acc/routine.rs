//! The `routine` directive (OpenACC 3.4, section 2.15.1), as an attribute of the function that it is about.

use super::clauses::DeviceTypes;
use crate::core::ExternFunc;
use accrue_abi::symbols::shown;
use accrue_ir::keys;
use pliron::{
    builtin::{attr_interfaces::OutlinedAttr, op_interfaces::SymbolOpInterface, ops::FuncOp},
    context::Context,
    derive::{attr_interface_impl, pliron_attr},
    dict_key,
    op::Op,
};

/// What stands before the name of a function's version for the host, where devices have another one without the directives
/// that do nothing there. C reserves such names.
pub const HOST_VERSION: &str = "__accrue_host_";

/// The name of a function in the program.
pub fn name_in_program(ctx: &Context, func: &FuncOp) -> String {
    let symbol = func.get_symbol_name(ctx).to_string();
    shown(symbol.strip_prefix(HOST_VERSION).unwrap_or(&symbol))
}

/// The level at which a function works, per device type. None at all: `seq`, as far as the directive says.
#[pliron_attr(name = "acc.routine", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct Routine {
    pub gang: DeviceTypes,
    /// Where `gang` says a dimension: that one.
    pub dim_one: DeviceTypes,
    pub dim_two: DeviceTypes,
    pub dim_three: DeviceTypes,
    pub worker: DeviceTypes,
    pub vector: DeviceTypes,
    pub seq: DeviceTypes,
}

/// The same of a function whose body is in another unit, on its `core.extern_func`.
#[pliron_attr(name = "acc.foreign_routine", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct ForeignRoutine(pub Routine);

#[attr_interface_impl]
impl OutlinedAttr for ForeignRoutine {}

dict_key!(ROUTINE, "acc_routine");

keys! {
    FOREIGN_ROUTINE "acc_foreign_routine": ForeignRoutine;
}

/// What the `routine` directive of a function says; `None` for a function without one.
pub fn routine_of(ctx: &Context, func: &dyn Op) -> Option<Routine> {
    let op = func.get_operation().deref(ctx);
    op.attributes.get::<Routine>(&ROUTINE).cloned()
}

/// Notes the `routine` directive of a function.
pub fn set_routine(ctx: &Context, func: &dyn Op, routine: Routine) {
    let mut op = func.get_operation().deref_mut(ctx);
    op.attributes.set(ROUTINE.clone(), routine);
}

/// What the `routine` directive says of a function whose body is in another unit; `None` for a function of a library.
pub fn foreign_routine_of(ctx: &Context, func: &ExternFunc) -> Option<Routine> {
    let found = FOREIGN_ROUTINE.get(ctx, func.get_operation())?;
    Some(found.0)
}

/// Notes that a function's body is in another unit, and what its `routine` directive says.
pub fn set_foreign_routine(ctx: &Context, func: &ExternFunc, routine: Routine) {
    FOREIGN_ROUTINE.set(ctx, func.get_operation(), ForeignRoutine(routine));
}
