//! In-order queues of the CPU device: one thread per queue value, started at its first use.
//!
//! A queue counts what was enqueued and what is complete; waiting means waiting for a count. A
//! wait inside a queue is a task that waits for a count another queue had reached when the task
//! was enqueued, so queues never wait in a circle.
//!
//! A thread cannot start while another one loads or unloads a library: its start needs the loader's lock. Who waits for
//! a queue from inside `dlopen` or `dlclose` (a constructor or destructor with regions, an image that goes away) holds
//! that lock. So as long as a queue's thread has not begun, whoever waits executes the tasks in its place.

use crate::fatal;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A unit of work.
pub type Task = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    tasks: VecDeque<Task>,
    enqueued: u64,
    completed: u64,
    /// The queue's thread has begun.
    served: bool,
    /// A task is being executed.
    busy: bool,
}

/// One queue.
#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Queue {
    fn push(&self, task: Task) {
        let mut state = lock(&self.state);
        state.tasks.push_back(task);
        state.enqueued += 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Everything now in the queue, as a count to wait for.
    fn ticket(&self) -> u64 {
        lock(&self.state).enqueued
    }

    fn is_idle(&self) -> bool {
        let state = lock(&self.state);
        state.completed == state.enqueued
    }

    fn wait(&self, ticket: u64) {
        let mut state = lock(&self.state);
        while state.completed < ticket {
            state = match state.served {
                true => self.sleep(state),
                false => self.step(state),
            };
        }
    }

    fn serve(&self) {
        // The thread's variables are made here, if that needs a lock.
        fatal::mark_library_thread();
        let mut state = lock(&self.state);
        state.served = true;
        loop {
            state = self.step(state);
        }
    }

    /// Executes the next task; sleeps where there is none, or another thread executes one.
    fn step<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        if state.busy {
            return self.sleep(state);
        }
        let Some(task) = state.tasks.pop_front() else {
            return self.sleep(state);
        };
        state.busy = true;
        drop(state);
        // The waiting thread may be in the middle of `exit`, which a fatal error must not call again.
        fatal::as_library_thread(task);
        let mut state = lock(&self.state);
        state.busy = false;
        state.completed += 1;
        self.changed.notify_all();
        state
    }

    fn sleep<'a>(&'a self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
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
        let queue = Arc::new(Queue::default());
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
