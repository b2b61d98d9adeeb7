//! The par dialect in terms of what the CPU has.
//!
//! A gang is one thread: `par.fork`, `par.join`, `par.lock` and `par.unlock` expand to nothing, worker and vector
//! positions are 0 and sizes 1 (seed: OpenACC reductions in GCC, "Host Implementation"). The constants are folded, so
//! that loops get their plain bounds and steps back.

use crate::{
    diagnostic::{Diagnostic, Result, error_at},
    dialect::{Gang, Gangs, GangsIn},
    fold,
    layout::{Records, records},
    reductions,
    simd::{self, Hints},
};
use accrue_dialects::{
    core::emit::Emitter,
    core::{AddressOf, Bin, BinKind, Call, Const, Externs, Known, float_width},
    par::{GangDim, Level, ParOp, ReductionOp, kernel_of},
};
use accrue_hostcall::Site;
use accrue_ir::{
    build::Inserter,
    walk::{nested, nested_ops, operands_of, ops_of_block, results_of},
};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::inserter::Inserter as _,
    op::{Op, op_cast},
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::{HashMap, HashSet};

/// A kernel ready to be printed.
pub struct ExpandedKernel {
    pub name: String,
    pub function: FuncOp,
    pub finish: Option<Finish>,
}

/// What combines the slots of a kernel's gangs.
pub struct Finish {
    pub name: String,
    pub function: FuncOp,
    pub slot_bytes: u64,
}

/// Everything that is printed.
pub struct Expanded {
    pub records: Records,
    /// Functions that kernels call, callers first.
    pub functions: Vec<FuncOp>,
    /// Names of those that get the position and number of gangs from their callers.
    pub gang_functions: HashSet<String>,
    pub kernels: Vec<ExpandedKernel>,
    /// Functions from outside.
    pub externs: Externs,
    pub hints: Hints,
}

impl Expanded {
    /// Kernels, finish functions and what they call.
    pub fn all_functions(&self) -> impl Iterator<Item = FuncOp> {
        let kernels = self
            .kernels
            .iter()
            .flat_map(|k| [Some(k.function), k.finish.as_ref().map(|f| f.function)]);
        self.functions.iter().copied().chain(kernels.flatten())
    }
}

/// Expands the kernels of `sites` and the functions they call, in place.
pub fn expand(
    ctx: &mut Context,
    module: ModuleOp,
    sites: &[Site],
) -> std::result::Result<Expanded, Vec<Diagnostic>> {
    let defined = defined_functions(ctx, module);
    let mut errors = vec![];
    let mut kernels = vec![];
    for kernel in sites.iter().flat_map(|s| &s.kernels) {
        match defined.get(&kernel.function) {
            Some(function) => kernels.push((kernel.function.clone(), *function)),
            None => errors.push(Diagnostic::error(format!(
                "kernel `{}` has no function",
                kernel.function
            ))),
        }
    }
    let functions = called(ctx, &kernels, &defined);
    let program_records = records(ctx, module);
    let mut hints = Hints::new();
    let externs = Externs::of_module(ctx, module.get_operation());
    let mut expanded = vec![];
    for (name, function) in &kernels {
        hints.extend(simd::hints(ctx, *function));
        match reductions::expand_kernel(ctx, module, name, *function, &program_records).and_then(
            |finish| {
                expand_function(ctx, *function, &externs)?;
                Ok(finish)
            },
        ) {
            Ok(finish) => expanded.push(ExpandedKernel {
                name: name.clone(),
                function: *function,
                finish,
            }),
            Err(error) => errors.push(error),
        }
    }
    for function in &functions {
        hints.extend(simd::hints(ctx, *function));
        let done = check_no_gang_reductions(ctx, *function)
            .and_then(|()| reductions::expand_function(ctx, *function))
            .and_then(|()| expand_function(ctx, *function, &externs));
        errors.extend(done.err());
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(Expanded {
        records: records(ctx, module),
        gang_functions: asking_for_gangs(ctx, &functions),
        functions,
        kernels: expanded,
        externs,
        hints,
    })
}

fn defined_functions(ctx: &Context, module: ModuleOp) -> HashMap<String, FuncOp> {
    let ops = ops_of_block(ctx, module.get_body(ctx, 0));
    let function = |op| Operation::get_op::<FuncOp>(op, ctx);
    ops.into_iter()
        .filter_map(function)
        .map(|f| (f.get_symbol_name(ctx).to_string(), f))
        .collect()
}

/// The functions of the unit that the kernels call, directly or not.
fn called(
    ctx: &Context,
    kernels: &[(String, FuncOp)],
    defined: &HashMap<String, FuncOp>,
) -> Vec<FuncOp> {
    let mut found: Vec<FuncOp> = vec![];
    let mut seen = HashSet::new();
    let mut open: Vec<FuncOp> = kernels.iter().rev().map(|(_, f)| *f).collect();
    while let Some(function) = open.pop() {
        let op = function.get_operation();
        let calls = nested::<Call>(ctx, op).into_iter().map(|c| c.callee(ctx));
        let addresses = nested::<AddressOf>(ctx, op)
            .into_iter()
            .map(|a| a.symbol(ctx));
        for name in calls.chain(addresses) {
            let Some(callee) = defined.get(&name) else {
                continue;
            };
            if kernel_of(ctx, callee).is_none() && seen.insert(name) {
                found.push(*callee);
                open.push(*callee);
            }
        }
    }
    found
}

/// Gangs do not wait for each other, so a function that they call cannot combine what they have.
fn check_no_gang_reductions(ctx: &Context, function: FuncOp) -> Result<()> {
    for op in nested_ops(ctx, function.get_operation()) {
        let object = Operation::get_op_dyn(op, ctx);
        let reduction =
            op_cast::<dyn ReductionOp>(&*object).filter(|r| r.result_ref(ctx).is_some());
        if reduction.is_some_and(|r| r.info(ctx).level == Level::Gang) {
            let message = "a gang reduction in a function that is called from a compute construct is not supported on \
                           the CPU device; write the loop in the construct itself, or make it a worker or vector loop";
            return Err(error_at(ctx, op, message));
        }
    }
    Ok(())
}

/// Names of the functions that ask for their gang, directly or by what they call.
fn asking_for_gangs(ctx: &Context, functions: &[FuncOp]) -> HashSet<String> {
    let mut callers: HashMap<String, Vec<String>> = HashMap::new();
    let mut asking = vec![];
    for function in functions {
        let name = function.get_symbol_name(ctx).to_string();
        let op = function.get_operation();
        for call in nested::<Call>(ctx, op) {
            callers
                .entry(call.callee(ctx))
                .or_default()
                .push(name.clone());
        }
        let asks = !nested::<Gang>(ctx, op).is_empty()
            || !nested::<Gangs>(ctx, op).is_empty()
            || !nested::<GangsIn>(ctx, op).is_empty();
        if asks {
            asking.push(name);
        }
    }
    let mut found = HashSet::new();
    while let Some(name) = asking.pop() {
        asking.extend(callers.remove(&name).into_iter().flatten());
        found.insert(name);
    }
    found
}

/// Everything but the reductions.
fn expand_function(ctx: &mut Context, function: FuncOp, externs: &Externs) -> Result<()> {
    for op in nested_ops(ctx, function.get_operation()) {
        expand_op(ctx, op, externs);
    }
    fold::fold(ctx, function.get_operation());
    Ok(())
}

fn expand_op(ctx: &mut Context, op: Ptr<Operation>, externs: &Externs) {
    match ParOp::of(ctx, op) {
        Some(ParOp::DimPos(position)) => {
            let old = position.get_result(ctx);
            match (position.level(ctx), position.gang_dim(ctx)) {
                (Level::Gang, None) => {
                    let new = Gang::new(ctx);
                    replace(ctx, op, old, &new);
                }
                (Level::Gang, Some(dim)) => {
                    let new = position_in(&mut Emitter::before(ctx, op), dim);
                    old.replace_all_uses_with(ctx, &new);
                    Operation::erase(op, ctx);
                }
                (Level::Worker | Level::Vector, _) => {
                    let new = Const::new(ctx, 64, 0);
                    replace(ctx, op, old, &new);
                }
            }
        }
        Some(ParOp::DimSize(size)) => {
            let old = size.get_result(ctx);
            match (size.level(ctx), size.gang_dim(ctx)) {
                (Level::Gang, None) => {
                    let new = Gangs::new(ctx);
                    replace(ctx, op, old, &new);
                }
                (Level::Gang, Some(dim)) => {
                    let new = GangsIn::new(ctx, dim);
                    replace(ctx, op, old, &new);
                }
                (Level::Worker | Level::Vector, _) => {
                    let new = Const::new(ctx, 64, 1);
                    replace(ctx, op, old, &new);
                }
            }
        }
        // A gang is one thread: nobody to wait for.
        Some(ParOp::Fork(_) | ParOp::Join(_) | ParOp::Barrier(_)) => Operation::erase(op, ctx),
        Some(ParOp::Lock(_) | ParOp::Unlock(_)) => Operation::erase(op, ctx),
        // Other passes have replaced these before, or have said why they cannot.
        Some(ParOp::RedSetup(_) | ParOp::RedInit(_)) => {}
        Some(ParOp::RedFini(_) | ParOp::RedTeardown(_)) => {}
        Some(ParOp::Loop(_) | ParOp::Reduce(_)) => {}
        None => {
            if let Some((old, new)) = extremum(ctx, op, externs) {
                replace(ctx, op, old, &new);
            }
        }
    }
}

/// The position of this gang in one dimension: gang g has g % n1, g / n1 % n2 and g / (n1 * n2).
fn position_in(at: &mut Emitter, dim: GangDim) -> Value {
    let gang = at.make(Gang::new);
    let size = |at: &mut Emitter, dim| at.make(|c| GangsIn::new(c, dim));
    match dim {
        GangDim::One => {
            let first = size(at, GangDim::One);
            at.bin(BinKind::RemS, gang, first)
        }
        GangDim::Two => {
            let (first, second) = (size(at, GangDim::One), size(at, GangDim::Two));
            let rest = at.bin(BinKind::DivS, gang, first);
            at.bin(BinKind::RemS, rest, second)
        }
        GangDim::Three => {
            let (first, second) = (size(at, GangDim::One), size(at, GangDim::Two));
            let rest = at.bin(BinKind::DivS, gang, first);
            at.bin(BinKind::DivS, rest, second)
        }
    }
}

/// The larger and the smaller number as operations: a call of the library would keep a loop from being vectorised.
fn extremum(ctx: &mut Context, op: Ptr<Operation>, externs: &Externs) -> Option<(Value, Bin)> {
    let call = Operation::get_op::<Call>(op, ctx)?;
    let kind = match externs.known(&call.callee(ctx))? {
        Known::Max => BinKind::FMax,
        Known::Min => BinKind::FMin,
        _ => return None,
    };
    let (operands, results) = (operands_of(ctx, op), results_of(ctx, op));
    let ([a, b], [result]) = (operands.as_slice(), results.as_slice()) else {
        return None;
    };
    float_width(ctx, result.get_type(ctx))?;
    let new = Bin::new(ctx, kind, *a, *b);
    Some((*result, new))
}

/// Puts `new` in the place of `op`, whose result is `old`.
fn replace<T: Op + OneResultInterface>(ctx: &mut Context, op: Ptr<Operation>, old: Value, new: &T) {
    Inserter::new_before_operation(op).insert_op(ctx, new);
    let value = new.get_result(ctx);
    old.replace_all_uses_with(ctx, &value);
    Operation::erase(op, ctx);
}
