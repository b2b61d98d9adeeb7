//! An index of a function's code: for one variable, the operations that matter to it, without a walk over all others.
//!
//! ```text
//! t = 1;  f();  if (c) return;  #pragma acc parallel …      →    for `t`: the store, the `if`, and of the constructs those
//!                                                               that use it
//! ```
//! A function with many regions has many variables; each is looked at in the time that its own uses and the function's jumps
//! and calls take.

use accrue_dialects::{
    core::{AddressOf, Call, Externs, Opaque},
    flow::Flow,
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
use std::collections::{HashMap, HashSet};

use accrue_opt::analysis::variables::Root;

/// The operations of a function.
pub struct HostCode {
    function: Ptr<Operation>,
    /// Places in the text.
    order: HashMap<Ptr<Operation>, usize>,
    /// `break`, `continue`, `return`.
    jumps: Vec<Ptr<Operation>>,
    /// What may write to variables that it does not mention.
    writers: HashSet<Ptr<Operation>>,
    /// The operations that use a global's address.
    globals: HashMap<String, Vec<Ptr<Operation>>>,
}

/// The operations of a function that matter to a variable, directly or by what is inside: by region, in order.
pub type Steps = HashMap<Ptr<Region>, Vec<Ptr<Operation>>>;

impl HostCode {
    pub fn new(ctx: &Context, function: FuncOp, externs: &Externs) -> Self {
        let function = function.get_operation();
        let ops = walk::nested_ops(ctx, function);
        let mut code = HostCode {
            function,
            order: ops.iter().enumerate().map(|(at, op)| (*op, at)).collect(),
            jumps: vec![],
            writers: HashSet::new(),
            globals: HashMap::new(),
        };
        for op in ops {
            if Flow::of(ctx, op).is_jump() {
                code.jumps.push(op);
            } else if may_write_elsewhere(ctx, op, externs) {
                code.writers.insert(op);
            } else if let Some(address) = Operation::get_op::<AddressOf>(op, ctx) {
                let users = users(ctx, op.deref(ctx).get_result(0));
                let all = code.globals.entry(address.symbol(ctx)).or_default();
                all.extend(users);
            }
        }
        code
    }

    /// Where `op` is in the text.
    pub fn place(&self, op: Ptr<Operation>) -> Option<usize> {
        self.order.get(&op).copied()
    }

    /// Whether `op` may write to variables that it does not mention.
    pub fn may_write_elsewhere(&self, op: Ptr<Operation>) -> bool {
        self.writers.contains(&op)
    }

    /// What matters to the variable. `known_elsewhere`: others may write to it, too.
    pub fn steps(&self, ctx: &Context, root: &Root, known_elsewhere: bool) -> Steps {
        let mut ops = match root {
            Root::Local(alloca) => users(ctx, *alloca),
            Root::Global(name) => self.globals.get(name).cloned().unwrap_or_default(),
        };
        ops.extend(&self.jumps);
        if known_elsewhere {
            ops.extend(&self.writers);
        }
        let mut seen = HashSet::new();
        let mut steps = Steps::new();
        for op in ops {
            let mut at = Some(op);
            while let Some(op) = at.filter(|op| *op != self.function && seen.insert(*op)) {
                if let Some(region) = op.deref(ctx).get_parent_region(ctx) {
                    steps.entry(region).or_default().push(op);
                }
                at = op.deref(ctx).get_parent_op(ctx);
            }
        }
        for ops in steps.values_mut() {
            ops.sort_by_key(|op| self.place(*op));
        }
        steps
    }
}

fn users(ctx: &Context, address: Value) -> Vec<Ptr<Operation>> {
    let uses = address.uses(ctx);
    uses.into_iter().map(|used| used.user_op()).collect()
}

fn may_write_elsewhere(ctx: &Context, op: Ptr<Operation>, externs: &Externs) -> bool {
    let writes = |call: Call| {
        let callee = externs.traits(&call.callee(ctx));
        !callee.pure && !callee.writes_arguments_only
    };
    Operation::is_op::<Opaque>(op, ctx) || Operation::get_op::<Call>(op, ctx).is_some_and(writes)
}
