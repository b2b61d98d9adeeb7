//! The `acc_*` routines (OpenACC 3.4, chapter 3), by subject, and OpenMP's of devices.

pub mod between_devices;
pub mod data;
pub mod device;
pub mod memory;
pub mod omp;
pub mod queue;

use crate::abi::ASYNC_SYNC;
use crate::data::Actions;
use crate::device::Queue;
use crate::fatal::Place;
use crate::once::Brief;
use crate::present::table::Origin;
use crate::runtime;
use crate::tools;
use std::collections::BTreeMap;

/// The place of a call, whose file and line are unknown.
pub(crate) const fn call(routine: &'static str) -> Place {
    Place {
        file: "",
        line: 0,
        what: routine,
    }
}

/// The origin of what a routine maps or allocates, one per routine for the life of the program.
pub(crate) fn origin(routine: &'static str) -> &'static Origin {
    static KNOWN: Brief<BTreeMap<&'static str, &'static Origin>> = Brief::new(BTreeMap::new());
    let mut known = KNOWN.lock();
    known.entry(routine).or_insert_with(|| {
        Box::leak(Box::new(Origin {
            name: "",
            place: call(routine),
        }))
    })
}

/// The value for the synchronous form of a routine.
pub(crate) const SYNC: i32 = ASYNC_SYNC as i32;

/// The queue of an async argument.
pub(crate) fn queue_of(value: i32, place: Place) -> Queue {
    runtime::queue_of(i64::from(value), place)
}

/// Data actions on the current device.
pub(crate) fn with_actions<R>(
    async_value: i32,
    place: Place,
    body: impl FnOnce(&mut Actions<'_>) -> R,
) -> R {
    let queue = queue_of(async_value, place);
    let device = runtime::current();
    let _doing = tools::routine(device, queue);
    crate::data::with_table(device, queue, None, body)
}
