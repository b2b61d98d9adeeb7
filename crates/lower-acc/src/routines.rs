//! The level at which a function works that regions call (OpenACC 3.4, section 2.15.1).
//!
//! A `routine` directive says it. Without one it is the outermost level that the function's loops, or the functions it
//! calls, ask for. The loops of the function may use that level and those further in:
//!
//! ```text
//! routine gang      gang, worker, vector
//! routine worker    worker, vector
//! routine vector    vector
//! routine seq       none
//! ```
//!
//! A gang loop in a function is shared by the gangs that call it. So all of them must: such a function is not called
//! where each gang has work of its own.

use accrue_abi::symbols::shown;
use accrue_dialects::{
    acc::{
        ClauseOp, ComputeOp, DataOp, Group, Loop, Reduction, Routine, foreign_routine_of,
        name_in_program, routine_of,
    },
    core::{Call, ExternFunc},
    par::{Level, Levels},
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::{Op, op_impls},
    operation::Operation,
};
use std::collections::{HashMap, HashSet};

use crate::{
    assign_levels::{asked, name},
    device_types::applies,
    gang_dims,
    routine_dims::RoutineDims,
};
use accrue_opt::{
    State,
    analysis::variables::{Root, root_of},
};

/// The levels at which the functions of a module work, by name; `None` is `seq`.
pub struct Routines(HashMap<String, Option<Level>>);

impl Routines {
    /// One walk over the module; then each level goes from the functions that ask for it to their callers, the outermost
    /// level first.
    pub fn of_module(ctx: &Context, module: ModuleOp) -> Routines {
        let mut levels: HashMap<String, Option<Level>> = HashMap::new();
        let mut callers: HashMap<String, Vec<String>> = HashMap::new();
        let mut asking = vec![];
        let mut declared = HashSet::new();
        for func in functions(ctx, module) {
            let name = func.get_symbol_name(ctx).to_string();
            if let Some(level) = declared_level(ctx, func) {
                asking.extend(level.map(|level| (level, name.clone())));
                declared.insert(name.clone());
            } else {
                asking.extend(level_of_loops(ctx, func).map(|level| (level, name.clone())));
                for call in walk::nested::<Call>(ctx, func.get_operation()) {
                    if is_orphaned(ctx, call.get_operation()) {
                        let callers = callers.entry(call.callee(ctx)).or_default();
                        callers.push(name.clone());
                    }
                }
            }
            levels.insert(name, None);
        }
        // What another unit's function does, its declaration says.
        for func in walk::directly_in::<ExternFunc>(ctx, module.get_operation()) {
            let level = foreign_routine_of(ctx, &func).and_then(|it| level_of(&it));
            if let Some(level) = level {
                let name = func.get_symbol_name(ctx).to_string();
                levels.insert(name.clone(), None);
                asking.push((level, name));
            }
        }
        for level in [Level::Gang, Level::Worker, Level::Vector] {
            let own = asking.iter().filter(|(asked, _)| *asked == level);
            let mut pending: Vec<String> = own.map(|(_, name)| name.clone()).collect();
            while let Some(name) = pending.pop() {
                let Some(known @ None) = levels.get_mut(&name) else {
                    continue;
                };
                *known = Some(level);
                let others = callers.get(&name).into_iter().flatten();
                pending.extend(others.filter(|caller| !declared.contains(*caller)).cloned());
            }
        }
        Routines(levels)
    }

    /// The level of a function; `None` if it is `seq`, or not of the module.
    fn of(&self, name: &str) -> Option<Level> {
        self.0.get(name).copied().flatten()
    }

    /// The level at which the function around `lp` works; `None` is `seq`. Loops of compute constructs are not asked.
    pub fn around(&self, ctx: &Context, lp: Loop) -> Option<Level> {
        let func = walk::enclosing::<FuncOp>(ctx, lp.get_operation())?;
        self.of(func.get_symbol_name(ctx).as_ref())
    }

    /// The outermost level at which a function that `op` calls works; `None` if all of them are `seq`.
    pub fn called(&self, ctx: &Context, op: Ptr<Operation>) -> Option<Level> {
        let calls = walk::nested::<Call>(ctx, op).into_iter();
        calls.filter_map(|call| self.of(&call.callee(ctx))).min()
    }
}

fn functions(ctx: &Context, module: ModuleOp) -> Vec<FuncOp> {
    walk::directly_in::<FuncOp>(ctx, module.get_operation())
}

/// What the `routine` directive of a function says; `None` without one.
fn declared_level(ctx: &Context, func: FuncOp) -> Option<Option<Level>> {
    routine_of(ctx, &func).map(|routine| level_of(&routine))
}

/// The level that a `routine` directive names; `None` is `seq`.
pub fn level_of(routine: &Routine) -> Option<Level> {
    let levels = [
        (&routine.gang, Level::Gang),
        (&routine.worker, Level::Worker),
        (&routine.vector, Level::Vector),
    ];
    let mut given = levels.into_iter().filter(|(types, _)| applies(types));
    given.next().map(|(_, level)| level)
}

/// The outermost level that the loops of a function ask for, those of compute constructs aside.
fn level_of_loops(ctx: &Context, func: FuncOp) -> Option<Level> {
    let loops = walk::nested::<Loop>(ctx, func.get_operation()).into_iter();
    let orphaned = loops.filter(|l| is_orphaned(ctx, l.get_operation()));
    orphaned.flat_map(|l| asked(&l.clauses(ctx))).min()
}

/// Whether no compute construct is around `op`.
pub fn is_orphaned(ctx: &Context, op: Ptr<Operation>) -> bool {
    let mut at = op.deref(ctx).get_parent_op(ctx);
    while let Some(around) = at {
        if op_impls::<dyn ComputeOp>(&*Operation::get_op_dyn(around, ctx)) {
            return false;
        }
        at = around.deref(ctx).get_parent_op(ctx);
    }
    true
}

/// Checks a loop outside of compute constructs against the level of its function.
pub fn check_loop(ctx: &Context, lp: Loop, routines: &Routines, state: &mut State) {
    let level = routines.around(ctx, lp);
    let wanted = asked(&lp.clauses(ctx)).first().copied();
    if let Some(wanted) = wanted
        && level.is_none_or(|level| wanted < level)
    {
        let own = level.map_or("seq", name);
        state.error(
            ctx,
            lp.get_operation(),
            format!(
                "a {} loop in a routine that works at level {own}",
                name(wanted)
            ),
            "2.15.1",
            &format!(
                "write `routine {}`, or give the loop a level further in",
                name(wanted)
            ),
        );
    }
}

/// Checks the reductions of a loop outside of compute constructs, once it has its levels (2.9.11): the variables are
/// the function's own, and gangs are not waited for.
pub fn check_reductions(ctx: &Context, lp: Loop, state: &mut State) {
    let gang = lp
        .levels(ctx)
        .is_some_and(|l| l.list().contains(&Level::Gang));
    let reductions = lp.clause(ctx, Group::Reduction).into_iter();
    for reduction in
        reductions.filter_map(|v| Operation::get_op::<Reduction>(v.defining_op()?, ctx))
    {
        let variable = reduction.info(ctx).name;
        let local = matches!(
            reduction.var(ctx).and_then(|v| root_of(ctx, v)),
            Some(Root::Local(_))
        );
        if !local {
            state.error(
                ctx,
                reduction.get_operation(),
                format!("`{variable}` is reduced in a routine, but is no variable of its own"),
                "2.9.11",
                "reduce into a local variable",
            );
        } else if gang {
            state.error(
                ctx,
                reduction.get_operation(),
                format!("a reduction of `{variable}` over gangs in a routine is not supported"),
                "2.9.11",
                "reduce in the compute construct, or over workers and vector lanes",
            );
        }
    }
}

/// Checks that functions which share out work are called where the level that they need is free: in no loop at that level or
/// further in, and by no routine that works further in.
pub fn check_calls(
    ctx: &Context,
    module: ModuleOp,
    (routines, dims): (&Routines, &RoutineDims),
    state: &mut State,
) {
    for call in walk::nested::<Call>(ctx, module.get_operation()) {
        let operation = call.get_operation();
        let Some(needed) = routines.of(&call.callee(ctx)) else {
            continue;
        };
        let callee = call.callee(ctx);
        let level = match needed == Level::Gang && dims.are_told_apart(&callee) {
            true => gang_dims::name(dims.of(&callee)),
            false => name(needed).to_string(),
        };
        let works = format!("`{}` works at {level} level", shown(&callee));
        let mut around = walk::enclosing::<Loop>(ctx, operation);
        while let Some(lp) = around {
            let levels = lp.levels(ctx).map(Levels::list).unwrap_or_default();
            let leaves = needed == Level::Gang && dims.leaves_gangs(ctx, lp, &call.callee(ctx));
            let conflict = |level: &Level| *level >= needed && !(leaves && *level == Level::Gang);
            if let Some(taken) = levels.into_iter().find(conflict) {
                let over = match lp.gang_dim(ctx).filter(|_| taken == Level::Gang) {
                    Some(dim) => gang_dims::name(dim),
                    None => name(taken).to_string(),
                };
                let message = format!("{works} and is called in a {over} loop");
                state.error(
                    ctx,
                    operation,
                    message,
                    "2.15.1",
                    "call it outside the loop, or make the loop seq",
                );
                break;
            }
            around = walk::enclosing::<Loop>(ctx, lp.get_operation());
        }
        let caller = walk::enclosing::<FuncOp>(ctx, operation);
        let caller = caller.filter(|f| is_orphaned(ctx, operation) && routine_of(ctx, f).is_some());
        if let Some(caller) = caller
            && dims.check_call(ctx, call, caller.get_symbol_name(ctx).as_ref(), state)
            && routines
                .of(caller.get_symbol_name(ctx).as_ref())
                .is_none_or(|level| level > needed)
        {
            let message = format!(
                "{works} and is called by `{}`, which does not",
                name_in_program(ctx, &caller),
            );
            state.error(
                ctx,
                operation,
                message,
                "2.15.1",
                &format!("write `routine {}` for the caller", name(needed)),
            );
        }
    }
}
