//! What iterations store at one place while columns are loaded ahead: kept in a variable from the first iteration to the last.
//!
//! ```text
//! if (lane < 32 && apart) kept = y[j]
//! for (first = 0; first < m; first += 128)  …  if (apart) for i: kept += tile[i][lane]  else for i: y[j] += a[…]
//! if (lane < 32 && apart) y[j] = kept
//! ```
//! Otherwise every 128 iterations would wait for the memory that the ones before have written.

use super::{Work, chunks::Iterations};
use crate::{
    analysis::affine::motion,
    gpu::{accumulators::accesses_at, staging::columns::Ahead},
};
use accrue_dialects::core::{emit::Emitter, pointee};
use pliron::{
    context::{Context, Ptr},
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
                accesses: accesses_at(e.ctx, self.staged.lp, *address),
            });
        }
        if !kept.is_empty() {
            e.only_if(wanted, |e| {
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
        e.only_if(wanted, |e| {
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
