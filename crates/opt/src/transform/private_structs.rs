//! Structs, and members of structs, that every iteration of a loop assigns before it uses them become the iteration's own.
//!
//! ```text
//! struct pair s;
//! for (i …) {                       for (i …) {
//!     s.t = x[i];  s.k = i;             struct pair own;
//!     y[i] = s.t * s.k;         →       own.t = x[i];  own.k = i;  y[i] = own.t * own.k;
//! }                                 }
//!
//! for (i …) {                       for (i …) {
//!     s.t = x[i];                       double t;
//!     y[i] = s.t * s.scale;     →       t = x[i];  y[i] = t * s.scale;
//! }                                 }
//! ```
//!
//! It is what [`crate::transform::private_scalars`] does for scalars, and for the same reason.
//!
//! Steps, for each local struct that the loop's body uses: each member that is no struct is followed through the body as a
//! variable ([`Path`]); if none is read before it is assigned, the body gets a struct of its own, else a variable for each
//! member that is not and is never used together with others (in a copy or a call). Unions, structs with bit-fields and
//! structs of more than [`MOST_MEMBERS`] members stay as they are.
//!
//! Cost: the size of the function for each loop and member.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::core::{
    Alloca, Call, Copy, Load, Member, Shape, Store, Variable, Zero, is_scalar, pointee, record_tag,
};
use pliron::{
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    operation::Operation,
    region::Region,
    value::Value,
};

use crate::{
    State,
    analysis::first_use::{Effect, Path, continues},
    analysis::read_only::Functions,
    analysis::records::{Leaf, Records},
    analysis::variables::{Root, defined_inside, describe, uses_in},
};

const NAME: &str = "private-scalars";

/// Members of a struct that are followed.
const MOST_MEMBERS: usize = 32;

/// A struct or a member that each iteration assigns before it uses it.
pub struct Part {
    /// The struct.
    pub variable: Value,
    /// The fields that lead to the member; none: the whole struct.
    pub fields: Vec<u32>,
    /// What of it the iterations assign.
    pub assigned: Vec<Leaf>,
    /// What may use behind the loop what iterations leave there.
    pub wanted: Option<Ptr<Operation>>,
    /// Each iteration assigns all of that.
    pub by_all: bool,
}

/// Gives iterations of `lp` their own of all structs and members for which that is no difference.
pub fn give_structs_to_iterations(
    ctx: &mut Context,
    lp: Ptr<Operation>,
    functions: &Functions,
    records: &Records,
    state: &mut State,
) {
    for part in parts(ctx, lp, functions, records) {
        if part.wanted.is_none() {
            replace(ctx, lp, &part, "nothing behind the loop does", state);
        }
    }
}

/// The structs and members from outside of the loop that could belong to its iterations.
pub fn parts(
    ctx: &Context,
    lp: Ptr<Operation>,
    functions: &Functions,
    records: &Records,
) -> Vec<Part> {
    let structs = structs_in(ctx, lp);
    let parts = structs
        .into_iter()
        .flat_map(|variable| parts_of(ctx, lp, variable, functions, records));
    parts.collect()
}

/// The local structs from outside of the loop that its body uses.
pub fn structs_in(ctx: &Context, lp: Ptr<Operation>) -> Vec<Value> {
    let body = lp.deref(ctx).get_region(0);
    let mut found: Vec<Value> = vec![];
    for used in uses_in(ctx, body, |ctx, value| {
        let alloca = value
            .defining_op()
            .and_then(|op| Operation::get_op::<Alloca>(op, ctx));
        alloca.is_some_and(|a| a.count(ctx).is_none())
            && pointee(ctx, value).is_some_and(|ty| record_tag(ctx, ty).is_some())
    }) {
        if !found.contains(&used.value) && !defined_inside(ctx, used.value, body) {
            found.push(used.value);
        }
    }
    found
}

fn parts_of(
    ctx: &Context,
    lp: Ptr<Operation>,
    variable: Value,
    functions: &Functions,
    records: &Records,
) -> Vec<Part> {
    let body = lp.deref(ctx).get_region(0);
    let leaves = pointee(ctx, variable).and_then(|ty| records.leaves(ctx, ty, MOST_MEMBERS));
    let mut own = vec![];
    let mut whole = true;
    for leaf in leaves.unwrap_or_default() {
        let root = Root::Local(variable);
        let path = Path::of_member(ctx, functions, root, leaf.fields.clone(), body);
        let belongs = path.may_belong_to_iterations(lp);
        whole &= belongs;
        if belongs && is_assigned(ctx, &path, body) {
            own.push((leaf, path));
        }
    }
    let part = |fields: &[u32], members: &[(Leaf, Path)]| Part {
        variable,
        fields: fields.to_vec(),
        assigned: members.iter().map(|(leaf, _)| leaf.clone()).collect(),
        wanted: members.iter().find_map(|(_, path)| path.wanted_behind(lp)),
        by_all: continues(ctx, lp).is_empty()
            && members
                .iter()
                .all(|(_, path)| path.in_region(body) == Effect::Assigns),
    };
    if own.is_empty() {
        vec![]
    } else if whole {
        vec![part(&[], &own)]
    } else {
        let alone = own.chunks(1).filter(|one| {
            one.iter()
                .all(|(leaf, path)| is_alone(ctx, leaf, path, body))
        });
        alone
            .map(|one| part(one.first().map_or(&[], |(leaf, _)| &leaf.fields), one))
            .collect()
    }
}

/// Whether the body may assign the member.
fn is_assigned(ctx: &Context, path: &Path, body: Ptr<Region>) -> bool {
    path.uses_in(body).into_iter().any(|op| {
        let copied = Operation::get_op::<Copy>(op, ctx)
            .is_some_and(|copy| path.concerns(copy.get_operand_to(ctx)));
        copied
            || Operation::is_op::<Store>(op, ctx)
            || Operation::is_op::<Zero>(op, ctx)
            || Operation::is_op::<Call>(op, ctx)
    })
}

/// Whether the body only loads the member, a scalar, and stores to it.
fn is_alone(ctx: &Context, leaf: &Leaf, path: &Path, body: Ptr<Region>) -> bool {
    is_scalar(ctx, leaf.ty)
        && path
            .uses_in(body)
            .into_iter()
            .all(|op| Operation::is_op::<Load>(op, ctx) || Operation::is_op::<Store>(op, ctx))
}

/// Lets the body use an object of its own, which is given back.
pub fn replace(
    ctx: &mut Context,
    lp: Ptr<Operation>,
    part: &Part,
    why: &str,
    state: &mut State,
) -> Option<Value> {
    let body = lp.deref(ctx).get_region(0);
    let start = body.deref(ctx).get_entry_block()?.deref(ctx).get_head()?;
    let user = describe(ctx, part.variable);
    let (ty, user) = match part.fields.is_empty() {
        true => (pointee(ctx, part.variable)?, user),
        false => {
            let ty = part.assigned.first()?.ty;
            let shape = Shape {
                dims: vec![],
                elem: ty,
            };
            let name = format!("member of {}", user.name);
            (ty, Variable { name, shape })
        }
    };
    let used = uses_in(ctx, body, |ctx, value| {
        position(ctx, value, part.variable).is_some_and(|at| at == part.fields)
    });
    let message = match part.fields.is_empty() {
        true => format!("`{}`", user.name),
        false => format!("a {}", user.name.replace("of ", "of `") + "`"),
    };
    let own = Emitter::before(ctx, start).alloca(ty, Some(user));
    for used in used {
        Operation::replace_operand(used.op, ctx, used.index, own);
    }
    let message =
        format!("{message} is private to each iteration: all assign it before they use it; {why}");
    state.remark(ctx, lp, NAME, message);
    Some(own)
}

/// The fields that lead from `variable` to what `address` points to.
fn position(ctx: &Context, address: Value, variable: Value) -> Option<Vec<u32>> {
    if address == variable {
        return Some(vec![]);
    }
    let member = Operation::get_op::<Member>(address.defining_op()?, ctx)?;
    let mut fields = position(ctx, member.get_operand_record(ctx), variable)?;
    fields.push(member.field(ctx));
    Some(fields)
}

/// The address of the member that `leaf` names in the struct at `record`, without the fields that led there.
pub fn address_of(e: &mut Emitter, record: Value, types: &Records, fields: &[u32]) -> Value {
    let mut at = record;
    for field in fields {
        let inner = pointee(e.ctx, at).and_then(|ty| {
            let index = usize::try_from(*field).ok()?;
            types.fields_of(e.ctx, ty)?.get(index).copied()
        });
        let Some(ty) = inner else { return at };
        let member = Member::new(e.ctx, at, *field, ty);
        at = e.value(member);
    }
    at
}
