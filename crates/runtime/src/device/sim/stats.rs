//! `ACCRUE_SIM_STATS=1`: counters per kernel.
//!
//! | column | meaning |
//! | --- | --- |
//! | `instructions` | of warps: one for 32 lanes that go together |
//! | `lanes` | lanes at work per instruction, of 32 |
//! | `divergent` | branches at which lanes of a warp went different ways |
//! | `barriers` | barriers of a gang or worker |
//! | `loaded`, `stored` | bytes of global memory that lanes asked for; atomic operations are stores |
//! | `load-eff`, `store-eff` | bytes asked for per byte moved, which is in sectors of 32: below 1 something is moved in vain |
//! | `load-width`, `store-width` | bytes of a warp's access per lane |
//! | `conflicts` | further passes of accesses to shared memory, because lanes wanted different words of one bank |

use accrue_ptx_sim::{Stats, Traffic};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Launches and counters, by place and name of the kernel.
#[derive(Default)]
pub struct Counters(BTreeMap<String, (u64, Stats)>);

impl Counters {
    /// Adds a launch.
    pub fn add(&mut self, kernel: String, stats: Stats) {
        let (launches, sum) = self.0.entry(kernel).or_default();
        *launches += 1;
        *sum += stats;
    }

    /// The table for the end of the program.
    pub fn table(&self) -> String {
        let mut table = "accrue: counters of the simulated GPU\n".to_owned();
        let _ = writeln!(
            table,
            "{:>8} {:>12} {:>5} {:>9} {:>8} {:>11} {:>8} {:>10} {:>11} {:>9} {:>11} {:>9}  kernel",
            "launches",
            "instructions",
            "lanes",
            "divergent",
            "barriers",
            "loaded",
            "load-eff",
            "load-width",
            "stored",
            "store-eff",
            "store-width",
            "conflicts"
        );
        for (kernel, (launches, stats)) in &self.0 {
            let (loads, stores) = (&stats.global_loads, &stats.global_stores);
            let _ = writeln!(
                table,
                "{launches:>8} {:>12} {:>5.2} {:>9} {:>8} {:>11} {:>8.2} {:>10.2} {:>11} {:>9.2} {:>11.2} {:>9}  {kernel}",
                stats.warp_instructions,
                stats.lanes_per_instruction(),
                stats.divergent_branches,
                stats.barriers,
                loads.bytes,
                loads.efficiency(),
                width(loads),
                stores.bytes,
                stores.efficiency(),
                width(stores),
                stats.bank_conflicts,
            );
        }
        table
    }
}

/// Bytes of a warp's access per lane.
fn width(traffic: &Traffic) -> f64 {
    traffic.bytes_per_request() / 32.0
}
