//! Constructs that say which of a team's threads does something, or when (OpenMP 5.2, chapters 11 and 15).
//!
//! ```text
//! #pragma omp sections                  omp.loop_nest 0 to 2 [for] { ^(%i)
//! {                                       core.if %i == 0 { s; }
//!     #pragma omp section                 core.if %i == 1 { t; } }
//!     s;                            →
//!     #pragma omp section
//!     t;
//! }
//! #pragma omp scope reduction(+: x)     omp.loop_nest 0 to (omp.query NumThreads) reduction(%x) [for] { s; }
//! s;
//! #pragma omp critical (name)           omp.critical "name" { s; }
//! s;
//! #pragma omp single copyprivate(x)     %t = omp.team_variable   core.if (omp.query ThreadNum) == 0 { s; store x, %t }
//! s;                                    omp.barrier   store (load %t), x   omp.barrier
//! #pragma omp for ordered               omp.loop_nest … [for] [in order]
//! ```

use super::lastprivate::Ends;
use super::{Part, omp_end};
use crate::ast::carrier::carrier;
use crate::ast::node::{Kind, NodeId};
use crate::ast::types::TypeId;
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::state::{Nest, Result, Stop};
use crate::text::carriers::{Owner, Role};
use crate::text::critical_locks::{critical_name, lock_name};
use accrue_dialects::core::{self, CmpKind};
use accrue_dialects::omp::{
    Asked, Barrier, Critical, LoopNest, Query, Share, Shares, TeamVariable,
};
use accrue_dialects::par::{LoopDim, LoopTest};
use accrue_directives::omp::{ClauseKind, Directive, DirectiveKind, Inside, Leaf};
use pliron::basic_block::BasicBlock;
use pliron::context::Ptr;
use pliron::operation::Operation;
use pliron::value::Value;

/// A variable of the thread that runs a `single`, whose value the others get.
pub(super) struct Passed {
    base: NodeId,
    ty: TypeId,
    common: Value,
}

impl Module<'_> {
    /// The directive of OpenMP that a statement carries.
    pub(super) fn carried(&mut self, statement: NodeId) -> Option<&Directive> {
        let found = carrier(&mut self.types, statement)?;
        let scanned = self.source.unit.directives.get(found.ordinal)?;
        scanned.directive.omp()
    }

    /// The directives of one kind in a statement, with the number of each.
    pub(super) fn directives_in(&mut self, statement: NodeId, kind: &DirectiveKind) -> Vec<usize> {
        let ast = self.source.ast;
        let mut inside = Vec::new();
        ast.walk(statement, &mut |id| {
            inside.push(id);
            true
        });
        let mut found: Vec<usize> = Vec::new();
        for id in inside {
            let is_it = self.carried(id).is_some_and(|omp| omp.kind == *kind);
            if let Some(it) = carrier(&mut self.types, id).filter(|_| is_it) {
                found.push(it.ordinal);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// `sections`.
    pub(super) fn omp_sections(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        let statement = view.statement()?;
        let ast = self.source.ast;
        if ast.kind(statement) != Kind::CompoundStmt {
            return Err(
                Stop::at(statement, "`sections` needs its sections in braces").openmp("11.3"),
            );
        }
        let mut sections: Vec<Vec<NodeId>> = Vec::new();
        for child in ast.children(statement).collect::<Vec<_>>() {
            let begins = self
                .carried(child)
                .is_some_and(|omp| omp.kind == DirectiveKind::Inside(Inside::Section));
            let own = carrier(&mut self.types, child).filter(|_| begins);
            match (own, sections.last_mut()) {
                (Some(section), _) => sections.push(section.statement.into_iter().collect()),
                (None, Some(last)) => last.push(child),
                (None, None) => sections.push(vec![child]),
            }
        }
        let last = self.last_variables(view, omp, (&[], &[]))?;
        let (count, one) = (
            self.constant(32, sections.len() as i128),
            self.constant(32, 1),
        );
        let ends = Ends::of_sections(count, one);
        let (op, block) = self.threads_nest(view, omp, count)?;
        let index = block.deref(self.ctx).get_argument(0);
        self.emit(op);
        self.with_own(|this| {
            this.omp_region(block, |this| {
                this.begin_last(&last, &[], (&ends, block))?;
                for (number, section) in sections.iter().enumerate() {
                    let number = this.constant(32, number as i128);
                    let is_it = this.compare(CmpKind::Eq, index, number);
                    let (op, yes, no) = core::If::new(this.ctx, is_it, vec![]);
                    this.emit(op);
                    this.in_yielding_block(yes, |this| {
                        for statement in section {
                            this.statement(*statement);
                        }
                        Ok(())
                    })?;
                    this.in_yielding_block(no, |_| Ok(()))?;
                }
                this.end_last(&last, (&[], &[]), (&ends, block))
            })
        })
    }

    /// `scope` with a reduction: each thread has an iteration.
    pub(super) fn scope_reduction(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        let statement = view.statement()?;
        let op = Query::new(self.ctx, Asked::NumThreads);
        let count = self.emit_value(op);
        let (op, block) = self.threads_nest(view, omp, count)?;
        self.emit(op);
        self.with_own(|this| {
            this.omp_region(block, |this| {
                this.statement(statement);
                Ok(())
            })
        })
    }

    /// So many iterations for the threads of the team.
    fn threads_nest(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        count: Value,
    ) -> Result<(LoopNest, Ptr<BasicBlock>)> {
        let entries = self.omp_entries(view, omp, Part::Loops)?;
        let (zero, one) = (self.constant(32, 0), self.constant(32, 1));
        let dim = LoopDim {
            test: LoopTest::Lt,
            unsigned: false,
        };
        let shares = Shares(vec![Share::For]);
        let bounds = vec![(zero, count, one)];
        let (op, block) = LoopNest::new(self.ctx, view.ordinal(), bounds, vec![dim], shares);
        if omp.has(ClauseKind::Nowait) && !omp.kind.is_target() {
            op.set_nowait(self.ctx);
        }
        self.add_entries(&op, &entries);
        Ok((op, block))
    }

    /// `critical`. What other threads have written in it is seen, and what is written is seen by them.
    pub(super) fn omp_critical(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        let statement = view.statement()?;
        let text = &view.scanned.source.text;
        let name = critical_name(text.get(omp.kind_span.end..).unwrap_or_default());
        let (lock, ast) = (lock_name(name), self.source.ast);
        let mut declared = self.declared.keys().copied();
        let Some(lock) = declared.find(|variable| ast.name(*variable) == lock) else {
            return Err(self.unsupported_directive(view.at, view.scanned.ordinal));
        };
        let lock = self.global_address(lock, view.at)?;
        let (op, block) = Critical::new(self.ctx, name, lock);
        self.emit(op);
        self.in_block(block, |this| {
            this.fence();
            this.statement(statement);
            this.fence();
            omp_end(this);
            Ok(())
        })
        .map(|_| ())
    }

    /// `ordered` with a statement, in a loop that runs in order.
    pub(super) fn omp_ordered(&mut self, view: &View<'_>) -> Result<()> {
        let statement = view.statement()?;
        if !self.may_be_ordered() {
            return Err(
                Stop::at(view.at, "`ordered` is in no loop with an `ordered` clause")
                    .help("write the clause on the loop")
                    .openmp("15.10.2"),
            );
        }
        self.statement(statement);
        Ok(())
    }

    /// Whether a loop around has the clause `ordered`. That of a function may be in its caller, and one thread runs all of it in its order.
    fn may_be_ordered(&self) -> bool {
        let mut around = self.function.block.deref(self.ctx).get_parent_op(self.ctx);
        let (mut in_order, mut is_known) = (false, self.function.nest.contains(&Nest::Construct));
        while let Some(op) = around {
            if let Some(nest) = Operation::get_op::<LoopNest>(op, self.ctx) {
                in_order |= nest.is_in_order(self.ctx);
                is_known = true;
            }
            around = op.deref(self.ctx).get_parent_op(self.ctx);
        }
        in_order || !is_known
    }

    /// Refuses a call of a function with an `ordered` that is in no loop.
    pub(in crate::import) fn ordered_call(&mut self, call: NodeId, function: NodeId) -> Result<()> {
        let is_ordered = |omp: &Directive| omp.kind == DirectiveKind::Inside(Inside::Ordered);
        let mut directives = self.source.unit.directives.iter();
        let any = directives.any(|it| it.directive.omp().is_some_and(is_ordered));
        if !any || !self.on_device() || self.may_be_ordered() {
            return Ok(());
        }
        let Some(definition) = self.definition(function) else {
            return Ok(());
        };
        let ast = self.source.ast;
        let mut pending = vec![definition];
        while let Some(node) = pending.pop() {
            let (found, has_own) = self.carried(node).map_or((false, false), |omp| {
                let lanes = omp.kind.leaves().contains(&Leaf::Simd);
                (is_ordered(omp), omp.has(ClauseKind::Ordered) || lanes)
            });
            if found {
                let name = ast.name(function);
                let message = format!(
                    "`{name}` has an `ordered`, and is called in no loop with an `ordered` clause"
                );
                return Err(Stop::at(call, message)
                    .help("write the clause on the loop around the call")
                    .openmp("15.10.2"));
            }
            if !has_own {
                pending.extend(ast.children(node));
            }
        }
        Ok(())
    }

    /// Variables that the team has for the values of a `copyprivate` clause.
    pub(super) fn passed(&mut self, view: &View<'_>, omp: &Directive) -> Result<Vec<Passed>> {
        let mut passed = Vec::new();
        for (index, clause) in omp.clauses_of(ClauseKind::Copyprivate) {
            if omp.has(ClauseKind::Nowait) {
                return Err(
                    Stop::at(view.at, "`copyprivate` and `nowait` exclude each other")
                        .openmp("11.1"),
                );
            }
            for item in 0..clause.vars().len() {
                let address = view.argument(Owner::Clause(index), item, Role::Address);
                let base = self.child(address.unwrap_or(view.at), 0)?;
                let known = self.named_variable(base);
                let fixed = known.and_then(|(_, variable)| Some(variable?.dims.is_empty()));
                if fixed != Some(true) {
                    return Err(Stop::at(base, "`copyprivate` takes variables of the threads")
                        .help("name a whole variable that is declared in a function, and has a constant size")
                        .openmp("5.7.2"));
                }
                let ty = self.type_of(base)?;
                let ir = self.ir_type(ty, base)?;
                let op = TeamVariable::new(self.ctx, ir);
                let common = self.emit_value(op);
                passed.push(Passed { base, ty, common });
            }
        }
        Ok(passed)
    }

    /// Puts the values where all threads find them.
    pub(super) fn pass_on(&mut self, passed: &[Passed]) -> Result<()> {
        for Passed { base, ty, common } in passed {
            let own = self.address(*base)?;
            self.copy_object(*common, own, *ty);
        }
        Ok(())
    }

    /// Fetches them, when they are there; they stay until all threads have them.
    pub(super) fn fetch(&mut self, passed: &[Passed]) -> Result<()> {
        if passed.is_empty() {
            return Ok(());
        }
        for Passed { base, ty, common } in passed {
            let own = self.address(*base)?;
            self.copy_object(own, *common, *ty);
        }
        let op = Barrier::new(self.ctx);
        self.emit(op);
        Ok(())
    }
}
