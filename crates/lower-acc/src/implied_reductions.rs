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
//! variable without it lose updates. The clause that is added is that of the nearest construct or loop around. The same holds for arrays
//! some of whose elements the loop stores to.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{self, ClauseOp, ComputeOp, DataOp, DeviceType, Group, Loop, Reduction},
    core::{Cast, Decay, Member, PtrAdd, Store, array_parts, is_scalar, pointee},
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
                add(ctx, lp, reduction, vec![], state);
            }
        }
        for (root, reduction, bounds) in arrays_around(ctx, lp) {
            if stores_into(ctx, lp, &root) {
                add(ctx, lp, reduction, bounds, state);
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

/// The reductions of arrays on the construct and the loops around `lp`, the nearest of each, with their sections; none of those that
/// `lp` has a clause for.
fn arrays_around(ctx: &Context, lp: Loop) -> Vec<(Root, Reduction, Vec<Value>)> {
    let mut found: Vec<(Root, Reduction, Vec<Value>)> = vec![];
    let mut known: Vec<Root> = vec![];
    let mut at = Some(lp.get_operation());
    while let Some(op) = at {
        let around = Operation::get_op::<Loop>(op, ctx);
        let object = Operation::get_op_dyn(op, ctx);
        let clause = match (&around, op_cast::<dyn ComputeOp>(&*object)) {
            (Some(lp), _) => lp.clause(ctx, Group::Reduction),
            (None, Some(construct)) => construct.clause(ctx, Group::Reduction),
            (None, None) => vec![],
        };
        for value in clause {
            let reduction = value
                .defining_op()
                .and_then(|op| Operation::get_op::<Reduction>(op, ctx));
            let array = reduction.and_then(|it| Some((it, it.var(ctx)?)));
            let array = array.filter(|(_, var)| {
                pointee(ctx, *var).is_some_and(|ty| array_parts(ctx, ty).is_some())
            });
            let Some((reduction, root)) =
                array.and_then(|(it, var)| Some((it, root_of(ctx, var)?)))
            else {
                continue;
            };
            if !known.contains(&root) && op != lp.get_operation() {
                // A construct reduces whole arrays only, and its operands are not those of the region.
                let bounds = match around {
                    Some(_) => bounds_of(ctx, reduction),
                    None => vec![],
                };
                found.push((root.clone(), reduction, bounds));
            }
            known.push(root);
        }
        at = op.deref(ctx).get_parent_op(ctx);
    }
    found
}

/// The section that a clause names, as operands.
fn bounds_of(ctx: &Context, reduction: Reduction) -> Vec<Value> {
    let bounds = reduction.bounds(ctx).into_iter();
    bounds
        .map(|it| it.get_operation().deref(ctx).get_result(0))
        .collect()
}

/// Whether the loop stores to something in the array.
fn stores_into(ctx: &Context, lp: Loop, root: &Root) -> bool {
    let is_in = |store: &Store| {
        let mut address = store.get_operand_address(ctx);
        loop {
            if root_of(ctx, address).as_ref() == Some(root) {
                return true;
            }
            let Some(op) = address.defining_op() else {
                return false;
            };
            let part = Operation::is_op::<PtrAdd>(op, ctx)
                || Operation::is_op::<Decay>(op, ctx)
                || Operation::is_op::<Member>(op, ctx)
                || Operation::is_op::<Cast>(op, ctx);
            match walk::operands_of(ctx, op).first() {
                Some(base) if part => address = *base,
                Some(_) | None => return false,
            }
        }
    };
    walk::nested::<Store>(ctx, lp.get_operation())
        .iter()
        .any(is_in)
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
