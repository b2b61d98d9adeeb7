//! The clauses of a directive, given to its parts (OpenMP 5.2, section 17.2).
//!
//! ```text
//! target teams distribute parallel for map(tofrom: a) num_teams(8) private(t)
//! └ omp.target dataOperands(a) numTeams(8)            └ omp.loop_nest private(t)
//! ```

use super::Part;
use crate::import::data_clauses::{Entry, Named, Use};
use crate::import::directive::{View, written};
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use crate::import::types::Scalar;
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc::{self, DataClause, DeviceType, DirectiveOp, Group};
use accrue_directives::Span;
use accrue_directives::omp::{Clause, ClauseArgs, ClauseKind, Directive, DirectiveKind, Leaf};

impl Module<'_> {
    /// The operands that clauses with expressions give. Those for which `op` has no place are another part's.
    pub(super) fn omp_operands<T: DirectiveOp + Copy>(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        op: &T,
        part: Part,
    ) -> Result<()> {
        if omp.kind.is_target() && part != Part::Target {
            return Ok(());
        }
        self.clause_operands(view, omp, op, |kind| match kind {
            ClauseKind::If => Some(Group::If),
            ClauseKind::Device => Some(Group::DeviceNum),
            ClauseKind::NumTeams => Some(Group::NumTeams),
            ClauseKind::ThreadLimit => Some(Group::ThreadLimit),
            ClauseKind::NumThreads => Some(Group::NumThreads),
            _ => None,
        })
    }

    /// The same, with the group of operands that belongs to a kind of clause.
    pub(super) fn clause_operands<T: DirectiveOp + Copy>(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        op: &T,
        group_of: impl Fn(ClauseKind) -> Option<Group>,
    ) -> Result<()> {
        for (index, clause) in omp.clauses.iter().enumerate() {
            let owner = Owner::Clause(index);
            let Some(group) = group_of(clause.kind) else {
                continue;
            };
            self.modifier_is_known(view, omp, clause)?;
            if !op.has(group) {
                continue;
            }
            let role = match group {
                Group::If => Role::Condition,
                _ => Role::Value,
            };
            let Some(expression) = view.argument(owner, 0, role) else {
                continue;
            };
            let value = match group {
                Group::If => self.condition_or_opaque(expression)?,
                _ => self.integer_operand(expression)?,
            };
            let written = written(owner, 0);
            acc::push_expression(op, self.ctx, group, value, DeviceType::None, written);
        }
        Ok(())
    }

    /// Whether an `if` or `device` clause is one that means the whole construct.
    fn modifier_is_known(&self, view: &View<'_>, omp: &Directive, clause: &Clause) -> Result<()> {
        let ClauseArgs::Modified { modifier, .. } = clause.args else {
            // Which tasks are deferred is of no importance.
            let of_tasks = omp.kind.leaves().contains(&Leaf::Taskloop);
            let nested = clause.kind == ClauseKind::If && !self.omp_is_for_host(omp) && !of_tasks;
            return match nested {
                true => Err(Stop::at(
                    view.at,
                    "an `if` clause in a region of `target` is not supported yet",
                )
                .help("write an `if` statement with both forms of the loop")
                .openmp("3.4")),
                false => Ok(()),
            };
        };
        let word = view.scanned.text_of(modifier).trim();
        let known = match clause.kind {
            ClauseKind::If => omp.kind.is_target() && word == "target" || word == omp.kind.name(),
            ClauseKind::Device => word == "device_num",
            _ => true,
        };
        match known {
            true => Ok(()),
            false => Err(Stop::at(
                view.at,
                format!("`{}({word}: …)` is not supported yet", clause.kind.name()),
            )
            .help(
                "leave it out: where it is false, the construct would run with one thread or lane",
            )
            .openmp(clause.kind.section())),
        }
    }

    fn omp_is_for_host(&self, omp: &Directive) -> bool {
        match &omp.kind {
            DirectiveKind::Construct(_) => omp.kind.is_target(),
            DirectiveKind::TargetData
            | DirectiveKind::TargetEnterData
            | DirectiveKind::TargetExitData
            | DirectiveKind::TargetUpdate => true,
            DirectiveKind::Atomic
            | DirectiveKind::Barrier
            | DirectiveKind::Single
            | DirectiveKind::Scope
            | DirectiveKind::Task
            | DirectiveKind::Taskgroup
            | DirectiveKind::Taskwait
            | DirectiveKind::Taskyield
            | DirectiveKind::Flush
            | DirectiveKind::DeclareTarget
            | DirectiveKind::Requires
            | DirectiveKind::Other => false,
        }
    }

    /// The entry operations of the clauses with variables that are `part`'s.
    pub(super) fn omp_entries(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        part: Part,
    ) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        let purpose = match part {
            Part::Target => Use::Compute { combined: false },
            Part::Teams | Part::Parallel | Part::Loops => Use::Loop,
        };
        for (index, clause) in omp.clauses.iter().enumerate() {
            if !goes_to(clause, omp, part) {
                continue;
            }
            let (kind, modifiers, operator) = match &clause.args {
                ClauseArgs::Map {
                    kind, modifiers, ..
                } => {
                    let (kind, modifiers) = self.mapping(view, *kind, modifiers)?;
                    (kind, modifiers, None)
                }
                ClauseArgs::Reduction { operator, .. } => {
                    (DataClause::Reduction, vec![], Some(*operator))
                }
                _ => match clause.kind {
                    ClauseKind::Private => (DataClause::Private, vec![], None),
                    ClauseKind::Firstprivate => (DataClause::Firstprivate, vec![], None),
                    ClauseKind::IsDevicePtr => (DataClause::Deviceptr, vec![], None),
                    ClauseKind::HasDeviceAddr => {
                        self.is_behind_pointers(view, index, clause)?;
                        (DataClause::Deviceptr, vec![], None)
                    }
                    // The host gets it back.
                    ClauseKind::Lastprivate | ClauseKind::Linear => {
                        (DataClause::Copy, vec![], None)
                    }
                    _ => continue,
                },
            };
            for (item, var) in clause.vars().iter().enumerate() {
                let comes_back = [ClauseKind::Lastprivate, ClauseKind::Linear];
                if comes_back.contains(&clause.kind) && is_mapped(view, omp, var.base) {
                    continue;
                }
                let named = Named {
                    place: (index, item),
                    var,
                    kind,
                    modifiers: modifiers.clone(),
                    operator,
                };
                let entry = self.data_entry(view, named, purpose)?;
                entries.push(entry);
            }
        }
        Ok(entries)
    }
}

impl Module<'_> {
    /// What has an address of the device must be behind a pointer with that address: elsewhere the name means the host's object.
    fn is_behind_pointers(&mut self, view: &View<'_>, index: usize, clause: &Clause) -> Result<()> {
        for (item, var) in clause.vars().iter().enumerate() {
            let address = view.argument(Owner::Clause(index), item, Role::Address);
            let base = self.child(address.unwrap_or(view.at), 0)?;
            let ty = self.type_of(base)?;
            if var.subscripts.is_empty() || self.scalar(ty) != Some(Scalar::Pointer) {
                let name = view.scanned.text_of(var.base);
                let message = format!("`has_device_addr({name})` is not supported yet");
                return Err(Stop::at(base, message)
                    .help("name a pointer to it in `is_device_ptr`, or what a pointer leads to: `p[0:n]`")
                    .openmp("5.4.9"));
            }
        }
        Ok(())
    }
}

/// Whether a clause with variables says something to `part`.
fn goes_to(clause: &Clause, omp: &Directive, part: Part) -> bool {
    let leaves = omp.kind.leaves();
    let mut last = leaves.iter().rev().filter(|leaf| **leaf != Leaf::Masked);
    let innermost = match last.next() {
        Some(last) if last.is_loop() => Part::Loops,
        Some(Leaf::Parallel) => Part::Parallel,
        Some(Leaf::Teams) => Part::Teams,
        Some(_) | None => Part::Target,
    };
    match clause.kind {
        ClauseKind::Map | ClauseKind::IsDevicePtr | ClauseKind::HasDeviceAddr => {
            part == Part::Target
        }
        ClauseKind::Firstprivate => {
            part == innermost || part == Part::Target && omp.kind.is_target()
        }
        // The thread that runs the tasks reduces in the variable itself.
        ClauseKind::Reduction if leaves.contains(&Leaf::Taskloop) => false,
        ClauseKind::Private | ClauseKind::Reduction => part == innermost,
        ClauseKind::Lastprivate | ClauseKind::Linear => {
            part == Part::Target && omp.kind.is_target()
        }
        _ => false,
    }
}

/// Whether a `map` clause names the variable.
fn is_mapped(view: &View<'_>, omp: &Directive, name: Span) -> bool {
    let maps = omp.clauses_of(ClauseKind::Map);
    let mut vars = maps.flat_map(|(_, clause)| clause.vars());
    vars.any(|var| view.scanned.text_of(var.base) == view.scanned.text_of(name))
}
