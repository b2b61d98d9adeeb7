//! In which address space every pointer of a function points.
//!
//! Loads and stores that name their space are faster than generic ones, which look at the address first. Pointers start
//! somewhere (a kernel's arguments are global, variables are where their storage says) and are followed through address
//! arithmetic, results of control flow, variables in registers and into the functions that are called. A pointer from
//! memory, returned by a call or made from an integer is generic, or global where only global addresses get there
//! ([`Elsewhere`]).
//!
//! ```text
//! %q = core.alloca (register)     global: all that is stored in it is
//! core.store %argument, %q
//! %p = core.load %q               global
//! %e = core.ptr_add %p, %i        global
//! ```

use crate::{
    analysis::forward::{self, Fact, Facts, Rules, either},
    expanded::{Expanded, Storage},
};
use accrue_dialects::core::{
    AddressSpace, Alloca, Bin, Call, Cast, CastKind, For, Member, PtrAdd, pointee,
};
use accrue_ir::walk::{nested, operands_of};
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::FuncOp},
    context::Context,
    op::Op,
    value::Value,
};
use std::collections::HashMap;

/// The spaces of a function's pointers, and of the pointers in its register variables.
pub type Spaces = Facts<AddressSpace>;

impl Fact for AddressSpace {
    /// Any.
    const UNKNOWN: AddressSpace = AddressSpace::Generic;

    fn or(self, other: AddressSpace) -> AddressSpace {
        if self == other {
            self
        } else {
            AddressSpace::Generic
        }
    }
}

/// The spaces of all functions of a unit, by name.
pub type AllSpaces = HashMap<String, Spaces>;

/// Functions of the C library that give an address in the object that their first argument leads to.
pub const RETURNED: [&str; 10] = [
    "memcpy", "memmove", "memset", "strcpy", "strncpy", "strcat", "strncat", "strchr", "strrchr",
    "memchr",
];

/// Where a pointer leads that does not come from an address in sight: from memory, from a call, from an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// Anywhere, and the target can ask the address. The null pointer is 0 in the generic and in the global space.
    Anywhere,
    /// To global memory: the target does not let other addresses get there. The null pointer is one of any space.
    Global,
}

impl Elsewhere {
    fn space(self) -> AddressSpace {
        match self {
            Elsewhere::Anywhere => AddressSpace::Generic,
            Elsewhere::Global => AddressSpace::Global,
        }
    }
}

/// Infers the spaces of the pointers in the kernels and in the functions they call, whose arguments point where those of
/// their calls point.
pub fn infer_all(ctx: &Context, expanded: &Expanded, elsewhere: Elsewhere) -> AllSpaces {
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
            let rules = Pointers {
                ctx,
                expanded,
                elsewhere,
            };
            let spaces = infer(ctx, *function, &rules, &known);
            for call in nested::<Call>(ctx, function.get_operation()) {
                let Some(callee) = arguments.get_mut(&call.callee(ctx)) else {
                    continue;
                };
                let passed = operands_of(ctx, call.get_operation());
                for (slot, value) in callee.iter_mut().zip(passed) {
                    let joined = either(*slot, spaces.known(value));
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
    rules: &Pointers,
    arguments: &[Option<AddressSpace>],
) -> Spaces {
    let arguments = arguments_of(ctx, function)
        .into_iter()
        .zip(arguments.iter().copied());
    forward::infer(ctx, function, rules, arguments)
}

/// The space of variables with this storage; registers have no address.
pub fn of_storage(storage: Storage) -> AddressSpace {
    match storage {
        Storage::Register | Storage::Local => AddressSpace::Local,
        Storage::Shared | Storage::SharedWorker { .. } => AddressSpace::Shared,
        Storage::ScratchGang { .. } | Storage::ScratchWorker { .. } => AddressSpace::Global,
    }
}

/// Pointers keep their space; numbers have none.
struct Pointers<'a> {
    ctx: &'a Context,
    expanded: &'a Expanded,
    elsewhere: Elsewhere,
}

impl Rules for Pointers<'_> {
    type Fact = AddressSpace;

    fn follows(&self, value: Value) -> bool {
        pointee(self.ctx, value).is_some()
    }

    fn storage(&self, variable: &Alloca) -> Storage {
        let storage = self.expanded.storage.get(&variable.get_operation());
        storage.copied().unwrap_or(Storage::Local)
    }

    fn unknown(&self) -> AddressSpace {
        self.elsewhere.space()
    }

    fn constant(&self, _: i128) -> AddressSpace {
        self.elsewhere.space()
    }

    fn binary(&self, _: &Bin, _: &Spaces) -> Option<AddressSpace> {
        Some(self.elsewhere.space())
    }

    fn cast(&self, cast: &Cast, spaces: &Spaces) -> Option<AddressSpace> {
        match cast.kind(self.ctx) {
            CastKind::PtrCast => spaces.known(cast.get_operand_value(self.ctx)),
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
            | CastKind::ComplexCast => Some(self.elsewhere.space()),
        }
    }

    fn element(&self, add: &PtrAdd, spaces: &Spaces) -> Option<AddressSpace> {
        spaces.known(add.get_operand_base(self.ctx))
    }

    fn member(&self, member: &Member, spaces: &Spaces) -> Option<AddressSpace> {
        spaces.known(member.get_operand_record(self.ctx))
    }

    fn variable(&self, alloca: &Alloca) -> AddressSpace {
        of_storage(self.storage(alloca))
    }

    /// What leads into the first argument is in the memory that this is in, where there is such a function for each memory. Where
    /// addresses of any memory get anywhere, one function takes them and gives one of these.
    fn called(&self, call: &Call, spaces: &Spaces) -> Option<AddressSpace> {
        let name = call.callee(self.ctx);
        let by_memory = match self.elsewhere {
            Elsewhere::Anywhere => false,
            Elsewhere::Global => RETURNED.contains(&&*name),
        };
        match by_memory && self.expanded.externs.get(&name).is_some() {
            true => {
                let operands = operands_of(self.ctx, call.get_operation());
                spaces.known(*operands.first()?)
            }
            false => Some(self.unknown()),
        }
    }

    fn literal(&self) -> AddressSpace {
        match self.elsewhere {
            Elsewhere::Anywhere => AddressSpace::Global,
            Elsewhere::Global => AddressSpace::Constant,
        }
    }

    fn null(&self) -> Option<AddressSpace> {
        match self.elsewhere {
            Elsewhere::Anywhere => Some(AddressSpace::Global),
            Elsewhere::Global => None,
        }
    }

    fn shared(&self) -> AddressSpace {
        AddressSpace::Shared
    }

    fn scratch(&self) -> AddressSpace {
        AddressSpace::Global
    }

    fn next_count(&self, _: &For, _: &Spaces) -> Option<AddressSpace> {
        None
    }
}
