//! Columns that all warps of a block load ahead, and the first one uses in order.
//!
//! ```text
//! place = block * 32 + lane % 32;  row = lane / 32          all warps of a block have the same columns
//! mine[k] = a[(row + 8 * k) * n + place]                    16 loads under way
//! for (first = 0; first < m; first += 128) {
//!   tile[row + 8 * k][lane % 32] = mine[k];  barrier
//!   mine[k] = a[(first + 128 + row + 8 * k) * n + place]    where there are any; of rows behind the last one, the last
//!   if (lane < 32) for (i = 0; i < min(128, m - first); i++) s += tile[i][lane]
//!   barrier
//! }
//! ```
//! What all lanes read is loaded in the same way, by a lane for each iteration. Where the loop stores to memory, all lanes of a column
//! compare where with the column before the loop. If that may be in it, they load nothing, and the first warp reads it where it is.

use super::{
    Work,
    chunks::{Chunk, Iterations},
    open,
};
use crate::{
    analysis::affine::motion,
    gpu::{
        accumulators::{Span, and_apart, of_one_object, span},
        staging::{
            columns::{Ahead, COLUMNS, LANES, WARPS},
            streams::{Owner, Tile},
        },
    },
    transform::partition::covering::Line,
};
use accrue_dialects::core::{BinKind, CmpKind, If, Yield, emit::Emitter};
use accrue_ir::walk::ops_of_block;
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface, context::Context,
    irbuild::cloning::IrMapping, op::Op, operation::Operation, value::Value,
};

/// What a lane is in a block whose warps have the same columns: 32-bit words.
#[derive(Clone, Copy)]
pub(super) struct Shared {
    lane: Value,
    /// Of the block.
    pub(super) column: Value,
    warp: Value,
    /// There is such a column, and it is loaded ahead.
    exists: Value,
    /// The lane is of the first warp, too.
    pub(super) computes: Value,
}

/// Gives all warps of a block the columns of one.
pub(super) fn share_columns(ctx: &mut Context, place: If, line: Line) -> Shared {
    let exists = place.get_operand_cond(ctx);
    let made = line.place.defining_op();
    let mut e = Emitter::before(ctx, made.unwrap_or(place.get_operation()));
    let (mask, log) = (
        e.int(32, i128::from(COLUMNS - 1)),
        e.int(32, i128::from(COLUMNS.trailing_zeros())),
    );
    let column = e.bin(BinKind::And, line.lane, mask);
    let warp = e.bin(BinKind::ShrU, line.lane, log);
    let first = e.bin(BinKind::Shl, line.block, log);
    let own = e.bin(BinKind::Add, first, column);
    line.place.replace_all_uses_with(e.ctx, &own);
    let mut e = Emitter::before(e.ctx, place.get_operation());
    let columns = e.int(32, i128::from(COLUMNS));
    let in_first = e.cmp(CmpKind::LtU, line.lane, columns);
    let no = e.int(1, 0);
    let computes = e.select(exists, in_first, no);
    Shared {
        lane: line.lane,
        column,
        warp,
        exists,
        computes,
    }
}

/// A variable of a lane with an element that it has loaded.
pub(super) struct Mine {
    pub(super) variable: Value,
    /// The number of the tile, and the slot in it.
    pub(super) tile: usize,
    pub(super) slot: usize,
    /// Of how many.
    pub(super) round: u64,
}

impl Work<'_> {
    pub(super) fn ahead(&self, e: &mut Emitter, shared: Shared, ahead: &Ahead, all: Iterations) {
        let Iterations { count, width, .. } = all;
        let mine = self.variables_of_lane(e);
        let apart = (!ahead.stores.is_empty()).then(|| self.apart(e, ahead, all));
        let no = e.int(1, 0);
        let shared = Shared {
            exists: apart.map_or(shared.exists, |apart| e.select(shared.exists, apart, no)),
            ..shared
        };
        // What was stored before the loop may be what it reads.
        self.barrier(e);
        let zero = e.int(width, 0);
        let some = e.cmp(CmpKind::Ne, count, zero);
        self.load_ahead(e, shared, &mine, all, (some, zero));
        let keeps = apart.map(|apart| e.select(shared.computes, apart, no));
        let kept = keeps.map_or(vec![], |keeps| self.keep(e, ahead, all, keeps));
        let chunk = Chunk::open(e, all, self.staged.iterations, (some, zero));
        self.store_ahead(e, shared, &mine);
        self.barrier(e);
        let wanted = chunk.next(e);
        self.load_ahead(e, shared, &mine, all, wanted);
        let (base, size) = chunk.extent(e);
        let (branch, yes, no) = If::new(e.ctx, shared.computes, vec![]);
        e.push(branch);
        e.at_end(no);
        e.finish(vec![]);
        e.at_end(yes);
        match apart {
            None => self.iterations(e, base, size, width),
            Some(apart) => {
                let (choice, near, where_they_are) = If::new(e.ctx, apart, vec![]);
                e.push(choice);
                e.at_end(where_they_are);
                self.as_it_was(e, base, size, width);
                e.finish(vec![]);
                e.at_end(near);
                self.iterations(e, base, size, width);
                for kept in &kept {
                    kept.take(e.ctx);
                }
                e.finish(vec![]);
                e.go_after(choice.get_operation());
            }
        }
        e.finish(vec![]);
        e.go_after(branch.get_operation());
        self.barrier(e);
        e.finish(vec![]);
        e.go_after(chunk.outer.get_operation());
        if let Some(keeps) = keeps {
            self.give_back(e, &kept, keeps);
        }
    }

    pub(super) fn variables_of_lane(&self, e: &mut Emitter) -> Vec<Mine> {
        let mut mine = vec![];
        for (number, tile) in self.staged.tiles.iter().enumerate() {
            let rounds = match tile.owner {
                Owner::All => 1,
                Owner::Columns => self.staged.iterations / WARPS,
                Owner::Rows(_) => self.staged.iterations,
                Owner::Lines(_) => 0,
            };
            for round in 0..rounds {
                for slot in 0..tile.slots.len() {
                    let variable = e.alloca(tile.element, None);
                    let zero = e.zero(tile.element);
                    e.store(zero, variable);
                    mine.push(Mine {
                        variable,
                        tile: number,
                        slot,
                        round,
                    });
                }
            }
        }
        mine
    }

    /// Loads what this lane has to of the iterations from the one with this number on, if `wanted`.
    fn load_ahead(
        &self,
        e: &mut Emitter,
        shared: Shared,
        mine: &[Mine],
        all: Iterations,
        (wanted, first): (Value, Value),
    ) {
        let no = e.int(1, 0);
        let of_columns = e.select(wanted, shared.exists, no);
        let own = (of_columns, shared.warp);
        self.load_rounds(e, own, mine, Owner::Columns, all, first);
        self.load_streams(e, shared.lane, mine, all, (wanted, first));
    }

    /// The same for what all lanes read.
    pub(super) fn load_streams(
        &self,
        e: &mut Emitter,
        lane: Value,
        mine: &[Mine],
        all: Iterations,
        (wanted, first): (Value, Value),
    ) {
        let wanted = match self.some_lanes(e, lane) {
            Some(has) => {
                let no = e.int(1, 0);
                e.select(wanted, has, no)
            }
            None => wanted,
        };
        self.load_rounds(e, (wanted, lane), mine, Owner::All, all, first);
    }

    /// Loads the elements of `owner` from iteration `first` plus `own` on.
    fn load_rounds(
        &self,
        e: &mut Emitter,
        (wanted, own): (Value, Value),
        mine: &[Mine],
        owner: Owner,
        all: Iterations,
        first: Value,
    ) {
        let tiles = &self.staged.tiles;
        let mine = mine.iter().filter(|m| tiles[m.tile].owner == owner);
        let mine: Vec<&Mine> = mine.collect();
        let Some(last_round) = mine.iter().map(|m| m.round).max() else {
            return;
        };
        let Iterations {
            lower,
            count,
            width,
        } = all;
        let (branch, yes, no) = If::new(e.ctx, wanted, vec![]);
        e.push(branch);
        e.at_end(no);
        e.finish(vec![]);
        e.at_end(yes);
        let one = e.int(width, 1);
        let last = e.bin(BinKind::Sub, count, one);
        let own = if width > 32 { e.widen(own, true) } else { own };
        let start = e.bin(BinKind::Add, first, own);
        let body = self.staged.lp.get_body(e.ctx, 0);
        let counter = body.deref(e.ctx).get_argument(0);
        for round in 0..=last_round {
            let distance = e.int(width, i128::from(round * WARPS));
            let number = e.bin(BinKind::Add, start, distance);
            let number = e.bin(BinKind::MinU, number, last);
            let there = e.bin(BinKind::Add, lower, number);
            let mut map = IrMapping::new();
            map.map_value(counter, there);
            for element in mine.iter().filter(|m| m.round == round) {
                let load = tiles[element.tile].slots[element.slot][0];
                let address = load.get_operand_address(e.ctx);
                let address = self.moved(e, address, &mut map);
                let value = e.load(address);
                e.store(value, element.variable);
            }
        }
        e.finish(vec![]);
        e.go_after(branch.get_operation());
    }

    /// Whether the lane has an iteration whose elements are all lanes', if not all of them have.
    fn some_lanes(&self, e: &mut Emitter, lane: Value) -> Option<Value> {
        let of_rows = self.staged.rows.as_ref().map(|rows| rows.lanes);
        let lanes = of_rows.unwrap_or(u64::from(LANES));
        (self.staged.iterations < lanes).then(|| {
            let number = e.int(32, i128::from(self.staged.iterations));
            e.cmp(CmpKind::LtU, lane, number)
        })
    }

    /// Puts what this lane has loaded where the first warp finds it.
    fn store_ahead(&self, e: &mut Emitter, shared: Shared, mine: &[Mine]) {
        for (number, (tile, start)) in self.staged.tiles.iter().zip(self.tiles).enumerate() {
            if tile.owner == Owner::Columns {
                let stride = e.int(32, i128::from(tile.stride()));
                let index = e.bin(BinKind::MulS, shared.warp, stride);
                let index = e.bin(BinKind::AddS, index, shared.column);
                let record = e.ptr_add(*start, index);
                store_mine(e, record, number, tile, mine);
            }
        }
        self.store_streams(e, shared.lane, mine);
    }

    /// The same for what all lanes read.
    pub(super) fn store_streams(&self, e: &mut Emitter, lane: Value, mine: &[Mine]) {
        let tiles = self.staged.tiles.iter().zip(self.tiles).enumerate();
        let tiles: Vec<_> = tiles.filter(|(_, (t, _))| t.owner == Owner::All).collect();
        if tiles.is_empty() {
            return;
        }
        let branch = self.some_lanes(e, lane).map(|some| {
            let (branch, yes, no) = If::new(e.ctx, some, vec![]);
            e.push(branch);
            e.at_end(no);
            e.finish(vec![]);
            e.at_end(yes);
            branch
        });
        for (number, (tile, start)) in tiles {
            let stride = e.int(32, i128::from(tile.stride()));
            let index = e.bin(BinKind::MulS, lane, stride);
            let record = e.ptr_add(*start, index);
            store_mine(e, record, number, tile, mine);
        }
        if let Some(branch) = branch {
            e.finish(vec![]);
            e.go_after(branch.get_operation());
        }
    }

    /// Whether the columns of this lane are apart from all that its iterations store to.
    fn apart(&self, e: &mut Emitter, ahead: &Ahead, all: Iterations) -> Value {
        let lp = self.staged.lp;
        let mut iterations = motion::Iterations::of(e.ctx, lp);
        let (zero, one) = (e.int(all.width, 0), e.int(all.width, 1));
        let last = e.bin(BinKind::Sub, all.count, one);
        let last = e.bin(BinKind::Add, all.lower, last);
        let mut spans = |e: &mut Emitter, addresses: &[Value]| -> Vec<Span> {
            let groups = of_one_object(e.ctx, addresses);
            let mut spans = vec![];
            for group in groups {
                let mut ends = vec![];
                for address in group {
                    ends.push(iterations.at(e, address, all.lower));
                    ends.push(iterations.at(e, address, last));
                }
                spans.push(span(e, &ends));
            }
            spans
        };
        let written = spans(e, &ahead.stores);
        let read = spans(e, &ahead.columns);
        let mut good = e.cmp(CmpKind::Ne, all.count, zero);
        for (number, one) in written.iter().enumerate() {
            let others = written[number + 1..].iter().filter(|_| ahead.keeps);
            for other in others.chain(&read) {
                good = and_apart(e, good, *one, *other);
            }
        }
        good
    }

    /// `size` iterations from `base` on, which read everything where it is.
    pub(super) fn as_it_was(&self, e: &mut Emitter, base: Value, size: Value, width: u32) {
        let (zero, one) = (e.int(32, 0), e.int(32, 1));
        let (lp, block) = open(e, zero, size, one);
        let old = self.staged.lp.get_body(e.ctx, 0);
        let own = block.deref(e.ctx).get_argument(0);
        let distance = if width > 32 { e.widen(own, true) } else { own };
        let counter = e.bin(BinKind::Add, base, distance);
        let mut map = IrMapping::new();
        map.map_value(old.deref(e.ctx).get_argument(0), counter);
        for op in ops_of_block(e.ctx, old) {
            if !Operation::is_op::<Yield>(op, e.ctx) {
                e.copy(op, &mut map);
            }
        }
        e.finish(vec![]);
        e.go_after(lp.get_operation());
    }
}

/// Stores what this lane has loaded for a tile, from `record` on.
fn store_mine(e: &mut Emitter, record: Value, number: usize, tile: &Tile, mine: &[Mine]) {
    for element in mine.iter().filter(|m| m.tile == number) {
        let value = e.load(element.variable);
        let before = element.round * WARPS * tile.stride() + element.slot as u64 * tile.distance();
        let address = super::at(e, record, before as usize);
        e.store(value, address);
    }
}
