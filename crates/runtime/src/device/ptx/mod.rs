//! What the drivers of PTX share: which code a GPU gets, how many threads a launch has, its scratch memory.
//!
//! A gang is a block, a worker a row of its threads, a lane a column: `blockDim = (vector, workers, 1)` with a multiple
//! of 32 lanes, and all gang dimensions flattened into `gridDim.x`, unless the kernel tells them apart ([`grid`]). Some
//! kernels are compiled for workers of 1, 2, 4, 8 or 16 lanes, of which several share a warp; their workers fill whole
//! warps.
//!
//! ```text
//! parallel loop gang vector, n = 10000   →   40 gangs, 1 worker, 256 lanes      (40 * 256 threads cover n)
//! parallel loop gang, worker, vector     →   as many gangs as fit on the GPU at once or as the gang loop has
//!                                            iterations, 8 workers, 32 lanes
//! gang worker, vector; vector_length(8)  →   the same, 32 workers, 8 lanes
//! serial                                 →   1 gang, 1 worker, 32 lanes
//! ```

mod grid;
mod pieces;
mod trip;

pub use grid::{grid, grid_text};
pub use pieces::of_kernel;
pub use trip::trip_count;

use super::sizes::{self, Size};
use super::{Launch, gang_text};
use crate::abi::{
    Code, CodeKind, KERNEL_SINGLE_GANG, Kernel, Module, PTX_GANG_VECTOR_LOOP, PTX_NO_GANG_LOOP,
    PTX_SCRATCH, PTX_VECTOR, PTX_WORKERS, PtxDisjoint, PtxKernel, SiteKind,
};
use crate::fatal::fatal;
use crate::notify::{self, Event};
use crate::words::{self, array};
use std::ffi::c_char;

/// Lanes of a warp.
const WARP: u64 = 32;
/// Most threads of a block on every GPU.
const BLOCK: u64 = 1024;
/// Most workers of more than one warp: each needs a barrier of its own, of which there are 16.
const WIDE_WORKERS: u64 = 15;
/// Workers and lanes where the directive does not say.
const WORKERS: u64 = 8;
const VECTOR: u64 = 128;
/// Lanes where a loop is spread over gangs and lanes at once, or where gangs leave partial results, which should be few.
const GANG_VECTOR: u64 = 256;

/// Bytes at the start of scratch memory that are zero between launches: counters of finished gangs.
pub const SCRATCH_HEAD: usize = 4096;
/// Scratch memory of the workers starts at a multiple of this.
const SCRATCH_ALIGNMENT: usize = 128;

/// The GPU code of a kernel.
pub fn kernel(kernel: &Kernel) -> Option<&'static PtxKernel> {
    // SAFETY: the compiler's pointer to static data of the program, or null.
    unsafe { kernel.ptx.as_ref() }
}

/// The fast version of a kernel, if it has one.
pub fn disjoint(kernel: &PtxKernel) -> Option<&'static PtxDisjoint> {
    // SAFETY: as for `kernel`.
    unsafe { kernel.disjoint.as_ref() }
}

/// The name of the entry that a launch runs.
pub fn entry(kernel: &PtxKernel, launch_disjoint: bool) -> *const c_char {
    let version = disjoint(kernel).filter(|_| launch_disjoint);
    version.map_or(kernel.entry, |version| version.entry)
}

/// The module a kernel is in.
pub fn module(kernel: &PtxKernel) -> Option<&'static Module> {
    // SAFETY: as for `kernel`.
    unsafe { kernel.module.as_ref() }
}

/// The PTX texts of a module for a GPU of compute capability `sm` (10 * major + minor), the best one first.
pub fn codes(module: &Module, sm: u32) -> Vec<&'static Code> {
    best_first(module, |code| {
        code.kind == CodeKind::Ptx as u32 && code.sm <= sm
    })
}

/// The machine codes of a module that the GPU can execute, the best one first: those of its own generation that are not
/// for a later member of it.
pub fn machine_codes(module: &Module, sm: u32) -> Vec<&'static Code> {
    best_first(module, |code| {
        code.kind == CodeKind::Machine as u32 && code.sm / 10 == sm / 10 && code.sm <= sm
    })
}

fn best_first(module: &Module, suits: impl Fn(&Code) -> bool) -> Vec<&'static Code> {
    // SAFETY: a valid module has `ncodes` codes.
    let all = unsafe { array(module.codes, module.ncodes) };
    let mut codes: Vec<&Code> = all.iter().filter(|code| suits(code)).collect();
    codes.sort_by_key(|code| std::cmp::Reverse(code.sm));
    codes
}

/// `9.0` for 90.
pub fn version(number: u32) -> String {
    format!("{}.{}", number / 10, number % 10)
}

/// The kernel's version for the length of its inner loops; `threads` run at the same time on the GPU.
///
/// Rows of up to 128 elements go to workers of few lanes, so that a warp has several rows to load. Where the rows are long
/// but so few that a warp for each would leave the GPU idle, each gets a gang.
pub fn for_length(
    ptx: &'static PtxKernel,
    launch: &Launch<'_>,
    threads: u64,
) -> &'static PtxKernel {
    const SHORT: u64 = 128;
    const LONG: u64 = 1024;
    // SAFETY: the compiler's pointer to static data of the program, or null.
    let Some(inner) = (unsafe { ptx.inner.as_ref() }) else {
        return ptx;
    };
    if launch.workers != 0 || launch.vector != 0 || is_serial(ptx, launch) {
        return ptx;
    }
    // SAFETY: the compiler ends every program with END.
    let counts = unsafe {
        (
            trip_count(inner.length, launch.args),
            trip_count(ptx.trip, launch.args),
        )
    };
    let (Some(length), Some(rows)) = counts else {
        return ptx;
    };
    let few = launch.gangs == [0, 0, 0] && rows.saturating_mul(WARP) < threads;
    let chosen = if length <= SHORT {
        inner.narrow
    } else if length >= LONG && few {
        inner.wide
    } else {
        return ptx;
    };
    // SAFETY: as for `inner`.
    unsafe { chosen.as_ref() }.unwrap_or(ptx)
}

/// Threads of a block, and the shared memory they ask for beside what the code declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub vector: u32,
    pub workers: u32,
    pub dynamic_shared: u32,
}

impl Block {
    pub fn threads(self) -> u32 {
        self.vector * self.workers
    }
}

/// The shape of the blocks of a launch; `max_threads` is what the kernel's registers allow.
pub fn block(ptx: &PtxKernel, launch: &Launch<'_>, max_threads: u32) -> Block {
    let max_threads = u64::from(max_threads).clamp(WARP, BLOCK);
    let by_worker = ptx.flags & PTX_WORKERS != 0;
    let by_vector = ptx.flags & PTX_VECTOR != 0;
    let serial = is_serial(ptx, launch);
    let limit = |limit: u32| if limit == 0 { BLOCK } else { u64::from(limit) };

    let shared = |workers: u64| {
        let bytes = ptx.shared_worker_bytes.saturating_mul(workers);
        u32::try_from(bytes).unwrap_or(u32::MAX)
    };
    let asked_workers = if launch.workers != 0 {
        launch.workers
    } else {
        u64::from(ptx.workers)
    };
    if (1..WARP).contains(&u64::from(ptx.max_vector)) {
        let vector = u64::from(ptx.max_vector);
        let workers_of_warp = WARP / vector;
        let asked = match asked_workers {
            _ if serial => 1,
            0 => BLOCK,
            asked => asked,
        };
        let most = limit(ptx.max_workers).min(max_threads / vector) / workers_of_warp;
        let warps = asked.div_ceil(workers_of_warp).min(most).max(1);
        let workers = warps * workers_of_warp;
        return Block {
            vector: vector as u32,
            workers: workers as u32,
            dynamic_shared: shared(workers),
        };
    }

    // The code may rely on what the compiler says.
    let asked = if ptx.vector != 0 {
        u64::from(ptx.vector)
    } else {
        launch.vector
    };
    let vector = match asked {
        _ if serial => WARP,
        0 if by_vector && !by_worker && has_large_gangs(ptx) => GANG_VECTOR,
        0 if by_vector && !by_worker => VECTOR,
        0 => WARP,
        asked => asked.min(BLOCK),
    };
    let most_lanes = limit(ptx.max_vector).min(max_threads) / WARP * WARP;
    let vector = vector.next_multiple_of(WARP).min(most_lanes.max(WARP));

    let workers = match asked_workers {
        _ if serial || !by_worker => 1,
        0 => WORKERS,
        asked => asked,
    };
    let most_workers = limit(ptx.max_workers)
        .min(max_threads / vector)
        .min(if vector > WARP { WIDE_WORKERS } else { BLOCK });
    let workers = workers.min(most_workers.max(1));
    Block {
        vector: vector as u32,
        workers: workers as u32,
        dynamic_shared: shared(workers),
    }
}

fn has_large_gangs(ptx: &PtxKernel) -> bool {
    ptx.flags & PTX_GANG_VECTOR_LOOP != 0 || ptx.scratch_gang_bytes > 0
}

fn is_serial(ptx: &PtxKernel, launch: &Launch<'_>) -> bool {
    let serial_phase = launch.site.kind == SiteKind::Kernels && ptx.flags & PTX_NO_GANG_LOOP != 0;
    launch.kernel.flags & KERNEL_SINGLE_GANG != 0
        || launch.site.kind == SiteKind::Serial
        || serial_phase
}

/// Tells the program of sizes that the launch does not have as asked for.
pub fn tell(device: &str, ptx: &PtxKernel, launch: &Launch<'_>, grid: [u32; 3], block: Block) {
    if is_serial(ptx, launch) {
        return;
    }
    let (vector, workers) = (u64::from(block.vector), u64::from(block.workers));
    if launch.vector > vector {
        sizes::tell(launch.site, device, Size::Vector, launch.vector, vector);
    }
    if launch.workers > workers && ptx.flags & PTX_WORKERS != 0 {
        sizes::tell(launch.site, device, Size::Workers, launch.workers, workers);
    }
    let gangs = |gangs: [u64; 3]| gangs.iter().fold(1u64, |all, n| all.saturating_mul(*n));
    if gangs(launch.gangs) > gangs(grid.map(u64::from)) {
        let asked = gang_text(launch.gangs, [false; 3]);
        let used = grid_text(launch, grid);
        sizes::tell(launch.site, device, Size::Gangs, asked, used);
    }
}

/// Bytes of scratch memory for a launch; 0 when the kernel needs none. None when they are too many to count.
///
/// ```text
/// 0     counters, zero before and after every launch
/// 4096  scratch_gang_bytes per gang
/// …     (at a multiple of 128) scratch_worker_bytes per worker of each gang
/// ```
pub fn scratch_bytes(ptx: &PtxKernel, grid: [u32; 3], workers: u32) -> Option<usize> {
    if ptx.flags & PTX_SCRATCH == 0 {
        return Some(0);
    }
    let gangs = grid.iter().map(|&gangs| gangs as usize).product::<usize>();
    let of_gangs = (ptx.scratch_gang_bytes as usize).checked_mul(gangs)?;
    let of_workers = (ptx.scratch_worker_bytes as usize)
        .checked_mul(gangs)?
        .checked_mul(workers as usize)?;
    SCRATCH_HEAD
        .checked_add(of_gangs)?
        .checked_next_multiple_of(SCRATCH_ALIGNMENT)?
        .checked_add(of_workers)
}

/// Ends the program when it passes other arguments than the kernel was compiled for.
pub fn check_arguments(ptx: &PtxKernel, launch: &Launch<'_>) {
    if ptx.args_words as usize != launch.args.len() {
        fatal(
            launch.site.place(),
            format_args!(
                "the kernel takes {} argument words and gets {}; the program was compiled by another version of \
                 accrue",
                ptx.args_words,
                launch.args.len()
            ),
        );
    }
}

/// What a launch used, for [`announce`].
pub struct Launched {
    pub grid: [u32; 3],
    pub block: Block,
    /// Shared memory per block, the code's own included.
    pub shared: u64,
    /// None when they are not known.
    pub registers: Option<u32>,
    /// Local memory per thread, in bytes; None when it is not known.
    pub local: Option<u32>,
    /// Threads that fit on a multiprocessor at the same time, of all it could hold, in percent.
    pub occupancy: u64,
}

/// Whether the fast version runs; none where there is one version only.
fn kernel_version(launch: &Launch<'_>) -> Option<bool> {
    let version = kernel(launch.kernel).and_then(disjoint);
    version.map(|_| launch.disjoint)
}

/// The line of `ACCRUE_NOTIFY`.
pub fn announce(
    device: &str,
    queue: super::Queue,
    launch: &Launch<'_>,
    launched: impl FnOnce() -> Launched,
) {
    if !notify::wants(Event::Launch) {
        return;
    }
    let Launched {
        grid,
        block,
        shared,
        registers,
        local,
        occupancy,
    } = launched();
    // SAFETY: a kernel's name is NUL-terminated or null.
    let name = unsafe { words::text(launch.kernel.name) };
    let known =
        |figure: Option<u32>| figure.map_or_else(|| "?".into(), |figure| figure.to_string());
    let (registers, local): (String, String) = (known(registers), known(local));
    let gangs = grid_text(launch, grid);
    let version = match kernel_version(launch) {
        None => "",
        Some(true) => " version=disjoint",
        Some(false) => " version=safe",
    };
    notify::line(format_args!(
        "launch file={} function={} line={} device={device} queue={queue} kernel={name} gangs={gangs} workers={} \
         vector={} shared={shared} registers={registers} local={local} occupancy={occupancy}%{version}",
        launch.site.file, launch.site.function, launch.site.line, block.workers, block.vector,
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{KERNEL_GANG_LOOP, PTX_GANG_COST, PTX_GANG_WORKER_LOOP, PTX_SEVERAL};
    use crate::profile::Profile;
    use crate::site::SiteState;
    use std::sync::atomic::{AtomicPtr, AtomicU32};

    pub(super) fn plain() -> PtxKernel {
        PtxKernel {
            module: std::ptr::null(),
            entry: std::ptr::null(),
            flags: 0,
            args_words: 0,
            max_workers: 0,
            max_vector: 0,
            shared_worker_bytes: 0,
            scratch_gang_bytes: 0,
            scratch_worker_bytes: 0,
            workers: 0,
            vector: 0,
            trip: std::ptr::null(),
            runtime: AtomicPtr::new(std::ptr::null_mut()),
            inner: std::ptr::null(),
            disjoint: std::ptr::null(),
        }
    }

    /// Shape of a launch: what the clauses say, the kernel's flags, the limits → (gangs, workers, lanes).
    fn shape(
        ptx: &PtxKernel,
        kind: SiteKind,
        kernel_flags: u32,
        asked: (u64, u64, u64),
        max_threads: u32,
        args: &[u64],
    ) -> (u32, u32, u32) {
        let (gangs, workers, vector) = asked;
        let launch = Launch {
            args,
            workers,
            vector,
            ..launch(kind, kernel_flags, [gangs, 0, 0])
        };
        let block = block(ptx, &launch, max_threads);
        (
            super::grid(ptx, &launch, block, 1000, u64::MAX)[0],
            block.workers,
            block.vector,
        )
    }

    /// A launch with `num_gangs` and without arguments.
    pub(super) fn launch(kind: SiteKind, kernel_flags: u32, gangs: [u64; 3]) -> Launch<'static> {
        let site: &'static SiteState = Box::leak(Box::new(SiteState {
            kind,
            file: "",
            function: "",
            line: 0,
            vars: Vec::new(),
            hints: Vec::new(),
            verdicts: Vec::new(),
            told: AtomicU32::new(0),
            profile: Profile::default(),
        }));
        let kernel: &'static Kernel = Box::leak(Box::new(Kernel {
            name: std::ptr::null(),
            line: 0,
            flags: kernel_flags,
            cpu: None,
            cpu_finish: None,
            cpu_slot_bytes: 0,
            ptx: std::ptr::null(),
            reserved: [std::ptr::null(); 3],
        }));
        Launch {
            site,
            kernel,
            args: &[],
            gangs,
            workers: 0,
            vector: 0,
            disjoint: false,
        }
    }

    #[test]
    fn blocks_and_grids() {
        let parallel = |flags, asked, max_threads| {
            let ptx = PtxKernel { flags, ..plain() };
            shape(
                &ptx,
                SiteKind::Parallel,
                KERNEL_GANG_LOOP,
                asked,
                max_threads,
                &[],
            )
        };
        let both = PTX_WORKERS | PTX_VECTOR;
        // Nothing given.
        assert_eq!(parallel(PTX_VECTOR, (0, 0, 0), 1024), (1000, 1, 128));
        assert_eq!(parallel(both, (0, 0, 0), 1024), (1000, 8, 32));
        assert_eq!(parallel(0, (0, 0, 0), 1024), (1000, 1, 32));
        // Lanes come in whole warps, and no more than a block has.
        assert_eq!(parallel(PTX_VECTOR, (3, 0, 1), 1024), (3, 1, 32));
        assert_eq!(parallel(PTX_VECTOR, (3, 0, 100), 1024), (3, 1, 128));
        assert_eq!(parallel(PTX_VECTOR, (3, 0, 5000), 1024), (3, 1, 1024));
        // Workers only where there is a loop for them.
        assert_eq!(parallel(PTX_VECTOR, (3, 4, 32), 1024), (3, 1, 32));
        assert_eq!(parallel(both, (3, 4, 64), 1024), (3, 4, 64));
        assert_eq!(parallel(both, (3, 40, 32), 1024), (3, 32, 32));
        assert_eq!(parallel(both, (3, 20, 64), 1024), (3, 15, 64));
        assert_eq!(parallel(both, (3, 20, 256), 1024), (3, 4, 256));
        // Registers allow fewer threads.
        assert_eq!(parallel(both, (3, 0, 0), 128), (3, 4, 32));
        assert_eq!(parallel(PTX_VECTOR, (3, 0, 1024), 600), (3, 1, 576));
    }

    /// Kernels for workers that share a warp: lanes as compiled, workers that fill warps.
    #[test]
    fn workers_that_share_a_warp() {
        let short = |kind, max_workers, max_vector, workers, max_threads| {
            let ptx = PtxKernel {
                flags: PTX_WORKERS | PTX_VECTOR,
                max_workers,
                max_vector,
                ..plain()
            };
            let flags = KERNEL_GANG_LOOP;
            let asked = (3, workers, u64::from(max_vector));
            let (_, workers, vector) = shape(&ptx, kind, flags, asked, max_threads, &[]);
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
        let vector = PtxKernel {
            flags: PTX_VECTOR,
            ..plain()
        };
        let all = (9, 9, 99);
        assert_eq!(
            shape(&vector, SiteKind::Serial, 0, all, 1024, &[]),
            (1, 1, 32)
        );
        assert_eq!(
            shape(
                &vector,
                SiteKind::Kernels,
                KERNEL_SINGLE_GANG,
                all,
                1024,
                &[]
            ),
            (1, 1, 32)
        );
        assert_eq!(
            shape(&vector, SiteKind::Parallel, 0, (0, 0, 0), 1024, &[]),
            (1, 1, 128)
        );
        let program = [2i64, 0, 0, 0];
        let counted = |flags, trips| {
            let ptx = PtxKernel {
                flags,
                trip: program.as_ptr(),
                ..plain()
            };
            shape(
                &ptx,
                SiteKind::Parallel,
                KERNEL_GANG_LOOP,
                (0, 0, 0),
                1024,
                &[trips],
            )
            .0
        };
        let reduced = |flags, trips| {
            let ptx = PtxKernel {
                flags,
                trip: program.as_ptr(),
                scratch_gang_bytes: 8,
                ..plain()
            };
            let (parallel, loops) = (SiteKind::Parallel, KERNEL_GANG_LOOP);
            shape(&ptx, parallel, loops, (0, 0, 0), 1024, &[trips]).0
        };
        assert_eq!(counted(PTX_VECTOR, 10), 10);
        assert_eq!(counted(PTX_VECTOR, 0), 1);
        // More than fit at once, unless each costs something; then all get as many rounds.
        assert_eq!(counted(PTX_VECTOR, 5000), 5000);
        assert_eq!(counted(PTX_VECTOR, 1 << 40), 1 << 20);
        assert_eq!(counted(PTX_VECTOR | PTX_SEVERAL, 5000), 1250);
        assert_eq!(counted(PTX_VECTOR | PTX_SEVERAL, 1500), 1000);
        assert_eq!(counted(PTX_VECTOR | PTX_GANG_COST, 1500), 750);
        // A short body and a result: one gang for a few rounds.
        let sum = PTX_VECTOR | PTX_SEVERAL | PTX_GANG_VECTOR_LOOP;
        assert_eq!(reduced(sum, 32 * 256), 1);
        assert_eq!(reduced(sum, 32 * 256 + 1), 33);
        assert_eq!(reduced(PTX_VECTOR | PTX_SEVERAL, 20), 20);
        assert_eq!(counted(PTX_VECTOR | PTX_GANG_COST, 1 << 40), 1000);
        assert_eq!(counted(PTX_VECTOR | PTX_GANG_VECTOR_LOOP, 10_000), 40);
        let combined = PTX_VECTOR | PTX_WORKERS | PTX_GANG_WORKER_LOOP | PTX_GANG_VECTOR_LOOP;
        assert_eq!(counted(combined, 257), 2);
        assert_eq!(counted(PTX_VECTOR | PTX_NO_GANG_LOOP, 10_000), 1);
    }

    #[test]
    fn scratch_memory_has_head_gangs_and_workers() {
        let bytes = |flags, gang, worker, gangs, workers| {
            let ptx = PtxKernel {
                flags,
                scratch_gang_bytes: gang,
                scratch_worker_bytes: worker,
                ..plain()
            };
            scratch_bytes(&ptx, [gangs, 1, 1], workers)
        };
        assert_eq!(bytes(0, 16, 16, 5, 5), Some(0));
        assert_eq!(bytes(PTX_SCRATCH, 0, 0, 5, 5), Some(4096));
        assert_eq!(bytes(PTX_SCRATCH, 48, 16, 3, 2), Some(4096 + 256 + 96));
        assert_eq!(bytes(PTX_SCRATCH, u64::MAX, 0, 5, 5), None);
    }

    #[test]
    fn the_newest_code_that_a_gpu_can_run_comes_first() {
        let code = |kind: CodeKind, sm| Code {
            kind: kind as u32,
            sm,
            ptx: 70,
            pad: 0,
            bytes: 0,
            text: std::ptr::null(),
        };
        let texts = [60, 90, 80].map(|sm| code(CodeKind::Ptx, sm));
        let images = [80, 86, 90].map(|sm| code(CodeKind::Machine, sm));
        let all: Vec<Code> = texts.into_iter().chain(images).collect();
        let module = Module {
            ncodes: 6,
            pad: 0,
            codes: all.as_ptr(),
            runtime: AtomicPtr::new(std::ptr::null_mut()),
        };
        let sms = |codes: Vec<&Code>| codes.iter().map(|code| code.sm).collect::<Vec<_>>();
        let ptx = |sm| sms(codes(&module, sm));
        assert_eq!(ptx(90), [90, 80, 60]);
        assert_eq!(ptx(86), [80, 60]);
        assert_eq!(ptx(52), [0u32; 0]);
        let machine = |sm| sms(machine_codes(&module, sm));
        assert_eq!(machine(90), [90]);
        assert_eq!(machine(89), [86, 80]);
        assert_eq!(machine(80), [80]);
        assert_eq!(machine(100), [0u32; 0]);
    }
}
