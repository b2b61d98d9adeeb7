//! Pass `privatize`: gives the variables of `private` clauses their own storage (OpenACC 3.4, sections 2.5.11, 2.9.10).
//!
//! A variable that is private to a loop becomes an `alloca` at the start of the loop's body, one that is private to a
//! compute construct an `alloca` at the start of its region, so that each iteration (each gang) has its own:
//!
//! ```text
//! %p = acc.private var(%t)                     acc.loop … {
//! acc.loop … private(%p) {            →          %t1 = core.alloca
//!   core.store %v, %t                            core.store %v, %t1
//! }                                            }
//! ```
//!
//! A new object in every iteration, rather than one per thread, keeps array temporaries out of the way of the host
//! compiler's vectoriser. `private(p[0:n])` of a pointer makes `n` elements and a pointer to them.

use accrue_dialects::{
    acc::{ClauseOp, DataOp, Loop, Parallel, Private, Serial},
    core::{BinKind, Extent, Shape, ShapeDim, Variable, pointee, pointee_of},
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    irbuild::{cloning::IrMapping, inserter::OpInsertionPoint},
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};

use crate::{
    State,
    emit::Emitter,
    slice::recompute,
    variables::{Root, describe, is_pointer, is_vla, root_of, uses_in},
};

/// Replaces all `private` clauses, outer constructs first.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    for op in walk::nested_ops(ctx, module.get_operation()) {
        if let Some(construct) = Operation::get_op::<Parallel>(op, ctx) {
            privatize(ctx, &construct, construct.get_region(ctx), state);
        } else if let Some(construct) = Operation::get_op::<Serial>(op, ctx) {
            privatize(ctx, &construct, construct.get_region(ctx), state);
        } else if let Some(construct) = Operation::get_op::<Loop>(op, ctx) {
            privatize(ctx, &construct, construct.get_region(ctx), state);
        }
    }
}

fn privatize<T: ClauseOp + SingleBlockRegionInterface>(
    ctx: &mut Context, construct: &T, region: Ptr<Region>, state: &mut State,
) {
    let index = construct.clause_index("private");
    for clause in construct.clause(ctx, "private") {
        construct.pop_from_segment(ctx, index);
        drop_last_device(ctx, construct, index);
        let Some(private) = clause.defining_op().and_then(|op| Operation::get_op::<Private>(op, ctx)) else {
            continue;
        };
        let root = private.var(ctx).and_then(|var| root_of(ctx, var));
        match root {
            Some(root) => replace(ctx, construct.get_operation(), region, &private, &root, state),
            None => state.error(
                ctx, private.get_operation(),
                format!("`{}` cannot be private: it is part of another variable", private.info(ctx).name),
                "2.5.11",
                "make the whole variable private, or use a local variable",
            ),
        }
        if !clause.is_used(ctx) {
            Operation::erase(private.get_operation(), ctx);
        }
    }
}

/// Operands of a clause have a list of device types beside them: shortens it by the operand that was just removed.
fn drop_last_device<T: ClauseOp>(ctx: &Context, construct: &T, index: usize) {
    use accrue_dialects::acc::{DEVICE_TYPES, DeviceTypes};
    let at = construct.segment_range(ctx, index).end;
    let mut op = construct.get_operation().deref_mut(ctx);
    if let Some(types) = op.attributes.get::<DeviceTypes>(&DEVICE_TYPES).cloned() {
        let mut types = types;
        types.0.remove(at);
        op.attributes.set(DEVICE_TYPES.clone(), types);
    }
}

/// Makes the private object in `region` and lets the region use it. Extents of the variable stay those of the original.
fn replace(
    ctx: &mut Context, construct: Ptr<Operation>, region: Ptr<Region>, private: &Private, root: &Root, state: &mut State,
) {
    let Some(var) = private.var(ctx) else { return };
    let uses = uses_in(ctx, region, |ctx, value| root_of(ctx, value).as_ref() == Some(root));
    let uses: Vec<_> = uses.into_iter().filter(|u| Operation::get_op::<Extent>(u.op, ctx).is_none()).collect();
    let Some(new) = storage(ctx, construct, region, private, var, state) else { return };
    for u in uses {
        Operation::replace_operand(u.op, ctx, u.index, new);
    }
}

/// The address of the new object, made at the start of `region`. `None` after an error.
fn storage(
    ctx: &mut Context, construct: Ptr<Operation>, region: Ptr<Region>, private: &Private, var: Value, state: &mut State,
) -> Option<Value> {
    let info = private.info(ctx);
    let block = region.deref(ctx).get_entry_block()?;
    let mut variable = describe(ctx, var);
    if variable.name.is_empty() {
        variable = Variable { name: info.name.clone(), shape: info.shape.clone() };
    }
    let ty = pointee(ctx, var)?;
    let bounds = private.bounds(ctx);
    if is_pointer(&info.shape) && !bounds.is_empty() {
        let [bound] = bounds.as_slice() else {
            state.error(
                ctx, private.get_operation(),
                format!("`{}`: a private section of several dimensions through a pointer is not supported", info.name),
                "2.7.1", "declare an array inside the loop instead",
            );
            return None;
        };
        let (lower, extent) = (bound.clause(ctx, "lowerbound"), bound.clause(ctx, "extent"));
        let (Some(extent), lower) = (extent.first().copied(), lower.first().copied()) else {
            state.error(
                ctx, private.get_operation(),
                format!("`{}`: a private section needs a length", info.name), "2.7.1", "write name[start:length]",
            );
            return None;
        };
        let elem = pointee_of(ctx, ty)?;
        // Cloned from the first operation of the block backwards: each clone goes in front of the previous ones' users.
        let first = Emitter::new(ctx, OpInsertionPoint::AtBlockStart(block), construct).i64(0);
        let anchor = first.defining_op()?;
        let point = OpInsertionPoint::BeforeOperation(anchor);
        let mut mapping = IrMapping::new();
        let mut again = |ctx: &mut Context, value| {
            recompute(ctx, value, point, private.get_operation(), &mut mapping)
        };
        let values = (again(ctx, extent), lower.map_or(Ok(first), |l| again(ctx, l)));
        let (Ok(extent), Ok(lower)) = values else {
            state.error(
                ctx, private.get_operation(),
                format!("the bounds of the private section `{}` are too complicated", info.name), "2.7.1",
                "compute them into variables before the construct",
            );
            return None;
        };
        let mut e = Emitter::after(ctx, anchor);
        let storage = e.alloca_dynamic(elem, extent, None);
        let back = e.bin(BinKind::Sub, first, lower);
        let start = e.ptr_add(storage, back);
        let pointer = e.alloca(ty, Some(variable));
        e.store(start, pointer);
        return Some(pointer);
    }
    let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockStart(block), construct);
    if is_vla(&info.shape) {
        let count = element_count(&mut e, var, &info.shape);
        return Some(e.alloca_dynamic(ty, count, Some(variable)));
    }
    Some(e.alloca(ty, Some(variable)))
}

/// Number of elements of a variable-length array variable, by its extents.
pub fn element_count(e: &mut Emitter, var: Value, shape: &Shape) -> Value {
    let mut count = None;
    for (dim, kind) in shape.dims.iter().take_while(|d| **d != ShapeDim::Pointer).enumerate() {
        let extent = match kind {
            ShapeDim::Fixed(length) => e.i64(i128::from(*length)),
            ShapeDim::Variable | ShapeDim::Pointer => {
                let op = Extent::new(e.ctx, var, dim as u32);
                e.value(op)
            }
        };
        count = Some(match count {
            Some(before) => e.bin(BinKind::Mul, before, extent),
            None => extent,
        });
    }
    count.unwrap_or_else(|| e.i64(1))
}
