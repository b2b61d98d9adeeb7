//! Data clauses: counters, copies, modifiers, sections.

use super::{discrete, reachable};
use crate::support::{arg, directive};
use accrue::abi::*;
use accrue::api::data::*;
use std::ffi::c_void;

pub(super) fn present<T>(data: &[T]) -> bool {
    acc_is_present(data.as_ptr() as *mut c_void, size_of_val(data)) != 0
}

/// a[0..8] *= 2
unsafe extern "C" fn double8(launch: *const CpuLaunch, _gang: u64) {
    let a = unsafe { std::slice::from_raw_parts_mut(arg::<i32>(launch, 0), 8) };
    a.iter_mut().for_each(|x| *x = x.wrapping_mul(2));
}

/// a[2..6] *= 2, with `a` mapped from element 2
unsafe extern "C" fn double_middle(launch: *const CpuLaunch, _gang: u64) {
    let a = unsafe { arg::<i32>(launch, 0) };
    (2..6).for_each(|i| unsafe { *a.add(i) *= 2 });
}

/// out[0..8] = a[0..8]
unsafe extern "C" fn copy8(launch: *const CpuLaunch, _gang: u64) {
    unsafe { std::ptr::copy(arg::<i32>(launch, 0), arg::<i32>(launch, 1), 8) };
}

/// out[0] = the address a
unsafe extern "C" fn address(launch: *const CpuLaunch, _gang: u64) {
    unsafe { *arg::<usize>(launch, 1) = arg::<u8>(launch, 0) as usize };
}

fn doubled(action: Action, flags: u32) -> Vec<i32> {
    let a: Vec<i32> = (1..=8).collect();
    let launched = directive(SiteKind::Parallel, 10)
        .slice(action, flags, "a", a.as_ptr(), 0, 8)
        .kernel(0, double8)
        .launch();
    assert!(launched && !present(&a));
    a
}

#[test]
fn copy_copies_both_ways() {
    discrete();
    assert_eq!(doubled(Action::Copy, 0), [2, 4, 6, 8, 10, 12, 14, 16]);
}

#[test]
fn copyin_copies_nothing_back() {
    let unchanged = doubled_is_local(Action::Copyin);
    assert_eq!(unchanged, discrete());
}

fn doubled_is_local(action: Action) -> bool {
    discrete();
    doubled(action, 0) == [1, 2, 3, 4, 5, 6, 7, 8]
}

#[test]
fn copyin_with_alwaysout_copies_back() {
    discrete();
    assert_eq!(doubled(Action::Copyin, VAR_ALWAYS_OUT)[7], 16);
}

#[test]
fn create_copies_nothing() {
    let unchanged = doubled_is_local(Action::Create);
    assert_eq!(unchanged, discrete());
}

#[test]
fn zero_gives_zeroed_memory_in_both_modes() {
    discrete();
    assert_eq!(doubled(Action::Copyout, VAR_ZERO), [0; 8]);
    // `create(zero:)` leaves the host's values alone.
    assert_eq!(doubled(Action::Create, VAR_ZERO)[7], 8);
}

#[test]
fn capture_gives_a_copy_in_both_modes() {
    discrete();
    assert_eq!(doubled(Action::Copyin, VAR_CAPTURE)[7], 8);
}

#[test]
fn a_section_is_indexed_with_the_users_subscripts() {
    discrete();
    let a: Vec<i32> = (1..=8).collect();
    directive(SiteKind::Parallel, 11)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 2, 4)
        .kernel(0, double_middle)
        .launch();
    assert_eq!(a, [1, 2, 6, 8, 10, 12, 7, 8]);
}

#[test]
fn regions_hold_data_and_inner_clauses_do_not_copy() {
    discrete();
    let a: Vec<i32> = (1..=8).collect();
    directive(SiteKind::Data, 12)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, 8)
        .region(|| {
            assert!(present(&a));
            directive(SiteKind::Parallel, 13)
                .slice(Action::Copy, 0, "a", a.as_ptr(), 0, 8)
                .kernel(0, double8)
                .launch();
            assert_eq!(a[0] == 1, discrete());
            directive(SiteKind::Parallel, 14)
                .slice(Action::Present, 0, "a", a.as_ptr(), 0, 8)
                .kernel(0, double8)
                .launch();
        });
    assert!(!present(&a));
    assert_eq!(a[7], 32);
}

#[test]
fn always_copies_present_data() {
    discrete();
    let mut a: Vec<i32> = vec![1; 8];
    let data = a.as_mut_ptr();
    directive(SiteKind::Data, 15)
        .slice(Action::Copyin, 0, "a", data, 0, 8)
        .region(|| {
            unsafe { *data = 5 };
            directive(SiteKind::Parallel, 16)
                .slice(
                    Action::Copy,
                    VAR_ALWAYS_IN | VAR_ALWAYS_OUT,
                    "a",
                    data,
                    0,
                    8,
                )
                .kernel(0, double8)
                .launch();
            assert_eq!(unsafe { *data }, 10);
        });
    assert_eq!(a, [10, 2, 2, 2, 2, 2, 2, 2]);
}

#[test]
fn dynamic_counters_count_enter_and_exit() {
    discrete();
    let a: Vec<i32> = vec![3; 8];
    let enter = || {
        directive(SiteKind::EnterData, 17)
            .slice(Action::Copyin, 0, "a", a.as_ptr(), 0, 8)
            .exec();
    };
    let exit = |flags| {
        directive(SiteKind::ExitData, 18)
            .flags(flags)
            .slice(Action::Copyout, 0, "a", a.as_ptr(), 0, 8)
            .exec();
    };
    enter();
    enter();
    directive(SiteKind::Parallel, 19)
        .slice(Action::Present, 0, "a", a.as_ptr(), 0, 8)
        .kernel(0, double8)
        .launch();
    exit(0);
    assert!(present(&a));
    assert_eq!(a[0] == 3, discrete());
    exit(0);
    assert!(!present(&a));
    assert_eq!(a, [6; 8]);
    // Not present any more: no action.
    exit(0);
    enter();
    enter();
    exit(SITE_FINALIZE);
    assert!(!present(&a));
}

#[test]
fn structured_and_dynamic_references_are_independent() {
    discrete();
    let a: Vec<i32> = vec![1; 8];
    directive(SiteKind::EnterData, 20)
        .slice(Action::Create, 0, "a", a.as_ptr(), 0, 8)
        .exec();
    directive(SiteKind::Data, 21)
        .slice(Action::Copyout, 0, "a", a.as_ptr(), 0, 8)
        .region(|| {
            directive(SiteKind::ExitData, 22)
                .flags(SITE_FINALIZE)
                .slice(Action::Delete, 0, "a", a.as_ptr(), 0, 8)
                .exec();
            assert!(present(&a));
            // More deletes must not take the region's reference.
            acc_delete(a.as_ptr() as *mut c_void, 32);
            assert!(present(&a));
        });
    assert!(!present(&a));
}

#[test]
fn null_pointers_and_empty_sections_are_no_action() {
    discrete();
    directive(SiteKind::EnterData, 23)
        .slice(Action::Copyin, 0, "p", std::ptr::null::<i32>(), 0, 8)
        .exec();
    let a = [1i32; 8];
    directive(SiteKind::EnterData, 24)
        .slice(Action::Copyin, 0, "a", a.as_ptr(), 0, 0)
        .exec();
    assert!(!present(&a));
    let mut out = 1usize;
    directive(SiteKind::Parallel, 25)
        .slice(Action::Present, 0, "p", std::ptr::null::<i32>(), 0, 8)
        .object(Action::Copy, 0, "out", &raw mut out)
        .kernel(0, address)
        .launch();
    assert_eq!(out, 0);
}

#[test]
fn absent_pointers_are_themselves_or_lead_nowhere() {
    discrete();
    if !reachable() {
        return;
    }
    let a = [1i32; 8];
    let mut out = 1usize;
    for action in [Action::Pointer, Action::Deviceptr] {
        directive(SiteKind::Parallel, 26)
            .word(action, "p", a.as_ptr() as u64)
            .object(Action::Copy, 0, "out", &raw mut out)
            .kernel(0, address)
            .launch();
        let kept = !discrete() || action == Action::Deviceptr;
        assert_eq!(out == a.as_ptr() as usize, kept, "{action:?}");
    }
    directive(SiteKind::Parallel, 27)
        .slice(Action::NoCreate, 0, "p", a.as_ptr(), 0, 8)
        .object(Action::Copy, 0, "out", &raw mut out)
        .kernel(0, address)
        .launch();
    assert_eq!(out == a.as_ptr() as usize, !discrete());
    // Present: translated, also from the middle.
    let device = acc_copyin(a.as_ptr() as *mut c_void, 32) as usize;
    directive(SiteKind::Parallel, 28)
        .word(Action::Pointer, "p", a.as_ptr() as u64 + 12)
        .object(Action::Copy, 0, "out", &raw mut out)
        .kernel(0, address)
        .launch();
    assert_eq!(out, device + 12);
    acc_delete(a.as_ptr() as *mut c_void, 32);
}

#[test]
fn update_moves_exactly_the_section() {
    let discrete = discrete();
    if !reachable() {
        return;
    }
    // int a[4][5]; update self(a[1:2][1:3])
    let mut a = [[0i32; 5]; 4];
    let base = a.as_mut_ptr() as usize;
    acc_copyin(base as *mut c_void, size_of_val(&a));
    let device = acc_deviceptr(base as *mut c_void).cast::<i32>();
    (0..20).for_each(|i| unsafe { *device.add(i) = 7 });
    directive(SiteKind::Update, 29)
        .section(
            Action::UpdateSelf,
            0,
            "a",
            base,
            4,
            0,
            &[[1, 2, 20], [1, 3, 0]],
        )
        .exec();
    let sum: i32 = a.iter().flatten().sum();
    if discrete {
        assert_eq!((sum, a[1][1], a[2][3], a[1][4]), (42, 7, 7, 0));
    }
    a[3][4] = 1;
    directive(SiteKind::Update, 30)
        .section(
            Action::UpdateDevice,
            0,
            "a",
            base,
            4,
            0,
            &[[3, 1, 20], [4, 1, 0]],
        )
        .exec();
    assert_eq!(unsafe { (*device.add(19), *device.add(18)) }, (1, 7));
    // Every other row from the last one on, of each the columns 4, 2 and 0.
    unsafe { (*device.add(19), *device.add(5)) = (70, 71) };
    a.iter_mut().flatten().for_each(|a| *a = 0);
    directive(SiteKind::Update, 30)
        .section(
            Action::UpdateSelf,
            0,
            "a",
            base + 19 * 4,
            4,
            0,
            &[[0, 2, -40i64 as u64], [0, 3, -8i64 as u64]],
        )
        .exec();
    if discrete {
        assert_eq!(a, [[0; 5], [71, 0, 7, 0, 7], [0; 5], [7, 0, 7, 0, 70]]);
    }
    acc_delete(base as *mut c_void, size_of_val(&a));
    // Absent, with if_present: no action.
    directive(SiteKind::Update, 31)
        .flags(SITE_IF_PRESENT)
        .section(
            Action::UpdateSelf,
            0,
            "a",
            base,
            4,
            0,
            &[[0, 4, 20], [0, 5, 0]],
        )
        .exec();
}

#[test]
fn firstprivate_is_a_copy() {
    discrete();
    let a: Vec<i32> = vec![4; 8];
    let out = [0i32; 8];
    directive(SiteKind::Parallel, 41)
        .slice(Action::Firstprivate, 0, "a", a.as_ptr(), 0, 8)
        .kernel(0, double8)
        .launch();
    assert_eq!(a, [4; 8]);
    directive(SiteKind::Parallel, 42)
        .slice(Action::Firstprivate, 0, "a", a.as_ptr(), 0, 8)
        .slice(Action::Copyout, 0, "out", out.as_ptr(), 0, 8)
        .kernel(0, copy8)
        .launch();
    assert_eq!(out, [4; 8]);
}

#[test]
fn host_data_gives_the_device_address() {
    discrete();
    let a = [1i32; 8];
    let host = a.as_ptr() as *mut c_void;
    let addresses = |line, flags: u32, condition: u64| {
        let mut region = directive(SiteKind::HostData, line)
            .flags(flags)
            .slice(Action::UseDevice, 0, "p", a.as_ptr(), 0, 0)
            .slice(Action::UseDevice, 0, "a", a.as_ptr(), 0, 8);
        region.header.if_condition = condition;
        let region = region.build();
        let mut found = Vec::new();
        unsafe {
            accrue::entry::__accrue_data_begin(region.site, region.words.as_ptr());
            while accrue::entry::__accrue_data_next(region.site) != 0 {
                let address = |var| accrue::entry::__accrue_device_address(region.site, var);
                found.extend([address(0), address(1)]);
            }
        }
        found
    };
    // Not present, which `if_present` allows.
    assert_eq!(addresses(43, SITE_IF_PRESENT, 1), [host; 2]);
    let device = acc_copyin(host, 32);
    assert_eq!(addresses(431, 0, 1), [device; 2]);
    // A false condition leaves the host's addresses.
    assert_eq!(addresses(432, 0, 0), [host; 2]);
    acc_delete(host, 32);
}

#[test]
fn a_false_condition_means_no_action() {
    discrete();
    let a = [1i32; 8];
    let mut enter =
        directive(SiteKind::EnterData, 44).slice(Action::Copyin, 0, "a", a.as_ptr(), 0, 8);
    enter.header.if_condition = 0;
    enter.exec();
    let mut data = directive(SiteKind::Data, 45).slice(Action::Present, 0, "a", a.as_ptr(), 0, 8);
    data.header.if_condition = 0;
    data.region(|| assert!(!present(&a)));
    for (condition, on_host) in [(0, 0), (1, 1)] {
        let mut parallel =
            directive(SiteKind::Parallel, 46).slice(Action::Present, 0, "a", a.as_ptr(), 0, 8);
        parallel.header.if_condition = condition;
        parallel.header.self_condition = on_host;
        assert!(!parallel.launch());
    }
}
