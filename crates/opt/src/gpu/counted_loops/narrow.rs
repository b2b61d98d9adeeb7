//! Counts in 32 bits where the bounds are constants that fit: GPUs have no registers of 64 bits, and NVIDIA's assembler does not
//! unroll loops that count in them. What is computed from the counter stays as wide as it was.
//!
//! ```text
//! core.for %k: i64 = 0 to 32 step 1 {           core.for %j: i32 = 0 to 32 step 1 {
//!   core.ptr_add %row, %k                →        %k = core.cast SExt %j
//! }                                               core.ptr_add %row, %k
//!                                               }
//! ```

use accrue_dialects::core::{For, ForInfo, emit::Emitter, fold::constant, int_width};
use accrue_ir::walk::{nested, ops_of_block};
use pliron::{
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::FuncOp},
    context::Context,
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    operation::Operation,
    r#type::Typed,
};

/// Narrows the counters of a function's loops.
pub(super) fn narrow_counters(ctx: &mut Context, func: FuncOp) {
    for lp in nested::<For>(ctx, func.get_operation()) {
        if let Some(bounds) = narrow_bounds(ctx, lp) {
            rewrite(ctx, lp, bounds);
        }
    }
}

/// Lower and upper bound and step of a loop that counts upwards in 64 bits and whose counter fits into 31, with the step that
/// ends it.
fn narrow_bounds(ctx: &Context, lp: For) -> Option<[i128; 3]> {
    let lower = lp.get_operand_lower(ctx);
    let wide = int_width(ctx, lower.get_type(ctx)) == Some(64);
    if !wide || lp.is_added(ctx) {
        return None;
    }
    let bounds = [
        constant(ctx, lower)?,
        constant(ctx, lp.get_operand_upper(ctx))?,
        constant(ctx, lp.get_operand_step(ctx))?,
    ];
    let [lower, upper, step] = bounds;
    let fits = lower >= 0 && upper >= 0 && step > 0;
    let last = lower.max(upper) + step;
    (fits && last <= i128::from(i32::MAX)).then_some(bounds)
}

fn rewrite(ctx: &mut Context, lp: For, bounds: [i128; 3]) {
    let op = lp.get_operation();
    let old = lp.get_body(ctx, 0);
    let wide = old.deref(ctx).get_argument(0);
    let info = ForInfo {
        unsigned: false,
        ..lp.info(ctx)
    };
    let mut e = Emitter::before(ctx, op);
    let [lower, upper, step] = bounds.map(|bound| e.int(32, bound));
    let (new, body) = For::new(e.ctx, lower, upper, step, info);
    e.push(new);
    let counter = body.deref(ctx).get_argument(0);
    let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockEnd(body), op);
    let extended = e.widen(counter, false);
    wide.replace_all_uses_with(ctx, &extended);
    for inner in ops_of_block(ctx, old) {
        inner.unlink(ctx);
        inner.insert_at_back(body, ctx);
    }
    Operation::erase(op, ctx);
}
