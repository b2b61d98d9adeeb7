//! Pass `kept-rows` (GPUs): rows that several vector loops of a gang go along stay in registers of its lanes.
//!
//! A softmax goes along each row three times: for its largest element, for the sum, for the results. Each loop loads what the one before
//! has loaded or stored, a few elements at a time, and waits for them. But element `k` belongs to the same lane in all of these loops,
//! so that the lane can keep it:
//!
//! ```text
//!                                       if (n <= 16 * lanes)      all of a lane's elements are under way together
//! for (k = lane; k < n; k += lanes)       kept[0] = x[lane];  kept[1] = x[lane + lanes];  …      each if it is in the row
//!   most = max(most, x[k])                most = max(most, kept[0]);  most = max(most, kept[1]);  …
//! …                                     else for … as it was
//! for (k = lane; k < n; k += lanes)     …
//!   sum += y[k] = exp(x[k] - most)   →  if (n <= 16 * lanes)
//! …                                       y[lane] = other[0] = exp(kept[0] - most);  sum += other[0];  …
//! for (k = lane; k < n; k += lanes)     else for … as it was
//!   y[k] /= sum                         …  y[lane] = other[0] / sum;  …
//! ```
//! 1. [`chains`] and [`rows`] find vector loops of one block with the same bounds, and what they load that one before them has loaded or stored in
//!    the same iteration: the address is the same sum of the counter and what does not change ([`crate::analysis::affine`]), and nothing
//!    that is written since can be there.
//!    Functions and divisions of the same numbers ([`values`]) are kept as well. What is stored, and stored again by a loop behind it
//!    before anybody reads it, is stored once.
//! 2. [`mod@write`] puts a version of each loop in front of it for rows in which no lane has more than [`chains::Chain::iterations`]
//!    elements, and some have more than one. These go four at a time, operation by operation, as far as the row goes.
//!
//! The iterations of each loop are independent, so that no other lane writes what an iteration loads. Each lane adds up in the same order:
//! results are the same bits. Cost: linear in the size of the loops, times the iterations of a version.

mod accesses;
mod chains;
mod rows;
mod values;
mod write;

use pliron::{builtin::ops::ModuleOp, context::Context, op::Op};

use crate::{
    State, Switch, analysis::straight::PureFunctions, transform::inline::device_functions,
};

const NAME: &str = "kept-rows";

/// Keeps rows in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.knows_independence || state.off.is_off(Switch::KeptRows) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in device_functions(ctx, module) {
        let found = chains::find(ctx, func, &pure);
        for (lp, why) in found.refused {
            let message = format!("loads again what a loop before it has had: {why}");
            state.remark(ctx, lp.get_operation(), NAME, message);
        }
        for chain in found.chains {
            for (lp, message) in chain.describe() {
                state.remark(ctx, lp.get_operation(), NAME, message);
            }
            write::write(ctx, &chain, &pure);
        }
    }
}
