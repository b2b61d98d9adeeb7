//! What stands for the variables of the host's function in a kernel: parameters, copies of its own, members.

use super::UsedExtent;
use crate::{
    arguments::{Argument, Passing},
    known_values::{Known, KnownValues},
};
use accrue_dialects::core::{
    self, Extent, Member, Variable, emit::Emitter, int_width, is_scalar, pointee,
};
use accrue_ir::walk;
use accrue_opt::{
    analysis::variables::{Root, describe, is_vla, member_path, root_of, uses_of},
    transform::variable_length::{copy_elements, element_count},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{OneOpdInterface, OneResultInterface},
    context::{Context, Ptr},
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    operation::Operation,
    region::Region,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// What stands for each argument's variable in the kernel: the parameter, or the address of a local copy. `None` for
/// parameters that are not used.
pub(super) fn make_locals(
    ctx: &mut Context,
    entry: Ptr<BasicBlock>,
    construct: Ptr<Operation>,
    (arguments, known): (&[Argument], &KnownValues),
    extents: &[UsedExtent],
) -> Vec<Option<Value>> {
    let parameters: Vec<_> = entry.deref(ctx).arguments().collect();
    let (mut locals, mut next) = (vec![], 0);
    let first_extent = arguments.iter().map(Argument::parameter_count).sum();
    for argument in arguments {
        let parameter = parameters[next];
        let mine = &parameters[next..next + argument.parameter_count()];
        next += mine.len();
        let mut variable = describe(ctx, argument.var);
        if argument.member.is_some() {
            variable.name = argument.info.name.clone();
            variable.shape = argument.info.shape.clone();
        }
        let held = known.get(&argument.var);
        let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockEnd(entry), construct);
        locals.push(match argument.passing {
            Passing::Unused => None,
            Passing::Reference => Some(parameter),
            Passing::PointerValue | Passing::Value => {
                let ty = parameter.get_type(e.ctx);
                let local = e.alloca(ty, Some(variable));
                let held = held.and_then(|values| values.get(&0));
                let value = constant(&mut e, ty, held).unwrap_or(parameter);
                e.store(value, local);
                Some(local)
            }
            Passing::Pieces => pointee(e.ctx, argument.var).map(|ty| {
                let local = e.alloca(ty, Some(variable));
                for ((piece, value), number) in argument.pieces.iter().zip(mine).zip(0..) {
                    let held = held.and_then(|values| values.get(&number));
                    let value = constant(&mut e, piece.ty, held).unwrap_or(*value);
                    piece.store(&mut e, value, local);
                }
                local
            }),
            Passing::PrivateCopy => private_copy(
                &mut e,
                argument,
                parameter,
                variable,
                extents,
                &parameters[first_extent..],
            ),
        });
    }
    let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockEnd(entry), construct);
    store_members(&mut e, arguments, &locals);
    locals
}

/// Stores pointers that are members of copies, and that come to the kernel by themselves, there, too: a function may get the whole
/// object.
fn store_members(e: &mut Emitter, arguments: &[Argument], locals: &[Option<Value>]) {
    let all = || arguments.iter().zip(locals);
    for (argument, own) in all().filter(|(a, _)| a.passing == Passing::PointerValue) {
        let (Some((root, _)), Some(own)) = (&argument.member, own) else {
            continue;
        };
        let object = all().find(|(of, _)| {
            matches!(of.passing, Passing::Pieces | Passing::PrivateCopy)
                && of.root.as_ref() == Some(root)
        });
        let Some((_, Some(object))) = object else {
            continue;
        };
        if let Some(address) = member_of(e, argument.var, *object) {
            let value = e.load(*own);
            e.store(value, address);
        }
    }
}

/// The address of the member at `address` in the object at `object` in place of its variable.
fn member_of(e: &mut Emitter, address: Value, object: Value) -> Option<Value> {
    if root_of(e.ctx, address).is_some() {
        return Some(object);
    }
    let member = Operation::get_op::<Member>(address.defining_op()?, e.ctx)?;
    let record = member_of(e, member.get_operand_record(e.ctx), object)?;
    let (field, ty) = (member.field(e.ctx), pointee(e.ctx, address)?);
    let member = Member::new(e.ctx, record, field, ty);
    Some(e.value(member))
}

/// What a variable of type `ty` is known to hold.
fn constant(e: &mut Emitter, ty: TypeHandle, held: Option<&Known>) -> Option<Value> {
    match held? {
        Known::Float(text) => Some(e.make(|c| core::FConst::new(c, ty, text))),
        Known::Int(number) => int_width(e.ctx, ty).map(|width| e.int(width, *number)),
    }
}

/// A copy of the object at `parameter`. `None` when an extent is missing, which `used_extents` rules out.
fn private_copy(
    e: &mut Emitter,
    argument: &Argument,
    parameter: Value,
    variable: Variable,
    extents: &[UsedExtent],
    values: &[Value],
) -> Option<Value> {
    let ty = pointee(e.ctx, parameter)?;
    if !is_vla(&argument.info.shape) {
        let local = e.alloca(ty, Some(variable));
        if is_scalar(e.ctx, ty) {
            let value = e.load(parameter);
            e.store(value, local);
        } else {
            let op = core::Copy::new(e.ctx, local, parameter);
            e.push(op);
        }
        return Some(local);
    }
    // The count in terms of the host variable's extents, which are parameters here.
    let count = element_count(e, argument.var, &argument.info.shape);
    let mut ops = vec![];
    if let Some(block) = parameter.defining_block() {
        ops = walk::ops_of_block(e.ctx, block);
    }
    for extent in ops
        .into_iter()
        .filter_map(|op| Operation::get_op::<Extent>(op, e.ctx))
    {
        let dim = extent.dim(e.ctx);
        let root = root_of(e.ctx, extent.get_operand(e.ctx));
        let at = extents
            .iter()
            .position(|x| Some(&x.root) == root.as_ref() && x.dim == dim)?;
        extent
            .get_result(e.ctx)
            .replace_all_uses_with(e.ctx, values.get(at)?);
    }
    let local = e.alloca_dynamic(ty, count, Some(variable));
    copy_elements(e, local, parameter, count);
    Some(local)
}

/// Replaces addresses of host variables, and extents, in the kernel.
pub(super) fn substitute(
    ctx: &mut Context,
    entry: Ptr<BasicBlock>,
    arguments: &[Argument],
    extents: &[UsedExtent],
    locals: &[Option<Value>],
) {
    let Some(region) = entry.deref(ctx).get_parent_region() else {
        return;
    };
    let parameters: Vec<_> = entry.deref(ctx).arguments().collect();
    let first_extent: usize = arguments.iter().map(Argument::parameter_count).sum();
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    let used: Vec<_> = ops
        .into_iter()
        .filter_map(|op| Operation::get_op::<Extent>(op, ctx))
        .collect();
    for extent in used {
        let root = root_of(ctx, extent.get_operand(ctx));
        let dim = extent.dim(ctx);
        if let Some(at) = extents
            .iter()
            .position(|e| Some(&e.root) == root.as_ref() && e.dim == dim)
        {
            extent
                .get_result(ctx)
                .replace_all_uses_with(ctx, &parameters[first_extent + at]);
            Operation::erase(extent.get_operation(), ctx);
        }
    }
    for (argument, local) in arguments.iter().zip(locals) {
        if let (Some(path), Some(local)) = (&argument.member, local) {
            substitute_member(ctx, region, path, *local);
        }
    }
    for (argument, local) in arguments.iter().zip(locals) {
        let (Some(root), Some(local)) = (&argument.root, local) else {
            continue;
        };
        for u in uses_of(ctx, region, root) {
            Operation::replace_operand(u.op, ctx, u.index, *local);
        }
    }
    drop_unused_addresses(ctx, region);
}

/// Replaces the address of a member that has an argument of its own.
fn substitute_member(
    ctx: &mut Context,
    region: Ptr<Region>,
    path: &(Root, Vec<u32>),
    local: Value,
) {
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    let members: Vec<_> = ops
        .into_iter()
        .filter_map(|op| Operation::get_op::<Member>(op, ctx))
        .collect();
    let same: Vec<_> = members
        .into_iter()
        .map(|m| m.get_result(ctx))
        .filter(|a| member_path(ctx, *a).as_ref() == Some(path))
        .collect();
    for address in same {
        address.replace_all_uses_with(ctx, &local);
        erase_unused_members(ctx, address);
    }
}

/// Erases the address of a member that nothing uses, with those of the structs in structs that lead to it alone.
fn erase_unused_members(ctx: &mut Context, address: Value) {
    let mut at = Some(address);
    while let Some(member) = at
        .and_then(|address| address.defining_op())
        .filter(|op| !op.deref(ctx).has_use())
        .and_then(|op| Operation::get_op::<Member>(op, ctx))
    {
        at = Some(member.get_operand_record(ctx));
        Operation::erase(member.get_operation(), ctx);
    }
}

/// Addresses of globals that were replaced everywhere.
fn drop_unused_addresses(ctx: &mut Context, region: Ptr<Region>) {
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    for op in ops {
        if Operation::get_op::<core::AddressOf>(op, ctx).is_some() && !op.deref(ctx).has_use() {
            Operation::erase(op, ctx);
        }
    }
}
