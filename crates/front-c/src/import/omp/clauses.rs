//! The clauses of a directive, given to its parts (OpenMP 5.2, section 17.2).
//!
//! ```text
//! target teams distribute parallel for map(tofrom: a) num_teams(8) private(t)
//! └ omp.target dataOperands(a) numTeams(8)            └ omp.loop_nest private(t)
//! ```

use super::{Part, condition_of, has_threads_if};
use crate::ast::node::NodeId;
use crate::import::data_clauses::{Entry, Named, Use};
use crate::import::directive::{View, written};
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use crate::import::types::Scalar;
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc::{self, DataClause, DeviceType, DirectiveOp, Group, Presence};
use accrue_directives::omp::{
    Clause, ClauseArgs, ClauseKind, Directive, DirectiveKind, Inside, Leaf,
};
use accrue_directives::{Span, Var};

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
            let part = condition_of(view, omp, clause);
            if clause.kind == ClauseKind::If && part == Some(Leaf::Simd) {
                // How many lanes there are makes no difference.
                continue;
            }
            let of_threads = clause.kind == ClauseKind::If && part == Some(Leaf::Parallel);
            if of_threads && has_threads_if(view, omp) {
                continue;
            }
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

    /// Whether the conditions of a construct are about all of it, or its threads.
    pub(super) fn conditions_are_known(&self, view: &View<'_>, omp: &Directive) -> Result<()> {
        for (_, clause) in omp.clauses_of(ClauseKind::If) {
            let part = condition_of(view, omp, clause);
            if !matches!(part, Some(Leaf::Parallel | Leaf::Simd)) {
                self.modifier_is_known(view, omp, clause)?;
            }
        }
        Ok(())
    }

    /// Whether an `if` or `device` clause is one that means the whole construct.
    fn modifier_is_known(&self, view: &View<'_>, omp: &Directive, clause: &Clause) -> Result<()> {
        let ClauseArgs::Modified { modifier, .. } = clause.args else {
            // Which tasks are deferred is of no importance.
            let of_tasks = omp.kind.leaves().contains(&Leaf::Taskloop);
            let nested = clause.kind == ClauseKind::If && !omp.kind.is_for_host() && !of_tasks;
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
            .help(match clause.kind {
                ClauseKind::Device => "end the region in front of what the host is to do, and begin another behind it; or write `requires reverse_offload`, with which the host does all of it",
                _ => "leave it out: where it is false, the construct would run with one thread or lane",
            })
            .openmp(clause.kind.section())),
        }
    }

    /// The entry operations of the clauses with variables that are `part`'s.
    pub(super) fn omp_entries(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        part: Part,
    ) -> Result<Vec<Entry>> {
        let purpose = match part {
            Part::Target => Use::Compute { combined: false },
            Part::Teams | Part::Parallel | Part::Loops => Use::Loop,
        };
        let mut entries = match part {
            Part::Target => self.map_entries(view, omp, purpose)?,
            Part::Teams | Part::Parallel | Part::Loops => Vec::new(),
        };
        for (index, clause) in omp.clauses.iter().enumerate() {
            if !goes_to(clause, omp, part) {
                continue;
            }
            let (kind, operator) = match (&clause.args, clause.kind) {
                // The iterations of a scan are one after another; the host gets the last value.
                (ClauseArgs::Reduction { inscan: true, .. }, _) => (DataClause::Copy, None),
                (ClauseArgs::Reduction { operator, .. }, _) => (DataClause::Reduction, *operator),
                (_, ClauseKind::Private) => (DataClause::Private, None),
                (_, ClauseKind::Firstprivate) => (DataClause::Firstprivate, None),
                (_, ClauseKind::IsDevicePtr) => (DataClause::Deviceptr, None),
                (_, ClauseKind::HasDeviceAddr) => (DataClause::Present, None),
                // The host gets it back.
                (_, ClauseKind::Lastprivate | ClauseKind::Linear) => (DataClause::Copy, None),
                _ => continue,
            };
            for (item, var) in clause.vars().iter().enumerate() {
                let whole = [
                    ClauseKind::Lastprivate,
                    ClauseKind::Linear,
                    ClauseKind::Reduction,
                ];
                let whole = kind == DataClause::Copy && whole.contains(&clause.kind);
                // The innermost construct has the copy, of the mapped object (17.2).
                let copied = clause.kind == ClauseKind::Firstprivate
                    && part == Part::Target
                    && innermost(omp) != Part::Target;
                if (copied || whole) && is_mapped(view, omp, var.base) {
                    continue;
                }
                // The loop makes the copies itself, and leaves the last one.
                if clause.kind == ClauseKind::Firstprivate && is_last(view, omp, var.base) {
                    continue;
                }
                let (kind, presence) = match clause.kind {
                    ClauseKind::HasDeviceAddr
                        if self.is_behind_pointer(view, (index, item), var)? =>
                    {
                        (DataClause::Deviceptr, None)
                    }
                    ClauseKind::HasDeviceAddr => (kind, Some(Presence::OnDevice)),
                    _ => (kind, None),
                };
                let named = Named {
                    place: (index, item),
                    var,
                    kind,
                    modifiers: vec![],
                    operator,
                    declared: view
                        .scanned
                        .reductions
                        .get(&index)
                        .map_or(&[], Vec::as_slice),
                    presence,
                };
                let entry = self.data_entry(view, named, purpose)?;
                entries.push(entry);
            }
        }
        Ok(entries)
    }
}

impl Module<'_> {
    /// Whether a pointer leads to what `has_device_addr` names: then its value is the address. Elsewhere the address of the object
    /// is the device's.
    fn is_behind_pointer(
        &mut self,
        view: &View<'_>,
        (clause, item): (usize, usize),
        var: &Var,
    ) -> Result<bool> {
        let (base, is_pointer) = self.base_of_item(view, (clause, item))?;
        if is_pointer && var.subscripts.is_empty() {
            let name = view.scanned.text_of(var.base);
            let message = format!("`has_device_addr({name})` of a pointer is not supported yet");
            return Err(Stop::at(base, message)
                .help("name it in `is_device_ptr`, or what it leads to: `p[0:n]`")
                .openmp("5.4.9"));
        }
        Ok(is_pointer)
    }

    /// What an item of a clause is based on, and whether that is a pointer.
    pub(super) fn base_of_item(
        &mut self,
        view: &View<'_>,
        (clause, item): (usize, usize),
    ) -> Result<(NodeId, bool)> {
        let address = view.argument(Owner::Clause(clause), item, Role::Address);
        let base = self.child(address.unwrap_or(view.at), 0)?;
        let ty = self.type_of(base)?;
        Ok((base, self.scalar(ty) == Some(Scalar::Pointer)))
    }
}

/// Whether a clause with variables says something to `part`.
fn goes_to(clause: &Clause, omp: &Directive, part: Part) -> bool {
    let leaves = omp.kind.leaves();
    let innermost = innermost(omp);
    if matches!(clause.args, ClauseArgs::Reduction { inscan: true, .. }) {
        return part == Part::Target && omp.kind.is_target();
    }
    match clause.kind {
        ClauseKind::IsDevicePtr | ClauseKind::HasDeviceAddr => part == Part::Target,
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

/// The part that has variables of its own.
fn innermost(omp: &Directive) -> Part {
    let leaves = omp.kind.leaves();
    let mut last = leaves.iter().rev().filter(|leaf| **leaf != Leaf::Masked);
    match last.next() {
        Some(last) if last.is_loop() || *last == Leaf::Sections => Part::Loops,
        None if omp.kind == DirectiveKind::Inside(Inside::Scope) => Part::Loops,
        Some(Leaf::Parallel) => Part::Parallel,
        Some(Leaf::Teams) => Part::Teams,
        Some(_) | None => Part::Target,
    }
}

/// Whether a `map` clause names the variable.
fn is_mapped(view: &View<'_>, omp: &Directive, name: Span) -> bool {
    is_in(view, omp, ClauseKind::Map, name)
}

/// Whether a `lastprivate` clause names the variable.
fn is_last(view: &View<'_>, omp: &Directive, name: Span) -> bool {
    is_in(view, omp, ClauseKind::Lastprivate, name)
}

fn is_in(view: &View<'_>, omp: &Directive, kind: ClauseKind, name: Span) -> bool {
    let clauses = omp.clauses_of(kind);
    let mut vars = clauses.flat_map(|(_, clause)| clause.vars());
    vars.any(|var| view.scanned.text_of(var.base) == view.scanned.text_of(name))
}
