//! Functions that return early get one exit, so that they can be inlined.
//!
//! ```text
//! core.if %c { core.return %a }              %r = core.alloca
//! …                                     →    core.if %c { core.store %a, %r } else { …  core.store %b, %r }
//! core.return %b                             core.return (core.load %r)
//! ```
//!
//! What stands behind an `if` one side of which always returns belongs to the other side. A return inside a loop or a `switch`,
//! or one that stands beside code that goes on after it, would need a flag; such functions stay as they are.
//!
//! Cost: linear in the size of the function.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::core::{If, Return, Yield};
use accrue_ir::walk::{nested_ops, operands_of, ops_of_block};
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
    let entry = func.get_entry_block(ctx);
    let returns = nested_ops(ctx, func.get_operation())
        .into_iter()
        .filter(|op| Operation::is_op::<Return>(*op, ctx))
        .count();
    if returns < 2 || !can_exit_once(ctx, entry) {
        return;
    }
    let Some(end) = terminator(ctx, entry) else {
        return;
    };
    let result = operands_of(ctx, end).first().copied().map(|value| {
        let first = ops_of_block(ctx, entry).first().copied().unwrap_or(end);
        let ty = value.get_type(ctx);
        Emitter::before(ctx, first).alloca(ty, None)
    });
    join(ctx, entry, result);
    let model = ops_of_block(ctx, entry).last().copied();
    if let Some(model) = model {
        let mut e = Emitter::after(ctx, model);
        let value = result.map(|r| e.load(r));
        let end = Return::new(e.ctx, value);
        e.push(end);
    }
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

/// Whether each return in `block`, but one at its end, ends a side of an `if` whose other side may take what follows.
fn can_exit_once(ctx: &Context, block: Ptr<BasicBlock>) -> bool {
    ops_of_block(ctx, block).into_iter().all(|op| {
        if !contains_return(ctx, op) {
            return true;
        }
        let Some(branch) = Operation::get_op::<If>(op, ctx) else {
            return false;
        };
        let sides = [branch.get_body(ctx, 0), branch.get_body(ctx, 1)];
        // The side that does not return takes what follows, and may have early returns of its own.
        sides.iter().any(|side| returns(ctx, *side))
            && sides.into_iter().all(|side| can_exit_once(ctx, side))
    })
}

/// Makes the returns of `block` stores to `result`; the block is left without terminator.
fn join(ctx: &mut Context, block: Ptr<BasicBlock>, result: Option<Value>) {
    let ops = ops_of_block(ctx, block);
    let early = ops.iter().position(|op| contains_return(ctx, *op));
    let Some(early) = early else {
        let Some(end) = terminator(ctx, block) else {
            return;
        };
        if let (Some(result), Some(value)) = (result, operands_of(ctx, end).first().copied()) {
            Emitter::before(ctx, end).store(value, result);
        }
        Operation::erase(end, ctx);
        return;
    };
    let Some(branch) = Operation::get_op::<If>(ops[early], ctx) else {
        return;
    };
    let sides = [branch.get_body(ctx, 0), branch.get_body(ctx, 1)];
    let open = sides.into_iter().find(|side| !returns(ctx, *side));
    if let Some(open) = open
        && let Some(end) = terminator(ctx, open)
    {
        Operation::erase(end, ctx);
    }
    match open {
        Some(open) => {
            for op in &ops[early + 1..] {
                op.unlink(ctx);
                op.insert_at_back(open, ctx);
            }
        }
        // Both sides return: nothing behind runs.
        None => {
            for op in ops[early + 1..].iter().rev() {
                Operation::erase(*op, ctx);
            }
        }
    }
    for side in sides {
        join(ctx, side, result);
        let end = Yield::new(ctx, vec![]);
        end.get_operation().insert_at_back(side, ctx);
    }
}
