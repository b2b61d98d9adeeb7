//! The gang dimensions at which functions work that regions call (OpenACC 3.4, sections 2.9.2 and 2.15.1).
//!
//! A `routine gang(dim:2)` has loops over dimensions 2 and 1, and the gangs of both call it; it may be called in a loop over dimension
//! 3. Without a directive it is the highest dimension that the function's loops, or the functions it calls, ask for.
//!
//! Where dimensions are told apart in a function, a gang loop without `dim` is over dimension 1; elsewhere the gangs of all
//! dimensions share it. They are told apart where a directive says `dim`, where a loop is over dimension 2 or 3, and in what is called
//! in such a loop:
//!
//! ```text
//! #pragma acc routine gang
//! void row(…) { loop gang … }                over dimension 1, because of the call below
//!
//! parallel num_gangs(4, 3)
//!   loop gang(dim:2) … row(…)
//! ```
//! Cost: one walk over the module, and one over the calls for each function that tells them apart.

use accrue_abi::symbols::shown;
use accrue_dialects::{
    acc::{Loop, Routine, foreign_routine_of, routine_of},
    core::{Call, ExternFunc},
    par::{GangDim, Level},
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};
use std::collections::{HashMap, HashSet};

use crate::{
    assign_levels::asked,
    device_types::applies,
    gang_dims::{self, compute_around},
    routines::is_orphaned,
};
use accrue_opt::{State, Target};

/// The dimensions of the functions of a module.
pub struct RoutineDims {
    /// The highest dimension of those that work at gang level.
    dims: HashMap<String, GangDim>,
    /// Those that a directive is about.
    declared: HashSet<String>,
    /// Those in which dimensions are told apart.
    apart: HashSet<String>,
}

impl RoutineDims {
    /// `constructs` are those in which dimensions are told apart.
    pub fn of_module(
        ctx: &Context,
        module: ModuleOp,
        constructs: &HashSet<Ptr<Operation>>,
        target: Target,
    ) -> RoutineDims {
        let mut found = RoutineDims {
            dims: HashMap::new(),
            declared: HashSet::new(),
            apart: HashSet::new(),
        };
        let functions = walk::directly_in::<FuncOp>(ctx, module.get_operation());
        for func in &functions {
            let name = func.get_symbol_name(ctx).to_string();
            found.note_directive(&name, routine_of(ctx, func));
            found.note_loops(ctx, &name, *func, target);
        }
        let outside = walk::directly_in::<ExternFunc>(ctx, module.get_operation());
        let outside: HashSet<String> = outside
            .into_iter()
            .map(|func| {
                let name = func.get_symbol_name(ctx).to_string();
                found.note_directive(&name, foreign_routine_of(ctx, &func));
                name
            })
            .collect();
        found.spread(ctx, &functions, &outside, constructs, target);
        found
    }

    /// The highest dimension that a function works at.
    pub fn of(&self, name: &str) -> GangDim {
        self.dims.get(name).copied().unwrap_or(GangDim::One)
    }

    /// Whether dimensions are told apart in a function.
    pub fn are_told_apart(&self, name: &str) -> bool {
        self.apart.contains(name)
    }

    /// Whether dimensions are told apart in the function around `op`.
    pub fn are_told_apart_around(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        let func = walk::enclosing::<FuncOp>(ctx, op);
        func.is_some_and(|func| self.are_told_apart(func.get_symbol_name(ctx).as_ref()))
    }

    fn note_directive(&mut self, name: &str, routine: Option<Routine>) {
        let Some(routine) = routine else {
            return;
        };
        self.declared.insert(name.to_string());
        if let Some(dim) = dim_of(&routine) {
            self.dims.insert(name.to_string(), dim);
            self.apart.insert(name.to_string());
        }
    }

    fn note_loops(&mut self, ctx: &Context, name: &str, func: FuncOp, target: Target) {
        let loops = walk::nested::<Loop>(ctx, func.get_operation()).into_iter();
        let over_gangs = loops.filter(|lp| {
            is_orphaned(ctx, lp.get_operation()) && asked(&lp.clauses(ctx)).contains(&Level::Gang)
        });
        let Some(dim) = over_gangs.map(|lp| gang_dims::dim(ctx, lp, target)).max() else {
            return;
        };
        if dim > GangDim::One {
            self.apart.insert(name.to_string());
        }
        if !self.declared.contains(name) {
            self.dims.insert(name.to_string(), dim);
        }
    }

    /// What a function asks for, its callers without a directive ask for; what is called in loops over dimensions tells them apart.
    fn spread(
        &mut self,
        ctx: &Context,
        functions: &[FuncOp],
        outside: &HashSet<String>,
        constructs: &HashSet<Ptr<Operation>>,
        target: Target,
    ) {
        let calls = functions.iter().flat_map(|func| {
            let caller = func.get_symbol_name(ctx).to_string();
            let calls = walk::nested::<Call>(ctx, func.get_operation()).into_iter();
            calls.map(move |call| (caller.clone(), call))
        });
        let calls: Vec<(String, Call)> = calls.collect();
        loop {
            let mut changed = false;
            for (caller, call) in &calls {
                let callee = call.callee(ctx);
                let operation = call.get_operation();
                let orphaned = is_orphaned(ctx, operation);
                let dim = self.dims.get(&callee).copied();
                if let Some(dim) = dim.filter(|_| orphaned && !self.declared.contains(caller)) {
                    let own = self.dims.get(caller).copied();
                    changed |= own.is_none_or(|own| own < dim);
                    self.dims
                        .insert(caller.clone(), own.map_or(dim, |own| own.max(dim)));
                    if dim > GangDim::One {
                        changed |= self.apart.insert(caller.clone());
                    }
                }
                let apart = match compute_around(ctx, operation) {
                    Some(construct) => constructs.contains(&construct),
                    None => self.apart.contains(caller),
                };
                if apart && !outside.contains(&callee) && is_in_higher_loop(ctx, operation, target)
                {
                    changed |= self.apart.insert(callee);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Checks a loop outside of compute constructs against the dimension of its function.
    pub fn check_loop(&self, ctx: &Context, lp: Loop, state: &mut State) {
        let Some(func) = walk::enclosing::<FuncOp>(ctx, lp.get_operation()) else {
            return;
        };
        let (own, dim) = (
            self.of(func.get_symbol_name(ctx).as_ref()),
            gang_dims::dim(ctx, lp, state.target),
        );
        if dim <= own || !asked(&lp.clauses(ctx)).contains(&Level::Gang) {
            return;
        }
        let (wanted, own) = (gang_dims::name(dim), gang_dims::name(own));
        let message = format!("a {wanted} loop in a routine that works at {own} level");
        let help = format!("write `routine {wanted}`, or give the loop a lower dimension");
        state.error(ctx, lp.get_operation(), message, "2.15.1", &help);
    }

    /// Checks that a function is not called by one that works at a lower dimension. Tells whether it is not.
    pub fn check_call(&self, ctx: &Context, call: Call, caller: &str, state: &mut State) -> bool {
        let callee = call.callee(ctx);
        let (needed, own) = (self.of(&callee), self.of(caller));
        if needed <= own {
            return true;
        }
        let message = format!(
            "`{}` works at {} level and is called by `{}`, which does not",
            shown(&callee),
            gang_dims::name(needed),
            shown(caller)
        );
        let help = format!("write `routine {}` for the caller", gang_dims::name(needed));
        state.error(ctx, call.get_operation(), message, "2.15.1", &help);
        false
    }

    /// Whether a loop over gangs leaves those that a function needs: it is over a higher dimension, which the function knows.
    pub fn leaves_gangs(&self, ctx: &Context, lp: Loop, callee: &str) -> bool {
        let over = lp.gang_dim(ctx);
        self.are_told_apart(callee) && over.is_some_and(|over| over > self.of(callee))
    }
}

/// The gang dimension that a `routine` directive names.
pub fn dim_of(routine: &Routine) -> Option<GangDim> {
    let lists = [
        (&routine.dim_three, GangDim::Three),
        (&routine.dim_two, GangDim::Two),
        (&routine.dim_one, GangDim::One),
    ];
    let mut given = lists.into_iter().filter(|(types, _)| applies(types));
    given.next().map(|(_, dim)| dim)
}

/// Whether a loop around `op`, in the same construct or function, is over gang dimension 2 or 3.
fn is_in_higher_loop(ctx: &Context, op: Ptr<Operation>, target: Target) -> bool {
    let mut around = walk::enclosing::<Loop>(ctx, op);
    while let Some(lp) = around {
        if asked(&lp.clauses(ctx)).contains(&Level::Gang)
            && gang_dims::dim(ctx, lp, target) > GangDim::One
        {
            return true;
        }
        around = walk::enclosing::<Loop>(ctx, lp.get_operation());
    }
    false
}
