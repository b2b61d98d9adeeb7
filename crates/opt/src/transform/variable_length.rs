//! Variable-length arrays that a construct has as its own: how many elements, and copies of them.

use accrue_dialects::core::{
    BinKind, Copy, Extent, For, ForInfo, Shape, ShapeDim, Yield, emit::Emitter, is_scalar, pointee,
};
use pliron::{op::Op, value::Value};

/// Copies `count` elements.
pub fn copy_elements(e: &mut Emitter, to: Value, from: Value, count: Value) {
    let (zero, one) = (e.i64(0), e.i64(1));
    let info = ForInfo {
        independent: true,
        unsigned: false,
    };
    let (copy, body) = For::new(e.ctx, zero, count, one, info);
    e.push(copy);
    let index = body.deref(e.ctx).get_argument(0);
    e.at_end(body);
    let (to, from) = (e.ptr_add(to, index), e.ptr_add(from, index));
    if pointee(e.ctx, from).is_some_and(|t| is_scalar(e.ctx, t)) {
        let value = e.load(from);
        e.store(value, to);
    } else {
        let op = Copy::new(e.ctx, to, from);
        e.push(op);
    }
    let end = Yield::new(e.ctx, vec![]);
    e.push(end);
    e.go_after(copy.get_operation());
}

/// Number of elements of a variable-length array variable, by its extents. Dimensions of constant length behind the last variable one
/// are part of the elements.
pub fn element_count(e: &mut Emitter, var: Value, shape: &Shape) -> Value {
    let array = shape.dims.iter().take_while(|d| **d != ShapeDim::Pointer);
    let array: Vec<_> = array.enumerate().collect();
    let counted = array.iter().rposition(|(_, d)| **d == ShapeDim::Variable);
    let mut count = None;
    for (dim, kind) in &array[..counted.map_or(0, |last| last + 1)] {
        let extent = match kind {
            ShapeDim::Fixed(length) => e.i64(i128::from(*length)),
            ShapeDim::Variable | ShapeDim::Pointer => {
                let op = Extent::new(e.ctx, var, *dim as u32);
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
