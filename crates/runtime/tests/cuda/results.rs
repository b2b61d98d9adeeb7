//! Results of reductions, and scalars that queues copy to the host.

use crate::gpu::{ADD, launch_add, pointer};
use crate::support::cases::Case;
use crate::support::{Builder, Ptx, arg, directive};
use crate::{LOG, PLAIN};
use accrue::abi::*;
use accrue::api::data::*;
use accrue::api::memory::*;
use accrue::api::queue::*;
use accrue::device::cuda::interop::*;

pub const CASES: &[Case] = &[
    Case {
        name: "results of reductions",
        environment: PLAIN,
        body: results,
        status: 0,
        expected: &["accrue: test.c:60: this region has no GPU code and runs on the host\n"],
    },
    Case {
        name: "results of reductions need one wait and no copies",
        environment: LOG,
        body: || {
            let mut own = [0, 5];
            let directive = sums(&mut own).build();
            (0..3).for_each(|_| assert!(directive.launch()));
            assert_eq!(own, [18, 23]);
        },
        status: 0,
        expected: &["stub: allocate pinned\nstub: load", SUMS_TWICE],
    },
    Case {
        name: "results of reductions in a queue need one wait and no copies",
        environment: LOG,
        body: || {
            let mut own = [0, 5];
            let directive = sums(&mut own).queue(3).build();
            for _ in 0..3 {
                assert!(directive.launch());
                acc_wait(3);
            }
            assert_eq!(own, [18, 23]);
        },
        status: 0,
        expected: &["stub: allocate pinned\nstub: load", SUMS_TWICE],
    },
    Case {
        name: "a scalar from a queue needs a launch, a copy and a wait",
        environment: LOG,
        body: || {
            let mut a = [5u64];
            acc_copyin(pointer(&a), 8);
            for _ in 0..2 {
                launch_add(62, &mut a, 1, |builder| builder.queue(1));
                acc_update_self_async(pointer(&a), 8, 1);
                acc_wait(1);
            }
            assert_eq!(a, [7]);
        },
        status: 0,
        expected: &["grid=64 block=128x1 shared=0 scratch=no\nstub: copy out 8\nstub: wait\n"],
    },
    Case {
        name: "results in queues",
        environment: PLAIN,
        body: late,
        status: 0,
        expected: &[],
    },
    Case {
        name: "results of a queue whose stream the program has",
        environment: PLAIN,
        body: || {
            let mut own = [0, 5];
            sums(&mut own).queue(4).launch();
            // What is in the queue comes in the order of the stream from now on.
            assert!(!acc_get_cuda_stream(4).is_null());
            sums(&mut own).queue(4).launch();
            acc_wait(4);
            assert_eq!(own, [12, 17]);
        },
        status: 0,
        expected: &[],
    },
];

/// What the driver sees of [`sums`], twice, in the steady state.
const SUMS_TWICE: &str = "stub: launch into_3 grid=1 block=32x1 shared=0 scratch=no
stub: launch into_3 grid=1 block=32x1 shared=0 scratch=no
stub: wait
stub: launch into_3 grid=1 block=32x1 shared=0 scratch=no
stub: launch into_3 grid=1 block=32x1 shared=0 scratch=no
stub: wait
";

/// A construct with two kernels, each of which adds 3 to both sums.
fn sums(sums: &mut [u64; 2]) -> Builder {
    let into = Ptx {
        entry: "into_3",
        args_words: 3,
        ..ADD
    };
    let mut builder = directive(SiteKind::Kernels, 60);
    for (name, sum) in [("first", &raw mut sums[0]), ("second", &raw mut sums[1])] {
        builder = builder.object(Action::Copy, VAR_IMPLICIT | VAR_RESULT, name, sum);
    }
    builder
        .word(Action::Value, "x", 3)
        .kernel(KERNEL_SINGLE_GANG, into_on_host)
        .ptx(&into)
        .kernel(KERNEL_SINGLE_GANG, into_on_host)
        .ptx(&into)
}

/// The kernel of [`sums`] on the host.
unsafe extern "C" fn into_on_host(launch: *const CpuLaunch, _gang: u64) {
    unsafe {
        let x = *(*launch).args.add(2);
        *arg::<u64>(launch, 0) += x;
        *arg::<u64>(launch, 1) += x;
    }
}

fn results() {
    let mut own = [1, 10];
    sums(&mut own).launch();
    assert_eq!(own, [7, 16]);
    assert_eq!(acc_is_present(pointer(&own), 8), 0);

    // One of them is present: its value on the device counts.
    let mut one = [2, 20];
    acc_copyin(pointer(&one[1..]), 8);
    one[1] = 99;
    sums(&mut one).launch();
    assert_eq!(one, [8, 99]);
    acc_copyout(pointer(&one[1..]), 8);
    assert_eq!(one, [8, 26]);

    // In a queue.
    let mut late = [3, 30];
    sums(&mut late).queue(3).launch();
    acc_wait(3);
    assert_eq!(late, [9, 36]);

    // A kernel that runs on the host works on what the other leaves on the device.
    let mut mixed = [4, 40];
    sums(&mut mixed)
        .kernel(KERNEL_SINGLE_GANG, into_on_host)
        .launch();
    assert_eq!(mixed, [13, 49]);

    // Each thread has cells of its own.
    std::thread::scope(|scope| {
        for start in 0..4 {
            scope.spawn(move || {
                let mut own = [start, 0];
                let directive = sums(&mut own).build();
                (0..200).for_each(|_| assert!(directive.launch()));
                assert_eq!(own, [start + 1200, 1200]);
            });
        }
    });
}

/// Everything that a result in a queue has to come before or behind.
fn late() {
    let value = |of: &[u64; 2]| std::hint::black_box(*of);
    // One construct goes on where the one before it has ended.
    let mut own = [1, 10];
    for _ in 0..3 {
        sums(&mut own).queue(1).launch();
    }
    acc_wait(1);
    assert_eq!(value(&own), [19, 28]);

    // A test that says yes is as good as a wait.
    sums(&mut own).queue(1).launch();
    while acc_async_test(1) == 0 {}
    assert_eq!(value(&own), [25, 34]);

    // Another queue waits, and the program for that.
    sums(&mut own).queue(1).launch();
    acc_wait_async(1, 2);
    sums(&mut own).queue(2).launch();
    acc_wait(2);
    assert_eq!(value(&own), [37, 46]);

    // A wait clause, of a construct that has the variables in cells of the thread.
    sums(&mut own).queue(1).launch();
    sums(&mut own).waits(&[1]).launch();
    assert_eq!(value(&own), [49, 58]);

    // The queue copies the variable to the device, and back.
    sums(&mut own).queue(1).launch();
    acc_copyin_async(pointer(&own), 16, 1);
    sums(&mut own).queue(1).launch();
    acc_update_self_async(pointer(&own), 16, 1);
    acc_wait(1);
    assert_eq!(value(&own), [61, 70]);
    acc_delete(pointer(&own), 16);

    // A result, and then a copy to a part of it, or to more.
    for bytes in [4, 16] {
        let mut own = [1, 10];
        let other = [2u64, 20];
        acc_copyin(pointer(&other), 16);
        sums(&mut own).queue(1).launch();
        let from = acc_deviceptr(pointer(&other));
        acc_memcpy_from_device_async(pointer(&own), from, bytes, 1);
        sums(&mut own).queue(1).launch();
        acc_wait(1);
        assert_eq!(value(&own), if bytes == 4 { [8, 22] } else { [8, 26] });
        acc_delete(pointer(&other), 16);
    }

    // More results than there are cells.
    let mut many = [[0u64, 1]; 100];
    for own in &mut many {
        sums(own).queue(1).launch();
    }
    acc_wait_all();
    assert!(std::hint::black_box(&many).iter().all(|own| *own == [6, 7]));

    // Another thread waits.
    let mut own = [0, 0];
    sums(&mut own).queue(1).launch();
    std::thread::scope(|scope| scope.spawn(|| acc_wait(1)).join().expect("no panic"));
    assert_eq!(value(&own), [6, 6]);

    // Threads with a queue of all of them.
    std::thread::scope(|scope| {
        for start in 0..4 {
            scope.spawn(move || {
                for round in 0..200 {
                    let mut own = [start, round];
                    sums(&mut own).queue(5).launch();
                    acc_wait(5);
                    assert_eq!(value(&own), [start + 6, round + 6]);
                }
            });
        }
    });
}
