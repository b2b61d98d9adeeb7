//! Queues, threads and streams of the program.

use crate::support::cases::Case;
use crate::support::{Ptx, directive};
use crate::{ADD, HOST, PLAIN, add_on_host, launch_add, pointer};
use accrue::abi::*;
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

fn queues() {
    let mut a = vec![0u64; 500_000];
    let bytes = a.len() * 8;
    acc_copyin(pointer(&a), bytes);
    assert_eq!(acc_async_test(5), 1);
    launch_add(33, &mut a, 1, |builder| builder.queue(5));
    acc_update_self_async(pointer(&a), bytes, 5);
    acc_wait_async(5, 6);
    acc_update_device_async(pointer(&a), bytes, 6);
    launch_add(34, &mut a, 10, |builder| builder.queue(6));
    acc_wait_all_async(7);
    acc_update_self_async(pointer(&a), bytes, 7);
    acc_wait(7);
    assert_eq!((a[0], a[499_999]), (11, 11));
    acc_wait_all();
    assert_eq!(acc_async_test_all(), 1);
}

/// Each launch has a copy of `own` for itself; its memory is used again, but not too early.
fn temporaries() {
    let sum = &mut [0u64; 4];
    acc_copyin(pointer(sum), 32);
    for x in 0..50u64 {
        let mut own = vec![x; 2000];
        directive(SiteKind::Parallel, 35)
            .queue(8)
            .slice(Action::Present, 0, "sum", sum.as_ptr(), 0, 4)
            .slice(Action::Firstprivate, 0, "own", own.as_ptr(), 0, 2000)
            .kernel(0, add_on_host)
            .ptx(&Ptx {
                entry: "sum_2",
                args_words: 2,
                ..ADD
            })
            .launch();
        own.fill(77);
    }
    acc_wait(8);
    acc_copyout(pointer(sum), 32);
    // The optimiser does not see the runtime's writes.
    let sum = std::hint::black_box(sum);
    assert_eq!(sum[0], 1225);
}

fn threads() {
    std::thread::scope(|scope| {
        for thread in 0..8u64 {
            scope.spawn(move || {
                for round in 0..30 {
                    let mut a = vec![thread; 1000 + 3000 * thread as usize];
                    launch_add(37, &mut a, round, |builder| builder);
                    assert!(a.iter().all(|&a| a == thread + round));
                }
            });
        }
    });
}

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
