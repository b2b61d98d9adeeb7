//! The `routine` directive (OpenACC 3.4, section 2.15.1), as an attribute of the function that it is about.

use super::clauses::DeviceTypes;
use pliron::{context::Context, derive::pliron_attr, dict_key, op::Op};

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
