//! What only host code may contain.

use accrue_ir::{attributes, build::build, effects};
use pliron::{
    builtin::{
        attributes::{BoolAttr, StringAttr},
        op_interfaces::NResultsInterface,
    },
    context::Context,
    derive::pliron_op,
    value::Value,
};

/// A host statement or declaration that was not understood. It may read and write the variables that are its operands
/// (by address), let their addresses escape, and touch any memory that escaped before. Never in a region for a device.
#[pliron_op(
    name = "core.opaque",
    format = "attr($core_opaque_what, $StringAttr) ` ` opt_attr($core_opaque_jumps, $BoolAttr, label($jumps), delimiters(`[`, `] `)) operands(CharSpace(`,`))",
    interfaces = [NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Opaque;

attributes! { Opaque:
    required core_opaque_what: StringAttr = what_attribute, set_what_attribute;
    /// It may be reached by a jump from anywhere in the function, or may itself jump anywhere.
    flag core_opaque_jumps = may_jump, set_may_jump;
}
effects!(unknown: Opaque);

impl Opaque {
    /// `what` says in a few words what the statement is.
    pub fn new(ctx: &mut Context, what: &str, variables: Vec<Value>) -> Self {
        let op: Self = build(ctx, vec![], variables, 0);
        op.set_what_attribute(ctx, StringAttr::new(what.to_string()));
        op
    }

    /// What the statement is.
    pub fn what(&self, ctx: &Context) -> String {
        self.what_attribute(ctx).into()
    }
}
