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
//! variable without it lose updates. The clause that is added is that of the nearest construct or loop around.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{self, ClauseOp, ComputeOp, DataOp, DeviceType, Group, Loop, Reduction},
    core::{Store, is_scalar, pointee},
};
use accrue_ir::walk;
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
};

use accrue_opt::{
    State,
    analysis::variables::{Root, root_of, uses_of},
};

const NAME: &str = "implied-reductions";

/// Adds the clauses that are missing in all compute constructs.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    for lp in walk::nested::<Loop>(ctx, module.get_operation()) {
        let levels = lp.levels(ctx).unwrap_or_default();
        if !levels.worker && !levels.vector {
            continue;
        }
        let own: Vec<_> = reductions(ctx, &lp)
            .iter()
            .map(|(root, _)| root.clone())
            .collect();
        for (root, reduction) in around(ctx, lp) {
            if !own.contains(&root) && is_assigned(ctx, lp, &root) {
                add(ctx, lp, reduction, state);
            }
        }
    }
}

/// The reductions of scalars on the construct and the loops around `lp`; of several of one variable, the nearest.
pub fn around(ctx: &Context, lp: Loop) -> Vec<(Root, Reduction)> {
    let mut found: Vec<(Root, Reduction)> = vec![];
    let mut at = lp.get_operation().deref(ctx).get_parent_op(ctx);
    while let Some(op) = at {
        let here = clause_reductions(ctx, op);
        for (root, reduction) in here {
            if !found.iter().any(|(known, _)| *known == root) {
                found.push((root, reduction));
            }
        }
        at = op.deref(ctx).get_parent_op(ctx);
    }
    found
}

/// The reductions of `op` if it is a loop or a compute construct.
fn clause_reductions(ctx: &Context, op: Ptr<Operation>) -> Vec<(Root, Reduction)> {
    if let Some(lp) = Operation::get_op::<Loop>(op, ctx) {
        return reductions(ctx, &lp);
    }
    let object = Operation::get_op_dyn(op, ctx);
    match op_cast::<dyn ComputeOp>(&*object) {
        Some(construct) => reductions(ctx, construct),
        None => vec![],
    }
}

/// The scalars in the `reduction` clauses of `op`.
pub fn reductions<T: ClauseOp + ?Sized>(ctx: &Context, op: &T) -> Vec<(Root, Reduction)> {
    let values = op.clause(ctx, Group::Reduction).into_iter();
    let found = values.filter_map(|value| {
        let reduction = Operation::get_op::<Reduction>(value.defining_op()?, ctx)?;
        let var = reduction.var(ctx)?;
        let scalar = is_scalar(ctx, pointee(ctx, var)?) && reduction.bounds(ctx).is_empty();
        scalar
            .then(|| root_of(ctx, var))
            .flatten()
            .map(|root| (root, reduction))
    });
    found.collect()
}

/// Whether the loop assigns to the variable.
fn is_assigned(ctx: &Context, lp: Loop, root: &Root) -> bool {
    let is_root = |ctx: &Context, value| root_of(ctx, value).as_ref() == Some(root);
    uses_of(ctx, lp.get_region(ctx), root).into_iter().any(|u| {
        Operation::get_op::<Store>(u.op, ctx)
            .is_some_and(|store| is_root(ctx, store.get_operand_address(ctx)))
    })
}

/// Gives `lp` the clause of `model`.
fn add(ctx: &mut Context, lp: Loop, model: Reduction, state: &mut State) {
    let Some(var) = model.var(ctx) else { return };
    let (operator, signed, mut info) = (model.operator(ctx), model.signed(ctx), model.info(ctx));
    info.implicit = true;
    let message = format!("`{}` is reduced over this loop too", info.name);
    state.remark(ctx, lp.get_operation(), NAME, message);
    let mut e = Emitter::before(ctx, lp.get_operation());
    let reduction = Reduction::new(e.ctx, operator, signed, info, var, vec![]);
    let value = e.value(reduction);
    acc::push(&lp, ctx, Group::Reduction, value, DeviceType::None);
}
