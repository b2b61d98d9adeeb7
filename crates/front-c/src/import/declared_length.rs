//! Array parameters in data clauses: a section of the declared length.
//!
//! ```text
//! void f(int n, double a[n]) { … #pragma acc data copy(a)      acc.copyin var(%a) bounds(extent(%n)), as for a[0:n]
//! ```
//!
//! The text side has found the length ([`crate::text::parameters`]), and the carrier has it as an argument, evaluated where
//! the directive stands. It must be what it was when the function was called: nothing may hide or change what it names.

use super::directive::View;
use super::functions::Module;
use super::state::{Result, Stop};
use crate::ast::carrier::carrier;
use crate::ast::node::{CastKind, Kind, NodeId, Operator};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc;
use pliron::value::Value;
use std::collections::HashSet;

impl Module<'_> {
    /// The bounds of item `item` of clause `clause` if it names an array parameter, `base`, without subscripts.
    pub(super) fn declared_bounds(
        &mut self,
        view: &View<'_>,
        (clause, item): (usize, usize),
        base: NodeId,
    ) -> Result<Option<Value>> {
        let ast = self.source.ast;
        let Some(length) = view.scanned.lengths.get(&(clause, item)) else {
            return Ok(None);
        };
        let declaration = ast.referenced(ast.strip_parens(base));
        let Some(parameter) = declaration.filter(|d| ast.kind(*d) == Kind::ParmVarDecl) else {
            // A variable hides the parameter.
            return Ok(None);
        };
        let at = ast.node(parameter).at as usize;
        let expression = view.argument(Owner::Clause(clause), item, Role::Length(0));
        let Some(expression) =
            expression.filter(|_| self.source.carriers.to_preprocessed(at) == length.parameter)
        else {
            return Err(unknown(
                base,
                ast.name(parameter),
                "its declaration is not understood",
            ));
        };
        if let Err(why) = self.is_as_declared(expression) {
            return Err(unknown(base, ast.name(parameter), &why));
        }
        let value = self.integer_operand(expression)?;
        let ty = self.type_of(expression)?;
        let extent = self.widen_index(value, ty);
        let op = acc::Bounds::new(self.ctx, None, Some(extent));
        Ok(Some(self.emit_value(op)))
    }

    /// Whether an expression has the value that it had when the function was called; else why not.
    fn is_as_declared(&mut self, expression: NodeId) -> std::result::Result<(), String> {
        let ast = self.source.ast;
        let body = self.function.body;
        let mut pending = vec![expression];
        while let Some(id) = pending.pop() {
            pending.extend(ast.children(id));
            let is_plain = match ast.kind(id) {
                Kind::DeclRefExpr => {
                    let Some(declaration) = ast.referenced(id) else {
                        return Err("its length is not understood".to_owned());
                    };
                    let name = ast.name(declaration);
                    if ast.node(declaration).at > ast.node(body).begin {
                        return Err(format!(
                            "its length names `{name}`, which a local declaration hides here"
                        ));
                    }
                    let unread = self.source.carriers.is_unread(name);
                    if unread || self.changed_variables().contains(&declaration) {
                        return Err(format!(
                            "its length names `{name}`, which may change in this function"
                        ));
                    }
                    true
                }
                Kind::BinaryOperator => ast.node(id).op.is_some_and(|op| !changes(op)),
                Kind::UnaryOperator => ast
                    .node(id)
                    .op
                    .is_some_and(|op| !changes(op) && op != Operator::Mul),
                Kind::ParenExpr
                | Kind::ConstantExpr
                | Kind::ImplicitCastExpr
                | Kind::CStyleCastExpr
                | Kind::ConditionalOperator
                | Kind::IntegerLiteral
                | Kind::CharacterLiteral
                | Kind::FloatingLiteral
                | Kind::UnaryExprOrTypeTraitExpr => true,
                _ => false,
            };
            if !is_plain {
                return Err("its length is not made of variables and constants alone".to_owned());
            }
        }
        Ok(())
    }

    /// The variables of the function that are used other than by reading them, in clauses excepted.
    pub(super) fn changed_variables(&mut self) -> &HashSet<NodeId> {
        if self.function.changed.is_none() {
            let found = self.find_changed(self.function.body);
            self.function.changed = Some(found);
        }
        self.function.changed.get_or_insert_default()
    }

    fn find_changed(&mut self, body: NodeId) -> HashSet<NodeId> {
        let ast = self.source.ast;
        let mut found = HashSet::new();
        let mut pending = vec![(body, false)];
        while let Some((id, is_read)) = pending.pop() {
            if let Some(directive) = carrier(&mut self.types, id) {
                pending.extend(directive.statement.map(|statement| (statement, false)));
                continue;
            }
            let kind = ast.kind(id);
            if kind == Kind::DeclRefExpr && !is_read {
                found.extend(ast.referenced(id));
            }
            let reads = match kind {
                Kind::ImplicitCastExpr => ast.node(id).cast == Some(CastKind::LValueToRValue),
                Kind::ParenExpr => is_read,
                Kind::UnaryExprOrTypeTraitExpr => true,
                _ => false,
            };
            pending.extend(ast.children(id).map(|child| (child, reads)));
        }
        found
    }
}

fn changes(op: Operator) -> bool {
    matches!(
        op,
        Operator::Assign | Operator::Inc | Operator::Dec | Operator::Comma | Operator::Unknown
    )
}

fn unknown(at: NodeId, name: &str, why: &str) -> Stop {
    Stop::at(
        at,
        format!("the length of the array parameter `{name}` is not known here: {why}"),
    )
    .help(format!("write the section: `{name}[0:length]`"))
    .section("2.7.1")
}
