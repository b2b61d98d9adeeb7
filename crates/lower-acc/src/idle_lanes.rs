//! Lanes for loops over gangs alone.
//!
//! ```text
//! #pragma acc parallel loop gang              one lane of each gang works, the others of its block wait:
//! for (int i = 0; i < n; i++) {               a thirty-second of a GPU at most
//!     double s = 0;
//!     for (int k = 0; k < m; k++)
//!         s += a[k * n + i];                  →   gang vector
//!     y[i] = s;
//! }
//! ```
//! The iterations are independent, so they may as well be spread over the lanes that nothing in the loop uses. That is
//! not so for what a gang's iterations have in common, and use one after the other: variables that are private to the gang.
//! The pass `assign-levels`, which this file belongs to, therefore asks:
//!
//! 1. Does `num_gangs(1)` say that the iterations run in order? Programs rely on that.
//! 2. Does the construct have arrays or structures of each gang's own, which are not only loaded from? They might be reached
//!    through pointers.
//! 3. Does the loop write anything but memory of all gangs, variables of its own iterations, and what it reduces itself? What the
//!    construct reduces is each gang's own.
//! 4. Do the variables of an iteration take more than [`MOST_BYTES`]? Each lane would have them.
//!
//! Cost: linear in the size of the construct.

use accrue_dialects::core::layout::{Records, size_of};
use accrue_dialects::{
    acc::{ClauseOp, DataOp, Firstprivate, Group, Loop, Parallel, Reduction},
    core::{Alloca, Call, Decay, Load, Member, PtrAdd, is_scalar},
};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk::{self, nested, nested_ops, operands_of},
};
use accrue_opt::analysis::{
    accesses::{Base, Reader},
    variables::{Root, root_of},
};
use pliron::{
    builtin::op_interfaces::{OneRegionInterface, OneResultInterface},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};

use crate::{device_types::says_one_gang, gang_private::is_of_gang};

/// Bytes of variables of an iteration.
const MOST_BYTES: u64 = 1024;

/// Whether the iterations of `lp`, a loop over gangs with nothing inside that uses lanes, may be spread over lanes too.
pub fn may_be_used(ctx: &Context, lp: Loop, records: &Records) -> bool {
    let construct = walk::enclosing::<Parallel>(ctx, lp.get_operation());
    construct.is_some_and(|construct| may_be_used_in(ctx, &construct, lp, records))
}

/// Whether several iterations of `lp`, a loop over gangs in `construct`, may run at the same time in one gang.
pub fn may_be_used_in<C: ClauseOp + OneRegionInterface>(
    ctx: &Context,
    construct: &C,
    lp: Loop,
    records: &Records,
) -> bool {
    let op = lp.get_operation();
    if says_one_gang(ctx, construct, Group::NumGangs)
        || says_one_gang(ctx, &lp, Group::GangNum)
        || has_aggregates(ctx, construct, lp)
    {
        return false;
    }
    let bytes = nested::<Alloca>(ctx, op).into_iter().map(|alloca| {
        let fixed = alloca.count(ctx).is_none();
        let size = size_of(ctx, records, alloca.var_type(ctx));
        size.filter(|_| fixed).unwrap_or(u64::MAX)
    });
    if bytes.fold(0, u64::saturating_add) > MOST_BYTES {
        return false;
    }
    let writes = Writes {
        ctx,
        construct,
        reader: Reader::new(ctx, lp.get_region(ctx)),
        reduced: reduced(ctx, &lp),
        of_gang: reduced(ctx, construct),
    };
    nested_ops(ctx, op)
        .into_iter()
        .all(|op| writes.are_harmless(op))
}

/// Whether arrays or structures of each gang's own are declared around the loop, or come with a clause.
fn has_aggregates<C: ClauseOp + OneRegionInterface>(
    ctx: &Context,
    construct: &C,
    lp: Loop,
) -> bool {
    // What is declared in another loop is out of reach here.
    let is_around = |alloca: &Alloca| {
        let block = alloca.get_operation().deref(ctx).get_parent_block();
        let region = block.and_then(|block| block.deref(ctx).get_parent_region());
        region.is_some_and(|region| walk::is_inside(ctx, lp.get_operation(), region))
    };
    let declared = nested::<Alloca>(ctx, construct.get_operation())
        .into_iter()
        .filter(is_around);
    let brought = construct.clause(ctx, Group::Firstprivate).into_iter();
    let brought = brought.filter_map(|value| {
        let copy = Operation::get_op::<Firstprivate>(value.defining_op()?, ctx)?;
        Operation::get_op::<Alloca>(copy.var(ctx)?.defining_op()?, ctx)
    });
    let region = construct.get_region(ctx);
    let brought = brought.filter(|alloca| !is_only_loaded(ctx, alloca.get_result(ctx), region));
    declared
        .chain(brought)
        .any(|alloca| alloca.count(ctx).is_some() || !is_scalar(ctx, alloca.var_type(ctx)))
}

/// Whether `region` does nothing with what is at `address` but loading it, or parts of it.
fn is_only_loaded(ctx: &Context, address: Value, region: Ptr<Region>) -> bool {
    let uses = address.uses(ctx).into_iter().map(|using| using.user_op());
    uses.filter(|op| walk::is_inside(ctx, *op, region))
        .all(|op| {
            let part = Operation::is_op::<Member>(op, ctx)
                || Operation::is_op::<Decay>(op, ctx)
                || Operation::get_op::<PtrAdd>(op, ctx)
                    .is_some_and(|element| element.get_operand_base(ctx) == address);
            Operation::is_op::<Load>(op, ctx)
                || part
                    && walk::results_of(ctx, op)
                        .into_iter()
                        .all(|inside| is_only_loaded(ctx, inside, region))
        })
}

/// The variables that a loop or construct reduces.
fn reduced(ctx: &Context, by: &dyn ClauseOp) -> Vec<Root> {
    let values = by.clause(ctx, Group::Reduction).into_iter();
    let reductions = values.filter_map(|v| Operation::get_op::<Reduction>(v.defining_op()?, ctx));
    reductions
        .filter_map(|reduction| root_of(ctx, reduction.var(ctx)?))
        .collect()
}

/// What the loop may write.
struct Writes<'a, C> {
    ctx: &'a Context,
    construct: &'a C,
    reader: Reader<'a>,
    /// What the loop reduces, and what the construct does.
    reduced: Vec<Root>,
    of_gang: Vec<Root>,
}

impl<C: ClauseOp + OneRegionInterface> Writes<'_, C> {
    /// Whether `op` writes nothing of the gang's.
    fn are_harmless(&self, op: Ptr<Operation>) -> bool {
        if Operation::is_op::<Call>(op, self.ctx) {
            let arguments = operands_of(self.ctx, op);
            return arguments.into_iter().all(|value| !self.is_of_gang(value));
        }
        effects_of(self.ctx, op)
            .expected()
            .iter()
            .all(|effect| match effect {
                Effect::Write(Some(address)) | Effect::Free(Some(address)) => {
                    let known = self.reader.base(*address) != Base::Unknown;
                    known && !self.is_of_gang(*address)
                }
                Effect::Write(None) | Effect::Free(None) => false,
                Effect::Read(_) | Effect::Alloc | Effect::Structure | Effect::Convergent => true,
            })
    }

    /// Whether this is an address in a variable that each gang has for itself.
    fn is_of_gang(&self, address: Value) -> bool {
        match self.reader.base(address) {
            Base::Variable(root) => {
                let own = self.reduced.contains(&root);
                let of_gang = self.of_gang.contains(&root);
                !own && (of_gang || is_of_gang(self.ctx, self.construct, root))
            }
            Base::Pointee(_) | Base::Loaded(_) | Base::Inside | Base::Unknown => false,
        }
    }
}
