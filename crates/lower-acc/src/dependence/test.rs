//! What has to hold for a nest of loops to be independent where analysis alone does not say so, as numbers that are known before the nest.
//!
//! ```text
//! void add(struct s *s, double *q)                 s->p + [0, n·m) and q + [0, m) are apart, and s->p is not in the former,
//! for (unsigned i = 0; i < n; i++)          →      0 <= (n - 1)·m <= 2^31 - 1
//!     for (unsigned j = 0; j < m; j++)             n > 0, so that s->p may be loaded
//!         s->p[i * m + j] += q[j];
//! ```
//! - Pointers that analysis has asked to lead apart: memory from the first to the last element that the nest comes to by each, or a whole
//!   variable. Sums become ends of it by the ranges of the loops ([`super::ranges`]); a stride of which the sign is not known is one more
//!   thing to test.
//! - Products of unsigned numbers, which wrap: analysis takes those that it meets for sums of naturals
//!   ([`accrue_opt::analysis::affine::Affine::assumed`]).
//! - A pointer in memory is loaded before the nest, so that each loop around its load needs an iteration, and nothing else may
//!   decide whether it is loaded. The memory that it is in is one that the nest reads, so that it is apart from what the nest writes.
//!
//! A nest of which that cannot be said has no test. Cost: for each access the square of the number of its loops, times the length of a sum.

use accrue_dialects::{
    acc::{Kernels, Loop},
    core::{
        Break, Continue, Load, Return, ShapeDim,
        layout::{Records, size_of},
        pointee,
    },
};
use accrue_ir::walk;
use accrue_opt::analysis::{
    accesses::{Base, Reader, Step},
    affine::Sum,
    variables::{Root, describe, root_of},
};
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, OneRegionInterface},
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    value::Value,
};
use std::cell::RefCell;
use std::collections::HashMap;

use super::{
    Access,
    ranges::{End, Range, Ranges, bound, is_natural},
    sources::{Finder, Had, Number},
};

/// More is not tested.
const MOST_ENDS: usize = 24;
const MOST_STEPS: usize = 4;

/// What has to hold.
pub(super) struct Test {
    /// These are not negative …
    pub naturals: Vec<Number>,
    /// … and these not greater than the largest signed number of 32 bits.
    pub words: Vec<Number>,
    /// What is loaded by way of pointers may be loaded where these are not negative: first those of the first step, which may be what the next
    /// one needs.
    pub reached: Vec<Vec<Number>>,
    pub stretches: Vec<Stretch>,
    /// Which of the stretches are apart.
    pub apart: Vec<(usize, usize)>,
}

/// A part of memory.
pub(super) struct Stretch {
    pub start: Had,
    pub of: Elements,
}

pub(super) enum Elements {
    /// So many bytes.
    All(u64),
    /// From the least of the first to the greatest of the last.
    Some {
        first: Vec<Number>,
        last: Vec<Number>,
        /// Bytes of an element, times the extents of a variable.
        bytes: u64,
        extents: Vec<(Value, u32)>,
    },
}

impl Test {
    /// The test for the nest of `lp`, whose body `reader` reads. `pairs`: what has to be apart.
    pub fn new(
        reader: &Reader,
        lp: Loop,
        ranges: &Ranges,
        records: &Records,
        accesses: &[Access],
        pairs: &[(Base, Base)],
    ) -> Option<Test> {
        let finder = Finder {
            reader,
            lp,
            construct: walk::enclosing::<Kernels>(reader.ctx, lp.get_operation())?,
            accesses,
            indirect: RefCell::new(vec![]),
        };
        let mut test = Test {
            naturals: vec![],
            words: vec![],
            reached: vec![],
            stretches: vec![],
            apart: vec![],
        };
        let mut naturals = vec![];
        finder.products(ranges, &mut test, &mut naturals)?;
        let mut bases: Vec<&Base> = vec![];
        for (a, b) in pairs {
            let [a, b] = [a, b].map(|base| match bases.iter().position(|known| *known == base) {
                Some(known) => known,
                None => {
                    bases.push(base);
                    bases.len() - 1
                }
            });
            test.apart.push((a, b));
        }
        for base in bases {
            let of_base = accesses.iter().filter(|access| access.place.base == *base);
            let of_base: Vec<_> = of_base.collect();
            let stretch = finder.stretch(base, &of_base, records, &mut naturals)?;
            test.stretches.push(stretch);
        }
        let mut done: Vec<Sum> = vec![];
        while let Some((sum, loops)) = naturals.pop() {
            if !done.contains(&sum) && !is_natural(reader, &sum, &loops) {
                let least = finder.end(&sum, &loops, End::First, &mut naturals)?;
                test.naturals.push(finder.number(&least)?);
                done.push(sum);
            }
            if done.len() > MOST_ENDS {
                return None;
            }
        }
        finder.reach(ranges, &mut test)?;
        let asks = !test.naturals.is_empty() || !test.words.is_empty() || !test.apart.is_empty();
        asks.then_some(test)
    }
}

/// Sums that have to be natural, in these loops.
type Naturals = Vec<(Sum, Vec<Range>)>;

impl Finder<'_> {
    /// What products that are taken not to wrap need, and counters without sign where there are such.
    fn products(&self, ranges: &Ranges, test: &mut Test, naturals: &mut Naturals) -> Option<()> {
        let ctx = self.reader.ctx;
        let construct = self.construct.get_region(ctx);
        let body = self.lp.get_region(ctx);
        let mut met = false;
        for product in self.reader.assumed() {
            let op = product.defining_op()?;
            let inside = walk::is_inside(ctx, op, body);
            let other_nest = walk::enclosing::<Loop>(ctx, op).is_some() && !inside;
            if !walk::is_inside(ctx, op, construct) || other_nest {
                continue;
            }
            met = true;
            let loops = match inside {
                true => ranges.around(self.reader, op, self.lp),
                false => vec![],
            };
            let sum = self.reader.sum(product);
            let last = self.end(&sum, &loops, End::Last, naturals)?;
            test.words.push(self.number(&last)?);
            naturals.push((sum, loops));
        }
        if !met {
            return Some(());
        }
        let inner = walk::nested::<Loop>(ctx, self.lp.get_operation());
        for lp in inner.into_iter().chain([self.lp]) {
            let first = walk::ops_of_region(ctx, lp.get_region(ctx))
                .first()
                .copied()?;
            let loops = ranges.around(self.reader, first, self.lp);
            let own = lp.dims(ctx).len();
            for range in loops.iter().take(own).filter(|range| range.is_word) {
                let around = loops[own..].to_vec();
                let beyond = range.last.clone()?.plus(&Sum::number(1), 1);
                naturals.push((range.first.clone()?, around.clone()));
                naturals.push((beyond, around));
            }
        }
        Some(())
    }

    /// The memory that these accesses come to, all by the same base.
    fn stretch(
        &self,
        base: &Base,
        accesses: &[&Access],
        records: &Records,
        naturals: &mut Naturals,
    ) -> Option<Stretch> {
        let ctx = self.reader.ctx;
        let pointer = match base {
            Base::Variable(root) => {
                let address = self.address(root, accesses)?;
                let ty = pointee(ctx, address)?;
                let lengths = describe(ctx, address).shape.dims;
                if lengths
                    .iter()
                    .any(|dim| matches!(dim, ShapeDim::Variable | ShapeDim::Fixed(0)))
                {
                    return None;
                }
                return Some(Stretch {
                    start: self.known(address)?,
                    of: Elements::All(size_of(ctx, records, ty)?),
                });
            }
            Base::Pointee(_) | Base::Loaded(_) => {
                self.reader.pointer(accesses.first()?.address?)?
            }
            Base::Inside | Base::Unknown => return None,
        };
        let (mut first, mut last): (Vec<Sum>, Vec<Sum>) = (vec![], vec![]);
        for access in accesses {
            let Some(Step::Index(sum)) = access.place.path.first() else {
                return None;
            };
            let low = self.end(sum, &access.loops, End::First, naturals)?;
            let high = self.end(sum, &access.loops, End::Last, naturals)?;
            add_end(&mut first, low, End::First);
            add_end(&mut last, high, End::Last);
        }
        if first.len() + last.len() > MOST_ENDS {
            return None;
        }
        let numbers = |sums: &[Sum]| -> Option<Vec<Number>> {
            sums.iter().map(|sum| self.number(sum)).collect()
        };
        Some(Stretch {
            start: self.known(pointer)?,
            of: Elements::Some {
                first: numbers(&first)?,
                last: numbers(&last)?,
                bytes: size_of(ctx, records, pointee(ctx, pointer)?)?,
                extents: self.extents(base)?,
            },
        })
    }

    /// The lengths that the first subscript of a pointer to rows is multiplied by.
    fn extents(&self, base: &Base) -> Option<Vec<(Value, u32)>> {
        let Base::Pointee(Root::Local(variable)) = base else {
            return Some(vec![]);
        };
        let dims = describe(self.reader.ctx, *variable).shape.dims;
        let Some(last) = dims
            .iter()
            .rposition(|dim| *dim == ShapeDim::Variable)
            .filter(|at| *at > 0)
        else {
            return Some(vec![]);
        };
        let inside = dims.iter().enumerate().take(last + 1).skip(1);
        // Those of constant length would be factors that are not counted here.
        inside
            .map(|(at, dim)| match dim {
                ShapeDim::Variable => Some((*variable, at as u32)),
                ShapeDim::Fixed(_) | ShapeDim::Pointer => None,
            })
            .collect()
    }

    /// The address of a variable that is accessed.
    fn address(&self, root: &Root, accesses: &[&Access]) -> Option<Value> {
        let ctx = self.reader.ctx;
        match root {
            Root::Local(alloca) => Some(*alloca),
            Root::Global(_) => {
                let mut at = accesses.first()?.address?;
                while root_of(ctx, at).is_none() {
                    at = at.defining_op()?.deref(ctx).get_operand(0);
                }
                Some(at)
            }
        }
    }

    /// What a sum is at least or at most while the loops go on, if the strides that `naturals` gets are not negative.
    fn end(&self, sum: &Sum, loops: &[Range], end: End, naturals: &mut Naturals) -> Option<Sum> {
        let mut rest = sum.clone();
        for (at, range) in loops.iter().enumerate() {
            let (stride, _) = self.reader.stride(&rest, range.variable)?;
            let only = |other: &Range| other.variable == range.variable;
            let falls = is_natural(self.reader, &Sum::default().minus(&stride), loops);
            if stride.is_zero() || falls || is_natural(self.reader, &stride, loops) {
                rest = bound(self.reader, &rest, loops, end, only)?;
                continue;
            }
            let (stride, others) = self.reader.stride(&rest, range.variable)?;
            let own = match end {
                End::First => range.first.as_ref()?,
                End::Last => range.last.as_ref()?,
            };
            rest = others.plus(&stride.times(own), 1);
            naturals.push((stride, loops[at + 1..].to_vec()));
        }
        Some(rest)
    }

    /// Where what is loaded by way of pointers is loaded in any case.
    fn reach(&self, ranges: &Ranges, test: &mut Test) -> Option<()> {
        let mut known = HashMap::new();
        for value in self.indirect.take() {
            self.step(ranges, value, (&mut known, test), MOST_STEPS)?;
        }
        Some(())
    }

    /// The step behind which a value may be loaded: what its loops' ends need has to be loaded in an earlier one.
    fn step(
        &self,
        ranges: &Ranges,
        value: Value,
        (known, test): (&mut HashMap<Value, usize>, &mut Test),
        left: usize,
    ) -> Option<usize> {
        if let Some(step) = known.get(&value) {
            return Some(*step);
        }
        let left = left.checked_sub(1)?;
        let gaps = self.certain(ranges, value)?;
        let mut step = 0;
        for needed in self.indirect.take() {
            let before = self.step(ranges, needed, (&mut *known, &mut *test), left)?;
            step = step.max(before + 1);
        }
        known.insert(value, step);
        let steps = test.reached.len().max(step + 1);
        test.reached.resize_with(steps, Vec::new);
        test.reached[step].extend(gaps);
        Some(step)
    }

    /// How far the loops go in which a value is loaded in any case, or something else of the object that it is loaded from.
    fn certain(&self, ranges: &Ranges, value: Value) -> Option<Vec<Number>> {
        let load = Operation::get_op::<Load>(value.defining_op()?, self.reader.ctx)?;
        let place = self.reader.subscripts(load.get_operand(self.reader.ctx));
        let is_beside = |access: &&Access| {
            access.place.base == place.base && access.place.path.first() == place.path.first()
        };
        let beside = self.accesses.iter().filter(is_beside);
        let mut places = [load.get_operation()]
            .into_iter()
            .chain(beside.map(|it| it.op));
        places.find_map(|op| {
            self.indirect.take();
            self.gaps(ranges, op)
        })
    }

    /// How far the loops around an operation go, which nothing else may leave out.
    fn gaps(&self, ranges: &Ranges, op: Ptr<Operation>) -> Option<Vec<Number>> {
        let ctx = self.reader.ctx;
        if !walk::is_inside(ctx, op, self.lp.get_region(ctx)) {
            return Some(vec![]);
        }
        let mut at = op;
        loop {
            let mut before = at.deref(ctx).get_prev();
            while let Some(op) = before {
                let inside = walk::nested_ops(ctx, op).into_iter();
                if inside.chain([op]).any(|op| leaves(ctx, op)) {
                    return None;
                }
                before = op.deref(ctx).get_prev();
            }
            at = at.deref(ctx).get_parent_op(ctx)?;
            Operation::get_op::<Loop>(at, ctx)?;
            if at == self.lp.get_operation() {
                break;
            }
        }
        let around = ranges.around(self.reader, op, self.lp).into_iter();
        around
            .map(|range| self.number(&range.last?.minus(&range.first?)))
            .collect()
    }
}

/// Whether what follows the operation may be left out because of it.
fn leaves(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::is_op::<Continue>(op, ctx)
        || Operation::is_op::<Break>(op, ctx)
        || Operation::is_op::<Return>(op, ctx)
}

/// Adds an end to others, of which those that differ by a number are one.
fn add_end(ends: &mut Vec<Sum>, new: Sum, end: End) {
    for known in ends.iter_mut() {
        if let Some(more) = new.minus(known).as_number() {
            let beyond = match end {
                End::First => more < 0,
                End::Last => more > 0,
            };
            if beyond {
                *known = new;
            }
            return;
        }
    }
    ends.push(new);
}
