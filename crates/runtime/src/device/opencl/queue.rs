//! In-order queues with what belongs to them: scratch memory, launches, and how much of their work is awaited.

use super::driver::{CommandQueue, Event, OpenCl};
use super::status::Result;
use crate::device::launches::Launches;
use crate::site::SiteState;
use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU64,
    Ordering::{AcqRel, Acquire, Release},
};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Launches whose times are not read yet, at most.
const TIMED: usize = 512;

/// Scratch memory of a queue's kernels, which run one after another and so may share it.
#[derive(Default)]
pub struct Scratch {
    pub address: usize,
    pub bytes: usize,
}

/// One queue.
pub struct Stream {
    handle: AtomicPtr<std::ffi::c_void>,
    /// Pieces of work put into it, and how many of them somebody has waited for.
    enqueued: AtomicU64,
    awaited: AtomicU64,
    /// The program knows the handle and may have put work into the queue.
    foreign: AtomicBool,
    /// What [`Stream::is_idle`] asks about: an event behind so many pieces of work.
    asked: Mutex<Option<(u64, Event)>>,
    /// Launches whose times `ACCRUE_TIME` wants.
    timed: Mutex<Vec<(Event, &'static SiteState)>>,
    /// Its launches, for messages.
    pub launches: Launches,
    pub scratch: Mutex<Scratch>,
    /// Memory that host and device share, for results of kernels.
    pub cells: OnceLock<Option<usize>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stream {
    pub fn new(handle: CommandQueue) -> Stream {
        Stream {
            handle: AtomicPtr::new(handle.0),
            enqueued: AtomicU64::new(0),
            awaited: AtomicU64::new(0),
            foreign: AtomicBool::new(false),
            asked: Mutex::default(),
            timed: Mutex::default(),
            launches: Launches::default(),
            scratch: Mutex::default(),
            cells: OnceLock::new(),
        }
    }

    pub fn handle(&self) -> CommandQueue {
        CommandQueue(self.handle.load(Acquire))
    }

    /// Puts work into it, and sends it to the device. Counted afterwards: who waits on the same thread then waits for it, and
    /// a wait of another thread in between does not count it as done.
    pub fn put<R>(
        &self,
        opencl: &OpenCl,
        work: impl FnOnce(CommandQueue) -> Result<R>,
    ) -> Result<R> {
        let handle = self.handle();
        let result = work(handle).and_then(|result| opencl.flush(handle).map(|()| result));
        self.enqueued.fetch_add(1, Release);
        result
    }

    /// The handle for the program, which may put work into the queue at any time.
    pub fn lend(&self) -> CommandQueue {
        self.foreign.store(true, Release);
        self.handle()
    }

    /// Takes a queue of the program instead.
    pub fn replace(&self, handle: CommandQueue) {
        self.foreign.store(true, Release);
        self.handle.store(handle.0, Release);
    }

    /// True when there may be work in it that nobody has waited for.
    pub fn may_be_busy(&self) -> bool {
        self.awaited.load(Acquire) < self.enqueued.load(Acquire) || self.foreign.load(Acquire)
    }

    /// Waits for everything in it.
    pub fn synchronize(&self, opencl: &OpenCl) -> Result<()> {
        let (enqueued, launched) = (self.enqueued.load(Acquire), self.launches.count());
        opencl.finish(self.handle())?;
        self.awaited.fetch_max(enqueued, AcqRel);
        self.launches.ended(launched);
        self.read_times(opencl)
    }

    pub fn is_idle(&self, opencl: &OpenCl) -> Result<bool> {
        if !self.may_be_busy() {
            return Ok(true);
        }
        let mut asked = lock(&self.asked);
        let enqueued = self.enqueued.load(Acquire);
        let foreign = self.foreign.load(Acquire);
        // What the program has put into it is not counted: an event that was complete says nothing then.
        let event = match *asked {
            Some((behind, event)) if behind == enqueued && !foreign => event,
            _ => {
                let event = opencl.marker(self.handle())?;
                opencl.flush(self.handle())?;
                if let Some((_, old)) = asked.replace((enqueued, event)) {
                    opencl.release(old);
                }
                event
            }
        };
        let done = opencl.is_done(event)?;
        if done {
            self.awaited.fetch_max(enqueued, AcqRel);
        }
        Ok(done)
    }

    /// A launch for `ACCRUE_TIME`.
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
