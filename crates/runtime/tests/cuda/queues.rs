//! Queues, threads and streams of the program.

use crate::gpu::{launch_add, pointer, queues, temporaries, threads};
use crate::support::cases::Case;
use crate::{HOST, PLAIN};
use accrue::api::data::*;
use accrue::api::device::*;
use accrue::api::queue::*;
use accrue::device::cuda::interop::*;

pub const CASES: &[Case] = &[
    Case {
        name: "a busy queue",
        environment: PLAIN,
        body: || {
            let mut a = [0u64; 4];
            acc_copyin(pointer(&a), 32);
            launch_add(80, &mut a, 1, |builder| builder.queue(5));
            // Each test lets the stand-in execute one more operation.
            launch_add(81, &mut a, 1, |builder| builder.queue(5));
            assert_eq!((acc_async_test(5), acc_async_test_all()), (0, 0));
            acc_wait(5);
            assert_eq!((acc_async_test(5), acc_async_test_all()), (1, 1));
        },
        status: 0,
        expected: &[],
    },
    Case {
        name: "queues wait for each other",
        environment: PLAIN,
        body: queues,
        status: 0,
        expected: &[],
    },
    Case {
        name: "firstprivate data and temporary mappings in a queue",
        environment: PLAIN,
        body: temporaries,
        status: 0,
        expected: &[],
    },
    Case {
        name: "threads",
        environment: PLAIN,
        body: threads,
        status: 0,
        expected: &[],
    },
    Case {
        name: "a stream of the program",
        environment: PLAIN,
        body: streams,
        status: 0,
        expected: &[],
    },
];

fn streams() {
    let mut a = [1u64; 8];
    acc_copyin(pointer(&a), 64);
    let stream = acc_get_cuda_stream(4);
    assert!(!stream.is_null());
    assert_eq!(acc_get_cuda_stream(4), stream);
    assert_eq!(acc_set_cuda_stream(9, stream), 1);
    assert_eq!(acc_get_cuda_stream(9), stream);
    launch_add(38, &mut a, 1, |builder| builder.queue(4));
    acc_wait(9);
    acc_copyout(pointer(&a), 64);
    assert_eq!(a, [2; 8]);
    acc_set_device_type(HOST);
    assert!(acc_get_cuda_stream(4).is_null());
    assert_eq!(acc_set_cuda_stream(4, stream), 0);
}
