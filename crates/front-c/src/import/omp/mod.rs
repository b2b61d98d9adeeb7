//! The directives of OpenMP that are about devices, and those in their regions.
//!
//! ```text
//! #pragma omp target teams distribute parallel for map(to: a[0:n]) private(t) if(n > 10)
//!     %a = acc.copyin …          omp.target if_(…) dataOperands(%a) {
//!                                  omp.teams { omp.loop_nest … private(%t) [distribute, parallel, for] { … } } }
//!     acc.delete acc(%a) …
//! ```
//! The leaves of a combined construct become operations in each other; the last ones, those of a loop nest, are one. Each clause
//! goes to a leaf that takes it (OpenMP 5.2, section 17.2): a variable of its own to the innermost one, `firstprivate` to `target`
//! too, where the value comes from the host.

mod clauses;
mod compare;
mod conditional;
mod data;
mod declare_target;
mod device_objects;
mod flow;
mod last_rows;
mod lastprivate;
mod left_counters;
pub(super) mod locks;
mod loops;
mod mappers;
mod maps;
mod own;
pub mod scan;
mod tasks;
mod threads;
pub(super) mod variants;

use self::conditional::is_conditional;
use self::own::{Unnamed, own_names};
use crate::import::directive::View;
use crate::import::functions::{Module, is_executable};
use crate::import::state::{Nest, Result, Stop};
use crate::text::host_directive::calls_back;
use accrue_dialects::acc::DirectiveOp;
use accrue_dialects::omp as dialect;
use accrue_directives::omp::table::takes;
use accrue_directives::omp::{
    Clause, ClauseArgs, ClauseKind, Directive, DirectiveKind, Inside, Leaf,
};
use pliron::basic_block::BasicBlock;
use pliron::context::Ptr;

/// The parts of a directive, to which its clauses go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Target,
    Teams,
    Parallel,
    Loops,
}

impl Module<'_> {
    /// Imports a directive of OpenMP.
    pub(super) fn omp_directive(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        let outer = std::mem::replace(&mut self.function.openmp, true);
        let inside = variants::constructs_in(&self.function.around, omp);
        let around = std::mem::replace(&mut self.function.around, inside);
        let imported = self.omp_known(view, omp);
        self.function.around = around;
        // What is wrong is said here, where it is known whose rule it is.
        if let Err(stop) = imported {
            self.report(stop);
        }
        self.function.openmp = outer;
        Ok(())
    }

    fn omp_known(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        let leaves = omp.kind.leaves();
        if !self.on_device() && !is_executable(&view.scanned.directive) {
            // In a function that regions may call, but here the host does.
            if omp.kind == DirectiveKind::DeclareTarget {
                return self.declare_target(view, omp, true);
            }
            if let Ok(statement) = view.statement() {
                self.statement(statement);
            }
            return Ok(());
        }
        self.mappers_are_applied(view, omp)?;
        match &omp.kind {
            DirectiveKind::Construct(_) if omp.kind.is_target() && !self.on_device() => {
                self.omp_target(view, omp, leaves)
            }
            DirectiveKind::Construct(_) if !omp.kind.is_target() => {
                self.omp_leaves(view, omp, leaves)
            }
            DirectiveKind::Atomic if omp.has(ClauseKind::Compare) => self.atomic_compare(view, omp),
            DirectiveKind::Atomic => self.atomic_construct(view),
            DirectiveKind::Inside(Inside::Barrier) if self.on_device() => {
                let op = dialect::Barrier::new(self.ctx);
                self.emit(op);
                Ok(())
            }
            DirectiveKind::Inside(Inside::Single) if self.on_device() => self.omp_single(view, omp),
            DirectiveKind::Inside(Inside::Task | Inside::Taskgroup | Inside::Scope)
                if self.on_device() =>
            {
                self.omp_at_once(view, omp)
            }
            DirectiveKind::Inside(
                Inside::Taskwait
                | Inside::Taskyield
                | Inside::Doacross
                | Inside::Cancel
                | Inside::Nothing
                // It has been said where the text was read.
                | Inside::Error,
            ) if self.on_device() => Ok(()),
            DirectiveKind::Inside(Inside::Critical) if self.on_device() => {
                self.omp_critical(view, omp)
            }
            DirectiveKind::Inside(Inside::Ordered) if self.on_device() => self.omp_ordered(view),
            DirectiveKind::Inside(Inside::Scan) if self.on_device() => self.scan_directive(view),
            DirectiveKind::Inside(Inside::Section) if self.on_device() => {
                Err(Stop::at(view.at, "`section` is not directly in `sections`").openmp("11.3.1"))
            }
            DirectiveKind::Inside(Inside::Flush) if self.on_device() => {
                self.fence();
                Ok(())
            }
            DirectiveKind::Construct(_)
            | DirectiveKind::TargetData
            | DirectiveKind::TargetEnterData
            | DirectiveKind::TargetExitData
            | DirectiveKind::TargetUpdate
                if self.on_device() =>
            {
                let name = omp.kind.name();
                Err(Stop::at(
                    view.at,
                    format!("`{name}` cannot stand in a region of `target`"),
                )
                .help(match calls_back(view.scanned) {
                    true => "write `#pragma omp requires reverse_offload` in front of the functions: the host then does all of it",
                    false => "move it to code that runs on the host",
                })
                .openmp("13.8"))
            }
            DirectiveKind::DeclareMapper
            | DirectiveKind::DeclareReduction
            | DirectiveKind::DeclareVariant => Ok(()),
            DirectiveKind::DeclareTarget => self.declare_target(view, omp, true),
            DirectiveKind::TargetData => self.target_data(view, omp),
            DirectiveKind::TargetEnterData => self.target_enter_data(view, omp),
            DirectiveKind::TargetExitData => self.target_exit_data(view, omp),
            DirectiveKind::TargetUpdate => self.target_update(view, omp),
            DirectiveKind::Construct(_)
            | DirectiveKind::Inside(_)
            | DirectiveKind::Requires
            | DirectiveKind::Other => {
                Err(self.unsupported_directive(view.at, view.scanned.ordinal))
            }
        }
    }

    /// `target`, perhaps combined.
    fn omp_target(&mut self, view: &View<'_>, omp: &Directive, leaves: &[Leaf]) -> Result<()> {
        let entries = self.omp_entries(view, omp, Part::Target)?;
        let (op, block) = dialect::Target::new(self.ctx, view.ordinal());
        self.omp_operands(view, omp, &op, Part::Target)?;
        self.add_entries(&op, &entries);
        if omp.has(ClauseKind::Defaultmap) {
            op.set_defaultmap(self.ctx, data::defaultmap(omp));
        }
        self.emit(op);
        let outer = self.function.construct;
        self.function.constructs += 1;
        self.function.construct = self.function.constructs;
        self.function.nest.push(Nest::Construct);
        let shared = std::mem::take(&mut self.function.shared);
        let imported = self.omp_region(block, |this| {
            this.omp_leaves(view, omp, leaves.get(1..).unwrap_or_default())
        });
        self.function.nest.pop();
        self.function.shared = shared;
        self.function.construct = outer;
        imported?;
        self.locate(view.at);
        self.exits(entries);
        Ok(())
    }

    /// What is inside of the outer leaves of a construct, or a construct in a region.
    fn omp_leaves(&mut self, view: &View<'_>, omp: &Directive, leaves: &[Leaf]) -> Result<()> {
        if is_conditional(omp) {
            return self.in_sequence(view, omp, leaves);
        }
        match leaves {
            [] => {
                let statement = view.statement()?;
                self.with_own(|this| {
                    let unnamed = Unnamed::of(omp, Unnamed::Shared);
                    this.own_unnamed(view, omp, statement, unnamed)?;
                    this.statement(statement);
                    Ok(())
                })
            }
            [Leaf::Masked, rest @ ..] => {
                self.one_thread(view, omp, |this| this.omp_leaves(view, omp, rest))
            }
            [Leaf::Taskloop, ..] => self.omp_taskloop(view, omp, leaves),
            [Leaf::Teams, rest @ ..] => {
                let entries = self.omp_entries(view, omp, Part::Teams)?;
                let (op, block) = dialect::Teams::new(self.ctx, view.ordinal());
                self.omp_operands(view, omp, &op, Part::Teams)?;
                self.add_entries(&op, &entries);
                self.emit(op);
                self.omp_region(block, |this| this.omp_leaves(view, omp, rest))
            }
            [Leaf::Parallel, rest @ ..]
                if matches!(rest, [] | [Leaf::Masked | Leaf::Sections, ..])
                    || has_threads_if(view, omp) =>
            {
                let entries = self.omp_entries(view, omp, Part::Parallel)?;
                let (op, block) = dialect::Parallel::new(self.ctx, view.ordinal());
                match has_threads_if(view, omp) {
                    true => self.threads_if(view, omp, &op)?,
                    false => self.omp_operands(view, omp, &op, Part::Parallel)?,
                }
                self.add_entries(&op, &entries);
                self.emit(op);
                let shared = self.share_all_but(&own_names(view, omp));
                let imported = self.omp_region(block, |this| this.omp_leaves(view, omp, rest));
                self.function.shared = shared;
                imported
            }
            [Leaf::Sections, ..] => self.omp_sections(view, omp),
            loops => self.omp_loop_nest(view, omp, loops),
        }
    }

    fn omp_region(
        &mut self,
        block: Ptr<BasicBlock>,
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.in_block(block, |this| {
            body(this)?;
            omp_end(this);
            Ok(())
        })
        .map(|_| ())
    }
}

/// Whether a condition says how many threads run a construct or part of it.
fn has_threads_if(view: &View<'_>, omp: &Directive) -> bool {
    omp.kind.leaves().contains(&Leaf::Parallel)
        && omp
            .clauses_of(ClauseKind::If)
            .any(|(_, clause)| condition_of(view, omp, clause) == Some(Leaf::Parallel))
}

/// The part of a construct that an `if` clause is about; none if it is about all of it, or about something that is no part.
fn condition_of(view: &View<'_>, omp: &Directive, clause: &Clause) -> Option<Leaf> {
    let leaves = omp.kind.leaves();
    let ClauseArgs::Modified { modifier, .. } = clause.args else {
        // It is about each part that takes the clause; in a region that is mostly one, beside lanes that nobody can count.
        let of_threads = |leaf: &&Leaf| takes(**leaf, ClauseKind::If);
        let found: Vec<Leaf> = leaves.iter().filter(of_threads).copied().collect();
        return match found[..] {
            [Leaf::Target, Leaf::Simd] => None,
            [only] | [only, Leaf::Simd] => Some(only),
            _ => None,
        };
    };
    let word = view.scanned.text_of(modifier).trim();
    leaves.iter().copied().find(|leaf| leaf.name() == word)
}

fn omp_end(module: &mut Module<'_>) {
    let end = dialect::Yield::new(module.ctx);
    module.terminate(end);
}
