//! Pass `drop-host`: drops the host's functions from the module, and what is done when the program is loaded. What stays are
//! kernels, the functions they call, directly or not, external declarations and record definitions.

use accrue_abi::symbols::shown;
use accrue_dialects::{
    View,
    core::{AddressOf, Call, Opaque},
    par::{declared::functions_of, kernel_of},
    source::Role,
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::{SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    op::Op,
    operation::Operation,
};
use std::collections::{HashMap, HashSet};

use crate::State;

/// Drops what no kernel needs.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let functions: HashMap<String, FuncOp> =
        walk::directly_in::<FuncOp>(ctx, module.get_operation())
            .into_iter()
            .map(|f| (f.get_symbol_name(ctx).to_string(), f))
            .collect();
    let kernels = functions
        .iter()
        .filter(|(_, f)| kernel_of(ctx, *f).is_some());
    let mut work: Vec<String> = kernels.map(|(name, _)| name.clone()).collect();
    work.sort();
    let mut kept: HashSet<String> = work.iter().cloned().collect();
    while let Some(name) = work.pop() {
        let Some(func) = functions.get(&name) else {
            continue;
        };
        check(ctx, *func, &name, state);
        for callee in called(ctx, *func) {
            if functions.contains_key(&callee) && kept.insert(callee.clone()) {
                work.push(callee);
            }
        }
    }
    for op in walk::ops_of_block(ctx, module.get_body(ctx, 0)) {
        if View::role(ctx, op) == Some(Role::Outside) {
            Operation::erase(op, ctx);
        }
    }
    for (name, func) in &functions {
        if !kept.contains(name) {
            Operation::erase(func.get_operation(), ctx);
        }
    }
}

/// Names of the functions that `func` calls or takes the address of, and those of its declared reductions.
fn called(ctx: &Context, func: FuncOp) -> Vec<String> {
    let operation = func.get_operation();
    let reduced = walk::nested_ops(ctx, operation).into_iter();
    let calls = walk::nested::<Call>(ctx, operation)
        .into_iter()
        .map(|c| c.callee(ctx));
    let taken = walk::nested::<AddressOf>(ctx, operation).into_iter();
    calls
        .chain(
            taken
                .filter(|a| a.variable(ctx).is_none())
                .map(|a| a.symbol(ctx)),
        )
        .chain(reduced.flat_map(|op| functions_of(ctx, op)))
        .collect()
}

/// Reports what device code cannot contain.
fn check(ctx: &Context, func: FuncOp, name: &str, state: &mut State) {
    for op in walk::nested_ops(ctx, func.get_operation()) {
        if View::role(ctx, op).is_some_and(Role::is_directive) {
            let message = format!(
                "`{}` is called in a compute construct and contains a directive",
                shown(name)
            );
            state.error(
                ctx,
                op,
                message,
                "2.15.1",
                "move the loop into the compute construct",
            );
        } else if Operation::get_op::<Opaque>(op, ctx).is_some() {
            let message = format!(
                "`{name}` runs on a device and contains a statement that is not supported there"
            );
            state.error(
                ctx,
                op,
                message,
                "",
                "rewrite the statement, or call the function outside compute constructs",
            );
        }
    }
}
