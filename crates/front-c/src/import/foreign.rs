//! Functions across units: which of other units' device code may call, and which of this unit's other units may.
//!
//! ```text
//! #pragma acc routine seq                      core.extern_func @f, a foreign routine, seq     the link finds its body
//! double f(double);                        →
//! #pragma acc parallel loop … y = f(x);        core.call @f(…)
//!
//! #pragma acc routine seq                      a routine for others, if the link asks for it
//! double f(double x) { return 2 * x; }
//! ```
//! A directive says it, on both sides (OpenACC 3.4, section 2.15.1): what a file without it defines is for the host. In OpenMP it is
//! `declare target` (5.2, section 7.8). A function that
//! is `static`, or `inline`, is each unit's own.

use super::Routine;
use super::functions::Module;
use super::state::Stop;
use crate::ast::node::{Flags, NodeId};
use accrue_dialects::{acc, core::ExternFunc};
use pliron::op::Op;

impl Module<'_> {
    /// Whether the function's body for devices is in another unit.
    pub(super) fn is_foreign(&self, function: NodeId) -> bool {
        let ast = self.source.ast;
        let name = ast.name(function);
        let is_routine = self.routines.contains_key(name) || self.targets.contains(name);
        is_routine
            && self.definition(function).is_none()
            && !self.may_be_called(function)
            && !ast.node(ast.canonical(function)).has(Flags::STATIC)
    }

    /// That no unit can have the body for devices of a function.
    pub(super) fn no_body(&self, function: NodeId, at: NodeId) -> Stop {
        let name = self.source.ast.name(function);
        let text = format!("the body of `{name}` is not in this file, so a device cannot call it");
        if self.function.openmp {
            return Stop::at(at, text)
                .help(format!(
                    "define `{name}` in this file, or name it in a `declare target` here and in the other file"
                ))
                .openmp("7.8");
        }
        Stop::at(at, text)
            .help(format!(
                "define `{name}` in this file, or write a `routine` directive in front of its declaration here and of its definition \
                 in the other file"
            ))
            .section("2.15.1")
    }

    /// Says of a declaration that it is about another unit's routine, and where it stands.
    pub(super) fn note_foreign(&mut self, declared: ExternFunc, declaration: Option<NodeId>) {
        let Some(declaration) = declaration else {
            return;
        };
        self.locate(declaration);
        let operation = declared.get_operation();
        operation.deref_mut(self.ctx).set_loc(self.location.clone());
        let levels = self.routines.get(self.source.ast.name(declaration));
        let levels = levels.map(|info| info.levels.clone()).unwrap_or_default();
        acc::set_foreign_routine(self.ctx, &declared, levels);
    }

    /// The functions that regions of other units may call.
    pub(super) fn routines_for_others(&self, functions: &[NodeId]) -> Vec<Routine> {
        let ast = self.source.ast;
        let is_for_others = |function: &&NodeId| {
            let first = ast.node(ast.canonical(**function));
            let info = self.routines.get(ast.name(**function));
            let is_routine = info.is_some_and(|info| info.bind.is_none());
            (is_routine || self.targets.contains(ast.name(**function)))
                && !first.has(Flags::STATIC)
                && !ast.node(**function).has(Flags::INLINE)
        };
        let routine = |function: &NodeId| Routine {
            name: ast.name(*function).to_owned(),
            place: self.place_of(*function),
        };
        let found = functions.iter().filter(is_for_others);
        found.map(routine).collect()
    }
}
