//! Verification of all that pliron's own verifier does not ask for.

use pliron::{
    context::{Context, Ptr},
    op::op_impls,
    operation::{Operation, verify_operation},
    result::Result,
    verify_err,
};

use crate::{attributes::of_another_type, effects::EffectOp, walk::nested_ops};

/// Verifies `op` and everything in it; every operation but pliron's own must say what effects it has, and what passes have left
/// on operations must be of the declared types.
pub fn verify(op: Ptr<Operation>, ctx: &Context) -> Result<()> {
    verify_operation(op, ctx)?;
    for inner in std::iter::once(op).chain(nested_ops(ctx, op)) {
        let object = Operation::get_op_dyn(inner, ctx);
        let id = object.get_opid();
        let own = AsRef::<str>::as_ref(&id.dialect) == "builtin";
        if !own && !op_impls::<dyn EffectOp>(&*object) {
            let loc = inner.deref(ctx).loc().clone();
            return verify_err!(loc, "`{id}` does not say what effects it has");
        }
        if let Some(key) = of_another_type(ctx, inner) {
            let loc = inner.deref(ctx).loc().clone();
            return verify_err!(loc, "the attribute `{key}` of `{id}` is of another type");
        }
    }
    Ok(())
}
