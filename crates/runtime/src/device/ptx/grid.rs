//! The number of gangs of a launch: the grid.
//!
//! Mostly the gangs of all dimensions are blocks next to each other in x. A kernel that tells gang dimensions apart has
//! dimension 1 in x, 2 in y and 3 in z. What `num_gangs` does not say is chosen by [`grid`].

use super::{Block, is_serial, kernel, trip_count};
use crate::abi::{
    KERNEL_GANG_LOOP, PTX_GANG_COST, PTX_GANG_DIMS, PTX_GANG_VECTOR_LOOP, PTX_GANG_WORKER_LOOP,
    PTX_NO_GANG_LOOP, PTX_SEVERAL, PtxKernel,
};
use crate::device::sizes::{self, MOST_GANGS};
use crate::device::{Launch, gang_text};

/// Most blocks in the x dimension of a grid.
const GRID: u64 = (1 << 31) - 1;
/// Most blocks in the y and in the z dimension.
const GRID_YZ: u64 = 65535;
/// Gangs of dimensions 2 and 3 where the directive does not say.
const DIM_GANGS: u64 = 16;

/// The blocks of a launch in each dimension; `resident` blocks of this shape fit on the GPU at the same time.
///
/// Of a kernel that tells gang dimensions apart, dimension 1 is x, 2 is y and 3 is z; y and z have at most 65535 blocks. What
/// `num_gangs` does not say:
///
/// ```text
/// dimensions without loops      1 gang, so that nothing is done twice
/// dimension 1                   as in kernels with one dimension, for its loops; the others share what fits on the GPU
/// dimensions 2 and 3            16 gangs; the larger of those with loops, when dimension 1 has none: as many as fit
/// ```
/// Loops deal out their iterations in turn, so that any number is right, also one larger than the loop's.
///
/// No grid has more than `most` blocks.
pub fn grid(
    ptx: &PtxKernel,
    launch: &Launch<'_>,
    block: Block,
    resident: u64,
    most: u64,
) -> [u32; 3] {
    let used = gang_dims(ptx);
    if !used.contains(&true) || is_serial(ptx, launch) {
        return [gangs(ptx, launch, block, resident, most), 1, 1];
    }
    let [in_x, in_y, in_z] = used;
    let of_others = |used: bool| if used { DIM_GANGS } else { 1 };
    let (x, y, z) = match (launch.gangs, in_x) {
        ([x, y, z], _) if [x, y, z] != [0, 0, 0] => (x, y, z),
        (_, true) => {
            let (y, z) = (of_others(in_y), of_others(in_z));
            (
                u64::from(gangs(ptx, launch, block, resident / (y * z), most)),
                y,
                z,
            )
        }
        (_, false) if in_z => (1, of_others(in_y), resident / of_others(in_y)),
        (_, false) => (1, resident, 1),
    };
    let gangs = [x.max(1), y.clamp(1, GRID_YZ), z.clamp(1, GRID_YZ)];
    sizes::at_most(gangs, most.min(GRID)).map(|gangs| gangs as u32)
}

/// The gang dimensions that the kernel's loops are spread over one by one.
fn gang_dims(ptx: &PtxKernel) -> [bool; 3] {
    PTX_GANG_DIMS.map(|bit| ptx.flags & bit != 0)
}

/// The number of gangs of a launch in a dimension that has all of them.
fn gangs(ptx: &PtxKernel, launch: &Launch<'_>, block: Block, resident: u64, most: u64) -> u32 {
    let gang_loop =
        launch.kernel.flags & KERNEL_GANG_LOOP != 0 && ptx.flags & PTX_NO_GANG_LOOP == 0;
    let needed = || {
        let mut per_gang = 1;
        if ptx.flags & PTX_GANG_WORKER_LOOP != 0 {
            per_gang *= u64::from(block.workers);
        }
        if ptx.flags & PTX_GANG_VECTOR_LOOP != 0 {
            per_gang *= u64::from(block.vector);
        }
        // SAFETY: the compiler ends every program with END.
        let trips = unsafe { trip_count(ptx.trip, launch.args) }?;
        Some(needed_gangs(ptx, trips.div_ceil(per_gang), resident))
    };
    let asked = launch
        .gangs
        .iter()
        .fold(1u64, |all, n| all.saturating_mul((*n).max(1)));
    let gangs = match launch.gangs {
        _ if is_serial(ptx, launch) => 1,
        [0, 0, 0] if gang_loop => needed().unwrap_or(resident),
        [0, 0, 0] => 1,
        // Most of them would have nothing to do.
        _ if asked > MOST_GANGS && gang_loop => needed().unwrap_or(asked),
        _ => asked,
    };
    gangs.clamp(1, most.min(GRID)) as u32
}

/// The number of gangs for a loop that `full` gangs with one iteration per thread would cover.
///
/// More gangs than fit on the GPU are handed out as others finish, which keeps it busy to the end. Where each gang costs
/// something of its own (a reduction's partial result, a private copy), only as many are made as fit, and all get the
/// same number of rounds. A few rounds of a short body are done by one gang: on an H200 the sum of 4096 numbers takes 8.9
/// µs with one and 10.3 with sixteen, since the last gang has to be told by the others.
fn needed_gangs(ptx: &PtxKernel, full: u64, resident: u64) -> u64 {
    /// Iterations that a lane works on at a time.
    const SEVERAL: u64 = 4;
    /// Rounds that one gang does alone.
    const FEW: u64 = 32;
    let resident = resident.max(1);
    let short_body = PTX_SEVERAL | PTX_GANG_VECTOR_LOOP;
    if full <= FEW && ptx.flags & short_body == short_body && ptx.scratch_gang_bytes > 0 {
        return 1;
    }
    if full <= resident {
        return full;
    }
    if ptx.flags & PTX_GANG_COST != 0 || ptx.scratch_gang_bytes > 0 {
        return full.div_ceil(full.div_ceil(resident));
    }
    let rounds = if ptx.flags & PTX_SEVERAL != 0 {
        SEVERAL
    } else {
        1
    };
    full.div_ceil(rounds)
        .clamp(resident, MOST_GANGS.max(resident))
}

/// The blocks of a launch in messages.
pub fn grid_text(launch: &Launch<'_>, grid: [u32; 3]) -> String {
    let told_apart = kernel(launch.kernel).map_or([false; 3], gang_dims);
    gang_text(grid.map(u64::from), told_apart)
}

#[cfg(test)]
mod tests {
    use super::super::{
        block,
        tests::{launch, plain},
    };
    use super::*;
    use crate::abi::SiteKind;

    /// The grid for loops over these dimensions and `num_gangs`; 1000 blocks fit, and dimension 1 has 2560 iterations.
    fn grid(dims: &[usize], asked: [u64; 3]) -> [u32; 3] {
        let flags: u32 = dims.iter().map(|dim| PTX_GANG_DIMS[dim - 1]).sum();
        let trip = [1i64, 2560, 0, 0];
        let ptx = PtxKernel {
            flags: flags | PTX_GANG_VECTOR_LOOP,
            trip: trip.as_ptr(),
            ..plain()
        };
        let launch = launch(SiteKind::Parallel, KERNEL_GANG_LOOP, asked);
        super::grid(&ptx, &launch, block(&ptx, &launch, 1024), 1000, GRID)
    }

    #[test]
    fn dimensions_are_flat_or_told_apart() {
        assert_eq!(grid(&[], [4, 3, 2]), [24, 1, 1]);
        assert_eq!(grid(&[1, 2], [4, 3, 2]), [4, 3, 2]);
        assert_eq!(grid(&[2], [4, 1, 1]), [4, 1, 1]);
        // Nobody needs as many for 2560 iterations; without a loop it is for the device to say.
        assert_eq!(grid(&[], [2_000_000_000, 0, 0]), [80, 1, 1]);
        assert_eq!(grid(&[], [u64::MAX, 2, 0]), [80, 1, 1]);
        assert_eq!(grid(&[2], [u64::MAX, 1, 1]), [GRID as u32, 1, 1]);
        // A GPU has no more in y and z.
        assert_eq!(grid(&[2, 3], [1, 70_000, 1]), [1, 65_535, 1]);
    }

    #[test]
    fn dimensions_with_loops_get_gangs_and_others_one() {
        // 32 lanes: 2560 iterations are 80 gangs.
        assert_eq!(grid(&[], [0; 3]), [80, 1, 1]);
        assert_eq!(grid(&[1, 2], [0; 3]), [80, 16, 1]);
        assert_eq!(grid(&[1, 3], [0; 3]), [80, 1, 16]);
        assert_eq!(grid(&[1, 2, 3], [0; 3]), [80, 16, 16]);
        assert_eq!(grid(&[2], [0; 3]), [1, 1000, 1]);
        assert_eq!(grid(&[2, 3], [0; 3]), [1, 16, 62]);
    }
}
