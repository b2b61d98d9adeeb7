//! Writes a kernel's body anew, so that all lanes come to the barriers of loops that are staged.
//!
//! ```text
//! if (inside) {                          if (some lane is inside) {
//!   k = i * 4                              k = i * 4                                  computes only: all lanes do
//!   x = p[k]                               x = inside ? p[k] : 0
//!   for j { sum += f(x, q[j]) }     →      for chunk { barrier; tile[lane] = q[…]; barrier; if (inside) for j { … } }
//!   a[i] = sum                             if (inside) a[i] = sum
//! }                                      }
//! ```
//! Variables and what is done with them stand outside of conditions: they are the lane's own. So does what has no effects, but for
//! divisions, whose divisor may be zero in lanes beyond the end.

mod ahead;
mod chunks;
pub mod guard;
mod kept;
mod lines;
mod own_rows;
use self::ahead::Shared;
use self::guard::{Part, Parts, guard, of_first_lane};
use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_dialects::{
    core::{ArrayType, BinKind, CmpKind, Decay, For, ForInfo, If, Yield, int, int_width, pointer},
    par::{Barrier, DimPos, DimSize, Fork, Level},
};
use accrue_ir::walk::{is_inside, nested, operands_of, ops_of_block, results_of};
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
        ops::FuncOp,
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    region::Region,
    r#type::{TypeHandle, Typed},
    value::Value,
};

use super::streams::{Found, Owner, Staged};
use crate::transform::partition::covering::Line;

/// Stages the loops that were found. Nothing has changed after an error.
pub fn write(
    ctx: &mut Context,
    func: FuncOp,
    (place, line): (If, Option<Line>),
    found: &Found,
) -> Result<(), &'static str> {
    let forks = nested::<Fork>(ctx, func.get_operation());
    let lanes = forks.iter().find(|fork| fork.level(ctx) == Level::Vector);
    let lanes = *lanes.ok_or("its lanes are not found")?;
    let parts = Parts::of(ctx, place, found)?;
    let tiles: Vec<Vec<Value>> = found
        .staged
        .iter()
        .map(|staged| variables(ctx, lanes, staged))
        .collect();
    let mut inside = place.get_operand_cond(ctx);
    let shared = line.filter(|_| found.is_ahead());
    let shared = shared.map(|line| ahead::share_columns(ctx, place, line));
    let mut e = Emitter::before(ctx, place.get_operation());
    let some = of_first_lane(&mut e, inside, &mut IrMapping::new());
    let (whole, block, nothing) = If::new(e.ctx, some, vec![]);
    e.push(whole);
    e.at_end(nothing);
    e.finish(vec![]);
    e.at_end(block);
    if let Some(shared) = &shared {
        inside = shared.computes;
    }
    for part in parts.0 {
        match part {
            Part::Free(op) => {
                op.unlink(e.ctx);
                e.push_operation(op);
            }
            Part::Guarded(ops) => guard(&mut e, func, inside, &ops),
            Part::Staged(index) => {
                let work = Work {
                    staged: &found.staged[index],
                    tiles: &tiles[index],
                    line,
                    inside,
                    shared,
                    lanes: lanes.loop_id(e.ctx),
                };
                work.write(&mut e);
            }
        }
    }
    e.finish(vec![]);
    Operation::erase(place.get_operation(), ctx);
    Ok(())
}

/// Writes the body of `holder`, in whose condition it stands, to where `e` is, for lanes that are `inside`: all of the block's lanes come
/// to the loop that is staged. What stands in it in front of the loop gives scalars only.
pub fn masked(
    e: &mut Emitter,
    func: FuncOp,
    holder: If,
    inside: Value,
    (staged, tiles, lanes): (Staged, &[Value], u32),
) {
    let found = Found {
        staged: vec![staged],
        ..Found::default()
    };
    let parts = Parts::of(e.ctx, holder, &found);
    for part in parts.expect("scalars can be left out").0 {
        match part {
            Part::Free(op) => {
                op.unlink(e.ctx);
                e.push_operation(op);
            }
            Part::Guarded(ops) => guard(e, func, inside, &ops),
            Part::Staged(index) => {
                let work = Work {
                    staged: &found.staged[index],
                    tiles,
                    line: None,
                    inside,
                    shared: None,
                    lanes,
                };
                work.write(e);
            }
        }
    }
    Operation::erase(holder.get_operation(), e.ctx);
}

/// A word in the memory of the gang.
pub fn word(ctx: &mut Context, lanes: Fork) -> Value {
    let ty = int(ctx, 32);
    let mut e = Emitter::before(ctx, lanes.get_operation());
    e.alloca(ty, None)
}

/// The memory of the gang for what a loop stages: the first element of each tile.
pub fn variables(ctx: &mut Context, lanes: Fork, staged: &Staged) -> Vec<Value> {
    let mut e = Emitter::before(ctx, lanes.get_operation());
    let mut first = vec![];
    for tile in &staged.tiles {
        let length = tile.length(staged.iterations);
        first.extend(elements(&mut e, tile.element, length));
    }
    if let Some(rows) = &staged.rows {
        for written in &rows.written {
            first.extend(elements(&mut e, written.element, rows.elements()));
        }
    }
    first
}

/// Makes so many elements; gives the first one.
fn elements(e: &mut Emitter, element: TypeHandle, length: u64) -> Option<Value> {
    let array = ArrayType::get(e.ctx, length, element).into();
    let variable = e.alloca(array, None);
    let decay = Decay::new(e.ctx, variable)?;
    Some(e.value(decay))
}

/// A loop that is being staged.
struct Work<'a> {
    staged: &'a Staged,
    /// The first element of each tile, and of what iterations write.
    tiles: &'a [Value],
    line: Option<Line>,
    /// The lane has an iteration, and computes.
    inside: Value,
    /// Where warps have the same columns.
    shared: Option<Shared>,
    /// The identifier of the lanes' loop.
    lanes: u32,
}

impl Work<'_> {
    fn write(&self, e: &mut Emitter) {
        let lp = self.staged.lp;
        let (lower, upper, info) = (
            lp.get_operand_lower(e.ctx),
            lp.get_operand_upper(e.ctx),
            lp.info(e.ctx),
        );
        let ty = lower.get_type(e.ctx);
        let width = int_width(e.ctx, ty).unwrap_or(64);
        // As many iterations as there are, without a sign.
        let any = e.cmp(info.less(), lower, upper);
        let difference = e.bin(BinKind::Sub, upper, lower);
        let (zero, one) = (e.int(width, 0), e.int(width, 1));
        let count = e.select(any, difference, zero);
        let at_a_time = i128::from(self.staged.iterations);
        if let Some((shared, ahead)) = self.shared.zip(self.staged.ahead.as_ref()) {
            let span = chunks::Iterations {
                lower,
                count,
                width,
            };
            self.ahead(e, shared, ahead, span);
            Operation::erase(lp.get_operation(), e.ctx);
            return;
        }
        if let Some((line, rows)) = self.line.zip(self.staged.rows.as_ref()) {
            let all = chunks::Iterations {
                lower,
                count,
                width,
            };
            self.own_rows(e, line, rows, all);
            Operation::erase(lp.get_operation(), e.ctx);
            return;
        }
        if let Some(all) = constant(e.ctx, count).filter(|all| *all <= at_a_time) {
            let size = e.int(32, all);
            self.chunk(e, lower, size, width);
            Operation::erase(lp.get_operation(), e.ctx);
            return;
        }
        let log = e.int(width, i128::from(self.staged.iterations.trailing_zeros()));
        let mask = e.int(width, at_a_time - 1);
        let whole = e.bin(BinKind::ShrU, count, log);
        let rest = e.bin(BinKind::And, count, mask);
        let is_more = e.cmp(CmpKind::Ne, rest, zero);
        let more = e.select(is_more, one, zero);
        let chunks = e.bin(BinKind::Add, whole, more);
        let (outer, block) = open(e, zero, chunks, one);
        outer.set_added(e.ctx);
        let chunk = block.deref(e.ctx).get_argument(0);
        let first = e.bin(BinKind::Shl, chunk, log);
        let left = e.bin(BinKind::Sub, count, first);
        let most = e.int(width, at_a_time);
        let size = e.bin(BinKind::MinU, left, most);
        let word = int(e.ctx, 32);
        let size = if width > 32 {
            e.narrow(size, word)
        } else {
            size
        };
        let base = e.bin(BinKind::Add, lower, first);
        self.chunk(e, base, size, width);
        e.finish(vec![]);
        e.go_after(outer.get_operation());
        Operation::erase(lp.get_operation(), e.ctx);
    }

    /// The `size` iterations, a number of 32 bits, from `base` on.
    fn chunk(&self, e: &mut Emitter, base: Value, size: Value, width: u32) {
        self.barrier(e);
        match &self.staged.lines {
            Some(lines) => self.fill_lines(e, lines, (base, size, width)),
            None => self.fill(e, base, size, width),
        }
        self.barrier(e);
        let (branch, yes, no) = If::new(e.ctx, self.inside, vec![]);
        e.push(branch);
        e.at_end(no);
        e.finish(vec![]);
        e.at_end(yes);
        self.iterations(e, base, size, width);
        e.finish(vec![]);
        e.go_after(branch.get_operation());
    }

    fn barrier(&self, e: &mut Emitter) {
        let barrier = Barrier::new(e.ctx, Level::Vector, self.lanes);
        e.push(barrier);
    }

    /// The lanes load the elements of `size` iterations from `base` on.
    fn fill(&self, e: &mut Emitter, base: Value, size: Value, width: u32) {
        let word = int(e.ctx, 32);
        let size = if width > 32 {
            e.narrow(size, word)
        } else {
            size
        };
        let (lane, lanes) = (
            DimPos::new(e.ctx, Level::Vector),
            DimSize::new(e.ctx, Level::Vector),
        );
        let (lane, lanes) = (e.value(lane), e.value(lanes));
        let (lane, lanes) = (e.narrow(lane, word), e.narrow(lanes, word));
        let (lp, block) = open(e, lane, size, lanes);
        lp.set_added(e.ctx);
        let own = block.deref(e.ctx).get_argument(0);
        let distance = if width > 32 { e.widen(own, true) } else { own };
        let counter = e.bin(BinKind::Add, base, distance);
        let body = self.staged.lp.get_body(e.ctx, 0);
        let mut map = IrMapping::new();
        map.map_value(body.deref(e.ctx).get_argument(0), counter);
        let mut filled = vec![];
        for tile in &self.staged.tiles {
            let mut values = vec![];
            for loads in &tile.slots {
                let address = loads[0].get_operand_address(e.ctx);
                let address = self.moved(e, address, &mut map);
                values.push(e.load(address));
            }
            filled.push(values);
        }
        for ((tile, start), values) in self.staged.tiles.iter().zip(self.tiles).zip(filled) {
            let stride = e.int(32, i128::from(tile.stride()));
            let index = e.bin(BinKind::MulS, own, stride);
            let record = e.ptr_add(*start, index);
            for (slot, value) in values.into_iter().enumerate() {
                let address = at(e, record, slot);
                e.store(value, address);
            }
        }
        e.finish(vec![]);
        e.go_after(lp.get_operation());
    }

    /// What `value`, of the loop's body, is where the counter, and places, are what `map` says.
    fn moved(&self, e: &mut Emitter, value: Value, map: &mut IrMapping) -> Value {
        let region = self.staged.lp.get_operation().deref(e.ctx).get_region(0);
        moved(e, value, map, region)
    }

    /// The iterations whose elements are there, counted from 0 without a sign: so the assembler knows how many there are, and
    /// unrolls the loop.
    fn iterations(&self, e: &mut Emitter, base: Value, size: Value, width: u32) {
        let tiles = || self.staged.tiles.iter().zip(self.tiles);
        let mut cursors = vec![];
        for (tile, start) in tiles() {
            let ty = pointer(e.ctx, tile.element);
            let cursor = e.alloca(ty, None);
            let staged = self.staged;
            let first = match (
                tile.owner,
                self.shared,
                self.line,
                &staged.rows,
                &staged.lines,
            ) {
                (Owner::Columns, Some(shared), ..) => e.ptr_add(*start, shared.column),
                (Owner::Rows(_), _, Some(line), Some(rows), _) => {
                    self.row(e, *start, line.lane, rows)
                }
                (Owner::Lines(pitch), .., Some(lines)) => {
                    line(e, *start, pitch, lines.column_in_block)
                }
                (Owner::All | Owner::Columns | Owner::Rows(_) | Owner::Lines(_), ..) => *start,
            };
            e.store(first, cursor);
            cursors.push(cursor);
        }
        let (zero, one) = (e.int(32, 0), e.int(32, 1));
        let (lp, block) = open(e, zero, size, one);
        lp.set_staged(e.ctx);
        let old = self.staged.lp.get_body(e.ctx, 0);
        let counter = old.deref(e.ctx).get_argument(0);
        let own_number = block.deref(e.ctx).get_argument(0);
        let distance = if width > 32 {
            e.widen(own_number, true)
        } else {
            own_number
        };
        let own = e.bin(BinKind::Add, base, distance);
        let mut records = vec![];
        for ((tile, _), cursor) in tiles().zip(&cursors) {
            let record = e.load(*cursor);
            records.push(record);
            for (slot, loads) in tile.slots.iter().enumerate() {
                let address = at(e, record, slot * tile.distance() as usize);
                let value = e.load(address);
                for load in loads {
                    let result = load.get_result(e.ctx);
                    result.replace_all_uses_with(e.ctx, &value);
                    Operation::erase(load.get_operation(), e.ctx);
                }
            }
        }
        for op in ops_of_block(e.ctx, old) {
            if Operation::is_op::<Yield>(op, e.ctx) {
                continue;
            }
            op.unlink(e.ctx);
            e.push_operation(op);
        }
        counter.replace_all_uses_with(e.ctx, &own);
        self.write_rows(e, lp, own_number);
        for (((tile, _), cursor), record) in tiles().zip(cursors).zip(records) {
            let distance = e.i64(i128::from(tile.stride()));
            let next = e.ptr_add(record, distance);
            e.store(next, cursor);
        }
        e.finish(vec![]);
        e.go_after(lp.get_operation());
    }
}

/// What `value` is where the values of `map` are others. What is computed in `region` is computed here.
pub fn moved(e: &mut Emitter, value: Value, map: &mut IrMapping, region: Ptr<Region>) -> Value {
    if let Some(known) = map.lookup_value(value) {
        return known;
    }
    let Some(op) = value.defining_op() else {
        return value;
    };
    let mut changed = is_inside(e.ctx, op, region);
    for operand in operands_of(e.ctx, op) {
        let there = moved(e, operand, map, region);
        changed |= there != operand;
    }
    let new = match changed {
        true => {
            let copy = e.copy(op, map);
            results_of(e.ctx, copy)[0]
        }
        false => value,
    };
    map.map_value(value, new);
    new
}

/// The first element of a line of a tile, which begins at `start`.
fn line(e: &mut Emitter, start: Value, pitch: u64, number: Value) -> Value {
    let pitch = e.int(32, i128::from(pitch));
    let index = e.bin(BinKind::MulS, number, pitch);
    e.ptr_add(start, index)
}

/// Of loops that count from 0.
const COUNTER: ForInfo = ForInfo {
    independent: false,
    unsigned: true,
};

/// Appends a loop and goes on inside it.
fn open(e: &mut Emitter, lower: Value, upper: Value, step: Value) -> (For, Ptr<BasicBlock>) {
    let (lp, block) = For::new(e.ctx, lower, upper, step, COUNTER);
    e.push(lp);
    e.at_end(block);
    (lp, block)
}

/// The element so many behind `first`.
fn at(e: &mut Emitter, first: Value, distance: usize) -> Value {
    match distance {
        0 => first,
        _ => {
            let distance = e.i64(distance as i128);
            e.ptr_add(first, distance)
        }
    }
}
