//! Loops in which each lane goes down a column of its own, where there are few columns: which may be loaded ahead by other warps.
//!
//! ```text
//! for (j = 0; j < n; j++)                       n = 4096: one warp for each multiprocessor, which waits for every line
//!   for (i = 0; i < m; i++)
//!     s[j] += a[i * n + j] * t[i]               of the lanes: a[i * n + j]       of all lanes: t[i]
//! ```
//!
//! A block has the columns of one warp then, all of whose warps load; the first one computes ([`super::write`]).
//!
//! * The address is computed from the counter, the lane's place, parameters and constants, and is next to that of the next lane.
//! * The loop reads nothing else that changes, computes little for each element, and is not known to be short.
//! * Where the loop writes memory, a column is compared with all that its lane writes before the loop starts, and is read where it is
//!   if that is not elsewhere ([`Ahead::stores`]).
//! * No clause says how many lanes there are, and the loop over lanes is all of the grid. The launch takes another version where
//!   there are more than [`MOST_COLUMNS`] columns.

use super::{
    read::{Uniform, changes},
    streams::{Found, Owner, Tile},
};
use crate::analysis::{
    affine::{Affine, motion::Iterations},
    gang_trip,
    records::bytes_of,
    straight::PureFunctions,
    strides::{Stride, stride},
    variables::is_local_scalar,
};
use accrue_dialects::{
    address_use::object_of,
    core::{Bin, BinKind, Call, For, Load, Store, float_width, fold::constant, pointee},
    flow::Flow,
    par::{
        DimPos, Level,
        kernels::{Grid, OPEN_SHAPE},
    },
};
use accrue_ir::{
    effects::is_pure,
    walk::{nested_ops, operands_of, results_of},
};
use pliron::{
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::{HashMap, HashSet};

/// Columns of a block: a warp's.
pub const COLUMNS: u64 = 32;
/// Warps of a block.
pub const WARPS: u64 = 8;
/// Lanes of a block.
pub const LANES: u32 = (COLUMNS * WARPS) as u32;
/// Columns of a launch that is worth it. On an H200 4096 columns took 45 µs instead of 172, 16384 45 instead of 55, and 32768 without it 41.
pub const MOST_COLUMNS: i64 = 24576;
/// Rows that it must have at least.
pub const FEWEST_ROWS: i64 = 64;
/// Registers of a thread for what it loads ahead: 32 KB for a block.
const WORDS: u64 = 32;
/// Iterations that each warp must load at a time at least.
const FEWEST_EACH: u64 = 4;
/// Bytes of memory of the gang that all loops of a kernel may take.
const MOST_BYTES: u64 = 39 << 10;
/// Operations for each element, of which a call or a division counts as several.
const MOST_WORK: usize = 8;
const WORK_OF_CALL: usize = 8;

/// What a loop needs whose columns are loaded ahead.
#[derive(Clone, Debug)]
pub struct Ahead {
    /// The addresses that it stores to, other than variables of its own, …
    pub stores: Vec<Value>,
    /// … and those of the columns.
    pub columns: Vec<Value>,
    /// The stores are all that is done to these places, which stay the same, but for loads of what was stored: the values may be kept
    /// in variables.
    pub keeps: bool,
}

/// Whether the lanes of a version may be shared out in another way, or why not.
pub fn is_open(ctx: &Context, version: FuncOp) -> Result<(), &'static str> {
    if !OPEN_SHAPE.is_on(ctx, version.get_operation()) {
        return Err("a clause says how many workers or lanes there are");
    }
    match of_few(ctx, version, None) {
        Some(_) => Ok(()),
        None => Err("the number of iterations is not known at the launch"),
    }
}

fn of_few(ctx: &Context, version: FuncOp, rows: Option<(Value, i64)>) -> Option<Grid> {
    gang_trip::of_few(ctx, version, WARPS as i64, MOST_COLUMNS, rows)
}

/// The grid of a version that loads columns ahead.
pub fn grid(ctx: &Context, version: FuncOp, found: &Found) -> Option<Grid> {
    let lp = found.staged.iter().find(|s| s.ahead.is_some())?.lp;
    let from_zero = constant(ctx, lp.get_operand_lower(ctx)) == Some(0);
    let rows = (lp.get_operand_upper(ctx), FEWEST_ROWS);
    let long = Some(rows)
        .filter(|_| from_zero)
        .and_then(|rows| of_few(ctx, version, Some(rows)));
    long.or_else(|| of_few(ctx, version, None))
}

/// Addresses that every lane with the same place computes alike.
pub struct Columns {
    place: Value,
    counter: Value,
    /// Nothing else of the lane than its place goes into what it computes, …
    by_place: bool,
    /// … and what is the block's.
    of_block: bool,
    affine: Affine,
    known: HashMap<Value, bool>,
}

impl Columns {
    pub fn new(ctx: &Context, place: Value, counter: Value) -> Columns {
        let mut affine = Affine::of_subscripts();
        affine.keep_whole(ctx, place);
        Columns {
            place,
            counter,
            by_place: false,
            of_block: false,
            affine,
            known: HashMap::new(),
        }
    }

    /// What any lane can compute for the place of another.
    pub fn by_place(ctx: &Context, place: Value, counter: Value) -> Columns {
        Columns {
            by_place: true,
            ..Columns::new(ctx, place, counter)
        }
    }

    /// What any lane of a block can compute for the place of another.
    pub fn of_block(ctx: &Context, place: Value, counter: Value) -> Columns {
        Columns {
            of_block: true,
            ..Columns::by_place(ctx, place, counter)
        }
    }

    /// Whether the address is that of an element which is next to the next lane's.
    pub fn holds(&mut self, ctx: &Context, uniform: &mut Uniform, address: Value) -> bool {
        self.is_alike(ctx, uniform, address) && self.stride(ctx, address) == Stride::Next
    }

    /// How the address changes from one place to the next.
    pub fn stride(&mut self, ctx: &Context, address: Value) -> Stride {
        stride(ctx, &mut self.affine, address, self.place)
    }

    pub fn is_alike(&mut self, ctx: &Context, uniform: &mut Uniform, value: Value) -> bool {
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let counts = value == self.counter || self.by_place && value == self.place;
        let alike = counts || uniform.holds(ctx, value) || {
            let made = value.defining_op();
            made.is_some_and(|op| {
                let computes = is_pure(ctx, op) && op.deref(ctx).num_regions() == 0;
                let all = |columns: &mut Columns, uniform: &mut Uniform| {
                    operands_of(ctx, op)
                        .into_iter()
                        .all(|operand| columns.is_alike(ctx, uniform, operand))
                };
                // What divides is left out in lanes beyond the end.
                let position = Operation::get_op::<DimPos>(op, ctx);
                let is_known = |position: &DimPos| {
                    !self.by_place || self.of_block && position.level(ctx) == Level::Gang
                };
                let computes = computes && position.as_ref().is_none_or(is_known);
                let position = position.is_some();
                computes && !divides(ctx, op) && (position || all(self, uniform))
            })
        };
        self.known.insert(value, alike);
        alike
    }
}

fn divides(ctx: &Context, op: Ptr<Operation>) -> bool {
    let kind = Operation::get_op::<Bin>(op, ctx).map(|bin| bin.kind(ctx));
    matches!(
        kind,
        Some(BinKind::DivS | BinKind::DivU | BinKind::RemS | BinKind::RemU)
    )
}

/// What loading `columns` of `lp` ahead needs, whose lanes have the iterations `place`; `writes`: the stores of the loop to memory.
pub fn ahead(
    ctx: &Context,
    (lp, place): (For, Value),
    columns: &[Load],
    writes: &[Ptr<Operation>],
    pure: &PureFunctions,
) -> Result<Ahead, &'static str> {
    let inside = nested_ops(ctx, lp.get_operation());
    let work: usize = inside.iter().map(|op| work_of(ctx, *op, pure)).sum();
    if work > MOST_WORK * columns.len() {
        return Err("it computes more than it loads");
    }
    if inside.iter().any(|op| Flow::of(ctx, *op).is_any_loop()) {
        return Err("there is a loop in it");
    }
    let stores = writes.iter().filter_map(|op| {
        Operation::get_op::<Store>(*op, ctx).map(|store| store.get_operand_address(ctx))
    });
    let mut ahead = Ahead {
        stores: vec![],
        columns: vec![],
        keeps: false,
    };
    for address in stores {
        if !ahead.stores.contains(&address) {
            ahead.stores.push(address);
        }
    }
    for load in columns {
        let address = load.get_operand_address(ctx);
        if !ahead.columns.contains(&address) {
            ahead.columns.push(address);
        }
    }
    let object = |address: &Value| object_of(ctx, *address);
    let written: Vec<Value> = ahead.stores.iter().map(object).collect();
    if ahead
        .columns
        .iter()
        .map(object)
        .any(|o| written.contains(&o))
    {
        return Err("it writes the array that it reads");
    }
    let mut iterations = Iterations::of(ctx, lp);
    let counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    let mut uniform = Uniform::with_counter(counter);
    let mut alike = Columns::new(ctx, place, counter);
    let mut known = |address: &Value| {
        alike.is_alike(ctx, &mut uniform, *address) && iterations.moves_evenly(ctx, *address)
    };
    let mut compared = ahead.stores.iter().chain(&ahead.columns);
    if !ahead.stores.is_empty() && !compared.all(&mut known) {
        return Err("where it writes is not known before it starts");
    }
    ahead.keeps = keeps(ctx, lp, &ahead.stores, writes, &mut uniform);
    Ok(ahead)
}

/// Whether all iterations store at `stores`, each an array of its own, and read nothing that does not change but what is there, or what
/// all lanes read, so that none of them writes it.
fn keeps(
    ctx: &Context,
    lp: For,
    stores: &[Value],
    writes: &[Ptr<Operation>],
    uniform: &mut Uniform,
) -> bool {
    let block = Some(lp.get_body(ctx, 0));
    let always = writes
        .iter()
        .all(|op| op.deref(ctx).get_parent_block() == block);
    let mut iterations = Iterations::of(ctx, lp);
    let fixed = |address: &Value| {
        let number = pointee(ctx, *address).and_then(|ty| bytes_of(ctx, ty));
        number.is_some() && iterations.stays(ctx, *address)
    };
    let objects: HashSet<Value> = stores.iter().map(|s| object_of(ctx, *s)).collect();
    let mut loads = nested_ops(ctx, lp.get_operation())
        .into_iter()
        .filter_map(|op| {
            let load = Operation::get_op::<Load>(op, ctx)?;
            Some(load.get_operand_address(ctx))
        });
    always
        && objects.len() == stores.len()
        && stores.iter().all(fixed)
        && loads.all(|address| {
            stores.contains(&address)
                || is_local_scalar(ctx, address)
                || changes(ctx, address, lp)
                || uniform.holds(ctx, address)
        })
}

fn work_of(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> usize {
    let results = results_of(ctx, op);
    let mut numbers = results.iter().map(|result| result.get_type(ctx));
    let on_floats = numbers.any(|ty| float_width(ctx, ty).is_some());
    let divides = Operation::get_op::<Bin>(op, ctx).is_some_and(|bin| {
        let power = constant(ctx, bin.get_operand_rhs(ctx)).is_some();
        matches!(bin.kind(ctx), BinKind::FDiv) || divides(ctx, op) && !power
    });
    match () {
        () if pure.is_called(ctx, op) || Operation::is_op::<Call>(op, ctx) || divides => {
            WORK_OF_CALL
        }
        () if on_floats && !Operation::is_op::<Load>(op, ctx) => 1,
        () => 0,
    }
}

/// Iterations at a time of a loop with these tiles, if `loops` of the kernel load ahead; `None` where they would be too few.
pub fn iterations(tiles: &[Tile], loops: u64) -> Option<u64> {
    let own = tiles.iter().filter(|tile| tile.owner == Owner::Columns);
    let words: u64 = own
        .map(|tile| tile.slots.len() as u64 * tile.bytes.div_ceil(4))
        .sum();
    let each = WORDS / loops.next_power_of_two() / words.max(1);
    let each = match each.is_power_of_two() {
        true => each,
        false => each.next_power_of_two() / 2,
    };
    (each >= FEWEST_EACH).then_some(each * WARPS)
}

/// Settles how many iterations of each loop are loaded at a time; false if there is not enough memory for all of them.
pub fn settle(found: &mut Found) -> bool {
    let loops = found.staged.iter().filter(|s| s.ahead.is_some()).count() as u64;
    for staged in found.staged.iter_mut().filter(|s| s.ahead.is_some()) {
        match iterations(&staged.tiles, loops) {
            Some(number) => staged.iterations = number,
            None => return false,
        }
    }
    let bytes = found.staged.iter().flat_map(|staged| {
        let tiles = staged.tiles.iter();
        let tiles = tiles.map(|tile| tile.length(staged.iterations) * tile.bytes);
        let written = staged.rows.iter().map(|rows| rows.bytes_written());
        tiles.chain(written)
    });
    bytes.sum::<u64>() <= MOST_BYTES
}
