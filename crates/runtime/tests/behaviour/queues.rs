//! Asynchronous queues.

use super::discrete;
use crate::support::{arg, directive};
use accrue::abi::*;
use accrue::api::queue::*;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Waits until the gate (a by-value address) opens, then *a = *a * 10 + digit.
unsafe extern "C" fn gated(launch: *const CpuLaunch, _gang: u64) {
    unsafe {
        let gate = arg::<AtomicBool>(launch, 0);
        while !gate.is_null() && !(*gate).load(SeqCst) {
            std::thread::yield_now();
        }
        let digit = *(*launch).args.add(1);
        let a = arg::<u64>(launch, 2);
        *a = *a * 10 + digit;
    }
}

fn push(queue: i64, gate: Option<&AtomicBool>, digit: u64, a: *mut u64, waits: &[i64]) {
    directive(SiteKind::Parallel, 1)
        .queue(queue)
        .waits(waits)
        .word(
            Action::Value,
            "gate",
            gate.map_or(0, |gate| gate.as_ptr() as u64),
        )
        .word(Action::Value, "digit", digit)
        .object(Action::Present, 0, "a", a)
        .kernel(0, gated)
        .launch();
}

/// Calls `body` with a number on the device; returns its value at the end.
fn with_number(body: impl FnOnce(*mut u64)) -> u64 {
    discrete();
    let mut a = 0u64;
    let a = &raw mut a;
    directive(SiteKind::Data, 2)
        .object(Action::Copy, 0, "a", a)
        .region(|| body(a));
    unsafe { *a }
}

#[test]
fn a_queue_is_in_order_and_the_host_runs_ahead() {
    let gate = AtomicBool::new(false);
    let value = with_number(|a| {
        push(101, Some(&gate), 1, a, &[]);
        push(101, None, 2, a, &[]);
        assert_eq!((acc_async_test(101), acc_async_test_all()), (0, 0));
        push(101, None, 3, a, &[]);
        gate.store(true, SeqCst);
        acc_wait(101);
        assert_eq!(acc_async_test(101), 1);
    });
    assert_eq!(value, 123);
}

#[test]
fn wait_clauses_order_queues() {
    let gate = AtomicBool::new(false);
    let value = with_number(|a| {
        push(111, Some(&gate), 1, a, &[]);
        push(112, None, 2, a, &[111]);
        push(113, None, 3, a, &[111, 112]);
        assert_eq!(acc_async_test(113), 0);
        gate.store(true, SeqCst);
        acc_wait(113);
    });
    assert_eq!(value, 123);
}

#[test]
fn acc_wait_async_and_the_wait_directive_order_queues() {
    let gate = AtomicBool::new(false);
    let value = with_number(|a| {
        push(121, Some(&gate), 1, a, &[]);
        acc_wait_async(121, 122);
        push(122, None, 2, a, &[]);
        directive(SiteKind::Wait, 3).waits(&[122]).queue(123).exec();
        push(123, None, 3, a, &[]);
        acc_wait_all_async(124);
        push(124, None, 4, a, &[]);
        assert_eq!(acc_async_test(124), 0);
        gate.store(true, SeqCst);
        directive(SiteKind::Wait, 4).exec();
        assert_eq!(acc_async_test(124), 1);
    });
    assert_eq!(value, 1234);
}

#[test]
fn leaving_a_region_waits_for_queues_that_may_use_the_data() {
    let value = with_number(|a| {
        (1..=5).for_each(|digit| push(131, None, digit, a, &[]));
    });
    assert_eq!(value, 12345);
}

#[test]
fn data_actions_take_their_place_in_the_queue() {
    discrete();
    let gate = AtomicBool::new(false);
    let mut a = 1u64;
    let a = &raw mut a;
    directive(SiteKind::EnterData, 5)
        .queue(141)
        .object(Action::Copyin, 0, "a", a)
        .exec();
    push(141, Some(&gate), 2, a, &[]);
    directive(SiteKind::ExitData, 6)
        .queue(141)
        .object(Action::Copyout, 0, "a", a)
        .exec();
    assert_eq!(accrue::api::data::acc_is_present(a.cast(), 8), 0);
    gate.store(true, SeqCst);
    acc_wait(141);
    assert_eq!(unsafe { *a }, 12);
}

#[test]
fn by_value_words_and_firstprivate_are_taken_when_enqueued() {
    discrete();
    let gate = AtomicBool::new(false);
    let mut out = 0u64;
    let out = &raw mut out;
    let mut array = [7u64; 4];
    let array = &raw mut array;
    unsafe extern "C" fn sum(launch: *const CpuLaunch, _gang: u64) {
        unsafe {
            while !(*arg::<AtomicBool>(launch, 0)).load(SeqCst) {
                std::thread::yield_now();
            }
            let a = arg::<u64>(launch, 1);
            *arg::<u64>(launch, 2) = (0..4).map(|i| *a.add(i)).sum();
        }
    }
    directive(SiteKind::Parallel, 7)
        .queue(151)
        .word(Action::Value, "gate", gate.as_ptr() as u64)
        .object(Action::Firstprivate, 0, "array", array)
        .object(Action::Copyout, 0, "out", out)
        .kernel(0, sum)
        .launch();
    unsafe { *array = [0; 4] };
    gate.store(true, SeqCst);
    acc_wait(151);
    assert_eq!(unsafe { *out }, 28);
}

#[test]
fn default_queue_and_special_values() {
    discrete();
    std::thread::spawn(|| {
        assert_eq!(acc_get_default_async(), ASYNC_DEFAULT as i32);
        acc_set_default_async(161);
        assert_eq!(acc_get_default_async(), 161);
        let gate = AtomicBool::new(false);
        let value = with_number(|a| {
            push(ASYNC_NOVAL, Some(&gate), 1, a, &[]);
            assert_eq!(acc_async_test(161), 0);
            gate.store(true, SeqCst);
            acc_wait(ASYNC_NOVAL as i32);
            // acc_async_sync: complete on return.
            push(ASYNC_SYNC, None, 2, a, &[]);
        });
        assert_eq!(value, 12);
        directive(SiteKind::Set, 8).queue(ASYNC_DEFAULT).exec();
        assert_eq!(acc_get_default_async(), ASYNC_DEFAULT as i32);
    })
    .join()
    .expect("the thread failed");
}

#[test]
fn wait_any_finds_the_finished_queue() {
    let gate = AtomicBool::new(false);
    with_number(|a| {
        push(171, Some(&gate), 1, a, &[]);
        let queues = [171, 172];
        assert_eq!(unsafe { acc_wait_any(2, queues.as_ptr()) }, 1);
        gate.store(true, SeqCst);
        assert_eq!(unsafe { acc_wait_any(1, queues.as_ptr()) }, 0);
    });
}
