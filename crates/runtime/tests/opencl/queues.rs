//! Queues and threads.

use crate::ON;
use crate::gpu::{launch_add, pointer, queues, temporaries, threads};
use crate::support::cases::Case;
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
