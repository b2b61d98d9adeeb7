//! Pass `known-elements`: what is loaded from a table that the host fills with constants is the constant, on GPUs.
//!
//! ```text
//! int kernel[3][3] = {{-1, 0, 1}, …};          the kernel's parameter 2 holds -1, 0, 1, …
//! core.load kernel[0][1]                →      core.const 0
//! ```
//! Who makes the kernel has noted what its parameters lead to ([`accrue_dialects::par::kernels::KNOWN`]). Loads whose place in the array is
//! constant, after unrolling, become constants. Others stay: the table is on the device as before.
//!
//! Cost: linear in the number of loads, times the size of an index.

use accrue_dialects::core::{FConst, Load, emit::Emitter, float_width, fold::fold, int_width};
use accrue_dialects::par::kernels::KNOWN;
use accrue_ir::walk::{directly_in, nested};
use pliron::{
    builtin::{
        op_interfaces::OneResultInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    op::Op,
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};
use std::collections::HashMap;

use crate::{
    State, Switch,
    analysis::affine::{Affine, Origin},
};

const NAME: &str = "known-elements";

/// Replaces the loads of all kernels.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.promotes_memory || state.off.is_off(Switch::Elements) {
        return;
    }
    for func in directly_in::<FuncOp>(ctx, module.get_operation()) {
        let Some(known) = KNOWN.get(ctx, func.get_operation()) else {
            continue;
        };
        let parameters: Vec<Value> = func.get_entry_block(ctx).deref(ctx).arguments().collect();
        let held = known.0.into_iter().filter_map(|element| {
            let parameter = *parameters.get(usize::try_from(element.parameter).ok()?)?;
            let number = i64::try_from(element.number).ok()?;
            Some(((parameter, number), element.value))
        });
        let held: HashMap<(Value, i64), String> = held.collect();
        let mut affine = Affine::default();
        let mut count = 0;
        for load in nested::<Load>(ctx, func.get_operation()) {
            let Some(place) = place(ctx, &mut affine, load) else {
                continue;
            };
            let ty = load.result_type(ctx);
            let value = held.get(&place).cloned();
            if let Some(value) = value.and_then(|value| value_of(ctx, load, ty, &value)) {
                let old = load.get_result(ctx);
                old.replace_all_uses_with(ctx, &value);
                Operation::erase(load.get_operation(), ctx);
                count += 1;
            }
        }
        if count > 0 {
            let s = if count == 1 { "" } else { "s" };
            let message =
                format!("{count} load{s} of what the host sets to constants: become the constants");
            state.remark(ctx, func.get_operation(), NAME, message);
            fold(ctx, func.get_operation());
        }
    }
}

/// The parameter that a load reads from, and which number behind it.
fn place(ctx: &Context, affine: &mut Affine, load: Load) -> Option<(Value, i64)> {
    if load.is_volatile(ctx) {
        return None;
    }
    let place = affine.place(ctx, load.get_operand_address(ctx));
    let Origin::Value(origin) = *affine.origin(place.origin) else {
        return None;
    };
    Some((origin, place.distance.as_number()?))
}

/// The constant in front of the load.
fn value_of(ctx: &mut Context, load: Load, ty: TypeHandle, value: &str) -> Option<Value> {
    let width = int_width(ctx, ty);
    let is_float = float_width(ctx, ty).is_some();
    let mut e = Emitter::before(ctx, load.get_operation());
    match width {
        Some(width) => Some(e.int(width, value.parse().ok()?)),
        None => is_float.then(|| e.make(|c| FConst::new(c, ty, value))),
    }
}
