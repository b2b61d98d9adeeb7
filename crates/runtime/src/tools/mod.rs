//! The profiling interface: what tools are told of the program (OpenACC 3.4, chapter 5, `acc_prof.h`).
//!
//! Problem: a tool registers callbacks for events and wants to know of each to which directive or routine it belongs, on which
//! device and in which queue; and a program without a tool is not to pay for it.
//!
//! Steps:
//! 1. A directive or routine says what it is ([`directive`], [`routine`]); that is the thread's *context* until it is done.
//! 2. What happens in it says so where it happens: [`span`] and its kin for what has a start and an end, [`data`] for what has
//!    not. Each takes its device, queue and place from the context, and outside of contexts nothing is told: OpenMP's
//!    directives and routines make none.
//! 3. The first event of a device is preceded by those of its initialisation ([`initialise`]).
//!
//! ```text
//! #pragma acc parallel copy(a) async(1)
//!   compute_construct_start                         parent_construct: parallel, async: 1, line_no: that of the directive
//!     enter_data_start  alloc  create  enqueue_upload_start … end  enter_data_end
//!     enqueue_launch_start … end                    kernel_name, num_gangs, …
//!     exit_data_start  enqueue_download_start … end  delete  free  exit_data_end
//!   compute_construct_end                           tool_info: what the callback of the start has left there
//! ```
//! Cost: a relaxed load for each of these calls as long as no callback is registered.
//!
//! Regions that the host executes (`if(0)`, a device without code) have no events of their kernels. What a callback itself does
//! is not told, and it must not use present tables: see [`refuse_tables`].

mod callbacks;
mod info;
mod load;

pub use callbacks::any;
pub use load::load;

use crate::device::Queue;
use crate::fatal;
use crate::present::table::{self, Mapping, Origin};
use crate::runtime::{self, DeviceState};
use crate::section::Piece;
use crate::site::SiteState;
use info::{Construct, EventInfo, Single};
use std::cell::Cell;
use std::ffi::{CStr, c_char};
use std::ptr::null;
use std::sync::atomic::Ordering::Relaxed;

pub use info::{Memory, Pair};

/// What the thread is doing.
#[derive(Clone, Copy)]
struct Context {
    device: &'static DeviceState,
    queue: Queue,
    construct: Construct,
    site: Option<&'static SiteState>,
    /// What happens was not asked for by a directive or clause of its own.
    implicit: bool,
}

thread_local! {
    static CONTEXT: Cell<Option<Context>> = const { Cell::new(None) };
    /// A callback runs on this thread.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// The thread has a context until this is dropped.
#[must_use]
pub struct Doing {
    before: Option<Option<Context>>,
}

impl Doing {
    const UNTOLD: Doing = Doing { before: None };

    fn now(context: Context) -> Doing {
        Doing {
            before: Some(CONTEXT.replace(Some(context))),
        }
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            CONTEXT.set(before);
        }
    }
}

/// What happens until the result is dropped belongs to a directive, if it is one of OpenACC.
#[inline]
pub fn directive(site: &'static SiteState, device: &'static DeviceState, queue: Queue) -> Doing {
    if !any() || site.openmp {
        return Doing::UNTOLD;
    }
    Doing::now(Context {
        device,
        queue,
        construct: Construct::of(site.kind),
        site: Some(site),
        implicit: false,
    })
}

/// The same for a routine, or for the part of what a directive does that is on another device.
#[inline]
pub fn routine(device: &'static DeviceState, queue: Queue) -> Doing {
    if !any() {
        return Doing::UNTOLD;
    }
    let directive = CONTEXT.get();
    Doing::now(Context {
        device,
        queue,
        construct: directive.map_or(Construct::RuntimeApi, |context| context.construct),
        site: directive.and_then(|context| context.site),
        implicit: false,
    })
}

/// The same for data that is declared, which the first use of a device makes present.
pub fn declared() -> Doing {
    match CONTEXT.get() {
        None => Doing::UNTOLD,
        Some(context) => Doing::now(Context {
            construct: Construct::Declare,
            site: None,
            implicit: true,
            ..context
        }),
    }
}

/// Something that has started; it ends when this is dropped.
#[must_use]
pub struct Span(Option<Box<Started>>);

impl Span {
    /// Nobody wants to know.
    pub const UNTOLD: Span = Span(None);
}

struct Started {
    pair: Pair,
    info: EventInfo,
    context: Context,
    before: Context,
}

impl Drop for Span {
    fn drop(&mut self) {
        if let Some(started) = &mut self.0 {
            fire(&started.context, started.pair.end(), &mut started.info);
            CONTEXT.set(Some(started.before));
        }
    }
}

/// Something starts.
#[inline]
pub fn span(pair: Pair, implicit: bool) -> Span {
    if !any() {
        return Span::UNTOLD;
    }
    start(pair, implicit, None, &|context| {
        EventInfo::other(context.construct, implicit)
    })
}

/// The thread, or a queue, starts waiting for another queue; for all of them, if there is none.
#[inline]
pub fn waiting(for_queue: Option<i32>, implicit: bool) -> Span {
    if !any() {
        return Span::UNTOLD;
    }
    let queue = Queue::Async(for_queue.unwrap_or(-1));
    let queue = if implicit { Queue::Sync } else { queue };
    start(Pair::Wait, implicit, Some(queue), &|context| {
        EventInfo::other(context.construct, implicit)
    })
}

/// A kernel is started.
///
/// # Safety
/// The name is a C string of the program, or null.
#[inline]
pub unsafe fn launching(
    name: *const c_char,
    queue: Queue,
    gangs: [u64; 3],
    lanes: [u64; 2],
) -> Span {
    if !any() {
        return Span::UNTOLD;
    }
    let name = if name.is_null() { c"".as_ptr() } else { name };
    start(Pair::Launch, false, Some(queue), &|context| {
        let gangs = gangs.iter().product();
        EventInfo::launch(context.construct, name, gangs, lanes)
    })
}

/// A transfer is started.
#[inline]
pub fn transfer(pair: Pair, memory: &Memory) -> Span {
    if !any() {
        return Span::UNTOLD;
    }
    start(pair, false, None, &|context| {
        EventInfo::data(context.construct, context.implicit, memory)
    })
}

#[cold]
fn start(
    pair: Pair,
    implicit: bool,
    queue: Option<Queue>,
    info: &dyn Fn(&Context) -> EventInfo,
) -> Span {
    let Some(before) = CONTEXT.get().filter(|_| !IN_CALLBACK.get()) else {
        return Span::UNTOLD;
    };
    let context = Context {
        queue: queue.unwrap_or(before.queue),
        implicit: implicit || before.implicit,
        ..before
    };
    CONTEXT.set(Some(context));
    let mut info = info(&context);
    fire(&context, pair.start(), &mut info);
    Span(Some(Box::new(Started {
        pair,
        info,
        context,
        before,
    })))
}

/// Memory that a directive or routine is the origin of, as tools are told.
pub fn memory_of(origin: &Origin, host: Piece, device: usize) -> Memory {
    Memory {
        name: origin.name,
        bytes: host.bytes,
        host: host.start,
        device,
    }
}

impl Mapping {
    /// Says that it ends, and with it the memory that was made for it.
    pub fn tell_end(&self) {
        let memory = Memory {
            name: self.origin.name,
            bytes: self.bytes,
            host: self.host,
            device: self.device,
        };
        if !self.is_shared() {
            deleted(&memory);
        }
        if self.memory == table::Memory::Allocated {
            freed(&memory);
        }
    }
}

/// Device memory is new.
#[inline]
pub fn allocated(memory: &Memory) {
    data(Single::Alloc, memory);
}

/// Device memory is freed.
#[inline]
pub fn freed(memory: &Memory) {
    data(Single::Free, memory);
}

/// Device memory has become that of a part of the host's.
#[inline]
pub fn created(memory: &Memory) {
    data(Single::Create, memory);
}

/// Device memory is no longer that of a part of the host's.
#[inline]
pub fn deleted(memory: &Memory) {
    data(Single::Delete, memory);
}

#[inline]
fn data(event: Single, memory: &Memory) {
    if any()
        && let Some(context) = CONTEXT.get()
    {
        let mut info = EventInfo::data(context.construct, context.implicit, memory);
        fire(&context, event as i32, &mut info);
    }
}

/// Prepares a device, because a directive or routine wants that.
pub fn initialise(device: &'static DeviceState) {
    let _doing = routine(device, Queue::Sync);
    match CONTEXT.get().filter(|_| any()) {
        Some(context) if !device.announced.swap(true, Relaxed) => announce(&context),
        Some(_) | None => device.device.init(),
    }
}

/// Prepares the device of the context, between the events that say so.
fn announce(context: &Context) {
    let mut info = EventInfo::other(context.construct, context.implicit);
    fire(context, Pair::DeviceInit.start(), &mut info);
    context.device.device.init();
    fire(context, Pair::DeviceInit.end(), &mut info);
}

/// A device is given up until the result is dropped, if tools know that it was used.
pub fn shutting_down(device: &'static DeviceState) -> Span {
    if !any() || !device.announced.load(Relaxed) {
        return Span::UNTOLD;
    }
    let span = start(Pair::DeviceShutdown, false, None, &|context| {
        EventInfo::other(context.construct, context.implicit)
    });
    device.announced.store(false, Relaxed);
    span
}

/// The program ends, and the runtime with it.
pub fn end() {
    let Some(runtime) = runtime::started().filter(|_| any()) else {
        return;
    };
    for device in runtime.existing() {
        let _doing = routine(device, Queue::Sync);
        let _span = shutting_down(device);
    }
    let context = Context {
        device: runtime::current(),
        queue: Queue::Sync,
        construct: Construct::RuntimeApi,
        site: None,
        implicit: true,
    };
    let mut info = EventInfo::other(context.construct, true);
    fire(&context, Single::RuntimeShutdown as i32, &mut info);
}

/// Calls the callbacks for an event.
fn fire(context: &Context, event: i32, info: &mut EventInfo) {
    if IN_CALLBACK.get() {
        return;
    }
    let ends_device = [Pair::DeviceShutdown.end(), Single::RuntimeShutdown as i32];
    if !ends_device.contains(&event) && !context.device.announced.swap(true, Relaxed) {
        announce(&Context {
            implicit: true,
            ..*context
        });
    }
    let callbacks = callbacks::of(event);
    if callbacks.is_empty() {
        return;
    }
    let initialised = event != Pair::DeviceInit.start() && !ends_device.contains(&event);
    IN_CALLBACK.set(true);
    for callback in callbacks {
        let mut prof = info::prof_info(context, event);
        let mut api = info::api_info(context, initialised);
        info.is_of(event);
        // SAFETY: the tool has given the function for such calls.
        unsafe { callback(&mut prof, info, &mut api) };
    }
    IN_CALLBACK.set(false);
}

/// The program is about to end because of an error. A callback may end it by itself.
pub fn failed(error: fatal::Error, message: &CStr) {
    if !any() || IN_CALLBACK.replace(true) {
        return;
    }
    let context = CONTEXT.get();
    let construct = context.map_or(Construct::RuntimeApi, |context| context.construct);
    let mut info = EventInfo::error(construct, error, message);
    let event = Single::Error as i32;
    for callback in callbacks::of(event) {
        let (mut prof, mut api) = match &context {
            Some(context) => (
                info::prof_info(context, event),
                info::api_info(context, false),
            ),
            None => (info::prof_info_alone(event), info::api_info_alone()),
        };
        info.is_of(event);
        // SAFETY: the tool has given the function for such calls.
        unsafe { callback(&mut prof, &mut info, &mut api) };
    }
    IN_CALLBACK.set(false);
}

/// A callback that wants to lock a present table would wait for ever, if the thread has it locked already.
#[inline]
pub fn refuse_tables() {
    if any() && IN_CALLBACK.get() {
        IN_CALLBACK.set(false);
        fatal::fatal_text(
            "a callback of acc_prof.h uses device memory or data of a device, which callbacks must not do (OpenACC 3.4, \
             chapter 5); it may do so after the directive, in the program itself",
        );
    }
}

/// A text that tools may keep.
fn kept(text: &'static str) -> *const c_char {
    use crate::once::Brief;
    use std::collections::BTreeMap;
    use std::ffi::CString;
    static TEXTS: Brief<BTreeMap<&'static str, CString>> = Brief::new(BTreeMap::new());
    if text.is_empty() {
        return null();
    }
    let mut texts = TEXTS.lock();
    let kept = texts
        .entry(text)
        .or_insert_with(|| CString::new(text).unwrap_or_default());
    kept.as_ptr()
}
