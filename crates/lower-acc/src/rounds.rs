//! Pass `rounds`: loops in order of `kernels` constructs, around loops over gangs, are left to the launch.
//!
//! Gangs cannot wait for each other inside a kernel. So the loops over gangs in each iteration of a loop in order are kernels of
//! their own, which the library launches again and again; the number of the round is one of their arguments.
//!
//! ```text
//! #pragma acc kernels                                 rounds of kernels 0 and 1, as many as `steps` says
//! for (int t = 0; t < steps; t++) {          →          %t = 0 + round
//!     for (…) …                  over gangs               kernel 0: all gangs
//!     for (…) …                  over gangs               kernel 1: all gangs
//! }
//! ```
//! Steps, for each loop that is directly in the construct: the argument; the counter, computed from it; the operations of the body in
//! the place of the loop, for the pass `phases`; their number of rounds, as a value in front of the first loop over gangs.
//!
//! The number of rounds has to be known before the first of them: from constants and scalars that are passed by value. Where it is
//! not, and where iterations may end early or do little, all of the loop is one kernel with one gang.
//!
//! Cost: linear in the size of the region.

use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_dialects::{
    acc::{self, ClauseOp, DataOp, Group, Kernels, Loop},
    core::{Alloca, Bin, BinKind, Cast, CastKind, Load, Store, int, int_width},
    flow::Flow,
    par::LoopTest,
};
use accrue_hostcall::Action;
use accrue_ir::walk;
use pliron::{
    builtin::{
        attributes::BoolAttr,
        op_interfaces::{OneOpdInterface, OneRegionInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::{Op, op_cast},
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashSet;

use crate::{
    arguments::action,
    attributes::{ROUND_COUNT, ROUNDS, RoundsId, TEST},
    own_memory::add_round,
    par_loops::{drop_clause, reductions},
};
use accrue_opt::{
    State,
    analysis::{
        trip::Dimension,
        variables::{Root, root_of},
    },
};

const NAME: &str = "rounds";

/// Iterations of all loops over gangs in a round, up to which launches cost more than they save.
const FEW_ITERATIONS: i128 = 256;

/// Operations of which the number of rounds may be computed: programs for the launch are short.
const MOST_OPERATIONS: usize = 12;

/// Leaves loops of all `kernels` constructs to their launches.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    for kernels in walk::nested::<Kernels>(ctx, module.get_operation()) {
        let ops = walk::ops_of_region(ctx, kernels.get_region(ctx));
        // What parts of the construct share must have a place, since the loops are no more.
        if ops.iter().any(|op| has_run_time_length(ctx, *op)) {
            continue;
        }
        let loops = ops
            .into_iter()
            .filter_map(|op| Operation::get_op::<Loop>(op, ctx));
        let known = KnownAtLaunch::of(ctx, kernels);
        let found: Vec<InOrder> = loops
            .filter_map(|lp| InOrder::of(ctx, lp, &known))
            .collect();
        if found.is_empty() {
            continue;
        }
        let round = add_round(ctx, kernels);
        for (index, lp) in found.into_iter().enumerate() {
            let message =
                "loop is in order: the launch runs the kernels of an iteration as often as it says";
            state.remark(ctx, lp.lp.get_operation(), NAME, message.to_string());
            lp.unfold(ctx, kernels, round, RoundsId(index as u32));
        }
    }
}

/// A loop that becomes rounds.
struct InOrder {
    lp: Loop,
    dimension: Dimension,
    /// The first loop over gangs in its body.
    first: Ptr<Operation>,
}

impl InOrder {
    fn of(ctx: &Context, lp: Loop, known: &KnownAtLaunch) -> Option<InOrder> {
        let levels = lp.levels(ctx).unwrap_or_default();
        let plain = [Group::Private, Group::Tile]
            .into_iter()
            .all(|group| lp.clause(ctx, group).is_empty());
        let (bounds, dims) = (lp.bounds(ctx), lp.dims(ctx));
        let ([bounds], [dim]) = (bounds.as_slice(), dims.as_slice()) else {
            return None;
        };
        if !levels.is_sequential() || !plain {
            return None;
        }
        let dimension = Dimension::new(ctx, *bounds, *dim).ok()?;
        let step = dimension.constant_step?;
        let counted = dim.test != LoopTest::Ne || step.abs() == 1;
        let mut left = MOST_OPERATIONS;
        let is_known = counted
            && [bounds.0, bounds.1]
                .into_iter()
                .all(|bound| known.holds(ctx, bound, &mut left));
        let ops = walk::ops_of_block(ctx, lp.get_body(ctx, 0));
        let gang_loops: Vec<Loop> = ops
            .iter()
            .filter_map(|op| Operation::get_op::<Loop>(*op, ctx))
            .filter(|inner| inner.levels(ctx).is_some_and(|levels| levels.gang))
            .collect();
        let first = gang_loops.first()?.get_operation();
        let movable = ops.iter().all(|op| is_movable(ctx, *op));
        (is_known && movable && !do_little(ctx, &gang_loops)).then_some(InOrder {
            lp,
            dimension,
            first,
        })
    }

    /// Puts the operations of the body in the place of the loop.
    fn unfold(&self, ctx: &mut Context, kernels: Kernels, round: Value, id: RoundsId) {
        let operation = self.lp.get_operation();
        let before = operation.deref(ctx).get_prev();
        let ty = int(ctx, 64);
        let noted = Emitter::before(ctx, kernels.get_operation()).alloca(ty, None);
        let mut e = Emitter::before(ctx, self.first);
        let last = self.first.deref(e.ctx).get_prev();
        let count = self.dimension.count(&mut e);
        e.store(count, noted);
        let store = self.first.deref(ctx).get_prev();
        let mut at = store;
        while let Some(new) = at.filter(|op| Some(*op) != last) {
            TEST.set(ctx, new, BoolAttr::new(true));
            at = new.deref(ctx).get_prev();
        }
        if let Some(op) = store
            && let Some(store) = Operation::get_op::<Store>(op, ctx)
        {
            ROUND_COUNT.set(ctx, op, BoolAttr::new(true));
            // It is for the pass `outline`: nothing reads the variable.
            store.set_volatile(ctx);
        }
        let mut e = Emitter::before(ctx, operation);
        let index = e.load(round);
        let counter = self.dimension.at(&mut e, index);
        let body = self.lp.get_body(ctx, 0);
        let argument = body.deref(ctx).get_argument(0);
        argument.replace_all_uses_with(ctx, &counter);
        for op in walk::ops_of_block(ctx, body) {
            if Operation::is_op::<acc::Yield>(op, ctx) {
                Operation::erase(op, ctx);
            } else {
                op.unlink(ctx);
                op.insert_before(ctx, operation);
            }
        }
        let mut at = operation.deref(ctx).get_prev();
        while let Some(op) = at.filter(|op| Some(*op) != before) {
            ROUNDS.set(ctx, op, id);
            at = op.deref(ctx).get_prev();
        }
        // Its iterations take turns with what it reduces: the variables are used as they are.
        let reductions = reductions(ctx, self.lp);
        Operation::erase(operation, ctx);
        for reduction in reductions {
            drop_clause(ctx, reduction);
        }
    }
}

/// Whether an operation of a loop's body may stand without the loop: nothing in it leaves the iteration.
fn is_movable(ctx: &Context, op: Ptr<Operation>) -> bool {
    !has_run_time_length(ctx, op) && stays(ctx, op, Around::default())
}

/// Whether an operation is the declaration of an array whose length only the run knows.
fn has_run_time_length(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::get_op::<Alloca>(op, ctx).is_some_and(|local| local.count(ctx).is_some())
}

/// What is around an operation, inside of the loop's body.
#[derive(Clone, Copy, Default)]
struct Around {
    takes_break: bool,
    takes_continue: bool,
}

/// Whether no jump in `op` leads out of the body.
fn stays(ctx: &Context, op: Ptr<Operation>, around: Around) -> bool {
    let around = match Flow::of(ctx, op) {
        Flow::Break if !around.takes_break => return false,
        Flow::Continue if !around.takes_continue => return false,
        Flow::Return => return false,
        Flow::Loop(_) | Flow::For(_) | Flow::Shared => Around {
            takes_break: true,
            takes_continue: true,
        },
        Flow::Switch(_) => Around {
            takes_break: true,
            ..around
        },
        Flow::Break | Flow::Continue => around,
        Flow::Next | Flow::Once | Flow::If(_) | Flow::Yield => around,
    };
    walk::regions_of(ctx, op)
        .into_iter()
        .flat_map(|region| walk::ops_of_region(ctx, region))
        .all(|inner| stays(ctx, inner, around))
}

/// Whether a round has so few iterations that one gang is done with them before the kernels are launched.
fn do_little(ctx: &Context, loops: &[Loop]) -> bool {
    let iterations = |lp: &Loop| -> Option<i128> {
        lp.bounds(ctx)
            .into_iter()
            .map(|(lower, upper, _)| Some((constant(ctx, upper)? - constant(ctx, lower)?).abs()))
            .product()
    };
    let inner = |lp: &Loop| -> Option<i128> {
        let all = walk::nested::<Loop>(ctx, lp.get_operation());
        let inside: Option<i128> = all
            .iter()
            .filter(|inner| inner.get_operation() != lp.get_operation())
            .map(iterations)
            .product();
        Some(iterations(lp)?.saturating_mul(inside?))
    };
    let all: Option<i128> = loops.iter().map(inner).sum();
    all.is_some_and(|iterations| iterations <= FEW_ITERATIONS)
}

/// The variables of a construct whose values the launch knows: it passes them, and kernels only read them.
pub struct KnownAtLaunch(HashSet<Root>);

impl KnownAtLaunch {
    pub fn of(ctx: &Context, kernels: Kernels) -> KnownAtLaunch {
        let mut entries = kernels.clause(ctx, Group::Data);
        entries.extend(kernels.clause(ctx, Group::Firstprivate));
        let by_value = entries.into_iter().filter_map(|entry| {
            let object = Operation::get_op_dyn(entry.defining_op()?, ctx);
            let data = op_cast::<dyn DataOp>(&*object)?;
            root_of(ctx, data.var(ctx)?).filter(|_| action(ctx, data) == Action::Value)
        });
        let mut known: HashSet<Root> = by_value.collect();
        let ops = walk::ops_of_region(ctx, kernels.get_region(ctx)).into_iter();
        for op in ops.flat_map(|op| walk::nested_ops(ctx, op).into_iter().chain([op])) {
            if Operation::is_op::<Load>(op, ctx) {
                continue;
            }
            for operand in walk::operands_of(ctx, op) {
                if let Some(root) = root_of(ctx, operand) {
                    known.remove(&root);
                }
            }
        }
        KnownAtLaunch(known)
    }

    /// Whether the variable at `address` is one of them.
    pub fn has(&self, ctx: &Context, address: Value) -> bool {
        root_of(ctx, address).is_some_and(|root| self.0.contains(&root))
    }

    /// Whether a number is computed of these and constants alone, by at most `left` operations.
    fn holds(&self, ctx: &Context, value: Value, left: &mut usize) -> bool {
        if constant(ctx, value).is_some() {
            return true;
        }
        // Programs for the launch have numbers of these widths.
        let is_wide = matches!(int_width(ctx, value.get_type(ctx)), Some(32 | 64));
        let Some(op) = value.defining_op().filter(|_| is_wide && *left > 0) else {
            return false;
        };
        *left -= 1;
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            return self.has(ctx, load.get_operand_address(ctx));
        }
        if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
            let widths = matches!(
                cast.kind(ctx),
                CastKind::SExt | CastKind::ZExt | CastKind::Trunc
            );
            return widths && self.holds(ctx, cast.get_operand(ctx), left);
        }
        Operation::get_op::<Bin>(op, ctx).is_some_and(|bin| {
            let kind = bin.kind(ctx);
            (kind.ring().is_some() || kind == BinKind::DivS)
                && self.holds(ctx, bin.get_operand_lhs(ctx), left)
                && self.holds(ctx, bin.get_operand_rhs(ctx), left)
        })
    }
}
