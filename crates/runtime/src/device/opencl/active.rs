//! A device in use: its context, its queues, and what to say when it fails.

use super::arena::Arena;
use super::driver::{CommandQueue, Context, DeviceId, Event, OpenCl};
use super::queue::Stream;
use super::status::Status;
use crate::device::Queue;
use crate::device::launches;
use crate::fatal;
use crate::{profile, thread_end};
use opencl_sys as cl;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

/// A device from its first use on. It lives until the process ends.
pub struct Active {
    pub opencl: &'static OpenCl,
    pub device: DeviceId,
    pub context: Context,
    /// `opencl:0`
    pub name: String,
    pub total_memory: usize,
    pub arena: Arena,
    /// Launches are timed.
    pub timed: bool,
    queues: RwLock<BTreeMap<i32, &'static Stream>>,
    /// All queues of threads; and those whose threads have ended.
    of_threads: Mutex<Vec<&'static Stream>>,
    spare: Mutex<Vec<&'static Stream>>,
    /// This process is a forked child, in which the driver's threads do not exist.
    pub forked: AtomicBool,
}

thread_local! {
    /// The queues of a thread, one per device it has used; others may have them when the thread ends.
    static OWN: RefCell<ManuallyDrop<Vec<(&'static Active, &'static Stream)>>> =
        const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

/// The calling thread needs its queues no more.
pub fn forget() {
    for (active, stream) in ManuallyDrop::into_inner(OWN.take()) {
        lock(&active.spare).push(stream);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Active {
    /// Makes the device's context.
    pub fn start(
        opencl: &'static OpenCl,
        device: DeviceId,
        name: &str,
        total_memory: usize,
    ) -> &'static Active {
        let context = opencl.new_context(device).unwrap_or_else(|status| {
            fatal::fatal_text(&format!(
                "cannot use device {name}: {} ({})",
                status.name(),
                status.0
            ))
        });
        Box::leak(Box::new(Active {
            opencl,
            device,
            context,
            name: name.into(),
            total_memory,
            arena: Arena::default(),
            timed: profile::enabled(),
            queues: RwLock::default(),
            of_threads: Mutex::default(),
            spare: Mutex::default(),
            forked: AtomicBool::new(false),
        }))
    }

    /// Ends a forked child that uses the device.
    pub fn check_fork(&self) {
        if self.forked.load(Relaxed) {
            fatal::fatal_text(&after_fork(&self.name));
        }
    }

    fn new_stream(&self) -> &'static Stream {
        let handle: CommandQueue = self
            .opencl
            .new_queue(self.context, self.device, self.timed)
            .unwrap_or_else(|status| self.failed(status, "making a queue"));
        Box::leak(Box::new(Stream::new(handle)))
    }

    /// The calling thread's queue for synchronous work.
    pub fn own_stream(&'static self) -> &'static Stream {
        let known = self.known_own_stream();
        known.unwrap_or_else(|| {
            let spare = lock(&self.spare).pop();
            let stream = spare.unwrap_or_else(|| {
                let new = self.new_stream();
                lock(&self.of_threads).push(new);
                new
            });
            thread_end::watch();
            OWN.with_borrow_mut(|own| own.push((self, stream)));
            stream
        })
    }

    /// The same, if the thread has used the device.
    pub fn known_own_stream(&'static self) -> Option<&'static Stream> {
        OWN.with_borrow(|own| {
            let found = own.iter().find(|(active, _)| std::ptr::eq(*active, self));
            found.map(|(_, stream)| *stream)
        })
    }

    fn queues(&self) -> std::sync::RwLockReadGuard<'_, BTreeMap<i32, &'static Stream>> {
        self.queues.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// A queue by its number, if it was used.
    pub fn known_queue(&self, number: i32) -> Option<&'static Stream> {
        self.queues().get(&number).copied()
    }

    /// The numbers of all queues that were used.
    pub fn queue_numbers(&self) -> Vec<i32> {
        self.queues().keys().copied().collect()
    }

    /// All numbered queues.
    pub fn queue_streams(&self) -> Vec<&'static Stream> {
        self.queues().values().copied().collect()
    }

    /// The stream of a queue; made at first use.
    pub fn stream(&'static self, queue: Queue) -> &'static Stream {
        let number = match queue {
            Queue::Sync => return self.own_stream(),
            Queue::Async(number) => number,
        };
        if let Some(stream) = self.known_queue(number) {
            return stream;
        }
        let mut queues = self.queues.write().unwrap_or_else(PoisonError::into_inner);
        queues.entry(number).or_insert_with(|| self.new_stream())
    }

    /// The stream of a queue, if there is one.
    pub fn known_stream(&'static self, queue: Queue) -> Option<&'static Stream> {
        match queue {
            Queue::Sync => self.known_own_stream(),
            Queue::Async(number) => self.known_queue(number),
        }
    }

    fn all_streams(&self) -> Vec<&'static Stream> {
        let mut all = self.queue_streams();
        all.extend(lock(&self.of_threads).iter());
        all
    }

    /// Waits for everything in a queue.
    pub fn synchronize(&self, stream: &Stream) {
        if stream.may_be_busy()
            && let Err(status) = stream.synchronize(self.opencl)
        {
            self.failed_in(status, "waiting for a queue", Some(stream));
        }
    }

    /// Waits for everything in all queues, those of other threads included.
    pub fn finish_all(&self) {
        for stream in self.all_streams() {
            self.synchronize(stream);
        }
    }

    /// A point in a queue.
    pub fn record(&self, stream: &Stream) -> Event {
        let handle = stream.handle();
        let event = self.opencl.marker(handle);
        event
            .and_then(|event| self.opencl.flush(handle).map(|()| event))
            .unwrap_or_else(|status| self.failed(status, "recording an event"))
    }

    /// Lets `later` go on only after what is now in `earlier`.
    pub fn order(&self, earlier: &Stream, later: &Stream) {
        if std::ptr::eq(earlier, later) {
            return;
        }
        let event = self.record(earlier);
        let ordered = later.put(self.opencl, |queue| self.opencl.barrier(queue, event));
        self.opencl.release(event);
        if let Err(status) = ordered {
            self.failed(status, "letting one queue wait for another");
        }
    }

    /// Takes the locks around a `fork`. Those of single queues stay: a child does not come to them.
    pub fn freeze(&self) -> impl Sized + '_ {
        let arena = self.arena.freeze();
        let queues = self.queues.write().unwrap_or_else(PoisonError::into_inner);
        (arena, queues, lock(&self.of_threads), lock(&self.spare))
    }

    /// Ends the program because a call of the driver has failed.
    pub fn failed(&self, status: Status, doing: impl Display) -> ! {
        self.failed_in(status, doing, None)
    }

    /// The same, with the queue in which the failure has shown. The reason is most often an earlier kernel: all that nobody
    /// has waited for yet come into question.
    fn failed_in(&self, status: Status, doing: impl Display, stream: Option<&Stream>) -> ! {
        let (name, number) = (status.name(), status.0);
        let message = format!("device {}: {name} ({number}) when {doing}", self.name);
        let Some((what, remedy)) = explain(status) else {
            fatal::fatal_text(&message);
        };
        let mut suspects = stream.map_or_else(Vec::new, |stream| stream.launches.suspects());
        if suspects.is_empty() {
            suspects = self
                .all_streams()
                .into_iter()
                .flat_map(|stream| stream.launches.suspects())
                .collect();
        }
        launches::failed(format!("{message}: {what}"), &suspects, remedy)
    }
}

/// Why a forked child cannot use a device.
pub fn after_fork(name: &str) -> String {
    format!(
        "device {name} cannot be used in a child process after fork(); use exec() in the child, or \
         ACC_DEVICE_TYPE=host"
    )
}

/// What an error that a kernel may be the reason of means, and what to do about it; none for errors of other kinds.
fn explain(status: Status) -> Option<(&'static str, &'static str)> {
    Some(match status.0 {
        cl::CL_OUT_OF_RESOURCES
        | cl::CL_INVALID_COMMAND_QUEUE
        | cl::CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST => (
            "a kernel failed (an index out of bounds, data without a data clause), or the device has too little of something",
            "run with ACC_DEVICE_TYPE=sim to find such an access",
        ),
        cl::CL_DEVICE_NOT_AVAILABLE => (
            "the device has stopped working",
            "see the system's log (dmesg)",
        ),
        _ => return None,
    })
}
