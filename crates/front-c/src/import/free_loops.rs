//! Loops with a `seq` clause that are not in canonical form, or are left by a jump (OpenACC 3.4, section 2.9): they run as written.
//!
//! ```text
//! #pragma acc loop seq                              core.loop { … core.break … }, with a `p` of its own
//! for (p = first; p; p = p->next)              →
//!     if (p->key == key) break;
//! ```
//! The variable that the loop sets first is the loop's own, as that of every loop of a directive.

use super::directive::View;
use super::functions::Module;
use super::state::{Nest, Result, Stop};
use crate::ast::node::{Kind, NodeId};
use accrue_dialects::acc::{DeviceType, LoopClauses};
use accrue_directives::ClauseKind;

impl Module<'_> {
    /// Whether a `for` with a `seq` clause is one that need not be in canonical form (2.9): it is not, or is left by a jump.
    pub(super) fn is_free_loop(&mut self, statement: NodeId, clauses: &LoopClauses) -> bool {
        if clauses.seq.0 != [DeviceType::None] || self.source.ast.kind(statement) != Kind::ForStmt {
            return false;
        }
        match self.canonical_nest(statement, 1, false) {
            Ok(nest) => {
                let body = nest.first().and_then(|dim| dim.body);
                body.is_some_and(|body| self.jumps_out(body))
            }
            Err(_) => true,
        }
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
