//! Pass `helper-globals`: functions that regions call get the addresses of the globals they use as parameters.
//!
//! A region's own globals become kernel arguments like all other variables. A function called by it has no such arguments,
//! so that each global it uses, directly or through further calls, becomes one more parameter, which every caller fills:
//!
//! ```text
//! builtin.func @day(%m) { … core.address_of @days … }      →   builtin.func @day(%m, %days) { … %days … }
//! core.call @day(%k)                                       →   core.call @day(%k, core.address_of @days)
//! ```
//! Functions of other units have theirs when the link has put all together ([`at_link`]). The kernels that call them get further
//! parameters then, behind all others: what the host's text passes does not change, and the tables have the addresses.

use accrue_abi::symbols::shown;
use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{ComputeOp, DECLARE, Declare},
    core::{
        AddressOf, Call, INITIAL_VALUES, InitialValues, Shape, Variable,
        layout::{records, size_of},
        pointee_of,
    },
    par::kernel_of,
};
use accrue_ir::walk;
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        attributes::{BoolAttr, TypeAttr},
        op_interfaces::SymbolOpInterface,
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

use crate::attributes::{
    GIVEN, GLOBALS, GivenGlobal, GivenGlobals, GlobalArgument, GlobalArguments, OF_HELPER,
};
use accrue_opt::{
    State,
    analysis::read_only::{Functions, functions},
};

/// A global as a parameter: what `core.address_of` needs.
#[derive(Clone)]
struct Global {
    symbol: Identifier,
    ty: TypeHandle,
    variable: Option<Variable>,
    declared: Option<Declare>,
    constant: bool,
    initial: Option<InitialValues>,
}

/// Gives all functions that regions reach their globals as parameters.
pub fn run(ctx: &mut Context, module: ModuleOp, _state: &mut State) {
    let functions = functions(ctx, module.get_operation());
    let constructs = walk::nested_ops(ctx, module.get_operation()).into_iter();
    let constructs = constructs
        .filter(|op| op_cast::<dyn ComputeOp>(&*Operation::get_op_dyn(*op, ctx)).is_some());
    let called = constructs.flat_map(|construct| callees(ctx, construct));
    let helpers = reached(ctx, called.collect(), &functions);
    let globals = globals_of(ctx, &functions, &helpers);
    give(ctx, module, &functions, &globals);
}

/// Gives the functions that kernels reach the globals that they still use, and the kernels of a construct the same ones.
pub fn at_link(ctx: &mut Context, module: ModuleOp) {
    let functions = functions(ctx, module.get_operation());
    let mut kernels: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for func in walk::directly_in::<FuncOp>(ctx, module.get_operation()) {
        if let Some(kernel) = kernel_of(ctx, &func) {
            let name = func.get_symbol_name(ctx).to_string();
            kernels.entry(kernel.site).or_default().push(name);
        }
    }
    let all = kernels.values().flatten().cloned().collect();
    let helpers = reached(ctx, all, &functions);
    let mut globals = globals_of(ctx, &functions, &helpers);
    let mut of_sites = BTreeMap::new();
    for (site, kernels) in &kernels {
        let needed = kernels.iter().filter_map(|kernel| globals.get(kernel));
        let needed: BTreeMap<String, Global> = needed.flat_map(|it| it.clone()).collect();
        for kernel in kernels {
            globals.insert(kernel.clone(), needed.clone());
        }
        of_sites.insert(*site, needed);
    }
    note(ctx, module, &of_sites);
    give(ctx, module, &functions, &globals);
}

/// Adds the arguments to calls in units that do not know of a function's further parameters.
pub fn complete_calls(ctx: &mut Context, module: ModuleOp) {
    let functions = functions(ctx, module.get_operation());
    for call in walk::nested::<Call>(ctx, module.get_operation()) {
        let Some(func) = functions.get(&call.callee(ctx)) else {
            continue;
        };
        let Some(GivenGlobals(given)) = GIVEN.get(ctx, func.get_operation()) else {
            continue;
        };
        let parameters: Vec<_> = func.get_entry_block(ctx).deref(ctx).arguments().collect();
        let arguments = walk::operands_of(ctx, call.get_operation()).len();
        if arguments + given.len() != parameters.len() {
            continue;
        }
        let globals = given.iter().zip(&parameters[arguments..]);
        let globals = globals.filter_map(|(given, parameter)| {
            let ty = parameter.get_type(ctx);
            let shape = Shape {
                dims: vec![],
                elem: pointee_of(ctx, ty)?,
            };
            let global = Global {
                symbol: Identifier::try_from(given.symbol.clone()).ok()?,
                ty,
                variable: Some(Variable {
                    name: given.name.clone(),
                    shape,
                }),
                declared: None,
                constant: false,
                initial: None,
            };
            Some((given.symbol.clone(), global))
        });
        let globals: BTreeMap<String, Global> = globals.collect();
        add_arguments(ctx, call, &globals);
    }
}

/// Notes on the constructs what their kernels get.
fn note(ctx: &Context, module: ModuleOp, of_sites: &BTreeMap<u32, BTreeMap<String, Global>>) {
    let records = records(ctx, module);
    for op in walk::nested_ops(ctx, module.get_operation()) {
        let object = Operation::get_op_dyn(op, ctx);
        let Some(construct) = op_cast::<dyn ComputeOp>(&*object) else {
            continue;
        };
        let needed = of_sites.get(&construct.directive(ctx).0);
        let Some(needed) = needed.filter(|needed| !needed.is_empty()) else {
            continue;
        };
        let arguments = needed.iter().map(|(symbol, global)| GlobalArgument {
            symbol: symbol.clone(),
            name: shown(symbol),
            bytes: pointee_of(ctx, global.ty)
                .and_then(|ty| size_of(ctx, &records, ty))
                .unwrap_or(0),
        });
        GLOBALS.set(ctx, op, GlobalArguments(arguments.collect()));
    }
}

/// Gives functions the globals in `globals` as parameters, calls the arguments.
fn give(
    ctx: &mut Context,
    module: ModuleOp,
    functions: &Functions,
    globals: &BTreeMap<String, BTreeMap<String, Global>>,
) {
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
    for (name, globals) in globals {
        if let Some(func) = functions.get(name) {
            use_parameters(ctx, *func, globals);
        }
    }
}

/// The names of the functions that are called in `op`.
fn callees(ctx: &Context, op: Ptr<Operation>) -> Vec<String> {
    let calls = walk::nested::<Call>(ctx, op).into_iter();
    calls.map(|call| call.callee(ctx)).collect()
}

/// The functions of these names, and those that they call, directly or not.
fn reached(ctx: &Context, mut work: Vec<String>, functions: &Functions) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    while let Some(name) = work.pop() {
        let Some(func) = functions.get(&name) else {
            continue;
        };
        if found.insert(name) {
            work.extend(callees(ctx, func.get_operation()));
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
                            constant: address.is_constant(ctx),
                            initial: INITIAL_VALUES.get(ctx, address.get_operation()),
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
            for callee in callees(ctx, func.get_operation()) {
                let inner = globals.get(&callee).cloned().unwrap_or_default();
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
    let given = globals.iter().map(|(symbol, global)| GivenGlobal {
        symbol: symbol.clone(),
        name: global
            .variable
            .as_ref()
            .map_or_else(String::new, |it| it.name.clone()),
    });
    GIVEN.set(ctx, func.get_operation(), GivenGlobals(given.collect()));
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
        if global.constant {
            address.set_constant(e.ctx);
        }
        if let Some(initial) = &global.initial {
            INITIAL_VALUES.set(e.ctx, address.get_operation(), initial.clone());
        }
        if let Some(said) = global.declared {
            DECLARE.set(e.ctx, address.get_operation(), said);
        }
        OF_HELPER.set(e.ctx, address.get_operation(), BoolAttr::new(true));
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
