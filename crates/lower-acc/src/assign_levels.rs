//! Pass `assign-levels`: spreads the loops of compute constructs over gangs, workers and vector lanes
//! (OpenACC 3.4, sections 2.9.2 to 2.9.9).
//!
//! `gang`, `worker`, `vector` and `seq` mean what they say. A loop that may run in parallel but has no level gets one by
//! its place in the nest:
//!
//! ```text
//! single loop        gang vector
//! two loops          gang / vector
//! three and more     gang / worker / vector, the rest sequential
//! ```
//!
//! Programs that were written for other compilers have nests in `kernels` whose loops ask for levels that they cannot all have. Where an
//! inner loop asks for the outermost level of the one around, or one further out, levels are given by place ([`grids`]); else workers and
//! lanes are the innermost loop's:
//!
//! ```text
//! gang vector / gang vector          gang / vector
//! vector / gang / gang vector        gang / worker / vector
//! gang vector / vector               gang / vector
//! ```
//! In `parallel` and in routines such a nest is an error.
//!
//! Of three and more loops without a level, the two outermost are one, over gangs and workers, where the others are no more than a part of what is in
//! them ([`joined`]).
//!
//! A loop in `kernels` that asks for workers or lanes alone has the gangs, too, if they are free.
//!
//! A level is free for a loop when no loop around it has that level or one further in, and no loop inside, and no function
//! called there, asks for that level or one further out. In `serial` only the vector level is given; in `kernels` and `serial` a loop takes part
//! when it is `independent` or [`crate::dependence`] has proven it. A loop in a function that regions call has the levels
//! that its function works at ([`crate::routines`]).
//!
//! In `kernels`, an inner loop that has few iterations, or whose iterations access elements far apart, leaves the lanes to the loop around it ([`lanes_outside`]); so do
//! inner loops where most of the work between them runs in order ([`sequential_work`]).
//!
//! A loop over gangs alone is spread over lanes, too, if nothing in it uses them ([`idle_lanes`]), and over workers if the data
//! say how long the loops over lanes in it are ([`rows_of_data`]).
//!
//! Loops over different gang dimensions may be inside each other, those over higher ones outside ([`gang_dims`]).

mod deep_nests;
mod grids;
mod joined;
mod nesting;
mod remarks;

use accrue_dialects::core::layout::{Records, records};
use accrue_dialects::{
    acc::{ClauseOp, ComputeOp, Group, Kernels, Loop, LoopClauses, Parallel, Serial},
    core,
    par::{GangDim, Level, Levels},
};
use accrue_ir::walk;
use std::collections::HashSet;

use pliron::{
    builtin::ops::ModuleOp,
    context::Context,
    op::{Op, op_cast},
    operation::Operation,
};

use crate::{
    attributes::{APART, JOINED},
    device_types::applies,
    gang_dims, gang_private, idle_lanes, lanes_outside,
    routine_dims::RoutineDims,
    routines::{self, Routines, is_orphaned},
    rows_of_data, sequential_work,
};
use accrue_opt::{State, Subject};
use nesting::{check_nesting, granted};
use remarks::{note_apart, remark_independence, remark_reductions};

const NAME: &str = "assign-levels";

/// Assigns levels in all compute constructs.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let routines = Routines::of_module(ctx, module);
    let records = records(ctx, module);
    let constructs: Vec<_> = walk::nested_ops(ctx, module.get_operation())
        .into_iter()
        .filter(|op| op_cast::<dyn ComputeOp>(&*Operation::get_op_dyn(*op, ctx)).is_some())
        .collect();
    let told_apart = constructs.iter().copied();
    let told_apart: HashSet<_> = told_apart
        .filter(|construct| gang_dims::are_used(ctx, *construct, state))
        .collect();
    let of_routines = RoutineDims::of_module(ctx, module, &told_apart, state.target);
    for lp in walk::nested::<Loop>(ctx, module.get_operation()) {
        if is_orphaned(ctx, lp.get_operation()) {
            routines::check_loop(ctx, lp, &routines, state);
            of_routines.check_loop(ctx, lp, state);
            gang_dims::check(ctx, lp, state);
            check_nesting(ctx, lp, state);
            let dims = of_routines.are_told_apart_around(ctx, lp.get_operation());
            assign(ctx, lp, dims, (&routines, &records), state);
            routines::check_reductions(ctx, lp, state);
        }
    }
    for op in constructs {
        let dims = told_apart.contains(&op);
        if let Some(kernels) = Operation::get_op::<Kernels>(op, ctx).filter(|_| !dims) {
            grids::settle(ctx, kernels, state);
        }
        if !dims {
            joined::join(ctx, op, (&routines, &records), state);
        }
        for lp in walk::nested::<Loop>(ctx, op) {
            gang_dims::check(ctx, lp, state);
            check_nesting(ctx, lp, state);
            gang_private::check(ctx, lp, state);
            assign(ctx, lp, dims, (&routines, &records), state);
        }
        for lp in walk::nested::<core::Loop>(ctx, op) {
            let message = "each thread runs it by itself: it has no loop directive".to_string();
            state.remark(ctx, lp.get_operation(), NAME, message);
        }
    }
    routines::check_calls(ctx, module, (&routines, &of_routines), state);
}

/// The levels that the user asked for, outermost first.
pub fn asked(clauses: &LoopClauses) -> Vec<Level> {
    let all = [
        (&clauses.gang, Level::Gang),
        (&clauses.worker, Level::Worker),
        (&clauses.vector, Level::Vector),
    ];
    all.into_iter()
        .filter(|(types, _)| applies(types))
        .map(|(_, level)| level)
        .collect()
}

/// The name of a level in clauses.
pub fn name(level: Level) -> &'static str {
    match level {
        Level::Gang => "gang",
        Level::Worker => "worker",
        Level::Vector => "vector",
    }
}

/// `dims`: the construct around it tells gang dimensions apart.
fn assign(
    ctx: &mut Context,
    lp: Loop,
    dims: bool,
    (routines, records): (&Routines, &Records),
    state: &mut State,
) {
    let clauses = lp.clauses(ctx);
    let independent = is_independent(ctx, lp);
    let mut levels = Levels {
        independent,
        ..Levels::default()
    };
    let wanted = asked(&clauses);
    let dim = dims.then(|| gang_dims::dim(ctx, lp, state.target));
    let free = free_levels(ctx, lp, dim, routines);
    let seq = applies(&clauses.seq);
    let (mut lost, mut by_user) = (vec![], false);
    let why = if seq {
        levels.independent = false;
        "the user asked for seq"
    } else if !independent && is_only_offered(ctx, lp) {
        "it has no loop directive"
    } else if !independent {
        "it is not known to be independent"
    } else {
        remark_independence(ctx, lp, state);
        let left: Vec<_> = granted(ctx, lp)
            .into_iter()
            .filter(|l| around_allows(ctx, lp, *l, dim, routines))
            .collect();
        by_user = !left.is_empty();
        let has_inner = has_parallel_loop_inside(ctx, lp, (routines, records))
            && !sequential_work::outweighs(ctx, lp, records);
        let spare = left == [Level::Gang]
            && dim.is_none()
            && !has_inner
            && free.contains(&Level::Vector)
            && idle_lanes::may_be_used(ctx, lp, records);
        let in_kernels = walk::enclosing::<Kernels>(ctx, lp.get_operation()).is_some();
        let idle = in_kernels && by_user && dim.is_none() && free.first() == Some(&Level::Gang);
        let gangs_too = idle && !left.contains(&Level::Gang);
        let mut chosen = match (by_user, spare) {
            (true, true) => vec![Level::Gang, Level::Vector],
            (true, false) if gangs_too => [&[Level::Gang], left.as_slice()].concat(),
            (true, false) => left,
            (false, _) if is_only_offered(ctx, lp) => vec![],
            (false, _) => by_place(&free, has_inner),
        };
        let rows = chosen == [Level::Gang]
            && dim.is_none()
            && has_inner
            && free.contains(&Level::Worker)
            && rows_of_data::want_workers(ctx, lp, records, state);
        let joined = JOINED.is_on(ctx, lp.get_operation())
            && chosen == [Level::Gang]
            && free.contains(&Level::Worker);
        if rows || joined {
            chosen.push(Level::Worker);
        }
        for level in chosen {
            match level {
                Level::Gang => levels.gang = true,
                Level::Worker => levels.worker = true,
                Level::Vector => levels.vector = true,
            }
        }
        let given = levels.list();
        lost.extend(wanted.iter().filter(|l| !given.contains(*l)).copied());
        let serial = walk::enclosing::<Serial>(ctx, lp.get_operation()).is_some();
        if serial {
            (levels.gang, levels.worker) = (false, false);
        }
        match (by_user, levels.is_sequential()) {
            (_, true) if serial => "a serial construct has one gang and one worker",
            (false, true) if is_only_offered(ctx, lp) => "it has no loop directive",
            (false, true) if is_short(ctx, lp) => {
                "a loop around it has the lanes, since this one has few iterations"
            }
            (false, true) if has_left_lanes(ctx, lp) => {
                "the loop around it has the lanes, whose iterations access adjacent elements"
            }
            (false, true) if is_outweighed(ctx, lp, records) => {
                "a loop around it has the lanes, since most of its work runs in order"
            }
            (false, true) if has_left_lanes_to_owner(ctx, lp, records) => {
                "a loop around it has the lanes: it works for one iteration of that alone"
            }
            (false, true) => "the loops around and inside it have taken all levels",
            (false, false) if rows => {
                "chosen by its place in the nest, a warp for each row: rows are short, or only the data say how long they are"
            }
            (false, false) => "chosen by its place in the nest",
            (true, _) if spare && !serial => "as the user asked, and nothing in it uses the lanes",
            (true, _) if rows && !serial => {
                "as the user asked, and a warp for each row: rows are short, or only the data say how long they are"
            }
            (true, _) if gangs_too => "as the user asked, and over gangs, which nothing else uses",
            (true, _) => "as the user asked",
        }
    };
    let is_apart = APART.is_on(ctx, lp.get_operation());
    let in_order_yet = is_apart && !state.target.tells_apart;
    if is_apart {
        levels.independent = !levels.is_sequential();
        note_apart(ctx, lp, levels.independent && !in_order_yet, state);
    }
    lp.set_levels(ctx, levels);
    // What nobody asked for can be over all gangs.
    let one_dim = wanted.contains(&Level::Gang)
        || is_in_gang_loop(ctx, lp)
        || is_orphaned(ctx, lp.get_operation());
    let dim = dim.filter(|_| levels.gang && one_dim);
    if let Some(dim) = dim {
        lp.set_gang_dim(ctx, dim);
    }
    let list: Vec<_> = levels
        .list()
        .into_iter()
        .map(|level| match (level, dim) {
            (Level::Gang, Some(dim)) => gang_dims::name(dim),
            (level, _) => name(level).to_string(),
        })
        .collect();
    let what = if list.is_empty() {
        "sequential".to_string()
    } else {
        list.join(" ")
    };
    let free_around = |level| around_allows(ctx, lp, level, dim, routines);
    let but: String = lost
        .iter()
        .map(|level| {
            let place = match free_around(*level) {
                true => "inside",
                false => "around",
            };
            format!("; {} is taken by a loop {place} it", name(*level))
        })
        .collect();
    if in_order_yet {
        return;
    }
    state.remark_on(
        ctx,
        lp.get_operation(),
        Subject::Levels {
            levels: levels.list(),
            by_user: seq || by_user,
        },
        NAME,
        format!("loop is {what}: {why}{but}"),
    );
    if lost.contains(&Level::Gang) && list.is_empty() {
        gang_dims::check_lost_reductions(ctx, lp, state);
    }
    remark_reductions(ctx, lp, &list, state);
}

/// Whether a loop without `auto` or `seq` is `independent` (2.9.6): in `parallel`, and outside of compute constructs.
pub fn is_asserted(ctx: &Context, lp: Loop) -> bool {
    walk::enclosing::<Parallel>(ctx, lp.get_operation()).is_some()
        || is_orphaned(ctx, lp.get_operation())
}

/// Whether iterations may run at the same time: the user says so, by `independent` or by a loop in `parallel` or in a
/// routine that is not `auto`, or dependence analysis has proven it.
pub fn is_independent(ctx: &Context, lp: Loop) -> bool {
    let clauses = lp.clauses(ctx);
    let proven = lp.levels(ctx).is_some_and(|l| l.independent);
    let auto = applies(&clauses.auto) || clauses.implicit;
    proven || applies(&clauses.independent) || (is_asserted(ctx, lp) && !auto)
}

/// The levels that a loop without level clauses may take, outermost first. `dim`: the gang dimension for it, where these
/// are told apart.
fn free_levels(ctx: &Context, lp: Loop, dim: Option<GangDim>, routines: &Routines) -> Vec<Level> {
    let inside = walk::nested::<Loop>(ctx, lp.get_operation());
    let asked_inside = inside.iter().flat_map(|l| granted(ctx, *l));
    let asked_inside = asked_inside
        .chain(routines.called(ctx, lp.get_operation()))
        .min();
    let all = [Level::Gang, Level::Worker, Level::Vector].into_iter();
    // Gangs are not waited for in a routine, nor by those of one dimension, so that their parts of a reduction would not
    // come together.
    let alone = is_orphaned(ctx, lp.get_operation()) || dim.is_some();
    let reduces =
        alone && !lp.clause(ctx, Group::Reduction).is_empty() || gang_private::are_reduced(ctx, lp);
    let free = all.filter(|l| {
        asked_inside.is_none_or(|a| *l < a)
            && around_allows(ctx, lp, *l, dim, routines)
            && !(reduces && *l == Level::Gang)
    });
    let free = free.filter(|l| *l != Level::Gang || !gang_private::are_filled(ctx, lp));
    free.collect()
}

/// Whether no loop around `lp` has `level` or one further in, and its routine, if it is in one, works at that level or
/// one further out. Loops over higher gang dimensions than `dim` leave it the gang level.
fn around_allows(
    ctx: &Context,
    lp: Loop,
    level: Level,
    dim: Option<GangDim>,
    routines: &Routines,
) -> bool {
    if is_orphaned(ctx, lp.get_operation())
        && routines.around(ctx, lp).is_none_or(|own| level < own)
    {
        return false;
    }
    let mut around = walk::enclosing::<Loop>(ctx, lp.get_operation());
    while let Some(outer) = around {
        let taken = outer.levels(ctx).map(Levels::list).unwrap_or_default();
        let higher = dim.is_some_and(|dim| outer.gang_dim(ctx).is_some_and(|outer| outer > dim));
        if taken
            .iter()
            .any(|l| *l >= level && !(*l == Level::Gang && higher))
        {
            return false;
        }
        around = walk::enclosing::<Loop>(ctx, outer.get_operation());
    }
    true
}

/// Whether a loop around `lp` is spread over gangs.
pub fn is_in_gang_loop(ctx: &Context, lp: Loop) -> bool {
    let mut around = walk::enclosing::<Loop>(ctx, lp.get_operation());
    while let Some(outer) = around {
        if outer.levels(ctx).is_some_and(|levels| levels.gang) {
            return true;
        }
        around = walk::enclosing::<Loop>(ctx, outer.get_operation());
    }
    false
}

/// Whether nobody asks anything of the loop, which is in a loop of `parallel` that has the lanes where they are best: it runs in parallel in
/// versions for launches of few iterations only ([`crate::each_gang`]). Loops of [`deep_nests`] have levels by their place.
fn is_only_offered(ctx: &Context, lp: Loop) -> bool {
    let mut around = walk::enclosing::<Loop>(ctx, lp.get_operation());
    let mut alone = false;
    while let Some(outer) = around {
        alone |= asked(&outer.clauses(ctx)) == [Level::Gang];
        around = walk::enclosing::<Loop>(ctx, outer.get_operation());
    }
    lp.clauses(ctx).implicit && is_asserted(ctx, lp) && !alone && !deep_nests::is_in(ctx, lp)
}

/// Whether a loop inside `lp`, or in a function called there, may run in parallel.
fn has_parallel_loop_inside(
    ctx: &Context,
    lp: Loop,
    (routines, records): (&Routines, &Records),
) -> bool {
    let inside = walk::nested::<Loop>(ctx, lp.get_operation());
    inside.into_iter().any(|l| {
        let parallel = is_independent(ctx, l) && !applies(&l.clauses(ctx).seq);
        parallel
            && !is_only_offered(ctx, l)
            && !lanes_outside::leaves_lanes_within(ctx, lp, l)
            && !lanes_outside::leaves_lanes_to_nest(ctx, lp, l)
            && !lanes_outside::leaves_lanes_to_owner(ctx, lp, l, records)
    }) || routines.called(ctx, lp.get_operation()).is_some()
}

/// Whether a loop around it has the lanes because this one has few iterations.
fn is_short(ctx: &Context, lp: Loop) -> bool {
    let mut around = walk::enclosing::<Loop>(ctx, lp.get_operation());
    while let Some(outer) = around {
        if outer.levels(ctx).is_some_and(|levels| levels.vector) {
            return lanes_outside::has_few_iterations(ctx, outer, lp);
        }
        around = walk::enclosing::<Loop>(ctx, outer.get_operation());
    }
    false
}

/// Whether the loop has left the lanes to the one around it.
fn has_left_lanes(ctx: &Context, lp: Loop) -> bool {
    let outer = walk::enclosing::<Loop>(ctx, lp.get_operation());
    outer.is_some_and(|outer| lanes_outside::leaves_lanes(ctx, outer, lp))
}

/// Whether the outermost loop has the lanes because this one works for one of its iterations alone.
fn has_left_lanes_to_owner(ctx: &Context, lp: Loop, records: &Records) -> bool {
    let mut outermost = lp;
    while let Some(around) = walk::enclosing::<Loop>(ctx, outermost.get_operation()) {
        outermost = around;
    }
    outermost.levels(ctx).is_some_and(|levels| levels.vector)
        && lanes_outside::leaves_lanes_to_owner(ctx, outermost, lp, records)
}

/// Whether a loop around it has the lanes because most of its work runs in order.
fn is_outweighed(ctx: &Context, lp: Loop, records: &Records) -> bool {
    let mut around = walk::enclosing::<Loop>(ctx, lp.get_operation());
    while let Some(outer) = around {
        let has_lanes = outer.levels(ctx).is_some_and(|levels| levels.vector);
        if has_lanes {
            return sequential_work::outweighs(ctx, outer, records);
        }
        around = walk::enclosing::<Loop>(ctx, outer.get_operation());
    }
    false
}

/// The levels for a loop with `free` levels: an inner loop keeps the vector level for itself.
fn by_place(free: &[Level], has_inner: bool) -> Vec<Level> {
    let outermost = free
        .first()
        .copied()
        .filter(|l| *l != Level::Vector || !has_inner);
    let innermost = free
        .last()
        .copied()
        .filter(|l| *l == Level::Vector && !has_inner);
    match (outermost, innermost) {
        // Workers are for the middle of a nest.
        (Some(Level::Worker), Some(vector)) => vec![vector],
        (Some(outer), Some(inner)) if outer != inner => vec![outer, inner],
        (Some(level), _) | (None, Some(level)) => vec![level],
        (None, None) => vec![],
    }
}
