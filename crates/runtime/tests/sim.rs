//! The simulated GPU as a device: PTX written by hand, with all that a launch passes to it.

mod support;

use accrue::abi::*;
use accrue::api::data::*;
use accrue::api::device::*;
use accrue::api::memory::*;
use std::ffi::c_void;
use support::cases::{self, Case};
use support::{Builder, KERNELS, Ptx, TOTAL, arg, directive};

const SIM: i32 = 8;
const HOST: i32 = 2;
const PLAIN: &[(&str, &str)] = &[("ACC_DEVICE_TYPE", "sim")];

/// add_3(a, n, x): a[i] += x for all i < n.
const ADD: Ptx = Ptx {
    codes: KERNELS,
    entry: "add_3",
    flags: SIMT_VECTOR,
    args_words: 3,
    ..Ptx::NONE
};

const CASES: &[Case] = &[
    Case {
        name: "the simulated GPU has to be asked for",
        environment: &[],
        body: || {
            assert_eq!(acc_get_device_type(), HOST);
            assert_eq!(acc_get_num_devices(SIM), 1);
            acc_set_device_type(SIM);
            assert_eq!(acc_get_device_type(), SIM);
            launch_add();
        },
        status: 0,
        expected: &[],
    },
    Case {
        name: "a launch",
        environment: &[
            ("ACC_DEVICE_TYPE", "sim"),
            ("ACCRUE_NOTIFY", "1"),
            ("ACCRUE_SIM_STATS", "1"),
        ],
        body: launch_add,
        status: 0,
        expected: &[
            "accrue: launch file=test.c function=main line=10 device=sim:0 queue=sync kernel=kernel gangs=4 workers=1 \
             vector=256 shared=0 registers=? local=? occupancy=100%",
            "accrue: counters of the simulated GPU",
            "8000 ",
            "test.c:10 kernel",
        ],
    },
    Case {
        name: "scratch and shared memory",
        environment: PLAIN,
        body: || {
            for (gangs, workers) in [(1, 1), (5, 8), (100, 3), (7, 0)] {
                let mut result = 0u32;
                let mut launch = directive(SiteKind::Parallel, 20)
                    .gangs(gangs)
                    .object(Action::Copyout, 0, "result", &raw mut result)
                    .kernel(0, nothing)
                    .ptx(&TOTAL);
                launch.header.workers = workers;
                launch.launch();
                // 8 workers where the directive does not say.
                let workers = if workers == 0 { 8 } else { workers };
                assert_eq!(u64::from(result), gangs * workers * (workers + 1) / 2);
            }
        },
        status: 0,
        expected: &[],
    },
    Case {
        name: "data without a data clause",
        environment: PLAIN,
        body: || {
            let p = [0u64; 10];
            directive(SiteKind::Parallel, 30)
                .word(Action::Pointer, "p", p.as_ptr() as u64)
                .word(Action::Value, "n", 10)
                .word(Action::Value, "x", 1)
                .kernel(0, nothing)
                .ptx(&ADD)
                .launch();
        },
        status: 1,
        expected: &[
            "accrue: fatal error: kernels.c:99: the kernel accesses 'p' (",
            "but its data is not on device sim:0; add a data clause for it",
        ],
    },
    Case {
        name: "an index out of bounds",
        environment: PLAIN,
        body: || {
            let a = [0u64; 10];
            directive(SiteKind::Parallel, 31)
                .slice(Action::Copy, 0, "numbers", a.as_ptr(), 0, 10)
                .word(Action::Value, "n", 11)
                .word(Action::Value, "x", 1)
                .kernel(0, nothing)
                .ptx(&ADD)
                .launch();
        },
        status: 1,
        expected: &[
            "accrue: fatal error: kernels.c:99: a kernel failed on device sim:0: out of bounds: read of 8 bytes just past",
            "the end of 'numbers' (80 bytes), element 10",
            "by gang 0, worker 0, lane 10\n",
            "in the parallel construct of test.c:31, in function main",
        ],
    },
    Case {
        name: "data on the device is not the host's",
        environment: PLAIN,
        body: || {
            let mut a = [1u64; 4];
            acc_copyin(pointer(&a), 32);
            a = [2; 4];
            assert_ne!(acc_deviceptr(pointer(&a)), pointer(&a));
            acc_update_self(pointer(&a), 32);
            assert_eq!(a, [1; 4]);
            acc_delete(pointer(&a), 32);
        },
        status: 0,
        expected: &[],
    },
    Case {
        name: "a GPU that the code is not for",
        environment: &[("ACC_DEVICE_TYPE", "sim"), ("ACCRUE_SIM_GPU", "p100")],
        body: || {
            let mut a = [1u64; 4];
            directive(SiteKind::Parallel, 40)
                .slice(Action::Copy, 0, "a", a.as_mut_ptr(), 0, 4)
                .kernel(0, double_first)
                .ptx(&Ptx {
                    codes: &[(70, 70, "")],
                    ..ADD
                })
                .launch();
            assert_eq!(a, [2, 1, 1, 1]);
        },
        status: 0,
        expected: &["accrue: test.c:40: this region has no GPU code and runs on the host"],
    },
    Case {
        name: "PTX that cannot be loaded",
        environment: PLAIN,
        body: || {
            directive(SiteKind::Parallel, 41)
                .kernel(0, nothing)
                .ptx(&Ptx {
                    codes: &[(60, 70, ".version 7.0\n.target sm_60\nnonsense\n")],
                    entry: "none",
                    ..Ptx::NONE
                })
                .launch();
        },
        status: 1,
        expected: &[
            "accrue: fatal error: test.c:41: the simulator cannot load the GPU code of this file: PTX line 3",
        ],
    },
    Case {
        name: "a wrong device address",
        environment: PLAIN,
        body: || acc_memcpy_to_device(8 as *mut c_void, pointer(&[0u64; 4]), 32),
        status: 1,
        expected: &["accrue: fatal error: acc_memcpy_to_device: 0x8 is not memory of device sim:0"],
    },
    Case {
        name: "an unknown GPU",
        environment: &[("ACC_DEVICE_TYPE", "sim"), ("ACCRUE_SIM_GPU", "x900")],
        body: || acc_init(SIM),
        status: 1,
        expected: &[
            "ACCRUE_SIM_GPU=x900: unknown GPU; known are, alone or with fewer multiprocessors (`h100/8`): p100,",
        ],
    },
    Case {
        name: "more multiprocessors than the GPU has",
        environment: &[("ACC_DEVICE_TYPE", "sim"), ("ACCRUE_SIM_GPU", "h100/500")],
        body: || acc_init(SIM),
        status: 1,
        expected: &["ACCRUE_SIM_GPU=h100/500: unknown GPU"],
    },
    Case {
        name: "an unknown check",
        environment: &[("ACC_DEVICE_TYPE", "sim"), ("ACCRUE_SIM_CHECK", "race")],
        body: || acc_init(SIM),
        status: 1,
        expected: &["ACCRUE_SIM_CHECK=race: expected 'default', 'all', 'none' or some of"],
    },
    Case {
        name: "other arguments than the kernel has",
        environment: PLAIN,
        body: || {
            directive(SiteKind::Parallel, 42)
                .kernel(0, nothing)
                .ptx(&ADD)
                .launch();
        },
        status: 1,
        expected: &["test.c:42: the kernel takes 3 argument words and gets 0"],
    },
];

fn pointer<T>(data: &[T]) -> *mut c_void {
    data.as_ptr() as *mut c_void
}

unsafe extern "C" fn nothing(_launch: *const CpuLaunch, _gang: u64) {}

/// a[0] *= 2
unsafe extern "C" fn double_first(launch: *const CpuLaunch, _gang: u64) {
    // SAFETY: the first argument is an array.
    unsafe { *arg::<u64>(launch, 0) *= 2 };
}

fn add(line: u32, a: &mut [u64], x: u64) -> Builder {
    directive(SiteKind::Parallel, line)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, a.len())
        .word(Action::Value, "n", a.len() as u64)
        .word(Action::Value, "x", x)
        .kernel(KERNEL_GANG_LOOP, nothing)
        .ptx(&Ptx {
            flags: SIMT_VECTOR | SIMT_GANG_VECTOR_LOOP,
            trip: &[2, 1, 0, 0],
            ..ADD
        })
}

fn launch_add() {
    let mut a: Vec<u64> = (0..1000).collect();
    add(10, &mut a, 3).launch();
    assert!(a.iter().zip(3..).all(|(&a, i)| a == i));
    add(11, &mut a, 3).queue(1).launch();
    accrue::api::queue::acc_wait(1);
    assert_eq!(a[999], 1005);
}

#[test]
fn child() {
    cases::child(CASES);
}

#[test]
fn cases() {
    cases::run(CASES, None);
}
