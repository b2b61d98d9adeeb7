//! Finds the calls that carry directives.
//!
//! The text side replaces the directive with number `k` by a call that keeps its clause expressions
//! typed (see [`crate::text`]):
//!
//! ```text
//! switch (__accrue_dir(k, &(a), (0), (n))) default: for (…) …    before a statement
//! __accrue_dir(k, …);                                          standing alone
//! _Static_assert(sizeof(__accrue_dir(k, …)), "");              declarative
//! ```

use std::collections::HashMap;

use super::constant;
use super::node::{Kind, NodeId};
use super::tree::Ast;
use super::types::Types;

/// Name of the function that carriers call.
pub const CARRIER: &str = "__accrue_dir";

/// A directive of the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Carrier {
    /// Its number in the table of the text side.
    pub ordinal: usize,
    /// What stands for its clause expressions.
    pub arguments: Vec<NodeId>,
    /// The statement it belongs to; `None` for one that stands alone.
    pub statement: Option<NodeId>,
}

/// The directive that `statement` (or declaration) carries, if it carries one.
pub fn carrier(types: &mut Types<'_>, statement: NodeId) -> Option<Carrier> {
    let ast = types.ast;
    let (call, body) = match ast.kind(statement) {
        Kind::SwitchStmt => {
            let default = ast.child(statement, 1)?;
            if ast.kind(default) != Kind::DefaultStmt {
                return None;
            }
            (
                ast.strip_implicit(ast.child(statement, 0)?),
                ast.child(default, 0),
            )
        }
        // In a block the assertion is in a statement of its own.
        Kind::DeclStmt => return carrier(types, ast.child(statement, 0)?),
        Kind::StaticAssertDecl => {
            let mut inner = ast.child(statement, 0)?;
            while ast.kind(inner) != Kind::UnaryExprOrTypeTraitExpr {
                inner = ast.child(inner, 0)?;
            }
            (ast.strip_implicit(ast.child(inner, 0)?), None)
        }
        Kind::CallExpr => (statement, None),
        _ => return None,
    };
    if !is_carrier_call(ast, call) {
        return None;
    }
    let mut arguments = ast.children(call).skip(1);
    let ordinal = constant::integer(types, arguments.next()?)?;
    Some(Carrier {
        ordinal: usize::try_from(ordinal).ok()?,
        arguments: arguments.collect(),
        statement: body,
    })
}

fn is_carrier_call(ast: &Ast, call: NodeId) -> bool {
    let callee = ast.child(call, 0).map(|callee| ast.strip_implicit(callee));
    ast.kind(call) == Kind::CallExpr
        && callee
            .and_then(|callee| ast.referenced(callee))
            .is_some_and(|function| ast.name(function) == CARRIER)
}

/// All directives below `node` by number, with the statement or declaration that carries each.
pub fn carriers(types: &mut Types<'_>, node: NodeId) -> HashMap<usize, (NodeId, Carrier)> {
    let ast = types.ast;
    let mut found = HashMap::new();
    ast.walk(node, &mut |id| {
        if let Some(carrier) = carrier(types, id) {
            // The call below a carrying statement is seen later and must not replace it.
            found.entry(carrier.ordinal).or_insert((id, carrier));
        }
        true
    });
    found
}

/// The number of the code that a call stands for because clang cannot read it.
pub fn unread(types: &mut Types<'_>, call: NodeId) -> Option<usize> {
    let ast = types.ast;
    let call = ast.strip_implicit(call);
    if ast.kind(call) != Kind::CallExpr {
        return None;
    }
    let callee = ast.referenced(ast.strip_implicit(ast.child(call, 0)?))?;
    if ast.name(callee) != crate::text::unread::UNREAD {
        return None;
    }
    let number = constant::integer(types, ast.child(call, 1)?)?;
    usize::try_from(number).ok()
}
