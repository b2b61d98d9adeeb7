//! What is mapped where (OpenMP 5.2, 18.8.3, 18.8.4 and 18.8.9 to 18.8.11).

use super::super::{call, data, origin};
use super::FAILED;
use crate::data::with_table;
use crate::device::Queue;
use crate::openmp::{self, Target};
use crate::present::table::Memory;
use crate::section::Piece;
use std::ffi::{c_int, c_void};

/// 18.8.3: not 0 when the storage at `host` is mapped to the device, and for the initial device.
#[unsafe(export_name = "__wrap_omp_target_is_present")]
pub extern "C" fn is_present(host: *const c_void, number: c_int) -> c_int {
    match openmp::conforming(number, call("omp_target_is_present")) {
        Some(Target::Initial) => 1,
        Some(Target::Device(state)) => c_int::from(!data::device_address(state, host).is_null()),
        None => 0,
    }
}

/// 18.8.11: the device's address of what is mapped, null if it is not; `host` itself for the initial device.
#[unsafe(export_name = "__wrap_omp_get_mapped_ptr")]
pub extern "C" fn get_mapped_ptr(host: *const c_void, number: c_int) -> *mut c_void {
    match openmp::conforming(number, call("omp_get_mapped_ptr")) {
        Some(Target::Initial) => host.cast_mut(),
        Some(Target::Device(state)) => data::device_address(state, host),
        None => std::ptr::null_mut(),
    }
}

/// 18.8.4: not 0 when the device can access all of the storage at this address: host memory that it shares, and memory of its
/// own.
#[unsafe(export_name = "__wrap_omp_target_is_accessible")]
pub extern "C" fn is_accessible(address: *const c_void, bytes: usize, number: c_int) -> c_int {
    if address.is_null() {
        return 0;
    }
    let own = |(start, size): (usize, usize)| {
        let offset = address as usize - start;
        offset < size && bytes <= size - offset
    };
    match openmp::conforming(number, call("omp_target_is_accessible")) {
        Some(Target::Initial) => 1,
        Some(Target::Device(state)) => {
            let device = &state.device;
            let known = device.allocation(address as usize);
            c_int::from(device.shares_host_memory() || known.is_some_and(own))
        }
        None => 0,
    }
}

/// 18.8.9: lets host memory be present at an address of device memory, with a reference count that never changes. Not 0 when it
/// is mapped otherwise already. On the initial device there is nothing to associate.
#[unsafe(export_name = "__wrap_omp_target_associate_ptr")]
pub extern "C" fn associate_ptr(
    host: *const c_void,
    device: *const c_void,
    bytes: usize,
    device_offset: usize,
    number: c_int,
) -> c_int {
    let routine = "omp_target_associate_ptr";
    let Some(Target::Device(state)) = openmp::conforming(number, call(routine)) else {
        return FAILED;
    };
    let start = host as usize;
    if host.is_null() || device.is_null() || bytes == 0 || start.checked_add(bytes).is_none() {
        return FAILED;
    }
    let piece = Piece { start, bytes };
    let address = (device as usize).wrapping_add(device_offset);
    with_table(state, Queue::Sync, None, |actions| {
        match data::associate(actions, piece, address, origin(routine)) {
            Ok(()) => 0,
            Err(other) => {
                let mapping = actions.table.get(other);
                let same = mapping.is_some_and(|mapping| {
                    mapping.memory == Memory::User
                        && mapping.piece() == piece
                        && mapping.device == address
                });
                if same { 0 } else { FAILED }
            }
        }
    })
}

/// 18.8.10: undoes [`associate_ptr`], whoever uses the data; not 0 when nothing is associated with `host`.
#[unsafe(export_name = "__wrap_omp_target_disassociate_ptr")]
pub extern "C" fn disassociate_ptr(host: *const c_void, number: c_int) -> c_int {
    let place = call("omp_target_disassociate_ptr");
    let Some(Target::Device(state)) = openmp::conforming(number, place) else {
        return FAILED;
    };
    with_table(state, Queue::Sync, None, |actions| {
        let found = data::mapping_from(actions, host as usize);
        let associated = found.filter(|&id| {
            let mapping = actions.table.get(id);
            mapping.is_some_and(|mapping| mapping.memory == Memory::User)
        });
        match associated {
            Some(id) => {
                actions.remove(id);
                0
            }
            None => FAILED,
        }
    })
}
