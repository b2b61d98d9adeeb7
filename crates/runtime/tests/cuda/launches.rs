//! Shapes, scratch memory and results of launches.

use crate::support::cases::Case;
use crate::support::{Ptx, TOTAL, directive};
use crate::{ADD, LOG, PLAIN, add, add_on_host, launch_add, pointer};
use accrue::abi::*;
use accrue::api::data::*;
use accrue::entry::__accrue_unobserved;

pub const CASES: &[Case] = &[
    Case {
        name: "launches",
        environment: LOG,
        body: launches,
        status: 0,
        expected: &[
            // 4 multiprocessors with 16 blocks of 128 threads each.
            "stub: launch add_3 grid=64 block=128x1 shared=0 scratch=no",
            "stub: launch add_3 grid=5 block=64x1 shared=0 scratch=no",
            "stub: launch add_3 grid=1 block=32x1 shared=0 scratch=no",
            "stub: launch add_3 grid=7 block=128x1 shared=0 scratch=no",
        ],
    },
    Case {
        name: "scratch memory and shared memory",
        environment: LOG,
        body: scratch,
        status: 0,
        expected: &["stub: launch total_1 grid=3 block=32x8 shared=128 scratch=yes"],
    },
    Case {
        name: "the results of launches",
        environment: PLAIN,
        body: launches,
        status: 0,
        expected: &[],
    },
    Case {
        name: "the results of launches with scratch memory",
        environment: PLAIN,
        body: scratch,
        status: 0,
        expected: &[],
    },
    Case {
        name: "launches that nothing can tell of",
        environment: LOG,
        body: unobserved,
        status: 0,
        expected: &[
            // The fourth launch waits for none, and what is behind them for both.
            "stub: launch add_3 grid=3 block=128x1 shared=0 scratch=no\n\
             stub: launch add_3 grid=4 block=128x1 shared=0 scratch=no\n\
             stub: wait\n",
            // What copies waits, and for what is before it.
            "stub: launch add_3 grid=5 block=128x1 shared=0 scratch=no\n\
             stub: copy in 64\n\
             stub: launch add_3 grid=64 block=128x1 shared=0 scratch=no\n\
             stub: copy out 64\n\
             stub: wait\n",
        ],
    },
    Case {
        name: "trace of a launch",
        environment: &[("ACCRUE_NOTIFY", "1")],
        body: launches,
        status: 0,
        expected: &[
            "accrue: launch file=test.c function=main line=10 device=nvidia:0 queue=sync kernel=kernel gangs=64 \
             workers=1 vector=128 shared=64 registers=40 local=24 occupancy=100%",
        ],
    },
];

fn launches() {
    let mut a = [0u64; 1000];
    launch_add(10, &mut a, 1, |builder| builder);
    launch_add(11, &mut a, 1, |mut builder| {
        builder.header.vector = 50;
        builder.gangs(5)
    });
    let serial = directive(SiteKind::Serial, 12)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, 1000)
        .word(Action::Value, "n", 1000)
        .word(Action::Value, "x", 1)
        .kernel(KERNEL_SINGLE_GANG, add_on_host)
        .ptx(&ADD);
    serial.launch();
    // 7 gangs are enough for 7 iterations.
    let counted = directive(SiteKind::Parallel, 13)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, 1000)
        .word(Action::Value, "n", 7)
        .word(Action::Value, "x", 1)
        .kernel(KERNEL_GANG_LOOP, add_on_host)
        .ptx(&Ptx {
            trip: &[2, 1, 0, 0],
            ..ADD
        });
    counted.launch();
    assert_eq!((a[6], a[7], a[999]), (4, 3, 3));
}

/// Launches in a stretch are waited for behind it, unless they copy; outer stretches count.
fn unobserved() {
    let (mut a, mut other) = ([0u64; 1000], [0u64; 8]);
    acc_copyin(pointer(&a), size_of_val(&a));
    let [three, four, five] = [3, 4, 5].map(|gangs| add(14, &mut a, 1).gangs(gangs).build());
    let copies = add(15, &mut other, 2).build();
    for _ in 0..2 {
        __accrue_unobserved(1);
        __accrue_unobserved(1);
        assert!(three.launch());
        __accrue_unobserved(0);
        assert!(four.launch());
        __accrue_unobserved(0);
        __accrue_unobserved(1);
        assert!(five.launch());
        assert!(copies.launch());
        __accrue_unobserved(0);
    }
    assert_eq!(other, [4; 8]);
    acc_copyout(pointer(&a), size_of_val(&a));
    assert_eq!(a, [6; 1000]);
}

/// The head of the scratch memory is zero for every launch, also after it has grown.
fn scratch() {
    for (gangs, workers) in [(3, 8), (3, 8), (300, 2), (20, 0)] {
        let mut result = 0u32;
        let mut launch = directive(SiteKind::Parallel, 20)
            .gangs(gangs)
            .object(Action::Copyout, 0, "result", &raw mut result)
            .kernel(KERNEL_GANG_LOOP, add_on_host)
            .ptx(&TOTAL);
        launch.header.workers = workers;
        launch.launch();
        let workers = if workers == 0 { 8 } else { workers };
        assert_eq!(u64::from(result), gangs * workers * (workers + 1) / 2);
    }
}
