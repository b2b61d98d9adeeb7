//! Pass `partition`: loops of kernels run over the share of each gang, worker and vector lane.
//!
//! A loop with levels is put between `par.fork` and `par.join` of each; iterations are counted from 0 in `i64`.
//!
//! For CPU cores each thread takes a contiguous chunk ([`blocked`]).
//! Where arrays are accessed along their columns, the two innermost loops run in tiles ([`across`]); so do those with a `tile`
//! clause ([`tiles`]).
//!
//! For GPUs the iterations are dealt out in turn ([`cyclic`]), or the grid covers them ([`covering`]).
//!
//! A loop over one gang dimension has the positions in that dimension instead of those of all gangs.
//!
//! A loop without levels becomes a plain nest of `core.for`. A step that is no constant is counted: `i = a + k * step`.

mod across;
mod blocked;
pub mod covering;
mod cyclic;
mod digits;
mod patch;
mod tiles;

use accrue_abi::launch::VECTOR;
use accrue_dialects::{
    core::emit::Emitter,
    core::{self, For, ForInfo},
    flow::Flow,
    par::{
        DimPos, DimSize, Fork, GangDim, Join, Level, Levels, Loop, Reduce, kernel_of,
        kernels::VERSION,
    },
};
use accrue_ir::walk;
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        op_interfaces::{SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};

use crate::{
    Distribution, State, Switch,
    analysis::gang_trip::{self, BlockShape},
    analysis::only_loops::has_only_loops,
    analysis::trip::{Dimension, NotCounted},
    analysis::uneven::{Functions, has_uneven_iterations},
};

/// Partitions the loops of all kernels; those of other functions have no levels.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let all = walk::directly_in::<FuncOp>(ctx, module.get_operation());
    let functions: Functions = all
        .iter()
        .map(|f| (f.get_symbol_name(ctx).to_string(), *f))
        .collect();
    let blocked = state.target.distribution == Distribution::Blocked;
    let externs = core::Externs::of_module(ctx, module.get_operation());
    // Of all kernels before any function changes, because they look into what they call.
    for func in &all {
        if kernel_of(ctx, func).is_some() && has_only_loops(ctx, *func, &functions, &externs) {
            gang_trip::note_only_loops(ctx, *func);
            if blocked && has_uneven_iterations(ctx, *func, &functions) {
                gang_trip::note_uneven(ctx, *func);
            }
        }
    }
    for func in all {
        if blocked {
            across::merge_nests(ctx, func);
        }
        for lp in walk::nested::<Loop>(ctx, func.get_operation()) {
            lower_loop(ctx, func, lp, state);
        }
    }
}

fn lower_loop(ctx: &mut Context, func: FuncOp, lp: Loop, state: &mut State) {
    let operation = lp.get_operation();
    let Some(dims) = dimensions(ctx, lp, state) else {
        return;
    };
    let (id, levels) = (lp.id(ctx).0, lp.levels(ctx));
    let list = levels.list();
    let axes: Vec<_> = list
        .iter()
        .map(|level| Axis {
            level: *level,
            dim: lp.gang_dim(ctx),
        })
        .collect();
    let tile = lp.tile(ctx).filter(|sizes| sizes.0.len() == dims.len());
    // The iterations of one loop stay together by themselves on cores.
    let in_tiles = levels.independent
        && !list.is_empty()
        && !(dims.len() == 1 && state.target.distribution == Distribution::Blocked);
    let version = VERSION.get(ctx, func.get_operation());
    let covered = version.is_some_and(|version| version.kind.is_grid());
    if tile.is_some() && !in_tiles {
        let message = "`tile` has no effect: iterations run in the order of the loops";
        state.remark(ctx, operation, "partition", message.to_string());
    }
    let tile = tile.filter(|_| in_tiles);
    let mut e = Emitter::before(ctx, operation);
    for level in &list {
        let fork = Fork::new(e.ctx, *level, id);
        e.push(fork);
    }
    let nest = match (
        list.is_empty(),
        state.target.distribution,
        dims.as_slice(),
        covered,
    ) {
        (true, _, dims, _) => sequential(&mut e, dims, levels),
        (false, Distribution::Cyclic, dims, true) => {
            let patch =
                patch::log_columns(e.ctx, lp).filter(|_| !state.off.is_off(Switch::Patches));
            let wanted = tile.as_ref().and_then(tiles::log_columns);
            let log = patch.into_iter().chain(wanted).min();
            let (nest, counts, log_columns) = covering::nest(&mut e, lp, dims, levels, log);
            let shape = BlockShape {
                rows_as_one: covering::rows_as_one(log_columns),
                lanes: (dims.len() == 1 && has_loops(e.ctx, operation)).then_some(VECTOR),
                joined: dims.len() > 1 && counts.len() == 1,
            };
            gang_trip::note_covered(e.ctx, func, &counts, shape);
            if wanted == Some(log_columns) {
                let message = format!(
                    "blocks of the version for covering grids have {} columns, for `tile`",
                    1 << log_columns
                );
                remark_on_kernel(e.ctx, func, state, message);
            }
            if patch == Some(log_columns) {
                let message = format!(
                    "blocks of the version for covering grids have {} columns and more rows: arrays are accessed along the columns",
                    1 << log_columns
                );
                remark_on_kernel(e.ctx, func, state, message);
            }
            nest
        }
        (false, Distribution::Cyclic, dims, false) => {
            let unfit = |tile| tiles::log_columns(tile).is_none();
            if tile.as_ref().is_some_and(unfit) {
                state.remark(e.ctx, operation, "partition", TILE_UNFIT.to_string());
            }
            let reduced = is_reduced(e.ctx, func, lp);
            let (nest, count) = cyclic::nest(&mut e, dims, &axes, levels, reduced);
            gang_trip::note(e.ctx, func, &list, lp.gang_dim(e.ctx), count);
            nest
        }
        (false, Distribution::Blocked, dims, _) if tile.is_some() => {
            let sizes = tile.as_ref().map_or(vec![], tiles::sizes_on_cores);
            let shown: Vec<_> = sizes.iter().map(u64::to_string).collect();
            let message = format!("tiles of {} iterations stay together", shown.join(" x "));
            state.remark(e.ctx, operation, "partition", message);
            tiles::nest(&mut e, dims, &sizes, &axes, levels)
        }
        (false, Distribution::Blocked, [dim], _) => {
            blocked::one_dimension(&mut e, dim, &axes, levels)
        }
        (false, Distribution::Blocked, dims, _) => {
            let tiled = across::are_wanted(e.ctx, func, lp);
            if tiled {
                let message = format!(
                    "runs in tiles of {} × {} iterations: arrays are accessed along the columns",
                    across::ROWS,
                    across::COLUMNS
                );
                state.remark(e.ctx, operation, "partition", message);
            }
            blocked::collapsed(&mut e, dims, &axes, levels, tiled)
        }
    };
    e.go_after(nest.outermost);
    for level in list.iter().rev() {
        let join = Join::new(e.ctx, *level, id);
        e.push(join);
    }
    move_body(ctx, lp, &nest);
    Operation::erase(operation, ctx);
}

const TILE_UNFIT: &str = "`tile` leaves the shape of blocks to the compiler: it says how many columns they have, 4 at least, in a nest of loops";

/// Remarks something on the kernel of which `version` is another version.
fn remark_on_kernel(ctx: &Context, version: FuncOp, state: &mut State, message: String) {
    let module = version.get_operation().deref(ctx).get_parent_op(ctx);
    let functions = module.map_or(vec![], |module| walk::directly_in::<FuncOp>(ctx, module));
    let of = VERSION.get(ctx, version.get_operation());
    let kernel = functions.into_iter().find(|f| {
        let name = f.get_symbol_name(ctx).to_string();
        of.as_ref().is_some_and(|of| of.kernel == name)
    });
    if let Some(kernel) = kernel {
        state.remark(ctx, kernel.get_operation(), "partition", message);
    }
}

/// Whether something is reduced over the loop.
fn is_reduced(ctx: &Context, func: FuncOp, lp: Loop) -> bool {
    let reductions = walk::nested::<Reduce>(ctx, func.get_operation());
    let id = lp.id(ctx).0;
    reductions.iter().any(|r| r.reduced(ctx).loop_id == id)
}

/// Whether there are loops in `op`.
fn has_loops(ctx: &Context, op: Ptr<Operation>) -> bool {
    let mut inside = walk::nested_ops(ctx, op).into_iter();
    inside.any(|op| Flow::of(ctx, op).is_any_loop())
}

/// A level that a loop is spread over.
#[derive(Clone, Copy)]
struct Axis {
    level: Level,
    /// Of gangs: the only dimension, if it is not all of them as one.
    dim: Option<GangDim>,
}

impl Axis {
    /// This thread's position, and the number of threads.
    fn place(self, e: &mut Emitter) -> (Value, Value) {
        let (size, position) = match self.level {
            Level::Gang => (
                DimSize::of_gangs(e.ctx, self.dim),
                DimPos::of_gangs(e.ctx, self.dim),
            ),
            Level::Worker | Level::Vector => (
                DimSize::new(e.ctx, self.level),
                DimPos::new(e.ctx, self.level),
            ),
        };
        let size = e.value(size);
        (e.value(position), size)
    }
}

/// The dimensions of the loop; `None` after an error.
fn dimensions(ctx: &Context, lp: Loop, state: &mut State) -> Option<Vec<Dimension>> {
    let mut dims = vec![];
    for (bounds, dim) in lp.dims(ctx) {
        match Dimension::new(ctx, bounds, dim) {
            Ok(dim) => dims.push(dim),
            Err(reason) => {
                let (message, help) = match reason {
                    NotCounted::Type => (
                        "the induction variable is not an integer of at most 64 bits",
                        "count with an integer and compute the rest from it",
                    ),
                    NotCounted::Step => (
                        "the step of the loop is zero or leads away from its bound",
                        "a canonical loop counts towards its bound",
                    ),
                };
                state.error(ctx, lp.get_operation(), message.to_string(), "2.9", help);
                return None;
            }
        }
    }
    Some(dims)
}

/// Loops that replace a `par.loop`: the block that takes the body, and the induction variables for it.
struct Nest {
    outermost: Ptr<Operation>,
    body: Ptr<BasicBlock>,
    ivs: Vec<Value>,
}

/// Appends a `core.for` and goes on inside it. The caller ends the blocks around the innermost one.
fn open_for(
    e: &mut Emitter,
    lower: Value,
    upper: Value,
    step: Value,
    info: ForInfo,
) -> (For, Ptr<BasicBlock>, Value) {
    let (op, body) = For::new(e.ctx, lower, upper, step, info);
    e.push(op);
    e.at_end(body);
    let iv = body.deref(e.ctx).get_argument(0);
    (op, body, iv)
}

/// Ends the body of `op` and goes on after it.
fn close_for(e: &mut Emitter, op: For, body: Ptr<BasicBlock>) {
    e.at_end(body);
    let end = core::Yield::new(e.ctx, vec![]);
    e.push(end);
    e.go_after(op.get_operation());
}

fn info(levels: Levels, dim: &Dimension) -> ForInfo {
    ForInfo {
        independent: levels.independent,
        unsigned: dim.dim.unsigned,
    }
}

/// Iterations from `first` up to `last` (not included) of `count`.
struct Part {
    first: Value,
    last: Value,
    count: Value,
}

/// A `core.for` over a part of the iterations of `dim`, or over all of them.
fn loop_over(
    e: &mut Emitter,
    dim: &Dimension,
    part: Option<Part>,
    levels: Levels,
) -> (For, Ptr<BasicBlock>, Value) {
    if dim.constant_step.is_some() {
        let (lower, upper) = match part {
            Some(part) => dim.range(e, part.first, part.last, part.count),
            None => (dim.lower, dim.end(e)),
        };
        return open_for(e, lower, upper, dim.step, info(levels, dim));
    }
    let (first, last) = match part {
        Some(part) => (part.first, part.last),
        None => (e.i64(0), dim.count(e)),
    };
    let one = e.i64(1);
    let (op, body, index) = open_for(
        e,
        first,
        last,
        one,
        ForInfo {
            unsigned: false,
            ..info(levels, dim)
        },
    );
    let iv = dim.at(e, index);
    (op, body, iv)
}

fn sequential(e: &mut Emitter, dims: &[Dimension], levels: Levels) -> Nest {
    let mut open = vec![];
    let mut ivs = vec![];
    for dim in dims {
        let (op, body, iv) = loop_over(e, dim, None, levels);
        open.push((op, body));
        ivs.push(iv);
    }
    finish(e, open, ivs)
}

/// Ends all blocks but the innermost, which is left open for the body.
fn finish(e: &mut Emitter, open: Vec<(For, Ptr<BasicBlock>)>, ivs: Vec<Value>) -> Nest {
    let (outermost, body) = (open[0].0.get_operation(), open[open.len() - 1].1);
    for (index, (_, block)) in open.iter().enumerate().take(open.len() - 1).rev() {
        let inner = open[index + 1].0;
        e.go_after(inner.get_operation());
        close_for(e, open[index].0, *block);
    }
    Nest {
        outermost,
        body,
        ivs,
    }
}

/// Moves the body of the loop into the nest.
fn move_body(ctx: &mut Context, lp: Loop, nest: &Nest) {
    let block = lp.get_body(ctx, 0);
    let arguments: Vec<_> = block.deref(ctx).arguments().collect();
    for (argument, iv) in arguments.into_iter().zip(&nest.ivs) {
        argument.replace_all_uses_with(ctx, iv);
    }
    for op in walk::ops_of_block(ctx, block) {
        op.unlink(ctx);
        op.insert_at_back(nest.body, ctx);
    }
}
