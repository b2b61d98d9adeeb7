//! What the C compiler is told about a loop.
//!
//! The iterations of an independent `core.for` have no dependences through memory: `#pragma GCC ivdep`. A float sum also
//! needs leave to be reordered, which `#pragma omp simd reduction` gives for that loop alone (`-ffast-math` would for
//! all). No pragma is better than a wrong one:
//! - a gang reduction inside the loop forbids both: it changes the gang's slot in every iteration;
//! - so do atomic accesses;
//! - variables made outside the loop whose address is used inside, other than for reading, forbid both;
//! - `omp simd` is for innermost loops, and all variables that the loop changes must be reductions that OpenMP has;
//! - a loop that gathers (`x[column[k]]`) is not told to be SIMD: on rows of a sparse matrix, a dozen elements long,
//!   gathers and the combination at the end cost a third more than the plain loop (`bench/cpu/spmv.c`).

use accrue_dialects::{
    core::{
        Alloca, Atomic, Bin, Cast, Decay, For, Load, Member, PtrAdd, Store, float_width, int_width,
        is_scalar,
    },
    flow::Flow,
    par::{ReductionOp, ReductionOperator, vectors::accumulators},
};
use accrue_ir::build::line_column;
use accrue_ir::walk::{is_inside, nested, nested_ops, operands_of, used_from_above};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    region::Region,
    value::Value,
};
use std::collections::HashMap;

use crate::SimdLoop;

/// What is known about a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopHint {
    /// No dependences through memory.
    Independent,
    /// No dependences but these reductions: OpenMP's operator and the variable.
    Simd(Vec<(&'static str, Value)>),
}

/// Hints by loop.
pub type Hints = HashMap<Ptr<Operation>, LoopHint>;

/// The hints for the loops of `function`, before its reductions are expanded.
pub fn hints(ctx: &Context, function: FuncOp) -> Hints {
    let loops = nested::<For>(ctx, function.get_operation());
    let independent = loops.into_iter().filter(|l| l.info(ctx).independent);
    independent
        .filter_map(|l| Some((l.get_operation(), hint(ctx, &l)?)))
        .collect()
}

/// Where the loops with hints are in the source.
pub fn loops(ctx: &Context, hints: &Hints) -> Vec<SimdLoop> {
    let position = |op: &Ptr<Operation>| line_column(op.deref(ctx).loc());
    let known = hints.iter().filter_map(|(op, hint)| {
        Some(SimdLoop {
            position: position(op)?,
            reductions: match hint {
                LoopHint::Independent => false,
                LoopHint::Simd(_) => true,
            },
        })
    });
    let mut loops: Vec<_> = known.collect();
    loops.sort_unstable();
    loops.dedup();
    loops
}

fn hint(ctx: &Context, counted: &For) -> Option<LoopHint> {
    let op = counted.get_operation();
    let body = op.deref(ctx).get_region(0);
    if nested_ops(ctx, op)
        .into_iter()
        .any(|o| combines_in_memory(ctx, o) || is_atomic(ctx, o))
    {
        return None;
    }
    let mut changed = vec![];
    for variable in used_from_above(ctx, body) {
        let Some(alloca) = variable
            .defining_op()
            .and_then(|d| Operation::get_op::<Alloca>(d, ctx))
        else {
            continue;
        };
        match use_in(ctx, &alloca, body) {
            Use::Read => {}
            Use::Changed => changed.push((variable, alloca)),
            Use::Escapes => return None,
        }
    }
    let innermost = nested_ops(ctx, op)
        .into_iter()
        .all(|o| !Flow::of(ctx, o).is_any_loop());
    if !innermost || changed.is_empty() || gathers(ctx, op) {
        return Some(LoopHint::Independent);
    }
    let accumulators = accumulators(ctx, op);
    let reduction = |(variable, alloca): &(Value, Alloca)| {
        let info = accumulators.get(variable)?;
        let operator = omp_operator(ctx, info.operator, info.signed, alloca)?;
        Some((operator, *variable))
    };
    let has_float = changed
        .iter()
        .any(|(_, a)| float_width(ctx, a.var_type(ctx)).is_some());
    match changed.iter().map(reduction).collect::<Option<Vec<_>>>() {
        Some(reductions) if has_float => Some(LoopHint::Simd(reductions)),
        // The compiler sees through changes of a variable whose address nobody has.
        Some(_) | None => Some(LoopHint::Independent),
    }
}

/// Whether the loop reads or writes elements whose index is itself an element of an array.
fn gathers(ctx: &Context, counted: Ptr<Operation>) -> bool {
    let subscripts = nested::<PtrAdd>(ctx, counted).into_iter();
    subscripts
        .map(|p| p.get_operand_index(ctx))
        .any(|index| comes_from_element(ctx, index))
}

fn comes_from_element(ctx: &Context, index: Value) -> bool {
    let Some(op) = index.defining_op() else {
        return false;
    };
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        let address = load.get_operand_address(ctx).defining_op();
        return address.is_some_and(|a| Operation::is_op::<PtrAdd>(a, ctx));
    }
    (Operation::is_op::<Cast>(op, ctx) || Operation::is_op::<Bin>(op, ctx))
        && operands_of(ctx, op)
            .into_iter()
            .any(|operand| comes_from_element(ctx, operand))
}

/// A gang reduction inside the loop is combined into the gang's slot, from iteration to iteration.
fn combines_in_memory(ctx: &Context, op: Ptr<Operation>) -> bool {
    let object = Operation::get_op_dyn(op, ctx);
    op_cast::<dyn ReductionOp>(&*object).is_some_and(|r| r.result_ref(ctx).is_some())
}

/// Iterations that access an object atomically do depend on each other through it.
fn is_atomic(ctx: &Context, op: Ptr<Operation>) -> bool {
    Atomic::of(ctx, op).is_some()
}

/// How a loop uses a variable from outside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    /// Stored to by name; the address is used for nothing else anywhere.
    Changed,
    Escapes,
}

fn use_in(ctx: &Context, alloca: &Alloca, body: Ptr<Region>) -> Use {
    let variable = alloca.get_result(ctx);
    let users: Vec<_> = variable.uses(ctx).iter().map(|u| u.user_op()).collect();
    if users
        .iter()
        .filter(|u| is_inside(ctx, **u, body))
        .all(|u| only_reads(ctx, *u, variable))
    {
        return Use::Read;
    }
    let by_name = |user: &Ptr<Operation>| {
        let stored = Operation::get_op::<Store>(*user, ctx)
            .is_some_and(|s| s.get_operand_value(ctx) != variable);
        stored || Operation::is_op::<Load>(*user, ctx)
    };
    if is_scalar(ctx, alloca.var_type(ctx))
        && alloca.count(ctx).is_none()
        && users.iter().all(by_name)
    {
        return Use::Changed;
    }
    Use::Escapes
}

/// Whether `user` reads through the address `used`, or computes an address that is only read through.
fn only_reads(ctx: &Context, user: Ptr<Operation>, used: Value) -> bool {
    if Operation::is_op::<Load>(user, ctx) {
        return true;
    }
    let derives = Operation::is_op::<Decay>(user, ctx)
        || Operation::is_op::<Member>(user, ctx)
        || Operation::is_op::<PtrAdd>(user, ctx)
        || Operation::is_op::<Cast>(user, ctx);
    if !derives || operands_of(ctx, user).first() != Some(&used) {
        return false;
    }
    let address = user.deref(ctx).get_result(0);
    address
        .uses(ctx)
        .iter()
        .all(|u| only_reads(ctx, u.user_op(), address))
}

/// OpenMP's operator for a reduction of C type; `None` where OpenMP or the signed C type has none.
fn omp_operator(
    ctx: &Context,
    operator: ReductionOperator,
    signed: bool,
    alloca: &Alloca,
) -> Option<&'static str> {
    let ty = alloca.var_type(ctx);
    let float = matches!(float_width(ctx, ty), Some(32 | 64));
    let int = matches!(int_width(ctx, ty), Some(8 | 16 | 32 | 64));
    if !float && !int {
        return None;
    }
    match operator {
        ReductionOperator::Add => Some("+"),
        ReductionOperator::Mul => Some("*"),
        ReductionOperator::Max if float || signed => Some("max"),
        ReductionOperator::Min if float || signed => Some("min"),
        ReductionOperator::BitAnd if int => Some("&"),
        ReductionOperator::BitOr if int => Some("|"),
        ReductionOperator::BitXor if int => Some("^"),
        ReductionOperator::LogicalAnd => Some("&&"),
        ReductionOperator::LogicalOr => Some("||"),
        ReductionOperator::Max
        | ReductionOperator::Min
        | ReductionOperator::BitAnd
        | ReductionOperator::BitOr
        | ReductionOperator::BitXor
        | ReductionOperator::Eqv
        | ReductionOperator::Neqv
        | ReductionOperator::Declared(_) => None,
    }
}
