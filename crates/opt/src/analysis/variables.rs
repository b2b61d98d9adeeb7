//! Variables of the host's functions, and where regions use them.
//!
//! A variable is an `alloca` or a global. A global has one `core.address_of` per use, so that two addresses are compared
//! by [`Root`], not by value.

use accrue_dialects::address_use::{UseKind, object_of, use_of};
use accrue_dialects::core::{
    AddressOf, Alloca, Load, Member, Shape, ShapeDim, Store, Variable, VoidType,
};
use accrue_dialects::flow::loop_around;
use accrue_dialects::par::Edge;
use accrue_ir::walk::{self, ops_of_block};
use pliron::{
    builtin::{op_interfaces::OneOpdInterface, ops::FuncOp},
    context::{Context, Ptr},
    linked_list::{ContainsLinkedList, LinkedList},
    operation::Operation,
    region::Region,
    value::Value,
};

/// The identity of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// The result of an `alloca`.
    Local(Value),
    /// The linkage name of a global.
    Global(String),
}

/// The variable whose address `address` is; `None` for any other address (a member, an element, a function).
pub fn root_of(ctx: &Context, address: Value) -> Option<Root> {
    let op = address.defining_op()?;
    if Operation::get_op::<Alloca>(op, ctx).is_some() {
        return Some(Root::Local(address));
    }
    let global = Operation::get_op::<AddressOf>(op, ctx)?;
    global.variable(ctx)?;
    Some(Root::Global(global.symbol(ctx)))
}

/// For the address of a member of a variable: the variable, and the fields from the outside in.
pub fn member_path(ctx: &Context, address: Value) -> Option<(Root, Vec<u32>)> {
    let member = Operation::get_op::<Member>(address.defining_op()?, ctx)?;
    let record = member.get_operand(ctx);
    let (root, mut path) = match root_of(ctx, record) {
        Some(root) => (root, vec![]),
        None => member_path(ctx, record)?,
    };
    path.push(member.field(ctx));
    Some((root, path))
}

/// Name and shape of the variable whose address `address` is. A temporary has an empty name.
pub fn describe(ctx: &Context, address: Value) -> Variable {
    let op = address.defining_op();
    let alloca = op
        .and_then(|op| Operation::get_op::<Alloca>(op, ctx))
        .and_then(|a| a.variable(ctx));
    let global = op
        .and_then(|op| Operation::get_op::<AddressOf>(op, ctx))
        .and_then(|a| a.variable(ctx));
    let unknown = Shape {
        dims: vec![],
        elem: VoidType::get(ctx).into(),
    };
    alloca.or(global).unwrap_or(Variable {
        name: String::new(),
        shape: unknown,
    })
}

/// Whether the variable is a pointer (to something that a clause may map).
pub fn is_pointer(shape: &Shape) -> bool {
    shape.dims.first() == Some(&ShapeDim::Pointer)
}

/// Whether the variable is an array whose length another unit knows: `extern double a[]`. Its first dimension counts no elements.
pub fn is_open_array(shape: &Shape) -> bool {
    shape.dims.first() == Some(&ShapeDim::Fixed(0))
}

/// Whether the variable is an array of run-time length.
pub fn is_vla(shape: &Shape) -> bool {
    shape.dims.first().is_some_and(|d| *d != ShapeDim::Pointer)
        && shape
            .dims
            .iter()
            .take_while(|d| **d != ShapeDim::Pointer)
            .any(|d| *d == ShapeDim::Variable)
}

/// One use of an address: operand `index` of `op`.
#[derive(Clone, Copy, Debug)]
pub struct AddressUse {
    pub op: Ptr<Operation>,
    pub index: usize,
    pub value: Value,
}

/// All operands of operations inside `region` for which `keep` holds, in order.
pub fn uses_in(
    ctx: &Context,
    region: Ptr<Region>,
    keep: impl Fn(&Context, Value) -> bool,
) -> Vec<AddressUse> {
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    let mut found = vec![];
    for op in ops {
        for (index, value) in walk::operands_of(ctx, op).into_iter().enumerate() {
            if keep(ctx, value) {
                found.push(AddressUse { op, index, value });
            }
        }
    }
    found
}

/// The uses of one variable inside `region`, in no order.
///
/// Cost: a local has a list of its uses, in the region and elsewhere, so that what is shorter is looked through, the list or
/// the region; for a global it is the region.
pub fn uses_of(ctx: &Context, region: Ptr<Region>, root: &Root) -> Vec<AddressUse> {
    let listed = match root {
        Root::Local(variable) => Some(*variable),
        Root::Global(_) => None,
    };
    let listed = listed.filter(|variable| has_more_ops(ctx, region, variable.num_uses(ctx)));
    let Some(variable) = listed else {
        return uses_in(ctx, region, |ctx, value| {
            root_of(ctx, value).as_ref() == Some(root)
        });
    };
    let uses = variable.uses(ctx).into_iter().map(|using| AddressUse {
        op: using.user_op(),
        index: using.find_index(ctx),
        value: variable,
    });
    uses.filter(|using| walk::is_inside(ctx, using.op, region))
        .collect()
}

/// Whether there are more than `most` operations inside `region`.
fn has_more_ops(ctx: &Context, region: Ptr<Region>, most: usize) -> bool {
    let (mut regions, mut count) = (vec![region], 0);
    while let Some(region) = regions.pop() {
        for block in region.deref(ctx).iter(ctx) {
            for op in block.deref(ctx).iter(ctx) {
                count += 1;
                if count > most {
                    return true;
                }
                regions.extend(op.deref(ctx).regions());
            }
        }
    }
    false
}

/// Whether `value` is defined inside `region`, at any depth.
pub fn defined_inside(ctx: &Context, value: Value, region: Ptr<Region>) -> bool {
    let mut at = value.get_parent_region(ctx);
    while let Some(r) = at {
        if r == region {
            return true;
        }
        at = r.deref(ctx).get_parent_region(ctx);
    }
    false
}

/// Whether all that happens to a local variable is that it is loaded and stored, whole and not as `volatile`.
pub fn is_local_scalar(ctx: &Context, address: Value) -> bool {
    is_only_accessed(ctx, address, false)
}

/// The same, on the source level, where clauses may name the variable.
pub fn is_local_scalar_of_source(ctx: &Context, address: Value) -> bool {
    is_only_accessed(ctx, address, true)
}

fn is_only_accessed(ctx: &Context, address: Value, clauses: bool) -> bool {
    let alloca = address
        .defining_op()
        .and_then(|op| Operation::get_op::<Alloca>(op, ctx));
    alloca.is_some_and(|a| a.count(ctx).is_none())
        && address.uses(ctx).into_iter().all(|u| {
            match use_of(ctx, u.user_op(), u.find_index(ctx)) {
                UseKind::Read { volatile } | UseKind::Write { volatile } => !volatile,
                UseKind::Clause => clauses,
                UseKind::Update { .. }
                | UseKind::Derive
                | UseKind::Pass
                | UseKind::Look
                | UseKind::Keep => false,
            }
        })
}

/// Whether something may load what the loop has left in a local scalar: outside of it, or the loop itself, which goes on with that in another iteration of
/// a loop around.
pub fn is_wanted_behind(ctx: &Context, variable: Value, lp: Ptr<Operation>) -> bool {
    let mut users = variable.uses(ctx).into_iter().map(|u| u.user_op());
    let is_within = |op| lp.deref(ctx).regions().any(|r| walk::is_inside(ctx, op, r));
    if users.any(|op| Operation::is_op::<Load>(op, ctx) && !is_within(op)) {
        return true;
    }
    let in_front = std::iter::successors(lp.deref(ctx).get_prev(), |op| op.deref(ctx).get_prev());
    let mut stores = in_front.filter_map(|op| Operation::get_op::<Store>(op, ctx));
    let is_set = stores.any(|store| store.get_operand_address(ctx) == variable);
    let made = variable.defining_op();
    !is_set && made.and_then(|made| loop_around(ctx, made)) != loop_around(ctx, lp)
}

/// Whether `address` is that of a local variable, or of something in one.
pub fn is_in_variable(ctx: &Context, address: Value) -> bool {
    let object = object_of(ctx, address).defining_op();
    object.is_some_and(|op| Operation::is_op::<Alloca>(op, ctx))
}

/// Whether `value` is the address of a mapped variable: a parameter of a kernel.
pub fn is_parameter(ctx: &Context, value: Value) -> bool {
    let block = value.defining_block();
    let op = block.and_then(|b| b.deref(ctx).get_parent_op(ctx));
    op.is_some_and(|op| Operation::get_op::<FuncOp>(op, ctx).is_some())
}

/// Whether `op`, which may access the variable, is run by the threads that have the variable: no fork is between them.
pub fn is_of_same_threads(ctx: &Context, variable: Ptr<Operation>, op: Ptr<Operation>) -> bool {
    let mut at = op;
    loop {
        let Some(block) = at.deref(ctx).get_parent_block() else {
            return false;
        };
        let mut forks = 0;
        for before in ops_of_block(ctx, block) {
            if before == at {
                break;
            }
            match Edge::of(ctx, before) {
                Some(Edge::Fork(_)) => forks += 1,
                Some(Edge::Join(_)) => forks -= 1,
                None if before == variable => forks = 0,
                None => {}
            }
        }
        if forks != 0 {
            return false;
        }
        if variable.deref(ctx).get_parent_block() == Some(block) {
            return true;
        }
        match at.deref(ctx).get_parent_op(ctx) {
            Some(around) => at = around,
            None => return false,
        }
    }
}
