//! Pass `vector-types` (CPU cores behind OpenCL): loops of which several iterations run at a time, as vectors.
//!
//! Drivers for cores make vectors of the work items of a group, but not of the iterations of one, where they call functions, add up
//! numbers with a floating point, or have a loop inside. OpenCL C has types for it (`double8`), and functions of them:
//!
//! ```text
//! core.for %i = … {                         core.for %i = … [vectors: []] {
//!   %x = core.load a[%i]              →       %x = core.load a[%i] [contiguous]
//!   core.store sqrt(%x), b[%i]                core.store sqrt(%x), b[%i] [contiguous]
//! ```
//! A loop is one of them if its iterations are independent; if each of its accesses stays where it is or moves on by one element
//! ([`crate::analysis::affine`]: whatever the subscript is spelled like); and if all that is computed has a form for several numbers
//! ([`accrue_dialects::par::vectors`]). What a reduction over the loop adds up has a part for each of the iterations that run at a
//! time, so that floating-point sums are rounded in another order; all other results have the bits that the plain loop gives, which is
//! still there for what is left over. So functions whose results libraries may round in their own way (`exp`) are in such loops only
//! with `-ffast-math`: drivers have others for several numbers than for one. Inner loops are looked at first, and only the innermost that can be is one.
//!
//! A vector is 64 bytes at most: 8 iterations where there are numbers of 64 bits, else 16. Narrower units of a device take it in pieces.
//!
//! Cost: linear in the size of the kernels.

use accrue_dialects::{
    core::{Alloca, Call, Const, Externs, For, Load, Store, VectorLoop, pointee},
    par::vectors::{Vectors, accumulators, changed_variables, is_exact, number_bits},
};
use accrue_ir::walk::{directly_in, nested, nested_ops};
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashSet;

use crate::{State, analysis::affine::motion::Iterations};

/// Marks the loops of all functions.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if !state.target.vector_types {
        return;
    }
    let externs = Externs::of_module(ctx, module.get_operation());
    for function in directly_in::<FuncOp>(ctx, module.get_operation()) {
        let mut loops = nested::<For>(ctx, function.get_operation());
        loops.reverse();
        for lp in loops {
            let has_inner = nested::<For>(ctx, lp.get_operation())
                .iter()
                .any(|inner| inner.vectors(ctx).is_some());
            if lp.info(ctx).independent && !has_inner && has_unit_step(ctx, lp) {
                mark(ctx, lp, &externs, state.fast_math);
            }
        }
    }
}

fn has_unit_step(ctx: &Context, lp: For) -> bool {
    let step = lp.get_operand_step(ctx).defining_op();
    let step = step.and_then(|op| Operation::get_op::<Const>(op, ctx));
    step.is_some_and(|step| step.value(ctx) == 1)
}

/// Marks the loop and its accesses, if it can be one.
fn mark(ctx: &mut Context, lp: For, externs: &Externs, fast_math: bool) {
    let exact = nested::<Call>(ctx, lp.get_operation())
        .into_iter()
        .all(|call| externs.known(&call.callee(ctx)).is_some_and(is_exact));
    let found = contiguous(ctx, lp).filter(|_| exact || fast_math);
    let Some(contiguous) = found else {
        return;
    };
    let op = lp.get_operation();
    let reduced = accumulators(ctx, op);
    let sums = changed_variables(ctx, op).into_iter().map(|variable| {
        let info = reduced.get(&variable).copied();
        info.filter(|_| by_name(ctx, variable))
    });
    let Some(sums) = sums.collect() else {
        return;
    };
    let marks = (VectorLoop(sums), contiguous);
    // Addresses alone are no work.
    let found = Vectors::assuming(ctx, &lp, marks.clone(), externs);
    if found.is_none_or(|found| found.needed.is_empty()) {
        return;
    }
    let (sums, contiguous) = marks;
    lp.set_vectors(ctx, sums);
    for op in contiguous {
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            load.set_contiguous(ctx);
        }
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            store.set_contiguous(ctx);
        }
    }
}

/// The accesses that move on by one element in each iteration; None if some do in another way.
fn contiguous(ctx: &Context, lp: For) -> Option<HashSet<Ptr<Operation>>> {
    let mut iterations = Iterations::of(ctx, lp);
    let mut found = HashSet::new();
    for op in nested_ops(ctx, lp.get_operation()) {
        let load = Operation::get_op::<Load>(op, ctx).map(|load| load.get_operand_address(ctx));
        let store = Operation::get_op::<Store>(op, ctx).map(|store| store.get_operand_address(ctx));
        let Some(address) = load.or(store) else {
            continue;
        };
        let variable = address
            .defining_op()
            .is_some_and(|op| Operation::is_op::<Alloca>(op, ctx));
        if variable {
            continue;
        }
        match iterations.constant_stride(ctx, address)? {
            0 if load.is_some() => {}
            1 => {
                number_bits(ctx, pointee(ctx, address)?)?;
                found.insert(op);
            }
            _ => return None,
        }
    }
    Some(found)
}

/// Whether the variable is loaded and stored only.
fn by_name(ctx: &Context, variable: Value) -> bool {
    let users = variable.uses(ctx);
    users.iter().all(|user| {
        let stored = Operation::get_op::<Store>(user.user_op(), ctx)
            .is_some_and(|store| store.get_operand_value(ctx) != variable);
        stored || Operation::is_op::<Load>(user.user_op(), ctx)
    })
}
