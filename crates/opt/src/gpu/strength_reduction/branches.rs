//! Addresses that only branches of a loop's body access, moved on by every iteration.
//!
//! A sum over a window that ends at the edges of an image tests each place before it loads it:
//!
//! ```text
//!                                              p = in + (y·w + lo);  t = k + (lo + r)
//! core.for d = lo to hi step 1 {        →      core.for d = lo to hi step 1 {
//!   if 0 <= x + d && x + d < w                   if 0 <= x + d && x + d < w
//!     s += in[y * w + x + d] * k[d + r]            s += *p * *t
//! }                                              p += 1;  t += 1
//!                                              }
//! ```
//! - A branch that waits for what the iteration loads is left alone, unless the address moves by a constant: the chain of the pointer's
//!   values would keep the assembler from having the loads of several iterations under way. (A product with a sparse matrix, whose
//!   columns say which elements there are, took 55 µs on an H200 with it, and 40 without.) What a constant moves is a distance within
//!   the load when the loop is unrolled.
//! - An index is only known not to overflow where it is computed, and the first iteration may not come to the branch. So the first address
//!   is its sum in 64 bits, not the index of the source in fewer.
//! - What is a constant number of elements from another shares its pointer.

use accrue_dialects::core::{
    Decay, For, If, Load, PtrAdd, Yield, array_parts, emit::Emitter, pointee,
};
use accrue_ir::{
    effects::is_pure,
    walk::{is_inside, nested_ops, operands_of},
};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    r#type::Typed,
    value::Value,
};
use std::collections::HashMap;

use super::Moving;
use crate::analysis::affine::{Place, motion::Iterations};

/// Addresses that one pointer serves: where it starts, and how many elements further each of them is.
pub(super) struct Shared {
    place: Place,
    members: Vec<(PtrAdd, i64)>,
}

/// Those of `moving` that stand in branches of the body, if there are at most `room`; none if there are more.
pub(super) fn shared(
    ctx: &Context,
    lp: For,
    iterations: &mut Iterations,
    moving: &[PtrAdd],
    room: usize,
) -> Vec<Shared> {
    let region = lp.get_operation().deref(ctx).get_region(0);
    let mut waiting = Waiting {
        region,
        known: HashMap::new(),
    };
    let mut groups: Vec<Shared> = vec![];
    for address in moving {
        let value = address.get_result(ctx);
        let constant = iterations.constant_stride(ctx, value).is_some();
        if super::only_leads_on(ctx, value)
            || !waiting.is_in_branch(ctx, address.get_operation(), constant)
        {
            continue;
        }
        let Some(place) = iterations
            .start(ctx, value)
            .filter(|place| can_start(ctx, iterations, place))
        else {
            continue;
        };
        let (rest, far) = place.distance.clone().split();
        let near = groups.iter_mut().find(|group| {
            let start = &group.place;
            start.origin == place.origin
                && start.element == place.element
                && start.distance.clone().split().0 == rest
        });
        match near {
            Some(group) => {
                let first = group.place.distance.clone().split().1;
                group.members.push((*address, far.wrapping_sub(first)));
            }
            None => groups.push(Shared {
                place,
                members: vec![(*address, 0)],
            }),
        }
    }
    match groups.len() <= room {
        true => groups,
        false => vec![],
    }
}

/// Whether the elements are those of the pointer that the place is counted from, or of the arrays it points to.
fn can_start(ctx: &Context, iterations: &Iterations, place: &Place) -> bool {
    let mut at = iterations
        .origin(place)
        .and_then(|origin| pointee(ctx, origin));
    while let Some(ty) = at {
        if ty == place.element {
            return true;
        }
        at = array_parts(ctx, ty).map(|(_, of)| of);
    }
    false
}

/// Gives each group a variable that begins before the loop.
pub(super) fn keep(
    ctx: &mut Context,
    lp: For,
    iterations: &mut Iterations,
    groups: Vec<Shared>,
) -> Vec<Moving> {
    let lower = lp.get_operand_lower(ctx);
    let mut kept = vec![];
    for group in groups {
        let Some(first) = group
            .members
            .first()
            .map(|(first, _)| first.get_result(ctx))
        else {
            continue;
        };
        let stride = iterations.stride(ctx, first).unwrap_or_default();
        let Some(origin) = iterations.origin(&group.place) else {
            continue;
        };
        let mut e = Emitter::before(ctx, lp.get_operation());
        let mut base = iterations.at(&mut e, origin, lower);
        while pointee(e.ctx, base) != Some(group.place.element)
            && let Some(decay) = Decay::new(e.ctx, base)
        {
            base = e.value(decay);
        }
        let far = iterations.number(&mut e, &group.place.distance, lower);
        let start = e.ptr_add(base, far);
        let distance = iterations.number(&mut e, &stride, lower);
        let ty = start.get_type(e.ctx);
        let pointer = e.alloca(ty, None);
        e.store(start, pointer);
        kept.push(Moving {
            addresses: group.members,
            pointer,
            distance,
        });
    }
    kept
}

/// What waits for a load of the iteration.
struct Waiting {
    region: Ptr<Region>,
    known: HashMap<Value, bool>,
}

impl Waiting {
    /// Whether `op` stands in branches of the body only, in none that waits unless it may.
    fn is_in_branch(&mut self, ctx: &Context, op: Ptr<Operation>, may_wait: bool) -> bool {
        let mut inside = op;
        let mut branches = 0;
        while let Some(around) = inside.deref(ctx).get_parent_op(ctx)
            && is_inside(ctx, around, self.region)
        {
            let Some(branch) = Operation::get_op::<If>(around, ctx) else {
                return false;
            };
            if !may_wait && self.waits(ctx, branch.get_operand_cond(ctx)) {
                return false;
            }
            branches += 1;
            inside = around;
        }
        branches > 0
    }

    fn waits(&mut self, ctx: &Context, value: Value) -> bool {
        let Some(op) = value
            .defining_op()
            .filter(|op| is_inside(ctx, *op, self.region))
        else {
            return false;
        };
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let waits = match Operation::get_op::<If>(op, ctx) {
            Some(branch) => {
                let mut inside = nested_ops(ctx, op).into_iter();
                self.waits(ctx, branch.get_operand_cond(ctx))
                    || inside.any(|op| match Operation::is_op::<Yield>(op, ctx) {
                        true => operands_of(ctx, op).into_iter().any(|v| self.waits(ctx, v)),
                        false => !is_quick(ctx, op),
                    })
            }
            None => {
                !is_quick(ctx, op) || operands_of(ctx, op).into_iter().any(|v| self.waits(ctx, v))
            }
        };
        self.known.insert(value, waits);
        waits
    }
}

/// Whether an operation is computed from its operands alone.
fn is_quick(ctx: &Context, op: Ptr<Operation>) -> bool {
    is_pure(ctx, op) && op.deref(ctx).num_regions() == 0 && !Operation::is_op::<Load>(op, ctx)
}
