//! Attachment: members, sections behind pointers, counters, arrays of pointers.

use super::clauses::present;
use super::{discrete, reachable};
use crate::support::{arg, directive};
use accrue::abi::*;
use accrue::api::data::*;
use std::ffi::c_void;

#[repr(C)]
struct Pair {
    a: *mut i32,
    n: i64,
}

/// s->a[0..n] += 1
unsafe extern "C" fn through_member(launch: *const CpuLaunch, _gang: u64) {
    let pair = unsafe { &*arg::<Pair>(launch, 0) };
    (0..pair.n as usize).for_each(|i| unsafe { *pair.a.add(i) += 1 });
}

/// s->a[7] += 1
unsafe extern "C" fn through_member_behind(launch: *const CpuLaunch, _gang: u64) {
    unsafe { *(*arg::<Pair>(launch, 0)).a.add(7) += 1 };
}

/// m[i][j] += 10 i for a 3 by 4 table of rows
unsafe extern "C" fn rows(launch: *const CpuLaunch, _gang: u64) {
    let m = unsafe { arg::<*mut i32>(launch, 0) };
    for i in 0..3 {
        for j in 0..4 {
            unsafe { *(*m.add(i)).add(j) += 10 * i as i32 };
        }
    }
}

#[test]
fn members_are_attached_whatever_the_order_of_clauses() {
    discrete();
    for member_first in [false, true] {
        let mut a = vec![1i32; 4];
        let mut s = Pair {
            a: a.as_mut_ptr(),
            n: 4,
        };
        let s = &raw mut s;
        let host = a.as_mut_ptr();
        let slot = s as usize;
        let mut data = directive(SiteKind::Data, 32);
        if member_first {
            data = data.slice_through(Action::Copy, VAR_ATTACH, "s.a", host, slot, 0, 4);
        }
        data = data.object(Action::Copy, 0, "s", s);
        if !member_first {
            data = data.slice_through(Action::Copy, VAR_ATTACH, "s.a", host, slot, 0, 4);
        }
        data.region(|| {
            directive(SiteKind::Parallel, 33)
                .object(Action::Present, 0, "s", s)
                .kernel(0, through_member)
                .launch();
            // Attached pointers are no data: updates leave both sides' pointers alone.
            for action in [Action::UpdateSelf, Action::UpdateDevice] {
                directive(SiteKind::Update, 34)
                    .object(action, 0, "s", s)
                    .exec();
            }
            assert_eq!(unsafe { (*s).a }, host);
            directive(SiteKind::Parallel, 35)
                .object(Action::Present, 0, "s", s)
                .kernel(0, through_member)
                .launch();
        });
        assert_eq!(unsafe { (*s).a }, host);
        assert_eq!(a, [3; 4]);
    }
}

#[test]
fn a_section_that_starts_behind_the_pointer_is_attached() {
    let discrete = discrete();
    let mut a = vec![1i32; 8];
    let mut s = Pair {
        a: a.as_mut_ptr(),
        n: 4,
    };
    let s = &raw mut s;
    directive(SiteKind::Data, 321)
        .object(Action::Copy, 0, "s", s)
        .slice_through(
            Action::Copy,
            VAR_ATTACH,
            "s.a",
            a.as_ptr(),
            s as usize,
            2,
            6,
        )
        .region(|| {
            directive(SiteKind::Parallel, 331)
                .object(Action::Present, 0, "s", s)
                .kernel(0, through_member_behind)
                .launch();
            assert_eq!(a[7] == 1, discrete);
        });
    assert_eq!(a, [1, 1, 1, 1, 1, 1, 1, 2]);
}

#[test]
fn attach_counts_and_detach_restores() {
    let discrete = discrete();
    if !reachable() {
        return;
    }
    let mut a = vec![1i32; 4];
    let mut s = Pair {
        a: a.as_mut_ptr(),
        n: 4,
    };
    let slot = &raw mut s;
    let data = a.as_mut_ptr() as *mut c_void;
    acc_copyin(data, 16);
    acc_copyin(slot as *mut c_void, 16);
    let copy = acc_deviceptr(slot as *mut c_void) as *const Pair;
    let device = acc_deviceptr(data) as *mut i32;
    let pointer = slot as *mut *mut c_void;
    let now = || unsafe { std::ptr::read_volatile(copy).a };
    acc_attach(pointer);
    directive(SiteKind::EnterData, 36)
        .slice_through(Action::Attach, 0, "s.a", a.as_ptr(), slot as usize, 0, 4)
        .exec();
    assert_eq!(now(), device);
    acc_detach(pointer);
    assert_eq!(now(), device);
    acc_detach(pointer);
    assert_eq!(now(), a.as_mut_ptr());
    acc_detach(pointer);
    acc_attach(pointer);
    acc_attach(pointer);
    assert_eq!(now(), device);
    acc_detach_finalize(pointer);
    assert_eq!(now(), a.as_mut_ptr());
    assert_eq!(discrete, device != a.as_mut_ptr());
    acc_delete(data, 16);
    acc_delete(slot as *mut c_void, 16);
}

#[test]
fn dynamic_arrays_map_the_table_and_every_row() {
    let discrete = discrete();
    let mut storage = [[1i32; 6]; 3];
    let table: Vec<*mut i32> = storage.iter_mut().map(|row| row.as_mut_ptr()).collect();
    let base = table.as_ptr() as usize;
    let dims = [[0, 3, 0], [0, 4, 0]];
    directive(SiteKind::EnterData, 37)
        .section(Action::Copyin, VAR_ATTACH, "m", base, 4, 2, &dims)
        .exec();
    directive(SiteKind::Parallel, 38)
        .section(Action::Present, 0, "m", base, 4, 2, &dims)
        .kernel(0, rows)
        .launch();
    assert_eq!(storage[2][3] == 1, discrete);
    directive(SiteKind::Update, 39)
        .section(
            Action::UpdateSelf,
            0,
            "m",
            base,
            4,
            2,
            &[[1, 1, 0], [0, 2, 0]],
        )
        .exec();
    assert_eq!(storage[1][..2], [11, 11]);
    directive(SiteKind::ExitData, 40)
        .section(Action::Copyout, VAR_ATTACH, "m", base, 4, 2, &dims)
        .exec();
    assert_eq!(storage[2], [21, 21, 21, 21, 1, 1]);
    assert!(!present(&table) && !present(&storage[1]));
    assert_eq!(table[1], storage[1].as_mut_ptr());
}
