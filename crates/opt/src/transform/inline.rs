//! Pass `inline`: short functions become part of what calls them, on GPUs.
//!
//! A call on a GPU passes its arguments through memory, keeps the variables whose address it gets out of registers, and the
//! loop around it from being interleaved or unrolled. On the CPU the C compiler inlines.
//!
//! ```text
//! builtin.func @square(%x) {
//!   %x1 = core.alloca   core.store %x, %x1
//!   … core.return %y }
//!
//! %r = core.call @square(%a)        →        %x1 = core.alloca   core.store %a, %x1   …   and %y for %r
//! ```
//! A function is inlined if it is not very long or called in few places, returns at its end only (early returns are rewritten first, see
//! [`crate::transform::single_exit`]), and holds nothing but plain code; what it calls is inlined into it first, so that recursive
//! functions never qualify. Calls inside an atomic update stay: its operation is looked at
//! as a whole. Functions of the device library, which are compiled like any others, are called by programs and stay. Cost:
//! each round looks at all functions on the device once, and there are as many as calls are nested.

use accrue_abi::symbols::shown;
use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    View,
    core::{AddressOf, Alloca, AtomicUpdate, Call, Opaque, Return},
    par::{Loop, declared::functions_of, kernel_of},
    source::Role,
};
use accrue_ir::walk::{
    directly_in, enclosing, nested, nested_ops, operands_of, ops_of_block, results_of,
};
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
};
use std::collections::{HashMap, HashSet};

use crate::{State, gpu::promote::promote_all, transform::single_exit::make_single_exit};

const NAME: &str = "inline";

/// Operations of a function that is inlined wherever it is called. A call keeps what its pointers lead to in memory, and costs some
/// ten instructions for each argument: only for long functions does that not matter.
const MOST: usize = 400;
/// Operations that longer functions may add to a unit: those of all calls but one.
const MOST_GROWTH: usize = 4000;
/// Operations of a function that nothing more is inlined into: NVIDIA's assembler needs seconds for larger ones.
const MOST_IN_CALLER: usize = 8000;

/// Before the names of the device library's functions.
const LIBRARY_PREFIX: &str = "__accrue_";

/// Functions by name.
type Functions = HashMap<String, FuncOp>;

/// Inlines into the kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.inlines {
        return;
    }
    let functions = by_name(ctx, module);
    let callers = on_device(ctx, &functions);
    prepare(ctx, &callers);
    loop {
        let sites = Sites::count(ctx, &functions);
        let short: Functions = functions
            .iter()
            .filter(|(_, f)| is_short(ctx, **f, &functions, &sites))
            .map(|(name, f)| (name.clone(), *f))
            .collect();
        let calls = callers
            .iter()
            .flat_map(|f| nested::<Call>(ctx, f.get_operation()));
        let calls: Vec<_> = calls
            .filter_map(|call| Some((call, *short.get(&call.callee(ctx))?)))
            .filter(|(call, callee)| fits(ctx, *call, *callee))
            .collect();
        let calls = within_limit(ctx, calls);
        if calls.is_empty() {
            remark_calls(ctx, &callers, &functions, &sites, state);
            return;
        }
        for (call, callee) in calls {
            let message = format!("`{}` is inlined", shown(&call.callee(ctx)));
            state.remark(ctx, call.get_operation(), NAME, message);
            inline(ctx, call, callee);
        }
    }
}

/// Gives functions without directives one exit and as few variables as they need.
fn prepare(ctx: &mut Context, callers: &[FuncOp]) {
    for func in callers {
        let directive = |op: Ptr<Operation>| is_directive(ctx, op);
        let plain = kernel_of(ctx, func).is_none()
            && !nested_ops(ctx, func.get_operation())
                .into_iter()
                .any(directive);
        if plain {
            make_single_exit(ctx, *func);
            promote_all(ctx, func.get_operation());
        }
    }
}

/// The calls that their callers have room for.
fn within_limit(ctx: &Context, calls: Vec<(Call, FuncOp)>) -> Vec<(Call, FuncOp)> {
    let size = |func: FuncOp| nested_ops(ctx, func.get_operation()).len();
    let mut sizes: HashMap<Ptr<Operation>, usize> = HashMap::new();
    let mut fits = |call: &Call, callee: FuncOp| {
        let Some(caller) = enclosing::<FuncOp>(ctx, call.get_operation()) else {
            return false;
        };
        let before = *sizes
            .entry(caller.get_operation())
            .or_insert_with(|| size(caller));
        let after = before
            + *sizes
                .entry(callee.get_operation())
                .or_insert_with(|| size(callee));
        let room = after <= MOST_IN_CALLER;
        if room {
            sizes.insert(caller.get_operation(), after);
        }
        room
    };
    calls
        .into_iter()
        .filter(|(call, callee)| fits(call, *callee))
        .collect()
}

/// Says of each call that is left why it is a call.
fn remark_calls(
    ctx: &Context,
    callers: &[FuncOp],
    functions: &Functions,
    sites: &Sites,
    state: &mut State,
) {
    for call in callers
        .iter()
        .flat_map(|f| nested::<Call>(ctx, f.get_operation()))
    {
        let name = call.callee(ctx);
        let Some(callee) = functions.get(&name) else {
            continue;
        };
        let why = obstacle(ctx, *callee, functions, sites)
            .unwrap_or("it is part of an atomic update, or its caller is too long");
        let message = format!("`{}` is called: {why}", shown(&name));
        state.remark(ctx, call.get_operation(), NAME, message);
    }
}

fn by_name(ctx: &Context, module: ModuleOp) -> Functions {
    directly_in::<FuncOp>(ctx, module.get_operation())
        .into_iter()
        .map(|f| (f.get_symbol_name(ctx).to_string(), f))
        .collect()
}

/// The functions of a module that run on a device: its kernels and what they call.
pub fn device_functions(ctx: &Context, module: ModuleOp) -> Vec<FuncOp> {
    on_device(ctx, &by_name(ctx, module))
}

/// The kernels, the functions that they call, directly or not, and those of their declared reductions, in the order of their names.
fn on_device(ctx: &Context, functions: &Functions) -> Vec<FuncOp> {
    let kernels = functions.values().filter(|f| kernel_of(ctx, *f).is_some());
    let mut open: Vec<FuncOp> = kernels.copied().collect();
    let mut found: HashSet<FuncOp> = HashSet::new();
    while let Some(func) = open.pop() {
        if !found.insert(func) {
            continue;
        }
        for op in nested_ops(ctx, func.get_operation()) {
            if let Some(call) = Operation::get_op::<Call>(op, ctx) {
                open.extend(functions.get(&call.callee(ctx)));
            } else if let Some(taken) = Operation::get_op::<AddressOf>(op, ctx) {
                open.extend(functions.get(&taken.symbol(ctx)));
            } else {
                let combining = functions_of(ctx, op);
                open.extend(combining.iter().filter_map(|it| functions.get(it)));
            }
        }
    }
    let mut found: Vec<FuncOp> = found.into_iter().collect();
    found.sort_by_cached_key(|f| f.get_symbol_name(ctx).to_string());
    found
}

/// In how many places the functions on the device are called.
struct Sites(HashMap<String, usize>);

impl Sites {
    fn count(ctx: &Context, functions: &Functions) -> Sites {
        let mut sites = HashMap::new();
        for func in on_device(ctx, functions) {
            for call in nested::<Call>(ctx, func.get_operation()) {
                *sites.entry(call.callee(ctx)).or_default() += 1;
            }
        }
        Sites(sites)
    }

    /// Whether a function of so many operations may take the place of all its calls.
    fn have_room(&self, name: &str, operations: usize) -> bool {
        let calls = self.0.get(name).copied().unwrap_or(0);
        operations <= MOST || operations * calls.saturating_sub(1) <= MOST_GROWTH
    }
}

/// Whether calls of the function may be replaced by its operations.
fn is_short(ctx: &Context, func: FuncOp, functions: &Functions, sites: &Sites) -> bool {
    kernel_of(ctx, &func).is_none() && obstacle(ctx, func, functions, sites).is_none()
}

/// Why calls of the function cannot be replaced by its operations.
fn obstacle(
    ctx: &Context,
    func: FuncOp,
    functions: &Functions,
    sites: &Sites,
) -> Option<&'static str> {
    let inside = nested_ops(ctx, func.get_operation());
    let name = func.get_symbol_name(ctx).to_string();
    if name.starts_with(LIBRARY_PREFIX) {
        Some("it belongs to the device library")
    } else if !sites.have_room(&name, inside.len()) {
        Some("it is too long to be inlined in all places")
    } else if !has_one_exit(ctx, func) {
        Some("it returns elsewhere than at its end")
    } else if !inside.into_iter().all(|op| is_plain(ctx, op, functions)) {
        Some("it has directives, arrays or calls of its own")
    } else {
        None
    }
}

/// No directive, nothing that is reported with the function's name, no array whose memory lasts until the function returns,
/// no call of another function of the unit.
fn is_plain(ctx: &Context, op: Ptr<Operation>, functions: &Functions) -> bool {
    let own_memory = Operation::get_op::<Alloca>(op, ctx).is_some_and(|a| a.count(ctx).is_some());
    let calls =
        Operation::get_op::<Call>(op, ctx).is_some_and(|c| functions.contains_key(&c.callee(ctx)));
    !is_directive(ctx, op) && !Operation::is_op::<Opaque>(op, ctx) && !own_memory && !calls
}

/// Whether `op` is what the user wrote as a directive, loops that have become those of the par dialect included.
fn is_directive(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::is_op::<Loop>(op, ctx) || View::role(ctx, op).is_some_and(Role::is_directive)
}

/// Whether the call passes and takes what the function does, and is not part of an atomic update.
pub fn fits(ctx: &Context, call: Call, callee: FuncOp) -> bool {
    let entry = callee.get_entry_block(ctx);
    let types = |values: Vec<_>| -> Vec<_> {
        let ty = |v: pliron::value::Value| v.get_type(ctx);
        values.into_iter().map(ty).collect()
    };
    let given = ops_of_block(ctx, entry)
        .last()
        .map_or_else(Vec::new, |end| operands_of(ctx, *end));
    let results = results_of(ctx, call.get_operation());
    let parameters: Vec<_> = entry.deref(ctx).arguments().collect();
    types(operands_of(ctx, call.get_operation())) == types(parameters)
        && (results.is_empty() || types(results) == types(given))
        && enclosing::<AtomicUpdate>(ctx, call.get_operation()).is_none()
}

/// Whether a function returns at its end only.
pub fn has_one_exit(ctx: &Context, func: FuncOp) -> bool {
    let returns = nested::<Return>(ctx, func.get_operation()).len();
    let last = ops_of_block(ctx, func.get_entry_block(ctx)).last().copied();
    returns == 1 && last.is_some_and(|op| Operation::is_op::<Return>(op, ctx))
}

/// Replaces the call by the function's operations.
pub fn inline(ctx: &mut Context, call: Call, callee: FuncOp) {
    let operation = call.get_operation();
    let entry = callee.get_entry_block(ctx);
    let mut mapping = IrMapping::new();
    let parameters: Vec<_> = entry.deref(ctx).arguments().collect();
    for (parameter, argument) in parameters.into_iter().zip(operands_of(ctx, operation)) {
        mapping.map_value(parameter, argument);
    }
    let mut ops = ops_of_block(ctx, entry);
    let end = ops.pop();
    let mut e = Emitter::before(ctx, operation);
    for op in ops {
        e.copy(op, &mut mapping);
    }
    let given = end.map_or_else(Vec::new, |end| operands_of(ctx, end));
    for (result, value) in results_of(ctx, operation).into_iter().zip(given) {
        let value = mapping.lookup_value_or_default(value);
        result.replace_all_uses_with(ctx, &value);
    }
    Operation::erase(operation, ctx);
}
