//! The shapes of launches.

use accrue_abi::launch::{
    Block, Code, GangRule, LaneRule, Launch, MOST_GANGS, UNEVEN_GANGS, Version, at_most, on_cores,
};
use accrue_abi::*;

const GRID: u64 = (1 << 31) - 1;

/// A launch without clauses.
fn launch(site: SiteKind, kernel_flags: u32, code: Code) -> Launch {
    Launch {
        site,
        kernel_flags,
        code,
        gangs: [0; 3],
        workers: 0,
        vector: 0,
        share: 0,
    }
}

fn flags(flags: u32) -> Code {
    Code {
        flags,
        ..Code::default()
    }
}

/// Gangs, workers and lanes; 1000 blocks run at once.
fn shape(
    launch: Launch,
    asked: (u64, u64, u64),
    max_threads: u32,
    trips: Option<u64>,
) -> (u32, u32, u32) {
    let (gangs, workers, vector) = asked;
    let launch = Launch {
        gangs: [gangs, 0, 0],
        workers,
        vector,
        ..launch
    };
    let block = launch.block(max_threads);
    let [gangs, 1, 1] = launch.grid(block, || trips, 1000, u64::MAX) else {
        panic!("dimensions are not told apart");
    };
    (gangs, block.workers, block.vector)
}

#[test]
fn blocks_and_grids() {
    let parallel = |bits, asked, max_threads| {
        let launch = launch(SiteKind::Parallel, KERNEL_GANG_LOOP, flags(bits));
        shape(launch, asked, max_threads, None)
    };
    let both = SIMT_WORKERS | SIMT_VECTOR;
    // Nothing given.
    assert_eq!(parallel(SIMT_VECTOR, (0, 0, 0), 1024), (1000, 1, 128));
    assert_eq!(parallel(both, (0, 0, 0), 1024), (1000, 8, 32));
    assert_eq!(parallel(0, (0, 0, 0), 1024), (1000, 1, 32));
    // Lanes come in whole warps, and no more than a block has.
    assert_eq!(parallel(SIMT_VECTOR, (3, 0, 1), 1024), (3, 1, 32));
    assert_eq!(parallel(SIMT_VECTOR, (3, 0, 100), 1024), (3, 1, 128));
    assert_eq!(parallel(SIMT_VECTOR, (3, 0, 5000), 1024), (3, 1, 1024));
    // Workers only where there is a loop for them.
    assert_eq!(parallel(SIMT_VECTOR, (3, 4, 32), 1024), (3, 1, 32));
    assert_eq!(parallel(both, (3, 4, 64), 1024), (3, 4, 64));
    assert_eq!(parallel(both, (3, 40, 32), 1024), (3, 32, 32));
    assert_eq!(parallel(both, (3, 20, 64), 1024), (3, 15, 64));
    assert_eq!(parallel(both, (3, 20, 256), 1024), (3, 4, 256));
    // Registers allow fewer threads.
    assert_eq!(parallel(both, (3, 0, 0), 128), (3, 4, 32));
    assert_eq!(parallel(SIMT_VECTOR, (3, 0, 1024), 600), (3, 1, 576));
}

/// Kernels for workers that share a warp: lanes as compiled, workers that fill warps.
#[test]
fn workers_that_share_a_warp() {
    let short = |site, max_workers, max_vector, workers, max_threads| {
        let code = Code {
            max_workers,
            max_vector,
            ..flags(SIMT_WORKERS | SIMT_VECTOR)
        };
        let asked = (3, workers, u64::from(max_vector));
        let launch = launch(site, KERNEL_GANG_LOOP, code);
        let (_, workers, vector) = shape(launch, asked, max_threads, None);
        (workers, vector)
    };
    let parallel = SiteKind::Parallel;
    assert_eq!(short(parallel, 32, 8, 0, 1024), (32, 8));
    assert_eq!(short(parallel, 256, 1, 0, 1024), (256, 1));
    assert_eq!(short(parallel, 4, 16, 4, 1024), (4, 16));
    // Never a part of a warp, never more than the code was made for.
    assert_eq!(short(parallel, 32, 8, 9, 1024), (12, 8));
    assert_eq!(short(parallel, 32, 8, 99, 1024), (32, 8));
    assert_eq!(short(parallel, 32, 8, 0, 200), (24, 8));
    assert_eq!(short(parallel, 32, 8, 0, 1), (4, 8));
    assert_eq!(short(SiteKind::Serial, 32, 8, 0, 1024), (4, 8));
}

#[test]
fn one_gang_and_as_many_as_needed() {
    let vector = flags(SIMT_VECTOR);
    let all = (9, 9, 99);
    let of = |site, flags, asked| shape(launch(site, flags, vector), asked, 1024, None);
    assert_eq!(of(SiteKind::Serial, 0, all), (1, 1, 32));
    assert_eq!(of(SiteKind::Kernels, KERNEL_SINGLE_GANG, all), (1, 1, 32));
    assert_eq!(of(SiteKind::Parallel, 0, (0, 0, 0)), (1, 1, 128));
    let gangs = |code, trips| {
        let launch = launch(SiteKind::Parallel, KERNEL_GANG_LOOP, code);
        shape(launch, (0, 0, 0), 1024, Some(trips)).0
    };
    let counted = |bits, trips| gangs(flags(bits), trips);
    let reduced = |bits, trips| {
        let code = Code {
            scratch_gang_bytes: 8,
            ..flags(bits)
        };
        gangs(code, trips)
    };
    assert_eq!(counted(SIMT_VECTOR, 10), 10);
    assert_eq!(counted(SIMT_VECTOR, 0), 1);
    // More than fit at once, unless each costs something; then all get as many rounds.
    assert_eq!(counted(SIMT_VECTOR, 5000), 5000);
    assert_eq!(counted(SIMT_VECTOR, 1 << 40), 1 << 20);
    assert_eq!(counted(SIMT_VECTOR | SIMT_SEVERAL, 5000), 1250);
    assert_eq!(counted(SIMT_VECTOR | SIMT_SEVERAL, 1500), 1000);
    assert_eq!(counted(SIMT_VECTOR | SIMT_GANG_COST, 1500), 750);
    // A short body and a result: one gang for a few rounds.
    let sum = SIMT_VECTOR | SIMT_SEVERAL | SIMT_GANG_VECTOR_LOOP;
    assert_eq!(reduced(sum, 32 * 256), 1);
    assert_eq!(reduced(sum, 32 * 256 + 1), 33);
    assert_eq!(reduced(SIMT_VECTOR | SIMT_SEVERAL, 20), 20);
    assert_eq!(counted(SIMT_VECTOR | SIMT_GANG_COST, 1 << 40), 1000);
    assert_eq!(counted(SIMT_VECTOR | SIMT_GANG_VECTOR_LOOP, 10_000), 40);
    let combined = SIMT_VECTOR | SIMT_WORKERS | SIMT_GANG_WORKER_LOOP | SIMT_GANG_VECTOR_LOOP;
    assert_eq!(counted(combined, 257), 2);
    assert_eq!(counted(SIMT_VECTOR | SIMT_NO_GANG_LOOP, 10_000), 1);
    // A loop over gangs here, and none on the host.
    let own = flags(SIMT_VECTOR | SIMT_GANG_VECTOR_LOOP | SIMT_OWN_GANG_LOOP);
    let launch = launch(SiteKind::Kernels, KERNEL_SINGLE_GANG, own);
    let of = |trips| shape(launch, (0, 0, 0), 1024, Some(trips));
    assert_eq!(of(10_000), (40, 1, 256));
}

#[test]
fn what_the_compiler_relies_on_goes_before_what_the_launch_says() {
    let code = Code {
        vector: 64,
        workers: 4,
        ..flags(SIMT_VECTOR | SIMT_WORKERS)
    };
    let launch = Launch {
        vector: 256,
        workers: 2,
        ..launch(SiteKind::Parallel, KERNEL_GANG_LOOP, code)
    };
    assert_eq!(launch.lanes(1024), (64, LaneRule::Clause));
    assert_eq!(launch.block(1024).workers, 2);
}

/// The grid for loops over these dimensions and `num_gangs`; 1000 blocks fit, and dimension 1 has 2560 iterations.
fn grid(dims: &[usize], gangs: [u64; 3]) -> [u32; 3] {
    let bits: u32 = dims.iter().map(|dim| SIMT_GANG_DIMS[dim - 1]).sum();
    let code = flags(bits | SIMT_GANG_VECTOR_LOOP);
    let launch = Launch {
        gangs,
        ..launch(SiteKind::Parallel, KERNEL_GANG_LOOP, code)
    };
    launch.grid(launch.block(1024), || Some(2560), 1000, GRID)
}

#[test]
fn dimensions_are_flat_or_told_apart() {
    assert_eq!(grid(&[], [4, 3, 2]), [24, 1, 1]);
    assert_eq!(grid(&[1, 2], [4, 3, 2]), [4, 3, 2]);
    assert_eq!(grid(&[1], [4, 3, 2]), [4, 3, 2]);
    assert_eq!(grid(&[2], [4, 1, 1]), [4, 1, 1]);
    // Nobody needs as many for 2560 iterations; without a loop it is for the device to say.
    assert_eq!(grid(&[], [2_000_000_000, 0, 0]), [80, 1, 1]);
    assert_eq!(grid(&[], [u64::MAX, 2, 0]), [80, 1, 1]);
    assert_eq!(grid(&[2], [u64::MAX, 1, 1]), [GRID as u32, 1, 1]);
    // A GPU has no more in y and z.
    assert_eq!(grid(&[2, 3], [1, 70_000, 1]), [1, 65_535, 1]);
}

/// Where only the loop can be noticed, gangs without iterations are not started.
#[test]
fn idle_gangs() {
    let gangs = |flag, dims: u32, asked| {
        let launch = Launch {
            gangs: asked,
            ..launch(
                SiteKind::Parallel,
                KERNEL_GANG_LOOP,
                flags(flag | dims | SIMT_GANG_VECTOR_LOOP),
            )
        };
        let block = launch.block(1024);
        (
            launch.grid(block, || Some(2560), 1000, GRID)[0],
            launch.grid(block, || None, 1000, GRID)[0],
        )
    };
    assert_eq!(
        gangs(SIMT_ONLY_LOOPS, 0, [1_000_000, 0, 0]),
        (80, 1_000_000)
    );
    assert_eq!(gangs(SIMT_ONLY_LOOPS, 0, [100, 100, 0]), (80, 10_000));
    assert_eq!(gangs(SIMT_ONLY_LOOPS, 0, [5, 0, 0]), (5, 5));
    assert_eq!(gangs(SIMT_ONLY_LOOPS, 0, [0; 3]), (80, 1000));
    assert_eq!(gangs(0, 0, [1_000_000, 0, 0]), (1_000_000, 1_000_000));
    assert_eq!(
        gangs(SIMT_ONLY_LOOPS, SIMT_GANG_DIMS[0], [300, 2, 1]),
        (300, 300)
    );
}

#[test]
fn dimensions_with_loops_get_gangs_and_others_one() {
    // 32 lanes: 2560 iterations are 80 gangs.
    assert_eq!(grid(&[], [0; 3]), [80, 1, 1]);
    assert_eq!(grid(&[1], [0; 3]), [80, 1, 1]);
    assert_eq!(grid(&[1, 2], [0; 3]), [80, 16, 1]);
    assert_eq!(grid(&[1, 3], [0; 3]), [80, 1, 16]);
    assert_eq!(grid(&[1, 2, 3], [0; 3]), [80, 16, 16]);
    assert_eq!(grid(&[2], [0; 3]), [1, 1000, 1]);
    assert_eq!(grid(&[2, 3], [0; 3]), [1, 16, 62]);
}

#[test]
fn rules_have_names() {
    let rule = |kernel, bits, gangs| {
        let launch = launch(SiteKind::Parallel, kernel, flags(bits));
        Launch { gangs, ..launch }.gang_rule()
    };
    assert_eq!(rule(KERNEL_SINGLE_GANG, 0, [9; 3]), GangRule::Serial);
    assert_eq!(rule(KERNEL_GANG_LOOP, 0, [9; 3]), GangRule::Clause);
    assert_eq!(rule(0, 0, [0; 3]), GangRule::NoLoop);
    let dimensions = rule(KERNEL_GANG_LOOP, SIMT_GANG_DIMS[1], [0; 3]);
    assert_eq!(dimensions, GangRule::Dimensions);
    let iterations = rule(KERNEL_GANG_LOOP, SIMT_GANG_DIMS[0], [0; 3]);
    assert!(matches!(iterations, GangRule::Iterations(_)));
}

#[test]
fn versions_by_the_length_of_rows() {
    let launch = launch(
        SiteKind::Parallel,
        KERNEL_GANG_LOOP,
        flags(SIMT_VECTOR | SIMT_WORKERS),
    );
    let version = |launch: Launch, length, rows| launch.version(3200, || Some([length, rows]));
    assert_eq!(version(launch, 128, 9), Version::Short);
    assert_eq!(version(launch, 129, 9), Version::Plain);
    assert_eq!(version(launch, 1024, 99), Version::Long);
    assert_eq!(version(launch, 1024, 100), Version::Plain);
    let asked = Launch {
        workers: 4,
        ..launch
    };
    assert_eq!(version(asked, 1, 1), Version::Plain);
    assert_eq!(launch.version(3200, || None), Version::Plain);
}

#[test]
fn scratch_memory_has_head_gangs_and_workers() {
    let bytes = |bits, gang, worker, gangs, workers| {
        let code = Code {
            scratch_gang_bytes: gang,
            scratch_worker_bytes: worker,
            ..flags(bits)
        };
        launch(SiteKind::Parallel, 0, code).scratch_bytes([gangs, 1, 1], workers)
    };
    assert_eq!(bytes(0, 16, 16, 5, 5), Some(0));
    assert_eq!(bytes(SIMT_SCRATCH, 0, 0, 5, 5), Some(4096));
    assert_eq!(bytes(SIMT_SCRATCH, 48, 16, 3, 2), Some(4096 + 256 + 96));
    assert_eq!(bytes(SIMT_SCRATCH, u64::MAX, 0, 5, 5), None);
}

#[test]
fn the_largest_dimensions_lose_gangs() {
    assert_eq!(at_most([7, 3, 2], 100), [7, 3, 2]);
    assert_eq!(
        at_most([2_000_000_000, 1, 1], MOST_GANGS),
        [MOST_GANGS, 1, 1]
    );
    assert_eq!(at_most([4, 1000, 1], 100), [4, 25, 1]);
    for gangs in [[u64::MAX; 3], [1 << 40, 1 << 30, 5], [3, 1 << 62, 1 << 62]] {
        let [x, y, z] = at_most(gangs, MOST_GANGS);
        assert!(x * y * z <= MOST_GANGS && x * y * z > MOST_GANGS / 8);
    }
}

#[test]
fn cores_are_for_the_outermost_loop() {
    let gangs = |site, flags, asked| on_cores(site, flags, asked, || 6);
    let parallel = SiteKind::Parallel;
    assert_eq!(gangs(parallel, 0, [0; 3]), [1, 1, 1]);
    assert_eq!(gangs(parallel, KERNEL_GANG_LOOP, [0; 3]), [6, 1, 1]);
    let uneven = KERNEL_GANG_LOOP | KERNEL_UNEVEN;
    assert_eq!(gangs(parallel, uneven, [0; 3]), [6 * UNEVEN_GANGS, 1, 1]);
    assert_eq!(gangs(parallel, uneven, [3, 0, 0]), [3, 1, 1]);
    let two = KERNEL_GANG_LOOP | KERNEL_GANG_DIMS[0] | KERNEL_GANG_DIMS[1];
    assert_eq!(gangs(parallel, two, [0; 3]), [1, 6, 1]);
    assert_eq!(gangs(parallel, two, [3, 0, 0]), [3, 1, 1]);
    assert_eq!(gangs(SiteKind::Serial, two, [3, 3, 3]), [1, 1, 1]);
    assert_eq!(
        gangs(SiteKind::Kernels, KERNEL_SINGLE_GANG, [3; 3]),
        [1, 1, 1]
    );
}

#[test]
fn shared_memory_is_for_the_workers_there_are() {
    let code = Code {
        shared_worker_bytes: 24,
        ..flags(SIMT_WORKERS)
    };
    let launch = launch(SiteKind::Parallel, KERNEL_GANG_LOOP, code);
    let expected = Block {
        vector: 32,
        workers: 8,
        dynamic_shared: 192,
    };
    assert_eq!(launch.block(1024), expected);
    assert_eq!(expected.threads(), 256);
}
