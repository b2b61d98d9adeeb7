//! The thread pool that executes gangs.
//!
//! A launch publishes a job in a slot and takes part in it itself. The gangs are dealt to the
//! participants as contiguous shares, so that the same gang of successive kernels tends to run on
//! the same core; whoever has finished its share takes from the others.
//!
//! ```text
//! launching thread                         pool thread
//! claim a slot, deal shares                spin a while on `epoch`, then park on it
//! store job, bump `epoch`, wake parked     see a job: users += 1, load job again
//! work until no share has gangs left       work until no share has gangs left
//! clear job, wait for users == 0           users -= 1, wake the launcher if it waits
//! ```
//!
//! A pool thread announces itself in `users` before it reads the job, and the launcher clears the
//! job before it reads `users`; so a job on the launcher's stack is never used after its end.

use super::futex;
use crate::fatal;
use crate::site::SiteState;
use std::cell::Cell;
use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release, SeqCst},
};
use std::time::{Duration, Instant};

/// Launches that can be served by pool threads at the same time; more run alone.
const SLOTS: usize = 8;
/// How long a thread without work keeps its core to itself while it spins.
const SPIN: Duration = Duration::from_micros(50);
/// How long it goes on spinning, but lets other threads go first, before it parks. About as long
/// as libgomp: shorter, and the threads are asleep again after each serial stretch of a program.
const YIELD: Duration = Duration::from_millis(2);

thread_local! {
    /// The directive whose kernel this thread is executing, or null.
    static CURRENT: Cell<*const SiteState> = const { Cell::new(std::ptr::null()) };
}

/// The directive whose kernel the calling thread is executing.
pub fn current_region() -> Option<&'static SiteState> {
    let site = CURRENT.get();
    // SAFETY: only leaked `SiteState`s are stored.
    (!site.is_null()).then(|| unsafe { &*site })
}

/// Marks the thread as executing a kernel until dropped.
struct Inside {
    outer: *const SiteState,
}

impl Inside {
    /// Work of the library itself belongs to no directive.
    fn enter(site: Option<&'static SiteState>) -> Inside {
        Inside {
            outer: CURRENT.replace(site.map_or(std::ptr::null(), std::ptr::from_ref)),
        }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        CURRENT.set(self.outer);
    }
}

/// The gangs dealt to one participant.
#[repr(align(128))]
#[derive(Default)]
struct Share {
    next: AtomicU64,
    end: AtomicU64,
}

struct Job<'a> {
    site: Option<&'static SiteState>,
    gang: &'a (dyn Fn(u64) + Sync),
    participants: usize,
    chunk: u64,
}

struct Slot {
    claimed: AtomicBool,
    job: AtomicPtr<Job<'static>>,
    users: AtomicU32,
    launcher_waits: AtomicBool,
    shares: Box<[Share]>,
}

/// The pool. It lives until the process ends.
pub struct Pool {
    threads: usize,
    slots: Box<[Slot]>,
    epoch: AtomicU32,
    parked: AtomicU32,
}

/// Cores this process may use by its affinity mask and its control group's quota, at most
/// `ACC_NUM_CORES`.
pub fn allowed_cores() -> usize {
    // The standard library asks `sched_getaffinity` and the control groups.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    match std::env::var("ACC_NUM_CORES") {
        Err(_) => cores,
        Ok(text) => match text.trim().parse::<usize>() {
            Ok(limit) if limit > 0 => limit.min(cores),
            _ => fatal::fatal_text(&format!(
                "ACC_NUM_CORES={text}: expected a number of cores, 1 or more"
            )),
        },
    }
}

impl Pool {
    /// Starts a pool of `threads` threads, one of which is whoever launches.
    pub fn start(threads: usize) -> &'static Pool {
        let slots = if threads > 1 { SLOTS } else { 0 };
        let pool: &'static Pool = Box::leak(Box::new(Pool {
            threads,
            slots: (0..slots)
                .map(|_| Slot {
                    claimed: AtomicBool::new(false),
                    job: AtomicPtr::new(std::ptr::null_mut()),
                    users: AtomicU32::new(0),
                    launcher_waits: AtomicBool::new(false),
                    shares: (0..threads).map(|_| Share::default()).collect(),
                })
                .collect(),
            epoch: AtomicU32::new(0),
            parked: AtomicU32::new(0),
        }));
        for index in 1..threads {
            let started = std::thread::Builder::new()
                .name(format!("accrue gang {index}"))
                .spawn(move || pool.serve(index));
            if let Err(error) = started {
                fatal::fatal_text(&format!(
                    "cannot start thread {index} of {threads} for the cpu device: {error}; \
                     ACC_NUM_CORES limits the number of threads"
                ));
            }
        }
        pool
    }

    /// Threads that execute gangs, the launching one included.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Calls `gang(g)` for all g below `gangs` and returns when all calls have returned.
    pub fn run(&self, site: Option<&'static SiteState>, gangs: u64, gang: &(dyn Fn(u64) + Sync)) {
        let nested = !CURRENT.get().is_null();
        let slot = if gangs <= 1 || nested {
            None
        } else {
            self.slots.iter().find(|slot| {
                !slot.claimed.load(Relaxed)
                    && slot
                        .claimed
                        .compare_exchange(false, true, Acquire, Relaxed)
                        .is_ok()
            })
        };
        let Some(slot) = slot else {
            run_alone(site, gangs, gang);
            return;
        };
        let participants = self.threads.min(gangs.min(usize::MAX as u64) as usize);
        for (p, share) in slot.shares[..participants].iter().enumerate() {
            let bound = |p: usize| (gangs as u128 * p as u128 / participants as u128) as u64;
            share.next.store(bound(p), Relaxed);
            share.end.store(bound(p + 1), Relaxed);
        }
        let job = Job {
            site,
            gang,
            participants,
            chunk: (gangs / (participants as u64 * 16)).max(1),
        };
        slot.job.store(
            std::ptr::from_ref(&job).cast_mut().cast::<Job<'static>>(),
            SeqCst,
        );
        self.epoch.fetch_add(1, SeqCst);
        if self.parked.load(SeqCst) > 0 {
            futex::wake(&self.epoch, participants as u32 - 1);
        }
        slot.work(&job, 0);
        slot.job.store(std::ptr::null_mut(), SeqCst);
        slot.await_users();
        slot.claimed.store(false, Release);
    }

    fn serve(&self, index: usize) {
        fatal::mark_library_thread();
        loop {
            let epoch = self.epoch.load(SeqCst);
            for slot in &self.slots {
                slot.help(index);
            }
            self.await_epoch(epoch);
        }
    }

    /// Returns when `epoch` is no longer `old`.
    fn await_epoch(&self, old: u32) {
        if spin_until(|| self.epoch.load(Acquire) != old) {
            return;
        }
        self.parked.fetch_add(1, SeqCst);
        while self.epoch.load(SeqCst) == old {
            futex::wait(&self.epoch, old);
        }
        self.parked.fetch_sub(1, SeqCst);
    }
}

impl Slot {
    /// A pool thread looks for a job here and takes part in it.
    fn help(&self, index: usize) {
        if self.job.load(Relaxed).is_null() {
            return;
        }
        self.users.fetch_add(1, SeqCst);
        let job = self.job.load(SeqCst);
        if !job.is_null() {
            // SAFETY: the launcher keeps the job alive until `users` is 0 again, and this thread
            // counted itself before it saw the job.
            self.work(unsafe { &*job }, index);
        }
        if self.users.fetch_sub(1, SeqCst) == 1 && self.launcher_waits.load(SeqCst) {
            futex::wake(&self.users, 1);
        }
    }

    /// Executes gangs until all are taken.
    fn work(&self, job: &Job<'_>, index: usize) {
        let _inside = Inside::enter(job.site);
        for offset in 0..job.participants {
            let share = &self.shares[(index + offset) % job.participants];
            let end = share.end.load(Relaxed);
            while share.next.load(Relaxed) < end {
                let first = share.next.fetch_add(job.chunk, Relaxed);
                for gang in first..end.min(first.saturating_add(job.chunk)) {
                    (job.gang)(gang);
                }
            }
        }
    }

    /// The launcher waits until no pool thread works on its job.
    fn await_users(&self) {
        if spin_until(|| self.users.load(Acquire) == 0) {
            return;
        }
        self.launcher_waits.store(true, SeqCst);
        loop {
            match self.users.load(SeqCst) {
                0 => break,
                users => futex::wait(&self.users, users),
            }
        }
        self.launcher_waits.store(false, SeqCst);
    }
}

/// Calls `gang(g)` for all g below `gangs`, one after another, on the calling thread.
pub fn run_alone(site: Option<&'static SiteState>, gangs: u64, gang: &(dyn Fn(u64) + Sync)) {
    let _inside = Inside::enter(site);
    (0..gangs).for_each(gang);
}

/// Spins for a while; true when the condition came true.
fn spin_until(condition: impl Fn() -> bool) -> bool {
    for _ in 0..64 {
        if condition() {
            return true;
        }
        std::hint::spin_loop();
    }
    let start = Instant::now();
    loop {
        for _ in 0..32 {
            if condition() {
                return true;
            }
            std::hint::spin_loop();
        }
        let elapsed = start.elapsed();
        if elapsed >= YIELD {
            return condition();
        }
        if elapsed >= SPIN {
            std::thread::yield_now();
        }
    }
}
