//! Pass `reductions`: turns the reductions of kernels into the builtins of the par dialect (seed: OpenACC reductions in
//! GCC, section "Early Builtins").
//!
//! A reduction variable has two lives. Around the loop it is the RESULT: a mapped variable (a kernel parameter) or a
//! private one. In the loop it is the LOCAL, a variable of this thread; all uses inside mean it. An inner loop that reduces
//! the same variable thus has the outer LOCAL as its RESULT.
//!
//! ```text
//! acc.reduction var(%sum) loop 1                   %l = core.alloca
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
//! - a gang reduction into a private variable does nothing by itself: each gang keeps its part, which the reduction around
//!   it consumes, such as one on the construct;
//! - a reduction on the construct is a null gang loop ([`crate::attributes::CONSTRUCT`]) around the whole kernel;
//! - an array is reduced by address: its LOCAL is an array that the builtins change in place; a section of constant length
//!   likewise, subscripts of the variable then leading to the LOCAL.

use accrue_dialects::{
    acc::{ClauseOp, DataOp, Reduction},
    core::{self, BinKind, ShapeDim, Variable, array_parts, is_scalar, pointee},
    par::{
        Fork, Join, Level, Lock, RedFini, RedInit, RedSetup, RedTeardown, ReductionId,
        ReductionInfo, Unlock, kernel_of,
    },
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::{OneRegionInterface, OneResultInterface, OperandSegmentInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};

use crate::{
    State,
    attributes::{self, CONSTRUCT, REDUCTION_LOOP, ReductionLoop},
    emit::{Emitter, constant},
    outline::is_parameter,
    slice::drop_dead,
};

/// Expands the reductions of all kernels and of the functions that they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    for func in walk::nested::<FuncOp>(ctx, module.get_operation()) {
        let groups = groups(ctx, func);
        // Beside kernels, functions that they call.
        if kernel_of(ctx, &func).is_none() && groups.is_empty() {
            continue;
        }
        for (id, group) in groups {
            expand(ctx, func, id, &group, state);
            for reduction in group {
                Operation::erase(reduction.get_operation(), ctx);
            }
        }
        drop_dead(ctx, func.get_region(ctx));
    }
}

/// The reductions of each loop. Outer loops come first, so that inner ones see the outer LOCAL as their variable.
fn groups(ctx: &Context, func: FuncOp) -> Vec<(u32, Vec<Reduction>)> {
    let mut groups: Vec<(u32, Vec<Reduction>)> = vec![];
    for reduction in walk::nested::<Reduction>(ctx, func.get_operation()) {
        let Some(ReductionLoop(id)) =
            attributes::get(ctx, reduction.get_operation(), &REDUCTION_LOOP)
        else {
            continue;
        };
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

/// One variable on its way through the levels.
struct Item {
    info: ReductionInfo,
    /// The address of the user's variable.
    variable: Value,
    /// For a section: where it starts.
    lower: Option<Value>,
    /// The address of RESULT.
    result: Value,
    mapped: bool,
    by_address: bool,
    /// The address of LOCAL.
    local: Value,
    /// LOCAL as the last builtin gave it (for an array its address).
    current: Value,
}

fn expand(ctx: &mut Context, func: FuncOp, id: u32, group: &[Reduction], state: &mut State) {
    let Some(first) = group.first().map(|r| r.get_operation()) else {
        return;
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
    let levels = (
        places
            .iter()
            .any(|p| p.level == Level::Gang && p.fork.is_some()),
        places.len() > 1,
    );
    let last = match joins.last() {
        Some(join) => join.get_operation(),
        None => {
            let entry = func.get_entry_block(ctx);
            let ops = walk::ops_of_block(ctx, entry);
            let Some(ret) = ops.last().copied() else {
                return;
            };
            ret
        }
    };
    let mut items = vec![];
    for (index, reduction) in group.iter().enumerate() {
        let id = ReductionId {
            loop_id: id,
            reduction_id: index as u32,
        };
        let Some(item) = item(ctx, *reduction, id, first, levels, state) else {
            continue;
        };
        if !redirect_uses(ctx, &item, first, last) {
            state.error(
                ctx,
                reduction.get_operation(),
                format!(
                    "the region uses `{}` other than by subscripts",
                    reduction.info(ctx).name
                ),
                "2.9.11",
                "reduce into a scalar or a local array and add it to the section afterwards",
            );
            continue;
        }
        items.push(item);
    }
    if items.is_empty() {
        return;
    }
    enter(ctx, first, &places, &mut items);
    leave(ctx, id, last, &places, &mut items);
}

/// Whether `item` takes part in the reduction of `level`.
fn takes_part(item: &Item, level: Level) -> bool {
    level != Level::Gang || item.mapped
}

/// Makes the LOCAL, before `first`. `None` when there is nothing to do, or after an error.
fn item(
    ctx: &mut Context,
    reduction: Reduction,
    id: ReductionId,
    first: Ptr<Operation>,
    (has_gang_fork, has_inner): (bool, bool),
    state: &mut State,
) -> Option<Item> {
    let variable = reduction.var(ctx)?;
    let mut mapped = is_mapped(ctx, variable);
    if !mapped && !has_inner {
        return None;
    }
    let section = !is_parameter(ctx, variable) || !is_whole(ctx, reduction);
    if mapped && section && enclosing_loop(ctx, first) {
        // A section may be another one each time. A gang has one slot to reduce into; without gangs nothing is shared.
        if has_gang_fork {
            state.error(
                ctx,
                reduction.get_operation(),
                format!(
                    "a gang reduction of the section `{}` inside a loop is not supported",
                    reduction.info(ctx).name
                ),
                "2.9.11",
                "reduce into a scalar and add it to the element afterwards",
            );
            return None;
        }
        mapped = false;
    }
    let info = reduction.info(ctx);
    let (operator, signed) = (reduction.operator(ctx), reduction.signed(ctx));
    let Some(target) = target(ctx, reduction, variable, first) else {
        state.error(
            ctx, reduction.get_operation(),
            format!("a reduction of `{}` is not supported: its size must be constant and its elements scalars", info.name),
            "2.9.11", "reduce into a local array of fixed length and add it to the section afterwards",
        );
        return None;
    };
    let mut e = Emitter::before(ctx, first);
    let name = info
        .name
        .split('[')
        .next()
        .unwrap_or_default()
        .trim()
        .to_string();
    let local = e.alloca(
        target.ty,
        Some(Variable {
            name,
            shape: info.shape,
        }),
    );
    let by_address = array_parts(e.ctx, target.ty).is_some();
    let current = if by_address {
        if !mapped {
            let copy = core::Copy::new(e.ctx, local, target.result);
            e.push(copy);
        }
        local
    } else if mapped {
        e.zero(target.ty)?
    } else {
        e.load(target.result)
    };
    // The level is set at each place.
    let info = ReductionInfo {
        level: Level::Gang,
        operator,
        signed,
        id,
    };
    Some(Item {
        info,
        variable,
        lower: target.lower,
        result: target.result,
        mapped,
        by_address,
        local,
        current,
    })
}

/// Whether `op` is in a loop or branch of the kernel.
fn enclosing_loop(ctx: &Context, op: Ptr<Operation>) -> bool {
    let parent = op.deref(ctx).get_parent_op(ctx);
    parent.is_none_or(|p| Operation::get_op::<FuncOp>(p, ctx).is_none())
}

/// What is reduced.
struct Target {
    /// Type of RESULT and LOCAL: a scalar, or an array of them.
    ty: TypeHandle,
    /// Address of RESULT.
    result: Value,
    /// For a section: where it starts.
    lower: Option<Value>,
}

/// The object that `reduction` names: the variable, or a section of constant length. `None`: not supported.
fn target(
    ctx: &mut Context,
    reduction: Reduction,
    variable: Value,
    first: Ptr<Operation>,
) -> Option<Target> {
    let ty = pointee(ctx, variable)?;
    let shape = reduction.info(ctx).shape;
    let pointer = core::pointee_of(ctx, ty);
    if pointer.is_none() && is_whole(ctx, reduction) {
        let element = innermost(ctx, ty);
        let fixed = array_parts(ctx, ty).is_some() || shape.dims.is_empty();
        return (fixed && is_scalar(ctx, element)).then_some(Target {
            ty,
            result: variable,
            lower: None,
        });
    }
    let bounds = reduction.bounds(ctx);
    let [bound] = bounds.as_slice() else {
        return None;
    };
    let extent = bound
        .clause(ctx, "extent")
        .first()
        .and_then(|v| constant(ctx, *v))?;
    let length = u64::try_from(extent).ok().filter(|l| *l > 0)?;
    let lower = bound.clause(ctx, "lowerbound").first().copied();
    let element = pointer.or_else(|| array_parts(ctx, ty).map(|(_, of)| of))?;
    if !is_scalar(ctx, element) || core::pointee_of(ctx, element).is_some() || shape.dims.len() != 1
    {
        return None;
    }
    let mut e = Emitter::before(ctx, first);
    let lower = lower.unwrap_or_else(|| e.i64(0));
    let base = if pointer.is_some() {
        e.load(variable)
    } else {
        let decay = core::Decay::new(e.ctx, variable)?;
        e.value(decay)
    };
    let start = e.ptr_add(base, lower);
    if length == 1 {
        return Some(Target {
            ty: element,
            result: start,
            lower: Some(lower),
        });
    }
    let ty: TypeHandle = core::ArrayType::get(e.ctx, length, element).into();
    let to = core::pointer(e.ctx, ty);
    let cast = core::Cast::new(e.ctx, core::CastKind::PtrCast, start, to);
    Some(Target {
        ty,
        result: e.value(cast),
        lower: Some(lower),
    })
}

/// What the elements of an array type are, at the bottom.
fn innermost(ctx: &Context, ty: TypeHandle) -> TypeHandle {
    match array_parts(ctx, ty) {
        Some((_, of)) => innermost(ctx, of),
        None => ty,
    }
}

/// Whether the object of a reduction is memory that all gangs share: a parameter, or what a pointer parameter points to.
fn is_mapped(ctx: &Context, variable: Value) -> bool {
    if is_parameter(ctx, variable) {
        return true;
    }
    let is_pointer = pointee(ctx, variable).is_some_and(|t| core::pointee_of(ctx, t).is_some());
    is_pointer
        && variable.uses(ctx).into_iter().any(|u| {
            let store = Operation::get_op::<core::Store>(u.user_op(), ctx);
            store.is_some_and(|s| {
                s.get_operand_address(ctx) == variable
                    && is_parameter(ctx, s.get_operand_value(ctx))
            })
        })
}

/// Whether the bounds of a reduction say the whole variable: none, or the constants that the declaration has as well.
pub fn is_whole(ctx: &Context, reduction: Reduction) -> bool {
    let shape = reduction.info(ctx).shape;
    reduction
        .bounds(ctx)
        .iter()
        .zip(&shape.dims)
        .all(|(bounds, dim)| {
            let lower = bounds.clause(ctx, "lowerbound").first().copied();
            let extent = bounds.clause(ctx, "extent").first().copied();
            let all = match (extent, dim) {
                (None, ShapeDim::Fixed(_)) => true,
                (Some(extent), ShapeDim::Fixed(length)) => {
                    constant(ctx, extent) == Some(i128::from(*length))
                }
                (None | Some(_), ShapeDim::Pointer | ShapeDim::Variable) => false,
            };
            all && lower.is_none_or(|l| constant(ctx, l) == Some(0))
        })
}

/// Lets everything after `first` and before `last`, at any depth, use the LOCAL. False when it uses a section in a way
/// that cannot be redirected.
fn redirect_uses(
    ctx: &mut Context,
    item: &Item,
    first: Ptr<Operation>,
    last: Ptr<Operation>,
) -> bool {
    let mut ops = vec![];
    let mut at = first.deref(ctx).get_next();
    while let Some(op) = at.filter(|op| *op != last) {
        ops.push(op);
        ops.extend(walk::nested_ops(ctx, op));
        at = op.deref(ctx).get_next();
    }
    let loop_id = Some(ReductionLoop(item.info.id.loop_id));
    ops.retain(|op| attributes::get(ctx, *op, &REDUCTION_LOOP) != loop_id);
    let mut uses = vec![];
    for op in ops {
        let operands = walk::operands_of(ctx, op).into_iter().enumerate();
        uses.extend(
            operands
                .filter(|(_, v)| *v == item.variable)
                .map(|(index, _)| (op, index)),
        );
    }
    uses.into_iter().all(|(op, index)| match item.lower {
        None => {
            Operation::replace_operand(op, ctx, index, item.local);
            true
        }
        Some(lower) => redirect_section(ctx, item, lower, op, index),
    })
}

/// Redirects a use of the variable whose section is reduced: subscripts lead to the LOCAL, a reduction of an inner loop is
/// one of the whole LOCAL.
fn redirect_section(
    ctx: &mut Context,
    item: &Item,
    lower: Value,
    user: Ptr<Operation>,
    index: usize,
) -> bool {
    if let Some(inner) = Operation::get_op::<Reduction>(user, ctx) {
        let bounds = inner.clause_index("bounds");
        for _ in inner.clause(ctx, "bounds") {
            inner.pop_from_segment(ctx, bounds);
        }
        let mut info = inner.info(ctx);
        let length = pointee(ctx, item.local)
            .and_then(|t| array_parts(ctx, t))
            .map(|(length, _)| length);
        info.shape.dims = length.into_iter().map(ShapeDim::Fixed).collect();
        inner.set_info(ctx, info);
        Operation::replace_operand(user, ctx, index, item.local);
        return true;
    }
    let base = Operation::get_op::<core::Load>(user, ctx).is_some()
        || Operation::get_op::<core::Decay>(user, ctx).is_some();
    let uses: Vec<_> = user.deref(ctx).uses().map(|u| u.user_op()).collect();
    let subscripts: Vec<_> = uses
        .iter()
        .filter_map(|u| Operation::get_op::<core::PtrAdd>(*u, ctx))
        .collect();
    if !base || subscripts.len() != uses.len() {
        return false;
    }
    for subscript in subscripts {
        let operation = subscript.get_operation();
        let mut e = Emitter::before(ctx, operation);
        let mut element = item.local;
        if item.by_address {
            let Some(decay) = core::Decay::new(e.ctx, item.local) else {
                return false;
            };
            let start = e.value(decay);
            let subscript = subscript.get_operand_index(e.ctx);
            let subscript = e.widen(subscript, false);
            let offset = e.bin(BinKind::Sub, subscript, lower);
            element = e.ptr_add(start, offset);
        }
        subscript
            .get_result(ctx)
            .replace_all_uses_with(ctx, &element);
        Operation::erase(operation, ctx);
    }
    true
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
    for item in items.iter_mut().filter(|i| !i.by_address) {
        item.current = e.load(item.local);
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
    for item in items.iter().filter(|i| !i.mapped) {
        if item.by_address {
            let copy = core::Copy::new(e.ctx, item.result, item.local);
            e.push(copy);
        } else {
            e.store(item.current, item.result);
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
