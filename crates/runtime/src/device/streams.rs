//! The streams of a device that a driver runs: one for each queue, and one for each thread's synchronous work. They are made at
//! first use and live until the process ends; who ends a thread leaves its stream to the next one.
//!
//! ```text
//! async(3)                            queues[3]
//! no async, in thread A               own of A ──A ends──▶ spare ──▶ own of B
//! ```

use super::Queue;
use crate::thread_end;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::thread::LocalKey;

/// The streams of one device.
pub struct Streams<S: 'static> {
    queues: RwLock<BTreeMap<i32, &'static S>>,
    /// All streams of threads, for messages; and those whose threads have ended.
    of_threads: Mutex<Vec<&'static S>>,
    spare: Mutex<Vec<&'static S>>,
}

/// The streams of a thread, one per device that it has used; others may have them when the thread ends.
pub type Own<S> = RefCell<ManuallyDrop<Vec<(&'static Streams<S>, &'static S)>>>;

/// What a driver has as streams.
pub trait Kept: Sized + 'static {
    /// Those of the calling thread.
    fn own() -> &'static LocalKey<Own<Self>>;
}

/// The calling thread needs its streams no more.
pub fn forget<S: Kept>() {
    for (streams, stream) in ManuallyDrop::into_inner(S::own().take()) {
        lock(&streams.spare).push(stream);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S> Default for Streams<S> {
    fn default() -> Self {
        Streams {
            queues: RwLock::default(),
            of_threads: Mutex::default(),
            spare: Mutex::default(),
        }
    }
}

impl<S: Kept> Streams<S> {
    /// The stream of a queue.
    pub fn get(&'static self, queue: Queue, make: impl FnOnce() -> S) -> &'static S {
        let number = match queue {
            Queue::Sync => return self.own(make),
            Queue::Async(number) => number,
        };
        if let Some(stream) = self.known_queue(number) {
            return stream;
        }
        let mut queues = self.queues.write().unwrap_or_else(PoisonError::into_inner);
        queues
            .entry(number)
            .or_insert_with(|| Box::leak(Box::new(make())))
    }

    /// The calling thread's stream for synchronous work.
    fn own(&'static self, make: impl FnOnce() -> S) -> &'static S {
        self.known_own().unwrap_or_else(|| {
            let spare = lock(&self.spare).pop();
            let stream = spare.unwrap_or_else(|| {
                let new = Box::leak(Box::new(make()));
                lock(&self.of_threads).push(new);
                new
            });
            thread_end::watch();
            S::own().with_borrow_mut(|own| own.push((self, stream)));
            stream
        })
    }

    /// The same, if the thread has used the device.
    pub fn known_own(&'static self) -> Option<&'static S> {
        S::own().with_borrow(|own| {
            let found = own.iter().find(|(of, _)| std::ptr::eq(*of, self));
            found.map(|(_, stream)| *stream)
        })
    }

    /// The stream of a queue, if there is one.
    pub fn known(&'static self, queue: Queue) -> Option<&'static S> {
        match queue {
            Queue::Sync => self.known_own(),
            Queue::Async(number) => self.known_queue(number),
        }
    }

    fn queues(&self) -> RwLockReadGuard<'_, BTreeMap<i32, &'static S>> {
        self.queues.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The stream of a numbered queue, if the queue was used.
    pub fn known_queue(&self, number: i32) -> Option<&'static S> {
        self.queues().get(&number).copied()
    }

    /// The numbers of all queues that were used.
    pub fn queue_numbers(&self) -> Vec<i32> {
        self.queues().keys().copied().collect()
    }

    /// The streams of all numbered queues.
    pub fn of_queues(&self) -> Vec<&'static S> {
        self.queues().values().copied().collect()
    }

    /// All streams, those of other threads included.
    pub fn all(&self) -> Vec<&'static S> {
        let mut all = self.of_queues();
        all.extend(lock(&self.of_threads).iter());
        all
    }

    /// Takes the locks around a `fork`.
    pub fn freeze(&self) -> impl Sized + '_ {
        let queues = self.queues.write().unwrap_or_else(PoisonError::into_inner);
        (queues, lock(&self.of_threads), lock(&self.spare))
    }
}
