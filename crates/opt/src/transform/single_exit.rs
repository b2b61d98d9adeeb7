//! Functions that return early get one exit, so that they can be inlined.
//!
//! ```text
//! core.if %c { core.return %a }              %r = core.alloca
//! …                                     →    core.if %c { core.store %a, %r } else { …  core.store %b, %r }
//! core.return %b                             core.return (core.load %r)
//! ```
//!
//! What stands behind an `if` one side of which always returns belongs to the other side. A return inside a loop or a `switch` moves
//! behind it first ([`loops`]). Behind an `if` that returns in a part of a side, what follows runs if it has not returned.
//!
//! Cost: linear in the size of the function.

mod loops;

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::core::{If, Return, Yield};
use accrue_ir::walk::{nested, nested_ops, operands_of, ops_of_block};
use pliron::{
    basic_block::BasicBlock,
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// Changes the function if it returns elsewhere than at its end and can be changed.
pub fn make_single_exit(ctx: &mut Context, func: FuncOp) {
    loops::move_behind(ctx, func);
    let entry = func.get_entry_block(ctx);
    let returns = nested::<Return>(ctx, func.get_operation());
    if returns.len() < 2 || !can_exit_once(ctx, entry) {
        return;
    }
    let given = |it: &Return| operands_of(ctx, it.get_operation()).first().copied();
    let ty = returns.iter().find_map(given).map(|v| v.get_type(ctx));
    let first = ops_of_block(ctx, entry)[0];
    let mut e = Emitter::before(ctx, first);
    let result = ty.map(|ty| e.alloca(ty, None));
    let no = e.int(1, 0);
    let returned = e.alloca(no.get_type(e.ctx), None);
    e.store(no, returned);
    join(ctx, entry, Exit { result, returned });
    let model = ops_of_block(ctx, entry).last().copied();
    if let Some(model) = model {
        let mut e = Emitter::after(ctx, model);
        let value = result.map(|r| e.load(r));
        let end = Return::new(e.ctx, value);
        e.push(end);
    }
}

/// The same, of a function whose threads meet in operations that `meets` names: only if no jump and no condition is added around one of
/// these. That is so if each return ends a side of an `if` whose other side may take what follows, or if nobody meets in what it leaves.
pub fn make_single_exit_of_branches(
    ctx: &mut Context,
    func: FuncOp,
    meets: &dyn Fn(&Context, Ptr<Operation>) -> bool,
) {
    let leaves = Leaves { ctx, meets };
    if leaves.without_others(func.get_entry_block(ctx), false) {
        make_single_exit(ctx, func);
    }
}

/// How threads leave a function.
struct Leaves<'a> {
    ctx: &'a Context,
    meets: &'a dyn Fn(&Context, Ptr<Operation>) -> bool,
}

impl Leaves<'_> {
    /// Whether nobody waits for a thread that returns in the block; `behind` says whether threads meet behind it.
    fn without_others(&self, block: Ptr<BasicBlock>, behind: bool) -> bool {
        let ctx = self.ctx;
        let ops = ops_of_block(ctx, block);
        ops.iter().enumerate().all(|(at, op)| {
            if !contains_return(ctx, *op) {
                return true;
            }
            let behind = behind || ops[at + 1..].iter().any(|op| self.is_met(*op));
            let branch = Operation::get_op::<If>(*op, ctx);
            let sides = branch.map(|it| [it.get_body(ctx, 0), it.get_body(ctx, 1)]);
            !behind && !self.is_met(*op)
                || sides.is_some_and(|sides| {
                    sides.iter().any(|side| returns(ctx, *side))
                        && sides
                            .into_iter()
                            .all(|side| self.without_others(side, behind))
                })
        })
    }

    fn is_met(&self, op: Ptr<Operation>) -> bool {
        let mut inner = nested_ops(self.ctx, op).into_iter();
        (self.meets)(self.ctx, op) || inner.any(|op| (self.meets)(self.ctx, op))
    }
}

/// Where the function keeps its result, and whether it has one.
#[derive(Clone, Copy)]
struct Exit {
    result: Option<Value>,
    returned: Value,
}

fn terminator(ctx: &Context, block: Ptr<BasicBlock>) -> Option<Ptr<Operation>> {
    ops_of_block(ctx, block).last().copied()
}

fn returns(ctx: &Context, block: Ptr<BasicBlock>) -> bool {
    terminator(ctx, block).is_some_and(|op| Operation::is_op::<Return>(op, ctx))
}

/// Whether a return is somewhere inside `op`.
fn contains_return(ctx: &Context, op: Ptr<Operation>) -> bool {
    nested_ops(ctx, op)
        .into_iter()
        .any(|inner| Operation::is_op::<Return>(inner, ctx))
}

/// Whether each return in `block`, but one at its end, is in an `if`.
fn can_exit_once(ctx: &Context, block: Ptr<BasicBlock>) -> bool {
    ops_of_block(ctx, block).into_iter().all(|op| {
        let branch = Operation::get_op::<If>(op, ctx);
        let sides = branch.map(|it| [it.get_body(ctx, 0), it.get_body(ctx, 1)]);
        match sides {
            Some(sides) => sides.into_iter().all(|side| can_exit_once(ctx, side)),
            None => !contains_return(ctx, op),
        }
    })
}

/// Makes the returns of `block` stores to the result; the block is left without terminator.
fn join(ctx: &mut Context, block: Ptr<BasicBlock>, exit: Exit) {
    let ops = ops_of_block(ctx, block);
    let early = ops.iter().position(|op| contains_return(ctx, *op));
    let branch = early.and_then(|at| Operation::get_op::<If>(ops[at], ctx));
    let (Some(early), Some(branch)) = (early, branch) else {
        end(ctx, block, exit);
        return;
    };
    let behind = &ops[early + 1..];
    let sides = [branch.get_body(ctx, 0), branch.get_body(ctx, 1)];
    let open: Vec<_> = sides
        .into_iter()
        .filter(|side| !returns(ctx, *side))
        .collect();
    match open[..] {
        // What does not return goes on with what is behind.
        [open] => {
            if let Some(end) = terminator(ctx, open) {
                Operation::erase(end, ctx);
            }
            move_to(ctx, behind, open);
        }
        // Both sides return: nothing behind runs.
        [] => {
            for op in behind.iter().rev() {
                Operation::erase(*op, ctx);
            }
        }
        // Something in one of the sides returns, perhaps.
        _ => {
            let mut e = Emitter::after(ctx, ops[early]);
            let returned = e.load(exit.returned);
            let (asks, then, otherwise) = If::new(e.ctx, returned, vec![]);
            e.push(asks);
            e.at_end(then);
            e.finish(vec![]);
            move_to(ctx, behind, otherwise);
            join_side(ctx, otherwise, exit);
        }
    }
    for side in sides {
        join_side(ctx, side, exit);
    }
}

fn join_side(ctx: &mut Context, side: Ptr<BasicBlock>, exit: Exit) {
    join(ctx, side, exit);
    let end = Yield::new(ctx, vec![]);
    end.get_operation().insert_at_back(side, ctx);
}

/// The end of a block that nothing in it leaves: a return is noted.
fn end(ctx: &mut Context, block: Ptr<BasicBlock>, exit: Exit) {
    let Some(end) = terminator(ctx, block) else {
        return;
    };
    if Operation::is_op::<Return>(end, ctx) {
        let given = operands_of(ctx, end).first().copied();
        let mut e = Emitter::before(ctx, end);
        if let (Some(result), Some(value)) = (exit.result, given) {
            e.store(value, result);
        }
        let yes = e.int(1, 1);
        e.store(yes, exit.returned);
    }
    Operation::erase(end, ctx);
}

fn move_to(ctx: &mut Context, ops: &[Ptr<Operation>], block: Ptr<BasicBlock>) {
    for op in ops {
        op.unlink(ctx);
        op.insert_at_back(block, ctx);
    }
}
