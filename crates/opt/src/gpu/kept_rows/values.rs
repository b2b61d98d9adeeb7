//! Which values of loops over the same rows are the same, in iterations with the same counter.
//!
//! ```text
//! for (k …) sum += exp(x[k] - most);          load x[k]: 1   most: 2   1 - 2: 3   exp(3): 4
//! for (k …) y[k] = exp(x[k] - most) / sum;    x[k] is known: 1         1 - 2: 3   exp(3): 4      as before
//! ```
//! A value has a number; operations without effect that are alike, of values with the same numbers, give values with the same number.
//! A local variable has another number behind each store to it.

use accrue_dialects::core::{Bin, BinKind, Load, Store};
use accrue_ir::{
    effects::is_pure,
    walk::{nested_ops, operands_of, results_of},
};
use pliron::{
    attribute::AttributeDict,
    context::{Context, Ptr},
    op::OpId,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashMap;

use crate::{
    analysis::{straight::PureFunctions, variables::is_local_scalar},
    gpu::common_values::nameless,
};

/// The number of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number(usize);

/// What gives the same number.
#[derive(PartialEq, Eq, Hash)]
enum Computation {
    Operation {
        operation: OpId,
        attributes: AttributeDict,
        operands: Vec<Number>,
        result: TypeHandle,
    },
    /// A variable, behind so many stores.
    Variable(Value, usize),
}

/// The numbers of a function's values, as far as somebody has gone through it.
#[derive(Default)]
pub struct Numbers {
    values: HashMap<Value, Number>,
    computations: HashMap<Computation, Number>,
    stores: HashMap<Value, usize>,
    count: usize,
}

impl Numbers {
    pub fn of(&mut self, value: Value) -> Number {
        if let Some(known) = self.values.get(&value) {
            return *known;
        }
        let new = self.fresh();
        self.values.insert(value, new);
        new
    }

    /// Two values are the same.
    pub fn join(&mut self, value: Value, with: Value) {
        let number = self.of(with);
        self.values.insert(value, number);
    }

    /// Comes by an operation.
    pub fn pass(&mut self, ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) {
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            self.set(store.get_operand_address(ctx));
            return;
        }
        let results = results_of(ctx, op);
        let [result] = results[..] else {
            return;
        };
        let load = Operation::get_op::<Load>(op, ctx);
        let computation = if let Some(load) = load {
            let variable = load.get_operand_address(ctx);
            if !is_local_scalar(ctx, variable) {
                return;
            }
            let stores = self.stores.get(&variable).copied().unwrap_or(0);
            Computation::Variable(variable, stores)
        } else if (is_pure(ctx, op) || pure.is_called(ctx, op)) && op.deref(ctx).num_regions() == 0
        {
            let operands = operands_of(ctx, op).into_iter();
            Computation::Operation {
                operation: Operation::get_opid(op, ctx),
                attributes: nameless(&op.deref(ctx).attributes),
                operands: operands.map(|operand| self.of(operand)).collect(),
                result: result.get_type(ctx),
            }
        } else {
            return;
        };
        let number = match self.computations.get(&computation) {
            Some(known) => *known,
            None => {
                let new = self.fresh();
                self.computations.insert(computation, new);
                new
            }
        };
        self.values.insert(result, number);
    }

    /// Comes to a loop, whose iterations find what the ones before have stored.
    pub fn enter(&mut self, ctx: &Context, lp: Ptr<Operation>) {
        for op in nested_ops(ctx, lp) {
            if let Some(store) = Operation::get_op::<Store>(op, ctx) {
                self.set(store.get_operand_address(ctx));
            }
        }
    }

    fn set(&mut self, variable: Value) {
        *self.stores.entry(variable).or_default() += 1;
    }

    fn fresh(&mut self) -> Number {
        self.count += 1;
        Number(self.count)
    }
}

/// Whether it costs more to compute it again than to keep it: a division, or a function.
pub fn is_dear(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
    let divides = Operation::get_op::<Bin>(op, ctx).is_some_and(|bin| {
        matches!(
            bin.kind(ctx),
            BinKind::FDiv | BinKind::DivS | BinKind::DivU | BinKind::RemS | BinKind::RemU
        )
    });
    results_of(ctx, op).len() == 1 && (divides || pure.is_called(ctx, op))
}
