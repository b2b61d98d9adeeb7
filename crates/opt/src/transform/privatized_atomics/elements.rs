//! Code about single elements: those of a copy shared out over lanes, the place in the kernel's own object that each stands for,
//! and what is added there at the end.
//!
//! ```text
//! for k = lane to 256 step lanes { if (c[k] != 0) atomic h[k / 16][k % 16] += c[k] }
//! ```

use super::PerGang;
use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    core::{
        AtomicUpdate, Bin, BinKind, Cmp, CmpKind, Decay, For, ForInfo, If, Member, array_parts,
        float_width, pointee,
    },
    par::{DimPos, DimSize, Fork, Join, Level},
};
use pliron::{op::Op, r#type::Typed, value::Value};

/// The sum of products that an index is.
pub(super) fn sum(e: &mut Emitter, terms: &[(Value, u64)]) -> Value {
    let mut total = e.i64(0);
    for (value, times) in terms {
        let wide = e.widen(*value, false);
        let times = e.i64(i128::from(*times));
        let product = e.bin(BinKind::Mul, wide, times);
        total = e.bin(BinKind::Add, total, product);
    }
    total
}

/// `for k = lane to length step lanes { body(k) }`, over the lanes of the gang.
pub(super) fn over_elements(
    e: &mut Emitter,
    id: u32,
    length: u64,
    body: impl FnOnce(&mut Emitter, Value),
) {
    let fork = Fork::new(e.ctx, Level::Vector, id);
    e.push(fork);
    let lane = DimPos::new(e.ctx, Level::Vector);
    let lane = e.value(lane);
    let lanes = DimSize::new(e.ctx, Level::Vector);
    let lanes = e.value(lanes);
    let end = e.i64(i128::from(length));
    let info = ForInfo {
        independent: true,
        unsigned: false,
    };
    let (lp, block) = For::new(e.ctx, lane, end, lanes, info);
    lp.set_added(e.ctx);
    e.push(lp);
    e.at_end(block);
    let k = block.deref(e.ctx).get_argument(0);
    body(e, k);
    e.finish(vec![]);
    e.go_after(lp.get_operation());
    let join = Join::new(e.ctx, Level::Vector, id);
    e.push(join);
}

/// The element that a gang adds up at turn `k`: gangs begin at different ones of the `length`.
pub(super) fn turned(e: &mut Emitter, k: Value, length: u64) -> Value {
    let gang = DimPos::of_gangs(e.ctx, None);
    let gang = e.value(gang);
    let gangs = DimSize::of_gangs(e.ctx, None);
    let gangs = e.value(gangs);
    let length = e.i64(i128::from(length));
    let before = e.bin(BinKind::Mul, gang, length);
    let start = e.bin(BinKind::DivS, before, gangs);
    let at = e.bin(BinKind::Add, k, start);
    let inside = e.cmp(CmpKind::LtS, at, length);
    let around = e.bin(BinKind::Sub, at, length);
    e.select(inside, at, around)
}

pub(super) fn element_of(e: &mut Emitter, array: Value, k: Value) -> Value {
    let first = match Decay::new(e.ctx, array) {
        Some(decay) => e.value(decay),
        None => array,
    };
    e.ptr_add(first, k)
}

/// The place of the kernel's own object that element `k` of the copy stands for.
pub(super) fn original(e: &mut Emitter, copy: &PerGang, k: Value) -> Value {
    let sizes = &copy.places.sizes;
    let mut members = copy.places.way.iter();
    let mut at = copy.parameter.0;
    let mut rest = k;
    for (number, size) in sizes.iter().enumerate() {
        // How many elements of the copy one of this group stands for.
        let each = sizes[number + 1..].iter().product::<u64>();
        let each = e.i64(i128::from(each));
        let index = e.bin(BinKind::DivU, rest, each);
        let before = e.bin(BinKind::Mul, index, each);
        rest = e.bin(BinKind::Sub, rest, before);
        at = flat_element(e, at, *size, index);
        if let Some((field, ty)) = members.next() {
            let member = Member::new(e.ctx, at, *field, *ty);
            at = e.value(member);
        }
    }
    at
}

/// Element `index` of the `size` in the arrays, of whatever dimensions, that begin at `at`.
fn flat_element(e: &mut Emitter, at: Value, size: u64, index: Value) -> Value {
    let mut first = at;
    while pointee(e.ctx, first).is_some_and(|ty| array_parts(e.ctx, ty).is_some()) {
        let Some(decay) = Decay::new(e.ctx, first) else {
            break;
        };
        first = e.value(decay);
    }
    match size {
        1 => first,
        _ => e.ptr_add(first, index),
    }
}

/// Updates the array's element `k` by `part`, unless it is zero.
pub(super) fn add_part(e: &mut Emitter, copy: &PerGang, k: Value, part: Value) {
    let counted = is_some(e, part);
    let (op, yes, no) = If::new(e.ctx, counted, vec![]);
    e.push(op);
    e.at_end(yes);
    let place = original(e, copy, k);
    let (update, block) = AtomicUpdate::new(e.ctx, place);
    e.push(update);
    e.at_end(block);
    let old = block.deref(e.ctx).get_argument(0);
    let sum = Bin::new(e.ctx, copy.merge, old, part);
    let sum = e.value(sum);
    e.finish(vec![sum]);
    e.at_end(yes);
    e.finish(vec![]);
    e.at_end(no);
    e.finish(vec![]);
    e.go_after(op.get_operation());
}

/// Whether a part is not zero.
pub(super) fn is_some(e: &mut Emitter, part: Value) -> Value {
    let ty = part.get_type(e.ctx);
    let zero = e.zero(ty);
    let kind = match float_width(e.ctx, ty) {
        Some(_) => CmpKind::FNe,
        None => CmpKind::Ne,
    };
    let cmp = Cmp::new(e.ctx, kind, part, zero);
    e.value(cmp)
}
