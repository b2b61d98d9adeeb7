//! Passes `scalar-fields` and `scalar-replacement`: structs and small arrays of a thread become scalars, on GPUs.
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
//! constants ([`indexed`]). Builtins of reductions that have the address of a small array go over its elements first ([`reduced`]). Unions, bit-fields and variables of
//! more than [`MOST_SCALARS`] scalars stay in memory, and so does everything whose address goes anywhere else.
//!
//! Cost: linear in the uses of local variables, times the number of scalars in one; a round for each variable that was
//! copied from another.

mod fields;
mod indexed;
mod parts;
mod reduced;
mod values;

use crate::{
    State, Switch,
    analysis::{affine::Affine, records::Records},
    gpu::{copies, forward::forward, promote::promote_all},
    transform::inline::device_functions,
};
use accrue_dialects::core::{Alloca, Copy, Decay, Member, Shape, Variable, Zero, emit::Emitter};
use accrue_ir::walk::nested;
use indexed::choose;
use parts::{Aggregate, PartUse, Path, Reductions, Step, aggregate};
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::Context,
    op::Op,
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};
use std::collections::HashMap;

/// Variables whose addresses are in other variables: how deep.
const MOST_ROUNDS: usize = 4;

/// Pass `scalar-fields`: replaces what no variable index leads to, before loops are looked at.
pub fn run_early(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    replace_all(ctx, module, state, false);
}

/// Replaces in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let chooses = !state.off.is_off(Switch::Choices);
    let mut split = vec![];
    if !state.target.finisher.promotes_memory {
        let records = Records::of_module(ctx, module);
        split = device_functions(ctx, module);
        split.retain(|func| reduced::split(ctx, *func, &records, chooses));
    }
    replace_all(ctx, module, state, chooses);
    // A builtin gives its value to the next one, without a variable between them.
    for func in split {
        forward(ctx, func.get_operation());
    }
}

fn replace_all(ctx: &mut Context, module: ModuleOp, state: &State, chooses: bool) {
    if state.target.finisher.promotes_memory {
        return;
    }
    let records = Records::of_module(ctx, module);
    for func in device_functions(ctx, module) {
        copies::expand_within(ctx, func, &records);
        for _ in 0..MOST_ROUNDS {
            if !replace_in(ctx, func, &records, chooses) {
                break;
            }
            promote_all(ctx, func.get_operation());
        }
    }
}

/// Replaces what can be replaced now; whether anything was.
fn replace_in(ctx: &mut Context, func: FuncOp, records: &Records, chooses: bool) -> bool {
    let mut changed = false;
    for alloca in nested::<Alloca>(ctx, func.get_operation()) {
        changed |=
            replace_one(ctx, alloca, records, chooses) || fields::take_apart(ctx, records, alloca);
    }
    changed
}

/// Replaces the variable by its scalars, if that is possible; whether it was.
fn replace_one(ctx: &mut Context, alloca: Alloca, records: &Records, chooses: bool) -> bool {
    // An aggregate with choices becomes one without.
    // What was known of addresses before a choice is not true behind it.
    let fresh = Affine::default;
    while let Some(aggregate) = aggregate(ctx, records, &mut fresh(), alloca, Reductions::Keep) {
        if aggregate.indexed.is_empty() {
            replace(ctx, &aggregate);
            return true;
        }
        let variable = aggregate.alloca.get_operation();
        if !chooses || !choose(ctx, variable, &aggregate.indexed) {
            break;
        }
    }
    false
}

/// Gives each scalar a variable of its own.
fn replace(ctx: &mut Context, aggregate: &Aggregate) {
    let alloca = aggregate.alloca.get_operation();
    let name = reduced::name(ctx, aggregate);
    let mut e = Emitter::before(ctx, alloca);
    let scalars: HashMap<Path, Value> = (0..)
        .zip(&aggregate.leaves)
        .map(|(number, leaf)| {
            let name = name.as_ref().map(|array| Variable {
                name: format!("{array}_{number}"),
                shape: Shape {
                    dims: vec![],
                    elem: leaf.ty,
                },
            });
            (leaf.path.clone(), e.alloca(leaf.ty, name))
        })
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
