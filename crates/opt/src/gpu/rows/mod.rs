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
//!    the address is computed from ([`forms`]).
//! 3. It stays if it needs few enough loads ([`MOST_LOADS`]) and if there are loads enough to matter ([`FEWEST_LOADS`]).
//!    A thread that computes for as long as its loads take is not one that waits for them ([`MOST_WORK`]).
//! 4. The program for the grid's rows gives a row to each thread where there would otherwise be too few threads; a kernel that
//!    finds itself in such a grid, which has blocks enough for all rows, does so too.
//!
//! Two iterations of an independent loop that load the same element in any case cannot be in the way of a third that
//! writes it: that would be a dependence. So a load may stand for those of other rows whatever is written in between.
//! Results are the same bits.
//!
//! Cost: linear in the size of the kernel, times the rows, with [`MOST_OPERATIONS`] as the limit.

pub mod forms;
mod jam;
mod same;

use accrue_dialects::{
    core::{BinKind, CmpKind, For, ForInfo, If, Load, int},
    par::{DimSize, GangDim, kernels::VERSION},
};
use accrue_ir::walk::{nested, nested_ops, ops_of_block};
use pliron::{
    builtin::{
        op_interfaces::{SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    value::Value,
};

use crate::{
    State,
    analysis::gang_trip,
    analysis::straight::{PureFunctions, is_straight},
    emit::{Emitter, constant},
    transform::partition::covering::{Place, place_of},
};
use accrue_dialects::core::fold::fold;
use jam::Jam;
use same::Same;

const NAME: &str = "rows";

/// Rows of a thread.
const ROWS: usize = 4;
/// Threads that there must be with several rows each, and …
const FEWEST_THREADS: i64 = 1 << 17;
/// … rows, so that blocks do not stand half empty.
const FEWEST_ROWS: i64 = 128;
/// The loads that several rows may need at most, in percent of those of single ones.
const MOST_LOADS: u64 = 75;
/// Fewer loads in a row are not worth it. What is in a loop of unknown length counts as many.
const FEWEST_LOADS: u64 = 12;
/// Operations on floating-point numbers for each load, from which on a row computes longer than it loads: four rows take
/// registers from the threads that the other units of the multiprocessor live of.
const MOST_WORK: u64 = 4;
/// Operations of a body.
const MOST_OPERATIONS: usize = 256;

/// Lets the threads of all kernels that gain do several rows.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if !state.target.gangs.handed_out || state.one_row {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    let functions = nested::<FuncOp>(ctx, module.get_operation());
    for func in functions.iter().copied() {
        let version = VERSION.get(ctx, func.get_operation());
        let (Some(version), Some(place)) = (version, place_of(ctx, func)) else {
            continue;
        };
        let message = match several_rows(ctx, func, &place, &pure) {
            Ok(Loads { alone, together }) => {
                format!(
                    "a thread does {ROWS} rows, which need {together} loads instead of {alone}, where enough threads are left"
                )
            }
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
}

/// Changes the version, or says why not, if there is something to be said.
fn several_rows(
    ctx: &mut Context,
    func: FuncOp,
    place: &Place,
    pure: &PureFunctions,
) -> Result<Loads, Option<&'static str>> {
    let body = place.inside.get_body(ctx, 0);
    let inside = nested_ops(ctx, place.inside.get_operation());
    let may_be =
        |op: &Ptr<Operation>| Operation::is_op::<For>(*op, ctx) || is_straight(ctx, *op, pure);
    if constant(ctx, place.rows).is_some_and(|rows| rows < i128::from(FEWEST_ROWS)) {
        return Err(Some("there are few rows"));
    }
    let loads = inside
        .iter()
        .filter(|op| Operation::is_op::<Load>(**op, ctx));
    if loads.count() == 0 {
        return Err(None);
    }
    if !inside.iter().all(may_be) {
        return Err(Some(
            "there are jumps, calls, arrays of its own or loops without a counter in it",
        ));
    }
    if inside.len() > MOST_OPERATIONS {
        return Err(Some("its work is long"));
    }
    if same::writes_outside(ctx, place.inside.get_operation(), &inside) {
        return Err(Some("it writes a variable of the kernel"));
    }
    let same = Same::of(ctx, &inside, place.row, pure);
    let mut e = Emitter::before(ctx, place.inside.get_operation());
    let (together, block, nothing) = If::new(e.ctx, place.in_column, vec![]);
    e.push(together);
    e.at_end(nothing);
    e.finish(vec![]);
    e.at_end(block);
    // The first row's number stands for what `choose` makes of it.
    let mut numbers = vec![place.row];
    for row in 1..ROWS {
        let distance = e.int(32, row as i128);
        numbers.push(e.bin(BinKind::AddS, place.row, distance));
    }
    let mut jam = Jam::new(&same, pure, &numbers);
    let mut maps: Vec<_> = numbers
        .iter()
        .map(|number| {
            let mut map = IrMapping::new();
            map.map_value(place.row, *number);
            map
        })
        .collect();
    let ops = ops_of_block(e.ctx, body);
    jam.block(&mut e, &ops, &mut maps);
    e.finish(vec![]);
    let loads = Loads {
        alone: jam.alone,
        together: jam.together,
    };
    let work = jam.work;
    let why = if loads.alone < FEWEST_LOADS * ROWS as u64 {
        Err(None)
    } else if work > loads.alone * MOST_WORK {
        Err(Some("it computes for longer than it loads"))
    } else if loads.together * 100 > loads.alone * MOST_LOADS {
        Err(Some(
            "its neighbours' loads have too little in common with its own",
        ))
    } else if !gang_trip::several_rows(ctx, func, ROWS as i64, FEWEST_ROWS, FEWEST_THREADS) {
        Err(Some("the number of rows is not known at the launch"))
    } else {
        Ok(loads)
    };
    if why.is_err() {
        Operation::erase(together.get_operation(), ctx);
        return why;
    }
    choose(ctx, place, together.get_operation());
    fold(ctx, func.get_operation());
    Ok(loads)
}

/// Lets a thread do its rows together if they are all there, otherwise one after the other.
fn choose(ctx: &mut Context, place: &Place, together: Ptr<Operation>) {
    let single = place.inside;
    let mut e = Emitter::before(ctx, together);
    let blocks = DimSize::of_gangs(e.ctx, Some(GangDim::Two));
    let blocks = e.value(blocks);
    let word = int(e.ctx, 32);
    let blocks = e.narrow(blocks, word);
    let threads = e.bin(BinKind::Mul, blocks, place.height);
    let several = e.cmp(CmpKind::LtU, threads, place.rows);
    let (one, rows) = (e.int(32, 1), e.int(32, ROWS as i128));
    let own = e.select(several, rows, one);
    let first = e.bin(BinKind::Mul, place.row, own);
    let in_column = e.cmp(CmpKind::LtU, first, place.rows);
    let no = e.int(1, 0);
    let inside = e.select(place.in_column, in_column, no);
    let (outer, block, nothing) = If::new(e.ctx, inside, vec![]);
    e.push(outer);
    e.at_end(nothing);
    e.finish(vec![]);
    e.at_end(block);
    let left = e.bin(BinKind::Sub, place.rows, first);
    let all = e.cmp(CmpKind::LeU, rows, left);
    let all = e.select(several, all, no);
    let (choice, whole, part) = If::new(e.ctx, all, vec![]);
    e.push(choice);
    e.finish(vec![]);
    // All rows together.
    e.at_end(whole);
    let source = Operation::get_op::<If>(together, e.ctx).map(|op| op.get_body(e.ctx, 0));
    let moved = source.map_or_else(Vec::new, |source| ops_of_block(e.ctx, source));
    for op in moved {
        op.unlink(e.ctx);
        e.push_operation(op);
        replace_operand(e.ctx, op, place.row, first);
    }
    Operation::erase(together, e.ctx);
    // Or row after row, as it was.
    e.at_end(part);
    let end = e.bin(BinKind::Add, first, own);
    let last = e.bin(BinKind::MinU, end, place.rows);
    let info = ForInfo {
        independent: false,
        unsigned: true,
    };
    let (lp, body) = For::new(e.ctx, first, last, one, info);
    e.push(lp);
    e.finish(vec![]);
    e.at_end(body);
    let row = body.deref(e.ctx).get_argument(0);
    let source = single.get_body(e.ctx, 0);
    for op in ops_of_block(e.ctx, source) {
        op.unlink(e.ctx);
        e.push_operation(op);
        replace_operand(e.ctx, op, place.row, row);
    }
    Operation::erase(single.get_operation(), e.ctx);
}

/// Lets `op` and what is in it use `to` instead of `from`.
fn replace_operand(ctx: &mut Context, op: Ptr<Operation>, from: Value, to: Value) {
    for op in std::iter::once(op).chain(nested_ops(ctx, op)) {
        let operands = accrue_ir::walk::operands_of(ctx, op);
        for (index, operand) in operands.into_iter().enumerate() {
            if operand == from {
                Operation::replace_operand(op, ctx, index, to);
            }
        }
    }
}
