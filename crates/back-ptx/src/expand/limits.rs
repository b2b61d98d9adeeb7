//! The largest block that a kernel's code has to be right for.
//!
//! The runtime launches no larger blocks, so that a kernel of 32 lanes needs no barriers of more than a warp. Without
//! clauses it takes 128 lanes, or 8 workers of 32 lanes.

use super::calls::Levels;
use accrue_image::{ClauseSize, SiteKernel};

/// Threads in a warp.
pub const WARP: u32 = 32;
/// Threads in a block at most.
const BLOCK: u32 = 1024;
/// Lanes that the runtime takes when there are vector loops and no worker loops.
const DEFAULT_VECTOR: u32 = 128;
/// Workers that the runtime takes when there are worker loops.
const DEFAULT_WORKERS: u32 = 8;
/// Workers of more than one warp have a named barrier each; there are 16, and the block has the first.
const MOST_WIDE_WORKERS: u32 = 15;

/// Workers and lanes of a block at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub max_workers: u32,
    /// A multiple of 32.
    pub max_vector: u32,
}

impl Limits {
    /// One warp.
    pub const LEAST: Limits = Limits {
        max_workers: 1,
        max_vector: WARP,
    };

    /// For a kernel with loops of these levels.
    pub fn new(kernel: &SiteKernel, levels: Levels) -> Self {
        let workers = match (levels.worker, kernel.num_workers) {
            (false, _) => 1,
            (true, ClauseSize::Constant(n)) => clamp(n, 1, BLOCK / WARP),
            (true, ClauseSize::Absent | ClauseSize::Runtime) => DEFAULT_WORKERS,
        };
        let most = (BLOCK / workers / WARP).max(1) * WARP;
        let vector = match (levels.vector, levels.worker, kernel.vector_length) {
            (false, ..) => WARP,
            (true, _, ClauseSize::Constant(n)) => clamp(n, 1, BLOCK).next_multiple_of(WARP),
            (true, _, ClauseSize::Runtime) => most,
            (true, true, ClauseSize::Absent) => WARP,
            (true, false, ClauseSize::Absent) => DEFAULT_VECTOR,
        };
        let wide = if vector > WARP {
            MOST_WIDE_WORKERS
        } else {
            BLOCK / WARP
        };
        Limits {
            max_workers: workers.min(wide).min(BLOCK / vector).max(1),
            max_vector: vector,
        }
    }

    /// For a function that is called with both.
    pub fn join(self, other: Limits) -> Self {
        Limits {
            max_workers: self.max_workers.max(other.max_workers),
            max_vector: self.max_vector.max(other.max_vector),
        }
    }
}

fn clamp(value: u64, least: u32, most: u32) -> u32 {
    u32::try_from(value).unwrap_or(most).clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ClauseSize::{Absent, Constant, Runtime};

    fn limits(levels: &str, num_workers: ClauseSize, vector_length: ClauseSize) -> (u32, u32) {
        let kernel = SiteKernel {
            function: String::new(),
            line: 1,
            gang_loop: true,
            single_gang: false,
            num_workers,
            vector_length,
            trip: None,
        };
        let levels = Levels {
            gang: true,
            worker: levels.contains('w'),
            vector: levels.contains('v'),
        };
        let limits = Limits::new(&kernel, levels);
        (limits.max_workers, limits.max_vector)
    }

    #[test]
    fn blocks() {
        assert_eq!(limits("", Constant(4), Constant(64)), (1, 32));
        assert_eq!(limits("v", Absent, Absent), (1, 128));
        assert_eq!(limits("v", Absent, Constant(50)), (1, 64));
        assert_eq!(limits("v", Absent, Constant(5000)), (1, 1024));
        assert_eq!(limits("v", Absent, Runtime), (1, 1024));
        assert_eq!(limits("w", Absent, Constant(64)), (8, 32));
        assert_eq!(limits("wv", Absent, Absent), (8, 32));
        assert_eq!(limits("wv", Constant(64), Absent), (32, 32));
        assert_eq!(limits("wv", Constant(32), Constant(64)), (15, 64));
        assert_eq!(limits("wv", Constant(4), Constant(1024)), (1, 1024));
        assert_eq!(limits("wv", Constant(4), Runtime), (4, 256));
        assert_eq!(limits("wv", Runtime, Runtime), (8, 128));
    }

    #[test]
    fn every_block_fits() {
        let sizes = [
            Absent,
            Runtime,
            Constant(0),
            Constant(1),
            Constant(33),
            Constant(1 << 40),
        ];
        for levels in ["", "v", "w", "wv"] {
            for workers in sizes {
                for vector in sizes {
                    let (workers, vector) = limits(levels, workers, vector);
                    assert!(workers >= 1 && vector % 32 == 0 && workers * vector <= BLOCK);
                    assert!(vector == WARP || workers <= MOST_WIDE_WORKERS);
                }
            }
        }
    }
}
