//! Loops whose iterations find what those before them have given (OpenMP 5.2, section 5.6), by all threads of a team where the device has
//! many.
//!
//! ```text
//! omp.loop_nest 0 to n [for]           omp.loop_nest 0 to T [for] { ^(%t): %run = 0; its block: { s = 0; s += a[i];  %run += s }
//!   [in order] {                                                    sums[t] = %run }
//!     s = 0;  s += a[i];          →    omp.loop_nest 0 to 1 [for] { sums[t] becomes what is in front of block t;  sum becomes all }
//!     omp.scan;                        omp.loop_nest 0 to T [for] { ^(%t): %run = sums[t]; its block: the whole iteration, with
//!     sum += s;  s = sum;                                           %run in the place of sum } }
//!     b[i] = s; }
//! ```
//! The part of an iteration that gives a value is done twice, so that it may write nothing but the iteration's own variables. Where it
//! writes more, where loops are joined, of arrays, and on devices with one thread for each gang, one thread runs the loop in its order
//! ([`crate::order`]).
//!
//! Cost: the size of the loops' bodies.

use crate::order;
use crate::pure::{Pure, root_of_object};
use crate::share::{Deal, share_out};
use crate::threads::THREADS;
use accrue_dialects::{
    acc::{self, ClauseOp, DataOp, DirectiveOp, Group},
    core::{ArrayType, Decay, Store, emit::Emitter, fold::constant_expression, is_scalar},
    omp::{LoopNest, Parallel, Scan, Share, Shares, Target, Yield},
    par::{LoopDim, LoopTest, ReductionInfo, operators},
};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk,
};
use accrue_opt::{
    State,
    analysis::variables::{Root, root_of, uses_of},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::inserter::OpInsertionPoint,
    op::{Op, op_cast},
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};

/// A variable that a loop scans.
struct Sum {
    address: Value,
    root: Root,
    ty: TypeHandle,
    reduction: ReductionInfo,
    /// One value for each thread.
    parts: Value,
}

/// Lowers the scans of a region; what is left of them runs in order.
pub fn lower(ctx: &mut Context, target: Target, pure: &Pure, state: &mut State) {
    for nest in walk::nested::<LoopNest>(ctx, target.get_operation()) {
        let body = nest.get_body(ctx, 0);
        let ops = walk::ops_of_block(ctx, body);
        let scans = ops
            .iter()
            .filter_map(|op| Operation::get_op::<Scan>(*op, ctx));
        let scans: Vec<Scan> = scans.collect();
        if scans.is_empty() {
            continue;
        }
        if state.target.gangs.most_lanes > 1 && fits(ctx, nest, &scans, pure) {
            spread(ctx, nest, scans, state);
        } else if nest.is_shared_by(ctx, Share::For) {
            // The construct is the same on all devices: one team.
            order::wrap(ctx, nest).set_of_threads(ctx);
        }
    }
    forget(ctx, target.get_operation());
}

/// Takes out what parts iterations.
pub fn forget(ctx: &mut Context, around: Ptr<Operation>) {
    for scan in walk::nested::<Scan>(ctx, around) {
        Operation::erase(scan.get_operation(), ctx);
    }
}

/// Whether the threads of a team may share the loop out, and do the giving part twice.
fn fits(ctx: &Context, nest: LoopNest, scans: &[Scan], pure: &Pure) -> bool {
    let op = nest.get_operation();
    let last = nest.clause(ctx, Group::Firstprivate);
    if is_in_threads(ctx, op)
        || !last.is_empty()
        || !nest.is_shared_by(ctx, Share::For)
        || nest.bounds(ctx).len() != 1
        || scans.iter().any(|scan| {
            let sum = sum_of(ctx, *scan);
            sum.is_none_or(|(_, ty)| !is_scalar(ctx, ty))
        })
    {
        return false;
    }
    let (given, rest) = parts(ctx, nest, scans);
    let is_kept = |op: &Ptr<Operation>| !writes_more(ctx, nest, *op, pure);
    given.iter().all(is_kept) && rest.iter().all(|op| is_kept(op) || is_dropped(ctx, *op))
}

/// Whether a loop around is shared out among more than teams: its threads are alone.
fn is_in_threads(ctx: &Context, op: Ptr<Operation>) -> bool {
    let Some(around) = walk::enclosing::<LoopNest>(ctx, op) else {
        return false;
    };
    let of_teams = |share: &Share| matches!(share, Share::Distribute | Share::Alone);
    !around.shares(ctx).0.iter().all(of_teams) || is_in_threads(ctx, around.get_operation())
}

/// The operations of an iteration: those of the part that gives a value, and others that it may need.
fn parts(
    ctx: &Context,
    nest: LoopNest,
    scans: &[Scan],
) -> (Vec<Ptr<Operation>>, Vec<Ptr<Operation>>) {
    let mut ops = walk::ops_of_block(ctx, nest.get_body(ctx, 0));
    ops.retain(|op| !Operation::is_op::<Yield>(*op, ctx));
    let is_scan = |op: &Ptr<Operation>| Operation::is_op::<Scan>(*op, ctx);
    let at = ops.iter().position(is_scan).unwrap_or(ops.len());
    let behind = ops.split_off(at);
    let sums: Vec<Root> = scans
        .iter()
        .filter_map(|scan| Some(sum_of(ctx, *scan)?.0))
        .collect();
    match scans.first().is_some_and(|scan| scan.is_exclusive(ctx)) {
        true => {
            // What is added to the sums is what the threads add to their own.
            let is_sum = |op: &Ptr<Operation>| {
                let store = Operation::get_op::<Store>(*op, ctx);
                let to = store.and_then(|store| root_of(ctx, store.get_operand_address(ctx)));
                to.is_some_and(|root| sums.contains(&root))
            };
            let given = behind.into_iter().filter(|op| !is_sum(op) && !is_scan(op));
            (given.collect(), ops)
        }
        false => (ops, vec![]),
    }
}

fn sum_of(ctx: &Context, scan: Scan) -> Option<(Root, TypeHandle)> {
    let address = scan.get_operand_sum(ctx);
    Some((
        root_of(ctx, address)?,
        accrue_dialects::core::pointee(ctx, address)?,
    ))
}

/// A store that only the whole iteration does.
fn is_dropped(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::is_op::<Store>(op, ctx)
}

/// Whether an operation writes what is not the iteration's own, or may do anything.
fn writes_more(ctx: &Context, nest: LoopNest, op: Ptr<Operation>, pure: &Pure) -> bool {
    let inner = walk::nested_ops(ctx, op);
    inner.into_iter().chain([op]).any(|op| {
        let is_pure = pure.is_call(ctx, op);
        let effects = effects_of(ctx, op);
        let others = effects.expected().iter().any(|effect| match effect {
            Effect::Write(to) | Effect::Free(to) => !to.is_some_and(|to| is_own(ctx, nest, to)),
            Effect::Convergent => true,
            Effect::Read(_) | Effect::Alloc | Effect::Structure => false,
        });
        others && !is_pure
    })
}

/// Whether an address leads into a variable that each iteration has.
fn is_own(ctx: &Context, nest: LoopNest, address: Value) -> bool {
    let private = |root: &Root| {
        nest.clause(ctx, Group::Private).into_iter().any(|clause| {
            let Some(op) = clause.defining_op() else {
                return false;
            };
            let object = Operation::get_op_dyn(op, ctx);
            let var = op_cast::<dyn DataOp>(&*object).and_then(|data| data.var(ctx));
            var.and_then(|var| root_of(ctx, var)).as_ref() == Some(root)
        })
    };
    root_of_object(ctx, address).is_some_and(|root| match &root {
        Root::Local(variable) => {
            private(&root)
                || variable
                    .defining_op()
                    .is_some_and(|op| walk::is_inside(ctx, op, nest.get_region(ctx)))
        }
        Root::Global(_) => private(&root),
    })
}

/// Shares the loop out.
fn spread(ctx: &mut Context, nest: LoopNest, scans: Vec<Scan>, state: &mut State) {
    let op = nest.get_operation();
    let said = acc::take(&nest, ctx, Group::NumThreads);
    let said = said
        .first()
        .and_then(|value| constant_expression(ctx, *value));
    let threads = said.filter(|threads| *threads > 0).unwrap_or(THREADS);
    // What the threads of a team share is made where there is one of them.
    let around = walk::enclosing::<Parallel>(ctx, op).map_or(op, |it| it.get_operation());
    let mut sums = Vec::new();
    for scan in &scans {
        let Some((root, ty)) = sum_of(ctx, *scan) else {
            return;
        };
        let mut e = Emitter::before(ctx, around);
        let array = ArrayType::get(e.ctx, threads as u64, ty);
        let parts = e.alloca(array.into(), None);
        let Some(decayed) = Decay::new(e.ctx, parts) else {
            return;
        };
        sums.push(Sum {
            address: scan.get_operand_sum(e.ctx),
            root,
            ty,
            reduction: scan.reduction(e.ctx),
            parts: e.value(decayed),
        });
    }
    let mut e = Emitter::before(ctx, op);
    let (zero, one, count) = (e.i32(0), e.i32(1), e.i32(threads));
    let (first, first_block) = phase(ctx, nest, (zero, count, one), said);
    let (_, middle_block) = phase(ctx, nest, (zero, one, one), said);
    let (last, last_block) = phase(ctx, nest, (zero, count, one), said);
    if nest.is_nowait(ctx) {
        last.set_nowait(ctx);
    }
    combine_parts(ctx, &sums, middle_block, count, op);

    let mut mapping = Default::default();
    let copy = Emitter::at_end_of(ctx, first_block, op).copy(op, &mut mapping);
    if let Some(copy) = Operation::get_op::<LoopNest>(copy, ctx) {
        only_giving(ctx, copy, &sums);
        run(ctx, copy, first, &sums, (count, true), state);
    }
    for scan in scans {
        Operation::erase(scan.get_operation(), ctx);
    }
    op.unlink(ctx);
    op.insert_at_back(last_block, ctx);
    run(ctx, nest, last, &sums, (count, false), state);
}

/// A loop over threads in front of the nest, without end.
fn phase(
    ctx: &mut Context,
    nest: LoopNest,
    bounds: (Value, Value, Value),
    threads: Option<i128>,
) -> (LoopNest, Ptr<BasicBlock>) {
    let mut shares = nest.shares(ctx).0;
    shares.retain(|share| matches!(share, Share::Parallel | Share::For));
    let dim = LoopDim {
        test: LoopTest::Lt,
        unsigned: false,
    };
    let directive = nest.directive(ctx).0;
    let mut e = Emitter::before(ctx, nest.get_operation());
    let threads = threads.map(|threads| e.i64(threads));
    let (phase, block) = LoopNest::new(e.ctx, directive, vec![bounds], vec![dim], Shares(shares));
    phase.set_of_threads(e.ctx);
    e.push(phase);
    if let Some(threads) = threads {
        acc::push(
            &phase,
            ctx,
            Group::NumThreads,
            threads,
            acc::DeviceType::None,
        );
    }
    (phase, block)
}

/// Each part becomes what is in front of it; the sums get all.
fn combine_parts(
    ctx: &mut Context,
    sums: &[Sum],
    block: Ptr<BasicBlock>,
    count: Value,
    model: Ptr<Operation>,
) {
    let mut e = Emitter::at_end_of(ctx, block, model);
    for sum in sums {
        let run = e.alloca(sum.ty, None);
        let value = e.load(sum.address);
        e.store(value, run);
        let (zero, one) = (e.i64(0), e.i64(1));
        let count = e.widen(count, false);
        let looped = e.counted(zero, count, one, |e, index| {
            let part = e.ptr_add(sum.parts, index);
            let (value, before) = (e.load(part), e.load(run));
            e.store(before, part);
            let after = operators::combine(e, sum.reduction, before, value)?;
            e.store(after, run);
            Ok::<(), accrue_ir::diagnostic::Diagnostic>(())
        });
        // The import has combined such values already.
        if looped.is_err() {
            continue;
        }
        let value = e.load(run);
        e.store(value, sum.address);
    }
    let end = Yield::new(e.ctx);
    e.push(end);
}

/// Leaves of an iteration what gives its values.
fn only_giving(ctx: &mut Context, nest: LoopNest, sums: &[Sum]) {
    let body = nest.get_body(ctx, 0);
    let ops = walk::ops_of_block(ctx, body);
    let is_scan = |ctx: &Context, op: &Ptr<Operation>| Operation::is_op::<Scan>(*op, ctx);
    let scans: Vec<Scan> = ops
        .iter()
        .filter_map(|op| Operation::get_op::<Scan>(*op, ctx))
        .collect();
    let at = ops
        .iter()
        .position(|op| is_scan(ctx, op))
        .unwrap_or(ops.len());
    let exclusive = scans.first().is_some_and(|scan| scan.is_exclusive(ctx));
    if exclusive {
        for op in ops.iter().take(at) {
            let store = Operation::get_op::<Store>(*op, ctx);
            if store.is_some_and(|store| !is_own(ctx, nest, store.get_operand_address(ctx))) {
                Operation::erase(*op, ctx);
            }
        }
        for scan in scans {
            Operation::erase(scan.get_operation(), ctx);
        }
        return;
    }
    let owns: Vec<Value> = scans.iter().map(|scan| scan.get_operand_own(ctx)).collect();
    for op in ops.iter().skip(at).rev() {
        if !Operation::is_op::<Yield>(*op, ctx) {
            Operation::erase(*op, ctx);
        }
    }
    let Some(end) = walk::ops_of_block(ctx, body).last().copied() else {
        return;
    };
    let mut e = Emitter::before(ctx, end);
    for (sum, own) in sums.iter().zip(owns) {
        let (all, own) = (e.load(sum.address), e.load(own));
        if let Ok(value) = operators::combine(&mut e, sum.reduction, all, own) {
            e.store(value, sum.address);
        }
    }
}

/// Lets each thread of a phase run its block of the nest in order, with a sum of its own: one that starts with nothing and is left in
/// the parts, or one that starts with what is in front of the block.
fn run(
    ctx: &mut Context,
    nest: LoopNest,
    phase: LoopNest,
    sums: &[Sum],
    (count, is_first): (Value, bool),
    state: &mut State,
) {
    let op = nest.get_operation();
    let block = phase.get_body(ctx, 0);
    let thread = block.deref(ctx).get_argument(0);
    let mut runs = Vec::new();
    for sum in sums {
        let mut e = Emitter::new(ctx, OpInsertionPoint::BeforeOperation(op), op);
        let run = e.alloca(sum.ty, None);
        let part = e.ptr_add(sum.parts, thread);
        let start = match is_first {
            true => operators::identity(&mut e, sum.reduction, sum.ty).ok(),
            false => Some(e.load(part)),
        };
        if let Some(start) = start {
            e.store(start, run);
        }
        for using in uses_of(ctx, nest.get_region(ctx), &sum.root) {
            Operation::replace_operand(using.op, ctx, using.index, run);
        }
        runs.push((run, part));
    }
    let shared = share_out(
        ctx,
        nest,
        (thread, count),
        vec![],
        Deal::Blocks(None),
        state,
    );
    let last = walk::ops_of_block(ctx, block).last().copied();
    let mut e = Emitter::after(ctx, last.unwrap_or(shared.get_operation()));
    if is_first {
        for (run, part) in runs {
            let value = e.load(run);
            e.store(value, part);
        }
    }
    let end = Yield::new(e.ctx);
    e.push(end);
}
