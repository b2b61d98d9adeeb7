//! What is the same for all threads: the control flow in which they meet, and the variables that it depends on.
//!
//! ```text
//! for (int k = 1; k < n; k *= 2) { a[t] = …; barrier; }        the team has one `k`
//! while (fabs(e) > limit) { e = …; barrier; }                and one `e`: the function only computes
//! for (int k = t; k < n; k += 4) { a[k] = …; barrier; }        an error: `k` depends on the thread
//! for (int k = 2; k <= n; k *= 2) if (n % k == 0) most = k;    if `most` says how often threads meet, the team computes it
//! ```

use super::{Team, is_of_team, refuse};
use crate::structure::is_passive;
use accrue_dialects::{
    core::{Alloca, Break, Continue, For, If, Load, Loop, Store, Switch},
    omp::{Asked, Barrier, LoopNest, Parallel, Query},
};
use accrue_ir::walk;
use accrue_opt::analysis::variables::Root;
use accrue_opt::{State, analysis::variables::uses_of};
use pliron::{
    builtin::op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};

fn inner_ops(ctx: &Context, op: Ptr<Operation>) -> impl Iterator<Item = Ptr<Operation>> {
    walk::regions_of(ctx, op)
        .into_iter()
        .flat_map(|region| walk::ops_of_region(ctx, region))
}

impl Team<'_> {
    /// Whether an operation does nothing but compute a value.
    fn computes(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        is_passive(ctx, op) || self.pure.computes(ctx, op) || self.chooses(ctx, op)
    }

    /// Whether an operation does nothing but choose a value: `c ? a : b`, `a && b`.
    fn chooses(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        let is_if = Operation::is_op::<If>(op, ctx) && op.deref(ctx).get_num_results() > 0;
        is_if
            && inner_ops(ctx, op).all(|inner| {
                let end = Operation::is_op::<accrue_dialects::core::Yield>(inner, ctx);
                end || self.computes(ctx, inner)
            })
    }

    /// Whether threads meet in the operation: it is the team's, not a thread's.
    pub(super) fn meets(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        if Operation::is_op::<Barrier>(op, ctx) {
            return true;
        }
        if let Some(nest) = Operation::get_op::<LoopNest>(op, ctx) {
            return is_of_team(ctx, nest) && !nest.is_nowait(ctx);
        }
        !Operation::is_op::<Parallel>(op, ctx)
            && inner_ops(ctx, op).any(|inner| self.meets(ctx, inner))
    }

    /// Whether an operation in a loop or `switch` of the team leaves or continues it.
    pub(super) fn jumps(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        let is_loop = Operation::is_op::<Loop>(op, ctx)
            || Operation::is_op::<LoopNest>(op, ctx)
            || Operation::is_op::<For>(op, ctx);
        if is_loop {
            return false;
        }
        // What leaves a `switch` stays in the loop around it.
        let leaves = |inner| match Operation::is_op::<Switch>(op, ctx) {
            true => self.continues(ctx, inner),
            false => self.jumps(ctx, inner),
        };
        let is_jump = Operation::is_op::<Break>(op, ctx) || Operation::is_op::<Continue>(op, ctx);
        is_jump || inner_ops(ctx, op).any(leaves)
    }

    /// Whether an operation in a `switch` continues the loop around that.
    fn continues(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        let branches = Operation::is_op::<If>(op, ctx) || Operation::is_op::<Switch>(op, ctx);
        Operation::is_op::<Continue>(op, ctx)
            || branches && inner_ops(ctx, op).any(|inner| self.continues(ctx, inner))
    }

    /// Whether an operation of the team's code is the team's: threads meet in it, or it leaves or continues a loop in which they meet.
    pub(super) fn turns(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        let branches = Operation::is_op::<If>(op, ctx) || Operation::is_op::<Switch>(op, ctx);
        self.meets(ctx, op) || branches && self.jumps(ctx, op) || self.adopted.contains(&op)
    }

    /// Whether all threads compute the same value here, if `common` are the variables that they have alike.
    pub(super) fn is_common(&self, ctx: &Context, value: Value, wanted: &mut Vec<Value>) -> bool {
        let Some(op) = value.defining_op() else {
            // The counter of a loop that is not the team's is a thread's.
            return value.get_parent_block(ctx).is_none_or(|block| {
                block.deref(ctx).get_parent_op(ctx).is_none_or(|around| {
                    !walk::is_inside(ctx, around, self.parallel.get_region(ctx))
                })
            });
        };
        if !walk::is_inside(ctx, op, self.parallel.get_region(ctx)) {
            return true;
        }
        if let Some(query) = Operation::get_op::<Query>(op, ctx) {
            return query.asked(ctx) != Asked::ThreadNum;
        }
        if Operation::is_op::<Alloca>(op, ctx) {
            wanted.push(value);
            return true;
        }
        if let Some(choice) = Operation::get_op::<If>(op, ctx) {
            wanted.push(value);
            return self.chooses(ctx, op)
                && self.is_common(ctx, choice.get_operand_cond(ctx), wanted)
                && [0, 1].into_iter().all(|side| {
                    let ops = walk::ops_of_block(ctx, choice.get_body(ctx, side));
                    let given = ops.last().map(|end| walk::operands_of(ctx, *end));
                    let mut given = given.unwrap_or_default().into_iter();
                    given.all(|value| self.is_common(ctx, value, wanted))
                });
        }
        self.computes(ctx, op)
            && walk::operands_of(ctx, op)
                .into_iter()
                .all(|operand| self.is_common(ctx, operand, wanted))
    }

    /// Finds the variables that control what has barriers inside.
    pub(super) fn find_common(&mut self, ctx: &mut Context, state: &mut State) {
        let controls: Vec<Ptr<Operation>> = walk::nested_ops(ctx, self.parallel.get_operation())
            .into_iter()
            .filter(|op| !walk::regions_of(ctx, *op).is_empty())
            .filter(|op| !Operation::is_op::<LoopNest>(*op, ctx))
            .filter(|op| self.turns(ctx, *op) && self.is_team_code(ctx, *op))
            .collect();
        let mut wanted = vec![];
        for control in &controls {
            self.is_common_control(ctx, *control, &mut wanted);
        }
        for variable in wanted {
            self.split_variable(ctx, variable);
        }
        let ctx = &*ctx;
        let mut wanted = vec![];
        for control in controls {
            let fine = self.is_common_control(ctx, control, &mut wanted);
            if !fine {
                return refuse(ctx, control, state);
            }
        }
        // A nest between two phases evaluates its bounds once, if it can.
        while let Some(variable) = wanted.pop() {
            if self.common.contains(&variable) {
                continue;
            }
            self.common.push(variable);
            let choice = variable.defining_op();
            if let Some(choice) = choice.filter(|op| Operation::is_op::<If>(*op, ctx)) {
                self.adopted.push(choice);
                continue;
            }
            let region = self.parallel.get_region(ctx);
            for u in uses_of(ctx, region, &Root::Local(variable)) {
                let fine = match Operation::get_op::<Store>(u.op, ctx) {
                    Some(store) => {
                        store.get_operand_address(ctx) == variable
                            && (self.is_team_code(ctx, u.op) || self.adopt(ctx, u.op, &mut wanted))
                            && self.is_common(ctx, store.get_operand_value(ctx), &mut wanted)
                    }
                    None => Operation::is_op::<Load>(u.op, ctx),
                };
                if !fine {
                    return refuse(ctx, u.op, state);
                }
            }
        }
    }

    /// Whether all threads take the same way in a loop or condition; `wanted` gets the variables that it depends on.
    fn is_common_control(
        &self,
        ctx: &Context,
        control: Ptr<Operation>,
        wanted: &mut Vec<Value>,
    ) -> bool {
        if let Some(op) = Operation::get_op::<Switch>(control, ctx) {
            return self.is_common(ctx, op.get_operand_value(ctx), wanted);
        }
        match Operation::get_op::<Loop>(control, ctx) {
            Some(lp) => [0, 2].into_iter().all(|region| {
                let block = lp.get_body(ctx, region);
                walk::ops_of_block(ctx, block).into_iter().all(|op| {
                    let store = Operation::get_op::<Store>(op, ctx);
                    let known = store.is_some_and(|store| {
                        let to = store.get_operand_address(ctx);
                        wanted.push(to);
                        to.defining_op()
                            .is_some_and(|op| Operation::is_op::<Alloca>(op, ctx))
                    });
                    let end = Operation::is_op::<accrue_dialects::core::Yield>(op, ctx);
                    (known || end || self.computes(ctx, op))
                        && walk::operands_of(ctx, op)
                            .into_iter()
                            .all(|value| self.is_common(ctx, value, wanted))
                })
            }),
            None => Operation::get_op::<If>(control, ctx)
                .is_some_and(|op| self.is_common(ctx, op.get_operand_cond(ctx), wanted)),
        }
    }

    /// Lets the team run the control flow around a store, if all threads take the same way in it.
    fn adopt(&mut self, ctx: &Context, store: Ptr<Operation>, wanted: &mut Vec<Value>) -> bool {
        let (mut around, mut at) = (vec![], store);
        while !self.is_team_code(ctx, at) {
            let Some(outer) = at.deref(ctx).get_parent_op(ctx) else {
                return false;
            };
            let leaves = match Operation::is_op::<Switch>(outer, ctx) {
                // The end of a case is no choice.
                true => inner_ops(ctx, outer)
                    .any(|op| !Operation::is_op::<Break>(op, ctx) && self.jumps(ctx, op)),
                false => {
                    Operation::is_op::<Loop>(outer, ctx)
                        && inner_ops(ctx, outer).any(|op| self.jumps(ctx, op))
                }
            };
            if leaves || !self.is_common_control(ctx, outer, wanted) {
                return false;
            }
            around.push(outer);
            at = outer;
        }
        self.adopted.extend(around);
        true
    }

    /// Whether the operation stands directly in the region, or in control flow that has barriers inside.
    pub(super) fn is_team_code(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        let mut around = op.deref(ctx).get_parent_op(ctx);
        while let Some(outer) = around {
            if outer == self.parallel.get_operation() {
                return true;
            }
            if Operation::is_op::<LoopNest>(outer, ctx) || !self.turns(ctx, outer) {
                return false;
            }
            around = outer.deref(ctx).get_parent_op(ctx);
        }
        false
    }
}
