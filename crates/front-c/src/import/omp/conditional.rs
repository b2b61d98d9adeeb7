//! `lastprivate(conditional: x)` (OpenMP 5.2, section 5.4.5): the variable has the value that the last iteration gave it that assigns it.
//!
//! ```text
//! #pragma omp target parallel for lastprivate(conditional: x)      omp.target dataOperands(x) {
//! for (i = 0; i < n; i++)                                     →       core.for … in order, by one thread:
//!     if (a[i] > 7) x = i;                                             x is the variable itself }
//! ```
//! Which iteration is the last that assigns is known when all are done. Iterations in their order need not know it.

use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::omp::Barrier;
use accrue_directives::omp::{ClauseArgs, ClauseKind, Directive, Leaf};

/// Whether a clause asks for the last assignment.
pub(super) fn is_conditional(omp: &Directive) -> bool {
    let mut clauses = omp.clauses.iter();
    clauses.any(|clause| matches!(clause.args, ClauseArgs::Conditional(_)))
}

impl Module<'_> {
    /// The loops of the directive, by one thread.
    pub(super) fn in_sequence(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        leaves: &[Leaf],
    ) -> Result<()> {
        let stop = |help: &'static str| {
            let message = "`lastprivate(conditional: …)` of this construct is not supported yet";
            Err(Stop::at(view.at, message).help(help).openmp("5.4.5"))
        };
        let others = [ClauseKind::Reduction, ClauseKind::Linear];
        if others.iter().any(|kind| omp.has(*kind)) {
            return stop("write the reduction as a loop of its own");
        }
        for (index, clause) in omp.clauses_of(ClauseKind::Lastprivate) {
            for item in 0..clause.vars().len() {
                let address = view.argument(Owner::Clause(index), item, Role::Address);
                let base = self.child(address.unwrap_or(view.at), 0)?;
                let ty = self.type_of(base)?;
                if self.scalar(ty).is_none() {
                    let message = "`conditional` takes scalar variables";
                    return Err(Stop::at(base, message)
                        .help("assign members or elements behind the loop")
                        .openmp("5.4.5"));
                }
            }
        }
        let statement = view.statement()?;
        let body = |this: &mut Self| {
            this.with_own(|this| {
                this.own_named(view, omp)?;
                this.statement(statement);
                Ok(())
            })
        };
        match leaves.first() {
            Some(Leaf::Teams | Leaf::Parallel | Leaf::Simd) => body(self),
            Some(Leaf::For) => {
                self.one_thread(view, omp, body)?;
                if !omp.has(ClauseKind::Nowait) {
                    let op = Barrier::new(self.ctx);
                    self.emit(op);
                }
                Ok(())
            }
            Some(
                Leaf::Target
                | Leaf::Distribute
                | Leaf::Loop
                | Leaf::Masked
                | Leaf::Taskloop
                | Leaf::Sections,
            )
            | None => stop("write it on a `parallel for`"),
        }
    }
}
