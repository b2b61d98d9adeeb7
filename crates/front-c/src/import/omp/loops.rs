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
use crate::ast::node::NodeId;
use crate::import::canonical::must_be_plain;
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::loops::Bounds;
use crate::import::state::{Result, Stop};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc::{self, Group};
use accrue_dialects::omp::{self as dialect, Binding, Share, Shares};
use accrue_directives::omp::{ClauseArgs, ClauseKind, Directive, DirectiveKind, Inside, Leaf};
use pliron::value::Value;

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
        must_be_plain(nest.iter().chain(&inner))?;
        let entries = self.omp_entries(view, omp, Part::Loops)?;
        let chunks = self.chunks(view, omp)?;
        let scan = self.scan_of(view, omp, statement)?;
        let in_order = self.is_in_order(view, omp, statement)?;
        let mut last = self.last_variables(view, omp, (&nest, &inner))?;
        let found = self.loop_bounds(&nest)?;
        let ends = Ends::of(&found);
        let (left, of_last) = self.counters_to_leave(view, (omp, leaves), &nest, &found);
        last.extend(of_last);
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
        if in_order {
            op.set_in_order(self.ctx);
        }
        for (group, chunk) in chunks {
            match inner.is_empty() {
                true => acc::push(&op, self.ctx, group, chunk, acc::DeviceType::None),
                false => op.set_scheduled(self.ctx),
            }
        }
        let composite = leaves.first() == Some(&Leaf::Distribute);
        match has_threads_if(view, omp) {
            true if composite => self.threads_if(view, omp, &op)?,
            // The `parallel` around has it.
            true => {}
            false => self.omp_operands(view, omp, &op, Part::Loops)?,
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
            let scan = this.begin_scan(&scan)?;
            this.function.scans.push(scan);
            this.begin_last(&last, &loops, (&ends, block))
        };
        let scans = self.function.scans.len();
        let end = |this: &mut Self| {
            this.end_scan()?;
            this.end_last(&last, (&nest, &inner), (&ends, block))?;
            omp_end(this);
            Ok(())
        };
        // `continue` must come to the end, too.
        let comes_back = !last.is_empty() && nest.iter().any(|dim| self.continues(dim));
        let imported = self.loop_body(&nest, block, starts, begin, (end, comes_back));
        self.function.scans.truncate(scans);
        self.function.shared = shared;
        imported?;
        self.leave_counters(left)
    }

    /// Whether iterations run in the order of the loop.
    fn is_in_order(&mut self, view: &View<'_>, omp: &Directive, statement: NodeId) -> Result<bool> {
        let leaves = omp.kind.leaves();
        let inscan = omp
            .clauses
            .iter()
            .any(|clause| matches!(clause.args, ClauseArgs::Reduction { inscan: true, .. }));
        let lanes = leaves.contains(&Leaf::Simd)
            && !self
                .directives_in(statement, &DirectiveKind::Inside(Inside::Ordered))
                .is_empty();
        // No more than so many iterations may run at a time, in the order of the loop: one is as good. Where threads share out the iterations, these
        // must not depend on each other, but for those of a chunk.
        let shared = [Leaf::Distribute, Leaf::For]
            .iter()
            .any(|leaf| leaves.contains(leaf));
        let limited = omp.has(ClauseKind::Safelen) && (!shared || omp.has(ClauseKind::Schedule));
        let ordered = omp.has(ClauseKind::Ordered);
        if (inscan || ordered) && leaves.contains(&Leaf::Distribute) {
            let what = match ordered {
                true => "`ordered`",
                false => "an `inscan` reduction",
            };
            return Err(Stop::at(
                view.at,
                format!("{what} cannot be on a loop that teams share out"),
            )
            .help("share the loop out among the threads of one team: `target parallel for`")
            .openmp(if ordered { "4.4.4" } else { "5.5.8" }));
        }
        Ok(inscan || ordered || lanes || limited)
    }

    /// How many iterations threads and teams take at once, where a clause says it; 0 for as many as there are for each.
    fn chunks(&mut self, view: &View<'_>, omp: &Directive) -> Result<Vec<(Group, Value)>> {
        let mut found = Vec::new();
        for (index, clause) in omp.clauses.iter().enumerate() {
            let group = match clause.kind {
                ClauseKind::Schedule => Group::Chunk,
                ClauseKind::DistSchedule => Group::TeamChunk,
                _ => continue,
            };
            let ClauseArgs::Word { word, expr } = clause.args else {
                continue;
            };
            let argument = view.argument(Owner::Clause(index), 0, Role::Value);
            let is_static = view.scanned.text_of(word) == "static";
            match argument {
                Some(argument) => found.push((group, self.integer_operand(argument)?)),
                None if is_static && expr.is_none() => found.push((group, self.constant(64, 0))),
                None => {}
            }
        }
        Ok(found)
    }
}

fn share(leaf: Leaf) -> Option<Share> {
    Some(match leaf {
        Leaf::Distribute => Share::Distribute,
        Leaf::Parallel => Share::Parallel,
        Leaf::For => Share::For,
        Leaf::Simd => Share::Simd,
        Leaf::Loop => Share::Loop,
        Leaf::Target | Leaf::Teams | Leaf::Masked | Leaf::Taskloop | Leaf::Sections => return None,
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
