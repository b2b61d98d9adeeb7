//! In-order queues of the CPU device: one thread per queue value, started at its first use.
//!
//! A queue counts what was enqueued and what is complete; waiting means waiting for a count. A
//! wait inside a queue is a task that waits for a count another queue had reached when the task
//! was enqueued, so queues never wait in a circle.
//!
//! Who waits executes what is left of the queue, between two tasks, and the queue's thread sleeps meanwhile: a kernel needs all
//! cores, and one thread that waits beside it would take a core from its gangs. If a task takes longer than [`SPIN`], the
//! waiting thread sleeps until all that it waits for is complete; it is not woken in between.
//!
//! ```text
//! thread of the program        thread of the queue
//! push A, B, C, D              A, B
//! wait: spins a little         … B is complete: another one takes over, sleeps
//! C, D                         (sleeps; woken by the next push, or if tasks are left)
//! ```
//!
//! A thread cannot start while another one loads or unloads a library: its start needs the loader's lock. Who waits for
//! a queue from inside `dlopen` or `dlclose` (a constructor or destructor with regions, an image that goes away) holds
//! that lock, and executes all tasks by itself.

use super::pool::allowed_cores;
use crate::fatal;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Release},
};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long threads of a queue spin before they sleep: about as long as it takes to wake one.
const SPIN: Duration = Duration::from_micros(20);

/// A unit of work.
pub type Task = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    tasks: VecDeque<Task>,
    /// A task is being executed.
    busy: bool,
    /// The queue's thread sleeps.
    asleep: bool,
    /// Waiting threads that do not sleep: they execute the next tasks.
    helpers: u32,
    /// The lowest count that a sleeping thread waits for.
    wanted: Option<u64>,
}

/// One queue.
struct Queue {
    state: Mutex<State>,
    /// For the queue's thread: there is a task.
    work: Condvar,
    /// For waiting threads: what one of them wants is complete, or nobody executes tasks any more.
    done: Condvar,
    enqueued: AtomicU64,
    completed: AtomicU64,
    /// There are cores on which others get on while a thread spins.
    spins: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Queue {
    fn new() -> Queue {
        Queue {
            state: Mutex::default(),
            work: Condvar::new(),
            done: Condvar::new(),
            enqueued: AtomicU64::new(0),
            completed: AtomicU64::new(0),
            spins: allowed_cores() > 1,
        }
    }

    fn push(&self, task: Task) {
        let mut state = lock(&self.state);
        state.tasks.push_back(task);
        self.enqueued.fetch_add(1, Release);
        let wake = state.asleep && state.helpers == 0;
        drop(state);
        if wake {
            self.work.notify_one();
        }
    }

    /// Everything now in the queue, as a count to wait for.
    fn ticket(&self) -> u64 {
        self.enqueued.load(Acquire)
    }

    fn is_idle(&self) -> bool {
        self.completed.load(Acquire) == self.ticket()
    }

    fn wait(&self, ticket: u64) {
        if self.completed.load(Acquire) >= ticket {
            return;
        }
        let mut state = lock(&self.state);
        state.helpers += 1;
        loop {
            let completed = self.completed.load(Acquire);
            if completed >= ticket {
                break;
            }
            if !state.busy
                && let Some(task) = state.tasks.pop_front()
            {
                state = self.execute(state, task);
                continue;
            }
            drop(state);
            let changed = self.spin_until(|| self.completed.load(Acquire) != completed);
            state = lock(&self.state);
            if !changed && self.completed.load(Acquire) == completed {
                state = self.leave(state);
                state.wanted = Some(state.wanted.map_or(ticket, |w| w.min(ticket)));
                state = Self::sleep(&self.done, state);
                state.helpers += 1;
            }
        }
        drop(self.leave(state));
    }

    /// A waiting thread executes no more tasks; if some are left, others have to.
    fn leave<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.helpers -= 1;
        if state.helpers == 0 && !state.tasks.is_empty() {
            self.work.notify_one();
            if !state.busy && state.wanted.take().is_some() {
                self.done.notify_all();
            }
        }
        state
    }

    fn serve(&self) {
        // The thread's variables are made here, if that needs a lock.
        fatal::mark_library_thread();
        let mut state = lock(&self.state);
        loop {
            let free = !state.busy && state.helpers == 0;
            if free && let Some(task) = state.tasks.pop_front() {
                state = self.execute(state, task);
                continue;
            }
            if free {
                let enqueued = self.ticket();
                drop(state);
                let more = self.spin_until(|| self.ticket() != enqueued);
                state = lock(&self.state);
                if more || !state.tasks.is_empty() {
                    continue;
                }
            }
            state.asleep = true;
            state = Self::sleep(&self.work, state);
            state.asleep = false;
        }
    }

    /// Executes a task that was taken from the queue while none was being executed.
    fn execute<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        task: Task,
    ) -> MutexGuard<'a, State> {
        state.busy = true;
        drop(state);
        // The waiting thread may be in the middle of `exit`, which a fatal error must not call again.
        fatal::as_library_thread(task);
        let mut state = lock(&self.state);
        state.busy = false;
        let completed = self.completed.fetch_add(1, Release) + 1;
        if state.wanted.is_some_and(|wanted| wanted <= completed) {
            state.wanted = None;
            self.done.notify_all();
        }
        state
    }

    /// Whether the condition comes true within [`SPIN`].
    fn spin_until(&self, condition: impl Fn() -> bool) -> bool {
        let start = self.spins.then(Instant::now);
        while start.is_some_and(|start| start.elapsed() < SPIN) {
            for _ in 0..16 {
                if condition() {
                    return true;
                }
                std::hint::spin_loop();
            }
        }
        condition()
    }

    fn sleep<'a>(condvar: &Condvar, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        condvar.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

/// All queues of a device.
#[derive(Default)]
pub struct Queues {
    queues: Mutex<BTreeMap<i32, Arc<Queue>>>,
}

impl Queues {
    fn known(&self, number: i32) -> Option<Arc<Queue>> {
        lock(&self.queues).get(&number).cloned()
    }

    fn all(&self) -> Vec<Arc<Queue>> {
        lock(&self.queues).values().cloned().collect()
    }

    fn get(&self, number: i32) -> Arc<Queue> {
        let mut queues = lock(&self.queues);
        if let Some(queue) = queues.get(&number) {
            return queue.clone();
        }
        let queue = Arc::new(Queue::new());
        let served = queue.clone();
        let started = std::thread::Builder::new()
            .name(format!("accrue queue {number}"))
            .spawn(move || served.serve());
        if let Err(error) = started {
            fatal::fatal_text(&format!(
                "cannot start a thread for async queue {number}: {error}"
            ));
        }
        queues.insert(number, queue.clone());
        queue
    }

    /// Adds a task to a queue.
    pub fn push(&self, number: i32, task: Task) {
        self.get(number).push(task);
    }

    /// True when the queue has nothing to do.
    pub fn is_idle(&self, number: i32) -> bool {
        self.known(number).is_none_or(|queue| queue.is_idle())
    }

    /// True when no queue has anything to do.
    pub fn all_idle(&self) -> bool {
        self.all().iter().all(|queue| queue.is_idle())
    }

    /// Waits until what is now in the queue is complete.
    pub fn wait(&self, number: i32) {
        if let Some(queue) = self.known(number) {
            queue.wait(queue.ticket());
        }
    }

    /// Waits until what is now in any queue is complete.
    pub fn wait_all(&self) {
        for queue in self.all() {
            queue.wait(queue.ticket());
        }
    }

    /// Later tasks of `number` start after what is now in `other`.
    pub fn wait_in_queue(&self, number: i32, other: i32) {
        if number == other {
            return;
        }
        if let Some(other) = self.known(other)
            && !other.is_idle()
        {
            let ticket = other.ticket();
            self.push(number, Box::new(move || other.wait(ticket)));
        }
    }

    /// Later tasks of `number` start after what is now in all other queues.
    pub fn wait_all_in_queue(&self, number: i32) {
        let others: Vec<i32> = lock(&self.queues).keys().copied().collect();
        for other in others {
            self.wait_in_queue(number, other);
        }
    }

    /// Forgets all queues, whose threads are gone after a `fork`.
    pub fn forget(&self) {
        let queues = std::mem::take(&mut *lock(&self.queues));
        for queue in queues.into_values() {
            // The state may be locked for ever by a thread that does not exist here.
            std::mem::forget(queue);
        }
    }

    /// Takes the lock around a `fork`.
    pub fn freeze(&self) -> impl Sized + '_ {
        lock(&self.queues)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    /// Threads push to one queue and wait for it, whoever executes the tasks: one at a time, in order, none left.
    #[test]
    fn whoever_waits_may_execute() {
        let queues = Queues::default();
        let busy = Arc::new(AtomicBool::new(false));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (queues, busy) = (&queues, &busy);
                scope.spawn(move || {
                    let seen = Arc::new(Mutex::new(vec![]));
                    for round in 0..500 {
                        let first = lock(&seen).len();
                        let many = (round + thread) % 5;
                        for number in first..first + many {
                            let (seen, busy) = (seen.clone(), busy.clone());
                            queues.push(
                                7,
                                Box::new(move || {
                                    assert!(!busy.swap(true, SeqCst));
                                    lock(&seen).push(number);
                                    if number % 64 == 0 {
                                        std::thread::sleep(4 * SPIN);
                                    }
                                    busy.store(false, SeqCst);
                                }),
                            );
                        }
                        if round % 3 == 0 {
                            std::thread::sleep(2 * SPIN);
                        }
                        queues.wait(7);
                        assert!(lock(&seen).iter().copied().eq(0..first + many));
                    }
                });
            }
        });
        assert!(queues.all_idle());
    }

    #[test]
    fn queues_without_a_wait_get_done() {
        let queues = Queues::default();
        for _ in 0..100 {
            queues.push(1, Box::new(|| ()));
            queues.wait_in_queue(2, 1);
            queues.push(2, Box::new(|| ()));
        }
        let start = Instant::now();
        while !queues.all_idle() {
            assert!(start.elapsed() < Duration::from_secs(30));
            std::thread::yield_now();
        }
    }
}
