//! Loops in which each lane goes along a row of its own: which may be moved by all lanes, between memory and that of the gang.
//!
//! ```text
//! for (p = 0; p < n; p++)                     the lanes of a warp come to 32 lines of the cache in each iteration, and so does
//!   for (k = 0; k < 64; k++)                  what they store; all of them together load 16 elements of 32 rows as whole
//!     out[p * 64 + k] = s += in[p * 64 + k]   sectors, and store them so ([`super::write`])
//! ```
//!
//! * An address is that of the next element in each iteration, and is computed from the counter, the lane's place, parameters and
//!   constants, so that any lane can compute it for another.
//! * The loop reads nothing else that changes, but for what all lanes read, and stores nothing else, in each iteration.
//! * It does little for each element: what it reads is not in its way otherwise.
//! * Where it stores, all rows of the block are compared with each other before it starts, by their first and last elements, and are
//!   read and written where they are if they are not apart. So addresses change evenly with the place.

use super::{
    columns::Columns,
    read::{Uniform, changes},
    streams::{Owner, Staged, Tile},
};
use crate::analysis::{
    affine::{Affine, Origin, Place, motion::Iterations},
    records::bytes_of,
    strides::Stride,
    variables::is_in_variable,
};
use accrue_dialects::{
    address_use::object_of,
    core::{For, Load, PtrAdd, Store},
    flow::Flow,
};
use accrue_ir::walk::{nested_ops, operands_of};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashMap;

/// Iterations that are moved at a time: of each row a few sectors.
const MOST_ITERATIONS: u64 = 16;
const FEWEST_ITERATIONS: u64 = 8;
/// Registers of a lane for what it loads ahead.
const WORDS: u64 = 32;
/// Operations for each element: where there are more, lanes do not wait for memory, and lack the registers that loads ahead take.
const MOST_WORK: usize = 64;
/// Bytes of memory of the gang.
const MOST_BYTES: u64 = 36 << 10;

/// What a loop needs whose rows are moved by all lanes.
pub struct OwnRows {
    /// Lanes of a block, and so rows.
    pub lanes: u64,
    /// That are moved at a time: a power of two.
    pub iterations: u64,
    /// What each iteration stores, by address.
    pub written: Vec<Written>,
    /// Where iterations read what is not moved: if they store, that is to be apart, too.
    pub fixed: Vec<Value>,
}

/// Elements that iterations store, the next one each.
pub struct Written {
    pub element: TypeHandle,
    pub bytes: u64,
    pub stores: Vec<Store>,
}

impl Written {
    /// Where an iteration stores, as the loop computes it.
    pub fn address(&self, ctx: &Context) -> Value {
        self.stores[0].get_operand_address(ctx)
    }
}

impl OwnRows {
    /// From one row to the next: one more than are moved, so that lanes come to different banks.
    pub fn pitch(&self) -> u64 {
        self.iterations + 1
    }

    /// Elements that all rows take.
    pub fn elements(&self) -> u64 {
        self.pitch() * self.lanes
    }

    pub fn bytes_written(&self) -> u64 {
        self.written.iter().map(|w| w.bytes).sum::<u64>() * self.elements()
    }

    pub fn describe(&self, staged: &Staged) -> String {
        let own = staged.tiles.iter().filter(|tile| tile.owner != Owner::All);
        let read: usize = own.map(|tile| tile.slots.len()).sum();
        let s = if read == 1 { "" } else { "s" };
        let written = match self.written.len() {
            0 => String::new(),
            number => format!(" and writes {number}"),
        };
        format!(
            "each lane reads {read} row{s} of its own{written} in a loop: all lanes move them together, {} iterations at a time",
            self.iterations
        )
    }
}

/// Addresses of rows.
pub struct Rows {
    iterations: Iterations,
    by_place: Columns,
}

impl Rows {
    pub fn new(ctx: &Context, lp: For, place: Value) -> Rows {
        let counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
        Rows {
            iterations: Iterations::of(ctx, lp),
            by_place: Columns::by_place(ctx, place, counter),
        }
    }

    /// Of the columns of a nest, whose rows are in the block of other lanes as well.
    pub fn of_columns(ctx: &Context, lp: For, column: Value) -> Rows {
        let counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
        Rows {
            by_place: Columns::of_block(ctx, column, counter),
            ..Rows::new(ctx, lp, column)
        }
    }

    /// Whether the address is that of the next element in each iteration, far from the next lane's.
    pub fn holds(&mut self, ctx: &Context, uniform: &mut Uniform, address: Value) -> bool {
        let made = address.defining_op();
        let Some(element) = made.and_then(|op| Operation::get_op::<PtrAdd>(op, ctx)) else {
            return false;
        };
        let (base, index) = (
            element.get_operand_base(ctx),
            element.get_operand_index(ctx),
        );
        self.iterations.stays(ctx, base)
            && self.iterations.constant_stride(ctx, index) == Some(1)
            && matches!(
                self.by_place.stride(ctx, address),
                Stride::Far | Stride::Elsewhere
            )
            && self.by_place.is_alike(ctx, uniform, address)
    }
}

/// What moving the rows of `lp` needs, whose lanes have the iterations `place` and read `tiles`; `writes`: its stores to memory.
pub fn find(
    ctx: &Context,
    (lp, place): (For, Value),
    lanes: u64,
    writes: &[Ptr<Operation>],
    tiles: Vec<Tile>,
) -> Result<OwnRows, &'static str> {
    let body = lp.get_body(ctx, 0);
    let counter = body.deref(ctx).get_argument(0);
    let mut uniform = Uniform::with_counter(counter);
    let mut rows = Rows::new(ctx, lp, place);
    let mut affine = Affine::of_equals();
    let mut written: Vec<Written> = vec![];
    let mut numbers: HashMap<Place, usize> = HashMap::new();
    for op in writes {
        let Some(store) = Operation::get_op::<Store>(*op, ctx) else {
            return Err("it does more than to store");
        };
        let address = store.get_operand_address(ctx);
        let element = store.get_operand_value(ctx).get_type(ctx);
        let always = op.deref(ctx).get_parent_block() == Some(body);
        let bytes = bytes_of(ctx, element).filter(|_| always);
        let Some(bytes) = bytes.filter(|_| rows.holds(ctx, &mut uniform, address)) else {
            return Err("it also writes something else than the next element of a row");
        };
        match numbers.get(&affine.place(ctx, address)) {
            Some(number) => written[*number].stores.push(store),
            None => {
                numbers.insert(affine.place(ctx, address), written.len());
                written.push(Written {
                    element,
                    bytes,
                    stores: vec![store],
                });
            }
        }
    }
    let loads = tiles
        .iter()
        .flat_map(|tile| tile.slots.iter().map(move |slot| (tile, slot[0])));
    let loads: Vec<(&Tile, Load)> = loads
        .filter(|(_, load)| rows.holds(ctx, &mut uniform, load.get_operand_address(ctx)))
        .collect();
    let inside = nested_ops(ctx, lp.get_operation());
    if inside.len() > MOST_WORK * (loads.len() + written.len())
        || inside.iter().any(|op| Flow::of(ctx, *op).is_any_loop())
    {
        return Err("an iteration does much for each element");
    }
    let mut fixed = vec![];
    if !written.is_empty() {
        fixed = fixed_loads(ctx, lp, &mut uniform);
        let stores = written.iter().map(|w| w.stores[0].get_operand_address(ctx));
        let stores: Vec<Value> = stores.collect();
        let loads = loads.iter().map(|(_, load)| load.get_operand_address(ctx));
        let all = stores.iter().copied().chain(loads);
        let all: Vec<Value> = all.chain(fixed.iter().copied()).collect();
        for (number, store) in stores.iter().enumerate() {
            let object = object_of(ctx, *store);
            let mut others = all.iter().skip(number + 1);
            if others.any(|other| object_of(ctx, *other) == object) {
                return Err("it writes an array that it also reads, or writes twice");
            }
        }
        let known = |address: &Value| {
            is_even(ctx, *address, place) && rows.by_place.is_alike(ctx, &mut uniform, *address)
        };
        if !all.iter().all(known) {
            return Err("where it writes is not known before it starts");
        }
    }
    let words: u64 = loads.iter().map(|(tile, _)| tile.bytes.div_ceil(4)).sum();
    let fits = WORDS / words.max(1);
    let iterations = match fits.is_power_of_two() {
        true => fits,
        false => fits.next_power_of_two() / 2,
    };
    let found = OwnRows {
        lanes,
        iterations: iterations.min(MOST_ITERATIONS),
        written,
        fixed,
    };
    let read: u64 = loads.iter().map(|(tile, _)| tile.bytes).sum();
    let bytes = read * found.elements() + found.bytes_written();
    match found.iterations >= FEWEST_ITERATIONS && bytes <= MOST_BYTES {
        true => Ok(found),
        false => Err("they take too much memory of the gang"),
    }
}

/// The addresses of loads that are the same in all iterations, but not in all lanes: what all lanes read none of them writes.
fn fixed_loads(ctx: &Context, lp: For, uniform: &mut Uniform) -> Vec<Value> {
    let mut fixed = vec![];
    for op in nested_ops(ctx, lp.get_operation()) {
        let load = Operation::get_op::<Load>(op, ctx);
        let Some(address) = load.map(|load| load.get_operand_address(ctx)) else {
            continue;
        };
        let other = !is_in_variable(ctx, address) && !changes(ctx, address, lp);
        if other && !uniform.holds(ctx, address) && !fixed.contains(&address) {
            fixed.push(address);
        }
    }
    fixed
}

/// Whether the address changes evenly with the place.
fn is_even(ctx: &Context, address: Value, place: Value) -> bool {
    let mut affine = Affine::default();
    affine.keep_whole(ctx, place);
    let at = affine.place(ctx, address);
    let Origin::Value(origin) = *affine.origin(at.origin) else {
        return false;
    };
    let depends = |value: Value| depends(ctx, value, place);
    !depends(origin) && affine.is_linear(&at.distance, place, depends)
}

/// Whether `place` goes into the value.
fn depends(ctx: &Context, value: Value, place: Value) -> bool {
    value == place
        || value.defining_op().is_some_and(|op| {
            operands_of(ctx, op)
                .into_iter()
                .any(|operand| depends(ctx, operand, place))
        })
}
