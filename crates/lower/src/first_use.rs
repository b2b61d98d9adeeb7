//! What happens first to a variable behind some point of a function: does a path read it before it assigns it?
//!
//! ```text
//! t = x[i];                          Assigns
//! if (c) t = 1;  y = t;              Reads: the path round the assignment
//! if (c) t = 1; else t = 2;          Assigns
//! while (…) t = 1;                   Nothing: the loop may not run
//! ```
//!
//! The IR is structured, so that a walk over operations and regions sees all paths. Where it cannot tell, the answer is the
//! one that promises less. Cost: the size of the code behind the point.

use accrue_dialects::{
    acc::Reduction,
    core::{self, Break, Continue, If, Load, Return, Store},
};
use accrue_ir::walk;
use pliron::{
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};

/// What happens to a variable first on the paths through a piece of code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Some path reads it.
    Reads,
    /// Every path that gets to the end assigns it.
    Assigns,
    /// Some path does neither.
    Nothing,
}

/// The paths through a function, as one variable sees them.
pub struct Path<'a> {
    pub ctx: &'a Context,
    /// The address: the result of an `alloca`.
    pub variable: Value,
}

impl Path<'_> {
    /// Whether the variable is only loaded and stored to, or reduced by other loops than `lp` and those around it. (Such a
    /// reduction uses what iterations leave behind.)
    pub fn is_plain(&self, lp: Ptr<Operation>) -> bool {
        let ctx = self.ctx;
        self.variable.uses(ctx).iter().all(|used| {
            let op = used.user_op();
            if let Some(store) = Operation::get_op::<Store>(op, ctx) {
                return !store.is_volatile(ctx) && store.get_operand_value(ctx) != self.variable;
            }
            Operation::get_op::<Load>(op, ctx).is_some_and(|load| !load.is_volatile(ctx))
                || Operation::is_op::<Reduction>(op, ctx) && !self.is_for(op, lp)
        })
    }

    /// Whether the reduction may be that of `lp` or of something around it.
    fn is_for(&self, reduction: Ptr<Operation>, lp: Ptr<Operation>) -> bool {
        let ctx = self.ctx;
        let clause = reduction.deref(ctx).get_result(0);
        let owners: Vec<_> = clause.uses(ctx).iter().map(|used| used.user_op()).collect();
        let around = |owner: &Ptr<Operation>| {
            let regions = walk::regions_of(ctx, *owner);
            *owner == lp || regions.iter().any(|r| walk::is_inside(ctx, lp, *r))
        };
        owners.is_empty() || owners.iter().any(around)
    }

    /// What happens first on the paths from the start of the region.
    pub fn in_region(&self, region: Ptr<Region>) -> Effect {
        let ops = walk::ops_of_region(self.ctx, region);
        self.in_sequence(&ops)
    }

    fn in_sequence(&self, ops: &[Ptr<Operation>]) -> Effect {
        for op in ops {
            match self.of(*op) {
                Effect::Nothing => {}
                found => return found,
            }
        }
        Effect::Nothing
    }

    fn of(&self, op: Ptr<Operation>) -> Effect {
        let ctx = self.ctx;
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            return match store.get_operand_address(ctx) == self.variable {
                true => Effect::Assigns,
                false => Effect::Nothing,
            };
        }
        if walk::operands_of(ctx, op).contains(&self.variable) {
            return Effect::Reads;
        }
        if Operation::is_op::<Break>(op, ctx)
            || Operation::is_op::<Continue>(op, ctx)
            || Operation::is_op::<Return>(op, ctx)
        {
            // What follows in the text is not on this path.
            return Effect::Assigns;
        }
        let regions = walk::regions_of(ctx, op);
        if Operation::is_op::<If>(op, ctx) {
            let arms: Vec<_> = regions.iter().map(|r| self.in_region(*r)).collect();
            return match arms.as_slice() {
                arms if arms.contains(&Effect::Reads) => Effect::Reads,
                arms if arms.contains(&Effect::Nothing) => Effect::Nothing,
                _ => Effect::Assigns,
            };
        }
        if let Some(lp) = Operation::get_op::<core::Loop>(op, ctx) {
            return self.of_loop(lp, &regions);
        }
        // Loops that may not run, and the cases of a switch.
        match regions.iter().any(|r| self.in_region(*r) == Effect::Reads) {
            true => Effect::Reads,
            false => Effect::Nothing,
        }
    }

    /// A C loop: the condition comes first, or last; `continue` leads to the step, `break` behind the loop.
    fn of_loop(&self, lp: core::Loop, regions: &[Ptr<Region>]) -> Effect {
        let [cond, body, step] = regions else {
            return Effect::Reads;
        };
        let first = match lp.tests_last(self.ctx) {
            true if self.assigns_at_once(*body) => Effect::Assigns,
            true => Effect::Nothing,
            false => self.in_region(*cond),
        };
        if first != Effect::Nothing {
            return first;
        }
        let in_body = self.in_region(*body);
        let goes_on = in_body != Effect::Assigns || self.jumps(lp.get_operation());
        let reads = in_body == Effect::Reads
            || goes_on
                && [step, cond]
                    .map(|r| self.in_region(*r))
                    .contains(&Effect::Reads);
        match reads {
            true => Effect::Reads,
            false => Effect::Nothing,
        }
    }

    /// Whether the region assigns the variable before anything else could happen to it, jumps included.
    fn assigns_at_once(&self, region: Ptr<Region>) -> bool {
        let ops = walk::ops_of_region(self.ctx, region);
        let uneventful =
            |op: &&Ptr<Operation>| self.of(**op) == Effect::Nothing && !self.jumps(**op);
        let first = ops.iter().find(|op| !uneventful(op));
        first.is_some_and(|op| {
            Operation::is_op::<Store>(*op, self.ctx) && self.of(*op) == Effect::Assigns
        })
    }

    fn jumps(&self, op: Ptr<Operation>) -> bool {
        walk::nested_ops(self.ctx, op).into_iter().any(|inner| {
            Operation::is_op::<Break>(inner, self.ctx)
                || Operation::is_op::<Continue>(inner, self.ctx)
        })
    }

    /// Whether a path from the end of `op` leads to a use.
    pub fn is_used_behind(&self, op: Ptr<Operation>) -> bool {
        let ctx = self.ctx;
        let Some(around) = op.deref(ctx).get_parent_op(ctx) else {
            return false;
        };
        let function = Operation::is_op::<FuncOp>(around, ctx);
        let region = op.deref(ctx).get_parent_region(ctx);
        let ops = region.map_or_else(Vec::new, |r| walk::ops_of_region(ctx, r));
        let behind = ops.iter().position(|o| *o == op).map_or(0, |at| at + 1);
        let found = self.in_sequence(&ops[behind..]);
        if found == Effect::Reads {
            return true;
        }
        // A jump may go round an assignment.
        if function || (found == Effect::Assigns && !self.jumps(around)) {
            return false;
        }
        // A loop runs again, and a case of a switch goes on in the next one.
        let regions = walk::regions_of(ctx, around);
        let again = !Operation::is_op::<If>(around, ctx);
        (again && regions.iter().any(|r| self.in_region(*r) == Effect::Reads))
            || self.is_used_behind(around)
    }
}
