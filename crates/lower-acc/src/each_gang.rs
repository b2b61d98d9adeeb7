//! Pass `each-gang` (GPUs): versions of kernels for launches of few iterations.
//!
//! ```text
//! #pragma acc kernels loop independent            accrue_k0_0:       j over gangs and lanes, i sequential
//! for (j = 0; j < m; j++) {                   →   accrue_k0_0_each:  j over gangs, i over lanes
//!     double s = 0;
//!     for (i = 0; i < n; i++)
//!         s += a[i * m + j];
//!     mean[j] = s / n;
//! }
//! ```
//! A thread for each iteration is best where these are many: nothing has to be brought together, and lanes access adjacent elements. Where
//! they are few, most of a GPU waits for some threads that run long loops: 16 sums of 65536 elements took 27 times CUDA's time. How many
//! there are is known at the launch, which takes this version for up to as many as pay ([`most`]), if the loops inside are long
//! ([`fewest_inside`]).
//!
//! Where the program gives the gangs to a loop of few iterations, and the lanes to long ones inside, the GPU waits for some gangs of 128
//! lanes likewise. Launches of up to [`MOST_WIDE`] iterations, whose loops inside have four for each lane of a wider gang, take a copy of
//! the kernel with [`WIDE_VECTOR`] lanes: filters of 64 channels of 32768 samples took 4.5 times CUDA's time.
//!
//! Several gangs for each iteration are better still, where what is in it allows that ([`crate::split_gangs`]).
//!
//! A kernel has the first version if
//! 1. all it has is one loop over gangs and lanes, to which its place has given them, and which reduces nothing but scalars that the loops
//!    inside do not touch or reduce, too;
//! 2. there are loops inside that are independent, if only where memory behind arguments does not overlap, or but for sums that they keep in
//!    memory ([`crate::inferred_reductions::in_memory`]), that no clause wants in order, and that are not known to be short; of a nest the outermost such, or the innermost whose lanes come to elements side by side;
//! 3. there is no other loop in it beside these, but for what sets or stores a few elements ([`OF_ONE_LANE`]).
//!
//! If the loop reduces something, gangs have partial results, and there are only as many as run at once. Then a gang for each row is
//! best for any number of them: nothing but rows that lanes walk along side by side is left of a sum over an array of two dimensions
//! without such a version, for which no grid has a thread for each element (the largest change of a Jacobi iteration).
//!
//! Cost: linear in the size of the module, and of the versions that are made.

use accrue_abi::launch::{LONG_VECTOR, WARP, WIDE_VECTOR};
use accrue_dialects::{
    acc::{ClauseOp, DataOp, Group, Loop, Reduction},
    core::{Call, Externs, Load, Store, is_scalar, pointee},
    flow::Flow,
    par::{
        GangDim, Levels, Reduce, kernel_of,
        kernels::{APART, ASKED_LANES, Lanes, OPEN_SHAPE, VersionKind},
    },
};
use accrue_ir::walk::{self, directly_in, nested, nested_ops};
use accrue_opt::{
    State, Switch,
    analysis::{gang_trip::fewest_inside, straight::PureFunctions},
    gpu::versions,
    transform::level_queries::query,
};
use pliron::{
    builtin::{
        attributes::BoolAttr,
        op_interfaces::OneRegionInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::{collections::HashSet, iter::successors};

use crate::{
    attributes::{self, SUMS},
    device_types::applies,
    inferred_reductions::in_memory::Sums,
    lanes_outside::{Accesses, accesses},
    sequential_work::constant_iterations,
    split_gangs,
};

/// Iterations of a loop inside that are not worth the lanes.
const SHORT: u64 = 64;

/// Iterations of a loop over gangs for which these are wide: so many fill an H200.
const MOST_WIDE: u64 = 512;

/// Iterations that a launch may have in any case.
const MOST_GANGS: u64 = 1 << 24;

/// Iterations of a loop beside those that one lane runs while the others wait.
const OF_ONE_LANE: u64 = 8;

/// Makes the versions of all kernels that can have one.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let gangs = &state.target.gangs;
    let fits = gangs.handed_out && gangs.most_lanes >= LONG_VECTOR;
    if !fits || state.off.is_off(Switch::EachGang) {
        return;
    }
    let externs = Externs::of_module(ctx, module.get_operation());
    let sums = Sums::of_module(ctx, module);
    let pure = PureFunctions::of(ctx, module);
    for function in directly_in::<FuncOp>(ctx, module.get_operation()) {
        if make_split(ctx, (function, &sums), &externs, &pure) {
            continue;
        }
        if gangs.most_lanes >= WIDE_VECTOR && may_be_wide(ctx, function, &externs) {
            let kind = VersionKind::EachGang {
                least: 1,
                most: MOST_WIDE,
                lanes: WIDE_VECTOR,
            };
            versions::behind(ctx, function, kind);
            continue;
        }
        let Some((outer, inner)) = loops(ctx, function, (&externs, &sums)) else {
            continue;
        };
        let kind = VersionKind::EachGang {
            least: 1,
            most: most(ctx, outer, &inner),
            lanes: LONG_VECTOR,
        };
        let noted = |lp: &Loop| SUMS.get(ctx, lp.get_operation());
        let apart = inner
            .iter()
            .any(|lp| is_apart(ctx, *lp) || noted(lp).is_some_and(|sums| sums.apart));
        let spread = [(levels(true, false), None), (levels(false, true), None)];
        make(
            ctx,
            (function, &sums),
            (kind, apart),
            [vec![outer], inner],
            spread,
        );
    }
}

/// Levels of a loop whose iterations are independent.
fn levels(gang: bool, vector: bool) -> Levels {
    Levels {
        gang,
        vector,
        independent: true,
        ..Levels::default()
    }
}

/// Makes a version of the kernel whose loops, in two groups, have these levels and dimensions of gangs, and reduce the sums that they keep in
/// memory; `apart`: it is right only where memory does not overlap.
fn make(
    ctx: &mut Context,
    (function, sums): (FuncOp, &Sums),
    (kind, apart): (VersionKind, bool),
    loops: [Vec<Loop>; 2],
    spread: [(Levels, Option<GangDim>); 2],
) {
    let numbers = loops.map(|loops| numbers(ctx, function, &loops));
    let Some(version) = versions::behind(ctx, function, kind) else {
        return;
    };
    if apart {
        APART.set(ctx, version.get_operation(), BoolAttr::new(true));
    }
    let copies = nested::<Loop>(ctx, version.get_operation());
    for (numbers, (levels, dim)) in numbers.into_iter().zip(spread) {
        for copy in numbers.into_iter().filter_map(|number| copies.get(number)) {
            copy.set_levels(ctx, levels);
            if let Some(dim) = dim {
                copy.set_gang_dim(ctx, dim);
            }
            if SUMS.is_on(ctx, copy.get_operation()) {
                sums.reduce(ctx, *copy);
            }
        }
    }
}

/// Makes the version of a kernel with several gangs for each iteration, if it can have one; whether it does.
fn make_split(
    ctx: &mut Context,
    (function, sums): (FuncOp, &Sums),
    externs: &Externs,
    pure: &PureFunctions,
) -> bool {
    let op = function.get_operation();
    let lanes = match ASKED_LANES.get(ctx, op) {
        Some(Lanes(asked)) if asked >= WARP && asked % WARP == 0 => Some(asked.min(WIDE_VECTOR)),
        Some(Lanes(_)) => None,
        None => OPEN_SHAPE.is_on(ctx, op).then_some(WIDE_VECTOR),
    };
    let several = kernel_of(ctx, &function).is_some_and(|kernel| !kernel.single_gang);
    let (Some(lanes), true) = (lanes, several && !asks(ctx, function, externs)) else {
        return false;
    };
    let Some(split) = split_gangs::split(ctx, function, pure) else {
        return false;
    };
    let kind = VersionKind::SplitGangs {
        most: split_gangs::MOST,
        lanes,
    };
    let spread = [
        (levels(true, false), Some(GangDim::Three)),
        (levels(true, true), Some(GangDim::One)),
    ];
    let loops = [vec![split.outer], split.inner];
    make(ctx, (function, sums), (kind, split.apart), loops, spread);
    true
}

/// Whether gangs of the kernel may have more lanes: one loop has the gangs, loops inside have the lanes, and nobody says how many.
fn may_be_wide(ctx: &Context, function: FuncOp, externs: &Externs) -> bool {
    let op = function.get_operation();
    let all = nested::<Loop>(ctx, op);
    let Some((outer, others)) = all.split_first() else {
        return false;
    };
    let levels = |lp: &Loop| lp.levels(ctx).unwrap_or_default();
    let over_gangs = levels(outer).gang && !levels(outer).worker && !levels(outer).vector;
    let reduces = !outer.clause(ctx, Group::Reduction).is_empty();
    let inside = |lp: &Loop| {
        walk::is_inside(ctx, lp.get_operation(), outer.get_region(ctx))
            && !levels(lp).gang
            && !levels(lp).worker
    };
    let is_open = kernel_of(ctx, &function).is_some_and(|kernel| !kernel.single_gang)
        && OPEN_SHAPE.is_on(ctx, op)
        && outer.gang_dim(ctx).is_none();
    let long = |lp: &Loop| {
        let count = constant_iterations(ctx, *lp);
        levels(lp).vector
            && count.is_none_or(|count| count >= u64::from(fewest_inside(WIDE_VECTOR)))
    };
    is_open
        && over_gangs
        && !reduces
        && others.iter().all(inside)
        && others.iter().any(long)
        && !asks(ctx, function, externs)
}

/// Whether the kernel asks for its levels' sizes.
fn asks(ctx: &Context, function: FuncOp, externs: &Externs) -> bool {
    let mut calls = nested::<Call>(ctx, function.get_operation()).into_iter();
    calls.any(|call| query(ctx, externs, call).is_some())
}

/// The loop that is to have the gangs of a version of the kernel, and those that are to have its lanes; `None` for kernels without such.
fn loops(
    ctx: &Context,
    function: FuncOp,
    (externs, sums): (&Externs, &Sums),
) -> Option<(Loop, Vec<Loop>)> {
    let op = function.get_operation();
    let kernel = kernel_of(ctx, &function)?;
    let reduces = !nested::<Reduce>(ctx, op).is_empty();
    if kernel.single_gang || reduces || !OPEN_SHAPE.is_on(ctx, op) || asks(ctx, function, externs) {
        return None;
    }
    let all = nested::<Loop>(ctx, op);
    let (outer, others) = all.split_first()?;
    let levels = outer.levels(ctx)?;
    let one_dim = outer.gang_dim(ctx).is_none();
    let only = others.iter().all(|lp| {
        walk::is_inside(ctx, lp.get_operation(), outer.get_region(ctx))
            && lp.levels(ctx).is_none_or(Levels::is_sequential)
    });
    let tiled = !outer.clause(ctx, Group::Tile).is_empty();
    let spread = levels.gang && levels.vector && !levels.worker;
    if !spread || !one_dim || !only || tiled {
        return None;
    }
    let inner = outermost(ctx, others, sums).into_iter();
    let inner: Vec<_> = inner.map(|lp| along_rows(ctx, lp, sums)).collect();
    let fits = !inner.is_empty()
        && inner.iter().all(|lp| reduces_alike(ctx, *outer, *lp))
        && are_all(ctx, function, *outer, &inner);
    fits.then_some((*outer, inner))
}

/// Whether `inner` touches of what `outer` reduces only scalars that it reduces itself, so that its lanes have their own.
fn reduces_alike(ctx: &Context, outer: Loop, inner: Loop) -> bool {
    let own = reduced(ctx, inner);
    let region = inner.get_region(ctx);
    reduced(ctx, outer).into_iter().all(|variable| {
        let mut uses = variable.uses(ctx).into_iter().map(|at| at.user_op());
        let direct = |op| {
            [
                Operation::is_op::<Load>,
                Operation::is_op::<Store>,
                Operation::is_op::<Reduction>,
            ]
            .iter()
            .any(|is| is(op, ctx))
        };
        pointee(ctx, variable).is_some_and(|ty| is_scalar(ctx, ty))
            && uses.all(|op| {
                direct(op) && (own.contains(&variable) || !walk::is_inside(ctx, op, region))
            })
    })
}

/// The variables that the loop's clauses reduce.
fn reduced(ctx: &Context, lp: Loop) -> Vec<Value> {
    let clauses = lp.clause(ctx, Group::Reduction).into_iter();
    let reductions =
        clauses.filter_map(|it| Operation::get_op::<Reduction>(it.defining_op()?, ctx));
    reductions
        .filter_map(|reduction| reduction.var(ctx))
        .collect()
}

/// Of a nest of loops the innermost, if all may have the lanes and its lanes come to elements side by side; else the loop itself.
fn along_rows(ctx: &Context, outer: Loop, sums: &Sums) -> Loop {
    match outermost(ctx, &nested::<Loop>(ctx, outer.get_operation()), sums).as_slice() {
        [only] if is_nest(ctx, outer, *only) && accesses(ctx, outer, *only) == Accesses::Rows => {
            along_rows(ctx, *only, sums)
        }
        _ => outer,
    }
}

/// Whether `inner` and what is in it are all that is repeated in `outer`, and neither reduces anything.
fn is_nest(ctx: &Context, outer: Loop, inner: Loop) -> bool {
    let direct = walk::enclosing::<Loop>(ctx, inner.get_operation());
    let loops = |lp: Loop| {
        let ops = nested_ops(ctx, lp.get_operation()).into_iter();
        ops.filter(|op| Flow::of(ctx, *op).is_any_loop()).count()
    };
    direct.map(|lp| lp.get_operation()) == Some(outer.get_operation())
        && loops(outer) == loops(inner) + 1
        && !reduces(ctx, inner)
}

/// Whether the loop reduces something, or would where its lanes have it.
fn reduces(ctx: &Context, lp: Loop) -> bool {
    !lp.clause(ctx, Group::Reduction).is_empty() || SUMS.is_on(ctx, lp.get_operation())
}

/// Those of the loops, which stand in the order of the text, that may have the lanes, and are in no other such.
fn outermost(ctx: &Context, loops: &[Loop], sums: &Sums) -> Vec<Loop> {
    let mut found: Vec<Loop> = vec![];
    for lp in loops {
        let proven = lp.levels(ctx).is_some_and(|levels| levels.independent);
        let independent = proven || is_apart(ctx, *lp) || sums.are_known(ctx, *lp);
        let open = !applies(&lp.clauses(ctx).seq);
        let long = constant_iterations(ctx, *lp).is_none_or(|count| count > SHORT);
        let is_in =
            |around: &Loop| walk::is_inside(ctx, lp.get_operation(), around.get_region(ctx));
        if independent && open && long && !found.iter().any(is_in) {
            found.push(*lp);
        }
    }
    found
}

/// Whether the loop's iterations are independent where memory does not overlap.
fn is_apart(ctx: &Context, lp: Loop) -> bool {
    attributes::APART.is_on(ctx, lp.get_operation())
}

/// Whether all loops of the kernel are `outer`, `inner`, in or around these, or so short that one lane may run them.
fn are_all(ctx: &Context, function: FuncOp, outer: Loop, inner: &[Loop]) -> bool {
    let short = nested::<Loop>(ctx, function.get_operation()).into_iter();
    let short = short.filter(|lp| is_of_one_lane(ctx, *lp));
    let known: HashSet<_> = inner
        .iter()
        .copied()
        .chain(short)
        .flat_map(|lp| {
            nested_ops(ctx, lp.get_operation())
                .into_iter()
                .chain([lp.get_operation()])
        })
        .chain(inner.iter().flat_map(|lp| around(ctx, *lp)))
        .chain([outer.get_operation()])
        .collect();
    let mut all = nested_ops(ctx, function.get_operation()).into_iter();
    all.all(|op| known.contains(&op) || !Flow::of(ctx, op).is_any_loop())
}

/// The loops around `lp`.
fn around(ctx: &Context, lp: Loop) -> impl Iterator<Item = Ptr<Operation>> {
    let next = |op: &Ptr<Operation>| walk::enclosing::<Loop>(ctx, *op).map(|lp| lp.get_operation());
    successors(next(&lp.get_operation()), next)
}

/// Whether the loop has no more iterations than are worth one lane's time, and no loops inside.
fn is_of_one_lane(ctx: &Context, lp: Loop) -> bool {
    let inside = nested_ops(ctx, lp.get_operation()).into_iter();
    constant_iterations(ctx, lp).is_some_and(|count| count <= OF_ONE_LANE)
        && !inside.map(|op| Flow::of(ctx, op)).any(Flow::is_any_loop)
}

/// How many iterations the loop may have for a gang to each: on an H200, where 16384 threads fill an eighth of the GPU.
fn most(ctx: &Context, outer: Loop, inner: &[Loop]) -> u64 {
    let all = inner.iter().map(|lp| accesses(ctx, outer, *lp));
    let any_number = reduces(ctx, outer) || !inner.iter().any(|lp| reduces(ctx, *lp));
    match all.max() {
        // Each lane comes to a line of its own, of which the neighbouring gangs want the rest.
        Some(Accesses::Columns) => 1024,
        Some(Accesses::Other) | None => 8192,
        // Lanes come to lines together, as threads with an iteration each do not. Only bringing together a sum for each
        // row costs more than that where rows are many.
        Some(Accesses::Rows) if any_number => MOST_GANGS,
        Some(Accesses::Rows) => 32768,
    }
}

/// Where the loops stand among those of the function.
fn numbers(ctx: &Context, function: FuncOp, loops: &[Loop]) -> Vec<usize> {
    let all = nested::<Loop>(ctx, function.get_operation());
    let number = |lp: &Loop| {
        let mut all = all.iter();
        all.position(|other| other.get_operation() == lp.get_operation())
    };
    loops.iter().filter_map(number).collect()
}
