//! Writes the body of several rows as one.
//!
//! ```text
//! x = load b[k]                              x = load b[k]
//! y = load a[row * n + k]             →      y0 = load a[row * n + k];  y1 = load a[(row + 1) * n + k]; …
//! store y * x, c[row * n + k]                store y0 * x, c[row * n + k];  store y1 * x, c[(row + 1) * n + k]; …
//! ```

use accrue_dialects::core::{
    Bin, CmpKind, For, ForInfo, If, Load, Store, Un, Yield, float_width, int_width,
};
use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_ir::walk::{nested_ops, ops_of_block, results_of};
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashMap;

use crate::analysis::{
    affine::{Affine, Place, Range},
    same::{Guard, Same, variable},
    slice::may_write,
    straight::PureFunctions,
};
use crate::gpu::accumulators::{self, is_other_access};

/// How often a loop of unknown length counts.
pub const MANY: u64 = 16;
/// Iterations of a loop that becomes straight code.
const MOST_ITERATIONS: i128 = 16;
/// Operations that loops may become in all.
const MOST_STRAIGHT: usize = 4096;

/// The rows' body while it is written.
pub struct Jam<'a> {
    same: &'a Same,
    /// What is the same for all rows of a column, and for all columns of a row.
    of_columns: Option<(&'a Same, &'a Same)>,
    columns: usize,
    pure: &'a PureFunctions,
    affine: Affine,
    rows: usize,
    /// Times that what is written now is run.
    times: u64,
    /// Addresses that a loop updates, and how often it is run: [`accumulators`] keeps what is there in registers.
    updated: HashMap<Value, u64>,
    /// Operations that may still come from loops.
    pub room: usize,
    /// Loads of all rows, each for itself, and those that were written.
    pub alone: u64,
    pub together: u64,
    /// Operations on floating-point numbers of all rows, each for itself.
    pub work: u64,
    /// The condition that is asked for all rows at once.
    guard: Option<Guard>,
    /// Where elements may be others', for which nothing is done that could be noticed: those that are the thread's own.
    pub owned: Option<Owned>,
    /// That cannot be kept apart.
    pub is_mixed: bool,
    /// What became of the operations that are asked for: copies, each for the body with this number.
    pub copies: HashMap<Ptr<Operation>, Vec<(usize, Ptr<Operation>)>>,
}

/// The elements that are the thread's own: rows and columns from the first ones on.
pub struct Owned {
    pub first_row: Value,
    pub first_column: Value,
    /// The row and the column of each body.
    pub places: Vec<[Value; 2]>,
}

impl Owned {
    /// Whether the element of a body is. It is asked where it is needed, so that no register has it in loops.
    fn holds(&self, e: &mut Emitter, body: usize) -> Value {
        let [row, column] = self.places[body];
        let in_rows = e.cmp(CmpKind::LeU, self.first_row, row);
        let in_columns = e.cmp(CmpKind::LeU, self.first_column, column);
        let no = e.int(1, 0);
        e.select(in_rows, in_columns, no)
    }
}

/// Loads of one block: what was loaded, by which row, before how many writes.
type Loaded = HashMap<Place, (Value, usize, usize)>;

impl<'a> Jam<'a> {
    /// `numbers`: the rows' numbers, one after the other. Each has so many columns, one after the other in the bodies' order; `of_columns`
    /// is given if there are several.
    pub fn new(
        ctx: &Context,
        same: &'a Same,
        pure: &'a PureFunctions,
        numbers: &[Value],
        (columns, of_columns): (usize, Option<(&'a Same, &'a Same)>),
    ) -> Jam<'a> {
        let mut affine = Affine::of_equals();
        for number in numbers {
            affine.assume(*number, Range::below(1 << 31));
        }
        affine.keep_whole(ctx, numbers[0]);
        Jam {
            same,
            of_columns,
            columns,
            pure,
            affine,
            rows: numbers.len() * columns,
            times: 1,
            updated: HashMap::new(),
            room: MOST_STRAIGHT,
            alone: 0,
            together: 0,
            work: 0,
            guard: same.guard,
            owned: None,
            is_mixed: false,
            copies: HashMap::new(),
        }
    }

    /// Writes `ops` for all rows; `maps` says what values are in each.
    pub fn block(&mut self, e: &mut Emitter, ops: &[Ptr<Operation>], maps: &mut [IrMapping]) {
        self.ops(e, ops, maps, &mut Loaded::new(), &mut 0);
    }

    fn ops(
        &mut self,
        e: &mut Emitter,
        ops: &[Ptr<Operation>],
        maps: &mut [IrMapping],
        loaded: &mut Loaded,
        writes: &mut usize,
    ) {
        for op in ops {
            if Operation::is_op::<Yield>(*op, e.ctx) {
                continue;
            }
            if let Some(guard) = self.guard.filter(|it| it.branch.get_operation() == *op) {
                self.guarded(e, guard, maps, loaded, writes);
                continue;
            }
            let together = Operation::get_op::<For>(*op, e.ctx)
                .filter(|lp| self.same.has_same_bounds(e.ctx, *lp));
            if together.is_none() {
                let mut inside = nested_ops(e.ctx, *op);
                inside.push(*op);
                inside.retain(|op| computes(e.ctx, *op, self.pure));
                let work = self.pure.size(e.ctx, &inside) as u64;
                self.work += work * self.times * self.rows as u64;
            }
            match together {
                Some(lp) => self.counted(e, lp, maps, loaded, writes),
                None if self.same.is_once(e.ctx, *op, self.pure) => self.once(e, *op, maps),
                None => self.each(e, *op, maps, loaded, writes),
            }
        }
    }

    /// The condition of most of the body: where it holds for all rows, they are written together, else one after the other.
    fn guarded(
        &mut self,
        e: &mut Emitter,
        Guard { branch, side }: Guard,
        maps: &mut [IrMapping],
        loaded: &Loaded,
        writes: &mut usize,
    ) {
        let cond = branch.get_operand_cond(e.ctx);
        let own = maps.iter().map(|map| map.lookup_value_or_default(cond));
        let own: Vec<Value> = own.collect();
        let no_side = e.int(1, side as i128);
        let of_both = |e: &mut Emitter, all, own| match side {
            0 => e.select(all, own, no_side),
            _ => e.select(all, no_side, own),
        };
        let all = own.into_iter().reduce(|all, own| of_both(e, all, own));
        let Some(all) = all else {
            return;
        };
        let (choice, yes, no) = If::new(e.ctx, all, vec![]);
        let (together, apart) = match side {
            0 => (yes, no),
            _ => (no, yes),
        };
        e.push(choice);
        e.at_end(together);
        let body = ops_of_block(e.ctx, branch.get_body(e.ctx, side));
        // What is made in there, nothing behind it uses.
        self.ops(e, &body, maps, &mut loaded.clone(), writes);
        e.finish(vec![]);
        e.at_end(apart);
        for map in maps.iter_mut() {
            e.copy(branch.get_operation(), map);
        }
        e.finish(vec![]);
        e.go_after(choice.get_operation());
        *writes += 1;
    }

    fn once(&mut self, e: &mut Emitter, op: Ptr<Operation>, maps: &mut [IrMapping]) {
        let Some((first, others)) = maps.split_first_mut() else {
            return;
        };
        if is_array_load(e.ctx, op) {
            let times = self.times_of(e.ctx, op);
            self.alone += times * self.rows as u64;
            self.together += times;
        }
        let copy = e.copy(op, first);
        let results = results_of(e.ctx, op).into_iter();
        for (from, to) in results.zip(results_of(e.ctx, copy)) {
            others.iter_mut().for_each(|map| map.map_value(from, to));
        }
    }

    fn each(
        &mut self,
        e: &mut Emitter,
        op: Ptr<Operation>,
        maps: &mut [IrMapping],
        loaded: &mut Loaded,
        writes: &mut usize,
    ) {
        let inside = nested_ops(e.ctx, op);
        let loads = std::iter::once(&op)
            .chain(&inside)
            .filter(|op| is_array_load(e.ctx, **op));
        let loads: u64 = loads.map(|op| self.times_of(e.ctx, *op)).sum();
        self.alone += loads * self.rows as u64;
        let is_load = inside.is_empty() && loads > 0;
        let noticed = self.owned.is_some()
            && std::iter::once(&op)
                .chain(&inside)
                .any(|op| is_noticed(e.ctx, *op));
        for group in self.groups(e.ctx, op) {
            let row = group[0];
            // What several elements load none of them writes.
            if noticed && !(is_load && group.len() > 1) {
                self.is_mixed |= self.times > 1;
                self.together += loads;
                self.if_owned(e, op, row, &mut maps[row]);
                continue;
            }
            let copy = e.copy(op, &mut maps[row]);
            let load = Operation::get_op::<Load>(copy, e.ctx).filter(|_| is_load);
            let mut results = results_of(e.ctx, copy);
            match load {
                None => {
                    self.together += loads;
                    self.note(op, row, copy);
                }
                Some(load) => {
                    let address = self.affine.place(e.ctx, load.get_operand_address(e.ctx));
                    let known = loaded.get(&address).copied();
                    match known.filter(|(_, by, before)| *by != row || before == writes) {
                        Some((value, ..)) => {
                            let block = copy.deref(e.ctx).get_parent_block();
                            Operation::erase(copy, e.ctx);
                            block.into_iter().for_each(|block| e.at_end(block));
                            results = vec![value];
                        }
                        None => {
                            self.together += loads;
                            self.note(op, row, copy);
                            loaded.insert(address, (load.get_result(e.ctx), row, *writes));
                        }
                    }
                }
            }
            for row in group {
                let from = results_of(e.ctx, op).into_iter();
                for (from, to) in from.zip(&results) {
                    maps[row].map_value(from, *to);
                }
            }
        }
        let writes_here = may_write(e.ctx, op) && !stores_variable(e.ctx, op);
        *writes += usize::from(writes_here);
    }

    /// Notes a copy, if it is asked for.
    fn note(&mut self, op: Ptr<Operation>, body: usize, copy: Ptr<Operation>) {
        if let Some(copies) = self.copies.get_mut(&op) {
            copies.push((body, copy));
        }
    }

    /// How often a load is run.
    fn times_of(&self, ctx: &Context, load: Ptr<Operation>) -> u64 {
        let load = Operation::get_op::<Load>(load, ctx);
        let address = load.map(|load| load.get_operand_address(ctx));
        let kept = address.and_then(|address| self.updated.get(&address));
        kept.copied().unwrap_or(self.times)
    }

    /// Does `op` for a body if its element is the thread's own.
    fn if_owned(&self, e: &mut Emitter, op: Ptr<Operation>, body: usize, map: &mut IrMapping) {
        let Some(owned) = &self.owned else {
            return;
        };
        let results = results_of(e.ctx, op);
        let types: Vec<TypeHandle> = results.iter().map(|r| r.get_type(e.ctx)).collect();
        let own = owned.holds(e, body);
        let (branch, yes, no) = If::new(e.ctx, own, types.clone());
        e.push(branch);
        e.at_end(yes);
        let copy = e.copy(op, map);
        let values = results_of(e.ctx, copy);
        e.finish(values);
        e.at_end(no);
        let zeros = types.into_iter().map(|ty| e.zero(ty)).collect();
        e.finish(zeros);
        e.go_after(branch.get_operation());
        let given = results_of(e.ctx, branch.get_operation());
        for (from, to) in results.into_iter().zip(given) {
            map.map_value(from, to);
        }
    }

    /// The bodies that one copy of `op` does for.
    fn groups(&self, ctx: &Context, op: Ptr<Operation>) -> Vec<Vec<usize>> {
        let (columns, all) = (self.columns, 0..self.rows);
        let once = |same: &Same| same.is_once(ctx, op, self.pure);
        match self.of_columns {
            Some((rows, _)) if once(rows) => (0..columns)
                .map(|column| all.clone().skip(column).step_by(columns).collect())
                .collect(),
            Some((_, columns_of_row)) if once(columns_of_row) => all
                .clone()
                .step_by(columns)
                .map(|first| (first..first + columns).collect())
                .collect(),
            Some(_) | None => all.map(|body| vec![body]).collect(),
        }
    }

    /// A loop that all rows have in common.
    fn counted(
        &mut self,
        e: &mut Emitter,
        lp: For,
        maps: &mut [IrMapping],
        loaded: &mut Loaded,
        writes: &mut usize,
    ) {
        let body = ops_of_block(e.ctx, lp.get_body(e.ctx, 0));
        let counter = lp.get_body(e.ctx, 0).deref(e.ctx).get_argument(0);
        let [lower, upper, step] = [
            lp.get_operand_lower(e.ctx),
            lp.get_operand_upper(e.ctx),
            lp.get_operand_step(e.ctx),
        ]
        .map(|value| maps[0].lookup_value_or_default(value));
        let info = lp.info(e.ctx);
        let counts = iterations(e.ctx, [lower, upper, step], info);
        let size = nested_ops(e.ctx, lp.get_operation()).len() * self.rows;
        let straight = counts.as_ref().filter(|counts| {
            counts.len() as i128 <= MOST_ITERATIONS && counts.len() * size <= self.room
        });
        if let Some(counts) = straight {
            self.room -= counts.len() * size;
            let width = int_width(e.ctx, lower.get_type(e.ctx)).unwrap_or(64);
            for count in counts {
                let here = e.int(width, *count);
                for map in maps.iter_mut() {
                    map.map_value(counter, here);
                }
                self.ops(e, &body, maps, loaded, writes);
            }
            return;
        }
        let times = counts.map_or(MANY, |counts| counts.len() as u64);
        let (together, block) = For::new(e.ctx, lower, upper, step, info);
        e.push(together);
        self.note(lp.get_operation(), 0, together.get_operation());
        together.set_jammed(e.ctx);
        e.at_end(block);
        let here = block.deref(e.ctx).get_argument(0);
        for map in maps.iter_mut() {
            map.map_value(counter, here);
        }
        for place in accumulators::updated_places(e.ctx, lp, self.pure) {
            self.updated.insert(place, self.times);
        }
        self.times *= times;
        self.block(e, &body, maps);
        self.times /= times.max(1);
        e.finish(vec![]);
        e.go_after(together.get_operation());
        let inside = nested_ops(e.ctx, lp.get_operation());
        let written = inside
            .iter()
            .any(|op| may_write(e.ctx, *op) && !stores_variable(e.ctx, *op));
        *writes += usize::from(written);
    }
}

/// The values of a counter with constant bounds, if they are not too many.
fn iterations(ctx: &Context, bounds: [Value; 3], info: ForInfo) -> Option<Vec<i128>> {
    let bounds = bounds.map(|value| constant(ctx, value));
    let [Some(lower), Some(upper), Some(1)] = bounds else {
        return None;
    };
    let least = if info.unsigned { 0 } else { -1 << 30 };
    let small = |value: i128| (least..1 << 30).contains(&value);
    (small(lower) && small(upper) && upper - lower <= 1 << 10).then(|| (lower..upper).collect())
}

/// Whether `op` computes a floating-point number.
pub fn computes(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
    let results = results_of(ctx, op);
    let arithmetic = Operation::is_op::<Bin>(op, ctx) || Operation::is_op::<Un>(op, ctx);
    results
        .iter()
        .any(|r| float_width(ctx, r.get_type(ctx)).is_some())
        && (arithmetic || pure.is_called(ctx, op))
}

/// Whether `op` loads from something else than a local variable.
pub fn is_array_load(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::get_op::<Load>(op, ctx)
        .is_some_and(|load| variable(ctx, load.get_operand_address(ctx)).is_none())
}

/// Whether `op` reads or writes memory, or does something else that could be noticed.
fn is_noticed(ctx: &Context, op: Ptr<Operation>) -> bool {
    let writes = op.deref(ctx).num_regions() == 0 && may_write(ctx, op);
    is_array_load(ctx, op) || is_other_access(ctx, op) || writes && !stores_variable(ctx, op)
}

fn stores_variable(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::get_op::<Store>(op, ctx)
        .is_some_and(|store| variable(ctx, store.get_operand_address(ctx)).is_some())
}
