//! Pass `grid-versions` (GPUs): a version of a kernel whose grid has a thread for every iteration.
//!
//! A kernel must be right with any number of gangs, so that its loops go on in strides of all threads, count in 64 bits,
//! and collapsed ones divide to find their places. Where the launch may choose the grid, it can have the loop's own shape:
//! nothing is left to be counted or divided.
//!
//! ```text
//! loop gang            i
//!   loop worker        j      →   accrue_k0_0        as written, for any grid
//!     loop vector      k          accrue_k0_0_grid   one loop over (i, j, k), over gangs and lanes, marked to be covered
//!       body(i, j, k)
//! ```
//!
//! 1. The kernel is copied, and in the copy variables that are written once become values (pass `promote`), so that bounds
//!    are expressions of the kernel's parameters.
//! 2. What is computed between the loops of a tight nest and does not depend on them goes in front of it; the loops become
//!    one of several dimensions. A nest is tight if each loop's body is the next loop and operations without effects. Where bounds
//!    depend on loops around, as those of triangles do, the grid is a box around them ([`boxes`]). One loop that finds its places by divisions is
//!    such a nest, too ([`flat`]).
//!    A nest in whose loops over lanes loops in order go only where the memory behind arguments is apart ([`super::interchange`]) has a version for such launches. One in
//!    which loops inside store is for such launches, too, if [`super::scalar_promotion`] gains by that.
//! 3. `partition` gives the marked copy a grid instead of strides ([`crate::transform::partition`], `covering.rs`) and notes how many
//!    iterations each dimension has. Where that can be computed exactly from the arguments ([`crate::analysis::exact_trip`]), the
//!    pass `sites` offers the version to the runtime, which takes it when `num_gangs` is not given and the shape fits.
//!
//! Where something is reduced over the nest, gangs should be few: each of them leaves a partial result. Such kernels have a version if their iterations are long,
//! since there are loops in them, and what is reduced is scalars.
//!
//! Cost: a copy of each kernel that has such a nest.

use accrue_dialects::{
    address_use::object_of,
    core::emit::Emitter,
    core::{Alloca, Call, Externs, Store, Yield, is_scalar, pointee},
    flow::Flow,
    par::{
        Elements, Levels, Loop, Reduce, TileSizes, kernel_of,
        kernels::{APART, IF_APART, VERSION, VersionKind},
    },
};
use accrue_ir::{
    effects::is_pure,
    walk::{directly_in, nested, nested_ops, operands_of, ops_of_block},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        attributes::BoolAttr,
        op_interfaces::{SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::{HashMap, HashSet};

use crate::{
    State, Switch,
    analysis::{
        parameters::is_behind_parameters, straight::PureFunctions, variables::is_in_variable,
    },
    gpu::{
        fused_lanes::fuse,
        interchange::{Memory, interchange},
        promote::promote_all,
        versions,
    },
};
use boxes::{Boxes, Dim};
use flat::{may_divide, unflatten};

mod boxes;
mod factors;
mod flat;
mod order;

/// Makes the versions of all kernels that can have one.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if !state.target.gangs.handed_out || state.off.is_off(Switch::Grid) {
        return;
    }
    let functions: HashMap<String, FuncOp> = directly_in::<FuncOp>(ctx, module.get_operation())
        .into_iter()
        .map(|f| (f.get_symbol_name(ctx).to_string(), f))
        .collect();
    let externs = Externs::of_module(ctx, module.get_operation());
    let pure = PureFunctions::of(ctx, module);
    let mut kernels: Vec<_> = functions
        .iter()
        .filter(|(_, f)| may_have(ctx, **f))
        .collect();
    kernels.sort_by_key(|(name, _)| *name);
    for (_, kernel) in kernels {
        if nested::<Call>(ctx, kernel.get_operation())
            .iter()
            .any(|call| shares_out(ctx, &call.callee(ctx), &functions, &mut HashSet::new()))
        {
            continue;
        }
        let Some(version) = covering(ctx, *kernel) else {
            continue;
        };
        if merge_promoted(ctx, version).is_none() {
            Operation::erase(version.get_operation(), ctx);
            if !state.off.is_off(Switch::Interchange) {
                for_apart(ctx, *kernel, &externs, &pure);
            }
            continue;
        }
        let nest = (!state.off.is_off(Switch::Nests)).then(|| nest(ctx, *kernel));
        let versions = [Some(version), nest.flatten()];
        let may_be_apart = state.target.tells_apart
            && !state.off.is_off(Switch::Accumulators)
            && updates_in_loops(ctx, version)
            && is_behind_parameters(ctx, *kernel);
        for version in versions.into_iter().flatten().filter(|_| may_be_apart) {
            IF_APART.set(ctx, version.get_operation(), BoolAttr::new(true));
        }
    }
}

/// Makes a version whose loop is a nest, if it finds its places by divisions and gains by that.
fn nest(ctx: &mut Context, kernel: FuncOp) -> Option<FuncOp> {
    if !may_divide(ctx, kernel) {
        return None;
    }
    let version = versions::behind(ctx, kernel, VersionKind::Nest)?;
    promote_all(ctx, version.get_operation());
    let top = version.get_entry_block(ctx);
    let only = only_loop(ctx, top, |ctx, op| {
        sets_variable(ctx, op) || Operation::is_op::<Reduce>(op, ctx)
    });
    let only = only.filter(|lp| {
        let levels = usable(ctx, *lp);
        levels.is_some_and(|it| it.gang && it.vector) && lp.tile(ctx).is_none()
    });
    let made = only.and_then(|lp| unflatten(ctx, version, lp));
    if made.and_then(|_| merge_nest(ctx, version)).is_none() {
        Operation::erase(version.get_operation(), ctx);
        return None;
    }
    Some(version)
}

fn covering(ctx: &mut Context, kernel: FuncOp) -> Option<FuncOp> {
    let kind = VersionKind::Grid {
        workers: false,
        boxed: false,
    };
    versions::behind(ctx, kernel, kind)
}

/// Makes a version for launches whose arguments are apart, if loops in order go into loops over lanes then.
fn for_apart(ctx: &mut Context, kernel: FuncOp, externs: &Externs, pure: &PureFunctions) {
    if !is_behind_parameters(ctx, kernel) {
        return;
    }
    let Some(version) = covering(ctx, kernel) else {
        return;
    };
    let changed = !interchange(ctx, version, pure, Memory::IsApart).is_empty();
    fuse(ctx, version, externs, pure);
    if !changed || merge_promoted(ctx, version).is_none() {
        Operation::erase(version.get_operation(), ctx);
        return;
    }
    APART.set(ctx, version.get_operation(), BoolAttr::new(true));
}

/// Whether loops inside the one that the grid covers store, which they may do at the same place again and again.
fn updates_in_loops(ctx: &Context, version: FuncOp) -> bool {
    let covered: Vec<_> = nested::<Loop>(ctx, version.get_operation())
        .into_iter()
        .filter(|lp| lp.levels(ctx).gang)
        .map(|lp| lp.get_operation())
        .collect();
    let is_loop = |op: &Ptr<Operation>| Flow::of(ctx, *op).is_any_loop() && !covered.contains(op);
    let inside = nested_ops(ctx, version.get_operation());
    let mut loops = inside.into_iter().filter(is_loop);
    loops.any(|lp| {
        let mut stores = nested::<Store>(ctx, lp).into_iter();
        stores.any(|store| !is_in_variable(ctx, store.get_operand_address(ctx)))
    })
}

fn merge_promoted(ctx: &mut Context, version: FuncOp) -> Option<()> {
    promote_all(ctx, version.get_operation());
    merge_nest(ctx, version)
}

/// Whether it is worth looking at the kernel's loops: a loop over gangs, which may be several, and one over lanes.
fn may_have(ctx: &Context, func: FuncOp) -> bool {
    let Some(kernel) = kernel_of(ctx, &func) else {
        return false;
    };
    let loops = nested::<Loop>(ctx, func.get_operation());
    let over = |by: fn(Levels) -> bool| loops.iter().any(|l| by(l.levels(ctx)));
    let reduced = nested::<Reduce>(ctx, func.get_operation());
    let has_loops = |lp: &Loop| {
        let mut inside = nested_ops(ctx, lp.get_operation()).into_iter();
        lp.levels(ctx).vector && inside.any(|op| Flow::of(ctx, op).is_any_loop())
    };
    let may_reduce = reduced.is_empty()
        || reduced.iter().all(|it| is_scalar_reduction(ctx, it)) && loops.iter().any(has_loops);
    kernel.gang_loop && !kernel.single_gang && may_reduce && over(|l| l.gang) && over(|l| l.vector)
}

fn is_scalar_reduction(ctx: &Context, reduce: &Reduce) -> bool {
    let reduced = reduce.reduced(ctx);
    let variable = reduce.get_operation().deref(ctx).get_operand(0);
    reduced.elements == Elements::Whole
        && pointee(ctx, variable).is_some_and(|ty| is_scalar(ctx, ty))
}

/// Whether the function, or one it calls, has loops that are spread over threads.
fn shares_out(
    ctx: &Context,
    name: &str,
    functions: &HashMap<String, FuncOp>,
    seen: &mut HashSet<String>,
) -> bool {
    let Some(function) = functions
        .get(name)
        .filter(|_| seen.insert(name.to_string()))
    else {
        return false;
    };
    let loops = nested::<Loop>(ctx, function.get_operation());
    loops.iter().any(|lp| !is_sequential(ctx, *lp))
        || nested::<Call>(ctx, function.get_operation())
            .iter()
            .any(|call| shares_out(ctx, &call.callee(ctx), functions, seen))
}

fn is_sequential(ctx: &Context, lp: Loop) -> bool {
    lp.levels(ctx).is_sequential()
}

/// Makes one loop of the nest that is all of the kernel; `None`, with the copy half changed, if there is no such nest.
fn merge_nest(ctx: &mut Context, version: FuncOp) -> Option<()> {
    let top = version.get_entry_block(ctx);
    let outermost = only_loop(ctx, top, |ctx, op| {
        sets_variable(ctx, op) || Operation::is_op::<Reduce>(op, ctx)
    })?;
    let mut levels = usable(ctx, outermost)?;
    let mut last = outermost;
    let mut nest = vec![outermost];
    let mut boxes = Boxes::new(outermost);
    boxes.add(ctx, outermost)?;
    while !levels.vector {
        hoist(ctx, outermost, last.get_body(ctx, 0));
        let inner = only_loop(ctx, last.get_body(ctx, 0), |ctx, op| {
            Operation::is_op::<Reduce>(op, ctx)
        })?;
        let own = usable(ctx, inner)?;
        if own.gang || !(own.worker || own.vector) {
            return None;
        }
        boxes.add(ctx, inner)?;
        levels.worker |= own.worker;
        levels.vector |= own.vector;
        nest.push(inner);
        last = inner;
    }
    let inner = nested::<Loop>(ctx, last.get_operation());
    let sequential = inner
        .iter()
        .all(|lp| *lp == last || is_sequential(ctx, *lp));
    if !levels.gang || !sequential {
        return None;
    }
    reduce_over_whole(ctx, version, outermost)?;
    if let Some(mut of) = VERSION.get(ctx, version.get_operation())
        && of.kind != VersionKind::Nest
    {
        of.kind = VersionKind::Grid {
            workers: levels.worker,
            boxed: boxes.has_tests(),
        };
        VERSION.set(ctx, version.get_operation(), of);
    }
    levels.worker = false;
    if boxes.has_tests() {
        boxes.write_tests(ctx, last);
    }
    let whole = merge(ctx, &nest, &boxes.dims, levels);
    let tiles = whole.tile(ctx).map(|sizes| sizes.0);
    let uneven = tiles.is_some_and(|sizes| sizes.iter().any(|size| *size != sizes[0]));
    if !boxes.has_tests()
        && !uneven
        && let Some(order) = order::order(ctx, whole, &boxes.dims)
    {
        reorder(ctx, whole, &order);
    }
    Some(())
}

/// What loops inside reduce is reduced by the outermost one, which there will be no other of; `None` if it does not reduce the same.
fn reduce_over_whole(ctx: &mut Context, version: FuncOp, outermost: Loop) -> Option<()> {
    let of = |reduce: &Reduce, ctx: &Context| {
        let variable = reduce.get_operation().deref(ctx).get_operand(0);
        (variable, reduce.reduced(ctx).operator)
    };
    let (whole, inner): (Vec<_>, Vec<_>) = nested::<Reduce>(ctx, version.get_operation())
        .into_iter()
        .partition(|it| it.reduced(ctx).loop_id == outermost.id(ctx).0);
    let known: Vec<_> = whole.iter().map(|it| of(it, ctx)).collect();
    if !inner.iter().all(|it| known.contains(&of(it, ctx))) {
        return None;
    }
    for reduce in inner {
        Operation::erase(reduce.get_operation(), ctx);
    }
    Some(())
}

/// The levels of a loop that a version can have: it has all gangs, if any.
fn usable(ctx: &Context, lp: Loop) -> Option<Levels> {
    let levels = lp.levels(ctx);
    (lp.gang_dim(ctx).is_none() && levels.independent).then_some(levels)
}

/// The loop that is all that happens in the block, but for what `may_be` there.
fn only_loop(
    ctx: &Context,
    block: Ptr<BasicBlock>,
    may_be: impl Fn(&Context, Ptr<Operation>) -> bool,
) -> Option<Loop> {
    let mut found = None;
    for op in ops_of_block(ctx, block) {
        match Operation::get_op::<Loop>(op, ctx) {
            Some(lp) if found.is_none() => found = Some(lp),
            Some(_) => return None,
            None if is_pure(ctx, op) || is_end(ctx, op) || may_be(ctx, op) => {}
            None => return None,
        }
    }
    found
}

/// Makes a variable of the kernel's own, or gives it, or what is in it, its first value: as good in any number of gangs.
fn sets_variable(ctx: &Context, op: Ptr<Operation>) -> bool {
    let variable = |address: Value| {
        let made = object_of(ctx, address).defining_op();
        made.is_some_and(|made| Operation::is_op::<Alloca>(made, ctx))
    };
    match Operation::get_op::<Store>(op, ctx) {
        Some(store) => variable(store.get_operand_address(ctx)),
        None => Operation::is_op::<Alloca>(op, ctx),
    }
}

fn is_end(ctx: &Context, op: Ptr<Operation>) -> bool {
    matches!(Flow::of(ctx, op), Flow::Yield | Flow::Return)
}

/// Moves what does not depend on the loops from `block` to before the outermost of them.
fn hoist(ctx: &mut Context, outermost: Loop, block: Ptr<BasicBlock>) {
    let nest = outermost.get_operation();
    for op in ops_of_block(ctx, block) {
        let fixed = is_pure(ctx, op)
            && op.deref(ctx).num_regions() == 0
            && operands_of(ctx, op)
                .into_iter()
                .all(|value| !is_inside(ctx, value, nest));
        if fixed {
            op.unlink(ctx);
            op.insert_before(ctx, nest);
        }
    }
}

/// Whether the value is made inside `around`, by an operation or as an argument of a block.
fn is_inside(ctx: &Context, value: Value, around: Ptr<Operation>) -> bool {
    let mut at = match value.defining_op() {
        Some(op) => op.deref(ctx).get_parent_op(ctx),
        None => value
            .defining_block()
            .and_then(|block| block.deref(ctx).get_parent_op(ctx)),
    };
    while let Some(op) = at {
        if op == around {
            return true;
        }
        at = op.deref(ctx).get_parent_op(ctx);
    }
    false
}

/// Replaces the nest by one loop of all these dimensions.
fn merge(ctx: &mut Context, nest: &[Loop], dims: &[Dim], levels: Levels) -> Loop {
    let tiles: Option<Vec<TileSizes>> = nest.iter().map(|lp| lp.tile(ctx)).collect();
    let outermost = nest[0];
    let mut e = Emitter::before(ctx, outermost.get_operation());
    let id = outermost.id(e.ctx);
    let (whole, body) = Loop::new(e.ctx, id, levels, None, dims);
    e.push(whole);
    if let Some(tiles) = tiles {
        let sizes = tiles.into_iter().flat_map(|sizes| sizes.0).collect();
        whole.set_tile(e.ctx, TileSizes(sizes));
    }
    let mut counters = body.deref(ctx).arguments().collect::<Vec<_>>().into_iter();
    for (index, lp) in nest.iter().enumerate() {
        let block = lp.get_body(ctx, 0);
        let own: Vec<_> = block.deref(ctx).arguments().collect();
        for (argument, counter) in own.into_iter().zip(counters.by_ref()) {
            argument.replace_all_uses_with(ctx, &counter);
        }
        for op in ops_of_block(ctx, block) {
            let inner = nest.get(index + 1).map(|lp| lp.get_operation());
            let ends_early = Operation::is_op::<Yield>(op, ctx) && inner.is_some();
            if Some(op) != inner && !ends_early {
                op.unlink(ctx);
                op.insert_at_back(body, ctx);
            }
        }
    }
    Operation::erase(outermost.get_operation(), ctx);
    whole
}

/// Replaces the loop by one with its dimensions in another order.
fn reorder(ctx: &mut Context, lp: Loop, order: &[usize]) {
    let dims = lp.dims(ctx);
    let dims: Vec<Dim> = order.iter().map(|dim| dims[*dim]).collect();
    let old = lp.get_body(ctx, 0);
    let mut e = Emitter::before(ctx, lp.get_operation());
    let (id, levels) = (lp.id(e.ctx), lp.levels(e.ctx));
    let (new, body) = Loop::new(e.ctx, id, levels, None, &dims);
    e.push(new);
    // All of one size.
    if let Some(sizes) = lp.tile(e.ctx) {
        new.set_tile(e.ctx, sizes);
    }
    for (place, dim) in order.iter().enumerate() {
        let [from, to] =
            [(old, *dim), (body, place)].map(|(block, at)| block.deref(ctx).get_argument(at));
        from.replace_all_uses_with(ctx, &to);
    }
    for op in ops_of_block(ctx, old) {
        op.unlink(ctx);
        op.insert_at_back(body, ctx);
    }
    Operation::erase(lp.get_operation(), ctx);
}
