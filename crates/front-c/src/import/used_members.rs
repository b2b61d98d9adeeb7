//! The uses of members in `use_device` clauses, which mean the device's address (OpenACC 3.4, section 2.8.1).
//!
//! ```text
//! #pragma acc host_data use_device(s->p)
//! { send(s->p, s->n); other(t->p); }            replaced: the first member
//! ```
//! The host's text is the user's: each place is remembered where the expression is to be replaced ([`shadows`]). A member
//! is the one of the clause if it is spelled by the same variable and the same members. Statements of compute constructs are the device's, which has an address of
//! its own for each variable.

use super::{
    directive::View,
    functions::Module,
    state::{Result, Stop},
};
use crate::ast::{Ast, Kind, NodeId, carrier::carrier};
use crate::text::carriers::{Owner, Role};
use crate::text::shadows::{self, Renamed};
use accrue_directives::ClauseKind;

impl Module<'_> {
    /// Finds the uses of all members in the clauses of a `host_data` construct.
    pub(super) fn used_members(&mut self, view: &View<'_>) -> Result<()> {
        let clauses = view.clauses();
        let clauses = clauses.filter(|(_, clause)| clause.kind == ClauseKind::UseDevice);
        // Data operations and the site's variables are in this order.
        let items = clauses.flat_map(|(clause, it)| {
            let vars = it.vars().iter().enumerate();
            vars.map(move |(item, var)| (clause, item, var))
        });
        for (index, (clause, item, var)) in items.enumerate() {
            let address = view.argument(Owner::Clause(clause), item, Role::Address);
            let base = self.child(address.unwrap_or(view.at), 0)?;
            let base = self.source.ast.strip_implicit(base);
            let text = view.scanned.text_of(var.base).trim();
            let is_name = |id| self.source.ast.name(id) == text;
            if self.source.ast.referenced(base).is_some_and(is_name)
                && self.source.ast.kind(base) == Kind::DeclRefExpr
            {
                continue;
            }
            let is_member = self.source.ast.kind(base) == Kind::MemberExpr;
            if !(is_member && is_same(self.source.ast, base, base)) {
                let message = format!(
                    "`use_device({text})` is not supported: it is neither a variable nor a member of one"
                );
                return Err(Stop::at(base, message)
                    .help("assign it to a pointer variable, and name that")
                    .section("2.8.1"));
            }
            let mut found = Vec::new();
            self.member_uses(view.statement()?, base, &mut found);
            let (ast, carriers) = (self.source.ast, self.source.carriers);
            for node in found {
                let at = carriers.to_preprocessed(ast.node(node).begin as usize);
                let end = carriers.to_preprocessed(ast.node(node).end as usize);
                let renamed = Renamed {
                    at,
                    length: end - at,
                    text: shadows::member_text(view.ordinal(), index),
                };
                if !self.renamed.contains(&renamed) {
                    self.renamed.push(renamed);
                }
            }
        }
        Ok(())
    }

    fn member_uses(&mut self, id: NodeId, member: NodeId, found: &mut Vec<NodeId>) {
        let ast = self.source.ast;
        if let Some(directive) = carrier(&mut self.types, id) {
            let scanned = self.source.unit.directives.get(directive.ordinal);
            for argument in directive.arguments {
                self.member_uses(argument, member, found);
            }
            let is_device = scanned.is_some_and(|it| it.directive.is_compute());
            if let Some(statement) = directive.statement.filter(|_| !is_device) {
                self.member_uses(statement, member, found);
            }
            return;
        }
        if ast.kind(id) == Kind::MemberExpr && is_same(ast, id, member) {
            if !found.contains(&id) {
                found.push(id);
            }
            return;
        }
        let children: Vec<NodeId> = ast.children(id).collect();
        for child in children {
            self.member_uses(child, member, found);
        }
    }
}

/// Whether two expressions name the same member of the same variable.
fn is_same(ast: &Ast, one: NodeId, other: NodeId) -> bool {
    let (one, other) = (ast.strip_implicit(one), ast.strip_implicit(other));
    let declaration = |id: NodeId| ast.referenced(id).map(|it| ast.canonical(it));
    if ast.kind(one) != ast.kind(other) || declaration(one) != declaration(other) {
        return false;
    }
    match ast.kind(one) {
        Kind::DeclRefExpr => declaration(one).is_some(),
        Kind::MemberExpr => match (ast.child(one, 0), ast.child(other, 0)) {
            (Some(one), Some(other)) => is_same(ast, one, other),
            _ => false,
        },
        _ => false,
    }
}
