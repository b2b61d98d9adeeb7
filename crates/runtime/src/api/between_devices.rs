//! Copies between devices, and within one, of data that the program names by its host addresses (OpenACC 3.4, 3.2.32).
//!
//! ```text
//! acc_memcpy_d2d(b, a, bytes, 1, 0)     where device 1 has `b`  ◀──  where device 0 has `a`
//! ```
//! What the host has there does not change.

use super::data::find;
use super::memory::{Direction, copy};
use super::{SYNC, call};
use crate::data::with_table;
use crate::device::Queue;
use crate::fatal::{self, Place};
use crate::report;
use crate::runtime::{self, DeviceState};
use crate::section::Piece;
use std::ffi::c_void;

/// 3.2.32: copies between two devices of the current type, or within one: the arguments are host addresses of data that is present there.
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

fn copy_between(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    numbers: [i32; 2],
    async_value: i32,
    place: Place,
) {
    if bytes == 0 {
        return;
    }
    let [target, source] = numbers.map(|number| {
        if number < 0 {
            fatal::fatal_as(
                fatal::Error::DeviceUnavailable,
                place,
                format_args!("{number} is not the number of a device"),
            );
        }
        // Ends the program when there is no such device.
        runtime::numbered(Some(i64::from(number)), place)
    });
    let [to, from] = [(target, to.cast_const()), (source, from)]
        .map(|(state, data)| on_device(state, data, bytes, place));
    copy(
        &*source.device,
        Direction::To(&*target.device),
        to.cast_mut(),
        from,
        bytes,
        async_value,
        place,
    );
}

/// Where the device has the data at a host address. What is not mapped is an error, but for the device's own memory, whose address may be
/// given in its place, and for memory that it shares with the host.
fn on_device(
    state: &'static DeviceState,
    data: *const c_void,
    bytes: usize,
    place: Place,
) -> *const c_void {
    if data.is_null() {
        return data;
    }
    let piece = Piece {
        start: data as usize,
        bytes,
    };
    with_table(state, Queue::Sync, None, |actions| {
        if let Some(mapping) = find(actions, piece, place).and_then(|id| actions.table.get(id)) {
            return mapping.translate(piece.start) as *const c_void;
        }
        if actions.device.shares_host_memory() || actions.device.allocation(piece.start).is_some() {
            return data;
        }
        fatal::fatal_as(
            fatal::Error::NotPresent,
            place,
            report::not_present(actions.device, actions.table, piece, "", place.what),
        )
    })
}
