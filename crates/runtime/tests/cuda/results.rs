//! Results of reductions in synchronous regions.

use crate::support::cases::Case;
use crate::support::{Builder, Ptx, arg, directive};
use crate::{ADD, LOG, PLAIN, pointer};
use accrue::abi::*;
use accrue::api::data::*;
use accrue::api::queue::*;

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
