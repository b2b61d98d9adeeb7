//! Rows along which the columns of a nest go, moved by all lanes of a block.
//!
//! ```text
//! for (first = 0; first < l; first += 16) {
//!   barrier
//!   for (e = lane; e < 128 * 16; e += lanes)  tile[e / 16][e % 16] = b[(first column of the block + e / 16) * l + first + e % 16]
//!   barrier
//!   if (computes) for (k = 0; k < 16; k++)  s0 += a[i * l + first + k] * tile[column in the block][k];  s1 += …
//! }
//! ```
//! Behind the last column, and the last iteration, the last one is loaded; of few iterations 8, 4, 2 or 1 are moved.

use super::Work;
use crate::gpu::staging::{columns::COLUMNS, lines::Lines, streams::Owner};
use accrue_dialects::{
    core::{BinKind, CmpKind, emit::Emitter},
    par::{DimPos, DimSize, Level},
};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface, irbuild::cloning::IrMapping, op::Op,
    r#type::Typed, value::Value,
};

/// Elements that a lane has under way at a time.
const AT_A_TIME: u64 = 4;

impl Work<'_> {
    /// The logarithm of how many elements of each line are moved for `size` iterations: the next power of two.
    fn log_of(&self, e: &mut Emitter, size: Value) -> Value {
        let most = self.staged.iterations.trailing_zeros();
        let mut log = e.int(32, i128::from(most));
        let one = e.int(32, 1);
        for shorter in 0..most {
            let limit = e.int(32, 1 << shorter);
            let fewer = e.cmp(CmpKind::LeU, size, limit);
            let less = e.bin(BinKind::Sub, log, one);
            log = e.select(fewer, less, log);
        }
        log
    }

    /// Moves the elements of `size` iterations, a word, from `base` on.
    pub(super) fn fill_lines(
        &self,
        e: &mut Emitter,
        lines: &Lines,
        (base, size, width): (Value, Value, u32),
    ) {
        let (lane, lanes) = (
            DimPos::new(e.ctx, Level::Vector),
            DimSize::new(e.ctx, Level::Vector),
        );
        let (lane, lanes) = (e.value(lane), e.value(lanes));
        let word = size.get_type(e.ctx);
        let (lane, lanes) = (e.narrow(lane, word), e.narrow(lanes, word));
        let one = e.int(32, 1);
        let last = e.bin(BinKind::Sub, size, one);
        let first_column = e.bin(BinKind::Sub, lines.column, lines.column_in_block);
        let last_column = e.bin(BinKind::Sub, lines.columns, one);
        let log = self.log_of(e, size);
        let each = e.bin(BinKind::Shl, one, log);
        let mask = e.bin(BinKind::Sub, each, one);
        let slots = self.staged.tiles.iter().map(|tile| tile.slots.len() as u64);
        let columns = slots.max().unwrap_or(0) * COLUMNS;
        let columns = e.int(32, i128::from(columns));
        let all = e.bin(BinKind::Shl, columns, log);
        let at_a_time = e.int(32, i128::from(AT_A_TIME));
        let step = e.bin(BinKind::Mul, lanes, at_a_time);
        let (lp, block) = super::open(e, lane, all, step);
        lp.set_added(e.ctx);
        let start = block.deref(e.ctx).get_argument(0);
        let own = self.staged.lp.get_body(e.ctx, 0);
        let counter = own.deref(e.ctx).get_argument(0);
        let mut moved = vec![];
        for number in 0..AT_A_TIME {
            let number = e.int(32, i128::from(number));
            let further = e.bin(BinKind::Mul, lanes, number);
            let element = e.bin(BinKind::Add, start, further);
            let line = e.bin(BinKind::ShrU, element, log);
            let at = e.bin(BinKind::And, element, mask);
            let column = e.bin(BinKind::Add, first_column, line);
            let column = e.bin(BinKind::MinU, column, last_column);
            let iteration = e.bin(BinKind::MinU, at, last);
            let iteration = match width > 32 {
                true => e.widen(iteration, true),
                false => iteration,
            };
            let here = e.bin(BinKind::Add, base, iteration);
            let mut map = IrMapping::new();
            map.map_value(lines.column, column);
            map.map_value(counter, here);
            let mut values = vec![];
            for tile in &self.staged.tiles {
                let address = tile.slots[0][0].get_operand_address(e.ctx);
                let address = self.moved(e, address, &mut map);
                values.push(e.load(address));
            }
            moved.push((element, line, at, values));
        }
        for (element, line, at, values) in moved {
            let exists = e.cmp(CmpKind::LtU, element, all);
            let tiles = self.staged.tiles.iter().zip(self.tiles).zip(values);
            e.only_if(exists, |e| {
                for ((tile, start), value) in tiles {
                    if let Owner::Lines(pitch) = tile.owner {
                        let address = super::line(e, *start, pitch, line);
                        let address = e.ptr_add(address, at);
                        e.store(value, address);
                    }
                }
            });
        }
        e.finish(vec![]);
        e.go_after(lp.get_operation());
    }
}
