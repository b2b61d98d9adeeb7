//! Pass `par-loops`: loops of the source dialect become loops of the par dialect.
//!
//! ```text
//! %r = acc.reduction var(%s) …                          par.reduce [loop 1 …] (%s)
//! acc.loop lowerbound(%l) … reduction(%r) { … }    →    par.loop 1 [gang, vector …] (%l, %u, %t) { … }
//! ```
//!
//! The levels have been decided, private variables have storage, and the kernels stand alone: of a loop's clauses only its
//! levels, its gang dimension and its reductions are left to say. Nothing behind this pass knows the directives that a kernel
//! was made from.
//!
//! Steps, for the loops of each function in order: number it; its reductions go directly before it, with its number, unless
//! it has no levels, when the variable is used as it is; its operations move into the new body.
//!
//! Cost: linear in the size of the module.

use accrue_dialects::core::{
    emit::Emitter,
    fold::{constant, constant_expression},
};
use accrue_dialects::{
    acc::{self, ClauseOp, DataOp, Group, HINTS, HintKind, Loop, Reduction},
    core::{ShapeDim, Variable},
    par::{self, CONSTRUCT, Elements, LoopId, Reduce, Reduced, TileSizes, kernels::CACHED},
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        attributes::BoolAttr,
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    operation::Operation,
    value::Value,
};

use accrue_opt::State;

/// Turns the loops of all functions into loops of the par dialect.
pub fn run(ctx: &mut Context, module: ModuleOp, _: &mut State) {
    for func in walk::directly_in::<FuncOp>(ctx, module.get_operation()) {
        note_cache(ctx, func);
        let loops = walk::nested::<Loop>(ctx, func.get_operation());
        for (index, lp) in loops.into_iter().enumerate() {
            convert(ctx, lp, LoopId(index as u32 + 1));
        }
    }
}

/// Notes on the function whether a `cache` directive (OpenACC 3.4, section 2.10) is in it, wherever it stands.
fn note_cache(ctx: &Context, func: FuncOp) {
    let ops = walk::nested_ops(ctx, func.get_operation()).into_iter();
    let mut hints = ops.flat_map(|op| HINTS.get(ctx, op).unwrap_or_default().0);
    if hints.any(|hint| hint.kind == HintKind::Cache) {
        CACHED.set(ctx, func.get_operation(), BoolAttr::new(true));
    }
}

fn convert(ctx: &mut Context, lp: Loop, id: LoopId) {
    let operation = lp.get_operation();
    let mut levels = lp.levels(ctx).unwrap_or_default();
    let reductions = reductions(ctx, lp);
    let spread = !levels.is_sequential();
    if !spread && !reductions.is_empty() {
        // Its iterations take turns with the variable.
        levels.independent = false;
    }
    let dims: Vec<_> = lp.bounds(ctx).into_iter().zip(lp.dims(ctx)).collect();
    let gang_dim = lp.gang_dim(ctx);
    for reduction in reductions.iter().filter(|_| spread) {
        reduce(
            ctx,
            OpInsertionPoint::BeforeOperation(operation),
            *reduction,
            id,
        );
    }
    let mut e = Emitter::before(ctx, operation);
    let (new, body) = par::Loop::new(e.ctx, id, levels, gang_dim, &dims);
    e.push(new);
    // The clause begins with the innermost loop (2.9.8).
    let sizes = lp.clause(e.ctx, Group::Tile).into_iter().rev();
    let sizes: Vec<u64> = sizes
        .map(|size| constant_expression(e.ctx, size).map_or(0, |n| u64::try_from(n).unwrap_or(0)))
        .collect();
    if !sizes.is_empty() {
        new.set_tile(e.ctx, TileSizes(sizes));
    }
    let old = lp.get_body(ctx, 0);
    let arguments: Vec<_> = old.deref(ctx).arguments().collect();
    let ivs: Vec<_> = body.deref(ctx).arguments().collect();
    for (argument, iv) in arguments.into_iter().zip(&ivs) {
        argument.replace_all_uses_with(ctx, iv);
    }
    for op in walk::ops_of_block(ctx, old) {
        if Operation::is_op::<acc::Yield>(op, ctx) {
            let mut e = Emitter::before(ctx, op);
            e.at_end(body);
            e.finish(vec![]);
            Operation::erase(op, ctx);
        } else {
            op.unlink(ctx);
            op.insert_at_back(body, ctx);
        }
    }
    Operation::erase(operation, ctx);
    for reduction in reductions {
        drop_clause(ctx, reduction);
    }
}

/// The reductions of the loop, in order.
pub fn reductions(ctx: &Context, lp: Loop) -> Vec<Reduction> {
    let values = lp.clause(ctx, Group::Reduction).into_iter();
    let ops = values.filter_map(|value| value.defining_op());
    ops.filter_map(|op| Operation::get_op::<Reduction>(op, ctx))
        .collect()
}

/// Says at `point` what the clause `reduction` says, for the loop `id` or the construct.
pub fn reduce(ctx: &mut Context, point: OpInsertionPoint, reduction: Reduction, id: LoopId) {
    let Some(var) = reduction.var(ctx) else {
        return;
    };
    let mut e = Emitter::new(ctx, point, reduction.get_operation());
    let (elements, section) = elements(&mut e, reduction, id);
    let info = reduction.info(e.ctx);
    let name = info.name.split('[').next().unwrap_or_default();
    let reduced = Reduced {
        loop_id: id.0,
        operator: reduction.operator(e.ctx),
        signed: reduction.signed(e.ctx),
        elements,
        variable: Variable {
            name: name.trim().to_string(),
            shape: info.shape,
        },
        spelling: info.name,
    };
    let op = Reduce::new(e.ctx, reduced, var, section);
    e.push(op);
}

/// Which elements the clause names, and first element and length of a section. The host has computed those of the construct's own
/// clause: in the kernel they are known where they are constants.
fn elements(
    e: &mut Emitter,
    reduction: Reduction,
    id: LoopId,
) -> (Elements, Option<(Value, Value)>) {
    if is_whole(e.ctx, reduction) {
        return (Elements::Whole, None);
    }
    let bounds = reduction.bounds(e.ctx);
    let [bounds] = bounds.as_slice() else {
        return (Elements::Other, None);
    };
    let first = bounds.clause(e.ctx, Group::LowerBound).first().copied();
    let Some(length) = bounds.clause(e.ctx, Group::Extent).first().copied() else {
        return (Elements::Other, None);
    };
    let first = first.unwrap_or_else(|| e.i64(0));
    if id.0 != CONSTRUCT {
        return (Elements::Section, Some((first, length)));
    }
    let number = |value| constant_expression(e.ctx, value);
    match number(first).zip(number(length)) {
        Some((first, length)) => {
            let section = (e.i64(first), e.i64(length));
            (Elements::Section, Some(section))
        }
        None => (Elements::Other, None),
    }
}

/// Whether the bounds of a reduction say the whole variable: none, or the constants that the declaration has as well.
pub fn is_whole(ctx: &Context, reduction: Reduction) -> bool {
    let shape = reduction.info(ctx).shape;
    let bounds = reduction.bounds(ctx);
    bounds.iter().zip(&shape.dims).all(|(bounds, dim)| {
        let lower = bounds.clause(ctx, Group::LowerBound).first().copied();
        let extent = bounds.clause(ctx, Group::Extent).first().copied();
        let all = match (extent, dim) {
            (None, ShapeDim::Fixed(_)) => true,
            (Some(extent), ShapeDim::Fixed(length)) => {
                constant(ctx, extent) == Some(i128::from(*length))
            }
            (None | Some(_), ShapeDim::Pointer | ShapeDim::Variable) => false,
        };
        all && lower.is_none_or(|l| constant(ctx, l) == Some(0))
    })
}

/// Drops a clause that no loop has any more, and its bounds.
pub fn drop_clause(ctx: &mut Context, reduction: Reduction) {
    let op = reduction.get_operation();
    if op.deref(ctx).has_use() {
        return;
    }
    let bounds = reduction.bounds(ctx);
    Operation::erase(op, ctx);
    for bound in bounds {
        if !bound.get_result(ctx).is_used(ctx) {
            Operation::erase(bound.get_operation(), ctx);
        }
    }
}
