//! Device memory: allocation and copies by address (OpenACC 3.4, 3.2.18, 3.2.19, 3.2.27 to
//! 3.2.32).

use super::{SYNC, call, origin, queue_of};
use crate::data::with_table;
use crate::device::{Device, Queue, Rows};
use crate::fatal::{self, Place};
use crate::report;
use crate::runtime::{self, DeviceState};
use crate::tools::{self, Pair};
use std::ffi::c_void;

/// 3.2.18: memory on the current device, null for 0 bytes and when there is not as much.
#[unsafe(no_mangle)]
pub extern "C" fn acc_malloc(bytes: usize) -> *mut c_void {
    let device = runtime::current();
    let _doing = tools::routine(device, Queue::Sync);
    allocate(device, bytes, "acc_malloc")
}

/// 3.2.19: frees memory of [`acc_malloc`]; null means no action.
#[unsafe(no_mangle)]
pub extern "C" fn acc_free(data: *mut c_void) {
    let free = Free {
        place: call("acc_free"),
        allocator: "acc_malloc",
        unmapped_by: "`exit data` or acc_delete ends",
    };
    let device = runtime::current();
    let _doing = tools::routine(device, Queue::Sync);
    release(device, data, &free);
}

/// Memory on a device, null for 0 bytes and when there is not as much.
pub(super) fn allocate(
    state: &'static DeviceState,
    bytes: usize,
    routine: &'static str,
) -> *mut c_void {
    if bytes == 0 {
        return std::ptr::null_mut();
    }
    with_table(state, Queue::Sync, None, |actions| {
        let address = actions.try_alloc(bytes, origin(routine));
        address.map_or(std::ptr::null_mut(), |address| address as *mut c_void)
    })
}

/// A routine that frees, in messages.
pub(super) struct Free {
    pub place: Place,
    /// The routine that its memory comes from.
    pub allocator: &'static str,
    /// What ends a mapping, with its verb.
    pub unmapped_by: &'static str,
}

/// Frees memory of [`allocate`], which no mapping uses; null means no action.
pub(super) fn release(state: &'static DeviceState, data: *mut c_void, free: &Free) {
    if data.is_null() {
        return;
    }
    let (place, allocator) = (free.place, free.allocator);
    let address = data as usize;
    with_table(state, Queue::Sync, None, |actions| {
        let name = actions.device.name();
        match actions.device.allocation(address) {
            Some((start, _)) if start == address => {}
            Some((start, bytes)) if address < start.saturating_add(bytes) => fatal::fatal_as(
                fatal::Error::InvalidArgument,
                place,
                format_args!(
                    "{data:p} is inside of the memory of {allocator} at {start:#x} ({bytes} bytes) on device {name}, \
                     which has to be freed as a whole"
                ),
            ),
            Some(_) | None => fatal::fatal_as(
                fatal::Error::InvalidArgument,
                place,
                format_args!(
                    "{data:p} is not memory of {allocator} on device {name} (freed twice?)"
                ),
            ),
        }
        if let Some(mapping) = actions.table.allocated_at(address) {
            let (ended, mapping) = (free.unmapped_by, report::mapping(actions.table, mapping));
            fatal::fatal_as(
                fatal::Error::InvalidArgument,
                place,
                format_args!(
                    "the memory at {data:p} is the device's copy of mapped data, which {ended}: {mapping}"
                ),
            );
        }
        if let Some(mapping) = actions.table.user_mapping_of(address) {
            let mapping = report::mapping(actions.table, mapping);
            fatal::fatal_as(
                fatal::Error::InvalidArgument,
                place,
                format_args!("the memory at {data:p} is still mapped: {mapping}"),
            );
        }
        actions.device.wait_all();
        actions.table.note_freed();
        // SAFETY: the device knows the address, no mapping uses it, and no queue has work.
        unsafe { actions.free(address) };
    });
}

/// Ends the program unless so many bytes of device memory are there, as far as the device knows.
pub fn check_range(device: &dyn Device, address: *const c_void, bytes: usize, place: Place) {
    let start = address as usize;
    let known = device.allocation(start);
    let inside = known.filter(|&(first, size)| start < first.saturating_add(size));
    let name = device.name();
    match inside {
        Some((first, size)) if bytes > size - (start - first) => fatal::fatal_as(
            fatal::Error::InvalidArgument,
            place,
            format_args!(
                "{bytes} bytes from {address:p} on, but the memory there ({size} bytes at {first:#x} on device {name}) \
                 ends after {}",
                size - (start - first)
            ),
        ),
        Some(_) => {}
        // Of its own memory the CPU knows all; others say themselves what they do not know.
        None if !device.shares_host_memory() && device.native().is_none() => fatal::fatal_as(
            fatal::Error::InvalidArgument,
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
pub(super) enum Direction {
    In,
    Out,
    Within,
    /// To another device.
    To(&'static dyn Device),
}

pub(super) fn copy(
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
    let queue = queue_of(async_value, place);
    let rows = Rows::single(bytes);
    let _doing = tools::routine(runtime::current(), queue);
    start_copy(device, direction, to, from, rows, queue, place);
    if queue == Queue::Sync {
        device.complete();
    }
}

/// Starts a copy of rows, of which there are some, after a look at the memory that it concerns. What is started in
/// [`Queue::Sync`] is complete after [`Device::complete`] of this device.
pub(super) fn start_copy(
    device: &dyn Device,
    direction: Direction,
    to: *mut c_void,
    from: *const c_void,
    rows: Rows,
    queue: Queue,
    place: Place,
) {
    let bytes = rows.extent();
    if to.is_null() || from.is_null() {
        fatal::fatal_as(
            fatal::Error::InvalidNullPointer,
            place,
            format_args!("a null pointer with {bytes} bytes"),
        );
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
    let (to, from) = (to as usize, from as usize);
    let memory = |host, device| tools::Memory {
        name: "",
        bytes: rows.width * rows.height,
        host,
        device,
    };
    let _span = match direction {
        Direction::In => Some(tools::transfer(Pair::Upload, &memory(from, to))),
        Direction::Out => Some(tools::transfer(Pair::Download, &memory(to, from))),
        Direction::Within | Direction::To(_) => None,
    };
    // SAFETY: the program vouches for both ranges, as for `memcpy`.
    unsafe {
        match (direction, rows.height) {
            (Direction::In, 1) => device.copy_in(to, from, rows.width, queue),
            (Direction::In, _) => device.copy_rows_in(to, from, rows, queue),
            (Direction::Out, 1) => device.copy_out(to, from, rows.width, queue),
            (Direction::Out, _) => device.copy_rows_out(to, from, rows, queue),
            (Direction::Within | Direction::To(_), height) => {
                for row in 0..height {
                    let offset = row * rows.pitch;
                    device.copy_within(to + offset, from + offset, rows.width, queue);
                }
            }
        }
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
