//! Pass `selections`: what a sequential loop loads at an index that it has chosen is kept with the index, on GPUs.
//!
//! Programs look for the best element by its index, and load it again to compare it with the next one:
//!
//! ```text
//!                                        if (1 < n)  kept = x[best]
//! for k = 1 to n                         for k = 1 to n
//!   if (x[k] > x[best])             →      if (x[k] > kept)
//!     best = k                               best = k;  kept = x[k]
//! ```
//! Each of these loads waits for the comparison before it, and for memory behind that. What is computed of several loads is kept as a whole.
//!
//! 1. In a loop without loops, calls, atomic accesses and stores to anything but scalar variables, a variable is found that one store
//!    sets: under a condition, or to one of two values, of which the other is its own.
//! 2. A value in front of that store, in every iteration, which is loaded and computed of the variable and what does not change in the
//!    loop, and another one there which is computed alike of what is stored ([`crate::analysis::alike`]), but that loads may be from
//!    addresses that are the same sums ([`crate::analysis::affine`]): so what the first one will be in the next iteration is known, and
//!    may be loaded.
//! 3. The first iteration's value is loaded in front of the loop, if there is one: it would have been loaded anyway.
//!
//! Results are the same bits. Cost: for each loop, its loads squared, times the size of their addresses.

use accrue_dialects::core::{
    CmpKind, Externs, For, Load, Select, Store, dead_code::erase_dead_in, emit::Emitter,
    fold::constant,
};
use accrue_ir::walk::{nested, nested_ops, operands_of, ops_of_block, regions_of, results_of};
use pliron::{
    builtin::{
        op_interfaces::{OneRegionInterface, OneResultInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    region::Region,
    r#type::Typed,
    value::Value,
};
use std::{cell::RefCell, collections::HashSet};

use super::accumulators::{is_other_access, is_word};
use crate::{
    State, Switch,
    analysis::{
        affine::{Affine, Scope},
        alike::{alike, alike_where},
        straight::{PureFunctions, is_straight},
        variables::is_local_scalar,
    },
    transform::inline::device_functions,
};

const NAME: &str = "selections";

/// Values that a loop may keep: each is a register or two.
const MOST_KEPT: usize = 4;

/// Keeps what loops of kernels, and of the functions they call, have chosen.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.promotes_memory || state.off.is_off(Switch::Recurrences) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    let externs = Externs::of_module(ctx, module.get_operation());
    for func in device_functions(ctx, module) {
        for lp in nested::<For>(ctx, func.get_operation()) {
            let mut kept = 0;
            while kept < MOST_KEPT
                && let Some(selection) = find(ctx, lp, &pure, &externs)
            {
                keep(ctx, lp, &selection);
                kept += 1;
            }
            if kept > 0 {
                let what = match kept {
                    1 => "1 value".to_string(),
                    n => format!("{n} values"),
                };
                let message =
                    format!("keeps {what} in a register that it has loaded at an index it chooses");
                state.remark(ctx, lp.get_operation(), NAME, message);
            }
        }
    }
}

/// What a loop computes of the index that it has chosen.
struct Selection {
    /// It, of loads and what is done with them.
    value: Value,
    /// Sets the index.
    store: Store,
    /// If the store is in every iteration: whether it chooses another index.
    chooses: Option<Choice>,
    /// What it is in the next iteration if another index is chosen in this one.
    next: Value,
}

/// Of `core.select`: the condition, and whether it holds where another index is chosen.
#[derive(Clone, Copy)]
struct Choice {
    cond: Value,
    if_true: bool,
}

/// The first one in a loop.
fn find(ctx: &Context, lp: For, pure: &PureFunctions, externs: &Externs) -> Option<Selection> {
    let inside = nested_ops(ctx, lp.get_operation());
    let suitable = |op: &Ptr<Operation>| is_straight(ctx, *op, pure) && !is_other_access(ctx, *op);
    if lp.info(ctx).independent || !inside.iter().all(suitable) {
        return None;
    }
    let of_kind = |op: &Ptr<Operation>| Operation::get_op::<Store>(*op, ctx);
    let stores: Vec<Store> = inside.iter().filter_map(of_kind).collect();
    let written = |store: &Store| store.get_operand_address(ctx);
    if !stores.iter().all(|s| is_local_scalar(ctx, written(s))) {
        return None;
    }
    let places: HashSet<Value> = stores.iter().map(written).collect();
    let inside: HashSet<Ptr<Operation>> = inside.into_iter().collect();
    let lp = Inside {
        ctx,
        externs,
        counter: lp.get_body(ctx, 0).deref(ctx).get_argument(0),
        ops: inside,
        places,
        body: ops_of_block(ctx, lp.get_body(ctx, 0)),
        region: lp.get_region(ctx),
    };
    let sets_alone = |store: &&Store| {
        let same = stores.iter().filter(|s| written(s) == written(store));
        same.count() == 1
    };
    let mut found = stores.iter().filter(sets_alone);
    found.find_map(|store| lp.selection(*store))
}

/// A loop, and what is in it.
struct Inside<'a> {
    ctx: &'a Context,
    externs: &'a Externs,
    counter: Value,
    ops: HashSet<Ptr<Operation>>,
    /// The variables that are stored to.
    places: HashSet<Value>,
    body: Vec<Ptr<Operation>>,
    region: Ptr<Region>,
}

impl Inside<'_> {
    /// A value that `store` chooses the index of.
    fn selection(&self, store: Store) -> Option<Selection> {
        let ctx = self.ctx;
        let variable = store.get_operand_address(ctx);
        let (chosen, chooses) = self.chosen(store, variable)?;
        let op = store.get_operation();
        let around = |at: &&Ptr<Operation>| **at == op || nested_ops(ctx, **at).contains(&op);
        let end = self.body.iter().position(|at| around(&at))?;
        if chooses.is_none() && self.body[end] == op {
            return None;
        }
        let before = self.body[..end].iter();
        let results: Vec<Value> = before
            .flat_map(|op| results_of(ctx, *op))
            .filter(|value| is_word(ctx, value.get_type(ctx)))
            .collect();
        // The last ones are computed of the others.
        let mut wanted = results.iter().rev();
        wanted.find_map(|value| {
            let is_carried = self.depends_on(*value, variable)
                && self.loads(*value)
                && self.is_carried(*value, variable);
            is_carried.then_some(())?;
            let next = results.iter().find(|other| {
                *other != value
                    && !self.depends_on(**other, variable)
                    && other.get_type(ctx) == value.get_type(ctx)
                    && self.is_next(variable, chosen, *value, **other)
            })?;
            Some(Selection {
                value: *value,
                store,
                chooses,
                next: *next,
            })
        })
    }

    /// What `store` sets its variable to, if not to what it has been.
    fn chosen(&self, store: Store, variable: Value) -> Option<(Value, Option<Choice>)> {
        let ctx = self.ctx;
        let value = store.get_operand_value(ctx);
        let select = value.defining_op();
        let select = select.and_then(|op| Operation::get_op::<Select>(op, ctx));
        let Some(select) = select.filter(|op| self.ops.contains(&op.get_operation())) else {
            return Some((value, None));
        };
        let own = |value: Value| {
            let load = value.defining_op();
            let load = load.and_then(|op| Operation::get_op::<Load>(op, ctx));
            load.is_some_and(|load| load.get_operand_address(ctx) == variable)
        };
        let (yes, no) = (select.get_operand_yes(ctx), select.get_operand_no(ctx));
        let (value, if_true) = match (own(yes), own(no)) {
            (false, true) => (yes, true),
            (true, false) => (no, false),
            (true, true) | (false, false) => return None,
        };
        let cond = select.get_operand_cond(ctx);
        Some((value, Some(Choice { cond, if_true })))
    }

    /// Whether a value of the loop is computed of what is in memory.
    fn loads(&self, value: Value) -> bool {
        let ctx = self.ctx;
        let op = value.defining_op().filter(|op| self.ops.contains(op));
        op.is_some_and(|op| {
            let load = Operation::get_op::<Load>(op, ctx);
            load.is_some_and(|load| !is_local_scalar(ctx, load.get_operand_address(ctx)))
                || operands_of(ctx, op)
                    .into_iter()
                    .any(|value| self.loads(value))
        })
    }

    /// Whether a value of the loop is computed of what `variable` holds.
    fn depends_on(&self, value: Value, variable: Value) -> bool {
        let op = value.defining_op().filter(|op| self.ops.contains(op));
        op.is_some_and(|op| {
            let operands = operands_of(self.ctx, op);
            operands.contains(&variable)
                || operands
                    .into_iter()
                    .any(|value| self.depends_on(value, variable))
        })
    }

    /// Whether a value that will be computed in the next iteration is known but for what `variable` holds then.
    fn is_carried(&self, value: Value, variable: Value) -> bool {
        let ctx = self.ctx;
        let Some(op) = value.defining_op().filter(|op| self.ops.contains(op)) else {
            return value != self.counter;
        };
        let place = Operation::get_op::<Load>(op, ctx).map(|load| load.get_operand_address(ctx));
        match place {
            Some(place) if place == variable => true,
            Some(place) if self.places.contains(&place) => false,
            // What is in regions is not followed.
            Some(_) | None => {
                regions_of(ctx, op).is_empty()
                    && operands_of(ctx, op)
                        .into_iter()
                        .all(|value| self.is_carried(value, variable))
            }
        }
    }

    /// Whether `value` will be what `other` is now where `variable` holds `chosen`: they are spelled alike, or load from addresses that are
    /// the same sums.
    fn is_next(&self, variable: Value, chosen: Value, value: Value, other: Value) -> bool {
        let (ctx, externs) = (self.ctx, self.externs);
        let mut affine = Affine::within(Scope::open(ctx, self.region));
        let loads = variable.uses(ctx).into_iter().map(|used| used.user_op());
        for load in loads.filter_map(|op| Operation::get_op::<Load>(op, ctx)) {
            affine.take_for(load.get_result(ctx), chosen);
        }
        let affine = RefCell::new(affine);
        let address = |value: Value| {
            let load = Operation::get_op::<Load>(value.defining_op()?, ctx)?;
            Some(load.get_operand_address(ctx))
        };
        let known = |a: Value, b: Value| {
            let (from, other) = (address(a), address(b));
            if from == Some(variable) {
                return Some(alike(ctx, externs, b, chosen));
            }
            let (from, other) = match (from, other) {
                (Some(from), Some(other)) if !is_local_scalar(ctx, from) => (from, other),
                _ => return (a == b && !self.depends_on(a, variable)).then_some(true),
            };
            let mut affine = affine.borrow_mut();
            (affine.place(ctx, from) == affine.place(ctx, other)).then_some(true)
        };
        alike_where(ctx, externs, &known, value, other)
    }
}

fn keep(ctx: &mut Context, lp: For, selection: &Selection) {
    let (lower, upper) = (lp.get_operand_lower(ctx), lp.get_operand_upper(ctx));
    let unsigned = lp.info(ctx).unsigned;
    let inside: HashSet<_> = nested_ops(ctx, lp.get_operation()).into_iter().collect();
    let value = selection.value;
    let ty = value.get_type(ctx);
    let mut e = Emitter::before(ctx, lp.get_operation());
    let kept = e.alloca(ty, None);
    let down = constant(e.ctx, lp.get_operand_step(e.ctx)).is_some_and(|step| step < 0);
    let before = if unsigned { CmpKind::LtU } else { CmpKind::LtS };
    let some = match down {
        false => e.cmp(before, lower, upper),
        true => e.cmp(before, upper, lower),
    };
    let begin = |e: &mut Emitter| -> Result<(), std::convert::Infallible> {
        let first = copy(e, value, &inside, &mut IrMapping::new());
        e.store(first, kept);
        Ok(())
    };
    match e.when(some, begin) {
        Ok(_) => {}
        Err(never) => match never {},
    }
    let mut e = Emitter::before(ctx, selection.store.get_operation());
    let next = match selection.chooses {
        None => selection.next,
        Some(Choice { cond, if_true }) => {
            let held = e.load(kept);
            let (yes, no) = match if_true {
                true => (selection.next, held),
                false => (held, selection.next),
            };
            e.select(cond, yes, no)
        }
    };
    e.store(next, kept);
    let op = value.defining_op().expect("it is computed in the loop");
    let mut e = Emitter::before(ctx, op);
    let held = e.load(kept);
    value.replace_all_uses_with(e.ctx, &held);
    Operation::erase(op, ctx);
    let body = lp.get_region(ctx);
    erase_dead_in(ctx, body);
}

/// Computes `value` of a loop in front of it.
fn copy(
    e: &mut Emitter,
    value: Value,
    inside: &HashSet<Ptr<Operation>>,
    mapping: &mut IrMapping,
) -> Value {
    let op = value.defining_op().filter(|op| inside.contains(op));
    let Some(op) = op else {
        return value;
    };
    for operand in operands_of(e.ctx, op) {
        copy(e, operand, inside, mapping);
    }
    let copied = e.copy(op, mapping);
    let at = results_of(e.ctx, op).iter().position(|r| *r == value);
    results_of(e.ctx, copied)[at.expect("its result")]
}
