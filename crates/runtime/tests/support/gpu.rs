//! What holds for every GPU, whatever driver it has: launches, scratch memory, transfers, queues and threads. The test of a driver has
//! `FORM`, `KERNELS`, `TOTAL` and `ON_HOST`: what its code is, and what runs on the host instead.

use crate::support::{Builder, Ptx, arg, directive};
use crate::{FORM, KERNELS, ON_HOST, TOTAL};
use accrue::abi::*;
use accrue::api::data::*;
use accrue::api::memory::*;
use accrue::api::queue::*;
use std::ffi::c_void;

/// add_3(a, n, x): a[i] += x for all i < n
pub const ADD: Ptx = Ptx {
    codes: KERNELS,
    entry: "add_3",
    flags: SIMT_VECTOR,
    args_words: 3,
    ..Ptx::NONE
};

pub fn pointer<T>(data: &[T]) -> *mut c_void {
    data.as_ptr() as *mut c_void
}

/// a[i] += x for all i < n, on the host.
pub unsafe extern "C" fn add_on_host(launch: *const CpuLaunch, _gang: u64) {
    unsafe {
        let (n, x) = (*(*launch).args.add(1), *(*launch).args.add(2));
        (0..n as usize).for_each(|i| *arg::<u64>(launch, 0).add(i) += x);
    }
}

/// a[i] += x, with `copy(a)` unless it is present.
pub fn add(line: u32, a: &mut [u64], x: u64) -> Builder {
    directive(SiteKind::Parallel, line)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, a.len())
        .word(Action::Value, "n", a.len() as u64)
        .word(Action::Value, "x", x)
        .kernel(KERNEL_GANG_LOOP, ON_HOST)
        .code(FORM, &ADD)
}

pub fn launch_add(line: u32, a: &mut [u64], x: u64, change: impl FnOnce(Builder) -> Builder) {
    assert!(change(add(line, a, x)).launch());
}

pub fn launches() {
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
        .kernel(KERNEL_SINGLE_GANG, ON_HOST)
        .code(FORM, &ADD);
    assert!(serial.launch());
    // 7 gangs are enough for 7 iterations.
    let counted = directive(SiteKind::Parallel, 13)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, 1000)
        .word(Action::Value, "n", 7)
        .word(Action::Value, "x", 1)
        .kernel(KERNEL_GANG_LOOP, ON_HOST)
        .code(
            FORM,
            &Ptx {
                trip: &[2, 1, 0, 0],
                ..ADD
            },
        );
    assert!(counted.launch());
    assert_eq!((a[6], a[7], a[999]), (4, 3, 3));
}

/// The head of the scratch memory is zero for every launch, also after it has grown.
pub fn scratch() {
    for (gangs, workers) in [(3, 8), (3, 8), (300, 2), (20, 0)] {
        let mut result = 0u32;
        let mut launch = directive(SiteKind::Parallel, 20)
            .gangs(gangs)
            .object(Action::Copyout, 0, "result", &raw mut result)
            .kernel(KERNEL_GANG_LOOP, ON_HOST)
            .code(FORM, &TOTAL);
        launch.header.workers = workers;
        assert!(launch.launch());
        let workers = if workers == 0 { 8 } else { workers };
        assert_eq!(u64::from(result), gangs * workers * (workers + 1) / 2);
    }
}

/// Data of all interesting sizes goes to the device, is changed there, and comes back.
pub fn transfers(queue: Option<i64>) {
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
pub fn rows() {
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
                &[[0, 300, 8 * columns], [10, 80, 0]],
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
    for (i, value) in std::hint::black_box(&a).iter().enumerate() {
        let column = i as u64 % columns;
        let inside = (10..90).contains(&column);
        assert_eq!(*value, if inside { 3 } else { i as u64 + 1_000_000 });
    }
}

pub fn queues() {
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
    // What another queue has waited for is seen to be complete.
    assert_eq!((acc_async_test(5), acc_async_test(6)), (1, 1));
    assert_eq!((a[0], a[499_999]), (11, 11));
    acc_wait_all();
    assert_eq!(acc_async_test_all(), 1);
}

/// Each launch has a copy of `own` for itself; its memory is used again, but not too early.
pub fn temporaries() {
    let sum = &mut [0u64; 4];
    acc_copyin(pointer(sum), 32);
    for x in 0..50u64 {
        let mut own = vec![x; 2000];
        let launched = directive(SiteKind::Parallel, 35)
            .queue(8)
            .slice(Action::Present, 0, "sum", sum.as_ptr(), 0, 4)
            .slice(Action::Firstprivate, 0, "own", own.as_ptr(), 0, 2000)
            .kernel(0, ON_HOST)
            .code(
                FORM,
                &Ptx {
                    entry: "sum_2",
                    args_words: 2,
                    ..ADD
                },
            )
            .launch();
        assert!(launched);
        own.fill(77);
    }
    acc_wait(8);
    acc_copyout(pointer(sum), 32);
    // The optimiser does not see the runtime's writes.
    let sum = std::hint::black_box(sum);
    assert_eq!(sum[0], 1225);
}

pub fn threads() {
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
