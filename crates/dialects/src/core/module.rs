//! What front ends say of a whole module: attributes of the `builtin.module`.
//!
//! ```text
//! builtin.module @heat_c [core_unit: "5f…", core_aliasing: core.aliasing EffectiveTypes] { … }
//! ```
//! Languages differ in these things, and options of compilers change them; passes and back ends ask here.
//! Symbols are linkage names: two modules that are linked have the same symbol only for the same thing.

use accrue_abi::symbols::of_unit;
use accrue_ir::keys;
use pliron::{
    builtin::attributes::StringAttr,
    context::{Context, Ptr},
    derive::pliron_attr,
    operation::Operation,
};

keys! {
    /// The unit that the module is of: a number that no other unit of a program has.
    UNIT "core_unit": StringAttr;
    /// Which accesses never meet because of their types.
    ALIASING "core_aliasing": Aliasing;
}

/// The symbol of what only the module's unit has, such as a `static` function; `name` itself, if the module does not say which
/// unit it is.
pub fn symbol_in_unit(ctx: &Context, module: Ptr<Operation>, name: &str) -> String {
    match UNIT.get(ctx, module) {
        Some(unit) => of_unit(name, &String::from(unit)),
        None => name.to_string(),
    }
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
