//! Pass `rows` (GPUs): a thread of a grid that covers a nest does several rows where these load the same.
//!
//! Neighbours in a column of a nest often read the same elements: all of a column of `b` in a product, four of five rows of
//! a 5 × 5 window. The cache has them, but each load is an instruction that waits in the queue of the multiprocessor's
//! memory unit. A thread that does four rows loads once what they have in common, and has four independent chains of work.
//!
//! ```text
//! if (column < n && row < m) {                   first = row * 4
//!   s = 0                                        if (column < n && first < m)
//!   for k: s += a[row][k] * b[k][column]           if (first + 4 <= m) {
//!   c[row][column] = s                     →         s0 = 0;  s1 = 0; …
//! }                                                  for k: { t = b[k][column];  s0 += a[first][k] * t;  s1 += a[first + 1][k] * t; … }
//!                                                    c[first][column] = s0;  c[first + 1][column] = s1; …
//!                                                  } else for row = first to m: as before
//! ```
//!
//! 1. What of the body is the same for all rows is found by following the row's number ([`same`]).
//! 2. The body is written once for all rows ([`jam`]): what is the same once, the rest once per row; loops whose bounds are the
//!    same become one, short ones with constant bounds straight code, in which loads of the same address are found by what
//!    the address is computed from ([`crate::analysis::affine`]).
//! 3. It stays if it needs few enough loads ([`MOST_LOADS`]) and if there are loads enough to matter ([`FEWEST_LOADS`]).
//!    A thread that computes for as long as its loads take is not one that waits for them ([`MOST_WORK`]).
//! 4. The same is tried with four columns of each of the rows: where loads depend on the row or on the column, as in a product
//!    of matrices, 16 elements need 8 loads.
//! 5. Where the body is in a condition, as in a triangle or inside of an image's edges, it is asked for all rows and columns at once; one
//!    after the other comes where it holds for some only.
//! 6. A short nest that accesses arrays along its columns, as a transposition does, has nothing in common; but the elements that four
//!    rows access there stand next to each other, and one load for each thread does not keep the memory busy.
//! 7. Where columns of the nest go along rows of an array, as in a product with a transposed matrix, all lanes of the block move these
//!    rows ([`tiled`]).
//! 8. The program for the grid's rows gives a row to each thread where there would otherwise be too few threads; a kernel that
//!    finds itself in such a grid, which has blocks enough for all rows, does so too.
//!
//! Two iterations of an independent loop that load the same element in any case cannot be in the way of a third that
//! writes it: that would be a dependence. So a load may stand for those of other rows whatever is written in between.
//! Results are the same bits.
//!
//! Cost: linear in the size of the kernel, times the rows, with [`MOST_OPERATIONS`] as the limit.

mod choose;
pub(super) mod jam;
mod tiled;
mod updates;

use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_dialects::{
    core::{Bin, BinKind, Cast, CastKind, For, If, Load, int_width},
    par::kernels::{GRID, VERSION},
};
use accrue_ir::walk::{directly_in, nested, nested_ops, ops_of_block, results_of};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::{
    State, Switch,
    analysis::{
        gang_trip,
        same::{Guard, Same, writes_outside},
        straight::{PureFunctions, is_straight},
    },
    transform::partition::covering::{Place, place_of, rows_as_one},
};
use accrue_dialects::core::fold::fold;
use jam::{Jam, Owned};
use std::collections::HashMap;

const NAME: &str = "rows";

/// Rows of a thread.
const ROWS: usize = 4;
/// Columns of each row, a warp apart.
const COLUMNS: usize = 4;
/// As a warp has lanes.
const LOG_COLUMNS: u32 = 5;
/// Threads that there must be with several rows and columns each: with so many values at once, fewer are enough.
const FEWEST_THREADS_OF_COLUMNS: i64 = 1 << 16;
/// The same where blocks at the edges are not slower than others.
const FEWEST_THREADS_SHIFTED: i64 = 1 << 14;
/// Rows, and columns, that there must be for that, so that blocks do not stand half empty: of two blocks, and of one. (The 16 products of a
/// Winograd convolution of 64 filters took 91 µs with a column for each thread.)
const FEWEST_ROWS: i64 = 64;
const FEWEST_COLUMNS: i64 = 128;
/// Threads that there must be with several rows each.
const FEWEST_THREADS: i64 = 1 << 17;
/// Rows of a block then: of eight threads in each column. Three of four rows of all blocks must be there.
const ROWS_OF_BLOCK: i64 = 8 * ROWS as i64;
/// The loads that several rows may need at most, in percent of those of single ones: of straight code, and where loops and branches are in a
/// row, which then wait for each other.
const MOST_LOADS: u64 = 80;
const MOST_LOADS_IN_LOOPS: u64 = 75;
/// Fewer loads in a row, of different elements, are not worth it: a Sobel filter has 8, a 7-point stencil 7. What is in a loop of
/// unknown length counts as many.
const FEWEST_LOADS: u64 = 8;
/// Operations on floating-point numbers for each load, from which on a row computes longer than it loads: four rows take
/// registers from the threads that the other units of the multiprocessor live of.
const MOST_WORK: u64 = 4;
/// Loads of a row that has nothing in common with others, in a nest that accesses arrays along its columns.
const MOST_LOADS_OF_PATCHES: u64 = 4;
/// Operations of a body.
const MOST_OPERATIONS: usize = 256;
/// The same where it is for several columns, too.
const MOST_OPERATIONS_OF_COLUMNS: usize = 80;

/// Lets the threads of all kernels that gain do several rows.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if !state.target.gangs.handed_out || state.off.is_off(Switch::Rows) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    let functions = directly_in::<FuncOp>(ctx, module.get_operation());
    for func in functions.iter().copied() {
        let version = VERSION.get(ctx, func.get_operation());
        let (Some(version), Some(mut place)) = (version, place_of(ctx, func)) else {
            continue;
        };
        if !state.off.is_off(Switch::Accumulators) {
            updates::keep(ctx, func, &place, &pure);
        }
        let rows = match state.off.is_off(Switch::OwnRows) {
            true => None,
            false => tiled::run(ctx, func, &mut place, &pure),
        };
        let rows = match rows {
            Some(message) => Ok(message),
            None => several_rows(ctx, func, &place, &pure).map(Loads::describe),
        };
        let message = match rows {
            Ok(message) => message,
            Err(Some(why)) => format!("a thread does one row: {why}"),
            Err(None) => continue,
        };
        let kernel = functions
            .iter()
            .find(|f| f.get_symbol_name(ctx).to_string() == version.kernel);
        if let Some(kernel) = kernel {
            state.remark(ctx, kernel.get_operation(), NAME, message);
        }
    }
}

/// Loads of [`ROWS`] rows; those in loops of unknown length count [`jam::MANY`] times.
#[derive(Clone, Copy, Debug)]
struct Loads {
    /// Where each row is for itself.
    alone: u64,
    together: u64,
    /// Operations on floating-point numbers.
    work: u64,
    /// Of [`COLUMNS`] columns of all rows.
    columns: Option<u64>,
}

impl Loads {
    fn describe(self) -> String {
        let Loads {
            alone, together, ..
        } = self;
        let need = match together < alone {
            true => format!("which need {together} loads instead of {alone}"),
            false => format!("whose {together} loads are under way together"),
        };
        let rows = format!("a thread does {ROWS} rows, {need}, where enough threads are left");
        match self.columns {
            Some(wide) => format!(
                "{rows}; and {COLUMNS} columns of each, which need {wide} instead of {}, where there are more",
                together * COLUMNS as u64
            ),
            None => rows,
        }
    }
}

/// Changes the version, or says why not, if there is something to be said.
fn several_rows(
    ctx: &mut Context,
    func: FuncOp,
    place: &Place,
    pure: &PureFunctions,
) -> Result<Loads, Option<&'static str>> {
    let inside = nested_ops(ctx, place.inside.get_operation());
    let all = |rows: i128| {
        (rows + i128::from(ROWS_OF_BLOCK) - 1) / i128::from(ROWS_OF_BLOCK)
            * i128::from(ROWS_OF_BLOCK)
    };
    if constant(ctx, place.rows).is_some_and(|rows| rows * 4 < all(rows) * 3) {
        return Err(Some("there are few rows"));
    }
    let loads = inside
        .iter()
        .filter(|op| Operation::is_op::<Load>(**op, ctx));
    if loads.count() == 0 {
        return Err(None);
    }
    if !may_be_jammed(ctx, &inside, pure) {
        return Err(Some(
            "there are jumps, calls, arrays of its own or loops without a counter in it",
        ));
    }
    if inside.len() > MOST_OPERATIONS {
        return Err(Some("its work is long"));
    }
    if writes_outside(ctx, place.inside.get_operation(), &inside) {
        return Err(Some("it writes a variable of the kernel"));
    }
    let patch = is_patch(ctx, place);
    // What branches or loops load comes one row after the other.
    let branches =
        |op: &Ptr<Operation>| Operation::is_op::<For>(*op, ctx) || Operation::is_op::<If>(*op, ctx);
    let straight = !inside.iter().any(branches);
    let body = Body::of(ctx, place);
    let one_column = jammed(ctx, place, &body, pure, (1, false));
    let (together, loads) = (one_column.holder, one_column.loads);
    let most = match straight {
        true => MOST_LOADS,
        false => MOST_LOADS_IN_LOOPS,
    };
    let few = loads.alone <= MOST_LOADS_OF_PATCHES * ROWS as u64;
    let why = if patch && straight && few {
        Ok(())
    } else if loads.alone < FEWEST_LOADS * ROWS as u64 {
        Err(None)
    } else if loads.work > loads.alone * MOST_WORK {
        Err(Some("it computes for longer than it loads"))
    } else if loads.together * 100 > loads.alone * most {
        Err(Some(
            "its neighbours' loads have too little in common with its own",
        ))
    } else {
        Ok(())
    };
    if let Err(why) = why {
        Operation::erase(together, ctx);
        return Err(why);
    }
    let wide = several_columns(ctx, place, (&body, pure), loads);
    let before = GRID.get(ctx, func.get_operation());
    let shape = columns_too(wide.as_ref().is_some_and(|wide| wide.own.is_some()));
    let threads = FEWEST_THREADS.min(shape.threads * COLUMNS as i64);
    if !gang_trip::several_rows(ctx, func, ROWS as i64, ROWS_OF_BLOCK, threads) {
        Operation::erase(together, ctx);
        wide.into_iter()
            .for_each(|wide| Operation::erase(wide.holder, ctx));
        return Err(Some("the number of rows is not known at the launch"));
    }
    let wide = wide.filter(|wide| {
        let known =
            before.is_some_and(|before| gang_trip::several_columns(ctx, func, shape, before));
        if !known {
            Operation::erase(wide.holder, ctx);
        }
        known
    });
    let message = match &wide {
        Some(wide) => Loads {
            columns: Some(wide.loads.together),
            ..loads
        },
        None => loads,
    };
    choose::choose(ctx, place, together, wide);
    fold(ctx, func.get_operation());
    Ok(message)
}

/// Several columns for each thread; `shifted`: also at the edges of the nest.
fn columns_too(shifted: bool) -> gang_trip::Several {
    gang_trip::Several {
        rows: ROWS as i64,
        columns: COLUMNS as i64,
        fewest_rows: FEWEST_ROWS,
        fewest_columns: FEWEST_COLUMNS,
        threads: match shifted {
            true => FEWEST_THREADS_SHIFTED,
            false => FEWEST_THREADS_OF_COLUMNS,
        },
    }
}

/// Whether the operations are such as can be written for several rows at once.
fn may_be_jammed(ctx: &Context, inside: &[Ptr<Operation>], pure: &PureFunctions) -> bool {
    inside
        .iter()
        .all(|op| Operation::is_op::<For>(*op, ctx) || is_straight(ctx, *op, pure))
}

/// How many rows count as one in the grid of a nest.
fn rows_as_one_of(ctx: &Context, place: &Place) -> Option<i64> {
    let log = constant(ctx, place.log_width)?;
    Some(rows_as_one(u32::try_from(log).ok()?))
}

/// Whether blocks have few columns because the nest accesses arrays along them ([`crate::transform::partition`]).
fn is_patch(ctx: &Context, place: &Place) -> bool {
    let narrow = constant(ctx, place.log_width).is_some_and(|log| log < i128::from(LOG_COLUMNS));
    narrow && constant(ctx, place.columns).is_none()
}

/// The body for [`COLUMNS`] columns of each row, if these have loads in common as well.
fn several_columns(
    ctx: &mut Context,
    place: &Place,
    (body, pure): (&Body, &PureFunctions),
    rows: Loads,
) -> Option<Jammed> {
    let whole_warps = constant(ctx, place.log_width) == Some(5);
    let few = constant(ctx, place.columns).is_some_and(|n| n < i128::from(FEWEST_COLUMNS));
    if !whole_warps || few || body.inside.len() > MOST_OPERATIONS_OF_COLUMNS {
        return None;
    }
    let wide = wide(ctx, place, body, pure);
    let gains = wide.loads.together * 100 <= rows.together * COLUMNS as u64 * MOST_LOADS;
    if !gains {
        Operation::erase(wide.holder, ctx);
    }
    gains.then_some(wide)
}

/// The body for all columns of each row; its elements may be others' if that can be.
fn wide(ctx: &mut Context, place: &Place, body: &Body, pure: &PureFunctions) -> Jammed {
    if body.guard.is_none() {
        let shifted = jammed(ctx, place, body, pure, (COLUMNS, true));
        if shifted.own.is_some() {
            return shifted;
        }
        Operation::erase(shifted.holder, ctx);
    }
    jammed(ctx, place, body, pure, (COLUMNS, false))
}

/// Lets the places be extended to 64 bits as the first of them and a distance, so that it shows by how much their addresses differ. They
/// are below 2^31.
fn extend_first(ctx: &mut Context, places: &[Value]) {
    for place in &places[1..] {
        let distance = place.defining_op().and_then(|op| {
            let sum = Operation::get_op::<Bin>(op, ctx)?;
            constant(ctx, sum.get_operand_rhs(ctx))
        });
        let users = place.uses(ctx).into_iter().map(|using| using.user_op());
        let casts: Vec<Cast> = users
            .filter_map(|op| Operation::get_op::<Cast>(op, ctx))
            .collect();
        for cast in casts {
            let kind = cast.kind(ctx);
            let wide = int_width(ctx, cast.get_result(ctx).get_type(ctx)) == Some(64);
            let extends = wide && matches!(kind, CastKind::SExt | CastKind::ZExt);
            let Some(distance) = distance.filter(|_| extends) else {
                continue;
            };
            let mut e = Emitter::before(ctx, cast.get_operation());
            let first = e.widen(places[0], kind == CastKind::ZExt);
            let distance = e.i64(distance);
            let sum = e.bin(BinKind::Add, first, distance);
            let old = cast.get_result(e.ctx);
            old.replace_all_uses_with(e.ctx, &sum);
            Operation::erase(cast.get_operation(), e.ctx);
        }
    }
}

/// The condition that most of the body is in: the only one of it that has a loop, in one side, if it gives no results.
fn guard(ctx: &Context, place: &Place) -> Option<Guard> {
    let all = ops_of_block(ctx, place.inside.get_body(ctx, 0)).into_iter();
    let branches = all.filter_map(|op| Operation::get_op::<If>(op, ctx));
    let mut long = branches.filter(|it| !nested::<For>(ctx, it.get_operation()).is_empty());
    let (branch, None) = (long.next()?, long.next()) else {
        return None;
    };
    let has_loop = |side: &usize| {
        let ops = ops_of_block(ctx, branch.get_body(ctx, *side));
        ops.iter().any(|op| Operation::is_op::<For>(*op, ctx))
    };
    let gives = !results_of(ctx, branch.get_operation()).is_empty();
    let side = (0..2).find(has_loop).filter(|_| !gives)?;
    Some(Guard { branch, side })
}

/// The body of a nest, for one row and column.
struct Body {
    /// Its operations, and all of them with what is in them.
    ops: Vec<Ptr<Operation>>,
    inside: Vec<Ptr<Operation>>,
    guard: Option<Guard>,
    /// Of which copies are to be known.
    noted: Vec<Ptr<Operation>>,
}

impl Body {
    fn of(ctx: &Context, place: &Place) -> Body {
        Body {
            ops: ops_of_block(ctx, place.inside.get_body(ctx, 0)),
            inside: nested_ops(ctx, place.inside.get_operation()),
            guard: guard(ctx, place),
            noted: vec![],
        }
    }
}

/// Copies of an operation, each for the body with this number.
type Copies = HashMap<Ptr<Operation>, Vec<(usize, Ptr<Operation>)>>;

/// A body for all rows of a thread, and perhaps for several columns of each.
struct Jammed {
    /// Only holds it, in front of the nest.
    holder: Ptr<Operation>,
    loads: Loads,
    /// Of what is noted.
    copies: Copies,
    /// Where elements may be others': what stands for the thread's first row, and for the block's first column.
    own: Option<[Value; 2]>,
}

/// Writes the body for all rows, and for so many columns of each; `shifted`: elements in front of the thread's first row and of the
/// block's first column are others', and only computed.
fn jammed(
    ctx: &mut Context,
    place: &Place,
    body: &Body,
    pure: &PureFunctions,
    (columns, shifted): (usize, bool),
) -> Jammed {
    let places = [place.row, place.column];
    let inside = &body.inside;
    let same = Same::of(ctx, inside, (&places[..columns.min(2)], body.guard), pure);
    let of_one = places.map(|place| Same::of_one(ctx, inside, (place, &same), pure));
    let [of_rows, of_columns] = &of_one;
    let several = (columns > 1).then_some((of_rows, of_columns));
    let mut e = Emitter::before(ctx, place.inside.get_operation());
    let firsts = [e.int(32, 0), e.int(32, 0)];
    let (together, block, nothing) = If::new(e.ctx, place.in_column, vec![]);
    e.push(together);
    e.at_end(nothing);
    e.finish(vec![]);
    e.at_end(block);
    // The first row's number, and the first column's, stand for what `choose` makes of it.
    let mut numbers = vec![place.row];
    for row in 1..ROWS {
        let distance = e.int(32, row as i128);
        numbers.push(e.bin(BinKind::AddS, place.row, distance));
    }
    let mut of_columns = vec![place.column];
    for column in 1..columns {
        let distance = e.int(32, (column << LOG_COLUMNS) as i128);
        of_columns.push(e.bin(BinKind::AddS, place.column, distance));
    }
    let mut jam = Jam::new(e.ctx, &same, pure, &numbers, (columns, several));
    jam.copies = body.noted.iter().map(|op| (*op, vec![])).collect();
    if shifted {
        let of_row = |row: &Value| {
            let row = *row;
            of_columns.iter().map(move |column| [row, *column])
        };
        let [first_row, first_column] = firsts;
        jam.owned = Some(Owned {
            first_row,
            first_column,
            places: numbers.iter().flat_map(of_row).collect(),
        });
    }
    let mut maps = vec![];
    for number in &numbers {
        for column in &of_columns {
            let mut map = IrMapping::new();
            map.map_value(place.row, *number);
            map.map_value(place.column, *column);
            maps.push(map);
        }
    }
    jam.block(&mut e, &body.ops, &mut maps);
    e.finish(vec![]);
    for places in [&numbers, &of_columns] {
        extend_first(e.ctx, places);
    }
    let loads = Loads {
        alone: jam.alone,
        together: jam.together,
        work: jam.work,
        columns: None,
    };
    Jammed {
        holder: together.get_operation(),
        loads,
        own: (shifted && !jam.is_mixed).then_some(firsts),
        copies: jam.copies,
    }
}
