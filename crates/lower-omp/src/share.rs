//! The part of a loop nest that one of several runs: a thread of a team, or a team of a league.
//!
//! ```text
//! omp.loop_nest %l to %u step %s [for]      →      omp.loop_nest %l + %k * %s to %u step %s * %count [alone]
//! ```
//! Iteration i goes to number i mod count, so that threads that run side by side come to neighbouring elements. The counter is 64 bits
//! wide, so that the step behind the last iteration stays in its range; the body gets it in its own type.
//!
//! Where a clause says who runs which iteration (OpenMP 5.2, sections 11.5.3 and 11.6.1), chunks of them are dealt out in turn. They are
//! those of the whole nest, one after another:
//!
//! ```text
//! omp.loop_nest 0 to %n, 0 to %m            omp.loop_nest %k * 4 to %n * %m step %count * 4 [alone] { ^(%c)
//!   chunk(4) [for] { ^(%i, %j)          →     omp.loop_nest %c to min(%c + 4, %n * %m) [alone] { ^(%f)
//!   … }                                         … %f / %m … %f % %m … } }
//! ```
//! `schedule(static)` has one chunk for each thread. What `dynamic` and `guided` leave open is decided in the same way.

use crate::variables::own_in_front;
use accrue_dialects::{
    acc::{ClauseOp, DirectiveOp, Group, given, push_expression},
    core::{BinKind, CmpKind, emit::Emitter, fold::constant, int, int_width},
    omp::{LoopNest, Share, Shares, Yield},
    par::{LoopDim, LoopTest},
};
use accrue_ir::walk;
use accrue_opt::State;
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// Who runs which iterations.
#[derive(Clone, Copy)]
pub enum Deal {
    /// One by one in turn.
    InTurn,
    /// So many in turn.
    Chunks(Value),
    /// As many for each as are left of whole chunks of this size.
    Blocks(Option<Value>),
}

impl Deal {
    /// What the clause in `group` says.
    pub fn of(ctx: &Context, nest: LoopNest, group: Group) -> Self {
        let chunk = nest.clause(ctx, group).into_iter().next();
        match chunk.map(|chunk| (chunk, constant(ctx, chunk))) {
            None => Deal::InTurn,
            // Of several loops that is the outermost one's iterations.
            Some((_, Some(1))) if nest.all_dims(ctx).0.len() == 1 => Deal::InTurn,
            Some((_, Some(0))) => Deal::Blocks(None),
            Some((chunk, _)) => Deal::Chunks(chunk),
        }
    }
}

/// Gives iterations of the nest to whoever `number` is; `shares` are the constructs that are left. Both numbers are `i32` and defined in
/// front of the nest. The new nest, which takes the place of the old.
pub fn share_out(
    ctx: &mut Context,
    nest: LoopNest,
    (number, count): (Value, Value),
    shares: Vec<Share>,
    deal: Deal,
    state: &mut State,
) -> LoopNest {
    let shares = match shares.is_empty() {
        true => vec![Share::Alone],
        false => shares,
    };
    if shares == [Share::Alone] {
        // They are those of who runs it.
        own_in_front(ctx, nest, state);
    }
    match deal {
        Deal::InTurn => in_turn(ctx, nest, (number, count), shares),
        Deal::Chunks(_) | Deal::Blocks(_) => in_chunks(ctx, nest, (number, count), shares, deal),
    }
}

fn in_turn(
    ctx: &mut Context,
    nest: LoopNest,
    (number, count): (Value, Value),
    shares: Vec<Share>,
) -> LoopNest {
    let old = nest.get_operation();
    let mut bounds = nest.bounds(ctx);
    let mut dims = nest.all_dims(ctx).0;
    let mut e = Emitter::before(ctx, old);
    if let (Some(bound), Some(dim)) = (bounds.first_mut(), dims.first_mut()) {
        let (lower, upper, step) = *bound;
        let was_narrow = int_width(e.ctx, lower.get_type(e.ctx)).is_some_and(|width| width < 64);
        let (lower, upper) = (e.widen(lower, dim.unsigned), e.widen(upper, dim.unsigned));
        let step = e.widen(step, false);
        let (number, count) = (e.widen(number, false), e.widen(count, false));
        let offset = e.bin(BinKind::Mul, number, step);
        let first = e.bin(BinKind::Add, lower, offset);
        let stride = e.bin(BinKind::Mul, step, count);
        *bound = (first, upper, stride);
        // An `i64` holds what smaller unsigned types do.
        dim.unsigned &= !was_narrow;
        // It is the test of a loop whose step is 1 or -1.
        if dim.test == LoopTest::Ne {
            let down = constant(e.ctx, step).is_some_and(|step| step < 0);
            dim.test = match down {
                true => LoopTest::Gt,
                false => LoopTest::Lt,
            };
        }
    }
    let directive = nest.directive(e.ctx).0;
    let (new, block) = LoopNest::new(e.ctx, directive, bounds, dims, Shares(shares));
    e.push(new);
    move_clauses(ctx, nest, new);
    let counters: Vec<Value> = block.deref(ctx).arguments().collect();
    move_body(ctx, nest, new, |_| counters);
    Operation::erase(old, ctx);
    new
}

fn in_chunks(
    ctx: &mut Context,
    nest: LoopNest,
    (number, count): (Value, Value),
    shares: Vec<Share>,
    deal: Deal,
) -> LoopNest {
    let old = nest.get_operation();
    let (bounds, dims) = (nest.bounds(ctx), nest.all_dims(ctx).0);
    let directive = nest.directive(ctx).0;
    let mut e = Emitter::before(ctx, old);
    let mut trips = Vec::new();
    for (bound, dim) in bounds.iter().zip(&dims) {
        let found = trips_of(&mut e, *bound, *dim);
        trips.push(found);
    }
    let mut total = e.i64(1);
    for trips in &trips {
        total = e.bin(BinKind::Mul, total, *trips);
    }
    let (number, count) = (e.widen(number, false), e.widen(count, false));
    let chunk = match deal {
        Deal::Chunks(chunk) => e.widen(chunk, false),
        Deal::InTurn => e.i64(1),
        Deal::Blocks(of) => {
            let one = e.i64(1);
            let size = of.map_or(one, |of| e.widen(of, false));
            let chunks = up(&mut e, total, size);
            let each = up(&mut e, chunks, count);
            let each = e.bin(BinKind::MaxS, each, one);
            e.bin(BinKind::Mul, each, size)
        }
    };
    let first = e.bin(BinKind::Mul, number, chunk);
    let stride = e.bin(BinKind::Mul, count, chunk);
    let dim = LoopDim {
        test: LoopTest::Lt,
        unsigned: false,
    };
    let alone = Shares(vec![Share::Alone]);
    let (outer, outer_block) = LoopNest::new(
        e.ctx,
        directive,
        vec![(first, total, stride)],
        vec![dim],
        alone,
    );
    e.push(outer);
    let begin = outer_block.deref(ctx).get_argument(0);
    let mut e = Emitter::at_end_of(ctx, outer_block, old);
    let end = e.bin(BinKind::Add, begin, chunk);
    let end = e.bin(BinKind::MinS, end, total);
    let one = e.i64(1);
    let (new, block) = LoopNest::new(
        e.ctx,
        directive,
        vec![(begin, end, one)],
        vec![dim],
        Shares(shares),
    );
    e.push(new);
    let outer_end = Yield::new(e.ctx);
    e.push(outer_end);
    move_clauses(ctx, nest, new);
    let flat = block.deref(ctx).get_argument(0);
    move_body(ctx, nest, new, |e| {
        let mut left = flat;
        let mut counters = Vec::new();
        let dims = bounds.iter().zip(&dims).zip(&trips).enumerate();
        for (index, (((lower, _, step), dim), trips)) in dims.rev() {
            let own = match index {
                0 => left,
                _ => {
                    let own = e.bin(BinKind::RemU, left, *trips);
                    left = e.bin(BinKind::DivU, left, *trips);
                    own
                }
            };
            let (lower, step) = (e.widen(*lower, dim.unsigned), e.widen(*step, false));
            let way = e.bin(BinKind::Mul, own, step);
            counters.push(e.bin(BinKind::Add, lower, way));
        }
        counters.reverse();
        counters
    });
    Operation::erase(old, ctx);
    new
}

/// How many iterations a loop has, an `i64`.
fn trips_of(e: &mut Emitter, (lower, upper, step): (Value, Value, Value), dim: LoopDim) -> Value {
    let wide = int_width(e.ctx, lower.get_type(e.ctx)).is_none_or(|width| width >= 64);
    let (lower, upper) = (e.widen(lower, dim.unsigned), e.widen(upper, dim.unsigned));
    let step = e.widen(step, false);
    let down = match dim.test {
        LoopTest::Lt | LoopTest::Le => false,
        LoopTest::Gt | LoopTest::Ge => true,
        LoopTest::Ne => constant(e.ctx, step).is_some_and(|step| step < 0),
    };
    let (from, to) = match down {
        true => (upper, lower),
        false => (lower, upper),
    };
    let zero = e.i64(0);
    let size = match down {
        true => e.bin(BinKind::Sub, zero, step),
        false => step,
    };
    let way = e.bin(BinKind::Sub, to, from);
    let (runs, last) = match (dim.test, dim.unsigned && wide) {
        (LoopTest::Ne, _) => (CmpKind::Ne, false),
        (LoopTest::Lt | LoopTest::Gt, true) => (CmpKind::LtU, false),
        (LoopTest::Lt | LoopTest::Gt, false) => (CmpKind::LtS, false),
        (LoopTest::Le | LoopTest::Ge, true) => (CmpKind::LeU, true),
        (LoopTest::Le | LoopTest::Ge, false) => (CmpKind::LeS, true),
    };
    let one = e.i64(1);
    let way = match last {
        true => e.bin(BinKind::Add, way, one),
        false => way,
    };
    let found = up(e, way, size);
    let runs = e.cmp(runs, from, to);
    e.select(runs, found, zero)
}

/// The quotient, rounded up.
fn up(e: &mut Emitter, value: Value, by: Value) -> Value {
    let one = e.i64(1);
    let more = e.bin(BinKind::Sub, by, one);
    let more = e.bin(BinKind::Add, value, more);
    e.bin(BinKind::DivU, more, by)
}

fn move_clauses(ctx: &mut Context, from: LoopNest, to: LoopNest) {
    for group in [
        Group::NumThreads,
        Group::Chunk,
        Group::Reduction,
        Group::Private,
        Group::Firstprivate,
    ] {
        for operand in given(&from, ctx, group) {
            push_expression(
                &to,
                ctx,
                group,
                operand.value,
                operand.device,
                operand.expression,
            );
        }
    }
}

/// The statements of `from` in `to`, whose beginning computes what the counters of `from` are.
fn move_body(
    ctx: &mut Context,
    from: LoopNest,
    to: LoopNest,
    counters: impl FnOnce(&mut Emitter) -> Vec<Value>,
) {
    let (old, block) = (from.get_operation(), to.get_body(ctx, 0));
    let body = from.get_body(ctx, 0);
    let arguments: Vec<Value> = body.deref(ctx).arguments().collect();
    let mut e = Emitter::at_end_of(ctx, block, old);
    for (argument, counter) in arguments.into_iter().zip(counters(&mut e)) {
        let ty = argument.get_type(e.ctx);
        let own = match ty == int(e.ctx, 64) {
            true => counter,
            false => e.narrow(counter, ty),
        };
        argument.replace_all_uses_with(e.ctx, &own);
    }
    let ops: Vec<Ptr<Operation>> = walk::ops_of_block(ctx, body);
    for op in ops {
        op.unlink(ctx);
        op.insert_at_back(block, ctx);
    }
}
