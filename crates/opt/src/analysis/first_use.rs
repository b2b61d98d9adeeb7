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
//! A path may also be about a member of a struct, which a copy to the struct assigns and a copy from it reads:
//!
//! ```text
//! s.t = x[i];  y = s.t;              Assigns
//! s = p[i];    y = s.t;              Assigns
//! s.k = i;     p[i] = s;             Reads: the copy is one of `s.t`, too
//! ```
//!
//! The IR is structured, so that a walk over operations and regions sees all paths. Where it cannot tell, the answer is the
//! one that promises less. Cost: the size of the code behind the point.

mod iterations;

use accrue_dialects::{
    address_use::{UseKind, use_of},
    core::{self, Call, Load, Member, Return, Store},
    flow::{Flow, loop_around},
    source::is_implicit,
};
use accrue_ir::walk;
use pliron::{
    builtin::op_interfaces::OneRegionInterface,
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

/// The paths through a function, as one variable or member sees them.
pub struct Path<'a> {
    ctx: &'a Context,
    functions: &'a Functions,
    /// The variable; a pointer parameter stands for what it points to.
    root: Root,
    /// The fields that lead from the variable to the member that this is about; none: the variable itself.
    fields: Vec<u32>,
    /// Local pointers that hold nothing but one address in the variable, as the parameters of inlined functions do, with the
    /// fields that lead there.
    holders: Vec<(Value, Vec<u32>)>,
    depth: u32,
}

/// What an address is to the object that a path is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// Its address.
    Same,
    /// That of a struct around it.
    Around,
    /// Nothing, or a member beside it.
    Other,
}

impl<'a> Path<'a> {
    /// The paths of a variable that `region` uses.
    pub fn new(
        ctx: &'a Context,
        functions: &'a Functions,
        root: Root,
        region: Ptr<Region>,
    ) -> Self {
        Path::of_member(ctx, functions, root, vec![], region)
    }

    /// The paths of a member of a variable that `region` uses.
    pub fn of_member(
        ctx: &'a Context,
        functions: &'a Functions,
        root: Root,
        fields: Vec<u32>,
        region: Ptr<Region>,
    ) -> Self {
        let path = Path {
            ctx,
            functions,
            root,
            fields,
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
                let held = store.get_operand_value(self.ctx);
                let new = self.concerns(held)
                    && !self.is_holder(holder)
                    && defined_inside(self.ctx, holder, region)
                    && holds_only(self.ctx, holder, op);
                Some((holder, self.position(held).filter(|_| new)?))
            });
            match holders.next() {
                Some(holder) => self.holders.push(holder),
                None => return self,
            }
        }
    }

    fn is_holder(&self, address: Value) -> bool {
        self.holders.iter().any(|(holder, _)| *holder == address)
    }

    /// The operations in `region` with the address of the object, or of a struct around it, as an operand. One that computes
    /// a member's address from that is none.
    pub fn uses_in(&self, region: Ptr<Region>) -> Vec<Ptr<Operation>> {
        let uses = uses_in(self.ctx, region, |_, value| self.concerns(value));
        let ops = uses.into_iter().map(|u| u.op);
        ops.filter(|op| !Operation::is_op::<Member>(*op, self.ctx))
            .collect()
    }

    /// Whether `value` is the object's address.
    fn is(&self, value: Value) -> bool {
        self.relation(value) == Relation::Same
    }

    /// Whether `value` is the address of the object or of a struct around it.
    pub fn concerns(&self, value: Value) -> bool {
        self.relation(value) != Relation::Other
    }

    fn relation(&self, value: Value) -> Relation {
        match self.position(value) {
            Some(position) if position == self.fields => Relation::Same,
            Some(position) if self.fields.starts_with(&position) => Relation::Around,
            Some(_) | None => Relation::Other,
        }
    }

    /// The fields that lead from the variable to what `value` points to.
    fn position(&self, value: Value) -> Option<Vec<u32>> {
        let ctx = self.ctx;
        let own = match &self.root {
            Root::Local(variable) => value == *variable,
            Root::Global(_) => root_of(ctx, value).as_ref() == Some(&self.root),
        };
        if own {
            return Some(vec![]);
        }
        if self.holders.is_empty() && self.fields.is_empty() {
            return None;
        }
        let op = value.defining_op()?;
        if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            let mut position = self.position(member.get_operand_record(ctx))?;
            position.push(member.field(ctx));
            return Some(position);
        }
        let load = Operation::get_op::<Load>(op, ctx)?;
        let address = load.get_operand_address(ctx);
        let held = self.holders.iter().find(|(holder, _)| *holder == address);
        held.map(|(_, position)| position.clone())
    }

    /// Whether `op` itself uses the object other than to assign it.
    fn reads_by(&self, op: Ptr<Operation>) -> bool {
        let uses = self.uses_of(op);
        let mut effects = uses
            .iter()
            .map(|(value, use_)| self.of_use(op, *value, *use_));
        effects.any(|effect| effect == Effect::Reads)
    }

    /// The operands of `op` that are addresses of the object or of a struct around it, and what it does with them.
    fn uses_of(&self, op: Ptr<Operation>) -> Vec<(Value, UseKind)> {
        let operands = walk::operands_of(self.ctx, op).into_iter().enumerate();
        let concerned = operands.filter(|(_, value)| self.concerns(*value));
        concerned
            .map(|(index, value)| (value, use_of(self.ctx, op, index)))
            .collect()
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
        let given = operands.into_iter().zip(parameters);
        let given = given.filter_map(|(value, parameter)| {
            let position = self.position(value)?;
            Some((self.fields.strip_prefix(&position[..])?.to_vec(), parameter))
        });
        let path = |(fields, parameter): (Vec<u32>, Value)| {
            let path = Path {
                root: Root::Local(parameter),
                fields,
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
            .filter(|v| self.concerns(*v))
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
        if let Some(call) = Operation::get_op::<Call>(op, ctx) {
            return self.of_call(call);
        }
        let uses = self.uses_of(op);
        let effects: Vec<_> = uses
            .iter()
            .map(|(value, use_)| self.of_use(op, *value, *use_))
            .collect();
        if effects.contains(&Effect::Reads) {
            return Effect::Reads;
        }
        if effects.contains(&Effect::Assigns) {
            return Effect::Assigns;
        }
        if !effects.is_empty() {
            return Effect::Nothing;
        }
        let regions = walk::regions_of(ctx, op);
        match Flow::of(ctx, op) {
            // What follows in the text is not on this path.
            Flow::Break | Flow::Continue | Flow::Return => Effect::Assigns,
            Flow::If(_) => {
                let arms: Vec<_> = regions.iter().map(|r| self.in_region(*r)).collect();
                match arms.as_slice() {
                    arms if arms.contains(&Effect::Reads) => Effect::Reads,
                    arms if arms.contains(&Effect::Nothing) => Effect::Nothing,
                    _ => Effect::Assigns,
                }
            }
            Flow::Loop(lp) => self.of_loop(lp, &regions),
            // Loops that may not run, the cases of a switch, directives that may be left out.
            Flow::For(_)
            | Flow::Shared
            | Flow::Switch(_)
            | Flow::Once
            | Flow::Next
            | Flow::Yield => match regions.iter().any(|r| self.in_region(*r) == Effect::Reads) {
                true => Effect::Reads,
                false => Effect::Nothing,
            },
        }
    }

    fn of_use(&self, op: Ptr<Operation>, value: Value, use_: UseKind) -> Effect {
        let is_scalar_store = Operation::is_op::<Store>(op, self.ctx);
        match use_ {
            UseKind::Write { .. } if is_scalar_store && !self.is(value) => Effect::Nothing,
            UseKind::Write { .. } => Effect::Assigns,
            UseKind::Derive if Operation::is_op::<Member>(op, self.ctx) => Effect::Nothing,
            UseKind::Clause if is_implicit(self.ctx, op) => Effect::Nothing,
            UseKind::Keep if is_scalar_store => Effect::Nothing,
            UseKind::Read { .. }
            | UseKind::Update { .. }
            | UseKind::Derive
            | UseKind::Pass
            | UseKind::Clause
            | UseKind::Look
            | UseKind::Keep => Effect::Reads,
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
        let inside = walk::nested_ops(self.ctx, op).into_iter();
        let mut flows = inside.map(|inner| Flow::of(self.ctx, inner));
        flows.any(|flow| flow.is_jump() && flow != Flow::Return)
    }

    /// The first operation in the region that uses the variable other than to assign it.
    pub fn first_use_in(&self, region: Ptr<Region>) -> Option<Ptr<Operation>> {
        self.first_use(&walk::ops_of_region(self.ctx, region))
    }

    /// The first operation in the text that uses the variable other than to assign it.
    fn first_use(&self, ops: &[Ptr<Operation>]) -> Option<Ptr<Operation>> {
        let ctx = self.ctx;
        let all = ops.iter().flat_map(|op| {
            let inside = walk::nested_ops(ctx, *op);
            std::iter::once(*op).chain(inside)
        });
        let mut uses = all.filter(|op| self.reads_by(*op));
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
    let mut inside = walk::nested_ops(ctx, lp);
    inside.retain(|op| Flow::of(ctx, *op) == Flow::Continue && loop_around(ctx, *op) == Some(lp));
    inside
}
