//! Compute constructs: `parallel`, `serial`, `kernels` (OpenACC 3.4, 2.5).
//!
//! One launch reads the words, waits as the directive says, maps the variables and builds the
//! kernel's arguments under the table's lock, runs the kernels in order without it, and leaves
//! the data environment. Results of reductions need neither in most cases, see [`crate::results`]. The vectors it needs are kept by the thread, so that in the steady state
//! a synchronous launch allocates nothing.

use crate::abi::{
    Action, Kernel, SITE_OPENMP, Site, VAR_FOLLOWED, VAR_LIMIT, VAR_ON_DEVICE, VAR_OWN,
    VAR_REQUIRED, VAR_RESULT, VAR_VALUE, ZERO_SIZE,
};
use crate::data::{Actions, Counter, with_table_ahead};
use crate::device::sizes::{Size, tell_none};
use crate::device::{Launch, Queue};
use crate::disjoint::{self, Arguments, Question, Verdict};
use crate::fatal::{self, Place, fatal};
use crate::host_region;
use crate::limits;
use crate::notify::{self, Event};
use crate::openmp::{self, Limits, Target};
use crate::present::table::Presence;
use crate::profile::Timer;
use crate::region::{self, Region};
use crate::report;
use crate::results::Results;
use crate::rounds;
use crate::runtime::{self, DeviceState};
use crate::section::Operand;
use crate::site::{self, SiteState};
use crate::thread_end;
use crate::tools::{self, Pair};
use crate::unobserved;
use crate::wait;
use crate::words::{Header, Words, array};
use std::cell::Cell;
use std::mem::ManuallyDrop;

/// Why the host runs a region that the device has code for.
const OVERLAPS: &str = "has pointers to memory that overlaps";

/// What a launch needs and a thread keeps.
#[derive(Default)]
struct Scratch {
    region: Region,
    results: Results,
    args: Vec<u64>,
    /// The kernels that run in their fast version, as bits, …
    disjoint: u64,
    /// … and those that the host has to run because of their arguments.
    refused: u64,
}

thread_local! {
    static SCRATCH: Cell<ManuallyDrop<Option<Box<Scratch>>>> = const { Cell::new(ManuallyDrop::new(None)) };
}

/// The calling thread keeps nothing any more.
pub fn forget() {
    ManuallyDrop::into_inner(SCRATCH.take());
}

impl Scratch {
    /// What the thread has kept, or new.
    fn take() -> Box<Scratch> {
        ManuallyDrop::into_inner(SCRATCH.take()).unwrap_or_else(|| {
            thread_end::watch();
            Box::default()
        })
    }

    fn keep(self: Box<Scratch>) {
        ManuallyDrop::into_inner(SCRATCH.replace(ManuallyDrop::new(Some(self))));
    }
}

/// Executes a compute construct. False: the host has to execute the user's statement.
///
/// # Safety
/// `site` is a valid compute site and `words` are the words for it.
pub unsafe fn launch(site: &'static Site, words: *const u64) -> bool {
    // SAFETY: passed on to the caller.
    let (state, (header, words)) = unsafe { (site::state(site), Words::new(site, words)) };
    let place = state.place();
    let device = device_of(&header, site, place);
    let Some(device) = device.filter(|_| !header.self_condition) else {
        // What a clause names is OpenACC's, and of the device that would have executed the construct.
        if site.flags & SITE_OPENMP == 0 {
            let device = runtime::numbered(header.device_num, place);
            wait::before(device, header.waits, Queue::Sync, place);
        }
        unobserved::settle();
        return false;
    };
    check_sizes(&header, site, state, device);
    let _timer = Timer::start(state);
    let queue = match header.async_value {
        None => Queue::Sync,
        Some(value) => runtime::queue_of(value, place),
    };
    if queue != Queue::Sync {
        unobserved::settle();
    }
    let _doing = tools::directive(state, device, queue);
    let _construct = tools::span(Pair::ComputeConstruct, false);
    wait::before(device, header.waits, queue, place);
    let mut scratch = Scratch::take();
    scratch.enter(device, queue, site, state, words);
    scratch.results.send(&*device.device);
    scratch.run(device, queue, site, state, &header, words);
    let put_off = queue == Queue::Sync && scratch.only_counts() && unobserved::put_off(device);
    if !scratch.region.is_empty() {
        let _exit = tools::span(Pair::ExitData, true);
        with_table_ahead(device, queue, Some(state), |actions| {
            scratch.region.leave(actions);
        });
    }
    if queue == Queue::Sync && !put_off {
        let _wait = tools::waiting(None, true);
        scratch.results.fetch(&*device.device);
        device.device.complete();
    }
    scratch.results.leave(&*device.device, queue);
    scratch.keep();
    true
}

/// The device that a directive is for; none where it is the host itself, or the condition is false.
pub fn device_of(header: &Header<'_>, site: &Site, place: Place) -> Option<&'static DeviceState> {
    if site.flags & SITE_OPENMP == 0 {
        let device = runtime::numbered(header.device_num, place);
        return header.if_condition.then_some(device);
    }
    // Whoever does not use a device need not have one.
    if !header.if_condition {
        return None;
    }
    match openmp::of_directive(header.device_num, place) {
        Target::Device(device) => Some(device),
        Target::Initial => None,
    }
}

/// A negative number of gangs, workers or lanes arrives as a huge one, which ends the program, and 0 as the largest of them, of which
/// the program is told.
fn check_sizes(header: &Header<'_>, site: &Site, state: &SiteState, device: &DeviceState) {
    let [x, y, z] = header.gangs;
    let sizes = [x, y, z, header.workers, header.vector];
    let of_loops = header.sizes.iter().flatten();
    if sizes
        .iter()
        .chain(of_loops)
        .all(|&size| size <= i64::MAX as u64)
    {
        return;
    }
    let openacc = "OpenACC 3.4";
    let check = |size: u64, kind: Size, clause: &str, specification: &str, section: &str| {
        if size == ZERO_SIZE {
            tell_none(state, device.device.name(), kind, clause);
        } else if size > i64::MAX as u64 {
            let size = size as i64;
            fatal::fatal_as(
                fatal::Error::InvalidArgument,
                state.place(),
                format_args!(
                    "{clause}({size}): the value must be positive ({specification}, {section})"
                ),
            );
        }
    };
    let on_loops = [
        (Size::Gangs, "gang", "2.9.2"),
        (Size::Workers, "worker", "2.9.3"),
        (Size::Vector, "vector", "2.9.4"),
    ];
    for own in header.sizes {
        for (size, (kind, clause, section)) in own.iter().zip(on_loops) {
            check(*size, kind, clause, openacc, section);
        }
    }
    let threads = "num_threads or thread_limit";
    let (specification, clauses) = match site.flags & SITE_OPENMP {
        0 => (
            openacc,
            [
                (Size::Gangs, "num_gangs", "2.5.10"),
                (Size::Workers, "num_workers", "2.5.11"),
                (Size::Vector, "vector_length", "2.5.12"),
            ],
        ),
        _ => (
            "OpenMP 5.2",
            [
                (Size::Gangs, "num_teams", "10.2.1"),
                (Size::Workers, threads, "10.1.2, 13.3"),
                (Size::Vector, threads, "10.1.2, 13.3"),
            ],
        ),
    };
    for (at, size) in sizes.into_iter().enumerate() {
        let (kind, clause, section) = clauses[at.saturating_sub(2)];
        check(size, kind, clause, specification, section);
    }
}

/// What a clause asks for: nothing if it says 0.
fn asked(size: u64) -> u64 {
    match size {
        ZERO_SIZE => 0,
        size => size,
    }
}

impl Scratch {
    /// Whether the host cannot see what the construct does but by directives and routines: nothing was mapped, copied or attached,
    /// the host's variables get no results, and no argument is an address that the host may have, too.
    fn only_counts(&self) -> bool {
        self.results.is_empty() && self.region.only_counts()
    }

    /// Maps the variables and builds the arguments.
    fn enter(
        &mut self,
        device: &'static DeviceState,
        queue: Queue,
        site: &'static Site,
        state: &'static SiteState,
        words: Words<'_>,
    ) {
        self.args.clear();
        (self.disjoint, self.refused) = (0, 0);
        self.region.begin();
        // SAFETY: a valid site has `nvars` variables and `nkernels` kernels.
        let (vars, kernels) = unsafe {
            (
                array(site.vars, site.nvars),
                array(site.kernels, site.nkernels),
            )
        };
        if vars.is_empty() {
            return;
        }
        let _enter = tools::span(Pair::EnterData, true);
        let Scratch {
            region,
            results,
            args,
            disjoint,
            refused,
        } = self;
        with_table_ahead(device, queue, Some(state), |actions| {
            region.enter(actions, site, state, words, |region, actions| {
                let mut words = words;
                args.clear();
                region.parted = false;
                for (index, var) in vars.iter().enumerate() {
                    let Some(action) = Action::from_raw(var.action) else {
                        unknown_action(state, index, var.action);
                    };
                    let word = match action {
                        Action::Value if var.flags & VAR_FOLLOWED != 0 => {
                            region.pointer_value(actions, state, index, words.pointer())
                        }
                        Action::Value => {
                            args.extend_from_slice(words.value(var));
                            continue;
                        }
                        Action::Deviceptr => region.as_it_is(words.pointer()),
                        Action::Pointer => {
                            let required = var.flags & VAR_REQUIRED != 0;
                            let pointer = words.pointer();
                            match var.flags & VAR_VALUE != 0 && !required {
                                true => region.pointer_value(actions, state, index, pointer),
                                false => region.pointer(actions, state, index, pointer, required),
                            }
                        }
                        Action::Firstprivate => {
                            let operand = words.operand(var, action);
                            region.first_private(actions, state, index, &operand)
                        }
                        Action::Attach => {
                            let operand = words.operand(var, action);
                            let followed = var.flags & VAR_FOLLOWED != 0;
                            if followed && !region.has_made(actions, operand.base) {
                                args.push(0);
                                continue;
                            }
                            region.attach_later(&operand);
                            region.pointer(actions, state, index, operand.base, false)
                        }
                        _ if var.flags & VAR_OWN != 0 => {
                            words.operand(var, action);
                            region.own(actions, state, index, var.elem_size as usize)
                        }
                        _ if var.flags & VAR_ON_DEVICE != 0 => {
                            region.as_it_is(words.operand(var, action).base)
                        }
                        Action::Copy
                        | Action::Copyin
                        | Action::Copyout
                        | Action::Create
                        | Action::NoCreate
                        | Action::Present
                        | Action::Detach
                        | Action::Delete
                        | Action::UpdateSelf
                        | Action::UpdateDevice
                        | Action::UseDevice => {
                            let operand = words.operand(var, action);
                            (var.flags & VAR_RESULT != 0)
                                .then(|| result(results, actions, kernels, state, index, &operand))
                                .flatten()
                                .or_else(|| region.hold_present(actions, state, index, &operand))
                                .unwrap_or_else(|| map(region, actions, state, index, &operand))
                        }
                    };
                    args.push(word as u64);
                }
            });
            if region.parted {
                let is_openmp = site.flags & SITE_OPENMP != 0;
                Region::choose_parts(actions, state, (vars, words), is_openmp, args);
            }
            if vars.iter().any(|var| var.flags & VAR_LIMIT != 0) {
                limits::translate(actions, state, vars, words, args);
            }
            if !state.verdicts.is_empty() {
                let arguments = Arguments { vars, words, args };
                let kernels = (kernels, state.verdicts.as_slice());
                let version = |kernel: &Kernel| Some(actions.device.disjoint(kernel)?.into());
                (*disjoint, _) = ask(actions, kernels, &arguments, version);
            }
            if !state.allowed.is_empty() {
                let arguments = Arguments { vars, words, args };
                let kernels = (kernels, state.allowed.as_slice());
                let apart = |kernel: &Kernel| Some(actions.device.apart(kernel)?.into());
                (_, *refused) = ask(actions, kernels, &arguments, apart);
            }
        });
    }

    /// Runs the kernels one after another, and some of them again and again.
    fn run(
        &mut self,
        device: &'static DeviceState,
        queue: Queue,
        site: &'static Site,
        state: &'static SiteState,
        header: &Header<'_>,
        words: Words<'_>,
    ) {
        // SAFETY: a valid site has `nkernels` kernels.
        let kernels = unsafe { array(site.kernels, site.nkernels) };
        if notify::wants(Event::Region) {
            notify::line(format_args!(
                "region file={} function={} line={} construct={} device={} queue={queue}",
                state.file,
                state.function,
                state.line,
                state.kind.name(),
                device.device.name()
            ));
        }
        let limits = match site.flags & SITE_OPENMP {
            0 => Limits::default(),
            _ => openmp::limits(device),
        };
        let (args, disjoint, refused) = (&mut self.args, self.disjoint, self.refused);
        let mut run = |args: &[u64], index: usize, is_round: bool| {
            let kernel = &kernels[index];
            let own = header.sizes.get(index).copied().unwrap_or_default();
            let [own_gangs, own_workers, own_vector] = own.map(asked);
            let given = |own: u64, of_construct: u64| if own == 0 { of_construct } else { own };
            let launch = Launch {
                site: state,
                kernel,
                args,
                gangs: match (own_gangs, header.gangs.map(asked)) {
                    (0, [0, 0, 0]) => [limits.teams, 0, 0],
                    (0, given) => given,
                    (own, _) => [own, 1, 1],
                },
                workers: given(own_workers, asked(header.workers)),
                vector: given(own_vector, asked(header.vector)),
                thread_limit: limits.threads,
                is_round,
                disjoint: index < 64 && disjoint >> index & 1 != 0,
            };
            // Nobody has asked for more than 64.
            let overlaps = match index < 64 {
                true => refused >> index & 1 != 0,
                false => device.device.apart(kernel).is_some(),
            };
            if overlaps || !device.device.has_code(kernel) {
                let why = match overlaps {
                    true => Some(OVERLAPS.to_string()),
                    false => device.device.lacks(kernel),
                };
                // SAFETY: words and site belong together.
                unsafe { host_region::run(device, queue, site, &launch, words, why) };
                return;
            }
            // SAFETY: the compiler made kernel and arguments for each other.
            if let Err(fault) = unsafe { device.device.launch(&launch, queue) } {
                report::fault(&*device.device, state, fault);
            }
        };
        rounds::each(site, state, args, &mut run);
    }
}

/// What is asked of a launch for each kernel: for which of the first 64 it holds, and for which it does not, as bits.
#[inline]
fn ask(
    actions: &Actions<'_>,
    (kernels, verdicts): (&[Kernel], &[Verdict]),
    arguments: &Arguments<'_>,
    question: impl Fn(&Kernel) -> Option<Question>,
) -> (u64, u64) {
    let (mut holds, mut fails) = (0, 0);
    for (index, (kernel, verdict)) in kernels.iter().zip(verdicts).take(64).enumerate() {
        let Some(question) = question(kernel) else {
            continue;
        };
        match disjoint::holds(actions, question, verdict, arguments) {
            true => holds |= 1 << index,
            false => fails |= 1 << index,
        }
    }
    (holds, fails)
}

/// Maps a variable, by the counter of structured regions.
fn map(
    region: &mut Region,
    actions: &mut Actions<'_>,
    state: &'static SiteState,
    index: usize,
    operand: &Operand<'_>,
) -> usize {
    let action = operand.action;
    match region::entry_and_exit(action, operand.var.flags, Counter::Structured) {
        Some(halves) => region.map(actions, state, index, operand, halves),
        None => misplaced_action(state, index, action),
    }
}

/// Puts the result of a reduction into a cell; none when it is to be mapped.
fn result(
    results: &mut Results,
    actions: &Actions<'_>,
    kernels: &[Kernel],
    state: &'static SiteState,
    index: usize,
    operand: &Operand<'_>,
) -> Option<usize> {
    let (start, bytes) = (operand.base, operand.var.elem_size as usize);
    if let Some(cell) = results.cell_of(start) {
        return Some(cell);
    }
    if start == 0
        || actions.table.find_again(start, bytes, &state.hints[index]) != Presence::Absent
        // The host would take the cell for device memory that is not there.
        || !kernels.iter().all(|kernel| {
            actions.device.has_code(kernel) && actions.device.apart(kernel).is_none()
        })
    {
        return None;
    }
    // SAFETY: the user's variable outlives the construct, and in a queue what waits for it.
    unsafe { results.enter(actions.device, actions.queue, start, bytes) }
}

/// A site from a newer compiler.
#[cold]
pub fn unknown_action(state: &'static SiteState, var: usize, raw: u32) -> ! {
    fatal(
        state.var_place(var),
        format_args!(
            "unknown data action {raw} for '{}'; the program was compiled by a newer accrue",
            state.vars[var].name
        ),
    )
}

/// A clause on a directive that cannot have it.
#[cold]
pub fn misplaced_action(state: &'static SiteState, var: usize, action: Action) -> ! {
    fatal(
        state.var_place(var),
        format_args!(
            "the data action '{}' of '{}' does not belong on a {} directive; the program was \
             compiled by another version of accrue",
            action.name(),
            state.vars[var].name,
            state.kind.name()
        ),
    )
}
