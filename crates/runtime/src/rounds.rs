//! The order in which a launch runs the kernels of a construct.
//!
//! A loop in order of a `kernels` construct, with loops over gangs inside, is kernels that run once for each of its iterations, with the
//! number of the round as one of their arguments:
//!
//! ```text
//! for (t = 0; t < steps; t++) { … }           kernel 0; round 0: kernels 1, 2; round 1: kernels 1, 2; …; kernel 3
//! ```

use crate::abi::{Rounds, Site};
use crate::device::simt::trip::trip_count;
use crate::fatal::fatal;
use crate::site::SiteState;
use crate::words::array;

/// Calls `run` with the arguments and the number of each kernel in turn, and whether it is in a round.
pub fn each(
    site: &'static Site,
    state: &'static SiteState,
    args: &mut [u64],
    run: &mut dyn FnMut(&[u64], usize, bool),
) {
    // SAFETY: a valid site has `nrounds` of them.
    let all: &[Rounds] = unsafe { array(site.rounds, site.nrounds) };
    let mut next = 0;
    for rounds in all {
        let (first, kernels) = (rounds.first as usize, rounds.nkernels as usize);
        (next..first).for_each(|index| run(args, index, false));
        next = first + kernels;
        // SAFETY: the program is one of a valid site.
        let count = unsafe { trip_count(rounds.count, args) };
        let Some(count) = count else {
            fatal(
                state.place(),
                format_args!(
                    "the number of iterations of a loop in this kernels construct is too large"
                ),
            );
        };
        for round in 0..count {
            args[rounds.word as usize] = round;
            (first..next).for_each(|index| run(args, index, true));
        }
    }
    (next..site.nkernels as usize).for_each(|index| run(args, index, false));
}
