//! How many blocks of a kernel run at once on a multiprocessor (CUDA's occupancy calculation).
//!
//! Registers are handed out to warps, shared memory to blocks, both in whole units; the scarcest thing decides:
//!
//! ```text
//! blocks = min(blocks of the multiprocessor, its threads / block's, its registers / block's, its shared memory / block's)
//! occupancy = blocks · threads of a block / threads of the multiprocessor
//! ```
//! The limits are those of the CUDA C++ Programming Guide, "Compute Capabilities", and of CUDA's `cuda_occupancy.h`.

/// What a multiprocessor has.
struct Multiprocessor {
    /// Compute capability, times ten.
    sm: u32,
    threads: u32,
    blocks: u32,
    /// In bytes; a block may have less.
    shared: u64,
    /// Shared memory that the system takes of each block, and the unit in which it is handed out.
    shared_reserved: u64,
    shared_unit: u64,
    /// Warps get registers in groups of this many warps.
    warp_group: u32,
}

/// 32-bit registers of a multiprocessor, and of the unit in which a warp gets them.
const REGISTERS: u32 = 64 << 10;
const REGISTER_UNIT: u32 = 256;
const WARP: u32 = 32;
const KIB: u64 = 1 << 10;

const MULTIPROCESSORS: [Multiprocessor; 15] = [
    pascal_to_turing(60, 2048, 32, 64, 2),
    pascal_to_turing(61, 2048, 32, 96, 4),
    pascal_to_turing(62, 2048, 32, 64, 4),
    pascal_to_turing(70, 2048, 32, 96, 4),
    pascal_to_turing(72, 2048, 32, 96, 4),
    pascal_to_turing(75, 1024, 16, 64, 4),
    ampere_on(80, 2048, 32, 164),
    ampere_on(86, 1536, 16, 100),
    ampere_on(87, 1536, 16, 164),
    ampere_on(89, 1536, 24, 100),
    ampere_on(90, 2048, 32, 228),
    ampere_on(100, 2048, 32, 228),
    ampere_on(103, 2048, 32, 228),
    ampere_on(120, 1536, 24, 100),
    ampere_on(121, 1536, 24, 100),
];

const fn pascal_to_turing(
    sm: u32,
    threads: u32,
    blocks: u32,
    shared_kib: u64,
    warp_group: u32,
) -> Multiprocessor {
    Multiprocessor {
        sm,
        threads,
        blocks,
        shared: shared_kib * KIB,
        shared_reserved: 0,
        shared_unit: 256,
        warp_group,
    }
}

const fn ampere_on(sm: u32, threads: u32, blocks: u32, shared_kib: u64) -> Multiprocessor {
    Multiprocessor {
        sm,
        threads,
        blocks,
        shared: shared_kib * KIB,
        shared_reserved: KIB,
        shared_unit: 128,
        warp_group: 4,
    }
}

/// How busy blocks of one kernel keep a multiprocessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Blocks at once; 0 if not even one fits.
    pub blocks: u32,
    /// Their threads, of those the multiprocessor can hold, in percent.
    pub percent: u32,
    /// What there is too little of for more blocks.
    pub limit: &'static str,
}

/// Of blocks of `threads` threads with `registers` each, and `shared` bytes of shared memory; `None` for a GPU that is not
/// in the table.
pub fn occupancy(sm: u32, threads: u32, registers: u32, shared: u64) -> Option<Occupancy> {
    let on = MULTIPROCESSORS.iter().find(|known| known.sm == sm)?;
    let warps = threads.div_ceil(WARP).max(1);
    let by_threads = on.threads / WARP / warps;
    let per_warp = (registers * WARP).next_multiple_of(REGISTER_UNIT);
    let by_registers = match REGISTERS.checked_div(per_warp) {
        Some(resident) => resident / on.warp_group * on.warp_group / warps,
        None => u32::MAX,
    };
    let per_block = (shared + on.shared_reserved).next_multiple_of(on.shared_unit);
    let by_shared = match on.shared.checked_div(per_block) {
        Some(blocks) => u32::try_from(blocks).unwrap_or(u32::MAX),
        None => u32::MAX,
    };
    let limits = [
        (by_threads, "threads"),
        (by_registers, "registers"),
        (by_shared, "shared memory"),
        (on.blocks, "blocks"),
    ];
    let (blocks, limit) = limits.into_iter().min_by_key(|(blocks, _)| *blocks)?;
    Some(Occupancy {
        blocks,
        percent: 100 * blocks * warps / (on.threads / WARP),
        limit,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of CUDA's `cudaOccMaxActiveBlocksPerMultiprocessor` for the same figures.
    #[test]
    fn agrees_with_cuda() {
        let of = |sm, threads, registers, shared| {
            let found = occupancy(sm, threads, registers, shared).unwrap();
            (found.blocks, found.percent, found.limit)
        };
        assert_eq!(of(90, 256, 24, 0), (8, 100, "threads"));
        assert_eq!(of(90, 256, 40, 0), (6, 75, "registers"));
        assert_eq!(of(90, 128, 255, 0), (2, 12, "registers"));
        assert_eq!(of(90, 32, 16, 0), (32, 50, "blocks"));
        assert_eq!(of(90, 1024, 32, 48 << 10), (2, 100, "threads"));
        assert_eq!(of(90, 128, 32, 48 << 10), (4, 25, "shared memory"));
        assert_eq!(of(75, 256, 32, 0), (4, 100, "threads"));
        assert_eq!(of(86, 512, 32, 0), (3, 100, "threads"));
        assert_eq!(of(60, 96, 70, 0), (9, 42, "registers"));
        assert_eq!(of(70, 1024, 65, 0), (0, 0, "registers"));
        assert_eq!(occupancy(35, 256, 24, 0), None);
    }
}
