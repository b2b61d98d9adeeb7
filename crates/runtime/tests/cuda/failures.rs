//! Failing kernels, memory that runs out, and forked processes.

use crate::PLAIN;
use crate::gpu::{ADD, add_on_host, launch_add, pointer};
use crate::support::cases::Case;
use crate::support::{Builder, Ptx, directive};
use accrue::abi::*;
use accrue::api::data::*;
use accrue::api::queue::*;

pub const CASES: &[Case] = &[
    Case {
        name: "a failing kernel is named",
        environment: PLAIN,
        body: || {
            launch_add(90, &mut [0; 10], 1, |builder| builder);
            fault(91).launch();
        },
        status: 1,
        expected: &[
            "accrue: fatal error: test.c:91: device nvidia:0: CUDA_ERROR_ILLEGAL_ADDRESS (700) when ",
            "a kernel accessed memory that is not there",
            "the kernel was launched at test.c:91 (function main, kernel kernel)",
            "run with ACC_DEVICE_TYPE=sim to find the access",
        ],
    },
    Case {
        name: "failing kernels in a queue",
        environment: PLAIN,
        body: || {
            fault(92).queue(1).launch();
            fault(93).queue(1).launch();
            acc_wait(1);
        },
        status: 1,
        expected: &[
            "one of these kernels, in the order of their launches:",
            "test.c:92",
            "test.c:93",
        ],
    },
    Case {
        name: "out of memory",
        environment: &[("STUB_MEMORY", "1000000")],
        body: || {
            let (a, b) = (vec![0u8; 600_000], vec![0u8; 600_000]);
            for _ in 0..3 {
                // Kept memory is given up for another size.
                acc_copyin(pointer(&a), 600_000);
                acc_delete(pointer(&a), 600_000);
                acc_copyin(pointer(&a), 300_000);
                acc_delete(pointer(&a), 300_000);
            }
            directive(SiteKind::EnterData, 50)
                .slice(Action::Create, 0, "a", a.as_ptr(), 0, 600_000)
                .exec();
            directive(SiteKind::EnterData, 51)
                .slice(Action::Create, 0, "b", b.as_ptr(), 0, 600_000)
                .exec();
        },
        status: 1,
        expected: &[
            "accrue: fatal error: test.c:51: out of memory on device nvidia:0: name=b 600000 bytes requested, ",
            "of 1000000 bytes in use; 1 mappings with 600000 bytes",
            "mapped by test.c:50",
        ],
    },
    Case {
        name: "fork",
        environment: PLAIN,
        body: fork,
        status: 0,
        expected: &["device nvidia:0 cannot be used in a child process after fork()"],
    },
];

fn fault(line: u32) -> Builder {
    directive(SiteKind::Parallel, line)
        .kernel(0, add_on_host)
        .ptx(&Ptx {
            codes: ADD.codes,
            entry: "fault_0",
            ..Ptx::NONE
        })
}

fn fork() {
    let mut a = [1u64; 8];
    launch_add(39, &mut a, 1, |builder| builder);
    let child = unsafe { libc::fork() };
    if child == 0 {
        launch_add(40, &mut a, 1, |builder| builder);
        std::process::exit(0);
    }
    let mut status = 0;
    unsafe { libc::waitpid(child, &mut status, 0) };
    assert_eq!(libc::WEXITSTATUS(status), 1);
    launch_add(41, &mut a, 1, |builder| builder);
    assert_eq!(a, [3; 8]);
}
