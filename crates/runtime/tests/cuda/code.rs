//! Which code of a kernel is loaded.

use crate::gpu::{ADD, add_on_host};
use crate::support::cases::Case;
use crate::support::{Ptx, directive};
use crate::{LOG, PLAIN};
use accrue::abi::*;

pub const CASES: &[Case] = &[
    Case {
        name: "the best code is loaded, once",
        environment: LOG,
        body: || {
            for _ in 0..2 {
                broken(&[(60, 70, "60"), (90, 78, "90"), (100, 86, "100")]);
            }
        },
        status: 0,
        expected: &["stub: load 90\n"],
    },
    Case {
        name: "machine code that fits goes before PTX",
        environment: LOG,
        body: || {
            broken(&[
                (90, 78, "PTX"),
                (80, 0, "older generation"),
                (90, 0, "fits"),
                (100, 0, "newer generation"),
            ]);
        },
        status: 0,
        expected: &["stub: load fits\n"],
    },
    Case {
        name: "machine code for other GPUs is passed over",
        environment: LOG,
        body: || {
            broken(&[
                (60, 70, "PTX"),
                (80, 0, "older generation"),
                (91, 0, "later member"),
                (100, 0, "newer generation"),
            ]);
        },
        status: 0,
        expected: &["stub: load PTX\n"],
    },
    Case {
        name: "PTX when the driver does not take the machine code",
        environment: LOG,
        body: || {
            broken(&[(60, 70, "PTX"), (90, 0, "FUTURE")]);
        },
        status: 0,
        expected: &["stub: load FUTURE\n", "stub: load PTX\n"],
    },
    Case {
        name: "code that the driver cannot translate",
        environment: PLAIN,
        body: || {
            broken(&[(60, 70, "BAD")]);
        },
        status: 1,
        expected: &[
            "accrue: fatal error: test.c:95: the CUDA driver cannot translate the GPU code (sm_60) of test.c for Stub \
             GPU 0: CUDA_ERROR_INVALID_PTX (218)\nptxas: line 3: syntax error",
        ],
    },
    Case {
        name: "code that is too new for the driver",
        environment: PLAIN,
        body: || {
            broken(&[(90, 99, "FUTURE")]);
        },
        status: 1,
        expected: &["the NVIDIA driver (CUDA 12.4) is too old for PTX 9.9"],
    },
    Case {
        name: "older code when the best is too new for the driver",
        environment: PLAIN,
        body: || {
            broken(&[(60, 70, "old"), (90, 99, "FUTURE")]);
        },
        status: 0,
        expected: &[],
    },
];

fn broken(codes: &'static [(u32, u32, &'static str)]) {
    let mut a = [5u64; 4];
    directive(SiteKind::Parallel, 95)
        .slice(Action::Copy, 0, "a", a.as_mut_ptr(), 0, 4)
        .word(Action::Value, "n", 4)
        .word(Action::Value, "x", 1)
        .kernel(0, add_on_host)
        .ptx(&Ptx { codes, ..ADD })
        .launch();
    assert_eq!(a, [6; 4]);
}
