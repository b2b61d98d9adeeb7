//! What a loop reads that changes from iteration to iteration, and who computes its address alike.
//!
//! ```text
//! for i: s += a[i * n + j] * t[i] + b[j * m + i] * c[k[i]]          j: the lane's iteration
//!             column         stream  row           stream and other
//! ```

use super::{columns::Columns, own_rows::Rows, streams::Wanted};
use crate::analysis::{
    records::bytes_of,
    variables::{defined_inside, is_local_scalar, is_parameter},
};
use accrue_dialects::{
    core::{For, Load},
    par::DimPos,
};
use accrue_ir::{
    effects::is_pure,
    walk::{nested_ops, operands_of},
};
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::Context,
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashMap;

/// What a loop reads that changes from iteration to iteration.
pub struct Read {
    /// The same in all lanes.
    pub streams: Vec<Load>,
    /// Elements next to each other in lanes next to each other.
    pub columns: Vec<Load>,
    /// Elements next to each other in iterations next to each other, of a row for each lane.
    pub rows: Vec<Load>,
    /// Something else.
    pub others: bool,
}

impl Read {
    pub fn of(ctx: &Context, lp: For, wanted: Wanted) -> Read {
        let body = lp.get_body(ctx, 0);
        let counter = body.deref(ctx).get_argument(0);
        let mut alike = Uniform::with_counter(counter);
        let mut columns = wanted.place.map(|place| Columns::new(ctx, place, counter));
        let mut rows = wanted.place.map(|place| Rows::new(ctx, lp, place));
        let mut read = Read {
            streams: vec![],
            columns: vec![],
            rows: vec![],
            others: false,
        };
        for op in nested_ops(ctx, lp.get_operation()) {
            let Some(load) = Operation::get_op::<Load>(op, ctx) else {
                continue;
            };
            let address = load.get_operand_address(ctx);
            if is_local_scalar(ctx, address) || !changes(ctx, address, lp) {
                continue;
            }
            let always = op.deref(ctx).get_parent_block() == Some(body)
                && !load.is_volatile(ctx)
                && bytes_of(ctx, load.result_type(ctx)).is_some();
            let is_stream = always && alike.holds(ctx, address);
            let column = columns.as_mut().filter(|_| always && !is_stream);
            let is_column = column.is_some_and(|c| c.holds(ctx, &mut alike, address));
            let row = rows.as_mut().filter(|_| always && !is_stream && !is_column);
            let is_row = row.is_some_and(|row| row.holds(ctx, &mut alike, address));
            match (is_stream, is_column, is_row) {
                (true, _, _) => read.streams.push(load),
                (false, true, _) => read.columns.push(load),
                (false, false, true) => read.rows.push(load),
                (false, false, false) => read.others = true,
            }
        }
        read
    }
}

/// Values that all lanes of the grid compute alike: from parameters and constants, and perhaps from a counter.
#[derive(Default)]
pub struct Uniform {
    counter: Option<Value>,
    known: HashMap<Value, bool>,
}

impl Uniform {
    /// From the counter, too.
    pub fn with_counter(counter: Value) -> Uniform {
        Uniform {
            counter: Some(counter),
            known: HashMap::new(),
        }
    }

    pub fn holds(&mut self, ctx: &Context, value: Value) -> bool {
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let holds = match value.defining_op() {
            Some(op) => {
                is_pure(ctx, op)
                    && op.deref(ctx).num_regions() == 0
                    && !Operation::is_op::<DimPos>(op, ctx)
                    && operands_of(ctx, op)
                        .into_iter()
                        .all(|operand| self.holds(ctx, operand))
            }
            None => Some(value) == self.counter || is_parameter(ctx, value),
        };
        self.known.insert(value, holds);
        holds
    }
}

/// Whether something that changes in `lp` goes into the value.
pub fn changes(ctx: &Context, value: Value, lp: For) -> bool {
    let region = lp.get_operation().deref(ctx).get_region(0);
    if !defined_inside(ctx, value, region) {
        return false;
    }
    let Some(op) = value.defining_op() else {
        return true;
    };
    !is_pure(ctx, op)
        || op.deref(ctx).num_regions() > 0
        || operands_of(ctx, op)
            .into_iter()
            .any(|operand| changes(ctx, operand, lp))
}
