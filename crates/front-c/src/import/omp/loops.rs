//! The loop nests of OpenMP's constructs.
//!
//! ```text
//! #pragma omp distribute parallel for collapse(2)      omp.loop_nest (…) to (…) step (…) [distribute, parallel, for] { ^(%i, %j)
//! for (i = 0; i < n; i++)                         →      … }
//!     for (j = 0; j < m; j++) …
//! ```

use super::lastprivate::Ends;
use super::omp_end;
use super::own::{Unnamed, own_names};
use super::{Part, has_threads_if};
use crate::ast::constant;
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::loops::Bounds;
use crate::import::state::{Result, Stop};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::omp::{self as dialect, Binding, Share, Shares};
use accrue_directives::omp::{ClauseArgs, ClauseKind, Directive, Leaf};

impl Module<'_> {
    /// The loops of a construct whose last leaves are `leaves`.
    pub(super) fn omp_loop_nest(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        leaves: &[Leaf],
    ) -> Result<()> {
        let mut count = 1;
        for (index, _) in omp.clauses_of(ClauseKind::Collapse) {
            let argument = view.argument(Owner::Clause(index), 0, Role::Value);
            let value = argument.and_then(|a| constant::integer(&mut self.types, a));
            match value.and_then(|value| usize::try_from(value).ok()) {
                Some(value) if value > 0 => count = value,
                _ => {
                    return Err(Stop::at(
                        argument.unwrap_or(view.at),
                        "`collapse` takes a positive integer constant",
                    )
                    .openmp("4.4.3"));
                }
            }
        }
        let statement = view.statement()?;
        let (nest, inner) = self.joinable_nest(statement, count)?;
        let entries = self.omp_entries(view, omp, Part::Loops)?;
        let last = self.last_variables(view, omp, &nest)?;
        let found = self.loop_bounds(&nest)?;
        let ends = Ends::of(&found);
        let Bounds {
            bounds,
            dims,
            starts,
        } = found;
        let shares = match leaves.first() {
            Some(Leaf::Taskloop) => vec![Share::Alone],
            Some(_) | None => leaves.iter().filter_map(|leaf| share(*leaf)).collect(),
        };
        let shares = Shares(shares);
        let (op, block) = dialect::LoopNest::new(self.ctx, view.ordinal(), bounds, dims, shares);
        if let Some(binding) = binding(view, omp) {
            op.set_binding(self.ctx, binding);
        }
        if omp.has(ClauseKind::Nowait) && !omp.kind.is_target() {
            op.set_nowait(self.ctx);
        }
        if self.says_who(view, omp) {
            op.set_scheduled(self.ctx);
        }
        if !has_threads_if(omp) {
            self.omp_operands(view, omp, &op, Part::Loops)?;
        }
        self.add_entries(&op, &entries);
        self.emit(op);
        let starts_threads = leaves.contains(&Leaf::Parallel);
        let shared = match starts_threads {
            true => self.share_all_but(&own_names(view, omp)),
            false => self.function.shared.clone(),
        };
        let unnamed = match leaves.first() {
            Some(Leaf::Taskloop) => Unnamed::Shared,
            Some(_) | None => Unnamed::of(omp, Unnamed::Shared),
        };
        let begin = |this: &mut Self| {
            this.own_unnamed(view, omp, statement, unnamed)?;
            for dim in &inner {
                this.own_variable(dim.variable, dim.ty)?;
            }
            let loops: Vec<_> = nest.iter().chain(&inner).collect();
            for name in own_names(view, omp) {
                let ast = this.source.ast;
                this.function.shared.retain(|id| ast.name(*id) != name);
            }
            for dim in &loops {
                this.function.shared.remove(&dim.variable);
            }
            this.begin_last(&last, &loops, (&ends, block))
        };
        let imported = self.loop_body(&nest, block, starts, begin, |this| {
            this.end_last(&last, &nest, (&ends, block))?;
            omp_end(this);
            Ok(())
        });
        self.function.shared = shared;
        imported
    }

    /// Whether a clause says which thread or team runs which iteration, other than one by one in turn.
    fn says_who(&mut self, view: &View<'_>, omp: &Directive) -> bool {
        omp.clauses.iter().enumerate().any(|(index, clause)| {
            let ClauseArgs::Word { word, expr } = clause.args else {
                return false;
            };
            let schedules = [ClauseKind::Schedule, ClauseKind::DistSchedule];
            let chunk = view.argument(Owner::Clause(index), 0, Role::Value);
            let chunk = chunk.and_then(|at| constant::integer(&mut self.types, at));
            let one = expr.is_some() && chunk == Some(1);
            let by_program = view.scanned.text_of(word) == "static";
            schedules.contains(&clause.kind)
                && match expr.is_some() {
                    true => !one,
                    false => by_program,
                }
        })
    }
}

fn share(leaf: Leaf) -> Option<Share> {
    Some(match leaf {
        Leaf::Distribute => Share::Distribute,
        Leaf::Parallel => Share::Parallel,
        Leaf::For => Share::For,
        Leaf::Simd => Share::Simd,
        Leaf::Loop => Share::Loop,
        Leaf::Target | Leaf::Teams | Leaf::Masked | Leaf::Taskloop => return None,
    })
}

/// What a `bind` clause says.
fn binding(view: &View<'_>, omp: &Directive) -> Option<Binding> {
    let (_, clause) = omp.clauses_of(ClauseKind::Bind).next()?;
    let ClauseArgs::Word { word, .. } = clause.args else {
        return None;
    };
    Some(match view.scanned.text_of(word) {
        "teams" => Binding::Teams,
        "parallel" => Binding::Parallel,
        _ => Binding::Thread,
    })
}
