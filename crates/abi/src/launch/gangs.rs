//! The number of gangs of a launch.
//!
//! Mostly the gangs of all dimensions are blocks next to each other in x. A kernel that tells gang dimensions apart has
//! dimension 1 in x, 2 in y and 3 in z; y and z have at most 65535 blocks. What `num_gangs` does not say:
//!
//! ```text
//! dimensions without loops      1 gang, so that nothing is done twice
//! dimension 1                   as in kernels with one dimension, for its loops; the others share what fits on the GPU
//! dimensions 2 and 3            16 gangs; the larger of those with loops, when dimension 1 has none: as many as fit
//! ```
//! Loops deal out their iterations in turn, so that any number is right, also one larger than the loop's.

use super::{Block, Launch, WARP};
use crate::{
    KERNEL_GANG_DIMS, KERNEL_GANG_LOOP, KERNEL_SINGLE_GANG, KERNEL_UNEVEN, SIMT_GANG_COST,
    SIMT_GANG_VECTOR_LOOP, SIMT_GANG_WORKER_LOOP, SIMT_ONLY_LOOPS, SIMT_SEVERAL, SiteKind,
};

/// Most blocks in the x dimension of a grid.
const GRID: u64 = (1 << 31) - 1;
/// Most blocks in the y and in the z dimension.
const GRID_YZ: u64 = 65535;
/// Gangs of dimensions 2 and 3 where the directive does not say.
pub const DIM_GANGS: u64 = 16;
/// Gangs that a device which executes them one after another runs at most. Those without work cost something there, too.
pub const MOST_GANGS: u64 = 1 << 20;
/// Gangs for each core where iterations take different times: a set of Mandelbrot on 16 cores took three times as long with one.
pub const UNEVEN_GANGS: u64 = 16;
/// The same for a GPU's gangs that have partial results, in place of those that run at once: their iterations come to multiprocessors in
/// turn, and where every fourth gang has the long ones, they all come to the same multiprocessors.
pub const UNEVEN_ROUNDS: u64 = 4;
/// Iterations that a lane works on at a time, in kernels that work on several.
pub const SEVERAL: u64 = 4;
/// Rounds of a short body that one gang does alone.
pub const FEW_ROUNDS: u64 = 32;

/// Why a launch has its gangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GangRule {
    /// Nothing is spread over gangs.
    Serial,
    /// The clause's number.
    Clause,
    /// For loops over dimension 2 or 3, which are told apart.
    Dimensions,
    /// No loop is spread over gangs.
    NoLoop,
    /// As many as the iterations need; as many as run at once where their number is not known.
    Iterations(Sharing),
}

/// Gangs of a covering grid where each costs something of its own, as one that leaves a partial result: with 256 of them the largest distance between
/// two sets of points took 0.28 of the time that it takes with threads that have several iterations, with 65536 a search for matches took 2 of it.
pub const MOST_COSTLY_GANGS: u64 = 1024;

/// How gangs share the iterations of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sharing {
    /// The loop is spread over workers, over lanes, too.
    pub workers: bool,
    pub lanes: bool,
    /// Each gang costs something of its own (a reduction's partial result, a private copy): only as many are made as run at
    /// once, and all get the same number of rounds.
    pub costly: bool,
    /// A few rounds of a short body are done by one gang: on an H200 the sum of 4096 numbers takes 8.9 µs with one and 10.3
    /// with sixteen, since the last gang has to be told by the others.
    pub one_does_few: bool,
    /// A lane works on [`SEVERAL`] iterations at a time.
    pub several: bool,
    /// Iterations may take very different times: partial results are worth having for more gangs than run at once.
    pub uneven: bool,
}

/// The blocks of a grid with a thread for every iteration: blocks of `lanes` have `lanes` iterations of a loop of one
/// dimension; where there are rows, 32 columns of `lanes / 32` rows. There is one block in z for each iteration around them.
///
/// None without iterations, where numbers do not fit (threads count in 32 bits), and where less than three quarters of the
/// threads would have an iteration; half of them where there are dimensions around the rows, which gangs without such a grid divide for in each iteration.
pub fn covering(
    lanes: u32,
    columns: u64,
    rows: Option<u64>,
    outer: Option<u64>,
) -> Option<[u32; 3]> {
    const MOST: u64 = 1 << 31;
    let (lanes, warp) = (u64::from(lanes), u64::from(WARP));
    let (all_rows, outer) = (rows.unwrap_or(1), outer.unwrap_or(1));
    let fit = [columns, all_rows, outer]
        .iter()
        .all(|n| (1..=MOST).contains(n));
    if !fit || lanes < warp || lanes % warp != 0 {
        return None;
    }
    if rows.is_none() {
        return (outer <= GRID_YZ).then_some([columns.div_ceil(lanes) as u32, 1, outer as u32]);
    }
    let height = lanes / warp;
    let [x, y] = [columns.div_ceil(warp), all_rows.div_ceil(height)];
    let threads = u128::from(x * warp) * u128::from(y * height);
    let idle = threads.saturating_sub(u128::from(columns) * u128::from(all_rows));
    let busy = idle * if outer > 1 { 2 } else { 4 } <= threads;
    (busy && y <= GRID_YZ && outer <= GRID_YZ).then_some([x as u32, y as u32, outer as u32])
}

impl Launch {
    /// Whether the grid may be one that covers a loop: the number of gangs is open.
    pub fn may_cover(&self) -> bool {
        self.gangs == [0; 3] && self.has_gang_loop() && !self.is_serial()
    }

    /// Whether each gang costs something of its own, so that a grid should have no more of them than run at once.
    pub fn has_costly_gangs(&self) -> bool {
        self.sharing().costly
    }

    pub fn gang_rule(&self) -> GangRule {
        let [_, in_y, in_z] = self.code.gang_dims();
        match self.gangs {
            _ if self.is_serial() => GangRule::Serial,
            [0, 0, 0] if in_y || in_z => GangRule::Dimensions,
            [0, 0, 0] if !self.has_gang_loop() => GangRule::NoLoop,
            [0, 0, 0] => GangRule::Iterations(self.sharing()),
            _ => GangRule::Clause,
        }
    }

    fn sharing(&self) -> Sharing {
        let has = |flag| self.code.has(flag);
        let partial_results = self.code.scratch_gang_bytes > 0;
        Sharing {
            workers: has(SIMT_GANG_WORKER_LOOP),
            lanes: has(SIMT_GANG_VECTOR_LOOP),
            costly: has(SIMT_GANG_COST) || partial_results,
            one_does_few: has(SIMT_SEVERAL) && has(SIMT_GANG_VECTOR_LOOP) && partial_results,
            several: has(SIMT_SEVERAL),
            uneven: self.kernel_flags & KERNEL_UNEVEN != 0,
        }
    }

    /// The blocks in each dimension, no more than `most`; `resident` blocks of this shape fit on the GPU at the same time.
    /// `trips` gives the number of iterations of the gang-partitioned loop, if it is known.
    pub fn grid(
        &self,
        block: Block,
        trips: impl FnOnce() -> Option<u64>,
        resident: u64,
        most: u64,
    ) -> [u32; 3] {
        let needed =
            |trips: Option<u64>, resident| Some(self.sharing().gangs(trips?, block, resident));
        let told_apart = self.code.gang_dims();
        let [x, y, z] = match self.gang_rule() {
            GangRule::Serial | GangRule::NoLoop => [1, 1, 1],
            GangRule::Iterations(_) => [needed(trips(), resident).unwrap_or(resident), 1, 1],
            GangRule::Dimensions => {
                let [in_x, in_y, in_z] = told_apart;
                let of_others = |used: bool| if used { DIM_GANGS } else { 1 };
                let (y, z) = (of_others(in_y), of_others(in_z));
                let left = resident / (y * z);
                match (in_x, in_z) {
                    (true, _) if self.has_gang_loop() => {
                        [needed(trips(), left).unwrap_or(left), y, z]
                    }
                    (true, _) => [1, y, z],
                    (false, true) => [1, y, resident / y],
                    (false, false) => [1, resident, 1],
                }
            }
            GangRule::Clause if told_apart.contains(&true) => self.gangs,
            GangRule::Clause => {
                let trips = trips();
                let asked = self.noticed_gangs(block, trips);
                match asked > MOST_GANGS && self.has_gang_loop() {
                    // Most of them would have nothing to do.
                    true => [needed(trips, resident).unwrap_or(asked), 1, 1],
                    false => [asked, 1, 1],
                }
            }
        };
        let gangs = [x.max(1), y.clamp(1, GRID_YZ), z.clamp(1, GRID_YZ)];
        at_most(gangs, most.min(GRID)).map(|gangs| gangs as u32)
    }

    /// Of the gangs that the directive asks for, those that somebody could miss: where only loops can be noticed, those
    /// with iterations.
    pub fn noticed_gangs(&self, block: Block, trips: Option<u64>) -> u64 {
        let dimensions = self.gangs.iter();
        let asked = dimensions.fold(1u64, |all, n| all.saturating_mul((*n).max(1)));
        let told_apart = self.code.gang_dims().contains(&true);
        match trips {
            Some(trips) if self.code.has(SIMT_ONLY_LOOPS) && !told_apart => {
                asked.min(self.sharing().all_at_once(trips, block).max(1))
            }
            Some(_) | None => asked,
        }
    }
}

impl Sharing {
    /// So many gangs cover the loop with one iteration per thread.
    fn all_at_once(self, trips: u64, block: Block) -> u64 {
        let workers = if self.workers { block.workers } else { 1 };
        let lanes = if self.lanes { block.vector } else { 1 };
        trips.div_ceil(u64::from(workers) * u64::from(lanes))
    }

    /// The number of gangs for a loop of `trips` iterations. More gangs than fit on the GPU are handed out as others finish,
    /// which keeps it busy to the end.
    fn gangs(self, trips: u64, block: Block, resident: u64) -> u64 {
        let full = self.all_at_once(trips, block);
        let resident = resident.max(1);
        if full <= FEW_ROUNDS && self.one_does_few {
            return 1;
        }
        let most = match self.costly && self.uneven {
            true => resident * UNEVEN_ROUNDS,
            false => resident,
        };
        if full <= most {
            return full;
        }
        if self.costly {
            return full.div_ceil(full.div_ceil(most));
        }
        let rounds = if self.several { SEVERAL } else { 1 };
        full.div_ceil(rounds)
            .clamp(resident, MOST_GANGS.max(resident))
    }
}

/// Whatever the directive and the device say.
pub fn has_one_gang(site: SiteKind, kernel_flags: u32) -> bool {
    kernel_flags & KERNEL_SINGLE_GANG != 0 || site == SiteKind::Serial
}

/// The gangs of a launch on CPU cores, of which there are `cores`.
pub fn on_cores(
    site: SiteKind,
    kernel_flags: u32,
    asked: [u64; 3],
    cores: impl FnOnce() -> u64,
) -> [u64; 3] {
    if has_one_gang(site, kernel_flags) {
        return [1, 1, 1];
    }
    if asked != [0, 0, 0] {
        return at_most(asked.map(|gangs| gangs.max(1)), MOST_GANGS);
    }
    let mut gangs = [1; 3];
    if kernel_flags & KERNEL_GANG_LOOP != 0 {
        // All cores for the outermost loop.
        let used = KERNEL_GANG_DIMS.map(|bit| kernel_flags & bit != 0);
        let outermost = used.iter().rposition(|used| *used).unwrap_or(0);
        let each = match kernel_flags & KERNEL_UNEVEN {
            0 => 1,
            _ => UNEVEN_GANGS,
        };
        gangs[outermost] = cores().saturating_mul(each);
    }
    gangs
}

/// The gangs, not more than `most` of them: the largest dimensions lose some.
pub fn at_most(mut gangs: [u64; 3], most: u64) -> [u64; 3] {
    let number = |gangs: &[u64]| gangs.iter().fold(1u64, |all, n| all.saturating_mul(*n));
    while number(&gangs) > most {
        let largest = (0..3).max_by_key(|&index| gangs[index]).unwrap_or(0);
        let mut others = gangs;
        others[largest] = 1;
        let fits = most / number(&others);
        gangs[largest] = match others.iter().all(|&other| other < fits) {
            true => fits,
            false => gangs[largest] / 2,
        };
    }
    gangs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_that_cover_loops() {
        let one = |columns| covering(256, columns, None, None);
        assert_eq!(one(1), Some([1, 1, 1]));
        assert_eq!(one(257), Some([2, 1, 1]));
        assert_eq!(one(0), None);
        assert_eq!(one(1 << 31), Some([1 << 23, 1, 1]));
        assert_eq!(one((1 << 31) + 1), None);
        let plane = |columns, rows| covering(256, columns, Some(rows), None);
        assert_eq!(plane(64, 65_535 * 8), Some([2, 65_535, 1]));
        assert_eq!(plane(64, 65_536 * 8), None);
        assert_eq!(plane(64, 0), None);
        // Most threads of each block would have nothing to do.
        assert_eq!(plane(10, 1000), None);
        assert_eq!(plane(1000, 3), None);
        // Gangs of the first dimension for each of the third.
        assert_eq!(covering(512, 10_000, None, Some(5)), Some([20, 1, 5]));
        assert_eq!(covering(512, 10_000, None, Some(65_536)), None);
        assert_eq!(covering(512, 0, None, Some(5)), None);
        let space = |z| covering(256, 382, Some(382), Some(z));
        assert_eq!(space(382), Some([12, 48, 382]));
        assert_eq!(space(65_536), None);
    }
}
