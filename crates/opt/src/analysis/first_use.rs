//! What happens first to a variable behind some point of a function: does a path read it before it assigns it?
//!
//! ```text
//! t = x[i];                          Assigns
//! if (c) t = 1;  y = t;              Reads: the path round the assignment
//! if (c) t = 1; else t = 2;          Assigns
//! while (…) t = 1;                   Nothing: the loop may not run
//! ```
//!
//! Calls are followed: a function that gets the variable's address may assign it first, too.
//!
//! The IR is structured, so that a walk over operations and regions sees all paths. Where it cannot tell, the answer is the
//! one that promises less. Cost: the size of the code behind the point.

use accrue_dialects::{
    View,
    core::{self, Break, Call, Continue, If, Load, Return, Store},
    par::{self, CONSTRUCT, Reduce},
    source::Role,
};
use accrue_ir::walk;
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};

use crate::{
    analysis::read_only::Functions,
    analysis::variables::{Root, defined_inside, root_of, uses_in},
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

/// How deep calls are followed.
const DEPTH: u32 = 4;

/// The paths through a function, as one variable sees them.
pub struct Path<'a> {
    ctx: &'a Context,
    functions: &'a Functions,
    /// The variable; a pointer parameter stands for what it points to.
    root: Root,
    /// Local pointers that hold nothing but the variable's address, as the parameters of inlined functions do.
    holders: Vec<Value>,
    depth: u32,
}

impl<'a> Path<'a> {
    /// The paths of a variable that `region` uses.
    pub fn new(
        ctx: &'a Context,
        functions: &'a Functions,
        root: Root,
        region: Ptr<Region>,
    ) -> Self {
        let path = Path {
            ctx,
            functions,
            root,
            holders: vec![],
            depth: 0,
        };
        path.with_holders(region)
    }

    fn with_holders(mut self, region: Ptr<Region>) -> Self {
        loop {
            let stores = self.uses_in(region);
            let mut holders = stores.into_iter().filter_map(|op| {
                let store = Operation::get_op::<Store>(op, self.ctx)?;
                let holder = store.get_operand_address(self.ctx);
                let new = self.is(store.get_operand_value(self.ctx))
                    && !self.holders.contains(&holder)
                    && defined_inside(self.ctx, holder, region)
                    && holds_only(self.ctx, holder, op);
                new.then_some(holder)
            });
            match holders.next() {
                Some(holder) => self.holders.push(holder),
                None => return self,
            }
        }
    }

    /// The operations in `region` with the variable's address as an operand.
    fn uses_in(&self, region: Ptr<Region>) -> Vec<Ptr<Operation>> {
        let uses = uses_in(self.ctx, region, |_, value| self.is(value));
        uses.into_iter().map(|u| u.op).collect()
    }

    /// Whether `value` is the variable's address.
    fn is(&self, value: Value) -> bool {
        let ctx = self.ctx;
        let own = match &self.root {
            Root::Local(variable) => value == *variable,
            Root::Global(_) => root_of(ctx, value).as_ref() == Some(&self.root),
        };
        own || !self.holders.is_empty()
            && value
                .defining_op()
                .and_then(|op| Operation::get_op::<Load>(op, ctx))
                .is_some_and(|load| self.holders.contains(&load.get_operand_address(ctx)))
    }

    /// Whether each iteration of `lp` may have a variable of its own: it uses no value that it has not assigned, and no
    /// address of the variable is left.
    pub fn may_belong_to_iterations(&self, lp: Ptr<Operation>) -> bool {
        let body = lp.deref(self.ctx).get_region(0);
        self.is_plain_in(lp) && self.in_region(body) != Effect::Reads
    }

    /// Why the value that iterations leave behind may be wanted: what gives the address away, or the first use behind the loop.
    pub fn wanted_behind(&self, lp: Ptr<Operation>) -> Option<Ptr<Operation>> {
        self.given_away(lp).or_else(|| self.use_behind(lp))
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
        let regions = walk::regions_of(ctx, lp);
        let Root::Local(variable) = &self.root else {
            return None;
        };
        let users = variable.uses(ctx).into_iter().map(|used| used.user_op());
        let inside = |op| regions.iter().any(|r| walk::is_inside(ctx, op, *r));
        let mut outside = users.filter(|op| !inside(*op));
        outside.find(|op| !self.is_plain(*op, Some(lp)))
    }

    fn is_plain(&self, op: Ptr<Operation>, lp: Option<Ptr<Operation>>) -> bool {
        let ctx = self.ctx;
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            let kept = self.is(store.get_operand_value(ctx))
                && !self.holders.contains(&store.get_operand_address(ctx));
            return !store.is_volatile(ctx) && !kept;
        }
        if let Some(call) = Operation::get_op::<Call>(op, ctx) {
            return self
                .parameters(call)
                .is_none_or(|parameters| parameters.into_iter().all(|path| path.stays()));
        }
        Operation::get_op::<Load>(op, ctx).is_some_and(|load| !load.is_volatile(ctx))
            || lp.is_some_and(|lp| self.reduces_another(op, lp))
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

    /// The body of the function whose parameter this is.
    fn root_region(&self) -> Option<Ptr<Region>> {
        match &self.root {
            Root::Local(parameter) => parameter.get_parent_region(self.ctx),
            Root::Global(_) => None,
        }
    }

    /// The parameters of the called function that get the variable's address. `None`: its body is not here. On a device it is then
    /// a function of the C library, and those keep no address of a number.
    fn parameters(&self, call: Call) -> Option<Vec<Path<'a>>> {
        let ctx = self.ctx;
        let callee = self.functions.get(&call.callee(ctx))?;
        let operands = walk::operands_of(ctx, call.get_operation());
        let entry = callee.get_entry_block(ctx);
        let parameters: Vec<_> = entry.deref(ctx).arguments().collect();
        let given = operands
            .into_iter()
            .zip(parameters)
            .filter(|(value, _)| self.is(*value));
        let path = |(_, parameter): (Value, Value)| {
            let path = Path {
                root: Root::Local(parameter),
                holders: vec![],
                depth: self.depth + 1,
                ..*self
            };
            path.with_holders(callee.get_region(ctx))
        };
        Some(given.map(path).collect())
    }

    /// What a call does first to a variable whose address it gets.
    fn of_call(&self, call: Call) -> Effect {
        let mentions = walk::operands_of(self.ctx, call.get_operation())
            .into_iter()
            .filter(|v| self.is(*v))
            .count();
        match (mentions, self.parameters(call).as_deref()) {
            (0, _) => Effect::Nothing,
            (1, Some([path])) if path.depth <= DEPTH => path.of_function(),
            (_, _) => Effect::Reads,
        }
    }

    /// What a function does first to what its parameter points to.
    fn of_function(&self) -> Effect {
        let Some(region) = self.root_region() else {
            return Effect::Reads;
        };
        let mut ops = walk::ops_of_region(self.ctx, region);
        if ops
            .last()
            .is_some_and(|op| Operation::is_op::<Return>(*op, self.ctx))
        {
            ops.pop();
        }
        match self.in_sequence(&ops) {
            // It may return before.
            Effect::Assigns if self.returns_inside(region) => Effect::Nothing,
            found => found,
        }
    }

    /// Whether there is a `return` elsewhere than at the end.
    fn returns_inside(&self, region: Ptr<Region>) -> bool {
        let ops = walk::ops_of_region(self.ctx, region);
        let mut nested = ops
            .into_iter()
            .flat_map(|op| walk::nested_ops(self.ctx, op));
        nested.any(|op| Operation::is_op::<Return>(op, self.ctx))
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
            return match self.is(store.get_operand_address(ctx)) {
                true => Effect::Assigns,
                false => Effect::Nothing,
            };
        }
        if let Some(call) = Operation::get_op::<Call>(op, ctx) {
            return self.of_call(call);
        }
        if walk::operands_of(ctx, op).into_iter().any(|v| self.is(v)) {
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
        let again = !Operation::is_op::<If>(around, ctx);
        let mut reading = regions
            .into_iter()
            .filter(|r| again && self.in_region(*r) == Effect::Reads);
        match reading.next() {
            Some(region) => self.first_use(&walk::ops_of_region(ctx, region)),
            None => self.use_behind(around),
        }
    }

    /// The first operation in the text that uses the variable other than to assign it.
    fn first_use(&self, ops: &[Ptr<Operation>]) -> Option<Ptr<Operation>> {
        let ctx = self.ctx;
        let all = ops.iter().flat_map(|op| {
            let inside = walk::nested_ops(ctx, *op);
            std::iter::once(*op).chain(inside)
        });
        let mut uses = all.filter(|op| {
            let operands = walk::operands_of(ctx, *op);
            !Operation::is_op::<Store>(*op, ctx) && operands.into_iter().any(|v| self.is(v))
        });
        uses.next()
    }
}

/// Whether `holder` is a local whose value is what `by` stores, and which is only loaded.
fn holds_only(ctx: &Context, holder: Value, by: Ptr<Operation>) -> bool {
    let local = matches!(root_of(ctx, holder), Some(Root::Local(_)));
    local
        && holder.uses(ctx).into_iter().all(|used| {
            let op = used.user_op();
            op == by
                || Operation::get_op::<Load>(op, ctx).is_some_and(|load| !load.is_volatile(ctx))
        })
}

/// The jumps that end an iteration of `lp`.
pub fn continues(ctx: &Context, lp: Ptr<Operation>) -> Vec<Ptr<Operation>> {
    let is_loop = |op: Ptr<Operation>| {
        Operation::is_op::<core::Loop>(op, ctx)
            || Operation::is_op::<core::For>(op, ctx)
            || View::role(ctx, op) == Some(Role::Loop)
            || Operation::is_op::<par::Loop>(op, ctx)
    };
    let loop_around = |op: Ptr<Operation>| {
        let mut at = op.deref(ctx).get_parent_op(ctx);
        while let Some(around) = at.filter(|around| !is_loop(*around)) {
            at = around.deref(ctx).get_parent_op(ctx);
        }
        at
    };
    let mut inside = walk::nested_ops(ctx, lp);
    inside.retain(|op| Operation::is_op::<Continue>(*op, ctx) && loop_around(*op) == Some(lp));
    inside
}
