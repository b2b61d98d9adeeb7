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
use accrue_dialects::core::{Call, Extern, ExternFunc, ExternTraits, Externs, Known, float_width};
use accrue_ir::walk::{nested, operands_of};
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::ModuleOp, types::FunctionType},
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
    let externs = Externs::of_module(ctx, module.get_operation());
    for func in device_functions(ctx, module) {
        for call in nested::<Call>(ctx, func.get_operation()) {
            if externs.known(&call.callee(ctx)) == Some(Known::SinCos) {
                replace(ctx, module, call.get_operation());
            }
        }
    }
}

fn replace(ctx: &mut Context, module: ModuleOp, call: Ptr<Operation>) {
    let [x, sine, cosine] = operands_of(ctx, call)[..] else {
        return;
    };
    if !matches!(float_width(ctx, x.get_type(ctx)), Some(32 | 64)) {
        return;
    }
    let mut e = Emitter::before(ctx, call);
    let [s, c] = [Known::Sin, Known::Cos].map(|known| library_call(&mut e, module, known, x));
    e.store(s, sine);
    e.store(c, cosine);
    Operation::erase(call, ctx);
}

/// A call of a known function of one number.
pub fn library_call(e: &mut Emitter, module: ModuleOp, known: Known, x: Value) -> Value {
    let ty = x.get_type(e.ctx);
    library_call_as(e, module, known, &[x], ty)
}

/// The same for a function of several arguments whose result is of type `result`.
pub fn library_call_as(
    e: &mut Emitter,
    module: ModuleOp,
    known: Known,
    arguments: &[Value],
    result: TypeHandle,
) -> Value {
    let types: Vec<_> = arguments.iter().map(|x| x.get_type(e.ctx)).collect();
    let width = types
        .iter()
        .chain([&result])
        .find_map(|ty| float_width(e.ctx, *ty));
    let name = known.symbol(width.unwrap_or(64));
    let Ok(callee) = Identifier::try_new(name.clone()) else {
        return arguments[0];
    };
    if !PureFunctions::of(e.ctx, module).contains(&name) {
        let declared = Extern {
            ty: FunctionType::get(e.ctx, types, vec![result]).into(),
            traits: ExternTraits {
                pure: true,
                ..ExternTraits::default()
            },
            known: Some(known),
        };
        let declaration = ExternFunc::new(e.ctx, callee.clone(), declared);
        let body = module.get_region(e.ctx).deref(e.ctx).get_head();
        if let Some(body) = body {
            declaration.get_operation().insert_at_back(body, e.ctx);
        }
    }
    let call = Call::new(e.ctx, callee, arguments.to_vec(), Some(result));
    e.push(call);
    call.get_operation().deref(e.ctx).get_result(0)
}
