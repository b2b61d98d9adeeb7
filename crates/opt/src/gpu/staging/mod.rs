//! Pass `staging` (GPUs): what all lanes of a gang read in a sequential loop is loaded once, into memory of the gang.
//!
//! In a sum over all bodies, charges or centres, every lane loads the same element in the same iteration. The cache serves
//! that, but each line of it is waited for once by all of them, and an element whose alignment nobody knows comes in parts. The lanes
//! can load the elements of their next iterations together, each one of them, and read them in memory of the gang then.
//!
//! ```text
//! if (i < n)                                  if (block has an i < n)
//!   me = p[i]                                   if (i < n) me = p[i]
//!   for (j = 0; j < m; j++)                     for (first = 0; first < m; first += 128)
//!     sum += f(me, p[j])             →            barrier;  tile[lane] = p[first + lane], if there is one;  barrier
//!   a[i] = sum                                    if (i < n) for (j = first; j < min(first + 128, m); j++) sum += f(me, tile[j - first])
//!                                               if (i < n) a[i] = sum
//! ```
//!
//! 1. In a version whose grid covers a loop ([`super::grid_versions`]), loops with the same bounds for all lanes are looked for, and in
//!    them the loads of all iterations whose address all lanes compute alike ([`streams`]): from the counter, the kernel's parameters
//!    and constants, by whatever operations, so that the spelling of the index does not matter.
//! 2. It is done where these are all of the loads that differ from iteration to iteration: next to others, whose latency is as long,
//!    little is gained. A `cache` directive in the kernel asks for it all the same.
//! 3. Where each lane reads columns of its own, and there are few, other warps load them ahead ([`columns`]).
//! 4. Where each lane goes along a row of its own, all of them move the rows ([`own_rows`]).
//! 5. Where each column of a nest does, and there are rows that read the same, the pass [`super::rows`] lets all lanes move them ([`lines`]).
//! 6. The condition of the grid goes inside ([`mod@write`]): lanes beyond the end come to the barriers and take part in loading,
//!    and do nothing else.
//!
//! The lanes' iterations are independent, and all of them read these elements. One that wrote them would be in the way of the others;
//! so it does not matter when they are loaded, unless there is one iteration only: where the loop itself writes memory, the launch
//! takes another version then. Sums are added up in the same order: results are the same bits.
//!
//! Cost: linear in the size of the kernel, times the size of an index.

mod columns;
pub(super) mod lines;
mod own_rows;
mod read;
pub(super) mod streams;
pub(super) mod write;

use accrue_dialects::{
    core::If,
    par::{
        kernel_of,
        kernels::{CACHED, GRID, LANES, Lanes, OPEN_SHAPE, VERSION},
    },
};
use accrue_ir::walk::{directly_in, ops_of_block};
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    op::Op,
    operation::Operation,
};

use std::collections::HashSet;
use streams::Wanted;

use crate::{
    State, Switch,
    analysis::{gang_trip, straight::PureFunctions},
    transform::partition::covering,
};
use accrue_dialects::core::fold::fold;

const NAME: &str = "staging";

/// Stages in all versions that gain.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if !state.target.gangs.handed_out || state.off.is_off(Switch::Staging) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    let functions = directly_in::<FuncOp>(ctx, module.get_operation());
    let mut staged: HashSet<String> = HashSet::new();
    for func in functions.iter().copied() {
        let Some(version) = VERSION.get(ctx, func.get_operation()) else {
            continue;
        };
        let covers = version.kind.is_grid();
        let mut all = ops_of_block(ctx, func.get_entry_block(ctx)).into_iter();
        let place = all.find_map(|op| Operation::get_op::<If>(op, ctx));
        let Some(place) = place.filter(|_| covers) else {
            continue;
        };
        let several = gang_trip::of_several(ctx, func);
        let asked = CACHED.is_on(ctx, func.get_operation());
        let line = covering::line_of(ctx, func);
        let lanes = LANES.get(ctx, func.get_operation());
        let open = match state.off.is_off(Switch::Columns) {
            true => Err("that is switched off"),
            false => columns::is_open(ctx, func),
        };
        let wanted = Wanted {
            may_write: several.is_some(),
            asked,
            place: line.map(|line| line.place),
            open,
            lanes: lanes
                .filter(|_| OPEN_SHAPE.is_on(ctx, func.get_operation()))
                .filter(|_| !state.off.is_off(Switch::OwnRows))
                .map(|lanes| u64::from(lanes.0)),
        };
        let found = streams::find(ctx, place, &pure, wanted);
        let mut messages: Vec<String> = vec![];
        if !found.staged.is_empty() {
            let grid = match found.is_ahead() {
                true => columns::grid(ctx, func, &found),
                false => several.filter(|_| found.writes),
            };
            match write::write(ctx, func, (place, line), &found) {
                Ok(()) => {
                    if let Some(grid) = grid {
                        GRID.set(ctx, func.get_operation(), grid);
                    }
                    if found.is_ahead() {
                        LANES.set(ctx, func.get_operation(), Lanes(columns::LANES));
                    }
                    fold(ctx, func.get_operation());
                    messages.extend(found.staged.iter().map(streams::Staged::describe));
                    if asked {
                        staged.insert(version.kernel.clone());
                    }
                }
                Err(why) => messages.push(format!("{}: {why}", streams::NOT)),
            }
        }
        messages.extend(found.refused);
        let kernel = functions
            .iter()
            .find(|f| f.get_symbol_name(ctx).to_string() == version.kernel);
        for message in messages {
            if let Some(kernel) = kernel {
                state.remark(ctx, kernel.get_operation(), NAME, message);
            }
        }
    }
    remark_unused(ctx, &functions, &staged, state);
}

/// Says of kernels with a `cache` directive that nothing came of it.
fn remark_unused(ctx: &Context, functions: &[FuncOp], staged: &HashSet<String>, state: &mut State) {
    for func in functions {
        let op = func.get_operation();
        let name = func.get_symbol_name(ctx).to_string();
        let is_kernel = kernel_of(ctx, func).is_some() && VERSION.get(ctx, op).is_none();
        if is_kernel && CACHED.is_on(ctx, op) && !staged.contains(&name) {
            let message = "`cache` has no effect: the multiprocessor's own cache has the data, and no sequential loop of the kernel reads what can be staged for all lanes";
            state.remark(ctx, op, NAME, message.to_string());
        }
    }
}
