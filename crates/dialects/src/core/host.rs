//! What only host code may contain.

use accrue_ir::{
    build::build,
    effects::{Effect, MemoryEffects},
};
use pliron::{
    builtin::{attributes::StringAttr, op_interfaces::NResultsInterface},
    context::Context,
    derive::{op_interface_impl, pliron_op},
    value::Value,
};

/// A host statement or declaration that was not understood. It may read and write the variables that are its operands
/// (by address), let their addresses escape, and touch any memory that escaped before. Never in a region for a device.
#[pliron_op(
    name = "core.opaque",
    format = "attr($core_opaque_what, $StringAttr) ` ` operands(CharSpace(`,`))",
    interfaces = [NResultsInterface<0>],
    attributes = (core_opaque_what: StringAttr),
    verifier = "succ"
)]
pub struct Opaque;

impl Opaque {
    /// `what` says in a few words what the statement is.
    pub fn new(ctx: &mut Context, what: &str, variables: Vec<Value>) -> Self {
        let op: Self = build(ctx, vec![], variables, 0);
        op.set_attr_core_opaque_what(ctx, StringAttr::new(what.to_string()));
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
        self.get_attr_core_opaque_what(ctx)
            .map_or_else(String::new, |what| String::from((*what).clone()))
    }
}

#[op_interface_impl]
impl MemoryEffects for Opaque {
    fn effects(&self, _: &Context) -> Vec<Effect> {
        vec![Effect::Read(None), Effect::Write(None)]
    }
}
