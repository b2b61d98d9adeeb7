//! Loops in which all lanes read the same, and what they read.
//!
//! ```text
//! for j: { dx = p[j].x - x;  w += q[2 * j + 1];  v = s[i][j] }          streams: p[j].x, q[2 * j + 1]        not: s[i][j]
//! ```

use accrue_dialects::{
    core::fold::constant,
    core::{Alloca, Decay, For, If, Load, Member, PtrAdd, Store, int_width},
    flow::Flow,
};
use accrue_ir::{
    effects::is_pure,
    walk::{nested_ops, operands_of, ops_of_block},
};
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashMap;

use super::{
    columns::{self, Ahead, COLUMNS, FEWEST_ROWS, MOST_COLUMNS},
    lines::Lines,
    own_rows::{self, OwnRows},
    read::{Read, Uniform},
};
use crate::analysis::{
    affine::{Affine, Place},
    records::bytes_of,
    straight::PureFunctions,
    variables::defined_inside,
};

/// Iterations whose elements are staged at a time: as many as a block of a loop with loops in it has lanes.
const ITERATIONS: u64 = 128;
/// At least, or it is not worth the barriers.
const FEWEST_ITERATIONS: u64 = 32;
/// Bytes that a loop may stage, so that as many blocks fit on a multiprocessor as without.
const MOST_BYTES: u64 = 8 << 10;
/// Loops of fewer iterations are left alone.
const FEWEST: i128 = 16;

pub const NOT: &str = "what all lanes read in a loop is loaded by each of them";
const NOT_ROWS: &str = "rows that lanes go along are not moved by all lanes";
const NOT_AHEAD: &str = "what lanes read in a loop is not loaded ahead by other warps";

/// What was found in a kernel.
#[derive(Default)]
pub struct Found {
    pub staged: Vec<Staged>,
    /// One of the loops writes memory, so that there must be several iterations.
    pub writes: bool,
    /// Why loops that read something in all lanes are left alone, or those whose lanes read columns.
    pub refused: Vec<String>,
}

impl Found {
    /// Whether columns are loaded ahead, so that blocks are shared out in another way.
    pub fn is_ahead(&self) -> bool {
        self.staged.iter().any(|staged| staged.ahead.is_some())
    }
}

/// A loop, and the loads in it that become loads from memory of the gang.
pub struct Staged {
    pub lp: For,
    /// Elements of one type each.
    pub tiles: Vec<Tile>,
    /// Iterations at a time, a power of two.
    pub iterations: u64,
    /// The loop writes memory.
    pub writes: bool,
    /// Each lane reads columns of its own, which are loaded while the elements before them are used.
    pub ahead: Option<Ahead>,
    /// Each lane reads a row of its own.
    pub rows: Option<OwnRows>,
    /// Each column of a nest reads a row of its own.
    pub lines: Option<Lines>,
}

/// Whose elements are in a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// All lanes read the same.
    All,
    /// Each lane has a column, next to the next lane's.
    Columns,
    /// Each lane has a row: elements that all rows of a slot take.
    Rows(u64),
    /// Each column of a nest has a row: elements of each row.
    Lines(u64),
}

/// Elements of one type that are read in an iteration.
pub struct Tile {
    pub element: TypeHandle,
    pub bytes: u64,
    pub owner: Owner,
    /// The loads of each element, of which the first stands for all.
    pub slots: Vec<Vec<Load>>,
}

impl Tile {
    /// Elements from one iteration to the next, so many that they can be loaded several at once.
    pub fn stride(&self) -> u64 {
        let count = self.slots.len() as u64;
        match self.owner {
            Owner::All => {}
            Owner::Columns => return count * COLUMNS,
            Owner::Rows(_) | Owner::Lines(_) => return 1,
        }
        let together = (16 / self.bytes).max(1);
        match count < together {
            true => count.next_power_of_two(),
            false => count.next_multiple_of(together),
        }
    }

    /// Elements from one slot to the next.
    pub fn distance(&self) -> u64 {
        match self.owner {
            Owner::All => 1,
            Owner::Columns => COLUMNS,
            Owner::Rows(elements) => elements,
            Owner::Lines(pitch) => COLUMNS * pitch,
        }
    }

    /// Elements of so many iterations.
    pub fn length(&self, iterations: u64) -> u64 {
        match self.owner {
            Owner::All | Owner::Columns => self.stride() * iterations,
            Owner::Rows(_) | Owner::Lines(_) => self.distance() * self.slots.len() as u64,
        }
    }
}

impl Staged {
    pub fn describe(&self) -> String {
        if let Some(rows) = &self.rows {
            return rows.describe(self);
        }
        let own = self.tiles.iter().filter(|tile| tile.owner != Owner::All);
        let count: usize = own.map(|tile| tile.slots.len()).sum();
        if count > 0 {
            let s = if count == 1 { "" } else { "s" };
            return format!(
                "{count} column{s} that each lane reads in a loop: loaded by all warps of a gang, {} iterations ahead, while the \
                 first warp goes on in order, in launches of 2 to {MOST_COLUMNS} iterations",
                self.iterations
            );
        }
        let count: usize = self.tiles.iter().map(|tile| tile.slots.len()).sum();
        let s = if count == 1 { "" } else { "s" };
        format!(
            "{count} element{s} that all lanes read in an iteration of a loop: loaded once by the gang, for {} iterations at a time",
            self.iterations
        )
    }
}

/// What the kernel allows and asks for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Loops may write memory: there are several iterations.
    pub may_write: bool,
    /// A `cache` directive asks for it, also next to other loads.
    pub asked: bool,
    /// The iteration of a lane, if there are no other dimensions.
    pub place: Option<Value>,
    /// Whether lanes may be shared out in another way, or why not.
    pub open: Result<(), &'static str>,
    /// How many lanes blocks have, if that is known, and rows may be moved by all of them.
    pub lanes: Option<u64>,
}

/// The loops directly in `at`, whose condition says which lanes have an iteration. They may write what other memory there is if there
/// are several iterations.
pub fn find(ctx: &Context, at: If, pure: &PureFunctions, wanted: Wanted) -> Found {
    let mut found = Found::default();
    let mut uniform = Uniform::default();
    for op in ops_of_block(ctx, at.get_body(ctx, 0)) {
        let Some(lp) = Operation::get_op::<For>(op, ctx) else {
            continue;
        };
        match staged(ctx, (at, lp), (pure, wanted), &mut uniform) {
            Ok(staged) => {
                found.writes |= staged.writes;
                found.staged.push(staged);
            }
            Err(Some(why)) => found.refused.push(why),
            Err(None) => {}
        }
    }
    let has_rows = found.staged.iter().any(|staged| staged.rows.is_some());
    let fits = columns::settle(&mut found);
    if has_rows && (found.is_ahead() || !fits) {
        // Lanes are shared out in one way for all loops.
        let lanes = None;
        return find(ctx, at, pure, Wanted { lanes, ..wanted });
    }
    if found.is_ahead() && !fits {
        let open = Err("it reads too much in an iteration");
        return find(ctx, at, pure, Wanted { open, ..wanted });
    }
    found
}

/// What may be staged of a loop; or why not, if there is something to be said.
fn staged(
    ctx: &Context,
    (at, lp): (If, For),
    (pure, wanted): (&PureFunctions, Wanted),
    uniform: &mut Uniform,
) -> Result<Staged, Option<String>> {
    let bounds = [lp.get_operand_lower(ctx), lp.get_operand_upper(ctx)];
    let width = int_width(ctx, bounds[0].get_type(ctx)).unwrap_or(0);
    let counts = constant(ctx, lp.get_operand_step(ctx)) == Some(1) && (32..=64).contains(&width);
    let [first, end] = bounds.map(|bound| constant(ctx, bound));
    let count = first.zip(end).map(|(first, end)| end - first);
    if !counts || count.is_some_and(|count| count < FEWEST) {
        return Err(None);
    }
    let read = Read::of(ctx, lp, wanted);
    let alike = bounds.into_iter().all(|bound| uniform.holds(ctx, bound));
    let own = at.get_operation().deref(ctx).get_region(0);
    let harmful: Vec<_> = nested_ops(ctx, lp.get_operation())
        .into_iter()
        .filter(|op| !is_harmless(ctx, *op, pure, own))
        .collect();
    let writes = !harmful.is_empty();
    let stores = harmful.iter().all(|op| is_plain_store(ctx, *op));
    let goes_on = match (alike, stores, writes && !wanted.may_write) {
        (false, _, _) => Err("the bounds of the loop may differ from lane to lane"),
        (true, false, _) => Err("the loop calls a function or is left early"),
        (true, true, true) => Err(
            "the loop writes memory, and whether there are several iterations is not known at the launch",
        ),
        (true, true, false) => Ok(()),
    };
    let is_short = count.is_some_and(|count| count < i128::from(FEWEST_ROWS));
    let place = wanted
        .place
        .filter(|_| !read.columns.is_empty() && read.rows.is_empty())
        .filter(|_| !read.others && !is_short);
    if let Some(place) = place {
        let ahead = goes_on
            .and(wanted.open)
            .and_then(|_| columns::ahead(ctx, (lp, place), &read.columns, &harmful, pure));
        match ahead {
            Ok(ahead) => {
                let mut tiles = tiles(ctx, read.columns, Owner::Columns);
                tiles.extend(self::tiles(ctx, read.streams, Owner::All));
                return Ok(Staged {
                    lp,
                    tiles,
                    iterations: 0,
                    writes,
                    ahead: Some(ahead),
                    rows: None,
                    lines: None,
                });
            }
            Err(why) if read.streams.is_empty() || !wanted.asked => {
                return Err(Some(format!("{NOT_AHEAD}: {why}")));
            }
            Err(_) => {}
        }
    }
    let place = wanted
        .place
        .filter(|_| !read.rows.is_empty() && read.columns.is_empty() && !read.others);
    if let Some((place, lanes)) = place.zip(wanted.lanes) {
        let tiles = |owner| {
            let mut tiles = tiles(ctx, read.rows.clone(), owner);
            tiles.extend(self::tiles(ctx, read.streams.clone(), Owner::All));
            tiles
        };
        let rows = goes_on
            .and_then(|()| own_rows::find(ctx, (lp, place), lanes, &harmful, tiles(Owner::All)));
        match rows {
            Ok(rows) => {
                return Ok(Staged {
                    lp,
                    tiles: tiles(Owner::Rows(rows.elements())),
                    iterations: rows.iterations,
                    writes,
                    ahead: None,
                    rows: Some(rows),
                    lines: None,
                });
            }
            Err(why) if read.streams.is_empty() || !wanted.asked => {
                return Err(Some(format!("{NOT_ROWS}: {why}")));
            }
            Err(_) => {}
        }
    }
    if read.streams.is_empty() {
        return Err(None);
    }
    if (read.others || !read.columns.is_empty() || !read.rows.is_empty()) && !wanted.asked {
        let why = "the loop also reads what differs from lane to lane";
        return Err(Some(format!("{NOT}: {why}")));
    }
    goes_on.map_err(|why| format!("{NOT}: {why}"))?;
    let tiles = tiles(ctx, read.streams, Owner::All);
    let record: u64 = tiles.iter().map(|tile| tile.stride() * tile.bytes).sum();
    let mut iterations = ITERATIONS;
    let known = count.and_then(|count| u64::try_from(count).ok());
    if let Some(known) = known.filter(|known| *known < ITERATIONS) {
        iterations = known.next_power_of_two();
    }
    while iterations * record > MOST_BYTES {
        iterations /= 2;
    }
    if iterations < FEWEST_ITERATIONS && known.is_none_or(|known| known > iterations) {
        return Err(Some(format!("{NOT}: it reads too much in an iteration")));
    }
    Ok(Staged {
        lp,
        tiles,
        iterations,
        writes,
        ahead: None,
        rows: None,
        lines: None,
    })
}

/// The loads by type and by what their addresses are computed from.
fn tiles(ctx: &Context, loads: Vec<Load>, owner: Owner) -> Vec<Tile> {
    let mut affine = Affine::of_equals();
    let mut places: HashMap<Place, (usize, usize)> = HashMap::new();
    let mut tiles: Vec<Tile> = vec![];
    for load in loads {
        let address = affine.place(ctx, load.get_operand_address(ctx));
        if let Some((tile, slot)) = places.get(&address) {
            tiles[*tile].slots[*slot].push(load);
            continue;
        }
        let element = load.result_type(ctx);
        let known = tiles.iter().position(|tile| tile.element == element);
        let tile = known.unwrap_or_else(|| {
            tiles.push(Tile {
                element,
                bytes: bytes_of(ctx, element).unwrap_or(1),
                owner,
                slots: vec![],
            });
            tiles.len() - 1
        });
        places.insert(address, (tile, tiles[tile].slots.len()));
        tiles[tile].slots.push(vec![load]);
    }
    tiles
}

/// Whether an operation inside of the loop is nothing that others could notice, and goes on with what comes behind it.
fn is_harmless(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions, own: Ptr<Region>) -> bool {
    if let Some(store) = Operation::get_op::<Store>(op, ctx) {
        return own_variable(ctx, store.get_operand_address(ctx), own) && !store.is_volatile(ctx);
    }
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        return !load.is_volatile(ctx);
    }
    match Flow::of(ctx, op) {
        Flow::If(_) | Flow::Switch(_) | Flow::Loop(_) | Flow::For(_) => true,
        Flow::Break | Flow::Yield => true,
        Flow::Continue | Flow::Return | Flow::Shared | Flow::Once => false,
        Flow::Next => {
            Operation::is_op::<Alloca>(op, ctx) || is_pure(ctx, op) || pure.is_called(ctx, op)
        }
    }
}

fn is_plain_store(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::get_op::<Store>(op, ctx).is_some_and(|store| !store.is_volatile(ctx))
}

/// Whether the address is in a variable that is made inside `own`.
fn own_variable(ctx: &Context, address: Value, own: Ptr<Region>) -> bool {
    let Some(op) = address.defining_op() else {
        return false;
    };
    let goes_on = Operation::is_op::<PtrAdd>(op, ctx)
        || Operation::is_op::<Member>(op, ctx)
        || Operation::is_op::<Decay>(op, ctx);
    match operands_of(ctx, op).first() {
        Some(base) if goes_on => own_variable(ctx, *base, own),
        Some(_) | None => Operation::is_op::<Alloca>(op, ctx) && defined_inside(ctx, address, own),
    }
}
