//! The driver of NVIDIA GPUs, on a stand-in for the CUDA driver (`c/libcuda.c`), which executes streams as late as it
//! may: a missing wait or a buffer reused too early gives wrong results.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "kernels written by hand, called with the arguments made for them"
)]

mod support;

use accrue::abi::*;
use accrue::api::data::*;
use accrue::api::device::*;
use accrue::api::memory::*;
use accrue::api::native::*;
use accrue::api::queue::*;
use std::ffi::c_void;
use std::path::Path;
use std::process::Command;
use support::cases::{self, Case};
use support::{Builder, KERNELS, Ptx, TOTAL, arg, directive};

const NVIDIA: i32 = 4;
const HOST: i32 = 2;

const PLAIN: &[(&str, &str)] = &[];
const LOG: &[(&str, &str)] = &[("STUB_LOG", "1")];

/// add_3(a, n, x): a[i] += x for all i < n
const ADD: Ptx = Ptx {
    codes: KERNELS,
    entry: "add_3",
    flags: PTX_VECTOR,
    args_words: 3,
    ..Ptx::NONE
};

const CASES: &[Case] = &[
    Case {
        name: "a GPU is the default",
        environment: PLAIN,
        body: || {
            assert_eq!(acc_get_device_type(), NVIDIA);
            assert_eq!(acc_get_num_devices(NVIDIA), 1);
            assert_eq!(acc_get_num_devices(HOST), 1);
            let name = unsafe { std::ffi::CStr::from_ptr(acc_get_property_string(0, NVIDIA, 101)) };
            assert_eq!(name.to_str(), Ok("Stub GPU 0"));
            assert_eq!(acc_get_property(0, NVIDIA, 1), 1 << 30);
            let (device, context) = (
                acc_get_current_cuda_device(),
                acc_get_current_cuda_context(),
            );
            assert_eq!(unsafe { *device.cast::<i32>() }, 100);
            assert!(!context.is_null());
            acc_set_device_type(HOST);
            assert!(acc_get_current_cuda_context().is_null());
        },
        status: 0,
        expected: &[],
    },
    Case {
        name: "no GPU: the CPU, without a word",
        environment: &[("STUB_INIT", "100")],
        body: || assert_eq!(acc_get_device_type(), HOST),
        status: 0,
        expected: &[],
    },
    Case {
        name: "a broken driver: the CPU, with a word",
        environment: &[("STUB_INIT", "803")],
        body: || assert_eq!(acc_get_device_type(), HOST),
        status: 0,
        expected: &[
            "accrue: warning: NVIDIA GPUs are not used: cuInit failed: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)",
            "regions run on the CPU",
        ],
    },
    Case {
        name: "a broken driver that was asked for",
        environment: &[("STUB_INIT", "803"), ("ACC_DEVICE_TYPE", "nvidia")],
        body: || acc_init(1),
        status: 1,
        expected: &[
            "accrue: fatal error: ACC_DEVICE_TYPE=nvidia: no NVIDIA GPU can be used: cuInit failed: \
             CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803); check the driver with nvidia-smi; available is: cpu:0 (host)",
        ],
    },
    Case {
        name: "no GPU, which was asked for",
        environment: &[("STUB_INIT", "100"), ("ACC_DEVICE_TYPE", "nvidia")],
        body: || acc_init(1),
        status: 1,
        expected: &["CUDA_ERROR_NO_DEVICE (100): the driver finds no GPU; see nvidia-smi"],
    },
    Case {
        name: "the host does not touch CUDA",
        environment: &[("STUB_INIT", "803"), ("ACC_DEVICE_TYPE", "host")],
        body: || assert_eq!(acc_get_device_type(), HOST),
        status: 0,
        expected: &[],
    },
    Case {
        name: "wrong device number",
        environment: &[("STUB_DEVICES", "2"), ("ACC_DEVICE_NUM", "2")],
        body: || acc_init(1),
        status: 1,
        expected: &[
            "ACC_DEVICE_NUM=2: there is no such device; available is: nvidia:0 (nvidia), nvidia:1 (nvidia), cpu:0 (host)",
        ],
    },
    Case {
        name: "two GPUs",
        environment: &[("STUB_DEVICES", "2"), ("ACC_DEVICE_NUM", "1")],
        body: two_gpus,
        status: 0,
        expected: &[],
    },
    Case {
        name: "a program without GPU code stays on the CPU",
        environment: PLAIN,
        body: || {
            let kernels = directive(SiteKind::Parallel, 1)
                .kernel(0, add_on_host)
                .build();
            let sites = Box::leak(Box::new([std::ptr::from_ref(kernels.site)]));
            let mut image = Image {
                abi: 1,
                nsites: 1,
                sites: sites.as_ptr(),
                source: support::text("a.c"),
                runtime: std::ptr::null_mut(),
            };
            unsafe { accrue::entry::__accrue_register_image(&mut image) };
            assert_eq!(acc_get_device_type(), HOST);
        },
        status: 0,
        expected: &[],
    },
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
        name: "rows",
        environment: PLAIN,
        body: rows,
        status: 0,
        expected: &[],
    },
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
        name: "trace of a launch",
        environment: &[("ACCRUE_NOTIFY", "1")],
        body: launches,
        status: 0,
        expected: &[
            "accrue: launch file=test.c function=main line=10 device=nvidia:0 queue=sync kernel=kernel gangs=64 \
             workers=1 vector=128 shared=64 registers=40 local=24 occupancy=100%",
        ],
    },
    Case {
        name: "transfers of all sizes, synchronous",
        environment: PLAIN,
        body: || transfers(None),
        status: 0,
        expected: &[],
    },
    Case {
        name: "transfers of all sizes, in a queue",
        environment: PLAIN,
        body: || transfers(Some(3)),
        status: 0,
        expected: &[],
    },
    Case {
        name: "rows are one call",
        environment: LOG,
        body: rows,
        status: 0,
        expected: &["stub: copy of 300 rows", "stub: copy of 300 rows"],
    },
    Case {
        name: "a queue keeps the order of copies to and from the host",
        environment: PLAIN,
        body: back_and_forth,
        status: 0,
        expected: &[],
    },
    Case {
        name: "a busy queue",
        environment: PLAIN,
        body: || {
            let mut a = [0u64; 4];
            acc_copyin(pointer(&a), 32);
            launch_add(80, &mut a, 1, |builder| builder.queue(5));
            // Each test lets the stand-in execute one more operation.
            launch_add(81, &mut a, 1, |builder| builder.queue(5));
            assert_eq!((acc_async_test(5), acc_async_test_all()), (0, 0));
            acc_wait(5);
            assert_eq!((acc_async_test(5), acc_async_test_all()), (1, 1));
        },
        status: 0,
        expected: &[],
    },
    Case {
        name: "queues wait for each other",
        environment: PLAIN,
        body: queues,
        status: 0,
        expected: &[],
    },
    Case {
        name: "firstprivate data and temporary mappings in a queue",
        environment: PLAIN,
        body: temporaries,
        status: 0,
        expected: &[],
    },
    Case {
        name: "buffers of several queues",
        environment: PLAIN,
        body: buffers,
        status: 0,
        expected: &[],
    },
    Case {
        name: "threads",
        environment: PLAIN,
        body: threads,
        status: 0,
        expected: &[],
    },
    Case {
        name: "a stream of the program",
        environment: PLAIN,
        body: streams,
        status: 0,
        expected: &[],
    },
    Case {
        name: "a region without GPU code",
        environment: PLAIN,
        body: host_region,
        status: 0,
        expected: &["accrue: test.c:90: this region has no GPU code and runs on the host\n"],
    },
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

/// Cases for a GPU.
const ON_A_GPU: &[&str] = &[
    "the results of launches",
    "the results of launches with scratch memory",
    "transfers of all sizes, synchronous",
    "transfers of all sizes, in a queue",
    "results of reductions",
    "rows",
    "a queue keeps the order of copies to and from the host",
    "queues wait for each other",
    "firstprivate data and temporary mappings in a queue",
    "buffers of several queues",
    "threads",
    "a stream of the program",
    "a region without GPU code",
    "a failing kernel is named",
    "fork",
];

fn pointer<T>(data: &[T]) -> *mut c_void {
    data.as_ptr() as *mut c_void
}

/// a[i] += x for all i < n, on the host.
unsafe extern "C" fn add_on_host(launch: *const CpuLaunch, _gang: u64) {
    unsafe {
        let (n, x) = (*(*launch).args.add(1), *(*launch).args.add(2));
        (0..n as usize).for_each(|i| *arg::<u64>(launch, 0).add(i) += x);
    }
}

/// a[i] += x, with `copy(a)` unless it is present.
fn add(line: u32, a: &mut [u64], x: u64) -> Builder {
    directive(SiteKind::Parallel, line)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, a.len())
        .word(Action::Value, "n", a.len() as u64)
        .word(Action::Value, "x", x)
        .kernel(KERNEL_GANG_LOOP, add_on_host)
        .ptx(&ADD)
}

fn launch_add(line: u32, a: &mut [u64], x: u64, change: impl FnOnce(Builder) -> Builder) {
    assert!(change(add(line, a, x)).launch());
}

fn fault(line: u32) -> Builder {
    directive(SiteKind::Parallel, line)
        .kernel(0, add_on_host)
        .ptx(&Ptx {
            codes: ADD.codes,
            entry: "fault_0",
            ..Ptx::NONE
        })
}

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

/// What the driver sees of [`sums`], twice, in the steady state.
const SUMS_TWICE: &str = "stub: launch into_3 grid=1 block=32x1 shared=0 scratch=no
stub: launch into_3 grid=1 block=32x1 shared=0 scratch=no
stub: wait
stub: launch into_3 grid=1 block=32x1 shared=0 scratch=no
stub: launch into_3 grid=1 block=32x1 shared=0 scratch=no
stub: wait
";

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

fn two_gpus() {
    assert_eq!(acc_get_num_devices(NVIDIA), 2);
    assert_eq!(acc_get_device_num(NVIDIA), 1);
    let mut a = [1u64; 100];
    acc_copyin(pointer(&a), 800);
    acc_set_device_num(0, NVIDIA);
    assert_eq!(acc_is_present(pointer(&a), 800), 0);
    let on_zero = acc_copyin(pointer(&a), 800);
    launch_add(1, &mut a, 5, |builder| builder);
    acc_set_device_num(1, NVIDIA);
    let on_one = acc_deviceptr(pointer(&a));
    assert_ne!(on_zero, on_one);
    acc_memcpy_d2d(on_one, on_zero, 400, 1, 0);
    launch_add(1, &mut a, 1, |builder| builder);
    acc_copyout(pointer(&a), 800);
    assert_eq!((a[0], a[49], a[50], a[99]), (7, 7, 2, 2));
}

fn launches() {
    let mut a = [0u64; 1000];
    launch_add(10, &mut a, 1, |builder| builder);
    launch_add(11, &mut a, 1, |mut builder| {
        builder.header[7] = 50;
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

/// The head of the scratch memory is zero for every launch, also after it has grown.
fn scratch() {
    for (gangs, workers) in [(3, 8), (3, 8), (300, 2), (20, 0)] {
        let mut result = 0u32;
        let mut launch = directive(SiteKind::Parallel, 20)
            .gangs(gangs)
            .object(Action::CopyOut, 0, "result", &raw mut result)
            .kernel(KERNEL_GANG_LOOP, add_on_host)
            .ptx(&TOTAL);
        launch.header[6] = workers;
        launch.launch();
        let workers = if workers == 0 { 8 } else { workers };
        assert_eq!(u64::from(result), gangs * workers * (workers + 1) / 2);
    }
}

/// Data of all interesting sizes goes to the device, is changed there, and comes back.
fn transfers(queue: Option<i64>) {
    for words in [1, 1000, 8193, 200_000, 1 << 20, (3 << 20) + 77, 9 << 20] {
        let mut a: Vec<u64> = (0..words).collect();
        launch_add(30, &mut a, 7, |builder| match queue {
            Some(queue) => builder.queue(queue),
            None => builder,
        });
        if let Some(queue) = queue {
            acc_wait(queue as i32);
        }
        let wrong = a.iter().zip(7..).find(|&(&a, i)| a != i);
        assert_eq!(wrong, None, "{words} words");
    }
}

/// The middle columns of 300 rows of an array.
fn rows() {
    let columns = 100u64;
    let mut a: Vec<u64> = (0..300 * columns).collect();
    acc_copyin(pointer(&a), a.len() * 8);
    a.iter_mut().for_each(|a| *a += 1_000_000);
    let update = |action| {
        directive(SiteKind::Update, 40)
            .section(
                action,
                0,
                "a",
                a.as_ptr() as usize,
                8,
                0,
                &[[0, 300, 300], [10, 80, columns]],
            )
            .exec();
    };
    update(Action::UpdateDevice);
    let all = vec![0u64; a.len()];
    acc_memcpy_from_device(pointer(&all), acc_deviceptr(pointer(&a)), all.len() * 8);
    for (i, value) in all.iter().enumerate() {
        let column = i as u64 % columns;
        let inside = (10..90).contains(&column);
        assert_eq!(*value, i as u64 + if inside { 1_000_000 } else { 0 });
    }
    let mut n = a.clone();
    n.fill(3);
    acc_memcpy_to_device(acc_deviceptr(pointer(&a)), pointer(&n), n.len() * 8);
    update(Action::UpdateSelf);
    for (i, value) in a.iter().enumerate() {
        let column = i as u64 % columns;
        let inside = (10..90).contains(&column);
        assert_eq!(*value, if inside { 3 } else { i as u64 + 1_000_000 });
    }
}

/// `update self` and then `update device` of the same data in one queue: the second copies what the first has brought.
fn back_and_forth() {
    for words in [8, 300_000] {
        let mut a = vec![1u64; words];
        acc_copyin(pointer(&a), words * 8);
        let device = acc_deviceptr(pointer(&a));
        launch_add(31, &mut a, 4, |builder| builder.queue(2));
        acc_update_self_async(pointer(&a), words * 8, 2);
        // Only the bytes that come back from the host now may be on the device.
        let other = acc_malloc(words * 8);
        acc_memcpy_device_async(device, other, words * 8, 2);
        acc_update_device_async(pointer(&a), words * 8, 2);
        launch_add(32, &mut a, 1, |builder| builder.queue(2));
        acc_update_self_async(pointer(&a), words * 8, 2);
        acc_wait(2);
        assert_eq!((a[0], a[words - 1]), (6, 6), "{words} words");
        acc_delete(pointer(&a), words * 8);
    }
}

fn queues() {
    let mut a = vec![0u64; 500_000];
    let bytes = a.len() * 8;
    acc_copyin(pointer(&a), bytes);
    assert_eq!(acc_async_test(5), 1);
    launch_add(33, &mut a, 1, |builder| builder.queue(5));
    acc_update_self_async(pointer(&a), bytes, 5);
    acc_wait_async(5, 6);
    acc_update_device_async(pointer(&a), bytes, 6);
    launch_add(34, &mut a, 10, |builder| builder.queue(6));
    acc_wait_all_async(7);
    acc_update_self_async(pointer(&a), bytes, 7);
    acc_wait(7);
    assert_eq!((a[0], a[499_999]), (11, 11));
    acc_wait_all();
    assert_eq!(acc_async_test_all(), 1);
}

/// Each launch has a copy of `own` for itself; its memory is used again, but not too early.
fn temporaries() {
    let sum = &mut [0u64; 4];
    acc_copyin(pointer(sum), 32);
    for x in 0..50u64 {
        let mut own = vec![x; 2000];
        directive(SiteKind::Parallel, 35)
            .queue(8)
            .slice(Action::Present, 0, "sum", sum.as_ptr(), 0, 4)
            .slice(Action::FirstPrivate, 0, "own", own.as_ptr(), 0, 2000)
            .kernel(0, add_on_host)
            .ptx(&Ptx {
                entry: "sum_2",
                args_words: 2,
                ..ADD
            })
            .launch();
        own.fill(77);
    }
    acc_wait(8);
    acc_copyout(pointer(sum), 32);
    assert_eq!(sum[0], 1225);
}

/// A buffer that the GPU has not read yet is not filled with other data.
fn buffers() {
    let (mut a, b) = (vec![1u64; 200_000], vec![2u64; 200_000]);
    let bytes = a.len() * 8;
    acc_copyin(pointer(&a), bytes);
    acc_copyin(pointer(&b), bytes);
    a.fill(3);
    for _ in 0..4 {
        acc_update_device_async(pointer(&a), bytes, 1);
        for _ in 0..6 {
            // Each test lets the stand-in execute one more operation of the queue.
            acc_async_test(1);
            acc_update_device_async(pointer(&b), bytes, 2);
            acc_wait(2);
        }
        acc_wait_all();
        acc_update_self(pointer(&a), bytes);
        assert!(a.iter().all(|&a| a == 3));
    }
}

fn threads() {
    std::thread::scope(|scope| {
        for thread in 0..8u64 {
            scope.spawn(move || {
                for round in 0..30 {
                    let mut a = vec![thread; 1000 + 3000 * thread as usize];
                    launch_add(37, &mut a, round, |builder| builder);
                    assert!(a.iter().all(|&a| a == thread + round));
                }
            });
        }
    });
}

fn streams() {
    let mut a = [1u64; 8];
    acc_copyin(pointer(&a), 64);
    let stream = acc_get_cuda_stream(4);
    assert!(!stream.is_null());
    assert_eq!(acc_get_cuda_stream(4), stream);
    assert_eq!(acc_set_cuda_stream(9, stream), 1);
    assert_eq!(acc_get_cuda_stream(9), stream);
    launch_add(38, &mut a, 1, |builder| builder.queue(4));
    acc_wait(9);
    acc_copyout(pointer(&a), 64);
    assert_eq!(a, [2; 8]);
    acc_set_device_type(HOST);
    assert!(acc_get_cuda_stream(4).is_null());
    assert_eq!(acc_set_cuda_stream(4, stream), 0);
}

/// A structure with an attached pointer, and data on the device that differs from the host's.
fn host_region() {
    #[repr(C)]
    struct Vector {
        len: u64,
        data: *mut u64,
    }
    /// v.data[i] += v.len; a[i] += 1, for i < 4
    unsafe extern "C" fn body(launch: *const CpuLaunch, _gang: u64) {
        unsafe {
            let v = arg::<Vector>(launch, 0);
            for i in 0..4 {
                *(*v).data.add(i) += (*v).len;
                *arg::<u64>(launch, 2).add(i) += 1;
                *arg::<u64>(launch, 3).add(i) += 2;
            }
        }
    }
    let mut data = vec![10u64; 4];
    let mut a = vec![20u64; 8];
    let mut v = Vector {
        len: 5,
        data: data.as_mut_ptr(),
    };
    let own = acc_malloc(64);
    let own_values = [30u64; 8];
    acc_memcpy_to_device(own, pointer(&own_values), 64);
    let at = &raw mut v.data;
    directive(SiteKind::Data, 89)
        .object(Action::Copy, 0, "v", &raw mut v)
        .slice_through(
            Action::Copy,
            VAR_ATTACH,
            "v.data",
            data.as_ptr(),
            at as usize,
            0,
            4,
        )
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, 8)
        .region(|| {
            // The host's values are not those of the region.
            data.fill(0);
            a.fill(0);
            for queue in [None, Some(1)] {
                let region = directive(SiteKind::Parallel, 90)
                    .object(Action::Present, 0, "v", &raw mut v)
                    .word(Action::Value, "n", 4)
                    .slice(Action::Present, 0, "a", a.as_ptr(), 2, 4)
                    .word(Action::DevicePtr, "own", own as u64 + 8)
                    .kernel(0, body);
                let region = match queue {
                    Some(queue) => region.queue(queue),
                    None => region,
                };
                assert!(region.launch());
                assert_eq!((data[0], a[0]), (0, 0));
            }
        });
    assert_eq!(data, [20; 4]);
    assert_eq!(a, [22, 22, 22, 22, 20, 20, 20, 20]);
    assert_eq!((v.len, v.data), (5, data.as_mut_ptr()));
    acc_memcpy_from_device(pointer(&own_values), own, 64);
    assert_eq!(own_values, [30, 34, 34, 34, 34, 30, 30, 30]);
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

/// With `ACCRUE_TEST_GPU=1`: the cases that need nothing of the stand-in, on the GPU of this machine.
#[test]
fn on_a_gpu() {
    if std::env::var_os("ACCRUE_TEST_GPU").is_none() {
        return;
    }
    let names = ON_A_GPU;
    let unknown = names
        .iter()
        .find(|name| !CASES.iter().any(|case| case.name == **name));
    assert_eq!(unknown, None);
    cases::run_some(CASES, None, |case| names.contains(&case.name));
}

#[test]
fn child() {
    cases::child(CASES);
}

#[test]
fn cases() {
    if std::env::var_os("ACCRUE_TEST_CASE").is_some() {
        return;
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stub");
    std::fs::create_dir_all(&directory).expect("cannot make the directory of the stand-in");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
        .arg(directory.join("libcuda.so.1"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/libcuda.c"))
        .arg("-lpthread")
        .status()
        .expect("cannot start cc");
    assert!(built.success());
    cases::run(CASES, Some(&directory));
}
