//! What front ends say of a whole module: attributes of the `builtin.module`.
//!
//! ```text
//! builtin.module @heat_c [core_aliasing: core.aliasing EffectiveTypes] { … }
//! ```
//! Languages differ in these things, and options of compilers change them; passes and back ends ask here.

use accrue_ir::keys;
use pliron::{
    context::{Context, Ptr},
    derive::pliron_attr,
    operation::Operation,
};

keys! {
    /// Which accesses never meet because of their types.
    ALIASING "core_aliasing": Aliasing;
}

/// What the types of two accesses say about whether they meet.
#[pliron_attr(name = "core.aliasing", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, Default)]
pub enum Aliasing {
    /// Nothing.
    #[default]
    Any,
    /// An object is accessed with one type, but for characters and for integers of both signs.
    EffectiveTypes,
}

impl Aliasing {
    /// What holds in a module; nothing, if its front end does not say.
    pub fn of_module(ctx: &Context, module: Ptr<Operation>) -> Self {
        ALIASING.get(ctx, module).unwrap_or_default()
    }
}
