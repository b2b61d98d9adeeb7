//! `wait` clauses and directives (OpenACC 3.4, 2.16).

use crate::abi::ASYNC_SYNC;
use crate::device::Queue;
use crate::fatal::Place;
use crate::notify::{self, Event};
use crate::runtime::{self, DeviceState};
use crate::tools;
use crate::words::WaitList;

/// Makes what comes later in `queue` (or on this thread) wait for the named queues.
pub fn before(device: &'static DeviceState, waits: WaitList<'_>, queue: Queue, place: Place) {
    match waits {
        WaitList::Some([]) => {}
        WaitList::Some(values) => {
            for &value in values {
                one(device, value as i64, queue, place);
            }
        }
        WaitList::All => all(device, queue, place),
    }
}

/// Waits for one queue.
pub fn one(device: &'static DeviceState, value: i64, queue: Queue, place: Place) {
    if value == ASYNC_SYNC {
        return;
    }
    let other = match runtime::queue_of(value, place) {
        Queue::Sync => return,
        Queue::Async(other) => other,
    };
    announce(
        device,
        format_args!("wait={}", Queue::Async(other)),
        queue,
        place,
    );
    let _wait = tools::waiting(Some(other), false);
    match queue {
        Queue::Sync => device.device.wait(other),
        Queue::Async(queue) => device.device.wait_in_queue(queue, other),
    }
}

/// Waits for all queues.
pub fn all(device: &'static DeviceState, queue: Queue, place: Place) {
    announce(device, format_args!("wait=all"), queue, place);
    let _wait = tools::waiting(None, false);
    match queue {
        Queue::Sync => device.device.wait_all(),
        Queue::Async(queue) => device.device.wait_all_in_queue(queue),
    }
}

fn announce(device: &DeviceState, what: std::fmt::Arguments<'_>, queue: Queue, place: Place) {
    if notify::wants(Event::Wait) {
        notify::line(format_args!(
            "wait place={place} device={} {what} queue={queue}",
            device.device.name()
        ));
    }
}
