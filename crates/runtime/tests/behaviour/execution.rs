//! Gangs, slots, nesting, regions, fork.

use super::discrete;
use crate::support::{arg, directive, share};
use accrue::abi::*;
use accrue::api::device::*;
use accrue::device::cpu::pool::allowed_cores;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// count[gang] += 1; count[0] of the second argument = number of gangs
unsafe extern "C" fn count(launch: *const CpuLaunch, gang: u64) {
    unsafe {
        (*arg::<AtomicU64>(launch, 0).add(gang as usize)).fetch_add(1, Relaxed);
        *arg::<u64>(launch, 1) = (*launch).gangs.iter().product();
    }
}

fn gangs_of(kind: SiteKind, flags: u32, dims: [u64; 3]) -> u64 {
    let counts: Vec<AtomicU64> = (0..1000).map(|_| AtomicU64::new(0)).collect();
    let mut gangs = 0u64;
    let mut launch = directive(kind, 1)
        .slice(Action::Copy, 0, "counts", counts.as_ptr(), 0, counts.len())
        .object(Action::Copy, 0, "gangs", &raw mut gangs)
        .kernel(flags, count);
    launch.header.gangs = dims;
    assert!(launch.launch());
    for (gang, count) in counts.iter().enumerate() {
        assert_eq!(
            count.load(Relaxed),
            u64::from((gang as u64) < gangs),
            "gang {gang}"
        );
    }
    gangs
}

#[test]
fn every_gang_runs_exactly_once() {
    discrete();
    let cores = allowed_cores() as u64;
    for _ in 0..200 {
        assert_eq!(
            gangs_of(SiteKind::Parallel, KERNEL_GANG_LOOP, [0; 3]),
            cores
        );
        assert_eq!(gangs_of(SiteKind::Parallel, 0, [0; 3]), 1);
        assert_eq!(gangs_of(SiteKind::Parallel, KERNEL_GANG_LOOP, [7, 0, 0]), 7);
        assert_eq!(gangs_of(SiteKind::Parallel, 0, [5, 4, 3]), 60);
        assert_eq!(gangs_of(SiteKind::Serial, KERNEL_GANG_LOOP, [0; 3]), 1);
        assert_eq!(
            gangs_of(SiteKind::Kernels, KERNEL_SINGLE_GANG, [9, 0, 0]),
            1
        );
        assert_eq!(gangs_of(SiteKind::Parallel, 0, [1000, 0, 0]), 1000);
    }
}

#[test]
fn concurrent_launches_do_not_disturb_each_other() {
    discrete();
    std::thread::scope(|scope| {
        for gangs in 1..=12 {
            scope.spawn(move || {
                for _ in 0..200 {
                    assert_eq!(
                        gangs_of(SiteKind::Parallel, 0, [gangs * 3, 0, 0]),
                        gangs * 3
                    );
                }
            });
        }
    });
}

/// slot[gang] = sum of the gang's share of 0..n
unsafe extern "C" fn partial_sum(launch: *const CpuLaunch, gang: u64) {
    unsafe {
        let n = *(*launch).args;
        let slot = (*launch).slots.add((gang * (*launch).slot_stride) as usize);
        assert_eq!(slot as usize % 128, 0);
        *slot.cast::<u64>() = share(launch, gang, n).map(|i| i as u64).sum();
    }
}

/// result = sum of all slots
unsafe extern "C" fn combine(launch: *const CpuLaunch) {
    unsafe {
        let sum = (0..(*launch).gangs[0])
            .map(|gang| {
                *(*launch)
                    .slots
                    .add((gang * (*launch).slot_stride) as usize)
                    .cast::<u64>()
            })
            .sum();
        *arg::<u64>(launch, 1) = sum;
    }
}

#[test]
fn slots_are_combined_once_after_the_last_gang() {
    discrete();
    for gangs in [1, 2, 13, 300] {
        let mut sum = 0u64;
        directive(SiteKind::Parallel, 2)
            .gangs(gangs)
            .word(Action::Value, "n", 100_000)
            .object(Action::Copy, 0, "sum", &raw mut sum)
            .kernel_with_slots(KERNEL_GANG_LOOP, partial_sum, Some(combine), 8)
            .launch();
        assert_eq!(sum, 100_000 * 99_999 / 2);
    }
}

/// a[gang] = 0, then a[gang] = gang + a[0] + 1: phases must not overlap
unsafe extern "C" fn fill(launch: *const CpuLaunch, gang: u64) {
    unsafe { *arg::<u64>(launch, 0).add(gang as usize) = gang };
}
unsafe extern "C" fn increment_all(launch: *const CpuLaunch, _gang: u64) {
    (0..64).for_each(|i| unsafe { *arg::<u64>(launch, 0).add(i) += 1 });
}

#[test]
fn kernels_of_one_construct_run_in_order() {
    discrete();
    let a = [0u64; 64];
    directive(SiteKind::Kernels, 3)
        .gangs(64)
        .slice(Action::Copyout, 0, "a", a.as_ptr(), 0, 64)
        .kernel(KERNEL_GANG_LOOP, fill)
        .kernel(KERNEL_SINGLE_GANG, increment_all)
        .kernel(KERNEL_SINGLE_GANG, increment_all)
        .launch();
    assert!(a.iter().enumerate().all(|(i, &x)| x == i as u64 + 2));
}

/// Launches another construct from inside a gang.
unsafe extern "C" fn nest(launch: *const CpuLaunch, gang: u64) {
    let inner = gangs_of(SiteKind::Parallel, 0, [9, 0, 0]);
    unsafe { *arg::<u64>(launch, 0).add(gang as usize) = inner };
}

#[test]
fn nested_launches_run_inline() {
    discrete();
    let a = [0u64; 16];
    directive(SiteKind::Parallel, 4)
        .gangs(16)
        .slice(Action::Copyout, 0, "a", a.as_ptr(), 0, 16)
        .kernel(0, nest)
        .launch();
    assert_eq!(a, [9; 16]);
}

/// a[type] = acc_on_device(type)
unsafe extern "C" fn on_device(launch: *const CpuLaunch, _gang: u64) {
    (0..10).for_each(|i| unsafe { *arg::<i32>(launch, 0).add(i as usize) = acc_on_device(i) });
}

#[test]
fn acc_on_device_tells_kernels_from_host_code() {
    let discrete = discrete();
    let a = [-1i32; 10];
    directive(SiteKind::Parallel, 5)
        .slice(Action::Copyout, 0, "a", a.as_ptr(), 0, 10)
        .kernel(0, on_device)
        .launch();
    // none, default, host, not_host, nvidia, radeon, current, cpu, sim, opencl
    let expected = if discrete {
        [0, 0, 0, 1, 0, 0, 0, 1, 0, 0]
    } else {
        [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    };
    assert_eq!(a, expected);
    assert_eq!(a[acc_get_device_type() as usize], 1);
    assert_eq!((acc_on_device(2), acc_on_device(3)), (1, 0));
}

#[test]
fn regions_of_one_site_nest() {
    discrete();
    let a = [0u8; 16];
    let site = directive(SiteKind::Data, 6)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, 16)
        .build();
    fn recurse(site: &crate::support::Directive, depth: u32) -> u32 {
        let mut bodies = 0;
        unsafe {
            accrue::entry::__accrue_data_begin(site.site, site.words.as_ptr());
            while accrue::entry::__accrue_data_next(site.site) != 0 {
                bodies += 1;
                if depth > 0 {
                    bodies += recurse(site, depth - 1);
                }
            }
        }
        bodies
    }
    assert_eq!(recurse(&site, 5), 6);
    assert_eq!(
        accrue::api::data::acc_is_present(a.as_ptr() as *mut _, 16),
        0
    );
}

#[test]
fn a_region_left_by_a_jump_ends_with_the_region_around_it() {
    discrete();
    let (a, b) = ([0u8; 16], [0u8; 16]);
    let outer = directive(SiteKind::Data, 7)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, 16)
        .build();
    let inner = directive(SiteKind::Data, 8)
        .slice(Action::Copy, 0, "b", b.as_ptr(), 0, 16)
        .build();
    unsafe {
        use accrue::entry::{__accrue_data_begin as begin, __accrue_data_next as next};
        begin(outer.site, outer.words.as_ptr());
        assert_eq!(next(outer.site), 1);
        begin(inner.site, inner.words.as_ptr());
        assert_eq!(next(inner.site), 1);
        assert_eq!(next(outer.site), 0);
        assert_eq!(next(inner.site), 0);
    }
    let present = accrue::api::data::acc_is_present;
    assert_eq!(
        present(a.as_ptr() as *mut _, 16) + present(b.as_ptr() as *mut _, 16),
        0
    );
}

#[test]
fn a_forked_child_works() {
    discrete();
    gangs_of(SiteKind::Parallel, 0, [8, 0, 0]);
    accrue::api::queue::acc_wait_all();
    // SAFETY: the child only launches, waits and leaves.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let gangs = gangs_of(SiteKind::Parallel, 0, [8, 0, 0]);
        let a = [0u64; 64];
        directive(SiteKind::Parallel, 9)
            .queue(3)
            .gangs(64)
            .slice(Action::Copyout, 0, "a", a.as_ptr(), 0, 64)
            .kernel(KERNEL_GANG_LOOP, fill)
            .launch();
        accrue::api::queue::acc_wait(3);
        let right = gangs == 8 && a[63] == 63;
        // SAFETY: leaves without running the test program's exit handlers.
        unsafe { libc::_exit(i32::from(!right)) };
    }
    let mut status = -1;
    // SAFETY: waits for the child made above.
    unsafe { libc::waitpid(child, &mut status, 0) };
    assert_eq!(status, 0);
    gangs_of(SiteKind::Parallel, 0, [8, 0, 0]);
}
