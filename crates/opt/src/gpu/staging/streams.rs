//! Loops in which all lanes read the same, and what they read.
//!
//! ```text
//! for j: { dx = p[j].x - x;  w += q[2 * j + 1];  v = s[i][j] }          streams: p[j].x, q[2 * j + 1]        not: s[i][j]
//! ```

use accrue_dialects::{
    core::fold::constant,
    core::{Alloca, Decay, For, If, Load, Member, PtrAdd, Store, float_width, int_width},
    flow::Flow,
    par::DimPos,
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

use crate::{
    analysis::{
        straight::PureFunctions,
        variables::{defined_inside, is_local_scalar, is_parameter},
    },
    gpu::rows::forms::{Address, Forms},
};

/// Iterations whose elements are staged at a time: as many as a block of a loop with loops in it has lanes.
const ITERATIONS: u64 = 128;
/// At least, or it is not worth the barriers.
const FEWEST_ITERATIONS: u64 = 32;
/// Bytes that a loop may stage, so that as many blocks fit on a multiprocessor as without.
const MOST_BYTES: u64 = 8 << 10;
/// Loops of fewer iterations are left alone.
const FEWEST: i128 = 16;

/// What was found in a kernel.
#[derive(Default)]
pub struct Found {
    pub staged: Vec<Staged>,
    /// One of the loops writes memory, so that there must be several iterations.
    pub writes: bool,
    /// Why loops that read something in all lanes are left alone.
    pub refused: Vec<&'static str>,
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
}

/// Elements of one type that all lanes read in an iteration.
pub struct Tile {
    pub element: TypeHandle,
    pub bytes: u64,
    /// The loads of each element, of which the first stands for all.
    pub slots: Vec<Vec<Load>>,
}

impl Tile {
    /// Elements from one iteration to the next, so many that they can be loaded several at once.
    pub fn stride(&self) -> u64 {
        let count = self.slots.len() as u64;
        let together = (16 / self.bytes).max(1);
        match count < together {
            true => count.next_power_of_two(),
            false => count.next_multiple_of(together),
        }
    }
}

impl Staged {
    pub fn describe(&self) -> String {
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
}

/// The loops directly in `place`, whose condition says which lanes have an iteration. They may write what other memory there is if there
/// are several iterations.
pub fn find(ctx: &Context, place: If, pure: &PureFunctions, wanted: Wanted) -> Found {
    let mut found = Found::default();
    let mut uniform = Uniform::default();
    for op in ops_of_block(ctx, place.get_body(ctx, 0)) {
        let Some(lp) = Operation::get_op::<For>(op, ctx) else {
            continue;
        };
        match staged(ctx, (place, lp), (pure, wanted), &mut uniform) {
            Ok(staged) => {
                found.writes |= staged.writes;
                found.staged.push(staged);
            }
            Err(Some(why)) => found.refused.push(why),
            Err(None) => {}
        }
    }
    found
}

/// What may be staged of a loop; or why not, if there is something to be said.
fn staged(
    ctx: &Context,
    (place, lp): (If, For),
    (pure, wanted): (&PureFunctions, Wanted),
    uniform: &mut Uniform,
) -> Result<Staged, Option<&'static str>> {
    let bounds = [lp.get_operand_lower(ctx), lp.get_operand_upper(ctx)];
    let width = int_width(ctx, bounds[0].get_type(ctx)).unwrap_or(0);
    let counts = constant(ctx, lp.get_operand_step(ctx)) == Some(1) && (32..=64).contains(&width);
    let [first, end] = bounds.map(|bound| constant(ctx, bound));
    let count = first.zip(end).map(|(first, end)| end - first);
    if !counts || count.is_some_and(|count| count < FEWEST) {
        return Err(None);
    }
    let body = lp.get_body(ctx, 0);
    let counter = body.deref(ctx).get_argument(0);
    let mut inside = Uniform::with_counter(counter);
    let mut loads: Vec<Load> = vec![];
    let mut others = false;
    for op in nested_ops(ctx, lp.get_operation()) {
        let Some(load) = Operation::get_op::<Load>(op, ctx) else {
            continue;
        };
        let address = load.get_operand_address(ctx);
        if is_local_scalar(ctx, address) || !changes(ctx, address, lp) {
            continue;
        }
        let always = op.deref(ctx).get_parent_block() == Some(body);
        let stream = always
            && !load.is_volatile(ctx)
            && bytes_of(ctx, load.result_type(ctx)).is_some()
            && inside.holds(ctx, address);
        match stream {
            true => loads.push(load),
            false => others = true,
        }
    }
    if loads.is_empty() {
        return Err(None);
    }
    if others && !wanted.asked {
        return Err(Some("the loop also reads what differs from lane to lane"));
    }
    if !bounds.into_iter().all(|bound| uniform.holds(ctx, bound)) {
        return Err(Some("the bounds of the loop may differ from lane to lane"));
    }
    let inside = nested_ops(ctx, lp.get_operation());
    let own = place.get_operation().deref(ctx).get_region(0);
    let harmful: Vec<_> = inside
        .into_iter()
        .filter(|op| !is_harmless(ctx, *op, pure, own))
        .collect();
    let writes = !harmful.is_empty();
    if !harmful.iter().all(|op| is_plain_store(ctx, *op)) {
        return Err(Some("the loop calls a function or is left early"));
    }
    if writes && !wanted.may_write {
        return Err(Some(
            "the loop writes memory, and whether there are several iterations is not known at the launch",
        ));
    }
    let tiles = tiles(ctx, loads);
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
        return Err(Some("it reads too much in an iteration"));
    }
    Ok(Staged {
        lp,
        tiles,
        iterations,
        writes,
    })
}

/// The loads by type and by what their addresses are computed from.
fn tiles(ctx: &Context, loads: Vec<Load>) -> Vec<Tile> {
    let mut forms = Forms::new(&[]);
    let mut places: HashMap<Address, (usize, usize)> = HashMap::new();
    let mut tiles: Vec<Tile> = vec![];
    for load in loads {
        let address = forms.address(ctx, load.get_operand_address(ctx));
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
                slots: vec![],
            });
            tiles.len() - 1
        });
        places.insert(address, (tile, tiles[tile].slots.len()));
        tiles[tile].slots.push(vec![load]);
    }
    tiles
}

/// Size of a number.
fn bytes_of(ctx: &Context, ty: TypeHandle) -> Option<u64> {
    let bits = int_width(ctx, ty).or_else(|| float_width(ctx, ty))?;
    matches!(bits, 8 | 16 | 32 | 64).then(|| u64::from(bits / 8))
}

/// Whether something that changes in `lp` goes into the value.
fn changes(ctx: &Context, value: Value, lp: For) -> bool {
    let region = lp.get_operation().deref(ctx).get_region(0);
    if !defined_inside(ctx, value, region) {
        return false;
    }
    let Some(op) = value.defining_op() else {
        return true;
    };
    !is_pure(ctx, op)
        || op.deref(ctx).num_regions() > 0
        || operands_of(ctx, op)
            .into_iter()
            .any(|operand| changes(ctx, operand, lp))
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

/// Values that all lanes of the grid compute alike: from parameters and constants, and perhaps from a counter.
#[derive(Default)]
pub struct Uniform {
    counter: Option<Value>,
    known: HashMap<Value, bool>,
}

impl Uniform {
    /// From the counter, too.
    pub fn with_counter(counter: Value) -> Uniform {
        Uniform {
            counter: Some(counter),
            known: HashMap::new(),
        }
    }

    pub fn holds(&mut self, ctx: &Context, value: Value) -> bool {
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let holds = match value.defining_op() {
            Some(op) => {
                is_pure(ctx, op)
                    && op.deref(ctx).num_regions() == 0
                    && !Operation::is_op::<DimPos>(op, ctx)
                    && operands_of(ctx, op)
                        .into_iter()
                        .all(|operand| self.holds(ctx, operand))
            }
            None => Some(value) == self.counter || is_parameter(ctx, value),
        };
        self.known.insert(value, holds);
        holds
    }
}
