//! Distances between pointers into the same array are sums of numbers: for passes that make values of variables ([`super::promote`]).
//!
//! ```text
//! for (v = flat; v < flat + 24; v++)            for (k = 0; k < (flat + 24) - flat; k++)      →      for (k = 0; k < 24; k++)
//! ```
//! A loop that counts by a pointer has the distance of its ends for a number of iterations. As a sum it is one that a launch can compute
//! ([`crate::analysis::exact_trip`]), or a constant, so that the loop can become straight code.
//!
//! Cost: linear in the size of the addresses.

use accrue_dialects::core::{PtrDiff, emit::Emitter, pointee};
use accrue_ir::walk::nested;
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};

use crate::analysis::affine::Affine;

/// Replaces the distances inside `op` that are known.
pub fn replace_known(ctx: &mut Context, op: Ptr<Operation>) {
    for distance in nested::<PtrDiff>(ctx, op) {
        let mut affine = Affine::default();
        let [start, end] = [
            distance.get_operand_start(ctx),
            distance.get_operand_end(ctx),
        ]
        .map(|address| affine.place(ctx, address));
        let counted = pointee(ctx, distance.get_operand_start(ctx));
        if start.origin != end.origin
            || start.element != end.element
            || counted != Some(start.element)
        {
            continue;
        }
        let objects = affine.terms(&end.distance.minus(&start.distance));
        let mut e = Emitter::before(ctx, distance.get_operation());
        let number = objects.write(&mut e, |_, value| value);
        distance
            .get_result(e.ctx)
            .replace_all_uses_with(e.ctx, &number);
        Operation::erase(distance.get_operation(), e.ctx);
    }
}
