//! Queues: tests, waits, the default queue (OpenACC 3.4, 3.2.9 to 3.2.16).

use super::{SYNC, call, queue_of};
use crate::device::Queue;
use crate::fatal::{self, Place};
use crate::runtime::{self, DeviceState};
use crate::tools;
use crate::wait;

fn device(number: i32, place: Place) -> &'static DeviceState {
    runtime::numbered(Some(i64::from(number)), place)
}

/// The current device.
const CURRENT: i32 = -1;

fn is_idle(value: i32, number: i32, place: Place) -> bool {
    let state = device(number, place);
    match queue_of(value, place) {
        Queue::Sync => true,
        Queue::Async(queue) => state.device.is_idle(queue),
    }
}

/// True (not 0) when everything in the queue is complete.
#[unsafe(no_mangle)]
pub extern "C" fn acc_async_test(value: i32) -> i32 {
    i32::from(is_idle(value, CURRENT, call("acc_async_test")))
}

/// As [`acc_async_test`], on device `number` of the current type.
#[unsafe(no_mangle)]
pub extern "C" fn acc_async_test_device(value: i32, number: i32) -> i32 {
    i32::from(is_idle(value, number, call("acc_async_test_device")))
}

/// True (not 0) when everything in all queues is complete.
#[unsafe(no_mangle)]
pub extern "C" fn acc_async_test_all() -> i32 {
    i32::from(runtime::current().device.all_idle())
}

/// As [`acc_async_test_all`], on device `number` of the current type.
#[unsafe(no_mangle)]
pub extern "C" fn acc_async_test_all_device(number: i32) -> i32 {
    let state = device(number, call("acc_async_test_all_device"));
    i32::from(state.device.all_idle())
}

fn wait_for(value: i32, async_value: i32, number: i32, routine: &'static str) {
    let place = call(routine);
    let queue = queue_of(async_value, place);
    let device = device(number, place);
    let _doing = tools::routine(device, queue);
    wait::one(device, i64::from(value), queue, place);
}

fn wait_for_all(async_value: i32, number: i32, routine: &'static str) {
    let place = call(routine);
    let queue = queue_of(async_value, place);
    let device = device(number, place);
    let _doing = tools::routine(device, queue);
    wait::all(device, queue, place);
}

/// Waits for a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_wait(value: i32) {
    wait_for(value, SYNC, CURRENT, "acc_wait");
}

/// The name of OpenACC 1.0 for [`acc_wait`].
#[unsafe(no_mangle)]
pub extern "C" fn acc_async_wait(value: i32) {
    wait_for(value, SYNC, CURRENT, "acc_async_wait");
}

/// Waits for a queue of device `number`.
#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_device(value: i32, number: i32) {
    wait_for(value, SYNC, number, "acc_wait_device");
}

/// Lets one queue wait for another.
#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_async(value: i32, async_value: i32) {
    wait_for(value, async_value, CURRENT, "acc_wait_async");
}

/// Lets one queue of device `number` wait for another.
#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_device_async(value: i32, async_value: i32, number: i32) {
    wait_for(value, async_value, number, "acc_wait_device_async");
}

/// Waits for all queues.
#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_all() {
    wait_for_all(SYNC, CURRENT, "acc_wait_all");
}

/// The name of OpenACC 1.0 for [`acc_wait_all`].
#[unsafe(no_mangle)]
pub extern "C" fn acc_async_wait_all() {
    wait_for_all(SYNC, CURRENT, "acc_async_wait_all");
}

/// Waits for all queues of device `number`.
#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_all_device(number: i32) {
    wait_for_all(SYNC, number, "acc_wait_all_device");
}

/// Lets a queue wait for all others.
#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_all_async(async_value: i32) {
    wait_for_all(async_value, CURRENT, "acc_wait_all_async");
}

/// Lets a queue of device `number` wait for all others.
#[unsafe(no_mangle)]
pub extern "C" fn acc_wait_all_device_async(async_value: i32, number: i32) {
    wait_for_all(async_value, number, "acc_wait_all_device_async");
}

/// Waits until one of the queues is complete and returns its index. What is `acc_async_sync` is none: so programs cross out those that
/// they have done with; -1 if no other is left.
fn wait_any(count: i32, values: *const i32, number: i32, routine: &'static str) -> i32 {
    let place = call(routine);
    if count <= 0 || values.is_null() {
        fatal::fatal_as(
            fatal::Error::InvalidArgument,
            place,
            "the list of queues is empty",
        );
    }
    // SAFETY: the caller passes an array of `count` values.
    let values = unsafe { std::slice::from_raw_parts(values, count as usize) };
    if values.iter().all(|&value| value == SYNC) {
        return -1;
    }
    loop {
        let idle = values
            .iter()
            .position(|&value| value != SYNC && is_idle(value, number, place));
        if let Some(index) = idle {
            return index as i32;
        }
        std::thread::sleep(std::time::Duration::from_micros(20));
    }
}

/// Waits until one of `count` queues is complete and returns its index.
///
/// # Safety
/// `values` points to `count` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acc_wait_any(count: i32, values: *const i32) -> i32 {
    wait_any(count, values, CURRENT, "acc_wait_any")
}

/// As [`acc_wait_any`], on device `number` of the current type.
///
/// # Safety
/// `values` points to `count` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acc_wait_any_device(count: i32, values: *const i32, number: i32) -> i32 {
    wait_any(count, values, number, "acc_wait_any_device")
}

/// The queue that `async` without an argument uses in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_default_async() -> i32 {
    runtime::default_async() as i32
}

/// Sets the queue that `async` without an argument uses in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn acc_set_default_async(value: i32) {
    runtime::set_default_async(i64::from(value), call("acc_set_default_async"));
}
