//! `lastprivate` and `linear` (OpenMP 5.2, sections 5.4.5 and 5.4.6): each iteration has a variable of its own, and the last one leaves its
//! value outside. Of `linear` it starts with a value that grows from iteration to iteration.
//!
//! ```text
//! #pragma omp for lastprivate(x)          omp.loop_nest %l to %u step %s { ^(%iv): %x = core.alloca
//! for (i = l; i < u; i += s)        →       …
//!     x = …;                                core.if !(%iv + %s < %u) { core.store (core.load %x), %outer } }
//! ```
//! Of a loop's own variable it is the value behind the loop. The last iteration of joined loops is the last of each, if their bounds do
//! not depend on each other ([`last_rows`](super::last_rows)). `continue` comes to the end of the body, too, which is one trip of a loop
//! then.

use crate::ast::node::{Kind, NodeId};
use crate::ast::types::TypeId;
use crate::import::canonical::Canonical;
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::loops::Bounds;
use crate::import::state::{Result, Stop};
use crate::import::types::Scalar;
use crate::text::carriers::{Owner, Role};
use accrue_dialects::core::{self, BinKind, CastKind, CmpKind};
use accrue_dialects::omp::Barrier;
use accrue_dialects::par::LoopTest;
use accrue_directives::omp::{ClauseKind, Directive, Leaf};
use pliron::basic_block::BasicBlock;
use pliron::context::Ptr;
use pliron::r#type::Typed;
use pliron::value::Value;

/// A variable whose last value is wanted.
pub(super) struct Last {
    declaration: NodeId,
    /// The address of the one outside.
    outer: Value,
    ty: TypeId,
    /// Of a `linear` clause: the value in the first iteration, and what each adds.
    linear: Option<(Value, Value)>,
    /// Of a variable that is `firstprivate`, too: the address of what each iteration starts with.
    copied: Option<Value>,
}

impl Last {
    pub(super) fn new(declaration: NodeId, outer: Value, ty: TypeId) -> Self {
        Last {
            declaration,
            outer,
            ty,
            linear: None,
            copied: None,
        }
    }
}

/// The bounds of a loop nest, as far as they tell the last iteration.
pub(super) struct Ends {
    /// Upper bound, step, test and whether the counter is unsigned.
    dims: Vec<(Value, Value, LoopTest, bool)>,
    /// The counter of the outermost loop in its first iteration.
    first: Option<Value>,
}

impl Ends {
    /// Those of `count` sections, which no variable of the program counts.
    pub(super) fn of_sections(count: Value, one: Value) -> Self {
        Ends {
            dims: vec![(count, one, LoopTest::Lt, false)],
            first: None,
        }
    }

    pub(super) fn of(bounds: &Bounds) -> Self {
        let dims = bounds.bounds.iter().zip(&bounds.dims);
        Ends {
            dims: dims
                .map(|((_, upper, step), dim)| (*upper, *step, dim.test, dim.unsigned))
                .collect(),
            first: bounds.bounds.first().map(|(lower, _, _)| *lower),
        }
    }
}

impl Module<'_> {
    /// The variables of the directive's clauses.
    pub(super) fn last_variables(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        (nest, inner): (&[Canonical], &[Canonical]),
    ) -> Result<Vec<Last>> {
        let (mut found, mut grows, mut copies) = (Vec::new(), Vec::new(), Vec::new());
        let clauses = [ClauseKind::Lastprivate, ClauseKind::Linear]
            .into_iter()
            .flat_map(|kind| omp.clauses_of(kind));
        let clauses: Vec<_> = clauses.collect();
        for (index, clause) in clauses {
            let kind = clause.kind;
            for (item, var) in clause.vars().iter().enumerate() {
                let address = view.argument(Owner::Clause(index), item, Role::Address);
                let base = self.child(address.unwrap_or(view.at), 0)?;
                let stop = |text: String, help: &'static str| {
                    Err(Stop::at(base, text).help(help).openmp(kind.section()))
                };
                let word = kind.name();
                let name = view.scanned.text_of(var.span);
                let Some((declaration, _)) = self.named_variable(base) else {
                    return stop(
                        format!("`{word}` takes variables, and `{name}` is none"),
                        "assign a variable in the loop, and use it behind it",
                    );
                };
                let also = |kind: ClauseKind| {
                    let mut vars = omp.clauses_of(kind).flat_map(|(_, clause)| clause.vars());
                    vars.any(|other| view.scanned.text_of(other.span) == name)
                };
                let starts_teams = [Leaf::Teams, Leaf::Distribute];
                let has_teams = omp.kind.leaves().iter().any(|it| starts_teams.contains(it));
                let is_copied = also(ClauseKind::Firstprivate);
                let fits = kind == ClauseKind::Lastprivate && !has_teams;
                if also(ClauseKind::Private) || is_copied && !fits {
                    return stop(
                        format!("`{name}` with two kinds of copies is not supported yet"),
                        "start with a copy that is made in the body of the loop",
                    );
                }
                let ty = self.type_of(base)?;
                let loop_pointer = nest
                    .iter()
                    .any(|dim| dim.is_pointer && dim.variable == declaration);
                if loop_pointer {
                    return stop(
                        format!(
                            "`{word}` of the pointer `{name}` that a loop counts is not supported yet"
                        ),
                        "compute it behind the loop",
                    );
                }
                let outer = self.address(base)?;
                let counts = nest.iter().any(|dim| dim.variable == declaration);
                if kind == ClauseKind::Linear && !counts {
                    let is_int = matches!(self.scalar(ty), Some(Scalar::Int { .. }));
                    if !is_int || nest.len() + inner.len() > 1 {
                        return stop(
                            format!("`linear` of `{name}` here is not supported yet"),
                            "compute it from the loop's counters in each iteration",
                        );
                    }
                    // Kept by the team in front of the loop: with several teams, one could read it behind the last iteration.
                    let kept = self.kept(outer, ty, base)?;
                    grows.push((
                        found.len(),
                        kept,
                        view.argument(Owner::Clause(index), 0, Role::Value),
                    ));
                }
                if is_copied && !counts {
                    let kept = self.kept(outer, ty, base)?;
                    copies.push((found.len(), kept));
                }
                found.push(Last::new(declaration, outer, ty));
            }
        }
        let leaves = omp.kind.leaves();
        let starts = [
            Leaf::Parallel,
            Leaf::Teams,
            Leaf::Distribute,
            Leaf::Taskloop,
        ];
        let is_shared_out = leaves
            .iter()
            .any(|it| [Leaf::For, Leaf::Sections].contains(it))
            && !leaves.iter().any(|it| starts.contains(it));
        if is_shared_out && !(grows.is_empty() && copies.is_empty()) {
            // All threads of the team have read it before one of them leaves its last value.
            let op = Barrier::new(self.ctx);
            self.emit(op);
        }
        for (index, kept) in copies {
            found[index].copied = Some(kept);
        }
        for (index, kept, step) in grows {
            let step = match step {
                Some(step) => self.integer_operand(step)?,
                None => self.constant(64, 1),
            };
            let step = self.widened(step, false);
            found[index].linear = Some((self.load(kept, false), step));
        }
        Ok(found)
    }

    /// What a variable holds in front of the loop, in one of the team's.
    fn kept(&mut self, outer: Value, ty: TypeId, at: NodeId) -> Result<Value> {
        let ir = self.ir_type(ty, at)?;
        let kept = self.temporary(ir);
        self.copy_object(kept, outer, ty);
        Ok(kept)
    }

    /// Whether the body continues the loop by a statement. One that leaves the loop is an error of its own.
    pub(super) fn continues(&self, dim: &Canonical) -> bool {
        let ast = self.source.ast;
        let mut pending: Vec<(NodeId, bool)> =
            dim.body.map(|body| (body, false)).into_iter().collect();
        let mut continues = false;
        while let Some((id, in_switch)) = pending.pop() {
            let in_switch = match ast.kind(id) {
                Kind::ContinueStmt => {
                    continues = true;
                    continue;
                }
                Kind::BreakStmt if !in_switch => return false,
                Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt => continue,
                Kind::SwitchStmt => true,
                _ => in_switch,
            };
            pending.extend(ast.children(id).map(|child| (child, in_switch)));
        }
        continues
    }

    /// In the body, first: the iteration's own variables. Those of loops are made with the loops.
    pub(super) fn begin_last(
        &mut self,
        last: &[Last],
        loops: &[&Canonical],
        (ends, block): (&Ends, Ptr<BasicBlock>),
    ) -> Result<()> {
        for Last {
            declaration,
            ty,
            linear,
            copied,
            ..
        } in last
        {
            if loops.iter().any(|dim| dim.variable == *declaration) {
                continue;
            }
            let own = self.own_variable(*declaration, *ty)?;
            if let Some(kept) = *copied {
                self.copy_object(own, kept, *ty);
            }
            if let Some((start, add)) = *linear {
                let value = self.linear_value(start, add, (ends, block));
                self.store(value, own, false);
            }
        }
        Ok(())
    }

    /// `start` and as often `add` as there were iterations before this one.
    fn linear_value(
        &mut self,
        start: Value,
        add: Value,
        (ends, block): (&Ends, Ptr<BasicBlock>),
    ) -> Value {
        let (Some(first), Some((_, step, _, unsigned))) = (ends.first, ends.dims.first()) else {
            return start;
        };
        let (step, unsigned) = (*step, *unsigned);
        let counter = block.deref(self.ctx).get_argument(0);
        let counter = self.widened(counter, unsigned);
        let first = self.widened(first, unsigned);
        let step = self.widened(step, false);
        let distance = self.binary(BinKind::Sub, counter, first);
        let before = self.binary(BinKind::DivS, distance, step);
        let added = self.binary(BinKind::Mul, before, add);
        let narrow = start.get_type(self.ctx);
        let added = match core::int_width(self.ctx, narrow) {
            Some(width) if width < 64 => self.cast(CastKind::Trunc, added, narrow),
            Some(_) | None => added,
        };
        self.binary(BinKind::Add, start, added)
    }

    /// In the body, last: the values of the last iteration go outside.
    pub(super) fn end_last(
        &mut self,
        last: &[Last],
        (nest, inner): (&[Canonical], &[Canonical]),
        (ends, block): (&Ends, Ptr<BasicBlock>),
    ) -> Result<()> {
        if last.is_empty() || self.function.terminated {
            return Ok(());
        }
        let counters: Vec<Value> = block.deref(self.ctx).arguments().collect();
        let mut is_last = None;
        let mut behind = Vec::new();
        for (index, (counter, (upper, step, test, unsigned))) in
            counters.into_iter().zip(&ends.dims).enumerate()
        {
            let wide = |this: &mut Self, value, unsigned| this.widened(value, unsigned);
            let counter = wide(self, counter, *unsigned);
            let step = wide(self, *step, false);
            let upper = wide(self, *upper, *unsigned);
            let op = core::Bin::new(self.ctx, BinKind::Add, counter, step);
            let next = self.emit_value(op);
            // The test of another iteration, turned round.
            let over = match (test, unsigned) {
                (LoopTest::Lt, false) => CmpKind::GeS,
                (LoopTest::Le, false) => CmpKind::GtS,
                (LoopTest::Gt, false) => CmpKind::LeS,
                (LoopTest::Ge, false) => CmpKind::LtS,
                (LoopTest::Lt, true) => CmpKind::GeU,
                (LoopTest::Le, true) => CmpKind::GtU,
                (LoopTest::Gt, true) => CmpKind::LeU,
                (LoopTest::Ge, true) => CmpKind::LtU,
                (LoopTest::Ne, _) => CmpKind::Eq,
            };
            let op = core::Cmp::new(self.ctx, over, next, upper);
            let ends = self.emit_value(op);
            is_last = Some(match is_last {
                None => ends,
                Some(before) => {
                    let op = core::Bin::new(self.ctx, BinKind::And, before, ends);
                    self.emit_value(op)
                }
            });
            behind.extend(nest.get(index).map(|dim| (dim.variable, next)));
        }
        let Some(is_last) = is_last else {
            return Ok(());
        };
        // The loops inside need not run in the last iteration of those around.
        let counts = |one: &&Last| {
            let mut loops = nest.iter().chain(inner);
            loops.any(|dim| dim.variable == one.declaration)
        };
        let (counters, others) = match self.has_rows(nest, inner) {
            true => last.iter().partition(counts),
            false => (last.iter().collect(), vec![]),
        };
        self.leave_values(is_last, counters, &behind)?;
        if !others.is_empty() {
            let is_last = self.is_last_row(nest, inner)?;
            self.leave_values(is_last, others, &behind)?;
        }
        Ok(())
    }

    fn leave_values(
        &mut self,
        is_last: Value,
        last: Vec<&Last>,
        behind: &[(NodeId, Value)],
    ) -> Result<()> {
        let (op, yes, no) = core::If::new(self.ctx, is_last, vec![]);
        self.emit(op);
        self.in_yielding_block(yes, |this| {
            for one in last {
                this.leave_value(one, behind)?;
            }
            Ok(())
        })?;
        self.in_yielding_block(no, |_| Ok(()))
    }

    fn leave_value(&mut self, last: &Last, behind: &[(NodeId, Value)]) -> Result<()> {
        let counted = behind.iter().find(|(of, _)| *of == last.declaration);
        if let Some((_, next)) = counted {
            let ir = self.ir_type(last.ty, last.declaration)?;
            let bits = core::int_width(self.ctx, ir);
            let value = match bits {
                Some(width) if width < 64 => {
                    let op = core::Cast::new(self.ctx, CastKind::Trunc, *next, ir);
                    self.emit_value(op)
                }
                Some(_) | None => *next,
            };
            self.store(value, last.outer, false);
            return Ok(());
        }
        let Some(own) = self.function.variables.get(&last.declaration) else {
            return Ok(());
        };
        let own = own.address;
        self.copy_object(last.outer, own, last.ty);
        Ok(())
    }
}
