//! Shapes, scratch memory and results of launches.

use crate::gpu::{add, launches, pointer, scratch};
use crate::support::cases::Case;
use crate::{LOG, PLAIN};
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
