//! Which rows and columns a thread does together.
//!
//! ```text
//! row = place of the thread * own rows                           own: 4 where the grid has fewer threads than rows, else 1
//! if (row < rows && column < columns)
//!   if (several rows and columns, and what is not the thread's own may be computed)
//!     16 elements together, from row rows - 4 on, or column columns - 128, where that is earlier; its own ones are stored
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

use super::{COLUMNS, Jammed, LOG_COLUMNS, ROWS};
use crate::transform::partition::covering::Place;

/// Lets a thread do its rows together if they are all there, otherwise one after the other; the same for columns.
pub fn choose(ctx: &mut Context, place: &Place, together: Ptr<Operation>, wide: Option<Jammed>) {
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
        (wide, columns, start, first)
    });
    let in_row = match &columns {
        Some((wide, several, start, first)) => {
            let own = e.cmp(CmpKind::LtU, *first, place.columns);
            match wide.own {
                // All lanes of the block have columns, of which some are others'.
                Some(_) => {
                    let both = e.select(several.several, rows.several, no);
                    let any = e.cmp(CmpKind::LtU, *start, place.columns);
                    e.select(both, any, own)
                }
                None => own,
            }
        }
        None => place.in_column,
    };
    let inside = e.select(in_row, in_column, no);
    let several_rows = rows.several;
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
    let Some((wide, columns, start, column)) = columns else {
        rows.write(&mut e, together, single, place.column);
        e.finish(vec![]);
        return;
    };
    // All columns together.
    let (both, firsts) = match wide.own {
        Some(own) => {
            let firsts = shift(&mut e, place, [first, start], own);
            (e.select(columns.several, several_rows, no), firsts)
        }
        None => {
            let past = e.int(32, COLUMNS as i128 - 1);
            let past = e.bin(BinKind::Mul, past, width);
            let last = e.bin(BinKind::Add, column, past);
            let there = e.cmp(CmpKind::LtU, last, place.columns);
            let there = e.select(columns.several, there, no);
            (e.select(there, all, no), [first, column])
        }
    };
    let (choice, whole, part) = If::new(e.ctx, both, vec![]);
    e.push(choice);
    e.finish(vec![]);
    e.at_end(whole);
    let [first, first_column] = firsts;
    let values = [(place.row, first), (place.column, first_column)];
    move_body(&mut e, wide.holder, &values);
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

/// The first row and column of a thread that computes all of them: where they would end behind the last ones, they begin earlier. `own`
/// stands for the first row and the block's first column that are its own.
pub(super) fn shift(
    e: &mut Emitter,
    place: &Place,
    [row, start]: [Value; 2],
    own: [Value; 2],
) -> [Value; 2] {
    for (placeholder, first) in own.into_iter().zip([row, start]) {
        placeholder.replace_all_uses_with(e.ctx, &first);
    }
    let (rows, columns) = (
        e.int(32, ROWS as i128),
        e.int(32, (COLUMNS << LOG_COLUMNS) as i128),
    );
    let last_row = e.bin(BinKind::Sub, place.rows, rows);
    let row = e.bin(BinKind::MinU, row, last_row);
    let last_start = e.bin(BinKind::Sub, place.columns, columns);
    let start = e.bin(BinKind::MinU, start, last_start);
    [row, e.bin(BinKind::Add, start, place.column_in_block)]
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
