//! Pointers in structs and arrays that the region follows, and that no clause names: they lead to the device's copies of what they lead to.
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
//! 1. the pointers are those that the region loads and does nothing with but follow and look at, also from a copy of its own, and all if it
//!    gives the struct to a function; those of all elements of small arrays;
//! 2. in a struct that is mapped each is attached; of one that is passed by value, and of a section in `firstprivate`, the member is
//!    marked.

mod uses;

use self::uses::{Step, followed, followed_behind};
use super::enclosing::names;
use crate::{
    attributes::{FOLLOWED, FollowedMember, FollowedMembers},
    implicit_clause::{address_outside, attach},
};
use accrue_dialects::{
    acc::{ComputeOp, DataClause, DataOp, Group},
    core::{
        Decay, Member, Shape, ShapeDim, Variable, array_parts, emit::Emitter, layout::Records,
        pointee, pointee_of, record_tag,
    },
};
use accrue_opt::{
    State,
    analysis::variables::{Root, describe, is_pointer, root_of},
};
use pliron::{
    context::{Context, Ptr},
    op::op_cast,
    operation::Operation,
    region::Region,
    value::Value,
};

/// Attaches the pointers of `root`, which is mapped for the region, at `var`.
pub(super) fn attach_followed(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    (root, var): (&Root, Value),
    records: &Records,
    state: &mut State,
) {
    for path in followed(ctx, region, root, var, records) {
        let fields: Option<Vec<u32>> = (path.iter())
            .map(|step| match step {
                Step::Field(field) => Some(*field),
                Step::Element(_) | Step::Any => None,
            })
            .collect();
        if fields.is_some_and(|fields| names(ctx, construct, &(root.clone(), fields))) {
            continue;
        }
        let Some((address, variable)) = member(ctx, construct, var, &path, records) else {
            continue;
        };
        let said = (
            DataClause::Attach,
            "a pointer that the region follows, in what it has a copy of",
        );
        if let Some(entry) = attach(ctx, construct, address, variable, said, None, state) {
            FOLLOWED.set(ctx, entry, FollowedMembers(vec![as_attribute(&[])]));
        }
    }
}

/// Attaches the pointers of what clauses of the construct map.
pub(super) fn attach_in_clauses(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    records: &Records,
    state: &mut State,
) {
    for entry in construct.clause(ctx, Group::Data) {
        let Some(op) = entry.defining_op() else {
            continue;
        };
        let object = Operation::get_op_dyn(op, ctx);
        let Some(data) = op_cast::<dyn DataOp>(&*object) else {
            continue;
        };
        let info = data.info(ctx);
        let maps = matches!(info.clause, DataClause::Copy | DataClause::Copyin);
        let Some(var) = data.var(ctx).filter(|_| maps && !info.implicit) else {
            continue;
        };
        if let Some(root) = root_of(ctx, var) {
            attach_followed(ctx, construct, region, (&root, var), records, state);
        }
    }
}

/// Marks the pointers in structs that the region gets by value.
pub(super) fn mark_followed(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    records: &Records,
) {
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
        let section = is_pointer(&data.info(ctx).shape) && !data.bounds(ctx).is_empty();
        let paths = match section {
            true => followed_behind(ctx, region, &root, var, records),
            false => followed(ctx, region, &root, var, records),
        };
        let members: Vec<_> = paths.iter().map(|path| as_attribute(path)).collect();
        if !members.is_empty() {
            FOLLOWED.set(ctx, entry, FollowedMembers(members));
        }
    }
}

fn as_attribute(path: &[Step]) -> FollowedMember {
    let step = |step: &Step| match step {
        Step::Field(field) => format!(".{field}"),
        Step::Element(index) => format!("[{index}]"),
        Step::Any => "[]".to_string(),
    };
    FollowedMember {
        fields: path.iter().map(step).collect(),
    }
}

/// The address, in front of the construct, of the member at `path` of the variable at `var`, and how it is spelled.
fn member(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    var: Value,
    path: &[Step],
    records: &Records,
) -> Option<(Value, Variable)> {
    let mut name = describe(ctx, var).name;
    let mut e = Emitter::before(ctx, construct.get_operation());
    let mut ty = pointee(e.ctx, var)?;
    let mut at = address_outside(&mut e, var);
    for step in path {
        match step {
            Step::Field(index) => {
                let record = records.get(&record_tag(e.ctx, ty)?)?;
                let field = record.fields.get(*index as usize)?;
                // Members of an unnamed struct are named as if they were of the one around it.
                if !field.name.is_empty() {
                    name = format!("{name}.{}", field.name);
                }
                ty = field.ty;
                let op = Member::new(e.ctx, at, *index, ty);
                at = e.value(op);
            }
            Step::Element(index) => {
                ty = array_parts(e.ctx, ty)?.1;
                name = format!("{name}[{index}]");
                let decay = Decay::new(e.ctx, at)?;
                let (first, index) = (e.value(decay), e.i64(i128::from(*index)));
                at = e.ptr_add(first, index);
            }
            Step::Any => return None,
        }
    }
    let elem = pointee_of(e.ctx, ty)?;
    let dims = vec![ShapeDim::Pointer];
    let shape = Shape { dims, elem };
    Some((at, Variable { name, shape }))
}
