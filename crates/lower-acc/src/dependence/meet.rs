//! Whether two accesses may meet in different iterations: by the objects they are to, and by their subscripts.
//!
//! ```text
//! p[i * m + j], j < m           never: a row for each i
//! p[2 * i], p[2 * i + 1]        never
//! p[i].x, p[i + 1].y            never, unless they are members of a union
//! p[i], q[i]                    perhaps, unless something says that the pointers lead apart
//! ```

use super::{
    Access, Known, Overlap,
    digits::{Subscript, differ},
};
use crate::members::{Record, records};
use accrue_dialects::{
    acc::Kernels,
    address_use::{UseKind, use_of},
    core::{Alloca, Call, Store},
};
use accrue_ir::walk;
use accrue_opt::analysis::{
    accesses::{Base, Reader, Step, is_unaliased, root_name},
    variables::Root,
};
use pliron::{
    builtin::op_interfaces::OneOpdInterface, context::Context, operation::Operation, value::Value,
};

/// More pairs of pointers are not tested.
const MOST_PAIRS: usize = 64;

/// Checks rule 3 for two accesses.
pub(super) fn compare(
    reader: &Reader,
    (known, overlap): (&Known, Overlap<'_>),
    (a, b): (&Access, &Access),
    ivs: &[Value],
) -> Result<(), String> {
    let ctx = reader.ctx;
    let at_launch = matches!(overlap, Overlap::ToldAtLaunch);
    let tested = || match overlap {
        Overlap::Tested(pairs) => {
            let pair = (a.place.base.clone(), b.place.base.clone());
            let turned = (pair.1.clone(), pair.0.clone());
            let mut pairs = pairs.borrow_mut();
            let known = pairs.contains(&pair) || pairs.contains(&turned);
            let room = pairs.len() < MOST_PAIRS;
            if !known && room {
                pairs.push(pair);
            }
            known || room
        }
        Overlap::Possible | Overlap::ToldAtLaunch => false,
    };
    match (&a.place.base, &b.place.base) {
        (Base::Inside, _) | (_, Base::Inside) => return Ok(()),
        (Base::Unknown, Base::Variable(variable)) | (Base::Variable(variable), Base::Unknown)
            if is_unaliased(ctx, variable) =>
        {
            return Ok(());
        }
        (Base::Unknown, _) | (_, Base::Unknown) => {
            return Err("it accesses memory through a pointer that is not known".to_string());
        }
        (Base::Variable(x), Base::Variable(y)) if x != y => return Ok(()),
        (Base::Pointee(x), Base::Pointee(y)) if x != y => {
            let fresh = is_fresh(ctx, known, x) && is_fresh(ctx, known, y);
            let told = at_launch && !is_of_construct(ctx, x) && !is_of_construct(ctx, y);
            if told || fresh || leads_apart(ctx, x) && leads_apart(ctx, y) || tested() {
                return Ok(());
            }
            let (x, y) = (root_name(ctx, x), root_name(ctx, y));
            return Err(format!("`{x}` and `{y}` may point to the same memory"));
        }
        (Base::Variable(variable), Base::Pointee(pointer))
        | (Base::Pointee(pointer), Base::Variable(variable)) => {
            let told =
                at_launch && !is_of_construct(ctx, variable) && !is_of_construct(ctx, pointer);
            if told
                || is_unaliased(ctx, variable)
                || is_fresh(ctx, known, pointer)
                || leads_apart(ctx, pointer)
                || known.aliasing.tells_apart(ctx, a.ty, b.ty)
                || tested()
            {
                return Ok(());
            }
            let (pointer, variable) = (root_name(ctx, pointer), root_name(ctx, variable));
            return Err(format!("`{pointer}` may point to `{variable}`"));
        }
        (Base::Loaded(_), Base::Variable(variable))
        | (Base::Variable(variable), Base::Loaded(_))
            if is_unaliased(ctx, variable) =>
        {
            return Ok(());
        }
        (Base::Loaded(x), Base::Loaded(y)) if x == y => {}
        (Base::Loaded(_), _) | (_, Base::Loaded(_)) => {
            return match tested() {
                true => Ok(()),
                false => Err("pointers in memory may lead to the same memory".to_string()),
            };
        }
        (Base::Variable(_), Base::Variable(_)) | (Base::Pointee(_), Base::Pointee(_)) => {}
    }
    // Iterations differ in a first induction variable; those of the dimensions around it are then equal.
    let apart = (0..ivs.len()).all(|k| path_keeps_apart((reader, known), a, b, ivs[k], &ivs[..k]));
    match apart {
        true => Ok(()),
        false => Err(format!(
            "iterations may access the same element of {}",
            name_of(ctx, &a.place.base)
        )),
    }
}

fn name_of(ctx: &Context, base: &Base) -> String {
    match base {
        Base::Variable(root) => format!("`{}`", root_name(ctx, root)),
        Base::Pointee(root) => format!("what `{}` points to", root_name(ctx, root)),
        Base::Loaded(place) => format!("what a pointer in {} leads to", name_of(ctx, &place.base)),
        Base::Inside | Base::Unknown => "an object".to_string(),
    }
}

/// Whether some subscript keeps the places apart in iterations that differ in `iv`.
fn path_keeps_apart(
    (reader, known): (&Reader, &Known),
    a: &Access,
    b: &Access,
    iv: Value,
    fixed: &[Value],
) -> bool {
    let [mut of_a, mut of_b] = [a, b].map(|access| records_on_way(reader.ctx, access).into_iter());
    for (x, y) in a.place.path.iter().zip(&b.place.path) {
        match (x, y) {
            (Step::Index(x), Step::Index(y)) => {
                let [x, y] = [(x, &a.loops), (y, &b.loops)];
                let [x, y] = [x, y].map(|(sum, loops)| Subscript { sum, loops });
                if differ(reader, x, y, iv, fixed) {
                    return true;
                }
            }
            (Step::Member(x), Step::Member(y)) => {
                let records = (of_a.next(), of_b.next());
                if x != y {
                    return matches!(records, (Some(a), Some(b)) if a == b && !known.unions.may_be(&a));
                }
            }
            // What follows is not comparable.
            (Step::Member(_) | Step::Index(_), Step::Member(_) | Step::Index(_)) => return false,
        }
    }
    false
}

/// The records of the members in an access's path; none if it does not have all that are on the way.
fn records_on_way(ctx: &Context, access: &Access) -> Vec<Record> {
    let records = access.address.map(|address| records(ctx, address));
    let members = access.place.path.iter();
    let members = members.filter(|step| matches!(step, Step::Member(_)));
    let many = members.count();
    records
        .filter(|records| records.len() == many)
        .unwrap_or_default()
}

/// Whether the variable is declared in a `kernels` construct: the launch knows neither where it will be nor where it will lead.
fn is_of_construct(ctx: &Context, variable: &Root) -> bool {
    let Root::Local(alloca) = variable else {
        return false;
    };
    let op = alloca.defining_op();
    op.is_some_and(|op| walk::enclosing::<Kernels>(ctx, op).is_some())
}

/// Whether the front end says that nothing else leads to what the pointer leads to.
fn leads_apart(ctx: &Context, pointer: &Root) -> bool {
    let Root::Local(alloca) = pointer else {
        return false;
    };
    let op = alloca.defining_op();
    let alloca = op.and_then(|op| Operation::get_op::<Alloca>(op, ctx));
    alloca.is_some_and(|alloca| alloca.leads_apart(ctx))
}

/// Whether every value of a local pointer comes straight from an allocation, and from no other pointer's.
fn is_fresh(ctx: &Context, known: &Known, pointer: &Root) -> bool {
    let Root::Local(alloca) = pointer else {
        return false;
    };
    alloca.uses(ctx).into_iter().all(|u| {
        let op = u.user_op();
        let stored = Operation::get_op::<Store>(op, ctx).map(|s| s.get_operand_value(ctx));
        match use_of(ctx, op, u.find_index(ctx)) {
            UseKind::Write { .. } => stored.is_some_and(|v| is_allocation(ctx, known, v)),
            UseKind::Read { .. } | UseKind::Clause | UseKind::Look => true,
            UseKind::Update { .. } | UseKind::Derive | UseKind::Pass | UseKind::Keep => false,
        }
    })
}

/// Whether `value` is the result of an allocation that nothing else keeps.
fn is_allocation(ctx: &Context, known: &Known, value: Value) -> bool {
    use accrue_dialects::core::{Cast, Null};
    let Some(op) = value.defining_op() else {
        return false;
    };
    if Operation::get_op::<Null>(op, ctx).is_some() {
        return true;
    }
    if value.num_uses(ctx) != 1 {
        return false;
    }
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        return is_allocation(ctx, known, cast.get_operand(ctx));
    }
    let call = Operation::get_op::<Call>(op, ctx);
    call.is_some_and(|c| known.functions.externs.traits(&c.callee(ctx)).allocates)
}
