//! Pass `reductions`: turns the reductions of kernels into the builtins of the par dialect (seed: OpenACC reductions in
//! GCC, section "Early Builtins").
//!
//! A reduction variable has two lives. Around the loop it is the RESULT: a mapped variable (a kernel parameter) or a
//! private one. In the loop it is the LOCAL, a variable of this thread; all uses inside mean it. An inner loop that reduces
//! the same variable thus has the outer LOCAL as its RESULT.
//!
//! ```text
//! par.reduce [loop 1, Add …] (%sum)                %l = core.alloca
//! par.fork gang 1                                  %a1 = par.red_setup gang (1,0) result %sum
//! core.for … { … core.load %sum … }      →         par.fork gang 1
//! par.join gang 1                                  %a2 = par.red_init …    core.store %a2, %l
//!                                                  core.for … { … core.load %l … }
//!                                                  %a3 = core.load %l      par.lock gang 1
//!                                                  %a4 = par.red_fini …    par.unlock gang 1
//!                                                  par.join gang 1
//!                                                  %a5 = par.red_teardown gang (1,0) result %sum
//! ```
//!
//! Rules:
//! - several levels on one loop: the builtins of the inner level stand inside those of the outer one, on the same LOCAL;
//! - a worker or vector reduction into a mapped variable is wrapped by a dummy gang reduction with the same identifiers;
//! - a variable that the kernel also uses outside of its reductions is marked ([`crate::reductions::results_in_use`]);
//! - a gang reduction into a private variable does nothing by itself: each gang keeps its part, which the reduction around
//!   it consumes, such as one on the construct;
//! - a reduction on the construct is a null gang loop ([`accrue_dialects::par::CONSTRUCT`]) around the whole kernel;
//! - an array is reduced by address: its LOCAL is an array that the builtins change in place; a section of constant length
//!   likewise, subscripts of the variable then leading to the LOCAL;
//! - a struct has one LOCAL, and a reduction of its own for each member;
//! - of a declared reduction the members stay together ([`accrue_dialects::par::declared`]); LOCAL starts with what the initializer gives;
//! - an array whose length only the program knows has no LOCAL ([`crate::reductions::updates`]).

pub mod declared_functions;
pub mod delayed;
mod extremum;
pub mod members;
pub mod objects;
mod other_elements;
pub mod results_in_use;
pub mod updates;
pub mod verifier;

use accrue_dialects::core::dead_code::erase_dead_in;
use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    core,
    par::{
        CONSTRUCT, Fork, Join, Level, Lock, RedFini, RedInit, RedSetup, RedTeardown, Reduce,
        Reduced, ReductionInfo, Unlock, declared, kernel_of,
    },
};
use accrue_ir::{diagnostic::error_at, walk};
use pliron::{
    builtin::{
        op_interfaces::OneRegionInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::inserter::Inserter,
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    value::Value,
};

use std::collections::HashSet;

use crate::{
    State,
    reductions::declared_functions::TOO_MUCH,
    reductions::members::Records,
    reductions::objects::{Form, Item, LoopLevels, form, redirect_uses},
    reductions::updates as reduction_updates,
};

/// Expands the reductions of all kernels and of the functions that they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let records = Records::of_module(ctx, module);
    for func in walk::directly_in::<FuncOp>(ctx, module.get_operation()) {
        let mut groups = groups(ctx, func);
        // Beside kernels, functions that they call.
        if kernel_of(ctx, &func).is_none() && groups.is_empty() {
            continue;
        }
        // Loads of what objects of declared reductions held before.
        let mut originals = HashSet::new();
        while !groups.is_empty() {
            let (id, group) = groups.remove(0);
            let updated = expand(ctx, func, (id, &group), &records, &mut originals, state);
            for (_, inner) in &mut groups {
                inner.retain(|reduction| !updated.contains(&reduction.get_operation()));
            }
            let group = group.iter().map(|reduction| reduction.get_operation());
            for reduction in group.chain(updated) {
                Operation::erase(reduction, ctx);
            }
        }
        erase_dead_in(ctx, func.get_region(ctx));
        results_in_use::mark(ctx, func, &originals);
    }
}

/// The reductions of each loop. Outer loops come first, so that inner ones see the outer LOCAL as their variable.
fn groups(ctx: &Context, func: FuncOp) -> Vec<(u32, Vec<Reduce>)> {
    let mut groups: Vec<(u32, Vec<Reduce>)> = vec![];
    for reduction in walk::nested::<Reduce>(ctx, func.get_operation()) {
        let id = reduction.reduced(ctx).loop_id;
        match groups.iter_mut().find(|(known, _)| *known == id) {
            Some((_, group)) => group.push(reduction),
            None => groups.push((id, vec![reduction])),
        }
    }
    groups
}

/// Where the builtins of one level go: after `setup` comes the partitioned region's start, and so on.
struct Place {
    level: Level,
    /// SETUP goes before this operation, INIT after it: the fork. `None`: before and after nothing, at the reduction.
    fork: Option<Ptr<Operation>>,
    join: Option<Ptr<Operation>>,
}

/// Expands the reductions of one loop. Returns those of inner loops that this has made superfluous.
fn expand(
    ctx: &mut Context,
    func: FuncOp,
    (id, group): (u32, &[Reduce]),
    records: &Records,
    originals: &mut HashSet<Ptr<Operation>>,
    state: &mut State,
) -> Vec<Ptr<Operation>> {
    let Some(first) = group.first().map(|r| r.get_operation()) else {
        return vec![];
    };
    let forks: Vec<_> = walk::nested::<Fork>(ctx, func.get_operation())
        .into_iter()
        .filter(|f| f.loop_id(ctx) == id)
        .collect();
    let joins: Vec<_> = walk::nested::<Join>(ctx, func.get_operation())
        .into_iter()
        .filter(|j| j.loop_id(ctx) == id)
        .collect();
    let mut places: Vec<Place> = forks
        .iter()
        .map(|fork| {
            let level = fork.level(ctx);
            let join = joins
                .iter()
                .find(|j| j.level(ctx) == level)
                .map(|j| j.get_operation());
            Place {
                level,
                fork: Some(fork.get_operation()),
                join,
            }
        })
        .collect();
    if places.iter().all(|p| p.level != Level::Gang) {
        places.insert(
            0,
            Place {
                level: Level::Gang,
                fork: None,
                join: None,
            },
        );
    }
    let levels = LoopLevels {
        id,
        gang: places
            .iter()
            .any(|p| p.level == Level::Gang && p.fork.is_some()),
        inner: places.len() > 1,
    };
    let last = match joins.last() {
        Some(join) => join.get_operation(),
        None => {
            let entry = func.get_entry_block(ctx);
            let ops = walk::ops_of_block(ctx, entry);
            let Some(ret) = ops.last().copied() else {
                return vec![];
            };
            ret
        }
    };
    let (mut items, mut next_id, mut updated) = (vec![], 0, vec![]);
    for reduction in group {
        let reduced = reduction.reduced(ctx);
        match form(
            ctx,
            *reduction,
            &reduced,
            records,
            levels,
            &mut next_id,
            first,
        ) {
            Form::Plain => {}
            Form::Object(object) => {
                if redirect_uses(ctx, &object, first, last) {
                    items.extend(object.items);
                } else {
                    other_use(ctx, *reduction, &reduced, state);
                }
            }
            Form::WithoutLocal if declared::number_of(reduced.operator).is_some() => {
                too_much(ctx, *reduction, &reduced, state);
            }
            Form::WithoutLocal => {
                let inner = reduction_updates::update_result(
                    ctx,
                    *reduction,
                    &reduced,
                    (first, last),
                    state,
                );
                updated.extend(inner);
            }
            Form::TooMuch => too_much(ctx, *reduction, &reduced, state),
        }
    }
    let loaded = items
        .iter()
        .filter_map(|item: &Item| item.original?.defining_op());
    originals.extend(loaded);
    if !items.is_empty() {
        enter(ctx, first, &places, &mut items);
        leave(ctx, id, last, &places, &mut items);
    }
    updated
}

fn other_use(ctx: &Context, reduction: Reduce, reduced: &Reduced, state: &mut State) {
    state.error(
        ctx,
        reduction.get_operation(),
        format!(
            "the region uses `{}` other than by subscripts of these elements",
            reduced.spelling
        ),
        "2.9.11",
        "reduce into a scalar or a local array and add it to the section afterwards",
    );
}

fn too_much(ctx: &Context, reduction: Reduce, reduced: &Reduced, state: &mut State) {
    let message = format!(
        "the declared reduction of `{}` {TOO_MUCH}",
        reduced.spelling
    );
    let help = "reduce a smaller struct, or its members by operators of C";
    let error = error_at(ctx, reduction.get_operation(), message);
    let error = error.help(help).openmp("5.5.11");
    if !state.diagnostics.contains(&error) {
        state.diagnostics.push(error);
    }
}

/// Whether `item` takes part in the reduction of `level`.
fn takes_part(item: &Item, level: Level) -> bool {
    level != Level::Gang || item.mapped
}

/// SETUP and INIT of all levels, outermost first; then the LOCAL variables get their start.
fn enter(ctx: &mut Context, first: Ptr<Operation>, places: &[Place], items: &mut [Item]) {
    let mut e = Emitter::before(ctx, first);
    for place in places {
        if let Some(fork) = place.fork {
            e = Emitter::before(e.ctx, fork);
        }
        builtin(&mut e, items, place.level, |ctx, info, local, result| {
            RedSetup::new(ctx, info, local, result).get_operation()
        });
        if let Some(fork) = place.fork {
            e.go_after(fork);
        }
        builtin(&mut e, items, place.level, |ctx, info, local, result| {
            RedInit::new(ctx, info, local, result).get_operation()
        });
    }
    for item in items.iter().filter(|i| !i.by_address) {
        e.store(item.current, item.local);
    }
}

/// FINI, between LOCK and UNLOCK, and TEARDOWN of all levels, innermost first; then private RESULTs get their value.
fn leave(ctx: &mut Context, id: u32, last: Ptr<Operation>, places: &[Place], items: &mut [Item]) {
    let innermost = places.iter().rev().find_map(|p| p.join).unwrap_or(last);
    let mut e = Emitter::before(ctx, innermost);
    for item in items.iter_mut() {
        extremum::without_sign_of_zero(&mut e, item);
        if !item.by_address {
            item.current = e.load(item.local);
        }
    }
    for place in places.iter().rev() {
        if let Some(join) = place.join {
            e = Emitter::before(e.ctx, join);
        } else if id != CONSTRUCT {
            // A dummy gang reduction, after the last join.
            e.go_after(last_after(e.ctx, last));
        }
        if items.iter().any(|i| takes_part(i, place.level)) {
            let lock = Lock::new(e.ctx, place.level, id);
            e.push(lock);
            builtin(&mut e, items, place.level, |ctx, info, local, result| {
                RedFini::new(ctx, info, local, result).get_operation()
            });
            let unlock = Unlock::new(e.ctx, place.level, id);
            e.push(unlock);
        }
        if let Some(join) = place.join {
            e.go_after(join);
        }
        builtin(&mut e, items, place.level, |ctx, info, local, result| {
            RedTeardown::new(ctx, info, local, result).get_operation()
        });
    }
    into_originals(&mut e, items);
    for item in items.iter().filter(|i| !i.mapped) {
        if item.by_address {
            let copy = core::Copy::new(e.ctx, item.result, item.local);
            e.push(copy);
        } else {
            e.store(item.current, item.result);
        }
    }
}

/// Private objects of declared reductions are combined with what the originals held before.
fn into_originals(e: &mut Emitter, items: &mut [Item]) {
    let mut at = 0;
    while let Some(first) = items.get(at) {
        let operator = first.info.operator;
        let private = declared::number_of(operator).filter(|_| !first.mapped);
        let near = e.inserter.get_insertion_block(e.ctx);
        let near = near.and_then(|block| block.deref(e.ctx).get_parent_op(e.ctx));
        let length = near.and_then(|near| declared::together(e.ctx, near, operator).ok());
        let length = length.unwrap_or(1).clamp(1, items.len() - at);
        let object = &mut items[at..at + length];
        at += length;
        let original: Option<Vec<Value>> = object.iter().map(|item| item.original).collect();
        let (Some(number), Some(original)) = (private, original) else {
            continue;
        };
        let own: Vec<Value> = object.iter().map(|item| item.current).collect();
        // The functions of the reduction are there: its objects have begun.
        if let Ok(values) = declared::combine(e, number, &original, &own) {
            for (item, value) in object.iter_mut().zip(values) {
                item.current = value;
            }
        }
    }
}

/// The last of the TEARDOWNs that follow `join`.
fn last_after(ctx: &Context, join: Ptr<Operation>) -> Ptr<Operation> {
    let mut at = join;
    while let Some(next) = at.deref(ctx).get_next() {
        if Operation::get_op::<RedTeardown>(next, ctx).is_none() {
            break;
        }
        at = next;
    }
    at
}

/// One builtin for every item that takes part.
fn builtin(
    e: &mut Emitter,
    items: &mut [Item],
    level: Level,
    make: fn(&mut Context, ReductionInfo, Value, Option<Value>) -> Ptr<Operation>,
) {
    for item in items.iter_mut().filter(|i| takes_part(i, level)) {
        let result = (level == Level::Gang).then_some(item.result);
        let op = make(
            e.ctx,
            ReductionInfo { level, ..item.info },
            item.current,
            result,
        );
        e.push_operation(op);
        if !item.by_address {
            item.current = op.deref(e.ctx).get_result(0);
        }
    }
}
