//! Which rows and columns a thread does together.
//!
//! ```text
//! row = place of the thread * own rows                           own: 4 where the grid has fewer threads than rows, else 1
//! if (row < rows && column < columns)
//!   if (all 4 rows and all 4 columns are there)  16 elements together
//!   else for each column
//!     if (all 4 rows are there)  4 elements together
//!     else for each row          one element
//! ```

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    core::{BinKind, CmpKind, For, ForInfo, If, int},
    par::{DimSize, GangDim},
};
use accrue_ir::walk::{nested_ops, operands_of, ops_of_block};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};

use super::{COLUMNS, ROWS};
use crate::transform::partition::covering::Place;

/// Lets a thread do its rows together if they are all there, otherwise one after the other; the same for columns.
pub fn choose(
    ctx: &mut Context,
    place: &Place,
    together: Ptr<Operation>,
    wide: Option<Ptr<Operation>>,
) {
    let single = place.inside.get_operation();
    let mut e = Emitter::before(ctx, together);
    let one = e.int(32, 1);
    let rows = Several::of(&mut e, GangDim::Two, place.height, place.rows, ROWS);
    let first = e.bin(BinKind::Mul, place.row, rows.own);
    let in_column = e.cmp(CmpKind::LtU, first, place.rows);
    let no = e.int(1, 0);
    let width = e.bin(BinKind::Shl, one, place.log_width);
    let columns = wide.map(|wide| {
        let columns = Several::of(&mut e, GangDim::One, width, place.columns, COLUMNS);
        let start = e.bin(BinKind::Shl, place.block, place.log_width);
        let start = e.bin(BinKind::Mul, start, columns.own);
        let first = e.bin(BinKind::Add, start, place.column_in_block);
        (wide, columns, first)
    });
    let in_row = match &columns {
        Some((_, _, first)) => e.cmp(CmpKind::LtU, *first, place.columns),
        None => place.in_column,
    };
    let inside = e.select(in_row, in_column, no);
    let (outer, block, nothing) = If::new(e.ctx, inside, vec![]);
    e.push(outer);
    e.at_end(nothing);
    e.finish(vec![]);
    e.at_end(block);
    let left = e.bin(BinKind::Sub, place.rows, first);
    let all = e.cmp(CmpKind::LeU, rows.most, left);
    let all = e.select(rows.several, all, no);
    let rows = Rows {
        place,
        first,
        own: rows.own,
        all,
    };
    let Some((wide, columns, column)) = columns else {
        rows.write(&mut e, together, single, place.column);
        e.finish(vec![]);
        return;
    };
    // All columns together.
    let past = e.int(32, COLUMNS as i128 - 1);
    let past = e.bin(BinKind::Mul, past, width);
    let last = e.bin(BinKind::Add, column, past);
    let there = e.cmp(CmpKind::LtU, last, place.columns);
    let there = e.select(columns.several, there, no);
    let both = e.select(there, all, no);
    let (choice, whole, part) = If::new(e.ctx, both, vec![]);
    e.push(choice);
    e.finish(vec![]);
    e.at_end(whole);
    move_body(&mut e, wide, &[(place.row, first), (place.column, column)]);
    // Or column after column.
    e.at_end(part);
    let distance = e.bin(BinKind::Mul, columns.own, width);
    let end = e.bin(BinKind::Add, column, distance);
    let end = e.bin(BinKind::MinU, end, place.columns);
    let (lp, body) = For::new(e.ctx, column, end, width, COUNTER);
    e.push(lp);
    e.finish(vec![]);
    e.at_end(body);
    let column = body.deref(e.ctx).get_argument(0);
    rows.write(&mut e, together, single, column);
    e.finish(vec![]);
}

pub(super) const COUNTER: ForInfo = ForInfo {
    independent: false,
    unsigned: true,
};

/// Whether the threads of a grid do several rows or columns each.
pub(super) struct Several {
    pub(super) several: Value,
    /// How many each does then, and does.
    pub(super) most: Value,
    pub(super) own: Value,
}

impl Several {
    /// Of `all`, of which a block has `block` in dimension `dim`.
    pub(super) fn of(
        e: &mut Emitter,
        dim: GangDim,
        block: Value,
        all: Value,
        most: usize,
    ) -> Several {
        let blocks = DimSize::of_gangs(e.ctx, Some(dim));
        let blocks = e.value(blocks);
        let word = int(e.ctx, 32);
        let blocks = e.narrow(blocks, word);
        let threads = e.bin(BinKind::Mul, blocks, block);
        let several = e.cmp(CmpKind::LtU, threads, all);
        let (one, most) = (e.int(32, 1), e.int(32, most as i128));
        let own = e.select(several, most, one);
        Several { several, most, own }
    }
}

/// The rows of a thread.
struct Rows<'a> {
    place: &'a Place,
    first: Value,
    own: Value,
    /// Whether there are several, and all of them.
    all: Value,
}

impl Rows<'_> {
    /// Writes them for a column; the bodies are taken from the operations that hold them.
    fn write(
        &self,
        e: &mut Emitter,
        together: Ptr<Operation>,
        single: Ptr<Operation>,
        column: Value,
    ) {
        let place = self.place;
        let (choice, whole, part) = If::new(e.ctx, self.all, vec![]);
        e.push(choice);
        // All rows together.
        e.at_end(whole);
        let values = [(place.row, self.first), (place.column, column)];
        move_body(e, together, &values);
        // Or row after row, as it was.
        e.at_end(part);
        let end = e.bin(BinKind::Add, self.first, self.own);
        let last = e.bin(BinKind::MinU, end, place.rows);
        let one = e.int(32, 1);
        let (lp, body) = For::new(e.ctx, self.first, last, one, COUNTER);
        lp.set_short(e.ctx);
        e.push(lp);
        e.finish(vec![]);
        e.at_end(body);
        let row = body.deref(e.ctx).get_argument(0);
        move_body(e, single, &[(place.row, row), (place.column, column)]);
        e.go_after(choice.get_operation());
    }
}

/// Moves what the condition `holder` has in its first region, with its end, to where `e` is, with other values.
fn move_body(e: &mut Emitter, holder: Ptr<Operation>, values: &[(Value, Value)]) {
    let source = Operation::get_op::<If>(holder, e.ctx).map(|op| op.get_body(e.ctx, 0));
    let moved = source.map_or_else(Vec::new, |source| ops_of_block(e.ctx, source));
    for op in moved {
        op.unlink(e.ctx);
        e.push_operation(op);
        for (from, to) in values {
            replace_operand(e.ctx, op, *from, *to);
        }
    }
    Operation::erase(holder, e.ctx);
}

/// Lets `op` and what is in it use `to` instead of `from`.
pub(super) fn replace_operand(ctx: &mut Context, op: Ptr<Operation>, from: Value, to: Value) {
    for op in std::iter::once(op).chain(nested_ops(ctx, op)) {
        let operands = operands_of(ctx, op);
        for (index, operand) in operands.into_iter().enumerate() {
            if operand == from {
                Operation::replace_operand(op, ctx, index, to);
            }
        }
    }
}
