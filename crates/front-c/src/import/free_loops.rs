//! Loops with a `seq` clause that are not in canonical form, are left by a jump, or may change their bound or step
//! ([`super::fixed_bounds`]; OpenACC 3.4, section 2.9): they run as written.
//!
//! ```text
//! #pragma acc loop seq                              core.loop { … core.break … }, with a `p` of its own
//! for (p = first; p; p = p->next)              →
//!     if (p->key == key) break;
//! ```
//! The variable that the loop sets first is the loop's own, as that of every loop of a directive, and so are the variables of `private`:
//! its iterations take turns with them.

use super::directive::View;
use super::functions::Module;
use super::state::{Nest, Result, Stop};
use crate::ast::node::{Kind, NodeId};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc::{DeviceType, LoopClauses};
use accrue_directives::ClauseKind;

impl Module<'_> {
    /// Whether a `for` with a `seq` clause is one that a loop operation cannot stand for: it is not in canonical form, which it need not
    /// be (2.9), it is left by a jump, or its body may change its bound or step.
    pub(super) fn is_free_loop(&mut self, statement: NodeId, clauses: &LoopClauses) -> bool {
        if clauses.seq.0 != [DeviceType::None] || self.source.ast.kind(statement) != Kind::ForStmt {
            return false;
        }
        match self.canonical_nest(statement, 1, false) {
            Ok(nest) => {
                let Some(dim) = nest.first() else {
                    return false;
                };
                dim.body.is_some_and(|body| self.jumps_out(body)) || !self.is_fixed(dim)
            }
            Err(_) => true,
        }
    }

    /// A `for` that runs in order, whatever its form: a loop as without the directive, with a variable of its own. What the clauses
    /// reduce, it updates.
    pub(super) fn free_loop(&mut self, view: &View<'_>, statement: NodeId) -> Result<()> {
        let ast = self.source.ast;
        let private = self.private_of_free_loop(view)?;
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
        for declaration in private {
            let ty = self.type_of(declaration)?;
            self.own_variable(declaration, ty)?;
        }
        let imported = self.plain_for(statement);
        self.function.variables.leave(scope);
        imported
    }

    /// The variables of the loop's `private` clauses.
    fn private_of_free_loop(&mut self, view: &View<'_>) -> Result<Vec<NodeId>> {
        let ast = self.source.ast;
        let mut found = vec![];
        let private = view
            .clauses()
            .filter(|(_, clause)| clause.kind == ClauseKind::Private);
        for (number, clause) in private {
            for (item, var) in clause.vars().iter().enumerate() {
                let named = view
                    .argument(Owner::Clause(number), item, Role::Address)
                    .and_then(|address| ast.child(address, 0))
                    .and_then(|place| self.named_variable(place))
                    .map(|(variable, _)| variable)
                    .filter(|_| var.subscripts.is_empty());
                let Some(variable) = named else {
                    return Err(not_of_free_loop(view));
                };
                let ty = self.type_of(variable)?;
                if self.types.is_variably_modified(ty) {
                    return Err(not_of_free_loop(view));
                }
                found.push(variable);
            }
        }
        Ok(found)
    }
}

fn not_of_free_loop(view: &View<'_>) -> Stop {
    Stop::at(
        view.at,
        "`private` of a section or a variable-length array, on a loop with `seq` that is not in canonical form, is left by a jump, or may change its \
         bound, is not supported",
    )
    .help("declare the variable in the body of the loop")
    .section("2.9")
}
