//! Variables of the threads: where they are, and which are reduced.

use super::Team;
use crate::structure::report;
use accrue_dialects::{
    View,
    acc::{ClauseOp, DataOp, Group, Private, as_data_info},
    core::{Alloca, ArrayType, CoreOp, Decay, Load, PtrAdd, emit::Emitter},
    omp::LoopNest,
};
use accrue_ir::walk;
use accrue_opt::analysis::variables::Root;
use accrue_opt::{
    State,
    analysis::variables::{root_of, uses_of},
};
use pliron::{
    builtin::op_interfaces::{OneRegionInterface, OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

impl Team<'_> {
    /// Keeps values that a phase computes for a later one in variables. The number of its thread each phase knows by itself.
    pub(super) fn carry_values(&self, ctx: &mut Context) {
        for phase in &self.phases {
            let region = phase.get_region(ctx);
            let block = phase.get_body(ctx, 0);
            let thread = block.deref(ctx).get_argument(0);
            for using in thread.uses(ctx) {
                let (user, index) = (using.user_op(), using.find_index(ctx));
                if let Some(other) = self.phase_of(ctx, user) {
                    let thread = other.get_body(ctx, 0).deref(ctx).get_argument(0);
                    Operation::replace_operand(user, ctx, index, thread);
                }
            }
            for op in walk::ops_of_block(ctx, block) {
                if Operation::is_op::<Alloca>(op, ctx) || as_data_info(ctx, op).is_some() {
                    continue;
                }
                let results: Vec<Value> = op.deref(ctx).results().collect();
                for value in results {
                    let users: Vec<_> = value
                        .uses(ctx)
                        .into_iter()
                        .map(|using| using.user_op())
                        .filter(|user| !walk::is_inside(ctx, *user, region))
                        .collect();
                    if users.is_empty() {
                        continue;
                    }
                    let ty = value.get_type(ctx);
                    let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockStart(block), op);
                    let kept = e.alloca(ty, None);
                    Emitter::after(ctx, op).store(value, kept);
                    for user in users {
                        let mut operands = walk::operands_of(ctx, user).into_iter();
                        let Some(index) = operands.position(|it| it == value) else {
                            continue;
                        };
                        let again = Emitter::before(ctx, user).load(kept);
                        Operation::replace_operand(user, ctx, index, again);
                    }
                }
            }
        }
    }

    /// A thread's own variable that a loop inside makes private (`for private(z)`) is another one there, which no barrier parts.
    pub(super) fn rename_private(&self, ctx: &mut Context) {
        let region = self.parallel.get_region(ctx);
        for clause in walk::nested::<Private>(ctx, self.parallel.get_operation()) {
            let Some(variable) = clause.var(ctx) else {
                continue;
            };
            let alloca = variable.defining_op();
            let Some(alloca) = alloca.and_then(|op| Operation::get_op::<Alloca>(op, ctx)) else {
                continue;
            };
            let own = walk::is_inside(ctx, alloca.get_operation(), region);
            if !own || alloca.count(ctx).is_some() {
                continue;
            }
            let ty = alloca.var_type(ctx);
            let op = clause.get_operation();
            let other = Emitter::before(ctx, op).alloca(ty, None);
            let constructs = clause.get_result(ctx).uses(ctx).into_iter();
            for construct in constructs.map(|using| using.user_op()) {
                for inside in walk::regions_of(ctx, construct) {
                    for u in uses_of(ctx, inside, &Root::Local(variable)) {
                        Operation::replace_operand(u.op, ctx, u.index, other);
                    }
                }
            }
            let operands = walk::operands_of(ctx, op);
            if let Some(index) = operands.into_iter().position(|it| it == variable) {
                Operation::replace_operand(op, ctx, index, other);
            }
        }
    }

    /// Gives variables that several phases use as many objects as there are threads.
    pub(super) fn spread_variables(&self, ctx: &mut Context, state: &mut State) {
        let region = self.parallel.get_region(ctx);
        for alloca in walk::nested::<Alloca>(ctx, self.parallel.get_operation()) {
            let op = alloca.get_operation();
            let variable = alloca.get_result(ctx);
            if self.common.contains(&variable) {
                continue;
            }
            let uses = uses_of(ctx, region, &Root::Local(variable));
            let phases: Vec<_> = uses.iter().map(|u| self.phase_of(ctx, u.op)).collect();
            let home = self.phase_of(ctx, op);
            let Some(first) = phases.first().copied() else {
                continue;
            };
            // A pointer to it may be used in another phase.
            let in_phase =
                op.deref(ctx).get_parent_op(ctx) == home.map(|phase| phase.get_operation());
            let kept = in_phase && self.phases.len() > 1 && escapes(ctx, variable);
            if !kept && phases.iter().all(|phase| *phase == first) {
                if home != first
                    && let Some(first) = first
                {
                    let block = first.get_body(ctx, 0);
                    op.unlink(ctx);
                    op.insert_at_front(block, ctx);
                }
                continue;
            }
            // Outside of the loops over the threads is what they agree on, such as the bounds of a loop: the first one's will do.
            let agreed = uses
                .iter()
                .zip(&phases)
                .all(|(u, phase)| phase.is_some() || Operation::is_op::<Load>(u.op, ctx));
            if alloca.count(ctx).is_some() || !agreed {
                let message = "a variable of a `parallel` region is used in a way that is not supported yet, across a barrier";
                report(
                    ctx,
                    state,
                    op,
                    message,
                    "10.1",
                    "declare it outside of the region, with an element for each thread",
                );
                continue;
            }
            let ty = alloca.var_type(ctx);
            let mut e = Emitter::before(ctx, self.parallel.get_operation());
            let length = u64::try_from(self.most).unwrap_or_default();
            let array = ArrayType::get(e.ctx, length, ty);
            let objects = e.alloca(array.into(), None);
            let Some(decayed) = Decay::new(e.ctx, objects) else {
                continue;
            };
            let base = e.value(decayed);
            let mut made: Vec<(LoopNest, Value)> = vec![];
            for (u, phase) in uses.iter().zip(phases) {
                let Some(phase) = phase else {
                    Operation::replace_operand(u.op, ctx, u.index, base);
                    continue;
                };
                let known = made
                    .iter()
                    .find(|(of, _)| *of == phase)
                    .map(|(_, own)| *own);
                let own = known.unwrap_or_else(|| {
                    let block = phase.get_body(ctx, 0);
                    let thread = block.deref(ctx).get_argument(0);
                    let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockStart(block), op);
                    let own = e.make(|c| PtrAdd::new(c, base, thread));
                    made.push((phase, own));
                    own
                });
                Operation::replace_operand(u.op, ctx, u.index, own);
            }
            Operation::erase(op, ctx);
        }
    }

    /// The loop over the threads that an operation is in.
    pub(super) fn phase_of(&self, ctx: &Context, op: Ptr<Operation>) -> Option<LoopNest> {
        let mut phases = self.phases.iter().copied();
        phases.find(|phase| walk::is_inside(ctx, op, phase.get_region(ctx)))
    }

    /// A variable that the region reduces is reduced where it is used: in one phase or loop.
    pub(super) fn check_reductions(&self, ctx: &Context, state: &mut State) {
        for clause in self.parallel.clause(ctx, Group::Reduction) {
            let Some(op) = clause.defining_op() else {
                continue;
            };
            let root = walk::operands_of(ctx, op)
                .first()
                .and_then(|var| root_of(ctx, *var));
            let nests = walk::nested::<LoopNest>(ctx, self.parallel.get_operation());
            let used = nests.into_iter().filter(|nest| {
                let around = walk::enclosing::<LoopNest>(ctx, nest.get_operation());
                let outermost = around.is_none_or(|around| {
                    !walk::is_inside(ctx, around.get_operation(), self.parallel.get_region(ctx))
                });
                let region = nest.get_region(ctx);
                outermost
                    && root
                        .as_ref()
                        .is_some_and(|root| !uses_of(ctx, region, root).is_empty())
            });
            if used.count() > 1 {
                let message = "a reduction of a `parallel` region whose variable is used on both sides of a barrier is not supported yet";
                report(
                    ctx,
                    state,
                    op,
                    message,
                    "5.5.8",
                    "add up in a variable of the thread, and reduce that at the end",
                );
            }
        }
    }
}

/// Whether an address is more than accessed: something may keep it.
fn escapes(ctx: &Context, address: Value) -> bool {
    address.uses(ctx).into_iter().any(|using| {
        let op = using.user_op();
        match View::of(ctx, op) {
            View::Core(CoreOp::Store(store)) => store.get_operand_value(ctx) == address,
            View::Core(CoreOp::PtrAdd(_) | CoreOp::Decay(_) | CoreOp::Member(_)) => {
                escapes(ctx, op.deref(ctx).get_result(0))
            }
            View::Core(
                CoreOp::Load(_)
                | CoreOp::Copy(_)
                | CoreOp::Zero(_)
                | CoreOp::Cmp(_)
                | CoreOp::PtrDiff(_)
                | CoreOp::LoadBits(_)
                | CoreOp::StoreBits(_)
                | CoreOp::Extent(_)
                | CoreOp::AtomicLoad(_)
                | CoreOp::AtomicUpdate(_),
            ) => false,
            // The clause makes others of the kind.
            View::Source(_) if Operation::is_op::<Private>(op, ctx) => false,
            View::Core(_) | View::Source(_) | View::Par(_) | View::Simt(_) | View::Other => true,
        }
    })
}
