//! Pass `inductions`: what each iteration of a counted loop moves on by the same distance becomes a function of the counter, on GPUs.
//!
//! A pointer or an index that the source advances by hand says the same as a product with the counter, but whoever adds up addresses,
//! compares what is accessed before a loop starts, or lets a thread do several rows looks for the counter in an address.
//!
//! ```text
//!                                               from = load p
//! for k = 0 to n {                              for k = 0 to n {
//!   … *p …;  p += m                      →        … from[k * m] …
//! }                                             }
//! use(p)                                        use(from + n * m)
//! ```
//! 1. Loops that count by ones, inner ones first, are searched for variables that one store in each iteration moves on: a chain of
//!    additions to what the variable holds, of values that no iteration changes ([`crate::analysis::affine::motion`]).
//! 2. Loads in front of the store become the first value and the product, those behind it the sum that was stored; what the
//!    variable holds behind the loop is stored there, if somebody loads it: perhaps the loop itself, in the next iteration of one around.
//!
//! Pointers and numbers of 64 bits are computed modulo 2^64, as addresses are. A signed number of 32 bits does not overflow in any
//! iteration (C17, 6.5p5); the product may, and the sum, in the same width, then wraps back. Left alone are unsigned numbers of 32
//! bits, whose extension is no function of the counter, and what no address is computed from: an addition is cheaper than a product.
//!
//! Cost: linear in the size of the loops, times their depth.

use accrue_dialects::{
    core::{
        Alloca, Bin, BinKind, Cast, CmpKind, For, Load, PtrAdd, Select, Store, emit::Emitter,
        fold::constant, int_width, pointee_of,
    },
    flow::Flow,
    par::{Barrier, Edge},
};
use accrue_ir::order::Order;
use accrue_ir::walk::{is_inside, nested, nested_ops, ops_of_block, results_of};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use super::forward::{forward, reduces};
use crate::{
    State, Switch,
    analysis::{
        affine::motion::Iterations,
        variables::{is_local_scalar, is_wanted_behind},
    },
    transform::inline::device_functions,
};

const NAME: &str = "inductions";

/// Rewrites the loops of kernels and of the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.reduces_strength || state.off.is_off(Switch::Inductions) {
        return;
    }
    for func in device_functions(ctx, module) {
        let mut loops = nested::<For>(ctx, func.get_operation());
        loops.reverse();
        for lp in loops {
            let found = moved(ctx, lp);
            if found.is_empty() {
                continue;
            }
            let count = found.len();
            for moved in found {
                rewrite(ctx, lp, &moved);
            }
            let s = if count == 1 { "" } else { "s" };
            let message = format!(
                "{count} variable{s} that its iterations move on: computed from its counter"
            );
            state.remark(ctx, lp.get_operation(), NAME, message);
            // What an inner loop leaves in a variable is where the outer one goes on.
            forward(ctx, func.get_operation());
        }
    }
}

/// A variable that each iteration moves on.
struct Moved {
    variable: Value,
    store: Store,
    kind: Kind,
    /// What is added, in elements if it is a pointer; `false`: subtracted.
    terms: Vec<(bool, Value)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pointer,
    /// An integer of 64 bits.
    Wide,
    /// A signed one of 32 bits.
    Narrow,
}

fn moved(ctx: &Context, lp: For) -> Vec<Moved> {
    let inside = nested_ops(ctx, lp.get_operation());
    let is_left = |op: &Ptr<Operation>| {
        let barrier = Operation::is_op::<Barrier>(*op, ctx);
        barrier || Edge::of(ctx, *op).is_some() || Flow::of(ctx, *op) == Flow::Continue
    };
    if constant(ctx, lp.get_operand_step(ctx)) != Some(1) || inside.iter().any(is_left) {
        return vec![];
    }
    let mut iterations = Iterations::of(ctx, lp);
    let ops = ops_of_block(ctx, lp.get_body(ctx, 0));
    let stores = ops
        .into_iter()
        .filter_map(|op| Operation::get_op::<Store>(op, ctx));
    let mut order = Order::default();
    stores
        .filter_map(|store| one(ctx, lp, &mut iterations, store, &mut order))
        .collect()
}

/// What `store`, which each iteration comes to, does to its variable, if it moves it on.
fn one(
    ctx: &Context,
    lp: For,
    iterations: &mut Iterations,
    store: Store,
    order: &mut Order,
) -> Option<Moved> {
    let variable = store.get_operand_address(ctx);
    if !is_local_scalar(ctx, variable) || reduces(ctx, variable) {
        return None;
    }
    let region = lp.get_operation().deref(ctx).get_region(0);
    let alloca = variable.defining_op()?;
    let users = variable.uses(ctx).into_iter().map(|u| u.user_op());
    let stores =
        users.filter(|op| Operation::is_op::<Store>(*op, ctx) && is_inside(ctx, *op, region));
    if is_inside(ctx, alloca, region) || stores.count() != 1 {
        return None;
    }
    let mut moved = Moved {
        variable,
        store,
        kind: Kind::Pointer,
        terms: vec![],
    };
    // The counter's width: what is narrower is computed from it as it is.
    let counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    let narrow = int_width(ctx, counter.get_type(ctx)) == Some(32);
    let mut kinds = vec![];
    let mut value = store.get_operand_value(ctx);
    let start = loop {
        let op = value
            .defining_op()
            .filter(|op| is_inside(ctx, *op, region))?;
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            break load;
        }
        let (before, added, kind) = addition(ctx, iterations, op)?;
        moved.terms.push(added);
        kinds.push(kind);
        value = before;
    };
    moved.kind = kinds.first().copied()?;
    let alike = kinds.iter().all(|kind| *kind == moved.kind);
    let refused = moved.kind == Kind::Narrow && (kinds.len() > 1 || !narrow);
    let block = lp.get_body(ctx, 0);
    let ops = [start.get_operation(), store.get_operation()];
    let [read, written] = ops.map(|op| order.place(ctx, block, op));
    let first = start.get_operand_address(ctx) == variable && read? < written?;
    (first && alike && !refused && leads_to_address(ctx, variable, lp)).then_some(moved)
}

/// An operation that adds something that does not change to something else: what it is added to, and what.
fn addition(
    ctx: &Context,
    iterations: &mut Iterations,
    op: Ptr<Operation>,
) -> Option<(Value, (bool, Value), Kind)> {
    let mut fixed = |value: Value| iterations.stays(ctx, value);
    if let Some(element) = Operation::get_op::<PtrAdd>(op, ctx) {
        let index = element.get_operand_index(ctx);
        let known = int_width(ctx, index.get_type(ctx)).is_some_and(|width| width <= 64);
        let base = element.get_operand_base(ctx);
        return (known && fixed(index)).then_some((base, (true, index), Kind::Pointer));
    }
    let bin = Operation::get_op::<Bin>(op, ctx)?;
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    let width = int_width(ctx, bin.get_result(ctx).get_type(ctx))?;
    let (adds, signed) = match bin.kind(ctx) {
        BinKind::Add => (true, false),
        BinKind::AddS => (true, true),
        BinKind::Sub => (false, false),
        BinKind::SubS => (false, true),
        _ => return None,
    };
    let kind = match (width, signed) {
        (64, _) => Kind::Wide,
        (32, true) => Kind::Narrow,
        _ => return None,
    };
    match (fixed(lhs), fixed(rhs)) {
        (false, true) => Some((lhs, (adds, rhs), kind)),
        (true, false) if adds => Some((rhs, (true, lhs), kind)),
        _ => None,
    }
}

/// Whether an address in the loop is computed from what the variable holds.
fn leads_to_address(ctx: &Context, variable: Value, lp: For) -> bool {
    let region = lp.get_operation().deref(ctx).get_region(0);
    let is_pointer = variable
        .defining_op()
        .and_then(|op| Operation::get_op::<Alloca>(op, ctx))
        .is_some_and(|alloca| pointee_of(ctx, alloca.var_type(ctx)).is_some());
    let loads = variable.uses(ctx).into_iter().map(|u| u.user_op());
    let loads = loads.filter(|op| is_inside(ctx, *op, region));
    is_pointer
        || loads
            .filter_map(|op| Operation::get_op::<Load>(op, ctx))
            .any(|load| goes_into_address(ctx, load.get_result(ctx)))
}

fn goes_into_address(ctx: &Context, value: Value) -> bool {
    value.uses(ctx).into_iter().any(|u| {
        let op = u.user_op();
        let goes_on = Operation::is_op::<Bin>(op, ctx)
            || Operation::is_op::<Cast>(op, ctx)
            || Operation::is_op::<Select>(op, ctx);
        Operation::is_op::<PtrAdd>(op, ctx)
            || goes_on
                && results_of(ctx, op)
                    .into_iter()
                    .any(|result| goes_into_address(ctx, result))
    })
}

fn rewrite(ctx: &mut Context, lp: For, moved: &Moved) {
    let region = lp.get_operation().deref(ctx).get_region(0);
    let mut iterations = Iterations::of(ctx, lp);
    let users = moved.variable.uses(ctx).into_iter().map(|u| u.user_op());
    let inside: Vec<Load> = users
        .filter_map(|op| Operation::get_op::<Load>(op, ctx))
        .filter(|load| is_inside(ctx, load.get_operation(), region))
        .collect();
    let wanted_behind = is_wanted_behind(ctx, moved.variable, lp.get_operation());
    let (lower, upper) = (lp.get_operand_lower(ctx), lp.get_operand_upper(ctx));
    let unsigned = lp.info(ctx).unsigned;
    let mut e = Emitter::before(ctx, lp.get_operation());
    let start = e.load(moved.variable);
    let distance = distance(&mut e, &mut iterations, moved, lower);
    if wanted_behind {
        let mut e = Emitter::after(e.ctx, lp.get_operation());
        let before = if unsigned { CmpKind::LeU } else { CmpKind::LeS };
        let none = e.cmp(before, upper, lower);
        let end = e.select(none, lower, upper);
        let last = value_at(&mut e, moved, (start, distance), (lower, end), unsigned);
        e.store(last, moved.variable);
    }
    let block = lp.get_body(ctx, 0);
    let Some(first) = ops_of_block(ctx, block).first().copied() else {
        return;
    };
    let counter = block.deref(ctx).get_argument(0);
    let mut e = Emitter::before(ctx, first);
    let here = value_at(&mut e, moved, (start, distance), (lower, counter), unsigned);
    let next = moved.store.get_operand_value(ctx);
    let mut order = Order::default();
    let store = order.place(ctx, block, moved.store.get_operation());
    for load in inside {
        let before = order.place(ctx, block, load.get_operation()) < store;
        let value = if before { here } else { next };
        load.get_result(ctx).replace_all_uses_with(ctx, &value);
        Operation::erase(load.get_operation(), ctx);
    }
    Operation::erase(moved.store.get_operation(), ctx);
}

/// By how much an iteration moves the variable on, computed before the loop.
fn distance(e: &mut Emitter, iterations: &mut Iterations, moved: &Moved, lower: Value) -> Value {
    let width = match moved.kind {
        Kind::Pointer | Kind::Wide => 64,
        Kind::Narrow => 32,
    };
    let mut sum = None;
    for (adds, term) in &moved.terms {
        let term = iterations.at(e, *term, lower);
        let term = if width == 64 {
            e.widen(term, false)
        } else {
            term
        };
        sum = Some(match (sum, adds) {
            (None, true) => term,
            (Some(sum), true) => e.bin(BinKind::Add, sum, term),
            (sum, false) => {
                let from = sum.unwrap_or_else(|| e.int(width, 0));
                e.bin(BinKind::Sub, from, term)
            }
        });
    }
    sum.unwrap_or_else(|| e.int(width, 0))
}

/// What the variable holds where the loop, which starts at `lower`, has come to `counter`.
fn value_at(
    e: &mut Emitter,
    moved: &Moved,
    (start, distance): (Value, Value),
    (lower, counter): (Value, Value),
    unsigned: bool,
) -> Value {
    let from_zero = constant(e.ctx, lower) == Some(0);
    match moved.kind {
        Kind::Pointer | Kind::Wide => {
            let mut steps = e.widen(counter, unsigned);
            if !from_zero {
                let lower = e.widen(lower, unsigned);
                steps = e.bin(BinKind::Sub, steps, lower);
            }
            let way = e.bin(BinKind::Mul, steps, distance);
            match moved.kind {
                Kind::Pointer => e.ptr_add(start, way),
                Kind::Wide | Kind::Narrow => e.bin(BinKind::Add, start, way),
            }
        }
        Kind::Narrow => {
            let mut steps = counter;
            if !from_zero {
                steps = e.bin(BinKind::SubS, steps, lower);
            }
            let way = e.bin(BinKind::MulS, steps, distance);
            e.bin(BinKind::AddS, start, way)
        }
    }
}
