//! Pass `helper-globals`: functions that regions call get the addresses of the globals they use as parameters.
//!
//! A region's own globals become kernel arguments like all other variables. A function called by it has no such arguments,
//! so that each global it uses, directly or through further calls, becomes one more parameter, which every caller fills:
//!
//! ```text
//! builtin.func @day(%m) { … core.address_of @days … }      →   builtin.func @day(%m, %days) { … %days … }
//! core.call @day(%k)                                       →   core.call @day(%k, core.address_of @days)
//! ```

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{ComputeOp, DECLARE, Declare},
    core::{AddressOf, Call},
};
use accrue_ir::walk;
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        attributes::TypeAttr,
        ops::{FuncOp, ModuleOp},
        type_interfaces::FunctionTypeInterface,
        types::FunctionType,
    },
    context::{Context, Ptr},
    identifier::Identifier,
    op::{Op, op_cast},
    operation::Operation,
    r#type::{TypeHandle, Typed},
};
use std::collections::{BTreeMap, BTreeSet};

use accrue_opt::{
    State,
    analysis::read_only::{Functions, functions},
};

/// A global as a parameter: what `core.address_of` needs.
#[derive(Clone)]
struct Global {
    symbol: Identifier,
    ty: TypeHandle,
    variable: Option<accrue_dialects::core::Variable>,
    declared: Option<Declare>,
}

/// Gives all functions that regions reach their globals as parameters.
pub fn run(ctx: &mut Context, module: ModuleOp, _state: &mut State) {
    let functions = functions(ctx, module.get_operation());
    let helpers = reached(ctx, module, &functions);
    let globals = globals_of(ctx, &functions, &helpers);
    for (name, globals) in globals.iter().filter(|(_, g)| !g.is_empty()) {
        if let Some(func) = functions.get(name) {
            add_parameters(ctx, *func, globals);
        }
    }
    for call in walk::nested::<Call>(ctx, module.get_operation()) {
        if let Some(globals) = globals.get(&call.callee(ctx)) {
            add_arguments(ctx, call, globals);
        }
    }
    for name in &helpers {
        if let (Some(func), Some(globals)) = (functions.get(name), globals.get(name)) {
            use_parameters(ctx, *func, globals);
        }
    }
}

/// Names of the functions that compute constructs call, directly or not.
fn reached(ctx: &Context, module: ModuleOp, functions: &Functions) -> BTreeSet<String> {
    let mut work = vec![];
    for op in walk::nested_ops(ctx, module.get_operation()) {
        if op_cast::<dyn ComputeOp>(&*Operation::get_op_dyn(op, ctx)).is_some() {
            work.extend(
                walk::nested::<Call>(ctx, op)
                    .into_iter()
                    .map(|c| c.callee(ctx)),
            );
        }
    }
    let mut found = BTreeSet::new();
    while let Some(name) = work.pop() {
        let Some(func) = functions.get(&name) else {
            continue;
        };
        if found.insert(name) {
            work.extend(
                walk::nested::<Call>(ctx, func.get_operation())
                    .into_iter()
                    .map(|c| c.callee(ctx)),
            );
        }
    }
    found
}

/// The globals that each of `helpers` needs, by name: its own and those of what it calls.
fn globals_of(
    ctx: &Context,
    functions: &Functions,
    helpers: &BTreeSet<String>,
) -> BTreeMap<String, BTreeMap<String, Global>> {
    let mut globals: BTreeMap<String, BTreeMap<String, Global>> = BTreeMap::new();
    for name in helpers {
        let mut own = BTreeMap::new();
        if let Some(func) = functions.get(name) {
            for address in walk::nested::<AddressOf>(ctx, func.get_operation()) {
                let symbol = address.symbol(ctx);
                let Ok(identifier) = Identifier::try_from(symbol.clone()) else {
                    continue;
                };
                if let Some(variable) = address.variable(ctx) {
                    let ty = walk::results_of(ctx, address.get_operation())[0].get_type(ctx);
                    own.insert(
                        symbol,
                        Global {
                            symbol: identifier,
                            ty,
                            variable: Some(variable),
                            declared: DECLARE.get(ctx, address.get_operation()),
                        },
                    );
                }
            }
        }
        globals.insert(name.clone(), own);
    }
    loop {
        let mut grown = false;
        for name in helpers {
            let Some(func) = functions.get(name) else {
                continue;
            };
            for call in walk::nested::<Call>(ctx, func.get_operation()) {
                let inner = globals.get(&call.callee(ctx)).cloned().unwrap_or_default();
                let own = globals.entry(name.clone()).or_default();
                let before = own.len();
                own.extend(inner);
                grown |= own.len() > before;
            }
        }
        if !grown {
            return globals;
        }
    }
}

/// Appends one parameter per global.
fn add_parameters(ctx: &mut Context, func: FuncOp, globals: &BTreeMap<String, Global>) {
    let entry = func.get_entry_block(ctx);
    let (mut types, results) = {
        let ty = func.get_type(ctx);
        let ty = ty.deref(ctx);
        let Some(ty) = ty.downcast_ref::<FunctionType>() else {
            return;
        };
        (ty.arg_types(), ty.res_types())
    };
    for global in globals.values() {
        types.push(global.ty);
        BasicBlock::push_argument(entry, ctx, global.ty);
    }
    let ty = FunctionType::get(ctx, types, results);
    func.set_attr_builtin_func_type(ctx, TypeAttr::new(ty.into()));
}

/// Appends the addresses of the callee's globals to a call.
fn add_arguments(ctx: &mut Context, call: Call, globals: &BTreeMap<String, Global>) {
    let operation: Ptr<Operation> = call.get_operation();
    for global in globals.values() {
        let mut e = Emitter::before(ctx, operation);
        let address = AddressOf::new(
            e.ctx,
            global.symbol.clone(),
            global.ty,
            global.variable.clone(),
        );
        if let Some(said) = global.declared {
            DECLARE.set(e.ctx, address.get_operation(), said);
        }
        let address = e.value(address);
        Operation::push_operand(operation, ctx, address);
    }
}

/// Uses the parameters instead of the globals' addresses.
fn use_parameters(ctx: &mut Context, func: FuncOp, globals: &BTreeMap<String, Global>) {
    let parameters: Vec<_> = func.get_entry_block(ctx).deref(ctx).arguments().collect();
    let first = parameters.len() - globals.len();
    for address in walk::nested::<AddressOf>(ctx, func.get_operation()) {
        let symbol = address.symbol(ctx);
        if let Some(index) = globals
            .keys()
            .position(|k| *k == symbol)
            .filter(|_| address.variable(ctx).is_some())
        {
            let operation = address.get_operation();
            walk::results_of(ctx, operation)[0]
                .replace_all_uses_with(ctx, &parameters[first + index]);
            Operation::erase(operation, ctx);
        }
    }
}
