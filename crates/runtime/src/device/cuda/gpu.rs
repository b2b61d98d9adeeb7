//! One GPU: its context, its streams, and what to say when it fails.

use super::driver::{self, Context, Driver, Event, Status};
use super::stream::Stream;
use crate::device::Queue;
use crate::device::launches::{self, Launched};
use crate::device::streams::Streams;
use crate::fatal;
use cudarc::driver::sys;
use std::fmt::{Display, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A GPU that is in use. It lives until the process ends.
pub struct Gpu {
    pub driver: &'static Driver,
    pub context: Context,
    /// `nvidia:0`
    pub name: String,
    pub streams: Streams<Stream>,
    events: Mutex<Vec<Event>>,
    /// This process is a forked child, in which CUDA does not work.
    pub forked: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The GPU's context is the thread's current one until dropped. A context that the program had made current before is
/// so again afterwards.
pub struct Entered<'a> {
    driver: &'a Driver,
    before: Option<Context>,
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // The program's own context: a failure shows at its next call.
            let _ = self.driver.set_current(before);
        }
    }
}

impl Gpu {
    /// Makes the GPU's context.
    pub fn start(driver: &'static Driver, device: sys::CUdevice, name: &str) -> &'static Gpu {
        let context = driver.primary_context(device).unwrap_or_else(|status| {
            fatal::fatal_text_as(fatal::Error::DeviceInit, &format!(
                "cannot use device {name}: {} ({}); is another process using it exclusively? See nvidia-smi",
                driver.error_name(status),
                status.0
            ))
        });
        Box::leak(Box::new(Gpu {
            driver,
            context,
            name: name.into(),
            streams: Streams::default(),
            events: Mutex::default(),
            forked: AtomicBool::new(false),
        }))
    }

    /// Makes the context current on this thread.
    pub fn enter(&self) -> Entered<'_> {
        if self.forked.load(Relaxed) {
            fatal::fatal_text(&after_fork(&self.name));
        }
        self.try_enter()
            .unwrap_or_else(|status| self.failed(status, "making the context current"))
    }

    fn try_enter(&self) -> driver::Result<Entered<'_>> {
        let before = self.driver.current()?;
        let changed = before != self.context;
        if changed {
            self.driver.set_current(self.context)?;
        }
        Ok(Entered {
            driver: self.driver,
            before: (changed && !before.0.is_null()).then_some(before),
        })
    }

    /// The stream of a queue; made at first use.
    pub fn stream(&'static self, queue: Queue) -> &'static Stream {
        self.streams.get(queue, || {
            let handle = self.driver.new_stream();
            Stream::new(handle.unwrap_or_else(|status| self.failed(status, "making a stream")))
        })
    }

    /// Waits for everything in a stream.
    pub fn synchronize(&self, stream: &Stream) {
        if !stream.may_be_busy() {
            stream.deliver_awaited();
            return;
        }
        let done = self
            .try_enter()
            .and_then(|_entered| stream.synchronize(self.driver));
        match done {
            // At the end of the process the driver may be gone before us, and its work with it.
            Ok(()) | Err(Status::DEINITIALIZED) => {}
            Err(status) => self.failed_in(status, "waiting for a queue", Some(stream)),
        }
    }

    /// Records a point in a stream. The event may be recycled once what waits for it was told so.
    pub fn record(&self, stream: driver::Stream) -> Event {
        let known = lock(&self.events).pop();
        let event = match known {
            Some(event) => Ok(event),
            None => self.driver.new_event(),
        };
        event
            .and_then(|event| self.driver.record(event, stream).map(|()| event))
            .unwrap_or_else(|status| self.failed(status, "recording an event"))
    }

    pub fn recycle(&self, event: Event) {
        lock(&self.events).push(event);
    }

    /// Lets `later` go on only after what is now in `earlier`.
    pub fn order(&self, earlier: driver::Stream, later: driver::Stream) {
        if earlier == later {
            return;
        }
        let event = self.record(earlier);
        if let Err(status) = self.driver.wait_event(later, event) {
            self.failed(status, "letting one queue wait for another");
        }
        // The wait was for the event as it was recorded then.
        self.recycle(event);
    }

    /// Takes the locks around a `fork`.
    pub fn freeze(&self) -> impl Sized + '_ {
        (self.streams.freeze(), lock(&self.events))
    }

    /// Ends the program because a call of the driver has failed.
    pub fn failed(&self, status: Status, doing: impl Display) -> ! {
        self.failed_in(status, doing, None)
    }

    /// The same, with the stream in which the failure has shown. The reason is most often an earlier kernel: all that
    /// nobody has waited for yet come into question.
    fn failed_in(&self, status: Status, doing: impl Display, stream: Option<&Stream>) -> ! {
        let name = self.driver.error_name(status);
        let mut message = format!("device {}: {name} ({}) when {doing}", self.name, status.0);
        let Some((what, remedy)) = explain(status) else {
            fatal::fatal_text_as(fatal::Error::Execution, &message);
        };
        let _ = write!(message, ": {what}");
        let mut suspects: Vec<Launched> =
            stream.map_or_else(Vec::new, |stream| stream.launches.suspects());
        if suspects.is_empty() {
            let all = self.streams.all().into_iter();
            suspects = all.flat_map(|stream| stream.launches.suspects()).collect();
        }
        launches::failed(message, &suspects, remedy)
    }
}

/// Why a forked child cannot use a GPU.
pub fn after_fork(name: &str) -> String {
    format!(
        "device {name} cannot be used in a child process after fork(); use exec() in the child, or \
         ACC_DEVICE_TYPE=host"
    )
}

/// Whether the error tells of a kernel that has failed, whatever the call was for.
pub(super) fn is_of_a_kernel(status: Status) -> bool {
    explain(status).is_some()
}

/// What an error of a kernel means and what to do about it; none for errors of other kinds.
fn explain(status: Status) -> Option<(&'static str, &'static str)> {
    const FIND: &str = "run with ACC_DEVICE_TYPE=sim to find the access";
    Some(match status {
        Status(700 | 717) => (
            "a kernel accessed memory that is not there (an index out of bounds, or data without a data clause)",
            FIND,
        ),
        Status(716) => ("a kernel accessed a misaligned address", FIND),
        Status::ASSERT => ("an assertion in a kernel failed", "its text is above"),
        Status(714 | 715 | 718 | 719) => (
            "a kernel failed (abort(), a stack overflow, or an access out of bounds)",
            FIND,
        ),
        Status(702) => (
            "a kernel took too long for a GPU that also drives a display",
            "use a GPU without display, or smaller regions",
        ),
        Status::LAUNCH_OUT_OF_RESOURCES => (
            "a kernel needs more registers or shared memory than the GPU has",
            "use fewer workers or a shorter vector_length",
        ),
        Status(46 | 214 | 220 | 721 | 999) => (
            "the GPU has stopped working",
            "see nvidia-smi and the system's log (dmesg, lines with Xid)",
        ),
        _ => return None,
    })
}
