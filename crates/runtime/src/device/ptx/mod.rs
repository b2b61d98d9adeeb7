//! What the drivers of PTX share: which code a GPU gets, how many threads a launch has, its scratch memory.
//!
//! The rules for the shape of launches are those of [`crate::abi::launch`].

mod pieces;
mod trip;

pub use pieces::of_kernel;
pub use trip::trip_count;

pub use crate::abi::launch::{Block, SCRATCH_HEAD};

use super::sizes::{self, Size};
use super::{Launch, gang_text};
use crate::abi::launch::{self, Version};
use crate::abi::{self, CodeKind, Kernel, Module, PTX_WORKERS, PtxDisjoint, PtxKernel};
use crate::fatal::fatal;
use crate::notify::{self, Event};
use crate::words::{self, array};
use std::ffi::c_char;

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
pub fn codes(module: &Module, sm: u32) -> Vec<&'static abi::Code> {
    best_first(module, |code| {
        code.kind == CodeKind::Ptx as u32 && code.sm <= sm
    })
}

/// The machine codes of a module that the GPU can execute, the best one first: those of its own generation that are not
/// for a later member of it.
pub fn machine_codes(module: &Module, sm: u32) -> Vec<&'static abi::Code> {
    best_first(module, |code| {
        code.kind == CodeKind::Machine as u32 && code.sm / 10 == sm / 10 && code.sm <= sm
    })
}

fn best_first(module: &Module, suits: impl Fn(&abi::Code) -> bool) -> Vec<&'static abi::Code> {
    // SAFETY: a valid module has `ncodes` codes.
    let all = unsafe { array(module.codes, module.ncodes) };
    let mut codes: Vec<&abi::Code> = all.iter().filter(|code| suits(code)).collect();
    codes.sort_by_key(|code| std::cmp::Reverse(code.sm));
    codes
}

/// `9.0` for 90.
pub fn version(number: u32) -> String {
    format!("{}.{}", number / 10, number % 10)
}

/// What runs, and what decides about its shape: settled once per launch.
pub struct Chosen {
    /// The version of the kernel.
    pub ptx: &'static PtxKernel,
    rules: launch::Launch,
    /// The grid, where the version is one for a grid that covers its loop.
    covering: Option<[u32; 3]>,
}

/// What decides about the shape of a launch of this version.
fn rules(ptx: &PtxKernel, launch: &Launch<'_>) -> launch::Launch {
    let sizes = [launch.workers, launch.vector];
    launch::Launch::new(launch.site.kind, launch.kernel, ptx, launch.gangs, sizes)
}

/// Chooses the version of the kernel `ptx`: for a grid that covers its loop, or else for the length of its inner loops.
/// `threads` run at the same time on the GPU, and a grid has at most `most` blocks.
pub fn choose(ptx: &'static PtxKernel, launch: &Launch<'_>, threads: u64, most: u64) -> Chosen {
    let plain = rules(ptx, launch);
    let covering = covering(ptx, launch, &plain, most);
    let version = match covering {
        Some((version, _)) => version,
        None => for_length(ptx, launch, &plain, threads),
    };
    let rules = match std::ptr::eq(version, ptx) {
        true => plain,
        false => rules(version, launch),
    };
    Chosen {
        ptx: version,
        rules,
        covering: covering.map(|(_, blocks)| blocks),
    }
}

/// The kernel's version for a grid that covers its loop, and the grid, if the launch may have it: not for loops without
/// iterations, or with numbers of iterations that are not known or do not fit.
fn covering(
    ptx: &PtxKernel,
    launch: &Launch<'_>,
    rules: &launch::Launch,
    most: u64,
) -> Option<(&'static PtxKernel, [u32; 3])> {
    // SAFETY: the compiler's pointer to static data of the program, or null.
    let table = unsafe { ptx.grid.as_ref() }.filter(|_| rules.may_cover())?;
    // SAFETY: as above.
    let version = unsafe { table.kernel.as_ref() }?;
    let count = |program: *const i64| match program.is_null() {
        true => Some(None),
        // SAFETY: the compiler ends every program with END.
        false => unsafe { trip_count(program, launch.args) }.map(Some),
    };
    let (rows, outer) = (count(table.rows)?, count(table.outer)?);
    let blocks = launch::covering(version.vector, count(table.columns)??, rows, outer)?;
    let all = blocks.iter().map(|&n| u64::from(n)).product::<u64>();
    (all <= most).then_some((version, blocks))
}

/// The kernel's version for the length of its inner loops.
fn for_length(
    ptx: &'static PtxKernel,
    launch: &Launch<'_>,
    rules: &launch::Launch,
    threads: u64,
) -> &'static PtxKernel {
    // SAFETY: the compiler's pointer to static data of the program, or null.
    let Some(inner) = (unsafe { ptx.inner.as_ref() }) else {
        return ptx;
    };
    // SAFETY: the compiler ends every program with END.
    let count = |program| unsafe { trip_count(program, launch.args) };
    let version = rules.version(threads, || Some([count(inner.length)?, count(ptx.trip)?]));
    let chosen = match version {
        Version::Plain => return ptx,
        Version::Short => inner.narrow,
        Version::Long => inner.wide,
    };
    // SAFETY: as for `inner`.
    unsafe { chosen.as_ref() }.unwrap_or(ptx)
}

impl Chosen {
    /// The shape of the blocks; `max_threads` is what the kernel's registers allow.
    pub fn block(&self, max_threads: u32) -> Block {
        self.rules.block(max_threads)
    }

    /// The blocks in each dimension, no more than `most`; `resident` blocks of this shape fit on the GPU at the same time.
    pub fn grid(&self, launch: &Launch<'_>, block: Block, resident: u64, most: u64) -> [u32; 3] {
        self.covering.unwrap_or_else(|| {
            self.rules
                .grid(block, || self.trips(launch), resident, most)
        })
    }

    /// The number of iterations of the gang-partitioned loop, if it is known.
    fn trips(&self, launch: &Launch<'_>) -> Option<u64> {
        // SAFETY: the compiler ends every program with END.
        unsafe { trip_count(self.ptx.trip, launch.args) }
    }

    /// Bytes of scratch memory; 0 when the kernel needs none. None when they are too many to count.
    pub fn scratch_bytes(&self, grid: [u32; 3], workers: u32) -> Option<usize> {
        self.rules.scratch_bytes(grid, workers)
    }

    /// Tells the program of sizes that the launch does not have as asked for.
    pub fn tell(&self, device: &str, launch: &Launch<'_>, grid: [u32; 3], block: Block) {
        if self.rules.is_serial() {
            return;
        }
        let (vector, workers) = (u64::from(block.vector), u64::from(block.workers));
        if launch.vector > vector {
            sizes::tell(launch.site, device, Size::Vector, launch.vector, vector);
        }
        if launch.workers > workers && self.ptx.flags & PTX_WORKERS != 0 {
            sizes::tell(launch.site, device, Size::Workers, launch.workers, workers);
        }
        let number = |gangs: [u64; 3]| gangs.iter().fold(1u64, |all, n| all.saturating_mul(*n));
        let given = number(grid.map(u64::from));
        if number(launch.gangs) > given
            && self.rules.noticed_gangs(block, self.trips(launch)) > given
        {
            let asked = gang_text(launch.gangs, [false; 3]);
            let used = grid_text(launch, grid);
            sizes::tell(launch.site, device, Size::Gangs, asked, used);
        }
    }
}

/// The blocks of a launch in messages.
pub fn grid_text(launch: &Launch<'_>, grid: [u32; 3]) -> String {
    let told_apart =
        kernel(launch.kernel).map_or([false; 3], |ptx| launch::Code::from(ptx).gang_dims());
    gang_text(grid.map(u64::from), told_apart)
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

/// Which version of the kernel runs: whether it is the fast one, if there are both, and a grid that covers the loop.
fn version_text(chosen: &Chosen, launch: &Launch<'_>) -> String {
    let fast = match disjoint(chosen.ptx) {
        None => "",
        Some(_) if launch.disjoint => " version=disjoint",
        Some(_) => " version=safe",
    };
    match chosen.covering {
        Some([x, y, z]) => format!("{fast} grid={x}x{y}x{z}"),
        None => fast.to_string(),
    }
}

/// The line of `ACCRUE_NOTIFY`.
pub fn announce(
    device: &str,
    queue: super::Queue,
    launch: &Launch<'_>,
    chosen: &Chosen,
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
    let version = version_text(chosen, launch);
    notify::line(format_args!(
        "launch file={} function={} line={} device={device} queue={queue} kernel={name} gangs={gangs} workers={} \
         vector={} shared={shared} registers={registers} local={local} occupancy={occupancy}%{version}",
        launch.site.file, launch.site.function, launch.site.line, block.workers, block.vector,
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::Code;
    use std::sync::atomic::AtomicPtr;

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
        let sms = |codes: Vec<&abi::Code>| codes.iter().map(|code| code.sm).collect::<Vec<_>>();
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
