//! Shapes, scratch memory and results of launches.

use crate::gpu::{ADD, add, add_on_host, launch_add, launches, pointer, scratch};
use crate::support::cases::Case;
use crate::support::{Ptx, directive};
use crate::{ON, not_on_host};
use accrue::abi::*;
use accrue::api::data::*;

pub const CASES: &[Case] = &[
    Case {
        name: "launches",
        environment: ON,
        body: launches,
        status: 0,
        expected: &[],
    },
    Case {
        name: "memory is told of once",
        environment: ON,
        body: many,
        status: 0,
        expected: &[],
    },
    Case {
        name: "trace of a launch",
        environment: &[("ACC_DEVICE_TYPE", "opencl"), ("ACCRUE_NOTIFY", "1")],
        body: || launch_add(10, &mut [0; 100], 1, |builder| builder.gangs(3)),
        status: 0,
        expected: &[
            "accrue: launch file=test.c function=main line=10 device=opencl:0 queue=sync kernel=kernel gangs=3 workers=1 \
             vector=128",
        ],
    },
    Case {
        name: "times of kernels on the device",
        environment: &[("ACC_DEVICE_TYPE", "opencl"), ("ACCRUE_TIME", "1")],
        body: || launch_add(11, &mut [0; 100], 1, |builder| builder),
        status: 0,
        expected: &["on the device", "test.c:11 parallel (main)"],
    },
    Case {
        name: "scratch memory and local memory",
        environment: ON,
        body: scratch,
        status: 0,
        expected: &[],
    },
    Case {
        name: "results of reductions",
        environment: ON,
        body: results,
        status: 0,
        expected: &[],
    },
    Case {
        name: "a region without code for OpenCL runs on the host",
        environment: ON,
        body: || {
            let mut a = [1u64; 10];
            acc_copyin(pointer(&a), 80);
            launch_add(12, &mut a, 1, |builder| builder);
            let host = directive(SiteKind::Parallel, 13)
                .slice(Action::Present, 0, "a", a.as_ptr(), 0, 10)
                .word(Action::Value, "n", 10)
                .word(Action::Value, "x", 5)
                .kernel(KERNEL_SINGLE_GANG, add_on_host);
            assert!(host.launch());
            acc_copyout(pointer(&a), 80);
            assert_eq!(std::hint::black_box(a), [7; 10]);
        },
        status: 0,
        expected: &["accrue: test.c:13: this region has no GPU code and runs on the host"],
    },
];

/// Many launches, of which only the first tells the driver of memory.
fn many() {
    let mut b = vec![0u64; 64];
    acc_copyin(pointer(&b), 512);
    let directive = add(14, &mut b, 2).build();
    (0..500).for_each(|_| assert!(directive.launch()));
    acc_copyout(pointer(&b), 512);
    assert!(std::hint::black_box(b).iter().all(|&b| b == 1000));
}

fn results() {
    let into = Ptx {
        entry: "into_3",
        ..ADD
    };
    let sums = |sums: &mut [u64; 2]| {
        let mut builder = directive(SiteKind::Kernels, 60);
        for (name, sum) in [("first", &raw mut sums[0]), ("second", &raw mut sums[1])] {
            builder = builder.object(Action::Copy, VAR_IMPLICIT | VAR_RESULT, name, sum);
        }
        builder
            .word(Action::Value, "x", 3)
            .kernel(KERNEL_SINGLE_GANG, not_on_host)
            .opencl(&into)
            .kernel(KERNEL_SINGLE_GANG, not_on_host)
            .opencl(&into)
    };
    let mut own = [1, 10];
    assert!(sums(&mut own).launch());
    assert_eq!(own, [7, 22]);
    assert_eq!(acc_is_present(pointer(&own), 8), 0);
    let mut late = [3, 30];
    assert!(sums(&mut late).queue(3).launch());
    accrue::api::queue::acc_wait(3);
    assert_eq!(std::hint::black_box(late), [9, 42]);
    // Each thread has cells of its own.
    std::thread::scope(|scope| {
        for start in 0..4 {
            scope.spawn(move || {
                let mut own = [start, 0];
                let directive = sums(&mut own).build();
                (0..100).for_each(|_| assert!(directive.launch()));
                assert_eq!(own, [start + 600, 1200]);
            });
        }
    });
}
