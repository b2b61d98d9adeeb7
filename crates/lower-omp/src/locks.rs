//! Locks (OpenMP 5.2, section 18.9), and how a thread that holds one runs something.
//!
//! ```text
//! omp.set_lock %l           core.loop cond { %done == 0 } body {
//! s;                    →     %old, _ = core.atomic_update %l { 0 becomes 1 }
//! omp.unset_lock %l           core.if %old == 0 { s;  core.atomic_store 0, %l;  %done = 1 } }
//! ```
//! A thread gives the lock back in the same step of its loop, so that the others of its warp, which wait for the end of that step, are not
//! waited for. That is so where a block both takes a lock and gives one back behind it; it need not be the same, as in a walk along a
//! list. A thread that takes a lock and gives it back elsewhere, or holds another one meanwhile, waits in a loop of its own, which needs a
//! device whose threads make progress one by one: CPU cores, and GPUs since Volta (`accrue_abi::scheduling`).
//!
//! Cost: linear in the code that has locks, times the depth to which they are held.

use accrue_dialects::{
    core::{
        Alloca, AtomicStore, AtomicUpdate, Cast, CastKind, CmpKind, If, Loop, Select,
        emit::Emitter, int,
    },
    omp::{SetLock, TestLock, UnsetLock},
};
use accrue_ir::walk;
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::ModuleOp},
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    value::Value,
};

/// Lowers the routines in a module.
pub fn lower(ctx: &mut Context, module: ModuleOp) {
    let module = module.get_operation();
    // The inner ones first: what is between them moves into the loops of the outer ones.
    for set in walk::nested::<SetLock>(ctx, module).into_iter().rev() {
        let (op, lock) = (set.get_operation(), set.get_operand_lock(ctx));
        let (held, unset) = held(ctx, op);
        let lock_given_back = unset.map(|unset| unset.get_operand_lock(ctx));
        while_held(ctx, op, lock, held, lock_given_back);
        Operation::erase(op, ctx);
        if let Some(unset) = unset {
            Operation::erase(unset.get_operation(), ctx);
        }
    }
    for unset in walk::nested::<UnsetLock>(ctx, module) {
        let lock = unset.get_operand_lock(ctx);
        let mut e = Emitter::before(ctx, unset.get_operation());
        give_back(&mut e, lock);
        Operation::erase(unset.get_operation(), ctx);
    }
    for test in walk::nested::<TestLock>(ctx, module) {
        let lock = test.get_operand_lock(ctx);
        let mut e = Emitter::before(ctx, test.get_operation());
        let took = try_to_take(&mut e, lock);
        let word = int(e.ctx, 32);
        let took = e.make(|c| Cast::new(c, CastKind::ZExt, took, word));
        test.get_result(ctx).replace_all_uses_with(ctx, &took);
        Operation::erase(test.get_operation(), ctx);
    }
}

/// What a thread does in the block of `set` while it holds the lock, and where it gives one back: nothing if values that are made in
/// between are used behind it.
fn held(ctx: &mut Context, set: Ptr<Operation>) -> (Vec<Ptr<Operation>>, Option<UnsetLock>) {
    let mut held = vec![];
    let mut at = set.deref(ctx).get_next();
    while let Some(op) = at {
        if let Some(unset) = Operation::get_op::<UnsetLock>(op, ctx) {
            // Variables are there behind it, too; what makes the operand stays in front of the lock's loop.
            let (variables, held): (Vec<_>, Vec<_>) = held
                .into_iter()
                .partition(|op| Operation::is_op::<Alloca>(*op, ctx));
            let leaves = |made: &Ptr<Operation>| {
                let results: Vec<Value> = made.deref(ctx).results().collect();
                let mut uses = results.iter().flat_map(|result| result.uses(ctx));
                uses.any(|using| {
                    let user = using.user_op();
                    user != op
                        && !held
                            .iter()
                            .any(|it| *it == user || contains(ctx, *it, user))
                })
            };
            if held.iter().any(leaves) {
                return (vec![], None);
            }
            for variable in variables {
                variable.unlink(ctx);
                variable.insert_before(ctx, set);
            }
            return (held, Some(unset));
        }
        held.push(op);
        at = op.deref(ctx).get_next();
    }
    (vec![], None)
}

fn contains(ctx: &Context, around: Ptr<Operation>, op: Ptr<Operation>) -> bool {
    let regions = walk::regions_of(ctx, around);
    regions
        .into_iter()
        .any(|region| walk::is_inside(ctx, op, region))
}

/// Lets the thread that holds `lock` run operations, in front of `at`, and then give a lock back.
pub fn while_held(
    ctx: &mut Context,
    at: Ptr<Operation>,
    lock: Value,
    ops: Vec<Ptr<Operation>>,
    given_back: Option<Value>,
) {
    let mut e = Emitter::before(ctx, at);
    let word = int(e.ctx, 32);
    let done = e.alloca(word, None);
    let zero = e.i32(0);
    e.store(zero, done);
    let (turns, blocks) = Loop::new(e.ctx, false);
    e.push(turns);
    let mut e = Emitter::at_end_of(ctx, blocks.cond, at);
    let value = e.load(done);
    let zero = e.i32(0);
    let waits = e.cmp(CmpKind::Eq, value, zero);
    e.finish(vec![waits]);
    Emitter::at_end_of(ctx, blocks.step, at).finish(vec![]);
    let mut e = Emitter::at_end_of(ctx, blocks.body, at);
    let is_free = try_to_take(&mut e, lock);
    let (holds, yes, no) = If::new(e.ctx, is_free, vec![]);
    e.push(holds);
    e.finish(vec![]);
    Emitter::at_end_of(ctx, no, at).finish(vec![]);
    for op in ops {
        op.unlink(ctx);
        op.insert_at_back(yes, ctx);
    }
    let mut e = Emitter::at_end_of(ctx, yes, at);
    if let Some(lock) = given_back {
        give_back(&mut e, lock);
    }
    let one = e.i32(1);
    e.store(one, done);
    e.finish(vec![]);
}

/// Takes the lock if nobody holds it: whether that was so.
fn try_to_take(e: &mut Emitter, lock: Value) -> Value {
    let (update, swap) = AtomicUpdate::new(e.ctx, lock);
    e.push(update);
    let op = update.get_operation();
    let found = swap.deref(e.ctx).get_argument(0);
    let mut inner = Emitter::at_end_of(e.ctx, swap, op);
    let (zero, one) = (inner.i32(0), inner.i32(1));
    let was_free = inner.cmp(CmpKind::Eq, found, zero);
    let new = inner.make(|c| Select::new(c, was_free, one, found));
    inner.finish(vec![new]);
    let old = update.old(e.ctx);
    let zero = e.i32(0);
    e.cmp(CmpKind::Eq, old, zero)
}

fn give_back(e: &mut Emitter, lock: Value) {
    let free = e.i32(0);
    e.op(|c| AtomicStore::new(c, free, lock));
}
