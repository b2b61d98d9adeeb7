//! Scratch memory of a launch on a GPU.
//!
//! ```text
//! 0     counters, zero before and after every launch
//! 4080  where the heap is, from the first kernel on that has one (OpenCL)
//! 4088  the number of an assertion that has failed (OpenCL)
//! 4096  scratch_gang_bytes per gang
//! …     (at a multiple of 128) scratch_worker_bytes per worker of each gang
//! ```

use super::Launch;
use crate::SIMT_SCRATCH;

/// Bytes at the start that are zero between launches: counters of finished gangs.
pub const SCRATCH_HEAD: usize = 4096;
/// Where in them the number of an assertion that has failed is, 32 bits of which 0 means none; for devices that cannot end a kernel.
pub const FAILED_ASSERTION: usize = SCRATCH_HEAD - 8;
/// Where in them the address of the device's heap is, 64 bits; for devices whose kernels know no heap of their own.
pub const HEAP: usize = SCRATCH_HEAD - 16;
/// The part of the heap in which its state is, in bytes.
pub const HEAP_HEAD: usize = 320;
/// Such a kernel's text has lines with this, an assertion's number, its line, file, function and condition, with tabs between these.
pub const ASSERTION_MARK: &str = "//@assertion ";
/// The memory of the workers starts at a multiple of this.
pub const SCRATCH_ALIGNMENT: usize = 128;

impl Launch {
    /// The bytes for a launch; 0 when the kernel needs none. None when they are too many to count.
    pub fn scratch_bytes(&self, grid: [u32; 3], workers: u32) -> Option<usize> {
        if !self.code.has(SIMT_SCRATCH) {
            return Some(0);
        }
        let gangs = grid.iter().map(|&gangs| gangs as usize).product::<usize>();
        let of_gangs = (self.code.scratch_gang_bytes as usize).checked_mul(gangs)?;
        let of_workers = (self.code.scratch_worker_bytes as usize)
            .checked_mul(gangs)?
            .checked_mul(workers as usize)?;
        SCRATCH_HEAD
            .checked_add(of_gangs)?
            .checked_next_multiple_of(SCRATCH_ALIGNMENT)?
            .checked_add(of_workers)
    }
}
