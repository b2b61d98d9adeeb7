//! Pass `scalar-replacement`: structs and small arrays of a thread become scalars, on GPUs.
//!
//! What a thread has in an array or a struct is in local memory, which is device memory with a cache: a load from it takes as
//! long as one from a mapped array. A scalar is a register.
//!
//! ```text
//! %v = core.alloca array<3 x f64>             %v0, %v1, %v2 = core.alloca f64
//! core.store %x, %v[1]                   →    core.store %x, %v1
//! core.copy %v <- %q                          core.store (load %q[0]), %v0    …
//! ```
//!
//! Every element must be named by constants wherever the variable is used, from its address to a load, a store, a copy or a
//! `core.zero`; `full-unroll` has made constants of the counters of short loops before. Few accesses by other indices become such by
//! constants ([`indexed`]). Unions, bit-fields and variables of
//! more than [`MOST_SCALARS`] scalars stay in memory, and so does everything whose address goes anywhere else.
//!
//! Cost: linear in the uses of local variables, times the number of scalars in one; a round for each variable that was
//! copied from another.

mod indexed;

use accrue_dialects::core::{emit::Emitter, fold::constant};
use std::collections::HashMap;

use indexed::{Indexed, MOST_ELEMENTS, choose};

use crate::{
    State, Switch, analysis::records::Records, gpu::promote::promote_all,
    transform::inline::device_functions,
};
use accrue_dialects::{
    core::{
        Alloca, Copy, Decay, Load, Member, PtrAdd, Store, Zero, array_parts, is_scalar, pointee_of,
    },
    par::ReductionOp,
};
use accrue_ir::walk::{nested, operands_of};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};

/// Scalars of a variable that may become registers.
const MOST_SCALARS: usize = 64;

/// Replaces in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.promotes_memory {
        return;
    }
    let records = Records::of_module(ctx, module);
    let chooses = !state.off.is_off(Switch::Choices);
    for func in device_functions(ctx, module) {
        let mut changed = false;
        for alloca in nested::<Alloca>(ctx, func.get_operation()) {
            while let Some(aggregate) = aggregate(ctx, &records, alloca) {
                if aggregate.indexed.is_empty() {
                    replace(ctx, &aggregate);
                    changed = true;
                    break;
                }
                let variable = aggregate.alloca.get_operation();
                if !chooses || !choose(ctx, variable, &aggregate.indexed) {
                    break;
                }
            }
        }
        if changed {
            promote_all(ctx, func.get_operation());
        }
    }
}

/// The way from a variable to a part of it: fields and elements.
type Path = Vec<Step>;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    /// The field of this number and type.
    Field(u32, TypeHandle),
    Element(u64),
}

/// A scalar in a variable.
struct Leaf {
    path: Path,
    ty: TypeHandle,
}

/// A variable whose scalars can be told apart.
struct Aggregate {
    alloca: Alloca,
    leaves: Vec<Leaf>,
    uses: Vec<PartUse>,
    /// The operations that compute addresses in it, each after what it uses.
    addresses: Vec<Ptr<Operation>>,
    /// Those whose index is no constant: they stand for the first element.
    indexed: Vec<Indexed>,
}

/// One use of a part of the variable: operand `index` of a load, store, copy or `core.zero`.
struct PartUse {
    op: Ptr<Operation>,
    index: usize,
    path: Path,
}

fn aggregate(ctx: &Context, records: &Records, alloca: Alloca) -> Option<Aggregate> {
    let ty = alloca.var_type(ctx);
    if alloca.count(ctx).is_some() || is_scalar(ctx, ty) {
        return None;
    }
    let mut leaves = vec![];
    add_leaves(ctx, records, ty, &mut vec![], &mut leaves)?;
    let mut found = Aggregate {
        alloca,
        leaves,
        uses: vec![],
        addresses: vec![],
        indexed: vec![],
    };
    trace(ctx, alloca.get_result(ctx), &[], ty, records, &mut found)?;
    Some(found)
}

/// Appends the scalars of an object of type `ty`; `None` if there are too many, or they cannot be told apart.
fn add_leaves(
    ctx: &Context,
    records: &Records,
    ty: TypeHandle,
    path: &mut Path,
    leaves: &mut Vec<Leaf>,
) -> Option<()> {
    if is_scalar(ctx, ty) {
        leaves.push(Leaf {
            path: path.clone(),
            ty,
        });
        return (leaves.len() <= MOST_SCALARS).then_some(());
    }
    for (step, ty) in parts(ctx, records, ty)? {
        path.push(step);
        add_leaves(ctx, records, ty, path, leaves)?;
        path.pop();
    }
    Some(())
}

/// The fields or elements of a type.
fn parts(ctx: &Context, records: &Records, ty: TypeHandle) -> Option<Vec<(Step, TypeHandle)>> {
    if let Some((length, of)) = array_parts(ctx, ty) {
        let few = usize::try_from(length).is_ok_and(|l| l <= MOST_SCALARS);
        return few.then(|| (0..length).map(|i| (Step::Element(i), of)).collect());
    }
    let fields = records.fields_of(ctx, ty)?;
    let field = |(index, ty)| (Step::Field(index, ty), ty);
    Some((0..).zip(fields.iter().copied()).map(field).collect())
}

/// Collects all uses of `address`, where the part `path` of type `ty` begins.
fn trace(
    ctx: &Context,
    address: Value,
    path: &[Step],
    ty: TypeHandle,
    records: &Records,
    found: &mut Aggregate,
) -> Option<()> {
    for using in address.uses(ctx) {
        let op = using.user_op();
        if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            found.addresses.push(op);
            trace_member(ctx, member, path, ty, records, found)?;
        } else if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            found.addresses.push(op);
            let (length, of) = array_parts(ctx, ty)?;
            trace_element(
                ctx,
                decay.get_result(ctx),
                path,
                (0, length),
                of,
                records,
                found,
            )?;
        } else {
            note_use(ctx, op, address, path, found)?;
        }
    }
    Some(())
}

/// Collects all uses of a field of the part `path`, a struct of type `ty`.
fn trace_member(
    ctx: &Context,
    member: Member,
    path: &[Step],
    ty: TypeHandle,
    records: &Records,
    found: &mut Aggregate,
) -> Option<()> {
    let index = usize::try_from(member.field(ctx)).ok()?;
    let (step, field) = parts(ctx, records, ty)?.into_iter().nth(index)?;
    let path = with(path, step);
    trace(ctx, member.get_result(ctx), &path, field, records, found)
}

/// Collects all uses of a pointer to element `index` of the array `path`, which has `length` elements of type `of`.
fn trace_element(
    ctx: &Context,
    pointer: Value,
    path: &[Step],
    (index, length): (i128, u64),
    of: TypeHandle,
    records: &Records,
    found: &mut Aggregate,
) -> Option<()> {
    let mut here = false;
    for using in pointer.uses(ctx) {
        match Operation::get_op::<PtrAdd>(using.user_op(), ctx) {
            Some(add) if add.get_operand_base(ctx) == pointer => {
                let index = match constant(ctx, add.get_operand_index(ctx)) {
                    Some(constant) => index + constant,
                    None if index == 0 && (1..=MOST_ELEMENTS).contains(&length) => {
                        found.indexed.push(Indexed { add, length });
                        0
                    }
                    None => return None,
                };
                found.addresses.push(using.user_op());
                trace_element(
                    ctx,
                    add.get_result(ctx),
                    path,
                    (index, length),
                    of,
                    records,
                    found,
                )?;
            }
            Some(_) | None => here = true,
        }
    }
    if !here {
        return Some(());
    }
    let element = u64::try_from(index).ok().filter(|i| *i < length)?;
    let path = with(path, Step::Element(element));
    for using in pointer.uses(ctx) {
        let op = using.user_op();
        if Operation::is_op::<PtrAdd>(op, ctx) {
            continue;
        }
        if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            found.addresses.push(op);
            trace_member(ctx, member, &path, of, records, found)?;
        } else if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            found.addresses.push(op);
            let (length, inner) = array_parts(ctx, of)?;
            trace_element(
                ctx,
                decay.get_result(ctx),
                &path,
                (0, length),
                inner,
                records,
                found,
            )?;
        } else {
            note_use(ctx, op, pointer, &path, found)?;
        }
    }
    Some(())
}

fn with(path: &[Step], step: Step) -> Path {
    path.iter().copied().chain([step]).collect()
}

/// Notes the operands of `op` that are `address`, if `op` only reads or writes what is there.
fn note_use(
    ctx: &Context,
    op: Ptr<Operation>,
    address: Value,
    path: &[Step],
    found: &mut Aggregate,
) -> Option<()> {
    let plain = match Operation::get_op::<Load>(op, ctx) {
        Some(load) => !load.is_volatile(ctx),
        None => match Operation::get_op::<Store>(op, ctx) {
            Some(store) => !store.is_volatile(ctx) && store.get_operand_value(ctx) != address,
            None => Operation::is_op::<Copy>(op, ctx) || Operation::is_op::<Zero>(op, ctx),
        },
    };
    if is_reduction_copy(ctx, op, address) {
        return None;
    }
    // Pointers have no zero of their own in the IR.
    let leaf = |l: &Leaf| l.path.starts_with(path);
    let zeroed = Operation::is_op::<Zero>(op, ctx)
        && found.leaves.iter().any(|l| leaf(l) && !has_zero(ctx, l.ty));
    if !plain || zeroed {
        return None;
    }
    let operands = operands_of(ctx, op);
    // A copy from one part of the variable to another would be replaced twice.
    let seen = found.uses.iter().any(|u| u.op == op);
    let mut indices = operands.iter().enumerate().filter(|(_, o)| **o == address);
    let (Some((index, _)), None, false) = (indices.next(), indices.next(), seen) else {
        return None;
    };
    found.uses.push(PartUse {
        op,
        index,
        path: path.to_vec(),
    });
    Some(())
}

/// Whether `op` copies between `address` and the LOCAL of a reduction, which stays an object, and starts from one and ends in
/// one.
fn is_reduction_copy(ctx: &Context, op: Ptr<Operation>, address: Value) -> bool {
    let Some(copy) = Operation::get_op::<Copy>(op, ctx) else {
        return false;
    };
    [copy.get_operand_to(ctx), copy.get_operand_from(ctx)]
        .into_iter()
        .filter(|side| *side != address)
        .flat_map(|side| side.uses(ctx))
        .any(|u| op_cast::<dyn ReductionOp>(&*Operation::get_op_dyn(u.user_op(), ctx)).is_some())
}

fn has_zero(ctx: &Context, ty: TypeHandle) -> bool {
    pointee_of(ctx, ty).is_none()
}

/// Gives each scalar a variable of its own.
fn replace(ctx: &mut Context, aggregate: &Aggregate) {
    let alloca = aggregate.alloca.get_operation();
    let mut e = Emitter::before(ctx, alloca);
    let scalars: HashMap<Path, Value> = aggregate
        .leaves
        .iter()
        .map(|leaf| (leaf.path.clone(), e.alloca(leaf.ty, None)))
        .collect();
    for part in &aggregate.uses {
        let leaves = aggregate
            .leaves
            .iter()
            .filter(|l| l.path.starts_with(&part.path));
        let leaves: Vec<_> = leaves
            .map(|l| (&l.path[part.path.len()..], l.ty, scalars[&l.path]))
            .collect();
        if Operation::is_op::<Copy>(part.op, ctx) {
            copy(ctx, part, &leaves);
        } else if Operation::is_op::<Zero>(part.op, ctx) {
            let mut e = Emitter::before(ctx, part.op);
            for (_, ty, scalar) in leaves {
                let zero = e.zero(ty);
                e.store(zero, scalar);
            }
            Operation::erase(part.op, ctx);
        } else if let [(_, _, scalar)] = leaves.as_slice() {
            Operation::replace_operand(part.op, ctx, part.index, *scalar);
        }
    }
    for address in aggregate.addresses.iter().rev() {
        Operation::erase(*address, ctx);
    }
    Operation::erase(alloca, ctx);
}

/// Copies scalar by scalar between the variable and what is on the other side of a `core.copy`.
fn copy(ctx: &mut Context, part: &PartUse, leaves: &[(&[Step], TypeHandle, Value)]) {
    let Some(copy) = Operation::get_op::<Copy>(part.op, ctx) else {
        return;
    };
    let (to, from) = (copy.get_operand_to(ctx), copy.get_operand_from(ctx));
    let into = part.index == 0;
    let mut e = Emitter::before(ctx, part.op);
    for (path, _, scalar) in leaves {
        let other = address_of(&mut e, if into { from } else { to }, path);
        let (source, target) = if into {
            (other, *scalar)
        } else {
            (*scalar, other)
        };
        let value = e.load(source);
        e.store(value, target);
    }
    Operation::erase(part.op, ctx);
}

/// The address of the part `path` of the object at `address`.
fn address_of(e: &mut Emitter, address: Value, path: &[Step]) -> Value {
    let mut at = address;
    for step in path {
        at = match step {
            Step::Field(field, ty) => {
                let op = Member::new(e.ctx, at, *field, *ty);
                e.value(op)
            }
            Step::Element(index) => {
                let Some(decay) = Decay::new(e.ctx, at) else {
                    return at;
                };
                let first = e.value(decay);
                let index = e.i64(i128::from(*index));
                e.ptr_add(first, index)
            }
        };
    }
    at
}
