//! `ACCRUE_SIM_STATS=1`: counters per kernel.

use accrue_ptx_sim::Stats;
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
        let mut table = format!(
            "accrue: counters of the simulated GPU\n{:>8} {:>14} {:>6} {:>10} {:>9} {:>12} {:>6} {:>12} {:>6} {:>10}  kernel\n",
            "launches",
            "instructions",
            "lanes",
            "divergent",
            "barriers",
            "loaded",
            "eff.",
            "stored",
            "eff.",
            "conflicts"
        );
        for (kernel, (launches, stats)) in &self.0 {
            let _ = writeln!(
                table,
                "{launches:>8} {:>14} {:>6.2} {:>10} {:>9} {:>12} {:>6.2} {:>12} {:>6.2} {:>10}  {kernel}",
                stats.warp_instructions,
                stats.lanes_per_instruction(),
                stats.divergent_branches,
                stats.barriers,
                stats.global_loads.bytes,
                stats.global_loads.efficiency(),
                stats.global_stores.bytes,
                stats.global_stores.efficiency(),
                stats.bank_conflicts,
            );
        }
        table
    }
}
