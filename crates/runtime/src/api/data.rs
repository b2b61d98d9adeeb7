//! Data routines: the data clauses as calls (OpenACC 3.4, 3.2.20 to 3.2.26, 3.2.33).
//!
//! A null pointer means no action; a length of 0 counts as 1 byte (3.2.20).

use super::memory::check_range;
use super::{SYNC, call, origin, queue_of, with_actions};
use crate::data::{Actions, Counter, Entry, Exit, IfAbsent, before_lifetimes_end, with_table};
use crate::device::Queue;
use crate::fatal::{self, Place};
use crate::present::table::{Mapping, MappingId, Memory, Origin, Presence};
use crate::report;
use crate::runtime::{self, DeviceState};
use crate::section::Piece;
use crate::tools;
use std::ffi::c_void;

fn piece(data: *const c_void, bytes: usize) -> Piece {
    Piece {
        start: data as usize,
        bytes: bytes.max(1),
    }
}

/// `acc_copyin` and `acc_create`: the dynamic counter goes up; returns the device address.
fn enter(
    data: *mut c_void,
    bytes: usize,
    copy_in: bool,
    async_value: i32,
    routine: &'static str,
) -> *mut c_void {
    if data.is_null() {
        return data;
    }
    let entry = Entry {
        counter: Counter::Dynamic,
        if_absent: IfAbsent::Create,
        copy_in,
        always_in: false,
        zero: false,
        in_place: false,
        capture: false,
        part_suffices: false,
        around: false,
    };
    let piece = piece(data, bytes);
    let place = call(routine);
    let end = piece.start.checked_add(piece.bytes);
    if end.is_none() || bytes > isize::MAX as usize {
        fatal::fatal_as(
            fatal::Error::InvalidDataSection,
            place,
            format_args!("{bytes} bytes from {data:p} on are more than memory has"),
        );
    }
    with_actions(async_value, place, |actions| {
        let id = actions.enter(
            piece,
            piece.start,
            &[piece],
            entry,
            origin(routine),
            routine,
        );
        id.and_then(|id| actions.table.get(id))
            .map_or(data, |mapping| {
                mapping.translate(piece.start) as *mut c_void
            })
    })
}

/// The mapping that holds the piece; none when it is absent, fatal when partially present.
pub(super) fn find(actions: &Actions<'_>, piece: Piece, place: Place) -> Option<MappingId> {
    match actions.table.find(piece.start, piece.bytes) {
        Presence::Absent => None,
        Presence::Present(id) => Some(id),
        Presence::Partial(other) => fatal::fatal_as(
            fatal::Error::PartlyPresent,
            place,
            report::partially_present(actions.device, actions.table, piece, other, "", place.what),
        ),
    }
}

/// `acc_copyout` and `acc_delete`: the dynamic counter goes down, or with `finalize` to 0.
fn exit(
    data: *mut c_void,
    bytes: usize,
    copy_out: bool,
    finalize: bool,
    async_value: i32,
    routine: &'static str,
) {
    if data.is_null() {
        return;
    }
    let exit = Exit {
        counter: Counter::Dynamic,
        copy_out,
        always_out: false,
        finalize,
    };
    let (piece, place) = (piece(data, bytes), call(routine));
    before_lifetimes_end(runtime::current(), queue_of(async_value, place));
    with_actions(async_value, place, |actions| {
        if let Some(id) = find(actions, piece, place) {
            actions.exit(id, &[piece], exit);
        }
    });
}

/// `acc_update_device` and `acc_update_self`: absent data is an error.
fn update(
    data: *mut c_void,
    bytes: usize,
    to_device: bool,
    async_value: i32,
    routine: &'static str,
) {
    if data.is_null() {
        return;
    }
    let (piece, place) = (piece(data, bytes), call(routine));
    with_actions(async_value, place, |actions| {
        let Some(id) = find(actions, piece, place) else {
            fatal::fatal_as(
                fatal::Error::NotPresent,
                place,
                report::not_present(actions.device, actions.table, piece, "", routine),
            );
        };
        if to_device {
            actions.copy_in(id, &[piece]);
        } else {
            actions.copy_out(id, &[piece]);
        }
    });
}

/// Maps data and copies it in when it was absent.
#[unsafe(no_mangle)]
pub extern "C" fn acc_copyin(data: *mut c_void, bytes: usize) -> *mut c_void {
    enter(data, bytes, true, SYNC, "acc_copyin")
}

/// An older name of [`acc_copyin`].
#[unsafe(no_mangle)]
pub extern "C" fn acc_present_or_copyin(data: *mut c_void, bytes: usize) -> *mut c_void {
    enter(data, bytes, true, SYNC, "acc_present_or_copyin")
}

/// An older name of [`acc_copyin`].
#[unsafe(no_mangle)]
pub extern "C" fn acc_pcopyin(data: *mut c_void, bytes: usize) -> *mut c_void {
    enter(data, bytes, true, SYNC, "acc_pcopyin")
}

/// [`acc_copyin`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_copyin_async(
    data: *mut c_void,
    bytes: usize,
    async_value: i32,
) -> *mut c_void {
    enter(data, bytes, true, async_value, "acc_copyin_async")
}

/// Maps data without copying.
#[unsafe(no_mangle)]
pub extern "C" fn acc_create(data: *mut c_void, bytes: usize) -> *mut c_void {
    enter(data, bytes, false, SYNC, "acc_create")
}

/// An older name of [`acc_create`].
#[unsafe(no_mangle)]
pub extern "C" fn acc_present_or_create(data: *mut c_void, bytes: usize) -> *mut c_void {
    enter(data, bytes, false, SYNC, "acc_present_or_create")
}

/// An older name of [`acc_create`].
#[unsafe(no_mangle)]
pub extern "C" fn acc_pcreate(data: *mut c_void, bytes: usize) -> *mut c_void {
    enter(data, bytes, false, SYNC, "acc_pcreate")
}

/// [`acc_create`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_create_async(
    data: *mut c_void,
    bytes: usize,
    async_value: i32,
) -> *mut c_void {
    enter(data, bytes, false, async_value, "acc_create_async")
}

/// Ends a mapping and copies it out when it was the last reference.
#[unsafe(no_mangle)]
pub extern "C" fn acc_copyout(data: *mut c_void, bytes: usize) {
    exit(data, bytes, true, false, SYNC, "acc_copyout");
}

/// [`acc_copyout`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_copyout_async(data: *mut c_void, bytes: usize, async_value: i32) {
    exit(data, bytes, true, false, async_value, "acc_copyout_async");
}

/// [`acc_copyout`], whatever the dynamic counter says.
#[unsafe(no_mangle)]
pub extern "C" fn acc_copyout_finalize(data: *mut c_void, bytes: usize) {
    exit(data, bytes, true, true, SYNC, "acc_copyout_finalize");
}

/// [`acc_copyout_finalize`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_copyout_finalize_async(data: *mut c_void, bytes: usize, async_value: i32) {
    exit(
        data,
        bytes,
        true,
        true,
        async_value,
        "acc_copyout_finalize_async",
    );
}

/// Ends a mapping without copying.
#[unsafe(no_mangle)]
pub extern "C" fn acc_delete(data: *mut c_void, bytes: usize) {
    exit(data, bytes, false, false, SYNC, "acc_delete");
}

/// [`acc_delete`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_delete_async(data: *mut c_void, bytes: usize, async_value: i32) {
    exit(data, bytes, false, false, async_value, "acc_delete_async");
}

/// [`acc_delete`], whatever the dynamic counter says.
#[unsafe(no_mangle)]
pub extern "C" fn acc_delete_finalize(data: *mut c_void, bytes: usize) {
    exit(data, bytes, false, true, SYNC, "acc_delete_finalize");
}

/// [`acc_delete_finalize`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_delete_finalize_async(data: *mut c_void, bytes: usize, async_value: i32) {
    exit(
        data,
        bytes,
        false,
        true,
        async_value,
        "acc_delete_finalize_async",
    );
}

/// Copies present data to the device.
#[unsafe(no_mangle)]
pub extern "C" fn acc_update_device(data: *mut c_void, bytes: usize) {
    update(data, bytes, true, SYNC, "acc_update_device");
}

/// [`acc_update_device`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_update_device_async(data: *mut c_void, bytes: usize, async_value: i32) {
    update(data, bytes, true, async_value, "acc_update_device_async");
}

/// Copies present data to the host.
#[unsafe(no_mangle)]
pub extern "C" fn acc_update_self(data: *mut c_void, bytes: usize) {
    update(data, bytes, false, SYNC, "acc_update_self");
}

/// [`acc_update_self`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_update_self_async(data: *mut c_void, bytes: usize, async_value: i32) {
    update(data, bytes, false, async_value, "acc_update_self_async");
}

/// 3.2.21: lets `data` be present at an address the program has allocated on the device.
#[unsafe(no_mangle)]
pub extern "C" fn acc_map_data(data: *mut c_void, device: *mut c_void, bytes: usize) {
    let place = call("acc_map_data");
    if data.is_null() || device.is_null() {
        fatal::fatal_as(
            fatal::Error::InvalidNullPointer,
            place,
            "a null pointer cannot be mapped",
        );
    }
    let piece = piece(data, bytes);
    with_actions(SYNC, place, |actions| {
        if let Err(id) = associate(actions, piece, device as usize, origin("acc_map_data")) {
            let other = (actions.table.get(id)).map(|other| report::mapping(actions.table, other));
            fatal::fatal_as(
                fatal::Error::Present,
                place,
                format_args!(
                    "the host data at {data:p} ({bytes} bytes) is already mapped on device {}: {}",
                    actions.device.name(),
                    other.unwrap_or_default()
                ),
            );
        }
    });
}

/// Lets a piece of host memory be present at an address that the program has allocated, unless it overlaps a mapping. Its
/// dynamic counter never changes.
pub(super) fn associate(
    actions: &mut Actions<'_>,
    piece: Piece,
    device: usize,
    origin: &'static Origin,
) -> Result<(), MappingId> {
    match actions.table.find(piece.start, piece.bytes) {
        Presence::Absent => {}
        Presence::Present(id) | Presence::Partial(id) => return Err(id),
    }
    let memory = device as *const c_void;
    check_range(actions.device, memory, piece.bytes, origin.place);
    tools::created(&tools::memory_of(origin, piece, device));
    actions.table.insert(Mapping {
        host: piece.start,
        base: piece.start,
        bytes: piece.bytes,
        device,
        structured: 0,
        dynamic: 1,
        declared: 0,
        memory: Memory::User,
        origin,
        around: false,
        attachments: Vec::new(),
    });
    Ok(())
}

/// The mapping that starts at an address.
pub(super) fn mapping_from(actions: &Actions<'_>, start: usize) -> Option<MappingId> {
    match actions.table.find(start, 1) {
        Presence::Present(id) => {
            let mapping = actions.table.get(id)?;
            (mapping.host == start).then_some(id)
        }
        Presence::Absent | Presence::Partial(_) => None,
    }
}

/// 3.2.22: undoes [`acc_map_data`].
#[unsafe(no_mangle)]
pub extern "C" fn acc_unmap_data(data: *mut c_void) {
    let place = call("acc_unmap_data");
    let start = data as usize;
    with_actions(SYNC, place, |actions| {
        let found = mapping_from(actions, start).and_then(|id| {
            let mapping = actions.table.get(id)?;
            Some((id, mapping.memory, actions.table.references(mapping)))
        });
        let name = actions.device.name();
        match found {
            Some((id, Memory::User, 0)) => actions.remove(id),
            Some((_, Memory::User, regions)) => fatal::fatal_as(
                fatal::Error::InvalidArgument,
                place,
                format_args!("the data at {data:p} is still used by {regions} open data regions"),
            ),
            Some((_, Memory::Host | Memory::Allocated, _)) => fatal::fatal_as(
                fatal::Error::InvalidArgument,
                place,
                format_args!(
                    "the data at {data:p} was not mapped by acc_map_data; use acc_delete or \
                     acc_copyout"
                ),
            ),
            None => fatal::fatal_as(
                fatal::Error::NotPresent,
                place,
                format_args!(
                    "no data that starts at {data:p} is mapped on device {name} (unmapped twice?)"
                ),
            ),
        }
    });
}

/// 3.2.23: the device address of present data, else null.
#[unsafe(no_mangle)]
pub extern "C" fn acc_deviceptr(data: *mut c_void) -> *mut c_void {
    device_address(runtime::current(), data)
}

/// The device address of present data, else null.
pub(super) fn device_address(state: &'static DeviceState, data: *const c_void) -> *mut c_void {
    with_table(state, Queue::Sync, None, |actions| {
        match actions.table.find(data as usize, 1) {
            Presence::Present(id) => actions.table.get(id),
            Presence::Absent | Presence::Partial(_) => None,
        }
        .map_or(std::ptr::null_mut(), |mapping| {
            mapping.translate(data as usize) as *mut c_void
        })
    })
}

/// 3.2.24: the host address that corresponds to a device address, else null.
#[unsafe(no_mangle)]
pub extern "C" fn acc_hostptr(device: *mut c_void) -> *mut c_void {
    let table = runtime::current().lock();
    table
        .host_of(device as usize)
        .map_or(std::ptr::null_mut(), |host| host as *mut c_void)
}

/// 3.2.25: not 0 when all of the data is present.
#[unsafe(no_mangle)]
pub extern "C" fn acc_is_present(data: *mut c_void, bytes: usize) -> i32 {
    if data.is_null() {
        return 1;
    }
    let piece = piece(data, bytes);
    let table = runtime::current().lock();
    i32::from(matches!(
        table.find(piece.start, piece.bytes),
        Presence::Present(_)
    ))
}

fn attach(pointer: *mut *mut c_void, async_value: i32, routine: &'static str) {
    if !pointer.is_null() {
        with_actions(async_value, call(routine), |actions| {
            actions.attach(pointer as usize, None);
        });
    }
}

fn detach(pointer: *mut *mut c_void, finalize: bool, async_value: i32, routine: &'static str) {
    if !pointer.is_null() {
        with_actions(async_value, call(routine), |actions| {
            actions.detach(pointer as usize, finalize);
        });
    }
}

/// 3.2.33: lets the device copy of a pointer point to device memory.
#[unsafe(no_mangle)]
pub extern "C" fn acc_attach(pointer: *mut *mut c_void) {
    attach(pointer, SYNC, "acc_attach");
}

/// [`acc_attach`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_attach_async(pointer: *mut *mut c_void, async_value: i32) {
    attach(pointer, async_value, "acc_attach_async");
}

/// Undoes [`acc_attach`].
#[unsafe(no_mangle)]
pub extern "C" fn acc_detach(pointer: *mut *mut c_void) {
    detach(pointer, false, SYNC, "acc_detach");
}

/// [`acc_detach`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_detach_async(pointer: *mut *mut c_void, async_value: i32) {
    detach(pointer, false, async_value, "acc_detach_async");
}

/// Undoes [`acc_attach`], whatever the attachment counter says.
#[unsafe(no_mangle)]
pub extern "C" fn acc_detach_finalize(pointer: *mut *mut c_void) {
    detach(pointer, true, SYNC, "acc_detach_finalize");
}

/// [`acc_detach_finalize`] in a queue.
#[unsafe(no_mangle)]
pub extern "C" fn acc_detach_finalize_async(pointer: *mut *mut c_void, async_value: i32) {
    detach(pointer, true, async_value, "acc_detach_finalize_async");
}
