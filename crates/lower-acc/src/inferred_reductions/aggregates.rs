//! Small structs and arrays of an iteration that a loop inside only updates by one operator: the loop reduces them, as scalars.
//!
//! ```text
//! for (i …) {                                     for (i …) {
//!     vector f = {0, 0, 0};                           vector f = {0, 0, 0};
//!     for (j …) {                            →        #pragma acc loop reduction(+ : f)
//!         f.x += m[j] * dx(i, j);                     for (j …) {
//!         f.y += m[j] * dy(i, j);                         …
//! ```
//! A sum that a program keeps in a struct, or in an array with an element for each dimension, is to make no other difference to a loop
//! than one in scalars.
//!
//! 1. The variable is declared in a loop around, has at most [`MOST`] numbers, and nothing else can lead to it.
//! 2. Several iterations of the loop come to the same place of it ([`varying`](super::varying)).
//! 3. What the loop does with addresses that are alike is an update, everywhere by the same operator. In a struct all members are
//!    updated: the others may hold what no operator has an identity for.
//!
//! Cost: the size of each loop, times the places in such variables.

use super::{
    Said, add,
    classes::{Class, classes},
    is_inside_loop, is_used_elsewhere, may_be_shared_out,
    update::Update,
    varying::Iterations,
};
use crate::implicit_data::clause_roots;
use accrue_dialects::{
    acc::{Group, Loop},
    core::{Externs, array_parts, elements, is_scalar, pointee, record_tag},
};
use accrue_ir::walk;
use accrue_opt::{
    State,
    analysis::{
        accesses::{Base, Place, Reader, Step, is_unaliased},
        variables::{AddressUse, Root},
    },
    reductions::members::Records,
};
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashSet;

/// Numbers of a variable. Each takes a register of each lane, and some steps of a reduction.
const MOST: usize = 8;

/// Adds the clauses to the loops of the module.
pub(super) fn run(ctx: &mut Context, module: ModuleOp, externs: &Externs, state: &mut State) {
    let records = Records::of_module(ctx, module);
    for lp in walk::nested::<Loop>(ctx, module.get_operation()) {
        if !may_be_shared_out(ctx, lp) {
            continue;
        }
        for (variable, first, update) in updated(ctx, externs, &records, lp) {
            let first = AddressUse {
                op: first,
                index: 0,
                value: variable,
            };
            add(
                ctx,
                lp,
                &first,
                &Root::Local(variable),
                (update, Said::Nothing),
                state,
            );
        }
    }
}

/// A variable that a loop only updates, and the first operation that does.
type Updated = (Value, Ptr<Operation>, Update);

/// The variables that the loop only updates.
fn updated(ctx: &Context, externs: &Externs, records: &Records, lp: Loop) -> Vec<Updated> {
    let region = lp.get_region(ctx);
    let reader = Reader::new(ctx, region);
    let wanted = |place: &Place| {
        variable_of(place)
            .is_some_and(|it| size(ctx, records, it).is_some() && may_be_reduced(ctx, lp, it))
    };
    let mut variables: Vec<(Value, Vec<Class>)> = vec![];
    for class in classes(externs, &reader, region, wanted) {
        let Some(variable) = variable_of(&class.place) else {
            continue;
        };
        match variables.iter_mut().find(|(known, _)| *known == variable) {
            Some((_, all)) => all.push(class),
            None => variables.push((variable, vec![class])),
        }
    }
    let iterations = Iterations::of(ctx, lp);
    let variables = variables.into_iter().filter_map(|(variable, all)| {
        let members: HashSet<Vec<u32>> = all.iter().map(members).collect();
        let whole = match size(ctx, records, variable)? {
            Size::Elements => true,
            Size::Members(count) => members.len() == count,
        };
        let shared = |class: &Class| iterations.share(ctx, class.address);
        let first = all.first()?;
        let update = first.update(externs, &reader)?;
        let same = |class: &Class| class.update(externs, &reader) == Some(update);
        let reduced = whole && all.iter().all(shared) && all.iter().all(same);
        reduced.then_some((variable, *first.ops.first()?, update))
    });
    variables.collect()
}

/// The local variable that the place is in.
fn variable_of(place: &Place) -> Option<Value> {
    match place.base {
        Base::Variable(Root::Local(variable)) => Some(variable),
        Base::Variable(Root::Global(_)) | Base::Pointee(_) => None,
        Base::Loaded(_) | Base::Inside | Base::Unknown => None,
    }
}

/// The members on the way to the class's place.
fn members(class: &Class) -> Vec<u32> {
    let steps = class.place.path.iter();
    let members = steps.filter_map(|step| match step {
        Step::Member(member) => Some(*member),
        Step::Index(_) => None,
    });
    members.collect()
}

/// What a small variable has.
enum Size {
    Elements,
    Members(usize),
}

/// `None` for scalars, and for what is not made of [`MOST`] numbers at most.
fn size(ctx: &Context, records: &Records, variable: Value) -> Option<Size> {
    let ty = pointee(ctx, variable)?;
    records.numbers(ctx, ty, MOST)?;
    if record_tag(ctx, ty).is_some() {
        return Some(Size::Members(records.leaves(ctx, ty)?.len()));
    }
    let array = array_parts(ctx, ty).is_some() && is_scalar(ctx, elements(ctx, ty).1);
    array.then_some(Size::Elements)
}

/// Whether each iteration of a loop around has the variable, which nothing else leads to, and no clause says more.
fn may_be_reduced(ctx: &Context, lp: Loop, variable: Value) -> bool {
    let root = Root::Local(variable);
    is_inside_loop(ctx, variable)
        && is_unaliased(ctx, &root)
        && !is_reduced(ctx, lp, &root)
        && !is_used_elsewhere(ctx, lp, &root)
}

/// Whether a clause of the loop, of one in it or of one around it reduces the variable.
fn is_reduced(ctx: &Context, lp: Loop, root: &Root) -> bool {
    let around = std::iter::successors(Some(lp), |lp| {
        walk::enclosing::<Loop>(ctx, lp.get_operation())
    });
    let mut all = around.chain(walk::nested::<Loop>(ctx, lp.get_operation()));
    all.any(|lp| clause_roots(ctx, &lp, Group::Reduction).contains(root))
}
