//! In which address space every pointer of a function points.
//!
//! Loads and stores that name their space are faster than generic ones, which look at the address first. Pointers start
//! somewhere (a kernel's arguments are global, variables are where their storage says) and are followed through address
//! arithmetic, results of control flow, variables in registers and into the functions that are called. A pointer from
//! memory, returned by a call or made from an integer is generic.
//!
//! ```text
//! %q = core.alloca (register)     global: all that is stored in it is
//! core.store %argument, %q
//! %p = core.load %q               global
//! %e = core.ptr_add %p, %i        global
//! ```

use crate::{
    dialect::{DynamicShared, Scratch, Shared, Shuffle},
    expanded::{Expanded, Storage},
};
use accrue_dialects::core::{
    AddressSpace, Alloca, Call, Cast, CastKind, Decay, If, Load, Member, Null, PtrAdd, Select,
    Store, StringConst, Yield, pointee,
};
use accrue_ir::walk::{nested, nested_ops, operands_of, ops_of_region, regions_of, results_of};
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashMap;

/// The spaces of a function's pointers, and of the pointers in its register variables (by the variable's address).
#[derive(Clone, Debug, Default)]
pub struct Spaces {
    values: HashMap<Value, AddressSpace>,
    contents: HashMap<Value, AddressSpace>,
}

impl Spaces {
    /// Where the pointer `value` points.
    pub fn of(&self, value: Value) -> AddressSpace {
        let known = self.values.get(&value);
        known.copied().unwrap_or(AddressSpace::Generic)
    }

    /// Where the pointers in the register variable at `variable` point.
    pub fn in_variable(&self, variable: Value) -> AddressSpace {
        let known = self.contents.get(&variable);
        known.copied().unwrap_or(AddressSpace::Generic)
    }
}

/// The spaces of all functions of a unit, by name.
pub type AllSpaces = HashMap<String, Spaces>;

/// Infers the spaces of the pointers in the kernels and in the functions they call, whose arguments point where those of
/// their calls point.
pub fn infer_all(ctx: &Context, expanded: &Expanded) -> AllSpaces {
    let name = |f: &FuncOp| f.get_symbol_name(ctx).to_string();
    let functions: HashMap<String, FuncOp> =
        expanded.functions.iter().map(|f| (name(f), *f)).collect();
    let mut arguments: HashMap<String, Vec<Option<AddressSpace>>> = HashMap::new();
    for kernel in &expanded.kernels {
        let count = arguments_of(ctx, kernel.function).len();
        arguments.insert(kernel.name.clone(), vec![Some(AddressSpace::Global); count]);
    }
    for (name, function) in &functions {
        let count = arguments_of(ctx, *function).len();
        arguments.insert(name.clone(), vec![None; count]);
    }
    let kernels = expanded
        .kernels
        .iter()
        .map(|k| (k.name.clone(), k.function));
    let all: Vec<_> = functions.clone().into_iter().chain(kernels).collect();
    loop {
        let mut found = AllSpaces::new();
        let mut changed = false;
        for (name, function) in &all {
            let known = arguments.get(name).cloned().unwrap_or_default();
            let spaces = infer(ctx, *function, &expanded.storage, &known);
            for call in nested::<Call>(ctx, function.get_operation()) {
                let Some(callee) = arguments.get_mut(&call.callee(ctx)) else {
                    continue;
                };
                let passed = operands_of(ctx, call.get_operation());
                for (slot, value) in callee.iter_mut().zip(passed) {
                    let joined = either_known(*slot, spaces.values.get(&value).copied());
                    changed |= joined != *slot;
                    *slot = joined;
                }
            }
            found.insert(name.clone(), spaces);
        }
        if !changed {
            return found;
        }
    }
}

fn arguments_of(ctx: &Context, function: FuncOp) -> Vec<Value> {
    let entry = function.get_entry_block(ctx);
    entry.deref(ctx).arguments().collect()
}

/// Infers the spaces of the pointers in `function` from those of its arguments, as far as they are known.
fn infer(
    ctx: &Context,
    function: FuncOp,
    storage: &HashMap<Ptr<Operation>, Storage>,
    arguments: &[Option<AddressSpace>],
) -> Spaces {
    let mut pass = Pass {
        ctx,
        storage,
        spaces: Spaces::default(),
        changed: true,
    };
    for (value, space) in arguments_of(ctx, function).into_iter().zip(arguments) {
        pass.join(value, *space);
    }
    let ops = nested_ops(ctx, function.get_operation());
    // Values only ever go up: not known, one space, generic.
    while std::mem::take(&mut pass.changed) {
        for op in &ops {
            pass.visit(*op);
        }
    }
    pass.spaces
}

/// The space of variables with this storage; registers have no address.
pub fn of_storage(storage: Storage) -> AddressSpace {
    match storage {
        Storage::Register | Storage::Local => AddressSpace::Local,
        Storage::Shared | Storage::SharedWorker { .. } => AddressSpace::Shared,
        Storage::ScratchGang { .. } | Storage::ScratchWorker { .. } => AddressSpace::Global,
    }
}

/// The same where one may not be known.
fn either_known(a: Option<AddressSpace>, b: Option<AddressSpace>) -> Option<AddressSpace> {
    match (a, b) {
        (Some(a), Some(b)) => Some(either(a, b)),
        (one, None) | (None, one) => one,
    }
}

/// The space of a pointer that may be either of two.
fn either(a: AddressSpace, b: AddressSpace) -> AddressSpace {
    if a == b { a } else { AddressSpace::Generic }
}

struct Pass<'a> {
    ctx: &'a Context,
    storage: &'a HashMap<Ptr<Operation>, Storage>,
    spaces: Spaces,
    changed: bool,
}

impl Pass<'_> {
    fn known(&self, value: Value) -> Option<AddressSpace> {
        self.spaces.values.get(&value).copied()
    }

    /// `value` may also point to `space`.
    fn join(&mut self, value: Value, space: Option<AddressSpace>) {
        if pointee(self.ctx, value).is_some() {
            self.changed |= join(&mut self.spaces.values, value, space);
        }
    }

    fn storage_of(&self, address: Value) -> Option<Storage> {
        let op = address.defining_op()?;
        let alloca = Operation::get_op::<Alloca>(op, self.ctx)?;
        let storage = self.storage.get(&alloca.get_operation());
        Some(storage.copied().unwrap_or(Storage::Local))
    }

    fn visit(&mut self, op: Ptr<Operation>) {
        let ctx = self.ctx;
        let results = results_of(ctx, op);
        if Operation::is_op::<Alloca>(op, ctx) {
            for result in results {
                let storage = self.storage_of(result);
                self.join(result, storage.map(of_storage));
            }
        } else if Operation::is_op::<Shared>(op, ctx) || Operation::is_op::<DynamicShared>(op, ctx)
        {
            self.join_all(&results, Some(AddressSpace::Shared));
        } else if Operation::is_op::<Scratch>(op, ctx)
            || Operation::is_op::<StringConst>(op, ctx)
            || Operation::is_op::<Null>(op, ctx)
        {
            // The null pointer is 0 in the generic and in the global space.
            self.join_all(&results, Some(AddressSpace::Global));
        } else if Operation::is_op::<PtrAdd>(op, ctx)
            || Operation::is_op::<Decay>(op, ctx)
            || Operation::is_op::<Member>(op, ctx)
            || Operation::is_op::<Shuffle>(op, ctx)
        {
            let base = operands_of(ctx, op).first().and_then(|b| self.known(*b));
            self.join_all(&results, base);
        } else if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
            let from = match cast.kind(ctx) {
                CastKind::PtrCast => self.known(cast.get_operand_value(ctx)),
                CastKind::Trunc
                | CastKind::SExt
                | CastKind::ZExt
                | CastKind::SToF
                | CastKind::UToF
                | CastKind::FToS
                | CastKind::FToU
                | CastKind::FCast
                | CastKind::IntToPtr
                | CastKind::PtrToInt
                | CastKind::ToBool
                | CastKind::RealToComplex
                | CastKind::ComplexCast => Some(AddressSpace::Generic),
            };
            self.join_all(&results, from);
        } else if let Some(select) = Operation::get_op::<Select>(op, ctx) {
            for side in [select.get_operand_yes(ctx), select.get_operand_no(ctx)] {
                let space = self.known(side);
                self.join_all(&results, space);
            }
        } else if Operation::is_op::<If>(op, ctx) {
            self.visit_if(op, &results);
        } else if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            let (value, to) = (store.get_operand_value(ctx), store.get_operand_address(ctx));
            if self.storage_of(to) == Some(Storage::Register) {
                let space = self.known(value);
                self.changed |= join(&mut self.spaces.contents, to, space);
            }
        } else if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            let from = load.get_operand_address(ctx);
            let space = match self.storage_of(from) {
                Some(Storage::Register) => self.spaces.contents.get(&from).copied(),
                Some(
                    Storage::Local
                    | Storage::Shared
                    | Storage::SharedWorker { .. }
                    | Storage::ScratchGang { .. }
                    | Storage::ScratchWorker { .. },
                )
                | None => Some(AddressSpace::Generic),
            };
            self.join_all(&results, space);
        } else {
            self.join_all(&results, Some(AddressSpace::Generic));
        }
    }

    fn join_all(&mut self, results: &[Value], space: Option<AddressSpace>) {
        for result in results {
            self.join(*result, space);
        }
    }

    fn visit_if(&mut self, op: Ptr<Operation>, results: &[Value]) {
        for region in regions_of(self.ctx, op) {
            let end = ops_of_region(self.ctx, region).last().copied();
            let Some(end) = end.filter(|e| Operation::is_op::<Yield>(*e, self.ctx)) else {
                continue;
            };
            for (result, value) in results.iter().zip(operands_of(self.ctx, end)) {
                let space = self.known(value);
                self.join(*result, space);
            }
        }
    }
}

/// Whether this changed what is known.
fn join(map: &mut HashMap<Value, AddressSpace>, value: Value, space: Option<AddressSpace>) -> bool {
    let Some(space) = space else {
        return false;
    };
    let old = map.get(&value).copied();
    let new = old.map_or(space, |old| either(old, space));
    map.insert(value, new);
    old != Some(new)
}
