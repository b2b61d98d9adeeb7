//! The numbers in `gang`, `worker` and `vector` (OpenACC 3.4, sections 2.9.2 to 2.9.4).
//!
//! ```text
//! kernels loop gang(n)                  acc.kernels numGangs(%n)             those of the construct, of `parallel loop`, too
//! kernels { loop gang(n) … }            acc.loop gangNum(%n), Clause 0 0     of the kernel that the loop becomes
//! kernels { int k; loop gang(k) … }     acc.loop gangNum(%k), Unwritten      the launch comes before `k` has a value
//! ```
//! A launch needs its sizes before the region begins, so that they are evaluated where the construct stands: an expression with
//! variables that the region declares cannot be.

use super::directive::{View, devices, written};
use super::functions::Module;
use super::state::Result;
use crate::ast::node::{Kind, NodeId};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc::{self, DeviceType, DirectiveOp, Expression, Group};
use accrue_directives::{Clause, ClauseKind, DirectiveKind};

impl Module<'_> {
    /// Those of a combined construct, where it has no clause of its own for them.
    pub fn sizes_of_combined<T: DirectiveOp + Copy>(
        &mut self,
        view: &View<'_>,
        op: &T,
        index: usize,
        clause: &Clause,
    ) -> Result<()> {
        let (group, own, role) = match clause.kind {
            ClauseKind::Gang => (Group::NumGangs, ClauseKind::NumGangs, Role::GangNum),
            ClauseKind::Worker => (Group::NumWorkers, ClauseKind::NumWorkers, Role::Value),
            _ => (Group::VectorLength, ClauseKind::VectorLength, Role::Value),
        };
        let owner = Owner::Clause(index);
        let argument = view.argument(owner, 0, role);
        let Some(argument) = argument.filter(|_| is_combined(view) && op.has(group)) else {
            return Ok(());
        };
        let own = view.clauses().filter(|(_, other)| other.kind == own);
        let given: Vec<DeviceType> = own.flat_map(|(_, other)| devices(other)).collect();
        let value = self.integer_operand(argument)?;
        for device in devices(clause) {
            if !given.contains(&device) && !given.contains(&DeviceType::None) {
                let expression = written(owner, 0);
                acc::push_expression(op, self.ctx, group, value, device, expression);
            }
        }
        Ok(())
    }

    /// That of one clause of a `loop`.
    pub fn size_of_loop(
        &mut self,
        view: &View<'_>,
        op: &acc::Loop,
        (group, role): (Group, Role),
        (owner, clause): (Owner, &Clause),
    ) -> Result<()> {
        let argument = view.argument(owner, 0, role);
        let Some(argument) = argument.filter(|_| !is_combined(view)) else {
            return Ok(());
        };
        let value = self.integer_operand(argument)?;
        let expression = match self.is_of_region(argument) {
            true => Expression::Unwritten,
            false => written(owner, 0),
        };
        self.add(op, group, value, clause, expression);
        Ok(())
    }

    /// Whether a variable in the expression is declared in the compute construct that we are in.
    fn is_of_region(&self, expression: NodeId) -> bool {
        let (ast, construct) = (self.source.ast, self.function.construct);
        let known = &self.function.variables;
        let mut found = false;
        ast.walk(expression, &mut |id| {
            let referenced = ast
                .referenced(id)
                .filter(|_| ast.kind(id) == Kind::DeclRefExpr);
            let variable = referenced.and_then(|declaration| known.get(&declaration));
            found |= variable.is_some_and(|variable| variable.construct == construct);
            true
        });
        found && construct != 0
    }
}

/// Whether the sizes that the loop's clauses give are those of its construct.
fn is_combined(view: &View<'_>) -> bool {
    let kind = view.scanned.acc_kind();
    let combined = [DirectiveKind::KernelsLoop, DirectiveKind::ParallelLoop];
    kind.is_some_and(|kind| combined.contains(&kind))
}
