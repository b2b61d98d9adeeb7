//! Pointers in structs without a clause that the region follows: they lead to the device's copies of what they lead to.
//!
//! ```text
//! #pragma acc enter data copyin(s.p[0:n])       s stays the host's
//! …
//! #pragma acc parallel loop                     implied: copyin(s), and now: attach(s.p), in the copy that the region makes
//! for (int i = 0; i < n; i++) s.p[i] *= s.k;
//! ```
//! By the letter the region's copy of the struct has the host's address, and the region reads the host's memory or fails. Where such a
//! pointer leads to nothing that is present it stays as it is: it may be the device's already. What is present before the region has the
//! pointers that directives have attached, and is left alone.
//!
//! Steps, for each struct that the region gets a copy of:
//! 1. the pointers are those that the region loads and does nothing with but follow and look at, and all if it gives the struct's address to
//!    a function;
//! 2. in a struct that is mapped each is attached; of one that is passed by value the member is marked.

use super::enclosing::names;
use crate::{
    attributes::{FOLLOWED, FollowedMember, FollowedMembers},
    implicit_clause::{address_outside, attach},
};
use accrue_dialects::{
    acc::{ComputeOp, DataClause, DataOp, Group},
    address_use::{UseKind, use_of},
    core::{
        Alloca, Load, Member, Shape, ShapeDim, Store, Variable,
        emit::Emitter,
        layout::{Records, records},
        pointee, pointee_of, record_tag,
    },
};
use accrue_ir::walk;
use accrue_opt::{
    State,
    analysis::variables::{Root, defined_inside, describe, member_path, root_of, uses_of},
};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::op_cast,
    operation::Operation,
    region::Region,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashSet;

/// A pointer in a struct: the fields that lead to it.
type Path = Vec<u32>;

/// Attaches the pointers of `root`, which is mapped for the region, at `var`.
pub(super) fn attach_followed(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    root: &Root,
    var: Value,
    state: &mut State,
) {
    let Some(records) = records_of(ctx, construct) else {
        return;
    };
    for path in followed(ctx, region, root, var, &records) {
        if names(ctx, construct, &(root.clone(), path.clone())) {
            continue;
        }
        let Some((address, variable)) = member(ctx, construct, var, &path, &records) else {
            continue;
        };
        let said = (
            DataClause::Attach,
            "a pointer that the region follows, in a struct without a clause",
        );
        if let Some(entry) = attach(ctx, construct, address, variable, said, None, state) {
            FOLLOWED.set(ctx, entry, FollowedMembers(vec![as_attribute(&[])]));
        }
    }
}

/// Marks the pointers in structs that the region gets by value.
pub(super) fn mark_followed(ctx: &mut Context, construct: &dyn ComputeOp, region: Ptr<Region>) {
    let Some(records) = records_of(ctx, construct) else {
        return;
    };
    let mut entries = construct.clause(ctx, Group::Firstprivate);
    entries.extend(construct.clause(ctx, Group::Data));
    for entry in entries.into_iter().filter_map(|v| v.defining_op()) {
        let object = Operation::get_op_dyn(entry, ctx);
        let Some(data) = op_cast::<dyn DataOp>(&*object) else {
            continue;
        };
        let by_value = data.info(ctx).clause == DataClause::Firstprivate;
        let Some(var) = data.var(ctx).filter(|_| by_value) else {
            continue;
        };
        let Some(root) = root_of(ctx, var) else {
            continue;
        };
        let paths = followed(ctx, region, &root, var, &records);
        let members: Vec<_> = paths.iter().map(|path| as_attribute(path)).collect();
        if !members.is_empty() {
            FOLLOWED.set(ctx, entry, FollowedMembers(members));
        }
    }
}

fn records_of(ctx: &Context, construct: &dyn ComputeOp) -> Option<Records> {
    let module = walk::enclosing::<ModuleOp>(ctx, construct.get_operation())?;
    Some(records(ctx, module))
}

fn as_attribute(path: &[u32]) -> FollowedMember {
    FollowedMember {
        fields: path.iter().map(|field| format!(".{field}")).collect(),
    }
}

/// The pointers in `root` that the region follows; `var` is its address.
fn followed(
    ctx: &Context,
    region: Ptr<Region>,
    root: &Root,
    var: Value,
    records: &Records,
) -> Vec<Path> {
    let Some(ty) = pointee(ctx, var).filter(|ty| record_tag(ctx, *ty).is_some()) else {
        return vec![];
    };
    let (mut found, mut kept): (Vec<Path>, Vec<Path>) = (vec![], vec![]);
    let mut addresses: Vec<Value> = vec![];
    for used in uses_of(ctx, region, root) {
        match use_of(ctx, used.op, used.index) {
            UseKind::Pass => pointers_in(ctx, records, ty, &mut vec![], &mut found),
            UseKind::Derive => addresses.extend(walk::results_of(ctx, used.op)),
            UseKind::Read { .. }
            | UseKind::Write { .. }
            | UseKind::Update { .. }
            | UseKind::Clause
            | UseKind::Look
            | UseKind::Keep => {}
        }
    }
    while let Some(address) = addresses.pop() {
        let Some((_, path)) = member_path(ctx, address) else {
            continue;
        };
        for using in address.uses(ctx) {
            let op = using.user_op();
            if Operation::is_op::<Member>(op, ctx) {
                addresses.extend(walk::results_of(ctx, op));
            } else if let Some(load) = Operation::get_op::<Load>(op, ctx) {
                let value = load.get_result(ctx);
                if pointee_of(ctx, value.get_type(ctx)).is_some() {
                    match is_only_followed(ctx, region, value) {
                        true => found.push(path.clone()),
                        false => kept.push(path.clone()),
                    }
                }
            } else if Operation::get_op::<Store>(op, ctx)
                .is_some_and(|store| store.get_operand_address(ctx) == address)
            {
                kept.push(path.clone());
            }
        }
    }
    let mut seen = HashSet::new();
    found.retain(|path| !kept.contains(path) && seen.insert(path.clone()));
    found
}

/// Whether the pointer, and what is computed from it or kept with it in a variable of the region's, is only followed, looked at or given
/// to functions.
fn is_only_followed(ctx: &Context, region: Ptr<Region>, pointer: Value) -> bool {
    let (mut pending, mut seen) = (vec![pointer], HashSet::from([pointer]));
    while let Some(value) = pending.pop() {
        for using in value.uses(ctx) {
            let op = using.user_op();
            let operands = walk::operands_of(ctx, op);
            let Some(index) = operands.iter().position(|operand| *operand == value) else {
                continue;
            };
            match use_of(ctx, op, index) {
                UseKind::Derive => pending.extend(
                    (walk::results_of(ctx, op).into_iter()).filter(|result| seen.insert(*result)),
                ),
                UseKind::Keep => match held(ctx, region, op) {
                    Some(loads) => {
                        pending.extend(loads.into_iter().filter(|load| seen.insert(*load)));
                    }
                    None => return false,
                },
                UseKind::Read { .. }
                | UseKind::Write { .. }
                | UseKind::Update { .. }
                | UseKind::Pass
                | UseKind::Clause
                | UseKind::Look => {}
            }
        }
    }
    true
}

/// What is loaded from the variable of the region's own in which `op` stores.
fn held(ctx: &Context, region: Ptr<Region>, op: Ptr<Operation>) -> Option<Vec<Value>> {
    let store = Operation::get_op::<Store>(op, ctx)?;
    let address = store.get_operand_address(ctx);
    Operation::get_op::<Alloca>(address.defining_op()?, ctx)?;
    if !defined_inside(ctx, address, region) {
        return None;
    }
    let mut loads = vec![];
    for using in address.uses(ctx) {
        let op = using.user_op();
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            loads.push(load.get_result(ctx));
        } else if Operation::get_op::<Store>(op, ctx)?.get_operand_address(ctx) != address {
            return None;
        }
    }
    Some(loads)
}

/// The pointers in an object of type `ty`, but for those in arrays and unions.
fn pointers_in(
    ctx: &Context,
    records: &Records,
    ty: TypeHandle,
    path: &mut Path,
    found: &mut Vec<Path>,
) {
    let record = record_tag(ctx, ty).and_then(|tag| records.get(&tag));
    let Some(record) = record.filter(|record| !record.layout.union_) else {
        if pointee_of(ctx, ty).is_some() {
            found.push(path.clone());
        }
        return;
    };
    for (field, index) in record.fields.iter().zip(0..) {
        path.push(index);
        pointers_in(ctx, records, field.ty, path, found);
        path.pop();
    }
}

/// The address, in front of the construct, of the member at `path` of the variable at `var`, and how it is spelled.
fn member(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    var: Value,
    path: &[u32],
    records: &Records,
) -> Option<(Value, Variable)> {
    let mut name = describe(ctx, var).name;
    let mut ty = pointee(ctx, var)?;
    let mut at = address_outside(&mut Emitter::before(ctx, construct.get_operation()), var);
    for field in path {
        let record = records.get(&record_tag(ctx, ty)?)?;
        let member = record.fields.get(*field as usize)?;
        // Members of an unnamed struct are named as if they were of the one around it.
        if !member.name.is_empty() {
            name = format!("{name}.{}", member.name);
        }
        ty = member.ty;
        let mut e = Emitter::before(ctx, construct.get_operation());
        let op = Member::new(e.ctx, at, *field, ty);
        at = e.value(op);
    }
    let elem = pointee_of(ctx, ty)?;
    let dims = vec![ShapeDim::Pointer];
    let shape = Shape { dims, elem };
    Some((at, Variable { name, shape }))
}
