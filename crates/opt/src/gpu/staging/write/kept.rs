//! What iterations store at one place while columns are loaded ahead: kept in a variable from the first iteration to the last.
//!
//! ```text
//! if (lane < 32 && apart) kept = y[j]
//! for (first = 0; first < m; first += 128)  …  if (apart) for i: kept += tile[i][lane]  else for i: y[j] += a[…]
//! if (lane < 32 && apart) y[j] = kept
//! ```
//! Otherwise every 128 iterations would wait for the memory that the ones before have written.

use super::{Work, chunks::Iterations};
use crate::{analysis::affine::motion, gpu::staging::columns::Ahead};
use accrue_dialects::core::{If, Load, Store, emit::Emitter, pointee};
use accrue_ir::walk::nested_ops;
use pliron::{
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};

/// A place, and what stands for it.
pub(super) struct Kept {
    place: Value,
    variable: Value,
    /// The loads and stores of the loop there.
    accesses: Vec<(Ptr<Operation>, usize)>,
}

impl Work<'_> {
    /// Keeps what the loop stores, if it can be, where `wanted`.
    pub(super) fn keep(
        &self,
        e: &mut Emitter,
        ahead: &Ahead,
        all: Iterations,
        wanted: Value,
    ) -> Vec<Kept> {
        let mut iterations = motion::Iterations::of(e.ctx, self.staged.lp);
        let mut kept = vec![];
        for address in ahead.stores.iter().filter(|_| ahead.keeps) {
            let Some(ty) = pointee(e.ctx, *address) else {
                continue;
            };
            let variable = e.alloca(ty, None);
            let zero = e.zero(ty);
            e.store(zero, variable);
            kept.push(Kept {
                place: iterations.at(e, *address, all.lower),
                variable,
                accesses: accesses(e.ctx, self, *address),
            });
        }
        if !kept.is_empty() {
            only_if(e, wanted, |e| {
                for Kept {
                    place, variable, ..
                } in &kept
                {
                    let value = e.load(*place);
                    e.store(value, *variable);
                }
            });
        }
        kept
    }

    /// Stores what was kept, where `wanted`.
    pub(super) fn give_back(&self, e: &mut Emitter, kept: &[Kept], wanted: Value) {
        if kept.is_empty() {
            return;
        }
        only_if(e, wanted, |e| {
            for Kept {
                place, variable, ..
            } in kept
            {
                let value = e.load(*variable);
                e.store(value, *place);
            }
        });
    }
}

impl Kept {
    /// The accesses of the loop, which are where they stay now, go to the variable.
    pub(super) fn take(&self, ctx: &Context) {
        for (op, operand) in &self.accesses {
            Operation::replace_operand(*op, ctx, *operand, self.variable);
        }
    }
}

fn accesses(ctx: &Context, work: &Work, address: Value) -> Vec<(Ptr<Operation>, usize)> {
    let inside = nested_ops(ctx, work.staged.lp.get_operation()).into_iter();
    let there = inside.filter_map(|op| {
        let load = Operation::get_op::<Load>(op, ctx).map(|l| (l.get_operand_address(ctx), 0));
        let store = Operation::get_op::<Store>(op, ctx).map(|s| (s.get_operand_address(ctx), 1));
        let (accessed, operand) = load.or(store)?;
        (accessed == address).then_some((op, operand))
    });
    there.collect()
}

fn only_if(e: &mut Emitter, wanted: Value, body: impl FnOnce(&mut Emitter)) {
    let (branch, yes, no) = If::new(e.ctx, wanted, vec![]);
    e.push(branch);
    e.at_end(no);
    e.finish(vec![]);
    e.at_end(yes);
    body(e);
    e.finish(vec![]);
    e.go_after(branch.get_operation());
}
