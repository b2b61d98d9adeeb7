//! Devices: choice, properties, start and end (OpenACC 3.4, 3.2.1 to 3.2.8 and 3.2.17).

use super::call;
use crate::device::Queue;
use crate::device::cpu::pool;
use crate::device::device_type::DeviceType;
use crate::fatal::{self, Place};
use crate::once::Brief;
use crate::present::table::Memory;
use crate::runtime::{self, DeviceState};
use crate::tools;
use std::collections::BTreeMap;
use std::ffi::{CString, c_char};

fn device_type(raw: i32, place: Place) -> DeviceType {
    DeviceType::from_raw(raw).unwrap_or_else(|| {
        fatal::fatal_as(
            fatal::Error::InvalidArgument,
            place,
            format_args!("unknown device type {raw}"),
        )
    })
}

/// 3.2.1: number of devices of a type.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_num_devices(raw: i32) -> i32 {
    match device_type(raw, call("acc_get_num_devices")) {
        DeviceType::None => 0,
        wanted => runtime::get().numbers_of(wanted).len() as i32,
    }
}

/// 3.2.2: sets the type of the current device of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn acc_set_device_type(raw: i32) {
    let place = call("acc_set_device_type");
    runtime::select(device_type(raw, place), 0, place);
}

/// 3.2.3: type of the current device of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_device_type() -> i32 {
    runtime::current().device_type as i32
}

/// 3.2.4: makes device `number` of a type the current one of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn acc_set_device_num(number: i32, raw: i32) {
    let place = call("acc_set_device_num");
    runtime::select(device_type(raw, place), i64::from(number), place);
}

/// 3.2.5: number of the current device among those of a type; -1 when it is not of that type.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_device_num(raw: i32) -> i32 {
    let wanted = device_type(raw, call("acc_get_device_num"));
    runtime::get()
        .numbers_of(wanted)
        .iter()
        .position(|&index| index == runtime::current_number())
        .map_or(-1, |number| number as i32)
}

/// `acc_device_property_t`.
mod property {
    pub const MEMORY: i32 = 1;
    pub const FREE_MEMORY: i32 = 2;
    pub const SHARED_MEMORY_SUPPORT: i32 = 3;
    pub const NAME: i32 = 101;
    pub const VENDOR: i32 = 102;
    pub const DRIVER: i32 = 103;
}

/// The device that a property query or `acc_init_device` names.
fn named_device(number: i32, raw: i32, place: Place) -> &'static DeviceState {
    let wanted = device_type(raw, place);
    let index = runtime::find_device(wanted, i64::from(number), place);
    runtime::get().device(index)
}

/// 3.2.6: a numeric property; 0 when it is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_property(number: i32, raw: i32, property: i32) -> usize {
    let state = named_device(number, raw, call("acc_get_property"));
    let properties = state.device.properties();
    match property {
        property::MEMORY => properties.total_memory,
        property::FREE_MEMORY => properties.free_memory,
        property::SHARED_MEMORY_SUPPORT => usize::from(state.device.shares_host_memory()),
        _ => 0,
    }
}

/// 3.2.6: a property that is text; null when it is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_property_string(number: i32, raw: i32, property: i32) -> *const c_char {
    /// C strings live as long as the program.
    static TEXTS: Brief<BTreeMap<&'static str, CString>> = Brief::new(BTreeMap::new());
    let state = named_device(number, raw, call("acc_get_property_string"));
    let properties = state.device.properties();
    let text = match property {
        property::NAME => properties.name,
        property::VENDOR => properties.vendor,
        property::DRIVER => properties.driver,
        _ => return std::ptr::null(),
    };
    let mut texts = TEXTS.lock();
    texts
        .entry(text)
        .or_insert_with(|| CString::new(text).unwrap_or_default())
        .as_ptr()
}

/// `acc_set_error_routine`, which is no routine of the specification: programs for other compilers end other processes in it.
#[unsafe(no_mangle)]
pub extern "C" fn acc_set_error_routine(routine: Option<crate::fatal::ErrorRoutine>) {
    crate::fatal::set_error_routine(routine);
}

/// 3.2.7: prepares the devices of a type.
#[unsafe(no_mangle)]
pub extern "C" fn acc_init(raw: i32) {
    let place = call("acc_init");
    init(device_type(raw, place), None, place);
}

/// 3.2.7: prepares one device.
#[unsafe(no_mangle)]
pub extern "C" fn acc_init_device(number: i32, raw: i32) {
    let place = call("acc_init_device");
    init(device_type(raw, place), Some(i64::from(number)), place);
}

/// 3.2.8: releases everything the devices of a type hold.
#[unsafe(no_mangle)]
pub extern "C" fn acc_shutdown(raw: i32) {
    let place = call("acc_shutdown");
    shutdown(device_type(raw, place), None, place);
}

/// 3.2.8: releases everything a device holds.
#[unsafe(no_mangle)]
pub extern "C" fn acc_shutdown_device(number: i32, raw: i32) {
    let place = call("acc_shutdown_device");
    shutdown(device_type(raw, place), Some(i64::from(number)), place);
}

/// The `init` directive and routines (2.14.1).
pub fn init(device_type: DeviceType, number: Option<i64>, place: Place) {
    let runtime = runtime::get();
    let first = runtime::find_device(device_type, number.unwrap_or(0), place);
    match number {
        Some(_) => tools::initialise(runtime.device(first)),
        None => {
            for index in runtime.numbers_of(device_type) {
                tools::initialise(runtime.device(index));
            }
        }
    }
}

/// The `shutdown` directive and routines (2.14.2): pending work is completed, mappings end
/// without copies, device memory is freed. A device that does not exist holds nothing.
pub fn shutdown(device_type: DeviceType, number: Option<i64>, place: Place) {
    let Some(runtime) = runtime::started() else {
        return;
    };
    let indices = match number {
        Some(number) if !runtime.numbers_of(device_type).is_empty() => {
            vec![runtime::find_device(device_type, number, place)]
        }
        Some(_) | None => runtime.numbers_of(device_type),
    };
    for index in indices {
        release(runtime.device(index));
    }
}

/// Completes a device's work, ends its mappings without copies and frees their memory.
pub(super) fn release(state: &'static DeviceState) {
    let _doing = tools::routine(state, Queue::Sync);
    let _span = tools::shutting_down(state);
    state.device.wait_all();
    let mut table = state.lock_as_it_is();
    state.declared.forget();
    for mapping in table.drain() {
        mapping.tell_end();
        if mapping.memory == Memory::Allocated {
            // SAFETY: the mapping is gone and no queue has work.
            unsafe { state.device.free(mapping.device, Queue::Sync) };
        }
    }
}

/// 3.2.17: true when executing on a device of this type. Code outside of kernels executes on the
/// host; kernels of the CPU device execute on the type that `acc_get_device_type` reports.
#[unsafe(no_mangle)]
pub extern "C" fn acc_on_device(raw: i32) -> i32 {
    let Some(wanted) = DeviceType::from_raw(raw) else {
        return 0;
    };
    let here = match pool::current_region() {
        Some(_) => runtime::get().cpu().device_type,
        None => DeviceType::Host,
    };
    i32::from(match wanted {
        DeviceType::NotHost => here != DeviceType::Host,
        one_kind => here == one_kind,
    })
}

/// GCC's question for the position in a level; host code is the only gang, worker and lane. In kernels the compiler answers.
#[unsafe(no_mangle)]
pub extern "C" fn __builtin_goacc_parlevel_id(_level: i32) -> i32 {
    0
}

/// GCC's question for the size of a level.
#[unsafe(no_mangle)]
pub extern "C" fn __builtin_goacc_parlevel_size(_level: i32) -> i32 {
    1
}
