//! In-order queues with what belongs to them: scratch memory, launches, and how much of their work is awaited.

use super::driver::{CommandQueue, Event, OpenCl};
use super::status::Result;
use crate::device::launches::Launches;
use crate::device::pending::Pending;
use crate::device::simt::scratch::Scratch;
use crate::device::streams::{Kept, Own};
use crate::site::SiteState;
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::sync::atomic::{
    AtomicPtr, AtomicUsize,
    Ordering::{Acquire, Release},
};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::LocalKey;
use std::time::{Duration, Instant};

/// Launches whose times are not read yet, at most.
const TIMED: usize = 512;

/// Ranges of the host's memory that are told apart, before one around them all stands for them.
const MOST_WRITTEN: usize = 64;

/// How long a marker may take that is behind nothing.
const MOMENT: Duration = Duration::from_micros(200);

/// Puts a marker into a queue, behind so many commands at least, and keeps that instead of the one before.
fn mark(
    opencl: &OpenCl,
    handle: CommandQueue,
    kept: &mut Option<(Event, u64)>,
    enqueued: u64,
) -> Result<Event> {
    let marker = opencl.marker(handle)?;
    if let Some((before, _)) = kept.replace((marker, enqueued)) {
        opencl.release(before);
    }
    Ok(marker)
}

/// Whether a new marker is complete: it becomes so a moment after all before it.
fn is_done_in_a_moment(opencl: &OpenCl, marker: Event) -> Result<bool> {
    let start = Instant::now();
    let mut done = opencl.is_done(marker)?;
    while !done && start.elapsed() < MOMENT {
        std::thread::yield_now();
        done = opencl.is_done(marker)?;
    }
    Ok(done)
}

/// One queue.
pub struct Stream {
    handle: AtomicPtr<std::ffi::c_void>,
    pending: Pending,
    /// A marker that tells whether what was in the queue is complete, and how much that was. Commands have no events of their own,
    /// which would cost time with each of them; behind those of a numbered queue, of which programs ask that, is a marker.
    marker: Mutex<Option<(Event, u64)>>,
    numbered: bool,
    /// Launches whose times `ACCRUE_TIME` wants.
    timed: Mutex<Vec<(Event, &'static SiteState)>>,
    /// Its launches, for messages.
    pub launches: Launches,
    pub scratch: Mutex<Scratch>,
    /// The scratch memory in which is noted where the heap is.
    pub heap_told: AtomicUsize,
    /// Memory that host and device share, for results of kernels.
    pub cells: OnceLock<Option<usize>>,
    /// Memory of the device for results of kernels, where there is no such memory.
    pub own_cells: OnceLock<usize>,
    /// Memory of the host that commands which may be under way write.
    written: Mutex<Vec<Range<usize>>>,
}

thread_local! {
    static OWN: Own<Stream> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

impl Kept for Stream {
    fn own() -> &'static LocalKey<Own<Stream>> {
        &OWN
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stream {
    pub fn new(handle: CommandQueue, numbered: bool) -> Stream {
        Stream {
            handle: AtomicPtr::new(handle.0),
            pending: Pending::default(),
            marker: Mutex::default(),
            numbered,
            timed: Mutex::default(),
            launches: Launches::default(),
            scratch: Mutex::default(),
            heap_told: AtomicUsize::new(0),
            cells: OnceLock::new(),
            own_cells: OnceLock::new(),
            written: Mutex::default(),
        }
    }

    /// A command that was put into it writes this memory of the host.
    pub fn will_write(&self, host: Range<usize>) {
        let mut written = lock(&self.written);
        if written.len() == MOST_WRITTEN {
            let start = written.iter().map(|range| range.start).min();
            let end = written.iter().map(|range| range.end).max();
            written.clear();
            written.extend(start.zip(end).map(|(start, end)| start..end));
        }
        written.push(host);
    }

    /// Whether a command of it that may be under way writes some of this memory of the host.
    pub fn may_write(&self, host: &Range<usize>) -> bool {
        let written = lock(&self.written);
        let mut written = written.iter();
        written.any(|range| range.start < host.end && host.start < range.end)
    }

    /// Whether a command of it that may be under way writes memory of the host.
    pub fn writes(&self) -> bool {
        !lock(&self.written).is_empty()
    }

    pub fn handle(&self) -> CommandQueue {
        CommandQueue(self.handle.load(Acquire))
    }

    /// Puts work into it, and sends it to the device.
    pub fn put(
        &self,
        opencl: &OpenCl,
        work: impl FnOnce(CommandQueue) -> Result<()>,
    ) -> Result<()> {
        self.put_ahead(opencl, work)?;
        opencl.flush(self.handle())
    }

    /// Puts work into it that a kernel follows at once, with which it is sent to the device.
    pub fn put_ahead(
        &self,
        opencl: &OpenCl,
        work: impl FnOnce(CommandQueue) -> Result<()>,
    ) -> Result<()> {
        let handle = self.handle();
        work(handle)?;
        self.pending.add();
        if self.numbered {
            let enqueued = self.pending.enqueued();
            mark(opencl, handle, &mut lock(&self.marker), enqueued)?;
        }
        Ok(())
    }

    /// The handle for the program, which may put work into the queue at any time.
    pub fn lend(&self) -> CommandQueue {
        self.pending.lend();
        self.handle()
    }

    /// Takes a queue of the program instead.
    pub fn replace(&self, handle: CommandQueue) {
        self.pending.lend();
        self.handle.store(handle.0, Release);
    }

    /// True when there may be work in it that nobody has waited for.
    pub fn may_be_busy(&self) -> bool {
        self.pending.may_be_busy()
    }

    /// Waits for everything in it.
    pub fn synchronize(&self, opencl: &OpenCl) -> Result<()> {
        self.complete(opencl, |queue| opencl.finish(queue))
    }

    /// Waits for everything in it, by `work`: a command that is complete when the call is, for example.
    pub fn complete(
        &self,
        opencl: &OpenCl,
        work: impl FnOnce(CommandQueue) -> Result<()>,
    ) -> Result<()> {
        let (enqueued, launched) = (self.pending.enqueued(), self.launches.count());
        let written = std::mem::take(&mut *lock(&self.written));
        if let Err(status) = work(self.handle()) {
            lock(&self.written).extend(written);
            return Err(status);
        }
        self.pending.done(enqueued);
        self.launches.ended(launched);
        self.read_times(opencl)
    }

    pub fn is_idle(&self, opencl: &OpenCl) -> Result<bool> {
        if !self.may_be_busy() {
            return Ok(true);
        }
        let enqueued = self.pending.enqueued();
        let mut kept = lock(&self.marker);
        // The program may have put commands behind the marker.
        let known = kept.filter(|(_, behind)| *behind == enqueued && !self.pending.is_foreign());
        let done = match known {
            Some((marker, _)) => opencl.is_done(marker)?,
            None => {
                let handle = self.handle();
                let marker = mark(opencl, handle, &mut kept, enqueued)?;
                opencl.flush(handle)?;
                is_done_in_a_moment(opencl, marker)?
            }
        };
        if done {
            self.pending.done(enqueued);
        }
        Ok(done)
    }

    /// A launch for `ACCRUE_TIME`: its event, which the queue gives back.
    pub fn time(&self, opencl: &OpenCl, event: Event, site: &'static SiteState) -> Result<()> {
        let waiting = {
            let mut timed = lock(&self.timed);
            timed.push((event, site));
            timed.len()
        };
        if waiting < TIMED {
            return Ok(());
        }
        opencl.finish(self.handle())?;
        self.read_times(opencl)
    }

    /// Reads the times of launches that are complete.
    fn read_times(&self, opencl: &OpenCl) -> Result<()> {
        let mut timed = lock(&self.timed);
        let mut rest = vec![];
        for (event, site) in timed.drain(..) {
            // Another thread may have put it there meanwhile.
            if !opencl.is_done(event)? {
                rest.push((event, site));
                continue;
            }
            // A queue of the program has no times, unless it was made for them.
            if let Ok(duration) = opencl.duration(event) {
                site.profile.add_device_time(duration);
            }
            opencl.release(event);
        }
        *timed = rest;
        Ok(())
    }
}
