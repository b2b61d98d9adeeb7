//! Numbers of devices, and what a program gives up of them (OpenMP 5.2, 18.6.1, 18.6.2 and 18.7).

use super::super::{call, device};
use super::FAILED;
use crate::device::cpu::pool;
use crate::openmp::{self, Target, host};
use crate::runtime::{self, DeviceIndex};
use std::ffi::c_int;

/// 18.7.3: number of devices besides the initial one.
#[unsafe(export_name = "__wrap_omp_get_num_devices")]
pub extern "C" fn get_num_devices() -> c_int {
    openmp::initial_number()
}

/// 18.7.6: number of the initial device.
#[unsafe(export_name = "__wrap_omp_get_initial_device")]
pub extern "C" fn get_initial_device() -> c_int {
    openmp::initial_number()
}

/// 18.7.2: number of the device that regions use which do not say.
#[unsafe(export_name = "__wrap_omp_get_default_device")]
pub extern "C" fn get_default_device() -> c_int {
    openmp::default_device()
}

/// 18.7.4: number of the device that the calling thread runs on.
#[unsafe(export_name = "__wrap_omp_get_device_num")]
pub extern "C" fn get_device_num() -> c_int {
    executing().unwrap_or_else(openmp::initial_number)
}

/// 18.7.5: 1 unless the calling thread runs on another device than the initial one.
#[unsafe(export_name = "__wrap_omp_is_initial_device")]
pub extern "C" fn is_initial_device() -> c_int {
    c_int::from(executing().is_none())
}

/// The device that executes the calling thread, if that is not the initial one: cores with memory of their own, in a kernel.
fn executing() -> Option<c_int> {
    pool::current_region()?;
    let mut devices = openmp::devices().iter();
    let number = devices.position(|&index| index == DeviceIndex::HOST)?;
    Some(number as c_int)
}

/// `omp_pause_hard`: what was mapped need not be there afterwards. After `omp_pause_soft` it must.
const HARD: c_int = 2;
const SOFT: c_int = 1;

/// 18.6.1: gives up what a device holds; not 0 when there is no such device.
#[unsafe(export_name = "__wrap_omp_pause_resource")]
pub extern "C" fn pause_resource(kind: c_int, number: c_int) -> c_int {
    let known = [SOFT, HARD].contains(&kind);
    match openmp::conforming(number, call("omp_pause_resource")) {
        Some(target) if known => pause(kind, target),
        Some(_) | None => FAILED,
    }
}

/// 18.6.2: [`pause_resource`] of all devices.
#[unsafe(export_name = "__wrap_omp_pause_resource_all")]
pub extern "C" fn pause_resource_all(kind: c_int) -> c_int {
    if ![SOFT, HARD].contains(&kind) {
        return FAILED;
    }
    // Nothing is looked for only to be given up.
    if let Some(runtime) = runtime::started() {
        for &index in openmp::devices() {
            pause(kind, Target::Device(runtime.device(index)));
        }
    }
    pause(kind, Target::Initial)
}

fn pause(kind: c_int, target: Target) -> c_int {
    match target {
        Target::Initial => host::pause_all(kind),
        Target::Device(state) => {
            if kind == HARD {
                device::release(state);
            } else {
                state.device.wait_all();
            }
            0
        }
    }
}
