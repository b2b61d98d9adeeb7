//! Loops with a `seq` clause that are not in canonical form, or are left by a jump, or whose body changes their bound (OpenACC 3.4,
//! section 2.9): they run as written.
//!
//! ```text
//! #pragma acc loop seq                              core.loop { … core.break … }, with a `p` of its own
//! for (p = first; p; p = p->next)              →
//!     if (p->key == key) break;
//! ```
//! The variable that the loop sets first is the loop's own, as that of every loop of a directive. What the bound and the step read changes
//! if the body assigns that variable or a part of it, or if they read memory behind a pointer, an element or a member, and the body assigns
//! one of that type.

use super::canonical::{Canonical, step_expression};
use super::directive::View;
use super::functions::Module;
use super::state::{Nest, Result, Stop};
use crate::ast::node::{CastKind, Kind, NodeId, Operator};
use crate::ast::types::TypeId;
use accrue_dialects::acc::{DeviceType, LoopClauses};
use accrue_directives::ClauseKind;
use std::collections::HashSet;

/// What an expression leads to that can be assigned.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// A variable, or a part of it.
    Variable(NodeId),
    /// Memory behind a pointer, of this type.
    Memory(TypeId),
}

impl Module<'_> {
    /// Whether a `for` with a `seq` clause is one that need not be in canonical form (2.9): it is not, or is left by a jump.
    pub(super) fn is_free_loop(&mut self, statement: NodeId, clauses: &LoopClauses) -> bool {
        if clauses.seq.0 != [DeviceType::None] || self.source.ast.kind(statement) != Kind::ForStmt {
            return false;
        }
        match self.canonical_nest(statement, 1, false) {
            Ok(nest) => {
                let Some(dim) = nest.first() else {
                    return false;
                };
                dim.body.is_some_and(|body| self.jumps_out(body)) || self.changes_bounds(dim)
            }
            Err(_) => true,
        }
    }

    /// Whether the body of a loop assigns what its bound or its step reads.
    fn changes_bounds(&mut self, dim: &Canonical) -> bool {
        let Some(body) = dim.body else {
            return false;
        };
        let ast = self.source.ast;
        let mut read = HashSet::new();
        for fixed in [Some(dim.bound), step_expression(dim.step)]
            .into_iter()
            .flatten()
        {
            ast.walk(fixed, &mut |id| {
                if ast.node(id).cast == Some(CastKind::LValueToRValue) {
                    read.extend(
                        ast.child(id, 0)
                            .into_iter()
                            .flat_map(|place| self.places(place)),
                    );
                }
                true
            });
        }
        let mut changed = false;
        ast.walk(body, &mut |id| {
            let node = ast.node(id);
            let changes = match node.kind {
                Kind::CompoundAssignOperator => true,
                Kind::BinaryOperator => node.op == Some(Operator::Assign),
                Kind::UnaryOperator => {
                    matches!(node.op, Some(Operator::Inc | Operator::Dec | Operator::And))
                }
                _ => false,
            };
            if let Some(target) = ast.child(id, 0).filter(|_| changes) {
                changed |= self.places(target).iter().any(|place| read.contains(place));
            }
            !changed
        });
        changed
    }

    /// Where an expression may lead that can be assigned. Pointers lead to parts of variables, too.
    fn places(&mut self, expression: NodeId) -> Vec<Place> {
        let ast = self.source.ast;
        let whole = ast.strip_parens(expression);
        let memory = self.type_of(whole).ok().map(Place::Memory);
        let mut next = Some(whole);
        while let Some(at) = next {
            if ast.node(at).cast == Some(CastKind::LValueToRValue) {
                break;
            }
            if ast.kind(at) == Kind::DeclRefExpr {
                let variable = ast.referenced(at).map(Place::Variable);
                let part = memory.filter(|_| at != whole);
                return variable.into_iter().chain(part).collect();
            }
            next = ast.child(at, 0).map(|child| ast.strip_parens(child));
        }
        memory.into_iter().collect()
    }

    /// A `for` that runs in order, whatever its form: a loop as without the directive, with a variable of its own. What the clauses
    /// reduce, it updates.
    pub(super) fn free_loop(&mut self, view: &View<'_>, statement: NodeId) -> Result<()> {
        let ast = self.source.ast;
        if view
            .clauses()
            .any(|(_, clause)| clause.kind == ClauseKind::Private)
        {
            return Err(Stop::at(
                view.at,
                "`private` on a loop with `seq` that is not in canonical form, or is left by a jump, is not supported",
            )
            .help("declare the variable in the body of the loop")
            .section("2.9"));
        }
        let variable = ast
            .child(statement, 0)
            .filter(|init| ast.kind(*init) != Kind::DeclStmt)
            .and_then(|init| self.loop_variable(init))
            .map(|(variable, _)| variable);
        let scope = self.function.variables.enter();
        if let Some(variable) = variable {
            let shared = self.function.nest.contains(&Nest::AccLoop);
            if shared || self.is_loop_only(variable) {
                let ty = self.type_of(variable)?;
                self.own_variable(variable, ty)?;
            }
        }
        let imported = self.plain_for(statement);
        self.function.variables.leave(scope);
        imported
    }
}
