//! Device memory: allocation and copies by address (OpenACC 3.4, 3.2.18, 3.2.19, 3.2.27 to
//! 3.2.32).

use super::{SYNC, call, origin, queue_of, with_actions};
use crate::device::{Device, Queue};
use crate::fatal::{Place, fatal};
use crate::runtime;
use std::ffi::c_void;

/// 3.2.18: memory on the current device, null for 0 bytes.
#[unsafe(no_mangle)]
pub extern "C" fn acc_malloc(bytes: usize) -> *mut c_void {
    if bytes == 0 {
        return std::ptr::null_mut();
    }
    with_actions(SYNC, call("acc_malloc"), |actions| {
        actions.alloc(bytes, origin("acc_malloc")) as *mut c_void
    })
}

/// 3.2.19: frees memory of [`acc_malloc`]; null means no action.
#[unsafe(no_mangle)]
pub extern "C" fn acc_free(data: *mut c_void) {
    if data.is_null() {
        return;
    }
    let place = call("acc_free");
    let address = data as usize;
    with_actions(SYNC, place, |actions| {
        if !actions.device.owns(address) {
            fatal(
                place,
                format_args!(
                    "{data:p} is not memory of acc_malloc on device {} (freed twice?)",
                    actions.device.name()
                ),
            );
        }
        if let Some(mapping) = actions.table.user_mapping_of(address) {
            let mapping = crate::report::mapping(mapping);
            fatal(
                place,
                format_args!("the memory at {data:p} is still mapped: {mapping}"),
            );
        }
        actions.device.wait_all();
        actions.table.note_freed();
        // SAFETY: the device knows the address, no mapping uses it, and no queue has work.
        unsafe { actions.device.free(address, actions.queue) };
    });
}

fn current() -> &'static dyn Device {
    &*runtime::current().device
}

/// Which way a copy goes.
#[derive(Clone, Copy)]
enum Direction {
    In,
    Out,
    Within,
}

fn copy(
    device: &dyn Device,
    direction: Direction,
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    async_value: i32,
    place: Place,
) {
    if bytes == 0 || std::ptr::eq(to, from) {
        return;
    }
    if to.is_null() || from.is_null() {
        fatal(place, format_args!("a null pointer with {bytes} bytes"));
    }
    let queue = queue_of(async_value, place);
    let (to, from) = (to as usize, from as usize);
    // SAFETY: the program vouches for both ranges, as for `memcpy`.
    unsafe {
        match direction {
            Direction::In => device.copy_in(to, from, bytes, queue),
            Direction::Out => device.copy_out(to, from, bytes, queue),
            Direction::Within => device.copy_within(to, from, bytes, queue),
        }
    }
    if queue == Queue::Sync {
        device.complete();
    }
}

/// 3.2.27: copies from host memory to device memory.
#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_to_device(device: *mut c_void, host: *const c_void, bytes: usize) {
    let place = call("acc_memcpy_to_device");
    copy(current(), Direction::In, device, host, bytes, SYNC, place);
}

/// [`acc_memcpy_to_device`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_to_device_async(
    device: *mut c_void,
    host: *const c_void,
    bytes: usize,
    async_value: i32,
) {
    let place = call("acc_memcpy_to_device_async");
    copy(
        current(),
        Direction::In,
        device,
        host,
        bytes,
        async_value,
        place,
    );
}

/// 3.2.28: copies from device memory to host memory.
#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_from_device(host: *mut c_void, device: *const c_void, bytes: usize) {
    let place = call("acc_memcpy_from_device");
    copy(current(), Direction::Out, host, device, bytes, SYNC, place);
}

/// [`acc_memcpy_from_device`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_from_device_async(
    host: *mut c_void,
    device: *const c_void,
    bytes: usize,
    async_value: i32,
) {
    let place = call("acc_memcpy_from_device_async");
    copy(
        current(),
        Direction::Out,
        host,
        device,
        bytes,
        async_value,
        place,
    );
}

/// 3.2.29: copies within the memory of the current device.
#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_device(to: *mut c_void, from: *const c_void, bytes: usize) {
    let place = call("acc_memcpy_device");
    copy(current(), Direction::Within, to, from, bytes, SYNC, place);
}

/// [`acc_memcpy_device`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_device_async(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    async_value: i32,
) {
    let place = call("acc_memcpy_device_async");
    copy(
        current(),
        Direction::Within,
        to,
        from,
        bytes,
        async_value,
        place,
    );
}

fn copy_between(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    numbers: [i32; 2],
    async_value: i32,
    place: Place,
) {
    // Ends the program when there is no such device.
    let [_, source] = numbers.map(|number| runtime::numbered(Some(i64::from(number)), place));
    let source = &*source.device;
    copy(
        source,
        Direction::Within,
        to,
        from,
        bytes,
        async_value,
        place,
    );
}

/// 3.2.32: copies between two devices of the current type.
#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_d2d(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    to_number: i32,
    from_number: i32,
) {
    let place = call("acc_memcpy_d2d");
    copy_between(to, from, bytes, [to_number, from_number], SYNC, place);
}

/// [`acc_memcpy_d2d`] in a queue of the source device.
#[unsafe(no_mangle)]
pub extern "C" fn acc_memcpy_d2d_async(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    to_number: i32,
    from_number: i32,
    async_value: i32,
) {
    let place = call("acc_memcpy_d2d_async");
    copy_between(
        to,
        from,
        bytes,
        [to_number, from_number],
        async_value,
        place,
    );
}
