//! Two GPUs in one program. The stand-in refuses launches and events in the other GPU's streams, and kernels that use the
//! other's memory, as the driver does.

use crate::NVIDIA;
use crate::gpu::{launch_add, pointer};
use crate::support::cases::Case;
use accrue::api::between_devices::*;
use accrue::api::data::*;
use accrue::api::device::*;
use accrue::api::memory::*;
use accrue::api::queue::*;
use std::ffi::c_void;

const TWO: &[(&str, &str)] = &[("STUB_DEVICES", "2")];

pub const CASES: &[Case] = &[
    Case {
        name: "two GPUs",
        environment: &[("STUB_DEVICES", "2"), ("ACC_DEVICE_NUM", "1")],
        body: two_gpus,
        status: 0,
        expected: &[],
    },
    Case {
        name: "queues of two GPUs",
        environment: TWO,
        body: queues,
        status: 0,
        expected: &[],
    },
    Case {
        name: "copies between two GPUs",
        environment: TWO,
        body: copies,
        status: 0,
        expected: &[],
    },
    Case {
        name: "threads with a GPU each",
        environment: TWO,
        body: threads,
        status: 0,
        expected: &[],
    },
];

fn two_gpus() {
    assert_eq!(acc_get_num_devices(NVIDIA), 2);
    assert_eq!(acc_get_device_num(NVIDIA), 1);
    let mut a = [1u64; 100];
    acc_copyin(pointer(&a), 800);
    acc_set_device_num(0, NVIDIA);
    assert_eq!(acc_is_present(pointer(&a), 800), 0);
    let on_zero = acc_copyin(pointer(&a), 800);
    launch_add(1, &mut a, 5, |builder| builder);
    acc_set_device_num(1, NVIDIA);
    let on_one = acc_deviceptr(pointer(&a));
    assert_ne!(on_zero, on_one);
    acc_memcpy_d2d(on_one, on_zero, 400, 1, 0);
    launch_add(1, &mut a, 1, |builder| builder);
    acc_copyout(pointer(&a), 800);
    assert_eq!((a[0], a[49], a[50], a[99]), (7, 7, 2, 2));
}

fn switch_to(number: i32) {
    acc_set_device_num(number, NVIDIA);
    assert_eq!(acc_get_device_num(NVIDIA), number);
}

/// The same queue number on both, with work under way on both.
fn queues() {
    let mut data = [vec![1u64; 50_000], vec![2u64; 50_000]];
    let bytes = 400_000;
    for (number, data) in (0..).zip(&mut data) {
        switch_to(number);
        acc_copyin(pointer(data), bytes);
        for _ in 0..10 {
            launch_add(70, data, 1 + number as u64, |builder| builder.queue(1));
        }
        acc_update_self_async(pointer(data), bytes, 1);
    }
    acc_wait_device(1, 0);
    assert_eq!(acc_async_test_device(1, 0), 1);
    assert!(data[0].iter().all(|&a| a == 11));
    acc_wait(1);
    assert_eq!(acc_async_test_all_device(1), 1);
    assert!(data[1].iter().all(|&a| a == 22));
    // Data of one is no data of the other.
    assert_eq!(acc_is_present(pointer(&data[0]), bytes), 0);
    assert_eq!(acc_is_present(pointer(&data[1]), bytes), 1);
}

/// There and back, behind the work of the source's queue.
fn copies() {
    let mut a = vec![5u64; 300_000];
    let bytes = a.len() * 8;
    switch_to(1);
    let on_one = acc_malloc(bytes);
    switch_to(0);
    let on_zero = acc_copyin(pointer(&a), bytes);
    launch_add(71, &mut a, 4, |builder| builder.queue(3));
    acc_memcpy_d2d_async(on_one, on_zero, bytes, 1, 0, 3);
    acc_wait(3);
    let on_host = |device: *mut c_void| {
        let found = vec![0u64; 300_000];
        acc_memcpy_from_device(pointer(&found), device, bytes);
        found
    };
    switch_to(1);
    assert!(on_host(on_one).iter().all(|&a| a == 9));
    a.fill(6);
    acc_memcpy_to_device(on_one, pointer(&a), bytes / 2);
    switch_to(0);
    acc_memcpy_d2d(on_zero, on_one, bytes, 0, 1);
    let found = on_host(on_zero);
    assert_eq!((found[0], found[149_999], found[150_000]), (6, 6, 9));
    switch_to(1);
    acc_free(on_one);
}

/// A thread's device is its own; new threads begin with the first.
fn threads() {
    switch_to(1);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                assert_eq!(acc_get_device_num(NVIDIA), 0);
                switch_to(thread % 2);
                for round in 0..30 {
                    let mut a = vec![thread as u64; 1000 + 3000 * thread as usize];
                    launch_add(72, &mut a, round, |builder| builder);
                    assert!(a.iter().all(|&a| a == thread as u64 + round));
                }
                assert_eq!(acc_get_device_num(NVIDIA), thread % 2);
            });
        }
    });
    assert_eq!(acc_get_device_num(NVIDIA), 1);
}
