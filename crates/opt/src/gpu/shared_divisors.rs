//! Pass `shared-divisors`: quotients with a divisor in common share its reciprocal, on GPUs.
//!
//! A division of floats is a reciprocal, made exact in several steps, then a product and its correction; NVIDIA's assembler makes all
//! of it anew for each of them, and tests and a rare case out of line beside it:
//!
//! ```text
//!                                          %y = core.call @reciprocal(%r)
//! %a = core.bin FDiv %x, %r                %a = core.call @quotient(%x, %r, %y)
//! %b = core.bin FDiv %z, %r         →      %b = core.call @quotient(%z, %r, %y)
//! core.for … {                             core.for … {
//!   %c = core.bin FDiv %u, %r }              %c = core.call @quotient(%u, %r, %y) }
//! ```
//! Both functions are of the device library (`devlib/src/c/quotient.c`); results are the same bits. Integers of 32 bits, which are divided
//! by way of floats, have a reciprocal, too ([`integers`]); those in one block the assembler gives one by itself. Constant divisors are
//! left to the back end.
//!
//! Steps: the operations of a block are walked through in their order. A reciprocal is made in front of a division whose block divides
//! by the same once more, there or in regions inside; in front of the first of three regions that do; and in front of a loop that divides
//! by what comes from outside. From then on the block and the regions inside use it. What stands between a `par.fork` and its `par.join`
//! counts there only: behind it other threads go on, and a loop that has them inside is no place to go in front of.
//!
//! It comes behind what copies bodies, which would count the functions as larger than divisions. Cost: linear in the number of
//! operations, times the depth of regions.

mod integers;

use self::integers::Sign;
use accrue_dialects::core::{
    Bin, BinKind, Externs, For, Known, Load, Loop, Store, emit::Emitter, float_width,
    fold::constant, int_width,
};
use accrue_dialects::par::Edge;
use accrue_ir::walk::{nested_ops, ops_of_block, regions_of};
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        op_interfaces::{OneRegionInterface, OneResultInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashMap;

use crate::{
    State, Switch,
    analysis::{
        unchanged::holds_the_same,
        variables::{defined_inside, is_local_scalar},
    },
    gpu::{simplify_math::number, sincos::library_call_as},
    transform::inline::device_functions,
};

const NAME: &str = "shared-divisors";

/// Reciprocals that are made in front of one loop or branch: each is a register or two all the way through it.
const MOST_AT_ONCE: usize = 8;

/// Shares in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let (widths, integers) = (
        state.target.shares_divisors,
        state.target.divides_integers_by_floats,
    );
    if !integers && widths.is_empty() || state.off.is_off(Switch::Divisors) {
        return;
    }
    let externs = Externs::of_module(ctx, module.get_operation());
    for func in device_functions(ctx, module) {
        let mut code = Code {
            module,
            externs: &externs,
            widths,
            integers,
            quotients: 0,
        };
        let blocks: Vec<_> = func.get_region(ctx).deref(ctx).iter(ctx).collect();
        for block in blocks {
            code.walk(ctx, block, HashMap::new());
        }
        let message = match code.quotients {
            0 => continue,
            1 => "1 division takes the reciprocal of its divisor from elsewhere: the same result"
                .to_string(),
            n => format!("{n} divisions share the reciprocals of their divisors: the same results"),
        };
        state.remark(ctx, func.get_operation(), NAME, message);
    }
}

/// What kind of reciprocal a division takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Float,
    Integer(Sign),
}

/// A divisor's [`source`], and how it divides.
type Key = (Value, Kind);

/// The reciprocals at hand, with the values that they are of.
type Reciprocals = HashMap<Key, (Value, Value)>;

/// A division of the kinds that share reciprocals.
#[derive(Clone, Copy)]
struct Division {
    bin: Bin,
    kind: Kind,
}

impl Division {
    fn divisor(&self, ctx: &Context) -> Value {
        self.bin.get_operand_rhs(ctx)
    }

    fn key(&self, ctx: &Context) -> Key {
        (source(ctx, self.divisor(ctx)), self.kind)
    }
}

struct Code<'a> {
    module: ModuleOp,
    externs: &'a Externs,
    /// Of floats.
    widths: &'a [u32],
    integers: bool,
    /// How many divisions have become such quotients.
    quotients: usize,
}

impl Code<'_> {
    fn walk(&mut self, ctx: &mut Context, block: Ptr<BasicBlock>, outside: Reciprocals) {
        let mut scopes = vec![outside];
        let ops = ops_of_block(ctx, block);
        let mut ahead = Ahead::default();
        for (at, op) in ops.iter().enumerate() {
            if at == ahead.end {
                ahead = self.ahead(ctx, &ops[at..], at);
            }
            match Edge::of(ctx, *op) {
                Some(Edge::Fork(_)) => scopes.push(scopes.last().cloned().unwrap_or_default()),
                Some(Edge::Join(_)) if scopes.len() > 1 => _ = scopes.pop(),
                Some(Edge::Join(_)) => scopes[0].clear(),
                None => {}
            }
            let Some(at_hand) = scopes.last_mut() else {
                return;
            };
            if let Some(division) = self.division(ctx, *op) {
                if ahead.shares(&division.key(ctx)) {
                    self.make(ctx, at_hand, *op, division);
                }
                self.divide(ctx, division, at_hand);
                continue;
            }
            let inside = match regions_of(ctx, *op).is_empty() {
                true => vec![],
                false => self.divisors_from_outside(ctx, *op),
            };
            for division in inside {
                if is_loop(ctx, *op) || ahead.shares(&division.key(ctx)) {
                    self.make(ctx, at_hand, *op, division);
                }
            }
            let at_hand = at_hand.clone();
            for region in regions_of(ctx, *op) {
                let blocks: Vec<_> = region.deref(ctx).iter(ctx).collect();
                for block in blocks {
                    self.walk(ctx, block, at_hand.clone());
                }
            }
        }
    }

    /// What is divided by up to the next change of threads, from operation `from` of a block on.
    fn ahead(&self, ctx: &Context, ops: &[Ptr<Operation>], from: usize) -> Ahead {
        let next = ops
            .iter()
            .skip(1)
            .position(|op| Edge::of(ctx, *op).is_some());
        let ops = &ops[..next.map_or(ops.len(), |next| next + 1)];
        let mut counts = HashMap::new();
        for op in ops {
            for inside in nested_ops(ctx, *op).into_iter().chain([*op]) {
                if let Some(division) = self.division(ctx, inside) {
                    let count: &mut Count = counts.entry(division.key(ctx)).or_default();
                    match inside == *op {
                        true => count.here += 1,
                        false => count.inside += 1,
                    }
                }
            }
        }
        Ahead {
            end: from + ops.len(),
            counts,
        }
    }

    /// Of a loop or branch without changes of threads: a division by each of the divisors that do not come from inside, in their order.
    fn divisors_from_outside(&self, ctx: &Context, around: Ptr<Operation>) -> Vec<Division> {
        let inside = nested_ops(ctx, around);
        if inside.iter().any(|op| Edge::of(ctx, *op).is_some()) {
            return vec![];
        }
        let mut found: Vec<Division> = vec![];
        for division in inside.iter().filter_map(|op| self.division(ctx, *op)) {
            let (from, _) = division.key(ctx);
            let stored = |op: &Ptr<Operation>| {
                Operation::get_op::<Store>(*op, ctx)
                    .is_some_and(|store| store.get_operand_address(ctx) == from)
            };
            let changes = is_from_inside(ctx, from, around) || inside.iter().any(stored);
            let is_new = |other: &Division| other.key(ctx) != division.key(ctx);
            if !changes && found.iter().all(is_new) {
                found.push(division);
            }
        }
        found.truncate(MOST_AT_ONCE);
        found
    }

    fn division(&self, ctx: &Context, op: Ptr<Operation>) -> Option<Division> {
        let bin = Operation::get_op::<Bin>(op, ctx)?;
        let divisor = bin.get_operand_rhs(ctx);
        let ty = divisor.get_type(ctx);
        let kind = match bin.kind(ctx) {
            BinKind::FDiv => {
                let width = float_width(ctx, ty)?;
                let shared = self.widths.contains(&width) && number(ctx, divisor).is_none();
                shared.then_some(Kind::Float)?
            }
            kind => {
                let sign = Sign::of(kind)?;
                let shared = self.integers && int_width(ctx, ty) == Some(32);
                (shared && constant(ctx, divisor).is_none()).then_some(Kind::Integer(sign))?
            }
        };
        Some(Division { bin, kind })
    }

    /// Makes the reciprocal for a division in front of an operation, if there is none at hand.
    fn make(
        &self,
        ctx: &mut Context,
        at_hand: &mut Reciprocals,
        before: Ptr<Operation>,
        division: Division,
    ) {
        if self.found(ctx, at_hand, division).is_some() {
            return;
        }
        let (divisor, key) = (division.divisor(ctx), division.key(ctx));
        let ty = divisor.get_type(ctx);
        let mut e = Emitter::before(ctx, before);
        let here = match is_from_inside(e.ctx, divisor, before) {
            true => e.load(key.0),
            false => divisor,
        };
        let reciprocal = match division.kind {
            Kind::Float => library_call_as(&mut e, self.module, Known::Reciprocal, &[here], ty),
            Kind::Integer(sign) => integers::reciprocal(&mut e, here, sign),
        };
        at_hand.insert(key, (here, reciprocal));
    }

    /// The reciprocal of a divisor.
    fn found(&self, ctx: &Context, at_hand: &Reciprocals, division: Division) -> Option<Value> {
        let divisor = division.divisor(ctx);
        let (of, reciprocal) = at_hand.get(&division.key(ctx))?;
        let load = |value: Value| Operation::get_op::<Load>(value.defining_op()?, ctx);
        let same = *of == divisor
            || match (load(*of), load(divisor)) {
                (Some(of), Some(divisor)) => holds_the_same(ctx, self.externs, of, divisor),
                _ => false,
            };
        same.then_some(*reciprocal)
    }

    /// Divides by means of the reciprocal, if there is one.
    fn divide(&mut self, ctx: &mut Context, division: Division, at_hand: &Reciprocals) {
        let Some(reciprocal) = self.found(ctx, at_hand, division) else {
            return;
        };
        let bin = division.bin;
        let (above, below) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
        let (op, kind) = (bin.get_operation(), bin.kind(ctx));
        let ty = below.get_type(ctx);
        let mut e = Emitter::before(ctx, op);
        let operands = [above, below, reciprocal];
        let result = match division.kind {
            Kind::Float => library_call_as(&mut e, self.module, Known::Quotient, &operands, ty),
            Kind::Integer(sign) => integers::divide(&mut e, kind, sign, operands),
        };
        bin.get_result(ctx).replace_all_uses_with(ctx, &result);
        Operation::erase(op, ctx);
        self.quotients += 1;
    }
}

/// Divisions of a part of a block by what they divide by.
#[derive(Default)]
struct Ahead {
    /// The operation behind the part.
    end: usize,
    counts: HashMap<Key, Count>,
}

#[derive(Clone, Copy, Default)]
struct Count {
    here: usize,
    /// In regions inside, of which there may be two that are never executed both.
    inside: usize,
}

impl Ahead {
    /// Whether there are so many that a reciprocal for all of them pays. Integers in one block share what the assembler makes of them.
    fn shares(&self, key: &Key) -> bool {
        let count = self.counts.get(key).copied().unwrap_or_default();
        let enough = 2 * count.here + count.inside >= 3;
        match key.1 {
            Kind::Float => enough,
            Kind::Integer(_) => enough && count.inside > 0,
        }
    }
}

/// What divisors that may be the same have in common: the local variable that the value is loaded from, or the value itself.
fn source(ctx: &Context, divisor: Value) -> Value {
    let load = divisor
        .defining_op()
        .and_then(|op| Operation::get_op::<Load>(op, ctx));
    let variable = load.map(|load| load.get_operand_address(ctx));
    variable
        .filter(|variable| is_local_scalar(ctx, *variable))
        .unwrap_or(divisor)
}

/// Whether a value is made by an operation, or in its regions.
fn is_from_inside(ctx: &Context, value: Value, around: Ptr<Operation>) -> bool {
    let mut regions = regions_of(ctx, around).into_iter();
    value.defining_op() == Some(around) || regions.any(|region| defined_inside(ctx, value, region))
}

fn is_loop(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::is_op::<For>(op, ctx) || Operation::is_op::<Loop>(op, ctx)
}
