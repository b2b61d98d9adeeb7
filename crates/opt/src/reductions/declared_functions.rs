//! Pass `declared-reductions`: the functions of declared reductions take and give the numbers that an object consists of.
//!
//! The front end has functions for objects in memory, in the words of the directive; objects that are combined among threads and gangs are
//! numbers in registers, slots and shuffles ([`accrue_dialects::par::declared`]).
//!
//! ```text
//! builtin.func @__accrue_combiner_5f (%out: ptr p, %in: ptr p) { … }           as `f(a, b)` in C: what it calls is inlined
//! builtin.func @accrue_combined_5f (%x, %k, %x2, %k2, %to_x, %to_k) {
//!     %a, %b = core.alloca p
//!     core.store %x, %a.x …    core.store %x2, %b.x …
//!     … what @__accrue_combiner_5f does to %a and %b …
//!     core.store (core.load %a.x), %to_x …   core.return }
//! ```
//! Nothing calls them: passes and back ends copy them to where objects are combined, also in places where only some threads may call
//! functions. So they must not call functions of the program either.
//!
//! Cost: a look at each reduction, and the size of the functions.

use accrue_abi::symbols::shown;
use accrue_diag::Diagnostic;
use accrue_dialects::{
    core::{AddressOf, Alloca, Call, Return, emit::Emitter, pointee, pointer},
    par::{Reduce, declared},
};
use accrue_ir::{
    diagnostic::error_at,
    walk::{directly_in, nested, nested_ops},
};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
        types::FunctionType,
    },
    context::Context,
    identifier::Identifier,
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    value::Value,
};
use std::collections::{BTreeMap, HashMap};

use crate::{
    State,
    gpu::promote::promote_all,
    reductions::{
        members::{Leaf, Records},
        objects::MOST_NUMBERS,
    },
    transform::{
        inline::{fits, has_one_exit, inline},
        single_exit::make_single_exit,
    },
};

/// Calls in calls in … a combiner that are followed, and operations that it may have then.
const MOST_ROUNDS: usize = 32;
const MOST_OPERATIONS: usize = 4000;

/// What is said of objects that do not consist of few numbers.
pub const TOO_MUCH: &str = "is not supported: its objects have up to 64 numbers, no pointers, unions or bit-fields, and sections a constant length";

/// Why a function cannot be made.
enum Obstacle {
    /// Its objects.
    Objects,
    /// What is wrong.
    Functions(String),
}

impl From<String> for Obstacle {
    fn from(message: String) -> Self {
        Obstacle::Functions(message)
    }
}

impl From<&str> for Obstacle {
    fn from(message: &str) -> Self {
        Obstacle::Functions(message.to_string())
    }
}

/// Makes the functions of the reductions that kernels use.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let mut used: BTreeMap<u64, Reduce> = BTreeMap::new();
    for reduction in nested::<Reduce>(ctx, module.get_operation()) {
        if let Some(number) = declared::number_of(reduction.reduced(ctx).operator) {
            used.entry(number).or_insert(reduction);
        }
    }
    if used.is_empty() {
        return;
    }
    let records = Records::of_module(ctx, module);
    for (number, reduction) in used {
        if let Err(message) = make(ctx, module, &records, number) {
            let name = reduction.reduced(ctx).spelling;
            let (message, help) = match message {
                Obstacle::Objects => (
                    TOO_MUCH.to_string(),
                    "reduce a smaller struct, or its members by operators of C",
                ),
                Obstacle::Functions(message) => (
                    message,
                    "write the combiner and the initializer as expressions, or call functions that can be inlined: in the same file, \
                     not recursive, without global variables, and without a `return` in a loop",
                ),
            };
            let message = format!("the declared reduction of `{name}` {message}");
            let error = error_at(ctx, reduction.get_operation(), message)
                .help(help)
                .openmp("5.5.11");
            report(state, error);
        }
    }
}

fn report(state: &mut State, error: Diagnostic) {
    if !state.diagnostics.contains(&error) {
        state.diagnostics.push(error);
    }
}

/// The two functions of a reduction.
fn make(
    ctx: &mut Context,
    module: ModuleOp,
    records: &Records,
    number: u64,
) -> Result<(), Obstacle> {
    let functions = functions(ctx, module);
    let find = |name: &str| {
        let named = functions.iter().find(|(symbol, _)| shown(symbol) == name);
        named.map(|(_, function)| *function)
    };
    let combiner = find(&declared::combiner(number));
    let initializer = find(&declared::initializer(number));
    let (Some(combiner), Some(initializer)) = (combiner, initializer) else {
        return Err("has a combiner or initializer that was not understood".into());
    };
    for function in [combiner, initializer] {
        without_calls(ctx, function, &functions)?;
    }
    // A combiner changes its first object, an initializer as well.
    of_numbers(
        ctx,
        module,
        records,
        (combiner, true),
        &declared::combination(number),
    )?;
    of_numbers(
        ctx,
        module,
        records,
        (initializer, false),
        &declared::beginning(number),
    )
}

fn functions(ctx: &Context, module: ModuleOp) -> HashMap<String, FuncOp> {
    let functions = directly_in::<FuncOp>(ctx, module.get_operation()).into_iter();
    functions
        .map(|function| (function.get_symbol_name(ctx).to_string(), function))
        .collect()
}

/// Inlines what the function calls.
fn without_calls(
    ctx: &mut Context,
    function: FuncOp,
    functions: &HashMap<String, FuncOp>,
) -> Result<(), Obstacle> {
    make_single_exit(ctx, function);
    if !has_one_exit(ctx, function) {
        return Err("has a combiner that returns elsewhere than at its end".into());
    }
    for _ in 0..MOST_ROUNDS {
        let calls = nested::<Call>(ctx, function.get_operation());
        let calls: Vec<(Call, FuncOp)> = calls
            .into_iter()
            .filter_map(|call| Some((call, *functions.get(&call.callee(ctx))?)))
            .collect();
        if calls.is_empty() {
            // Kernels get the data that they name themselves.
            let taken = nested::<AddressOf>(ctx, function.get_operation());
            return match taken.iter().any(|it| it.variable(ctx).is_some()) {
                true => Err("uses variables other than those of its objects".into()),
                false => Ok(()),
            };
        }
        if nested_ops(ctx, function.get_operation()).len() > MOST_OPERATIONS {
            break;
        }
        for (call, callee) in calls {
            let name = shown(&call.callee(ctx));
            if callee != function {
                make_single_exit(ctx, callee);
            }
            let own_memory = nested::<Alloca>(ctx, callee.get_operation());
            let own_memory = own_memory.iter().any(|it| it.count(ctx).is_some());
            if callee == function
                || own_memory
                || !has_one_exit(ctx, callee)
                || !fits(ctx, call, callee)
            {
                let message = format!("calls `{name}`, which cannot become part of it");
                return Err(message.into());
            }
            inline(ctx, call, callee);
        }
    }
    Err("calls functions that call themselves, or too many".into())
}

/// The same function of the numbers that its objects consist of. `two`: both objects are given, else only the second one.
fn of_numbers(
    ctx: &mut Context,
    module: ModuleOp,
    records: &Records,
    (function, two): (FuncOp, bool),
    name: &str,
) -> Result<(), Obstacle> {
    let entry = function.get_entry_block(ctx);
    let parameters: Vec<Value> = entry.deref(ctx).arguments().collect();
    let [first, _] = parameters[..] else {
        return Err("uses variables other than those of its objects".into());
    };
    let object = pointee(ctx, first).ok_or("is not of objects")?;
    let leaves = records.numbers(ctx, object, MOST_NUMBERS);
    let leaves = leaves.ok_or(Obstacle::Objects)?;
    let numbers: Vec<_> = leaves.iter().map(|leaf| leaf.ty).collect();
    let results: Vec<_> = numbers.iter().map(|ty| pointer(ctx, *ty)).collect();
    let given = if two { 2 } else { 1 };
    let types = [numbers.repeat(given), results].concat();
    let symbol = Identifier::try_from(name).map_err(|_| "has no name")?;
    let ty = FunctionType::get(ctx, types, vec![]);
    let made = FuncOp::new(ctx, symbol, ty);
    module.append_operation(ctx, made.get_operation(), 0);
    let arguments: Vec<Value> = made.get_entry_block(ctx).deref(ctx).arguments().collect();
    let block = made.get_entry_block(ctx);
    let mut e = Emitter::new(
        ctx,
        OpInsertionPoint::AtBlockEnd(block),
        function.get_operation(),
    );
    let objects = [(); 2].map(|()| {
        let alloca = e.op(|c| Alloca::new(c, object, None));
        alloca.get_result(e.ctx)
    });
    let (inputs, outputs) = arguments.split_at(given * leaves.len());
    let into: &[Value] = if two { &objects } else { &objects[1..] };
    for (address, values) in into.iter().zip(inputs.chunks(leaves.len())) {
        each(&mut e, &leaves, *address, |e, leaf, index| {
            e.store(values[index], leaf)
        });
    }
    let callee = function.get_symbol_name(e.ctx);
    let call = e.op(|c| Call::new(c, callee, objects.to_vec(), None));
    each(&mut e, &leaves, objects[0], |e, leaf, index| {
        let value = e.load(leaf);
        e.store(value, outputs[index]);
    });
    e.op(|c| Return::new(c, None));
    if !fits(ctx, call, function) {
        return Err("is not of two objects of its type".into());
    }
    inline(ctx, call, function);
    promote_all(ctx, made.get_operation());
    Ok(())
}

fn each(
    e: &mut Emitter,
    leaves: &[Leaf],
    object: Value,
    mut with: impl FnMut(&mut Emitter, Value, usize),
) {
    for (index, leaf) in leaves.iter().enumerate() {
        let address = leaf.address(e, object);
        with(e, address, index);
    }
}
