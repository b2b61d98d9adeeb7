//! What kernels update atomically, found from their parameters on: every use of a parameter is followed, through elements and
//! members, down to the scalars that are accessed.
//!
//! ```text
//! c[k].sum[d] += x       parameter c, way [.sum], groups [k of 32] [d of 16]
//! bins[i][j] += 1        parameter bins, no members, one group [256 i + j of 3 · 256]
//! ```
//!
//! Dimensions without a member between them are one group: programs walk over the rows of an array of arrays as over one long
//! row, and where a pointer leads to the array, its section says how much of it there is at least.

use accrue_dialects::core::{
    Atomic, Decay, Load, Member, PtrAdd, RecordDef, Store, array_parts, is_scalar, pointee,
    record_tag,
};
use accrue_ir::walk::directly_in;
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};
use std::collections::HashSet;

use crate::analysis::atomics::{Commuting, atomic_access};

/// The scalars at the end of one way of members.
pub struct Places {
    pub way: Vec<(u32, TypeHandle)>,
    /// How many there are in each group.
    pub sizes: Vec<u64>,
    pub element: TypeHandle,
    pub updates: Vec<Update>,
    /// What all updates commute with; `None` if they do not, or if the scalars are accessed otherwise.
    pub kind: Option<Commuting>,
}

impl Places {
    pub fn count(&self) -> Option<u64> {
        self.sizes.iter().try_fold(1, |n: u64, s| n.checked_mul(*s))
    }

    /// Whether all updates are of one scalar: nothing is added to its address.
    pub fn is_one_object(&self) -> bool {
        let indices = self.updates.iter().flat_map(|update| &update.index);
        indices.into_iter().all(Vec::is_empty)
    }
}

/// An atomic update of one of them.
pub struct Update {
    pub op: Ptr<Operation>,
    /// The number within each group, as a sum of products.
    pub index: Vec<Vec<(Value, u64)>>,
}

/// Why a parameter's places are unknown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// Its address, or one in it, goes elsewhere.
    Escapes,
    /// It is a pointer, and nobody says to how much.
    Length,
}

/// What is known of a parameter.
pub struct Found {
    pub places: Vec<Places>,
    pub unknown: Option<Unknown>,
    /// Something of it is updated atomically.
    pub updated: bool,
}

/// The tags of unions, whose members are the same memory.
pub fn unions(ctx: &Context, module: ModuleOp) -> HashSet<String> {
    directly_in::<RecordDef>(ctx, module.get_operation())
        .iter()
        .filter(|record| record.layout(ctx).union_)
        .map(|record| record.tag(ctx))
        .collect()
}

/// All that is accessed through `parameter`, which leads to `length` elements, or to one object if that is 0.
pub fn places(ctx: &Context, parameter: Value, length: u64, unions: &HashSet<String>) -> Found {
    let mut found = Found {
        places: vec![],
        unknown: None,
        updated: false,
    };
    if let Some(ty) = pointee(ctx, parameter) {
        let first = Group {
            index: vec![],
            size: length.max(1),
        };
        let at = At {
            ty,
            way: vec![],
            groups: vec![first],
            steps: match length {
                0 => Steps::Unknown,
                1.. => Steps::Known,
            },
        };
        follow(ctx, parameter, &at, unions, &mut found);
    }
    found
}

#[derive(Clone)]
struct Group {
    index: Vec<(Value, u64)>,
    size: u64,
}

/// Whether an address may be added to.
#[derive(Clone, Copy)]
enum Steps {
    Known,
    /// It may, but nobody says how far.
    Unknown,
    /// It is that of an object.
    None,
}

/// Where an address is.
#[derive(Clone)]
struct At {
    ty: TypeHandle,
    way: Vec<(u32, TypeHandle)>,
    groups: Vec<Group>,
    steps: Steps,
}

fn follow(ctx: &Context, address: Value, at: &At, unions: &HashSet<String>, found: &mut Found) {
    for using in address.uses(ctx) {
        let op = using.user_op();
        if let Some(add) = Operation::get_op::<PtrAdd>(op, ctx)
            && add.get_operand_base(ctx) == address
        {
            let mut at = at.clone();
            match at.steps {
                Steps::Known => {}
                Steps::Unknown => found.unknown = found.unknown.or(Some(Unknown::Length)),
                Steps::None => found.unknown = Some(Unknown::Escapes),
            }
            if let Some(group) = at.groups.last_mut() {
                group.index.push((add.get_operand_index(ctx), 1));
            }
            follow(ctx, add.get_result(ctx), &at, unions, found);
        } else if let Some(decay) = Operation::get_op::<Decay>(op, ctx)
            && let Some((length, of)) = array_parts(ctx, at.ty)
        {
            let mut at = At {
                ty: of,
                steps: Steps::Known,
                ..at.clone()
            };
            if let Some(group) = at.groups.last_mut() {
                group.size = group.size.saturating_mul(length);
                for (_, times) in &mut group.index {
                    *times = times.saturating_mul(length);
                }
            }
            follow(ctx, decay.get_result(ctx), &at, unions, found);
        } else if let Some(member) = Operation::get_op::<Member>(op, ctx)
            && record_tag(ctx, at.ty).is_some_and(|tag| !unions.contains(&tag))
            && let Some(ty) = pointee(ctx, member.get_result(ctx))
        {
            let mut at = At {
                ty,
                steps: Steps::None,
                ..at.clone()
            };
            at.way.push((member.field(ctx), ty));
            at.groups.push(Group {
                index: vec![],
                size: 1,
            });
            follow(ctx, member.get_result(ctx), &at, unions, found);
        } else {
            note(ctx, op, address, at, found);
        }
    }
}

/// Notes what `op` does with the object at `address`.
fn note(ctx: &Context, op: Ptr<Operation>, address: Value, at: &At, found: &mut Found) {
    let atomic = Atomic::of(ctx, op);
    let update = match atomic {
        Some(Atomic::Update(_)) => true,
        Some(Atomic::Load(_) | Atomic::Store(_)) | None => false,
    };
    let access = Operation::is_op::<Load>(op, ctx)
        || atomic.is_some_and(|access| access.address(ctx) == address)
        || Operation::get_op::<Store>(op, ctx)
            .is_some_and(|store| store.get_operand_value(ctx) != address);
    found.updated |= update;
    if !access || !is_scalar(ctx, at.ty) {
        found.unknown = Some(Unknown::Escapes);
        return;
    }
    let kind = match update {
        true => atomic_access(ctx, op).and_then(|(_, _, kind)| kind),
        false => None,
    };
    let same = |p: &&mut Places| p.way == at.way;
    let index = at.groups.iter().map(|g| g.index.clone()).collect();
    let update = update.then_some(Update { op, index });
    match found.places.iter_mut().find(same) {
        Some(places) => {
            if places.kind != kind {
                places.kind = None;
            }
            places.updates.extend(update);
        }
        None => found.places.push(Places {
            way: at.way.clone(),
            sizes: at.groups.iter().map(|g| g.size).collect(),
            element: at.ty,
            updates: update.into_iter().collect(),
            kind,
        }),
    }
}
