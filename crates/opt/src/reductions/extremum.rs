//! The sign of zero in `max` and `min` reductions of floating-point numbers.
//!
//! +0 and -0 are equal, so that which of the two a maximum keeps depends on the order in which a thread meets them, and on
//! the instructions of the target. The same program must give the same bits on all devices: before the LOCALs are
//! combined, zero becomes +0.
//!
//! ```text
//! local = local + 0.0        -0 + 0 is +0; all other numbers, infinities and NaN stay as they are
//! ```

use accrue_dialects::core::elements;
use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    core::{
        ArrayType, BinKind, Cast, CastKind, Decay, For, ForInfo, float_width, pointee, pointer,
    },
    par::ReductionOperator,
};
use pliron::{op::Op, r#type::TypeHandle, value::Value};

use crate::reductions::objects::Item;

/// Makes the zeros of LOCAL positive.
pub fn without_sign_of_zero(e: &mut Emitter, item: &Item) {
    let is_extremum = match item.info.operator {
        ReductionOperator::Max | ReductionOperator::Min => true,
        ReductionOperator::Add
        | ReductionOperator::Mul
        | ReductionOperator::BitAnd
        | ReductionOperator::BitOr
        | ReductionOperator::BitXor
        | ReductionOperator::LogicalAnd
        | ReductionOperator::LogicalOr
        | ReductionOperator::Eqv
        | ReductionOperator::Neqv
        | ReductionOperator::Declared(_) => false,
    };
    let Some(ty) = pointee(e.ctx, item.local).filter(|_| is_extremum) else {
        return;
    };
    let (count, scalar) = elements(e.ctx, ty);
    if float_width(e.ctx, scalar).is_none() {
        return;
    }
    if !item.by_address {
        add_zero(e, scalar, item.local);
        return;
    }
    let flat = ArrayType::get(e.ctx, count, scalar).into();
    let to = pointer(e.ctx, flat);
    let cast = Cast::new(e.ctx, CastKind::PtrCast, item.local, to);
    let array = e.value(cast);
    let [lower, upper, step] = [0, i128::from(count), 1].map(|n| e.i64(n));
    let (op, body) = For::new(e.ctx, lower, upper, step, ForInfo::default());
    e.push(op);
    e.at_end(body);
    let k = body.deref(e.ctx).get_argument(0);
    if let Some(decay) = Decay::new(e.ctx, array) {
        let first = e.value(decay);
        let element = e.ptr_add(first, k);
        add_zero(e, scalar, element);
    }
    e.finish(vec![]);
    e.go_after(op.get_operation());
}

fn add_zero(e: &mut Emitter, ty: TypeHandle, place: Value) {
    let old = e.load(place);
    let zero = e.zero(ty);
    let new = e.bin(BinKind::FAdd, old, zero);
    e.store(new, place);
}
