//! Directives without kernels: `data`, `host_data`, and the standalone ones.

mod standalone;

use crate::abi::{Action, SITE_IF_PRESENT, Site, SiteKind};
use crate::api;
use crate::data::{Actions, Counter, before_lifetimes_end, with_table};
use crate::device::Queue;
use crate::device::device_type::DeviceType;
use crate::fatal::{Place, fatal};
use crate::launch::{device_of, misplaced_action};
use crate::notify::{self, Event};
use crate::profile::Timer;
use crate::region::{self, Region};
use crate::runtime::{self, DeviceState};
use crate::section::Operand;
use crate::site::{self, SiteState};
use crate::thread_end;
use crate::tools::{self, Pair};
use crate::unobserved;
use crate::wait;
use crate::words::{Header, Words};
use standalone::{enter_data, exit_data, update};
use std::cell::RefCell;
use std::mem::ManuallyDrop;

/// A `data` or `host_data` region, or the scope of a `declare` directive, the thread is in.
struct Open {
    site: *const Site,
    state: &'static SiteState,
    /// None where nothing was mapped.
    device: Option<&'static DeviceState>,
    queue: Queue,
    region: Region,
    /// The body was handed out.
    entered: bool,
}

thread_local! {
    /// Innermost last.
    static OPEN: RefCell<ManuallyDrop<Vec<Open>>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

/// The calling thread has left its regions, or will never do so.
pub fn forget() {
    ManuallyDrop::into_inner(OPEN.take());
}

/// Opens a region.
///
/// # Safety
/// `site` is a valid data or host_data site and `words` are the words for it.
pub unsafe fn data_begin(site: &'static Site, words: *const u64) {
    // SAFETY: passed on to the caller.
    let (state, (header, words)) = unsafe { (site::state(site), Words::new(site, words)) };
    unobserved::settle();
    let place = state.place();
    let device = device_of(&header, site, place);
    let queue = queue_of(&header, place);
    let mut region = Region::default();
    if let Some(device) = device {
        let _timer = Timer::start(state);
        announce(state, device, "enter");
        let _doing = tools::directive(state, device, queue);
        let _enter = tools::span(Pair::EnterData, false);
        wait::before(device, header.waits, queue, place);
        with_table(device, queue, Some(state), |actions| {
            let if_present = site.flags & SITE_IF_PRESENT != 0;
            region.enter(actions, site, state, words, |region, actions| {
                words.for_each_operand(site, state, &mut |index, operand| {
                    if operand.action == Action::UseDevice {
                        region.use_device(actions, state, index, &operand, if_present);
                    } else {
                        map(region, actions, state, index, &operand, Counter::Structured);
                    }
                });
            });
        });
    } else if state.kind == SiteKind::HostData {
        words.for_each_operand(site, state, &mut |index, operand| {
            region.use_host(index, &operand);
        });
    }
    OPEN.with_borrow_mut(|open| {
        if open.capacity() == 0 {
            thread_end::watch();
        }
        open.push(Open {
            site,
            state,
            device,
            queue,
            region,
            entered: false,
        });
    });
}

/// Does what a clause of `data` or `enter data` says on entry.
fn map(
    region: &mut Region,
    actions: &mut Actions<'_>,
    state: &'static SiteState,
    index: usize,
    operand: &Operand<'_>,
    counter: Counter,
) {
    if operand.action == Action::Attach {
        region.attach_later(operand);
        return;
    }
    let halves = region::entry_and_exit(operand.action, operand.var.flags, counter);
    let Some(halves) = halves else {
        misplaced_action(state, index, operand.action);
    };
    region.map(actions, state, index, operand, halves);
}

/// The address of variable `var` in the innermost open region, which must be the `host_data` construct of `site`.
pub fn device_address(site: &'static Site, var: u32) -> usize {
    let address = OPEN.with_borrow(|open| {
        let top = open.last().filter(|top| std::ptr::eq(top.site, site))?;
        top.region.used_address(var as usize)
    });
    let Some(address) = address else {
        // SAFETY: passed on to the caller of the construct's entry point.
        let state = unsafe { site::state(site) };
        fatal(
            state.place(),
            format_args!(
                "the address of a variable was asked for outside of its host_data region; the program was \
                 compiled by another version of accrue"
            ),
        );
    };
    address
}

/// True the first time after [`data_begin`]; then leaves the region.
pub fn data_next(site: *const Site) -> bool {
    loop {
        let left = OPEN.with_borrow_mut(|open| {
            if let Some(top) = open.last_mut()
                && std::ptr::eq(top.site, site)
                && !top.entered
            {
                top.entered = true;
                return None;
            }
            open.pop()
        });
        let Some(mut left) = left else {
            // Entered now; or no region is open, and the statement must not run again.
            return OPEN.with_borrow(|open| {
                open.last()
                    .is_some_and(|top| std::ptr::eq(top.site, site) && top.entered)
            });
        };
        leave(&mut left);
        if std::ptr::eq(left.site, site) {
            return false;
        }
        // A region inside this one was left by a jump: it ends here, too.
    }
}

/// Leaves the scope of a `declare` directive, and the regions inside that were left by a jump.
pub fn leave_scope(site: *const Site) {
    let is_scope = |open: &Open| std::ptr::eq(open.site, site);
    let Some(outer) = OPEN.with_borrow(|open| open.iter().rposition(is_scope)) else {
        return;
    };
    while let Some(mut left) =
        OPEN.with_borrow_mut(|open| if open.len() > outer { open.pop() } else { None })
    {
        leave(&mut left);
    }
}

fn leave(open: &mut Open) {
    unobserved::settle();
    let Some(device) = open.device else {
        return;
    };
    announce(open.state, device, "leave");
    if open.region.is_empty() {
        return;
    }
    let _doing = tools::directive(open.state, device, open.queue);
    let _exit = tools::span(Pair::ExitData, false);
    before_lifetimes_end(device, open.queue);
    with_table(device, open.queue, Some(open.state), |actions| {
        open.region.leave(actions);
    });
}

fn announce(state: &SiteState, device: &DeviceState, what: &str) {
    if notify::wants(Event::Region) {
        notify::line(format_args!(
            "{what} file={} function={} line={} construct={} device={}",
            state.file,
            state.function,
            state.line,
            state.kind.name(),
            device.device.name()
        ));
    }
}

fn queue_of(header: &Header<'_>, place: Place) -> Queue {
    match header.async_value {
        None => Queue::Sync,
        Some(value) => runtime::queue_of(value, place),
    }
}

/// Executes a standalone directive.
///
/// # Safety
/// `site` is a valid site of a standalone directive and `words` are the words for it.
pub unsafe fn exec(site: &'static Site, words: *const u64) {
    // SAFETY: passed on to the caller.
    let (state, (header, words)) = unsafe { (site::state(site), Words::new(site, words)) };
    if !header.if_condition {
        return;
    }
    unobserved::settle();
    let _timer = Timer::start(state);
    let place = state.place();
    match state.kind {
        SiteKind::EnterData => {
            data_directive(site, state, &header, words, (Pair::EnterData, enter_data))
        }
        SiteKind::ExitData => {
            data_directive(site, state, &header, words, (Pair::ExitData, exit_data))
        }
        SiteKind::Update => data_directive(site, state, &header, words, (Pair::Update, update)),
        SiteKind::Wait => {
            let device = runtime::numbered(header.device_num, place);
            let queue = queue_of(&header, place);
            let _doing = tools::directive(state, device, queue);
            match header.waits {
                crate::words::WaitList::Some([]) | crate::words::WaitList::All => {
                    wait::all(device, queue, place);
                }
                waits @ crate::words::WaitList::Some(_) => {
                    wait::before(device, waits, queue, place);
                }
            }
        }
        SiteKind::Init => {
            let device_type = DeviceType::from_mask(site.device_type);
            let _doing = tools::directive(state, runtime::current(), Queue::Sync);
            api::device::init(device_type, header.device_num, place);
        }
        SiteKind::Shutdown => {
            let device_type = DeviceType::from_mask(site.device_type);
            let _doing = tools::directive(state, runtime::current(), Queue::Sync);
            api::device::shutdown(device_type, header.device_num, place);
        }
        SiteKind::Set => {
            if site.device_type != 0 || header.device_num.is_some() {
                let device_type = DeviceType::from_mask(site.device_type);
                runtime::select(device_type, header.device_num.unwrap_or(0), place);
            }
            if let Some(value) = header.async_value {
                runtime::set_default_async(value, place);
            }
        }
        SiteKind::Parallel
        | SiteKind::Serial
        | SiteKind::Kernels
        | SiteKind::Data
        | SiteKind::HostData
        | SiteKind::Declare
        | SiteKind::DeclareGlobal => fatal(
            place,
            format_args!(
                "a {} construct reached the runtime as a standalone directive; the program was \
                 compiled by another version of accrue",
                state.kind.name()
            ),
        ),
    }
}

type Directive = fn(&'static Site, &'static SiteState, Words<'_>, &mut Actions<'_>);

/// The frame that the data directives share.
fn data_directive(
    site: &'static Site,
    state: &'static SiteState,
    header: &Header<'_>,
    words: Words<'_>,
    (events, directive): (Pair, Directive),
) {
    let place = state.place();
    let Some(device) = device_of(header, site, place) else {
        return;
    };
    let queue = queue_of(header, place);
    let _doing = tools::directive(state, device, queue);
    let _span = tools::span(events, false);
    wait::before(device, header.waits, queue, place);
    if state.kind == SiteKind::ExitData {
        before_lifetimes_end(device, queue);
    }
    with_table(device, queue, Some(state), |actions| {
        directive(site, state, words, actions);
    });
}
