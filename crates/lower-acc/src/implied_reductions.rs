//! Pass `implied-reductions`: a loop over workers or lanes in which a reduction variable is updated reduces it as well.
//!
//! ```text
//! #pragma acc parallel reduction(+ : sum)             sum is each gang's own …
//! {
//!   #pragma acc loop gang vector                 →    … and this loop gets reduction(+ : sum)
//!   for (…) sum += a[i];
//! }
//! ```
//!
//! OpenACC wants the clause on every such loop (3.4, section 2.9.11), but programs leave it out, and lanes that update one
//! variable without it lose updates. The clause that is added is that of the nearest construct or loop around. The same holds for arrays,
//! and where a function that the loop calls does the update.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{self, ClauseOp, ComputeOp, DataOp, DeviceType, Group, Loop, Reduction},
    core::{Atomic, array_parts, is_scalar, pointee},
};
use accrue_ir::walk;
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    value::Value,
};

use accrue_opt::{
    State,
    analysis::{
        read_only::{Functions, functions, only_reads},
        variables::{Root, root_of},
    },
};

const NAME: &str = "implied-reductions";

/// Adds the clauses that are missing in all compute constructs.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let functions = functions(ctx, module.get_operation());
    for lp in walk::nested::<Loop>(ctx, module.get_operation()) {
        let levels = lp.levels(ctx).unwrap_or_default();
        if !levels.worker && !levels.vector {
            continue;
        }
        let own = all_reductions(ctx, lp.get_operation());
        for Model {
            root,
            reduction,
            of_loop,
        } in models(ctx, lp)
        {
            if own.iter().any(|(known, _)| *known == root)
                || !is_assigned(ctx, &functions, lp, &root)
            {
                continue;
            }
            // A construct reduces whole arrays only, and its operands are not those of the region.
            let bounds = match of_loop {
                true => bounds_of(ctx, reduction),
                false => vec![],
            };
            add(ctx, lp, reduction, bounds, state);
        }
    }
}

/// The reductions of scalars on the construct and the loops around `lp`; of several of one variable, the nearest.
pub fn around(ctx: &Context, lp: Loop) -> Vec<(Root, Reduction)> {
    let found = models(ctx, lp).into_iter();
    found
        .filter(|model| is_of_scalar(ctx, model.reduction))
        .map(|model| (model.root, model.reduction))
        .collect()
}

/// The scalars in the `reduction` clauses of `op`.
pub fn reductions<T: ClauseOp + ?Sized>(ctx: &Context, op: &T) -> Vec<(Root, Reduction)> {
    let mut found = clauses(ctx, op.clause(ctx, Group::Reduction));
    found.retain(|(_, reduction)| is_of_scalar(ctx, *reduction));
    found
}

/// A reduction around a loop.
struct Model {
    root: Root,
    reduction: Reduction,
    /// It is that of a loop, not of the construct.
    of_loop: bool,
}

/// The reductions of scalars and arrays on the construct and the loops around `lp`; of several of one variable, the nearest.
fn models(ctx: &Context, lp: Loop) -> Vec<Model> {
    let mut found: Vec<Model> = vec![];
    let mut at = lp.get_operation().deref(ctx).get_parent_op(ctx);
    while let Some(op) = at {
        let of_loop = Operation::is_op::<Loop>(op, ctx);
        for (root, reduction) in all_reductions(ctx, op) {
            if !found.iter().any(|known| known.root == root) {
                found.push(Model {
                    root,
                    reduction,
                    of_loop,
                });
            }
        }
        at = op.deref(ctx).get_parent_op(ctx);
    }
    found
}

/// The reductions of `op` if it is a loop or a compute construct.
fn all_reductions(ctx: &Context, op: Ptr<Operation>) -> Vec<(Root, Reduction)> {
    if let Some(lp) = Operation::get_op::<Loop>(op, ctx) {
        return clauses(ctx, lp.clause(ctx, Group::Reduction));
    }
    let object = Operation::get_op_dyn(op, ctx);
    match op_cast::<dyn ComputeOp>(&*object) {
        Some(construct) => clauses(ctx, construct.clause(ctx, Group::Reduction)),
        None => vec![],
    }
}

fn clauses(ctx: &Context, operands: Vec<Value>) -> Vec<(Root, Reduction)> {
    let found = operands.into_iter().filter_map(|value| {
        let reduction = Operation::get_op::<Reduction>(value.defining_op()?, ctx)?;
        let var = reduction.var(ctx)?;
        let ty = pointee(ctx, var)?;
        let scalar = is_scalar(ctx, ty) && reduction.bounds(ctx).is_empty();
        let array = array_parts(ctx, ty).is_some();
        (scalar || array)
            .then(|| root_of(ctx, var))
            .flatten()
            .map(|root| (root, reduction))
    });
    found.collect()
}

fn is_of_scalar(ctx: &Context, reduction: Reduction) -> bool {
    let ty = reduction.var(ctx).and_then(|var| pointee(ctx, var));
    ty.is_some_and(|ty| is_scalar(ctx, ty))
}

/// Whether the loop, or a function that it calls, assigns to the variable or to something in it, other than atomically.
fn is_assigned(ctx: &Context, functions: &Functions, lp: Loop, root: &Root) -> bool {
    let is_atomic = |op| Atomic::of(ctx, op).is_some();
    !only_reads(ctx, functions, lp.get_region(ctx), root, is_atomic)
}

/// The section that a clause names, as operands.
fn bounds_of(ctx: &Context, reduction: Reduction) -> Vec<Value> {
    let bounds = reduction.bounds(ctx).into_iter();
    bounds
        .map(|it| it.get_operation().deref(ctx).get_result(0))
        .collect()
}

/// Gives `lp` the clause of `model`.
fn add(ctx: &mut Context, lp: Loop, model: Reduction, bounds: Vec<Value>, state: &mut State) {
    let Some(var) = model.var(ctx) else { return };
    let (operator, signed, mut info) = (model.operator(ctx), model.signed(ctx), model.info(ctx));
    info.implicit = true;
    let message = format!("`{}` is reduced over this loop too", info.name);
    state.remark(ctx, lp.get_operation(), NAME, message);
    let mut e = Emitter::before(ctx, lp.get_operation());
    let reduction = Reduction::new(e.ctx, operator, signed, info, var, bounds);
    let value = e.value(reduction);
    acc::push(&lp, ctx, Group::Reduction, value, DeviceType::None);
}
