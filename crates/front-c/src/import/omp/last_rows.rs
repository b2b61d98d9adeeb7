//! The last iteration of loops of which inner ones have bounds that depend on outer ones: `lastprivate` on a triangle (OpenMP 5.2,
//! sections 4.4.2 and 5.4.5). The inner loops are in the body of the outer ones, and need not run in the last iterations of these.
//!
//! ```text
//! #pragma omp for collapse(2) lastprivate(x)      omp.loop_nest … { ^(%i): … the inner loop
//! for (i = 0; i < n; i++)                           %runs = i + 1 < n
//!     for (j = i + 1; j < n; j++)             →     %later = 0
//!         x = …;                                    for (k = i + 1; !%later && k < n; k++) %later = k + 1 < n
//!                                                   core.if %runs && !%later { core.store … } }
//! ```
//! Mostly the next iteration of the outer loop tells.
//!
//! Cost: an iteration of the inner loops that runs looks at those behind it until one runs.

use crate::import::canonical::{Canonical, Step};
use crate::import::functions::Module;
use crate::import::loops::Bounds;
use crate::import::state::{Result, Stop};
use accrue_dialects::core::{self, BinKind, CmpKind};
use accrue_dialects::par::LoopTest;
use pliron::value::Value;

impl Module<'_> {
    /// Whether loops inside of a nest need not run in each of its iterations.
    pub(super) fn has_rows(&self, nest: &[Canonical], inner: &[Canonical]) -> bool {
        let loops = || nest.iter().chain(inner);
        inner.iter().any(|dim| {
            let step = match dim.step {
                Step::One | Step::MinusOne => None,
                Step::Plus(step) | Step::Minus(step) => Some(step),
            };
            let mut bounds = [Some(dim.lower), Some(dim.bound), step].into_iter();
            bounds.any(|bound| {
                bound.is_some_and(|bound| loops().any(|outer| self.mentions(bound, outer.variable)))
            })
        })
    }

    /// Whether this iteration of the nest is the last in which the loops inside of it run.
    pub(super) fn is_last_row(&mut self, nest: &[Canonical], inner: &[Canonical]) -> Result<Value> {
        let loops: Vec<Canonical> = nest.iter().chain(inner).cloned().collect();
        if let Some(dim) = loops.iter().find(|dim| dim.is_pointer) {
            let message = "`lastprivate` on loops over pointers whose bounds depend on each other is not supported yet";
            return Err(Stop::at(dim.variable, message)
                .help("count elements in these loops")
                .openmp("5.4.5"));
        }
        let (zero, flag) = (self.constant(32, 0), core::int(self.ctx, 32));
        let [runs, later] = [(); 2].map(|()| self.temporary(flag));
        for found in [runs, later] {
            self.store(zero, found, false);
        }
        self.with_own(|this| {
            for dim in nest {
                let own = this.function.variables.get(&dim.variable);
                let counter = own.map(|own| own.address);
                let counter = counter.map(|address| this.load(address, false));
                let scratch = this.own_variable(dim.variable, dim.ty)?;
                if let Some(counter) = counter {
                    this.store(counter, scratch, false);
                }
            }
            for dim in inner {
                this.own_variable(dim.variable, dim.ty)?;
            }
            this.look_for_iteration(inner, runs)?;
            for level in (0..nest.len()).rev() {
                this.step_on(&loops[level])?;
                this.look_in(&loops[level..], later)?;
            }
            Ok(())
        })?;
        let [runs, later] = [runs, later].map(|found| self.load(found, false));
        let runs = self.compare(CmpKind::Ne, runs, zero);
        let none = self.compare(CmpKind::Eq, later, zero);
        Ok(self.binary(BinKind::And, runs, none))
    }

    /// Stores 1 to `found` if loops, from their beginning, come to an iteration.
    fn look_for_iteration(&mut self, loops: &[Canonical], found: Value) -> Result<()> {
        let Some(dim) = loops.first() else {
            let one = self.constant(32, 1);
            self.store(one, found, false);
            return Ok(());
        };
        let bounds = self.bounds_of(dim)?;
        if let (Some((lower, _, _)), Some(address)) = (bounds.bounds.first(), self.counter(dim)) {
            self.store(*lower, address, false);
        }
        self.look_in(loops, found)
    }

    /// The same from the iteration on that the counter of the outermost one says.
    fn look_in(&mut self, loops: &[Canonical], found: Value) -> Result<()> {
        let Some((dim, inside)) = loops.split_first() else {
            return Ok(());
        };
        let (op, blocks) = core::Loop::new(self.ctx, false);
        self.emit(op);
        self.in_block(blocks.cond, |this| {
            let goes_on = this.goes_on(dim)?;
            let (before, zero) = (this.load(found, false), this.constant(32, 0));
            let none = this.compare(CmpKind::Eq, before, zero);
            let again = this.binary(BinKind::And, none, goes_on);
            this.yield_values(vec![again]);
            Ok(())
        })?;
        self.in_yielding_block(blocks.body, |this| this.look_for_iteration(inside, found))?;
        self.in_yielding_block(blocks.step, |this| this.step_on(dim))
    }

    fn counter(&self, dim: &Canonical) -> Option<Value> {
        let own = self.function.variables.get(&dim.variable);
        own.map(|own| own.address)
    }

    fn bounds_of(&mut self, dim: &Canonical) -> Result<Bounds> {
        self.loop_bounds(std::slice::from_ref(dim))
    }

    fn step_on(&mut self, dim: &Canonical) -> Result<()> {
        let bounds = self.bounds_of(dim)?;
        if let (Some((_, _, step)), Some(address)) = (bounds.bounds.first(), self.counter(dim)) {
            let counter = self.load(address, false);
            let next = self.binary(BinKind::Add, counter, *step);
            self.store(next, address, false);
        }
        Ok(())
    }

    /// The loop's condition.
    fn goes_on(&mut self, dim: &Canonical) -> Result<Value> {
        let bounds = self.bounds_of(dim)?;
        let (Some((_, upper, _)), Some(address)) = (bounds.bounds.first(), self.counter(dim))
        else {
            return Ok(self.constant(1, 0));
        };
        let kind = match (dim.test, dim.signed) {
            (LoopTest::Lt, true) => CmpKind::LtS,
            (LoopTest::Le, true) => CmpKind::LeS,
            (LoopTest::Gt, true) => CmpKind::GtS,
            (LoopTest::Ge, true) => CmpKind::GeS,
            (LoopTest::Lt, false) => CmpKind::LtU,
            (LoopTest::Le, false) => CmpKind::LeU,
            (LoopTest::Gt, false) => CmpKind::GtU,
            (LoopTest::Ge, false) => CmpKind::GeU,
            (LoopTest::Ne, _) => CmpKind::Ne,
        };
        let counter = self.load(address, false);
        Ok(self.compare(kind, counter, *upper))
    }
}
