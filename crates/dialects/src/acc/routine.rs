//! The `routine` directive (OpenACC 3.4, section 2.15.1), as an attribute of the function that it is about.

use super::clauses::DeviceTypes;
use accrue_abi::symbols::shown;
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::FuncOp},
    context::Context,
    derive::pliron_attr,
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
    pub worker: DeviceTypes,
    pub vector: DeviceTypes,
    pub seq: DeviceTypes,
}

dict_key!(ROUTINE, "acc_routine");

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
