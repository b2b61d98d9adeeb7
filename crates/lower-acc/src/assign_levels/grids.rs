//! Nests in `kernels` whose loops ask for the same levels, or for levels the wrong way round, as for dimensions of a grid.
//!
//! ```text
//! #pragma acc kernels loop gang(32) vector(16)         gang
//! for (int j = 1; j < n; j++)
//!     #pragma acc loop gang(16) vector(32)             vector
//!     for (int i = 1; i < m; i++)
//! ```
//! Older compilers made a grid of 32 × 16 blocks of 16 × 32 threads of this. There is one gang level here, and the numbers are none of
//! gangs next to each other: 32 gangs of 16 lanes are a hundredth of a GPU, and a loop over gangs inside one that runs in order has one
//! gang. What the program says is that the whole nest is parallel, so its loops get levels by their place, in numbers that are open.
//!
//! Cost: linear in the number of loops, for each loop around.

use accrue_dialects::acc::{self, ClauseOp, DeviceType, Kernels, Loop, RegionOp};
use accrue_ir::walk;
use pliron::{context::Context, op::Op};

use super::{NAME, asked, is_independent};
use crate::{attributes::APART, device_types::applies, loop_sizes};
use accrue_opt::State;

/// Takes the levels and sizes from the loops of such nests in `kernels`.
pub(super) fn settle(ctx: &mut Context, kernels: Kernels, state: &mut State) {
    for lp in walk::nested::<Loop>(ctx, kernels.get_operation()) {
        if !asks_for_grid(ctx, lp) {
            continue;
        }
        let message = "loops of this nest ask for the same levels, as for dimensions of a grid: they get levels by their \
                       place, and numbers in their clauses have no effect";
        state.remark(ctx, lp.get_operation(), NAME, message.to_string());
        let inside = walk::nested::<Loop>(ctx, lp.get_operation());
        for lp in [vec![lp], inside].concat() {
            let mut clauses = lp.clauses(ctx);
            for levels in [&mut clauses.gang, &mut clauses.worker, &mut clauses.vector] {
                *levels = Default::default();
            }
            lp.set_clauses(ctx, clauses);
            drop_sizes(ctx, &lp, loop_sizes::OF_LOOP);
        }
        if kernels.is_combined(ctx) {
            drop_sizes(ctx, &kernels, loop_sizes::OF_CONSTRUCT);
        }
    }
}

/// Whether an independent loop inside asks for a level that is the outermost that `lp` asks for, or further out. The answer is the same for
/// all devices, since the sizes of a launch are: not for loops that are independent on some of them only, nor for sizes of some.
fn asks_for_grid(ctx: &Context, lp: Loop) -> bool {
    let wanted = |lp: &Loop| {
        let clauses = lp.clauses(ctx);
        let may = is_independent(ctx, *lp)
            && !applies(&clauses.seq)
            && !APART.is_on(ctx, lp.get_operation())
            && lp
                .device_types(ctx)
                .iter()
                .all(|device| *device == DeviceType::None);
        asked(&clauses).first().copied().filter(|_| may)
    };
    let Some(own) = wanted(&lp) else {
        return false;
    };
    let inside = walk::nested::<Loop>(ctx, lp.get_operation());
    inside.iter().filter_map(wanted).any(|inner| inner <= own)
}

fn drop_sizes(ctx: &mut Context, of: &dyn ClauseOp, groups: [acc::Group; 3]) {
    for group in groups {
        acc::take(of, ctx, group);
    }
}
