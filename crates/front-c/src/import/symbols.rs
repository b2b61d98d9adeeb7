//! The symbols of functions and variables in the IR: linkage names, with the unit's number where only the unit has them.

use super::functions::Module;
use super::state::Stop;
use crate::ast::node::{Flags, NodeId};
use accrue_dialects::core::{self};
use pliron::identifier::Identifier;
use pliron::op::Op;

impl Module<'_> {
    /// The symbol of a declared function or global: the name in C, of the unit if no other one can mean it.
    pub(super) fn symbol_of(
        &self,
        declaration: NodeId,
        name: &str,
        at: NodeId,
    ) -> super::state::Result<Identifier> {
        let ast = self.source.ast;
        match ast.node(ast.canonical(declaration)).has(Flags::STATIC) {
            true => symbol(&self.in_unit(name), at),
            false => symbol(name, at),
        }
    }

    /// The symbol of what only this unit has.
    pub(super) fn in_unit(&self, name: &str) -> String {
        core::symbol_in_unit(self.ctx, self.module.get_operation(), name)
    }
}

/// The symbol of a function or variable. Characters that C allows in names and the IR does not are written as numbers.
pub(super) fn symbol(name: &str, at: NodeId) -> super::state::Result<Identifier> {
    let mut text = String::new();
    for c in name.chars() {
        match c.is_ascii_alphanumeric() || c == '_' {
            true => text.push(c),
            false => text.push_str(&format!("_u{:x}_", u32::from(c))),
        }
    }
    Identifier::try_new(text).map_err(|_| Stop::at(at, "this name cannot be used on a device"))
}

/// `name` with everything replaced that an identifier cannot have.
pub(super) fn identifier(name: &str) -> Identifier {
    let mut text: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert(0, '_');
    }
    Identifier::try_new(text).unwrap_or_else(|_| pliron::ident!("unit"))
}
