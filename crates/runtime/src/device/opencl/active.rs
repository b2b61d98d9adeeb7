//! A device in use: its context, its queues, and what to say when it fails.

use super::arena::Arena;
use super::buffer::{Buffer, Direction};
use super::driver::{CommandQueue, Context, DeviceId, Event, OpenCl, Until};
use super::queue::Stream;
use super::status::{Result, Status};
use super::transfer::PinnedBuffers;
use crate::device::Queue;
use crate::device::launches;
use crate::device::streams::Streams;
use crate::fatal;
use crate::profile;
use opencl_sys as cl;
use std::fmt::Display;
use std::ops::Range;
use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

/// A device from its first use on. It lives until the process ends.
pub struct Active {
    pub opencl: &'static OpenCl,
    pub device: DeviceId,
    pub context: Context,
    /// `opencl:0`
    pub name: String,
    pub total_memory: usize,
    pub arena: Arena,
    /// Where all of its memory is, if that is one buffer.
    pub buffer: Option<Buffer>,
    /// What larger transfers go through.
    pub pinned: PinnedBuffers,
    /// Launches are timed.
    pub timed: bool,
    pub streams: Streams<Stream>,
    /// How many commands that write memory of the host have been put into queues, and how many of these were known to be complete
    /// when it was last asked.
    writes: AtomicUsize,
    settled: AtomicUsize,
    /// This process is a forked child, in which the driver's threads do not exist.
    pub forked: AtomicBool,
}

impl Active {
    /// Makes the device's context, and the buffer of so many bytes at most that all of its memory is to be in.
    pub fn start(
        opencl: &'static OpenCl,
        device: DeviceId,
        name: &str,
        total_memory: usize,
        buffer: Option<usize>,
    ) -> &'static Active {
        let unusable = |why: String| -> ! {
            fatal::fatal_text_as(
                fatal::Error::DeviceInit,
                &format!("cannot use device {name}: {why}"),
            )
        };
        let context = opencl.new_context(device).unwrap_or_else(|status| {
            unusable(format!("{} ({})", status.name(), status.0));
        });
        let buffer = buffer.map(|most| {
            let made = Buffer::new(opencl, context, device, most);
            made.unwrap_or_else(|why| unusable(why))
        });
        let arena = buffer.as_ref().map(|b| Arena::of_buffer(b.start, b.bytes));
        let total_memory = buffer.as_ref().map_or(total_memory, |b| b.bytes);
        Box::leak(Box::new(Active {
            opencl,
            device,
            context,
            name: name.into(),
            total_memory,
            arena: arena.unwrap_or_default(),
            buffer,
            pinned: PinnedBuffers::default(),
            timed: profile::enabled(),
            streams: Streams::default(),
            writes: AtomicUsize::new(0),
            settled: AtomicUsize::new(0),
            forked: AtomicBool::new(false),
        }))
    }

    /// Ends a forked child that uses the device.
    pub fn check_fork(&self) {
        if self.forked.load(Relaxed) {
            fatal::fatal_text(&after_fork(&self.name));
        }
    }

    /// The stream of a queue; made at first use.
    pub fn stream(&'static self, queue: Queue) -> &'static Stream {
        self.streams.get(queue, || {
            let handle = match self.buffer {
                Some(_) => (self.opencl).new_plain_queue(self.context, self.device, self.timed),
                None => self.opencl.new_queue(self.context, self.device, self.timed),
            };
            let handle = handle.unwrap_or_else(|status| self.failed(status, "making a queue"));
            Stream::new(handle, queue != Queue::Sync)
        })
    }

    /// Waits until no command writes this memory of the host any more, which is about to be copied from. NVIDIA's driver reads what
    /// is short when the copy is put into a queue, and not when what is in front of it there is done.
    pub fn settle(&self, host: Range<usize>) {
        let writes = self.writes.load(Acquire);
        if self.settled.load(Acquire) == writes {
            return;
        }
        let mut writing = false;
        for stream in self.streams.all() {
            if stream.may_be_busy() && stream.may_write(&host) {
                self.synchronize(stream);
            }
            writing |= stream.may_be_busy() && stream.writes();
        }
        // What has been put into a queue since counts on.
        if !writing {
            self.settled.store(writes, Release);
        }
    }

    /// A command in the stream writes this memory of the host.
    pub fn will_write(&self, stream: &Stream, host: Range<usize>) {
        stream.will_write(host);
        self.writes.fetch_add(1, Release);
    }

    /// Copies in the queue's order.
    ///
    /// # Safety
    /// Both ranges are valid until the command is complete.
    pub unsafe fn copy(
        &self,
        queue: CommandQueue,
        direction: Direction,
        [to, from]: [usize; 2],
        bytes: usize,
    ) -> Result<()> {
        match &self.buffer {
            // SAFETY: passed on to the caller.
            Some(buffer) => unsafe {
                buffer.copy(self.opencl, queue, direction, [to, from], bytes)
            },
            // SAFETY: as above.
            None => unsafe {
                let until = match direction {
                    Direction::Out(until) => until,
                    Direction::In | Direction::Within => Until::Enqueued,
                };
                self.opencl.copy(queue, to, from, bytes, until)
            },
        }
    }

    /// Fills memory of the device, as [`OpenCl::fill`] does.
    ///
    /// # Safety
    /// The range is valid until the command is complete.
    pub unsafe fn fill(
        &self,
        queue: CommandQueue,
        address: usize,
        pattern: &[u8],
        bytes: usize,
    ) -> Result<()> {
        match &self.buffer {
            Some(buffer) => buffer.fill(self.opencl, queue, address, pattern, bytes),
            // SAFETY: passed on to the caller.
            None => unsafe { self.opencl.fill(queue, address, pattern, bytes) },
        }
    }

    /// Waits for everything in a queue.
    pub fn synchronize(&self, stream: &Stream) {
        if stream.may_be_busy()
            && let Err(status) = stream.synchronize(self.opencl)
        {
            self.failed_in(status, "waiting for a queue", Some(stream));
        }
    }

    /// Waits for everything in a queue by copying memory of the device to the host, behind all that is in it.
    ///
    /// # Safety
    /// Both ranges are valid, and nobody else uses that of the host.
    pub unsafe fn fetch(&self, stream: &Stream, host: usize, from: usize, bytes: usize) {
        let direction = Direction::Out(Until::Complete);
        // SAFETY: passed on to the caller.
        let copied = stream.complete(self.opencl, |queue| unsafe {
            self.copy(queue, direction, [host, from], bytes)
        });
        if let Err(status) = copied {
            self.failed_in(status, "waiting for a queue", Some(stream));
        }
    }

    /// Waits for everything in all queues, those of other threads included.
    pub fn finish_all(&self) {
        for stream in self.streams.all() {
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
        (self.arena.freeze(), self.streams.freeze())
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
            fatal::fatal_text_as(fatal::Error::Execution, &message);
        };
        let mut suspects = stream.map_or_else(Vec::new, |stream| stream.launches.suspects());
        if suspects.is_empty() {
            let all = self.streams.all().into_iter();
            suspects = all.flat_map(|stream| stream.launches.suspects()).collect();
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
