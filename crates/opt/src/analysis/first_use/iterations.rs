//! Whether each iteration of a loop may have a variable of its own.
//!
//! ```text
//! loop { t = x[i]; y[i] = t; }                   it may: an iteration uses no value but its own
//! loop { t = x[i]; y[i] = t; }  z = t;           something behind the loop wants the last value
//! loop { t = x[i]; f(&t); }                      only if `f` is known to keep no address
//! ```
//! Two things are asked: what happens first in an iteration ([`Path::in_region`]), and whether anything keeps the variable's address.

use super::{DEPTH, Effect, Path};
use crate::analysis::variables::Root;
use accrue_dialects::{
    View,
    address_use::UseKind,
    core::{Call, Member, Opaque, Store},
    flow::Flow,
    par::{self, CONSTRUCT, Reduce},
    source::{Role, is_implicit},
};
use accrue_ir::walk;
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};

impl Path<'_> {
    /// Whether each iteration of `lp` may have a variable of its own: it uses no value that it has not assigned, and no
    /// address of the variable is left.
    pub fn may_belong_to_iterations(&self, lp: Ptr<Operation>) -> bool {
        let body = lp.deref(self.ctx).get_region(0);
        self.is_plain_in(lp) && self.in_region(body) != Effect::Reads
    }

    /// Why the value that iterations leave behind may be wanted: what gives the address away, or the first use behind the loop.
    pub fn wanted_behind(&self, lp: Ptr<Operation>) -> Option<Ptr<Operation>> {
        self.given_away(lp)
            .or_else(|| self.use_behind(lp))
            .or_else(|| self.kept(lp))
            .or_else(|| self.reached_by_jump(lp))
    }

    /// A use outside of `lp`, where nobody knows what runs behind it: the host's code has jumps that were not understood.
    fn reached_by_jump(&self, lp: Ptr<Operation>) -> Option<Ptr<Operation>> {
        let ctx = self.ctx;
        let function = walk::enclosing::<FuncOp>(ctx, lp)?.get_operation();
        let opaque = walk::nested::<Opaque>(ctx, function);
        let jump = opaque.into_iter().find(|op| op.may_jump(ctx))?;
        match &self.root {
            Root::Global(_) => Some(jump.get_operation()),
            Root::Local(_) => {
                let mut users = self.users_outside(ctx, lp).into_iter();
                users.find(|op| self.reads_by(*op))
            }
        }
    }

    /// Whether the body of `lp` only loads the variable and stores to it, lets other loops reduce it (a reduction of `lp`, or
    /// of something around it, uses what iterations leave behind), and passes its address only to functions that do
    /// not keep it.
    fn is_plain_in(&self, lp: Ptr<Operation>) -> bool {
        let regions = walk::regions_of(self.ctx, lp);
        let mut uses = regions.into_iter().flat_map(|r| self.uses_in(r));
        uses.all(|op| self.is_plain(op, Some(lp)))
    }

    /// Something outside of `lp` that gives the variable's address away, so that anybody may use the variable.
    fn given_away(&self, lp: Ptr<Operation>) -> Option<Ptr<Operation>> {
        let ctx = self.ctx;
        let outside = self.users_outside(ctx, lp);
        outside.into_iter().find(|op| !self.is_plain(*op, Some(lp)))
    }

    /// A call on the host that passes the address to a function of which nothing is known: others may read behind `lp` what
    /// that has kept.
    fn kept(&self, lp: Ptr<Operation>) -> Option<Ptr<Operation>> {
        let outside = self.users_outside(self.ctx, lp);
        outside.into_iter().find(|op| self.may_be_kept(*op, lp))
    }

    /// The uses of a local variable outside of `lp`.
    fn users_outside(&self, ctx: &Context, lp: Ptr<Operation>) -> Vec<Ptr<Operation>> {
        let Root::Local(variable) = &self.root else {
            return vec![];
        };
        let regions = walk::regions_of(ctx, lp);
        let inside = |op: &Ptr<Operation>| regions.iter().any(|r| walk::is_inside(ctx, *op, *r));
        let mut users = self.users(*variable);
        users.retain(|op| !inside(op));
        users
    }

    /// The operations that use an address, or one of a member that is computed from it and concerns the object.
    fn users(&self, address: Value) -> Vec<Ptr<Operation>> {
        let ctx = self.ctx;
        let mut found = vec![];
        for used in address.uses(ctx) {
            let op = used.user_op();
            match Operation::get_op::<Member>(op, ctx) {
                None => found.push(op),
                Some(member) if self.concerns(member.get_result(ctx)) => {
                    found.extend(self.users(member.get_result(ctx)));
                }
                Some(_) => {}
            }
        }
        found
    }

    fn may_be_kept(&self, op: Ptr<Operation>, lp: Ptr<Operation>) -> bool {
        let ctx = self.ctx;
        let on_device = |op: Ptr<Operation>| {
            let mut at = Some(op);
            while let Some(here) = at {
                if matches!(View::role(ctx, here), Some(Role::Construct { .. })) {
                    return true;
                }
                at = here.deref(ctx).get_parent_op(ctx);
            }
            false
        };
        let Some(call) = Operation::get_op::<Call>(op, ctx) else {
            return false;
        };
        let unknown = |callee: &String| {
            !self.functions.contains_key(callee)
                && !self.functions.externs.traits(callee).keeps_no_address
        };
        unknown(&call.callee(ctx)) && on_device(lp) && !on_device(op)
    }

    fn is_plain(&self, op: Ptr<Operation>, lp: Option<Ptr<Operation>>) -> bool {
        if lp.is_some_and(|lp| self.reduces_another(op, lp)) {
            return true;
        }
        let mut uses = self.uses_of(op).into_iter();
        uses.all(|(_, use_)| match use_ {
            UseKind::Read { volatile } | UseKind::Write { volatile } => !volatile,
            UseKind::Derive => Operation::is_op::<Member>(op, self.ctx),
            UseKind::Pass => self.passes_to_plain(op),
            UseKind::Clause => is_implicit(self.ctx, op),
            UseKind::Keep => self.goes_to_holder(op),
            UseKind::Update { .. } | UseKind::Look => false,
        })
    }

    /// Whether the called function does nothing else with the address either.
    fn passes_to_plain(&self, op: Ptr<Operation>) -> bool {
        let call = Operation::get_op::<Call>(op, self.ctx);
        let parameters = call.and_then(|call| self.parameters(call));
        parameters.is_none_or(|all| all.into_iter().all(|path| path.stays()))
    }

    /// Whether `op` stores the address into a pointer that holds nothing else.
    fn goes_to_holder(&self, op: Ptr<Operation>) -> bool {
        let store = Operation::get_op::<Store>(op, self.ctx);
        store.is_some_and(|store| self.is_holder(store.get_operand_address(self.ctx)))
    }

    /// Whether a function does not keep the address that it gets.
    fn stays(&self) -> bool {
        let region = self.root_region();
        let deep = self.depth > DEPTH;
        !deep
            && region.is_some_and(|r| {
                self.uses_in(r)
                    .into_iter()
                    .all(|op| self.is_plain(op, None))
            })
    }

    /// Whether `op` is a reduction, and surely not one of `lp` or of something around it.
    fn reduces_another(&self, op: Ptr<Operation>, lp: Ptr<Operation>) -> bool {
        let ctx = self.ctx;
        if let Some(reduce) = Operation::get_op::<Reduce>(op, ctx) {
            let reduced = reduce.reduced(ctx);
            let mut around = Operation::get_op::<par::Loop>(lp, ctx);
            while let Some(lp) = around.filter(|lp| lp.id(ctx).0 != reduced.loop_id) {
                around = walk::enclosing::<par::Loop>(ctx, lp.get_operation());
            }
            return reduced.loop_id != CONSTRUCT && around.is_none();
        }
        if View::role(ctx, op) != Some(Role::Reduction) {
            return false;
        }
        let clause = op.deref(ctx).get_result(0);
        let owners: Vec<_> = clause.uses(ctx).iter().map(|used| used.user_op()).collect();
        let around = |owner: &Ptr<Operation>| {
            let regions = walk::regions_of(ctx, *owner);
            *owner == lp || regions.iter().any(|r| walk::is_inside(ctx, lp, *r))
        };
        !owners.is_empty() && !owners.iter().any(around)
    }

    /// A use that a path from the end of `op` leads to.
    fn use_behind(&self, op: Ptr<Operation>) -> Option<Ptr<Operation>> {
        let ctx = self.ctx;
        let around = op.deref(ctx).get_parent_op(ctx)?;
        let function = Operation::is_op::<FuncOp>(around, ctx);
        let region = op.deref(ctx).get_parent_region(ctx);
        let ops = region.map_or_else(Vec::new, |r| walk::ops_of_region(ctx, r));
        let behind = ops.iter().position(|o| *o == op).map_or(0, |at| at + 1);
        let found = self.in_sequence(&ops[behind..]);
        if found == Effect::Reads {
            return self.first_use(&ops[behind..]);
        }
        // A jump may go round an assignment.
        if function || (found == Effect::Assigns && !self.jumps(around)) {
            return None;
        }
        // A loop runs again, and a case of a switch goes on in the next one.
        let regions = walk::regions_of(ctx, around);
        let again = match Flow::of(ctx, around) {
            Flow::If(_) => false,
            Flow::Loop(_) | Flow::For(_) | Flow::Shared | Flow::Switch(_) => true,
            Flow::Once | Flow::Next => true,
            Flow::Yield | Flow::Break | Flow::Continue | Flow::Return => false,
        };
        let mut reading = regions
            .into_iter()
            .filter(|r| again && self.in_region(*r) == Effect::Reads);
        match reading.next() {
            Some(region) => self.first_use(&walk::ops_of_region(ctx, region)),
            None => self.use_behind(around),
        }
    }
}
