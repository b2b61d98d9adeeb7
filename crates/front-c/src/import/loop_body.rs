//! What the body of a loop does to the loop's variable, which must not change in it (OpenACC 3.4, section 2.9; OpenMP 5.2, section 4.4.1).
//!
//! A construct in the body may have a variable of its own by that name, whose address its carrier takes, and which it may change:
//!
//! ```text
//! for (int i = 0; i < n; i++)
//!     #pragma omp task firstprivate(i)        switch (__accrue_dir(2, &(i))) default:
//!     x[i++] = 1;                         →   x[i++] = 1;                              the loop's `i` stays
//! ```

use super::directive::View;
use super::functions::Module;
use crate::ast::carrier::carrier;
use crate::ast::node::NodeId;
use crate::text::carriers::{Owner, Role};
use accrue_directives::{AnyDirective, ClauseKind, omp};

impl Module<'_> {
    /// Where `body` changes `variable`, or takes its address.
    pub(super) fn modification(&mut self, body: NodeId, variable: NodeId) -> Option<NodeId> {
        let ast = self.source.ast;
        let mut found = None;
        ast.walk(body, &mut |id| {
            if found.is_some() || self.has_own(id, variable) {
                return false;
            }
            if self.modifies(id, variable) {
                found = Some(id);
            }
            found.is_none()
        });
        found
    }

    /// True if `statement` carries a directive that gives its statement a variable of its own in the place of `variable`.
    fn has_own(&mut self, statement: NodeId, variable: NodeId) -> bool {
        let source = self.source;
        let Some(carrier) = carrier(&mut self.types, statement) else {
            return false;
        };
        let (Some(scanned), Some(call)) = (
            source.unit.directives.get(carrier.ordinal),
            source.carriers.calls.get(carrier.ordinal),
        ) else {
            return false;
        };
        let directive = &scanned.directive;
        let clauses = match directive {
            AnyDirective::Acc(acc) => acc.clauses.len(),
            AnyDirective::Omp(omp) => omp.clauses.len(),
        };
        let owns = |clause: &usize| match directive {
            AnyDirective::Acc(acc) => acc.clauses.get(*clause).is_some_and(|clause| {
                matches!(clause.kind, ClauseKind::Private | ClauseKind::FirstPrivate)
            }),
            AnyDirective::Omp(omp) => omp.clauses.get(*clause).is_some_and(|clause| {
                matches!(
                    clause.kind,
                    omp::ClauseKind::Private | omp::ClauseKind::Firstprivate
                )
            }),
        };
        let view = View::new(scanned, call, statement, carrier);
        (0..clauses).filter(owns).any(|clause| {
            (0..directive.vars(clause).len()).any(|item| {
                let address = view.argument(Owner::Clause(clause), item, Role::Address);
                address
                    .and_then(|address| source.ast.child(address, 0))
                    .and_then(|base| self.named_variable(base))
                    .is_some_and(|(named, _)| named == variable)
            })
        })
    }
}
