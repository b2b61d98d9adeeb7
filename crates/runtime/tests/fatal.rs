//! Fatal errors and traces: each case runs in a child process, whose standard error and exit
//! status are compared with what the table below expects.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "kernels written by hand, called with the arguments made for them"
)]

mod support;

use accrue::abi::*;
use accrue::api::data::*;
use accrue::api::device::*;
use accrue::api::memory::*;
use accrue::api::queue::*;
use std::ffi::c_void;
use support::cases::{self, Case};
use support::{arg, directive};

const SHARED: &[(&str, &str)] = &[("ACCRUE_CPU_MEMORY", "shared")];
const DISCRETE: &[(&str, &str)] = &[("ACCRUE_CPU_MEMORY", "discrete")];
const SMALL: &[(&str, &str)] = &[
    ("ACCRUE_CPU_MEMORY", "discrete"),
    ("ACCRUE_CPU_MEMORY_SIZE", "64K"),
];

const CASES: &[Case] = &[
    Case {
        name: "absent present",
        environment: SHARED,
        body: absent_present,
        status: 1,
        expected: &[
            "accrue: fatal error: test.c:20: data in present clause was not found on device cpu:0: name=b host=0x",
            "(400 bytes)",
            "nearest mapping below: name=a host=0x",
            "structured=0 dynamic=1, mapped by test.c:10",
        ],
    },
    Case {
        name: "nothing mapped",
        environment: DISCRETE,
        body: || {
            directive(SiteKind::Data, 7)
                .slice(Action::Present, 0, "x", [0u8; 4].as_ptr(), 0, 4)
                .region(|| {});
        },
        status: 1,
        expected: &[
            "test.c:7: data in present clause",
            "nothing is mapped on this device",
        ],
    },
    Case {
        name: "partially present",
        environment: SHARED,
        body: partially_present,
        status: 1,
        expected: &[
            "accrue: fatal error: test.c:31: variable in copy clause is partially present on device cpu:0: name=a host=0x",
            "(400 bytes)",
            "it overlaps: name=a host=0x",
            "(200 bytes)",
            "mapped by test.c:30",
        ],
    },
    Case {
        name: "update of absent data",
        environment: SHARED,
        body: || {
            directive(SiteKind::Update, 8)
                .slice(Action::UpdateSelf, 0, "x", [0u8; 4].as_ptr(), 0, 4)
                .exec();
        },
        status: 1,
        expected: &["test.c:8: data in update self clause was not found on device cpu:0: name=x"],
    },
    Case {
        name: "negative length",
        environment: SHARED,
        body: || {
            directive(SiteKind::EnterData, 9)
                .section(Action::Copyin, 0, "x", 4096, 4, 0, &[[0, -3i64 as u64, 0]])
                .exec();
        },
        status: 1,
        expected: &[
            "test.c:9: bad section of 'x' in a clause of this enter data: the length of dimension 1 is negative",
        ],
    },
    Case {
        name: "missing data clause",
        environment: DISCRETE,
        body: missing_data_clause,
        status: 1,
        expected: &[
            "accrue: fatal error: test.c:42: the kernel accesses 'p' (80 bytes from host address 0x",
            "but its data is not on device cpu:0",
        ],
    },
    Case {
        name: "missing data clause, asynchronous",
        environment: DISCRETE,
        body: missing_data_clause_async,
        status: 1,
        expected: &["accrue: fatal error: test.c:43: the kernel accesses 'q'"],
    },
    Case {
        name: "out of memory",
        environment: SMALL,
        body: out_of_memory,
        status: 1,
        expected: &[
            "accrue: fatal error: test.c:51: out of memory on device cpu:0: name=b 40000 bytes requested, 40000 of 65536 bytes in use; 1 mappings with 40000 bytes",
            "name=a host=0x",
            "mapped by test.c:50",
        ],
    },
    Case {
        name: "double unmap",
        environment: SHARED,
        body: || {
            let (a, device) = ([0u8; 64], acc_malloc(64));
            acc_map_data(pointer(&a), device, 64);
            acc_unmap_data(pointer(&a));
            acc_unmap_data(pointer(&a));
        },
        status: 1,
        expected: &[
            "accrue: fatal error: acc_unmap_data: no data that starts at 0x",
            "(unmapped twice?)",
        ],
    },
    Case {
        name: "unmap of copied data",
        environment: SHARED,
        body: || {
            let a = [0u8; 64];
            acc_copyin(pointer(&a), 64);
            acc_unmap_data(pointer(&a));
        },
        status: 1,
        expected: &["was not mapped by acc_map_data"],
    },
    Case {
        name: "map of mapped data",
        environment: SHARED,
        body: || {
            let a = [0u8; 64];
            acc_copyin(pointer(&a), 64);
            acc_map_data(pointer(&a), acc_malloc(64), 64);
        },
        status: 1,
        expected: &[
            "acc_map_data: the host data at 0x",
            "is already mapped on device cpu:0",
            "mapped by acc_copyin",
        ],
    },
    Case {
        name: "double free",
        environment: SHARED,
        body: || {
            let memory = acc_malloc(64);
            acc_free(memory);
            acc_free(memory);
        },
        status: 1,
        expected: &[
            "accrue: fatal error: acc_free: 0x",
            "is not memory of acc_malloc on device cpu:0 (freed twice?)",
        ],
    },
    Case {
        name: "free of mapped memory",
        environment: SHARED,
        body: || {
            let (a, device) = ([0u8; 64], acc_malloc(64));
            acc_map_data(pointer(&a), device, 64);
            acc_free(device);
        },
        status: 1,
        expected: &["acc_free: the memory at 0x", "is still mapped"],
    },
    Case {
        name: "negative number of gangs",
        environment: SHARED,
        body: || {
            directive(SiteKind::Parallel, 61)
                .gangs(-4i64 as u64)
                .kernel(0, idle)
                .launch();
        },
        status: 1,
        expected: &["accrue: fatal error: test.c:61: num_gangs(-4): the value must be positive"],
    },
    Case {
        name: "an exit handler that uses the device after a fatal error",
        environment: SHARED,
        body: || {
            extern "C" fn at_exit() {
                acc_delete(pointer(&[0u8; 8]), 8);
            }
            unsafe { libc::atexit(at_exit) };
            absent_present();
        },
        status: 1,
        expected: &["accrue: fatal error: test.c:20: data in present clause"],
    },
    Case {
        name: "unknown queue",
        environment: SHARED,
        body: || acc_wait(-7),
        status: 1,
        expected: &["acc_wait: invalid async value -7"],
    },
    Case {
        name: "no such device",
        environment: SHARED,
        body: || acc_set_device_num(3, 2),
        status: 1,
        expected: &[
            "acc_set_device_num: there is no device 3 of type host; available is: cpu:0 (host)",
        ],
    },
    Case {
        name: "no such device type",
        environment: SHARED,
        body: || {
            directive(SiteKind::Set, 60)
                .device_type(DEVICE_RADEON)
                .exec()
        },
        status: 1,
        expected: &["test.c:60: no device of type radeon is available: no "],
    },
    Case {
        name: "ACC_DEVICE_TYPE of a device that is not there",
        environment: &[("ACC_DEVICE_TYPE", "opencl:no such name")],
        body: || acc_init(1),
        status: 1,
        expected: &[
            "accrue: fatal error: ACC_DEVICE_TYPE=opencl:no such name: no OpenCL device can be used: ",
            "; available is: cpu:0 (host)",
        ],
    },
    Case {
        name: "misspelt ACC_DEVICE_TYPE",
        environment: &[("ACC_DEVICE_TYPE", "nvdia")],
        body: || acc_init(1),
        status: 1,
        expected: &["ACC_DEVICE_TYPE=nvdia: unknown device type"],
    },
    Case {
        name: "device type by upper case",
        environment: &[("ACC_DEVICE_TYPE", "HOST"), ("ACC_DEVICE_NUM", "0")],
        body: || acc_init(1),
        status: 0,
        expected: &[],
    },
    Case {
        name: "wrong ACC_DEVICE_NUM",
        environment: &[("ACC_DEVICE_NUM", "5")],
        body: || acc_init(1),
        status: 1,
        expected: &["ACC_DEVICE_NUM=5: there is no such device"],
    },
    Case {
        name: "wrong ACC_NUM_CORES",
        environment: &[("ACC_NUM_CORES", "none")],
        body: || acc_init(1),
        status: 1,
        expected: &["ACC_NUM_CORES=none: expected a number of cores, 1 or more"],
    },
    Case {
        name: "wrong ACCRUE_CPU_MEMORY",
        environment: &[("ACCRUE_CPU_MEMORY", "separate")],
        body: || acc_init(1),
        status: 1,
        expected: &["ACCRUE_CPU_MEMORY=separate: expected 'shared' or 'discrete'"],
    },
    Case {
        name: "nothing is touched before the first use",
        environment: &[("ACC_DEVICE_TYPE", "nvidia")],
        body: || {},
        status: 0,
        expected: &[],
    },
    Case {
        name: "an object of an older version",
        environment: SHARED,
        body: || register(ABI_VERSION - 1),
        status: 1,
        expected: &[
            "other.c: compiled by an older accrue: its interface to libaccrue has version ",
            "; compile other.c again\n",
        ],
    },
    Case {
        name: "an object of a newer version",
        environment: SHARED,
        body: || register(ABI_VERSION + 1),
        status: 1,
        expected: &[
            "other.c: compiled by a newer accrue: its interface to libaccrue has version ",
            "; use the library of that accrue, or compile other.c again with this one\n",
        ],
    },
    Case {
        name: "trace",
        environment: &[("ACCRUE_CPU_MEMORY", "discrete"), ("ACCRUE_NOTIFY", "31")],
        body: trace,
        status: 0,
        expected: &[
            "accrue: enter file=test.c function=main line=70 construct=data device=cpu:0",
            "accrue: alloc device=cpu:0 bytes=400",
            "accrue: copyin device=cpu:0 queue=sync bytes=400 host=0x",
            "accrue: launch file=test.c function=main line=71 device=cpu:0 queue=5 kernel=kernel gangs=3 workers=1 vector=1",
            "accrue: wait place=acc_wait device=cpu:0 wait=5 queue=sync",
            "accrue: leave file=test.c",
            "accrue: copyout device=cpu:0",
            "accrue: free device=cpu:0 bytes=400",
        ],
    },
    Case {
        name: "alias of the trace variable",
        environment: &[("NVCOMPILER_ACC_NOTIFY", "1")],
        body: trace,
        status: 0,
        expected: &["accrue: launch file=test.c"],
    },
    Case {
        name: "times",
        environment: &[("ACCRUE_CPU_MEMORY", "discrete"), ("ACCRUE_TIME", "1")],
        body: trace,
        status: 0,
        expected: &[
            "accrue: time per directive",
            "count",
            "bytes out",
            " 400 ",
            " 400 ",
            "test.c:70 data (main)",
        ],
    },
    Case {
        name: "pending work is completed at exit",
        environment: SHARED,
        body: || {
            directive(SiteKind::Parallel, 80)
                .queue(1)
                .kernel(0, slow_print)
                .launch();
        },
        status: 0,
        expected: &["the kernel has run"],
    },
    Case {
        name: "messages from a queue thread",
        environment: SHARED,
        body: || {
            // A kernel without code for the device.
            let directive = directive(SiteKind::Parallel, 81)
                .queue(1)
                .kernel(0, slow_print)
                .build();
            let kernel = directive.site.kernels.cast_mut();
            unsafe { (*kernel).nforms = 0 };
            directive.launch();
        },
        status: 1,
        expected: &["accrue: fatal error: test.c:81: this region has no code for the cpu device"],
    },
];

fn pointer<T>(data: &[T]) -> *mut c_void {
    data.as_ptr() as *mut c_void
}

fn absent_present() {
    let all = vec![0f64; 200];
    directive(SiteKind::EnterData, 10)
        .slice(Action::Copyin, 0, "a", all.as_ptr(), 0, 50)
        .exec();
    directive(SiteKind::Parallel, 20)
        .slice(Action::Present, 0, "b", all[100..].as_ptr(), 0, 50)
        .kernel(0, slow_print)
        .launch();
}

fn partially_present() {
    let a = [0i32; 100];
    directive(SiteKind::EnterData, 30)
        .slice(Action::Copyin, 0, "a", a.as_ptr(), 0, 50)
        .exec();
    directive(SiteKind::Parallel, 31)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, 100)
        .kernel(0, slow_print)
        .launch();
}

/// p[20] = 1
unsafe extern "C" fn store(launch: *const CpuLaunch, _gang: u64) {
    unsafe { arg::<i32>(launch, 1).add(20).write_volatile(1) };
}

fn missing_data_clause() {
    let p = [0i32; 100];
    directive(SiteKind::Parallel, 42)
        .word(Action::Pointer, "other", p.as_ptr() as u64)
        .word(Action::Pointer, "p", p.as_ptr() as u64)
        .kernel(0, store)
        .launch();
}

fn missing_data_clause_async() {
    let p = [0i32; 100];
    directive(SiteKind::Parallel, 43)
        .queue(4)
        .gangs(8)
        .word(Action::Pointer, "other", p.as_ptr() as u64)
        .slice(Action::NoCreate, 0, "q", p.as_ptr(), 0, 100)
        .kernel(0, store)
        .launch();
    acc_wait(4);
}

fn out_of_memory() {
    let (a, b) = (vec![0u8; 40_000], vec![0u8; 40_000]);
    directive(SiteKind::EnterData, 50)
        .slice(Action::Create, 0, "a", a.as_ptr(), 0, 40_000)
        .exec();
    directive(SiteKind::EnterData, 51)
        .slice(Action::Create, 0, "b", b.as_ptr(), 0, 40_000)
        .exec();
}

/// What an object of this version does when it is loaded.
fn register(abi: u32) {
    let mut image = Image {
        abi,
        nsites: 0,
        sites: std::ptr::null(),
        source: support::text("other.c"),
        runtime: std::ptr::null_mut(),
    };
    unsafe { accrue::entry::__accrue_register_image(&mut image) };
}

fn trace() {
    let a = [0u8; 400];
    directive(SiteKind::Data, 70)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, 400)
        .region(|| {
            directive(SiteKind::Parallel, 71)
                .queue(5)
                .gangs(3)
                .kernel(0, idle)
                .launch();
            acc_wait(5);
        });
}

unsafe extern "C" fn idle(_launch: *const CpuLaunch, _gang: u64) {}

unsafe extern "C" fn slow_print(_launch: *const CpuLaunch, _gang: u64) {
    std::thread::sleep(std::time::Duration::from_millis(100));
    eprintln!("the kernel has run");
}

#[test]
fn child() {
    cases::child(CASES);
}

#[test]
fn cases() {
    cases::run(CASES, None);
}
