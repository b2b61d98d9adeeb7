//! Queues and threads.

use crate::support::Ptx;
use crate::support::cases::Case;
use crate::support::directive;
use crate::{ADD, ON, launch_add, not_on_host, pointer};
use accrue::abi::*;
use accrue::api::data::*;
use accrue::api::queue::*;

pub const CASES: &[Case] = &[
    Case {
        name: "queues wait for each other",
        environment: ON,
        body: queues,
        status: 0,
        expected: &[],
    },
    Case {
        name: "a queue becomes idle",
        environment: ON,
        body: || {
            let mut a = vec![0u64; 1000];
            acc_copyin(pointer(&a), 8000);
            for _ in 0..20 {
                launch_add(31, &mut a, 1, |builder| builder.queue(5));
                while acc_async_test(5) == 0 {
                    std::thread::yield_now();
                }
                assert_eq!(acc_async_test_all(), 1);
            }
            acc_copyout(pointer(&a), 8000);
            assert_eq!(std::hint::black_box(a)[999], 20);
        },
        status: 0,
        expected: &[],
    },
    Case {
        name: "firstprivate data and temporary mappings in a queue",
        environment: ON,
        body: temporaries,
        status: 0,
        expected: &[],
    },
    Case {
        name: "threads",
        environment: ON,
        body: threads,
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
    // What another queue has waited for is seen to be complete.
    assert_eq!((acc_async_test(5), acc_async_test(6)), (1, 1));
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
        let launched = directive(SiteKind::Parallel, 35)
            .queue(8)
            .slice(Action::Present, 0, "sum", sum.as_ptr(), 0, 4)
            .slice(Action::Firstprivate, 0, "own", own.as_ptr(), 0, 2000)
            .kernel(0, not_on_host)
            .opencl(&Ptx {
                entry: "sum_2",
                args_words: 2,
                ..ADD
            })
            .launch();
        assert!(launched);
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
