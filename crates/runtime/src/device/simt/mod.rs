//! What drivers share whose kernels are run by work items in blocks: which version of a kernel runs, in which shape, with how
//! much scratch memory, and what is said of it.
//!
//! The rules for the shape of launches are those of [`crate::abi::launch`].

pub mod per_device;
mod pieces;
pub mod scratch;
pub mod trip;

pub use pieces::of_kernel;
pub use trip::trip_count;

pub use crate::abi::launch::{Block, SCRATCH_HEAD};

use super::sizes::{self, Size};
use super::{Launch, form, gang_text};
use crate::abi::launch::{self, Version};
use crate::abi::{
    FormKind, Kernel, Module, SIMT_OPEN_LANES, SIMT_WORKERS, SimtApart, SimtDisjoint, SimtGrid,
    SimtKernel,
};
use crate::fatal::fatal;
use crate::notify::{self, Event};
use crate::tools::{self, Span};
use crate::words;
use std::cell::OnceCell;
use std::ffi::c_char;
use std::iter::successors;

/// The forms of code that are kernels of modules.
const FORMS: [FormKind; 3] = [FormKind::Ptx, FormKind::OpenCl, FormKind::OpenClCores];

/// The kernel in the form `kind`, one of [`FORMS`].
pub fn kernel(kernel: &Kernel, kind: FormKind) -> Option<&'static SimtKernel> {
    debug_assert!(FORMS.contains(&kind));
    // SAFETY: the compiler's static data of the program; code of these kinds is of this type.
    unsafe { form(kernel, kind)?.cast::<SimtKernel>().as_ref() }
}

/// Whether the kernel has a fast version, in one of its forms.
pub fn has_versions(of: &Kernel) -> bool {
    let mut forms = FORMS.iter().filter_map(|kind| kernel(of, *kind));
    forms.any(|kernel| disjoint(kernel).is_some())
}

/// Whether some device may run the kernel only where memory does not overlap.
pub fn may_be_left_to_host(of: &Kernel) -> bool {
    let mut forms = FORMS.iter().filter_map(|kind| kernel(of, *kind));
    forms.any(|kernel| apart(kernel).is_some())
}

/// What must hold for the kernel, if that is anything.
pub fn apart(kernel: &SimtKernel) -> Option<&'static SimtApart> {
    // SAFETY: as for `kernel`.
    unsafe { kernel.apart.as_ref() }
}

/// The fast version of a kernel, if it has one.
pub fn disjoint(kernel: &SimtKernel) -> Option<&'static SimtDisjoint> {
    // SAFETY: as for `kernel`.
    unsafe { kernel.disjoint.as_ref() }
}

/// The name of the entry that a launch runs.
pub fn entry(kernel: &SimtKernel, launch_disjoint: bool) -> *const c_char {
    let version = disjoint(kernel).filter(|_| launch_disjoint);
    version.map_or(kernel.entry, |version| version.entry)
}

/// The module a kernel is in.
pub fn module(kernel: &SimtKernel) -> Option<&'static Module> {
    // SAFETY: as for `kernel`.
    unsafe { kernel.module.as_ref() }
}

/// What a device has room for.
#[derive(Clone, Copy)]
pub struct Room {
    pub multiprocessors: u64,
    /// That run at the same time on all of them.
    pub threads: u64,
    /// Blocks of a grid.
    pub most: u64,
}

impl Room {
    /// How many of so many iterations each multiprocessor has.
    fn share(self, iterations: u64) -> u64 {
        (iterations / self.multiprocessors.max(1)).max(1)
    }
}

/// What runs, and what decides about its shape: settled once per launch.
pub struct Chosen {
    /// The version of the kernel.
    pub kernel: &'static SimtKernel,
    rules: launch::Launch,
    /// The grid, where the version is one for a grid that covers its loop, with a thread or a gang for each iteration.
    covering: Option<Covering>,
    /// The gang dimensions that the kernel's loops tell apart.
    told_apart: [bool; 3],
    /// The number of iterations of the gang-partitioned loop, if it is known, once somebody has asked for it.
    trips: OnceCell<Option<u64>>,
}

/// A grid that covers a loop, and the version for it.
#[derive(Clone, Copy)]
struct Covering {
    version: &'static SimtKernel,
    blocks: [u32; 3],
    /// Of a block. Each has an iteration to do, whatever else limits threads.
    lanes: u32,
    /// Gangs deal out iterations in turn, so that there may be fewer of them than iterations.
    in_turn: bool,
}

/// What decides about the shape of a launch of this version.
fn rules(kernel: &SimtKernel, launch: &Launch<'_>) -> launch::Launch {
    let sizes = [launch.workers, launch.vector];
    launch::Launch::new(launch.site.kind, launch.kernel, kernel, launch.gangs, sizes)
}

/// Chooses the version of `kernel`: for few iterations, for a grid that covers its loop, or else for the length of its inner loops.
pub fn choose(kernel: &'static SimtKernel, launch: &Launch<'_>, room: Room) -> Chosen {
    let plain = rules(kernel, launch);
    let each = covering_tables(kernel.each).map(|table| (table, true));
    let grids = covering_tables(kernel.grid).map(|table| (table, false));
    let covering = each
        .chain(grids)
        .filter(|_| plain.may_cover())
        .find_map(|(table, in_turn)| covering(table, in_turn, launch, room));
    let version = match covering {
        Some(covering) => covering.version,
        None => for_length(kernel, launch, &plain, room.threads),
    };
    let mut rules = match std::ptr::eq(version, kernel) {
        true => plain,
        false => rules(version, launch),
    };
    let trips = OnceCell::new();
    if covering.is_none() && version.flags & SIMT_OPEN_LANES != 0 {
        let trips = trips.get_or_init(|| trips_of(version, launch));
        rules.share = trips.map_or(0, |trips| room.share(trips));
    }
    Chosen {
        kernel: version,
        rules,
        covering,
        told_apart: launch::Code::from(kernel).gang_dims(),
        trips,
    }
}

/// The number of iterations of the version's gang-partitioned loop, if it is known.
fn trips_of(version: &SimtKernel, launch: &Launch<'_>) -> Option<u64> {
    // SAFETY: the compiler ends every program with END.
    unsafe { trip_count(version.trip, launch.args) }
}

/// A version for certain grids, and those that are tried where a launch cannot have it.
fn covering_tables(first: *const SimtGrid) -> impl Iterator<Item = &'static SimtGrid> {
    // SAFETY: the compiler's pointer to static data of the program, or null.
    let table = |table: *const SimtGrid| unsafe { table.as_ref() };
    successors(table(first), move |before| table(before.next))
}

/// The grid of the version in `table`, if the launch may have it: not for loops without iterations, or with numbers of iterations that are
/// not known or do not fit.
fn covering(table: &SimtGrid, in_turn: bool, launch: &Launch<'_>, room: Room) -> Option<Covering> {
    // SAFETY: the compiler's pointer to static data of the program, or null.
    let version = unsafe { table.kernel.as_ref() }?;
    if apart(version).is_some() && !launch.disjoint {
        return None;
    }
    let count = |program: *const i64| match program.is_null() {
        true => Some(None),
        // SAFETY: the compiler ends every program with END.
        false => unsafe { trip_count(program, launch.args) }.map(Some),
    };
    let (rows, outer) = (count(table.rows)?, count(table.outer)?);
    let columns = count(table.columns)??;
    let lanes = match version.flags & SIMT_OPEN_LANES {
        0 => version.vector,
        _ => launch::open_lanes(room.share(columns), version.max_vector),
    };
    let blocks = launch::covering(lanes, columns, rows, outer)?;
    let all = blocks.iter().map(|&n| u64::from(n)).product::<u64>();
    let is_costly = || all > launch::MOST_COSTLY_GANGS && rules(version, launch).has_costly_gangs();
    (all <= room.most && (in_turn || !is_costly())).then_some(Covering {
        version,
        blocks,
        lanes,
        in_turn,
    })
}

/// The kernel's version for the length of its inner loops.
fn for_length(
    kernel: &'static SimtKernel,
    launch: &Launch<'_>,
    rules: &launch::Launch,
    threads: u64,
) -> &'static SimtKernel {
    // SAFETY: the compiler's pointer to static data of the program, or null.
    let Some(inner) = (unsafe { kernel.inner.as_ref() }) else {
        return kernel;
    };
    // SAFETY: the compiler ends every program with END.
    let count = |program| unsafe { trip_count(program, launch.args) };
    let version = rules.version(threads, || {
        Some([count(inner.length)?, count(kernel.trip)?])
    });
    let chosen = match version {
        Version::Plain => return kernel,
        Version::Short => inner.narrow,
        Version::Long => inner.wide,
    };
    // SAFETY: as for `inner`.
    unsafe { chosen.as_ref() }.unwrap_or(kernel)
}

impl Chosen {
    /// The shape of the blocks; `max_threads` is what the kernel's registers allow.
    pub fn block(&self, launch: &Launch<'_>, max_threads: u32) -> Block {
        let most = self.most_threads(launch).unwrap_or(max_threads);
        let block = self.rules.block(most.min(max_threads));
        let vector = self.covering.map_or(block.vector, |grid| grid.lanes);
        Block { vector, ..block }
    }

    /// The threads of a block that keep to the limit of the launch, unless the code is for one number of lanes only.
    fn most_threads(&self, launch: &Launch<'_>) -> Option<u32> {
        let limit = u32::try_from(launch.thread_limit).ok().filter(|&l| l > 0)?;
        match self.kernel.flags & SIMT_WORKERS {
            0 => (self.kernel.vector == 0).then_some(limit),
            _ => {
                let (lanes, _) = self.rules.lanes(u32::MAX);
                Some(limit.saturating_mul(lanes))
            }
        }
    }

    /// The blocks in each dimension, no more than `most`; `resident` blocks of this shape fit on the GPU at the same time.
    pub fn grid(&self, launch: &Launch<'_>, block: Block, resident: u64, most: u64) -> [u32; 3] {
        match self.covering {
            Some(covering) if !covering.in_turn || !self.rules.has_costly_gangs() => {
                covering.blocks
            }
            Some(_) | None => self
                .rules
                .grid(block, || self.trips(launch), resident, most),
        }
    }

    /// The number of iterations of the gang-partitioned loop, if it is known.
    fn trips(&self, launch: &Launch<'_>) -> Option<u64> {
        *self.trips.get_or_init(|| trips_of(self.kernel, launch))
    }

    /// Bytes of scratch memory; 0 when the kernel needs none. None when they are too many to count.
    pub fn scratch_bytes(&self, grid: [u32; 3], workers: u32) -> Option<usize> {
        self.rules.scratch_bytes(grid, workers)
    }

    /// The blocks in messages.
    pub fn grid_text(&self, grid: [u32; 3]) -> String {
        gang_text(grid.map(u64::from), self.told_apart)
    }

    /// What a call of the driver that fails was about.
    pub fn doing(&self, launch: &Launch<'_>, grid: [u32; 3], block: Block) -> String {
        format!(
            "launching {}:{} with {} gangs, {} workers, {} lanes",
            launch.site.file,
            launch.site.line,
            self.grid_text(grid),
            block.workers,
            block.vector
        )
    }

    /// Tells the program of sizes that the launch does not have as asked for.
    pub fn tell(&self, device: &str, launch: &Launch<'_>, grid: [u32; 3], block: Block) {
        if self.rules.is_serial() {
            return;
        }
        let (vector, workers) = (u64::from(block.vector), u64::from(block.workers));
        // Versions with a gang for each iteration have the lanes that suit these, and the device may have more.
        let chosen = self.covering.is_some_and(|covering| covering.in_turn);
        if launch.vector > vector && !chosen {
            sizes::tell(launch.site, device, Size::Vector, launch.vector, vector);
        }
        if launch.workers > workers && self.kernel.flags & SIMT_WORKERS != 0 {
            sizes::tell(launch.site, device, Size::Workers, launch.workers, workers);
        }
        let threads = match self.kernel.flags & SIMT_WORKERS {
            0 => vector,
            _ => workers,
        };
        if launch.thread_limit > 0 && threads > launch.thread_limit {
            let limit = launch.thread_limit;
            sizes::tell(launch.site, device, Size::TeamThreads, limit, threads);
        }
        let number = |gangs: [u64; 3]| gangs.iter().fold(1u64, |all, n| all.saturating_mul(*n));
        let given = number(grid.map(u64::from));
        if number(launch.gangs) > given
            && self.rules.noticed_gangs(block, self.trips(launch)) > given
        {
            let asked = gang_text(launch.gangs, [false; 3]);
            let used = self.grid_text(grid);
            sizes::tell(launch.site, device, Size::Gangs, asked, used);
        }
    }
}

/// Ends the program when it passes other arguments than the kernel was compiled for.
pub fn check_arguments(kernel: &SimtKernel, launch: &Launch<'_>) {
    if kernel.args_words as usize != launch.args.len() {
        fatal(
            launch.site.place(),
            format_args!(
                "the kernel takes {} argument words and gets {}; the program was compiled by another version of \
                 accrue",
                kernel.args_words,
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
fn version_text(chosen: &Chosen, launch: &Launch<'_>, grid: [u32; 3]) -> String {
    let fast = match disjoint(chosen.kernel) {
        None => "",
        Some(_) if launch.disjoint => " version=disjoint",
        Some(_) => " version=safe",
    };
    match chosen.covering.map(|_| grid) {
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
) -> Span {
    if !notify::wants(Event::Launch) && !tools::any() {
        return Span::UNTOLD;
    }
    let Launched {
        grid,
        block,
        shared,
        registers,
        local,
        occupancy,
    } = launched();
    let lanes = [block.workers, block.vector].map(u64::from);
    // SAFETY: a kernel's name is NUL-terminated or null.
    let span = unsafe { tools::launching(launch.kernel.name, queue, grid.map(u64::from), lanes) };
    if !notify::wants(Event::Launch) {
        return span;
    }
    // SAFETY: a kernel's name is NUL-terminated or null.
    let name = unsafe { words::text(launch.kernel.name) };
    let known =
        |figure: Option<u32>| figure.map_or_else(|| "?".into(), |figure| figure.to_string());
    let (registers, local): (String, String) = (known(registers), known(local));
    let gangs = chosen.grid_text(grid);
    let version = version_text(chosen, launch, grid);
    notify::line(format_args!(
        "launch file={} function={} line={} device={device} queue={queue} kernel={name} gangs={gangs} workers={} \
         vector={} shared={shared} registers={registers} local={local} occupancy={occupancy}%{version}",
        launch.site.file, launch.site.function, launch.site.line, block.workers, block.vector,
    ));
    span
}
