//! Device memory: allocation and copies by address (OpenACC 3.4, 3.2.18, 3.2.19, 3.2.27 to
//! 3.2.32).

use super::{SYNC, call, origin, queue_of, with_actions};
use crate::device::{Device, Queue};
use crate::fatal::{Place, fatal};
use crate::runtime;
use std::ffi::c_void;

/// 3.2.18: memory on the current device, null for 0 bytes and when there is not as much.
#[unsafe(no_mangle)]
pub extern "C" fn acc_malloc(bytes: usize) -> *mut c_void {
    if bytes == 0 {
        return std::ptr::null_mut();
    }
    with_actions(SYNC, call("acc_malloc"), |actions| {
        let address = actions.try_alloc(bytes, origin("acc_malloc"));
        address.map_or(std::ptr::null_mut(), |address| address as *mut c_void)
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
        let name = actions.device.name();
        match actions.device.allocation(address) {
            Some((start, _)) if start == address => {}
            Some((start, bytes)) if address < start.saturating_add(bytes) => fatal(
                place,
                format_args!(
                    "{data:p} is inside of the memory of acc_malloc at {start:#x} ({bytes} bytes) on device {name}, \
                     which has to be freed as a whole"
                ),
            ),
            Some(_) | None => fatal(
                place,
                format_args!(
                    "{data:p} is not memory of acc_malloc on device {name} (freed twice?)"
                ),
            ),
        }
        if let Some(mapping) = actions.table.allocated_at(address) {
            let mapping = crate::report::mapping(mapping);
            fatal(
                place,
                format_args!(
                    "the memory at {data:p} is the device's copy of mapped data, which `exit data` or acc_delete \
                     ends: {mapping}"
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

/// Ends the program unless so many bytes of device memory are there, as far as the device knows.
pub fn check_range(device: &dyn Device, address: *const c_void, bytes: usize, place: Place) {
    let start = address as usize;
    let known = device.allocation(start);
    let inside = known.filter(|&(first, size)| start < first.saturating_add(size));
    let name = device.name();
    match inside {
        Some((first, size)) if bytes > size - (start - first) => fatal(
            place,
            format_args!(
                "{bytes} bytes from {address:p} on, but the memory there ({size} bytes at {first:#x} on device {name}) \
                 ends after {}",
                size - (start - first)
            ),
        ),
        Some(_) => {}
        // Of its own memory the CPU knows all; others say themselves what they do not know.
        None if !device.shares_host_memory() && device.native().is_none() => fatal(
            place,
            format_args!("{address:p} is not memory of device {name}"),
        ),
        None => {}
    }
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
    /// To another device.
    To(&'static dyn Device),
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
    match direction {
        Direction::In => check_range(device, to, bytes, place),
        Direction::Out => check_range(device, from, bytes, place),
        Direction::Within => {
            check_range(device, from, bytes, place);
            check_range(device, to, bytes, place);
        }
        Direction::To(target) => {
            check_range(device, from, bytes, place);
            check_range(target, to, bytes, place);
        }
    }
    let queue = queue_of(async_value, place);
    let (to, from) = (to as usize, from as usize);
    // SAFETY: the program vouches for both ranges, as for `memcpy`.
    unsafe {
        match direction {
            Direction::In => device.copy_in(to, from, bytes, queue),
            Direction::Out => device.copy_out(to, from, bytes, queue),
            Direction::Within | Direction::To(_) => device.copy_within(to, from, bytes, queue),
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
    let [target, source] = numbers.map(|number| runtime::numbered(Some(i64::from(number)), place));
    let source = &*source.device;
    copy(
        source,
        Direction::To(&*target.device),
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
