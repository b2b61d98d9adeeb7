//! Pass `unroll`: short sequential loops inside kernels for GPUs run 4, 8 or 16 iterations at a time.
//!
//! A thread of a GPU executes in order, so the counter, the test and the jump of a short loop cost as much as its body, and
//! a load of the next iteration cannot start before the test. PTX's assembler unrolls some loops, but none with a division
//! or a call in it.
//!
//! ```text
//! core.for k = lo to hi step 1 {        core.loop k = lo, while k < lo + ((hi - lo) & ~3), k += 4 {
//!   s += a[k]                      →      s += a[k]; s += a[k + 1]; s += a[k + 2]; s += a[k + 3] }
//! }                                     core.for k = … to hi step 1 { s += a[k] }        unless it is known to be empty
//! ```
//!
//! A loop of so few iterations that one group would hold them all becomes just them, with constants for the counter: then
//! it can be seen that they access adjacent elements.
//!
//! In a body that writes only local variables, the loads of four iterations come before what is done with them, so that they
//! are under way together, also those of what is left over ([`rest`]). Otherwise the order of everything stays as it is. Cost: linear in the size of the loops.

mod rest;

use accrue_dialects::core::{
    Alloca, Bin, BinKind, Call, For, ForInfo, If, Known, Loop, Store, Yield, int_width,
};
use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_ir::{
    effects::is_pure,
    walk::{directly_in, nested, nested_ops, operands_of, ops_of_block},
};
use pliron::{
    builtin::{
        op_interfaces::SingleBlockRegionInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use std::collections::HashSet;

use crate::{
    State, Switch,
    analysis::plain_accesses::{Access, PlainAccesses},
    analysis::straight::{PureFunctions, is_straight},
    gpu::forward::forward,
};

const NAME: &str = "unroll";

/// Iterations whose loads come before what is done with them.
const LOADS_AHEAD: usize = 4;
/// Larger bodies hide the cost of the loop by themselves.
const MAX_BODY: usize = 32;
/// The same where a body divides: the assembler leaves loops with divisions alone, and the next iteration's loads would wait for them.
const MAX_BODY_OF_DIVISIONS: usize = 128;
/// The same where a body has branches: the assembler has been seen to leave such loops as they are.
const MAX_BODY_OF_BRANCHES: usize = 48;
/// The same where a body does several rows (pass `rows`): it should have loads of several iterations under way all the more.
const MAX_BODY_OF_ROWS: usize = 96;
/// The same where a body reads what the gang has staged (pass `staging`): the assembler leaves loops alone that load nothing from
/// far away, and what keeps an iteration waiting then are the operations before.
const MAX_BODY_OF_STAGED: usize = 96;
/// Iterations of such a loop that become one.
const GROUP_OF_STAGED: i128 = 8;

/// Iterations that become one, for a body of so many operations: enough loads to wait for all of them together.
fn group(ctx: &Context, lp: For, operations: usize) -> i128 {
    match lp.is_staged(ctx) {
        _ if operations <= MAX_BODY / 2 => 16,
        true => GROUP_OF_STAGED,
        false => 4,
    }
}

/// Unrolls the sequential loops of kernels and of the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.unrolls || state.off.is_off(Switch::Unroll) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in directly_in::<FuncOp>(ctx, module.get_operation()) {
        let mut bodies = Bodies {
            pure: &pure,
            plain: PlainAccesses::default(),
        };
        let mut changed = false;
        for lp in nested::<For>(ctx, func.get_operation()) {
            let most = match (lp.is_jammed(ctx), lp.is_staged(ctx)) {
                (true, _) => MAX_BODY_OF_ROWS,
                (false, true) => MAX_BODY_OF_STAGED,
                (false, false) if divides(ctx, lp, &pure) => MAX_BODY_OF_DIVISIONS,
                (false, false) if has_branches(ctx, lp) => MAX_BODY_OF_BRANCHES,
                (false, false) => MAX_BODY,
            };
            if !is_candidate(ctx, lp, &pure, most) {
                continue;
            }
            let group = group(
                ctx,
                lp,
                pure.size(ctx, &nested_ops(ctx, lp.get_operation())),
            );
            let whole = few_iterations(ctx, lp, group);
            let message = match whole {
                Some((_, count)) => {
                    format!("is unrolled: its {count} iterations become straight code")
                }
                None => {
                    format!("is unrolled: {group} iterations become one")
                }
            };
            state.remark(ctx, lp.get_operation(), NAME, message);
            match whole {
                Some((first, count)) => unroll_whole(ctx, lp, first, count, &mut bodies),
                None => unroll(ctx, lp, group, &mut bodies),
            }
            changed = true;
        }
        // What an iteration leaves in a variable is what the next one begins with: addresses become constant distances.
        if changed {
            forward(ctx, func.get_operation());
        }
    }
}

/// Whether the loop has step 1, is not spread over threads, has iterations enough, and a short body without inner loops and jumps.
fn is_candidate(ctx: &Context, lp: For, pure: &PureFunctions, most: usize) -> bool {
    let op = lp.get_operation();
    let inside = nested_ops(ctx, op);
    let ty = lp.get_operand_lower(ctx).get_type(ctx);
    let wide_enough = int_width(ctx, ty).is_some_and(|w| (32..=64).contains(&w));
    wide_enough
        && !lp.is_short(ctx)
        && constant(ctx, lp.get_operand_step(ctx)) == Some(1)
        && pure.size(ctx, &inside) <= most
        && inside.into_iter().all(|op| is_straight(ctx, op, pure))
}

/// Whether the body divides by what is not constant, or takes a root, which is a sequence of instructions with a branch in it.
fn divides(ctx: &Context, lp: For, pure: &PureFunctions) -> bool {
    let mut roots = nested::<Call>(ctx, lp.get_operation()).into_iter();
    let mut inside = nested::<Bin>(ctx, lp.get_operation()).into_iter();
    roots.any(|call| pure.known(ctx, call) == Some(Known::Sqrt))
        || inside
            .any(|bin| bin.kind(ctx).divides() && constant(ctx, bin.get_operand_rhs(ctx)).is_none())
}

fn has_branches(ctx: &Context, lp: For) -> bool {
    !nested::<If>(ctx, lp.get_operation()).is_empty()
}

/// First and number of iterations, if they are known and fewer than a group has.
fn few_iterations(ctx: &Context, lp: For, group: i128) -> Option<(i128, i128)> {
    let lower = constant(ctx, lp.get_operand_lower(ctx))?;
    let upper = constant(ctx, lp.get_operand_upper(ctx))?;
    (upper - lower < group).then(|| (lower, (upper - lower).max(0)))
}

/// Puts `count` iterations in the place of the loop.
fn unroll_whole(ctx: &mut Context, lp: For, first: i128, count: i128, bodies: &mut Bodies) {
    let width = int_width(ctx, lp.get_operand_lower(ctx).get_type(ctx)).unwrap_or(64);
    let body = lp.get_body(ctx, 0);
    let iv = body.deref(ctx).get_argument(0);
    let mut ops = ops_of_block(ctx, body);
    ops.retain(|op| !Operation::is_op::<Yield>(*op, ctx));
    let mut e = Emitter::before(ctx, lp.get_operation());
    let mut copies: Vec<_> = (first..first + count)
        .map(|at| {
            let mut mapping = IrMapping::new();
            mapping.map_value(iv, e.int(width, at));
            mapping
        })
        .collect();
    copy_all(&mut e, &ops, &mut copies, bodies);
    Operation::erase(lp.get_operation(), ctx);
}

/// Copies the operations of a body for several iterations, loads ahead.
fn copy_all(
    e: &mut Emitter,
    ops: &[Ptr<Operation>],
    copies: &mut [IrMapping],
    bodies: &mut Bodies,
) {
    let late = bodies.after_loads(e.ctx, ops);
    for few in copies.chunks_mut(LOADS_AHEAD) {
        for part in [false, true] {
            for mapping in few.iter_mut() {
                for op in ops.iter().filter(|op| late.contains(op) == part) {
                    e.copy(*op, mapping);
                }
            }
        }
    }
}

/// Puts the loop over groups of iterations before `lp`, which is left with the rest.
fn unroll(ctx: &mut Context, lp: For, group: i128, bodies: &mut Bodies) {
    let (lower, upper) = (lp.get_operand_lower(ctx), lp.get_operand_upper(ctx));
    let info = lp.info(ctx);
    let body = lp.get_body(ctx, 0);
    let iv = body.deref(ctx).get_argument(0);
    let mut ops = ops_of_block(ctx, body);
    ops.retain(|op| !Operation::is_op::<Yield>(*op, ctx));
    let mut e = Emitter::before(ctx, lp.get_operation());
    let end = end_of_groups(&mut e, lower, upper, info, group);
    let width = int_width(e.ctx, lower.get_type(e.ctx)).unwrap_or(64);
    let step = e.int(width, group);
    // A plain loop up to the very end of the last group, which the assembler knows how to unroll further.
    let ty = lower.get_type(e.ctx);
    let counter = e.alloca(ty, None);
    e.store(lower, counter);
    let (groups, blocks) = Loop::new(e.ctx, false);
    e.push(groups);
    e.at_end(blocks.cond);
    let at = e.load(counter);
    let more = e.cmp(info.less(), at, end);
    e.finish(vec![more]);
    e.at_end(blocks.step);
    let at = e.load(counter);
    let next = e.bin(BinKind::Add, at, step);
    e.store(next, counter);
    e.finish(vec![]);
    e.at_end(blocks.body);
    let first = e.load(counter);
    let mut copies: Vec<_> = (0..group)
        .map(|copy| {
            let distance = e.int(width, copy);
            let here = e.bin(BinKind::Add, first, distance);
            let mut mapping = IrMapping::new();
            mapping.map_value(iv, here);
            mapping
        })
        .collect();
    let late = bodies.after_loads(e.ctx, &ops);
    copy_all(&mut e, &ops, &mut copies, bodies);
    e.finish(vec![]);
    if constant(ctx, end).is_some() && constant(ctx, end) == constant(ctx, upper) {
        Operation::erase(lp.get_operation(), ctx);
        return;
    }
    Operation::replace_operand(lp.get_operation(), ctx, 0, end);
    let known = constant(ctx, end).is_some();
    // What the gang has staged comes in whole groups, but for the last.
    if !known && !lp.is_staged(ctx) && late.len() < ops.len() {
        rest::side_by_side(ctx, lp, group, &late, bodies.pure);
    }
}

/// What is known of the bodies of the loops of a function.
struct Bodies<'a> {
    pure: &'a PureFunctions,
    /// Copies of bodies do no more with a variable.
    plain: PlainAccesses,
}

impl Bodies<'_> {
    /// What has to come after the loads of a body that writes local variables only: branches, the operations that use what is loaded
    /// from arrays, and all accesses of the variables that they write. All operations if the body writes anything else: then
    /// nothing changes places.
    fn after_loads(&mut self, ctx: &Context, ops: &[Ptr<Operation>]) -> HashSet<Ptr<Operation>> {
        // An operation, and those in it if it is a branch: what it does is done by all of them.
        let whole = |op: &Ptr<Operation>| {
            let inside = nested_ops(ctx, *op).into_iter();
            inside
                .chain([*op])
                .map(|op| (op, self.plain.of(ctx, op)))
                .collect()
        };
        let bodies: Vec<Vec<(Ptr<Operation>, Access)>> = ops.iter().map(whole).collect();
        let stays = |(op, access): &(Ptr<Operation>, Access)| match access {
            Access::Variable(_) | Access::ArrayLoad => true,
            Access::Other => {
                is_pure(ctx, *op) && op.deref(ctx).num_regions() == 0
                    || Operation::is_op::<Alloca>(*op, ctx)
                    || Operation::is_op::<If>(*op, ctx)
                    || Operation::is_op::<Yield>(*op, ctx)
                    || self.pure.is_called(ctx, *op)
            }
        };
        if !bodies.iter().flatten().all(stays) {
            return ops.iter().copied().collect();
        }
        let loads = bodies.iter().filter_map(|body| match body[..] {
            [(op, Access::ArrayLoad)] => Some(op),
            _ => None,
        });
        let loads: HashSet<Ptr<Operation>> = loads.collect();
        let mut late: HashSet<Ptr<Operation>> = HashSet::new();
        let mut set_late: HashSet<Value> = HashSet::new();
        loop {
            let before = (late.len(), set_late.len());
            for (op, body) in ops.iter().zip(&bodies) {
                let values = body.iter().flat_map(|(op, _)| operands_of(ctx, *op));
                let mut from = values.filter_map(|value| value.defining_op());
                let uses_late = from.any(|from| late.contains(&from) || loads.contains(&from));
                let variables = body.iter().filter_map(|(op, access)| match access {
                    Access::Variable(variable) => Some((*op, *variable)),
                    Access::ArrayLoad | Access::Other => None,
                });
                let variables: Vec<_> = variables.collect();
                let branches = body.len() > 1;
                if !branches && !uses_late && !variables.iter().any(|(_, v)| set_late.contains(v)) {
                    continue;
                }
                late.insert(*op);
                // What a branch reads must be what its own iteration has stored, too.
                let kept = variables
                    .iter()
                    .filter(|(op, _)| branches || Operation::is_op::<Store>(*op, ctx));
                set_late.extend(kept.map(|(_, variable)| *variable));
            }
            if (late.len(), set_late.len()) == before {
                return late;
            }
        }
    }
}

/// Where the last whole group of so many iterations ends; `lower` if there is none. The difference of the bounds is taken modulo 2^width: it is
/// used only where `lower` is below `upper`, and is right then.
pub(super) fn end_of_groups(
    e: &mut Emitter,
    lower: Value,
    upper: Value,
    info: ForInfo,
    group: i128,
) -> Value {
    let width = int_width(e.ctx, lower.get_type(e.ctx)).unwrap_or(64);
    if let (Some(low), Some(high)) = (constant(e.ctx, lower), constant(e.ctx, upper))
        && low <= high
    {
        return e.int(width, low + (high - low) / group * group);
    }
    let count = e.bin(BinKind::Sub, upper, lower);
    let whole = if group.count_ones() == 1 {
        let mask = e.int(width, -group);
        e.bin(BinKind::And, count, mask)
    } else {
        let group = e.int(width, group);
        let rest = e.bin(BinKind::RemU, count, group);
        e.bin(BinKind::Sub, count, rest)
    };
    let end = e.bin(BinKind::Add, lower, whole);
    let any = e.cmp(info.less(), lower, upper);
    e.select(any, end, lower)
}
