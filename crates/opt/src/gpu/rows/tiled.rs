//! Nests whose columns go along rows of an array, as in a product with a transposed matrix: the lanes of a block move these rows
//! together ([`crate::gpu::staging::lines`]), and all of its rows use them.
//!
//! ```text
//! if (column < n && row < m) {                     if (some lane of the block has 4 rows and 4 columns)
//!   s = 0                                            if (it has) s0 = 0;  s1 = 0; …
//!   for k: s += a[row][k] * b[column][k]             for chunk of k { barrier;  tile = b[columns of the block][chunk];  barrier
//!   c[row][column] = s                                                if (it has) for k in chunk: s0 += a[first][k] * tile[…][k]; … }
//! }                                                  if (it has) c[first][column] = s0; …
//!                                                  if (some lane has others)
//!                                                    for each of its columns, and each of its rows: the same for one element
//! ```
//!
//! 1. The nest has one loop with such rows, directly in it, or in a condition that it consists of and that is computed from rows and
//!    columns, as in a triangle.
//! 2. Blocks get the columns of a warp, whatever they had for lanes that come to lines of their own.
//! 3. In the last blocks of rows and columns, lanes compute others' elements, too, and store their own.
//! 4. Whether any lane has something to do is asked by a word in the memory of the gang where it depends on a condition, so that all of
//!    them come to the barriers, or none does.
//!
//! All rows of the nest read what is moved, and one that wrote it would be in the way of the others: where the loop writes memory, launches
//! with one row take another version. Results are the same bits. Cost: as for [`super`].

use accrue_dialects::{
    core::{
        AtomicStore, BinKind, CmpKind, For, If, Load, Store, Yield,
        emit::Emitter,
        fold::{constant, fold},
        is_scalar,
    },
    par::{
        Barrier, DimPos, Fork, GangDim, Level,
        kernels::{GRID, Grid},
    },
};
use accrue_ir::{
    effects::is_pure,
    walk::{nested, nested_ops, ops_of_block, results_of},
};
use pliron::{
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::FuncOp},
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use super::{
    Body, COLUMNS, Copies, FEWEST_COLUMNS, LOG_COLUMNS, MOST_OPERATIONS_OF_COLUMNS, ROWS,
    ROWS_OF_BLOCK,
    choose::{COUNTER, Several, replace_operand, shift},
    columns_too, guard, jammed, may_be_jammed, rows_as_one_of,
};
use crate::{
    analysis::{
        gang_trip,
        same::{Guard, writes_outside},
        straight::PureFunctions,
        variables::is_in_variable,
    },
    gpu::staging::{
        lines::{self, ITERATIONS, Lines},
        streams::Staged,
        write::{guard::of_first_lane, masked, moved, variables, word},
    },
    transform::partition::covering::{Place, widen},
};

/// Rewrites the nest of a version, and says so; `None` if it is not such a nest, and nothing has changed.
pub fn run(
    ctx: &mut Context,
    func: FuncOp,
    place: &mut Place,
    pure: &PureFunctions,
) -> Option<String> {
    let forks = nested::<Fork>(ctx, func.get_operation());
    let lanes = *forks.iter().find(|f| f.level(ctx) == Level::Vector)?;
    let found = Found::of(ctx, place, pure)?;
    let before = GRID.get(ctx, func.get_operation())?;
    if !shares_out(ctx, func, place, &found) {
        GRID.set(ctx, func.get_operation(), before);
        return None;
    }
    let wide = match found.guard {
        Some(_) => jammed(ctx, place, &found.body, pure, (COLUMNS, false)),
        None => super::wide(ctx, place, &found.body, pure),
    };
    let both = found.of_both(ctx, &wide.copies);
    let holder = Operation::get_op::<If>(wide.holder, ctx);
    let both = both.zip(holder).filter(|_| widen(ctx, place));
    let Some(((lp, slots), holder)) = both else {
        Operation::erase(wide.holder, ctx);
        GRID.set(ctx, func.get_operation(), before);
        return None;
    };
    let message = format!(
        "a thread does {ROWS} rows of {COLUMNS} columns where enough threads are left; the {} that columns go along are moved by all lanes of a gang, \
         {ITERATIONS} elements of each at a time",
        match found.loads.len() {
            1 => "rows".to_string(),
            several => format!("rows of {several} arrays"),
        }
    );
    let cond = found.guard.map(|guard| guard.branch.get_operand_cond(ctx));
    found.flatten(ctx);
    let flag = word(ctx, lanes);
    let tiles = Tiles {
        func,
        place,
        guard: cond
            .zip(found.guard)
            .map(|(cond, guard)| (cond, guard.side)),
        lanes: lanes.loop_id(ctx),
        flag,
    };
    let own = wide.own;
    let wide = Nest { holder, lp, slots };
    let single = Nest {
        holder: place.inside,
        lp: found.lp,
        slots: found.loads.into_iter().map(|loads| vec![loads]).collect(),
    };
    let mut e = Emitter::before(ctx, wide.holder.get_operation());
    tiles.write(&mut e, lanes, (wide, own), single);
    fold(ctx, func.get_operation());
    Some(message)
}

/// Lets the grid of `version` have so many columns as it has, and fewer threads; false if it does not.
fn shares_out(ctx: &Context, version: FuncOp, place: &Place, found: &Found) -> bool {
    let Some(rows) = rows_as_one_of(ctx, place) else {
        return false;
    };
    let known = gang_trip::rows_as_they_are(ctx, version, rows)
        && (!found.writes || gang_trip::only_several(ctx, version, 1));
    let before = GRID.get(ctx, version.get_operation());
    let shape = columns_too(found.guard.is_none());
    let threads = shape.threads * COLUMNS as i64;
    let several = |before: Grid| {
        gang_trip::several_rows(ctx, version, ROWS as i64, ROWS_OF_BLOCK, threads)
            && gang_trip::several_columns(ctx, version, shape, before)
    };
    known && before.is_some_and(several)
}

/// A nest, and what of it all lanes move.
struct Found {
    body: Body,
    /// The condition that the nest consists of.
    guard: Option<Guard>,
    lp: For,
    /// The loads of rows that columns go along, those of one address together.
    loads: Vec<Vec<Load>>,
    /// The loop writes memory.
    writes: bool,
}

impl Found {
    fn of(ctx: &Context, place: &Place, pure: &PureFunctions) -> Option<Found> {
        let mut inside = nested_ops(ctx, place.inside.get_operation());
        let few = constant(ctx, place.columns).is_some_and(|n| n < i128::from(FEWEST_COLUMNS));
        if few
            || inside.len() > MOST_OPERATIONS_OF_COLUMNS
            || !may_be_jammed(ctx, &inside, pure)
            || writes_outside(ctx, place.inside.get_operation(), &inside)
        {
            return None;
        }
        let is_end = |op: &Ptr<Operation>| Operation::is_op::<Yield>(*op, ctx);
        let mut ops = ops_of_block(ctx, place.inside.get_body(ctx, 0));
        ops.retain(|op| !is_end(op));
        let guard = guard(ctx, place);
        if let Some(Guard { branch, side }) = guard {
            let branch_op = branch.get_operation();
            ops.retain(|op| *op != branch_op);
            let computes =
                |op: &Ptr<Operation>| is_pure(ctx, *op) && op.deref(ctx).num_regions() == 0;
            let other = ops_of_block(ctx, branch.get_body(ctx, 1 - side));
            if !ops.iter().all(computes) || !other.iter().all(is_end) {
                return None;
            }
            let held = ops_of_block(ctx, branch.get_body(ctx, side)).into_iter();
            ops.extend(held.filter(|op| !is_end(op)));
            inside.retain(|op| *op != branch_op);
        }
        // Lanes that do not compute have zeros instead.
        let results = ops.iter().flat_map(|op| results_of(ctx, *op));
        if !results
            .into_iter()
            .all(|result| is_scalar(ctx, result.get_type(ctx)))
        {
            return None;
        }
        let loops = ops
            .iter()
            .filter_map(|op| Operation::get_op::<For>(*op, ctx));
        let mut read = loops
            .map(|lp| (lp, lines::find(ctx, lp, place.column)))
            .filter(|(_, loads)| !loads.is_empty());
        let (Some((lp, loads)), None) = (read.next(), read.next()) else {
            return None;
        };
        let stores = nested_ops(ctx, lp.get_operation()).into_iter();
        let mut stores = stores.filter_map(|op| Operation::get_op::<Store>(op, ctx));
        let writes = stores.any(|store| !is_in_variable(ctx, store.get_operand_address(ctx)));
        // What a condition leaves to one row, this one might write and read again.
        if writes && guard.is_some() {
            return None;
        }
        let noted = loads.iter().flatten().map(|load| load.get_operation());
        let noted = noted.chain([lp.get_operation()]).collect();
        lines::fits(ctx, &loads, COLUMNS as u64).then_some(Found {
            body: Body {
                ops,
                inside,
                guard: None,
                noted,
            },
            guard,
            lp,
            loads,
            writes,
        })
    }

    /// The loop of all rows and columns, and of each address its loads by column; `None` if columns have loads in common.
    fn of_both(&self, ctx: &Context, copies: &Copies) -> Option<(For, Vec<Vec<Vec<Load>>>)> {
        let [(_, lp)] = copies.get(&self.lp.get_operation())?.as_slice() else {
            return None;
        };
        let of_column = |loads: &[Load], column: usize| -> Vec<Load> {
            let copies = loads
                .iter()
                .filter_map(|load| copies.get(&load.get_operation()));
            let copies = copies
                .flatten()
                .filter(|(body, _)| body % COLUMNS == column);
            copies
                .filter_map(|(_, copy)| Operation::get_op::<Load>(*copy, ctx))
                .collect()
        };
        let of_address = |loads: &Vec<Load>| {
            (0..COLUMNS)
                .map(|column| of_column(loads, column))
                .collect()
        };
        let slots: Vec<Vec<Vec<Load>>> = self.loads.iter().map(of_address).collect();
        let all = slots.iter().flatten().all(|loads| !loads.is_empty());
        Some((Operation::get_op::<For>(*lp, ctx)?, slots)).filter(|_| all)
    }

    /// Takes the condition away, whose operations follow those before it.
    fn flatten(&self, ctx: &mut Context) {
        let Some(Guard { branch, side }) = self.guard else {
            return;
        };
        let mut e = Emitter::before(ctx, branch.get_operation());
        for op in ops_of_block(e.ctx, branch.get_body(e.ctx, side)) {
            if !Operation::is_op::<Yield>(op, e.ctx) {
                op.unlink(e.ctx);
                e.push_operation(op);
            }
        }
        Operation::erase(branch.get_operation(), ctx);
    }
}

/// Columns of a block.
const COLUMNS_OF_BLOCK: i128 = 1 << LOG_COLUMNS;

/// What a nest is written from.
struct Tiles<'a> {
    func: FuncOp,
    place: &'a Place,
    /// The condition of an element, and the side of it on which the element is.
    guard: Option<(Value, usize)>,
    /// The identifier of the lanes' loop.
    lanes: u32,
    /// A word in the memory of the gang.
    flag: Value,
}

/// A body in the condition that holds it, its loop, and the loads of each address for each column of a thread.
struct Nest {
    holder: If,
    lp: For,
    slots: Vec<Vec<Vec<Load>>>,
}

impl Tiles<'_> {
    /// Writes the nest for lanes that have all rows and columns, and for the elements that are left.
    fn write(
        &self,
        e: &mut Emitter,
        fork: Fork,
        (wide, own): (Nest, Option<[Value; 2]>),
        single: Nest,
    ) {
        let place = self.place;
        let (no, one, width) = (e.int(1, 0), e.int(32, 1), e.int(32, COLUMNS_OF_BLOCK));
        let rows = Several::of(e, GangDim::Two, place.height, place.rows, ROWS);
        let columns = Several::of(e, GangDim::One, width, place.columns, COLUMNS);
        let first_row = e.bin(BinKind::Mul, place.row, rows.own);
        let start = e.bin(BinKind::Shl, place.block, place.log_width);
        let start = e.bin(BinKind::Mul, start, columns.own);
        let first_column = e.bin(BinKind::Add, start, place.column_in_block);
        let in_row = e.cmp(CmpKind::LtU, first_column, place.columns);
        let in_column = e.cmp(CmpKind::LtU, first_row, place.rows);
        let some = e.select(in_row, in_column, no);
        // All rows and all columns.
        let several = e.select(rows.several, columns.several, no);
        let (all, firsts) = match own {
            Some(own) => {
                let any = e.cmp(CmpKind::LtU, start, place.columns);
                let all = e.select(any, in_column, no);
                (all, shift(e, place, [first_row, start], own))
            }
            None => {
                let all = self.all_there(e, [first_row, first_column], rows.most);
                (e.select(some, all, no), [first_row, first_column])
            }
        };
        let all = e.select(several, all, no);
        let lines = self.lines(firsts[1]);
        let staged = lines::staged(e.ctx, wide.lp, wide.slots, lines);
        let tiles = variables(e.ctx, fork, &staged);
        e.only_if(several, |e| {
            let any = self.any(e, all);
            e.only_if(any, |e| {
                self.nest(e, wide.holder, (staged, &tiles), all, firsts)
            });
        });
        // One element after the other.
        let rest = match own {
            Some(_) => e.select(several, no, some),
            None => e.select(all, no, some),
        };
        let any = self.any(e, rest);
        e.only_if(any, |e| {
            let zero = e.int(32, 0);
            let (of_columns, column) = counted(e, zero, columns.own, one);
            let (of_rows, row) = counted(e, zero, rows.own, one);
            let column = e.bin(BinKind::Mul, column, width);
            let column = e.bin(BinKind::Add, first_column, column);
            let row = e.bin(BinKind::Add, first_row, row);
            let in_row = e.cmp(CmpKind::LtU, column, place.columns);
            let in_column = e.cmp(CmpKind::LtU, row, place.rows);
            let inside = e.select(in_row, in_column, no);
            let inside = e.select(rest, inside, no);
            let inside = self.guarded(e, inside, row, column);
            let any = self.any(e, inside);
            let staged = lines::staged(e.ctx, single.lp, single.slots, self.lines(column));
            e.only_if(any, |e| {
                self.nest(e, single.holder, (staged, &tiles), inside, [row, column]);
            });
            e.finish(vec![]);
            e.go_after(of_rows.get_operation());
            e.finish(vec![]);
            e.go_after(of_columns.get_operation());
        });
    }

    /// Whether all rows and columns from the first ones on are there, and the condition of the nest holds for each element.
    fn all_there(&self, e: &mut Emitter, [row, column]: [Value; 2], most: Value) -> Value {
        let left = e.bin(BinKind::Sub, self.place.rows, row);
        let all_rows = e.cmp(CmpKind::LeU, most, left);
        let past = e.int(32, (COLUMNS as i128 - 1) * COLUMNS_OF_BLOCK);
        let last = e.bin(BinKind::Add, column, past);
        let all_columns = e.cmp(CmpKind::LtU, last, self.place.columns);
        let no = e.int(1, 0);
        let mut all = e.select(all_rows, all_columns, no);
        for number in 0..ROWS * COLUMNS {
            let (down, along) = (number / COLUMNS, number % COLUMNS);
            let down = e.int(32, down as i128);
            let along = e.int(32, along as i128 * COLUMNS_OF_BLOCK);
            let row = e.bin(BinKind::AddS, row, down);
            let column = e.bin(BinKind::AddS, column, along);
            all = self.guarded(e, all, row, column);
        }
        all
    }

    /// Whether `inside`, and the condition of the nest holds for an element.
    fn guarded(&self, e: &mut Emitter, inside: Value, row: Value, column: Value) -> Value {
        let Some((cond, side)) = self.guard else {
            return inside;
        };
        let mut map = IrMapping::new();
        map.map_value(self.place.row, row);
        map.map_value(self.place.column, column);
        let nest = self.place.inside.get_operation();
        let region = nest.deref(e.ctx).get_region(0);
        let cond = moved(e, cond, &mut map, region);
        let no = e.int(1, 0);
        match side {
            0 => e.select(inside, cond, no),
            _ => {
                let other = e.select(cond, no, inside);
                e.select(inside, other, no)
            }
        }
    }

    /// Whether any lane of the block says so: the first one, where it is about places alone, which grow with the lane.
    fn any(&self, e: &mut Emitter, mine: Value) -> Value {
        if self.guard.is_none() {
            return of_first_lane(e, mine, &mut IrMapping::new());
        }
        let lane = DimPos::new(e.ctx, Level::Vector);
        let lane = e.value(lane);
        let zero = e.i64(0);
        let first = e.cmp(CmpKind::Eq, lane, zero);
        let (no, yes) = (e.int(32, 0), e.int(32, 1));
        self.barrier(e);
        e.only_if(first, |e| e.store(no, self.flag));
        self.barrier(e);
        e.only_if(mine, |e| {
            e.op(|c| AtomicStore::new(c, yes, self.flag));
        });
        self.barrier(e);
        let said = e.load(self.flag);
        e.cmp(CmpKind::Ne, said, no)
    }

    fn barrier(&self, e: &mut Emitter) {
        let barrier = Barrier::new(e.ctx, Level::Vector, self.lanes);
        e.push(barrier);
    }

    /// Writes a body whose first row and column are these, for lanes that are `inside`.
    fn nest(
        &self,
        e: &mut Emitter,
        holder: If,
        (staged, tiles): (Staged, &[Value]),
        inside: Value,
        [row, column]: [Value; 2],
    ) {
        for op in nested_ops(e.ctx, holder.get_operation()) {
            replace_operand(e.ctx, op, self.place.row, row);
            replace_operand(e.ctx, op, self.place.column, column);
        }
        masked(e, self.func, holder, inside, (staged, tiles, self.lanes));
    }

    fn lines(&self, column: Value) -> Lines {
        Lines {
            column,
            columns: self.place.columns,
            column_in_block: self.place.column_in_block,
        }
    }
}

/// Opens a loop, and goes on inside it.
fn counted(e: &mut Emitter, lower: Value, upper: Value, step: Value) -> (For, Value) {
    let (lp, block) = For::new(e.ctx, lower, upper, step, COUNTER);
    lp.set_short(e.ctx);
    e.push(lp);
    e.at_end(block);
    (lp, block.deref(e.ctx).get_argument(0))
}
