//! Pass `early-loads`: what a thread loads behind a division or a mathematical function is loaded ahead of it.
//!
//! Such an operation is code with a branch, for the rare arguments that need more work. The assembler moves no load over a branch, so
//! that a thread waits for memory twice:
//!
//! ```text
//! t = load a[i]                        t = load a[i]
//! r = sqrt(t)              →           s = load b[i]          both are under way together
//! s = load b[i]                        r = sqrt(t)
//! ```
//!
//! In straight code, from each such operation on to the next that other memory than local variables may change by: a load whose
//! address needs nothing that is not known ahead goes there, with what its address needs. A few bytes only, since what waits is in
//! registers. The code and its loads are the same; nothing is loaded that was not.
//!
//! Cost: for each such operation, at most [`BEHIND`] operations behind it.

use accrue_dialects::core::{Alloca, AtomicLoad, Bin, If, Load, Yield, complex_part, int_width};
use accrue_dialects::core::{float_width, fold::constant};
use accrue_ir::{
    effects::is_pure,
    walk::{directly_in, nested_ops, operands_of},
};
use pliron::{
    builtin::{
        op_interfaces::OneResultInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashSet;

use crate::{
    State, Switch,
    analysis::plain_accesses::{Access, PlainAccesses},
    analysis::slice::may_write,
    analysis::straight::PureFunctions,
};

const NAME: &str = "early-loads";

/// Bytes that are loaded ahead of one operation: 8 registers.
const MOST_BYTES: u32 = 32;
/// How far behind an operation loads are looked for.
const BEHIND: usize = 256;

/// Moves loads in kernels and in the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.moves_loads || state.off.is_off(Switch::Loads) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in directly_in::<FuncOp>(ctx, module.get_operation()) {
        let mut code = Code {
            pure: &pure,
            accesses: PlainAccesses::default(),
        };
        let (mut first, mut all) = (None, 0);
        for slow in nested_ops(ctx, func.get_operation()) {
            if !code.is_slow(ctx, slow) {
                continue;
            }
            let (moved, loads) = code.ahead_of(ctx, slow);
            for op in moved {
                op.unlink(ctx);
                op.insert_before(ctx, slow);
            }
            if loads > 0 {
                first = first.or(Some(slow));
                all += loads;
            }
        }
        if let Some(first) = first {
            let message = match all {
                1 => "1 load comes before divisions and functions whose results it does not need"
                    .into(),
                _ => format!(
                    "{all} loads come before divisions and functions whose results they do not need"
                ),
            };
            state.remark(ctx, first, NAME, message);
        }
    }
}

/// What is known of a function's code.
struct Code<'a> {
    pure: &'a PureFunctions,
    accesses: PlainAccesses,
}

impl Code<'_> {
    /// Whether `op` is code with a branch, or has some in it.
    fn is_slow(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        let divides =
            |bin: Bin| bin.kind(ctx).divides() && constant(ctx, bin.get_operand_rhs(ctx)).is_none();
        let slow = |op| {
            Operation::get_op::<Bin>(op, ctx).is_some_and(divides) || self.pure.is_called(ctx, op)
        };
        slow(op) || Operation::is_op::<If>(op, ctx) && nested_ops(ctx, op).into_iter().any(slow)
    }

    /// What goes ahead of `slow`, in order, and how many loads are among it.
    fn ahead_of(&mut self, ctx: &Context, slow: Ptr<Operation>) -> (Vec<Ptr<Operation>>, usize) {
        let mut behind = Behind::default();
        let (mut loads, mut bytes) = (0, 0);
        let mut next = Some(slow);
        while let Some(op) = next {
            if behind.ops.len() == BEHIND || !self.note(ctx, op, &mut behind) {
                break;
            }
            let load = Operation::get_op::<Load>(op, ctx);
            if let Some(load) = load.filter(|_| behind.could.contains(&op))
                && self.accesses.of(ctx, op) == Access::ArrayLoad
                && let Some(size) = size(ctx, load.get_result(ctx))
                && bytes + size <= MOST_BYTES
            {
                behind.take(ctx, op);
                loads += 1;
                bytes += size;
            }
            next = op.deref(ctx).get_next();
        }
        let Behind { ops, taken, .. } = behind;
        (
            ops.into_iter().filter(|op| taken.contains(op)).collect(),
            loads,
        )
    }

    /// Adds the next operation behind a slow one, or the slow one itself; false if nothing may move over it.
    fn note(&mut self, ctx: &Context, op: Ptr<Operation>, behind: &mut Behind) -> bool {
        let inside = nested_ops(ctx, op);
        let regions = op.deref(ctx).num_regions() > 0;
        if regions && !Operation::is_op::<If>(op, ctx) {
            return false;
        }
        for op in inside.iter().chain([&op]) {
            match self.accesses.of(ctx, *op) {
                Access::Variable(variable) => {
                    if !Operation::is_op::<Load>(*op, ctx) {
                        behind.stored.insert(variable);
                    }
                }
                Access::ArrayLoad => {}
                Access::Other => {
                    let stays = Operation::is_op::<If>(*op, ctx)
                        || Operation::is_op::<Yield>(*op, ctx) && inside.contains(op)
                        || Operation::is_op::<Alloca>(*op, ctx)
                        || self.pure.is_called(ctx, *op)
                        // What is loaded behind an atomic load may be what another thread has announced by it.
                        || !may_write(ctx, *op) && !Operation::is_op::<AtomicLoad>(*op, ctx);
                    if !stays {
                        return false;
                    }
                }
            }
        }
        let could = match self.accesses.of(ctx, op) {
            Access::ArrayLoad => true,
            Access::Variable(variable) => {
                Operation::is_op::<Load>(op, ctx) && !behind.stored.contains(&variable)
            }
            Access::Other => !regions && is_pure(ctx, op) && !self.is_slow(ctx, op),
        };
        if could && !behind.ops.is_empty() && behind.are_known_ahead(ctx, op) {
            behind.could.insert(op);
        }
        behind.ops.push(op);
        behind.all.insert(op);
        true
    }
}

/// A slow operation and what is behind it.
#[derive(Default)]
struct Behind {
    ops: Vec<Ptr<Operation>>,
    all: HashSet<Ptr<Operation>>,
    /// Variables that were stored to.
    stored: HashSet<Value>,
    /// What could go ahead.
    could: HashSet<Ptr<Operation>>,
    /// What goes ahead.
    taken: HashSet<Ptr<Operation>>,
}

impl Behind {
    /// Whether all operands are known ahead of the slow operation, or could be.
    fn are_known_ahead(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        let mut from = operands_of(ctx, op)
            .into_iter()
            .filter_map(|value| value.defining_op());
        from.all(|from| !self.all.contains(&from) || self.could.contains(&from))
    }

    /// Takes `op` and what it needs.
    fn take(&mut self, ctx: &Context, op: Ptr<Operation>) {
        let mut waiting = vec![op];
        while let Some(op) = waiting.pop() {
            if !self.all.contains(&op) || !self.taken.insert(op) {
                continue;
            }
            let from = operands_of(ctx, op).into_iter();
            waiting.extend(from.filter_map(|value| value.defining_op()));
        }
    }
}

/// Bytes of a number or an address.
fn size(ctx: &Context, value: Value) -> Option<u32> {
    let ty = value.get_type(ctx);
    let width = |ty| int_width(ctx, ty).or_else(|| float_width(ctx, ty));
    match complex_part(ctx, ty) {
        Some(part) => width(part).map(|bits| bits / 4),
        None => Some(width(ty).map_or(8, |bits| bits.div_ceil(8))),
    }
}
