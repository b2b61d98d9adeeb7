//! Sums that loops in order keep in memory: a version of the kernel whose lanes share such a loop out reduces them.
//!
//! ```text
//! for (j …)                                       double part = 0;
//!     y[i] += a[i * n + j] * x[j];      →         #pragma acc loop vector reduction(+ : part)
//!                                                 for (j …) part += a[i * n + j] * x[j];
//!                                                 if (part != 0) y[i] += part;
//! ```
//! Where nothing else is in the way of a loop, the pass `dependence` notes it ([`SUMS`]); the kernel itself runs it in order. The pass
//! `each-gang` makes versions for launches in which such loops are worth the lanes.
//!
//! Cost: the size of the loop, times the places that it stores to.

use super::{
    classes::{Class, classes},
    elements::{Updated, name},
    gathered::{self, sum},
};
use crate::{
    attributes::SUMS,
    members::{Unions, records},
};
use accrue_dialects::{
    acc::Loop,
    core::{Externs, Store},
};
use accrue_opt::analysis::accesses::{Base, Reader};
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::ModuleOp},
    context::Context,
    op::Op,
    operation::Operation,
};

/// Finds the sums of a module's loops.
pub struct Sums {
    externs: Externs,
    unions: Unions,
}

impl Sums {
    pub fn of_module(ctx: &Context, module: ModuleOp) -> Self {
        Sums {
            externs: Externs::of_module(ctx, module.get_operation()),
            unions: Unions::of_module(ctx, module),
        }
    }

    /// The places in memory that are the same in all iterations of the loop, which only adds to them.
    pub fn of(&self, ctx: &Context, lp: Loop) -> Vec<Updated> {
        let region = lp.get_region(ctx);
        let reader = Reader::new(ctx, region);
        let updated = |class: Class| {
            let records = records(ctx, class.address);
            let in_union = records.iter().any(|record| self.unions.may_be(record));
            let updated = Updated {
                name: name(ctx, &class.place.base),
                update: class.update(&self.externs, &reader)?,
                address: class.address,
                ops: class.ops,
            };
            let can = sum(ctx, lp, &updated).is_some() && !in_union;
            can.then_some(updated)
        };
        let all = classes(&self.externs, &reader, region, |place| match place.base {
            Base::Variable(_) => !place.path.is_empty(),
            // A mapped variable is a parameter of its kernel, of which no more is known.
            Base::Pointee(_) | Base::Unknown => true,
            Base::Loaded(_) | Base::Inside => false,
        });
        let stored = |class: &Class| {
            let mut ops = class.ops.iter();
            ops.any(|op| Operation::is_op::<Store>(*op, ctx))
        };
        all.into_iter().filter(stored).filter_map(updated).collect()
    }

    /// Whether the loop may reduce them: as many as it had in the program.
    pub fn are_known(&self, ctx: &Context, lp: Loop) -> bool {
        let noted = SUMS.get(ctx, lp.get_operation());
        noted.is_some_and(|noted| noted.many as usize == self.of(ctx, lp).len())
    }

    /// Lets the loop reduce them.
    pub fn reduce(&self, ctx: &mut Context, lp: Loop) {
        for updated in self.of(ctx, lp) {
            let Some(sum) = sum(ctx, lp, &updated) else {
                continue;
            };
            gathered::reduce(ctx, lp, &updated, sum, |e, address, part| {
                let old = e.load(address);
                let new = e.bin(sum.kind, old, part);
                e.store(new, address);
            });
        }
    }
}
