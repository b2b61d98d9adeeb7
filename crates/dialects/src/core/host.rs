//! What only host code may contain.

use accrue_ir::{attributes, build::build, effects};
use pliron::{
    builtin::{attributes::StringAttr, op_interfaces::NResultsInterface},
    context::Context,
    derive::pliron_op,
    value::Value,
};

/// A host statement or declaration that was not understood. It may read and write the variables that are its operands
/// (by address), let their addresses escape, and touch any memory that escaped before. Never in a region for a device.
#[pliron_op(
    name = "core.opaque",
    format = "attr($core_opaque_what, $StringAttr) ` ` operands(CharSpace(`,`))",
    interfaces = [NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Opaque;

attributes! { Opaque:
    required core_opaque_what: StringAttr = what_attribute, set_what_attribute;
}
effects!(unknown: Opaque);

impl Opaque {
    /// `what` says in a few words what the statement is.
    pub fn new(ctx: &mut Context, what: &str, variables: Vec<Value>) -> Self {
        let op: Self = build(ctx, vec![], variables, 0);
        op.set_what_attribute(ctx, StringAttr::new(what.to_string()));
        op
    }

    /// What code is that the front end did not even see: anything, jumps included.
    pub const UNREAD: &str = "unread";

    /// Whether it may be reached by a jump, or may jump itself.
    pub fn may_jump(&self, ctx: &Context) -> bool {
        let what = self.what(ctx);
        what.contains("LabelStmt") || what == Self::UNREAD
    }

    /// What the statement is.
    pub fn what(&self, ctx: &Context) -> String {
        self.what_attribute(ctx).into()
    }
}
