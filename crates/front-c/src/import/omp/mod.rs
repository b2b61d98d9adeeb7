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

mod data;
mod declare_target;
mod lastprivate;
mod threads;

use self::lastprivate::Ends;
use crate::ast::constant;
use crate::import::data_clauses::{Entry, Named, Use};
use crate::import::directive::{View, written};
use crate::import::functions::Module;
use crate::import::loops::Bounds;
use crate::import::state::{Nest, Result, Stop};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc::{self, DataClause, DeviceType, DirectiveOp, Group};
use accrue_dialects::omp::{self as dialect, Binding, Share, Shares};
use accrue_directives::Span;
use accrue_directives::omp::{
    Clause, ClauseArgs, ClauseKind, DefaultValue, Directive, DirectiveKind, Leaf,
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
        let imported = self.omp_known(view, omp);
        // What is wrong is said here, where it is known whose rule it is.
        if let Err(stop) = imported {
            self.report(stop);
        }
        self.function.openmp = outer;
        Ok(())
    }

    fn omp_known(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        for (_, clause) in omp.clauses_of(ClauseKind::Default) {
            let private = [DefaultValue::Private, DefaultValue::Firstprivate];
            if private
                .iter()
                .any(|value| clause.args == ClauseArgs::Default(*value))
            {
                return Err(Stop::at(
                    view.at,
                    "`default` with a copy for each thread is not supported yet",
                )
                .help("name the variables in a `private` or `firstprivate` clause")
                .openmp("5.4.1"));
            }
        }
        let leaves = omp.kind.leaves();
        match &omp.kind {
            DirectiveKind::Construct(_) if omp.kind.is_target() && !self.on_device() => {
                self.omp_target(view, omp, leaves)
            }
            DirectiveKind::Construct(_) if !omp.kind.is_target() => {
                self.omp_leaves(view, omp, leaves)
            }
            DirectiveKind::Atomic => self.atomic_construct(view),
            DirectiveKind::Barrier if self.on_device() => {
                let op = dialect::Barrier::new(self.ctx);
                self.emit(op);
                Ok(())
            }
            DirectiveKind::Single | DirectiveKind::Masked if self.on_device() => {
                self.omp_one_thread(view, omp)
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
                .help("move it to code that runs on the host")
                .openmp("13.8"))
            }
            DirectiveKind::DeclareTarget => self.declare_target(view, omp, true),
            DirectiveKind::TargetData => self.target_data(view, omp),
            DirectiveKind::TargetEnterData => self.target_enter_data(view, omp),
            DirectiveKind::TargetExitData => self.target_exit_data(view, omp),
            DirectiveKind::TargetUpdate => self.target_update(view, omp),
            DirectiveKind::Construct(_)
            | DirectiveKind::Barrier
            | DirectiveKind::Single
            | DirectiveKind::Masked
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
        let imported = self.omp_region(block, |this| {
            this.omp_leaves(view, omp, leaves.get(1..).unwrap_or_default())
        });
        self.function.nest.pop();
        self.function.construct = outer;
        imported?;
        self.locate(view.at);
        self.exits(entries);
        Ok(())
    }

    /// What is inside of the outer leaves of a construct, or a construct in a region.
    fn omp_leaves(&mut self, view: &View<'_>, omp: &Directive, leaves: &[Leaf]) -> Result<()> {
        match leaves {
            [] => {
                let statement = view.statement()?;
                self.statement(statement);
                Ok(())
            }
            [Leaf::Teams, rest @ ..] => {
                let entries = self.omp_entries(view, omp, Part::Teams)?;
                let (op, block) = dialect::Teams::new(self.ctx, view.ordinal());
                self.omp_operands(view, omp, &op, Part::Teams)?;
                self.add_entries(&op, &entries);
                self.emit(op);
                self.omp_region(block, |this| this.omp_leaves(view, omp, rest))
            }
            [Leaf::Parallel] => {
                let entries = self.omp_entries(view, omp, Part::Parallel)?;
                let (op, block) = dialect::Parallel::new(self.ctx, view.ordinal());
                match omp.has(ClauseKind::If) && !omp.kind.is_target() {
                    true => self.threads_if(view, omp, &op)?,
                    false => self.omp_operands(view, omp, &op, Part::Parallel)?,
                }
                self.add_entries(&op, &entries);
                self.emit(op);
                self.omp_region(block, |this| this.omp_leaves(view, omp, &[]))
            }
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

    /// The loops of a construct whose last leaves are `leaves`.
    fn omp_loop_nest(&mut self, view: &View<'_>, omp: &Directive, leaves: &[Leaf]) -> Result<()> {
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
        let shares = Shares(leaves.iter().filter_map(|leaf| share(*leaf)).collect());
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
        self.omp_operands(view, omp, &op, Part::Loops)?;
        self.add_entries(&op, &entries);
        self.emit(op);
        let begin = |this: &mut Self| {
            for dim in &inner {
                this.own_variable(dim.variable, dim.ty)?;
            }
            let loops: Vec<_> = nest.iter().chain(&inner).collect();
            this.begin_last(&last, &loops)
        };
        self.loop_body(&nest, block, starts, begin, |this| {
            this.end_last(&last, &nest, (&ends, block))?;
            omp_end(this);
            Ok(())
        })
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

    /// The operands that clauses with expressions give. Those for which `op` has no place are another part's.
    fn omp_operands<T: DirectiveOp + Copy>(
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
    fn clause_operands<T: DirectiveOp + Copy>(
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
            let nested = clause.kind == ClauseKind::If && !self.omp_is_for_host(omp);
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
            | DirectiveKind::Masked
            | DirectiveKind::DeclareTarget
            | DirectiveKind::Requires
            | DirectiveKind::Other => false,
        }
    }

    /// The entry operations of the clauses with variables that are `part`'s.
    fn omp_entries(&mut self, view: &View<'_>, omp: &Directive, part: Part) -> Result<Vec<Entry>> {
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
                    // The host gets it back.
                    ClauseKind::Lastprivate => (DataClause::Copy, vec![], None),
                    _ => continue,
                },
            };
            for (item, var) in clause.vars().iter().enumerate() {
                if clause.kind == ClauseKind::Lastprivate && is_mapped(view, omp, var.base) {
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

/// Whether a clause with variables says something to `part`.
fn goes_to(clause: &Clause, omp: &Directive, part: Part) -> bool {
    let leaves = omp.kind.leaves();
    let innermost = match leaves.last() {
        Some(last) if last.is_loop() => Part::Loops,
        Some(Leaf::Parallel) => Part::Parallel,
        Some(Leaf::Teams) => Part::Teams,
        Some(_) | None => Part::Target,
    };
    match clause.kind {
        ClauseKind::Map | ClauseKind::IsDevicePtr => part == Part::Target,
        ClauseKind::Firstprivate => {
            part == innermost || part == Part::Target && omp.kind.is_target()
        }
        ClauseKind::Private | ClauseKind::Reduction => part == innermost,
        ClauseKind::Lastprivate => part == Part::Target && omp.kind.is_target(),
        _ => false,
    }
}

/// Whether a `map` clause names the variable.
fn is_mapped(view: &View<'_>, omp: &Directive, name: Span) -> bool {
    let maps = omp.clauses_of(ClauseKind::Map);
    let mut vars = maps.flat_map(|(_, clause)| clause.vars());
    vars.any(|var| view.scanned.text_of(var.base) == view.scanned.text_of(name))
}

fn share(leaf: Leaf) -> Option<Share> {
    Some(match leaf {
        Leaf::Distribute => Share::Distribute,
        Leaf::Parallel => Share::Parallel,
        Leaf::For => Share::For,
        Leaf::Simd => Share::Simd,
        Leaf::Loop => Share::Loop,
        Leaf::Target | Leaf::Teams => return None,
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

fn omp_end(module: &mut Module<'_>) {
    let end = dialect::Yield::new(module.ctx);
    module.terminate(end);
}
