//! Pass `alternation`: a loop whose iterations use two or more rows of an array in turns runs as many iterations at a time, on GPUs.
//!
//! Tables that are filled row by row keep two rows, and say which one it is by a variable that goes from 0 to 1 and back, by the lowest
//! bit of the counter, or by pointers that change places. With such an index no element of the table can be a register.
//!
//! ```text
//! now = 0                                                    now = 0
//! for (i = 0; i < m; i++) {                                  for (i = 0; i < m - m % 2; i += 2) {
//!   for (j = 0; j < 48; j++)                       →           for (j …) table[1][j + 1] = f(table[0][j], …)
//!     table[!now][j + 1] = f(table[now][j], …)                 for (j …) table[0][j + 1] = f(table[1][j], …)
//!   now = !now                                               }
//! }                                                          if (m % 2) for (j …) table[1][j + 1] = …
//! ```
//!
//! 1. What local scalars hold in front of the loop is looked for there, and what they hold after each of the first four iterations is computed
//!    from that ([`Turn`]): numbers, and the starts of arrays.
//! 2. Those that hold after two to four iterations what they began with alternate, if what they are computed from does, too.
//! 3. The loop is unrolled so many times if such a value, or the counter modulo that number, chooses in an array of the thread. Each
//!    iteration begins by storing what is known, and the following passes draw the conclusions.
//!
//! Cost: linear in the size of the loops, times the variables that they store, and four times the size of what comes out.

mod write;

use accrue_dialects::core::{
    Bin, BinKind, Cast, For, If, Load, PtrAdd, Store,
    fold::{constant, known_expression},
    int_width,
};
use accrue_ir::walk::{is_inside, nested, nested_ops, ops_of_block, results_of};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::{HashMap, HashSet};

use super::full_unroll::{
    has_continue, may_be_copied,
    profit::{comes_from, local_array},
};
use crate::{
    State, Switch, analysis::variables::is_local_scalar, transform::inline::device_functions,
};

const NAME: &str = "alternation";

/// Iterations after which all is as it was, at most.
const MOST: usize = 4;
/// Operations of a body.
const MOST_OPERATIONS: usize = 512;

/// Unrolls such loops of kernels and of the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.unrolls || state.off.is_off(Switch::Unroll) {
        return;
    }
    for func in device_functions(ctx, module) {
        let mut loops = nested::<For>(ctx, func.get_operation());
        // Inner loops first.
        loops.reverse();
        for lp in loops {
            let Some(turns) = turns(ctx, lp) else {
                continue;
            };
            let message = format!(
                "{} iterations become one: they use parts of an array in turns",
                turns.period
            );
            state.remark(ctx, lp.get_operation(), NAME, message);
            write::write(ctx, lp, &turns);
        }
    }
}

/// What a variable holds at the start of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Number(i128),
    /// Computed in front of the loop.
    Value(Value),
}

/// What variables hold, by address.
type Turn = HashMap<Value, Held>;

/// How a loop alternates.
struct Turns {
    period: usize,
    /// Those that alternate, in the order in which they are stored.
    variables: Vec<Value>,
    /// At the start of each iteration of a period.
    each: Vec<Turn>,
    /// What is computed from the counter alone, by the number of the iteration.
    of_counter: Vec<(Ptr<Operation>, Vec<i128>)>,
}

/// How the loop alternates, if that makes places in arrays known.
fn turns(ctx: &Context, lp: For) -> Option<Turns> {
    let inside = nested_ops(ctx, lp.get_operation());
    if constant(ctx, lp.get_operand_step(ctx)) != Some(1)
        || inside.len() > MOST_OPERATIONS
        || has_continue(ctx, lp, &inside)
        || !inside.iter().all(|op| may_be_copied(ctx, *op))
    {
        return None;
    }
    let adds = inside
        .iter()
        .filter_map(|op| Operation::get_op::<PtrAdd>(*op, ctx));
    let chosen = Chosen(
        adds.filter(|add| local_array(ctx, add.get_operand_base(ctx), &HashSet::new()).is_some())
            .collect(),
    );
    let before = held_before_loop(ctx, lp, &inside);
    (2..=MOST).find_map(|period| {
        let each = alternating(ctx, lp, before.iter().copied().collect(), period);
        let of_counter = of_counter(ctx, lp, &inside, period);
        let changes = |variable: &Value| each[1..].iter().any(|t| t[variable] != each[0][variable]);
        let by_variable = each[0]
            .keys()
            .any(|v| changes(v) && chosen.by_variable(ctx, &inside, *v, &each));
        let by_counter = of_counter
            .iter()
            .any(|(op, _)| chosen.by_value(ctx, op.deref(ctx).get_result(0)));
        let all = before.iter().map(|(variable, _)| *variable);
        (by_variable || by_counter).then(|| Turns {
            period,
            variables: all.filter(|v| each[0].contains_key(v)).collect(),
            each,
            of_counter,
        })
    })
}

/// The places in arrays of the thread that a loop computes.
struct Chosen(Vec<PtrAdd>);

impl Chosen {
    /// Whether an index is computed from `value`.
    fn by_value(&self, ctx: &Context, value: Value) -> bool {
        let index = |add: &PtrAdd| comes_from(ctx, add.get_operand_index(ctx), value);
        self.0.iter().any(index)
    }

    /// Whether an index is computed from what `variable` holds, or an array is what it holds.
    fn by_variable(
        &self,
        ctx: &Context,
        inside: &[Ptr<Operation>],
        variable: Value,
        each: &[Turn],
    ) -> bool {
        if let Held::Value(start) = each[0][&variable] {
            return local_array(ctx, start, &HashSet::new()).is_some();
        }
        let loads = inside
            .iter()
            .filter_map(|op| Operation::get_op::<Load>(*op, ctx));
        loads
            .filter(|load| load.get_operand_address(ctx) == variable)
            .any(|load| self.by_value(ctx, load.get_result(ctx)))
    }
}

/// The local scalars that the loop stores in every iteration, in the order of the stores, and what they hold in front of it.
fn held_before_loop(ctx: &Context, lp: For, inside: &[Ptr<Operation>]) -> Vec<(Value, Held)> {
    let body = lp.get_body(ctx, 0);
    let stores: Vec<Store> = inside
        .iter()
        .filter_map(|op| Operation::get_op::<Store>(*op, ctx))
        .collect();
    let elsewhere: HashSet<Value> = stores
        .iter()
        .filter(|store| store.get_operation().deref(ctx).get_parent_block() != Some(body))
        .map(|store| store.get_operand_address(ctx))
        .collect();
    let mut seen = HashSet::new();
    let stored = stores.iter().map(|store| store.get_operand_address(ctx));
    let each =
        stored.filter(|v| !elsewhere.contains(v) && seen.insert(*v) && is_local_scalar(ctx, *v));
    each.filter_map(|variable| Some((variable, held_before(ctx, lp, variable)?)))
        .collect()
}

/// What is stored into a variable in front of the loop last.
fn held_before(ctx: &Context, lp: For, variable: Value) -> Option<Held> {
    let writes = |op: Ptr<Operation>| {
        let mut inside = nested::<Store>(ctx, op).into_iter();
        inside.any(|store| store.get_operand_address(ctx) == variable)
    };
    let mut at = lp.get_operation();
    loop {
        let before = at.deref(ctx).get_prev();
        let Some(op) = before else {
            // What is in front of a branch is in front of what is in it.
            at = at.deref(ctx).get_parent_op(ctx)?;
            Operation::get_op::<If>(at, ctx)?;
            continue;
        };
        let store = Operation::get_op::<Store>(op, ctx);
        if let Some(store) = store.filter(|store| store.get_operand_address(ctx) == variable) {
            let value = store.get_operand_value(ctx);
            return match int_width(ctx, value.get_type(ctx)) {
                Some(_) => constant(ctx, value).map(Held::Number),
                None => Some(Held::Value(value)),
            };
        }
        if writes(op) {
            return None;
        }
        at = op;
    }
}

/// What those of the variables hold, at the start of each iteration of a period, that hold the same again behind it.
fn alternating(ctx: &Context, lp: For, variables: Turn, period: usize) -> Vec<Turn> {
    let mut first = variables;
    loop {
        let mut each = vec![first.clone()];
        for _ in 0..period {
            let next = iteration(ctx, lp, &each[each.len() - 1]);
            each.push(next);
        }
        let last = each.pop().unwrap_or_default();
        let all = |variable: &Value| each.iter().all(|turn| turn.contains_key(variable));
        let mut again = first.clone();
        again.retain(|variable, held| last.get(variable) == Some(held) && all(variable));
        if again.len() == first.len() {
            each.iter_mut()
                .for_each(|turn| turn.retain(|variable, _| again.contains_key(variable)));
            return each;
        }
        first = again;
    }
}

/// What variables hold behind an iteration that begins with `turn`; without those of which it is not known.
fn iteration(ctx: &Context, lp: For, turn: &Turn) -> Turn {
    let mut now = turn.clone();
    let mut known: Turn = HashMap::new();
    let region = lp.get_operation().deref(ctx).get_region(0);
    let outside = |value: Value| {
        let op = value.defining_op();
        op.is_some_and(|op| !is_inside(ctx, op, region))
    };
    for op in ops_of_block(ctx, lp.get_body(ctx, 0)) {
        let number = |value| match known.get(&value) {
            Some(Held::Number(number)) => Some(*number),
            Some(Held::Value(_)) | None => None,
        };
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            if let Some(held) = now.get(&load.get_operand_address(ctx)) {
                known.insert(load.get_result(ctx), *held);
            }
        } else if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            let (value, variable) = (store.get_operand_value(ctx), store.get_operand_address(ctx));
            let held = match (known.get(&value), known_expression(ctx, value, &number)) {
                (Some(held), _) => Some(*held),
                (None, Some(number)) => Some(Held::Number(number)),
                (None, None) => outside(value).then_some(Held::Value(value)),
            };
            match held.filter(|_| turn.contains_key(&variable)) {
                Some(held) => now.insert(variable, held),
                None => now.remove(&variable),
            };
        } else if let [result] = results_of(ctx, op)[..] {
            // One after the other: what is made of numbers by a long way is not asked about again for each operation.
            if let Some(number) = known_expression(ctx, result, &number) {
                known.insert(result, Held::Number(number));
            }
        }
    }
    now
}

/// What remains of the counter, and of what is a constant apart from it, modulo what `period` is a multiple of; in each iteration.
fn of_counter(
    ctx: &Context,
    lp: For,
    inside: &[Ptr<Operation>],
    period: usize,
) -> Vec<(Ptr<Operation>, Vec<i128>)> {
    let counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    let Some(lower) = constant(ctx, lp.get_operand_lower(ctx)) else {
        return vec![];
    };
    let remainder = |op: &Ptr<Operation>| {
        let bin = Operation::get_op::<Bin>(*op, ctx)?;
        let by = constant(ctx, bin.get_operand_rhs(ctx))?;
        let modulus = match bin.kind(ctx) {
            BinKind::And => by + 1,
            BinKind::RemS | BinKind::RemU => by,
            _ => return None,
        };
        // Of powers of two, that is right also where an index wraps around.
        let divides = modulus > 1 && modulus.count_ones() == 1 && period as i128 % modulus == 0;
        // The remainder of what has become negative is negative.
        let signed = bin.kind(ctx) == BinKind::RemS;
        let distance = distance(ctx, bin.get_operand_lhs(ctx), counter, signed)?;
        if signed && lp.info(ctx).unsigned {
            return None;
        }
        let first = lower + distance;
        if !divides || lower < 0 || first < 0 {
            return None;
        }
        let each = (0..period as i128).map(|at| (first + at) % modulus);
        Some((*op, each.collect()))
    };
    inside.iter().filter_map(remainder).collect()
}

/// How much larger than `counter` an integer is, if that is a constant; `exactly`: as numbers, and not only in their lowest bits.
fn distance(ctx: &Context, value: Value, counter: Value, exactly: bool) -> Option<i128> {
    if value == counter {
        return Some(0);
    }
    let op = value.defining_op()?;
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        let from = cast.get_operand_value(ctx);
        let widths = [from, value].map(|v| int_width(ctx, v.get_type(ctx)).filter(|w| *w > 1));
        let [Some(from_width), Some(width)] = widths else {
            return None;
        };
        let keeps = width > from_width || !exactly;
        return distance(ctx, from, counter, exactly).filter(|_| keeps);
    }
    let bin = Operation::get_op::<Bin>(op, ctx)?;
    let by = constant(ctx, bin.get_operand_rhs(ctx))?;
    let left = distance(ctx, bin.get_operand_lhs(ctx), counter, exactly)?;
    match bin.kind(ctx) {
        BinKind::AddS => Some(left + by),
        BinKind::SubS => Some(left - by),
        BinKind::Add if !exactly => Some(left + by),
        BinKind::Sub if !exactly => Some(left - by),
        _ => None,
    }
}
