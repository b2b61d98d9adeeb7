//! Copies between the host and the GPU.

use crate::gpu::{launch_add, pointer, rows, transfers};
use crate::support::cases::Case;
use crate::{LOG, PLAIN};
use accrue::api::data::*;
use accrue::api::memory::*;
use accrue::api::queue::*;

pub const CASES: &[Case] = &[
    Case {
        name: "transfers of all sizes, synchronous",
        environment: PLAIN,
        body: || transfers(None),
        status: 0,
        expected: &[],
    },
    Case {
        name: "transfers of all sizes, in a queue",
        environment: PLAIN,
        body: || transfers(Some(3)),
        status: 0,
        expected: &[],
    },
    Case {
        name: "rows",
        environment: PLAIN,
        body: rows,
        status: 0,
        expected: &[],
    },
    Case {
        name: "rows are one call",
        environment: LOG,
        body: rows,
        status: 0,
        expected: &["stub: copy of 300 rows", "stub: copy of 300 rows"],
    },
    Case {
        name: "a queue keeps the order of copies to and from the host",
        environment: PLAIN,
        body: back_and_forth,
        status: 0,
        expected: &[],
    },
    Case {
        name: "buffers of several queues",
        environment: PLAIN,
        body: buffers,
        status: 0,
        expected: &[],
    },
];

/// `update self` and then `update device` of the same data in one queue: the second copies what the first has brought.
fn back_and_forth() {
    for words in [8, 300_000] {
        let mut a = vec![1u64; words];
        acc_copyin(pointer(&a), words * 8);
        let device = acc_deviceptr(pointer(&a));
        launch_add(31, &mut a, 4, |builder| builder.queue(2));
        acc_update_self_async(pointer(&a), words * 8, 2);
        // Only the bytes that come back from the host now may be on the device.
        let other = acc_malloc(words * 8);
        acc_memcpy_device_async(device, other, words * 8, 2);
        acc_update_device_async(pointer(&a), words * 8, 2);
        launch_add(32, &mut a, 1, |builder| builder.queue(2));
        acc_update_self_async(pointer(&a), words * 8, 2);
        acc_wait(2);
        assert_eq!((a[0], a[words - 1]), (6, 6), "{words} words");
        acc_delete(pointer(&a), words * 8);
    }
}

/// A buffer that the GPU has not read yet is not filled with other data.
fn buffers() {
    let (mut a, b) = (vec![1u64; 200_000], vec![2u64; 200_000]);
    let bytes = a.len() * 8;
    acc_copyin(pointer(&a), bytes);
    acc_copyin(pointer(&b), bytes);
    a.fill(3);
    for _ in 0..4 {
        acc_update_device_async(pointer(&a), bytes, 1);
        for _ in 0..6 {
            // Each test lets the stand-in execute one more operation of the queue.
            acc_async_test(1);
            acc_update_device_async(pointer(&b), bytes, 2);
            acc_wait(2);
        }
        acc_wait_all();
        acc_update_self(pointer(&a), bytes);
        assert!(a.iter().all(|&a| a == 3));
    }
}
