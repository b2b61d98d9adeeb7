//! The thread pool that executes gangs.
//!
//! A launch publishes a job in a slot and takes part in it itself. The gangs are dealt to the participants as contiguous shares of a
//! few chunks, so that the same gang of successive kernels runs on the same core, whose caches have its data; whoever has finished
//! its share takes chunks from the others.
//!
//! ```text
//! launching thread                         pool thread
//! claim a slot, deal shares                spin a while on `epoch`, then park on it
//! open the slot, bump `epoch`, wake        see a job that is open
//! take chunks, until none are left         take chunks, until none are left
//! wait for `unfinished` == 0               unfinished -= what it has taken; wake the launcher if it waits
//! ```
//!
//! A share is one word: the number of the job, and how many of its chunks nobody has taken. Who takes one by a compare-and-swap has
//! shown by that alone that the job is the one it means and is not over, since it cannot end before that chunk has; so a job on the
//! launcher's stack is never used after its end, and a launch costs a thread two writes to lines of other cores: its own share
//! and `unfinished`.
//!
//! Where each participant has one chunk, who has finished leaves the others' alone for a while: a core that is a microsecond
//! late is better waited for than robbed of what its caches have. The while is [`GRACE`] at most, and not much longer than the
//! own chunk has taken; where cores do not come in time, because others use them, it shrinks, until they come again.

use super::futex;
use crate::fatal;
use crate::site::SiteState;
use std::cell::Cell;
use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst},
};
use std::time::{Duration, Instant};

/// Launches that can be served by pool threads at the same time; more run alone.
const SLOTS: usize = 8;
/// How long a thread without work keeps its core to itself while it spins.
const SPIN: Duration = Duration::from_micros(50);
/// How long it goes on spinning, but lets other threads go first, before it parks. About as long
/// as libgomp: shorter, and the threads are asleep again after each serial stretch of a program.
const YIELD: Duration = Duration::from_millis(2);
/// How long a thread that has finished its only chunk leaves those of others to them: a few times as long as a thread that spins
/// needs to see a launch.
const GRACE: Duration = Duration::from_micros(4);
/// It is at most so many times as long as the own chunk has taken: as much as to execute one without its data in the cache.
const TIMES_OWN: u32 = 2;
/// Chunks of a share with many gangs.
const CHUNKS: u64 = 16;
/// Bits of a share for the chunks that are left; the others are the number of the job.
const LEFT_BITS: u32 = 8;

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

/// Words that other cores write stand in cache lines of their own.
#[repr(align(128))]
#[derive(Default)]
struct Line<T>(T);

/// The gangs dealt to one participant: the number of the job, and the chunks that nobody has taken.
type Share = Line<AtomicU64>;

struct Job<'a> {
    site: Option<&'static SiteState>,
    gang: &'a (dyn Fn(u64) + Sync),
    gangs: u64,
    participants: u64,
    chunk: u64,
}

/// What is the same during a job.
#[derive(Default)]
struct Opened {
    /// The job's number, 0 when there is none.
    number: AtomicU64,
    participants: AtomicUsize,
    job: AtomicPtr<Job<'static>>,
}

struct Slot {
    claimed: AtomicBool,
    /// The number of the last job.
    last: AtomicU64,
    /// The nanoseconds that late cores are given.
    grace: AtomicU64,
    opened: Line<Opened>,
    /// Chunks that are not executed.
    unfinished: Line<AtomicU32>,
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
                    last: AtomicU64::new(0),
                    grace: AtomicU64::new(GRACE.as_nanos() as u64),
                    opened: Line::default(),
                    unfinished: Line::default(),
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
        let participants = gangs.min(self.threads as u64);
        let job = Job {
            site,
            gang,
            gangs,
            participants,
            chunk: (gangs / (participants * CHUNKS)).max(1),
        };
        let number = slot.open(&job);
        self.epoch.fetch_add(1, SeqCst);
        if self.parked.load(SeqCst) > 0 {
            futex::wake(&self.epoch, participants as u32 - 1);
        }
        slot.work(number, 0);
        slot.await_end();
        slot.opened.0.number.store(0, Relaxed);
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

impl Job<'_> {
    /// The gangs of a participant's share.
    fn share(&self, participant: u64) -> std::ops::Range<u64> {
        let bound = |p: u64| {
            (u128::from(self.gangs) * u128::from(p) / u128::from(self.participants)) as u64
        };
        bound(participant)..bound(participant + 1)
    }

    fn chunks(&self, participant: u64) -> u64 {
        let share = self.share(participant);
        (share.end - share.start).div_ceil(self.chunk)
    }

    /// Executes the chunk of a share behind which `left` others are, the last one of which may be shorter.
    fn execute(&self, participant: u64, left: u64) {
        let share = self.share(participant);
        let first = share.start + (self.chunks(participant) - 1 - left) * self.chunk;
        for gang in first..share.end.min(first.saturating_add(self.chunk)) {
            (self.gang)(gang);
        }
    }
}

impl Slot {
    /// Lets pool threads take part in `job`; gives its number.
    fn open(&self, job: &Job<'_>) -> u64 {
        let number = self.last.load(Relaxed) + 1;
        self.last.store(number, Relaxed);
        let opened = &self.opened.0;
        let job_here = std::ptr::from_ref(job).cast_mut();
        opened.job.store(job_here.cast::<Job<'static>>(), Relaxed);
        opened
            .participants
            .store(job.participants as usize, Relaxed);
        let mut all = 0;
        for p in 0..job.participants {
            all += job.chunks(p) as u32;
        }
        self.unfinished.0.store(all, Relaxed);
        for (p, share) in (0..job.participants).zip(&self.shares) {
            share.0.store(number << LEFT_BITS | job.chunks(p), Release);
        }
        opened.number.store(number, Release);
        number
    }

    /// A pool thread looks for a job here and takes part in it.
    fn help(&self, index: usize) {
        let number = self.opened.0.number.load(Acquire);
        if number != 0 {
            self.work(number, index);
        }
    }

    /// Executes chunks of the job with this number: those of the own share, then those that others have not come to.
    fn work(&self, number: u64, index: usize) {
        let participants = self.opened.0.participants.load(Relaxed);
        let start = Instant::now();
        let own = match index < participants {
            true => self.work_off(number, index),
            false => 0,
        };
        if self.finish(own) || own <= 1 && self.ends_soon(number, index == 0, start) {
            return;
        }
        for offset in 0..participants {
            let taken = self.work_off(number, (index + offset) % participants);
            if self.finish(taken) {
                return;
            }
        }
    }

    /// Executes what is left of a share; gives the number of chunks.
    fn work_off(&self, number: u64, participant: usize) -> u32 {
        let share = &self.shares[participant].0;
        let mut taken = 0;
        let mut word = share.load(Acquire);
        loop {
            let left = word & ((1 << LEFT_BITS) - 1);
            if word >> LEFT_BITS != number || left == 0 {
                return taken;
            }
            match share.compare_exchange_weak(word, word - 1, AcqRel, Acquire) {
                Ok(_) => {
                    // SAFETY: the job has this number, and does not end before the chunk that is now this thread's.
                    let job = unsafe { &*self.opened.0.job.load(Relaxed) };
                    let _inside = Inside::enter(job.site);
                    job.execute(participant as u64, left - 1);
                    taken += 1;
                    word = share.load(Acquire);
                }
                Err(now) => word = now,
            }
        }
    }

    /// Chunks have been executed; true if they were the last.
    fn finish(&self, chunks: u32) -> bool {
        let last = chunks > 0 && self.unfinished.0.fetch_sub(chunks, SeqCst) == chunks;
        if last && self.launcher_waits.load(SeqCst) {
            futex::wake(&self.unfinished.0, 1);
        }
        last
    }

    /// Whether the job ends before others' chunks may be taken from them by a thread that began its own at `start`. Only the
    /// launcher looks at what is unfinished: each core that does takes the line from those that are about to write there.
    fn ends_soon(&self, number: u64, launcher: bool, start: Instant) -> bool {
        let ended = || match launcher {
            true => self.unfinished.0.load(Relaxed) == 0,
            false => self.opened.0.number.load(Relaxed) != number,
        };
        let most = GRACE.as_nanos() as u64;
        let grace = Duration::from_nanos(self.grace.load(Relaxed));
        let begin = Instant::now();
        let grace = grace.min((begin - start) * TIMES_OWN);
        let in_time = loop {
            if (0..16).any(|_| {
                std::hint::spin_loop();
                ended()
            }) {
                break true;
            }
            if begin.elapsed() >= grace {
                break false;
            }
        };
        if launcher {
            let next = match in_time {
                true => most,
                false => grace.as_nanos() as u64 / 2,
            };
            self.grace.store(next, Relaxed);
        }
        in_time
    }

    /// The launcher waits until all chunks of its job are executed.
    fn await_end(&self) {
        if spin_until(|| self.unfinished.0.load(Acquire) == 0) {
            return;
        }
        self.launcher_waits.store(true, SeqCst);
        loop {
            match self.unfinished.0.load(SeqCst) {
                0 => break,
                unfinished => futex::wait(&self.unfinished.0, unfinished),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Launches from several threads at the same time, of few and of many gangs, short and long: each gang runs once, and has run
    /// when the launch returns.
    #[test]
    fn each_gang_runs_once() {
        let pool = Pool::start(5);
        std::thread::scope(|scope| {
            for thread in 0..3_u64 {
                scope.spawn(move || {
                    for round in 0..400 {
                        let gangs = [1, 2, 5, 7, 80, 1000][(round % 6) as usize] + thread;
                        let ran: Vec<_> = (0..gangs).map(|_| AtomicU32::new(0)).collect();
                        pool.run(None, gangs, &|gang| {
                            if gang % 97 == 0 && round % 7 == 0 {
                                std::thread::sleep(2 * GRACE);
                            }
                            ran[gang as usize].fetch_add(1, Relaxed);
                        });
                        assert!(ran.iter().all(|times| times.load(Relaxed) == 1));
                    }
                });
            }
        });
    }
}
