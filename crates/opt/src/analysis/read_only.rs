//! What a region does with a variable: reads only, or more, and where.

use accrue_dialects::{
    address_use::{UseKind, use_of},
    core::{AddressOf, Alloca, Call, Externs, Load, Store},
};
use accrue_ir::walk;
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::FuncOp},
    context::{Context, Ptr},
    operation::Operation,
    region::Region,
    value::Value,
};
use std::collections::HashMap;

use crate::analysis::variables::{Root, root_of, uses_of};

/// The functions of a module by name: those with a body, and what is known of the others.
pub struct Functions {
    defined: HashMap<String, FuncOp>,
    pub externs: Externs,
}

impl Functions {
    /// The function of that name, if it has a body here.
    pub fn get(&self, name: &str) -> Option<&FuncOp> {
        self.defined.get(name)
    }

    /// Whether the function of that name has a body here.
    pub fn contains_key(&self, name: &str) -> bool {
        self.defined.contains_key(name)
    }
}

/// The functions under `module`, by name.
pub fn functions(ctx: &Context, module: Ptr<Operation>) -> Functions {
    let defined = walk::directly_in::<FuncOp>(ctx, module).into_iter();
    Functions {
        defined: defined
            .map(|f| (f.get_symbol_name(ctx).to_string(), f))
            .collect(),
        externs: Externs::of_module(ctx, module),
    }
}

/// Whether the region, and the functions it passes the address to, only read the variable, as all do with a constant one that
/// has its value before. Uses by operations for which `apart` holds do not count.
pub fn only_reads(
    ctx: &Context,
    functions: &Functions,
    region: Ptr<Region>,
    root: &Root,
    apart: impl Fn(Ptr<Operation>) -> bool,
) -> bool {
    uses_of(ctx, region, root).into_iter().all(|u| {
        apart(u.op) || is_constant(ctx, u.value) || reads(ctx, functions, u.op, u.index, 0)
    })
}

/// Whether that is the address of a variable with a constant type.
pub fn is_constant(ctx: &Context, address: Value) -> bool {
    let Some(op) = address.defining_op() else {
        return false;
    };
    Operation::get_op::<AddressOf>(op, ctx).is_some_and(|a| a.is_constant(ctx))
        || Operation::get_op::<Alloca>(op, ctx).is_some_and(|a| a.is_constant(ctx))
}

/// Whether the region does more with the variable than to read it.
pub fn is_written(ctx: &Context, functions: &Functions, region: Ptr<Region>, root: &Root) -> bool {
    !only_reads(ctx, functions, region, root, |_| false)
}

/// The first operation in the region that does more with the variable than to read it.
pub fn first_write(
    ctx: &Context,
    functions: &Functions,
    region: Ptr<Region>,
    root: &Root,
) -> Option<Ptr<Operation>> {
    let uses = uses_of(ctx, region, root).into_iter();
    let writes =
        uses.filter(|u| !is_constant(ctx, u.value) && !reads(ctx, functions, u.op, u.index, 0));
    let writes: Vec<_> = writes.map(|u| u.op).collect();
    if writes.len() < 2 {
        return writes.first().copied();
    }
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    ops.into_iter().find(|op| writes.contains(op))
}

/// Whether operand `index` of `op`, an address, is only read through. `depth` counts calls: recursion is not followed.
fn reads(
    ctx: &Context,
    functions: &Functions,
    op: Ptr<Operation>,
    index: usize,
    depth: usize,
) -> bool {
    match use_of(ctx, op, index) {
        UseKind::Derive => walk::results_of(ctx, op)
            .into_iter()
            .all(|r| all_read(ctx, functions, r, depth)),
        // A volatile read is no write, however little is known of when it happens.
        UseKind::Read { .. } | UseKind::Look => true,
        UseKind::Pass => callee_reads(ctx, functions, op, index, depth),
        UseKind::Write { .. } | UseKind::Update { .. } | UseKind::Clause | UseKind::Keep => false,
    }
}

/// Whether the called function only reads through its argument `index`.
fn callee_reads(
    ctx: &Context,
    functions: &Functions,
    op: Ptr<Operation>,
    index: usize,
    depth: usize,
) -> bool {
    let callee = Operation::get_op::<Call>(op, ctx).and_then(|c| functions.get(&c.callee(ctx)));
    let parameter = callee.filter(|_| depth < 8).and_then(|f| {
        let entry = f.get_entry_block(ctx);
        entry.deref(ctx).arguments().nth(index)
    });
    parameter.is_some_and(|p| all_read(ctx, functions, p, depth + 1))
}

/// Whether all uses of an address only read. An address that is stored may be used for anything, but for a parameter
/// that a function stores into a local of its own: then what is loaded from the local counts.
fn all_read(ctx: &Context, functions: &Functions, address: Value, depth: usize) -> bool {
    address.uses(ctx).into_iter().all(|u| {
        let op = u.user_op();
        let index = u.find_index(ctx);
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            let local = store.get_operand_address(ctx);
            let own = address.defining_block().is_some()
                && matches!(root_of(ctx, local), Some(Root::Local(_)));
            return index == 0 && own && local_is_read(ctx, functions, local, op, depth);
        }
        reads(ctx, functions, op, index, depth)
    })
}

/// Whether the pointer in `local`, stored by `by` alone, is only read through.
fn local_is_read(
    ctx: &Context,
    functions: &Functions,
    local: Value,
    by: Ptr<Operation>,
    depth: usize,
) -> bool {
    local.uses(ctx).into_iter().all(|u| {
        let op = u.user_op();
        op == by
            || (Operation::get_op::<Load>(op, ctx).is_some()
                && walk::results_of(ctx, op)
                    .into_iter()
                    .all(|r| all_read(ctx, functions, r, depth)))
    })
}
