//! Loops in which each column of a nest goes along a row of its own, which all rows of the nest read: moved by all lanes of a block.
//!
//! ```text
//! for (i = 0; i < n; i++)                         32 columns come to 32 lines of the cache in each iteration of k, and so does every
//!   for (j = 0; j < m; j++)                       row of the block; all its lanes together load 16 elements of each line as whole
//!     for (k = 0; k < l; k++)                     sectors, once for all rows
//!       s += a[i * l + k] * b[j * l + k]
//! ```
//! * The address is that of the next element in each iteration, and is computed from the counter, the column, parameters and constants,
//!   so that any lane can compute it for another, and it is the same for all rows.
//! * What else the loop accesses is the same, or next to each other, in neighbouring columns.
//!
//! The nest is rewritten by [`crate::gpu::rows`], which says how many columns a thread has. Cost: linear in the size of the loop, times
//! the size of an index.

use super::{
    columns::COLUMNS,
    own_rows::Rows,
    read::{Uniform, changes},
    streams::{Owner, Staged, Tile},
};
use crate::analysis::{
    affine::{Affine, Place},
    records::bytes_of,
    strides::{Stride, stride},
    variables::is_in_variable,
};
use accrue_dialects::{
    core::{For, Load, Store, fold::constant, int_width},
    flow::Flow,
};
use accrue_ir::walk::{nested_ops, ops_of_block};
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::Context,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashMap;

/// Iterations that are moved at a time: a power of two.
pub const ITERATIONS: u64 = 16;
/// From one line to the next: one more than are moved, so that lanes come to different banks.
const PITCH: u64 = ITERATIONS + 1;
/// Loops of so many iterations at most become straight code.
const FEW: i128 = 16;
/// Bytes of memory of the gang.
const MOST_BYTES: u64 = 40 << 10;

/// What a loop needs whose lines are moved by all lanes: 32-bit words.
#[derive(Clone, Copy)]
pub struct Lines {
    /// The thread's first column, and how many there are.
    pub column: Value,
    pub columns: Value,
    /// The column in the block.
    pub column_in_block: Value,
}

/// The loads of `lp` from lines of the columns `column`, those of one address together; none if they are not to be moved.
pub fn find(ctx: &Context, lp: For, column: Value) -> Vec<Vec<Load>> {
    let bounds = [lp.get_operand_lower(ctx), lp.get_operand_upper(ctx)];
    let width = int_width(ctx, bounds[0].get_type(ctx)).unwrap_or(0);
    let counts = constant(ctx, lp.get_operand_step(ctx)) == Some(1) && (32..=64).contains(&width);
    let [first, end] = bounds.map(|bound| constant(ctx, bound));
    let few = first
        .zip(end)
        .is_some_and(|(first, end)| end - first <= FEW);
    let mut alike = Uniform::default();
    if !counts || few || !bounds.into_iter().all(|bound| alike.holds(ctx, bound)) {
        return vec![];
    }
    let body = lp.get_body(ctx, 0);
    let mut uniform = Uniform::with_counter(body.deref(ctx).get_argument(0));
    let mut rows = Rows::of_columns(ctx, lp, column);
    let mut columns = Affine::of_subscripts();
    columns.keep_whole(ctx, column);
    let mut affine = Affine::of_equals();
    let mut numbers: HashMap<Place, usize> = HashMap::new();
    let mut found: Vec<Vec<Load>> = vec![];
    for op in nested_ops(ctx, lp.get_operation()) {
        if Flow::of(ctx, op).is_any_loop() {
            return vec![];
        }
        let load = Operation::get_op::<Load>(op, ctx);
        let store = Operation::get_op::<Store>(op, ctx).map(|store| store.get_operand_address(ctx));
        let Some(address) = load.map(|load| load.get_operand_address(ctx)).or(store) else {
            continue;
        };
        if is_in_variable(ctx, address) {
            continue;
        }
        let always = ops_of_block(ctx, body).contains(&op);
        let line = load.filter(|load| {
            always
                && !load.is_volatile(ctx)
                && bytes_of(ctx, load.result_type(ctx)).is_some()
                && rows.holds(ctx, &mut uniform, address)
        });
        if let Some(load) = line {
            let place = affine.place(ctx, address);
            let number = *numbers.entry(place).or_insert(found.len());
            if number == found.len() {
                found.push(vec![]);
            }
            found[number].push(load);
            continue;
        }
        let near = matches!(
            stride(ctx, &mut columns, address, column),
            Stride::Same | Stride::Next
        );
        if !near && changes(ctx, address, lp) {
            return vec![];
        }
    }
    found
}

/// Whether what these loads need for so many columns of a thread fits into the memory of a gang.
pub fn fits(ctx: &Context, loads: &[Vec<Load>], columns: u64) -> bool {
    let bytes = |load: &Load| bytes_of(ctx, load.result_type(ctx)).unwrap_or(MOST_BYTES);
    let all: u64 = loads.iter().map(|loads| bytes(&loads[0])).sum();
    all * columns * COLUMNS * PITCH <= MOST_BYTES
}

/// What staging `lp` takes, whose lines are read by `slots`: of each address the loads for each column of a thread.
pub fn staged(ctx: &Context, lp: For, slots: Vec<Vec<Vec<Load>>>, lines: Lines) -> Staged {
    let tile = |slots: Vec<Vec<Load>>| {
        let element = slots[0][0].result_type(ctx);
        Tile {
            element,
            bytes: bytes_of(ctx, element).unwrap_or(1),
            owner: Owner::Lines(PITCH),
            slots,
        }
    };
    Staged {
        lp,
        tiles: slots.into_iter().map(tile).collect(),
        iterations: ITERATIONS,
        writes: false,
        ahead: None,
        rows: None,
        lines: Some(lines),
    }
}
