//! Pass `interleave`: a vector loop works on several iterations at once.
//!
//! A GPU reaches its memory's rate only with many loads under way. The iterations of a partitioned loop are independent
//! (OpenACC 3.4, section 2.9), so one thread may run four of them side by side, operation by operation, with all their
//! loads before the first store:
//!
//! ```text
//!                                              core.loop while k + 3 * threads < n {
//! core.for k = thread to n step threads {        x0 = load a[k];  x1 = load a[k + threads];  x2 = …  x3 = …
//!   x = load a[k]                         →      store f(x0), b[k];  store f(x1), b[k + threads];  …
//!   store f(x), b[k]                             k += 4 * threads }
//! }                                            core.for k = k to n step threads { as before }
//! ```
//!
//! A loop with a reduction runs up to 16 of them side by side, since only as many threads as fit on the GPU share it. What is left
//! over, or all of it where a lane has fewer, goes four at a time before it goes one by one: the rows of a matrix of 1024 columns
//! give each of 128 lanes eight iterations.
//!
//! In the version of a kernel for short rows ([`super::vector_versions`]) a lane has at most 16 iterations. A loop that only loads is
//! left alone there: the assembler puts loads of several iterations together, with fewer ways through the loop than there are
//! here, which rows of four elements would all have to be asked about (a sum of such rows took 1.37 times as long).
//!
//! Stores with nothing between them but loads from elsewhere ([`crate::analysis::overlap`]) come iteration by iteration: members of a struct are then stored at once (2^20
//! structs of six floats, of which each was stored by itself in four places, took 2.4 times as long).
//!
//! What touches a variable that lives longer than an iteration (a reduction's LOCAL), and what depends on that, keeps its
//! order: it follows after the rest, iteration by iteration. What iterations only count on by themselves goes in front ([`first`]). Loops with inner loops, or with calls of other than mathematical
//! functions, are left alone: they have work enough to hide latencies, and four of them would need too many registers.
//!
//! Cost: linear in the size of the loop.

mod first;
pub(super) mod groups;
mod last;

use accrue_dialects::{
    core::emit::Emitter,
    core::{
        Alloca, Atomic, AtomicUpdate, Bin, BinKind, Decay, For, If, Load, PtrAdd, Store, Yield,
        float_width, int_width,
    },
    flow::Flow,
    par::{
        DimSize, Level,
        kernels::{ASKS_ALIAS, GANG_COPY, VERSION, VersionKind},
    },
};
use accrue_ir::{
    effects::is_pure,
    walk::{
        directly_in, is_inside, nested, nested_ops, operands_of, ops_of_block, used_from_above,
    },
};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
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

use first::First;
use groups::side_by_side;

use crate::{
    State, Switch,
    analysis::gang_trip::note_several,
    analysis::overlap::Overlap,
    analysis::records::Records,
    analysis::slice::may_write,
    analysis::straight::{PureFunctions, is_straight},
    analysis::variables::is_in_variable,
};

const NAME: &str = "interleave";

/// Iterations that a thread runs at once.
const WIDTH: usize = 4;
/// In loops with a reduction there are only as many threads as fit on the GPU, and each should have as many bytes under way
/// …
const BYTES_AT_ONCE: u64 = 64;
/// … with no more iterations than this.
const MAX_WIDTH: usize = 16;
/// Operations that ask whether an element has a copy, at least.
const QUESTION: usize = 4;
/// Larger bodies have enough to do, and four of them would need too many registers.
pub(super) const MAX_BODY: usize = 80;

/// Interleaves the loops that are spread over vector lanes, on targets where that pays.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.knows_independence || state.off.is_off(Switch::Interleave) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    let records = Records::of_module(ctx, module);
    for func in directly_in::<FuncOp>(ctx, module.get_operation()) {
        let version = VERSION.get(ctx, func.get_operation());
        let short = version.is_some_and(|version| version.kind == VersionKind::ShortRows);
        let loops = nested::<For>(ctx, func.get_operation());
        // The number of gangs is that for loops which the lanes of all of them share; what is left to the lanes of each, as the start of
        // its copies of arrays, does not matter where there are such.
        let decide: HashSet<_> = loops
            .iter()
            .filter(|lp| is_shared_by_all(ctx, lp.get_operand_step(ctx)))
            .map(|lp| lp.get_operation())
            .collect();
        for lp in loops {
            if !is_vector_loop(ctx, lp) || short && only_loads(ctx, lp) {
                continue;
            }
            let candidate = match candidate(ctx, lp, &pure) {
                Ok(candidate) => candidate,
                Err(why) => {
                    let message = format!("works on one iteration at a time: {why}");
                    state.remark(ctx, lp.get_operation(), NAME, message);
                    continue;
                }
            };
            let then = match candidate.width {
                WIDTH => String::new(),
                _ => format!(", on {WIDTH} where fewer are left"),
            };
            let message = format!("works on {} iterations at a time{then}", candidate.width);
            state.remark(ctx, lp.get_operation(), NAME, message);
            let mut overlap = Overlap::new(ctx, module, &records);
            interleave(ctx, lp, &candidate, candidate.width, &mut overlap);
            if candidate.width > WIDTH {
                interleave(ctx, lp, &candidate, WIDTH, &mut overlap);
            }
            let step = lp.get_operand_step(ctx);
            if decide.is_empty() || decide.contains(&lp.get_operation()) {
                note_several(ctx, func);
            }
            if candidate.carries || of_a_gang(ctx, step) {
                last::finish(ctx, lp, &candidate, &pure);
            }
        }
    }
}

/// Operations of a body that keep their order.
pub(super) type Late = HashSet<Ptr<Operation>>;

/// How a loop is interleaved.
struct Candidate {
    first: First,
    late: Late,
    /// A variable lives longer than an iteration.
    carries: bool,
    /// Iterations at once.
    width: usize,
}

/// Whether lanes share the iterations of the loop.
pub(super) fn is_vector_loop(ctx: &Context, lp: For) -> bool {
    let counter = lp.get_operand_lower(ctx).get_type(ctx);
    lp.info(ctx).independent
        && int_width(ctx, counter) == Some(64)
        && steps_over(ctx, lp.get_operand_step(ctx), Level::Vector)
}

/// Whether the loop changes nothing but variables.
fn only_loads(ctx: &Context, lp: For) -> bool {
    nested_ops(ctx, lp.get_operation())
        .into_iter()
        .all(|op| Operation::is_op::<Load>(op, ctx) || !touches_arrays(ctx, op))
}

/// How a vector loop is interleaved, or why it is not.
fn candidate(ctx: &Context, lp: For, pure: &PureFunctions) -> Result<Candidate, &'static str> {
    let inside = nested_ops(ctx, lp.get_operation());
    if !inside.iter().all(|op| is_straight(ctx, *op, pure)) {
        return Err("it has loops, calls or jumps in it");
    }
    // What looks into the gang's copies is done once in a while only.
    let rare: usize = inside.iter().map(|op| asks_for_copy(ctx, *op)).sum();
    if pure.size(ctx, &inside).saturating_sub(rare) > MAX_BODY {
        return Err("its body is long");
    }
    if !inside.iter().any(|op| touches_arrays(ctx, *op)) {
        return Err("it accesses no arrays");
    }
    let carried =
        carried_variables(ctx, lp).ok_or("the address of a variable around it is used in it")?;
    let loaded = inside.iter().map(|op| bytes_loaded(ctx, *op)).sum::<u64>();
    let width = match (carried.is_empty(), loaded) {
        (true, _) | (_, 0) => WIDTH,
        (false, loaded) => (BYTES_AT_ONCE / loaded) as usize,
    };
    let first = first::moved_on(ctx, lp, &carried);
    let others = carried.difference(&first.variables).copied().collect();
    let mut late = late_operations(ctx, lp, &others, pure);
    // Nothing else knows of what comes first, which is not done again.
    late.retain(|op| !first.ops.contains(op));
    Ok(Candidate {
        late,
        carries: !carried.is_empty(),
        first,
        width: width.next_power_of_two().clamp(WIDTH, MAX_WIDTH),
    })
}

/// Operations in a branch for elements of which the gang has a copy, and of the question; 0 for other operations.
fn asks_for_copy(ctx: &Context, op: Ptr<Operation>) -> usize {
    let branch = Operation::get_op::<If>(op, ctx);
    let asks = branch.and_then(|branch| branch.get_operand_cond(ctx).defining_op());
    match asks.is_some_and(|asks| ASKS_ALIAS.is_on(ctx, asks)) {
        true => nested_ops(ctx, op).len() + QUESTION,
        false => 0,
    }
}

/// Bytes that a load from an array brings; 0 for other operations.
fn bytes_loaded(ctx: &Context, op: Ptr<Operation>) -> u64 {
    let Some(load) = Operation::get_op::<Load>(op, ctx).filter(|_| touches_arrays(ctx, op)) else {
        return 0;
    };
    let ty = load.get_result(ctx).get_type(ctx);
    let width = int_width(ctx, ty).or_else(|| float_width(ctx, ty));
    width.map_or(8, |bits| u64::from(bits.div_ceil(8)))
}

/// Whether the loop's step is a number of threads that counts those of `level`.
fn steps_over(ctx: &Context, step: Value, level: Level) -> bool {
    let Some(op) = step.defining_op() else {
        return false;
    };
    if let Some(size) = Operation::get_op::<DimSize>(op, ctx) {
        return size.level(ctx) == level;
    }
    Operation::get_op::<Bin>(op, ctx).is_some_and(|bin| match bin.kind(ctx) {
        BinKind::Mul => operands_of(ctx, op)
            .into_iter()
            .any(|o| steps_over(ctx, o, level)),
        _ => false,
    })
}

/// Whether the lanes of all gangs share a loop with such a step.
fn is_shared_by_all(ctx: &Context, step: Value) -> bool {
    [Level::Gang, Level::Vector]
        .iter()
        .all(|level| steps_over(ctx, step, *level))
}

/// Whether the loop's step is the number of lanes alone: it is inside of a loop over gangs, and has often few iterations for each lane.
pub(super) fn of_a_gang(ctx: &Context, step: Value) -> bool {
    step.defining_op()
        .is_some_and(|op| Operation::is_op::<DimSize>(op, ctx))
}

/// Whether `op` reads or writes something else than a variable directly.
fn touches_arrays(ctx: &Context, op: Ptr<Operation>) -> bool {
    let address = Operation::get_op::<Load>(op, ctx)
        .map(|l| l.get_operand_address(ctx))
        .or_else(|| Operation::get_op::<Store>(op, ctx).map(|s| s.get_operand_address(ctx)));
    match address {
        Some(address) => alloca_of(ctx, address).is_none(),
        None => Atomic::of(ctx, op).is_some(),
    }
}

fn alloca_of(ctx: &Context, address: Value) -> Option<Alloca> {
    Operation::get_op::<Alloca>(address.defining_op()?, ctx)
}

/// Variables made outside the loop and written in it, but for arrays that are only updated atomically, or of which each iteration only sees
/// elements of its own. `None` if the address of
/// one, or of something in one, is used in another way than for plain loads and stores.
pub(super) fn carried_variables(ctx: &Context, lp: For) -> Option<HashSet<Value>> {
    let body = lp.get_operation().deref(ctx).get_region(0);
    let mut carried = HashSet::new();
    for variable in used_from_above(ctx, body) {
        let array = alloca_of(ctx, variable);
        let computed = array.is_none();
        if array.is_some_and(|array| GANG_COPY.is_on(ctx, array.get_operation())) {
            continue;
        }
        if computed && !is_in_variable(ctx, variable) {
            continue;
        }
        let mut uses = variable
            .uses(ctx)
            .into_iter()
            .map(|u| u.user_op())
            .filter(|op| is_inside(ctx, *op, body));
        let written = |op: Ptr<Operation>| {
            !Operation::is_op::<Load>(op, ctx) && !leads_to_atomics_only(ctx, op)
        };
        if uses.clone().any(written) {
            let plain = !computed
                && uses.all(|op| match Operation::get_op::<Store>(op, ctx) {
                    Some(store) => store.get_operand_value(ctx) != variable,
                    None => !written(op),
                });
            if !plain {
                return None;
            }
            carried.insert(variable);
        }
    }
    Some(carried)
}

/// Whether `op` gives the first element of an array, for atomic updates of elements.
fn leads_to_atomics_only(ctx: &Context, op: Ptr<Operation>) -> bool {
    let Some(decay) = Operation::get_op::<Decay>(op, ctx) else {
        return false;
    };
    decay.get_result(ctx).uses(ctx).into_iter().all(|u| {
        let element = Operation::get_op::<PtrAdd>(u.user_op(), ctx);
        element.is_some_and(|element| {
            let mut uses = element.get_result(ctx).uses(ctx).into_iter();
            uses.all(|u| Operation::is_op::<AtomicUpdate>(u.user_op(), ctx))
        })
    })
}

/// The operations of the body that use a carried variable, depend on one that does, access memory after one that may
/// have changed it, or change it after one that may read it (`if (c) s += b[i]; b[i] = x;`).
pub(super) fn late_operations(
    ctx: &Context,
    lp: For,
    carried: &HashSet<Value>,
    pure: &PureFunctions,
) -> Late {
    let mut late = HashSet::new();
    let (mut late_write, mut late_read) = (false, false);
    for op in body_of(ctx, lp) {
        let all: Vec<_> = std::iter::once(op).chain(nested_ops(ctx, op)).collect();
        let uses = |value: Value| {
            carried.contains(&value) || value.defining_op().is_some_and(|d| late.contains(&d))
        };
        let depends = all
            .iter()
            .any(|o| operands_of(ctx, *o).into_iter().any(uses));
        let accesses = all.iter().any(|o| !is_register_only(ctx, *o, pure));
        let writes = all.iter().any(|o| {
            may_write(ctx, *o) && !is_register_only(ctx, *o, pure) && !is_carried(ctx, *o, carried)
        });
        if depends || (late_write && accesses) || (late_read && writes) {
            late_write |= writes;
            late_read |= all
                .iter()
                .any(|o| !is_register_only(ctx, *o, pure) && !is_carried(ctx, *o, carried));
            late.insert(op);
        }
    }
    late
}

/// Whether `op` loads or stores a carried variable.
fn is_carried(ctx: &Context, op: Ptr<Operation>, carried: &HashSet<Value>) -> bool {
    let load = Operation::get_op::<Load>(op, ctx).map(|load| load.get_operand_address(ctx));
    let store = Operation::get_op::<Store>(op, ctx).map(|store| store.get_operand_address(ctx));
    load.or(store)
        .is_some_and(|address| carried.contains(&address))
}

/// Whether `op` by itself touches no memory at all.
fn is_register_only(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
    is_pure(ctx, op) || is_control(ctx, op) || pure.is_called(ctx, op)
}

/// Whether `op` does nothing but choose what else is done.
fn is_control(ctx: &Context, op: Ptr<Operation>) -> bool {
    match Flow::of(ctx, op) {
        Flow::If(_) | Flow::Yield => true,
        Flow::Switch(_) | Flow::Loop(_) | Flow::For(_) | Flow::Shared | Flow::Once => false,
        Flow::Break | Flow::Continue | Flow::Return | Flow::Next => false,
    }
}

/// The operations of the body without its terminator.
pub(super) fn body_of(ctx: &Context, lp: For) -> Vec<Ptr<Operation>> {
    let mut ops = ops_of_block(ctx, lp.get_body(ctx, 0));
    ops.retain(|op| !Operation::is_op::<Yield>(*op, ctx));
    ops
}

/// Puts the loop over groups of `width` iterations before `lp`, which is left with the rest.
fn interleave(
    ctx: &mut Context,
    lp: For,
    candidate: &Candidate,
    width: usize,
    overlap: &mut Overlap,
) {
    let Candidate { first, late, .. } = candidate;
    let ops = body_of(ctx, lp);
    side_by_side(ctx, lp, width, None, |e, copies| {
        for mapping in copies.iter_mut() {
            for op in ops.iter().filter(|op| first.ops.contains(op)) {
                e.copy(*op, mapping);
            }
        }
        let between = |op: &&Ptr<Operation>| !first.ops.contains(op) && !late.contains(op);
        let mut stores = vec![];
        for op in ops.iter().filter(between) {
            if Operation::is_op::<Store>(*op, e.ctx) && touches_arrays(e.ctx, *op) {
                stores.push(*op);
                continue;
            }
            if !is_pure(e.ctx, *op) && !passes(e.ctx, *op, &stores, overlap) {
                store_all(e, &mut stores, copies);
            }
            for mapping in copies.iter_mut() {
                e.copy(*op, mapping);
            }
        }
        store_all(e, &mut stores, copies);
        for mapping in copies.iter_mut() {
            for op in ops.iter().filter(|op| late.contains(op)) {
                e.copy(*op, mapping);
            }
        }
    });
}

/// Whether a load may go in front of stores of its iteration; those of others are elsewhere, since iterations are independent.
fn passes(
    ctx: &Context,
    op: Ptr<Operation>,
    stores: &[Ptr<Operation>],
    overlap: &mut Overlap,
) -> bool {
    let Some(load) = Operation::get_op::<Load>(op, ctx).filter(|load| !load.is_volatile(ctx))
    else {
        return false;
    };
    let mut stores = stores
        .iter()
        .filter_map(|op| Operation::get_op::<Store>(*op, ctx));
    stores.all(|store| {
        let place = store.get_operand_address(ctx);
        !store.is_volatile(ctx) && overlap.are_apart(ctx, place, load.get_operand_address(ctx))
    })
}

/// Copies stores, those of an iteration together: what is next to each other in memory, as members of a struct are, is then stored at
/// once.
fn store_all(e: &mut Emitter, stores: &mut Vec<Ptr<Operation>>, copies: &mut [IrMapping]) {
    for mapping in copies {
        for store in stores.iter() {
            e.copy(*store, mapping);
        }
    }
    stores.clear();
}
