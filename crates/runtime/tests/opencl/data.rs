//! Memory, copies, and pointers in data.

use crate::gpu::{ADD, pointer, rows, transfers};
use crate::support::cases::Case;
use crate::support::{Ptx, directive};
use crate::{ON, not_on_host};
use accrue::abi::*;
use accrue::api::data::*;
use accrue::api::memory::*;
use std::ffi::c_void;

pub const CASES: &[Case] = &[
    Case {
        name: "transfers of all sizes, synchronous",
        environment: ON,
        body: || transfers(None),
        status: 0,
        expected: &[],
    },
    Case {
        name: "transfers of all sizes, through pinned buffers",
        environment: &[
            ("ACC_DEVICE_TYPE", "opencl"),
            ("ACCRUE_OPENCL_TRANSFERS", "pinned"),
        ],
        body: || transfers(None),
        status: 0,
        expected: &[],
    },
    Case {
        name: "transfers of all sizes, in a queue",
        environment: ON,
        body: || transfers(Some(3)),
        status: 0,
        expected: &[],
    },
    Case {
        name: "rows",
        environment: ON,
        body: rows,
        status: 0,
        expected: &[],
    },
    Case {
        name: "members of structs lead to device memory, whichever comes first",
        environment: ON,
        body: attached,
        status: 0,
        expected: &[],
    },
    Case {
        name: "memory of the device",
        environment: ON,
        body: memory,
        status: 0,
        expected: &[],
    },
    Case {
        name: "memory that is zero",
        environment: ON,
        body: || {
            let a = [7u64; 5000];
            let zero = directive(SiteKind::EnterData, 45).slice(
                Action::Create,
                VAR_ZERO,
                "a",
                a.as_ptr(),
                0,
                a.len(),
            );
            zero.exec();
            acc_copyout(pointer(&a), size_of_val(&a));
            assert_eq!(std::hint::black_box(a), [0; 5000]);
        },
        status: 0,
        expected: &[],
    },
    Case {
        name: "out of memory",
        environment: ON,
        body: || {
            let a = [0u8; 8];
            directive(SiteKind::EnterData, 51)
                .slice(Action::Create, 0, "a", a.as_ptr(), 0, 1 << 46)
                .exec();
        },
        status: 1,
        expected: &[
            "test.c:51: out of memory on device opencl:0: name=a 70368744177664 bytes requested",
        ],
    },
];

#[repr(C)]
struct Pair {
    a: *mut u32,
    n: i64,
}

fn attached() {
    for round in 0..40u32 {
        let mut own = vec![round; 100_000];
        let pair = Pair {
            a: own.as_mut_ptr(),
            n: own.len() as i64,
        };
        let through = |builder: crate::Builder| {
            let kernel = Ptx {
                entry: "through_2",
                args_words: 2,
                ..ADD
            };
            builder
                .object(Action::Present, 0, "pair", &raw const pair)
                .word(Action::Value, "x", 3)
                .kernel(KERNEL_GANG_LOOP, not_on_host)
                .opencl(&kernel)
                .launch()
        };
        let (whole, member) = (pointer(std::slice::from_ref(&pair)), &raw const pair.a);
        if round % 2 == 0 {
            acc_copyin(whole, size_of::<Pair>());
            acc_copyin(pointer(&own), own.len() * 4);
        } else {
            acc_copyin(pointer(&own), own.len() * 4);
            acc_copyin(whole, size_of::<Pair>());
        }
        acc_attach(member as *mut *mut c_void);
        assert!(through(directive(SiteKind::Parallel, 41)));
        acc_detach(member as *mut *mut c_void);
        acc_copyout(pointer(&own), own.len() * 4);
        acc_delete(whole, size_of::<Pair>());
        assert!(std::hint::black_box(&own).iter().all(|&a| a == round + 3));
    }
}

fn memory() {
    let own: Vec<u64> = (0..1000).collect();
    let (a, b) = (acc_malloc(8000), acc_malloc(8000));
    assert!(!a.is_null() && a != b);
    acc_memcpy_to_device(a, pointer(&own), 8000);
    acc_memcpy_device(b, a, 8000);
    let back = vec![0u64; 1000];
    acc_memcpy_from_device(pointer(&back), b, 8000);
    assert_eq!(std::hint::black_box(&back), &own);
    acc_free(a);
    acc_free(b);
    // Many sizes at once, more than a chunk.
    let all: Vec<*mut c_void> = (1..40).map(|n| acc_malloc(n << 18)).collect();
    for (n, memory) in all.iter().enumerate() {
        acc_memcpy_to_device(*memory, pointer(&own[n..=n]), 8);
    }
    for (n, memory) in all.iter().enumerate() {
        let word = [0u64];
        acc_memcpy_from_device(pointer(&word), *memory, 8);
        assert_eq!(std::hint::black_box(word), [n as u64]);
        acc_free(*memory);
    }
}
