//! Variables that only count loops: nothing uses what they are behind a loop that starts by setting them.
//!
//! ```text
//! int i, j;
//! #pragma acc parallel loop private(j)
//! for (i = 0; i < n; i++)              `i` and `j` only count: each loop may have a counter of its own
//!     for (j = 0; j < n; j++) …
//! ```
//! A `private` clause names a variable and uses no value of it.
//!
//! Cost: one walk through the function, for all of its variables.

use super::functions::Module;
use crate::ast::carrier::carriers;
use crate::ast::node::{Kind, NodeId};
use crate::text::carriers::{Argument, Owner};
use accrue_directives::ClauseKind;
use std::collections::{HashMap, HashSet};

impl Module<'_> {
    /// True when nothing uses the value that `variable` has behind its loops: every use lies in a
    /// `for` that starts by setting it.
    pub(super) fn is_loop_only(&mut self, variable: NodeId) -> bool {
        let used = match self.function.used_outside_loops.take() {
            Some(used) => used,
            None => self.used_outside_loops(),
        };
        let ast = self.source.ast;
        let only = ast.kind(variable) == Kind::VarDecl
            && !used.contains(&variable)
            && !self.source.carriers.is_unread(ast.name(variable));
        self.function.used_outside_loops = Some(used);
        only
    }

    /// What the function mentions outside of the `for` loops that start by setting it. One walk finds it for all
    /// variables.
    fn used_outside_loops(&mut self) -> HashSet<NodeId> {
        enum Step {
            Enter(NodeId),
            /// The loop that sets the variable ends.
            Leave(NodeId),
        }
        let named = self.named_private();
        let ast = self.source.ast;
        let mut found = HashSet::new();
        // How many of the loops around set a variable.
        let mut set: HashMap<NodeId, usize> = HashMap::new();
        let mut pending = vec![Step::Enter(self.function.body)];
        while let Some(step) = pending.pop() {
            let id = match step {
                Step::Enter(id) if named.contains(&id) => continue,
                Step::Enter(id) => id,
                Step::Leave(variable) => {
                    if let Some(count) = set.get_mut(&variable) {
                        *count -= 1;
                    }
                    continue;
                }
            };
            match ast.kind(id) {
                Kind::ForStmt => {
                    let starts = ast.child(id, 0).and_then(|init| self.loop_variable(init));
                    if let Some((started, first)) = starts {
                        let count = set.entry(started).or_default();
                        // What the variable starts at may be what it was before.
                        if *count == 0 && self.mentions(first, started) {
                            found.insert(started);
                        }
                        *count += 1;
                        pending.push(Step::Leave(started));
                    }
                }
                Kind::DeclRefExpr => {
                    let outside = |variable: &NodeId| set.get(variable).is_none_or(|n| *n == 0);
                    found.extend(ast.referenced(id).filter(outside));
                }
                _ => {}
            }
            pending.extend(ast.children(id).map(Step::Enter));
        }
        found
    }

    /// The arguments that stand for variables in the function's `private` clauses.
    fn named_private(&mut self) -> HashSet<NodeId> {
        let source = self.source;
        let mut found = HashSet::new();
        for (_, carrier) in carriers(&mut self.types, self.function.body).into_values() {
            let (Some(scanned), Some(call)) = (
                source.unit.directives.get(carrier.ordinal),
                source.carriers.calls.get(carrier.ordinal),
            ) else {
                continue;
            };
            let clauses = scanned.directive.acc().map_or(&[][..], |acc| &acc.clauses);
            let is_private = |argument: &Argument| match argument.owner {
                Owner::Clause(number) => clauses
                    .get(number)
                    .is_some_and(|clause| clause.kind == ClauseKind::Private),
                Owner::Directive => false,
            };
            let arguments = call.arguments.iter().zip(&carrier.arguments);
            let private = arguments.filter(|(argument, _)| is_private(argument));
            found.extend(private.map(|(_, node)| *node));
        }
        found
    }
}
