//! Reductions that a program declares (OpenMP 5.2, section 5.5.11): identity and combination of whole objects.
//!
//! An object of such a reduction takes part as the scalars that it consists of, as a struct does that is reduced by an operator of C; they
//! have the operator [`ReductionOperator::Declared`], and follow each other wherever several reductions stand together. The functions of the
//! reduction take and give all of them:
//!
//! ```text
//! #pragma omp declare reduction(far: struct p: omp_out = omp_in.x > omp_out.x ? omp_in : omp_out)
//! builtin.func @accrue_combined_5f (%x, %k, %x2, %k2, %to_x: ptr f64, %to_k: ptr i32) {
//!     … core.store %new_x, %to_x   core.store %new_k, %to_k   core.return }
//! ```
//! They are called by nothing. What combines objects is given a copy of their operations, in which the values that are stored at the end are
//! the results. Cost: the size of the function for each combination.

use super::{ReductionOp, ReductionOperator};
use crate::core::{Return, Store, emit::Emitter, pointee};
use accrue_ir::{
    diagnostic::{Diagnostic, Result},
    walk::{operands_of, ops_of_block},
};
use pliron::{
    builtin::{
        op_interfaces::{SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::{cloning::IrMapping, inserter::Inserter},
    linked_list::ContainsLinkedList,
    op::op_cast,
    operation::Operation,
    value::Value,
};

/// The function that combines two objects.
pub fn combination(number: u64) -> String {
    format!("accrue_combined_{number:x}")
}

/// The function that gives what an object starts with, of the original one.
pub fn beginning(number: u64) -> String {
    format!("accrue_begun_{number:x}")
}

/// The front end's function that combines its second object into the first.
pub fn combiner(number: u64) -> String {
    format!("__accrue_combiner_{number:x}")
}

/// The front end's function that lets its first object start, given the original one.
pub fn initializer(number: u64) -> String {
    format!("__accrue_initializer_{number:x}")
}

/// Whether the function is one that is copied.
pub fn is_of_reduction(name: &str) -> bool {
    name.starts_with("accrue_combined_") || name.starts_with("accrue_begun_")
}

/// The functions that a reduction builtin needs.
pub fn functions_of(ctx: &Context, op: Ptr<Operation>) -> Vec<String> {
    let object = Operation::get_op_dyn(op, ctx);
    match op_cast::<dyn ReductionOp>(&*object).map(|it| it.info(ctx).operator) {
        Some(ReductionOperator::Declared(number)) => vec![combination(number), beginning(number)],
        Some(_) | None => vec![],
    }
}

/// The number of a declared reduction.
pub fn number_of(operator: ReductionOperator) -> Option<u64> {
    match operator {
        ReductionOperator::Declared(number) => Some(number),
        ReductionOperator::Add
        | ReductionOperator::Mul
        | ReductionOperator::Max
        | ReductionOperator::Min
        | ReductionOperator::BitAnd
        | ReductionOperator::BitOr
        | ReductionOperator::BitXor
        | ReductionOperator::LogicalAnd
        | ReductionOperator::LogicalOr
        | ReductionOperator::Eqv
        | ReductionOperator::Neqv => None,
    }
}

/// Of how many reductions that stand together the one of this operator is the first: those of one object.
pub fn together(ctx: &Context, near: Ptr<Operation>, operator: ReductionOperator) -> Result<usize> {
    match number_of(operator) {
        Some(number) => Ok(outputs(ctx, function(ctx, near, &beginning(number))?).len()),
        None => Ok(1),
    }
}

/// The objects `a` and `b` combined.
pub fn combine(at: &mut Emitter, number: u64, a: &[Value], b: &[Value]) -> Result<Vec<Value>> {
    copied(at, &combination(number), &[a, b].concat())
}

/// What an object starts with.
pub fn begin(at: &mut Emitter, number: u64, original: &[Value]) -> Result<Vec<Value>> {
    copied(at, &beginning(number), original)
}

/// A copy of the function's operations: what they store at the end.
fn copied(at: &mut Emitter, name: &str, arguments: &[Value]) -> Result<Vec<Value>> {
    let block = at.inserter.get_insertion_block(at.ctx);
    let near = block.and_then(|block| block.deref(at.ctx).get_parent_op(at.ctx));
    let function = function(at.ctx, near.ok_or_else(|| missing(name))?, name)?;
    let entry = function.get_entry_block(at.ctx);
    let outputs = outputs(at.ctx, function);
    let parameters: Vec<Value> = entry.deref(at.ctx).arguments().collect();
    let mut mapping = IrMapping::new();
    for (parameter, argument) in parameters.into_iter().zip(arguments) {
        mapping.map_value(parameter, *argument);
    }
    let mut values = vec![None; outputs.len()];
    for op in ops_of_block(at.ctx, entry) {
        if Operation::is_op::<Return>(op, at.ctx) {
            continue;
        }
        let to =
            Operation::get_op::<Store>(op, at.ctx).map(|store| store.get_operand_address(at.ctx));
        match to.and_then(|to| outputs.iter().position(|output| *output == to)) {
            Some(index) => {
                let value = operands_of(at.ctx, op).first().copied();
                values[index] = value.map(|value| mapping.lookup_value_or_default(value));
            }
            None => {
                at.copy(op, &mut mapping);
            }
        }
    }
    let values: Option<Vec<Value>> = values.into_iter().collect();
    values.ok_or_else(|| missing(name))
}

/// The parameters to which results are stored: the last ones, which are pointers.
fn outputs(ctx: &Context, function: FuncOp) -> Vec<Value> {
    let entry = function.get_entry_block(ctx);
    let parameters = entry.deref(ctx).arguments().collect::<Vec<_>>();
    let is_output = |parameter: &Value| pointee(ctx, *parameter).is_some();
    parameters.into_iter().filter(is_output).collect()
}

/// The function of that name in the module around `near`.
fn function(ctx: &Context, near: Ptr<Operation>, name: &str) -> Result<FuncOp> {
    let mut around = Some(near);
    while let Some(op) = around {
        if let Some(module) = Operation::get_op::<ModuleOp>(op, ctx) {
            let all = module
                .get_body(ctx, 0)
                .deref(ctx)
                .iter(ctx)
                .collect::<Vec<_>>();
            let functions = all
                .into_iter()
                .filter_map(|op| Operation::get_op::<FuncOp>(op, ctx));
            let named = |function: &FuncOp| function.get_symbol_name(ctx).to_string() == name;
            return functions
                .into_iter()
                .find(named)
                .ok_or_else(|| missing(name));
        }
        around = op.deref(ctx).get_parent_op(ctx);
    }
    Err(missing(name))
}

fn missing(name: &str) -> Diagnostic {
    Diagnostic::error(format!("the declared reduction has no function `{name}`"))
}
