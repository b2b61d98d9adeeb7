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

use crate::expanded::{Expanded, Storage};
use accrue_dialects::{
    View,
    core::{AddressSpace, Alloca, Call, CastKind, CoreOp, Yield, pointee},
    simt::SimtOp,
};
use accrue_ir::walk::{nested, nested_ops, operands_of, ops_of_region, regions_of, results_of};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SymbolOpInterface},
        ops::FuncOp,
    },
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
        let results = results_of(self.ctx, op);
        match View::of(self.ctx, op) {
            View::Core(of_core) => self.visit_core(op, &of_core, &results),
            View::Simt(of_simt) => {
                let space = self.of_simt(op, &of_simt);
                self.join_all(&results, space);
            }
            View::Par(_) | View::Source(_) | View::Other => {
                self.join_all(&results, Some(AddressSpace::Generic));
            }
        }
    }

    fn visit_core(&mut self, op: Ptr<Operation>, of_core: &CoreOp, results: &[Value]) {
        let ctx = self.ctx;
        let space = match of_core {
            CoreOp::Alloca(alloca) => self.storage_of(alloca.get_result(ctx)).map(of_storage),
            // The null pointer is 0 in the generic and in the global space.
            CoreOp::StringConst(_) | CoreOp::Null(_) => Some(AddressSpace::Global),
            CoreOp::PtrAdd(_) | CoreOp::Decay(_) | CoreOp::Member(_) => self.of_first_operand(op),
            CoreOp::Cast(cast) => match cast.kind(ctx) {
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
            },
            CoreOp::Select(select) => {
                let yes = self.known(select.get_operand_yes(ctx));
                self.join_all(results, yes);
                self.known(select.get_operand_no(ctx))
            }
            CoreOp::If(_) => return self.visit_if(op, results),
            CoreOp::Store(store) => {
                let to = store.get_operand_address(ctx);
                if self.storage_of(to) == Some(Storage::Register) {
                    let space = self.known(store.get_operand_value(ctx));
                    self.changed |= join(&mut self.spaces.contents, to, space);
                }
                return;
            }
            CoreOp::Load(load) => {
                let from = load.get_operand_address(ctx);
                match self.storage_of(from) {
                    Some(Storage::Register) => self.spaces.contents.get(&from).copied(),
                    Some(
                        Storage::Local
                        | Storage::Shared
                        | Storage::SharedWorker { .. }
                        | Storage::ScratchGang { .. }
                        | Storage::ScratchWorker { .. },
                    )
                    | None => Some(AddressSpace::Generic),
                }
            }
            // What memory, calls and other control flow give may lead anywhere; numbers lead nowhere.
            CoreOp::Const(_)
            | CoreOp::FConst(_)
            | CoreOp::Bin(_)
            | CoreOp::Un(_)
            | CoreOp::Cmp(_)
            | CoreOp::ComplexMake(_)
            | CoreOp::Real(_)
            | CoreOp::Imag(_)
            | CoreOp::AddressOf(_)
            | CoreOp::Copy(_)
            | CoreOp::Zero(_)
            | CoreOp::PtrDiff(_)
            | CoreOp::LoadBits(_)
            | CoreOp::StoreBits(_)
            | CoreOp::Extent(_)
            | CoreOp::AtomicLoad(_)
            | CoreOp::AtomicStore(_)
            | CoreOp::AtomicUpdate(_)
            | CoreOp::Yield(_)
            | CoreOp::Break(_)
            | CoreOp::Continue(_)
            | CoreOp::Return(_)
            | CoreOp::Loop(_)
            | CoreOp::Switch(_)
            | CoreOp::For(_)
            | CoreOp::Call(_)
            | CoreOp::ExternFunc(_)
            | CoreOp::RecordDef(_)
            | CoreOp::Opaque(_) => Some(AddressSpace::Generic),
        };
        self.join_all(results, space);
    }

    fn of_simt(&self, op: Ptr<Operation>, of_simt: &SimtOp) -> Option<AddressSpace> {
        match of_simt {
            SimtOp::Shared(_) | SimtOp::DynamicShared(_) => Some(AddressSpace::Shared),
            SimtOp::Scratch(_) => Some(AddressSpace::Global),
            SimtOp::Shuffle(_) => self.of_first_operand(op),
            SimtOp::Query(_)
            | SimtOp::Barrier(_)
            | SimtOp::Fence(_)
            | SimtOp::Reduce(_)
            | SimtOp::Ballot(_)
            | SimtOp::Mask(_)
            | SimtOp::Locked(_)
            | SimtOp::ModuleLock(_)
            | SimtOp::Contribute(_) => Some(AddressSpace::Generic),
        }
    }

    fn of_first_operand(&self, op: Ptr<Operation>) -> Option<AddressSpace> {
        let operands = operands_of(self.ctx, op);
        operands.first().and_then(|base| self.known(*base))
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
