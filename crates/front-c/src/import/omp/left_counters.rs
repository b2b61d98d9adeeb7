//! What the variables of loops hold behind `simd` and `loop` constructs (OpenMP 5.2, section 5.1.1): they are linear or `lastprivate` without a clause.
//!
//! ```text
//! int i;                                   omp.loop_nest %l to %u step %s { … }
//! #pragma omp simd                   →     core.store %l < %u ? %l + (%u - %l + %s - 1) / %s * %s : %l, %i
//! for (i = l; i < u; i += s) …
//! for (; i < n; i++) …                     the rest begins there
//! ```
//! The bounds tell the value, also where a loop has no iterations. Variables that a clause of the directive names are left to that
//! ([`lastprivate`](super::lastprivate)). Where threads share the variable, the last iteration sets it. Of a construct that begins on the host the variable is the
//! host's own, unless it is mapped: regions get its value.

use super::lastprivate::Last;
use super::own::own_names;
use crate::ast::node::NodeId;
use crate::ast::types::TypeId;
use crate::import::canonical::Canonical;
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::loops::Bounds;
use crate::import::state::Result;
use accrue_dialects::core::{self, BinKind, CastKind, CmpKind};
use accrue_dialects::par::{LoopDim, LoopTest};
use accrue_directives::omp::{ClauseKind, Directive, Leaf};
use pliron::value::Value;

/// A loop's variable, with what tells its last value.
pub(super) struct Counter {
    declaration: NodeId,
    ty: TypeId,
    /// The address of the variable behind the loop.
    outer: Value,
    lower: Value,
    upper: Value,
    step: Value,
    dim: LoopDim,
}

impl Module<'_> {
    /// The variables of the nest that are there before it and that the construct is to set: those that all who come to it set behind the loops, and
    /// those that are shared or mapped, which the last iteration sets.
    pub(super) fn counters_to_leave(
        &self,
        view: &View<'_>,
        (omp, leaves): (&Directive, &[Leaf]),
        nest: &[Canonical],
        found: &Bounds,
    ) -> (Vec<Counter>, Vec<Last>) {
        let (mut behind, mut last) = (vec![], vec![]);
        let sets = |leaf: &Leaf| matches!(leaf, Leaf::Simd | Leaf::Loop);
        if !leaves.iter().any(sets) {
            return (behind, last);
        }
        let named = own_names(view, omp);
        let maps = omp.clauses_of(ClauseKind::Map);
        let maps = maps.flat_map(|(_, clause)| clause.vars());
        let mapped: Vec<&str> = maps.map(|var| view.scanned.text_of(var.span)).collect();
        let is_alone = leaves == [Leaf::Simd];
        let dims = found.bounds.iter().zip(&found.dims);
        for (counter, (bounds, dim)) in nest.iter().zip(dims) {
            let declaration = counter.variable;
            let name = self.source.ast.name(declaration);
            let known = self.function.variables.get(&declaration);
            let Some(variable) = known.filter(|_| !counter.is_pointer && !named.contains(name))
            else {
                continue;
            };
            let shared = self.function.shared.contains(&declaration) && !is_alone;
            if omp.kind.is_target() && !mapped.contains(&name) {
                continue;
            }
            if shared || omp.kind.is_target() {
                last.push(Last::new(declaration, variable.address, counter.ty));
                continue;
            }
            let (lower, upper, step) = *bounds;
            behind.push(Counter {
                declaration,
                ty: counter.ty,
                outer: variable.address,
                lower,
                upper,
                step,
                dim: *dim,
            });
        }
        (behind, last)
    }

    /// Sets them, behind the loops.
    pub(super) fn leave_counters(&mut self, counters: Vec<Counter>) -> Result<()> {
        for counter in counters {
            let value = self.left_value(&counter);
            let ir = self.ir_type(counter.ty, counter.declaration)?;
            let value = match core::int_width(self.ctx, ir) {
                Some(width) if width < 64 => self.cast(CastKind::Trunc, value, ir),
                Some(_) | None => value,
            };
            self.store(value, counter.outer, false);
        }
        Ok(())
    }

    fn left_value(&mut self, counter: &Counter) -> Value {
        let LoopDim { test, unsigned } = counter.dim;
        let lower = self.widened(counter.lower, unsigned);
        let upper = self.widened(counter.upper, unsigned);
        let step = self.widened(counter.step, false);
        let (kind, upwards, including) = match (test, unsigned) {
            (LoopTest::Lt, false) => (CmpKind::LtS, true, false),
            (LoopTest::Le, false) => (CmpKind::LeS, true, true),
            (LoopTest::Gt, false) => (CmpKind::GtS, false, false),
            (LoopTest::Ge, false) => (CmpKind::GeS, false, true),
            (LoopTest::Lt, true) => (CmpKind::LtU, true, false),
            (LoopTest::Le, true) => (CmpKind::LeU, true, true),
            (LoopTest::Gt, true) => (CmpKind::GtU, false, false),
            (LoopTest::Ge, true) => (CmpKind::GeU, false, true),
            // It comes to the bound, or does not end.
            (LoopTest::Ne, _) => return upper,
        };
        let zero = self.constant(64, 0);
        let (from, to, length) = match upwards {
            true => (lower, upper, step),
            false => (upper, lower, self.binary(BinKind::Sub, zero, step)),
        };
        let distance = self.binary(BinKind::Sub, to, from);
        // The last iteration that there may be has all of a step in front of it, or, without the bound itself, one less.
        let more = match including {
            true => length,
            false => {
                let one = self.constant(64, 1);
                self.binary(BinKind::Sub, length, one)
            }
        };
        let reached = self.binary(BinKind::Add, distance, more);
        let count = self.binary(BinKind::DivU, reached, length);
        let way = self.binary(BinKind::Mul, count, step);
        let last = self.binary(BinKind::Add, lower, way);
        let any = self.compare(kind, lower, upper);
        self.select(any, last, lower)
    }
}
