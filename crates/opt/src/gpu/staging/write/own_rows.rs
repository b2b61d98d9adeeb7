//! Rows of lanes, which all lanes of a block move.
//!
//! ```text
//! p = block * 128 + lane
//! row = lane / 16;  at = lane % 16                                          of the rows of the lane's warp, …
//! mine[k] = in[(first of warp + row + 2 * k) * 64 + at]                     … 16 times two
//! for (first = 0; first < 64; first += 16) {
//!   tile[row + 2 * k][at] = mine[k];  barrier
//!   mine[k] = in[(first of warp + row + 2 * k) * 64 + first + 16 + at]      where there are any
//!   if (p < n) for (i = 0; i < 16; i++) out_tile[lane][i] = s += tile[lane][i]
//!   barrier;  out[(first of warp + row + 2 * k) * 64 + first + at] = out_tile[row + 2 * k][at]
//! }
//! ```
//! Lanes beyond the end load for the last place. Where the loop stores, the block compares the rows before; if they may not be apart, or
//! there are fewer iterations than are moved at a time, lanes read and write them where they are.

use super::{
    Work,
    ahead::Mine,
    chunks::{Chunk, Iterations},
};
use crate::{
    gpu::{
        accumulators::{Span, and_apart, span},
        staging::{
            own_rows::OwnRows,
            streams::{Owner, Tile},
        },
    },
    transform::partition::covering::Line,
};
use accrue_dialects::core::{BinKind, CmpKind, For, If, emit::Emitter, fold::constant};
use accrue_dialects::par::{Barrier, Level};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface, irbuild::cloning::IrMapping, op::Op,
    operation::Operation, value::Value,
};

/// Which elements a lane moves: 32-bit words.
struct Moves {
    /// The first place of the block.
    first_place: Value,
    /// The number of places.
    places: Value,
    /// The row of the block that it begins with, and how many rows further in each round.
    row: Value,
    rows_of_round: u64,
    /// The iteration, of those that are moved at a time.
    at: Value,
}

impl Work<'_> {
    pub(super) fn own_rows(&self, e: &mut Emitter, line: Line, rows: &OwnRows, all: Iterations) {
        let moves = self.moves(e, line, rows);
        let mut wanted = None;
        if constant(e.ctx, all.count).is_none() {
            let few = e.int(all.width, i128::from(rows.iterations));
            wanted = Some(e.cmp(CmpKind::GeU, all.count, few));
        }
        if !rows.written.is_empty() {
            let apart = self.rows_apart(e, line, rows, &moves, all);
            let no = e.int(1, 0);
            wanted = Some(wanted.map_or(apart, |wanted| e.select(wanted, apart, no)));
        }
        let Some(wanted) = wanted else {
            return self.move_rows(e, line, rows, &moves, all);
        };
        let (choice, together, alone) = If::new(e.ctx, wanted, vec![]);
        e.push(choice);
        e.at_end(alone);
        e.only_if(self.inside, |e| {
            e.copy(self.staged.lp.get_operation(), &mut IrMapping::new());
        });
        e.finish(vec![]);
        e.at_end(together);
        self.move_rows(e, line, rows, &moves, all);
        e.finish(vec![]);
        e.go_after(choice.get_operation());
    }

    /// The loop, whose rows all lanes move.
    fn move_rows(
        &self,
        e: &mut Emitter,
        line: Line,
        rows: &OwnRows,
        moves: &Moves,
        all: Iterations,
    ) {
        let Iterations { count, width, .. } = all;
        let mine = self.variables_of_lane(e);
        // What was stored before the loop may be what it reads.
        self.barrier(e);
        let zero = e.int(width, 0);
        let some = e.cmp(CmpKind::Ne, count, zero);
        self.load_rows(e, line, moves, &mine, all, (some, zero));
        let chunk = Chunk::open(e, all, rows.iterations, (some, zero));
        self.store_rows(e, moves, &mine, rows);
        self.store_streams(e, line.lane, &mine);
        self.barrier(e);
        let wanted = chunk.next(e);
        self.load_rows(e, line, moves, &mine, all, wanted);
        let (base, size) = chunk.extent(e);
        let computed = Barrier::new(e.ctx, Level::Vector, self.lanes);
        e.push(computed);
        // Before the iterations, which take the loop's body away.
        let stores = !rows.written.is_empty();
        if stores {
            self.flush(e, line, moves, rows, (base, size, width));
        }
        let mut before = Emitter::before(e.ctx, computed.get_operation());
        before.only_if(self.inside, |e| {
            self.iterations(e, base, size, width);
        });
        e.finish(vec![]);
        e.go_after(chunk.outer.get_operation());
        if stores {
            // What other lanes have stored for this one may be read behind the loop.
            self.barrier(e);
        }
    }

    fn moves(&self, e: &mut Emitter, line: Line, rows: &OwnRows) -> Moves {
        let log = rows.iterations.trailing_zeros();
        let (mask, log) = (
            e.int(32, i128::from(rows.iterations - 1)),
            e.int(32, i128::from(log)),
        );
        let at = e.bin(BinKind::And, line.lane, mask);
        let (in_warp, of_warp) = (e.int(32, WARP - 1), e.int(32, -WARP));
        let in_warp = e.bin(BinKind::And, line.lane, in_warp);
        let of_warp = e.bin(BinKind::And, line.lane, of_warp);
        let row = e.bin(BinKind::ShrU, in_warp, log);
        Moves {
            first_place: e.bin(BinKind::Sub, line.place, line.lane),
            places: line.places,
            row: e.bin(BinKind::Add, of_warp, row),
            rows_of_round: WARP as u64 / rows.iterations,
            at,
        }
    }

    /// Loads what this lane moves of the iterations from the one with this number on, if `wanted`.
    fn load_rows(
        &self,
        e: &mut Emitter,
        line: Line,
        moves: &Moves,
        mine: &[Mine],
        all: Iterations,
        (wanted, first): (Value, Value),
    ) {
        e.only_if(wanted, |e| {
            let Iterations {
                lower,
                count,
                width,
            } = all;
            let one = e.int(width, 1);
            let last = e.bin(BinKind::Sub, count, one);
            let at = if width > 32 {
                e.widen(moves.at, true)
            } else {
                moves.at
            };
            let number = e.bin(BinKind::Add, first, at);
            let number = e.bin(BinKind::MinU, number, last);
            let counter = e.bin(BinKind::Add, lower, number);
            let word = e.int(32, 1);
            let last_place = e.bin(BinKind::Sub, moves.places, word);
            for round in 0..self.staged.iterations {
                let row = self.row_of(e, moves, round);
                let place = e.bin(BinKind::Add, moves.first_place, row);
                let place = e.bin(BinKind::MinU, place, last_place);
                let mut map = self.elsewhere(line, place, counter, e);
                for element in mine.iter().filter(|m| m.round == round) {
                    let tile = &self.staged.tiles[element.tile];
                    if tile.owner == Owner::All {
                        continue;
                    }
                    let load = tile.slots[element.slot][0];
                    let address = load.get_operand_address(e.ctx);
                    let address = self.moved(e, address, &mut map);
                    let value = e.load(address);
                    e.store(value, element.variable);
                }
            }
        });
        self.load_streams(e, line.lane, mine, all, (wanted, first));
    }

    /// What a place and a counter of other lanes and iterations are.
    fn elsewhere(&self, line: Line, place: Value, counter: Value, e: &Emitter) -> IrMapping {
        let own = self.staged.lp.get_body(e.ctx, 0);
        let own = own.deref(e.ctx).get_argument(0);
        let mut map = IrMapping::new();
        map.map_value(line.place, place);
        map.map_value(own, counter);
        map
    }

    /// The row of the block that the lane moves in a round.
    fn row_of(&self, e: &mut Emitter, moves: &Moves, round: u64) -> Value {
        let further = e.int(32, i128::from(round * moves.rows_of_round));
        e.bin(BinKind::Add, moves.row, further)
    }

    /// Puts what this lane has loaded where the lanes find it whose rows they are.
    fn store_rows(&self, e: &mut Emitter, moves: &Moves, mine: &[Mine], rows: &OwnRows) {
        let tiles = self.staged.tiles.iter().zip(self.tiles).enumerate();
        for (number, (tile, start)) in tiles.filter(|(_, (t, _))| t.owner != Owner::All) {
            let record = self.element(e, *start, moves, rows);
            for element in mine.iter().filter(|m| m.tile == number) {
                let value = e.load(element.variable);
                let before = self.before(moves, rows, element.round) + of_slot(tile, element.slot);
                let address = super::at(e, record, before as usize);
                e.store(value, address);
            }
        }
    }

    /// The element of a tile that the lane moves in the first round.
    fn element(&self, e: &mut Emitter, start: Value, moves: &Moves, rows: &OwnRows) -> Value {
        let row = self.row(e, start, moves.row, rows);
        e.ptr_add(row, moves.at)
    }

    /// How many elements further it is in a round.
    fn before(&self, moves: &Moves, rows: &OwnRows, round: u64) -> u64 {
        round * moves.rows_of_round * rows.pitch()
    }

    /// The first element of a row in a tile.
    pub(super) fn row(&self, e: &mut Emitter, start: Value, row: Value, rows: &OwnRows) -> Value {
        let pitch = e.int(32, i128::from(rows.pitch()));
        let index = e.bin(BinKind::MulS, row, pitch);
        e.ptr_add(start, index)
    }

    /// The stores of the iterations of `lp`, which count with `number`, go to the memory of the gang.
    pub(super) fn write_rows(&self, e: &mut Emitter, lp: For, number: Value) {
        let (Some(rows), Some(line)) = (&self.staged.rows, self.line) else {
            return;
        };
        let tiles = &self.tiles[self.staged.tiles.len()..];
        for (written, start) in rows.written.iter().zip(tiles) {
            let mut before = Emitter::before(e.ctx, lp.get_operation());
            let row = self.row(&mut before, *start, line.lane, rows);
            for store in &written.stores {
                let mut before = Emitter::before(e.ctx, store.get_operation());
                let address = before.ptr_add(row, number);
                Operation::replace_operand(store.get_operation(), e.ctx, 1, address);
            }
        }
    }

    /// Stores what the lane moves of the iterations from `base` on.
    fn flush(
        &self,
        e: &mut Emitter,
        line: Line,
        moves: &Moves,
        rows: &OwnRows,
        (base, size, width): (Value, Value, u32),
    ) {
        let has = e.cmp(CmpKind::LtU, moves.at, size);
        e.only_if(has, |e| {
            let at = if width > 32 {
                e.widen(moves.at, true)
            } else {
                moves.at
            };
            let counter = e.bin(BinKind::Add, base, at);
            let tiles = &self.tiles[self.staged.tiles.len()..];
            for round in 0..rows.iterations {
                let row = self.row_of(e, moves, round);
                let place = e.bin(BinKind::Add, moves.first_place, row);
                let exists = e.cmp(CmpKind::LtU, place, moves.places);
                e.only_if(exists, |e| {
                    let mut map = self.elsewhere(line, place, counter, e);
                    for (written, start) in rows.written.iter().zip(tiles) {
                        let record = self.element(e, *start, moves, rows);
                        let before = self.before(moves, rows, round);
                        let from = super::at(e, record, before as usize);
                        let value = e.load(from);
                        let to = written.address(e.ctx);
                        let to = self.moved(e, to, &mut map);
                        e.store(value, to);
                    }
                });
            }
        });
    }

    /// Whether all rows of the block that the loop writes are apart from each other and from those that it reads.
    fn rows_apart(
        &self,
        e: &mut Emitter,
        line: Line,
        rows: &OwnRows,
        moves: &Moves,
        all: Iterations,
    ) -> Value {
        let (zero, one) = (e.int(all.width, 0), e.int(all.width, 1));
        let last = e.bin(BinKind::Sub, all.count, one);
        let last = e.bin(BinKind::Add, all.lower, last);
        let (lanes, word) = (e.int(32, i128::from(rows.lanes - 1)), e.int(32, 1));
        let last_place = e.bin(BinKind::Sub, moves.places, word);
        let last_of_block = e.bin(BinKind::Add, moves.first_place, lanes);
        let last_of_block = e.bin(BinKind::MinU, last_of_block, last_place);
        let mut corners = vec![];
        for place in [moves.first_place, last_of_block] {
            for counter in [all.lower, last] {
                corners.push(self.elsewhere(line, place, counter, e));
            }
        }
        let mut around = |e: &mut Emitter, address: Value| -> Span {
            let corners = corners.iter_mut();
            let ends: Vec<Value> = corners.map(|map| self.moved(e, address, map)).collect();
            span(e, &ends)
        };
        let stores: Vec<Value> = rows.written.iter().map(|w| w.address(e.ctx)).collect();
        let own = self.staged.tiles.iter().filter(|t| t.owner != Owner::All);
        let loads: Vec<Value> = own
            .flat_map(|tile| &tile.slots)
            .map(|loads| loads[0].get_operand_address(e.ctx))
            .chain(rows.fixed.iter().copied())
            .collect();
        let written: Vec<Span> = stores.into_iter().map(|s| around(e, s)).collect();
        let read: Vec<Span> = loads.into_iter().map(|l| around(e, l)).collect();
        let mut good = e.cmp(CmpKind::Ne, all.count, zero);
        for (number, store) in written.iter().enumerate() {
            for other in written[number + 1..].iter().chain(&read) {
                good = and_apart(e, good, *store, *other);
            }
        }
        good
    }
}

/// Lanes of a warp.
const WARP: i128 = 32;

/// Elements in front of a slot.
fn of_slot(tile: &Tile, slot: usize) -> u64 {
    slot as u64 * tile.distance()
}
