//! Which memory pointers lead to, in their types.
//!
//! OpenCL C 1.2 has no pointer to any memory: `__global double *` and `double *` (the thread's own) are different types. Where an
//! address starts is known, and is followed ([`accrue_simt::analysis::spaces`]). Only addresses of the device's memory get into
//! memory, out of functions or into integers, so that all that come from there lead to the device's memory:
//!
//! ```text
//! %q = core.alloca : ptr<double, Generic>      →    ptr<double, Local>
//! %p = core.load %list                         →    ptr<double, Global>
//! core.store %q, %list                         →    refused
//! ```

use crate::diagnostic::{Result, error_at};
use accrue_abi::symbols::shown;
use accrue_dialects::{
    core::{
        AddressOf, AddressSpace, Alloca, AtomicStore, Cast, CastKind, Cmp, If, Load, Null,
        PointerType, Return, Select, Store, pointee_of, pointer,
    },
    simt::in_space,
};
use accrue_ir::walk::{nested_ops, operands_of, regions_of, results_of};
use accrue_simt::{
    analysis::spaces::{AllSpaces, Elsewhere, Spaces, infer_all},
    expanded::{Expanded, Storage},
};
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::FuncOp},
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashSet;

/// Writes the spaces into the types of all functions' values. Gives what [`check`] asks.
pub fn assign(ctx: &Context, expanded: &Expanded) -> AllSpaces {
    let all = infer_all(ctx, expanded, Elsewhere::Global);
    let kernels = expanded.kernels.iter().map(|k| k.function);
    for function in expanded.functions.iter().copied().chain(kernels) {
        let name = function.get_symbol_name(ctx).to_string();
        let Some(spaces) = all.get(&name) else {
            continue;
        };
        for value in values(ctx, function) {
            let old = value.get_type(ctx);
            if let Some(new) = with_space(ctx, expanded, spaces, value, old) {
                value.set_type(ctx, new);
            }
        }
    }
    all
}

fn with_space(
    ctx: &Context,
    expanded: &Expanded,
    spaces: &Spaces,
    value: Value,
    old: TypeHandle,
) -> Option<TypeHandle> {
    let to = pointee_of(ctx, old)?;
    let space = spaces.known(value).unwrap_or(AddressSpace::Global);
    let variable = value.defining_op();
    let variable = variable.and_then(|op| Operation::get_op::<Alloca>(op, ctx));
    let in_register = variable.is_some_and(|alloca| {
        expanded.storage.get(&alloca.get_operation()) == Some(&Storage::Register)
    });
    let to = match pointee_of(ctx, to) {
        Some(inner) if in_register => match spaces.in_variable(value) {
            // Nothing is ever stored there.
            AddressSpace::Generic => pointer(ctx, inner),
            space => in_space(ctx, inner, space),
        },
        Some(_) | None => to,
    };
    Some(in_space(ctx, to, space))
}

/// All values of a function.
pub fn values(ctx: &Context, function: FuncOp) -> Vec<Value> {
    let root = function.get_operation();
    let mut found = vec![];
    for op in nested_ops(ctx, root).into_iter().chain([root]) {
        found.extend(results_of(ctx, op));
        for region in regions_of(ctx, op) {
            let blocks: Vec<_> = region.deref(ctx).iter(ctx).collect();
            found.extend(
                blocks
                    .into_iter()
                    .flat_map(|b| b.deref(ctx).arguments().collect::<Vec<_>>()),
            );
        }
    }
    found
}

/// Whether all pointers of the function lead to a memory that its text can name.
pub fn check(
    ctx: &Context,
    function: FuncOp,
    expanded: &Expanded,
    spaces: &AllSpaces,
) -> Result<()> {
    const MIXED: &str = "this pointer may lead to memory of a thread or of a gang, or to memory of the device; OpenCL C has no type for it. Use a \
                         variable for each";
    const ESCAPES: &str = "the address of memory of a thread or of a gang gets into memory here; OpenCL C has no type for what would be read back. \
                           Use an index";
    const NULL: &str = "a pointer to memory of a thread or of a gang may be null here, and is compared; drivers have such memory at address 0, \
                        too. Use a flag";
    let name = function.get_symbol_name(ctx).to_string();
    let facts = spaces.get(&name);
    let register = |address: Value| {
        let op = address.defining_op();
        op.is_some_and(|op| expanded.storage.get(&op) == Some(&Storage::Register))
    };
    let root = function.get_operation();
    for op in nested_ops(ctx, root) {
        if let Some(address) = Operation::get_op::<AddressOf>(op, ctx) {
            let message = format!(
                "`{}` has no address on OpenCL devices",
                shown(&address.symbol(ctx))
            );
            return Err(error_at(ctx, op, message));
        }
        for value in results_of(ctx, op) {
            let mixed = space(ctx, value) == Some(AddressSpace::Generic)
                || (register(value)
                    && space_of(ctx, pointee_of(ctx, value.get_type(ctx)))
                        == Some(AddressSpace::Generic)
                    && facts.is_some_and(|f| f.in_variable(value) == AddressSpace::Generic)
                    && value.is_used(ctx));
            if mixed {
                return Err(error_at(ctx, op, MIXED));
            }
        }
        if asks_for_null(ctx, op) {
            return Err(error_at(ctx, op, NULL));
        }
        let escaping: Vec<Value> = escaping(ctx, op, &register);
        let own = |v: &Value| !matches!(space(ctx, *v), None | Some(AddressSpace::Global));
        if escaping.iter().any(own) {
            return Err(error_at(ctx, op, ESCAPES));
        }
    }
    let entry = function.get_entry_block(ctx);
    let arguments: Vec<_> = entry.deref(ctx).arguments().collect();
    match arguments
        .iter()
        .any(|v| space(ctx, *v) == Some(AddressSpace::Generic))
    {
        true => Err(error_at(ctx, root, MIXED)),
        false => Ok(()),
    }
}

/// Whether `op` compares an address of memory of a thread or of a gang with null, or with what may be null.
fn asks_for_null(ctx: &Context, op: Ptr<Operation>) -> bool {
    let own = |value: &Value| {
        matches!(
            space(ctx, *value),
            Some(AddressSpace::Local | AddressSpace::Shared)
        )
    };
    let tests =
        Operation::get_op::<Cast>(op, ctx).is_some_and(|cast| cast.kind(ctx) == CastKind::ToBool);
    let operands = operands_of(ctx, op);
    // Who calls the function may give it null.
    let is_given = |value: &Value| tests && value.defining_op().is_none();
    (tests || Operation::is_op::<Cmp>(op, ctx))
        && operands.iter().any(own)
        && (operands.iter()).any(|value| is_given(value) || may_be_null(ctx, *value))
}

/// Whether null is among what a pointer is chosen from.
fn may_be_null(ctx: &Context, pointer: Value) -> bool {
    let (mut open, mut seen) = (vec![pointer], HashSet::new());
    while let Some(value) = open.pop() {
        let Some(op) = value.defining_op().filter(|_| seen.insert(value)) else {
            continue;
        };
        if Operation::is_op::<Null>(op, ctx) {
            return true;
        }
        if let Some(select) = Operation::get_op::<Select>(op, ctx) {
            open.extend([select.get_operand_yes(ctx), select.get_operand_no(ctx)]);
        } else if let Some(branch) = Operation::get_op::<If>(op, ctx) {
            let index = value.find_index(ctx);
            open.extend((0..2).filter_map(|side| branch.given(ctx, side, index)));
        } else if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
            open.push(cast.get_operand_value(ctx));
        } else if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            for using in load.get_operand_address(ctx).uses(ctx) {
                let store = Operation::get_op::<Store>(using.user_op(), ctx);
                open.extend(store.map(|store| store.get_operand_value(ctx)));
            }
        }
    }
    false
}

/// The operands of `op` that get where only global addresses may.
fn escaping(ctx: &Context, op: Ptr<Operation>, register: &dyn Fn(Value) -> bool) -> Vec<Value> {
    if let Some(store) = Operation::get_op::<Store>(op, ctx) {
        return match register(store.get_operand_address(ctx)) {
            true => vec![],
            false => vec![store.get_operand_value(ctx)],
        };
    }
    if let Some(store) = Operation::get_op::<AtomicStore>(op, ctx) {
        return vec![store.get_operand_value(ctx)];
    }
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        return match cast.kind(ctx) == CastKind::PtrToInt {
            true => vec![cast.get_operand_value(ctx)],
            false => vec![],
        };
    }
    match Operation::is_op::<Return>(op, ctx) {
        true => operands_of(ctx, op),
        false => vec![],
    }
}

/// Where a pointer leads; `None` for what is none.
pub fn space(ctx: &Context, value: Value) -> Option<AddressSpace> {
    space_of(ctx, Some(value.get_type(ctx)))
}

fn space_of(ctx: &Context, ty: Option<TypeHandle>) -> Option<AddressSpace> {
    let ty = ty?;
    let ty = ty.deref(ctx);
    ty.downcast_ref::<PointerType>().map(|p| p.space)
}
