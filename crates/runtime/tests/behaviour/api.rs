//! The `acc_*` routines that have no directive.

use super::discrete;
use crate::support::directive;
use accrue::abi::*;
use accrue::api::between_devices::*;
use accrue::api::data::*;
use accrue::api::device::*;
use accrue::api::memory::*;
use std::ffi::{CStr, c_void};

const HOST: i32 = 2;
const NOT_HOST: i32 = 3;
const NVIDIA: i32 = 4;
const CPU: i32 = 7;

#[test]
fn devices() {
    let discrete = discrete();
    let own = if discrete { CPU } else { HOST };
    assert_eq!(acc_get_device_type(), own);
    assert_eq!(acc_get_num_devices(own), 1);
    assert_eq!(acc_get_num_devices(HOST), 1);
    assert_eq!(acc_get_num_devices(NOT_HOST), i32::from(discrete));
    assert_eq!(acc_get_num_devices(NVIDIA), 0);
    assert_eq!(acc_get_num_devices(0), 0);
    for mask in [
        DEVICE_HOST,
        DEVICE_DEFAULT,
        DEVICE_ANY,
        DEVICE_HOST | DEVICE_NVIDIA,
    ] {
        directive(SiteKind::Set, 1).device_type(mask).exec();
        assert_eq!(acc_get_device_type(), own);
        assert_ne!(accrue::entry::__accrue_device_is(mask), 0);
    }
    assert_eq!(
        accrue::entry::__accrue_device_is(DEVICE_NVIDIA | DEVICE_RADEON),
        0
    );
    acc_set_device_num(0, own);
    acc_set_device_num(-1, own);
    assert_eq!(
        (acc_get_device_num(own), acc_get_device_num(NVIDIA)),
        (0, -1)
    );
    acc_init(own);
    directive(SiteKind::Init, 2).device_type(DEVICE_HOST).exec();
    // Nothing of this type exists, so there is nothing to shut down.
    directive(SiteKind::Shutdown, 3)
        .device_type(DEVICE_NVIDIA)
        .exec();
}

#[test]
fn properties() {
    let discrete = discrete();
    let own = acc_get_device_type();
    let total = acc_get_property(0, own, 1);
    let memory = acc_malloc(1 << 20);
    let free = acc_get_property(0, own, 2);
    assert!(total > 0 && free + (1 << 20) <= total);
    acc_free(memory);
    assert_eq!(acc_get_property(0, own, 3), usize::from(!discrete));
    let text = |property| {
        let text = acc_get_property_string(0, own, property);
        unsafe { CStr::from_ptr(text) }.to_str().unwrap()
    };
    assert!(text(101).starts_with("CPU") && text(103).starts_with("accrue"));
    assert!(acc_get_property_string(0, own, 999).is_null());
}

#[test]
fn map_data_uses_the_programs_memory() {
    discrete();
    let a = [1i32; 8];
    let (host, device) = (a.as_ptr() as *mut c_void, acc_malloc(32));
    acc_map_data(host, device, 32);
    assert_eq!(acc_deviceptr(host), device);
    assert_eq!(
        acc_hostptr(device.wrapping_byte_add(5)),
        host.wrapping_byte_add(5)
    );
    acc_update_device(host, 32);
    unsafe { *device.cast::<i32>() = 9 };
    // exit data never takes the mapping away
    acc_copyin(host, 32);
    acc_delete_finalize(host, 32);
    directive(SiteKind::ExitData, 4)
        .flags(SITE_FINALIZE)
        .slice(Action::Delete, 0, "a", a.as_ptr(), 0, 8)
        .exec();
    assert_eq!(acc_is_present(host, 32), 1);
    acc_update_self(host, 32);
    assert_eq!(unsafe { std::ptr::read_volatile(a.as_ptr()) }, 9);
    acc_unmap_data(host);
    assert_eq!(
        (acc_is_present(host, 1), acc_deviceptr(host).is_null()),
        (0, true)
    );
    acc_free(device);
}

#[test]
fn copies_by_address() {
    discrete();
    let a = [5i32; 8];
    let out = [0i32; 8];
    let (first, second) = (acc_malloc(32), acc_malloc(32));
    acc_memcpy_to_device(first, a.as_ptr().cast(), 32);
    acc_memcpy_device_async(second, first, 32, 201);
    acc_memcpy_from_device_async(out.as_ptr() as *mut c_void, second, 32, 201);
    accrue::api::queue::acc_wait(201);
    assert_eq!(out, [5; 8]);
    acc_memcpy_d2d(first, second, 32, 0, 0);
    acc_free(first);
    acc_free(second);
    acc_free(std::ptr::null_mut());
}

#[test]
fn data_routines_count() {
    let discrete = discrete();
    let mut a = [1i32; 8];
    let host = a.as_mut_ptr() as *mut c_void;
    let device = acc_copyin(host, 32);
    assert_eq!(acc_present_or_create(host, 32), device);
    // A length of 0 counts as 1.
    assert_eq!((acc_is_present(host, 0), acc_is_present(host, 33)), (1, 0));
    assert_eq!(device == host, !discrete);
    unsafe { *device.cast::<i32>() = 2 };
    acc_copyout(host, 32);
    assert_eq!(acc_is_present(host, 32), 1);
    acc_copyout_async(host, 32, 202);
    accrue::api::queue::acc_wait(202);
    assert_eq!((a[0], acc_is_present(host, 32)), (2, 0));
    // Absent and null: no action.
    acc_copyout(host, 32);
    acc_delete(host, 32);
    acc_update_self(std::ptr::null_mut(), 8);
    assert!(acc_copyin(std::ptr::null_mut(), 8).is_null());
}
