//! Pass `sincos`: `sincos` becomes `sin` and `cos`, on GPUs.
//!
//! Its results are stored through pointers, which would keep the variables that get them in memory:
//!
//! ```text
//! core.call @sincosf(%x, %s, %c)        →        core.store (core.call @sinf(%x)), %s
//!                                                core.store (core.call @cosf(%x)), %c
//! ```
//! Both functions are inlined, and NVIDIA's assembler does what they have in common once. Cost: linear.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::core::{Call, ExternFunc, ExternTraits, float_width};
use accrue_ir::walk::{nested, operands_of};
use pliron::{
    builtin::{
        op_interfaces::{OneRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
        types::FunctionType,
    },
    context::{Context, Ptr},
    identifier::Identifier,
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

use crate::{State, analysis::straight::PureFunctions, transform::inline::device_functions};

/// Replaces the calls in kernels and in the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.knows_mathematics {
        return;
    }
    let own: Vec<String> = nested::<FuncOp>(ctx, module.get_operation())
        .into_iter()
        .map(|f| f.get_symbol_name(ctx).to_string())
        .collect();
    for func in device_functions(ctx, module) {
        for call in nested::<Call>(ctx, func.get_operation()) {
            let name = call.callee(ctx);
            let plain = name.strip_prefix("__builtin_").unwrap_or(&name);
            if matches!(plain, "sincos" | "sincosf") && !own.contains(&name) {
                replace(ctx, module, call.get_operation());
            }
        }
    }
}

fn replace(ctx: &mut Context, module: ModuleOp, call: Ptr<Operation>) {
    let [x, sine, cosine] = operands_of(ctx, call)[..] else {
        return;
    };
    let names = match float_width(ctx, x.get_type(ctx)) {
        Some(32) => ["__builtin_sinf", "__builtin_cosf"],
        Some(64) => ["__builtin_sin", "__builtin_cos"],
        Some(_) | None => return,
    };
    let mut e = Emitter::before(ctx, call);
    let [s, c] = names.map(|name| library_call(&mut e, module, name, x));
    e.store(s, sine);
    e.store(c, cosine);
    Operation::erase(call, ctx);
}

/// A call of the device library's function `name` of one number. With the prefix `__builtin_` it is the library's, whatever
/// the unit defines.
pub fn library_call(e: &mut Emitter, module: ModuleOp, name: &str, x: Value) -> Value {
    let ty = x.get_type(e.ctx);
    library_call_as(e, module, name, x, ty)
}

/// The same for a function whose result is of type `result`.
pub fn library_call_as(
    e: &mut Emitter,
    module: ModuleOp,
    name: &str,
    x: Value,
    result: TypeHandle,
) -> Value {
    let ty = x.get_type(e.ctx);
    let Ok(callee) = Identifier::try_new(name.to_string()) else {
        return x;
    };
    if !PureFunctions::of(e.ctx, module).contains(name) {
        let signature = FunctionType::get(e.ctx, vec![ty], vec![result]);
        let traits = ExternTraits {
            pure: true,
            ..ExternTraits::default()
        };
        let declaration = ExternFunc::new(e.ctx, callee.clone(), signature.into(), traits);
        let body = module.get_region(e.ctx).deref(e.ctx).get_head();
        if let Some(body) = body {
            declaration.get_operation().insert_at_back(body, e.ctx);
        }
    }
    let call = Call::new(e.ctx, callee, vec![x], Some(result));
    e.push(call);
    call.get_operation().deref(e.ctx).get_result(0)
}
