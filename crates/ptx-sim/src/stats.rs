//! What a launch did: counters.

use std::ops::AddAssign;

/// Counters of one launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Instructions, each counted once per warp (or part of a warp) that executed it.
    pub warp_instructions: u64,
    /// Instructions, counted once per thread.
    pub lane_instructions: u64,
    /// Branches at which the lanes of a warp went different ways.
    pub divergent_branches: u64,
    pub barriers: u64,
    /// Only with `Options::count_memory`.
    pub global_loads: Traffic,
    /// Only with `Options::count_memory`. Atomic operations count as stores.
    pub global_stores: Traffic,
    /// Accesses to shared memory by warps. Only with `Options::count_memory`.
    pub shared_requests: u64,
    /// Further passes that shared accesses needed because lanes wanted different words of one bank.
    pub bank_conflicts: u64,
}

/// Accesses to global memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Load or store instructions of warps.
    pub requests: u64,
    /// Sectors of 32 bytes moved for them.
    pub sectors: u64,
    /// Bytes that threads asked for.
    pub bytes: u64,
}

impl Traffic {
    /// Bytes asked for per byte moved; 1 when every byte moved is used. Broadcasts can exceed 1.
    pub fn efficiency(&self) -> f64 {
        if self.sectors == 0 {
            1.0
        } else {
            self.bytes as f64 / (32 * self.sectors) as f64
        }
    }

    /// Average number of bytes that one request moves for its warp.
    pub fn bytes_per_request(&self) -> f64 {
        if self.requests == 0 {
            0.0
        } else {
            self.bytes as f64 / self.requests as f64
        }
    }
}

impl Stats {
    /// Lanes at work per instruction of a warp, of 32.
    pub fn lanes_per_instruction(&self) -> f64 {
        if self.warp_instructions == 0 {
            0.0
        } else {
            self.lane_instructions as f64 / self.warp_instructions as f64
        }
    }
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.sectors += other.sectors;
        self.bytes += other.bytes;
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.warp_instructions += other.warp_instructions;
        self.lane_instructions += other.lane_instructions;
        self.divergent_branches += other.divergent_branches;
        self.barriers += other.barriers;
        self.global_loads += other.global_loads;
        self.global_stores += other.global_stores;
        self.shared_requests += other.shared_requests;
        self.bank_conflicts += other.bank_conflicts;
    }
}
