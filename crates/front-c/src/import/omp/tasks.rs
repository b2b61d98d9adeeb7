//! Constructs whose statement the thread that comes to them runs at once (OpenMP 5.2, chapters 12 and 15): tasks are not deferred, so
//! that whatever they depend on is done, and whoever waits for them need not.
//!
//! ```text
//! #pragma omp task firstprivate(n) depend(in: a)      %n = core.alloca …
//! s;                                             →    s
//! #pragma omp taskwait
//! #pragma omp taskloop                                omp.loop_nest … [alone] { … }
//! for (…) …
//! ```
//! A reduction over tasks is done in the variable itself: one thread runs them one after another.

use super::own::Unnamed;
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::state::Result;
use accrue_dialects::omp::Barrier;
use accrue_directives::omp::{ClauseKind, Directive, DirectiveKind, Inside, Leaf};

impl Module<'_> {
    /// `task`, `taskgroup` and `scope`.
    pub(super) fn omp_at_once(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        if omp.kind == DirectiveKind::Inside(Inside::Scope) && omp.has(ClauseKind::Reduction) {
            return self.scope_reduction(view, omp);
        }
        let statement = view.statement()?;
        let unnamed = match omp.kind == DirectiveKind::Inside(Inside::Task) {
            true => Unnamed::of(omp, Unnamed::OfThread),
            false => Unnamed::Shared,
        };
        self.with_own(|this| {
            this.own_unnamed(view, omp, statement, unnamed)?;
            this.own_named(view, omp)?;
            this.statement(statement);
            Ok(())
        })?;
        if omp.kind == DirectiveKind::Inside(Inside::Scope) && !omp.has(ClauseKind::Nowait) {
            let op = Barrier::new(self.ctx);
            self.emit(op);
        }
        Ok(())
    }

    /// `taskloop`, whose loop has the variables that clauses name.
    pub(super) fn omp_taskloop(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        leaves: &[Leaf],
    ) -> Result<()> {
        let statement = view.statement()?;
        let unnamed = Unnamed::of(omp, Unnamed::OfThread);
        self.with_own(|this| {
            this.own_unnamed(view, omp, statement, unnamed)?;
            this.omp_loop_nest(view, omp, leaves)
        })
    }

    /// Runs `body`, behind which the variables that it has made its own are those outside again.
    pub(super) fn with_own(&mut self, body: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let scope = self.function.variables.enter();
        let shared = self.function.shared.clone();
        let imported = body(self);
        self.function.shared = shared;
        self.function.variables.leave(scope);
        imported
    }
}
